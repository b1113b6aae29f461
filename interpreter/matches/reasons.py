"""Find the reason that a move is illegal: a condition that fails, or a card that is elsewhere.

Nothing here reads cards that the current player cannot identify.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from attrs import field, frozen

from cardlang import game as g
from cardlang import playing
from cardlang.game.walking import conjuncts, walk
from cardlang.source import Span
from cardlang.words import plain
from interpreter.knowing import Looked, known_value, variables_of
from interpreter.matches.names import PREPOSITIONS, Names
from interpreter.state import ABSENT, State

Scope = dict[int, Any]
UNKNOWN = object()
"""Value of an expression that depends on an unbound variable."""


@frozen
class Refusal:
    """Reason for refusing a move.

    - `words`: the reason.
    - `span`: the rule, if one forbids the move.
    - `author`: the author's texts at that rule.
    """

    words: str
    span: Span | None = field(default=None, eq=False, repr=False)
    author: tuple[str, ...] = field(default=(), eq=False, repr=False)


class Reasons:
    """Finder of reasons at the decision in a state. `scope`: values of its variables."""

    def __init__(self, names: Names, state: State) -> None:
        self.names = names
        self.program = names.program
        self.state = state
        self.site = self.program.site(state)
        self.scope: Scope = self.program.scope(state)

    def value(self, expr: g.Expr | None, scope: Scope) -> object:
        """Return the value of an expression; `UNKNOWN` if it needs a variable without a value."""
        if expr is None:
            return None
        needed = variables_of(expr)
        if not needed <= scope.keys():
            return UNKNOWN
        return self.program.value(expr, self.state, {var: scope[var] for var in sorted(needed)})

    def items(self, expr: g.Expr, scope: Scope) -> list[Any]:
        value = self.value(expr, scope)
        if value is None or value is UNKNOWN:
            return []
        return list(value) if isinstance(value, list | tuple) else [value]

    def choices(self, items: g.Expr, scope: Scope) -> str:
        """Return a list in words: `your playable cards`, `the cards in your hand`."""
        return playing.wording.part().choices(self.names.game, items, self.called(items, scope))

    def called(self, expr: g.Expr, scope: Scope) -> dict[int, str]:
        """Return the names of the players and values chosen with this move, by variable."""
        found = {}
        for var in (part for part in walk((expr,)) if isinstance(part, g.Var)):
            value = scope.get(var.id)
            if value is None or value == ABSENT or var.id in self.hidden:
                continue
            if var.type.tag == "player":
                found[var.id] = "you" if value == self.state.who else self.names.players[value]
            elif var.id not in self.scope:
                found[var.id] = self.names.value(var.type, value)
        return found

    @cached_property
    def hidden(self) -> frozenset[int]:
        """Variables with hidden values, without those that the current player has named."""
        return self.names.facts.common.hidden_vars() & self.scope.keys()

    def failing(self, doc: str, tests: Iterable[tuple[g.Expr, str]], scope: Scope) -> Refusal | None:
        """Return the text of the first condition that fails; None if all hold.

        A condition without text is worded like the rulebook, after `doc`, the option's text, which may only describe
        its effect.
        """
        for test, words in tests:
            if self.value(test, scope):
                continue
            if words:
                return Refusal(words, test.span, (words, doc))
            missing = self.missing(test, scope)
            said = playing.wording.part().condition(self.names.game, missing, self.called(missing, scope))
            return Refusal(f"{doc} Only if {said}.".strip(), test.span, (doc,))
        return None

    def missing(self, test: g.Expr, scope: Scope) -> g.Expr:
        """Return the part of a condition that fails, or all of it, if the current player may not know its parts."""
        variables = {var: scope[var] for var in sorted(variables_of(test))}
        if variables.keys() & self.hidden:
            return test
        _, knowing = known_value(self.program, test, Looked.of(self.state), variables)
        if not knowing >> self.state.who & 1:
            return test
        return next((part for part in conjuncts(test) if not self.value(part, scope)), test)

    def failing_filter(self, source: g.Expr, cards: list[int], scope: Scope) -> Refusal | None:
        """Return the condition that keeps cards out of a list, worded like the rulebook."""
        for inner, names_of_it in self.unfolded(source, scope):
            if isinstance(inner, g.Filter) and set(cards) & set(self.items(inner.list, names_of_it)):
                bound = {**names_of_it, inner.var.id: cards[0]}
                if not self.value(inner.condition, bound):
                    missing = self.missing(inner.condition, bound)
                    said = playing.wording.part().condition(self.names.game, missing, self.called(missing, bound))
                    return Refusal(f"Only if {said}.", inner.span)
        return None

    def lies_elsewhere(self, source: g.Expr, cards: list[int], scope: Scope) -> str:
        """Return the location of cards outside the source of the choice; empty if they are in it.

        An example is `is in the discard pile`.
        """
        if not cards or set(cards) & set(self.basis(source, scope)):
            return ""
        pile = self.state.loc[cards[0]]
        if pile < 0:
            return "is out of the game"
        noun = plain(self.program.zones[pile].zone.noun.singular)
        place = f"your {noun}" if self.names.seat_of(pile) == self.state.who else self.names.pile(pile)
        if place.split()[0] in PREPOSITIONS:
            return f"is {place}"
        return f"is {'on' if noun == 'table' else 'in'} {place}"

    def basis(self, source: g.Expr, scope: Scope) -> list[Any]:
        """Return the cards that a list selects from, without its conditions."""
        *_, (inner, scope) = self.unfolded(source, scope)
        if isinstance(inner, g.FirstPossible):
            return [card for line, _ in inner.lists for card in self.basis(line, scope)]
        return self.items(inner, scope)

    def why_not_possible(self, first: g.FirstPossible, cards: list[int], scope: Scope) -> Refusal | None:
        """Return the text of the chosen line, for cards that a later line would allow."""
        taken: tuple[g.Expr, str] | None = None
        for line in first.lists:
            found = self.items(line[0], scope)
            if taken is None and found:
                taken = line
            elif taken is not None and taken[1] and set(cards) & set(found):
                return Refusal(taken[1], taken[0].span)
        return None

    def unfolded(self, source: g.Expr, scope: Scope) -> Iterator[tuple[g.Expr, Scope]]:
        """Yield a list, the body of its definition, the list that it filters, and so on, with their variables."""
        expr: g.Expr | None = source
        while expr is not None:
            yield expr, scope
            if isinstance(expr, g.Call):
                define = self.names.game.defines[expr.define]
                if define.var is not None and expr.of is not None:
                    scope = {**scope, define.var.id: kept(self.value(expr.of, scope))}
                expr = define.value
            else:
                expr = expr.list if isinstance(expr, g.Filter | g.Sorted) else None


def kept(value: Any) -> Any:
    """Return a value in the form that variables use."""
    return ABSENT if value is None else value
