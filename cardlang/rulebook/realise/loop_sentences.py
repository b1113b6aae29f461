"""Sentences for loops over players and for turn order."""

from __future__ import annotations

import re
from collections.abc import Mapping

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import PLAYER
from cardlang.model.expression_queries import get_flag_literal, get_read_name, is_you, unwrap_conversions
from cardlang.model.simultaneous_choice_conflicts import can_choices_conflict
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import collect_all_nodes, iter_reachable_bodies, walk
from cardlang.rulebook.model import AggregationHints, Item
from cardlang.rulebook.realise import noun_phrases
from cardlang.rulebook.realise.action_sentences import build_number_one, describe_card_count, is_count_of_zone
from cardlang.rulebook.realise.filter_phrases import is_whole_group
from cardlang.rulebook.realise.instructions import (
    Act,
    DraftsAndScope,
    build_act_item,
    build_block_items,
    build_chosen_noun,
    build_lead_item,
    register_instructions,
)
from cardlang.rulebook.realise.list_noun_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import can_follow_article, get_kind_noun
from cardlang.rulebook.realise.phrases import THEY, YOU, NounPhrase, PhraseScope, build_clause, build_noun_phrase
from cardlang.rulebook.realise.sentence_aggregation import (
    aggregate_draft,
    can_share_sentence,
    conjugate_act,
    get_explanation,
    join_actions,
    merge_author_texts,
)

RememberedValues = Mapping[int, g.Expr]
"""Values of variables, by their ids."""


def describe_turn_order(content: g.Game, is_clockwise: bool) -> list[str]:
    """Return the facts on the order of turns. `content`: the content of the rulebook."""
    if content.seats[-1] == 1:
        return []
    parts = list(collect_all_nodes(content))
    known = {part.var.id: part.value for part in parts if isinstance(part, g.Remember)}
    unnamed = any(is_first_player_unnamed(part, content, known) for part in parts)
    if not is_clockwise:
        begins = "; if no player is named to begin, the first in it does" if unnamed else ""
        return [f"Turns: in the order drawn in the set-up{begins}"]
    first = "Choose a first player for the whole game, who begins if the rules name no other"
    return [*(["Play goes clockwise"] if content.seats[-1] > 2 else []), *([first] if unnamed else [])]


def is_first_player_unnamed(part: object, content: g.Game, remembered: RememberedValues) -> bool:
    """Return whether the order of a loop over players matters but the rules give no start."""
    if not isinstance(part, g.Each | g.Offer) or part.var.type.tag != "player" or part.start is not None:
        return False
    if has_player_order(part.list, content, remembered):
        return False
    return isinstance(part, g.Offer) or (not part.together and has_noticeable_effect(part.body, content))


def has_player_order(players: g.Expr, content: g.Game, remembered: RememberedValues) -> bool:
    """Return whether a list of players has an order. The opponents of a player begin with the next one."""
    match unwrap_conversions(players):
        case g.Filter(list=base):
            return has_player_order(base, content, remembered)
        case g.Sorted() | g.Agg() | g.Builtin(name="others") | g.MapEach(list=g.Sorted()):
            return True
        case g.Var(id=number) if number in remembered:
            return has_player_order(remembered[number], content, remembered)
        case g.Call(define=name) if name in content.defines:
            value = content.defines[name].value
            return not isinstance(value, g.Cases | g.FirstPossible) and has_player_order(value, content, remembered)
    return get_read_name(players) == "others"


def has_noticeable_effect(body: object, content: g.Game) -> bool:
    """Return whether a body contains a decision or an ending, directly or in steps that it runs."""
    parts = walk(tuple(iter_reachable_bodies(content, body)))
    return any(part.asks or part.waits or part.finished or part.card_steps for part in map(find_effects, parts))


# ---------------------------------------------------------------- loops
LoopStatement = g.Each | g.Offer
"""Loop over the items of `list`, from `start` around, if `condition` holds."""


@register_instructions(g.Each)
def describe_each(stmt: g.Each, scope: PhraseScope) -> DraftsAndScope:
    sentence = "" if stmt.is_named else describe_lasting_state(stmt, scope) or describe_deal(stmt, scope)
    if sentence:
        body = build_block_items(stmt.body, build_loop_scope(stmt, scope))
        author_text = merge_author_texts(stmt.doc, body[0].author_text)
        return [build_act_item(sentence, author_text)], scope
    if stmt.is_named:
        whom, provided = describe_loop_members(stmt, scope)
        inner = scope.bind_noun(stmt.var, build_chosen_noun(stmt.var, stmt.var.type, scope, is_named=False))
        lead = f"{describe_loop_start(stmt, scope)}for {whom}{provided}"
        return [build_lead_item(lead, build_block_items(stmt.body, inner), stmt.doc)], scope
    lead, provided = describe_simultaneous_lead(stmt, scope) if stmt.together else describe_loop_lead(stmt, scope)
    shared = build_shared_acts(stmt, scope)
    if shared:
        acts = join_actions([conjugate_act(act.text) for act in shared])
        author_text = merge_author_texts(stmt.doc, shared[-1].author_text)
        hints = AggregationHints(explanation=get_explanation(shared[-1]))
        return [Item(f"{lead} {acts}{provided}", author_text, aggregation=hints)], scope
    body = build_block_items(stmt.body, build_loop_scope(stmt, scope))
    lead = lead if stmt.var.type.tag == "player" else f"for {lead}"
    is_subject = stmt.var.type.tag == "player" and not provided
    return [build_lead_item(f"{lead}{provided}", body, stmt.doc, is_subject=is_subject)], scope


def build_shared_acts(stmt: g.Each, scope: PhraseScope) -> tuple[Item, ...]:
    """Return the acts of each player of a loop, for a sentence about `each player`; nothing if they are too many."""
    others = (part for part in walk(stmt.body) if isinstance(part, g.Var) and part.type.tag == stmt.var.type.tag)
    tag = stmt.var.type.tag
    plain = tag == "player" or (tag == "member" and all(isinstance(part, g.SetTrack) for part in stmt.body))
    if not plain or any(part.id != stmt.var.id for part in others):
        return ()
    actor = THEY if stmt.var.type.tag == "player" else NounPhrase("it", stmt.var.type)
    drafts = tuple(map(aggregate_draft, build_block_items(stmt.body, scope.rename(stmt.var, actor))))
    return drafts if can_share_sentence(drafts) else ()


def build_loop_subgroup(loop: LoopStatement, scope: PhraseScope) -> NounPhrase | None:
    """Return the noun for the players or values of a loop; None if it is about all of them."""
    return None if is_whole_group(loop.list) else build_noun_phrase(loop.list, scope)


def describe_simultaneous_lead(loop: LoopStatement, scope: PhraseScope) -> tuple[str, str]:
    """Return the lead of a simultaneous choice, and its other conditions."""
    whom, provided = describe_loop_members(loop, scope)
    if isinstance(loop, g.Each) and can_choices_conflict(scope.lexicon.game, loop):
        provided += "; then, one after the other, each choice that is still possible takes effect"
    return f"at the same time and in secret, {whom}", provided


def build_loop_scope(loop: LoopStatement, scope: PhraseScope) -> PhraseScope:
    """Return the scope of a loop body, which addresses the current player as `you`."""
    return scope.bind_noun(loop.var, YOU if loop.var.type.tag == "player" else NounPhrase("it", loop.var.type))


def describe_loop_lead(loop: LoopStatement, scope: PhraseScope) -> tuple[str, str]:
    """Return the lead of a loop, and its other conditions: `starting with the dealer, each player`."""
    whom, provided = describe_loop_members(loop, scope)
    if loop.var.type.tag != "player":
        return whom, provided
    return f"{describe_loop_start(loop, scope)}{whom}", provided


def describe_loop_members(loop: LoopStatement, scope: PhraseScope) -> tuple[str, str]:
    """Return the loop's `each …` with its relative clause, and any other condition."""
    name = loop.var.type.of or loop.var.type.tag
    one = get_kind_noun(name) if can_follow_article(name) else get_item_noun(loop.var.type)
    head, among = f"each {one}", build_loop_subgroup(loop, scope)
    match unwrap_conversions(loop.list):
        case g.Joined() if among is not None:
            head = f"each of these, {among.text},"
        case g.Builtin(name="others", of=of) if of is not None and is_you(of):
            head, among = "every other player", None
        case _ if among is not None:
            head = f"each card {among.place}" if among.place else f"each of {among.text}"
    which, provided = describe_loop_condition(loop, among is not None and not among.place, scope)
    return f"{head}{which}", provided


def describe_deal(stmt: g.Each, scope: PhraseScope) -> Act | None:
    """Describe deals from the deck to each player; None for any other loop.

    An example is `each player: deal top 5 of deck to your hand`.
    """
    if stmt.together or stmt.var.type.tag != "player" or not stmt.body:
        return None
    whom, provided = describe_loop_members(stmt, scope)
    shares: list[str] = []
    for move in stmt.body:
        share = describe_dealt_share(move, whom if not shares else "", build_loop_scope(stmt, scope))
        if not share:
            return None
        shares.append(share)
    start = f", starting with {describe_start_player(stmt.start, scope)}" if stmt.start is not None else ""
    return Act(YOU, f"deal {morphology.join_phrases(shares)}{start}{provided}")


def describe_dealt_share(move: g.Stmt, receiver: str, scope: PhraseScope) -> str:
    """Describe the cards that a player gets in a deal: `five cards to each player`, `three to their hand`; or empty.

    `receiver`: the players; empty if they are named before.
    """
    what = unwrap_conversions(move.what) if isinstance(move, g.Move) and move.verb == "deal" else None
    if not isinstance(move, g.Move) or not isinstance(what, g.Agg) or what.function != "top":
        return ""
    to = noun_phrases.build_destination_noun(move.to, scope)
    if to.owner is not YOU or to.entry is None or move.end != "top" or not is_table_source(what.list):
        return ""
    homes = {cards.home for cards in scope.lexicon.game.sets.values()}
    origin = "" if homes == {get_read_name(what.list)} else f" from {build_noun_phrase(what.list, scope).text}"
    number = unwrap_conversions(what.number) if what.number is not None else build_number_one(move)
    if isinstance(number, g.Arith) and number.operator == "-" and is_count_of_zone(number.right, to, scope):
        full = build_noun_phrase(number.left, scope).text
        return f"cards{origin} to {receiver} until they have {full}" if receiver and to.entry.noun == "hand" else ""
    whose = receiver if to.entry.noun == "hand" else f"the {to.entry.noun} of {receiver}"
    return f"{describe_card_count(number, scope)}{origin} to {whose if receiver else f'their {to.entry.noun}'}"


def is_table_source(source: g.Expr) -> bool:
    """Return whether cards come from a zone or definition of the table, or from a variable."""
    source = unwrap_conversions(source)
    return isinstance(source, g.Var) or (isinstance(source, g.ZoneCards | g.Call) and source.of is None)


def describe_loop_condition(loop: LoopStatement, is_plural: bool, scope: PhraseScope) -> tuple[str, str]:
    """Return the relative clause of a loop's condition, and any other condition.

    `is_plural`: the players or values are named in the plural.
    """
    if loop.condition is None:
        return "", ""
    about = build_clause(loop.condition, scope.bind_tested(loop.var))
    if loop.var.type.tag == "player":  # here, `you` is not the addressed player
        about = evolve(about, one=replace_your_with_actor(about.one), many=replace_your_with_actor(about.many))
    free = about.provided if about.one else about.text
    conjunction = "if" if re.search(r"\btheir\b|\bits\b", free) else "as long as"
    return f" {about.many if is_plural else about.one}".rstrip(), f", {conjunction} {free}" if free else ""


def replace_your_with_actor(text: str) -> str:
    """Replace `your` in a condition on the addressed players: it means the player who runs the step."""
    return re.sub(r"\byour\b", "the acting player's", text)


def describe_loop_start(loop: LoopStatement, scope: PhraseScope) -> str:
    """Return the starting player, if the rules give one or the loop is over a player's opponents."""
    if loop.start is not None:
        return f"starting with {describe_start_player(loop.start, scope)}, "
    match unwrap_conversions(loop.list):
        case g.Builtin(name="others", of=g.Expr() as of) if not is_you(of):
            return f"starting with the player after {build_noun_phrase(of, scope).text}, "
        case g.Builtin(name="others"):
            return "starting with the next player, "
    return ""


def describe_start_player(start: g.Expr, scope: PhraseScope) -> str:
    """Return the player with whom a loop starts. The loop itself addresses another player."""
    who = build_noun_phrase(start, scope)
    return "the player whose turn it is" if who is YOU else who.text


def describe_lasting_state(stmt: g.Each, scope: PhraseScope) -> str:
    """Describe a state of all players from now on: `each player is out of the game`. Empty if they do more."""
    is_state = len(stmt.body) == 1 and (is_flag_setting(stmt.body[0]) or isinstance(stmt.body[0], g.Eliminate))
    if not is_state or stmt.together or stmt.start is not None or stmt.var.type.tag != "player":
        return ""
    whom, provided = describe_loop_members(stmt, scope)
    (item,) = build_block_items(stmt.body, scope.bind_noun(stmt.var, NounPhrase(whom, PLAYER)))
    return "" if provided else item.text


def is_flag_setting(stmt: g.Stmt) -> bool:
    return isinstance(stmt, g.SetTrack) and stmt.of is not None and get_flag_literal(stmt.value) is not None
