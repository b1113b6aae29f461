"""Determinization: deal the hidden cards again to get a match that looks real to one player.

Hidden cards are permuted among cards with the same back. Facts about a position (players who know its card, owner,
marks) stay with the position. The permutation depends only on the seed and on the player's knowledge. Players who
choose simultaneously choose again, unless this player has already seen their choices.

A sample agrees with everything the player sees now: all zones, numbers and moves, and the cards they know. It infers
nothing from earlier choices; `interpreter.players.conclusions` does that. For instance, a player who did not follow
suit can hold that suit in a sample. A hand that was bet on can be poor. Given those choices, the possible deals are not
equally likely either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from interpreter.chance import seeded
from interpreter.layout import about_cards
from interpreter.matches.moves import asked_type
from interpreter.matches.names import Names
from interpreter.runtime import FUEL
from interpreter.state import ABSENT, DONE, Site, State

if TYPE_CHECKING:
    from interpreter.program import Program

MAX_DEALS = 1000


Fit = Callable[[list[int], Random], None]
"""Function that adjusts a permutation. It may only exchange cards that the permutation already moves."""


def sample_state(names: Names, state: State, seat: int, seed: int, fit: Fit | None = None) -> State:
    """Return a copy of the state with everything hidden from a seat drawn from `seed`, including future randomness.

    `fit`: optional function that influences the deal.

    The current player must have a legal move, and so must the players who chose simultaneously with them. Other deals
    are rejected and drawn again. If none succeeds, the cards of the current player stay unchanged.
    """
    chance = Random(f"sample {seed}")
    for tried in range(MAX_DEALS + 1):
        sample = names.program.clone(state)
        sample.events, sample.checking = None, False  # a hypothetical deal may break expectations of rules
        renaming = renamed(names, state, seat, chance, tried == MAX_DEALS)
        if fit is not None and tried < MAX_DEALS:
            fit(renaming, chance)
        swap_cards(names, sample, renaming)
        names.program.refresh(sample)
        if choose_again(names.program, sample, seat, chance) and (sample.legal or state.who == ABSENT):
            break
    swap_secrets(names, sample, seat, chance)
    sample.rng = seeded(chance.getrandbits(63))
    return sample


def renamed(names: Names, state: State, seat: int, chance: Random, spare: bool) -> list[int]:
    """Return a random permutation: for each card, the card that replaces it.

    `spare`: leave the cards that the current player can identify.
    """
    program = names.program
    spared = state.who if spare else seat
    backs: dict[str, list[int]] = {}
    for pile in [*state.z, [card for card, place in enumerate(state.loc) if place < 0]]:
        for card in pile:
            if not (program.visible(state, card, seat) or program.visible(state, card, spared)):
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
    """Put each card's replacement in its position."""
    state.z = [[renaming[card] for card in pile] for pile in state.z]
    for kept in (state.loc, state.owner, state.known):
        swap(kept, 0, renaming)
    for name, track in names.game.tracks.items():
        if track.subject == "card":
            swap(state.t, names.program.track_base[name], renaming)
    if state.picks and about_cards(asked_type(names.program.site(state))):
        state.picks = [renaming[card] for card in state.picks]
    state.frames = [renamed_frame(names.program, frame, renaming) for frame in state.frames]


def choose_again(program: Program, state: State, seat: int, chance: Random) -> bool:
    """Repeat a simultaneous choice with random moves for all players except `seat`.

    Return whether this leads to the same decision.
    """
    number = ABSENT if state.who == ABSENT else program.site(state).number
    if number not in program.lowering.splitter.together:
        return True
    start, slot = program.lowering.splitter.together[number]
    before, chosen = program.clone(state), dict(state.frames[-1][slot])
    state.picks, state.fuel = [], FUEL
    program.run(state, start)
    while state.who not in (before.who, ABSENT) and program.site(state).number == number:
        if state.who != seat:
            program.apply(state, chance.choice(state.legal))
        elif not make(program, state, chosen[seat]):
            return False
    same = state.who == before.who and program.site(state).number == number
    if not same or (state.z, state.t) != (before.z, before.t) or chosen.keys() != dict(state.frames[-1][slot]).keys():
        return False
    return state.who != seat or all(follow(program, state, card + 1) for card in before.picks)


def make(program: Program, state: State, made: int | Sequence[int]) -> bool:
    """Repeat a choice, given as a code or as picks."""
    if isinstance(made, int):
        return follow(program, state, made)
    seat = state.who
    return all(follow(program, state, card + 1) for card in made) and (
        state.who != seat or follow(program, state, DONE)
    )


def follow(program: Program, state: State, code: int) -> bool:
    """Make a move if it is legal, and return whether it was."""
    if code not in state.legal:
        return False
    program.apply(state, code)
    return True


def swap(values: list[int], base: int, renaming: list[int]) -> None:
    before = values[base : base + len(renaming)]
    for card, substitute in enumerate(renaming):
        values[base + substitute] = before[card]


def swap_secrets(names: Names, state: State, seat: int, chance: Random) -> None:
    """Permute the secret tracks of the other players."""
    for name, track in names.game.tracks.items():
        if not track.secret or track.subject != "player":
            continue
        base = names.program.track_base[name]
        others = [base + other for other in range(names.program.players) if other != seat]
        values = sorted(state.t[slot] for slot in others)
        chance.shuffle(values)
        for slot, value in zip(others, values, strict=True):
            state.t[slot] = value


def renamed_frame(program: Program, frame: list[Any], renaming: list[int]) -> list[Any]:
    """Return a stack frame with its cards replaced."""
    layout = program.frame_at(frame[0])
    if layout is None:
        return frame
    frame = frame[:]
    for slot in layout.cards:
        frame[slot] = renamed_value(frame[slot], renaming)
    for slot, number in layout.codes.items():
        site = program.sites[number]
        if frame[slot]:
            frame[slot] = tuple((seat, renamed_choice(site, made, renaming)) for seat, made in frame[slot])
    return frame


def renamed_value(value: Any, renaming: list[int]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(renaming[card] for card in value)
    return renaming[value] if value >= 0 else value


def renamed_choice(site: Site, made: Any, renaming: list[int]) -> Any:
    """Return a pending simultaneous choice with its cards replaced. It is a list of picks or the code of a move."""
    if site.options:
        return with_cards(site, made, renaming)
    if not about_cards(asked_type(site)) or site.kind == "number":
        return made
    if isinstance(made, list | tuple):
        return renamed_value(made, renaming)
    return made if made == DONE else renaming[made - 1] + 1


def with_cards(site: Site, code: int, renaming: list[int]) -> int:
    """Return the code of an option with the bound cards replaced."""
    if code == DONE:
        return code
    count = len(site.options)
    option, rest = (code - 1) % count, (code - 1) // count
    result, weight = 1 + option, count
    for (var, _), radix in zip(site.options[option].binders, site.radices[option], strict=True):
        value = rest % radix if radix else rest
        rest = rest // radix if radix else 0
        result += weight * (renaming[value] if var.type.tag == "card" else value)
        weight *= radix or 1
    return result
