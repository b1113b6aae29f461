"""Shortcuts of the optimizer give the same results."""

from itertools import product
from types import SimpleNamespace

import pytest

import cardlang
from interpreter import ir
from interpreter.codegen.python.python_effects import PythonCodegenSettings, PythonEffectGenerator
from interpreter.codegen.python.python_expressions import PythonExpressionGenerator
from interpreter.ir.simplifier import simplify_count_comparison, simplify_extreme
from interpreter.optimize.list_optimization import SingleCandidateShortcut
from interpreter.optimize.purity import PurityAnalysis
from interpreter.program.program import FIRST_BLOCK, Program, compile_game
from interpreter.runtime.state import State

OPERATORS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


def plain(state: State) -> list[object]:
    return [getattr(state, name) for name in State.__slots__]


def start_without_caches(program: Program, seed: int) -> State:
    """Start a match without cached results."""
    state = program.create_blank_state(seed)
    program.begin_block(state, FIRST_BLOCK)
    return state


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "texas_holdem", "crazy_eights"])
def test_shortcut_start_equals_slow_start(name: str) -> None:
    program = compile_game(cardlang.load(name), 2)
    for seed in (*range(60), 1 << 70, *range(60)):  # the second time, small deals are remembered
        assert plain(program.start(seed)) == plain(start_without_caches(program, seed)), seed


def test_cached_deal_is_not_modified() -> None:
    program = compile_game(cardlang.load("kuhn_poker"), 2)
    first = plain(program.clone(program.start(3)))
    for _ in range(3):
        state = program.start(3)
        while state.who >= 0:
            program.apply(state, state.legal[-1])
    assert plain(program.start(3)) == first


def local(number: int, kind: ir.Kind = ir.FLAG) -> ir.Local:
    return ir.Local(kind, number)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("number", [-1, 0, 1, 2, 3, 4])
def test_counted_conditions_are_equivalent(operator: str, count: int, number: int) -> None:
    conditions = [ir.Not(ir.FLAG, local(each)) for each in range(count)]
    one, zero = ir.Const(ir.NUMBER, 1), ir.Const(ir.NUMBER, 0)
    total: ir.Expr = ir.Either(ir.NUMBER, conditions[0], one, zero)
    for each in conditions[1:]:
        total = ir.Arith(ir.NUMBER, "+", total, ir.Either(ir.NUMBER, each, one, zero))
    text = PythonExpressionGenerator({}).generate_expression(
        simplify_count_comparison(ir.Compare(ir.FLAG, operator, total, ir.Const(ir.NUMBER, number)))
    )
    for flags in product((0, 1), repeat=count):
        held = flags.count(0)
        known = {f"v{each}": flag for each, flag in enumerate(flags)}
        assert bool(eval(text, known)) == eval(f"{held} {OPERATORS[operator]} {number}")


def test_constant_operands_of_extremes_are_combined() -> None:
    one, three, value = ir.Const(ir.NUMBER, 1), ir.Const(ir.NUMBER, 3), local(1, ir.NUMBER)
    assert simplify_extreme(ir.Op(ir.NUMBER, "most_of", (one, three))) == three
    assert simplify_extreme(ir.Op(ir.NUMBER, "least_of", (one, value, three))).args == (value, one)
    open_ended = ir.Op(ir.NUMBER, "most_of", (one, value))
    assert simplify_extreme(open_ended) == open_ended


def test_no_hand_is_evaluated_for_a_sole_winner() -> None:
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


def test_only_pure_sort_keys_are_skipped() -> None:
    card, cards = local(1, ir.CARD), ir.Pile(ir.build_list_kind(ir.CARD), 0, None)
    total = ir.Loop(ir.NUMBER, "total", (ir.For(card, cards),), ir.Entry(ir.NUMBER, "C_rank", card))
    drawn = ir.Op(ir.CARD, "one_random", (cards, ir.Const(ir.CARD, -1)))
    functions = {
        "plain": ir.Function("plain", (), (ir.Return(total),)),
        "drawing": ir.Function("drawing", (), (ir.Return(drawn),)),
        "counting": ir.Function("counting", (), (ir.Fuel(ir.Const(ir.NUMBER, 1), 0), ir.Return(total))),
    }
    sparing = SingleCandidateShortcut(PurityAnalysis(functions, lambda ranking: (ranking,)))
    assert sparing.can_skip_key(total)
    assert not sparing.can_skip_key(ir.Entry(ir.NUMBER, "C_rank", ir.At(ir.CARD, cards, -1)))  # takes no time
    for name in functions:
        assert sparing.can_skip_key(ir.Calling(ir.NUMBER, name, ())) == (name == "plain")
        assert sparing.can_skip_key(ir.Read(ir.NUMBER, name, "read", cards)) == (name == "plain")


@pytest.mark.slow
@pytest.mark.parametrize("alive", [(0, 1, 2), (2, 0, 1), (0, 2), (1,)])
def test_slots_of_all_players_equal_single_slots(alive: tuple[int, ...]) -> None:
    layout = compile_game(cardlang.load("tall_card"), 3).layout
    player, everyone = local(1, ir.SEAT), ir.Op(ir.build_list_kind(ir.SEAT), "alive", ())
    slot, flag = ir.Track(ir.NUMBER, 1, player), ir.Track(ir.FLAG, 4, player)
    each = ir.For(player, everyone)
    values, flags = (30, 50, 20), (0, 1, 0)
    state = SimpleNamespace(alive=alive, out=sum(1 << seat for seat in range(3) if seat not in alive))
    names = {"s": state, "t": [99, *values, *flags, 99]}

    def found(loop: ir.Expr) -> int:
        return int(
            eval(
                PythonEffectGenerator(
                    {}, PythonCodegenSettings(False, {}, {}, layout), frozenset()
                ).generate_expression(loop),
                dict(names),
            )
        )

    having = [values[seat] for seat in alive]
    assert found(ir.Loop(ir.NUMBER, "highest", (each,), slot)) == max(having)
    assert found(ir.Loop(ir.NUMBER, "lowest", (each,), slot)) == min(having)
    assert found(ir.Loop(ir.NUMBER, "total", (each,), slot)) == sum(having)
    without = ir.Loop(ir.NUMBER, "count", (each, ir.Test(ir.Not(ir.FLAG, flag))), player)
    assert found(without) == sum(not flags[seat] for seat in alive)
    theirs = ir.Spread(ir.NUMBER, ir.Loop(ir.build_list_kind(ir.NUMBER), "list", (each,), slot))
    number = local(2, ir.NUMBER)
    numbers = ir.Items(ir.build_list_kind(ir.NUMBER), (ir.Const(ir.NUMBER, 40), theirs))
    assert found(ir.Loop(ir.NUMBER, "highest", (ir.For(number, numbers),), number)) == max(40, *having)
