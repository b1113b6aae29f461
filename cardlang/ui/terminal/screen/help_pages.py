"""Help pages over the table: rules, cards, log, keys and move help."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence

from rich.cells import cell_len
from rich.markdown import Markdown
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from cardlang.english.control_characters import escape_invisible_in_lines
from cardlang.ui.terminal.markdown_to_plain_text import strip_markdown
from cardlang.ui.terminal.screen.action_panel import ActionPanel
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.event_pane import render_text_table
from cardlang.ui.terminal.screen.key_bindings import (
    find_enter_option,
    find_option_at,
    find_option_letters,
    list_options,
)
from cardlang.ui.terminal.screen.selection import InputState, find_closed_option, find_ref_name
from cardlang.ui.terminal.screen.table_queries import find_cards
from cardlang.ui.terminal.screen.text_cards import SYMBOL_LEGEND
from cardlang.ui.terminal.session_state import Session
from cardlang.ui.terminal.typed_card_names import format_caption
from interpreter.match.match import Match
from interpreter.runtime.rng import format_seed
from interpreter.view.table_model import Action, ActionMenu, AmountAction, Table

PAGES_BY_KEY = {"f1": "rules", "f2": "aid", "f3": "log", "f4": "cards"}
"""Pages by the keys that open them."""
HELP_KEY = "?"
"""Key that opens the page of all keys, and that page's name."""
SCORES_HEADING, LOG_HEADING = "── scores by deal ──", "── log ──"
MAX_SCORE_COLUMNS = 240
"""Maximum width of a table of scores, in columns."""
HEADING_PATTERN = re.compile(r"(#+) (.*)")
OPTION_PATTERN = re.compile(r"^\s*(?:\d+\. |- )?\*\*(?P<name>[^*]+?)(?: \([^)]*\))?:\*\*")
"""Line about an option, after its number or bullet: `- **Redraw (1 point):** Draw a card.`"""
BULLET_PATTERN = re.compile(r"^\s*(?:\d+\. |- )?")
MAX_QUOTE_LENGTH = 300
"""Maximum length of a rule quoted at the table, in characters."""


class OverlayPage(ModalScreen[str]):
    """Scrollable page over the table. Esc, q or its own key closes it.

    `page_name`: name of this page. The key of another page closes this one and returns the other's name. `at_end`:
    start scrolled to the end."""

    CSS = """
    OverlayPage > VerticalScroll { padding: 0 1; background: ansi_default; }
    OverlayPage > #foot { dock: bottom; height: 1; text-style: dim; }
    """

    def __init__(self, *content: Widget, at_end: bool = False) -> None:
        super().__init__()
        self.content, self.at_end, self.is_page_closing = content, at_end, False
        self.page_name = ""

    def compose(self) -> ComposeResult:
        yield VerticalScroll(*self.content)
        yield Static("↑ ↓ PgUp PgDn Home End: scroll   Esc: back to the table", id="foot")

    def on_mount(self) -> None:
        scroll = self.query_one(VerticalScroll)
        scroll.focus()
        if self.at_end:
            scroll.scroll_end(animate=False)
        for marker in self.query("#here"):
            self.call_after_refresh(scroll.scroll_to_widget, marker, animate=False, top=True)

    def on_key(self, event: events.Key) -> None:
        """Close the page, or pass the key on to Textual for scrolling."""
        if event.key in ("escape", "q", "enter", "ctrl+c"):
            event.stop()
            self.close_once()
        elif event.key in PAGES_BY_KEY or event.character == HELP_KEY:
            event.stop()
            page_name = PAGES_BY_KEY.get(event.key, HELP_KEY)
            self.close_once("" if page_name == self.page_name else page_name)

    def close_once(self, next_page: str = "") -> None:
        """Close the page. Later keys have no effect on a page that is closing."""
        if not self.is_page_closing:
            self.is_page_closing = True
            self.dismiss(next_page)


def build_text_page(
    markdown: str,
    search_texts: Sequence[str] = (),
    held_ranks: Sequence[str] = (),
    steps: Sequence[str] = (),
    options: Sequence[str] = (),
) -> OverlayPage:
    """Return a page with a rulebook or player aid, scrolled to the current place.

    That is the section with most of the options, else the section of the first matching step. Without either, it is the
    first paragraph that contains one of the strings in `search_texts` or a step. Table rows with the viewer's ranks
    (`held_ranks`) are marked. In the section, the line of the options is marked, else the line with a string of
    `search_texts`."""
    lines = [mark_held_ranks(line, held_ranks) for line in markdown.split("\n")]
    section, at = find_section(lines, steps), find_paragraph(lines, [*search_texts, *steps])
    offer = find_offer_lines(lines, options, section)
    if offer is not None:
        at, number = offer
        lines[number] = mark_line(lines[number])
    elif section is not None:
        at = section.start
        for number in find_lines_with([lines[index] for index in section], search_texts):
            lines[at + number] = mark_line(lines[at + number])
    if at is None:
        return OverlayPage(Static(Markdown(markdown)))
    current_section = Static(Markdown("\n".join(["> **You are here**", "", *lines[at:]])), id="here")
    return OverlayPage(Static(Markdown("\n".join(lines[:at]))), current_section)


def find_offer_lines(lines: Sequence[str], options: Sequence[str], section: range | None) -> tuple[int, int] | None:
    """Return the heading and the line where a rulebook offers these options, or None.

    The heading is that of the section with most of the options; among equals, `section`. The line is the parent of the
    first option, or the option itself. A rulebook can offer a set of options twice: for a player who can check, and for
    a player who must call."""
    names = [option.lower() for option in options]
    offers_by_heading: dict[int, dict[int, str]] = {}
    heading = 0
    for number, line in enumerate(lines):
        heading = number if HEADING_PATTERN.match(line) else heading
        named = OPTION_PATTERN.match(line)
        if named is not None and named["name"].lower() in names:
            offers_by_heading.setdefault(heading, {})[number] = named["name"].lower()
    if not offers_by_heading:
        return None
    start = section.start if section is not None else -1
    best = max(
        offers_by_heading,
        key=lambda heading: (
            len({lines[line_number] for line_number in offers_by_heading[heading]}),
            heading == start,
            -heading,
        ),
    )
    first = min(offers_by_heading[best], key=lambda number: names.index(offers_by_heading[best][number]))
    deep = measure_indent(lines[first])
    above = (
        number for number in range(first, best, -1) if lines[number].strip() and measure_indent(lines[number]) < deep
    )
    return best, next(above, first)


def measure_indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def find_section(lines: Sequence[str], steps: Sequence[str]) -> range | None:
    """Return the lines of the section named like the first matching step, or None.

    If several sections match, the last one counts, because an overview comes first."""
    heads = {number: match for number, line in enumerate(lines) if (match := HEADING_PATTERN.match(line))}
    for step in steps:
        for start in reversed(heads):
            if strip_markdown(heads[start][2]).strip().lower() == step.lower():
                level = len(heads[start][1])
                ends = (number for number in heads if number > start and len(heads[number][1]) <= level)
                return range(start, next(ends, len(lines)))
    return None


def find_lines_with(lines: Sequence[str], search_texts: Sequence[str]) -> list[int]:
    """Return the first line after the heading that contains one of the strings, in order, as a list.

    Examples are skipped."""
    plain_lines = [strip_markdown(line).lower() for line in lines]
    for text in search_texts:
        plain = strip_markdown(text).lower().strip(" .?")
        for number, line in enumerate(plain_lines):
            if number and plain and plain in line and not is_example_line(lines[number]):
                return [number]
    return []


def is_example_line(line: str) -> bool:
    return line.lstrip().startswith((">", "**"))


def mark_line(line: str) -> str:
    """Return a line of a rulebook with a mark, after its number or bullet."""
    number = BULLET_PATTERN.match(line)
    at = number.end() if number is not None else 0
    return f"{line[:at]}**▶** {line[at:]}"


def quote_rule(markdown: str, search_texts: Sequence[str], steps: Sequence[str]) -> str:
    """Return the rulebook's sentence for the current step that contains a string of `search_texts`, as plain text.

    Empty if there is none. Long sentences are cut."""
    lines = markdown.split("\n")
    section = find_section(lines, steps)
    if section is None:
        return ""
    section_lines = [lines[index] for index in section]
    line_numbers = find_lines_with(section_lines, search_texts)[:1]
    rule_text = "".join(
        strip_markdown(BULLET_PATTERN.sub("", section_lines[number], count=1)).strip() for number in line_numbers
    )
    return (
        rule_text if len(rule_text) <= MAX_QUOTE_LENGTH else rule_text[:MAX_QUOTE_LENGTH].rpartition(" ")[0] + " … (F1)"
    )


def quote_option(markdown: str, name: str, steps: Sequence[str]) -> str:
    """Return the rulebook's entry for an option of the current step, or an empty string.

    Example: `Redraw (1 point): Draw a card.`"""
    lines = markdown.split("\n")
    section = find_section(lines, steps)
    begins = re.compile(rf"{re.escape(name)}( \([^)]*\))?:", re.IGNORECASE)
    option_texts = (strip_markdown(BULLET_PATTERN.sub("", lines[index], count=1)).strip() for index in section or ())
    return next((text for text in option_texts if begins.match(text)), "")


def add_symbol_legend(markdown: str, card_styles: CardStyles) -> str:
    """Return a player aid with a legend of letters and symbols on cards at its end."""
    letters = card_styles.build_legend(range(len(card_styles.game.faces)))
    legend_lines = [*([f"{', '.join(letters)}."] if letters else []), f"{'; '.join(SYMBOL_LEGEND)}."]
    return (
        f"{markdown}\n\n## On the cards\n\n"
        + "\n\n".join(legend_line.replace("*", "\\*") for legend_line in legend_lines)
        + "\n"
    )


def find_rank_title(markdown: str, reading: str) -> str:
    """Return the title of a rank as listed in the aid, such as `Two pair` for `Two pair (kings and fives)`.

    Return the reading itself if no title matches."""
    titles = (reading, reading.partition(" (")[0], reading.rpartition(" of ")[0])
    return next((title for title in titles if title and f"| {title} |" in markdown), reading)


def mark_held_ranks(line: str, held_ranks: Sequence[str]) -> str:
    """Return a table row, with the cell marked that contains one of the viewer's ranks."""
    cells = line.split("|")
    held_columns = [at for at, cell in enumerate(cells) if strip_markdown(cell).strip() in held_ranks and cell.strip()]
    return "|".join(f" **▶ {cell.strip()}** (yours) " if at in held_columns else cell for at, cell in enumerate(cells))


def find_paragraph(lines: Sequence[str], search_texts: Sequence[str]) -> int | None:
    """Return the first line of the paragraph or list that contains one of the strings, or None."""
    plain_lines = [strip_markdown(line).lower() for line in lines]
    for text in search_texts:
        plain = strip_markdown(text).lower().strip(" .")
        for number, line in enumerate(plain_lines):
            if plain and plain in line:
                return max((at for at in range(number + 1) if at == 0 or not plain_lines[at - 1]), default=0)
    return None


def build_log_page(
    lines: Sequence[str], card_styles: CardStyles, seen: int = 0, scores: Sequence[Sequence[str]] = ()
) -> OverlayPage:
    """Return a page with the scores of each deal and the log.

    It starts at the end, or after the first `seen` lines: the events since the viewer's last move."""
    log_lines = [card_styles.replace_codes(escape_invisible_in_lines(line)) for line in lines]
    sheet = (
        ["".join(span.text for span in line) for line in render_text_table(scores[0], scores[1:], MAX_SCORE_COLUMNS)]
        if scores
        else []
    )
    head = [SCORES_HEADING, *sheet, LOG_HEADING] if sheet else []
    if not 0 < seen < len(log_lines):
        return OverlayPage(Static(Text("\n".join([*head, *log_lines]))), at_end=True)
    since = Static(Text("\n".join(["── since your last move ──", *log_lines[seen:]])), id="here")
    return OverlayPage(Static(Text("\n".join([*head, *log_lines[:seen]]))), since)


def build_cards_page(card_styles: CardStyles, captions: Mapping[int, str]) -> OverlayPage:
    """Return a page of all cards with their captions."""
    page_text = Text()
    for face in card_styles.game.faces:
        card_style = card_styles.build_style(face)
        page_text.append(f" {card_style.label} ", style=f"{card_style.ink} on #fbfaf5")
        page_text.append(f"  {format_caption(face, captions)}\n")
    return OverlayPage(Static(page_text))


# ---------------------------------------------------------------- explanations
NOTHING_HIGHLIGHTED = "Highlight a card or an option first. Then w explains what it does, or why it is illegal."


def explain_highlighted(session: Session, table: Table, card_styles: CardStyles, input_state: InputState) -> str:
    """Return the explanation of the highlighted option or card."""
    ask, ref = table.ask, input_state.cursor
    closed = find_closed_option(ask, ref)
    if closed is not None:
        return f"{closed.label}: not now. {closed.why}"
    option = find_enter_option(table, ref, input_state.picked)
    if option is not None:
        return explain_legal_move(session, table, card_styles, option)
    name = find_ref_name(table, ref)
    card = next(find_cards(table, (ref,)), None)
    code = card.code if card is not None and card.code else ""
    called = f"[{code}]" if code else card.place if card is not None and card.place else name
    if not name:
        return NOTHING_HIGHLIGHTED
    if session.match.explain_illegal_move(name) is None:
        return " ".join(filter(None, [f"{called}: legal.", find_rule_sentence(session, table)]))
    explanation = session.explain_move(name)
    if not code or f"[{name}]" in explanation:
        return explanation
    verb = getattr(session.match.program.get_site(session.match.state).statement, "verb", "choose")
    return f"You can't {verb} [{code}] now. {explanation}"


def explain_legal_move(session: Session, table: Table, card_styles: CardStyles, option: Action | AmountAction) -> str:
    """Return the effect of a legal move, from its own wording or the rulebook."""
    called = name = option.label
    if isinstance(option, Action):
        called = ActionPanel(table, card_styles, 0, "", (), {}, "").format_action_label(option)
        name = option.verb or option.text.replace("-", " ")
        if option.text == "pass":  # the wording of the question describes the opposite of passing
            return f"{called}: legal. You do nothing now."
    option_text = quote_option(session.texts.rules(), name, find_rulebook_location(table)[1])
    option_words = option.words if option.words.strip(" .") not in option_text else ""
    return " ".join(filter(None, [f"{called}: legal.", option_words, option_text]))


def find_rule_sentence(session: Session, table: Table, *search_texts: str) -> str:
    """Return the rulebook's sentence for the current step, found by one of the strings, else the prompt's wording."""
    words = table.ask.words if table.ask is not None else ""
    return quote_rule(session.texts.rules(), [*search_texts, words], find_rulebook_location(table)[1]) or words


def find_rulebook_location(table: Table) -> tuple[list[str], list[str]]:
    """Return the prompt's strings, and the current steps as named in a rulebook, innermost first."""
    asked = [table.ask.words, table.ask.question] if table.ask is not None else []
    return asked, [*reversed(table.steps)]


def list_option_names(ask: ActionMenu | None) -> list[str]:
    """Return the options, legal or not, as named in a rulebook.

    Examples: `Ante up` for `ante-up`, `play` for `play [5h]`."""
    if ask is None:
        return []
    actions = [option.verb or option.text.partition(" ")[0].replace("-", " ") for option in ask.actions]
    return [*actions, *(option.label for option in ask.amounts), *(option.label for option in ask.closed)]


# ---------------------------------------------------------------- keys
ALL_KEYS_HINT = "? all keys"
KEY_GAP = "  "
RESULT_KEYS = ["Enter: continue", "F3 log", "F1 rules", "F2 aid", "q quit"]
CONTINUE_FIRST = "Press Enter to continue."
SKIP_KEY = "e"
PASS_KEY = "x"
GIVE_UP_KEY = "G"
ELIMINATED_KEYS = ["Enter: continue", f"{SKIP_KEY}: skip to the end", *RESULT_KEYS[1:]]
END_KEYS = ["n: new game", "F3 log", "PgUp PgDn scroll", "q quit"]
WAITING_KEYS = ["F3 log", "F1 rules", "F2 aid", "q quit"]
SEED_NOTE = "The end of the match shows its seed. Start with --seed to play the same match again."
KEYS_TEXT = """\
# Keys

**Highlight first, then press Enter.** An arrow, a letter or a number only highlights. The line of options shows what
Enter will do. Without opponents, the letter or number of a single move plays it right away; u takes it back.

| Key | What it does |
| --- | --- |
| ← → ↑ ↓, Tab, Home, End | highlight a card, an option or a player |
| a letter in brackets | highlight that option for the highlighted card; an option with … asks for a card first |
| Enter | do what follows [Enter], or confirm the selected cards |
| Space | select the highlighted card, or deselect it |
| Esc | clear the highlight |
| 0 to 9, + and −, ← → | set a number, where one is needed; in a bet, ← → choose a usual size, such as the pot |
| 1 to 9, 0 | otherwise, highlight the option with this number, or the card in this place (0 is the tenth) |
| w | explain the highlighted move, or why it is illegal; where it stands for an option, choose that |
| x | pass on every reaction until your next own decision, or until an action names you |
| e | when you are out of the match, skip to its end |
| u | undo your last move, unless you have seen an opponent's card or a person has moved since; bots choose again |
| G | give up, in a match without opponents |
| Enter, y | confirm a command; any other key cancels it |
| h | show a hint |
| : or / | type a move, or several cards: `:As Ah Qs` |
| F1, F2, F3, F4 | show the rules, the player aid, the log, the text of the cards |
| PgUp, PgDn | scroll |
| q | quit; the match is saved |
"""


def list_decision_keys(
    ask: ActionMenu, cursor: str, picked: Sequence[str], commands: Sequence[str], passable: bool = False
) -> list[str]:
    """Return the keys for the current decision, the most useful first.

    `commands`: keys of commands that are not always available. `passable`: the viewer can pass on this and the
    following reactions."""
    if isinstance(find_option_at(ask, cursor), AmountAction):
        keys = ["0-9 ←→ number", "Enter: confirm", "Esc back"]
    elif ask.choosing is not None and cursor not in ask.choosing.alone:
        keys = ["←→ highlight", "Space select", "Enter: confirm"]
    elif picked:
        keys = ["←→ highlight", "Enter: confirm", "Esc back"]
    else:
        option_keys = [*find_option_letters(ask).values(), *(option.key for option in list_options(ask) if option.key)]
        names = sorted({"number" if key.isdecimal() else "letter" for key in option_keys})
        keys = ["←→ or " + " or ".join(names) + ": highlight" if names else "←→ highlight", "Enter: confirm"]
    keys += [f"{PASS_KEY} pass on until concerned"] if passable else []
    return [*keys, *(["w why"] if cursor else []), *commands, "h hint", ": type", "q quit"]


def format_confirm_keys(command: str) -> list[str]:
    """Return the keys that answer the confirmation question of a command."""
    return [f"Enter or y: {command}", "any other key: cancel"]


def format_key_line(keys: Sequence[str], columns: int) -> str:
    """Return as many keys as fit. The key of the full list is always included."""
    fitting_keys: list[str] = []
    for key in keys:
        if cell_len(KEY_GAP.join([*fitting_keys, key, ALL_KEYS_HINT])) <= columns:
            fitting_keys.append(key)
    return KEY_GAP.join([*fitting_keys, ALL_KEYS_HINT])


def build_keys_page(match: Match) -> OverlayPage:
    return build_text_page(f"{KEYS_TEXT}\n{format_match_seed(match) or SEED_NOTE}\n")


def format_match_seed(match: Match) -> str:
    """Return the seed of a finished match. Before the end it is empty, because a seed reveals all hidden cards."""
    return f"Seed {format_seed(match.seed)}. Start with --seed to play the same match again." if match.over else ""


# ---------------------------------------------------------------- all pages
PAGES_BY_COMMAND = {**{each: each for each in PAGES_BY_KEY.values()}, "help": HELP_KEY}
"""Pages by the commands that open them."""
SLOW_PAGE_SECONDS, SLOW_PAGE_MESSAGE = 0.3, "One moment …"
"""Delay in seconds before a slow page shows a message, and the message."""


async def wait_for_text(generate: Callable[[], str], show_message: Callable[[], None]) -> None:
    """Wait until a string is generated. Call `show_message` if that takes long."""
    making = asyncio.ensure_future(asyncio.to_thread(generate))
    if not (await asyncio.wait({making}, timeout=SLOW_PAGE_SECONDS))[0]:
        show_message()
    await making


def build_page(page_name: str, session: Session, table: Table | None, card_styles: CardStyles) -> OverlayPage | None:
    """Return the page for a value of `PAGES_BY_KEY` or `HELP_KEY`, or None.

    `table`: the viewer's table, or None if the viewer is unknown."""
    page = build_page_content(page_name, session, table, card_styles)
    if page is not None:
        page.page_name = page_name
    return page


def build_page_content(
    page_name: str, session: Session, table: Table | None, card_styles: CardStyles
) -> OverlayPage | None:
    texts = session.texts
    if page_name == HELP_KEY:
        return build_keys_page(session.match)
    if page_name == "rules":
        asked, steps = find_rulebook_location(table) if table is not None else ([], [])
        return build_text_page(
            texts.rules(), asked, steps=steps, options=list_option_names(table.ask) if table is not None else ()
        )
    if page_name == "aid":
        aid, readings = add_symbol_legend(texts.aid(), card_styles), table.readings if table is not None else ()
        ranks = [find_rank_title(aid, each.text) for each in readings]
        return build_text_page(aid, [f"▶ {each}" for each in ranks], ranks)
    if page_name == "cards":
        return build_cards_page(card_styles, texts.cards())
    return (
        build_log_page(session.get_log(), card_styles, session.seen_log_lines, table.scores)
        if table is not None
        else None
    )
