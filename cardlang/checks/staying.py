"""Checks of moves without effect: to the zone the cards are in, or from an empty pile."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies, conjuncts, walk
from cardlang.source import Diagnostic


@frozen
class Lying:
    """Location of cards: `zone` of `of`."""

    zone: str
    of: g.Expr | None


def check_staying(game: g.Game) -> Iterator[Diagnostic]:
    for body in bodies(game):
        yield from Follower(game, body).findings()


class Follower:
    """Data-flow analysis of one body.

    `chosen` maps variables to the location of their cards. `free` maps variables that may be any player to their
    choices."""

    def __init__(self, game: g.Game, body: tuple[g.Stmt | g.Option, ...]) -> None:
        self.game = game
        self.chosen: dict[int, Lying] = {}
        self.free: dict[int, g.Choose] = {}
        self.parts = list(walk(body))
        for part in self.parts:
            if isinstance(part, g.Choose):
                self.bind(part.var, part.domain)
                if part.provided is None and is_everybody(part.domain.list):
                    self.free[part.var.id] = part
            elif isinstance(part, g.Option):
                for var, domain in part.binders:
                    self.bind(var, domain)

    def bind(self, var: g.Var, domain: g.Domain) -> None:
        lying = None if domain.list is None else where(domain.list)
        if lying is not None:
            self.chosen[var.id] = lying

    def findings(self) -> Iterator[Diagnostic]:
        moves = [part for part in self.parts if isinstance(part, g.Move | g.Pick)]
        names = [source.id for part in moves if isinstance(source := cards_of(part), g.Var)]
        for part in moves:
            source = cards_of(part)
            if part.span.source is not own_source(self.game) or part.to.each:
                continue
            if isinstance(part, g.Move) and part.end == "under":
                continue
            if isinstance(source, g.Var):
                lying = self.chosen.get(source.id) if names.count(source.id) == 1 else None
            else:
                sorts = isinstance(part, g.Move) and part.end != "top" and isinstance(source, g.ZoneCards)
                lying = None if sorts else where(source)
            if lying is not None and lying.zone == part.to.zone:
                yield from self.compared(part, lying)

    def compared(self, part: g.Move | g.Pick, lying: Lying) -> Iterator[Diagnostic]:
        if lying.of == part.to.of:
            hint = "write another destination, or another source"
            yield Diagnostic("W423", "this moves cards to the zone they are already in", part.span, hint, warning=True)
        elif isinstance(lying.of, g.Var) and (choice := self.free.get(lying.of.id)) and choice.who == part.to.of:
            yield Diagnostic(
                "W423",
                f"`{choice.var.name}` can be the player who chooses, and then no cards move",
                choice.span,
                "allow only other players: `from your others`",
                ((part.span, "the cards go here"),),
                warning=True,
            )


def cards_of(part: g.Move | g.Pick) -> g.Expr:
    source = part.source if isinstance(part, g.Pick) else part.what
    while isinstance(source, g.Joined) and len(source.items) == 1:
        source = source.items[0]
    return source


def where(cards: g.Expr) -> Lying | None:
    """Return the zone that all of these cards are in, or None."""
    match cards:
        case g.ZoneCards(zone=zone, of=of):
            return Lying(zone, of)
        case g.Filter(list=inner) | g.Agg(function="distinct" | "top" | "random", list=inner):
            return where(inner)
    return None


def is_everybody(players: g.Expr | None) -> bool:
    """Return whether a list of players may include the player who chooses."""
    if isinstance(players, g.Filter):
        asks = [part for part in walk((players.condition,)) if isinstance(part, g.Expr) and part.type.tag == "player"]
        return all(part == players.var for part in asks) and is_everybody(players.list)
    return isinstance(players, g.Builtin) and players.name == "players"


# ---------------------------------------------------------------- empty piles
def check_empty(game: g.Game) -> Iterator[Diagnostic]:
    """Report statements that use the cards of a pile, below a condition that the pile is empty."""
    for part in (part for body in bodies(game) for part in walk(body)):
        if isinstance(part, g.If):
            yield from under(game, [part.condition], part.then)
        elif isinstance(part, g.Option):
            yield from under(game, [when for when, _ in part.when], part.body)


def under(game: g.Game, conditions: list[g.Expr], body: tuple[g.Stmt, ...]) -> Iterator[Diagnostic]:
    """Check statements up to the first one that may move cards."""
    empty = {
        (each.value.zone, each.value.of): each
        for condition in conditions
        for each in conjuncts(condition)
        if isinstance(each, g.IsEmpty) and isinstance(each.value, g.ZoneCards)
    }
    for statement in body if empty else ():
        source = looked_for(statement)
        condition = empty.get((source.zone, source.of)) if source is not None else None
        if source is not None and condition is not None and statement.span.source is own_source(game):
            yield Diagnostic(
                "W428",
                f"the condition makes sure that `{source.zone}` is empty, so nothing happens here",
                statement.span,
                "write `… is not empty`, or take the cards from another zone",
                ((condition.span, "the condition"),),
                warning=True,
            )
        if not isinstance(statement, g.AtOnce):
            return


def looked_for(statement: g.Stmt) -> g.ZoneCards | None:
    """Return the zone whose cards a statement takes or shows."""
    if isinstance(statement, g.Move | g.Pick):
        cards = cards_of(statement)
    elif isinstance(statement, g.Reveal):
        cards = statement.cards
    else:
        return None
    while isinstance(cards, g.Agg | g.Filter | g.Joined):
        if isinstance(cards, g.Joined):
            if len(cards.items) != 1:
                return None
            cards = cards.items[0]
        else:
            cards = cards.list
    return cards if isinstance(cards, g.ZoneCards) else None
