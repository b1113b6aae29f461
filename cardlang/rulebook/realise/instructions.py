"""Instructions for statements: dispatch, steps, branches and repeats.

Texts are drafts, without capital and full stop, so that short instructions can follow a colon. `aggregation` adds both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import Type
from cardlang.model.statement_effects import find_effects, iter_track_changes
from cardlang.model.traversal import get_number_literal, is_number_literal, walk_in_source_order
from cardlang.rulebook.model import AggregationHints, Item
from cardlang.rulebook.realise.list_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import add_article, can_follow_article, format_genitive
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_noun_phrase,
    build_verb_clause,
    describe_condition,
)
from cardlang.rulebook.realise.sentence_aggregation import (
    MAX_SENTENCE_LETTERS,
    aggregate_draft,
    conjugate_act,
    format_step_link,
    is_short_item,
    merge_author_texts,
)

DraftsAndScope = tuple[list[Item], PhraseScope]
InstructionBuilder = Callable[[Any, PhraseScope], DraftsAndScope]
INSTRUCTION_BUILDERS: dict[type[g.Stmt], InstructionBuilder] = {}


@frozen
class Act:
    """An act of a player: the infinitive of its verb, with all that follows. `explanation`: sentences after it."""

    who: NounPhrase
    infinitive: str
    explanation: str = ""

    @property
    def text(self) -> str:
        """The act as an instruction to the reader, or in third person."""
        if self.who.is_actor:
            return self.infinitive
        return f"{self.who.text} {self.infinitive if self.who.is_plural else conjugate_act(self.infinitive)}"


SentenceBuilder = Callable[[Any, PhraseScope], str | Act]
SENTENCE_BUILDERS: dict[type[g.Stmt], SentenceBuilder] = {}
MergedDrafts = tuple[list[Item], PhraseScope, int]
StatementMerger = Callable[[tuple[Any, ...], PhraseScope], MergedDrafts | None]
STATEMENT_MERGERS: dict[tuple[type[g.Stmt], type[g.Stmt]], StatementMerger] = {}
T = TypeVar("T", bound=InstructionBuilder)
J = TypeVar("J", bound=StatementMerger)
S = TypeVar("S", bound=SentenceBuilder)


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
    """Register a function that merges the first statements of a block into one instruction.

    It returns the number of merged statements as well, or None if they don't merge. `first` and `second`: the classes
    of the first two.
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
        drafts, scope, count = describe_first_statements(todo, scope)
        todo = todo[count:]
        items = append_items(items, drafts)
    return tuple(items)


def describe_first_statements(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> MergedDrafts:
    """Describe the first statement of a block, with those after it that merge with it. Return their number as well."""
    mergeable = len(statements) > 1 and not getattr(statements[0], "otherwise", ())
    merger = STATEMENT_MERGERS.get((type(statements[0]), type(statements[1]))) if mergeable else None
    merged = merger and merger(statements, scope)
    return merged or (*describe_statement(statements[0], scope), 1)


def append_items(items: list[Item], new_items: list[Item]) -> list[Item]:
    """Append items. A remark alone is attached to the instruction before it."""
    last = items[-1] if items else None
    if last is None or len(new_items) != 1 or last.items or new_items[0] != Item("", new_items[0].author_text):
        return [*items, *new_items]
    return [*items[:-1], evolve(last, author_text=merge_author_texts(last.author_text, new_items[0].author_text))]


def describe_statement(stmt: g.Stmt, scope: PhraseScope) -> DraftsAndScope:
    if isinstance(stmt, g.Pick | g.Choose | g.Menu) and stmt.otherwise:
        drafts, inner = describe_statement(stmt.replace(otherwise=()), scope)
        items = build_block_items(stmt.otherwise, scope)
        return [*drafts, build_lead_item("otherwise", items, "", ",")], inner
    simple = SENTENCE_BUILDERS.get(type(stmt))
    if simple is not None:
        act = simple(stmt, scope)
        return [build_act_item(act, stmt.doc)] if act else [], scope
    return INSTRUCTION_BUILDERS[type(stmt)](stmt, scope)


def build_act_item(act: str | Act, author_text: str = "") -> Item:
    """Return the draft of an act or another sentence."""
    if isinstance(act, str):
        return Item(act, author_text)
    hints = AggregationHints(act.who.is_actor, explanation=act.explanation)
    return Item(act.text, author_text, aggregation=hints)


def build_lead_item(
    lead: str, body: tuple[Item, ...], author_text: str = "", lead_mark: str = ":", is_subject: bool = False
) -> Item:
    """Return a lead with its nested instructions; aggregation joins them later."""
    return Item(lead, author_text, body, aggregation=AggregationHints(is_subject=is_subject, lead_mark=lead_mark))


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
    return NounPhrase(
        text,
        type_,
        many or morphology.is_plural(last),
        items_text=re.sub("^(the|your|their|its) ", "", text) if many else "",
    )


VAGUE_NAMES = {"card", "chosen", "picked", "taken", "drawn", "top", "it", "this", "that", "other", "one"}
"""Names of variables that say no more than `that card`."""


def build_chosen_noun(var: g.Var, type_: Type, scope: PhraseScope, is_named: bool = True) -> NounPhrase:
    """Return the noun for a chosen value: `that card`, `those cards`, unless others are meant by it already.

    `is_named`: a single value keeps a name that says more.
    """
    is_list = type_.tag == "list" and type_.item is not None
    one = get_item_noun(type_.item if is_list and type_.item is not None else type_)
    many = morphology.pluralize(one)
    that = NounPhrase(f"those {many}" if is_list else f"that {one}", type_, is_list)
    taken = any(noun.text == that.text for noun in scope.nouns.values()) or one == "one"
    vague = is_list or not is_named or var.name in (*VAGUE_NAMES, one) or morphology.is_adjective(var.name)
    return build_variable_noun(var.name, type_) if taken or not vague else that


def describe_naming(noun: NounPhrase) -> str:
    """Return the words that name a chosen value, unless `that card` needs none: ` as the victim`."""
    return "" if noun.text.startswith(("that ", "those ")) else f" as {noun.text}"


# ---------------------------------------------------------------- loops, conditions, calls
MIN_SAFETY_LIMIT = 100
"""Smallest limit of repetitions that players at a table don't count."""


@register_instructions(g.Repeat)
def describe_repeat(stmt: g.Repeat, scope: PhraseScope) -> DraftsAndScope:
    body = stmt.body
    limit = None if stmt.most is None or has_safety_limit(stmt) else f"at most {describe_times(stmt.most, scope)}"
    if stmt.until_pass:
        if isinstance(body[0], g.Menu | g.Pick | g.Choose):
            body = (body[0].replace(may=False), *body[1:])
        lead = "as often as you like" if limit is None else f"{limit}, if you like"
        return [build_lead_item(lead, build_block_items(body, scope), stmt.doc)], scope
    if limit is not None and stmt.until is None:
        return [build_lead_item(limit, build_block_items(body, scope), stmt.doc)], scope
    end = describe_loop_end(stmt, scope) if stmt.until is None else describe_condition(stmt.until, scope)
    if limit is not None:
        return [build_lead_item(f"until {end}, but {limit}, repeat", build_block_items(body, scope), stmt.doc)], scope
    match body:
        case (g.Do(args=(), of=None, doc=doc) as do,) if many := describe_repeated_step(do, scope):
            return [build_act_item(Act(YOU, f"{many} until {end}"), merge_author_texts(stmt.doc, doc))], scope
        case (g.SetTrack(doc="") as counter, g.Do(args=(), of=None, doc=doc) as do) if is_counter(counter) and (
            many := describe_repeated_step(do, scope)
        ):
            entry = scope.lexicon.nouns[counter.track]
            counted = entry.plural if entry.is_unit else entry.singular.removeprefix("number of ")
            act = Act(YOU, f"{many} until {end}, and count the {counted}")
            return [build_act_item(act, merge_author_texts(stmt.doc, doc))], scope
        case (g.Move(doc=doc) as move,) if isinstance(moved := SENTENCE_BUILDERS[g.Move](move, scope), Act):
            if moved.who.is_actor:
                moved = Act(YOU, f"{moved.infinitive}, one card at a time, until {end}")
                return [build_act_item(moved, merge_author_texts(stmt.doc, doc))], scope
        case (g.Each() as loop,) if loop.var.type.tag == "player":
            first, *rest = build_block_items(body, scope)
            text = f"keep going around until {end}. {morphology.capitalize_first_letter(first.text)}"
            return [evolve(first, text=text, author_text=merge_author_texts(stmt.doc, first.author_text)), *rest], scope
    return [build_lead_item(f"repeat until {end}", build_block_items(body, scope), stmt.doc)], scope


def has_safety_limit(stmt: g.Repeat) -> bool:
    """Return whether a loop that ends by itself has a limit that only a computer counts."""
    most = None if stmt.most is None else get_number_literal(stmt.most)
    return (stmt.until_pass or stmt.until is not None) and (most or 0) >= MIN_SAFETY_LIMIT


def is_counter(stmt: g.SetTrack) -> bool:
    """Return whether a statement only counts something at the table."""
    return stmt.of is None and stmt.operator == "+" and get_number_literal(stmt.value) == 1


def describe_times(number: g.Expr, scope: PhraseScope) -> str:
    """Return how often something happens: `twice`, `five times`, `as many times as the number of players`."""
    count = build_noun_phrase(number, scope).text
    if not is_number_literal(number):
        return f"as many times as {count}"
    return {"one": "once", "two": "twice"}.get(count, f"{count} times")


def describe_repeated_step(stmt: g.Do, scope: PhraseScope) -> str:
    """Describe a step that is repeated: `play tricks`, `repeat the climb`; empty if its title is a verb."""
    title = scope.lexicon.get_step_title(stmt.step)
    kind, verb = morphology.classify_step_title(title)
    if kind == "noun" and verb:
        return f"{verb} {format_step_link(title, morphology.pluralize(title.lower()))}"
    return f"repeat {format_step_link(title, format_definite_title(title))}" if kind != "verb" else ""


def describe_loop_end(stmt: g.Repeat, scope: PhraseScope) -> str:
    """Describe the end of a loop without a condition: an enclosing step ends, or the game."""
    within = find_called_steps(stmt.body, scope)
    bodies = (stmt.body, *(scope.lexicon.game.steps[name].body for name in within))
    finished = [find_effects(part).finished for part in walk_in_source_order(bodies)]
    around = [name for name in dict.fromkeys(finished) if name not in {*within, "game", ""}]
    ends = morphology.join_phrases([format_step_title(name, scope) for name in around], "or")
    many = len(around) > 1 or any(morphology.is_plural(scope.lexicon.get_step_title(name)) for name in around)
    return f"{ends} {morphology.agree_verb('ends', many)}" if around else "the game ends"


def format_step_title(name: str, scope: PhraseScope) -> str:
    """Return the title of a step as a noun that links to its section: `the auction`."""
    title = scope.lexicon.get_step_title(name)
    is_verb = morphology.classify_step_title(title)[0] == "verb"
    return f"“{title}”" if is_verb else format_step_link(title, format_definite_title(title))


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
    """Describe a condition and its cases, in one sentence if they are short."""
    items = [*map(aggregate_draft, build_branch_items(stmt, "", scope))]
    plain = all(is_short_item(item) for item in items) and not any(item.author_text for item in items[:-1])
    if len(items) == 1 or not plain or sum(len(item.text) for item in items) > MAX_SENTENCE_LETTERS:
        return items, scope
    return [Item("; ".join(item.text for item in items), items[-1].author_text)], scope


def build_branch_items(stmt: g.If, lead: str, scope: PhraseScope) -> list[Item]:
    """Describe the cases of a condition, one item each."""
    condition = f"{lead}if {describe_condition(stmt.condition, scope)}"
    items = [build_lead_item(condition, build_block_items(stmt.then, scope), stmt.doc, ",")]
    match stmt.otherwise:
        case ():
            return items
        case (g.If() as again,):
            return [*items, *build_branch_items(again, "otherwise, ", scope)]
    return [*items, build_lead_item("otherwise", build_block_items(stmt.otherwise, scope), "", ",")]


@register_instructions(g.Do)
def describe_do(stmt: g.Do, scope: PhraseScope) -> DraftsAndScope:
    step = scope.lexicon.game.steps[stmt.step]
    if step.unfilled:
        return [], scope
    who = YOU if stmt.of is None else build_noun_phrase(stmt.of, scope)
    given = [
        format_argument(build_noun_phrase(arg, scope).text, build_variable_noun(param.name, param.type).text)
        for arg, param in zip(stmt.args, step.params, strict=True)
    ]
    counted = describe_counted_step(stmt, step, scope)
    if counted:
        return [build_act_item(Act(who, counted), stmt.doc)], scope
    act = Act(who, describe_step_act(step, scope) + (f" with {morphology.join_phrases(given)}" if given else ""))
    return [build_act_item(act, stmt.doc if given else stmt.doc or step.doc)], scope


COUNT_NAMES = ("amount", "count", "number", "sum")
"""Names of parameters that say how often or how much a step does what its title says."""


def describe_counted_step(stmt: g.Do, step: g.Step, scope: PhraseScope) -> str:
    """Describe a step whose argument is a number of its objects: `draw five cards` for `Draw cards`; or empty."""
    title = scope.lexicon.get_step_title(step.name)
    kind, verb = morphology.classify_step_title(title)
    noun = title.partition(" ")[2]
    is_counted = [bool({*param.name.split("-")} & {*COUNT_NAMES}) for param in step.params] == [True]
    if kind != "verb" or not is_counted or not (morphology.is_plural(noun) or not noun):
        return ""
    count, literal = build_noun_phrase(stmt.args[0], scope).text, is_number_literal(stmt.args[0])
    if not noun:
        changed = (scope.lexicon.nouns[change.track] for change in iter_track_changes(walk_in_source_order(step.body)))
        unit = next((entry for entry in changed if entry.is_unit and literal), None)
        counted = morphology.format_count(count, unit.singular, unit.plural) if unit else count
        return f"{format_step_link(title, verb)} {counted}"
    one = morphology.singularize(noun)
    counted = morphology.format_count(count, one, noun) if literal else f"as many {noun} as {count}"
    return f"{verb} {format_step_link(title, counted)}"


def format_definite_title(title: str) -> str:
    """Return a title as a noun within a sentence: `the auction`. A title with an article keeps it."""
    name = title[:1].lower() + title[1:]
    return name if name.startswith(("a ", "an ", "the ")) else f"the {name}"


def describe_step_act(step: g.Step, scope: PhraseScope) -> str:
    """Describe a step as an act: `play a trick`, `do the scoring`, `go through the auction`."""
    title = scope.lexicon.get_step_title(step.name)
    kind, verb = morphology.classify_step_title(title)
    name = title[:1].lower() + title[1:]
    if kind == "verb":
        _, _, rest = name.partition(" ")
        return (
            f"{verb} {format_step_link(title, rest)}"
            if rest and rest not in morphology.VERB_PARTICLES
            else format_step_link(title, name)
        )
    if kind == "gerund":
        return f"do {format_step_link(title, format_definite_title(title))}"
    if verb:
        shown = name if name.startswith(("a ", "an ", "the ")) else morphology.add_article(name)
        return f"{verb} {format_step_link(title, shown)}"
    return f"go through {format_step_link(title, format_definite_title(title))}"


@register_sentence(g.DoBorne)
def describe_do_borne(stmt: g.DoBorne, scope: PhraseScope) -> str:
    """Describe a call of a step on a card: `do chosen's effect`."""
    return f"apply {format_genitive(build_noun_phrase(stmt.card, scope), morphology.replace_hyphens(stmt.step))}"


def format_argument(value: str, param: str) -> str:
    """Describe an argument of a step: `five as the amount`, `the amount`."""
    return value if value == param else f"{value} as {param}"


@register_instructions(g.Finish)
def describe_finish(stmt: g.Finish, scope: PhraseScope) -> DraftsAndScope:
    many = morphology.is_plural(scope.lexicon.get_step_title(stmt.step)) if stmt.step != "game" else False
    end = morphology.agree_verb("ends", many)
    text = f"{'the game' if stmt.step == 'game' else format_step_title(stmt.step, scope)} {end}"
    return [Item(text, stmt.doc)], scope


@register_sentence(g.Cancel)
def describe_cancel(stmt: g.Cancel, scope: PhraseScope) -> str:
    return "the announcement is cancelled"


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
