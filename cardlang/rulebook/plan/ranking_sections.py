"""Sections and tables of rankings: their ranks, patterns, frequencies and tie-breaks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.expression_queries import unwrap_conversions
from cardlang.model.rank_frequencies import RankFrequencies, find_rank_frequencies
from cardlang.rulebook.model import Block, HandPicture, Item, ItemList, Paragraph, QuestionBlock, Section, TableBlock
from cardlang.rulebook.plan.declaration_entries import build_order_line_items
from cardlang.rulebook.realise.noun_phrases import get_kind_noun, get_set_noun
from cardlang.rulebook.realise.phrases import PhraseScope, build_clause, build_noun_phrase, format_relative_clause
from cardlang.rulebook.realise.sentence_aggregation import realize_item
from cardlang.rulebook.realise.superlative_phrases import is_only_order

COLUMNS_BEFORE_HANDS = 3
"""Number of columns before the sample cards: place, rank, definition."""


def build_ranking_section(ranking: g.Ranking, scope: PhraseScope) -> Section:
    """Build the section on a ranking. Ranks that need card sets without cards are left out."""
    game = scope.lexicon.game
    present = {face.set for face in game.faces if face.copies}
    ranks = [rank for rank in ranking.ranks if g.can_rank_occur(rank, present)]
    counts = find_rank_frequencies(game, ranking)
    blocks: list[Block] = [Paragraph(morphology.punctuate_sentence(describe_ranking_size(ranking)), ranking.doc)]
    table: list[Block] = [Paragraph(explain_frequency_column(ranking, counts))] if counts is not None else []
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


def describe_ties(ranking: g.Ranking, scope: PhraseScope) -> str:
    """Return the tie-breaks within one rank in a sentence."""
    lines = build_order_line_items(ranking.ties, ranking.var, scope)
    return f"Between two of the same, {'; then '.join(line.text for line in lines)}."


def explain_frequency_column(ranking: g.Ranking, counts: RankFrequencies) -> str:
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
    return "group" if ranking.size == "groups" else get_kind_noun(ranking.name)


def describe_ranking_size(ranking: g.Ranking) -> str:
    if ranking.size == "all":
        return "every card must be used"
    if ranking.size == "groups":
        return "the cards are split into separate groups, each of one of these sorts"
    sizes = {sum(group.count for group in pattern.groups) for rank in ranking.ranks for pattern in rank.patterns}
    has_larger = any(group.or_more for rank in ranking.ranks for pattern in rank.patterns for group in pattern.groups)
    if sizes == {ranking.size} and not has_larger:
        return "from best to worst"
    most = morphology.format_count(describe_size(ranking), "card")
    return f"from best to worst. Your cards count as the best of these that they make, with at most {most}"


def describe_size(ranking: g.Ranking) -> str:
    return morphology.spell_number(ranking.size) if isinstance(ranking.size, int) else ""


def build_rank_table(
    ranking: g.Ranking, ranks: Sequence[g.Rank], counts: RankFrequencies | None, scope: PhraseScope
) -> TableBlock:
    """Return the table of ranks: their patterns, their frequencies if counted, and sample cards if any."""
    samples = any(rank.like for rank in ranks)
    noun = morphology.capitalize_first_letter(get_ranking_noun(ranking))
    head = ("", noun, "Cards", *(("For example",) if samples else ()), *(("How rare",) if counts else ()))
    rows, hands = [], []
    for rank_number, rank in enumerate(ranks, 1):
        text = "none of the above" if is_remainder(rank, ranking) else describe_rank_cards(rank, ranking, scope)
        cell = ". ".join(part for part in (text, rank.doc) if part)
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


def describe_rank_cards(rank: g.Rank, ranking: g.Ranking, scope: PhraseScope) -> str:
    """Describe the patterns of a rank. The last one may be any other cards."""
    text = describe_rank_patterns(rank, scope)
    is_rest = rank is ranking.ranks[-1] and text == morphology.format_count(describe_size(ranking), "card")
    return f"any other {text}" if is_rest else text


def is_remainder(rank: g.Rank, ranking: g.Ranking) -> bool:
    """Return whether a hand without a better rank has this one: the last needs only one card, of the only set."""
    group, *others = [group for pattern in rank.patterns for group in pattern.groups]
    sets = {group.set for each in ranking.ranks for pattern in each.patterns for group in pattern.groups}
    single = group.count == 1 and not (others or group.traits or group.condition)
    return single and sets == {group.set} and rank is ranking.ranks[-1] and ranking.size not in ("all", "groups", 1)


def format_frequency(title: str, counts: RankFrequencies) -> str:
    """Return a frequency: `1 in 165,499`, `1 in 47`, `1 in 2.4`; `never`."""
    number = counts.ranks.get(title, 0)
    if not number:
        return "never"
    share = counts.hands / number
    return f"1 in {share:,.0f}" if share >= 10 else f"1 in {share:.1f}".removesuffix(".0")


def describe_rank_patterns(rank: g.Rank, scope: PhraseScope) -> str:
    """Describe the patterns of a rank. Two that differ only in the lowest member are merged."""
    texts = describe_patterns(rank.patterns, scope)
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
            texts[texts.index(same)] += f" (the {morphology.join_phrases(low, 'or')} can also be lowest)"
    return "; or ".join(text for text in texts if text)


def describe_patterns(patterns: Sequence[g.Pattern], scope: PhraseScope) -> list[str]:
    """Describe patterns. Those that repeat the groups of the one before have an empty text."""
    texts = [describe_pattern(pattern, scope) for pattern in patterns]
    groups = [[describe_group(group, g.Pattern((group,), ()), 0, scope) for group in each.groups] for each in patterns]
    for index in range(len(patterns) - 1, 0, -1):
        shorter, added = groups[index - 1], len(groups[index]) - len(groups[index - 1])
        times = len(shorter) // added if added > 0 else 0
        units = shorter[::times] if times else []
        if units and groups[index] == [unit for unit in units for _ in range(times + 1)]:
            repeated = f"{morphology.spell_number(times)} or more groups, each of {' plus '.join(units)}"
            texts[index - 1 : index + 1] = [repeated + describe_shared_traits(patterns[index - 1], scope), ""]
    return texts


def get_low_member_name(trait: g.Trait, scope: PhraseScope) -> str:
    """Return the name of the member that ranks lowest."""
    game = scope.lexicon.game
    members = game.kinds[str(game.columns[trait.attribute].type.of)].members
    return "" if trait.low is None else members[trait.low].name


def drop_low_members(pattern: g.Pattern) -> g.Pattern:
    """Return a pattern without exceptional lowest members."""
    groups = [
        group.replace(traits=tuple(trait.replace(low=None) for trait in group.traits)) for group in pattern.groups
    ]
    return pattern.replace(groups=tuple(groups))


def describe_pattern(pattern: g.Pattern, scope: PhraseScope) -> str:
    groups = [describe_group(group, pattern, group_index, scope) for group_index, group in enumerate(pattern.groups)]
    if (repeated := describe_repeated_groups(pattern, scope)) is not None:
        groups = [repeated]
    return " plus ".join(groups) + describe_shared_traits(pattern, scope)


def describe_shared_traits(pattern: g.Pattern, scope: PhraseScope) -> str:
    shared = [words_ for trait in pattern.shared if (words_ := describe_shared_trait(trait, pattern, scope))]
    return f", all {morphology.join_phrases(shared)}" if shared else ""


def describe_shared_trait(trait: g.Trait, pattern: g.Pattern, scope: PhraseScope) -> str:
    """Describe a trait of all cards; empty if the groups already say `of another suit`."""
    once = [trait.word != "one" and trait.attribute in group.uniform_columns for group in pattern.groups]
    if all(once) and trait.word == "different":
        return ""
    note = f" (a group of one {morphology.replace_hyphens(trait.attribute)} counts once)" if any(once) else ""
    return describe_traits([trait], scope) + note


def describe_group(group: g.Group, pattern: g.Pattern, group_index: int, scope: PhraseScope) -> str:
    """Describe a group: `three Dragons of one type`; of another type, if the groups before it have one."""
    if (top_run := describe_top_run(group, scope)) is not None:
        return top_run
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


def describe_top_run(group: g.Group, scope: PhraseScope) -> str | None:
    """Name the ranks of a sequence if a lower limit leaves only one: `10, Jack and Queen of the same suit`."""
    traits = {trait.word: trait for trait in group.traits}
    match group.condition, traits.get("consecutive"):
        case g.Compare(operator=">=", right=limit), g.Trait(attribute=attribute, low=None) if len(traits) == 2:
            low = unwrap_conversions(limit)
            members = scope.lexicon.game.kinds[str(scope.lexicon.game.columns[attribute].type.of)].members
            if isinstance(low, g.Const) and isinstance(low.value, int) and len(members) - low.value == group.count:
                names = morphology.join_phrases([member.noun.singular for member in members[low.value :]])
                others = [trait for trait in group.traits if trait.word != "consecutive"]
                return f"{names} {describe_traits(others, scope)}"
    return None


def describe_repeated_groups(pattern: g.Pattern, scope: PhraseScope) -> str | None:
    """Merge equal groups with several distinct attributes; return None for other patterns.

    An example is `two different pairs, each of two Numbers of the same value and suit`.
    """
    groups = pattern.groups
    same = all(has_same_traits(groups[0], other, scope) for other in groups[1:])
    if len(groups) == 1 or not same or groups[0].or_more or len(find_distinct_attributes(pattern, 1)) < 2:
        return None
    count = morphology.spell_number(groups[0].count)
    sort = "pairs" if groups[0].count == 2 else f"groups of {count}"
    noun = morphology.pluralize(get_set_noun(groups[0].set, scope.lexicon))
    return (
        f"{morphology.spell_number(len(groups))} different {sort}, each of {count} {noun} "
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
    """Describe traits: `of the same suit in sequence`, `of the same value and suit`.

    `distinct_attributes`: attributes that differ from earlier groups; `repeatable_attributes`: attributes that may be
    the same.
    """
    trait_texts: list[str] = []
    for trait in items:
        noun = morphology.replace_hyphens(trait.attribute)
        low = f" ({get_low_member_name(trait, scope)} below all others)" if trait.low is not None else ""
        note = " (perhaps the same)" if trait.attribute in repeatable_attributes else ""
        which = "another" if distinct_attributes == {trait.attribute} else "one" if note else "the same"
        one = {"one": f"of {which} {noun}{note}", "different": f"of different {morphology.pluralize(noun)}"}
        order = "in sequence" if is_only_order(trait.attribute, scope) else f"in sequence by {noun}"
        trait_texts.append(one.get(trait.word, order) + low)
    same = "of the same "
    if len(trait_texts) == 2 and trait_texts[0].startswith(same):
        trait_texts = [f"{trait_texts[0]} {trait_texts[1]}".replace(f" {same}", " and ")]
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
