"""What a message from a browser may say, read with suspicion."""

from __future__ import annotations

import json
from collections.abc import Mapping

from attrs import frozen

from cardlang.plain_text import UNSEEN, harmless
from interpreter.errors import RecordingError

MOST_REFS = 200
"""So many cards are named in one message at most."""
LONGEST_REF = 300
"""So many characters has the name of a card, pile or player at most."""


class Refused(Exception):
    """Something that is not done, with the reason for whoever asked for it."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Unkept(Refused):
    """Something that is not done as it could not be kept: the disk is full."""

    def __init__(self, error: RecordingError, what: str = "This") -> None:
        super().__init__(f"{what} could not be saved and has no effect: {error.reason}.")


@frozen
class Message:
    """A message: an object of JSON whose values are looked at one by one. Each method raises Refused."""

    data: Mapping[str, object]

    @staticmethod
    def read(text: str | bytes) -> Message:
        try:
            data = json.loads(text)
            json.dumps(data, ensure_ascii=False).encode()  # no halves of characters: nobody could be told of them
        except (ValueError, RecursionError):
            raise Refused("This is not a valid message.") from None
        if not isinstance(data, dict):
            raise Refused("This is not a valid message.")
        return Message(data)

    def text(self, key: str, most: int = 100) -> str:
        """A text on one line, without characters that nobody sees; empty if it is missing."""
        value = self.data.get(key, "")
        if not isinstance(value, str) or len(value) > most:
            raise Refused(f"{key} must be text of at most {most} characters.")
        return harmless(value)

    def exact(self, key: str, most: int = 100) -> str:
        """A text as it is, which names something that the server has told of."""
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
        """Names of cards and the like, each once."""
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
    """A name that can stand in a match. Raises Refused."""
    name = " ".join(text.split())
    if not name or len(name) > 24 or set(name) & set("[](),:#") or UNSEEN.search(name):
        raise Refused("A name has 1 to 24 characters, without brackets, commas, colons or #.")
    return name
