"""The language reference: its examples run, and nothing in the grammar is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs
import pytest

import cardlang
from cardlang import limits
from cardlang import nodes as n
from cardlang.reading.parser import parse_file
from cardlang.resolve.attributes import BUILTINS
from cardlang.resolve.names import FIXED
from cardlang.resolve.things import MEMBERS
from cardlang.source import Source
from interpreter.helpers import MAX_SUBSETS
from interpreter.matches.match import MAX_DECISIONS
from interpreter.runtime import FUEL
from tests.docs import libraries
from tests.docs.documents import ROOT, Block, anchors, blocks, changed, failures, play_at_random

REFERENCE = "docs/language.md"
EXPLANATIONS = ROOT / "cardlang" / "explanations" / "syntax.md"
GRAMMAR = (ROOT / "cardlang" / "reading" / "grammar.lark").read_text("utf-8")
BLOCKS = [block for block in blocks(REFERENCE) if block.language == "cardgame"]
FRAME = BLOCKS[0]
LIBRARIES = {Path(block.words[1]).stem: block.text for block in BLOCKS if block.words[:1] == ("file",)}
GAMES = [block for block in BLOCKS if block.words[:1] != ("file",)]


@pytest.mark.parametrize("block", GAMES, ids=lambda block: str(block.line))
def test_each_example_is_a_game_that_checks_and_plays(block: Block) -> None:
    text = changed(FRAME.text, block)
    game = cardlang.loads(text, libraries=LIBRARIES)
    for each in [
        game,
        *(cardlang.loads(text, variant=variant.title, libraries=LIBRARIES) for variant in game.variants),
    ]:
        assert not failures(each)
        for seed in (1, 2):
            play_at_random(each, seed)


# ---------------------------------------------------------------- what is promised is so
LIMITS = {
    "size of a file": (limits.MAX_BYTES // 1024, limits.MAX_TOKENS),
    "parts within parts": (limits.MAX_NESTING,),
    "a text, a name": (limits.MAX_TEXT, limits.MAX_NAME),
    "cards": (limits.MAX_CARDS,),
    "members of a kind": (MEMBERS,),
    "zones, numbers and others that are kept": (limits.MAX_KEPT,),
    "choices in the rules, options in a choice, reactions": (
        limits.MAX_CHOICES,
        limits.MAX_OPTIONS,
        limits.MAX_REACTIONS,
    ),
    "variants": (limits.MAX_VARIANTS,),
    "numbers": (len(str(limits.MAX_NUMBER)) - 1,),
    "steps between two decisions": (FUEL,),
    "decisions in a match": (MAX_DECISIONS,),
    "cards in `subsets of`": (MAX_SUBSETS,),
}


@pytest.mark.parametrize("what", LIMITS)
def test_the_limits_are_those_of_the_programs(what: str) -> None:
    page = (ROOT / REFERENCE).read_text("utf-8")
    (row,) = re.findall(rf"^\| {re.escape(what)}(?:: [^|]*)? \| ([^|]*) \|$", page, re.MULTILINE)
    assert [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", row)] == [*LIMITS[what]]


def test_the_page_of_the_message_tells_the_same_size() -> None:
    (told,) = re.findall(r"at most (\d+) KiB and ([\d,]+) words", EXPLANATIONS.read_text("utf-8"))
    assert (int(told[0]) * 1024, told[1]) == (limits.MAX_BYTES, f"{limits.MAX_TOKENS:,}")


# ---------------------------------------------------------------- nothing is left out
def test_the_table_of_libraries_is_of_today() -> None:
    page = libraries.PAGE.read_text("utf-8")
    assert page.splitlines() == libraries.with_table(page).splitlines(), "write it with: python -m tests.docs"
    assert all(f"| `{path.stem}` |" in page for path in libraries.LIBRARY.glob("*.cardgame"))


def test_every_construct_occurs_in_an_example() -> None:
    classes = {class_ for class_ in vars(n).values() if isinstance(class_, type) and issubclass(class_, n.Node)}
    concrete = {class_ for class_ in classes if not any(c is not class_ and issubclass(c, class_) for c in classes)}
    assert concrete - shown_nodes() == set()


@cache
def shown_nodes() -> set[type[n.Node]]:
    """The classes of nodes in the examples."""
    return {type(node) for block in BLOCKS for node in walk(parse_file(Source("block", block.text))[0])}


def walk(node: object) -> Iterator[n.Node]:
    if isinstance(node, n.Node):
        yield node
        for field in attrs.fields(type(node)):
            yield from walk(getattr(node, field.name))
    elif isinstance(node, tuple):
        for part in node:
            yield from walk(part)


def test_every_word_of_the_language_is_in_the_table_and_leads_to_a_heading() -> None:
    table = words_in_table("### Words of the grammar")
    assert set(table) == words_of_grammar()
    assert set(table.values()) <= set(anchors(REFERENCE))


def test_every_name_that_the_language_knows_is_in_the_table() -> None:
    table = words_in_table("### Names with a meaning")
    known = {*FIXED, *(name for names in BUILTINS.values() for name in names)}
    assert known <= set(table)
    assert set(table.values()) <= set(anchors(REFERENCE))


def words_in_table(heading: str) -> dict[str, str]:
    """The words of a table, and where their link leads."""
    section = (ROOT / REFERENCE).read_text("utf-8").split(heading)[1].split("\n#")[0]
    rows = re.findall(r"^\| (.+?) \| \[.*?\]\(#(.+?)\) \|$", section, re.MULTILINE)
    return {word: anchor for words, anchor in rows for word in re.findall(r"`(.+?)`", words)}


def words_of_grammar() -> set[str]:
    """What stands in quotes in a rule, and the words of the terminals that are not names."""
    rules = re.sub(r"//.*", "", GRAMMAR)
    words = set(re.findall(r'"([a-z]+)"', rules))
    for pattern in re.findall(r"^[A-Z_]+[.\d]*: +/(.+)/$", rules, re.MULTILINE):
        spelt = re.sub(r"\(\?[!=].*|\\.|\[.*?\]|s\?", " ", pattern)
        words |= set(re.findall(r"[a-z]{2,}", spelt))
    return words


if __name__ == "__main__":
    print(" ".join(sorted(words_of_grammar())))
