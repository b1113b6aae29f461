"""Cards of nobody's that rankings look at, as a board or a card that makes others wild: followed as they are moved, as
they may be gone once a showdown is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardlang import game as g
from cardlang.game.walking import everything, walk
from interpreter.matches.events import EventView
from interpreter.matches.refs import Refs


def read_zones(game: g.Game) -> tuple[str, ...]:
    """The open zones of nobody's that some ranking of hands looks at, in what it reads, for wild cards or in ties; in
    the order of the game."""
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
    """What an expression looks at, definitions that it uses included."""
    waiting, seen = [root], set[str]()
    while waiting:
        for part in walk((waiting.pop(),)):
            yield part
            if isinstance(part, g.Call) and part.define not in seen:
                seen.add(part.define)
                waiting.append(game.defines[part.define].value)


class Shared:
    """What lies in some zones, as the events tell it."""

    def __init__(self, zones: Sequence[str]) -> None:
        self.lying: dict[str, list[str]] = {Refs.pile(name, None): [] for name in zones}

    def copy(self) -> Shared:
        other = Shared(())
        other.lying = {ref: cards.copy() for ref, cards in self.lying.items()}
        return other

    def moved(self, event: EventView) -> None:
        """Takes in that cards were moved; a source that is not told may be any of them."""
        for ref, cards in self.lying.items():
            if event.source in (ref, ""):
                for code in event.cards:
                    if code in cards:
                        cards.remove(code)
            if event.to == ref:
                cards += event.cards

    def now(self) -> dict[str, tuple[str, ...]]:
        """By zone, the codes of what lies there, where there is something."""
        return {ref: tuple(cards) for ref, cards in self.lying.items() if cards}
