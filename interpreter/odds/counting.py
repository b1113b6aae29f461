"""Count exactly how many hands have each value of a definition.

The counting program evaluates one hand of each equivalence class and multiplies by the size of the class. Nothing is
sampled: the counts add up to the number of all deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

from attrs import frozen

from cardlang import game as g
from interpreter.matches.given import FactReader, set_up
from interpreter.matches.seating import default_names
from interpreter.odds.classes import Cards, Classes, Wilds, told_by_faces
from interpreter.odds.deals import Sizes, Source, all_deals
from interpreter.odds.program import CountingProgram, worth_remembering
from interpreter.odds.question import OddsError, Question, question
from interpreter.odds.sight import sight_beside
from interpreter.runtime import FUEL
from interpreter.state import ABSENT, State
from interpreter.values import shown

MOST_KINDS = 10_000_000
"""Maximum number of hands to evaluate."""
A_SECOND = 20_000
"""Approximate number of hands evaluated per second, for the estimate in the error message."""
REPORT = 4_096
"""Number of hands evaluated between two progress reports."""

Progress = Callable[[int, int], None]
"""Callback with the number of hands evaluated and the total."""


@frozen
class Odds:
    """Result of a count.

    cards: by zone, the number of cards dealt.
    deck: the number of cards to deal from.
    hands: the number of all deals.
    kinds: the number of hands evaluated.
    counts: by value, the number of hands; they add up to `hands`. The order is best rank first, or lowest number first.
    None, for no rank or no value, is last.
    """

    cards: Mapping[str, int]
    deck: int
    hands: int
    kinds: int
    counts: Mapping[Any, int]


def count_values(
    game: g.Game,
    name: str,
    given: str = "",
    cards: str = "",
    source: str | None = None,
    progress: Progress | None = None,
) -> Odds:
    """Count how often each value occurs of a definition (of the first player or of cards), or of a ranking.

    The game supplies defaults for empty arguments.
    given: the position, as in an example; the cards it names are not dealt.
    cards: the number of cards to deal, as `5` or `hand 4, starter 1`.
    source: the zone that they come from.
    Raise `OddsError` if the value cannot be counted. Raise `RuleError` if a rule fails.
    """
    names = default_names(min(game.seats))
    reader = FactReader(game, names)
    try:
        facts = tuple(reader.facts(given))
    except ValueError as error:
        raise OddsError(str(error)) from error
    own = {fact.zone: len(fact.faces) for fact in facts if isinstance(fact, g.GivenZone) and not fact.of}
    asked = question(game, name, cards, source, own)
    return Counting(asked, g.Given(facts, reader.span), len(names)).count(progress)


def count_ranks(game: g.Game, ranking: str) -> dict[str, int] | None:
    """Return by title, best rank first, the number of hands that make each rank.

    Hands have the size of the ranking, and only cards that are wild from the start are wild.
    Return None for a ranking that has no size, or whose hands cannot be counted.
    """
    try:
        counts = count_values(game, ranking).counts
    except OddsError:
        return None
    return {title: number for title, number in counts.items() if title is not None}


class Counting:
    """Exact count of one question."""

    def __init__(self, asked: Question, given: g.Given, players: int) -> None:
        self.asked, self.sight = asked, asked.sight
        apart = worth_remembering(asked.game, asked.expr, asked.sight, asked.zones)
        self.program = CountingProgram(asked.game, players, apart, asked.sight.judged)
        self.state = self.program.blank(0)
        set_up(self.program, self.state, given)
        self.piles = [self.program.zone_base[zone] for zone in asked.zones]
        self.deck = list(self.state.z[self.program.zone_base[asked.source]])
        self.sizes: Sizes = tuple(asked.zones.values())
        self.hands = number_of_deals(len(self.deck), self.sizes)
        if not self.hands:
            raise OddsError(f"There are {len(self.deck)} cards in {asked.source}, not {sum(self.sizes)}.")
        self.function = self.compiled()
        for name, sight in apart.items():
            piles = [self.program.zone_base[zone] for zone in asked.zones if zone in sight.zones]
            self.program.remember(name, sight, piles, self.state)

    def compiled(self) -> Callable[[State], Any]:
        self.program.value(self.asked.expr, self.state)
        return self.program.values[id(self.asked.expr)][1]

    def count(self, progress: Progress | None) -> Odds:
        deals = self.deals()
        kinds = deals.count(self.sizes)
        if kinds > MOST_KINDS:
            minutes = kinds // A_SECOND // 60
            raise OddsError(
                f"Too many hands: {kinds:,} different ones of {self.hands:,}, and at most {MOST_KINDS:,} are counted. "
                f"They would take about {minutes:,} minutes."
            )
        tally = self.tallied(deals, kinds, progress)
        if sum(tally.values()) != self.hands:
            raise AssertionError(f"{sum(tally.values())} hands were counted, not {self.hands}")
        return Odds(self.asked.zones, len(self.deck), self.hands, kinds, self.in_order(tally))

    def deals(self) -> Source:
        classes = self.classes()
        source = self.program.zone_base[self.asked.source]
        fixed = [
            card
            for number, (slot, pile) in enumerate(zip(self.program.zones, self.state.z, strict=True))
            if slot.zone.name in classes.sight.zones and number != source
            for card in pile
        ]
        return all_deals(classes.divide(self.deck, fixed), len(self.sizes))

    def classes(self) -> Classes:
        """Return the classes of the cards.

        If all cards go to the same player, the wild cards are known in advance. Then classes by shown faces suffice.
        """
        game = self.asked.game
        owners = {self.program.layout.seat_of[pile] for pile in self.piles}
        wild = any(game.rankings[name].wilds for name in self.sight.rankings)
        if (wild and len(owners) > 1) or not told_by_faces(game, self.sight, self.asked.zones):
            return Classes(self.program, self.sight, self.state)
        wilds = Wilds(self.program, self.sight.rankings, self.state, min(owners))
        return Classes(self.program, sight_beside(game, self.asked.expr), self.state, wilds)

    def tallied(self, deals: Source, kinds: int, progress: Progress | None) -> Counter[Any]:
        """Deal each hand into its zones, evaluate it, and add up the multiplicities by value."""
        s, tally, function = self.state, Counter[Any](), self.function
        places = [(pile, list(s.z[pile])) for pile in self.piles]
        is_reading = self.asked.expr.type.tag == "reading"
        owners = self.owners() if self.sight.owners else None
        for number, (ways, dealt) in enumerate(deals.deals(self.sizes)):
            if owners is not None:
                s.owner[:] = owners(dealt)
            for (pile, there), cards in zip(places, dealt, strict=True):
                s.z[pile] = [*there, *cards]
            s.fuel = FUEL
            value = function(s)
            tally[value.rank if is_reading and value is not None else value] += ways
            if progress is not None and number % REPORT == 0:
                progress(number, kinds)
        return tally

    def owners(self) -> Callable[[tuple[Cards, ...]], list[int]]:
        """Return a function from a deal to the owner of each card."""
        before = list(self.state.owner)
        seats = [self.program.layout.seat_of[pile] for pile in self.piles]

        def owners(dealt: tuple[Cards, ...]) -> list[int]:
            after = before[:]
            for seat, cards in zip(seats, dealt, strict=True):
                if seat != ABSENT:
                    for card in cards:
                        after[card] = seat
            return after

        return owners

    def in_order(self, tally: Counter[Any]) -> dict[Any, int]:
        type_ = self.asked.expr.type
        if type_.tag == "reading":
            ranking = self.asked.game.rankings[str(type_.of)]
            return ranks_in_order(self.asked.game, ranking, tally)
        scale = self.program.layout.scales.of(self.asked.expr)
        exact = {shown(value, type_, scale): number for value, number in tally.items()}
        found = {value: exact[value] for value in sorted(exact, key=place_of)}
        if type_.tag == "player":
            names = default_names(self.program.players)
            return {None if value is None else names[value]: number for value, number in found.items()}
        if type_.tag == "member":
            members = self.asked.game.kinds[str(type_.of)].members
            return {None if value is None else members[value].name: number for value, number in found.items()}
        return found


def ranks_in_order(game: g.Game, ranking: g.Ranking, tally: Counter[Any]) -> dict[str | None, int]:
    """Return the counts of ranks, best first.

    Leave out ranks that have no cards in this game. Include ranks that no hand makes.
    """
    sets = {face.set for face in game.faces if face.copies}
    counts: dict[str | None, int] = {}
    for number, rank in enumerate(ranking.ranks):
        if any(all(group.set in sets for group in pattern.groups) for pattern in rank.patterns):
            counts[rank.title] = tally[number]
    if tally[None]:
        counts[None] = tally[None]
    return counts


def place_of(value: int | Fraction | str | None) -> tuple[int, int | Fraction | str]:
    """Return a sort key for values: numbers first, then unlimited, then None."""
    if value is None:
        return (2, 0)
    return (1, 0) if value == g.UNLIMITED else (0, value)


def number_of_deals(deck: int, sizes: Sizes) -> int:
    hands = 1
    for size in sizes:
        hands *= comb(deck, size)
        deck -= size
    return hands
