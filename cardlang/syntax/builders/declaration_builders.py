"""Builders of AST nodes for files, headers and declarations."""

from __future__ import annotations

from attrs import frozen

from cardlang.diagnostics import Span
from cardlang.syntax import ast as n
from cardlang.syntax.builders.tree_builder import (
    BuiltChildren,
    find_all_of_type,
    find_first_of_type,
    read_optional_int,
    read_optional_text,
    register_builder,
    register_positional_builders,
)

register_positional_builders(
    {
        "needs": n.Needs,
        "case": n.Case,
        "prefer": n.Prefer,
        "wild": n.Wild,
        "param": n.Param,
        "whenever": n.Whenever,
        "role": n.Role,
        "note": n.Note,
        "track": n.Track,
    }
)


# ---------------------------------------------------------------- file
@register_builder("game")
def _(span: Span, c: BuiltChildren) -> n.Game:
    return n.Game(span, c[0].text, c[1], c[2])


@register_builder("library")
def _(span: Span, c: BuiltChildren) -> n.Library:
    return n.Library(span, c[0].text, c[1])


@register_builder("seats_range")
def _(span: Span, c: BuiltChildren) -> tuple[int, ...]:
    low, high = read_optional_int(c[0]) or 0, read_optional_int(c[1])
    return tuple(range(low, min(high if high is not None else low, low + 1000) + 1))


@register_builder("seats_list")
def _(span: Span, c: BuiltChildren) -> tuple[int, ...]:
    return tuple(int(child.digits) for child in c)


@register_builder("use")
def _(span: Span, c: BuiltChildren) -> n.Use:
    return n.Use(span, c[0], tuple(item for item in c[1:] if item is not None))


@register_builder("variant")
def _(span: Span, c: BuiltChildren) -> n.Variant:
    return n.Variant(span, c[0], c[1], tuple(c[2:]))


@register_builder("about")
def _(span: Span, c: BuiltChildren) -> n.About:
    return n.About(span, c[0].text, read_optional_int(c[1]) or 0, read_optional_int(c[2]))


@register_builder("component")
def _(span: Span, c: BuiltChildren) -> n.Component:
    return n.Component(span, read_optional_int(c[0]) or 0, c[1].text, c[2])


@register_builder("show")
def _(span: Span, c: BuiltChildren) -> n.Show:
    subject, name, form, columns, row, column, beside, doc = c
    return n.Show(span, subject, name, form, columns, None if row is None else (row, column), beside, doc)


@register_builder("ruling")
def _(span: Span, c: BuiltChildren) -> n.Ruling:
    return n.Ruling(span, c[0], find_all_of_type(c, n.Note), find_all_of_type(c, n.Example))


# ---------------------------------------------------------------- components
@register_builder("kind")
def _(span: Span, c: BuiltChildren) -> n.Kind:
    return n.Kind(span, c[1], c[0] is not None, tuple(c[2:-1]), c[-1])


@register_builder("member")
def _(span: Span, c: BuiltChildren) -> n.Member:
    return n.Member(span, c[0].text, None, c[1], c[2], c[-1])


@register_builder("numbers")
def _(span: Span, c: BuiltChildren) -> n.Member:
    return n.Member(span, int(c[0].digits), read_optional_int(c[1]), None, None, None)


@register_builder("called")
def _(span: Span, c: BuiltChildren) -> n.Called:
    return n.Called(span, c[0].text, read_optional_text(c[1]))


@register_builder("names", "params", "traits", "args")
def _(span: Span, c: BuiltChildren) -> tuple[object, ...]:
    return tuple(c)


def find_card_declarations(items: BuiltChildren) -> tuple[n.Define | n.Step | n.Note | n.Ruling, ...]:
    """Return the definitions and procedures of cards."""
    return tuple(item for item in items if isinstance(item, n.Define | n.Step | n.Note | n.Ruling))


@register_builder("cards")
def _(span: Span, c: BuiltChildren) -> n.Cards:
    name, code, home, columns, doc, *parts = c
    products, rows = find_all_of_type(parts, n.Product), find_all_of_type(parts, n.Row)
    bears = find_card_declarations(parts)
    return n.Cards(span, name, code, home, columns or (), doc, products, rows, bears, None)


@register_builder("cards_from")
def _(span: Span, c: BuiltChildren) -> n.Cards:
    name, code, home, file, doc, *parts = c
    titled, bears = find_all_of_type(parts, n.Row), find_card_declarations(parts)
    return n.Cards(span, name, code, home, (), doc, (), titled, bears, file)


@register_builder("titled")
def _(span: Span, c: BuiltChildren) -> n.Row:
    return n.Row(span, 0, c[0], None, (), None, find_card_declarations(c[1:]))


@register_builder("product")
def _(span: Span, c: BuiltChildren) -> n.Product:
    return n.Product(span, read_optional_int(c[0]) or 0, tuple(c[1:]))


@register_builder("each_of")
def _(span: Span, c: BuiltChildren) -> n.EachOf:
    return n.EachOf(span, c[0], read_member_name(c[1]), read_member_name(c[2]))


def read_member_name(part: n.Name | n.Number | None) -> n.Name | None:
    return n.Name(part.span, part.digits) if isinstance(part, n.Number) else part


@frozen
class RowLiteral:
    """Value in a row. The wrapper separates it from the row's own text."""

    value: n.Name | n.Number | n.Words


@register_builder("literal")
def _(span: Span, c: BuiltChildren) -> RowLiteral:
    return RowLiteral(c[0])


@register_builder("row")
def _(span: Span, c: BuiltChildren) -> n.Row:
    count, title, code, *rest = c
    values = tuple(item.value for item in find_all_of_type(rest, RowLiteral))
    bears = find_card_declarations(rest)
    return n.Row(span, read_optional_int(count) or 0, title, code, values, find_first_of_type(rest, n.Words), bears)


@register_builder("subject")
def _(span: Span, c: BuiltChildren) -> n.Subject:
    return "your" if c[0].text == "your" and len(c) == 1 else c[0]


@register_builder("zone")
def _(span: Span, c: BuiltChildren) -> n.Zone:
    subject, name, second, holds, called, viewer, doc = c
    return n.Zone(span, subject, name, second, read_optional_int(holds), called, viewer, doc)


@register_builder("starts")
def _(span: Span, c: BuiltChildren) -> n.Starts:
    is_own, again = c[0] or (False, ())
    return n.Starts(span, is_own, again, c[1])


@register_builder("when_again")
def _(span: Span, c: BuiltChildren) -> tuple[bool, tuple[n.Name, ...]]:
    is_own = c[0].text == "your"
    return is_own, tuple(c[is_own:])


# ---------------------------------------------------------------- definitions
Defined = tuple[n.Subject, n.Name, n.Name | None, n.Name | None]
"""Subject, name, second owner and parameter of a definition."""


@register_builder("defined")
def _(span: Span, c: BuiltChildren) -> Defined:
    subject, name, second = c
    return subject, name, second, None


@register_builder("defined_of")
def _(span: Span, c: BuiltChildren) -> Defined:
    name, parameter = c
    return None, name, None, parameter


@register_builder("define")
def _(span: Span, c: BuiltChildren) -> n.Define:
    defined: Defined
    defined, called, body, doc = c
    return n.Define(span, *defined, called, body, doc)


@register_builder("define_cases")
def _(span: Span, c: BuiltChildren) -> n.Define:
    defined: Defined
    defined, called, *cases = c
    return n.Define(span, *defined, called, n.Cases(span, tuple(cases)), None)


@register_builder("define_first")
def _(span: Span, c: BuiltChildren) -> n.Define:
    defined: Defined
    defined, called, _, *prefers = c
    return n.Define(span, *defined, called, n.FirstPossible(span, tuple(prefers)), None)


@register_builder("last_case")
def _(span: Span, c: BuiltChildren) -> n.Case:
    return n.Case(span, c[0], None, c[1])


@register_builder("order")
def _(span: Span, c: BuiltChildren) -> n.Order:
    name, of, doc, *lines = c
    return n.Order(span, name, of, tuple(lines), doc)


@register_builder("those")
def _(span: Span, c: BuiltChildren) -> n.OrderLine:
    return n.OrderLine(span, "those", c[0], None, c[1])


@register_builder("extreme")
def _(span: Span, c: BuiltChildren) -> n.OrderLine:
    return n.OrderLine(span, "best" if c[0].text == "highest" else "worst", c[1], None, c[2])


@register_builder("key")
def _(span: Span, c: BuiltChildren) -> n.OrderLine:
    layout = None if c[2] is None else "groups" if "groups" in c[2].text else "flat"
    return n.OrderLine(span, c[0].text, c[1], layout, c[3])


# ---------------------------------------------------------------- rankings
@frozen
class LeastLine:
    value: n.Expr


@frozen
class TieBreakLines:
    lines: tuple[n.OrderLine, ...]


@register_builder("least")
def _(span: Span, c: BuiltChildren) -> LeastLine:
    return LeastLine(c[0])


@register_builder("ties")
def _(span: Span, c: BuiltChildren) -> TieBreakLines:
    return TieBreakLines(tuple(c[1:]))


@register_builder("ranking")
def _(span: Span, c: BuiltChildren) -> n.Ranking:
    name, size, doc, *lines = c
    least, ties = find_first_of_type(lines, LeastLine), find_first_of_type(lines, TieBreakLines)
    return n.Ranking(
        span,
        name,
        int(size.digits) if isinstance(size, n.Number) else size.text,
        find_all_of_type(lines, n.Rank),
        find_all_of_type(lines, n.Wild),
        ties.lines if ties else (),
        least.value if least else None,
        find_all_of_type(lines, n.Ruling),
        doc,
    )


@register_builder("rank")
def _(span: Span, c: BuiltChildren) -> n.Rank:
    title, like, doc, *alternatives = c
    return n.Rank(span, title, like, doc, tuple(alternatives))


@register_builder("alternative")
def _(span: Span, c: BuiltChildren) -> n.Alternative:
    return n.Alternative(span, tuple(c[:-1]), c[-1] or (), None)


@register_builder("repeated_groups")
def _(span: Span, c: BuiltChildren) -> n.Alternative:
    times, _, *groups, shared = c
    return n.Alternative(span, tuple(groups), shared or (), read_optional_int(times))


@register_builder("group")
def _(span: Span, c: BuiltChildren) -> n.Group:
    count, more, set_, traits, condition = c
    return n.Group(span, read_optional_int(count) or 0, more is not None, set_, traits or (), condition)


@register_builder("trait")
def _(span: Span, c: BuiltChildren) -> n.Trait:
    return n.Trait(span, c[0].text.replace("distinct", "different"), c[1], read_member_name(c[2]))
