"""Values of card faces that the rules of a game add up, such as card points."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import collect_all_nodes

COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge,
}  # fmt: skip
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": Fraction,
}


@frozen
class SummedValue:
    """A value of cards that the rules add up. `noun`: its name; None for the worth of a rank.

    `values`: by the number of the face.
    """

    noun: g.Noun | None
    values: Mapping[int, int | Fraction]


def find_summed_value(game: g.Game) -> SummedValue | None:
    """Return the value of cards that the rules add up most often, if it depends on nothing but the card; else None.

    Values in a column of numbers are left out: the column shows them."""
    sums = (node.list for node in collect_all_nodes(game) if isinstance(node, g.Agg) and node.function == "total")
    values: dict[str, list[g.Expr]] = {}
    for each in sums:
        if isinstance(each, g.MapEach) and (name := get_value_name(each.value)):
            values.setdefault(name, []).append(each.value)
    for name, same in sorted(values.items(), key=lambda item: -len(item[1])):
        numbers = evaluate_faces(game, same[0])
        if len(set(numbers.values())) > 1:
            define = game.defines.get(name)
            return SummedValue(define.noun if define else None, numbers)
    return None


def get_value_name(value: g.Expr) -> str:
    """Return the name of the definition, or of the kind of rank, that gives the value of a card; else empty."""
    if isinstance(value, g.Call) and isinstance(value.of, g.Var) and value.of.type.tag == "card":
        return value.define
    if isinstance(value, g.Worth) and isinstance(value.value, g.Var):
        return f"worth of {value.value.type.of}"
    return ""


def evaluate_faces(game: g.Game, value: g.Expr) -> dict[int, int | Fraction]:
    """Return the value on each face where it is a number; empty if it depends on more than the face."""
    try:
        found = {face.number: evaluate_on_face(game, face, value) for face in game.faces}
    except TypeError:
        return {}
    return {face: number for face, number in found.items() if isinstance(number, int | Fraction)}


def evaluate_on_face(game: g.Game, face: g.Face, e: g.Expr) -> g.Value:
    """Return the value of an expression about a card. Raise TypeError if the face alone does not determine it."""
    of = partial(evaluate_on_face, game, face)
    match e:
        case g.Const():
            return e.value
        case g.Attribute(card=g.Var()):
            value = game.columns[e.attribute].values[face.number]
            return value if isinstance(value, int | Fraction | str) else None
        case g.Var() if e.type.tag == "member":
            columns = (each for each in game.columns.values() if each.type.of == e.type.of)
            return next((each.get_member_index(face.number) for each in columns), None)
        case g.IsSet(card=g.Var()):
            return face.set == e.set
        case g.Worth():
            member = of(e.value)
            kind = game.kinds[e.value.type.of or ""]
            return kind.members[member].worth if isinstance(member, int) else None
        case g.Call(of=g.Var(), second=None) if game.defines[e.define].subject == "card":
            return of(game.defines[e.define].value)
        case g.Cases():
            return next((of(value) for value, condition in e.cases if condition is None or of(condition)), None)
        case g.Compare(left=g.Var(), right=g.NamedCards(faces=faces)):
            return (face.number in faces) == (e.operator == "=")
        case g.IsIn(value=g.Var(), list=g.NamedCards(faces=faces)):
            return face.number in faces
        case g.Compare():
            left, right = of(e.left), of(e.right)
            return e.operator == "!=" if None in (left, right) else COMPARISONS[e.operator](left, right)
        case g.IsIn(list=g.Joined(items=items)):
            return of(e.value) in map(of, items)
        case g.And():
            return bool(of(e.left)) and bool(of(e.right))
        case g.Or():
            return bool(of(e.left)) or bool(of(e.right))
        case g.Not():
            return not of(e.value)
        case g.Arith():
            left, right = of(e.left), of(e.right)
            return None if None in (left, right) else ARITHMETIC[e.operator](left, right)
    raise TypeError(e)
