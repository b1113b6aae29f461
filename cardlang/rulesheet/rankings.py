"""Rankings as tables, best first, and how equal ranks compare."""

from __future__ import annotations

from collections.abc import Sequence, Set

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import CARD, Game, Type
from cardlang.rarity import Counts, known_counts, one_in
from cardlang.rulesheet import words
from cardlang.rulesheet.declarations import order_lines
from cardlang.rulesheet.english import Scope, clause, relative, tested
from cardlang.rulesheet.model import Block, Hand, Item, Items, Paragraph, Question, Section, Table, finished
from cardlang.rulesheet.nouns import attribute, set_noun
from cardlang.rulesheet.statements import doc


def ranking_section(game: Game, ranking: n.Ranking, scope: Scope) -> Section:
    """A ranking of a game. Ranks that need card sets without cards are left out."""
    present = {face.set for face in game.faces if face.copies}
    ranks = [rank for rank in ranking.ranks if possible(rank, present)]
    counts = known_counts(game, game.rankings[ranking.name.text])
    blocks: list[Block] = [
        Paragraph(words.sentence(size(ranking)), doc(ranking.doc)),
        rank_table(ranking, ranks, counts, scope),
    ]
    if counts is not None:
        blocks.append(Paragraph(rarity(ranking, counts)))
    items = [wild(line, scope) for line in ranking.wilds]
    if ranking.ties:
        type_ = Type("reading", of=ranking.name.text)
        lines = order_lines(ranking.ties, type_, scope)
        lead = f"between two of the same {ranking_noun(ranking)}, take these lines in turn until one of them decides:"
        items.append(Item(lead, "", lines))
    if ranking.least is not None:
        noun = attribute(tested(CARD), ranking.least.text, scope)
        items.append(Item(f"the best split leaves the lowest total {noun.bare} in the cards left over"))
    if items:
        blocks.append(Items(tuple(map(finished, items)), bullets=True))
    blocks += [Question(r.question, " ".join(note.text for note in r.answer)) for r in ranking.rulings]
    return Section(ranking_title(ranking.name.text), tuple(blocks))


def rarity(ranking: n.Ranking, counts: Counts) -> str:
    """What the counts in the table are of."""
    cards = words.of_number("card", words.number(int(ranking.size)))
    rest = "" if sum(counts.ranks.values()) == counts.hands else " The others make none of them."
    return (
        f"How rare: for how many of all {counts.hands:,} hands of {cards} this is the best rank, as things stand when "
        f"the game begins.{rest}"
    )


def ranking_title(name: str) -> str:
    """The heading of a ranking."""
    return f"The ranking: {words.plain(name)}"


def ranking_noun(ranking: n.Ranking) -> str:
    """What one of its ranks is called."""
    return "group" if ranking.size == "groups" else words.plain(ranking.name.text)


def is_term(item: n.Item) -> bool:
    """Whether something is a ranking that only names one sort of cards, so that it takes no table."""
    if not isinstance(item, n.Ranking) or item.size != "all" or len(item.ranks) > 1:
        return False
    return not (item.wilds or item.ties or item.least or item.rulings or item.ranks[0].like)


def ranking_item(ranking: n.Ranking, scope: Scope) -> Item:
    """What a ranking of one pattern means."""
    said = " ".join(words.sentence(doc(text)) for text in (ranking.doc, ranking.ranks[0].doc) if text)
    return finished(Item(made_of(ranking.ranks[0], scope), said, title=words.title(ranking.name.text)))


def size(ranking: n.Ranking) -> str:
    if ranking.size == "all":
        return "every card must be used"
    if ranking.size == "groups":
        return "the cards are split into separate groups, each of one of these sorts"
    most = words.of_number("card", words.number(int(ranking.size)))
    return f"from the best down; a hand counts as the best of these that it holds, with at most {most}"


def possible(rank: n.Rank, present: Set[str]) -> bool:
    return any(all(group.set.text in present for group in alt.groups) for alt in rank.alternatives)


def rank_table(ranking: n.Ranking, ranks: Sequence[n.Rank], counts: Counts | None, scope: Scope) -> Table:
    """The ranks with what they are made of; how rare they are, if that was counted; sample cards, if it has any."""
    samples = any(rank.like is not None for rank in ranks)
    noun = words.capital(ranking_noun(ranking))
    head = ("", noun, "Cards", *(("How rare",) if counts else ()), *(("For example",) if samples else ()))
    rows, hands = [], []
    for place, rank in enumerate(ranks, 1):
        cell = " ".join(part for part in (made_of(rank, scope), doc(rank.doc)) if part)
        rare = (how_rare(rank.title.text, counts),) if counts else ()
        rows.append((str(place), rank.title.text, cell, *rare))
        codes = [] if rank.like is None else [code.text for code in rank.like.codes]
        looks = [scope.lexicon.looks.get(code) for code in codes]  # a variant may have other cards
        hands.append(Hand(tuple(look for look in looks if look) if all(looks) else ()))
    return Table(f"{words.plural(noun)}, best first", head, tuple(rows), tuple(hands) if samples else ())


def how_rare(title: str, counts: Counts) -> str:
    """`54 hands, 1 in 165,499`; `never`."""
    number = counts.ranks.get(title, 0)
    share = one_in(counts.hands, number)
    return f"{number:,} {'hand' if number == 1 else 'hands'}, 1 in {share}" if number else share


def made_of(rank: n.Rank, scope: Scope) -> str:
    """The patterns of a rank. Two that differ only in what counts lowest are told as one."""
    texts = [alternative(alt, scope) for alt in rank.alternatives]
    for place, alt in enumerate(rank.alternatives):
        low = [trait.low.text for group in alt.groups for trait in group.traits if trait.low is not None]
        same = alternative(without_low(alt), scope)
        if low and same in texts:
            texts[place] = ""
            texts[texts.index(same)] += f" (the {words.join(low, 'or')} may also be lowest)"
    return "; or ".join(text for text in texts if text)


def without_low(alt: n.Alternative) -> n.Alternative:
    """A pattern in which all cards count as they always do."""
    groups = [evolve(group, traits=tuple(evolve(trait, low=None) for trait in group.traits)) for group in alt.groups]
    return evolve(alt, groups=tuple(groups))


def alternative(alt: n.Alternative, scope: Scope) -> str:
    groups = [group_text(group, alt.groups[:place], scope) for place, group in enumerate(alt.groups)]
    return " plus ".join(groups) + (f", all {traits(alt.shared, set())}" if alt.shared else "")


def group_text(group: n.Group, before: Sequence[n.Group], scope: Scope) -> str:
    """`three Dragons of one type`; of another type, if the groups before have one."""
    one = group.count == 1 and not group.or_more
    noun = set_noun(group.set.text, scope.lexicon)
    count = words.number(group.count) + (" or more" if group.or_more else "")
    text = f"{count} {noun if one else words.plural(noun)}"
    if group.traits:
        text += f" {traits(group.traits, shared(group, before))}"
    if group.condition is not None:
        said = clause(group.condition, scope.testing(tested(CARD)))
        text += f" {relative(said, not one)}"
    return text


def shared(group: n.Group, before: Sequence[n.Group]) -> set[str]:
    """The attributes of which this group and an earlier one have one value each: together they differ."""
    ones = [{trait.attribute.text for trait in each.traits if trait.word == "one"} for each in (group, *before)]
    return set().union(*(ones[0] & other for other in ones[1:]))


def traits(items: Sequence[n.Trait], taken: Set[str]) -> str:
    """`of one suit and of consecutive values`. `taken`: attributes that an earlier group has one value of."""
    said = []
    for trait in items:
        noun = words.plain(trait.attribute.text)
        low = f" ({trait.low.text} below all others)" if trait.low is not None else ""
        which = "another" if taken == {trait.attribute.text} else "one"
        one = {"one": f"of {which} {noun}", "different": f"of different {words.plural(noun)}"}
        said.append(one.get(trait.word, f"of consecutive {words.plural(noun)}") + low)
    return words.join(said) + (
        f" (another {words.join(sorted(map(words.plain, taken)), 'or')})" if len(taken) > 1 else ""
    )


def wild(line: n.Wild, scope: Scope) -> Item:
    said = clause(line.condition, scope.testing(tested(CARD)))
    any_ = [name.text for name in line.any]
    if all(name in scope.lexicon.sets for name in any_):
        stands = words.join([set_noun(name, scope.lexicon) for name in any_], "or")
        text = f"cards {relative(said, True)} are wild: each may stand for any {stands}"
    else:
        names = words.join([words.plain(name).lower() for name in any_], "or")
        text = f"cards {relative(said, True)} are wild: each may stand for any {names} and keeps all else"
    return Item(text, doc(line.doc))
