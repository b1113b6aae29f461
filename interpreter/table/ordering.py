"""Sort actions by option, in the order of the rules, then by the position on the table of the cards they touch."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from cardlang.game import Game
from interpreter.table.model import Action, Ask, Place


def in_order(ask: Ask, game: Game, places: tuple[Place, ...], others: tuple[Place, ...]) -> Ask:
    """Return the decision with its actions sorted.

    Players come from the viewer on, cards as they are drawn, values as their kind lists them. `places`: the players.
    `others`: the other places.
    """
    order = {ref: at for at, ref in enumerate(refs(game, places, others))}
    options: dict[str, int] = {}
    for action in ask.actions:
        options.setdefault(action.verb, len(options))

    def place_of(action: Action) -> tuple[int, list[int]]:
        return options[action.verb], [order.get(ref, 0) for ref in action.touches]

    return evolve(ask, actions=tuple(sorted(ask.actions, key=place_of)))


def refs(game: Game, places: tuple[Place, ...], others: tuple[Place, ...]) -> Iterator[str]:
    """Yield all refs that can be touched, in their natural order."""
    for kind in game.kinds.values():
        yield from (f"member/{kind.name}/{member.name}" for member in kind.members)
    for place in (*places, *others):
        yield place.ref
        for pile in place.piles:
            yield from (card.ref for card in pile.cards)
