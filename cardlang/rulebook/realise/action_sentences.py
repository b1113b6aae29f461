"""Sentences for card moves and assignments."""

from __future__ import annotations

import re

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import NUMBER
from cardlang.model.traversal import (
    get_flag_literal,
    is_absent_literal,
    is_number_literal,
    unwrap_conversions,
    uses_variable,
)
from cardlang.rulebook.model import Item
from cardlang.rulebook.realise import noun_phrases
from cardlang.rulebook.realise.aggregation import merge_author_texts
from cardlang.rulebook.realise.condition_phrases import describe_value_in_figures
from cardlang.rulebook.realise.instructions import (
    DraftsAndScope,
    build_variable_noun,
    format_instruction_for,
    register_instructions,
    register_merger,
    register_sentence,
)
from cardlang.rulebook.realise.list_and_count_phrases import LIST_ENDS, describe_sort_key, replace_rank_by_worth
from cardlang.rulebook.realise.noun_phrases import build_target_noun, get_kind_noun
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_flag_clause,
    build_noun_phrase,
    describe_condition,
)

SINGLE_CARD_PREPOSITIONS = {"place": "in", "move": "to"}
"""Prepositions before a single-card slot, if not `as`."""


# ---------------------------------------------------------------- destinations and cards
def describe_destination(verb: str, to: g.Place, scope: PhraseScope) -> str:
    """Return the destination of cards: `to your hand`, `as the Tall Card`."""
    noun = noun_phrases.build_destination_noun(to, scope)
    single = noun.type.tag == "card" or (noun.entry is not None and not noun.is_pile)
    if noun.entry is not None and noun.entry.is_zone and noun.entry.is_unit and verb in ("place", "put"):
        return f"among {noun.text}"
    if is_several_piles(noun):
        return f"to {noun.text}, one at a time in turn"
    if single:
        return f"{SINGLE_CARD_PREPOSITIONS.get(verb, 'as')} {noun.text}"
    return morphology.add_direction_preposition(noun.text, verb)


def is_several_piles(noun: NounPhrase) -> bool:
    """Return whether a noun is the piles of several owners, which get cards one at a time."""
    return noun.is_pile and noun.entry is not None and noun.entry.subject is not None and noun.owner is None


def join_cards_and_destination(cards: str, destination: str) -> str:
    """Join the cards of a move and its destination. If a relative clause makes the cards long, the destination goes
    first."""
    return f"{destination} {cards}" if re.search(r" (that|whose|who|other than) ", cards) else f"{cards} {destination}"


def describe_card_count(number: g.Expr, scope: PhraseScope) -> str:
    """Return a number of cards: `two cards`, `as many cards as the hand size`, `as many cards as there are players`."""
    count = build_noun_phrase(number, scope)
    if is_number_literal(number):
        return morphology.format_count(count.text, "card")
    return f"as many cards as {f'there are {count.counted_noun}' if count.counted_noun else count.text}"


# ---------------------------------------------------------------- moves
@register_sentence(g.Move)
def describe_move(stmt: g.Move, scope: PhraseScope) -> str:
    special_form = describe_draw_up_to(stmt, scope) or describe_deal_out(stmt, scope)
    if special_form:
        return special_form
    verb = (
        "take"
        if stmt.verb in ("give", "pass") and noun_phrases.build_destination_noun(stmt.to, scope).owner is YOU
        else stmt.verb
    )
    what = describe_cards_from_end(stmt.what, scope) or build_noun_phrase(stmt.what, scope).cards_text
    return format_move(evolve(stmt, verb=verb), what, scope)


def format_move(stmt: g.Move, cards: str, scope: PhraseScope) -> str:
    """Describe a move of these cards."""
    if stmt.end == "under":
        return f"{stmt.verb} {cards} under {noun_phrases.build_destination_noun(stmt.to, scope).text}"
    verb = "turn up" if stmt.verb == "turn" else stmt.verb
    order = f", sorted with the {stmt.end} on top" if stmt.end != "top" else ""
    return f"{verb} {join_cards_and_destination(cards, describe_destination(stmt.verb, stmt.to, scope))}{order}"


def describe_cards_from_end(what: g.Expr, scope: PhraseScope) -> str:
    """Describe cards from one end of a list, if a value of the game gives their number or the list is sorted."""
    what = unwrap_conversions(what)
    if not (isinstance(what, g.Agg) and what.function in LIST_ENDS and what.number is not None):
        return ""
    many, items = describe_card_count(what.number, scope), unwrap_conversions(what.list)
    if isinstance(items, g.Sorted):
        base = build_noun_phrase(items.list, scope)
        return (
            f"{many} from {base.text}, {describe_best_end(what.function, items, scope)} first," if base.is_pile else ""
        )
    base = build_noun_phrase(items, scope)
    if is_number_literal(what.number) or not base.is_pile:
        return ""
    return f"{many} from {f'the {what.function} of ' if what.function != 'first' else ''}{base.text}"


def describe_best_end(function: str, sorted_list: g.Sorted, scope: PhraseScope) -> str:
    """Return the first cards of a sorted list: `the highest in rank`."""
    ends = ("best", "worst") if sorted_list.order is not None else ("highest", "lowest")
    return f"the {ends[function in ('last', 'bottom')]} in {describe_sort_key(sorted_list, scope)}"


def describe_deal_out(stmt: g.Move, scope: PhraseScope) -> str:
    """Describe a deal of one card at a time: `deal deck to players' hand`."""
    to = noun_phrases.build_destination_noun(stmt.to, scope)
    if not is_several_piles(to) or stmt.to.of is None or to.entry is None or stmt.end != "top":
        return ""
    owners = build_noun_phrase(stmt.to.of, scope)
    base = build_noun_phrase(stmt.what, scope)
    by_hand = to.entry.noun == "hand"
    if base.is_pile:
        out = "deal out" if stmt.verb == "deal" else stmt.verb
        all_cards = (
            f"the whole {base.text.removeprefix('the ')}" if base.text.startswith("the ") else f"all of {base.text}"
        )
        return f"{out} {all_cards} to {owners.text if by_hand else to.text}, one card at a time in turn"
    share = describe_deal_share(stmt.what, owners, scope)
    if not share:
        return f"{stmt.verb} {base.text} to {owners.text}, one at a time in turn" if by_hand else ""
    whom = "each player" if owners.text == "the players" else f"each of {owners.text}"
    whose = whom if by_hand else f"the {to.entry.noun} of {whom}"
    return f"{stmt.verb} {share} to {whose}{'' if share.startswith('one ') else ', one at a time in turn'}"


def describe_deal_share(what: g.Expr, owners: NounPhrase, scope: PhraseScope) -> str:
    """Describe each player's share of a deal: `top (2 * count of players) of deck` is two cards from the deck."""
    what = unwrap_conversions(what)
    if not (isinstance(what, g.Agg) and what.function == "top" and what.number is not None):
        return ""
    source, number = build_noun_phrase(what.list, scope).text, unwrap_conversions(what.number)
    share = build_number_one(number)
    if isinstance(number, g.Arith) and number.operator == "*" and is_number_literal(number.left):
        share, number = unwrap_conversions(number.left), unwrap_conversions(number.right)
    counted = isinstance(number, g.Agg) and number.function == "count" and build_noun_phrase(number.list, scope).text
    return f"{describe_card_count(share, scope)} from {source}" if counted == owners.text else ""


def build_number_one(expr: g.Expr | g.Stmt) -> g.Expr:
    """Return the number one as an expression."""
    return g.Const(g.NUMBER, expr.span, 1)


def describe_draw_up_to(stmt: g.Move, scope: PhraseScope) -> str:
    """Describe drawing up to a hand size: `draw top (5 - count of your hand) of deck to your hand`."""
    what = unwrap_conversions(stmt.what)
    lack = what.number if isinstance(what, g.Agg) and what.function in LIST_ENDS else None
    if not isinstance(what, g.Agg) or not isinstance(lack, g.Arith):
        return ""
    to = noun_phrases.build_destination_noun(stmt.to, scope)
    if lack.operator != "-" or not is_count_of_zone(lack.right, to, scope):
        return ""
    source, full = build_noun_phrase(what.list, scope).text, build_noun_phrase(lack.left, scope).text
    return f"{stmt.verb} cards from the {what.function} of {source} until there are {full} in {to.text}"


def is_count_of_zone(expr: g.Expr, zone_noun: NounPhrase, scope: PhraseScope) -> bool:
    expr = unwrap_conversions(expr)
    return (
        isinstance(expr, g.Agg)
        and expr.function == "count"
        and build_noun_phrase(expr.list, scope).text == zone_noun.text
    )


@register_sentence(g.Shuffle)
def describe_shuffle(stmt: g.Shuffle, scope: PhraseScope) -> str:
    return f"shuffle {noun_phrases.build_destination_noun(stmt.zone, scope).text}"


@register_sentence(g.ShufflePlayers)
def describe_shuffle_players(stmt: g.ShufflePlayers, scope: PhraseScope) -> str:
    return "put the players in a random order"


@register_sentence(g.Reveal)
def describe_reveal(stmt: g.Reveal, scope: PhraseScope) -> str:
    to = "everybody" if stmt.to is None else build_noun_phrase(stmt.to, scope).text
    return f"show {build_noun_phrase(stmt.cards, scope).text} to {to}"


# ---------------------------------------------------------------- picks
def format_player_action(who: NounPhrase, may: bool, action: str) -> str:
    """Return an act of the addressed player (imperative) or of another one."""
    return f"{who.text} may {action}" if may else format_instruction_for(who, action)


@register_sentence(g.Pick)
def describe_pick(stmt: g.Pick, scope: PhraseScope) -> str:
    may = stmt.may
    if stmt.low is None and isinstance(stmt.high, g.Const) and stmt.high.value == 1:
        stmt, may = evolve(stmt, low=stmt.high), True
    what, limit = describe_pick_source(stmt, scope)
    act = f"{stmt.verb} {join_cards_and_destination(what, describe_destination(stmt.verb, stmt.to, scope))}{limit}"
    return format_player_action(build_noun_phrase(stmt.who, scope), may, act)


def describe_pick_source(stmt: g.Pick, scope: PhraseScope) -> tuple[str, str]:
    """Return the picked cards, and the limit on their number if it goes at the end."""
    limit = describe_discard_limit(stmt, scope)
    many, one = ("", False) if limit else describe_simple_count(stmt, scope)
    limit = limit or ("" if many else f", {describe_count_bounds(stmt, scope)}")
    cards = f"{many or 'some'} card{'' if one else 's'}" if not limit else "cards"
    noun = build_noun_phrase(stmt.source, scope)
    if stmt.position == "random":
        return f"{cards.replace('card', 'random card')} from {noun.text}", limit
    if stmt.position is not None:
        return f"{cards} from the {stmt.position} of {noun.text}", limit
    if noun.is_pile:
        return f"{cards} from {noun.text}", limit
    return f"{many or 'some'} of {noun.text}", limit


CountedChoice = g.Pick | g.Choose


def has_exact_count(stmt: CountedChoice) -> bool:
    """Return whether only one number is allowed, which is written once."""
    return stmt.low is not None and stmt.high is not None and stmt.low.span == stmt.high.span


def describe_simple_count(stmt: CountedChoice, scope: PhraseScope) -> tuple[str, bool]:
    """Return the number in words, and whether it is one; empty if it needs more than numbers."""
    if stmt.high is None:
        return "any number of", False
    if not all(bound is None or is_number_literal(bound) for bound in (stmt.low, stmt.high)):
        return "", False
    high = build_noun_phrase(stmt.high, scope).text
    if stmt.low is None:
        return f"up to {high}", high == "one"
    low = build_noun_phrase(stmt.low, scope).text
    if low == high:
        return high, high == "one"
    return f"{low} {'or' if (low, high) == ('one', 'two') else 'to'} {high}", False


def describe_count_bounds(stmt: CountedChoice, scope: PhraseScope) -> str:
    """Return the limits on a number that is a value of the game."""
    assert stmt.high is not None
    high = build_noun_phrase(stmt.high, scope)
    if has_exact_count(stmt):
        return f"as many as there are {high.counted_noun}" if high.counted_noun else f"as many as {high.text}"
    most = f"at most {high.text}"
    return most if stmt.low is None else f"at least {build_noun_phrase(stmt.low, scope).text} and {most}"


def describe_discard_limit(stmt: g.Pick, scope: PhraseScope) -> str:
    """Describe discarding down to a limit: `count of your hand - limit from your hand`."""
    many = stmt.low
    if not (has_exact_count(stmt) and isinstance(many, g.Arith) and many.operator == "-"):
        return ""
    if not is_count_of_zone(many.left, build_noun_phrase(stmt.source, scope), scope):
        return ""
    return f" until only as many as {build_noun_phrase(many.right, scope).text} remain"


# ---------------------------------------------------------------- assignments
@register_sentence(g.SetTrack)
def describe_set_track(stmt: g.SetTrack, scope: PhraseScope) -> str:
    if stmt.operator == "=":
        return describe_assignment(stmt, build_target_noun(stmt, scope), scope)
    amount, changed = (
        replace_rank_by_worth(build_noun_phrase(stmt.value, scope), scope).text,
        build_target_noun(stmt, scope).text,
    )
    if stmt.operator == "-":
        return f"subtract {amount} from {changed}"
    return f"double {changed}" if amount == changed else f"add {amount} to {changed}"


def describe_assignment(stmt: g.SetTrack, target_noun: NounPhrase, scope: PhraseScope) -> str:
    value = build_noun_phrase(stmt.value, scope)
    if target_noun.type.tag == "flag":
        return describe_flag_assignment(stmt.value, target_noun, scope)
    if is_absent_literal(stmt.value):
        return f"{target_noun.text} {get_be_form(target_noun)} {value.text} from now on"
    if target_noun.type.tag == "player":
        return f"{value.text} {morphology.agree_verb('becomes', value.is_plural)} {target_noun.text}"
    if re.search(rf"\b{re.escape(target_noun.text)}\b", value.text):
        return f"change {target_noun.text} to {value.text}"
    return (
        f"{target_noun.text} {get_be_form(target_noun)} now "
        f"{describe_value_in_figures(stmt.value, target_noun.type.tag == 'member', scope)}"
    )


def get_be_form(noun: NounPhrase) -> str:
    return morphology.agree_verb("is", noun.is_plural)


def describe_flag_assignment(value: g.Expr, target_noun: NounPhrase, scope: PhraseScope) -> str:
    """Describe an assignment to a flag."""
    clause_text, known = build_flag_clause(target_noun, True).text, get_flag_literal(value)
    if known is None:
        return f"note whether {describe_condition(value, scope)}: then {clause_text}"
    return morphology.describe_change(clause_text, known)


@register_instructions(g.Remember)
def describe_remember(stmt: g.Remember, scope: PhraseScope) -> DraftsAndScope:
    value = build_noun_phrase(stmt.value, scope)
    if not stmt.var.name:  # the choice after it names the player
        return [], scope.bind_noun(stmt.var, value)
    noun = build_variable_noun(stmt.var.name, value.type)
    text = f"{noun.text} {get_be_form(noun)} {value.cards_text}"
    if value.entry is not None and value.entry.type.tag == "number":
        text = f"note {value.text} as {'they are' if value.is_plural else 'it is'} now: {noun.text}"
    if value is YOU:
        text = f"you are {noun.text}"
    return [Item(text, stmt.doc)], scope.bind_noun(stmt.var, noun)


@register_merger(g.Remember, g.Move)
def merge_remember_move(
    first: g.Remember, second: g.Move, later: tuple[g.Stmt, ...], scope: PhraseScope
) -> DraftsAndScope | None:
    """Merge `remember top of deck as catch`, `draw catch to your hand` to: draw the top card (the catch)."""
    value = build_noun_phrase(first.value, scope)
    noun = build_variable_noun(first.var.name, value.type)
    inner = scope.bind_noun(first.var, noun)
    if build_noun_phrase(second.what, inner) is not noun:
        return None
    aside = f" ({noun.text})" if uses_variable((second.to, later), first.var) else ""
    text = format_move(second, f"{value.cards_text}{aside}", inner)
    return [Item(text, merge_author_texts(first.doc, second.doc))], inner


# ---------------------------------------------------------------- choices that set a value
@register_merger(g.Choose, g.SetTrack)
def merge_choose_assignment(
    first: g.Choose, second: g.SetTrack, later: tuple[g.Stmt, ...], scope: PhraseScope
) -> DraftsAndScope | None:
    """Merge `you choose promise from 0 to 13`, `set your bid to promise` to: choose a number as your bid."""
    text = "" if first.body or uses_variable(later, first.var) else describe_value_choice(first, second, scope)
    return ([Item(text, merge_author_texts(first.doc, second.doc))], scope) if text else None


def describe_value_choice(choice: g.Choose, stmt: g.Stmt, scope: PhraseScope) -> str:
    """Describe your choice of a number or a member that only sets a value; return "" for other choices."""
    domain, it = choice.domain, NounPhrase("it", NUMBER)
    inner = scope.bind_noun(choice.var, it)
    if choice.may or choice.several or build_noun_phrase(choice.who, scope) is not YOU:
        return ""
    if not isinstance(stmt, g.SetTrack) or stmt.operator != "=" or build_noun_phrase(stmt.value, inner) is not it:
        return ""
    of_kind = None if domain.list is None else unwrap_conversions(domain.list)
    if domain.low is not None and domain.high is not None:
        what = (
            f"a number from {build_noun_phrase(domain.low, scope).text} to {build_noun_phrase(domain.high, scope).text}"
        )
    elif isinstance(of_kind, g.Members):
        what = morphology.add_article(get_kind_noun(of_kind.kind))
    else:
        return ""
    provided = f", provided {describe_condition(choice.provided, inner)}" if choice.provided is not None else ""
    return f"choose {what} as {build_target_noun(stmt, scope).text}{provided}"
