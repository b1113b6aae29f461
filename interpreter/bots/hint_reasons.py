"""Reasons for a move in a hint apart from its effects and playouts: the chance to win a pot, and tricks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from math import ceil

from cardlang import model as g
from cardlang.english.morphology import capitalize_first_letter, format_count, singularize
from interpreter.bots.betting_model import (
    CALL_FACTOR,
    MIN_HINT_SAMPLES,
    HandOutlook,
    build_betting_policy,
    compute_min_call_share,
)
from interpreter.bots.hint_samples import MatchSamples
from interpreter.bots.hint_text import MoveSummary, can_be_equally_good
from interpreter.bots.move_effects import find_owned_cards, find_private_piles
from interpreter.bots.trick_reasons import describe_trick_win, format_tenths
from interpreter.program.betting_roles_and_shown_hand import CALL, FOLD, RAISE, find_shown_reading
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, State
from interpreter.runtime.value_formatting import join_items

MAX_ANSWERS = 20
"""Maximum number of moves from a choice to the player's next decision."""


def find_move_reasons(samples: MatchSamples, code: int) -> list[str]:
    """Return sentences about a move, given by its code. The list is empty if none apply."""
    reasons = []
    with suppress(RuleError):
        if samples.outlook is not None and samples.outlook.games:
            reasons.append(describe_winning_odds(samples.outlook, get_pot_odds(samples)))
        reasons += describe_trick_win(samples, code)
    return reasons


def describe_kept_hand(samples: MatchSamples, codes: Sequence[int]) -> list[str]:
    """Say what a set of picks leaves of a hand that the game reads, and how often new cards improve its rank."""
    name, seat, program = find_shown_reading(samples.program.game), samples.seat, samples.program
    if name is None:
        return []
    better, drawn = 0, 0
    with suppress(RuleError):
        before = program.evaluate_player_value(name, samples.states[0], seat)
        if before is None:
            return []
        for sample in samples.states:
            state = samples.apply_move(sample, *codes)
            after = program.evaluate_player_value(name, state, seat)
            if after is None or state.rng != sample.rng:
                return []
            drawn += bool(find_owned_cards(samples, state) - find_owned_cards(samples, sample))
            better += after.rank < before.rank
        kept = not any(code - 1 in before.used for code in codes)
        held = f"It keeps {samples.names.describe_value(program.game.defines[name].type, before)}" if kept else "It"
        share = format_tenths(better / len(samples.states))
        improves = f"improves {'it' if kept else 'the hand'} in {share} draws"
        return [f"{held}{' and' * kept} {improves}." if drawn else f"{held}."] if kept or drawn else []
    return []


def describe_kept_suits(samples: MatchSamples, codes: Sequence[int]) -> list[str]:
    """Say how many cards of each suit a set of picks leaves, in a game of tricks."""
    program, best = samples.program, samples.best_trick_card
    suits = [column for column in program.game.columns.values() if is_suit(program.game, column)]
    if best is None or len(suits) != 1 or not samples.states:
        return []
    state, picked = samples.states[0], {code - 1 for code in codes if code != DONE}
    own = {card for pile in find_private_piles(samples) for card in state.z[pile]}
    if not picked < own:
        return []
    counts = Counter(suits[0].get_member_index(program.face[card]) for card in own - picked)
    names = [member.name for member in program.game.kinds[str(suits[0].type.of)].members]
    phrases = [format_count(counts[index] or "no", singularize(name), name) for index, name in enumerate(names)]
    return [f"It leaves you {join_items(phrases)}."]


def is_suit(game: g.Game, column: g.Column) -> bool:
    """Return whether a column holds members of an unordered kind."""
    kind = game.kinds.get(str(column.type.of))
    return kind is not None and not kind.ordered


def describe_later_number(samples: MatchSamples, codes: Sequence[int]) -> list[str]:
    """Say what number about their hand the player can expect at their next decision, if it is not known yet.

    For example, the points of a hand with a card that is not turned up yet.
    """
    found = dict[str, list[float]]()
    with suppress(RuleError):
        for sample in samples.states:
            state = samples.apply_move(sample, *codes)
            for _ in range(MAX_ANSWERS):
                if state.who < 0 or (state.who == samples.seat and samples.program.get_site(state) is not samples.site):
                    break
                samples.program.apply(state, samples.random.choice(state.legal))
            before, after = (evaluate_called_numbers(samples, each) for each in (sample, state))
            for name, value in after.items():
                if name not in before:
                    found.setdefault(name, []).append(value)
    noun = next((noun for noun, values in found.items() if len(values) == len(samples.states) and any(values)), None)
    if noun is None:
        return []
    return [f"{capitalize_first_letter(noun)}: {sum(found[noun]) / len(found[noun]):.1f} on average."]


def evaluate_called_numbers(samples: MatchSamples, state: State) -> dict[str, float]:
    """Return the numbers of the player that the rules define with a plural noun and that are known now, by the noun."""
    program, numbers = samples.program, dict[str, float]()
    for define in program.game.defines.values():
        if define.subject == "player" and define.second is None and define.type.tag == "number" and define.noun.counted:
            value = program.evaluate_player_value(define.name, state, samples.seat)
            if value is not None:
                numbers[define.noun.plural] = float(value)
    return numbers


def is_close_to_odds(share: float, pot_odds: float) -> bool:
    """Return whether the chance to win is close to the pot odds."""
    return pot_odds / CALL_FACTOR <= share < pot_odds * CALL_FACTOR


def find_even_moves(samples: MatchSamples) -> frozenset[int]:
    """Return the indices of the moves that fold or call, if the pot odds are close; else an empty set."""
    if samples.outlook is None or not is_close_to_odds(samples.outlook.share, get_pot_odds(samples)):
        return frozenset()
    betting = build_betting_policy(samples.program)
    assert betting is not None
    roles = [betting.get_role(samples.site, code) for code in samples.states[0].legal]
    return frozenset(index for index, role in enumerate(roles) if role in (FOLD, CALL))


def prefer_value_bet(samples: MatchSamples, moves: tuple[MoveSummary, ...]) -> tuple[MoveSummary, ...]:
    """Return the moves with a bet first that may be as good as a check, if the hand wins most showdowns."""
    outlook = samples.outlook
    if outlook is None or get_pot_odds(samples) or outlook.share - outlook.share_error <= 1 / 2:
        return moves
    betting = build_betting_policy(samples.program)
    assert betting is not None
    roles = {move.index: betting.get_role(samples.site, samples.states[0].legal[move.index]) for move in moves}
    bets = (move for move in moves if roles[move.index] == RAISE and not move.is_unfit)
    best = next((move for move in bets if can_be_equally_good(moves[0], move)), moves[0])
    return moves if roles[moves[0].index] == RAISE else (best, *(move for move in moves if move is not best))


def get_pot_odds(samples: MatchSamples) -> float:
    """Return the pot odds: the minimum share of wins that makes a call profitable; 0 if it is free."""
    betting = build_betting_policy(samples.program)
    return compute_min_call_share(betting, samples.states[0]) if betting is not None and samples.states else 0.0


def describe_likelihood(prospect: HandOutlook) -> str:
    """Return a word for a chance to win that is certain to be above or below one half."""
    if prospect.share - prospect.share_error > 1 / 2:
        return "likely"
    if prospect.share + prospect.share_error < 1 / 2:
        return "unlikely"
    return "a gamble, as far as a few playouts can tell"


def describe_winning_odds(prospect: HandOutlook, pot_odds: float) -> str:
    """Say how often a hand wins, with the error, and the pot odds; say so if the two are close.

    With few samples, use words instead of numbers."""
    if prospect.games < MIN_HINT_SAMPLES:
        return f"If no one folds, winning is {describe_likelihood(prospect)}."
    share, error = prospect.share, ceil(100 * prospect.share_error)
    chance = f"our hand wins about {100 * share:.0f} % of showdowns (± {error})"
    if not pot_odds:
        return f"Y{chance}."
    close = " That is close." if is_close_to_odds(share, pot_odds) else ""
    return f"You need {100 * pot_odds:.0f} % to call; y{chance}.{close}"
