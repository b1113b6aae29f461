"""README, formats and links of all documents."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cli.main import cli
from tests.docs.documents import FENCE, ROOT, anchors, blocks, failures, play_at_random

DOCUMENTS = sorted(
    path.relative_to(ROOT)
    for pattern in ("*.md", "docs/*.md", "docs/commands/*.md", "docs/language/*.md")
    for path in ROOT.glob(pattern)
)
README = (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=str)
def test_links_are_valid(document: Path) -> None:
    text = FENCE.sub("", (ROOT / document).read_text("utf-8"))
    for link in re.findall(r"\]\(([^)]+)\)", text):
        target, _, anchor = link.partition("#")
        if target.startswith("https:"):
            continue
        path = (ROOT / document).parent / target if target else ROOT / document
        assert path.exists(), link
        assert not anchor or anchor in anchors(str(path.resolve().relative_to(ROOT))), link


def test_readme_is_short() -> None:
    game = "\n".join(block.text for block in blocks("README.md") if block.language == "cardgame")
    assert len(README.replace(game, "").split()) <= 500


def test_readme_game_equals_its_file_and_plays() -> None:
    (shown,) = [block.text for block in blocks("README.md") if block.language == "cardgame"]
    assert shown == (ROOT / "docs" / "examples" / "raven.cardgame").read_text("utf-8")
    game = cardlang.loads(shown)
    assert game.examples and not failures(game) and not game.warnings
    play_at_random(game, 1)


def test_python_page_examples_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    lines = "".join(block.text for block in blocks("docs/python.md") if block.language == "python")
    exec(compile(lines, "docs/python.md", "exec"), {})
    printed = iter(capsys.readouterr().out.splitlines())
    promised = re.findall(r"^ *print\(.*\)  # (.*)", lines, re.MULTILINE)
    assert len(promised) == 8 and all(line in printed for line in promised)


def test_tables_page_examples_run() -> None:
    (lines,) = [block.text for block in blocks("docs/tables.md") if block.language == "python"]
    exec(compile(lines, "docs/tables.md", "exec"), {})


@pytest.mark.slow
def test_json_matches_the_formats_page(tmp_path: Path) -> None:
    bad = tmp_path / "a.cardgame"
    bad.write_text('game "A" for 2 players\nzone hand\nnumber your score\nstep play\n  move hnad to hand\n', "utf-8")
    told = [json.loads(block.text) for block in blocks("docs/formats.md") if block.language == "json"]
    findings, changes, tally, odds, solution, differences = told
    runner = CliRunner()
    assert describe_shape(
        json.loads(runner.invoke(cli, ["check", "--format", "json", str(bad)]).stdout)
    ) == describe_shape(findings)
    tried = runner.invoke(cli, ["test", "--mutate", "kuhn_poker", "--json"])
    assert describe_shape(json.loads(tried.stdout)) == describe_shape(changes)
    played = runner.invoke(cli, ["simulate", "kuhn_poker", "--games", "10", "--json"])
    assert describe_shape(json.loads(played.stdout)) == describe_shape(tally)
    assert json.loads(played.stdout)["players"][0]["games"] == tally["players"][0]["games"]
    counted = runner.invoke(cli, ["odds", "cribbage", "flush", "--cards", "hand 4, starter 1", "--json"])
    assert json.loads(counted.stdout) == odds
    solved = runner.invoke(cli, ["solve", "kuhn_poker", "--json"])
    assert describe_shape(json.loads(solved.stdout)) == describe_shape(solution)
    compared = runner.invoke(cli, ["diff", "tall_card", "--variant", "Short game", "--json"])
    assert json.loads(compared.stdout) == differences


def describe_shape(data: Any) -> Any:
    """Return the keys of JSON with the types of their values."""
    if isinstance(data, dict):
        return {key: describe_shape(value) for key, value in data.items()}
    if isinstance(data, list):
        return [describe_shape(value) for value in data[:1]]
    return type(data).__name__
