import re
from collections.abc import Callable

import pytest

import cardlang
from cardlang.model import Game
from cardlang.rulebook.render import build_generated_rulebook, render_rulebook_markdown
from cardlang.rulebook.render.markdown import render_markdown
from tests.game_files import read_game

TABLE = read_game("sample")


def without_links(sheet: str) -> str:
    """Return Markdown with only the texts of its links."""
    return re.sub(r"\[((?:[^\]\\]|\\.)*)\]\(#[^)]*\)", r"\1", sheet)


def render_generated(game: Game) -> str:
    """Return the generated rulebook of a game, also if it has a rulebook of its own."""
    return render_markdown(build_generated_rulebook(game))


@pytest.fixture
def sheet_of() -> Callable[[str], str]:
    """Return a function that renders the sample game with added declarations, and with `play` if they lack it."""

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
