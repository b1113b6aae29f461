"""Textual screen of a table, for reading: its state, pages and the hand-over between players."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Literal

from attrs import evolve
from textual import work

from cardlang.english.control_characters import escape_invisible_characters
from cardlang.ui.fullest_table_search import find_fullest_tables
from cardlang.ui.terminal.screen.action_panel import CONTINUE_LABEL
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.drawing_widget import DrawingWidget, RefBox
from cardlang.ui.terminal.screen.full_screen_app import FullScreenApp
from cardlang.ui.terminal.screen.help_pages import (
    ELIMINATED_KEYS,
    END_KEYS,
    RESULT_KEYS,
    SLOW_PAGE_MESSAGE,
    UNDO_KEYS,
    WAITING_KEYS,
    build_page,
    explain_highlighted,
    format_key_line,
    format_match_seed,
    list_decision_keys,
    wait_for_text,
)
from cardlang.ui.terminal.screen.result_pause_pages import (
    PAGE_KINDS,
    ResultPause,
    has_result_page,
    render_event_page,
    render_final_page,
    render_result_page,
    show_last_trick_without_decision,
)
from cardlang.ui.terminal.screen.selection import InputState, find_reachable_refs, order_refs_for_navigation
from cardlang.ui.terminal.screen.table_layout import LAST_DRAWN_HAND, BoardRenderer, ScreenDrawing
from cardlang.ui.terminal.screen.text_blocks import LayoutState, center_line, make_line
from cardlang.ui.terminal.session_state import Session, count_common_lines
from interpreter.view.table_model import ActionMenu, Table

MAX_REHEARSALS = 6
"""Maximum number of times to draw the fullest tables. A smaller size starts over with the room of its parts."""

SPARE_LINES = 1
"""Lines left free in a rehearsal, for parts that grow further in the match."""


class ViewState:
    """View state.

    `card_styles`: appearance of cards. `is_undoable`: the last move can be undone. `message`: response to the last key.
    `is_thinking`: bots are playing. `cached_table`: cached table. `fullest_tables`: see `match_rehearsal`."""

    def __init__(self, session: Session, card_styles: CardStyles) -> None:
        super().__init__()
        self.session, self.card_styles = session, card_styles
        self.input_state, self.layout_state, self.result_pause = InputState(), LayoutState(), ResultPause()
        self.is_undoable = self.is_thinking = False
        self.message = ""
        self.cached_table: Table | None = None
        self.fullest_tables: list[Table] | None = None

    @property
    def is_paused(self) -> bool:
        """Return whether play waits for a result to be read."""
        return self.result_pause.is_active

    @property
    def is_eliminated(self) -> bool:
        """Return whether the only person in the match is out while others continue."""
        table = self.result_pause.held_table or self.get_table()
        seats = [area for area in table.places if area.name in self.session.people]
        return len(seats) == 1 and seats[0].out and not self.session.match.over

    @property
    def can_pass_reactions(self) -> bool:
        """Return whether the viewer can pass on this and the following reactions."""
        ask = self.get_table().ask
        return ask is not None and bool(ask.reacts_to) and len(self.session.people) == 1

    def draw_screen(self, columns: int, rows: int) -> ScreenDrawing:
        self.reserve_room(columns, rows)
        if self.session.needs_handover and not self.is_thinking:
            return render_handover(self.session.current_person or "", columns, rows)
        if self.is_paused:
            return self.draw_pause(columns, rows)
        board = self.build_board(columns)
        return render_final_page(board, rows) if self.session.match.over else board.fit_to_height(rows)

    def reserve_room(self, columns: int, rows: int) -> None:
        """Reserve the room that each part can need, by drawing the fullest tables of other matches, on a new size."""
        if self.layout_state.screen_size == (columns, rows) or self.session.match.over:
            return
        if self.fullest_tables is None:
            match = self.session.match
            self.fullest_tables = find_fullest_tables(match.game, match.players, self.session.get_displayed_player())
        is_stable = False
        for _ in range(MAX_REHEARSALS):
            before = self.layout_state.size_index, self.layout_state.heights
            for table in self.fullest_tables:
                board = BoardRenderer(table, self.card_styles, columns, layout_state=self.layout_state)
                board.fit_to_height(rows - SPARE_LINES)
            is_stable = before == (self.layout_state.size_index, self.layout_state.heights)
            if is_stable:
                break
        self.layout_state.screen_size = columns, rows
        self.layout_state.is_crowded = not is_stable or self.layout_state.size_index > LAST_DRAWN_HAND

    def build_board(self, columns: int) -> BoardRenderer:
        """Return the renderer for the table with its prompt."""
        table, hand, message = self.get_table(), self.input_state, self.get_message()
        if self.session.is_undo_pending:  # the confirmation blocks all other actions
            table, hand, message = evolve(table, ask=ActionMenu(message, "", 0)), InputState(), ""
        return BoardRenderer(
            table,
            self.card_styles,
            columns,
            hand.cursor,
            hand.picked,
            hand.amounts,
            message,
            format_key_line(self.list_current_keys(), columns),
            self.page_kinds,
            self.layout_state,
            read_results=self.session.get_last_trick(),
            earlier_events=self.session.get_earlier_events(),
            is_message_temporary=bool(self.message),
        )

    @property
    def page_kinds(self) -> tuple[str, ...]:
        """Return the kinds of results with a page of their own."""
        return PAGE_KINDS if len(self.session.people) == 1 else ()

    def draw_pause(self, columns: int, rows: int) -> ScreenDrawing:
        """Return the drawing during a pause: a table, a result page, or the events alone."""
        keys, rest = self.message or format_key_line(self.list_current_keys(), columns), self.result_pause
        table = rest.held_table or self.get_table()
        if rest.shows_only_events:
            return render_event_page(BoardRenderer(table, self.card_styles, columns, keys=keys), rows)[0]
        if rest.held_table is None and (has_result_page(table) or not table.moments):
            return render_result_page(BoardRenderer(table, self.card_styles, columns, keys=keys), rows)
        if rest.held_table is None:
            board = self.build_resting_board(table, columns)
            drawn = board.fit_to_height(rows)
            if not board.event_pane.has_lost_events:
                return drawn
        return self.build_full_board(table, columns).fit_to_height(rows)

    def build_resting_board(self, table: Table, columns: int) -> BoardRenderer:
        """Return the renderer for a table without a decision, while a trick is read."""
        return BoardRenderer(
            show_last_trick_without_decision(table),
            self.card_styles,
            columns,
            message="\n".join([CONTINUE_LABEL, *self.session.report_forced_moves(), *self.session.notes]),
            keys=self.message or format_key_line(self.list_current_keys(), columns),
            page_kinds=self.page_kinds,
            layout_state=self.layout_state,
        )

    def build_full_board(self, table: Table, columns: int) -> BoardRenderer:
        """Return the renderer for a table without a decision that makes room for all events."""
        return evolve(
            self.build_resting_board(table, columns), layout_state=deepcopy(self.layout_state), shows_all_events=True
        )

    def pause_at_intermediate_table(self) -> bool:
        """Pause at the next unseen intermediate table. Return whether there is one."""
        session, rest = self.session, self.result_pause
        tables, session.intermediate_tables = session.intermediate_tables, ()
        if not tables or rest.is_skipping:
            return False
        table, session.intermediate_tables = session.hide_read_parts(tables[0]), tables[1:]
        rest.pause_for_events(show_last_trick_without_decision(table), count_common_lines(table, session.get_table()))
        return True

    def pause_for_unread_events(self, before: Table | None, columns: int, rows: int) -> bool:
        """Pause if the next view has no room for all important events. Return whether it pauses.

        The current table shows them if it can make room, else the previous one, else a page of events. While others
        still play, the pause comes as late as possible. The page at the end of the match shows everything anyway."""
        table, session = self.session.get_table(), self.session
        if (
            len(session.people) > 1
            or not table.since
            or not rows
            or self.result_pause.is_skipping
            or session.match.over
        ):
            return False
        fresh = self.result_pause.has_unread_result(session)
        if fresh and has_result_page(table):
            return (
                self.pause_on_previous_table(before, columns, rows)
                if self.has_lost_events(table, columns, rows, fresh)
                else False
            )
        if not self.has_lost_events(table, columns, rows, fresh):
            return False
        if self.can_fit_all_events(table, columns, rows):
            if fresh or not session.is_waiting_for_person():
                return False  # a trick's page shows it; otherwise wait until all have played
            self.result_pause.pause_for_events(show_last_trick_without_decision(table), len(table.since))
            return True
        if not self.pause_on_previous_table(before, columns, rows):
            self.result_pause.pause_for_events(
                None, render_event_page(BoardRenderer(table, self.card_styles, columns), rows)[1]
            )
        return True

    def has_lost_events(self, table: Table, columns: int, rows: int, has_unread_result: bool) -> bool:
        """Return whether an important event has no room in the view of a table."""
        if has_unread_result and not has_result_page(table):
            board = evolve(self.build_resting_board(table, columns), layout_state=deepcopy(self.layout_state))
        else:
            board = BoardRenderer(
                table,
                self.card_styles,
                columns,
                message="\n".join([*self.session.report_forced_moves(), *self.session.notes]),
                keys=format_key_line(self.list_current_keys(), columns),
                page_kinds=self.page_kinds,
                layout_state=deepcopy(self.layout_state),
            )
        render_result_page(board, rows) if has_unread_result and has_result_page(table) else board.fit_to_height(rows)
        return board.event_pane.has_lost_events

    def can_fit_all_events(self, table: Table, columns: int, rows: int) -> bool:
        """Return whether a table without a decision has room for all events."""
        board = self.build_full_board(table, columns)
        board.fit_to_height(rows)
        return not board.event_pane.has_lost_events

    def pause_on_previous_table(self, before: Table | None, columns: int, rows: int) -> bool:
        """Pause on the previous table if it shows some of the events. Return whether it pauses."""
        lines = count_common_lines(before, self.session.get_table()) if before is not None else 0
        if before is None or not any(
            map(BoardRenderer(before, self.card_styles, columns).event_pane.is_new_event, before.since[:lines])
        ):
            return False
        self.result_pause.pause_for_events(before, lines)
        return True

    def list_current_keys(self) -> list[str]:
        """Return the keys available now, the most useful first."""
        if self.is_paused:
            return ELIMINATED_KEYS if self.is_eliminated else RESULT_KEYS
        if self.session.match.over:
            return END_KEYS
        if self.session.is_undo_pending:
            return UNDO_KEYS
        table, hand = self.get_table(), self.input_state
        return (
            WAITING_KEYS
            if self.is_thinking or table.ask is None
            else list_decision_keys(table.ask, hand.cursor, hand.picked, self.is_undoable, self.can_pass_reactions)
        )

    def get_message(self) -> str:
        """Return the response to the last key, else one-time notes followed by the prompt's wording."""
        session, ask = self.session, self.get_table().ask
        forced = [] if session.match.over else session.report_forced_moves()
        notes = [
            *forced,
            *session.report_selection(),
            *session.notes,
            *filter(None, [format_match_seed(session.match)]),
        ]
        return self.message or "\n".join(filter(None, [*notes, ask.words if ask is not None and notes else ""]))

    def get_table(self) -> Table:
        if self.cached_table is None:
            self.cached_table = self.session.get_table()
        return self.cached_table


def render_handover(player: str, columns: int, rows: int) -> ScreenDrawing:
    """Return the pass-and-play screen that hides everything until the next person is ready."""
    texts = [
        f"{escape_invisible_characters(player)}, it is your turn.",
        "",
        "Press Enter when only you can see the screen.",
    ]
    lines = [center_line(make_line(text, "title"), columns) for text in texts]
    return ScreenDrawing((*[()] * max(0, (rows - len(lines)) // 2), *lines), ())


AppOutcome = Literal["left", "again"]


class MatchDisplay(ViewState, FullScreenApp[AppOutcome]):
    """Application that displays a match and its pages."""

    def show_message(self, message: str = "") -> None:
        """Redraw the table with a response to the last action."""
        self.message, self.cached_table = message, None
        canvas = self.query_one(DrawingWidget)
        canvas.redraw()
        if self.session.is_undo_pending:
            return  # the highlight comes back after the confirmation
        before = self.input_state.cursor
        self.input_state.clear_missing_cursor(canvas.find_drawn_refs(find_reachable_refs(self.get_table())))
        if self.input_state.cursor != before:
            canvas.redraw(self.input_state.cursor)

    def find_cursor_refs(self) -> dict[str, RefBox]:
        """Return the refs that the cursor can reach, in navigation order."""
        table = self.get_table()
        drawn = self.query_one(DrawingWidget).find_drawn_refs(find_reachable_refs(table, self.input_state.picked))
        return {ref: drawn[ref] for ref in order_refs_for_navigation(table, drawn)}

    # ------------------------------------------------------------ words
    @work(group="reading", exclusive=True)
    async def show_explanation(self) -> None:
        """Show the explanation of the highlighted ref, if it is still highlighted when ready."""
        hand, cursor = self.input_state, self.input_state.cursor
        await self.wait_with_message(self.session.texts.rules)
        if self.input_state is hand and hand.cursor == cursor:
            self.show_message(self.find_explanation())

    async def wait_with_message(self, generate: Callable[[], str]) -> None:
        """Wait for a string, with a message if that takes long."""
        before = self.message
        await wait_for_text(generate, lambda: self.show_message(SLOW_PAGE_MESSAGE))
        if self.message == SLOW_PAGE_MESSAGE:
            self.show_message(before)

    def find_explanation(self) -> str:
        """Return the explanation of the highlighted ref."""
        return explain_highlighted(self.session, self.get_table(), self.card_styles, self.input_state)

    def open_requested_page(self, page_name: str | None) -> None:
        """Open a page, and then any page requested from it.

        During pass-and-play, pages with private information stay closed."""
        if page_name:
            self.open_page(page_name)

    @work(group="reading", exclusive=True)
    async def open_page(self, page_name: str) -> None:
        """Open a page as soon as its content is ready."""
        texts = {"rules": self.session.texts.rules, "aid": self.session.texts.aid}
        if page_name in texts:
            await self.wait_with_message(texts[page_name])
        page = build_page(
            page_name, self.session, None if self.session.needs_handover else self.get_table(), self.card_styles
        )
        if page is not None:
            self.push_screen(page, self.open_requested_page)
