"""Blocks of styled text, and stable sizes between frames.

A span stores the ref that a click on it selects, so layouts need no coordinates until they are complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, zip_longest

from attrs import define, evolve, field, frozen
from rich.cells import cell_len, set_cell_size


@frozen
class TextSpan:
    """Piece of text on one line.

    `role`: style, see `cardlang.ui.terminal.screen.table_panes`. `ink`: colour of print on a card, `#rrggbb`.
    `ref`: ref selected by a click, empty for none."""

    text: str
    role: str = ""
    ink: str = ""
    ref: str = ""


TextLine = tuple[TextSpan, ...]
TextBlock = tuple[TextLine, ...]


def measure_width(line: TextLine) -> int:
    return sum(cell_len(span.text) for span in line)


def measure_block_width(block: TextBlock) -> int:
    """Return the width of the widest line."""
    return max(map(measure_width, block), default=0)


def make_line(content: str, role: str = "", ref: str = "") -> TextLine:
    return (TextSpan(content, role, "", ref),)


def pad_line(line: TextLine, columns: int, ref: str = "") -> TextLine:
    """Return a line, cut or padded to a width."""
    missing = columns - measure_width(line)
    if missing < 0:
        return cut_line(line, columns)
    return (*line, TextSpan(" " * missing, ref=ref)) if missing else line


def center_line(line: TextLine, columns: int) -> TextLine:
    left = max(0, columns - measure_width(line)) // 2
    return pad_line((TextSpan(" " * left), *line) if left else line, columns)


def cut_line(line: TextLine, columns: int) -> TextLine:
    """Return a line cut to a width, with `…` at the end if it is longer."""
    if measure_width(line) <= columns:
        return line
    spans: list[TextSpan] = []
    room = columns - 1
    for span in line:
        length = cell_len(span.text)
        if length > room:
            spans.append(evolve(span, text=set_cell_size(span.text, max(0, room)) + ("…" if columns > 0 else "")))
            break
        spans.append(span)
        room -= length
    return tuple(spans)


def join_blocks(blocks: Sequence[TextBlock], gap: int = 1) -> TextBlock:
    """Return blocks side by side, aligned at the top."""
    sizes = [measure_block_width(block) for block in blocks]
    rows = zip_longest(*blocks, fillvalue=())
    return tuple(join_lines([pad_line(line, size) for line, size in zip(row, sizes, strict=True)], gap) for row in rows)


def join_lines(lines: Iterable[TextLine], gap: int = 1) -> TextLine:
    """Return lines joined into one, with `gap` columns between them."""
    spans: list[TextSpan] = []
    for line in lines:
        if spans and gap:
            spans.append(TextSpan(" " * gap))
        spans += line
    return tuple(spans)


def flow_parts(parts: Iterable[TextLine], columns: int, gap: int = 1, indent: int = 0) -> TextBlock:
    """Return parts in lines that break between parts. Cut a part that is too long for a line."""
    rows: list[list[TextLine]] = []
    used = 0
    for part in parts:
        size = measure_width(part)
        if rows and used + gap + size <= columns:
            rows[-1].append(part)
            used += gap + size
        else:
            rows.append([part])
            used = indent + size
    return tuple(
        cut_line((TextSpan(" " * indent), *join_lines(row, gap)) if indent else join_lines(row, gap), columns)
        for row in rows
    )


def pack_parts(parts: Iterable[TextLine], columns: int, gap: int = 1) -> TextBlock:
    """Return parts packed into few lines by first fit."""
    rows: list[TextLine] = []
    for part in parts:
        at = next(
            (at for at, row in enumerate(rows) if measure_width(row) + gap + measure_width(part) <= columns), None
        )
        if at is None:
            rows.append(cut_line(part, columns))
        else:
            rows[at] = join_lines([rows[at], part], gap)
    return tuple(rows)


def flow_blocks(blocks: Iterable[TextBlock], columns: int, gap: int = 1) -> TextBlock:
    """Return blocks side by side, in as many rows as needed."""
    rows: list[list[TextBlock]] = []
    used = 0
    for block in blocks:
        size = measure_block_width(block)
        if rows and used + gap + size <= columns:
            rows[-1].append(block)
            used += gap + size
        else:
            rows.append([block])
            used = size
    return tuple(cut_line(line, columns) for row in rows for line in join_blocks(row, gap))


def stack_blocks(blocks: Iterable[TextBlock], columns: int, packed: bool) -> TextBlock:
    """Return blocks stacked vertically, except that adjacent one-line blocks share lines if they fit.

    `packed`: they share lines in any order."""
    flow = pack_parts if packed else flow_parts
    return tuple(
        line
        for short, together in groupby(blocks, key=lambda block: len(block) == 1)
        for line in (flow((block[0] for block in together), columns, 3) if short else sum(together, ()))
    )


def wrap_text(content: str, columns: int, role: str = "", indent: int = 0) -> TextBlock:
    """Return a string wrapped between words. Indent all lines but the first."""
    lines: list[str] = []
    for word in content.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and cell_len(longer) > columns:
            lines.append(" " * indent + word)
        else:
            lines[-1:] = [longer]
    return tuple(cut_line(make_line(line, role), columns) for line in lines)


def make_divider(columns: int, title: str = "") -> TextLine:
    """Return a horizontal rule with a title."""
    heading = f"── {title} " if title else ""
    return cut_line((TextSpan(heading + "─" * max(0, columns - cell_len(heading)), "rule"),), columns)


def pad_block_height(block: TextBlock, height: int) -> TextBlock:
    """Return a block padded with empty lines to a height."""
    return (*block, *[()] * (height - len(block)))


@frozen
class BoardSizes:
    """Size of each part of a table.

    `hand`, `middle`: 3 boxes, 2 fans, 1 text. `seats`: 3 columns with larger piles, 2 columns, 1 text. `spaced`: empty
    lines between the parts. `bare`: without the stacks that players have put away. `packed`: pieces of a part move
    together, instead of keeping the room that they can need."""

    hand: int
    middle: int
    seats: int
    spaced: bool = False
    bare: bool = False
    packed: bool = False

    def select(self, part: str) -> BoardSizes:
        """Return the sizes that matter for a part, so that equal parts have equal sizes."""
        if part == "middle":
            return BoardSizes(0, self.middle, 0)
        return (
            BoardSizes(self.hand, 0, 0, bare=self.bare, packed=self.packed)
            if part == "own"
            else BoardSizes(0, 0, self.seats, bare=self.bare, packed=self.packed)
        )


BOARD_SIZES = (
    BoardSizes(3, 3, 3, spaced=True),
    BoardSizes(3, 3, 3),
    BoardSizes(3, 3, 2),
    BoardSizes(3, 3, 2, bare=True),
    BoardSizes(3, 2, 2, bare=True),
    BoardSizes(2, 2, 2, bare=True),
    BoardSizes(2, 2, 1, bare=True),
    BoardSizes(2, 1, 2, bare=True),
    BoardSizes(2, 1, 1, bare=True),
    BoardSizes(2, 1, 1, bare=True, packed=True),
    BoardSizes(1, 1, 1, bare=True, packed=True),
)
"""All sizes, largest first. The first that fits is used."""


PANES = ("heading", "seats", "middle", "kinds", "own", "page", "events", "message", "prompt", "keys")
"""Names of the panes, from top to bottom. `page` replaces the table on result pages."""


@frozen
class ScreenDrawing:
    """Text of each pane of a screen, and the heights of the panes in lines, by name from top to bottom."""

    blocks: dict[str, TextBlock]
    heights: dict[str, int]

    @property
    def lines(self) -> TextBlock:
        """Return the whole text, including what scrolls."""
        blocks = (pad_block_height(self.blocks.get(name, ()), height) for name, height in self.heights.items())
        return tuple(line for block in blocks for line in block)


def build_page_drawing(top: TextBlock, bottom: TextBlock, rows: int) -> ScreenDrawing:
    """Return the drawing of a page that scrolls, with a fixed part below it."""
    heights = {"page": max(0, rows - len(bottom)), "prompt": len(bottom)}
    return ScreenDrawing({"page": top, "prompt": bottom}, heights)


@frozen
class TablePlan:
    """Sizes of the parts of a table on one screen, fixed for a match.

    `screen_size`: columns and rows of the screen. `sizes`: size of the parts. `heights`: lines of each pane.
    `is_crowded`: the screen has no room for the fullest table, so parts move instead."""

    screen_size: tuple[int, int]
    sizes: BoardSizes
    heights: dict[str, int]
    is_crowded: bool = False


@define
class LayoutState:
    """Layout state shared by consecutive frames.

    `plan`: sizes of the panes. `heights`, `widths`: minimum height or width of pieces in a pane, which never shrink.
    `fanned_piles`: piles drawn as fans. `appearance_order`: piles in order of first
    appearance. `counted_piles`: piles shown only as a count. `aligned_parts`: parts of players that are below each
    other. `own_hand`: ref of the viewer's hand. `box_sizes`: width and lines of marks of the cards of each pile
    with marks."""

    plan: TablePlan | None = None
    heights: dict[tuple[str, BoardSizes], int] = field(factory=dict)
    widths: dict[str, int] = field(factory=dict)
    fanned_piles: set[str] = field(factory=set)
    appearance_order: list[str] = field(factory=list)
    counted_piles: set[str] = field(factory=set)
    aligned_parts: set[str] = field(factory=set)
    own_hand: str = ""
    box_sizes: dict[str, tuple[int, int]] = field(factory=dict)

    def reset(self) -> None:
        """Forget all sizes, for another screen size."""
        self.plan = None
        self.heights.clear()
        self.widths.clear()
        self.aligned_parts.clear()
        self.fanned_piles.clear()

    def pad_to_earlier_height(self, name: str, sizes: BoardSizes, block: TextBlock) -> TextBlock:
        """Return a piece, at least as high as in earlier frames if pieces keep their room."""
        if sizes.packed:
            return block
        self.heights[name, sizes] = max(len(block), self.heights.get((name, sizes), 0))
        return pad_block_height(block, self.heights[name, sizes])
