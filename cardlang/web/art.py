"""Card art as SVG files.

The page shows each as an image, so any script inside is inert."""

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
    """Return the SVG of a card's face. Raise `IndexError` for an unknown face number."""
    if number < 0:
        raise IndexError(number)
    face = game.faces[number]
    return side_svg(shown(designs(game), face), named=is_alike(game, face))


@lru_cache(maxsize=1024)
def other_svg(game: Game, number: int) -> str:
    """Return the SVG of a card's other face. Raise `IndexError` if the card has a plain back."""
    back = designs(game).back(game.faces[number])
    if not isinstance(back, Side):
        raise IndexError(number)
    return side_svg(back)


def shown(design: Design, face: Face) -> Side:
    """Return the face of a card with the text of its other face. A card on a screen can't be turned over."""
    front, back = design.front(face), design.back(face)
    if not isinstance(back, Side) or not back.passages:
        return front
    power = back.passages[0]
    return evolve(front, passages=(evolve(power, title=f"Other side, {back.title}"),))


def is_alike(game: Game, face: Face) -> bool:
    """Return whether another card of the set has an identical index and symbol, so that these don't identify it."""
    return bool(designs(game).looks.index(face)) and number_of_looks(game)[look(game, face)] > 1


@lru_cache(maxsize=64)
def number_of_looks(game: Game) -> Counter[tuple[str, str, Mark | None]]:
    return Counter(look(game, face) for face in game.faces)


def look(game: Game, face: Face) -> tuple[str, str, Mark | None]:
    looks = designs(game).looks
    return face.set, looks.index(face), looks.marks.on(face)


@lru_cache(maxsize=256)
def home_svg(game: Game, home: str) -> str:
    """Return the SVG of the back of cards that start in a zone. Raise `KeyError` if no card does."""
    design = designs(game)
    face = next((face for face in game.faces if game.sets[face.set].home == home), None)
    if face is None:
        raise KeyError(home)
    back = design.back(face)
    return back_svg(back) if isinstance(back, Back) else side_svg(back)
