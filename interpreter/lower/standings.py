"""Lowering of standings: IR functions for final order, winners and lives."""

from __future__ import annotations

from cardlang import model as g
from cardlang.model.expression_queries import pair_owner_variables
from cardlang.model.traversal import list_children, split_conjunction
from interpreter import ir
from interpreter.lower.list_expressions import add_order_function
from interpreter.lower.lowering_context import Lowering, lower_expression
from interpreter.lower.values_and_definitions import lower_list
from interpreter.runtime.state import NO_NUMBER
from interpreter.runtime.state_layout import Layout

STANDING_FUNCTION, WINNERS_FUNCTION = "standing", "winning"
"""Names of the functions that return pairs of sort key (higher is better) and seat, by seat; and the winning seats."""


def add_standing_functions(ctx: Lowering) -> None:
    """Add the ranking and winner functions to a program.

    Declared winners come first, then the order of `order standing of player`, otherwise that of the scores."""
    with ctx.start_separate_scope():
        pairs = build_standing_pairs(ctx)
    ctx.functions[STANDING_FUNCTION] = ir.Function(STANDING_FUNCTION, (), (ir.Return(pairs),), pairs.kind)
    with ctx.start_separate_scope():
        won = build_winner_list(ctx)
    ctx.functions[WINNERS_FUNCTION] = ir.Function(WINNERS_FUNCTION, (), (ir.Return(won),), won.kind)


def list_all_seats(ctx: Lowering) -> ir.Expr:
    """Return all seats, including eliminated players."""
    return ir.Const(ir.SEATS, tuple(range(ctx.layout.players)))


def build_standing_pairs(ctx: Lowering) -> ir.Expr:
    order, seat = ctx.game.orders.get("standing"), ctx.create_local(ir.SEAT)
    if "winners" in ctx.game.defines:
        won = ctx.create_local(ir.SEATS)
        clauses = (ir.Let(won, lower_declared_winners(ctx)), ir.For(seat, list_all_seats(ctx)))
        has_won = ir.Either(ir.NUMBER, ir.IsIn(ir.FLAG, seat, won), ir.ONE, ir.ZERO)
        return build_pair_loop(clauses, has_won, seat)
    if order is not None:
        name = add_order_function(ctx, order)
        function = ctx.functions[name]
        kind = function.result if function is not None and function.result is not None else ir.SEATS
        return ir.Calling(kind, name, (list_all_seats(ctx),))
    return build_pair_loop((ir.For(seat, list_all_seats(ctx)),), lower_player_score(ctx, seat), seat)


def build_winner_list(ctx: Lowering) -> ir.Expr:
    seat, kind = ctx.create_local(ir.SEAT), ir.SEATS
    if "winners" in ctx.game.defines:
        won = ctx.create_local(kind)
        clauses = (
            ir.Let(won, lower_declared_winners(ctx)),
            ir.For(seat, list_all_seats(ctx)),
            ir.Test(ir.IsIn(ir.FLAG, seat, won)),
        )
        return ir.Loop(kind, "list", clauses, seat)
    return ir.Op(kind, "all_highest_by", (build_standing_pairs(ctx),))


def lower_declared_winners(ctx: Lowering) -> ir.Expr:
    return lower_list(ctx, ctx.game.defines["winners"].value)


def build_pair_loop(clauses: tuple[ir.For | ir.Let | ir.Test, ...], key: ir.Expr, seat: ir.Local) -> ir.Expr:
    pair = ir.Kind("pair", ir.SEAT, width=1)
    return ir.Loop(ir.build_list_kind(pair), "pairs", clauses, ir.Key(pair, (key, seat)))


def lower_player_score(ctx: Lowering, seat: ir.Local) -> ir.Expr:
    """Return a player's score. A missing score counts as -1."""
    expr = find_player_value(ctx.game, "score")
    if expr is None:
        return ir.build_number(-1)
    with ctx.bind_temporarily(SEAT_VARIABLE, seat):
        score = lower_expression(ctx, expr)
    if not ctx.can_be_absent(expr):
        return score
    nothing = ir.Compare(ir.FLAG, "=", score, ir.Const(score.kind, NO_NUMBER))
    return ir.Either(score.kind, nothing, ir.Const(score.kind, -ctx.layout.scales.get_scale(expr)), score)


def find_player_value(game: g.Game, name: str) -> g.Expr | None:
    """Return the definition or track of this name for the player `SEAT_VARIABLE`, if the game has one."""
    define, track = game.defines.get(name), game.tracks.get(name)
    if define is not None:
        return g.Call(define.type, define.value.span, name, SEAT_VARIABLE if define.subject else None)
    if track is not None:
        return g.TrackValue(track.type, track.start.span, name, SEAT_VARIABLE if track.subject else None)
    return None


def is_outcome_shared(game: g.Game, players: int) -> bool:
    """Check whether all players always have equal scores and win or lose together: cooperative or single-player
    games."""
    score, winners = game.defines.get("score"), game.defines.get("winners")
    if players == 1:
        return True
    if (
        "standing" in game.orders
        or score is None
        or (score.var is not None and is_player_dependent(game, score.value, score.var))
    ):
        return False
    declared = winners and winners.value
    return declared is None or (
        isinstance(declared, g.Filter) and not is_player_dependent(game, declared.condition, declared.var)
    )


def find_lives(game: g.Game) -> dict[str, int]:
    """Return the lives or fuses of the table: numbers for which `winners` requires a minimum.

    All players come closer to losing when such a number falls. Return the number of losses at which the game is
    lost."""
    winners = game.defines.get("winners")
    found: dict[str, int] = {}
    for part in split_conjunction(winners.value.condition) if winners and isinstance(winners.value, g.Filter) else ():
        match part:
            case g.Compare(
                operator=">" | ">=", left=g.TrackValue(track=name, of=None), right=g.Const(value=int(limit))
            ):
                start = game.tracks[name].start
                least = limit + (part.operator == ">")
                if isinstance(start, g.Const) and isinstance(start.value, int) and start.value >= least:
                    found[name] = start.value - least + 1
    return found


def find_life_slots(game: g.Game, layout: Layout) -> list[tuple[int, int]]:
    """Return the state slots of the table's lives, with their initial amounts."""
    places = [(layout.track_base[name], count) for name, count in find_lives(game).items()]
    return [(slot, count * layout.tracks[slot].scale) for slot, count in places]


def is_player_dependent(game: g.Game, node: object, var: g.Var) -> bool:
    """Check whether the result depends on which player a variable is."""
    if isinstance(node, g.Call):
        define = game.defines[node.define]
        owners = pair_owner_variables(define, node)
        return any(
            is_player_dependent(game, owner, var) and is_player_dependent(game, define.value, owner_var)
            for owner_var, owner in owners
        )
    if isinstance(node, g.Var):
        return node.id == var.id
    return any(is_player_dependent(game, part, var) for part in list_children(node))


SEAT_VARIABLE = g.Var(g.PLAYER, None, -3, "seat")  # type: ignore[arg-type]
