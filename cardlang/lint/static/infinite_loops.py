"""Lint rules for loops that never end, and for menus without options."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cardlang import model as g
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.shared_game_facts import GameFacts, rule
from cardlang.lint.static.unused_or_confusing_names import find_unset_tracks
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import can_passing_end_loop, find_reachable_steps, is_random_draw, walk
from cardlang.model.types import is_card_type

SEAT_BUILTINS = {"left", "right", "others", "players", "seat"}
"""Built-ins that change if a player is eliminated or seats are shuffled."""


@frozen
class ConditionDependencies:
    """Tracks, zones and players that a condition depends on. `has_others` means any others."""

    tracks: set[str]
    zones: set[str]
    has_seats: bool
    has_others: bool


@rule("W404", "Endless loop", checks_libraries=True)
def find_endless_loops(facts: GameFacts) -> Iterator[Finding]:
    """This `repeat` may never end. Without `until`, something inside the loop must
    finish the step or the game, or eliminate a player. With `until`, something
    inside it must be able to make the condition true. For example,
    `repeat until you pass` needs a choice with `may`. Add an `until`, or make the
    loop change what it waits for.

    Wrong:

        step play
          shuffle deck
          repeat
            remove top of deck to table

    Right:

        step play
          shuffle deck
          repeat until deck is empty
            remove top of deck to table
    """
    # The rule for tracks that never change reports conditions on them.
    unset = {track.name for track in find_unset_tracks(facts)}
    for loop in facts.find_nodes(g.Repeat):
        if loop.most is not None or can_end_early(facts, loop):
            continue
        if loop.until_pass:
            if not can_passing_end_loop(facts.game, loop.body):
                parts = facts.walk_reachable(loop.body)
                choices = [each.span for each in parts if isinstance(each, g.Pick | g.Choose | g.Menu) and each.may]
                yield Finding(
                    loop.span,
                    "no player can pass in this `repeat`, so it never ends",
                    "write `you may …` for a choice that a player can pass, or end the loop with `repeat until …`",
                    tuple((span, "passing here does not end the loop") for span in choices[:1]),
                )
        elif loop.until is None:
            hint = "write `repeat until …`, or put a `finish` inside the loop"
            yield Finding(loop.span, "nothing ever ends this `repeat`", hint)
        else:
            needs = find_condition_dependencies(facts, loop.until)
            if not (needs.has_others or needs.tracks & unset or can_loop_change(facts, loop, needs)):
                yield Finding(
                    loop.until.span,
                    "nothing in this `repeat` changes its condition, so it never starts or never ends",
                    "change a value of the condition inside the loop, or use another condition",
                    ((loop.span, "the loop"),),
                )


def can_end_early(facts: GameFacts, loop: g.Repeat) -> bool:
    """Return whether a loop may end early.

    A loop ends early if it finishes a step that encloses it, or eliminates a player, directly or in triggers."""
    inside = find_reachable_steps(facts.game, loop.body)
    parts = (*facts.walk_reachable(loop.body), *walk(facts.triggered_bodies))
    return any(each.eliminates or (each.finished and each.finished not in inside) for each in map(find_effects, parts))


def find_condition_dependencies(facts: GameFacts, condition: g.Expr) -> ConditionDependencies:
    parts = list(facts.walk_with_definitions(condition))
    builtins = {part.name for part in parts if isinstance(part, g.Builtin)}
    is_unsure = any(isinstance(part, g.Target | g.Actor | g.BorneCall) or is_random_draw(part) for part in parts)
    return ConditionDependencies(
        {part.track for part in parts if isinstance(part, g.TrackValue)},
        {part.zone for part in parts if isinstance(part, g.ZoneCards)},
        bool(builtins & SEAT_BUILTINS),
        is_unsure or bool(builtins & {"winners", "owner", "above", "below"}),
    )


def can_loop_change(facts: GameFacts, loop: g.Repeat, dependencies: ConditionDependencies) -> bool:
    """Return whether a loop, or a trigger in it, may change the dependencies of a condition."""
    restarted = find_reachable_steps(facts.game, loop.body)
    if any(again.step in restarted for name in dependencies.tracks for again in facts.game.tracks[name].restarts):
        return True
    parts = (*facts.walk_reachable(loop.body), *walk(facts.triggered_bodies))
    return any(can_node_change(facts, part, dependencies) for part in parts)


def can_node_change(facts: GameFacts, part: object, dependencies: ConditionDependencies) -> bool:
    effects, tracks = find_effects(part), facts.game.tracks.values()
    changed = {change.track for change in effects.track_changes}
    if isinstance(part, g.Option):
        changed = {track for _, track, _ in part.costs}
    if effects.transfers:
        changed |= {track.name for track in tracks if any(each.step == "move" for each in track.restarts)}
    touched = {zone for each in effects.transfers for zone in (each.to.zone, *facts.find_zones(each.cards))}
    return (
        not dependencies.tracks.isdisjoint(changed)
        or not dependencies.zones.isdisjoint(touched)
        or (dependencies.has_seats and effects.changes_seats)
        or (bool(dependencies.zones) and any(can_come_from_anywhere(each.cards) for each in effects.transfers))
    )


def can_come_from_anywhere(cards: g.Expr) -> bool:
    """Return whether cards may come from any zone: those of a set, or of a variable."""
    return any(
        isinstance(part, g.SetCards | g.NamedCards) or (isinstance(part, g.Var) and is_card_type(part.type))
        for part in walk((cards,))
    )


# ---------------------------------------------------------------- menus
@rule("W405", "No option can be chosen", checks_libraries=True)
def find_menus_without_options(facts: GameFacts) -> Iterator[Finding]:
    """Every option of this choice has a condition or a range that never allows it.
    Fix at least one of them.

    Wrong:

        step setup
          each player
            you choose one
              option bid with amount from 5 to 3
                add amount to your score

    Right:

        step setup
          each player
            you choose one
              option bid with amount from 3 to 5
                add amount to your score
    """
    for statement, effects in facts.effects:
        if effects.options and all(map(is_never_legal, effects.options)):
            yield Finding(
                statement.span,
                "no player can ever take any of these options",
                "change the conditions or costs, so that at least one option is legal",
                tuple((option.span, "never legal") for option in effects.options),
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
