"""Evaluator of hands: find the best rank that cards make, and their strength within the rank."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, islice

from attrs import define

from cardlang import game as g
from interpreter.ranking.compile import lay_out, pattern_table
from interpreter.ranking.hand import MOST_WAYS, Effort, Hand, TooManyWays, Way
from interpreter.ranking.screen import Screen
from interpreter.ranking.split import Meld, best_split
from interpreter.ranking.ties import Judge, Ties, TieValues
from interpreter.ranking.ways import ways
from interpreter.ranking.wild import WildCards

FaceHolds = Callable[[g.Expr, g.Var, int], bool]
SMALL_HAND = 7
"""Hand size up to which the counts use narrower bit fields."""


@define(eq=False, repr=False)
class Reading:
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
        return isinstance(other, Reading) and self.strength == other.strength

    def __hash__(self) -> int:
        return hash(self.strength)

    def __lt__(self, other: Reading) -> bool:
        return self.strength < other.strength

    def __le__(self, other: Reading) -> bool:
        return self.strength <= other.strength

    def __gt__(self, other: Reading) -> bool:
        return self.strength > other.strength

    def __ge__(self, other: Reading) -> bool:
        return self.strength >= other.strength


class Reader:
    """Evaluator for one ranking of a game.

    face_holds: returns whether the condition of a group holds for a face.
    tie_values: for each line of the ties, the value of every face it compares; None for lines that compare no cards.
    """

    def __init__(self, game: g.Game, ranking: g.Ranking, face_holds: FaceHolds, tie_values: TieValues) -> None:
        self.ranking = ranking
        self.span = ranking.origin.span
        self.titles = [rank.title for rank in ranking.ranks]
        self.deck = lay_out(game, ranking)
        self.ranks = [
            [pattern_table(self.deck, pattern, face_holds) for pattern in rank.patterns if fits(ranking, pattern)]
            for rank in ranking.ranks
        ]
        patterns = [pattern for rank in self.ranks for pattern in rank]
        self.ties = Ties(game, self.deck, patterns, ranking, tie_values)
        self.wild_cards = WildCards(self.deck, ranking.wilds, self.ties.reduce)
        self.small = Screen(self.deck, self.ranks, SMALL_HAND)
        self.large = Screen(self.deck, self.ranks, max(SMALL_HAND, game.cards))

    def read(self, cards: Sequence[int], wild: Sequence[int] | None, judge: Judge) -> Reading | None:
        """Return the best reading of some cards; None if they make no rank.

        wild: for each card, whether it may be wild; with several `wild` lines, a bit set of the lines that allow it.
        judge: evaluates the conditions of `best when` and `worst when`.
        Raise `RuleError` if there are too many ways to compare.
        """
        size = self.ranking.size
        most = min(size, len(cards)) if isinstance(size, int) else len(cards)
        hand = self.hand(cards, wild, most, size == "all")
        for number in self.plausible(hand):
            found = self.ways(number, hand)
            if found:
                way, strength = self.ties.best(found, hand, judge)
                return self.reading(number, way, hand, strength)
        return None

    def rank(self, cards: Sequence[int], wild: Sequence[int] | None = None) -> int | None:
        """Return the number of the rank that `read` finds, without a search for the best cards."""
        size = self.ranking.size
        most = min(size, len(cards)) if isinstance(size, int) else len(cards)
        return self.best_rank(self.hand(cards, wild, most, size == "all"))

    def matches(self, cards: Sequence[int], wild: Sequence[int] | None = None) -> bool:
        """Return whether all of these cards together make a rank."""
        size = self.ranking.size
        if isinstance(size, int) and len(cards) > size:
            return False
        return self.best_rank(self.hand(cards, wild, len(cards), True)) is not None

    def sets(self, cards: Sequence[int], low: int, high: int) -> Iterator[tuple[int, ...]]:
        """Yield each choice of `low` to `high` cards that make a rank together (see `matches`).

        A choice may occur more than once. No card is wild. Stop silently when the maximum effort is exceeded.
        """
        size = self.ranking.size
        high = min(high, size) if isinstance(size, int) else high
        hand = Hand(cards, (), high, False, Effort(len(cards), self.span))
        with suppress(TooManyWays):
            for number in self.plausible(hand):
                for pattern in self.ranks[number]:
                    if pattern.least <= high and low <= (pattern.size or high):
                        yield from (way.used for way in ways(self.deck, pattern, hand) if low <= len(way.used))

    def read_split(self, cards: Sequence[int], least: Sequence[int], wild: Sequence[int] | None = None) -> Reading:
        """Return the split into groups (each a rank by itself) with the lowest cost of the remaining cards.

        Among equal splits, prefer the fewest remaining cards. `least`: by face, the cost of a card that remains.
        """
        return self.split(cards, least, wild, ())

    def read_beside(
        self, cards: Sequence[int], beside: Reading, least: Sequence[int], wild: Sequence[int] | None = None
    ) -> Reading:
        """Return the best split if cards may also join the groups of another reading, whose cards are not used."""
        return self.split(cards, least, wild, beside.groups)

    # ------------------------------------------------------------ from cards to ways
    def hand(self, cards: Sequence[int], wild: Sequence[int] | None, most: int, whole: bool) -> Hand:
        helpers = []
        if wild is not None and any(wild):
            stand_in = self.wild_cards.stand_in
            helpers = [(card, stand_in(card, lines)) for card, lines in zip(cards, wild, strict=True) if lines]
        return Hand(cards, helpers, most, whole, Effort(len(cards), self.span))

    def plausible(self, hand: Hand) -> Iterator[int]:
        """Yield the ranks that the counts allow, best first."""
        screen = self.small if len(hand.cards) <= SMALL_HAND else self.large
        natural = counts = sum(map(screen.card.__getitem__, hand.cards))
        for card, stand in hand.helpers:
            counts += stand.pack(screen) - screen.card[card]
        return screen.plausible(counts, natural, len(hand.helpers))

    def best_rank(self, hand: Hand) -> int | None:
        for number in self.plausible(hand):
            for pattern in self.ranks[number]:
                for _ in ways(self.deck, pattern, hand):
                    return number
        return None

    def ways(self, number: int, hand: Hand) -> list[Way]:
        """Return all ways to make a rank."""
        every = chain.from_iterable(ways(self.deck, pattern, hand) for pattern in self.ranks[number])
        found = list(islice(every, MOST_WAYS + 1))
        if len(found) > MOST_WAYS:
            hand.effort.spend(len(found))
        return found

    def reading(self, number: int, way: Way, hand: Hand, strength: list[int]) -> Reading:
        rest = self.ties.rest(way, hand)
        numbers = (-number, *strength)
        return Reading(
            number, self.titles[number], way.used, rest, way.wilds, tuple(hand.cards), way.groups, numbers,
            self.shown(way) if way.wilds else None,
        )  # fmt: skip

    def shown(self, way: Way) -> tuple[int | None, ...]:
        faces = [face[0] if isinstance(face, tuple) and len(face) == 1 else face for face in way.faces or ()]
        return tuple(self.deck.base[face] if isinstance(face, int) else None for face in faces)

    # ------------------------------------------------------------ groups
    def split(
        self,
        cards: Sequence[int],
        least: Sequence[int],
        wild: Sequence[int] | None,
        others: Sequence[tuple[int, ...]],
    ) -> Reading:
        bits = {card: 1 << number for number, card in enumerate(cards)}
        melds = self.melds(cards, wild, (), bits)
        for number, other in enumerate(others, len(cards)):
            melds += self.melds(cards, wild, other, bits | dict.fromkeys(other, 1 << number))
        chosen = best_split([least[self.deck.face[card]] for card in cards], melds, Effort(len(cards), self.span))
        used = tuple(card for meld in chosen.melds for card in meld.cards)
        return Reading(
            rank=0,
            title=", ".join(self.titles[meld.rank] for meld in chosen.melds),
            used=used,
            rest=tuple(card for card in cards if card not in used),
            wilds=sum(meld.wilds for meld in chosen.melds),
            cards=tuple(cards),
            groups=tuple(meld.cards for meld in chosen.melds),
            strength=(-chosen.least,),
        )

    def melds(
        self, cards: Sequence[int], wild: Sequence[int] | None, other: tuple[int, ...], bits: dict[int, int]
    ) -> list[Meld]:
        """Return all groups that combine at least one of the cards with all of `other`."""
        flags = None if wild is None else [*(0 for _ in other), *wild]
        hand = self.hand((*other, *cards), flags, len(other) + len(cards), False)
        melds: dict[int, Meld] = {}
        for number in self.plausible(hand):
            for way in self.ways(number, hand):
                own = tuple(card for card in way.used if card not in other)
                if own and len(own) + len(other) == len(way.used):
                    mask = sum({bits[card] for card in way.used})
                    melds.setdefault(mask, Meld(mask, own, number, way.wilds))
        return list(melds.values())


def fits(ranking: g.Ranking, pattern: g.Pattern) -> bool:
    """Return whether a pattern needs no more cards than a reading may use."""
    return not isinstance(ranking.size, int) or sum(group.count for group in pattern.groups) <= ranking.size
