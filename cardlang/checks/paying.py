"""Check of costs that are paid twice: by an option's `costs`, and by its body."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies, walk
from cardlang.source import Diagnostic


def check_paying(game: g.Game) -> Iterator[Diagnostic]:
    for part in (part for body in bodies(game) for part in walk(body)):
        match part:
            case g.Menu(who=who, options=options):
                yield from (finding for option in options for finding in of_option(game, option, who))
            case g.Offer(var=var, options=options):
                yield from (finding for option in options for finding in of_option(game, option, var))
    for reaction in game.reactions:
        yield from of_option(game, reaction.option, reaction.you)


def of_option(game: g.Game, option: g.Option, who: g.Expr) -> Iterator[Diagnostic]:
    """Report payments of an equal amount from the same track and player. Other payments in the body may be intended."""
    if option.costs and option.span.source is own_source(game):
        paid = list(payments(game, option.body, who))
        for amount, name, _ in option.costs:
            again = next((each for each, of in paid if each.track == name and of == who and each.value == amount), None)
            if again is not None:
                yield Diagnostic(
                    "W434",
                    f"this is paid twice: `{option.name}` already costs it",
                    again.span,
                    "delete this line. For twice the cost, change `costs`",
                    ((amount.span, "already paid here"),),
                    warning=True,
                )


def payments(
    game: g.Game, body: tuple[g.Stmt, ...], who: g.Expr, within: tuple[str, ...] = ()
) -> Iterator[tuple[g.SetTrack, g.Expr | None]]:
    """Yield the subtractions that a body always makes, including its steps, with the player who pays."""
    for statement in body:
        match statement:
            case g.SetTrack(operator="-", of=of):
                yield statement, of
            case g.Do(step=name, of=of) if name not in within:
                step = game.steps[name]
                for each, whose in payments(game, step.body, who, (*within, name)):
                    yield each, of if step.you is not None and whose == step.you else whose
