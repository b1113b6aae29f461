"""Piles and the cards in them, as they lie on the table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from attrs import frozen

from cardlang.game import Game, Show
from cardlang.suits import Suits
from interpreter.matches.refs import Refs
from interpreter.matches.view import CardView, ZoneView
from interpreter.table.model import Card, Form, Pile


@frozen
class Touched:
    """What the decision says about cards. `moves`: the numbers of the moves, by the ref that they touch; `chosen`,
    `open`: refs of those in a set that is being chosen, and of those that can be chosen now; `counts`: refs of those
    that count in what the hand is worth."""

    moves: Mapping[str, tuple[int, ...]]
    chosen: Collection[str] = ()
    open: Collection[str] = ()
    counts: Collection[str] = ()


class Piles:
    """Of one game: how its zones lie."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.suits = Suits(game)
        self.shows: dict[str, Show] = {show.zone: show for show in game.shows if show.zone is not None}
        self.sorting: dict[int | None, tuple[int, ...]] = {}

    def pile(self, zone: ZoneView, touched: Touched) -> Pile:
        ref = Refs.pile(zone.name, zone.owner)
        form = self.form(zone)
        places = list(enumerate(zone.cards, 1))
        if form == "hand":
            places.sort(key=lambda place: self.place_in_hand(place[1].face))
        show = self.shows.get(zone.name)
        return Pile(
            ref=ref,
            name=zone.name,
            label=zone.noun,
            owner=zone.owner,
            form=form,
            across=show.columns if show is not None and form == "grid" else 0,
            private=zone.private,
            cards=tuple(card_of(f"{ref}#{place}", card, form, touched) for place, card in places),
            beside=Refs.pile(show.beside, None) if show is not None and show.beside else "",
            empty_stays=show is not None,
        )

    def is_trick(self, ref: str) -> bool:
        """Whether the pile that a ref means lies as a trick does."""
        show = self.shows.get(ref.split("/")[1]) if ref else None
        return show is not None and show.form == "trick"

    def owner_of(self, ref: str) -> str | None:
        """Whose a pile is, if it is a player's or a member's."""
        parts = ref.split("/", 2)
        return parts[2] if len(parts) > 2 else None

    def face_up(self, code: str) -> Card:
        """A card that everybody sees, by its code; where it lies is not said."""
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
        """As the game says it, else as piles of this sort mostly lie."""
        show = self.shows.get(zone.name)
        if show is not None and show.form is not None:
            return show.form  # type: ignore[return-value]
        declared = self.game.zones[zone.name]
        if declared.viewer in ("owner", "others") and zone.subject == "player":
            return "hand"
        return "row" if declared.viewer == "everyone" else "stack"


def card_of(ref: str, card: CardView, form: Form, touched: Touched) -> Card:
    return Card(
        ref=ref,
        code=card.code,
        title=card.title,
        face=card.face,
        back=card.back,
        up=card.up,
        marks=card.marks,
        by=card.by if form == "trick" else None,
        counts=ref in touched.counts,
        moves=touched.moves.get(ref, ()),
        chosen=ref in touched.chosen,
        open=ref in touched.open,
    )
