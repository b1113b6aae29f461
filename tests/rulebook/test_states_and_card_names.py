"""Generated sentences for states, counted loops, named cards and winners with tie-breaks."""

from collections.abc import Callable

import pytest

SheetOf = Callable[[str], str]


@pytest.mark.parametrize(
    ("declaration", "text", "said"),
    [
        ("flag reversed", "set reversed to yes", "The game is now reversed."),
        ("flag hearts-broken", "set hearts-broken to yes", "Hearts are now broken."),
        ("flag your passed", "set your passed to yes", "You have now passed."),
        ('flag your lit called "lantern is lit"', "set your lit to yes", "Your lantern is now lit."),
        (
            "flag reversed",
            "set reversed to deck is empty",
            "If the deck is empty, the game is now reversed; otherwise, the game is no longer reversed.",
        ),
        ("number visits", "reveal top of deck to you", "Look at the top card of the deck."),
        ("number visits", "draw top 1 of deck to your hand", "Draw the top card of the deck."),
    ],
)
def test_changes_of_states(sheet_of: SheetOf, declaration: str, text: str, said: str) -> None:
    assert f"{said}\n" in sheet_of(f"{declaration}\nstep your turn\n  {text}\n")


def test_cases_of_cards_become_a_table_of_their_names(sheet_of: SheetOf) -> None:
    cases = "\n".join(f"  {rank} when value = {rank}" for rank in (9, 8, 7))
    told = sheet_of(f"define card's pips as\n  20 when value = King and suit = Red\n{cases}\n  otherwise 0\n")
    assert "| King of Red | 20 |\n" in told and "| All other cards | 0 |\n" in told


def test_a_condition_names_the_card(sheet_of: SheetOf) -> None:
    told = sheet_of("step your turn\n  if (top of deck)'s value = King\n    shuffle deck\n")
    assert "If the top card of the deck is a King, shuffle the deck.\n" in told


def test_a_counted_loop_is_one_sentence(sheet_of: SheetOf) -> None:
    loop = "step play\n  repeat until visits = 3\n    add 1 to visits\n    do round\nstep round\n  shuffle deck\n"
    told = sheet_of(f'number visits called "visit" plural "visits"\n{loop}  shuffle deck\n  shuffle deck\n')
    assert "Play three rounds.\n" in told and "The game ends after three visits.\n" in told


def test_texts_on_conditions_are_printed_only_if_they_hold_at_any_time(sheet_of: SheetOf) -> None:
    options = (
        '    option rest\n      when deck is empty "The deck is not empty."\n'
        '    option wait\n      when deck is not empty "You can wait only while the deck lasts."\n'
    )
    told = sheet_of(f"step your turn\n  you choose one\n{options}")
    assert "You can wait only while the deck lasts." in told and "The deck is not empty." not in told


def test_tie_breaks_are_part_of_the_goal(sheet_of: SheetOf) -> None:
    told = sheet_of("order standing of player\n  higher score\n  higher chips\n")
    assert "; ties go to the player with the most chips. Tied players share the win.\n" in told
