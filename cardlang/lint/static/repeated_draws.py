"""Lint rule for random draws in an expression that is evaluated repeatedly."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.diagnostics import Diagnostic
from cardlang.model.traversal import collect_all_nodes, is_random_draw, iter_declaration_expressions, walk

REMEMBER_EXAMPLE = "`remember random of … as drawn`"


def check_repeated_draws(game: g.Game) -> Iterator[Diagnostic]:
    starts = {id(track.start) for track in game.tracks.values()}
    for value in iter_declaration_expressions(game):
        if id(value) not in starts:
            hint = (
                f"draw in a step, with {REMEMBER_EXAMPLE}, or once at the start, with `player NAME starts at "
                f"random of players`"
            )
            yield from find_random_draws(value, "here", hint)
    for part in collect_all_nodes(game):
        hint = f"draw before the choice, with {REMEMBER_EXAMPLE}, and write `drawn` here"
        yield from find_random_draws(get_choice_values(part), "in a choice", hint)
        if isinstance(part, g.Property):
            yield from find_random_draws(
                part.condition, "in an `expect`", f"draw before the `expect`, with {REMEMBER_EXAMPLE}"
            )


def find_random_draws(value: object, location: str, hint: str) -> Iterator[Diagnostic]:
    """Report every `random` in a value that may be evaluated any number of times."""
    for part in walk((value,)):
        if is_random_draw(part):
            message = f"`random` cannot be used {location}, because it would draw again each time"
            yield Diagnostic("E313", message, part.span, hint)


def get_choice_values(part: object) -> object:
    """Return the values of a choice that determine the legal moves."""
    match part:
        case g.Option(binders=binders, when=when, costs=costs):
            prices = tuple(amount for amount, _, _ in costs)
            return tuple(domain for _, domain in binders), tuple(each for each, _ in when), prices
        case g.Choose(domain=domain, provided=provided, low=low, high=high):
            return domain, provided, low, high
        case g.Pick(is_automatic=False, source=source, low=low, high=high):
            return source, low, high
    return ()
