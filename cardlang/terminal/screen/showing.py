"""Display layer of the full screen: the table, responses and pages."""

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
    """Application that displays a match and its pages."""

    def show(self, message: str = "") -> None:
        """Redraw the table with a response to the last action."""
        self.message, self.now = message, None
        canvas = self.query_one(Canvas)
        canvas.redraw()
        if self.session.asked_back:
            return  # the highlight comes back after the confirmation
        before = self.hand.cursor
        self.hand.settle(canvas.reachable(reachable(self.table())))
        if self.hand.cursor != before:
            canvas.redraw(self.hand.cursor)

    def drawn_refs(self) -> dict[str, Spot]:
        """Return the refs that the cursor can reach, in navigation order."""
        table = self.table()
        drawn = self.query_one(Canvas).reachable(reachable(table, self.hand.held))
        return {ref: drawn[ref] for ref in walked(table, drawn)}

    # ------------------------------------------------------------ words
    @work(group="reading", exclusive=True)
    async def explain(self) -> None:
        """Show the explanation of the highlighted ref, if it is still highlighted when ready."""
        hand, cursor = self.hand, self.hand.cursor
        await self.made(self.session.texts.rules)
        if self.hand is hand and hand.cursor == cursor:
            self.show(self.why())

    async def made(self, text: Callable[[], str]) -> None:
        """Wait for a string, with a message if that takes long."""
        before = self.message
        await awaited(text, lambda: self.show(MAKING))
        if self.message == MAKING:
            self.show(before)

    def why(self) -> str:
        """Return the explanation of the highlighted ref."""
        return why(self.session, self.table(), self.looks, self.hand)

    def read(self, what: str | None) -> None:
        """Open a page, and then any page requested from it.

        During pass-and-play, pages with private information stay closed."""
        if what:
            self.open_page(what)

    @work(group="reading", exclusive=True)
    async def open_page(self, what: str) -> None:
        """Open a page as soon as its content is ready."""
        texts = {"rules": self.session.texts.rules, "aid": self.session.texts.aid}
        if what in texts:
            await self.made(texts[what])
        page = page_of(what, self.session, None if self.session.curtained else self.table(), self.looks)
        if page is not None:
            self.push_screen(page, self.read)
