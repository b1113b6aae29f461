"""A match that one player cannot tell from the real one: what is hidden from them is dealt anew.

Cards that the player cannot tell change places with others that look the same from behind; what is kept
about a card in its place (who knows it, its owner, its marks) stays with the place. Where the cards go
depends only on the seed and on what the player knows.
"""

from __future__ import annotations

from random import Random
from typing import Any

from interpreter.chance import seeded
from interpreter.names import Names
from interpreter.state import State


def sample_state(names: Names, state: State, seat: int, seed: int) -> State:
    """A copy of the state in which everything hidden from a seat, chance too, comes from `seed`."""
    chance = Random(f"sample {seed}")
    sample = names.program.clone(state)
    sample.events = None
    swap_cards(names, sample, renamed(names, state, seat, chance))
    swap_secrets(names, sample, seat, chance)
    sample.rng = seeded(chance.getrandbits(63))
    names.program.refresh(sample)
    return sample


def renamed(names: Names, state: State, seat: int, chance: Random) -> list[int]:
    """For each card the one that takes its place."""
    program = names.program
    backs: dict[str, list[int]] = {}
    for pile in [*state.z, [card for card, place in enumerate(state.loc) if place < 0]]:
        for card in pile:
            if not program.visible(state, card, seat):
                home = names.game.sets[names.game.faces[program.face[card]].set].home
                backs.setdefault(home, []).append(card)
    renaming = list(range(len(program.face)))
    for places in backs.values():
        cards = sorted(places)
        chance.shuffle(cards)
        for place, card in zip(places, cards, strict=True):
            renaming[place] = card
    return renaming


def swap_cards(names: Names, state: State, renaming: list[int]) -> None:
    """Puts each card's substitute where the card was."""
    state.z = [[renaming[card] for card in pile] for pile in state.z]
    for kept in (state.loc, state.owner, state.known):
        swap(kept, 0, renaming)
    for name, track in names.game.tracks.items():
        if track.subject == "card":
            swap(state.t, names.program.track_base[name], renaming)
    state.picks = [renaming[card] for card in state.picks]


def swap(values: list[Any], base: int, renaming: list[int]) -> None:
    before = values[base : base + len(renaming)]
    for card, substitute in enumerate(renaming):
        values[base + substitute] = before[card]


def swap_secrets(names: Names, state: State, seat: int, chance: Random) -> None:
    """Secret tracks of the others change owners."""
    for name, track in names.game.tracks.items():
        if not track.secret or track.subject != "player":
            continue
        base = names.program.track_base[name]
        others = [base + other for other in range(names.program.players) if other != seat]
        values = sorted(state.t[slot] for slot in others)
        chance.shuffle(values)
        for slot, value in zip(others, values, strict=True):
            state.t[slot] = value
