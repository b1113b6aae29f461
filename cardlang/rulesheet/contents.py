"""Build the section on contents: kinds, cards with exact counts, components, and the rules on cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game import CARD
from cardlang.rulesheet import instead
from cardlang.rulesheet.declarations import meaning
from cardlang.rulesheet.english import YOU, Noun, Scope, flag
from cardlang.rulesheet.index import plain_term
from cardlang.rulesheet.model import Block, Item, Items, Paragraph, Question, Section, Table
from cardlang.rulesheet.nouns import at_table, kind_noun, owned, set_noun, written
from cardlang.rulesheet.realising import finished
from cardlang.rulesheet.statements import block

OWN = "What it does"
"""Heading of the column with the author's texts on cards."""
NEEDED = "You also need:"
"""Lead of the household components that a library needs."""


# ---------------------------------------------------------------- kinds and components
def kind_item(kind: g.Kind, scope: Scope) -> Item:
    marks = [scope.lexicon.marks.of(kind.name, place) for place in range(scope.lexicon.marks.size(kind.name))]
    members = words.join([member_text(run, scope) for run in runs(kind)])
    order = "from the lowest to the highest, " if kind.ordered else ""
    title = words.capital(words.plural(words.plain(kind.name)))
    return finished(Item(order + members, kind.doc, title=title, marks=tuple(m for m in marks if m)))


def runs(kind: g.Kind) -> list[list[g.Member]]:
    """Group the members of a kind into ranges, as written."""
    found: list[list[g.Member]] = []
    for member in kind.members:
        if member.follows:
            found[-1].append(member)
        else:
            found.append([member])
    return found


def member_text(run: Sequence[g.Member], scope: Scope) -> str:
    """Describe a member, with its code if drawings of cards show it; or a range: `2 to 10`."""
    member = run[0]
    if len(run) > 1:
        return f"{member.name} to {run[-1].name}"
    notes = [f"written {member.code}"] if member.code != member.name and drawn(member.code, scope) else []
    if member.worth is not None and not member.name.isdigit():
        notes.append(f"worth {member.worth}")
    return f"{member.noun.singular} ({', '.join(notes)})" if notes else member.noun.singular


def drawn(code: str, scope: Scope) -> bool:
    """Return whether drawings of cards show this code."""
    return any(look.index == code for look in scope.lexicon.looks.values())


def on_cards(kind: g.Kind, game: g.Game) -> bool:
    """Return whether the members of a kind are on cards."""
    return any(column.type.tag == "member" and column.type.of == kind.name for column in game.columns.values())


def component_item(item: g.Component) -> Item:
    return finished(Item(words.of_number(item.title, words.number(item.count)), item.doc))


# ---------------------------------------------------------------- cards
def cards_item(cards: g.CardSet, scope: Scope) -> Item:
    """Describe a set of cards: its counts, and its home zone if most cards have another."""
    count = sum(face.copies for face in scope.lexicon.game.faces if face.set == cards.name)
    text = words.of_number("card", words.number(count))
    if cards.products:
        text += f": {words.join([product(item) for item in cards.products])}"
    if is_apart(cards, scope):
        text = f"{text}. They make up {at_table(scope.lexicon.nouns[cards.home]).text}"
    return finished(Item(text, cards.doc, title=words.capital(words.plain(cards.name))))


def is_apart(cards: g.CardSet, scope: Scope) -> bool:
    """Return whether a set starts in a zone of its own, with fewer cards than another zone."""
    game = scope.lexicon.game
    homes: Counter[str] = Counter()
    for face in game.faces:
        homes[game.sets[face.set].home] += face.copies
    alone = [each.home for each in game.sets.values()].count(cards.home) == 1
    return alone and homes[cards.home] < max(homes.values(), default=0)


def beyond(game: g.Game, scope: Scope) -> Iterator[Item]:
    """Yield the cards that only a variant needs: `48 more Numbers`, and the author's text on them.

    Custom wording replaces both.
    """
    dealt = {(face.set, face.title): face.copies for face in game.faces}
    for variant in game.variants if game.variant is None else ():
        more: Counter[str] = Counter()
        for face in variant.game.faces:
            more[face.set] += max(0, face.copies - dealt.get((face.set, face.title), 0))
        counts = [(words.number(count), set_noun(name, scope.lexicon)) for name, count in more.items() if count]
        said = [f"{count} more {noun if count == 'one' else words.plural(noun)}" for count, noun in counts]
        own = instead.item(f"contents {variant.title}", scope.lexicon)
        if own is not None:
            yield evolve(own, title=variant.title)
        elif said:
            yield finished(Item(f"for “{variant.title}”, {words.join(said)}", variant.doc))


def has_rules(cards: g.CardSet) -> bool:
    """Return whether the cards of a set have rules on them, which need their own section."""
    return bool(cards.bears) or any(row.bears for row in cards.rows)


def rules_on_cards(told: g.Game) -> bool:
    return any(map(has_rules, told.sets.values()))


def cards_blocks(cards: g.CardSet, scope: Scope, listed: bool = False) -> list[Block]:
    """Return the texts of the cards of a set; custom wording replaces generated text.

    `listed`: another table already lists the cards.
    """
    blocks: list[Block] = [row_table(cards, scope)] if cards.rows and not listed else []
    said = instead.items(f"cards {cards.name}", scope.lexicon)
    if said is not None:
        return [*instead.blocks_of(map(partial(unlisted, cards), said)), *blocks]
    blocks += borne(cards.bears, scope)
    for row in cards.rows:
        own = borne(row.bears, scope)
        blocks += [Paragraph(f"{row.title}:"), *own] if own else []
    return blocks


def cards_section(told: g.Game, scope: Scope) -> Section:
    """Build the section on the effects of cards."""
    found = [cards for cards in told.sets.values() if has_rules(cards) or (cards.rows and rules_on_cards(told))]
    table, listed = across(found, scope)
    said = tuple(set_section(each, scope, each in listed) for each in found)
    return Section("The cards", (table,) if table is not None else (), said)


def set_section(cards: g.CardSet, scope: Scope, listed: bool) -> Section:
    """Build the section on the effects of one set of cards."""
    own = scope.lexicon.told.get(f"cards {cards.name}")
    title = own.title if own is not None and own.title else words.capital(words.plain(cards.name))
    terms = tuple(row.title for row in cards.rows) if listed else ()
    return Section(title, tuple(cards_blocks(cards, scope, listed)), terms=terms)


def across(found: Sequence[g.CardSet], scope: Scope) -> tuple[Table | None, list[g.CardSet]]:
    """Merge sets with one card for each member of a kind into one table, if they differ in nothing else.

    Return the table and its sets; no table for fewer than two sets.
    """
    first = next((cards for cards in found if by_member(cards) is not None), None)
    same = [] if first is None else [each for each in found if each.columns == first.columns and by_member(each)]
    members = [tuple(by_member(each) or {}) for each in same]
    if first is None or len(same) < 2 or len({*map(frozenset, members)}) > 1:
        return None, []
    place = kind_at(first)
    others = [column for at, column in enumerate(first.columns) if at != place]
    kind = first.rows[0].values[place][0]
    names = [cell(kind, member, scope) for member in members[0]]
    head = ("Copies", "Cards", *(words.capital(words.plain(each)) for each in others), *names, "In short")
    rows = []
    for cards in same:
        titles = by_member(cards) or {}
        facts = [cell(*value, scope) for at, value in enumerate(cards.rows[0].values) if at != place]
        name = words.capital(words.plain(cards.name))
        rows.append((f"{cards.rows[0].count} each", name, *facts, *(titles[each] for each in members[0]), gist(cards)))
    return Table(f"The cards by {words.plain(first.columns[place])}", head, tuple(rows)), same


def kind_at(cards: g.CardSet) -> int:
    """Return the index of the only column of a kind; -1 if there is none, or several."""
    places = [at for at, (type_, _) in enumerate(cards.rows[0].values) if type_.tag == "member"] if cards.rows else []
    return places[0] if len(places) == 1 else -1


def by_member(cards: g.CardSet) -> dict[Any, str] | None:
    """Return the titles of the cards of a set by their members; None if they differ in anything else."""
    place = kind_at(cards)
    if place < 0 or any(row.bears or row.doc for row in cards.rows):
        return None
    titles = {row.values[place][1]: row.title for row in cards.rows}
    alike = {(row.count, *(value for at, (_, value) in enumerate(row.values) if at != place)) for row in cards.rows}
    return titles if len(alike) == 1 and len(titles) == len(cards.rows) > 1 else None


def gist(cards: g.CardSet) -> str:
    """Return the author's shortest description of the cards of a set."""
    steps = (part.doc for part in cards.bears if isinstance(part, g.BorneStepBody) and part.doc)
    return words.sentence(next(steps, cards.doc))


def unlisted(cards: g.CardSet, item: Item) -> Item:
    """Remove the entries of a line that the table of cards already has."""
    titles = {row.title for row in cards.rows}
    return evolve(item, items=tuple(part for part in item.items if plain_term(part.title) not in titles))


def own_lines(cards: g.CardSet, scope: Scope) -> dict[str, str]:
    """Return the custom wording for single cards of a set, by title."""
    said = instead.items(f"cards {cards.name}", scope.lexicon) or ()
    return {plain_term(part.title): part.text for item in said for part in item.items}


def product(item: g.Product) -> str:
    return f"{words.number(item.count)} of each {words.join([kind_noun(kind) for kind in item.kinds])}"


def row_table(cards: g.CardSet, scope: Scope) -> Table:
    columns = [words.capital(words.plain(column)) for column in cards.columns]
    said = own_lines(cards, scope)
    texts = {row: " ".join(filter(None, (row.doc, said.get(row.title, "")))) for row in cards.rows}
    notes, counted = any(texts.values()), any(row.count != 1 for row in cards.rows)
    rows = []
    for row in cards.rows:
        title = f"{row.title} ({row.code})" if row.code and drawn(row.code, scope) else row.title
        cells = [cell(type_, value, scope) for type_, value in row.values]
        own = (texts[row],) if notes else ()
        rows.append((*((str(row.count),) if counted else ()), title, *cells, *own))
    title = f"The cards of {words.capital(words.plain(cards.name))}"
    head = (
        *(("Copies",) if counted else ()),
        "Card",
        *columns,
        *((OWN if any(said.values()) else "Words",) if notes else ()),
    )
    return Table(title, head, tuple(rows))


def cell(type_: g.Type, value: object, scope: Scope) -> str:
    return str(value) if type_.tag in ("text", "number") else written(type_, value, scope)


# ---------------------------------------------------------------- rules on cards
def borne(parts: Iterable[g.Borne], scope: Scope) -> list[Block]:
    """Describe the definitions, steps, notes and rulings on cards."""
    items: list[Item] = []
    blocks: list[Block] = []
    for part in parts:
        match part:
            case g.BorneBody():
                items.append(borne_define(part, scope))
            case g.BorneStepBody():
                inner = scope.naming(part.you, YOU).naming(part.card, Noun("it", CARD))
                items.append(finished(Item("", part.doc, block(part.body, inner), title=words.title(part.name))))
            case g.Note(text=text):
                blocks.append(Paragraph("", text))
            case g.Ruling():
                blocks.append(question(part))
    return [*([Items(tuple(items), bullets=True)] if items else []), *blocks]


def borne_define(define: g.BorneBody, scope: Scope) -> Item:
    """Describe a definition on a card, with that card as subject."""
    card, entry = Noun("the card", CARD), scope.lexicon.columns[define.name]
    subject = owned(card, entry)
    item = meaning(define.value, subject, scope.naming(define.owner, YOU).about(define.var, card))
    title = flag(subject, True).text if subject.type.tag == "flag" else words.plain(define.name)
    return finished(Item(item.text, define.doc, item.items, item.bullets, words.capital(title)))


def question(ruling: g.Ruling) -> Question:
    return Question(ruling.question, " ".join(ruling.answer))


def contents_section(told: g.Game, scope: Scope) -> Section:
    """Build the section on contents: cards, components, household items, and the names printed on cards."""
    blocks = sets_blocks(told, scope) if told.sets else []
    kinds, game = told.kinds.values(), scope.lexicon.game
    things = [component_item(each) for each in told.components if not each.origin.library]
    needed = tuple(component_item(each) for each in told.components if each.origin.library)
    box = (*things, *beyond(told, scope))
    printed = tuple(kind_item(kind, scope) for kind in kinds if on_cards(kind, game))
    others = tuple(kind_item(kind, scope) for kind in kinds if not on_cards(kind, game))
    lists = {"Also in the box:": box, NEEDED: needed, "The words on the cards:": printed, "Other names used:": others}
    for lead, items in lists.items():
        blocks += [Paragraph(lead), Items(items, bullets=True)] if items else []
    return Section("Contents", tuple(blocks))


def sets_blocks(told: g.Game, scope: Scope) -> list[Block]:
    """Describe the sets of cards, in custom wording if there is any, with their tables."""
    own = instead.items("contents", scope.lexicon)
    blocks: list[Block] = [] if own is None else [Items(own, bullets=True)]
    for cards in told.sets.values():
        said = [] if own is not None else [Items((cards_item(cards, scope),), bullets=True)]
        blocks = added(blocks, [*said, *([] if rules_on_cards(told) else cards_blocks(cards, scope))])
    return [Items(alike(block.items), True) if isinstance(block, Items) else block for block in blocks]


def added(blocks: Sequence[Block], told: Sequence[Block]) -> list[Block]:
    """Append a set of cards. Consecutive sets without further details share one list."""
    last = blocks[-1] if blocks else None
    plain = len(told) == 1 and isinstance(last, Items) and all(item.title and not item.items for item in last.items)
    if plain and isinstance(last, Items) and isinstance(told[0], Items):
        return [*blocks[:-1], Items((*last.items, *told[0].items), True)]
    return [*blocks, *told]


def alike(items: Sequence[Item]) -> tuple[Item, ...]:
    """Merge consecutive sets of cards with the same description, and no other text, into one line."""
    found: list[Item] = []
    for text, group in groupby(items, lambda item: "" if item.words or item.items else item.text):
        run = list(group)
        count, cards, rest = text.partition(" cards")
        if not cards or len(run) == 1:
            found += run
        else:
            found.append(Item(f"{count} cards each{rest}", title=words.join([item.title for item in run])))
    return tuple(found)
