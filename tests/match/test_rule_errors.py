"""Failing rules leave the match unchanged."""

from pathlib import Path

import pytest

import cardlang
from cardlang import resume
from cardlang.analysis.simulation import play_match
from interpreter.match.match import start
from interpreter.runtime.errors import RuleError
from tests.game_files import read_game

GAME = read_game("spin")


def test_endless_rule_leaves_the_match_unchanged(tmp_path: Path) -> None:
    match = cardlang.loads(GAME, "spin.cardgame").start(2, 1)
    match.record(tmp_path / "match.record")
    match.choose("stop")
    before = match.clone()
    with pytest.raises(RuleError) as fault:
        match.choose("spin")
    assert fault.value.span.source.get_line(fault.value.span.line).strip() == "repeat until your score > 5"
    assert match == before
    match.choose("stop")
    assert resume(tmp_path / "match.record").choices == match.choices


def test_match_stops_at_the_move_limit() -> None:
    match = cardlang.loads(GAME, "spin.cardgame").start(2, 1)
    match.decision_limit = 10
    for _ in range(10):
        match.choose("stop")
    with pytest.raises(RuleError, match="move limit"):
        match.choose("stop")


LOST = read_game("lost")


def test_failed_expectation_names_the_values() -> None:
    game = cardlang.loads(LOST, "lost.cardgame")
    match = start(game, 2, 1, checking=True)
    match.choose("draw [B B B]")
    with pytest.raises(RuleError) as fault:
        match.choose("draw [B]")
    assert fault.value.span.source.get_line(fault.value.span.line).strip().startswith("expect count of players' hand")
    assert fault.value.message == (
        "Nobody takes all. Expected count of players' hand + count of deck = count of Pack and not (deck is empty), "
        "but found count of players' hand + count of deck = 4, count of Pack = 4, deck is empty = yes."
    )


def test_expectations_are_checked_only_in_checking_matches(tmp_path: Path) -> None:
    """Before, beside and after it: matches of the same game, records, samples and rollouts go on."""
    game = cardlang.loads(LOST, "lost.cardgame")
    before = game.start(2, 1)
    checked = start(game, 2, 1, checking=True)
    for match in (before, game.start(2, 1), checked.sample("Ann", 3)):
        match.choose("draw [B B B]")
        match.choose("draw [B]")
        assert match.over
    before.save(tmp_path / "lost.record")
    assert resume(tmp_path / "lost.record").over
    for match in (checked.clone(), checked):
        match.choose("draw [B B B]")
        for _ in range(2):  # also when it is played again after the first fault
            with pytest.raises(RuleError):
                match.choose("draw [B]")
    assert before.clone() != checked and game.start(2, 1) == start(game, 2, 1, checking=True)


def test_failed_playout_leaves_no_trace() -> None:
    game = cardlang.loads(LOST, "lost.cardgame")
    with pytest.raises(RuleError, match="Nobody takes all"):
        for seed in range(40):
            play_match(game, 2, seed, "random", 100)
    greedy = cardlang.loads(LOST.replace("add 1 / 2 to", "add count of your hand to"), "lost.cardgame")
    with pytest.raises(RuleError, match="Nobody takes all"):
        for seed in range(40):
            play_match(greedy, 2, seed, "rollout", 100)
    match = game.start(2, 1)
    match.choose("draw [B B B]")
    match.choose("draw [B]")
    assert match.over
