"""Describe rankings as tables, best first, and the tie-breaks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.rarity import Counts, known_counts, one_in
from cardlang.rulesheet import instead
from cardlang.rulesheet.declarations import order_lines
from cardlang.rulesheet.english import Scope, clause, phrase, relative
from cardlang.rulesheet.model import Block, Hand, Item, Items, Paragraph, Question, Section, Table
from cardlang.rulesheet.nouns import set_noun
from cardlang.rulesheet.realising import finished

BEFORE = 3
"""Number of columns before the sample cards: place, rank, definition."""


def ranking_section(ranking: g.Ranking, scope: Scope) -> Section:
    """Build the section on a ranking. Ranks that need card sets without cards are left out."""
    game = scope.lexicon.game
    present = {face.set for face in game.faces if face.copies}
    ranks = [rank for rank in ranking.ranks if g.occurs(rank, present)]
    counts = known_counts(game, ranking)
    blocks: list[Block] = [Paragraph(words.sentence(size(ranking)), ranking.doc)]
    table: list[Block] = [Paragraph(rarity(ranking, counts))] if counts is not None else []
    table.append(rank_table(ranking, ranks, counts, scope))
    items = [wild(line, scope) for line in ranking.wilds]
    if ranking.least is not None and ranking.least_var is not None:
        noun = phrase(ranking.least, scope.testing(ranking.least_var))
        items.append(Item(f"the best split leaves the lowest total {noun.bare} in the cards left over"))
    said = instead.parts(f"ranking {ranking.name}", scope.lexicon)
    (_, own), *others = [("", tuple(map(finished, items)))] if said is None else said
    listed: list[Block] = [Items(own, bullets=True)] if own else []
    blocks += [*listed, *table] if said is not None else [*table, *listed]
    blocks += [Question(ruling.question, " ".join(ruling.answer)) for ruling in ranking.rulings]
    parts = [Section(heading, (Items(found, bullets=True),)) for heading, found in others]
    parts += [equals(ranking, scope)] if ranking.ties and said is None else []
    return Section(ranking_title(ranking.name), tuple(blocks), tuple(parts))


def equals(ranking: g.Ranking, scope: Scope) -> Section:
    """Build the section on tie-breaks within one rank."""
    lines = tuple(map(finished, order_lines(ranking.ties, ranking.var, scope)))
    lead = () if len(lines) == 1 else (Paragraph("The first of these that makes a difference decides:"),)
    return Section(f"Between two of the same {ranking_noun(ranking)}", (*lead, Items(lines, bullets=len(lines) == 1)))


def rarity(ranking: g.Ranking, counts: Counts) -> str:
    """Explain the frequencies in the table."""
    cards = words.of_number("card", words.number(int(ranking.size)))
    rest = "" if sum(counts.ranks.values()) == counts.hands else " The others make none of them."
    known = [counts.ranks[rank.title] for rank in ranking.ranks if counts.ranks.get(rank.title)]
    meant = " A rarer hand does not always rank higher. This is intended." if known != sorted(known) else ""
    return (
        f"How rare: of all {counts.hands:,} hands of {cards}, one in so many holds this and nothing better, as things "
        f"stand when the game begins.{rest}{meant}"
    )


def ranking_title(name: str) -> str:
    """Return the heading of a ranking: `The Ranks`."""
    return f"The {words.plural(words.plain(name))}"


def ranking_noun(ranking: g.Ranking) -> str:
    """Return the noun for one of its ranks."""
    return "group" if ranking.size == "groups" else words.plain(ranking.name)


def is_term(ranking: g.Ranking) -> bool:
    """Return whether a ranking only names one kind of hand, so that it needs no table."""
    if ranking.size != "all" or len(ranking.ranks) > 1:
        return False
    return not (ranking.wilds or ranking.ties or ranking.least or ranking.rulings or ranking.ranks[0].like)


def ranking_item(ranking: g.Ranking, scope: Scope) -> Item:
    """Describe a ranking with one rank as a term."""
    said = " ".join(words.sentence(text) for text in (ranking.doc, ranking.ranks[0].doc) if text)
    return finished(Item(made_of(ranking.ranks[0], scope), said, title=words.title(ranking.name)))


def size(ranking: g.Ranking) -> str:
    if ranking.size == "all":
        return "every card must be used"
    if ranking.size == "groups":
        return "the cards are split into separate groups, each of one of these sorts"
    most = words.of_number("card", words.number(int(ranking.size)))
    return f"from the best down; a hand counts as the best of these that it holds, with at most {most}"


def rank_table(ranking: g.Ranking, ranks: Sequence[g.Rank], counts: Counts | None, scope: Scope) -> Table:
    """Return the table of ranks: their patterns, their frequencies if counted, and sample cards if any."""
    samples = any(rank.like for rank in ranks)
    noun = words.capital(ranking_noun(ranking))
    head = ("", noun, "Cards", *(("For example",) if samples else ()), *(("How rare",) if counts else ()))
    rows, hands = [], []
    for place, rank in enumerate(ranks, 1):
        cell = ". ".join(part for part in (made_of(rank, scope), rank.doc) if part)
        rare = (how_rare(rank.title, counts),) if counts else ()
        rows.append((str(place), rank.title, cell, *rare))
        codes = (scope.lexicon.game.faces[face].code for face in rank.like)
        hands.append(Hand(tuple(scope.lexicon.looks[code] for code in codes)))
    return Table(f"{words.plural(noun)}, best first", head, tuple(rows), tuple(hands) if samples else (), BEFORE)


def how_rare(title: str, counts: Counts) -> str:
    """Return a frequency: `1 in 165,499`; `never`."""
    number = counts.ranks.get(title, 0)
    share = one_in(counts.hands, number)
    return f"1 in {share}" if number else share


def made_of(rank: g.Rank, scope: Scope) -> str:
    """Describe the patterns of a rank. Two that differ only in the lowest member are merged."""
    texts = [pattern(each, scope) for each in rank.patterns]
    for place, each in enumerate(rank.patterns):
        low = [low_member(trait, scope) for group in each.groups for trait in group.traits if trait.low is not None]
        same = pattern(without_low(each), scope)
        if low and same in texts:
            texts[place] = ""
            texts[texts.index(same)] += f" (the {words.join(low, 'or')} may also be lowest)"
    return "; or ".join(text for text in texts if text)


def low_member(trait: g.Trait, scope: Scope) -> str:
    """Return the name of the member that ranks lowest."""
    game = scope.lexicon.game
    members = game.kinds[str(game.columns[trait.attribute].type.of)].members
    return "" if trait.low is None else members[trait.low].name


def without_low(pattern: g.Pattern) -> g.Pattern:
    """Return a pattern without exceptional lowest members."""
    groups = [
        evolve(group, traits=tuple(evolve(trait, low=None) for trait in group.traits)) for group in pattern.groups
    ]
    return evolve(pattern, groups=tuple(groups))


def pattern(pattern: g.Pattern, scope: Scope) -> str:
    groups = [group_text(group, pattern, place, scope) for place, group in enumerate(pattern.groups)]
    if (whole := repeated(pattern, scope)) is not None:
        groups = [whole]
    shared = [words_ for trait in pattern.shared if (words_ := together(trait, pattern, scope))]
    return " plus ".join(groups) + (f", all {words.join(shared)}" if shared else "")


def together(trait: g.Trait, pattern: g.Pattern, scope: Scope) -> str:
    """Describe a trait of all cards; empty if the groups already say `of another suit`."""
    once = [trait.word != "one" and trait.attribute in group.ones for group in pattern.groups]
    if all(once) and trait.word == "different":
        return ""
    note = f" (a group of one {words.plain(trait.attribute)} counts once)" if any(once) else ""
    return traits([trait], scope) + note


def group_text(group: g.Group, pattern: g.Pattern, place: int, scope: Scope) -> str:
    """Describe a group: `three Dragons of one type`; of another type, if the groups before it have one."""
    one = group.count == 1 and not group.or_more
    noun = set_noun(group.set, scope.lexicon)
    count = words.number(group.count) + (" or more" if group.or_more else "")
    noun = noun if one else words.plural(noun)
    taken = others(pattern, place)
    parts = [f"{count} {noun}"]
    if group.condition is not None:
        parts.append(relative(clause(group.condition, scope.testing(group.var)), not one))
    told = " ".join(parts)
    if not group.traits:
        return told
    # A condition on each card goes next to the cards: after "consecutive ranks" it would refer to the ranks.
    return (
        f"{told}{',' if group.condition is not None else ''} {traits(group.traits, scope, taken, same(pattern, place))}"
    )


def repeated(pattern: g.Pattern, scope: Scope) -> str | None:
    """Merge equal groups with several distinct attributes; return None for other patterns.

    An example is `two different pairs of Numbers, each of one value and of one suit`.
    """
    groups = pattern.groups
    same = all(alike(groups[0], other, scope) for other in groups[1:])
    if len(groups) == 1 or not same or groups[0].or_more or len(others(pattern, 1)) < 2:
        return None
    sort = "pairs of" if groups[0].count == 2 else f"groups of {words.number(groups[0].count)}"
    noun = words.plural(set_noun(groups[0].set, scope.lexicon))
    return f"{words.number(len(groups))} different {sort} {noun}, each {traits(groups[0].traits, scope)}"


def alike(group: g.Group, other: g.Group, scope: Scope) -> bool:
    """Return whether two groups have the same traits, and no condition."""
    asked = [(each.set, traits(each.traits, scope)) for each in (group, other)]
    return asked[0] == asked[1] and group.condition is None and other.condition is None


def others(pattern: g.Pattern, place: int) -> set[str]:
    """Return the attributes of this group that must differ from those of an earlier group."""
    group = pattern.groups[place]
    named = {trait.attribute for trait in pattern.shared if trait.word == "different"} & group.ones
    apart = (pattern.apart(before, place) | named & pattern.groups[before].ones for before in range(place))
    return set().union(*apart)


def same(pattern: g.Pattern, place: int) -> set[str]:
    """Return the attributes of this group that may be the same as those of an earlier group."""
    shared = {trait.attribute for trait in pattern.shared if trait.word == "one"} | others(pattern, place)
    return set().union(*(pattern.groups[place].ones & before.ones - shared for before in pattern.groups[:place]))


def traits(items: Sequence[g.Trait], scope: Scope, taken: Collection[str] = (), maybe: Collection[str] = ()) -> str:
    """Describe traits: `of one suit and of consecutive values`.

    `taken`: attributes that differ from earlier groups; `maybe`: attributes that may be the same.
    """
    said = []
    for trait in items:
        noun = words.plain(trait.attribute)
        low = f" ({low_member(trait, scope)} below all others)" if trait.low is not None else ""
        which = "another" if taken == {trait.attribute} else "one"
        note = " (perhaps the same)" if trait.attribute in maybe else ""
        one = {"one": f"of {which} {noun}{note}", "different": f"of different {words.plural(noun)}"}
        said.append(one.get(trait.word, f"of consecutive {words.plural(noun)}") + low)
    return words.join(said) + (
        f" (another {words.join(sorted(map(words.plain, taken)), 'or')})" if len(taken) > 1 else ""
    )


def wild(line: g.Wild, scope: Scope) -> Item:
    said = clause(line.condition, scope.testing(line.var))
    if line.attribute is None:
        stands = words.join([set_noun(name, scope.lexicon) for name in line.sets], "or")
        text = f"cards {relative(said, True)} are wild: each may stand for any {stands}"
    else:
        name = words.plain(line.attribute)
        text = f"cards {relative(said, True)} are wild: each may stand for any {name} and keeps all else"
    return Item(text, line.doc)
