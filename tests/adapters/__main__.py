"""Full comparisons for docs/comparisons.md: `python -m tests.adapters [GAMES [PAIRS]]`."""

import sys
from time import perf_counter

import pokerkit
import pyspiel

from tests.adapters.lockstep import PAIRINGS, Pairing
from tests.adapters.poker import compare_hands, play_hands
from tests.adapters.trees import KNOWN, Tree, load, load_openspiel_game


def main(games: int = 1000, pairs: int = 100_000) -> None:
    """Print a line for each comparison, tables first."""
    for name in KNOWN:
        mine, its = Tree(load(name)), Tree(load_openspiel_game(name))
        same = mine.returns.keys() == its.returns.keys() and all(
            abs(mine.returns[each] - its.returns[each]) < 1e-6 for each in its.returns
        )
        print(f"{name}: here {mine.counts}, there {its.counts}, returns {'equal' if same else 'differ'}", flush=True)
    for pairing in PAIRINGS:
        report(pairing, games)
    begun = perf_counter()
    decisions, notes = play_hands(pokerkit, games, seed=0)
    print(f"hold'em: {games} hands, {decisions} decisions, {dict(notes)}, {perf_counter() - begun:.0f} s", flush=True)
    results = compare_hands(pokerkit, pairs, seed=0)
    print(f"hands: {pairs} pairs, the better by rank: {dict(results)}")


def report(pairing: type[Pairing], games: int) -> None:
    pair, compared, failed = pairing(pyspiel), 0, 0
    begun = perf_counter()
    for seed in range(games):
        try:
            compared += pair.play(seed)
        except AssertionError as error:
            failed += 1
            print(error)
    print(
        f"{pairing.__name__}: {games} games, {failed} different, {compared} decisions equal, {pair.parted} parted, "
        f"left out {dict(pair.left_out)}, {perf_counter() - begun:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
