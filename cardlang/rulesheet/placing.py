"""Place terms in the first section that needs them, and examples with the rules that they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import define, evolve, field

from cardlang import game as g
from cardlang import words
from cardlang.rulesheet.contents import question
from cardlang.rulesheet.declarations import define_item, order_item
from cardlang.rulesheet.english import Scope
from cardlang.rulesheet.instead import covered, items
from cardlang.rulesheet.lexicon import Lexicon
from cardlang.rulesheet.links import every
from cardlang.rulesheet.model import WORDS_USED, Block, Item, Items, Question, Section, Story
from cardlang.rulesheet.parts import names_in
from cardlang.rulesheet.rankings import is_term, ranking_item
from cardlang.rulesheet.realising import finished
from cardlang.rulesheet.stories import length, story

Term = g.Define | g.Order | g.Ranking


@define
class Glossary:
    """The definitions, orders and simple rankings of a game, each explained once, at its first use.

    `placed`: the titles of the sections that explain them, by name.
    """

    scope: Scope
    terms: dict[str, Term]
    placed: dict[str, str] = field(factory=dict)

    @staticmethod
    def of(told: g.Game, scope: Scope) -> Glossary:
        rankings = (ranking for ranking in told.rankings.values() if is_term(ranking))
        terms: list[Term] = [*told.defines.values(), *told.orders.values(), *rankings]
        terms.sort(key=lambda term: term.origin.place)
        apart = {name.partition(" ")[2]: step_of(rule, scope.lexicon) for name, rule in covered(scope.lexicon)}
        named = {term.name: term for term in terms}
        placed = {name: apart[name] for name in named if name in apart}
        return Glossary(scope, {name: term for name, term in named.items() if name not in apart}, placed)

    def needed(self, parts: object) -> list[Term]:
        """Return the unexplained terms that some parts need, each followed by its dependencies."""
        found = []
        for name in names_in(parts):
            term = self.terms.pop(name, None)
            if term is not None:
                found += [term, *self.needed(within(term))]
        return found

    def explain(self, parts: object, section: Section) -> Section:
        """Return the section on some parts, with the terms that it is the first to need."""
        return self.explained(self.needed(parts), section)

    def explain_goal(self, told: Sequence[str], names: Sequence[str], section: Section) -> Section:
        """Return the section on the goal. `told`: the terms that it explains completely; `names`: those to explain."""
        plain = [self.terms.pop(name) for name in told if name in self.terms]
        self.placed |= dict.fromkeys(told, section.title)
        terms = [self.terms.pop(name) for name in names if name in self.terms]
        return self.explained([*terms, *self.needed(tuple(map(within, (*plain, *terms))))], section)

    def explained(self, terms: Sequence[Term], section: Section) -> Section:
        self.placed |= {term.name: section.title for term in terms}
        told = self.told(terms)
        lead: tuple[Block, ...] = (WORDS_USED,) if told.blocks else ()
        return evolve(section, blocks=(*section.blocks, *lead, *told.blocks))

    def rest(self) -> Section:
        """Return a section with all unexplained terms."""
        terms = list(self.terms.values())
        self.placed |= dict.fromkeys(self.terms, "Terms")
        self.terms.clear()
        return self.told(terms)

    def told(self, terms: Sequence[Term]) -> Section:
        return Section("Terms", (Items(tuple(map(self.item, terms)), bullets=True),) if terms else ())

    def item(self, term: Term) -> Item:
        match term:
            case g.Define():
                said = items(f"define {term.name}", self.scope.lexicon)
                if said is not None:
                    return evolve(define_item(term, self.scope), text=said[0].text, words="", items=said[1:])
                return define_item(term, self.scope)
            case g.Order():
                return order_item(term, self.scope)
        return ranking_item(term, self.scope)


def step_of(rule: str, lexicon: Lexicon) -> str:
    """Return the title of the section on a rule, if it is a step."""
    what, _, name = rule.partition(" ")
    return lexicon.step_title(name) if what == "step" else ""


def within(term: Term) -> object:
    """Return the parts of a term."""
    match term:
        case g.Define():
            return (term.value,)
        case g.Order():
            return term.lines
    return (term.ranks, tuple(wild.condition for wild in term.wilds), term.ties)


# ---------------------------------------------------------------- examples
Shown = Literal["few", "all", "none"]
"""Examples on a sheet: at most one for each rule, all (the others at the end), or none."""
SHORT = 90
"""Maximum number of words of a short example. Short examples are preferred."""
LONG = 180
"""Maximum number of words of an example next to a rule."""
MORE = "More examples"


def with_examples(
    sections: Sequence[Section], examples: Sequence[g.Example], places: Mapping[str, str], scope: Scope, how: Shown
) -> tuple[tuple[Section, ...], Section]:
    """Add examples to the sections whose rules they show. Return the sections with chapters, and the other examples.

    `places`: titles of sections, by the names that they explain.
    """
    told = scope.lexicon.told
    headed = {each.title: told[f"example {each.title}"].title for each in examples if f"example {each.title}" in told}
    apart = [each for each in examples if headed.get(each.title) and how != "none"]
    known = {each.title: each for each in examples if how != "none" and each not in apart}
    sections, within = with_own(sections, {title: story(each, scope) for title, each in known.items()})
    titles = {section.title for section in every(sections)}
    served = {each.title for each in every(sections) if {part.title for part in every((each,))} & {*within.values()}}
    found: dict[str, list[g.Example]] = {}
    stories: dict[str, Story] = {}
    for example in (each for each in known.values() if each.ruling is None and each.title not in within):
        name = next((name for name in shown(example) if places.get(name) in titles), "")
        title = places.get(name, "")
        found.setdefault(title, []).append(example)
        stories[example.title] = story(example, scope, (title, words.title(name)))
    beside: dict[str, Story] = {}
    for title, listed in found.items():
        own = [each for each in listed if f"example {each.title}" in scope.lexicon.told]
        fit = [stories[each.title] for each in own or listed if own or is_scene(each)]
        if title and title not in served and fit and length(best(fit)) <= LONG:
            beside[title] = best(fit)
    rest = [stories[each.title] for listed in found.values() for each in listed]
    more = Section(MORE, tuple(each for each in rest if each not in beside.values()) if how == "all" else ())
    chapters = tuple(Section(headed[each.title], (story(each, scope),)) for each in apart)
    return (*(with_story(section, beside) for section in sections), *chapters), more


def is_scene(example: g.Example) -> bool:
    """Return whether an example has a position or moves; otherwise it only checks the cards or the deal."""
    played = any(isinstance(line, g.Doing) and line.statement.step != "setup" for line in example.lines)
    return played or any(isinstance(line, g.Given | g.Answer) for line in example.lines)


def with_own(sections: Sequence[Section], stories: Mapping[str, Story]) -> tuple[tuple[Section, ...], dict[str, str]]:
    """Add examples within instructions. Return the sections, and the titles of their sections by example title.

    `stories`: by title; other examples are left out.
    """
    within: dict[str, str] = {}

    def item(each: Item, title: str) -> Item:
        own = stories.get(each.story.title) if each.story is not None else None
        if own is not None:
            within[own.title] = title
        return evolve(each, story=own, items=tuple(item(part, title) for part in each.items))

    def block(each: Block, title: str) -> Block | None:
        if isinstance(each, Items):
            return evolve(each, items=tuple(item(part, title) for part in each.items))
        return item(Item("", story=each), title).story if isinstance(each, Story) and not each.passages else each

    def section(each: Section) -> Section:
        blocks = tuple(found for part in each.blocks if (found := block(part, each.title)) is not None)
        return evolve(each, blocks=blocks, sections=tuple(map(section, each.sections)))

    return tuple(map(section, sections)), within


def with_answers(
    sections: Sequence[Section], examples: Sequence[g.Example], scope: Scope, how: Shown
) -> tuple[Section, ...]:
    """Add the examples of rulings after the blocks with those rulings."""
    told = [(question(each.ruling), story(each, scope)) for each in examples if each.ruling is not None]
    if how != "all":
        told = [*{ruling.question: (ruling, each) for ruling, each in reversed(told) if how == "few"}.values()]
    return tuple(answered(section, told) for section in sections) if told else tuple(sections)


def answered(section: Section, told: Sequence[tuple[Question, Story]]) -> Section:
    blocks: list[Block] = []
    for block in section.blocks:
        blocks += [block, *(each for ruling, each in told if asks(block, ruling))]
    return evolve(section, blocks=tuple(blocks), sections=tuple(answered(part, told) for part in section.sections))


def asks(block: Block | Item, ruling: Question) -> bool:
    """Return whether a block contains a ruling."""
    if isinstance(block, Item) and block == finished(Item(ruling.question, ruling.answer)):
        return True
    return block == ruling or (isinstance(block, Item | Items) and any(asks(item, ruling) for item in block.items))


def best(stories: Sequence[Story]) -> Story:
    """Return the best example for a rule: the first short one, otherwise the shortest."""
    return next((each for each in stories if length(each) <= SHORT), min(stories, key=length))


def with_story(section: Section, beside: dict[str, Story]) -> Section:
    own = beside.pop(section.title, None)
    return evolve(
        section,
        blocks=(*section.blocks, own) if own is not None else section.blocks,
        sections=tuple(with_story(part, beside) for part in section.sections),
    )


def shown(example: g.Example) -> Iterator[str]:
    """Yield the names that an example may show: the last step that it runs, then the names in its expectations."""
    done = [line.statement.step for line in example.lines if isinstance(line, g.Doing)]
    yield from reversed(done)
    for line in example.lines:
        if isinstance(line, g.Expecting):
            yield from names_in(line.condition)
