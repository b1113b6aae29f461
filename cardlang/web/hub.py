"""Connection hub: admits connections, dispatches requests, publishes state and runs bots."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from attrs import define, field
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardlang.web import limits
from cardlang.web.connection import CLOSED, Connection
from cardlang.web.fair_queue import FairQueue, QueueFull
from cardlang.web.message import Message, Refused, Unkept
from cardlang.web.sheets import step_at
from cardlang.web.shelf import Shelf
from cardlang.web.sitting import Sitting
from cardlang.web.store import Store
from cardlang.web.telling import house_told, seat_told
from cardlang.web.thinker import Thinker, in_thread
from interpreter.errors import RecordingError, RuleError
from interpreter.matches.checkpoints import make_tables
from interpreter.matches.match import Match, place
from interpreter.players.hints import Hint
from interpreter.players.player import Player
from interpreter.table.model import Moment

Result = TypeVar("Result")
PAUSE = 0.7
"""Minimum time in seconds for a bot's move, so that people can follow. See `Pace`."""
TO_READ = 3
"""Factor by which the pause grows if there is a result to read."""
AGAIN = 5.0
"""Seconds before a failed save is retried."""
COUNSEL = 1.0
"""Thinking time for a hint, in seconds."""
log = logging.getLogger("cardlang.web")


@define(eq=False)
class Hub:
    """Shared state of the server.

    `do`: request dispatcher, see `cardlang.web.doing`. `address`: public URL of this server. `pause`, `counsel`: see
    `PAUSE` and `COUNSEL`."""

    store: Store
    shelf: Shelf
    address: str
    do: Callable[[Hub, Connection, Message], Awaitable[None]]
    pause: float = PAUSE
    sittings: dict[int, Sitting] = field(factory=dict)
    connections: dict[int | None, set[Connection]] = field(factory=dict)
    """Connections by table. Lobby connections are under None."""
    addresses: Counter[str] = field(factory=Counter)
    tasks: set[asyncio.Task[None]] = field(factory=set)
    buckets: dict[tuple[int, str], limits.Bucket] = field(factory=dict)
    """Token buckets by table and link. All connections of a link share one, so that they can't slow down others."""
    thinking: set[int] = field(factory=set)
    """Tables at which a bot is thinking."""
    counsel: float = COUNSEL
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Function that sleeps for a number of seconds."""
    thinker: Thinker = field(factory=lambda: Thinker(in_thread))
    turns: FairQueue = field(factory=lambda: FairQueue(limits.CONNECTIONS))
    """Queue that handles messages one at a time, fair between tables."""
    thoughts: FairQueue = field(factory=lambda: FairQueue(limits.THOUGHTS))
    """Queue for hints, fair between tables."""
    pondered: dict[tuple[int, str], tuple[str, asyncio.Task[Hint]]] = field(factory=dict)
    """Position and task of the pending hint, by table and player."""
    restoring: dict[int, asyncio.Task[Sitting]] = field(factory=dict)
    """Tasks of tables being restored, one after another."""
    reading: asyncio.Lock = field(factory=asyncio.Lock)

    # ------------------------------------------------------------ connections
    async def serve(self, socket: WebSocket) -> None:
        """Serve a connection from its first message to its end."""
        address = socket.client.host if socket.client else ""
        if self.addresses.total() >= limits.CONNECTIONS or self.addresses[address] >= limits.FROM_ONE:
            await socket.close(1013)
            return
        self.addresses[address] += 1
        connection = Connection(socket, address)
        try:
            await socket.accept()
            if await self.welcome(connection):
                await self.converse(connection)
        except CLOSED:
            pass
        finally:
            self.addresses[address] -= 1
            if not self.addresses[address]:
                del self.addresses[address]

    async def welcome(self, connection: Connection) -> bool:
        """Authenticate a connection by its secret. Return False after closing it.

        An unknown secret is rejected after a delay."""
        socket = connection.socket
        try:
            said = await asyncio.wait_for(socket.receive_text(), limits.HELLO)
            secret = Message.read(said).exact("hello")
        except (Refused, KeyError):
            secret = ""
        if secret and secret == self.store.house:
            return True
        link = self.store.link(secret) if secret else None
        if link is None:
            await asyncio.sleep(limits.WRONG)
            await socket.send_text(
                json.dumps({"is": "lost", "why": "This link does not work. Its table may be closed."})
            )
            await socket.close(4404)
            return False
        sitting = await self.sitting(link.sitting)
        if sum(each.secret == secret for each in self.connections.get(link.sitting, ())) >= limits.BY_A_LINK:
            await socket.send_text(json.dumps({"is": "lost", "why": "Too many people are at this table already."}))
            await socket.close(4408)
            return False
        connection.sitting, connection.seat, connection.host = sitting, link.seat, link.host
        connection.secret = secret
        connection.bucket = self.buckets.setdefault((link.sitting, secret), connection.bucket)
        if not connection.bucket.takes():
            await socket.close(4429)
            return False
        return True

    async def converse(self, connection: Connection) -> None:
        key = connection.sitting.number if connection.sitting else None
        self.connections.setdefault(key, set()).add(connection)
        writer = asyncio.create_task(connection.write())
        try:
            async with self.turns.turn(key):
                self.greet(connection)
            while True:
                text = await connection.socket.receive_text()
                if connection.ended:
                    return
                if not connection.bucket.takes():
                    await connection.socket.close(4429)
                    return
                async with self.turns.turn(key):
                    await self.heard(connection, text)
        except KeyError:
            await connection.socket.close(1003)  # binary message instead of text
        except WebSocketDisconnect:
            pass
        finally:
            writer.cancel()
            here = self.connections.get(key, set())
            here.discard(connection)
            if not here:
                self.connections.pop(key, None)
            if connection.sitting is not None:
                connection.sitting.looked = time.monotonic()
                self.publish(connection.sitting)
                self.forget()

    async def heard(self, connection: Connection, text: str) -> None:
        """Handle a message. A bug in a handler ends neither the connection nor the match."""
        number: object = None
        try:
            message = Message.read(text)
            number = message.data.get("id") if isinstance(message.data.get("id"), int) else None
            await self.do(self, connection, message)
            connection.answer({"is": "done", "id": number})
        except Refused as refused:
            connection.answer({"is": "no", "id": number, "why": refused.why})
        except RecordingError as error:
            connection.answer({"is": "no", "id": number, "why": Unkept(error).why})
            if connection.sitting is not None:
                self.publish(connection.sitting)  # some picks of a set may already be saved
        except Exception:
            log.exception("could not handle a message")
            connection.answer({"is": "no", "id": number, "why": "Something went wrong. This is a bug in cardlang."})

    # ------------------------------------------------------------ tables
    async def sitting(self, number: int) -> Sitting:
        """Return a table, restored once from the store if it is not in memory. Other tables continue meanwhile."""
        if number not in self.sittings:
            if number not in self.restoring:
                task = self.restoring[number] = asyncio.create_task(self.restored(number))
                task.add_done_callback(lambda _: self.restoring.pop(number))
            found = await asyncio.shield(self.restoring[number])
            self.sittings.setdefault(number, found)
        found = self.sittings[number]
        found.looked = time.monotonic()
        return found

    async def restored(self, number: int) -> Sitting:
        async with self.reading:
            return await asyncio.to_thread(restored, self.store, number, self.shelf, self.pause)

    async def aside(self, connection: Connection, work: Awaitable[Result]) -> Result:
        """Await work elsewhere while other messages are handled."""
        return await self.turns.aside(connection.sitting.number if connection.sitting else None, work)

    async def thought(self, sitting: Sitting, match: Match, name: str, at: str) -> Hint:
        """Return a hint for a player. Repeated requests for one position share a task.

        Raise `Refused` if a hint for an earlier position is still pending."""
        key = sitting.number, name
        if key not in self.pondered:
            task = asyncio.create_task(self.ponder(sitting.number, match, name))
            self.pondered[key] = at, task
            task.add_done_callback(lambda _: self.pondered.pop(key))
        moment, task = self.pondered[key]
        if moment != at:
            raise Refused("Your last hint is not ready yet. Try again in a moment.")
        return await asyncio.shield(task)

    async def ponder(self, number: int, match: Match, name: str) -> Hint:
        copied = match.clone()
        try:
            async with self.thoughts.turn(number):
                return await self.thinker.hint(copied, name, self.counsel)
        except QueueFull:
            raise Refused("The server is busy with hints. Try again in a moment.") from None

    def greet(self, connection: Connection) -> None:
        """Send the initial state to a connection."""
        if connection.sitting is None:
            connection.put("house", json.dumps(house_told(self.store, self.shelf, self.address), ensure_ascii=False))
        else:
            self.publish(connection.sitting)

    def forget(self) -> None:
        """Evict tables without connections from memory, least recently used first."""
        if len(self.sittings) <= limits.READY:
            return
        alone = [each for each in self.sittings.values() if each.number not in self.connections]
        for sitting in sorted(alone, key=lambda each: each.looked)[: len(self.sittings) - limits.READY]:
            if sitting.number not in self.thinking:
                del self.sittings[sitting.number]
        self.buckets = {key: bucket for key, bucket in self.buckets.items() if key[0] in self.sittings}

    def here(self, sitting: Sitting) -> set[str]:
        """Return the players who are connected."""
        return {each.name for each in self.connections.get(sitting.number, ()) if each.name is not None}

    # ------------------------------------------------------------ publishing
    def publish(self, sitting: Sitting) -> None:
        """Send each connection at a table its new state, computed once for each seat."""
        made: dict[tuple[int | None, bool], str] = {}
        for connection in self.connections.get(sitting.number, ()):
            key = connection.seat, connection.host
            if key not in made:
                told = seat_told(sitting, connection, self.here(sitting), self.address)
                made[key] = json.dumps(told, ensure_ascii=False)
            connection.put("seat", made[key])
            self.show(connection)
        self.wake(sitting)

    def show(self, connection: Connection) -> None:
        """Send a connection its view of the table. A selection in progress makes the view individual."""
        sitting = connection.sitting
        if sitting is None or sitting.match is None:
            return
        if connection.chosen:
            connection.put("table", table_text(sitting, connection.name, connection.chosen))
            return
        connection.put("table", sitting.shown(connection.name, lambda: table_text(sitting, connection.name, ())))

    def moved(self, sitting: Sitting) -> None:
        """Clear all selections after a move and publish the new state."""
        for connection in self.connections.get(sitting.number, ()):
            connection.chosen = ()
        self.publish(sitting)

    def taken_back(self, sitting: Sitting, who: str, what: str) -> None:
        """Publish an undo. Only the player who undoes sees which action it was."""
        for connection in self.connections.get(sitting.number, ()):
            connection.answer({"is": "back", "who": who, "what": what if connection.name == who else ""})
        self.moved(sitting)

    # ------------------------------------------------------------ bots
    def wake(self, sitting: Sitting) -> None:
        """Start the bots if one must act and at least one connection is open."""
        match = sitting.match
        if match is None or match.decision is None or sitting.stuck or sitting.number in self.thinking:
            return
        if sitting.wish is not None:
            return
        moves = match.decision.player in sitting.bots or self.passes(sitting)
        if moves and sitting.number in self.connections:
            self.thinking.add(sitting.number)
            task = asyncio.create_task(self.think(sitting))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def think(self, sitting: Sitting) -> None:
        """Play bot moves until a person must act.

        Each decision takes equal time, regardless of its difficulty or the number of cards picked."""
        results, began = self.results(sitting), 0.0
        try:
            while (match := sitting.match) is not None and match.decision is not None and not sitting.stuck:
                name, at = match.decision.player, sitting.at
                bot = sitting.bots.get(name)
                if (bot is None and not self.passes(sitting)) or sitting.wish or sitting.number not in self.connections:
                    return
                began = began if match.state.picks else sitting.pace.clock()
                move, completes = await asyncio.to_thread(decide, bot, match.clone())
                if completes:
                    before, results = results, self.results(sitting)
                    to_read = self.pause * (TO_READ - 1) if results != before else 0.0
                    await self.sleep(sitting.pace.left(began) + to_read)
                if sitting.wish is not None:
                    continue
                try:
                    sitting.do(name, at, move)
                except Unkept as unkept:
                    await self.wait(sitting, unkept.why)
                except Refused:
                    pass  # outdated: a player has undone a move meanwhile
                if not match.state.picks:  # partial picks of a bot stay secret
                    self.moved(sitting)
        except RuleError as error:
            sitting.stuck = f"Line {error.span.line} of the rules failed: {error.message}"
            self.publish(sitting)
        except Exception:
            log.exception("a bot could not move")
            sitting.stuck = "A bot could not move. This is a bug in cardlang."
            self.publish(sitting)
        finally:
            self.thinking.discard(sitting.number)

    def passes(self, sitting: Sitting) -> bool:
        """Return whether the current player passes automatically.

        That requires a single person against bots and no spectators, who would learn that the player had no other
        move."""
        return sitting.passes() and all(each.name is not None for each in self.connections.get(sitting.number, ()))

    async def wait(self, sitting: Sitting, why: str) -> None:
        """Report that a bot's move could not be saved, then allow a retry after a while."""
        sitting.stuck = f"{why} Retrying …"
        self.publish(sitting)
        await asyncio.sleep(AGAIN)
        sitting.stuck = ""

    @staticmethod
    def results(sitting: Sitting) -> tuple[Moment, ...]:
        """Return the results of tricks, deals and the match that are on display."""
        return sitting.match.table().moments if sitting.match is not None else ()


def decide(bot: Player | None, match: Match) -> tuple[int, bool]:
    """Return a bot's move, or the only move without a bot, and whether it completes the choice.

    Early picks of a set don't complete it. `match` is a copy, and the move is played in it."""
    move = bot.choose(match) if bot is not None else 0
    match.choose(move)
    return move, not match.state.picks


def restored(store: Store, number: int, shelf: Shelf, pause: float) -> Sitting:
    """Return a restored table, including all tables that were shown so far."""
    sitting = Sitting.restored(store, number, shelf, pause)
    if sitting.match is not None and not sitting.stuck:
        with suppress(RuleError):  # reported when a player connects
            make_tables(sitting.match)
    return sitting


def table_text(sitting: Sitting, viewer: str | None, chosen: tuple[str, ...]) -> str:
    """Return the table message for a viewer, as JSON.

    It contains the table, the current step, the number of the viewer's last action (`mine`), and intermediate tables
    for animation (`way`)."""
    assert sitting.match is not None
    match = sitting.match
    asked = match.decision is not None and match.decision.player == viewer
    step = json.dumps(step_at(match.game, place(match.program.site(match.state)))) if asked else '""'
    table = match.table(viewer, chosen).json().decode()
    mine = sitting.last_deed_of(viewer)
    way = ",".join(each.json().decode() for each in match.way(viewer))
    at = f'"at":"{sitting.at}","back":{sitting.backs},"mine":{mine},"step":{step}'
    return f'{{"is":"table",{at},"way":[{way}],"table":{table}}}'
