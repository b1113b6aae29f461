"""What is in the box: kinds, cards with their exact counts, components; and what cards bear."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import nodes as n
from cardlang.game import CARD, FLAG, Face
from cardlang.rulesheet import words
from cardlang.rulesheet.declarations import inside, meaning
from cardlang.rulesheet.english import Noun, Scope, flag, phrase
from cardlang.rulesheet.model import Block, Item, Items, Paragraph, Question, Section, Table, finished
from cardlang.rulesheet.nouns import kind_noun, owned
from cardlang.rulesheet.statements import block, doc


# ---------------------------------------------------------------- kinds and components
def kind_item(kind: n.Kind, scope: Scope) -> Item:
    name = kind.name.text
    marks = [scope.lexicon.marks.of(name, place) for place in range(scope.lexicon.marks.size(name))]
    members = words.join([text for item in kind.members for text in member_texts(item, scope)])
    order = "from the lowest to the highest, " if kind.ordered else ""
    title = words.capital(words.plural(words.plain(kind.name.text)))
    return finished(Item(order + members, doc(kind.doc), title=title, marks=tuple(m for m in marks if m)))


def member_texts(item: n.Member, scope: Scope) -> list[str]:
    """A member with its code, if cards are drawn with it; a kind among the members brings in its own."""
    if item.last is not None:
        return [f"{item.value} to {item.last}"]
    inner = scope.lexicon.kinds.get(str(item.value))
    if inner is not None:
        return [text for part in inner.members for text in member_texts(part, scope)]
    notes = [] if item.code is None or not drawn(item.code.text, scope) else [f"written {item.code.text}"]
    if item.worth is not None:
        notes.append(f"worth {item.worth}")
    name = item.called.singular if item.called is not None else words.plain(str(item.value))
    return [f"{name} ({', '.join(notes)})" if notes else name]


def drawn(code: str, scope: Scope) -> bool:
    """Whether drawings of cards show this code."""
    return any(look.index == code for look in scope.lexicon.looks.values())


def on_cards(kind: n.Kind, scope: Scope) -> bool:
    """Whether some cards bear the members of a kind."""
    products = [product for cards in scope.lexicon.sets.values() for product in cards.products]
    if any(column.text == kind.name.text for product in products for column in product.columns):
        return True
    named = {
        value.text
        for cards in scope.lexicon.sets.values()
        for row in cards.rows
        for value in row.values
        if isinstance(value, n.Name)
    }
    return any(scope.lexicon.members.get(name, ("",))[0] == kind.name.text for name in named)


def component_item(item: n.Component) -> Item:
    return finished(Item(words.of_number(item.title, words.number(item.count)), doc(item.doc)))


# ---------------------------------------------------------------- cards
def cards_blocks(cards: n.Cards, faces: Sequence[Face], scope: Scope) -> list[Block]:
    """One set of cards: how many, of what, and what each says."""
    count = sum(face.copies for face in faces if face.set == cards.name.text)
    text = words.of_number("card", words.number(count)) if count else "no cards"
    if count and cards.products:
        text += f": {words.join([product(item) for item in cards.products])}"
    home = phrase(n.NameRef(cards.home.span, cards.home.text), scope).text
    title = words.capital(words.plain(cards.name.text))
    blocks: list[Block] = [Items((finished(Item(f"{text}, in {home}", doc(cards.doc), title=title)),), bullets=True)]
    if cards.rows:
        blocks.append(row_table(cards, scope))
    blocks += borne(cards.bears, scope)
    for row in cards.rows:
        own = borne(row.bears, scope)
        blocks += [Paragraph(f"{row.title.text}:"), *own] if own else []
    return blocks


def product(item: n.Product) -> str:
    kinds = [kind_noun(column.text) for column in item.columns]
    return f"{words.number(item.count)} of each {words.join(kinds)}"


def row_table(cards: n.Cards, scope: Scope) -> Table:
    columns = [words.capital(words.plain(column.text)) for column in cards.columns]
    notes = any(row.doc is not None for row in cards.rows)
    rows = []
    for row in cards.rows:
        written = f"{row.title.text} ({row.code.text})" if row.code is not None else row.title.text
        cells = [cell(value, scope) for value in row.values]
        rows.append((str(row.count), written, *cells, *((doc(row.doc),) if notes else ())))
    title = f"The cards of {words.capital(words.plain(cards.name.text))}"
    return Table(title, ("Copies", "Card", *columns, *(("Words",) if notes else ())), tuple(rows))


def cell(value: n.Name | n.Number | n.Words, scope: Scope) -> str:
    match value:
        case n.Number(digits=digits):
            return digits
        case n.Words(text=text):
            return text
    return phrase(n.NameRef(value.span, value.text), scope).text


# ---------------------------------------------------------------- what cards bear
def borne(parts: Sequence[n.Define | n.Step | n.Note | n.Ruling], scope: Scope) -> list[Block]:
    """The definitions, steps, notes and rulings that cards bear."""
    items: list[Item] = []
    blocks: list[Block] = []
    for part in parts:
        match part:
            case n.Define():
                items.append(borne_define(part, scope))
            case n.Step():
                body = block(part.body or (), scope)
                items.append(finished(Item("", doc(part.doc), body, title=words.title(part.name.text))))
            case n.Note(text=text):
                blocks.append(Paragraph("", text))
            case n.Ruling():
                blocks.append(question(part))
    return [*([Items(tuple(items), bullets=True)] if items else []), *blocks]


def borne_define(define: n.Define, scope: Scope) -> Item:
    """A definition that a card bears, about that card."""
    card = Noun("the card", CARD)
    subject = owned(card, scope.lexicon.of(define, borne=True))
    item = meaning(define, subject, inside(card, scope))
    title = flag(subject, True).text if subject.type == FLAG else words.plain(define.name.text)
    return finished(Item(item.text, doc(define.doc), item.items, item.bullets, words.capital(title)))


def question(ruling: n.Ruling) -> Question:
    return Question(ruling.question, " ".join(note.text for note in ruling.answer))


def contents_section(items: Sequence[n.Item], faces: Sequence[Face], scope: Scope) -> Section:
    kinds = [item for item in items if isinstance(item, n.Kind)]
    blocks: list[Block] = []
    for item in items:
        if isinstance(item, n.Cards):
            blocks = added(blocks, cards_blocks(item, faces, scope))
    things = tuple(component_item(item) for item in items if isinstance(item, n.Component))
    printed = tuple(kind_item(kind, scope) for kind in kinds if on_cards(kind, scope))
    others = tuple(kind_item(kind, scope) for kind in kinds if not on_cards(kind, scope))
    lists = {"The words on the cards:": printed, "Other names used:": others, "Also in the box:": things}
    for lead, told in lists.items():
        blocks += [Paragraph(lead), Items(told, bullets=True)] if told else []
    return Section("Contents", tuple(blocks))


def added(blocks: Sequence[Block], told: Sequence[Block]) -> list[Block]:
    """The sets of cards so far and one more; sets of which there is nothing more to say stand in one list."""
    last = blocks[-1] if blocks else None
    plain = len(told) == 1 and isinstance(last, Items) and all(item.title and not item.items for item in last.items)
    if plain and isinstance(last, Items) and isinstance(told[0], Items):
        return [*blocks[:-1], Items((*last.items, *told[0].items), True)]
    return [*blocks, *told]
