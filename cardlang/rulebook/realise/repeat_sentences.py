"""Instructions for repeats."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.expression_queries import get_number_literal, get_read_name, is_same_var, unwrap_conversions
from cardlang.model.statement_effects import find_effects, iter_track_changes
from cardlang.model.traversal import (
    collect_all_nodes,
    find_reachable_steps,
    iter_reachable_bodies,
    walk_in_source_order,
    walk_with_definitions,
)
from cardlang.rulebook.model import AggregationHints, Item
from cardlang.rulebook.realise.action_sentences import describe_destination, format_move, is_count_of_zone
from cardlang.rulebook.realise.allowances import split_alternatives, split_loop_end
from cardlang.rulebook.realise.choice_counts import describe_simple_count
from cardlang.rulebook.realise.choice_sentences import build_option_item
from cardlang.rulebook.realise.filter_phrases import build_compound, is_whole_group
from cardlang.rulebook.realise.instructions import (
    SENTENCE_BUILDERS,
    Act,
    DraftsAndScope,
    build_act_item,
    build_block_items,
    build_lead_item,
    describe_times,
    format_definite_title,
    format_step_title,
    is_counter,
    merges_statements,
    register_instructions,
)
from cardlang.rulebook.realise.loop_sentences import describe_start_player
from cardlang.rulebook.realise.noun_phrases import build_destination_noun
from cardlang.rulebook.realise.phrases import YOU, PhraseScope, build_noun_phrase, describe_condition
from cardlang.rulebook.realise.sentence_aggregation import (
    aggregate_draft,
    can_share_sentence,
    format_step_link,
    get_explanation,
    is_short_item,
    join_actions,
    merge_author_texts,
)

MIN_SAFETY_LIMIT = 100
"""Smallest limit of repetitions that players at a table don't count."""


@register_instructions(g.Repeat)
def describe_repeat(stmt: g.Repeat, scope: PhraseScope) -> DraftsAndScope:
    body = stmt.body
    if split_loop_end(stmt)[0] in scope.lexicon.allowances:
        return [describe_allowed_repeats(stmt, scope)], scope
    if stmt.until is not None and stmt.most is None:
        stmt = limit_repetitions(stmt, count_plays_of_hand(stmt, stmt.until, scope))
    limit = None if stmt.most is None or has_safety_limit(stmt) else f"at most {describe_times(stmt.most, scope)}"
    if stmt.until_pass:
        return [describe_repeat_at_will(stmt, limit, scope)], scope
    ends = list_loop_ends(stmt, scope)
    if (lowered := describe_hand_limit(body, ends, scope)) and limit is None:
        return [build_act_item(Act(YOU, lowered), merge_author_texts(stmt.doc, body[0].doc))], scope
    end = describe_condition(build_compound(ends, g.Or), scope) if ends else describe_loop_end(stmt, scope)
    end = f" until {end}" if limit is None else f" until {end}, but {limit}" if ends else f" {limit}"
    times = stmt.most if limit and not ends else None
    match body:
        case (g.Do(args=(), of=None, doc=doc) as do, *rest) if many := describe_repeated_step(do, scope, times):
            then = build_block_items(rest, scope)
            if not then or (len(rest) == 1 and is_short_item(then[0]) and not then[0].author_text):
                part = scope.lexicon.get_step_title(do.step).lower()
                after = [f"after each {part}, {skip_player_to_act(do, rest[0], item.text, scope)}." for item in then]
                after = list(map(morphology.capitalize_first_letter, after))
                act = Act(YOU, f"{many}{'' if times else end}", "".join(after))
                return [build_act_item(act, merge_author_texts(stmt.doc, doc))], scope
        case (g.Move(doc=doc) as move,) if isinstance(moved := SENTENCE_BUILDERS[g.Move](move, scope), Act):
            if moved.who.is_actor:
                many = describe_repeated_move(move, ends, scope) or f"{moved.infinitive}, one card at a time,"
                moved = Act(YOU, f"{many}{end}")
                return [build_act_item(moved, merge_author_texts(stmt.doc, doc))], scope
        case (g.Each(body=(g.Do(args=(), doc="") as do,)) as loop,) if is_whole_round(loop, do) and (
            many := describe_repeated_step(do, scope)
        ):
            begins = "" if loop.start is None else f"beginning with {describe_start_player(loop.start, scope)}, "
            return [Item(f"{begins}players {many}{end}", merge_author_texts(stmt.doc, loop.doc))], scope
        case (g.Each() as loop,) if loop.var.type.tag == "player":
            return describe_going_around(loop, end, stmt.doc, scope), scope
    lead = f"do this {describe_times(times, scope)}" if times else f"repeat{end}"
    return [build_lead_item(lead, build_block_items(body, scope), stmt.doc)], scope


def skip_player_to_act(do: g.Do, stmt: g.Stmt, text: str, scope: PhraseScope) -> str:
    """Return a sentence on the next player with a role, clear about a role that changes in the step before it."""
    match stmt:
        case g.SetTrack(track=role, of=None, value=g.Builtin(name="left", of=g.TrackValue(track=before))):
            bodies = tuple(iter_reachable_bodies(scope.lexicon.game, (do,)))
            verb = morphology.ROLE_VERBS.get(role, "")
            moves = any(change.track == role for change in iter_track_changes(walk_in_source_order(bodies)))
            if role == before and verb and moves:
                one = f"the player to the left of the one who would {verb} next"
                return f"{one} {morphology.conjugate_third_person(verb)} instead"
    return text


@merges_statements
def describe_hand_limit(body: tuple[g.Stmt, ...], ends: Sequence[g.Expr], scope: PhraseScope) -> str:
    """Describe a loop in which you put away cards of a zone one by one until few are left; or nothing."""
    match body, ends:
        case (g.Pick(may=False) as pick,), [g.Compare(operator="<=", left=held, right=most)]:
            zone, noun = build_noun_phrase(pick.source, scope), build_noun_phrase(most, scope).text
            if is_count_of_zone(held, zone, scope) and describe_simple_count(pick, scope) == ("one", True):
                cards, to = morphology.format_count(noun, "card"), describe_destination(pick.verb, pick.to, scope)
                if not to:
                    return f"{pick.verb} down to {cards}"
                return f"if you have more than {cards} {zone.location}, {pick.verb} cards {to} until you have {noun}"
    return ""


@merges_statements
def describe_going_around(loop: g.Each, end: str, author_text: str, scope: PhraseScope) -> list[Item]:
    """Describe turns around the table that go on until an end, possibly in the middle of a round."""
    *others, last = map(aggregate_draft, build_block_items((loop,), scope))
    remark = merge_author_texts(author_text, last.author_text)
    until = f"keep going around the table{end}"
    if last.bullets:
        return [*others, last, Item(until, author_text)]
    if last.items:
        begins = "" if loop.start is None else f"starting with {describe_start_player(loop.start, scope)}, "
        first, *_ = build_block_items((loop.replace(start=None),), scope)
        around = f"{begins}go around{end}. {morphology.capitalize_first_letter(first.text)}"
        return [*others, evolve(first, text=around, author_text=remark)]
    told = [get_explanation(last), morphology.punctuate_sentence(until)]
    hints = AggregationHints(explanation=" ".join(filter(None, told)))
    return [*others, evolve(last, author_text=remark, aggregation=hints)]


# ---------------------------------------------------------------- numbers of repetitions
def limit_repetitions(loop: g.Repeat, number: int) -> g.Repeat:
    """Return a loop that runs a fixed number of times; unchanged if the number is zero."""
    return loop.replace(until=None, most=g.Const(g.NUMBER, loop.span, number)) if number else loop


def find_repetitions(loop: g.Repeat, condition: g.Expr, scope: PhraseScope) -> tuple[int, str]:
    """Return how often a loop runs until a condition, as a number and in words: `three rounds`; zero if it varies."""
    match unwrap_conversions(condition), loop.body[:1]:
        case g.Compare(operator="=" | ">=", left=left, right=right), (g.SetTrack() as counter,) if is_counter(counter):
            number, entry = get_number_literal(right), scope.lexicon.nouns[counter.track]
            track, value = scope.lexicon.game.tracks[counter.track], unwrap_conversions(left)
            counts = isinstance(value, g.TrackValue) and value.track == track.name
            if counts and number is not None and not track.restarts and get_number_literal(track.start) == 0:
                noun = morphology.singularize(entry.singular.removeprefix("number of ").removesuffix(" number"))
                plural = "" if noun != entry.singular else entry.plural
                return int(number), morphology.format_count(morphology.spell_number(int(number)), noun, plural)
        case g.IsEmpty(), (g.Do(step=step),) if number := count_plays_of_hand(loop, condition, scope):
            title = scope.lexicon.get_step_title(step).lower()
            return number, morphology.format_count(morphology.spell_number(number), title)
    return 0, ""


def count_plays_of_hand(loop: g.Repeat, condition: g.Expr, scope: PhraseScope) -> int:
    """Return how often a loop runs in which each player plays one card of the hand dealt; zero if that varies."""
    game, hand, do = scope.lexicon.game, unwrap_conversions(condition), loop.body[0]
    if not isinstance(hand, g.IsEmpty) or not isinstance(do, g.Do):
        return 0
    zone, step = get_read_name(unwrap_conversions(hand.value)), game.steps[do.step]
    picks = [each.body[0] for each in step.body if isinstance(each, g.Each) and is_play_of_all(each, scope)]
    moves = (part for part in collect_all_nodes(game) if isinstance(part, g.Move | g.Pick | g.Choose | g.Option))
    uses = [move for move in moves if move not in picks and zone in find_used_zones(move, game)]
    match uses:
        case [g.Move(verb="deal", what=g.Agg(number=g.Expr() as number))] if len(picks) == 1 and zone in game.zones:
            return int(get_number_literal(number) or 0)
    return 0


def is_play_of_all(loop: g.Each, scope: PhraseScope) -> bool:
    """Return whether each player plays just one card."""
    match loop:
        case g.Each(condition=None, body=(g.Pick(may=False) as pick,)) if is_whole_group(loop.list):
            return describe_simple_count(pick, scope) == ("one", True)
    return False


def find_used_zones(part: object, game: g.Game) -> set[str]:
    nodes = walk_with_definitions(game, part)
    return {str(node.zone) for node in nodes if isinstance(node, g.ZoneCards | g.Place)}


def describe_repeat_at_will(stmt: g.Repeat, limit: str | None, scope: PhraseScope) -> Item:
    """Describe a loop that ends when a player passes. `limit`: how often it runs at most."""
    body, lead = stmt.body, "as often as you like" if limit is None else f"{limit}, if you like"
    match body:
        case (g.Menu(options=(only,), otherwise=()) as menu,) if build_noun_phrase(menu.who, scope).is_actor:
            item = build_option_item(only, scope, f"{lead},")
            return evolve(item, author_text=merge_author_texts(stmt.doc, menu.doc, item.author_text))
    if isinstance(body[0], g.Menu | g.Pick | g.Choose):
        body = (body[0].replace(may=False), *body[1:])
    return build_lead_item(lead, build_block_items(body, scope), stmt.doc)


@merges_statements
def describe_repeated_move(move: g.Move, ends: Sequence[g.Expr], scope: PhraseScope) -> str:
    """Describe a move of one card after the other from the end of a pile: `turn up cards from the deck`; or empty.

    The ends of the loop may name the destination: `until there are four cards at the quay`.
    """
    match unwrap_conversions(move.what):
        case g.Agg(function="top", number=None, list=source) if (base := build_noun_phrase(source, scope)).is_pile:
            to, cards = build_destination_noun(move.to, scope), f"cards from {base.text}"
            if any(isinstance(end, g.Compare) and is_count_of_zone(end.left, to, scope) for end in ends):
                return f"{'turn up' if move.verb == 'turn' else move.verb} {cards}"
            return format_move(move, cards, scope)
    return ""


def list_loop_ends(loop: g.Repeat, scope: PhraseScope) -> list[g.Expr]:
    """Return the conditions that end a loop, without the end of the cards that it moves: that needs no rule."""
    ends = [] if loop.until is None else split_alternatives(loop.until)
    match loop.body:
        case (g.Move(what=what),) if len(ends) > 1 and isinstance(moved := unwrap_conversions(what), g.Agg):
            source = build_noun_phrase(moved.list, scope).text
            empty = [isinstance(end, g.IsEmpty) and build_noun_phrase(end.value, scope).text == source for end in ends]
            return [end for end, is_source in zip(ends, empty, strict=True) if not is_source]
    return ends


@merges_statements
def is_whole_round(loop: g.Each, turn: g.Do) -> bool:
    """Return whether a loop gives all players a turn."""
    own = turn.of is not None and is_same_var(turn.of, loop.var)
    return own and not loop.together and loop.condition is None and is_whole_group(loop.list)


def describe_allowed_repeats(stmt: g.Repeat, scope: PhraseScope) -> Item:
    """Describe a loop that counts down an allowance: once, and again for each extra turn."""
    name, others = split_loop_end(stmt)
    track, changes = scope.lexicon.game.tracks[name], iter_track_changes(collect_all_nodes(scope.lexicon.game))
    times = describe_times(track.start, scope)
    if any(change.track == name and change.operator == "+" for change in changes):
        times += f", and again for each extra {scope.lexicon.get_allowance_noun(name)} that you get"
    stops = morphology.join_phrases([describe_condition(end, scope) for end in others], "or")
    items = build_block_items(stmt.body[1:], scope)
    stop = f", until {stops}" if stops else ""
    match stmt.body[1:]:
        case (g.Menu(may=False, options=(_, _, *_)),) if not items[0].author_text:
            act = f"choose one of these {times}".removesuffix(" once").replace(" once,", ",")
            return evolve(items[0], text=f"{act}{stop}:", author_text=stmt.doc)
    drafts = tuple(map(aggregate_draft, items))
    if times.startswith("once, and ") and can_share_sentence(drafts):
        again = f"{times.removeprefix('once, and again ')}, do this again{stop}"
        again = morphology.punctuate_sentence(again)
        hints = AggregationHints(explanation=" ".join(filter(None, (get_explanation(drafts[-1]), again))))
        text = join_actions([draft.text for draft in drafts])
        return Item(text, merge_author_texts(stmt.doc, drafts[-1].author_text), aggregation=hints)
    return build_lead_item(f"do this {times}{stop}", items, stmt.doc)


def has_safety_limit(stmt: g.Repeat) -> bool:
    """Return whether a loop that ends by itself has a limit that only a computer counts."""
    most = None if stmt.most is None else get_number_literal(stmt.most)
    return (stmt.until_pass or stmt.until is not None) and (most or 0) >= MIN_SAFETY_LIMIT


@merges_statements
def describe_repeated_step(stmt: g.Do, scope: PhraseScope, times: g.Expr | None = None) -> str:
    """Describe a step that is repeated: `play tricks`, `play four tricks`; empty if its title is a verb."""
    title = scope.lexicon.get_step_title(stmt.step)
    kind, verb = morphology.classify_step_title(title)
    if kind == "gerund":
        return f"repeat {format_step_link(title, format_definite_title(title))}"
    count = "" if times is None else build_noun_phrase(times, scope).text
    many = morphology.format_count(count, title.lower()) if count else morphology.pluralize(title.lower())
    return f"{verb or 'play'} {format_step_link(title, many)}" if kind == "noun" else ""


def describe_loop_end(stmt: g.Repeat, scope: PhraseScope) -> str:
    """Describe the end of a loop without a condition: an enclosing step ends, or the game."""
    within = find_reachable_steps(scope.lexicon.game, stmt.body)
    bodies = tuple(iter_reachable_bodies(scope.lexicon.game, stmt.body))
    finished = [find_effects(part).finished for part in walk_in_source_order(bodies)]
    around = [name for name in dict.fromkeys(finished) if name not in {*within, "game", ""}]
    ends = morphology.join_phrases([format_step_title(name, scope) for name in around], "or")
    many = len(around) > 1 or any(morphology.is_plural(scope.lexicon.get_step_title(name)) for name in around)
    return f"{ends} {morphology.agree_verb('ends', many)}" if around else "the game ends"
