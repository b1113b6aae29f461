"""Selection of candidate moves if there are many: some amounts, some bet sizes, and a random choice of the rest."""

from __future__ import annotations

from random import Random

from interpreter.players.betting import betting_of
from interpreter.program import Program
from interpreter.state import DONE, Site, State

FEW = 16
"""Number of amounts up to which all are tried, such as bids of tricks, which all differ in meaning."""


def candidates(program: Program, state: State, most: int, random: Random) -> list[int]:
    """Return the indices of at most `most` moves to try, in ascending order.

    If there is room, include one move of each kind.
    """
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
    """Return whether some moves differ only in their amount."""
    return len(by_kind(program, state)) < len(state.legal)


def may_stake(program: Program, state: State) -> bool:
    """Return whether moves may cost the player something: they have amounts, or they are options."""
    return have_amounts(program, state) or (not program.shared and bool(program.site(state).options))


def by_kind(program: Program, state: State) -> dict[object, list[int]]:
    """Group the indices of moves by kind. Moves of one kind differ only in their amount."""
    site, kinds = program.site(state), dict[object, list[int]]()
    for index, code in enumerate(state.legal):
        kinds.setdefault(kind_of(program, site, code), []).append(index)
    return kinds


def kind_of(program: Program, site: Site, code: int) -> object:
    """Return a move without its amounts: equal for `raise 5` and `raise 6`."""
    if code == DONE:
        return DONE
    option, values = program.decode(site, code)
    if option is None:
        return "number" if site.asks_number else values[0] + 1
    binders = site.options[option].binders
    return option, *(value for (var, _), value in zip(binders, values, strict=True) if var.type.tag != "number")


def some_amounts(indices: list[int]) -> list[int]:
    """Return all of a few amounts. Of many, return the smallest, the largest, and others at doubling distances."""
    last = len(indices) - 1
    if last < FEW:
        return indices
    steps = {(1 << step) - 1 for step in range(last.bit_length())}
    return [indices[place] for place in sorted({*steps, last})]
