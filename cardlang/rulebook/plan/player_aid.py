"""Player aid: the turn, the options, the cards and the ranking, on one page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.card_rules import select_described_rules
from cardlang.model.traversal import walk, walk_in_source_order
from cardlang.rulebook.anchors import add_section_anchors, count_words
from cardlang.rulebook.condition_and_text_wording import bind_all_variables
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, Rulebook, Section, TableBlock
from cardlang.rulebook.plan.components_and_card_effects import build_card_rule_blocks
from cardlang.rulebook.plan.library_constant_folding import select_content
from cardlang.rulebook.plan.play_sections import (
    END_TITLE,
    PLAY_TITLE,
    bind_step_variables,
    build_goal,
    build_step_section,
    order_called_steps,
    split_play,
)
from cardlang.rulebook.plan.ranking_sections import (
    describe_rank_cards,
    describe_ties,
    format_ranking_title,
    get_ranking_noun,
)
from cardlang.rulebook.plan.reaction_and_trigger_sections import build_reaction_item, build_trigger_item, list_triggers
from cardlang.rulebook.plan.sections import compute_version, format_rulebook_title
from cardlang.rulebook.plan.term_and_example_placement import Glossary, repeats_title
from cardlang.rulebook.realise.choice_sentences import describe_cost, describe_option_bindings
from cardlang.rulebook.realise.game_lexicon import build_lexicon
from cardlang.rulebook.realise.instructions import build_block_items
from cardlang.rulebook.realise.phrases import PhraseScope
from cardlang.rulebook.realise.repeat_sentences import is_whole_round
from cardlang.rulebook.realise.sentence_aggregation import realize_item, realize_step_items

MAX_AID_WORDS = 330
"""Maximum number of words of an aid, list marks included. With its title and version, it has fewer than 350."""

CARDS_TITLE = "The cards"
"""Section on what each card does: on all cards, or on none."""
TURN_IMPORTANCE = 2
"""Importance of the course of the game and of rankings. Texts of cards are on the cards."""


@frozen(eq=False)
class AidPart:
    """A part of an aid, in versions from the longest to the shortest.

    `section`: the title of its section. `importance`: parts of less importance are included and grow later.
    """

    section: str
    versions: tuple[Item, ...]
    importance: int

    def count_words(self, version: int) -> int:
        """Return the number of words of a version, or zero after the shortest: the part is left out."""
        return count_item_words(self.versions[version]) if version < len(self.versions) else 0


def build_generated_player_aid(game: g.Game, date: str = "") -> Rulebook:
    """Return the player aid of a checked game: at most `MAX_AID_WORDS` words. `date`: as for the rulebook."""
    content = select_content(game)
    scope = PhraseScope(build_lexicon(game, content))
    glossary, aim = Glossary.build_from_game(content, scope), build_goal(content, scope)
    goal = glossary.add_goal_terms(aim.explained_terms, ("score", "standing"), aim.section)
    parts = fit_parts([
        *build_section_part(goal, goal.title),
        *build_ranking_parts(content, scope),
        *build_turn_parts(content, scope),
        *build_trigger_parts(content, scope),
        *build_card_parts(content, scope),
        *build_term_parts(content, glossary),
    ])  # fmt: skip
    sections = [
        Section(title, (ItemList(tuple(part.versions[0] for part in parts if part.section == title), bullets=True),))
        for title in dict.fromkeys(part.section for part in parts)
    ]
    title = f"{format_rulebook_title(game)}: player aid"
    return Rulebook(title, "", (), add_section_anchors(sections), compute_version(game), date, is_player_aid=True)


def fit_parts(parts: list[AidPart]) -> list[AidPart]:
    """Return the parts in the versions that fill the page: first all in short versions, then the smallest grow."""
    chosen = {part: len(part.versions) for part in parts}
    room = MAX_AID_WORDS
    while True:
        growth = {
            part: part.count_words(version - 1) - part.count_words(version)
            for part, version in chosen.items()
            if version
        }
        fitting = [part for part, words in growth.items() if words <= room]
        if not fitting:
            cards = [part for part in parts if part.section == CARDS_TITLE]
            if any(chosen[part] == len(part.versions) for part in cards):
                return fit_parts([part for part in parts if part not in cards])
            kept = [part for part in parts if chosen[part] < len(part.versions)]
            return [evolve(part, versions=part.versions[chosen[part] :]) for part in kept]
        grown = min(
            fitting,
            key=lambda part: (-part.importance, chosen[part] < len(part.versions), part.count_words(chosen[part] - 1)),
        )
        room -= growth[grown]
        chosen[grown] -= 1


def build_part(section: str, versions: Iterable[Item], importance: int = 1) -> AidPart:
    """Return a part without the versions that are empty or no shorter than those before."""
    useful: list[Item] = []
    for item in map(drop_examples_and_pictures, versions):
        is_empty = not (item.text or item.author_text or item.items)
        if not is_empty and (not useful or count_item_words(item) < count_item_words(useful[-1])):
            useful.append(item)
    return AidPart(section, tuple(useful), importance)


def drop_examples_and_pictures(item: Item) -> Item:
    """Return an item without examples and pictures. Only options keep the author's texts in addition to their own."""
    author_text = item.author_text if item.title or not item.text else ""
    figures = tuple(block for block in item.figures if isinstance(block, TableBlock))
    items = tuple(map(drop_examples_and_pictures, item.items))
    return evolve(item, author_text=author_text, example=None, figures=figures, symbols=(), items=items)


def drop_examples(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return blocks without examples and pictures."""
    return tuple(
        evolve(block, items=tuple(map(drop_item_examples, block.items))) if isinstance(block, ItemList) else block
        for block in blocks
        if isinstance(block, Paragraph | ItemList | TableBlock)
    )


def drop_item_examples(item: Item) -> Item:
    items = tuple(map(drop_item_examples, item.items))
    return evolve(item, example=None, figures=drop_examples(item.figures), items=items)


def count_item_words(item: Item) -> int:
    """Return the number of words of an item, with a mark for each line."""
    return count_words([Section("", (ItemList((item,)),))]) + count_lines(item)


def count_lines(item: Item) -> int:
    """Return the number of marks of an item: one for each line, and one at each edge of the cells of tables."""
    tables = [table for table in item.figures if isinstance(table, TableBlock)]
    edges = sum((len(table.rows) + 2) * (len(table.head) + 2) for table in tables)
    return 1 + edges + sum(map(count_lines, item.items))


# ---------------------------------------------------------------- turns and options
def build_turn_parts(content: g.Game, scope: PhraseScope) -> Iterator[AidPart]:
    """Yield the course of the game, each step of it with its options, and the end."""
    turns, end = split_play(content, scope)
    loops = (part for part in walk(turns.body) if isinstance(part, g.Each))
    takes_turns = any(isinstance(loop.body[0], g.Do) and is_whole_round(loop, loop.body[0]) for loop in loops)
    plain = [block for block in turns.section.blocks if isinstance(block, Paragraph) and not block.author_text]
    if not takes_turns or len(plain) != 1 or len(turns.section.blocks) > 1:
        yield from build_section_part(turns.section, scope.lexicon.get_step_title("play"))
    claimed = {"setup", "play"}
    for part in (turns, end):
        for step in order_called_steps(part.body, content.steps, claimed):
            if not step.unfilled:
                yield build_part(PLAY_TITLE, build_step_versions(step, scope), TURN_IMPORTANCE)
    yield from build_section_part(end.section, END_TITLE)


def build_section_part(section: Section, title: str) -> Iterator[AidPart]:
    if section.blocks:
        yield build_part(PLAY_TITLE, [merge_section(section, title)], TURN_IMPORTANCE)


def merge_section(section: Section, title: str) -> Item:
    """Return the paragraphs and lists of a section as one item."""
    paragraphs = [block for block in section.blocks if isinstance(block, Paragraph)]
    lists = [block for block in section.blocks if isinstance(block, ItemList)]
    items = tuple(item for block in lists for item in block.items)
    text = " ".join(paragraph.text for paragraph in paragraphs if paragraph.text)
    if len(items) == 1 and not (items[0].items or items[0].figures or items[0].title):
        text, items = f"{text} {items[0].text or items[0].author_text}".strip(), ()
    bullets = any(block.bullets for block in lists)
    return Item(text, " ".join(paragraph.author_text for paragraph in paragraphs), items, bullets, title)


def find_options(step: g.Step) -> list[g.Option]:
    return [part for part in walk_in_source_order(step.body) if isinstance(part, g.Option)]


def build_step_versions(step: g.Step, scope: PhraseScope) -> Iterator[Item]:
    """Yield a step in full, with its options only, and in the author's words."""
    title, inner = scope.lexicon.get_step_title(step.name), bind_step_variables(step, scope)
    yield merge_section(build_step_section(step, scope), title)
    options = find_options(step)
    if options:
        yield Item("", step.doc, tuple(build_short_option(option, inner) for option in options), True, title)
    yield Item("", step.doc, title=title)


def build_short_option(option: g.Option, scope: PhraseScope) -> Item:
    """Return an option with its cost and the author's text, or else the first sentence of its effect."""
    title = describe_option(option, scope)
    if option.doc:
        return Item(morphology.punctuate_sentence(option.doc), title=title)
    body = realize_step_items(build_block_items(option.body, bind_all_variables(option, scope)))
    return Item(next((item.text for item in body if item.text), ""), title=title)


def describe_option(option: g.Option, scope: PhraseScope) -> str:
    """Return the name of an option with its cost: `Poison (three coins)`."""
    _, inner = describe_option_bindings(option, [], bind_all_variables(option, scope))
    costs = [describe_cost(amount, track, inner) for amount, track, _ in option.costs]
    name = morphology.format_heading(option.name)
    return f"{name} ({morphology.join_phrases(costs)})" if costs else name


# ---------------------------------------------------------------- reactions, cards, ranking, terms
def build_trigger_parts(content: g.Game, scope: PhraseScope) -> Iterator[AidPart]:
    for reaction in content.reactions:
        item = build_reaction_item(reaction, scope)
        brief = evolve(item, text="", items=())
        yield build_part("Reactions", [item, evolve(item, items=()), brief])
    for trigger in list_triggers(content):
        yield build_part("At any time", [realize_item(build_trigger_item(trigger, scope))])


def build_ranking_parts(content: g.Game, scope: PhraseScope) -> Iterator[AidPart]:
    """Yield each ranking: the patterns of its ranks, or only their names."""
    present = {face.set for face in scope.lexicon.game.faces if face.copies}
    for ranking in content.rankings.values():
        ranks = [rank for rank in ranking.ranks if g.can_rank_occur(rank, present)]
        if ranks:
            title = format_ranking_title(ranking.name)
            listed = tuple(Item(describe_rank_cards(rank, ranking, scope), title=rank.title) for rank in ranks)
            names = "; ".join(rank.title for rank in ranks)
            which = morphology.pluralize(morphology.format_heading(get_ranking_noun(ranking)))
            ties = describe_ties(ranking, scope) if ranking.ties else ""
            full = Item(f"Best first. {ties}" if ties else "", items=listed, title=which)
            versions = [full, evolve(full, text=""), Item(f"{names}.", title=which)]
            yield build_part(title, versions, TURN_IMPORTANCE)


def build_card_parts(content: g.Game, scope: PhraseScope) -> Iterator[AidPart]:
    """Yield what each card does, by its name, with the numbers on it. Cards without rules share a line for each set."""
    if not any(cards.bears or any(row.bears for row in cards.rows) for cards in content.sets.values()):
        return
    for cards in content.sets.values():
        title = morphology.format_heading(cards.name)
        names = [describe_row(cards, row) for row in cards.rows]
        shared = tuple(select_described_rules(cards.bears))
        if shared:
            full_title = f"{title} ({', '.join(row.title for row in cards.rows)})" if cards.rows else title
            yield build_card_part([full_title, title], shared, "", scope)
        for row, name in zip(cards.rows, names, strict=True):
            if row.bears or row.doc:
                yield build_card_part([name, row.title], row.bears, row.doc, scope)
        plain = [name for row, name in zip(cards.rows, names, strict=True) if not (row.bears or row.doc)]
        if plain and not shared:
            yield build_part(CARDS_TITLE, [Item(morphology.punctuate_sentence(", ".join(plain)), title=title)])


def build_card_part(titles: list[str], rules: tuple[g.CardRule, ...], doc: str, scope: PhraseScope) -> AidPart:
    """Return what a card does: in the author's words if there are any. `titles`: its name, from the longest on."""
    blocks = build_card_rule_blocks(select_described_rules(rules, doc), scope)
    items = tuple(item for block in blocks if isinstance(block, ItemList) for item in block.items)
    notes = [doc, *(block.author_text for block in blocks if isinstance(block, Paragraph))]
    text = join_sentences(notes + [item.author_text for item in items])
    if doc or all(item.author_text for item in items):
        full = Item(text)
    elif len(items) == 1 and not items[0].text:
        full = Item(text, items=items[0].items)
    else:
        full = Item(join_sentences(notes), items=items, bullets=True)
    named = [evolve(full, title=title) for title in titles]
    return build_part(CARDS_TITLE, [*named, Item(text, title=titles[-1])])


def join_sentences(texts: Iterable[str]) -> str:
    return " ".join(morphology.punctuate_sentence(text) for text in texts if text)


def describe_row(cards: g.CardSet, row: g.Row) -> str:
    """Return the name of a card with the numbers on it: `Bakery (price 3)`."""
    numbers = [
        f"{morphology.replace_hyphens(column)} {value}"
        for column, (type_, value) in zip(cards.columns, row.values, strict=True)
        if type_.tag == "number" and value
    ]
    return f"{row.title} ({', '.join(numbers)})" if numbers else row.title


def build_term_parts(content: g.Game, glossary: Glossary) -> Iterator[AidPart]:
    """Yield the terms that the steps need."""
    end = split_play(content, glossary.scope)[1]
    glossary.terms.pop(end.told_term.name if end.told_term is not None else "", None)
    needed = glossary.take_needed_terms(tuple(step.body for step in content.steps.values() if step.name != "setup"))
    for term in needed:
        item = glossary.build_term_item(term)
        if not isinstance(term, g.Zone) and not repeats_title(item):
            yield build_part("Terms", [item], importance=0)
