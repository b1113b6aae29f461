"""Assign the storage of a game in a `State` for a given player count, and the scales of its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import lcm
from typing import Any

from cardlang import game as g
from cardlang.game.walking import Part, everything
from cardlang.source import Span
from interpreter.errors import RuleError
from interpreter.state import ABSENT, NO_NUMBER, UNLIMITED, TrackSlot, ZoneSlot

MAX_SCALE = 1 << 20


class Layout:
    """Storage layout of a game.

    sees: for each pile, the bit mask of the seats (and spectators) that see its cards.
    shared_names: all names that announcements share, sorted: each has its slot in every link.
    finishing: the steps that are finished somewhere."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.game = game
        self.players = players
        self.everyone = (1 << (players + 1)) - 1
        self.cards = game.cards
        self.face = [face.number for face in game.faces for _ in range(face.copies)]
        self.copies = any(face.copies > 1 for face in game.faces)
        parts = list(everything(game))
        self.scales = Scales(game, parts)
        self.eliminates = any(isinstance(part, g.Eliminate) for part in parts)
        shuffles = any(isinstance(part, g.ShufflePlayers) for part in parts)
        self.presence = Presence(game, parts, self.eliminates)
        announced = [part for part in parts if isinstance(part, g.Announce)]
        self.shared_names = sorted({name for part in announced for name, _ in part.shared})
        self.finishing = {part.step for part in parts if isinstance(part, g.Finish)}
        self.fixed_seats = not (self.eliminates or shuffles)
        self.zones: list[ZoneSlot] = []
        self.zone_base: dict[str, int] = {}
        for zone in game.zones.values():
            self.zone_base[zone.name] = len(self.zones)
            self.zones += [ZoneSlot(zone, of) for of in self.owners(zone.subject)]
        self.tracks: list[TrackSlot] = []
        self.track_base: dict[str, int] = {}
        for track in game.tracks.values():
            self.track_base[track.name] = len(self.tracks)
            scale = self.scales.track[track.name]
            self.tracks += [TrackSlot(track, of, scale) for of in self.owners(track.subject)]
        self.sees = [self.seen_by(slot) for slot in self.zones]
        self.seat_of = [of_seat(slot) for slot in self.zones]
        self.home = [self.zone_base[game.sets[game.faces[face].set].home] for face in self.face]
        self.marks = [
            (name, self.track_base[name])
            for name, track in game.tracks.items()
            if track.subject == "card" and any(again.step == "move" for again in track.restarts)
        ]

    def owners(self, subject: str | None) -> list[int | None]:
        if subject is None:
            return [None]
        if subject == "player":
            return list(range(self.players))
        if subject == "card":
            return list(range(self.cards))
        return list(range(len(self.game.kinds[subject].members)))

    def seen_by(self, slot: ZoneSlot) -> int:
        if slot.zone.viewer == "everyone":
            return self.everyone
        if slot.zone.viewer == "nobody" or slot.of is None:
            return 0
        own = 1 << slot.of
        return own if slot.zone.viewer == "owner" else self.everyone >> 1 & ~own

    def column(self, name: str) -> list[Any]:
        """Return the internal values of a column by card number."""
        column = self.game.columns[name]
        absent = NO_NUMBER if column.type.tag == "number" else "" if column.type.tag == "text" else ABSENT
        values = [absent if v is None else stored(v) for v in column.values]
        return [values[face] for face in self.face]

    def worths(self, kind: str) -> list[int]:
        """Return the numbers of the members of a kind. The last entry is for an absent member."""
        members = self.game.kinds[kind].members
        return [number_of(m) for m in members] + [NO_NUMBER]


def of_seat(slot: ZoneSlot) -> int:
    return slot.of if slot.zone.subject == "player" and slot.of is not None else ABSENT


def number_of(member: g.Member) -> int:
    if member.worth is not None:
        return member.worth
    return int(member.name) if member.name.isdecimal() else NO_NUMBER


def stored(value: g.Value) -> g.Value:
    return UNLIMITED if value == g.UNLIMITED and isinstance(value, str) else value


SCALED = (g.SetTrack, g.Remember, g.Do, g.Filter, g.MapEach, g.Quantified, g.Each)
"""Constructs that pass numbers on."""


class Scales:
    """Scales: factors that make the fractions of tracks and definitions integers.

    A scale is the least common multiple of the denominators that can reach it. Numbers that would need ever larger
    denominators (a track set to half of itself) are refused."""

    def __init__(self, game: g.Game, parts: list[Part]) -> None:
        self.game = game
        self.track = dict.fromkeys(game.tracks, 1)
        self.define = dict.fromkeys(game.defines, 1)
        self.var: dict[int, int] = {}
        parts = [part for part in parts if isinstance(part, SCALED)]
        while self.settle(parts):
            pass

    def settle(self, parts: list[Part]) -> bool:
        before = (dict(self.track), dict(self.define), dict(self.var))
        for name, define in self.game.defines.items():
            self.define[name] = self.joined(self.define[name], self.of(define.value), define.value.span)
        for name, track in self.game.tracks.items():
            self.track[name] = self.joined(self.track[name], self.of(track.start), track.start.span)
        for part in parts:
            if isinstance(part, g.SetTrack):
                self.track[part.track] = self.joined(self.track[part.track], self.of(part.value), part.span)
            elif isinstance(part, g.Remember):
                self.var[part.var.id] = self.of(part.value)
            elif isinstance(part, g.Do):
                for var, value in zip(self.game.steps[part.step].params, part.args, strict=False):
                    self.var[var.id] = self.joined(self.var.get(var.id, 1), self.of(value), value.span)
            elif isinstance(part, g.Filter | g.MapEach | g.Quantified | g.Each):
                self.var[part.var.id] = self.of(part.list)
        return before != (self.track, self.define, self.var)

    def joined(self, one: int, other: int, span: Span) -> int:
        scale = lcm(one, other)
        if scale > MAX_SCALE:
            raise RuleError(span, "This number needs finer and finer fractions. Round it with `whole of`.")
        return scale

    def of(self, expr: g.Expr) -> int:
        """Return the scale of an expression's value."""
        match expr:
            case g.Const(value=value):
                return value.denominator if isinstance(value, Fraction) else 1
            case g.Var():
                return self.var.get(expr.id, 1)
            case g.TrackValue():
                return self.track[expr.track]
            case g.Call():
                return self.define[expr.define]
            case g.Arith(operator="*"):
                return self.of(expr.left) * self.of(expr.right)
            case g.Arith(operator="/"):
                return self.of(expr.left) * divisor(expr.right)
            case g.Arith():
                return lcm(self.of(expr.left), self.of(expr.right))
            case g.Cases():
                return lcm(*(self.of(value) for value, _ in expr.cases))
            case g.Joined():
                return lcm(1, *(self.of(item) for item in expr.items))
            case g.Agg(function="count"):
                return 1
            case g.MapEach():
                return self.of(expr.value)
            case g.Agg() | g.Filter() | g.Sorted() | g.AggBy():
                return self.of(expr.list)
        return 1


class Presence:
    """Analysis of absent values: finds the tracks that always have a value although their type allows none.

    They start with a value and are never set to an absent one. The greatest fixed point is computed: all tracks are
    assumed present, and those that fail are dropped until none does. `chosen`: the variables of choices that are
    always made."""

    def __init__(self, game: g.Game, parts: list[Part], eliminates: bool) -> None:
        self.game = game
        choices = [part for part in parts if isinstance(part, g.Choose)]
        self.chosen = set() if eliminates else {each.var.id for each in choices if always_made(each)}
        self.tracks = {name for name, track in game.tracks.items() if track.type.maybe}
        sets = [part for part in parts if isinstance(part, g.SetTrack)]
        while failing := self.failing(sets):
            self.tracks -= failing

    def failing(self, sets: list[g.SetTrack]) -> set[str]:
        starts = {name for name in self.tracks if self.maybe(self.game.tracks[name].start)}
        return starts | {part.track for part in sets if part.track in self.tracks and self.maybe(part.value)}

    @contextmanager
    def taken_for_granted(self, var: g.Var) -> Iterator[None]:
        """Assume, within the block, that a variable has a value."""
        self.chosen.add(var.id)
        yield
        self.chosen.remove(var.id)

    def may_lack(self, track: g.Track) -> bool:
        """Check whether a track may be without a value."""
        return track.type.maybe and track.name not in self.tracks

    def maybe(self, expr: g.Expr) -> bool:
        """Check whether a value may be absent."""
        if not expr.type.maybe:
            return False
        match expr:
            case g.Var():
                return expr.id not in self.chosen
            case g.TrackValue():
                return expr.track not in self.tracks or (expr.of is not None and self.maybe(expr.of))
            case g.Builtin(name="left" | "right") if expr.of is not None:
                return self.maybe(expr.of)
            case g.Agg(function="random" | "first" | "last", number=None):
                return not (isinstance(expr.list, g.Builtin) and expr.list.name == "players")
            case g.Call(of=None):
                return self.maybe(self.game.defines[expr.define].value)
            case g.Attribute():
                return self.maybe(expr.card) or None in self.game.columns[expr.attribute].values
        return True


def always_made(choice: g.Choose) -> bool:
    """Check whether a choice cannot be passed and always has a legal option."""
    domain = choice.domain
    if choice.may or choice.provided is not None:
        return False
    if isinstance(domain.low, g.Const) and isinstance(domain.high, g.Const):
        low, high = domain.low.value, domain.high.value
        return isinstance(low, int) and isinstance(high, int) and 0 <= low <= high
    return isinstance(domain.list, g.Members) or (isinstance(domain.list, g.Builtin) and domain.list.name == "players")


def divisor(expr: g.Expr) -> int:
    """Return the constant divisor of a division; 1 if it is not constant (inside `whole of`, which handles it)."""
    if isinstance(expr, g.Const) and isinstance(expr.value, int) and expr.value:
        return abs(expr.value)
    return 1


def about_cards(type_: g.Type) -> bool:
    """Check whether values of a type are cards or lists of cards."""
    return type_.tag == "card" or (type_.item is not None and type_.item.tag == "card")
