"""What the values of a lowered program are. Its Python text does not say; it is found by translating until nothing new
is learned."""

from __future__ import annotations

from attrs import Factory, define, frozen

NUMBER, LIST, EMPTY, READING, PROBE, UNKNOWN = "number", "list", "empty", "reading", "probe", "unknown"
ANSWERS = "answers"
"""EMPTY: a list of nothing yet. ANSWERS: what each of several chose, one after another: who, how many cards, which.
Lists of pairs are `pairs N`, one of them `entry N`: N numbers to compare by, an item."""
C_TYPES = {NUMBER: "i64", UNKNOWN: "i64", LIST: "L", EMPTY: "L", READING: "const Reading *", PROBE: "const Probe *"}
Place = tuple[str | int, ...]
"""A variable, slot, parameter or result of the program."""


class NoC(Exception):
    """A form of the lowered program that this translation does not know; the message names it."""


@frozen
class Value:
    """A C expression and what it is."""

    code: str
    kind: str


def c_type(kind: str) -> str:
    return "const i64 *" if kind.startswith("entry") else C_TYPES.get(kind, "L")


def is_list(kind: str) -> bool:
    return kind in (LIST, EMPTY, ANSWERS) or kind.startswith("pairs")


def width(kind: str) -> int:
    """How many numbers pairs compare by."""
    return int(kind.split()[1])


def joined(one: str, other: str) -> str:
    """The kind of what is sometimes the one, sometimes the other."""
    if one == other or other == UNKNOWN or (other == EMPTY and is_list(one)):
        return one
    if one == UNKNOWN or (one == EMPTY and is_list(other)):
        return other
    raise NoC(f"a variable that is {one} and {other}")


@define
class Kinds:
    """All that is known. `settled`: nothing was learned since this was set."""

    known: dict[Place, str] = Factory(dict)
    settled: bool = True

    def of(self, *place: str | int) -> str:
        return self.known.get(place, UNKNOWN)

    def learn(self, kind: str, *place: str | int) -> str:
        before = self.of(*place)
        now = joined(before, kind)
        if now != before:
            self.known[place] = now
            self.settled = False
        return now
