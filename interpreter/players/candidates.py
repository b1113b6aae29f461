"""The moves worth trying where there are many: of amounts a few, of bets a few sizes, of all else what chance picks."""

from __future__ import annotations

from random import Random

from interpreter.players.betting import betting_of
from interpreter.program import Program
from interpreter.state import DONE, Site, State

FEW = 16
"""So many amounts are all tried: bids of tricks, each of which means something else."""


def candidates(program: Program, state: State, most: int, random: Random) -> list[int]:
    """Indices of the moves to try, ascending; at most so many, but one of each kind."""
    kinds = list(by_kind(program, state).values())
    betting = betting_of(program)
    if betting is not None and betting.is_bet(program.site(state)):
        kinds = [kind for kind in kinds if not betting.is_vain(state, state.legal[kind[0]])]
        return sorted(index for kind in kinds for index in (betting.sizes(state, kind) if len(kind) > 1 else kind))
    found = [index for kind in kinds for index in some_amounts(kind)]
    if len(found) <= most:
        return sorted(found)
    kept = {kind[0] for kind in kinds} if len(kinds) <= most else set()
    others = [index for index in found if index not in kept]
    return sorted([*kept, *random.sample(others, most - len(kept))])


def have_amounts(program: Program, state: State) -> bool:
    """Whether some of the moves differ by an amount alone."""
    return len(by_kind(program, state)) < len(state.legal)


def may_stake(program: Program, state: State) -> bool:
    """Whether some of the moves may cost what the player has: amounts, or one option in place of another."""
    return have_amounts(program, state) or (not program.shared and bool(program.site(state).options))


def by_kind(program: Program, state: State) -> dict[object, list[int]]:
    """The indices of the moves that differ by an amount alone, by what they have in common."""
    site, kinds = program.site(state), dict[object, list[int]]()
    for index, code in enumerate(state.legal):
        kinds.setdefault(kind_of(program, site, code), []).append(index)
    return kinds


def kind_of(program: Program, site: Site, code: int) -> object:
    """What a move is but for its amounts: equal for `raise 5` and `raise 6`."""
    if code == DONE:
        return DONE
    option, values = program.decode(site, code)
    if option is None:
        return "number" if site.asks_number else values[0] + 1
    binders = site.options[option].binders
    return option, *(value for (var, _), value in zip(binders, values, strict=True) if var.type.tag != "number")


def some_amounts(indices: list[int]) -> list[int]:
    """All if there are few, else the smallest, the largest, and between them each about twice as far on."""
    last = len(indices) - 1
    if last < FEW:
        return indices
    steps = {(1 << step) - 1 for step in range(last.bit_length())}
    return [indices[place] for place in sorted({*steps, last})]
