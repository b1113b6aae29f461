"""Hints for unknown names and attributes."""

from __future__ import annotations

import re

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.semantics.symbol_table import (
    BUILTIN_ATTRIBUTES,
    LITERAL_VALUES,
    RelatedSpans,
    ResolveContext,
    Scope,
    belongs_to_type,
)
from cardlang.syntax import ast as n
from cardlang.syntax.recovery.guessed_names import NUMBERS_BY_WORD
from cardlang.syntax.recovery.line_templates import read_pairs

MAX_SHOWN_ATTRIBUTES = 6
"""Maximum number of attributes in a message."""


# ---------------------------------------------------------------- attributes
def build_attribute_hint(
    ctx: ResolveContext, type_: g.Type, name: str, expected_type: g.Type | None
) -> tuple[str, RelatedSpans]:
    known = list_attributes(ctx, type_)
    if name == "size" and type_.tag == "list":
        return "write `count of …`", ()
    if name == "name" and "title" in known:
        return "write `title`", ()
    if name == "cards" and type_.tag == "player":
        return "name a zone, as in `your hand`. For one card, write `you choose chosen from your hand` first", ()
    node = ctx.nouns.get(name)
    cards_have = name in ctx.columns or name in ctx.card_definition_nodes
    if cards_have and not isinstance(node, n.Define):
        return f"`{name}` belongs to cards", ()
    if node is None or isinstance(node, n.Kind | n.Cards | n.Order | n.Ranking):
        of_cards = (type_.item or type_).tag == "card"
        close = (of_cards and build_missing_column_hint(ctx, name)) or find_similar_name(
            ctx, name, known, expected_type
        )
        if close[0] or not known:
            return close
        if type_.tag == "player" and is_cards(expected_type):
            return build_undeclared_zone_hint(f"your {name}", [f"your {zone}" for zone in select_zones(ctx, known)]), ()
        return f"it has {', '.join(f'`{attribute}`' for attribute in known[:MAX_SHOWN_ATTRIBUTES])}", ()
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


# ---------------------------------------------------------------- synonyms
VALUE_SYNONYMS = {word: number for word, number in NUMBERS_BY_WORD.items() if word not in ("a", "an")}
VALUE_SYNONYMS |= {word: value for words, value in read_pairs("values") for word in words.split()}
"""Values by common words for them."""


def build_synonym_hint(word: str) -> str:
    """Return a hint for a common word for a value, or an empty string."""
    return f"write `{VALUE_SYNONYMS[word]}`" if word in VALUE_SYNONYMS else ""


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
BRACES_HINT = "braces show a value of the game, as `{you}` does. Remove them to show the word itself"


def is_in_braces(span: Span) -> bool:
    """Return whether a value starts right after a brace in a text."""
    return span.source.text.endswith("{", 0, span.start)


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


def build_unknown_name_hint(
    ctx: ResolveContext, node: n.NameRef, scope: Scope, expected_type: g.Type | None
) -> tuple[str, RelatedSpans]:
    name = node.name
    noun = ctx.nouns.get(name)
    subject = ctx.get_subject(noun) if noun is not None else None
    if noun is not None and subject is not None:
        related = ((noun.name.span, f"`{name}` is declared here"),)
        if subject == "player":
            is_word = scope.you is None and is_in_braces(node.span)
            return BRACES_HINT if is_word else build_owner_hint(ctx, node), related
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
    known = list_visible_names(ctx, scope)
    if name == "name" and "title" in known:
        return "write `title`", ()
    hint = build_missing_column_hint(ctx, name) or find_similar_name(ctx, name, known, expected_type)
    if not hint[0] and is_in_braces(node.span):
        return BRACES_HINT, ()
    return (build_undeclared_zone_hint(name, []), ()) if is_cards(expected_type) and not hint[0] else hint


def find_similar_name(
    ctx: ResolveContext, name: str, known: list[str], expected_type: g.Type | None
) -> tuple[str, RelatedSpans]:
    """Return a hint with a similar name. In place of cards it is no number, and zones go first."""
    if is_cards(expected_type):
        numbers = [track.name.text for track in ctx.list_items(n.Track)]
        known = [other for other in known if other not in (*numbers, *BUILTIN_ATTRIBUTES["player"])]
        known = [*select_zones(ctx, known), *known]
    return ctx.build_similar_name_hint(name, known)


def is_cards(expected_type: g.Type | None) -> bool:
    return expected_type is not None and expected_type.item == g.CARD


def select_zones(ctx: ResolveContext, names: list[str]) -> list[str]:
    return [name for name in names if isinstance(ctx.nouns.get(name), n.Zone)]


def build_undeclared_zone_hint(name: str, others: list[str]) -> str:
    instead = f", or write {' or '.join(f'`{other}`' for other in others)}" if others else ""
    return f"if it is a place for cards, declare it: `zone {name}`{instead}"


def list_visible_names(ctx: ResolveContext, scope: Scope) -> list[str]:
    names = [name for owner in scope.implicit_owners for name in list_attributes(ctx, owner.type)]
    names += ["you"] if scope.you is not None else []
    names += [*scope.locals, *scope.players, "players", "winners", *LITERAL_VALUES, *ctx.members_by_name]
    return names + [name for name, node in ctx.nouns.items() if ctx.get_subject(node) in (None, "player")]
