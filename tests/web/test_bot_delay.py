"""A bot's delay reveals nothing about its decision."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from cardlang.ui.web.connection import Connection
from cardlang.ui.web.connection_hub import ConnectionHub, encode_table_message
from cardlang.ui.web.database import Store, StoredSeat
from cardlang.ui.web.game_catalog import GameCatalog
from cardlang.ui.web.game_room import GameRoom
from cardlang.ui.web.message_handlers import dispatch_message
from interpreter.match.match import Match
from tests.game_files import read_game
from tests.web.pages import ADDRESS, Serving

TURNS = read_game("turns")
ASKED = {
    "a pass that nobody has to decide": "you may play 1 from your hand where value > 9 to table",
    "a choice among many": "you choose n from 1 to 9\n    add n to your score",
    "a set of cards": "you discard up to 4 from your hand to your pile",
    "an option and its number": "you choose one\n      option bid with n from 1 to 9\n        add n to your score",
    "a set chosen together": "together each player\n      you discard up to 4 from your hand to your pile",
    "values chosen one by one": "you choose 1 to 3 rivals from players\n    add 1 to your score",
}


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        self.now += seconds


class Slow:
    """A bot that thinks the longer, the more moves there are, and takes them at random."""

    def __init__(self, clock: Clock, picks: int) -> None:
        self.clock, self.picks = clock, picks

    def choose(self, match: Match) -> int:
        assert match.decision is not None
        moves = match.decision.moves.texts
        self.clock.now += 0.01 * (len(moves) - 1)
        if len(match.state.picks) == self.picks and "done" in moves:
            return moves.index("done")
        return next((at for at, text in enumerate(moves) if text not in ("done", "pass")), 0)


class Slower(Slow):
    """Takes longer than it should."""

    def choose(self, match: Match) -> int:
        self.clock.now += 2.5
        return 0


class Timed(ConnectionHub):
    """Notes when others see what has been done."""

    seen: list[float]
    clock: Clock

    def publish_after_move(self, room: GameRoom) -> None:
        self.seen.append(self.clock.now)
        super().publish_after_move(room)


def open_bot_table(folder: Path, text: str, *kinds: str) -> tuple[Any, Any]:
    """Return a hub with a table of bots before the first move."""
    file = folder / "turns.cardgame"
    file.write_text(text, encoding="utf-8")
    hub: Any = Timed(
        Store(folder / "tables.db"), GameCatalog.from_paths([file]), ADDRESS, dispatch_message, bot_pause=0.7
    )
    hub.seen, hub.clock = [], Clock()
    hub.sleep = hub.clock.sleep
    seats = [StoredSeat(name, kind, True) for name, kind in zip(("Ann", "Bob", "Cat"), kinds, strict=True)]
    number = hub.store.create_room("turns", None, False, seats, None)
    sitting = hub.rooms[number] = GameRoom.restore(hub.store, number, hub.catalog, hub.bot_pause)
    sitting.start_match(hub.catalog.load_version("turns"))
    sitting.pace.clock = hub.clock
    hub.rooms_with_active_bots.add(sitting.number)
    hub.connections[sitting.number] = {Connection(None, "", sitting)}  # type: ignore[arg-type]
    return hub, sitting


@pytest.mark.slow
@pytest.mark.parametrize("picks", [0, 1, 3])
@pytest.mark.parametrize("asked", ASKED.values(), ids=list(ASKED))
def test_bot_decisions_take_equal_time(asked: str, picks: int, tmp_path: Path) -> None:
    text = TURNS.format(asked)
    if asked.startswith("together"):
        text = text.replace("  each player\n    together", "  together", 1)
    hub, sitting = open_bot_table(tmp_path, text, "random", "random", "random")
    sitting.bots = dict.fromkeys(("Ann", "Bob", "Cat"), Slow(hub.clock, picks))
    before = hub.clock.now
    asyncio.run(hub.play_bot_moves(sitting))
    assert sitting.match is not None and sitting.match.over
    # the results at the end alone are read for longer
    times = [then - now for now, then in pairwise([before, *hub.seen])][:-1]
    assert len(times) == 5 and times == pytest.approx([0.7] * 5)


def test_bots_keep_the_pace_of_the_slowest(tmp_path: Path) -> None:
    """Also where a decision takes longer than a kind says: then all later ones do."""
    hub, sitting = open_bot_table(tmp_path, TURNS.format(ASKED["a choice among many"]), "random", "sharp", "random")
    assert sitting.pace.min_seconds > 1.0
    quick = Slow(Clock(), 0)
    sitting.bots = {"Ann": quick, "Bob": Slower(hub.clock, 0), "Cat": quick}
    before = hub.clock.now
    asyncio.run(hub.play_bot_moves(sitting))
    times = [then - now for now, then in pairwise([before, *hub.seen])][:-1]
    assert times[0] == pytest.approx(1.15) and times[1:] == pytest.approx([2.5] * 4)


def test_forced_pass_is_asked_while_others_watch(tmp_path: Path) -> None:
    """The onlooker would see by it that nothing else was open."""
    (tmp_path / "turns.cardgame").write_text(
        TURNS.format("you may play 1 from your hand where value > 9 to table"), encoding="utf-8"
    )
    serving = Serving(tmp_path, tmp_path / "turns.cardgame")
    with serving.client:
        ann, *_, look = serving.lay("turns", "random", "random")
        with serving.page(look) as onlooker, serving.page(ann) as page:
            onlooker.look()
            assert [action["text"] for action in page.look()["ask"]["actions"]] == ["pass"]


def test_late_automatic_move_keeps_a_selection(tmp_path: Path) -> None:
    """Ann passes before it is done for her, and selects cards of her next choice."""
    text = TURNS.format("you may play 1 from your hand where value > 9 to table\n    " + ASKED["a set of cards"])
    hub, sitting = open_bot_table(tmp_path, text, "person", "random", "random")
    (connection,) = hub.connections[sitting.number]
    connection.seat = 0

    async def overtake(seconds: float) -> None:
        sitting.play_move("Ann", sitting.position_id, 0)
        hub.publish_after_move(sitting)
        connection.selection = ("zone/hand/Ann#1",)

    hub.sleep = overtake
    asyncio.run(hub.play_bot_moves(sitting))
    assert connection.selection == ("zone/hand/Ann#1",)


SECRET = read_game("turns_bot_delay")
COUNTED = {
    "values in secret": "you choose 1 to 5 levels from Value\n      set your stake to count of levels",
    "hidden cards": "you discard 1 to 4 from your hand to your pile",
}


@pytest.mark.parametrize("body", COUNTED.values(), ids=list(COUNTED))
def test_new_connections_reveal_no_picks(body: str, tmp_path: Path) -> None:
    """Amid a choice of several all pages of others are the same, to the byte, at every pick; where it stays secret how
    many were picked they are so afterwards, too, and after a restart."""
    texts = []
    for picks in (1, 2, 4):
        (folder := tmp_path / str(picks)).mkdir()
        hub, sitting = open_bot_table(folder, SECRET.format(body), "random", "random", "random")
        hub.store.read_meta = lambda key: "the same house"
        sitting.match = sitting.game_version.game.start(list(sitting.match.players), 5)
        before = {name: encode_table_message(sitting, name, ()) for name in ("Bob", "Cat", None)}
        bot = Slow(hub.clock, picks)
        while sitting.match.decision.player == "Ann":
            assert all(encode_table_message(sitting, name, ()) == text for name, text in before.items())
            sitting.play_move("Ann", sitting.position_id, bot.choose(sitting.match))
        assert [who for who, _ in sitting.action_starts] == ["Ann"]
        for name in ("Bob", "Cat"):
            sitting.play_move(name, sitting.position_id, Slow(hub.clock, 9).choose(sitting.match))
            while sitting.match.decision.player == name:
                sitting.play_move(name, sitting.position_id, Slow(hub.clock, 9).choose(sitting.match))
        assert sitting.action_starts == [
            ("Ann", 0),
            ("Bob", sitting.action_starts[1][1]),
            ("Cat", sitting.action_starts[2][1]),
        ]
        texts.append([encode_table_message(sitting, name, ()) for name in ("Bob", "Cat", None)])
    assert (len({tuple(each) for each in texts}) == 1) == ("secret" in body or "stake" in body)


def test_restart_keeps_actions_grouped(tmp_path: Path) -> None:
    hub, sitting = open_bot_table(tmp_path, SECRET.format(COUNTED["hidden cards"]), "random", "random", "random")
    while sitting.match is not None and not sitting.match.over:
        name = sitting.match.decision.player
        sitting.play_move(name, sitting.position_id, Slow(hub.clock, 3).choose(sitting.match))
    again = GameRoom.restore(hub.store, sitting.number, hub.catalog, 0.0)
    assert again.position_id == sitting.position_id
    assert [made for _, made in again.action_starts] == [made for _, made in sitting.action_starts] and len(
        again.action_starts
    ) == 6
    assert encode_table_message(again, "Bob", ()) == encode_table_message(sitting, "Bob", ())
