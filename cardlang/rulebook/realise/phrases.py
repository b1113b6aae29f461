"""Noun phrases and clauses: their classes, scopes and dispatch by class of expression.

A value becomes a `NounPhrase`, a condition a `Clause`. `noun_phrases`, `quantity_phrases` and `condition_phrases`
register one function for each class of expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import CARD, FLAG, PLAYER, Type
from cardlang.model.expression_queries import unwrap_conversions
from cardlang.model.traversal import uses_variable
from cardlang.rulebook.realise.game_lexicon import Lexicon, LexiconEntry


@frozen
class NounPhrase:
    """A value in English, with its article: `your hand`, `the dealer`, `three`.

    - `is_plural`: it takes a plural verb (`you` does too).
    - `tested_role`: "self" for the object that a filter or comparison tests, "of" for an attribute of it; then
      `bare_noun` is the noun after `whose`.
    - `items_text`: for a list, its items without article: `cards in your hand`; `one_item`: one of them, as `card in
      your hand`; `place`: their location.
    - `is_pile`: a zone. The text names the zone, not the cards, unless the zone is named after them.
    - `owner` and `entry`: the owner and the declaration, if any.
    - `counted_noun`: the plural noun whose number this is.
    """

    text: str
    type: Type
    is_plural: bool = False
    tested_role: str = ""
    bare_noun: str = ""
    items_text: str = ""
    is_pile: bool = False
    owner: NounPhrase | None = None
    entry: LexiconEntry | None = None
    counted_noun: str = ""
    place: str = ""
    one_item: str = ""

    @property
    def is_actor(self) -> bool:
        """True if acts of this subject are infinitives in drafts."""
        return self.text in ACTORS and not self.tested_role

    @property
    def possessive(self) -> str:
        """Possessive form."""
        return morphology.make_possessive(self.text)

    @property
    def is_named_after_cards(self) -> bool:
        """True for a zone named after its cards: `your won cards`."""
        return self.is_pile and self.entry is not None and self.entry.is_unit

    @property
    def cards_text(self) -> str:
        """Noun for the cards themselves: `the cards on the table`, not `the table`; but `your hand`."""
        return self.text if self.stands_for_cards else f"the {self.items_text}"

    @property
    def counted_cards_noun(self) -> NounPhrase:
        """The noun for the cards one by one: `the cards in your hand`."""
        return evolve(self, text=f"the {self.items_text}", is_plural=True) if self.place else self.cards_noun

    @property
    def stands_for_cards(self) -> bool:
        """True if the text can name the cards themselves: for all but a pile of the table."""
        return not self.is_pile or self.is_named_after_cards or self.owner is not None

    @property
    def cards_noun(self) -> NounPhrase:
        """The noun for the cards themselves."""
        return self if self.stands_for_cards else evolve(self, text=self.cards_text, is_plural=True)

    @property
    def location(self) -> str:
        """Noun as a location: `in your hand`, `on the table`, `among your won cards`."""
        return f"among {self.text}" if self.is_named_after_cards else morphology.add_location_preposition(self.text)


YOU = NounPhrase("you", PLAYER, is_plural=True)
THEY = NounPhrase("they", PLAYER, is_plural=True)
"""Each player of a loop, in a sentence about all of them."""
ACTORS = ("you", "they", "it")
"""Nouns of those whose acts are infinitives in drafts: the reader, or each of a loop."""
RELATIVE_ORDER = ("modifier", "relative", "for", "exception")
"""Forms of clauses after a noun, in their order: `of Hearts`, `that are wild`, `for which …`, `other than Jacks`."""


@frozen
class Clause:
    """A condition in English: as a sentence (`it is a Dragon`), and as a relative clause.

    The relative clause is singular (`that is a Dragon`) and plural (`that are Dragons`). Both are empty if the
    condition is not about the tested object. `provided`: a further condition that is not about it. `conjunction`: the
    conjunction (`and`, `or`) in it. `form`: that of the relative clause, in `RELATIVE_ORDER`. `subject` and
    `predicate`: the parts of a plain clause.
    """

    text: str
    one: str = ""
    many: str = ""
    provided: str = ""
    conjunction: str = ""
    form: str = "relative"
    subject: str = ""
    predicate: str = ""


@frozen
class TestedSubject:
    """The object that a filter or comparison tests, or the subject of a definition."""

    var: g.Var
    noun: NounPhrase


@frozen
class PhraseScope:
    """Nouns of variables by their ids.

    `tested_subjects`: innermost first. `players`: those of an example, by their seats. `renamed`: expressions with a
    noun of their own, such as `they` for the leader in a sentence about the leader.
    """

    lexicon: Lexicon
    tested_subjects: tuple[TestedSubject, ...] = ()
    nouns: Mapping[int, NounPhrase] = field(factory=dict)
    players: tuple[str, ...] = ()
    renamed: tuple[tuple[g.Expr, NounPhrase], ...] = ()
    step: g.Step | None = None
    """The step that is described."""

    def rename(self, expr: g.Expr, noun: NounPhrase) -> PhraseScope:
        """Return a scope in which an expression has another noun."""
        return evolve(self, renamed=((expr, noun), *self.renamed))

    def bind_subject(self, var: g.Var, noun: NounPhrase) -> PhraseScope:
        """Return the scope inside a filter, a comparison, or a definition about one of its objects."""
        return evolve(self.bind_noun(var, noun), tested_subjects=(TestedSubject(var, noun), *self.tested_subjects))

    def bind_tested(self, var: g.Var) -> PhraseScope:
        """Return the scope inside a filter or a comparison that refers to the objects as `it` and `they`."""
        return self.bind_subject(var, build_tested_pronoun(var.type))

    def bind_noun(self, var: g.Var, noun: NounPhrase) -> PhraseScope:
        return evolve(self, nouns={**self.nouns, var.id: noun})


PhraseBuilder = Callable[[Any, PhraseScope], NounPhrase]
ClauseBuilder = Callable[[Any, PhraseScope, bool], Clause]
PHRASE_BUILDERS: dict[type[g.Expr], PhraseBuilder] = {}
CLAUSE_BUILDERS: dict[type[g.Expr], ClauseBuilder] = {}
F = TypeVar("F", bound=Callable[..., Any])


def register_in(table: dict[Any, Any], *keys: object) -> Callable[[F], F]:
    """Register a function in a table, under some keys."""

    def register(function: F) -> F:
        table.update(dict.fromkeys(keys, function))
        return function

    return register


register_phrase = partial(register_in, PHRASE_BUILDERS)
"""Register a function that describes values of some classes."""
register_clause = partial(register_in, CLAUSE_BUILDERS)
"""Register a function that describes conditions of some classes."""


def build_noun_phrase(expr: g.Expr, scope: PhraseScope) -> NounPhrase:
    """Describe a value as a noun phrase."""
    expr = unwrap_conversions(expr)
    for known, noun in scope.renamed:
        if known == expr:
            return noun
    if type(expr) in CLAUSE_BUILDERS:
        return NounPhrase(f"whether {build_clause(expr, scope).text}", FLAG)
    return PHRASE_BUILDERS[type(expr)](expr, scope)


def build_clause(expr: g.Expr, scope: PhraseScope, positive: bool = True) -> Clause:
    """Describe a condition, or its negation, as a clause."""
    expr = unwrap_conversions(expr)
    condition = CLAUSE_BUILDERS.get(type(expr))
    if condition is not None:
        return condition(expr, scope, positive)
    return build_flag_clause(build_noun_phrase(expr, scope), positive)


def describe_condition(expr: g.Expr, scope: PhraseScope, positive: bool = True) -> str:
    """Describe a condition, for use after `if`."""
    return build_clause(expr, scope, positive).text


def build_flag_clause(noun: NounPhrase, positive: bool) -> Clause:
    """Describe a flag of its owner, or of the table."""
    entry = noun.entry
    if entry is None:
        return build_verb_clause(noun, "is", "yes" if positive else "no")
    if noun.owner is not None and entry.predicate.startswith(("your ", "the ")):  # a clause, not a predicate
        return Clause(entry.predicate if positive else morphology.negate_sentence(entry.predicate))
    thing, verb, state = morphology.split_at_auxiliary(entry.predicate)
    if noun.owner is not None and thing:  # a clause about something that the owner has
        thing_noun = NounPhrase(f"{noun.owner.possessive} {thing}", FLAG, verb in ("are", "have"))
        return build_verb_clause(thing_noun, verb if verb != "are" else "is", state if positive else f"not {state}")
    if noun.owner is not None:
        head, _, rest = entry.predicate.partition(" ")
        if not positive and not morphology.AUXILIARY_VERB_PATTERN.match(head):
            return build_verb_clause(noun.owner, "does", f"not {morphology.agree_verb(entry.predicate, True)}")
        return build_verb_clause(noun.owner, head, rest if positive else f"not {rest}")
    if entry.predicate:
        return Clause(entry.predicate if positive else morphology.negate_sentence(entry.predicate))
    return Clause(f"{entry.singular} {'is on' if positive else 'is off'}")


def build_verb_clause(subject: NounPhrase, verb: str, rest: str, rest_many: str = "") -> Clause:
    """Build a clause `subject verb rest`. `verb`: third person singular. `rest_many`: the rest for several subjects."""

    def build_predicate(many: bool) -> str:
        return f"{morphology.agree_verb(verb, many)} {(rest_many or rest) if many else rest}"

    many_text = subject.is_plural and subject.text != "you"
    tail = (rest_many or rest) if many_text else rest
    predicate = f"{morphology.agree_verb(verb, subject.is_plural)} {tail}".rstrip()
    text = f"{subject.text} {predicate}"
    if subject.tested_role == "self":
        who = "who" if subject.type.tag == "player" else "that"
        return Clause(text, f"{who} {build_predicate(False)}", f"{who} {build_predicate(True)}")
    if subject.tested_role == "of":
        whose = f"whose {subject.bare_noun} {build_predicate(subject.is_plural)}"
        return Clause(text, whose, whose)
    return Clause(text, subject=subject.text, predicate=predicate)


def format_relative_clause(clause: Clause, is_plural: bool) -> str:
    """Return the clause after a head noun: `whose suit is Hearts, provided the table is empty`."""
    about = clause.many if is_plural else clause.one
    return ", provided ".join(part for part in (about, clause.provided or ("" if about else clause.text)) if part)


def build_relative_clause(expr: g.Expr, scope: PhraseScope, positive: bool = True) -> Clause:
    """Describe a condition as a relative clause if it concerns the tested object: `for which the total is 31`."""
    clause = build_clause(expr, scope, positive)
    if clause.many or not is_about_tested(expr, scope):
        return clause
    which = "whom" if scope.tested_subjects[0].var.type.tag == "player" else "which"
    return evolve(clause, one=f"for {which} {clause.text}", many=f"for each of {which} {clause.text}", form="for")


def is_about_tested(expr: g.Expr, scope: PhraseScope) -> bool:
    """Return whether the object that the innermost filter tests occurs in a condition."""
    level = scope.tested_subjects[0] if scope.tested_subjects else None
    return level is not None and level.noun.tested_role == "self" and uses_variable(expr, level.var)


def build_tested_pronoun(type_: Type) -> NounPhrase:
    """Return a pronoun for the object that a filter tests."""
    return NounPhrase("they" if type_.tag == "player" else "it", type_, type_.tag == "player", tested_role="self")


def get_item_type(noun: NounPhrase) -> Type:
    """Return the type of the items of a list. A single value counts as a list of itself."""
    if noun.type.tag == "list" and noun.type.item is not None:
        return noun.type.item
    return noun.type if noun.type.tag != "nothing" else CARD
