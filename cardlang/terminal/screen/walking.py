"""Cursor navigation: order of the refs, starting point, and cards chosen by digits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardlang.terminal.screen.asking import CONFIRM, closed_ref
from cardlang.terminal.screen.canvas import Spot, neighbour
from cardlang.terminal.screen.keying import DIGITS, aimed, candidates, named_only, ref_of, shown_actions
from cardlang.terminal.screen.lying import cards_at, meant, touchable
from interpreter.table.model import Pile, Table

HELD = ("hand", "grid")
"""Forms of piles whose cards the owner plays from."""


def walked(table: Table, refs: Iterable[str]) -> list[str]:
    """Return refs in navigation order.

    The given order holds, and the order of names for named options. The confirm button comes after the set, and refs
    that can't be played come last. Refs with a button of their own are left out."""
    beside = idle(table)
    twice = {ref for action in named_only(table) for ref in action.touches}
    once = [ref for ref in refs if ref not in twice]
    order = {ref: number for number, ref in enumerate([*once, *named(table)])}
    return sorted(once, key=lambda ref: (2 if ref in beside else int(ref == CONFIRM), order[ref]))


def idle(table: Table) -> set[str]:
    """Return the refs that can't be played: cards that can't be taken, unavailable options, and a confirm button not
    ready yet."""
    cards = (card for pile in piles(table) for card in pile.cards)
    found = {card.ref for card in cards if not touchable(card) and meant(table, card.ref) == card.ref}
    if table.ask is not None:
        found -= {ref for action in table.ask.actions for ref in action.touches}
        found |= {closed_ref(each) for each in table.ask.closed}
        found -= {*table.ask.choosing.refs} if table.ask.choosing is not None else set()
        found |= {CONFIRM} if table.ask.choosing is not None and not table.ask.choosing.ready else set()
    return found


def gone(table: Table, held: tuple[str, ...], cursor: str, drawn: Mapping[str, Spot], way: str) -> str:
    """Return the new position of the cursor after a navigation key.

    Up and down reach everything drawn. Left and right wrap around the playable refs, or around the others if the cursor
    is on one of those. `drawn` is in the order of `walked`."""
    beside = idle(table)
    meant_too = aimed(table, cursor, held)
    same = ref_of(meant_too) if meant_too is not None else ""  # skip the button that duplicates the card
    ring = {
        ref: at for ref, at in drawn.items() if ref == cursor or ((ref in beside) == (cursor in beside) and ref != same)
    }
    if cursor:
        return neighbour({**drawn} if way in ("up", "down") else ring, cursor, way)
    start = first(table, held, drawn)
    if way in ("left", "previous", "last"):
        pile = start.rpartition("#")[0]
        return [ref for ref in ring if (ref.rpartition("#")[0] == pile and pile) or ref == start][-1] if start else ""
    return start


def named(table: Table) -> list[str]:
    """Return the selectable refs that are no cards and are selected by name."""
    choosing = table.ask.choosing if table.ask is not None else None
    return [ref for ref, label in zip(choosing.refs, choosing.labels, strict=False) if label] if choosing else []


def first(table: Table, held: tuple[str, ...], drawn: Iterable[str]) -> str:
    """Return the first position of the cursor.

    With held refs, it is a card or button of the remaining moves. Otherwise, it is the first useful ref. `drawn`:
    reachable refs in navigation order."""
    left = candidates(table, held) if held else []
    cards = [card.ref for each in left for card in cards_at(table, each.touches) if card.ref not in held]
    refs = [*drawn]
    return next((ref for ref in (*cards, *map(ref_of, left), *useful(table, refs)) if ref in refs), "")


def useful(table: Table, drawn: Sequence[str]) -> list[str]:
    """Return the refs with a legal action: the viewer's own cards first, then others as drawn."""
    ask = table.ask
    if ask is None:
        return []
    held = [pile for pile in piles(table) if pile.form in HELD and pile.owner == table.viewer]
    own = [card.ref for pile in held for card in pile.cards if touchable(card)]
    offered = {card.ref for pile in piles(table) for card in pile.cards if touchable(card)}
    cards = [*own, *(ref for ref in drawn if ref in offered)]
    others = [ref for action in ask.actions for ref in action.touches]
    ticked = [ref for ref in drawn if ask.choosing is not None and ref in ask.choosing.refs]
    return [*cards, *ticked, *map(ref_of, shown_actions(table, "", ())), *map(ref_of, ask.amounts), *others, CONFIRM]


def card_at(table: Table, digit: str, drawn: Iterable[str]) -> str:
    """Return the card that a digit means if no option has that digit, or an empty string. 0 is the tenth card.

    Unknown cards go by their number. In the viewer's hand or a single pile, the digit counts from the left. Otherwise,
    it counts the playable cards in drawing order."""
    found = [pile for pile in piles(table) if any(map(touchable, pile.cards))]
    if not found or not (digit.isascii() and digit.isdigit()):
        return ""
    numbers = {card.ref.rpartition("#")[2]: card.ref for card in found[0].cards if card.face is None and not card.place}
    if numbers:
        return numbers.get(digit, "")
    lying = [card.ref for card in found[0].cards]
    if len(found) > 1 and found[0].form not in HELD:
        offered = {card.ref for pile in found for card in pile.cards if touchable(card)}
        lying = [ref for ref in drawn if ref in offered]
    return dict(zip(DIGITS + "0", lying, strict=False)).get(digit, "")


def piles(table: Table) -> Iterator[Pile]:
    """Yield all piles on the table, the viewer's first."""
    return (pile for place in (*table.places, table.middle, *table.kinds) for pile in place.piles)
