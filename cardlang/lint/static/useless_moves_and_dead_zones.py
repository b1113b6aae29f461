"""Lint rules for card flow: no-op moves, empty sources, and zones that cards never leave."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.static.execution_order import get_own_source
from cardlang.model.effects import CardTransfer, find_effects, iter_effects, iter_transfers
from cardlang.model.traversal import collect_all_nodes, iter_bodies, iter_reachable_bodies, split_conjunction, walk


@frozen
class CardLocation:
    """Location of cards: `zone` of `owner`."""

    zone: str
    owner: g.Expr | None


def check_no_op_moves(game: g.Game) -> Iterator[Diagnostic]:
    for body in iter_bodies(game):
        yield from CardFlowAnalysis(game, body).find_no_op_moves()


class CardFlowAnalysis:
    """Data-flow analysis of one body.

    `variable_locations` maps variables to the location of their cards. `free_player_choices` maps variables that may be
    any player to their choices."""

    def __init__(self, game: g.Game, body: tuple[g.Stmt | g.Option, ...]) -> None:
        self.game = game
        self.variable_locations: dict[int, CardLocation] = {}
        self.free_player_choices: dict[int, g.Choose] = {}
        self.parts = list(walk(body))
        for part in self.parts:
            if isinstance(part, g.Choose):
                self.bind_variable(part.var, part.domain)
                if part.provided is None and can_include_chooser(part.domain.list):
                    self.free_player_choices[part.var.id] = part
            elif isinstance(part, g.Option):
                for var, domain in part.binders:
                    self.bind_variable(var, domain)

    def bind_variable(self, var: g.Var, domain: g.Domain) -> None:
        lying = None if domain.list is None else find_card_location(domain.list)
        if lying is not None:
            self.variable_locations[var.id] = lying

    def find_no_op_moves(self) -> Iterator[Diagnostic]:
        moves = [(part.span, each) for part, effects in iter_effects(self.parts) for each in effects.transfers]
        names = [source.id for _, each in moves if isinstance(source := get_moved_cards(each), g.Var)]
        for span, transfer in moves:
            source = get_moved_cards(transfer)
            if span.source is not get_own_source(self.game) or transfer.to.each or transfer.end == "under":
                continue
            if isinstance(source, g.Var):
                lying = self.variable_locations.get(source.id) if names.count(source.id) == 1 else None
            else:
                sorts = transfer.end != "top" and isinstance(source, g.ZoneCards)
                lying = None if sorts else find_card_location(source)
            if lying is not None and lying.zone == transfer.to.zone:
                yield from self.compare_with_destination(span, transfer.to.of, lying)

    def compare_with_destination(
        self, span: Span, owner: g.Expr | None, location: CardLocation
    ) -> Iterator[Diagnostic]:
        if location.owner == owner:
            hint = "write another destination, or another source"
            yield Diagnostic("W423", "this moves cards to the zone they are already in", span, hint, warning=True)
        elif (
            isinstance(location.owner, g.Var)
            and (choice := self.free_player_choices.get(location.owner.id))
            and choice.who == owner
        ):
            yield Diagnostic(
                "W423",
                f"`{choice.var.name}` can be the player who chooses, and then no cards move",
                choice.span,
                "allow only other players: `from your others`",
                ((span, "the cards go here"),),
                warning=True,
            )


def get_moved_cards(transfer: CardTransfer) -> g.Expr:
    source = transfer.cards
    while isinstance(source, g.Joined) and len(source.items) == 1:
        source = source.items[0]
    return source


def find_card_location(cards: g.Expr) -> CardLocation | None:
    """Return the zone that all of these cards are in, or None."""
    match cards:
        case g.ZoneCards(zone=zone, of=of):
            return CardLocation(zone, of)
        case g.Filter(list=inner) | g.Agg(function="distinct" | "top" | "random", list=inner):
            return find_card_location(inner)
    return None


def can_include_chooser(players: g.Expr | None) -> bool:
    """Return whether a list of players may include the player who chooses."""
    if isinstance(players, g.Filter):
        asks = [part for part in walk((players.condition,)) if isinstance(part, g.Expr) and part.type.tag == "player"]
        return all(part == players.var for part in asks) and can_include_chooser(players.list)
    return isinstance(players, g.Builtin) and players.name == "players"


# ---------------------------------------------------------------- empty piles
def check_empty_sources(game: g.Game) -> Iterator[Diagnostic]:
    """Report statements that use the cards of a pile, below a condition that the pile is empty."""
    for part in (part for body in iter_bodies(game) for part in walk(body)):
        if isinstance(part, g.If):
            yield from check_body_of_empty_piles(game, [part.condition], part.then)
        elif isinstance(part, g.Option):
            yield from check_body_of_empty_piles(game, [when for when, _ in part.when], part.body)


def check_body_of_empty_piles(game: g.Game, conditions: list[g.Expr], body: tuple[g.Stmt, ...]) -> Iterator[Diagnostic]:
    """Check statements up to the first one that may move cards."""
    empty = {
        (each.value.zone, each.value.of): each
        for condition in conditions
        for each in split_conjunction(condition)
        if isinstance(each, g.IsEmpty) and isinstance(each.value, g.ZoneCards)
    }
    for statement in body if empty else ():
        source = find_used_zone(statement)
        condition = empty.get((source.zone, source.of)) if source is not None else None
        if source is not None and condition is not None and statement.span.source is get_own_source(game):
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


def find_used_zone(statement: g.Stmt) -> g.ZoneCards | None:
    """Return the zone whose cards a statement takes or shows, if it uses only that one."""
    effects = find_effects(statement)
    lists = [*(transfer.cards for transfer in effects.transfers), *effects.revealed]
    if len(lists) != 1:
        return None
    (cards,) = lists
    while isinstance(cards, g.Agg | g.Filter | g.Joined):
        if isinstance(cards, g.Joined):
            if len(cards.items) != 1:
                return None
            cards = cards.items[0]
        else:
            cards = cards.list
    return cards if isinstance(cards, g.ZoneCards) else None


# ---------------------------------------------------------------- dead-end zones
OUT_OF_PLAY = {"remove", "discard"}


def check_dead_end_zones(game: g.Game) -> Iterator[Diagnostic]:
    """Report zones that receive cards which no rule uses again.

    Zones are left out if cards are gathered by set from all zones, or if cards are out of play there (`remove`,
    `discard`)."""
    parts = list(collect_all_nodes(game))
    moved = [transfer.cards for transfer in iter_transfers(parts)]
    read = {part.zone for part in chain(parts, walk(tuple(moved))) if isinstance(part, g.ZoneCards)}
    counted = {id(part.list) for part in parts if isinstance(part, g.Agg) and part.function == "count"}
    if any(isinstance(part, g.SetCards) and id(part) not in counted for part in parts):
        return
    verbs: dict[str, set[str]] = {}
    for transfer in iter_transfers(parts):
        verbs.setdefault(transfer.to.zone, set()).add(transfer.verb)
    entered = {trigger.zone for trigger in game.enters}
    for name, found in verbs.items():
        origin = game.zones[name].origin
        if name not in read | entered and not OUT_OF_PLAY & found and origin.span.source is get_own_source(game):
            yield Diagnostic(
                "W402",
                f"cards never leave `{name}`, and no rule uses them there",
                origin.name,
                build_dead_end_hint(game, name),
                warning=True,
            )


def build_dead_end_hint(game: g.Game, name: str) -> str:
    """Return a hint. If a loop shuffles a pile again, the cards were probably forgotten when gathering it."""
    gone = f"If they are out of the game, write `remove … to {name}`"
    loops = [part for part in collect_all_nodes(game) if isinstance(part, g.Repeat)]
    done = (part for loop in loops for body in iter_reachable_bodies(game, loop.body) for part in walk(body))
    shuffled = (place for part in done for place in find_effects(part).shuffled)
    pile = next((place.zone for place in shuffled if place.of is None), None)
    return gone if pile is None else f"return them before the shuffle: `move {name} to {pile}`. {gone}"
