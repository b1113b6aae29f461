"""Server-side state of a table: people, seats and consecutive matches.

This module does no networking. The caller publishes changes."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from secrets import token_urlsafe

from attrs import define, evolve, field, frozen

from cardlang.game import Game
from cardlang.web.bots import KINDS, new_bot
from cardlang.web.message import Refused, Unkept, person_name
from cardlang.web.shelf import Edition, Shelf, key_of
from cardlang.web.store import Keeper, Link, SeatKept, Store, check_of
from interpreter.errors import MoveError, RecordError, RecordingError, RuleError
from interpreter.matches.match import Match, place, start
from interpreter.matches.record import header, read, replay_record, standing
from interpreter.matches.undoing import Undo, undo_to
from interpreter.players.hints import Hint
from interpreter.players.pace import Pace, pace_of
from interpreter.players.player import Player
from interpreter.state import DONE
from interpreter.table.addressing import to

PERSON = "person"


@frozen
class Last:
    """Last action of a player and the first result since, as sentences for that player. `result` is empty if there is
    none."""

    what: str
    result: str


@define
class Wish:
    """Request of a player to undo everything since `kept` choices.

    `left`: players who have not agreed yet. `what`: the action in a sentence. `key`: unique identifier, so that a late
    answer never applies to the next request."""

    who: str
    kept: int
    what: str
    left: set[str]
    why: str
    key: str = field(factory=lambda: token_urlsafe(6))


@define
class Sitting:
    """State of a table.

    `match`: current or last match. `begun`: for each action, the player and the number of choices before it. The name
    is empty for automatic passes. `since`: start of the current decision, for thinking times."""

    store: Store
    number: int
    file: str
    variant: str | None
    asks: bool
    seats: list[SeatKept]
    links: list[Link]
    edition: Edition | None = None
    match: Match | None = None
    keeper: Keeper | None = None
    begun: list[tuple[str, int]] = field(factory=list)
    done: int = 0
    """Number of the last complete action."""
    since: float = 0.0
    wish: Wish | None = None
    stuck: str = ""
    bots: dict[str, Player] = field(factory=dict)
    pause: float = 0.0
    """Minimum time for a bot's decision, in seconds."""
    pace: Pace = field(factory=lambda: Pace(0.0))
    beginning: bool = False
    looked: float = field(factory=time.monotonic)
    backs: int = 0
    """Number of undos since the table was loaded."""
    made: tuple[tuple[int, int], dict[object, str]] = field(factory=lambda: ((0, 0), {}))
    """Cache of rendered messages: match and line count for which it is valid, and messages by key."""
    counsel: dict[str, tuple[str, Hint]] = field(factory=dict)
    """Position and last hint, by player."""

    # ------------------------------------------------------------ restoring
    @staticmethod
    def restored(store: Store, number: int, shelf: Shelf, pause: float) -> Sitting:
        """Return a table restored from the store. Raise `KeyError` for an unknown number.

        `pause`: minimum time for a bot's decision, in seconds."""
        file, variant, asks = store.sitting(number)
        sitting = Sitting(store, number, file, variant, asks, store.seats(number), store.links(number), pause=pause)
        last = store.last_match(number)
        if last is not None:
            sitting.go_on(last, shelf)
        return sitting

    def go_on(self, number: int, shelf: Shelf) -> None:
        """Replay the record of a match. If that fails, set `stuck` to the reason."""
        lines = self.store.lines(number)
        path = Path(f"match {number}")
        try:
            record = read(io.BytesIO(b"".join(line.line for line in lines)), path)
            match = replay_record(record, shelf.again)
        except (RecordError, RuleError, OSError) as error:
            self.stuck = f"This match cannot be resumed: {error}"
            return
        self.keeper = Keeper(self.store, number, check_of(lines[-1].line), len(lines), lines[-1].action)
        match.record_with(self.keeper)
        self.take(match)
        self.done = lines[-1 - len(match.state.picks)].action
        for made, (at, entry) in enumerate(standing(path, record.steps)):
            if match.deed_of(made + 1) > match.deed_of(made):
                name = entry.get("player", "")
                forced = lines[at - 1].thought is None and name not in self.bots
                self.begun.append(("" if forced else name, made))
        shelf.keep(self.edition or Edition.of(match.game))

    def take(self, match: Match) -> None:
        self.match, self.edition, self.since = match, Edition.of(match.game), time.monotonic()
        self.begun, self.done, self.wish, self.stuck = [], 0, None, ""
        kinds = {seat.name: seat.kind for seat in self.seats if seat.kind in KINDS}
        self.bots = {name: new_bot(kind) for name, kind in kinds.items()}
        self.pace = pace_of(kinds.values(), self.pause)

    # ------------------------------------------------------------ seats and matches
    @property
    def at(self) -> str:
        """Return an identifier of the position, changed by every complete action.

        Partial picks don't change it, because they are secret."""
        return moment(self.store, self.keeper.match, self.done) if self.keeper is not None else "0:0"

    @property
    def host(self) -> str | None:
        """Return the name of the host, or None if the host only watches."""
        return next((self.seats[link.seat].name for link in self.links if link.host and link.seat is not None), None)

    @property
    def people(self) -> set[str]:
        """Return the names of the seats without bots."""
        return {seat.name for seat in self.seats if seat.kind == PERSON}

    def missing(self) -> list[str]:
        return [seat.name for seat in self.seats if seat.kind == PERSON and not seat.sat]

    def sit(self, seat: int, name: str) -> None:
        """Seat a person under a name. Raise `Refused` if the name is taken or the match has started."""
        if self.match is not None:
            raise Refused("The match has started. You can no longer change your name.")
        chosen = person_name(name)
        others = {each.name.casefold() for at, each in enumerate(self.seats) if at != seat}
        if chosen.casefold() in others:
            raise Refused(f"{chosen} is already at this table. Choose another name.")
        self.put(seat, evolve(self.seats[seat], name=chosen, sat=True))

    def put(self, seat: int, kept: SeatKept) -> None:
        self.store.put_seat(self.number, seat, kept)
        self.seats[seat] = kept

    def begin(self, edition: Edition) -> None:
        """Start a match with an edition. Raise `Refused` if a match is in progress or the set-up fails."""
        if self.match is not None and not self.match.over and not self.stuck:
            raise Refused("The match is not over yet.")
        try:
            match = start(edition.game, [seat.name for seat in self.seats])
        except (ValueError, RuleError) as error:
            raise Refused(str(error)) from error
        keeper = self.store.begin_match(self.number, edition.game.title, key_of(edition), header(match))
        self.keeper = keeper
        match.record_with(keeper)
        self.take(match)

    def replace(self, seat: int, kind: str) -> None:
        """Replace a person by a bot, or give the seat back. Raise `Refused` if that is impossible."""
        if kind not in (PERSON, *KINDS):
            raise Refused("Unknown player.")
        if kind == PERSON and all(link.seat != seat for link in self.links):
            raise Refused("This seat has always been a bot's, so it has no link.")
        name = self.seats[seat].name
        self.put(seat, evolve(self.seats[seat], kind=kind))
        self.bots.pop(name, None)
        if kind in KINDS:
            self.bots[name] = new_bot(kind)
        kinds = [each.kind for each in self.seats if each.kind in KINDS]
        self.pace = pace_of(kinds, self.pause)

    # ------------------------------------------------------------ moves
    def playing(self) -> Match:
        if self.match is None:
            raise Refused("The match has not started.")
        if self.stuck:
            raise Refused(self.stuck)
        return self.match

    def turn_of(self, name: str, at: str) -> Match:
        """Return the match if this player has the decision at this position, else raise `Refused`."""
        match = self.playing()
        if at != self.at:
            raise Refused("The match has moved on.")
        if match.decision is None or match.decision.player != name:
            raise Refused("It is not your turn.")
        return match

    def passes(self) -> bool:
        """Return whether the current player passes automatically: a single person against bots with no other move.

        With several people, the speed of the pass would reveal the hand."""
        match = self.match
        if match is None or match.decision is None or {match.decision.player} != self.people or match.state.picks:
            return False
        return match.state.legal == [DONE]

    def do(self, name: str, at: str, move: int | tuple[str, ...]) -> None:
        """Play a move, or confirm a selection by its refs. Raise `Refused` with the reason if it is illegal.

        The move is saved to disk on return."""
        match = self.turn_of(name, at)
        before, forced = len(match.choices) - len(match.state.picks), self.passes()
        if self.keeper is not None:
            self.keeper.action += not match.state.picks
            timed = not forced and name not in self.bots
            self.keeper.thought = round(time.monotonic() - self.since, 3) if timed else None
            self.keeper.rule = rule_asked(match)
        self.carry_out(match, name, move)
        if ("" if forced else name, before) not in self.begun[-1:]:
            self.begun.append(("" if forced else name, before))
        self.complete()
        self.wish = None
        self.since = time.monotonic()
        if match.over and self.keeper is not None:
            with suppress(RecordingError):  # only a statistic for playtests, also derivable from the record
                self.store.end_match(self.keeper.match)

    def carry_out(self, match: Match, name: str, move: int | tuple[str, ...]) -> None:
        try:
            if isinstance(move, int):
                match.choose(move)
            else:
                match.confirm(name, move)
        except MoveError as error:
            raise Refused(error.message) from error
        except RecordingError as error:
            if name in self.bots:
                raise Unkept(error, f"{name}'s move") from error
            raise
        except RuleError as error:
            self.stuck = f"Line {error.span.line} of the rules failed: {error.message}"
            raise Refused(self.stuck) from error
        except Exception:
            match.rewind(len(match.choices))  # don't leave half a move after a bug in cardlang
            raise

    def complete(self) -> None:
        """Advance to the next position after a saved action, unless a choice of several is in progress."""
        if self.keeper is not None and self.match is not None and not self.match.state.picks:
            self.done = self.keeper.action

    def shown(self, what: object, make: Callable[[], str]) -> str:
        """Return a message for the current position, rendered once for all connections."""
        now = (self.keeper.match, self.keeper.count) if self.keeper is not None else (0, 0)
        if self.made[0] != now:
            self.made = now, {}
        if what not in self.made[1]:
            self.made[1][what] = make()
        return self.made[1][what]

    # ------------------------------------------------------------ undo
    def last_of(self, name: str) -> Last:
        """Return a player's last action. Raise `Refused` if there is none."""
        match, kept = self.playing(), self.before_last_of(name)
        done = (event for event in match.view(name).events if event.at > match.deed_of(kept) and event.who == name)
        text = next((event.text for event in done if event.text and event.kind in ("chose", "moved")), "")
        before = match.clone()
        before.rewind(kept)
        known = before.table(name).moments
        come = (each for each in match.table(name).moments if each not in known and each.kind != "trick")
        result = next((each.headline for each in come if each.rows or each.hands), "")
        return Last(to(name).text(text), result)

    def last_deed_of(self, name: str | None) -> int:
        """Return the number of a player's last action, as in `EventView.at`, or 0 if there is none."""
        made = next((count for who, count in reversed(self.begun) if who == name), None)
        return 0 if made is None or self.match is None else self.match.deed_of(made + 1)

    def before_last_of(self, name: str) -> int:
        """Return the number of choices before a player's last action. Raise `Refused` if there is none."""
        made = next((count for who, count in reversed(self.begun) if who == name), None)
        if made is None:
            raise Refused("You have nothing to undo.")
        return made

    def wish_back(self, name: str, here: set[str], what: str, undo: Undo) -> bool:
        """Undo a player's last action, or request the consent of the others. Return whether it is undone.

        Consent is needed if the action concerns others. `here`: connected players. `what`: description of the action.
        `undo`: result of `undo_of`. Raise `Refused` if that is impossible."""
        if self.wish is not None and self.wish.who != name:
            raise Refused(f"{self.wish.who} has asked to undo a move. Answer that first.")
        others = (self.people & here) - {name} if undo.asks else set()
        if undo.asks and not others:
            raise Refused(f"{undo.why_not} No other player is here to agree.")
        if others:
            self.wish = Wish(name, undo.kept, what, others, f"{undo.asks}.")
            return False
        self.take_back(undo.kept)
        return True

    def undo_of(self, name: str) -> Undo:
        """Return the conditions for the undo of a player's last action. Raise `Refused` if it is impossible."""
        undo = undo_to(self.playing(), self.before_last_of(name), name, self.bots)
        if undo.never:
            raise Refused(undo.why_not)
        return undo

    def agree(self, name: str, yes: bool) -> bool:
        """Answer an undo request, or withdraw it if it is the player's own. Return whether it was granted now."""
        if self.wish is not None and name == self.wish.who and not yes:
            self.wish = None
            return False
        if self.wish is None or name not in self.wish.left:
            raise Refused("You have nothing to answer.")
        if not yes:
            self.wish = None
            return False
        self.wish.left.discard(name)
        if self.wish.left:
            return False
        self.take_back(self.wish.kept)
        return True

    def take_back(self, kept: int) -> None:
        match = self.playing()
        if self.keeper is not None:
            self.keeper.action += 1
        match.undone(len(match.choices) - kept)
        self.complete()
        self.begun = [(who, count) for who, count in self.begun if count < kept]
        self.wish = None
        self.backs += 1
        self.since = time.monotonic()

    @property
    def game(self) -> Game | None:
        return self.match.game if self.match is not None else None


def rule_asked(match: Match) -> int:
    """Return the line of the rule that asks for the current decision, or 0 if it is in a library."""
    span = place(match.program.site(match.state))
    return span.line if span.source == match.game.sources[0] else 0


def moment(store: Store, match: int, action: int) -> str:
    """Return an opaque identifier of the position after a number of actions.

    It reveals the match but not the number of actions, because it is a keyed hash."""
    key = store.house.encode()[:64]
    return f"{match}:{blake2b(f'{match}:{action}'.encode(), key=key, digest_size=9).hexdigest()}"
