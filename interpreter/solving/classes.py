"""Card abstraction without loss: group cards that the rules of a game cannot distinguish.

The cards of a class count as copies of one card, so chance nodes have fewer outcomes.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import bodies, everything, values
from interpreter.odds.sight import Sight, sight_of_all

Classes = tuple[tuple[int, ...], ...]
"""Face numbers of indistinguishable cards, by class."""


def classes_of(game: g.Game) -> Classes:
    """Group the faces of a game by the attributes that its rules read.

    Each face is a class of its own if rules compare cards, sort them or store values for each card.
    """
    sight = sight_of_all(game, (*bodies(game), *values(game)))
    alone = sight.all or any(map(tells_apart, everything(game)))
    alone = alone or any(track.subject == "card" for track in game.tracks.values())
    found: dict[tuple[Any, ...], list[int]] = {}
    for face in game.faces:
        found.setdefault((face.number,) if alone else read_of(game, sight, face), []).append(face.number)
    return tuple(map(tuple, found.values()))


def tells_apart(part: object) -> bool:
    """Return whether a part of the rules compares cards or orders them by their identity."""
    if isinstance(part, g.Compare):
        return about_cards(part.left.type) or about_cards(part.right.type)
    if isinstance(part, g.IsIn):
        return about_cards(part.value.type)
    if isinstance(part, g.Pick):
        return part.position is None and not is_one(part)
    return isinstance(part, g.Move) and part.end in ("lowest", "highest")


def is_one(pick: g.Pick) -> bool:
    """Return whether exactly one card is picked. Several cards are picked in the order of their numbers."""
    return all(isinstance(number, g.Const) and number.value == 1 for number in (pick.low, pick.high))


def about_cards(type_: g.Type) -> bool:
    """Return whether a type is a card or a list of cards, at any depth."""
    return type_.tag == "card" or (type_.item is not None and about_cards(type_.item))


def read_of(game: g.Game, sight: Sight, face: g.Face) -> tuple[Any, ...]:
    """Return the attributes of a face that the rules read. They are equal for indistinguishable faces."""
    borne = [each.bodies[face.number] for each in game.borne_defines.values()]
    steps = [each.bodies[face.number] for each in game.borne_steps.values()]
    return (
        face.set,
        face.title if sight.titles else None,
        face.number if face.number in sight.named or any(borne) or any(steps) else None,
        *(game.columns[name].values[face.number] for name in sorted(sight.columns)),
    )


def with_classes(game: g.Game, classes: Classes) -> g.Game:
    """Return the game with one code and title for all cards of a class."""
    called = labels(game, classes)
    faces = (evolve(f, code=called[f.number], title=called[f.number]) if f.number in called else f for f in game.faces)
    return evolve(game, faces=tuple(faces))


def labels(game: g.Game, classes: Classes) -> dict[int, str]:
    """Return by face the common name of its class, for classes of several faces.

    The name is the common prefix of the codes if all such names are unique, else the code of the first face.
    """
    several = [faces for faces in classes if len(faces) > 1]
    firsts = [game.faces[faces[0]].code for faces in several]
    starts = [beginning([game.faces[face].code for face in faces]) for faces in several]
    others = {game.faces[faces[0]].code for faces in classes if len(faces) == 1}
    plain = all(starts) and len({*starts, *others}) == len(starts) + len(others)
    return {face: name for faces, name in zip(several, starts if plain else firsts, strict=True) for face in faces}


def beginning(codes: list[str]) -> str:
    """Return the longest common prefix."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*codes, strict=False))
    return "".join(letters[0] for letters in alike)


def told(game: g.Game, classes: Classes) -> Iterable[str]:
    """Describe each class of several faces, such as `[J] is [Jh Js]`."""
    called = labels(game, classes)
    for faces in classes:
        if len(faces) > 1:
            yield f"[{called[faces[0]]}] is [{' '.join(game.faces[face].code for face in faces)}]"
