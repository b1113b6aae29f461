"""Single matches between bots, at full speed."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

from attrs import frozen

from cardlang.game import Game
from interpreter.chance import stream
from interpreter.compiler import compile_game
from interpreter.errors import RuleError
from interpreter.matches.match import start
from interpreter.players.levels import make_bot


@frozen
class Result:
    """Result of a match.

    `over` is False if the match was stopped at the move limit; then it has no winner.
    """

    decisions: int
    seconds: float
    over: bool
    winners: list[int]
    scores: list[int | Fraction | None]


def play_match(game: Game, players: int, seed: int, bot: str, cap: int, native: bool = False) -> Result:
    """Play a match to its end or to the move limit.

    With `native`, bots search on the native engine. Raise `RuleError` with the seed if a rule fails or an expectation
    is wrong.
    """
    try:
        if bot == "random":
            return play_randomly(game, players, seed, cap)
        return play_well(game, players, seed, bot, cap, native)
    except RuleError as error:
        raise RuleError(error.span, f"{error.message} (seed {seed}, {players} players)") from error


def play_randomly(game: Game, players: int, seed: int, cap: int) -> Result:
    """Play with uniformly random moves, using only move codes."""
    program = compile_game(game, players)
    word = stream(seed).__next__
    begin = perf_counter()
    state = program.start(seed, checking=True)
    apply = program.apply
    decisions = 0
    while state.who >= 0 and decisions < cap:
        legal = state.legal
        apply(state, legal[word() * len(legal) >> 64])
        decisions += 1
    seconds = perf_counter() - begin
    over = state.who < 0
    return Result(decisions, seconds, over, program.winners(state) if over else [], program.scores(state))


def play_well(game: Game, players: int, seed: int, bot: str, cap: int, native: bool) -> Result:
    """Play with bots of one level. They limit playouts by number, not time, so that a seed gives the same match."""
    begin = perf_counter()
    match = start(game, players, seed, checking=True)
    bots = [make_bot(bot, seed * 100 + seat, native=native) for seat in range(players)]
    decisions = 0
    while match.decision is not None and decisions < cap:
        match.choose(bots[match.decision.seat].choose(match))
        decisions += 1
    winners = [match.players.index(name) for name in match.winners]
    return Result(decisions, perf_counter() - begin, match.over, winners, match.scores)
