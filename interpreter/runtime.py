"""What the blocks of a compiled game need beside values and moves: frames, ends, rules that cannot be carried out."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from cardlang.source import Span
from interpreter.errors import RuleError
from interpreter.state import ABSENT, State

Value = TypeVar("Value")
FUEL = 200_000
"""Steps of loops and calls between two decisions before a rule counts as one that never ends."""
MAX_FRAMES = 100


class Finish(Exception):
    """A step that never stops finishes a step around it."""

    def __init__(self, step: str) -> None:
        self.step = step


def finishes(step: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """For a function that calls others that may finish it."""

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
        raise RuleError(span, f"This goes {MAX_FRAMES} deep: effects and reactions that run each other without end.")
    s.frames.append(frame)


def endless(span: Span) -> NoReturn:
    raise RuleError(span, f"This comes to no decision within {FUEL:,} steps.")


def present(value: Value, absent: object, span: Span, somebody: bool) -> Value:
    """A value that must be there. Raises RuleError, naming it as the file does, if it is absent."""
    if value != absent:
        return value
    what = " ".join(span.text.split())
    no, one = ("nobody", "somebody") if somebody else ("nothing", "something")
    advice = f"See to it that there is {one}, or ask first: `if {what} != {no}`."
    raise RuleError(span, f"`{what}` is {no} here, and {one} is needed. {advice}")
