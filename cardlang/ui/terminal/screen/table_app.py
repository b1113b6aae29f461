"""Textual apps for play and for replay."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Static

from cardlang.english.control_characters import escape_invisible_characters, normalize_user_input
from cardlang.ui.terminal.bot_move_timing import MoveTimer
from cardlang.ui.terminal.command_parser import execute_line
from cardlang.ui.terminal.screen.action_panel import (
    CONFIRM_REF,
    CONTINUE_LABEL,
    EMPTY_SELECTION_KEY,
    can_confirm_nothing,
    explain_incomplete_selection,
    get_closed_option_ref,
    is_single_pick,
)
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.event_pane import count_result_lines
from cardlang.ui.terminal.screen.full_screen_app import FullScreenApp
from cardlang.ui.terminal.screen.help_pages import (
    CONTINUE_FIRST,
    GIVE_UP_KEY,
    HELP_KEY,
    PAGES_BY_COMMAND,
    PAGES_BY_KEY,
    PASS_KEY,
    SKIP_KEY,
    OverlayPage,
    build_log_page,
)
from cardlang.ui.terminal.screen.key_bindings import (
    explain_highlighting,
    find_matching_actions,
    find_option_at,
    find_player_keys,
)
from cardlang.ui.terminal.screen.match_display import MatchDisplay
from cardlang.ui.terminal.screen.result_pause_pages import has_result_with_own_page
from cardlang.ui.terminal.screen.selection import (
    InputState,
    find_card_by_digit,
    find_closed_option_by_key,
    find_next_cursor,
    find_reachable_refs,
    list_all_piles,
)
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.table_panes import TableGrid
from cardlang.ui.terminal.screen.text_blocks import ScreenDrawing
from cardlang.ui.terminal.session_state import Session
from interpreter.match.match import Match
from interpreter.view.table_model import Action, AmountAction

CONFIRM_KEY = "y"
"""Key that confirms a command, like Enter."""
CONTINUE_KEYS = ("enter", "space")
"""Keys that close a result."""
MIN_MOVE_SECONDS = 0.15
"""Minimum time in seconds that a move stays visible before the next. See `Session.pace`."""
CURSOR_KEYS = {
    "left": "left", "right": "right", "up": "up", "down": "down", "tab": "next", "shift+tab": "previous",
    "home": "first", "end": "last",
}  # fmt: skip


class TableApp(MatchDisplay):
    """Application that plays one match and shows its end.

    `pause`: minimum time in seconds that each bot's move stays visible."""

    CSS = """
    Screen { overflow: hidden; layers: table line; }
    TableGrid { layer: table; }
    Horizontal { layer: line; dock: bottom; display: none; height: 1; }
    Horizontal.open { display: block; }
    Horizontal Static { width: 2; }
    Input { border: none; height: 1; padding: 0; width: 1fr; background: ansi_default; }
    """

    def __init__(self, session: Session, card_styles: CardStyles, pause: float = MIN_MOVE_SECONDS) -> None:
        super().__init__(session, card_styles)
        session.plays_own_forced_cards = True
        self.theme = "ansi-dark"
        self.title = escape_invisible_characters(session.match.game.title)
        self.pause = pause
        self.unknown_key = ""
        """Last pressed key, if it has no meaning here."""

    def compose(self) -> ComposeResult:
        yield TableGrid(self.draw_screen)
        with Horizontal():
            yield Static(": ")
            yield Input(placeholder="type a move, then press Enter (Esc cancels)")

    def on_mount(self) -> None:
        self.query_one(TableGrid).focus()
        if not self.session.match.over:
            self.session.mark_resumed()
            self.result_pause.mark_all_read(self.session)
        self.play_until_decision()

    # ------------------------------------------------------------ bots
    @work(exclusive=True)
    async def play_until_decision(self) -> None:
        """Play the bots' moves one at a time until a person must decide or confirm a result."""
        session = self.session
        self.is_thinking, self.input_state = True, InputState()  # nothing stays highlighted while others play
        try:
            timing = MoveTimer(session)
            while not (
                self.pause_at_intermediate_table() or self.pause_for_unread_events(*self.query_one(TableGrid).size)
            ):
                if self.result_pause.pause_if_unread(session) or session.match.over or session.is_waiting_for_person():
                    break
                self.show_message()
                timing.start_move()
                session.play_move(await asyncio.to_thread(session.choose_automatic_move, self.result_pause.is_skipping))
                is_shown = not (self.result_pause.is_skipping or timing.is_bot_mid_choice)
                await asyncio.sleep(max(self.pause, timing.count_seconds_left()) if is_shown else 0)
        finally:
            self.is_thinking = False
        if len(session.people) == 1:
            session.hand_over_screen()
        self.input_state, self.cached_table, self.is_undoable = InputState(), None, session.can_undo()
        self.input_state.highlight_only_move(self.get_table())
        self.show_message()
        self.call_after_refresh(self.record_drawn_at)

    def record_drawn_at(self) -> None:
        """Record the time of the drawing. Keys pressed later refer to the visible screen."""
        self.result_pause.drawn_at = monotonic()

    @work(exclusive=True)
    async def show_hint(self) -> None:
        """Compute a hint in the background and show it."""
        self.is_thinking = True
        self.show_message("Thinking …")
        try:
            hint_text = await asyncio.to_thread(self.session.hint, self.session.match)
        finally:
            self.is_thinking = False
        cards = (f"[{card.code}]" for pile in list_all_piles(self.get_table()) for card in pile.cards if card.code)
        self.show_message(self.card_styles.replace_move_codes(hint_text, tuple(cards)))

    def continue_after_move(self, error: str) -> None:
        """Continue after a move, or show the error message."""
        if error:
            self.show_message(error)
        else:
            self.play_until_decision()

    # ------------------------------------------------------------ keys
    def on_key(self, event: events.Key) -> None:
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self.close_input_line()
            return
        if isinstance(self.screen, OverlayPage):
            return
        event.prevent_default()
        if event.key in CONTINUE_KEYS and self.result_pause.is_key_too_early(event.time):
            return
        self.process_key(event.key, normalize_user_input(event.character or ""))

    def on_table_grid_sized(self, event: TableGrid.Sized) -> None:
        self.show_message(self.message)

    def process_key(self, key: str, character: str) -> None:
        if key in ("q", "ctrl+c", "ctrl+d", "ctrl+q"):
            self.exit("left")
        elif key in ("pageup", "pagedown"):
            self.query_one(TableGrid).scroll_lines(5 if key == "pagedown" else -5)
        elif character == HELP_KEY:
            self.open_requested_page(HELP_KEY)
        elif key in PAGES_BY_KEY:
            self.open_requested_page(PAGES_BY_KEY[key])
        elif self.is_thinking:
            return
        elif self.is_paused:
            if key in CONTINUE_KEYS or (character == SKIP_KEY and self.is_eliminated):
                self.result_pause.is_skipping = character == SKIP_KEY
                self.close_result()
            elif character.isprintable() and character:
                self.show_message(CONTINUE_FIRST)
        elif self.session.needs_handover:
            if key == "enter":
                self.session.hand_over_screen()
                self.is_undoable = self.session.can_undo()
                self.show_message()
        elif self.session.match.over:
            if character == "n":
                self.exit("again")
        elif self.session.unconfirmed:
            self.answer_question(key == "enter" or character == CONFIRM_KEY)
        elif self.unknown_key and key in CONTINUE_KEYS:
            more = " Press Enter to choose the highlighted one." if self.input_state.can_play(self.get_table()) else ""
            self.show_message(f"There is no option {self.unknown_key}.{more}")
            self.unknown_key = ""
        else:
            self.unknown_key = ""
            self.process_table_key(key, character)

    def close_result(self) -> None:
        """Close a result and continue play."""
        table = self.get_table()
        if self.result_pause.is_paused_for_events:
            self.result_pause.end_event_pause(self.session)
        elif has_result_with_own_page(table):
            self.session.mark_results_read(count_result_lines(table.since))
        else:
            self.session.mark_tricks_and_events_read(len(table.since))
        self.result_pause.is_active = False
        self.play_until_decision()

    @property
    def key_commands(self) -> dict[str, Callable[[], object]]:
        return {
            ":": self.open_input_line,
            "/": self.open_input_line,
            "u": self.undo_move,
            "h": self.show_hint,
            "w": self.show_explanation,
            **({GIVE_UP_KEY: lambda: self.show_message(self.session.give_up())} if self.session.can_give_up else {}),
        }

    def process_table_key(self, key: str, character: str) -> None:
        """Handle a key at the table."""
        table, hand = self.get_table(), self.input_state
        self.session.clear_forced_moves()
        if hand.process_number_key(table, key, character):
            amount = hand.find_active_amount(table)
            self.show_message(hand.explain_impossible_digits(amount) if amount is not None else "")
        elif key in CURSOR_KEYS:
            self.move_cursor(CURSOR_KEYS[key])
        elif key in ("enter", "space"):
            self.activate_ref(hand.cursor, confirm=key == "enter")
        elif key == "escape":
            hand.clear()
            self.show_message()
        elif character == EMPTY_SELECTION_KEY and can_confirm_nothing(table.ask):
            hand.move_cursor(CONFIRM_REF)
            self.show_message()
        elif hand.picked and character == "w" and (option := hand.find_option_by_key(table, character)) is not None:
            self.highlight_option(option)
        elif command := self.key_commands.get(character):
            command()
        elif character == PASS_KEY and self.can_pass_reactions:
            self.continue_after_move(self.session.pass_reactions())
        elif verb := hand.find_option_ref(table, character):
            self.highlight_option(hand.pick_option(table, verb))
        elif ref := hand.find_choice_by_key(table, character):
            self.click_ref(ref)
        elif ref := find_player_keys(table, hand.picked).get(character.lower(), ""):
            hand.pick_ref(table, ref)
            self.show_message()
        elif (option := hand.find_option_by_key(table, character)) is not None:
            self.highlight_option(option)
        elif not hand.picked and (closed := find_closed_option_by_key(table, character)) is not None:
            hand.move_cursor(get_closed_option_ref(closed))
            self.show_explanation()
        elif not hand.picked and (card := self.find_drawn_card(character)):
            hand.move_cursor(card)
            self.show_message()
        elif character.isprintable() and character:
            self.unknown_key = character
            self.show_message(f"{character} does nothing here. Press ? for all keys.")

    def find_drawn_card(self, digit: str) -> str:
        """Return the ref of the drawn card that a digit stands for; empty if there is none."""
        drawn = self.find_cursor_refs()
        card = find_card_by_digit(self.get_table(), digit, drawn)
        return card if card in drawn else ""

    def undo_move(self) -> None:
        """Undo a move, or ask for confirmation first."""
        self.finish_command(self.session.undo())

    def finish_command(self, message: str) -> None:
        """Continue after a command that may need a confirmation."""
        if not self.session.unconfirmed:
            self.result_pause.mark_all_read(self.session)
        self.continue_after_move(message)

    def answer_question(self, confirmed: bool) -> None:
        """Answer the confirmation question of a command."""
        if confirmed:
            self.finish_command(self.session.confirm_command())
        else:
            self.session.unconfirmed = ""
            self.show_message("Nothing was changed.")

    def move_cursor(self, direction: str) -> None:
        """Move the cursor. On a number, left and right change it."""
        if direction in ("left", "right") and self.input_state.step_number(
            self.get_table(), 1 if direction == "right" else -1, by_size=True
        ):
            self.show_message()
            return
        hand = self.input_state
        hand.move_cursor(
            find_next_cursor(self.get_table(), hand.picked, hand.cursor, self.find_cursor_refs(), direction)
        )
        self.message = ""
        self.query_one(TableGrid).redraw(self.input_state.cursor)

    # ------------------------------------------------------------ mouse and Enter
    def on_table_grid_touched(self, event: TableGrid.Touched) -> None:
        """Handle a click.

        The first click moves the cursor, the next acts like Enter. Cards of a set are toggled. A click on Continue
        closes a result."""
        if self.is_paused and event.ref == CONTINUE_LABEL:
            self.process_key("enter", "")
        elif not (self.is_thinking or self.is_paused or self.session.needs_handover or self.session.match.over):
            self.click_ref(event.ref)

    def click_ref(self, ref: str) -> None:
        """Handle a click at the table while the viewer has a decision."""
        self.session.clear_forced_moves()
        self.session.unconfirmed = ""
        table = self.get_table()
        ref_kind, _, key = ref.partition("/")
        if ref_kind in ("less", "more"):
            self.input_state.cursor = f"amount/{key}"
            self.input_state.step_number(table, 1 if ref_kind == "more" else -1)
            self.show_message()
            return
        choosing = table.ask.choosing if table.ask is not None else None
        at_once = ref == self.input_state.cursor or ref == CONFIRM_REF or ref.startswith("action/")
        if ref in find_reachable_refs(table):
            self.input_state.move_cursor(ref)
        if at_once or (choosing is not None and ref in choosing.refs):
            self.activate_ref(ref, confirm=choosing is None or ref == CONFIRM_REF)
        else:
            self.show_message()

    def activate_ref(self, ref: str, confirm: bool) -> None:
        """Handle Enter (`confirm`) or Space on a ref."""
        table = self.get_table()
        ask = table.ask
        if ask is None:
            return
        choosing = ask.choosing
        if choosing is not None and (ref in choosing.refs or ref in (CONFIRM_REF, "")):
            if ref in choosing.refs and not confirm:
                self.show_message(self.session.toggle_ref(ref))
            elif is_single_pick(choosing, ref):
                self.continue_after_move(self.session.toggle_ref(ref) or self.session.confirm_selection())
            elif choosing.ready and (ref == CONFIRM_REF or choosing.chosen):
                self.continue_after_move(self.session.confirm_selection()) if confirm else self.show_message(
                    "Press Enter to confirm."
                )
            else:
                self.show_message(explain_incomplete_selection(choosing))
            return
        option = find_option_at(ask, ref)
        if not ref:
            self.show_message(explain_highlighting(table, ref, self.input_state.picked))
        elif not confirm:
            can = option is not None or find_matching_actions(table, (*self.input_state.picked, ref))
            self.show_message("Press Enter to do it.") if can else self.show_explanation()
        elif option is not None:
            self.play_option(option)
        elif (action := self.input_state.pick_ref(table, ref)) is not None:
            self.play_option(action)
        else:
            self.show_message(
                explain_highlighting(table, ref, self.input_state.picked)
            ) if self.input_state.picked else self.show_explanation()

    def play_option(self, option: Action | AmountAction) -> None:
        """Play the move of a button."""
        if isinstance(option, Action):
            self.continue_after_move(self.session.make_move(option.move))
        elif (move := self.input_state.find_amount_move(option)) is not None:
            self.continue_after_move(self.session.make_move(move))
        else:
            self.show_message(self.input_state.explain_missing_number(option))

    def highlight_option(self, option: Action | AmountAction | None) -> None:
        """Highlight the option of a letter or digit. Enter then plays it.

        A player without opponents plays it at once, because they can undo it."""
        if option is None:
            self.show_message()
            return
        self.input_state.highlight_option(option)
        if isinstance(option, Action) and len(self.session.match.players) == 1:
            self.play_option(option)
            return
        self.show_message(
            self.input_state.explain_missing_number(option)
            if isinstance(option, AmountAction) and self.input_state.find_amount_move(option) is None
            else ""
        )

    # ------------------------------------------------------------ typed lines
    def open_input_line(self) -> None:
        line = self.query_one(Input)
        line.value = ""
        self.query_one(Horizontal).add_class("open")
        line.focus()

    def close_input_line(self) -> None:
        self.query_one(Horizontal).remove_class("open")
        self.query_one(TableGrid).focus()
        self.show_message()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.close_input_line()
        typed = event.value.strip()
        if not typed or self.is_thinking or self.is_paused or self.session.needs_handover:
            return
        reply = execute_line(self.session, typed)
        if reply.page == "quit":
            self.exit("left") if len(typed) > 1 else self.show_message("To stop playing, press q, or type :quit.")
        elif reply.page in PAGES_BY_COMMAND:
            self.open_requested_page(PAGES_BY_COMMAND[reply.page])
        elif reply.has_moved:
            self.play_until_decision()
        else:
            self.show_message(self.card_styles.replace_codes(reply.message))


STEP_KEYS = {"left": -1, "right": 1, "up": -10, "down": 10, "pageup": -10, "pagedown": 10, "space": 1, "enter": 1}


class ReplayApp(FullScreenApp[None]):
    """Application that steps through a match.

    `match_after(n)` returns the match after `n` choices. `viewer`: player whose view is shown, None for a spectator."""

    CSS = "Screen { overflow: hidden; }"

    def __init__(
        self, match: Match, match_after: Callable[[int], Match], card_styles: CardStyles, viewer: str | None
    ) -> None:
        super().__init__()
        self.theme = "ansi-dark"
        self.choice_count, self.match_after, self.card_styles = len(match.choices), match_after, card_styles
        self.viewers: list[str | None] = [None, *match.players] if viewer is None else [viewer]
        self.viewer_index, self.position = 0, 0
        self.match = match_after(0)

    def compose(self) -> ComposeResult:
        yield TableGrid(self.draw_screen)

    def on_mount(self) -> None:
        self.query_one(TableGrid).focus()

    def draw_screen(self, columns: int, rows: int) -> ScreenDrawing:
        viewer = self.viewers[self.viewer_index]
        whose = f"as {escape_invisible_characters(viewer)} saw it" if viewer is not None else "as a spectator saw it"
        keys = (
            "← → step   ↑ ↓ ten   Home End   "
            + ("v change view   " if len(self.viewers) > 1 else "")
            + "F3 log   q quit"
        )
        message_text = f"Decision {self.position} of {self.choice_count}, {whose}\n{keys}"
        return BoardRenderer(self.match.table(viewer), self.card_styles, columns, message=message_text).fit_to_height(
            rows
        )

    def on_table_grid_sized(self, event: TableGrid.Sized) -> None:
        self.query_one(TableGrid).redraw()

    def on_key(self, event: events.Key) -> None:
        if isinstance(self.screen, OverlayPage):
            return
        event.prevent_default()
        if event.key in ("q", "escape", "ctrl+c", "ctrl+d", "ctrl+q"):
            self.exit()
        elif event.key == "v":
            self.viewer_index = (self.viewer_index + 1) % len(self.viewers)
            self.query_one(TableGrid).redraw()
        elif event.key == "f3":
            self.push_screen(build_log_page(self.match.view(self.viewers[self.viewer_index]).log, self.card_styles))
        elif event.key in ("home", "end"):
            self.go_to(0 if event.key == "home" else self.choice_count)
        elif event.key in STEP_KEYS:
            self.go_to(self.position + STEP_KEYS[event.key])

    def go_to(self, position: int) -> None:
        """Show the match after a number of choices."""
        position = max(0, min(position, self.choice_count))
        if position != self.position:
            self.position, self.match = position, self.match_after(position)
            self.query_one(TableGrid).redraw()
