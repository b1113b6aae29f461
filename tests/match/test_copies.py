"""Copies, undo and records."""

import json
from pathlib import Path

import pytest

import cardlang
from cardlang import resume
from cardlang.model import Game
from interpreter.match.match import Match
from interpreter.runtime.errors import MoveError, RecordError
from tests.game_files import read_game
from tests.match.conftest import load, play_decisions

GAMES = [("kuhn_poker", 2), ("hearts", 4), ("tall_tales", 3), ("tall_card", 4), ("tail_story", 4)]


@pytest.mark.parametrize(("name", "players"), GAMES)
@pytest.mark.parametrize("decisions", [0, 3, 26])
def test_a_clone_is_equal_and_independent(name: str, players: int, decisions: int) -> None:
    match = play_decisions(name, players, 2, decisions)
    clone = match.clone()
    assert clone == match
    assert hash(clone) == hash(match)
    if match.decision is None:
        return
    clone.choose(0)
    assert clone != match
    match.choose(0)
    assert clone == match
    assert clone.log == match.log


@pytest.mark.slow
@pytest.mark.parametrize(("name", "players"), GAMES)
def test_resumed_record_equals_and_continues_the_match(name: str, players: int, tmp_path: Path) -> None:
    match = play_decisions(name, players, 2, 21)
    match.save(tmp_path / "match.record")
    again = cardlang.resume(tmp_path / "match.record")
    assert again == match
    assert again.players == match.players
    assert list(again.log) == list(match.log)
    assert again.state.z == match.state.z
    assert again.state.rng == match.state.rng


def test_every_choice_is_written_immediately(tmp_path: Path) -> None:
    match = load("hearts").start(4, 1)
    path = tmp_path / "match.record"
    match.record(path)
    for count in range(1, 8):
        match.choose(0)
        assert len(path.read_text(encoding="utf-8").splitlines()) == count + 1
        assert len(resume(path).choices) == count


def test_an_undo_is_recorded(tmp_path: Path) -> None:
    match = load("hearts").start(4, 1)
    path = tmp_path / "match.record"
    match.record(path)
    match.choose(0)
    match.choose(1)
    match.undo()
    assert resume(path).choices == match.choices
    assert len(path.read_text(encoding="utf-8").splitlines()) == 4


@pytest.mark.parametrize("line", [1, 2, 5, 9])
def test_altered_line_is_rejected(line: int, tmp_path: Path) -> None:
    match = play_decisions("hearts", 4, 1, 10)
    path = tmp_path / "match.record"
    match.save(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    entry = json.loads(lines[line - 1])
    entry["seed" if line == 1 else "move"] += 1
    lines[line - 1] = json.dumps(entry) + "\n"
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(RecordError) as fault:
        resume(path)
    assert fault.value.line == line
    if line > 1:
        assert resume(path, until=line - 2).choices == match.choices[: line - 2]


def test_a_missing_line_is_noticed(tmp_path: Path) -> None:
    match = play_decisions("hearts", 4, 1, 10)
    path = tmp_path / "match.record"
    match.save(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    del lines[4]
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(RecordError) as fault:
        resume(path)
    assert fault.value.line == 5


@pytest.mark.parametrize("text", ["", "{}\n", "[" * 5000 + "\n", "null\n", "\x00\n", '{"format": 1}\n'])
def test_invalid_record_is_rejected(text: str, tmp_path: Path) -> None:
    path = tmp_path / "match.record"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError):
        resume(path)


def test_undo_removes_one_pick() -> None:
    match = load("hearts").start(4, 1)
    before = match.clone()
    match.choose(0)
    match.undo()
    assert match == before
    assert match.decision is not None
    # The first of three cards in ascending order.
    assert len(match.decision.moves) == 11


def test_undo_stops_at_another_players_choice(thieves: Game) -> None:
    match = thieves.start(2, 1)
    match.choose("1")
    match.choose("2")
    with pytest.raises(MoveError, match="Bob has moved since then"):
        match.undo("Ann")
    match.undo("Ann", bots=["Bob"])
    assert match.choices == []


def test_undo_stops_after_a_card_is_seen(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(3):
        match.choose(0)
    with pytest.raises(MoveError, match="seen"):
        match.undo()


HEAPS = read_game("heaps")


def play_heaps(bob: str) -> Match:
    """Return a match in which Ann plays a face-up card and Bob does this."""
    match = cardlang.loads(HEAPS).start(["Ann", "Bob"], 4)
    assert isinstance(match, Match)
    match.choose(0)
    match.choose(next(text for text in match.decision.moves.texts if text.startswith(bob)))  # type: ignore[union-attr]
    return match


def test_undo_allows_cards_seen_by_bots_only() -> None:
    """Ann knew the card that she lays; what Bob buries and draws she never sees."""
    match = play_heaps("bury")
    with pytest.raises(MoveError, match="Bob has moved"):
        match.undo("Ann")
    match.undo("Ann", bots=["Bob"])
    assert match.choices == [] and match == cardlang.loads(HEAPS).start(["Ann", "Bob"], 4)


def test_undo_refuses_cards_seen_by_people() -> None:
    with pytest.raises(MoveError, match="seen a new card"):
        play_heaps("lay").undo("Ann", bots=["Bob"])
    with pytest.raises(MoveError, match="seen a new card"):
        play_heaps("bury").undo("Bob", bots=["Ann"])  # Bob has seen what he drew


def test_undo_skips_forced_moves() -> None:
    """Ann first keeps or turns up the top card, and can but go on then. With the card turned up nothing can be taken
    back, and the match stays as it was."""
    step = read_game("keep_or_take")
    game = cardlang.loads(HEAPS[: HEAPS.index("step your turn")] + step.lstrip())
    match = game.start(["Ann", "Bob"], 4)
    match.choose("keep")
    match.choose("go-on")
    assert match.can_undo("Ann", bots=["Bob"], several=True)
    match.undo("Ann", bots=["Bob"], several=True)
    assert match.choices == []
    match.choose("show")
    match.choose("go-on")
    made = list(match.choices)
    assert match.can_undo("Ann", bots=["Bob"]) and not match.can_undo("Ann", bots=["Bob"], several=True)
    with pytest.raises(MoveError, match="seen a new card"):
        match.undo("Ann", bots=["Bob"], several=True)
    assert match.choices == made


def test_nothing_to_undo() -> None:
    with pytest.raises(MoveError, match="nothing to undo"):
        load("hearts").start(4, 1).undo()


def test_sample_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="sampled"):
        load("hearts").start(4, 1).sample("Ann", 1).save(tmp_path / "match.record")
