"""Differences between two rulebooks, sentence by sentence."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest

from attrs import define, field, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.traversal import iter_bodies, walk
from cardlang.rulebook.model import (
    Block,
    Item,
    ItemList,
    Paragraph,
    Picture,
    QuestionBlock,
    Rulebook,
    Section,
    TableBlock,
    WorkedExample,
)

SectionPath = tuple[str, ...]
"""Path of section titles, with the title of the paragraph or list (or an empty string) at the end."""
SENTENCE_END = re.compile(r"(?<=[.!?”])\s+(?=[A-Z“])")


@frozen
class RulebookSentence:
    """Sentence of a rulebook. `is_custom` marks custom wording; other sentences are generated. `depth` counts the
    enclosing instructions."""

    text: str
    is_custom: bool = False
    depth: int = 0


@frozen
class SectionChange:
    """Sentences removed from one place of a rulebook, and sentences added there."""

    path: SectionPath
    removed: tuple[RulebookSentence, ...]
    added: tuple[RulebookSentence, ...]


@define
class PlaceContent:
    """Content of a place: instructions, whose order matters, and facts, whose order doesn't."""

    steps: list[RulebookSentence] = field(factory=list)
    facts: list[RulebookSentence] = field(factory=list)


def compare_rulebooks(old: tuple[str, Rulebook], new: tuple[str, Rulebook]) -> tuple[SectionChange, ...]:
    """Compare two rulebooks, given with the titles of their games. Return the changes in rulebook order.

    Facts that only move to another place with the same title, or change their order, are no change."""
    before, after = index_sentences(*old), index_sentences(*new)
    removed, added = find_extra_facts(before, after), find_extra_facts(after, before)
    moved = count_by_title(removed) & count_by_title(added)
    remove_facts(removed, moved)
    remove_facts(added, moved)
    changes = []
    for path in merge_places(before, after):
        out, in_ = compare_steps(before.get(path, PlaceContent()).steps, after.get(path, PlaceContent()).steps)
        changes.append(SectionChange(path, (*removed.get(path, ()), *out), (*added.get(path, ()), *in_)))
    return tuple(change for change in changes if change.removed or change.added)


def find_extra_facts(
    contents: dict[SectionPath, PlaceContent], other_contents: dict[SectionPath, PlaceContent]
) -> dict[SectionPath, list[RulebookSentence]]:
    """Return the facts of one rulebook that the other doesn't have at the same place."""
    return {
        path: list((Counter(content.facts) - Counter(other_contents.get(path, PlaceContent()).facts)).elements())
        for path, content in contents.items()
    }


def count_by_title(facts: dict[SectionPath, list[RulebookSentence]]) -> Counter[tuple[str, RulebookSentence]]:
    return Counter((path[-1], sentence) for path, sentences in facts.items() for sentence in sentences)


def remove_facts(
    facts: dict[SectionPath, list[RulebookSentence]], copies: Counter[tuple[str, RulebookSentence]]
) -> None:
    """Remove the given number of copies of each fact."""
    left = Counter(copies)
    for path, sentences in facts.items():
        for sentence in [*sentences]:
            if left[path[-1], sentence]:
                left[path[-1], sentence] -= 1
                sentences.remove(sentence)


def compare_steps(
    old: list[RulebookSentence], new: list[RulebookSentence]
) -> tuple[list[RulebookSentence], list[RulebookSentence]]:
    """Return the instructions removed and added. A changed order counts as a change."""
    removed: list[RulebookSentence] = []
    added: list[RulebookSentence] = []
    for tag, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += old[start:end]
            added += new[first:last]
    return removed, added


def merge_places(before: Iterable[SectionPath], after: Iterable[SectionPath]) -> list[SectionPath]:
    """Return the paths of two rulebooks. A path that only the old rulebook has follows its predecessor."""
    order = list(after)
    at = 0
    for path in before:
        if path in order:
            at = order.index(path) + 1
        else:
            order.insert(at, path)
            at += 1
    return order


# ---------------------------------------------------------------- content of a rulebook
def index_sentences(title: str, sheet: Rulebook) -> dict[SectionPath, PlaceContent]:
    """Return the content of a rulebook by place. The index is left out because it repeats other content."""
    contents: dict[SectionPath, PlaceContent] = {
        ("Title", ""): PlaceContent(facts=[RulebookSentence(title, is_custom=True)]),
        ("About the game", ""): PlaceContent(
            facts=[*map(RulebookSentence, sheet.facts), *split_sentences(sheet.pitch, is_custom=True)]
        ),
    }
    for section in sheet.sections:
        add_section_sentences(contents, section, ())
    return contents


def add_section_sentences(contents: dict[SectionPath, PlaceContent], section: Section, around: SectionPath) -> None:
    path = (*around, section.title)
    lead = ""
    for block in section.blocks:
        if isinstance(block, Paragraph) and block.text.endswith(":"):
            lead = block.text[:-1]
        else:
            add_block_sentences(contents, block, path, lead)
            lead = ""
    for part in section.sections:
        add_section_sentences(contents, part, path)


def add_block_sentences(contents: dict[SectionPath, PlaceContent], block: Block, place: SectionPath, lead: str) -> None:
    """Add the content of a block. `lead` is the introduction of a list, used as the title if the list has none."""
    match block:
        case Paragraph(text=text, author_text=words):
            get_or_add_place_content(contents, place, "").facts += [
                *split_sentences(text),
                *split_sentences(words, is_custom=True),
            ]
        case ItemList(items=items, bullets=bullets):
            add_item_sentences(contents, items, bullets, place, lead, 0)
        case Picture(panels=panels):
            get_or_add_place_content(contents, place, "").facts += [
                part for panel in panels for part in split_sentences(panel.description, is_custom=True)
            ]
        case TableBlock():
            content, numbered = get_or_add_place_content(contents, place, block.title or lead), block.head[0] == ""
            (content.steps if numbered else content.facts).extend(format_table_rows(block, numbered))
        case QuestionBlock(question=question, answer=answer):
            get_or_add_place_content(contents, place, question).steps += split_sentences(answer, is_custom=True)
        case WorkedExample(title=title, passages=passages):
            get_or_add_place_content(contents, place, title).steps += [
                part for passage in passages for part in split_sentences(passage.text)
            ]


def add_item_sentences(
    contents: dict[SectionPath, PlaceContent],
    items: Iterable[Item],
    bullets: bool,
    place: SectionPath,
    title: str,
    depth: int,
) -> None:
    for item in items:
        name, deep = (item.title, 0) if item.title else (title, depth)
        sentences = [*split_sentences(item.text, deep), *split_sentences(item.author_text, deep, is_custom=True)]
        content = get_or_add_place_content(contents, place, name)
        if bullets:
            content.facts += sentences or ([] if item.items else [RulebookSentence(item.title, depth=deep)])
        else:
            content.steps += sentences
        for block in item.figures:
            add_block_sentences(contents, block, place, name)
        add_item_sentences(contents, item.items, item.bullets, place, name, deep + 1)
        if item.example is not None:
            add_block_sentences(contents, item.example, place, "")


def get_or_add_place_content(contents: dict[SectionPath, PlaceContent], place: SectionPath, title: str) -> PlaceContent:
    return contents.setdefault((*place, title), PlaceContent())


def split_sentences(text: str, depth: int = 0, is_custom: bool = False) -> list[RulebookSentence]:
    return [RulebookSentence(part, is_custom, depth) for part in SENTENCE_END.split(text) if part]


def format_table_rows(table: TableBlock, numbered: bool) -> Iterator[RulebookSentence]:
    """Yield the rows of a table as strings, without row numbers: `Place: Deck; One for: the table`."""
    for number, row in enumerate(table.rows):
        drawn = (", ".join(small_card.title for small_card in table.hands[number].cards),) if table.hands else ()
        cells = zip(table.head, (*row, *drawn), strict=True)
        yield RulebookSentence("; ".join(f"{head}: {cell}" for head, cell in [*cells][numbered:] if cell))


# ---------------------------------------------------------------- display
def build_display_sections(game: g.Game) -> tuple[Section, ...]:
    """Return displays and log messages as two sections of a rulebook."""
    shown = ItemList(tuple(Item(describe_display(game, display), display.doc) for display in game.shows), bullets=True)
    messages = ItemList(tuple(Item("", text) for text in find_log_messages(game)))
    return Section("Shown on the table", (shown,)), Section("Written in the log", (messages,))


def describe_display(game: g.Game, display: g.Show) -> str:
    """Return a display in words, such as `Your basket, as a grid of 4, next to deck.`."""
    declared = (
        game.zones.get(display.zone or "") or game.tracks.get(display.track or "") or game.defines[str(display.define)]
    )
    whose = {None: "", "player": "your "}.get(declared.subject, f"each {declared.subject}'s ")
    second = f" for each {declared.second}" if declared.second else ""
    form = f", as a {display.form}{f' of {display.columns}' if display.columns else ''}" if display.form else ""
    neighbour = f", next to {game.zones[display.beside].noun.singular}" if display.beside else ""
    return morphology.punctuate_sentence(f"{whose}{declared.noun.singular}{second}{form}{neighbour}")


def find_log_messages(game: g.Game) -> Iterator[str]:
    """Yield the log messages, such as `{you} wins {prize}.`, and the log texts of moves."""
    for body in iter_bodies(game):
        for part in walk(body):
            if isinstance(part, g.Tell):
                yield fill_placeholders(part.words, part.values)
            elif isinstance(part, g.Option) and part.called:
                yield fill_placeholders(part.called, part.called_with)


def fill_placeholders(words: Sequence[str], values: Sequence[g.Expr]) -> str:
    texts = (f"{{{value.span.text}}}" for value in values)
    return "".join(text for pair in zip_longest(words, texts, fillvalue="") for text in pair)
