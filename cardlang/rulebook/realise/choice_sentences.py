"""Sentences for choices, options, offers and announcements."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import NUMBER, build_list_type
from cardlang.model.expression_queries import (
    get_flag_literal,
    get_read_name,
    is_non_negative_literal,
    is_same_var,
    unwrap_conversions,
)
from cardlang.model.traversal import uses_variable, walk
from cardlang.rulebook.model import Item
from cardlang.rulebook.realise.action_sentences import format_move, format_player_action
from cardlang.rulebook.realise.assignment_sentences import describe_value_choice, find_raise
from cardlang.rulebook.realise.choice_counts import describe_count_bounds, describe_simple_count
from cardlang.rulebook.realise.condition_phrases import describe_value_in_figures, join_relative_clauses
from cardlang.rulebook.realise.filter_phrases import build_compound, describe_filtered_cards
from cardlang.rulebook.realise.instructions import (
    DraftsAndScope,
    build_act_item,
    build_block_items,
    build_chosen_noun,
    build_lead_item,
    describe_naming,
    merges_statements,
    register_instructions,
)
from cardlang.rulebook.realise.list_noun_phrases import get_item_noun
from cardlang.rulebook.realise.loop_sentences import build_loop_scope, describe_loop_lead
from cardlang.rulebook.realise.noun_phrases import add_article, build_target_noun, get_kind_noun
from cardlang.rulebook.realise.phrases import (
    Clause,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_noun_phrase,
    describe_condition,
    get_item_type,
)
from cardlang.rulebook.realise.sentence_aggregation import aggregate_draft, is_short_item, merge_author_texts


# ---------------------------------------------------------------- values
@register_instructions(g.Choose)
def describe_choose(stmt: g.Choose, scope: PhraseScope) -> DraftsAndScope:
    if len(stmt.body) == 1 and describe_value_choice(stmt, stmt.body[0], scope):
        return list(build_block_items((stmt.replace(body=()), *stmt.body), scope)), scope
    who = build_noun_phrase(stmt.who, scope)
    if is_moved_choice(stmt, scope):
        first, rest = build_moved_choice(stmt, scope)
        is_uncertain = bool(rest) and (stmt.may or stmt.provided is not None)
        return [first, *([build_lead_item("if you do", rest, "", ",")] if is_uncertain else rest)], scope
    what, noun = describe_choice_domain(stmt.var, stmt.domain, stmt if stmt.several else None, scope)
    inner = scope.bind_noun(stmt.var, noun)
    action, body = f"choose {what}", build_block_items(stmt.body, inner)
    if is_lone_act(body) and body[0].text.endswith(f" {noun.text}"):
        action, body = f"{body[0].text.removesuffix(noun.text)}{what}", ()
    if stmt.provided is not None:
        action += f", provided {describe_condition(stmt.provided, inner)}"
    act = format_player_action(who, stmt.may, action)
    if not body:
        return [build_act_item(act, stmt.doc)], scope if stmt.body else inner
    text = act if isinstance(act, str) else act.text
    if not stmt.may and is_always_possible(stmt):
        return [Item(text, stmt.doc), *body], scope
    return [build_lead_item(text if stmt.may else f"if {who.text} can, {text}", body, stmt.doc)], scope


def is_moved_first(var: g.Var, body: Sequence[g.Stmt]) -> bool:
    """Return whether the first thing that happens to a chosen card is its move."""
    return bool(body) and isinstance(body[0], g.Move) and is_same_var(unwrap_conversions(body[0].what), var)


def bind_moved_card(var: g.Var, scope: PhraseScope) -> PhraseScope:
    return scope.bind_noun(var, build_chosen_noun(var, var.type, scope, is_named=False))


def describe_chosen_cards(domain: g.Domain, scope: PhraseScope, several: g.Choose | None = None) -> str:
    """Describe cards to choose: `one card from your hand`. `several`: a choice of several cards."""
    assert domain.list is not None
    items, base = unwrap_conversions(domain.list), build_noun_phrase(domain.list, scope)
    if several is not None:
        count, is_one = describe_simple_count(several, scope)
        adjective = find_adjective(several, scope)
        cards = f"{adjective}{'card' if is_one else 'cards'} from {base.text}" if base.is_pile else f"of {base.text}"
        return f"{count} {cards}"
    zone = build_noun_phrase(items.list, scope) if isinstance(items, g.Filter) else base
    if isinstance(items, g.Filter) and zone.is_pile:
        return morphology.add_article(describe_filtered_cards(items, f"from {zone.text}", scope)[0])
    return f"one card from {base.text}" if base.is_pile else f"one of {base.text}"


@merges_statements
def format_merged_move(move: g.Stmt, cards: str, scope: PhraseScope) -> str:
    """Describe the move of chosen cards, in the sentence of the choice."""
    assert isinstance(move, g.Move)
    return format_move(move, cards, scope)


def find_adjective(choice: g.Choose, scope: PhraseScope) -> str:
    """Return the condition on the chosen cards if it is one word: `matching `."""
    condition = None if choice.provided is None else unwrap_conversions(choice.provided)
    pile = choice.domain.list is not None and build_noun_phrase(choice.domain.list, scope).is_pile
    if pile and isinstance(condition, g.Call) and condition.of is not None and condition.second is None:
        verb, _, state = scope.lexicon.nouns[condition.define].predicate.partition(" ")
        if verb == "is" and state.isalpha() and is_same_var(unwrap_conversions(condition.of), choice.var):
            return f"{state} "
    return ""


def is_moved_choice(stmt: g.Stmt, scope: PhraseScope) -> bool:
    """Return whether you choose cards, as many as a number says, whose move comes first."""
    if not isinstance(stmt, g.Choose) or not is_moved_first(stmt.var, stmt.body):
        return False
    counted = stmt.several and describe_simple_count(stmt, scope)[0] not in ("", "any number of")
    plain = not stmt.several and stmt.provided is None
    return (counted or plain) and build_noun_phrase(stmt.who, scope).is_actor


def build_moved_choice(stmt: g.Stmt, scope: PhraseScope) -> tuple[Item, tuple[Item, ...]]:
    """Describe a choice of cards that move, and what follows."""
    assert isinstance(stmt, g.Choose)
    inner, move = bind_moved_card(stmt.var, scope), stmt.body[0]
    act = format_merged_move(move, describe_chosen_cards(stmt.domain, inner, stmt if stmt.several else None), inner)
    who = build_noun_phrase(stmt.who, scope)
    if stmt.provided is not None and not (stmt.several and find_adjective(stmt, scope)):
        act += f", provided {describe_condition(stmt.provided, inner)}"
    first = build_act_item(format_player_action(who, stmt.may, act), merge_author_texts(stmt.doc, move.doc))
    return first, build_block_items(stmt.body[1:], inner)


def is_lone_act(items: Sequence[Item]) -> bool:
    """Return whether instructions are a single act of the reader without further texts."""
    hints = items[0].aggregation if len(items) == 1 else None
    return hints is not None and hints.is_action and not (items[0].items or items[0].author_text)


def is_always_possible(stmt: g.Choose) -> bool:
    """Return whether there is always something to choose, judging by the statement alone."""
    items = stmt.domain.list
    is_complete = items is None or isinstance(items, g.Members) or get_read_name(items) in ("players", "others")
    return stmt.provided is None and is_complete


def describe_choice_domain(
    var: g.Var, domain: g.Domain, multiple_choice: g.Choose | None, scope: PhraseScope, is_named: bool = True
) -> tuple[str, NounPhrase]:
    """Return the wording of a choice and the noun for its result.

    `multiple_choice`: a choice of several values. `is_named`: the result may keep its name.
    """
    if domain.low is not None and domain.high is not None:
        noun = NounPhrase(add_article(morphology.replace_hyphens(var.name), "number"), NUMBER)
        low, high = (describe_value_in_figures(bound, True, scope) for bound in (domain.low, domain.high))
        name = morphology.replace_hyphens(var.name)
        name = name if noun.text == f"the {name}" else "number"
        return f"{morphology.add_article(name)} from {low} to {high}", noun
    assert domain.list is not None
    items, base = unwrap_conversions(domain.list), build_noun_phrase(domain.list, scope)
    if multiple_choice is not None:
        noun = build_chosen_noun(var, build_list_type(get_item_type(base)), scope)
        many, is_one = describe_simple_count(multiple_choice, scope)
        limit = "" if many else f": {describe_count_bounds(multiple_choice, scope)}"
        what = f"of {base.cards_text}"
        if base.is_pile:
            what = f"{'card' if is_one else 'cards'} from {base.text}"
        return f"{(many or 'some').removesuffix(' of')} {what}{describe_naming(noun)}{limit}", noun
    one = get_item_noun(get_item_type(base))
    noun = build_chosen_noun(var, get_item_type(base), scope, is_named and var.type.tag != "player")
    if isinstance(items, g.Members):
        head = morphology.add_article(get_kind_noun(items.kind))
    else:
        head = f"one {one} from {base.text}" if base.is_pile else f"one of {base.text}"
        if base.one_item:
            head = morphology.add_article(base.one_item)
        if base.text == "the other players":
            head = "another player"
    return f"{head}{describe_naming(noun)}", noun


# ---------------------------------------------------------------- options
@register_instructions(g.Menu)
def describe_menu(stmt: g.Menu, scope: PhraseScope) -> DraftsAndScope:
    who = build_noun_phrase(stmt.who, scope)
    if len(stmt.options) == 1:
        only = stmt.options[0]
        if_wished = f"if {who.text} {morphology.agree_verb('wishes', who.is_plural)}," if stmt.may else ""
        item = build_option_item(only, scope, if_wished)
        return [evolve(item, author_text=merge_author_texts(stmt.doc, item.author_text))], scope
    options = tuple(build_option_item(item, scope) for item in stmt.options)
    act = format_player_action(who, stmt.may, "choose one of these:")
    return [evolve(build_act_item(act, stmt.doc), items=options, bullets=True)], scope


def build_option_item(node: g.Option, scope: PhraseScope, lead: str = "", end: str = "") -> Item:
    """Describe an option: its condition, its parameters, its cost and its effect.

    `lead` goes before the effect, `end` after a short one.
    """
    if lasting := describe_named_state(node, scope):
        return Item(lasting, node.doc, title=morphology.format_heading(node.name))
    whens = [when for when, _ in node.when]
    free = [when for when in whens if not any(uses_variable((when,), var) for var, _ in node.binders)]
    parts = [f"only if {describe_condition(build_compound(free, g.And), scope)}"] if free else []
    acts, scope = describe_option_bindings(node, [when for when in whens if when not in free], scope)
    rest = node.body[has_moved_binder(node) or find_raise(node) is not None :]
    items = build_block_items(rest, rename_told_cards(whens, rest, scope))
    if lead and not acts and len(node.body) == 1 and is_moved_choice(node.body[0], scope):
        first, items = build_moved_choice(node.body[0], scope)
        acts, remark = [first.text], merge_author_texts(node.doc, first.author_text)
    remark, body = split_leading_remark(tuple(map(aggregate_draft, items)))
    remark = merge_author_texts(node.doc, *collect_clause_docs(node), remark)
    if (len(body) == 1 and not body[0].items) or (len(body) == 2 and not lead and all(map(is_short_item, body))):
        remark = merge_author_texts(remark, *(item.author_text for item in body))
        acts, body = [*acts, *(item.text for item in body)], ()
    if lead:
        alone = f"{'' if lead.startswith('if ') else 'do this '}{lead.removesuffix(',')}:"
        acts = [f"{lead} {acts[0]}", *acts[1:]] if acts else [alone]
    acts[-1:] = [f"{act}{'' if body else end}" for act in acts[-1:]]
    text = " ".join(map(morphology.punctuate_sentence, [*parts, *acts]))
    return Item(text, remark, body, title=morphology.format_heading(node.name))


def rename_told_cards(conditions: Sequence[g.Expr], body: object, scope: PhraseScope) -> PhraseScope:
    """Return a scope for the effect of an option, in which cards that its conditions name are `those cards`."""
    told = {build_noun_phrase(part, scope).text for part in walk(tuple(conditions)) if isinstance(part, g.Filter)}
    those = NounPhrase("those cards", build_list_type(g.CARD), True)
    for part in walk(body):
        if isinstance(part, g.Filter) and part.type == those.type and build_noun_phrase(part, scope).text in told:
            scope = scope.rename(part, those)
    return scope


def describe_named_state(node: g.Option, scope: PhraseScope) -> str:
    """Describe an option that only sets the state that it names, until a part of the game begins again: to pass."""
    match node:
        case g.Option(binders=(), costs=(), when=(), body=(g.SetTrack(doc="") as stmt,)) if stmt.track.startswith(
            node.name
        ):
            ends = [restart.step for restart in scope.lexicon.game.tracks[stmt.track].restarts]
            if get_flag_literal(stmt.value) and ends and "move" not in ends:
                return f"you are out for the rest of the {scope.lexicon.get_step_title(ends[0]).lower()}"
    return ""


def collect_clause_docs(node: g.Option) -> list[str]:
    """Return the author's texts on the clauses of an option, in the order of the rulebook, without duplicates.

    Texts on conditions and costs answer players who can't choose the option. Those that only fit that moment, such as
    `You have no coins left.`, are left out: the rulebook states the condition itself.
    """
    refusals = [*(doc for _, doc in node.when), *(doc for _, _, doc in node.costs)]
    rules = [doc for doc in refusals if morphology.is_general_rule(doc)]
    return list(dict.fromkeys([*rules, *(domain.doc for _, domain in node.binders)]))


def has_moved_binder(node: g.Option) -> bool:
    """Return whether an option begins with the move of a chosen card."""
    return any(is_moved_first(var, node.body) for var, _ in node.binders)


def describe_raise(node: g.Option, conditions: Sequence[g.Expr], scope: PhraseScope) -> str:
    """Describe an option to raise a number: `raise the highest bid, to 12 at most`."""
    (var, domain), stmt = node.binders[0], node.body[0]
    assert isinstance(stmt, g.SetTrack) and domain.high is not None
    others = [when for when in conditions if when is not find_raise(node)]
    most = describe_value_in_figures(domain.high, True, scope)
    scope = scope.bind_noun(var, NounPhrase("it", NUMBER))
    provisos = describe_provisos(var, (), others, scope)
    target = build_target_noun(stmt, scope).text
    least = "" if domain.low is None or stmt.of is not None else describe_value_in_figures(domain.low, True, scope)
    first = f". The first {target.split(' ')[-1]} is at least {least}" if least else ""
    return f"raise {target}, to {most} at most{provisos}{first}"


def describe_option_bindings(
    node: g.Option, conditions: Sequence[g.Expr], scope: PhraseScope
) -> tuple[list[str], PhraseScope]:
    """Describe the choices for an option in sequence, with their conditions, its cost and the move of a chosen card."""
    if find_raise(node) is not None:
        return [describe_raise(node, conditions, scope)], scope.bind_noun(node.binders[0][0], NounPhrase("it", NUMBER))
    binders = sorted(node.binders, key=lambda binder: is_moved_first(binder[0], node.body))
    acts = list[str]()
    for index, (var, domain) in enumerate(binders):
        later = [other for other, _ in binders[index + 1 :]]
        if is_moved_first(var, node.body):
            scope = bind_moved_card(var, scope)
            move, what = node.body[0], describe_chosen_cards(domain, scope)
            known = "it" if what.startswith("one of ") else what
            act = format_merged_move(move, what, scope)
            if paid := describe_costs(node, scope.bind_noun(var, NounPhrase(known, var.type))):
                act = f"{act}, and pay {paid}"
                if known != "it" and uses_variable(tuple(amount for amount, *_ in node.costs), var):
                    act = f"pay {paid}, and {format_merged_move(move, 'it', scope)}"
        else:
            what, noun = describe_choice_domain(var, domain, None, scope, is_named=False)
            scope, act = scope.bind_noun(var, noun), f"choose {what}"
        acts.append(act + describe_provisos(var, later, conditions, scope))
    if not has_moved_binder(node):
        paid = describe_costs(node, scope)
        return [*([f"pay {paid}"] if paid else []), *acts], scope
    return acts, scope


def describe_costs(node: g.Option, scope: PhraseScope) -> str:
    return morphology.join_phrases([describe_cost(amount, track, scope) for amount, track, _ in node.costs])


def describe_provisos(var: g.Var, later: Sequence[g.Var], conditions: Sequence[g.Expr], scope: PhraseScope) -> str:
    """Return the conditions on a chosen value, after the words for it. `later`: variables that are chosen after it."""
    own = [when for when in conditions if uses_variable((when,), var)]
    own = [when for when in own if not any(uses_variable((when,), other) for other in later)]
    clauses = [build_choice_clause(when, var, scope) for when in own if var.type.tag == "member"]
    which = join_relative_clauses([clause for clause in clauses if clause.one], "one", "and")
    own = [when for when, clause in zip(own, clauses, strict=True) if not clause.one] if clauses else own
    if var.type.tag in ("card", "member"):
        name = "it" if var.type.tag == "card" else f"that {get_item_noun(var.type)}"
        scope = scope.bind_noun(var, NounPhrase(name, var.type))
    which = f" {which}" if which else ""
    return which + (format_proviso(build_clause(build_compound(own, g.And), scope)) if own else "")


def format_proviso(clause: Clause) -> str:
    """Return a condition on a choice: what you must have is a sentence of its own."""
    must = clause.subject == "you" and clause.predicate.startswith("have ")
    return f". You must {clause.predicate}" if must else f", provided {clause.text}"


def build_choice_clause(condition: g.Expr, var: g.Var, scope: PhraseScope) -> Clause:
    """Describe a condition on a chosen member: `that no one has won`, `where you have fewer than three cards`."""
    clause, nodes = build_clause(condition, scope.bind_tested(var)), [*walk((condition,))]
    mentions = [node for node in nodes if isinstance(node, g.Expr) and is_same_var(node, var)]
    places = [node for node in nodes if is_same_var(getattr(node, "second", None) or condition, var)]
    if clause.one or len(mentions) != len(places):
        return clause
    where = f"where {describe_condition(condition, scope.bind_noun(var, NounPhrase('', var.type)))}"
    return evolve(clause, one=where, many=where)


def split_leading_remark(body: tuple[Item, ...]) -> tuple[str, tuple[Item, ...]]:
    """Split a block into its leading remark and the rest."""
    begins = bool(body) and body[0] == Item("", body[0].author_text)
    return (body[0].author_text, body[1:]) if begins else ("", body)


def describe_cost(amount: g.Expr, track: str, scope: PhraseScope) -> str:
    """Return the wording of a cost: `one swap`; `the chosen card's cost in action points`."""
    entry = scope.lexicon.nouns[track]
    if is_non_negative_literal(amount):
        return morphology.format_count(describe_value_in_figures(amount, True, scope), entry.singular, entry.noun)
    return f"{build_noun_phrase(amount, scope).text} in {entry.noun}"


@register_instructions(g.Offer)
def describe_offer(stmt: g.Offer, scope: PhraseScope) -> DraftsAndScope:
    lead, provided = describe_loop_lead(stmt, scope)
    inner = build_loop_scope(stmt, scope)
    options = tuple(build_option_item(item, inner) for item in stmt.options)
    what = "this" if len(options) == 1 else "one of these"
    items = [Item(f"{lead} may choose {what}{provided}, until one of them does:", stmt.doc, options, bullets=True)]
    if stmt.otherwise:
        items.append(build_lead_item("if no one does", build_block_items(stmt.otherwise, scope), "", ","))
    return items, scope


# ---------------------------------------------------------------- announcements
@register_instructions(g.Announce)
def describe_announce(stmt: g.Announce, scope: PhraseScope) -> DraftsAndScope:
    name = morphology.replace_hyphens(stmt.name)
    on = f" on {build_noun_phrase(stmt.target, scope).text}" if stmt.target is not None else ""
    answers = [
        f"“{morphology.format_heading(reaction.name)}”"
        for reaction in scope.lexicon.game.reactions
        if stmt.name in reaction.to
    ]
    may = f"; others may answer with {morphology.join_phrases(answers, 'or')}" if answers else ""
    items = [Item(f"announce “{name}”{on}{may}", stmt.doc)]
    items.append(build_lead_item(f"unless “{name}” is cancelled", build_block_items(stmt.body, scope), "", ","))
    if stmt.otherwise:
        items.append(build_lead_item(f"if “{name}” is cancelled", build_block_items(stmt.otherwise, scope), "", ","))
    return items, scope
