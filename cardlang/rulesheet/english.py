"""Define English values and conditions, and the registries of functions that generate them.

A value becomes a `Noun`, a condition a `Clause`. The modules `nouns`, `lists` and `clauses` have one function for each
class of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from cardlang import game as g
from cardlang import words
from cardlang.game import CARD, FLAG, PLAYER, Type
from cardlang.game.walking import uses_var
from cardlang.rulesheet.lexicon import Entry, Lexicon
from cardlang.rulesheet.parts import bare


@frozen
class Noun:
    """A value in English, with its article: `your hand`, `the dealer`, `three`.

    - `plural`: it takes a plural verb (`you` does too).
    - `tested`: "self" for the object that a filter or comparison tests, "of" for an attribute of it; then `bare` is the
      noun after `whose`.
    - `items`: for a list, its items without article: `cards in your hand`.
    - `pile`: a zone. The text names the zone, not the cards, unless the zone is named after them.
    - `owner` and `entry`: the owner and the declaration, if any.
    - `counted`: the plural noun whose number this is.
    """

    text: str
    type: Type
    plural: bool = False
    tested: str = ""
    bare: str = ""
    items: str = ""
    pile: bool = False
    owner: Noun | None = None
    entry: Entry | None = None
    counted: str = ""

    @property
    def of(self) -> str:
        """Possessive form."""
        return words.possessive(self.text)

    @property
    def called_after_cards(self) -> bool:
        """True for a zone named after its cards: `your won cards`."""
        return self.pile and self.entry is not None and self.entry.unit

    @property
    def cards(self) -> str:
        """Noun for the cards themselves: `the cards in your hand`, not `your hand`."""
        return f"the {self.items}" if self.pile and not self.called_after_cards else self.text

    @property
    def within(self) -> str:
        """Noun as a location: `in your hand`, `on the table`, `among your won cards`."""
        return f"among {self.text}" if self.called_after_cards else words.within(self.text)


YOU = Noun("you", PLAYER, plural=True)


@frozen
class Clause:
    """A condition in English: as a sentence (`it is a Dragon`), and as a relative clause.

    The relative clause is singular (`that is a Dragon`) and plural (`that are Dragons`). Both are empty if the
    condition is not about the tested object. `provided`: a further condition that is not about it. `mixed`: the
    conjunction (`and`, `or`) in it.
    """

    text: str
    one: str = ""
    many: str = ""
    provided: str = ""
    mixed: str = ""


@frozen
class Level:
    """The object that a filter or comparison tests, or the subject of a definition."""

    var: g.Var
    noun: Noun


@frozen
class Scope:
    """Nouns of variables by their ids. `levels`: innermost first. `players`: those of an example, by their seats."""

    lexicon: Lexicon
    levels: tuple[Level, ...] = ()
    nouns: Mapping[int, Noun] = field(factory=dict)
    players: tuple[str, ...] = ()

    def about(self, var: g.Var, noun: Noun) -> Scope:
        """Return the scope inside a filter, a comparison, or a definition about one of its objects."""
        return evolve(self.naming(var, noun), levels=(Level(var, noun), *self.levels))

    def testing(self, var: g.Var) -> Scope:
        """Return the scope inside a filter or a comparison that refers to the objects as `it` and `they`."""
        return self.about(var, tested(var.type))

    def naming(self, var: g.Var, noun: Noun) -> Scope:
        return evolve(self, nouns={**self.nouns, var.id: noun})


Phrase = Callable[[Any, Scope], Noun]
Condition = Callable[[Any, Scope, bool], Clause]
PHRASES: dict[type[g.Expr], Phrase] = {}
CONDITIONS: dict[type[g.Expr], Condition] = {}
P = TypeVar("P", bound=Phrase)
C = TypeVar("C", bound=Condition)


def says(*classes: type[g.Expr]) -> Callable[[P], P]:
    """Register a function that describes values of these classes."""

    def register(function: P) -> P:
        PHRASES.update(dict.fromkeys(classes, function))
        return function

    return register


def holds(*classes: type[g.Expr]) -> Callable[[C], C]:
    """Register a function that describes conditions of these classes."""

    def register(function: C) -> C:
        CONDITIONS.update(dict.fromkeys(classes, function))
        return function

    return register


def phrase(expr: g.Expr, scope: Scope) -> Noun:
    """Describe a value as a noun phrase."""
    expr = bare(expr)
    if type(expr) in CONDITIONS:
        return Noun(f"whether {clause(expr, scope).text}", FLAG)
    return PHRASES[type(expr)](expr, scope)


def clause(expr: g.Expr, scope: Scope, positive: bool = True) -> Clause:
    """Describe a condition, or its negation, as a clause."""
    expr = bare(expr)
    condition = CONDITIONS.get(type(expr))
    if condition is not None:
        return condition(expr, scope, positive)
    return flag(phrase(expr, scope), positive)


def condition(expr: g.Expr, scope: Scope, positive: bool = True) -> str:
    """Describe a condition, for use after `if`."""
    return clause(expr, scope, positive).text


def flag(noun: Noun, positive: bool) -> Clause:
    """Describe a flag of its owner, or of the table."""
    entry = noun.entry
    if entry is None:
        return statement(noun, "is", "yes" if positive else "no")
    if noun.owner is not None:
        head, _, rest = entry.verb.partition(" ")
        if not positive and not words.AUXILIARY.match(head):
            return statement(noun.owner, "does", f"not {words.agree(entry.verb, True)}")
        return statement(noun.owner, head, rest if positive else f"not {rest}")
    if entry.verb:
        return Clause(entry.verb if positive else words.negate(entry.verb))
    return Clause(f"“{entry.singular}” {'is' if positive else 'is not'} in force")


def statement(subject: Noun, verb: str, rest: str, rest_many: str = "") -> Clause:
    """Build a clause `subject verb rest`. `verb`: third person singular. `rest_many`: the rest for several subjects."""

    def spoken(many: bool) -> str:
        return f"{words.agree(verb, many)} {(rest_many or rest) if many else rest}"

    many_text = subject.plural and subject.text != "you"
    tail = (rest_many or rest) if many_text else rest
    text = f"{subject.text} {words.agree(verb, subject.plural)} {tail}"
    if subject.tested == "self":
        who = "who" if subject.type.tag == "player" else "that"
        return Clause(text, f"{who} {spoken(False)}", f"{who} {spoken(True)}")
    if subject.tested == "of":
        whose = f"whose {subject.bare} {spoken(subject.plural)}"
        return Clause(text, whose, whose)
    return Clause(text)


def relative(said: Clause, many: bool) -> str:
    """Return the clause after a head noun: `whose suit is Hearts, provided the table is empty`."""
    about = said.many if many else said.one
    return ", provided ".join(part for part in (about, said.provided or ("" if about else said.text)) if part)


def about_tested(expr: g.Expr, scope: Scope, positive: bool = True) -> Clause:
    """Describe a condition as a relative clause if it concerns the tested object: `for which the total is 31`."""
    said = clause(expr, scope, positive)
    if said.many or not concerns_tested(expr, scope):
        return said
    which = "whom" if scope.levels[0].var.type.tag == "player" else "which"
    return evolve(said, one=f"for {which} {said.text}", many=f"for each of {which} {said.text}")


def concerns_tested(expr: g.Expr, scope: Scope) -> bool:
    """Return whether the object that the innermost filter tests occurs in a condition."""
    level = scope.levels[0] if scope.levels else None
    return level is not None and level.noun.tested == "self" and uses_var(expr, level.var)


def tested(type_: Type) -> Noun:
    """Return a pronoun for the object that a filter tests."""
    return Noun("they" if type_.tag == "player" else "it", type_, type_.tag == "player", tested="self")


def item_type(noun: Noun) -> Type:
    """Return the type of the items of a list. A single value counts as a list of itself."""
    if noun.type.tag == "list" and noun.type.item is not None:
        return noun.type.item
    return noun.type if noun.type.tag != "nothing" else CARD
