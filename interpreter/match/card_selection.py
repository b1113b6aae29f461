"""Selection of several cards or values in any order.

The engine asks for single picks in ascending order. This module converts a selection to these picks, so no other code
depends on the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from attrs import evolve

from cardlang import model as g
from cardlang.model.traversal import split_conjunction, uses_variable, walk_with_definitions
from cardlang.model.types import is_card_type
from interpreter.knowledge.hidden_information_analysis import find_free_variables
from interpreter.knowledge.taint_tracking import TracingState, evaluate_with_knowers
from interpreter.match.match_interface import MatchInterface
from interpreter.narration.display_names import MatchNames
from interpreter.runtime.errors import MoveError, RuleError
from interpreter.runtime.legal_card_combinations import CardPicker, UnorderedPicks
from interpreter.runtime.state import ABSENT, DONE, DecisionPoint, State, get_choice_type
from interpreter.runtime.value_formatting import format_number
from interpreter.view.player_view import SelectionView
from interpreter.view.shown_values_and_hand_notes import DisplayValues

if TYPE_CHECKING:
    from interpreter.view.player_view import View


BOUND_WORDS = {"=": "", "<=": "at most ", ">=": "at least ", "<": "less than ", ">": "more than "}
MIRRORED_OPERATORS = {"=": "=", "<=": ">=", ">=": "<=", "<": ">", ">": "<"}


def find_running_total(
    names: MatchNames, state: State, site: DecisionPoint, picks: Sequence[int]
) -> tuple[str, str] | None:
    """Return the current total and its limit: `7` and `10`, or `7` and `at least 10`.

    Return None if no condition compares a total with a number, or if the current player may not know both.
    """
    statement = site.statement
    if not isinstance(statement, g.Choose) or statement.provided is None or not statement.several:
        return None
    for part in split_conjunction(statement.provided):
        sides = find_total_condition(names.game, part, statement.var)
        if sides is not None:
            total, operator, goal = sides
            known = {**names.program.get_scope_values(state), statement.var.id: list(picks)}
            sum, bound = (
                evaluate_number_if_player_knows(names, state, each, known, statement.var) for each in (total, goal)
            )
            if sum is not None and bound is not None:
                return format_number(sum), f"{BOUND_WORDS[operator]}{format_number(bound)}"
    return None


def find_total_condition(game: g.Game, part: g.Expr, var: g.Var) -> tuple[g.Expr, str, g.Expr] | None:
    """Return the total of the selection, the comparison operator, and the number it is compared with."""
    if not isinstance(part, g.Compare) or part.operator not in BOUND_WORDS:
        return None
    for total, operator, goal in (
        (part.left, part.operator, part.right),
        (part.right, MIRRORED_OPERATORS[part.operator], part.left),
    ):
        if (
            total.type.tag == "number"
            and uses_variable(total, var)
            and not uses_variable(goal, var)
            and has_total(game, total)
        ):
            return total, operator, goal
    return None


def has_total(game: g.Game, expr: g.Expr) -> bool:
    """Return whether an expression takes a total, itself or in a definition it calls."""
    parts = walk_with_definitions(game, expr)
    return any(isinstance(part, g.Agg) and part.function == "total" for part in parts)


def evaluate_number_if_player_knows(
    names: MatchNames, state: State, expr: g.Expr, values_by_variable: dict[int, Any], choice_var: g.Var
) -> int | Fraction | None:
    """Return the value of an expression, if the current player may know it."""
    needed, seat = find_free_variables(expr), state.who
    if (
        not needed <= values_by_variable.keys()
        or (needed - {choice_var.id}) & names.facts.common_knowledge.find_hidden_variables()
    ):
        return None
    cards = values_by_variable[choice_var.id] if choice_var.id in needed and is_card_type(choice_var.type) else ()
    if not all(names.program.is_visible(state, card, seat) for card in cards):
        return None
    try:
        value, knowing = evaluate_with_knowers(
            names.program, expr, TracingState.wrap(state), {var: values_by_variable[var] for var in sorted(needed)}
        )
    except RuleError:
        return None
    return value if knowing >> seat & 1 and isinstance(value, int | Fraction) else None


MAX_SINGLE_CANDIDATES = 20
"""Maximum number of candidates for which `alone` is computed."""
MAX_COMPLETION_CANDIDATES = 3
"""Maximum number of candidates for which `completion` is computed."""


class MultiSelection:
    """Choice of several cards or values at the current decision."""

    def __init__(self, names: MatchNames, state: State) -> None:
        self.names, self.refs, self.state = names, names.refs, state
        self.program = names.program
        self.site = self.program.get_site(state)
        self.type = get_choice_type(self.site)
        self.low, self.high, codes = self.find_addable(())
        self.low = self.low or int(DONE not in codes)
        self.items = {self.refs.build_value_ref(state, self.type, code - 1): code - 1 for code in codes if code != DONE}

    @property
    def is_multiple(self) -> bool:
        return self.high > 0

    def find_addable(self, picks: Sequence[int]) -> tuple[int, int, list[int]]:
        """Return the minimum and maximum size, and the codes that can be added to these picks."""
        looked, chosen = self.program.clone(self.state), UnorderedPicks(picks)
        looked.picks = chosen
        self.program.refresh_legal_moves(looked)
        return chosen.low, chosen.high, looked.legal

    def resolve_refs(self, refs: Iterable[str]) -> list[int]:
        """Return the items of refs, without duplicates. Raise `MoveError` if one cannot be chosen here."""
        items = []
        for ref in dict.fromkeys(refs):
            if ref not in self.items:
                raise MoveError(f"You cannot choose {ref} here.")
            items.append(self.items[ref])
        return items

    def build_view(self, chosen: Iterable[str]) -> SelectionView:
        """Return the selection. Refs that are illegal, or cannot be added to those before, are left out."""
        taken: list[str] = []
        codes = self.find_addable(())[2]
        for ref in dict.fromkeys(chosen):
            if ref in self.items and self.items[ref] + 1 in codes:
                taken.append(ref)
                codes = self.find_addable([self.items[each] for each in taken])[2]
        known = tuple(taken)
        picks = [self.items[each] for each in known]
        ready = DONE in codes and (bool(known) or self.low == 0)
        return SelectionView(
            low=self.low,
            high=self.high,
            refs=tuple(self.items),
            labels=tuple(self.build_label(item) for item in self.items.values()),
            chosen=known,
            addable=frozenset(ref for ref, item in self.items.items() if item + 1 in codes),
            is_complete=ready,
            total=find_running_total(self.names, self.state, self.site, picks),
            completion=() if ready else self.find_completion(picks, codes),
            complete_singles=() if known or self.low > 1 else self.find_complete_singles(codes),
        )

    def find_complete_singles(self, codes: Sequence[int]) -> tuple[str, ...]:
        """Return the items that are complete sets by themselves, to which nothing can be added."""
        rest = {ref: item for ref, item in self.items.items() if item + 1 in codes}
        if len(rest) > MAX_SINGLE_CANDIDATES:
            return ()
        return tuple(ref for ref, item in rest.items() if self.find_addable([item])[2] == [DONE])

    def find_completion(self, picks: list[int], codes: list[int]) -> tuple[str, ...]:
        """Return the items that complete these picks, if there is only one way."""
        rest = [item for item in self.items.values() if item + 1 in codes]
        if not 0 < len(rest) <= MAX_COMPLETION_CANDIDATES or not self.is_complete([*picks, *rest]):
            return ()
        parts = chain.from_iterable(combinations(rest, size) for size in range(1, len(rest)))
        if any(self.is_complete([*picks, *part]) for part in parts):
            return ()
        return tuple(ref for ref, item in self.items.items() if item in rest)

    def is_complete(self, picks: list[int]) -> bool:
        return DONE in self.find_addable(picks)[2]

    def build_label(self, item: int) -> str:
        if self.type.tag == "card":
            return ""
        return self.names.format_value(self.type, item)

    def build_pick_codes(self, refs: Iterable[str]) -> list[int]:
        """Return the codes of the picks for this set, in the order of the decisions.

        Raise `MoveError` if the set is illegal.
        """
        picks = self.resolve_refs(refs)
        looked = self.build_view(refs)
        if not looked.is_complete or len(looked.chosen) < len(picks):
            raise MoveError("You cannot choose these together.")
        order = list(self.items.values())
        if self.type.tag != "card":
            return [item + 1 for item in sorted(picks, key=order.index)]
        picker = CardPicker(self.program.layout)
        kinds: dict[object, int] = {}
        for card in picks:
            kind = picker.get_card_key(self.state, card, self.state.who)
            kinds[kind] = kinds.get(kind, 0) + 1
        codes = []
        for card in order:  # of identical cards, only the first ones are legal
            kind = picker.get_card_key(self.state, card, self.state.who)
            if kinds.get(kind, 0) > 0:
                kinds[kind] -= 1
                codes.append(card + 1)
        return codes


def build_selection_view(match: MatchInterface, chosen: Iterable[str]) -> SelectionView | None:
    """Return the selection at the current decision, including picks already made.

    Return None if it is not a choice of several.
    """
    if match.program.get_site(match.state).kind not in ("pick", "several"):
        return None
    toggling = MultiSelection(match.names, match.state)
    if not toggling.is_multiple:
        return None
    picked = [toggling.refs.build_value_ref(match.state, toggling.type, item) for item in match.state.picks]
    return toggling.build_view([*picked, *chosen])


def exclude_selection_from_hand_value(match: MatchInterface, view: View, selection: SelectionView | None) -> View:
    """Return the view with the value of the current player's hand without the selected cards.

    This applies if the rule takes these cards out of the hand.
    """
    state, names = match.state, match.names
    if selection is None or not selection.chosen or not isinstance(names.program.get_site(state).statement, g.Pick):
        return view
    rest = names.program.clone(state)
    for ref in selection.chosen:
        card = names.refs.find_card(state, ref)
        if card is not None:
            slot = names.program.zones[state.loc[card]]
            if slot.of == state.who and slot.zone.viewer == "owner":
                rest.z[state.loc[card]].remove(card)
                rest.loc[card] = ABSENT
    return evolve(view, held=DisplayValues(names, rest, state).get_hand_values(state.who))


def confirm_selection(match: MatchInterface, seat: int, refs: Sequence[str]) -> None:
    """Carry out a choice of several.

    Picks already made for another set are undone. Raise `MoveError` if the choice is illegal.
    """
    if match.over:
        raise MoveError("The match is over.")
    if match.state.who != seat:
        raise MoveError(f"It is {match.players[match.state.who]}'s turn, not {match.players[seat]}'s.")
    toggling = None if match.program.get_site(match.state).options else MultiSelection(match.names, match.state)
    if toggling is None or not toggling.is_multiple:
        raise MoveError("Choose a single move here, not a set.")
    codes, picked = toggling.build_pick_codes(refs), len(match.state.picks)
    if picked:
        match.undo_choices(picked)
    for code in codes:
        match.apply_choice(code)
    if len(match.state.picks) == len(codes) and match.state.who == seat and DONE in match.state.legal:
        match.apply_choice(DONE)
