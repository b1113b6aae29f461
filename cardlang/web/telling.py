"""JSON payloads for clients, in addition to the table: seats, host tools, lobby."""

from __future__ import annotations

import json

from cardlang.web.bots import KINDS, words_of
from cardlang.web.connection import Connection
from cardlang.web.shelf import Shelf, key_of, title_in
from cardlang.web.sitting import PERSON, Sitting, Wish
from cardlang.web.store import Store
from cardlang.words import article

Told = dict[str, object]


def house_told(store: Store, shelf: Shelf, address: str) -> Told:
    """Return the lobby payload: games, bots and open tables, for the person who started the server."""
    tables = []
    for number, file, made in store.open_sittings()[:200]:
        path = shelf.paths.get(file)
        host = next(link.secret for link in store.links(number) if link.host)
        seats = ", ".join(seat.name for seat in store.seats(number))
        played, over = store.title_and_end(number)
        title = played or (title_in(path) if path else "") or file
        tables.append({"number": number, "title": title, "seats": seats, "made": made, "host": host, "over": over})
    bots = [{"kind": kind, "label": article(label), "words": words_of(kind)} for kind, label in KINDS.items()]
    return {"is": "house", "games": shelf.titles(), "tables": tables, "bots": bots, "address": address}


def tracks(sitting: Sitting) -> list[Told]:
    """Return the values that a host can set: everything that is public."""
    if sitting.match is None:
        return []
    seen = sitting.match.view(None).tracks
    return [{"name": each.name, "label": each.noun, "of": each.owner, "value": each.text} for each in seen]


def wish_told(wish: Wish) -> Told:
    return {"who": wish.who, "left": sorted(wish.left), "why": wish.why, "key": wish.key}


def seat_told(sitting: Sitting, connection: Connection, here: set[str], address: str) -> Told:
    """Return the payload about the table for a connection.

    Only the host receives the links of the others. `address`: URL of the server for those links."""
    wish, match = sitting.wish, sitting.match
    told: Told = {
        "is": "seat",
        "you": connection.name,
        "host": connection.host,
        "hosted": sitting.host,
        "seats": [
            {"name": seat.name, "kind": seat.kind, "sat": seat.sat, "here": seat.name in here or seat.kind != PERSON}
            for seat in sitting.seats
        ],
        "bots": KINDS,
        "begun": match is not None,
        "missing": sitting.missing(),
        "stuck": sitting.stuck,
        "asks": sitting.asks,
        "art": key_of(sitting.edition) if sitting.edition else None,
        "title": sitting.edition.game.title if sitting.edition else "",
        "variant": sitting.variant,
        "wish": wish_told(wish) if wish and wish.left else None,
    }
    if connection.host:
        told["tracks"] = json.loads(sitting.shown("tracks", lambda: json.dumps(tracks(sitting))))
        told["address"] = address
        told["links"] = [{"secret": link.secret, "seat": link.seat} for link in sitting.links if not link.host]
    return told
