"""Pygments lexer of game files, for syntax highlighting."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

GRAMMAR_TEXT = Path(__file__).with_name("grammar.lark").read_text("utf-8")


def find_grammar_keywords(grammar: str) -> frozenset[str]:
    """Return the words of a grammar: those in quotes, and those that its terminals spell out."""
    rules = re.sub(r"//[^\n]*", "", grammar)
    terminals = re.findall(r"^_?[A-Z_]+(?:\.\d+)?: +(/.*/) *$", rules, re.MULTILINE)
    spelt = (re.sub(r"\\.|\[[^\]]*\]|\(\?[^()]*\)", " ", terminal) for terminal in terminals)
    quoted = re.findall(r'"([a-z]+)"', rules)
    return frozenset(quoted) | {word for text in spelt for word in re.findall("[a-z]{2,}", text)}


class CardgameLexer(RegexLexer):  # type: ignore[misc]
    """Lexer for `.cardgame` files: keywords, names, texts, cards in brackets, numbers."""

    name = "cardlang"
    aliases: ClassVar[list[str]] = ["cardgame"]
    filenames: ClassVar[list[str]] = ["*.cardgame"]
    tokens: ClassVar[dict[str, list[object]]] = {
        "root": [
            (r"#[^\n]*", Comment.Single),
            (r'"(\\.|[^"\\\n])*"', String),
            (r"\[[^\]\n]*\]", String.Symbol),
            (r"\d+(\.\d+)?(?![\w-])", Number),
            (words(sorted(find_grammar_keywords(GRAMMAR_TEXT)), prefix=r"(?<![\w-])", suffix=r"(?![\w-])"), Keyword),
            (r"[^\W\d_][\w-]*", Name),
            (r"!=|<=|>=|[=<>+*/-]", Operator),
            (r"[(),:.']", Punctuation),
            (r"\s+", Whitespace),
        ]
    }
