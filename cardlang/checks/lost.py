"""Check of dead stores: values overwritten before they are used."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.rounds import read_in, reads
from cardlang.checks.sayings import blocks
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies
from cardlang.source import Diagnostic


def check_overwritten(game: g.Game) -> Iterator[Diagnostic]:
    """Report a change such as `add 2 to your oil` directly followed by `set your oil to 10`.

    Often an `if` is missing, or one of the lines is superfluous."""
    watched = {name for trigger in game.whenevers for name in read_in(game, trigger.condition)}
    for block in (block for body in bodies(game) for block in blocks(body)):
        for place, statement in enumerate(block):
            if isinstance(statement, g.SetTrack) and statement.span.source is own_source(game):
                again = overwriting(game, statement, block[place + 1 :])
                if again is not None and statement.track not in watched:
                    yield Diagnostic(
                        "W435",
                        f"this change of `{statement.track}` is lost: another line sets it before anything uses it",
                        statement.span,
                        "delete one of the two lines, or put one below an `if`",
                        ((again.span, "it is set again here"),),
                        warning=True,
                    )


def overwriting(game: g.Game, first: g.SetTrack, after: tuple[g.Stmt | g.Option, ...]) -> g.SetTrack | None:
    """Return the statement that overwrites a value, if no statement before it uses the value or takes time."""
    for statement in after:
        if not isinstance(statement, g.SetTrack | g.Remember | g.Aside):
            return None
        if first.track in reads(game, (statement,)):
            return None
        if isinstance(statement, g.SetTrack) and statement.track == first.track and statement.operator == "=":
            return statement if statement.of == first.of else None
    return None
