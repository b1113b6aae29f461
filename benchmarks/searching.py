"""Measure search bots on the native engine against players with random moves: win rates and playouts per second.

    python -m benchmarks.searching [--seconds 0.1] [--matches 40] [--bot search] [--cap 5000] [GAME …]

A game is a name such as `hearts`, or `tall_card-4` for a player count.

A bot takes one seat, which changes from match to match. In games of pairs, two bots play as partners. Other seats move
at random. Matches stop after `--cap` decisions, and the leaders then count as winners. Thinking time is processor time,
so a busy machine doesn't change the results. The result is the share of matches won; a shared win counts in part.
Targets are for 0.1 seconds per decision. A bot that reaches them in less time meets them."""

from __future__ import annotations

import argparse
import platform
import time
from math import sqrt

from attrs import define, frozen

import cardlang
from cardlang.model import Game
from interpreter.bots.bot_players import Player, PlayoutPlayer, RandomPlayer
from interpreter.bots.native_search import NativeSearch
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import wait_for_engine
from interpreter.program.program import compile_game


@frozen
class Case:
    """Game with a player count, and the target win rate. `pairs` marks games with partners in opposite seats."""

    name: str
    players: int
    goal: float
    pairs: bool = False

    def __str__(self) -> str:
        return f"{self.name}-{self.players}"


CASES = (
    Case("gin_rummy", 2, 0.95),
    Case("cribbage", 2, 0.95),
    Case("schnapsen", 2, 0.95),
    Case("scopa", 2, 0.95),
    Case("goofspiel", 2, 0.95),
    Case("tail_story", 2, 0.95),
    Case("tall_card", 3, 0.7),
    Case("tail_story", 3, 0.7),
    Case("hearts", 4, 0.75),
    Case("spades", 4, 0.75, pairs=True),
    Case("tall_tales", 4, 0.75),
    Case("tall_card", 4, 0.75),
    Case("tail_story", 4, 0.75),
)

HEAD = """\
Machine: {machine}.
Seconds: processor time per decision. Wins: share of all matches, with the 95 % confidence interval. Targets are for 0.1
seconds. Playouts end with the deal or the match; dealing hidden cards again counts as part of a playout.

| game | players | bot | seconds | matches | wins | target | playouts a second |
|---|---|---|---|---|---|---|---|"""


@define
class Measured:
    """Results of a bot. `won` has its share of the win in each match."""

    won: list[float]
    seconds: float = 0.0
    games: int = 0
    capped: int = 0

    def text(self) -> str:
        """Return the win rate with Wilson's score interval (1927), which is informative even if all matches are won."""
        count, share, z = len(self.won), sum(self.won) / len(self.won), 1.96
        middle = (share + z * z / (2 * count)) / (1 + z * z / count)
        half = z / (1 + z * z / count) * sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
        return f"{share:.0%} ({max(middle - half, 0):.0%} to {min(middle + half, 1):.0%})"


def measured(case: Case, bot: str, seconds: float, matches: int, cap: int) -> Measured:
    game = cardlang.load(case.name)
    if wait_for_engine(compile_game(game, case.players)) is None:
        raise SystemExit("There is nothing that makes machine code.")
    found = Measured([])
    for seed in range(matches):
        found.won.append(played(case, game, bot, seconds, seed, cap, found))
    return found


def played(case: Case, game: Game, bot: str, seconds: float, seed: int, cap: int, found: Measured) -> float:
    """Play a match and return the bots' share of the win."""
    match, own = game.start(case.players, seed), seed % case.players
    mine = {own, (own + 2) % 4} if case.pairs else {own}
    thinking = {seat: thinker(bot, seed * 10 + seat, seconds) for seat in mine}
    others: list[Player] = [RandomPlayer(seed * 10 + seat) for seat in range(case.players)]
    while match.decision is not None and len(match.choices) < cap:
        seat = match.decision.seat
        match.choose(thought(match, thinking[seat], found) if seat in mine else others[seat].choose(match))
    found.capped += match.decision is not None
    winners = leaders(match) if match.decision else [match.players.index(name) for name in match.winners]
    return sum(seat in mine for seat in winners) / max(1, len(winners))


def leaders(match: Match) -> list[int]:
    return [seat for seat, place in enumerate(match.places) if place == 1]


def thinker(bot: str, seed: int, seconds: float) -> PlayoutPlayer:
    given = {"seconds": seconds, "clock": time.process_time, "engines": wait_for_engine, "tree": bot == "search"}
    return PlayoutPlayer(seed, None, **given)  # type: ignore[arg-type]


def thought(match: Match, player: PlayoutPlayer, found: Measured) -> int:
    if len(match.state.legal) == 1:
        return 0
    begun = time.process_time()
    search = player.build_search(match)
    index = search.find_best_move().index
    found.seconds += time.process_time() - begun
    found.games += search.playout_count if isinstance(search, NativeSearch) else 0
    return index


def row(case: Case, bot: str, seconds: float, matches: int, cap: int) -> str:
    found = measured(case, bot, seconds, matches, cap)
    rate = found.games / max(found.seconds, 1e-9)
    title, goal = cardlang.load(case.name).title, f"{case.goal:.0%}"
    many = f"{matches}, {found.capped} at the move limit" if found.capped else matches
    told = (title, case.players, bot, f"{seconds:g}", many, found.text(), goal, f"{rate:,.0f}")
    return f"| {' | '.join(map(str, told))} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--cap", type=int, default=5000)
    parser.add_argument("--bot", choices=("steady", "search"), action="append")
    given = parser.parse_args()
    cases = [case for case in CASES if not given.games or {case.name, str(case)} & set(given.games)]
    bots = given.bot or ["steady", "search"]
    machine = f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}"
    print(HEAD.format(machine=machine), flush=True)
    for case in cases:
        for bot in bots:
            print(row(case, bot, given.seconds, given.matches, given.cap), flush=True)


if __name__ == "__main__":
    main()
