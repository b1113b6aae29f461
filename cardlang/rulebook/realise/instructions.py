"""Instructions for statements: dispatch, steps, branches and repeats.

Texts are drafts, without capital and full stop, so that short instructions can follow a colon. `aggregation` adds both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import Type
from cardlang.model.effects import find_effects
from cardlang.model.traversal import get_number_literal, walk_in_source_order
from cardlang.rulebook.model import AggregationHints, Item
from cardlang.rulebook.realise.aggregation import merge_author_texts
from cardlang.rulebook.realise.custom_sentences import fill_in_values
from cardlang.rulebook.realise.list_and_count_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import add_article, can_follow_article, format_genitive
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_noun_phrase,
    build_verb_clause,
    describe_condition,
)

DraftsAndScope = tuple[list[Item], PhraseScope]
InstructionBuilder = Callable[[Any, PhraseScope], DraftsAndScope]
INSTRUCTION_BUILDERS: dict[type[g.Stmt], InstructionBuilder] = {}
SENTENCE_BUILDERS: dict[type[g.Stmt], Callable[[Any, PhraseScope], str]] = {}
StatementMerger = Callable[[Any, Any, tuple[g.Stmt, ...], PhraseScope], DraftsAndScope | None]
STATEMENT_MERGERS: dict[tuple[type[g.Stmt], type[g.Stmt]], StatementMerger] = {}
T = TypeVar("T", bound=InstructionBuilder)
J = TypeVar("J", bound=StatementMerger)
S = TypeVar("S", bound=Callable[[Any, PhraseScope], str])


def register_instructions(class_: type[g.Stmt]) -> Callable[[T], T]:
    """Register a function that describes a statement: its items, and the scope for the statements after it."""

    def register(function: T) -> T:
        INSTRUCTION_BUILDERS[class_] = function
        return function

    return register


def register_sentence(class_: type[g.Stmt]) -> Callable[[S], S]:
    """Register a function that describes a statement in one sentence."""

    def register(function: S) -> S:
        SENTENCE_BUILDERS[class_] = function
        return function

    return register


def register_merger(first: type[g.Stmt], second: type[g.Stmt]) -> Callable[[J], J]:
    """Register a function that merges two consecutive statements into one instruction.

    It also gets the statements after them. It returns None if they don't merge.
    """

    def register(function: J) -> J:
        STATEMENT_MERGERS[first, second] = function
        return function

    return register


def build_block_items(statements: Iterable[g.Stmt], scope: PhraseScope) -> tuple[Item, ...]:
    """Return the instructions of a block, in order."""
    items: list[Item] = []
    todo = tuple(statements)
    while todo:
        both = merge_statements(todo, scope)
        drafts, scope = both or describe_statement(todo[0], scope)
        todo = todo[2 if both else 1 :]
        items = append_items(items, drafts)
    return tuple(items)


def append_items(items: list[Item], new_items: list[Item]) -> list[Item]:
    """Append items. A remark alone is attached to the instruction before it."""
    last = items[-1] if items else None
    if last is None or len(new_items) != 1 or last.items or new_items[0] != Item("", new_items[0].author_text):
        return [*items, *new_items]
    return [*items[:-1], evolve(last, author_text=merge_author_texts(last.author_text, new_items[0].author_text))]


def describe_statement(stmt: g.Stmt, scope: PhraseScope) -> DraftsAndScope:
    simple = SENTENCE_BUILDERS.get(type(stmt))
    if simple is not None:
        text = simple(stmt, scope)
        return [Item(text, stmt.doc, aggregation=AggregationHints(is_action=is_imperative(stmt, text)))], scope
    return INSTRUCTION_BUILDERS[type(stmt)](stmt, scope)


def is_imperative(stmt: g.Stmt, text: str) -> bool:
    """Return whether a statement reads as an act of the reader."""
    match stmt:
        case g.Move() | g.Pick():
            return text.startswith(stmt.verb)
        case g.SetTrack():
            return stmt.operator != "="
    return isinstance(stmt, g.Shuffle | g.Reveal)


def merge_statements(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> DraftsAndScope | None:
    """Merge the first two statements into one instruction, if possible."""
    joiner = STATEMENT_MERGERS.get((type(statements[0]), type(statements[1]))) if len(statements) > 1 else None
    return joiner(statements[0], statements[1], statements[2:], scope) if joiner is not None else None


def build_lead_item(lead: str, body: tuple[Item, ...], author_text: str = "", lead_mark: str = ":") -> Item:
    """Return a lead with its nested instructions; aggregation joins them later."""
    return Item(lead, author_text, body, aggregation=AggregationHints(lead_mark=lead_mark))


def build_variable_noun(name: str, type_: Type) -> NounPhrase:
    """Return the noun for a chosen or remembered value."""
    noun = morphology.replace_hyphens(name)
    inner = type_.item if type_.tag == "list" and type_.item is not None else type_
    many = type_.tag == "list"
    one = get_item_noun(inner)
    last = noun.split(" ")[-1]
    bare = morphology.is_adjective(last) or (many and not morphology.is_plural(last))
    if one not in ("one", "player", "number") and bare and not {one, morphology.pluralize(one)} & set(noun.split(" ")):
        noun = f"{noun} {morphology.pluralize(one) if many else one}"
    text = add_article(
        morphology.replace_hyphens(name) if not can_follow_article(name) else noun,
        morphology.pluralize(one) if many else one,
    )
    return NounPhrase(text, type_, many, items_text=re.sub("^(the|your|their|its) ", "", text) if many else "")


# ---------------------------------------------------------------- loops, conditions, calls
@register_instructions(g.Repeat)
def describe_repeat(stmt: g.Repeat, scope: PhraseScope) -> DraftsAndScope:
    body = build_block_items(stmt.body, scope)
    if stmt.until_pass:
        lead = "as often as you like"
        body = (evolve(body[0], text=re.sub("(?i)^(you may|if you wish,) ", "", body[0].text)), *body[1:])
    elif stmt.until is None:
        lead = f"repeat until {describe_loop_end(stmt, scope)}"
    elif is_whole_game_loop(stmt, scope):
        lead = f"repeat until {describe_condition(stmt.until, scope)}"
    else:  # `repeat until` would imply at least one pass
        lead = f"as long as {describe_condition(stmt.until, scope, False)}"
    return [build_lead_item(lead, body, stmt.doc)], scope


def is_whole_game_loop(stmt: g.Repeat, scope: PhraseScope) -> bool:
    """Return whether this loop is the whole game, whose condition is never true at the start."""
    play = scope.lexicon.game.steps.get("play")
    return play is not None and any(part.span == stmt.span for part in play.body)


def describe_loop_end(stmt: g.Repeat, scope: PhraseScope) -> str:
    """Describe the end of a loop without a condition: an enclosing step ends, or the game."""
    within = find_called_steps(stmt.body, scope)
    bodies = (stmt.body, *(scope.lexicon.game.steps[name].body for name in within))
    finished = [find_effects(part).finished for part in walk_in_source_order(bodies)]
    around = [name for name in dict.fromkeys(finished) if name not in {*within, "game", ""}]
    ends = morphology.join_phrases([f"“{scope.lexicon.get_step_title(name)}”" for name in around], "or")
    return f"{ends} ends" if around else "the game ends"


def find_called_steps(body: tuple[g.Stmt, ...], scope: PhraseScope) -> dict[str, None]:
    """Return the names of all steps that a block runs, directly or indirectly."""
    steps: dict[str, None] = {}
    todo = list(walk_in_source_order(body))
    while todo:
        part = todo.pop(0)
        if isinstance(part, g.Do) and part.step not in steps:
            steps[part.step] = None
            todo += walk_in_source_order(scope.lexicon.game.steps[part.step].body)
    return steps


@register_instructions(g.If)
def describe_if(stmt: g.If, scope: PhraseScope) -> DraftsAndScope:
    items = build_branch_items(stmt, scope)
    if not (len(stmt.otherwise) == 1 and isinstance(stmt.otherwise[0], g.If)):
        return items, scope
    return [Item("only the first of these that applies:", items=tuple(items))], scope


def build_branch_items(stmt: g.If, scope: PhraseScope) -> list[Item]:
    """Describe the cases of a condition; a chain of `otherwise if` becomes a list."""
    items = [
        build_lead_item(
            f"if {describe_condition(stmt.condition, scope)}", build_block_items(stmt.then, scope), stmt.doc, ","
        )
    ]
    match stmt.otherwise:
        case ():
            return items
        case (g.If() as again,):
            return [*items, *build_branch_items(again, scope)]
    return [*items, build_lead_item("otherwise", build_block_items(stmt.otherwise, scope), "", ",")]


@register_instructions(g.Do)
def describe_do(stmt: g.Do, scope: PhraseScope) -> DraftsAndScope:
    step = scope.lexicon.game.steps[stmt.step]
    if step.unfilled:
        return [], scope
    who = YOU if stmt.of is None else build_noun_phrase(stmt.of, scope)
    title = f"“{scope.lexicon.get_step_title(step.name)}”"
    if who is YOU and not stmt.args and not get_custom_action(stmt, scope):
        return [Item(title, stmt.doc or step.doc, aggregation=AggregationHints(is_step_call=True))], scope
    action = get_custom_action(stmt, scope)
    if action:
        return [
            Item(format_instruction_for(who, action), stmt.doc, aggregation=AggregationHints(is_action=who is YOU))
        ], scope
    given = [
        format_argument(build_noun_phrase(arg, scope).text, build_variable_noun(param.name, param.type).text)
        for arg, param in zip(stmt.args, step.params, strict=True)
    ]
    text = f"carry out {title}" + (f" with {morphology.join_phrases(given)}" if given else "")
    return [
        Item(format_instruction_for(who, text), stmt.doc, aggregation=AggregationHints(is_action=who is YOU))
    ], scope


def get_custom_action(stmt: g.Do, scope: PhraseScope) -> str:
    """Return the author's wording for a call of a step, with its arguments: `pay the ante of five`."""
    wording = scope.lexicon.custom_wording.get(f"step {stmt.step}")
    if wording is None or not wording.act:
        return ""
    params = scope.lexicon.game.steps[stmt.step].params
    given = {param.name: describe_argument_value(arg, scope) for param, arg in zip(params, stmt.args, strict=True)}
    return fill_in_values(wording.act, scope.lexicon, given)


def describe_argument_value(arg: g.Expr, scope: PhraseScope) -> str:
    """Describe an argument of a step, with its value if it is constant."""
    text = build_noun_phrase(arg, scope).text
    define = scope.lexicon.game.defines.get(arg.define) if isinstance(arg, g.Call) and arg.of is None else None
    known = get_number_literal(define.value) if define is not None else None
    return f"{text} of {morphology.format_number(known)}" if known is not None else text


@register_sentence(g.DoBorne)
def describe_do_borne(stmt: g.DoBorne, scope: PhraseScope) -> str:
    """Describe a call of a step on a card: `do chosen's effect`."""
    return f"carry out {format_genitive(build_noun_phrase(stmt.card, scope), morphology.replace_hyphens(stmt.step))}"


def format_instruction_for(who: NounPhrase, action: str) -> str:
    """Return an act as an instruction to the reader, or in third person."""
    return action if who is YOU else f"{who.text} {morphology.conjugate_third_person(action)}"


def format_argument(value: str, param: str) -> str:
    """Describe an argument of a step: `five as the amount`, `the amount`."""
    return value if value == param else f"{value} as {param}"


@register_instructions(g.Finish)
def describe_finish(stmt: g.Finish, scope: PhraseScope) -> DraftsAndScope:
    text = "the game ends" if stmt.step == "game" else f"“{scope.lexicon.get_step_title(stmt.step)}” ends at once"
    return [Item(text, stmt.doc, aggregation=AggregationHints(is_action=True))], scope


@register_sentence(g.Cancel)
def describe_cancel(stmt: g.Cancel, scope: PhraseScope) -> str:
    return "what the actor announced is cancelled"


@register_sentence(g.Eliminate)
def describe_eliminate(stmt: g.Eliminate, scope: PhraseScope) -> str:
    return build_verb_clause(build_noun_phrase(stmt.player, scope), "is", "out of the game").text


@register_sentence(g.Property)
def describe_property(stmt: g.Property, scope: PhraseScope) -> str:
    return f"at this point, {describe_condition(stmt.condition, scope)}"


@register_instructions(g.Tell)
def describe_tell(stmt: g.Tell, scope: PhraseScope) -> DraftsAndScope:
    """Skip a log message, which is no rule."""
    return [], scope


@register_instructions(g.Note)
def describe_note(stmt: g.Note, scope: PhraseScope) -> DraftsAndScope:
    return [Item("", stmt.text)], scope


@register_instructions(g.Ruling)
def describe_ruling(stmt: g.Ruling, scope: PhraseScope) -> DraftsAndScope:
    return [Item(stmt.question, " ".join(stmt.answer))], scope
