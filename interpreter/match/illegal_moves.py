"""Reasons why a move is illegal.

Nothing here reads cards that the current player cannot identify.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Any

from attrs import field, frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.english.control_characters import normalize_user_input
from cardlang.english.morphology import capitalize_first_letter
from cardlang.model import game
from cardlang.model.expression_queries import pair_owner_variables
from cardlang.model.traversal import split_conjunction, uses_variable, walk
from cardlang.model.types import MOVE_VERBS
from interpreter.knowledge.hidden_information_analysis import find_free_variables
from interpreter.knowledge.taint_tracking import TracingState, evaluate_with_knowers
from interpreter.match.move_parser import MAX_LISTED_MOVES, find_move_codes, parse_whole_number, split_move_words
from interpreter.narration.decision_text import format_moves
from interpreter.narration.display_names import PREPOSITIONS, MatchNames, to_exact_number
from interpreter.runtime.errors import MoveError
from interpreter.runtime.state import ABSENT, State
from interpreter.runtime.value_formatting import format_number, join_items

VariableValues = dict[int, Any]
MAX_EXPLAINED_VALUES = 200
"""Maximum number of values tried to find out why an option is unavailable."""
UNKNOWN_VALUE = object()
"""Value of an expression that depends on an unbound variable."""


@frozen
class Refusal:
    """Reason for refusing a move.

    - `message`: the reason.
    - `span`: the rule, if one forbids the move.
    - `author_docs`: the author's texts at that rule.
    """

    message: str
    span: Span | None = field(default=None, eq=False, repr=False)
    author_docs: tuple[str, ...] = field(default=(), eq=False, repr=False)


class ReasonFinder:
    """Finder of reasons at the decision in a state. `scope`: values of its variables."""

    def __init__(self, names: MatchNames, state: State) -> None:
        self.names = names
        self.program = names.program
        self.state = state
        self.site = self.program.get_site(state)
        self.scope: VariableValues = self.program.get_scope_values(state)

    def evaluate(self, expr: g.Expr | None, scope: VariableValues) -> object:
        """Return the value of an expression; `UNKNOWN_VALUE` if it needs a variable without a value."""
        if expr is None:
            return None
        needed = find_free_variables(expr)
        if not needed <= scope.keys():
            return UNKNOWN_VALUE
        return self.program.evaluate(expr, self.state, {var: scope[var] for var in sorted(needed)})

    def evaluate_list(self, expr: g.Expr, scope: VariableValues) -> list[Any]:
        value = self.evaluate(expr, scope)
        if value is None or value is UNKNOWN_VALUE:
            return []
        return list(value) if isinstance(value, list | tuple) else [value]

    def describe_choices(self, items: g.Expr, scope: VariableValues) -> str:
        """Return a list in words: `your playable cards`, `the cards in your hand`."""
        return game.wording_module.get().describe_list_expression(
            self.names.game, items, self.name_bound_values(items, scope)
        )

    def name_bound_values(self, expr: g.Expr, scope: VariableValues) -> dict[int, str]:
        """Return the names of the players and values chosen with this move, by variable."""
        names_by_variable = {}
        for var in (part for part in walk((expr,)) if isinstance(part, g.Var)):
            value = scope.get(var.id)
            if value is None or value == ABSENT or var.id in self.hidden_variables:
                continue
            if var.type.tag == "player":
                names_by_variable[var.id] = "you" if value == self.state.who else self.names.players[value]
            elif var.id not in self.scope:
                names_by_variable[var.id] = self.names.format_value(var.type, value)
        return names_by_variable

    @cached_property
    def hidden_variables(self) -> frozenset[int]:
        """Variables with hidden values, without those that the current player has named."""
        return self.names.facts.common_knowledge.find_hidden_variables() & self.scope.keys()

    def find_failing_condition(
        self, doc: str, tests: Iterable[tuple[g.Expr, str]], scope: VariableValues
    ) -> Refusal | None:
        """Return the text of the first condition that fails; None if all hold.

        A condition without text is worded like the rulebook, after `doc`, the option's text, which may only describe
        its effect.
        """
        for test, words in tests:
            if self.evaluate(test, scope):
                continue
            if words:
                return Refusal(words, test.span, (words, doc))
            return Refusal(f"{doc} {self.describe_failing_part(test, scope)}".strip(), test.span, (doc,))
        return None

    def describe_failing_part(self, test: g.Expr, scope: VariableValues) -> str:
        missing = self.find_failing_part(test, scope)
        bound = self.name_bound_values(missing, scope)
        return game.wording_module.get().describe_failed_condition(self.names.game, missing, bound)

    def find_failing_part(self, test: g.Expr, scope: VariableValues) -> g.Expr:
        """Return the part of a condition that fails, or all of it, if the current player may not know its parts."""
        variables = {var: scope[var] for var in sorted(find_free_variables(test))}
        if variables.keys() & self.hidden_variables:
            return test
        _, knowing = evaluate_with_knowers(self.program, test, TracingState.wrap(self.state), variables)
        if not knowing >> self.state.who & 1:
            return test
        return next((part for part in split_conjunction(test) if not self.evaluate(part, scope)), test)

    def find_failing_filter(self, source: g.Expr, cards: list[int], scope: VariableValues) -> Refusal | None:
        """Return the condition that keeps cards out of a list, worded like the rulebook."""
        for inner, names_of_it in self.unfold_list(source, scope):
            if isinstance(inner, g.Filter) and set(cards) & set(self.evaluate_list(inner.list, names_of_it)):
                bound = {**names_of_it, inner.var.id: cards[0]}
                if not self.evaluate(inner.condition, bound):
                    return Refusal(self.describe_failing_part(inner.condition, bound), inner.span)
        return None

    def describe_other_location(self, source: g.Expr, cards: list[int], scope: VariableValues) -> str:
        """Return the location of cards outside the source of the choice; empty if they are in it.

        An example is `is in the discard pile`.
        """
        if not cards or set(cards) & set(self.find_unfiltered_items(source, scope)):
            return ""
        pile = self.state.loc[cards[0]]
        if pile < 0:
            return "is out of the game"
        noun = self.names.get_slot_noun(self.program.zones[pile])
        location = (
            f"your {noun}" if self.names.get_pile_seat(pile) == self.state.who else self.names.get_pile_name(pile)
        )
        if location.split()[0] in PREPOSITIONS:
            return f"is {location}"
        return f"is {'on' if noun == 'table' else 'in'} {location}"

    def find_unfiltered_items(self, source: g.Expr, scope: VariableValues) -> list[Any]:
        """Return the cards that a list selects from, without its conditions."""
        *_, (inner, scope) = self.unfold_list(source, scope)
        if isinstance(inner, g.FirstPossible):
            return [card for line, _ in inner.lists for card in self.find_unfiltered_items(line, scope)]
        return self.evaluate_list(inner, scope)

    def explain_other_line(self, first: g.FirstPossible, cards: list[int], scope: VariableValues) -> Refusal | None:
        """Return the text of the chosen line, for cards that a later line would allow."""
        taken: tuple[g.Expr, str] | None = None
        for line in first.lists:
            allowed = self.evaluate_list(line[0], scope)
            if taken is None and allowed:
                taken = line
            elif taken is not None and taken[1] and set(cards) & set(allowed):
                return Refusal(taken[1], taken[0].span)
        return None

    def unfold_list(self, source: g.Expr, scope: VariableValues) -> Iterator[tuple[g.Expr, VariableValues]]:
        """Yield a list, the body of its definition, the list that it filters, and so on, with their variables."""
        expr: g.Expr | None = source
        while expr is not None:
            yield expr, scope
            if isinstance(expr, g.Call):
                define = self.names.game.defines[expr.define]
                owners = pair_owner_variables(define, expr)
                scope = {**scope, **{var.id: to_variable_value(self.evaluate(of, scope)) for var, of in owners}}
                expr = define.value
            else:
                expr = expr.list if isinstance(expr, g.Filter | g.Sorted) else None


def to_variable_value(value: Any) -> Any:
    """Return a value in the form that variables use."""
    return ABSENT if value is None else value


COMMON_VERBS = {*MOVE_VERBS, "choose", "pick", "select"}
"""Verbs that people use for cards, regardless of the verb in the rule."""


def explain_illegal_move(names: MatchNames, state: State, text: str) -> Refusal | None:
    """Explain why a string is not a legal move; None if it is."""
    if state.who < 0:
        return Refusal("The match is over.")
    plain = strip_other_verb(names, state, text)
    if plain is not None:
        return explain_illegal_move(names, state, plain) or suggest_move(names, state, text, plain)
    try:
        if find_move_codes(names, state, text):
            return None
    except MoveError as error:
        return Refusal(error.message, error.span)
    return IllegalMoveExplainer(names, state).explain(text)


def parse_legal_move(names: MatchNames, state: State, text: str) -> list[int]:
    """Return the codes of the moves that a string means. Raise `MoveError` with the reason if it is illegal."""
    if state.who < 0:
        raise MoveError("The match is over.")
    if strip_other_verb(names, state, text) is not None:
        refused = explain_illegal_move(names, state, text)
    else:
        codes = find_move_codes(names, state, text)
        if codes:
            return codes
        refused = IllegalMoveExplainer(names, state).explain(text)
    if refused is None:
        raise AssertionError("expected a reason to refuse a verb of another rule")
    raise MoveError(refused.message, refused.span)


def strip_other_verb(names: MatchNames, state: State, text: str) -> str | None:
    """Return the string without a card verb that no current move uses; None if it has no such verb.

    An example is `play 3s` if the rule says `discard` or `choose`.
    """
    verb, _, rest = normalize_user_input(text).strip().partition(" ")
    site = names.program.get_site(state)
    current_verb = getattr(site.statement, "verb", "")
    if site.options or verb.lower() not in COMMON_VERBS - {current_verb} or not rest.strip():
        return None
    texts = format_moves(names, state, state.legal)
    return None if any(split_move_words(move_text)[:1] == [verb] for move_text in texts) else rest.strip()


def suggest_move(names: MatchNames, state: State, text: str, plain: str) -> Refusal:
    """Suggest the move to type instead of a move with another verb."""
    codes = find_move_codes(names, state, plain)
    meant = format_moves(names, state, codes)[0] if len(codes) == 1 else plain
    return Refusal(f"There is no move {text.strip()}. Did you mean {meant}?")


class IllegalMoveExplainer(ReasonFinder):
    """Explainer of illegal moves at the decision in a state."""

    def explain(self, text: str) -> Refusal:
        words = split_move_words(text)
        statement = self.site.statement
        for option in self.site.options:
            if words and words[0].lower() == option.name.lower():
                return self.explain_option(option, words[1:])
        if len(words) == 1 and self.find_visible_copies(words[0]) is not None:
            for option in self.site.options:
                if option.binders and option.binders[0][0].type.tag == "card":
                    return self.explain_option(option, words)
        if isinstance(statement, g.Pick):
            rest = words[1:] if words and words[0].lower() == statement.verb else words
            return self.explain_pick(statement, rest, text)
        if isinstance(statement, g.Choose):
            refused = self.explain_value(statement.var, statement.domain, words, statement.span)
            return refused or self.explain_failed_condition(statement, words) or self.suggest_moves(text)
        return self.suggest_moves(text)

    def suggest_moves(self, text: str) -> Refusal:
        """Suggest moves for a string that names nothing possible here."""
        texts = format_moves(self.names, self.state, self.state.legal)
        shown = texts if len(texts) <= MAX_LISTED_MOVES else [*texts[:MAX_LISTED_MOVES], "…"]
        advice = f"You can choose {join_items(shown, 'or')}."
        named = self.find_visible_copies(normalize_user_input(text).strip().strip("[]"))
        if named and not any("[" in move_text for move_text in texts):
            return Refusal(f"You cannot choose a card now. {advice}")
        close = get_close_matches(text.strip(), texts, 1, 0.6)
        if close:
            advice = f"Did you mean {close[0]}?"
        return Refusal(f"There is no move {text.strip()}. {advice}")

    # ------------------------------------------------------------ options
    def explain_option(self, option: g.Option, words: list[str]) -> Refusal:
        binders = [var for var, _ in option.binders]
        early = [condition for condition in option.when if not any(uses_variable(condition[0], var) for var in binders)]
        refused = self.find_failing_condition(option.doc, early, self.scope)
        if refused:
            return refused
        scope = dict(self.scope)
        for (var, domain), word in zip(option.binders, words, strict=False):
            refused = self.explain_value(var, domain, [word], option.span, scope)
            if refused:
                return Refusal(domain.doc, option.span, (domain.doc, option.doc)) if domain.doc else refused
            scope[var.id] = self.parse_value(var.type, word)
        if len(words) >= len(binders):
            refused = self.find_failing_condition(option.doc, option.when, scope)
            if refused:
                return refused
        return self.explain_cost(option, scope, len(words) >= len(binders)) or self.explain_no_values(option)

    def explain_cost(self, option: g.Option, scope: VariableValues, bound: bool) -> Refusal | None:
        """Return the cost that the current player cannot pay."""
        binders = [var for var, _ in option.binders]
        for amount, track, doc in option.costs:
            if not bound and any(uses_variable(amount, var) for var in binders):
                continue
            price, owned = self.evaluate(amount, scope), self.get_owned_amount(track)
            if isinstance(price, int | Fraction) and isinstance(owned, int | Fraction) and price > owned:
                noun = self.names.game.tracks[track].noun
                words = noun.singular if price == 1 else noun.plural
                sentence = f"That costs {format_number(price)} {words} and you have {format_number(owned)}."
                return Refusal(doc or sentence, amount.span, (doc, option.doc) if doc else ())
        return None

    def get_owned_amount(self, track: str) -> int | Fraction | str | None:
        declared = self.names.game.tracks[track]
        slot = self.program.track_base[track] + (self.state.who if declared.subject == "player" else 0)
        return to_exact_number(self.state.t[slot], self.program.tracks[slot].scale, declared.type)

    def explain_no_values(self, option: g.Option) -> Refusal:
        """Explain that an option has no possible values."""
        domains = [domain for _, domain in option.binders]
        if len(domains) == 1 and domains[0].doc:
            return Refusal(domains[0].doc, option.span, (domains[0].doc, option.doc))
        if any(domain.list is not None for domain in domains):
            empty = self.find_empty_pile(domains)
            reason = f"{capitalize_first_letter(empty)} is empty." if empty else "There is nothing to choose for it."
            return self.find_most_common_reason(option) or Refusal(reason, option.span)
        return Refusal(f"{option.doc} “{option.name}” is not possible now.".strip(), option.span, (option.doc,))

    def find_empty_pile(self, domains: Sequence[g.Domain]) -> str:
        """Return the name of the table's pile that all values must come from, if it is empty; else an empty string."""
        for zones in ([part for part in walk(domain.list) if isinstance(part, g.ZoneCards)] for domain in domains):
            piles = {self.program.zone_base[part.zone] for part in zones if part.of is None}
            if len(piles) == len(zones) == 1 and not self.state.z[pile := piles.pop()]:
                return self.names.get_pile_name(pile)
        return ""

    def find_most_common_reason(self, option: g.Option) -> Refusal | None:
        """Return the most common reason against the possible values of an option."""
        refusals = []
        for scope in islice(self.iterate_bindings(option.binders, self.scope), MAX_EXPLAINED_VALUES):
            if scope is None:
                return None
            refusals.append(
                self.find_failing_condition(option.doc, option.when, scope) or self.explain_cost(option, scope, True)
            )
        reasons = Counter(reason for reason in refusals if reason is not None)
        return reasons.most_common(1)[0][0] if reasons else None

    def iterate_bindings(
        self, binders: Sequence[tuple[g.Var, g.Domain]], scope: VariableValues
    ) -> Iterator[VariableValues | None]:
        """Yield the variables with each combination of values, or None for a number or a card that is not visible."""
        if not binders:
            yield scope
            return
        (var, domain), *others = binders
        if domain.list is None:
            yield None
            return
        for item in self.evaluate_list(domain.list, scope):
            is_hidden = var.type.tag == "card" and not self.program.is_visible(self.state, item, self.state.who)
            yield from [None] if is_hidden else self.iterate_bindings(others, {**scope, var.id: item})

    # ------------------------------------------------------------ cards and values
    def explain_pick(self, statement: g.Pick, words: list[str], text: str) -> Refusal:
        if statement.position is not None:
            texts = format_moves(self.names, self.state, self.state.legal)
            return Refusal(f"{text.strip()} is not possible. You can choose {join_items(texts, 'or')}.", statement.span)
        for word in words:
            cards = self.find_visible_copies(word)
            if cards is None:
                return self.suggest_moves(text)
            refused = self.explain_card(statement.source, word, cards, self.scope, statement.span, statement.doc)
            if refused:
                return refused
        if not words or not self.state.legal:
            return self.suggest_moves(text)
        order = f"Pick cards in the order shown, or name several at once, as in {statement.verb} [A B]."
        return Refusal(order, statement.span)  # each set of cards has only one order

    def explain_value(
        self, var: g.Var, domain: g.Domain, words: list[str], span: Span, scope: VariableValues | None = None
    ) -> Refusal | None:
        """Explain why a word cannot be bound; None if it can, or if there is no word."""
        scope = self.scope if scope is None else scope
        for word in words:
            type = var.type.item or var.type
            if type.tag == "card":
                cards = self.find_visible_copies(word)
                if cards is not None and domain.list is not None:
                    return self.explain_card(domain.list, word, cards, scope, span, domain.doc)
            value = self.parse_value(type, word)
            if value is None and type.tag != "card" and self.find_visible_copies(word):
                return Refusal("You cannot choose a card now.", span)
            if domain.low is not None and domain.high is not None:
                return self.explain_range(domain, value, scope, span)
            if value is None:
                return Refusal(
                    f"The game has no card {word}." if type.tag == "card" else f"{word} is unknown here.", span
                )
            if domain.list is not None and value not in self.evaluate_list(domain.list, scope):
                among = self.describe_choices(domain.list, scope)
                return Refusal(f"You cannot choose {word}. Choose from {among}.", span)
        return None

    def explain_failed_condition(self, choice: g.Choose, words: list[str]) -> Refusal | None:
        """Return the text of a choice, for values that only its `provided` condition excludes."""
        values = [self.parse_value(choice.var.type.item or choice.var.type, word) for word in words]
        if choice.provided is None or not values or None in values or (len(values) > 1 and not choice.several):
            return None
        scope = {**self.scope, choice.var.id: tuple(values) if choice.several else values[0]}
        return self.find_failing_condition(choice.doc, [(choice.provided, choice.doc)], scope)

    def explain_range(self, domain: g.Domain, value: int | None, scope: VariableValues, span: Span) -> Refusal | None:
        low = self.evaluate(domain.low, scope)
        high = self.evaluate(domain.high, scope)
        if not isinstance(low, int) or not isinstance(high, int) or (value is not None and low <= value <= high):
            return None
        if high < low:
            return Refusal("No number is possible now.", span)
        open_ = format_number(low) if low == high else f"from {format_number(low)} to {format_number(high)}"
        return Refusal(f"It must be {open_}.", span)

    def find_visible_copies(self, word: str) -> list[int] | None:
        """Return the copies of a card that the current player can identify; None if no card has this code."""
        faces = self.names.game.faces
        face = next((f for f in faces if f.code == word), None)
        face = face or next((f for f in faces if f.code.lower() == word.lower()), None)
        if face is None:
            return None
        numbers = range(face.first, face.first + face.copies)
        return [card for card in numbers if self.program.is_visible(self.state, card, self.state.who)]

    def parse_value(self, type: g.Type, word: str) -> int | None:
        """Parse a word as a value of a type; None if it is not one."""
        if type.tag == "card":
            cards = self.find_visible_copies(word)
            return cards[0] if cards else None
        if type.tag == "player":
            names = [normalize_user_input(name) for name in self.names.players]
        elif type.tag == "member" and type.of is not None:
            names = [member.name for member in self.names.game.kinds[type.of].members]
        else:
            return parse_whole_number(word)
        return next((index for index, name in enumerate(names) if name.lower() == word.lower()), None)

    def explain_card(
        self, source: g.Expr, word: str, cards: list[int], scope: VariableValues, span: Span, doc: str
    ) -> Refusal | None:
        """Explain why none of these equal, visible cards is in the list; None if one of them is.

        `doc`: text of the choice, used if no definition of the cards has a text.
        """
        if set(cards) & set(self.evaluate_list(source, scope)):
            return None
        defined = ""
        for inner, names_of_it in self.unfold_list(source, scope):
            if isinstance(inner, g.FirstPossible):
                refused = self.explain_other_line(inner, cards, names_of_it)
                if refused:
                    return refused
            meant = inner.value if isinstance(inner, g.MapEach) else inner
            if isinstance(meant, g.Call):
                defined = defined or self.names.game.defines[meant.define].doc
        words = defined or doc
        author = (words,) if words else ()
        among = self.describe_choices(source, scope)
        elsewhere = self.describe_other_location(source, cards, scope)
        if elsewhere:
            return Refusal(f"[{word}] {elsewhere}. Choose from {among}. {words}".strip(), span, author)
        failing = None if defined else self.find_failing_filter(source, cards, scope)
        return failing or Refusal(f"[{word}] is not possible. Choose from {among}. {words}".strip(), span, author)
