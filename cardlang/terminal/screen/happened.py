"""Event pane: events since the viewer's last move, and the last results."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from attrs import define, evolve, field
from rich.cells import cell_len

from cardlang.plain_text import harmless
from cardlang.terminal.screen.blocks import Block, Line, Span, flowed, rule, text, wrapped
from cardlang.terminal.screen.cards import Cards
from cardlang.terminal.screen.fitting import (
    OWN,
    dense,
    fitting,
    goes_on,
    grid,
    headed,
    lies_there,
    newest,
    results_of,
    sentences,
    title_of,
    weight,
)
from interpreter.table.model import Moment, Table, Told

SINCE = "since your last move"


@define(slots=False)
class Happened:
    """Renderer of the event pane of one table. See `Board` for the fields."""

    table: Table
    cards: Cards
    columns: int
    read: tuple[str, ...] = ()
    looked: tuple[Moment, ...] = ()
    before: tuple[Told, ...] = ()
    lost: bool = field(default=False, init=False)
    """True if an important event had no room."""
    short: bool = field(default=False, init=False)
    """True if more happened than fits, apart from bookkeeping."""

    def news(self, room: int) -> Block:
        """Return the events and results in up to `room` lines.

        The newest stay. Cuts happen at the end of a block, so no line loses its heading."""
        since = self.weighed(self.since)
        results = [self.moment(moment) for moment in self.unread()]
        kept = 0 if self.table.over else bool(since) + sum(len(block) for _, block in since)
        for_results = max(min(room, 2), room - min(kept, max(3, room // 3)))
        for_results = max(for_results, min(room, len(results[-1]))) if results else for_results
        shown = newest([*results[:-1], *(headed(each, for_results) for each in results[-1:])], for_results)
        left = room - len(shown) - 1
        kept_lines, self.lost = fitting(since, left, self.columns)
        self.short = len(kept_lines) < sum(len(block) for heavy, block in since if heavy)
        if not self.lost:
            kept_lines = (*self.again(left - len(kept_lines)), *kept_lines)
        told = (*(self.since_rule(since, kept_lines) if kept_lines else ()), *kept_lines, *shown)
        again = [
            moment for moment in self.table.moments if moment.kind != "result"
        ]  # a repeated text result would look new
        seen = [line for moment in (*self.looked, *again) for line in self.moment(moment)]
        return told if results or len(told) + len(seen) > room else (*told, *seen)

    def again(self, room: int) -> Block:
        """Return the newest of the events already read, dimmed, in up to `room` lines."""
        blocks = [block for heavy, block in self.weighed(self.before) if heavy]
        lines = dense(blocks, self.columns)
        while len(lines) > max(room, 0):
            blocks = blocks[1:]
            lines = dense(blocks, self.columns)
        return tuple(tuple(evolve(span, role="dim") for span in line) for line in lines)

    def all_news(self) -> Block:
        """Return all important events and the last results in as few lines as possible."""
        since = dense([block for heavy, block in self.weighed(self.since) if heavy], self.columns)
        head = (rule(self.columns, SINCE),) if since else ()
        return (*head, *since, *(line for moment in self.unread() for line in self.moment(moment)))

    def since_rule(self, since: Sequence[tuple[float, Block]], shown: Block) -> Block:
        """Return the heading above the events, with the number of omitted lines and the key of the log."""
        lost = sum(len(block) for _, block in since) - len(shown)
        more = f" · {lost} more line{'s' * (lost > 1)}: F3" if self.lost and lost > 0 else ""
        return (rule(self.columns, f"{SINCE}{more}"),)

    def unread(self) -> list[Moment]:
        """Return the results to show here: all of them once the match is over."""
        return [each for each in results_of(self.table) if self.table.over or each.kind not in self.read]

    def weighed(self, lines: Sequence[Told]) -> list[tuple[float, Block]]:
        """Return event blocks with their importance.

        The viewer knows their own first actions, so only the very first counts."""
        own = next((at for at, told in enumerate(lines) if not self.is_own(told)), len(lines))
        return [(weight(told) if at >= own else OWN if not at else 0, self.told(told)) for at, told in enumerate(lines)]

    def is_own(self, told: Told) -> bool:
        return told.who == self.table.viewer is not None and told.kind in ("chose", "moved")

    @cached_property
    def since(self) -> list[Told]:
        return [told for told in self.table.since if self.is_news(told)]

    def is_news(self, told: Told) -> bool:
        """Return whether an event is not yet covered by a result or a visible trick."""
        ended = self.table.over and told.kind == "result"
        tricks = (pile.cards for pile in self.table.middle.piles if pile.form == "trick")
        if any(lies_there(told, card) for cards in tricks for card in cards):
            return False
        said = (line for each in results_of(self.table) for line in (each.headline, *each.lines))
        return not ended and not any(goes_on(told.text, each) for line in said for each in sentences(line))

    def told(self, told: Told) -> Block:
        """Return an event with its details: after it on the line if they fit, else below it."""
        text, more = self.cards.worded(told.text), [self.cards.worded(each) for each in told.more]
        role = "name" if weight(told) > 1 else ""
        if cell_len(" ".join((text, *more))) < self.columns - 1:
            return ((Span(f" {text}", role), Span(f" {' '.join(more)}" if more else "", "dim")),)
        lines = [*wrapped(text, self.columns - 1, role, 2)]
        lines += [(Span("  "), *line) for each in more for line in wrapped(each, self.columns - 3, "dim", 2)]
        return tuple((Span(" "), *line) for line in lines)

    def moment(self, moment: Moment) -> Block:
        """Return a result: headline, explanation, table. At the end of the match, the table comes before the
        explanation."""
        lines: list[Line] = [rule(self.columns, title_of(moment, (*self.looked, *self.table.moments)))]
        lines += [(Span(" "), *line) for line in wrapped(self.cards.worded(moment.headline), self.columns - 1, "name")]
        why = [
            (Span("  "), *line) for said in moment.lines for line in wrapped(self.cards.worded(said), self.columns - 2)
        ]
        table = [*grid(moment.columns, moment.rows, self.columns)]
        lines += (*table, *why) if moment.kind == "end" else (*why, *table)
        for pile in moment.hands if moment.kind != "trick" else ():
            cards = self.cards.told(pile.cards)
            lines += flowed([text(f"  {harmless(pile.owner or pile.label)} "), *cards], self.columns, 0)
        return tuple(lines)
