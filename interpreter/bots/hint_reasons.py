"""Reasons for a hint: move effects, hand strength, tricks.

Effects and strength are estimated from samples: new deals of the cards that the current player cannot see. An effect
that all other moves share is no reason for a move. Neither is a number that the move itself states, such as the size of
a bet. If several cards surely win, the module also finds the simplest choice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil

from attrs import evolve, frozen

from cardlang import model as g
from interpreter.bots.betting_model import (
    CALL_FACTOR,
    MIN_HINT_SAMPLES,
    HandOutlook,
    build_betting_policy,
    compute_min_call_share,
)
from interpreter.bots.hint_text import MoveSummary, can_be_equally_good
from interpreter.bots.playout_search import MatchSamples
from interpreter.program.betting_roles import CALL, FOLD, find_option_roles
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import DONE, State
from interpreter.runtime.value_formatting import join_items
from interpreter.view.shown_values_and_hand_notes import DisplayValues

EFFECT_SAMPLES = 6
"""Number of samples in which a move must have the same effect."""
MAX_CHANGES = 2
"""Maximum number of changed numbers to mention."""
ShownNumbers = dict[str, tuple[int | Fraction, str]]


@frozen
class MoveEffect:
    """Changes made by a move.

    numbers: the name, the values before and after as people write them, and the difference.
    cards: the codes of the cards gained.
    card_values: the values shown for the chosen card.
    """

    numbers: tuple[tuple[str, str, str, int | Fraction], ...]
    cards: tuple[str, ...]
    card_values: str = ""


def describe_move_effect(samples: MatchSamples, index: int, others: Iterable[int], label: str) -> list[str]:
    """Describe the effect of a move in one or two sentences.

    index: the move's index.
    others: the moves to compare with.
    label: the name of the move. Cards in it are not mentioned again.
    """
    own_effect = find_effect(samples, index)
    if own_effect is None:
        return []
    rest = [effect for other in others if (effect := find_effect(samples, other)) is not None]
    numbers = [item for item in own_effect.numbers if not rest or any(item not in other.numbers for other in rest)]
    changes = [f"{noun} from {before} to {after}" for noun, before, after, _ in drop_mirrored_changes(numbers)]
    cards = [f"[{card}]" for card in own_effect.cards if f"[{card}]" not in label]
    gained = [f"You get {join_items(cards)}."] if cards else []
    values = own_effect.card_values if any(own_effect.card_values != effect.card_values for effect in rest) else ""
    shown = [f"{values[0].upper()}{values[1:]}."] if values else []
    return [*gained, *shown, *([f"Immediately: {'; '.join(changes)}."] if changes else [])]


def drop_mirrored_changes(
    numbers: Iterable[tuple[str, str, str, int | Fraction]],
) -> list[tuple[str, str, str, int | Fraction]]:
    """Return the first few changes, without changes that mirror another, such as the points still needed."""
    changes: list[tuple[str, str, str, int | Fraction]] = []
    for change in numbers:
        if all(abs(change[3]) != abs(other[3]) for other in changes):
            changes.append(change)
    return changes[:MAX_CHANGES]


def find_effect(samples: MatchSamples, index: int) -> MoveEffect | None:
    """Return the effect that a move has in every sample; None if there is none."""
    effects = [find_effect_in_sample(samples, world, world.legal[index]) for world in samples.states[:EFFECT_SAMPLES]]
    known = [each for each in effects if each is not None]
    if not known or len(known) < len(effects):
        return None
    numbers = tuple(each for each in known[0].numbers if all(each in other.numbers for other in known))
    cards = tuple(each for each in known[0].cards if all(each in other.cards for other in known))
    same = all(each.card_values == known[0].card_values for each in known)
    return MoveEffect(numbers, cards, known[0].card_values if same else "")


def find_effect_in_sample(samples: MatchSamples, sample: State, code: int) -> MoveEffect | None:
    """Return the effect in one sample; None if it involves a random event or breaks a rule."""
    with suppress(RuleError):
        state = samples.apply_move(sample, code)
        if state.rng != sample.rng:
            return None
        before, after = collect_shown_numbers(samples, sample), collect_shown_numbers(samples, state)
        changed = [(noun, before[noun], after[noun]) for noun in before if noun in after]
        picked = code - 1 if samples.site.kind == "pick" and code != DONE else None
        numbers = ((noun, one[1], two[1], two[0] - one[0]) for noun, one, two in changed if one[0] != two[0])
        return MoveEffect(
            tuple(number for number in numbers if not is_stated_by_move(samples, code, number[-1])),
            tuple(samples.names.get_card_code(card) for card in find_gained_cards(samples, sample, state)),
            describe_card_values(samples, sample, picked) if picked is not None else "",
        )
    return None


def is_stated_by_move(samples: MatchSamples, code: int, change: int | Fraction) -> bool:
    """Return whether the move itself states the change: it is a bet, or the number is chosen."""
    if any(find_option_roles(samples.program.game, samples.site)):
        return True
    return samples.site.asks_number and samples.program.decode_move(samples.site, code)[1][-1] == change


def describe_card_values(samples: MatchSamples, sample: State, card: int) -> str:
    """Return the values shown for a card, such as `makes the count 21, pegs 2` or `ways to capture: [5♣]`."""
    names = samples.names
    ref = names.refs.build_card_ref(sample, card)
    shown = [view for at, view in DisplayValues(names, sample).list_values_by_card_ref(samples.seat) if at == ref]
    return ", ".join(
        f"{view.noun}{':' if isinstance(view.value, str) else ''} {view.text}"
        for view in shown
        if view.value is not True
    )


def collect_shown_numbers(samples: MatchSamples, state: State) -> ShownNumbers:
    """Return the numbers about the player that the game shows to them."""
    player = samples.names.players[samples.seat]
    return {
        shown_value.noun: (shown_value.value, shown_value.text)
        for shown_value in DisplayValues(samples.names, state).get_shown_values(samples.seat)
        if shown_value.owner == player
        and isinstance(shown_value.value, int | Fraction)
        and not isinstance(shown_value.value, bool)
    }


def find_gained_cards(samples: MatchSamples, before: State, after: State) -> list[int]:
    """Return the cards that the player gains, in ascending order.

    Cards that were theirs before do not count, such as a card that they have just played to the trick.
    """
    new_cards = find_owned_cards(samples, after) - find_owned_cards(samples, before)
    return sorted(card for card in new_cards if before.owner[card] != samples.seat)


def find_owned_cards(samples: MatchSamples, state: State) -> set[int]:
    """Return the cards in the player's own zones."""
    program, seat = samples.program, samples.seat
    piles = [pile for pile, slot in enumerate(program.zones) if slot.zone.subject == "player" and slot.of == seat]
    return {card for pile in piles for card in state.z[pile]}


RARE_SHARE = 0.05
GAIN_SAMPLES = 20
"""Number of samples for the gain from a trick."""


def describe_trick_win(samples: MatchSamples, code: int) -> list[str]:
    """Describe how often a card wins the trick if the other players play at random."""
    ends = play_out_trick(samples, code)
    if ends is None:
        return describe_trick_roles(samples, code)
    taken = sum(state is not None for state in ends) / len(ends)
    if is_last_card(samples, code):
        return ["It takes the trick." if taken else "It does not take the trick."]
    if not taken and is_beaten(samples, code):
        return ["It cannot take the trick."]
    gain = describe_average_gain(samples, ends)
    if taken == 1 and is_unbeatable(samples, code):
        return [f"It takes the trick{f'; {gain}' if gain else ''}."]
    return [f"It takes the trick in {format_tenths(taken)} cases{f'; if so, {gain}' if gain else ''}."]


def describe_trick_roles(samples: MatchSamples, code: int) -> list[str]:
    """Describe the roles a card gives its player, while the trick is complete on the table.

    Return, for example, `It makes you best in the trick in 3 of 10 cases, lowest in the trick in 5 of 10.`

    The roles come from the game's `show` lines. The result is empty if they are not known in every sample.
    """
    if find_trick_pile(samples) is None or code == DONE or not samples.states:
        return []
    trick_roles = [
        find_player_roles(samples, state)
        for world in samples.states
        if (state := complete_trick(samples, world, code)) is not None
    ]
    counted = Counter(noun for roles in trick_roles for noun in roles)
    if len(trick_roles) < len(samples.states) or not counted:
        return []
    shares = {
        noun: counted[noun] / len(trick_roles) for noun in counted if counted[noun] / len(trick_roles) >= RARE_SHARE
    }
    if not is_same_trick(samples, samples.apply_move(samples.states[0], code)):
        return [f"It makes you {join_items(list(shares))}."]
    first, *others = [f"{noun} in {format_tenths(share)}" for noun, share in shares.items()] or [""]
    return [f"It makes you {', '.join([f'{first} cases', *others])}."] if first else []


def complete_trick(samples: MatchSamples, sample: State, code: int) -> State | None:
    """Return the state of a sample after random play to the trick; None if the trick is no longer on the table."""
    pile, state = find_trick_pile(samples), samples.apply_move(sample, code)
    while state.loc[code - 1] == pile and is_same_trick(samples, state):
        samples.program.apply(state, samples.random.choice(state.legal))
    return state if state.loc[code - 1] == pile else None


def is_same_trick(samples: MatchSamples, state: State) -> bool:
    """Return whether the current player chooses a card for the same trick."""
    return state.who >= 0 and find_trick_pile(evolve(samples, site=samples.program.get_site(state))) == find_trick_pile(
        samples
    )


def find_player_roles(samples: MatchSamples, state: State) -> list[str]:
    """Return the names of the game's roles that a player has, such as the best in the trick."""
    player, defines = samples.names.players[samples.seat], samples.program.game.defines
    shown = DisplayValues(samples.names, state).get_shown_values(samples.seat)
    return [
        shown_value.noun
        for shown_value in shown
        if shown_value.owner is None and shown_value.value == player and shown_value.name in defines
    ]


def describe_average_gain(samples: MatchSamples, ends: list[State | None]) -> str:
    """Return `deal total rises by 4.2 on average`, or an empty string if it just counts the trick."""
    won = [(world, state) for world, state in zip(samples.states, ends, strict=True) if state is not None][
        :GAIN_SAMPLES
    ]
    number_pairs = [
        (collect_shown_numbers(samples, world), collect_shown_numbers(samples, state)) for world, state in won
    ]
    for noun in number_pairs[0][0] if number_pairs else ():
        changes = [float(after[noun][0] - before[noun][0]) for before, after in number_pairs if noun in after]
        if len(changes) == len(number_pairs) and set(changes) != {1.0} and sum(changes) >= len(changes) / 2:
            return f"{noun} rises by {sum(changes) / len(changes):.1f} on average"
    return ""


def format_tenths(share: float) -> str:
    """Return `3 of 10`. Small samples give no `never` or `always`, but `hardly any` and `nearly all`."""
    return (
        "hardly any" if share < RARE_SHARE else "nearly all" if share > 1 - RARE_SHARE else f"{round(10 * share)} of 10"
    )


def play_out_trick(samples: MatchSamples, code: int) -> list[State | None] | None:
    """Return by sample the state after the trick if the player wins it, else None, with random play by the others.

    Return None for the list if the move plays no card to a trick, or if several players take its cards. The list is
    also None if a new deal follows immediately, because the winner is no longer known then.
    """
    pile, card = find_trick_pile(samples), code - 1
    if pile is None or code == DONE or not samples.states:
        return None
    ends = list[State | None]()
    for world in samples.states:
        state, played_cards = samples.apply_move(world, code), {card, *world.z[pile]}
        while state.loc[card] == pile and state.who >= 0:
            choice = samples.random.choice(state.legal)
            played_cards |= (
                {choice - 1}
                if find_trick_pile(evolve(samples, site=samples.program.get_site(state))) == pile
                else set()
            )
            samples.program.apply(state, choice)
        if state.rng != world.rng or len({state.owner[played] for played in played_cards}) > 1:
            return None
        ends.append(state if state.owner[card] == samples.seat else None)
    return ends


def is_last_card(samples: MatchSamples, code: int) -> bool:
    """Return whether a card completes the trick."""
    state = samples.apply_move(samples.states[0], code)
    return state.loc[code - 1] != find_trick_pile(samples) or state.who < 0


def is_beaten(samples: MatchSamples, code: int) -> bool:
    """Return whether the rules rank a card of the trick above this one."""
    if samples.best_trick_card is None:
        return False
    state = samples.apply_move(samples.states[0], code)
    return bool(samples.program.evaluate(samples.best_trick_card, state) != code - 1)


def is_unbeatable(samples: MatchSamples, code: int) -> bool:
    """Return whether no card that the other players may hold beats this one."""
    pile, sample = find_trick_pile(samples), samples.states[0]
    if samples.best_trick_card is None or pile is None:
        return False
    slots = samples.program.zones
    hand = slots[sample.loc[code - 1]].zone
    hands = [place for place, slot in enumerate(slots) if slot.zone == hand and slot.of != samples.seat]
    held = {card for state in samples.states for place in hands for card in state.z[place]}
    return all(find_winning_card(samples, [*sample.z[pile], code - 1, card]) == code - 1 for card in held)


def prefer_simplest_card(samples: MatchSamples, moves: tuple[MoveSummary, ...]) -> tuple[MoveSummary, ...]:
    """Return the moves with the best first, but prefer a simple choice among cards that surely win the trick.

    Among moves that may be equally good, the lowest card comes first, or the highest if low scores are good.
    """
    legal = samples.states[0].legal if samples.states else []
    if (
        find_trick_pile(samples) is None
        or samples.best_trick_card is None
        or not is_sure_to_win(samples, legal[moves[0].index])
    ):
        return moves
    first, high = moves[0], is_low_good(samples)
    for move in moves[1:]:
        one, other = (first, move) if high else (move, first)
        if can_be_equally_good(moves[0], move) and is_card_stronger(samples, legal[other.index], legal[one.index]):
            first = move if is_sure_to_win(samples, legal[move.index]) else first
    return first, *(move for move in moves if move is not first)


def is_sure_to_win(samples: MatchSamples, code: int) -> bool:
    ends = play_out_trick(samples, code)
    return ends is not None and None not in ends


def is_low_good(samples: MatchSamples) -> bool:
    standing = samples.program.game.orders.get("standing")
    return standing is not None and standing.lines[0].how == "lower"


def is_card_stronger(samples: MatchSamples, card: int, other_card: int) -> bool:
    """Return whether a card beats another, in either order of play."""
    return all(
        find_winning_card(samples, pair) == card - 1
        for pair in ([card - 1, other_card - 1], [other_card - 1, card - 1])
    )


def find_winning_card(samples: MatchSamples, cards: list[int]) -> object:
    """Return the winner of a trick of these cards."""
    pile, state = find_trick_pile(samples), samples.program.clone(samples.states[0])
    assert pile is not None and samples.best_trick_card is not None
    state.z[pile] = cards
    for card in cards:
        state.loc[card] = pile
    return samples.program.evaluate(samples.best_trick_card, state)


def find_trick_pile(samples: MatchSamples) -> int | None:
    """Return the pile that the chosen card goes to, if the game shows it as a trick; else None."""
    statement, game = samples.site.statement, samples.program.game
    if samples.site.kind != "pick" or not isinstance(statement, g.Pick) or statement.position is not None:
        return None
    zone = statement.to.zone
    if not any(show.zone == zone and show.form == "trick" for show in game.shows):
        return None
    return samples.program.layout.zone_base[zone]


def find_move_reasons(samples: MatchSamples, code: int, others: Sequence[int] = ()) -> list[str]:
    """Return sentences about a move, given by its code. The list is empty if none apply.

    others: the codes of the other moves. What is true of them all is no reason.
    """
    reasons = []
    with suppress(RuleError):
        if samples.outlook is not None and samples.outlook.games:
            reasons.append(describe_winning_odds(samples.outlook, get_pot_odds(samples)))
        trick_reasons = describe_trick_win(samples, code)
        if not others or any(describe_trick_win(samples, other) != trick_reasons for other in others):
            reasons += trick_reasons
    return reasons


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
    chance = f"about {100 * share:.0f} % (± {error}) if no one folds and their bets match their hands"
    if not pot_odds:
        return f"Your chance to win is {chance}."
    close = " That is close." if is_close_to_odds(share, pot_odds) else ""
    return f"You need {100 * pot_odds:.0f} % to call; you have {chance}.{close}"
