"""Pages shown over the table: rules, player aid, card captions, log."""

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
from cardlang.terminal.captions import caption_after
from cardlang.terminal.screen.cards import SIGNED
from cardlang.terminal.screen.fitting import grid
from cardlang.terminal.screen.looks import Looks

READ = {"f1": "rules", "f2": "aid", "f3": "log", "f4": "cards"}
"""Pages by the keys that open them."""
HELP = "?"
"""Key that opens the page of all keys, and that page's name."""
SCORES, LOG = "── scores by deal ──", "── log ──"
WIDE = 240
"""Maximum width of a table of scores, in columns."""
HEADING = re.compile(r"(#+) (.*)")
OPTION = re.compile(r"^\s*(?:\d+\. |- )?\*\*(?P<name>[^*]+?)(?: \([^)]*\))?:\*\*")
"""Line about an option, after its number or bullet: `- **Redraw (1 point):** Draw a card.`"""
NUMBER = re.compile(r"^\s*(?:\d+\. |- )?")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
LONGEST = 300
"""Maximum length of a rule quoted at the table, in characters."""
MARKS = re.compile(r"[\\*_`]")
"""Markdown markup between the letters."""


class Page(ModalScreen[str]):
    """Scrollable page over the table. Esc, q or its own key closes it.

    `what`: name of this page. The key of another page closes this one and returns the other's name. `at_end`: start
    scrolled to the end."""

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
        """Close the page, or pass the key on to Textual for scrolling."""
        if event.key in ("escape", "q", "enter", "ctrl+c"):
            event.stop()
            self.close_once()
        elif event.key in READ or event.character == HELP:
            event.stop()
            wanted = READ.get(event.key, HELP)
            self.close_once("" if wanted == self.what else wanted)

    def close_once(self, wanted: str = "") -> None:
        """Close the page. Later keys have no effect on a page that is closing."""
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
    """Return a page with a rulebook or player aid, scrolled to the current place.

    That is the section with most of the options, else the section of the first matching step. Without either, it is the
    first paragraph that contains one of the strings in `sought` or a step. Table rows with the viewer's ranks (`held`)
    are marked. In the section, the line of the options is marked, else the line with a string of `sought`."""
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
    """Return the heading and the line where a rulebook offers these options, or None.

    The heading is that of the section with most of the options; among equals, `section`. The line is the parent of the
    first option, or the option itself. A rulebook can offer a set of options twice: for a player who can check, and for
    a player who must call."""
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
    """Return the lines of the section named like the first matching step, or None.

    If several sections match, the last one counts, because an overview comes first."""
    heads = {number: match for number, line in enumerate(lines) if (match := HEADING.match(line))}
    for step in steps:
        for start in reversed(heads):
            if MARKS.sub("", heads[start][2]).strip().lower() == step.lower():
                level = len(heads[start][1])
                ends = (number for number in heads if number > start and len(heads[number][1]) <= level)
                return range(start, next(ends, len(lines)))
    return None


def lines_with(lines: Sequence[str], sought: Sequence[str]) -> list[int]:
    """Return the first line after the heading that contains one of the strings, in order, as a list.

    Examples are skipped."""
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
    """Return a line of a rulebook with a mark, after its number or bullet."""
    number = NUMBER.match(line)
    at = number.end() if number is not None else 0
    return f"{line[:at]}**▶** {line[at:]}"


def rule_of(markdown: str, sought: Sequence[str], steps: Sequence[str]) -> str:
    """Return the rulebook's sentence for the current step that contains a string of `sought`, as plain text.

    Empty if there is none. Long sentences are cut."""
    lines = markdown.split("\n")
    section = section_of(lines, steps)
    if section is None:
        return ""
    own = [lines[each] for each in section]
    found = lines_with(own, sought)[:1]
    said = "".join(LINK.sub(r"\1", MARKS.sub("", NUMBER.sub("", own[number], count=1))).strip() for number in found)
    return said if len(said) <= LONGEST else said[:LONGEST].rpartition(" ")[0] + " … (F1)"


def clause_of(markdown: str, name: str, steps: Sequence[str]) -> str:
    """Return the rulebook's entry for an option of the current step, or an empty string.

    Example: `Redraw (1 point): Draw a card.`"""
    lines = markdown.split("\n")
    section = section_of(lines, steps)
    begins = re.compile(rf"{re.escape(name)}( \([^)]*\))?:", re.IGNORECASE)
    said = (MARKS.sub("", NUMBER.sub("", lines[each], count=1)).strip() for each in section or ())
    return next((LINK.sub(r"\1", each) for each in said if begins.match(each)), "")


def with_legend(markdown: str, looks: Looks) -> str:
    """Return a player aid with a legend of letters and symbols on cards at its end."""
    letters = looks.legend(range(len(looks.game.faces)))
    told = [*([f"{', '.join(letters)}."] if letters else []), f"{'; '.join(SIGNED)}."]
    return f"{markdown}\n\n## On the cards\n\n" + "\n\n".join(each.replace("*", "\\*") for each in told) + "\n"


def rank_in(markdown: str, reading: str) -> str:
    """Return the title of a rank as listed in the aid, such as `Two pair` for `Two pair (kings and fives)`.

    Return the reading itself if no title matches."""
    titles = (reading, reading.partition(" (")[0], reading.rpartition(" of ")[0])
    return next((title for title in titles if title and f"| {title} |" in markdown), reading)


def marked(line: str, held: Sequence[str]) -> str:
    """Return a table row, with the cell marked that contains one of the viewer's ranks."""
    cells = line.split("|")
    own = [at for at, cell in enumerate(cells) if MARKS.sub("", cell).strip() in held and cell.strip()]
    return "|".join(f" **▶ {cell.strip()}** (yours) " if at in own else cell for at, cell in enumerate(cells))


def place_of(lines: Sequence[str], sought: Sequence[str]) -> int | None:
    """Return the first line of the paragraph or list that contains one of the strings, or None."""
    said = [MARKS.sub("", line).lower() for line in lines]
    for text in sought:
        plain = MARKS.sub("", text).lower().strip(" .")
        for number, line in enumerate(said):
            if plain and plain in line:
                return max((at for at in range(number + 1) if at == 0 or not said[at - 1]), default=0)
    return None


def log_page(lines: Sequence[str], looks: Looks, seen: int = 0, scores: Sequence[Sequence[str]] = ()) -> Page:
    """Return a page with the scores of each deal and the log.

    It starts at the end, or after the first `seen` lines: the events since the viewer's last move."""
    told = [looks.signed(visible_lines(line)) for line in lines]
    sheet = ["".join(span.text for span in line) for line in grid(scores[0], scores[1:], WIDE)] if scores else []
    head = [SCORES, *sheet, LOG] if sheet else []
    if not 0 < seen < len(told):
        return Page(Static(Text("\n".join([*head, *told]))), at_end=True)
    since = Static(Text("\n".join(["── since your last move ──", *told[seen:]])), id="here")
    return Page(Static(Text("\n".join([*head, *told[:seen]]))), since)


def cards_page(looks: Looks, captions: Mapping[int, str]) -> Page:
    """Return a page of all cards with their captions."""
    told = Text()
    for face in looks.game.faces:
        look = looks.make(face)
        told.append(f" {look.label} ", style=f"{look.ink} on #fbfaf5")
        told.append(f"  {caption_after(face, captions)}\n")
    return Page(Static(told))
