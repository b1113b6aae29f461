"""Provide the runtime of compiled blocks: frames, ends of steps, and rule errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn, TypeVar

from cardlang import game as g
from cardlang.game.walking import everything
from cardlang.source import Span
from interpreter.errors import RuleError
from interpreter.state import ABSENT, State

Value = TypeVar("Value")
FUEL = 200_000
"""Step limit: steps of loops and calls between two decisions before a rule counts as endless."""
MAX_FRAMES = 100


class Finish(Exception):
    """Signal that a function finishes an enclosing step."""

    def __init__(self, step: str) -> None:
        self.step = step


def finishes(step: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a function that calls others that may finish it."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        def run(*args: object) -> None:
            try:
                function(*args)
            except Finish as finish:
                if finish.step != step:
                    raise

        return run

    return decorate


def over(s: State) -> int:
    s.frames, s.who, s.legal = [], ABSENT, []
    if s.events is not None:
        s.events.append(("ended", None))
    return -1


def push(s: State, frame: list[object], span: Span) -> None:
    if len(s.frames) >= MAX_FRAMES:
        raise RuleError(span, f"Effects and reactions run each other here, more than {MAX_FRAMES} deep.")
    s.frames.append(frame)


def endless(span: Span) -> NoReturn:
    advice = (
        " No player could pass in this loop. Write `you may …` for a choice."
        if "until you pass" in first_line(span)
        else ""
    )
    raise RuleError(span, f"This has hit the limit of {FUEL:,} steps without a decision.{advice}")


def first_line(span: Span) -> str:
    return span.text.split("\n", 1)[0]


def set_lines(game: g.Game) -> dict[str, int]:
    """Return, for each number, flag, player or member of the table, the first line that sets it."""
    lines: dict[str, int] = {}
    for part in sorted((each for each in everything(game) if isinstance(each, g.SetTrack)), key=lambda p: p.span.start):
        if part.of is None and part.span.source is game.sources[0] and part.value.type.tag != "nothing":
            lines.setdefault(part.track, part.span.line)
    return lines


def present(value: Value, absent: object, span: Span, somebody: bool, set_in: Mapping[str, int]) -> Value:
    """Return a value that must be present. Raise a `RuleError` that quotes the source if it is absent.

    set_in: for values named by one word, the line that sets them."""
    if value != absent:
        return value
    what = " ".join(span.text.split())
    no = "nobody" if somebody else "nothing"
    advice = f"Set it first, or test it with `if {what} != {no}`."
    if what in set_in:
        advice = f"Line {set_in[what]} sets it. Make sure that this line runs first."
    raise RuleError(span, f"`{what}` is {no} here. {advice}")
