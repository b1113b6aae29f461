"""The rules that a game takes from its libraries, without what it has settled for good.

A library leaves choices open: a definition that is yes or no, a limit that may be unlimited, a flag or a suit that the
game never sets. A sheet for readers tells what the choice makes of the rules, not the choice. Likewise it leaves out
what a library only notes and the game never asks about. What a variant chooses otherwise stays, and so does whatever
the game's own file declares."""

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
"""How anything compares with what is unlimited."""


def settled(game: g.Game, below: g.Game | None = None) -> g.Game:
    """A game as its sheet tells it. `below`: the game whose variant it is, if what differs from that is to be told;
    what both of them have stays open."""
    game = untold(game)
    known = {*below.tracks, *below.defines} if below is not None else set()
    tracks, varied, chosen = of_libraries(game) - known, variants_of(game), settled_choices(game, known)
    if not tracks and not chosen:
        return in_order(game)
    done = rewritten(game, Settling(chosen).part)
    idle = {*chosen, *tracks} - mentioned(done, varied)
    return in_order(without(rewritten(done, lambda part: quiet(part, idle)), idle))


def of_libraries(game: g.Game) -> set[str]:
    """The names of the tracks that come from libraries."""
    return {track.name for track in game.tracks.values() if track.origin.library}


def variants_of(game: g.Game) -> list[g.Game]:
    return [variant.game for variant in game.variants] if game.variant is None else []


def settled_choices(game: g.Game, known: Set[str] = frozenset()) -> dict[str, object]:
    """The definitions and tracks of libraries, but for those `known`, that are constants: each with what it is."""
    varied = variants_of(game)
    chosen: dict[str, object] = {
        define.name: define.value.value
        for define in game.defines.values()
        if isinstance(define.value, g.Const) and is_switch(define, game, varied) and define.name not in known
    }
    return chosen | never_set(game, of_libraries(game) - known, varied)


def is_switch(define: g.Define, game: g.Game, varied: Iterable[g.Game]) -> bool:
    """Whether a definition of a library is one of the constants in every way to play the game."""
    constant = isinstance(define.value, g.Const) and (define.type.tag == "flag" or define.value.value == g.UNLIMITED)
    plain = define.subject is None and define.name not in game.columns and bool(define.origin.library)
    return constant and plain and not any(is_varied(define.name, each) for each in varied)


def is_varied(define: str, game: g.Game) -> bool:
    return define in game.defines and game.defines[define].origin.varied


def never_set(game: g.Game, tracks: set[str], varied: Iterable[g.Game]) -> dict[str, object]:
    """Those of some tracks of the table that are `no` or absent throughout, as nothing ever sets them."""
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
    """A game whose definitions stand in the order in which they are written, not in that of what needs what."""
    by_place = sorted(game.defines.items(), key=lambda item: item[1].origin.place)
    kinds = sorted(game.kinds.items(), key=lambda item: item[1].origin.place)
    return evolve(game, kinds=dict(kinds), defines=dict(by_place))


# ---------------------------------------------------------------- what is chosen
@frozen
class Settling:
    """Puts in what is chosen. `chosen`: the names of definitions and tracks, each with its constant."""

    chosen: dict[str, object]

    def all(self, parts: tuple[object, ...]) -> tuple[object, ...]:
        """The parts with what is chosen put in: cases that cannot be are left out."""
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
        """Whether an option can never be taken, or a line of an order never decides."""
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
        """The constant that an expression is: a flag, unlimited or None; `OPEN` if it is none of these."""
        match bare(expr):
            case g.Const(type=g.Type(tag="flag"), value=value):
                return value
            case g.Call(define=name, of=None) | g.TrackValue(track=name, of=None):
                return self.chosen.get(name, OPEN)
        return OPEN

    def truth(self, expr: g.Expr) -> bool | None:
        """Whether a condition always holds or never does; None if it depends."""
        known = self.constant(expr) if expr.type.tag == "flag" else OPEN
        return bool(known) if isinstance(known, int) else None

    def simple(self, part: object) -> object:
        """An expression without the constants in it."""
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
        """The cases that can be; the value itself, if there is but one that is always so."""
        pairs = zip(part.cases, part.docs, strict=True)
        kept = [(case, doc) for case, doc in pairs if case[1] is None or self.truth(case[1]) is not False]
        (value, condition), doc = kept[0]
        if len(kept) == 1 and condition is None and not doc:
            return value
        return evolve(part, cases=tuple(case for case, _ in kept), docs=tuple(doc for _, doc in kept))

    def compared(self, part: g.Compare) -> g.Expr:
        """A comparison with what is unlimited or absent. Whether something is absent stays a question."""
        left, right = self.constant(part.left), self.constant(part.right)
        if right == g.UNLIMITED and part.operator in BEYOND:
            return said(part, BEYOND[part.operator])
        if left is None or right is None:
            return said(part, part.operator == "!=")
        return part

    def joined(self, part: g.And | g.Or, left: g.Expr, right: g.Expr) -> g.Expr:
        """`and` without what always holds, `or` without what never does."""
        idle = isinstance(part, g.And)
        for one, other in ((left, right), (right, left)):
            known = self.truth(one)
            if known is not None:
                return other if known is idle else one
        return part

    def lowest(self, part: g.Agg, joined: g.Joined, items: tuple[g.Expr, ...]) -> g.Expr:
        """The lowest of some values, of which those that are unlimited are not."""
        kept = tuple(item for item in items if self.constant(item) != g.UNLIMITED)
        if len(kept) == len(items) or not kept:
            return part
        return kept[0] if len(kept) == 1 else evolve(part, list=evolve(joined, items=kept))


OPEN = "open"


def said(expr: g.Expr, value: bool) -> g.Const:
    """`yes` or `no` in place of a condition."""
    return g.Const(g.FLAG, expr.span, int(value))


# ---------------------------------------------------------------- what nothing asks about
def quiet(value: object, idle: set[str]) -> object:
    """A part without the statements that write idle tracks."""
    if isinstance(value, tuple):
        kept = (part for part in value if not (isinstance(part, g.SetTrack) and part.track in idle))
        return tuple(quiet(part, idle) for part in kept)
    if not isinstance(value, INNER) or isinstance(value, g.Expr):
        return value
    return inside(value, lambda part: quiet(part, idle))
