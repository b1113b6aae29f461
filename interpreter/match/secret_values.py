"""Secret values as one player can imagine them: a particle filter.

A particle holds a possible value of each secret track. For each choice of the match, every particle plays it again in a
state with its values, re-dealt hidden cards and its own random numbers. Secret choices of other players are made
again at random. Particles that contradict what the player saw are replaced by copies of others.

The particles depend only on the player's knowledge. If all contradict it, they stay, so a sample may be unlikely but
never shows the real values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import cast

from attrs import frozen

from interpreter.match.determinization import (
    Particle,
    draw_permutation,
    is_choice_known,
    list_cards_by_position,
    permute_choice,
    permute_state,
    repeat_simultaneous_choice,
    write_secret_values,
)
from interpreter.match.event_log import MatchOrigin, SampledOrigin
from interpreter.match.state_edits import ChoiceOrEdit, replay_choice
from interpreter.narration.decision_text import ObserverMovePrinter, write_choice_line
from interpreter.narration.display_names import MatchNames
from interpreter.runtime.errors import RuleError
from interpreter.runtime.rng import get_seed_state
from interpreter.runtime.state import ABSENT, State
from interpreter.runtime.state_layout import PARTICLES

MAX_TRIALS = 4
"""Maximum number of trials of each choice for each particle, on average."""


class SecretValues:
    """Particles for one seat, which follow a match."""

    def __init__(self, names: MatchNames, origin: MatchOrigin, seat: int) -> None:
        self.names, self.origin, self.seat = names, origin, seat
        self.choices: list[ChoiceOrEdit] = []
        self.chance = Random(f"secret values {seat}")
        self.state = names.program.clone_silently(origin.build_first_state())
        self.particles, slots = [self.read_particle(self.state)] * PARTICLES, names.program.layout.secret_slots
        if isinstance(origin, SampledOrigin):
            past, own = origin.history, names.program.layout.open_slots[seat]
            self.particles = [
                tuple(self.state.t[slot] if slot in own else value for slot, value in zip(slots, particle, strict=True))
                for particle in SecretValues(names, past.origin, seat).follow(past.choices)
            ]
        else:
            self.replace_particles(lambda _: self.set_up_again())

    def follow(self, choices: Sequence[ChoiceOrEdit]) -> list[Particle]:
        """Process the choices since the last call, and return the particles."""
        for choice in choices[len(self.choices) :]:
            before = self.names.program.clone_silently(self.state)
            replay_choice(self.names, self.state, choice)
            deal = draw_permutation(self.names, before, self.seat, self.chance, False)
            self.replace_particles(ChoiceReplay(self, before, choice, deal).play)
            self.choices.append(choice)
        return self.particles

    def replace_particles(self, play: Callable[[Particle], State | None]) -> None:
        """Replace the particles by those after a choice. `play`: returns a state after it; None if it is impossible."""
        found: list[Particle] = []
        doubtful: list[Particle] = []
        for trial in range(PARTICLES * MAX_TRIALS):
            state = play(self.particles[trial % PARTICLES])
            if state is None:
                continue
            (found if self.agrees(state) else doubtful).append(self.read_particle(state))
            if len(found) == PARTICLES:
                break
        left = found or doubtful or self.particles
        self.particles = [left[index % len(left)] for index in range(PARTICLES)]

    def set_up_again(self) -> State | None:
        try:
            return self.names.program.start(self.chance.getrandbits(60))
        except RuleError:
            return None

    def agrees(self, state: State) -> bool:
        """Return whether the player cannot tell a state from the real one, apart from re-dealt cards."""
        real, layout, seat = self.state, self.names.program.layout, self.seat
        return (
            state.who == real.who
            and (state.who == ABSENT or state.frames[-1][0] == real.frames[-1][0])
            and (state.who != seat or len(state.legal) == len(real.legal))
            and (state.out, state.order, list(map(len, state.z))) == (real.out, real.order, list(map(len, real.z)))
            and all(state.t[slot] == real.t[slot] for slot in layout.open_slots[seat])
        )

    def read_particle(self, state: State) -> Particle:
        """Return the secret values of a state. Those of cards go by their places, as in the real state."""
        layout, values = self.names.program.layout, state.t
        if layout.card_secret_bases and state is not self.state:
            values = values.copy()
            places = zip(list_cards_by_position(self.state), list_cards_by_position(state), strict=True)
            for card, other in places:
                for base in layout.card_secret_bases:
                    values[base + card] = state.t[base + other]
        own = layout.open_slots[self.seat]
        return tuple((self.state.t if slot in own else values)[slot] for slot in layout.secret_slots)


def find_secret_values(
    names: MatchNames, origin: MatchOrigin, choices: Sequence[ChoiceOrEdit], seat: int
) -> Sequence[Particle]:
    """Return possible values of the secret tracks for a seat; nothing if there are no such tracks."""
    return SecretValues(names, origin, seat).follow(choices) if names.program.layout.secret_slots else ()


@frozen
class ChoiceReplay:
    """Replay of a choice, or of an edit. `permutation`: of the hidden cards, for the state before it."""

    beliefs: SecretValues
    before: State
    choice: ChoiceOrEdit
    permutation: list[int]

    def play(self, particle: Particle) -> State | None:
        """Return the state after the choice with these secret values; None if it is impossible."""
        names, chance = self.beliefs.names, self.beliefs.chance
        state = permute_state(names, write_secret_values(names, self.before, particle), self.permutation)
        state.rng = get_seed_state(chance.getrandbits(63))
        names.program.refresh_legal_moves(state)
        if not repeat_simultaneous_choice(names.program, state, self.beliefs.seat, chance):
            return None
        choice: ChoiceOrEdit | None = self.choice
        if isinstance(choice, int):
            alike = self.list_moves_alike(state, choice)
            choice = chance.choice(alike) if alike else None
        try:
            if choice is not None:
                replay_choice(names, state, choice)
        except RuleError:
            return None
        return None if choice is None else state

    def list_moves_alike(self, state: State, code: int) -> list[int]:
        """Return the moves in a state that the player cannot tell from the real one."""
        names, seat, site = self.beliefs.names, self.beliefs.seat, self.beliefs.names.program.get_site(state)
        if is_choice_known(names, self.before, code, seat):
            code = cast(int, permute_choice(site, code, self.permutation))
            return [code] if code in state.legal else []
        line = write_choice_line(ObserverMovePrinter(names, self.before, site, seat), code)
        printer = ObserverMovePrinter(names, state, site, seat)
        return [each for each in state.legal if write_choice_line(printer, each) == line]
