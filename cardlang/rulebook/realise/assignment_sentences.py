"""Sentences for assignments, and for acts that belong together."""

from __future__ import annotations

from attrs import evolve

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import NUMBER, PLAYER
from cardlang.model.expression_queries import (
    get_flag_literal,
    get_number_literal,
    get_read_name,
    is_absent_literal,
    is_non_negative_literal,
    is_same_var,
    unwrap_conversions,
)
from cardlang.model.traversal import collect_all_nodes, uses_variable, walk
from cardlang.rulebook.model import AggregationHints, Item
from cardlang.rulebook.realise.action_sentences import describe_moved_cards, format_move, is_trick
from cardlang.rulebook.realise.condition_phrases import build_role_clause, describe_value_in_figures
from cardlang.rulebook.realise.game_lexicon import LexiconEntry
from cardlang.rulebook.realise.instructions import (
    SENTENCE_BUILDERS,
    Act,
    DraftsAndScope,
    MergedDrafts,
    build_act_item,
    build_block_items,
    build_chosen_noun,
    build_variable_noun,
    register_instructions,
    register_merger,
    register_sentence,
)
from cardlang.rulebook.realise.noun_phrases import build_target_noun, get_kind_noun
from cardlang.rulebook.realise.number_phrases import describe_sum, replace_rank_by_worth
from cardlang.rulebook.realise.phrases import (
    THEY,
    YOU,
    NounPhrase,
    PhraseScope,
    build_flag_clause,
    build_noun_phrase,
    describe_condition,
)
from cardlang.rulebook.realise.sentence_aggregation import conjugate_act, join_actions, merge_author_texts


# ---------------------------------------------------------------- assignments
@register_sentence(g.SetTrack)
def describe_set_track(stmt: g.SetTrack, scope: PhraseScope) -> str | Act:
    if stmt.operator == "=":
        return describe_assignment(stmt, build_target_noun(stmt, scope), scope)
    amount, changed = replace_rank_by_worth(build_noun_phrase(stmt.value, scope), scope), build_target_noun(stmt, scope)
    if stmt.operator == "+" and amount.text == changed.text:
        return Act(YOU, f"double {changed.text}")
    gained, entry = stmt.operator == "+", changed.entry
    assert entry is not None
    if stmt.track in scope.lexicon.allowances and changed.owner is not None:
        extra = "an extra" if amount.text == "one" else f"{amount.text} extra"
        noun = scope.lexicon.get_allowance_noun(stmt.track)
        nouns = noun if amount.text == "one" else morphology.pluralize(noun)
        return Act(changed.owner, f"{'get' if gained else 'lose'} {extra} {nouns}")
    if gained and changed.owner is not None and is_named_after_step(entry, scope) and amount.text == "one":
        return Act(changed.owner, f"win the {entry.singular}")
    verb = morphology.get_gain_verb("score" if entry.name == "score" else entry.noun, gained)
    what = describe_gain(amount, entry, stmt.value, verb == "score", scope)
    if changed.owner is not None and what:
        is_paid = not gained and amount.entry is not None and not morphology.is_score(entry.noun)
        return Act(changed.owner, f"{'pay' if is_paid else verb} {what}")
    if changed.owner is None and entry.is_unit and amount.text == "one":
        return Act(YOU, f"{'count one more' if gained else 'take away one'} {entry.singular}")
    return Act(YOU, f"{'increase' if gained else 'lower'} {changed.text} by {amount.text}")


def is_named_after_step(entry: LexiconEntry, scope: PhraseScope) -> bool:
    """Return whether a number counts what a step plays: tricks."""
    return scope.step is not None and scope.lexicon.get_step_title(scope.step.name).lower() == entry.singular


def describe_gain(amount: NounPhrase, entry: LexiconEntry, value: g.Expr, is_score: bool, scope: PhraseScope) -> str:
    """Return what a player gains: `one chip`, `the pot`; empty if the amount alone says too little."""
    if is_score and amount.entry is not None and amount.entry.is_unit and amount.entry.singular != amount.entry.plural:
        return f"1 {morphology.singularize(entry.noun)} for each of {amount.text}"
    if is_score and not is_non_negative_literal(value):
        return describe_sum(value, scope) if isinstance(unwrap_conversions(value), g.Arith) else amount.text
    if not is_non_negative_literal(value) and entry.is_unit and (amount.entry is None or not amount.entry.is_unit):
        return f"{amount.text} in {entry.plural}"
    if is_non_negative_literal(value):
        figures = describe_value_in_figures(value, True, scope)
        counted = morphology.format_count(figures, entry.singular, entry.plural)
        return counted if entry.is_unit else figures if morphology.is_score(entry.noun) else ""
    return amount.text if entry.is_unit or morphology.is_score(entry.noun) else ""


def describe_assignment(stmt: g.SetTrack, target_noun: NounPhrase, scope: PhraseScope) -> str | Act:
    value = build_noun_phrase(stmt.value, scope)
    if target_noun.type.tag == "flag":
        return describe_flag_assignment(stmt.value, target_noun, scope)
    if target_noun.type.tag == "player" and target_noun.entry is not None and target_noun.entry.predicate:
        who = NounPhrase("no one", PLAYER) if is_absent_literal(stmt.value) else value
        text = build_role_clause(target_noun, who, True).text
        change = morphology.describe_change(text, True)
        return change if change != text else Act(YOU, f"remember that {text}")
    if is_absent_literal(stmt.value):
        return f"there is no longer {morphology.add_article(target_noun.text.removeprefix('the '))}"
    if target_noun.type.tag == "player":
        act = Act(value, describe_role(stmt, scope))
        return act if not value.is_actor else f"{value.text} {act.infinitive}"
    if target_noun.type.tag == "member":
        new_value = describe_value_in_figures(stmt.value, True, scope)
        if target_noun.owner is not None and target_noun.owner.is_actor:
            return Act(YOU, f"change {target_noun.text} to {new_value}")
        return f"{new_value} {morphology.agree_verb('becomes', value.is_plural)} {target_noun.text}"
    if stmt.of is None and scope.step is not None and stmt in scope.step.body and get_number_literal(stmt.value) == 0:
        raises = (part for part in collect_all_nodes(scope.lexicon.game) if isinstance(part, g.Option))
        is_raised = any(find_raise(r) is not None and getattr(r.body[0], "track", "") == stmt.track for r in raises)
        return "" if is_raised else f"{target_noun.text} starts at zero"
    return Act(YOU, f"set {target_noun.text} to {value.text}")


def describe_role(stmt: g.SetTrack, scope: PhraseScope) -> str:
    """Return what the player of a track does: `lead next`, `become the declarer`."""
    verb = morphology.ROLE_VERBS.get(stmt.track) if stmt.of is None else None
    if verb is None:
        role = build_target_noun(stmt, scope).text
        match unwrap_conversions(stmt.value):
            case g.Builtin(name="left" | "right", of=g.TrackValue(track=track)) if track == stmt.track:
                role = f"the next {role.removeprefix('the ')}"
        return f"become {role}"
    chosen = any(
        (isinstance(part, g.AggBy | g.Builtin) and part.type.tag == "card")
        or (isinstance(part, g.Builtin) and part.name in ("left", "right"))
        for part in walk((stmt.value,))
    )
    return f"{verb} next" if chosen else verb


def get_be_form(noun: NounPhrase) -> str:
    return morphology.agree_verb("is", noun.is_plural)


def describe_flag_assignment(value: g.Expr, target_noun: NounPhrase, scope: PhraseScope) -> str:
    """Describe an assignment to a flag."""
    clause_text, known = build_flag_clause(target_noun, True).text, get_flag_literal(value)
    if known is not None:
        return morphology.describe_change(clause_text, known)
    begins, ends = (morphology.describe_change(clause_text, change) for change in (True, False))
    return f"if {describe_condition(value, scope)}, {begins}; otherwise, {ends}"


@register_instructions(g.Remember)
def describe_remember(stmt: g.Remember, scope: PhraseScope) -> DraftsAndScope:
    value = build_noun_phrase(stmt.value, scope)
    if not stmt.var.name:  # the choice after it names the player
        return [], scope.bind_noun(stmt.var, value)
    noun = build_variable_noun(stmt.var.name, value.type)
    if value.entry is not None and value.entry.noun == morphology.replace_hyphens(stmt.var.name):
        return [], scope.bind_noun(stmt.var, value)
    text = f"{noun.text} {get_be_form(noun)} {value.cards_text}"
    if value.entry is not None and value.entry.type.tag == "number":
        return [build_act_item(Act(YOU, f"remember {value.text} as {noun.text}"), stmt.doc)], scope.bind_noun(
            stmt.var, noun
        )
    if value is YOU:
        text = f"you are {noun.text}"
    return [Item(text, stmt.doc)], scope.bind_noun(stmt.var, noun)


@register_merger(g.SetTrack, g.SetTrack)
def merge_assignments(statements: tuple[g.SetTrack, ...], scope: PhraseScope) -> MergedDrafts | None:
    return merge_transfer(statements, scope) or merge_role_acts(statements, scope)


def merge_transfer(statements: tuple[g.SetTrack, ...], scope: PhraseScope) -> MergedDrafts | None:
    """Merge a loss and a gain of the same amount: take 2 gold from that player, give them 2 gold."""
    loss, gain = sorted(statements[:2], key=lambda stmt: stmt.operator == "+")
    if (loss.operator, gain.operator) != ("-", "+") or loss.of is None or gain.of is None or loss.second or gain.second:
        return None
    giver, taker = (build_target_noun(stmt, scope) for stmt in (loss, gain))
    amount, other = (build_noun_phrase(stmt.value, scope) for stmt in (loss, gain))
    if amount.text != other.text or not (giver.entry and taker.entry and giver.owner and taker.owner):
        return None
    what = describe_gain(amount, taker.entry, gain.value, False, scope)
    place = giver.entry.singular.removeprefix(taker.entry.singular).partition(" on ")[2]
    if not what or not taker.entry.is_unit:
        return None
    if giver.owner.text == taker.owner.text and place:
        act = Act(taker.owner, f"take {what} from {place}")
    elif loss.track != gain.track or giver.owner.text == taker.owner.text:
        return None
    elif giver.owner.is_actor:
        act = Act(giver.owner, f"give {what} to {taker.owner.text}")
    else:
        act = Act(taker.owner, f"take {what} from {giver.owner.text}")
    return [build_act_item(act, merge_author_texts(*(stmt.doc for stmt in statements[:2])))], scope, 2


@register_merger(g.SetTrack, g.Move)
@register_merger(g.SetTrack, g.Do)
def merge_role_acts(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> MergedDrafts | None:
    """Merge `set leader to …` and the acts of the leader: the player with the best card gains one trick and leads."""
    first, *later = statements
    assert isinstance(first, g.SetTrack)
    if first.of is not None or first.operator != "=" or is_absent_literal(first.value):
        return None
    acts: list[str] = []
    count = used = 1
    for stmt in later:
        owner = get_acting_owner(stmt)
        unfilled = isinstance(stmt, g.Do) and scope.lexicon.game.steps[stmt.step].unfilled
        if not unfilled and (
            stmt.doc or (owner is None or get_read_name(owner) != first.track) or uses_player_variable(stmt)
        ):
            break
        inner = scope if owner is None else scope.rename(owner, THEY)
        if isinstance(stmt, g.Move) and acts and is_trick(stmt.what, scope):
            inner = inner.rename(unwrap_conversions(stmt.what), NounPhrase("it", g.build_list_type(g.CARD)))
        drafts = build_block_items((stmt,), inner)
        if not all(draft.aggregation and draft.aggregation.is_action for draft in drafts):
            break
        acts += [draft.text for draft in drafts]
        count += 1
        used = used if unfilled else count
    if not acts:
        return None
    texts, value = [*acts, describe_role(first, scope)], build_noun_phrase(first.value, scope)
    if not value.is_actor:
        texts = [*map(conjugate_act, texts)]
    text = join_actions(texts) if value.is_actor else f"{value.text} {join_actions(texts)}"
    return [Item(text, first.doc, aggregation=AggregationHints(is_action=value.is_actor))], scope, used


def get_acting_owner(stmt: g.Stmt) -> g.Expr | None:
    """Return the owner of the number or cards that a statement adds to."""
    match stmt:
        case g.SetTrack(of=of, operator="+" | "-"):
            return of
        case g.Move(verb="take" | "draw", to=g.Place(of=of, each=False)):
            return of
    return None


def uses_player_variable(stmt: g.Stmt) -> bool:
    """Return whether a statement mentions players by variables, so that `they` would be ambiguous."""
    return any(isinstance(part, g.Var) and part.type.tag == "player" for part in walk((stmt,)))


def is_same_place(one: g.Place, other: g.Place) -> bool:
    return (one.zone, one.of) == (other.zone, other.of)


def holds_all_cards(move: g.Move, game: g.Game) -> bool:
    """Return whether a move into the deck takes all cards that are elsewhere.

    All other places that get cards pass on what they have, or a part of the game goes on until they are empty.
    """
    nodes, zone = collect_all_nodes(game), get_read_name(unwrap_conversions(move.what))
    filled = {str(part.to.zone) for part in nodes if isinstance(part, g.Move | g.Pick)}
    emptied = {get_read_name(unwrap_conversions(part.what)) for part in nodes if isinstance(part, g.Move)}
    ends = (unwrap_conversions(part.until) for part in nodes if isinstance(part, g.Repeat) and part.until is not None)
    emptied |= {get_read_name(unwrap_conversions(end.value)) for end in ends if isinstance(end, g.IsEmpty)}
    homes = {cards.home for cards in game.sets.values()}
    return homes == {move.to.zone} and zone in filled and filled <= {*emptied, move.to.zone}


@register_merger(g.Move, g.Shuffle)
def merge_move_and_shuffle(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> MergedDrafts | None:
    """Merge a move of cards into a pile and its shuffle: the cards are shuffled into it."""
    move, shuffle = statements[:2]
    if not isinstance(move, g.Move) or not isinstance(shuffle, g.Shuffle) or not is_same_place(move.to, shuffle.zone):
        return None
    whole = isinstance(unwrap_conversions(move.what), g.SetCards)
    begins = scope.step is not None and scope.step.body[0].span == move.span
    if begins and holds_all_cards(move, scope.lexicon.game):
        return [build_act_item(Act(YOU, "gather all cards and shuffle them"), move.doc)], scope, 2
    text = format_move(
        move.replace(verb="shuffle", end="top"), describe_moved_cards(build_noun_phrase(move.what, scope)), scope
    )
    act = Act(YOU, "shuffle all cards" if whole and len(scope.lexicon.game.sets) == 1 else text)
    return [build_act_item(act, merge_author_texts(move.doc, shuffle.doc))], scope, 2


@register_merger(g.SetTrack, g.Reveal)
@register_merger(g.Reveal, g.SetTrack)
def merge_reveal_assignment(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> MergedDrafts | None:
    """Merge a card that is turned up and the value that it gives: reveal the top card, its suit is the trump suit."""
    shown, role = sorted(statements[:2], key=lambda stmt: isinstance(stmt, g.SetTrack))
    assert isinstance(shown, g.Reveal) and isinstance(role, g.SetTrack)
    value = unwrap_conversions(role.value)
    is_of_card = isinstance(value, g.Attribute) and unwrap_conversions(value.card) == unwrap_conversions(shown.cards)
    if not is_of_card or shown.to is not None or role.operator != "=" or role.of is not None:
        return None
    act, entry = SENTENCE_BUILDERS[g.Reveal](shown, scope), build_noun_phrase(value, scope).entry
    told = f"Its {entry.singular if entry else 'value'} is {build_target_noun(role, scope).text}."
    assert isinstance(act, Act)
    return [build_act_item(evolve(act, explanation=told), merge_author_texts(shown.doc, role.doc))], scope, 2


@register_merger(g.Remember, g.Move)
def merge_remember_move(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> MergedDrafts | None:
    """Merge `remember top of deck as catch`, `draw catch to your hand` to: draw the top card. It is `that card`."""
    first, second, *_ = statements
    assert isinstance(first, g.Remember) and isinstance(second, g.Move)
    value = build_noun_phrase(first.value, scope)
    inner = scope.bind_noun(first.var, build_chosen_noun(first.var, value.type, scope, is_named=False))
    if not is_same_var(unwrap_conversions(second.what), first.var):
        return None
    text = format_move(second, value.cards_text, inner)
    return [build_act_item(Act(YOU, text), merge_author_texts(first.doc, second.doc))], inner, 2


def find_raise(node: g.Option) -> g.Expr | None:
    """Return the condition that a chosen number is more than the one that it replaces: an option to raise it."""
    match node:
        case g.Option(binders=((var, g.Domain(list=None)),), when=whens, body=(g.SetTrack(operator="=") as stmt, *_)):
            for when, _ in whens:
                match unwrap_conversions(when):
                    case g.Compare(operator=">", left=left, right=g.TrackValue(track=stmt.track, of=stmt.of)) if (
                        is_same_var(left, var) and is_same_var(unwrap_conversions(stmt.value), var)
                    ):
                        return when
    return None


# ---------------------------------------------------------------- choices that set a value
@register_merger(g.Choose, g.SetTrack)
def merge_choose_assignment(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> MergedDrafts | None:
    """Merge `you choose promise from 0 to 13`, `set your bid to promise` to: choose a number as your bid."""
    first, second, *later = statements
    assert isinstance(first, g.Choose)
    text = "" if first.body or uses_variable(tuple(later), first.var) else describe_value_choice(first, second, scope)
    author_text = merge_author_texts(first.doc, second.doc)
    return ([build_act_item(Act(YOU, text), author_text)], scope, 2) if text else None


def describe_value_choice(choice: g.Choose, stmt: g.Stmt, scope: PhraseScope) -> str:
    """Describe your choice of a number or a member that only sets a value; return "" for other choices."""
    domain, it = choice.domain, NounPhrase("it", NUMBER)
    inner = scope.bind_noun(choice.var, it)
    if choice.may or choice.several or not build_noun_phrase(choice.who, scope).is_actor:
        return ""
    if not isinstance(stmt, g.SetTrack) or stmt.operator != "=" or build_noun_phrase(stmt.value, inner) is not it:
        return ""
    of_kind = None if domain.list is None else unwrap_conversions(domain.list)
    if domain.low is not None and domain.high is not None:
        low, high = (describe_value_in_figures(bound, True, scope) for bound in (domain.low, domain.high))
        what = f"a number from {low} to {high}"
    elif isinstance(of_kind, g.Members):
        what = morphology.add_article(get_kind_noun(of_kind.kind))
    else:
        return ""
    provided = f", provided {describe_condition(choice.provided, inner)}" if choice.provided is not None else ""
    target = build_target_noun(stmt, scope).text
    if of_kind is None and stmt.of is not None:
        together = (
            part.body for part in collect_all_nodes(scope.lexicon.game) if isinstance(part, g.Each) and part.together
        )
        is_secret = scope.lexicon.game.tracks[stmt.track].secret or any(part is stmt for part in walk(tuple(together)))
        return f"{'choose' if is_secret else 'announce'} {target}, {what.removeprefix('a number ')}{provided}"
    return f"choose {what} as {target}{provided}"
