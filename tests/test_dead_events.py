"""Dead events: code that only builds unread events is removed, without changing results."""

from __future__ import annotations

from random import Random

import pytest

import cardlang
from interpreter import ir as lo
from interpreter.hands.hand_evaluator import find_unordered_limit
from interpreter.ir.traversal import walk_statements
from interpreter.optimize.dead_events import EventEliminator
from interpreter.program.program import Program, compile_game
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import State
from tests.shipped import Cast, casts, load

CARDS = lo.build_list_kind(lo.CARD)
HAND, TABLE = lo.Pile(CARDS, 0, None), lo.Pile(CARDS, 1, None)
KEPT, ITEM = lo.Local(CARDS, 1), lo.Local(lo.CARD, 2)
TELL = lo.Event("told", 0, (lo.Const(lo.NUMBER, 0), KEPT, ITEM))
MOST_SUBSETS, MOST_READ = 20, 10


def remove_dead_events(
    *body: lo.Stmt, held: tuple[int, ...] = (), functions: dict[str, lo.Function | None] | None = None
) -> lo.Body:
    return EventEliminator(functions or {}, MOST_SUBSETS, lambda ranking: MOST_READ).remove_events(body, held)


def number(value: int) -> lo.Const:
    return lo.Const(lo.NUMBER, value)


def matches(cards: lo.Expr) -> lo.Read:
    return lo.Read(lo.FLAG, "Run", "matches", cards)


def function(name: str, *body: lo.Stmt) -> lo.Function:
    return lo.Function(name, (), body)


# ---------------------------------------------------------------- what goes, what stays
def test_questions_and_lists_that_are_only_for_telling_go() -> None:
    both = lo.Assign(KEPT, lo.Items(CARDS, (lo.Spread(CARDS, HAND), lo.Spread(CARDS, TABLE))))
    asked = lo.If(lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, KEPT), number(3)), (TELL,), (TELL,))
    gone_through = lo.ForEach(ITEM, KEPT, (lo.If(ITEM, (TELL,)),))
    assert remove_dead_events(both, asked, gone_through, TELL) == ()


def test_what_a_frame_holds_stays() -> None:
    kept, each = lo.Assign(KEPT, HAND), lo.ForEach(ITEM, HAND, ())
    assert remove_dead_events(kept, each, held=(1, 2)) == (kept, each)
    assert remove_dead_events(kept, each, held=(1,)) == (kept,)


def test_what_is_done_as_well_stays_without_what_is_told() -> None:
    store = lo.Store(0, None, number(1))
    (made,) = remove_dead_events(lo.If(HAND, (TELL, store), (TELL,)))
    assert isinstance(made, lo.If) and made.then == (store,) and made.otherwise == ()
    (made,) = remove_dead_events(lo.If(HAND, (TELL,), (store,)))
    assert isinstance(made, lo.If) and made.then == () and made.otherwise == (store,)


@pytest.mark.parametrize("operation", ["present", "one_random", "some_random", "counted", "whole", "times", "winners"])
def test_chance_steps_and_what_may_be_at_fault_stay(operation: str) -> None:
    asked = lo.Op(lo.NUMBER, operation, (number(1), number(2)), 0)
    for stmt in (lo.If(asked, ()), lo.ForEach(ITEM, asked, ()), lo.Assign(KEPT, asked)):
        assert remove_dead_events(stmt) == (stmt,)
    within = {"V": lo.Function("V", (), (lo.Return(asked),), lo.NUMBER)}
    calling = lo.If(lo.Calling(lo.NUMBER, "V", ()), ())
    assert remove_dead_events(calling, functions=within) == (calling,)


def test_fuel_and_loops_that_burn_it_stay() -> None:
    fuel = lo.Fuel(lo.Count(lo.NUMBER, KEPT), 0)
    kept = lo.Assign(KEPT, HAND)
    assert remove_dead_events(kept, fuel, lo.ForEach(ITEM, KEPT, (TELL,))) == (kept, fuel)
    (loop,) = remove_dead_events(lo.While(HAND, (fuel, TELL)))
    assert isinstance(loop, lo.While) and loop.body == (fuel,)


def test_a_function_that_only_tells_is_not_called() -> None:
    functions: dict[str, lo.Function | None] = {
        "tells": function("tells", TELL, lo.If(HAND, (lo.Do("more", ()),))),
        "more": function("more", TELL),
        "around": function("around", lo.Do("around", ())),
    }
    around = lo.Do("around", ())
    assert remove_dead_events(lo.Do("tells", ()), around, functions=functions) == (around,)


# ---------------------------------------------------------------- at fault with too many cards only
def test_what_is_at_fault_with_many_cards_is_asked_with_many_cards() -> None:
    local = lo.Local(CARDS, 3)
    subsets = lo.Op(lo.build_list_kind(CARDS), "subsets", (KEPT,), 0)
    runs = lo.Loop(lo.build_list_kind(CARDS), "list", (lo.For(local, subsets), lo.Test(matches(local))), local)
    asked = lo.If(lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, runs), number(0)), ())
    kept = lo.Assign(KEPT, HAND)
    assert remove_dead_events(kept, asked)[0] is kept, "it is needed, in order to be counted"
    guard = remove_dead_events(kept, asked)[1]
    assert isinstance(guard, lo.If) and guard.then == (asked,)
    assert guard.condition == lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, KEPT), number(MOST_READ))


def test_no_card_of_a_list_that_is_made_is_forgotten_in_counting() -> None:
    tested = lo.Loop(CARDS, "list", (lo.For(ITEM, TABLE), lo.Test(ITEM)), ITEM)
    cards = lo.Items(CARDS, (lo.Spread(CARDS, HAND), ITEM, lo.Spread(CARDS, tested)))
    (guard,) = remove_dead_events(lo.If(matches(cards), ()))
    sizes = lo.Arith(lo.NUMBER, "+", lo.Count(lo.NUMBER, HAND), number(1))
    expected = lo.Arith(lo.NUMBER, "+", sizes, lo.Count(lo.NUMBER, TABLE))
    assert isinstance(guard, lo.If) and guard.condition == lo.Compare(lo.FLAG, ">", expected, number(MOST_READ))


def test_what_cannot_be_counted_beforehand_stays() -> None:
    of_item = lo.Pile(CARDS, 0, ITEM)
    within = lo.If(lo.Loop(lo.FLAG, "any", (lo.For(ITEM, HAND),), matches(of_item)), ())
    whole = lo.If(lo.Read(lo.Kind("reading"), "Run", "read", HAND), ())
    assert remove_dead_events(within, whole) == (within, whole)


@pytest.mark.parametrize("cast", [cast for cast in casts() if cast.variant is None], ids=str)
def test_no_more_cards_are_said_to_be_readable_than_are(cast: Cast) -> None:
    program = compile_game(load(cast.game), cast.players)
    for name, ranking in program.game.rankings.items():
        limit = (
            0
            if ranking.wilds or ranking.size == "groups"
            else find_unordered_limit(program.readings.find_evaluator(name))
        )
        assert program.get_max_hand_size(name) <= limit


# ---------------------------------------------------------------- games
GAME = """
game "Orchard" for 2 players
ordered kind Value: 1 to 8
kind Fruit: Apple (A), Pear (P), Cherry (C)
cards Pack in deck
  1 of each Value, Fruit
zone deck seen by nobody
zone your hand seen by owner
zone table
number your score
ranking Rows of all cards
  "Rows"
    2 or more Pack plus 2 or more Pack together of different fruit
step play
  each player
    deal top 2 of deck to your hand
  {line}
  each player
    you put 1 from your hand to table
"""
TELLING = {
    "chance": 'if random of deck\'s value > 4\n    tell "High."',
    "fuel": 'each card in deck\n    tell "{that card}."',
    "a list": 'remember deck where value > 3 as lot\n  if count of lot > 2\n    tell "{lot}."',
    "subsets": 'if count of (subsets of top 20 of deck where value < 3) > 5\n    tell "Many."',
    "too many subsets": 'if count of (subsets of (deck, players\' hand)) > 5\n    tell "Many."',
    "what cannot be read": 'if deck is Rows\n    tell "Rows."',
}


def outcome(program: Program, listen: bool) -> object:
    try:
        return get_result_state(program.start(5, listen=listen))
    except RuleError as error:
        return str(error), error.span


def get_result_state(state: State) -> object:
    return state.rng, state.fuel, state.t, state.z, state.known, state.frames, state.who


@pytest.mark.parametrize("line", TELLING.values(), ids=TELLING)
def test_it_ends_as_if_somebody_listened(line: str) -> None:
    game = cardlang.loads(GAME.replace("{line}", line))
    quiet, told = (compile_game(game, 2, listen) for listen in (False, True))
    assert outcome(quiet, False) == outcome(told, True)


@pytest.mark.parametrize("cast", [cast for cast in casts() if cast.variant is None], ids=str)
def test_a_match_takes_as_many_steps_if_somebody_listens(cast: Cast) -> None:
    quiet, told = (compile_game(load(cast.game), cast.players, listen) for listen in (False, True))
    unheard, heard, random = quiet.start(3), told.start(3, listen=True), Random(3)
    for _ in range(40):
        assert get_result_state(unheard) == get_result_state(heard)
        if unheard.who < 0:
            break
        code = unheard.legal[int(random.random() * len(unheard.legal))]
        quiet.apply(unheard, code)
        told.apply(heard, code)


def test_at_fault_is_at_fault() -> None:
    faults = {"too many subsets": "all subsets of 24 cards", "what cannot be read": "too many to compare"}
    for line, words in faults.items():
        program = compile_game(cardlang.loads(GAME.replace("{line}", TELLING[line])), 2)
        with pytest.raises(RuleError, match=words):
            program.start(5)


def test_cribbage_counts_no_hand_for_nobody() -> None:
    """What makes up the points of a hand is only told: its cards are read for the points alone."""
    program = compile_game(load("cribbage"), 2)
    show = program.lowering.functions["S_show"]
    assert show is not None
    assert any(isinstance(stmt, lo.Event) for stmt in walk_statements(show.body))
    body = program.strip_function_events(show).body
    asked = [part for part in lo.walk(unguarded(body)) if isinstance(part, lo.Op) and part.operation == "subsets"]
    assert asked == []


def unguarded(body: lo.Body) -> lo.Body:
    """Without what is done for one case only."""
    found: list[lo.Stmt] = []
    for stmt in body:
        if isinstance(stmt, lo.ForEach):
            found += unguarded(stmt.body)
        elif not (isinstance(stmt, lo.If) and all(isinstance(each, lo.If) and not each.then for each in stmt.then)):
            found.append(stmt)
    return tuple(found)
