"""Dead ends of games for one player: positions from which no sequence of moves helps."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from fractions import Fraction

from interpreter.match.match_interface import MatchInterface
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import ABSENT, State

MAX_MOVES = 400
"""Number of moves the search tries at most, some 20 milliseconds."""


def is_dead_end(match: MatchInterface) -> bool:
    """Return whether a player without opponents can no longer score or win.

    The search stops at any move that turns up a card, so the answer reveals no hidden card."""
    if len(match.players) > 1 or match.over:
        return False
    program, start = match.program, match.program.clone_silently(match.state)
    waiting, seen, tried = deque([start]), {build_key(start)}, 0
    while waiting:
        state = waiting.popleft()
        tried += len(state.legal)
        if tried > MAX_MOVES:
            return False
        for code in state.legal:
            after = program.clone_silently(state)
            try:
                program.apply(after, code)
                if is_progress(program, start, state, after):
                    return False
            except RuleError:
                return False
            if after.who != ABSENT and build_key(after) not in seen:
                seen.add(build_key(after))
                waiting.append(after)
    return True


def is_progress(program: Program, start: State, before: State, after: State) -> bool:
    """Return whether a move turns up a card, wins, or reaches a higher score than the start."""
    if after.rng != before.rng or find_known(program, after) != find_known(program, before):
        return True
    old, new = program.compute_scores(start)[0], program.compute_scores(after)[0]
    return (after.who == ABSENT and bool(program.find_winners(after))) or has_risen(old, new)


def has_risen(old: object, new: object) -> bool:
    return isinstance(old, int | Fraction) and isinstance(new, int | Fraction) and new > old


def build_key(state: State) -> Hashable:
    """Return what the player sees change: values, piles, and the decision."""
    return tuple(state.t), tuple(map(tuple, state.z)), tuple(state.picks), tuple(state.legal)


def find_known(program: Program, state: State) -> list[bool]:
    """Return for each card whether the player knows it."""
    return [program.is_visible(state, card, 0) for card in range(len(state.loc))]
