"""The full screen as far as it only shows: the table, answers to what was done, pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from textual import work
from textual.app import App

from cardlang.terminal.screen.canvas import Canvas, Spot
from cardlang.terminal.screen.explaining import why
from cardlang.terminal.screen.reading import MAKING, awaited, page_of
from cardlang.terminal.screen.scene import Scene
from cardlang.terminal.screen.touching import reachable
from cardlang.terminal.screen.walking import walked

Outcome = Literal["left", "again"]


class Shown(Scene, App[Outcome]):
    """Shows where a match stands, and what can be read beside it."""

    def show(self, message: str = "") -> None:
        """Shows the table as it is now, with an answer to what was done."""
        self.message, self.now = message, None
        canvas = self.query_one(Canvas)
        canvas.redraw()
        if self.session.asked_back:
            return  # what was pointed at is pointed at again once that is answered
        before = self.hand.cursor
        self.hand.settle(canvas.reachable(reachable(self.table())))
        if self.hand.cursor != before:
            canvas.redraw(self.hand.cursor)

    def drawn_refs(self) -> dict[str, Spot]:
        """What the cursor can go to, in the order in which arrows go."""
        table = self.table()
        drawn = self.query_one(Canvas).reachable(reachable(table, self.hand.held))
        return {ref: drawn[ref] for ref in walked(table, drawn)}

    # ------------------------------------------------------------ words
    @work(group="reading", exclusive=True)
    async def explain(self) -> None:
        """Tells what can be said about what is pointed at, if it still is then."""
        hand, cursor = self.hand, self.hand.cursor
        await self.made(self.session.texts.rules)
        if self.hand is hand and hand.cursor == cursor:
            self.show(self.why())

    async def made(self, text: Callable[[], str]) -> None:
        """Waits for a text, and says so where that takes long."""
        before = self.message
        await awaited(text, lambda: self.show(MAKING))
        if self.message == MAKING:
            self.show(before)

    def why(self) -> str:
        """What can be said about what is pointed at."""
        return why(self.session, self.table(), self.looks, self.hand)

    def read(self, what: str | None) -> None:
        """Opens a page over the table, if one is wanted, and then those that are asked for there; behind the curtain,
        none that tells what a person knows."""
        if what:
            self.open_page(what)

    @work(group="reading", exclusive=True)
    async def open_page(self, what: str) -> None:
        """Opens a page, once its text is made."""
        texts = {"rules": self.session.texts.rules, "aid": self.session.texts.aid}
        if what in texts:
            await self.made(texts[what])
        page = page_of(what, self.session, None if self.session.curtained else self.table(), self.looks)
        if page is not None:
            self.push_screen(page, self.read)
