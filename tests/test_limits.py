"""Limits on files: each is refused quickly, with one clear finding at its place."""

import time
import tracemalloc
from pathlib import Path

import pytest

from cardlang.diagnostics import GameError, Source
from cardlang.diagnostics.render import render_diagnostics
from cardlang.diagnostics.source_limits import (
    MAX_BYTES,
    MAX_CARDS,
    MAX_ERRORS,
    MAX_NESTING,
    MAX_SIMILAR_ERRORS_PER_LINE,
    read_source,
)
from cardlang.syntax.parser import parse_file
from tests.errors import find_errors
from tests.game_files import EXAMPLE_DECLARATIONS, EXAMPLE_PLAY_STEP

GAME = EXAMPLE_DECLARATIONS + EXAMPLE_PLAY_STEP
LAST = GAME.count("\n") + 1


def blocks(depth: int) -> str:
    lines = ("  " * (level + 1) + "if deck is empty\n" for level in range(depth))
    return "step a\n" + "".join(lines) + "  " * (depth + 1) + "shuffle deck\n"


HOSTILE = {
    "sixty thousand terms": (GAME + "define a as " + "1 + " * 60_000 + "1\n", "E122", LAST),
    "brackets": (GAME + "define a as " + "(" * 1000 + "1" + ")" * 1000 + "\n", "E122", LAST),
    "not not": (GAME + "define a as " + "not " * 1000 + "yes\n", "E122", LAST),
    "minus minus": (GAME + "define a as " + "- " * 150 + "1\n", "E122", LAST),
    "owner of owner": (GAME + "define a as leader" + "'s left" * 150 + "\n", "E122", LAST),
    "blocks": (GAME + blocks(1000 // 2), "E122", LAST + 101),
    "a chain of definitions": (
        GAME + "".join(f"define a{i} as a{i + 1} + 1\n" for i in range(300)) + "define a300 as 1\n",
        "E122",
        None,
    ),
    "a chain of steps": (
        GAME + "".join(f"step a{i}\n  do a{i + 1}\n" for i in range(300)) + "step a300\n  shuffle deck\n",
        "E122",
        None,
    ),
    "a large file": (GAME + "# words\n" * (MAX_BYTES // 7), "E121", None),
    "many words": (GAME + "define a as yes\n" * 15_000, "E121", None),
    "a long text": (GAME + '"' + "a" * 20_000 + '"\n', "E123", LAST),
    "a long name": (GAME + "zone " + "a" * 200_000 + "\n", "E123", LAST),
    "a large number": (GAME + "define a as 99999999999999999999\n", "E124", LAST),
    "a googol": (GAME + "define a as " + " * ".join(["9999999999"] * 11) + "\n", "E124", LAST),
    "no text": (GAME + "zone \0\n", "E120", LAST),
    "ten million cards": (
        EXAMPLE_DECLARATIONS.replace("1 of each", "10000000 of each") + EXAMPLE_PLAY_STEP,
        "E239",
        None,
    ),
    "a large product": (
        GAME + "kind A: 1 to 900\ncards X (x) in deck\n  10000 of each A, Suit\n",
        "E239",
        None,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_limit_gives_one_finding_at_its_place(name: str) -> None:
    text, code, line = HOSTILE[name]
    found = find_errors(text)
    assert [d.code for d in found] == [code]
    assert line is None or found[0].span.line == line


def test_files_within_limits_are_accepted() -> None:
    assert find_errors(GAME + "define a as " + "(" * 99 + "1" + ")" * 99 + " + 1" * 90 + "\n") == []
    assert find_errors(GAME + blocks(MAX_NESTING - 2)) == []
    assert (
        find_errors(EXAMPLE_DECLARATIONS.replace("1 of each", f"{MAX_CARDS // 18} of each") + EXAMPLE_PLAY_STEP) == []
    )


def test_errors_are_capped() -> None:
    found = parse_file(Source("a", GAME + "zone deck hand\n" * 1000))[1]
    assert len(found) == MAX_ERRORS


@pytest.mark.slow
def test_hostile_files_take_little_memory() -> None:
    find_errors(GAME)
    tracemalloc.start()
    try:
        for text, _, _ in HOSTILE.values():
            find_errors(text)
        assert tracemalloc.get_traced_memory()[1] < 128 * 2**20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"game \xff", 1, 6),
        (b'game "x" for 2 players\nzone \xc3(', 2, 6),
        ("zone é ".encode() + b"\x80", 1, 8),
        ("\ufeffzone ".encode() + b"\x80", 1, 6),
    ],
)
def test_invalid_utf8_is_rejected_at_its_byte(tmp_path: Path, data: bytes, line: int, column: int) -> None:
    path = tmp_path / "a.cardgame"
    path.write_bytes(data)
    with pytest.raises(GameError) as caught:
        read_source(path)
    (found,) = caught.value.diagnostics
    assert (found.code, found.span.line, found.span.column) == ("E120", line, column)


def test_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "a.cardgame"
    path.write_bytes(b"\xef\xbb\xbf" + GAME.encode())
    assert read_source(path).text == GAME


def test_oversized_file_cut_in_a_character_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "a.cardgame"
    path.write_bytes(b"# " + "é".encode() * MAX_BYTES)
    found = parse_file(read_source(path))[1]
    assert [d.code for d in found] == ["E121"]


def test_refusal_is_quick() -> None:
    """Not a benchmark: far from the two seconds that are promised, on any machine that runs tests."""
    started = time.process_time()
    find_errors(HOSTILE["sixty thousand terms"][0])
    assert time.process_time() - started < 10


MANY = {
    "unknown cards": ("define a as [" + " ".join(f"z{i}" for i in range(9000)) + "]\n", "E208", 9000),
    "unknown names": ("define a as (" + ", ".join(f"z{i}" for i in range(4000)) + ")\n", "E201", 4000),
    "names declared twice": ("zone hand\n" * 8000, "E210", 8000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_repeated_findings_are_counted(name: str) -> None:
    text, code, number = MANY[name]
    found = [each for each in find_errors(GAME + text) if each.code == code]
    assert len(found) <= MAX_ERRORS
    assert sum(1 + each.more for each in found) == number
    assert f"and {number - len(found):,} more like this" in render_diagnostics(found)


def test_findings_are_capped_for_each_line() -> None:
    lines = "".join(f"define a{i} as (" + ", ".join(f"z{i}{j}" for j in range(9)) + ")\n" for i in range(4))
    found = find_errors(GAME + lines)
    assert [each.span.line for each in found] == [
        LAST + line for line in range(4) for _ in range(MAX_SIMILAR_ERRORS_PER_LINE)
    ]
    assert [each.more for each in found] == [0, 0, 6] * 4


def test_indented_first_line_is_reported() -> None:
    found = find_errors("    zone a\n  zone b\n")
    assert ("E111", 2) in [(each.code, each.span.line) for each in found]
