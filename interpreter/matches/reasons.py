"""What keeps a choice from being open: conditions that do not hold, and cards that are not where one chooses.

Nothing here looks at cards that the player asked cannot tell.
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
"""The value of what depends on something not said."""


@frozen
class Refusal:
    """`words` say why; `span` is the rule, if one forbids the move; `author`: the texts that stand there."""

    words: str
    span: Span | None = field(default=None, eq=False, repr=False)
    author: tuple[str, ...] = field(default=(), eq=False, repr=False)


class Reasons:
    """Reasons at the decision that a state stands at. `scope`: the values of the variables there."""

    def __init__(self, names: Names, state: State) -> None:
        self.names = names
        self.program = names.program
        self.state = state
        self.site = self.program.site(state)
        self.scope: Scope = self.program.scope(state)

    def value(self, expr: g.Expr | None, scope: Scope) -> object:
        """The value of an expression; `UNKNOWN` if it needs a variable that has no value yet."""
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
        """What a list is called: `your playable cards`, `the cards in your hand`."""
        return playing.wording.part().choices(self.names.game, items, self.called(items, scope))

    def called(self, expr: g.Expr, scope: Scope) -> dict[int, str]:
        """What the players and the things chosen with this move are called."""
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
        """The variables that hold what not everybody knows, but for what the player asked has named."""
        return self.names.facts.common.hidden_vars() & self.scope.keys()

    def failing(self, doc: str, tests: Iterable[tuple[g.Expr, str]], scope: Scope) -> Refusal | None:
        """The words of the first condition that does not hold; without any, `doc`, those of the option, which may only
        tell what it does, and the condition as the sheet says it."""
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
        """The part of a condition that does not hold; all of it, if the player asked may not tell the parts."""
        variables = {var: scope[var] for var in sorted(variables_of(test))}
        if variables.keys() & self.hidden:
            return test
        _, knowing = known_value(self.program, test, Looked.of(self.state), variables)
        if not knowing >> self.state.who & 1:
            return test
        return next((part for part in conjuncts(test) if not self.value(part, scope)), test)

    def failing_filter(self, source: g.Expr, cards: list[int], scope: Scope) -> Refusal | None:
        """The condition that keeps the cards out of a list, as the sheet says it."""
        for inner, names_of_it in self.unfolded(source, scope):
            if isinstance(inner, g.Filter) and set(cards) & set(self.items(inner.list, names_of_it)):
                bound = {**names_of_it, inner.var.id: cards[0]}
                if not self.value(inner.condition, bound):
                    missing = self.missing(inner.condition, bound)
                    said = playing.wording.part().condition(self.names.game, missing, self.called(missing, bound))
                    return Refusal(f"Only if {said}.", inner.span)
        return None

    def lies_elsewhere(self, source: g.Expr, cards: list[int], scope: Scope) -> str:
        """`lies in the discard pile`, of cards that lie where nothing is chosen from; else empty."""
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
        """The cards among which a list picks, whatever it asks of them."""
        *_, (inner, scope) = self.unfolded(source, scope)
        if isinstance(inner, g.FirstPossible):
            return [card for line, _ in inner.lists for card in self.basis(line, scope)]
        return self.items(inner, scope)

    def why_not_possible(self, first: g.FirstPossible, cards: list[int], scope: Scope) -> Refusal | None:
        """The words of the line that was taken, for cards that a later line would have allowed."""
        taken: tuple[g.Expr, str] | None = None
        for line in first.lists:
            found = self.items(line[0], scope)
            if taken is None and found:
                taken = line
            elif taken is not None and taken[1] and set(cards) & set(found):
                return Refusal(taken[1], taken[0].span)
        return None

    def unfolded(self, source: g.Expr, scope: Scope) -> Iterator[tuple[g.Expr, Scope]]:
        """A list, what its definition says, what that is filtered from, and so on, each with its
        variables."""
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
    """A value as a variable holds it."""
    return ABSENT if value is None else value
