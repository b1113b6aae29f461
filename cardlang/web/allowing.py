"""What a host allows once, at a playtest: read from a message, done, noted in the log and in the record."""

from __future__ import annotations

from cardlang.web.message import Message, Refused
from cardlang.web.sitting import Sitting
from interpreter.errors import RecordingError, RuleError
from interpreter.matches.allowing import CardMoved, Change, TrackSet

LONGEST = 200
"""So many characters has a host's word on it."""


def allow(sitting: Sitting, message: Message) -> None:
    """`what`: `back` (the last thing that a player did, and all since), `card`, `track` or `note`. Raises Refused."""
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
        match.rewind(len(match.choices))  # a fault of ours must not leave half of it
        raise
    sitting.complete()
    sitting.wish = None


def take_back(sitting: Sitting, who: str, note: str) -> None:
    """Takes back what a player did last, and whatever was done since, without asking anybody."""
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
    raise Refused("Choose what to override.")
