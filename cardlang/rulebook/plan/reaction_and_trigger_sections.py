"""Sections on reactions and on what happens at any time."""

from __future__ import annotations

from typing import Any, TypeGuard

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.traversal import collect_all_nodes, has_matching_node
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, Section
from cardlang.rulebook.plan.term_and_example_placement import Glossary
from cardlang.rulebook.realise import choice_sentences
from cardlang.rulebook.realise.instructions import build_block_items, build_lead_item
from cardlang.rulebook.realise.noun_phrases import build_owned_noun, build_table_noun
from cardlang.rulebook.realise.phrases import YOU, NounPhrase, PhraseScope, describe_condition
from cardlang.rulebook.realise.sentence_aggregation import realize_item

REACTION_ORDER_TEXT = (
    "An announced action waits. The other players, beginning with the next player, may each answer it. An answer takes "
    "effect before the next player may answer; other players may answer it first in the same way. After each answer, "
    "players who passed may answer again. When all have passed in a row, the action is done, unless it was cancelled."
)
"""Order in which reactions are offered and resolved."""
MOVED_CARD_TEXT = "An announcement about a card that an answer has moved counts as cancelled."


def build_anytime_sections(content: g.Game, scope: PhraseScope, glossary: Glossary) -> list[Section]:
    """Build the sections on reactions and triggers."""
    told_here = list_triggers(content)
    reactions = [build_reaction_item(declaration, scope) for declaration in content.reactions]
    triggers = [realize_item(build_trigger_item(declaration, scope)) for declaration in told_here]
    both = {"Reactions": reactions, "At any time": triggers}
    answered = {name for declaration in content.reactions for name in declaration.to}
    cards = [part for part in collect_all_nodes(content) if is_card_announcement(part) and part.name in answered]
    about = f"{REACTION_ORDER_TEXT} {MOVED_CARD_TEXT}" if cards else REACTION_ORDER_TEXT
    chain: dict[str, tuple[Block, ...]] = {"Reactions": (Paragraph(about),)}
    lists = {title: ItemList(tuple(items), bullets=True) for title, items in both.items() if items}
    rules = {
        "Reactions": tuple(f"reaction {declaration.option.name}" for declaration in content.reactions),
        "At any time": tuple(dict.fromkeys(map(name_trigger_rule, told_here))),
    }
    sections = [Section(title, (*chain.get(title, ()), listed), rules=rules[title]) for title, listed in lists.items()]
    parts = tuple(
        get_trigger_parts(declaration) for declaration in sort_by_source_order([*content.reactions, *told_here])
    )
    return [*sections[:-1], *(glossary.add_needed_terms(parts, section) for section in sections[-1:])]


def list_triggers(content: g.Game) -> list[g.Whenever | g.Enters]:
    """Return the triggers in source order."""
    return sort_by_source_order([*content.whenevers, *content.enters])


def name_trigger_rule(trigger: g.Whenever | g.Enters) -> str:
    return f"enters {trigger.zone}" if isinstance(trigger, g.Enters) else "whenever"


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
    inner = scope.bind_noun(trigger.card, NounPhrase("it", g.CARD))
    inner = inner if trigger.you is None else inner.bind_noun(trigger.you, YOU)
    entry = scope.lexicon.nouns[trigger.zone]
    zone = build_table_noun(entry) if trigger.you is None else build_owned_noun(YOU, entry)
    return build_lead_item(f"whenever a card enters {zone.text}", build_block_items(trigger.body, inner), trigger.doc)
