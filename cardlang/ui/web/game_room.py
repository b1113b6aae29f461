"""Game room: people, bots, matches and undo requests of one table.

This module does no networking. The caller publishes changes.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from secrets import randbits, token_urlsafe
from typing import Any, TypeVar

from attrs import define, evolve, field, frozen

from cardlang.model import Game
from cardlang.ui.web.chat import Chat
from cardlang.ui.web.client_message import NotSavedError, RequestRefused, parse_player_name
from cardlang.ui.web.database import AccessLink, DatabaseRecorder, Store, StoredSeat, read_checksum
from cardlang.ui.web.game_catalog import GameCatalog, GameVersion, build_version_key
from interpreter.bots.bot_players import BOT_NAMES, DEFAULT_BOT, SEARCH_BOT_LEVELS, Player, make_bot
from interpreter.bots.equal_response_time import EqualResponseTime, build_equal_response_time
from interpreter.bots.hints import Hint
from interpreter.match.card_selection import build_selection_view
from interpreter.match.match import Match, find_decision_span, start
from interpreter.match.match_record import build_header, read_record
from interpreter.match.record_resume import iter_kept_choices, replay_record
from interpreter.match.state_edits import StateEdit
from interpreter.match.undo_limits import UndoCheck, check_undo
from interpreter.runtime.errors import MoveError, RecordError, RecordingError, RuleError
from interpreter.runtime.state import DONE
from interpreter.view.event_lines import ACTIONS

TIMED_BOTS = [
    name for name in BOT_NAMES if name not in SEARCH_BOT_LEVELS or SEARCH_BOT_LEVELS[name].seconds is not None
]
"""Bots that move within a time limit on any machine."""
BOT_LABELS: dict[str, str] = {name: f"{name} bot" for name in sorted(TIMED_BOTS, key=lambda name: name != DEFAULT_BOT)}
"""Labels of bots by kind, the default kind first."""


def describe_bot(kind: str) -> str:
    """Return a short description of a kind of bot."""
    return SEARCH_BOT_LEVELS[kind].description if kind in SEARCH_BOT_LEVELS else "plays any legal move at random"


# ---------------------------------------------------------------- the room
PERSON = "person"
Value = TypeVar("Value")


@frozen
class LastAction:
    """Last action of a player and the first result since, as sentences for that player. `result` is empty if there is
    none."""

    action: str
    result: str


@define
class UndoRequest:
    """Request of a player to undo everything since `kept_choices` choices.

    `unanswered`: players who have not agreed yet. `action`: the action in a sentence. `key`: unique identifier, so that
    a late answer never applies to the next request."""

    player: str
    kept_choices: int
    action: str
    unanswered: set[str]
    reason: str
    key: str = field(factory=lambda: token_urlsafe(6))


@define
class GameRoom:
    """State of a table.

    `match`: current or last match. `action_starts`: for each action, the player and the number of choices before it.
    The name is empty for automatic moves. `decision_start`: start of the current decision, for thinking times."""

    store: Store
    number: int
    file: str
    variant: str | None
    asks_questions: bool
    seats: list[StoredSeat]
    links: list[AccessLink]
    chat: Chat
    game_version: GameVersion | None = None
    match: Match | None = None
    recorder: DatabaseRecorder | None = None
    action_starts: list[tuple[str, int]] = field(factory=list)
    action_number: int = 0
    """Number of the last complete action."""
    decision_start: float = 0.0
    undo_request: UndoRequest | None = None
    blocked_reason: str = ""
    bots: dict[str, Player] = field(factory=dict)
    bot_pause: float = 0.0
    """Minimum time for a bot's decision, in seconds."""
    seed: int | None = None
    """Seed of the first match in the store; each later match adds 1. None draws a seed for each match."""
    pace: EqualResponseTime = field(factory=lambda: EqualResponseTime(0.0))
    is_starting: bool = False
    last_used: float = field(factory=time.monotonic)
    undo_count: int = 0
    """Number of undos since the table was loaded."""
    position_cache: tuple[tuple[int, int], dict[tuple[object, ...], Any]] = field(factory=lambda: ((0, 0), {}))
    """Cache of values for one position: match and line count for which it is valid, and values by key."""
    hints: dict[str, tuple[str, Hint]] = field(factory=dict)
    """Position and last hint, by player."""

    # ------------------------------------------------------------ restoring
    @staticmethod
    def restore(store: Store, number: int, catalog: GameCatalog, bot_pause: float, seed: int | None = None) -> GameRoom:
        """Return a table restored from the store. Raise `KeyError` for an unknown number.

        `bot_pause`: minimum time for a bot's decision, in seconds. `seed`: see `GameRoom.seed`."""
        file, variant, asks = store.read_room(number)
        seats, links, chat = store.read_seats(number), store.read_links(number), Chat.restore(store, number)
        sitting = GameRoom(store, number, file, variant, asks, seats, links, chat, bot_pause=bot_pause, seed=seed)
        last = store.find_last_match(number)
        if last is not None:
            sitting.resume_match(last, catalog)
        return sitting

    def resume_match(self, number: int, catalog: GameCatalog) -> None:
        """Replay the record of a match. If that fails, set `blocked_reason` to the reason."""
        lines = self.store.read_lines(number)
        path = Path(f"match {number}")
        try:
            record = read_record(io.BytesIO(b"".join(line.line for line in lines)), path)
            match = replay_record(record, catalog.load_recorded_game)
        except (RecordError, RuleError, OSError) as error:
            self.blocked_reason = f"This match cannot be resumed: {error}"
            return
        self.recorder = DatabaseRecorder(
            self.store, number, read_checksum(lines[-1].line), len(lines), lines[-1].action
        )
        match.attach_recorder(self.recorder)
        self.set_match(match)
        self.action_number = lines[-1 - len(match.state.picks)].action
        for choice_count, (at, entry) in enumerate(iter_kept_choices(path, record.entries)):
            if match.get_action_number(choice_count + 1) > match.get_action_number(choice_count):
                name = entry.get("player", "")
                forced = lines[at - 1].thinking_time is None and name not in self.bots
                self.action_starts.append(("" if forced else name, choice_count))
        catalog.cache_version(self.game_version or GameVersion.from_game(match.game))

    def set_match(self, match: Match) -> None:
        self.match, self.game_version, self.decision_start = match, GameVersion.from_game(match.game), time.monotonic()
        self.action_starts, self.action_number, self.undo_request, self.blocked_reason = [], 0, None, ""
        self.seat_bots()

    def seat_bots(self) -> None:
        """Give each seat of a bot a new one. Its random stream is independent of the cards, unless the table has a
        seed."""
        seats = [(at, seat) for at, seat in enumerate(self.seats) if seat.kind in BOT_LABELS]
        self.bots = {
            seat.name: make_bot(
                seat.kind, randbits(64) if self.seed is None or self.match is None else self.match.seed * 100 + at, True
            )
            for at, seat in seats
        }
        self.pace = build_equal_response_time([seat.kind for _, seat in seats], self.bot_pause)

    # ------------------------------------------------------------ seats and matches
    @property
    def position_id(self) -> str:
        """Return an identifier of the position, changed by every complete action.

        Partial picks don't change it, because they are secret."""
        return (
            hash_position(self.store, self.recorder.match_number, self.action_number)
            if self.recorder is not None
            else "0:0"
        )

    @property
    def host_name(self) -> str | None:
        """Return the name of the host, or None if the host only watches."""
        return next((self.seats[link.seat].name for link in self.links if link.is_host and link.seat is not None), None)

    @property
    def people(self) -> set[str]:
        """Return the names of the seats without bots."""
        return {seat.name for seat in self.seats if seat.kind == PERSON}

    def find_missing_people(self) -> list[str]:
        return [seat.name for seat in self.seats if seat.kind == PERSON and not seat.has_joined]

    def seat_person(self, seat: int, name: str) -> None:
        """Seat a person under a name. Raise `RequestRefused` if the name is taken or the match has started."""
        if self.match is not None:
            raise RequestRefused("The match has started. You can no longer change your name.")
        chosen = parse_player_name(name)
        others = {other_seat.name.casefold() for at, other_seat in enumerate(self.seats) if at != seat}
        if chosen.casefold() in others:
            raise RequestRefused(f"{chosen} is already at this table. Choose another name.")
        self.update_seat(seat, evolve(self.seats[seat], name=chosen, has_joined=True))

    def update_seat(self, seat: int, stored: StoredSeat) -> None:
        self.store.update_seat(self.number, seat, stored)
        self.seats[seat] = stored

    def start_match(self, game_version: GameVersion) -> None:
        """Start a match with an edition. Raise `RequestRefused` if a match is in progress or the set-up fails."""
        if self.match is not None and not self.match.over and not self.blocked_reason:
            raise RequestRefused("The match is not over yet.")
        try:
            seed = None if self.seed is None else self.seed + len(self.store.list_matches())
            match = start(game_version.game, [seat.name for seat in self.seats], seed)
        except (ValueError, RuleError) as error:
            raise RequestRefused(str(error)) from error
        keeper = self.store.create_match(
            self.number, game_version.game.title, build_version_key(game_version), build_header(match)
        )
        self.recorder = keeper
        match.attach_recorder(keeper)
        self.set_match(match)

    def replace_player(self, seat: int, kind: str) -> None:
        """Replace a person with a bot, or give the seat back. Raise `RequestRefused` if that is impossible."""
        if kind not in (PERSON, *BOT_LABELS):
            raise RequestRefused("Unknown player.")
        if kind == PERSON and all(link.seat != seat for link in self.links):
            raise RequestRefused("This seat has always been a bot's, so it has no link.")
        self.update_seat(seat, evolve(self.seats[seat], kind=kind))
        self.undo_request = None
        self.seat_bots()

    # ------------------------------------------------------------ moves
    def require_match(self) -> Match:
        if self.match is None:
            raise RequestRefused("The match has not started.")
        if self.blocked_reason:
            raise RequestRefused(self.blocked_reason)
        return self.match

    def require_turn(self, name: str, position_id: str) -> Match:
        """Return the match if this player has the decision at this position, else raise `RequestRefused`."""
        match = self.require_match()
        if position_id != self.position_id:
            raise RequestRefused("The match has moved on.")
        if match.decision is None or match.decision.player != name:
            raise RequestRefused("It is not your turn.")
        return match

    def find_automatic_move(self) -> int | tuple[str, ...] | None:
        """Return the only answer of a single person against bots: a pass, any answer right after their own action, or
        the last card of a hand.

        With several people, its speed would reveal the hand. A player without opponents makes every move."""
        match = self.match
        if match is None or match.decision is None or {match.decision.player} != self.people or match.state.picks:
            return None
        if len(match.players) == 1:
            return None
        if match.state.legal == [DONE]:
            return 0
        continues = bool(self.action_starts) and self.action_starts[-1][0] in (match.decision.player, "")
        if not continues and not self.get_value_for_position(("last card",), lambda: is_last_card(match)):
            return None
        selection = build_selection_view(match, ())
        if selection is not None:
            return selection.completion or None
        return 0 if len(match.state.legal) == 1 else None

    def play_move(self, name: str, position_id: str, move: int | tuple[str, ...]) -> None:
        """Play a move, or confirm a selection by its refs. Raise `RequestRefused` with the reason if it is illegal.

        The move is saved to disk on return."""
        match = self.require_turn(name, position_id)
        before, forced = len(match.choices) - len(match.state.picks), self.find_automatic_move() is not None
        if self.recorder is not None:
            self.recorder.action_number += not match.state.picks
            timed = not forced and name not in self.bots
            self.recorder.thinking_time = round(time.monotonic() - self.decision_start, 3) if timed else None
            self.recorder.rule_line = find_decision_line(match)
        self.apply_move(match, name, move)
        if ("" if forced else name, before) not in self.action_starts[-1:]:
            self.action_starts.append(("" if forced else name, before))
        self.complete_action()
        self.undo_request = None
        self.decision_start = time.monotonic()
        if match.over and self.recorder is not None:
            with suppress(RecordingError):  # only a statistic for playtests, also derivable from the record
                self.store.end_match(self.recorder.match_number)

    def apply_edit(self, edit: StateEdit) -> None:
        """Change something outside the rules. Raise `RequestRefused` with the reason if that is impossible."""
        match = self.require_match()
        if self.recorder is not None:
            self.recorder.action_number += 1
        try:
            match.apply_edit(edit)
        except RuleError as error:
            raise RequestRefused(error.message) from error
        except RecordingError:
            raise
        except Exception:
            match.rewind_to(len(match.choices))  # don't leave half a change after a bug in cardlang
            raise
        self.complete_action()
        self.undo_request = None

    def apply_move(self, match: Match, name: str, move: int | tuple[str, ...]) -> None:
        try:
            if isinstance(move, int):
                match.choose(move)
            else:
                match.confirm(name, move)
        except MoveError as error:
            raise RequestRefused(error.message) from error
        except RecordingError as error:
            if name in self.bots:
                raise NotSavedError(error, f"{name}'s move") from error
            raise
        except RuleError as error:
            self.blocked_reason = f"Line {error.span.line} of the rules failed: {error.message}"
            raise RequestRefused(self.blocked_reason) from error
        except Exception:
            match.rewind_to(len(match.choices))  # don't leave half a move after a bug in cardlang
            raise

    def complete_action(self) -> None:
        """Advance to the next position after a saved action, unless a choice of several is in progress."""
        if self.recorder is not None and self.match is not None and not self.match.state.picks:
            self.action_number = self.recorder.action_number

    def get_value_for_position(self, key: tuple[object, ...], compute: Callable[[], Value]) -> Value:
        """Return a value for the current position, computed once for all connections and requests."""
        now = (self.recorder.match_number, self.recorder.line_count) if self.recorder is not None else (0, 0)
        if self.position_cache[0] != now:
            self.position_cache = now, {}
        if key not in self.position_cache[1]:
            self.position_cache[1][key] = compute()
        value: Value = self.position_cache[1][key]
        return value

    # ------------------------------------------------------------ undo
    def describe_last_action(self, name: str) -> LastAction:
        """Return a player's last action. Raise `RequestRefused` if there is none."""
        match = self.require_match()
        kept = match.get_action_number(self.count_choices_before_last(name))
        done = (event for event in match.view(name).events if event.at > kept and event.who == name)
        text = next((event.line.write_for(name) for event in done if event.line and event.kind in ACTIONS), "")
        new_results = (
            result
            for result in match.table(name).moments
            if result.kind == "end" or any(event.at > kept for event in result.events)
        )
        shown = (each.headline for each in new_results if each.kind != "trick" and (each.rows or each.hands))
        result = next(shown, "")
        return LastAction(text, result)

    def find_last_action_number(self, name: str | None) -> int:
        """Return the number of a player's last action, as in `EventView.at`, or 0 if there is none."""
        choice_count = next((count for who, count in reversed(self.action_starts) if who == name), None)
        return 0 if choice_count is None or self.match is None else self.match.get_action_number(choice_count + 1)

    def count_choices_before_last(self, name: str) -> int:
        """Return the number of choices before a player's last action. Raise `RequestRefused` if there is none."""
        choice_count = next((count for who, count in reversed(self.action_starts) if who == name), None)
        if choice_count is None:
            raise RequestRefused("You have nothing to undo.")
        return choice_count

    def request_undo(self, name: str, connected: set[str], action: str, undo: UndoCheck) -> bool:
        """Undo a player's last action, or request the consent of the others. Return whether it is undone.

        Consent is needed if the action concerns others. `connected`: connected players. `action`: description of the
        action. `undo`: result of `check_undo`. Raise `RequestRefused` if that is impossible."""
        if self.undo_request is not None and self.undo_request.player != name:
            raise RequestRefused(f"{self.undo_request.player} has asked to undo a move. Answer that first.")
        others = (self.people & connected) - {name} if undo.agreement_reason else set()
        if undo.agreement_reason and not others:
            raise RequestRefused(f"{undo.why_not} No other player is here to agree.")
        if others:
            self.undo_request = UndoRequest(name, undo.kept_choices, action, others, f"{undo.agreement_reason}.")
            return False
        self.rewind_to(undo.kept_choices)
        return True

    def check_undo(self, name: str) -> UndoCheck:
        """Return the conditions for the undo of a player's last action. Raise `RequestRefused` if it is impossible."""
        match, kept_choices = self.require_match(), self.count_choices_before_last(name)
        undo = self.get_value_for_position(
            ("undo", name, frozenset(self.bots)), lambda: check_undo(match, kept_choices, name, self.bots)
        )
        if undo.obstacle:
            raise RequestRefused(undo.why_not)
        return undo

    def can_undo(self, name: str) -> bool:
        """Return whether a player may ask to undo their last action.

        Only for a single person is it known: the check is too expensive for every message of a table with several."""
        if self.people != {name}:
            return self.find_last_action_number(name) > 0
        try:
            return not self.check_undo(name).agreement_reason
        except RequestRefused:
            return False

    def answer_undo_request(self, name: str, agrees: bool) -> bool:
        """Answer an undo request, or withdraw it if it is the player's own. Return whether it was granted now."""
        if self.undo_request is not None and name == self.undo_request.player and not agrees:
            self.undo_request = None
            return False
        if self.undo_request is None or name not in self.undo_request.unanswered:
            raise RequestRefused("You have nothing to answer.")
        if not agrees:
            self.undo_request = None
            return False
        self.undo_request.unanswered.discard(name)
        if self.undo_request.unanswered:
            return False
        self.rewind_to(self.undo_request.kept_choices)
        return True

    def rewind_to(self, choice_count: int) -> None:
        match = self.require_match()
        if self.recorder is not None:
            self.recorder.action_number += 1
        match.undo_choices(len(match.choices) - choice_count)
        self.complete_action()
        self.action_starts = [(who, count) for who, count in self.action_starts if count < choice_count]
        self.undo_request = None
        self.undo_count += 1
        self.decision_start = time.monotonic()

    @property
    def game(self) -> Game | None:
        return self.match.game if self.match is not None else None


def is_last_card(match: Match) -> bool:
    """Return whether the only legal move is the only card in the player's hand."""
    if match.decision is None or len(match.state.legal) != 1:
        return False
    table = match.table(match.decision.player)
    hand = [card.ref for pile in table.places[0].piles if pile.form == "hand" for card in pile.cards]
    actions = table.ask.actions if table.ask is not None else ()
    return len(hand) == 1 and any(hand[0] in action.touches for action in actions)


def find_decision_line(match: Match) -> int:
    """Return the line of the rule that asks for the current decision, or 0 if it is in a library."""
    span = find_decision_span(match.program.get_site(match.state))
    return span.line if span.source == match.game.sources[0] else 0


def hash_position(store: Store, match: int, action: int) -> str:
    """Return an opaque identifier of the position after a number of actions.

    It reveals the match but not the number of actions, because it is a keyed hash."""
    key = store.lobby_secret.encode()[:64]
    return f"{match}:{blake2b(f'{match}:{action}'.encode(), key=key, digest_size=9).hexdigest()}"
