"""Textual application of the full screen: event handlers for keys and the mouse, background workers for bots and hints,
and pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input, Static

from cardlang.plain_text import simplified, visible
from cardlang.terminal.pace import Timing
from cardlang.terminal.screen.asking import (
    CONFIRM,
    GO_ON,
    NONE,
    closed_ref,
    may_choose_none,
    not_yet,
    picks_at_once,
)
from cardlang.terminal.screen.board import RESERVED
from cardlang.terminal.screen.calm import Calm
from cardlang.terminal.screen.canvas import Canvas
from cardlang.terminal.screen.fitting import ended
from cardlang.terminal.screen.keying import candidates, how_to_point, option_at
from cardlang.terminal.screen.keys import ENTER_FIRST, PASS_ON, TO_END
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.pages import HELP, READ, Page
from cardlang.terminal.screen.reading import TYPED
from cardlang.terminal.screen.resting import has_page
from cardlang.terminal.screen.showing import Shown
from cardlang.terminal.screen.touching import Hand, closed_by, reachable
from cardlang.terminal.screen.walking import card_at, gone
from cardlang.terminal.session import Session
from cardlang.terminal.typed import obey
from interpreter.table.model import Action, Amount, Table

YES = "y"
"""Key that confirms an undo, like Enter."""
GOING_ON = ("enter", "space")
"""Keys that close a result."""
PAUSE = 0.15
"""Minimum time in seconds that a move stays visible before the next. See `Session.pace`."""
WAYS = {
    "left": "left", "right": "right", "up": "up", "down": "down", "tab": "next", "shift+tab": "previous",
    "home": "first", "end": "last",
}  # fmt: skip


class TableApp(Shown):
    """Application that plays one match and shows its end.

    `pause`: minimum time in seconds that each bot's move stays visible."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { overflow: hidden; layers: table line; }
    Canvas { layer: table; }
    Horizontal { layer: line; dock: bottom; display: none; height: 1; }
    Horizontal.open { display: block; }
    Horizontal Static { width: 2; }
    Input { border: none; height: 1; padding: 0; width: 1fr; background: ansi_default; }
    """

    def __init__(self, session: Session, looks: Looks, pause: float = PAUSE) -> None:
        super().__init__(session, looks)
        session.lays = True
        self.theme = "ansi-dark"
        self.title = visible(session.match.game.title)
        self.pause = pause
        self.astray = ""
        """Last pressed key, if it has no meaning here."""
        self.fault: Exception | None = None

    def compose(self) -> ComposeResult:
        yield Canvas(self.drawn)
        with Horizontal():
            yield Static(": ")
            yield Input(placeholder="type a move, then press Enter (Esc cancels)")

    def on_mount(self) -> None:
        self.query_one(Canvas).focus()
        if not self.session.match.over:
            self.session.arrive()
            self.rest.begin(self.session)
        self.go_on()

    # ------------------------------------------------------------ bots
    @work(exclusive=True)
    async def go_on(self) -> None:
        """Play the bots' moves, each visible, until a person must decide or a result must be read."""
        session = self.session
        self.thinking = True
        try:
            before: Table | None = None
            timing = Timing(session)
            while not (self.on_way() or self.unread(before, *self.query_one(Canvas).size)):
                if self.rest.stop(session) or session.match.over or session.waits():
                    break
                self.show()
                before = self.table()
                timing.begin()
                session.play(await asyncio.to_thread(session.thought, self.rest.hurried))
                is_shown = not (self.rest.hurried or timing.goes_on)
                await asyncio.sleep(max(self.pause, timing.left()) if is_shown else 0)
        except Exception as fault:  # reported by the command after the full screen closes
            self.fault = fault
            self.exit("left")
            return
        finally:
            self.thinking = False
        if len(session.people) == 1:
            session.look()
        self.hand, self.now, self.undoable = Hand(), None, session.can_undo()
        if len(self.table().since) <= RESERVED:  # a highlight takes lines away from the event log
            self.hand.point_at_only(self.table())
        if session.match.over:
            self.query_one(Canvas).scrolled = 0  # show the end from the top
        self.show()
        self.call_after_refresh(self.has_drawn)

    def has_drawn(self) -> None:
        """Record the time of the drawing. Keys pressed later refer to the visible screen."""
        self.rest.drawn = monotonic()

    @work(exclusive=True)
    async def consider(self) -> None:
        """Compute a hint in the background and show it."""
        self.thinking = True
        self.show("Thinking …")
        try:
            said = await asyncio.to_thread(self.session.hint, self.session.match)
        finally:
            self.thinking = False
        self.show(said)

    def done(self, said: str) -> None:
        """Continue after a move, or show the error message."""
        if said:
            self.show(said)
        else:
            self.go_on()

    # ------------------------------------------------------------ keys
    def on_key(self, event: events.Key) -> None:
        if isinstance(self.focused, Input):
            if event.key == "escape":
                self.close_line()
            return
        if isinstance(self.screen, Page):
            return
        event.prevent_default()
        if event.key in GOING_ON and self.rest.is_early(event.time):
            return
        self.press(event.key, simplified(event.character or ""))

    def on_canvas_sized(self, event: Canvas.Sized) -> None:
        self.show(self.message)

    def press(self, key: str, character: str) -> None:
        if key in ("q", "ctrl+c", "ctrl+d", "ctrl+q"):
            self.exit("left")
        elif key in ("pageup", "pagedown"):
            self.query_one(Canvas).scroll_lines(5 if key == "pagedown" else -5)
        elif character == HELP:
            self.read(HELP)
        elif key in READ:
            self.read(READ[key])
        elif self.thinking:
            return
        elif self.paused:
            if key in GOING_ON or (character == TO_END and self.is_out):
                self.rest.hurried = character == TO_END
                self.turn_over()
            elif character.isprintable() and character:
                self.show(ENTER_FIRST)
        elif self.session.curtained:
            if key == "enter":
                self.session.look()
                self.undoable = self.session.can_undo()
                self.show()
        elif self.session.match.over:
            if character == "n":
                self.exit("again")
        elif self.session.asked_back:
            self.answer(key == "enter" or character == YES)
        elif self.astray and key in GOING_ON:
            more = " Press Enter to choose the highlighted one." if self.hand.cursor else ""
            self.show(f"There is no option {self.astray}.{more}")
            self.astray = ""
        else:
            self.astray = ""
            self.play_key(key, character)

    def turn_over(self) -> None:
        """Close a result and continue play.

        After a result page, the layout starts over."""
        table = self.table()
        if self.rest.waits_for_reader:
            self.rest.read(self.session)
        elif has_page(table):
            self.calm = Calm()
            self.session.turn_over(ended(table.since))
        else:
            self.session.go_on(len(table.since))
        self.rest.on = False
        self.go_on()

    @property
    def key_commands(self) -> dict[str, Callable[[], object]]:
        return {
            ":": self.open_line, "/": self.open_line, "u": self.take_back, "h": self.consider, "w": self.explain,
        }  # fmt: skip

    def play_key(self, key: str, character: str) -> None:
        """Handle a key at the table."""
        table, hand = self.table(), self.hand
        self.session.begin()
        if hand.dial(table, key, character):
            amount = hand.at(table)
            self.show(hand.objection(amount) if amount is not None else "")
        elif key in WAYS:
            self.go(WAYS[key])
        elif key in ("enter", "space"):
            self.touch(hand.cursor, confirm=key == "enter")
        elif key == "escape":
            hand.free()
            self.show()
        elif character == NONE and may_choose_none(table.ask):
            hand.leave(CONFIRM)
            self.show()
        elif command := self.key_commands.get(character):
            command()
        elif character == PASS_ON and self.passable:
            self.done(self.session.pass_on())
        elif verb := hand.verb(table, character):
            hand.hold_verb(table, verb)
            self.show()
        elif (found := hand.keyed(table, character)) is not None:
            self.take(found)
        elif not hand.held and (closed := closed_by(table, character)) is not None:
            hand.leave(closed_ref(closed))
            self.explain()
        elif not hand.held and (card := card_at(table, character, drawn := self.drawn_refs())) in drawn:
            hand.leave(card)
            self.show()
        elif character.isprintable() and character:
            self.astray = character
            self.show(f"{character} does nothing here. Press ? for all keys.")

    def take_back(self, sure: bool = False) -> None:
        """Undo a move, or ask for confirmation first."""
        said = self.session.undo(sure)
        if not self.session.asked_back:
            self.rest.begin(self.session)
        self.done(said)

    def answer(self, yes: bool) -> None:
        """Answer the confirmation question of an undo."""
        self.session.asked_back = False
        self.take_back(sure=True) if yes else self.show("Nothing was undone.")

    def go(self, way: str) -> None:
        """Move the cursor. On a number, left and right change it."""
        if way in ("left", "right") and self.hand.turn(self.table(), 1 if way == "right" else -1):
            self.show()
            return
        hand = self.hand
        hand.leave(gone(self.table(), hand.held, hand.cursor, self.drawn_refs(), way))
        self.message = ""
        self.query_one(Canvas).redraw(self.hand.cursor)

    # ------------------------------------------------------------ mouse and Enter
    def on_canvas_touched(self, event: Canvas.Touched) -> None:
        """Handle a click.

        The first click moves the cursor, the next acts like Enter. Cards of a set are toggled. A click on Continue
        closes a result."""
        if self.paused and event.ref == GO_ON:
            self.press("enter", "")
        elif not (self.thinking or self.paused or self.session.curtained or self.session.match.over):
            self.click(event.ref)

    def click(self, ref: str) -> None:
        """Handle a click at the table while the viewer has a decision."""
        self.session.begin()
        self.session.asked_back = False
        table = self.table()
        way, _, key = ref.partition("/")
        if way in ("less", "more"):
            self.hand.cursor = f"amount/{key}"
            self.hand.turn(table, 1 if way == "more" else -1)
            self.show()
            return
        choosing = table.ask.choosing if table.ask is not None else None
        at_once = ref == self.hand.cursor or ref == CONFIRM or ref.startswith("action/")
        if ref in reachable(table):
            self.hand.leave(ref)
        if at_once or (choosing is not None and ref in choosing.refs):
            self.touch(ref, confirm=choosing is None or ref == CONFIRM)
        else:
            self.show()

    def touch(self, ref: str, confirm: bool) -> None:
        """Handle Enter (`confirm`) or Space on a ref."""
        table = self.table()
        ask = table.ask
        if ask is None:
            return
        choosing = ask.choosing
        if choosing is not None and (ref in choosing.refs or ref in (CONFIRM, "")):
            if ref in choosing.refs and not confirm:
                self.show(self.session.toggle(ref))
            elif picks_at_once(choosing, ref):
                self.done(self.session.toggle(ref) or self.session.confirm())
            elif choosing.ready and (ref == CONFIRM or choosing.chosen):
                self.done(self.session.confirm()) if confirm else self.show("Press Enter to confirm.")
            else:
                self.show(not_yet(choosing))
            return
        option = option_at(ask, ref)
        if not ref:
            self.show(how_to_point(table, ref, self.hand.held))
        elif not confirm:
            can = option is not None or candidates(table, (*self.hand.held, ref))
            self.show("Press Enter to do it.") if can else self.explain()
        elif option is not None:
            self.do(option)
        elif (action := self.hand.hold(table, ref)) is not None:
            self.do(action)
        else:
            self.show(how_to_point(table, ref, self.hand.held)) if self.hand.held else self.explain()

    def do(self, option: Action | Amount) -> None:
        """Play the move of a button."""
        if isinstance(option, Action):
            self.done(self.session.make(option.move))
        elif (move := self.hand.move_of(option)) is not None:
            self.done(self.session.make(move))
        else:
            self.show(self.hand.missing(option))

    def take(self, option: Action | Amount) -> None:
        """Highlight the option of a letter or digit. Enter then plays it."""
        self.hand.point(option)
        self.show(self.hand.missing(option) if isinstance(option, Amount) and self.hand.move_of(option) is None else "")

    # ------------------------------------------------------------ typed lines
    def open_line(self) -> None:
        line = self.query_one(Input)
        line.value = ""
        self.query_one(Horizontal).add_class("open")
        line.focus()

    def close_line(self) -> None:
        self.query_one(Horizontal).remove_class("open")
        self.query_one(Canvas).focus()
        self.show()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.close_line()
        typed = event.value.strip()
        if not typed or self.thinking or self.paused or self.session.curtained:
            return
        reply = obey(self.session, typed)
        if reply.page == "quit":
            self.exit("left")
        elif reply.page in TYPED:
            self.read(TYPED[reply.page])
        elif reply.moved:
            self.go_on()
        else:
            self.show(reply.said)
