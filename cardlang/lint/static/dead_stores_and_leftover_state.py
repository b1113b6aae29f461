"""Lint rules for dead stores, and for state that survives from round to round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic
from cardlang.lint.static.constant_values import NO, YES, ConstantEvaluator
from cardlang.lint.static.doc_consistency import iter_blocks
from cardlang.lint.static.execution_order import get_own_source, iter_triggered_bodies
from cardlang.lint.static.infinite_loops import walk_with_definitions
from cardlang.lint.static.unused_or_confusing_names import find_bindings
from cardlang.model.effects import CardTransfer, find_effects, iter_track_changes, iter_transfers
from cardlang.model.traversal import (
    collect_all_nodes,
    find_reachable_steps,
    has_random_draw,
    iter_bodies,
    iter_reachable_bodies,
    walk,
)

MAX_EXAMINED_PARTS = 100
"""Maximum number of parts of a list to examine."""
SCORE_BUILTINS = ("winners",)


@frozen
class TrackAssignment:
    """Assignment to a track. `is_unconditional` means that it runs in each iteration of its loop; `loop_depth` counts
    the nested loops around it."""

    statement: g.SetTrack
    is_unconditional: bool
    loop_depth: int


def iter_own_loops(game: g.Game) -> Iterator[g.Repeat]:
    """Yield the loops in the game's own file."""
    for body in iter_bodies(game):
        for part in walk(body):
            if isinstance(part, g.Repeat) and part.span.source is get_own_source(game):
                yield part


def iter_assignments(
    game: g.Game,
    body: Iterable[g.Stmt],
    is_unconditional: bool = True,
    loop_depth: int = 0,
    active_steps: tuple[str, ...] = (),
) -> Iterator[TrackAssignment]:
    """Yield the assignments of a body and of its steps, in order."""
    for statement in body:
        for change in find_effects(statement).track_changes:
            yield TrackAssignment(change, is_unconditional, loop_depth)
        match statement:
            case g.Do(step=name) if name not in active_steps:
                yield from iter_assignments(
                    game, game.steps[name].body, is_unconditional, loop_depth, (*active_steps, name)
                )
            case g.Each(body=inner, condition=condition):
                yield from iter_assignments(
                    game, inner, is_unconditional and condition is None, loop_depth, active_steps
                )
            case g.Repeat(body=inner):
                yield from iter_assignments(game, inner, False, loop_depth + 1, active_steps)
            case _:
                for option in getattr(statement, "options", ()):
                    yield from iter_assignments(game, option.body, False, loop_depth, active_steps)
                for name in ("then", "body", "otherwise"):
                    yield from iter_assignments(game, getattr(statement, name, ()), False, loop_depth, active_steps)


def find_tracks_in_value(game: g.Game, value: object) -> set[str]:
    """Return the tracks that a value reads, directly or through definitions."""
    return {part.track for part in walk_with_definitions(game, value) if isinstance(part, g.TrackValue)}


def find_read_tracks(game: g.Game, code: Iterable[object]) -> set[str]:
    """Return the tracks that some code reads. Adding to a track doesn't count as reading it."""
    found: set[str] = set()
    for part in (part for each in code for part in walk(each)):
        if isinstance(part, g.TrackValue):
            found.add(part.track)
        elif isinstance(part, g.Builtin) and part.name in SCORE_BUILTINS:
            found |= {"score", *find_result_tracks(game)}
        elif isinstance(part, g.Option):
            found |= {track for _, track, _ in part.costs}
        elif isinstance(part, g.Call | g.Sorted | g.AggBy | g.ReadRanking | g.IsReading):
            found |= find_tracks_in_value(game, part)
    return found


def find_result_tracks(game: g.Game) -> set[str]:
    """Return the tracks that decide the result of a match."""
    ends = [game.defines[name].value for name in ("score", "standing", "winners") if name in game.defines]
    return {"score"} | {name for value in ends for name in find_tracks_in_value(game, value)}


# ---------------------------------------------------------------- scores
def check_lost_scores(game: g.Game) -> Iterator[Diagnostic]:
    """Report scores that are reset in each round without being read before."""
    if "score" not in game.tracks or any(again for again in game.tracks["score"].restarts):
        return
    told: set[object] = set()
    for loop in iter_own_loops(game):
        done = [*iter_reachable_bodies(game, loop.body), loop.until, *iter_triggered_bodies(game)]
        own = list(iter_assignments(game, loop.body))
        scores = [each for each in own if each.statement.track == "score"]
        if "score" in find_read_tracks(game, [each for each in done if each is not None]):
            continue
        afresh = {
            each.statement.track
            for each in own
            if each.statement.operator == "=" and each.is_unconditional and isinstance(each.statement.value, g.Const)
        }
        begun = find_reachable_steps(game, loop.body)
        afresh |= {name for name, track in game.tracks.items() if any(each.step in begun for each in track.restarts)}
        gathered = any(transfer.gathers_sets for each in done for transfer in iter_transfers(walk((each,))))
        added = any(each.statement.operator != "=" for each in scores)
        for each in scores:
            statement = each.statement
            if statement.operator != "=" or not each.is_unconditional or statement.span in told:
                continue
            value = statement.value
            again = afresh & find_tracks_in_value(game, value) or (gathered and reads_zone_cards(game, value))
            if added if isinstance(value, g.Const) else again:
                told.add(statement.span)
                yield build_lost_score_diagnostic(statement, loop)


def reads_zone_cards(game: g.Game, value: g.Expr) -> bool:
    return any(isinstance(part, g.ZoneCards) for part in walk_with_definitions(game, value))


def build_lost_score_diagnostic(statement: g.SetTrack, loop: g.Repeat) -> Diagnostic:
    constant = isinstance(statement.value, g.Const)
    hint = "set it once, before the loop" if constant else "to keep the earlier points, write `add … to your score`"
    return Diagnostic(
        "W424",
        "the score is set in each round and not used before, so only the last round counts",
        statement.span,
        hint,
        ((loop.span, "the loop"),),
        warning=True,
    )


# ---------------------------------------------------------------- counters
def check_unreset_counters(game: g.Game) -> Iterator[Diagnostic]:
    """Report counters of each player that are added to the score after each deal but never reset for the next one."""
    for loop in iter_own_loops(game):
        done = list(iter_reachable_bodies(game, loop.body))
        if not any(transfer.gathers_sets for each in done for transfer in iter_transfers(walk(each))):
            continue
        own = list(iter_assignments(game, loop.body))
        changed = [each.statement for each in own]
        for each in own:
            if each.statement.track == "score" and each.statement.operator == "+" and each.loop_depth == 0:
                for name in sorted(find_tracks_in_value(game, each.statement.value) - {"score"}):
                    if is_only_increased(game, name, changed):
                        yield build_unreset_counter_diagnostic(game, name, each.statement, loop)


def is_only_increased(game: g.Game, name: str, changed: list[g.SetTrack]) -> bool:
    """Return whether each player has a track that is only added to, and only in these statements.

    A track with an explicit start is left out: it is meant to count through the whole game."""
    track = game.tracks[name]
    own = [each for each in changed if each.track == name]
    if track.subject != "player" or track.starts or track.restarts or not own:
        return False
    return all(change.operator == "+" for change in iter_track_changes(collect_all_nodes(game)) if change.track == name)


def build_unreset_counter_diagnostic(game: g.Game, name: str, statement: g.SetTrack, loop: g.Repeat) -> Diagnostic:
    return Diagnostic(
        "W426",
        f"`{name}` is never reset, but is scored after each deal",
        statement.value.span,
        f"write `set your {name} to 0` at the start of each deal. To count through the whole game, declare "
        f"`number your {name} starts at 0`",
        ((game.tracks[name].origin.name, "never reset"), (loop.span, "the deals")),
        warning=True,
    )


# ---------------------------------------------------------------- dead stores
def check_unread_final_values(game: g.Game) -> Iterator[Diagnostic]:
    """Report assignments at the end of the game whose value is never read."""
    if "play" not in game.steps:
        return
    body = game.steps["play"].body
    always = (
        find_read_tracks(game, iter_triggered_bodies(game))
        | find_result_tracks(game)
        | {show.name for show in game.shows}
    )
    conditions = [trigger.condition for trigger in game.whenevers]
    always |= {name for condition in conditions for name in find_tracks_in_value(game, condition)}
    # `check_shadowed_declarations` reports shadowed names.
    always |= {var.name for var, _ in find_bindings(game)}
    for place, statement in enumerate(body):
        for change in find_effects(statement).track_changes if statement.span.source is get_own_source(game) else ():
            after = [part for each in body[place + 1 :] for part in iter_reachable_bodies(game, (each,))]
            if change.track not in always | find_read_tracks(game, after) and change.track in find_read_tracks(
                game, iter_bodies(game)
            ):
                yield Diagnostic(
                    "W425",
                    f"`{change.track}` is set here but never read afterwards",
                    statement.span,
                    "if it belongs to each round, indent it into the loop above, or delete it",
                    warning=True,
                )


# ---------------------------------------------------------------- off-by-one loops
def check_off_by_one_loops(game: g.Game) -> Iterator[Diagnostic]:
    """Report off-by-one loops such as `repeat until round > 3` with `round` starting at 0: it runs four times."""
    for loop in iter_own_loops(game):
        match loop.until:
            case g.Compare(operator=">", left=g.TrackValue(track=name, of=None), right=limit) if is_loop_counter(
                game, loop, name
            ):
                yield Diagnostic(
                    "W427",
                    f"this loop runs one time more than `{limit.span.text}`, because `{name}` starts at 0",
                    loop.until.span if loop.until else loop.span,
                    f"write `{name} = {limit.span.text}`",
                    ((game.tracks[name].origin.name, "it starts at 0"),),
                    warning=True,
                )


def is_loop_counter(game: g.Game, loop: g.Repeat, name: str) -> bool:
    """Return whether a track changes only by an increment of 1 per iteration of a loop."""
    start = game.tracks[name].start
    changing = [change for change in iter_track_changes(collect_all_nodes(game)) if change.track == name]
    if game.tracks[name].starts or not isinstance(start, g.Const) or start.value or len(changing) != 1:
        return False
    (only,) = changing
    once = isinstance(only.value, g.Const) and only.value.value == 1 and only.operator == "+"
    return once and any(part is only for part in loop.body)


# ---------------------------------------------------------------- tricks that are not cleared
def check_uncleared_tricks(game: g.Game) -> Iterator[Diagnostic]:
    """Report tricks that are not cleared.

    All players play to the table and the best card is judged, but no move clears the table."""
    for loop in iter_own_loops(game):
        done = [part for each in iter_reachable_bodies(game, loop.body) for part in walk(each)]
        moves = [transfer for transfer in iter_transfers(done) if not takes_single_card(transfer)]
        taken = {zone for transfer in moves for zone in iter_source_zones(game, transfer.cards)}
        if None in taken or any(isinstance(part, g.Repeat) or find_effects(part).finished for part in done):
            continue
        for zone in {
            zone for part in done if isinstance(part, g.Each) for zone in iter_zones_of_mandatory_plays(part)
        } - taken:
            best = next((part for part in done if asks_best_card_owner(game, part, zone)), None)
            if isinstance(best, g.Expr) and is_cleared_elsewhere(game, zone):
                yield build_uncleared_trick_diagnostic(zone, best, loop)


def build_uncleared_trick_diagnostic(zone: str, best: g.Expr, loop: g.Repeat) -> Diagnostic:
    return Diagnostic(
        "W432",
        f"nothing clears `{zone}` in this loop, so later rounds judge the earlier cards too",
        best.span,
        f"move the cards away at the end of a round: `move {zone} to …`",
        ((loop.span, "the loop"),),
        warning=True,
    )


def takes_single_card(transfer: CardTransfer) -> bool:
    """Return whether a move takes a single card, so that others stay."""
    items = transfer.cards.items if isinstance(transfer.cards, g.Joined) else (transfer.cards,)
    return transfer.is_whole and len(items) == 1 and items[0].type.tag == "card"


def iter_source_zones(game: g.Game, cards: g.Expr) -> Iterator[str | None]:
    """Yield the zones that cards come from; None means any zone."""
    waiting, deep = [cards], MAX_EXAMINED_PARTS
    while waiting and deep:
        deep -= 1
        match waiting.pop():
            case g.ZoneCards(zone=zone):
                yield zone
            case g.Filter(list=inner) | g.Agg(list=inner) | g.AggBy(list=inner) | g.Sorted(list=inner):
                waiting.append(inner)
            case g.FirstPossible(lists=lists):
                waiting += [each for each, _ in lists]
            case g.Joined(items=items):
                waiting += items
            case g.MapEach(value=inner):
                waiting.append(inner)
            case g.Call(define=name):
                waiting.append(game.defines[name].value)
            case _:
                yield None


def iter_zones_of_mandatory_plays(loop: g.Each) -> Iterator[str]:
    """Yield the zones of the table to which every player in turn must play."""
    if isinstance(loop.list, g.Builtin) and loop.list.name == "players" and loop.condition is None:
        for effects in map(find_effects, loop.body):
            if effects.asks and not effects.may_pass:
                yield from (transfer.to.zone for transfer in effects.transfers if transfer.to.of is None)


def asks_best_card_owner(game: g.Game, part: object, zone: str) -> bool:
    """Return whether a part asks for the owner of the best card of a zone."""
    if not (isinstance(part, g.Builtin) and part.name == "owner" and isinstance(part.of, g.AggBy)):
        return False
    return isinstance(part.of.list, g.ZoneCards) and part.of.list.zone == zone


def is_cleared_elsewhere(game: g.Game, zone: str) -> bool:
    moves = iter_transfers(collect_all_nodes(game))
    return any({zone, None} & set(iter_source_zones(game, transfer.cards)) for transfer in moves)


# ---------------------------------------------------------------- overwritten values
def check_overwritten_values(game: g.Game) -> Iterator[Diagnostic]:
    """Report a change such as `add 2 to your oil` directly followed by `set your oil to 10`.

    Often an `if` is missing, or one of the lines is superfluous."""
    watched = {name for trigger in game.whenevers for name in find_tracks_in_value(game, trigger.condition)}
    for block in (block for body in iter_bodies(game) for block in iter_blocks(body)):
        for place, statement in enumerate(block):
            if isinstance(statement, g.SetTrack) and statement.span.source is get_own_source(game):
                again = find_overwriting_statement(game, statement, block[place + 1 :])
                if again is not None and statement.track not in watched:
                    yield Diagnostic(
                        "W435",
                        f"this change of `{statement.track}` is lost: another line sets it before anything uses it",
                        statement.span,
                        "delete one of the two lines, or put one below an `if`",
                        ((again.span, "it is set again here"),),
                        warning=True,
                    )


def find_overwriting_statement(
    game: g.Game, first: g.SetTrack, after: tuple[g.Stmt | g.Option, ...]
) -> g.SetTrack | None:
    """Return the statement that overwrites a value, if no statement before it uses the value or takes time."""
    for statement in after:
        if not isinstance(statement, g.SetTrack | g.Remember | g.Aside):
            return None
        if first.track in find_read_tracks(game, (statement,)):
            return None
        if isinstance(statement, g.SetTrack) and statement.track == first.track and statement.operator == "=":
            return statement if statement.of == first.of else None
    return None


# ---------------------------------------------------------------- assignments without effect
NEUTRAL_ELEMENTS = {"+": NO, "-": NO, "*": YES, "/": YES}
"""Neutral element by operator."""


def check_no_op_assignments(game: g.Game) -> Iterator[Diagnostic]:
    """Report statements that add 0, or assign a track to itself."""
    for part in iter_track_changes(collect_all_nodes(game)):
        if part.span.source is get_own_source(game) and has_no_effect(game, part):
            yield Diagnostic(
                "W436",
                f"this line does not change `{part.track}`",
                part.span,
                "write another value, or delete the line. An option can have no lines below it",
                warning=True,
            )


def has_no_effect(game: g.Game, statement: g.SetTrack) -> bool:
    """Return whether a statement evidently changes nothing."""
    known = ConstantEvaluator(game, None, knows_settings=False)
    if statement.operator != "=":
        return known.evaluate(statement.value, {}) == NO
    return not has_random_draw(statement.of) and equals_current_value(known, statement.value, statement)


def equals_current_value(evaluator: ConstantEvaluator, value: g.Expr, statement: g.SetTrack) -> bool:
    """Return whether a value equals the statement's track before the assignment."""
    match value:
        case g.TrackValue(track=track, of=of):
            return track == statement.track and of == statement.of
        case g.Arith(operator=sign, left=left, right=right):
            neutral = NEUTRAL_ELEMENTS[sign]
            if evaluator.evaluate(right, {}) == neutral and equals_current_value(evaluator, left, statement):
                return True
            return (
                sign in "+*"
                and evaluator.evaluate(left, {}) == neutral
                and equals_current_value(evaluator, right, statement)
            )
    return False
