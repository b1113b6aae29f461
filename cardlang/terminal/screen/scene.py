"""What is on the screen at a moment: the table with what is asked, a result that is looked at, or the curtain."""

from __future__ import annotations

from cardlang.plain_text import visible
from cardlang.terminal.screen.asking import GO_ON
from cardlang.terminal.screen.blocks import centred, text
from cardlang.terminal.screen.board import Board, Drawing
from cardlang.terminal.screen.calm import Calm
from cardlang.terminal.screen.keys import END, RESULT, WAITING, key_line, keys_of
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.resting import READ, Rest, has_page, unasked
from cardlang.terminal.screen.touching import Hand
from cardlang.terminal.session import Session
from interpreter.table.model import Table


class Scene:
    """What is looked at. `looks`: how cards look; `undoable`: the last move can be taken back; `message`: an answer to
    the last key; `thinking`: bots play; `now`: the table, once it was looked at."""

    def __init__(self, session: Session, looks: Looks) -> None:
        super().__init__()
        self.session, self.looks = session, looks
        self.hand, self.calm, self.rest = Hand(), Calm(), Rest()
        self.undoable = self.thinking = False
        self.message = ""
        self.now: Table | None = None

    @property
    def paused(self) -> bool:
        """Whether a result is being looked at, and play waits."""
        return self.rest.on

    def drawn(self, columns: int, rows: int) -> Drawing:
        if self.session.curtained and not self.thinking:
            return curtain(self.session.person or "", columns, rows)
        hand, read = self.hand, READ if len(self.session.people) == 1 else ()
        keys = key_line(self.keys(), columns)
        table, calm = self.table(), self.calm
        if self.paused and table.moments and not has_page(table):
            return Board(
                unasked(table),
                self.looks,
                columns,
                message="\n".join([GO_ON, *self.session.notes]),
                keys=keys,
                calm=calm,
            ).fitted(rows)
        board = Board(
            table,
            self.looks,
            columns,
            hand.cursor,
            hand.held,
            hand.amounts,
            self.said(),
            keys,
            read,
            self.calm,
            passing=bool(self.message),
        )
        return board.results(rows) if self.paused else board.fitted(rows)

    def keys(self) -> list[str]:
        """The keys that work now, the most useful first."""
        if self.paused:
            return RESULT
        if self.session.match.over:
            return END
        table, hand = self.table(), self.hand
        return (
            WAITING if self.thinking or table.ask is None else keys_of(table.ask, hand.cursor, hand.held, self.undoable)
        )

    def said(self) -> str:
        """What was answered; else what is to be said once, and then what the author says to the question."""
        session, ask = self.session, self.table().ask
        notes = [*session.told_forced(), *session.told_given(), *session.notes]
        return self.message or "\n".join(filter(None, [*notes, ask.words if ask is not None and notes else ""]))

    def table(self) -> Table:
        if self.now is None:
            self.now = self.session.table()
        return self.now


def curtain(player: str, columns: int, rows: int) -> Drawing:
    """Hides everything until the next person sits down."""
    said = [f"{visible(player)}, it is your turn.", "", "When only you can see the screen, press Enter."]
    lines = [centred(text(each, "title"), columns) for each in said]
    return Drawing((*[()] * max(0, (rows - len(lines)) // 2), *lines), ())
