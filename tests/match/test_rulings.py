"""Rulings: examples that explain themselves."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cli.main import cli
from cardlang.rulebook.model import QuestionBlock, Section, WorkedExample
from cardlang.rulebook.render import build_rulebook
from tests.game_files import read_game

LIBRARY = """library "Half"
step pause
  ruling "May I rest?"
    "No."
    example "Of the library" with Ann, Bob
      expect 1 = 2
"""
GAME = read_game("orchard_rulings")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    (tmp_path / "half.cardgame").write_text(LIBRARY)
    (tmp_path / "orchard.cardgame").write_text(GAME)
    return tmp_path / "orchard.cardgame"


def test_ruling_examples_belong_to_game_or_variant(path: Path) -> None:
    game = cardlang.load(path)
    asked = {example.title: example.ruling.question for example in game.examples if example.ruling}
    assert asked == {"All": "Which cards?", "One point": "What does a turn give?"}
    assert [example.title for example in game.variants[0].game.examples] == ["Two points"]
    assert all(example.run().passed for each in (game, game.variants[0].game) for example in each.examples)
    again = cardlang.from_json(game.json())
    assert again == game
    assert [example.ruling and example.ruling.answer for example in again.examples] == [("A point.",), ("Eight.",)]


def test_passing_ruling_gives_no_warning(path: Path) -> None:
    found = CliRunner().invoke(cli, ["check", str(path)])
    assert "W417" not in found.output
    assert found.exit_code == 0


@pytest.mark.parametrize(("old", "line"), [("  add 1 to your score", 19), ("  add 2 to your score", 27)])
def test_failing_example_asks_for_a_review_of_its_ruling(path: Path, old: str, line: int) -> None:
    path.write_text(GAME.replace(old, "  add 3 to your score"))
    found = CliRunner().invoke(cli, ["check", "--format", "concise", str(path)])
    said = "warning[W417]: The ruling “What does a turn give?” needs review"
    told = next(text for text in found.output.splitlines() if "W417" in text)
    assert said in told
    assert f"orchard.cardgame:{line}:" in told
    assert found.exit_code == 0
    tested = CliRunner().invoke(cli, ["test", str(path)])
    assert tested.output.count("The ruling “What does a turn give?” needs review.") == 1
    assert tested.exit_code == 1


def blocks(section: Section) -> list[object]:
    return [*section.blocks, *(block for part in section.sections for block in blocks(part))]


def test_rulebook_prints_each_ruling_example_once(path: Path) -> None:
    found = [block for part in build_rulebook(cardlang.load(path), examples="all").sections for block in blocks(part)]
    titles = [block.title for block in found if isinstance(block, WorkedExample)]
    assert sorted(titles) == ["All", "One point", "Two points"]
    assert QuestionBlock("Which cards?", "Eight.") in found
