"""Resolution of texts and their interpolated values."""

from __future__ import annotations

from cardlang import game as g
from cardlang import nodes as n
from cardlang.game.walking import walk
from cardlang.resolve import codes
from cardlang.resolve.expressions import value
from cardlang.resolve.scope import Scope
from cardlang.resolve.world import World

TABLE = Scope()
"""Scope without an owner."""


def words(w: World, doc: n.Words | None, scope: Scope = TABLE) -> str:
    """Return a text of the author. Its values are resolved later, in `scope`."""
    if doc is None or not doc.pieces:
        return doc.text if doc is not None else ""
    text = g.Text(doc.text)
    w.texts.append((text, doc, scope, w.report.muted))
    return text


def resolve_texts(w: World) -> tuple[g.Expr, ...]:
    """Resolve the values in all texts. This comes last, since a text may mention later declarations."""
    for text, doc, scope, muted in w.texts:
        with w.report.silence(muted):
            text.pieces = tuple(piece if isinstance(piece, str) else value(w, piece, scope) for piece in doc.pieces)
    return tuple(piece for text, *_ in w.texts for piece in text.pieces if not isinstance(piece, str))


def told(w: World, said: n.Words, scope: Scope) -> tuple[tuple[str, ...], tuple[g.Expr, ...]]:
    """Resolve a log text: the strings before, between and after its values, and the values."""
    pieces = said.pieces or (said.text,)
    values = tuple(value(w, piece, scope) for piece in pieces if isinstance(piece, n.Expr))
    for part in walk(values):
        if isinstance(part, g.Agg) and part.function == "random":
            hint = "draw it first, with `remember random of … as drawn`, and write `{drawn}`"
            w.error(codes.MISPLACED, "text in quotes cannot contain `random`", part.span, hint)
    return tuple(piece for piece in pieces if isinstance(piece, str)), values


def note(w: World, node: n.Note, scope: Scope = TABLE) -> g.Note:
    return g.Note(node.span, words(w, node.words, scope))


def ruling(w: World, node: n.Ruling, scope: Scope = TABLE, origin: g.Origin = g.NOWHERE) -> g.Ruling:
    answer = tuple(words(w, each.words, scope) for each in node.answer)
    found = g.Ruling(node.span, words(w, node.question, scope), answer, origin)
    w.ruled |= dict.fromkeys(node.examples, found)
    return found
