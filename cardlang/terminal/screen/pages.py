"""What is read beside the table: the rules, the aid, what is printed on the cards, what happened."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.markdown import Markdown
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from cardlang.plain_text import visible_lines
from cardlang.terminal.screen.looks import Looks

MARKS = re.compile(r"[\\*_`]")
"""What Markdown puts between the letters."""


class Page(ModalScreen[None]):
    """A page over the table, which is scrolled, and closed by Esc, q or the key that opened it. `at_end`: it opens at
    its end."""

    CSS = """
    Page > VerticalScroll { padding: 0 1; background: ansi_default; }
    Page > #foot { dock: bottom; height: 1; text-style: dim; }
    """

    def __init__(self, *content: Widget, at_end: bool = False) -> None:
        super().__init__()
        self.content, self.at_end, self.closing = content, at_end, False

    def compose(self) -> ComposeResult:
        yield VerticalScroll(*self.content)
        yield Static("↑ ↓ PgUp PgDn Home End: scroll   Esc: back to the table", id="foot")

    def on_mount(self) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self.at_end:
            scroll.scroll_end(animate=False)
        for here in self.query("#here"):
            self.call_after_refresh(scroll.scroll_to_widget, here, animate=False, top=True)

    def on_key(self, event: events.Key) -> None:
        """Closes the page; every other key goes on to where Textual finds what scrolls."""
        if event.key in ("escape", "q", "f1", "f2", "f3", "f4", "enter", "ctrl+c"):
            event.stop()
            self.close_once()

    def close_once(self) -> None:
        """Keys that come while a page closes close nothing more."""
        if not self.closing:
            self.closing = True
            self.dismiss()


def text_page(markdown: str, sought: Sequence[str] = (), held: Sequence[str] = ()) -> Page:
    """A sheet or an aid, opened where the first of what is sought stands that can be found. Rows of tables with what
    the viewer holds (`held`) are marked."""
    lines = [marked(line, held) for line in markdown.split("\n")]
    at = place_of(lines, sought)
    if at is None:
        return Page(Static(Markdown(markdown)))
    here = Static(Markdown("\n".join(["> **You are here**", "", *lines[at:]])), id="here")
    return Page(Static(Markdown("\n".join(lines[:at]))), here)


def with_legend(markdown: str, looks: Looks) -> str:
    """An aid, and at its end what the letters on the cards stand for."""
    told = looks.legend(range(len(looks.game.faces)))
    return f"{markdown}\n\n## On the cards\n\n{', '.join(told)}.\n" if told else markdown


def rank_in(markdown: str, reading: str) -> str:
    """The title of a rank as a table has it: `Two pair` of `Two pair (kings and fives)`. Itself, if none has it."""
    titles = (reading, reading.partition(" (")[0], reading.rpartition(" of ")[0])
    return next((title for title in titles if title and f"| {title} |" in markdown), reading)


def marked(line: str, held: Sequence[str]) -> str:
    """A row of a table in which a cell is one of the ranks held, with a mark."""
    cells = line.split("|")
    own = [at for at, cell in enumerate(cells) if MARKS.sub("", cell).strip() in held and cell.strip()]
    return "|".join(f" **▶ {cell.strip()}** (yours) " if at in own else cell for at, cell in enumerate(cells))


def place_of(lines: Sequence[str], sought: Sequence[str]) -> int | None:
    """The line that begins the paragraph, or the list, in which one of the texts stands."""
    said = [MARKS.sub("", line).lower() for line in lines]
    for text in sought:
        plain = MARKS.sub("", text).lower().strip(" .")
        for number, line in enumerate(said):
            if plain and plain in line:
                return max((at for at in range(number + 1) if at == 0 or not said[at - 1]), default=0)
    return None


def log_page(lines: Sequence[str], looks: Looks) -> Page:
    return Page(Static(Text(looks.signed(visible_lines("\n".join(lines))))), at_end=True)


def cards_page(looks: Looks, captions: Mapping[int, str]) -> Page:
    """Every card with what is printed on it."""
    told = Text()
    for face in looks.game.faces:
        look = looks.make(face)
        told.append(f" {look.label} ", style=f"{look.ink} on #fbfaf5")
        told.append(f"  {captions.get(face.number, face.title)}\n")
    return Page(Static(told))
