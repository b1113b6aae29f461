"""Dead ends of games for one player: positions from which each move leads back."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable

from interpreter.match.match_interface import MatchInterface
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import ABSENT, State

MAX_MOVES = 100
"""Number of moves the search tries at most, a few milliseconds."""


def is_dead_end(match: MatchInterface) -> bool:
    """Return whether a player without opponents can only move back and forth.

    The search stops at any move that turns up a card, so the answer reveals no hidden card."""
    if len(match.players) > 1 or match.over:
        return False
    program, start = match.program, match.program.clone_silently(match.state)
    sources: dict[Hashable, set[Hashable]] = {build_key(start): set()}
    waiting, tried = deque([start]), 0
    while waiting:
        state = waiting.popleft()
        tried += len(state.legal)
        if tried > MAX_MOVES:
            return False
        for code in state.legal:
            after = program.clone_silently(state)
            try:
                program.apply(after, code)
            except RuleError:
                return False
            is_new = after.rng != state.rng or find_known(program, after) != find_known(program, state)
            if after.who == ABSENT or is_new:
                return False
            if build_key(after) not in sources:
                waiting.append(after)
            sources.setdefault(build_key(after), set()).add(build_key(state))
    return is_reached_from_all(build_key(start), sources)


def build_key(state: State) -> Hashable:
    """Return what the player sees change: values, piles, and the decision."""
    return tuple(state.t), tuple(map(tuple, state.z)), tuple(state.picks), tuple(state.legal)


def find_known(program: Program, state: State) -> list[bool]:
    """Return for each card whether the player knows it."""
    return [program.is_visible(state, card, 0) for card in range(len(state.loc))]


def is_reached_from_all(start: Hashable, sources: dict[Hashable, set[Hashable]]) -> bool:
    """Return whether the start can be reached from each position. `sources`: the positions before each."""
    reached, waiting = {start}, [start]
    while waiting:
        new = sources[waiting.pop()] - reached
        reached |= new
        waiting.extend(new)
    return len(reached) == len(sources)
