"""What the blocks of a compiled game need beside values and moves: frames, ends, rules that cannot be carried out."""

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
    advice = " Nobody could pass in it: write `you may …` for a choice." if "until you pass" in first_line(span) else ""
    raise RuleError(span, f"This comes to no decision within {FUEL:,} steps.{advice}")


def first_line(span: Span) -> str:
    return span.text.split("\n", 1)[0]


def set_lines(game: g.Game) -> dict[str, int]:
    """For each number, flag, player or member of the table the first line that sets it to something."""
    lines: dict[str, int] = {}
    for part in sorted((each for each in everything(game) if isinstance(each, g.SetTrack)), key=lambda p: p.span.start):
        if part.of is None and part.span.source is game.sources[0] and part.value.type.tag != "nothing":
            lines.setdefault(part.track, part.span.line)
    return lines


def present(value: Value, absent: object, span: Span, somebody: bool, set_in: Mapping[str, int]) -> Value:
    """A value that must be there. Raises RuleError, naming it as the file does, if it is absent. `set_in`: of what is
    named by one word, the line that sets it."""
    if value != absent:
        return value
    what = " ".join(span.text.split())
    no, one = ("nobody", "somebody") if somebody else ("nothing", "something")
    advice = f"See to it that there is {one}, or ask first: `if {what} != {no}`."
    if what in set_in:
        advice = f"Line {set_in[what]} sets it: see to it that this comes first."
    raise RuleError(span, f"`{what}` is {no} here, and {one} is needed. {advice}")
