"""Prose descriptions of a game's examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from attrs import evolve, field, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import PLAYER
from cardlang.model.expression_queries import get_flag_literal, get_number_literal, is_same_var, unwrap_conversions
from cardlang.model.traversal import (
    find_mentioned_names,
    iter_reachable_bodies,
    split_conjunction,
    walk,
    walk_in_source_order,
)
from cardlang.rulebook.model import ExamplePassage, HandPicture, WorkedExample
from cardlang.rulebook.realise.choice_sentences import describe_choice_domain
from cardlang.rulebook.realise.condition_phrases import describe_value_in_figures
from cardlang.rulebook.realise.game_lexicon import Lexicon
from cardlang.rulebook.realise.instructions import describe_statement
from cardlang.rulebook.realise.noun_phrases import (
    add_second_owner,
    build_owned_noun,
    build_table_noun,
    describe_card_titles,
    describe_faces,
    get_kind_noun,
    is_ordered_stack,
    list_top_card_first,
)
from cardlang.rulebook.realise.number_phrases import ARITHMETIC_SIGNS, build_amount_clause
from cardlang.rulebook.realise.phrases import (
    Clause,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_flag_clause,
    build_noun_phrase,
    build_verb_clause,
)
from cardlang.rulebook.realise.sentence_aggregation import build_linked_text

MovePhrase = tuple[str, str]
"""Infinitive of a move, and its object."""
MOVE_TOKEN = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")


@frozen
class StepDecisions:
    """Decisions that can occur in some steps."""

    picks: tuple[g.Pick, ...] = ()
    chooses: tuple[g.Choose, ...] = ()
    options: Mapping[str, g.Option] = field(factory=dict)
    reactions: frozenset[str] = frozenset()
    """Names of the options that are reactions."""
    first_verb: str = ""
    """Verb for the cards of the first decision of the step itself."""

    @staticmethod
    def collect_in_step(step: str, lexicon: Lexicon) -> StepDecisions:
        """Return the decisions of a step and of everything that it calls. Cached for each step."""
        if step not in lexicon.decisions_by_step:
            game = lexicon.game
            bodies = tuple(iter_reachable_bodies(game, get_step_bodies(step, game)))
            if any(isinstance(part, g.Announce) for part in walk(bodies)):
                answers = tuple(reaction.option for reaction in game.reactions)
                bodies += tuple(iter_reachable_bodies(game, answers))
            parts = list(walk_in_source_order(bodies))
            lexicon.decisions_by_step[step] = StepDecisions(
                tuple(part for part in parts if isinstance(part, g.Pick)),
                tuple(part for part in parts if isinstance(part, g.Choose)),
                {part.name: part for part in parts if isinstance(part, g.Option)},
                frozenset(reaction.option.name for reaction in lexicon.game.reactions),
                find_first_verb(lexicon.game.steps[step]) if step in lexicon.game.steps else "",
            )
        asked: StepDecisions = lexicon.decisions_by_step[step]
        return asked

    def find_implied_verb(self, of_cards: bool) -> str:
        """Return the implied verb of a move that is only cards or a number; empty if there is none."""
        verbs = {pick.verb for pick in self.picks}
        others = any(of_cards != (choose.domain.list is None) for choose in self.chooses)
        return verbs.pop() if len(verbs) == 1 and not others else ""


def find_first_verb(step: g.Step) -> str:
    """Return the verb for the cards of the first decision of a step; empty if it is about other things."""
    parts = (part for part in walk_in_source_order(step.body) if isinstance(part, g.Pick | g.Choose | g.Menu | g.Offer))
    match next(parts, None):
        case g.Pick(verb=verb):
            return verb
        case g.Choose(var=var, body=(g.Move(verb=verb, what=what), *_)) if is_same_var(unwrap_conversions(what), var):
            return verb
    return ""


def get_step_bodies(name: str, game: g.Game) -> object:
    """Return the body of the step of this name, and the bodies of the steps on cards with this name."""
    game_bodies = (game.steps[name].body,) if name in game.steps else ()
    borne = game.borne_steps[name].bodies if name in game.borne_steps else ()
    return (*game_bodies, *{id(body): body.body for body in borne if body}.values())


# ---------------------------------------------------------------- one move
def describe_printed_move(move: str, decisions: StepDecisions, scope: PhraseScope) -> MovePhrase:
    """Describe a printed move: an option with its parameters, a verb with its cards, or only a value."""
    head, *rest = MOVE_TOKEN.findall(move) or [""]
    option = decisions.options.get(head)
    if option is not None and head in decisions.reactions and len(rest) == len(option.binders) == 1:
        return "answer", f"with {describe_option_arguments(option, rest, scope)[0]}"
    if option is not None and len(rest) == len(option.binders):
        return morphology.build_option_phrase(option.name, describe_option_arguments(option, rest, scope))
    if any(pick.verb == head for pick in decisions.picks) and rest:
        return describe_card_move(head, rest, decisions, scope)
    if move == "pass":
        return "pass", ""
    if move == "done":
        return "choose", "none"
    cards = head[:1] == "["
    verb = decisions.find_implied_verb(cards) if cards or head.isdigit() else ""
    if verb:
        return describe_card_move(verb, [head, *rest], decisions, scope)
    chosen, *others = (describe_chosen_value(token, scope) for token in (head, *rest))
    return "choose", f"{chosen} with {morphology.join_phrases(others)}" if others else chosen


def describe_chosen_value(token: str, scope: PhraseScope) -> str:
    """Describe a chosen value: cards, a player, a member, a number, or a name of the game."""
    if token[:1] == "[":
        return describe_bracketed_cards(token, scope)
    known = token.isdigit() or token in scope.players or token in scope.lexicon.members
    return scope.lexicon.members.get(token, ("", token))[1] if known else f"“{morphology.replace_hyphens(token)}”"


def describe_bracketed_cards(token: str, scope: PhraseScope) -> str:
    """Return the titles of the cards in brackets."""
    known = {face.code: face.title for face in scope.lexicon.game.faces}
    return describe_card_titles([known.get(code, code) for code in token.strip("[]").split()]) or "nothing"


def describe_option_arguments(option: g.Option, arguments: Sequence[str], scope: PhraseScope) -> list[str]:
    """Describe the parameters of an option."""
    argument_texts: list[str] = []
    for (var, domain), token in zip(option.binders, arguments, strict=True):
        _, noun = describe_choice_domain(var, domain, None, scope)
        scope = scope.bind_noun(var, noun)
        labels = {"member": get_kind_noun(str(noun.type.of)), "card": "card"} if token.isdigit() else {}
        argument_texts.append(f"{labels.get(noun.type.tag, '')} {describe_chosen_value(token, scope)}".lstrip())
    return argument_texts


def describe_card_move(verb: str, arguments: Sequence[str], decisions: StepDecisions, scope: PhraseScope) -> MovePhrase:
    """Describe a move of cards: `draw two cards`, `play 9 of Clubs`; `turn up card 3` for face-down cards."""
    return ("turn up" if verb == "turn" else verb), morphology.join_phrases(
        [describe_picked_cards(verb, token, decisions, scope) for token in arguments]
    )


def describe_picked_cards(verb: str, token: str, decisions: StepDecisions, scope: PhraseScope) -> str:
    """Describe the picked cards: their titles, their number if the game picks them, or their position."""
    if not token.isdigit():
        return describe_bracketed_cards(token, scope)
    counted = {pick.position is not None for pick in decisions.picks if pick.verb == verb}
    if counted == {True}:
        return morphology.format_count(morphology.spell_number(int(token)) if int(token) else "no", "card")
    return f"card {token}" if counted == {False} else morphology.spell_number(int(token))


# ---------------------------------------------------------------- worked examples
PositionFact = g.GivenTrack | g.GivenZone
MAX_JOINED = 3
"""Maximum number of moves or facts in one sentence."""
MAX_DRAWN_CARDS = 12
"""Maximum number of cards of a drawn zone that the example does not mention."""


def build_worked_example(example: g.Example, scope: PhraseScope) -> WorkedExample:
    """Describe an example: a passage for each position, with its moves and results, and the cards to draw."""
    scope = evolve(scope, players=example.players)
    passages: list[ExamplePassage] = []
    decisions = StepDecisions()
    for position, lines in split_scenes(example.lines):
        steps = [line.statement.step for line in lines if isinstance(line, g.Doing)]
        decisions = StepDecisions.collect_in_step(steps[-1], scope.lexicon) if steps else decisions
        facts = position.facts if position is not None else ()
        given, played = [*describe_facts(facts, scope)], [*describe_scene(lines, decisions, scope)]
        first = given or played
        first[:1] = [f"now {sentence}" if passages else sentence for sentence in first[:1]]
        hands = tuple(find_scene_hands(facts, lines, scope))
        parts = [given, played] if hands and not passages else [[*given, *played]]
        texts = [" ".join(map(morphology.punctuate_sentence, part)) for part in parts]
        passages += [ExamplePassage(texts[0], hands), *(ExamplePassage(text) for text in texts[1:] if text)]
    return WorkedExample(example.title, tuple(passages))


def split_scenes(lines: Iterable[g.ExampleLine]) -> Iterator[tuple[g.Given | None, list[g.ExampleLine]]]:
    """Split an example at its positions."""
    position: g.Given | None = None
    scene: list[g.ExampleLine] = []
    for line in lines:
        if not isinstance(line, g.Given):
            scene.append(line)
        else:
            if position is not None or scene:
                yield position, scene
            position, scene = line, []
    yield position, scene


def count_example_words(example: WorkedExample) -> int:
    """Return the number of words in an example, without its drawn cards."""
    return sum(len(passage.text.split()) for passage in example.passages)


def describe_scene(lines: Sequence[g.ExampleLine], decisions: StepDecisions, scope: PhraseScope) -> Iterator[str]:
    """Yield the sentences of a scene. Consecutive lines of one kind share sentences, as a move and its result do."""
    moves = {(line.player, move) for line in lines if isinstance(line, g.Answer) for move, _ in line.moves}
    is_result = False
    doer = next((line.statement.of for line in lines if isinstance(line, g.Doing)), None)
    first = next((line for line in lines if isinstance(line, g.Answer)), None)
    verb = decisions.first_verb if first and isinstance(doer, g.Const) and doer.value == first.player else ""
    last_move: list[Clause] = []
    for class_, group in groupby(lines, type):
        run: list[Any] = list(group)
        if class_ is not g.Expecting:
            yield from (move.text for move in last_move)
            last_move = []
        if class_ is g.Doing:
            yield from (text for line in run for text in describe_example_step(line, scope))
        elif class_ is g.Answer:
            told = [build_answer_clause(line, decisions, scope, verb if line is first else "") for line in run]
            texts = [clause.text for clause in told]
            last_move = told if len(run) == len(run[0].moves) == 1 else []
            if not last_move:
                yield from texts if any(len(line.moves) > 1 for line in run) else join_clauses(told)
        elif class_ is g.ExpectingMoves:
            foretold = [line for line in run if not line.negated and len(line.moves) == 1]
            foretold = [line for line in foretold if (line.player, line.moves[0][0]) in moves]
            yield from describe_expected_moves([line for line in run if line not in foretold], decisions, scope)
        elif class_ is g.Expecting:
            parts = [part for line in run for part in split_conjunction(line.condition)]
            results = [build_result_clause(part, is_result, scope) for part in parts if not is_won_trick(part, scope)]
            if any(isinstance(line, g.Doing) and line.statement.step == "trick" for line in lines):
                results = [told for result in results for told in tell_won_trick(result)]
            if len({clause.subject for clause in results}) == 1:  # a role comes last: who leads next
                results.sort(key=lambda clause: clause.predicate.endswith(" next"))
            if last_move and results[0].subject != last_move[0].subject:
                yield last_move.pop().text
            yield from join_clauses([*last_move, *results])
            last_move = []
        else:
            yield from (line.text for line in run)
        is_result = is_result or class_ in (g.Doing, g.Answer)
    yield from (move.text for move in last_move)


def is_won_trick(condition: g.Expr, scope: PhraseScope) -> bool:
    """Return whether an expectation is the number of tricks won, which the winner of the trick tells better."""
    match unwrap_conversions(condition):
        case g.Compare(operator="=", left=g.TrackValue(track=track)) if "trick" in scope.lexicon.game.steps:
            return scope.lexicon.nouns[track].singular == "trick"
    return False


def tell_won_trick(result: Clause) -> list[Clause]:
    """Say of the player who leads next that they win the trick."""
    won = build_verb_clause(NounPhrase(result.subject, PLAYER), "wins", "the trick")
    return [won, result] if result.predicate == "leads next" else [result]


def join_in_sentences(parts: Sequence[str]) -> Iterator[str]:
    """Yield sentences that join a few parts each."""
    for first in range(0, len(parts), MAX_JOINED):
        yield morphology.join_phrases(parts[first : first + MAX_JOINED])


def join_clauses(clauses: Iterable[Clause]) -> Iterator[str]:
    """Yield sentences that join a few clauses each. Consecutive clauses on one subject are a sentence of their own."""
    parts: list[str] = []
    for subject, group in groupby(clauses, lambda clause: clause.subject):
        run = list(group)
        if subject and len(run) > 1:
            yield from join_in_sentences(parts)
            acts = [(act, len([*alike])) for act, alike in groupby(clause.predicate for clause in run)]
            told = [f"{act} {morphology.format_times(times)}" if times > 1 else act for act, times in acts]
            yield f"{subject} {morphology.join_phrases(told)}"
            parts = []
        else:
            parts += [clause.text for clause in run]
    yield from join_in_sentences(parts)


def build_result_clause(condition: g.Expr, is_result: bool, scope: PhraseScope) -> Clause:
    """Describe an expectation. `is_result`: it follows from moves."""
    match unwrap_conversions(condition):
        case g.Compare(operator="=", left=g.TrackValue(track=role, of=None, type=g.Type(tag="player")), right=right):
            player = build_noun_phrase(right, scope)
            if player.text in scope.players:
                return build_role_clause(role, player, is_result, scope)
    clause, shown = build_clause(condition, scope), ""
    match unwrap_conversions(condition):
        case g.Compare(operator="=", left=left, right=right) if (
            getattr(unwrap_conversions(left), "define", "") == "winners"
        ):
            who = build_noun_phrase(right, scope)
            return build_verb_clause(evolve(who, is_plural=who.text not in scope.players), "wins", "")
        case g.Compare(operator="=", right=right) if get_number_literal(right) is None:
            shown = describe_written_sum(right)
            shown = f" ({shown})" if shown else ""
    some = partial(re.sub, r"\b(has|have|is|are|uses) any\b", r"\1 some")
    return evolve(clause, text=some(clause.text) + shown, predicate=some(clause.predicate) + shown)


def describe_written_sum(expr: g.Expr) -> str:
    """Return a sum of literal numbers as its author wrote it: `1 + 2 + 4`; empty for other values."""
    expr = unwrap_conversions(expr)
    if not isinstance(expr, g.Arith) or expr.operator not in ARITHMETIC_SIGNS:
        known = get_number_literal(expr)
        return "" if known is None else str(known)
    left, right = describe_written_sum(expr.left), describe_written_sum(expr.right)
    return f"{left} {ARITHMETIC_SIGNS[expr.operator]} {right}" if left and right else ""


def build_role_clause(role: str, player: NounPhrase, is_result: bool, scope: PhraseScope) -> Clause:
    """Describe which player has a role: `Ann leads`, `Ann leads next`, `Ann is now the declarer`."""
    verb = morphology.ROLE_VERBS.get(role)
    if verb is not None:
        return build_verb_clause(player, morphology.conjugate_third_person(verb), "next" if is_result else "")
    now = "now " if is_result else ""
    return build_verb_clause(player, "is", f"{now}{build_table_noun(scope.lexicon.nouns[role]).text}")


def describe_example_step(line: g.Doing, scope: PhraseScope) -> list[str]:
    """Describe a call of a step for a player or with arguments. Others need no sentence: the example shows them."""
    done = line.statement
    if done.of is not None and done.step == "turn" and not done.args:
        return [f"it is {build_noun_phrase(done.of, scope).possessive} turn"]
    if done.of is None and not done.args:
        return []
    return [str(build_linked_text(item.text)) for item in describe_statement(done, scope)[0]]


# ---------------------------------------------------------------- the position
def describe_facts(facts: Iterable[PositionFact], scope: PhraseScope) -> Iterator[str]:
    """Yield sentences on the numbers, flags and roles of a position, and on its empty zones."""
    told = [fact for fact in facts if isinstance(fact, g.GivenTrack) or not fact.faces]
    roles = [fact for fact in told if isinstance(fact, g.GivenTrack) and is_role_of_member(fact, scope)]
    for _, group in groupby(roles, lambda fact: (fact.track, getattr(fact.value, "value", None))):
        first, *others = group
        subjects = [build_fact_noun(fact, scope) for fact in (first, *others)]
        owners = morphology.join_phrases([noun.owner.text for noun in subjects if noun.owner is not None])
        kind = get_kind_noun(str(get_fact_subject(first, scope)))
        whose = f"{morphology.pluralize(kind) if others else kind} {owners}"
        entry = scope.lexicon.nouns[first.track]
        verb = entry.predicate.removesuffix(f" the {kind}") if entry.predicate else f"is the {entry.noun} of"
        yield f"{build_noun_phrase(first.value, scope).text} {verb} {whose}"
    yield from join_clauses([build_fact_clause(fact, scope) for fact in told if fact not in roles])


def is_role_of_member(fact: g.GivenTrack, scope: PhraseScope) -> bool:
    """Return whether a fact says which player has a role for a member of a kind that is a number."""
    kind = scope.lexicon.game.kinds.get(get_fact_subject(fact, scope) or "")
    return kind is not None and kind.is_numeric and fact.value.type.tag == "player" and is_player_literal(fact.value)


def build_fact_clause(fact: PositionFact, scope: PhraseScope) -> Clause:
    noun = build_fact_noun(fact, scope)
    if isinstance(fact, g.GivenZone):
        return build_verb_clause(noun, "is", "empty")
    if fact.of is None and noun.type.tag == "player" and is_player_literal(fact.value):
        return build_role_clause(fact.track, build_noun_phrase(fact.value, scope), False, scope)
    if noun.type.tag == "flag":
        return build_flag_clause(noun, get_flag_literal(fact.value) is True)
    if noun.entry is not None and noun.entry.is_unit:
        amount = evolve(build_noun_phrase(fact.value, scope), text=describe_value_in_figures(fact.value, True, scope))
        return build_amount_clause(noun, amount, "=", noun.entry)
    return build_verb_clause(noun, "is", describe_value_in_figures(fact.value, noun.type.tag == "member", scope))


def is_player_literal(value: g.Expr) -> bool:
    return isinstance(value, g.Const) and value.value is not None


def find_scene_hands(
    facts: Iterable[PositionFact], lines: Sequence[g.ExampleLine], scope: PhraseScope
) -> Iterator[HandPicture]:
    """Yield the cards to draw: zones that the scene mentions, hands of players who act, and few cards of the table."""
    conditions = tuple(line.condition for line in lines if isinstance(line, g.Expecting))
    steps = tuple(line.statement for line in lines if isinstance(line, g.Doing))
    named = {*find_mentioned_names(conditions)}
    players = {line.player for line in lines if isinstance(line, g.Answer | g.ExpectingMoves)}
    constants = (part for part in walk((conditions, steps)) if isinstance(part, g.Const) and part.type.tag == "player")
    players |= {constant.value for constant in constants if isinstance(constant.value, int)}
    everyone = not players or any(step.of is None for step in steps)
    for fact in facts:
        if isinstance(fact, g.GivenZone) and fact.faces:
            of_player = get_fact_subject(fact, scope) == "player"
            acts = everyone or fact.of in players if of_player else len(fact.faces) <= MAX_DRAWN_CARDS
            if acts or fact.zone in named:
                yield build_hand_picture(fact, scope)


def build_hand_picture(item: g.GivenZone, scope: PhraseScope) -> HandPicture:
    """Return the cards that a fact puts into a zone."""
    noun = build_fact_noun(item, scope)
    codes = (scope.lexicon.game.faces[face].code for face in list_top_card_first(item.faces, noun.entry, scope))
    order = " (from the top)" if is_ordered_stack(item.faces, noun.entry, scope) else ""
    name = noun.entry.noun if noun.entry is not None else noun.text
    if noun.owner is not None:
        is_named_by_owner = noun.entry is not None and name == get_kind_noun(noun.entry.subject or "")
        name = f"{noun.owner.text if is_named_by_owner else noun.owner.possessive} {name}"
    return HandPicture(
        tuple(scope.lexicon.small_cards[code] for code in codes),
        morphology.capitalize_first_letter(name + order),
        describe_faces(list_top_card_first(item.faces, noun.entry, scope), scope),
    )


def get_fact_subject(item: PositionFact, scope: PhraseScope) -> str | None:
    """Return the subject of a fact's declaration: None (the table), `player` or a kind."""
    game = scope.lexicon.game
    return game.zones[item.zone].subject if isinstance(item, g.GivenZone) else game.tracks[item.track].subject


def build_second_owner(item: PositionFact, game: g.Game) -> g.Const:
    """Return the member that is the second owner of a fact."""
    declared = game.zones[item.zone] if isinstance(item, g.GivenZone) else game.tracks[item.track]
    return g.Const(g.build_member_type(str(declared.second)), item.span, item.second)


def build_fact_noun(item: PositionFact, scope: PhraseScope) -> NounPhrase:
    """Return the noun of a fact's declaration with its owner."""
    entry = scope.lexicon.nouns[item.zone if isinstance(item, g.GivenZone) else item.track]
    if item.of is None:
        return build_table_noun(entry)
    if item.second is not None:
        entry = add_second_owner(entry, build_noun_phrase(build_second_owner(item, scope.lexicon.game), scope))
    kind = scope.lexicon.game.kinds.get(entry.subject or "")
    if entry.subject == "card":
        face = next(face.number for face in scope.lexicon.game.faces if face.first == item.of)
        return build_owned_noun(NounPhrase(describe_faces((face,), scope), g.CARD), entry)
    if kind is None:
        return build_owned_noun(NounPhrase(scope.players[item.of], PLAYER), entry)
    return build_owned_noun(NounPhrase(kind.members[item.of].noun.singular, g.build_member_type(kind.name)), entry)


# ---------------------------------------------------------------- moves
def build_answer_clause(line: g.Answer, decisions: StepDecisions, scope: PhraseScope, verb: str = "") -> Clause:
    """Describe the moves of a player. `verb`: that of the first one, if it is only cards."""
    acts = [describe_printed_move(text, decisions, scope) for text, _ in line.moves]
    if verb and line.moves[0][0].startswith("["):
        acts[0] = (verb, acts[0][1])
    *moves, last = [f"{morphology.conjugate_third_person(verb)} {what}".rstrip() for verb, what in acts]
    told = f"{', '.join(moves)}, then {last}" if moves else last
    player = scope.players[line.player]
    return Clause(f"{player} {told}", subject=player, predicate=told)


def describe_expected_moves(
    lines: Iterable[g.ExpectingMoves], decisions: StepDecisions, scope: PhraseScope
) -> Iterator[str]:
    """Yield what each player may do and, in the same sentence, what they may not."""
    for player, group in groupby(lines, lambda line: line.player):
        allowed, sentence = set[str](), ""
        for line in group:
            parts = [describe_printed_move(text, decisions, scope) for text, _ in line.moves]
            verbs = {verb for verb, _ in parts}
            because = explain_refusal(line.because, scope) if line.because is not None else ""
            if not line.negated:
                yield from (f"{scope.players[player]} may {sentence}",) if sentence else ()
                allowed, sentence = verbs, group_moves_by_verb(parts)
                continue
            refused = group_moves_by_verb(parts)
            if sentence and verbs == allowed and len(verbs) == 1:
                refused = f"may {sentence}, but not {morphology.join_phrases([what for _, what in parts], 'or')}"
            else:
                refused = f"may {sentence}, but can't {refused}" if sentence else f"can't {refused}"
            yield f"{scope.players[player]} {refused}{because}"
            allowed, sentence = set(), ""
        if sentence:
            yield f"{scope.players[player]} may {sentence}"


def explain_refusal(reason: str, scope: PhraseScope) -> str:
    """Return the author's reason after a refused move: `, because players must follow suit if they can`."""
    told = lower_first_word(reason, scope).rstrip(".")
    is_command = morphology.is_command(told)
    return f", because players must {morphology.address_players(told)}" if is_command else f": {told}"


def lower_first_word(text: str, scope: PhraseScope) -> str:
    """Return a sentence for use after a colon. Names of the game keep their capitals."""
    first = text.partition(" ")[0]
    return text if first in scope.lexicon.members or first == "I" else text[:1].lower() + text[1:]


def group_moves_by_verb(moves: Sequence[MovePhrase]) -> str:
    """Group moves by verb: `play 5 Gun or 2 Gun`."""
    idle = {verb for verb, what in moves if verb == "pass" or what == "none"}
    verbs = sorted(dict.fromkeys(verb for verb, _ in moves), key=lambda verb: verb not in idle)
    verb_phrases = [
        f"{verb} {morphology.join_phrases([what for v, what in moves if v == verb], 'or')}".rstrip() for verb in verbs
    ]
    return morphology.join_phrases(verb_phrases, "or")
