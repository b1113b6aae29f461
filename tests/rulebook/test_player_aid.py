"""Player aids: complete, on one page."""

from __future__ import annotations

import cardlang
from cardlang.model import Game
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


def aid_of(text: str) -> str:
    return without_links(render_markdown(build_player_aid(build_rulebook(cardlang.loads(TABLE + text)))))


def test_an_aid_tells_instructions_with_what_they_depend_on() -> None:
    """Each lead with its body, each option once, and the words of the author only where they stand for something."""
    told = aid_of(PLAY)
    assert (
        "- **The game:**\n"
        "  1. Repeat until the round is three:\n"
        "     1. Add one to the round.\n"
        "     2. Each player in turn: “Turn”.\n"
        "- **Turn:** *Play or rest.*\n"
        "  1. If your hand is not empty:\n"
        "     1. Shuffle the deck.\n"
        "     2. Play one of your playable cards to the table.\n"
        "  2. Choose one of these:\n"
        "     - **Rest:** Costs one chip. *Nothing to do.*\n"
        "     - **Knock:**\n"
        "       1. You become the leader.\n"
        "       2. Add one to your score.\n"
    ) in told


def test_an_aid_explains_the_words_that_it_uses() -> None:
    told = aid_of(PLAY)
    assert "- **Your playable cards:** The first of these that is possible:\n" in told
    assert "*Follow suit if you can.*\n" in told and "Spare" not in told


def test_what_does_not_fit_on_a_page_is_told_in_the_words_of_the_author() -> None:
    """First the options of the longest step, then the step; what has no such words, stays."""
    name = "deal-and-then-look-at-what-you-have-got-and-count-all-of-it-out-aloud-number"
    long = "".join(f"    option {name}{number}\n      add {number} to your score\n" for number in range(95))
    assert "- **Rest:** Costs one chip." not in aid_of(PLAY + long)
    told = aid_of(PLAY + long)
    assert "- **Turn:** *Play or rest.*\n  - **Rest:** *Nothing to do.*\n  - **Knock:**\n" in told
    assert "Shuffle the deck" not in told and "number94:** Add 94 to your score.\n" in told


def test_an_option_loses_first_what_is_done_in_it() -> None:
    """What it costs and when it is open stays as long as there is room for that."""
    body = "".join(f"      add {number} to your score\n" for number in range(150))
    told = aid_of(PLAY + f'    option shop costs 2 chips "Buy."\n{body}')
    assert "     - **Shop:** Costs two chips. *Buy.*\n" in told and "Add 149 to your score" not in told
    assert "1. If your hand is not empty:\n" in told


def test_an_aid_tells_what_one_looks_up_in_play(shipped: dict[str, Game]) -> None:
    """Not how to set up; and what is done one after the other, a line each."""
    told = without_links(render_markdown(build_player_aid(build_rulebook(shipped["tall_tales"]))))
    assert "Set-up" not in told and "Keep track" not in told and "\n  1. After round 2, everybody scores" in told


def test_the_aid_of_a_trick_game_says_what_may_be_played(shipped: dict[str, Game]) -> None:
    told = without_links(render_markdown(build_player_aid(build_rulebook(shipped["whist"]))))
    assert "*Follow suit if you can.*" in told
    told = without_links(render_markdown(build_player_aid(build_rulebook(shipped["hearts"]))))
    assert "Hearts may be led only after one was taken" in told


def test_reactions_stand_under_the_title_that_the_sheet_refers_to(shipped: dict[str, Game]) -> None:
    titles = [section.title for section in build_player_aid(build_rulebook(shipped["tail_story"])).sections]
    assert titles == ["Course of the game", "Reactions", "The cards"]


def test_an_aid_leaves_paragraphs_under_a_heading_to_the_sheet(shipped: dict[str, Game]) -> None:
    """Those that list something stay."""
    told = render_markdown(build_player_aid(build_rulebook(shipped["tall_card"])))
    assert "If you run out of credits" not in told and "Which cards make the Rank" not in told
    assert "**Only if somebody is all-in:**" in told and "### Between two hands of the same Rank\n" in told
