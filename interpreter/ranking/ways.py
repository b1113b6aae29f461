"""Search for all ways in which cards make a pattern.

The cards for a group are found by key: cards with one key share the required values. The search yields every choice of
the right size from them. A run takes one card for each place. Wild cards fill the empty places, and also replace
natural cards, because only the ties decide which way is best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product

from interpreter.ranking.compile import Deck, GroupTable, PatternTable, with_trait, with_traits
from interpreter.ranking.hand import Effort, Fields, Hand, Helpers, Part, Shown, Way, by_key, own_faces
from interpreter.ranking.runs import runs


def ways(deck: Deck, pattern: PatternTable, hand: Hand) -> Iterable[Way]:
    """Return all ways to make a pattern, each choice of cards once. Raise `RuleError` if there are too many."""
    if hand.all and pattern.size not in (None, len(hand.cards)):
        return ()
    if pattern.plain and not hand.helpers and not hand.all:
        return plain_ways(pattern.groups[0], hand)
    found = (assembled(deck, chosen) for chosen in Search(deck, pattern, hand).completed(()))
    if pattern.checked:
        return (shown for way in found for shown in shown_ways(deck, pattern, way, hand.effort))
    return found


def plain_ways(group: GroupTable, hand: Hand) -> Iterator[Way]:
    """Yield the ways for one group of fixed size: a fast path, because most ranks need no more."""
    count = group.count
    return (
        Way(cards, (cards,), 0, None)
        for field in by_key(group, hand.cards).values()
        if len(field) >= count
        for cards in combinations(field, count)
    )


def assembled(deck: Deck, chosen: tuple[Part, ...]) -> Way:
    groups = tuple(part.cards for part in chosen)
    used = tuple(card for cards in groups for card in cards)
    faces: tuple[Shown, ...] | None = None
    if any(part.faces for part in chosen):
        faces = tuple(face for part in chosen for face in part.faces or own_faces(deck, part.cards))
    return Way(used, groups, sum(part.wilds for part in chosen), faces)


def resolved(deck: Deck, way: Way, effort: Effort) -> Iterator[tuple[int, ...]]:
    """Yield all combinations of faces that the cards of a way may show."""
    if way.faces is None:
        yield own_faces(deck, way.used)
        return
    for faces in product(*((shown,) if isinstance(shown, int) else shown for shown in way.faces)):
        effort.spend()
        yield faces


def shown_ways(deck: Deck, pattern: PatternTable, way: Way, effort: Effort) -> Iterator[Way]:
    """Yield the ways with faces that also have the traits that the search does not ensure."""
    for faces in resolved(deck, way, effort):
        found = checked_groups(deck, pattern, way, faces)
        for check in pattern.checks:
            if found is not None:
                found = with_trait(deck, check.trait, found, check.places(map(len, way.groups)))
        if found is not None:
            yield way._replace(faces=found)


def checked_groups(deck: Deck, pattern: PatternTable, way: Way, faces: tuple[int, ...]) -> tuple[int, ...] | None:
    done: tuple[int, ...] = ()
    for group, cards in zip(pattern.groups, way.groups, strict=True):
        own = with_traits(deck, group.checks, faces[len(done) : len(done) + len(cards)])
        if own is None:
            return None
        done += own
    return done


# ---------------------------------------------------------------- the search
class Search:
    """Backtracking search over the groups of a pattern, in order.

    fields: by group and key, the cards.
    spare: by group, the maximum number of wild cards, so that enough remain for the later groups.
    """

    def __init__(self, deck: Deck, pattern: PatternTable, hand: Hand) -> None:
        self.deck = deck
        self.pattern = pattern
        self.hand = hand
        self.fields = [by_key(group, hand.cards) for group in pattern.groups]
        self.spare = self.spare_wilds() if hand.helpers else [0] * len(pattern.groups)

    def spare_wilds(self) -> list[int]:
        spare, left = [], len(self.hand.helpers)
        for group, fields in zip(reversed(self.pattern.groups), reversed(self.fields), strict=True):
            spare.append(left)
            left -= max(0, group.count - max(map(len, fields.values()), default=0))
        return spare[::-1]

    def completed(self, chosen: tuple[Part, ...]) -> Iterator[tuple[Part, ...]]:
        """Yield all choices for the groups after those already chosen."""
        number = len(chosen)
        last = number + 1 == len(self.pattern.groups)
        for part in self.parts(chosen):
            self.hand.effort.spend()
            if self.pattern.twins[number] and (part.key, part.cards[0]) < (chosen[-1].key, chosen[-1].cards[0]):
                continue
            if all(tie.allows(chosen[tie.first].key, part.key) for tie in self.pattern.ties[number]):
                if last:
                    yield (*chosen, part)
                else:
                    yield from self.completed((*chosen, part))

    def parts(self, chosen: tuple[Part, ...]) -> Iterable[Part]:
        """Return all choices of cards for the next group."""
        number = len(chosen)
        group, fields, spare = self.pattern.groups[number], self.fields[number], self.spare[number]
        if spare < 0:
            return ()
        taken = [card for part in chosen for card in part.cards]
        helpers = self.hand.helpers
        if taken:
            fields = by_key(group, [card for card in self.hand.cards if card not in taken])
            helpers = [helper for helper in helpers if helper[0] not in taken]
        sizes = self.sizes(number, len(taken))
        if group.step is not None:
            return runs(self.deck, group, fields, helpers, sizes)
        if helpers and spare:
            return alike_with_wilds(self.deck, group, fields, helpers, sizes, spare)
        return alike(fields, sizes)

    def sizes(self, number: int, taken: int) -> range:
        """Return the possible sizes of a group, given the needs of the later groups."""
        group, behind = self.pattern.groups[number], self.pattern.groups[number + 1 :]
        if not group.or_more and not self.hand.all:
            return range(group.count, group.count + 1)
        room = self.hand.most - taken - sum(other.count for other in behind)
        high = room if group.or_more else min(group.count, room)
        low = room if self.hand.all and not any(other.or_more for other in behind) else group.count
        return range(max(low, group.count), high + 1)


def alike(fields: Fields, sizes: range) -> Iterator[Part]:
    for key, field in fields.items():
        for size in sizes:
            if size > len(field):
                break
            for cards in combinations(field, size):
                yield Part(key, cards, 0, None)


def alike_with_wilds(
    deck: Deck, group: GroupTable, fields: Fields, helpers: Helpers, sizes: range, spare: int
) -> Iterator[Part]:
    """Yield the choices of cards with one key, of which at most `spare` are wild."""
    options = [(card, stand.options(group)) for card, stand in helpers]
    short = sizes.start - min(spare, len(helpers))
    likely = [key for key, field in fields.items() if len(field) >= short]
    for key in likely if short > 0 else range(len(group.values)):
        field = fields.get(key, [])
        able = [(card, shown[key, 0]) for card, shown in options if (key, 0) in shown]
        together = len(field) + len([card for card, _ in able if card not in field])
        for size in sizes:
            if size > together:
                break
            for number in range(max(0, size - len(field)), min(size, len(able), spare) + 1):
                for wilds in combinations(able, number):
                    yield from with_wilds(deck, key, field, size, wilds)


def with_wilds(
    deck: Deck, key: int, field: list[int], size: int, wilds: tuple[tuple[int, tuple[int, ...]], ...]
) -> Iterator[Part]:
    """Yield the choices that use these wild cards and fill up with natural ones."""
    stand_ins = tuple(card for card, _ in wilds)
    shown = tuple(faces for _, faces in wilds)
    for natural in combinations([card for card in field if card not in stand_ins], size - len(wilds)):
        yield Part(key, natural + stand_ins, len(wilds), own_faces(deck, natural) + shown if wilds else None)
