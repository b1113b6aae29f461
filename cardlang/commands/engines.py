"""What plays the matches of `simulate`: the Python, or machine code of the same rules. Random moves come to the same;
bots that try moves out do not play the same trial games."""

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
"""So many matches are played between two reports of progress; first, to see how long it will take, a single one."""
LARGEST_CHUNK = 2000
"""As machine code more and more, up to so many."""
WORTH = 1.0
"""Machine code is made if the Python would take so many seconds longer."""
SHORT_SEEDS = 1 << 64
"""Longer seeds start a generator that only the Python has."""


def chunks(order: Order) -> Iterator[Order]:
    """The same in pieces. The second ends at match CHUNK, whoever plays."""
    size, first = 1, order.first
    while first < order.stop:
        stop = min(first + size, order.stop)
        yield evolve(order, first=first, stop=stop)
        played = stop - order.first
        size = CHUNK - 1 if played == 1 else CHUNK if order.engine == "python" else min(played, LARGEST_CHUNK)
        first = stop


def chosen(orders: Sequence[Order], wanted: str, game: Game, tell: Callable[[str], None]) -> str:
    """Which engine plays some orders of a game: `python` or `native`. `auto` takes machine code where it is worth
    making. Why there is none is told, once."""
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
    """Raises NoCompiler for what only the Python plays."""
    if order.stop > SHORT_SEEDS:
        raise NoCompiler("it takes no seeds above 64 bits")


def check_thinking(game: Game, order: Order) -> None:
    """Raises NoCompiler where bots have nothing but Python to try moves out in."""
    from interpreter.players.engines import reason, waited_for

    program = compile_game(game, order.players)
    if waited_for(program) is None:
        raise NoCompiler(reason(program) or "it cannot be compiled")


def is_long(order: Order) -> bool:
    """Whether the Python would take long. It plays the first matches to find out; what comes of them is not used."""
    game, seconds, played = kept_game(order.rules), 0.0, 0
    for seed in range(order.first, min(order.stop, order.first + CHUNK)):
        seconds += play_match(game, order.players, seed, order.bot, order.cap).seconds
        played += 1
        if seconds > WORTH / 4:
            break
    return seconds / played * order.games > WORTH


@cache
def engine(rules: Rules, players: int) -> Engine:
    """The engine of a game, made once in each process. Raises NoCompiler."""
    return engine_of(kept_game(rules), players)


def play_natively(game: Game, order: Order) -> Tally:
    """Plays the matches of an order as machine code. One in which something is at fault is played again by the Python,
    which tells what, or plays on where C had no room. Raises NoCompiler, and RuleError as `play_match` does."""
    native, tally = engine(order.rules, order.players), Tally(order.players)
    begun = perf_counter()
    rows = native.play(order.first, order.games, order.cap, checking=True)
    tally.seconds = perf_counter() - begun
    width = 3 + order.players
    faults = [at for at, end in enumerate(rows[1::width]) if end == AT_FAULT]
    for at in faults:
        tally.count(play_match(game, order.players, order.first + at, order.bot, order.cap))
    for first, stop in pairwise([-1, *faults, order.games]):  # what lies between them
        tally.count_rows(rows[(first + 1) * width : stop * width], native.score)
    return tally


def play_part(order: Order) -> Tally:
    """Plays the matches of an order in this process."""
    game = kept_game(order.rules)
    if order.engine == "native" and order.bot == "random":
        with suppress(NoCompiler):  # in a process of its own, where what was there before is gone
            return play_natively(game, order)
    tally = Tally(order.players)
    for seed in range(order.first, order.stop):
        tally.count(play_match(game, order.players, seed, order.bot, order.cap, order.engine == "native"))
    return tally
