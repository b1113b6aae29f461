"""Choice of the page to open, and of the place where it opens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from cardlang.terminal.screen.explaining import offered, whereabouts
from cardlang.terminal.screen.keys import keys_page
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.pages import HELP, READ, Page, cards_page, log_page, rank_in, text_page, with_legend
from cardlang.terminal.session import Session
from interpreter.table.model import Table

TYPED = {**{each: each for each in READ.values()}, "help": HELP}
"""Pages by the commands that open them."""
PATIENCE, MAKING = 0.3, "One moment …"
"""Delay in seconds before a slow page shows a message, and the message."""


async def awaited(text: Callable[[], str], say: Callable[[], None]) -> None:
    """Wait until a string is generated. Call `say` if that takes long."""
    making = asyncio.ensure_future(asyncio.to_thread(text))
    if not (await asyncio.wait({making}, timeout=PATIENCE))[0]:
        say()
    await making


def page_of(what: str, session: Session, table: Table | None, looks: Looks) -> Page | None:
    """Return the page for a value of `READ` or `HELP`, or None.

    `table`: the viewer's table, or None if the viewer is unknown."""
    page = made(what, session, table, looks)
    if page is not None:
        page.what = what
    return page


def made(what: str, session: Session, table: Table | None, looks: Looks) -> Page | None:
    texts = session.texts
    if what == HELP:
        return keys_page()
    if what == "rules":
        asked, steps = whereabouts(table) if table is not None else ([], [])
        return text_page(texts.rules(), asked, steps=steps, options=offered(table.ask) if table is not None else ())
    if what == "aid":
        aid, readings = with_legend(texts.aid(), looks), table.readings if table is not None else ()
        ranks = [rank_in(aid, each.text) for each in readings]
        return text_page(aid, [f"▶ {each}" for each in ranks], ranks)
    if what == "cards":
        return cards_page(looks, texts.cards())
    return log_page(session.log(), looks, session.seen, table.scores) if table is not None else None
