"""Replay viewer: step through a recorded match choice by choice."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult

from cardlang.plain_text import visible
from cardlang.terminal.screen.board import Board, Drawing
from cardlang.terminal.screen.canvas import Canvas
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.pages import Page, log_page
from interpreter.matches.match import Match

STEPS = {"left": -1, "right": 1, "up": -10, "down": 10, "pageup": -10, "pagedown": 10, "space": 1, "enter": 1}


class Stepper(App[None]):
    """Application that steps through a match.

    `before(n)` returns the match after `n` choices. `viewer`: player whose view is shown, None for a spectator."""

    ENABLE_COMMAND_PALETTE = False
    CSS = "Screen { overflow: hidden; }"

    def __init__(self, match: Match, before: Callable[[int], Match], looks: Looks, viewer: str | None) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.last, self.before, self.looks = len(match.choices), before, looks
        self.eyes: list[str | None] = [None, *match.players] if viewer is None else [viewer]
        self.eye, self.at = 0, 0
        self.match = before(0)

    def compose(self) -> ComposeResult:
        yield Canvas(self.drawn)

    def on_mount(self) -> None:
        self.query_one(Canvas).focus()

    def drawn(self, columns: int, rows: int) -> Drawing:
        viewer = self.eyes[self.eye]
        whose = f"as {visible(viewer)} saw it" if viewer is not None else "as a spectator saw it"
        keys = (
            "← → step   ↑ ↓ ten   Home End   " + ("v change view   " if len(self.eyes) > 1 else "") + "F3 log   q quit"
        )
        said = f"Decision {self.at} of {self.last}, {whose}\n{keys}"
        return Board(self.match.table(viewer), self.looks, columns, message=said).fitted(rows)

    def on_canvas_sized(self, event: Canvas.Sized) -> None:
        self.query_one(Canvas).redraw()

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.screen, Page):
            return
        event.prevent_default()
        if event.key in ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q"):
            self.exit()
        elif event.key == "v":
            self.eye = (self.eye + 1) % len(self.eyes)
            self.query_one(Canvas).redraw()
        elif event.key == "f3":
            self.push_screen(log_page(self.match.view(self.eyes[self.eye]).log, self.looks))
        elif event.key in ("home", "end"):
            self.go(0 if event.key == "home" else self.last)
        elif event.key in STEPS:
            self.go(self.at + STEPS[event.key])

    def go(self, at: int) -> None:
        """Show the match after a number of choices."""
        at = max(0, min(at, self.last))
        if at != self.at:
            self.at, self.match = at, self.before(at)
            self.query_one(Canvas).redraw()
