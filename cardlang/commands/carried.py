"""Detection of choices from an earlier round that the rules still read (note N514)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, field

from cardlang import game as g
from cardlang.checks.rounds import gathers
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies, bodies_done, everything, walk
from cardlang.source import Diagnostic, Span

if TYPE_CHECKING:
    from cardlang.commands.trial import Trial

ENOUGH = 20
"""Number of later rounds needed to report that a variable always named the same player."""
OFTEN = 10
"""A note needs at least one stale read in this many reads from the second round on."""


@define
class Looks:
    """Read counts of a value at one place of the rules, from the second round on.

    `old` counts the reads of a value that was chosen in an earlier round.
    """

    times: int = 0
    old: int = 0


@define
class Carried:
    """Detector of stale choices in random matches.

    - `begins`: places where a round begins
    - `named`: slot of each player variable of the table
    - `looks`: read counts by variable and place
    - `rounds`: number of rounds after the first of each match
    - `others`: by variable, number of these rounds in which it named no player, or a different one than in the round
      before
    """

    begins: frozenset[Span]
    named: dict[str, int] = field(factory=dict)
    looks: dict[tuple[str, Span], Looks] = field(factory=dict)
    rounds: int = 0
    others: Counter[str] = field(factory=Counter)
    was: dict[str, int] = field(factory=dict)
    round: int = 0
    chosen: dict[int, int] = field(factory=dict)
    starts: dict[int, int] = field(factory=dict)

    def begin(self) -> None:
        """Reset the detector for a new match."""
        self.round = 0
        self.chosen, self.starts = {}, {}

    def at(self, span: Span, tracks: list[int]) -> None:
        """Note the start of a round if `span` begins one. `tracks` holds all stored values."""
        if span in self.begins:
            self.round += 1
            now = {name: tracks[slot] for name, slot in self.named.items()}
            if self.round > 1:
                self.rounds += 1
                self.others.update(name for name in now if now[name] != self.was[name] or now[name] < 0)
            self.was = now

    def same(self) -> frozenset[str]:
        """Return the variables that named the same player in all rounds, or none if there were too few rounds."""
        return frozenset(self.named.keys() - self.others.keys() if self.rounds >= ENOUGH else ())

    def set(self, slot: int, before: int) -> None:
        """Record a write to a slot. `before` is its old value."""
        self.starts.setdefault(slot, before)
        self.chosen[slot] = self.round

    def look(self, name: str, span: Span, slot: int, value: int) -> None:
        if self.round > 1:
            looks = self.looks.setdefault((name, span), Looks())
            looks.times += 1
            looks.old += self.chosen.get(slot, self.round) < self.round and value != self.starts[slot]


# ---------------------------------------------------------------- rounds and choices
def rounds_of(game: g.Game) -> tuple[g.Repeat, ...]:
    """Return the rounds of a game.

    A round is an outermost loop that gathers all cards or counts its iterations.
    """
    loops = [part for body in bodies(game) for part in walk(body) if isinstance(part, g.Repeat)]
    rounds = [loop for loop in loops if loop.body and is_round(game, loop)]
    inside = {id(part) for loop in rounds for body in bodies_done(game, loop.body) for part in walk(body)}
    return tuple(loop for loop in rounds if id(loop) not in inside)


def is_round(game: g.Game, loop: g.Repeat) -> bool:
    match loop.until:
        case g.Compare(left=g.TrackValue(track=name, of=None)):
            counted = (part for part in loop.body if isinstance(part, g.SetTrack))
            if any(part.track == name and part.operator == "+" for part in counted):
                return True
    parts = (part for body in bodies_done(game, loop.body) for part in walk(body))
    return any(isinstance(part, g.Move) and gathers(part) for part in parts)


def chosen_tracks(game: g.Game) -> frozenset[str]:
    """Return the variables that store players' choices.

    These variables are only assigned, never added to, and have no declared restart.
    """
    set_: dict[str, list[g.SetTrack]] = {}
    for part in everything(game):
        if isinstance(part, g.SetTrack):
            set_.setdefault(part.track, []).append(part)
    chosen = {id(part) for part in picked(game)}
    return frozenset(
        name
        for name, parts in set_.items()
        if not game.tracks[name].restarts
        and all(part.operator == "=" for part in parts)
        and any(id(part) in chosen for part in parts)
    )


def picked(game: g.Game) -> Iterator[g.SetTrack]:
    """Yield assignments of a chosen value, and assignments in the body of an option."""
    names = {part.var.id for part in everything(game) if isinstance(part, g.Choose)}
    for part in everything(game):
        if isinstance(part, g.Option):
            yield from (each for each in part.body if isinstance(each, g.SetTrack))
        elif isinstance(part, g.SetTrack) and isinstance(part.value, g.Var) and part.value.id in names:
            yield part


# ---------------------------------------------------------------- notes
def check_carried(game: g.Game, trials: Iterable[Trial], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each variable that often had a stale value, at the first place where it did."""
    looks: dict[tuple[str, Span], Counter[str]] = {}
    for trial in trials:
        for key, found in trial.looks.items():
            looks.setdefault(key, Counter()).update(times=found.times, old=found.old)
    told: set[str] = set()
    for (name, span), counts in sorted(looks.items(), key=lambda each: each[0][1].start):
        often = counts["old"] and counts["old"] * OFTEN >= counts["times"]
        if often and name not in told and span.source is own_source(game):
            told.add(name)
            where = [part.span for part in picked(game) if part.track == name][:1]
            yield Diagnostic(
                "N514",
                f"`{name}` still had its value from an earlier round here: "
                f"{counts['old']:,} of {counts['times']:,} times from the second round on in {matches}",
                span,
                "reset it at the start of a round, unless it is meant to last",
                tuple((each, "chosen here") for each in where),
                warning=True,
            )
