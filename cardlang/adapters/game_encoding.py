"""Encoding of moves and observations as numbers, and options for loading a game.

Moves are grouped by name and the types they bind (`bet` and a number, `play` and a card). In a group, the bound values
give the number. A card counts as its face, or as its place in its pile if the player cannot see its face. A card number
would reveal it. Moves that still share a number get spare numbers, in the order of their strings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil, prod
from pathlib import Path
from typing import Any

from attrs import evolve

from cardlang import loader
from cardlang import model as g
from cardlang.adapters import AdapterError
from cardlang.model import Game
from cardlang.model.types import is_card_type
from interpreter.gametree.tree_node import RESULT_KINDS, TreeContext, choose_result_kind
from interpreter.narration.display_names import MatchNames, resolve_player_names
from interpreter.program.program import Program, compile_game
from interpreter.runtime.state import DONE, DecisionPoint, State, get_choice_type
from interpreter.view.player_view import TrackView, View, ZoneView, build_track_views, build_zone_views


class NumberBounds:
    """Upper bounds of a program's numbers. None means unbounded or unknown."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.game = program.game
        self.definitions_in_progress: set[str] = set()

    def find_largest_value(self, expr: g.Expr | None) -> int | None:
        """Return the largest value of an expression."""
        match expr:
            case g.Const(value=int(value)):
                return value
            case g.Whole(value=value):
                return self.find_largest_value(value)
            case g.Cases(cases=cases):
                return max_if_all_known([self.find_largest_value(value) for value, _ in cases])
            case g.Arith(operator="+", left=left, right=right):
                return sum_if_all_known([self.find_largest_value(left), self.find_largest_value(right)])
            case g.Arith(operator="-", left=left, right=g.Const(value=int(value))):
                return sum_if_all_known([self.find_largest_value(left), -value])
            case g.Call(define=name):
                return self.find_largest_of_definition(name)
            case g.Builtin(name="seat"):
                return self.program.players
            case g.Agg():
                return self.find_largest_of_aggregate(expr)
            case g.Worth() | g.Attribute():
                return self.find_largest_worth(expr)
        return None

    def find_largest_of_definition(self, name: str) -> int | None:
        if name in self.definitions_in_progress:
            return None
        self.definitions_in_progress.add(name)
        try:
            return self.find_largest_value(self.game.defines[name].value)
        finally:
            self.definitions_in_progress.discard(name)

    def find_largest_of_aggregate(self, expr: g.Agg) -> int | None:
        if expr.function == "count":
            return max(len(self.program.face), self.program.players, *map(len, self.list_kind_members()))
        if expr.function == "lowest" and isinstance(expr.list, g.Joined):
            known = [most for item in expr.list.items if (most := self.find_largest_value(item)) is not None]
            return min(known, default=None)
        if expr.function in ("lowest", "highest", "first", "last", "top", "bottom", "random") and expr.number is None:
            return self.find_largest_item(expr.list)
        return None

    def find_largest_item(self, expr: g.Expr) -> int | None:
        """Return the largest item of a list."""
        match expr:
            case g.Joined(items=items):
                return max_if_all_known([self.find_largest_value(item) for item in items])
            case g.MapEach(value=value):
                return self.find_largest_value(value)
            case g.Filter(list=items) | g.Sorted(list=items):
                return self.find_largest_item(items)
        return None

    def find_largest_worth(self, expr: g.Worth | g.Attribute) -> int | None:
        if isinstance(expr, g.Attribute):
            values = self.game.columns[expr.attribute].values
            numbers = [ceil(value) for value in values if isinstance(value, int | Fraction)]
            return max(numbers, default=0) if expr.type.tag == "number" else None
        kind = self.game.kinds[expr.value.type.of or ""]
        stated = [int(m.name) if m.worth is None and m.name.isdecimal() else ceil(m.worth or 0) for m in kind.members]
        return max(stated)

    def list_kind_members(self) -> list[tuple[g.Member, ...]]:
        return [(), *(kind.members for kind in self.game.kinds.values())]


def max_if_all_known(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return max(known, default=0) if len(known) == len(values) else None


def sum_if_all_known(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


# ---------------------------------------------------------------- moves
MAX_ACTIONS = 1_000_000
PASS_ACTION, DONE_ACTION, FIRST_GROUP_ACTION = 0, 1, 2
ActionGroup = tuple[str, str, tuple[g.Type, ...]]


class ActionSpace:
    """Actions of a program.

    Moves with numbers above `largest_number` are not offered. If it is None, all moves are offered, and all choices of
    numbers must have an upper bound known in advance. Raise AdapterError if a choice has none."""

    def __init__(self, program: Program, largest_number: int | None) -> None:
        self.program = program
        self.largest_number = largest_number
        self.bounds = NumberBounds(program)
        self.face_count = len(program.game.faces)
        self.card_count = len(program.face)
        sizes: dict[ActionGroup, tuple[int, ...]] = {}
        for site in program.sites:
            for group, size in self.iter_groups_with_value_counts(site):
                before = sizes.get(group, size)
                sizes[group] = tuple(map(max, before, size))
        self.group_sizes = sizes
        self.group_offsets: dict[ActionGroup, int] = {}
        self.first_spare_action = FIRST_GROUP_ACTION
        for group, group_size in sizes.items():
            self.group_offsets[group] = self.first_spare_action
            self.first_spare_action += prod(group_size)
        self.count = self.first_spare_action + self.card_count * any(
            is_card_type(type) for group in sizes for type in group[2]
        )
        if self.count > MAX_ACTIONS:
            raise AdapterError(f"{program.game.title} has {self.count} different moves, more than {MAX_ACTIONS}.")

    # ------------------------------------------------------------ numbering
    def iter_groups_with_value_counts(self, site: DecisionPoint) -> Iterator[tuple[ActionGroup, tuple[int, ...]]]:
        """Yield the groups of a decision's moves, with the number of values of each binding."""
        if site.options:
            for option in site.options:
                group = ("option", option.name, tuple(strip_type_details(var.type) for var, _ in option.binders))
                yield (
                    group,
                    tuple(self.count_values(var.type, domain, option.name, option) for var, domain in option.binders),
                )
        elif site.kind in ("pick", "number"):
            assert isinstance(site.statement, g.Pick)
            size = self.card_count + 1 if site.kind == "number" else self.face_count + self.card_count
            yield self.find_action_group(site), (size,)
        else:
            assert isinstance(site.statement, g.Choose)
            yield (
                self.find_action_group(site),
                (self.count_values(get_choice_type(site), site.statement.domain, "choose", site.statement),),
            )

    def find_action_group(self, site: DecisionPoint) -> ActionGroup:
        return site.kind, getattr(site.statement, "verb", ""), (strip_type_details(get_choice_type(site)),)

    def count_values(self, type: g.Type, domain: g.Domain, name: str, construct: g.Option | g.Stmt) -> int:
        match type.tag:
            case "card":
                return self.face_count + self.card_count
            case "member":
                return len(self.program.game.kinds[type.of or ""].members)
            case "player":
                return self.program.players
            case "flag":
                return 2
            case "number":
                return self.find_largest_number(domain, name, construct) + 1
        raise AdapterError(f"{construct.span}: `{name}` chooses a {type.tag}, for which there are no numbers.")

    def find_largest_number(self, domain: g.Domain, name: str, construct: g.Option | g.Stmt) -> int:
        most = (
            self.bounds.find_largest_item(domain.list)
            if domain.list is not None
            else self.bounds.find_largest_value(domain.high)
        )
        if self.largest_number is not None:
            return self.largest_number if most is None else min(most, self.largest_number)
        if most is None:
            title = self.program.game.title
            raise AdapterError(
                f"{construct.span}: {title} cannot be represented: `{name}` offers numbers without a known limit. "
                "Set largest_number=…"
            )
        return most

    # ------------------------------------------------------------ legal moves
    def map_actions_to_codes(self, names: MatchNames, state: State, texts: Iterable[str]) -> dict[int, int]:
        """Return the codes of the legal moves by action number, ascending.

        `texts` has the printed moves. Raise AdapterError if no legal move has a number."""
        site = self.program.get_site(state)
        numbered: dict[int, int] = {}
        alike: list[tuple[str, int]] = []
        for text, code in sorted(zip(texts, state.legal, strict=True)):
            number = self.find_action_number(site, state, code)
            if number in numbered:
                alike.append((text, code))
            elif number is not None:
                numbered[number] = code
        if self.first_spare_action + len(alike) > self.count:
            raise AdapterError(f"{self.program.game.title}: too many moves that look alike are legal at the same time.")
        numbered.update((self.first_spare_action + index, code) for index, (_, code) in enumerate(alike))
        if not numbered:
            raise AdapterError(f"{self.program.game.title}: only numbers above {self.largest_number} are legal.")
        return dict(sorted(numbered.items()))

    def find_action_number(self, site: DecisionPoint, state: State, code: int) -> int | None:
        """Return the action number of a move, or None if it binds a number that is too large."""
        if code == DONE:
            declines = bool(getattr(site.statement, "may", False)) and not state.picks
            return PASS_ACTION if site.kind not in ("pick", "several") or declines else DONE_ACTION
        option, values = self.program.decode_move(site, code)
        if option is None:
            group = self.find_action_group(site)
        else:
            chosen = site.options[option]
            group = "option", chosen.name, tuple(strip_type_details(var.type) for var, _ in chosen.binders)
        number = 0
        for type, value, size in zip(group[2], values, self.group_sizes[group], strict=True):
            part = self.encode_card(state, value) if type.tag == "card" else value
            if part >= size:
                return None
            number = number * size + part
        return self.group_offsets[group] + number

    def encode_card(self, state: State, card: int) -> int:
        if self.program.is_visible(state, card, state.who):
            return self.program.face[card]
        return self.face_count + state.z[state.loc[card]].index(card)


def strip_type_details(type: g.Type) -> g.Type:
    """Return a type reduced to the parts that determine its values."""
    return g.Type(type.tag, of=type.of)


# ---------------------------------------------------------------- observations
UNLIMITED_CODE = -1.0
"""Code of a number without limit."""


class ObservationEncoder:
    """Encoder of views as vectors of a fixed size.

    A vector starts with the observing player and the current player, as one-hot codes by seat. Each pile has its
    height, the face on top (from 1, or 0 for a card back) and the number of visible cards by face. Each track has its
    value: a number, 0 or 1, or the place of a player or member from 1. Unknown values are 0, and a number without limit
    is -1."""

    def __init__(self, names: MatchNames) -> None:
        game, program = names.game, names.program
        self.names, self.players = names, names.players
        self.face_count = len(game.faces)
        self.player_codes = {name: index + 1 for index, name in enumerate(names.players)}
        self.member_codes = {
            kind.name: {member.name: index + 1 for index, member in enumerate(kind.members)}
            for kind in game.kinds.values()
        }
        self.track_types = {name: track.type for name, track in game.tracks.items()}
        visible_slots = [slot for slot in program.tracks if slot.track.subject != "card"]
        owners = [
            (slot.track.name, names.get_owner_name(slot.track.subject, slot.of), second)
            for slot in visible_slots
            for second in [names.get_owner_name(slot.track.second, slot.second)]
        ]
        self.track_slots = {owner: index for index, owner in enumerate(owners)}
        self.size = 2 * len(self.players) + len(program.zones) * (self.face_count + 2) + len(visible_slots)

    def encode_view(self, view: View) -> list[float]:
        """Return the vector of a view."""
        return self.build_vector(view.player, view.asked, view.table, view.tracks)

    def encode_state(self, state: State) -> list[float]:
        """Return the vector of the current player's view of a state.

        Only piles and tracks are computed, to save time."""
        names, seat = self.names, state.who
        zones = build_zone_views(names, state, seat)
        return self.build_vector(self.players[seat], self.players[seat], zones, build_track_views(names, state, seat))

    def build_vector(
        self, player: str | None, current_player: str | None, zones: Iterable[ZoneView], tracks: Iterable[TrackView]
    ) -> list[float]:
        row = [float(name == player) for name in self.players]
        row += [float(name == current_player) for name in self.players]
        for zone in zones:
            row += self.encode_zone(zone)
        values = [0.0] * len(self.track_slots)
        for track in tracks:
            values[self.track_slots[track.name, track.owner, track.second]] = self.encode_track(track)
        return row + values

    def encode_zone(self, zone: ZoneView) -> list[float]:
        seen = [0.0] * self.face_count
        for card in zone.cards:
            if card.face is not None:
                seen[card.face] += 1
        top = zone.cards[-1].face if zone.cards else None
        return [float(zone.count), 0.0 if top is None else top + 1.0, *seen]

    def encode_track(self, track: TrackView) -> float:
        value: Any = track.value
        type = self.track_types[track.name]
        if value is None:
            return 0.0
        if value == g.UNLIMITED:
            return UNLIMITED_CODE
        if type.tag == "player":
            return float(self.player_codes[value])
        if type.tag == "member":
            return float(self.member_codes[type.of or ""][value])
        return float(value)


# ---------------------------------------------------------------- options
def set_up_cached_table(file: str, *settings: Any) -> TreeContext[ActionSpace]:
    """Set up a game file as `table` does, with a cache, since other libraries often reload their games.

    The cache is valid until the file changes. Points of the result can be pickled."""
    context = load_cached_table(file, *settings)
    if loader.is_game_up_to_date(context.program.game, file):
        return context
    load_cached_table.cache_clear()
    return load_cached_table(file, *settings)


@lru_cache(maxsize=64)
def load_cached_table(file: str, *settings: Any) -> TreeContext[ActionSpace]:
    return evolve(table(file, *settings), rebuild_call=(set_up_cached_table, (file, *settings)))


def table(
    game: Game | str | Path,
    players: int | None = None,
    variant: str | None = None,
    results: str | None = None,
    largest_number: int | None = None,
) -> TreeContext[ActionSpace]:
    """Set up a game for another library.

    Args:
        game: A game, a file, or the name of a bundled game.
        players: Player count; the fewest if None.
        variant: Title of the variant.
        results: Rewards of the players: `score`, the gain in score; `place`, the number of players a player beat, less
            the number who did better. If None, scores, unless the game names its winner.
        largest_number: Upper limit for choices of numbers; if None, the game must have limits that can be worked out.

    Raises:
        AdapterError: The game cannot be represented.
        GameError: The file has errors.
        OSError: The file cannot be read.
        ValueError: The game does not allow this player count.
    """
    if not isinstance(game, Game):
        game = loader.load(game, variant)
    named = resolve_player_names(game, players)
    names = MatchNames(compile_game(game, len(named)), named)
    results = results or choose_result_kind(game)
    if results not in RESULT_KINDS:
        raise AdapterError(f"There are no results `{results}`: choose {' or '.join(RESULT_KINDS)}.")
    return TreeContext(names, ActionSpace(names.program, largest_number), results)
