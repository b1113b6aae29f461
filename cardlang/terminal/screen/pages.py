"""What is read beside the table: the rules, the aid, what is printed on the cards, what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Markdown, Static

from cardlang.plain_text import visible_lines
from cardlang.terminal.screen.looks import Looks


class Page(ModalScreen[None]):
    """A page over the table, which is scrolled, and closed by Esc, q or the key that opened it. `at_end`: it opens at
    its end."""

    CSS = """
    Page > VerticalScroll { padding: 0 1; background: ansi_default; }
    Page > #foot { dock: bottom; height: 1; text-style: dim; }
    """

    def __init__(self, content: Widget, at_end: bool = False) -> None:
        super().__init__()
        self.content, self.at_end = content, at_end

    def compose(self) -> ComposeResult:
        yield VerticalScroll(self.content)
        yield Static("↑ ↓ PgUp PgDn: scroll   Esc: back to the table", id="foot")

    def on_mount(self) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self.at_end:
            scroll.scroll_end(animate=False)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in ("escape", "q", "f1", "f2", "f3", "f4", "enter", "ctrl+c"):
            self.dismiss()


def text_page(markdown: str, words: str = "") -> Page:
    """A sheet or an aid. `words`: where it is to be opened."""
    return Page(Markdown(markdown))


def log_page(lines: Sequence[str]) -> Page:
    return Page(Static(Text(visible_lines("\n".join(lines)))), at_end=True)


def cards_page(looks: Looks, captions: Mapping[int, str]) -> Page:
    """Every card with what is printed on it."""
    told = Text()
    for face in looks.game.faces:
        look = looks.make(face)
        told.append(f" {look.label} ", style=f"{look.ink} on #fbfaf5")
        told.append(f"  {captions.get(face.number, face.title)}\n")
    return Page(Static(told))
