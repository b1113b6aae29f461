"""Rewriting of a game before it is described: inlined library steps, no code that only writes to the log.

Log messages and questions are no rules; neither is code that serves nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from functools import partial
from typing import Any

from cardlang import model as g
from cardlang.model.card_rules import list_effect_texts
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import RULES, collect_all_nodes, find_mentioned_names, uses_variable
from cardlang.rulebook.realise.filter_phrases import build_compound
from cardlang.rulebook.realise.game_lexicon import is_told_on_card
from cardlang.tree import rewrite_fields

REWRITTEN_FIELDS = (
    "sets", "tracks", "defines", "orders", "rankings", "steps", "reactions", "enters", "whenevers", "examples",
)  # fmt: skip
"""Fields of a game that contain rules, without those that share the rules of card faces."""


# ---------------------------------------------------------------- declarations of a game
def rewrite_game(game: g.Game, change: Callable[[Any], Any]) -> g.Game:
    """Apply a change to all rules of a game. Rules shared by several card faces remain shared."""
    done = rewrite_fields(game, REWRITTEN_FIELDS, lambda value: RULES.rewrite(value, change))
    before, after = (
        [rule for cards in each.sets.values() for rule in list_card_set_rules(cards)] for each in (game, done)
    )
    rules = {id(old): new for old, new in zip(before, after, strict=True)}

    def rewrite_bodies(borne: g.BorneDefine | g.BorneStep) -> g.BorneDefine | g.BorneStep:
        return RULES.rewrite_children(borne, lambda body: rules.get(id(body), body))

    return rewrite_fields(done, ("borne_defines", "borne_steps"), lambda value: RULES.rewrite(value, rewrite_bodies))


def list_card_set_rules(card_set: g.CardSet) -> list[g.CardRule]:
    """Return the rules on the cards of a set: those of the set, then those of its rows."""
    return [*card_set.bears, *(part for row in card_set.rows for part in row.bears)]


def list_rule_declarations(game: g.Game) -> list[Any]:
    """Return all declarations of a game that contain rules."""
    named = (game.sets, game.tracks, game.defines, game.orders, game.rankings, game.steps)
    listed = (game.reactions, game.enters, game.whenevers, game.examples)
    return [
        *(declaration for group in named for declaration in group.values()),
        *(declaration for group in listed for declaration in group),
    ]


def find_names_in_part(value: object) -> set[str]:
    """Return the names in a part, without targets of assignments."""
    if isinstance(value, g.SetTrack):
        return {*find_mentioned_names((value.of, value.value))} - {value.track}
    if isinstance(value, g.Expr):
        return {*find_mentioned_names(value)}
    names = {value.track} if isinstance(value, g.GivenTrack) else set[str]()
    if isinstance(value, g.Option):
        names |= {track for _, track, _ in value.costs}
    return names.union(*map(find_names_in_part, RULES.list_children(value)))


def prune(part: Any, is_removed: Callable[[Any], bool]) -> Any:
    """Remove statements from a part, with all that is nested in them."""
    if isinstance(part, g.Expr):
        return part
    return () if is_removed(part) else RULES.rewrite_children(part, lambda each: prune(each, is_removed))


# ---------------------------------------------------------------- names that no rule needs
def remove_idle_names(game: g.Game, original: g.Game, variants: Iterable[g.Game], kept_names: Set[str]) -> g.Game:
    """Return a game without the tracks and definitions that no rule needs, and without their assignments.

    Those of the game's own file are removed only if logs or displays need them. Tracks of cards stay: players see them.
    """
    changes = [each for variant in variants for each in list_rule_declarations(variant) if each.origin.varied]
    read = {show.define for show in original.shows}.union(*map(find_needed_names, list_rule_declarations(original)))
    named: dict[str, g.Track | g.Define] = {**game.tracks, **game.defines}
    own = {name for name, each in named.items() if not each.origin.library or is_in_game_file(each, game)}
    on_cards = {name for name, track in game.tracks.items() if track.subject == "card"} & own
    roots = {"score", "winners", *kept_names, *on_cards, *(own - read)}.union(*map(find_needed_names, changes))
    while idle := find_idle_names(game, roots):
        game = rewrite_game(game, partial(prune, is_removed=partial(is_assignment, idle)))
        tracks = {name: track for name, track in game.tracks.items() if name not in idle}
        defines = {name: define for name, define in game.defines.items() if name not in idle}
        game = game.replace(tracks=tracks, defines=defines)
    return game


def is_in_game_file(declaration: g.Track | g.Define, game: g.Game) -> bool:
    return declaration.origin.span.source == game.sources[0]


def find_needed_names(declaration: Any) -> set[str]:
    """Return the names that a declaration mentions, without its own."""
    own = {declaration.name} if isinstance(declaration, g.Track | g.Define) else set()
    return find_names_in_part(declaration) - own


def is_assignment(tracks: Set[str], part: object) -> bool:
    return isinstance(part, g.SetTrack) and part.track in tracks


def find_idle_names(game: g.Game, roots: set[str]) -> set[str]:
    """Return the tracks and definitions that neither the roots nor the other rules need, directly or indirectly."""
    named: dict[str, g.Track | g.Define] = {**game.tracks, **game.defines}
    others = [part for part in list_rule_declarations(game) if not isinstance(part, g.Track | g.Define)]
    todo, needed = [*roots.union(*map(find_names_in_part, others))], set[str]()
    while todo:
        name = todo.pop()
        if name in named and name not in needed:
            needed.add(name)
            todo += find_names_in_part(named[name])
    return named.keys() - needed


# ---------------------------------------------------------------- effects of cards
def remove_told_effects(game: g.Game) -> g.Game:
    """Return a game without the effects and reactions of cards that the author's texts tell, and their own steps."""
    done = rewrite_game(game.replace(examples=()), remove_told_bodies)
    done = done.replace(reactions=tuple(each for each in done.reactions if not is_told_reaction(each, game)))
    before, after = find_run_steps(game), find_run_steps(done)
    while before != after:
        steps = {name: step for name, step in done.steps.items() if name not in before - after}
        done = done.replace(steps=steps)
        before, after = after, find_run_steps(done)
    return done.replace(examples=game.examples)


def is_told_reaction(reaction: g.Reaction, game: g.Game) -> bool:
    lists = [domain.list for _, domain in reaction.option.binders]
    return any(isinstance(items, g.Filter) and is_told_on_card(items.condition, game) for items in lists)


def remove_told_bodies(part: Any) -> Any:
    if isinstance(part, g.Row) and list_effect_texts(part):
        bears = tuple(
            rule.replace(body=())
            if isinstance(rule, g.BorneStepBody)
            else rule.replace(value=g.Const(rule.value.type, rule.value.span, None))
            if isinstance(rule, g.BorneBody)
            else rule
            for rule in part.bears
        )
        return part.replace(bears=bears)
    return RULES.rewrite_children(part, remove_told_bodies)


def find_run_steps(game: g.Game) -> set[str]:
    return {step for part in collect_all_nodes(game) for step in find_effects(part).steps}


# ---------------------------------------------------------------- nested conditions
def merge_conditions(part: Any) -> Any:
    """Merge a case that is all of another case or of a loop: `each player who is ready and has not passed`."""
    part = RULES.rewrite_children(part, merge_conditions)
    match part:
        case g.Each(var=var, body=(g.If(otherwise=(), doc="") as inner,)) if var.type.tag == "player":
            conditions = [*filter(None, (part.condition, inner.condition))]
            if uses_variable((inner.condition,), var):
                return part.replace(condition=build_compound(conditions, g.And), body=inner.then)
        case g.If(otherwise=(), then=(g.If(otherwise=(), doc="") as inner,)):
            return part.replace(condition=build_compound((part.condition, inner.condition), g.And), then=inner.then)
    return part


# ---------------------------------------------------------------- inlined steps
MAX_INLINED_STATEMENTS = 2
"""Maximum number of statements of a step that is told in place: one or two sentences."""
MAX_INLINED_CALLS = 2
"""Maximum number of calls of a step of one sentence that is told in place."""


def inline_short_steps(game: g.Game) -> g.Game:
    """Inline each short step that is called once or twice and named by no other rule. It gets no section of its own."""
    nodes = collect_all_nodes(game)
    called = Counter(step for part in nodes for step in find_effects(part).steps)
    named = {find_effects(part).finished for part in nodes}
    named |= {restart.step for track in game.tracks.values() for restart in track.restarts}
    games = [game, *(variant.game for variant in game.variants if game.variant is None)]
    named |= {name for each in games for name, step in each.steps.items() if step.origin.varied}
    short = {
        name: step
        for name, step in game.steps.items()
        if 1 <= called[name] <= (MAX_INLINED_CALLS if len(step.body) == 1 else 1)
        and name not in named
        and is_short_step(step)
    }
    if not short:
        return game
    inlined = rewrite_game(game.replace(examples=()), lambda part: inline_calls(part, short))
    steps = {name: step for name, step in inlined.steps.items() if name not in short or is_called(name, inlined)}
    return inlined.replace(steps=steps, examples=game.examples)


def is_short_step(step: g.Step) -> bool:
    parts = [*RULES.walk(step.body)]
    statements = [part for part in parts if isinstance(part, g.Stmt)]
    has_options = any(isinstance(part, g.Option) for part in parts)
    has_doc = bool(step.doc) and bool(step.body) and bool(step.body[0].doc)
    return 0 < len(statements) <= MAX_INLINED_STATEMENTS and not (has_options or has_doc or step.params)


def is_called(name: str, game: g.Game) -> bool:
    return any(
        name in find_effects(part).steps for part in RULES.walk(tuple(step.body for step in game.steps.values()))
    )


def inline_calls(part: Any, inlined_steps: Mapping[str, g.Step]) -> Any:
    """Replace the calls of these steps by their bodies. A call with the author's text stays."""
    if isinstance(part, g.Do) and part.step in inlined_steps and not part.doc:
        step = inlined_steps[part.step]
        first, *rest = (inline_calls(stmt, inlined_steps) for stmt in step.body)
        body = (first.replace(doc=step.doc or first.doc), *rest) if isinstance(first, g.Stmt) else (*first, *rest)
        return RULES.rewrite(body, lambda each: substitute_player(each, step.you, part.of))
    return RULES.rewrite_children(part, lambda each: inline_calls(each, inlined_steps))


def substitute_player(part: Any, you: g.Var | None, player: g.Expr | None) -> Any:
    """Substitute the player `player` for `you` in a part."""
    if you is None or player is None:
        return part
    if isinstance(part, g.Var):
        return player if part.id == you.id else part
    return RULES.rewrite_children(part, lambda each: substitute_player(each, you, player))


# ---------------------------------------------------------------- log-only code
def remove_logging(game: g.Game) -> g.Game:
    """Return a game without its questions, log messages, and log-only steps and variables."""
    steps = find_log_only_steps(game)
    done = rewrite_game(game, partial(prune, is_removed=lambda part: is_log_only(part, steps)))
    done = rewrite_game(done, remove_prompts)
    done = done.replace(steps={name: step for name, step in done.steps.items() if name not in steps})
    before, after = count_variable_mentions(game), count_variable_mentions(done)
    only_set = {var for var, count in after.items() if count == 1 < before[var]}
    return rewrite_game(
        done, partial(prune, is_removed=lambda part: isinstance(part, g.Remember) and part.var.id in only_set)
    )


def remove_prompts(part: Any) -> Any:
    """Remove the questions of choices and the wording of moves from a part."""
    if isinstance(part, g.Expr):
        return part
    if isinstance(part, g.Pick | g.Choose | g.Menu | g.Offer) and part.doc.endswith("?"):
        part = part.replace(doc="")
    if isinstance(part, g.Option) and part.called:
        part = part.replace(called=(), called_with=())
    return RULES.rewrite_children(part, remove_prompts)


def find_log_only_steps(game: g.Game) -> set[str]:
    """Return the names of the steps that only write log messages, by fixed-point iteration."""
    steps: set[str] = set()
    while True:
        more = {name for name, step in game.steps.items() if step.body and is_log_only(step.body, steps)}
        if more == steps:
            return steps
        steps = more


def is_log_only(part: object, log_only_steps: set[str]) -> bool:
    """Return whether statements only write log messages. `log_only_steps`: the known log-only steps."""
    match part:
        case tuple():
            return all(is_log_only(each, log_only_steps) for each in part)
        case g.Do(step=name, doc=""):
            return name in log_only_steps
        case g.Each(body=body, doc=""):
            return is_log_only(body, log_only_steps)
        case g.If(then=then, otherwise=otherwise, doc=""):
            return is_log_only((*then, *otherwise), log_only_steps)
    return isinstance(part, g.Tell)


def count_variable_mentions(game: g.Game) -> Counter[int]:
    """Count the mentions of each variable."""
    return Counter(part.id for part in collect_all_nodes(game) if isinstance(part, g.Var))
