"""Areas of players, teams and the middle of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TypeVar

from attrs import evolve

from interpreter.narration.display_names import Refs
from interpreter.narration.game_facts import GameFacts
from interpreter.runtime.value_formatting import format_number
from interpreter.view.card_piles import CardHighlights, PileLayout
from interpreter.view.player_view import TrackView, View, ZoneView
from interpreter.view.shown_values_and_hand_notes import ShownValueView
from interpreter.view.table_model import MAX_CACHED_PARTS, DisplayFact, TableArea, TablePile

VisibleValue = TrackView | ShownValueView
Owned = TypeVar("Owned", ZoneView, TrackView, VisibleValue)
UNSET_PLACEHOLDER = "–"
"""Placeholder for a number without a value yet."""


class TableAreaBuilder:
    """Builder of the areas for one view. `is_unset` returns whether an owner's number has no value yet."""

    def __init__(
        self,
        view: View,
        piles: PileLayout,
        facts: GameFacts,
        highlights: CardHighlights,
        is_unset: Callable[[str, str | None], bool],
    ) -> None:
        self.view, self.piles, self.facts, self.highlights = view, piles, facts, highlights
        self.filled_zones = {zone.name for zone in view.table if zone.cards}
        self.zones = group_by_owner(view.table)
        self.tracks = group_by_owner(view.tracks)
        seen: tuple[VisibleValue, ...] = view.shown if view.chosen else view.tracks
        still = {
            name
            for name, read in facts.derived_numbers.items()
            for who in view.order
            if any(is_unset(of, who) for of in read)
        }
        self.visible_values = tuple(
            evolve(each, value=UNSET_PLACEHOLDER, text=UNSET_PLACEHOLDER)
            if each.name in still or is_unset(each.name, each.owner)
            else each
            for each in seen
        )
        self.values = group_by_owner(self.visible_values)
        self.roles: dict[object, list[str]] = {}
        for value in self.values.get((None, None), ()):
            if value.value in view.players:
                self.roles.setdefault(value.value, []).append(value.noun)
        self.scores = self.find_unshown_scores()
        self.passed = self.find_passed_players()

    def build_player_areas(self) -> tuple[TableArea, ...]:
        """Return the areas of the players, with the viewer first. For a spectator, the order of play begins."""
        order = self.view.order
        start = order.index(self.view.player) if self.view.player in order else 0
        return tuple(self.build_player_area(name, seat) for seat, name in enumerate(order[start:] + order[:start]))

    def build_player_area(self, name: str, seat: int) -> TableArea:
        view = self.view
        values = self.values.get(("player", name), [])
        marks = (
            *(["out"] if name in view.out else []),
            *(["passed"] if name in self.passed else []),
            *self.roles.get(name, ()),
            *list_flag_names(values),
        )
        read = {hand_value.text for hand_value in view.held} if name == view.player else set()
        if not any(zone.cards for zone in self.zones.get(("player", name), ())):
            # no hand, no value
            values = [value for value in values if not (isinstance(value, ShownValueView) and value.cards)]
        values = [
            value for value in values if value.text not in read or not value.value or isinstance(value.value, int)
        ]
        return TableArea(
            ref=f"player/{name}",
            name=name,
            seat=seat,
            partner=self.is_partner(name),
            marks=marks,
            facts=(*(() if self.facts.has_common_score else self.build_score_fact(name)), *self.build_facts(values)),
            piles=self.build_piles(name, "player"),
            asked=view.asked == name,
            out=name in view.out,
            words=self.find_mark_docs(marks),
        )

    def build_facts(self, values: Sequence[VisibleValue]) -> tuple[DisplayFact, ...]:
        return tuple(
            build_fact(value, self.piles.descriptions.get(value.name, ""))
            for value in values
            if not isinstance(value.value, bool) and value.value is not None
        )

    def find_mark_docs(self, marks: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Return the author's descriptions of some marks."""
        named = [value for value in self.visible_values if value.noun in marks] if marks else []
        docs = {mark.noun: self.piles.descriptions.get(mark.name, "") for mark in named}
        return tuple((noun, words) for noun, words in docs.items() if words)

    def find_team(self, name: str | None) -> str | None:
        """Return the team of a player."""
        players = self.view.players
        return self.view.sides[players.index(name)] if name in players and self.view.sides else None

    def is_partner(self, name: str) -> bool:
        own_team = self.find_team(self.view.player)
        return name != self.view.player and own_team is not None and self.find_team(name) == own_team

    def build_middle(self) -> TableArea:
        values = [value for value in self.values.get((None, None), ()) if value.value not in self.view.players]
        score = self.build_score_fact(self.view.players[0]) if self.facts.has_common_score else ()
        return TableArea(
            "middle",
            "",
            -1,
            False,
            list_flag_names(values),
            (*score, *self.build_facts(values)),
            self.build_piles(None, None),
        )

    def build_kind_areas(self) -> tuple[TableArea, ...]:
        owners = [owner for owner in {**self.zones, **self.values} if owner[0] not in (None, "player")]
        areas = (self.build_member_area(str(kind), str(name)) for kind, name in owners)
        return tuple(area for area in areas if area.marks or area.facts or area.piles)

    def build_member_area(self, kind: str, name: str) -> TableArea:
        values = self.values.get((kind, name), [])
        mates = tuple(player for player in self.view.order if self.find_team(player) == name)
        marks = (*mates, *list_flag_names(values))
        member = next(each for each in self.piles.game.kinds[kind].members if each.name == name)
        title = member.noun.singular if member.noun.called else name
        return TableArea(
            f"member/{kind}/{name}", title, -1, False, marks, self.build_facts(values), self.build_piles(name, kind)
        )

    def build_piles(self, owner: str | None, subject: str | None) -> tuple[TablePile, ...]:
        zones = (zone for zone in self.zones.get((subject, owner), ()) if self.is_zone_shown(zone))
        up = {track.name for track in self.tracks.get((subject, owner), ()) if track.value is True}
        piles = (self.piles.build_pile(zone, self.highlights) for zone in zones)
        return self.piles.combine_grids([self.piles.turn_cards(pile, up) for pile in piles])

    def is_zone_shown(self, zone: ZoneView) -> bool:
        """Return whether to show a pile: some pile of its zone has cards, or the game always shows it.

        Cards left over from the set-up are shown only during the set-up.
        """
        if zone.name in self.piles.zone_shows:
            return True
        return zone.name in self.filled_zones and (
            zone.name not in self.piles.setup_only_zones or "setup" in self.view.steps
        )

    def find_passed_players(self) -> set[str]:
        """Return the players who have passed since another player played all the cards of a pile on the table."""
        counts = {
            Refs.build_pile_ref(zone.name, None): zone.count for zone in self.zones.get((None, None), ()) if zone.cards
        }
        passed = set[str]()
        for event in reversed(self.view.events) if counts else ():
            if event.who is None:
                if event.kind == "step":
                    break
            elif event.kind == "moved" and event.to in counts:
                return passed - {event.who} if len(event.cards) == counts[event.to] else set()
            elif event.line.is_pass:
                passed.add(event.who)
        return set()

    def find_unshown_scores(self) -> dict[str, int | Fraction | None]:
        """Return the scores by player, or nothing if other facts already show them."""
        view = self.view
        if view.scores is None or all(value is None for value in view.scores):
            return {}
        scores = dict(zip(view.players, view.scores, strict=True))
        values: dict[str, dict[str | None, object]] = {}
        for shown in self.visible_values:
            values.setdefault(shown.name, {})[shown.owner] = shown.value
        return {} if self.piles.score in values or scores in values.values() else scores

    def build_score_fact(self, name: str) -> tuple[DisplayFact, ...]:
        """Return the player's score, unless another fact already shows it."""
        if name not in self.scores:
            return ()
        return (DisplayFact("score", "Score", self.scores[name], format_number(self.scores[name])),)


def group_by_owner(parts: Iterable[Owned]) -> dict[tuple[str | None, str | None], list[Owned]]:
    """Return zones or values by the kind of their owner and the owner."""
    groups: dict[tuple[str | None, str | None], list[Owned]] = {}
    for part in parts:
        groups.setdefault((part.subject, part.owner), []).append(part)
    return groups


def list_flag_names(values: Sequence[VisibleValue]) -> tuple[str, ...]:
    return tuple(value.noun for value in values if value.value is True)


@lru_cache(MAX_CACHED_PARTS)
def build_fact(value: VisibleValue, words: str = "") -> DisplayFact:
    label = value.noun[:1].upper() + value.noun[1:]
    cards, hidden = (value.cards, not value.is_public) if isinstance(value, ShownValueView) else ((), False)
    return DisplayFact(value.name, label, value.value, value.text, cards, hidden, words)
