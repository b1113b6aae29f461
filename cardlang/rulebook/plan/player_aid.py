"""Player aid: the sections of a rulebook on play, shortened until they fit on one page."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from cardlang.model import Game
from cardlang.rulebook.anchors import add_section_anchors, count_words, walk_sections
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, Rulebook, Section, TableBlock
from cardlang.rulebook.plan.play_sections import GOAL_TITLE
from cardlang.rulebook.plan.sections import (
    CONTENTS_TITLE,
    QUESTIONS_TITLE,
    SETUP_TITLE,
    TABLE_TITLE,
    TERMS_TITLE,
    VARIANTS_TITLE,
    build_rulebook,
)

MAX_AID_WORDS = 330
"""Maximum number of words of an aid, list marks included. With its title and version, it has fewer than 350."""
OMITTED_TITLES = (GOAL_TITLE, CONTENTS_TITLE, SETUP_TITLE, TABLE_TITLE, VARIANTS_TITLE, QUESTIONS_TITLE, TERMS_TITLE)
"""Titles of the sections that players don't need during play. Terms that they need are next to the rules."""
LIST_LEVELS = 4
"""Number of levels of nested lists in an aid with enough room."""
NAME_COLUMNS = 2
"""Number of columns of a ranking without room: the place and the name."""


def build_generated_player_aid(game: Game, date: str = "") -> Rulebook:
    """Return the player aid of a checked game: at most `MAX_AID_WORDS` words. `date`: as for the rulebook."""
    rulebook = build_rulebook(game, date, "none")
    on_play = walk_sections(section for section in rulebook.sections if section.title not in OMITTED_TITLES)
    shown = add_section_anchors(fit_sections([evolve(section, sections=()) for section in on_play]))
    title = f"{rulebook.title}: player aid"
    return evolve(rulebook, title=title, pitch="", facts=(), sections=shown, is_player_aid=True)


def fit_sections(sections: Iterable[Section]) -> list[Section]:
    """Return the sections that fit on the page.

    While they don't, the one with the longest text loses a level of its lists, then all text but its tables."""
    levels = {section: LIST_LEVELS for section in sections}
    while True:
        cut = {section: shorten_section(section, level) for section, level in levels.items()}
        if sum(map(count_section_words, cut.values())) <= MAX_AID_WORDS:
            return [section for section in cut.values() if section.blocks]
        longest = max(levels, key=lambda section: (levels[section] > 0) * count_section_words(cut[section]))
        levels[longest] -= 1
        if levels[longest] < 0:
            del levels[longest]


def shorten_section(section: Section, levels: int) -> Section:
    blocks = shorten_blocks(section.blocks, levels)
    return evolve(section, blocks=blocks if levels else tuple(each for each in blocks if isinstance(each, TableBlock)))


def count_section_words(section: Section) -> int:
    """Return the number of words of a section, with a mark for each line of its lists."""
    return count_words([section]) + sum(map(count_lines, section.blocks)) if section.blocks else 0


def count_lines(block: Block | Item) -> int:
    return sum(1 + count_lines(item) for item in block.items) if isinstance(block, Item | ItemList) else 0


def shorten_blocks(blocks: Iterable[Block], levels: int = LIST_LEVELS) -> tuple[Block, ...]:
    """Return the paragraphs, tables and lists of blocks, the lists down to a level. Examples are left out."""
    kept = (shorten_block(block, levels) for block in blocks if isinstance(block, Paragraph | ItemList | TableBlock))
    return tuple(block for block in kept if not isinstance(block, ItemList) or block.items)


def shorten_block(block: Block, levels: int) -> Block:
    match block:
        case ItemList(items=items):
            return evolve(block, items=tuple(shorten_item(item, levels) for item in items))
        case TableBlock(hands=(_, *_), hands_column=samples):
            columns = samples if levels > 1 else NAME_COLUMNS
            return evolve(block, head=block.head[:columns], rows=tuple(row[:columns] for row in block.rows), hands=())
    return block


def shorten_item(item: Item, levels: int) -> Item:
    """Return an item down to a level. The author's text or an ellipsis stands for what is left out."""
    if levels > 1 or not item.items:
        items = tuple(shorten_item(each, levels - 1) for each in item.items)
        return evolve(item, items=items, figures=shorten_blocks(item.figures, levels), example=None)
    return evolve(item, text="" if item.author_text else f"{item.text} …".lstrip(), items=(), figures=(), example=None)
