"""Resolution of names, possessives and attributes, with hints for unknown names."""

from __future__ import annotations

import re
from collections import Counter

from attrs import evolve

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.exact_numbers import read_exact_number
from cardlang.semantics import definition_resolver, error_codes
from cardlang.semantics.expression_resolver import (
    build_error_expression,
    convert_or_report,
    describe_type,
    is_included_kind,
    report_ambiguous_copies,
    resolve_expression,
    resolves_expression,
)
from cardlang.semantics.symbol_table import ERROR_TYPE, RelatedSpans, ResolveContext, Scope
from cardlang.syntax import ast as n
from cardlang.syntax.ast.traversal import find_last_name

MAX_SHOWN_ATTRIBUTES = 6
"""Maximum number of attributes in a message."""
CARD_LIST_TYPES = {name: g.build_list_type(g.CARD) for name in ("above", "below")}
READING_LIST_TYPES = {"used": g.build_list_type(g.CARD), "rest": g.build_list_type(g.CARD)}
BUILTIN_ATTRIBUTES: dict[str, dict[str, g.Type]] = {
    "player": {
        "left": g.PLAYER,
        "right": g.PLAYER,
        "others": g.build_list_type(g.PLAYER),
        "seat": g.NUMBER,
    },
    "card": {"owner": g.PLAYER.as_optional(), "title": g.TEXT, **CARD_LIST_TYPES},
    "reading": {"title": g.TEXT, "wilds": g.NUMBER, "owner": g.PLAYER.as_optional(), **READING_LIST_TYPES},
    "member": {"title": g.TEXT},
}


def find_attribute(
    ctx: ResolveContext, owner: g.Expr, name: str, span: Span, second: g.Expr | None = None
) -> g.Expr | None:
    """Return the value of `of's name for second`, or None if its type has no such attribute.

    For a list, map it over the items."""
    type_ = owner.type
    if type_.tag == "error":
        return build_error_expression(span)
    if type_.tag == "list":
        return find_list_attribute(ctx, owner, name, span, second)
    node = ctx.nouns.get(name)
    if type_.tag == "number" and isinstance(owner, g.Const) and ctx.get_subject(node) in ctx.kinds:
        owner = convert_or_report(ctx, owner, g.build_member_type(str(ctx.get_subject(node))))
        type_ = owner.type
        if type_.tag == "error":
            return owner
    if node is not None and belongs_to_type(ctx, ctx.get_subject(node), type_):
        return definition_resolver.build_noun_value(ctx, node, owner, span, second)
    if second is not None:
        return None
    if type_.tag == "card":
        card_attribute = find_card_attribute(ctx, owner, name, span)
        if card_attribute is not None:
            return card_attribute
    builtin = BUILTIN_ATTRIBUTES.get(type_.tag, {}).get(name)
    if builtin is None:
        return None
    if type_.maybe and builtin.tag != "list":
        builtin = builtin.as_optional()
    return g.Builtin(builtin, span, name, owner)


def belongs_to_type(ctx: ResolveContext, subject: str | None, type_: g.Type) -> bool:
    if subject is None:
        return False
    if type_.tag == "member":
        return is_included_kind(ctx, type_.of, subject)
    return subject == (type_.of if type_.tag == "reading" else type_.tag)


def find_card_attribute(ctx: ResolveContext, card: g.Expr, name: str, span: Span) -> g.Expr | None:
    column = ctx.columns.get(name)
    if column is not None:
        type_ = column.type.as_optional() if card.type.maybe else column.type
        return g.Attribute(type_, span, card, name)
    if name in ctx.card_definition_nodes:
        return definition_resolver.build_card_definition_call(ctx, name, card, span)
    return None


def find_list_attribute(
    ctx: ResolveContext, owner: g.Expr, name: str, span: Span, second: g.Expr | None
) -> g.Expr | None:
    item = owner.type.item or ERROR_TYPE
    var = ctx.create_variable(item, span, "it")
    attribute = find_attribute(ctx, var, name, span, second)
    if attribute is None or attribute.type.tag == "error":
        return attribute
    type_ = evolve(attribute.type.item or attribute.type, maybe=False)
    return g.MapEach(g.build_list_type(type_, owner.type.ranked), span, owner, var, attribute)


def resolve_attribute(ctx: ResolveContext, owner: g.Expr, name: n.Name, second: g.Expr | None = None) -> g.Expr:
    """Return the value of `of's name for second`, or report an error."""
    value = find_attribute(ctx, owner, name.text, name.span, second)
    if name.text not in (*ctx.columns, *ctx.card_definition_nodes, "title"):
        report_ambiguous_copies(ctx, owner)
    if value is None:
        hint, related = build_attribute_hint(ctx, owner.type, name.text)
        ctx.report_error(
            error_codes.UNKNOWN_ATTRIBUTE, f"{describe_type(owner.type)} has no `{name.text}`", name.span, hint, related
        )
        return build_error_expression(name.span)
    return value


def build_attribute_hint(ctx: ResolveContext, type_: g.Type, name: str) -> tuple[str, RelatedSpans]:
    if name == "size" and type_.tag == "list":
        return "write `count of …`", ()
    if name == "cards" and type_.tag == "player":
        return "name a zone, as in `your hand`. For one card, write `you choose chosen from your hand` first", ()
    node = ctx.nouns.get(name)
    cards_have = name in ctx.columns or name in ctx.card_definition_nodes
    if cards_have and not isinstance(node, n.Define):
        return f"`{name}` belongs to cards", ()
    if node is None or isinstance(node, n.Kind | n.Cards | n.Order | n.Ranking):
        of_cards = (type_.item or type_).tag == "card"
        known = list_attributes(ctx, type_)
        close = (of_cards and build_missing_column_hint(ctx, name)) or ctx.build_similar_name_hint(name, known)
        return (
            close
            if close[0] or not known
            else (f"it has {', '.join(f'`{attribute}`' for attribute in known[:MAX_SHOWN_ATTRIBUTES])}", ())
        )
    subject = ctx.get_subject(node)
    related = ((node.name.span, f"`{name}` is declared here"),)
    if subject is None:
        return f"it belongs to the table. Write `{name}`", related
    whose = "some cards" if subject == "cards" else f"each {subject}"
    return f"`{name}` belongs to {whose}", related


def build_missing_column_hint(ctx: ResolveContext, name: str) -> tuple[str, RelatedSpans] | None:
    """Return a hint for a kind that no card has as a column, or None."""
    kind = next((kind for kind in ctx.list_items(n.Kind) if kind.name.text.lower() == name != kind.name.text), None)
    if kind is None or name in ctx.columns:
        return None
    hint = f"no cards have a `{name}`. Write `1 of each {kind.name.text}`, or add a column: `cards … with {name}`"
    return hint, ((kind.name.span, f"`{kind.name.text}` is declared here"),)


def list_attributes(ctx: ResolveContext, type_: g.Type) -> list[str]:
    """Return the names of all attributes of a type. For lists, those of the items."""
    while type_.tag == "list" and type_.item is not None:
        type_ = type_.item
    names = [name for name, node in ctx.nouns.items() if belongs_to_type(ctx, ctx.get_subject(node), type_)]
    if type_.tag == "card":
        names += [*ctx.columns, *ctx.card_definition_nodes]
    return names + list(BUILTIN_ATTRIBUTES.get(type_.tag, {}))


# ---------------------------------------------------------------- hints
NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
KEYWORD_SYNONYMS = {
    **dict.fromkeys(("true", "True", "on"), "yes"),
    **dict.fromkeys(("false", "False", "off"), "no"),
    **dict.fromkeys(("none", "null", "None", "empty"), "nothing"),
    **dict.fromkeys(("noone", "no-one"), "nobody"),
    **dict.fromkeys(("me", "self", "myself"), "you"),
    **dict.fromkeys(("everyone", "everybody"), "players"),
    **dict.fromkeys(("infinity", "infinite"), "unlimited"),
    "size": "count of it",
    **{word: str(number) for number, word in enumerate(NUMBER_WORDS)},
    "twenty": "20",
    "fifty": "50",
    "hundred": "100",
}
"""Keywords by common words for the same value."""


def build_synonym_hint(word: str) -> str:
    """Return a hint for a common word for a value, or an empty string."""
    return f"write `{KEYWORD_SYNONYMS[word]}`" if word in KEYWORD_SYNONYMS else ""


def find_loop_above(span: Span) -> str:
    """Return the `each player` directly above a line at equal depth, if there is one.

    The line may belong in its block."""
    lines = [span.source.get_line(number) for number in range(span.line, 0, -1)]
    for line in lines[1:]:
        if (
            line.strip()
            and not line.lstrip().startswith("#")
            and count_indentation(line) <= count_indentation(lines[0])
        ):
            match = re.match(r"\s*((?:together )?each player)\b", line)
            return match[1] if match and count_indentation(line) == count_indentation(lines[0]) else ""
    return ""


def is_in_step(span: Span) -> bool:
    """Return whether a place is in a step, where a line can move below `each player`."""
    heads = re.findall(r"^\w+", span.source.text[: span.start], re.MULTILINE)
    return heads[-1:] == ["step"]


def find_binding_block_line(span: Span, name: str) -> int | None:
    """Return the number of the line whose block binds a name that is used below, outside of the block."""
    binds = re.compile(rf"\b(?:as|choose|with) {re.escape(name)}\b")
    indentation, deepest = count_indentation(span.source.get_line(span.line)), None
    for number in range(span.line - 1, 0, -1):
        line = span.source.get_line(number)
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if deepest is not None and count_indentation(line) < deepest:
            return number
        if deepest is None and count_indentation(line) > indentation and binds.search(line):
            deepest = count_indentation(line)
        if deepest is None and count_indentation(line) == 0:
            return None
    return None


def count_indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


# ---------------------------------------------------------------- names
LITERAL_VALUES: dict[str, tuple[g.Type, g.Value]] = {
    "yes": (g.FLAG, 1),
    "no": (g.FLAG, 0),
    "nothing": (g.NOTHING, None),
    "nobody": (g.NOTHING, None),
    "unlimited": (g.Type("number", unlimited=True), g.UNLIMITED),
}


@resolves_expression(n.NameRef)
def _(ctx: ResolveContext, node: n.NameRef, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    if node.name == "you":
        return resolve_addressed_player(ctx, node.span, scope)
    if node.name == "it":
        return resolve_tested_value(ctx, node.span, scope)
    value = find_named_value(ctx, node, scope, expected_type)
    return report_unknown_name(ctx, node, scope) if value is None else value


@resolves_expression(n.For)
def _(ctx: ResolveContext, node: n.For, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    noun = ctx.nouns.get(find_last_name(node.value))
    declared = noun.second if isinstance(noun, n.Zone | n.Track | n.Define) else None
    second = resolve_expression(ctx, node.second, scope, ctx.find_type(declared.text) if declared else None)
    if second.type.tag == "error" or (second.type.item or second.type).tag == "error":
        return build_error_expression(node.span)
    match node.value:
        case n.NameRef():
            value = find_named_value(ctx, node.value, scope, expected_type, second)
            return report_unknown_name(ctx, node.value, scope) if value is None else evolve(value, span=node.span)
        case n.Yours() | n.Its() | n.Attr():
            owner = resolve_owner(ctx, node.value, scope)
            if owner.type.tag == "error":
                return owner
            return evolve(resolve_attribute(ctx, owner, node.value.name, second), span=node.span)
    hint = "write the name of a zone, number or definition before `for`, as in `your line for target`"
    ctx.report_error(error_codes.WRONG_SECOND_OWNER, "`for` follows no name here", node.value.span, hint)
    return build_error_expression(node.span)


def resolve_addressed_player(ctx: ResolveContext, span: Span, scope: Scope) -> g.Expr:
    if scope.you is not None:
        return copy_reference(scope.you, span, "you")
    owned = span.text.removeprefix("your ")
    owner = f"{find_global_player_name(ctx)}'s {owned}" if owned != span.text else find_global_player_name(ctx)
    whose = f"write `{owner}`" if find_global_player_name(ctx) else "say whose"
    hint = f"{whose}. In a `where`, write the name alone" if " where " in span.source.get_line(span.line) else whose
    if is_in_step(span):
        hint = f"put this line below `each player`, or {hint}"
    above = find_loop_above(span)
    if above:
        hint = f"indent this line if it belongs to the `{above}` above, or {whose}"
    ctx.report_error(error_codes.NO_ADDRESSED_PLAYER, f"`{span.text}` refers to no player here", span, hint)
    return build_error_expression(span)


def copy_reference(bound_value: g.Expr, span: Span, name: str) -> g.Expr:
    """Return a bound value as this place refers to it."""
    return (
        evolve(bound_value, span=span, name=name) if isinstance(bound_value, g.Var) else evolve(bound_value, span=span)
    )


def resolve_tested_value(ctx: ResolveContext, span: Span, scope: Scope) -> g.Expr:
    if scope.it is not None:
        return copy_reference(scope.it, span, "it")
    ctx.report_error(error_codes.NO_TESTED_VALUE, "`it` means nothing here", span, "write a name instead")
    return build_error_expression(span)


def find_named_value(
    ctx: ResolveContext, node: n.NameRef, scope: Scope, expected_type: g.Type | None, second: g.Expr | None = None
) -> g.Expr | None:
    name, span = node.name, node.span
    for owner in scope.implicit_owners:
        attribute = find_attribute(ctx, owner, name, span, second)
        if attribute is not None:
            return attribute
    if second is not None:
        return find_global_value(ctx, name, span, second)
    if name in scope.locals:
        return evolve(scope.locals[name], span=span)
    if name in scope.players:
        return g.Const(g.PLAYER, span, scope.players.index(name))
    return (
        find_announcement_value(name, span, scope)
        or find_global_value(ctx, name, span)
        or find_builtin_value(ctx, name, span, expected_type)
    )


def find_announcement_value(name: str, span: Span, scope: Scope) -> g.Expr | None:
    """Return a value of the announcement that a reaction answers, or None."""
    if scope.announcement is None:
        return None
    if name == "actor":
        return g.Actor(g.PLAYER, span)
    if name == "target":
        return g.Target(scope.announcement.target, span, None)
    shared = scope.announcement.shared.get(name)
    return None if shared is None else g.Target(shared, span, name)


def find_global_value(ctx: ResolveContext, name: str, span: Span, second: g.Expr | None = None) -> g.Expr | None:
    node = ctx.nouns.get(name)
    if node is None:
        return None
    if isinstance(node, n.Kind):
        return g.Members(g.build_list_type(g.build_member_type(name)), span, name)
    if isinstance(node, n.Cards):
        return g.SetCards(g.build_list_type(g.CARD), span, name)
    is_global = ctx.get_subject(node) is None
    return definition_resolver.build_noun_value(ctx, node, None, span, second) if is_global else None


def find_builtin_value(ctx: ResolveContext, name: str, span: Span, expected_type: g.Type | None) -> g.Expr | None:
    if name in ("players", "winners"):
        return g.Builtin(g.build_list_type(g.PLAYER), span, name, None)
    if name in LITERAL_VALUES:
        return g.Const(LITERAL_VALUES[name][0], span, LITERAL_VALUES[name][1])
    return find_member_value(ctx, name, span, expected_type)


def find_member_value(ctx: ResolveContext, name: str, span: Span, expected_type: g.Type | None) -> g.Expr | None:
    """Return a member of a kind, or None. If several kinds have the name, the wanted kind decides."""
    kinds = ctx.members_by_name.get(name, [])
    if not kinds:
        return None
    kind_name = (expected_type.item or expected_type).of if expected_type is not None else None
    kind, member_index = next(((k, p) for k, p in kinds if k == kind_name), kinds[0])
    return g.Const(g.build_member_type(kind), span, member_index)


def is_ambiguous_member(ctx: ResolveContext, node: n.Expr) -> bool:
    """Return whether an expression may be a member of several kinds."""
    return isinstance(node, n.NameRef) and len(ctx.members_by_name.get(node.name, ())) > 1


def report_unknown_name(ctx: ResolveContext, node: n.NameRef, scope: Scope) -> g.Expr:
    hint, related = build_unknown_name_hint(ctx, node, scope)
    ctx.report_error(error_codes.UNKNOWN_NAME, f"unknown name `{node.name}`", node.span, hint, related)
    return build_error_expression(node.span)


def find_global_player_name(ctx: ResolveContext) -> str:
    """Return the name of a global player variable, or an empty string."""
    named = [node.name.text for node in ctx.list_items(n.Track) if node.type.text == "player" and node.subject is None]
    return named[0] if named else ""


def build_owner_hint(ctx: ResolveContext, node: n.NameRef) -> str:
    """Return a hint for an attribute of players without an owner."""
    if re.search(r"\b(any|every|no) .* has [^()\n]* (or|and) .*$", node.span.source.text[: node.span.start]):
        return "put brackets around what follows `has`, as in `any player has (score > 9 or hand is empty)`"
    other = f" or `{find_global_player_name(ctx)}'s {node.name}`" if find_global_player_name(ctx) else ""
    hint = f"say whose: `your {node.name}`{other}"
    for definition in ctx.list_items(n.Define):
        span = definition.span
        same = span.source == node.span.source and span.start <= node.span.start < span.end
        if same and definition.subject is None and definition.parameter is None:
            return f"{hint}. If you use `your`, start the definition with `define your {definition.name.text}`"
    return hint


def build_unknown_name_hint(ctx: ResolveContext, node: n.NameRef, scope: Scope) -> tuple[str, RelatedSpans]:
    name = node.name
    noun = ctx.nouns.get(name)
    subject = ctx.get_subject(noun) if noun is not None else None
    if noun is not None and subject is not None:
        related = ((noun.name.span, f"`{name}` is declared here"),)
        if subject == "player":
            return build_owner_hint(ctx, node), related
        return f"say which {subject}: `that {subject}'s {name}`", related
    if noun is not None:
        return f"this is {'an order' if isinstance(noun, n.Order) else 'a ranking'}, not a value", ()
    if name in ctx.columns or name in ctx.card_definition_nodes:
        cards = "hand" if node.span.source.text[: node.span.start].endswith(" of ") else "chosen"
        return f"it belongs to a card. Write, for example, `{cards}'s {name}`", ()
    if scope.you is None and name in BUILTIN_ATTRIBUTES["player"]:
        return build_owner_hint(ctx, node), ()
    if (deeper := find_binding_block_line(node.span, name)) is not None:
        return f"only the block of line {deeper} knows it. Indent this line, or indent line {deeper} less", ()
    if synonym_hint := build_synonym_hint(name):
        return synonym_hint, ()
    return build_missing_column_hint(ctx, name) or ctx.build_similar_name_hint(name, list_visible_names(ctx, scope))


def list_visible_names(ctx: ResolveContext, scope: Scope) -> list[str]:
    names = [name for owner in scope.implicit_owners for name in list_attributes(ctx, owner.type)]
    names += [*scope.locals, *scope.players, "players", "winners", *LITERAL_VALUES, *ctx.members_by_name]
    return names + [name for name, node in ctx.nouns.items() if ctx.get_subject(node) in (None, "player")]


# ---------------------------------------------------------------- owners
def resolve_owner(ctx: ResolveContext, node: n.Yours | n.Its | n.Attr, scope: Scope) -> g.Expr:
    """Return the value before a possessive."""
    match node:
        case n.Yours():
            return resolve_addressed_player(ctx, node.span, scope)
        case n.Its():
            return resolve_tested_value(ctx, node.span, scope)
    return resolve_expression(ctx, node.of, scope)


@resolves_expression(n.Attr)
@resolves_expression(n.Its)
@resolves_expression(n.Yours)
def _(ctx: ResolveContext, node: n.Yours | n.Its | n.Attr, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    owner = resolve_owner(ctx, node, scope)
    if owner.type.tag == "error":
        return build_error_expression(node.span)
    return evolve(resolve_attribute(ctx, owner, node.name), span=node.span)


@resolves_expression(n.That)
def _(ctx: ResolveContext, node: n.That, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    if node.name.text in scope.that:
        return copy_reference(scope.that[node.name.text], node.span, f"that {node.name.text}")
    hint = (
        ctx.build_similar_name_hint(node.name.text, scope.that)[0] or f"put this line below an `each {node.name.text}`"
    )
    message = f"`that {node.name.text}` is not inside an `each {node.name.text}`"
    ctx.report_error(error_codes.THAT_OUTSIDE_LOOP, message, node.span, hint)
    return build_error_expression(node.span)


# ---------------------------------------------------------------- literals
@resolves_expression(n.Number)
def _(ctx: ResolveContext, node: n.Number, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    return g.Const(g.NUMBER, node.span, read_exact_number(node.digits))


@resolves_expression(n.Text)
def _(ctx: ResolveContext, node: n.Text, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    return g.Const(g.TEXT, node.span, node.text)


@resolves_expression(n.CardList)
def _(ctx: ResolveContext, node: n.CardList, scope: Scope, expected_type: g.Type | None) -> g.Expr:
    faces = resolve_card_codes(ctx, node)
    if faces is None or report_too_many_copies(ctx, node):
        return build_error_expression(node.span)
    one = g.Type("card", named=True)
    type_ = one if len(faces) == 1 else g.Type("list", item=g.CARD, named=True)
    return g.NamedCards(type_, node.span, faces)


def report_too_many_copies(ctx: ResolveContext, node: n.CardList) -> bool:
    """Report codes that appear more often than there are copies of the card."""
    written = Counter(code.text for code in node.codes)
    several = [text for text, number in written.items() if number > max(ctx.faces[ctx.faces_by_code[text]].copies, 1)]
    for text in several:
        last = [code for code in node.codes if code.text == text][-1]
        copies = ctx.faces[ctx.faces_by_code[text]].copies
        message = f"the game has {copies} of `{text}`, but this list has {written[text]}"
        ctx.report_error(error_codes.UNKNOWN_CARD, message, last.span, "write the code once for each card")
    return bool(several)


def resolve_card_codes(ctx: ResolveContext, node: n.CardList) -> tuple[int, ...] | None:
    """Return the numbers of the faces with these codes. Report unknown codes and return None."""
    unknown = [code for code in node.codes if code.text not in ctx.faces_by_code]
    for code in unknown:
        hint = ctx.build_similar_name_hint(code.text, ctx.faces_by_code)[0] or (
            f"codes look like `{ctx.faces[0].code}`" if ctx.faces else ""
        )
        ctx.report_error(error_codes.UNKNOWN_CARD, f"unknown card `{code.text}`", code.span, hint)
    return None if unknown else tuple(ctx.faces_by_code[code.text] for code in node.codes)
