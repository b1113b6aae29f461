"""What is printed on cards whose codes do not say it: their titles, columns and words."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang.game import BorneStepBody, CardSet, Face, Game, Row
from cardlang.words import capital


def captions(game: Game) -> dict[int, str]:
    """By face, for cards that have a title of their own: `Bones Drawing. Drawing, Canine. Cost: 1. Draw 1 or 2.`"""
    found = {}
    for face in game.faces:
        card_set = game.sets[face.set]
        row = next((row for row in card_set.rows if row.face == face.number), None)
        if row is not None:
            parts = [described(game, face), *words(card_set, row)]
            found[face.number] = " ".join(part if part.endswith((".", "!", "?")) else part + "." for part in parts)
    return found


def described(game: Game, face: Face) -> str:
    """Return the title with what the columns say: values of kinds by their names, then other values with the names of
    their columns. The set comes first if the game has several."""
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
    """What the author says about the set, the card, and the steps that they bear."""
    steps = [each for each in (*card_set.bears, *row.bears) if isinstance(each, BorneStepBody)]
    return (doc for doc in (card_set.doc, row.doc, *(step.doc for step in steps)) if doc)
