"""Player aid: one page of turns, options and ranks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from attrs import evolve

from cardlang.rulebook.anchors_and_index import add_section_anchors, simplify_term, walk_sections
from cardlang.rulebook.model import (
    TERMS_LEAD,
    TRACKS_LEAD,
    Block,
    Item,
    ItemList,
    Paragraph,
    Rulebook,
    Section,
    TableBlock,
)
from cardlang.rulebook.plan.components_and_card_effects import EFFECT_COLUMN

CARD_COLUMN = "Card"
"""Heading of the column of titles, in a table of cards."""
PLAY_TITLES = ("How to play",)
ANYTIME_TITLES = ("Reactions", "At any time")
TERM_SECTION_TITLES = ("Set-up", *PLAY_TITLES, "Terms")
"""Sections that explain terms."""

CROSS_REFERENCE = re.compile(r" \(see “[^”]+”\)")
PAGE_LETTERS = 5900
"""Number of letters that fit on one page at a readable size."""
LINE_LETTERS = 30
"""Letters of space lost at the end of a line."""
CARD_ROW_LETTERS = 70
"""Extra height of a row of drawn cards, in letters."""


def build_player_aid(rulebook: Rulebook) -> Rulebook:
    """Return the player aid of a game, made from its rulebook.

    It has all instructions if they fit. Otherwise the author's texts replace the steps of an option, then an option,
    then a step, longest first.
    """
    parts = {section.title: section for section in rulebook.sections}
    course = [step for title in PLAY_TITLES if title in parts for step in collect_step_items(parts[title])]
    always = [
        trim_item(item) for title in ANYTIME_TITLES if title in parts for item in get_first_list_items(parts[title])
    ]
    sections = build_aid_sections(rulebook, parts, course, always)
    while sum(map(estimate_section_length, sections)) > PAGE_LETTERS:
        long = [
            item for item in (*course, *always) if estimate_item_length(shorten_item(item)) < estimate_item_length(item)
        ]
        if not long:
            break
        longest = max(long, key=estimate_item_length)
        course, always = (
            [shorten_item(item) if item is longest else item for item in items] for items in (course, always)
        )
        sections = build_aid_sections(rulebook, parts, course, always)
    return evolve(
        rulebook,
        title=f"{rulebook.title}: player aid",
        pitch="",
        sections=add_section_anchors(sections),
        is_player_aid=True,
    )


def build_aid_sections(
    rulebook: Rulebook, sections_by_title: dict[str, Section], play_items: list[Item], anytime_items: list[Item]
) -> list[Section]:
    """Return the sections of an aid with these instructions. Rankings come first, because players look them up most."""
    aside = next((title for title in ANYTIME_TITLES if title in sections_by_title), "")
    effects = (
        tuple(merge_set_effects(section) for section in sections_by_title["The cards"].sections)
        if "The cards" in sections_by_title
        else ()
    )
    explained = tuple(
        find_mentioned_terms(
            [sections_by_title[title] for title in TERM_SECTION_TITLES if title in sections_by_title],
            (*play_items, *anytime_items),
        )
    )
    sections = [
        *build_aid_rankings(rulebook),
        Section("Course of the game", (ItemList(tuple(play_items), bullets=True),)),
        Section(aside, (ItemList(tuple(anytime_items), bullets=True),) if anytime_items else ()),
        Section("The cards", (ItemList(effects, bullets=True),) if effects else ()),
        Section("Words used here", (ItemList(explained, bullets=True),) if explained else ()),
    ]
    return [section for section in sections if section.blocks]


def merge_set_effects(section: Section) -> Item:
    """Return the effects of the cards of a set, without tables and examples. Effects of a single card go under its
    title."""
    titles = {f"{row[block.head.index(CARD_COLUMN)]}:" for block in find_card_tables(section) for row in block.rows}
    set_blocks, *single = split_blocks(
        section.blocks, lambda block: isinstance(block, Paragraph) and block.text in titles
    )
    card_items = (
        merge_effect_blocks(lead.text.removesuffix(":"), rest) for lead, *rest in single if isinstance(lead, Paragraph)
    )
    effects_item = merge_effect_blocks(section.title, set_blocks)
    return evolve(effects_item, items=(*effects_item.items, *card_items))


def find_card_tables(section: Section) -> Iterator[TableBlock]:
    """Yield the tables of a section that list cards."""
    return (block for block in section.blocks if isinstance(block, TableBlock) and CARD_COLUMN in block.head)


def split_blocks(blocks: Iterable[Block], is_start: Callable[[Block], bool]) -> list[list[Block]]:
    """Split blocks at each block for which `is_start` is true. The first part holds the blocks before them."""
    groups: list[list[Block]] = [[]]
    for block in blocks:
        if is_start(block):
            groups.append([])
        groups[-1].append(block)
    return groups


def merge_effect_blocks(title: str, blocks: Sequence[Block]) -> Item:
    """Merge the content of some blocks of a section into one item."""
    paragraph_texts = [block.text or block.author_text for block in blocks if isinstance(block, Paragraph)]
    items = [item for block in blocks if isinstance(block, ItemList) for item in map(trim_item, block.items)]
    plain = [item.text for item in items if not item.title]
    items += [card for block in blocks if isinstance(block, TableBlock) for card in build_row_effects(block)]
    return Item(
        " ".join([*paragraph_texts, *plain]),
        items=tuple(item for item in items if item.title),
        bullets=True,
        title=title,
    )


def build_row_effects(table: TableBlock) -> Iterator[Item]:
    """Yield the effects of cards in a table, with their limits or costs."""
    for row in table.rows if table.head[-1] == EFFECT_COLUMN else ():
        facts = [f"{head.lower()}: {cell}" for head, cell in zip(table.head, row, strict=True) if is_count_cell(cell)]
        name = row[table.head.index(CARD_COLUMN)]
        yield Item(row[-1], title=f"{name} ({', '.join(facts)})" if facts else name)


def is_count_cell(cell: str) -> bool:
    return cell.isdecimal() or cell == "unlimited"


def estimate_section_length(section: Section) -> int:
    """Estimate the length of a section and its subsections in letters."""
    items = [item for block in section.blocks if isinstance(block, ItemList) for item in block.items]
    tables = (block for block in section.blocks if isinstance(block, TableBlock))
    return (
        sum(map(estimate_item_length, items))
        + sum(map(estimate_table_length, tables))
        + sum(map(estimate_section_length, section.sections))
    )


def estimate_item_length(item: Item) -> int:
    """Estimate the length of an item in letters."""
    rows = sum(map(estimate_table_length, (block for block in item.figures if isinstance(block, TableBlock))))
    return (
        LINE_LETTERS
        + len(item.title + item.text + item.author_text)
        + rows
        + sum(map(estimate_item_length, item.items))
    )


def estimate_table_length(table: TableBlock) -> int:
    """Estimate the length of a table in letters."""
    return sum(LINE_LETTERS + len("".join(row)) + (CARD_ROW_LETTERS if table.hands else 0) for row in table.rows)


# ---------------------------------------------------------------- the course of the game
def collect_step_items(section: Section) -> Iterator[Item]:
    """Yield each step, and each part of it that has a heading: the author's text and the instructions."""
    for step_section in (
        part for step in section.sections or (section,) for part in (step, *find_list_subsections(step))
    ):
        author_text = next(
            (block.author_text for block in step_section.blocks if isinstance(block, Paragraph) and block.author_text),
            "",
        )
        listed = next((block for block in step_section.blocks if isinstance(block, ItemList)), None)
        step_items = tuple(listed.items) if listed and not listed.bullets else ()
        if len(step_items) > 1 or any(item.items or item.figures or item.title or not item.text for item in step_items):
            yield Item("", author_text, tuple(map(trim_item, step_items)), False, step_section.title)
        else:
            yield Item(" ".join(item.text for item in step_items), author_text, title=step_section.title)


def find_list_subsections(section: Section) -> Iterator[Section]:
    """Yield the parts of a step or ranking that contain lists. Players read paragraphs in the rulebook."""
    for part in walk_sections(section.sections):
        lists = (block for block in part.blocks if isinstance(block, ItemList))
        if any(item.title or item.items or item.figures for block in lists for item in block.items):
            yield part


def trim_item(item: Item) -> Item:
    """Return an instruction without its example, pictures and cross-references.

    Only an option keeps the author's text. A line that only led to a picture ends with a full stop.
    """
    author_text = item.author_text if item.title or not item.text else ""
    shown = tuple(block for block in item.figures if isinstance(block, TableBlock))
    text = CROSS_REFERENCE.sub("", item.text)
    if item.figures and not shown and not item.items:
        text = re.sub(":$", ".", text)
    return evolve(
        item, text=text, author_text=author_text, example=None, figures=shown, items=tuple(map(trim_item, item.items))
    )


def shorten_item(item: Item) -> Item:
    """Shorten a step or reaction by one stage.

    First drop the steps of its options, then replace each option by its text. Next, replace all but the options by the
    author's text. After that, return it unchanged.
    """
    for cut in (drop_described_steps, replace_with_author_text):
        short = evolve(item, items=tuple(cut(part) for part in item.items))
        if short != item:
            return short
    if not (item.author_text and item.title):
        return item
    return Item(
        item.text if item.items else "", item.author_text, tuple(find_option_items(item.items)), True, item.title
    )


def drop_described_steps(item: Item) -> Item:
    """Drop the steps of an option if the author describes it."""
    if item.title:
        return evolve(item, items=()) if item.author_text else item
    return evolve(item, items=tuple(map(drop_described_steps, item.items)))


def replace_with_author_text(item: Item) -> Item:
    """Replace an option by the author's text, if there is one."""
    if item.title:
        return Item("", item.author_text, title=item.title) if item.author_text else item
    return evolve(item, items=tuple(map(replace_with_author_text, item.items)))


def find_option_items(items: tuple[Item, ...]) -> Iterator[Item]:
    """Yield the options in some instructions."""
    for item in items:
        if item.title:
            yield item
        else:
            yield from find_option_items(item.items)


def get_first_list_items(section: Section) -> Iterator[Item]:
    """Yield the items of the first list of a section."""
    block = next((block for block in section.blocks if isinstance(block, ItemList)), None)
    yield from block.items if block else ()


# ---------------------------------------------------------------- terms
def find_mentioned_terms(sections: Iterable[Section], instructions: tuple[Item, ...]) -> Iterator[Item]:
    """Yield the terms that some instructions mention."""
    mentioned = " ".join(collect_item_texts(instructions)).lower()
    for section in walk_sections(sections):
        for lead, block in pairwise((None, *section.blocks)):
            for item in block.items if isinstance(block, ItemList) and block.bullets and lead != TRACKS_LEAD else ():
                name = re.sub(" of cards$| [(].*", "", simplify_term(item.title)).lower()
                if item.title and re.search(rf"\b{re.escape(name)}\b", mentioned):
                    yield item


def collect_item_texts(items: Iterable[Item]) -> Iterator[str]:
    """Yield all texts of some items."""
    for item in items:
        yield from (item.text, item.author_text)
        yield from collect_item_texts(item.items)


# ---------------------------------------------------------------- rankings
def build_aid_rankings(rulebook: Rulebook) -> Iterator[Section]:
    """Yield each ranking as a table of ranks and sample cards, with its wild cards and tie-breaks."""
    for section in rulebook.sections:
        for block in section.blocks:
            if isinstance(block, TableBlock) and block.head[:1] == ("",):
                parts = [
                    evolve(part, blocks=tuple(trim_ranking_blocks(part))) for part in find_list_subsections(section)
                ]
                lists = (
                    ranking_block
                    for ranking_block in trim_ranking_blocks(section)
                    if isinstance(ranking_block, ItemList)
                )
                yield Section(section.title, (shorten_rank_table(block), *lists), tuple(parts))


def trim_ranking_blocks(section: Section) -> Iterator[Block]:
    """Yield the lists of a ranking section and the paragraphs that lead to them, without its terms."""
    for block in section.blocks:
        if block == TERMS_LEAD:
            return
        if isinstance(block, ItemList):
            yield ItemList(tuple(map(trim_item, block.items)), block.bullets)
        elif isinstance(block, Paragraph) and block.text.endswith(":"):
            yield block


def shorten_rank_table(table: TableBlock) -> TableBlock:
    """Reduce a table of ranks to ranks and samples; without samples, keep it whole."""
    if not table.hands:
        return table
    rows = tuple(row[:2] for row in table.rows)
    return evolve(table, head=(*table.head[:2], table.head[table.hands_column]), rows=rows, hands_column=2)
