"""Dead events: code that only builds unread events is removed, without changing results."""

import pytest

import cardlang
from interpreter import ir
from interpreter.hands.hand_evaluator import find_unordered_limit
from interpreter.ir.traversal import walk_statements
from interpreter.optimize.dead_events import EventEliminator
from interpreter.program.program import Program, compile_game
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import State
from tests.game_files import read_game
from tests.shipped import Cast, load, one_cast_each

CARDS = ir.build_list_kind(ir.CARD)
HAND, TABLE = ir.Pile(CARDS, 0, None), ir.Pile(CARDS, 1, None)
KEPT, ITEM = ir.Local(CARDS, 1), ir.Local(ir.CARD, 2)
TELL = ir.Event("told", 0, (ir.Const(ir.NUMBER, 0), KEPT, ITEM))
MOST_READ = 10


def remove_dead_events(
    *body: ir.Stmt, held: tuple[int, ...] = (), functions: dict[str, ir.Function | None] | None = None
) -> ir.Body:
    return EventEliminator(functions or {}, lambda ranking: MOST_READ).remove_events(body, held)


def number(value: int) -> ir.Const:
    return ir.Const(ir.NUMBER, value)


def matches(cards: ir.Expr) -> ir.Read:
    return ir.Read(ir.FLAG, "Run", "matches", cards)


def function(name: str, *body: ir.Stmt) -> ir.Function:
    return ir.Function(name, (), body)


# ---------------------------------------------------------------- what goes, what stays
def test_lists_built_for_events_are_removed() -> None:
    both = ir.Assign(KEPT, ir.Items(CARDS, (ir.Spread(CARDS, HAND), ir.Spread(CARDS, TABLE))))
    asked = ir.If(ir.Compare(ir.FLAG, ">", ir.Count(ir.NUMBER, KEPT), number(3)), (TELL,), (TELL,))
    gone_through = ir.ForEach(ITEM, KEPT, (ir.If(ITEM, (TELL,)),))
    assert remove_dead_events(both, asked, gone_through, TELL) == ()


def test_frame_variables_are_kept() -> None:
    kept, each = ir.Assign(KEPT, HAND), ir.ForEach(ITEM, HAND, ())
    assert remove_dead_events(kept, each, held=(1, 2)) == (kept, each)
    assert remove_dead_events(kept, each, held=(1,)) == (kept,)


def test_effects_are_kept_without_events() -> None:
    store = ir.Store(0, None, number(1))
    (made,) = remove_dead_events(ir.If(HAND, (TELL, store), (TELL,)))
    assert isinstance(made, ir.If) and made.then == (store,) and made.otherwise == ()
    (made,) = remove_dead_events(ir.If(HAND, (TELL,), (store,)))
    assert isinstance(made, ir.If) and made.then == () and made.otherwise == (store,)


@pytest.mark.parametrize("operation", ["present", "one_random", "some_random", "counted", "whole", "times", "winners"])
def test_random_and_failing_expressions_are_kept(operation: str) -> None:
    asked = ir.Op(ir.NUMBER, operation, (number(1), number(2)), 0)
    for stmt in (ir.If(asked, ()), ir.ForEach(ITEM, asked, ()), ir.Assign(KEPT, asked)):
        assert remove_dead_events(stmt) == (stmt,)
    within = {"V": ir.Function("V", (), (ir.Return(asked),), ir.NUMBER)}
    calling = ir.If(ir.Calling(ir.NUMBER, "V", ()), ())
    assert remove_dead_events(calling, functions=within) == (calling,)


def test_fuel_and_its_loops_are_kept() -> None:
    fuel = ir.Fuel(ir.Count(ir.NUMBER, KEPT), 0)
    kept = ir.Assign(KEPT, HAND)
    assert remove_dead_events(kept, fuel, ir.ForEach(ITEM, KEPT, (TELL,))) == (kept, fuel)
    (loop,) = remove_dead_events(ir.While(HAND, (fuel, TELL)))
    assert isinstance(loop, ir.While) and loop.body == (fuel,)


def test_event_only_functions_are_not_called() -> None:
    functions: dict[str, ir.Function | None] = {
        "tells": function("tells", TELL, ir.If(HAND, (ir.Do("more", ()),))),
        "more": function("more", TELL),
        "around": function("around", ir.Do("around", ())),
    }
    around = ir.Do("around", ())
    assert remove_dead_events(ir.Do("tells", ()), around, functions=functions) == (around,)


# ---------------------------------------------------------------- at fault with too many cards only
def test_size_dependent_errors_are_guarded() -> None:
    local = ir.Local(CARDS, 3)
    subsets = ir.Op(ir.build_list_kind(CARDS), "subsets", (KEPT, number(1), number(99), number(1024)), 0)
    runs = ir.Loop(ir.build_list_kind(CARDS), "list", (ir.For(local, subsets), ir.Test(matches(local))), local)
    asked = ir.If(ir.Compare(ir.FLAG, ">", ir.Count(ir.NUMBER, runs), number(0)), ())
    kept = ir.Assign(KEPT, HAND)
    assert remove_dead_events(kept, asked)[0] is kept, "it is needed, in order to be counted"
    guard = remove_dead_events(kept, asked)[1]
    assert isinstance(guard, ir.If) and guard.then == (asked,)
    assert guard.condition == ir.Compare(ir.FLAG, ">", ir.Count(ir.NUMBER, KEPT), number(MOST_READ))


def test_guard_counts_all_cards_of_a_list() -> None:
    tested = ir.Loop(CARDS, "list", (ir.For(ITEM, TABLE), ir.Test(ITEM)), ITEM)
    cards = ir.Items(CARDS, (ir.Spread(CARDS, HAND), ITEM, ir.Spread(CARDS, tested)))
    (guard,) = remove_dead_events(ir.If(matches(cards), ()))
    sizes = ir.Arith(ir.NUMBER, "+", ir.Count(ir.NUMBER, HAND), number(1))
    expected = ir.Arith(ir.NUMBER, "+", sizes, ir.Count(ir.NUMBER, TABLE))
    assert isinstance(guard, ir.If) and guard.condition == ir.Compare(ir.FLAG, ">", expected, number(MOST_READ))


def test_uncountable_lists_are_kept() -> None:
    of_item = ir.Pile(CARDS, 0, ITEM)
    within = ir.If(ir.Loop(ir.FLAG, "any", (ir.For(ITEM, HAND),), matches(of_item)), ())
    whole = ir.If(ir.Read(ir.Kind("reading"), "Run", "read", HAND), ())
    assert remove_dead_events(within, whole) == (within, whole)


@pytest.mark.slow
@pytest.mark.parametrize("cast", [cast for cast in one_cast_each() if load(cast.game).rankings], ids=str)
def test_hand_size_limit_is_not_exceeded(cast: Cast) -> None:
    program = compile_game(load(cast.game), cast.players)
    for name, ranking in program.game.rankings.items():
        limit = (
            0
            if ranking.wilds or ranking.size == "groups"
            else find_unordered_limit(program.readings.find_evaluator(name))
        )
        assert program.get_max_hand_size(name) <= limit


# ---------------------------------------------------------------- games
GAME = read_game("orchard_dead_events")
TELLING = {
    "chance": 'if random of deck\'s value > 4\n    tell "High."',
    "fuel": 'each card in deck\n    tell "{that card}."',
    "a list": 'remember deck where value > 3 as lot\n  if count of lot > 2\n    tell "{lot}."',
    "subsets": 'if count of (every 1 or more cards from top 20 of deck where value < 3 as lot) > 5\n    tell "Many."',
    "too many subsets": 'if count of (every 1 or more cards from (deck, players\' hand) as lot) > 5\n    tell "Many."',
    "what cannot be read": 'if deck is Rows\n    tell "Rows."',
}


def outcome(program: Program, listen: bool) -> object:
    try:
        return get_result_state(program.start(5, listen=listen))
    except RuleError as error:
        return str(error), error.span


def get_result_state(state: State) -> object:
    return state.rng, state.fuel, state.t, state.z, state.known, state.frames, state.who


@pytest.mark.slow
@pytest.mark.parametrize("line", TELLING.values(), ids=TELLING)
def test_result_equals_that_with_events(line: str) -> None:
    game = cardlang.loads(GAME.replace("{line}", line))
    quiet, told = (compile_game(game, 2, listen) for listen in (False, True))
    assert outcome(quiet, False) == outcome(told, True)


def test_errors_equal_those_with_events() -> None:
    faults = {"too many subsets": "ways to choose from 24 cards", "what cannot be read": "too many to compare"}
    for line, words in faults.items():
        program = compile_game(cardlang.loads(GAME.replace("{line}", TELLING[line])), 2)
        with pytest.raises(RuleError, match=words):
            program.start(5)


def test_cribbage_builds_no_unread_hands() -> None:
    """What makes up the points of a hand is only told: its cards are read for the points alone."""
    program = compile_game(load("cribbage"), 2)
    show = program.lowering.functions["S_show"]
    assert show is not None
    assert any(isinstance(stmt, ir.Event) for stmt in walk_statements(show.body))
    body = program.strip_function_events(show).body
    asked = [part for part in ir.walk(drop_guards(body)) if isinstance(part, ir.Op) and part.operation == "subsets"]
    assert asked == []


def drop_guards(body: ir.Body) -> ir.Body:
    """Return the code without what runs in one case only."""
    found: list[ir.Stmt] = []
    for stmt in body:
        if isinstance(stmt, ir.ForEach):
            found += drop_guards(stmt.body)
        elif not (isinstance(stmt, ir.If) and all(isinstance(each, ir.If) and not each.then for each in stmt.then)):
            found.append(stmt)
    return tuple(found)
