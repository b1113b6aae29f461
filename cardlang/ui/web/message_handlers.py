"""Handlers of client messages, with host overrides."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress

from cardlang.model import Game
from cardlang.ui.web import client_message
from cardlang.ui.web.chat import MAX_CHAT_LENGTH
from cardlang.ui.web.client_message import ClientMessage, RequestRefused, parse_player_name
from cardlang.ui.web.connection import Connection
from cardlang.ui.web.connection_hub import ConnectionHub, send_chat_lines
from cardlang.ui.web.database import StoredSeat
from cardlang.ui.web.game_room import BOT_LABELS, PERSON, GameRoom
from cardlang.ui.web.playtest_stats import build_playtest_stats
from interpreter.match.match import Match, start
from interpreter.match.state_edits import CardEdit, StateEdit, Surrender, TrackEdit
from interpreter.runtime.errors import RuleError
from interpreter.view.event_lines import build_log_lines

MAX_NOTE_LENGTH = 200
"""Maximum length of the host's note, in characters."""


def apply_override(room: GameRoom, message: ClientMessage) -> None:
    """Apply a host override.

    `what` in the message: `back` (undo a player's last action and everything since), `card`, `track` or `note`. Raise
    `RequestRefused` if it is impossible, and `RecordingError` if it can't be saved."""
    if message.get_exact_text("at") != room.position_id:
        raise RequestRefused("The match has moved on. Please look again.")
    note = message.get_text("note", MAX_NOTE_LENGTH)
    what = message.get_exact_text("what")
    if what == "back":
        override_undo(room, message.get_exact_text("who"), note)
        return
    room.apply_edit(parse_state_edit(message, what, note))


def override_undo(room: GameRoom, player: str, note: str) -> None:
    """Undo a player's last action and everything since, without asking other players.

    Raise `RequestRefused` if there is none."""
    kept_choices = next((count for name, count in reversed(room.action_starts) if name == player), None)
    if kept_choices is None:
        raise RequestRefused(f"{player or 'This player'} has nothing to undo.")
    room.rewind_to(kept_choices)
    room.require_match().apply_edit(StateEdit(f"{player} undoes a move. {note}".strip()))


def parse_state_edit(message: ClientMessage, kind: str, note: str) -> StateEdit:
    if kind == "card":
        return CardEdit(note, message.get_exact_text("card", 300), message.get_exact_text("to", 300))
    if kind == "track":
        return TrackEdit(
            note, message.get_exact_text("track"), message.get_exact_text("of") or None, message.get_text("value", 60)
        )
    if kind == "note" and note:
        return StateEdit(note)
    raise RequestRefused("Choose what to fix.")


# ---------------------------------------------------------------- handlers
Handler = Callable[[ConnectionHub, Connection, ClientMessage], Awaitable[None]]
HANDLERS: dict[str, Handler] = {}


def register_handler(name: str) -> Callable[[Handler], Handler]:
    """Register a handler for a request."""

    def register(function: Handler) -> Handler:
        HANDLERS[name] = function
        return function

    return register


async def dispatch_message(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Dispatch a message to its handler. Raise `RequestRefused` if it fails."""
    function = HANDLERS.get(message.get_exact_text("do"))
    if function is None:
        raise RequestRefused("Unknown request.")
    reject_repeated_request(connection, message)
    await function(hub, connection, message)


def reject_repeated_request(connection: Connection, message: ClientMessage) -> None:
    """Reject a repeated request (`again`) if the match has moved on.

    A client resends unanswered requests after a lost connection. They may have been executed already, and must not run
    twice."""
    sitting = connection.room
    if (
        sitting is not None
        and message.get_flag("again")
        and message.get_exact_text("at") not in ("", sitting.position_id)
    ):
        raise RequestRefused("The match has moved on.")


# ---------------------------------------------------------------- lobby
def require_server_owner(connection: Connection) -> None:
    if connection.room is not None:
        raise RequestRefused("Only the person who started the server can do that.")


@register_handler("game")
async def handle_game_info(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Send the player counts and variants of a game."""
    require_server_owner(connection)
    name = message.get_exact_text("name")
    edition = await hub.await_elsewhere(connection, asyncio.to_thread(hub.catalog.load_version, name))
    game = edition.game
    variants = [{"title": declared.title, "doc": declared.doc} for declared in game.variants]
    connection.queue_response(
        {"is": "game", "name": name, "title": game.title, "doc": game.doc, "seats": sorted(game.seats),
         "variants": variants}
    )  # fmt: skip


@register_handler("open")
async def handle_open_table(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Create a table with a file, a variant, seats and the host's seat (-1: none)."""
    require_server_owner(connection)
    if len(hub.store.list_open_rooms()) >= client_message.MAX_TABLES:
        raise RequestRefused(f"{client_message.MAX_TABLES} tables are open. Close some first.")
    name, variant = message.get_exact_text("name"), message.get_exact_text("variant") or None
    edition = await hub.await_elsewhere(connection, asyncio.to_thread(hub.catalog.load_version, name, variant))
    seats = [parse_stored_seat(seat_message) for seat_message in message.get_objects("seats", 20)]
    if len(seats) not in edition.game.seats:
        raise RequestRefused(f"{edition.game.title} is not for {len(seats)} player{'s' * (len(seats) != 1)}.")
    if len({seat.name.casefold() for seat in seats}) < len(seats):
        raise RequestRefused("Each player needs a different name.")
    host = message.get_number("host", -1, len(seats) - 1)
    if host >= 0:
        seats[host] = StoredSeat(seats[host].name, PERSON, True)
    sits = all(seat.has_joined for seat in seats)
    if sits:
        await hub.await_elsewhere(
            connection, asyncio.to_thread(compile_in_advance, edition.game, [seat.name for seat in seats])
        )
    number = hub.store.create_room(name, variant, message.get_flag("asks"), seats, host if host >= 0 else None)
    sitting = await hub.get_room(number)
    sitting.game_version = edition
    if sits:
        sitting.start_match(edition)
    connection.queue_response({"is": "opened", "host": next(link.secret for link in sitting.links if link.is_host)})
    for lobby_connection in hub.connections.get(None, ()):
        hub.send_initial_state(lobby_connection)


def parse_stored_seat(message: ClientMessage) -> StoredSeat:
    kind = message.get_exact_text("kind")
    if kind not in (PERSON, *BOT_LABELS):
        raise RequestRefused("Unknown player.")
    return StoredSeat(parse_player_name(message.get_text("name")), kind, kind != PERSON)


@register_handler("close")
async def handle_close_table(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Close a table: its links stop working, its matches stay saved."""
    require_server_owner(connection)
    number = message.get_number("table", 1, 2**62)
    hub.store.close_room(number)
    sitting = hub.rooms.pop(number, None)
    if sitting is not None:
        for client in list(hub.connections.get(number, ())):
            client.end_with_message("This table was closed.")
    for client in hub.connections.get(None, ()):
        hub.send_initial_state(client)


# ---------------------------------------------------------------- at a table
def require_room(connection: Connection) -> GameRoom:
    if connection.room is None:
        raise RequestRefused("This link is not for a table.")
    return connection.room


def require_player(connection: Connection) -> tuple[GameRoom, str]:
    sitting, name = require_room(connection), connection.player_name
    if name is None:
        raise RequestRefused("You are watching. Only players can do that.")
    return sitting, name


def require_host(connection: Connection) -> GameRoom:
    sitting = require_room(connection)
    if not connection.is_host:
        raise RequestRefused("Only the host can do that.")
    return sitting


@register_handler("sit")
async def handle_sit(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Seat the connected person under a name. Start the match if all seats are taken."""
    sitting, _ = require_player(connection)
    assert connection.seat is not None
    sitting.seat_person(connection.seat, message.get_text("name"))
    hub.publish_room(sitting)
    if not sitting.find_missing_people():
        await start_next_match(hub, connection, sitting)


@register_handler("begin")
async def handle_begin(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Start a match for the host: the first before all have joined, or the next after the last is over."""
    await start_next_match(hub, connection, require_host(connection))


async def start_next_match(hub: ConnectionHub, connection: Connection, room: GameRoom) -> None:
    """Load the current version of the file and start the next match."""
    if room.is_starting:
        raise RequestRefused("The match is already starting.")
    room.is_starting = True
    try:
        edition = await hub.await_elsewhere(
            connection, asyncio.to_thread(hub.catalog.load_version, room.file, room.variant)
        )
        await hub.await_elsewhere(
            connection, asyncio.to_thread(compile_in_advance, edition.game, [seat.name for seat in room.seats])
        )
        room.start_match(edition)
    finally:
        room.is_starting = False
    hub.publish_after_move(room)


def compile_in_advance(game: Game, names: list[str]) -> None:
    """Compile a game in advance, because the first match of a game takes longer to start."""
    with suppress(ValueError, RuleError):  # starting the match reports the error
        start(game, names).table()


@register_handler("move")
async def handle_move(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    sitting, name = require_player(connection)
    sitting.play_move(name, message.get_exact_text("at"), message.get_number("move"))
    hub.publish_after_move(sitting)


@register_handler("confirm")
async def handle_confirm(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Confirm a selection of several cards."""
    sitting, name = require_player(connection)
    sitting.play_move(name, message.get_exact_text("at"), message.get_refs("refs"))
    hub.publish_after_move(sitting)


@register_handler("chosen")
async def handle_selection(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Store the selection so far. Other players don't see it."""
    sitting, name = require_player(connection)
    sitting.require_turn(name, message.get_exact_text("at"))
    connection.selection = message.get_refs("refs")
    hub.send_table(connection)


@register_handler("why")
async def handle_why(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Explain why a move is illegal."""
    sitting, name = require_player(connection)
    match = sitting.require_turn(name, message.get_exact_text("at"))
    refusal = match.explain_illegal_move(message.get_text("move"))
    connection.queue_response({"is": "why", "why": refusal.message if refusal else "You can do that."})


@register_handler("hint")
async def handle_hint(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Send a hint with its reasons, computed once for each player and position."""
    sitting, name = require_player(connection)
    at = message.get_exact_text("at")
    match = sitting.require_turn(name, at)
    if sitting.hints.get(name, ("",))[0] != at:
        hint = await hub.await_elsewhere(connection, hub.get_hint(sitting, match, name, at))
        sitting.hints[name] = at, hint
    hint = sitting.hints[name][1]
    connection.queue_response(
        {"is": "hint", "at": at, "move": hint.index, "refs": hint.refs, "text": hint.label, "words": hint.reasons}
    )


@register_handler("log")
async def handle_log(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Send the log as seen by the player."""
    sitting, viewer = require_room(connection), connection.player_name
    match = sitting.require_match()
    connection.queue_requested(
        "log", sitting.get_value_for_position(("log", viewer), lambda: encode_log_message(match, viewer))
    )


def encode_log_message(match: Match, viewer: str | None) -> str:
    return json.dumps({"is": "log", "lines": build_log_lines(match.view(viewer).events)}, ensure_ascii=False)


@register_handler("undo")
async def handle_undo(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Undo the player's last action if possible.

    If the undo goes back past a result, ask for confirmation first. `sure` confirms, and is valid only for the position
    (`at`) of the question."""
    sitting, name = require_player(connection)
    undo, sure = sitting.check_undo(name), message.get_flag("sure")
    last = sitting.get_value_for_position(("last action", name), lambda: sitting.describe_last_action(name))
    if sure and message.get_exact_text("at") != sitting.position_id:
        raise RequestRefused("The match has moved on. Please look again.")
    if last.result and not sure:
        connection.queue_response({"is": "sure", "at": sitting.position_id, "what": last.action, "result": last.result})
    elif sitting.request_undo(name, hub.find_connected_players(sitting), last.action, undo):
        hub.publish_undo(sitting, name, last.action)
    else:
        hub.publish_room(sitting)


@register_handler("give up")
async def handle_give_up(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """End the match of a player without opponents."""
    sitting, name = require_player(connection)
    before = len(sitting.require_turn(name, message.get_exact_text("at")).choices)
    sitting.apply_edit(Surrender(name))
    sitting.action_starts.append((name, before))
    hub.publish_after_move(sitting)


@register_handler("agree")
async def handle_undo_answer(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Answer the undo request with the key `wish`. Raise `RequestRefused` for an outdated request."""
    sitting, name = require_player(connection)
    wish = sitting.undo_request
    if wish is None or message.get_exact_text("wish") != wish.key:
        raise RequestRefused("This question is no longer open.")
    if sitting.answer_undo_request(name, message.get_flag("yes")):
        hub.publish_undo(sitting, wish.player, wish.action)
    else:
        hub.publish_room(sitting)


@register_handler("seat")
async def handle_replace_player(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Replace a person with a bot, or give the seat back. Only the host may."""
    sitting = require_host(connection)
    sitting.replace_player(message.get_number("seat", 0, len(sitting.seats) - 1), message.get_exact_text("kind"))
    hub.publish_room(sitting)


# ---------------------------------------------------------------- chat
@register_handler("say")
async def handle_chat_message(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Send a player's chat message to all at the table."""
    sitting, name = require_player(connection)
    assert connection.seat is not None
    if not sitting.seats[connection.seat].has_joined:
        raise RequestRefused("Join the table first.")
    text = message.get_text("text", MAX_CHAT_LENGTH)
    line = sitting.chat.add_line(connection.seat, name, text, message.get_flag("again"))
    if line is not None:
        send_chat_lines(hub.connections.get(sitting.number, ()), [line])


@register_handler("mute")
async def handle_mute(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Switch the chat of a seat off or on for the host; without a seat, the chat of the table."""
    sitting = require_host(connection)
    seats = range(len(sitting.seats))
    seat = message.get_number("seat", -1, len(seats) - 1)
    sitting.chat.mute({seat} if seat >= 0 else set(seats), message.get_flag("muted"))
    hub.publish_room(sitting)


# ---------------------------------------------------------------- playtests
@register_handler("allow")
async def handle_override(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Apply a host override outside the rules. Everyone at the table sees it, and play continues."""
    sitting = require_host(connection)
    apply_override(sitting, message)
    hub.publish_after_move(sitting)


@register_handler("playtests")
async def handle_playtests(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Send the results of all playtests, computed in a thread without blocking matches."""
    require_server_owner(connection)
    games = await hub.await_elsewhere(connection, asyncio.to_thread(build_playtest_stats, hub.store.path, hub.catalog))
    connection.queue_response({"is": "playtests", "games": games})


@register_handler("odd")
async def handle_report(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Save a problem report about the current position, with a comment."""
    sitting = require_room(connection)
    keeper = sitting.recorder
    if keeper is None:
        raise RequestRefused("The match has not started.")
    name, comment = connection.player_name or "", message.get_text("word", client_message.MAX_REPORT_LENGTH)
    if hub.store.count_reports(keeper.match_number, name) >= client_message.MAX_REPORTS:
        raise RequestRefused(f"{'You have' if name else 'Spectators have'} made too many reports on this match.")
    hub.store.add_report(keeper.match_number, keeper.line_count - 1, name, comment)


@register_handler("answers")
async def handle_answers(hub: ConnectionHub, connection: Connection, message: ClientMessage) -> None:
    """Save a player's answers to the questions after a match."""
    sitting, name = require_player(connection)
    keeper = sitting.recorder
    if keeper is None or not sitting.asks_questions or not sitting.require_match().over:
        raise RequestRefused("There are no questions to answer now.")
    marks = (message.get_number(key, 1, 5) for key in ("fun", "clear", "again"))
    hub.store.save_answers(keeper.match_number, name, *marks)
