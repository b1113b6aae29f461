"""Glossary terms and examples, placed in the section that first needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from attrs import define, evolve, field

from cardlang import model as g
from cardlang.model.traversal import find_mentioned_names, find_reachable_definitions
from cardlang.rulebook.anchors import walk_sections
from cardlang.rulebook.model import Item, ItemList, Section, WorkedExample
from cardlang.rulebook.plan.declaration_entries import (
    build_define_item,
    build_order_item,
    build_zone_item,
    is_laid_in_front,
    is_notable_zone,
    is_told_by_author,
)
from cardlang.rulebook.plan.example_prose import build_worked_example, count_example_words
from cardlang.rulebook.plan.track_entries import build_track_item, find_explained_tracks
from cardlang.rulebook.realise.phrases import PhraseScope
from cardlang.rulebook.realise.sentence_aggregation import find_word_stems
from cardlang.rulebook.realise.superlative_phrases import find_superlative_orders

GlossaryTerm = g.Define | g.Order | g.Track | g.Zone


@define
class Glossary:
    """The definitions, orders and tracks of a game, each explained once, at its first use.

    `section_titles`: the titles of the sections that explain them, by name.
    """

    scope: PhraseScope
    terms: dict[str, GlossaryTerm]
    section_titles: dict[str, str] = field(factory=dict)
    superlatives: frozenset[str] = frozenset()
    """Orders that are told wherever they are used: `the highest card of the suit led`."""

    @staticmethod
    def build_from_game(content: g.Game, scope: PhraseScope) -> Glossary:
        tracks = [
            track
            for track in find_explained_tracks(content, scope.lexicon.game)
            if track.name not in scope.lexicon.allowances
        ]
        zones = [zone for zone in content.zones.values() if is_notable_zone(zone, scope)]
        terms: list[GlossaryTerm] = [*content.defines.values(), *content.orders.values(), *tracks, *zones]
        terms.sort(key=lambda term: term.origin.place)
        named = {term.name: term for term in terms}
        return Glossary(scope, named, {}, find_superlative_orders(content, scope))

    def take_needed_terms(self, parts: object) -> list[GlossaryTerm]:
        """Return the unexplained terms that some parts need, each followed by its dependencies."""
        terms = []
        for name in find_mentioned_names(parts):
            term = self.terms.pop(name, None)
            if term is not None and name not in self.scope.lexicon.worded_choices:
                told_in_place = isinstance(term, g.Order) and name in self.superlatives
                terms += [*([] if told_in_place else [term]), *self.take_needed_terms(get_term_parts(term))]
        return terms

    def add_needed_terms(self, parts: object, section: Section) -> Section:
        """Return the section on some parts, with the terms that it is the first to need."""
        return self.append_terms(self.take_needed_terms(parts), section)

    def add_goal_terms(self, explained_names: Sequence[str], names: Sequence[str], section: Section) -> Section:
        """Return the section on the goal. Zones are introduced later, where cards come to them.

        `explained_names`: the terms that it explains completely; `names`: those to explain."""
        zones = {name: self.terms.pop(name) for name, term in [*self.terms.items()] if isinstance(term, g.Zone)}
        plain = [self.terms.pop(name) for name in explained_names if name in self.terms]
        self.section_titles |= dict.fromkeys(explained_names, section.title)
        terms = [self.terms.pop(name) for name in names if name in self.terms]
        terms += self.take_needed_terms(tuple(map(get_term_parts, (*plain, *terms))))
        self.terms |= zones
        return self.append_terms(terms, section)

    def append_terms(self, terms: Sequence[GlossaryTerm], section: Section) -> Section:
        self.section_titles |= {term.name: section.title for term in terms}
        listed = self.build_terms_section(terms)
        return evolve(section, blocks=(*section.blocks, *listed.blocks), rules=(*section.rules, *listed.rules))

    def take_remaining_terms(self) -> Section:
        """Return a section with all unexplained terms."""
        content = self.scope.lexicon.game
        worded = [content.defines[name].value for name in self.scope.lexicon.worded_choices]
        worded += [define.value for define in content.defines.values() if is_told_by_author(define)]
        told = {*self.scope.lexicon.worded_choices, *find_reachable_definitions(content, tuple(worded))}
        terms = [
            term for name, term in self.terms.items() if name not in told and (term.doc or not isinstance(term, g.Zone))
        ]
        self.section_titles |= dict.fromkeys(self.terms, "Terms")
        self.terms.clear()
        return self.build_terms_section(terms)

    def build_terms_section(self, terms: Sequence[GlossaryTerm]) -> Section:
        items = tuple(item for item in map(self.build_term_item, terms) if not repeats_title(item))
        rules = tuple(f"{type(term).__name__.lower()} {term.name}" for term in terms)
        return Section("Terms", (ItemList(items, bullets=True, definitions=True),) if items else (), rules=rules)

    def build_term_item(self, term: GlossaryTerm) -> Item:
        match term:
            case g.Define():
                return build_define_item(term, self.scope)
            case g.Order():
                return build_order_item(term, self.scope)
            case g.Zone():
                item = build_zone_item(term, self.scope)
                return evolve(item, text="") if is_laid_in_front(term) else item
        return build_track_item(term, self.scope)


def repeats_title(item: Item) -> bool:
    """Return whether the explanation of a term says no more than its title: `Flags: the number of your flags`."""
    says = find_word_stems(item.text) - {"number", "won", "taken"}
    return bool(says) and not item.author_text and says <= find_word_stems(item.title)


def get_term_parts(term: GlossaryTerm) -> object:
    """Return the parts of a term."""
    match term:
        case g.Define():
            return () if is_told_by_author(term) else (term.value,)
        case g.Order():
            return term.lines
        case g.Track():
            return (term.start,)
    return ()


# ---------------------------------------------------------------- examples
ExampleSelection = Literal["few", "all", "none"]
"""Examples in a rulebook: at most one for each rule, all (the others at the end), or none."""
SHORT_EXAMPLE_WORDS = 40
"""Maximum number of words of a short example. Short examples are preferred."""
MAX_EXAMPLE_WORDS = 80
"""Maximum number of words of an example next to a rule."""
MORE_EXAMPLES_TITLE = "More examples"


def place_examples(
    sections: Sequence[Section],
    examples: Sequence[g.Example],
    titles_by_name: Mapping[str, str],
    scope: PhraseScope,
    selection: ExampleSelection,
) -> tuple[tuple[Section, ...], Section]:
    """Add examples to the sections whose rules they show. Return the sections, and the other examples.

    `titles_by_name`: titles of sections, by the names that they explain.
    """
    known = {each.title: each for each in examples if selection != "none"}
    titles = {section.title for section in walk_sections(sections)}
    found: dict[str, list[g.Example]] = {}
    worked: dict[str, WorkedExample] = {}
    for example in known.values():
        name = next((name for name in list_shown_names(example) if titles_by_name.get(name) in titles), "")
        title = titles_by_name.get(name, "")
        found.setdefault(title, []).append(example)
        worked[example.title] = build_worked_example(example, scope)
    chosen: dict[str, WorkedExample] = {}
    for title, listed in found.items():
        fit = [worked[each.title] for each in listed if has_position_or_moves(each)]
        if title and fit and count_example_words(choose_best_example(fit)) <= MAX_EXAMPLE_WORDS:
            chosen[title] = choose_best_example(fit)
    rest = [worked[each.title] for listed in found.values() for each in listed if selection == "all"]
    more = Section(MORE_EXAMPLES_TITLE, tuple(each for each in rest if each not in chosen.values()))
    return tuple(add_section_example(section, chosen) for section in sections), more


def has_position_or_moves(example: g.Example) -> bool:
    """Return whether an example has a position or moves; otherwise it only checks the cards or the deal."""
    played = any(isinstance(line, g.Doing) and line.statement.step != "setup" for line in example.lines)
    return played or any(isinstance(line, g.Given | g.Answer) for line in example.lines)


def choose_best_example(examples: Sequence[WorkedExample]) -> WorkedExample:
    """Return the best example for a rule: the first short one, otherwise the shortest."""
    return next(
        (example for example in examples if count_example_words(example) <= SHORT_EXAMPLE_WORDS),
        min(examples, key=count_example_words),
    )


def add_section_example(section: Section, examples_by_title: dict[str, WorkedExample]) -> Section:
    example = examples_by_title.pop(section.title, None)
    return evolve(
        section,
        blocks=(*section.blocks, example) if example is not None else section.blocks,
        sections=tuple(add_section_example(part, examples_by_title) for part in section.sections),
    )


def list_shown_names(example: g.Example) -> Iterator[str]:
    """Yield the names that an example may show: the last step that it runs, then the names in its expectations."""
    done = [line.statement.step for line in example.lines if isinstance(line, g.Doing)]
    yield from reversed(done)
    for line in example.lines:
        if isinstance(line, g.Expecting):
            yield from find_mentioned_names(line.condition)
