"""Sure gains and losses of moves: the preference for them, and the chances that a move gives to the next player.

A number that the game shows counts as a gain if it agrees with the score: in random play to the end of the deal, a
player with a higher number scores more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from statistics import StatisticsError, correlation

from attrs import evolve, frozen

from interpreter.bots.candidate_moves import list_sets
from interpreter.bots.hint_samples import MatchSamples
from interpreter.bots.hint_text import MIN_EQUAL_PLAYOUTS, MoveSummary, can_be_equally_good
from interpreter.bots.move_effects import (
    EFFECT_SAMPLES,
    ShownNumbers,
    apply_with_forced_picks,
    collect_shown_numbers,
    find_effect,
    find_owned_cards,
    find_private_piles,
    find_spent_cards,
)
from interpreter.bots.playout_results import get_player_levels, sum_cooperative_life_shares
from interpreter.bots.trick_reasons import RARE_SHARE, format_tenths
from interpreter.match.determinization import find_move_cards
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import ABSENT, DONE, State
from interpreter.runtime.value_formatting import join_items

SCORING_SAMPLES = 30
"""Number of samples that are played to the end of the deal."""
SCORING_HORIZON = 150
"""Number of moves after which a scoring is too far away."""
MIN_CORRELATION = 0.4
"""Correlation above which a number counts for the score: 30 samples without any correlation hardly ever exceed it."""
MIN_SCORED_SAMPLES = 12
ANSWER_SAMPLES = 30
"""Number of samples in which the next player's moves are tried."""
MIN_DIFFERENCE = 0.15
"""Difference of two shares that is worth a sentence."""
MAX_PLAYS = 2
"""Maximum number of plays within which a hint looks for a way to play the last cards."""
MAX_PLAYED_SETS = 64
MAX_NAMED_FACES = 5
"""Number of faces up to which a hint names all that an unknown card can have."""


def prefer_sure_gain(
    samples: MatchSamples, moves: tuple[MoveSummary, ...]
) -> tuple[tuple[MoveSummary, ...], frozenset[int]]:
    """Return the moves with the best first, but of moves that may be equally good, the one that surely gains most now.

    Also return the indices of those that surely gain less now. The score comes first, then a card turned up in a
    solitaire, then a number that counts for the score. Bets are never a gain.
    """
    if samples.outlook is not None:
        return moves, frozenset()
    first = moves[0]
    others = [move for move in moves[1:] if move.games >= MIN_EQUAL_PLAYOUTS and can_be_equally_good(first, move)]
    alike = [first, *others]
    if len(alike) == 1:
        return moves, frozenset()
    gains = measure_sure_gains(samples, alike)
    best = max(alike, key=lambda move: gains[move.index])
    lesser = frozenset(index for index, gain in gains.items() if gain < gains[best.index])
    return (best, *(move for move in moves if move is not best)), lesser


def measure_sure_gains(samples: MatchSamples, moves: list[MoveSummary]) -> dict[int, tuple[float, bool, float]]:
    """Return by index what each move surely gains now: score, whether it turns up a card, a number that counts.

    A cost may pay off later, so it is no loss.
    """
    effects = {move.index: find_effect(samples, move.index) for move in moves}
    changes = {
        index: {noun: float(change) for noun, before, _, change in effect.numbers if before} if effect else {}
        for index, effect in effects.items()
    }
    nouns = {noun for found in changes.values() for noun in found}
    differing = {noun for noun in nouns if len({found.get(noun, 0.0) for found in changes.values()}) > 1}
    counting, sign = find_scored_number(samples, differing) if differing else ("", 0)
    return {
        index: (
            max(compute_sure_gain(samples, index), 0.0),
            effect is not None and effect.turns_up,
            sign * changes[index].get(counting, 0.0),
        )
        for index, effect in effects.items()
    }


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
            if len(known) >= 2:
                found.append((noun, correlation(*zip(*known, strict=True))))
    noun, agreement = max(found, key=lambda pair: abs(pair[1]))
    return noun, (agreement > 0) - (agreement < 0) if abs(agreement) >= MIN_CORRELATION else 0


def play_to_scoring(samples: MatchSamples) -> Iterator[tuple[ShownNumbers, float]]:
    """Yield the player's shown numbers before the last scoring of a deal and the gain, by random play in samples."""
    program, seat = samples.program, samples.seat
    for sample in samples.states[:SCORING_SAMPLES]:
        with suppress(RuleError):
            state, start = program.clone_silently(sample), get_player_levels(program, sample)
            now, scored = start, None
            for _ in range(SCORING_HORIZON):
                if state.who < 0 or state.rng != sample.rng:
                    break
                last = program.clone_silently(state)
                program.apply(state, samples.random.choice(state.legal))
                if (after := get_player_levels(program, state)) != now:
                    now, scored = after, last
            if scored is not None:
                yield collect_shown_numbers(samples, scored), now[seat] - start[seat]


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


def describe_saved_cards(samples: MatchSamples, index: int, other: int) -> list[str]:
    """Say which cards a pass keeps that the best other move would spend."""
    if samples.get_codes(samples.states[0], index)[0] != DONE or find_spent_cards(samples, index):
        return []
    spent = [f"[{samples.names.get_card_code(card)}]" for card in sorted(find_spent_cards(samples, other))]
    return [f"It keeps {join_items(spent)}."] if spent else []


def describe_answer(samples: MatchSamples, index: int, others: Sequence[int]) -> list[str]:
    """Say how often another player can answer a move instead of passing, or else what the next one can gain at once.

    others: the other moves, best first. What is true of the next two as well is no reason.
    """
    passes = samples.get_codes(samples.states[0], index)[0] == DONE
    own, *rest = [measure_answers(samples, each) for each in (index, *others[:2])]
    if own is None or passes:
        return []
    if own.answered is not None:
        shares = [other.answered for other in rest if other is not None and other.answered is not None]
        cases = f"Another player can answer in {format_tenths(own.answered)} cases."
        telling = any(abs(share - own.answered) >= MIN_DIFFERENCE for share in shares)
        return [cases if own.answered else "The others can only pass."] if telling else []
    if samples.sets:
        return []
    if own.scoring >= RARE_SHARE:
        return [f"{own.name} can score next in {format_tenths(own.scoring)} cases."]
    if any(other is not None and abs(other.taking - own.taking) >= MIN_DIFFERENCE for other in rest):
        cases = f"{own.name} can take cards next in {format_tenths(own.taking)} cases."
        return [cases if own.taking >= RARE_SHARE else f"{own.name} can take no cards next."]
    return []


@frozen
class Answers:
    """Answers of the next player to a move, by the share of samples.

    name: the next player.
    answered: another player can do more than pass; None if they can't pass.
    scoring, taking: the next player can score, or get cards that were not theirs.
    """

    name: str
    answered: float | None
    scoring: float
    taking: float


def measure_answers(samples: MatchSamples, index: int) -> Answers | None:
    """Return the answers to a move; None if no other player is next in all samples, or if the score is shared."""
    answered, scoring, taking, can_pass, seats = 0, 0, 0, True, set[int]()
    tried = samples.states[:ANSWER_SAMPLES]
    if samples.program.shared:
        return None
    with suppress(RuleError):
        for sample in tried:
            state = apply_with_forced_picks(samples, sample, index)
            if state.who < 0 or state.who == samples.seat or state.rng != sample.rng:
                return None
            seats.add(state.who)
            can_pass &= is_optional_pick(samples, state)
            answered += can_pass and not is_unanswered(samples, state)
            gains = list(list_gains(samples, state))
            scoring += any(points > 0 for points, _ in gains)
            taking += any(cards > 0 for _, cards in gains)
    if len(seats) != 1:
        return None
    shares = [count / len(tried) for count in (answered, scoring, taking)]
    return Answers(samples.names.players[seats.pop()], shares[0] if can_pass else None, shares[1], shares[2])


def is_optional_pick(samples: MatchSamples, state: State) -> bool:
    """Return whether the current player may pass instead of choosing cards, as in games of higher and higher cards."""
    return DONE in state.legal and samples.program.get_site(state).kind in ("pick", "several")


def prefer_way_out(samples: MatchSamples, moves: tuple[MoveSummary, ...]) -> tuple[MoveSummary, ...]:
    """Return the moves with one first that surely plays the last cards, if the others can only pass in between."""
    outs = [(move, plays) for move in moves if (plays := count_plays_to_way_out(samples, move.index))]
    if not outs:
        return moves
    best = min(outs, key=lambda out: out[1])[0]
    return best, *(move for move in moves if move is not best)


def describe_way_out(samples: MatchSamples, index: int) -> list[str]:
    """Say that a move plays the last cards, or surely leads to it."""
    plays = count_plays_to_way_out(samples, index)
    if plays == 1:
        return ["You play your last cards."]
    return ["The others can only pass, and then you can play your last cards."] if plays else []


def count_plays_to_way_out(samples: MatchSamples, index: int) -> int:
    """Return with how many plays a move surely plays the last cards, if others may only pass; 0 if that is not sure."""
    states = samples.states[:ANSWER_SAMPLES]
    is_kind = samples.site.kind in ("pick", "several") and not samples.program.shared
    if not is_kind or not states or all(len(state.legal) < 2 for state in states):
        return 0
    with suppress(RuleError):
        for plays in range(1, MAX_PLAYS + 1):
            if goes_out(samples, states, samples.get_codes(states[0], index), plays):
                return plays
    return 0


def goes_out(samples: MatchSamples, states: Sequence[State], codes: Sequence[int], plays: int) -> bool:
    """Return whether a play, and the best plays after it, surely play the last cards in all these states."""
    piles, afters = find_private_piles(samples), list[State]()
    held = {card for pile in piles for card in states[0].z[pile]}
    if not held or codes[0] == DONE:
        return False
    is_last = held <= {code - 1 for code in codes}
    for state in states:
        after = samples.apply_move(state, *codes)
        if after.who < 0 or after.who == samples.seat or after.rng != state.rng:
            return False
        if not is_optional_pick(samples, after) or (not is_last and not is_unanswered(samples, after)):
            return False
        afters.append(after)
    if is_last or plays == 1:
        return is_last
    for after in afters:
        while after.who not in (ABSENT, samples.seat) and DONE in after.legal:
            samples.program.apply(after, DONE)
        if after.who != samples.seat:
            return False
    options = list_sets(samples.program, afters[0], MAX_PLAYED_SETS) or [(code,) for code in afters[0].legal]
    return any(goes_out(samples, afters, option, plays - 1) for option in options)


def is_unanswered(samples: MatchSamples, state: State) -> bool:
    """Return whether the other players can only pass until the player's next decision, or the end of the round."""
    after = samples.program.clone_silently(state)
    while after.who >= 0 and after.who != samples.seat and DONE in after.legal:
        if len(after.legal) > 1:
            return False
        samples.program.apply(after, DONE)
    return True


def list_gains(samples: MatchSamples, state: State) -> Iterator[tuple[float, int]]:
    """Yield the points and the number of cards that each move of the current player gains at once."""
    program, other = samples.program, evolve(samples, seat=state.who)
    before, owned = get_player_levels(program, state)[state.who], len(find_owned_cards(other, state))
    for code in state.legal:
        after = program.clone_silently(state)
        program.apply(after, code)
        while after.who == state.who and len(after.legal) == 1:
            program.apply(after, after.legal[0])
        if after.rng == state.rng:
            gained = len(find_owned_cards(other, after)) - owned
            yield get_player_levels(program, after)[state.who] - before, gained
