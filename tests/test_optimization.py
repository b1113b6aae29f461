"""Optimizer passes: same results, and events without listeners removed."""

from itertools import combinations
from random import Random
from typing import Any

import pytest

from interpreter import ir
from interpreter.codegen.python.python_effects import PythonCodegenSettings
from interpreter.codegen.python.python_expressions import PythonExpressionGenerator
from interpreter.codegen.python.python_statements import generate_python_function
from interpreter.optimize.card_tables import CardTableBuilder
from interpreter.optimize.early_loop_exits import SearchShortCircuiter
from interpreter.optimize.loop_optimization import (
    LoopInvariantHoister,
    fuse_loop,
)
from interpreter.optimize.purity import PurityAnalysis
from interpreter.program.program import compile_game
from interpreter.runtime.state import NO_NUMBER, State
from tests.shipped import Cast, load, one_cast_each

CARDS = 8
SUIT = [card % 2 for card in range(CARDS)] + [-1]
RANK = [card // 2 for card in range(CARDS)] + [-1]
PURITY = PurityAnalysis({}, lambda ranking: ())
TABLES = {"SUIT": SUIT, "RANK": RANK}
HANDS = [list(hand) for size in range(4) for hand in combinations(range(CARDS), size)]

HAND = ir.Pile(ir.build_list_kind(ir.CARD), 0, None)
TABLE = ir.Pile(ir.build_list_kind(ir.CARD), 1, None)
CARD = ir.Local(ir.CARD, 1)
OTHER = ir.Local(ir.CARD, 2)
NONE = ir.Const(ir.build_list_kind(ir.CARD), ())


def number(value: int) -> ir.Const:
    return ir.Const(ir.NUMBER, value)


def suit(card: ir.Expr) -> ir.Entry:
    return ir.Entry(ir.MEMBER, "SUIT", card)


def rank(card: ir.Expr) -> ir.Entry:
    return ir.Entry(ir.MEMBER, "RANK", card)


def equal(left: ir.Expr, right: ir.Expr) -> ir.Compare:
    return ir.Compare(ir.FLAG, "=", left, right)


def filter_cards(*conditions: ir.Expr, of: ir.Expr = HAND, card: ir.Local = CARD) -> ir.Loop:
    return ir.Loop(of.kind, "list", (ir.For(card, of), *map(ir.Test, conditions)), card)


def evaluate_expression(expr: ir.Expr, hand: list[int], table: list[int], names: dict[str, Any] | None = None) -> Any:
    state = State()
    state.z, state.t = [hand, table], []
    text = PythonExpressionGenerator({}).generate_expression(expr)
    value = eval(text, {**TABLES, **(names or {}), "s": state, "z": state.z, "t": state.t})
    return list(value) if isinstance(value, list | tuple) else value


def codes(items: ir.Expr) -> ir.Loop:
    """Return each card's code, one above its number."""
    body = ir.Arith(ir.NUMBER, "+", OTHER, number(1))
    return ir.Loop(ir.build_list_kind(ir.NUMBER), "list", (ir.For(OTHER, items),), body)


def test_first_possible_lists_become_codes() -> None:
    empty = ir.Test(ir.Not(ir.FLAG, TABLE))
    led = ir.Loop(HAND.kind, "list", (empty, ir.For(CARD, HAND), ir.Test(equal(CARD, ir.Const(ir.CARD, 3)))), CARD)
    high = ir.Loop(HAND.kind, "list", (empty, ir.For(CARD, HAND), ir.Test(equal(rank(CARD), number(2)))), CARD)
    turn = ir.Op(HAND.kind, "first_list", (led, high, filter_cards(equal(suit(CARD), number(1))), HAND))
    made = fuse_loop(codes(turn))
    assert not any(isinstance(part, ir.For) and isinstance(part.list, ir.Loop | ir.Op) for part in ir.walk([made]))
    for hand in HANDS:
        for table in ([], [5]):
            first = [3] if not table and 3 in hand else []
            second = [card for card in hand if not table and RANK[card] == 2]
            expected = first or second or [card for card in hand if SUIT[card] == 1] or hand
            assert evaluate_expression(made, hand, table) == [card + 1 for card in expected]


def test_card_functions_become_tables() -> None:
    tables: dict[str, Any] = dict(TABLES)
    points = ir.Either(
        ir.NUMBER, equal(suit(CARD), number(1)), number(1),
        ir.Either(ir.NUMBER, equal(CARD, ir.Const(ir.CARD, 0)), number(13), number(0)),
    )  # fmt: skip
    made = CardTableBuilder(tables, CARDS, lambda sort, name: f"{sort}_{name}").tabulate_body((ir.Return(points),))
    assert isinstance(made[0], ir.Return) and isinstance(made[0].value, ir.Entry)
    assert tables[made[0].value.table] == [13, 1, 0, 1, 0, 1, 0, 1, 0]


def test_totals_look_up_each_term() -> None:
    """Cards of rank 3 have no value: a total leaves them out."""
    tables: dict[str, Any] = {**TABLES, "WORTH": [1, 10, 5, NO_NUMBER, NO_NUMBER]}
    chosen, worth = ir.Local(ir.MEMBER, 3), ir.Local(ir.NUMBER, 4)
    clauses = (
        ir.For(CARD, HAND), ir.Let(chosen, rank(CARD)), ir.Let(worth, ir.Entry(ir.NUMBER, "WORTH", chosen)),
        ir.Test(ir.Compare(ir.FLAG, "!=", worth, number(NO_NUMBER))),
    )  # fmt: skip
    total = ir.Return(ir.Loop(ir.NUMBER, "total", clauses, worth))
    (made,) = CardTableBuilder(tables, CARDS, lambda sort, name: f"{sort}_{name}").tabulate_body((total,))
    assert isinstance(made, ir.Return) and isinstance(made.value, ir.Loop) and len(made.value.clauses) == 1
    for hand in HANDS:
        assert evaluate_expression(made.value, hand, [], tables) == sum((1, 10, 5, 0)[RANK[card]] for card in hand)


def test_two_card_comparison_is_not_tabulated() -> None:
    same = ir.Return(equal(suit(CARD), suit(OTHER)))
    assert CardTableBuilder(dict(TABLES), CARDS, lambda sort, name: sort).tabulate_body((same,)) == (same,)


def test_loop_invariants_are_hoisted() -> None:
    top = ir.Either(ir.CARD, TABLE, ir.At(ir.CARD, TABLE, -1), ir.Const(ir.CARD, -1))
    loop = filter_cards(equal(suit(CARD), suit(top)))
    made = LoopInvariantHoister(lambda kind: ir.Local(kind, 9), PURITY).hoist_from_loop(loop)
    assert isinstance(made.clauses[0], ir.Let) and made.clauses[0].value == suit(top)
    for hand in HANDS:
        for table in ([], [0], [0, 3]):
            led = SUIT[table[-1]] if table else -1
            assert evaluate_expression(made, hand, table) == [card for card in hand if SUIT[card] == led]


def test_failing_and_random_expressions_are_not_moved() -> None:
    for operation in ("present", "one_random", "counted", "whole"):
        asked = ir.Op(ir.NUMBER, operation, (number(1), number(2)), 0)
        assert not PURITY.is_pure([asked])
        loop = filter_cards(equal(suit(CARD), asked))
        assert LoopInvariantHoister(lambda kind: ir.Local(kind, 9), PURITY).hoist_from_loop(loop) == loop


@pytest.mark.parametrize("which", ["any", "every", "first"])
def test_searches_stop_early(which: str) -> None:
    functions: dict[str, ir.Function] = {}

    def outlined(body: tuple[ir.Stmt, ...], kind: ir.Kind) -> ir.Expr:
        functions["P"] = ir.Function("P", (), body, kind)
        return ir.Calling(kind, "P", ())

    condition = equal(suit(CARD), number(1))
    search: dict[str, ir.Expr] = {
        "any": ir.Loop(ir.FLAG, "any", (ir.For(CARD, HAND),), condition),
        "every": ir.Loop(ir.FLAG, "every", (ir.For(CARD, HAND),), condition),
        "first": ir.Op(ir.CARD, "first_of", (filter_cards(condition), ir.Const(ir.CARD, -1))),
    }
    made = SearchShortCircuiter(outlined, PURITY).short_circuit_part(search[which])
    assert isinstance(made, ir.Calling)
    names: dict[str, Any] = dict(TABLES)
    exec(
        generate_python_function(
            functions["P"], None, PythonCodegenSettings(False, {}, {}, compile_game(load("hearts"), 4).layout)
        ),
        names,
    )
    for hand in HANDS:
        found = [card for card in hand if SUIT[card] == 1]
        expected = {"any": found != [], "every": found == hand, "first": (*found, -1)[0]}
        assert evaluate_expression(made, hand, [], {"P": names["P"]}) == expected[which]


@pytest.mark.slow
@pytest.mark.parametrize("cast", one_cast_each(), ids=str)
def test_moves_without_events_have_equal_results(cast: Cast) -> None:
    """Neither the short ways of moving cards nor code without its events change a state or the number of steps."""
    game, chance = load(cast.game), Random(7)
    quiet, told = (compile_game(game, cast.players, listen) for listen in (False, True))
    one, other = quiet.start(3), told.start(3, listen=True)
    for _ in range(150):
        for name in ("t", "z", "loc", "owner", "known", "rng", "who", "out", "frames", "fuel"):
            assert getattr(one, name) == getattr(other, name), name
        assert list(one.legal) == list(other.legal)
        if one.who < 0:
            break
        code = chance.choice(list(one.legal))
        quiet.apply(one, code)
        told.apply(other, code)


@pytest.mark.parametrize("way", ["all", "top", "tops", "one", "unheard", "deal"])
@pytest.mark.parametrize("seed", range(20))
def test_fast_moves_equal_general_ones(way: str, seed: int) -> None:
    program, chance = compile_game(load("hearts"), 4), Random(seed)
    mover, one = program.mover, program.start(seed)
    one.known = [chance.randrange(1 << 5) for _ in one.known]
    other = program.clone(one)
    other.events = []
    source, pile, number = 1 + seed % 4, chance.choice([5, 6, 7, 10]), chance.randrange(1, 13)
    place, cards = program.game.sources[0].full_span, one.z[source][:]
    if way == "deal":
        mover.deal_all(one, source, (5, 6, 7))
        mover.deal(other, cards, (5, 6, 7), mover.everyone, (), "deal", place)
    elif way == "one":
        mover.move_one(one, cards[number], pile, 0, ())
        mover.move(other, [cards[number]], pile, "top", 0, (), "play", place)
    else:
        moved = {"all": cards, "unheard": cards[:number], "top": cards[-1:], "tops": cards[: -number - 1 : -1]}[way]
        mover.move(other, moved, pile, "top", mover.everyone, (), "move", place)
        if way == "unheard":
            mover.move_without_event(one, moved, pile, "top", mover.everyone, ())
        elif way == "tops":
            mover.move_tops(one, source, number, pile)
        else:
            getattr(mover, f"move_{way}")(one, source, pile)
    for name in ("z", "loc", "owner", "known"):
        assert getattr(one, name) == getattr(other, name), name
