"""Warnings about characters that no font has, for cards and rulebooks."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cardlang.cli.main import cli
from cardlang.rulebook.render.typst_pdf import find_missing_glyphs
from tests.game_files import read_game

NOBODY_HAS = "\U0010fffd"
OTHER = "\U000ffffd"
GAME = read_game("plain")


def run_with_warnings(folder: Path, text: str, *command: str) -> str:
    file = folder / "plain.cardgame"
    file.write_text(text, "utf-8")
    output = folder / ("out.pdf" if command[0] == "cards" else "out")
    result = CliRunner().invoke(cli, [command[0], str(file), "-o", str(output), *command[1:]])
    assert result.exit_code == 0, result.output
    return "".join(line for line in result.stderr.splitlines(True) if "Warning" in line)


CARDS, DOCS = ("cards",), ("docs", "--format", "pdf")


@pytest.mark.parametrize("command", [CARDS, DOCS])
@pytest.mark.parametrize("place", ['"Owl"', "Hoots."])
def test_missing_character_names_its_card(tmp_path: Path, command: tuple[str, ...], place: str) -> None:
    told = run_with_warnings(tmp_path, GAME.replace(place, place[0] + NOBODY_HAS + place[1:]), *command)
    assert NOBODY_HAS in told and "U+10FFFD" in told
    assert "Owl" in told and "Bär" not in told


def test_missing_character_of_the_rulebook_is_named(tmp_path: Path) -> None:
    told = run_with_warnings(tmp_path, GAME.replace("Well.", f"Well{OTHER}."), *DOCS)
    assert "U+FFFFD" in told and "Owl" not in told
    assert run_with_warnings(tmp_path, GAME.replace("Well.", f"Well{OTHER}."), *CARDS) == ""


@pytest.mark.parametrize("command", [CARDS, DOCS])
def test_available_characters_give_no_warning(tmp_path: Path, command: tuple[str, ...]) -> None:
    assert run_with_warnings(tmp_path, GAME, *command) == ""


def test_markdown_needs_no_font(tmp_path: Path) -> None:
    assert run_with_warnings(tmp_path, GAME.replace("Hoots", NOBODY_HAS), "docs", "--format", "md") == ""


def test_many_missing_characters_are_counted(tmp_path: Path) -> None:
    signs = "".join(chr(0x10FFE0 + number) for number in range(12))
    told = run_with_warnings(tmp_path, GAME.replace("Hoots", signs), *CARDS)
    assert told.count("U+10FF") == 8 and "4 more" in told


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("", []),
        ("Owl ½ Bär Ωмега 7♣", []),
        (f'say "{NOBODY_HAS}\\" {OTHER}!', [OTHER, NOBODY_HAS]),
        (f"{NOBODY_HAS}\u200d{NOBODY_HAS}\ufe0f", [NOBODY_HAS]),
        (f"#x {NOBODY_HAS}[*] $1", [NOBODY_HAS]),
    ],
)
def test_missing_glyphs_are_found(text: str, signs: list[str]) -> None:
    assert find_missing_glyphs([text]) == signs
