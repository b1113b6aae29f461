"""Key bindings and buttons of the legal moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from cardlang.ui.terminal.screen.table_queries import find_cards, find_ref_named_by_moves
from interpreter.runtime.value_formatting import join_items
from interpreter.view.action_menu import DIGITS, find_label_digits
from interpreter.view.table_model import Action, ActionMenu, AmountAction, Selection, Table

MAX_ACTION_BUTTONS = 40
"""Maximum number of single actions drawn as buttons."""
DIGIT_KEYS = "123456789"
LETTER_KEYS = "abcdefgijklmnoprstvxyz"
"""Letters for moves without one of their own, in order."""


def get_button_ref(option: Action | AmountAction) -> str:
    """Return the ref of the button of an option."""
    return f"action/{option.move}" if isinstance(option, Action) else f"amount/{option.key or option.label}"


def list_options(ask: ActionMenu) -> list[Action | AmountAction]:
    return [*ask.actions, *ask.amounts]


def find_option_at(ask: ActionMenu, ref: str) -> Action | AmountAction | None:
    """Return the option with a button ref, or None."""
    return next((option for option in list_options(ask) if get_button_ref(option) == ref), None)


def find_matching_actions(table: Table, picked: Iterable[str]) -> list[Action]:
    """Return the actions that involve all held refs, and belong to a held option.

    Identical cards count as the one that the moves name."""
    picked_refs = {find_ref_named_by_moves(table, ref) for ref in picked}
    actions = table.ask.actions if table.ask is not None else ()
    return [action for action in actions if action.touches and picked_refs <= {*action.touches, f"verb/{action.verb}"}]


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

    If refs are held, these are the remaining actions. Otherwise, actions without refs, single actions of an option
    and those of `find_actions_without_cards` come first and keep their places. Actions with the ref at the cursor
    follow."""
    ask = table.ask
    assert ask is not None
    if picked:
        return merge_copies(find_matching_actions(table, picked), cursor)[:MAX_ACTION_BUTTONS]
    matching = find_matching_actions(table, (cursor,)) or [
        action for action in ask.actions if get_button_ref(action) == cursor
    ]
    count = Counter(action.verb for action in ask.actions)
    few = find_actions_without_cards(table)
    free = [
        action
        for action in ask.actions
        if not action.touches or action in few or (action.verb in find_option_letters(ask) and count[action.verb] == 1)
    ]
    return [*free[:MAX_ACTION_BUTTONS], *(action for action in matching if action not in free[:MAX_ACTION_BUTTONS])][
        : 2 * MAX_ACTION_BUTTONS
    ]


def merge_copies(actions: Iterable[Action], cursor: str) -> list[Action]:
    """Return the actions, with one of those that differ only in copies of a card: the one at the cursor, if any."""
    merged: dict[tuple[str, ...], Action] = {}
    for action in actions:
        places = (action.label, *(ref.rpartition("#")[0] or ref for ref in action.touches))
        if places not in merged or cursor in action.touches:
            merged[places] = action
    return [*merged.values()]


def find_actions_without_cards(table: Table) -> list[Action]:
    """Return the actions with a single ref that is no card, such as a player.

    Return none if there are too many or other actions involve cards."""
    ask = table.ask
    actions = (
        [action for action in ask.actions if action.touches] if ask is not None and not find_option_letters(ask) else []
    )
    refs = {ref for action in actions for ref in action.touches}
    return actions if len(actions) <= len(DIGIT_KEYS) and not any(find_cards(table, refs)) else []


def find_option_letters(ask: ActionMenu) -> dict[str, str]:
    """Return the options that involve refs, with their letters, if an option can be chosen first.

    That is the case if there are several kinds of options or an action involves several refs."""
    letters = {action.verb: action.verb_key for action in ask.actions if action.verb}
    sorts = len(letters) + len(ask.amounts) + sum(not action.touches for action in ask.actions)
    return letters if sorts > 1 or any(len(action.touches) > 1 for action in ask.actions) else {}


def assign_keys(table: Table, cursor: str, picked: tuple[str, ...]) -> list[tuple[str, Action]]:
    """Return the actions that have a button, with their keys.

    An option's letter plays its only move with the ref at the cursor. Several moves are numbered, unknown cards by
    place."""
    assert table.ask is not None
    shown, open_now = find_button_actions(table, cursor, picked), find_option_letters(table.ask)
    count = Counter(action.verb for action in shown)
    numbered = [
        action
        for action in shown
        if not action.key and (f"verb/{action.verb}" in picked or count[action.verb] > 1 or not open_now)
    ]
    letters = f"{LETTER_KEYS}w" if picked else [key for key in LETTER_KEYS if key not in table.ask.options]
    several = len(numbered) > 1 or (numbered and picked and len(shown) > 1)
    numbers = assign_number_keys(table, numbered, letters) if several else [""] * len(numbered)
    by_move = dict(zip((action.move for action in numbered), numbers, strict=False))
    return [(action.key or by_move.get(action.move, open_now.get(action.verb, "")), action) for action in shown]


def find_player_keys(table: Table, picked: tuple[str, ...]) -> dict[str, str]:
    """Return the players to choose between first, by their initials, if a held option has several moves for one.

    Return none if the initials are not unique, or some moves involve no player."""
    actions = find_matching_actions(table, picked) if picked[:1] and picked[0].startswith("verb/") else []
    players = [[ref for ref in action.touches if ref.startswith("player/")] for action in actions]
    refs = list(dict.fromkeys(ref for each in players for ref in each))
    if any(len(each) != 1 for each in players) or not 2 <= len(refs) < len(actions) or {*refs} & {*picked}:
        return {}
    keys = {ref.removeprefix("player/")[:1].lower(): ref for ref in refs}
    return keys if len(keys) == len(refs) == len({*keys} & {*LETTER_KEYS}) else {}


def assign_number_keys(table: Table, actions: Sequence[Action], letters: Sequence[str]) -> list[str]:
    """Return the keys of several actions.

    In order of preference: places of their cards, initials of players or values, numbers in their labels, position. If
    the labels contain ambiguous numbers, letters are used. `letters`: letters without another meaning."""
    at = find_card_numbers(table)
    card_numbers = [next((at[ref] for ref in action.touches if ref in at), "") for action in actions]
    if all(len(card_number) == 1 for card_number in card_numbers) and len({*card_numbers}) == len(card_numbers):
        return card_numbers
    if initials := assign_initial_keys(table, actions, letters):
        return initials
    named = describe_differences(table, actions)
    position_keys = ["" if any(map(DIGITS.search, named)) else DIGIT_KEYS, letters]
    keys = find_label_digits(named) or [key for each in position_keys for key in each]
    return [*keys[: len(actions)], *[""] * (len(actions) - len(keys))]


def assign_choice_keys(choosing: Selection | None) -> dict[str, str]:
    """Return the refs that are selected by name, by their keys: initials if these are unique and free, else digits."""
    pairs = zip(choosing.refs, choosing.labels, strict=False) if choosing is not None else ()
    named = {ref: label[:1].lower() for ref, label in pairs if label}
    is_unique = len({*named.values()} & {*LETTER_KEYS}) == len(named)
    return dict(zip(named.values() if is_unique else DIGIT_KEYS, named, strict=False))


def assign_initial_keys(table: Table, actions: Sequence[Action], letters: Sequence[str]) -> list[str]:
    """Return the initials of the players or values in which the actions differ, else nothing.

    The initials of all players and values of that kind must differ, so that each keeps its key for the match."""
    shared = {*actions[0].touches}.intersection(*(action.touches for action in actions))
    initials = {area.ref: area.name[:1].lower() for area in (*table.places, *table.kinds)}
    refs = [[ref for ref in action.touches if ref in initials and ref not in shared] for action in actions]
    kinds = {ref.rpartition("/")[0] for each in refs for ref in each}
    of_kind = [initial for ref, initial in initials.items() if ref.rpartition("/")[0] in kinds]
    keys = [initials[each[0]] for each in refs if len(each) == 1]
    is_unique = len({*keys}) == len(actions) and len({*of_kind}) == len(of_kind) and {*keys} <= {*letters}
    return keys if is_unique else []


def find_card_numbers(table: Table) -> dict[str, str]:
    """Return the number of each card that is named by its place in a grid, or among unknown cards."""
    numbers: dict[str, str] = {}
    for pile in (pile for area in (*table.places, table.middle, *table.kinds) for pile in area.piles):
        for number, card in enumerate(pile.cards, 1):
            if card.place or not card.code:
                numbers[card.ref] = str(number) if card.place else card.ref.rpartition("#")[2]
    return numbers


def describe_differences(table: Table, actions: Sequence[Action]) -> list[str]:
    """Return the part of each action that distinguishes it: its cards, else its label without the common start."""
    cards = [" ".join(card.code for card in find_cards(table, action.touches) if card.code) for action in actions]
    if len({*cards}) == len(actions) > 1 or len(actions) == 1:
        return [code or action.label for code, action in zip(cards, actions, strict=True)]
    words = [action.label.split(" ") for action in actions]
    same = sum(1 for _ in takewhile(lambda column: len({*column}) == 1, zip(*words, strict=False)))
    return [" ".join(each[same:]) for each in words]


def describe_highlight_keys(table: Table, cursor: str, picked: tuple[str, ...]) -> str:
    """Return the keys that highlight something here, such as `an arrow, a number or a letter`."""
    ask = table.ask
    assert ask is not None
    keys = [key for key, _ in assign_keys(table, cursor, picked)]
    keys += [] if picked else [*find_option_letters(ask).values(), *(amount.key for amount in ask.amounts)]
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
