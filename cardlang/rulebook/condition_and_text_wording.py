"""Wording for other stages: values in authors' texts, and conditions in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import attrs

from cardlang import model as g
from cardlang.diagnostics import Source, Span
from cardlang.english import morphology
from cardlang.model.traversal import walk
from cardlang.rulebook.plan.library_constant_folding import SwitchFolder, find_constant_switches
from cardlang.rulebook.realise import (  # noqa: F401  (they register)
    choice_sentences,
    condition_phrases,
    filter_phrases,
    loop_sentences,
    phrases,
    repeat_sentences,
    superlative_phrases,
)
from cardlang.rulebook.realise.game_lexicon import Lexicon, build_lexicon
from cardlang.rulebook.realise.instructions import build_variable_noun
from cardlang.rulebook.realise.phrases import YOU, NounPhrase, PhraseScope, build_noun_phrase
from cardlang.tree import ClassCache, rewrite_fields

SENTENCE_ENDS = (". ", "! ", "? ", ": ")


def render_game_texts(game: g.Game) -> g.Game:
    """Return a game with the values in its texts rendered: `A bet may add up to 25.`

    A constant becomes its value, other values become nouns: `up to the largest bet`.
    """
    saying = TextRenderer(PhraseScope(build_lexicon(game)))
    rendered = saying.render_texts_in(game)
    assert isinstance(rendered, g.Game)
    return rendered.replace(variants=tuple(saying.render_variant(variant) for variant in game.variants))


def bind_all_variables(expr: g.Expr | g.Option, scope: PhraseScope) -> PhraseScope:
    """Return a scope in which every variable of a rule has a noun."""
    for var in (part for part in walk((expr,)) if isinstance(part, g.Var) and part.id not in scope.nouns):
        scope = scope.bind_noun(var, YOU if var.name == "you" else build_variable_noun(var.name, var.type))
    return scope


def list_text_fields(class_: type) -> tuple[str, ...]:
    """Return the fields of a class whose values can have texts."""
    if not attrs.has(class_) or issubclass(class_, Span | Source | g.Type | g.Variant):
        return ()
    return tuple(
        field.name
        for field in attrs.fields(class_)
        if not field.metadata.get("apart") and field.type not in ("int", "bool", "int | None", "Span", "Type", "Origin")
    )


TEXT_FIELDS = ClassCache(list_text_fields)


class TextRenderer:
    """Renderer of the values in the texts of one game."""

    def __init__(self, scope: PhraseScope) -> None:
        self.scope = scope
        self.game = scope.lexicon.game
        self.rendered_parts: dict[int, object] = {}

    def render_texts_in(self, value: object) -> object:
        """Render the texts in a part of the game; return the same part if it has none."""
        if isinstance(value, g.InterpolatedText):
            return self.render_text(value)
        if isinstance(value, tuple):
            parts = tuple(map(self.render_texts_in, value))
            return parts if any(new is not old for new, old in zip(parts, value, strict=True)) else value
        if isinstance(value, dict):
            return {name: self.render_texts_in(part) for name, part in value.items()}
        fields = TEXT_FIELDS[type(value)]
        if fields and id(value) not in self.rendered_parts:
            self.rendered_parts[id(value)] = rewrite_fields(value, fields, self.render_texts_in)
        return self.rendered_parts[id(value)] if fields else value

    def render_text(self, text: g.InterpolatedText) -> str:
        text_so_far = ""
        for piece in text.pieces:
            piece_text = piece if isinstance(piece, str) else self.render_value(piece)
            begins = not isinstance(piece, str) and (not text_so_far or text_so_far.endswith(SENTENCE_ENDS))
            text_so_far += morphology.capitalize_first_letter(piece_text) if begins else piece_text
        return text_so_far

    def render_value(self, expr: g.Expr) -> str:
        return build_noun_phrase(self.resolve_constant(expr), bind_all_variables(expr, self.scope)).text

    def resolve_constant(self, expr: g.Expr) -> g.Expr:
        """Replace a constant definition by its value."""
        while isinstance(expr, g.Call) and isinstance(self.game.defines[expr.define].value, g.Const | g.Call):
            expr = self.game.defines[expr.define].value
        return expr

    def render_variant(self, variant: g.Variant) -> g.Variant:
        """Render the texts of a variant with its own values, even in the base game's list of variants."""
        doc = variant.doc
        if isinstance(doc, g.InterpolatedText):
            varied_game = self.game if self.game.variant is not None else variant.make()
            varied_doc = next((other.doc for other in varied_game.variants if other.title == variant.title), doc)
            doc = (
                TextRenderer(PhraseScope(build_lexicon(varied_game))).render_text(varied_doc)
                if isinstance(varied_doc, g.InterpolatedText)
                else varied_doc
            )
        return variant.replace(doc=doc)


# ---------------------------------------------------------------- conditions and choices in words
CACHED_GAMES = 16
"""Maximum number of games in the LRU cache."""
VariableNames = Mapping[int, str]
QUESTION_ANY = re.compile(r"\b(have|are) any ")
"""The `any` of `if you have any coins`, which `you have coins` does not have."""


def describe_failed_condition(game: g.Game, expr: g.Expr, variable_names: VariableNames) -> str:
    """Return a sentence about a condition that fails: `You have folded.`, or `You can do this only if you lead.`

    `variable_names`: nouns of variables by their ids."""
    lexicon, settling = get_game_english(game)
    folded = settling.fold_part(expr)
    condition = expr if isinstance(folded, g.Const) else folded
    scope = build_prompt_scope(expr, lexicon, variable_names)
    if isinstance(condition, g.And | g.Or):
        return f"You can do this only if {phrases.describe_condition(condition, scope)}."
    clause_text = QUESTION_ANY.sub(r"\1 ", phrases.describe_condition(condition, scope, positive=False))
    return f"{morphology.capitalize_first_letter(clause_text)}."


def describe_list_expression(game: g.Game, items: g.Expr, variable_names: VariableNames) -> str:
    """Describe the items of a list: `the cards in your hand`, `the other players who have not folded`."""
    lexicon, settling = get_game_english(game)
    return build_noun_phrase(settling.fold_part(items), build_prompt_scope(items, lexicon, variable_names)).cards_text


@lru_cache(maxsize=CACHED_GAMES)
def get_game_english(game: g.Game) -> tuple[Lexicon, SwitchFolder]:
    return build_lexicon(game), SwitchFolder(find_constant_switches(game))


def build_prompt_scope(expr: g.Expr, lexicon: Lexicon, variable_names: VariableNames) -> PhraseScope:
    scope = PhraseScope(lexicon)
    for var in (part for part in walk((expr,)) if isinstance(part, g.Var) and part.id in variable_names):
        name = variable_names[var.id]
        scope = scope.bind_noun(var, YOU if name == YOU.text else NounPhrase(name, var.type))
    return bind_all_variables(expr, scope)
