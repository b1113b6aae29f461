"""Language reference: its examples run, and it covers the whole grammar."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import attrs
import pytest

import cardlang
from cardlang.diagnostics import Source, source_limits
from cardlang.model.statements import MAX_MOVES
from cardlang.semantics.declaration_resolver import MAX_MEMBERS
from cardlang.semantics.display_resolver import MAX_GRID_COLUMNS
from cardlang.semantics.symbol_table import BUILTIN_ATTRIBUTES, LITERAL_VALUES
from cardlang.syntax import ast as n
from cardlang.syntax.card_spreadsheets import MAX_SPREADSHEET_BYTES
from cardlang.syntax.parser import parse_file
from cardlang.ui.web import client_message as web
from interpreter.match.match import MAX_DECISIONS
from interpreter.runtime.builtin_functions import MAX_ASKED, MAX_FRAMES, MAX_SUBSET_SIZE, MAX_SUBSETS, STEP_LIMIT
from tests.docs import libraries
from tests.docs.documents import ROOT, Block, blocks, change_game, failures, play_at_random

GLANCE = "docs/language.md"
PAGES = [GLANCE, *sorted(f"docs/language/{path.name}" for path in (ROOT / "docs" / "language").glob("*.md"))]
EXPLANATIONS = ROOT / "cardlang" / "diagnostics" / "explanations" / "syntax.md"
GRAMMAR = (ROOT / "cardlang" / "syntax" / "grammar.lark").read_text("utf-8")
BLOCKS = [block for page in PAGES for block in blocks(page) if block.language == "cardgame"]
(FRAME,) = blocks("docs/language/orchard.md")
LIBRARIES = {
    block.words[1].removesuffix(".cardgame"): block.text
    for page in PAGES
    for block in blocks(page)
    if block.words[:1] == ("file",)
}
GAMES = [block for block in BLOCKS if block.words[:1] != ("file",)]


@pytest.mark.parametrize("block", GAMES, ids=lambda block: f"{Path(block.document).stem}:{block.line}")
def test_each_example_is_a_game_that_checks_and_plays(block: Block) -> None:
    text = change_game(FRAME.text, block)
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
    "size of a file": (source_limits.MAX_BYTES // 1024, source_limits.MAX_TOKENS),
    "size of a spreadsheet of cards, or of a translation": (MAX_SPREADSHEET_BYTES >> 20,),
    "nesting of values, of blocks, and of `otherwise if`": (source_limits.MAX_NESTING,),
    "length of text in quotes; of a name": (source_limits.MAX_TEXT, source_limits.MAX_NAME),
    "players": (1, source_limits.MAX_PLAYERS),
    "cards": (source_limits.MAX_CARDS,),
    "values of a kind": (MAX_MEMBERS,),
    "zones, numbers and other values, counted for each player, card and value of a kind": (
        source_limits.MAX_STATE_SLOTS,
    ),
    "choices in the rules; options in a choice; reactions": (
        source_limits.MAX_CHOICES,
        source_limits.MAX_OPTIONS,
        source_limits.MAX_REACTIONS,
    ),
    "variants": (source_limits.MAX_VARIANTS,),
    "columns of a grid": (MAX_GRID_COLUMNS,),
    "digits of a number": (len(str(source_limits.MAX_NUMBER)) - 1,),
    "`every`: cards in a combination; combinations": (MAX_SUBSET_SIZE, MAX_SUBSETS),
    "legal moves in a decision": (MAX_MOVES,),
    "steps between two decisions": (STEP_LIMIT,),
    "decisions in a match": (MAX_DECISIONS,),
    "nesting of reactions to reactions, and of cards that run each other's steps": (MAX_FRAMES,),
    "times that players are asked to respond to one announcement": (MAX_ASKED,),
    "tables": (web.MAX_TABLES,),
    "connections per link; in total": (web.MAX_CONNECTIONS_PER_LINK, web.MAX_CONNECTIONS),
    "size of a message": (web.MAX_MESSAGE_BYTES // 1024,),
    "messages from one connection": (web.MESSAGES_PER_SECOND, web.BURST_MESSAGES),
    "reports of a player in a match; length of a note": (web.MAX_REPORTS, web.MAX_REPORT_LENGTH),
}


@pytest.mark.parametrize("what", LIMITS)
def test_limits_page_matches_the_code(what: str) -> None:
    page = (ROOT / "docs" / "limits.md").read_text("utf-8")
    (row,) = re.findall(rf"^\| {re.escape(what)} \| ([^|]*) \|$", page, re.MULTILINE)
    assert [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", row)] == [*LIMITS[what]]


def test_explanation_matches_the_size_limit() -> None:
    (told,) = re.findall(r"at most (\d+) KiB and ([\d,]+) words", EXPLANATIONS.read_text("utf-8"))
    assert (int(told[0]) * 1024, told[1]) == (source_limits.MAX_BYTES, f"{source_limits.MAX_TOKENS:,}")


# ---------------------------------------------------------------- the page at a glance
CELLS = re.findall(r"^\| .*\| (`.*`) \|$", (ROOT / GLANCE).read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("line", [line for cell in CELLS for line in re.findall(r"`([^`]+)`", cell)])
def test_glance_page_lines_parse(line: str) -> None:
    frames = ("{}", "step play\n  {}", "define answer as {}")
    files = [parse_file(Source("line", frame.format(line) + "\n")) for frame in frames]
    assert any(not found for _, found in files)


# ---------------------------------------------------------------- nothing is left out
def test_library_table_is_up_to_date() -> None:
    page = libraries.PAGE.read_text("utf-8")
    assert page.splitlines() == libraries.update_table(page).splitlines(), "write it with: python -m tests.docs"
    assert all(f"| `{path.stem}` |" in page for path in libraries.LIBRARY.glob("*.cardgame"))


def test_every_construct_occurs_in_an_example() -> None:
    classes = {class_ for class_ in vars(n).values() if isinstance(class_, type) and issubclass(class_, n.Node)}
    concrete = {class_ for class_ in classes if not any(c is not class_ and issubclass(c, class_) for c in classes)}
    assert concrete - collect_shown_nodes() == set()


@cache
def collect_shown_nodes() -> set[type[n.Node]]:
    """Return the node classes in the examples."""
    return {type(node) for block in BLOCKS for node in walk(parse_file(Source("block", block.text))[0])}


def walk(node: object) -> Iterator[n.Node]:
    if isinstance(node, n.Node):
        yield node
        for field in attrs.fields(type(node)):
            yield from walk(getattr(node, field.name))
    elif isinstance(node, tuple):
        for part in node:
            yield from walk(part)


def test_every_built_in_name_is_in_the_table() -> None:
    known = {*LITERAL_VALUES, *(name for names in BUILTIN_ATTRIBUTES.values() for name in names)}
    assert known <= collect_table_words("## Names with a meaning")


def collect_table_words(heading: str) -> set[str]:
    """Return the words of a table whose rows link to a section."""
    section = (ROOT / "docs" / "language" / "keywords.md").read_text("utf-8").split(heading)[1].split("\n#")[0]
    rows = re.findall(r"^\| (.+?) \| \[.*?\]\(.+?#.+?\) \|$", section, re.MULTILINE)
    return {word for words in rows for word in re.findall(r"`(.+?)`", words)}


def collect_grammar_words() -> set[str]:
    """Return the quoted words of the grammar, and those of terminals that are not names."""
    rules = re.sub(r"//.*", "", GRAMMAR)
    words = set(re.findall(r'"([a-z]+)"', rules))
    for pattern in re.findall(r"^[A-Z_]+[.\d]*: +/(.+)/$", rules, re.MULTILINE):
        spelt = re.sub(r"\(\?[!=].*|\\.|\[.*?\]|s\?", " ", pattern)
        words |= set(re.findall(r"[a-z]{2,}", spelt))
    return words


if __name__ == "__main__":
    print(" ".join(sorted(collect_grammar_words())))
