"""Prose descriptions of a game's examples."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from attrs import evolve, field, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import PLAYER
from cardlang.model.traversal import get_flag_literal, walk_in_source_order
from cardlang.rulebook.custom_wording import CustomWording
from cardlang.rulebook.model import ExamplePassage, HandPicture, WorkedExample
from cardlang.rulebook.plan.illustrations import build_position_picture, strip_open_prefix
from cardlang.rulebook.realise.choice_sentences import describe_choice_domain
from cardlang.rulebook.realise.condition_phrases import build_content_clause, describe_value_in_figures
from cardlang.rulebook.realise.custom_sentences import DIAGRAM_PREFIX, LIST_LINE_PATTERN, build_diagram, fill_in_values
from cardlang.rulebook.realise.instructions import describe_statement
from cardlang.rulebook.realise.lexicon import Lexicon
from cardlang.rulebook.realise.list_and_count_phrases import build_amount_clause
from cardlang.rulebook.realise.noun_phrases import (
    build_owned_noun,
    build_table_noun,
    describe_card_titles,
    describe_faces,
    describe_zone_cards,
    get_kind_noun,
    list_top_card_first,
)
from cardlang.rulebook.realise.phrases import (
    NounPhrase,
    PhraseScope,
    build_flag_clause,
    build_noun_phrase,
    describe_condition,
)

MovePhrase = tuple[str, str]
"""Infinitive of a move, and its object."""
MOVE_TOKEN = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")


@frozen
class StepDecisions:
    """Decisions that can occur in some steps."""

    picks: tuple[g.Pick, ...] = ()
    chooses: tuple[g.Choose, ...] = ()
    options: Mapping[str, g.Option] = field(factory=dict)

    @staticmethod
    def collect_in_step(step: str, lexicon: Lexicon) -> StepDecisions:
        """Return the decisions of a step and of everything that it calls. Cached for each step."""
        if step not in lexicon.decisions_by_step:
            parts: list[object] = []
            collect_called_parts(get_step_bodies(step, lexicon.game), lexicon.game, {step}, parts)
            lexicon.decisions_by_step[step] = StepDecisions(
                tuple(part for part in parts if isinstance(part, g.Pick)),
                tuple(part for part in parts if isinstance(part, g.Choose)),
                {part.name: part for part in parts if isinstance(part, g.Option)},
            )
        asked: StepDecisions = lexicon.decisions_by_step[step]
        return asked

    def find_implied_verb(self, of_cards: bool) -> str:
        """Return the implied verb of a move that is only cards or a number; empty if there is none."""
        verbs = {pick.verb for pick in self.picks}
        others = any(of_cards != (choose.domain.list is None) for choose in self.chooses)
        return verbs.pop() if len(verbs) == 1 and not others else ""


def collect_called_parts(bodies: object, game: g.Game, seen_steps: set[str], found: list[object]) -> None:
    """Collect the parts of some bodies and of the steps and reactions that they call."""
    for part in walk_in_source_order(bodies):
        found.append(part)
        if isinstance(part, g.Do | g.DoBorne) and part.step not in seen_steps:
            seen_steps.add(part.step)
            collect_called_parts(get_step_bodies(part.step, game), game, seen_steps, found)
        elif isinstance(part, g.Announce) and "announce" not in seen_steps:
            seen_steps.add("announce")
            collect_called_parts(tuple(reaction.option for reaction in game.reactions), game, seen_steps, found)


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
    return "choose", append_arguments(
        describe_chosen_value(head, scope), [describe_chosen_value(token, scope) for token in rest]
    )


def describe_chosen_value(token: str, scope: PhraseScope) -> str:
    """Describe a chosen value: cards, a player, a member, a number, or a name of the game."""
    if token[:1] == "[":
        return describe_bracketed_cards(token, scope)
    known = token.isdigit() or token in scope.players or token in scope.lexicon.members
    return scope.lexicon.members.get(token, ("", token))[1] if known else f"“{morphology.replace_hyphens(token)}”"


def append_arguments(what: str, arguments: Sequence[str]) -> str:
    return f"{what} with {morphology.join_phrases(arguments)}" if arguments else what


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
        what = get_argument_label(var, noun, len(arguments) > 1) if token.isdigit() else ""
        argument_texts.append(f"{what} {describe_chosen_value(token, scope)}".lstrip())
    return argument_texts


def get_argument_label(var: g.Var, noun: NounPhrase, several: bool) -> str:
    """Return a label for a figure: the kind of a member, `card` for a position, or the name if several are chosen."""
    if noun.type.tag == "member":
        return get_kind_noun(str(noun.type.of))
    if noun.type.tag == "card":
        return "card"
    return morphology.replace_hyphens(var.name) if several else ""


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

MAX_PARAGRAPH_MOVES = 3
"""Maximum number of moves of an example in one paragraph; longer ones get a line for each move."""


def build_worked_example(example: g.Example, scope: PhraseScope, titles_above: Sequence[str] = ()) -> WorkedExample:
    """Describe an example.

    `titles_above`: the titles of its section and of the step there, which need not be repeated.
    """
    scope = evolve(scope, players=example.players)
    wording = scope.lexicon.custom_wording.get(f"example {example.title}")
    if wording is not None and wording.instead:
        return WorkedExample(example.title, build_custom_example(wording, example, scope))
    parts = [
        part
        for part in build_example_sentences(example, scope)
        if part.passage.text not in [f"“{title}” begins." for title in titles_above]
    ]
    if parts:
        parts[0] = evolve(
            parts[0],
            passage=evolve(
                parts[0].passage, text=morphology.capitalize_first_letter(drop_leading_then(parts[0].passage.text))
            ),
        )
    moves = sum(part.is_move for part in parts)
    return WorkedExample(
        example.title,
        merge_passages([part.passage for part in parts])
        if moves <= MAX_PARAGRAPH_MOVES
        else build_numbered_passages(parts),
    )


def build_custom_example(wording: CustomWording, example: g.Example, scope: PhraseScope) -> tuple[ExamplePassage, ...]:
    """Return an example in the author's custom wording.

    A line that begins with `- ` is a numbered move; a name goes before a colon. The cards of each position go under one
    of the other lines, or under a move that ends with a colon. A position with a picture has no cards of its own. A
    diagram goes under the line before its boxes.
    """
    captions, given = iter(wording.captions), [line for line in example.lines if isinstance(line, g.Given)]
    pictured = [line for line in given if has_picture_facts(line, wording)][:1]
    picture = build_position_picture(pictured[0], wording, captions, example.players, scope) if pictured else None
    drawn = [
        build_position_hands(line, wording, captions, scope) for line in given if wording.draws and line not in pictured
    ]
    drawn = [(), *drawn] if pictured and pictured == given[:1] else drawn
    passages: list[ExamplePassage] = []
    for marked, run in groupby(
        wording.instead, lambda line: DIAGRAM_PREFIX if line.startswith(DIAGRAM_PREFIX) else line
    ):
        lines = [fill_in_values(run_line, scope.lexicon) for run_line in run]
        if marked == DIAGRAM_PREFIX and passages:
            passages[-1] = evolve(passages[-1], picture=build_diagram(lines))
            continue
        text = lines[0]
        move = LIST_LINE_PATTERN.fullmatch(text)
        shown = drawn.pop(0) if drawn and (move is None or text.endswith(":")) else ()
        if move is None:
            passages.append(ExamplePassage(morphology.punctuate_sentence(text), shown, names_hands=False))
        else:
            number = 1 + sum(bool(passage.line_number) for passage in passages)
            passages.append(
                ExamplePassage(
                    morphology.punctuate_sentence(move[3]), shown, number, names_hands=False, title=move[2] or ""
                )
            )
    if picture is not None:
        passages[0] = evolve(passages[0], picture=picture)
    return tuple(passages)


def has_picture_facts(position: g.Given, wording: CustomWording) -> bool:
    """Return whether a position contains the zones or tracks of a picture."""
    names = {item.zone if isinstance(item, g.GivenZone) else item.track for item in position.facts}
    return bool(names & {*map(strip_open_prefix, wording.scene), *wording.bars})


def build_position_hands(
    position: g.Given, wording: CustomWording, captions: Iterator[str], scope: PhraseScope
) -> tuple[HandPicture, ...]:
    """Return the hands of a position in the zones to draw. `captions`: the author's captions, in order."""
    drawn = [build_hand_picture(item, scope) for item in find_zone_facts(position, wording.draws)]
    return tuple(evolve(hand, label=next(captions, "") or hand.label) for hand in drawn)


def find_zone_facts(position: g.Given, zones: Sequence[str]) -> list[g.GivenZone]:
    """Return the cards of a position in some zones."""
    return [item for item in position.facts if isinstance(item, g.GivenZone) and item.zone in zones and item.faces]


def drop_leading_then(text: str) -> str:
    """Remove the leading `Then` of a sentence."""
    return text.removeprefix("Then ")


@frozen
class ExampleSentence:
    """A sentence of an example.

    `is_move`: it is a move. `is_position`: it is a position, which goes outside numbered lines."""

    passage: ExamplePassage
    is_move: bool = False
    is_position: bool = False


def build_example_sentences(example: g.Example, scope: PhraseScope) -> list[ExampleSentence]:
    """Return the sentences of an example in order."""
    sentences: list[ExampleSentence] = []
    asked = StepDecisions()
    for before, line in zip((None, *example.lines), example.lines, strict=False):
        if isinstance(line, g.Given):
            sentences += [
                ExampleSentence(passage, is_position=True)
                for passage in build_position_passages(line, scope, not sentences)
            ]
            continue
        if isinstance(line, g.Doing):
            asked = StepDecisions.collect_in_step(line.statement.step, scope.lexicon)
        first = isinstance(line, g.Expecting) and isinstance(before, g.Expecting | None)
        texts = [text.removeprefix("then ") if first else text for text in describe_example_line(line, asked, scope)]
        texts = [re.sub("” follows$", "” begins", text) for text in texts]
        sentences += [
            ExampleSentence(ExamplePassage(morphology.punctuate_sentence(text)), isinstance(line, g.Answer))
            for text in texts
        ]
    return sentences


def build_numbered_passages(parts: Sequence[ExampleSentence]) -> tuple[ExamplePassage, ...]:
    """Return a line for each move with its results. The final results follow after the lines."""
    last = max(sentence_index for sentence_index, part in enumerate(parts) if part.is_move)
    passages: list[ExamplePassage] = []
    number = 0
    for sentence_index, part in enumerate(parts):
        if part.is_move:
            number += 1
            passages.append(evolve(part.passage, line_number=number))
        elif part.is_position or sentence_index > last or not (passages and passages[-1].line_number):
            passages.append(part.passage)
        else:
            passages[-1] = evolve(passages[-1], text=f"{passages[-1].text} {part.passage.text}")
    return tuple(
        merged
        for _, group in groupby(passages, lambda passage: passage.line_number)
        for merged in merge_unnumbered_run(list(group))
    )


def merge_unnumbered_run(run: list[ExamplePassage]) -> tuple[ExamplePassage, ...]:
    return merge_passages(run) if not run[0].line_number else tuple(run)


def merge_passages(sentences: Sequence[ExamplePassage]) -> tuple[ExamplePassage, ...]:
    """Merge sentences with hands into a passage, and those without. The first passage merges with the next."""
    merged: list[ExamplePassage] = []
    for _, group in groupby(sentences, lambda passage: bool(passage.hands)):
        run = list(group)
        merged.append(
            ExamplePassage(
                " ".join(passage.text for passage in run), tuple(hand for passage in run for hand in passage.hands)
            )
        )
    if len(merged) > 1 and not merged[0].hands:
        merged[:2] = [ExamplePassage(f"{merged[0].text} {merged[1].text}", merged[1].hands)]
    return tuple(merged)


def count_example_words(example: WorkedExample) -> int:
    """Return the number of words in an example."""
    return sum(len(passage.text.split()) for passage in example.passages)


def describe_example_line(line: g.ExampleLine, decisions: StepDecisions, scope: PhraseScope) -> list[str]:
    match line:
        case g.Doing():
            return describe_example_step(line, scope)
        case g.Answer():
            return [f"{scope.players[line.player]} {describe_answer(line, decisions, scope)}"]
        case g.Expecting():
            return [
                re.sub(
                    r"\b(has|have|is|are|uses) any\b", r"\1 some", f"then {describe_condition(line.condition, scope)}"
                )
            ]
        case g.ExpectingMoves():
            return [describe_expected_moves(line, decisions, scope)]
        case g.Note():
            return [line.text]
    return []


def describe_example_step(line: g.Doing, scope: PhraseScope) -> list[str]:
    """Describe a call of a step: `“Trick” follows`, `it is Ann's turn`, `Ann carries out “Payment”`."""
    done = line.statement
    if done.of is not None and done.step == "turn" and not done.args:
        return [f"it is {build_noun_phrase(done.of, scope).possessive} turn"]
    items, _ = describe_statement(done, scope)
    texts = [re.sub("^(?:carry out )?(“[^”]*”)( with .*)?$", r"\1 follows\2", item.text) for item in items]
    return [text.replace("“The game” follows", "“The game” begins") for text in texts]


# ---------------------------------------------------------------- the position
def build_position_passages(position: g.Given, scope: PhraseScope, is_first: bool) -> list[ExamplePassage]:
    """Return a sentence for each row of a position, with the hands in it."""
    lead = "" if is_first else "now "
    sentences, rest = [], list(position.facts)
    for count in position.rows:
        row, rest = rest[:count], rest[count:]
        fact_text = join_owner_facts(
            [describe_fact(item, scope) for item in row], get_fact_owner_name(row[0], scope) if row else ""
        )
        hands = [build_hand_picture(item, scope) for item in row if isinstance(item, g.GivenZone)]
        sentences.append(
            ExamplePassage(morphology.punctuate_sentence(lead + fact_text), tuple(hand for hand in hands if hand.cards))
        )
        lead = ""
    return sentences


def join_owner_facts(fact_texts: Sequence[str], owner_name: str) -> str:
    """Join the facts about a player: `Ann is altered and holds …; Ann's deck is empty`."""
    owner_facts = [text for text in fact_texts if owner_name and text.startswith(f"{owner_name} ")]
    rest = [text for text in fact_texts if text not in owner_facts]
    joined = morphology.join_phrases(
        [
            text if fact_index == 0 else text.removeprefix(f"{owner_name} ")
            for fact_index, text in enumerate(owner_facts)
        ]
    )
    return "; ".join(part for part in (joined, morphology.join_phrases(rest)) if part)


def build_hand_picture(item: g.GivenZone, scope: PhraseScope) -> HandPicture:
    """Return the cards that a fact puts into a zone."""
    noun = build_fact_noun(item, scope)
    codes = (scope.lexicon.game.faces[face].code for face in list_top_card_first(item.faces, noun.entry, scope))
    return HandPicture(
        tuple(scope.lexicon.small_cards[code] for code in codes),
        morphology.capitalize_first_letter(noun.text.removeprefix("the ")),
    )


def describe_fact(item: PositionFact, scope: PhraseScope) -> str:
    """Describe a fact: `Mal's hand holds …`."""
    noun = build_fact_noun(item, scope)
    if isinstance(item, g.GivenZone):
        return describe_zone_content(noun, item.faces, scope)
    if noun.type.tag == "flag":
        return build_flag_clause(noun, get_flag_literal(item.value) is True).text
    if noun.entry is not None and noun.entry.is_unit:
        return build_amount_clause(noun, build_noun_phrase(item.value, scope), "=", noun.entry).text
    return (
        f"{noun.text} {'are' if noun.is_plural else 'is'} "
        f"{describe_value_in_figures(item.value, noun.type.tag == 'member', scope)}"
    )


def get_fact_subject(item: PositionFact, scope: PhraseScope) -> str | None:
    """Return the subject of a fact's declaration: None (the table), `player` or a kind."""
    game = scope.lexicon.game
    return game.zones[item.zone].subject if isinstance(item, g.GivenZone) else game.tracks[item.track].subject


def get_fact_owner_name(item: PositionFact, scope: PhraseScope) -> str:
    """Return the name of the owner in a fact; empty for the table."""
    kind = scope.lexicon.game.kinds.get(get_fact_subject(item, scope) or "")
    if item.of is None or get_fact_subject(item, scope) == "card":
        return ""
    return scope.players[item.of] if kind is None else kind.members[item.of].name


def build_fact_noun(item: PositionFact, scope: PhraseScope) -> NounPhrase:
    """Return the noun of a fact's declaration with its owner."""
    entry = scope.lexicon.nouns[item.zone if isinstance(item, g.GivenZone) else item.track]
    if item.of is None:
        return build_table_noun(entry)
    kind = scope.lexicon.game.kinds.get(entry.subject or "")
    if entry.subject == "card":
        face = next(face.number for face in scope.lexicon.game.faces if face.first == item.of)
        return build_owned_noun(NounPhrase(describe_faces((face,), scope), g.CARD), entry)
    if kind is None:
        return build_owned_noun(NounPhrase(scope.players[item.of], PLAYER), entry)
    return build_owned_noun(NounPhrase(kind.members[item.of].noun.singular, g.build_member_type(kind.name)), entry)


def describe_zone_content(noun: NounPhrase, faces: tuple[int, ...], scope: PhraseScope) -> str:
    if not faces:
        return f"{noun.text} {morphology.agree_verb('is', noun.is_plural)} empty"
    if not noun.is_pile:
        return f"{noun.text} is {describe_faces(faces, scope)}"
    if noun.owner is not None and noun.text == f"{noun.owner.possessive} hand":
        return f"{noun.owner.text} holds {describe_faces(faces, scope)}"
    return build_content_clause(noun, describe_zone_cards(faces, noun.entry, scope)).text


# ---------------------------------------------------------------- moves
def describe_answer(line: g.Answer, decisions: StepDecisions, scope: PhraseScope) -> str:
    acts = [describe_printed_move(text, decisions, scope) for text, _ in line.moves]
    *moves, last = [f"{morphology.conjugate_third_person(verb)} {what}".rstrip() for verb, what in acts]
    return f"{', '.join(moves)}, then {last}" if moves else last


def describe_expected_moves(line: g.ExpectingMoves, decisions: StepDecisions, scope: PhraseScope) -> str:
    parts = [describe_printed_move(text, decisions, scope) for text, _ in line.moves]
    because = f": “{line.because}”" if line.because is not None else ""
    return f"{scope.players[line.player]} may{' not' if line.negated else ''} {group_moves_by_verb(parts)}{because}"


def group_moves_by_verb(moves: Sequence[MovePhrase]) -> str:
    """Group moves by verb: `play 5 Gun or 2 Gun`."""
    idle = {verb for verb, what in moves if verb == "pass" or what == "none"}
    verbs = sorted(dict.fromkeys(verb for verb, _ in moves), key=lambda verb: verb not in idle)
    verb_phrases = [
        f"{verb} {morphology.join_phrases([what for v, what in moves if v == verb], 'or')}".rstrip() for verb in verbs
    ]
    return morphology.join_phrases(verb_phrases, "or")
