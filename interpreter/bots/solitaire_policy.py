"""Progress of moves in games for one player: the C counterpart is `solitaire_policy.h`.

Most moves in a solitaire can be taken back by the next move. Such a move helps only if it makes another one possible.
So playouts prefer moves that score, then moves that cannot be taken back, then the next card of the stock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from random import Random

from interpreter.bots.playout_results import CandidateStatistics, get_player_levels
from interpreter.match.match import Match
from interpreter.match.state_edits import replay_choice
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, State

MAX_IDLE_MOVES = 12
"""Number of moves in a row without a score or a new visible card after which a playout ends."""
IDLE, STOCK, USEFUL, SCORING = range(4)
"""Progress of a move: none, a move that names no card, one that cannot be taken back or makes another move useful, and
one that scores."""
MAX_NEXT_MOVES = 8
"""Number of next moves above which a move counts as useful, because a look at them all takes too long."""


def grade_progress(program: Program, state: State, code: int, max_next_moves: int = MAX_NEXT_MOVES) -> int:
    """Return the progress of a move: `IDLE`, `STOCK`, `USEFUL` or `SCORING`. Raise `RuleError` if a rule fails."""
    level, seat = get_player_levels(program, state)[0], state.who
    after = program.clone_silently(state)
    program.apply(after, code)
    if get_player_levels(program, after)[0] > level:
        return SCORING
    names_card = code != DONE and bool(program.decode_move(program.get_site(state), code)[1])
    can_return, enables, seen = False, False, count_visible_cards(program, after, seat)
    for answer in after.legal if after.who >= 0 and len(after.legal) <= max_next_moves else ():
        later = program.clone_silently(after)
        program.apply(later, answer)
        can_return |= is_same_position(program, later, state)
        gains = get_player_levels(program, later)[0] > level or count_visible_cards(program, later, seat) > seen
        enables |= gains and answer not in state.legal
    if can_return:
        return USEFUL if enables else IDLE
    return USEFUL if names_card else STOCK


def is_same_position(program: Program, one: State, two: State) -> bool:
    if one.who < 0 or program.get_site(one) is not program.get_site(two):
        return False
    return (one.z, one.t, one.picks) == (two.z, two.t, two.picks)


def mark_progress(program: Program, sample: State, moves: Iterable[CandidateStatistics]) -> None:
    """Set the progress of each move, in a sampled match. For one decision there is time to look at all next moves."""
    for move in moves:
        with suppress(RuleError):
            move.progress = grade_progress(program, sample, sample.legal[move.index], len(program.face))


def find_repeating_moves(match: Match) -> set[int]:
    """Return the indices of the moves that lead back to an earlier position of the match."""
    program, past = match.program, list[State]()
    state = match.origin.build_first_state()
    for choice in match.choices:
        past.append(program.clone_silently(state))
        replay_choice(match.names, state, choice)
    found = set[int]()
    for index, code in enumerate(match.state.legal):
        after = program.clone_silently(match.state)
        with suppress(RuleError):
            program.apply(after, code)
            if any(is_same_position(program, after, earlier) for earlier in past):
                found.add(index)
    return found


def count_visible_cards(program: Program, state: State, seat: int) -> int:
    """Return the number of cards that a player sees."""
    return sum(program.is_visible(state, card, seat) for card in range(len(program.face)))


def pick_by_progress(program: Program, state: State, random: Random) -> int:
    """Return the code of a random move among those with the most progress."""
    if len(state.legal) > MAX_NEXT_MOVES:
        return random.choice(state.legal)
    grades = [grade_progress(program, state, code) for code in state.legal]
    return random.choice([code for code, grade in zip(state.legal, grades, strict=True) if grade == max(grades)])


def play_solitaire(program: Program, state: State, random: Random, horizon: int, is_late: Callable[[], bool]) -> None:
    """Play until the end, the horizon, the time limit, or too many moves in a row without progress.

    Raise `RuleError` if a rule fails.
    """
    idle, level, seen = 0, get_player_levels(program, state)[0], count_visible_cards(program, state, 0)
    for _ in range(horizon):
        if state.who < 0 or idle > MAX_IDLE_MOVES or is_late():
            return
        program.apply(state, pick_by_progress(program, state, random))
        new_level, new_seen = get_player_levels(program, state)[0], count_visible_cards(program, state, 0)
        idle = 0 if len(state.legal) > MAX_NEXT_MOVES or new_level > level or new_seen > seen else idle + 1
        level, seen = new_level, new_seen
