"""All sections of a rulebook, in reading order.

The order: goal, contents, table, a turn, exceptions, cards and ranks; reference sections come last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, TypeGuard

from attrs import evolve

from cardlang import model as g
from cardlang.diagnostics import Source
from cardlang.english import morphology
from cardlang.model.traversal import collect_all_nodes, has_matching_node
from cardlang.rulebook.anchors_and_index import add_section_anchors, build_index, walk_sections
from cardlang.rulebook.custom_wording import INDEX_RULE, CustomWording, load_current_wording
from cardlang.rulebook.model import (
    TRACKS_LEAD,
    Block,
    IndexBlock,
    Item,
    ItemList,
    Paragraph,
    PlanZone,
    Rulebook,
    Section,
    TablePlan,
)
from cardlang.rulebook.plan.components_and_card_effects import (
    build_cards_section,
    build_contents_section,
    build_question_block,
)
from cardlang.rulebook.plan.declaration_entries import (
    build_ranking_section,
    describe_arrangement,
    describe_zone_note,
    format_ranking_title,
    is_single_rank_term,
)
from cardlang.rulebook.plan.example_prose import build_worked_example
from cardlang.rulebook.plan.illustrations import build_labelled_cards, build_picture_legend
from cardlang.rulebook.plan.library_constant_folding import select_content
from cardlang.rulebook.plan.play_sections import (
    GOAL_TITLE,
    build_goal,
    build_play_sections,
    build_step_section,
    build_track_items,
)
from cardlang.rulebook.plan.rule_rewriter import list_card_set_rules
from cardlang.rulebook.plan.term_and_example_placement import (
    ExampleSelection,
    Glossary,
    choose_best_example,
    get_step_section_title,
    place_examples,
    place_ruling_examples,
)
from cardlang.rulebook.realise import choice_sentences, condition_phrases, loop_sentences  # noqa: F401  (they register their functions)
from cardlang.rulebook.realise.aggregation import realize_item
from cardlang.rulebook.realise.custom_sentences import (
    find_covered_rules,
    get_custom_items,
    merge_custom_items,
    remove_replaced_bodies,
)
from cardlang.rulebook.realise.instructions import build_block_items, build_lead_item
from cardlang.rulebook.realise.lexicon import build_lexicon
from cardlang.rulebook.realise.loop_sentences import describe_turn_order
from cardlang.rulebook.realise.noun_phrases import build_owned_noun, build_table_noun, get_kind_noun
from cardlang.rulebook.realise.phrases import YOU, NounPhrase, PhraseScope, describe_condition

SECTION_ORDER = (
    "How to win",
    "Contents",
    "On the table",
    "Set-up",
    "How to play",
    "Reactions",
    "At any time",
    "The cards",
    "Terms",
    "Variants",
    "Questions and answers",
    "More examples",
    "Index",
)
"""Titles of the sections of a rulebook. Rankings and chapters, with titles from the game, go with the terms."""


def get_section_position(section: Section) -> int:
    """Return the position of a section in `SECTION_ORDER`."""
    return SECTION_ORDER.index(section.title if section.title in SECTION_ORDER else "Terms")


def sort_sections(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sort the sections into reading order. The sort is stable."""
    return tuple(sorted(sections, key=get_section_position))


def lift_main_subsections(sections: Iterable[Section], main_title: str) -> Iterator[Section]:
    """Yield the sections. Subsections of the main step, `main_title`, move after its sibling sections."""
    for section in sections:
        first = next((subsection for subsection in section.sections if subsection.title == main_title), None)
        if first is None:
            yield section
        else:
            steps = (
                evolve(subsection, sections=()) if subsection is first else subsection
                for subsection in section.sections
            )
            yield evolve(section, sections=(*steps, *first.sections))


def build_rulebook(
    game: g.Game, date: str = "", examples: ExampleSelection = "few", wording: Mapping[str, CustomWording] | None = None
) -> Rulebook:
    """Return the rulebook of a checked game, its libraries and variants.

    `date`: the last change of its source. `wording`: custom wording by rule; None to use the file next to the game.
    """
    scope = PhraseScope(build_lexicon(game, load_current_wording(game) if wording is None else wording))
    content = select_content(game)
    glossary, aim = Glossary.build_from_game(content, scope), build_goal(content, scope)
    rules = [
        glossary.add_goal_terms(aim.explained_terms, ("score", "standing"), aim.section),
        add_labelled_cards(build_contents_section(content, scope), scope),
        *add_track_list(
            [build_table_section(content, scope), *build_play_sections(content, scope, glossary)], content, scope
        ),
        *build_anytime_sections(content, scope, glossary),
        glossary.add_needed_terms(collect_rules_on_cards(content), build_cards_section(content, scope)),
        *build_ranking_sections(content, scope, glossary),
        glossary.take_remaining_terms(),
    ]
    placed, more = place_examples(
        rules, content.examples, map_names_to_sections(game, glossary, rules), scope, examples
    )
    answered = place_ruling_examples((*placed, build_rulings_section(content)), content.examples, scope, examples)
    told_last = build_variants_section(game, examples, wording is None)
    sections = sort_sections(lift_main_subsections([*answered, more, told_last], scope.lexicon.get_step_title("play")))
    shown = add_section_anchors(section for section in sections if section.blocks or section.sections)
    pitch = [game.doc, *(note.text for note in game.notes)]
    known = build_fact_lines(remove_replaced_bodies(content, scope.lexicon), scope.lexicon.is_clockwise)
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    index_wording = scope.lexicon.custom_wording.get(INDEX_RULE)
    entries = build_index(
        shown, find_extra_index_entries(content, scope), index_wording.without if index_wording is not None else ()
    )
    listed = (
        (*shown, *add_section_anchors([Section("Index", (IndexBlock(entries),))], {"index": 1})) if entries else shown
    )
    return Rulebook(title, " ".join(part for part in pitch if part), known, listed, compute_version(game), date)


def add_labelled_cards(section: Section, scope: PhraseScope) -> Section:
    """Return the section on contents, with the cards whose parts the author labels."""
    return evolve(section, blocks=(*section.blocks, *build_picture_legend(scope), *build_labelled_cards(scope)))


def find_extra_index_entries(content: g.Game, scope: PhraseScope) -> Iterator[str]:
    """Yield further index entries: those that the author lists, and rules covered by other custom wording."""
    listed = scope.lexicon.custom_wording.get(INDEX_RULE)
    yield from listed.instead if listed is not None else ()
    for name, _ in find_covered_rules(scope.lexicon):
        what, _, which = name.partition(" ")
        if what in ("define", "track") and which in scope.lexicon.nouns:
            yield morphology.singularize(scope.lexicon.nouns[which].singular)
        elif what == "step":
            yield scope.lexicon.get_step_title(which)


def collect_rules_on_cards(content: g.Game) -> object:
    """Return the rules on cards."""
    card_rules = [part for cards in content.sets.values() for part in list_card_set_rules(cards)]
    return tuple(part for part in card_rules if isinstance(part, g.BorneBody | g.BorneStepBody))


def compute_version(game: g.Game) -> str:
    """Return the first digits of the checksum of the game and its libraries."""
    text = "\0".join(source.text for source in game.sources)
    return sha256(text.encode()).hexdigest()[:10]


def build_fact_lines(content: g.Game, is_clockwise: bool) -> tuple[str, ...]:
    """Return the players, ages, time and order of turns."""
    seats = [str(count) for count in content.seats]
    run = len(seats) > 2 and content.seats[-1] - content.seats[0] == len(seats) - 1
    player_counts = f"{seats[0]} to {seats[-1]}" if run else morphology.join_phrases(seats, "or")
    return (f"Players: {player_counts}", *describe_ages_and_time(content), *describe_turn_order(content, is_clockwise))


def describe_ages_and_time(content: g.Game) -> list[str]:
    """Return the ages and time."""
    lines = []
    for about in content.about:
        span = f"{about.low} to {about.high}" if about.high is not None else str(about.low)
        ages = span if about.high is not None else f"{span} and up"
        lines.append(f"Ages: {ages}" if about.word == "ages" else f"Time: {span} minutes")
    return lines


# ---------------------------------------------------------------- the table
def build_table_section(content: g.Game, scope: PhraseScope) -> Section:
    """Build the section on zones, without those covered by other custom wording, such as a zone used only in the
    set-up."""
    apart = {name for name, _ in find_covered_rules(scope.lexicon)}
    zones = [zone for zone in content.zones.values() if f"zone {zone.name}" not in apart]
    return Section("On the table", (TablePlan(tuple(build_plan_zone(zone, scope) for zone in zones)),) if zones else ())


def add_track_list(sections: Sequence[Section], content: g.Game, scope: PhraseScope) -> list[Section]:
    """Add the tracks that players keep after the set-up, or to the table if there is no set-up."""
    tracks = build_track_items(content, scope)
    if not tracks:
        return list(sections)
    title = scope.lexicon.get_step_title("setup")
    at = next((section_index for section_index, section in enumerate(sections) if section.title == title), 0)
    blocks = (*sections[at].blocks, TRACKS_LEAD, ItemList(tracks, bullets=True))
    return [*sections[:at], evolve(sections[at], blocks=blocks), *sections[at + 1 :]]


def build_plan_zone(zone: g.Zone, scope: PhraseScope) -> PlanZone:
    """Return a zone for the plan."""
    kind = scope.lexicon.game.kinds.get(zone.subject or "")
    owners = tuple(member.noun.singular for member in kind.members) if kind is not None else ()
    name = morphology.capitalize_first_letter(scope.lexicon.nouns[zone.name].noun)
    whose = "" if zone.subject is None else get_kind_noun(zone.subject)
    return PlanZone(
        name,
        whose,
        owners,
        zone.viewer,
        zone.single,
        describe_zone_note(zone, scope),
        describe_arrangement(zone, scope),
    )


def build_ranking_sections(content: g.Game, scope: PhraseScope, glossary: Glossary) -> list[Section]:
    rankings = [ranking for ranking in content.rankings.values() if not is_single_rank_term(ranking)]
    return [
        explain_ranking_terms(get_ranking_parts(ranking), build_ranking_section(ranking, scope), glossary)
        for ranking in rankings
    ]


def explain_ranking_terms(ranking_parts: object, section: Section, glossary: Glossary) -> Section:
    """Return the section of a ranking. Its last subsection explains the terms that it needs."""
    if not section.sections:
        return glossary.add_needed_terms(ranking_parts, section)
    *before, last = section.sections
    return evolve(section, sections=(*before, glossary.add_needed_terms(ranking_parts, last)))


def get_ranking_parts(ranking: g.Ranking) -> object:
    """Return the parts of a ranking that need terms."""
    return tuple(wild.condition for wild in ranking.wilds), ranking.ties


def map_names_to_sections(game: g.Game, glossary: Glossary, rules: Sequence[Section]) -> dict[str, str]:
    """Return the titles of the sections by the names that they explain, to place examples.

    A reading belongs to the last subsection of its ranking, because it may show all of it.
    """
    last = {section.title: [*walk_sections((section,))][-1].title for section in rules}
    lexicon = glossary.scope.lexicon
    titles = {name: lexicon.get_step_title(name) for name in game.steps}
    titles |= {
        name[5:]: get_step_section_title(rule, lexicon)
        for name, rule in find_covered_rules(lexicon)
        if name.startswith("step ")
    }
    titles |= {"winners": GOAL_TITLE} | {name: last.get(format_ranking_title(name), "") for name in game.rankings}
    titles |= glossary.section_titles
    readings = {name: define.type.of for name, define in game.defines.items() if define.type.tag == "reading"}
    return titles | {name: titles[of] for name, of in readings.items() if of is not None}


# ---------------------------------------------------------------- at any time
REACTION_ORDER_TEXT = (
    "What is announced is not done yet. First all other players are asked in turn, beginning with the next player, "
    "whether they answer. An answer takes effect before the next player is asked; if it is announced itself, it can be "
    "answered in the same way first. After each answer those who passed are asked again. When all have passed in a "
    "row, what was announced is done, unless it was cancelled."
)
"""Order in which reactions are offered and resolved."""
MOVED_CARD_TEXT = "An announcement about a card that an answer has moved counts as cancelled."


def build_anytime_sections(content: g.Game, scope: PhraseScope, glossary: Glossary) -> list[Section]:
    """Build the sections on reactions and triggers."""
    by_place = sort_by_source_order([*content.whenevers, *content.enters])
    reactions = [build_reaction_item(declaration, scope) for declaration in content.reactions]
    apart = {name for name, _ in find_covered_rules(scope.lexicon)}
    told_here = [
        declaration
        for declaration in by_place
        if not (isinstance(declaration, g.Enters) and f"enters {declaration.zone}" in apart)
    ]
    triggers = [realize_item(build_trigger_item(declaration, scope)) for declaration in told_here]
    both = {"Reactions": reactions, "At any time": triggers}
    has_own_wording = all(
        f"reaction {declaration.option.name}" in scope.lexicon.custom_wording for declaration in content.reactions
    )
    answered = {name for declaration in content.reactions for name in declaration.to}
    cards = [part for part in collect_all_nodes(content) if is_card_announcement(part) and part.name in answered]
    about = f"{REACTION_ORDER_TEXT} {MOVED_CARD_TEXT}" if cards else REACTION_ORDER_TEXT
    chain: dict[str, tuple[Block, ...]] = {} if has_own_wording else {"Reactions": (Paragraph(about),)}
    lists = {title: ItemList(tuple(items), bullets=True) for title, items in both.items() if items}
    sections = [Section(title, (*chain.get(title, ()), listed)) for title, listed in lists.items()]
    parts = tuple(
        get_trigger_parts(declaration) for declaration in sort_by_source_order([*content.reactions, *told_here])
    )
    return [*sections[:-1], *(glossary.add_needed_terms(parts, section) for section in sections[-1:])]


def is_card_announcement(part: object) -> TypeGuard[g.Announce]:
    """Return whether a part announces an option on a card or on cards."""
    if not isinstance(part, g.Announce) or part.target is None:
        return False
    return g.CARD.tag in (part.target.type.tag, part.target.type.item and part.target.type.item.tag)


def sort_by_source_order(declarations: list[Any]) -> list[Any]:
    return sorted(declarations, key=lambda declaration: declaration.origin.place)


def get_trigger_parts(trigger: g.Reaction | g.Whenever | g.Enters) -> object:
    match trigger:
        case g.Reaction():
            return trigger.option
        case g.Whenever():
            return trigger.condition, trigger.body
    return trigger.body


def build_reaction_item(reaction: g.Reaction, scope: PhraseScope) -> Item:
    custom_item = merge_custom_items(f"reaction {reaction.option.name}", scope.lexicon)
    if custom_item is not None:
        return evolve(custom_item, title=morphology.format_heading(reaction.option.name))
    option_item = choice_sentences.build_option_item(reaction.option, scope.bind_noun(reaction.you, YOU))
    to = morphology.join_phrases([f"“{morphology.replace_hyphens(name)}”" for name in reaction.to], "or")
    on_target = has_matching_node((reaction.option,), lambda part: isinstance(part, g.Target) and part.name is None)
    target = " (on a target, or on nothing)" if on_target else ""
    text = morphology.punctuate_sentence(f"when another player, the actor, announces {to}{target}, you may answer")
    return realize_item(evolve(option_item, text=f"{text} {option_item.text}".strip()))


def build_trigger_item(trigger: g.Whenever | g.Enters, scope: PhraseScope) -> Item:
    if isinstance(trigger, g.Whenever):
        return build_lead_item(
            f"whenever {describe_condition(trigger.condition, scope)}",
            build_block_items(trigger.body, scope),
            trigger.doc,
        )
    custom_item = merge_custom_items(f"enters {trigger.zone}", scope.lexicon)
    if custom_item is not None:
        return custom_item
    inner = scope.bind_noun(trigger.card, NounPhrase("it", g.CARD))
    inner = inner if trigger.you is None else inner.bind_noun(trigger.you, YOU)
    entry = scope.lexicon.nouns[trigger.zone]
    zone = build_table_noun(entry) if trigger.you is None else build_owned_noun(YOU, entry)
    return build_lead_item(f"whenever a card enters {zone.text}", build_block_items(trigger.body, inner), trigger.doc)


# ---------------------------------------------------------------- variants, rulings, examples
def build_variants_section(game: g.Game, selection: ExampleSelection, use_own_wording: bool) -> Section:
    """Build the section on variants. `use_own_wording`: use the custom wording next to the game, if any."""
    if game.variant is not None:
        return Section("Variants")
    return Section(
        "Variants",
        (),
        tuple(build_variant_section(variant, game, selection, use_own_wording) for variant in game.variants),
    )


def build_variant_section(
    variant: g.Variant, game: g.Game, selection: ExampleSelection, use_own_wording: bool
) -> Section:
    """Build the section on a variant's differences, with the same parts as a whole rulebook."""
    scope = PhraseScope(build_lexicon(variant.game, load_current_wording(variant.game) if use_own_wording else {}))
    content = select_variant_changes(select_content(variant.game, game))
    custom_items = get_custom_items(
        f"variant {variant.title}", build_lexicon(variant.game, load_current_wording(game) if use_own_wording else {})
    )
    notes = [note.text for note in content.notes[len(game.notes) :]]
    blocks: list[Block] = [Paragraph("", text) for text in (variant.doc, *notes) if text]
    other = [line for line in describe_ages_and_time(content) if line not in describe_ages_and_time(game)]
    blocks += [ItemList(tuple(Item(line) for line in other), bullets=True)] if other else []
    glossary = Glossary.build_from_game(content, scope)
    terms = glossary.take_remaining_terms() if custom_items is None else Section("", build_wording_blocks(custom_items))
    blocks += terms.blocks
    blocks += build_contents_section(content, scope).blocks
    blocks += add_track_list([build_table_section(content, scope)], content, scope)[0].blocks
    blocks += build_rulings_section(content).blocks
    plain = [example for example in content.examples if example.ruling is None and selection != "none"]
    worked = [build_worked_example(example, scope) for example in plain]
    blocks += [choose_best_example(worked)] if selection == "few" and worked else worked
    parts = [
        build_ranking_section(ranking, scope)
        for ranking in content.rankings.values()
        if not is_single_rank_term(ranking)
    ]
    step_sections = [build_step_section(step, scope) for step in content.steps.values() if not step.unfilled]
    sections = (
        *terms.sections,
        *drop_empty_sections(build_cards_section(content, scope)),
        *parts,
        *step_sections,
        *build_anytime_sections(content, scope, glossary),
    )
    section = Section(variant.title, tuple(blocks), sections)
    return place_ruling_examples([section], content.examples, scope, selection)[0]


def build_wording_blocks(items: tuple[Item, ...]) -> tuple[Block, ...]:
    """Return the custom wording of a variant: numbered steps, or a sentence."""
    return (Paragraph(items[0].text),) if len(items) == 1 and not items[0].items else (ItemList(items, bullets=False),)


def drop_empty_sections(*sections: Section) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.blocks or section.sections)


def select_variant_changes(game: g.Game) -> g.Game:
    """Reduce a game to the declarations of its variant, in source order, after those of its libraries."""
    select_by_name, listed = (
        partial(select_varied_by_name, compute_source_offsets(game)),
        partial(select_varied, compute_source_offsets(game)),
    )
    return evolve(
        game,
        kinds=select_by_name(game.kinds),
        sets=select_by_name(game.sets),
        zones=select_by_name(game.zones),
        tracks=select_by_name(game.tracks),
        defines=select_by_name(game.defines),
        orders=select_by_name(game.orders),
        rankings=select_by_name(game.rankings),
        steps=select_by_name(game.steps),
        reactions=listed(game.reactions),
        enters=listed(game.enters),
        whenevers=listed(game.whenevers),
        components=listed(game.components),
        rulings=listed(game.rulings),
        examples=listed(game.examples),
    )


def compute_source_offsets(game: g.Game) -> dict[Source, int]:
    """Return the offset of each source in their concatenation, with the game last."""
    offsets, total = {}, 0
    for source in (*game.sources[1:], game.sources[0]):
        offsets[source] = total
        total += len(source.text)
    return offsets


def select_varied_by_name(source_offsets: Mapping[Source, int], declarations: Mapping[str, Any]) -> dict[str, Any]:
    return {declaration.name: declaration for declaration in select_varied(source_offsets, declarations.values())}


def select_varied(source_offsets: Mapping[Source, int], declarations: Iterable[Any]) -> tuple[Any, ...]:
    """Return the declarations of a variant, in source order."""
    varied = []
    for declaration in declarations:
        origin = declaration.origin
        if origin.varied:
            source_offset = source_offsets[origin.span.source] + origin.span.start
            varied.append(evolve(declaration, origin=evolve(origin, place=source_offset)))
    return tuple(sort_by_source_order(varied))


def build_rulings_section(content: g.Game) -> Section:
    return Section("Questions and answers", tuple(map(build_question_block, content.rulings)))
