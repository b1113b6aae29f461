"""Describe the text on cards: the author's texts and the generated rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.drawing.printed import Passage
from cardlang.game import Face, Game
from cardlang.rulesheet import instead
from cardlang.rulesheet.contents import borne
from cardlang.rulesheet.english import Scope
from cardlang.rulesheet.index import plain_term
from cardlang.rulesheet.model import Block, Item, Items, Paragraph

TRIVIAL = ("Yes.", "No.")
"""Text of a constant definition: it matters to other rules, but not to a reader of the card."""


def row_of(face: Face, cards: g.CardSet) -> g.Row | None:
    """Return the row that declares a card by its title; None for a card of `1 of each …`."""
    return next((row for row in cards.rows if row.face == face.number), None)


def passages(game: Game, face: Face, scope: Scope) -> Iterator[Passage]:
    """Yield all passages on a card: its own text, its effects, the text of its set, its definitions.

    Current custom wording for the set replaces all the rules on its cards.
    """
    cards = game.sets[face.set]
    row = row_of(face, cards)
    own = instead.items(f"cards {cards.name}", scope.lexicon)
    if own is not None:
        yield from words_of(row.doc if row else "")
        yield from in_words(own, face)
        yield from shared(game, face, scope)
        yield from words_of(cards.doc)
        return
    bears = [passage for block in borne(parts(cards, row), scope) for passage in told(block)]
    if any(passage.said for passage in bears):  # the author's texts are enough
        bears = [evolve(passage, more="") for passage in bears if passage.said]
    yield from words_of(row.doc if row else "")
    yield from (passage for passage in bears if passage.said)
    yield from words_of(cards.doc)
    yield from (passage for passage in bears if not passage.said and passage.more not in TRIVIAL)


def in_words(own: Sequence[Item], face: Face) -> Iterator[Passage]:
    """Yield the custom wording for all cards of a set, and for this one by its title, without leads of lists."""
    for item in own:
        if not item.items:
            yield Passage("", item.text)
        yield from (Passage("", each.text) for each in item.items if plain_term(each.title) in ("", face.title))


def shared(game: Game, face: Face, scope: Scope) -> Iterator[Passage]:
    """Yield the lines of other rules printed on the set's cards: those titled with a member that the card has."""
    said = scope.lexicon.told.get(f"cards {face.set}")
    has = [column.values[face.number] for column in game.columns.values()]
    kinds = [game.kinds.get(column.type.of or "") for column in game.columns.values()]
    names = {
        kind.members[at].noun.singular for kind, at in zip(kinds, has, strict=True) if kind and isinstance(at, int)
    }
    for rule in said.prints if said is not None else ():
        for item in instead.items(rule, scope.lexicon) or ():
            yield from (Passage(part.title, part.text) for part in item.items if plain_term(part.title) in names)


def words_of(doc: str) -> Iterator[Passage]:
    if doc:
        yield Passage("", words.sentence(doc))


def parts(cards: g.CardSet, row: g.Row | None) -> Iterable[g.Borne]:
    """Return the rules on a card; its own replace those of its set. Rulings are only on the sheet."""
    found: dict[object, g.Borne] = {}
    for part in (*cards.bears, *(row.bears if row else ())):
        if isinstance(part, g.BorneBody | g.BorneStepBody):
            found[part.name] = part
        elif isinstance(part, g.Note):
            found[part] = part
    return found.values()


def told(block: Block) -> Iterator[Passage]:
    """Yield the passages of a list of card rules, or of a note."""
    if isinstance(block, Items):
        yield from map(passage, block.items)
    elif isinstance(block, Paragraph):
        yield Passage("", block.words)


def passage(item: Item) -> Passage:
    """Convert a step or a definition to a passage: the author's text before the generated text."""
    text = " ".join(running(evolve(item, title="", words="")))
    title = words.capital(item.title.removeprefix("The card is "))
    if item.words:
        return Passage(title, item.words, text)
    return Passage(title, "", text) if item.text else Passage(title, text)


def running(item: Item) -> Iterator[str]:
    """Yield an item and its nested items as consecutive sentences."""
    yield from (part for part in (f"{item.title}:" if item.title else "", item.text, item.words) if part)
    for inner in item.items:
        yield from running(inner)
