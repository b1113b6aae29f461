"""Lower orders and rankings: sort keys, and the game data that hand reading needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.game.walking import uses_var
from interpreter import lowered as lo
from interpreter.lowered.kinds import PROBE

if TYPE_CHECKING:
    from interpreter.lowering.lists import Lists


def order_function(to: Lists, order: g.Order) -> str:
    """Add a function that returns pairs of key and item for a list. Higher keys rank first."""
    name = to.named("o", order.name)
    if name in to.functions:
        return name
    to.functions[name] = None
    kind = to.kind(order.of)
    items, local = to.local(lo.list_of(kind)), to.local(kind)
    by_place = any(line.how in ("later", "earlier") for line in order.lines)
    place = to.local(lo.NUMBER)
    with to.apart():
        clauses = to.held(tuple(line.value for line in order.lines), {order.var.id})
        to.env[order.var.id] = local
        if by_place:
            there = lo.Op(lo.list_of(lo.NUMBER), "range", (lo.Const(lo.NUMBER, 0), lo.Count(lo.NUMBER, items)))
            clauses += [lo.For(place, there), lo.Let(local, lo.Op(kind, "item_at", (items, place)))]
        else:
            clauses.append(lo.For(local, to.gone_through(items, order.lines[0].value)))
        key = key_of(to, order.lines, place)
    pair = lo.Kind("pair", kind, width=key.kind.width)
    body = lo.Loop(lo.list_of(pair), "pairs", tuple(clauses), lo.Key(pair, (key, local)))
    to.functions[name] = lo.Function(name, (items,), (lo.Return(body),), body.kind)
    return name


def key_of(to: Lists, lines: tuple[g.OrderLine, ...], place: lo.Local) -> lo.Key:
    """Combine the lines of an order to a key: each line breaks the ties of those before. `best` and `worst` end it."""
    parts: list[lo.Expr] = []
    for index, line in enumerate(lines):
        if line.how in ("best", "worst"):
            rest = key_of(to, lines[index + 1 :], place)
            side = lo.Const(lo.NUMBER, 2 if line.how == "best" else 0)
            kind = lo.Kind("key", width=rest.kind.width + 1)
            other = lo.Key(kind, (lo.Const(lo.NUMBER, 1), *rest.parts))
            split = lo.Either(kind, to.expr(line.value), lo.Key(kind, (side,)), other)
            parts.append(lo.Spread(kind, split))
            break
        parts.append(line_key(to, line, place))
    flat = all(part.kind.tag not in ("list", "key") or isinstance(part, lo.Spread) for part in parts)
    width = sum(part.kind.width if isinstance(part, lo.Spread) else 1 for part in parts)
    return lo.Key(lo.Kind("key", width=width if flat else 0), tuple(parts))


def line_key(to: Lists, line: g.OrderLine, place: lo.Local) -> lo.Expr:
    match line.how:
        case "those":
            return to.expr(line.value)
        case "later":
            return place
        case "earlier":
            return lo.Op(lo.NUMBER, "negated", (place,))
    key = to.key(line.value)
    if line.layout == "groups":  # of two equal sizes, the better value comes first
        values = key if line.how == "higher" else lo.Op(key.kind, "negated", (key,))
        return lo.Op(key.kind, "larger_groups", (values,))
    if line.layout == "flat":
        key = lo.Op(key.kind, "descending", (key,))
    return key if line.how == "higher" else lo.Op(key.kind, "negated", (key,))


# ---------------------------------------------------------------- rankings
def prepare_ranking(to: Lists, ranking: str) -> None:
    """Add the functions that reading by a ranking needs from the game: wild cards and tie conditions.

    The reading itself is in `interpreter.ranking.reader.Reader`."""
    wild, judge = to.named("wild", ranking), to.named("judge", ranking)
    if judge in to.functions:
        return
    to.functions[judge] = None
    declared = to.game.rankings[ranking]
    with to.apart():
        to.functions[judge] = judge_function(to, judge, declared)
        if declared.wilds:
            to.functions[wild] = wild_function(to, wild, declared)


def judging(to: Lists, ranking: str) -> tuple[str, ...]:
    """Return the names of the functions that reading by a ranking calls."""
    wilds = (to.named("wild", ranking),) if to.game.rankings[ranking].wilds else ()
    return (to.named("judge", ranking), *wilds)


def wild_function(to: Lists, name: str, ranking: g.Ranking) -> lo.Function:
    """Build the function that returns, for each card, a bit mask of the `wild` lines that hold for it."""
    cards, card = to.local(lo.list_of(lo.CARD)), to.local(lo.CARD)
    conditions = tuple(wild.condition for wild in ranking.wilds)
    clauses = to.held(conditions, {wild.var.id for wild in ranking.wilds})
    for wild in ranking.wilds:
        to.env[wild.var.id] = card
    flags: lo.Expr = lo.Const(lo.NUMBER, 0)
    for line, condition in enumerate(conditions):
        bit = lo.Either(lo.NUMBER, to.expr(condition), lo.Const(lo.NUMBER, 1 << line), lo.Const(lo.NUMBER, 0))
        flags = bit if line == 0 else lo.Arith(lo.NUMBER, "+", flags, bit)
    kind = lo.list_of(lo.NUMBER)
    body = lo.Loop(kind, "list", (*clauses, lo.For(card, cards)), flags)
    return lo.Function(name, (cards,), (lo.Return(body),), kind)


def judge_function(to: Lists, name: str, ranking: g.Ranking) -> lo.Function:
    """Build the function that evaluates the condition of a `best when` or `worst when` line, by line number."""
    line_number, probe = to.local(lo.NUMBER), to.local(PROBE)
    body: list[lo.Stmt] = []
    with to.bound(ranking.var, probe):
        for index, line in enumerate(ranking.ties):
            if line.how in ("best", "worst"):
                test = lo.Compare(lo.FLAG, "=", line_number, lo.Const(lo.NUMBER, index))
                body.append(lo.If(test, (lo.Return(to.expr(line.value)),)))
    return lo.Function(name, (line_number, probe), (*body, lo.Return(lo.Const(lo.FLAG, 0))), lo.FLAG)


def tie_card(ranking: g.Ranking, line: g.OrderLine) -> tuple[g.Var, g.Expr] | None:
    """Return the card variable and its value for a line like `higher used's height` or `higher total of used's
    height`. Return None for any other line."""
    value = line.value.list if isinstance(line.value, g.Agg) else line.value
    if isinstance(value, g.MapEach) and value.var.type.tag == "card" and uses_var(value.list, ranking.var):
        return value.var, value.value
    return None
