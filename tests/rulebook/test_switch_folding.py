"""Library switches that a game fixes: the rulebook prints the result, not the switch."""

import re

import pytest

import cardlang
from cardlang.model import Game
from cardlang.rulebook.render import render_rulebook_markdown
from tests.game_files import read_game
from tests.rulebook.conftest import render_generated, without_links

LIBRARY = read_game("shop_switch_folding")
GAME = """game "Market" for 2 players
use shop
{under}
step play
  each player
    do your turn
{more}"""


def sheet(under: str = "", more: str = "", variant: str | None = None) -> str:
    text = GAME.format(under=under, more=more)
    return re.sub(
        r"\(#[^)]*\)|[\[\]]",
        "",
        render_rulebook_markdown(cardlang.loads(text, variant=variant, libraries={"shop": LIBRARY})),
    )


def test_fixed_switches_are_folded() -> None:
    told = sheet()
    assert "Lose 1 coin." in told
    assert "Welcome back" not in told and "ebates" not in told and "nlimited" not in told
    assert "Set your score to the lower of your coins and seven" in told
    assert "**Buy:** Only if you have any coins." in told
    assert "**Haggle:** Only if you have no coins." in told and "Steal" not in told


def test_unread_notes_are_omitted() -> None:
    assert "Sold" not in sheet() and "Add one to the sold" not in sheet()


@pytest.mark.parametrize(
    ("under", "there", "gone"),
    [
        ("  define rebates as yes", "*Welcome back.*", "The full price"),
        ("  define rebates as yes", "**Haggle:** Score 1", "whether"),
        ("  define limit as 4", "Only if the sold is less than four and you have any coins", "nlimited"),
        ("  define limit as 4", "the sold is less than", "nlimited"),
        ("  define most as 5", "the lowest of five, your coins and seven", "nlimited"),
    ],
)
def test_chosen_switch_is_printed(under: str, there: str, gone: str) -> None:
    told = sheet(under)
    assert there in told and gone not in told


def test_variant_switch_stays_open() -> None:
    more = 'variant "Friends"\n  define rebates as yes\n'
    told = sheet(more=more)
    assert "*Welcome back.*" in told and "*The full price.*" in told and "**Rebates:** No." in told
    own = sheet(more=more, variant="Friends")
    assert "*Welcome back.*" in own and "The full price" not in own


def test_own_declarations_are_printed() -> None:
    told = sheet(more="number visits\ndefine open as yes\nstep your turn-two\n  if open\n    add 1 to visits\n")
    assert "**The game is open:** Yes." in told


UNSET = read_game("trumps")


@pytest.mark.parametrize(
    ("more", "there", "gone"),
    [
        ("", "**Strength of a card:** One.", "trump suit"),
        ("  set trump to Red\n", "9 for a card of the trump suit, otherwise 1.", "seven"),
        ("  set wild to yes\n", "Seven if wild is on, otherwise one.", "trump suit"),
    ],
)
def test_never_set_track_is_folded(more: str, there: str, gone: str) -> None:
    text = (
        'game "Plain" for 2 players\nuse trumps\ncards Pack in deck\n  9 of each Suit\nzone deck\n'
        f"step play\n  shuffle deck\n{more}  each player\n    do your look\n"
    )
    told = render_rulebook_markdown(cardlang.loads(text, libraries={"trumps": UNSET}))
    assert there in told and gone not in told.lower()


def test_helper_step_is_printed_in_place(shipped: dict[str, Game]) -> None:
    """Playing a card is a step that games may replace, as Bridge does; elsewhere it is no section."""
    whist, bridge = render_generated(shipped["whist"]), render_generated(shipped["contract_bridge"])
    assert "Starting with the leader, each player plays one card" in without_links(whist)
    assert "Card play" not in whist and "### Card play" in bridge
