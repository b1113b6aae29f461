"""Orders and rankings to source: keys by which things compare, and readers of hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.game.walking import uses_var
from interpreter.lowering.naming import mangled

if TYPE_CHECKING:
    from interpreter.lowering.lists import Lists


def order_function(to: Lists, order: g.Order) -> str:
    """A function of the state and a list: pairs of key and item, higher keys rank before lower ones."""
    name = f"o_{mangled(order.name)}"
    if name in to.functions:
        return name
    to.functions[name] = ""
    saved, to.env = to.env, {}
    values = tuple(line.value for line in order.lines)
    with to.each(order.var, *values) as (var, clauses):
        place = to.fresh("i") if any(line.how in ("later", "earlier") for line in order.lines) else ""
        key = key_tuple(to, order.lines, place)
        source = (
            f"for {place}, {var} in enumerate(items)"
            if place
            else f"for {var} in {to.gone_through('items', order.lines[0].value)}"
        )
        to.functions[name] = f"def {name}(s, items):\n    return [({key}, {var}) {clauses}{source}]"
    to.env = saved
    return name


def key_tuple(to: Lists, lines: tuple[g.OrderLine, ...], place: str) -> str:
    """The lines as a tuple: each decides where those before are equal. After `best` or `worst` nothing follows."""
    parts: list[str] = []
    for index, line in enumerate(lines):
        if line.how in ("best", "worst"):
            rest = key_tuple(to, lines[index + 1 :], place)
            side = "2" if line.how == "best" else "0"
            parts.append(f"*(({side},) if {to.expr(line.value)} else (1, {rest}))")
            break
        parts.append(line_key(to, line, place))
    return f"({', '.join(parts)},)" if parts else "()"


def line_key(to: Lists, line: g.OrderLine, place: str) -> str:
    match line.how:
        case "those":
            return to.flag(line.value)
        case "later":
            return place
        case "earlier":
            return f"-{place}"
    key = to.key(line.value)
    if line.layout == "flat":
        key = f"sorted({key}, reverse=True)"
    if line.layout == "groups":
        key = f"larger_groups({key})"
    if line.how == "higher":
        return key
    return f"-({key})" if line.layout is None else f"[-x for x in {key}]"


def reader_name(to: Lists, ranking: str) -> str:
    """The name of the function that reads cards by a ranking. What it needs of the game (which cards are wild, the
    conditions of ties) is written here; the reading itself is `interpreter.ranking.reader.Reader`."""
    name = f"r_{mangled(ranking)}"
    if name in to.functions:
        return name
    to.functions[name] = ""
    declared = to.game.rankings[ranking]
    saved, to.env, hoisted, to.hoisted = to.env, {}, to.hoisted, {}
    lines = [*wild_lines(to, name, declared), *judge_lines(to, name, declared)]
    wild = f"{name}__wild(s, cards)" if declared.wilds else "None"
    lines += [f"def {name}(s, cards):", f"    return read({ranking!r}, s, cards, {wild}, {name}__judge)"]
    lines += [f"def {name}__matches(s, cards):", f"    return matches({ranking!r}, cards, {wild})"]
    lines += [f"def {name}__beside(s, cards, other):", f"    return read_beside({ranking!r}, s, cards, other)"]
    to.env, to.hoisted = saved, hoisted
    to.functions[name] = "\n".join(lines)
    return name


def wild_lines(to: Lists, name: str, ranking: g.Ranking) -> list[str]:
    """A function that tells of each card, as a bit set, which of the `wild` lines hold for it."""
    if not ranking.wilds:
        return []
    var = ranking.wilds[0].var
    conditions = tuple(wild.condition for wild in ranking.wilds)
    with to.each(var, *conditions) as (bound, clauses):
        for wild in ranking.wilds:
            to.env[wild.var.id] = bound
        flags = " | ".join(f"({1 << line} if {to.expr(each)} else 0)" for line, each in enumerate(conditions))
        return [f"def {name}__wild(s, cards):", f"    return [{flags} {clauses}for {bound} in cards]"]


def judge_lines(to: Lists, name: str, ranking: g.Ranking) -> list[str]:
    """A function for the conditions of `best when` and `worst when`, by the number of the line."""
    lines = [f"def {name}__judge(s, line, v):"]
    with to.bound(ranking.var, "v"):
        for index, line in enumerate(ranking.ties):
            if line.how in ("best", "worst"):
                lines.append(f"    if line == {index}: return {to.expr(line.value)}")
    return [*lines, "    return False"]


def tie_card(ranking: g.Ranking, line: g.OrderLine) -> tuple[g.Var, g.Expr] | None:
    """For a line like `higher used's height` or `higher total of used's height`: the card's variable and its
    value."""
    value = line.value.list if isinstance(line.value, g.Agg) else line.value
    if isinstance(value, g.MapEach) and value.var.type.tag == "card" and uses_var(value.list, ranking.var):
        return value.var, value.value
    return None
