"""Parser: text to nodes, and recovery from mistakes."""

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardlang
from cardlang.diagnostics import Diagnostic, Source
from cardlang.diagnostics.source_limits import MAX_ERRORS, TOKEN_PATTERN
from cardlang.syntax import ast as n
from cardlang.syntax.parser import iter_tokens, parse_file

ROOT = Path(cardlang.__file__).parents[1]
GAMES = sorted([*(ROOT / "games").rglob("*.cardgame"), *(ROOT / "cardlang" / "library").glob("*.cardgame")])
TEXTS = [path.read_text("utf-8") for path in GAMES]
NOISE = ["", " ", "\n", "\n  ", "(", ")", "[", '"', "“", ":", "=", "to", "of", "each", "otherwise", "é", "\t", "x", "0"]


def parse(text: str) -> tuple[n.File, list[Diagnostic]]:
    return parse_file(Source("a.cardgame", text))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_bundled_games_parse_without_errors(path: Path) -> None:
    file, found = parse(path.read_text("utf-8"))
    assert found == []
    assert file.broken == frozenset()
    assert file.header is not None


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_name_spans_are_exact(path: Path) -> None:
    file, _ = parse(path.read_text("utf-8"))
    for item in file.items:
        name = getattr(item, "name", None)
        if isinstance(name, n.Name):
            assert name.span.text == name.text


def test_spans_after_a_repair_are_exact() -> None:
    file, found = parse("zoen deck seen by nobody\nstpe setup\n  shufle deck\n  shuffle table\n")
    assert [d.code for d in found] == ["E102"] * 3
    zone, step = file.items
    assert isinstance(zone, n.Zone)
    assert isinstance(step, n.Step)
    assert zone.name.span.text == "deck"
    assert step.body is not None
    assert [statement.span.text for statement in step.body] == ["shufle deck", "shuffle table"]


def test_unreadable_statement_spares_others() -> None:
    file, found = parse("step a\n  shuffle deck\n  move deck to\n    more ?\n  cancel\nzone deck\n")
    assert [(d.code, d.span.line) for d in found] == [("E105", 3)]
    step, zone = file.items
    assert isinstance(step, n.Step)
    assert step.body is not None
    assert [type(statement) for statement in step.body] == [n.Shuffle, n.Cancel]
    assert isinstance(zone, n.Zone)
    assert {"more", "deck"} <= file.broken


def test_names_of_skipped_lines_are_known() -> None:
    assert parse("zone pile seen by ?\n")[0].broken >= {"pile"}
    assert parse("kind Suit: Red ? Blue\n")[0].broken >= {"Suit", "suit", "Red", "Blue"}


def test_emptied_block_is_not_an_error() -> None:
    file, found = parse("step a\n  if deck is empty\n    move deck to\n  otherwise\n    cancel\n")
    assert [d.code for d in found] == ["E105"]
    assert len(file.items) == 1


def test_broken_header_is_reported_once() -> None:
    file, found = parse('game "A" for many players\nzone deck\n')
    assert [d.code for d in found] == ["E101"]
    assert "game" in file.broken
    assert len(file.items) == 1


@pytest.mark.parametrize("text", ["", "\n\n", "# only words", "   ", "\t\n", "\r\n"])
def test_empty_file_has_no_items(text: str) -> None:
    file, found = parse(text)
    assert (file.header, file.items, file.broken, found) == (None, (), frozenset(), [])


def test_windows_line_ends_are_accepted() -> None:
    text = TEXTS[0]
    assert parse(text.replace("\n", "\r\n"))[1] == []


def test_tokens_have_file_positions() -> None:
    source = Source("a", "zone deck\n\nstep a  # words\n  shuffle deck\nbroken ( line\nzone table\n")
    found = [(token.type, str(token), token.start_pos) for token in iter_tokens(source)]
    assert ("NAME", "deck", 5) in found
    assert ("NAME", "table", source.text.index("table")) in found


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.data())
def test_damaged_files_give_findings_only(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 4))):
        places = [match.span() for match in TOKEN_PATTERN.finditer(text)]
        start, end = data.draw(st.sampled_from(places))
        text = text[:start] + data.draw(st.sampled_from(NOISE)) + text[end if data.draw(st.booleans()) else start :]
    file, found = parse(text)
    assert len(found) <= MAX_ERRORS
    assert all(0 <= d.span.start <= d.span.end <= len(text) for d in found)
    assert all(re.fullmatch(r"E1\d\d", d.code) and "_NL" not in d.message for d in found)
    assert all(0 <= item.span.start < item.span.end <= len(text) for item in file.items)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_arbitrary_text_is_parsed_or_rejected(text: str) -> None:
    parse(text)
    parse(f"step a\n  {text}\n")
