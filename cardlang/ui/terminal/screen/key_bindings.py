"""Key bindings and buttons of the legal moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from cardlang.ui.terminal.screen.table_queries import find_cards, find_named_ref
from interpreter.runtime.value_text import join_items
from interpreter.view.action_menu import DIGITS, find_label_digits
from interpreter.view.table_model import Action, ActionMenu, AmountAction, Table

MAX_ACTION_BUTTONS = 40
"""Maximum number of single actions drawn as buttons."""
DIGIT_KEYS = "123456789"
MOVE_KEYS = f"{DIGIT_KEYS}abcdefgijklmnoprstvxyz"
"""Keys for moves without a letter, in order."""


def get_button_ref(option: Action | AmountAction) -> str:
    """Return the ref of the button of an option."""
    return f"action/{option.move}" if isinstance(option, Action) else f"amount/{option.key or option.label}"


def list_options(ask: ActionMenu) -> list[Action | AmountAction]:
    return [*ask.actions, *ask.amounts]


def find_option_at(ask: ActionMenu, ref: str) -> Action | AmountAction | None:
    """Return the option with a button ref, or None."""
    return next((each for each in list_options(ask) if get_button_ref(each) == ref), None)


def find_matching_actions(table: Table, picked: Iterable[str]) -> list[Action]:
    """Return the actions that involve all held refs, and belong to a held option.

    Identical cards count as the one that the moves name."""
    picked_refs = {find_named_ref(table, ref) for ref in picked}
    actions = table.ask.actions if table.ask is not None else ()
    return [each for each in actions if each.touches and picked_refs <= {*each.touches, f"verb/{each.verb}"}]


def find_enter_option(table: Table, cursor: str, picked: tuple[str, ...]) -> Action | AmountAction | None:
    """Return the option that Enter plays, or None if there is none or more input is needed.

    It is the option at the cursor, or the only move with the ref at the cursor."""
    option = find_option_at(table.ask, cursor) if table.ask is not None else None
    if option is not None or not cursor:
        return option
    left = find_matching_actions(table, (*picked, cursor)) or find_matching_actions(table, (cursor,))
    return left[0] if len(left) == 1 else None


def find_button_actions(table: Table, cursor: str, picked: tuple[str, ...]) -> list[Action]:
    """Return the actions that have a button.

    If refs are held, these are the remaining actions. Otherwise, actions without refs, single actions of an option and
    those of `find_named_actions` come first and keep their places. Actions with the ref at the cursor follow."""
    ask = table.ask
    assert ask is not None
    if picked:
        return find_matching_actions(table, picked)[:MAX_ACTION_BUTTONS]
    matching = find_matching_actions(table, (cursor,)) or [
        each for each in ask.actions if get_button_ref(each) == cursor
    ]
    count = Counter(each.verb for each in ask.actions)
    few = find_named_actions(table)
    free = [
        each
        for each in ask.actions
        if not each.touches or each in few or (each.verb in find_option_letters(ask) and count[each.verb] == 1)
    ]
    return [*free[:MAX_ACTION_BUTTONS], *(each for each in matching if each not in free[:MAX_ACTION_BUTTONS])][
        : 2 * MAX_ACTION_BUTTONS
    ]


def find_named_actions(table: Table) -> list[Action]:
    """Return the actions with a single ref that is no card, such as a player.

    Return none if there are too many or other actions involve cards."""
    ask = table.ask
    found = [each for each in ask.actions if each.touches] if ask is not None and not find_option_letters(ask) else []
    refs = {ref for each in found for ref in each.touches}
    return found if len(found) <= len(DIGIT_KEYS) and not any(find_cards(table, refs)) else []


def find_option_letters(ask: ActionMenu) -> dict[str, str]:
    """Return the options that involve refs, with their letters, if an option can be chosen first.

    That is the case if there are several kinds of options or an action involves several refs."""
    found = {each.verb: each.verb_key for each in ask.actions if each.verb}
    sorts = len(found) + len(ask.amounts) + sum(not each.touches for each in ask.actions)
    return found if sorts > 1 or any(len(each.touches) > 1 for each in ask.actions) else {}


def assign_keys(table: Table, cursor: str, picked: tuple[str, ...]) -> list[tuple[str, Action]]:
    """Return the actions that have a button, with their keys.

    An option's letter plays its only move with the ref at the cursor. Several moves are numbered, unknown cards by
    place."""
    assert table.ask is not None
    shown, open_now = find_button_actions(table, cursor, picked), find_option_letters(table.ask)
    count = Counter(each.verb for each in shown)
    numbered = [
        each
        for each in shown
        if not each.key and (f"verb/{each.verb}" in picked or count[each.verb] > 1 or not open_now)
    ]
    numbers = assign_number_keys(table, numbered) if len(numbered) > 1 or picked else [""] * len(numbered)
    by_move = dict(zip((each.move for each in numbered), numbers, strict=False))
    return [(each.key or by_move.get(each.move, open_now.get(each.verb, "")), each) for each in shown]


def assign_number_keys(table: Table, actions: Sequence[Action]) -> list[str]:
    """Return the keys of several actions.

    In order of preference: places of their cards, initials of players, numbers in their labels, position. If the labels
    contain ambiguous numbers, letters are used."""
    at = find_card_numbers(table)
    found = [next((at[ref] for ref in each.touches if ref in at), "") for each in actions]
    if all(len(card_number) == 1 for card_number in found) and len({*found}) == len(found):
        return found
    if initials := assign_initial_keys(actions):
        return initials
    named = [describe_difference(table, each, find_common_start([each.label for each in actions])) for each in actions]
    keys = find_label_digits(named) or (MOVE_KEYS.lstrip(DIGIT_KEYS) if any(map(DIGITS.search, named)) else MOVE_KEYS)
    return [*keys[: len(actions)], *[""] * (len(actions) - len(keys))]


def assign_initial_keys(actions: Sequence[Action]) -> list[str]:
    """Return the initials of the players in the actions if these are unique and free, else nothing."""
    found = [[ref.removeprefix("player/") for ref in each.touches if ref.startswith("player/")] for each in actions]
    letters = [names[0][:1].lower() for names in found if len(names) == 1]
    fit = len({*letters}) == len(actions) == len({*letters} & {*MOVE_KEYS.lstrip(DIGIT_KEYS)})
    return letters if fit else []


def find_card_numbers(table: Table) -> dict[str, str]:
    """Return the number of each card that is named by its place in a grid, or among unknown cards."""
    found: dict[str, str] = {}
    for pile in (pile for area in (*table.places, table.middle, *table.kinds) for pile in area.piles):
        for number, card in enumerate(pile.cards, 1):
            if card.place or not card.code:
                found[card.ref] = str(number) if card.place else card.ref.rpartition("#")[2]
    return found


def describe_difference(table: Table, action: Action, lead: str) -> str:
    """Return the part of a move that distinguishes it: its cards, else its label without the common start."""
    codes = [card.code for card in find_cards(table, action.touches) if card.code]
    return " ".join(codes) or action.label.removeprefix(lead)


def describe_highlight_keys(table: Table, cursor: str, picked: tuple[str, ...]) -> str:
    """Return the keys that highlight something here, such as `an arrow, a number or a letter`."""
    ask = table.ask
    assert ask is not None
    keys = [key for key, _ in assign_keys(table, cursor, picked)]
    keys += [] if picked else [*find_option_letters(ask).values(), *(each.key for each in ask.amounts)]
    digit, letter = (any(map(kind, keys)) for kind in (str.isdigit, str.isalpha))
    return join_items(["an arrow", *["a number"] * digit, *["a letter"] * letter], "or")


def explain_highlighting(table: Table, cursor: str, picked: tuple[str, ...]) -> str:
    """Return instructions for a press of Enter that has no effect yet."""
    key_texts = describe_highlight_keys(table, cursor, picked)
    if picked:
        return f"Which one? Press {key_texts}, then Enter."
    return f"Nothing is highlighted yet. Press {key_texts}, then Enter."


def find_common_start(labels: Sequence[str]) -> str:
    """Return the words with which several labels begin, such as `Take [9s] for`.

    Return them only if they are two or more words and no label ends in a number. A list of cards is never split."""
    columns = zip(*(label.split(" ")[:-1] for label in labels), strict=False)
    alike = [words[0] for words in takewhile(lambda words: len({*words}) == 1, columns)]
    while alike and " ".join(alike).count("[") != " ".join(alike).count("]"):
        alike.pop()
    is_common = len(labels) > 1 and len(alike) > 1 and not any(label.split(" ")[-1].isdigit() for label in labels)
    return " ".join(alike) if is_common else ""
