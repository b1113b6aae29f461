"""Check of `random` in expressions that are evaluated repeatedly, with a new draw each time."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import everything, is_random, values, walk
from cardlang.source import Diagnostic

REMEMBER = "`remember random of … as drawn`"


def check_chance(game: g.Game) -> Iterator[Diagnostic]:
    starts = {id(track.start) for track in game.tracks.values()}
    for value in values(game):
        if id(value) not in starts:
            hint = (
                f"draw in a step, with {REMEMBER}, or once at the start, with `player NAME starts at random of players`"
            )
            yield from draws(value, "here", hint)
    for part in everything(game):
        hint = f"draw before the choice, with {REMEMBER}, and write `drawn` here"
        yield from draws(asked_in(part), "in a choice", hint)
        if isinstance(part, g.Property):
            yield from draws(part.condition, "in an `expect`", f"draw before the `expect`, with {REMEMBER}")


def draws(value: object, where: str, hint: str) -> Iterator[Diagnostic]:
    """Report every `random` in a value that may be evaluated any number of times."""
    for part in walk((value,)):
        if is_random(part):
            message = f"`random` cannot be used {where}, because it would draw again each time"
            yield Diagnostic("E313", message, part.span, hint)


def asked_in(part: object) -> object:
    """Return the values of a choice that determine the legal moves."""
    match part:
        case g.Option(binders=binders, when=when, costs=costs):
            prices = tuple(amount for amount, _, _ in costs)
            return tuple(domain for _, domain in binders), tuple(each for each, _ in when), prices
        case g.Choose(domain=domain, provided=provided, low=low, high=high):
            return domain, provided, low, high
        case g.Pick(settled=False, source=source, low=low, high=high):
            return source, low, high
    return ()
