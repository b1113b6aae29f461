"""Pipes, devices and folders in place of files: never read, never overwritten."""

import os
import socket
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest

from cardlang import storage
from tests.cli.conftest import DUEL, Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Pipes and links are files on Unix.")
ROOT = Path(__file__).parents[2]


def command(folder: Path, *arguments: str | Path) -> tuple[int, str]:
    """Return exit code and output of a process, which must end."""
    ran = subprocess.run(
        [sys.executable, "-m", "cardlang", *map(str, arguments)], cwd=folder, timeout=60, text=True,
        stdin=subprocess.DEVNULL, capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return ran.returncode, ran.stdout + ran.stderr


def endless(path: Path, kind: str) -> Path:
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    else:
        place = Path.cwd()
        os.chdir(path.parent)  # the path of a socket is short
        try:
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(path.name)
        finally:
            os.chdir(place)
    return path


COMMANDS = [
    ["check", "x.cardgame"],
    ["check", "."],
    ["test", "."],
    ["docs", "x.cardgame"],
    ["play", "x.cardgame", "--auto"],
    ["test", "duel", "--with", "x.cardgame"],
    ["show", "x.cardgame", "--stage", "tokens"],
    ["replay", "x.cardgame"],
    ["play", "--resume", "x.cardgame"],
    ["check", "uses.cardgame"],
    ["review", "x.cardgame"],
    ["simulate", "x.cardgame", "--games", "1"],
    ["compare", "duel", "x.cardgame"],
    ["diff", "duel", "x.cardgame"],
    ["new", "y", "--from", "x.cardgame"],
    ["cards", "x.cardgame"],
    ["odds", "x.cardgame", "strength"],
    ["solve", "x.cardgame"],
]
KINDS = ["a pipe", "a device", "a socket"]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "arguments"), [*zip(cycle(KINDS), [*COMMANDS[:1] * 2, *COMMANDS], strict=False)])
def test_pipes_and_devices_are_not_read(duel: Path, kind: str, arguments: list[str]) -> None:
    endless(duel.with_name("x.cardgame"), kind)
    duel.with_name("uses.cardgame").write_text(DUEL.replace("zone deck", "use x\nzone deck", 1), encoding="utf-8")
    status, said = command(duel.parent, *arguments)
    assert status in (1, 2) and said.count("x.cardgame cannot be read: ") == 1
    assert f"it is {kind}, not a file." in said


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "does", "status_before"), [("a pipe", "check", 0), ("a device", "check", 0), ("a socket", "review", 2)]
)
def test_pipe_as_rules_file_is_reported(duel: Path, kind: str, does: str, status_before: int) -> None:
    """Also where nothing was found in the game before. `review` needs a rules file."""
    assert command(duel.parent, does, "duel.cardgame")[0] == status_before
    endless(duel.with_suffix(".rules.md"), kind)
    said = command(duel.parent, does, "duel.cardgame")[1]
    assert "W459" in said and f"This file cannot be read: it is {kind}, not a file" in said


def test_file_replaced_by_a_pipe_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe that comes between the look at a path and its reading."""
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(storage, "require_regular_file", lambda path: path)
    with pytest.raises(OSError, match="it is a pipe, not a file"):
        storage.read_file_start(tmp_path / "pipe", 10)


def test_empty_special_file_does_not_hang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some of the system's own, which look like files, wait as pipes do."""
    here, there = os.pipe()
    os.set_blocking(here, False)
    monkeypatch.setattr(storage, "open_regular_file", lambda path: os.fdopen(here, "rb"))
    with pytest.raises(OSError, match="nothing to read yet"):
        storage.read_file_start(tmp_path, 10)
    os.close(there)


def test_pipe_as_odds_file_is_ignored(duel: Path) -> None:
    endless(duel.with_name("odds.json"), "a pipe")
    assert command(duel.parent, "docs", "duel")[0] == 0


def test_links_in_a_folder_do_not_loop(run: Run, duel: Path) -> None:
    folder = duel.parent
    duel.with_name("linked.cardgame").symlink_to(duel)
    duel.with_name(".#lock.cardgame").symlink_to("somebody@somewhere.1")
    duel.with_name("round.cardgame").symlink_to("round.cardgame")
    (folder / "inside.cardgame").mkdir()
    (folder / "inside.cardgame" / "back").symlink_to(folder)
    assert run("check", folder).stderr == "no errors in 2 files\n"


# ---------------------------------------------------------------- writing
FOREIGN = {
    "md": [
        DUEL,
        "# My notes\n\nNot to be lost.\n",
        "# Duel\n\n*Two fight.*\n\n- 2 players\n",
        "# On marks\n\n<!-- Written by cardlang. --> is one.\n",
    ],
    "html": [
        "<!DOCTYPE html>\n<title>My page</title>\n",
        "<!doctype html><!-- Written by cardlang. --><p>Quoted.</p>",
        "%PD",
    ],
    "pdf": ["%PDF-1.7\n% a letter\n", "%PDF-1.4 Written by cardlang", DUEL],
}
COMMANDS = {
    "docs": ("md", "html", "pdf"),
    "cards": ("pdf",),
    "simulate": ("html",),
    "compare": ("html",),
}


def build_writing_command(name: str, duel: Path, style: str) -> tuple[Path, list[str | Path]]:
    """Return a file that a command writes next to the game, and the command's arguments."""
    target = duel.with_suffix(f".{style}")
    return target, {
        "docs": ["docs", duel, "--format", style, "-o", duel.parent],
        "cards": ["cards", duel, "-o", target],
        "simulate": ["simulate", duel, "--games", "4", "--report", target],
        "compare": ["compare", duel, duel, "--games", "4", "--report", target],
    }[name]


@pytest.mark.parametrize("name, style", [(name, style) for name, styles in COMMANDS.items() for style in styles])
def test_foreign_file_needs_force(run: Run, duel: Path, name: str, style: str) -> None:
    target, arguments = build_writing_command(name, duel, style)
    for text in FOREIGN[style]:
        target.write_text(text, encoding="utf-8")
        result = run(*arguments)
        assert result.exit_code == 1 and f"{target} was not written by cardlang" in result.stderr
        assert "--force" in result.stderr and target.read_text("utf-8") == text
    assert run(*arguments, "--force").exit_code == 0
    written = target.read_bytes()
    assert b"Written by cardlang" in written
    assert run(*arguments).exit_code == 0, "cardlang's own file is written again"


def test_force_spares_games_and_links(run: Run, duel: Path) -> None:
    link = duel.with_name("linked.pdf")
    link.symlink_to(duel)
    for target in (duel, link, duel.with_name("new.cardgame")):
        assert run("cards", duel, "-o", target, "--force").exit_code == 1
    assert duel.read_text("utf-8") == DUEL and not duel.with_name("new.cardgame").exists()


@pytest.mark.parametrize("style", ["md", "html"])
def test_own_sheet_is_rewritten(run: Run, duel: Path, style: str) -> None:
    sheets = [duel.with_name(f"duel{ending}.{style}") for ending in ("", "-aid")]
    for title in ("Duel", "Feud"):
        duel.write_text(DUEL.replace("Duel", title).replace("players\n", 'players "Two fight."\n', 1), encoding="utf-8")
        assert run("docs", duel, "--format", style, "-o", duel.parent).exit_code == 0
        assert all(title in sheet.read_text("utf-8") for sheet in sheets)


@pytest.mark.parametrize("target", ["other.md", "missing.md"])
def test_docs_does_not_follow_links(run: Run, duel: Path, target: str) -> None:
    other = duel.with_name("other.md")
    assert run("docs", duel, "-o", duel.parent / "first").exit_code == 0
    other.write_bytes((duel.parent / "first" / "duel.md").read_bytes())
    before = other.read_bytes()
    duel.with_suffix(".md").symlink_to(duel.with_name(target))
    result = run("docs", duel, "-o", duel.parent)
    assert result.exit_code == 1 and "is a link to another place" in result.stderr
    assert other.read_bytes() == before and not duel.with_name("missing.md").exists()


@pytest.mark.parametrize("name", ["duel.cardgame", "new.cardgame", "record", "linked.pdf"])
def test_cards_do_not_overwrite_other_files(run: Run, duel: Path, name: str) -> None:
    duel.with_name("record").write_text('{"format": 1}\n', encoding="utf-8")
    duel.with_name("linked.pdf").symlink_to(duel)
    result = run("cards", duel, "-o", duel.with_name(name))
    assert result.exit_code == 1 and "Nothing was written." in result.stderr
    assert duel.read_text("utf-8") == DUEL and not duel.with_name("new.cardgame").exists()
    assert duel.with_name("record").read_text("utf-8") == '{"format": 1}\n'


def test_cards_rewrite_their_pdf_and_devices(run: Run, duel: Path) -> None:
    for target in (duel.with_suffix(".pdf"), duel.with_suffix(".pdf"), Path("/dev/null")):
        assert run("cards", duel, "-o", target).exit_code == 0
    assert duel.with_suffix(".pdf").read_bytes().startswith(b"%PDF-")


def test_new_does_not_follow_links(run: Run, duel: Path) -> None:
    link = duel.with_name("fresh.cardgame")
    link.symlink_to(duel.with_name("elsewhere"))
    assert run("new", link).exit_code in (1, 2)
    assert not duel.with_name("elsewhere").exists()


@pytest.mark.parametrize("name", ["fresh.cardgame", "linked", "duel.cardgame"])
def test_record_does_not_overwrite_games(run: Run, duel: Path, name: str) -> None:
    duel.with_name("linked").symlink_to(duel.with_name("elsewhere"))
    assert run("play", duel, "--auto", "--record", duel.with_name(name)).exit_code in (1, 2)
    assert duel.read_text("utf-8") == DUEL
    assert not duel.with_name("fresh.cardgame").exists() and not duel.with_name("elsewhere").exists()
