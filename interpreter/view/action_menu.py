"""Menu of actions at a decision: question, buttons, amounts, bet sizes.

Actions are grouped by the cards and piles they touch, numbers become amounts, and sets show their selection.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile

from attrs import evolve

from cardlang.english.morphology import add_article, capitalize_first_letter, format_count
from cardlang.model import Game
from interpreter.narration.event_phrases import Cards
from interpreter.narration.hand_titles import spell_number
from interpreter.program.betting_roles_and_shown_hand import find_role
from interpreter.runtime.value_formatting import join_items
from interpreter.view.decision_view import DecisionView, IndexedMove, MoveView, NumberedMoves
from interpreter.view.player_view import SelectionView, View
from interpreter.view.table_model import Action, ActionMenu, AmountAction, Selection, TableArea, UnavailableOption

OPTION_KEYS = "abcdefgijklmnoprstvyz0123456789"
"""Keys for options. The letters h, q, u, w and x are reserved at every table for hint, quit, undo, why and skipping."""
NUMBER_KEYS = "123456789"
MAX_NUMBER_BUTTONS = 5
"""Maximum count of numbers shown as buttons. Otherwise the number is typed."""
MAX_NAMED_OPTIONS = 6
"""Maximum number of options that the question names."""
DIGITS = re.compile(r"\d+")
MAX_LISTED_LABELS = 1000
"""Maximum number of labels of amounts that a table lists. Above it, a pattern or the number must do."""


def build_action_menu(
    decision: DecisionView,
    selection: SelectionView | None,
    is_own_file: bool,
    hand_suffix: str,
    announced_text: str = "",
) -> ActionMenu:
    """Return the menu of a decision.

    - `selection`: progress of a selection of several cards or values.
    - `is_own_file`: the rule is in the game's own file, not in a library.
    - `hand_suffix`: ending of the refs of the viewer's piles.
    - `announced_text`: text of the action to respond to.
    """
    leads = dict(zip(decision.options, decision.option_leads, strict=True))
    keys = KeyAssigner(leads, decision.exclusive_pairs)
    order = tuple(dict.fromkeys(keys.keys_by_option.values()))
    legal_keys = {keys.keys_by_option.get(move.name, "") for move in decision.list_sample_moves()}
    amounts, rest = decision.numbered, decision.list_unnumbered_moves()
    if selection is not None:
        amounts, rest = (), [(number, move) for number, move in rest if move.text == "pass"]
    asked = " ".join(
        part for part in (announced_text, build_menu_question(decision, selection, amounts, hand_suffix)) if part
    )
    few, amounts = build_number_buttons(decision, amounts, rest)
    return ActionMenu(
        question=asked,
        words=decision.words if decision.words and not decision.words.endswith("?") else find_only_option_doc(decision),
        rule=decision.span.line if is_own_file else 0,
        actions=(*few, *build_actions(rest, keys, leads, numbered=not amounts)),
        amounts=tuple(build_amount_action(decision, moves, keys) for moves in amounts),
        choosing=build_selection(decision, selection) if selection is not None else None,
        closed=tuple(
            UnavailableOption(capitalize_first_letter(called), why, key if key not in legal_keys else "", by_card)
            for name, why, called, by_card in decision.unavailable
            for key in (keys.get_option_key(name),)
        ),
        options=order if len(order) > 1 and all(order) else (),
    )


def find_only_option_doc(decision: DecisionView) -> str:
    """Return the author's description of the only option, apart from passing."""
    if decision.kind not in ("menu", "offer"):
        return ""
    words = {move.words for move in decision.list_sample_moves() if not move.declines}
    return words.pop() if len(words) == 1 else ""


# ---------------------------------------------------------------- the question
def build_menu_question(
    decision: DecisionView, selection: SelectionView | None, amounts: Sequence[NumberedMoves], hand_suffix: str
) -> str:
    """Return the question in a sentence: `Pass three cards to West: 2 of 3 selected.`"""
    if decision.words.endswith("?"):
        if selection is None or not selection.low < selection.high > 1:
            return decision.words
        return f"{decision.words} ({describe_item_count(decision.noun, selection.low, selection.high)})"
    if decision.kind in ("menu", "offer", "react"):
        return build_options_question(decision)
    passing = ", or pass" if any(move.text == "pass" for move in decision.list_sample_moves()) else ""
    source = decision.source or describe_source_pile(decision, hand_suffix)
    verb = decision.verb.capitalize() or "Choose"
    if selection is not None:
        alone = selection.complete_singles
        single = selection.low == selection.high == 1 or (selection.low and {*alone} == selection.addable != set())
        what = (
            add_article(decision.noun) if single else describe_item_count(decision.noun, selection.low, selection.high)
        )
        asked = " ".join(part for part in (verb, what, source, decision.target) if part)
        if single and selection.low:
            return f"{asked}{passing}."
        of = f" of {selection.high}" if selection.high < len(selection.refs) or selection.low == selection.high else ""
        sum = ""
        if selection.total:
            add_up = f"which add{'s' * (len(selection.chosen) == 1)} up to {selection.running_total}"
            sum = f", {add_up if selection.chosen else f'to add up to {selection.total[1]}'}"
        return f"{asked}{passing}: {len(selection.chosen)}{of} selected{sum}."
    if amounts:
        numbers = amounts[0].numbers
        if decision.verb:
            what = describe_item_count("card", numbers[0], numbers[-1])
            return " ".join(part for part in (verb, what, source, decision.target) if part) + f"{passing}."
        return f"{verb} {add_article(decision.noun)}: {numbers[0]} to {numbers[-1]}{passing}."
    asked = " ".join(part for part in (verb, add_article(decision.noun), source, decision.target) if part)
    return f"{asked}{passing}."


def build_options_question(decision: DecisionView) -> str:
    """Return the legal options with their costs: `Call 24, raise or fold?`"""
    moves = decision.list_sample_moves()
    if all(move.declines for move in moves):
        return "You can only pass."
    leads = dict(zip(decision.options, decision.option_leads, strict=True))
    names: dict[object, str] = {}
    wordings: dict[object, list[tuple[str, ...]]] = {}
    for move in moves:
        wordings.setdefault((move.option, move.name), []).append(move.phrases)
    for move in moves:
        option = (move.option, move.name)
        if option not in names:
            names[option] = (
                move.label
                if not move.bindings
                else find_common_beginning(wordings[option]) or leads.get(move.name, move.name.replace("-", " "))
            )
    if len(names) > MAX_NAMED_OPTIONS:
        return "What do you do?"
    if len(names) == 1 and (what := describe_values_to_choose(decision)):
        return f"{capitalize_first_letter(next(iter(names.values())))}: choose {what}."
    option_names = [name[:1].lower() + name[1:] for name in names.values()]
    text = join_items(option_names, "or")
    return f"{text[:1].upper()}{text[1:]}{'?' if len(moves) > 1 else '.'}"


def find_common_beginning(wordings: Sequence[tuple[str, ...]]) -> str:
    """Return the common beginning of the wordings of an option's moves, up to a card; empty if there is none.

    For instance, it is `Take [9s]` for `Take [9s] for Top Left`.
    """
    columns = zip(*wordings, strict=False) if len(wordings) > 1 else ()
    alike = [phrases[0] for phrases in takewhile(lambda phrases: len({*phrases}) == 1, columns)]
    while alike and not isinstance(alike[-1], Cards):
        alike.pop()
    return "".join(alike)


def describe_values_to_choose(decision: DecisionView) -> str:
    """Return the values to choose with the only option: `a player and a rank`. It is empty if they include cards."""
    bound = next(move.bindings for move in decision.moves if not move.declines)
    if len(bound) < 2 or any(binding.tag == "card" for binding in bound):
        return ""
    nouns = [binding.ref.split("/")[1] if binding.tag == "member" else binding.tag for binding in bound]
    return join_items([add_article(noun.replace("-", " ").lower()) for noun in nouns])


def describe_source_pile(decision: DecisionView, hand_suffix: str) -> str:
    """Return the pile of all cards that can be chosen: `from the market`. It is empty for the viewer's own hand."""
    moves = decision.list_sample_moves()
    refs = {bound.ref.rpartition("#")[0] for move in moves for bound in move.bindings if bound.tag == "card"}
    if len(refs) != 1 or any(ref.endswith(hand_suffix) for ref in refs):
        return ""
    _, name, *owner = next(iter(refs)).split("/", 2)
    noun = name.replace("-", " ")
    return f"from {owner[0]}'s {noun}" if owner else f"from the {noun}"


def describe_item_count(noun: str, low: int, high: int) -> str:
    """Return a number of items in words: `three cards`, `up to five cards`, `1 to 3 cards`."""
    if low == high:
        return add_article(noun) if high == 1 else f"{spell_number(high)} {noun}s"
    if not low:
        return f"up to {spell_number(high)} {noun}{'s' * (high > 1)}"
    return f"{spell_number(low)} {'or' if high == low + 1 else 'to'} {spell_number(high)} {noun}s"


# ---------------------------------------------------------------- what can be done
def build_actions(
    moves: list[IndexedMove], keys: KeyAssigner, leads: Mapping[str, str], numbered: bool
) -> Iterator[Action]:
    """Yield the moves as actions with their keys.

    An option with a single move gets the letter of its name. Values get their first letters if these differ, or else
    digits if `numbered`, which means that digits have no other use.
    """
    alone = Counter(move.name for _, move in moves if not find_touched_refs(move))
    values = [
        move
        for _, move in moves
        if not (move.name and alone[move.name] == 1)
        and not is_option_variant(move)
        and not any("#" in ref for ref in find_touched_refs(move))  # cards are touched where they lie
    ]
    value_keys = keys.assign_value_keys(values, numbered)
    for index, move in moves:
        single = bool(move.name) and alone[move.name] == 1 and not find_touched_refs(move)
        yield Action(
            move=index,
            text=move.text,
            label=move.label,
            key=keys.get_option_key(move.name) if single else value_keys.get(move.text, ""),
            words=move.words,
            touches=find_touched_refs(move),
            verb=capitalize_first_letter(leads.get(move.name, move.name.replace("-", " ")))
            if is_option_variant(move)
            else "",
            verb_key=keys.get_option_key(move.name) if is_option_variant(move) else "",
            pile=move.pile,
        )


def find_touched_refs(move: MoveView) -> tuple[str, ...]:
    return tuple(bound.ref for bound in move.bindings if not bound.ref.startswith("value/"))


def is_option_variant(move: MoveView) -> bool:
    """Return whether a move is one of several of an option or verb, for different cards, players or values."""
    return bool(move.name and find_touched_refs(move))


def build_number_buttons(
    decision: DecisionView, amounts: tuple[NumberedMoves, ...], rest: list[IndexedMove]
) -> tuple[list[Action], tuple[NumberedMoves, ...]]:
    """Return buttons with digits for a few numbers, and the amounts that are left.

    This applies if the decision asks only for a number.
    """
    if len(amounts) != 1 or len(amounts[0].numbers) > MAX_NUMBER_BUTTONS or not all(move.declines for _, move in rest):
        return [], amounts
    if not all(0 <= number <= 9 for number in amounts[0].numbers):
        return [], amounts
    few = []
    for number, index in zip(amounts[0].numbers, amounts[0].indices, strict=True):
        move = decision.moves[index]
        counted = f"{number or 'no'} card{'s' * (number != 1)}" if decision.verb else number
        label = f"{build_amount_label(move, decision.noun)} {counted}" if move.label == str(number) else move.label
        few.append(Action(index, move.text, label, str(number), move.words))
    return few, ()


def build_amount_label(move: MoveView, noun: str) -> str:
    """Return the label for moves with a number. `noun`: the noun for the value, if there is neither option nor verb."""
    return (move.name.replace("-", " ") or noun).capitalize() or "Choose"


def build_amount_action(decision: DecisionView, moves: NumberedMoves, keys: KeyAssigner) -> AmountAction:
    """Return moves with a number as an amount."""
    first, is_long = decision.moves[moves.indices[0]], len(moves.numbers) > MAX_LISTED_LABELS
    label = build_amount_label(first, decision.noun)
    is_plain = is_long or first.label == f"{label} {moves.numbers[0]}"
    return AmountAction(
        label=label,
        key=keys.get_option_key(first.name or label),
        amounts=moves.numbers,
        moves=moves.indices,
        words=first.words,
        says=() if is_plain else tuple(decision.moves[index].label for index in moves.indices),
        pattern=moves.pattern if is_long else None,
    )


def find_label_digits(labels: Sequence[str]) -> list[str]:
    """Return the digit in each label, if each has exactly one number and these differ; else nothing."""
    digit_lists = [DIGITS.findall(label) for label in labels]
    digits = [found[0] for found in digit_lists if len(found) == 1 and len(found[0]) == 1]
    return digits if len({*digits}) == len(labels) else []


class KeyAssigner:
    """Assigner of unique keys.

    An option gets the initial of its lead (`leads`), unless an earlier option of the rule has it and can be legal at
    the same time; then it gets another letter. So a key keeps its meaning, whichever options are legal.
    """

    def __init__(self, leads: Mapping[str, str], exclusive_pairs: Collection[tuple[str, str]] = ()) -> None:
        self.taken_keys = {lead[:1].lower() for lead in leads.values()} & {*OPTION_KEYS}
        self.keys_by_option: dict[str, str] = {}
        for option, lead in leads.items():
            initial = lead[:1].lower()
            rivals = [name for name, key in self.keys_by_option.items() if key == initial]
            is_free = initial in OPTION_KEYS and all((option, rival) in exclusive_pairs for rival in rivals)
            self.keys_by_option[option] = initial if is_free else self.take_free_letter(lead[1:])

    def get_option_key(self, name: str) -> str:
        if name not in self.keys_by_option:
            self.keys_by_option[name] = self.take_free_letter(name)
        return self.keys_by_option[name]

    def assign_value_keys(self, moves: list[MoveView], numbered: bool) -> dict[str, str]:
        """Return keys of values by their printed form.

        They are the first letters of the labels if these are free and differ. Otherwise they are the digits in the
        labels, or else digits if there are enough.
        """
        labels = [move.label for move in moves]
        firsts = [move.label[:1].lower() for move in moves]
        fit = len({*firsts} & {*OPTION_KEYS} - self.taken_keys) == len(moves)
        if not fit and (not numbered or len(moves) >= len(NUMBER_KEYS)):
            return {}
        keys = firsts if fit else find_label_digits(labels) or ("" if any(map(DIGITS.search, labels)) else NUMBER_KEYS)
        self.taken_keys |= {*keys[: len(moves)]}
        return {move.text: key for move, key in zip(moves, keys, strict=False)}

    def take_free_letter(self, label: str) -> str:
        """Return the first free letter of a label, or any free letter; empty if there is none."""
        for letter in label.lower() + OPTION_KEYS:
            if letter in OPTION_KEYS and letter not in self.taken_keys:
                self.taken_keys.add(letter)
                return letter
        return ""


def build_selection(decision: DecisionView, selection: SelectionView) -> Selection:
    count = len(selection.chosen)
    plural = f"{decision.noun}s"
    verb = decision.verb.capitalize() or "Choose"
    left = max(selection.low - count, 0)
    what = format_count(count, decision.noun, plural) if count else f"no {plural}"
    choose = f"Choose {f'{left} more' if count else format_count(left, decision.noun, plural) if left else plural}"
    together = f"They add up to {selection.running_total}." if selection.running_total else "These do not go together."
    missing = f"Choose {left} more." if left else together if selection.running_total else decision.words or together
    return Selection(
        low=selection.low,
        high=selection.high,
        refs=selection.refs,
        labels=selection.labels,
        chosen=selection.chosen,
        open=tuple(ref for ref in selection.refs if ref in selection.addable or ref in selection.chosen),
        ready=selection.is_complete,
        confirm=choose if not selection.is_complete and (left or not count) else f"{verb} {what}",
        why="" if selection.is_complete else missing,
        sum=selection.running_total,
        needs=selection.completion,
        alone=selection.complete_singles,
    )


def sort_actions(
    menu: ActionMenu, game: Game, player_areas: tuple[TableArea, ...], other_areas: tuple[TableArea, ...]
) -> ActionMenu:
    """Return the menu with its actions sorted.

    Players come in seat order from the viewer on, cards as they are drawn, values in the order of their kind.
    player_areas: the areas of players.
    other_areas: the other areas.
    """
    order = {ref: at for at, ref in enumerate(iter_touchable_refs(game, player_areas, other_areas))}
    options: dict[str, int] = {}
    for action in menu.actions:
        options.setdefault(action.verb, len(options))

    def get_action_sort_key(action: Action) -> tuple[int, list[int]]:
        return options[action.verb], [order.get(ref, 0) for ref in action.touches]

    return evolve(menu, actions=tuple(sorted(menu.actions, key=get_action_sort_key)))


def iter_touchable_refs(
    game: Game, player_areas: tuple[TableArea, ...], other_areas: tuple[TableArea, ...]
) -> Iterator[str]:
    """Yield all refs that can be touched, in their natural order."""
    for kind in game.kinds.values():
        yield from (f"member/{kind.name}/{member.name}" for member in kind.members)
    for area in (*player_areas, *other_areas):
        yield area.ref
        for pile in area.piles:
            yield from (card.ref for card in pile.cards)


ALL_IN = "all-in"
"""Name of the highest amount, if it takes everything the player has."""
LIMIT = "limit"
POT_SIZES = (("half pot", Fraction(1, 2)), ("pot", Fraction(1)))


def name_bet_sizes(menu: ActionMenu, view: View, game: Game, score: str | None) -> tuple[AmountAction, ...]:
    """Return the amounts of a decision, with names for bet sizes if the decision is about a bet.

    The names cover sizes between the lowest and the highest amount. The highest is all-in if it takes the player's
    whole `score`, and the limit if it is below half the pot. The cost to call counts in the pot, because it is there
    once the raise is made.
    """
    shown: dict[tuple[str | None, str | None], object] = {(each.name, each.owner): each.value for each in view.shown}
    pot, price = shown.get((find_role(game, "pot"), None)), shown.get((find_role(game, "call-price"), view.player))
    if view.asking is None or find_role(game, "fold") not in view.asking.options or not isinstance(pot, int):
        return menu.amounts
    price = price if isinstance(price, int) else 0
    own_score = next((each.value for each in view.tracks if (each.name, each.owner) == (score, view.player)), None)
    return tuple(add_bet_sizes(amount, pot + price, own_score == amount.high + price) for amount in menu.amounts)


def add_bet_sizes(amount: AmountAction, pot: int, is_all_in: bool) -> AmountAction:
    sizes: dict[int, str] = {}
    for name, part in POT_SIZES:
        above = bisect_left(amount.amounts, part * pot)
        candidates = amount.amounts[max(above - 1, 0) : above + 1]
        nearest = min(candidates, key=lambda candidate: abs(candidate - part * pot))
        if amount.low < nearest < amount.high:
            sizes.setdefault(nearest, name)
    if is_all_in:
        sizes[amount.high] = ALL_IN
    elif 2 * amount.high < pot:
        sizes[amount.high] = LIMIT
    return evolve(amount, sizes=tuple((name, number) for number, name in sizes.items()))
