"""Events of a match: as recorded, and as one observer sees them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, NamedTuple

from attrs import field, frozen

from cardlang.diagnostics import Span
from interpreter.hands.hand_evaluator import HandReading
from interpreter.narration.event_phrases import Line

ChangeValue = int | Fraction | bool | str | None


class LogLine(str):
    """A line of the log, with the position of its rule."""

    __slots__ = ("span",)
    span: Span | None

    @classmethod
    def create(cls, text: str, span: Span | None) -> LogLine:
        line = cls(text)
        line.span = span
        return line


@frozen
class ValueChange:
    """A change of a number, flag, player or value of a kind, with its name, owner and second owner.

    `before` and `after` are an exact number, a bool for a flag, a name otherwise, or None if absent.
    """

    name: str
    owner: str | None
    before: ChangeValue
    after: ChangeValue
    second: str | None = None


@frozen
class ReadingView:
    """A hand ranking of some cards, shown to every player who may know it.

    - `ranking`: name of the ranking.
    - `text`: the title with the values of the cards that count.
    - `cards`, `rest`: codes of the cards that count, and of the others.
    - `strength`: numbers that compare hands. The first is the rank, and higher is better.
    - `wild`: wild cards, each with the code of the card it counts as; empty if several are possible.
    """

    ranking: str
    title: str
    cards: tuple[str, ...]
    rest: tuple[str, ...]
    strength: tuple[int, ...]
    text: str = ""
    wild: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_reading(
        cls, ranking: str, reading: HandReading, code: tuple[str, ...], faces: tuple[str, ...], text: str
    ) -> ReadingView:
        """Build the view of a reading. `code`: codes by card. `faces`: codes by face."""
        used, rest = ([code[card] for card in cards] for cards in (reading.used, reading.rest))
        shown = ["" if face is None else faces[face] for face in reading.shown or ()]
        wild = tuple((card, other) for card, other in zip(used, shown, strict=False) if card != other)
        return cls(ranking, reading.title, tuple(used), tuple(rest), reading.strength, text, wild)


@frozen
class EventView:
    """An event of a match as one observer saw it.

    - `kind`: chose, moved, revealed, set, eliminated, step, shuffled, told, announced, cancelled, lapsed or
      ended.
    - `line`: its line in the log; empty if it has none.
    - `at`: number of the action that caused it, from 1; 0 before the first. A choice of several cards is one action.
    - `who`: the player who acts or is affected.
    - `name`: the verb of a move, or the step.
    - `cards`: codes of the cards that the observer can identify. `hidden`: number of other cards.
    - `source`, `to`: refs of piles; empty if there are several or none.
    - `readings`: hand rankings that a sentence reports.
    """

    kind: str
    line: Line
    span: Span | None = field(eq=False)
    at: int
    who: str | None = None
    name: str = ""
    cards: tuple[str, ...] = ()
    hidden: int = 0
    source: str = ""
    to: str = ""
    change: ValueChange | None = None
    readings: tuple[ReadingView, ...] = ()

    @property
    def text(self) -> str:
        """The line in the third person."""
        return self.line.text


def write_log(events: Iterable[EventView]) -> tuple[LogLine, ...]:
    """Return the lines of the events that have one."""
    return tuple(LogLine.create(event.text, event.span) for event in events if event.line)


class RecordedEvent(NamedTuple):
    """A recorded event, before it is worded.

    - `data`: fields of the event after its span.
    - `piles`: previous piles of its cards.
    - `wordings`: for a choice, its wording for each seat, the spectator and the referee.
    - `at`: number of choices since the match or sample began.
    - `choosing_seat`: for a move of cards, the seat whose choice of cards it carries out.
    - `neighbour`: for a move next to a card, that card, 1 for on or 0 for under, and the seats that can name it.
    """

    kind: str
    span: Span
    data: tuple[Any, ...]
    piles: tuple[int, ...] = ()
    wordings: tuple[Line, ...] = ()
    at: int = 0
    choosing_seat: int | None = None
    neighbour: tuple[int, int, int] | None = None
