"""What small matches are spared comes to the same."""

from __future__ import annotations

from itertools import product

import pytest

import cardlang
from interpreter import lowered as lo
from interpreter.compiler import compile_game
from interpreter.lowered.bounds import extreme
from interpreter.lowered.counts import condition_of
from interpreter.program import FIRST, Program
from interpreter.python.expressions import Expressions
from interpreter.state import State

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def plain(state: State) -> list[object]:
    return [getattr(state, name) for name in State.__slots__]


def step_by_step(program: Program, seed: int) -> State:
    """The start of a match of which nothing has been worked out before."""
    state = program.blank(seed)
    program.begin(state, FIRST)
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
    text = Expressions({}).text(condition_of(lo.Compare(lo.FLAG, operator, total, lo.Const(lo.NUMBER, number))))
    for flags in product((0, 1), repeat=count):
        held = flags.count(0)
        known = {f"v{each}": flag for each, flag in enumerate(flags)}
        assert bool(eval(text, known)) == eval(f"{held} {OPERATORS[operator]} {number}")


def test_limits_that_decide_leave_no_choice() -> None:
    one, value = lo.Const(lo.NUMBER, 1), local(1, lo.NUMBER)
    least = lo.Op(lo.NUMBER, "least_of", (one, value))
    assert extreme(lo.Op(lo.NUMBER, "most_of", (one, least))) == one
    open_ended = lo.Op(lo.NUMBER, "most_of", (one, value))
    assert extreme(open_ended) == open_ended
