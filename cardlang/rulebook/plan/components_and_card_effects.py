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
from cardlang.model.card_rules import list_effect_texts, select_described_rules
from cardlang.model.traversal import collect_all_nodes
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, QuestionBlock, Section, TableBlock, add_icons
from cardlang.rulebook.plan.declaration_entries import build_meaning_item
from cardlang.rulebook.realise.instructions import build_block_items, find_role_of_first
from cardlang.rulebook.realise.noun_phrases import (
    build_owned_noun,
    build_table_noun,
    format_value,
    get_kind_noun,
    get_set_noun,
)
from cardlang.rulebook.realise.phrases import YOU, NounPhrase, PhraseScope, build_flag_clause
from cardlang.rulebook.realise.sentence_aggregation import realize_item

EFFECT_COLUMN = "Effect"
"""Heading of the column with the author's texts on cards."""
HOUSEHOLD_LEAD = "You also need:"
"""Lead of the household components that a library needs."""
PLAIN_NUMBER_KINDS = ("number", "rank", "value")
"""Kinds of numbers on cards that need no name."""
SCORE_PAPER = "Pencil and paper for the score."


# ---------------------------------------------------------------- kinds and components
def build_kind_item(kind: g.Kind, scope: PhraseScope) -> Item:
    order = "from the lowest to the highest, " if kind.ordered and not kind.is_numeric else ""
    title = morphology.pluralize(morphology.format_heading(kind.name))
    if not is_kind_on_cards(kind, scope.lexicon.game):
        title = morphology.format_count(len(kind.members), get_kind_noun(kind.name))
    text = order + describe_members(kind, scope)
    return realize_item(Item(text, kind.doc, title=title, symbols=find_kind_symbols([kind], scope)))


def find_kind_symbols(kinds: Iterable[g.Kind], scope: PhraseScope) -> tuple[CardSymbol, ...]:
    symbols = scope.lexicon.symbols
    counts = {kind.name: symbols.count_symbols(kind.name) for kind in kinds}
    marks = (symbols.get_member_symbol(name, index) for name, count in counts.items() for index in range(count))
    return tuple(filter(None, marks))


def describe_members(kind: g.Kind, scope: PhraseScope) -> str:
    return morphology.join_phrases([describe_member_range(run, scope) for run in group_member_ranges(kind)])


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
    notes = [member.code] if member.code != member.name and is_code_drawn(member.code, scope) else []
    if member.worth is not None and not member.name.isdigit():
        notes.append(f"worth {format_cell(g.NUMBER, member.worth, scope)}")
    return f"{member.noun.singular} ({', '.join(notes)})" if notes else member.noun.singular


def is_code_drawn(code: str, scope: PhraseScope) -> bool:
    """Return whether drawings of cards show this code."""
    return any(small_card.index == code for small_card in scope.lexicon.small_cards.values())


def is_kind_on_cards(kind: g.Kind, game: g.Game) -> bool:
    """Return whether the members of a kind are on cards."""
    return any(column.type.tag == "member" and column.type.of == kind.name for column in game.columns.values())


def build_card_set_item(cards: g.CardSet, told: set[str], scope: PhraseScope) -> Item:
    """Describe a set of cards: its counts and kinds, and its home zone if most cards have another.

    `told`: the kinds with members that are told already; those of this set are added.
    """
    game = scope.lexicon.game
    count = sum(face.copies for face in game.faces if face.set == cards.name)
    new = [kind for kind in find_set_kinds(cards, game) if kind.name not in told and not kind.doc]
    told.update(kind.name for kind in new)
    text = morphology.join_phrases(
        [describe_product(item, {kind.name for kind in new}, scope) for item in cards.products]
    )
    groups = [f"{describe_kind_count(kind)} ({describe_members(kind, scope)})" for kind in new if not cards.products]
    title = morphology.format_count(f"{count:,}", get_set_noun(cards.name, scope.lexicon))
    text = f"in {' and '.join(groups)}" if groups else text
    if starts_in_smaller_own_zone(cards, scope):
        text = f"{text}{'. They' if text else 'they'} make up {build_table_noun(scope.lexicon.nouns[cards.home]).text}"
    symbols = find_kind_symbols(new, scope)
    item = realize_item(Item(text, cards.doc, title=title, symbols=symbols, is_one_sentence=bool(groups)))
    return evolve(item, author_text=add_icons(item.author_text, scope.lexicon.symbols.find_text_icons(cards.name)))


def build_component_item(part: g.Component) -> Item:
    return realize_item(Item(morphology.format_count(f"{part.count:,}", part.title), part.doc))


def find_set_kinds(cards: g.CardSet, game: g.Game) -> list[g.Kind]:
    """Return the kinds that the contents tell with a set: those of its products, and unordered ones in its rows."""
    named = [kind for item in cards.products for kind in item.kinds]
    in_rows = [str(type_.of) for row in cards.rows for type_, value in row.values if type_.tag == "member"]
    named += [name for name in in_rows if not game.kinds[name].ordered and not cards.products]
    return [game.kinds[name] for name in dict.fromkeys(named)]


def describe_kind_count(kind: g.Kind) -> str:
    return morphology.format_count(morphology.spell_number(len(kind.members)), get_kind_noun(kind.name))


def describe_product(item: g.Product, new: set[str], scope: PhraseScope) -> str:
    """Describe the cards for all combinations of some kinds: `1 to 9 in each of two suits (Suns and Moons)`.

    `new`: the kinds whose members are to be named.
    """
    kinds = [scope.lexicon.game.kinds[name] for name in item.kinds]
    members = {kind.name: f" ({describe_members(kind, scope)})" if kind.name in new else "" for kind in kinds}
    ranges = zip(item.kinds, item.ranges, strict=True) if item.ranges else ()
    members |= {name: f" from {ends[0]} to {ends[1]}" for name, ends in ranges if ends}
    ranks = [kind for kind in kinds if kind.ordered]
    if item.ranges or len(ranks) != 1 or ranks[0].name not in new:
        each = [f"{get_kind_noun(kind.name)}{members[kind.name]}" for kind in kinds]
        return f"{morphology.spell_number(item.count)} of each {' and '.join(each)}"
    (rank,) = ranks
    copies = "" if item.count == 1 else f"{morphology.spell_number(item.count)} each of "
    order = "" if rank.is_numeric else ", from low to high,"
    groups = [f"{describe_kind_count(kind)}{members[kind.name]}" for kind in kinds if kind is not rank]
    name = "" if not rank.is_numeric or rank.name.lower() in PLAIN_NUMBER_KINDS else f"{get_kind_noun(rank.name)} "
    text = f"{copies}{name}{describe_members(rank, scope)}{order}"
    return f"{text} in each of {' and '.join(groups)}" if groups else text.rstrip(",")


def starts_in_smaller_own_zone(cards: g.CardSet, scope: PhraseScope) -> bool:
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
            items = (evolve(item, author_text=add_icons(item.author_text, icons)) for item in block.items)
            return evolve(block, items=tuple(items))
        case QuestionBlock():
            return QuestionBlock(add_icons(block.question, icons), add_icons(block.answer, icons))
        case TableBlock(head=(*_, last)) if last == EFFECT_COLUMN:
            return evolve(block, rows=tuple((*row[:-1], add_icons(row[-1], icons)) for row in block.rows))
    return block


def build_cards_section(content: g.Game, scope: PhraseScope) -> Section:
    """Build the section on the effects of cards."""
    has_rules = has_any_card_rules(content)
    card_sets = [cards for cards in content.sets.values() if has_card_rules(cards) or (cards.rows and has_rules)]
    return Section("The cards", sections=tuple(build_card_set_section(card_set, scope) for card_set in card_sets))


def build_card_set_section(cards: g.CardSet, scope: PhraseScope) -> Section:
    """Build the section on the effects of one set of cards."""
    title = morphology.capitalize_first_letter(morphology.replace_hyphens(cards.name))
    return Section(title, tuple(build_card_text_blocks(cards, scope)), rules=(f"cards {cards.name}",))


def get_effect_text(row: g.Row) -> str:
    return " ".join(map(morphology.punctuate_sentence, list_effect_texts(row)))


def build_row_table(cards: g.CardSet, scope: PhraseScope) -> TableBlock:
    """Return the table of the cards of a set, with the author's texts on them and on their effects."""
    shown = [[format_cell(*row.values[index], scope) for row in cards.rows] for index, _ in enumerate(cards.columns)]
    titles = [row.title for row in cards.rows]
    used = [index for index, cells in enumerate(shown) if any(cells) and cells != titles]
    columns = [morphology.format_heading(cards.columns[index]) for index in used]
    texts = [" ".join(filter(None, (row.doc, get_effect_text(row)))) for row in cards.rows]
    counted = any(row.count != 1 for row in cards.rows)
    rows = []
    for row, text in zip(cards.rows, texts, strict=True):
        title = f"{row.title} ({row.code})" if row.code and is_code_drawn(row.code, scope) else row.title
        cells = [format_cell(*row.values[index], scope) for index in used]
        text_cells = (text,) if any(texts) else ()
        rows.append((*((str(row.count),) if counted else ()), title, *cells, *text_cells))
    title = f"The cards of {morphology.capitalize_first_letter(morphology.replace_hyphens(cards.name))}"
    head = (*(("Copies",) if counted else ()), "Card", *columns, *((EFFECT_COLUMN,) if any(texts) else ()))
    return TableBlock(title, head, tuple(rows))


def format_cell(type_: g.Type, value: object, scope: PhraseScope) -> str:
    if isinstance(value, Fraction):
        return morphology.format_number(value)
    if value is None:
        return ""
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
                body = build_block_items(part.body, inner)
                items.append(realize_item(Item("", part.doc, body, title=morphology.format_heading(part.name))))
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
    return realize_item(evolve(item, author_text=define.doc, title=morphology.capitalize_first_letter(title)))


def build_question_block(ruling: g.Ruling) -> QuestionBlock:
    return QuestionBlock(ruling.question, " ".join(ruling.answer))


def build_contents_section(content: g.Game, scope: PhraseScope) -> Section:
    """Build the section on contents: cards, components, household items, and the names printed on cards."""
    told: set[str] = set()
    blocks = build_card_set_blocks(content, told, scope) if content.sets else []
    game, used = scope.lexicon.game, find_used_kinds(content)
    kinds = [kind for kind in content.kinds.values() if kind.name not in told and kind.name in used]
    own, needed = (
        [build_component_item(part) for part in content.components if bool(part.origin.library) == is_library]
        for is_library in (False, True)
    )
    kept = [track for track in content.tracks.values() if track.subject is not None and track.type.tag == "number"]
    noted = any(t.name == "score" or morphology.is_score(scope.lexicon.nouns[t.name].noun) for t in kept)
    needed += [Item(SCORE_PAPER)] if noted else []
    needed += [Item("Markers.")] if any(map(find_role_of_first, collect_all_nodes(content))) else []
    printed = tuple(build_kind_item(kind, scope) for kind in kinds if is_kind_on_cards(kind, game))
    others = tuple(build_kind_item(kind, scope) for kind in kinds if not is_kind_on_cards(kind, game))
    blocks = add_items(blocks, (*own, *others, *build_variant_card_items(content, scope)))
    lists = {HOUSEHOLD_LEAD: needed, "The words on the cards:": printed}
    for lead, items in lists.items():
        blocks += [Paragraph(lead), ItemList(tuple(items), bullets=True)] if items else []
    variants = game.variants if game.variant is None else ()
    rules = ("contents", *(f"contents {variant.title}" for variant in variants))
    return Section("Contents", tuple(blocks), rules=rules)


def find_used_kinds(content: g.Game) -> set[str]:
    """Return the kinds that cards, declarations or rules use; the others only serve texts."""
    types = [column.type for column in content.columns.values()]
    types += [part.type for part in collect_all_nodes(content) if isinstance(part, g.Expr | g.Var)]
    declared: list[g.Zone | g.Track | g.Define] = [*content.zones.values(), *content.tracks.values()]
    declared += content.defines.values()
    named = {name for each in declared for name in (each.subject, each.second) if name}
    types += [type_.item for type_ in types if type_.item is not None]
    return named | {str(type_.of) for type_ in types if type_.tag == "member"}


def add_items(blocks: list[Block], items: tuple[Item, ...]) -> list[Block]:
    """Return blocks with these items, in the last list if there is one."""
    lists = [(index, block) for index, block in enumerate(blocks) if isinstance(block, ItemList)]
    if items and lists:
        index, last = lists[-1]
        return [*blocks[:index], evolve(last, items=(*last.items, *items)), *blocks[index + 1 :]]
    return [*blocks, ItemList(items, bullets=True)] if items else blocks


def build_card_set_blocks(content: g.Game, told: set[str], scope: PhraseScope) -> list[Block]:
    """Describe the sets of cards with their tables. Consecutive sets without a table share one list."""
    blocks: list[Block] = []
    for cards in content.sets.values():
        item = build_card_set_item(cards, told, scope)
        is_listed = bool(blocks) and isinstance(blocks[-1], ItemList)
        blocks = add_items(blocks, (item,)) if is_listed else [*blocks, ItemList((item,), bullets=True)]
        blocks += [] if has_any_card_rules(content) else build_card_text_blocks(cards, scope)
    return blocks
