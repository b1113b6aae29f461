"""Hand evaluator: best rank of cards, best split into melds, comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice, takewhile
from operator import eq, ge, gt, le, lt, ne
from typing import NamedTuple

from attrs import define

from cardlang import model as g
from interpreter.hands.pattern_search import (
    MAX_SEARCH_STEPS,
    PatternMatch,
    SearchBudget,
    SearchBudgetExceeded,
    SearchHand,
    WildCardCache,
    find_pattern_matches,
)
from interpreter.hands.ranking_tables import CountFilter, FaceCondition, build_pattern_table, build_ranking_deck
from interpreter.hands.tie_breaks import TieBreaker, TieCondition, TieValues
from interpreter.runtime.state import State


class Meld(NamedTuple):
    """Possible group of cards.

    mask: a bit set of the cards and other resources that the group takes; each can be taken once.
    cards: the group's cards that are being split.
    rank: the rank that the group makes.
    wilds: the number of wild cards among them.
    """

    mask: int
    cards: tuple[int, ...]
    rank: int
    wilds: int


class MeldSplit(NamedTuple):
    """Choice of melds.

    `leftover_cost`: the cost of the `leftover_count` cards that remain. Compared lexicographically; lower is better.
    """

    leftover_cost: int
    leftover_count: int
    melds: tuple[Meld, ...]


def find_cheapest_split(costs: Sequence[int], melds: Iterable[Meld], budget: SearchBudget) -> MeldSplit:
    """Return the best choice of disjoint melds.

    costs: for each card (the lowest bits of a mask), its cost if it remains. Each meld takes at least one card.
    """
    by_lowest: dict[int, list[Meld]] = {}
    useful = 0
    for meld in melds:
        by_lowest.setdefault(meld.mask & -meld.mask, []).append(meld)
        useful |= meld.mask
    cards = (1 << len(costs)) - 1
    alone = [cost for number, cost in enumerate(costs) if not useful >> number & 1]
    known: dict[int, MeldSplit] = {}

    def find_best(free: int) -> MeldSplit:
        """Return the best split of the cards in `free`."""
        if not free & cards:
            return MeldSplit(0, 0, ())
        if free not in known:
            budget.spend()
            lowest = free & -free
            without = find_best(free ^ lowest)
            best = MeldSplit(
                without.leftover_cost + costs[lowest.bit_length() - 1], without.leftover_count + 1, without.melds
            )
            for meld in by_lowest.get(lowest, ()):
                if meld.mask & free == meld.mask:
                    behind = find_best(free ^ meld.mask)
                    if behind[:2] < best[:2]:
                        best = behind._replace(melds=(meld, *behind.melds))
            known[free] = best
        return known[free]

    split = find_best(useful)
    return split._replace(
        leftover_cost=split.leftover_cost + sum(alone), leftover_count=split.leftover_count + len(alone)
    )


SMALL_HAND = 7
"""Hand size up to which the counts use narrower bit fields."""


@define(eq=False, repr=False)
class HandReading:
    """Immutable result of reading cards. Readings of one ranking compare by `strength` alone.

    rank: the number of the rank; 0 is the best.
    used: the cards that make the rank.
    rest: the other cards, in a larger hand only up to the size of the ranking.
    wilds: the number of wild cards among the used ones.
    cards: all cards that were read.
    groups: the used cards by group.
    strength: numbers, compared lexicographically; higher is better.
    shown: for each used card, the face it shows, or None if it may show several; None if each card shows its own.
    """

    rank: int
    title: str
    used: tuple[int, ...]
    rest: tuple[int, ...]
    wilds: int
    cards: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    strength: tuple[int, ...]
    shown: tuple[int | None, ...] | None = None

    def __repr__(self) -> str:
        return f"<{self.title or 'groups'} {self.strength}>"

    def __str__(self) -> str:
        return self.title or repr(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HandReading) and self.strength == other.strength

    def __hash__(self) -> int:
        return hash(self.strength)

    def __lt__(self, other: HandReading) -> bool:
        return self.strength < other.strength

    def __le__(self, other: HandReading) -> bool:
        return self.strength <= other.strength

    def __gt__(self, other: HandReading) -> bool:
        return self.strength > other.strength

    def __ge__(self, other: HandReading) -> bool:
        return self.strength >= other.strength


class HandEvaluator:
    """Evaluator for one ranking of a game.

    face_condition: returns whether the condition of a group holds for a face.
    tie_values: for each line of the ties, the value of every face it compares; None for lines that compare no cards.
    """

    def __init__(self, game: g.Game, ranking: g.Ranking, face_condition: FaceCondition, tie_values: TieValues) -> None:
        self.ranking = ranking
        self.span = ranking.origin.span
        self.titles = [rank.title for rank in ranking.ranks]
        self.deck = build_ranking_deck(game, ranking)
        self.ranks = [
            [
                build_pattern_table(self.deck, pattern, face_condition)
                for pattern in rank.patterns
                if can_pattern_fit(ranking, pattern)
            ]
            for rank in ranking.ranks
        ]
        patterns = [pattern for rank in self.ranks for pattern in rank]
        self.tie_breaker = TieBreaker(game, self.deck, patterns, ranking, tie_values)
        self.wild_cards = WildCardCache(self.deck, ranking.wilds, self.tie_breaker.reduce_wild_faces)
        self.small_filter = CountFilter(self.deck, self.ranks, SMALL_HAND)
        self.large_filter = CountFilter(self.deck, self.ranks, max(SMALL_HAND, game.cards))

    def find_best_reading(
        self, cards: Sequence[int], wild_flags: Sequence[int] | None, tie_condition: TieCondition
    ) -> HandReading | None:
        """Return the best reading of some cards; None if they make no rank.

        wild_flags: for each card, whether it can be wild; with several `wild` lines, a bit set of the lines that apply.
        tie_condition: evaluates the conditions of `highest when` and `lowest when`.
        Raise `RuleError` if there are too many ways to compare.
        """
        size = self.ranking.size
        most = min(size, len(cards)) if isinstance(size, int) else len(cards)
        hand = self.build_search_hand(cards, wild_flags, most, size == "all")
        for number in self.find_plausible_ranks(hand):
            matches = self.find_rank_matches(number, hand)
            if matches:
                match, strength = self.tie_breaker.find_best_match(matches, hand, tie_condition)
                return self.build_reading(number, match, hand, strength)
        return None

    def find_rank(self, cards: Sequence[int], wild_flags: Sequence[int] | None = None) -> int | None:
        """Return the number of the rank that `find_best_reading` finds, without a search for the best cards."""
        size = self.ranking.size
        most = min(size, len(cards)) if isinstance(size, int) else len(cards)
        return self.find_best_rank(self.build_search_hand(cards, wild_flags, most, size == "all"))

    def is_rank(self, cards: Sequence[int], wild_flags: Sequence[int] | None = None) -> bool:
        """Return whether all of these cards together make a rank."""
        size = self.ranking.size
        if isinstance(size, int) and len(cards) > size:
            return False
        return self.find_best_rank(self.build_search_hand(cards, wild_flags, len(cards), True)) is not None

    def find_rank_sets(self, cards: Sequence[int], low: int, high: int) -> Iterator[tuple[int, ...]]:
        """Yield each choice of `low` to `high` cards that make a rank together (see `is_rank`).

        A choice may occur more than once. No card is wild. Stop silently when the search budget is exceeded.
        """
        size = self.ranking.size
        high = min(high, size) if isinstance(size, int) else high
        hand = SearchHand(cards, (), high, False, SearchBudget(len(cards), self.span))
        with suppress(SearchBudgetExceeded):
            for number in self.find_plausible_ranks(hand):
                for pattern in self.ranks[number]:
                    if pattern.min_cards <= high and low <= (pattern.exact_size or high):
                        yield from (
                            match.used
                            for match in find_pattern_matches(self.deck, pattern, hand)
                            if low <= len(match.used)
                        )

    def find_best_split(
        self, cards: Sequence[int], leftover_costs: Sequence[int], wild_flags: Sequence[int] | None = None
    ) -> HandReading:
        """Return the split into groups (each a rank by itself) with the lowest cost of the remaining cards.

        Among equal splits, prefer the fewest remaining cards.
        leftover_costs: by face, the cost of a card that remains.
        """
        return self.split_cards(cards, leftover_costs, wild_flags, ())

    def find_split_with_layoffs(
        self, cards: Sequence[int], other_reading: HandReading, leftover_costs: Sequence[int]
    ) -> HandReading:
        """Return the best split if cards may also join the groups of another reading, whose cards are not used."""
        return self.split_cards(cards, leftover_costs, None, other_reading.groups)

    # ------------------------------------------------------------ matches of ranks
    def build_search_hand(
        self, cards: Sequence[int], wild_flags: Sequence[int] | None, max_used: int, must_use_all: bool
    ) -> SearchHand:
        helpers = []
        if wild_flags is not None and any(wild_flags):
            stand_in = self.wild_cards.find_wild_card
            helpers = [(card, stand_in(card, lines)) for card, lines in zip(cards, wild_flags, strict=True) if lines]
        return SearchHand(cards, helpers, max_used, must_use_all, SearchBudget(len(cards), self.span))

    def find_plausible_ranks(self, hand: SearchHand) -> Iterator[int]:
        """Yield the ranks that the counts allow, best first."""
        screen = self.small_filter if len(hand.cards) <= SMALL_HAND else self.large_filter
        natural = counts = sum(map(screen.packed_counts.__getitem__, hand.cards))
        for card, stand in hand.possible_wilds:
            counts += stand.pack_counts(screen) - screen.packed_counts[card]
        return screen.find_plausible_ranks(counts, natural, len(hand.possible_wilds))

    def find_best_rank(self, hand: SearchHand) -> int | None:
        for number in self.find_plausible_ranks(hand):
            for pattern in self.ranks[number]:
                for _ in find_pattern_matches(self.deck, pattern, hand):
                    return number
        return None

    def find_rank_matches(self, number: int, hand: SearchHand) -> list[PatternMatch]:
        """Return all ways to make a rank."""
        every = chain.from_iterable(find_pattern_matches(self.deck, pattern, hand) for pattern in self.ranks[number])
        matches = list(islice(every, MAX_SEARCH_STEPS + 1))
        if len(matches) > MAX_SEARCH_STEPS:
            hand.budget.spend(len(matches))
        return matches

    def build_reading(
        self, number: int, pattern_match: PatternMatch, hand: SearchHand, strength: list[int]
    ) -> HandReading:
        rest = self.tie_breaker.find_rest_cards(pattern_match, hand)
        numbers = (-number, *strength)
        return HandReading(
            number, self.titles[number], pattern_match.used, rest, pattern_match.wilds, tuple(hand.cards),
            pattern_match.groups, numbers,
            self.find_shown_faces(pattern_match) if pattern_match.wilds else None,
        )  # fmt: skip

    def find_shown_faces(self, pattern_match: PatternMatch) -> tuple[int | None, ...]:
        faces = [face[0] if isinstance(face, tuple) and len(face) == 1 else face for face in pattern_match.faces or ()]
        return tuple(self.deck.base_faces[face] if isinstance(face, int) else None for face in faces)

    # ------------------------------------------------------------ groups
    def split_cards(
        self,
        cards: Sequence[int],
        leftover_costs: Sequence[int],
        wild_flags: Sequence[int] | None,
        other_groups: Sequence[tuple[int, ...]],
    ) -> HandReading:
        bits = {card: 1 << number for number, card in enumerate(cards)}
        melds = self.find_melds(cards, wild_flags, (), bits)
        for number, other in enumerate(other_groups, len(cards)):
            melds += self.find_melds(cards, wild_flags, other, bits | dict.fromkeys(other, 1 << number))
        chosen = find_cheapest_split(
            [leftover_costs[self.deck.face_by_card[card]] for card in cards], melds, SearchBudget(len(cards), self.span)
        )
        used = tuple(card for meld in chosen.melds for card in meld.cards)
        return HandReading(
            rank=0,
            title=", ".join(self.titles[meld.rank] for meld in chosen.melds),
            used=used,
            rest=tuple(card for card in cards if card not in used),
            wilds=sum(meld.wilds for meld in chosen.melds),
            cards=tuple(cards),
            groups=tuple(meld.cards for meld in chosen.melds),
            strength=(-chosen.leftover_cost,),
        )

    def find_melds(
        self, cards: Sequence[int], wild_flags: Sequence[int] | None, other_group: tuple[int, ...], bits: dict[int, int]
    ) -> list[Meld]:
        """Return all groups that combine at least one of the cards with all of `other_group`."""
        flags = None if wild_flags is None else [*(0 for _ in other_group), *wild_flags]
        hand = self.build_search_hand((*other_group, *cards), flags, len(other_group) + len(cards), False)
        melds: dict[int, Meld] = {}
        for number in self.find_plausible_ranks(hand):
            for match in self.find_rank_matches(number, hand):
                new_cards = tuple(card for card in match.used if card not in other_group)
                if new_cards and len(new_cards) + len(other_group) == len(match.used):
                    mask = sum({bits[card] for card in match.used})
                    melds.setdefault(mask, Meld(mask, new_cards, number, match.wilds))
        return list(melds.values())


def can_pattern_fit(ranking: g.Ranking, pattern: g.Pattern) -> bool:
    """Return whether a pattern needs no more cards than a reading may use."""
    return not isinstance(ranking.size, int) or sum(group.count for group in pattern.groups) <= ranking.size


# ---------------------------------------------------------------- readings
COMPARISONS = {"=": eq, "!=": ne, "<": lt, ">": gt, "<=": le, ">=": ge}


def strength_of(reading: HandReading | None) -> tuple[int, int | tuple[int, ...]]:
    """Return a sort key for readings. No reading sorts below every other."""
    return (0, 0) if reading is None else (1, reading.strength)


def compare_readings(left: HandReading | None, operator: str, right: HandReading | None) -> bool:
    if left is None or right is None:
        return operator == "!="
    return bool(COMPARISONS[operator](left.strength, right.strength))


def highest_reading(readings: Sequence[HandReading | None]) -> HandReading | None:
    return max(readings, key=strength_of, default=None)


def lowest_reading(readings: Sequence[HandReading | None]) -> HandReading | None:
    return min(readings, key=strength_of, default=None)


def reading_part(reading: HandReading | None, name: str, absent: object) -> object:
    return absent if reading is None else getattr(reading, name)


def reading_owner(state: State, reading: HandReading | None) -> int:
    """Return the owner of the cards read: that of the first card."""
    return state.owner[reading.cards[0]] if reading is not None and reading.cards else -1


MATCH_CACHE_SIZE = 8192
"""Cache size of a ranking, in results."""
MAX_UNORDERED_HAND = 20
"""Maximum hand size for a cache key without order."""


def classify_cards(evaluator: HandEvaluator) -> list[int]:
    """Return by card the number of its class.

    Cards of one class belong to one set, join the same groups with the same keys, and have equal values for all traits.
    """
    deck = evaluator.deck
    attributes = sorted({trait.attribute for trait in evaluator.ranking.traits})
    columns = [deck.columns[name] for name in attributes]
    keys = [group.keys for rank in evaluator.ranks for pattern in rank for group in pattern.groups]
    numbers: dict[tuple[object, ...], int] = {}
    by_face = [numbers.setdefault(seen, len(numbers)) for seen in zip(deck.sets, *columns, *keys, strict=True)]
    return [by_face[face] for face in deck.face_by_card]


def find_unordered_limit(evaluator: HandEvaluator) -> int:
    """Return the hand size up to which the order of cards cannot affect the result.

    Up to this size the search cannot exhaust its budget, even if it tries each card in every group (high and low) and
    in none.
    """
    return compute_unordered_limit([len(pattern.groups) for rank in evaluator.ranks for pattern in rank])


def compute_unordered_limit(group_counts: Sequence[int]) -> int:
    """Return the hand size of `find_unordered_limit` for patterns with these numbers of groups."""
    bounds = (sum(many * (2 * many + 1) ** size for many in group_counts) for size in range(1, MAX_UNORDERED_HAND + 1))
    return sum(1 for _ in takewhile(lambda most: most <= MAX_SEARCH_STEPS, bounds))


class MatchCache:
    """Cache of `HandEvaluator.is_rank` for a ranking without wild cards.

    If a search exhausts its budget, the result depends on the order of the cards. So above the size `unordered_limit`,
    the key preserves the order.
    """

    def __init__(self, evaluator: HandEvaluator) -> None:
        self.evaluator = evaluator
        self.class_numbers = classify_cards(evaluator)
        self.unordered_limit = find_unordered_limit(evaluator)
        self.min_cards = min((pattern.min_cards for rank in evaluator.ranks for pattern in rank), default=1)
        digit = self.unordered_limit.bit_length()  # the key is a sum with one digit for each class, its number of cards
        self.find_weight = [1 << number * digit for number in self.class_numbers].__getitem__
        self.cached_results: dict[int | tuple[int, ...], bool] = {}

    def is_rank(self, cards: Sequence[int], state: State | None = None) -> bool:
        """Return the result of `HandEvaluator.is_rank`, from the cache if possible.

        `state` has no effect: generated code passes it to the test of any ranking."""
        size = len(cards)
        if size < self.min_cards:
            return False
        if len({*cards}) < size:  # a duplicate of a card does not count as a second card of its class
            return self.evaluator.is_rank(cards)
        in_order = size > self.unordered_limit
        key = tuple([self.class_numbers[card] for card in cards]) if in_order else sum(map(self.find_weight, cards))
        cached = self.cached_results.get(key)
        return self.compute_match(key, cards) if cached is None else cached

    def compute_match(self, key: int | tuple[int, ...], cards: Sequence[int]) -> bool:
        result = self.evaluator.is_rank(cards)
        if len(self.cached_results) >= MATCH_CACHE_SIZE:
            self.cached_results.clear()
        self.cached_results[key] = result
        return result
