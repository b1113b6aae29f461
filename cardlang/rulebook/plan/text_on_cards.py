"""Passages of text on cards: the author's texts, then the rules on the card."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from cardlang import model as g
from cardlang.cards.card_content import CardPassage
from cardlang.english import morphology
from cardlang.model import Face, Game
from cardlang.model.card_rules import list_card_rules
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph
from cardlang.rulebook.plan.components_and_card_effects import build_card_rule_blocks
from cardlang.rulebook.realise.phrases import PhraseScope

TRIVIAL_TEXTS = ("Yes.", "No.")
"""Text of a constant definition: it matters to other rules, but not to a reader of the card."""


def find_card_row(face: Face, card_set: g.CardSet) -> g.Row | None:
    """Return the row that declares a card by its title; None for a card of `1 of each …`."""
    return next((row for row in card_set.rows if row.face == face.number), None)


def build_card_passages(game: Game, face: Face, scope: PhraseScope, with_set: bool = True) -> Iterator[CardPassage]:
    """Yield all passages on a card: its own text, its effects, the text of its set, its definitions.

    `with_set`: include the text of its set.
    """
    cards = game.sets[face.set]
    row = find_card_row(face, cards)
    bears = [
        passage
        for block in build_card_rule_blocks(list_card_rules(cards, row), scope)
        for passage in convert_block_to_passages(block)
    ]
    if any(passage.text for passage in bears):  # the author's texts are enough
        bears = [evolve(passage, details="") for passage in bears if passage.text]
    if len([passage for passage in bears if passage.title]) == 1:  # a text alone needs no name
        bears = [evolve(passage, title=passage.title * (not passage.text)) for passage in bears]
    yield from build_doc_passage(row.doc if row else "")
    yield from (passage for passage in bears if passage.text)
    if with_set:
        yield from build_doc_passage(cards.doc)
    yield from (passage for passage in bears if not passage.text and passage.details not in TRIVIAL_TEXTS)


def build_doc_passage(doc: str) -> Iterator[CardPassage]:
    if doc:
        yield CardPassage("", morphology.punctuate_sentence(doc))


def convert_block_to_passages(block: Block) -> Iterator[CardPassage]:
    """Yield the passages of a list of card rules, or of a note."""
    if isinstance(block, ItemList):
        yield from map(convert_item_to_passage, block.items)
    elif isinstance(block, Paragraph):
        yield CardPassage("", block.author_text)


def convert_item_to_passage(item: Item) -> CardPassage:
    """Convert a step or a definition to a passage: the author's text before the generated text."""
    text = " ".join(list_item_sentences(evolve(item, title="", author_text="")))
    title = morphology.capitalize_first_letter(item.title.removeprefix("The card is "))
    if item.author_text:
        return CardPassage(title, item.author_text, text)
    return CardPassage(title, "", text) if item.text else CardPassage(title, text)


def list_item_sentences(item: Item) -> Iterator[str]:
    """Yield an item and its nested items as consecutive sentences."""
    yield from (part for part in (f"{item.title}:" if item.title else "", item.text, item.author_text) if part)
    for inner in item.items:
        yield from list_item_sentences(inner)


def count_letters(passage: CardPassage) -> int:
    return len(passage.title) + len(passage.text) + len(passage.details)
