"""The parse tables of the grammar, and where and why they stop reading a text."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import frozen
from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedToken
from lark.indenter import DedentError, Indenter
from lark.lexer import PatternStr

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar.tables")
START = ["header", "item"]


class Layout(Indenter):
    """Indentation as tokens; line ends inside brackets and after a comma do not count."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        tokens: Iterator[Token] = super().process(join_after_comma(stream))  # type: ignore[no-untyped-call]
        return tokens


def join_after_comma(stream: Iterator[Token]) -> Iterator[Token]:
    comma = False
    for token in stream:
        if not (comma and token.type == "_NL"):
            comma = token.type == "COMMA"
            yield token


def grammar_digest() -> str:
    return hashlib.sha256(GRAMMAR.read_bytes()).hexdigest()


def build_grammar() -> Lark:
    logging.getLogger("lark").setLevel(logging.ERROR)
    return Lark(
        GRAMMAR.read_text("utf-8"),
        parser="lalr",
        start=START,
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def save_tables(path: Path = TABLES) -> None:
    """Write the parse tables behind the digest of the grammar they were made from; nobody ever reads half of them."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}")
    with unfinished.open("wb") as file:
        file.write(grammar_digest().encode() + b"\n")
        build_grammar().save(file)
    unfinished.replace(path)


@cache
def grammar() -> Lark:
    """The parser, from the tables built with the package; from the grammar itself where they are missing or old."""
    if TABLES.exists():
        with TABLES.open("rb") as file:
            if file.readline().strip().decode() == grammar_digest():
                return Lark.load(file)
    return build_grammar()


# ---------------------------------------------------------------- where reading stops
@frozen
class Stop:
    """Offsets in the text read; `type`: the terminal that is not accepted there, `character` if it is none at all.
    `expected`: the terminals that would have been."""

    start: int
    end: int
    type: str
    expected: frozenset[str]

    @property
    def may_end(self) -> bool:
        """Whether the statement was complete."""
        return "_NL" in self.expected

    @property
    def wants_block(self) -> bool:
        return "_INDENT" in self.expected and not self.may_end


def read(text: str, rule: str) -> Tree[Token] | Stop:
    """The tree of a text by a rule of the grammar, or where it cannot be read further."""
    try:
        return grammar().parse(text, start=rule)
    except UnexpectedToken as error:
        return stop_at_token(error, text)
    except UnexpectedCharacters as error:
        start = error.pos_in_stream or 0
        return Stop(start, start + 1, "character", frozenset(error.allowed or ()))
    except DedentError:
        return Stop(len(text), len(text), "_DEDENT", frozenset())


def stop_at(text: str, rule: str) -> Stop | None:
    found = read(text, rule)
    return found if isinstance(found, Stop) else None


def stop_at_token(error: UnexpectedToken, text: str) -> Stop:
    token = error.token
    expected = frozenset(error.accepts or error.expected)
    if token.type == "$END":
        start = end = len(text)
    elif token.type in (Layout.INDENT_type, Layout.DEDENT_type):
        start = end = len(text) if token.end_pos is None else token.end_pos
    else:
        start = token.start_pos or 0
        end = start + len(token)
    return Stop(start, end, token.type, expected)


# ---------------------------------------------------------------- the words of the grammar
PHRASES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": "a text in quotes",
    "CARDS": "cards such as [9G 7A]",
    "VERB": "a verb such as `move`",
    "VIEWER": "`owner`, `others` or `nobody`",
    "TRAIT": "`one`, `different` or `consecutive`",
    "AGG": "",
    "_NL": "the end of the line",
    "LPAR": "an opening bracket",
    "RPAR": "a closing bracket",
}
VALUES = {"NAME", "YOUR", "LPAR", "CARDS"}
GOING_ON = {"OP", "PLUS", "MINUS", "STAR", "SLASH", "POSS", "AND", "OR", "WHERE", "IS", "RANKED", "BY", "BESIDE", "_NL"}


@cache
def keywords() -> frozenset[str]:
    """The words of the language, verbs with and without their s."""
    words: set[str] = set()
    for terminal in grammar().terminals:
        if terminal.name in ("NAME", "STRING", "COMMENT", "CARDS", "POSS", "_NL"):
            continue
        if isinstance(terminal.pattern, PatternStr):
            words.add(terminal.pattern.value)
        else:
            words.update(re.findall(r"[a-z]{2,}", re.sub(r"\(\?[=!][^)]*\)*", " ", terminal.pattern.value)))
    verbs = next(t.pattern.value for t in grammar().terminals if t.name == "VERB")
    words.update(f"{verb}s" for verb in re.findall(r"[a-z]{2,}", verbs))
    return frozenset(word for word in words if word.isalpha()) | {"number", "flag", "player"}


@cache
def phrases() -> dict[str, str]:
    """How each terminal is called in a message."""
    found = dict(PHRASES)
    for terminal in grammar().terminals:
        if isinstance(terminal.pattern, PatternStr):
            found.setdefault(terminal.name, f"`{terminal.pattern.value}`")
    return found


def terminal(word: str) -> str:
    """The name of the terminal that is this very word or sign."""
    return next((t.name for t in grammar().terminals if t.pattern.value == word), "")


def words_of(expected: frozenset[str]) -> str:
    """What could stand at a place, in words; empty where that would be a long list."""
    rest = expected
    said = []
    if expected >= VALUES:
        said.append("a value")
        rest = frozenset()
    elif expected & {"OP", "PLUS"}:
        rest = expected - GOING_ON
    names = phrases()
    said.extend(names[name] for name in sorted(rest) if names.get(name))
    if not 0 < len(said) <= 4:
        return ""
    return said[0] if len(said) == 1 else ", ".join(said[:-1]) + " or " + said[-1]
