"""The rules that a game takes from its libraries, without what it has settled for good.

A library leaves choices open: a definition that is yes or no, a limit that may be unlimited, a flag or a suit that the
game never sets. A sheet for readers tells what the choice makes of the rules, not the choice. Likewise it leaves out
what a library only notes and the game never asks about. What a variant chooses otherwise stays, and so does whatever
the game's own file declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import evolve, frozen

from cardlang import nodes as n
from cardlang.game import Game
from cardlang.nodes.walking import fields_of, last_name, names_in, nodes_in

CONSTANTS = ("yes", "no", "unlimited")
WRITING = n.Set | n.Add | n.Subtract
BEYOND = {"<": True, "<=": True, "!=": True, ">": False, ">=": False, "=": False}
"""How anything compares with what is unlimited."""


def settled(game: Game) -> tuple[n.Item, ...]:
    """The items of a game as its sheet tells them."""
    from_libraries = {name_of(item) for file in game.files[1:] for item in file.items}
    tracks = {name_of(item) for item in game.items if isinstance(item, n.Track)} & from_libraries
    chosen = {
        item.name.text: item.body.name
        for item in game.items
        if isinstance(item, n.Define) and isinstance(item.body, n.NameRef) and is_switch(item, item.body, game)
        if name_of(item) in from_libraries
    } | never_set(game, tracks)
    if not tracks and not chosen:
        return game.items
    names = [set(names_in(item)) for item in game.items]
    settling, open_ = Settling(chosen), {*chosen, *tracks}
    items: list[Any] = [
        settling.part(item) if chosen.keys() & named else item for item, named in zip(game.items, names, strict=True)
    ]
    asking = [item for item, named in zip(items, names, strict=True) if open_ & named]
    idle = open_ - mentioned((*asking, *variants(game)))
    kept = [(item, named) for item, named in zip(items, names, strict=True) if name_of(item) not in idle]
    return tuple(quiet(item, idle) if idle & named else item for item, named in kept)


def variants(game: Game) -> tuple[n.Item, ...]:
    """What the variants of a game declare."""
    found = (item for file in game.files for item in file.items if isinstance(item, n.Variant))
    return tuple(item for variant in found for item in variant.items)


def is_switch(define: n.Define, body: n.NameRef, game: Game) -> bool:
    """Whether a definition is one of the constants in every way to play the game."""
    varied = game.variant is None and any(name_of(item) == define.name.text for item in variants(game))
    plain = define.subject is None and define.parameter is None and define.name.text not in game.columns
    return plain and body.name in CONSTANTS and not varied


def never_set(game: Game, tracks: set[str]) -> dict[str, str]:
    """Those of some tracks of the table that are `no` or absent throughout, as nothing ever sets them."""
    unset = {
        name_of(item): "no" if item.type.text == "flag" else "nothing"
        for item in game.items
        if isinstance(item, n.Track) and item.name.text in tracks and item.type.text != "number"
        if item.subject is None and item.starts is None
    }
    for node in nodes_in((*game.items, *variants(game))) if unset else ():
        if isinstance(node, WRITING):
            unset.pop(written(node), None)
        elif isinstance(node, n.Fact):
            unset.pop(node.name.text, None)
    return unset


def name_of(item: n.Item) -> str:
    name = getattr(item, "name", None)
    return name.text if isinstance(name, n.Name) else ""


@frozen
class Settling:
    """Puts in what is chosen. `chosen`: the names of definitions, each with its constant."""

    chosen: dict[str, str]

    def all(self, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """The parts with what is chosen put in: cases that cannot be are left out."""
        done: list[Any] = []
        for part in parts:
            new = self.part(part)
            constant = self.truth(new.condition) if isinstance(new, n.If | n.When) else None
            if isinstance(new, n.If) and constant is not None:
                done += new.then if constant else new.otherwise
            elif not (isinstance(new, n.When) and constant) and not self.closed(new):
                done.append(new)
        return tuple(done)

    def closed(self, part: Any) -> bool:
        """Whether an option can never be taken, a case never holds, or a line of an order never decides."""
        if isinstance(part, n.Case):
            return part.condition is not None and self.truth(part.condition) is False
        if isinstance(part, n.OrderLine):
            return part.how == "those" and self.truth(part.value) is not None
        return isinstance(part, n.Option) and any(self.truth(when.condition) is False for when in part.when)

    def part(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return self.all(value)
        if not isinstance(value, n.Node):
            return value
        old = {name: getattr(value, name) for name in fields_of(value)}
        new = {name: self.part(each) for name, each in old.items()}
        changed = {name: each for name, each in new.items() if not same(each, old[name])}
        return self.simple(evolve(value, **changed) if changed else value)

    def constant(self, expr: Any) -> str:
        """The constant that an expression is; empty if it is none."""
        if not isinstance(expr, n.NameRef):
            return ""
        return expr.name if expr.name in ("yes", "no") else self.chosen.get(expr.name, "")

    def truth(self, expr: n.Expr) -> bool | None:
        """Whether a condition always holds or never does; None if it depends."""
        return {"yes": True, "no": False}.get(self.constant(expr))

    def simple(self, node: Any) -> Any:
        """An expression without the constants in it."""
        match node:
            case n.NameRef() if self.constant(node) in ("yes", "no"):
                return n.NameRef(node.span, self.constant(node))
            case n.Not(value=value) if self.truth(value) is not None:
                return n.NameRef(node.span, "no" if self.truth(value) else "yes")
            case n.And(left=left, right=right) | n.Or(left=left, right=right):
                return self.joined(node, left, right)
            case n.Compare():
                return self.compared(node)
            case n.Cases(cases=(n.Case(condition=None, doc=None) as only,)):
                return only.value
            case n.Agg(function="lowest", number=None, list=n.ListOf(items=items)):
                return self.lowest(node, items)
        return node

    def compared(self, node: n.Compare) -> n.Expr:
        """A comparison with what is unlimited or absent. Whether something is absent stays a question."""
        sides = {self.constant(node.left), self.constant(node.right)}
        literal = {last_name(node.left), last_name(node.right)} & {"nothing", "nobody"}
        if self.constant(node.right) == "unlimited" and node.operator in BEYOND:
            return n.NameRef(node.span, "yes" if BEYOND[node.operator] else "no")
        if "nothing" in sides and not literal and node.operator in BEYOND:
            return n.NameRef(node.span, "yes" if node.operator == "!=" else "no")
        return node

    def joined(self, node: n.And | n.Or, left: n.Expr, right: n.Expr) -> n.Expr:
        """`and` without what always holds, `or` without what never does."""
        idle = isinstance(node, n.And)
        for one, other in ((left, right), (right, left)):
            known = self.truth(one)
            if known is not None:
                return other if known is idle else one
        return node

    def lowest(self, node: n.Agg, items: tuple[n.Expr, ...]) -> n.Expr:
        """The lowest of some values, of which those that are unlimited are not."""
        kept = tuple(item for item in items if self.constant(item) != "unlimited")
        if len(kept) == len(items) or not kept:
            return node
        return kept[0] if len(kept) == 1 else evolve(node, list=n.ListOf(node.list.span, kept))


def same(new: Any, old: Any) -> bool:
    if isinstance(new, tuple) and isinstance(old, tuple):
        return len(new) == len(old) and all(map(same, new, old))
    return new is old or new == old


# ---------------------------------------------------------------- what nothing asks about
def mentioned(items: Iterable[n.Item]) -> set[str]:
    """The names that the items need. A statement that writes a track does not need it."""
    found: set[str] = {"score"}
    for item in items:
        found |= set(needed(item)) - ({name_of(item)} if isinstance(item, n.Track | n.Define) else set())
    return found


def needed(value: Any) -> Iterator[str]:
    """The names in a part, but for tracks where they are written."""
    if isinstance(value, WRITING):
        yield from set(names_in(value)) - {written(value)}
    elif isinstance(value, n.Expr | n.Name | n.Example):
        yield from names_in(value)
    elif isinstance(value, n.Node | tuple):
        parts = value if isinstance(value, tuple) else [getattr(value, name) for name in fields_of(value)]
        for part in parts:
            yield from needed(part)


def written(stmt: n.Set | n.Add | n.Subtract) -> str:
    """The name of the track that a statement writes."""
    return last_name(stmt.target)


def quiet(value: Any, idle: set[str]) -> Any:
    """A part without the statements that write idle tracks."""
    if isinstance(value, tuple):
        kept = (part for part in value if not (isinstance(part, WRITING) and written(part) in idle))
        return tuple(quiet(part, idle) for part in kept)
    if not isinstance(value, n.Node) or isinstance(value, n.Expr):
        return value
    new = {name: quiet(getattr(value, name), idle) for name in fields_of(value)}
    changed = {name: each for name, each in new.items() if not same(each, getattr(value, name))}
    return evolve(value, **changed) if changed else value
