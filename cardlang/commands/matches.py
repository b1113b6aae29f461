"""One match of bots, as fast as it goes."""

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
    """How a match went. `over`: False if it was given up at the cap of decisions; then nobody has won."""

    decisions: int
    seconds: float
    over: bool
    winners: list[int]
    scores: list[int | Fraction | None]


def play_match(game: Game, players: int, seed: int, bot: str, cap: int, native: bool = False) -> Result:
    """Plays a match to its end or to the cap. `native`: bots try moves out as machine code. Raises RuleError, with the
    seed, where a rule is at fault or what it expects does not hold."""
    try:
        if bot == "random":
            return play_randomly(game, players, seed, cap)
        return play_well(game, players, seed, bot, cap, native)
    except RuleError as error:
        raise RuleError(error.span, f"{error.message} (seed {seed}, {players} players)") from error


def play_randomly(game: Game, players: int, seed: int, cap: int) -> Result:
    """Every move is equally likely; nothing but numbers is touched."""
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
    """All seats are bots of one level; they count their trial games, so that a seed tells what happens."""
    begin = perf_counter()
    match = start(game, players, seed, checking=True)
    bots = [make_bot(bot, seed * 100 + seat, native=native) for seat in range(players)]
    decisions = 0
    while match.decision is not None and decisions < cap:
        match.choose(bots[match.decision.seat].choose(match))
        decisions += 1
    winners = [match.players.index(name) for name in match.winners]
    return Result(decisions, perf_counter() - begin, match.over, winners, match.scores)
