"""Rankings as tables, or as sentences if there is only one rank."""

from collections.abc import Callable

import pytest

import cardlang
from cardlang.model import Game
from cardlang.model.rank_frequencies import RankFrequencies
from cardlang.rulebook.plan.ranking_sections import format_frequency
from cardlang.rulebook.render import build_generated_rulebook, render_rulebook_markdown
from cardlang.rulebook.render.markdown import render_markdown
from tests.rulebook.conftest import render_generated

SheetOf = Callable[[str], str]
USED = "define your best as {} of hand\nstep your turn\n  if your best > leader's best\n    add 1 to your score\n"


@pytest.mark.parametrize(
    ("name", "head"),
    [("big_two", "Combination"), ("tall_card", "Rank"), ("rummy_500", "Meld"), ("gin_rummy", "Group")],
)
def test_ranking_table_has_its_heading(name: str, head: str, shipped: dict[str, Game]) -> None:
    sheet = build_generated_rulebook(shipped[name])
    assert f"|  | {head} | " in render_markdown(sheet)


def test_example_of_a_ranking_follows_its_table(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """\
ranking Run of all cards "In any order."
  "Run" "Three at least."
    3 or more Pack of consecutive value
step your turn
  if your hand is Run
    add 1 to your score
example "Two are none" with Ann, Bob
  given
    Ann: hand [1r 2b]
  expect Ann's hand is not Run
"""
    )
    assert "| 1 | Run | three or more Pack cards in sequence. Three at least. |\n\n**Two are none.**" in sheet


def test_repeated_groups_are_described_once(sheet_of: SheetOf) -> None:
    ranks = """\
ranking Train of all cards
  "Train"
    2 or more of (2 Pack of one value) together of consecutive value
  "Pair"
    2 Pack of one value
"""
    sheet = sheet_of(ranks + USED.format("Train"))
    assert "| two or more groups, each of two Pack cards of the same value, all in sequence" in sheet


def test_low_members_are_described(sheet_of: SheetOf) -> None:
    ranks = """\
ranking Row of 3 cards
  "Colour"
    3 Pack of one suit and consecutive value
    3 Pack of one suit and consecutive value with King lowest
  "Low"
    3 Pack of consecutive value with King lowest
"""
    sheet = sheet_of(ranks + USED.format("Row"))
    assert "| 1 | Colour | three Pack cards of the same suit in sequence (the King can also be lowest) |" in sheet
    assert "in sequence (King below all others) |" in sheet


@pytest.mark.parametrize(("size", "text"), [("2 cards", "none of the above"), ("all cards", "one Pack card")])
def test_last_rank_of_one_card_is_every_other_hand(size: str, text: str, sheet_of: SheetOf) -> None:
    ranks = f"""\
ranking Best of {size}
  "Pair"
    2 Pack of one value
  "High card"
    1 Pack
"""
    assert f"| 2 | High card | {text} |" in sheet_of(ranks + USED.format("Best"))


def test_tie_breaks_are_described(sheet_of: SheetOf) -> None:
    ranks = (
        'ranking Sort of 3 cards\n  "Pair"\n    2 Pack of one value\n  "Any"\n    1 Pack\n  ties\n'
        "    higher used's value, groups first\n    lower rest's value, highest first\n"
    )
    sheet = sheet_of(ranks + USED.format("Sort"))
    assert (
        """\
### Between two of the same sort

The first of these that makes a difference decides:

1. Compare the values of the cards used, those of the largest group first: the higher comes first.
2. Compare the values of the cards left over, one by one, from the highest down: the lower comes first.
"""
    ) in sheet


def test_all_cards_rankings_say_so(shipped: dict[str, Game]) -> None:
    assert "Every card must be used." in render_generated(shipped["big_two"])


def test_layoffs_are_described(shipped: dict[str, Game]) -> None:
    assert (
        "total pips of the cards left over in the best layout in your hand, where cards may also be added "
        "to the Sets and Runs of the knocker's melds"
    ) in render_markdown(build_generated_rulebook(shipped["gin_rummy"]))


def test_impossible_sample_is_omitted() -> None:
    """Two of each card make `4d 4d 4p 4p`; the expanded deck has one of each, so its sheet shows no such hand."""
    said = "4 of Diamond, 4 of Diamond, 4 of Plum, 4 of Plum"
    sheets = [render_rulebook_markdown(cardlang.load("tall_card", variant)) for variant in (None, "Expanded deck")]
    assert [said in sheet for sheet in sheets] == [True, False]


def test_equal_groups_are_merged(sheet_of: SheetOf) -> None:
    ranks = (
        'ranking Row of 4 cards\n  "High"\n    3 Pack of one suit and consecutive value where value >= 2\n'
        '  "Twins"\n    2 Pack of one value and one suit plus 2 Pack of one value and one suit\n'
    )
    sheet = sheet_of(ranks + USED.format("Row"))
    assert "of the same suit in sequence |" in sheet and "in sequence whose" not in sheet
    assert "two different pairs, each of two Pack cards of the same value and suit |" in sheet


def test_shared_traits_are_described(sheet_of: SheetOf) -> None:
    run = "2 Pack of one suit and consecutive value"
    ranks = (
        f'ranking Row of 4 cards\n  "Apart"\n    {run} plus {run} together of distinct suit\n'
        f'  "Runs"\n    {run} plus {run}\n'
        '  "Steps"\n    2 Pack of one value plus 2 Pack of one value together of consecutive value\n'
        '  "Pairs"\n    2 Pack of one value plus 2 Pack of one value\n'
    )
    sheet = sheet_of(ranks + USED.format("Row"))
    two = "wo Pack cards of the same suit in sequence plus two Pack cards of {} and in sequence"
    assert f"{two.format('another suit')} |" in sheet
    assert f"{two.format('one suit (perhaps the same)')} |" in sheet
    pairs = "wo Pack cards of the same value plus two Pack cards of another value"
    assert f"{pairs}, all in sequence (a group of one value counts once) |" in sheet
    assert f"{pairs} |" in sheet


@pytest.mark.parametrize(("hands", "text"), [(2, "1 in 2"), (2.36, "1 in 2.4"), (12.4, "1 in 12"), (0, "never")])
def test_frequencies_have_no_useless_digits(hands: float, text: str) -> None:
    assert format_frequency("Pair", RankFrequencies(int(hands * 100), {"Pair": 100 if hands else 0})) == text
