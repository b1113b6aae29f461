"""Goal of the game, and order of turns."""

from collections.abc import Callable

import pytest

import cardlang
from cardlang.model import Game
from cardlang.rulebook.render import build_generated_rulebook, render_rulebook_markdown
from cardlang.rulebook.render.markdown import render_markdown

SheetOf = Callable[[str], str]
TEAMS = """kind Side: North called "North", South called "South"
number Side's gold called "nugget" plural "nuggets"
define your side as
  North when seat in (1, 3)
  otherwise South
define your score as side's gold
"""


def aim(sheet: str) -> str:
    return sheet.partition("## Goal\n\n")[2].partition("\n\n## ")[0]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hearts", "The player with the lowest score wins. Tied players share the win."),
        ("gin_rummy", "The player with the highest score wins. Tied players share the win."),
        ("kuhn_poker", "The player with the most chips wins. Tied players share the win."),
        ("schnapsen", "The player with the most game points wins. Tied players share the win."),
        ("big_two", "The player with the fewest penalty points wins. Tied players share the win."),
        ("whist", "The team with the most points wins. Tied teams share the win."),
        ("fireworks", "You win if there are any fuses and your score is at least 15."),
        ("court", "Each player with cards in their hand wins."),
    ],
)
def test_goal_names_the_winner(name: str, said: str, shipped: dict[str, Game]) -> None:
    told = aim(render_markdown(build_generated_rulebook(shipped[name])))
    assert told.partition("\n")[0].endswith(said)
    assert "Standing" not in told


def test_goal_names_the_winning_team() -> None:
    sheet = render_rulebook_markdown(
        cardlang.loads(f'game "Sides" for 4 players\n{TEAMS}step play\n  add 1 to North\'s gold\n')
    )
    assert "The team with" not in sheet
    assert "The side with the most nuggets wins. Tied sides share the win." in sheet
    assert "**Score:**" not in sheet


def test_goal_names_the_fewest_cards() -> None:
    order = 'order standing of player "Be quick."\n  lower count of hand "However good they are."\n'
    cards = "kind Hue: Red\ncards Pack in deck\n  9 of each Hue\nzone deck\nzone your hand\n"
    told = aim(
        render_rulebook_markdown(cardlang.loads(f'game "Few" for 2 players\n{cards}{order}step play\n  shuffle deck\n'))
    )
    assert told == (
        "The player with the fewest cards in their hand wins. Tied players share the win. "
        "*Be quick. However good they are.*"
    )


def test_used_standing_is_printed(sheet_of: SheetOf) -> None:
    order = "order standing of player\n  lower score\n"
    used = "step your turn\n  set leader to highest of players by standing\n"
    assert "Standing of players" in sheet_of(order + used)
    assert "Standing of players" not in sheet_of(order)


# ---------------------------------------------------------------- turns
FIRST = "- Choose a first player for the whole game, who begins if the rules name no other\n"


@pytest.mark.parametrize(
    ("step", "needed"),
    [
        ("each player\n    do your turn", False),
        ("each player\n    you play 1 from your hand to table", True),
        ("each player\n    do your choice", True),
        ("each player from leader\n    do your choice", False),
        ("each player in leader's others\n    do your choice", False),
        ("each player in players ranked by chips\n    do your choice", False),
        ("together each player\n    you play 1 from your hand to table", False),
        ("each player may choose one, until one does\n    option bid\n      set leader to you", True),
    ],
)
def test_first_player_is_named_if_it_matters(step: str, needed: bool, sheet_of: SheetOf) -> None:
    choice = "step your choice\n  you play 1 from your hand to table\n"
    sheet = sheet_of(f"{choice}step play\n  {step}\n  do leader's choice\n  do leader's turn\n")
    assert "- Play goes clockwise\n" in sheet
    assert (FIRST in sheet) == needed


def test_drawn_turn_order_is_named(sheet_of: SheetOf) -> None:
    drawn = sheet_of("step setup\n  shuffle players\n")
    assert "- Turns: in the order drawn in the set-up\n" in drawn
    asked = "step your turn\n  you play 1 from your hand to table\nstep setup\n  shuffle players\n"
    assert "- Turns: in the order drawn in the set-up; if no player is named to begin, the first in it does\n" in (
        sheet_of(asked)
    )


def test_two_player_games_name_no_direction(shipped: dict[str, Game]) -> None:
    assert "clockwise" not in render_rulebook_markdown(shipped["gin_rummy"]).partition("## Contents")[0]


def test_winners_with_an_extreme_number_are_named_by_it(sheet_of: SheetOf) -> None:
    sheet = sheet_of("define winners as players where score = lowest of players' score\n")
    assert "The player with the lowest score wins. Tied players share the win." in sheet


def test_end_of_a_counted_loop_names_its_number(sheet_of: SheetOf) -> None:
    counter = 'number nights called "night" plural "nights"\n'
    sheet = sheet_of(f"{counter}step play\n  repeat until nights = 3\n    add 1 to nights\n    each player\n"
                     "      add 1 to your score\n")  # fmt: skip
    assert "The game ends after three nights." in sheet
