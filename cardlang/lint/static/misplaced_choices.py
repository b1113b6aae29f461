"""Lint rules for choices in triggers and nested turns, and for double payments."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import model as g
from cardlang.diagnostics import Diagnostic
from cardlang.lint.static.execution_order import get_own_source
from cardlang.model.effects import find_effects, iter_track_changes
from cardlang.model.traversal import ModelNode, collect_all_nodes, iter_bodies, iter_reachable_bodies, walk


def check_nested_rounds(game: g.Game) -> Iterator[Diagnostic]:
    """Report steps that ask all players and store the answers, but run once per player. Only the last answers count."""
    for part in collect_all_nodes(game):
        if not (isinstance(part, g.Each) and is_loop_over_all_players(part)) or part.span.source is not get_own_source(
            game
        ):
            continue
        last = part.body[-1] if part.body else None
        if isinstance(last, g.Do) and last.of is None and not last.args and not has_global_change(game, part):
            inner = next((each for each in game.steps[last.step].body if isinstance(each, g.Each)), None)
            if inner is not None and is_loop_over_all_players(inner) and stores_choices(inner):
                yield Diagnostic(
                    "W431",
                    f"`{last.step}` asks every player, but runs once for each player, so only the last answers count",
                    last.span,
                    "indent this line less, so that it runs once, or write a `step your …` without `each player`",
                    ((part.span, "for each player"), (inner.span, "and again in the step")),
                    warning=True,
                )


def is_loop_over_all_players(loop: g.Each) -> bool:
    everybody = isinstance(loop.list, g.Builtin) and loop.list.name == "players"
    return everybody and loop.condition is None and not loop.together


def has_global_change(game: g.Game, loop: g.Each) -> bool:
    """Return whether earlier statements of a turn change a global track, so that a step may differ in each turn."""
    parts = [part for body in iter_reachable_bodies(game, loop.body[:-1]) for part in walk(body)]
    return any(game.tracks[change.track].subject is None for change in iter_track_changes(parts))


def stores_choices(loop: g.Each) -> bool:
    """Return whether players choose in turn and their choices are stored."""
    parts = list(walk(loop.body))
    asked = any(isinstance(part, g.Choose | g.Menu) for part in parts)
    moved = any(find_effects(part).transfers for part in parts)
    return asked and not moved and any(change.operator == "=" for change in iter_track_changes(parts))


def check_single_acting_player(game: g.Game) -> Iterator[Diagnostic]:
    """Report loops in which only one player acts, who never changes."""
    if max(game.seats) == 1:
        return
    changed = {change.track for change in iter_track_changes(collect_all_nodes(game))}
    for loop in (part for body in iter_bodies(game) for part in walk(body)):
        if not isinstance(loop, g.Repeat) or loop.span.source is not get_own_source(game):
            continue
        done = [part for body in iter_reachable_bodies(game, loop.body) for part in walk(body)]
        named = next(
            (part for part in done if (name := find_asked_player_track(game, part)) and name not in changed), None
        )
        if isinstance(named, g.Stmt) and not any(can_ask_other_players(game, part) for part in done):
            name = find_asked_player_track(game, named)
            yield Diagnostic(
                "W433",
                f"only `{name}` acts here, and it is the same player all game",
                named.span,
                f"write `each player from {name}`, or `set {name} to {name}'s left` after the turn",
                ((loop.span, "in every round of this loop"),),
                warning=True,
            )


def find_asked_player_track(game: g.Game, part: object) -> str | None:
    """Return the player track that a statement asks, directly or through a step, or None."""
    match part:
        case g.Do(step=name, of=g.TrackValue(track=track, of=None)):
            return track if has_choice(game, game.steps[name].body) else None
        case g.Remember(var=g.Var(name=""), value=g.TrackValue(track=track, of=None)):
            return track
    return None


def can_ask_other_players(game: g.Game, part: object) -> bool:
    """Return whether players are asked in turn or simultaneously."""
    return isinstance(part, g.Offer) or (isinstance(part, g.Each) and has_choice(game, part.body))


def has_choice(game: g.Game, body: object) -> bool:
    return any(find_effects(part).asks for each in iter_reachable_bodies(game, body) for part in walk(each))


# ---------------------------------------------------------------- double payments
def check_double_payments(game: g.Game) -> Iterator[Diagnostic]:
    for part in (part for body in iter_bodies(game) for part in walk(body)):
        match part:
            case g.Menu(who=who, options=options):
                yield from (finding for option in options for finding in check_option_payments(game, option, who))
            case g.Offer(var=var, options=options):
                yield from (finding for option in options for finding in check_option_payments(game, option, var))
    for reaction in game.reactions:
        yield from check_option_payments(game, reaction.option, reaction.you)


def check_option_payments(game: g.Game, option: g.Option, payer: g.Expr) -> Iterator[Diagnostic]:
    """Report payments of an equal amount from the same track and player. Other payments in the body may be intended."""
    if option.costs and option.span.source is get_own_source(game):
        paid = list(iter_payments(game, option.body, payer))
        for amount, name, _ in option.costs:
            again = next(
                (each for each, of in paid if each.track == name and of == payer and each.value == amount), None
            )
            if again is not None:
                yield Diagnostic(
                    "W434",
                    f"this is paid twice: `{option.name}` already costs it",
                    again.span,
                    "delete this line. For twice the cost, change `costs`",
                    ((amount.span, "already paid here"),),
                    warning=True,
                )


def iter_payments(
    game: g.Game, body: tuple[g.Stmt, ...], payer: g.Expr, active_steps: tuple[str, ...] = ()
) -> Iterator[tuple[g.SetTrack, g.Expr | None]]:
    """Yield the subtractions that a body always makes, including its steps, with the player who pays."""
    for statement in body:
        match statement:
            case g.SetTrack(operator="-", of=of):
                yield statement, of
            case g.Do(step=name, of=of) if name not in active_steps:
                step = game.steps[name]
                for each, whose in iter_payments(game, step.body, payer, (*active_steps, name)):
                    yield each, of if step.you is not None and whose == step.you else whose


# ---------------------------------------------------------------- choices in triggers
def check_choices_in_triggers(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices in a `whenever` with a condition. It can run in the middle of a statement, where a match cannot
    wait."""
    for trigger in game.whenevers:
        if any(find_effects(part).waits for part in walk_executed_parts(game, trigger.body)):
            yield Diagnostic(
                "E304",
                "a `whenever` with a condition cannot contain a choice",
                trigger.span,
                "put the choice in a step, below an `if …`, after the line that makes the condition true",
            )


def check_nested_choices(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices while simultaneous choices are carried out. Later players would learn from them before they
    choose."""
    every = (part for body in iter_bodies(game) for part in walk(body))
    for each in every:
        if not isinstance(each, g.Each) or not each.together:
            continue
        for part in walk_executed_parts(game, each.body):
            if isinstance(part, g.Stmt) and find_effects(part).waits and not any(part is own for own in each.body):
                yield Diagnostic(
                    "E305",
                    "a second choice inside a joint choice",
                    part.span,
                    "make it part of the same move (`option … with … from …`), or ask in a separate `each player`",
                    ((each.span, "the joint choice"),),
                )


def walk_executed_parts(game: g.Game, body: object) -> Iterator[ModelNode]:
    """Yield all statements and expressions of a body, of its steps, and of triggers of the zones it moves cards to."""
    entered: set[str] = set()
    todo = [body]
    while todo:
        for part in (part for each in iter_reachable_bodies(game, todo.pop()) for part in walk(each)):
            yield part
            fresh = {transfer.to.zone for transfer in find_effects(part).transfers} - entered
            entered |= fresh
            todo += [trigger.body for trigger in game.enters if trigger.zone in fresh]
