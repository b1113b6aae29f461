"""Specialise library rules to one game by partial evaluation.

A library has switches: a constant definition, a limit that may be unlimited, a flag or suit that the game never sets. A
rule sheet describes the resulting rules, not the switches. Constant folding replaces the switches, and dead-store
elimination removes tracks that no rule reads. Switches that a variant changes and declarations of the game's own file
remain.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from typing import Any

from attrs import evolve, frozen

from cardlang import game as g
from cardlang.game.walking import everything
from cardlang.rulesheet.parts import bare
from cardlang.rulesheet.rewriting import INNER, inside, mentioned, rewritten, without
from cardlang.rulesheet.untold import untold

BEYOND = {"<": True, "<=": True, "!=": True, ">": False, ">=": False, "=": False}
"""Results of comparing a number with unlimited."""


def settled(game: g.Game, below: g.Game | None = None) -> g.Game:
    """Return a game specialised for its sheet.

    `below`: the base game, for a sheet of a variant's differences; its names remain.
    """
    game = untold(game)
    known = {*below.tracks, *below.defines} if below is not None else set()
    tracks, varied, chosen = of_libraries(game) - known, variants_of(game), settled_choices(game, known)
    if not tracks and not chosen:
        return in_order(game)
    done = rewritten(game, Settling(chosen).part)
    idle = {*chosen, *tracks} - mentioned(done, varied)
    return in_order(without(rewritten(done, lambda part: quiet(part, idle)), idle))


def of_libraries(game: g.Game) -> set[str]:
    """Return the names of the tracks that come from libraries."""
    return {track.name for track in game.tracks.values() if track.origin.library}


def variants_of(game: g.Game) -> list[g.Game]:
    return [variant.game for variant in game.variants] if game.variant is None else []


def settled_choices(game: g.Game, known: Set[str] = frozenset()) -> dict[str, object]:
    """Return the constant definitions and tracks of libraries, except `known`, with their values."""
    varied = variants_of(game)
    chosen: dict[str, object] = {
        define.name: define.value.value
        for define in game.defines.values()
        if isinstance(define.value, g.Const) and is_switch(define, game, varied) and define.name not in known
    }
    return chosen | never_set(game, of_libraries(game) - known, varied)


def is_switch(define: g.Define, game: g.Game, varied: Iterable[g.Game]) -> bool:
    """Return whether a library definition is a constant switch in every variant."""
    constant = isinstance(define.value, g.Const) and (define.type.tag == "flag" or define.value.value == g.UNLIMITED)
    plain = define.subject is None and define.name not in game.columns and bool(define.origin.library)
    return constant and plain and not any(is_varied(define.name, each) for each in varied)


def is_varied(define: str, game: g.Game) -> bool:
    return define in game.defines and game.defines[define].origin.varied


def never_set(game: g.Game, tracks: set[str], varied: Iterable[g.Game]) -> dict[str, object]:
    """Return the tracks of the table that are never set, with their constant value: `no` or absent."""
    unset: dict[str, object] = {
        track.name: 0 if track.type.tag == "flag" else None
        for track in game.tracks.values()
        if track.name in tracks and track.type.tag != "number" and track.subject is None and not track.starts
    }
    for each in (game, *varied) if unset else ():
        for part in everything(each):
            if isinstance(part, g.SetTrack):
                unset.pop(part.track, None)
        for line in (line for example in each.examples for line in example.lines):
            for fact in line.facts if isinstance(line, g.Given) else ():
                unset.pop(fact.track if isinstance(fact, g.GivenTrack) else "", None)
    return unset


def in_order(game: g.Game) -> g.Game:
    """Return a game with definitions and kinds in source order instead of dependency order."""
    by_place = sorted(game.defines.items(), key=lambda item: item[1].origin.place)
    kinds = sorted(game.kinds.items(), key=lambda item: item[1].origin.place)
    return evolve(game, kinds=dict(kinds), defines=dict(by_place))


# ---------------------------------------------------------------- constant folding
@frozen
class Settling:
    """Constant folder. `chosen`: the constants of definitions and tracks, by name."""

    chosen: dict[str, object]

    def all(self, parts: tuple[object, ...]) -> tuple[object, ...]:
        """Fold the constants in some parts. Branches that are never taken are removed."""
        done: list[object] = []
        for part in parts:
            new = self.part(part)
            constant = self.truth(new.condition) if isinstance(new, g.If) else None
            if isinstance(new, g.If) and constant is not None:
                done += new.then if constant else new.otherwise
            elif not self.closed(new):
                done.append(new)
        return tuple(done)

    def closed(self, part: object) -> bool:
        """Return whether an option is never available, or a line of an order never decides."""
        if isinstance(part, g.OrderLine):
            return part.how == "those" and self.truth(part.value) is not None
        return isinstance(part, g.Option) and any(self.truth(when) is False for when, _ in part.when)

    def part(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return self.all(value)
        if not isinstance(value, INNER):
            return value
        done = inside(value, self.part)
        if isinstance(done, g.Option):
            done = evolve(done, when=tuple(when for when in done.when if self.truth(when[0]) is not True))
        return self.simple(done)

    def constant(self, expr: g.Expr) -> object:
        """Return the constant value of an expression: a flag, unlimited or None; otherwise `OPEN`."""
        match bare(expr):
            case g.Const(type=g.Type(tag="flag"), value=value):
                return value
            case g.Call(define=name, of=None) | g.TrackValue(track=name, of=None):
                return self.chosen.get(name, OPEN)
        return OPEN

    def truth(self, expr: g.Expr) -> bool | None:
        """Return the constant value of a condition; None if it varies."""
        known = self.constant(expr) if expr.type.tag == "flag" else OPEN
        return bool(known) if isinstance(known, int) else None

    def simple(self, part: object) -> object:
        """Simplify an expression with constants in it."""
        match part:
            case g.Call() | g.TrackValue() if self.truth(part) is not None:
                return said(part, self.truth(part) is True)
            case g.Not(value=value) if self.truth(value) is not None:
                return said(part, self.truth(value) is False)
            case g.And(left=left, right=right) | g.Or(left=left, right=right):
                return self.joined(part, left, right)
            case g.Compare():
                return self.compared(part)
            case g.Cases():
                return self.case(part)
            case g.Agg(function="lowest", list=g.Joined(items=items) as joined):
                return self.lowest(part, joined, items)
        return part

    def case(self, part: g.Cases) -> g.Expr:
        """Remove cases that never apply; return the value itself if only an unconditional case is left."""
        pairs = zip(part.cases, part.docs, strict=True)
        kept = [(case, doc) for case, doc in pairs if case[1] is None or self.truth(case[1]) is not False]
        (value, condition), doc = kept[0]
        if len(kept) == 1 and condition is None and not doc:
            return value
        return evolve(part, cases=tuple(case for case, _ in kept), docs=tuple(doc for _, doc in kept))

    def compared(self, part: g.Compare) -> g.Expr:
        """Simplify a comparison with an unlimited or absent constant. Tests for absence of other values remain."""
        left, right = self.constant(part.left), self.constant(part.right)
        if right == g.UNLIMITED and part.operator in BEYOND:
            return said(part, BEYOND[part.operator])
        if left is None or right is None:
            return said(part, part.operator == "!=")
        return part

    def joined(self, part: g.And | g.Or, left: g.Expr, right: g.Expr) -> g.Expr:
        """Simplify `and` and `or` with a constant side."""
        idle = isinstance(part, g.And)
        for one, other in ((left, right), (right, left)):
            known = self.truth(one)
            if known is not None:
                return other if known is idle else one
        return part

    def lowest(self, part: g.Agg, joined: g.Joined, items: tuple[g.Expr, ...]) -> g.Expr:
        """Remove unlimited values from a minimum."""
        kept = tuple(item for item in items if self.constant(item) != g.UNLIMITED)
        if len(kept) == len(items) or not kept:
            return part
        return kept[0] if len(kept) == 1 else evolve(part, list=evolve(joined, items=kept))


OPEN = "open"


def said(expr: g.Expr, value: bool) -> g.Const:
    """Return `yes` or `no` in place of a condition."""
    return g.Const(g.FLAG, expr.span, int(value))


# ---------------------------------------------------------------- dead stores
def quiet(value: object, idle: set[str]) -> object:
    """Remove the dead stores in a part: statements that write the tracks in `idle`."""
    if isinstance(value, tuple):
        kept = (part for part in value if not (isinstance(part, g.SetTrack) and part.track in idle))
        return tuple(quiet(part, idle) for part in kept)
    if not isinstance(value, INNER) or isinstance(value, g.Expr):
        return value
    return inside(value, lambda part: quiet(part, idle))
