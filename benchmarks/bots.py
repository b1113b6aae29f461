"""Compare a bot with a simple tight player in duplicate hands.

    python -m benchmarks.bots [--hands 20000] [--playouts 64] [--engine python] [--tree] [GAME …]

Each deck is played twice between the two players, with the seats exchanged and with the initial chips of a match. The
bot's result is its total from both hands, which cancels the luck of the cards. The tight player folds weak hands, calls
with fair ones and raises with strong ones, by the game's own ranking. It estimates strength against samples of the
opponent's possible hands. The output is the mean result per hand in chips, with its 95 % confidence interval. Each game
runs in a separate process."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from random import Random

import cardlang
from interpreter.bots.bot_players import Player, PlayoutPlayer
from interpreter.match.match import Match, start
from interpreter.native.background_engine_builds import wait_for_engine
from interpreter.program.program import compile_game

GAMES = {"tall_card": "games/tall_card.cardgame", "texas_holdem": "games/classics/texas_holdem.cardgame"}
LOOKS = 16
"""Number of sampled hands of the opponent."""
TOLD = 500
"""Number of decks between progress reports on standard error."""


class TightPlayer:
    """Player that decides by the share of the opponent's possible hands that its hand beats now."""

    def __init__(self, seed: int, fold: float = 0.5, bet: float = 0.7, raises: float = 0.85) -> None:
        self.random, self.fold, self.bet, self.raises = Random(f"tight player {seed}"), fold, bet, raises

    def choose(self, match: Match) -> int:
        assert match.decision is not None
        texts = match.decision.moves.texts
        kinds: dict[str, list[int]] = {}
        for index, text in enumerate(texts):
            kinds.setdefault(text.split()[0], []).append(index)
        if "claim" in kinds:
            return kinds["claim"][0] if self.is_helped(match) else kinds["pass"][0]
        if "discard" in kinds or "done" in kinds:
            return self.discard(match, texts)
        good = self.beaten(match, match.decision.seat)
        if "fold" in kinds and "call" in kinds:
            if good >= self.raises and "raise" in kinds:
                return self.sized(match, kinds["raise"])
            return kinds["call" if good >= self.fold else "fold"][0]
        if good >= self.bet and ("bet" in kinds or "raise" in kinds):
            return self.sized(match, kinds.get("bet") or kinds["raise"])
        return kinds["check" if "check" in kinds else "call"][0]

    def sized(self, match: Match, moves: list[int]) -> int:
        """Return the raise nearest to half of the pot."""
        pot = total(match, "staked", 0) + total(match, "staked", 1)
        return moves[min(len(moves) - 1, max(0, pot // 2 - 1))]

    def beaten(self, match: Match, seat: int) -> float:
        wins = 0.0
        for _ in range(LOOKS):
            sample = match.sample(seat, self.random.getrandbits(60))
            own, other = (
                match.program.evaluate_player_value("strength", sample.state, each) for each in (seat, 1 - seat)
            )
            wins += 1.0 if own > other else 0.5 if own == other else 0.0
        return wins / LOOKS

    def is_helped(self, match: Match) -> bool:
        """Return whether the offered card would improve a pair, or be wild."""
        assert match.decision is not None
        program, state, seat = match.program, match.state, match.decision.seat
        claimed = program.clone(state)
        claimed.t[program.track_base["claimer"]] = seat
        other = program.clone(state)
        other.t[program.track_base["claimer"]] = 1 - seat
        before, after = (program.evaluate_player_value("strength", each, seat) for each in (other, claimed))
        return bool(after > before and len(after.used) > 1)

    def discard(self, match: Match, texts: tuple[str, ...]) -> int:
        """Return a discard that doesn't count in the hand."""
        assert match.decision is not None
        program, state = match.program, match.state
        used = program.evaluate_player_value("strength", state, match.decision.seat).used
        for index, code in enumerate(state.legal):
            if code and code - 1 not in used:
                return index
        return next((index for index, code in enumerate(state.legal) if not code), 0)


def total(match: Match, track: str, seat: int) -> int:
    return match.state.t[match.program.track_base[track] + seat]


def played(name: str, seed: int, bot_seat: int, bot: Player) -> int:
    """Return the bot's gain in one hand."""
    match = start(game_of(name), 2, seed)
    bots: list[Player] = [TightPlayer(seed), TightPlayer(seed)]
    bots[bot_seat] = bot
    before = total(match, "chips", bot_seat) + total(match, "staked", bot_seat)
    chance = match.state.rng
    while match.decision is not None and match.state.rng == chance:
        match.choose(bots[match.decision.seat].choose(match))
    return total(match, "chips", bot_seat) + total(match, "staked", bot_seat) - before


_games: dict[str, cardlang.Game] = {}


def game_of(name: str) -> cardlang.Game:
    if name not in _games:
        _games[name] = cardlang.load(GAMES[name])
    return _games[name]


def measured(order: tuple[str, int, int, int, bool, bool]) -> tuple[str, list[float]]:
    """Return a game's name and the bot's gain per hand, for each deck.

    A single bot plays all decks and learns from its playouts, as in a match."""
    name, decks, playouts, first, native, tree = order
    if native and wait_for_engine(compile_game(game_of(name), 2)) is None:
        raise SystemExit("No machine code: --engine python does without.")
    bot, won = PlayoutPlayer(first, playouts, engines=wait_for_engine if native else None, tree=tree), list[float]()
    for seed in range(first, first + decks):
        won.append((played(name, seed, 0, bot) + played(name, seed, 1, bot)) / 2)
        if len(won) % TOLD == 0:
            print(told(name, won, playouts), file=sys.stderr, flush=True)
    return name, won


def told(name: str, won: list[float], playouts: int) -> str:
    mean = sum(won) / len(won)
    error = sqrt(sum((each - mean) ** 2 for each in won) / (len(won) - 1) / len(won))
    hands = f"{2 * len(won):,} hands, {playouts} playouts per move"
    return f"{name}: {hands}: {mean:+.3f} ± {1.96 * error:.3f} chips per hand"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--playouts", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=("native", "python"), default="native")
    parser.add_argument("--tree", action="store_true", help="search a tree")
    given = parser.parse_args()
    native = given.engine == "native"
    orders = [(name, given.hands // 2, given.playouts, given.seed, native, given.tree) for name in given.games]
    with ProcessPoolExecutor(len(orders)) as pool:
        for name, won in pool.map(measured, orders):
            print(told(name, won, given.playouts))


if __name__ == "__main__":
    main()
