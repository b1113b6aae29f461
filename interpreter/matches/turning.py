"""Collect the views while cards are revealed one after another between two decisions, for animation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from interpreter.matches.coming import running
from interpreter.matches.events import EventView, Line
from interpreter.matches.names import Names
from interpreter.matches.shown import Look
from interpreter.matches.view import View, make_view, seen
from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.matches.match import Match
    from interpreter.program import Program

BY_CHANCE = ("turn", "deal")
"""Verbs of moves without an acting player."""
SILENT = "learnt"
"""Kind of event that is not a happening: a player learns something."""


@frozen
class Turn:
    """Reveal of cards.

    - `by_chance`: some of them were dealt or turned up and had been unknown to all players.
    - `state`: the state just after it.
    - `happened`: number of happenings of the same choice until then.
    """

    happened: int
    event: tuple[Any, ...]
    by_chance: bool
    state: State


class Watched(list[tuple[Any, ...]]):
    """Events of one choice, with a copy of the state at each public reveal of cards."""

    def __init__(self, program: Program, state: State) -> None:
        super().__init__()
        self.program, self.state = program, state
        sees, loc = program.layout.sees, state.loc
        self.unseen = {
            card for card, known in enumerate(state.known) if not (known | (sees[loc[card]] if loc[card] >= 0 else 0))
        }
        self.turns: list[Turn] = []

    def append(self, event: tuple[Any, ...]) -> None:
        super().append(event)
        if self.comes_up(event):
            happened = sum(each[0] != SILENT for each in self)
            last = self.turns[-1] if self.turns else None
            by_chance = event[0] == "moved" and event[2] in BY_CHANCE and not self.unseen.isdisjoint(event[3])
            if last is not None and self.goes_with(last.event):
                by_chance = by_chance or last.by_chance
                self.turns.pop()
            self.turns.append(Turn(happened, event, by_chance, self.program.clone(self.state)))

    def comes_up(self, event: tuple[Any, ...]) -> bool:
        """Return whether an event makes cards public that were not."""
        layout = self.program.layout
        if event[0] == "revealed":
            return bool(event[5] == layout.everyone)
        if event[0] != "moved":
            return False
        onlooker = 1 << self.program.players
        closed = any(source < 0 or not layout.sees[source] & onlooker for source in event[4])
        return closed and all(seen & onlooker for seen in event[6])

    def goes_with(self, before: tuple[Any, ...]) -> bool:
        """Return whether a rule reveals cards for one player after another: the newest and those in `before`."""
        kind, span = self[-1][:2]
        return bool(kind == before[0] and (kind == "revealed" or (span == before[1] and self[-2:-1] == [before])))


def views_between(match: Match, seat: int) -> tuple[tuple[bool, View], ...]:
    """Return the views of a seat at each reveal during the last choice, each with a flag for random cards.

    It is empty unless there were at least two reveals, one of them random.
    """
    chronicle = match.chronicle
    chronicle.catch_up(match.choices)
    turns = chronicle.turns
    if len(turns) < 2 or not any(turn.by_chance for turn in turns):
        return ()
    names, now = match.names, make_view(match, seat)
    going = [running(names, turn.state) for turn in turns]
    steps = tuple(name for name in going[0] if all(name in each for each in going))
    return tuple(
        (turn.by_chance, evolve(between(names, now, seat, turn.state, chronicle.heard_with(turn, seat)), steps=steps))
        for turn in turns
    )


def between(names: Names, now: View, seat: int, state: State, events: Sequence[EventView]) -> View:
    """Return the view of a seat in the middle of a choice.

    `now`: the view after the choice. `events`: events of the choice so far.
    """
    made = now.events[-1].at
    happened = (*(event for event in now.events if event.at < made), *events)
    return evolve(
        now,
        **seen(names, state, Look(names, state), seat),
        asked=None,
        log=tuple(Line.of(event.text, event.span) for event in happened if event.text),
        events=happened,
        prompt="",
        moves=(),
        asking=None,
        scores=None,
        places=None,
        over=False,
        winners=(),
    )
