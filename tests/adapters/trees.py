"""Small games enumerated in full, by cardlang and by OpenSpiel."""

from collections import Counter
from pathlib import Path
from typing import Any

import pyspiel

from cardlang.adapters import openspiel

GAMES = Path(__file__).parent / "games"
GOOFSPIEL = "goofspiel(num_cards={},returns_type=total_points)"
KNOWN = {
    "kuhn_2": ("kuhn_poker", (24, 30, {0: 6, 1: 6})),
    "kuhn_3": ("kuhn_poker(players=3)", (288, 312, {0: 16, 1: 16, 2: 16})),
    "leduc": ("leduc_poker", (3780, 5520, {0: 468, 1: 468})),
    "goofspiel_3": (GOOFSPIEL.format(3), (174, 216, {0: 57, 1: 57})),
    "goofspiel_4": (GOOFSPIEL.format(4), (11156, 13824, {0: 3652, 1: 3652})),
}
"""By our game: OpenSpiel's, and the counts of `Tree`. Of Goofspiel with four cards a player who sees all bids can know
4 + 4 * 16 * 3 + 4 * 16 * 3 * 9 * 2 = 3652 different things; there 3028, as its strings forget in which order the
other has bid."""


def load(name: str, **settings: Any) -> Any:
    return openspiel.load_game(str(GAMES / f"{name}.cardgame"), **settings)


def load_openspiel_game(name: str) -> Any:
    """Return OpenSpiel's game with its players in turn."""
    game = pyspiel.load_game(KNOWN[name][0])
    simultaneous = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if simultaneous else game


class Tree:
    """A game enumerated in full: `decisions`, histories after which somebody chooses between several moves; `ends`,
    those that end the game; `known`, what each player can know at a decision; `returns`, how likely chance makes the
    ends with these returns, summed over all moves."""

    def __init__(self, game: Any) -> None:
        self.decisions = self.ends = 0
        self.known: dict[int, set[str]] = {}
        self.returns: Counter[tuple[float, ...]] = Counter()
        self.visit(game.new_initial_state(), 1.0)

    def visit(self, state: Any, chance: float) -> None:
        if state.is_terminal():
            self.ends += 1
            self.returns[tuple(state.returns())] += chance
        elif state.is_chance_node():
            for outcome, likely in state.chance_outcomes():
                self.visit(state.child(outcome), chance * likely)
        else:
            self.decide(state, chance)

    def decide(self, state: Any, chance: float) -> None:
        moves = state.legal_actions()
        if len(moves) > 1:
            self.decisions += 1
            self.known.setdefault(state.current_player(), set()).add(state.information_state_string())
        for move in moves:
            self.visit(state.child(move), chance)

    @property
    def counts(self) -> tuple[int, int, dict[int, int]]:
        return self.decisions, self.ends, {player: len(known) for player, known in sorted(self.known.items())}
