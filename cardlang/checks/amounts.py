"""Check of the numbers of cards in moves: negative, or more than a zone holds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardlang import game as g
from cardlang.checks.known import constant
from cardlang.game.walking import everything
from cardlang.source import Diagnostic, Span

Taking = g.Move | g.Pick
TOO_FULL = "E310"


def check_amounts(game: g.Game) -> Iterator[Diagnostic]:
    yield from homes(game)
    for part in everything(game):
        if isinstance(part, g.Move | g.Pick):
            for number in numbers(part):
                found = [known for players in game.seats if (known := constant(game, number, players)) is not None]
                if any(known < 0 for known in found):
                    yield below_zero(number.span)
                elif game.zones[part.to.zone].single and not part.to.each and any(known > 1 for known in found):
                    yield too_full(game.zones[part.to.zone], max(found), part.span)


def numbers(part: Taking) -> Iterator[g.Expr]:
    """Yield the numbers of cards that a statement gives explicitly."""
    if isinstance(part, g.Pick):
        yield from (each for each in (part.low, part.high) if each is not None)
        return
    items = part.what.items if isinstance(part.what, g.Joined) else (part.what,)
    yield from (each.number for each in items if isinstance(each, g.Agg) and each.number is not None)


def below_zero(span: Span) -> Diagnostic:
    hint = "write a number from 0 up. In a subtraction, subtract the smaller number from the larger"
    return Diagnostic("E311", "the number of cards cannot be negative", span, hint)


def too_full(zone: g.Zone, cards: Fraction | int, span: Span) -> Diagnostic:
    return Diagnostic(
        TOO_FULL,
        f"`{zone.name}` holds 1 card, but this puts {cards} there",
        span,
        "put 1 card there, or remove `holds 1` from its declaration",
        ((zone.origin.name, "declared `holds 1` here"),),
    )


def homes(game: g.Game) -> Iterator[Diagnostic]:
    """Report sets of cards that start in a zone which holds only one card."""
    for name, card_set in game.sets.items():
        cards = sum(face.copies for face in game.faces if face.set == name)
        if game.zones[card_set.home].single and cards > 1:
            yield too_full(game.zones[card_set.home], cards, card_set.origin.name)
