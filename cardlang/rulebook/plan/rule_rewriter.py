"""Rewriting of a game before it is described: inlined library steps, no code that only writes to the log.

Log messages and questions are no rules; neither is code that serves nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any

from attrs import evolve

from cardlang import model as g
from cardlang.model.effects import find_effects
from cardlang.model.traversal import RULES, collect_all_nodes, find_mentioned_names
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


def remove_declarations(game: g.Game, names: set[str]) -> g.Game:
    """Return a game without the tracks and definitions of these names."""
    tracks = {name: track for name, track in game.tracks.items() if name not in names}
    defines = {name: define for name, define in game.defines.items() if name not in names}
    return evolve(game, tracks=tracks, defines=defines)


def find_read_names(game: g.Game, variants: Iterable[g.Game]) -> set[str]:
    """Return the names that the rules of a game and its variants read. A write to a track is no use of it."""
    names = {"score"}
    changes = [
        declaration
        for variant in variants
        for declaration in list_rule_declarations(variant)
        if declaration.origin.varied
    ]
    for declaration in (*list_rule_declarations(game), *changes):
        names |= find_names_in_part(declaration) - (
            {declaration.name} if isinstance(declaration, g.Track | g.Define) else set()
        )
    return names


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


# ---------------------------------------------------------------- inlined steps
MAX_INLINED_STATEMENTS = 2
"""Maximum number of statements of a step that is told in place: one or two sentences."""


def inline_short_steps(game: g.Game, kept_steps: Set[str] = frozenset()) -> g.Game:
    """Inline each short step that is called once and named by no other rule. It gets no section of its own.

    `kept_steps`: names of steps that keep their sections.
    """
    nodes = collect_all_nodes(game)
    called = Counter(step for part in nodes for step in find_effects(part).steps)
    named = {find_effects(part).finished for part in nodes}
    named |= {restart.step for track in game.tracks.values() for restart in track.restarts}
    named |= {name for variant in game.variants for name, step in variant.game.steps.items() if step.origin.varied}
    short = {
        name: step
        for name, step in game.steps.items()
        if called[name] == 1 and name not in {*named, *kept_steps} and is_short_step(step)
    }
    if not short:
        return game
    inlined = rewrite_game(evolve(game, examples=()), lambda part: inline_calls(part, short))
    steps = {name: step for name, step in inlined.steps.items() if name not in short or is_called(name, inlined)}
    return evolve(inlined, steps=steps, examples=game.examples)


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
        body = (evolve(first, doc=step.doc or first.doc), *rest) if isinstance(first, g.Stmt) else (*first, *rest)
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
SINGLE_MENTION = 1
"""Number of mentions of a variable that only its own statement uses."""


def remove_logging(game: g.Game) -> g.Game:
    """Return a game without its questions, log messages, and log-only steps.

    Tracks, definitions and variables that nothing else needs are removed in addition.
    """
    steps = find_log_only_steps(game)
    done = rewrite_game(game, lambda part: remove_log_statements(part, steps))
    done = evolve(done, steps={name: step for name, step in done.steps.items() if name not in steps})
    before, after = count_variable_mentions(game), count_variable_mentions(done)
    variables = frozenset(var for var, count in after.items() if count == SINGLE_MENTION < before[var])
    done = rewrite_game(done, lambda part: remove_log_statements(part, set(), variables))
    noted = find_unneeded_names(game, done) & game.tracks.keys()
    noted -= {name for name in noted if game.tracks[name].subject == "card"}
    done = rewrite_game(done, lambda part: remove_log_statements(part, set(), tracks=frozenset(noted)))
    while idle := find_unneeded_names(game, done) & {
        *done.tracks,
        *done.defines,
    }:  # removing names can make others idle
        done = remove_declarations(done, idle)
    return remove_declarations(done, find_display_definitions(done))


def find_unneeded_names(game: g.Game, reduced_game: g.Game) -> set[str]:
    """Return the names needed by the rules of a game, but no longer by the remaining rules."""
    return find_read_names(game, ()) - find_read_names(reduced_game, ()) - {"winners"}


def find_display_definitions(game: g.Game) -> set[str]:
    """Return the definitions that only displays need, with those that only these need."""
    shown = {show.define for show in game.shows if show.define is not None}
    return find_needed_definitions(game, shown) - find_needed_definitions(
        game, find_read_names(evolve(game, defines={}), ()) | {"winners"}
    )


def find_needed_definitions(game: g.Game, names: set[str]) -> set[str]:
    """Return the transitive closure of the definitions of these names."""
    todo, needed = [*names], set[str]()
    while todo:
        name = todo.pop()
        if name in game.defines and name not in needed:
            needed.add(name)
            todo += find_names_in_part(game.defines[name])
    return needed


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


def remove_log_statements(
    value: object,
    log_only_steps: set[str],
    variables: frozenset[int] = frozenset(),
    tracks: frozenset[str] = frozenset(),
) -> object:
    """Remove log-only statements, and assignments to these variables and tracks, from a part."""
    if isinstance(value, g.Expr):
        return value
    if is_removable(value, log_only_steps, variables, tracks):
        return ()
    if isinstance(value, g.Pick | g.Choose | g.Menu | g.Offer) and value.doc.endswith("?"):
        value = evolve(value, doc="")
    if isinstance(value, g.Option) and value.called:
        value = evolve(value, called=(), called_with=())
    return RULES.rewrite_children(value, lambda part: remove_log_statements(part, log_only_steps, variables, tracks))


def is_removable(part: object, log_only_steps: set[str], variables: frozenset[int], tracks: frozenset[str]) -> bool:
    if isinstance(part, g.Remember):
        return part.var.id in variables
    if isinstance(part, g.SetTrack):
        return part.track in tracks
    return isinstance(part, g.Stmt) and is_log_only(part, log_only_steps)
