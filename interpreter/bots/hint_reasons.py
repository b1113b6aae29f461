"""Reasons for a move in a hint apart from its effects and playouts: the chance to win a pot, and tricks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import ceil

from interpreter.bots.betting_model import (
    CALL_FACTOR,
    MIN_HINT_SAMPLES,
    HandOutlook,
    build_betting_policy,
    compute_min_call_share,
)
from interpreter.bots.match_samples import MatchSamples
from interpreter.bots.move_effects import find_owned_cards
from interpreter.bots.trick_reasons import describe_trick_win, format_tenths
from interpreter.program.betting_roles import CALL, FOLD, find_shown_reading
from interpreter.runtime.errors import RuleError


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
