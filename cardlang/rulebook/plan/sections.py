"""All sections of a rulebook, in reading order.

The order: goal, contents, set-up, a turn, cards and ranks, the end; reference sections come last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from attrs import evolve

from cardlang import model as g
from cardlang.diagnostics import Source
from cardlang.english import morphology
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import walk
from cardlang.rulebook.anchors import add_section_anchors, walk_sections
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, Rulebook, Section
from cardlang.rulebook.plan.components_and_card_effects import (
    build_cards_section,
    build_contents_section,
    build_question_block,
)
from cardlang.rulebook.plan.declaration_entries import build_zone_item
from cardlang.rulebook.plan.example_prose import build_worked_example
from cardlang.rulebook.plan.library_constant_folding import select_content
from cardlang.rulebook.plan.play_sections import (
    END_TITLE,
    GOAL_TITLE,
    PLAY_TITLE,
    build_goal,
    build_play_sections,
    build_step_section,
)
from cardlang.rulebook.plan.ranking_sections import build_ranking_section, format_ranking_title
from cardlang.rulebook.plan.reaction_and_trigger_sections import build_anytime_sections, sort_by_source_order
from cardlang.rulebook.plan.rule_rewriter import list_card_set_rules
from cardlang.rulebook.plan.term_and_example_placement import (
    ExampleSelection,
    Glossary,
    choose_best_example,
    place_examples,
)
from cardlang.rulebook.plan.track_entries import build_setup_items
from cardlang.rulebook.realise import (  # noqa: F401  (they register)
    choice_sentences,
    condition_phrases,
    filter_phrases,
    loop_sentences,
    repeat_sentences,
    superlative_phrases,
)
from cardlang.rulebook.realise.game_lexicon import build_lexicon
from cardlang.rulebook.realise.loop_sentences import describe_turn_order
from cardlang.rulebook.realise.phrases import PhraseScope

SECTION_ORDER = (
    GOAL_TITLE, "Contents", "Set-up", PLAY_TITLE, "Reactions", "At any time", "The cards", "Terms", END_TITLE,
    "Variants", "Questions and answers", "More examples",
)  # fmt: skip
"""Titles of the sections of a rulebook. Rankings and chapters, with titles from the game, go with the terms."""


def get_section_position(section: Section) -> int:
    """Return the position of a section in `SECTION_ORDER`."""
    return SECTION_ORDER.index(section.title if section.title in SECTION_ORDER else "Terms")


def sort_sections(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sort the sections into reading order. The sort is stable."""
    return tuple(sorted(sections, key=get_section_position))


def build_rulebook(game: g.Game, date: str = "", examples: ExampleSelection = "few") -> Rulebook:
    """Return the generated rulebook of a checked game, its libraries and variants.

    `date`: the last change of its source.
    """
    content = select_content(game)
    scope = PhraseScope(build_lexicon(game, content))
    glossary, aim = Glossary.build_from_game(content, scope), build_goal(content, scope)
    rules = [
        glossary.add_goal_terms(aim.explained_terms, ("score", "standing"), aim.section),
        build_contents_section(content, scope),
        *build_play_sections(content, scope, glossary),
        *build_anytime_sections(content, scope, glossary),
        glossary.add_needed_terms(collect_rules_on_cards(content), build_cards_section(content, scope)),
        *build_ranking_sections(content, scope, glossary),
        glossary.take_remaining_terms(),
    ]
    placed, more = place_examples(
        rules, content.examples, map_names_to_sections(game, content, glossary, rules), scope, examples
    )
    told_last = (build_rulings_section(content), more, build_variants_section(game, examples))
    sections = sort_sections([*placed, *told_last])
    shown = add_section_anchors(section for section in sections if section.blocks or section.sections)
    pitch = [game.doc, *(note.text for note in game.notes)]
    known = build_fact_lines(content, scope.lexicon.is_clockwise)
    title = format_rulebook_title(game)
    return Rulebook(title, " ".join(part for part in pitch if part), known, shown, compute_version(game), date)


def format_rulebook_title(game: g.Game) -> str:
    return game.title if game.variant is None else f"{game.title}: {game.variant}"


def collect_rules_on_cards(content: g.Game) -> object:
    """Return the rules on cards."""
    card_rules = [part for cards in content.sets.values() for part in list_card_set_rules(cards)]
    return tuple(part for part in card_rules if isinstance(part, g.BorneBody | g.BorneStepBody))


def compute_version(game: g.Game) -> str:
    """Return the first digits of the checksum of the game, its libraries and its translation."""
    table = [game.translation.table] if game.translation is not None else []
    text = "\0".join([*(source.text for source in game.sources), *table])
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
def build_zone_blocks(content: g.Game, scope: PhraseScope) -> tuple[Block, ...]:
    """Introduce the zones, even those that need no introduction."""
    items = {zone: build_zone_item(zone, scope) for zone in content.zones.values()}
    known = {zone: "Only you see these cards." if zone.subject else "In the middle." for zone in items}
    listed = [item if item.text or item.author_text else evolve(item, text=known[zone]) for zone, item in items.items()]
    return (ItemList(tuple(listed), bullets=True),) if listed else ()


def build_ranking_sections(content: g.Game, scope: PhraseScope, glossary: Glossary) -> list[Section]:
    return [
        explain_ranking_terms(get_ranking_parts(ranking), build_ranking_section(ranking, scope), glossary)
        for ranking in content.rankings.values()
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


def find_told_step(name: str, game: g.Game, content: g.Game) -> str:
    """Return the step in whose section a step is told: itself, or the one that calls it if it is told in place."""
    if name in content.steps:
        return name
    callers = (step.name for step in game.steps.values() if name in find_called_names(step))
    caller = next((caller for caller in callers if caller != name), name)
    return caller if caller in content.steps or caller == name else find_told_step(caller, game, content)


def find_called_names(step: g.Step) -> set[str]:
    return {name for part in walk(step.body) for name in find_effects(part).steps}


def map_names_to_sections(
    game: g.Game, content: g.Game, glossary: Glossary, rules: Sequence[Section]
) -> dict[str, str]:
    """Return the titles of the sections by the names that they explain, to place examples.

    A reading belongs to the last subsection of its ranking, because it may show all of it.
    """
    last = {section.title: [*walk_sections((section,))][-1].title for section in rules}
    lexicon = glossary.scope.lexicon
    told_in = {name: find_told_step(name, game, content) for name in game.steps}
    titles = {name: PLAY_TITLE if step == "play" else lexicon.get_step_title(step) for name, step in told_in.items()}
    titles |= {"winners": GOAL_TITLE} | {name: last.get(format_ranking_title(name), "") for name in game.rankings}
    titles |= glossary.section_titles
    readings = {name: define.type.of for name, define in game.defines.items() if define.type.tag == "reading"}
    return titles | {name: titles.get(of or "", "") for name, of in readings.items()}


# ---------------------------------------------------------------- variants, rulings, examples
def build_variants_section(game: g.Game, selection: ExampleSelection) -> Section:
    if game.variant is not None:
        return Section("Variants")
    return Section("Variants", (), tuple(build_variant_section(variant, game, selection) for variant in game.variants))


def build_variant_section(variant: g.Variant, game: g.Game, selection: ExampleSelection) -> Section:
    """Build the section on a variant's differences, with the same parts as a whole rulebook."""
    scope = PhraseScope(build_lexicon(variant.game))
    content = select_variant_changes(select_content(variant.game, game))
    notes = [note.text for note in content.notes[len(game.notes) :]]
    blocks: list[Block] = [Paragraph("", text) for text in (variant.doc, *notes) if text]
    other = [line for line in describe_ages_and_time(content) if line not in describe_ages_and_time(game)]
    blocks += [ItemList(tuple(Item(line) for line in other), bullets=True)] if other else []
    glossary = Glossary.build_from_game(content, scope)
    terms = glossary.take_remaining_terms()
    blocks += terms.blocks
    blocks += build_contents_section(content, scope).blocks
    setup = build_setup_items(content, scope)
    blocks += [ItemList(setup, bullets=True)] if setup else []
    blocks += build_zone_blocks(content, scope)
    blocks += build_rulings_section(content).blocks
    worked = [build_worked_example(example, scope) for example in content.examples if selection != "none"]
    blocks += [choose_best_example(worked)] if selection == "few" and worked else worked
    step_sections = [build_step_section(step, scope) for step in content.steps.values() if not step.unfilled]
    sections = (
        *terms.sections,
        *drop_empty_sections(build_cards_section(content, scope)),
        *(build_ranking_section(ranking, scope) for ranking in content.rankings.values()),
        *step_sections,
        *build_anytime_sections(content, scope, glossary),
    )
    rules = (f"variant {variant.title}",)
    return Section(variant.title, tuple(blocks), tuple(mark_rules(part, rules) for part in sections), rules=rules)


def mark_rules(section: Section, rules: tuple[str, ...]) -> Section:
    """Return a section that, with its parts, tells these rules."""
    return evolve(section, rules=rules, sections=tuple(mark_rules(part, rules) for part in section.sections))


def drop_empty_sections(*sections: Section) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.blocks or section.sections)


NAMED_DECLARATIONS = ("kinds", "sets", "zones", "tracks", "defines", "orders", "rankings", "steps")
LISTED_DECLARATIONS = ("reactions", "enters", "whenevers", "components", "rulings", "examples")


def select_variant_changes(game: g.Game) -> g.Game:
    """Reduce a game to the declarations of its variant, in source order, after those of its libraries."""
    offsets = compute_source_offsets(game)
    changes: dict[str, Any] = {name: select_varied_by_name(offsets, getattr(game, name)) for name in NAMED_DECLARATIONS}
    changes |= {name: select_varied(offsets, getattr(game, name)) for name in LISTED_DECLARATIONS}
    return game.replace(**changes)


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
