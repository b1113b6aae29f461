"""LALR parse tables of the grammar, and the position and reason if parsing stops."""

from __future__ import annotations

import hashlib
import json
import logging
import re
import sys
from collections.abc import Callable, Iterator
from copy import copy
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import lark
from attrs import frozen
from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedToken
from lark.grammar import Rule
from lark.indenter import DedentError, Indenter
from lark.lexer import BasicLexer, PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Action, Reduce, Shift

from cardlang.disk import replace

T = TypeVar("T")

GRAMMAR = Path(__file__).with_name("grammar.lark")
TABLES = Path(__file__).with_name("grammar.tables")
START = ["header", "item", "value"]


class Indents(Indenter):
    """Indentation tokens. Line breaks in brackets and after a comma don't count."""

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


def origin() -> str:
    """Return a digest of the origin of the tables: the grammar, and the versions of Lark and Python."""
    made_by = f"lark {lark.__version__}, python {sys.version_info.major}.{sys.version_info.minor}\n"
    return hashlib.sha256(made_by.encode() + GRAMMAR.read_bytes()).hexdigest()


def build_grammar() -> Lark:
    logging.getLogger("lark").setLevel(logging.ERROR)
    return Lark(
        GRAMMAR.read_text("utf-8"),
        parser="lalr",
        start=START,
        postlex=Indents(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def save_tables(path: Path = TABLES) -> None:
    """Write the parse tables as JSON, after the digest of their origin. The write is atomic."""
    data, memo = build_grammar().memo_serialize([TerminalDef, Rule])
    del data["options"]["postlex"]
    parser = data["parser"]["parser"]
    parser["states"] = {state: coded(actions) for state, actions in parser["states"].items()}
    text = json.dumps({"data": data, "memo": memo}, separators=(",", ":"))
    replace(path, f"{origin()}\n{text}\n".encode())


def saved_tables(path: Path = TABLES) -> dict[str, object] | None:
    """Return the tables in a file, for `loaded`. Return None if they are missing or have another origin.

    Tables are trusted like code, so they are read only from the package's own folder, never from a cache. They are
    plain data, and reading them runs no code."""
    try:
        made_from, _, text = path.read_bytes().partition(b"\n")
        found: dict[str, Any] | None = json.loads(text) if made_from.decode() == origin() else None
    except (OSError, ValueError):
        return None
    if found is not None:
        found["memo"] = numbered(found["memo"])  # JSON keys are strings
        found["data"]["options"]["postlex"] = Indents()
    return found


def coded(actions: dict[int, tuple[int, Any]]) -> list[int]:
    """Return a row of Lark's tables in compact form: alternating terminals and actions.

    An even action is twice the state to shift to. An odd action, less 1, is twice the rule to reduce by."""
    return [part for token, (rule, to) in actions.items() for part in (token, 2 * to["@"] + 1 if rule else 2 * to)]


def numbered(found: dict[str, T]) -> dict[int, T]:
    return {int(key): value for key, value in found.items()}


class Made(dict[int, T]):
    """Lazy mapping by parser state, since most texts reach only a few states."""

    def __init__(self, make: Callable[[int], T]) -> None:
        self.make = make

    def __missing__(self, state: int) -> T:
        made = self[state] = self.make(state)
        return made


def loaded(found: dict[str, Any]) -> Lark:
    """Return the parser for saved tables."""
    data = found["data"]
    coded_states, names = data["parser"]["parser"]["states"], numbered(data["parser"]["parser"]["tokens"])
    data["parser"]["parser"]["states"] = {}
    parser: Any = Lark.load(found)
    rules = {each["@"]: rule for each, rule in zip(data["rules"], parser.rules, strict=True)}

    def row(state: int) -> dict[str, tuple[Action, object]]:
        codes = coded_states[str(state)]
        pairs = zip(codes[::2], codes[1::2], strict=True)
        return {names[token]: (Reduce, rules[to >> 1]) if to & 1 else (Shift, to >> 1) for token, to in pairs}

    @cache
    def lexer(accepted: frozenset[str]) -> BasicLexer:
        conf = copy(parser.lexer_conf)
        conf.terminals = [each for each in conf.terminals if each.name in accepted]
        return BasicLexer(conf)

    always = {*parser.lexer_conf.ignore, *parser.lexer_conf.postlex.always_accept}
    states = parser.parser.parser._parse_table.states = Made(row)
    parser.parser.lexer.lexer.lexers = Made(lambda state: lexer(frozenset(always.union(states[state]))))
    lark_parser: Lark = parser
    return lark_parser


@cache
def grammar() -> Lark:
    """Return the parser. If the saved tables are missing or outdated, it is built from the grammar."""
    tables = saved_tables()
    return build_grammar() if tables is None else loaded(tables)


# ---------------------------------------------------------------- syntax errors
@frozen
class Stop:
    """Position of a syntax error, as offsets in the text.

    `type` is the unexpected terminal, or `character` if there is no such terminal. `expected` has the valid terminals.
    """

    start: int
    end: int
    type: str
    expected: frozenset[str]

    @property
    def may_end(self) -> bool:
        """Flag: the statement was complete."""
        return "_NL" in self.expected

    @property
    def wants_block(self) -> bool:
        return "_INDENT" in self.expected and not self.may_end


READING = Lock()
"""Lock for threads: the parser's indentation state serves one text at a time."""


def read(text: str, rule: str) -> Tree[Token] | Stop:
    """Parse a text by a rule of the grammar. Return its tree, or the position of the error."""
    try:
        with READING:
            return grammar().parse(text, start=rule)
    except UnexpectedToken as error:
        return stop_at_token(error, text)
    except UnexpectedCharacters as error:
        start = error.pos_in_stream or 0
        return Stop(start, start + 1, "character", frozenset(error.allowed or ()))
    except DedentError:
        return Stop(len(text), len(text), "_DEDENT", frozenset())


def value_in(text: str) -> Tree[Token] | None:
    """Return the tree of a text that is a single value, or None."""
    found = read(text, "value")
    return None if isinstance(found, Stop) else found


def stop_at(text: str, rule: str) -> Stop | None:
    found = read(text, rule)
    return found if isinstance(found, Stop) else None


def stop_at_token(error: UnexpectedToken, text: str) -> Stop:
    token = error.token
    expected = frozenset(error.accepts or error.expected)
    if token.type == "$END":
        start = end = len(text)
    elif token.type in (Indents.INDENT_type, Indents.DEDENT_type):
        start = end = len(text) if token.end_pos is None else token.end_pos
    else:
        start = token.start_pos or 0
        end = start + len(token)
    return Stop(start, end, token.type, expected)


# ---------------------------------------------------------------- keywords
PHRASES = {
    "NAME": "a name",
    "CODE": "a code",
    "INT": "a number",
    "STRING": "text in quotes",
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
    """Return the keywords of the language. Verbs appear with and without their `s`."""
    words: set[str] = set()
    for terminal in grammar().terminals:
        if terminal.name in ("NAME", "CODE", "STRING", "COMMENT", "CARDS", "POSS", "_NL"):
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
    """Return the description of each terminal for messages."""
    found = dict(PHRASES)
    for terminal in grammar().terminals:
        if isinstance(terminal.pattern, PatternStr):
            found.setdefault(terminal.name, f"`{terminal.pattern.value}`")
    return found


def terminal(word: str) -> str:
    """Return the name of the terminal for a keyword or symbol, or an empty string."""
    return next((t.name for t in grammar().terminals if t.pattern.value == word), "")


def words_of(expected: frozenset[str]) -> str:
    """Return the expected terminals in words, or an empty string if there are too many."""
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
