"""Generated sentences for a single rule, by its name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardlang import model as g
from cardlang.rulebook.anchors import walk_sections
from cardlang.rulebook.authored_rulebook.rule_digests import find_rule, list_examples
from cardlang.rulebook.model import Block, ItemList, Paragraph, Rulebook, WorkedExample
from cardlang.rulebook.plan.components_and_card_effects import build_component_item, build_kind_item
from cardlang.rulebook.plan.declaration_entries import build_zone_item
from cardlang.rulebook.plan.example_prose import build_worked_example
from cardlang.rulebook.plan.play_sections import build_step_section
from cardlang.rulebook.plan.ranking_sections import build_ranking_section
from cardlang.rulebook.plan.sections import build_fact_lines
from cardlang.rulebook.plan.term_and_example_placement import Glossary, GlossaryTerm
from cardlang.rulebook.realise.game_lexicon import build_lexicon
from cardlang.rulebook.realise.phrases import PhraseScope


def describe_rule(name: str, content: g.Game, scope: PhraseScope, generated: Rulebook) -> Iterator[Block]:
    """Yield the generated blocks for a rule. `content`: the game without parts that change nothing."""
    kind, _, which = name.partition(" ")
    game = scope.lexicon.game
    match kind:
        case "define" | "order":
            term = (
                (content.defines.get(which) or game.defines.get(which)) if kind == "define" else game.orders.get(which)
            )
            yield from build_term(term, scope)
        case "ranking" if which in game.rankings:
            yield from build_ranking_section(game.rankings[which], scope).blocks
        case "zone" if which in game.zones:
            yield ItemList((build_zone_item(game.zones[which], scope),), bullets=True)
        case "track":
            yield from build_term(game.tracks.get(which), scope)
        case "kind" if which in game.kinds:
            yield ItemList((build_kind_item(game.kinds[which], scope),), bullets=True)
        case "players":
            yield Paragraph("; ".join(build_fact_lines(content, scope.lexicon.is_clockwise)) + ".")
        case "component":
            items = tuple(build_component_item(each) for each in game.components if each.title == which)
            yield ItemList(items, bullets=True)
        case "card":
            rule = find_rule(game, name)
            yield Paragraph(f"{which}: {', '.join(rule.facts[1:]) if rule else ''}.")
        case "example":
            found = [(each, one) for each, one in list_examples(game) if each.title == which]
            yield from (build_worked_example(each, PhraseScope(build_lexicon(one))) for each, one in found)
        case "step" if which in game.steps and which not in content.steps:  # told in place
            yield from build_step_section(game.steps[which], scope).blocks
        case _:
            for section in walk_sections(generated.sections):
                yield from select_main_blocks(section.blocks) if name in section.rules else ()


def build_term(term: GlossaryTerm | None, scope: PhraseScope) -> Iterator[Block]:
    if term is not None:
        yield ItemList((Glossary(scope, {}).build_term_item(term),), bullets=True)


def select_main_blocks(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks of a section without examples."""
    yield from (block for block in blocks if not isinstance(block, WorkedExample))
