"""The drawn screen: what is on it, in which room."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

import cardlang
from cardlang.terminal.board import Board
from cardlang.terminal.captions import captions
from cardlang.terminal.menu import choices
from cardlang.terminal.paint import Paint
from cardlang.terminal.scene import scene_of
from cardlang.terminal.screen import Screen, carries

SIZES = [(80, 24), (120, 40), (50, 20)]


def drawn(name: str, width: int, height: int, symbols: bool = True, colour: bool = False) -> str:
    """The first screen of a shipped game for its first player."""
    game = cardlang.load(name)
    match = game.start(["Mal", "Inara", "Wash"], seed=3)
    while match.decision.player != "Mal":
        match.choose(0)
    console = Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=colour,
        color_system="standard" if colour else None,
    )
    view = match.view("Mal")
    screen = Screen(console, Board(Paint(game, symbols), captions(game)))
    screen.show(scene_of(view, game), view.log, view.prompt, choices(view.moves))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", ["tall_tales", "tall_card"])
def test_the_screen_fits_the_terminal(name: str, width: int, height: int) -> None:
    lines = drawn(name, width, height).rstrip("\n").split("\n")
    assert all(len(line.rstrip()) <= width for line in lines)
    if height >= 24:
        assert len(lines) < height


def test_suits_have_symbols_and_colours() -> None:
    shown = drawn("tall_tales", 80, 40, colour=True)
    looks = {code: shown.split(code)[0].rsplit("\x1b[", 1)[1] for code in ("10G●", "10A▲", "10L■", "10F◆")}
    assert len(set(looks.values())) == 4


def test_without_symbols_everything_is_ascii() -> None:
    inside = [line for line in drawn("tall_tales", 80, 24, symbols=False).split("\n") if "Inara" in line]
    assert "##" in inside[0] and "▒" not in inside[0]


def test_nobody_else_is_on_the_screen() -> None:
    game = cardlang.load("tall_tales")
    match = game.start(["Mal", "Inara", "Wash"], seed=3)
    hidden = {str(card) for card in match.view("Wash").zone("hand", "Wash").cards}
    shown = drawn("tall_tales", 120, 60, symbols=False)
    hand = shown[shown.index("Your hand") :]
    assert not any(card in hand for card in hidden)


def test_titles_are_told_where_codes_do_not() -> None:
    told = captions(cardlang.load("tail_story"))
    game = cardlang.load("tail_story")
    bones = next(face.number for face in game.faces if face.code == "Bones")
    assert told[bones] == "Bones Drawing (Canine, cost 1). Draw 1 or 2."
    assert captions(cardlang.load("tall_tales")) == {}


def test_what_an_encoding_carries() -> None:
    assert carries("utf-8", "●▒") and not carries("ascii", "●") and not carries("nonsense", "●")


def test_the_pager_gets_colours_only_if_it_can_show_them(monkeypatch: pytest.MonkeyPatch) -> None:
    paged: list[tuple[str, dict[str, object]]] = []
    monkeypatch.setattr("click.echo_via_pager", lambda text, **options: paged.append((text, options)))
    console = Console(file=io.StringIO(), force_terminal=True, color_system="standard")
    game = cardlang.load("tall_card")
    Screen(console, Board(Paint(game, True), captions(game))).sheet("**Bold**")
    assert "\x1b[1m" in paged[0][0] and paged[0][1].get("color") is None, "left to click, which knows the pager"
