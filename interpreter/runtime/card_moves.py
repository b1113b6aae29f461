"""Card moves: deal, shuffle, reveal, and the seats that know each card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from cardlang import model as g
from cardlang.diagnostics import Span
from interpreter.runtime.errors import RuleError
from interpreter.runtime.rng import shuffle
from interpreter.runtime.state import ABSENT, UNLIMITED, State
from interpreter.runtime.state_layout import Layout

MANY_CARDS = 8
"""Number of cards from which piles are rebuilt instead of searched card by card."""
KNOWN_BY_NAME = 1 << 62
"""Bit in a set of seats: they know the cards by name, wherever these are."""


class CardMover:
    """Operations on the cards of one layout. `reset_marks(state, card)` resets a card's marks, if the game has any."""

    def __init__(self, layout: Layout, reset_marks: Callable[[State, int], None] | None) -> None:
        self.layout = layout
        self.sees = layout.sees
        self.seat_of = layout.seat_of
        self.everyone = layout.everyone
        self.reset_marks = reset_marks
        self.sort_keys = build_card_sort_keys(layout)

    def move(
        self, s: State, cards: Sequence[int], pile: int, end: str, identifying_seats: int,
        possible_cards: Sequence[int],
        verb: str, span: Span,
    ) -> None:  # fmt: skip
        """Move cards to a pile.

        identifying_seats: the seats that can identify the cards, even if they see neither source nor target (with
            `KNOWN_BY_NAME`: they know the cards by name).
        possible_cards: the cards that the other players consider possible; empty: any card of the piles.
        end: top, under, lowest or highest (sorted, with that one on top)."""
        if s.events is not None:
            self.move_with_event(s, cards, pile, end, identifying_seats, possible_cards, verb, span)
        else:
            self.move_without_event(s, cards, pile, end, identifying_seats, possible_cards)

    def move_without_event(
        self, s: State, cards: Sequence[int], pile: int, end: str, identifying_seats: int, possible_cards: Sequence[int]
    ) -> None:
        """Move cards without events."""
        if len(cards) >= MANY_CARDS:
            s.fuel -= len(cards) >> 2
        if identifying_seats != self.everyone and self.layout.copies:
            identifying_seats = self.forget_copies(s, cards, pile, identifying_seats, possible_cards)
        if identifying_seats != self.everyone:
            self.move_many(s, cards, pile, end, identifying_seats, possible_cards)
        elif len(cards) < MANY_CARDS:
            self.move_few(s, cards, pile, end)
        elif end != "top" or self.reset_marks is not None or ABSENT in s.loc:
            self.move_many(s, cards, pile, end, identifying_seats, possible_cards)
        else:
            self.move_cards_all_can_follow(s, cards, pile)

    def move_cards_all_can_follow(self, s: State, cards: Sequence[int], pile: int) -> None:
        """Move many cards that all players can follow to the top of a pile."""
        sees, loc, known, after, seat = self.sees, s.loc, s.known, self.sees[pile], self.seat_of[pile]
        self.remove_from_piles(s, cards, [loc[card] for card in cards])
        for card in cards:
            known[card] |= after | sees[loc[card]]
            loc[card] = pile
        if seat >= 0:
            owner = s.owner
            for card in cards:
                owner[card] = seat
        s.z[pile].extend(cards)

    def move_many(
        self, s: State, cards: Sequence[int], pile: int, end: str, identifying_seats: int, possible_cards: Sequence[int]
    ) -> list[int]:
        """Move many cards, or some that a player cannot follow. Return the source pile of each."""
        sources = [s.loc[card] for card in cards]
        self.update_knowledge(s, cards, sources, pile, identifying_seats, possible_cards)
        self.remove_from_piles(s, cards, sources)
        self.add_to_pile(s, cards, pile, end)
        return sources

    def move_few(self, s: State, cards: Sequence[int], pile: int, end: str) -> None:
        """Move a few cards that all players can follow, card by card, which is faster."""
        sees, loc, known, z, seat = self.sees, s.loc, s.known, s.z, self.seat_of[pile]
        after, target = sees[pile], s.z[pile]
        for card in cards:
            source = loc[card]
            seen = after
            if source >= 0:
                seen |= sees[source]
                if z[source][-1] == card:
                    z[source].pop()
                else:
                    z[source].remove(card)
            known[card] |= seen
            loc[card] = pile
            if seat >= 0:
                s.owner[card] = seat
            if self.reset_marks is not None:
                self.reset_marks(s, card)
        if end == "top":  # often, so without a call
            target.extend(cards)
        else:
            self.insert_cards(target, cards, end)

    def insert_cards(self, target: list[int], cards: Sequence[int], end: str) -> None:
        if end == "under":
            target[:0] = cards
            return
        target.extend(cards)
        if end != "top":
            target.sort(key=self.sort_keys.__getitem__, reverse=end == "lowest")

    def insert(self, s: State, cards: Sequence[int], card: int, above: int, seats: int, span: Span) -> None:
        """Bring cards from the top of a pile to their place on a card in it, or under it.

        seats: the seats that know the place of this card. The others can't tell the places of the pile's cards."""
        items, sees = s.z[s.loc[card]], self.sees[s.loc[card]]
        s.fuel -= len(items) >> 2
        del items[len(items) - len(cards) :]
        at = items.index(card) + above
        items[at:at] = cards
        located = seats | sees
        if located & self.everyone != self.everyone:
            for other in items:
                s.known[other] &= located
        if s.events is not None and cards:
            s.events.append(("inserted", span, card, above, located & (s.known[card] | sees)))

    def put_on_public_pile(self, s: State, card: int, pile: int) -> None:
        """Put one card on top of a public pile."""
        loc = s.loc
        source = loc[card]
        if self.layout.copies:
            self.forget_copies(s, (card,), pile, 1 << s.who, ())
        if source >= 0:
            s.z[source].remove(card)
        s.known[card] = self.everyone
        loc[card] = pile
        if self.seat_of[pile] >= 0:
            s.owner[card] = self.seat_of[pile]
        s.z[pile].append(card)

    def move_one(self, s: State, card: int, pile: int, identifying_seats: int, possible_cards: Sequence[int]) -> None:
        """Move one card to the top of a pile, without events."""
        if identifying_seats != self.everyone and self.layout.copies:
            identifying_seats = self.forget_copies(s, (card,), pile, identifying_seats, possible_cards)
        if identifying_seats != self.everyone:
            self.move_many(s, (card,), pile, "top", identifying_seats, possible_cards)
            return
        z, seat = s.z, self.seat_of[pile]
        source = s.loc[card]
        seen = self.sees[pile]
        if source >= 0:
            z[source].remove(card)
            seen |= self.sees[source]
        s.known[card] |= seen
        s.loc[card] = pile
        if seat >= 0:
            s.owner[card] = seat
        if self.reset_marks is not None:
            self.reset_marks(s, card)
        z[pile].append(card)

    def move_top(self, s: State, source: int, pile: int) -> None:
        """Move the top card of a pile, if any, to the top of another, without events."""
        cards = s.z[source]
        if not cards:
            return
        card = cards.pop()
        s.known[card] |= self.sees[source] | self.sees[pile]
        s.loc[card] = pile
        if self.seat_of[pile] >= 0:
            s.owner[card] = self.seat_of[pile]
        if self.reset_marks is not None:
            self.reset_marks(s, card)
        s.z[pile].append(card)

    def move_tops(self, s: State, source: int, number: int, pile: int) -> None:
        """Move up to `number` cards from the top of a pile to the top of another, without events."""
        if number <= 0:
            return
        cards = s.z[source]
        moved = cards[: -number - 1 : -1]
        if source == pile or self.reset_marks is not None:
            self.move_without_event(s, moved, pile, "top", self.everyone, ())
            return
        if len(moved) >= MANY_CARDS:
            s.fuel -= len(moved) >> 2
        del cards[-number:]
        self.add_followed_cards(s, moved, pile, self.sees[source] | self.sees[pile])

    def move_all(self, s: State, source: int, pile: int) -> None:
        """Move all cards of a pile, in order, to the top of another, without events."""
        cards = s.z[source]
        if source == pile or self.reset_marks is not None:
            self.move_without_event(s, cards[:], pile, "top", self.everyone, ())
            return
        if len(cards) >= MANY_CARDS:
            s.fuel -= len(cards) >> 2
        self.add_followed_cards(s, cards, pile, self.sees[source] | self.sees[pile])
        cards.clear()

    def add_followed_cards(self, s: State, cards: Sequence[int], pile: int, identifying_seats: int) -> None:
        """Add cards that all players could follow to a pile."""
        loc, known, seat = s.loc, s.known, self.seat_of[pile]
        for card in cards:
            known[card] |= identifying_seats
            loc[card] = pile
        if seat >= 0:
            owner = s.owner
            for card in cards:
                owner[card] = seat
        s.z[pile] += cards

    def deal_all(self, s: State, source: int, piles: Sequence[int]) -> None:
        """Deal all cards of a pile, one at a time to each pile in turn, without events."""
        cards, count = s.z[source], len(piles)
        if len(cards) < MANY_CARDS or source in piles or self.reset_marks is not None:
            self.deal_without_event(s, cards[:], piles, self.everyone, ())
            return
        for turn, pile in enumerate(piles):
            dealt = cards[turn::count]
            if len(dealt) >= MANY_CARDS:
                s.fuel -= len(dealt) >> 2
            self.add_followed_cards(s, dealt, pile, self.sees[source] | self.sees[pile])
        cards.clear()

    def deal_few(self, s: State, cards: Sequence[int], piles: Sequence[int]) -> None:
        """Deal a few cards that all players can follow, one to each pile in turn."""
        sees, loc, known, z, seat_of, owner = self.sees, s.loc, s.known, s.z, self.seat_of, s.owner
        count = len(piles)
        for turn, card in enumerate(cards):
            pile, source = piles[turn % count], loc[card]
            known[card] |= sees[pile] | sees[source]
            z[source].remove(card)
            z[pile].append(card)
            loc[card] = pile
            if seat_of[pile] >= 0:
                owner[card] = seat_of[pile]

    def raise_too_full(self, s: State, pile: int, span: Span) -> NoReturn:
        """Raise the `RuleError` for more than one card in a zone that holds 1.

        The message does not name the cards, which may be hidden."""
        name, count = self.layout.zones[pile].zone.name, len(s.z[pile])
        message = f"`{name}` holds 1 card, but now has {count}. Move the other cards away first."
        raise RuleError(span, message)

    def move_with_event(
        self, s: State, cards: Sequence[int], pile: int, end: str, identifying_seats: int,
        possible_cards: Sequence[int],
        verb: str, span: Span,
    ) -> None:  # fmt: skip
        if not cards or s.events is None:
            return
        if len(cards) >= MANY_CARDS:
            s.fuel -= len(cards) >> 2
        if identifying_seats != self.everyone and self.layout.copies:
            identifying_seats = self.forget_copies(s, cards, pile, identifying_seats, possible_cards)
        sources = self.move_many(s, cards, pile, end, identifying_seats, possible_cards)
        seen = tuple(s.known[card] | self.sees[pile] for card in cards)
        s.events.append(("moved", span, verb, tuple(cards), tuple(sources), pile, seen))

    def update_knowledge(
        self,
        s: State,
        cards: Sequence[int],
        sources: list[int],
        pile: int,
        identifying_seats: int,
        possible_cards: Sequence[int],
    ) -> None:
        """Update the knowledge of cards before they move, and of those that may be confused with them.

        Players who see a card at its source or target know it. Players who cannot identify it lose their knowledge
        of every card that it may have been."""
        sees, known, target, everyone = self.sees, s.known, self.sees[pile], self.everyone
        left: dict[int, list[int]] = {}
        named = identifying_seats & everyone if identifying_seats & KNOWN_BY_NAME else 0
        if identifying_seats & everyone != everyone:
            left = self.find_confusable_cards(s, cards, sources, possible_cards)
            if not any(left.values()):
                identifying_seats |= everyone if len(cards) == 1 else self.find_knowers(s, cards)
        for card, source in zip(cards, sources, strict=True):
            seen = target | sees[source] if source >= 0 else target
            keep = identifying_seats | seen
            known[card] = known[card] & keep | seen | named
            for other in left.get(source, ()):
                known[other] &= keep

    def forget_copies(
        self, s: State, cards: Sequence[int], pile: int, identifying_seats: int, possible_cards: Sequence[int]
    ) -> int:
        """Let players forget a copy for each of these cards that they will see only in the pile where it is put.

        A copy that they know in the same source pile may have been moved instead. Return the seats that can identify
        the cards once they lie there."""
        known, face, target, everyone = s.known, self.layout.face, self.sees[pile], self.everyone
        for card in cards:
            source = s.loc[card]
            if source < 0 or not (unsure := target & ~(identifying_seats | known[card] | self.sees[source])):
                continue
            for other in s.z[source]:
                mistaken = known[other] & unsure
                if (
                    mistaken
                    and face[other] == face[card]
                    and other not in cards
                    and other in (possible_cards or s.z[source])
                ):
                    known[other] -= mistaken
                    unsure -= mistaken
        return everyone if target == everyone else identifying_seats

    def find_confusable_cards(
        self, s: State, cards: Sequence[int], sources: list[int], possible_cards: Sequence[int]
    ) -> dict[int, list[int]]:
        """Return, for each source pile, the other cards that might have moved instead."""
        moved = set(cards)
        return {
            source: [
                card for card in s.z[source] if card not in moved and (not possible_cards or card in possible_cards)
            ]
            for source in set(sources)
            if source >= 0
        }

    def find_knowers(self, s: State, cards: Sequence[int]) -> int:
        """Return the seats that know each of these cards in its current place."""
        seats = self.everyone
        for card in cards:
            if card >= 0:
                seats &= s.known[card] | self.get_seats_seeing_card(s, card)
        return seats

    def find_place_knowers(self, s: State, identifying_seats: int, cards: Sequence[int]) -> int:
        """Return the seats that know where cards are, of those that can identify them.

        Seats that know the cards only by name must see them, or know them in their current place."""
        named = identifying_seats & KNOWN_BY_NAME
        return identifying_seats & self.find_knowers(s, cards) if named else identifying_seats

    def find_watchers(self, s: State, cards: Sequence[int]) -> int:
        """Return the seats that see the zones of all these cards."""
        seats = self.everyone
        for card in cards:
            if card >= 0:
                seats &= self.get_seats_seeing_card(s, card)
        return seats

    def narrow_followers(self, s: State, identifying_seats: int, cards: Sequence[int], moved: Sequence[int]) -> int:
        """Return the seats that can still identify the cards of a name once others in the same pile become hard to
        tell apart.

        These are the seats that know its cards by name."""
        piles = {s.loc[card] for card in moved}
        if identifying_seats & KNOWN_BY_NAME or not any(card >= 0 and s.loc[card] in piles for card in cards):
            return identifying_seats
        return identifying_seats & self.find_knowers(s, cards) | KNOWN_BY_NAME

    def find_candidates(
        self, identifying_seats: int, cards: Sequence[int], possible_cards: Sequence[int]
    ) -> Sequence[int]:
        """Return a public superset of the cards of a name, if known; see `move`."""
        if identifying_seats & KNOWN_BY_NAME:
            return ()
        return cards if identifying_seats == self.everyone else possible_cards

    def remove_from_piles(self, s: State, cards: Sequence[int], sources: list[int]) -> None:
        z = s.z
        if len(cards) < MANY_CARDS:
            for card, source in zip(cards, sources, strict=True):
                if source >= 0:
                    z[source].remove(card)
            return
        pile = z[sources[0]] if sources[0] >= 0 else []
        if pile[: -len(cards) - 1 : -1] == list(cards):  # the top of a pile, regardless of the cards below
            del pile[-len(cards) :]
            return
        moved = set(cards)
        for source in set(sources):
            if source >= 0:
                z[source][:] = [] if moved.issuperset(z[source]) else [card for card in z[source] if card not in moved]

    def add_to_pile(self, s: State, cards: Sequence[int], pile: int, end: str) -> None:
        self.insert_cards(s.z[pile], cards, end)
        loc, owner, seat = s.loc, s.owner, self.seat_of[pile]
        for card in cards:
            loc[card] = pile
            if seat >= 0:
                owner[card] = seat
            if self.reset_marks is not None:
                self.reset_marks(s, card)

    def deal(
        self, s: State, cards: Sequence[int], piles: Sequence[int], identifying_seats: int,
        possible_cards: Sequence[int],
        verb: str, span: Span,
    ) -> None:  # fmt: skip
        """Deal one card at a time to each pile in turn, until none is left."""
        if s.events is None:
            self.deal_without_event(s, cards, piles, identifying_seats, possible_cards)
            return
        for turn, pile in enumerate(piles):
            self.move_with_event(
                s, cards[turn :: len(piles)], pile, "top", identifying_seats, possible_cards, verb, span
            )

    def deal_without_event(
        self,
        s: State,
        cards: Sequence[int],
        piles: Sequence[int],
        identifying_seats: int,
        possible_cards: Sequence[int],
    ) -> None:
        """Deal cards without events."""
        if identifying_seats == self.everyone and len(cards) < MANY_CARDS and self.reset_marks is None:
            self.deal_few(s, cards, piles)
            return
        for turn, pile in enumerate(piles):
            self.move_without_event(s, cards[turn :: len(piles)], pile, "top", identifying_seats, possible_cards)

    def hide(self, s: State, cards: Sequence[int], span: Span) -> None:
        """Make players forget cards, unless they see their zone."""
        s.fuel -= len(cards) >> 2
        known = s.known
        for card in cards:
            known[card] = 0

    def shuffle(self, s: State, pile: int, span: Span) -> None:
        """Shuffle a pile. Only players who see the zone still know the cards."""
        self.hide(s, s.z[pile], span)
        shuffle(s, s.z[pile])
        if s.events is not None:
            s.events.append(("shuffled", span, pile))

    def reveal(self, s: State, cards: Sequence[int], seat: int, span: Span) -> None:
        """Reveal cards to one seat, or to all players (`seat` ABSENT).

        The event contains the cards, those that some player did not know, and those new to the players who see them
        now."""
        who = self.everyone if seat == ABSENT else 1 << seat
        unknown = {}
        if s.events is not None:
            unknown = {card: self.everyone & ~(s.known[card] | self.get_seats_seeing_card(s, card)) for card in cards}
        for card in cards:
            s.known[card] |= who
        shown = tuple(card for card, seats in unknown.items() if seats)
        if s.events is not None and shown:
            fresh = tuple(card for card in shown if unknown[card] & who)
            s.events.append(("revealed", span, tuple(cards), shown, fresh, who))

    def get_seats_seeing_card(self, s: State, card: int) -> int:
        return self.sees[s.loc[card]] if s.loc[card] >= 0 else 0


def build_card_sort_keys(layout: Layout) -> list[tuple[int, ...]]:
    """Return the sort keys of cards in sorted piles: the columns of ordered kinds from the left, then the card's
    number."""
    game = layout.game
    columns = [c for c in game.columns.values() if c.type.tag == "number" or is_ordered_kind(layout, c.type.of)]
    keys = [tuple(to_sort_key(column.values[face.number]) for column in columns) for face in game.faces]
    return [(*keys[face], card) for card, face in enumerate(layout.face)]


def is_ordered_kind(layout: Layout, kind: str | None) -> bool:
    return kind is not None and layout.game.kinds[kind].ordered


def to_sort_key(value: g.Value) -> int:
    """Return a sort key: absent values are lowest, unlimited ones highest."""
    if value is None:
        return -1
    return value if isinstance(value, int) else UNLIMITED
