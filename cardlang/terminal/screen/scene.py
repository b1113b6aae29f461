"""View state of the screen: a table with a prompt, a result pause, or the pass-and-play screen."""

from __future__ import annotations

from copy import deepcopy

from attrs import evolve

from cardlang.plain_text import visible
from cardlang.terminal.screen.asking import GO_ON
from cardlang.terminal.screen.blocks import centred, text
from cardlang.terminal.screen.board import Board, Drawing
from cardlang.terminal.screen.calm import Calm
from cardlang.terminal.screen.keys import BACK, END, OUT, RESULT, WAITING, key_line, keys_of
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.resting import READ, Rest, has_page, unasked
from cardlang.terminal.screen.results import final, results, story
from cardlang.terminal.screen.touching import Hand
from cardlang.terminal.session import Session, alike
from interpreter.table.model import Ask, Table


class Scene:
    """View state.

    `looks`: appearance of cards. `undoable`: the last move can be undone. `message`: response to the last key.
    `thinking`: bots are playing. `now`: cached table."""

    def __init__(self, session: Session, looks: Looks) -> None:
        super().__init__()
        self.session, self.looks = session, looks
        self.hand, self.calm, self.rest = Hand(), Calm(), Rest()
        self.undoable = self.thinking = False
        self.message = ""
        self.now: Table | None = None

    @property
    def paused(self) -> bool:
        """Return whether play waits for a result to be read."""
        return self.rest.on

    @property
    def is_out(self) -> bool:
        """Return whether the only person in the match is out while others continue."""
        table = self.rest.held or self.table()
        seats = [place for place in table.places if place.name in self.session.people]
        return len(seats) == 1 and seats[0].out and not self.session.match.over

    @property
    def passable(self) -> str:
        """Return the turn for whose rest the viewer can pass, or an empty string."""
        ask = self.table().ask
        return ask.turn if ask is not None and len(self.session.people) == 1 else ""

    def drawn(self, columns: int, rows: int) -> Drawing:
        if self.session.curtained and not self.thinking:
            return curtain(self.session.person or "", columns, rows)
        if self.paused:
            return self.rested(columns, rows)
        board = self.board(columns)
        return final(board, rows) if self.session.match.over else board.fitted(rows)

    def board(self, columns: int) -> Board:
        """Return the renderer for the table with its prompt."""
        table, hand, said = self.table(), self.hand, self.said()
        if self.session.asked_back:  # the confirmation blocks all other actions
            table, hand, said = evolve(table, ask=Ask(said, "", 0)), Hand(), ""
        return Board(
            table,
            self.looks,
            columns,
            hand.cursor,
            hand.held,
            hand.amounts,
            said,
            key_line(self.keys(), columns),
            self.read_alone,
            self.calm,
            looked=self.session.last_trick(),
            before=self.session.read_before(),
            passing=bool(self.message),
        )

    @property
    def read_alone(self) -> tuple[str, ...]:
        """Return the kinds of results with a page of their own."""
        return READ if len(self.session.people) == 1 else ()

    def rested(self, columns: int, rows: int) -> Drawing:
        """Return the drawing during a pause: a table, a result page, or the events alone."""
        keys, rest = self.message or key_line(self.keys(), columns), self.rest
        table = rest.held or self.table()
        if rest.told:
            return story(Board(table, self.looks, columns, keys=keys), rows)[0]
        if rest.held is None and (has_page(table) or not table.moments):
            return results(Board(table, self.looks, columns, keys=keys), rows)
        if rest.held is None:
            board = self.resting(table, columns)
            drawn = board.fitted(rows)
            if not board.happened.lost:
                return drawn
        return self.held(table, columns).fitted(rows)

    def resting(self, table: Table, columns: int) -> Board:
        """Return the renderer for a table without a decision, while a trick is read."""
        return Board(
            unasked(table),
            self.looks,
            columns,
            message="\n".join([GO_ON, *self.session.told_forced(), *self.session.notes]),
            keys=self.message or key_line(self.keys(), columns),
            read=self.read_alone,
            calm=self.calm,
        )

    def held(self, table: Table, columns: int) -> Board:
        """Return the renderer for a table without a decision that makes room for all events."""
        return evolve(self.resting(table, columns), calm=deepcopy(self.calm), whole=True)

    def on_way(self) -> bool:
        """Pause at the next unseen intermediate table. Return whether there is one."""
        session, rest = self.session, self.rest
        way, session.way = session.way, ()
        if not way or rest.hurried:
            return False
        table, session.way = session.shown(way[0]), way[1:]
        rest.hold(unasked(table), alike(table, session.table()))
        return True

    def unread(self, before: Table | None, columns: int, rows: int) -> bool:
        """Pause if the next view has no room for all important events. Return whether it pauses.

        The current table shows them if it can make room, else the previous one, else a page of events. While others
        still play, the pause comes as late as possible. The page at the end of the match shows everything anyway."""
        table, session = self.session.table(), self.session
        if len(session.people) > 1 or not table.since or not rows or self.rest.hurried or session.match.over:
            return False
        fresh = self.rest.is_fresh(session)
        if fresh and has_page(table):
            return self.hold_before(before, columns, rows) if self.loses(table, columns, rows, fresh) else False
        if not self.loses(table, columns, rows, fresh):
            return False
        if self.holds_all(table, columns, rows):
            if fresh or not session.waits():
                return False  # a trick's page shows it; otherwise wait until all have played
            self.rest.hold(unasked(table), len(table.since))
            return True
        if not self.hold_before(before, columns, rows):
            self.rest.hold(None, story(Board(table, self.looks, columns), rows)[1])
        return True

    def loses(self, table: Table, columns: int, rows: int, fresh: bool) -> bool:
        """Return whether an important event has no room in the view of a table."""
        if fresh and not has_page(table):
            board = evolve(self.resting(table, columns), calm=deepcopy(self.calm))
        else:
            board = Board(
                table,
                self.looks,
                columns,
                message="\n".join([*self.session.told_forced(), *self.session.notes]),
                keys=key_line(self.keys(), columns),
                read=self.read_alone,
                calm=deepcopy(self.calm),
            )
        results(board, rows) if fresh and has_page(table) else board.fitted(rows)
        return board.happened.lost

    def holds_all(self, table: Table, columns: int, rows: int) -> bool:
        """Return whether a table without a decision has room for all events."""
        board = self.held(table, columns)
        board.fitted(rows)
        return not board.happened.lost

    def hold_before(self, before: Table | None, columns: int, rows: int) -> bool:
        """Pause on the previous table if it shows some of the events. Return whether it pauses."""
        lines = alike(before, self.session.table()) if before is not None else 0
        if before is None or not any(map(Board(before, self.looks, columns).happened.is_news, before.since[:lines])):
            return False
        self.rest.hold(before, lines)
        return True

    def keys(self) -> list[str]:
        """Return the keys available now, the most useful first."""
        if self.paused:
            return OUT if self.is_out else RESULT
        if self.session.match.over:
            return END
        if self.session.asked_back:
            return BACK
        table, hand = self.table(), self.hand
        return (
            WAITING
            if self.thinking or table.ask is None
            else keys_of(table.ask, hand.cursor, hand.held, self.undoable, self.passable)
        )

    def said(self) -> str:
        """Return the response to the last key, else one-time notes followed by the prompt's wording."""
        session, ask = self.session, self.table().ask
        notes = [*session.told_forced(), *session.told_given(), *session.notes]
        return self.message or "\n".join(filter(None, [*notes, ask.words if ask is not None and notes else ""]))

    def table(self) -> Table:
        if self.now is None:
            self.now = self.session.table()
        return self.now


def curtain(player: str, columns: int, rows: int) -> Drawing:
    """Return the pass-and-play screen that hides everything until the next person is ready."""
    said = [f"{visible(player)}, it is your turn.", "", "Press Enter when only you can see the screen."]
    lines = [centred(text(each, "title"), columns) for each in said]
    return Drawing((*[()] * max(0, (rows - len(lines)) // 2), *lines), ())
