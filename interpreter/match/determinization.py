"""Determinization: hidden cards redealt as one player could imagine.

Hidden cards are permuted among cards with the same back. Facts about a position (players who know its card, owner,
marks) stay with the position. The permutation depends only on the seed and on the player's knowledge. Players who
choose simultaneously choose again, unless this player has already seen their choices. `interpreter.match.secret_values`
finds possible values of secret tracks.

A sample agrees with everything the player sees now: all zones, numbers and moves, and the cards they know. It infers
nothing from earlier choices; `interpreter.bots.belief_sampler` does that. For instance, a player who did not follow
suit can hold that suit in a sample. A hand that was bet on can be poor. Given those choices, the possible deals are not
equally likely either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from cardlang.model.types import is_card_type
from interpreter.narration.decision_text import ObserverMovePrinter
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program
from interpreter.runtime.builtin_functions import STEP_LIMIT
from interpreter.runtime.rng import get_seed_state
from interpreter.runtime.state import ABSENT, DONE, DecisionPoint, State, get_choice_type

MAX_SAMPLE_DEALS = 1000
Particle = tuple[int, ...]
"""Possible values of the secret tracks (`Layout.secret_slots`)."""

DealAdjuster = Callable[[list[int], Random], None]
"""Function that adjusts a permutation. It may only exchange cards that the permutation already moves."""


def sample_state(
    names: MatchNames,
    state: State,
    seat: int,
    seed: int,
    particles: Sequence[Particle],
    adjust: DealAdjuster | None = None,
) -> State:
    """Return a copy of the state with everything hidden from a seat drawn from `seed`, including future randomness.

    `particles`: possible values of the secret tracks. `adjust`: optional function that influences the deal.

    The current player must have a legal move, and so must the players who chose simultaneously with them. Other deals
    are rejected and drawn again. If none succeeds, the cards of the current player stay unchanged.
    """
    chance = Random(f"sample {seed}")
    for tried in range(MAX_SAMPLE_DEALS + 1):
        renaming = draw_permutation(names, state, seat, chance, tried == MAX_SAMPLE_DEALS)
        if adjust is not None and tried < MAX_SAMPLE_DEALS:
            adjust(renaming, chance)
        drawn = write_secret_values(names, state, chance.choice(particles)) if particles else state
        sample = permute_state(names, drawn, renaming)
        names.program.refresh_legal_moves(sample)
        if repeat_simultaneous_choice(names.program, sample, seat, chance) and (sample.legal or state.who == ABSENT):
            break
    sample.rng = get_seed_state(chance.getrandbits(63))
    return sample


def draw_permutation(names: MatchNames, state: State, seat: int, chance: Random, keep_known: bool) -> list[int]:
    """Return a random permutation: for each card, the card that replaces it.

    `keep_known`: leave the cards that the current player can identify.
    """
    program = names.program
    spared = state.who if keep_known else seat
    backs: dict[str, list[int]] = {}
    for pile in [*state.z, [card for card, pile_number in enumerate(state.loc) if pile_number < 0]]:
        for card in pile:
            if not (program.is_visible(state, card, seat) or program.is_visible(state, card, spared)):
                home = names.game.sets[names.game.faces[program.face[card]].set].home
                backs.setdefault(home, []).append(card)
    renaming = list(range(len(program.face)))
    for places in backs.values():
        cards = sorted(places)
        chance.shuffle(cards)
        for position, card in zip(places, cards, strict=True):
            renaming[position] = card
    return renaming


def list_cards_by_position(state: State) -> list[int]:
    """Return all cards in the order of their positions. The order does not depend on the cards' identities."""
    return [card for pile in state.z for card in pile] + [card for card, pile in enumerate(state.loc) if pile < 0]


def permute_state(names: MatchNames, before: State, permutation: list[int]) -> State:
    """Return a state with its cards permuted. It may break expectations of rules, so they are not checked."""
    state = names.program.clone_silently(before)
    permute_cards(names, state, permutation)
    return state


def permute_cards(names: MatchNames, state: State, permutation: list[int]) -> None:
    """Put each card's replacement in its position."""
    state.z = [[permutation[card] for card in pile] for pile in state.z]
    for values in (state.loc, state.owner, state.known):
        permute_slice(values, 0, permutation)
    for base in names.program.layout.card_track_bases:
        permute_slice(state.t, base, permutation)
    if state.picks and is_card_type(get_choice_type(names.program.get_site(state))):
        state.picks = [permutation[card] for card in state.picks]
    state.frames = [permute_frame(names.program, frame, permutation) for frame in state.frames]


def repeat_simultaneous_choice(program: Program, state: State, seat: int, chance: Random) -> bool:
    """Repeat a simultaneous choice with random moves for all players except `seat`.

    Return whether this leads to the same decision.
    """
    number = ABSENT if state.who == ABSENT else program.get_site(state).number
    if number not in program.lowering.splitter.simultaneous_sites:
        return True
    start, slot = program.lowering.splitter.simultaneous_sites[number]
    before, chosen = program.clone(state), dict(state.frames[-1][slot])
    state.picks, state.fuel = [], STEP_LIMIT
    program.run_blocks(state, start)
    while state.who not in (before.who, ABSENT) and program.get_site(state).number == number:
        if state.who != seat:
            program.apply(state, chance.choice(state.legal))
        elif not repeat_choice(program, state, chosen[seat]):
            return False
    same = state.who == before.who and program.get_site(state).number == number
    if not same or (state.z, state.t) != (before.z, before.t) or chosen.keys() != dict(state.frames[-1][slot]).keys():
        return False
    return state.who != seat or all(make_move_if_legal(program, state, card + 1) for card in before.picks)


def repeat_choice(program: Program, state: State, choice: int | Sequence[int]) -> bool:
    """Repeat a choice, given as a code or as picks."""
    if isinstance(choice, int):
        return make_move_if_legal(program, state, choice)
    seat = state.who
    return all(make_move_if_legal(program, state, card + 1) for card in choice) and (
        state.who != seat or make_move_if_legal(program, state, DONE)
    )


def make_move_if_legal(program: Program, state: State, code: int) -> bool:
    """Make a move if it is legal, and return whether it was."""
    if code not in state.legal:
        return False
    program.apply(state, code)
    return True


def permute_slice(values: list[int], base: int, permutation: list[int]) -> None:
    before = values[base : base + len(permutation)]
    for card, substitute in enumerate(permutation):
        values[base + substitute] = before[card]


def write_secret_values(names: MatchNames, before: State, particle: Particle) -> State:
    """Return a copy of a state with other values of the secret tracks."""
    state = names.program.clone_silently(before)
    for slot, value in zip(names.program.layout.secret_slots, particle, strict=True):
        state.t[slot] = value
    return state


def is_choice_known(names: MatchNames, before: State, code: int, seat: int) -> bool:
    """Return whether a seat knows a choice, by the rules alone. `before`: the state before it."""
    site = names.program.get_site(before)
    if ObserverMovePrinter(names, before, site, seat).is_secret_choice(code):
        return False
    secret_variables = names.facts.common_knowledge.secrecy.secret_variables
    option = None if code == DONE else names.program.decode_move(site, code)[0]
    return (
        before.who == seat
        or option is None
        or not any(var.id in secret_variables for var, _ in site.options[option].binders)
    )


def permute_frame(program: Program, frame: list[Any], permutation: list[int]) -> list[Any]:
    """Return a stack frame with its cards replaced."""
    layout = program.get_block_frame(frame[0])
    if layout is None:
        return frame
    frame = frame[:]
    for slot in layout.card_slots:
        frame[slot] = permute_value(frame[slot], permutation)
    for slot, number in layout.codes.items():
        site = program.sites[number]
        if frame[slot]:
            frame[slot] = tuple((seat, permute_choice(site, choice, permutation)) for seat, choice in frame[slot])
    return frame


def permute_value(value: Any, permutation: list[int]) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(permutation[card] for card in value)
    return permutation[value] if value >= 0 else value


def permute_choice(site: DecisionPoint, choice: Any, permutation: list[int]) -> Any:
    """Return a pending simultaneous choice with its cards replaced. It is a list of picks or the code of a move."""
    if site.options:
        return permute_option_code(site, choice, permutation)
    if not is_card_type(get_choice_type(site)) or site.kind == "number":
        return choice
    if isinstance(choice, list | tuple):
        return permute_value(choice, permutation)
    return choice if choice == DONE else permutation[choice - 1] + 1


def permute_option_code(site: DecisionPoint, code: int, permutation: list[int]) -> int:
    """Return the code of an option with the bound cards replaced."""
    if code == DONE:
        return code
    count = len(site.options)
    option, rest = (code - 1) % count, (code - 1) // count
    result, weight = 1 + option, count
    for (var, _), radix in zip(site.options[option].binders, site.radices[option], strict=True):
        value = rest % radix if radix else rest
        rest = rest // radix if radix else 0
        result += weight * (permutation[value] if var.type.tag == "card" else value)
        weight *= radix or 1
    return result


def find_move_cards(program: Program, state: State, code: int) -> list[int]:
    """Return the cards that a move names."""
    if code == DONE:
        return []
    site = program.get_site(state)
    option, values = program.decode_move(site, code)
    return [value for value, is_card in zip(values, find_card_bindings(site, option), strict=True) if is_card]


def find_card_bindings(site: DecisionPoint, option: int | None) -> list[bool]:
    """Return for each value in a move whether it is a card."""
    if option is not None:
        return [var.type.tag == "card" for var, _ in site.options[option].binders]
    return [site.kind != "number" and is_card_type(get_choice_type(site))]


def get_home_zone(names: MatchNames, card: int) -> str:
    """Return the home zone of a card's set. It is known from the back of the card."""
    return names.game.sets[names.game.faces[names.program.face[card]].set].home
