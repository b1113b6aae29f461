"""Expressions in English: what they are made into, and the tables of functions that make it.

A value becomes a `Noun`, a condition a `Clause`; one function for each node class, in `nouns`, `lists`
and `clauses`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from cardlang import nodes as n
from cardlang.game import CARD, FLAG, NOTHING, PLAYER, Type
from cardlang.rulesheet import words
from cardlang.rulesheet.lexicon import Entry, Lexicon


@frozen
class Noun:
    """A value in English, with its article: `your hand`, `the dealer`, `three`.

    `plural`: it takes a plural verb (`you` does too). `tested`: "self" if it is the thing that a filter or a
    comparison tests, "of" if it belongs to that thing; then `bare` is what follows `whose`.
    `items`: of a list, what it holds, without article: `cards in your hand`. `pile`: it is a place for cards, and
    its text names that place, not the cards, unless the place is called after them. `owner` and `entry`: whose it
    is and what it is, if it is declared. `counted`: it is the number of these.
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
        """The possessive."""
        return words.possessive(self.text)

    @property
    def called_after_cards(self) -> bool:
        """Whether it is a place that is called after the cards in it: `your won cards`."""
        return self.pile and self.entry is not None and self.entry.unit

    @property
    def cards(self) -> str:
        """The things themselves: `the cards in your hand`, not `your hand`."""
        return f"the {self.items}" if self.pile and not self.called_after_cards else self.text

    @property
    def within(self) -> str:
        """`in your hand`, `on the table`, `among your won cards`."""
        return f"among {self.text}" if self.called_after_cards else words.within(self.text)


YOU = Noun("you", PLAYER, plural=True)


@frozen
class Clause:
    """A condition: on its own (`it is a Dragon`), and said of a head noun in singular and plural
    (`that is a Dragon`, `that are Dragons`); these two are empty where it is not about the thing tested.
    `provided`: a further condition that is not about it. `mixed`: it is made with this word (`and`, `or`)."""

    text: str
    one: str = ""
    many: str = ""
    provided: str = ""
    mixed: str = ""


@frozen
class Level:
    """Something that bare names may belong to: the thing tested, the subject of a definition."""

    type: Type
    noun: Noun


@frozen
class Scope:
    """What names mean. `levels`: innermost first. `it`: the thing of the innermost loop or filter."""

    lexicon: Lexicon
    levels: tuple[Level, ...] = ()
    names: Mapping[str, Noun] = field(factory=dict)
    it: Noun | None = None

    def testing(self, noun: Noun) -> Scope:
        """Inside a filter or a comparison of such things."""
        return evolve(self, levels=(Level(noun.type, noun), *self.levels), it=noun)

    def with_it(self, noun: Noun) -> Scope:
        return evolve(self, it=noun)

    def naming(self, name: str, noun: Noun) -> Scope:
        return evolve(self, names={**self.names, name: noun})


Phrase = Callable[[Any, Scope], Noun]
Condition = Callable[[Any, Scope, bool], Clause]
PHRASES: dict[type[n.Expr], Phrase] = {}
CONDITIONS: dict[type[n.Expr], Condition] = {}
P = TypeVar("P", bound=Phrase)
C = TypeVar("C", bound=Condition)


def says(*classes: type[n.Expr]) -> Callable[[P], P]:
    """Registers the English of values of these node classes."""

    def register(function: P) -> P:
        PHRASES.update(dict.fromkeys(classes, function))
        return function

    return register


def holds(*classes: type[n.Expr]) -> Callable[[C], C]:
    """Registers the English of conditions of these node classes."""

    def register(function: C) -> C:
        CONDITIONS.update(dict.fromkeys(classes, function))
        return function

    return register


def phrase(expr: n.Expr, scope: Scope) -> Noun:
    """A value as a noun phrase."""
    if type(expr) in CONDITIONS:
        return Noun(f"whether {clause(expr, scope).text}", FLAG)
    return PHRASES[type(expr)](expr, scope)


def clause(expr: n.Expr, scope: Scope, positive: bool = True) -> Clause:
    """A condition as a clause, or its contrary."""
    condition = CONDITIONS.get(type(expr))
    if condition is not None:
        return condition(expr, scope, positive)
    return flag(phrase(expr, scope), positive)


def condition(expr: n.Expr, scope: Scope, positive: bool = True) -> str:
    """A condition on its own, to stand after `if`."""
    return clause(expr, scope, positive).text


def flag(noun: Noun, positive: bool) -> Clause:
    """What a flag says: of its owner, or of the table."""
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
    """`subject verb rest`. `verb`: third person singular. `rest_many`: the rest for several subjects."""

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
    """What follows a head noun: `whose suit is Hearts, provided the table is empty`."""
    about = said.many if many else said.one
    return ", provided ".join(part for part in (about, said.provided or ("" if about else said.text)) if part)


def about_tested(expr: n.Expr, scope: Scope, positive: bool = True) -> Clause:
    """A condition as a clause, said of the thing tested wherever it concerns it: `for which the total is 31`."""
    said = clause(expr, scope, positive)
    if said.many or not concerns_tested(expr, scope):
        return said
    which = "whom" if scope.levels[0].type.tag == "player" else "which"
    return evolve(said, one=f"for {which} {said.text}", many=f"for each of {which} {said.text}")


def concerns_tested(expr: n.Expr, scope: Scope) -> bool:
    """Whether the thing that the innermost filter tests occurs in a condition, under any name."""
    if scope.it is None or scope.it.tested != "self":
        return False
    mark = evolve(scope.it, text="\0", tested="")
    return "\0" in clause(expr, evolve(scope, levels=(Level(mark.type, mark), *scope.levels[1:]), it=mark)).text


def tested(type_: Type) -> Noun:
    """The thing a filter tests, as a pronoun."""
    return Noun("they" if type_.tag == "player" else "it", type_, type_.tag == "player", tested="self")


def item_type(noun: Noun) -> Type:
    """What a list holds; a single thing is a list of itself."""
    if noun.type.tag == "list" and noun.type.item is not None:
        return noun.type.item
    return noun.type if noun.type is not NOTHING else CARD
