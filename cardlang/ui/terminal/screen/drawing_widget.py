"""Textual widget for a drawing, with mouse, scrolling and colours.

Everything but the cards uses the terminal's own colours, readable on dark and light. Cards have a paper colour, so
black suits are visible on both.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import cache

from attrs import frozen
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from cardlang.ui.terminal.screen.table_layout import ScreenDrawing
from cardlang.ui.terminal.screen.text_blocks import TextBlock, TextLine, TextSpan, make_line

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
    return Strip([render_segment(span, has_few_colours) for span in line]).adjust_cell_length(columns, Style.null())


def render_segment(span: TextSpan, has_few_colours: bool) -> Segment:
    return Segment(span.text, get_terminal_style(span.role, span.ink, has_few_colours))


DrawFunction = Callable[[int, int], ScreenDrawing]
"""Function that returns a drawing for a width and a height."""


@frozen
class RefBox:
    """Bounding box of a ref: first and last line, first and last column."""

    ref: str
    top: int
    bottom: int
    left: int
    right: int


def find_ref_boxes(lines: TextBlock) -> dict[str, RefBox]:
    """Return the bounding box of each ref, in reading order."""
    boxes: dict[str, RefBox] = {}
    for y, line in enumerate(lines):
        x = 0
        for span in line:
            end = x + cell_len(span.text)
            if span.ref:
                old = boxes.get(span.ref, RefBox(span.ref, y, y, x, end - 1))
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


class DrawingWidget(Widget, can_focus=True):
    """Widget that shows the result of `draw` for its size. If it doesn't fit, the upper part scrolls."""

    DEFAULT_CSS = "DrawingWidget { width: 1fr; height: 1fr; }"

    class Touched(Message):
        """Message after a mouse press on a ref."""

        def __init__(self, ref: str) -> None:
            super().__init__()
            self.ref = ref

    class Sized(Message):
        """Message after a change of size: everything must be drawn again."""

    def __init__(self, draw: DrawFunction) -> None:
        super().__init__()
        self.draw = draw
        self.drawing = ScreenDrawing((), ())
        self.scrolled = 0

    # ------------------------------------------------------------ drawing and scrolling
    def redraw(self, follow: str = "") -> None:
        """Redraw, and scroll so that the ref `follow` is visible."""
        columns, rows = self.size
        if not columns or not rows:
            return
        self.drawing = self.draw(columns, rows)
        spot = find_ref_boxes(self.drawing.top).get(follow)
        if spot is not None and not self.scrolled <= spot.top <= spot.bottom < self.scrolled + self.visible_rows:
            self.scrolled = spot.top
        self.scroll_lines(0)

    @property
    def visible_rows(self) -> int:
        """Return the number of visible lines of the upper part."""
        return max(0, self.size.height - len(self.drawing.bottom))

    def scroll_lines(self, count: int) -> None:
        self.scrolled = max(0, min(self.scrolled + count, len(self.drawing.top) - self.visible_rows))
        self.refresh()

    def get_visible_lines(self) -> Iterator[TextLine]:
        """Yield the visible lines. The bottom part is always visible."""
        top, bottom = self.drawing.top, self.drawing.bottom
        seen = list(top[self.scrolled : self.scrolled + self.visible_rows])
        if self.scrolled + self.visible_rows < len(top) and seen:
            seen[-1] = make_line("▼ PgDn: more", "dim")
        yield from seen
        yield from [()] * (self.visible_rows - len(seen))
        yield from bottom[max(0, len(bottom) - self.size.height) :]

    def render_line(self, y: int) -> Strip:
        shown = tuple(self.get_visible_lines())
        few = self.app.console.color_system == "standard"
        return render_strip(shown[y] if y < len(shown) else (), self.size.width, few)

    def find_drawn_refs(self, refs: Container[str]) -> dict[str, RefBox]:
        """Return the bounding box of each given ref that is drawn, even if scrolled out of view, in reading order."""
        boxes = find_ref_boxes((*self.drawing.top, *self.drawing.bottom)).values()
        return {spot.ref: spot for spot in sorted(boxes, key=lambda spot: (spot.top, spot.left)) if spot.ref in refs}

    # ------------------------------------------------------------ events
    def on_resize(self, event: events.Resize) -> None:
        self.post_message(self.Sized())

    def on_mouse_down(self, event: events.MouseDown) -> None:
        shown = tuple(self.get_visible_lines())
        ref = find_ref_at(shown[event.y], event.x) if event.y < len(shown) else ""
        if ref:
            self.post_message(self.Touched(ref))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.scroll_lines(2)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.scroll_lines(-2)


def find_ref_at(line: TextLine, column: int) -> str:
    """Return the ref at a column of a line, or an empty string."""
    x = 0
    for span in line:
        x += cell_len(span.text)
        if column < x:
            return span.ref
    return ""
