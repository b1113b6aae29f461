"""Layout of zones and tracks in a state, scales of numbers, identity of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.statement_effects import find_bindings, find_effects, iter_track_changes
from cardlang.model.traversal import RULES, ModelNode, collect_all_nodes
from cardlang.tree import rewrite_fields
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import ABSENT, NO_NUMBER, UNLIMITED, TrackSlot, ZoneSlot

MAX_SCALE = 1 << 20
PARTICLES = 16
"""Number of particles that hold possible values of secret tracks."""


class Layout:
    """Storage layout of a game.

    sees: for each pile, the bit mask of the seats (and spectators) that see its cards.
    announced: the values of announcements that reactions read: name (None: the target), and type.
    finishing: the steps that some statement finishes."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.game = game
        self.players = players
        self.everyone = (1 << (players + 1)) - 1
        self.cards = game.cards
        self.face = [face.number for face in game.faces for _ in range(face.copies)]
        self.copies = any(face.copies > 1 for face in game.faces)
        parts = list(collect_all_nodes(game))
        self.scales = Scales(game, parts)
        self.eliminates = any(find_effects(part).eliminates for part in parts)
        self.presence = PresenceAnalysis(game, parts, self.eliminates)
        self.announced = list(dict.fromkeys(get_announced_key(part) for part in parts if isinstance(part, g.Target)))
        self.finishing = {find_effects(part).finished for part in parts} - {""}
        self.fixed_seats = not any(find_effects(part).changes_seats for part in parts)
        self.zones: list[ZoneSlot] = []
        self.zone_base: dict[str, int] = {}
        for zone in game.zones.values():
            self.zone_base[zone.name] = len(self.zones)
            self.zones += [ZoneSlot(zone, of, second) for second, of in self.list_owners(zone)]
        self.tracks: list[TrackSlot] = []
        self.track_base: dict[str, int] = {}
        for track in game.tracks.values():
            self.track_base[track.name] = len(self.tracks)
            scale = self.scales.track_scales[track.name]
            self.tracks += [TrackSlot(track, of, scale, second) for second, of in self.list_owners(track)]
        self.sees = [self.find_seeing_seats(slot) for slot in self.zones]
        self.seat_of = [get_owner_seat(slot) for slot in self.zones]
        self.home = [self.zone_base[game.sets[game.faces[face].set].home] for face in self.face]
        self.card_track_bases = self.list_bases_of_tracks(lambda track: track.subject == "card")
        self.card_secret_bases = self.list_bases_of_tracks(lambda track: track.secret and track.subject == "card")
        self.secret_slots = [number for number, slot in enumerate(self.tracks) if slot.track.secret]
        """Slots of secret tracks."""
        self.marks = [
            (name, base)
            for name, track in game.tracks.items()
            if track.subject == "card" and any(again.step == "move" for again in track.restarts)
            for base in self.get_track_bases(name)
        ]

    @cached_property
    def open_slots(self) -> list[frozenset[int]]:
        """Slots of the tracks whose values a seat knows, by seat. Those of cards are left out."""
        slots = [(number, slot) for number, slot in enumerate(self.tracks) if slot.track.subject != "card"]
        return [
            frozenset(
                number
                for number, slot in slots
                if not slot.track.secret or (slot.track.subject == "player" and slot.of == seat)
            )
            for seat in range(self.players)
        ]

    def list_owners(self, declared: g.Zone | g.Track) -> list[tuple[int | None, int | None]]:
        """Return the second owner and the owner of each slot of a declaration, in order."""
        owners = self.get_owner_indices(declared.subject)
        return [(second, of) for second in self.get_owner_indices(declared.second) for of in owners]

    def get_slot(self, declared: g.Zone | g.Track, owner: int | None, second_owner: int | None) -> int:
        """Return the pile of a zone, or the slot of a track, of its owners."""
        base = (self.zone_base if isinstance(declared, g.Zone) else self.track_base)[declared.name]
        return base + (owner or 0) + (second_owner or 0) * len(self.get_owner_indices(declared.subject))

    def get_track_bases(self, name: str) -> range:
        """Return the first slot of a track for each of its second owners. A slot for each owner follows."""
        track, base = self.game.tracks[name], self.track_base[name]
        owners = len(self.get_owner_indices(track.subject))
        return range(base, base + owners * len(self.get_owner_indices(track.second)), owners)

    def list_bases_of_tracks(self, is_wanted: Callable[[g.Track], bool]) -> list[int]:
        names = [name for name, track in self.game.tracks.items() if is_wanted(track)]
        return [base for name in names for base in self.get_track_bases(name)]

    def get_owner_indices(self, subject: str | None) -> list[int | None]:
        if subject is None:
            return [None]
        if subject == "player":
            return list(range(self.players))
        if subject == "card":
            return list(range(self.cards))
        return list(range(len(self.game.kinds[subject].members)))

    def find_seeing_seats(self, slot: ZoneSlot) -> int:
        if slot.zone.viewer == "everyone":
            return self.everyone
        if slot.zone.viewer == "nobody" or slot.of is None:
            return 0
        own = 1 << slot.of
        return own if slot.zone.viewer == "owner" else self.everyone >> 1 & ~own

    def get_column_values(self, name: str) -> list[Any]:
        """Return the internal values of a column by card number."""
        column, scale = self.game.columns[name], self.scales.column_scales[name]
        absent = NO_NUMBER if column.type.tag == "number" else "" if column.type.tag == "text" else ABSENT
        values = [absent if v is None else to_stored_value(v, scale) for v in column.values]
        return [values[face] for face in self.face]

    def get_member_worths(self, kind: str) -> list[int]:
        """Return the numbers of the members of a kind. The last entry is for an absent member."""
        members, scale = self.game.kinds[kind].members, self.scales.kind_scales[kind]
        return [get_member_number(m, scale) for m in members] + [NO_NUMBER]


def get_owner_seat(slot: ZoneSlot) -> int:
    return slot.of if slot.zone.subject == "player" and slot.of is not None else ABSENT


def get_member_number(member: g.Member, scale: int) -> int:
    if member.worth is not None:
        return int(member.worth * scale)
    return int(member.name) * scale if member.name.isdecimal() else NO_NUMBER


def to_stored_value(value: g.Value, scale: int) -> g.Value:
    if isinstance(value, str):
        return UNLIMITED if value == g.UNLIMITED else value
    return value if value is None or scale == 1 else int(value * scale)


class Scales:
    """Scale factors that make the fractions of tracks and definitions integers.

    A scale is the least common multiple of the denominators that can reach it. Numbers that would need ever larger
    denominators (a track set to half of itself) raise an error."""

    def __init__(self, game: g.Game, parts: list[ModelNode]) -> None:
        self.game = game
        self.kind_scales = {
            name: find_common_denominator(member.worth for member in kind.members) for name, kind in game.kinds.items()
        }
        self.column_scales = {name: find_common_denominator(column.values) for name, column in game.columns.items()}
        self.track_scales = dict.fromkeys(game.tracks, 1)
        self.define_scales = dict.fromkeys(game.defines, 1)
        self.variable_scales: dict[int, int] = {}
        self.announced_scales: dict[str | None, int] = {}
        announced = [part for part in parts if isinstance(part, g.Announce)]
        changes = list(iter_track_changes(parts))
        sources = [
            (each.var.id, each.source)
            for part in parts
            for each in find_bindings(game, part)
            if each.source is not None and each.kind != "choice"
        ]
        sources += [(p.var.id, p.list) for p in parts if isinstance(p, g.Filter | g.MapEach | g.Quantified)]
        while self.update_scales(changes, sources, announced):
            pass

    def update_scales(
        self, changes: list[g.SetTrack], sources: list[tuple[int, g.Expr]], announced: list[g.Announce]
    ) -> bool:
        scales = self.track_scales, self.define_scales, self.variable_scales, self.announced_scales
        before = [dict(each.items()) for each in scales]
        for name, define in self.game.defines.items():
            self.define_scales[name] = self.combine_scales(
                self.define_scales[name], self.get_scale(define.value), define.value.span
            )
        for name, track in self.game.tracks.items():
            self.track_scales[name] = self.combine_scales(
                self.track_scales[name], self.get_scale(track.start), track.start.span
            )
        for change in changes:
            self.track_scales[change.track] = self.combine_scales(
                self.track_scales[change.track], self.get_scale(change.value), change.span
            )
        for var, source in sources:
            self.variable_scales[var] = self.combine_scales(
                self.variable_scales.get(var, 1), self.get_scale(source), source.span
            )
        for named, value in (pair for each in announced for pair in each.values.items()):
            self.announced_scales[named] = self.combine_scales(
                self.announced_scales.get(named, 1), self.get_announced_scale(value), value.span
            )
        return before != list(scales)

    def combine_scales(self, first: int, second: int, span: Span) -> int:
        scale = lcm(first, second)
        if scale > MAX_SCALE:
            raise RuleError(span, "This number needs finer and finer fractions. Round it with `whole of`.")
        return scale

    def get_announced_scale(self, value: g.Expr) -> int:
        """Return the scale of an announced value. A reaction to other announcements may read the worth of a member."""
        return self.kind_scales[value.type.of or ""] if value.type.tag == "member" else self.get_scale(value)

    def get_scale(self, expr: g.Expr) -> int:
        """Return the scale of an expression's value."""
        match expr:
            case g.Const(value=value):
                return value.denominator if isinstance(value, Fraction) else 1
            case g.Var():
                return self.variable_scales.get(expr.id, 1)
            case g.Target():
                return self.announced_scales.get(expr.name, 1)
            case g.TrackValue():
                return self.track_scales[expr.track]
            case g.Call():
                return self.define_scales[expr.define]
            case g.Attribute():
                return self.column_scales[expr.attribute]
            case g.Worth():
                return self.kind_scales[expr.value.type.of or ""]
            case g.Arith(operator="*"):
                return self.get_scale(expr.left) * self.get_scale(expr.right)
            case g.Arith(operator="/"):
                return self.get_scale(expr.left) * get_constant_divisor(expr.right)
            case g.Arith():
                return lcm(self.get_scale(expr.left), self.get_scale(expr.right))
            case g.Cases():
                return lcm(*(self.get_scale(value) for value, _ in expr.cases))
            case g.Joined():
                return lcm(1, *(self.get_scale(item) for item in expr.items))
            case g.Agg(function="count"):
                return 1
            case g.MapEach():
                return self.get_scale(expr.value)
            case g.Agg() | g.Filter() | g.Sorted() | g.AggBy() | g.Selections():
                return self.get_scale(expr.list)
        return 1


def get_announced_key(target: g.Target) -> tuple[str | None, str]:
    return target.name, target.type.tag


def find_common_denominator(values: Iterable[g.Value]) -> int:
    return lcm(1, *(value.denominator for value in values if isinstance(value, int | Fraction)))


class PresenceAnalysis:
    """Analysis of absent values: finds the tracks that always have a value although their type allows none.

    They start with a value and are never set to an absent one. The greatest fixed point is computed: all tracks are
    assumed present, and those that fail are dropped until none does. `always_chosen`: the variables of choices that are
    always made."""

    def __init__(self, game: g.Game, parts: list[ModelNode], eliminates: bool) -> None:
        self.game = game
        choices = [part for part in parts if isinstance(part, g.Choose)]
        self.always_chosen = set() if eliminates else {each.var.id for each in choices if is_always_made(each)}
        self.always_present = {name for name, track in game.tracks.items() if track.type.maybe}
        sets = list(iter_track_changes(parts))
        while failing := self.find_failing_tracks(sets):
            self.always_present -= failing

    def find_failing_tracks(self, sets: list[g.SetTrack]) -> set[str]:
        starts = {name for name in self.always_present if self.can_value_be_absent(self.game.tracks[name].start)}
        return starts | {
            part.track for part in sets if part.track in self.always_present and self.can_value_be_absent(part.value)
        }

    @contextmanager
    def assume_present(self, var: g.Var) -> Iterator[None]:
        """Assume, within the block, that a variable has a value."""
        self.always_chosen.add(var.id)
        yield
        self.always_chosen.remove(var.id)

    def can_be_absent(self, track: g.Track) -> bool:
        """Check whether a track may be without a value."""
        return track.type.maybe and track.name not in self.always_present

    def can_value_be_absent(self, expr: g.Expr) -> bool:
        """Check whether a value may be absent."""
        if not expr.type.maybe:
            return False
        match expr:
            case g.Var():
                return expr.id not in self.always_chosen
            case g.TrackValue():
                return expr.track not in self.always_present or (
                    expr.of is not None and self.can_value_be_absent(expr.of)
                )
            case g.Builtin(name="left" | "right") if expr.of is not None:
                return self.can_value_be_absent(expr.of)
            case g.Agg(function="random" | "first" | "last", number=None):
                return not (isinstance(expr.list, g.Builtin) and expr.list.name == "players")
            case g.Call(of=None):
                return self.can_value_be_absent(self.game.defines[expr.define].value)
            case g.Attribute():
                return self.can_value_be_absent(expr.card) or None in self.game.columns[expr.attribute].values
        return True


def is_always_made(choice: g.Choose) -> bool:
    """Check whether a choice cannot be passed and always has a legal option."""
    domain = choice.domain
    if choice.may or choice.provided is not None:
        return False
    if isinstance(domain.low, g.Const) and isinstance(domain.high, g.Const):
        low, high = domain.low.value, domain.high.value
        return isinstance(low, int) and isinstance(high, int) and 0 <= low <= high
    return isinstance(domain.list, g.Members) or (isinstance(domain.list, g.Builtin) and domain.list.name == "players")


def get_constant_divisor(expr: g.Expr) -> int:
    """Return the constant divisor of a division; 1 if it is not constant (inside `whole of`, which handles it)."""
    if isinstance(expr, g.Const) and isinstance(expr.value, int) and expr.value:
        return abs(expr.value)
    return 1


BLOCK_FIELDS = ("steps", "borne_steps", "reactions", "enters", "whenevers")
"""Fields of a game with statements that are executed."""


def strip_doc_comments(game: g.Game) -> g.Game:
    """Return the game without `Aside` statements; the argument itself if it has none.

    A part that occurs several times is rebuilt only once."""
    stripped: dict[int, object] = {}

    def remove_asides(part: object) -> object:
        if isinstance(part, g.Expr | g.Aside):
            return part if isinstance(part, g.Expr) else ()
        if id(part) not in stripped:
            stripped[id(part)] = RULES.rewrite_children(part, remove_asides)
        return stripped[id(part)]

    return rewrite_fields(game, BLOCK_FIELDS, lambda value: RULES.rewrite(value, remove_asides))


def format_player_counts(seats: tuple[int, ...]) -> str:
    if len(seats) == 1:
        return str(seats[0])
    if len(seats) > 2 and seats == tuple(range(seats[0], seats[-1] + 1)):
        return f"{seats[0]} to {seats[-1]}"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]}"
