"""What players chose in one round, and the rules still see in the next."""

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
"""So many rounds are needed to say that somebody is always the same."""
OFTEN = 10
"""Of so many times that a value was looked at from the second round on, it was an old one at least once."""


@define
class Looks:
    """At one place of the rules, from the second round on: how often a value was looked at, and how often what it was
    had been chosen in an earlier round."""

    times: int = 0
    old: int = 0


@define
class Carried:
    """`begins`: the places where a round begins; `named`: where each player of the table is kept; `looks`: by number
    and place; `rounds`: how many were begun after the first of a match, and `others`: by name in how many of them it
    was nobody, or somebody else than in the round before."""

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
        """A match begins."""
        self.round = 0
        self.chosen, self.starts = {}, {}

    def at(self, span: Span, tracks: list[int]) -> None:
        """Play comes to a place, with these values kept."""
        if span in self.begins:
            self.round += 1
            now = {name: tracks[slot] for name, slot in self.named.items()}
            if self.round > 1:
                self.rounds += 1
                self.others.update(name for name in now if now[name] != self.was[name] or now[name] < 0)
            self.was = now

    def same(self) -> frozenset[str]:
        """Who was the same player in all rounds, if there were enough to tell."""
        return frozenset(self.named.keys() - self.others.keys() if self.rounds >= ENOUGH else ())

    def set(self, slot: int, before: int) -> None:
        """A value is set that was another before."""
        self.starts.setdefault(slot, before)
        self.chosen[slot] = self.round

    def look(self, name: str, span: Span, slot: int, value: int) -> None:
        if self.round > 1:
            looks = self.looks.setdefault((name, span), Looks())
            looks.times += 1
            looks.old += self.chosen.get(slot, self.round) < self.round and value != self.starts[slot]


# ---------------------------------------------------------------- what is watched
def rounds_of(game: g.Game) -> tuple[g.Repeat, ...]:
    """The rounds of a game: the outermost loops that gather all cards, or count how often they are gone through."""
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
    """What players choose and the rules note: nothing is ever added to it, and no line says when it begins again."""
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
    """Where something is set to what was chosen, or because of what was chosen."""
    names = {part.var.id for part in everything(game) if isinstance(part, g.Choose)}
    for part in everything(game):
        if isinstance(part, g.Option):
            yield from (each for each in part.body if isinstance(each, g.SetTrack))
        elif isinstance(part, g.SetTrack) and isinstance(part.value, g.Var) and part.value.id in names:
            yield part


# ---------------------------------------------------------------- what is told
def check_carried(game: g.Game, trials: Iterable[Trial], matches: str) -> Iterator[Diagnostic]:
    """A note for each number whose value of an earlier round is looked at, at the first place where it often is."""
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
