"""Handlers of the WebSocket requests, by name. A handler raises `Refused` with a reason for an illegal request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from cardlang.game import Game
from cardlang.web import limits
from cardlang.web.allowing import allow
from cardlang.web.bots import KINDS
from cardlang.web.connection import Connection
from cardlang.web.hub import Hub
from cardlang.web.message import Message, Refused, person_name
from cardlang.web.playtests import all_figures
from cardlang.web.sitting import PERSON, Sitting
from cardlang.web.store import SeatKept
from interpreter.errors import RuleError
from interpreter.matches.match import start
from interpreter.table.telling import log_lines

Does = Callable[[Hub, Connection, Message], Awaitable[None]]
DOES: dict[str, Does] = {}


def does(name: str) -> Callable[[Does], Does]:
    """Register a handler for a request."""

    def register(function: Does) -> Does:
        DOES[name] = function
        return function

    return register


async def told(hub: Hub, connection: Connection, message: Message) -> None:
    """Dispatch a message to its handler. Raise `Refused` if it fails."""
    function = DOES.get(message.exact("do"))
    if function is None:
        raise Refused("Unknown request.")
    said_again(connection, message)
    await function(hub, connection, message)


def said_again(connection: Connection, message: Message) -> None:
    """Reject a repeated request (`again`) if the match has moved on.

    A client resends unanswered requests after a lost connection. They may have been executed already, and must not run
    twice."""
    sitting = connection.sitting
    if sitting is not None and message.flag("again") and message.exact("at") not in ("", sitting.at):
        raise Refused("The match has moved on.")


# ---------------------------------------------------------------- lobby
def house(connection: Connection) -> None:
    if connection.sitting is not None:
        raise Refused("Only the person who started the server can do that.")


@does("game")
async def look_at_game(hub: Hub, connection: Connection, message: Message) -> None:
    """Send the player counts and variants of a game."""
    house(connection)
    name = message.exact("name")
    edition = await hub.aside(connection, asyncio.to_thread(hub.shelf.load, name))
    game = edition.game
    variants = [{"title": each.title, "doc": each.doc} for each in game.variants]
    connection.answer(
        {"is": "game", "name": name, "title": game.title, "doc": game.doc, "seats": sorted(game.seats),
         "variants": variants}
    )  # fmt: skip


@does("open")
async def open_table(hub: Hub, connection: Connection, message: Message) -> None:
    """Create a table with a file, a variant, seats and the host's seat (-1: none)."""
    house(connection)
    if len(hub.store.open_sittings()) >= limits.TABLES:
        raise Refused(f"{limits.TABLES} tables are open. Close some first.")
    name, variant = message.exact("name"), message.exact("variant") or None
    edition = await hub.aside(connection, asyncio.to_thread(hub.shelf.load, name, variant))
    seats = [seat_of(each) for each in message.objects("seats", 20)]
    if len(seats) not in edition.game.seats:
        raise Refused(f"{edition.game.title} is not for {len(seats)} player{'s' * (len(seats) != 1)}.")
    if len({seat.name.casefold() for seat in seats}) < len(seats):
        raise Refused("Each player needs a different name.")
    host = message.number("host", -1, len(seats) - 1)
    if host >= 0:
        seats[host] = SeatKept(seats[host].name, PERSON, True)
    sits = all(seat.sat for seat in seats)
    if sits:
        await hub.aside(connection, asyncio.to_thread(prepare, edition.game, [seat.name for seat in seats]))
    number = hub.store.open_sitting(name, variant, message.flag("asks"), seats, host if host >= 0 else None)
    sitting = await hub.sitting(number)
    sitting.edition = edition
    if sits:
        sitting.begin(edition)
    connection.answer({"is": "opened", "host": next(link.secret for link in sitting.links if link.host)})
    for each in hub.connections.get(None, ()):
        hub.greet(each)


def seat_of(message: Message) -> SeatKept:
    kind = message.exact("kind")
    if kind not in (PERSON, *KINDS):
        raise Refused("Unknown player.")
    return SeatKept(person_name(message.text("name")), kind, kind != PERSON)


@does("close")
async def close_table(hub: Hub, connection: Connection, message: Message) -> None:
    """Close a table: its links stop working, its matches stay saved."""
    house(connection)
    number = message.number("table", 1, 2**62)
    hub.store.close_sitting(number)
    sitting = hub.sittings.pop(number, None)
    if sitting is not None:
        for each in list(hub.connections.get(number, ())):
            each.end("This table was closed.")
    for each in hub.connections.get(None, ()):
        hub.greet(each)


# ---------------------------------------------------------------- at a table
def at_table(connection: Connection) -> Sitting:
    if connection.sitting is None:
        raise Refused("This link is not for a table.")
    return connection.sitting


def player(connection: Connection) -> tuple[Sitting, str]:
    sitting, name = at_table(connection), connection.name
    if name is None:
        raise Refused("You are watching. Only players can do that.")
    return sitting, name


def hosted(connection: Connection) -> Sitting:
    sitting = at_table(connection)
    if not connection.host:
        raise Refused("Only the host can do that.")
    return sitting


@does("sit")
async def sit(hub: Hub, connection: Connection, message: Message) -> None:
    """Seat the connected person under a name. Start the match if all seats are taken."""
    sitting, _ = player(connection)
    assert connection.seat is not None
    sitting.sit(connection.seat, message.text("name"))
    hub.publish(sitting)
    if not sitting.missing():
        await begin(hub, connection, sitting)


@does("begin")
async def begin_now(hub: Hub, connection: Connection, message: Message) -> None:
    """Start a match for the host: the first before all have joined, or the next after the last is over."""
    await begin(hub, connection, hosted(connection))


async def begin(hub: Hub, connection: Connection, sitting: Sitting) -> None:
    """Load the current version of the file and start the next match."""
    if sitting.beginning:
        raise Refused("The match is already starting.")
    sitting.beginning = True
    try:
        edition = await hub.aside(connection, asyncio.to_thread(hub.shelf.load, sitting.file, sitting.variant))
        await hub.aside(connection, asyncio.to_thread(prepare, edition.game, [seat.name for seat in sitting.seats]))
        sitting.begin(edition)
    finally:
        sitting.beginning = False
    hub.moved(sitting)


def prepare(game: Game, names: list[str]) -> None:
    """Compile a game in advance, because the first match of a game takes longer to start."""
    with suppress(ValueError, RuleError):  # starting the match reports the error
        start(game, names).table()


@does("move")
async def move(hub: Hub, connection: Connection, message: Message) -> None:
    sitting, name = player(connection)
    sitting.do(name, message.exact("at"), message.number("move"))
    hub.moved(sitting)


@does("confirm")
async def confirm(hub: Hub, connection: Connection, message: Message) -> None:
    """Confirm a selection of several cards."""
    sitting, name = player(connection)
    sitting.do(name, message.exact("at"), message.refs("refs"))
    hub.moved(sitting)


@does("chosen")
async def chosen(hub: Hub, connection: Connection, message: Message) -> None:
    """Store the selection so far. Other players don't see it."""
    sitting, name = player(connection)
    sitting.turn_of(name, message.exact("at"))
    connection.chosen = message.refs("refs")
    hub.show(connection)


@does("why")
async def why(hub: Hub, connection: Connection, message: Message) -> None:
    """Explain why a move is illegal."""
    sitting, name = player(connection)
    match = sitting.turn_of(name, message.exact("at"))
    refusal = match.refusal(message.text("move"))
    connection.answer({"is": "why", "why": refusal.words if refusal else "You can do that."})


@does("hint")
async def counsel(hub: Hub, connection: Connection, message: Message) -> None:
    """Send a hint with its reasons, computed once for each player and position."""
    sitting, name = player(connection)
    at = message.exact("at")
    match = sitting.turn_of(name, at)
    if sitting.counsel.get(name, ("",))[0] != at:
        found = await hub.aside(connection, hub.thought(sitting, match, name, at))
        sitting.counsel[name] = at, found
    found = sitting.counsel[name][1]
    connection.answer(
        {"is": "hint", "at": at, "move": found.index, "refs": found.refs, "text": found.move, "words": found.words}
    )


@does("log")
async def log(hub: Hub, connection: Connection, message: Message) -> None:
    """Send the log as seen by the player."""
    sitting = at_table(connection)
    connection.put_again("log", {"is": "log", "lines": log_lines(sitting.playing().view(connection.name).events)})


@does("undo")
async def undo(hub: Hub, connection: Connection, message: Message) -> None:
    """Undo the player's last action if possible.

    If the undo goes back past a result, ask for confirmation first. `sure` confirms, and is valid only for the position
    (`at`) of the question."""
    sitting, name = player(connection)
    undo, last, sure = sitting.undo_of(name), sitting.last_of(name), message.flag("sure")
    if sure and message.exact("at") != sitting.at:
        raise Refused("The match has moved on. Please look again.")
    if last.result and not sure:
        connection.answer({"is": "sure", "at": sitting.at, "what": last.what, "result": last.result})
    elif sitting.wish_back(name, hub.here(sitting), last.what, undo):
        hub.taken_back(sitting, name, last.what)
    else:
        hub.publish(sitting)


@does("agree")
async def agree(hub: Hub, connection: Connection, message: Message) -> None:
    """Answer the undo request with the key `wish`. Raise `Refused` for an outdated request."""
    sitting, name = player(connection)
    wish = sitting.wish
    if wish is None or message.exact("wish") != wish.key:
        raise Refused("This question is no longer open.")
    if sitting.agree(name, message.flag("yes")):
        hub.taken_back(sitting, wish.who, wish.what)
    else:
        hub.publish(sitting)


@does("seat")
async def replace(hub: Hub, connection: Connection, message: Message) -> None:
    """Replace a person by a bot, or give the seat back, for the host."""
    sitting = hosted(connection)
    sitting.replace(message.number("seat", 0, len(sitting.seats) - 1), message.exact("kind"))
    hub.publish(sitting)


# ---------------------------------------------------------------- playtests
@does("allow")
async def allow_once(hub: Hub, connection: Connection, message: Message) -> None:
    """Apply a host override outside the rules. Everyone at the table sees it, and play continues."""
    sitting = hosted(connection)
    allow(sitting, message)
    hub.moved(sitting)


@does("playtests")
async def show_playtests(hub: Hub, connection: Connection, message: Message) -> None:
    """Send the results of all playtests, computed in a thread without blocking matches."""
    house(connection)
    games = await hub.aside(connection, asyncio.to_thread(all_figures, hub.store.path, hub.shelf))
    connection.answer({"is": "playtests", "games": games})


@does("odd")
async def odd(hub: Hub, connection: Connection, message: Message) -> None:
    """Save a problem report about the current position, with a comment."""
    sitting = at_table(connection)
    keeper = sitting.keeper
    if keeper is None:
        raise Refused("The match has not started.")
    if hub.store.count_odd(keeper.match) >= limits.ODD:
        raise Refused("This match has too many reports already.")
    hub.store.note_odd(keeper.match, keeper.count - 1, connection.name or "", message.text("word", limits.WORD))


@does("answers")
async def answers(hub: Hub, connection: Connection, message: Message) -> None:
    """Save a player's answers to the questions after a match."""
    sitting, name = player(connection)
    keeper = sitting.keeper
    if keeper is None or not sitting.asks or not sitting.playing().over:
        raise Refused("There are no questions to answer now.")
    marks = (message.number(key, 1, 5) for key in ("fun", "clear", "again"))
    hub.store.answer(keeper.match, name, *marks)
