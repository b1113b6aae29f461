"""Shortcuts of the optimizer give the same results."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace

import pytest

import cardlang
from interpreter import ir as lo
from interpreter.codegen.python.python_effects import PythonCodegenSettings, PythonEffectGenerator
from interpreter.codegen.python.python_expressions import PythonExpressionGenerator
from interpreter.ir.simplifier import simplify_count_comparison, simplify_extreme
from interpreter.optimize.list_optimization import SingleCandidateShortcut
from interpreter.program.program import FIRST_BLOCK, Program, compile_game
from interpreter.runtime.state import State

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def plain(state: State) -> list[object]:
    return [getattr(state, name) for name in State.__slots__]


def step_by_step(program: Program, seed: int) -> State:
    """Start a match without cached results."""
    state = program.create_blank_state(seed)
    program.begin_block(state, FIRST_BLOCK)
    return state


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "texas_holdem", "crazy_eights"])
def test_a_match_begins_as_it_does_step_by_step(name: str) -> None:
    program = compile_game(cardlang.load(name), 2)
    for seed in (*range(60), 1 << 70, *range(60)):  # the second time, small deals are remembered
        assert plain(program.start(seed)) == plain(step_by_step(program, seed)), seed


def test_a_remembered_deal_is_not_changed_by_what_is_played() -> None:
    program = compile_game(cardlang.load("kuhn_poker"), 2)
    first = plain(program.clone(program.start(3)))
    for _ in range(3):
        state = program.start(3)
        while state.who >= 0:
            program.apply(state, state.legal[-1])
    assert plain(program.start(3)) == first


def local(number: int, kind: lo.Kind = lo.FLAG) -> lo.Local:
    return lo.Local(kind, number)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("number", [-1, 0, 1, 2, 3, 4])
def test_counted_conditions_hold_when_so_many_do(operator: str, count: int, number: int) -> None:
    conditions = [lo.Not(lo.FLAG, local(each)) for each in range(count)]
    one, zero = lo.Const(lo.NUMBER, 1), lo.Const(lo.NUMBER, 0)
    total: lo.Expr = lo.Either(lo.NUMBER, conditions[0], one, zero)
    for each in conditions[1:]:
        total = lo.Arith(lo.NUMBER, "+", total, lo.Either(lo.NUMBER, each, one, zero))
    text = PythonExpressionGenerator({}).generate_expression(
        simplify_count_comparison(lo.Compare(lo.FLAG, operator, total, lo.Const(lo.NUMBER, number)))
    )
    for flags in product((0, 1), repeat=count):
        held = flags.count(0)
        known = {f"v{each}": flag for each, flag in enumerate(flags)}
        assert bool(eval(text, known)) == eval(f"{held} {OPERATORS[operator]} {number}")


def test_limits_that_decide_leave_no_choice() -> None:
    one, value = lo.Const(lo.NUMBER, 1), local(1, lo.NUMBER)
    least = lo.Op(lo.NUMBER, "least_of", (one, value))
    assert simplify_extreme(lo.Op(lo.NUMBER, "most_of", (one, least))) == one
    open_ended = lo.Op(lo.NUMBER, "most_of", (one, value))
    assert simplify_extreme(open_ended) == open_ended


def test_no_hand_is_read_where_one_player_alone_can_win() -> None:
    program = compile_game(cardlang.load("texas_holdem"), 2)
    read = program.readings.evaluators
    state = program.start(1)
    program.apply(state, state.legal[-1])  # fold
    chips = program.track_base["chips"]
    assert sorted(state.t[chips : chips + 2]) != [200, 200]
    assert not read
    for seed in range(20):
        state = program.start(seed)
        while state.who >= 0 and not read:
            program.apply(state, state.legal[0])
    assert read


def test_only_keys_that_draw_nothing_are_spared() -> None:
    card, cards = local(1, lo.CARD), lo.Pile(lo.build_list_kind(lo.CARD), 0, None)
    total = lo.Loop(lo.NUMBER, "total", (lo.For(card, cards),), lo.Entry(lo.NUMBER, "C_rank", card))
    drawn = lo.Op(lo.CARD, "one_random", (cards, lo.Const(lo.CARD, -1)))
    functions = {
        "plain": lo.Function("plain", (), (lo.Return(total),)),
        "drawing": lo.Function("drawing", (), (lo.Return(drawn),)),
        "counting": lo.Function("counting", (), (lo.Fuel(lo.Const(lo.NUMBER, 1), 0), lo.Return(total))),
    }
    sparing = SingleCandidateShortcut(functions, lambda ranking: (ranking,))
    assert sparing.can_skip_key(total)
    assert not sparing.can_skip_key(lo.Entry(lo.NUMBER, "C_rank", lo.At(lo.CARD, cards, -1)))  # takes no time
    for name in functions:
        assert sparing.can_skip_key(lo.Calling(lo.NUMBER, name, ())) == (name == "plain")
        assert sparing.can_skip_key(lo.Read(lo.NUMBER, name, "read", cards)) == (name == "plain")


@pytest.mark.parametrize("alive", [(0, 1, 2), (2, 0, 1), (0, 2), (1,)])
def test_all_players_slots_give_what_those_of_each_who_plays_give(alive: tuple[int, ...]) -> None:
    layout = compile_game(cardlang.load("tall_card"), 3).layout
    player, everyone = local(1, lo.SEAT), lo.Op(lo.build_list_kind(lo.SEAT), "alive", ())
    slot, flag = lo.Track(lo.NUMBER, 1, player), lo.Track(lo.FLAG, 4, player)
    each = lo.For(player, everyone)
    values, flags = (30, 50, 20), (0, 1, 0)
    state = SimpleNamespace(alive=alive, out=sum(1 << seat for seat in range(3) if seat not in alive))
    names = {"s": state, "t": [99, *values, *flags, 99]}

    def found(loop: lo.Expr) -> int:
        return int(
            eval(
                PythonEffectGenerator(
                    {}, PythonCodegenSettings(False, {}, {}, layout), frozenset()
                ).generate_expression(loop),
                dict(names),
            )
        )

    having = [values[seat] for seat in alive]
    assert found(lo.Loop(lo.NUMBER, "highest", (each,), slot)) == max(having)
    assert found(lo.Loop(lo.NUMBER, "lowest", (each,), slot)) == min(having)
    assert found(lo.Loop(lo.NUMBER, "total", (each,), slot)) == sum(having)
    without = lo.Loop(lo.NUMBER, "count", (each, lo.Test(lo.Not(lo.FLAG, flag))), player)
    assert found(without) == sum(not flags[seat] for seat in alive)
    theirs = lo.Spread(lo.NUMBER, lo.Loop(lo.build_list_kind(lo.NUMBER), "list", (each,), slot))
    number = local(2, lo.NUMBER)
    numbers = lo.Items(lo.build_list_kind(lo.NUMBER), (lo.Const(lo.NUMBER, 40), theirs))
    assert found(lo.Loop(lo.NUMBER, "highest", (lo.For(number, numbers),), number)) == max(40, *having)
