"""Checkpoints of a match, from which undo replays only a few choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, overload

from attrs import frozen

from interpreter.match.event_log import EventLog
from interpreter.match.match_interface import MatchInterface
from interpreter.runtime.state import State
from interpreter.view.recent_results import ViewerHistory

CHECKPOINT_INTERVAL = 64
"""Minimum number of choices between two checkpoints."""
MAX_CHECKPOINTS = 2
"""Number of checkpoints stored, the newest: enough to go back over the last `CHECKPOINT_INTERVAL` choices or more."""


@frozen(eq=False)
class Checkpoint:
    """State of a match after `count` choices, with its event logs. It is copied for use and never changed."""

    count: int
    state: State
    event_log: EventLog
    viewer_histories: Mapping[str | None, ViewerHistory]

    def copy_logs(self) -> tuple[EventLog, dict[str | None, ViewerHistory]]:
        """Return copies of the event logs, for a match that continues here."""
        return self.event_log.copy(), {viewer: history.copy() for viewer, history in self.viewer_histories.items()}


class CheckpointedMatch(MatchInterface, Protocol):
    """Match with its checkpoints and event logs."""

    checkpoints: tuple[Checkpoint, ...]
    viewer_histories: dict[str | None, ViewerHistory]

    @property
    def event_log(self) -> EventLog: ...

    def clone(self) -> CheckpointedMatch: ...
    def rewind_to(self, choice_count: int) -> None: ...
    def table(self, player: int | str | None = None) -> object: ...


def add_checkpoint(match: CheckpointedMatch, checkpoints: tuple[Checkpoint, ...]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of a match, with a new one if the last is far back.

    The tables of the match must be up to date.
    """
    count = len(match.choices)
    if count < (checkpoints[-1].count if checkpoints else 0) + CHECKPOINT_INTERVAL:
        return checkpoints
    current = Checkpoint(count, match.program.clone(match.state), match.event_log, match.viewer_histories)
    return (*checkpoints, Checkpoint(count, current.state, *current.copy_logs()))[-MAX_CHECKPOINTS:]


def keep_checkpoints_until(checkpoints: tuple[Checkpoint, ...], choice_count: int) -> tuple[Checkpoint, ...]:
    """Return the checkpoints after at most `choice_count` choices."""
    return tuple(checkpoint for checkpoint in checkpoints if checkpoint.count <= choice_count)


def rebuild_state_after(match: CheckpointedMatch, checkpoints: tuple[Checkpoint, ...], choice_count: int) -> State:
    """Return the state after the first `choice_count` choices, from the newest checkpoint before it."""
    usable = keep_checkpoints_until(checkpoints, choice_count)
    if not usable:
        return match.replay_choices(match.choices[:choice_count])
    return match.replay_choices(match.choices[usable[-1].count : choice_count], match.program.clone(usable[-1].state))


def rebuild_viewer_histories(match: CheckpointedMatch) -> None:
    """Build the event histories of all viewers after a replay, with a checkpoint some choices ago."""
    earlier = match.clone()
    earlier.rewind_to(max(0, len(match.choices) - CHECKPOINT_INTERVAL))
    for viewer in (*match.players, None):
        earlier.table(viewer)
    earlier.checkpoints = ()
    earlier.table()  # now it contains all viewers' stories
    match.checkpoints = earlier.checkpoints
    match.rewind_to(len(match.choices))
    for viewer in (*match.players, None):
        match.table(viewer)


class StateHistory(Sequence[State]):
    """States at all decisions so far, and the current state. They are computed from the end backwards, on demand."""

    def __init__(self, match: CheckpointedMatch) -> None:
        self.match = match
        self.first = len(match.choices)
        self.states = [match.state]
        """States from index `first` on."""

    def __len__(self) -> int:
        return len(self.match.choices) + 1

    @overload
    def __getitem__(self, index: int) -> State: ...
    @overload
    def __getitem__(self, index: slice) -> list[State]: ...
    def __getitem__(self, index: int | slice) -> State | list[State]:
        positions = range(len(self))[index]
        if isinstance(positions, int):
            self.compute_states_from(positions)
            return self.states[positions - self.first]
        self.compute_states_from(min(positions, default=self.first))
        return [self.states[position - self.first] for position in positions]

    def compute_states_from(self, index: int) -> None:
        """Compute the states from an index on."""
        match = self.match
        while index < self.first:
            usable = keep_checkpoints_until(match.checkpoints, self.first - 1)
            count = usable[-1].count if usable else 0
            states = [match.program.clone(usable[-1].state) if usable else match.origin.build_first_state()]
            for choice in match.choices[count : self.first - 1]:
                states.append(match.replay_choices([choice], match.program.clone(states[-1])))
            self.first, self.states = count, [*states, *self.states]
