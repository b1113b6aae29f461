"""Cursor, selection of cards and arrow-key navigation."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from attrs import define, field

from cardlang.ui.terminal.screen.action_panel import CONFIRM_REF, get_closed_option_ref, is_single_pick
from cardlang.ui.terminal.screen.key_bindings import (
    DIGIT_KEYS,
    assign_choice_keys,
    assign_keys,
    find_actions_without_cards,
    find_button_actions,
    find_enter_option,
    find_matching_actions,
    find_option_at,
    find_option_letters,
    get_button_ref,
    list_options,
)
from cardlang.ui.terminal.screen.table_panes import RefBox, find_neighbour
from cardlang.ui.terminal.screen.table_queries import find_cards, find_ref_named_by_moves, is_actionable
from interpreter.view.table_model import Action, ActionMenu, AmountAction, Table, TablePile, UnavailableOption

MAX_DIGITS = 12
"""Maximum number of digits typed, more than any legal number has."""


def find_reachable_refs(table: Table, picked: tuple[str, ...] = ()) -> set[str]:
    """Return the refs that the cursor can reach: selectable refs, and the viewer's cards, to ask why they are illegal.

    If refs are held, only those in which the remaining moves differ."""
    ask = table.ask
    if picked:
        left = find_matching_actions(table, picked)
        common = set[str](left[0].touches).intersection(*(each.touches for each in left)) if len(left) > 1 else set()
        return {ref for option in left for ref in (get_button_ref(option), *option.touches)} - {*picked} - common
    refs: set[str] = set()
    for area in (*table.places, table.middle, *table.kinds):
        is_own = area.name == table.viewer and area.seat >= 0
        refs |= {card.ref for pile in area.piles for card in pile.cards if is_own or is_actionable(card)}
    if ask is None:
        return refs
    if ask.choosing is not None and ask.choosing.open:
        refs -= {ref for ref in refs if ref not in ask.choosing.refs}
    refs |= {ref for action in ask.actions for ref in action.touches}
    refs |= {get_button_ref(option) for option in list_options(ask)}
    refs |= {get_closed_option_ref(option) for option in ask.closed} | {
        f"verb/{verb}" for verb in find_option_letters(ask)
    }
    return refs | ({CONFIRM_REF, *ask.choosing.refs} if ask.choosing is not None else set())


def find_closed_option(ask: ActionMenu | None, ref: str) -> UnavailableOption | None:
    return (
        next((option for option in ask.closed if get_closed_option_ref(option) == ref), None)
        if ask is not None
        else None
    )


def find_closed_option_by_key(table: Table, character: str) -> UnavailableOption | None:
    """Return the unavailable option with a letter, or None."""
    closed = table.ask.closed if table.ask is not None and character else ()
    return next((option for option in closed if option.key == character.lower()), None)


def find_ref_name(table: Table, ref: str) -> str:
    """Return the name of a card, option or player for a question about it, or an empty string."""
    for area in (*table.places, table.middle, *table.kinds):
        if area.ref == ref:
            return area.name
        for pile in area.piles:
            for number, card in enumerate(pile.cards, 1):
                if card.ref == ref:
                    return card.code or f"#{ref.rpartition('#')[2] or number}"
    option = find_option_at(table.ask, ref) if table.ask is not None else None
    return option.text if isinstance(option, Action) else ""


@define
class InputState:
    """Input state of a person at one decision.

    `cursor`: highlighted ref. `picked`: refs already given of a move that needs several. `amounts`: numbers set by the
    ref of their amount, possibly illegal or incomplete, none at first. `typed`: digits typed so far."""

    cursor: str = ""
    picked: tuple[str, ...] = ()
    amounts: dict[str, int] = field(factory=dict)
    typed: str = ""

    def clear_missing_cursor(self, drawn: Container[str]) -> None:
        """Clear the cursor if its ref is no longer drawn."""
        if self.cursor not in drawn:
            self.cursor = ""

    def clear(self) -> None:
        """Clear the cursor, the held refs and the numbers."""
        self.cursor, self.picked, self.typed = "", (), ""
        self.amounts.clear()

    def highlight_only_move(self, table: Table) -> None:
        """Highlight the only legal move, if there is just one. Enter then plays it."""
        ask = table.ask
        if ask is not None and ask.choosing is None and len(ask.actions) == 1 and not ask.amounts:
            (action,) = ask.actions
            self.cursor = action.touches[0] if action.touches else get_button_ref(action)

    def can_play(self, table: Table) -> bool:
        """Return whether Enter plays the highlighted ref, or asks for the rest of its move."""
        choosing = table.ask.choosing if table.ask is not None else None
        if choosing is not None and self.cursor in choosing.refs:
            return is_single_pick(choosing, self.cursor)
        return bool(self.cursor) and self.cursor not in find_unplayable_refs(table)

    # ------------------------------------------------------------ moves with refs
    def find_option_ref(self, table: Table, character: str) -> str:
        """Return the ref of the option with a letter if it involves refs, else an empty string."""
        ask = table.ask
        if ask is None or self.picked or not character:
            return ""
        return next((f"verb/{verb}" for verb, key in find_option_letters(ask).items() if key == character.lower()), "")

    def pick_option(self, table: Table, verb: str) -> Action | None:
        """Hold an option. The cursor stays on a ref that fits it. Return the move if only one is left, else None."""
        self.picked = (verb,)
        left = find_matching_actions(table, (verb, self.cursor))
        if not left:
            left, self.cursor = find_matching_actions(table, self.picked), ""
        return left[0] if len(left) == 1 else None

    def pick_ref(self, table: Table, ref: str) -> Action | None:
        """Hold a ref and clear the cursor. Return the move if only one is left, else None."""
        picked_refs = self.picked if find_matching_actions(table, (*self.picked, ref)) else ()
        left = find_matching_actions(table, (*picked_refs, ref))
        if len(left) == 1:
            return left[0]
        self.picked = (*(picked_ref for picked_ref in picked_refs if picked_ref != ref), ref) if left else ()
        if left:
            self.cursor = ""
        return None

    def find_option_by_key(self, table: Table, character: str) -> Action | AmountAction | None:
        """Return the option of a letter, or of a number among the remaining moves, or None."""
        ask = table.ask
        if ask is None or not character:
            return None
        shown = dict(reversed(assign_keys(table, self.cursor, self.picked)))
        amounts = {amount.key: amount for amount in ask.amounts}
        return shown.get(character.lower()) or amounts.get(character.lower())

    def find_choice_by_key(self, table: Table, character: str) -> str:
        """Return the ref that is selected by name and has a key, or an empty string."""
        choosing = table.ask.choosing if table.ask is not None else None
        return assign_choice_keys(choosing).get(character.lower(), "")

    # ------------------------------------------------------------ numbers
    def find_active_amount(self, table: Table) -> AmountAction | None:
        """Return the amount that digits and arrows change: the one at the cursor, or the only one."""
        if table.ask is None:
            return None
        highlighted_option = find_option_at(table.ask, self.cursor)
        if isinstance(highlighted_option, AmountAction):
            return highlighted_option
        return table.ask.amounts[0] if len(table.ask.amounts) == 1 else None

    def is_cursor_at(self, amount: AmountAction) -> bool:
        return self.cursor == get_button_ref(amount)

    def highlight_option(self, option: Action | AmountAction) -> None:
        """Highlight an option. Enter then plays it."""
        self.cursor, self.typed = get_button_ref(option), ""

    def move_cursor(self, ref: str) -> None:
        """Move the cursor. Digits then start a new number."""
        self.cursor, self.typed = ref, ""

    def find_amount_move(self, amount: AmountAction) -> int | None:
        """Return the move for the number set, or None if there is no number or it is illegal."""
        number = self.amounts.get(get_button_ref(amount))
        return amount.moves[amount.amounts.index(number)] if number in amount.amounts else None

    def explain_missing_number(self, amount: AmountAction) -> str:
        """Return instructions if the number is missing or illegal, else an empty string."""
        number = self.amounts.get(get_button_ref(amount))
        if number is None:
            return f"Type a number ({format_legal_range(amount)}), then press Enter."
        if number in amount.amounts:
            return ""
        far = "too high" if number > amount.high else "too low" if number < amount.low else "not possible"
        return f"{number} is {far}. Choose {format_legal_range(amount)}."

    def explain_impossible_digits(self, amount: AmountAction) -> str:
        """Return an error message if no legal number starts with the typed digits."""
        begun = self.typed and any(str(number).startswith(self.typed) for number in amount.amounts)
        return "" if begun or not self.typed else self.explain_missing_number(amount)

    def step_number(self, table: Table, steps: int, by_size: bool = False) -> bool:
        """Change the number at the cursor by a step. Return False if the cursor is at no number.

        `by_size`: step to the next usual bet, such as half the pot, if there are any."""
        amount = self.find_active_amount(table)
        if amount is None or not self.is_cursor_at(amount):
            return False
        numbers = (
            sorted({amount.low, *(size for _, size in amount.sizes), amount.high})
            if by_size and amount.sizes
            else amount.amounts
        )
        self.amounts[get_button_ref(amount)] = step_amount(numbers, self.amounts.get(get_button_ref(amount)), steps)
        self.typed = ""
        return True

    def process_number_key(self, table: Table, key: str, character: str) -> bool:
        """Handle a digit, +, -, Home, End or Backspace for a number. Return False for any other key or without a
        number."""
        amount = self.find_active_amount(table)
        if amount is None or self.picked:
            return False
        typed = self.typed if self.is_cursor_at(amount) else ""
        if key == "backspace":
            self.set_typed_number(amount, (typed or str(self.amounts.get(get_button_ref(amount), "")).lstrip("-"))[:-1])
        elif key in ("home", "end") and self.is_cursor_at(amount):
            self.amounts[get_button_ref(amount)] = amount.low if key == "home" else amount.high
            self.typed = ""
        elif character in ("+", "-", "="):
            self.highlight_option(amount)
            self.step_number(table, -1 if character == "-" else 1)
        elif character.isascii() and character.isdigit():
            self.set_typed_number(amount, (typed + character)[:MAX_DIGITS])
        else:
            return False
        return True

    def set_typed_number(self, amount: AmountAction, digits: str) -> None:
        """Set a number to the typed digits, or clear it without digits."""
        self.cursor, self.typed = get_button_ref(amount), digits
        if digits:
            self.amounts[get_button_ref(amount)] = int(digits)
        else:
            self.amounts.pop(get_button_ref(amount), None)


def step_amount(numbers: Sequence[int], number: int | None, steps: int) -> int:
    """Return the number `steps` steps away among ascending numbers, or the lowest one if no number is set."""
    if number is None:
        return numbers[0]
    index = (bisect_right(numbers, number) - 1 if steps > 0 else bisect_left(numbers, number)) + steps
    return numbers[max(0, min(index, len(numbers) - 1))]


def format_legal_range(amount: AmountAction) -> str:
    """Return the range of legal numbers as text."""
    is_complete = len(amount.amounts) == amount.high - amount.low + 1
    return f"{amount.low} to {amount.high}" + ("" if is_complete else ", but not every number")


# ---------------------------------------------------------------- navigation
OWN_FORMS = ("hand", "grid")
"""Forms of piles whose cards the owner plays from."""


def order_refs_for_navigation(table: Table, refs: Iterable[str]) -> list[str]:
    """Return refs in navigation order.

    The given order holds, and the order of names for named options. The confirm button comes after the set, and refs
    that can't be played come last. Refs with a button of their own are left out."""
    unplayable = find_unplayable_refs(table)
    twice = {ref for action in find_actions_without_cards(table) for ref in action.touches}
    once = [ref for ref in refs if ref not in twice]
    order = {ref: number for number, ref in enumerate([*once, *find_named_refs(table)])}
    return sorted(once, key=lambda ref: (2 if ref in unplayable else int(ref == CONFIRM_REF), order[ref]))


def find_unplayable_refs(table: Table) -> set[str]:
    """Return the refs that can't be played: cards that can't be taken, unavailable options, and a confirm button not
    ready yet."""
    cards = (card for pile in list_all_piles(table) for card in pile.cards)
    unplayable = {
        card.ref for card in cards if not is_actionable(card) and find_ref_named_by_moves(table, card.ref) == card.ref
    }
    if table.ask is not None:
        unplayable -= {ref for action in table.ask.actions for ref in action.touches}
        unplayable |= {get_closed_option_ref(option) for option in table.ask.closed}
        unplayable -= {*table.ask.choosing.refs} if table.ask.choosing is not None else set()
        unplayable |= {CONFIRM_REF} if table.ask.choosing is not None and not table.ask.choosing.ready else set()
    return unplayable


def find_next_cursor(
    table: Table, picked: tuple[str, ...], cursor: str, drawn: Mapping[str, RefBox], direction: str
) -> str:
    """Return the new position of the cursor after a navigation key.

    Up and down reach everything drawn. Left and right wrap around the playable refs, or around the others if the cursor
    is on one of those. `drawn` is in the order of `order_refs_for_navigation`."""
    unplayable = find_unplayable_refs(table)
    meant_too = find_enter_option(table, cursor, picked)
    same = get_button_ref(meant_too) if meant_too is not None else ""  # skip the button that duplicates the card
    ring = {
        ref: at
        for ref, at in drawn.items()
        if ref == cursor or ((ref in unplayable) == (cursor in unplayable) and ref != same)
    }
    if cursor:
        return find_neighbour({**drawn} if direction in ("up", "down") else ring, cursor, direction)
    start = find_first_cursor(table, picked, drawn)
    if direction in ("left", "previous", "last"):
        pile = start.rpartition("#")[0]
        return [ref for ref in ring if (ref.rpartition("#")[0] == pile and pile) or ref == start][-1] if start else ""
    return start


def find_named_refs(table: Table) -> list[str]:
    """Return the selectable refs that are no cards and are selected by name."""
    choosing = table.ask.choosing if table.ask is not None else None
    return [ref for ref, label in zip(choosing.refs, choosing.labels, strict=False) if label] if choosing else []


def find_first_cursor(table: Table, picked: tuple[str, ...], drawn: Iterable[str]) -> str:
    """Return the first position of the cursor.

    With held refs, it is a card or button of the remaining moves. Otherwise, it is the first useful ref. `drawn`:
    reachable refs in navigation order."""
    left = find_matching_actions(table, picked) if picked else []
    cards = [card.ref for action in left for card in find_cards(table, action.touches) if card.ref not in picked]
    refs = [*drawn]
    return next(
        (ref for ref in (*cards, *map(get_button_ref, left), *find_playable_refs(table, refs)) if ref in refs), ""
    )


def find_playable_refs(table: Table, drawn: Sequence[str]) -> list[str]:
    """Return the refs with a legal action: the viewer's own cards first, then others as drawn."""
    ask = table.ask
    if ask is None:
        return []
    own_piles = [pile for pile in list_all_piles(table) if pile.form in OWN_FORMS and pile.owner == table.viewer]
    own_refs = [card.ref for pile in own_piles for card in pile.cards if is_actionable(card)]
    offered = {card.ref for pile in list_all_piles(table) for card in pile.cards if is_actionable(card)}
    cards = [*own_refs, *(ref for ref in drawn if ref in offered)]
    others = [ref for action in ask.actions for ref in action.touches]
    ticked = [ref for ref in drawn if ask.choosing is not None and ref in ask.choosing.refs]
    return [
        *cards,
        *ticked,
        *map(get_button_ref, find_button_actions(table, "", ())),
        *map(get_button_ref, ask.amounts),
        *others,
        CONFIRM_REF,
    ]


def find_card_by_digit(table: Table, digit: str, drawn: Iterable[str]) -> str:
    """Return the card that a digit means if no option has that digit, or an empty string. 0 is the tenth card.

    Unknown cards go by their number. In the viewer's hand or a single pile, the digit counts from the left. Otherwise,
    it counts the playable cards in drawing order."""
    playable_piles = [pile for pile in list_all_piles(table) if any(map(is_actionable, pile.cards))]
    if not playable_piles or not (digit.isascii() and digit.isdigit()):
        return ""
    numbers = {
        card.ref.rpartition("#")[2]: card.ref
        for card in playable_piles[0].cards
        if card.face is None and not card.place
    }
    if numbers:
        return numbers.get(digit, "")
    refs = [card.ref for card in playable_piles[0].cards]
    if len(playable_piles) > 1 and playable_piles[0].form not in OWN_FORMS:
        offered = {card.ref for pile in playable_piles for card in pile.cards if is_actionable(card)}
        refs = [ref for ref in drawn if ref in offered]
    return dict(zip(DIGIT_KEYS + "0", refs, strict=False)).get(digit, "")


def list_all_piles(table: Table) -> Iterator[TablePile]:
    """Yield all piles on the table, the viewer's first."""
    return (pile for area in (*table.places, table.middle, *table.kinds) for pile in area.piles)
