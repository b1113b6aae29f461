"""Host overrides at a playtest: changes outside the rules, read from a message, applied, and noted in log and
record."""

from __future__ import annotations

from cardlang.web.message import Message, Refused
from cardlang.web.sitting import Sitting
from interpreter.errors import RecordingError, RuleError
from interpreter.matches.allowing import CardMoved, Change, TrackSet

LONGEST = 200
"""Maximum length of the host's note, in characters."""


def allow(sitting: Sitting, message: Message) -> None:
    """Apply a host override.

    `what` in the message: `back` (undo a player's last action and everything since), `card`, `track` or `note`. Raise
    `Refused` if it is impossible, and `RecordingError` if it can't be saved."""
    match = sitting.playing()
    if message.exact("at") != sitting.at:
        raise Refused("The match has moved on. Please look again.")
    note = message.text("note", LONGEST)
    what = message.exact("what")
    if what == "back":
        take_back(sitting, message.exact("who"), note)
        return
    change = change_in(message, what, note)
    if sitting.keeper is not None:
        sitting.keeper.action += 1
    try:
        match.allow(change)
    except RuleError as error:
        raise Refused(error.message) from error
    except RecordingError:
        raise
    except Exception:
        match.rewind(len(match.choices))  # don't leave half a change after a bug in cardlang
        raise
    sitting.complete()
    sitting.wish = None


def take_back(sitting: Sitting, who: str, note: str) -> None:
    """Undo a player's last action and everything since, without asking other players.

    Raise `Refused` if there is none."""
    kept = next((count for name, count in reversed(sitting.begun) if name == who), None)
    if kept is None:
        raise Refused(f"{who or 'This player'} has nothing to undo.")
    sitting.take_back(kept)
    sitting.playing().allow(Change(f"{who} undoes a move. {note}".strip()))


def change_in(message: Message, what: str, note: str) -> Change:
    if what == "card":
        return CardMoved(note, message.exact("card", 300), message.exact("to", 300))
    if what == "track":
        return TrackSet(note, message.exact("track"), message.exact("of") or None, message.text("value", 60))
    if what == "note" and note:
        return Change(note)
    raise Refused("Choose what to fix.")
