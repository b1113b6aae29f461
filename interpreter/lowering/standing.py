"""Lower the final ranking of players and the winners to functions."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.game.walking import children
from interpreter import lowered as lo
from interpreter.layout import Layout
from interpreter.lowering.orders import order_function
from interpreter.lowering.questions import Expressions
from interpreter.state import NO_NUMBER

STANDING, WINNING = "standing", "winning"
"""Names of the functions that return pairs of sort key (higher is better) and seat, by seat; and the winning seats."""


def standing_functions(to: Expressions) -> None:
    """Add the ranking and winner functions to a program.

    Declared winners come first, then the order of `order standing of player`, otherwise that of the scores."""
    with to.apart():
        pairs = standing(to)
    to.functions[STANDING] = lo.Function(STANDING, (), (lo.Return(pairs),), pairs.kind)
    with to.apart():
        won = winning(to)
    to.functions[WINNING] = lo.Function(WINNING, (), (lo.Return(won),), won.kind)


def everybody(to: Expressions) -> lo.Expr:
    """Return all seats, including eliminated players."""
    return lo.Const(lo.list_of(lo.SEAT), tuple(range(to.layout.players)))


def standing(to: Expressions) -> lo.Expr:
    order, seat = to.game.orders.get("standing"), to.local(lo.SEAT)
    if "winners" in to.game.defines:
        won = to.local(lo.list_of(lo.SEAT))
        clauses = (lo.Let(won, declared(to)), lo.For(seat, everybody(to)))
        return pairs_of(clauses, one_if(lo.IsIn(lo.FLAG, seat, won)), seat)
    if order is not None:
        name = order_function(to, order)
        function = to.functions[name]
        kind = function.result if function is not None and function.result is not None else lo.list_of(lo.SEAT)
        return lo.Calling(kind, name, (everybody(to),))
    return pairs_of((lo.For(seat, everybody(to)),), score_of(to, seat), seat)


def winning(to: Expressions) -> lo.Expr:
    seat, kind = to.local(lo.SEAT), lo.list_of(lo.SEAT)
    if "winners" in to.game.defines:
        won = to.local(kind)
        clauses = (lo.Let(won, declared(to)), lo.For(seat, everybody(to)), lo.Test(lo.IsIn(lo.FLAG, seat, won)))
        return lo.Loop(kind, "list", clauses, seat)
    return lo.Op(kind, "all_highest_by", (standing(to),))


def declared(to: Expressions) -> lo.Expr:
    return to.items(to.game.defines["winners"].value)


def pairs_of(clauses: tuple[lo.For | lo.Let | lo.Test, ...], key: lo.Expr, seat: lo.Local) -> lo.Expr:
    pair = lo.Kind("pair", lo.SEAT, width=1)
    return lo.Loop(lo.list_of(pair), "pairs", clauses, lo.Key(pair, (key, seat)))


def one_if(test: lo.Expr) -> lo.Expr:
    return lo.Either(lo.NUMBER, test, lo.Const(lo.NUMBER, 1), lo.Const(lo.NUMBER, 0))


def score_of(to: Expressions, seat: lo.Local) -> lo.Expr:
    """Return a player's score. A missing score counts as -1."""
    expr = player_noun(to.game, "score")
    if expr is None:
        return lo.Const(lo.NUMBER, -1)
    with to.bound(SEAT, seat):
        score = to.expr(expr)
    if not to.maybe(expr):
        return score
    nothing = lo.Compare(lo.FLAG, "=", score, lo.Const(score.kind, NO_NUMBER))
    return lo.Either(score.kind, nothing, lo.Const(score.kind, -to.layout.scales.of(expr)), score)


def player_noun(game: g.Game, name: str) -> g.Expr | None:
    """Return the definition or track of this name for the player `SEAT`, if the game has one."""
    define, track = game.defines.get(name), game.tracks.get(name)
    if define is not None:
        return g.Call(define.type, define.value.span, name, SEAT if define.subject else None)
    if track is not None:
        return g.TrackValue(track.type, track.start.span, name, SEAT if track.subject else None)
    return None


def is_shared(game: g.Game, players: int) -> bool:
    """Check whether all players always have equal scores and win or lose together: cooperative or single-player
    games."""
    score, winners = game.defines.get("score"), game.defines.get("winners")
    if players == 1:
        return True
    if "standing" in game.orders or score is None or (score.var is not None and asks_who(game, score.value, score.var)):
        return False
    declared = winners and winners.value
    return declared is None or (isinstance(declared, g.Filter) and not asks_who(game, declared.condition, declared.var))


def lives(game: g.Game) -> dict[str, int]:
    """Find the lives or fuses of the table: numbers for which `winners` requires a minimum.

    All players come closer to losing when such a number falls. Return the number of losses at which the game is
    lost."""
    winners = game.defines.get("winners")
    found: dict[str, int] = {}
    for part in needed(winners.value.condition) if winners and isinstance(winners.value, g.Filter) else ():
        match part:
            case g.Compare(
                operator=">" | ">=", left=g.TrackValue(track=name, of=None), right=g.Const(value=int(limit))
            ):
                start = game.tracks[name].start
                least = limit + (part.operator == ">")
                if isinstance(start, g.Const) and isinstance(start.value, int) and start.value >= least:
                    found[name] = start.value - least + 1
    return found


def life_slots(game: g.Game, layout: Layout) -> list[tuple[int, int]]:
    """Return the state slots of the table's lives, with their initial amounts."""
    places = [(layout.track_base[name], count) for name, count in lives(game).items()]
    return [(slot, count * layout.tracks[slot].scale) for slot, count in places]


def needed(condition: g.Expr) -> Iterator[g.Expr]:
    """Yield the conjuncts of a condition."""
    if isinstance(condition, g.And):
        yield from needed(condition.left)
        yield from needed(condition.right)
    else:
        yield condition


def asks_who(game: g.Game, node: object, var: g.Var) -> bool:
    """Check whether the result depends on which player a variable is."""
    if isinstance(node, g.Call):
        define = game.defines[node.define]
        if define.var is None or not asks_who(game, define.value, define.var):
            return False
    if isinstance(node, g.Var):
        return node.id == var.id
    return any(asks_who(game, part, var) for part in children(node))


SEAT = g.Var(g.PLAYER, None, -3, "seat")  # type: ignore[arg-type]
