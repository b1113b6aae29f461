"""Rankings as tables, best first, and how equal ranks compare."""

from __future__ import annotations

from collections.abc import Sequence, Set

from cardlang import nodes as n
from cardlang.game import CARD, Type
from cardlang.rulesheet import words
from cardlang.rulesheet.declarations import order_lines
from cardlang.rulesheet.english import Scope, clause, phrase, tested
from cardlang.rulesheet.model import Block, Item, Items, Paragraph, Question, Section, Table, finished
from cardlang.rulesheet.nouns import attribute, cards, set_noun
from cardlang.rulesheet.statements import doc


def ranking_section(ranking: n.Ranking, present: Set[str], scope: Scope) -> Section:
    """`present`: the card sets that have cards; ranks that need others are left out."""
    ranks = [rank for rank in ranking.ranks if possible(rank, present)]
    blocks: list[Block] = [Paragraph(words.sentence(size(ranking)), doc(ranking.doc)), rank_table(ranks, scope)]
    items = [wild(line, scope) for line in ranking.wilds]
    if ranking.ties:
        type_ = Type("reading", of=ranking.name.text)
        lines = order_lines(ranking.ties, type_, scope)
        items.append(Item("between equal ranks, each line decides only where those before it do not:", "", lines))
    if ranking.least is not None:
        noun = attribute(tested(CARD, scope), ranking.least.text, scope)
        items.append(Item(f"the best split leaves the lowest total {noun.bare} in the cards left over"))
    if items:
        blocks.append(Items(tuple(map(finished, items)), bullets=True))
    blocks += [Question(r.question, " ".join(note.text for note in r.answer)) for r in ranking.rulings]
    return Section(f"The ranking: {words.plain(ranking.name.text)}", tuple(blocks))


def size(ranking: n.Ranking) -> str:
    if ranking.size == "all":
        return "a rank uses all of the cards"
    if ranking.size == "groups":
        return "the cards are split into separate groups, each of one of these ranks"
    return f"from the best down; a hand counts as the best of these that it holds, with at most {words.number(int(ranking.size))} cards"


def possible(rank: n.Rank, present: Set[str]) -> bool:
    return any(all(group.set.text in present for group in alt.groups) for alt in rank.alternatives)


def rank_table(ranks: Sequence[n.Rank], scope: Scope) -> Table:
    samples = any(rank.like is not None for rank in ranks)
    head = ("", "Rank", "Cards", *(("For example",) if samples else ()))
    rows = []
    for place, rank in enumerate(ranks, 1):
        made = " or ".join(alternative(alt, scope) for alt in rank.alternatives)
        cell = " ".join(part for part in (made, doc(rank.doc)) if part)
        sample = (cards(rank.like, scope).replace(" and ", ", ") if rank.like is not None else "",) if samples else ()
        rows.append((str(place), rank.title.text, cell, *sample))
    return Table(head, tuple(rows))


def alternative(alt: n.Alternative, scope: Scope) -> str:
    made = " plus ".join(group_text(group, scope) for group in alt.groups)
    return made + (f", all {traits(alt.shared, True)}" if alt.shared else "")


def group_text(group: n.Group, scope: Scope) -> str:
    one = group.count == 1 and not group.or_more
    noun = set_noun(group.set.text)
    text = f"{words.number(group.count)}{' or more' if group.or_more else ''} {noun if one else words.plural(noun)}"
    if group.traits:
        text += f" {traits(group.traits, not one)}"
    if group.condition is not None:
        said = clause(group.condition, scope.testing(tested(CARD, scope)))
        relative = said.one if one else said.many
        text += f" {relative or 'provided ' + said.text}"
    return text


def traits(items: Sequence[n.Trait], many: bool) -> str:
    """`of the same suit and of consecutive values`."""
    said = []
    for trait in items:
        noun = words.plain(trait.attribute.text)
        low = f" ({trait.low.text} below all others)" if trait.low is not None else ""
        one = {"one": f"of one {noun}", "different": f"of different {words.plural(noun)}"}
        said.append(one.get(trait.word, f"of consecutive {words.plural(noun)}") + low)
    return words.join(said)


def wild(line: n.Wild, scope: Scope) -> Item:
    said = clause(line.condition, scope.testing(tested(CARD, scope)))
    any_ = [name.text for name in line.any]
    if all(name in scope.lexicon.sets for name in any_):
        stands = f"any of {words.join([phrase(n.NameRef(line.span, name), scope).text for name in any_])}"
        text = f"cards {said.many} are wild: each may stand for {stands.replace('all ', '')}"
    else:
        names = words.join([words.plain(name).lower() for name in any_], "or")
        text = f"cards {said.many} are wild: each may stand for any {names} and keeps all else"
    return Item(text, doc(line.doc))
