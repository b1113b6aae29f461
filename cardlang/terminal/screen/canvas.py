"""Textual widget that displays a drawing: scrolling, cursor visibility, hit testing of the mouse."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from attrs import frozen
from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from cardlang.terminal.screen.blocks import Block, Line, text
from cardlang.terminal.screen.board import Drawing
from cardlang.terminal.screen.palette import strip

Draw = Callable[[int, int], Drawing]
"""Function that returns a drawing for a width and a height."""


@frozen
class Spot:
    """Bounding box of a ref: first and last line, first and last column."""

    ref: str
    top: int
    bottom: int
    left: int
    right: int


def spots(lines: Block) -> dict[str, Spot]:
    """Return the bounding box of each ref, in reading order."""
    found: dict[str, Spot] = {}
    for y, line in enumerate(lines):
        x = 0
        for span in line:
            end = x + cell_len(span.text)
            if span.ref:
                old = found.get(span.ref, Spot(span.ref, y, y, x, end - 1))
                found[span.ref] = Spot(span.ref, old.top, y, min(old.left, x), max(old.right, end - 1))
            x = end
    return found


def neighbour(found: dict[str, Spot], at: str, way: str) -> str:
    """Return the nearest ref in a direction: `left`, `right`, `up` or `down`. If there is none, return `at`.

    Left, right, `previous` and `next` wrap around in the order given. `first` and `last` are the ends of the line."""
    here = found.get(at)
    if here is None:
        return next(iter(found), "")
    order = list(found.values())
    line = sorted((spot for spot in order if spot.top == here.top), key=lambda spot: spot.left)
    if way in ("first", "last"):
        return line[-1 if way == "last" else 0].ref
    if way in ("left", "right", "previous", "next"):
        by = 1 if way in ("right", "next") else -1
        return order[(order.index(here) + by) % len(order)].ref
    if way == "up":
        beyond = [(here.top - spot.bottom, spot) for spot in order if spot.bottom < here.top]
    else:
        beyond = [(spot.top - here.bottom, spot) for spot in order if spot.top > here.bottom]
    middle = here.left + here.right
    nearest = min((far for far, _ in beyond), default=0)
    return min(
        (spot for far, spot in beyond if far <= nearest + 1),
        key=lambda spot: abs(spot.left + spot.right - middle),
        default=here,
    ).ref


class Canvas(Widget, can_focus=True):
    """Widget that shows the result of `draw` for its size. If it doesn't fit, the upper part scrolls."""

    DEFAULT_CSS = "Canvas { width: 1fr; height: 1fr; }"

    class Touched(Message):
        """Message after a mouse press on a ref."""

        def __init__(self, ref: str) -> None:
            super().__init__()
            self.ref = ref

    class Sized(Message):
        """Message after a change of size: everything must be drawn again."""

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw
        self.drawing = Drawing((), ())
        self.scrolled = 0

    # ------------------------------------------------------------ drawing and scrolling
    def redraw(self, follow: str = "") -> None:
        """Redraw, and scroll so that the ref `follow` is visible."""
        columns, rows = self.size
        if not columns or not rows:
            return
        self.drawing = self.draw(columns, rows)
        spot = spots(self.drawing.top).get(follow)
        if spot is not None and not self.scrolled <= spot.top <= spot.bottom < self.scrolled + self.room:
            self.scrolled = spot.top
        self.scroll_lines(0)

    @property
    def room(self) -> int:
        """Return the number of visible lines of the upper part."""
        return max(0, self.size.height - len(self.drawing.bottom))

    def scroll_lines(self, count: int) -> None:
        self.scrolled = max(0, min(self.scrolled + count, len(self.drawing.top) - self.room))
        self.refresh()

    def lines(self) -> Iterator[Line]:
        """Yield the visible lines. The bottom part is always visible."""
        top, bottom = self.drawing.top, self.drawing.bottom
        seen = list(top[self.scrolled : self.scrolled + self.room])
        if self.scrolled + self.room < len(top) and seen:
            seen[-1] = text("▼ PgDn: more", "dim")
        yield from seen
        yield from [()] * (self.room - len(seen))
        yield from bottom[max(0, len(bottom) - self.size.height) :]

    def render_line(self, y: int) -> Strip:
        shown = tuple(self.lines())
        few = self.app.console.color_system == "standard"
        return strip(shown[y] if y < len(shown) else (), self.size.width, few)

    def reachable(self, refs: Container[str]) -> dict[str, Spot]:
        """Return the bounding box of each given ref that is drawn, even if scrolled out of view, in reading order."""
        found = spots((*self.drawing.top, *self.drawing.bottom)).values()
        return {spot.ref: spot for spot in sorted(found, key=lambda spot: (spot.top, spot.left)) if spot.ref in refs}

    # ------------------------------------------------------------ events
    def on_resize(self, event: events.Resize) -> None:
        self.post_message(self.Sized())

    def on_mouse_down(self, event: events.MouseDown) -> None:
        shown = tuple(self.lines())
        ref = ref_at(shown[event.y], event.x) if event.y < len(shown) else ""
        if ref:
            self.post_message(self.Touched(ref))

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        self.scroll_lines(2)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        self.scroll_lines(-2)


def ref_at(line: Line, column: int) -> str:
    """Return the ref at a column of a line, or an empty string."""
    x = 0
    for span in line:
        x += cell_len(span.text)
        if column < x:
            return span.ref
    return ""
