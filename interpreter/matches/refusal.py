"""Why a move is not open: the words of the rule that forbids it, and the place of that rule.

Nothing here looks at cards that the player asked cannot tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from cardlang import game as g
from cardlang.game.walking import uses_var
from cardlang.source import Span
from interpreter.errors import MoveError
from interpreter.knowing import variables_of
from interpreter.matches.moves import printed
from interpreter.matches.names import Names, exact, listed, plain, unscaled
from interpreter.matches.parsing import SHOWN, codes_meant, number_of, words_of
from interpreter.state import ABSENT, State

UNKNOWN = object()
"""The value of what depends on something not said."""


@frozen
class Refusal:
    """`words` say why; `span` is the rule, if one forbids the move; `author` are the words that stand there."""

    words: str
    span: Span | None = field(default=None, eq=False, repr=False)
    author: str = field(default="", eq=False, repr=False)


def refusal(names: Names, state: State, text: str) -> Refusal | None:
    """Why a text is no move that is open now; None if it is one."""
    if state.who < 0:
        return Refusal("The match is over.")
    try:
        if codes_meant(names, state, text):
            return None
    except MoveError as error:
        return Refusal(error.message, error.span)
    return Explainer(names, state).why(text)


def plan(names: Names, state: State, text: str) -> list[int]:
    """The codes of the moves that a text means. Raises MoveError with the reason if it is not open."""
    if state.who < 0:
        raise MoveError("The match is over.")
    codes = codes_meant(names, state, text)
    if not codes:
        refused = Explainer(names, state).why(text)
        raise MoveError(refused.words, refused.span)
    return codes


class Explainer:
    """Explains for the decision that a state stands at. `scope`: the values of the variables there."""

    def __init__(self, names: Names, state: State) -> None:
        self.names = names
        self.program = names.program
        self.state = state
        self.site = self.program.site(state)
        self.scope: dict[int, Any] = self.program.scope(state)

    def why(self, text: str) -> Refusal:
        said = words_of(text)
        statement = self.site.statement
        for option in self.site.options:
            if said and said[0].lower() == option.name.lower():
                return self.why_option(option, said[1:])
        if isinstance(statement, g.Pick):
            rest = said[1:] if said and said[0].lower() == statement.verb else said
            return self.why_pick(statement, rest, text)
        if isinstance(statement, g.Choose):
            return self.why_value(statement.var, statement.domain, said, statement.span) or self.near_miss(text)
        return self.near_miss(text)

    def value(self, expr: g.Expr | None, scope: dict[int, Any]) -> Any:
        """The value of an expression; `UNKNOWN` if it needs a variable that has no value yet."""
        if expr is None:
            return None
        needed = variables_of(expr)
        if not needed <= scope.keys():
            return UNKNOWN
        return self.program.value(expr, self.state, {var: scope[var] for var in sorted(needed)})

    def near_miss(self, text: str) -> Refusal:
        """The text names nothing that could be a move here."""
        texts = printed(self.names, self.state, self.state.legal)
        close = get_close_matches(text.strip(), texts, 1, 0.6)
        if close:
            return Refusal(f"There is no move {text.strip()}. Did you mean {close[0]}?")
        shown = texts if len(texts) <= SHOWN else [*texts[:SHOWN], "…"]
        return Refusal(f"There is no move {text.strip()}. You can choose {listed(shown, 'or')}.")

    # ------------------------------------------------------------ options
    def why_option(self, option: g.Option, said: list[str]) -> Refusal:
        binders = [var for var, _ in option.binders]
        early = [test for test in option.when if not any(uses_var(test, var) for var in binders)]
        for test in early:
            if not self.value(test, self.scope):
                return self.fails(option, test)
        scope = dict(self.scope)
        for (var, domain), word in zip(option.binders, said, strict=False):
            refused = self.why_value(var, domain, [word], option.span, scope)
            if refused:
                return refused
            scope[var.id] = self.parsed(var.type, word)
        if len(said) >= len(binders):
            for test in option.when:
                if not self.value(test, scope):
                    return self.fails(option, test)
        return self.too_dear(option, scope, len(said) >= len(binders)) or self.cannot(option)

    def fails(self, option: g.Option, test: g.Expr) -> Refusal:
        """The option's own words, which may only tell what it does, and the condition that it waits for."""
        condition = " ".join(test.span.text.split())
        only = f"“{option.name}” is open only when `{condition}`."
        return Refusal(f"{option.doc} {only}".strip(), test.span, option.doc)

    def too_dear(self, option: g.Option, scope: dict[int, Any], bound: bool) -> Refusal | None:
        """A cost that the player asked cannot pay."""
        binders = [var for var, _ in option.binders]
        for amount, track in option.costs:
            if not bound and any(uses_var(amount, var) for var in binders):
                continue
            price, owned = self.value(amount, scope), self.owned(track)
            if isinstance(price, int | Fraction) and isinstance(owned, int | Fraction) and price > owned:
                noun = self.names.game.tracks[track].noun
                words = noun.singular if price == 1 else noun.plural
                return Refusal(f"That costs {exact(price)} {words} and you have {exact(owned)}.", amount.span)
        return None

    def owned(self, track: str) -> Any:
        declared = self.names.game.tracks[track]
        slot = self.program.track_base[track] + (self.state.who if declared.subject == "player" else 0)
        return unscaled(self.state.t[slot], self.program.tracks[slot].scale, declared.type)

    def cannot(self, option: g.Option) -> Refusal:
        """Nothing can be bound to what the option needs."""
        for _, domain in option.binders:
            if domain.list is not None:
                return Refusal(f"There is nothing to choose for {option.name}.", option.span)
        return Refusal(f"{option.doc} “{option.name}” is not open now.".strip(), option.span, option.doc)

    # ------------------------------------------------------------ cards and values
    def why_pick(self, statement: g.Pick, said: list[str], text: str) -> Refusal:
        if statement.position is not None:
            return self.why_number(statement, text)
        for word in said:
            cards = self.cards(word)
            if cards is None:
                return self.near_miss(text)
            refused = self.why_card(statement.source, word, cards, self.scope, statement.span)
            if refused:
                return refused
        return self.out_of_order(statement) if said and self.state.legal else self.near_miss(text)

    def out_of_order(self, statement: g.Pick) -> Refusal:
        """The cards are there, but every set of cards has one order in which they are picked."""
        words = f"Cards are picked in the order shown. Name several at once, as in {statement.verb} [A B]."
        return Refusal(words, statement.span)

    def why_number(self, statement: g.Pick, text: str) -> Refusal:
        texts = printed(self.names, self.state, self.state.legal)
        return Refusal(f"{text.strip()} is not open: it can be {listed(texts, 'or')}.", statement.span)

    def why_value(
        self, var: g.Var, domain: g.Domain, said: list[str], span: Span, scope: dict[int, Any] | None = None
    ) -> Refusal | None:
        """Why a word cannot be bound; None if it can, or says nothing."""
        scope = self.scope if scope is None else scope
        for word in said:
            type = var.type.item or var.type
            if type.tag == "card":
                cards = self.cards(word)
                if cards is not None and domain.list is not None:
                    return self.why_card(domain.list, word, cards, scope, span)
            value = self.parsed(type, word)
            if value is None:
                return Refusal(f"{word} is not among what can be chosen here.", span)
            if domain.low is not None and domain.high is not None:
                return self.out_of_range(domain, value, scope, span)
            if domain.list is not None and value not in self.items(domain.list, scope):
                return Refusal(f"{word} cannot be chosen: it has to be one of {domain.list.span.text}.", span)
        return None

    def out_of_range(self, domain: g.Domain, value: Any, scope: dict[int, Any], span: Span) -> Refusal | None:
        low = self.value(domain.low, scope)
        high = self.value(domain.high, scope)
        if not isinstance(low, int) or not isinstance(high, int) or low <= value <= high:
            return None
        if high < low:
            return Refusal("No number is open now.", span)
        return Refusal(f"It has to be from {exact(low)} to {exact(high)}.", span)

    def cards(self, word: str) -> list[int] | None:
        """The cards with this code that the player asked can tell; None if no card has it."""
        faces = self.names.game.faces
        face = next((f for f in faces if f.code == word), None)
        face = face or next((f for f in faces if f.code.lower() == word.lower()), None)
        if face is None:
            return None
        numbers = range(face.first, face.first + face.copies)
        return [card for card in numbers if self.program.visible(self.state, card, self.state.who)]

    def parsed(self, type: g.Type, word: str) -> Any:
        """A word as a value; None if it is none of that type."""
        if type.tag == "card":
            cards = self.cards(word)
            return cards[0] if cards else None
        if type.tag == "player":
            return next((seat for seat, name in enumerate(self.names.players) if name.lower() == word.lower()), None)
        if type.tag == "member" and type.of is not None:
            members = self.names.game.kinds[type.of].members
            return next((place for place, m in enumerate(members) if m.name.lower() == word.lower()), None)
        return number_of(word)

    def why_card(
        self, source: g.Expr, word: str, cards: list[int], scope: dict[int, Any], span: Span
    ) -> Refusal | None:
        """Why none of these cards (equal ones, all visible) is in the list; None if one is."""
        if set(cards) & set(self.items(source, scope)):
            return None
        for inner, names_of_it in self.unfolded(source, scope):
            if isinstance(inner, g.FirstPossible):
                refused = self.why_not_possible(inner, cards, names_of_it)
                if refused:
                    return refused
        noun = self.noun(source)
        return Refusal(f"[{word}] is not among {noun}.", span)

    def why_not_possible(self, first: g.FirstPossible, cards: list[int], scope: dict[int, Any]) -> Refusal | None:
        """The words of the line that was taken, for cards that a later line would have allowed."""
        taken: tuple[g.Expr, str] | None = None
        for line in first.lists:
            found = self.items(line[0], scope)
            if taken is None and found:
                taken = line
            elif taken is not None and taken[1] and set(cards) & set(found):
                return Refusal(taken[1], taken[0].span)
        return None

    def unfolded(self, source: g.Expr, scope: dict[int, Any]) -> Iterator[tuple[g.Expr, dict[int, Any]]]:
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

    def items(self, expr: g.Expr, scope: dict[int, Any]) -> list[Any]:
        value = self.value(expr, scope)
        if value is None or value is UNKNOWN:
            return []
        return list(value) if isinstance(value, list | tuple) else [value]

    def noun(self, source: g.Expr) -> str:
        """What the list is called: `your playable cards`, `your hand`."""
        if isinstance(source, g.Call):
            noun = self.names.game.defines[source.define].noun
            return f"the {plain(noun.plural)}"
        return "the cards that can be chosen"


def kept(value: Any) -> Any:
    """A value as a variable holds it."""
    return ABSENT if value is None else value
