"""Small game with one of everything, to which tests add lines."""

import cardlang
from tests.errors import find_errors
from tests.game_files import read_game

GAME = read_game("mini")


def game(addition: str = "", variant: str | None = None) -> cardlang.Game:
    return cardlang.loads(GAME + addition, variant=variant)


def findings(addition: str, old: str = "", new: str = "") -> list[tuple[str, str]]:
    """Return the code and marked words of each error, with `old` in the game replaced by `new`."""
    assert old in GAME
    return [(each.code, each.span.text) for each in errors(addition, old, new)]


def errors(addition: str, old: str = "", new: str = "") -> list[cardlang.Diagnostic]:
    text = GAME.replace(old, new) if old else GAME
    return find_errors(text + addition)


def error(addition: str) -> cardlang.Diagnostic:
    """Return the only error."""
    (found,) = errors(addition)
    return found
