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
from cardlang.terminal.screen.cards import SIGNED
from cardlang.terminal.screen.fitting import grid
from cardlang.terminal.screen.looks import Looks

READ = {"f1": "rules", "f2": "aid", "f3": "log", "f4": "cards"}
"""By keys, the pages that they open."""
HELP = "?"
"""What opens the page of all keys, and the name of that page."""
SCORES, LOG = "── scores by deal ──", "── log ──"
WIDE = 240
"""So many columns a table of scores has at most."""
HEADING = re.compile(r"(#+) (.*)")
OPTION = re.compile(r"^\s*(?:\d+\. |- )?\*\*(?P<name>[^*]+?)(?: \([^)]*\))?:\*\*")
"""A line about an option, behind its number or bullet: `- **Redraw (1 point):** Draw a card.`"""
NUMBER = re.compile(r"^\s*(?:\d+\. |- )?")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
LONGEST = 300
"""So many letters of a rule stand at the table."""
MARKS = re.compile(r"[\\*_`]")
"""What Markdown puts between the letters."""


class Page(ModalScreen[str]):
    """A page over the table, which is scrolled, and closed by Esc, q or the key that opened it (`what` that opens); the
    key of another page goes over to that, which is what it gives. `at_end`: it opens at its end."""

    CSS = """
    Page > VerticalScroll { padding: 0 1; background: ansi_default; }
    Page > #foot { dock: bottom; height: 1; text-style: dim; }
    """

    def __init__(self, *content: Widget, at_end: bool = False) -> None:
        super().__init__()
        self.content, self.at_end, self.closing = content, at_end, False
        self.what = ""

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
        if event.key in ("escape", "q", "enter", "ctrl+c"):
            event.stop()
            self.close_once()
        elif event.key in READ or event.character == HELP:
            event.stop()
            wanted = READ.get(event.key, HELP)
            self.close_once("" if wanted == self.what else wanted)

    def close_once(self, wanted: str = "") -> None:
        """Keys that come while a page closes close nothing more."""
        if not self.closing:
            self.closing = True
            self.dismiss(wanted)


def text_page(
    markdown: str,
    sought: Sequence[str] = (),
    held: Sequence[str] = (),
    steps: Sequence[str] = (),
    options: Sequence[str] = (),
) -> Page:
    """A sheet or an aid, opened at the section that tells most of the options, else at that of the first of the steps
    that has one, else where the first of what is sought, or a step, stands that can be found. Rows of tables with what
    the viewer holds (`held`) are marked, and in the section the line that offers the options, else that with what is
    sought."""
    lines = [marked(line, held) for line in markdown.split("\n")]
    section, at = section_of(lines, steps), place_of(lines, [*sought, *steps])
    offer = offer_of(lines, options, section)
    if offer is not None:
        at, number = offer
        lines[number] = with_mark(lines[number])
    elif section is not None:
        at = section.start
        for number in lines_with([lines[each] for each in section], sought):
            lines[at + number] = with_mark(lines[at + number])
    if at is None:
        return Page(Static(Markdown(markdown)))
    here = Static(Markdown("\n".join(["> **You are here**", "", *lines[at:]])), id="here")
    return Page(Static(Markdown("\n".join(lines[:at]))), here)


def offer_of(lines: Sequence[str], options: Sequence[str], section: range | None) -> tuple[int, int] | None:
    """Where a sheet offers these options: the heading of the section that tells most of them, `section` if it is one of
    several, and the line below which the first of them stands, or that of itself: a sheet may offer them in two
    places, for whoever may check and for whoever has to call."""
    names = [option.lower() for option in options]
    told: dict[int, dict[int, str]] = {}
    heading = 0
    for number, line in enumerate(lines):
        heading = number if HEADING.match(line) else heading
        named = OPTION.match(line)
        if named is not None and named["name"].lower() in names:
            told.setdefault(heading, {})[number] = named["name"].lower()
    if not told:
        return None
    start = section.start if section is not None else -1
    best = max(told, key=lambda heading: (len({lines[each] for each in told[heading]}), heading == start, -heading))
    first = min(told[best], key=lambda number: names.index(told[best][number]))
    deep = indent(lines[first])
    above = (number for number in range(first, best, -1) if lines[number].strip() and indent(lines[number]) < deep)
    return best, next(above, first)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def section_of(lines: Sequence[str], steps: Sequence[str]) -> range | None:
    """The lines of the section that is called like the first of the steps that one is called like; of several, the
    last, as an overview stands before it."""
    heads = {number: match for number, line in enumerate(lines) if (match := HEADING.match(line))}
    for step in steps:
        for start in reversed(heads):
            if MARKS.sub("", heads[start][2]).strip().lower() == step.lower():
                level = len(heads[start][1])
                ends = (number for number in heads if number > start and len(heads[number][1]) <= level)
                return range(start, next(ends, len(lines)))
    return None


def lines_with(lines: Sequence[str], sought: Sequence[str]) -> list[int]:
    """The number of the first line, below its heading, in which the first of the texts stands that can be found;
    examples are none."""
    said = [MARKS.sub("", line).lower() for line in lines]
    for text in sought:
        plain = MARKS.sub("", text).lower().strip(" .?")
        for number, line in enumerate(said):
            if number and plain and plain in line and not is_example(lines[number]):
                return [number]
    return []


def is_example(line: str) -> bool:
    return line.lstrip().startswith((">", "**"))


def with_mark(line: str) -> str:
    """A line of a sheet with a mark, behind its number if it has one."""
    number = NUMBER.match(line)
    at = number.end() if number is not None else 0
    return f"{line[:at]}**▶** {line[at:]}"


def rule_of(markdown: str, sought: Sequence[str], steps: Sequence[str]) -> str:
    """What a sheet says at the step that is on, in plain words: the line with what is sought; empty, if it has none. Of
    what is long the beginning."""
    lines = markdown.split("\n")
    section = section_of(lines, steps)
    if section is None:
        return ""
    own = [lines[each] for each in section]
    found = lines_with(own, sought)[:1]
    said = "".join(LINK.sub(r"\1", MARKS.sub("", NUMBER.sub("", own[number], count=1))).strip() for number in found)
    return said if len(said) <= LONGEST else said[:LONGEST].rpartition(" ")[0] + " … (F1)"


def clause_of(markdown: str, name: str, steps: Sequence[str]) -> str:
    """What a sheet says of an option at the step that is on: `Redraw (1 point): Draw a card.`; empty, if nothing."""
    lines = markdown.split("\n")
    section = section_of(lines, steps)
    begins = re.compile(rf"{re.escape(name)}( \([^)]*\))?:", re.IGNORECASE)
    said = (MARKS.sub("", NUMBER.sub("", lines[each], count=1)).strip() for each in section or ())
    return next((LINK.sub(r"\1", each) for each in said if begins.match(each)), "")


def with_legend(markdown: str, looks: Looks) -> str:
    """An aid, and at its end what the letters on the cards stand for, and the signs around them."""
    letters = looks.legend(range(len(looks.game.faces)))
    told = [*([f"{', '.join(letters)}."] if letters else []), f"{'; '.join(SIGNED)}."]
    return f"{markdown}\n\n## On the cards\n\n" + "\n\n".join(each.replace("*", "\\*") for each in told) + "\n"


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


def log_page(lines: Sequence[str], looks: Looks, seen: int = 0, scores: Sequence[Sequence[str]] = ()) -> Page:
    """The scores deal after deal, and what happened, opened at its end; where the viewer had seen some of it at their
    last move (`seen` lines), at what came since."""
    told = [looks.signed(visible_lines(line)) for line in lines]
    sheet = ["".join(span.text for span in line) for line in grid(scores[0], scores[1:], WIDE)] if scores else []
    head = [SCORES, *sheet, LOG] if sheet else []
    if not 0 < seen < len(told):
        return Page(Static(Text("\n".join([*head, *told]))), at_end=True)
    since = Static(Text("\n".join(["── since your last move ──", *told[seen:]])), id="here")
    return Page(Static(Text("\n".join([*head, *told[:seen]]))), since)


def cards_page(looks: Looks, captions: Mapping[int, str]) -> Page:
    """Every card with what is printed on it."""
    told = Text()
    for face in looks.game.faces:
        look = looks.make(face)
        told.append(f" {look.label} ", style=f"{look.ink} on #fbfaf5")
        told.append(f"  {captions.get(face.number, face.title)}\n")
    return Page(Static(told))
