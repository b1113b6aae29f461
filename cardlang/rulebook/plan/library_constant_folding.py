"""Content selection: constant folding of library switches.

A library has switches: a constant definition, a limit that may be unlimited, a flag or suit that the game never sets. A
rulebook describes the resulting rules, not the switches. Constant folding replaces the switches, and dead-store
elimination removes tracks that no rule reads. Switches that a variant changes and declarations of the game's own file
remain.

The result is a game without the parts that readers don't need: switches of libraries, checks of the rules, and sets
without cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from functools import lru_cache, partial
from typing import Any

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.model.expression_queries import unwrap_conversions
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from cardlang.model.statement_effects import iter_track_changes
from cardlang.model.traversal import RULES, collect_all_nodes
from cardlang.rulebook.plan.rule_rewriter import (
    inline_short_steps,
    merge_conditions,
    prune,
    remove_idle_names,
    remove_logging,
    remove_told_effects,
    rewrite_game,
    substitute_player,
)

UNLIMITED_COMPARISONS = {"<": True, "<=": True, "!=": True, ">": False, ">=": False, "=": False}
"""Results of comparing a number with unlimited."""


def fold_switches(game: g.Game, base_game: g.Game | None = None) -> g.Game:
    """Return a game specialised for its rulebook.

    `base_game`: the base game, for a rulebook of a variant's differences; its names remain.
    """
    known = {*base_game.tracks, *base_game.defines} if base_game is not None else set()
    done = remove_logging(remove_told_effects(game))
    done = rewrite_game(done, SwitchFolder(find_constant_switches(done, known)).fold_part)
    done = rewrite_game(done, partial(inline_numbers, numbers=find_plain_numbers(done, known)))
    return restore_source_order(remove_idle_names(done, game, get_variant_games(game), known))


def find_plain_numbers(game: g.Game, excluded_names: Set[str]) -> dict[str, g.Define]:
    """Return the definitions of plain numbers, without a text on them, and the same in every variant."""
    varied = get_variant_games(game)
    return {
        name: define
        for name, define in game.defines.items()
        if define.type.tag == "number"
        and not define.doc
        and is_plain_number(define)
        and name not in {*excluded_names, *game.columns}
        and not any(is_varied_definition(name, variant) for variant in varied)
    }


def is_plain_number(define: g.Define) -> bool:
    """Return whether a definition is only a number, or the number of cards that fill a hand: a draw tells it better.

    Zero and one keep their names, because `fewer than one` is no English.
    """
    match define.value:
        case g.Const(value=value):
            return not define.subject and value not in (0, 1, g.UNLIMITED)
        case g.Agg(
            function="lowest", list=g.Joined(items=(g.Arith(operator="-", right=held), g.Agg(function="count")))
        ):
            is_count = isinstance(held, g.Agg) and held.function == "count"
            return define.subject == "player" and define.second is None and is_count
    return False


def inline_numbers(part: Any, numbers: Mapping[str, g.Define]) -> Any:
    """Replace definitions of plain numbers by their values."""
    if isinstance(part, g.Call) and part.define in numbers:
        define = numbers[part.define]
        return evolve(substitute_player(define.value, define.var, part.of), span=part.span)
    return RULES.rewrite_children(part, partial(inline_numbers, numbers=numbers))


def find_library_tracks(game: g.Game) -> set[str]:
    """Return the names of the tracks that come from libraries."""
    return {track.name for track in game.tracks.values() if track.origin.library}


def get_variant_games(game: g.Game) -> list[g.Game]:
    return [variant.game for variant in game.variants] if game.variant is None else []


def find_constant_switches(game: g.Game, excluded_names: Set[str] = frozenset()) -> dict[str, object]:
    """Return the constant definitions and tracks of libraries, except `excluded_names`, with their values."""
    varied = get_variant_games(game)
    chosen: dict[str, object] = {
        define.name: define.value.value
        for define in game.defines.values()
        if isinstance(define.value, g.Const)
        and is_constant_switch(define, game, varied)
        and define.name not in excluded_names
    }
    return chosen | find_never_set_tracks(game, find_library_tracks(game) - excluded_names, varied)


def is_constant_switch(define: g.Define, game: g.Game, variants: Iterable[g.Game]) -> bool:
    """Return whether a library definition is a constant switch in every variant."""
    constant = isinstance(define.value, g.Const) and (define.type.tag == "flag" or define.value.value == g.UNLIMITED)
    plain = define.subject is None and define.name not in game.columns and bool(define.origin.library)
    return constant and plain and not any(is_varied_definition(define.name, variant) for variant in variants)


def is_varied_definition(define: str, game: g.Game) -> bool:
    return define in game.defines and game.defines[define].origin.varied


def find_never_set_tracks(game: g.Game, tracks: set[str], variants: Iterable[g.Game]) -> dict[str, object]:
    """Return the tracks of the table that are never set, with their constant value: `no` or absent."""
    unset: dict[str, object] = {
        track.name: 0 if track.type.tag == "flag" else None
        for track in game.tracks.values()
        if track.name in tracks and track.type.tag != "number" and track.subject is None and not track.starts
    }
    for varied_game in (game, *variants) if unset else ():
        for change in iter_track_changes(collect_all_nodes(varied_game)):
            unset.pop(change.track, None)
        for line in (line for example in varied_game.examples for line in example.lines):
            for fact in line.facts if isinstance(line, g.Given) else ():
                unset.pop(fact.track if isinstance(fact, g.GivenTrack) else "", None)
    return unset


def restore_source_order(game: g.Game) -> g.Game:
    """Return a game with definitions and kinds in source order instead of dependency order."""
    by_place = sorted(game.defines.items(), key=lambda item: item[1].origin.place)
    kinds = sorted(game.kinds.items(), key=lambda item: item[1].origin.place)
    return game.replace(kinds=dict(kinds), defines=dict(by_place))


# ---------------------------------------------------------------- constant folding
@frozen
class SwitchFolder:
    """Constant folder. `constants`: the constants of definitions and tracks, by name."""

    constants: dict[str, object]

    def is_never_used(self, part: object) -> bool:
        """Return whether an option is never available, or a line of an order never decides."""
        if isinstance(part, g.OrderLine):
            return part.how == "those" and self.get_constant_truth(part.value) is not None
        return isinstance(part, g.Option) and any(self.get_constant_truth(when) is False for when, _ in part.when)

    def fold_part(self, part: Any) -> Any:
        """Fold the constants in a part. Branches that are never taken are removed."""
        if isinstance(part, g.Reaction):
            return part.replace(option=self.fold_option(part.option))
        done: Any = (
            self.fold_option(part) if isinstance(part, g.Option) else RULES.rewrite_children(part, self.fold_part)
        )
        constant = self.get_constant_truth(done.condition) if isinstance(done, g.If) else None
        if constant is not None:
            return done.then if constant else done.otherwise
        return () if self.is_never_used(done) else self.simplify_expression(done)

    def fold_option(self, option: g.Option) -> g.Option:
        done = RULES.rewrite_children(option, self.fold_part)
        return done.replace(when=tuple(when for when in done.when if self.get_constant_truth(when[0]) is not True))

    def get_constant(self, expr: g.Expr) -> object:
        """Return the constant value of an expression: a flag, unlimited or None; otherwise `NOT_CONSTANT`."""
        match unwrap_conversions(expr):
            case g.Const(type=g.Type(tag="flag"), value=value):
                return value
            case g.Call(define=name, of=None) | g.TrackValue(track=name, of=None):
                return self.constants.get(name, NOT_CONSTANT)
        return NOT_CONSTANT

    def get_constant_truth(self, expr: g.Expr) -> bool | None:
        """Return the constant value of a condition; None if it varies."""
        known = self.get_constant(expr) if expr.type.tag == "flag" else NOT_CONSTANT
        return bool(known) if isinstance(known, int) else None

    def simplify_expression(self, part: object) -> object:
        """Simplify an expression with constants in it."""
        match part:
            case g.Call() | g.TrackValue() if self.get_constant_truth(part) is not None:
                return build_flag_const(part, self.get_constant_truth(part) is True)
            case g.Not(value=value) if self.get_constant_truth(value) is not None:
                return build_flag_const(part, self.get_constant_truth(value) is False)
            case g.And(left=left, right=right) | g.Or(left=left, right=right):
                return self.simplify_compound(part, left, right)
            case g.Compare():
                return self.simplify_unlimited_comparison(part)
            case g.Cases():
                return self.simplify_cases(part)
            case g.Agg(function="lowest", list=g.Joined(items=items) as joined):
                return self.simplify_minimum(part, joined, items)
        return part

    def simplify_cases(self, part: g.Cases) -> g.Expr:
        """Remove cases that never apply; return the value itself if only an unconditional case is left."""
        pairs = zip(part.cases, part.docs, strict=True)
        remaining = [
            (case, doc) for case, doc in pairs if case[1] is None or self.get_constant_truth(case[1]) is not False
        ]
        (value, condition), doc = remaining[0]
        if len(remaining) == 1 and condition is None and not doc:
            return value
        return part.replace(cases=tuple(case for case, _ in remaining), docs=tuple(doc for _, doc in remaining))

    def simplify_unlimited_comparison(self, part: g.Compare) -> g.Expr:
        """Simplify a comparison with an unlimited or absent constant. Tests for absence of other values remain."""
        left, right = self.get_constant(part.left), self.get_constant(part.right)
        if right == g.UNLIMITED and part.operator in UNLIMITED_COMPARISONS:
            return build_flag_const(part, UNLIMITED_COMPARISONS[part.operator])
        if left is None or right is None:
            return build_flag_const(part, part.operator == "!=")
        return part

    def simplify_compound(self, part: g.And | g.Or, left: g.Expr, right: g.Expr) -> g.Expr:
        """Simplify `and` and `or` with a constant side."""
        idle = isinstance(part, g.And)
        for one, other in ((left, right), (right, left)):
            known = self.get_constant_truth(one)
            if known is not None:
                return other if known is idle else one
        return part

    def simplify_minimum(self, part: g.Agg, value_list: g.Joined, items: tuple[g.Expr, ...]) -> g.Expr:
        """Remove unlimited values from a minimum."""
        limited = tuple(item for item in items if self.get_constant(item) != g.UNLIMITED)
        if len(limited) == len(items) or not limited:
            return part
        return limited[0] if len(limited) == 1 else part.replace(list=value_list.replace(items=limited))


NOT_CONSTANT = "open"


def build_flag_const(expr: g.Expr, value: bool) -> g.Const:
    """Return `yes` or `no` in place of a condition."""
    return g.Const(g.FLAG, expr.span, int(value))


# ---------------------------------------------------------------- content of a rulebook
def select_content(game: g.Game, base_game: g.Game | None = None) -> g.Game:
    """Return the content of a game's rulebook. `base_game`: the base game, for the rulebook of a variant's
    differences."""
    return select_cached_content(IdentityKey(game), None if base_game is None else IdentityKey(base_game))


@lru_cache(maxsize=GAME_CACHE_SIZE)
def select_cached_content(game_key: IdentityKey, base_key: IdentityKey | None) -> g.Game:
    game = game_key.game
    folded = inline_short_steps(fold_switches(game, None if base_key is None else base_key.game))
    folded = folded.replace(steps=RULES.rewrite(folded.steps, merge_conditions))
    present = {face.set for face in game.faces if face.copies}
    return folded.replace(
        sets={name: cards for name, cards in folded.sets.items() if name in present},
        steps=RULES.rewrite(folded.steps, partial(prune, is_removed=lambda part: isinstance(part, g.Property))),
    )
