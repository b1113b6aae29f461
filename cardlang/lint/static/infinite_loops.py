"""Lint rules for loops that never end, and for menus without options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.static.execution_order import iter_triggered_bodies
from cardlang.lint.static.unused_or_confusing_names import find_unset_tracks
from cardlang.model.effects import find_effects, iter_effects
from cardlang.model.traversal import (
    can_passing_end_loop,
    find_reachable_steps,
    is_random_draw,
    iter_bodies,
    iter_reachable_bodies,
    walk,
)


def check_endless_repeats(game: g.Game) -> Iterator[Diagnostic]:
    for body in iter_bodies(game):
        for part in walk(body):
            if (
                isinstance(part, g.Repeat)
                and part.until is None
                and not part.until_pass
                and not can_end_early(game, part)
            ):
                yield Diagnostic(
                    "W404",
                    "nothing ever ends this `repeat`",
                    part.span,
                    "write `repeat until …`, or put a `finish` inside the loop",
                    warning=True,
                )


def check_repeats_without_pass(game: g.Game) -> Iterator[Diagnostic]:
    """Report each `repeat until you pass` in which no player can pass."""
    for part in (part for body in iter_bodies(game) for part in walk(body)):
        if (
            isinstance(part, g.Repeat)
            and part.until_pass
            and not can_end_early(game, part)
            and not can_passing_end_loop(game, part.body)
        ):
            yield Diagnostic(
                "W404",
                "no player can pass in this `repeat`, so it never ends",
                part.span,
                "write `you may …` for a choice that a player can pass, or end the loop with `repeat until …`",
                tuple((each, "passing here does not end the loop") for each in find_optional_choices(game, part)[:1]),
                warning=True,
            )


def find_optional_choices(game: g.Game, repeat: g.Repeat) -> list[Span]:
    """Return the spans of optional choices in a loop. Passing there doesn't end the loop."""
    inside = [each for body in iter_reachable_bodies(game, repeat.body) for each in walk(body)]
    return [each.span for each in inside if isinstance(each, g.Pick | g.Choose | g.Menu) and each.may]


def can_end_early(game: g.Game, repeat: g.Repeat) -> bool:
    """Return whether a loop may end early.

    It ends by a `finish` of a step that doesn't run within the loop, or by eliminating a player, directly or in
    triggers."""
    inside = find_reachable_steps(game, repeat.body)
    for body in (*iter_reachable_bodies(game, repeat.body), *iter_triggered_bodies(game)):
        for part in walk(body):
            effects = find_effects(part)
            if effects.eliminates or (effects.finished and effects.finished not in inside):
                return True
    return False


def check_menus_without_options(game: g.Game) -> Iterator[Diagnostic]:
    for body in iter_bodies(game):
        for part, effects in iter_effects(walk(body)):
            if effects.options and all(map(is_never_legal, effects.options)):
                yield Diagnostic(
                    "W405",
                    "no player can ever take any of these options",
                    part.span,
                    "change the conditions or costs, so that at least one option is legal",
                    tuple((option.span, "never legal") for option in effects.options),
                    warning=True,
                )


def is_never_legal(option: g.Option) -> bool:
    """Return whether an option is certainly illegal: it has a condition `no` or an empty range."""
    if any(isinstance(condition, g.Const) and not condition.value for condition, _ in option.when):
        return True
    for _, domain in option.binders:
        match domain:
            case g.Domain(low=g.Const(value=int() as low), high=g.Const(value=int() as high)) if low > high:
                return True
    return False


# ---------------------------------------------------------------- conditions that never change
SEAT_BUILTINS = ("left", "right", "others", "players", "seat")
"""Built-ins that change if a player is eliminated or seats are shuffled."""


@frozen
class ConditionDependencies:
    """Tracks, zones and players that a condition depends on. `has_others` means any others."""

    tracks: frozenset[str]
    zones: frozenset[str]
    has_seats: bool
    has_others: bool


def check_unchanging_conditions(game: g.Game) -> Iterator[Diagnostic]:
    """Report each `repeat until …` that neither changes its condition nor ends early.

    Conditions on tracks that never change are left to another check."""
    told = {track.name for track in find_unset_tracks(game)}
    for part in (part for body in iter_bodies(game) for part in walk(body)):
        if isinstance(part, g.Repeat) and part.until is not None and not part.until_pass:
            looked = find_condition_dependencies(game, part.until)
            if (
                not (looked.has_others or looked.tracks & told)
                and not can_loop_change(game, part, looked)
                and not can_end_early(game, part)
            ):
                yield Diagnostic(
                    "W404",
                    "nothing in this `repeat` changes its condition, so it never starts or never ends",
                    part.until.span,
                    "change a value of the condition inside the loop, or use another condition",
                    ((part.span, "the loop"),),
                    warning=True,
                )


def find_condition_dependencies(game: g.Game, condition: g.Expr) -> ConditionDependencies:
    parts = list(walk_with_definitions(game, condition))
    builtins = {part.name for part in parts if isinstance(part, g.Builtin)}
    unsure = any(isinstance(part, g.Target | g.Actor | g.BorneCall) or is_random_draw(part) for part in parts)
    return ConditionDependencies(
        frozenset(part.track for part in parts if isinstance(part, g.TrackValue)),
        frozenset(part.zone for part in parts if isinstance(part, g.ZoneCards)),
        bool(builtins & set(SEAT_BUILTINS)),
        unsure or bool(builtins & {"winners", "owner"}),
    )


def walk_with_definitions(game: g.Game, value: object) -> Iterator[object]:
    """Yield all parts of a value, including the definitions, orders and rankings that it uses."""
    known: set[object] = set()
    waiting = [value]
    while waiting:
        for part in walk((waiting.pop(),)):
            yield part
            for key, other in iter_referenced_parts(game, part):
                if key not in known:
                    known.add(key)
                    waiting.append(other)


def iter_referenced_parts(game: g.Game, part: object) -> Iterator[tuple[object, object]]:
    match part:
        case g.Call(define=name):
            yield name, game.defines[name].value
        case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
            yield name, game.orders[name].lines
        case g.ReadRanking(ranking=name) | g.IsReading(ranking=name):
            ranking = game.rankings[name]
            yield name, (ranking.ranks, ranking.ties, tuple(wild.condition for wild in ranking.wilds))


def can_loop_change(game: g.Game, repeat: g.Repeat, dependencies: ConditionDependencies) -> bool:
    """Return whether a loop, or a trigger in it, may change the dependencies of a condition."""
    restarted = find_reachable_steps(game, repeat.body)
    if any(again.step in restarted for name in dependencies.tracks for again in game.tracks[name].restarts):
        return True
    done = [*iter_reachable_bodies(game, repeat.body), *iter_triggered_bodies(game)]
    return any(can_node_change(game, part, dependencies) for body in done for part in walk(body))


def can_node_change(game: g.Game, part: object, dependencies: ConditionDependencies) -> bool:
    effects = find_effects(part)
    changed = {change.track for change in effects.track_changes}
    if isinstance(part, g.Option):
        changed = {track for _, track, _ in part.costs}
    if effects.transfers:
        changed |= {track.name for track in game.tracks.values() if any(each.step == "move" for each in track.restarts)}
    touched = {zone for each in effects.transfers for zone in (each.to.zone, *find_zone_names(game, each.cards))}
    return (
        not dependencies.tracks.isdisjoint(changed)
        or not dependencies.zones.isdisjoint(touched)
        or (dependencies.has_seats and effects.changes_seats)
        or (bool(dependencies.zones) and any(can_come_from_anywhere(each.cards) for each in effects.transfers))
    )


def find_zone_names(game: g.Game, cards: g.Expr) -> set[str]:
    return {part.zone for part in walk_with_definitions(game, cards) if isinstance(part, g.ZoneCards)}


def can_come_from_anywhere(cards: g.Expr) -> bool:
    """Return whether cards may come from any zone: those of a set, or of a variable."""
    parts: Iterable[object] = walk((cards,))
    return any(
        isinstance(part, g.SetCards | g.NamedCards) or (isinstance(part, g.Var) and is_card_type(part.type))
        for part in parts
    )


def is_card_type(type_: g.Type) -> bool:
    return (type_.item or type_).tag == "card"
