"""Sections on the goal, the set-up and the course of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model import PLAYER
from cardlang.model.expression_queries import get_number_literal, get_read_name, unwrap_conversions
from cardlang.model.traversal import RULES, can_eliminate_players, collect_all_nodes, walk, walk_in_source_order
from cardlang.rulebook.model import Block, Item, ItemList, Paragraph, Section
from cardlang.rulebook.plan.declaration_entries import describe_places_of_players
from cardlang.rulebook.plan.rule_rewriter import prune
from cardlang.rulebook.plan.term_and_example_placement import Glossary
from cardlang.rulebook.plan.track_entries import build_setup_items
from cardlang.rulebook.realise.allowances import split_alternatives
from cardlang.rulebook.realise.filter_phrases import build_compound
from cardlang.rulebook.realise.instructions import build_block_items, build_variable_noun, describe_race
from cardlang.rulebook.realise.noun_phrases import build_owned_noun, build_table_noun, get_kind_noun
from cardlang.rulebook.realise.phrases import (
    YOU,
    NounPhrase,
    PhraseScope,
    build_clause,
    build_noun_phrase,
    build_relative_clause,
    build_tested_pronoun,
    describe_condition,
)
from cardlang.rulebook.realise.repeat_sentences import (
    find_repetitions,
    find_used_zones,
    is_whole_round,
    limit_repetitions,
)
from cardlang.rulebook.realise.sentence_aggregation import drop_told_sentences, merge_author_texts, realize_step_items

# ---------------------------------------------------------------- course of play
PLAY_TITLE = "How to play"
END_TITLE = "End of the game"


@frozen
class PlayPart:
    """A part of the course of play: its own section, and the statements told there.

    `told_term`: a definition that it tells in place.
    """

    section: Section
    body: object
    told_term: g.Define | None = None


def build_play_sections(content: g.Game, scope: PhraseScope, glossary: Glossary) -> list[Section]:
    """Return the set-up, the turns and the end of the game.

    Steps are subsections, in the order of their first call, under the part that calls them; turns come before the end
    and the set-up.
    """
    steps = content.steps
    setup, (turns, end) = build_setup_part(content, scope), split_play(content, scope)
    claimed = {"setup", "play"}
    called = {part: [*order_called_steps(part.body, steps, claimed)] for part in (turns, end, setup)}
    called[turns] += [step for name, step in steps.items() if name not in claimed]
    sections = []
    if end.told_term is not None:
        glossary.terms.pop(end.told_term.name, None)
    for part in (setup, turns, end):
        section = glossary.add_needed_terms(part.body, part.section)
        told = (step for step in called[part] if not step.unfilled)
        below = (glossary.add_needed_terms(step.body, build_step_section(step, scope)) for step in told)
        sections.append(evolve(section, sections=(*below, *section.sections)))
    return sections


def build_setup_part(content: g.Game, scope: PhraseScope) -> PlayPart:
    """Return the set-up: the initial values, then the instructions."""
    actions = build_setup_items(content, scope)
    title, step = scope.lexicon.get_step_title("setup"), content.steps.get("setup")
    places = describe_places_of_players(content, scope)
    kept = (Paragraph(places),) if places else ()
    if step is None:
        return PlayPart(Section(title, (*([ItemList(actions)] if actions else []), *kept)), ())
    section = build_step_section(step, scope)
    items = realize_step_items(build_block_items(step.body, bind_step_variables(step, scope)))
    items += (Item("Set the other cards aside. They are not used."),) if leaves_unused_cards(step, scope) else ()
    return PlayPart(evolve(section, blocks=(*build_doc_blocks(step), ItemList((*actions, *items)), *kept)), step.body)


def leaves_unused_cards(setup: g.Step, scope: PhraseScope) -> bool:
    """Return whether some cards are left after the only deal of the game, whatever the number of players."""
    game, homes = scope.lexicon.game, {str(cards.home) for cards in scope.lexicon.game.sets.values()}
    others = tuple(step.body for step in game.steps.values() if step.name != "setup")
    deals = [part for part in walk(setup.body) if isinstance(part, g.Move) and part.verb == "deal"]
    match deals:
        case [g.Move(what=g.Agg(number=g.Expr() as number), to=to)] if game.zones[to.zone].subject == "player":
            dealt = int(get_number_literal(number) or 0) * game.seats[-1]
            return 0 < dealt < game.cards and not homes & find_used_zones((others, game.whenevers), game)
    return False


def split_play(content: g.Game, scope: PhraseScope) -> tuple[PlayPart, PlayPart]:
    """Return the turns, and the end: the condition that ends the main loop, and what follows it."""
    nothing, play = PlayPart(Section(END_TITLE), ()), content.steps.get("play")
    if play is None:
        return PlayPart(Section(PLAY_TITLE), ()), nothing
    before, loop, after = split_at_main_loop(play.body)
    if loop is None or loop.until is None:
        section = build_step_section(play, scope)
        return PlayPart(evolve(section, title=PLAY_TITLE), play.body), nothing
    condition, doc = loop.until, loop.doc
    called = find_only_use(condition, content)
    if called is not None:
        condition, doc = called.value, merge_author_texts(doc, called.doc)
    counts = [find_repetitions(loop, end, scope) for end in split_alternatives(condition)]
    ends = [end for end, (number, _) in zip(split_alternatives(condition), counts, strict=True) if not number]
    part = find_played_part(loop, ends, scope)
    after_counts = [f"after {count}" for number, count in counts if number]
    text = describe_game_end(part, ends, after_counts, scope)
    about_play = drop_told_sentences(play.doc, text)
    if about_play != play.doc:  # it is about the end
        play, doc = play.replace(doc=""), merge_author_texts(doc, about_play)
    blocks = (Paragraph(text, drop_told_sentences(doc, text)), *build_instruction_blocks(after, scope))
    rules = (f"step {play.name}",)
    reads = [part.track for part in collect_all_nodes(content) if isinstance(part, g.TrackValue)]
    if after_counts and reads.count(getattr(loop.body[0], "track", "")) == 1:
        loop = loop.replace(body=loop.body[1:])
    endless = limit_repetitions(loop.replace(until=None, doc=""), 0 if ends else counts[0][0])
    blocks_of_play = (*build_doc_blocks(play), *build_instruction_blocks((*before, endless), scope))
    turns = Section(PLAY_TITLE, blocks_of_play, rules=rules)
    end = PlayPart(Section(END_TITLE, blocks, rules=rules), (condition, after), called)
    return PlayPart(turns, (before, loop.body)), end


def describe_game_end(part: str, ends: Sequence[g.Expr], after_counts: Sequence[str], scope: PhraseScope) -> str:
    """Describe when the game ends. `part`: the part of the game after which the conditions count, if any.

    A condition that could stop holding in the rest of that part only counts at its end.
    """
    condition = describe_condition(build_compound(ends, g.Or), scope) if ends else ""
    homes = {cards.home for cards in scope.lexicon.game.sets.values()}
    empty = [part for part in walk(tuple(ends)) if isinstance(part, g.IsEmpty) and get_read_name(part.value) in homes]
    pile = get_read_name(empty[0].value) if empty and part == ROUND else ""
    draws = f" Until then, draw nothing from an empty {pile}." if pile else ""
    one = f"the end of a {part}" if part == ROUND else f"a {part}"
    when = f"{'at' if part == ROUND else 'after'} {one} if {condition}" if part else f"when {condition}"
    if part and len(ends) == 1 and not after_counts and (exhausted := find_exhausted_pile(ends[0], scope)):
        if part == ROUND:
            finish = "finish the round, so that all players have had the same number of turns"
            return morphology.punctuate_sentence(f"when {condition}, {finish}. The game then ends") + draws
        when = f"after the {part} in which {exhausted.text} {morphology.agree_verb('runs', exhausted.is_plural)} out"
    return morphology.punctuate_sentence(f"the game ends {', or '.join([when] * bool(ends) + [*after_counts])}") + draws


def find_exhausted_pile(end: g.Expr, scope: PhraseScope) -> NounPhrase | None:
    """Return the pile of the table whose end is a condition, if no card comes back to it during play."""
    pile = build_noun_phrase(end.value, scope) if isinstance(end, g.IsEmpty) else None
    if pile is None or pile.entry is None or pile.entry.subject is not None:
        return None
    bodies = tuple(step.body for step in scope.lexicon.game.steps.values() if step.name != "setup")
    filled = {part.zone for part in walk((bodies, scope.lexicon.game.sets)) if isinstance(part, g.Place)}
    return None if pile.entry.name in filled else pile


ROUND = "round"


def find_played_part(loop: g.Repeat, ends: Iterable[g.Expr], scope: PhraseScope) -> str:
    """Return the part of the game after which a loop tests its condition: a round of turns, a lot.

    It is empty for other loops, and if the condition is only about a hand, which all players use up together.
    """
    match loop.body:
        case (g.Each(body=(g.Do() as turn,)) as each,) if is_whole_round(each, turn):
            return ROUND
        case (g.Do(step=name), *_):
            hands = [isinstance(end, g.IsEmpty) and getattr(unwrap_conversions(end.value), "of", None) for end in ends]
            title = scope.lexicon.get_step_title(name)
            return title.lower() if morphology.classify_step_title(title)[0] == "noun" and not all(hands) else ""
    return ""


def find_only_use(condition: g.Expr, content: g.Game) -> g.Define | None:
    """Return the definition that a condition consists of, if no other rule uses it and a sentence can tell it."""
    call = unwrap_conversions(condition)
    if not isinstance(call, g.Call) or call.of is not None:
        return None
    uses = [part for part in collect_all_nodes(content) if isinstance(part, g.Call) and part.define == call.define]
    define = content.defines[call.define]
    return define if len(uses) == 1 and not isinstance(define.value, CompoundValue) else None


def split_at_main_loop(body: tuple[g.Stmt, ...]) -> tuple[tuple[g.Stmt, ...], g.Repeat | None, tuple[g.Stmt, ...]]:
    """Split the body of the game at its last loop with a condition."""
    for index, stmt in reversed([*enumerate(body)]):
        if isinstance(stmt, g.Repeat) and stmt.until is not None and stmt.most is None:
            return body[:index], stmt, body[index + 1 :]
    return body, None, ()


def build_instruction_blocks(statements: tuple[g.Stmt, ...], scope: PhraseScope) -> tuple[Block, ...]:
    """Return instructions as a numbered list, or a single one as a paragraph, with its own list."""
    items = realize_step_items(build_block_items(statements, scope))
    match items:
        case (Item(title="") as item,):
            listed = (ItemList(item.items, item.bullets),) if item.items else ()
            return (Paragraph(item.text, item.author_text), *listed)
    return (ItemList(items),) if items else ()


def build_doc_blocks(step: g.Step) -> tuple[Block, ...]:
    return (Paragraph("", step.doc),) if step.doc else ()


def order_called_steps(body: object, steps: Mapping[str, g.Step], claimed: set[str]) -> Iterator[g.Step]:
    """Yield the steps that a body calls, each followed by its callees, without those claimed already.

    Steps of the main course come first, then steps called only if something ends early.
    """
    for course in (RULES.rewrite(body, partial(prune, is_removed=is_early_end)), body):
        for part in walk_in_source_order(course):
            if isinstance(part, g.Do) and part.step in steps and part.step not in claimed:
                claimed.add(part.step)
                yield steps[part.step]
                yield from order_called_steps(steps[part.step].body, steps, claimed)


def is_early_end(part: object) -> bool:
    return isinstance(part, g.If) and isinstance(part.then[-1], g.Finish)


def bind_step_variables(step: g.Step, scope: PhraseScope) -> PhraseScope:
    """Return the scope within a step: its player is `you`, and its parameters are named after themselves."""
    scope = evolve(scope, step=step)
    inner = scope if step.you is None else scope.bind_noun(step.you, YOU)
    for param in step.params:
        inner = inner.bind_noun(param, build_variable_noun(param.name, param.type))
    return inner


def build_step_section(step: g.Step, scope: PhraseScope) -> Section:
    inner = bind_step_variables(step, scope)
    blocks = (*build_doc_blocks(step), *build_instruction_blocks(step.body, inner))
    return Section(scope.lexicon.get_step_title(step.name), blocks, rules=(f"step {step.name}",))


# ---------------------------------------------------------------- goal
GOAL_TITLE = "Goal"
GOAL_SUPERLATIVES = {"higher": ("most", "highest"), "lower": ("fewest", "lowest")}


@frozen
class Goal:
    """The goal of the game.

    `text`: the winning condition. `author_text`: the author's text. `explained_terms`: names of terms that it explains
    completely.
    """

    text: str
    author_text: str = ""
    explained_terms: tuple[str, ...] = ()

    @property
    def section(self) -> Section:
        told = (Paragraph(morphology.punctuate_sentence(self.text), self.author_text),)
        return Section(GOAL_TITLE, told, rules=("goal",))


@frozen
class WinMeasure:
    """The number or value that decides the winner.

    `owner_noun`: its owner. `is_count`: it is a count, with more or fewer instead of higher or lower.
    """

    owner_noun: str
    noun: str
    is_count: bool

    def describe_winner(self, direction: str) -> str:
        """Return the winning condition. `direction`: the `higher` one wins, or the `lower`."""
        return f"{self.describe_holder(direction)} wins. Tied {morphology.pluralize(self.owner_noun)} share the win"

    def describe_holder(self, direction: str) -> str:
        return f"the {self.owner_noun} with the {self.get_superlative(direction)} {self.noun}"

    def get_superlative(self, direction: str) -> str:
        return GOAL_SUPERLATIVES[direction][0 if self.is_count else 1]


CompoundValue = g.Cases | g.FirstPossible
"""Expressions that need more than a sentence."""


def build_goal(content: g.Game, scope: PhraseScope) -> Goal:
    """Return the goal of the game. The step that ends the game describes the end."""
    winners = content.defines.get("winners")
    if winners is not None and not isinstance(winners.value, CompoundValue):
        return Goal(describe_winners(winners.value, content, scope), winners.doc, ("winners",))
    if "standing" in content.orders:
        return build_standing_goal(content, scope)
    measure, names = find_score_measure(content, scope)
    author_text = content.defines["score"].doc if names else ""
    return Goal(measure.describe_winner("higher"), author_text, names)


def describe_winners(value: g.Expr, content: g.Game, scope: PhraseScope) -> str:
    """Describe the set of winners."""
    if isinstance(value, g.Filter) and build_noun_phrase(value.list, scope).text == "the players":
        match unwrap_conversions(value.condition):
            case g.Compare(operator="=", left=g.TrackValue() as own, right=g.Agg(list=g.MapEach() as mapped) as end):
                if get_read_name(mapped) == own.track and end.function in ("highest", "lowest"):
                    measure = build_win_measure(build_noun_phrase(own, scope.bind_tested(value.var)))
                    return measure.describe_winner("higher" if end.function == "highest" else "lower")
        clause = build_relative_clause(value.condition, scope.bind_tested(value.var))
        if clause.one and not clause.provided and max(content.seats) > 1:
            first = describe_race(scope)
            return f"the first player to have {first} wins at once" if first else f"each player {clause.one} wins"
        return f"you win if {describe_condition(value.condition, scope.bind_subject(value.var, YOU))}"
    winners = build_noun_phrase(value, scope).text
    if winners == "the players" and can_eliminate_players(content):
        return "the players who are still in the game when it ends win"
    return f"the winners are {winners}"


def build_standing_goal(content: g.Game, scope: PhraseScope) -> Goal:
    """Describe the winner by the order of players; directly, if one line decides."""
    standing = content.orders["standing"]
    line = standing.lines[0]
    if len(standing.lines) > 1 or line.how not in GOAL_SUPERLATIVES or line.layout is not None:
        return build_tie_break_goal(content, scope)
    noun = build_noun_phrase(line.value, scope.bind_tested(standing.var))
    compares_scores = noun.entry is not None and noun.entry.name == "score"
    measure, names = find_score_measure(content, scope) if compares_scores else (build_win_measure(noun), ())
    author_text = " ".join(morphology.punctuate_sentence(text) for text in (standing.doc, line.doc) if text)
    ranks = any(
        isinstance(part, g.Sorted | g.AggBy) and part.order == "standing" for part in collect_all_nodes(content)
    )
    return Goal(measure.describe_winner(line.how), author_text, (*names, *(() if ranks else ("standing",))))


def build_tie_break_goal(content: g.Game, scope: PhraseScope) -> Goal:
    """Describe the winner by an order with several lines: players who win outright, the values, and tie-breaks."""
    standing = content.orders["standing"]
    inner = scope.bind_tested(standing.var)
    outright, values, names = list[str](), list[str](), ["standing"]
    for line in standing.lines:
        clause = build_clause(line.value, inner) if line.how == "best" else None
        if clause is not None and clause.one and not values:
            outright.append(f"a player {clause.one} wins")
        elif line.how in GOAL_SUPERLATIVES and line.layout is None:
            noun = build_noun_phrase(line.value, inner)
            is_score = noun.entry is not None and noun.entry.name == "score"
            measure, explained = find_score_measure(content, scope) if is_score else (build_win_measure(noun), ())
            values.append(measure.describe_holder(line.how))
            names += explained
        else:
            return Goal("the best in the order “standing” wins. Tied players share the win")
    best, *ties = values or ["every other player"]
    parts = [*outright, f"{best} wins", *(f"ties go to {holder}" for holder in ties)]
    parts[1:2] = [f"otherwise, {part}" for part in parts[1:2]] if outright else parts[1:2]
    docs = [morphology.punctuate_sentence(doc) for doc in (standing.doc, *(line.doc for line in standing.lines)) if doc]
    return Goal("; ".join(parts) + ". Tied players share the win", " ".join(docs), tuple(names))


def find_score_measure(content: g.Game, scope: PhraseScope) -> tuple[WinMeasure, tuple[str, ...]]:
    """Return the measure of the score, and the terms that it explains: `score`, if the score is a plain count."""
    define = content.defines.get("score")
    if define is not None and define.var is not None and not isinstance(define.value, CompoundValue):
        noun = build_noun_phrase(define.value, scope.bind_subject(define.var, YOU))
        if build_win_measure(noun).is_count and not noun.counted_noun:
            return build_win_measure(noun), ("score",)
    if define is None and "score" not in content.tracks:
        return WinMeasure("player", "score", False), ()
    entry = scope.lexicon.nouns["score"]
    return build_win_measure(
        build_owned_noun(build_tested_pronoun(PLAYER), entry) if entry.subject == "player" else build_table_noun(entry)
    ), ()


def build_win_measure(noun: NounPhrase) -> WinMeasure:
    """Convert a number of a player or a team to a measure."""
    owner = noun.owner.type if noun.owner is not None else PLAYER
    who = get_kind_noun(owner.of) if owner.tag == "member" and owner.of is not None else "player"
    if noun.counted_noun:
        return WinMeasure(who, noun.counted_noun, True)
    if noun.entry is not None and noun.entry.is_unit and noun.type.tag == "number":
        return WinMeasure(who, noun.entry.plural, True)
    return WinMeasure(who, noun.bare_noun or (noun.entry.noun if noun.entry else noun.text.removeprefix("the ")), False)
