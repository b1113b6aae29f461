"""LALR parse tables of the grammar: building, storage, and the position of a parse error."""

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

from cardlang.storage import replace_file

T = TypeVar("T")
GRAMMAR_PATH = Path(__file__).with_name("grammar.lark")
TABLES_PATH = Path(__file__).with_name("grammar.tables")
START_RULES = ["header", "item", "expr"]


class GrammarIndenter(Indenter):
    """Indentation tokens. Line breaks in brackets and after a comma don't count."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR"]  # noqa: RUF012
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 8

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        tokens: Iterator[Token] = super().process(drop_newlines_after_commas(stream))  # type: ignore[no-untyped-call]
        return tokens


def drop_newlines_after_commas(stream: Iterator[Token]) -> Iterator[Token]:
    comma = False
    for token in stream:
        if not (comma and token.type == "_NL"):
            comma = token.type == "COMMA"
            yield token


def compute_tables_digest() -> str:
    """Return a digest of the origin of the tables: the grammar, and the versions of Lark and Python."""
    made_by = f"lark {lark.__version__}, python {sys.version_info.major}.{sys.version_info.minor}\n"
    return hashlib.sha256(made_by.encode() + GRAMMAR_PATH.read_bytes()).hexdigest()


def build_parser_from_grammar() -> Lark:
    logging.getLogger("lark").setLevel(logging.ERROR)
    return Lark(
        GRAMMAR_PATH.read_text("utf-8"),
        parser="lalr",
        start=START_RULES,
        postlex=GrammarIndenter(),
        propagate_positions=True,
        maybe_placeholders=True,
    )


def save_tables(path: Path = TABLES_PATH) -> None:
    """Write the parse tables as JSON, after the digest of their origin. The write is atomic."""
    data, memo = build_parser_from_grammar().memo_serialize([TerminalDef, Rule])
    del data["options"]["postlex"]
    parser = data["parser"]["parser"]
    parser["states"] = {state: encode_parser_state(actions) for state, actions in parser["states"].items()}
    text = json.dumps({"data": data, "memo": memo}, separators=(",", ":"))
    replace_file(path, f"{compute_tables_digest()}\n{text}\n".encode())


def read_saved_tables(path: Path = TABLES_PATH) -> dict[str, object] | None:
    """Return the tables in a file, for `build_parser_from_tables`.

    Return None if they are missing or have another origin.

    Tables are trusted like code, so they are read only from the package's own folder, never from a cache. They are
    plain data, and reading them runs no code."""
    try:
        made_from, _, text = path.read_bytes().partition(b"\n")
        tables: dict[str, Any] | None = json.loads(text) if made_from.decode() == compute_tables_digest() else None
    except (OSError, ValueError):
        return None
    if tables is not None:
        tables["memo"] = convert_keys_to_int(tables["memo"])  # JSON keys are strings
        tables["data"]["options"]["postlex"] = GrammarIndenter()
    return tables


def encode_parser_state(actions: dict[int, tuple[int, Any]]) -> list[int]:
    """Return a row of Lark's tables in compact form: alternating terminals and actions.

    An even action is twice the state to shift to. An odd action, less 1, is twice the rule to reduce by."""
    return [part for token, (rule, to) in actions.items() for part in (token, 2 * to["@"] + 1 if rule else 2 * to)]


def convert_keys_to_int(mapping: dict[str, T]) -> dict[int, T]:
    return {int(key): value for key, value in mapping.items()}


class LazyStateMap(dict[int, T]):
    """Lazy mapping by parser state, since most texts reach only a few states."""

    def __init__(self, build_value: Callable[[int], T]) -> None:
        self.build_value = build_value

    def __missing__(self, state: int) -> T:
        value = self[state] = self.build_value(state)
        return value


def build_parser_from_tables(tables: dict[str, Any]) -> Lark:
    """Return the parser for saved tables."""
    data = tables["data"]
    coded_states, names = data["parser"]["parser"]["states"], convert_keys_to_int(data["parser"]["parser"]["tokens"])
    data["parser"]["parser"]["states"] = {}
    parser: Any = Lark.load(tables)
    rules = {rule_data["@"]: rule for rule_data, rule in zip(data["rules"], parser.rules, strict=True)}

    def decode_parser_state(state: int) -> dict[str, tuple[Action, object]]:
        codes = coded_states[str(state)]
        pairs = zip(codes[::2], codes[1::2], strict=True)
        return {names[token]: (Reduce, rules[to >> 1]) if to & 1 else (Shift, to >> 1) for token, to in pairs}

    @cache
    def build_lexer(accepted: frozenset[str]) -> BasicLexer:
        conf = copy(parser.lexer_conf)
        conf.terminals = [terminal for terminal in conf.terminals if terminal.name in accepted]
        return BasicLexer(conf)

    always = {*parser.lexer_conf.ignore, *parser.lexer_conf.postlex.always_accept}
    states = parser.parser.parser._parse_table.states = LazyStateMap(decode_parser_state)
    parser.parser.lexer.lexer.lexers = LazyStateMap(lambda state: build_lexer(frozenset(always.union(states[state]))))
    lark_parser: Lark = parser
    return lark_parser


@cache
def load_parser() -> Lark:
    """Return the parser. If the saved tables are missing or outdated, it is built from the grammar."""
    tables = read_saved_tables()
    return build_parser_from_grammar() if tables is None else build_parser_from_tables(tables)


# ---------------------------------------------------------------- syntax errors
@frozen
class ParseStop:
    """Position of a syntax error, as offsets in the text.

    `type` is the unexpected terminal, or `character` if there is no such terminal. `expected` has the valid terminals.
    """

    start: int
    end: int
    type: str
    expected: frozenset[str]

    @property
    def can_end_statement(self) -> bool:
        """Flag: the statement was complete."""
        return "_NL" in self.expected

    @property
    def expects_block(self) -> bool:
        return "_INDENT" in self.expected and not self.can_end_statement


PARSER_LOCK = Lock()
"""Lock for threads: the parser's indentation state serves one text at a time."""


def parse_text(text: str, rule: str) -> Tree[Token] | ParseStop:
    """Parse a text by a rule of the grammar. Return its tree, or the position of the error."""
    try:
        with PARSER_LOCK:
            return load_parser().parse(text, start=rule)
    except UnexpectedToken as error:
        return build_parse_stop(error, text)
    except UnexpectedCharacters as error:
        start = error.pos_in_stream or 0
        return ParseStop(start, start + 1, "character", frozenset(error.allowed or ()))
    except DedentError:
        return ParseStop(len(text), len(text), "_DEDENT", frozenset())


def parse_single_value(text: str) -> Tree[Token] | None:
    """Return the tree of a text that is a single value, or None."""
    result = parse_text(text, "expr")
    return None if isinstance(result, ParseStop) else result


def find_parse_stop(text: str, rule: str) -> ParseStop | None:
    result = parse_text(text, rule)
    return result if isinstance(result, ParseStop) else None


def build_parse_stop(error: UnexpectedToken, text: str) -> ParseStop:
    token = error.token
    expected = frozenset(error.accepts or error.expected)
    if token.type == "$END":
        start = end = len(text)
    elif token.type in (GrammarIndenter.INDENT_type, GrammarIndenter.DEDENT_type):
        start = end = len(text) if token.end_pos is None else token.end_pos
    else:
        start = token.start_pos or 0
        end = start + len(token)
    return ParseStop(start, end, token.type, expected)


# ---------------------------------------------------------------- keywords
TERMINAL_PHRASES = {
    "NAME": "a name",
    "CODE": "a code",
    "INT": "a number",
    "STRING": "text in quotes",
    "CARDS": "cards such as [9G 7A]",
    "VERB": "a verb such as `move`",
    "TRAIT": "`one`, `distinct` or `consecutive`",
    "AGG": "",
    "_NL": "the end of the line",
    "LPAR": "an opening bracket",
    "RPAR": "a closing bracket",
}
VALUE_TERMINALS = {"NAME", "YOUR", "LPAR", "CARDS"}
CONTINUATION_TERMINALS = {
    "OP",
    "PLUS",
    "MINUS",
    "STAR",
    "SLASH",
    "POSS",
    "AND",
    "OR",
    "WHERE",
    "IS",
    "RANKED",
    "BY",
    "BESIDE",
    "_NL",
}


@cache
def find_keywords() -> frozenset[str]:
    """Return the keywords of the language. Verbs appear with and without their `s`."""
    words: set[str] = set()
    for terminal in load_parser().terminals:
        if terminal.name in ("NAME", "CODE", "STRING", "COMMENT", "CARDS", "POSS", "_NL"):
            continue
        if isinstance(terminal.pattern, PatternStr):
            words.add(terminal.pattern.value)
        else:
            words.update(re.findall(r"[a-z]{2,}", re.sub(r"\(\?[=!][^)]*\)*", " ", terminal.pattern.value)))
    verbs = next(t.pattern.value for t in load_parser().terminals if t.name == "VERB")
    words.update(f"{verb}s" for verb in re.findall(r"[a-z]{2,}", verbs))
    return frozenset(word for word in words if word.isalpha()) | {"number", "flag", "player"}


@cache
def build_terminal_phrases() -> dict[str, str]:
    """Return the description of each terminal for messages."""
    phrases = dict(TERMINAL_PHRASES)
    for terminal in load_parser().terminals:
        if isinstance(terminal.pattern, PatternStr):
            phrases.setdefault(terminal.name, f"`{terminal.pattern.value}`")
    return phrases


def find_terminal_name(word: str) -> str:
    """Return the name of the terminal for a keyword or symbol, or an empty string."""
    return next((t.name for t in load_parser().terminals if t.pattern.value == word), "")


def describe_expected_terminals(expected: frozenset[str]) -> str:
    """Return the expected terminals in words, or an empty string if there are too many."""
    rest = expected
    phrases = []
    if expected >= VALUE_TERMINALS:
        phrases.append("a value")
        rest = frozenset()
    elif expected & {"OP", "PLUS"}:
        rest = expected - CONTINUATION_TERMINALS
    names = build_terminal_phrases()
    phrases.extend(names[name] for name in sorted(rest) if names.get(name))
    if not 0 < len(phrases) <= 4:
        return ""
    return phrases[0] if len(phrases) == 1 else ", ".join(phrases[:-1]) + " or " + phrases[-1]
