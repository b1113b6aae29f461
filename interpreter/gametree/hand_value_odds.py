"""Exact odds of a value over all hands.

The counting program evaluates one hand of each equivalence class and multiplies by the size of the class. Nothing is
sampled: the counts add up to the number of all deals.

If only the rank of a reading matters, the evaluator computes no more than that. Slow definitions that read fewer card
attributes than the whole expression are memoized by equivalence class. For example, the number of fifteens does not
depend on suits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import find_reachable_definitions
from interpreter.gametree.card_attribute_dependence import CardDependence, find_dependence
from interpreter.gametree.card_symmetry import CardClasses, Cards, WildFaces, can_classify_by_faces
from interpreter.gametree.deal_enumeration import DealSizes, DealSource, build_deal_source
from interpreter.gametree.hand_odds_query import OddsError, OddsQuery, build_odds_query
from interpreter.hands.hand_evaluator import HandReading
from interpreter.lower.values_and_definitions import MAX_INLINE_DEFINITION
from interpreter.match.state_edits import FactParser, apply_given_facts
from interpreter.program.program import Program
from interpreter.runtime.builtin_functions import STEP_LIMIT
from interpreter.runtime.state import ABSENT, State, to_displayed_value
from interpreter.runtime.value_formatting import get_default_names


class CountingProgram(Program):
    """Program for one count.

    never_inlined: the definitions that are never inlined, so that they can be memoized.
    needs_strength: whether more than the rank of a reading matters.
    """

    def __init__(self, game: g.Game, players: int, never_inlined: Collection[str], needs_strength: bool) -> None:
        self.never_inlined, self.needs_strength = never_inlined, needs_strength
        self.rank_readings: dict[tuple[str, int], HandReading] = {}
        super().__init__(game, players, False)

    def bind_runtime_names(self) -> None:
        super().bind_runtime_names()
        self.lowering.definition_sizes.update(
            dict.fromkeys(self.never_inlined, MAX_INLINE_DEFINITION + 1)
        )  # to prevent inlining
        if not self.needs_strength:
            self.namespace["read"] = self.read_rank

    def read_rank(self, name: str, s: State, cards: Sequence[int]) -> HandReading | None:
        """Return a reading that contains only its rank. It replaces `RankingEvaluators.read_hand`."""
        reader = self.readings.evaluators.get(name) or self.readings.find_evaluator(name)
        if reader.ranking.size == "groups":
            return self.readings.read_hand(name, s, cards)
        number = reader.find_rank(cards, self.readings.find_wild_flags(name, s, cards))
        if number is None:
            return None
        if (name, number) not in self.rank_readings:
            self.rank_readings[name, number] = HandReading(number, reader.titles[number], (), (), 0, (), (), (-number,))
        return self.rank_readings[name, number]

    def memoize_definition(self, name: str, dependence: CardDependence, piles: Sequence[int], state: State) -> None:
        """Memoize a definition by the equivalence classes of the cards in these piles.

        The rest of the position is fixed.
        """
        classes = CardClasses(self, dependence, state)
        places: dict[object, int] = {}
        for card in range(self.game.cards):
            places.setdefault(classes.build_card_key(card), len(places))
        width = self.game.cards.bit_length()
        units = [1 << width * places[classes.build_card_key(card)] for card in range(self.game.cards)]
        function = self.lowering.make_identifier("d", name)
        if function not in self.namespace:
            return
        if self.game.defines[name].subject == "cards":
            self.namespace[function] = memoize_by_cards(self.namespace[function], units)
        else:
            seats = self.players.bit_length()
            shifts = [seats + width * len(places) * number for number in range(len(piles))]
            shifted = [[unit << shift for unit in units] for shift in shifts]
            self.namespace[function] = memoize_by_classes(
                self.namespace[function], list(zip(piles, shifted, strict=True))
            )


def memoize_by_classes(function: Callable[..., int], piles: Sequence[tuple[int, Sequence[int]]]) -> Callable[..., int]:
    """Memoize a definition of the table or of a player that reads these piles.

    The key is a sum. Each pile maps a card to a one in the counter of its class, so the sum counts the cards of each
    class. The lowest bits contain the player.
    """
    known: dict[int, int] = {}
    units = [(pile, ones.__getitem__) for pile, ones in piles]

    def lookup(s: State, *of: int) -> int:
        key = of[0] + 1 if of else 0
        for pile, unit in units:
            key += sum(map(unit, s.z[pile]))
        try:
            return known[key]
        except KeyError:
            known[key] = function(s, *of)
            return known[key]

    return lookup


def memoize_by_cards(function: Callable[..., int], class_weights: Sequence[int]) -> Callable[..., int]:
    """Memoize a definition of cards that reads no other cards. Results for lists with duplicates are not stored."""
    known: dict[int, int] = {}
    unit = class_weights.__getitem__

    def lookup(s: State, cards: Sequence[int]) -> int:
        key = sum(map(unit, cards))
        try:
            return known[key]
        except KeyError:
            value = function(s, cards)
            if len(set(cards)) == len(cards):
                known[key] = value
            return value

    return lookup


def find_memoizable_definitions(
    game: g.Game, expr: g.Expr, full_dependence: CardDependence, dealt: Collection[str]
) -> dict[str, CardDependence]:
    """Return the slow definitions of an expression that read fewer columns than the whole, with the reads of each."""
    dependences = {}
    for name in find_reachable_definitions(game, expr):
        define = game.defines[name]
        if define.type.tag not in ("number", "flag", "member") or define.subject not in (None, "player", "cards"):
            continue
        dependence = find_dependence(game, define.value)
        if define.subject == "cards" and (dependence.zones & set(dealt) or dependence.distinguishes_faces):
            continue
        if dependence.is_slow and dependence.columns < full_dependence.columns:
            dependences[name] = dependence
    return dependences


MAX_EVALUATED_HANDS = 10_000_000
"""Maximum number of hands to evaluate."""
HANDS_PER_SECOND = 20_000
"""Approximate number of hands evaluated per second, for the estimate in the error message."""
REPORT_INTERVAL = 4_096
"""Number of hands evaluated between two progress reports."""
ProgressCallback = Callable[[int, int], None]
"""Callback with the number of hands evaluated and the total."""


@frozen
class HandOdds:
    """Result of a count.

    cards: by zone, the number of cards dealt.
    deck: the number of cards to deal from.
    hands: the number of all deals.
    evaluated_hands: the number of hands evaluated.
    counts: by value, the number of hands; they add up to `hands`. The order is best rank first, or lowest number first.
    None, for no rank or no value, is last.
    """

    cards: Mapping[str, int]
    deck: int
    hands: int
    evaluated_hands: int
    counts: Mapping[Any, int]


def count_values(
    game: g.Game,
    name: str,
    given: str = "",
    cards: str = "",
    source: str | None = None,
    progress: ProgressCallback | None = None,
) -> HandOdds:
    """Count how often each value occurs of a definition (of the first player or of cards), or of a ranking.

    The game supplies defaults for empty arguments.
    given: the position, as in an example; the cards it names are not dealt.
    cards: the number of cards to deal, as `5` or `hand 4, starter 1`.
    source: the zone that they come from.
    Raise `OddsError` if the value cannot be counted. Raise `RuleError` if a rule fails.
    """
    names = get_default_names(min(game.seats))
    reader = FactParser(game, names)
    try:
        facts = tuple(reader.parse_facts(given))
    except ValueError as error:
        raise OddsError(str(error)) from error
    cards_present = {fact.zone: len(fact.faces) for fact in facts if isinstance(fact, g.GivenZone) and not fact.of}
    asked = build_odds_query(game, name, cards, source, cards_present)
    return HandCounter(asked, g.Given(facts, reader.span), len(names)).count_hands(progress)


class HandCounter:
    """Exact count for one query."""

    def __init__(self, query: OddsQuery, facts: g.Given, players: int) -> None:
        self.query, self.dependence = query, query.dependence
        apart = find_memoizable_definitions(query.game, query.expr, query.dependence, query.zones)
        self.program = CountingProgram(query.game, players, apart, query.dependence.needs_strength)
        self.state = self.program.create_blank_state(0)
        apply_given_facts(self.program, self.state, facts)
        self.piles = [self.program.zone_base[zone] for zone in query.zones]
        self.deck = list(self.state.z[self.program.zone_base[query.source]])
        self.sizes: DealSizes = tuple(query.zones.values())
        self.hands = count_all_deals(len(self.deck), self.sizes)
        if not self.hands:
            raise OddsError(f"There are {len(self.deck)} cards in {query.source}, not {sum(self.sizes)}.")
        self.function = self.compile_query()
        for name, dependence in apart.items():
            piles = [self.program.zone_base[zone] for zone in query.zones if zone in dependence.zones]
            self.program.memoize_definition(name, dependence, piles, self.state)

    def compile_query(self) -> Callable[[State], Any]:
        self.program.evaluate(self.query.expr, self.state)
        return self.program.values[id(self.query.expr)][1]

    def count_hands(self, progress: ProgressCallback | None) -> HandOdds:
        deals = self.build_deals()
        kinds = deals.count_deals(self.sizes)
        if kinds > MAX_EVALUATED_HANDS:
            minutes = kinds // HANDS_PER_SECOND // 60
            raise OddsError(
                f"Too many hands: {kinds:,} different ones of {self.hands:,}, "
                f"and at most {MAX_EVALUATED_HANDS:,} are counted. "
                f"They would take about {minutes:,} minutes."
            )
        tally = self.tally_values(deals, kinds, progress)
        if sum(tally.values()) != self.hands:
            raise AssertionError(f"{sum(tally.values())} hands were counted, not {self.hands}")
        return HandOdds(self.query.zones, len(self.deck), self.hands, kinds, self.sort_counts(tally))

    def build_deals(self) -> DealSource:
        classes = self.build_classes()
        source = self.program.zone_base[self.query.source]
        fixed = [
            card
            for number, (slot, pile) in enumerate(zip(self.program.zones, self.state.z, strict=True))
            if slot.zone.name in classes.dependence.zones and number != source
            for card in pile
        ]
        return build_deal_source(classes.divide_deck(self.deck, fixed), len(self.sizes))

    def build_classes(self) -> CardClasses:
        """Return the classes of the cards.

        If all cards go to the same player, the wild cards are known in advance. Then classes by shown faces suffice.
        """
        game = self.query.game
        owners = {self.program.layout.seat_of[pile] for pile in self.piles}
        wild = any(game.rankings[name].wilds for name in self.dependence.rankings)
        if (wild and len(owners) > 1) or not can_classify_by_faces(game, self.dependence, self.query.zones):
            return CardClasses(self.program, self.dependence, self.state)
        wilds = WildFaces(self.program, self.dependence.rankings, self.state, min(owners))
        return CardClasses(self.program, find_dependence(game, self.query.expr, inside=False), self.state, wilds)

    def tally_values(self, deals: DealSource, kinds: int, progress: ProgressCallback | None) -> Counter[Any]:
        """Deal each hand into its zones, evaluate it, and add up the multiplicities by value."""
        s, tally, function = self.state, Counter[Any](), self.function
        places = [(pile, list(s.z[pile])) for pile in self.piles]
        is_reading = self.query.expr.type.tag == "reading"
        owners = self.build_owner_function() if self.dependence.owners else None
        for number, (multiplicity, dealt) in enumerate(deals.iter_deals(self.sizes)):
            if owners is not None:
                s.owner[:] = owners(dealt)
            for (pile, cards_present), cards in zip(places, dealt, strict=True):
                s.z[pile] = [*cards_present, *cards]
            s.fuel = STEP_LIMIT
            value = function(s)
            tally[value.rank if is_reading and value is not None else value] += multiplicity
            if progress is not None and number % REPORT_INTERVAL == 0:
                progress(number, kinds)
        return tally

    def build_owner_function(self) -> Callable[[tuple[Cards, ...]], list[int]]:
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

    def sort_counts(self, tally: Counter[Any]) -> dict[Any, int]:
        type_ = self.query.expr.type
        if type_.tag == "reading":
            ranking = self.query.game.rankings[str(type_.of)]
            return sort_rank_counts(self.query.game, ranking, tally)
        scale = self.program.layout.scales.get_scale(self.query.expr)
        exact = {to_displayed_value(value, type_, scale): number for value, number in tally.items()}
        sorted_counts = {value: exact[value] for value in sorted(exact, key=get_value_sort_key)}
        if type_.tag == "player":
            names = get_default_names(self.program.players)
            return {None if value is None else names[value]: number for value, number in sorted_counts.items()}
        if type_.tag == "member":
            members = self.query.game.kinds[str(type_.of)].members
            return {None if value is None else members[value].name: number for value, number in sorted_counts.items()}
        return sorted_counts


def sort_rank_counts(game: g.Game, ranking: g.Ranking, tally: Counter[Any]) -> dict[str | None, int]:
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


def get_value_sort_key(value: int | Fraction | str | None) -> tuple[int, int | Fraction | str]:
    """Return a sort key for values: numbers first, then unlimited, then None."""
    if value is None:
        return (2, 0)
    return (1, 0) if value == g.UNLIMITED else (0, value)


def count_all_deals(deck: int, sizes: DealSizes) -> int:
    hands = 1
    for size in sizes:
        hands *= comb(deck, size)
        deck -= size
    return hands
