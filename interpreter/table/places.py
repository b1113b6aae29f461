"""Make the places at the table: players in the order of play from the viewer on, teams, and the middle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve

from interpreter.matches.facts import Facts
from interpreter.matches.names import exact
from interpreter.matches.shown import ShownView
from interpreter.matches.view import TrackView, View, ZoneView
from interpreter.table.model import Fact, Pile, Place
from interpreter.table.piles import Piles, Touched

Seen = TrackView | ShownView
STILL_OPEN = "–"
"""Placeholder for a number without a value yet."""


class Places:
    """Maker of the places for one view. `is_open` returns whether an owner's number has no value yet."""

    def __init__(
        self, view: View, piles: Piles, facts: Facts, touched: Touched, is_open: Callable[[str, str | None], bool]
    ) -> None:
        self.view, self.piles, self.facts, self.touched = view, piles, facts, touched
        self.filled = {zone.name for zone in view.table if zone.cards}
        seen: tuple[Seen, ...] = view.shown if view.chosen else view.tracks
        still = {
            name for name, read in facts.summed.items() for who in view.order if any(is_open(of, who) for of in read)
        }
        self.seen = tuple(
            evolve(each, value=STILL_OPEN, text=STILL_OPEN)
            if each.name in still or is_open(each.name, each.owner)
            else each
            for each in seen
        )

    def players(self) -> tuple[Place, ...]:
        """Return the places of the players, with the viewer first. For a spectator, the order of play begins."""
        order = self.view.order
        start = order.index(self.view.player) if self.view.player in order else 0
        return tuple(self.player(name, seat) for seat, name in enumerate(order[start:] + order[:start]))

    def player(self, name: str, seat: int) -> Place:
        view = self.view
        kept = [each for each in self.seen if each.subject == "player" and each.owner == name]
        roles = [each.noun for each in self.seen if each.subject is None and each.value == name]
        marks = (*(["out"] if name in view.out else []), *roles, *flags(kept))
        read = {held.text for held in view.held} if name == view.player else set()
        if not any(zone.cards for zone in view.table if zone.owner == name and zone.subject == "player"):
            kept = [each for each in kept if not (isinstance(each, ShownView) and each.cards)]  # no hand, no value
        kept = [each for each in kept if each.text not in read or not each.value or isinstance(each.value, int)]
        return Place(
            ref=f"player/{name}",
            name=name,
            seat=seat,
            partner=self.is_partner(name),
            marks=marks,
            facts=(*(() if self.facts.one_score else self.score(name)), *self.kept(kept)),
            piles=self.of(name, "player"),
            asked=view.asked == name,
            out=name in view.out,
            words=self.meant([each for each in self.seen if each.noun in marks]),
        )

    def kept(self, seen: Sequence[Seen]) -> tuple[Fact, ...]:
        return tuple(
            fact(each, self.words(each.name))
            for each in seen
            if not isinstance(each.value, bool) and each.value is not None
        )

    def meant(self, marks: Sequence[Seen]) -> tuple[tuple[str, str], ...]:
        """Return the author's descriptions of some marks."""
        said = {each.noun: self.words(each.name) for each in marks}
        return tuple((noun, words) for noun, words in said.items() if words)

    def words(self, name: str) -> str:
        """Return the author's description of a track or definition."""
        game = self.piles.game
        shown = (show for show in game.shows if name in (show.track, show.define))
        said = next((show.doc for show in shown if show.doc), "")
        declared = game.tracks.get(name) or game.defines.get(name)
        return said or (declared.doc if declared else "")

    def side(self, name: str | None) -> str | None:
        """Return the team of a player."""
        players = self.view.players
        return self.view.sides[players.index(name)] if name in players and self.view.sides else None

    def is_partner(self, name: str) -> bool:
        own = self.side(self.view.player)
        return name != self.view.player and own is not None and self.side(name) == own

    def middle(self) -> Place:
        kept = [each for each in self.seen if each.subject is None and each.value not in self.view.players]
        score = self.score(self.view.players[0]) if self.facts.one_score else ()
        return Place("middle", "", -1, False, flags(kept), (*score, *self.kept(kept)), self.of(None, None))

    def kinds(self) -> tuple[Place, ...]:
        things = (*self.view.table, *self.seen)
        members = dict.fromkeys((each.subject, each.owner) for each in things if each.subject not in (None, "player"))
        found = (self.member(str(kind), str(name)) for kind, name in members)
        return tuple(place for place in found if place.marks or place.facts or place.piles)

    def member(self, kind: str, name: str) -> Place:
        kept = [each for each in self.seen if each.subject == kind and each.owner == name]
        mates = tuple(player for player in self.view.order if self.side(player) == name)
        marks = (*mates, *flags(kept))
        return Place(f"member/{kind}/{name}", name, -1, False, marks, self.kept(kept), self.of(name, kind))

    def of(self, owner: str | None, subject: str | None) -> tuple[Pile, ...]:
        zones = [zone for zone in self.view.table if zone.owner == owner and zone.subject == subject]
        tracks = (each for each in self.view.tracks if (each.owner, each.subject) == (owner, subject))
        up = {each.name for each in tracks if each.value is True}
        made = (self.piles.pile(zone, self.touched) for zone in zones if self.is_there(zone))
        return self.piles.in_grids([self.piles.turned(pile, up) for pile in made])

    def is_there(self, zone: ZoneView) -> bool:
        """Return whether to show a pile: some pile of its zone has cards, or the game always shows it.

        Cards left over from the set-up are shown only during the set-up.
        """
        if zone.name in self.piles.shows:
            return True
        return zone.name in self.filled and (zone.name not in self.piles.put_away or "setup" in self.view.steps)

    def score(self, name: str) -> tuple[Fact, ...]:
        """Return the player's score, unless another fact already shows it."""
        view = self.view
        if view.scores is None or all(value is None for value in view.scores):
            return ()
        scores = dict(zip(view.players, view.scores, strict=True))
        if any(each.name == self.piles.score for each in self.seen):
            return ()
        values: dict[str, dict[str | None, object]] = {}
        for each in self.seen:
            values.setdefault(each.name, {})[each.owner] = each.value
        if any(each == scores for each in values.values()):
            return ()
        return (Fact("score", "Score", scores[name], exact(scores[name])),)


def flags(kept: Sequence[Seen]) -> tuple[str, ...]:
    return tuple(each.noun for each in kept if each.value is True)


def fact(each: Seen, words: str = "") -> Fact:
    label = each.noun[:1].upper() + each.noun[1:]
    cards, hidden = (each.cards, not each.open) if isinstance(each, ShownView) else ((), False)
    return Fact(each.name, label, each.value, each.text, cards, hidden, words)
