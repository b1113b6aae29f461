"""Entries for zones, terms and orders, and tables of rankings."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import CARD, FLAG, PLAYER, Type, build_list_type
from cardlang.model.rank_frequencies import RankFrequencies, find_rank_frequencies, format_one_in_n
from cardlang.model.traversal import get_flag_literal, is_same_var
from cardlang.rulebook.model import Block, HandPicture, Item, ItemList, Paragraph, QuestionBlock, Section, TableBlock
from cardlang.rulebook.realise.aggregation import (
    MAX_ACTIONS,
    MAX_SENTENCE_LETTERS,
    merge_author_texts,
    realize_item,
)
from cardlang.rulebook.realise.condition_phrases import (
    describe_value_in_figures,
    flatten_compound,
    get_compared_card,
    name_card_with,
)
from cardlang.rulebook.realise.filter_phrases import describe_meaning, list_alternatives
from cardlang.rulebook.realise.lexicon import Lexicon, LexiconEntry
from cardlang.rulebook.realise.list_and_count_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import build_owned_noun, build_table_noun, get_kind_noun, get_set_noun
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
from cardlang.rulebook.realise.superlative_phrases import is_only_order


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


def build_term_heading(declaration: g.Track | g.Define, entry: LexiconEntry, scope: PhraseScope) -> str:
    """Return the heading of a term: `Hand limit`, `Points of a card`; for a flag its statement: `You have folded`."""
    whose, noun = build_subject(declaration.subject, scope)
    if entry.type != FLAG:
        owner = "cards" if declaration.subject == "cards" else whose.removesuffix("'s ")
        of = "" if declaration.subject in (None, "player") else f" of {owner}"
        return morphology.capitalize_first_letter(entry.noun + of)
    if declaration.subject == "cards":
        return f"Some cards {entry.predicate}"
    if noun is None:
        return morphology.capitalize_first_letter(entry.predicate or entry.singular)
    subject = noun if noun is YOU else NounPhrase(whose.removesuffix("'s "), noun.type)
    return morphology.capitalize_first_letter(build_flag_clause(build_owned_noun(subject, entry), True).text)


# ---------------------------------------------------------------- the table
ARRANGEMENT_TEXTS = {
    "stack": "in a stack", "row": "in a row", "fan": "in a fan", "trick": "one before each player", "grid": "in a grid",
}  # fmt: skip


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


def describe_restart(restart: g.Restart, lexicon: Lexicon) -> str:
    """Return the restart of a track as a clause."""
    whose = "your own " if restart.own else ""
    return "the card moves" if restart.step == "move" else f"{whose}“{lexicon.get_step_title(restart.step)}” begins"


# ---------------------------------------------------------------- definitions
def build_define_item(define: g.Define, scope: PhraseScope) -> Item:
    """Describe the meaning of a term."""
    _, noun = build_subject(define.subject, scope)
    entry = scope.lexicon.nouns[define.name]
    item = build_meaning_item(
        define.value, build_subject_noun(entry, noun), build_declaration_scope(define, noun, scope)
    )
    author_text = merge_author_texts(define.doc, item.author_text)
    return realize_item(evolve(item, author_text=author_text, title=build_term_heading(define, entry, scope)))


def build_meaning_item(value: g.Expr, subject: NounPhrase, scope: PhraseScope) -> Item:
    match value:
        case g.Cases():
            return build_cases_item(value, scope)
        case g.FirstPossible(lists=lists) | g.Agg(list=g.FirstPossible(lists=lists)):
            items = tuple(Item(describe_meaning(meaning, scope), doc) for meaning, doc in lists)
            of_cards = value.type.item == CARD or value.type == CARD
            return Item(f"the first of these {'groups with any cards' if of_cards else 'with any'}:", items=items)
    if subject.type.tag == "flag":
        return build_flag_item(value, scope)
    if isinstance(value, g.Filter) and is_mixed_condition(value.condition):
        return build_filter_item(value, scope)
    if kinds := list_alternatives(value, scope):
        return Item("all of these:", items=tuple(map(Item, kinds)), bullets=True)
    return Item(describe_meaning(value, scope, "; otherwise none"))


def build_flag_item(value: g.Expr, scope: PhraseScope) -> Item:
    """Describe the condition of a flag; use a list if it has three parts or more."""
    known = get_flag_literal(value)
    if known is not None:
        return Item("yes" if known else "no")
    parts = flatten_compound(value, type(value))
    if len(parts) < 3:
        return Item(f"if {describe_condition(value, scope)}")
    which = "all of these hold" if isinstance(value, g.And) else "any of these holds"
    return Item(f"if {which}:", items=tuple(Item(describe_condition(part, scope)) for part in parts), bullets=True)


def is_mixed_condition(expr: g.Expr) -> bool:
    """Return whether a condition combines `and` and `or`, so that it reads better as a list."""
    return isinstance(expr, g.And) and any(isinstance(part, g.Or) for part in flatten_compound(expr, g.And))


def build_filter_item(value: g.Filter, scope: PhraseScope) -> Item:
    """Describe the items of a list that fulfil several conditions, as a list of the conditions."""
    inner = scope.bind_tested(value.var)
    items = tuple(Item(describe_condition(part, inner)) for part in flatten_compound(value.condition, g.And))
    return Item(
        f"{build_noun_phrase(value.list, scope).cards_text} of which all of this is true:", items=items, bullets=True
    )


def build_cases_item(body: g.Cases, scope: PhraseScope) -> Item:
    """Describe the value of the first case that applies: in a sentence if it is short, else in a table."""
    names = [describe_case_card(when, scope) for _, when in body.cases]
    named = any(names)
    cases = [
        (
            OTHERWISE if when is None else f"for {name}" if name else f"if {describe_condition(when, scope)}",
            "; ".join(list_alternatives(case, scope)) or describe_value_in_figures(case, named, scope),
        )
        for (case, when), name in zip(body.cases, names, strict=True)
    ]
    texts = [f"{when} {value}" if when == OTHERWISE else f"{value} {when}" for when, value in cases]
    if len(texts) <= MAX_ACTIONS and sum(map(len, texts)) <= MAX_SENTENCE_LETTERS and sum(map(bool, body.docs)) < 2:
        return Item(("; " if len(texts) > 2 else ", ").join(texts), " ".join(filter(None, body.docs)))
    rows = tuple(
        (
            "All other cards" if named and when == OTHERWISE else format_case_label(when),
            value if is_figure(value) and not doc else " ".join(filter(None, (morphology.punctuate_sentence(value), doc))),
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
        parts = flatten_compound(alternative, g.And)
        cards = [get_compared_card(part) for part in parts]
        negated = any(isinstance(part, g.Compare) and part.operator == "!=" for part in parts)
        if isinstance(alternative, g.Compare) and isinstance(alternative.right, g.NamedCards) and not negated:
            names.append(build_noun_phrase(alternative.right, scope).text)
        elif negated or any(card is None or not is_same_var(card, subject) for card in cards):
            return ""
        else:
            names.append(name_card_with(parts, scope))
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


def describe_order_line(line: g.OrderLine, of: str, scope: PhraseScope) -> str:
    if line.how in ("those", "best", "worst"):
        clause = build_clause(line.value, scope)
        which = format_relative_clause(clause, True) if clause.many else f"for which {clause.text}"
        subject = f"{of} {which}"
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
    return f"the {line.how} {noun.bare_noun or noun.text.removeprefix('the ')} comes first"


# ---------------------------------------------------------------- rankings
COLUMNS_BEFORE_HANDS = 3
"""Number of columns before the sample cards: place, rank, definition."""


def build_ranking_section(ranking: g.Ranking, scope: PhraseScope) -> Section:
    """Build the section on a ranking. Ranks that need card sets without cards are left out."""
    game = scope.lexicon.game
    present = {face.set for face in game.faces if face.copies}
    ranks = [rank for rank in ranking.ranks if g.can_rank_occur(rank, present)]
    counts = find_rank_frequencies(game, ranking)
    blocks: list[Block] = [Paragraph(morphology.punctuate_sentence(describe_ranking_size(ranking)), ranking.doc)]
    table: list[Block] = [Paragraph(explain_frequencies(ranking, counts))] if counts is not None else []
    table.append(build_rank_table(ranking, ranks, counts, scope))
    items = [build_wild_item(line, scope) for line in ranking.wilds]
    if ranking.least is not None and ranking.least_var is not None:
        noun = build_noun_phrase(ranking.least, scope.bind_tested(ranking.least_var))
        items.append(Item(f"the best split leaves the lowest total {noun.bare_noun} in the cards left over"))
    blocks += [*table, ItemList(tuple(map(realize_item, items)), bullets=True)] if items else table
    blocks += [QuestionBlock(ruling.question, " ".join(ruling.answer)) for ruling in ranking.rulings]
    parts = (build_tie_break_section(ranking, scope),) if ranking.ties else ()
    title = format_ranking_title(ranking.name)
    return Section(title, tuple(blocks), parts, rules=(f"ranking {ranking.name}",))


def build_tie_break_section(ranking: g.Ranking, scope: PhraseScope) -> Section:
    """Build the section on tie-breaks within one rank."""
    lines = tuple(map(realize_item, build_order_line_items(ranking.ties, ranking.var, scope)))
    lead = () if len(lines) == 1 else (Paragraph("The first of these that makes a difference decides:"),)
    return Section(
        f"Between two of the same {get_ranking_noun(ranking)}", (*lead, ItemList(lines, bullets=len(lines) == 1))
    )


def explain_frequencies(ranking: g.Ranking, counts: RankFrequencies) -> str:
    """Explain the frequencies in the table."""
    cards = morphology.format_count(morphology.spell_number(int(ranking.size)), "card")
    rest = "" if sum(counts.ranks.values()) == counts.hands else " The others make none of them."
    known = [counts.ranks[rank.title] for rank in ranking.ranks if counts.ranks.get(rank.title)]
    meant = " A rarer hand does not always rank higher. This is intended." if known != sorted(known) else ""
    return (
        f"How rare: of all {counts.hands:,} hands of {cards}, one in so many holds this and nothing better, as things "
        f"stand when the game begins.{rest}{meant}"
    )


def format_ranking_title(name: str) -> str:
    """Return the heading of a ranking: `The Ranks`."""
    return f"The {morphology.pluralize(morphology.replace_hyphens(name))}"


def get_ranking_noun(ranking: g.Ranking) -> str:
    """Return the noun for one of its ranks."""
    return "group" if ranking.size == "groups" else morphology.replace_hyphens(ranking.name)


def is_single_rank_term(ranking: g.Ranking) -> bool:
    """Return whether a ranking only names one kind of hand, so that it needs no table."""
    if ranking.size != "all" or len(ranking.ranks) > 1:
        return False
    return not (ranking.wilds or ranking.ties or ranking.least or ranking.rulings or ranking.ranks[0].like)


def build_ranking_item(ranking: g.Ranking, scope: PhraseScope) -> Item:
    """Describe a ranking with one rank as a term."""
    author_text = " ".join(morphology.punctuate_sentence(text) for text in (ranking.doc, ranking.ranks[0].doc) if text)
    return realize_item(
        Item(
            describe_rank_patterns(ranking.ranks[0], scope), author_text, title=morphology.format_heading(ranking.name)
        )
    )


def describe_ranking_size(ranking: g.Ranking) -> str:
    if ranking.size == "all":
        return "every card must be used"
    if ranking.size == "groups":
        return "the cards are split into separate groups, each of one of these sorts"
    most = morphology.format_count(morphology.spell_number(int(ranking.size)), "card")
    return f"from the best down; a hand counts as the best of these that it holds, with at most {most}"


def build_rank_table(
    ranking: g.Ranking, ranks: Sequence[g.Rank], counts: RankFrequencies | None, scope: PhraseScope
) -> TableBlock:
    """Return the table of ranks: their patterns, their frequencies if counted, and sample cards if any."""
    samples = any(rank.like for rank in ranks)
    noun = morphology.capitalize_first_letter(get_ranking_noun(ranking))
    head = ("", noun, "Cards", *(("For example",) if samples else ()), *(("How rare",) if counts else ()))
    rows, hands = [], []
    for rank_number, rank in enumerate(ranks, 1):
        cell = ". ".join(part for part in (describe_rank_patterns(rank, scope), rank.doc) if part)
        rare = (format_frequency(rank.title, counts),) if counts else ()
        rows.append((str(rank_number), rank.title, cell, *rare))
        codes = (scope.lexicon.game.faces[face].code for face in rank.like)
        hands.append(HandPicture(tuple(scope.lexicon.small_cards[code] for code in codes)))
    return TableBlock(
        f"{morphology.pluralize(noun)}, best first",
        head,
        tuple(rows),
        tuple(hands) if samples else (),
        COLUMNS_BEFORE_HANDS,
    )


def format_frequency(title: str, counts: RankFrequencies) -> str:
    """Return a frequency: `1 in 165,499`; `never`."""
    number = counts.ranks.get(title, 0)
    share = format_one_in_n(counts.hands, number)
    return f"1 in {share}" if number else share


def describe_rank_patterns(rank: g.Rank, scope: PhraseScope) -> str:
    """Describe the patterns of a rank. Two that differ only in the lowest member are merged."""
    texts = [describe_pattern(pattern, scope) for pattern in rank.patterns]
    for pattern_index, pattern in enumerate(rank.patterns):
        low = [
            get_low_member_name(trait, scope)
            for group in pattern.groups
            for trait in group.traits
            if trait.low is not None
        ]
        same = describe_pattern(drop_low_members(pattern), scope)
        if low and same in texts:
            texts[pattern_index] = ""
            texts[texts.index(same)] += f" (the {morphology.join_phrases(low, 'or')} may also be lowest)"
    return "; or ".join(text for text in texts if text)


def get_low_member_name(trait: g.Trait, scope: PhraseScope) -> str:
    """Return the name of the member that ranks lowest."""
    game = scope.lexicon.game
    members = game.kinds[str(game.columns[trait.attribute].type.of)].members
    return "" if trait.low is None else members[trait.low].name


def drop_low_members(pattern: g.Pattern) -> g.Pattern:
    """Return a pattern without exceptional lowest members."""
    groups = [
        evolve(group, traits=tuple(evolve(trait, low=None) for trait in group.traits)) for group in pattern.groups
    ]
    return evolve(pattern, groups=tuple(groups))


def describe_pattern(pattern: g.Pattern, scope: PhraseScope) -> str:
    groups = [describe_group(group, pattern, group_index, scope) for group_index, group in enumerate(pattern.groups)]
    if (repeated := describe_repeated_groups(pattern, scope)) is not None:
        groups = [repeated]
    shared = [words_ for trait in pattern.shared if (words_ := describe_shared_trait(trait, pattern, scope))]
    return " plus ".join(groups) + (f", all {morphology.join_phrases(shared)}" if shared else "")


def describe_shared_trait(trait: g.Trait, pattern: g.Pattern, scope: PhraseScope) -> str:
    """Describe a trait of all cards; empty if the groups already say `of another suit`."""
    once = [trait.word != "one" and trait.attribute in group.uniform_columns for group in pattern.groups]
    if all(once) and trait.word == "different":
        return ""
    note = f" (a group of one {morphology.replace_hyphens(trait.attribute)} counts once)" if any(once) else ""
    return describe_traits([trait], scope) + note


def describe_group(group: g.Group, pattern: g.Pattern, group_index: int, scope: PhraseScope) -> str:
    """Describe a group: `three Dragons of one type`; of another type, if the groups before it have one."""
    one = group.count == 1 and not group.or_more
    noun = get_set_noun(group.set, scope.lexicon)
    count = morphology.spell_number(group.count) + (" or more" if group.or_more else "")
    noun = noun if one else morphology.pluralize(noun)
    taken = find_distinct_attributes(pattern, group_index)
    parts = [f"{count} {noun}"]
    if group.condition is not None:
        parts.append(format_relative_clause(build_clause(group.condition, scope.bind_tested(group.var)), not one))
    text = " ".join(parts)
    if not group.traits:
        return text
    # A condition on each card goes next to the cards: after "consecutive ranks" it would refer to the ranks.
    return (
        f"{text}{',' if group.condition is not None else ''} "
        f"{describe_traits(group.traits, scope, taken, find_repeatable_attributes(pattern, group_index))}"
    )


def describe_repeated_groups(pattern: g.Pattern, scope: PhraseScope) -> str | None:
    """Merge equal groups with several distinct attributes; return None for other patterns.

    An example is `two different pairs of Numbers, each of one value and of one suit`.
    """
    groups = pattern.groups
    same = all(has_same_traits(groups[0], other, scope) for other in groups[1:])
    if len(groups) == 1 or not same or groups[0].or_more or len(find_distinct_attributes(pattern, 1)) < 2:
        return None
    sort = "pairs of" if groups[0].count == 2 else f"groups of {morphology.spell_number(groups[0].count)}"
    noun = morphology.pluralize(get_set_noun(groups[0].set, scope.lexicon))
    return (
        f"{morphology.spell_number(len(groups))} different {sort} {noun}, each "
        f"{describe_traits(groups[0].traits, scope)}"
    )


def has_same_traits(group: g.Group, other: g.Group, scope: PhraseScope) -> bool:
    """Return whether two groups have the same traits, and no condition."""
    asked = [(compared.set, describe_traits(compared.traits, scope)) for compared in (group, other)]
    return asked[0] == asked[1] and group.condition is None and other.condition is None


def find_distinct_attributes(pattern: g.Pattern, group_index: int) -> set[str]:
    """Return the attributes of this group that must differ from those of an earlier group."""
    group = pattern.groups[group_index]
    named = {trait.attribute for trait in pattern.shared if trait.word == "different"} & group.uniform_columns
    apart = (
        pattern.find_distinguishing_columns(before, group_index) | named & pattern.groups[before].uniform_columns
        for before in range(group_index)
    )
    return set().union(*apart)


def find_repeatable_attributes(pattern: g.Pattern, group_index: int) -> set[str]:
    """Return the attributes of this group that may be the same as those of an earlier group."""
    shared = {trait.attribute for trait in pattern.shared if trait.word == "one"} | find_distinct_attributes(
        pattern, group_index
    )
    return set().union(
        *(
            pattern.groups[group_index].uniform_columns & before.uniform_columns - shared
            for before in pattern.groups[:group_index]
        )
    )


def describe_traits(
    items: Sequence[g.Trait],
    scope: PhraseScope,
    distinct_attributes: Collection[str] = (),
    repeatable_attributes: Collection[str] = (),
) -> str:
    """Describe traits: `of one suit and of consecutive values`.

    `distinct_attributes`: attributes that differ from earlier groups; `repeatable_attributes`: attributes that may be
    the same.
    """
    trait_texts = []
    for trait in items:
        noun = morphology.replace_hyphens(trait.attribute)
        low = f" ({get_low_member_name(trait, scope)} below all others)" if trait.low is not None else ""
        note = " (perhaps the same)" if trait.attribute in repeatable_attributes else ""
        which = "another" if distinct_attributes == {trait.attribute} else "one" if note else "the same"
        one = {"one": f"of {which} {noun}{note}", "different": f"of different {morphology.pluralize(noun)}"}
        trait_texts.append(
            one.get(trait.word, "in sequence" if is_only_order(trait.attribute, scope) else f"in sequence by {noun}")
            + low
        )
    return morphology.join_phrases(trait_texts) + (
        f" (another {morphology.join_phrases(sorted(map(morphology.replace_hyphens, distinct_attributes)), 'or')})"
        if len(distinct_attributes) > 1
        else ""
    )


def build_wild_item(line: g.Wild, scope: PhraseScope) -> Item:
    clause = build_clause(line.condition, scope.bind_tested(line.var))
    if line.attribute is None:
        stands = morphology.join_phrases([get_set_noun(name, scope.lexicon) for name in line.sets], "or")
        text = f"cards {format_relative_clause(clause, True)} are wild: each may stand for any {stands}"
    else:
        name = morphology.replace_hyphens(line.attribute)
        text = (
            f"cards {format_relative_clause(clause, True)} are wild: each may stand for any {name} and keeps all else"
        )
    return Item(text, line.doc)
