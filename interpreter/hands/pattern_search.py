"""Search for all ways in which cards can make a pattern, with wild cards.

The cards for a group are found by key: cards with the same key share the required values. The search yields every
choice of the right size from them. A run takes one card for each place. Wild cards fill the empty places, and also
replace natural cards, because only the tie breaks decide which way is best.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from cardlang import model as g
from cardlang.diagnostics import Span
from interpreter.hands.ranking_tables import (
    CountFilter,
    GroupTable,
    PatternTable,
    RankingDeck,
    apply_trait,
    apply_traits,
)
from interpreter.runtime.errors import RuleError

WildOptions = dict[tuple[int, int], tuple[int, ...]]
"""By key and place in a group (place 0 without a run), the faces to choose from."""
FaceReducer = Callable[[list[int]], tuple[int, ...]]


def find_substitute_faces(deck: RankingDeck, wild: g.Wild, face: int) -> set[int]:
    """Return the faces that a wild card with this face may show. Its own face is excluded: as itself it is not wild."""
    if wild.attribute is None:
        return {other for other, set_ in enumerate(deck.sets) if set_ in wild.sets and other != face}
    by_value: dict[g.Value, list[int]] = {}
    for other, set_ in enumerate(deck.sets):
        value = deck.columns[wild.attribute][other]
        if set_ == deck.sets[face] and value is not None:
            by_value.setdefault(value, []).append(other)
    return {like for others in by_value.values() for like in find_most_similar_faces(deck, face, others)} - {face}


def find_most_similar_faces(deck: RankingDeck, face: int, others: list[int]) -> list[int]:
    """Return the faces that have the most columns in common with a face."""
    similarities = [sum(values[face] == values[other] for values in deck.columns.values()) for other in others]
    return [other for other, number in zip(others, similarities, strict=True) if number == max(similarities)]


class WildCard:
    """Card that may be wild, with its options in each group and its ones in packed counts."""

    def __init__(self, face: int, faces: set[int], reduce_faces: FaceReducer) -> None:
        self.face = face
        self.faces = sorted(faces)
        self.reduce_faces = reduce_faces
        self.options_by_group: dict[GroupTable, WildOptions] = {}
        self.packed_counts: dict[CountFilter, int] = {}

    def find_options(self, group: GroupTable) -> WildOptions:
        if group not in self.options_by_group:
            self.options_by_group[group] = self.compute_options(group)
        return self.options_by_group[group]

    def compute_options(self, group: GroupTable) -> WildOptions:
        shown: dict[tuple[int, int], list[int]] = {}
        for face in self.faces:
            if (key := group.keys[face]) >= 0:
                for place, as_face in group.run_places[face] if group.run_trait else ((0, face),):
                    shown.setdefault((key, place), []).append(as_face)
        return {place: self.reduce_faces(faces) for place, faces in shown.items()}

    def pack_counts(self, count_filter: CountFilter) -> int:
        if count_filter not in self.packed_counts:
            self.packed_counts[count_filter] = count_filter.pack_faces((self.face, *self.faces))
        return self.packed_counts[count_filter]


class WildCardCache:
    """Cache of the `WildCard` objects of a ranking."""

    def __init__(self, deck: RankingDeck, wilds: Sequence[g.Wild], reduce_faces: FaceReducer) -> None:
        self.deck = deck
        self.wilds = wilds
        self.reduce_faces = reduce_faces
        self.cards_by_face: dict[tuple[int, int], WildCard] = {}

    def find_wild_card(self, card: int, lines: int) -> WildCard:
        """Return the `WildCard` of a card.

        `lines`: a bit set of the `wild` lines that apply to it; `True` is the first.
        """
        name = (self.deck.face_by_card[card], int(lines))
        if name not in self.cards_by_face:
            which = (wild for number, wild in enumerate(self.wilds) if int(lines) >> number & 1)
            faces = set[int]().union(*(find_substitute_faces(self.deck, wild, name[0]) for wild in which))
            self.cards_by_face[name] = WildCard(name[0], faces, self.reduce_faces)
        return self.cards_by_face[name]


ShownFace = int | tuple[int, ...]
"""Face that a card shows; for a wild card, the faces to choose from."""
CardsByKey = dict[int, list[int]]
"""Cards by key."""
PossibleWilds = Sequence[tuple[int, WildCard]]


class PatternMatch(NamedTuple):
    """Way to make a rank: the cards used, by group, and the number of wild cards among them.

    faces: the face or faces that each used card shows; None if each shows its own.
    """

    used: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    wilds: int
    faces: tuple[ShownFace, ...] | None


class GroupChoice(NamedTuple):
    """Choice of cards for one group."""

    key: int
    cards: tuple[int, ...]
    wilds: int
    faces: tuple[ShownFace, ...] | None


MAX_SEARCH_STEPS = 100_000
"""Search budget of one reading, in ways to make a rank or to split cards."""


class SearchBudgetExceeded(RuleError):
    """Error for a reading that exceeds its search budget."""


class SearchBudget:
    """Remaining search budget of one reading."""

    __slots__ = ("cards", "remaining", "span")

    def __init__(self, cards: int, span: Span) -> None:
        self.cards = cards
        self.span = span
        self.remaining = MAX_SEARCH_STEPS

    def spend(self, number: int = 1) -> None:
        """Use up a part of the budget. Raise `SearchBudgetExceeded` if none is left."""
        self.remaining -= number
        if self.remaining < 0:
            message = f"{self.cards} cards can be read in more than {MAX_SEARCH_STEPS} ways: too many to compare"
            raise SearchBudgetExceeded(self.span, message)


class SearchHand(NamedTuple):
    """Cards to read.

    possible_wilds: the cards that may be wild.
    max_used: the maximum number of cards to use.
    must_use_all: whether every card must be used.
    budget: the search budget.
    """

    cards: Sequence[int]
    possible_wilds: PossibleWilds
    max_used: int
    must_use_all: bool
    budget: SearchBudget


def find_own_faces(deck: RankingDeck, cards: Collection[int]) -> tuple[int, ...]:
    return tuple([deck.face_by_card[card] for card in cards])


def group_by_key(group: GroupTable, cards: Iterable[int]) -> CardsByKey:
    """Group the cards that can join a group by their key."""
    fields: CardsByKey = {}
    keys = group.card_keys
    for card in cards:
        key = keys[card]
        if key in fields:
            fields[key].append(card)
        elif key >= 0:
            fields[key] = [card]
    return fields


class RunCandidate(NamedTuple):
    """Candidate card for one place of a run, and the face or faces it shows there."""

    card: int
    shown: ShownFace
    wild: bool


CandidatesByPlace = dict[int, list[RunCandidate]]
"""Candidates by place."""


def find_runs(
    deck: RankingDeck, group: GroupTable, cards_by_key: CardsByKey, possible_wilds: PossibleWilds, sizes: range
) -> Iterator[GroupChoice]:
    wild = find_wild_candidates(group, possible_wilds)
    for key in sorted({*cards_by_key, *wild}):
        longest = len(cards_by_key.get(key, ())) + len(possible_wilds)
        if longest < sizes.start:
            continue
        seats = find_natural_candidates(deck, group, cards_by_key.get(key, ()))
        starts = group.place_range if possible_wilds else sorted(seats)
        reach = [(start, measure_run(seats, start, group.place_range.stop, len(possible_wilds))) for start in starts]
        for place, candidates in wild.get(key, {}).items():
            seats.setdefault(place, []).extend(candidates)
        for size in range(sizes.start, min(sizes.stop, longest + 1)):
            for start, length in reach:
                if size <= length:
                    for row in choose_distinct_cards(
                        [seats.get(place, []) for place in range(start, start + size)], ()
                    ):
                        yield build_run_choice(deck, key, row)


def measure_run(natural: Collection[int], start: int, stop: int, wilds: int) -> int:
    """Return the maximum length of a run from a place on, if `wilds` wild cards fill gaps."""
    for place in range(start, stop):
        if place not in natural:
            if not wilds:
                return place - start
            wilds -= 1
    return stop - start


def find_natural_candidates(deck: RankingDeck, group: GroupTable, cards: Iterable[int]) -> CandidatesByPlace:
    """Return the candidates without wild cards. `cards`: cards with the same key."""
    seats: CandidatesByPlace = {}
    for card in cards:
        for place, shown in group.run_places[deck.face_by_card[card]]:
            seats.setdefault(place, []).append(RunCandidate(card, shown, False))
    return seats


def find_wild_candidates(group: GroupTable, possible_wilds: PossibleWilds) -> dict[int, CandidatesByPlace]:
    """Return the wild candidates by key."""
    seats: dict[int, CandidatesByPlace] = {}
    for card, stand in possible_wilds:
        for (key, place), faces in stand.find_options(group).items():
            seats.setdefault(key, {}).setdefault(place, []).append(RunCandidate(card, faces, True))
    return seats


def choose_distinct_cards(
    places: Sequence[Sequence[RunCandidate]], chosen: tuple[RunCandidate, ...]
) -> Iterator[tuple[RunCandidate, ...]]:
    """Yield each choice of one candidate for each place, without repeated cards."""
    if len(chosen) == len(places):
        yield chosen
        return
    for seat in places[len(chosen)]:
        if all(seat.card != other.card for other in chosen):
            yield from choose_distinct_cards(places, (*chosen, seat))


def build_run_choice(deck: RankingDeck, key: int, row: tuple[RunCandidate, ...]) -> GroupChoice:
    cards = tuple(seat.card for seat in row)
    faces = tuple(seat.shown for seat in row)
    wilds = sum(seat.wild for seat in row)
    return GroupChoice(key, cards, wilds, None if faces == find_own_faces(deck, cards) else faces)


def find_pattern_matches(deck: RankingDeck, pattern: PatternTable, hand: SearchHand) -> Iterable[PatternMatch]:
    """Return all ways to make a pattern, each choice of cards once. Raise `RuleError` if there are too many."""
    if hand.must_use_all and pattern.exact_size not in (None, len(hand.cards)):
        return ()
    if pattern.is_plain and not hand.possible_wilds and not hand.must_use_all:
        return find_plain_matches(pattern.groups[0], hand)
    matches = (
        combine_group_choices(deck, chosen) for chosen in PatternSearch(deck, pattern, hand).complete_choices(())
    )
    if pattern.has_checks:
        return (shown for match in matches for shown in find_checked_matches(deck, pattern, match, hand.budget))
    return matches


def find_plain_matches(group: GroupTable, hand: SearchHand) -> Iterator[PatternMatch]:
    """Yield the ways for one group of fixed size: a fast path, because most ranks need no more."""
    count = group.count
    return (
        PatternMatch(cards, (cards,), 0, None)
        for field in group_by_key(group, hand.cards).values()
        if len(field) >= count
        for cards in combinations(field, count)
    )


def combine_group_choices(deck: RankingDeck, chosen: tuple[GroupChoice, ...]) -> PatternMatch:
    groups = tuple(part.cards for part in chosen)
    used = tuple(card for cards in groups for card in cards)
    faces: tuple[ShownFace, ...] | None = None
    if any(part.faces for part in chosen):
        faces = tuple(face for part in chosen for face in part.faces or find_own_faces(deck, part.cards))
    return PatternMatch(used, groups, sum(part.wilds for part in chosen), faces)


def resolve_wild_faces(
    deck: RankingDeck, pattern_match: PatternMatch, budget: SearchBudget
) -> Iterator[tuple[int, ...]]:
    """Yield all combinations of faces that the cards of a match may show."""
    if pattern_match.faces is None:
        yield find_own_faces(deck, pattern_match.used)
        return
    for faces in product(*((shown,) if isinstance(shown, int) else shown for shown in pattern_match.faces)):
        budget.spend()
        yield faces


def find_checked_matches(
    deck: RankingDeck, pattern: PatternTable, pattern_match: PatternMatch, budget: SearchBudget
) -> Iterator[PatternMatch]:
    """Yield the matches with faces that also have the traits that the search does not ensure."""
    for faces in resolve_wild_faces(deck, pattern_match, budget):
        checked_faces = apply_group_traits(deck, pattern, pattern_match, faces)
        for check in pattern.checks:
            if checked_faces is not None:
                checked_faces = apply_trait(
                    deck, check.trait, checked_faces, check.find_counted_positions(map(len, pattern_match.groups))
                )
        if checked_faces is not None:
            yield pattern_match._replace(faces=checked_faces)


def apply_group_traits(
    deck: RankingDeck, pattern: PatternTable, pattern_match: PatternMatch, faces: tuple[int, ...]
) -> tuple[int, ...] | None:
    done: tuple[int, ...] = ()
    for group, cards in zip(pattern.groups, pattern_match.groups, strict=True):
        group_faces = apply_traits(deck, group.extra_traits, faces[len(done) : len(done) + len(cards)])
        if group_faces is None:
            return None
        done += group_faces
    return done


# ---------------------------------------------------------------- the search
class PatternSearch:
    """Backtracking search over the groups of a pattern, in order.

    fields: by group and key, the cards.
    max_wilds_by_group: by group, the maximum number of wild cards, so that enough remain for the later groups.
    """

    def __init__(self, deck: RankingDeck, pattern: PatternTable, hand: SearchHand) -> None:
        self.deck = deck
        self.pattern = pattern
        self.hand = hand
        self.fields = [group_by_key(group, hand.cards) for group in pattern.groups]
        self.max_wilds_by_group = self.count_spare_wilds() if hand.possible_wilds else [0] * len(pattern.groups)

    def count_spare_wilds(self) -> list[int]:
        spare, left = [], len(self.hand.possible_wilds)
        for group, fields in zip(reversed(self.pattern.groups), reversed(self.fields), strict=True):
            spare.append(left)
            left -= max(0, group.count - max(map(len, fields.values()), default=0))
        return spare[::-1]

    def complete_choices(self, chosen: tuple[GroupChoice, ...]) -> Iterator[tuple[GroupChoice, ...]]:
        """Yield all choices for the groups after those already chosen."""
        number = len(chosen)
        last = number + 1 == len(self.pattern.groups)
        for part in self.find_group_choices(chosen):
            self.hand.budget.spend()
            if self.pattern.is_twin_of_previous[number] and (part.key, part.cards[0]) < (
                chosen[-1].key,
                chosen[-1].cards[0],
            ):
                continue
            if all(tie.allows(chosen[tie.first].key, part.key) for tie in self.pattern.key_constraints[number]):
                if last:
                    yield (*chosen, part)
                else:
                    yield from self.complete_choices((*chosen, part))

    def find_group_choices(self, chosen: tuple[GroupChoice, ...]) -> Iterable[GroupChoice]:
        """Return all choices of cards for the next group."""
        number = len(chosen)
        group, fields, spare = self.pattern.groups[number], self.fields[number], self.max_wilds_by_group[number]
        if spare < 0:
            return ()
        taken = [card for part in chosen for card in part.cards]
        helpers = self.hand.possible_wilds
        if taken:
            fields = group_by_key(group, [card for card in self.hand.cards if card not in taken])
            helpers = [helper for helper in helpers if helper[0] not in taken]
        sizes = self.find_group_sizes(number, len(taken))
        if group.run_trait is not None:
            return find_runs(self.deck, group, fields, helpers, sizes)
        if helpers and spare:
            return choose_same_key_with_wilds(self.deck, group, fields, helpers, sizes, spare)
        return choose_same_key(fields, sizes)

    def find_group_sizes(self, number: int, used_count: int) -> range:
        """Return the possible sizes of a group, given the needs of the later groups."""
        group, behind = self.pattern.groups[number], self.pattern.groups[number + 1 :]
        if not group.or_more and not self.hand.must_use_all:
            return range(group.count, group.count + 1)
        room = self.hand.max_used - used_count - sum(other.count for other in behind)
        high = room if group.or_more else min(group.count, room)
        low = room if self.hand.must_use_all and not any(other.or_more for other in behind) else group.count
        return range(max(low, group.count), high + 1)


def choose_same_key(cards_by_key: CardsByKey, sizes: range) -> Iterator[GroupChoice]:
    for key, field in cards_by_key.items():
        for size in sizes:
            if size > len(field):
                break
            for cards in combinations(field, size):
                yield GroupChoice(key, cards, 0, None)


def choose_same_key_with_wilds(
    deck: RankingDeck,
    group: GroupTable,
    cards_by_key: CardsByKey,
    possible_wilds: PossibleWilds,
    sizes: range,
    max_wilds: int,
) -> Iterator[GroupChoice]:
    """Yield the choices of cards with one key, of which at most `max_wilds` are wild."""
    options = [(card, stand.find_options(group)) for card, stand in possible_wilds]
    short = sizes.start - min(max_wilds, len(possible_wilds))
    likely = [key for key, field in cards_by_key.items() if len(field) >= short]
    for key in likely if short > 0 else range(len(group.values)):
        field = cards_by_key.get(key, [])
        able = [(card, shown[key, 0]) for card, shown in options if (key, 0) in shown]
        together = len(field) + len([card for card, _ in able if card not in field])
        for size in sizes:
            if size > together:
                break
            for number in range(max(0, size - len(field)), min(size, len(able), max_wilds) + 1):
                for wilds in combinations(able, number):
                    yield from fill_with_naturals(deck, key, field, size, wilds)


def fill_with_naturals(
    deck: RankingDeck, key: int, natural_cards: list[int], size: int, wilds: tuple[tuple[int, tuple[int, ...]], ...]
) -> Iterator[GroupChoice]:
    """Yield the choices that use these wild cards and fill up with natural ones."""
    stand_ins = tuple(card for card, _ in wilds)
    shown = tuple(faces for _, faces in wilds)
    for natural in combinations([card for card in natural_cards if card not in stand_ins], size - len(wilds)):
        yield GroupChoice(
            key, natural + stand_ins, len(wilds), find_own_faces(deck, natural) + shown if wilds else None
        )
