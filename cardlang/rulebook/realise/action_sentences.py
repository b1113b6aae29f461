"""Sentences for card moves and picks."""

from __future__ import annotations

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.expression_queries import is_non_negative_literal, unwrap_conversions
from cardlang.model.traversal import walk
from cardlang.rulebook.realise import noun_phrases
from cardlang.rulebook.realise.choice_counts import describe_count_bounds, describe_simple_count, has_exact_count
from cardlang.rulebook.realise.instructions import Act, register_sentence
from cardlang.rulebook.realise.list_noun_phrases import LIST_ENDS
from cardlang.rulebook.realise.phrases import THEY, YOU, NounPhrase, PhraseScope, build_noun_phrase

SINGLE_CARD_PREPOSITIONS = {"place": "in", "move": "to"}
"""Prepositions before a single-card slot, if not `as`."""
TAKING_VERBS = ("draw", "take")
"""Verbs of the player who gets the cards."""


# ---------------------------------------------------------------- destinations and cards
def describe_destination(verb: str, to: g.Place, scope: PhraseScope) -> str:
    """Return the destination of cards: `to your hand`, `as the Tall Card`."""
    noun = noun_phrases.build_destination_noun(to, scope)
    if is_implied_destination(verb, noun):
        return ""
    single = noun.type.tag == "card" or (noun.entry is not None and not noun.is_pile)
    if noun.entry is not None and noun.entry.is_zone and noun.entry.is_unit and verb in ("place", "put"):
        return f"among {noun.text}"
    if is_several_piles(noun):
        return f"to {noun.text}, one at a time"
    if single:
        return f"{SINGLE_CARD_PREPOSITIONS.get(verb, 'as')} {noun.text}"
    return morphology.add_direction_preposition(noun.text, verb)


def is_implied_destination(verb: str, noun: NounPhrase) -> bool:
    """Return whether a verb says the destination: `draw` a card to your hand, `discard` it to the discard pile."""
    own = noun.owner is None if noun.entry is not None and noun.entry.subject is None else is_actor(noun.owner)
    return own and noun.entry is not None and noun.entry.noun in morphology.IMPLIED_DESTINATIONS.get(verb, ())


def is_actor(noun: NounPhrase | None) -> bool:
    return noun is not None and noun.is_actor


def is_several_piles(noun: NounPhrase) -> bool:
    """Return whether a noun is the piles of several owners, which get cards one at a time."""
    return noun.is_pile and noun.entry is not None and noun.entry.subject is not None and noun.owner is None


def join_cards_and_destination(cards: str, destination: str) -> str:
    """Join the cards of a move and its destination. If a relative clause makes the cards long, the destination goes
    first."""
    return f"{cards} {destination}".rstrip()


def describe_card_count(number: g.Expr, scope: PhraseScope) -> str:
    """Return a number of cards: `two cards`, `as many cards as the hand size`, `as many cards as there are players`."""
    count = build_noun_phrase(number, scope)
    if is_non_negative_literal(number):
        return morphology.format_count(count.text, "card")
    if count.counted_noun.startswith("of those"):
        return "the same number of cards"
    return f"as many cards as {f'there are {count.counted_noun}' if count.counted_noun else count.text}"


# ---------------------------------------------------------------- moves
@register_sentence(g.Move)
def describe_move(stmt: g.Move, scope: PhraseScope) -> Act | str:
    if (refill := describe_draw_up_to(stmt, scope)) is not None:
        return refill
    if deal := describe_deal_share(stmt, scope):
        return Act(YOU, deal)
    own = is_actor(noun_phrases.build_destination_noun(stmt.to, scope).owner)
    verb = "take" if stmt.verb in ("give", "pass") and own else stmt.verb
    what = describe_cards_from_end(stmt.what, scope) or describe_moved_cards(build_noun_phrase(stmt.what, scope))
    what = "the trick" if is_trick(stmt.what, scope) else what
    taker = find_taker(stmt, scope)
    if taker is None or stmt.to.of is None:
        return Act(YOU, format_move(stmt.replace(verb=verb), what, scope))
    return Act(taker, format_move(stmt.replace(verb=verb), what, scope.rename(stmt.to.of, THEY)))


def is_trick(cards: g.Expr, scope: PhraseScope) -> bool:
    """Return whether cards are all that players have just played to a trick."""
    if scope.step is None or scope.step.name != "trick" or not isinstance(unwrap_conversions(cards), g.ZoneCards):
        return False
    entry = build_noun_phrase(cards, scope).entry
    return entry is not None and entry.noun in morphology.IMPLIED_DESTINATIONS["play"]


@register_sentence(g.Insert)
def describe_insert(stmt: g.Insert, scope: PhraseScope) -> Act:
    what = describe_moved_cards(build_noun_phrase(stmt.what, scope))
    return Act(YOU, f"{stmt.verb} {what} {stmt.side} {build_noun_phrase(stmt.card, scope).text}")


def find_taker(stmt: g.Move, scope: PhraseScope) -> NounPhrase | None:
    """Return the other player who draws or takes cards, if any."""
    owner = None if stmt.to.of is None else build_noun_phrase(stmt.to.of, scope)
    known = owner is not None and not owner.is_actor and not stmt.to.each and owner.type.tag == "player"
    return owner if stmt.verb in TAKING_VERBS and known and not uses_owner(stmt.what, stmt.to.of) else None


def uses_owner(value: g.Expr, owner: g.Expr | None) -> bool:
    """Return whether a value mentions the owner of a place."""
    return any(part == owner for part in walk((value,)))


def describe_moved_cards(noun: NounPhrase) -> str:
    """Return the cards of a move: `all cards from the table`, `your hand`."""
    return noun.text if noun.stands_for_cards else f"all cards from {noun.text}"


def format_move(stmt: g.Move, cards: str, scope: PhraseScope) -> str:
    """Describe a move of these cards."""
    if stmt.end == "under":
        return f"{stmt.verb} {cards} under {noun_phrases.build_destination_noun(stmt.to, scope).text}"
    if stmt.verb in ("put", "remove") and is_implied_destination(
        "discard", noun_phrases.build_destination_noun(stmt.to, scope)
    ):
        stmt = stmt.replace(verb="discard")
    verb = {"turn": "turn up", "remove": "put"}.get(stmt.verb, stmt.verb)
    order = f", sorted with the {stmt.end} on top" if stmt.end != "top" else ""
    return f"{verb} {join_cards_and_destination(cards, describe_destination(stmt.verb, stmt.to, scope))}{order}"


def describe_cards_from_end(cards: g.Expr, scope: PhraseScope) -> str:
    """Describe cards from one end of a list, if a value of the game gives their number or the list is sorted."""
    cards = unwrap_conversions(cards)
    if not (isinstance(cards, g.Agg) and cards.function in LIST_ENDS and cards.number is not None):
        return ""
    many, base = describe_card_count(cards.number, scope), build_noun_phrase(cards.list, scope)
    if is_non_negative_literal(cards.number) or not base.is_pile:
        return ""
    return f"{many} from {f'the {cards.function} of ' if cards.function != 'first' else ''}{base.text}"


def describe_deal_share(stmt: g.Move, scope: PhraseScope) -> str:
    """Describe each player's share of a deal: `top (2 * count of players) of deck` is two cards to each player."""
    to, cards = noun_phrases.build_destination_noun(stmt.to, scope), unwrap_conversions(stmt.what)
    if not (is_several_piles(to) and isinstance(cards, g.Agg) and cards.function == "top"):
        return ""
    if stmt.to.of is None or cards.number is None:
        return ""
    owners, number = build_noun_phrase(stmt.to.of, scope).text, unwrap_conversions(cards.number)
    share = build_number_one(number)
    if isinstance(number, g.Arith) and number.operator == "*" and is_non_negative_literal(number.left):
        share, number = unwrap_conversions(number.left), unwrap_conversions(number.right)
    if not isinstance(number, g.Agg) or build_noun_phrase(number.list, scope).text != owners:
        return ""
    whom = "each player" if owners == "the players" else f"each of {owners}"
    cards_text = f"{describe_card_count(share, scope)} from {build_noun_phrase(cards.list, scope).text}"
    return f"{stmt.verb} {cards_text} to {whom}{'' if cards_text.startswith('one ') else ', one at a time'}"


def build_number_one(expr: g.Expr | g.Stmt) -> g.Expr:
    """Return the number one as an expression."""
    return g.Const(g.NUMBER, expr.span, 1)


def describe_draw_up_to(stmt: g.Move, scope: PhraseScope) -> Act | None:
    """Describe drawing up to a hand size: `draw top (5 - count of your hand) of deck to your hand`.

    The number of cards in the source may limit it.
    """
    what, who = unwrap_conversions(stmt.what), YOU
    lack = what.number if isinstance(what, g.Agg) and what.function in LIST_ENDS else None
    if not isinstance(what, g.Agg) or lack is None:
        return None
    if stmt.to.of is not None and not is_actor(owner := build_noun_phrase(stmt.to.of, scope)) and stmt.verb == "draw":
        who, scope = owner, scope.rename(stmt.to.of, THEY)
    to, source, end = noun_phrases.build_destination_noun(stmt.to, scope), build_noun_phrase(what.list, scope), ""
    match unwrap_conversions(lack):
        case g.Agg(function="lowest", list=g.Joined(items=(lacking, rest))) if is_count_of_zone(rest, source, scope):
            lack, end = lacking, " or none are left"
    match lack:
        case g.Arith(operator="-", left=full, right=held) if is_count_of_zone(held, to, scope):
            many = build_noun_phrase(full, scope).text
            start = f"the {what.function} of " if source.is_pile else ""
            return Act(who, f"{stmt.verb} cards from {start}{source.text} until there are {many} in {to.text}{end}")
    return None


def is_count_of_zone(expr: g.Expr, zone_noun: NounPhrase, scope: PhraseScope) -> bool:
    match unwrap_conversions(expr):
        case g.Agg(function="count", list=counted):
            return build_noun_phrase(counted, scope).text == zone_noun.text
    return False


@register_sentence(g.Shuffle)
def describe_shuffle(stmt: g.Shuffle, scope: PhraseScope) -> Act:
    return Act(YOU, f"shuffle {noun_phrases.build_destination_noun(stmt.zone, scope).text}")


@register_sentence(g.Hide)
def describe_hide(stmt: g.Hide, scope: PhraseScope) -> Act:
    return Act(YOU, f"turn {build_noun_phrase(stmt.cards, scope).text} face down")


@register_sentence(g.ShufflePlayers)
def describe_shuffle_players(stmt: g.ShufflePlayers, scope: PhraseScope) -> Act:
    return Act(YOU, "put the players in a random order")


@register_sentence(g.Reveal)
def describe_reveal(stmt: g.Reveal, scope: PhraseScope) -> Act:
    cards = describe_moved_cards(build_noun_phrase(stmt.cards, scope))
    if stmt.to is None:
        return Act(YOU, f"reveal {cards}")
    viewer = build_noun_phrase(stmt.to, scope)
    return Act(YOU, f"look at {cards}" if viewer.is_actor else f"show {cards} to {viewer.text}")


# ---------------------------------------------------------------- picks
def format_player_action(player: NounPhrase, may: bool, action: str, explanation: str = "") -> str | Act:
    """Return an act that a player must or may do."""
    return f"{player.text} may {action}" if may else Act(player, action, explanation)


@register_sentence(g.Pick)
def describe_pick(stmt: g.Pick, scope: PhraseScope) -> str | Act:
    may = stmt.may
    if stmt.low is None and isinstance(stmt.high, g.Const) and stmt.high.value == 1:
        stmt, may = stmt.replace(low=stmt.high), True
    what, limit = describe_pick_source(stmt, scope)
    source = unwrap_conversions(stmt.source)
    explanation = scope.lexicon.worded_choices.get(source.define, "") if isinstance(source, g.Call) else ""
    verb = "put" if stmt.verb == "remove" else stmt.verb
    act = f"{verb} {join_cards_and_destination(what, describe_destination(stmt.verb, stmt.to, scope))}{limit}"
    return format_player_action(build_noun_phrase(stmt.who, scope), may, act, explanation)


def describe_pick_source(stmt: g.Pick, scope: PhraseScope) -> tuple[str, str]:
    """Return the picked cards, and the limit on their number if it goes at the end."""
    limit = describe_discard_limit(stmt, scope)
    many, one = ("", False) if limit else describe_simple_count(stmt, scope)
    limit = limit or ("" if many else f", {describe_count_bounds(stmt, scope)}")
    cards = f"{many or 'some'} card{'' if one else 's'}" if not limit else "cards"
    source, noun = unwrap_conversions(stmt.source), build_noun_phrase(stmt.source, scope)
    if isinstance(source, g.Call) and source.define in scope.lexicon.worded_choices:
        return cards, limit
    if stmt.position == "random":
        return f"{cards.replace('card', 'random card')} from {noun.text}", limit
    if stmt.position is not None:
        return f"{cards} from the {stmt.position} of {noun.text}", limit
    if noun.is_pile:
        return f"{cards} from {noun.text}", limit
    if one and many == "one" and noun.one_item:
        return f"one {noun.one_item}", limit
    return f"{many or 'some'} of {noun.text}", limit


def describe_discard_limit(stmt: g.Pick, scope: PhraseScope) -> str:
    """Describe discarding down to a limit: `count of your hand - limit from your hand`."""
    many = stmt.low
    if not (has_exact_count(stmt) and isinstance(many, g.Arith) and many.operator == "-"):
        return ""
    if not is_count_of_zone(many.left, build_noun_phrase(stmt.source, scope), scope):
        return ""
    rest = build_noun_phrase(many.right, scope).text
    return f" until only {rest if is_non_negative_literal(many.right) else f'as many as {rest}'} remain"
