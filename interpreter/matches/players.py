"""Players that are not people. Each decides for the player who is asked; chance comes from a stream of its
own."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Protocol

from interpreter.errors import MoveError, RuleError
from interpreter.matches.match import Match
from interpreter.matches.parsing import meant, words_of


class Player(Protocol):
    """Whoever can decide."""

    def choose(self, match: Match) -> int:
        """The index of a move of the match's decision."""


class RandomPlayer:
    """Every move is equally likely."""

    def __init__(self, seed: int = 0) -> None:
        self.random = Random(f"random player {seed}")

    def choose(self, match: Match) -> int:
        return self.random.randrange(len(match.state.legal))


class ScriptedPlayer:
    """Makes the moves of a list, one after another, given by their printed forms. Raises MoveError where one
    does not fit, and when none is left."""

    def __init__(self, moves: Iterable[str]) -> None:
        self.moves = list(moves)

    def choose(self, match: Match) -> int:
        if match.decision is None or not self.moves:
            raise MoveError("The script has no more moves.")
        text = self.moves.pop(0)
        found = meant(words_of(text), match.decision.moves.texts)
        if len(found) != 1:
            raise MoveError(match.why_not(text) or f"{text} could be several moves.")
        return found[0]


class RolloutPlayer:
    """Tries every move in matches that could be the real one, plays on at random, and takes the move that
    ends best.

    `playouts`: so many matches for each move. `candidates`: of more moves only so many are tried. `horizon`:
    a playout is judged as it stands after so many decisions. Uses nothing but `match.sample`.
    """

    def __init__(self, seed: int = 0, playouts: int = 8, candidates: int = 24, horizon: int = 400) -> None:
        self.random = Random(f"rollout player {seed}")
        self.playouts = playouts
        self.candidates = candidates
        self.horizon = horizon

    def choose(self, match: Match) -> int:
        decision = match.decision
        if decision is None:
            raise MoveError("The match is over.")
        moves = self.some(len(decision.moves))
        if len(moves) == 1:
            return moves[0]
        worth = dict.fromkeys(moves, 0.0)
        for _ in range(self.playouts):
            sample = match.sample(decision.seat, self.random.getrandbits(63))
            for move in moves:
                worth[move] += self.outcome(sample, move, decision.seat)
        return max(moves, key=lambda move: worth[move])

    def some(self, count: int) -> list[int]:
        if count <= self.candidates:
            return list(range(count))
        return sorted(self.random.sample(range(count), self.candidates))

    def outcome(self, sample: Match, move: int, seat: int) -> float:
        """From 0 for the last place to 1 for the first."""
        program, state = sample.program, sample.program.clone(sample.state)
        try:
            program.apply(state, state.legal[move])
            for _ in range(self.horizon):
                if state.who < 0:
                    break
                program.apply(state, state.legal[self.random.randrange(len(state.legal))])
        except RuleError:
            return 0.5
        places = program.places(state)
        equal = places.count(places[seat])
        others = len(places) - 1
        return 1 - (places[seat] - 1 + (equal - 1) / 2) / others if others else standing(program.scores(state)[seat])


def standing(score: object) -> float:
    """What a score is worth to a player without opponents: more is better, from 0 to 1."""
    value = float(score) if isinstance(score, int | float) else 0.0
    return 0.5 + value / (2 * (1 + abs(value)))
