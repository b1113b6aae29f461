"""Checks of endless loops, and of choices without a legal option."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.steps import triggered
from cardlang.game.walking import bodies, bodies_done, may_pass, steps_done, walk
from cardlang.source import Diagnostic, Span


def check_repeats(game: g.Game) -> Iterator[Diagnostic]:
    for body in bodies(game):
        for part in walk(body):
            if isinstance(part, g.Repeat) and part.until is None and not part.until_pass and not ends(game, part):
                yield Diagnostic(
                    "W404",
                    "nothing ever ends this `repeat`",
                    part.span,
                    "write `repeat until …`, or put a `finish` inside the loop",
                    warning=True,
                )


def check_passing(game: g.Game) -> Iterator[Diagnostic]:
    """Report each `repeat until you pass` in which no player can pass."""
    for part in (part for body in bodies(game) for part in walk(body)):
        if isinstance(part, g.Repeat) and part.until_pass and not ends(game, part) and not may_pass(game, part.body):
            yield Diagnostic(
                "W404",
                "no player can pass in this `repeat`, so it never ends",
                part.span,
                "write `you may …` for a choice that a player can pass, or end the loop with `repeat until …`",
                tuple((each, "passing here does not end the loop") for each in passed_elsewhere(game, part)[:1]),
                warning=True,
            )


def passed_elsewhere(game: g.Game, repeat: g.Repeat) -> list[Span]:
    """Return the spans of optional choices in a loop. Passing there doesn't end the loop."""
    inside = [each for body in bodies_done(game, repeat.body) for each in walk(body)]
    return [each.span for each in inside if isinstance(each, g.Pick | g.Choose | g.Menu) and each.may]


def ends(game: g.Game, repeat: g.Repeat) -> bool:
    """Return whether a loop may end early.

    It ends by a `finish` of a step that doesn't run within the loop, or by eliminating a player, directly or in
    triggers."""
    inside = steps_done(game, repeat.body)
    for body in (*bodies_done(game, repeat.body), *triggered(game)):
        for part in walk(body):
            if isinstance(part, g.Eliminate) or (isinstance(part, g.Finish) and part.step not in inside):
                return True
    return False


def check_menus(game: g.Game) -> Iterator[Diagnostic]:
    for body in bodies(game):
        for part in walk(body):
            if isinstance(part, g.Menu | g.Offer) and all(closed(option) for option in part.options):
                yield Diagnostic(
                    "W405",
                    "no player can ever take any of these options",
                    part.span,
                    "change the conditions or costs, so that at least one option is legal",
                    tuple((option.span, "never legal") for option in part.options),
                    warning=True,
                )


def closed(option: g.Option) -> bool:
    """Return whether an option is certainly illegal: it has a condition `no` or an empty range."""
    if any(isinstance(condition, g.Const) and not condition.value for condition, _ in option.when):
        return True
    for _, domain in option.binders:
        match domain:
            case g.Domain(low=g.Const(value=int() as low), high=g.Const(value=int() as high)) if low > high:
                return True
    return False
