"""Describe conditions and lists of a game in English, for prompts in a match."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cardlang import game as g
from cardlang.game.walking import walk
from cardlang.rulesheet import english
from cardlang.rulesheet.english import YOU, Noun, Scope, phrase
from cardlang.rulesheet.lexicon import Lexicon, build_lexicon
from cardlang.rulesheet.settled import Settling, settled_choices
from cardlang.rulesheet.texts import all_named

KEPT = 16
"""Maximum number of games in the LRU cache."""
Called = Mapping[int, str]


def condition(game: g.Game, expr: g.Expr, called: Called) -> str:
    """Describe a condition, for use after `if`: `you owe nothing`. `called`: nouns of variables by their ids."""
    lexicon, settling = english_of(game)
    told = settling.part(expr)
    return english.condition(expr if isinstance(told, g.Const) else told, scope_of(expr, lexicon, called))


def choices(game: g.Game, items: g.Expr, called: Called) -> str:
    """Describe the items of a list: `the cards in your hand`, `the other players who have not folded`."""
    lexicon, settling = english_of(game)
    return phrase(settling.part(items), scope_of(items, lexicon, called)).cards


@lru_cache(maxsize=KEPT)
def english_of(game: g.Game) -> tuple[Lexicon, Settling]:
    return build_lexicon(game), Settling(settled_choices(game))


def scope_of(expr: g.Expr, lexicon: Lexicon, called: Called) -> Scope:
    scope = Scope(lexicon)
    for var in (part for part in walk((expr,)) if isinstance(part, g.Var) and part.id in called):
        name = called[var.id]
        scope = scope.naming(var, YOU if name == YOU.text else Noun(name, var.type))
    return all_named(expr, scope)
