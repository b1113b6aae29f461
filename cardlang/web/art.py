"""The drawings of cards for a page. Each is a file of its own, shown as a picture, so that nothing in it can do
anything."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from attrs import evolve

from cardlang.drawing import Mark
from cardlang.drawing.printed import Back, Side, back_svg, side_svg
from cardlang.game import Face, Game
from cardlang.rulesheet.faces import Design


@lru_cache(maxsize=64)
def designs(game: Game) -> Design:
    return Design(game)


@lru_cache(maxsize=4096)
def face_svg(game: Game, number: int) -> str:
    """The face of a card. Raises IndexError for a number that no face has."""
    if number < 0:
        raise IndexError(number)
    face = game.faces[number]
    return side_svg(shown(designs(game), face), named=is_alike(game, face))


@lru_cache(maxsize=1024)
def other_svg(game: Game, number: int) -> str:
    """The other face of a card. Raises IndexError for one that has none."""
    back = designs(game).back(game.faces[number])
    if not isinstance(back, Side):
        raise IndexError(number)
    return side_svg(back)


def shown(design: Design, face: Face) -> Side:
    """The face of a card, with what it says on its other face: nobody can turn a card over that lies on a screen."""
    front, back = design.front(face), design.back(face)
    if not isinstance(back, Side) or not back.passages:
        return front
    power = back.passages[0]
    return evolve(front, passages=(evolve(power, title=f"Other side, {back.title}"),))


def is_alike(game: Game, face: Face) -> bool:
    """Whether the index and the symbol of a card are those of another one of its set, so that they do not tell it."""
    return bool(designs(game).looks.index(face)) and number_of_looks(game)[look(game, face)] > 1


@lru_cache(maxsize=64)
def number_of_looks(game: Game) -> Counter[tuple[str, str, Mark | None]]:
    return Counter(look(game, face) for face in game.faces)


def look(game: Game, face: Face) -> tuple[str, str, Mark | None]:
    looks = designs(game).looks
    return face.set, looks.index(face), looks.marks.on(face)


@lru_cache(maxsize=256)
def home_svg(game: Game, home: str) -> str:
    """The back of the cards that begin in a zone. Raises KeyError where none do."""
    design = designs(game)
    face = next((face for face in game.faces if game.sets[face.set].home == home), None)
    if face is None:
        raise KeyError(home)
    back = design.back(face)
    return back_svg(back) if isinstance(back, Back) else side_svg(back)
