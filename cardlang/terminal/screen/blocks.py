"""Layout primitives: blocks of lines of spans, to be joined side by side or stacked.

A span stores the ref that a click on it selects, so layouts need no coordinates until they are complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, zip_longest

from attrs import evolve, frozen
from rich.cells import cell_len, set_cell_size


@frozen
class Span:
    """Piece of text on one line.

    `role`: style, see `cardlang.terminal.screen.palette`. `ink`: colour of print on a card, `#rrggbb`. `ref`: ref
    selected by a click, empty for none."""

    text: str
    role: str = ""
    ink: str = ""
    ref: str = ""


Line = tuple[Span, ...]
Block = tuple[Line, ...]


def width(line: Line) -> int:
    return sum(cell_len(span.text) for span in line)


def broad(block: Block) -> int:
    """Return the width of the widest line."""
    return max(map(width, block), default=0)


def text(said: str, role: str = "", ref: str = "") -> Line:
    return (Span(said, role, "", ref),)


def pad(line: Line, columns: int, ref: str = "") -> Line:
    """Return a line, cut or padded to a width."""
    missing = columns - width(line)
    if missing < 0:
        return cut(line, columns)
    return (*line, Span(" " * missing, ref=ref)) if missing else line


def centred(line: Line, columns: int) -> Line:
    left = max(0, columns - width(line)) // 2
    return pad((Span(" " * left), *line) if left else line, columns)


def cut(line: Line, columns: int) -> Line:
    """Return a line cut to a width, with `…` at the end if it is longer."""
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
    """Return blocks side by side, aligned at the top."""
    sizes = [broad(block) for block in blocks]
    rows = zip_longest(*blocks, fillvalue=())
    return tuple(joined([pad(line, size) for line, size in zip(row, sizes, strict=True)], gap) for row in rows)


def joined(lines: Iterable[Line], gap: int = 1) -> Line:
    """Return lines joined into one, with `gap` columns between them."""
    found: list[Span] = []
    for line in lines:
        if found and gap:
            found.append(Span(" " * gap))
        found += line
    return tuple(found)


def flowed(parts: Iterable[Line], columns: int, gap: int = 1, indent: int = 0) -> Block:
    """Return parts in lines that break between parts. Cut a part that is too long for a line."""
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
    """Return parts packed into few lines by first fit."""
    rows: list[Line] = []
    for part in parts:
        at = next((at for at, row in enumerate(rows) if width(row) + gap + width(part) <= columns), None)
        if at is None:
            rows.append(cut(part, columns))
        else:
            rows[at] = joined([rows[at], part], gap)
    return tuple(rows)


def shelved(blocks: Iterable[Block], columns: int, gap: int = 1) -> Block:
    """Return blocks side by side, in as many rows as needed."""
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
    """Return blocks stacked vertically, except that adjacent one-line blocks share lines if they fit."""
    return tuple(
        line
        for short, together in groupby(blocks, key=lambda block: len(block) == 1)
        for line in (flowed((block[0] for block in together), columns, 3) if short else sum(together, ()))
    )


def wrapped(said: str, columns: int, role: str = "", indent: int = 0) -> Block:
    """Return a string wrapped between words. Indent all lines but the first."""
    lines: list[str] = []
    for word in said.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and cell_len(longer) > columns:
            lines.append(" " * indent + word)
        else:
            lines[-1:] = [longer]
    return tuple(cut(text(line, role), columns) for line in lines)


def rule(columns: int, title: str = "") -> Line:
    """Return a horizontal rule with a title."""
    said = f"── {title} " if title else ""
    return cut((Span(said + "─" * max(0, columns - cell_len(said)), "rule"),), columns)


def without_gaps(block: Block, count: int) -> Block:
    """Return a block without its last `count` empty lines, to make room for events."""
    empty = [place for place, line in enumerate(block) if is_empty(line)]
    dropped = empty[-count:] if count > 0 else []
    return tuple(line for place, line in enumerate(block) if place not in dropped)


def gaps(block: Block) -> int:
    """Return the number of empty lines."""
    return sum(map(is_empty, block))


def is_empty(line: Line) -> bool:
    return not any(span.text.strip() for span in line)
