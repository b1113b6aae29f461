"""Compare hints in betting games with many more playouts: the chance to win, and the best move.

    python -m benchmarks.hints [--decisions 2000] [--playouts 1000] [--reference 1000000] [GAME …]

Bots play matches. At each bet, the chance that a hint shows is compared with many more playouts of five independent
searches, with a new sample of the hidden cards for every 2,000 of them. The best move is compared with a search of ten
times the playouts."""

from __future__ import annotations

import argparse
from math import sqrt
from statistics import mean

from attrs import define

import cardlang
from interpreter.bots.betting_model import build_betting_policy
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.bots.hint_text import can_be_equally_good
from interpreter.bots.hints import find_hint
from interpreter.bots.native_search import NativeSearch
from interpreter.match.match import Match, start
from interpreter.native.background_engine_builds import wait_for_engine
from interpreter.program.program import compile_game

GAMES = {"texas_holdem": 3, "tall_card": 4}
SEARCHES = 5
"""Number of searches for a reference, because each guesses the hidden cards from its own playouts."""
BATCH = 2000
"""Number of playouts between two samples of the possible hands."""
POINTS = 0.05
"""Allowed difference of a chance."""
HEAD = """\
Close: chances within 5 points of the reference. Error: root mean square difference. Same first: both searches have the
same best move. Roughly equal: or the hint calls the other one roughly equal.

| game | players | decisions | chances close | error | same or roughly equal | same first |
|---|---|---|---|---|---|---|"""


@define
class Tally:
    """Counts over decisions, and the sum of squared differences of chances."""

    decisions: int = 0
    close: int = 0
    squares: float = 0.0
    alike: int = 0
    first: int = 0


def look(match: Match, seed: int, playouts: int, reference: int, tally: Tally) -> None:
    """Compare the hint for one bet with the references."""
    assert match.decision is not None
    seat, best = match.decision.seat, {}
    for factor in (1, 10):
        best[factor] = find_hint(match, seat, None, playouts * factor, seed + factor, engines=wait_for_engine)
    first, moves = best[10].index, {move.index: move for move in best[1].moves}
    equal = first in moves and can_be_equally_good(best[1].moves[0], moves[first])
    tally.first += first == best[1].index
    tally.alike += first == best[1].index or equal
    batches = max(2, reference // BATCH // SEARCHES)
    chances = [compute_chance(match, seed + search, batches) for search in range(1, SEARCHES + 1)]
    off = compute_chance(match, seed, 1) - mean(chances)
    tally.decisions, tally.close = tally.decisions + 1, tally.close + (abs(off) <= POINTS)
    tally.squares += off * off


def compute_chance(match: Match, seed: int, batches: int) -> float:
    """Return the chance to win as a hint shows it, or the mean of more batches."""
    search = PlayoutPlayer(seed, 1, engines=wait_for_engine, bluffs=False).build_search(match)
    if not isinstance(search, NativeSearch) or search.outlook is None:
        raise SystemExit("There is nothing that makes machine code.")
    if batches == 1:
        return search.outlook.share
    shares = list[float]()
    for _ in range(batches):
        search.playouts.weigh_hands(search.blind_bet_rates)
        shares.append(search.playouts.estimate_pot_share(BATCH)[0])
    return sum(shares) / batches


def row(name: str, decisions: int, playouts: int, reference: int) -> str:
    game, players, tally, seed = cardlang.load(name), GAMES[name], Tally(), 0
    program = compile_game(game, players)
    betting = build_betting_policy(program)
    if betting is None or wait_for_engine(program) is None:
        raise SystemExit("There is nothing that makes machine code.")
    while tally.decisions < decisions:
        seed += 1
        match = start(game, players, seed)
        bots = [PlayoutPlayer(seed * players + seat, 32, engines=wait_for_engine) for seat in range(players)]
        while match.decision is not None and tally.decisions < decisions:
            site = match.program.get_site(match.state)
            if betting.is_bet_decision(site) and len(match.decision.moves) > 1:
                look(match, seed * 1000 + len(match.choices) * 20, playouts, reference, tally)
            match.choose(bots[match.decision.seat].choose(match))
    shares = [f"{count / decisions:.1%}" for count in (tally.close, tally.alike, tally.first)]
    error = f"{100 * sqrt(tally.squares / decisions):.1f} points"
    return f"| {game.title} | {players} | {decisions} | {shares[0]} | {error} | {shares[1]} | {shares[2]} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--decisions", type=int, default=2000)
    parser.add_argument("--playouts", type=int, default=1000)
    parser.add_argument("--reference", type=int, default=1_000_000)
    given = parser.parse_args()
    print(HEAD, flush=True)
    for name in given.games:
        print(row(name, given.decisions, given.playouts, given.reference), flush=True)


if __name__ == "__main__":
    main()
