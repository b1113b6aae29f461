"""Check of statements without effect."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.known import NO, YES, Known
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything, has_chance
from cardlang.source import Diagnostic

NEUTRAL = {"+": NO, "-": NO, "*": YES, "/": YES}
"""Neutral element by operator."""


def check_no_effect(game: g.Game) -> Iterator[Diagnostic]:
    """Report statements that add 0, or assign a track to itself."""
    for part in everything(game):
        if isinstance(part, g.SetTrack) and part.span.source is own_source(game) and has_no_effect(game, part):
            yield Diagnostic(
                "W436",
                f"this line does not change `{part.track}`",
                part.span,
                "write another value, or delete the line. An option can have no lines below it",
                warning=True,
            )


def has_no_effect(game: g.Game, statement: g.SetTrack) -> bool:
    """Return whether a statement evidently changes nothing."""
    known = Known(game, None, settings=False)
    if statement.operator != "=":
        return known.value(statement.value, {}) == NO
    return not has_chance(statement.of) and is_same(known, statement.value, statement)


def is_same(known: Known, value: g.Expr, statement: g.SetTrack) -> bool:
    """Return whether a value equals the statement's track before the assignment."""
    match value:
        case g.TrackValue(track=track, of=of):
            return track == statement.track and of == statement.of
        case g.Arith(operator=sign, left=left, right=right):
            neutral = NEUTRAL[sign]
            if known.value(right, {}) == neutral and is_same(known, left, statement):
                return True
            return sign in "+*" and known.value(left, {}) == neutral and is_same(known, right, statement)
    return False
