"""The small screen that asks how many play, where a game takes several numbers and nobody has said one."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from cardlang.plain_text import visible

KEYS = "← → or a number choose   Enter play   q leave"
LEAVING = ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q")
FEWER, MORE = ("left", "up"), ("right", "down")


class CountScreen(Screen[int | None]):
    """Gives how many of `counts` play; None if the person leaves. `count`: what Enter alone takes; `bot`: who sits
    opposite."""

    CSS = """
    CountScreen { layout: vertical; background: ansi_default; }
    #counted { text-style: bold; height: auto; }
    #counts, #against { height: auto; }
    #rest { height: 1fr; }
    #count-keys { height: 1; text-style: dim; }
    """

    def __init__(self, title: str, counts: Sequence[int], count: int, bot: str) -> None:
        super().__init__()
        self.game, self.counts, self.count, self.bot = title, counts, count, bot
        self.typed = ""

    def compose(self) -> ComposeResult:
        yield Static(visible(self.game), id="counted", markup=False)
        yield Static(id="counts", markup=False)
        yield Static(id="against", markup=False)
        yield Static(id="rest")
        yield Static(KEYS, id="count-keys", markup=False)

    def on_mount(self) -> None:
        self.show()

    def show(self) -> None:
        each = [(f" {count} ", "reverse" if count == self.count else "") for count in self.counts]
        self.query_one("#counts", Static).update(Text.assemble("\nHow many play? ", *each))
        self.query_one("#against", Static).update(Text(f"\n{against(self.count, self.bot)}"))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in (*LEAVING, "enter"):
            self.dismiss(self.count if event.key == "enter" else None)
            return
        if event.key in (*FEWER, *MORE):
            at = self.counts.index(self.count) + (1 if event.key in MORE else -1)
            self.count, self.typed = self.counts[at % len(self.counts)], ""
        elif event.character is not None and event.character.isascii() and event.character.isdigit():
            self.type(event.character)
        self.show()

    def type(self, digit: str) -> None:
        """A digit goes on with the one before, if some number is written so, or begins a number."""
        begun = [each for each in (self.typed + digit, digit) if any(str(n).startswith(each) for n in self.counts)]
        self.typed = begun[0] if begun else ""
        if self.typed and int(self.typed) in self.counts:
            self.count = int(self.typed)


class CountApp(App[int]):
    """The screen by itself."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, asking: CountScreen) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.asking = asking

    def on_mount(self) -> None:
        self.push_screen(self.asking, self.exit)


def against(count: int, bot: str) -> str:
    """`You and two steady bots.`"""
    if count == 1:
        return "You play alone."
    return f"You and {'one' if count == 2 else count - 1} {bot} bot{'s' * (count > 2)}."
