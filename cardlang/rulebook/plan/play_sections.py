"""Sections on the goal, the set-up and the course of play."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import PLAYER
from cardlang.model.traversal import can_eliminate_players, collect_all_nodes, is_number_literal, unwrap_conversions
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, Section
from cardlang.rulebook.plan.declaration_entries import build_declaration_scope, build_subject, describe_restart
from cardlang.rulebook.plan.declaration_entries import build_term_heading as title_of
from cardlang.rulebook.plan.library_constant_folding import find_initial_tracks, find_player_tracks, is_initially_empty
from cardlang.rulebook.plan.term_and_example_placement import Glossary
from cardlang.rulebook.realise.aggregation import merge_author_texts, realize_item, realize_step_items
from cardlang.rulebook.realise.custom_sentences import (
    build_running_blocks,
    find_covered_rules,
    get_custom_items,
    parse_custom_wording,
)
from cardlang.rulebook.realise.instructions import build_block_items, build_variable_noun
from cardlang.rulebook.realise.lexicon import Lexicon
from cardlang.rulebook.realise.noun_phrases import build_owned_noun, build_table_noun, get_kind_noun
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_noun_phrase,
    build_tested_pronoun,
    describe_condition,
)

BEGIN_WITH = "begin with "
LEADING_ARTICLE = re.compile("^(An?|The) ")


def build_setup_items(content: g.Game, scope: PhraseScope) -> tuple[Item, ...]:
    """Return the acts that set the tracks before the game: `everybody takes 100 chips`.

    Tracks covered by custom wording of the set-up are left out.
    """
    covered_rules = {name for name, rule in find_covered_rules(scope.lexicon) if rule == "step setup"}
    texts = [
        describe_initial_value(track, scope)
        for track in find_initial_tracks(content, scope.lexicon.game)
        if f"track {track.name}" not in covered_rules
    ]
    lots = [text.removeprefix(BEGIN_WITH) for text in texts if text.startswith(BEGIN_WITH)]
    begun = [f"{BEGIN_WITH}{morphology.join_phrases(lots)}"] if lots else []
    others = [text for text in texts if not text.startswith(BEGIN_WITH)]
    return tuple(realize_item(Item(text)) for text in (*begun, *others))


def describe_initial_value(track: g.Track, scope: PhraseScope) -> str:
    entry = scope.lexicon.nouns[track.name]
    start = unwrap_conversions(track.start)
    drawn = isinstance(start, g.Agg) and start.function == "random"
    value = build_noun_phrase(
        track.start, build_declaration_scope(track, build_subject(track.subject, scope)[1], scope)
    ).text
    be = morphology.agree_verb("is", morphology.is_plural(entry.noun))
    if track.subject == "player":
        if entry.is_unit and is_number_literal(start):
            return f"everybody takes {morphology.format_count(value, entry.singular)}"
        return f"everybody's {entry.noun} {be} {value}"
    if track.subject is None and entry.is_unit and is_number_literal(start):
        return f"{BEGIN_WITH}{morphology.format_count(value, entry.singular)}"
    whose = "" if track.subject is None else f"{morphology.replace_hyphens(track.subject).lower()}'s "
    noun = f"each {whose}{entry.noun}" if whose else f"the {entry.noun}"
    return f"draw {noun} at random" if drawn else f"{noun} {be} {value}"


# ---------------------------------------------------------------- tracks that players keep
def build_track_items(content: g.Game, scope: PhraseScope) -> tuple[Item, ...]:
    """Return the tracks that players keep, with the game's texts on them."""
    game = scope.lexicon.game
    shown = [show for show in game.shows if show.zone is None]
    done = find_initial_tracks(content, game)
    items = []
    apart = {name for name, _ in find_covered_rules(scope.lexicon)}
    for track in find_player_tracks(content, game):
        if f"track {track.name}" in apart:
            continue
        item = Item(
            describe_track_note(track, scope), track.doc, title=title_of(track, scope.lexicon.nouns[track.name], scope)
        )
        if track in done:
            item = evolve(item, text="")
        show_docs = [show.doc for show in shown if show.track == track.name]
        items.append(realize_item(evolve(item, author_text=merge_author_texts(item.author_text, *show_docs))))
    return tuple(items)


def describe_track_note(track: g.Track, scope: PhraseScope) -> str:
    """Describe the restart value of a track, and its secrecy."""
    return "; ".join(list_track_notes(track, scope))


def list_track_notes(track: g.Track, scope: PhraseScope) -> Iterator[str]:
    if track.starts and not is_initially_empty(track):
        _, noun = build_subject(track.subject, scope)
        start = build_noun_phrase(track.start, build_declaration_scope(track, noun, scope)).text
        yield f"{start} at the start of {describe_track_restart_times(track.restarts, scope.lexicon)}"
    if track.secret:
        yield "secret"


def describe_track_restart_times(restarts: Sequence[g.Restart], lexicon: Lexicon) -> str:
    """Return the times at which a track restarts."""
    if not restarts:
        return "the game"
    if any(restart.step == "move" for restart in restarts):
        return (
            f"the game, and again whenever "
            f"{morphology.join_phrases([describe_restart(restart, lexicon) for restart in restarts], 'or')}"
        )
    step_titles = [(lexicon.get_step_title(restart.step), " of yours" if restart.own else "") for restart in restarts]
    return morphology.join_phrases(
        [f"each “{LEADING_ARTICLE.sub('', title)}”{whose}" for title, whose in step_titles], "or"
    )


# ---------------------------------------------------------------- course of play
def build_play_sections(content: g.Game, scope: PhraseScope, glossary: Glossary) -> list[Section]:
    """Return the set-up, and the section on play with all steps in the order of their first call."""
    apart = {name for name, _ in find_covered_rules(scope.lexicon)}
    order = [
        step for step in order_steps_by_call(content.steps) if not step.unfilled and f"step {step.name}" not in apart
    ]
    sections = [
        glossary.add_needed_terms(get_generated_body(step, scope), build_step_section(step, scope)) for step in order
    ]
    first = [section for section in sections if section.title == scope.lexicon.get_step_title("setup")]
    played = Section("How to play", (), tuple(part for part in sections if part not in first))
    return [*add_setup_actions(first, build_setup_items(content, scope), scope.lexicon.get_step_title("setup")), played]


def get_generated_body(step: g.Step, scope: PhraseScope) -> object:
    """Return the body of a step, which needs terms explained; nothing if custom wording replaces it."""
    wording = scope.lexicon.custom_wording.get(f"step {step.name}")
    return () if wording is not None and wording.instead else step.body


def add_setup_actions(setup_sections: list[Section], actions: tuple[Item, ...], title: str) -> list[Section]:
    """Return the set-up section with the initial actions. If only those exist, make a new section."""
    if not (setup_sections and actions):
        return setup_sections if setup_sections else [Section(title, (ItemList(actions),))] if actions else []
    (section,) = setup_sections
    blocks = tuple(
        evolve(block, items=(*actions, *block.items)) if isinstance(block, ItemList) and not block.bullets else block
        for block in section.blocks
    )
    return [evolve(section, blocks=blocks)]


def order_steps_by_call(steps: Mapping[str, g.Step]) -> Iterator[g.Step]:
    """Yield all steps, each followed by its callees, without duplicates.

    Steps of the main course come first, then steps called only if something ends early.
    """
    visited: set[str] = set()
    for asides in (False, True):
        yield from traverse_called_steps(["setup", "play"], steps, asides, set(), visited)
    yield from traverse_called_steps([*steps], steps, True, set(), visited)


def traverse_called_steps(
    names: Iterable[str], steps: Mapping[str, g.Step], include_endings: bool, seen: set[str], yielded: set[str]
) -> Iterator[g.Step]:
    """Yield the named steps and their callees in preorder, without steps already yielded."""
    for name in names:
        if name not in steps or name in seen:
            continue
        step = steps[name]
        seen.add(name)
        if name not in yielded:
            yield step
        yielded.add(name)
        yield from traverse_called_steps(
            [do.step for do in find_step_calls(step.body, include_endings)], steps, include_endings, seen, yielded
        )


def find_step_calls(node: object, include_endings: bool) -> Iterator[g.Do]:
    """Yield the `do` statements in a node, in source order.

    `include_endings`: include cases that end something early."""
    if isinstance(node, g.Do):
        yield node
    if isinstance(node, tuple):
        for part in node:
            yield from find_step_calls(part, include_endings)
    elif isinstance(node, g.If):
        for case in (node.then, node.otherwise):
            yield from (
                find_step_calls(case, include_endings)
                if include_endings or not (case and isinstance(case[-1], g.Finish))
                else ()
            )
    elif isinstance(node, g.Stmt | g.Option):
        for name in ("options", "body", "otherwise"):
            yield from find_step_calls(getattr(node, name, ()), include_endings)


def build_step_section(step: g.Step, scope: PhraseScope) -> Section:
    inner = scope if step.you is None else scope.bind_noun(step.you, YOU)
    for param in step.params:
        inner = inner.bind_noun(param, build_variable_noun(param.name, param.type))
    custom_parts = parse_custom_wording(f"step {step.name}", scope.lexicon)
    (_, body), *others = (
        [("", realize_step_items(build_block_items(step.body, inner)))] if custom_parts is None else custom_parts
    )
    intro: tuple[Block, ...] = (Paragraph("", step.doc),) if step.doc else ()
    within = tuple(Section(heading, (ItemList(part_items),)) for heading, part_items in others)
    return Section(scope.lexicon.get_step_title(step.name), (*intro, ItemList(body)), within)


# ---------------------------------------------------------------- goal
GOAL_TITLE = "How to win"
GOAL_SUPERLATIVES = {"higher": ("most", "highest"), "lower": ("fewest", "lowest")}


@frozen
class Goal:
    """The goal of the game.

    `text`: the winning condition. `author_text`: the author's text. `explained_terms`: names of terms that it explains
    completely. `custom_blocks`: custom wording.
    """

    text: str
    author_text: str = ""
    explained_terms: tuple[str, ...] = ()
    custom_blocks: tuple[Block, ...] = ()

    @property
    def section(self) -> Section:
        return Section(
            GOAL_TITLE, self.custom_blocks or (Paragraph(morphology.punctuate_sentence(self.text), self.author_text),)
        )


@frozen
class WinMeasure:
    """The number or value that decides the winner.

    `owner_noun`: its owner. `is_count`: it is a count, with more or fewer instead of higher or lower.
    """

    owner_noun: str
    noun: str
    is_count: bool

    def describe_winner(self, direction: str) -> str:
        """Return the winning condition. `direction`: the `higher` one wins, or the `lower`."""
        extreme = GOAL_SUPERLATIVES[direction][0 if self.is_count else 1]
        equals = f"{morphology.pluralize(self.owner_noun)} {'who' if self.owner_noun == 'player' else 'that'} tie"
        return f"the {self.owner_noun} with the {extreme} {self.noun} wins; {equals} for the {extreme} win together"


CompoundValue = g.Cases | g.FirstPossible
"""Expressions that need more than a sentence."""


def build_goal(content: g.Game, scope: PhraseScope) -> Goal:
    """Return the goal of the game. The step that ends the game describes the end."""
    custom_items = get_custom_items("goal", scope.lexicon)
    if custom_items is not None:
        known = tuple(
            name for name in ("score", "standing", "winners") if name in content.defines or name in content.orders
        )
        return Goal("", explained_terms=known, custom_blocks=tuple(build_running_blocks(custom_items)))
    winners = content.defines.get("winners")
    if winners is not None and not isinstance(winners.value, CompoundValue):
        return Goal(describe_winners(winners.value, content, scope), winners.doc, ("winners",))
    if "standing" in content.orders:
        return build_standing_goal(content, scope)
    measure, names = find_score_measure(content, scope)
    author_text = content.defines["score"].doc if names else ""
    return Goal(measure.describe_winner("higher"), author_text, names)


def describe_winners(value: g.Expr, content: g.Game, scope: PhraseScope) -> str:
    """Describe the set of winners."""
    if isinstance(value, g.Filter) and build_noun_phrase(value.list, scope).text == "the players":
        return f"you win if {describe_condition(value.condition, scope.bind_subject(value.var, YOU))}"
    winners = build_noun_phrase(value, scope).text
    if winners == "the players" and can_eliminate_players(content):
        return "whoever is still in the game when it ends wins"
    return f"the winners are {winners}"


def build_standing_goal(content: g.Game, scope: PhraseScope) -> Goal:
    """Describe the winner by the order of players; directly, if one line decides."""
    standing = content.orders["standing"]
    line = standing.lines[0]
    if len(standing.lines) > 1 or line.how not in GOAL_SUPERLATIVES or line.layout is not None:
        return Goal("whoever stands best in the order “standing” wins; players who are equal in it win together")
    noun = build_noun_phrase(line.value, scope.bind_tested(standing.var))
    compares_scores = noun.entry is not None and noun.entry.name == "score"
    measure, names = find_score_measure(content, scope) if compares_scores else (build_win_measure(noun), ())
    author_text = " ".join(morphology.punctuate_sentence(text) for text in (standing.doc, line.doc) if text)
    ranks = any(
        isinstance(part, g.Sorted | g.AggBy) and part.order == "standing" for part in collect_all_nodes(content)
    )
    return Goal(measure.describe_winner(line.how), author_text, (*names, *(() if ranks else ("standing",))))


def find_score_measure(content: g.Game, scope: PhraseScope) -> tuple[WinMeasure, tuple[str, ...]]:
    """Return the measure of the score, and the terms that it explains: `score`, if the score is a plain count."""
    define = content.defines.get("score")
    if define is not None and define.var is not None and not isinstance(define.value, CompoundValue):
        noun = build_noun_phrase(define.value, scope.bind_subject(define.var, YOU))
        if build_win_measure(noun).is_count and not noun.counted_noun:
            return build_win_measure(noun), ("score",)
    if define is None and "score" not in content.tracks:
        return WinMeasure("player", "score", False), ()
    entry = scope.lexicon.nouns["score"]
    return build_win_measure(
        build_owned_noun(build_tested_pronoun(PLAYER), entry) if entry.subject == "player" else build_table_noun(entry)
    ), ()


def build_win_measure(noun: NounPhrase) -> WinMeasure:
    """Convert a number of a player or a team to a measure."""
    owner = noun.owner.type if noun.owner is not None else PLAYER
    who = get_kind_noun(owner.of) if owner.tag == "member" and owner.of is not None else "player"
    if noun.counted_noun:
        return WinMeasure(who, noun.counted_noun, True)
    if noun.entry is not None and noun.entry.is_unit and noun.type.tag == "number":
        return WinMeasure(who, noun.entry.plural, True)
    return WinMeasure(who, noun.bare_noun or (noun.entry.noun if noun.entry else noun.text.removeprefix("the ")), False)
