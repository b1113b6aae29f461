"""Explain why a move is illegal: the text of the rule that forbids it, and its position.

Nothing here reads cards that the current player cannot identify.
"""

from __future__ import annotations

from collections import Counter
from difflib import get_close_matches
from fractions import Fraction

from cardlang import game as g
from cardlang.game.vocabulary import VERBS
from cardlang.game.walking import uses_var
from cardlang.plain_text import simplified
from cardlang.source import Span
from interpreter.errors import MoveError
from interpreter.matches.moves import printed
from interpreter.matches.names import Names, exact, listed, unscaled
from interpreter.matches.parsing import SHOWN, codes_meant, number_of, words_of
from interpreter.matches.reasons import Reasons, Refusal, Scope
from interpreter.state import State

SPOKEN = {*VERBS, "choose", "pick", "select"}
"""Verbs that people use for cards, regardless of the verb in the rule."""


def refusal(names: Names, state: State, text: str) -> Refusal | None:
    """Explain why a string is not a legal move; None if it is."""
    if state.who < 0:
        return Refusal("The match is over.")
    plain = without_verb(names, state, text)
    if plain is not None:
        return refusal(names, state, plain) or meaning(names, state, text, plain)
    try:
        if codes_meant(names, state, text):
            return None
    except MoveError as error:
        return Refusal(error.message, error.span)
    return Explainer(names, state).why(text)


def plan(names: Names, state: State, text: str) -> list[int]:
    """Return the codes of the moves that a string means. Raise `MoveError` with the reason if it is illegal."""
    if state.who < 0:
        raise MoveError("The match is over.")
    if without_verb(names, state, text) is not None:
        refused = refusal(names, state, text)
    else:
        codes = codes_meant(names, state, text)
        if codes:
            return codes
        refused = Explainer(names, state).why(text)
    if refused is None:
        raise AssertionError("what has a verb of another rule is refused")
    raise MoveError(refused.words, refused.span)


def without_verb(names: Names, state: State, text: str) -> str | None:
    """Return the string without a card verb that no current move uses; None if it has no such verb.

    An example is `play 3s` if the rule says `discard` or `choose`.
    """
    verb, _, rest = simplified(text).strip().partition(" ")
    site = names.program.site(state)
    own = getattr(site.statement, "verb", "")
    if site.options or verb.lower() not in SPOKEN - {own} or not rest.strip():
        return None
    texts = printed(names, state, state.legal)
    return None if any(words_of(each)[:1] == [verb] for each in texts) else rest.strip()


def meaning(names: Names, state: State, text: str, plain: str) -> Refusal:
    """Suggest the move to type instead of a move with another verb."""
    codes = codes_meant(names, state, plain)
    meant = printed(names, state, codes)[0] if len(codes) == 1 else plain
    return Refusal(f"There is no move {text.strip()}. Did you mean {meant}?")


class Explainer(Reasons):
    """Explainer of illegal moves at the decision in a state."""

    def why(self, text: str) -> Refusal:
        said = words_of(text)
        statement = self.site.statement
        for option in self.site.options:
            if said and said[0].lower() == option.name.lower():
                return self.why_option(option, said[1:])
        if len(said) == 1 and self.cards(said[0]) is not None:
            for option in self.site.options:
                if option.binders and option.binders[0][0].type.tag == "card":
                    return self.why_option(option, said)
        if isinstance(statement, g.Pick):
            rest = said[1:] if said and said[0].lower() == statement.verb else said
            return self.why_pick(statement, rest, text)
        if isinstance(statement, g.Choose):
            refused = self.why_value(statement.var, statement.domain, said, statement.span)
            return refused or self.why_not_provided(statement, said) or self.near_miss(text)
        return self.near_miss(text)

    def near_miss(self, text: str) -> Refusal:
        """Suggest moves for a string that names nothing possible here."""
        texts = printed(self.names, self.state, self.state.legal)
        if self.cards(simplified(text).strip().strip("[]")) and not any("[" in each for each in texts):
            shown = texts if len(texts) <= SHOWN else [*texts[:SHOWN], "…"]
            return Refusal(f"You cannot choose a card now. You can choose {listed(shown, 'or')}.")
        close = get_close_matches(text.strip(), texts, 1, 0.6)
        if close:
            return Refusal(f"There is no move {text.strip()}. Did you mean {close[0]}?")
        shown = texts if len(texts) <= SHOWN else [*texts[:SHOWN], "…"]
        return Refusal(f"There is no move {text.strip()}. You can choose {listed(shown, 'or')}.")

    # ------------------------------------------------------------ options
    def why_option(self, option: g.Option, said: list[str]) -> Refusal:
        binders = [var for var, _ in option.binders]
        early = [each for each in option.when if not any(uses_var(each[0], var) for var in binders)]
        refused = self.failing(option.doc, early, self.scope)
        if refused:
            return refused
        scope = dict(self.scope)
        for (var, domain), word in zip(option.binders, said, strict=False):
            refused = self.why_value(var, domain, [word], option.span, scope)
            if refused:
                return Refusal(domain.doc, option.span, (domain.doc, option.doc)) if domain.doc else refused
            scope[var.id] = self.parsed(var.type, word)
        if len(said) >= len(binders):
            refused = self.failing(option.doc, option.when, scope)
            if refused:
                return refused
        return self.too_dear(option, scope, len(said) >= len(binders)) or self.cannot(option)

    def too_dear(self, option: g.Option, scope: Scope, bound: bool) -> Refusal | None:
        """Return the cost that the current player cannot pay."""
        binders = [var for var, _ in option.binders]
        for amount, track, doc in option.costs:
            if not bound and any(uses_var(amount, var) for var in binders):
                continue
            price, owned = self.value(amount, scope), self.owned(track)
            if isinstance(price, int | Fraction) and isinstance(owned, int | Fraction) and price > owned:
                noun = self.names.game.tracks[track].noun
                words = noun.singular if price == 1 else noun.plural
                told = f"That costs {exact(price)} {words} and you have {exact(owned)}."
                return Refusal(doc or told, amount.span, (doc, option.doc) if doc else ())
        return None

    def owned(self, track: str) -> int | Fraction | str | None:
        declared = self.names.game.tracks[track]
        slot = self.program.track_base[track] + (self.state.who if declared.subject == "player" else 0)
        return unscaled(self.state.t[slot], self.program.tracks[slot].scale, declared.type)

    def cannot(self, option: g.Option) -> Refusal:
        """Explain that an option has no possible values."""
        domains = [domain for _, domain in option.binders]
        if len(domains) == 1 and domains[0].doc:
            return Refusal(domains[0].doc, option.span, (domains[0].doc, option.doc))
        if any(domain.list is not None for domain in domains):
            return self.against_each(option) or Refusal(f"There is nothing to choose for {option.name}.", option.span)
        return Refusal(f"{option.doc} “{option.name}” is not possible now.".strip(), option.span, (option.doc,))

    def against_each(self, option: g.Option) -> Refusal | None:
        """Return the most common reason against the possible values of an option with one value."""
        (var, domain), *others = option.binders
        if others or domain.list is None:
            return None
        found = []
        for item in self.items(domain.list, self.scope):
            if var.type.tag == "card" and not self.program.visible(self.state, item, self.state.who):
                return None
            scope = {**self.scope, var.id: item}
            found.append(self.failing(option.doc, option.when, scope) or self.too_dear(option, scope, True))
        reasons = Counter(each for each in found if each is not None)
        return reasons.most_common(1)[0][0] if reasons else None

    # ------------------------------------------------------------ cards and values
    def why_pick(self, statement: g.Pick, said: list[str], text: str) -> Refusal:
        if statement.position is not None:
            return self.why_number(statement, text)
        for word in said:
            cards = self.cards(word)
            if cards is None:
                return self.near_miss(text)
            refused = self.why_card(statement.source, word, cards, self.scope, statement.span, statement.doc)
            if refused:
                return refused
        return self.out_of_order(statement) if said and self.state.legal else self.near_miss(text)

    def out_of_order(self, statement: g.Pick) -> Refusal:
        """Explain the order of picks: each set of cards has only one."""
        words = f"Pick cards in the order shown, or name several at once, as in {statement.verb} [A B]."
        return Refusal(words, statement.span)

    def why_number(self, statement: g.Pick, text: str) -> Refusal:
        texts = printed(self.names, self.state, self.state.legal)
        return Refusal(f"{text.strip()} is not possible. You can choose {listed(texts, 'or')}.", statement.span)

    def why_value(
        self, var: g.Var, domain: g.Domain, said: list[str], span: Span, scope: Scope | None = None
    ) -> Refusal | None:
        """Explain why a word cannot be bound; None if it can, or if there is no word."""
        scope = self.scope if scope is None else scope
        for word in said:
            type = var.type.item or var.type
            if type.tag == "card":
                cards = self.cards(word)
                if cards is not None and domain.list is not None:
                    return self.why_card(domain.list, word, cards, scope, span, domain.doc)
            value = self.parsed(type, word)
            if value is None and type.tag != "card" and self.cards(word):
                return Refusal("You cannot choose a card now.", span)
            if value is None:
                return Refusal(f"You cannot choose {word} here.", span)
            if domain.low is not None and domain.high is not None:
                return self.out_of_range(domain, value, scope, span)
            if domain.list is not None and value not in self.items(domain.list, scope):
                among = self.choices(domain.list, scope)
                return Refusal(f"You cannot choose {word}. It must be one of {among}.", span)
        return None

    def why_not_provided(self, choice: g.Choose, said: list[str]) -> Refusal | None:
        """Return the text of a choice, for values that only its `provided` condition excludes."""
        values = [self.parsed(choice.var.type.item or choice.var.type, word) for word in said]
        if choice.provided is None or not values or None in values or (len(values) > 1 and not choice.several):
            return None
        scope = {**self.scope, choice.var.id: tuple(values) if choice.several else values[0]}
        return self.failing(choice.doc, [(choice.provided, choice.doc)], scope)

    def out_of_range(self, domain: g.Domain, value: int, scope: Scope, span: Span) -> Refusal | None:
        low = self.value(domain.low, scope)
        high = self.value(domain.high, scope)
        if not isinstance(low, int) or not isinstance(high, int) or low <= value <= high:
            return None
        if high < low:
            return Refusal("No number is possible now.", span)
        open_ = exact(low) if low == high else f"from {exact(low)} to {exact(high)}"
        return Refusal(f"It must be {open_}.", span)

    def cards(self, word: str) -> list[int] | None:
        """Return the copies of a card that the current player can identify; None if no card has this code."""
        faces = self.names.game.faces
        face = next((f for f in faces if f.code == word), None)
        face = face or next((f for f in faces if f.code.lower() == word.lower()), None)
        if face is None:
            return None
        numbers = range(face.first, face.first + face.copies)
        return [card for card in numbers if self.program.visible(self.state, card, self.state.who)]

    def parsed(self, type: g.Type, word: str) -> int | None:
        """Parse a word as a value of a type; None if it is not one."""
        if type.tag == "card":
            cards = self.cards(word)
            return cards[0] if cards else None
        if type.tag == "player":
            return next(
                (seat for seat, name in enumerate(self.names.players) if simplified(name).lower() == word.lower()), None
            )
        if type.tag == "member" and type.of is not None:
            members = self.names.game.kinds[type.of].members
            return next((place for place, m in enumerate(members) if m.name.lower() == word.lower()), None)
        return number_of(word)

    def why_card(
        self, source: g.Expr, word: str, cards: list[int], scope: Scope, span: Span, doc: str
    ) -> Refusal | None:
        """Explain why none of these equal, visible cards is in the list; None if one of them is.

        `doc`: text of the choice, used if no definition of the cards has a text.
        """
        if set(cards) & set(self.items(source, scope)):
            return None
        defined = ""
        for inner, names_of_it in self.unfolded(source, scope):
            if isinstance(inner, g.FirstPossible):
                refused = self.why_not_possible(inner, cards, names_of_it)
                if refused:
                    return refused
            meant = inner.value if isinstance(inner, g.MapEach) else inner
            if isinstance(meant, g.Call):
                defined = defined or self.names.game.defines[meant.define].doc
        words = defined or doc
        author = (words,) if words else ()
        among = self.choices(source, scope)
        elsewhere = self.lies_elsewhere(source, cards, scope)
        if elsewhere:
            return Refusal(f"[{word}] {elsewhere}. It must be one of {among}. {words}".strip(), span, author)
        failing = None if defined else self.failing_filter(source, cards, scope)
        return failing or Refusal(f"[{word}] is not one of {among}. {words}".strip(), span, author)
