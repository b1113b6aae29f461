"""Textual screen of a table, for reading: its state, pages and the hand-over between players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from attrs import evolve
from textual import work

from cardlang.english.control_characters import escape_invisible_characters
from cardlang.ui.fullest_table_search import find_fullest_tables
from cardlang.ui.terminal.screen.action_panel import CONTINUE_LABEL
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.full_screen_app import FullScreenApp
from cardlang.ui.terminal.screen.help_pages import (
    ELIMINATED_KEYS,
    END_KEYS,
    GIVE_UP_KEY,
    RESULT_KEYS,
    SLOW_PAGE_MESSAGE,
    WAITING_KEYS,
    build_page,
    explain_highlighted,
    format_confirm_keys,
    format_key_line,
    format_match_seed,
    list_decision_keys,
    wait_for_text,
)
from cardlang.ui.terminal.screen.result_pause_pages import (
    PAGE_KINDS,
    ResultPause,
    has_result_with_own_page,
    render_event_page,
    render_final_page,
    render_result_page,
    show_last_trick_without_decision,
)
from cardlang.ui.terminal.screen.selection import InputState, find_reachable_refs, order_refs_for_navigation
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.table_panes import RefBox, TableGrid
from cardlang.ui.terminal.screen.table_planner import TablePlanner
from cardlang.ui.terminal.screen.text_blocks import (
    LayoutState,
    ScreenDrawing,
    build_page_drawing,
    center_line,
    make_line,
)
from cardlang.ui.terminal.session_state import Session, count_common_lines
from interpreter.match.dead_ends import is_dead_end
from interpreter.view.table_model import Table


class ViewState:
    """View state.

    `card_styles`: appearance of cards. `is_undoable`: the last move can be undone. `message`: response to the last key.
    `is_thinking`: bots are playing. `cached_table`: cached table. `fullest_tables`: see `find_fullest_tables`."""

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
        """Fix the size of each part for a screen size, from the fullest tables of other matches."""
        plan, match = self.layout_state.plan, self.session.match
        if match.over or (plan is not None and plan.screen_size == (columns, rows)):
            return
        self.layout_state.reset()
        if self.fullest_tables is None:
            self.fullest_tables = find_fullest_tables(match.game, match.players, self.session.get_displayed_player())
        boards = [
            BoardRenderer(table, self.card_styles, columns, layout_state=self.layout_state)
            for table in (*self.fullest_tables, self.get_table())
        ]
        self.layout_state.plan = TablePlanner(boards, rows).plan()

    def build_board(self, columns: int) -> BoardRenderer:
        """Return the renderer for the table with its prompt."""
        table, hand = self.get_table(), self.input_state
        if self.session.unconfirmed:  # the confirmation blocks all other actions
            table, hand = evolve(table, ask=None), InputState()
        return BoardRenderer(
            table,
            self.card_styles,
            columns,
            hand.cursor,
            hand.picked,
            hand.amounts,
            "",
            format_key_line(self.list_current_keys(), columns),
            self.page_kinds,
            self.layout_state,
            read_results=self.session.get_last_trick(),
            earlier_events=self.session.get_earlier_events(),
            answer=self.message or self.build_notes(),
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
        if rest.held_table is None and (has_result_with_own_page(table) or not table.moments):
            return render_result_page(BoardRenderer(table, self.card_styles, columns, keys=keys), rows)
        return self.build_resting_board(table, columns).fit_to_height(rows)

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
            is_paused=True,
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

    def pause_for_unread_events(self, columns: int, rows: int) -> bool:
        """Pause if the next view has no room for all important events. Return whether it pauses.

        The table without a decision shows them if it has room, else a page of events. While others still play, and at
        the end of the match, there is no pause."""
        self.cached_table = None
        session, table, rest = self.session, self.get_table(), self.result_pause
        fresh = rest.has_unread_result(session)
        late = fresh or session.is_waiting_for_person()
        if len(session.people) > 1 or not (table.since and rows and late) or rest.is_skipping or session.match.over:
            return False
        self.reserve_room(columns, rows)
        board = self.build_resting_board(table, columns) if fresh else self.build_board(columns)
        render_result_page(board, rows) if fresh and has_result_with_own_page(table) else board.fit_to_height(rows)
        if not board.event_pane.has_lost_events:
            return False
        resting = self.build_resting_board(table, columns)
        resting.fit_to_height(rows)
        if fresh or resting.event_pane.has_lost_events:
            rest.pause_for_events(None, render_event_page(board, rows)[1])
        else:
            rest.pause_for_events(resting.table, len(table.since))
        return True

    def list_current_keys(self) -> list[str]:
        """Return the keys available now, the most useful first."""
        if self.is_paused:
            return ELIMINATED_KEYS if self.is_eliminated else RESULT_KEYS
        if self.session.match.over:
            return END_KEYS
        if self.session.unconfirmed:
            return format_confirm_keys(self.session.unconfirmed)
        table, hand = self.get_table(), self.input_state
        return (
            WAITING_KEYS
            if self.is_thinking or table.ask is None
            else list_decision_keys(table.ask, hand.cursor, hand.picked, self.list_commands(), self.can_pass_reactions)
        )

    def list_commands(self) -> list[str]:
        """Return the keys of the available commands that are not always available."""
        give_up = [f"{GIVE_UP_KEY} give up"] if self.session.can_give_up else []
        return [*(["u undo"] if self.is_undoable else []), *give_up]

    def build_notes(self) -> str:
        """Return one-time notes about the viewer's moves."""
        session = self.session
        forced = [] if session.match.over else session.report_forced_moves()
        seed = format_match_seed(session.match)
        dead = f"No move helps any more. Press {GIVE_UP_KEY} to give up, or u to undo moves."
        forced += [dead] if is_dead_end(session.match) else []
        return "\n".join([*forced, *session.report_selection(), *session.notes, *([seed] if seed else [])])

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
    return build_page_drawing((*[()] * max(0, (rows - len(lines)) // 2), *lines), (), rows)


AppOutcome = Literal["left", "again"]


class MatchDisplay(ViewState, FullScreenApp[AppOutcome]):
    """Application that displays a match and its pages."""

    def show_message(self, message: str = "") -> None:
        """Redraw the table with a response to the last action."""
        self.message, self.cached_table = message, None
        canvas = self.query_one(TableGrid)
        canvas.redraw()
        if self.session.unconfirmed:
            return  # the highlight comes back after the confirmation
        before = self.input_state.cursor
        self.input_state.clear_missing_cursor(canvas.find_drawn_refs(find_reachable_refs(self.get_table())))
        if self.input_state.cursor != before:
            canvas.redraw(self.input_state.cursor)

    def find_cursor_refs(self) -> dict[str, RefBox]:
        """Return the refs that the cursor can reach, in navigation order."""
        table = self.get_table()
        drawn = self.query_one(TableGrid).find_drawn_refs(find_reachable_refs(table, self.input_state.picked))
        return {ref: drawn[ref] for ref in order_refs_for_navigation(table, drawn)}

    # ------------------------------------------------------------ words
    @work(group="reading", exclusive=True)
    async def show_explanation(self) -> None:
        """Show the explanation of the highlighted ref, if it is still highlighted when ready."""
        hand, cursor = self.input_state, self.input_state.cursor
        await self.wait_until_text_is_ready(self.session.texts.rules)
        if self.input_state is hand and hand.cursor == cursor:
            self.show_message(self.find_explanation())

    async def wait_until_text_is_ready(self, generate: Callable[[], str]) -> None:
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
            await self.wait_until_text_is_ready(texts[page_name])
        page = build_page(
            page_name, self.session, None if self.session.needs_handover else self.get_table(), self.card_styles
        )
        if page is not None:
            self.push_screen(page, self.open_requested_page)
