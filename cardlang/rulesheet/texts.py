"""Render the values in the author's texts."""

from __future__ import annotations

from functools import partial
from typing import Any

import attrs
from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game.walking import walk
from cardlang.rulesheet import sections  # noqa: F401  (the English of all expressions is registered there)
from cardlang.rulesheet.english import YOU, Scope, phrase
from cardlang.rulesheet.lexicon import build_lexicon
from cardlang.rulesheet.statements import local
from cardlang.source import Source, Span

ENDS = (". ", "! ", "? ", ": ")


def said(game: g.Game) -> g.Game:
    """Return a game with the values in its texts rendered: `A bet may add up to 25.`

    A constant becomes its value, other values become nouns: `up to the largest bet`.
    """
    saying = Saying(Scope(build_lexicon(game)))
    found = saying.part(game)
    assert isinstance(found, g.Game)
    return evolve(found, variants=tuple(saying.variant(each) for each in game.variants))


def said_of(variant: g.Variant) -> g.Game:
    return said(variant.make())


def all_named(expr: g.Expr, scope: Scope) -> Scope:
    """Return a scope in which every variable of an expression has a noun."""
    for var in (part for part in walk((expr,)) if isinstance(part, g.Var) and part.id not in scope.nouns):
        scope = scope.naming(var, YOU if var.name == "you" else local(var.name, var.type))
    return scope


class Saying:
    """Renderer of the values in the texts of one game."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.game = scope.lexicon.game
        self.done: dict[int, object] = {}

    def part(self, value: object) -> object:
        """Render the texts in a part of the game; return the same part if it has none."""
        if isinstance(value, g.Text):
            return self.text(value)
        if isinstance(value, tuple):
            parts = tuple(map(self.part, value))
            return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
        if isinstance(value, dict):
            return {name: self.part(each) for name, each in value.items()}
        if not attrs.has(type(value)) or isinstance(value, Span | Source | g.Type | g.Variant):
            return value
        if id(value) not in self.done:
            self.done[id(value)] = self.inside(value)
        return self.done[id(value)]

    def inside(self, value: Any) -> Any:
        changed = {}
        for each in attrs.fields(type(value)):
            if each.metadata.get("apart"):
                continue
            old = getattr(value, each.name)
            new = self.part(old)
            if new is not old:
                changed[each.name] = new
        return evolve(value, **changed) if changed else value

    def text(self, text: g.Text) -> str:
        told = ""
        for piece in text.pieces:
            said = piece if isinstance(piece, str) else self.value(piece)
            begins = not isinstance(piece, str) and (not told or told.endswith(ENDS))
            told += words.capital(said) if begins else said
        return told

    def value(self, expr: g.Expr) -> str:
        return phrase(self.settled(expr), all_named(expr, self.scope)).text

    def settled(self, expr: g.Expr) -> g.Expr:
        """Replace a constant definition by its value."""
        while isinstance(expr, g.Call) and isinstance(self.game.defines[expr.define].value, g.Const | g.Call):
            expr = self.game.defines[expr.define].value
        return expr

    def variant(self, variant: g.Variant) -> g.Variant:
        """Render the texts of a variant with its own values, even in the base game's list of variants."""
        doc = variant.doc
        if isinstance(doc, g.Text):
            own = self.game if self.game.variant is not None else variant.make()
            told = next((each.doc for each in own.variants if each.title == variant.title), doc)
            doc = Saying(Scope(build_lexicon(own))).text(told) if isinstance(told, g.Text) else told
        return evolve(variant, doc=doc, make=partial(said_of, variant))
