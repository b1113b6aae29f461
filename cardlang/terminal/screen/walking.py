"""Where keys take the cursor: in which order arrows go, where they begin, which card a digit means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang.terminal.screen.asking import CONFIRM, closed_ref
from cardlang.terminal.screen.cards import cards_at, touchable
from cardlang.terminal.screen.keying import candidates, named_only, ref_of, shown_actions
from interpreter.table.model import Pile, Table


def walked(table: Table, refs: Iterable[str]) -> list[str]:
    """Refs in the order in which arrows go to them: as they are given (what is ticked by its name, as the names stand),
    but what confirms a set behind all that can be in it, and last what cannot be the answer: closed options, and piles
    of which no card can be. Not to what has a button besides."""
    idle = {card.ref for pile in piles(table) if not any(map(touchable, pile.cards)) for card in pile.cards}
    if table.ask is not None:
        idle -= {ref for action in table.ask.actions for ref in action.touches}
        idle |= {closed_ref(each) for each in table.ask.closed}
    twice = {ref for action in named_only(table) for ref in action.touches}
    once = [ref for ref in refs if ref not in twice]
    order = {ref: number for number, ref in enumerate([*once, *named(table)])}
    return sorted(once, key=lambda ref: (2 if ref in idle else int(ref == CONFIRM), order[ref]))


def named(table: Table) -> list[str]:
    """What is ticked by its name, as it is no card."""
    choosing = table.ask.choosing if table.ask is not None else None
    return [ref for ref, label in zip(choosing.refs, choosing.labels, strict=False) if label] if choosing else []


def first(table: Table, held: tuple[str, ...], drawn: Iterable[str]) -> str:
    """Where the cursor goes from nowhere: to the cards of what is held, or to the moves that are left of it; else to
    where something can be done. `drawn`: what it can go to, in the order of arrows."""
    left = candidates(table, held) if held else []
    cards = [card.ref for each in left for card in cards_at(table, each.touches) if card.ref not in held]
    refs = [*drawn]
    return next((ref for ref in (*cards, *map(ref_of, left), *useful(table, refs)) if ref in refs), "")


def useful(table: Table, drawn: Iterable[str]) -> list[str]:
    """What can be done something with, the cards first."""
    ask = table.ask
    if ask is None:
        return []
    cards = [card.ref for pile in piles(table) for card in pile.cards if touchable(card)]
    others = [ref for action in ask.actions for ref in action.touches]
    ticked = [ref for ref in drawn if ask.choosing is not None and ref in ask.choosing.refs]
    return [*cards, *ticked, *map(ref_of, shown_actions(table, "", ())), *map(ref_of, ask.amounts), *others, CONFIRM]


def card_at(table: Table, digit: str) -> str:
    """The card that a digit means where no option has it: the one with this number of those that nobody can tell, else
    the one so far from the left in the first pile, the viewer's own before others, of which some can be taken. Empty,
    if there is none."""
    pile = next((pile for pile in piles(table) if any(map(touchable, pile.cards))), None)
    if pile is None or not (digit.isascii() and digit.isdigit()):
        return ""
    numbers = {card.ref.rpartition("#")[2]: card.ref for card in pile.cards if card.face is None and not card.place}
    lying = {str(number): card.ref for number, card in enumerate(pile.cards, 1)}
    return (numbers or lying).get(digit, "")


def piles(table: Table) -> Iterator[Pile]:
    """All that lie anywhere, those of whoever looks first."""
    return (pile for place in (*table.places, table.middle, *table.kinds) for pile in place.piles)
