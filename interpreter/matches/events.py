"""What happened, as one onlooker saw it: events with the words of the log and what they are about."""

from __future__ import annotations

from fractions import Fraction

from attrs import field, frozen

from cardlang.source import Span
from interpreter.ranking.reader import Reading

Value = int | Fraction | bool | str | None


class Line(str):
    """A line of the log, with the place of the rule that it tells of."""

    __slots__ = ("span",)
    span: Span | None

    @classmethod
    def of(cls, text: str, span: Span | None) -> Line:
        line = cls(text)
        line.span = span
        return line


@frozen
class Change:
    """A number, flag, player or member that was set: its name and whose it is. `before`, `after`: a number exactly, a
    flag as a bool, else a name, None if absent."""

    name: str
    owner: str | None
    before: Value
    after: Value


@frozen
class ReadingView:
    """Cards as a ranking reads them, told to everybody who may know it. `text`: the title with the values of the cards
    that count; `cards`, `rest`: codes of those that count and
    of the others; `strength`: numbers, the first of which is the rank; higher is better. `ranking`: its name. `wild`:
    each card that counts as another, with the code of that one, empty if it may be several."""

    ranking: str
    title: str
    cards: tuple[str, ...]
    rest: tuple[str, ...]
    strength: tuple[int, ...]
    text: str = ""
    wild: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(
        cls, ranking: str, reading: Reading, code: tuple[str, ...], faces: tuple[str, ...], text: str
    ) -> ReadingView:
        """`code`: by card; `faces`: the codes by face."""
        used, rest = ([code[card] for card in cards] for cards in (reading.used, reading.rest))
        shown = ["" if face is None else faces[face] for face in reading.shown or ()]
        wild = tuple((card, other) for card, other in zip(used, shown, strict=False) if card != other)
        return cls(ranking, reading.title, tuple(used), tuple(rest), reading.strength, text, wild)


@frozen
class EventView:
    """`kind`: chose, moved, revealed, set, eliminated, step, shuffled, told, cancelled, lapsed, ended. `text`: its line
    in the log, empty if it has none there. `at`: the number of the deed that led to it, 1 for the first of the match;
    a choice of several is one deed, however many are picked; 0 for what comes before the first. `who`: the player
    whose doing it is, or whom it befalls. `name`: the verb of a move, the step. `cards`: the codes of those that
    the onlooker can tell; `hidden`: how many more. `source`, `to`: refs of piles, empty where there are several or
    none. `readings`: what a sentence tells of hands."""

    kind: str
    text: str
    span: Span | None = field(eq=False)
    at: int
    who: str | None = None
    name: str = ""
    cards: tuple[str, ...] = ()
    hidden: int = 0
    source: str = ""
    to: str = ""
    change: Change | None = None
    readings: tuple[ReadingView, ...] = ()
    ahead: bool = False
    """A step that the log announces."""
