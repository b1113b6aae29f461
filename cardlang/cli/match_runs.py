"""Runs of many matches between bots, split into pieces for `cardlang.cli.parallel_jobs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import ClassVar

from attrs import evolve, frozen

from cardlang.analysis.balance import paired_comparison
from cardlang.analysis.balance.match_stats import (
    MatchStats,
    RecordingProgram,
    SeatRotation,
    is_cost_sampled_match,
    record_match,
)
from cardlang.analysis.balance.match_totals import TOTAL_TABLES, MatchTotals, add_match
from cardlang.cli.parallel_jobs import ExecutorFactory, GameKey, Progress, load_cached_game, map_in_order, show_progress
from interpreter.native.background_engine_builds import get_failure_reason, wait_for_engine

PIECE_SIZE = 20
"""Matches of random bots in a piece. With other bots, a piece is one match."""
MIN_ENDLESS_MATCHES = 25
"""No more matches are played if this many matches all hit the move limit."""


class MissingEngineError(RuntimeError):
    """Error of a worker process that has no native engine."""


@frozen
class MatchRun:
    """Matches to watch, as plain values that can be sent to other processes.

    `seating` has a name and a type of bot for each player. `first` and `stop` are match numbers from 0; match n has the
    seed `seed` + n. With `native`, bots search on the native engine, which gives different results.
    """

    game_key: GameKey
    seating: tuple[tuple[str, str], ...]
    seed: int
    cap: int
    first: int
    stop: int
    native: bool

    tables: ClassVar[Sequence[str]] = TOTAL_TABLES

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(bot for _, bot in self.seating)

    def create_totals(self) -> MatchTotals:
        return MatchTotals.create_empty(self.tables)

    def split(self) -> Iterator[MatchRun]:
        size = PIECE_SIZE if set(self.bots) == {"random"} else 1
        for first in range(self.first, self.stop, size):
            yield evolve(self, first=first, stop=min(first + size, self.stop))

    def play(self) -> MatchTotals:
        """Play the matches in this process. Raise `RuleError`."""
        totals = self.create_totals()
        for number in range(self.first, self.stop):
            self.play_and_add(totals, number)
        return totals

    def play_and_add(self, totals: MatchTotals, number: int) -> None:
        add_match(totals, self.record_match(number, self.game_key, is_cost_sampled_match(number)))

    def record_match(self, number: int, key: GameKey, measures_cost: bool) -> MatchStats:
        program = compile_recording_program(key, len(self.seating))
        if self.native and wait_for_engine(program) is None:
            raise MissingEngineError(
                f"bots use the native engine here, and a worker has none: {get_failure_reason(program)}"
            )
        return record_match(
            program, SeatRotation(self.bots), number, self.seed + number, self.cap, measures_cost, self.native
        )


@frozen
class PairRun(MatchRun):
    """Pairs of matches of two games, both with the same seed."""

    other_key: GameKey

    tables: ClassVar[Sequence[str]] = paired_comparison.PAIR_TABLES

    def play_and_add(self, totals: MatchTotals, number: int) -> None:
        first = self.record_match(number, self.game_key, False)
        paired_comparison.add_pair(totals, first, self.record_match(number, self.other_key, False))


@cache
def compile_recording_program(key: GameKey, players: int) -> RecordingProgram:
    """Return the instrumented program of a game, compiled once in each process."""
    return RecordingProgram(load_cached_game(key), players)


def play_piece(piece: MatchRun) -> MatchTotals:
    """Play the matches of a piece in this process. Raise `RuleError`."""
    return piece.play()


def play_runs(
    runs: Sequence[MatchRun],
    totals: list[MatchTotals],
    open_executor: ExecutorFactory,
    save: Callable[[], None] = lambda: None,
) -> bool:
    """Play the missing matches of each run and add them to its totals.

    Totals cover matches from the first on. A run stops early if all its matches hit the move limit. `save` is called
    after each piece. Return False if the user pressed Ctrl-C. Raise `RuleError`, or `ClickException` if workers are
    killed repeatedly.
    """
    players = f" of {len(runs[0].seating)} players" if len(runs) == 1 else ""
    try:
        with show_progress() as show, open_executor() as executor:
            done = sum(total.match_count for total in totals)
            progress = Progress(sum(run.stop for run in runs), f"matches{players}", show, done)
            for at, run in enumerate(runs):
                if is_finished(run, totals[at]):
                    continue
                rest = evolve(run, first=totals[at].match_count)
                for part in map_in_order(executor, play_piece, rest.split()):
                    totals[at] = totals[at].combine_with(part)
                    progress.advance(part.match_count)
                    save()
                    if is_finished(run, totals[at]):
                        break
    except KeyboardInterrupt:
        return False
    return True


def is_finished(run: MatchRun, total: MatchTotals) -> bool:
    """Return whether all matches of a run were played, or enough to see that none ends before the move limit."""
    return total.match_count >= run.stop or total.match_count == total.matches_at_move_limit >= MIN_ENDLESS_MATCHES
