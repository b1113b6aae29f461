"""Focus and input state of a decision: cursor, held refs, numbers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container

from attrs import define, field

from cardlang.terminal.screen.asking import CONFIRM, closed_ref
from cardlang.terminal.screen.keying import candidates, keyed, option_at, options, ref_of, verbs
from cardlang.terminal.screen.lying import touchable
from interpreter.table.model import Action, Amount, Ask, Closed, Table

LONGEST = 12
"""Maximum number of digits typed, more than any legal number has."""


def reachable(table: Table, held: tuple[str, ...] = ()) -> set[str]:
    """Return the refs that the cursor can reach: selectable refs, and the viewer's cards, to ask why they are illegal.

    If refs are held, only those of the remaining moves."""
    ask = table.ask
    if held:
        left = candidates(table, held)
        return {ref for each in left for ref in (ref_of(each), *each.touches)} - {*held}
    found: set[str] = set()
    for place in (*table.places, table.middle, *table.kinds):
        own = place.name == table.viewer and place.seat >= 0
        found |= {card.ref for pile in place.piles for card in pile.cards if own or touchable(card)}
    if ask is None:
        return found
    if ask.choosing is not None and ask.choosing.open:
        found -= {ref for ref in found if ref not in ask.choosing.refs}
    found |= {ref for action in ask.actions for ref in action.touches}
    found |= {ref_of(each) for each in options(ask)}
    found |= {closed_ref(each) for each in ask.closed} | {f"verb/{verb}" for verb in verbs(ask)}
    return found | ({CONFIRM, *ask.choosing.refs} if ask.choosing is not None else set())


def closed_at(ask: Ask | None, ref: str) -> Closed | None:
    return next((each for each in ask.closed if closed_ref(each) == ref), None) if ask is not None else None


def closed_by(table: Table, character: str) -> Closed | None:
    """Return the unavailable option with a letter, or None."""
    closed = table.ask.closed if table.ask is not None and character else ()
    return next((each for each in closed if each.key == character.lower()), None)


def name_of(table: Table, ref: str) -> str:
    """Return the name of a card, option or player for a question about it, or an empty string."""
    for place in (*table.places, table.middle, *table.kinds):
        if place.ref == ref:
            return place.name
        for pile in place.piles:
            for number, card in enumerate(pile.cards, 1):
                if card.ref == ref:
                    return card.code or f"#{ref.rpartition('#')[2] or number}"
    option = option_at(table.ask, ref) if table.ask is not None else None
    return option.text if isinstance(option, Action) else ""


@define
class Hand:
    """Input state of a person at one decision.

    `cursor`: highlighted ref. `held`: refs already given of a move that needs several. `amounts`: numbers set by the
    ref of their amount, possibly illegal or incomplete, none at first. `typed`: digits typed so far."""

    cursor: str = ""
    held: tuple[str, ...] = ()
    amounts: dict[str, int] = field(factory=dict)
    typed: str = ""

    def settle(self, drawn: Container[str]) -> None:
        """Clear the cursor if its ref is no longer drawn."""
        if self.cursor not in drawn:
            self.cursor = ""

    def free(self) -> None:
        """Clear the cursor and the held refs."""
        self.cursor, self.held, self.typed = "", (), ""

    def point_at_only(self, table: Table) -> None:
        """Highlight the only legal move, if there is just one. Enter then plays it."""
        ask = table.ask
        if ask is not None and ask.choosing is None and len(ask.actions) == 1 and not ask.amounts:
            (action,) = ask.actions
            self.cursor = action.touches[0] if action.touches else ref_of(action)

    # ------------------------------------------------------------ moves with refs
    def verb(self, table: Table, character: str) -> str:
        """Return the ref of the option with a letter if it involves refs, else an empty string."""
        ask = table.ask
        if ask is None or self.held or not character:
            return ""
        return next((f"verb/{verb}" for verb, key in verbs(ask).items() if key == character.lower()), "")

    def hold_verb(self, table: Table, verb: str) -> None:
        """Hold an option.

        The cursor stays on a ref that fits the option, or moves to the option's only move."""
        left, self.held = candidates(table, (verb,)), (verb,)
        if not candidates(table, (verb, self.cursor)):
            self.cursor = ref_of(left[0]) if len(left) == 1 else ""

    def hold(self, table: Table, ref: str) -> Action | None:
        """Hold a ref and clear the cursor. Return the move if only one is left, else None."""
        held = self.held if candidates(table, (*self.held, ref)) else ()
        left = candidates(table, (*held, ref))
        if len(left) == 1:
            return left[0]
        self.held = (*(each for each in held if each != ref), ref) if left else ()
        if left:
            self.cursor = ""
        return None

    def keyed(self, table: Table, character: str) -> Action | Amount | None:
        """Return the option of a letter, or of a number among the remaining moves, or None."""
        ask = table.ask
        if ask is None or not character:
            return None
        shown = dict(reversed(keyed(table, self.cursor, self.held)))
        amounts = {each.key: each for each in ask.amounts}
        return shown.get(character.lower()) or amounts.get(character.lower())

    # ------------------------------------------------------------ numbers
    def at(self, table: Table) -> Amount | None:
        """Return the amount that digits and arrows change: the one at the cursor, or the only one."""
        if table.ask is None:
            return None
        here = option_at(table.ask, self.cursor)
        if isinstance(here, Amount):
            return here
        return table.ask.amounts[0] if len(table.ask.amounts) == 1 else None

    def cursor_at(self, amount: Amount) -> bool:
        return self.cursor == ref_of(amount)

    def point(self, option: Action | Amount) -> None:
        """Highlight an option. Enter then plays it."""
        self.cursor, self.typed = ref_of(option), ""

    def leave(self, ref: str) -> None:
        """Move the cursor. Digits then start a new number."""
        self.cursor, self.typed = ref, ""

    def move_of(self, amount: Amount) -> int | None:
        """Return the move for the number set, or None if there is no number or it is illegal."""
        number = self.amounts.get(ref_of(amount))
        return amount.moves[amount.amounts.index(number)] if number in amount.amounts else None

    def missing(self, amount: Amount) -> str:
        """Return instructions if the number is missing or illegal, else an empty string."""
        number = self.amounts.get(ref_of(amount))
        if number is None:
            return f"Type a number ({range_of(amount)}), then press Enter."
        if number in amount.amounts:
            return ""
        far = "too high" if number > amount.high else "too low" if number < amount.low else "not possible"
        return f"{number} is {far}. Choose {range_of(amount)}."

    def objection(self, amount: Amount) -> str:
        """Return an error message if no legal number starts with the typed digits."""
        begun = self.typed and any(str(each).startswith(self.typed) for each in amount.amounts)
        return "" if begun or not self.typed else self.missing(amount)

    def turn(self, table: Table, by: int) -> bool:
        """Change the number at the cursor by a step. Return False if the cursor is at no number."""
        amount = self.at(table)
        if amount is None or not self.cursor_at(amount):
            return False
        self.amounts[ref_of(amount)] = turned(amount, self.amounts.get(ref_of(amount)), by)
        self.typed = ""
        return True

    def dial(self, table: Table, key: str, character: str) -> bool:
        """Handle a digit, +, -, Home, End or Backspace for a number. Return False for any other key or without a
        number."""
        amount = self.at(table)
        if amount is None or self.held:
            return False
        typed = self.typed if self.cursor_at(amount) else ""
        if key == "backspace":
            self.type(amount, (typed or str(self.amounts.get(ref_of(amount), "")).lstrip("-"))[:-1])
        elif key in ("home", "end") and self.cursor_at(amount):
            self.amounts[ref_of(amount)] = amount.low if key == "home" else amount.high
            self.typed = ""
        elif character in ("+", "-", "="):
            self.point(amount)
            self.turn(table, -1 if character == "-" else 1)
        elif character.isascii() and character.isdigit():
            self.type(amount, (typed + character)[:LONGEST])
        else:
            return False
        return True

    def type(self, amount: Amount, digits: str) -> None:
        """Set a number to the typed digits, or clear it without digits."""
        self.cursor, self.typed = ref_of(amount), digits
        if digits:
            self.amounts[ref_of(amount)] = int(digits)
        else:
            self.amounts.pop(ref_of(amount), None)


def turned(amount: Amount, number: int | None, by: int) -> int:
    """Return the legal number `by` steps away, or the lowest one if no number is set."""
    if number is None:
        return amount.low
    place = (bisect_right(amount.amounts, number) - 1 if by > 0 else bisect_left(amount.amounts, number)) + by
    return amount.amounts[max(0, min(place, len(amount.amounts) - 1))]


def range_of(amount: Amount) -> str:
    """Return the range of legal numbers as text."""
    whole = len(amount.amounts) == amount.high - amount.low + 1
    return f"{amount.low} to {amount.high}" + ("" if whole else ", but not every number")
