"""Captions of cards whose codes don't say everything: title, columns and custom wording."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang.game import BorneStepBody, CardSet, Face, Game, Row
from cardlang.words import capital


def captions(game: Game) -> dict[int, str]:
    """Return the caption of each face that has a row in its set, by face number.

    Example: `Bones Drawing. Drawing, Canine. Cost: 1. Draw 1 or 2.`"""
    found = {}
    for face in game.faces:
        card_set = game.sets[face.set]
        row = next((row for row in card_set.rows if row.face == face.number), None)
        if row is not None:
            parts = [described(game, face), *words(card_set, row)]
            found[face.number] = " ".join(part if part.endswith((".", "!", "?")) else part + "." for part in parts)
    return found


def described(game: Game, face: Face) -> str:
    """Return the title of a face with the values of its columns.

    Values of kinds are given by name, other values with the name of their column. The set comes first if the game has
    several."""
    named = [face.set] if len(game.sets) > 1 else []
    others = []
    for column in game.columns.values():
        value = column.values[face.number]
        if value is None:
            continue
        kind = game.kinds.get(column.type.of or "")
        place = column.place(face.number)
        if kind is not None and place is not None:
            named.append(kind.members[place].noun.singular)
        else:
            others.append(f"{capital(column.name.replace('-', ' '))}: {value}")
    return ". ".join(filter(None, [face.title, ", ".join(named), *others]))


def words(card_set: CardSet, row: Row) -> Iterator[str]:
    """Yield the author's texts about the set, the card and the steps attached to them."""
    steps = [each for each in (*card_set.bears, *row.bears) if isinstance(each, BorneStepBody)]
    return (doc for doc in (card_set.doc, row.doc, *(step.doc for step in steps)) if doc)
