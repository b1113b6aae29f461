"""Sentences for loops over players and for turn order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import FLAG, PLAYER
from cardlang.model.effects import find_effects
from cardlang.model.simultaneous_choice_conflicts import can_choices_conflict
from cardlang.model.traversal import (
    collect_all_nodes,
    get_flag_literal,
    get_read_name,
    is_number_literal,
    is_same_var,
    is_you,
    unwrap_conversions,
    walk,
)
from cardlang.rulebook.model import AggregationHints, Item
from cardlang.rulebook.realise import noun_phrases
from cardlang.rulebook.realise.action_sentences import build_number_one, describe_card_count
from cardlang.rulebook.realise.aggregation import merge_author_texts
from cardlang.rulebook.realise.condition_phrases import is_whole_group
from cardlang.rulebook.realise.instructions import (
    DraftsAndScope,
    build_block_items,
    build_lead_item,
    register_instructions,
)
from cardlang.rulebook.realise.list_and_count_phrases import get_item_noun
from cardlang.rulebook.realise.noun_phrases import can_follow_article, get_kind_noun
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_flag_clause,
    build_noun_phrase,
)

RememberedValues = Mapping[int, g.Expr]
"""Values of variables, by their ids."""


def describe_turn_order(content: g.Game, is_clockwise: bool) -> list[str]:
    """Return the facts on the order of turns. `content`: the content of the rulebook."""
    if content.seats[-1] == 1:
        return []
    parts = list(collect_all_nodes(content))
    known = {part.var.id: part.value for part in parts if isinstance(part, g.Remember)}
    unnamed = any(
        is_first_player_unnamed(part, content, known) or is_uneven_deal(part, parts, content) for part in parts
    )
    if not is_clockwise:
        begins = "; where nobody is named to begin, the first in it does" if unnamed else ""
        return [f"Turns: in the order drawn in the set-up{begins}"]
    first = "Choose a first player for the whole game, who begins wherever nobody else is named"
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
    for part in walk(body):
        effects = find_effects(part)
        if effects.asks or effects.waits or effects.finished or effects.card_steps:
            return True
        if any(has_noticeable_effect(content.steps[name].body, content) for name in effects.steps):
            return True
    return False


def is_uneven_deal(part: object, parts: Sequence[object], content: g.Game) -> bool:
    """Return whether a whole card set is dealt unevenly, so that the first players get more cards."""
    match part:
        case g.Move(what=g.ZoneCards(zone=home, of=None), to=g.Place(of=g.Builtin(name="players"), each=True)):
            sets = {name for name, cards in content.sets.items() if cards.home == home}
        case _:
            return False
    count = sum(face.copies for face in content.faces if face.set in sets)
    deals_all_cards = sum(isinstance(other, g.Move) and is_move_from_zone(other, home) for other in parts) == 1
    return deals_all_cards and any(count % seats for seats in content.seats)


def is_move_from_zone(move: g.Move, zone: str) -> bool:
    return any(isinstance(part, g.ZoneCards) and part.zone == zone for part in walk((move.what,)))


# ---------------------------------------------------------------- loops
LoopStatement = g.Each | g.Offer
"""Loop over the items of `list`, from `start` around, if `condition` holds."""


@register_instructions(g.Each)
def describe_each(stmt: g.Each, scope: PhraseScope) -> DraftsAndScope:
    sentence = (
        describe_lasting_state(stmt, scope) or describe_common_assignment(stmt, scope) or describe_deal(stmt, scope)
    )
    if sentence:
        body = build_block_items(stmt.body, build_loop_scope(stmt, scope))
        return [Item(sentence, merge_author_texts(stmt.doc, body[0].author_text))], scope
    counting = all(isinstance(part, g.SetTrack) for part in stmt.body)
    if stmt.together:
        lead, inner = describe_simultaneous_lead(stmt, scope)
    else:
        lead, inner = describe_loop_lead(stmt, scope, start_matters=not counting)
    item = build_lead_item(lead, build_block_items(stmt.body, inner), stmt.doc)
    return [
        evolve(
            item, aggregation=AggregationHints(lead_mark=":", is_for_all_players=is_common_to_all_players(stmt, scope))
        )
    ], scope


def is_common_to_all_players(stmt: g.Each, scope: PhraseScope) -> bool:
    """Return whether all players do the same, and the order does not matter."""
    plain = stmt.start is None and stmt.condition is None and not stmt.together and is_whole_group(stmt.list)
    return plain and stmt.var.type.tag == "player" and not has_noticeable_effect(stmt.body, scope.lexicon.game)


def build_loop_group(loop: LoopStatement, scope: PhraseScope) -> NounPhrase | None:
    """Return the noun for the players or values of a loop; None if it is about all of them."""
    return None if is_whole_group(loop.list) else build_noun_phrase(loop.list, scope)


def describe_simultaneous_lead(loop: LoopStatement, scope: PhraseScope) -> tuple[str, PhraseScope]:
    """Return the lead of a simultaneous choice, and the scope of the body."""
    among = build_loop_group(loop, scope)
    which, provided = describe_loop_condition(loop, True, scope)
    whom = f"{'all players' if among is None else among.text}{which}"
    lead = f"{whom}{',' if which else ''} at once, each in secret{provided}"
    if isinstance(loop, g.Each) and can_choices_conflict(scope.lexicon.game, loop):
        lead += "; then, in turn, each choice that is still possible takes effect"
    return lead, build_loop_scope(loop, scope)


def build_loop_scope(loop: LoopStatement, scope: PhraseScope) -> PhraseScope:
    """Return the scope of a loop body, which addresses the current player as `you`."""
    return scope.bind_noun(loop.var, YOU)


def describe_loop_lead(loop: LoopStatement, scope: PhraseScope, start_matters: bool = True) -> tuple[str, PhraseScope]:
    """Return the lead of a loop, and the scope of the body. `start_matters`: the starting player matters."""
    whom, which, provided = describe_loop_members(loop, scope)
    if loop.var.type.tag != "player":
        return f"for {whom}{provided}", scope.bind_noun(loop.var, NounPhrase("it", loop.var.type))
    start = describe_loop_start(loop, scope) if start_matters or loop.start is not None else ""
    turn = "" if whom.endswith("order") and not which else f"{',' if which else ''} in turn"
    return f"{whom}{turn}{start}{provided}", build_loop_scope(loop, scope)


def describe_loop_members(loop: LoopStatement, scope: PhraseScope) -> tuple[str, str, str]:
    """Return the loop's `each …`, its relative clause, and any other condition."""
    one = get_kind_noun(loop.var.name) if can_follow_article(loop.var.name) else get_item_noun(loop.var.type)
    head, among = f"each {one}", build_loop_group(loop, scope)
    if among is not None:
        members_text = f"these, {among.text}," if isinstance(unwrap_conversions(loop.list), g.Joined) else among.text
        head = f"each card in {among.text}" if among.is_pile else f"each of {members_text}"
    which, provided = describe_loop_condition(loop, among is not None and not among.is_pile, scope)
    if " other than " in head and which:
        head, _, other = head.partition(" other than ")
        which = f"{which}, other than {other}"
    return f"{head}{which}", which, provided


def describe_common_assignment(stmt: g.Each, scope: PhraseScope) -> str:
    """Describe a loop that sets a value of each player: `each player: set your place to 0`.

    Return the empty string for any other loop.
    """
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.var.type.tag != "player" or not is_whole_group(stmt.list) or stmt.start or stmt.condition:
        return ""
    if not (
        isinstance(one, g.SetTrack) and one.operator == "=" and is_own_track(one, stmt) and is_number_literal(one.value)
    ):
        return ""
    target = noun_phrases.build_target_noun(one, build_loop_scope(stmt, scope))
    whose = f"every player's {target.text.removeprefix('your ')}"
    return f"{whose} {morphology.agree_verb('is', target.is_plural)} now {build_noun_phrase(one.value, scope).text}"


def is_own_track(assignment: g.SetTrack, stmt: g.Each) -> bool:
    """Return whether the current player's own value is set."""
    return assignment.of is not None and is_same_var(assignment.of, stmt.var) and is_you(assignment.of)


def describe_deal(stmt: g.Each, scope: PhraseScope) -> str:
    """Describe a deal from the deck to each player; empty for any other loop.

    An example is `each player: deal top 5 of deck to your hand`.
    """
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.var.type.tag != "player" or not isinstance(one, g.Move) or one.verb != "deal":
        return ""
    what = unwrap_conversions(one.what)
    if not (isinstance(what, g.Agg) and what.function == "top" and is_table_source(what.list)):
        return ""
    to = noun_phrases.build_destination_noun(one.to, build_loop_scope(stmt, scope))
    if to.owner is not YOU or to.entry is None or one.end != "top":
        return ""
    whom, which, provided = describe_loop_members(stmt, scope)
    whose = whom if to.entry.noun == "hand" else f"the {to.entry.noun} of {whom}"
    turn = f"{',' if which else ''} in turn{describe_loop_start(stmt, scope)}{provided}"
    return (
        f"deal {describe_card_count(what.number or build_number_one(one), scope)} from "
        f"{build_noun_phrase(what.list, scope).text} to {whose}{turn}"
    )


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
        return f", {describe_start_player(loop.start, scope)}"
    match unwrap_conversions(loop.list):
        case g.Builtin(name="others", of=g.Expr() as of):
            next_one = is_you(of)
            return (
                f", beginning with the "
                f"{'next player' if next_one else f'player after {build_noun_phrase(of, scope).text}'}"
            )
    return ""


def describe_start_player(start: g.Expr, scope: PhraseScope) -> str:
    """Return the start of a loop: `clockwise from the dealer's left`. The loop itself addresses another player."""
    who = build_noun_phrase(start, scope)
    if who is YOU:
        return "starting with the player who carries this out"
    if not scope.lexicon.is_clockwise:
        return f"starting with {who.text}"
    neighbour = re.fullmatch("the player to (.* (?:left|right))", who.text)
    return f"clockwise from {neighbour[1] if neighbour else who.text}"


def describe_lasting_state(stmt: g.Each, scope: PhraseScope) -> str:
    """Describe a state of all players from now on: `each player: set your folded to yes`. Empty if they do more."""
    one = stmt.body[0] if len(stmt.body) == 1 else None
    if stmt.together or stmt.start is not None or stmt.var.type.tag != "player":
        return ""
    among = build_loop_group(stmt, scope)
    which, provided = describe_loop_condition(stmt, among is not None, scope)
    if provided:
        return ""
    subject = f"every player{which}" if among is None else f"{among.text}{which}"
    sentence = ""
    if isinstance(one, g.SetTrack) and is_own_track(one, stmt) and get_flag_literal(one.value) is not None:
        entry = scope.lexicon.nouns[one.track]
        if entry.predicate:
            owner = NounPhrase("@", PLAYER, among is not None)
            sentence = morphology.describe_change(
                build_flag_clause(NounPhrase("", FLAG, owner=owner, entry=entry), True).text,
                get_flag_literal(one.value) is True,
            )
    if isinstance(one, g.Eliminate) and is_same_var(one.player, stmt.var):
        sentence = f"@ {morphology.agree_verb('is', among is not None)} out of the game"
    return sentence.replace("@", subject)
