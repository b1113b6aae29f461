"""Generate a Typst program of a rule sheet. All strings from the game are quoted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import define, evolve, field

from cardlang.drawing import Look, Mark, describe, plan_svg
from cardlang.plain_text import harmless
from cardlang.rulesheet.links import Links
from cardlang.rulesheet.model import (
    Block,
    Entry,
    Hand,
    Item,
    Items,
    Paragraph,
    Picture,
    Place,
    Plan,
    Question,
    RuleSheet,
    Section,
    Story,
    Table,
    Terms,
    Told,
)

PAPERS = {"a4": "a4", "letter": "us-letter"}
WIDE = 6
"""Number of zones in a row on a plan."""
SHORT = 400
"""Shorter lists, in letters, are not split across pages."""
UNTORN = {2: 1500, 3: 1100}
"""Limits for lists under headings of these levels: a chapter, such as the set-up; a section."""
WHOLE, LINES = 1200, 4
"""Shorter examples, in letters, are not split across pages, unless they have more numbered lines than this."""
NARROW = 75
"""Narrower pictures, in millimetres, go next to the text of their section."""
HANDS = 500
"""Space of drawn hands, in letters."""
LONG_CELL = 28
"""Letters in a line of a table cell; longer texts wrap."""
LONG_WORD = re.compile(r"(\S{40})(?=\S)")


def quote(text: str) -> str:
    """Return a text as a Typst string literal."""
    return quote_piece(breakable(text))


def breakable(text: str) -> str:
    """Return a sanitised text with break points in words that are too long for a line."""
    return LONG_WORD.sub("\\1\u200b", harmless(text))


def quote_piece(text: str) -> str:
    """Quote a piece of a sanitised text. Spaces at its ends remain."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def source(sheet: RuleSheet, paper: str) -> str:
    """Return the Typst program of the sheet."""
    writer = Writer(Links.of(sheet.sections), frozenset(lines_named(sheet)))
    body = [writer.section(section, 2) for section in sheet.sections]
    drawings = [f"let {name} = {picture(look, sheet.aid)}" for look, name in writer.looks.items()]
    program = [
        f'import "/sheet.typ": *\nlet paper = "{PAPERS[paper]}"',
        *drawings,
        f"show: sheet.with({quote(sheet.title)}, {quote(sheet.edition)}, paper)",
        "show: one-page" if sheet.aid else "",
        f"heading(level: 1, {quote(sheet.title)})",
        f"pitch({quote(sheet.pitch)})" if sheet.pitch else "",
        f"facts({array(quote(fact) for fact in sheet.facts)})",
        *body,
    ]
    return "#{\n" + "\n".join(program) + "\n}\n"


def lines_named(sheet: RuleSheet) -> Iterator[str]:
    """Yield the anchors of the lines that the index links to."""
    entries = (
        entry
        for section in sheet.sections
        for block in section.blocks
        if isinstance(block, Terms)
        for entry in block.entries
    )
    yield from (place.at for _, places in entries for place in places if place.at != place.anchor)


def array(parts: Iterable[str]) -> str:
    """Return a Typst array."""
    return "(" + "".join(f"{part}, " for part in parts) + ")"


def picture(look: Look, small: bool) -> str:
    width = "2.4em" if small else "2.2em" if look.index else "2.3em"
    return f"drawn({quote_piece(look.svg(63))}, {width}, {quote(look.title)})"


@define
class Writer:
    """Typst generator for the parts of a sheet.

    `lines`: the anchors that the index links to. `looks`: names of the drawn cards.
    """

    links: Links
    lines: frozenset[str]
    looks: dict[Look, str] = field(factory=dict)

    def section(self, section: Section, level: int) -> str:
        heading = f"[#heading(level: {level}, {quote(section.title)}) #label({quote_piece(section.anchor)})]"
        if isinstance(next(iter(section.blocks), None), Terms):
            heading = f"set-apart\n{heading}"
        *before, last = section.blocks or (None,)
        if not (before and isinstance(last, Picture) and sum(each.width for each in last.panels) < NARROW):
            return f"{heading}\n{self.told_in(section, level)}"
        said = self.told_in(evolve(section, blocks=tuple(before)), level)
        return f"{heading}\nbeside({{{said}}}, {self.panels(last)})"

    def told_in(self, section: Section, level: int) -> str:
        """Return the content under a heading."""
        parts = []
        for place, block in enumerate(section.blocks, 1):
            after = next((each for each in section.blocks[place:] if not isinstance(each, Paragraph)), None)
            if isinstance(block, Items):
                parts.append(self.items(block.items, block.bullets, UNTORN.get(level, SHORT)))
            else:
                parts.append(self.leading(block) if isinstance(after, Table | Items) else self.block(block))
        parts += [self.section(part, level + 1) for part in section.sections]
        return "\n".join(parts)

    def leading(self, block: Block) -> str:
        """Return a block that leads to a table or list, and stays on the same page."""
        return f"lead({self.both(block.text, block.words)})" if isinstance(block, Paragraph) else self.block(block)

    def block(self, block: Block) -> str:
        match block:
            case Paragraph():
                said = self.both(block.text, block.words)
                return f"lead({said})" if block.text.endswith(":") or not block.text else f"par({said})"
            case Items():
                return self.items(block.items, block.bullets)
            case Table():
                return self.table(block)
            case Question():
                return f"question({quote(block.question)}, {quote(block.answer)})"
            case Story():
                told = array(self.told(passage) for passage in block.passages)
                lines = sum(bool(passage.line) for passage in block.passages)
                whole = sum(map(room, block.passages)) < WHOLE and lines <= LINES
                return f"story({quote(block.title)}, {told}{', whole: true' if whole else ''})"
            case Picture():
                return f"panels({self.panels(block)})"
            case Plan():
                drawn = f"plan({quote_piece(plan_svg(block.spots, WIDE))}, {quote(describe(block.spots))})"
                return "\n".join([drawn, *([self.items(block.notes, True)] if block.notes else [])])
            case Terms():
                return f"terms-index({array(self.entry(entry) for entry in block.entries)})"

    def entry(self, entry: Entry) -> str:
        term, places = entry
        return f"({quote(term)}, {array(map(self.place, places))})"

    def place(self, place: Place) -> str:
        anchor, line = (f"label({quote_piece(each)})" for each in (place.anchor, place.at))
        return f"({quote(place.title)}, {anchor}, {line})"

    def linked(self, text: str) -> str:
        """Return a generated text, with links to the sections that it names."""
        parts = []
        for part, anchor in self.links.split(breakable(text)):
            said = f"[#{quote_piece(part)}]"
            parts.append(f"link(label({quote_piece(anchor)}), {said})" if anchor else said)
        return " + ".join(parts) or "[]"

    def both(self, text: str, words: str) -> str:
        """Return a generated sentence with the author's text on it."""
        said = [self.linked(text)] if text else []
        own = [f"emph({quote(words)})"] if words else []
        return " + [ ] + ".join([*said, *own]) or "[]"

    def items(self, items: tuple[Item, ...], bullets: bool, short: int = SHORT) -> str:
        made = f"{'list' if bullets else 'enum'}({', '.join(self.item(item) for item in items)})"
        return f"block(breakable: false, {made})" if letters(items) < short else made

    def item(self, item: Item) -> str:
        title = f"strong({quote(item.heading)}) + [ ] + " if item.title else ""
        text = title + self.both(item.text, item.words)
        if item.marks:
            text += f" + legend({array(map(symbol, item.marks))})"
        if item.anchor in self.lines:
            text = f"[#metadata(none)#label({quote_piece(item.anchor)})] + {text}"
        item = hoisted(item)
        shown = list(map(self.block, item.shown))
        inner = [self.items(item.items, item.bullets)] if item.items else []
        if item.items and item.story is not None and letters(item.items) < SHORT:
            inner = [f"block(sticky: true, {inner[0]})"]
        if item.story is not None or item.items or shown:  # no page break between these and their lead
            text = f"block(sticky: true, {text})"
        if item.story is not None:
            inner.append(self.block(item.story))
        return " + ".join([text, *shown, *inner])

    def table(self, table: Table) -> str:
        head = array(quote(cell) for cell in table.head)
        cells = [[quote(cell) for cell in row] for row in table.rows]
        for row, hand in zip(cells, table.hands, strict=False):
            row.insert(table.before, f"whole({self.hand(hand)})")
        rows = list(map(array, cells))
        tight = ", tight: true" if table.hands else ""
        if table.anchor in self.lines:
            tight += f", anchor: label({quote_piece(table.anchor)})"
        return f"grid-of({quote(table.title)}, {array(widths(table))}, {head}, {array(rows)}{tight})"

    def told(self, told: Told) -> str:
        hands = array(f"({quote(hand.label)}, {self.hand(hand)})" for hand in told.hands)
        drawn = self.panels(told.picture) if told.picture is not None else "()"
        title = f"strong({quote(told.title + ':')}) + [ ] + " if told.title else ""
        return f"({title}{self.linked(told.text)}, {hands}, {told.line}, {drawn})"

    def panels(self, picture: Picture) -> str:
        return array(
            f"({quote_piece(each.svg)}, {each.width}mm, {quote(each.caption)}, {quote(each.says)})"
            for each in picture.panels
        )

    def hand(self, hand: Hand) -> str:
        names = [self.looks.setdefault(look, f"card-{len(self.looks) + 1}") for look in hand.cards]
        return f"cards({array(names)})"


def hoisted(item: Item) -> Item:
    """Move the example of the last nested item to the end of the whole item, so that it does not split the list."""
    if not item.items or item.story is not None or item.items[-1].story is None:
        return item
    *before, last = item.items
    return evolve(item, items=(*before, evolve(last, story=None)), story=last.story)


def room(told: Told) -> int:
    """Estimate the space of a passage and its drawings, in letters."""
    return len(told.text) + HANDS * bool(told.hands or told.picture)


def letters(items: Iterable[Item]) -> int:
    """Estimate the length of a list in letters; an example counts as long."""
    return sum(
        len(item.title + item.text + item.words) + letters(item.items) + (SHORT if item.story else 0) for item in items
    )


def widths(table: Table) -> list[str]:
    """Return the widths of the columns: drawn cards keep their width, and long texts share the rest."""
    longest = [max(map(len, column)) for column in zip(*table.rows, strict=True)] if table.hands else []
    shared = [f"{min(length, 60)}fr" if length > LONG_CELL else "auto" for length in longest]
    if not table.hands:
        return ["auto"] * len(table.head)
    return [*shared[: table.before], "auto", *shared[table.before :]]


def symbol(mark: Mark) -> str:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<path fill="{mark.colour}" fill-rule="evenodd" d="{mark.path}"/></svg>'
    )
    return f"({quote_piece(svg)}, {quote(mark.name)})"
