"""Games with typical design mistakes: they run, but play wrong.

Only the marked line is reported, by static checks or by playtests (`# note: N502`)."""

import re
from pathlib import Path

import pytest

import cardlang
from cardlang.cli.commands.check import check_rank_samples
from cardlang.diagnostics import Diagnostic
from cardlang.lint.playtest.playtest_runner import run_game_and_variant_playtests

FILES = sorted((Path(__file__).parent / "design_mistakes").glob("*.cardgame"))
SAID = re.compile(r"# (?:error|warning|note): (\w+)$")


def expected(path: Path) -> list[tuple[int, str]]:
    lines = enumerate(path.read_text("utf-8").splitlines(), 1)
    return [(number, match[1]) for number, line in lines if (match := SAID.search(line))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_design_mistake_is_found_at_its_line(path: Path) -> None:
    said = expected(path)
    assert said
    game = cardlang.load(path)
    found: list[Diagnostic] = [*game.warnings, *check_rank_samples(game)]
    if any(code[0] in "NR" for _, code in said):
        found += run_game_and_variant_playtests([game]).collect_diagnostics()
    assert sorted((each.span.line, each.code) for each in found) == said


MENDED = [path for path in FILES if "# mended: " in path.read_text("utf-8")]


@pytest.mark.parametrize("path", MENDED, ids=lambda path: path.stem)
def test_fixed_mistake_gives_no_finding(path: Path) -> None:
    text = re.sub(r"^( *).*\n *# mended: (.*)\n", r"\1\2\n", path.read_text("utf-8"), flags=re.MULTILINE)
    game = cardlang.loads(text)
    found = [
        *game.warnings,
        *(run_game_and_variant_playtests([game]).collect_diagnostics() if "# note" in path.read_text("utf-8") else ()),
    ]
    assert not {each.code for each in found} & {code for _, code in expected(path)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(cardlang.shipped()))
def test_bundled_games_give_no_finding(name: str) -> None:
    game = cardlang.load(cardlang.shipped()[name])
    for each in (game, *(cardlang.load(cardlang.shipped()[name], variant.title) for variant in game.variants)):
        assert not each.warnings
        assert not check_rank_samples(each)
