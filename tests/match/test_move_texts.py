"""Texts of moves, and accepted alternatives."""

from pathlib import Path
from typing import Any, cast

import pytest

import cardlang
from cardlang.model import Game
from interpreter.match.legal_moves import LegalMoves
from interpreter.match.match import Match
from interpreter.narration.decision_text import number_duplicates
from interpreter.runtime.errors import MoveError
from tests.match.conftest import THIEVES, load, play_decisions


def texts(match: Match) -> list[str]:
    assert match.decision is not None
    return [str(move) for move in match.decision.moves]


def test_option_texts_include_bound_values() -> None:
    assert texts(load("kuhn_poker").start(2, 1)) == ["check", "bet 1"]


def test_length_of_moves_builds_no_texts() -> None:
    decision = load("hearts").start(4, 1).decision
    assert decision is not None
    # Three of thirteen cards, in ascending order: the first cannot be one of the last two.
    assert len(decision.moves) == 11
    assert decision.moves._texts is None


def test_card_moves_are_in_brackets() -> None:
    match = load("hearts").start(4, 1)
    assert all(text.startswith("move [") and text.endswith("]") for text in texts(match))


def test_value_moves_are_plain_values(thieves: Game) -> None:
    assert texts(thieves.start(2, 1)) == ["1", "2", "3"]


def test_unseen_cards_are_positions(thieves: Game) -> None:
    match = thieves.start(2, 1)
    match.choose("1")
    match.choose("1")
    assert texts(match) == ["take #1", "take #2", "take #3", "take #4"]


def test_a_choice_of_several_ends_with_done(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    assert texts(match)[-1] == "done"
    first = texts(match)[0]
    match.choose(first)
    assert match.decision is not None
    assert match.decision.player == "Ann"
    assert first not in texts(match)


def test_several_cards_can_be_chosen_together(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    cards = [text.split()[1].strip("[]") for text in texts(match)[:2]]
    other = match.clone()
    match.choose(f"discard [{cards[1]} {cards[0]}]")
    other.choose(f"discard [{cards[0]}]")
    other.choose(f"discard [{cards[1]}]")
    assert match == other
    assert match.view().zone("loot", "Ann").count == 2


def test_empty_list_means_done(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    match.choose("[]")
    assert match.view().zone("loot", "Ann").count == 0
    assert match.decision is not None
    assert match.decision.player == "Bob"


@pytest.mark.parametrize("typed", ["bet 1", "bet", "1", "BET 1", "  bet   1 "])
def test_typed_aliases_are_accepted(typed: str) -> None:
    match = load("kuhn_poker").start(2, 1)
    match.choose(typed)
    assert any(line.endswith(" bets 1.") for line in match.log)


@pytest.mark.parametrize("typed", ["", "bet 2", "raise 1", "chekc", "[2c]", "99"])
def test_invalid_move_changes_nothing(typed: str) -> None:
    match = load("kuhn_poker").start(2, 1)
    before = match.clone()
    with pytest.raises(MoveError):
        match.choose(typed)
    assert match == before
    assert match.choices == []


@pytest.mark.parametrize("index", [2, 50, -1, -2, -3, 1 << 70])
def test_invalid_index_changes_nothing(index: int) -> None:
    match = load("kuhn_poker").start(2, 1)
    before = match.clone()
    reason = f"There are 2 moves, counted from 0: there is no move {index}."
    assert match.why_not(index) == reason
    with pytest.raises(MoveError, match=reason):
        match.choose(index)
    assert match == before


@pytest.mark.parametrize("move", [None, 1.0, 1.5, True, False, b"check", ["check"], ("check",)])
def test_wrong_type_changes_nothing(move: Any) -> None:
    match = load("kuhn_poker").start(2, 1)
    before = match.clone()
    for give in (match.choose, match.why_not, match.explain_illegal_move):
        with pytest.raises(TypeError, match="A move is its number, its text or the Move itself, not"):
            give(move)
    assert match == before


class Whole:
    """A whole number of another library."""

    def __index__(self) -> int:
        return 1


def test_whole_numbers_of_every_kind_are_numbers() -> None:
    match, other = load("kuhn_poker").start(2, 1), load("kuhn_poker").start(2, 1)
    assert match.why_not(cast(int, Whole())) is None
    match.choose(cast(int, Whole()))
    other.choose("bet 1")
    assert match == other


def get_moves(match: Match) -> LegalMoves:
    assert match.decision is not None
    return match.decision.moves


def test_a_move_belongs_to_its_decision() -> None:
    """The other player is asked the same, and nothing may be decided in their name."""
    match = load("kuhn_poker").start(2, 1)
    check = get_moves(match)[0]
    match.choose(check)
    before = match.clone()
    assert get_moves(match)[0] == check
    assert match.why_not(check) == "check belongs to another decision."
    with pytest.raises(MoveError, match="check belongs to another decision"):
        match.choose(check)
    assert match == before


def test_move_of_another_match_is_rejected() -> None:
    move = get_moves(load("kuhn_poker").start(2, 1))[0]
    for other in (load("kuhn_poker").start(2, 2), load("kuhn_poker").start(["Dan", "Eve"], 1)):
        with pytest.raises(MoveError, match="another decision"):
            other.choose(move)
        assert other.choices == []


def test_move_of_an_undone_choice_is_rejected() -> None:
    match = load("kuhn_poker").start(2, 1)
    first = get_moves(match)[0]
    match.choose(first)
    second = get_moves(match)[0]
    match.undo()
    with pytest.raises(MoveError, match="another decision"):
        match.choose(second)
    match.choose("bet 1")
    with pytest.raises(MoveError, match="another decision"):
        match.choose(second)
    match.undo()
    match.choose(first)
    match.choose(second)
    assert match.over
    with pytest.raises(MoveError, match="over"):
        match.choose(second)


def test_move_is_valid_in_copies_of_its_position(tmp_path: Path) -> None:
    """In a copy, a match resumed, one played anew alike, and what somebody knows of the match, also a copy of that."""
    match = load("crazy_eights").start(3, 4)
    for _ in range(6):
        match.choose(0)
    match.save(tmp_path / "record")
    again = load("crazy_eights").start(3, 4)
    for _ in range(6):
        again.choose(0)
    assert match.decision is not None
    seat = match.decision.seat
    sample = match.sample(seat, 7)
    samples = [sample, sample.clone(), sample.sample(seat, 1)]
    copies = [match.clone(), cardlang.resume(tmp_path / "record"), again, *samples]
    move = get_moves(match)[-1]
    for copy in copies:
        assert copy.why_not(move) is None
        copy.choose(move)
        with pytest.raises(MoveError):
            copy.choose(move)
    match.choose(move)
    assert copies[0] == copies[1] == copies[2] == match


def test_position_move_is_a_position_in_samples(thieves: Game) -> None:
    """Places name cards that differ from sample to sample."""
    match = thieves.start(2, 1)
    match.choose("1")
    match.choose("1")
    move = get_moves(match)[1]
    for seed in range(6):
        sample = match.sample("Ann", seed)
        hand = sample.view("Bob").zone("hand", "Bob").cards
        sample.choose(move)
        assert sample.view("Bob").zone("hand", "Bob").cards == hand[:1] + hand[2:]


@pytest.mark.parametrize("typed", ["[", "]", "][", "[[]]", "[]]", "#[", "[,]", "discard [", "discard", "[] []"])
def test_malformed_brackets_are_not_a_pass(thieves: Game, typed: str) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    before = match.clone()
    with pytest.raises(MoveError):
        match.choose(typed)
    assert match == before


@pytest.mark.parametrize("typed", ["[]", " [ ] ", "discard []", "discard[]", "done"])
def test_empty_brackets_choose_no_cards(thieves: Game, typed: str) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    match.choose(typed)
    assert match.view().asked == "Bob"


def test_misspelled_move_suggests_the_right_one() -> None:
    match = load("kuhn_poker").start(2, 1)
    assert match.why_not("chekc") == "There is no move chekc. Did you mean check?"
    assert match.why_not("check") is None


def test_moves_keep_their_texts_after_the_decision() -> None:
    match = load("hearts").start(4, 2)
    decision = match.decision
    other = load("hearts").start(4, 2).decision
    assert decision is not None
    assert other is not None
    match.choose(0)
    match.choose(0)
    assert [str(move) for move in decision.moves] == [str(move) for move in other.moves]


def test_equal_looking_moves_are_numbered() -> None:
    assert list(number_duplicates(["a", "b", "a", "a"])) == ["a", "b", "a #2", "a #3"]


GAMES = [
    ("kuhn_poker", 2),
    ("hearts", 4),
    ("crazy_eights", 3),
    ("tall_tales", 3),
    ("tall_card", 3),
    ("tail_story", 3),
]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_printed_form_is_unique_and_names_its_move(name: str, players: int) -> None:
    for decisions in (0, 7, 20, 41):
        match = play_decisions(name, players, 5, decisions)
        if match.decision is None:
            continue
        moves = match.decision.moves
        assert len(set(moves.texts)) == len(moves)
        for move in moves:
            assert match.why_not(str(move)) is None
        by_text, by_index = match.clone(), match.clone()
        by_text.choose(str(moves[-1]))
        by_index.choose(len(moves) - 1)
        assert by_text == by_index


def test_empty_brackets_are_rejected_if_a_card_is_required(thieves: Game) -> None:
    """Also where only one could be meant by the verb alone."""
    match = thieves.start(2, 1)
    match.choose("1")
    match.choose("1")
    before = match.clone()
    for typed in ("[]", "take []"):
        with pytest.raises(MoveError):
            match.choose(typed)
    one = cardlang.loads(THIEVES.replace("top 4", "top 1")).start(2, 1)
    one.choose("1")
    one.choose("1")
    with pytest.raises(MoveError):
        one.choose("take []")
    assert match == before
