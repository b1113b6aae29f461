"""Storage of tables, seats and match records in one SQLite file.

Each line of a record is written before its move is published, so a crash loses no acknowledged move.

The file contains secrets such as seeds and links. Only its owner can read it."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from secrets import token_urlsafe

from attrs import frozen

from cardlang import disk
from interpreter.errors import RecordingError
from interpreter.matches.record import Entry
from interpreter.matches.recorder import with_check

FORMAT = 1
SCHEMA = """
create table meta (key text primary key, value text not null);
create table sittings (
  id integer primary key, file text not null, variant text, asks integer not null, made real not null,
  over integer not null default 0);
create table seats (
  sitting integer not null references sittings, seat integer not null, name text not null, kind text not null,
  sat integer not null, primary key (sitting, seat));
create table links (
  secret text primary key, sitting integer not null references sittings, seat integer, host integer not null);
create table matches (
  id integer primary key, sitting integer not null references sittings, title text not null, version text not null,
  began real not null, ended real);
create table lines (
  match integer not null references matches, number integer not null, action integer not null, thought real,
  rule integer not null, line blob not null, primary key (match, number)) without rowid;
create table odd (match integer not null, at integer not null, who text not null, word text not null, made real);
create table answers (
  match integer not null, who text not null, fun integer, clear integer, again integer, primary key (match, who));
create index links_of on links (sitting);
create index matches_of on matches (sitting);
"""
SECRET = 24
"""Size of a link's secret in random bytes: 192 bits."""


def new_secret() -> str:
    return token_urlsafe(SECRET)


@frozen
class Link:
    """Access granted by a secret: a seat at a table, or spectating if `seat` is None. `host`: with host rights."""

    secret: str
    sitting: int
    seat: int | None
    host: bool


@frozen
class SeatKept:
    """Stored seat.

    `kind`: `person` or a kind of bot. `sat`: a person has joined."""

    name: str
    kind: str
    sat: bool


@frozen
class LineKept:
    """Line of a record.

    `action`: number of the action, which can span several lines. `thought`: thinking time in seconds, in the first line
    of an action. `rule`: line of the rule that asks for the decision."""

    action: int
    thought: float | None
    rule: int
    line: bytes


class Store:
    """SQLite file of a server.

    The constructor raises `OSError` or `sqlite3.Error` if the file can't be opened. Writes raise `RecordingError`."""

    def __init__(self, path: Path) -> None:
        if not path.exists():  # closing a file that this process has open elsewhere would drop SQLite's POSIX locks
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, disk.PRIVATE))
        self.path = path
        self.file = sqlite3.connect(path, isolation_level=None, timeout=2, check_same_thread=False)
        self.file.execute("pragma journal_mode = wal")
        self.file.execute("pragma synchronous = normal")
        self.file.execute("pragma foreign_keys = on")
        if not self.file.execute("select 1 from sqlite_master where name = 'meta'").fetchone():
            known = f"insert into meta values ('format', '{FORMAT}'), ('house', '{new_secret()}');"
            self.file.executescript(f"begin; {SCHEMA} {known} commit;")  # atomic even if the process is killed
        if self.meta("format") != str(FORMAT):
            raise OSError("it was written by another version of cardlang")

    def close(self) -> None:
        self.file.close()

    def examine(self) -> None:
        """Check the integrity of the file. Raise `sqlite3.DatabaseError` if it is damaged."""
        (found,) = self.file.execute("pragma quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(" ".join(found.split()))

    def meta(self, key: str) -> str:
        found = self.file.execute("select value from meta where key = ?", (key,)).fetchone()
        return str(found[0]) if found else ""

    @cached_property
    def house(self) -> str:
        """Return the secret of the lobby, for the person who started the server."""
        return self.meta("house")

    def write(self, text: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Execute a write. Raise `RecordingError` if it fails; then nothing has changed."""
        try:
            return self.file.execute(text, values)
        except sqlite3.Error as error:
            raise RecordingError(self.path, OSError(str(error))) from error

    @contextmanager
    def together(self) -> Iterator[None]:
        """Run several writes as one transaction."""
        self.write("begin immediate")
        try:
            yield
            self.write("commit")
        except BaseException:
            if self.file.in_transaction:  # a full disk can end the transaction
                self.file.execute("rollback")
            raise

    # ------------------------------------------------------------ tables
    def open_sitting(
        self, file: str, variant: str | None, asks: bool, seats: Iterable[SeatKept], host: int | None
    ) -> int:
        """Create a table with its links and return its number.

        Each person's seat and spectators get a link. The host has the link of seat `host`, or a second spectator
        link."""
        with self.together():
            cursor = self.write(
                "insert into sittings (file, variant, asks, made) values (?, ?, ?, ?)",
                (file, variant, asks, time.time()),
            )
            number = int(cursor.lastrowid or 0)
            people = []
            for seat, each in enumerate(seats):
                self.write("insert into seats values (?, ?, ?, ?, ?)", (number, seat, each.name, each.kind, each.sat))
                people += [seat] if each.kind == "person" else []
            links = [(seat, seat == host) for seat in people] + [(None, False)] + [(None, True)] * (host is None)
            for place, rights in links:
                self.write("insert into links values (?, ?, ?, ?)", (new_secret(), number, place, rights))
        return number

    def sitting(self, number: int) -> tuple[str, str | None, bool]:
        """Return a table's file, its variant, and whether it asks questions after matches. Raise `KeyError` if it is
        unknown."""
        found = self.file.execute("select file, variant, asks from sittings where id = ?", (number,)).fetchone()
        if found is None:
            raise KeyError(number)
        return found[0], found[1], bool(found[2])

    def open_sittings(self) -> list[tuple[int, str, float]]:
        """Return number, file and creation time of the open tables, newest first."""
        rows = self.file.execute("select id, file, made from sittings where not over order by id desc")
        return [(int(number), str(file), float(made)) for number, file, made in rows]

    def close_sitting(self, number: int) -> None:
        """Close a table: its links stop working."""
        self.write("update sittings set over = 1 where id = ?", (number,))

    def seats(self, number: int) -> list[SeatKept]:
        rows = self.file.execute("select name, kind, sat from seats where sitting = ? order by seat", (number,))
        return [SeatKept(name, kind, bool(sat)) for name, kind, sat in rows]

    def put_seat(self, number: int, seat: int, kept: SeatKept) -> None:
        self.write(
            "update seats set name = ?, kind = ?, sat = ? where sitting = ? and seat = ?",
            (kept.name, kept.kind, kept.sat, number, seat),
        )

    def link(self, secret: str) -> Link | None:
        found = self.file.execute(
            "select links.sitting, seat, host from links join sittings on sittings.id = links.sitting"
            " where secret = ? and not over",
            (secret,),
        ).fetchone()
        return None if found is None else Link(secret, found[0], found[1], bool(found[2]))

    def links(self, number: int) -> list[Link]:
        rows = self.file.execute("select secret, seat, host from links where sitting = ? order by rowid", (number,))
        return [Link(secret, number, seat, bool(host)) for secret, seat, host in rows]

    # ------------------------------------------------------------ matches
    def begin_match(self, sitting: int, title: str, version: str, header: Entry) -> Keeper:
        """Create a match with the first line of its record. Return its recorder."""
        with self.together():
            cursor = self.write(
                "insert into matches (sitting, title, version, began) values (?, ?, ?, ?)",
                (sitting, title, version, time.time()),
            )
            keeper = Keeper(self, int(cursor.lastrowid or 0), "", 0, 0)
            keeper.write(header)
        return keeper

    def last_match(self, sitting: int) -> int | None:
        found = self.file.execute("select max(id) from matches where sitting = ?", (sitting,)).fetchone()
        return None if found is None or found[0] is None else int(found[0])

    def title_and_end(self, sitting: int) -> tuple[str, bool]:
        """Return the title of the last match at a table, empty without a match, and whether it has finished."""
        last = "select title, ended is not null from matches where sitting = ? order by id desc limit 1"
        found = self.file.execute(last, (sitting,)).fetchone()
        return ("", False) if found is None else (str(found[0]), bool(found[1]))

    def matches(self) -> list[int]:
        return [int(number) for (number,) in self.file.execute("select id from matches order by id")]

    def lines(self, match: int) -> list[LineKept]:
        rows = self.file.execute(
            "select action, thought, rule, line from lines where match = ? order by number", (match,)
        )
        return [LineKept(*row) for row in rows]

    def end_match(self, match: int) -> None:
        self.write("update matches set ended = coalesce(ended, ?) where id = ?", (time.time(), match))

    # ------------------------------------------------------------ feedback of players
    def note_odd(self, match: int, at: int, who: str, word: str) -> None:
        self.write("insert into odd values (?, ?, ?, ?, ?)", (match, at, who, word, time.time()))

    def count_odd(self, match: int) -> int:
        return int(self.file.execute("select count(*) from odd where match = ?", (match,)).fetchone()[0])

    def answer(self, match: int, who: str, fun: int, clear: int, again: int) -> None:
        self.write("insert or replace into answers values (?, ?, ?, ?, ?)", (match, who, fun, clear, again))


class Keeper:
    """Recorder of one match in the store, with the interface of `interpreter.matches.recorder.Recorder`.

    `check`: checksum of the last line. `count`: number of lines. `action`: number of the current action, with `thought`
    and `rule`."""

    def __init__(self, store: Store, match: int, check: str, count: int, action: int) -> None:
        self.store, self.match, self.check, self.count, self.action = store, match, check, count, action
        self.thought: float | None = None
        self.rule = 0

    def write(self, entry: Entry) -> None:
        """Append a line. Raise `RecordingError` if it fails; then nothing was added."""
        line, check = with_check(entry, self.check)
        row = (self.match, self.count, self.action, self.thought, self.rule, line)
        self.store.write("insert into lines values (?, ?, ?, ?, ?, ?)", row)
        self.check, self.count, self.thought = check, self.count + 1, None

    def undo(self, count: int) -> None:
        self.write({"undo": count})

    def is_at(self, path: Path) -> bool:
        return False

    def close(self) -> None:
        return


def check_of(line: bytes) -> str:
    """Return the checksum at the end of a line."""
    return str(json.loads(line)["check"])
