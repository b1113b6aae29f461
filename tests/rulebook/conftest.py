import re
from collections.abc import Callable
from pathlib import Path

import pytest

import cardlang
from cardlang.model import Game
from cardlang.rulebook.custom_wording import check_wording_file
from cardlang.rulebook.render import render_rulebook_markdown
from tests.game_files import read_game
from tests.rulebook.toll import DEALT, EXAMPLE, GAME, MARKS, SCENE, WINTER, WORDS, change, renew

TABLE = read_game("sample")


def without_links(sheet: str) -> str:
    """Markdown with only the texts of its links."""
    return re.sub(r"\[((?:[^\]\\]|\\.)*)\]\(#[^)]*\)", r"\1", sheet)


@pytest.fixture
def sheet_of() -> Callable[[str], str]:
    """The sheet of the sample table with these declarations added, and a `play` if they have none."""

    def build(text: str) -> str:
        play = "" if "step play" in text else "\nstep play\n  each player\n    do your turn\n"
        turn = "" if "step your turn" in text else "\nstep your turn\n  add 1 to your score\n"
        return without_links(render_rulebook_markdown(cardlang.loads(TABLE + text + play + turn)))

    return build


class Shipped(dict[str, Game]):
    """The shipped games by name, each loaded when it is first asked for."""

    def __missing__(self, name: str) -> Game:
        self[name] = cardlang.load(cardlang.shipped()[name])
        return self[name]


@pytest.fixture(scope="session")
def shipped() -> dict[str, Game]:
    return Shipped()


@pytest.fixture
def toll(tmp_path: Path) -> Path:
    path = tmp_path / "toll.cardgame"
    path.write_text(GAME, encoding="utf-8")
    path.with_suffix(".words").write_text(WORDS, encoding="utf-8")
    renew(path)
    return path


@pytest.fixture
def scene(toll: Path) -> Path:
    """The game with an example, told by its author and shown under an option."""
    toll.write_text(GAME + EXAMPLE, encoding="utf-8")
    change(toll.with_suffix(".words"), '"- Rest:', '"> Broke", "- Rest:')
    beside = toll.with_suffix(".words")
    beside.write_text(beside.read_text(encoding="utf-8") + SCENE, encoding="utf-8")
    renew(toll)
    return toll


@pytest.fixture
def marked(toll: Path) -> str:
    """Return the rulebook of a game with all kinds of marked lines in its wording."""
    holding = EXAMPLE.replace("Ann: coins 1", "Ann: coins 1, hand [r]\n    Bob: hand [b]")
    toll.write_text(GAME + DEALT + holding, encoding="utf-8")
    toll.with_suffix(".words").write_text(MARKS, encoding="utf-8")
    renew(toll)
    assert not check_wording_file(cardlang.load(toll))
    return render_rulebook_markdown(cardlang.load(toll))


@pytest.fixture
def winter(toll: Path) -> Path:
    given = "    Ann: coins 1"
    dealt = EXAMPLE.replace(given, "    coins-seen 1\n  given\n    Ann: coins 1, hand [r]")
    toll.write_text(GAME + "number coins-seen\n" + DEALT + dealt, encoding="utf-8")
    toll.with_suffix(".words").write_text(WINTER, encoding="utf-8")
    renew(toll)
    assert not check_wording_file(cardlang.load(toll))
    return toll
