"""Rehearsal of a match: sample tables that show how much room each part of a screen can need."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from random import Random

from attrs import evolve

from cardlang.model import Game
from interpreter.match.match import Match, start
from interpreter.runtime.errors import RuleError
from interpreter.view.table_model import Table

REHEARSED_MOVES = 300
"""Number of moves to rehearse, in one long match or several short ones."""
MAX_MATCHES = 10
"""Maximum number of rehearsed matches."""


def find_fullest_tables(game: Game, players: Sequence[str], viewer: str | None) -> list[Table]:
    """Return tables of random matches: those with the most cards in a zone, the most piles, the most moves, the most
    known cards in a hidden pile.

    They show how much room a table needs, and nothing about any real match. They have no events and results."""
    most: dict[object, tuple[int, int, int]] = {}
    played: list[list[int]] = []
    while len(played) < MAX_MATCHES and sum(map(len, played)) < REHEARSED_MOVES:
        moves: list[int] = []
        played.append(moves)
        random, match = Random(len(played)), start(game, list(players), len(played))
        with suppress(RuleError):  # a real match reports it, if it gets there
            while (decision := match.decision) is not None and len(moves) < REHEARSED_MOVES:
                counts: dict[object, int] = {zone: len(cards) for zone, cards in enumerate(match.state.z)}
                counts["piles"] = sum(map(bool, match.state.z))
                counts["known"] = count_known_hidden_cards(match, viewer)
                counts["moves"] = len(decision.moves) if decision.player == viewer else 0
                for part, count in counts.items():
                    most[part] = max(most.get(part, (0, 0, 0)), (count, len(played), len(moves)))
                moves.append(random.randrange(len(decision.moves)))
                match.choose(moves[-1])
    shown = {(seed, at) for _, seed, at in most.values()} | {(1, 0), (1, len(played[0]) - 1)}
    return [
        table
        for seed, moves in enumerate(played, 1)
        for table in replay_match(
            start(game, list(players), seed), moves, {at for number, at in shown if number == seed}, viewer
        )
    ]


def count_known_hidden_cards(match: Match, viewer: str | None) -> int:
    """Return how many cards of a pile that the viewer can't look into they know."""
    if viewer is None:
        return 0
    state, sees, bit = match.state, match.program.layout.sees, 1 << match.players.index(viewer)
    hidden = (cards for pile, cards in enumerate(state.z) if not sees[pile] & bit)
    return max((sum(1 for card in cards if state.known[card] & bit) for cards in hidden), default=0)


def replay_match(match: Match, moves: Sequence[int], shown: Collection[int], viewer: str | None) -> Iterator[Table]:
    """Yield the tables of a match after the numbers of moves in `shown`."""
    for at in range(max(shown, default=-1) + 1):
        if at in shown:
            yield evolve(match.table(viewer), since=(), earlier=(), moments=())
        match.choose(moves[at])
