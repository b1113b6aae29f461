"""Checks of visibility: face-up piles that are shuffled, and choices based on hidden cards."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.loops import through
from cardlang.checks.opening import taken_in_order
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything, walk
from cardlang.source import Diagnostic

ENDS = ("top", "bottom")
USES: dict[type[g.Stmt], str] = {g.Reveal: "shown", g.Pick: "a choice", g.Move: "drawn to a hidden hand"}


def check_open(game: g.Game) -> Iterator[Diagnostic]:
    """Report public piles that are shuffled and drawn from, although all players see their cards."""
    parts = list(everything(game))
    shuffled = {part.zone.zone for part in parts if isinstance(part, g.Shuffle)}
    for zone in game.zones.values():
        if zone.name in shuffled and zone.viewer == "everyone" and zone.subject is None:
            drawn = next((part for part in parts if guessed_at(game, part, zone.name)), None)
            if drawn is not None and isinstance(drawn, g.Stmt) and zone.origin.span.source is own_source(game):
                yield Diagnostic(
                    "W429",
                    f"all players see all cards of `{zone.name}`, but it is shuffled and its top is "
                    f"{USES[type(drawn)]}",
                    zone.origin.name,
                    f"if it is face down, write `zone {zone.name} seen by nobody`",
                    ((drawn.span, "here"),),
                    warning=True,
                )


def guessed_at(game: g.Game, part: object, zone: str) -> bool:
    """Return whether the cards of a zone are revealed or go to a hand in their order, or a player chooses the number
    of cards to draw unseen."""
    if isinstance(part, g.Move):
        hidden_hand = game.zones[part.to.zone].viewer == "owner"
        return hidden_hand and not part.to.each and taken_in_order(part) == zone
    if isinstance(part, g.Reveal):
        return any(isinstance(each, g.ZoneCards) and each.zone == zone for each in walk((part.cards,)))
    return isinstance(part, g.Pick) and not part.settled and taken_in_order(part) == zone


def check_unseen(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices based on cards that the player cannot see.

    It also reports choices among all cards of a hidden pile, if other rules draw from its top."""
    parts = list(everything(game))
    shown = {each.zone for part in parts if isinstance(part, g.Reveal) for each in zones(game, part.cards)}
    piles = {taken_in_order(part) for part in parts if isinstance(part, g.Move | g.Pick)}
    for part in parts:
        if part_is_own(game, part):
            for cards in offered(part):
                unseen = [each for each in by_its_face(game, cards) if hidden(game, each) and each.zone not in shown]
                for zone in unseen[:1]:
                    yield by_what_is_hidden(game, cards, game.zones[zone.zone])
        if isinstance(part, g.Pick) and part_is_own(game, part) and isinstance(part.source, g.ZoneCards):
            zone_, position = game.zones[part.source.zone], part.position
            if position is None and zone_.viewer == "nobody" and zone_.name in piles:
                yield Diagnostic(
                    "W430",
                    f"this choice may take any hidden card of `{zone_.name}`, but other rules draw from its top",
                    part.source.span,
                    f"write `from top of {zone_.name}`, or `random` for random cards",
                    warning=True,
                )


def part_is_own(game: g.Game, part: object) -> bool:
    return isinstance(part, g.Pick | g.Choose | g.Option) and part.span.source is own_source(game)


def offered(part: object) -> Iterator[g.Expr]:
    """Yield the lists of cards that a choice offers."""
    match part:
        case g.Pick(source=source, position=None):
            yield source
        case g.Choose(domain=g.Domain(list=items)) if items is not None:
            yield items
        case g.Option(binders=binders):
            yield from (domain.list for _, domain in binders if domain.list is not None)


def by_its_face(game: g.Game, cards: g.Expr) -> Iterator[g.ZoneCards]:
    """Yield the zones whose cards are filtered by their faces."""
    for part in through(game, cards):
        match part:
            case g.Filter(list=g.ZoneCards() as zone, var=var, condition=condition):
                if any(shows(each, var) for each in walk((condition,))):
                    yield zone


def shows(part: object, var: g.Var) -> bool:
    match part:
        case g.Attribute(card=card) | g.IsSet(card=card) | g.Builtin(name="title", of=card):
            return card == var
    return False


def hidden(game: g.Game, zone: g.ZoneCards) -> bool:
    """Return whether the player who chooses cannot see a zone."""
    viewer = game.zones[zone.zone].viewer
    return viewer == "nobody" or (viewer == "others" and isinstance(zone.of, g.Var) and zone.of.name == "you")


def zones(game: g.Game, cards: g.Expr) -> Iterator[g.ZoneCards]:
    yield from (part for part in through(game, cards) if isinstance(part, g.ZoneCards))


def by_what_is_hidden(game: g.Game, cards: g.Expr, zone: g.Zone) -> Diagnostic:
    viewers = "no player sees" if zone.viewer == "nobody" else "their owners do not see"
    return Diagnostic(
        "W430",
        f"this choice depends on the cards of `{zone.name}`, but {viewers} them",
        cards.span,
        f"make them visible (`zone your {zone.name} seen by owner`), reveal them first, or choose from all of them",
        ((zone.origin.name, "the zone"),),
        warning=True,
    )
