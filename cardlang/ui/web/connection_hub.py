"""Hub of all browser connections: it receives requests, publishes tables and plays bots."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import TypeVar

from attrs import asdict, define, evolve, field
from starlette.websockets import WebSocket, WebSocketDisconnect

from cardlang.english.morphology import add_article
from cardlang.ui.web import client_message
from cardlang.ui.web.chat import ChatLine
from cardlang.ui.web.client_message import ClientMessage, NotSavedError, RequestRefused
from cardlang.ui.web.connection import CLOSED_ERRORS, Connection
from cardlang.ui.web.database import Store
from cardlang.ui.web.fair_turn_queue import FairQueue, QueueFull
from cardlang.ui.web.game_catalog import GameCatalog, build_version_key, find_step_at, has_run_moves, read_title
from cardlang.ui.web.game_room import BOT_LABELS, PERSON, GameRoom, UndoRequest, describe_bot
from cardlang.ui.web.hint_process import HintWorker, create_thread_executor
from cardlang.ui.web.player_notes import build_player_notes
from interpreter.bots.bot_players import Player
from interpreter.bots.hints import Hint
from interpreter.match.dead_ends import is_dead_end
from interpreter.match.match import Match, find_decision_span
from interpreter.match.undo_checkpoints import rebuild_viewer_histories
from interpreter.narration.display_names import add_second_owner
from interpreter.runtime.errors import RecordingError, RuleError
from interpreter.view.player_view import build_track_views
from interpreter.view.table_model import RecentResult

# ---------------------------------------------------------------- payloads
JsonObject = dict[str, object]


def build_lobby_payload(store: Store, catalog: GameCatalog, address: str) -> JsonObject:
    """Return the lobby payload: games, bots and open tables, for the person who started the server."""
    tables = []
    for number, file, created_at in store.list_open_rooms()[:200]:
        path = catalog.paths.get(file)
        host = next(link.secret for link in store.read_links(number) if link.is_host)
        seats = ", ".join(seat.name for seat in store.read_seats(number))
        played, over = store.read_title_and_end(number)
        title = played or (read_title(path) if path else "") or file
        tables.append(
            {"number": number, "title": title, "seats": seats, "made": created_at, "host": host, "over": over}
        )
    bots = [
        {"kind": kind, "label": add_article(label), "words": describe_bot(kind)} for kind, label in BOT_LABELS.items()
    ]
    return {"is": "house", "games": catalog.list_titles(), "tables": tables, "bots": bots, "address": address}


def build_track_payloads(room: GameRoom) -> list[JsonObject]:
    """Return the values that a host can set: everything that is public."""
    if room.match is None:
        return []
    match = room.match
    seen = build_track_views(match.names, match.state, match.program.players)
    return [
        {
            "name": add_second_owner(track.name, track.second),
            "label": track.noun,
            "of": track.owner,
            "value": track.text,
        }
        for track in seen
    ]


def build_undo_payload(request: UndoRequest) -> JsonObject:
    return {"who": request.player, "left": sorted(request.unanswered), "why": request.reason, "key": request.key}


def build_seat_payload(room: GameRoom, connection: Connection, connected: set[str], address: str) -> JsonObject:
    """Return the payload about the table for a connection.

    Only the host receives the links of the others. `address`: URL of the server for those links."""
    wish, match = room.undo_request, room.match
    payload: JsonObject = {
        "is": "seat",
        "you": connection.player_name,
        "host": connection.is_host,
        "hosted": room.host_name,
        "seats": [
            {
                "name": seat.name,
                "kind": seat.kind,
                "sat": seat.has_joined,
                "here": seat.name in connected or seat.kind != PERSON,
                "muted": number in room.chat.muted,
            }
            for number, seat in enumerate(room.seats)
        ],
        "bots": BOT_LABELS,
        "begun": match is not None,
        "missing": room.find_missing_people(),
        "stuck": room.blocked_reason,
        "asks": room.asks_questions,
        "art": build_version_key(room.game_version) if room.game_version else None,
        "title": room.game_version.game.title if room.game_version else "",
        "variant": room.variant,
        "runs": room.game is not None and has_run_moves(room.game),
        "wish": build_undo_payload(wish) if wish and wish.unanswered else None,
    }
    if connection.is_host:
        payload["tracks"] = room.get_value_for_position(("tracks",), lambda: build_track_payloads(room))
        payload["address"] = address
        payload["links"] = [{"secret": link.secret, "seat": link.seat} for link in room.links if not link.is_host]
    return payload


# ---------------------------------------------------------------- the hub
Result = TypeVar("Result")
BOT_PAUSE = 0.7
"""Minimum time in seconds for a bot's move, so that people can follow. See `EqualResponseTime`."""
RESULT_PAUSE_FACTOR = 3
"""Factor by which the pause grows if there is a result to read."""
SAVE_RETRY_SECONDS = 5.0
"""Seconds before a failed save is retried."""
HINT_SECONDS = 1.0
"""Thinking time for a hint, in seconds."""
logger = logging.getLogger("cardlang.ui.web")


@define(eq=False)
class ConnectionHub:
    """Shared state of the server.

    `dispatch`: request dispatcher, see `cardlang.ui.web.message_handlers`. `address`: public URL of this server.
    `bot_pause`, `hint_seconds`: see `BOT_PAUSE` and `HINT_SECONDS`. `seed`: see `GameRoom.seed`."""

    store: Store
    catalog: GameCatalog
    address: str
    dispatch: Callable[[ConnectionHub, Connection, ClientMessage], Awaitable[None]]
    bot_pause: float = BOT_PAUSE
    seed: int | None = None
    rooms: dict[int, GameRoom] = field(factory=dict)
    connections: dict[int | None, set[Connection]] = field(factory=dict)
    """Connections by table. Lobby connections are under None."""
    address_counts: Counter[str] = field(factory=Counter)
    tasks: set[asyncio.Task[None]] = field(factory=set)
    buckets: dict[tuple[int, str], client_message.TokenBucket] = field(factory=dict)
    """Token buckets by table and link. All connections of a link share one, so that they can't slow down others."""
    rooms_with_active_bots: set[int] = field(factory=set)
    """Tables at which a bot is thinking."""
    hint_seconds: float = HINT_SECONDS
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    """Function that sleeps for a number of seconds."""
    hint_worker: HintWorker = field(factory=lambda: HintWorker(create_thread_executor))
    message_queue: FairQueue = field(factory=lambda: FairQueue(client_message.MAX_CONNECTIONS))
    """Queue that handles messages one at a time, fair between tables."""
    hint_queue: FairQueue = field(factory=lambda: FairQueue(client_message.MAX_QUEUED_HINTS))
    """Queue for hints, fair between tables."""
    pending_hints: dict[tuple[int, str], tuple[str, asyncio.Task[Hint]]] = field(factory=dict)
    """Position and task of the pending hint, by table and player."""
    restore_tasks: dict[int, asyncio.Task[GameRoom]] = field(factory=dict)
    """Tasks of tables being restored, one after another."""
    restore_lock: asyncio.Lock = field(factory=asyncio.Lock)

    # ------------------------------------------------------------ connections
    async def serve_connection(self, socket: WebSocket) -> None:
        """Serve a connection from its first message to its end."""
        address = socket.client.host if socket.client else ""
        if (
            self.address_counts.total() >= client_message.MAX_CONNECTIONS
            or self.address_counts[address] >= client_message.MAX_CONNECTIONS_PER_ADDRESS
        ):
            await socket.close(1013)
            return
        self.address_counts[address] += 1
        connection = Connection(socket, address)
        try:
            await socket.accept()
            if await self.authenticate(connection):
                await self.exchange_messages(connection)
        except CLOSED_ERRORS:
            pass
        finally:
            self.address_counts[address] -= 1
            if not self.address_counts[address]:
                del self.address_counts[address]

    async def authenticate(self, connection: Connection) -> bool:
        """Authenticate a connection by its secret. Return False after closing it.

        An unknown secret is rejected after a delay."""
        socket = connection.socket
        try:
            hello_text = await asyncio.wait_for(socket.receive_text(), client_message.HELLO_TIMEOUT)
            secret = ClientMessage.parse(hello_text).get_exact_text("hello")
        except (RequestRefused, KeyError):
            secret = ""
        if secret and secret == self.store.lobby_secret:
            return True
        link = self.store.find_link(secret) if secret else None
        if link is None:
            await asyncio.sleep(client_message.WRONG_SECRET_DELAY)
            await socket.send_text(
                json.dumps({"is": "lost", "why": "This link does not work. Its table may be closed."})
            )
            await socket.close(4404)
            return False
        sitting = await self.get_room(link.room_number)
        if (
            sum(other.secret == secret for other in self.connections.get(link.room_number, ()))
            >= client_message.MAX_CONNECTIONS_PER_LINK
        ):
            await socket.send_text(json.dumps({"is": "lost", "why": "Too many people are at this table already."}))
            await socket.close(4408)
            return False
        connection.room, connection.seat, connection.is_host = sitting, link.seat, link.is_host
        connection.secret = secret
        connection.bucket = self.buckets.setdefault((link.room_number, secret), connection.bucket)
        if not connection.bucket.take_token():
            await socket.close(4429)
            return False
        return True

    async def exchange_messages(self, connection: Connection) -> None:
        key = connection.room.number if connection.room else None
        self.connections.setdefault(key, set()).add(connection)
        writer = asyncio.create_task(connection.send_queued())
        try:
            async with self.message_queue.take_turn(key):
                self.send_initial_state(connection)
            while True:
                text = await connection.socket.receive_text()
                if connection.ended:
                    return
                if not connection.bucket.take_token():
                    await connection.socket.close(4429)
                    return
                async with self.message_queue.take_turn(key):
                    await self.handle_message(connection, text)
        except KeyError:
            await connection.socket.close(1003)  # binary message instead of text
        except WebSocketDisconnect:
            pass
        finally:
            writer.cancel()
            room_connections = self.connections.get(key, set())
            room_connections.discard(connection)
            if not room_connections:
                self.connections.pop(key, None)
            if connection.room is not None:
                connection.room.last_used = time.monotonic()
                self.publish_room(connection.room)
                self.evict_idle_rooms()

    async def handle_message(self, connection: Connection, text: str) -> None:
        """Handle a message. A bug in a handler ends neither the connection nor the match."""
        number: object = None
        try:
            message = ClientMessage.parse(text)
            number = message.data.get("id") if isinstance(message.data.get("id"), int) else None
            await self.dispatch(self, connection, message)
            connection.queue_response({"is": "done", "id": number})
        except RequestRefused as refused:
            connection.queue_response({"is": "no", "id": number, "why": refused.reason})
        except RecordingError as error:
            connection.queue_response({"is": "no", "id": number, "why": NotSavedError(error).reason})
            if connection.room is not None:
                self.publish_room(connection.room)  # some picks of a set may already be saved
        except Exception:
            logger.exception("could not handle a message")
            connection.queue_response(
                {"is": "no", "id": number, "why": "Something went wrong. This is a bug in cardlang."}
            )

    # ------------------------------------------------------------ tables
    async def get_room(self, number: int) -> GameRoom:
        """Return a table, restored once from the store if it is not in memory. Other tables continue meanwhile."""
        if number not in self.rooms:
            if number not in self.restore_tasks:
                task = self.restore_tasks[number] = asyncio.create_task(self.restore_in_thread(number))
                task.add_done_callback(lambda _: self.restore_tasks.pop(number))
            room = await asyncio.shield(self.restore_tasks[number])
            self.rooms.setdefault(number, room)
        room = self.rooms[number]
        room.last_used = time.monotonic()
        return room

    async def restore_in_thread(self, number: int) -> GameRoom:
        async with self.restore_lock:
            return await asyncio.to_thread(restore_room, self.store, number, self.catalog, self.bot_pause, self.seed)

    async def await_elsewhere(self, connection: Connection, work: Awaitable[Result]) -> Result:
        """Await work elsewhere while other messages are handled."""
        return await self.message_queue.await_outside_turn(connection.room.number if connection.room else None, work)

    async def get_hint(self, room: GameRoom, match: Match, name: str, position_id: str) -> Hint:
        """Return a hint for a player. Repeated requests for one position share a task.

        Raise `RequestRefused` if a hint for an earlier position is still pending."""
        key = room.number, name
        if key not in self.pending_hints:
            task = asyncio.create_task(self.compute_hint(room.number, match, name))
            self.pending_hints[key] = position_id, task
            task.add_done_callback(lambda _: self.pending_hints.pop(key))
        moment, task = self.pending_hints[key]
        if moment != position_id:
            raise RequestRefused("Your last hint is not ready yet. Try again in a moment.")
        return await asyncio.shield(task)

    async def compute_hint(self, number: int, match: Match, name: str) -> Hint:
        copied = match.clone()
        try:
            async with self.hint_queue.take_turn(number):
                return await self.hint_worker.compute_hint(copied, name, self.hint_seconds)
        except QueueFull:
            raise RequestRefused("The server is busy with hints. Try again in a moment.") from None

    def send_initial_state(self, connection: Connection) -> None:
        """Send the initial state to a connection."""
        if connection.room is None:
            connection.queue_state(
                "house", json.dumps(build_lobby_payload(self.store, self.catalog, self.address), ensure_ascii=False)
            )
        else:
            self.publish_room(connection.room)
            send_chat_lines([connection], connection.room.chat.read_lines())

    def evict_idle_rooms(self) -> None:
        """Evict tables without connections from memory, least recently used first."""
        if len(self.rooms) <= client_message.MAX_TABLES_IN_MEMORY:
            return
        alone = [room for room in self.rooms.values() if room.number not in self.connections]
        for sitting in sorted(alone, key=lambda room: room.last_used)[
            : len(self.rooms) - client_message.MAX_TABLES_IN_MEMORY
        ]:
            if sitting.number not in self.rooms_with_active_bots:
                del self.rooms[sitting.number]
        self.buckets = {key: bucket for key, bucket in self.buckets.items() if key[0] in self.rooms}

    def find_connected_players(self, room: GameRoom) -> set[str]:
        """Return the players who are connected."""
        return {
            connection.player_name
            for connection in self.connections.get(room.number, ())
            if connection.player_name is not None
        }

    # ------------------------------------------------------------ publishing
    def publish_room(self, room: GameRoom) -> None:
        """Send each connection at a table its new state, computed once for each seat."""
        messages: dict[tuple[int | None, bool], str] = {}
        for connection in self.connections.get(room.number, ()):
            key = connection.seat, connection.is_host
            if key not in messages:
                payload = build_seat_payload(room, connection, self.find_connected_players(room), self.address)
                messages[key] = json.dumps(payload, ensure_ascii=False)
            connection.queue_state("seat", messages[key])
            self.send_table(connection)
        self.start_bots(room)

    def send_table(self, connection: Connection) -> None:
        """Send a connection its view of the table. A selection in progress makes the view individual."""
        sitting = connection.room
        if sitting is None or sitting.match is None:
            return
        if connection.selection:
            connection.queue_state("table", encode_table_message(sitting, connection.player_name, connection.selection))
            return
        name, automatic = connection.player_name, self.find_automatic_move(sitting)
        connection.queue_state(
            "table",
            sitting.get_value_for_position(
                ("table", name, automatic), lambda: encode_table_message(sitting, name, (), automatic)
            ),
        )

    def publish_after_move(self, room: GameRoom) -> None:
        """Clear all selections after a move and publish the new state."""
        for connection in self.connections.get(room.number, ()):
            connection.selection = ()
        self.publish_room(room)

    def publish_undo(self, room: GameRoom, player: str, action: str) -> None:
        """Publish an undo. Only the player who undoes sees which action it was."""
        for connection in self.connections.get(room.number, ()):
            connection.queue_response(
                {"is": "back", "who": player, "what": action if connection.player_name == player else ""}
            )
        self.publish_after_move(room)

    # ------------------------------------------------------------ bots
    def start_bots(self, room: GameRoom) -> None:
        """Start the bots if one must act and at least one connection is open."""
        match = room.match
        if match is None or match.decision is None or room.blocked_reason or room.number in self.rooms_with_active_bots:
            return
        if room.undo_request is not None:
            return
        moves = match.decision.player in room.bots or self.find_automatic_move(room) is not None
        if moves and room.number in self.connections:
            self.rooms_with_active_bots.add(room.number)
            task = asyncio.create_task(self.play_bot_moves(room))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def play_bot_moves(self, room: GameRoom) -> None:
        """Play bot moves until a person must act.

        Each decision takes equal time, regardless of its difficulty or the number of cards picked."""
        results, began = self.get_displayed_results(room), 0.0
        try:
            while (match := room.match) is not None and match.decision is not None and not room.blocked_reason:
                name, at = match.decision.player, room.position_id
                if room.undo_request or room.number not in self.connections:
                    return
                bot, automatic = room.bots.get(name), self.find_automatic_move(room)
                began = began if match.state.picks else room.pace.clock()
                move: int | tuple[str, ...]
                if bot is not None:
                    move, completes = await asyncio.to_thread(choose_bot_move, bot, match.clone())
                elif automatic is not None:
                    move, completes = automatic, True
                else:
                    return
                if completes:
                    before, results = results, self.get_displayed_results(room)
                    to_read = self.bot_pause * (RESULT_PAUSE_FACTOR - 1) if results != before else 0.0
                    await self.sleep(room.pace.get_remaining_seconds(began) + to_read)
                if room.undo_request is not None:
                    continue
                try:
                    room.play_move(name, at, move)
                except NotSavedError as unkept:
                    await self.report_save_failure(room, unkept.reason)
                except RequestRefused:
                    continue  # outdated: the player has moved or undone a move meanwhile, and may have selected cards
                if not match.state.picks:  # partial picks of a bot stay secret
                    self.publish_after_move(room)
        except RuleError as error:
            room.blocked_reason = f"Line {error.span.line} of the rules failed: {error.message}"
            self.publish_room(room)
        except Exception:
            logger.exception("a bot could not move")
            room.blocked_reason = "A bot could not move. This is a bug in cardlang."
            self.publish_room(room)
        finally:
            self.rooms_with_active_bots.discard(room.number)

    def find_automatic_move(self, room: GameRoom) -> int | tuple[str, ...] | None:
        """Return the only answer of the current player, if it is played automatically.

        That requires a single person against bots and no spectators, who would learn that the player had no other
        move."""
        watched = any(connection.player_name is None for connection in self.connections.get(room.number, ()))
        return None if watched else room.find_automatic_move()

    async def report_save_failure(self, room: GameRoom, reason: str) -> None:
        """Report that a bot's move could not be saved, then allow a retry after a while."""
        room.blocked_reason = f"{reason} Retrying …"
        self.publish_room(room)
        await asyncio.sleep(SAVE_RETRY_SECONDS)
        room.blocked_reason = ""

    @staticmethod
    def get_displayed_results(room: GameRoom) -> tuple[RecentResult, ...]:
        """Return the results of tricks, deals and the match that are on display."""
        return room.match.table().moments if room.match is not None else ()


def send_chat_lines(connections: Iterable[Connection], lines: Iterable[ChatLine]) -> None:
    """Send chat messages to connections."""
    payload = {"is": "chat", "lines": [asdict(line) for line in lines]}
    for connection in connections:
        connection.queue_response(payload)


def choose_bot_move(bot: Player, match: Match) -> tuple[int, bool]:
    """Return a bot's move, and whether it completes the choice.

    Early picks of a set don't complete it. `match` is a copy, and the move is played in it."""
    move = bot.choose(match)
    match.choose(move)
    return move, not match.state.picks


def restore_room(store: Store, number: int, catalog: GameCatalog, bot_pause: float, seed: int | None) -> GameRoom:
    """Return a restored table, including all tables that were shown so far."""
    sitting = GameRoom.restore(store, number, catalog, bot_pause, seed)
    if sitting.match is not None and not sitting.blocked_reason:
        with suppress(RuleError):  # reported when a player connects
            rebuild_viewer_histories(sitting.match)
    return sitting


def encode_table_message(
    room: GameRoom, viewer: str | None, selection: tuple[str, ...], automatic: int | tuple[str, ...] | None = None
) -> str:
    """Return the table message for a viewer, as JSON. An answer that is given automatically is shown without a
    question.

    It contains the table, the current step, the number of the viewer's last action (`mine`), whether the viewer can
    undo it, whether a patience is at a dead end, notes about players, and intermediate tables for animation (`way`)."""
    assert room.match is not None
    match = room.match
    asked = match.decision is not None and match.decision.player == viewer
    step = (
        json.dumps(find_step_at(match.game, find_decision_span(match.program.get_site(match.state)))) if asked else '""'
    )
    table = match.table(viewer, automatic if asked and isinstance(automatic, tuple) else selection)
    notes = json.dumps(build_player_notes(match, viewer, table), ensure_ascii=False)
    if asked and automatic is not None:
        table = evolve(table, ask=None)
    shown = table.json().decode()
    mine = room.find_last_action_number(viewer)
    can_undo = json.dumps(viewer is not None and room.can_undo(viewer))
    reveal_tables = ",".join(reveal_table.json().decode() for reveal_table in match.build_reveal_tables(viewer))
    dead = json.dumps(room.get_value_for_position(("dead end",), lambda: is_dead_end(match)))
    at = f'"at":"{room.position_id}","back":{room.undo_count},"mine":{mine},"undo":{can_undo},"step":{step}'
    return f'{{"is":"table",{at},"dead":{dead},"notes":{notes},"way":[{reveal_tables}],"table":{shown}}}'
