"""Starting point of a match: the set-up, or the middle of another match for a sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from interpreter.matches.allowing import Deed
from interpreter.matches.log import Chronicle, Told
from interpreter.matches.names import Names
from interpreter.program import Program
from interpreter.state import State

NOTHING = Told()


class Origin:
    """Set-up from a seed. `checking`: check the expectations in steps, even when replaying."""

    def __init__(self, names: Names, seed: int, checking: bool = False) -> None:
        self.names = names
        self.program: Program = names.program
        self.seed = seed
        self.checking = checking

    def state(self) -> State:
        """Return the state at the first decision."""
        return self.program.start(self.seed, checking=self.checking)

    def told(self, program: Program) -> State:
        """Return the state at the first decision with its events. `program`: one that records events."""
        return program.start(self.seed, listen=True)

    def before(self) -> State:
        """Return the state before anything happened."""
        return self.program.blank(self.seed)

    def chronicle(self) -> Chronicle:
        """Return a new event log for a match that begins here."""
        return Chronicle(self.names, self)

    def earlier(self) -> Told:
        """Return the events reported before this starting point."""
        return NOTHING

    def deeds(self) -> int:
        """Return the number of actions before. A choice of several cards is one action."""
        return 0

    def last(self) -> Mapping[int, int]:
        """Return the number of each seat's last action before, by seat."""
        return {}

    def path(self, choices: Sequence[Deed]) -> tuple[object, Sequence[Deed]]:
        """Return the beginning of the match and all choices since, which identify a decision.

        For a sample, they include the choices of the match it was taken from.
        """
        return self.seed, choices


@frozen
class Past:
    """History of a sampled match as `seat` saw it: the choices made since `origin`."""

    origin: Origin
    choices: list[Deed]
    seat: int


class Snapshot(Origin):
    """Sampled state, with the history that its player saw."""

    def __init__(self, names: Names, state: State, seed: int, past: Past) -> None:
        super().__init__(names, seed)
        self.snapshot = state
        self.past = past
        self.chronicle_before: Chronicle | None = None

    def state(self) -> State:
        return self.program.clone(self.snapshot)

    def told(self, program: Program) -> State:
        state = program.clone(self.snapshot)
        state.events = []
        return state

    def before(self) -> State:
        return self.snapshot

    def path(self, choices: Sequence[Deed]) -> tuple[object, Sequence[Deed]]:
        return self.past.origin.path([*self.past.choices, *choices])

    def earlier(self) -> Told:
        past = self.past
        earlier, then = past.origin.earlier(), self.before_it().told_to(past.choices, past.seat)
        return Told(0, earlier.events + then.events, earlier.lines + then.lines) if earlier.events else then

    def deeds(self) -> int:
        return self.before_it().deeds[-1]

    def last(self) -> Mapping[int, int]:
        return {**self.past.origin.last(), **self.before_it().last}

    def before_it(self) -> Chronicle:
        """Return the event log before the sample was taken."""
        if self.chronicle_before is None:
            self.chronicle_before = Chronicle(self.names, self.past.origin)
        self.chronicle_before.catch_up(self.past.choices)
        return self.chronicle_before
