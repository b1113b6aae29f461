"""The widget that shows a drawing: what fits of it, where the cursor is, what the mouse is on."""

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
"""A drawing for a width and a height."""


@frozen
class Spot:
    """Where something is drawn that can be touched: its first and last line, its first and last column."""

    ref: str
    top: int
    bottom: int
    left: int
    right: int


def spots(lines: Block) -> dict[str, Spot]:
    """Where all that can be touched is drawn, in the order of reading."""
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
    """What lies in this direction (`left`, `right`, `up`, `down`) from where the cursor is; that itself, if nothing
    does. Left and right, `previous` and `next`, go round all in the order given; `first` and `last` are the ends of the
    line."""
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
    """Shows what `draw` makes for the size it has. Of what does not fit, the upper part is scrolled."""

    DEFAULT_CSS = "Canvas { width: 1fr; height: 1fr; }"

    class Touched(Message):
        """The mouse was pressed on something."""

        def __init__(self, ref: str) -> None:
            super().__init__()
            self.ref = ref

    class Sized(Message):
        """The widget has another size: all has to be drawn anew."""

    def __init__(self, draw: Draw) -> None:
        super().__init__()
        self.draw = draw
        self.drawing = Drawing((), ())
        self.scrolled = 0

    # ------------------------------------------------------------ what is shown
    def redraw(self, follow: str = "") -> None:
        """Draws anew; scrolls so that what is at `follow` is seen."""
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
        """So many lines of the upper part are seen."""
        return max(0, self.size.height - len(self.drawing.bottom))

    def scroll_lines(self, count: int) -> None:
        self.scrolled = max(0, min(self.scrolled + count, len(self.drawing.top) - self.room))
        self.refresh()

    def lines(self) -> Iterator[Line]:
        """What is on the screen, line by line; the last of one's own cards and the question are always there."""
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
        """Where those of the refs are that are drawn, scrolled away or not, in the order of reading."""
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
    """What is touched at a column of a line."""
    x = 0
    for span in line:
        x += cell_len(span.text)
        if column < x:
            return span.ref
    return ""
