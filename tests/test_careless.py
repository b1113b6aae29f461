"""Games as a careless designer writes them: each plays, and plays wrong. The line at fault says what is found there, by
reading it or by playing it (`# note: N502`); nothing else is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlang
from cardlang.commands.check import samples
from cardlang.commands.trial import try_all
from cardlang.source import Diagnostic

FILES = sorted((Path(__file__).parent / "careless").glob("*.cardgame"))
SAID = re.compile(r"# (?:error|warning|note): (\w+)$")


def expected(path: Path) -> list[tuple[int, str]]:
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    return [(number, match[1]) for number, line in lines if (match := SAID.search(line))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_plays_wrong_is_found_at_its_line(path: Path) -> None:
    said = expected(path)
    assert said
    game = cardlang.load(path)
    found: list[Diagnostic] = [*game.warnings, *samples(game)]
    if any(code.startswith("N") for _, code in said):
        found += try_all([game]).findings()
    assert sorted((each.span.line, each.code) for each in found) == said


@pytest.mark.parametrize("name", sorted(cardlang.shipped()))
def test_no_false_alarm_in_a_shipped_game(name: str) -> None:
    game = cardlang.load(cardlang.shipped()[name])
    for each in (game, *(cardlang.load(cardlang.shipped()[name], variant.title) for variant in game.variants)):
        assert not each.warnings
        assert not samples(each)
