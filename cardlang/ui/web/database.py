"""SQLite database of tables, seats and match records.

Each line of a record is written before its move is published, so a crash loses no acknowledged move.

The file contains secrets such as seeds and links. Only its owner can read it.
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

from cardlang import storage
from interpreter.match.match_record import RecordEntry, encode_entry
from interpreter.runtime.errors import RecordingError

DATABASE_FORMAT = 1
SCHEMA = Path(__file__).with_name("schema.sql").read_text("utf-8")
CHAT_SCHEMA = """
create table if not exists chat (
  number integer primary key, sitting integer not null, who text not null, text text not null);
create table if not exists muted (sitting integer not null, seat integer not null, primary key (sitting, seat));
create index if not exists chat_of on chat (sitting);
"""
"""Tables that older files lack."""
MAX_CHAT_LINES = 100
"""Maximum number of stored chat messages of a table."""
SECRET_BYTES = 24
"""Size of a link's secret in random bytes: 192 bits."""


def create_secret() -> str:
    return token_urlsafe(SECRET_BYTES)


@frozen
class AccessLink:
    """Access granted by a secret: a seat at a table, or spectating if `seat` is None. `is_host`: with host rights."""

    secret: str
    room_number: int
    seat: int | None
    is_host: bool


@frozen
class StoredSeat:
    """Stored seat.

    `kind`: `person` or a kind of bot. `has_joined`: a person has joined."""

    name: str
    kind: str
    has_joined: bool


@frozen
class StoredLine:
    """Line of a record.

    `action`: number of the action, which can span several lines. `thinking_time`: thinking time in seconds, in the
    first line of an action. `rule`: line of the rule that asks for the decision."""

    action: int
    thinking_time: float | None
    rule: int
    line: bytes


class Store:
    """SQLite file of a server.

    The constructor raises `OSError` or `sqlite3.Error` if the file can't be opened. Writes raise `RecordingError`."""

    def __init__(self, path: Path) -> None:
        if not path.exists():  # closing a file that this process has open elsewhere would drop SQLite's POSIX locks
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, storage.PRIVATE_FILE_MODE))
        self.path = path
        self.file = sqlite3.connect(path, isolation_level=None, timeout=2, check_same_thread=False)
        self.file.execute("pragma journal_mode = wal")
        self.file.execute("pragma synchronous = normal")
        self.file.execute("pragma foreign_keys = on")
        if not self.file.execute("select 1 from sqlite_master where name = 'meta'").fetchone():
            known = f"insert into meta values ('format', '{DATABASE_FORMAT}'), ('house', '{create_secret()}');"
            self.file.executescript(f"begin; {SCHEMA} {known} commit;")  # atomic even if the process is killed
        if self.read_meta("format") != str(DATABASE_FORMAT):
            raise OSError("it was written by another version of cardlang")
        self.file.executescript(CHAT_SCHEMA)

    def close(self) -> None:
        self.file.close()

    def check_integrity(self) -> None:
        """Check the integrity of the file. Raise `sqlite3.DatabaseError` if it is damaged."""
        (outcome,) = self.file.execute("pragma quick_check(1)").fetchone()
        if outcome != "ok":
            raise sqlite3.DatabaseError(" ".join(outcome.split()))

    def read_meta(self, key: str) -> str:
        row = self.file.execute("select value from meta where key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    @cached_property
    def lobby_secret(self) -> str:
        """Return the secret of the lobby, for the person who started the server."""
        return self.read_meta("house")

    def execute_write(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        """Execute a write. Raise `RecordingError` if it fails; then nothing has changed."""
        try:
            return self.file.execute(statement, values)
        except sqlite3.Error as error:
            raise RecordingError(self.path, OSError(str(error))) from error

    @contextmanager
    def open_transaction(self) -> Iterator[None]:
        """Run several writes as one transaction."""
        self.execute_write("begin immediate")
        try:
            yield
            self.execute_write("commit")
        except BaseException:
            if self.file.in_transaction:  # a full disk can end the transaction
                self.file.execute("rollback")
            raise

    # ------------------------------------------------------------ tables
    def create_room(
        self, file: str, variant: str | None, asks_questions: bool, seats: Iterable[StoredSeat], host: int | None
    ) -> int:
        """Create a table with its links and return its number.

        Each person's seat and spectators get a link. The host has the link of seat `host`, or a second spectator
        link."""
        with self.open_transaction():
            cursor = self.execute_write(
                "insert into sittings (file, variant, asks, made) values (?, ?, ?, ?)",
                (file, variant, asks_questions, time.time()),
            )
            number = int(cursor.lastrowid or 0)
            people = []
            for seat, stored_seat in enumerate(seats):
                self.execute_write(
                    "insert into seats values (?, ?, ?, ?, ?)",
                    (number, seat, stored_seat.name, stored_seat.kind, stored_seat.has_joined),
                )
                people += [seat] if stored_seat.kind == "person" else []
            links = [(seat, seat == host) for seat in people] + [(None, False)] + [(None, True)] * (host is None)
            for link_seat, rights in links:
                self.execute_write(
                    "insert into links values (?, ?, ?, ?)", (create_secret(), number, link_seat, rights)
                )
        return number

    def read_room(self, number: int) -> tuple[str, str | None, bool]:
        """Return a table's file, its variant, and whether it asks questions after matches. Raise `KeyError` if it is
        unknown."""
        row = self.file.execute("select file, variant, asks from sittings where id = ?", (number,)).fetchone()
        if row is None:
            raise KeyError(number)
        return row[0], row[1], bool(row[2])

    def list_open_rooms(self) -> list[tuple[int, str, float]]:
        """Return number, file and creation time of the open tables, newest first."""
        rows = self.file.execute("select id, file, made from sittings where not over order by id desc")
        return [(int(number), str(file), float(created_at)) for number, file, created_at in rows]

    def close_room(self, number: int) -> None:
        """Close a table: its links stop working, and its chat is deleted."""
        with self.open_transaction():
            self.execute_write("update sittings set over = 1 where id = ?", (number,))
            for table in ("chat", "muted"):
                self.execute_write(f"delete from {table} where sitting = ?", (number,))

    def read_seats(self, number: int) -> list[StoredSeat]:
        rows = self.file.execute("select name, kind, sat from seats where sitting = ? order by seat", (number,))
        return [StoredSeat(name, kind, bool(has_joined)) for name, kind, has_joined in rows]

    def update_seat(self, number: int, seat: int, stored: StoredSeat) -> None:
        self.execute_write(
            "update seats set name = ?, kind = ?, sat = ? where sitting = ? and seat = ?",
            (stored.name, stored.kind, stored.has_joined, number, seat),
        )

    def find_link(self, secret: str) -> AccessLink | None:
        row = self.file.execute(
            "select links.sitting, seat, host from links join sittings on sittings.id = links.sitting"
            " where secret = ? and not over",
            (secret,),
        ).fetchone()
        return None if row is None else AccessLink(secret, row[0], row[1], bool(row[2]))

    def read_links(self, number: int) -> list[AccessLink]:
        rows = self.file.execute("select secret, seat, host from links where sitting = ? order by rowid", (number,))
        return [AccessLink(secret, number, seat, bool(host)) for secret, seat, host in rows]

    # ------------------------------------------------------------ matches
    def create_match(self, room_number: int, title: str, version: str, header: RecordEntry) -> DatabaseRecorder:
        """Create a match with the first line of its record. Return its recorder."""
        with self.open_transaction():
            cursor = self.execute_write(
                "insert into matches (sitting, title, version, began) values (?, ?, ?, ?)",
                (room_number, title, version, time.time()),
            )
            keeper = DatabaseRecorder(self, int(cursor.lastrowid or 0), "", 0, 0)
            keeper.write(header)
        return keeper

    def find_last_match(self, room_number: int) -> int | None:
        row = self.file.execute("select max(id) from matches where sitting = ?", (room_number,)).fetchone()
        return None if row is None or row[0] is None else int(row[0])

    def read_title_and_end(self, room_number: int) -> tuple[str, bool]:
        """Return the title of the last match at a table, empty without a match, and whether it has finished."""
        last = "select title, ended is not null from matches where sitting = ? order by id desc limit 1"
        row = self.file.execute(last, (room_number,)).fetchone()
        return ("", False) if row is None else (str(row[0]), bool(row[1]))

    def list_matches(self) -> list[int]:
        return [int(number) for (number,) in self.file.execute("select id from matches order by id")]

    def read_lines(self, match: int) -> list[StoredLine]:
        rows = self.file.execute(
            "select action, thought, rule, line from lines where match = ? order by number", (match,)
        )
        return [StoredLine(*row) for row in rows]

    def end_match(self, match: int) -> None:
        self.execute_write("update matches set ended = coalesce(ended, ?) where id = ?", (time.time(), match))

    # ------------------------------------------------------------ chat
    def add_chat_line(self, room_number: int, author: str, text: str) -> int:
        """Store a chat message and return its number. The oldest ones beyond `MAX_CHAT_LINES` are deleted."""
        with self.open_transaction():
            cursor = self.execute_write(
                "insert into chat (sitting, who, text) values (?, ?, ?)", (room_number, author, text)
            )
            kept = "select number from chat where sitting = ? order by number desc limit ?"
            self.execute_write(
                f"delete from chat where sitting = ? and number not in ({kept})",
                (room_number, room_number, MAX_CHAT_LINES),
            )
        return int(cursor.lastrowid or 0)

    def read_chat(self, room_number: int) -> list[tuple[int, str, str]]:
        """Return number, player and text of a table's chat messages, oldest first."""
        query = "select number, who, text from chat where sitting = ? order by number"
        return list(self.file.execute(query, (room_number,)))

    def read_muted_seats(self, room_number: int) -> set[int]:
        return {seat for (seat,) in self.file.execute("select seat from muted where sitting = ?", (room_number,))}

    def save_muted_seats(self, room_number: int, seats: set[int]) -> None:
        with self.open_transaction():
            self.execute_write("delete from muted where sitting = ?", (room_number,))
            for seat in seats:
                self.execute_write("insert into muted values (?, ?)", (room_number, seat))

    # ------------------------------------------------------------ feedback of players
    def add_report(self, match: int, line: int, player: str, comment: str) -> None:
        self.execute_write("insert into odd values (?, ?, ?, ?, ?)", (match, line, player, comment, time.time()))

    def count_reports(self, match: int, player: str) -> int:
        """Return the number of a player's reports; those of spectators have no name."""
        found = self.file.execute("select count(*) from odd where match = ? and who = ?", (match, player))
        return int(found.fetchone()[0])

    def save_answers(self, match: int, player: str, fun: int, clear: int, play_again: int) -> None:
        self.execute_write(
            "insert or replace into answers values (?, ?, ?, ?, ?)", (match, player, fun, clear, play_again)
        )


class DatabaseRecorder:
    """Recorder of one match in the store, with the interface of `interpreter.match.match_record.Recorder`.

    `checksum`: checksum of the last line. `line_count`: number of lines. `action_number`: number of the current action,
    with `thinking_time` and `rule_line`."""

    def __init__(self, store: Store, match_number: int, checksum: str, line_count: int, action_number: int) -> None:
        self.store, self.match_number, self.checksum, self.line_count, self.action_number = (
            store,
            match_number,
            checksum,
            line_count,
            action_number,
        )
        self.thinking_time: float | None = None
        self.rule_line = 0

    def write(self, entry: RecordEntry) -> None:
        """Append a line. Raise `RecordingError` if it fails; then nothing was added."""
        line, check = encode_entry(entry, self.checksum)
        row = (self.match_number, self.line_count, self.action_number, self.thinking_time, self.rule_line, line)
        self.store.execute_write("insert into lines values (?, ?, ?, ?, ?, ?)", row)
        self.checksum, self.line_count, self.thinking_time = check, self.line_count + 1, None

    def record_undo(self, count: int) -> None:
        self.write({"undo": count})

    def is_at(self, path: Path) -> bool:
        return False

    def close(self) -> None:
        return


def read_checksum(line: bytes) -> str:
    """Return the checksum at the end of a line."""
    return str(json.loads(line)["check"])
