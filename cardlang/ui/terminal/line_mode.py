"""Line mode: a match in plain lines, for screen readers and files."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from attrs import define, evolve

from cardlang.diagnostics import Span
from cardlang.english.control_characters import escape_invisible_characters, escape_invisible_in_lines
from cardlang.model import Game
from cardlang.ui.terminal.command_parser import OptionEntry, execute_line, list_option_entries
from cardlang.ui.terminal.escaped_output import write_lines, write_prompt
from cardlang.ui.terminal.markdown_to_plain_text import strip_markdown
from cardlang.ui.terminal.session_state import Session
from cardlang.ui.terminal.typed_card_names import format_caption
from interpreter.match.match import Match
from interpreter.narration.events import LogLine
from interpreter.view.table_model import EventLine, RecentResult, Table, TableArea, TableCard, TablePile

MAX_OPTIONS_IN_ONE_COLUMN = 10
HELP_TEXT = """\
Type the number or letter of a move, the move itself, or part of it.
Name several cards in any order: 9G 7A
  w, why MOVE   explain a move, a card or a line   u, undo   undo your last move
  h, hint       what a bot would do                rules     the rules
  aid           the player aid                     cards     the text of the cards
  table         show the table again               log       all that you saw happen
  q, quit       stop playing                       pass all  pass until it concerns you
  give up       end a match without opponents"""


def play_in_lines(session: Session) -> bool:
    """Play a match to its end. Return False if the person quits or the input ends.

    Raise `RuleError` or `RecordingError` if the match fails."""
    session.advance()
    while not session.match.over:
        if session.needs_handover:
            print_text("\n" * 40)
            if (
                prompt_line(f"{session.current_person}, it is your turn. Press Enter when only you can see the screen")
                is None
            ):
                return False
        session.hand_over_screen()
        print_table(session)
        if not prompt_until_move(session):
            return False
        session.advance()
    print_line()
    print_news(session)
    return True


def prompt_until_move(session: Session) -> bool:
    """Prompt a person until they have made a move. Return False if they quit."""
    while (typed := prompt_line(session.viewer)) is not None:
        reply = execute_line(session, typed.strip())
        if reply.page == "quit":
            return False
        if reply.has_moved:
            return True
        if reply.page is not None:
            print_page(session, reply.page)
        if reply.message:
            print_text(reply.message)
    return False


def print_page(session: Session, page: str) -> None:
    """Print the page that the person asked for."""
    texts = session.texts
    match page:
        case "table":
            print_table(session)
        case "rules" | "aid":
            print_text(strip_markdown(texts.rules() if page == "rules" else texts.aid()))
        case "log":
            for line in session.get_log():
                print_line(line)
        case "cards":
            print_cards(session.match.game, texts.cards())
        case _:
            print_text(HELP_TEXT)


def print_line(line: str = "") -> None:
    """Print a line."""
    write_lines(wrap_line(escape_invisible_characters(line)))


def print_text(text: str) -> None:
    """Print a string of several lines."""
    write_lines("\n".join(map(wrap_line, escape_invisible_in_lines(text).split("\n"))))


def wrap_line(line: str) -> str:
    """Return a line as printed: on a terminal, wrapped at blanks, with the following lines indented."""
    if not sys.stdout.isatty():
        return line
    indent = line[: len(line) - len(line.lstrip())] + "  "
    width = shutil.get_terminal_size().columns
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def print_cards(game: Game, captions: Mapping[int, str]) -> None:
    """Print each card code and its meaning."""
    for face in game.faces:
        print_line(f"{face.code}: {format_caption(face, captions)}")


def prompt_line(prompt: str) -> str | None:
    """Prompt for a line and return it, or None at the end of the input.

    Input from a file is echoed, so that the output reads as a whole."""
    write_prompt(prompt)
    line = sys.stdin.readline()
    if not line:
        print_line()
        return None
    if not sys.stdin.isatty():
        print_line(line.rstrip("\n"))
    return line.rstrip("\n")


# ---------------------------------------------------------------- the table
def print_table(session: Session) -> None:
    """Print the news, the table and the options."""
    print_line()
    print_news(session)
    table = session.get_table()
    print_places(table)
    if table.ask is not None:
        print_line(" ".join(part for part in (table.ask.question, table.ask.words) if part))
        print_options(list_option_entries(table))
        if table.ask.choosing is not None:
            print_line(
                f"  done: {table.ask.choosing.confirm}" if table.ask.choosing.ready else "  Name them in any order."
            )
        for closed in table.ask.closed:
            print_line(f"  (not now: {closed.label}. {closed.why})")


def print_options(entries: Sequence[OptionEntry]) -> None:
    """Print options. On a terminal, many short ones fill columns, from top to bottom."""
    texts = [f"  {entry.key}: {entry.label}" if entry.key else f"  {entry.label}" for entry in entries]
    width = max(map(len, texts), default=0) + 2
    is_long = len(texts) > MAX_OPTIONS_IN_ONE_COLUMN and sys.stdout.isatty()
    columns = max(1, shutil.get_terminal_size().columns // width) if is_long else 1
    rows = -(-len(texts) // columns)
    for row in range(rows):
        print_line("".join(text + " " * (width - len(text)) for text in texts[row::rows]).rstrip())


def print_news(session: Session) -> None:
    """Print the events since the viewer's last move with the results among them, then the other results."""
    table = session.get_table()
    if table.since or session.forced_moves or session.notes:
        print_line("Since your last move:")
    results = [*zip(locate_results(table), table.moments, strict=True)]
    for event_index, event in enumerate(table.since):
        print_text(format_event(event))
        for moment in (result for at, result in results if at == event_index):
            print_result(moment, "  ")
    for line in (*session.report_forced_moves(), *session.notes):
        print_line(f"  {line}")
    session.clear_forced_moves()
    printed = {event.text for event in table.since}
    for moment in (result for at, result in results if at == len(table.since)):
        if moment.kind == "end":
            moment = evolve(moment, lines=tuple(line for line in moment.lines if line not in printed))
        print_result(moment)


def locate_results(table: Table) -> Iterator[int]:
    """Yield for each result the index of the event line that it follows, or the number of lines.

    A trick follows the play of its last card, and scores end a deal. Other results come last."""
    start, end = 0, len(table.since)
    for moment in table.moments:
        lines = [(at, table.since[at]) for at in range(start, end)]
        indices: list[int] = []
        if moment.kind == "trick":
            card = moment.hands[0].cards[-1]
            indices = [at for at, event in lines if is_play(event, card)]
        elif moment.kind == "scores":
            indices = [at - 1 for at, event in lines if event.anew and at]
        start = indices[0] if indices else start
        yield start if indices else end


def is_play(line: EventLine, card: TableCard) -> bool:
    """Return whether a line reports that a player played a card of a trick."""
    return line.who == card.by and any(card.code in event.line.cards for event in line.events)


def format_event(event: EventLine) -> str:
    return "\n".join([f"  {event.text}", *(f"    {more}" for more in event.more)])


def print_result(moment: RecentResult, indent: str = "") -> None:
    """Print a result.

    At the end of the match, print only the explanation: the events already name winners and rankings."""
    ended = moment.kind == "end"
    if not ended:
        print_line(f"{indent}{moment.headline}")
    for line in moment.lines:
        print_line(f"{indent}  {line}")
    for row in () if ended else moment.rows:
        named = zip(moment.columns, row, strict=False) if moment.columns else (("", cell) for cell in row)
        print_line(f"{indent}  " + ", ".join(f"{name} {cell}".strip() for name, cell in named))
    for pile in moment.hands:
        print_line(f"{indent}  {pile.owner or pile.label}: {format_cards(pile.cards)}")


def print_places(table: Table) -> None:
    """Print all places of the table, for a player or a spectator."""
    if table.heading:
        print_line(f"{table.game}: {', '.join(table.heading)}.")
    print_place("Table", table.middle)
    for area in table.kinds:
        print_place(area.name, area)
    for area in table.places:
        if area.name != table.viewer:
            print_place(area.name, area)
    for area in table.places:
        if area.name == table.viewer:
            print_place(f"You ({area.name})", area, own=True)
    for reading in table.readings:
        line = f"{reading.label}: {reading.text}{f'; {reading.detail}' if reading.detail else ''}"
        print_line(f"{line.removesuffix('.')}.")


def print_place(name: str, place: TableArea, own: bool = False) -> None:
    """Print a place: marks, facts and piles. The viewer's hand gets its own line."""
    hand_piles = [pile for pile in place.piles if own and pile.form == "hand"]
    marks = [*place.marks, *(["your partner"] if place.partner else [])]
    facts = [f"{fact.label.lower()} {fact.text}" for fact in place.facts]
    piles = [format_pile(pile) for pile in place.piles if pile not in hand_piles and (pile.cards or pile.empty_stays)]
    parts = [*marks, *facts, *piles]
    if parts:
        print_line(f"{name}: {'; '.join(parts)}.")
    for pile in hand_piles:
        print_line(f"Your {format_pile(pile, ':')}.")


def format_pile(pile: TablePile, colon: str = "") -> str:
    """Return a pile as `hand 5 cards` or `market 3: 5S 7M 8S`."""
    return f"{pile.label}{colon} {format_cards(pile.cards)}"


def format_cards(pile: Sequence[TableCard]) -> str:
    """Return the codes of cards, the top card last. Hidden cards are counted."""
    if not pile:
        return "empty"
    if all(map(is_hidden_card, pile)):
        return format_card_count(len(pile))
    return " ".join(format_card_groups(pile)).rstrip(",")


def format_card_groups(pile: Sequence[TableCard]) -> Iterator[str]:
    """Yield each card. Adjacent hidden cards are counted."""
    for hidden, together in groupby(pile, key=is_hidden_card):
        if hidden:
            yield f"{len(list(together))} hidden,"
        else:
            yield from map(format_card, together)


def is_hidden_card(card: TableCard) -> bool:
    return card.code is None and not card.marks


def format_card_count(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def format_card(card: TableCard) -> str:
    """Return a card's code with its marks and notes in parentheses."""
    notes = [name if value == "yes" else f"{name} {value}" for name, value in card.marks]
    notes += [f"by {card.by}"] if card.by else []
    notes += [card.note] if card.note else []
    notes += ["new"] if card.fresh else []
    return (card.code or "hidden") + (f" ({', '.join(notes)})" if notes else "")


# ---------------------------------------------------------------- output of a watched match
DECISIONS_PER_UPDATE = 50
"""Number of decisions between updates of the log."""
RULE_COLUMN = 60


@define
class LogPrinter:
    """Printer of the spectator's log or, with `trace`, of the referee's log with the source line of each rule."""

    match: Match
    trace: bool
    printed_count: int = 0
    pending_decisions: int = 0

    def print_new_lines(self, flush: bool = False) -> None:
        """Print new log lines if `DECISIONS_PER_UPDATE` decisions have passed, or always if `flush`."""
        self.pending_decisions += 1
        if self.pending_decisions < DECISIONS_PER_UPDATE and not flush:
            return
        self.pending_decisions = 0
        lines = self.match.trace if self.trace else self.match.get_log(self.match.program.players)
        for line in lines[self.printed_count :]:
            write_lines(format_traced_line(line) if self.trace else line)
        self.printed_count = len(lines)


def format_traced_line(line: LogLine) -> str:
    """Return a log line with its rule next to it, or below it if the line is long."""
    if line.span is None:
        return line
    left_column = f"{line:{RULE_COLUMN}}" if len(line) < RULE_COLUMN else f"{line}\n{'':{RULE_COLUMN}}"
    return f"{left_column} {format_rule_location(line.span)}"


def format_rule_location(span: Span) -> str:
    """Return the location and source of a rule: `tall_tales.cardgame:63: you play 1 from your playable to table`."""
    return (
        f"{escape_invisible_characters(Path(span.source.name).name)}:{span.line}: "
        f"{span.source.get_line(span.line).strip()}"
    )
