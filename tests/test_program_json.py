"""Compiled programs as JSON: complete and reproducible."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cli.main import cli
from interpreter.program.program import Program
from interpreter.program.program_export import program_to_json

KINDS = {
    "number", "flag", "card", "seat", "member", "text", "reading", "probe", "list", "key", "pair", "answers", "nothing",
}  # fmt: skip


def parts(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from parts(each)
    elif isinstance(value, list):
        for each in value:
            yield from parts(each)


@pytest.mark.slow
@pytest.mark.parametrize("name", cardlang.shipped())
def test_program_json_is_complete(name: str) -> None:
    game = cardlang.load(name)
    found = json.loads(program_to_json(Program(game, game.seats[0], False)))
    functions = {each["name"] for each in found["functions"]}
    routines = {frame["routine"] for frame in found["frames"]}
    blocks = {block["number"] for block in found["blocks"]}
    tracks = len(found["layout"]["tracks"]) + found["layout"]["whenevers"]
    for part in parts([found["functions"], found["blocks"]]):
        match part.get("is"):
            case "Calling" | "Do":
                assert part["function"] in functions
            case "Goto" | "Stop":
                assert part["block"] in blocks
            case "Enter":
                assert part["routine"] in (found["borne"] if "card" in part else routines)
            case "Entry" | "Table":
                assert part["table"] in found["tables"]
            case "Track":
                assert 0 <= part["base"] < tracks
            case "Pile":
                assert 0 <= part["base"] < len(found["layout"]["zones"])
        if "kind" in part and "is" in part:
            assert set(part["kind"].replace("/", " ").split()) & KINDS
        assert part.get("place", 0) < len(found["places"])


def test_program_json_is_reproducible() -> None:
    game = cardlang.load("tail_story")
    assert program_to_json(Program(game, 3, False)) == program_to_json(Program(cardlang.load("tail_story"), 3, False))


def test_show_program_names_the_player_count() -> None:
    result = CliRunner().invoke(cli, ["show", "hearts", "--stage", "program", "--json"])
    assert result.exit_code == 0 and json.loads(result.stdout)["players"] == 4


def test_random_start_has_no_value() -> None:
    tracks = json.loads(program_to_json(Program(cardlang.load("kuhn_poker"), 2, False)))["layout"]["tracks"]
    assert [track["name"] for track in tracks if track["start"] is None] == ["dealer"]


def test_show_json_rejects_other_stages() -> None:
    result = CliRunner().invoke(cli, ["show", "hearts", "--stage", "tree", "--json"])
    assert result.exit_code == 2 and "--stage program" in result.stderr
