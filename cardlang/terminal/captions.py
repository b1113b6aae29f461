"""Captions of cards whose codes don't say everything: title, columns and custom wording."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardlang.game import BorneBody, BorneStepBody, CardSet, Face, Game, Row
from cardlang.plain_text import code_of
from cardlang.words import capital


def captions(game: Game) -> dict[int, str]:
    """Return the caption of each face that has a row in its set, by face number.

    Example: `Bones Drawing. Drawing, Canine, cost 1. Draw 1 or 2.`"""
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

    Numbers are given with the name of their column, texts in a sentence of their own. The set comes first if the game
    has several."""
    named = [face.set] if len(game.sets) > 1 else []
    texts = []
    for column in game.columns.values():
        value, name = column.values[face.number], column.name.replace("-", " ")
        if value is None:
            continue
        kind, place = game.kinds.get(column.type.of or ""), column.place(face.number)
        member = kind.members[place].noun.singular if kind is not None and place is not None else ""
        if member and not member.isdecimal():
            named.append(member)
        elif member or not isinstance(value, str):
            named.append(f"{name} {member or value}")
        else:
            texts.append(f"{capital(name)}: {value}")
    return ". ".join(filter(None, [face.title, capital(", ".join(named)), *texts]))


def words(card_set: CardSet, row: Row) -> Iterator[str]:
    """Yield the author's texts about the set, the card, and its steps and definitions.

    A rule of the card replaces the rule of its set with the same name."""
    rules = (each for each in (*card_set.bears, *row.bears) if isinstance(each, BorneBody | BorneStepBody))
    docs = {each.name: each.doc for each in rules}
    return (doc for doc in (card_set.doc, row.doc, *docs.values()) if doc)


def caption_after(face: Face, found: Mapping[int, str]) -> str:
    """Return the text after a card's code in a list: its caption, without a title that only repeats the code."""
    caption = found.get(face.number, face.title)
    return caption.removeprefix(f"{face.title}. ") if code_of(face.title) == face.code else caption
