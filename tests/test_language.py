"""Game files with expected findings on their lines: `# error: E103`, `# warning: W401`."""

import re
from pathlib import Path

import pytest

import cardlang
from cardlang.diagnostics import Diagnostic
from cardlang.diagnostics.render import render_diagnostics
from tests.errors import find_codes, find_diagnostics

HERE = Path(__file__).parent
FILES = sorted((HERE / "language").glob("*.cardgame"))
EXPECTED = re.compile(r"# (?:error|warning): (.+)$")


def findings(path: Path) -> list[Diagnostic]:
    return find_diagnostics(path.read_text("utf-8"), path.name)


def expected(path: Path) -> list[tuple[int, str]]:
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        match = EXPECTED.search(line)
        found += [(number, code) for code in match[1].split(", ")] if match else []
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_mistake_gives_exactly_its_finding(path: Path) -> None:
    assert sorted((d.span.line, d.code) for d in findings(path)) == sorted(expected(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_messages_equal_their_snapshots(path: Path) -> None:
    """After a change: look at the new messages, then write them with `python tests/test_language.py`."""
    assert snapshot(path) == snapshot_file(path).read_text("utf-8")


CARDS_AND_TITLE = [
    ('game "Tall Tales" for 3 to 4 players', 'game "Tall Tales" for 3-4 players', "E114"),
    ('game "Tall Tales" for 3 to 4 players', "game Tall Tales for 3 to 4 players", "E116"),
    ("1 of each Value, Suit", "1 of each Value and Suit", "E114"),
    ("1 of each Value, Suit", "1 of each Value, Colour", "E203"),
    ("1 of each Value, Suit", "0.5 of each Value, Suit", "E116"),
    ("kind Suit: Gun (G), Axe (A)", "kind Suit: Gun G, Axe (A)", "E103"),
]


@pytest.mark.parametrize(("right", "wrong", "code"), CARDS_AND_TITLE)
def test_fundamental_mistake_is_reported_once(right: str, wrong: str, code: str) -> None:
    text = cardlang.shipped()["tall_tales"].read_text("utf-8")
    assert right in text
    assert find_codes(text.replace(right, wrong)) == [code]


def snapshot(path: Path) -> str:
    return render_diagnostics(findings(path))


def snapshot_file(path: Path) -> Path:
    return HERE / "snapshots" / f"{path.stem}.txt"


if __name__ == "__main__":
    for each in FILES:
        snapshot_file(each).write_text(snapshot(each), "utf-8")
