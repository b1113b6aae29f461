"""Sections on components, card sets and card effects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from attrs import evolve

from cardlang import model as g
from cardlang.cards import CardSymbol
from cardlang.english import morphology
from cardlang.model import CARD
from cardlang.model.card_rules import select_described_rules
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, QuestionBlock, Section, TableBlock, add_icons
from cardlang.rulebook.plan.declaration_entries import build_meaning_item
from cardlang.rulebook.realise.instructions import build_block_items
from cardlang.rulebook.realise.noun_phrases import (
    build_owned_noun,
    build_table_noun,
    format_value,
    get_kind_noun,
    get_set_noun,
)
from cardlang.rulebook.realise.phrases import YOU, NounPhrase, PhraseScope, build_flag_clause
from cardlang.rulebook.realise.sentence_aggregation import realize_item

EFFECT_COLUMN, TEXT_COLUMN = "What it does", "Words"
"""Headings of the column with the author's texts on cards, with and without those on their effects."""
HOUSEHOLD_LEAD = "You also need:"
"""Lead of the household components that a library needs."""
SCORE_PAPER = "Pencil and paper for the score."


# ---------------------------------------------------------------- kinds and components
def build_kind_item(kind: g.Kind, scope: PhraseScope) -> Item:
    marks = [
        scope.lexicon.symbols.get_member_symbol(kind.name, symbol_index)
        for symbol_index in range(scope.lexicon.symbols.count_symbols(kind.name))
    ]
    members = morphology.join_phrases([describe_member_range(run, scope) for run in group_member_ranges(kind)])
    order = "from the lowest to the highest, " if kind.ordered else ""
    title = morphology.capitalize_first_letter(morphology.pluralize(morphology.replace_hyphens(kind.name)))
    return realize_item(Item(order + members, kind.doc, title=title, symbols=tuple(m for m in marks if m)))


def group_member_ranges(kind: g.Kind) -> list[list[g.Member]]:
    """Group the members of a kind into ranges, as written."""
    groups: list[list[g.Member]] = []
    for member in kind.members:
        if member.follows:
            groups[-1].append(member)
        else:
            groups.append([member])
    return groups


def describe_member_range(run: Sequence[g.Member], scope: PhraseScope) -> str:
    """Describe a member, with its code if drawings of cards show it; or a range: `2 to 10`."""
    member = run[0]
    if len(run) > 1:
        return f"{member.name} to {run[-1].name}"
    notes = [f"written {member.code}"] if member.code != member.name and is_code_drawn(member.code, scope) else []
    if member.worth is not None and not member.name.isdigit():
        notes.append(f"worth {format_cell(g.NUMBER, member.worth, scope)}")
    return f"{member.noun.singular} ({', '.join(notes)})" if notes else member.noun.singular


def is_code_drawn(code: str, scope: PhraseScope) -> bool:
    """Return whether drawings of cards show this code."""
    return any(small_card.index == code for small_card in scope.lexicon.small_cards.values())


def is_kind_on_cards(kind: g.Kind, game: g.Game) -> bool:
    """Return whether the members of a kind are on cards."""
    return any(column.type.tag == "member" and column.type.of == kind.name for column in game.columns.values())


def build_component_item(item: g.Component) -> Item:
    return realize_item(Item(morphology.format_count(morphology.spell_number(item.count), item.title), item.doc))


# ---------------------------------------------------------------- cards
def build_card_set_item(cards: g.CardSet, scope: PhraseScope) -> Item:
    """Describe a set of cards: its counts, and its home zone if most cards have another."""
    count = sum(face.copies for face in scope.lexicon.game.faces if face.set == cards.name)
    text = morphology.format_count(morphology.spell_number(count), "card")
    if cards.products:
        text += f": {morphology.join_phrases([describe_product(item) for item in cards.products])}"
    if has_separate_zone(cards, scope):
        text = f"{text}. They make up {build_table_noun(scope.lexicon.nouns[cards.home]).text}"
    title = morphology.capitalize_first_letter(morphology.replace_hyphens(cards.name))
    item = realize_item(Item(text, cards.doc, title=title))
    return evolve(item, author_text=add_icons(item.author_text, scope.lexicon.symbols.find_text_icons(cards.name)))


def has_separate_zone(cards: g.CardSet, scope: PhraseScope) -> bool:
    """Return whether a set starts in a zone of its own, with fewer cards than another zone."""
    game = scope.lexicon.game
    homes: Counter[str] = Counter()
    for face in game.faces:
        homes[game.sets[face.set].home] += face.copies
    alone = [card_set.home for card_set in game.sets.values()].count(cards.home) == 1
    return alone and homes[cards.home] < max(homes.values(), default=0)


def build_variant_card_items(game: g.Game, scope: PhraseScope) -> Iterator[Item]:
    """Yield the cards that only a variant needs: `48 more Numbers`, and the author's text on them."""
    dealt = {(face.set, face.title): face.copies for face in game.faces}
    for variant in game.variants if game.variant is None else ():
        more: Counter[str] = Counter()
        for face in variant.game.faces:
            more[face.set] += max(0, face.copies - dealt.get((face.set, face.title), 0))
        counts = [
            (morphology.spell_number(count), get_set_noun(name, scope.lexicon)) for name, count in more.items() if count
        ]
        count_texts = [
            f"{count} more {noun if count == 'one' else morphology.pluralize(noun)}" for count, noun in counts
        ]
        if count_texts:
            yield realize_item(Item(f"for “{variant.title}”, {morphology.join_phrases(count_texts)}", variant.doc))


def has_card_rules(cards: g.CardSet) -> bool:
    """Return whether the cards of a set have rules on them, which need their own section."""
    return bool(cards.bears) or any(row.bears for row in cards.rows)


def has_any_card_rules(content: g.Game) -> bool:
    return any(map(has_card_rules, content.sets.values()))


def build_card_text_blocks(cards: g.CardSet, scope: PhraseScope) -> list[Block]:
    """Return the texts of the cards of a set."""
    described = [row.replace(bears=tuple(select_described_rules(row.bears, row.doc))) for row in cards.rows]
    cards = cards.replace(bears=tuple(select_described_rules(cards.bears)), rows=tuple(described))
    blocks: list[Block] = [build_row_table(cards, scope)] if cards.rows else []
    blocks += build_card_rule_blocks(cards.bears, scope)
    for row in cards.rows:
        asides = [part for part in row.bears if isinstance(part, g.Note | g.Ruling)]
        row_blocks = build_card_rule_blocks(asides if get_effect_text(row) else row.bears, scope)
        blocks += [Paragraph(f"{row.title}:"), *row_blocks] if row_blocks else []
    icons = scope.lexicon.symbols.find_text_icons(cards.name)
    return [add_icons_to_block(block, icons) for block in blocks]


def add_icons_to_block(block: Block, icons: Sequence[CardSymbol]) -> Block:
    """Return a block about cards with icons in the author's texts."""
    match block:
        case Paragraph():
            return evolve(block, author_text=add_icons(block.author_text, icons))
        case ItemList():
            return evolve(
                block, items=tuple(evolve(item, author_text=add_icons(item.author_text, icons)) for item in block.items)
            )
        case QuestionBlock():
            return QuestionBlock(add_icons(block.question, icons), add_icons(block.answer, icons))
        case TableBlock(head=(*_, last)) if last in (EFFECT_COLUMN, TEXT_COLUMN):
            return evolve(block, rows=tuple((*row[:-1], add_icons(row[-1], icons)) for row in block.rows))
    return block


def build_cards_section(content: g.Game, scope: PhraseScope) -> Section:
    """Build the section on the effects of cards."""
    card_sets = [
        cards
        for cards in content.sets.values()
        if has_card_rules(cards) or (cards.rows and has_any_card_rules(content))
    ]
    return Section("The cards", sections=tuple(build_card_set_section(card_set, scope) for card_set in card_sets))


def build_card_set_section(cards: g.CardSet, scope: PhraseScope) -> Section:
    """Build the section on the effects of one set of cards."""
    title = morphology.capitalize_first_letter(morphology.replace_hyphens(cards.name))
    return Section(title, tuple(build_card_text_blocks(cards, scope)), rules=(f"cards {cards.name}",))


def describe_product(item: g.Product) -> str:
    return (
        f"{morphology.spell_number(item.count)} of each "
        f"{morphology.join_phrases([get_kind_noun(kind) for kind in item.kinds])}"
    )


def get_effect_text(row: g.Row) -> str:
    """Return the author's texts on all rules of a card; empty if a rule has none."""
    texts = [part.doc for part in row.bears if isinstance(part, g.BorneStepBody | g.BorneBody)]
    return " ".join(map(morphology.punctuate_sentence, texts)) if all(texts) else ""


def build_row_table(cards: g.CardSet, scope: PhraseScope) -> TableBlock:
    """Return the table of the cards of a set, with the author's texts on them and on their effects."""
    columns = [morphology.capitalize_first_letter(morphology.replace_hyphens(column)) for column in cards.columns]
    texts = [" ".join(filter(None, (row.doc, get_effect_text(row)))) for row in cards.rows]
    counted = any(row.count != 1 for row in cards.rows)
    rows = []
    for row, text in zip(cards.rows, texts, strict=True):
        title = f"{row.title} ({row.code})" if row.code and is_code_drawn(row.code, scope) else row.title
        cells = [format_cell(type_, value, scope) for type_, value in row.values]
        text_cells = (text,) if any(texts) else ()
        rows.append((*((str(row.count),) if counted else ()), title, *cells, *text_cells))
    title = f"The cards of {morphology.capitalize_first_letter(morphology.replace_hyphens(cards.name))}"
    head = (
        *(("Copies",) if counted else ()),
        "Card",
        *columns,
        *((EFFECT_COLUMN if any(map(get_effect_text, cards.rows)) else TEXT_COLUMN,) if any(texts) else ()),
    )
    return TableBlock(title, head, tuple(rows))


def format_cell(type_: g.Type, value: object, scope: PhraseScope) -> str:
    if isinstance(value, Fraction):
        return morphology.format_number(value)
    return str(value) if type_.tag in ("text", "number") else format_value(type_, value, scope)


# ---------------------------------------------------------------- rules on cards
def build_card_rule_blocks(parts: Iterable[g.CardRule], scope: PhraseScope) -> list[Block]:
    """Describe the definitions, steps, notes and rulings on cards."""
    items: list[Item] = []
    blocks: list[Block] = []
    for part in parts:
        match part:
            case g.BorneBody():
                items.append(build_card_definition_item(part, scope))
            case g.BorneStepBody():
                inner = scope.bind_noun(part.you, YOU).bind_noun(part.card, NounPhrase("it", CARD))
                items.append(
                    realize_item(
                        Item(
                            "",
                            part.doc,
                            build_block_items(part.body, inner),
                            title=morphology.format_heading(part.name),
                        )
                    )
                )
            case g.Note(text=text):
                blocks.append(Paragraph("", text))
            case g.Ruling():
                blocks.append(build_question_block(part))
    return [*([ItemList(tuple(items), bullets=True)] if items else []), *blocks]


def build_card_definition_item(define: g.BorneBody, scope: PhraseScope) -> Item:
    """Describe a definition on a card, with that card as subject."""
    card, entry = NounPhrase("the card", CARD), scope.lexicon.columns[define.name]
    subject = build_owned_noun(card, entry)
    item = build_meaning_item(define.value, subject, scope.bind_noun(define.owner, YOU).bind_subject(define.var, card))
    title = (
        build_flag_clause(subject, True).text if subject.type.tag == "flag" else morphology.replace_hyphens(define.name)
    )
    return realize_item(
        Item(item.text, define.doc, item.items, item.bullets, morphology.capitalize_first_letter(title))
    )


def build_question_block(ruling: g.Ruling) -> QuestionBlock:
    return QuestionBlock(ruling.question, " ".join(ruling.answer))


def build_contents_section(content: g.Game, scope: PhraseScope) -> Section:
    """Build the section on contents: cards, components, household items, and the names printed on cards."""
    blocks = build_card_set_blocks(content, scope) if content.sets else []
    kinds, game = content.kinds.values(), scope.lexicon.game
    component_items = [
        build_component_item(component) for component in content.components if not component.origin.library
    ]
    needed = tuple(build_component_item(component) for component in content.components if component.origin.library)
    score = content.tracks.get("score")
    needed += (Item(SCORE_PAPER),) if score is not None and score.subject is not None else ()
    box = (*component_items, *build_variant_card_items(content, scope))
    printed = tuple(build_kind_item(kind, scope) for kind in kinds if is_kind_on_cards(kind, game))
    others = tuple(build_kind_item(kind, scope) for kind in kinds if not is_kind_on_cards(kind, game))
    lists = {
        "Also in the box:": box,
        HOUSEHOLD_LEAD: needed,
        "The words on the cards:": printed,
        "Other names used:": others,
    }
    for lead, items in lists.items():
        blocks += [Paragraph(lead), ItemList(items, bullets=True)] if items else []
    variants = game.variants if game.variant is None else ()
    rules = ("contents", *(f"contents {variant.title}" for variant in variants))
    return Section("Contents", tuple(blocks), rules=rules)


def build_card_set_blocks(content: g.Game, scope: PhraseScope) -> list[Block]:
    """Describe the sets of cards with their tables. Consecutive sets without a table share one list."""
    blocks: list[Block] = []
    for cards in content.sets.values():
        item, last = build_card_set_item(cards, scope), blocks[-1] if blocks else None
        if isinstance(last, ItemList) and last.items[-1].title:
            blocks[-1] = evolve(last, items=(*last.items, item))
        else:
            blocks.append(ItemList((item,), bullets=True))
        blocks += [] if has_any_card_rules(content) else build_card_text_blocks(cards, scope)
    return blocks
