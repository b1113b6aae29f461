"""Player aids: on one page, the turn, the options, the ranking and the cards."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardlang
from cardlang.model import Game
from cardlang.rulebook.authored_rulebook.assembly import open_rules_file
from cardlang.rulebook.authored_rulebook.markdown_parser import replace_read_comment
from cardlang.rulebook.authored_rulebook.rulebook_warnings import check_rules_file
from cardlang.rulebook.plan.player_aid import build_generated_player_aid
from cardlang.rulebook.render import build_player_aid, build_rulebook
from cardlang.rulebook.render.markdown import render_markdown
from tests.rulebook.conftest import TABLE, without_links

PLAY = """
define your playable called "playable cards" as first possible of
  hand where suit = wanted "Follow suit if you can."
  hand
define spare as 3
step play
  repeat until round = 3
    add 1 to round
    each player
      do your turn
step your turn "Play or rest."
  if your hand is not empty
    shuffle deck "Thoroughly."
    you play 1 from your playable to table
  you choose one
    option rest costs 1 chips "Nothing to do."
    option knock
      set leader to you
      add 1 to your score
"""


def aid_text(game: Game) -> str:
    return without_links(render_markdown(build_generated_player_aid(game)))


def aid_of(text: str) -> str:
    return aid_text(cardlang.loads(TABLE + text))


@pytest.mark.parametrize("name", sorted(cardlang.shipped()))
def test_aid_has_at_most_350_words(name: str, shipped: dict[str, Game]) -> None:
    for aid in (build_player_aid(shipped[name]), build_generated_player_aid(shipped[name])):
        assert len([word for word in render_markdown(aid).split() if word[:1].isalnum()]) <= 350


def test_aid_of_a_short_game_is_complete() -> None:
    told = aid_of(PLAY)
    assert (
        """\
- **Turn:** *Play or rest.*
  1. If your hand is not empty:
     1. Shuffle the deck.
     2. Play one card. Follow suit if you can; otherwise play any card.
  2. Choose one of these:
     - **Rest:** Pay 1 chip. *Nothing to do.*
     - **Knock:** You lead. Score 1.
"""
    ) in told
    assert "- **End of the game:** The game ends after three rounds.\n" in told


def test_aid_explains_its_terms() -> None:
    told = aid_of(PLAY)
    assert "Follow suit if you can; otherwise play any card." in told and "Spare" not in told


def test_long_aid_drops_effects_before_costs() -> None:
    body = "".join(f"      add {number} to your score\n" for number in range(150))
    told = aid_of(PLAY + f'    option shop costs 2 chips "Buy."\n{body}')
    assert "  - **Shop (2 chips):** Buy.\n" in told and "Add 149 to your score" not in told


def test_long_turn_uses_the_authors_text() -> None:
    name = "deal-and-then-look-at-what-you-have-got-and-count-all-of-it-out-aloud-number"
    options = "".join(f"    option {name}{number}\n      add {number} to your score\n" for number in range(95))
    told = aid_of(PLAY + options)
    assert "- **Turn:** *Play or rest.*\n" in told and "number94" not in told and len(told.split()) <= 350


def test_aid_omits_the_setup(shipped: dict[str, Game]) -> None:
    assert "Set-up" not in aid_text(shipped["tall_tales"])


def test_aid_names_playable_cards(shipped: dict[str, Game]) -> None:
    assert "Follow suit if you can; otherwise play any card." in aid_text(shipped["whist"])


def test_aid_lists_ranks_and_cards(shipped: dict[str, Game]) -> None:
    assert "5 Pretty Sisters; Heavy Boat, full of Dragons; 4 Shiny Dragons;" in aid_text(shipped["tall_card"])
    told = aid_text(shipped["market_street"])
    assert "- **Forge (price 4):** Draw three cards.\n" in told and "**Effect" not in told


RULES = """# Harvest

## Goal

Reap. <!-- rules: goal -->

## Play

Take [the first turn](#contents).

> A quotation is no example.

<!-- rules: step play -->

## Contents

Some chips.

<!-- rules: contents -->
"""
AID = """
## Player aid

Rest if you can.

### Costs

{spare} chips
"""


def aid_with_rules(folder: Path, rules: str, change: tuple[str, str] = ("", ""), is_read: bool = True) -> str:
    """Write a game with a rules file, mark the file as read, change the game, and return the player aid."""
    path = folder / "harvest.cardgame"
    path.write_text(TABLE + PLAY)
    (folder / "harvest.rules.md").write_text(rules)
    reader = open_rules_file(cardlang.load(path))
    assert reader is not None
    if is_read:
        digests = {state.section.key: state.digests for state in reader.states}
        (folder / "harvest.rules.md").write_text(replace_read_comment(rules, digests))
    path.write_text((TABLE + PLAY).replace(*change))
    return render_markdown(build_player_aid(cardlang.load(path)))


def test_section_player_aid_is_the_aid_and_not_in_the_rulebook(tmp_path: Path) -> None:
    told = aid_with_rules(tmp_path, RULES + AID)
    assert "Rest if you can.\n\n## Costs\n\nThree chips" in told.replace("three", "Three") and "Reap" not in told
    assert "Rest if you can" not in render_markdown(build_rulebook(cardlang.load(tmp_path / "harvest.cardgame")))


def test_changed_rule_replaces_the_authors_aid(tmp_path: Path) -> None:
    told = aid_with_rules(tmp_path, RULES + AID, ("round = 3", "round = 4"))
    assert "Rest if you can" not in told and "four rounds" in told
    codes = [finding.code for finding in check_rules_file(cardlang.load(tmp_path / "harvest.cardgame"))]
    assert codes.count("W450") == 2


def test_unread_aid_is_marked(tmp_path: Path) -> None:
    told = aid_with_rules(tmp_path, RULES + AID, is_read=False)
    assert "**This section has not been compared with the rules yet.**" in told and "Rest if you can" in told


def test_short_rulebook_is_the_aid_without_contents(tmp_path: Path) -> None:
    told = aid_with_rules(tmp_path, RULES)
    assert "## Goal\n\nReap.\n\n## Play\n\nTake the first turn." in told and "Some chips" not in told


def test_long_aid_causes_a_warning(tmp_path: Path) -> None:
    aid_with_rules(tmp_path, RULES + AID + "\nrest" * 350)
    findings = check_rules_file(cardlang.load(tmp_path / "harvest.cardgame"))
    assert "W459" in [finding.code for finding in findings]
