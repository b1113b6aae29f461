"""Lint rules for choices left over from earlier rounds, and for a fixed start player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, field

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.playtest.playtest_findings import ReadCounts
from cardlang.lint.static.execution_order import get_own_source
from cardlang.lint.static.infinite_loops import walk_with_definitions
from cardlang.model.effects import find_effects, iter_track_changes, iter_transfers
from cardlang.model.traversal import collect_all_nodes, iter_bodies, iter_reachable_bodies, walk

if TYPE_CHECKING:
    from cardlang.lint.playtest.playtest_findings import PlaytestResult


MIN_LATER_ROUNDS = 20
"""Number of later rounds needed to report that a variable always named the same player."""
READS_PER_STALE_READ = 10
"""A note needs at least one stale read in this many reads from the second round on."""


@define
class StaleChoiceDetector:
    """Detector of stale choices in random matches.

    - `round_starts`: places where a round begins
    - `player_slots`: slot of each player variable of the table
    - `read_counts`: read counts by variable and place
    - `later_rounds`: number of rounds after the first of each match
    - `change_counts`: by variable, number of these rounds in which it named no player, or a different one than in the
      round before
    """

    round_starts: frozenset[Span]
    player_slots: dict[str, int] = field(factory=dict)
    read_counts: dict[tuple[str, Span], ReadCounts] = field(factory=dict)
    later_rounds: int = 0
    change_counts: Counter[str] = field(factory=Counter)
    previous_values: dict[str, int] = field(factory=dict)
    current_round: int = 0
    write_rounds: dict[int, int] = field(factory=dict)
    initial_values: dict[int, int] = field(factory=dict)

    def reset(self) -> None:
        """Reset the detector for a new match."""
        self.current_round = 0
        self.write_rounds, self.initial_values = {}, {}

    def observe_statement(self, span: Span, tracks: list[int]) -> None:
        """Note the start of a round if `span` begins one. `tracks` holds all stored values."""
        if span in self.round_starts:
            self.current_round += 1
            now = {name: tracks[slot] for name, slot in self.player_slots.items()}
            if self.current_round > 1:
                self.later_rounds += 1
                self.change_counts.update(
                    name for name in now if now[name] != self.previous_values[name] or now[name] < 0
                )
            self.previous_values = now

    def find_constant_variables(self) -> frozenset[str]:
        """Return the variables that named the same player in all rounds, or none if there were too few rounds."""
        return frozenset(
            self.player_slots.keys() - self.change_counts.keys() if self.later_rounds >= MIN_LATER_ROUNDS else ()
        )

    def record_write(self, slot: int, old_value: int) -> None:
        """Record a write to a slot. `old_value` is its old value."""
        self.initial_values.setdefault(slot, old_value)
        self.write_rounds[slot] = self.current_round

    def record_read(self, name: str, span: Span, slot: int, value: int) -> None:
        if self.current_round > 1:
            looks = self.read_counts.setdefault((name, span), ReadCounts())
            looks.total += 1
            looks.stale += (
                self.write_rounds.get(slot, self.current_round) < self.current_round
                and value != self.initial_values[slot]
            )


# ---------------------------------------------------------------- rounds and choices
def find_rounds(game: g.Game) -> tuple[g.Repeat, ...]:
    """Return the rounds of a game.

    A round is an outermost loop that gathers all cards or counts its iterations.
    """
    loops = [part for body in iter_bodies(game) for part in walk(body) if isinstance(part, g.Repeat)]
    rounds = [loop for loop in loops if loop.body and is_round_loop(game, loop)]
    inside = {id(part) for loop in rounds for body in iter_reachable_bodies(game, loop.body) for part in walk(body)}
    return tuple(loop for loop in rounds if id(loop) not in inside)


def is_round_loop(game: g.Game, loop: g.Repeat) -> bool:
    match loop.until:
        case g.Compare(left=g.TrackValue(track=name, of=None)):
            if any(change.track == name and change.operator == "+" for change in iter_track_changes(loop.body)):
                return True
    parts = (part for body in iter_reachable_bodies(game, loop.body) for part in walk(body))
    return any(transfer.gathers_sets for transfer in iter_transfers(parts))


def find_choice_variables(game: g.Game) -> frozenset[str]:
    """Return the variables that store players' choices.

    These variables are only assigned, never added to, and have no declared restart.
    """
    set_: dict[str, list[g.SetTrack]] = {}
    for change in iter_track_changes(collect_all_nodes(game)):
        set_.setdefault(change.track, []).append(change)
    chosen = {id(part) for part in find_choice_assignments(game)}
    return frozenset(
        name
        for name, parts in set_.items()
        if not game.tracks[name].restarts
        and all(part.operator == "=" for part in parts)
        and any(id(part) in chosen for part in parts)
    )


def find_choice_assignments(game: g.Game) -> Iterator[g.SetTrack]:
    """Yield assignments of a chosen value, and assignments in the body of an option."""
    names = {part.var.id for part in collect_all_nodes(game) if isinstance(part, g.Choose)}
    for part in collect_all_nodes(game):
        if isinstance(part, g.Option):
            yield from iter_track_changes(part.body)
        for change in find_effects(part).track_changes:
            if isinstance(change.value, g.Var) and change.value.id in names:
                yield change


# ---------------------------------------------------------------- notes
def check_stale_choices(game: g.Game, results: Iterable[PlaytestResult], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each variable that often had a stale value, at the first place where it did."""
    looks: dict[tuple[str, Span], Counter[str]] = {}
    for trial in results:
        for key, found in trial.read_counts.items():
            looks.setdefault(key, Counter()).update(times=found.total, old=found.stale)
    told: set[str] = set()
    for (name, span), counts in sorted(looks.items(), key=lambda each: each[0][1].start):
        often = counts["old"] and counts["old"] * READS_PER_STALE_READ >= counts["times"]
        if often and name not in told and span.source is get_own_source(game):
            told.add(name)
            where = [part.span for part in find_choice_assignments(game) if part.track == name][:1]
            yield Diagnostic(
                "N514",
                f"`{name}` still had its value from an earlier round here: "
                f"{counts['old']:,} of {counts['times']:,} times from the second round on in {matches}",
                span,
                "reset it at the start of a round, unless it is meant to last",
                tuple((each, "chosen here") for each in where),
                warning=True,
            )


# ---------------------------------------------------------------- fixed start player
def check_fixed_start_player(
    game: g.Game, rounds: tuple[g.Repeat, ...], constant_tracks: Collection[str]
) -> Iterator[Diagnostic]:
    """Report each global player variable that turns start from in every round, and that was constant in all rounds.

    `rounds` are the loops of rounds. `constant_tracks` has the names of variables that stayed constant in a match."""
    for name, track in game.tracks.items():
        if name in constant_tracks and track.origin.name.source is get_own_source(game):
            begun = next((part for loop in rounds for part in find_turns_from_player(game, loop, name)), None)
            if begun is not None:
                yield Diagnostic(
                    "N515",
                    f"`{name}` is the same player in every round, and turns start there",
                    track.origin.name,
                    f"to change the player, write `set {name} to {name}'s left` at the end of a round",
                    ((begun.span, "here"),),
                    warning=True,
                )


def find_turns_from_player(game: g.Game, loop: g.Repeat, name: str) -> Iterator[g.Stmt]:
    """Yield the statements of a loop in which turns start from a player, or from a player derived from them."""
    for part in (part for body in iter_reachable_bodies(game, loop.body) for part in walk(body)):
        start = None
        if isinstance(part, g.Each | g.Offer):
            start = part.start
        elif isinstance(part, g.SetTrack) and part.value.type.tag == "player":
            start = part.value
        parts = walk_with_definitions(game, start) if start is not None else ()
        if isinstance(part, g.Stmt) and any(isinstance(each, g.TrackValue) and each.track == name for each in parts):
            yield part
