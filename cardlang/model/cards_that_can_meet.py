"""Cards that can meet in a zone where some player can't see them, so that they must look alike from behind."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.model.statement_effects import find_bindings, iter_transfers
from cardlang.model.traversal import collect_all_nodes, walk_with_definitions


def find_mixed_homes(game: g.Game) -> dict[str, tuple[str, ...]]:
    """Return, for each home zone, the homes of all cards that can meet its cards where some player can't see them."""
    homes = {cards.home: {cards.home} for cards in game.sets.values()}
    for zone, found in find_homes_by_zone(game).items():
        if game.zones[zone].viewer != "everyone":
            together = set[str]().union(*(homes[home] for home in found))
            homes |= dict.fromkeys(together, together)
    return {home: tuple(other for other in homes if other in together) for home, together in homes.items()}


def find_homes_by_zone(game: g.Game) -> dict[str, set[str]]:
    """Return the homes of the cards that can come to each zone. Conditions on the cards are ignored."""
    nodes = collect_all_nodes(game)
    sources = {each.var.id: each.source for part in nodes for each in find_bindings(game, part) if each.source}
    moves = [(transfer.to.zone, set(find_origins(game, transfer.cards, sources))) for transfer in iter_transfers(nodes)]
    homes = {name: {cards.home for cards in game.sets.values() if cards.home == name} for name in game.zones}
    for _ in game.zones:
        for to, origins in moves:
            homes[to].update(*(homes[zone] for zone in origins))
    return homes


def find_origins(game: g.Game, cards: g.Expr, sources: dict[int, g.Expr]) -> Iterator[str]:
    """Yield the zones that cards can come from. `sources`: where the values of variables come from, by id."""
    known, waiting = set[int](), [cards]
    while waiting:
        for part in walk_with_definitions(game, waiting.pop()):
            if isinstance(part, g.ZoneCards):
                yield part.zone
            elif isinstance(part, g.SetCards):
                yield game.sets[part.set].home
            elif isinstance(part, g.Var) and part.id in sources and part.id not in known:
                known.add(part.id)
                waiting.append(sources[part.id])
