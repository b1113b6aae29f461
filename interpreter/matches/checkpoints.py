"""Checkpoints of a match, so that undo replays only a few choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, overload

from attrs import frozen

from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.matches.log import Chronicle
    from interpreter.matches.match import Match
    from interpreter.table.story import Story

EVERY = 64
"""Minimum number of choices between two checkpoints."""
MOST = 2
"""Number of checkpoints stored, the newest: enough to go back over the last `EVERY` choices or more."""


@frozen(eq=False)
class Checkpoint:
    """State of a match after `count` choices, with its event logs. It is copied for use and never changed."""

    count: int
    state: State
    chronicle: Chronicle
    stories: Mapping[str | None, Story]

    def copies(self) -> tuple[Chronicle, dict[str | None, Story]]:
        """Return copies of the event logs, for a match that continues here."""
        return self.chronicle.copy(), {viewer: story.copy() for viewer, story in self.stories.items()}


def with_newest(match: Match, before: tuple[Checkpoint, ...]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of a match, with a new one if the last is far back.

    The tables of the match must be up to date.
    """
    count = len(match.choices)
    if count < (before[-1].count if before else 0) + EVERY:
        return before
    here = Checkpoint(count, match.program.clone(match.state), match.chronicle, match.stories)
    return (*before, Checkpoint(count, here.state, *here.copies()))[-MOST:]


def until(checkpoints: tuple[Checkpoint, ...], kept: int) -> tuple[Checkpoint, ...]:
    """Return the checkpoints after at most `kept` choices."""
    return tuple(each for each in checkpoints if each.count <= kept)


def state_after(match: Match, checkpoints: tuple[Checkpoint, ...], kept: int) -> State:
    """Return the state after the first `kept` choices, from the newest checkpoint before it."""
    found = until(checkpoints, kept)
    if not found:
        return match.replayed(match.choices[:kept])
    return match.replayed(match.choices[found[-1].count : kept], match.program.clone(found[-1].state))


def make_tables(match: Match) -> None:
    """Build the event histories of all viewers after a replay, with a checkpoint some choices ago."""
    earlier = match.clone()
    earlier.rewind(max(0, len(match.choices) - EVERY))
    for viewer in (*match.players, None):
        earlier.table(viewer)
    earlier.checkpoints = ()
    earlier.table()  # now it contains all viewers' stories
    match.checkpoints = earlier.checkpoints
    match.rewind(len(match.choices))
    for viewer in (*match.players, None):
        match.table(viewer)


class History(Sequence[State]):
    """States at all decisions so far, and the current state. They are computed from the end backwards, on demand."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.first = len(match.choices)
        self.made = [match.state]
        """States from index `first` on."""

    def __len__(self) -> int:
        return len(self.match.choices) + 1

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> list[State]: ...
    def __getitem__(self, index: int | slice) -> State | list[State]:
        places = range(len(self))[index]
        if isinstance(places, int):
            self.reach(places)
            return self.made[places - self.first]
        self.reach(min(places, default=self.first))
        return [self.made[place - self.first] for place in places]

    def reach(self, place: int) -> None:
        """Compute the states from an index on."""
        match = self.match
        while place < self.first:
            found = until(match.checkpoints, self.first - 1)
            count = found[-1].count if found else 0
            states = [match.program.clone(found[-1].state) if found else match.origin.state()]
            for made in match.choices[count : self.first - 1]:
                states.append(match.replayed([made], match.program.clone(states[-1])))
            self.first, self.made = count, [*states, *self.made]
