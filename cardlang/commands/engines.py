"""Selection of the engine for `simulate`: Python, or the native engine (compiled C).

Random moves give the same results in both. Bots that search don't play the same playouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING

from attrs import evolve

from cardlang.commands.matches import play_match
from cardlang.commands.rules import Rules, kept_game
from cardlang.commands.tally import Tally
from cardlang.game import Game
from interpreter.compiler import compile_game
from interpreter.native.compilers import NoCompiler
from interpreter.native.engine import AT_FAULT, Engine, engine_of

if TYPE_CHECKING:
    from cardlang.commands.simulate import Order

CHUNK = 25
"""Matches between two progress reports. The first chunk is a single match, to estimate the time."""
LARGEST_CHUNK = 2000
"""Maximum chunk size of the native engine, whose chunks grow."""
WORTH = 1.0
"""Seconds that the Python engine must take before compiling the native engine is worthwhile."""
SHORT_SEEDS = 1 << 64
"""Limit of seeds in the native engine. Only Python has the generator for longer seeds."""


def chunks(order: Order) -> Iterator[Order]:
    """Split an order into chunks. The second chunk ends at match CHUNK in both engines."""
    size, first = 1, order.first
    while first < order.stop:
        stop = min(first + size, order.stop)
        yield evolve(order, first=first, stop=stop)
        played = stop - order.first
        size = CHUNK - 1 if played == 1 else CHUNK if order.engine == "python" else min(played, LARGEST_CHUNK)
        first = stop


def chosen(orders: Sequence[Order], wanted: str, game: Game, tell: Callable[[str], None]) -> str:
    """Return the engine for the orders of a game: `python` or `native`.

    `auto` selects the native engine if compiling is worthwhile. If there is no native engine, pass the reason to `tell`
    once.
    """
    if wanted == "python" or (wanted == "auto" and orders[0].bot == "random" and not any(map(is_long, orders))):
        return "python"
    try:
        for order in orders:
            if order.bot == "random":
                check_known(order)
                engine(order.rules, order.players)
            else:
                check_thinking(game, order)
    except NoCompiler as reason:
        same = ", with the same results" if orders[0].bot == "random" else ""
        tell(f"No native engine: {reason}. The slower Python engine plays{same}.")
        return "python"
    return "native"


def check_known(order: Order) -> None:
    """Raise `NoCompiler` if only the Python engine can play the order."""
    if order.stop > SHORT_SEEDS:
        raise NoCompiler("it takes no seeds above 64 bits")


def check_thinking(game: Game, order: Order) -> None:
    """Raise `NoCompiler` if bots can search only in the Python engine."""
    from interpreter.players.engines import reason, waited_for

    program = compile_game(game, order.players)
    if waited_for(program) is None:
        raise NoCompiler(reason(program) or "it cannot be compiled")


def is_long(order: Order) -> bool:
    """Return whether the Python engine would take long.

    Play the first matches to estimate the time, and discard their results.
    """
    game, seconds, played = kept_game(order.rules), 0.0, 0
    for seed in range(order.first, min(order.stop, order.first + CHUNK)):
        seconds += play_match(game, order.players, seed, order.bot, order.cap).seconds
        played += 1
        if seconds > WORTH / 4:
            break
    return seconds / played * order.games > WORTH


@cache
def engine(rules: Rules, players: int) -> Engine:
    """Return the native engine of a game, built once in each process. Raise `NoCompiler`."""
    return engine_of(kept_game(rules), players)


def play_natively(game: Game, order: Order) -> Tally:
    """Play the matches of an order on the native engine.

    Python replays each match with an error, to report it, or to finish it if C ran out of room. Raise `NoCompiler`, or
    `RuleError` like `play_match`.
    """
    native, tally = engine(order.rules, order.players), Tally(order.players)
    begun = perf_counter()
    rows = native.play(order.first, order.games, order.cap, checking=True)
    tally.seconds = perf_counter() - begun
    width = 3 + order.players
    faults = [at for at, end in enumerate(rows[1::width]) if end == AT_FAULT]
    for at in faults:
        tally.count(play_match(game, order.players, order.first + at, order.bot, order.cap))
    for first, stop in pairwise([-1, *faults, order.games]):  # the rows between two faults
        tally.count_rows(rows[(first + 1) * width : stop * width], native.score)
    return tally


def play_part(order: Order) -> Tally:
    """Play the matches of an order in this process."""
    game = kept_game(order.rules)
    if order.engine == "native" and order.bot == "random":
        with suppress(NoCompiler):  # the compiled library may be gone in a worker process
            return play_natively(game, order)
    tally = Tally(order.players)
    for seed in range(order.first, order.stop):
        tally.count(play_match(game, order.players, seed, order.bot, order.cap, order.engine == "native"))
    return tally
