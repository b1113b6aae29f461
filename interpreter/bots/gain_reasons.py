"""Sure gains and losses of moves: the preference for them, and the chances that a move gives to the next player.

A number that the game shows counts as a gain if it agrees with the score: in random play to the next scoring, players
with a higher number score more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from statistics import StatisticsError, correlation

from interpreter.bots.hint_text import MoveSummary, can_be_equally_good, has_enough_playouts
from interpreter.bots.match_samples import MatchSamples
from interpreter.bots.move_effects import (
    EFFECT_SAMPLES,
    ShownNumbers,
    apply_with_forced_picks,
    collect_shown_numbers,
    find_effect,
)
from interpreter.bots.playout_results import get_player_levels, sum_cooperative_life_shares
from interpreter.bots.trick_reasons import RARE_SHARE, format_tenths
from interpreter.match.determinization import find_move_cards
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import State
from interpreter.runtime.value_formatting import join_items

SCORING_SAMPLES = 30
"""Number of samples that are played to the next scoring."""
SCORING_HORIZON = 150
"""Number of moves after which the next scoring is too far away."""
MIN_CORRELATION = 0.5
"""Correlation above which a number counts for the score."""
MIN_SCORED_SAMPLES = 12
ANSWER_SAMPLES = 30
"""Number of samples in which the next player's moves are tried."""
MAX_NAMED_FACES = 5
"""Number of faces up to which a hint names all that an unknown card can have."""


def prefer_sure_gain(
    samples: MatchSamples, moves: tuple[MoveSummary, ...]
) -> tuple[tuple[MoveSummary, ...], frozenset[int]]:
    """Return the moves with the best first, but of moves that may be equally good, the one that surely gains most now.

    Also return the indices of those that surely gain less now. The score comes first, then a number that counts for it.
    Bets are never a gain.
    """
    if samples.outlook is not None:
        return moves, frozenset()
    first = moves[0]
    alike = [
        first,
        *(move for move in moves[1:] if has_enough_playouts(first, move) and can_be_equally_good(first, move)),
    ]
    gains = measure_sure_gains(samples, alike) if len(alike) > 1 else {first.index: (0.0, 0.0)}
    best = max(alike, key=lambda move: gains[move.index])
    lesser = frozenset(index for index, gain in gains.items() if gain < gains[best.index])
    return (best, *(move for move in moves if move is not best)), lesser


def measure_sure_gains(samples: MatchSamples, moves: list[MoveSummary]) -> dict[int, tuple[float, float]]:
    """Return by index what each move surely gains now: for the score, and in a number that counts for it.

    A cost may pay off later, so it is no loss.
    """
    scores = {move.index: compute_sure_gain(samples, move.index) for move in moves}
    changes = dict[int, dict[str, float]]()
    for move in moves:
        effect = find_effect(samples, move.index)
        changes[move.index] = {noun: float(change) for noun, _, _, change in effect.numbers} if effect else {}
    differing = {
        noun
        for found in changes.values()
        for noun in found
        if len({other.get(noun, 0.0) for other in changes.values()}) > 1
    }
    noun, sign = find_scored_number(samples, differing) if differing else ("", 0)
    return {index: (max(scores[index], 0.0), sign * changes[index].get(noun, 0.0)) for index in scores}


def compute_sure_gain(samples: MatchSamples, index: int) -> float:
    """Return the least gain of a move for the player's score in any sample; 0 after a random event or an error."""
    gains, seat, program = [0.0] if not samples.states else [], samples.seat, samples.program
    with suppress(RuleError):
        for sample in samples.states[:EFFECT_SAMPLES]:
            state = apply_with_forced_picks(samples, sample, index)
            if state.rng != sample.rng:
                return 0.0
            gains.append(get_player_levels(program, state)[seat] - get_player_levels(program, sample)[seat])
        return min(gains)
    return 0.0


def find_scored_number(samples: MatchSamples, nouns: set[str]) -> tuple[str, int]:
    """Return the shown number that agrees best with the score, and 1, or -1 if low numbers score; 0 if none agrees."""
    rows = list(play_to_scoring(samples))
    found = [("", 0.0)]
    for noun in nouns if len(rows) >= MIN_SCORED_SAMPLES else ():
        known = [(float(numbers[noun][0]), gain) for numbers, gain in rows if noun in numbers]
        with suppress(StatisticsError):  # the number or the score is always the same
            found.append((noun, correlation(*zip(*known, strict=True))))
    noun, agreement = max(found, key=lambda pair: abs(pair[1]))
    return noun, (agreement > 0) - (agreement < 0) if abs(agreement) >= MIN_CORRELATION else 0


def play_to_scoring(samples: MatchSamples) -> Iterator[tuple[ShownNumbers, float]]:
    """Yield the player's shown numbers before the next scoring and the gain from it, by random play in each sample."""
    program, seat = samples.program, samples.seat
    for sample in samples.states[:SCORING_SAMPLES]:
        with suppress(RuleError):
            state, before = program.clone_silently(sample), get_player_levels(program, sample)
            for _ in range(SCORING_HORIZON):
                if state.who < 0:
                    break
                last = program.clone_silently(state)
                program.apply(state, samples.random.choice(state.legal))
                if (after := get_player_levels(program, state)) != before:
                    yield collect_shown_numbers(samples, last), after[seat] - before[seat]
                    break


def drop_sure_losses(samples: MatchSamples, moves: tuple[MoveSummary, ...]) -> tuple[MoveSummary, ...]:
    """Return the moves without those that, in every sample, cost the team a life. Keep the first one in any case."""
    return (moves[0], *(move for move in moves[1:] if not is_sure_loss(samples, move.index)))


def is_sure_loss(samples: MatchSamples, index: int) -> bool:
    program = samples.program
    with suppress(RuleError):
        return bool(program.lives and samples.states) and all(
            sum_cooperative_life_shares(program, samples.apply_move(sample, *samples.get_codes(sample, index)))
            < sum_cooperative_life_shares(program, sample)
            for sample in samples.states
        )
    return False


def describe_unknown_card(samples: MatchSamples, index: int, is_sure: bool) -> list[str]:
    """Say what the unknown card of a move can be, such as `It can only be [5y], which surely gains.`"""
    faces = set[str]()
    for sample in samples.states:
        hidden = [
            card
            for card in find_move_cards(samples.program, sample, samples.get_codes(sample, index)[0])
            if not samples.program.is_visible(sample, card, samples.seat)
        ]
        if len(hidden) != 1:
            return []
        faces.add(f"[{samples.names.get_card_code(hidden[0])}]")
    if not samples.program.shared or len(faces) > MAX_NAMED_FACES:
        return ["It surely gains, whichever card it is."] if is_sure else []
    ending = ", and it surely gains" if is_sure else ""
    return [f"It can only be {join_items(sorted(faces), 'or')}{ending}."]


def describe_answer(samples: MatchSamples, index: int) -> list[str]:
    """Say how often the next player can score at once after a move; nothing if they hardly ever can."""
    tried, scoring, seats = 0, 0, set[int]()
    with suppress(RuleError):
        for sample in samples.states[:ANSWER_SAMPLES]:
            state = apply_with_forced_picks(samples, sample, index)
            if state.who < 0 or state.who == samples.seat or state.rng != sample.rng or samples.program.shared:
                return []
            seats.add(state.who)
            tried, scoring = tried + 1, scoring + can_score_now(samples, state)
    if not tried or len(seats) > 1 or scoring / tried < RARE_SHARE:
        return []
    return [f"{samples.names.players[seats.pop()]} can score next in {format_tenths(scoring / tried)} cases."]


def can_score_now(samples: MatchSamples, state: State) -> bool:
    """Return whether the current player has a move that raises their score at once."""
    program, seat = samples.program, state.who
    before = get_player_levels(program, state)[seat]
    for code in state.legal:
        after = program.clone_silently(state)
        program.apply(after, code)
        while after.who == seat and after.picks and len(after.legal) == 1:
            program.apply(after, after.legal[0])
        if after.rng == state.rng and get_player_levels(program, after)[seat] > before:
            return True
    return False
