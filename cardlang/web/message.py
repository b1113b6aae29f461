"""Validation of messages from browsers. All input is untrusted."""

from __future__ import annotations

import json
from collections.abc import Mapping

from attrs import frozen

from cardlang.plain_text import UNSEEN, harmless
from interpreter.errors import RecordingError

MOST_REFS = 200
"""Maximum number of refs in a message."""
LONGEST_REF = 300
"""Maximum length of the ref of a card, pile or player, in characters."""


class Refused(Exception):
    """Error for a rejected request, with the reason for the sender."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Unkept(Refused):
    """Error for an action that was cancelled because it could not be saved, for example on a full disk."""

    def __init__(self, error: RecordingError, what: str = "This") -> None:
        super().__init__(f"{what} could not be saved and has no effect: {error.reason}.")


@frozen
class Message:
    """Message as a JSON object with validated accessors. Each method raises `Refused` for an invalid value."""

    data: Mapping[str, object]

    @staticmethod
    def read(text: str | bytes) -> Message:
        try:
            data = json.loads(text)
            json.dumps(data, ensure_ascii=False).encode()  # reject lone surrogates: they can't be encoded in a reply
        except (ValueError, RecursionError):
            raise Refused("This is not a valid message.") from None
        if not isinstance(data, dict):
            raise Refused("This is not a valid message.")
        return Message(data)

    def text(self, key: str, most: int = 100) -> str:
        """Return a one-line string without invisible characters, or an empty string if it is missing."""
        value = self.data.get(key, "")
        if not isinstance(value, str) or len(value) > most:
            raise Refused(f"{key} must be text of at most {most} characters.")
        return harmless(value)

    def exact(self, key: str, most: int = 100) -> str:
        """Return a string unchanged. Use it for identifiers issued by the server."""
        value = self.data.get(key, "")
        if not isinstance(value, str) or len(value) > most:
            raise Refused(f"{key} must be text of at most {most} characters.")
        return value

    def number(self, key: str, low: int = 0, high: int = 1_000_000) -> int:
        value = self.data.get(key)
        if type(value) is not int or not low <= value <= high:
            raise Refused(f"{key} must be a number from {low} to {high}.")
        return value

    def flag(self, key: str) -> bool:
        return self.data.get(key) is True

    def refs(self, key: str) -> tuple[str, ...]:
        """Return refs of cards and the like, without duplicates."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or len(value) > MOST_REFS:
            raise Refused(f"{key} must be a list of at most {MOST_REFS} names.")
        if not all(isinstance(each, str) and len(each) <= LONGEST_REF for each in value):
            raise Refused(f"{key} must be a list of names.")
        return tuple(dict.fromkeys(value))

    def objects(self, key: str, most: int) -> list[Message]:
        value = self.data.get(key, [])
        if not isinstance(value, list) or len(value) > most or not all(isinstance(each, dict) for each in value):
            raise Refused(f"{key} must be a list of at most {most} objects.")
        return [Message(each) for each in value]


def person_name(text: str) -> str:
    """Return a valid player name. Raise `Refused` for any other string."""
    name = " ".join(text.split())
    if not name or len(name) > 24 or set(name) & set("[](),:#") or UNSEEN.search(name):
        raise Refused("A name has 1 to 24 characters, without brackets, commas, colons or #.")
    return name
