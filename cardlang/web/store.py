"""What is kept: tables, who sits there, and every line of the records of their matches, in one file of SQLite. A line
is on the disk before anybody is told of the move, so a kill at any moment loses none that was acknowledged.

The file tells everything, seeds and links too: only its owner can read it.
"""

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
"""So many bytes of chance has a link: 192 bits."""


def new_secret() -> str:
    return token_urlsafe(SECRET)


@frozen
class Link:
    """What a secret opens: a seat (None: looking on) at a table, with the rights of its host or without."""

    secret: str
    sitting: int
    seat: int | None
    host: bool


@frozen
class SeatKept:
    """A seat as it is kept. `kind`: `person`, or the name of a bot; `sat`: somebody has sat down."""

    name: str
    kind: str
    sat: bool


@frozen
class LineKept:
    """A line of a record. `action`: the number of what somebody did, which may be several lines; `thought`: seconds
    that a person took for the first of them; `rule`: the line of the rule that asked."""

    action: int
    thought: float | None
    rule: int
    line: bytes


class Store:
    """The file of a server. Raises OSError or sqlite3.Error where it cannot be opened; what writes raises
    RecordingError."""

    def __init__(self, path: Path) -> None:
        if not path.exists():  # to close a file that is open elsewhere in this process would end SQLite's locks on it
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, disk.PRIVATE))
        self.path = path
        self.file = sqlite3.connect(path, isolation_level=None, timeout=2, check_same_thread=False)
        self.file.execute("pragma journal_mode = wal")
        self.file.execute("pragma synchronous = normal")
        self.file.execute("pragma foreign_keys = on")
        if not self.file.execute("select 1 from sqlite_master where name = 'meta'").fetchone():
            known = f"insert into meta values ('format', '{FORMAT}'), ('house', '{new_secret()}');"
            self.file.executescript(f"begin; {SCHEMA} {known} commit;")  # all of it, whenever it is killed
        if self.meta("format") != str(FORMAT):
            raise OSError("it was written by another version of cardlang")

    def close(self) -> None:
        self.file.close()

    def examine(self) -> None:
        """Reads all of the file. Raises sqlite3.DatabaseError where it is damaged."""
        (found,) = self.file.execute("pragma quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(" ".join(found.split()))

    def meta(self, key: str) -> str:
        found = self.file.execute("select value from meta where key = ?", (key,)).fetchone()
        return str(found[0]) if found else ""

    @cached_property
    def house(self) -> str:
        """The secret of the person who started the server."""
        return self.meta("house")

    def write(self, text: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Changes what is kept. Raises RecordingError; then all is as it was."""
        try:
            return self.file.execute(text, values)
        except sqlite3.Error as error:
            raise RecordingError(self.path, OSError(str(error))) from error

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is written meanwhile is kept as a whole or not at all."""
        self.write("begin immediate")
        try:
            yield
            self.write("commit")
        except BaseException:
            if self.file.in_transaction:  # a full disk may have ended it
                self.file.execute("rollback")
            raise

    # ------------------------------------------------------------ tables
    def open_sitting(
        self, file: str, variant: str | None, asks: bool, seats: Iterable[SeatKept], host: int | None
    ) -> int:
        """A new table with its links: one for each person's seat and one to look on; the host's is that of seat `host`,
        or one more to look on."""
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
        """The file, the variant and whether the host asks questions. Raises KeyError."""
        found = self.file.execute("select file, variant, asks from sittings where id = ?", (number,)).fetchone()
        if found is None:
            raise KeyError(number)
        return found[0], found[1], bool(found[2])

    def open_sittings(self) -> list[tuple[int, str, float]]:
        """Tables that nobody has closed: number, file, when it was made; the newest first."""
        rows = self.file.execute("select id, file, made from sittings where not over order by id desc")
        return [(int(number), str(file), float(made)) for number, file, made in rows]

    def close_sitting(self, number: int) -> None:
        """Its links open nothing any more."""
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
        """A new match, with the first line of its record."""
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

    def is_over(self, sitting: int) -> bool:
        """Whether the last match at a table came to its end."""
        rows = self.file.execute("select ended from matches where sitting = ? order by id desc limit 1", (sitting,))
        found = rows.fetchone()
        return found is not None and found[0] is not None

    def matches(self) -> list[int]:
        return [int(number) for (number,) in self.file.execute("select id from matches order by id")]

    def lines(self, match: int) -> list[LineKept]:
        rows = self.file.execute(
            "select action, thought, rule, line from lines where match = ? order by number", (match,)
        )
        return [LineKept(*row) for row in rows]

    def end_match(self, match: int) -> None:
        self.write("update matches set ended = coalesce(ended, ?) where id = ?", (time.time(), match))

    # ------------------------------------------------------------ what players say
    def note_odd(self, match: int, at: int, who: str, word: str) -> None:
        self.write("insert into odd values (?, ?, ?, ?, ?)", (match, at, who, word, time.time()))

    def count_odd(self, match: int) -> int:
        return int(self.file.execute("select count(*) from odd where match = ?", (match,)).fetchone()[0])

    def answer(self, match: int, who: str, fun: int, clear: int, again: int) -> None:
        self.write("insert or replace into answers values (?, ?, ?, ?, ?)", (match, who, fun, clear, again))


class Keeper:
    """Writes the record of one match, as `interpreter.matches.recorder.Recorder` does to a file. `check`: of the last
    line; `count`: of the lines; `action`: the number of what somebody does now, with `thought` and `rule`."""

    def __init__(self, store: Store, match: int, check: str, count: int, action: int) -> None:
        self.store, self.match, self.check, self.count, self.action = store, match, check, count, action
        self.thought: float | None = None
        self.rule = 0

    def write(self, entry: Entry) -> None:
        """Adds a line. Raises RecordingError; then nothing was added."""
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
    """The checksum that a line ends with."""
    return str(json.loads(line)["check"])
