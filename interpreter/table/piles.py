"""Arrange piles and their cards on the table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from functools import cached_property

from attrs import evolve, frozen

from cardlang import game as g
from cardlang.game import Game, Show
from cardlang.game.walking import everything, steps_done, values, walk
from cardlang.source import Span
from cardlang.suits import Suits
from interpreter.matches.refs import Refs
from interpreter.matches.view import CardView, ZoneView
from interpreter.table.grids import Grids
from interpreter.table.model import Card, Fact, Form, Pile


@frozen
class Touched:
    """Facts about cards from the current decision.

    - `moves`: indices of the moves that touch a ref.
    - `chosen`, `open`: refs in the set being selected, and refs that can be selected or deselected now.
    - `counts`: refs that count in the value of the hand.
    - `best`: place of the best card of the trick, from 1.
    - `fresh`: refs of cards that just came to the viewer's hand.
    - `facts`: values that the game shows of cards, by ref.
    - `melded`: refs of the cards of a hand split into groups, group by group.
    """

    moves: Mapping[str, tuple[int, ...]]
    chosen: Collection[str] = ()
    open: Collection[str] = ()
    counts: Collection[str] = ()
    best: int = 0
    fresh: Collection[str] = ()
    facts: Mapping[str, tuple[Fact, ...]] = {}
    melded: Sequence[str] = ()

    @cached_property
    def refs(self) -> Set[str]:
        """Refs of all cards with such a fact."""
        return {*self.moves, *self.counts, *self.open, *self.chosen, *self.fresh, *self.facts}


NOTHING = Touched({})
MOST_KEPT = 50_000
"""Maximum number of cached cards."""


class Piles:
    """Layout of the zones of one game. `score`: name of the score track."""

    def __init__(self, game: Game, score: str | None = None) -> None:
        self.game = game
        self.score = score
        self.suits = Suits(game)
        self.grids = Grids(game)
        self.shows: dict[str, Show] = {show.zone: show for show in game.shows if show.zone is not None}
        self.lying: dict[tuple[str, int | None, str, bool], Card] = {}
        self.sorting: dict[int | None, tuple[int, ...]] = {}

    def pile(self, zone: ZoneView, touched: Touched) -> Pile:
        ref = Refs.pile(zone.name, zone.owner)
        form = self.form(zone)
        places = list(enumerate(zone.cards, 1))
        if form == "hand" and self.game.zones[zone.name].viewer == "owner":  # a hidden hand keeps its order
            order = {each: number for number, each in enumerate(touched.melded)}
            places.sort(
                key=lambda place: (order.get(f"{ref}#{place[0]}", len(order)), self.place_in_hand(place[1].face))
            )
        show = self.shows.get(zone.name)
        return Pile(
            ref=ref,
            name=zone.name,
            label=zone.noun,
            owner=zone.owner,
            form=form,
            across=show.columns if show is not None and form == "grid" else 0,
            private=zone.private,
            cards=tuple(self.card(f"{ref}#{place}", card, form, touched, place) for place, card in places),
            beside=Refs.pile(show.beside, None) if show is not None and show.beside else "",
            empty_stays=show is not None,
            put_down=zone.name in self.put_down,
        )

    def in_grids(self, piles: Sequence[Pile]) -> tuple[Pile, ...]:
        """Return the piles of one place, with the piles of one grid combined."""
        return self.grids.joined(piles)

    def card(self, ref: str, card: CardView, form: Form, touched: Touched, place: int) -> Card:
        """Return a card at a place. A card without special facts is cached for its place."""
        if card.marks or form == "trick" or ref in touched.refs:
            note = note_of(place, touched.best) if form == "trick" else ""
            return card_of(ref, card, card.by if form == "trick" else None, note, touched)
        key = (ref, card.face, card.back, card.up)
        found = self.lying.get(key)
        if found is None:
            if len(self.lying) > MOST_KEPT:
                self.lying.clear()
            found = self.lying[key] = card_of(ref, card, None, "", NOTHING)
        return found

    @cached_property
    def other_faces(self) -> frozenset[tuple[int, str]]:
        """Faces that have another face, each with the flag that turns it over."""
        columns = [column for column in self.game.columns.values() if column.other_face in self.game.tracks]
        return frozenset(
            (face, column.other_face)
            for column in columns
            for face, title in enumerate(column.values)
            if title is not None
        )

    def turned(self, pile: Pile, up: Collection[str]) -> Pile:
        """Return a pile with the cards turned over that a flag of their owner turns. `up`: the flags that are set."""
        if not up or pile.form == "hand":
            return pile
        cards = tuple(
            evolve(card, turned=True) if any((card.face, flag) in self.other_faces for flag in up) else card
            for card in pile.cards
        )
        return evolve(pile, cards=cards) if cards != pile.cards else pile

    def is_trick(self, ref: str) -> bool:
        """Return whether the pile of a ref has the layout of a trick."""
        show = self.shows.get(ref.split("/")[1]) if ref else None
        return show is not None and show.form == "trick"

    def is_open_to_all(self, ref: str) -> bool:
        """Return whether all players see the cards in the pile of a ref."""
        return bool(ref) and self.game.zones[ref.split("/")[1]].viewer == "everyone"

    def owner_of(self, ref: str) -> str | None:
        """Return the owner of a pile; None for the table."""
        parts = ref.split("/", 2)
        return parts[2] if len(parts) > 2 else None

    def face_up(self, code: str) -> Card:
        """Return a face-up card by its code, without a position."""
        return self.faces[code]

    @cached_property
    def faces(self) -> dict[str, Card]:
        sets = self.game.sets
        return {
            face.code: Card("", face.code, face.title, face.number, sets[face.set].home, up=True)
            for face in self.game.faces
        }

    def place_in_hand(self, face: int | None) -> tuple[int, ...]:
        found = self.sorting.get(face)
        if found is None:
            found = self.sorting[face] = self.suits.place_in_hand(face)
        return found

    def form(self, zone: ZoneView) -> Form:
        """Return the layout of a zone: declared by the game, or else the usual one for its type."""
        show = self.shows.get(zone.name)
        if show is not None and show.form is not None:
            return show.form  # type: ignore[return-value]
        declared = self.game.zones[zone.name]
        if declared.viewer in ("owner", "others") and zone.subject == "player":
            return "hand"
        return "row" if zone.name in self.looked_into and declared.viewer == "everyone" else "stack"

    @cached_property
    def put_away(self) -> frozenset[str]:
        """Zones of the table that only the set-up uses. After the set-up, cards left there are out of the game."""
        game = self.game
        once = steps_done(game, game.steps["setup"].body) | {"setup"} if "setup" in game.steps else set()
        lasting: list[object] = [
            *(step.body for step in game.steps.values() if step.name not in once),
            *(body.body for each in game.borne_steps.values() for body in each.bodies if body),
            *((reaction.option,) for reaction in game.reactions),
            *(trigger.body for trigger in game.enters),
            *(trigger.body for trigger in game.whenevers),
        ]
        again = set[str]().union(*(steps_done(game, body) for body in lasting)) & once
        parts = walk((*lasting, *(game.steps[name].body for name in again), *values(game)))
        spoken_of = {part.zone for part in parts if isinstance(part, g.ZoneCards | g.Place)} | self.shows.keys()
        return frozenset(zone.name for zone in game.zones.values() if zone.subject is None) - spoken_of

    @cached_property
    def put_down(self) -> frozenset[str]:
        """Zones for which players only need the number of cards.

        Among owned zones, these are the zones that no player may look into. Among zones of the table, these are the
        zones that no rule reads and whose cards leave only all together. A zone of the table is excluded if players
        choose cards to put there face up, or if the game shows it.
        """
        parts = everything(self.game)
        together = {id(each) for part in parts if isinstance(part, g.Move) for each in whole(part.what)}
        used = {part.zone for part in parts if isinstance(part, g.ZoneCards) and id(part) not in together}
        laid = {part.to.zone for part in parts if isinstance(part, g.Pick) and part.position is None}
        return frozenset(
            zone.name
            for zone in self.game.zones.values()
            if zone.name not in self.shows
            and (
                zone.viewer == "nobody"
                if zone.subject is not None
                else zone.name not in used and (zone.viewer == "nobody" or zone.name not in laid)
            )
        )

    @cached_property
    def picked_up(self) -> frozenset[Span]:
        """Places of the rules by which a player takes up a whole pile into their hand."""
        zones = self.game.zones
        moves = (part for part in everything(self.game) if isinstance(part, g.Move))
        return frozenset(
            move.span
            for move in moves
            if isinstance(move.what, g.ZoneCards)
            and (zones[move.what.zone].subject, zones[move.to.zone].subject) == ("player", "player")
            and zones[move.to.zone].viewer == "owner"
        )

    @cached_property
    def looked_into(self) -> frozenset[str]:
        """Zones in which more than the top card matters.

        Rules choose or search among all their cards, or they hold a single card.
        """
        found = {zone.name for zone in self.game.zones.values() if zone.single}
        for part in everything(self.game):
            match part:
                case g.Pick(position=None):
                    among = part.source
                case g.Domain(list=g.Expr() as among):
                    pass
                case g.Filter() | g.AggBy() | g.Sorted() | g.MapEach():
                    among = part.list
                case g.ReadRanking():
                    among = part.cards
                case g.Call(of=g.Expr() as among) if self.game.defines[part.define].subject == "cards":
                    pass
                case _:
                    continue
            found |= {each.zone for each in open_to(self.game, among)}
        return frozenset(found)


def whole(cards: g.Expr) -> Iterator[g.ZoneCards]:
    """Yield the zones that an expression uses whole and in order."""
    match cards:
        case g.ZoneCards():
            yield cards
        case g.Joined():
            for item in cards.items:
                yield from whole(item)


def open_to(game: g.Game, cards: g.Expr) -> Iterator[g.ZoneCards]:
    """Yield the zones all of whose cards an expression considers."""
    match cards:
        case g.ZoneCards():
            yield cards
        case g.Filter() | g.Sorted() | g.AggBy():
            yield from open_to(game, cards.list)
        case g.Agg(function="distinct" | "reverse"):
            yield from open_to(game, cards.list)
        case g.Joined():
            for item in cards.items:
                yield from open_to(game, item)
        case g.FirstPossible():
            for line, _ in cards.lists:
                yield from open_to(game, line)
        case g.Call():
            yield from open_to(game, game.defines[cards.define].value)


def note_of(place: int, best: int) -> str:
    """Return the note of a card in a trick: `led`, `best`, or both."""
    return ", ".join(word for word, at in (("led", 1), ("best", best)) if at == place)


def card_of(ref: str, card: CardView, by: str | None, note: str, touched: Touched) -> Card:
    return Card(
        ref=ref,
        code=card.code,
        title=card.title,
        face=card.face,
        back=card.back,
        up=card.up,
        marks=card.marks,
        by=by,
        note=note,
        counts=ref in touched.counts,
        moves=touched.moves.get(ref, ()),
        chosen=ref in touched.chosen,
        open=ref in touched.open,
        fresh=ref in touched.fresh,
        facts=touched.facts.get(ref, ()),
    )
