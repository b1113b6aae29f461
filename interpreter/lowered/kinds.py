"""Define the types of IR values, and the encoding of absent ones."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from interpreter.state import ABSENT, NO_NUMBER

Tag = Literal[
    "number", "flag", "card", "seat", "member", "text", "reading", "probe", "list", "key", "pair", "answers", "nothing"
]


@frozen
class Kind:
    """Type of a value.

    - `number` (stored multiplied by `scale`), `flag`, `card`, `seat`, `member`: integers
    - `text`: a string
    - `list`: of `item`
    - `key`: a sort key of `width` numbers or lists (0: unknown)
    - `pair`: a key and an `item`
    - `reading`: of a hand; `probe`: a reading while its ties are evaluated
    - `answers`: the choices made so far in a simultaneous choice"""

    tag: Tag
    item: Kind | None = None
    scale: int = 1
    width: int = 0

    @property
    def is_cards(self) -> bool:
        """Return whether this is a card or a list of cards."""
        return self.tag == "card" or (self.item is not None and self.item.tag == "card")


NUMBER, FLAG, CARD, SEAT, MEMBER = Kind("number"), Kind("flag"), Kind("card"), Kind("seat"), Kind("member")
TEXT, READING, PROBE, ANSWERS, NOTHING = Kind("text"), Kind("reading"), Kind("probe"), Kind("answers"), Kind("nothing")


def list_of(item: Kind) -> Kind:
    return Kind("list", item)


def number(scale: int) -> Kind:
    return Kind("number", scale=scale)


def absent(kind: Kind) -> int | str | tuple[int, ...] | None:
    """Return the encoding of an absent value of a kind."""
    match kind.tag:
        case "number":
            return NO_NUMBER
        case "flag":
            return 0
        case "list":
            return ()
        case "reading":
            return None
        case "text":
            return ""
    return ABSENT
