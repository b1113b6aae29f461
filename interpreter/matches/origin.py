"""Where a match begins: with its set-up, or, if it was sampled, in the middle of another one."""

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
    """Set-up from a seed. `checking`: what steps expect must hold, also when it is played again."""

    def __init__(self, names: Names, seed: int, checking: bool = False) -> None:
        self.names = names
        self.program: Program = names.program
        self.seed = seed
        self.checking = checking

    def state(self) -> State:
        """The state at the first decision."""
        return self.program.start(self.seed, checking=self.checking)

    def told(self, program: Program) -> State:
        """The same with what happened until then. `program`: one that tells events."""
        return program.start(self.seed, listen=True)

    def before(self) -> State:
        """The state before anything happened."""
        return self.program.blank(self.seed)

    def chronicle(self) -> Chronicle:
        """The log of what comes then, from which each match makes its own."""
        return Chronicle(self.names, self)

    def earlier(self) -> Told:
        """What was told before."""
        return NOTHING

    def deeds(self) -> int:
        """How many deeds were done before: a choice of several is one."""
        return 0

    def last(self) -> Mapping[int, int]:
        """By seat, the number of the last deed that was done before."""
        return {}

    def path(self, choices: Sequence[Deed]) -> tuple[object, Sequence[Deed]]:
        """What leads to the decision after these choices: where the match began, and all choices since. Of a sample,
        those of the match that it was taken from, too."""
        return self.seed, choices


@frozen
class Past:
    """What somebody at `seat` saw before a sample was taken: the choices that had been made since
    `origin`."""

    origin: Origin
    choices: list[Deed]
    seat: int


class Snapshot(Origin):
    """A sampled state, with the past as the player saw it for whom it was sampled."""

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
        """What happened before the sample was taken."""
        if self.chronicle_before is None:
            self.chronicle_before = Chronicle(self.names, self.past.origin)
        self.chronicle_before.catch_up(self.past.choices)
        return self.chronicle_before
