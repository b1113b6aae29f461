"""Belief sampler: deals consistent with earlier moves, weighted by bets.

A sampled deal agrees with a move if the move is legal with the cards of that deal. If it is not, the moves that are
legal instead show which cards the player cannot have had. The sampler swaps those cards with others. After a few rounds
of repair, it uses the sample as it is.

Inferences end at each random event. They also end if a card moves that another player sees and the observer does not:
the observer cannot know which card left a hidden hand. So inferences depend only on the observer's knowledge.

Each public bet updates the weights by its probability with the hand in that sample (Bayes' rule). A hand's strength is
its percentile among all hands in the weighted samples at that point. So a player who raised twice has one of the best
hands that raise, not only one of the best of all hands. Discards count as well: a player who draws one card probably
kept four cards that count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from random import Random

from attrs import define, field

from interpreter.bots.betting_model import BlindBettorEstimates, build_betting_policy
from interpreter.bots.clue_inference import PossibleFaces, permute_move_code, update_possible_faces
from interpreter.bots.playout_policy import LearnedPolicy
from interpreter.hands.hand_evaluator import HandReading
from interpreter.match.determinization import (
    draw_permutation,
    find_card_bindings,
    find_move_cards,
    get_home_zone,
    is_choice_known,
    list_cards_by_position,
    permute_state,
    sample_state,
)
from interpreter.match.event_log import MatchOrigin
from interpreter.match.match import Match
from interpreter.match.state_edits import ChoiceOrEdit, replay_choice
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.rng import get_seed_state
from interpreter.runtime.state import DONE, State

REPAIR_ROUNDS = 12
"""Number of repair rounds for a sample."""
CERTAIN_SAMPLES = 24
"""Number of consecutive samples in which a move was legal, after which it counts as independent of hidden cards."""
MAX_OBSERVED_MOVES = 120
"""Number of recent moves stored since the last random event."""


@define(eq=False)
class ObservedMove:
    """Move of any player. `before`: the state before the move.

    held_cards: the cards hidden from the observer that the player owned and could see then, in their current order.
    agreeing_samples: the number of consecutive samples in which the move was legal.
    excluded_faces: faces that were not among the held cards.
    """

    before: State
    code: int
    held_cards: list[int] = field(factory=list)
    excluded_faces: set[int] = field(factory=set)
    agreeing_samples: int = 0


class MatchFollower:
    """Follower of a match for one seat. It can follow several matches, one after another."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.origin: MatchOrigin | None = None
        self.choices: list[ChoiceOrEdit] = []
        self.state: State | None = None
        self.blind_bettor_estimates: BlindBettorEstimates | None = None
        """Estimates of betting styles, in games with bets."""

    def process_new_moves(self, match: Match) -> None:
        """Process the moves since the last call."""
        known = len(self.choices)
        if self.origin is not match.origin or match.choices[:known] != self.choices or self.state is None:
            self.origin, self.choices, known = match.origin, [], 0
            self.forget_inferences()
            self.state = match.origin.build_first_state()
            betting = build_betting_policy(match.program)
            self.blind_bettor_estimates = None if betting is None else BlindBettorEstimates(betting)
        program, state = match.program, self.state
        for code in match.choices[known:]:
            before, chance = program.clone(state), state.rng
            replay_choice(match.names, state, code)
            if not isinstance(code, int):
                self.forget_inferences()  # an override may invalidate earlier inferences
                continue
            self.observe_move(match.names, before, code)
            if self.blind_bettor_estimates is not None and self.is_move_known(match.names, before, code):
                self.blind_bettor_estimates.update_estimate(before, code)
            if state.rng != chance:
                self.forget_inferences()
        self.choices = match.choices.copy()

    def get_blind_bet_rate(self, seat: int) -> float:
        """Return the probability that a player bets without looking at their hand."""
        return self.blind_bettor_estimates.get_blind_bet_rate(seat) if self.blind_bettor_estimates is not None else 0.0

    def forget_inferences(self) -> None:
        """Discard the inferences from earlier moves."""
        raise NotImplementedError

    def observe_move(self, names: MatchNames, before: State, code: int) -> None:
        """Process a move of any player."""
        raise NotImplementedError

    def is_move_known(self, names: MatchNames, before: State, code: int) -> bool:
        """Return whether the observer knows a move, by the rules alone."""
        is_simultaneous = names.program.get_site(before).number in names.program.lowering.splitter.simultaneous_sites
        return not is_simultaneous and is_choice_known(names, before, code, self.seat)


class BeliefSampler(MatchFollower):
    """Follower that samples its match."""

    def __init__(self, seat: int) -> None:
        super().__init__(seat)
        self.observed_moves: list[ObservedMove] = []
        self.evidence: list[ObservedMove] = []
        """Moves that are evidence now."""
        self.possible_faces: PossibleFaces = {}
        """Possible faces of the card in each place, by its marks."""
        self.permutation: list[int] = []
        """Permutation of cards in the last sample."""

    # ------------------------------------------------------------ following
    def process_new_moves(self, match: Match) -> None:
        super().process_new_moves(match)
        del self.observed_moves[:-MAX_OBSERVED_MOVES]
        assert self.state is not None
        self.evidence = list(self.find_evidence(match.names, self.state))
        self.update_possible_faces(match.names, self.state)

    def forget_inferences(self) -> None:
        self.observed_moves.clear()

    def observe_move(self, names: MatchNames, before: State, code: int) -> None:
        self.observed_moves.append(ObservedMove(before, code))

    def update_possible_faces(self, names: MatchNames, now: State) -> None:
        """Update the possible faces by all public marks.

        The moves are replayed with a new deal of the hidden cards, so that nothing depends on cards that the observer
        cannot see.
        """
        self.possible_faces = {}
        if not names.program.layout.marks or names.facts.common_knowledge.secrecy.has_secrets:
            return
        renaming = draw_permutation(names, now, self.seat, Random(f"marks {len(self.choices)}"), False)
        may = PossibleFaces()
        afters = [*(move.before for move in self.observed_moves[1:]), now]
        for move, after in zip(self.observed_moves, afters, strict=False):
            if self.is_move_known(names, move.before, move.code):
                one, other = (permute_state(names, state, renaming) for state in (move.before, after))
                with suppress(RuleError):
                    update_possible_faces(
                        names, one, permute_move_code(names, move.before, move.code, renaming), other, may
                    )
        places = {card: position for position, card in enumerate(renaming)}
        self.possible_faces = {places[card]: faces for card, faces in may.items()}

    def find_evidence(self, names: MatchNames, now: State) -> Iterator[ObservedMove]:
        """Yield the known moves of others that are evidence.

        Since such a move, no hidden card has moved that another player could see. In games with secrets there are none,
        because legal moves may depend on secrets.
        """
        program = names.program
        if names.facts.common_knowledge.secrecy.has_secrets:
            return
        hidden = [card for card in list_cards_by_position(now) if not program.is_visible(now, card, self.seat)]
        for move in self.observed_moves:
            before = move.before
            if before.who == self.seat or not self.is_openly_made(names, move, now):
                continue
            if any(self.has_card_moved(program, card, before, now) for card in hidden):
                continue
            who = before.who
            move.held_cards = [
                card for card in hidden if before.owner[card] == who and program.is_visible(before, card, who)
            ]
            if move.held_cards:
                yield move

    def is_hand_evidence(self, names: MatchNames, move: ObservedMove, now: State) -> bool:
        """Return whether another player made this move openly and by cards that are hidden now."""
        return self.is_openly_made(names, move, now) and self.is_based_on_hand(names, move, now)

    def is_discard_evidence(self, names: MatchNames, move: ObservedMove, now: State) -> bool:
        """Return whether another player picked cards by their hand. The picked cards may be hidden."""
        is_pick = names.program.get_site(move.before).kind == "pick"
        return is_pick and self.is_move_known(names, move.before, move.code) and self.is_based_on_hand(names, move, now)

    def is_based_on_hand(self, names: MatchNames, move: ObservedMove, now: State) -> bool:
        """Return whether another player chose by hidden cards that have not moved since.

        Moves of other hands do not matter.

        In games with bets, later discards do not matter either, because they are a part of the weight of a sample.
        """
        program, before, who = names.program, move.before, move.before.who
        if who == self.seat or names.facts.common_knowledge.secrecy.has_secrets:
            return False
        hidden = [card for card in list_cards_by_position(now) if not program.is_visible(now, card, self.seat)]
        hand = [card for card in hidden if program.is_visible(before, card, who)]
        if all(before.owner[card] != who for card in hand):
            return False
        if self.blind_bettor_estimates is not None:
            return not any(program.is_visible(before, card, self.seat) for card in hand)
        return not any(self.has_card_moved(program, card, before, now) for card in hand)

    def has_card_moved(self, program: Program, card: int, before: State, now: State) -> bool:
        """Return whether a hidden card may have been moved by a player who saw it, or was known to the observer."""
        then = before.known[card] | get_seeing_seats(program, before.loc[card])
        others = (then | now.known[card] | get_seeing_seats(program, now.loc[card])) & ~(
            1 << self.seat | 1 << program.players
        )
        return bool(then >> self.seat & 1) or (bool(others) and before.loc[card] != now.loc[card])

    def is_openly_made(self, names: MatchNames, move: ObservedMove, now: State) -> bool:
        """Return whether the observer knows a move and can see all cards in it."""
        program = names.program
        if not self.is_move_known(names, move.before, move.code):
            return False
        return all(
            program.is_visible(now, card, self.seat) for card in find_move_cards(program, move.before, move.code)
        )

    # ------------------------------------------------------------ samples
    def sample(self, match: Match, seed: int) -> State:
        """Return a sample like `Match.sample` that agrees with the moves of others, if possible."""

        def fit(renaming: list[int], chance: Random) -> None:
            self.adjust_permutation(match.names, renaming, chance)
            self.permutation = renaming

        return sample_state(match.names, match.state, self.seat, seed, match.get_secret_values(self.seat), fit)

    def rebuild_past_state(self, names: MatchNames, move: ObservedMove) -> State:
        """Return the state before a move, with the cards of the last sample."""
        return permute_state(names, move.before, self.permutation)

    def adjust_permutation(self, names: MatchNames, permutation: list[int], chance: Random) -> None:
        """Change a permutation of cards so that the moves of others were legal."""
        for _ in range(REPAIR_ROUNDS):
            self.swap_contradicting_cards(names, permutation, chance)
            doubtful = [
                move for move in self.evidence if move.agreeing_samples < CERTAIN_SAMPLES or move.excluded_faces
            ]
            if all([is_consistent(names, move, permutation) for move in doubtful]):
                break

    def swap_contradicting_cards(self, names: MatchNames, permutation: list[int], chance: Random) -> None:
        """Swap cards that contradict the evidence with other cards, as far as possible."""
        assert self.state is not None
        bars: dict[int, set[int]] = {}
        for move in self.evidence:
            for card in move.held_cards if move.excluded_faces else ():
                bars.setdefault(card, set()).update(move.excluded_faces)
        everything = set(names.program.face)
        for position, faces in self.possible_faces.items():
            bars.setdefault(position, set()).update(everything - faces)
        if not bars:
            return
        places = [
            card
            for card in list_cards_by_position(self.state)
            if not names.program.is_visible(self.state, card, self.seat)
        ]
        chance.shuffle(places)
        face = names.program.face

        def fits(card: int, position: int) -> bool:
            return get_home_zone(names, card) == get_home_zone(names, position) and face[
                permutation[card]
            ] not in bars.get(position, NO_FACES)

        for position in places:
            if not fits(position, position):
                ring = find_swap_cycle(position, places, fits)
                for position, card in zip(ring, [permutation[card] for card in (*ring[1:], *ring[:1])], strict=True):
                    permutation[position] = card


def find_swap_cycle(first: int, places: list[int], fits: Callable[[int, int], bool]) -> list[int]:
    """Return the shortest cycle of places through `first` in which each place can take the card of the next.

    The last place takes the card of the first. Return only `first` if there is no cycle. (Breadth-first search.)
    """
    before, todo = {first: first}, [first]
    for position in todo:
        if position != first and fits(first, position):
            ring = [position]
            while ring[-1] != first:
                ring.append(before[ring[-1]])
            return ring[::-1]
        for other in places:
            if other not in before and fits(other, position):
                before[other] = position
                todo.append(other)
    return [first]


NO_FACES: frozenset[int] = frozenset()


def is_consistent(names: MatchNames, move: ObservedMove, permutation: list[int]) -> bool:
    """Return whether a move was legal with the cards of a permutation. If not, record the cards that contradict it."""
    program, state = names.program, permute_state(names, move.before, permutation)
    try:
        program.refresh_legal_moves(state)
    except RuleError:
        return True
    like = get_move_appearance(program, state, move.code)
    if move.code in state.legal or any(get_move_appearance(program, state, code) == like for code in state.legal):
        move.agreeing_samples += 1
        return True
    move.agreeing_samples = 0
    dealt = {permutation[card] for card in move.held_cards}
    move.excluded_faces |= {
        program.face[card] for code in state.legal for card in find_move_cards(program, state, code) if card in dealt
    }
    return False


def get_move_appearance(program: Program, state: State, code: int) -> object:
    """Return a key that is equal for moves that differ only in the copy of a card."""
    if code == DONE:
        return DONE
    site = program.get_site(state)
    option, values = program.decode_move(site, code)
    return option, *(
        program.face[value] if is_card else value
        for value, is_card in zip(values, find_card_bindings(site, option), strict=True)
    )


def get_seeing_seats(program: Program, pile: int) -> int:
    """Return the bit set of seats that see the cards of a pile."""
    return program.layout.sees[pile] if pile >= 0 else 0


RANGE_SAMPLES = 100
"""Number of samples."""
DISCARD_COUNTING_PROBABILITY = 0.03
"""Probability of discarding a card that counts, relative to one that does not."""
KEEP_USELESS_PROBABILITY = 0.15
"""Probability of keeping a card that does not count, although it could be discarded."""


@define
class WeightedSamples:
    """Samples of the match, weighted by the likelihood of the other players' moves."""

    samples: Sequence[State]
    weights: Sequence[float]

    def draw_sample(self, program: Program, random: Random) -> State:
        """Return a sample, drawn by weight, with a new random state."""
        (world,) = random.choices(self.samples, self.weights)
        drawn = program.clone_silently(world)
        drawn.rng = get_seed_state(random.getrandbits(63))
        return drawn


def weigh_samples(sampler: BeliefSampler, match: Match, policy: LearnedPolicy, random: Random) -> WeightedSamples:
    """Return samples weighted by the bets and discards of others."""
    worlds, renamings, weights = list[State](), list[list[int]](), [1.0] * RANGE_SAMPLES
    for _ in range(RANGE_SAMPLES):
        worlds.append(sampler.sample(match, random.getrandbits(63)))
        renamings.append(sampler.permutation)
    for action in find_public_actions(sampler, match):
        first_move = action[0]
        pasts = [permute_state(match.names, first_move.before, renaming) for renaming in renamings]
        if match.program.get_site(first_move.before).options:
            likely = policy.get_bet_likelihoods(
                pasts, first_move.code, weights, sampler.get_blind_bet_rate(first_move.before.who)
            )
        else:
            likely = [
                get_discard_likelihood(policy.read_own_hand(past, past.who), past, action, renaming)
                for past, renaming in zip(pasts, renamings, strict=True)
            ]
        weights = [weight * share for weight, share in zip(weights, likely, strict=True)]
    return WeightedSamples(worlds, weights)


def find_public_actions(sampler: BeliefSampler, match: Match) -> Iterator[tuple[ObservedMove, ...]]:
    """Yield the public bets of others, and their sets of discards."""
    betting, moves, begun = build_betting_policy(match.program), sampler.observed_moves, 0
    assert betting is not None
    while begun < len(moves):
        first, site = moves[begun], match.program.get_site(moves[begun].before)
        end = find_set_end(match.program, moves, begun) if site.kind == "pick" else begun + 1
        if betting.is_bet_decision(site):
            if sampler.is_hand_evidence(match.names, first, match.state):
                yield (first,)
        elif sampler.is_discard_evidence(match.names, first, match.state) and is_discarded(match, moves[begun:end]):
            yield tuple(moves[begun:end])
        begun = end


def find_set_end(program: Program, moves: Sequence[ObservedMove], start: int) -> int:
    """Return the index after the last pick of a set, or after `DONE`."""
    first, end = moves[start].before, start + 1
    while end < len(moves) and moves[end - 1].code != DONE:
        before = moves[end].before
        same = before.who == first.who and program.get_site(before).number == program.get_site(first).number
        if not same or len(before.picks) != end - start:
            break
        end += 1
    return end


def is_discarded(match: Match, action: Iterable[ObservedMove]) -> bool:
    """Return whether no card of the set is still in a zone of its player."""
    zones, loc = match.program.zones, match.state.loc
    piles = ((move.before.who, loc[move.code - 1]) for move in action if move.code != DONE)
    return not any(pile >= 0 and zones[pile].of == who for who, pile in piles)


def get_discard_likelihood(
    reading: HandReading | None, past: State, action: Sequence[ObservedMove], permutation: Sequence[int]
) -> float:
    """Return the relative probability that a player discards this set and keeps this hand.

    Cards that count are rarely discarded, and cards that do not count are rarely kept, unless the number of discards is
    limited.
    """
    if reading is None or not reading.cards:
        return 1.0
    discarded, used = {permutation[move.code - 1] for move in action if move.code != DONE}, set(reading.used)
    hand = past.z[past.loc[reading.cards[0]]]
    useless_cards = set(hand) - used - discarded if action[-1].code == DONE else ()
    return float(DISCARD_COUNTING_PROBABILITY ** len(discarded & used) * KEEP_USELESS_PROBABILITY ** len(useless_cards))
