"""Run playouts natively: determinization, search and statistics of moves.

Hidden cards are dealt again, consistent with a player's knowledge; then moves are tried and play continues at
random."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from interpreter.native.engine import NOTHING, Engine, Memory
from interpreter.native.states import without_chance
from interpreter.state import State

MOST = 64
"""Maximum number of moves tried: `TRIED` in `c/trying.h`."""
COUNTED = 10
"""Number of statistics of a move: the fields of `Tried` in `c/trying.h`."""


class Trials:
    """Playouts of one player, in an engine with search (`engine_of(…, trying=True)`).

    A match is given by its moves (`saw`), each with the state before it, and its current state (`look`). The random
    state is not passed on. The memory is for one thread at a time."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.call = engine, engine.call
        self.onlooker = Memory(self.call["native_size_of_onlooker"]())
        self.trial = Memory(self.call["native_size_of_trial"]())
        self.habits = Memory(self.call["native_size_of_habits"]())
        self.tree: Memory | None = None
        self.blocks = len(engine.program.blocks)
        self.kept = self.practised = 0

    def numbers(self, state: State) -> ctypes.Array[ctypes.c_int64]:
        """Serialize a state. Raise `ValueError` for a state of another program."""
        if any(not 0 <= frame[0] < self.blocks for frame in state.frames):
            raise ValueError("a state that these rules do not come to")
        numbers = without_chance(state)
        return (ctypes.c_int64 * len(numbers))(*numbers)

    def forget(self) -> None:
        """Drop all inferences from earlier moves."""
        self.kept = self.call["native_forget"](self.onlooker.at)

    def saw(self, before: State, code: int, told: bool, telling: bool) -> None:
        """Record a move, for inference.

        told: all players know the move, including the cards in it that they see.
        telling: the move depended on nothing secret.
        Raise `ValueError` for a state of another program."""
        numbers = self.numbers(before)
        self.kept = self.call["native_saw"](self.onlooker.at, numbers, len(numbers), code, told | telling << 1)

    def look(self, state: State, seat: int, seed: int) -> None:
        """Set the current state and player. `seed` starts the random numbers from here on.

        Raise `ValueError` for a state that does not fit."""
        engine, numbers = self.engine, self.numbers(state)
        if not self.call["native_look"](engine.work.at, self.onlooker.at, numbers, len(numbers), seat, seed):
            raise ValueError("a state that has no room")

    def sample(self) -> State | None:
        """Return a state consistent with the player's knowledge, with its own random state; None if none is found."""
        state = self.engine.state
        fault = self.call["native_sample"](self.engine.work.at, self.onlooker.at, state.at)
        return self.engine.store() if fault == NOTHING else None

    def likely(self) -> State | None:
        """Return a state consistent with the player's knowledge, drawn by the likelihood of the other players'
        moves.

        Call it within a decision, after its playouts."""
        state = self.engine.state
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        return self.engine.store() if self.call["native_likely"](*at, state.at) == NOTHING else None

    def begin(self, seed: int, horizon: int, deal: int) -> None:
        """Start the playouts of a decision.

        A playout ends with the match, after `horizon` decisions, or when a new deal has begun and the last one was
        scored. A new deal draws `deal` numbers."""
        self.call["native_begin_trial"](self.trial.at, self.habits.at, seed, horizon, deal)

    def practise(self, deals: int) -> int:
        """Play the first deals of `deals` matches by learned habits, which learn from all players' hands. Return the
        number played."""
        played: int = self.call["native_practise"](self.engine.work.at, self.trial.at, deals)
        self.practised += deals
        return played

    def suppose(self, wild: Sequence[float]) -> bool:
        """Weigh the possible hands in betting games by the players' actions. Call it before the playouts.

        wild: for each seat, the probability of a bet without looking at the hand.
        Return whether all players stay in during these playouts: for decisions about a hand other than bets."""
        numbers = (ctypes.c_double * len(wild))(*wild)
        return bool(self.call["native_suppose"](self.engine.work.at, self.onlooker.at, self.trial.at, numbers))

    def stay(self, rounds: int) -> tuple[float, int]:
        """Estimate the current player's share of the pot if all players stay in to the end, over `rounds` samples.

        Return the share and the number of samples played."""
        room = (ctypes.c_double * 2)()
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        self.call["native_stay"](*at, rounds, room)
        return room[0], int(room[1])

    def run(self, moves: Sequence[int], counted: Sequence[int], rounds: int) -> int:
        """Run a playout of each move in each of `rounds` samples, and return the number of samples played.

        moves: indices among the legal moves.
        counted: for each of them, the index of its statistics."""
        places = (ctypes.c_int64 * (2 * len(moves)))(*moves, *counted)
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        played: int = self.call["native_try"](*at, places, len(moves), rounds)
        return played

    def plant(self) -> None:
        """Start a tree search of the decision, after each move has been tried."""
        if self.tree is None:
            self.tree = Memory(self.call["native_size_of_tree"]())
        self.call["native_plant"](self.tree.at, self.trial.at)

    def grow(self, moves: Sequence[int], games: int, eager: float) -> int:
        """Run playouts by tree search; each one extends the tree. Return the number played.

        moves: the root moves, whose results are counted at their indices.
        eager: the exploration weight."""
        assert self.tree is not None
        places = (ctypes.c_int64 * (2 * len(moves)))(*moves, *range(len(moves)))
        at = self.engine.work.at, self.onlooker.at, self.trial.at, self.tree.at
        played: int = self.call["native_grow"](*at, places, len(moves), games, round(1000 * eager))
        return played

    def expected(self, moves: Sequence[int]) -> list[list[float]]:
        """Return, for each move, the expected lead, its variance, and the number of playouts it comes from.

        The estimates come from playouts of similar moves in earlier decisions."""
        room, places = (ctypes.c_double * (3 * len(moves)))(), (ctypes.c_int64 * len(moves))(*moves)
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        self.call["native_expected"](*at, places, len(moves), room)
        return [room[at : at + 3] for at in range(0, 3 * len(moves), 3)]

    def how_often(self, moves: Sequence[int]) -> list[int]:
        """Classify moves with a card unknown to the player in cooperative games.

        Return 0 if a move never gains, for any possible card, 1 if it may, 2 if it always does. Other moves give 0."""
        room, places = (ctypes.c_int64 * len(moves))(), (ctypes.c_int64 * len(moves))(*moves)
        at = self.engine.work.at, self.onlooker.at, self.trial.at
        self.call["native_how_often"](*at, places, len(moves), room)
        return list(room)

    def counted(self, count: int) -> tuple[list[list[float]], float, float]:
        """Return the statistics of the first moves: the fields of `interpreter.players.outcomes.Tried`, from `games`
        to `lost`.

        They are followed by the largest lead or lag, and the largest gain or loss."""
        room = (ctypes.c_double * (count * COUNTED + 2))()
        self.call["native_tried"](self.trial.at, room, count)
        rows = [room[at : at + COUNTED] for at in range(0, count * COUNTED, COUNTED)]
        return rows, room[count * COUNTED], room[count * COUNTED + 1]
