"""Instructions for statements: dispatch, steps, branches and repeats.

Texts are drafts, without capital and full stop, so that short instructions can follow a colon. `aggregation` adds both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import takewhile
from typing import Any

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import Type
from cardlang.model.expression_queries import (
    get_flag_literal,
    get_number_literal,
    get_read_name,
    is_non_negative_literal,
    unwrap_conversions,
)
from cardlang.model.statement_effects import iter_track_changes
from cardlang.model.traversal import collect_all_nodes, walk_in_source_order
from cardlang.rulebook.model import AggregationHints, Item
from cardlang.rulebook.realise.game_lexicon import is_told_on_card
from cardlang.rulebook.realise.list_noun_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import add_article, can_follow_article, format_genitive
from cardlang.rulebook.realise.phrases import (
    YOU,
    F,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_noun_phrase,
    build_verb_clause,
    describe_condition,
    register_in,
)
from cardlang.rulebook.realise.sentence_aggregation import (
    MAX_SENTENCE_LETTERS,
    aggregate_draft,
    conjugate_act,
    format_step_link,
    is_short_item,
    join_acts_of_subject,
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


MERGING_FUNCTIONS: list[Callable[..., Any]] = []
"""Functions that put a statement into the sentence of another one, for tests of completeness."""


def merges_statements(function: F) -> F:
    """Register a function that puts statements among its arguments into the sentence of another one."""
    MERGING_FUNCTIONS.append(function)
    return function


register_instructions = partial(register_in, INSTRUCTION_BUILDERS)
"""Register a function that describes a statement: its items, and the scope for the statements after it."""
register_sentence = partial(register_in, SENTENCE_BUILDERS)
"""Register a function that describes a statement in one sentence."""


def register_merger(first: type[g.Stmt], second: type[g.Stmt]) -> Callable[[F], F]:
    """Register a function that merges the first statements of a block into one instruction.

    It returns the number of merged statements as well, or None if they don't merge. `first` and `second`: the classes
    of the first two.
    """
    return register_in(STATEMENT_MERGERS, (first, second))


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
    subject = "" if act.who.is_actor else act.who.text
    hints = AggregationHints(act.who.is_actor, subject, explanation=act.explanation)
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
def is_counter(stmt: g.SetTrack) -> bool:
    """Return whether a statement only counts something at the table."""
    return stmt.of is None and stmt.operator == "+" and get_number_literal(stmt.value) == 1


def describe_times(number: g.Expr, scope: PhraseScope) -> str:
    """Return how often something happens: `twice`, `five times`, `as many times as the number of players`."""
    count = build_noun_phrase(number, scope).text
    if not is_non_negative_literal(number):
        return f"as many times as {count}"
    return {"one": "once", "two": "twice"}.get(count, f"{count} times")


def format_step_title(name: str, scope: PhraseScope) -> str:
    """Return the title of a step as a noun that links to its section: `the auction`."""
    title = scope.lexicon.get_step_title(name)
    if scope.step is not None and scope.step.name == name:
        return f"{'the' if scope.step.you is None else 'your'} {title[:1].lower()}{title[1:]}"
    is_verb = morphology.classify_step_title(title)[0] == "verb"
    return f"“{title}”" if is_verb else format_step_link(title, format_definite_title(title))


@register_instructions(g.If)
def describe_if(stmt: g.If, scope: PhraseScope) -> DraftsAndScope:
    """Describe a condition and its cases, in one sentence if they are short."""
    if is_told_case(scope.lexicon.game, stmt):
        return [describe_effect_of_card(stmt.condition, scope)], scope
    if not stmt.otherwise and skips_step(stmt, scope):
        step = "" if scope.step is None else scope.lexicon.get_step_title(scope.step.name).lower()
        condition, doc = describe_condition(stmt.condition, scope), merge_author_texts(stmt.doc, stmt.then[-1].doc)
        if f"miss the next {step}" in condition:  # told where players come to miss it
            return [Item("", doc)] if doc else [], scope
        return [Item(f"if {condition}, skip this {step}", doc)], scope
    if is_win_at_once(stmt) and not (stmt.doc or stmt.otherwise) and describe_race(scope):
        return [], scope
    if (
        limited := describe_loss_if_any(stmt, scope)
        or describe_first_to(stmt, scope)
        or describe_role_if_any(stmt, scope)
    ):
        return limited, scope
    items = [*map(aggregate_draft, build_branch_items(stmt, "", scope))]
    plain = all(is_short_item(item) for item in items) and not any(item.author_text for item in items[:-1])
    if len(items) > 2 and plain:
        cases = tuple(map(aggregate_draft, build_branch_items(stmt, "", scope, "")))
        hints = AggregationHints(is_action=True)
        return [Item("do the first of these that applies:", items=cases, bullets=True, aggregation=hints)], scope
    if len(items) == 1 or not plain or sum(len(item.text) for item in items) > MAX_SENTENCE_LETTERS:
        return items, scope
    return [Item("; ".join(item.text for item in items), items[-1].author_text)], scope


def is_win_at_once(part: object) -> bool:
    """Return whether a statement ends the game as soon as there is a winner."""
    match part:
        case g.If(condition=g.Not(value=g.IsEmpty(value=won)), then=(g.Finish(step="game", doc=""),)):
            return get_read_name(unwrap_conversions(won)) == "winners"
    return False


def describe_race(scope: PhraseScope) -> str:
    """Return what the first player to have wins with, if the game ends as soon as there is a winner; or nothing."""
    winners = scope.lexicon.game.defines.get("winners")
    if winners is None or not isinstance(winners.value, g.Filter):
        return ""
    clause = build_clause(winners.value.condition, scope.bind_tested(winners.value.var))
    is_race = any(map(is_win_at_once, collect_all_nodes(scope.lexicon.game)))
    return clause.one.partition("who has ")[2].removeprefix("at least ") if is_race and not clause.provided else ""


def describe_loss_if_any(stmt: g.If, scope: PhraseScope) -> list[Item]:
    """Describe a loss on the condition that there is something to lose: `pay 1 coin, if you have any`; or nothing."""
    match stmt.condition, stmt.then:
        case g.Compare(operator=">", left=g.TrackValue() as held, right=right), (g.SetTrack(operator="-") as loss, *_):
            same = (held.track, held.of, get_number_literal(right)) == (loss.track, loss.of, 0)
            items = build_block_items(stmt.then, scope)
            if same and not stmt.otherwise and len(items) == 1 and items[0].aggregation and is_short_item(items[0]):
                have = "there is" if " from " in items[0].text else "you have"
                return [evolve(items[0], text=f"{items[0].text}, if {have} any", aggregation=None)]
    return []


def describe_first_to(stmt: g.If, scope: PhraseScope) -> list[Item]:
    """Describe a player who gets a role by being the first to do something: `if you are the first to have …`."""
    role = find_role_of_first(stmt)
    if role is not None and isinstance(stmt.condition, g.And) and build_noun_phrase(role.value, scope) is YOU:
        clause = build_clause(stmt.condition.left, scope)
        if clause.subject == "you" and scope.lexicon.nouns[role.track].predicate:
            does = re.sub(r" (in|on|at) your \w+ (for|of) that \w+$", " there", clause.predicate)
            text = f"if you are the first to {does}, put a marker there"
            return [Item(text, merge_author_texts(stmt.doc, role.doc))]
    return []


def find_role_of_first(part: object) -> g.SetTrack | None:
    """Return the assignment of a role that only the first player to do something gets, if a part is one."""
    match part:
        case g.If(
            condition=g.And(right=g.IsAbsent(value=g.TrackValue() as held)),
            then=(g.SetTrack(operator="=") as role,),
            otherwise=(),
        ) if (held.track, held.of) == (role.track, role.of) and role.of is not None:
            return role
    return None


def describe_role_if_any(stmt: g.If, scope: PhraseScope) -> list[Item]:
    """Describe acts of the player with a role that may be free: `the bidder, if any, pays …; if there is none, …`."""
    match stmt.condition:
        case g.Not(value=g.IsAbsent(value=g.TrackValue(of=None) as role)):
            who = build_noun_phrase(role, scope).text
            acts = join_acts_of_subject(tuple(map(aggregate_draft, build_block_items(stmt.then, scope))))
            if len(acts) == 1 and is_short_item(acts[0]) and acts[0].text.startswith(f"{who} "):
                told = evolve(acts[0], text=f"{who}, if any,{acts[0].text.removeprefix(who)}", aggregation=None)
                rest = build_block_items(stmt.otherwise, scope)
                return [told, *([build_lead_item("if there is none", rest, "", ",")] if rest else [])]
    return []


def is_told_case(game: g.Game, stmt: g.Stmt) -> bool:
    """Return whether a case is the effect of a card with a title, which the author's text on it tells."""
    return isinstance(stmt, g.If) and not stmt.otherwise and is_told_on_card(stmt.condition, game)


def describe_effect_of_card(condition: g.Expr, scope: PhraseScope) -> Item:
    assert isinstance(condition, g.Compare) and isinstance(condition.left, g.Builtin) and condition.left.of is not None
    return build_act_item(Act(YOU, f"do what {build_noun_phrase(condition.left.of, scope).text} says"))


@register_merger(g.If, g.If)
def merge_effects_of_cards(statements: tuple[g.If, ...], scope: PhraseScope) -> MergedDrafts | None:
    """Merge cases for several cards, each with the author's text: do what the card says."""
    first, told = statements[0], [*takewhile(partial(is_told_case, scope.lexicon.game), statements)]
    return ([describe_effect_of_card(first.condition, scope)], scope, len(told)) if told else None


def skips_step(stmt: g.If, scope: PhraseScope) -> bool:
    """Return whether a case begins a step and ends it, and at most resets the flag that is its condition."""
    begins = scope.step is not None and scope.step.body[0].span == stmt.span
    match stmt.then:
        case (g.SetTrack(doc="") as reset, g.Finish()) if get_flag_literal(reset.value) is False:
            flag = unwrap_conversions(stmt.condition)
            return begins and isinstance(flag, g.TrackValue) and flag.track == reset.track
        case (g.Finish(step=name),):
            return begins and scope.step is not None and name == scope.step.name
    return False


def build_branch_items(stmt: g.If, lead: str, scope: PhraseScope, link: str = "otherwise, ") -> list[Item]:
    """Describe the cases of a condition, one item each. `link`: the lead of those after the first."""
    condition = f"{lead}if {describe_condition(stmt.condition, scope)}"
    items = [build_lead_item(condition, build_block_items(stmt.then, scope), stmt.doc, ",")]
    match stmt.otherwise:
        case ():
            return items
        case (g.If() as again,):
            return [*items, *build_branch_items(again, link, scope, link)]
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
    count, literal = build_noun_phrase(stmt.args[0], scope).text, is_non_negative_literal(stmt.args[0])
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
        has_object = rest and rest not in morphology.VERB_PARTICLES
        return f"{verb} {format_step_link(title, rest)}" if has_object else format_step_link(title, name)
    if kind == "gerund":
        return f"do {format_step_link(title, format_definite_title(title))}"
    if verb:
        shown = name if name.startswith(("a ", "an ", "the ")) else morphology.add_article(name)
        return f"{verb} {format_step_link(title, shown)}"
    return f"go through {format_step_link(title, format_definite_title(title))}"


@register_sentence(g.DoBorne)
def describe_do_borne(stmt: g.DoBorne, scope: PhraseScope) -> Act:
    """Describe a call of a step on a card: `do chosen's effect`. Cards with a text say what they do."""
    who, card = build_noun_phrase(stmt.of, scope), build_noun_phrase(stmt.card, scope)
    if stmt.step in scope.lexicon.printed_effects:
        return Act(who, f"do what {card.text} says")
    return Act(who, f"apply {format_genitive(card, morphology.replace_hyphens(stmt.step))}")


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
    return "it is cancelled"


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
