"""Matches to display, and the full screen without a terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import pytest
from attrs import evolve

import cardlang
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.match_display import ViewState
from cardlang.ui.terminal.screen.table_app import TableApp
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.table_panes import TableGrid, TextPane
from cardlang.ui.terminal.screen.text_blocks import LayoutState, TextLine
from cardlang.ui.terminal.session_state import PageTexts, Session
from cardlang.ui.terminal.typed_card_names import build_captions
from interpreter.bots.bot_players import make_bot
from interpreter.match.match import Match
from tests.shipped import match_where

NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus")
Sessions = Callable[..., Session]


def sitting(game: cardlang.Game, players: int | None = None, people: int = 1, seed: int = 3) -> Session:
    """Return a session of a game in which the first seats are people."""
    count = players or min((each for each in game.seats if each > 1), default=game.seats[0])
    match = game.start(list(NAMES[:count]), seed)
    assert isinstance(match, Match)
    bots = {name: make_bot("random", number) for number, name in enumerate(match.players) if number >= people}
    texts = PageTexts(lambda: "# The rules", lambda: "# The aid", lambda: build_captions(game))
    return Session(match, bots, texts, lambda match: "Do what you like.")


@pytest.fixture
def session() -> Sessions:
    """Return a session of a game, given by its name or text."""

    def make(game: str, players: int | None = None, people: int = 1, seed: int = 3) -> Session:
        loaded = cardlang.loads(game) if "\n" in game else cardlang.load(game)
        return sitting(loaded, players, people, seed)

    return make


def session_where(session: Sessions, fits: Callable[[Match], bool], game: str, players: int) -> Session:
    """Return the first session of one person, by its seed, whose match begins in a way that fits."""
    return session(game, players, seed=match_where(fits, game, players).seed)


class Stays:
    """Checks or calls, whatever comes."""

    def choose(self, match: Match) -> int:
        assert match.decision is not None
        texts = list(match.decision.moves.texts)
        return texts.index("check" if "check" in texts else "call")


class Seen:
    """What the screen shows while keys are pressed."""

    def __init__(self, app: TableApp) -> None:
        self.app = app

    @property
    def lines(self) -> list[str]:
        grid = self.app.screen_stack[0].query_one(TableGrid)
        panes = {pane.id: tuple(map(pane.get_line, range(pane.rows))) for pane in grid.query(TextPane)}
        return [*map(get_text, evolve(grid.drawing, blocks=panes).lines)]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def get_text(line: TextLine) -> str:
    return "".join(span.text for span in line)


def send_keys(
    session: Session,
    keys: Sequence[str | Callable[[Seen], object]],
    size: tuple[int, int] = (80, 24),
    symbols: bool = True,
) -> TableApp:
    """Return the screen after these keys. Functions between them check the screen, and may return a key."""
    app = TableApp(session, CardStyles(session.match.game), pause=0)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            for key in keys:
                if callable(key):
                    key = key(Seen(app))
                if not isinstance(key, str) or not key:
                    continue
                await pilot.press(key)
                await app.workers.wait_for_complete()
                await pilot.pause()

    asyncio.run(run())
    return app


def reserve_room(match: Match, columns: int = 80, rows: int = 24) -> LayoutState:
    """Return the layout state of a match with the room that its parts can need."""
    state = ViewState(Session(match, {}, PageTexts(str, str, dict), str), CardStyles(match.game))
    state.reserve_room(columns, rows)
    return state.layout_state


def lines(sat: Session, columns: int = 80, rows: int = 24) -> list[str]:
    drawing = BoardRenderer(sat.get_table(), CardStyles(sat.match.game), columns).fit_to_height(rows)
    return [get_text(line) for line in drawing.lines]


def asked_to_follow(sat: Session) -> Session:
    """Return a session in which two players have played to the trick, and some cards in hand are legal."""
    sat.advance()
    sat.hand_over_screen()
    while True:
        table = sat.get_table()
        trick = next(pile for pile in table.middle.piles if pile.form == "trick")
        if len(trick.cards) == 2 and any(card.moves for pile in table.places[0].piles for card in pile.cards):
            return sat
        sat.make_move(0)
        sat.advance()


def all_in(sat: Session) -> Callable[[Seen], str]:
    """Return a function that goes all-in before the flop in two-player Hold'em, and lets the opponent call."""

    def shove(seen: Seen) -> str:
        sat.perform_action(lambda: sat.match.choose("raise 198"))
        sat.perform_action(lambda: sat.match.choose("call"))
        seen.app.play_until_decision()
        return "f12"

    return shove
