"""Find the new cards in the viewer's hand since their last move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from cardlang import game as g
from cardlang.game.walking import everything
from interpreter.matches.events import EventView
from interpreter.matches.refs import Refs
from interpreter.matches.view import View, ZoneView


def arrived(game: g.Game, view: View, events: Sequence[EventView]) -> Iterator[str]:
    """Yield the refs of cards that came to the viewer's hand in these events.

    They joined other cards there, or came alone and were not dealt. A card that only the other players see is referred
    to by its place.
    """
    for zone in view.table:
        if zone.owner != view.player:
            continue
        if zone.private:
            yield from seen(zone, events)
        elif game.zones[zone.name].viewer == "others" and comes_on_top(game, zone.name):
            yield from unseen(zone, events)


def seen(zone: ZoneView, events: Sequence[EventView]) -> Iterator[str]:
    ref = Refs.pile(zone.name, zone.owner)
    came = [event for event in events if event.kind == "moved" and event.to == ref]
    codes = Counter(code for event in came for code in event.cards)
    lone = zone.count == 1 and came and came[-1].name != "deal"
    if codes.total() < zone.count or lone:
        for place, card in reversed(list(enumerate(zone.cards, 1))):
            if card.code is not None and codes[card.code] > 0:
                codes[card.code] -= 1
                yield f"{ref}#{place}"


def unseen(zone: ZoneView, events: Sequence[EventView]) -> Iterator[str]:
    """Yield the cards put on top of a hidden hand, unless a card has left the hand since."""
    ref, count = Refs.pile(zone.name, zone.owner), 0
    for event in events:
        moved = event.kind == "moved"
        if event.source == ref or (moved and not event.source and event.to != ref):
            count = 0  # no player knows which of them it was
        elif moved and event.to == ref:
            count += len(event.cards) + event.hidden
    if count < zone.count:
        yield from (f"{ref}#{place}" for place in range(zone.count - count + 1, zone.count + 1))


def comes_on_top(game: g.Game, zone: str) -> bool:
    """Return whether the rules add cards to a zone only on top."""
    moves = (part for part in everything(game) if isinstance(part, g.Move) and part.to.zone == zone)
    return all(move.end == "top" for move in moves)
