"""Entries for zones, terms and orders, and tables of rankings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import CARD, FLAG, PLAYER, Type, build_list_type
from cardlang.model.expression_queries import get_flag_literal, is_same_var
from cardlang.model.traversal import find_mentioned_names, walk
from cardlang.rulebook.model import Item, TableBlock
from cardlang.rulebook.realise.card_names import find_card_trait, name_card_with
from cardlang.rulebook.realise.condition_phrases import describe_value_in_figures, flatten_compound
from cardlang.rulebook.realise.filter_phrases import describe_meaning
from cardlang.rulebook.realise.game_lexicon import LexiconEntry
from cardlang.rulebook.realise.list_noun_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import add_second_owner, build_owned_noun, build_table_noun, get_kind_noun
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_flag_clause,
    build_noun_phrase,
    describe_condition,
    format_relative_clause,
)
from cardlang.rulebook.realise.sentence_aggregation import (
    MAX_ACTIONS,
    MAX_SENTENCE_LETTERS,
    merge_author_texts,
    realize_item,
)


def build_subject(subject: str | None, scope: PhraseScope) -> tuple[str, NounPhrase | None]:
    """Return the subject in a heading (`your`, `a card's`), and the noun for it within the declaration."""
    if subject == "cards":
        return "", NounPhrase("the cards", build_list_type(CARD), True, items_text="cards")
    if subject is None:
        return "", None
    if subject == "player":
        return "your ", YOU
    one = morphology.replace_hyphens(subject) if subject in scope.lexicon.game.rankings else get_kind_noun(subject)
    return f"{morphology.add_article(morphology.make_possessive(one))} ", NounPhrase(
        "it", get_subject_type(subject, scope)
    )


def get_subject_type(subject: str, scope: PhraseScope) -> Type:
    if subject in scope.lexicon.game.rankings:
        return Type("reading", of=subject)
    if subject in scope.lexicon.game.kinds:
        return g.build_member_type(subject)
    return PLAYER if subject == "player" else CARD


def build_declaration_scope(
    declaration: g.Track | g.Define, noun: NounPhrase | None, scope: PhraseScope
) -> PhraseScope:
    """Return the scope within a declaration about this noun."""
    return scope if noun is None or declaration.var is None else scope.bind_subject(declaration.var, noun)


def name_declaration(declaration: g.Track | g.Define | g.Zone, scope: PhraseScope, each: bool = False) -> LexiconEntry:
    """Return the entry of a declaration in its own heading: `line for a flag`, or `line for each flag`."""
    entry = scope.lexicon.nouns[declaration.name]
    if declaration.second is None:
        return entry
    whose, noun = build_subject(declaration.second, scope)
    named = "a player" if noun is YOU else whose.removesuffix("'s ")
    named = f"each {named.partition(' ')[2]}" if each else named
    return add_second_owner(entry, NounPhrase(named, get_subject_type(declaration.second, scope)))


def build_term_heading(declaration: g.Track | g.Define, entry: LexiconEntry, scope: PhraseScope) -> str:
    """Return the heading of a term: `Hand limit`, `Points of a card`; for a flag its statement: `You have folded`."""
    whose, noun = build_subject(declaration.subject, scope)
    if entry.type != FLAG:
        owner = "cards" if declaration.subject == "cards" else whose.removesuffix("'s ")
        of = "" if declaration.subject in (None, "player") else f" of {owner}"
        return morphology.capitalize_first_letter(entry.noun + of)
    if declaration.subject == "cards":
        return f"Cards {morphology.agree_verb(entry.predicate, True)}"
    if noun is None:
        return morphology.capitalize_first_letter(entry.predicate or entry.singular)
    subject = noun if noun is YOU else NounPhrase(whose.removesuffix("'s "), noun.type)
    return morphology.capitalize_first_letter(build_flag_clause(build_owned_noun(subject, entry), True).text)


# ---------------------------------------------------------------- the table
ARRANGEMENT_TEXTS = {
    "stack": "in a stack", "row": "in a row", "fan": "in a fan", "trick": "one before each player", "grid": "in a grid",
}  # fmt: skip


PLAYER_PLACES = {
    "everyone": "face up in front of you", "nobody": "face down in front of you", "owner": "only you see these cards",
    "others": "all players but you see these cards",
}  # fmt: skip
"""Where the cards of a player are, by who sees them."""


def is_notable_zone(zone: g.Zone, scope: PhraseScope) -> bool:
    """Return whether a zone needs an introduction. A hand and a pile in the middle need none."""
    item = build_zone_item(zone, scope)
    return bool(item.author_text or (item.text and not is_laid_in_front(zone)))


def is_laid_in_front(zone: g.Zone) -> bool:
    """Return whether players keep the cards of a zone in front of them."""
    return zone.subject == "player" and zone.viewer in ("everyone", "nobody")


def describe_places_of_players(content: g.Game, scope: PhraseScope) -> str:
    """Say where cards come to be: `Keep your tunnel face up in front of you. Leave room for a discard pile.`"""
    zones = [zone for zone in content.zones.values() if is_laid_in_front(zone)]
    places = {zone.name: describe_zone_place(zone, scope) for zone in zones}
    sentences = []
    for place in dict.fromkeys(places.values()):
        nouns = [
            f"your {name_declaration(zone, scope, each=True).noun}" for zone in zones if places[zone.name] == place
        ]
        sentences.append(f"Keep {morphology.join_phrases(nouns)} {place}.")
    setup = content.steps["setup"].body if "setup" in content.steps else ()
    filled = {*find_mentioned_names(setup), *(cards.home for cards in scope.lexicon.game.sets.values())}
    later = (zone for zone in content.zones.values() if zone.subject is None and zone.name not in filled)
    nouns = [scope.lexicon.nouns[zone.name].noun for zone in later]
    sentences += [f"Leave room for {morphology.add_article(noun)}." for noun in nouns if noun.endswith(" pile")]
    return " ".join(sentences)


def describe_zone_place(zone: g.Zone, scope: PhraseScope) -> str:
    """Return where the cards of a zone are and how they are laid out: `face up in front of you, in a grid`."""
    noun = scope.lexicon.nouns[zone.name].noun
    is_hand = zone.viewer == "owner" and noun.split(" ")[-1] == "hand"
    place = "" if zone.subject != "player" or is_hand else PLAYER_PLACES[zone.viewer]
    arranged = describe_arrangement(zone, scope)
    ordinary = [ARRANGEMENT_TEXTS[form] for form in ("stack", "fan", "trick")]
    return ", ".join(filter(None, (place, "" if arranged in ordinary else arranged)))


def build_zone_item(zone: g.Zone, scope: PhraseScope) -> Item:
    """Introduce a zone: where its cards are, who sees them, and the author's text."""
    heading = morphology.format_heading(name_declaration(zone, scope, each=True).noun)
    return realize_item(Item(describe_zone_place(zone, scope), describe_zone_note(zone, scope), title=heading))


def describe_zone_note(zone: g.Zone, scope: PhraseScope) -> str:
    """Return the author's text on a zone, and its position if the game gives one."""
    return " ".join(part for part in (zone.doc, *list_display_notes(zone, scope)) if part)


def list_display_notes(zone: g.Zone, scope: PhraseScope) -> Iterable[str]:
    for show in (display for display in scope.lexicon.game.shows if display.zone == zone.name):
        yield show.doc
        if show.beside:
            yield morphology.punctuate_sentence(f"beside {build_table_noun(scope.lexicon.nouns[show.beside]).text}")


def describe_arrangement(zone: g.Zone, scope: PhraseScope) -> str:
    """Return the arrangement of the cards of a zone, if the game gives one: `in a row`."""
    show = next((show for show in scope.lexicon.game.shows if show.zone == zone.name and show.form), None)
    if show is None or show.form is None:
        return ""
    return f"in rows of {morphology.spell_number(show.columns)}" if show.columns else ARRANGEMENT_TEXTS[show.form]


def build_subject_noun(entry: LexiconEntry, noun: NounPhrase | None) -> NounPhrase:
    """Return the noun of a declaration with its owner."""
    unowned = noun is None or entry.subject == "cards"
    return NounPhrase(entry.noun, entry.type, entry=entry) if noun is None or unowned else build_owned_noun(noun, entry)


# ---------------------------------------------------------------- definitions
def build_define_item(define: g.Define, scope: PhraseScope) -> Item:
    """Describe the meaning of a term."""
    _, noun = build_subject(define.subject, scope)
    entry = name_declaration(define, scope)
    item = build_meaning_item(
        define.value, build_subject_noun(entry, noun), build_declaration_scope(define, noun, scope)
    )
    author_text = merge_author_texts(define.doc, item.author_text)
    item = Item("") if is_told_by_author(define) else item
    if define.second is not None:
        item = evolve(item, items=tuple(evolve(part, text=shorten_place(part.text)) for part in item.items))
    return realize_item(evolve(item, author_text=author_text, title=build_term_heading(define, entry, scope)))


def shorten_place(text: str) -> str:
    """Shorten the place that a term is about, once it is named: `your best hand for that flag` to `there`."""
    return re.sub(r" (for|of|at) that \w+\b", " there", text)


def is_told_by_author(define: g.Define) -> bool:
    return bool(define.doc) and needs_formula(define.value)


def needs_formula(value: g.Expr) -> bool:
    """Return whether the meaning of a term is told better by its author: it compares selections or second owners."""
    parts = list(walk((value,)))
    has_second = any(isinstance(part, g.Call) and part.second is not None for part in parts)
    has_selections = any(isinstance(part, g.Selections) for part in parts)
    return isinstance(value, g.Whole) or has_selections or (isinstance(value, g.Filter) and has_second)


def build_meaning_item(value: g.Expr, subject: NounPhrase, scope: PhraseScope) -> Item:
    value = convert_cases_to_condition(value)
    match value:
        case g.Cases():
            return build_cases_item(value, scope)
        case g.FirstPossible(lists=lists) | g.Agg(list=g.FirstPossible(lists=lists)):
            items = tuple(Item(describe_meaning(meaning, scope), doc) for meaning, doc in lists)
            of_cards = value.type.item == CARD or value.type == CARD
            return Item(f"the first of these {'groups with any cards' if of_cards else 'with any'}:", items=items)
    if subject.type.tag == "flag":
        return build_flag_item(value, scope)
    return Item(describe_meaning(value, scope, "; otherwise none"))


def convert_cases_to_condition(value: g.Expr) -> g.Expr:
    """Return the condition that cases with yes and no make: `no when A`, `otherwise B` is `not A and B`."""
    if not isinstance(value, g.Cases) or value.type != FLAG or any(value.docs):
        return value
    (condition, _), *before = reversed(value.cases)
    for result, when in before:
        known = get_flag_literal(result)
        if known is None or when is None:
            return value
        sides = when if known else g.Not(FLAG, when.span, when), condition
        condition = (g.Or if known else g.And)(FLAG, when.span, *sides)
    return condition


def build_flag_item(value: g.Expr, scope: PhraseScope) -> Item:
    """Describe the condition of a flag; use a list if it has three parts or more."""
    known = get_flag_literal(value)
    if known is not None:
        return Item("yes" if known else "no")
    parts = flatten_compound(value, type(value))
    choices = [part for part in parts if isinstance(part, g.Or)] if isinstance(value, g.And) else []
    text = describe_condition(value, scope)
    if len(parts) == 2 and len(choices) == 1 and len(text) > MAX_SENTENCE_LETTERS:
        first = describe_condition(next(part for part in parts if part is not choices[0]), scope)
        parts, which = flatten_compound(choices[0], g.Or), f"{first}, and one of these holds"
    elif len(parts) < 3:
        return Item(f"if {text}", is_one_sentence=True)
    else:
        which = "all of these hold" if isinstance(value, g.And) else "any of these holds"
    listed = tuple(Item(describe_condition(part, scope)) for part in parts)
    return Item(f"if {which}:", items=listed, bullets=True, is_one_sentence=True)


def build_cases_item(body: g.Cases, scope: PhraseScope) -> Item:
    """Describe the value of the first case that applies: in a sentence if it is short, else in a table."""
    names = [describe_case_card(when, scope) for _, when in body.cases]
    named = any(names)
    cases = [
        (
            OTHERWISE if when is None else f"for {name}" if name else f"if {describe_condition(when, scope)}",
            describe_value_in_figures(case, named, scope),
        )
        for (case, when), name in zip(body.cases, names, strict=True)
    ]
    texts = [f"{when} {value}" if when == OTHERWISE else f"{value} {when}" for when, value in cases]
    if len(texts) <= MAX_ACTIONS and sum(map(len, texts)) <= MAX_SENTENCE_LETTERS and sum(map(bool, body.docs)) < 2:
        return Item(("; " if len(texts) > 2 else ", ").join(texts), " ".join(filter(None, body.docs)))
    rows = tuple(
        (
            "All other cards" if named and when == OTHERWISE else format_case_label(when),
            value
            if is_figure(value) and not doc
            else " ".join(filter(None, (morphology.punctuate_sentence(value), doc))),
        )
        for (when, value), doc in zip(cases, body.docs, strict=True)
    )
    return Item("the first line that fits:", figures=(TableBlock("", ("Card" if named else "Case", "Value"), rows),))


OTHERWISE = "otherwise"


def format_case_label(when: str) -> str:
    label = re.sub(r"^for (an? |the )?", "", when)
    return morphology.capitalize_first_letter(re.sub(r" or an? ", " or ", label) if label != when else when)


def is_figure(value: str) -> bool:
    return value.removeprefix("−").isdecimal()


def describe_case_card(when: g.Expr | None, scope: PhraseScope) -> str:
    """Return the card that a case of a definition on cards is about: `a Jack`, `the 9 of Hearts`; empty for others."""
    subject = scope.tested_subjects[0].var if scope.tested_subjects else None
    if when is None or subject is None or subject.type != CARD:
        return ""
    names = []
    for alternative in flatten_compound(when, g.Or):
        traits = [find_card_trait(part) for part in flatten_compound(alternative, g.And)]
        own = [trait for trait in traits if trait and not trait.is_negated and is_same_var(trait.card, subject)]
        match alternative:
            case g.Compare(operator="=", left=left, right=g.NamedCards() as cards) if is_same_var(left, subject):
                names.append(build_noun_phrase(cards, scope).text)
            case _:
                names.append(name_card_with(own, scope) if len(own) == len(traits) else "")
    return morphology.join_phrases(names, "or") if all(names) else ""


# ---------------------------------------------------------------- orders
def build_order_item(order: g.Order, scope: PhraseScope) -> Item:
    """Describe an order of two cards or players."""
    of = morphology.pluralize(order.var.name)
    title = f"{morphology.format_heading(order.name)} of {of}"
    lines = build_order_line_items(order.lines, order.var, scope)
    if len(lines) == 1:
        author_text = " ".join(
            morphology.punctuate_sentence(part) for part in (order.doc, lines[0].author_text) if part
        )
        return realize_item(evolve(lines[0], author_text=author_text, title=title))
    return realize_item(Item("the first difference counts:", order.doc, lines, title=title))


def build_order_line_items(lines: Sequence[g.OrderLine], var: g.Var, scope: PhraseScope) -> tuple[Item, ...]:
    inner, noun = scope.bind_tested(var), get_item_noun(var.type)
    of = "those" if noun == "one" else morphology.pluralize(noun)
    extreme = [line.how in ("best", "worst") for line in lines]
    links = ["", *("of the rest, " if before and after else "" for before, after in pairwise(extreme))]
    texts = [link + describe_order_line(line, of, inner) for link, line in zip(links, lines, strict=True)]
    return tuple(Item(text, line.doc) for text, line in zip(texts, lines, strict=True))


def describe_order_line(line: g.OrderLine, item_noun: str, scope: PhraseScope) -> str:
    if line.how in ("those", "best", "worst"):
        clause = build_clause(line.value, scope)
        which = format_relative_clause(clause, True) if clause.many else f"for which {clause.text}"
        subject = f"{item_noun} {which}"
        if line.how == "those":
            return f"{subject} come first"
        side = "above" if line.how == "best" else "below"
        return f"{subject} rank {side} all others and are equal to each other"
    if line.how in ("later", "earlier"):
        return f"the {line.how} one comes first"
    noun = build_noun_phrase(line.value, scope)
    layouts = {"flat": "one by one, from the highest down", "groups": "those of the largest group first"}
    if line.layout is not None:
        return f"compare {noun.text}, {layouts[line.layout]}: the {line.how} comes first"
    is_rank = bool(scope.tested_subjects) and scope.tested_subjects[0].var.type.tag == "reading"
    return f"the {line.how} {noun.bare_noun or noun.text.removeprefix('the ')} {'wins' if is_rank else 'comes first'}"
