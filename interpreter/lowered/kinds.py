"""What the values of a lowered program are, and how an absent one is written."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from interpreter.state import ABSENT, NO_NUMBER

Tag = Literal[
    "number", "flag", "card", "seat", "member", "text", "reading", "probe", "list", "key", "pair", "answers", "nothing"
]


@frozen
class Kind:
    """`number` (kept as `scale` times its value), `flag`, `card`, `seat` and `member` are whole numbers, a `text` is a
    text; `list`: of `item`; `key`: what things compare by, `width` numbers or lists one after another (0: not known
    beforehand); `pair`: a key and an `item`; `reading` of a hand, `probe` while its ties are judged; `answers`: what
    those who choose together have chosen so far."""

    tag: Tag
    item: Kind | None = None
    scale: int = 1
    width: int = 0

    @property
    def is_cards(self) -> bool:
        """A card, or a list of cards."""
        return self.tag == "card" or (self.item is not None and self.item.tag == "card")


NUMBER, FLAG, CARD, SEAT, MEMBER = Kind("number"), Kind("flag"), Kind("card"), Kind("seat"), Kind("member")
TEXT, READING, PROBE, ANSWERS, NOTHING = Kind("text"), Kind("reading"), Kind("probe"), Kind("answers"), Kind("nothing")


def list_of(item: Kind) -> Kind:
    return Kind("list", item)


def number(scale: int) -> Kind:
    return Kind("number", scale=scale)


def absent(kind: Kind) -> int | str | tuple[int, ...] | None:
    """The mark of an absent value of a kind."""
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
