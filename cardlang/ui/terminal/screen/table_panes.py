"""Textual widgets of the screen: a grid of panes with styled text, mouse and scrolling.

Everything but the cards uses the terminal's own colours, readable on dark and light. Cards have a paper colour, so
black suits are visible on both.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from functools import cache

from attrs import frozen
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.containers import Container as GridContainer
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cardlang.ui.terminal.screen.text_blocks import (
    PANES,
    ScreenDrawing,
    TextBlock,
    TextLine,
    make_line,
)

PLAIN_STYLES = {
    "": "", "dim": "dim", "rule": "dim", "title": "bold", "name": "bold", "out": "dim strike", "question": "bold",
    "note": "italic", "key": "bold", "button": "", "number": "bold", "closed": "dim",
}  # fmt: skip
PAPER_COLORS = {
    "paper": ("#fbfaf5", "bright_white"),
    "shade": ("#b4b2ab", "white"),
    "chosen": ("#ffd970", "bright_yellow"),
    "back": ("#c9d8e8", "bright_cyan"),
    "cursor": ("#a8dcff", "bright_green"),
}
"""Paper colours of cards by role: true colour, and one of 16."""


@cache
def get_terminal_style(role: str, ink: str, has_few_colours: bool) -> Style:
    """Return the style of a role and an ink colour.

    `has_few_colours`: the terminal has only 16 colours."""
    base, _, cursor = role.partition(".")
    if base not in PAPER_COLORS:
        return Style.parse(PLAIN_STYLES[base]) + Style(reverse=bool(cursor))
    paper = PAPER_COLORS["cursor" if cursor and base != "chosen" else base][has_few_colours]
    return Style(color=ink or "#333333", bgcolor=paper, bold=bool(cursor) or base == "chosen", dim=None)


def render_strip(line: TextLine, columns: int, has_few_colours: bool) -> Strip:
    """Return a line as a Textual strip, padded to a width.

    Each segment has a style, as required by Textual's filters for NO_COLOR."""
    segments = [Segment(span.text, get_terminal_style(span.role, span.ink, has_few_colours)) for span in line]
    return Strip(segments).adjust_cell_length(columns, Style.null())


@frozen
class RefBox:
    """Bounding box of a ref: first and last line, first and last column."""

    ref: str
    top: int
    bottom: int
    left: int
    right: int


def find_ref_boxes(lines: TextBlock) -> dict[str, RefBox]:
    """Return the bounding box of each ref, in reading order.

    A ref can return further down, as the target of a button. That place is no part of its box."""
    boxes: dict[str, RefBox] = {}
    for y, line in enumerate(lines):
        x = 0
        for span in line:
            end = x + cell_len(span.text)
            if span.ref:
                old = boxes.get(span.ref, RefBox(span.ref, y, y, x, end - 1))
                if y <= old.bottom + 1:
                    boxes[span.ref] = RefBox(span.ref, old.top, y, min(old.left, x), max(old.right, end - 1))
            x = end
    return boxes


def find_neighbour(boxes: dict[str, RefBox], ref: str, direction: str) -> str:
    """Return the nearest ref in a direction: `left`, `right`, `up` or `down`. If there is none, return `ref`.

    Left, right, `previous` and `next` wrap around in the order given. `first` and `last` are the ends of the line."""
    current_box = boxes.get(ref)
    if current_box is None:
        return next(iter(boxes), "")
    order = list(boxes.values())
    line = sorted((spot for spot in order if spot.top == current_box.top), key=lambda spot: spot.left)
    if direction in ("first", "last"):
        return line[-1 if direction == "last" else 0].ref
    if direction in ("left", "right", "previous", "next"):
        by = 1 if direction in ("right", "next") else -1
        return order[(order.index(current_box) + by) % len(order)].ref
    if direction == "up":
        beyond = [(current_box.top - spot.bottom, spot) for spot in order if spot.bottom < current_box.top]
    else:
        beyond = [(spot.top - current_box.bottom, spot) for spot in order if spot.top > current_box.bottom]
    middle = current_box.left + current_box.right
    nearest = min((far for far, _ in beyond), default=0)
    return min(
        (spot for far, spot in beyond if far <= nearest + 1),
        key=lambda spot: abs(spot.left + spot.right - middle),
        default=current_box,
    ).ref


class TextPane(ScrollView, can_focus=False):
    """Pane that shows a block of text. A longer block scrolls: the last line counts the hidden ones."""

    DEFAULT_CSS = "TextPane { overflow: hidden auto; scrollbar-size: 0 0; }"
    block: TextBlock = ()
    rows = 0

    def show(self, block: TextBlock, height: int, follow: str) -> None:
        """Show a block, scrolled so that the ref `follow` is visible. `height`: new height of the pane in lines."""
        while block and not block[-1]:
            block = block[:-1]
        self.block, self.rows, self.display = block, height, height > 0
        self.virtual_size = Size(self.size.width, len(block))
        top = min(round(self.scroll_y), max(0, len(block) - height)) if height else 0
        spot = find_ref_boxes(block).get(follow)
        if spot is not None and not top <= spot.top <= spot.bottom < top + height - (top + height < len(block)):
            top = max(0, min(spot.top, len(block) - height))
        self.scroll_to(y=top, animate=False, force=True)
        self.refresh()

    def get_line(self, y: int) -> TextLine:
        """Return a visible line by its place in the pane."""
        place = y + round(self.scroll_y)
        hidden = len(self.block) - place
        if y == self.rows - 1 and y and hidden > 1:
            return make_line(f"▼ PgDn: {hidden} more", "dim")
        return self.block[place] if place < len(self.block) else ()

    def render_line(self, y: int) -> Strip:
        return render_strip(self.get_line(y), self.size.width, self.app.console.color_system == "standard")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        for spot in find_ref_boxes((self.get_line(event.y),)).values():
            if spot.left <= event.x <= spot.right:
                self.post_message(TableGrid.Touched(spot.ref))


class TableGrid(GridContainer, can_focus=True):
    """Grid of panes that shows the result of `draw` for its width and height."""

    DEFAULT_CSS = "TableGrid { layout: grid; grid-size: 1; width: 1fr; height: 1fr; overflow: hidden; }"

    class Touched(Message):
        """Message after a mouse press on a ref."""

        def __init__(self, ref: str) -> None:
            super().__init__()
            self.ref = ref

    class Sized(Message):
        """Message after a change of size: everything must be drawn again."""

    def __init__(self, draw: Callable[[int, int], ScreenDrawing]) -> None:
        super().__init__()
        self.draw = draw
        self.drawing = ScreenDrawing({}, {})

    def compose(self) -> ComposeResult:
        for name in PANES:
            yield TextPane(id=name)

    def redraw(self, follow: str = "") -> None:
        """Redraw, and scroll so that the ref `follow` is visible."""
        columns, rows = self.size
        if not columns or not rows:
            return
        drawing = self.drawing = self.draw(columns, rows)
        self.styles.grid_rows = " ".join(str(height) for height in drawing.heights.values() if height)
        for pane in self.query(TextPane):
            name = pane.id or ""
            pane.show(drawing.blocks.get(name, ()), drawing.heights.get(name, 0), follow)

    def scroll_lines(self, count: int) -> None:
        for pane in self.query(TextPane):
            pane.scroll_relative(y=count, animate=False)

    def find_drawn_refs(self, refs: Container[str]) -> dict[str, RefBox]:
        """Return the bounding box of each given ref that is drawn, even if scrolled out of view, in reading order."""
        boxes = find_ref_boxes(self.drawing.lines).values()
        return {spot.ref: spot for spot in sorted(boxes, key=lambda spot: (spot.top, spot.left)) if spot.ref in refs}

    def on_resize(self, event: events.Resize) -> None:
        self.post_message(self.Sized())
