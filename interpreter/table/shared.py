"""Track the shared cards that hand rankings read, such as a board or a card that makes others wild.

Their moves are followed event by event, because the cards may be gone when a showdown is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardlang import game as g
from cardlang.game.walking import everything, walk
from interpreter.matches.events import EventView
from interpreter.matches.refs import Refs


def read_zones(game: g.Game) -> tuple[str, ...]:
    """Return the open zones without an owner that a ranking of hands reads, in the order of the game.

    The ranking reads them as its cards, for wild cards or in ties.
    """
    roots: list[object] = []
    for part in everything(game):
        if isinstance(part, g.ReadRanking) and game.rankings[part.ranking].size != "groups":
            roots.append(part)
    for ranking in game.rankings.values() if roots else ():
        roots += [wild.condition for wild in ranking.wilds]
        roots += [line.value for line in ranking.ties]
    found = {part.zone for root in roots for part in followed(game, root) if isinstance(part, g.ZoneCards)}
    return tuple(
        zone.name
        for zone in game.zones.values()
        if zone.name in found and zone.subject is None and zone.viewer == "everyone"
    )


def followed(game: g.Game, root: object) -> Iterator[object]:
    """Yield all parts of an expression, including those of the definitions it calls."""
    waiting, seen = [root], set[str]()
    while waiting:
        for part in walk((waiting.pop(),)):
            yield part
            if isinstance(part, g.Call) and part.define not in seen:
                seen.add(part.define)
                waiting.append(game.defines[part.define].value)


class Shared:
    """Contents of some zones, reconstructed from the events."""

    def __init__(self, zones: Sequence[str]) -> None:
        self.lying: dict[str, list[str]] = {Refs.pile(name, None): [] for name in zones}

    def copy(self) -> Shared:
        other = Shared(())
        other.lying = {ref: cards.copy() for ref, cards in self.lying.items()}
        return other

    def moved(self, event: EventView) -> None:
        """Apply a move of cards. If the source is unknown, it can be any of the zones."""
        for ref, cards in self.lying.items():
            if event.source in (ref, ""):
                for code in event.cards:
                    if code in cards:
                        cards.remove(code)
            if event.to == ref:
                cards += event.cards

    def now(self) -> dict[str, tuple[str, ...]]:
        """Return the codes of the cards in each zone that is not empty, by ref."""
        return {ref: tuple(cards) for ref, cards in self.lying.items() if cards}
