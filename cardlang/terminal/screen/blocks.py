"""Pieces of a drawing: lines of spans that are put beside and below each other. A span knows what is touched where it
is, so that a drawing needs no coordinates until it is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, zip_longest

from attrs import evolve, frozen
from rich.cells import cell_len, set_cell_size


@frozen
class Span:
    """A piece of text on one line. `role`: how it looks (see `cardlang.terminal.screen.palette`); `ink`: the colour of
    what is printed on a card, `#rrggbb`; `ref`: what is touched there, empty for nothing."""

    text: str
    role: str = ""
    ink: str = ""
    ref: str = ""


Line = tuple[Span, ...]
Block = tuple[Line, ...]


def width(line: Line) -> int:
    return sum(cell_len(span.text) for span in line)


def broad(block: Block) -> int:
    """The width of the widest line."""
    return max(map(width, block), default=0)


def text(said: str, role: str = "", ref: str = "") -> Line:
    return (Span(said, role, "", ref),)


def pad(line: Line, columns: int, ref: str = "") -> Line:
    """The line, cut or filled up to a width."""
    missing = columns - width(line)
    if missing < 0:
        return cut(line, columns)
    return (*line, Span(" " * missing, ref=ref)) if missing else line


def centred(line: Line, columns: int) -> Line:
    left = max(0, columns - width(line)) // 2
    return pad((Span(" " * left), *line) if left else line, columns)


def cut(line: Line, columns: int) -> Line:
    """As much of the line as fits; `…` tells that there is more."""
    if width(line) <= columns:
        return line
    found: list[Span] = []
    room = columns - 1
    for span in line:
        length = cell_len(span.text)
        if length > room:
            found.append(evolve(span, text=set_cell_size(span.text, max(0, room)) + ("…" if columns > 0 else "")))
            break
        found.append(span)
        room -= length
    return tuple(found)


def beside(blocks: Sequence[Block], gap: int = 1) -> Block:
    """Blocks side by side, their first lines at the same height."""
    sizes = [broad(block) for block in blocks]
    rows = zip_longest(*blocks, fillvalue=())
    return tuple(joined([pad(line, size) for line, size in zip(row, sizes, strict=True)], gap) for row in rows)


def joined(lines: Iterable[Line], gap: int = 1) -> Line:
    """Lines one after another, with so many columns between them."""
    found: list[Span] = []
    for line in lines:
        if found and gap:
            found.append(Span(" " * gap))
        found += line
    return tuple(found)


def flowed(parts: Iterable[Line], columns: int, gap: int = 1, indent: int = 0) -> Block:
    """Parts one after another, in lines that break between parts; what is too long for a line of its own is cut."""
    rows: list[list[Line]] = []
    used = 0
    for part in parts:
        size = width(part)
        if rows and used + gap + size <= columns:
            rows[-1].append(part)
            used += gap + size
        else:
            rows.append([part])
            used = indent + size
    return tuple(cut((Span(" " * indent), *joined(row, gap)) if indent else joined(row, gap), columns) for row in rows)


def packed(parts: Iterable[Line], columns: int, gap: int = 1) -> Block:
    """Parts in as few lines as can be had by putting each into the first line that has room for it."""
    rows: list[Line] = []
    for part in parts:
        at = next((at for at, row in enumerate(rows) if width(row) + gap + width(part) <= columns), None)
        if at is None:
            rows.append(cut(part, columns))
        else:
            rows[at] = joined([rows[at], part], gap)
    return tuple(rows)


def shelved(blocks: Iterable[Block], columns: int, gap: int = 1) -> Block:
    """Blocks side by side, in as many rows as they need."""
    rows: list[list[Block]] = []
    used = 0
    for block in blocks:
        size = broad(block)
        if rows and used + gap + size <= columns:
            rows[-1].append(block)
            used += gap + size
        else:
            rows.append([block])
            used = size
    return tuple(cut(line, columns) for row in rows for line in beside(row, gap))


def stacked(blocks: Iterable[Block], columns: int) -> Block:
    """Blocks one below the other, but for those of one line: these stand side by side where they fit."""
    return tuple(
        line
        for short, together in groupby(blocks, key=lambda block: len(block) == 1)
        for line in (flowed((block[0] for block in together), columns, 3) if short else sum(together, ()))
    )


def wrapped(said: str, columns: int, role: str = "", indent: int = 0) -> Block:
    """A text in lines that break between words; those after the first are moved in."""
    lines: list[str] = []
    for word in said.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and cell_len(longer) > columns:
            lines.append(" " * indent + word)
        else:
            lines[-1:] = [longer]
    return tuple(cut(text(line, role), columns) for line in lines)


def rule(columns: int, title: str = "") -> Line:
    """A line across, with a title in it."""
    said = f"── {title} " if title else ""
    return cut((Span(said + "─" * max(0, columns - cell_len(said)), "rule"),), columns)


def without_gaps(block: Block, count: int) -> Block:
    """A block without so many of its empty lines, those that come last first: what happened needs their room."""
    empty = [place for place, line in enumerate(block) if is_empty(line)]
    dropped = empty[-count:] if count > 0 else []
    return tuple(line for place, line in enumerate(block) if place not in dropped)


def gaps(block: Block) -> int:
    """How many empty lines there are."""
    return sum(map(is_empty, block))


def is_empty(line: Line) -> bool:
    return not any(span.text.strip() for span in line)
