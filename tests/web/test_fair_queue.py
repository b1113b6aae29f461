"""Fair queue of bots' turns: a flooded table doesn't slow down others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import evolve

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from cardlang.ui.web import fair_turn_queue
from cardlang.ui.web.fair_turn_queue import FairQueue, QueueFull
from cardlang.ui.web.game_room import PERSON
from tests.web.pages import Serving


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Clock that a test advances."""
    now = [0.0]
    monkeypatch.setattr(fair_turn_queue.time, "perf_counter", lambda: now[0])
    return now


def serve_in_order(
    clock: list[float], asks: list[tuple[str, float]], late: Sequence[tuple[str, float]] = (), when: int = 0
) -> list[str]:
    """In which order turns come that were asked for together, each with its cost; `late`: asked for in the turn after
    `when` others."""
    order: list[str] = []

    async def main() -> None:
        queue = FairQueue(100)

        async def turn(key: str, cost: float) -> None:
            async with queue.take_turn(key):
                if len(order) == when:
                    tasks.extend(asyncio.ensure_future(turn(*each)) for each in late)
                order.append(key)
                clock[0] += cost

        tasks = [asyncio.ensure_future(turn(*each)) for each in asks]
        while queue.busy or not all(task.done() for task in tasks):
            await asyncio.sleep(0)
        assert not queue.busy and not queue.waiting and queue.waiting_count == 0

    asyncio.run(main())
    return order


def test_newcomer_waits_for_one_flood_turn(clock: list[float]) -> None:
    assert serve_in_order(clock, [("flood", 1.0)] * 20, [("quiet", 1.0)])[:2] == ["flood", "quiet"]


def test_several_floods_share_turns(clock: list[float]) -> None:
    asks = [(f"flood {number}", 1.0) for number in range(10)] * 5
    order = serve_in_order(clock, asks, [("quiet", 0.1), ("quiet", 0.1)], 14)
    assert order.index("quiet") == 15 and "quiet" in order[16:27]


def test_expensive_turns_count_more(clock: list[float]) -> None:
    """One of 3 seconds is as much as three of one."""
    order = serve_in_order(clock, [("dear", 3.0)] * 3 + [("cheap", 1.0)] * 9)
    assert order.count("cheap") == 9 and order[:8].count("dear") == 2


def test_idle_time_is_not_saved(clock: list[float]) -> None:
    """Whoever was quiet for long has no claim to many turns running."""
    asks = [("busy", 1.0)] * 10
    order = serve_in_order(clock, asks, [("quiet", 1.0)] * 5)
    assert order[:6] in (
        ["busy", "quiet", "busy", "quiet", "busy", "quiet"],
        ["busy", "quiet", "quiet", "busy", "quiet", "busy"],
    )


def test_cancelled_turn_goes_to_the_next() -> None:
    async def main() -> None:
        queue, order = FairQueue(10), list[str]()

        async def turn(key: str) -> None:
            async with queue.take_turn(key):
                await asyncio.sleep(0.01)
                order.append(key)

        tasks = [asyncio.ensure_future(turn(key)) for key in "abc"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        while queue.busy:
            await asyncio.sleep(0)
        assert order == ["a", "c"] and queue.waiting_count == 0

    asyncio.run(main())


def test_waiting_outside_the_queue_blocks_no_one() -> None:
    async def main() -> None:
        queue, order, there = FairQueue(10), list[str](), asyncio.Event()

        async def slow() -> None:
            async with queue.take_turn("slow"):
                await queue.await_outside_turn("slow", there.wait())
                order.append("slow")

        async def quick() -> None:
            async with queue.take_turn("quick"):
                order.append("quick")
                there.set()

        await asyncio.wait_for(asyncio.gather(slow(), quick()), 5)
        assert order == ["quick", "slow"]

    asyncio.run(main())


def test_a_full_queue_says_so() -> None:
    async def main() -> None:
        queue = FairQueue(1)
        async with queue.take_turn("a"):
            waits = asyncio.ensure_future(queue.acquire_turn("b"))
            await asyncio.sleep(0)
            with pytest.raises(QueueFull):
                await queue.acquire_turn("c")
        await waits
        queue.release_turn("b")

    asyncio.run(main())


# ---------------------------------------------------------------- at a server
class Slow:
    """A thinker that counts what it is asked, and answers when it may."""

    def __init__(self) -> None:
        self.asked, self.may = list[Any](), asyncio.Event()

    async def compute_hint(self, *given: Any) -> Any:
        self.asked.append(given)
        while not self.may.is_set():
            await asyncio.sleep(0.01)
        raise AssertionError


def test_equal_hint_requests_are_computed_once(serving: Serving) -> None:
    ann, *_ = serving.lay("duel", "person")
    slow = Slow()
    serving.hub.hint_worker = slow  # type: ignore[assignment]
    with serving.page(ann) as first, serving.page(ann) as second, serving.page(ann) as third:
        first.look()
        for page in (first, second, third):
            page.socket.send_text(f'{{"do": "hint", "at": "{first.at}", "id": 7}}')
        with serving.page(ann) as other:
            assert other.look()  # nobody waits for it
        while not slow.asked:
            time.sleep(0.01)
        time.sleep(0.1)
        assert len(slow.asked) == 1
        slow.may.set()


def test_too_many_hints_are_rejected(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    links = [serving.lay("duel", "person")[0] for _ in range(3)]
    slow = Slow()
    serving.hub.hint_worker = slow  # type: ignore[assignment]
    serving.hub.hint_queue = FairQueue(1)
    with serving.page(links[0]) as one, serving.page(links[1]) as two, serving.page(links[2]) as three:
        for page in (one, two):
            page.look()
            page.socket.send_text(f'{{"do": "hint", "at": "{page.at}", "id": 7}}')
        while not slow.asked or not serving.hub.hint_queue.waiting_count:
            time.sleep(0.01)
        three.look()
        assert three.ask("hint", at=three.at) == "The server is busy with hints. Try again in a moment."
        slow.may.set()


def test_unread_logs_do_not_pile_up(serving: Serving) -> None:
    """The last one is enough."""
    ann, *_ = serving.lay("duel", "person")
    with serving.page(ann) as page:
        page.look()
        (connection,) = serving.hub.connections[1]
        for number in range(50):
            connection.queue_requested("log", str(number))
        assert len(connection.queued_states) + len(connection.queued_responses) < 5


def test_equal_tables_are_built_once(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    from cardlang.ui.web import connection_hub

    table_text = connection_hub.encode_table_message

    def counted(sitting: Any, viewer: Any, *chosen: Any) -> str:
        made.append(viewer)
        return table_text(sitting, viewer, *chosen)

    monkeypatch.setattr(connection_hub, "encode_table_message", counted)
    ann, _, look = serving.lay("duel", "person")
    made.clear()
    pages = [serving.page(ann) for _ in range(4)] + [serving.page(look) for _ in range(4)]
    for context in pages:
        with context as page:
            page.look()
    assert len(made) <= 2


def test_equal_logs_and_undo_requests_are_computed_once(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardlang.ui.web import game_room, message_handlers

    made: list[str] = []

    def count_calls(module: Any, name: str) -> None:
        function = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given: made.append(name) or function(*given))

    count_calls(message_handlers, "build_log_lines")
    count_calls(game_room, "check_undo")
    ann, bob, _ = serving.lay("duel", "person")
    with serving.page(ann) as page, serving.page(bob) as other:
        assert page.move() is None
        for _ in range(3):
            assert page.ask("log") is None and page.ask("undo") is None
        assert sorted(made) == ["build_log_lines", "check_undo"]
        logged = page.told["log"]
        assert other.move() is None and page.ask("log") is None and page.told["log"] != logged


def test_no_player_name_gets_the_hosts_data(serving: Serving) -> None:
    """Equal parts of messages are kept by their sort too."""
    seats = [{"name": "Ann", "kind": "person"}, {"name": "tracks", "kind": "easy"}]
    with serving.page() as house:
        assert house.ask("open", name="duel", seats=seats, host=0) is None
        ann = house.told["opened"]["host"]
    with serving.page(ann) as page:
        page.look()
        room = serving.hub.rooms[1]
        connection = next(iter(serving.hub.connections[1]))
        room.seats[1], connection.seat = evolve(room.seats[1], kind=PERSON), 1
        connection.is_host = False
        serving.hub.send_table(connection)
        assert page.look()["viewer"] == "tracks" and room.match is not None


def test_unexpected_set_is_rejected(tmp_path: Any) -> None:
    """Not a fault of ours: with options there is no set."""
    import cardlang

    found = Serving(tmp_path, cardlang.shipped()["texas_holdem"])
    with found.client:
        links = found.lay("texas_holdem", "person", "person")[:3]
        answers = []
        for link in links:
            with found.page(link) as page:
                page.look()
                answers.append(page.ask("confirm", at=page.at, refs=["x"]))
        assert sorted(map(str, answers)) == [
            "Choose a single move here, not a set.", "It is not your turn.", "It is not your turn.",
        ]  # fmt: skip
