"""Subjects of sentences: all players, chosen players, the first player, cards with effects."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import cardlang
from cardlang.rulebook.realise.noun_phrases import add_article
from cardlang.rulebook.render import build_player_aid
from cardlang.rulebook.render.markdown import render_markdown
from tests.game_files import read_game
from tests.rulebook.conftest import without_links

SheetOf = Callable[[str], str]
PILES = "zone your stack\nzone your opened\nzone your stall holds 1\n"


def turn(*lines: str) -> str:
    return PILES + "step your turn\n" + "".join(f"  {line}\n" for line in lines)


# ---------------------------------------------------------------- what everybody does
@pytest.mark.parametrize(
    ("acts", "said"),
    [
        (
            ["take (your stack, your opened) to your hand", "shuffle your hand"],
            "Each player shuffles their stack and their opened cards into their hand.",
        ),
        (
            ["move (your stack, your opened) to your hand"],
            "Each player moves their stack and their opened cards to their hand.",
        ),
        (
            ["reveal (your stack, your opened)"],
            "Each player reveals their stack and their opened cards.",
        ),
        (
            ["take (your stack, your opened) to your hand", "shuffle your stack"],
            "Each player takes their stack and their opened cards, then shuffles their stack.",
        ),
    ],
)
def test_each_player_sentence_starts_with_its_action(sheet_of: SheetOf, acts: list[str], said: str) -> None:
    lines = "".join(f"    {act}\n" for act in acts)
    assert f"\n{said}\n" in sheet_of(f"{PILES}step play\n  each player\n{lines}")


# ---------------------------------------------------------------- names that are no nouns
@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ["you choose victim from your others", "you choose theirs from victim's stack", "move theirs to your hand"],
            "Move their card to your hand.",
        ),
        (["you choose mine from your hand", "move mine to your stack"], "Move your card to your stack."),
        (["you choose up to 2 theirs from table", "move theirs to your hand"], "Move those cards to your hand."),
        (
            ["you choose other from your others", "move other's hand to your hand"],
            "Move that player's hand to your hand.",
        ),
        (["you choose my-card from your hand", "move my-card to table"], "Move your card to the table."),
        (["you choose gift from your hand", "move gift to table"], "Move the gift to the table."),
        (
            ["you choose victim from your others", "move your stall to victim's stall"],
            "Move your stall to that player's stall.",
        ),
    ],
)
def test_chosen_values_are_nouns(sheet_of: SheetOf, lines: list[str], said: str) -> None:
    sheet = sheet_of(turn(*lines))
    assert said in sheet
    assert not re.search(r"\b(the|a) (theirs|mine|own|whom|other's|my)\b", sheet)


@pytest.mark.parametrize(
    ("name", "thing", "said"),
    [
        ("theirs", "card", "their card"),
        ("Theirs", "cards", "their cards"),
        ("mine", "number", "your number"),
        ("own", "card", "your own card"),
        ("hers", "player", "the player in question"),
        ("it", "card", "the card in question"),
        ("another", "card", "the card in question"),
        ("other", "player", "the other player"),
        ("my card", "card", "your card"),
        ("the card", "card", "the card"),
        ("lucky card", "card", "the lucky card"),
        ("mine shaft", "card", "the mine shaft"),
        ("victim", "player", "the victim"),
    ],
)
def test_pronouns_have_no_article(name: str, thing: str, said: str) -> None:
    assert add_article(name, thing) == said


# ---------------------------------------------------------------- who begins
STARTS = [
    ("player starter starts at random of players", "Choose the starting player at random."),
    ("player starter starts at first of players", "The starting player is the first player."),
    ("Suit wish starts at Red", "The wish suit is Red."),
    ("Suit asked starts at random of Suit", "Choose the asked suit at random."),
]


@pytest.mark.parametrize(("track", "said"), STARTS)
@pytest.mark.parametrize("show", ["", "show your score\n", "show your chips\nshow your score\n"])
def test_setup_names_who_begins(sheet_of: SheetOf, track: str, said: str, show: str) -> None:
    name = track.split()[1]
    use = "each player from starter" if track.startswith("player") else f"if {name} = Red"
    again = f"  set {name} to Blue\n" if name == "wish" else ""
    play = f"step play\n  {use}\n    add 1 to leader's score\n  set leader to first of players\n{again}"
    sheet = sheet_of(f"{track}\n{show}{play}")
    assert said in sheet.partition("## Set-up")[2]


def test_bookkeeping_is_omitted(sheet_of: SheetOf) -> None:
    sheet = sheet_of("number limit starts at 5\nshow your score\nstep play\n  add limit to round\n")
    assert "The limit is five" not in sheet


# ---------------------------------------------------------------- player aids
AID = read_game("shops")


def test_aid_names_card_effects() -> None:
    told = without_links(render_markdown(build_player_aid(cardlang.loads(AID)))).partition("## The cards\n\n")[2]
    assert told.partition("\n\n")[0] == (
        """\
- **Shops (Bakery, Forge, Fair, Mill):** Open all day.
- **Bakery (price 3):** Draw.
- **Forge (price 4):**
  - **Effect:**
    1. Score 3.
  - **Again:**
    1. Score 4.
- **Fair (price 5):** Only on Sundays.
  - **The card is open** if your hand is empty.
- **Tools (Axe, Saw):**
  1. Score 2.
- **Saw (price 2):**
  1. Score 1."""
    )
