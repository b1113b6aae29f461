"""Event pane: recent events and results, fitted to the remaining space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import define, evolve, field
from rich.cells import cell_len

from cardlang.english.control_characters import remove_invisible_characters
from cardlang.model import Game
from cardlang.ui.terminal.screen.text_blocks import (
    TextBlock,
    TextLine,
    TextSpan,
    cut_line,
    flow_parts,
    make_divider,
    make_line,
    measure_width,
    wrap_text,
)
from cardlang.ui.terminal.screen.text_cards import CardRenderer
from interpreter.narration.events import EventView
from interpreter.runtime.value_formatting import format_score
from interpreter.view.omitted_events import get_increase
from interpreter.view.table_model import EventLine, RecentResult, Table, TableCard

MIN_LINES_WITH_HEADING = 3
"""Number of lines up to which the heading of the events is left out if all events fit without it."""
OWN_ACTION_WEIGHT = 0.5
"""Importance of the viewer's own first action: below other players' actions, above plain bookkeeping."""
DEAL_END_KINDS = (("told", "result"), ("kept",))
"""Kinds of event lines that end a deal. Later moves belong to the next deal."""


def count_lines_to_last(events: Sequence[EventLine], kinds: Sequence[str]) -> int:
    """Return the number of lines up to the last one of these kinds."""
    return max((at for at, event in enumerate(events, 1) if event.kind in kinds), default=0)


def count_result_lines(events: Sequence[EventLine]) -> int:
    """Return the number of lines that belong to the results, before those of the next deal."""
    anew = next((at for at in range(len(events) - 1, 0, -1) if events[at].anew), 0)
    if anew:
        return anew
    end = next((end for kinds in DEAL_END_KINDS if (end := count_lines_to_last(events, kinds))), len(events))
    return end + next((at for at, event in enumerate(events[end:]) if event.kind != "kept"), len(events) - end)


def find_shown_results(table: Table) -> list[RecentResult]:
    """Return the results to show: all after the end of the match. Before, text-only results appear among the events."""
    return [result for result in table.moments if table.over or result.kind != "result" or result.rows or result.hands]


def is_in_scores(line: EventLine, scores: RecentResult) -> bool:
    """Return whether a table of scores already contains all that a line says.

    Example: `Ann's score rises from 32 to 49.`"""
    changes = [event.change for event in line.events]
    return bool(changes) and all(
        change is not None
        and any(change.owner in (row[0], None) and format_score(change.after) == row[-1] for row in scores.rows)
        for change in changes
    )


def is_visible_play(line: EventLine, card: TableCard) -> bool:
    """Return whether a line only reports that a visible card of the trick was played: `Ann plays [5♣].`"""
    return any(
        (event.kind, event.who, event.cards) == ("moved", card.by, (card.code,)) and event.line.words_after_verb == "."
        for event in line.events
        if len(line.events) == 1
    )


def get_result_title(moment: RecentResult, moments: Sequence[RecentResult], game: Game) -> str:
    """Return the title of a result. Only some games call the cards on the table a trick."""
    last = next((result for result in reversed(moments) if result.kind == "trick"), None)
    before = "last trick" if "trick" in game.steps else "played before"
    return before if moment is last else moment.kind


def cut_result(result: TextBlock, room: int) -> TextBlock:
    """Return a result cut to a small room: its headline at least, and the rule above it if both fit."""
    return result if len(result) <= room or room > 2 else result[2 - room : 2]


def select_newest_blocks(blocks: Sequence[TextBlock], room: int) -> TextBlock:
    """Return the newest blocks that fit, each in full. If even the last is too long, return its beginning."""
    if not blocks or room < 1:
        return ()
    selected = blocks[-1] if len(blocks[-1]) <= room else (*blocks[-1][: room - 1], make_line("  …", "dim"))
    for block in reversed(blocks[:-1]):
        if len(block) + len(selected) > room:
            break
        selected = (*block, *selected)
    return selected if room > 1 or len(blocks[-1]) == 1 else ()


def weigh_event(event: EventLine) -> int:
    """Return the importance of an event line.

    2: messages from the rules, and results. 0: bookkeeping, starts of steps, and passes. 1: everything else, such as
    losses of players."""
    if any(is_loss(each) for each in event.events):
        return 1
    passed = event.kind == "chose" and not event.more and event.line.is_pass
    return 2 if event.kind in ("told", "result") else 0 if passed or event.kind in ("kept", "step") else 1


def is_loss(event: EventView) -> bool:
    """Return whether a number of a player falls."""
    return event.change is not None and event.change.owner is not None and get_increase(event) < 0


def select_weightiest_blocks(blocks: Sequence[tuple[float, TextBlock]], room: int) -> TextBlock:
    """Return blocks in order, without the least important and oldest ones, so that they fit."""
    left = [*enumerate(blocks)]
    used = sum(len(block) for _, (_, block) in left)
    for at, (heavy, block) in sorted(left, key=lambda numbered_block: (numbered_block[1][0], numbered_block[0])):
        if used <= room or len(left) == 1:
            break
        left.remove((at, (heavy, block)))
        used -= len(block)
    return select_newest_blocks([block for _, (_, block) in left], room)


def pack_blocks(blocks: Sequence[TextBlock], columns: int) -> TextBlock:
    """Return blocks in order, with short lines side by side."""
    lines: list[TextLine] = []
    open_line = False
    for block in blocks:
        short = len(block) == 1
        if short and open_line and measure_width(lines[-1]) + 1 + measure_width(block[0]) <= columns:
            lines[-1] = (*lines[-1], *make_line(" "), *block[0])
        else:
            lines += block
        open_line = short
    return tuple(lines)


def fit_events(blocks: Sequence[tuple[float, TextBlock]], room: int, columns: int) -> tuple[TextBlock, bool]:
    """Return events fitted into `room` lines, and whether an important one was lost.

    Short lines are joined first, then unimportant ones are dropped."""
    all_blocks = [block for _, block in blocks]
    some = [block for heavy, block in blocks if heavy]
    matters = [block for heavy, block in blocks if heavy >= 1]
    for choices in ([all_blocks, some], [matters]):
        for lines in (*map(stack_lines, choices), *(pack_blocks(choice, columns) for choice in choices)):
            if len(lines) <= max(room, 0):
                return (lines or select_weightiest_blocks(blocks, room)), False
    return select_weightiest_blocks(blocks, room), True


def stack_lines(blocks: Sequence[TextBlock]) -> TextBlock:
    """Return blocks stacked vertically."""
    return tuple(line for block in blocks for line in block)


def render_text_table(head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> Iterator[TextLine]:
    """Yield the lines of a text table with aligned columns."""
    if not rows:
        return
    cells = [tuple(map(remove_invisible_characters, row)) for row in ((head, *rows) if head else rows)]
    sizes = [
        max(len(row[column]) if column < len(row) else 0 for row in cells) for column in range(max(map(len, cells)))
    ]
    for number, row in enumerate(cells):
        line = "  ".join(f"{cell:{size}}" for cell, size in zip(row, sizes, strict=False))
        yield cut_line(make_line(f"  {line}".rstrip(), "dim" if head and not number else ""), columns)


SINCE_HEADING = "since your last move"


@define(slots=False)
class EventPane:
    """Renderer of the event pane of one table. See `BoardRenderer` for the fields."""

    table: Table
    card_renderer: CardRenderer
    columns: int
    page_kinds: tuple[str, ...] = ()
    read_results: tuple[RecentResult, ...] = ()
    earlier_events: tuple[EventLine, ...] = ()
    has_lost_events: bool = field(default=False, init=False)
    """True if an important event had no room."""

    def render_news(self, room: int) -> TextBlock:
        """Return the events and results in up to `room` lines.

        The newest stay. Cuts happen at the end of a block, so no line loses its heading."""
        since = self.weigh_events(self.unreported_events)
        results = [self.render_result(moment) for moment in self.find_unread_results()]
        reserved_lines = 0 if self.table.over else bool(since) + sum(len(block) for _, block in since)
        for_results = max(min(room, 2), room - min(reserved_lines, max(3, room // 3)))
        for_results = max(for_results, min(room, len(results[-1]))) if results else for_results
        shown = select_newest_blocks(
            [*results[:-1], *(cut_result(result, for_results) for result in results[-1:])], for_results
        )
        for has_heading in (room > MIN_LINES_WITH_HEADING, True):
            left = room - len(shown) - has_heading
            kept_lines, self.has_lost_events = fit_events(since, left, self.columns)
            if not self.has_lost_events:
                break
        if not self.has_lost_events:
            kept_lines = (*self.render_earlier_events(left - len(kept_lines)), *kept_lines)
        lines = (
            *(self.render_events_heading(since, kept_lines) if kept_lines and has_heading else ()),
            *kept_lines,
            *shown,
        )
        again = [
            moment for moment in self.table.moments if moment.kind != "result"
        ]  # a repeated text result would look new
        repeated = [moment for moment in (*self.read_results, *again) if not self.is_on_table(moment)]
        seen = [line for moment in repeated for line in self.render_result(moment)]
        return lines if results or len(lines) + len(seen) > room else (*lines, *seen)

    def render_earlier_events(self, room: int) -> TextBlock:
        """Return events already read, dimmed, in up to `room` lines: the newest, and first those about the viewer."""
        weighed = zip(self.earlier_events, self.weigh_events(self.earlier_events), strict=True)
        parts = [(self.is_done_to_viewer(event), block) for event, (heavy, block) in weighed if heavy]
        lines = pack_blocks([block for _, block in parts], self.columns)
        while len(lines) > max(room, 0):
            del parts[min(range(len(parts)), key=lambda at: parts[at][0])]
            lines = pack_blocks([block for _, block in parts], self.columns)
        return tuple(tuple(evolve(span, role="dim") for span in line) for line in lines)

    def render_all_news(self) -> TextBlock:
        """Return all important events and the last results in as few lines as possible."""
        since = pack_blocks(
            [block for heavy, block in self.weigh_events(self.unreported_events) if heavy], self.columns
        )
        head = (make_divider(self.columns, SINCE_HEADING),) if since else ()
        return (*head, *since, *(line for moment in self.find_unread_results() for line in self.render_result(moment)))

    def render_events_heading(self, since: Sequence[tuple[float, TextBlock]], shown: TextBlock) -> TextBlock:
        """Return the heading above the events, with the number of omitted lines and the key of the log."""
        lost = sum(len(block) for _, block in since) - len(shown)
        more = f" · {lost} more line{'s' * (lost > 1)}: F3" if self.has_lost_events and lost > 0 else ""
        return (make_divider(self.columns, f"{SINCE_HEADING}{more}"),)

    def find_unread_results(self) -> list[RecentResult]:
        """Return the results to show here: all of them once the match is over."""
        return [
            result
            for result in find_shown_results(self.table)
            if self.table.over or not (result.kind in self.page_kinds or self.is_on_table(result))
        ]

    def is_on_table(self, moment: RecentResult) -> bool:
        """Return whether a result only lists cards that are still face up on the table."""
        codes = {card.code for pile in moment.hands for card in pile.cards}
        on_table = {card.code for pile in self.table.middle.piles for card in pile.cards}
        is_list = bool(codes) and all(f"[{code}]" in moment.headline for code in codes)
        return moment.kind == "trick" and is_list and codes <= on_table

    def weigh_events(self, lines: Sequence[EventLine]) -> list[tuple[float, TextBlock]]:
        """Return event blocks with their importance.

        The viewer knows their own first actions, so only the very first counts."""
        own_count = next((at for at, event in enumerate(lines) if not self.is_own_event(event)), len(lines))
        return [
            (weigh_event(event) if at >= own_count else OWN_ACTION_WEIGHT if not at else 0, self.render_event(event))
            for at, event in enumerate(lines)
        ]

    def is_done_to_viewer(self, event: EventLine) -> bool:
        """Return whether an event is about something that another player does to the viewer."""
        return event.who != self.table.viewer and any(self.table.viewer in each.line.players for each in event.events)

    def is_own_event(self, event: EventLine) -> bool:
        return event.who == self.table.viewer is not None and event.kind in ("chose", "moved")

    @cached_property
    def unreported_events(self) -> list[EventLine]:
        return [event for event in self.table.since if self.is_new_event(event)]

    def is_new_event(self, event: EventLine) -> bool:
        """Return whether an event is not yet covered by a result or a visible trick."""
        ended = self.table.over and event.kind == "result"
        tricks = (pile.cards for pile in self.table.middle.piles if pile.form == "trick")
        if any(is_visible_play(event, card) for cards in tricks for card in cards):
            return False
        results = (each for each in find_shown_results(self.table) if each.kind != "scores")
        reported = (each for result in results for each in result.events)
        return not ended and not any(each in event.events[:1] for each in reported)

    def render_event(self, event: EventLine) -> TextBlock:
        """Return an event with its details: after it on the line if they fit, else below it."""
        text, more = (
            self.card_renderer.replace_card_codes(event.text),
            [self.card_renderer.replace_card_codes(detail_text) for detail_text in event.more],
        )
        role = "name" if weigh_event(event) > 1 else ""
        if cell_len(" ".join((text, *more))) < self.columns - 1:
            return ((TextSpan(f" {text}", role), TextSpan(f" {' '.join(more)}" if more else "", "dim")),)
        lines = [*wrap_text(text, self.columns - 1, role, 2)]
        lines += [(TextSpan("  "), *line) for detail in more for line in wrap_text(detail, self.columns - 3, "dim", 2)]
        return tuple((TextSpan(" "), *line) for line in lines)

    def render_result(self, moment: RecentResult) -> TextBlock:
        """Return a result: headline, explanation, table. At the end of the match, the table comes before the
        explanation."""
        lines: list[TextLine] = [
            make_divider(
                self.columns,
                get_result_title(
                    moment, (*self.read_results, *self.table.moments), self.card_renderer.card_styles.game
                ),
            )
        ]
        lines += [
            (TextSpan(" "), *line)
            for line in wrap_text(self.card_renderer.replace_card_codes(moment.headline), self.columns - 1, "name")
        ]
        why = [
            (TextSpan("  "), *line)
            for result_line in moment.lines
            for line in wrap_text(self.card_renderer.replace_card_codes(result_line), self.columns - 2)
        ]
        table = [*render_text_table(moment.columns, moment.rows, self.columns)]
        lines += (*table, *why) if moment.kind == "end" else (*why, *table)
        for pile in moment.hands if moment.kind != "trick" else ():
            cards = self.card_renderer.render_card_runs(pile.cards)
            lines += flow_parts(
                [make_line(f"  {remove_invisible_characters(pile.owner or pile.label)} "), *cards], self.columns, 0
            )
        return tuple(lines)
