"""Playouts of one player in a native engine.

Each playout deals the hidden cards again, consistent with the player's knowledge. Then it tries a move and continues
at random.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

from interpreter.native.engine import NO_FAULT, NativeEngine, NativeMemory, serialize_state_with_rng
from interpreter.runtime.state import State

STATISTICS_PER_MOVE = 10
"""Number of statistics of a move: the fields of `Tried` in `playout_search.h`."""


NO_CODE = -1
"""Padding after the codes of a set."""


class NativePlayouts:
    """Playouts of one player, in an engine with search (`build_engine(…, with_search=True)`).

    A match is given by its moves (`record_move`), each with the state before it, and its current state
    (`set_current_state`). The random state is not passed on. The memory is for one thread at a time.
    """

    def __init__(self, engine: NativeEngine) -> None:
        self.engine, self.c_functions = engine, engine.c_functions
        self.observer_memory = NativeMemory(self.c_functions["native_size_of_onlooker"]())
        self.playout_memory = NativeMemory(self.c_functions["native_size_of_trial"]())
        self.policy_memory = NativeMemory(self.c_functions["native_size_of_habits"]())
        self.tree_memory: NativeMemory | None = None
        self.block_count = len(engine.program.blocks)
        self.practised_deals = 0

    def serialize_valid_state(self, state: State) -> ctypes.Array[ctypes.c_int64]:
        """Serialize a state. Raise `ValueError` for a state of another program."""
        if any(not 0 <= frame[0] < self.block_count for frame in state.frames):
            raise ValueError("a state that these rules do not come to")
        numbers = serialize_state_with_rng(state)
        return (ctypes.c_int64 * len(numbers))(*numbers)

    def forget_inferences(self) -> None:
        """Drop all inferences from earlier moves."""
        self.c_functions["native_forget"](self.observer_memory.address)

    def record_move(self, previous_state: State, code: int, is_public: bool, is_independent_of_secrets: bool) -> None:
        """Record a move, for inference.

        is_public: all players know the move, including the cards in it that they see.
        is_independent_of_secrets: the move depended on nothing secret.
        Raise `ValueError` for a state of another program."""
        numbers = self.serialize_valid_state(previous_state)
        self.c_functions["native_saw"](
            self.observer_memory.address, numbers, len(numbers), code, is_public | is_independent_of_secrets << 1
        )

    def set_current_state(self, state: State, seat: int, seed: int) -> None:
        """Set the current state and player. `seed` starts the random numbers from here on.

        Raise `ValueError` for a state that does not fit."""
        engine, numbers = self.engine, self.serialize_valid_state(state)
        if not self.c_functions["native_look"](
            engine.work_memory.address, self.observer_memory.address, numbers, len(numbers), seat, seed
        ):
            raise ValueError("a state that has no room")

    def set_secret_values(self, particles: Sequence[Sequence[int]]) -> None:
        """Set possible values of the secret tracks, for the samples from here on."""
        values = [value for particle in particles for value in particle]
        self.c_functions["native_set_secrets"](
            self.observer_memory.address, (ctypes.c_int64 * len(values))(*values), len(particles)
        )

    def sample_state(self) -> State | None:
        """Return a state consistent with the player's knowledge, with its own random state; None if none is found."""
        state = self.engine.state
        fault = self.c_functions["native_sample"](
            self.engine.work_memory.address, self.observer_memory.address, state.address
        )
        return self.engine.read_state() if fault == NO_FAULT else None

    def sample_likely_state(self) -> State | None:
        """Return a state consistent with the player's knowledge, drawn by the likelihood of the other players'
        moves.

        Call it within a decision, after its playouts."""
        state = self.engine.state
        at = self.engine.work_memory.address, self.observer_memory.address, self.playout_memory.address
        return self.engine.read_state() if self.c_functions["native_likely"](*at, state.address) == NO_FAULT else None

    def begin_playouts(self, seed: int, horizon: int, deal_size: int) -> None:
        """Start the playouts of a decision.

        A playout ends with the match, after `horizon` decisions, or when a new deal has begun and the last one was
        scored. A new deal draws `deal_size` numbers."""
        self.c_functions["native_begin_trial"](
            self.playout_memory.address, self.policy_memory.address, seed, horizon, deal_size
        )

    def practise(self, deals: int) -> None:
        """Train the engine's policy on the first deals of the next `deals` matches, with all players' hands.

        The seeds are fixed, so the policy depends only on the number of deals."""
        engine = self.engine
        if engine.practice_memory is None:
            engine.practice_memory = NativeMemory(self.c_functions["native_size_of_habits"]())
        at = engine.work_memory.address, self.playout_memory.address, engine.practice_memory.address
        self.c_functions["native_practise"](*at, engine.practised_deals, deals)
        engine.practised_deals += deals

    def take_over_practice(self) -> None:
        """Continue with the engine's policy, if it comes from more deals than this one."""
        engine = self.engine
        if engine.practice_memory is not None and self.practised_deals < engine.practised_deals:
            size = self.c_functions["native_size_of_habits"]()
            ctypes.memmove(self.policy_memory.address, engine.practice_memory.address, size)
            self.practised_deals = engine.practised_deals

    def weigh_hands(self, blind_bet_rates: Sequence[float]) -> bool:
        """Weigh the possible hands in betting games by the players' actions. Call it before the playouts.

        blind_bet_rates: for each seat, the probability of a bet without looking at the hand.
        Return whether all players stay in during these playouts: for decisions about a hand other than bets."""
        numbers = (ctypes.c_double * len(blind_bet_rates))(*blind_bet_rates)
        return bool(
            self.c_functions["native_suppose"](
                self.engine.work_memory.address, self.observer_memory.address, self.playout_memory.address, numbers
            )
        )

    def estimate_pot_share(self, rounds: int) -> tuple[float, int]:
        """Estimate the current player's share of the pot if all players stay in to the end, over `rounds` samples.

        Return the share and the number of samples played."""
        room = (ctypes.c_double * 2)()
        at = self.engine.work_memory.address, self.observer_memory.address, self.playout_memory.address
        self.c_functions["native_stay"](*at, rounds, room)
        return room[0], int(room[1])

    def run_playouts(self, moves: Sequence[Sequence[int]], statistic_indexes: Sequence[int], rounds: int) -> int:
        """Run a playout of each move in each of `rounds` samples, and return the number of samples played.

        moves: for each move, its index among the legal ones, then the codes of later picks, if it is a set.
        statistic_indexes: for each of them, the index of its statistics."""
        width = max(map(len, moves)) - 1
        rest = [code for _, *codes in moves for code in (*codes, *[NO_CODE] * (width - len(codes)))]
        numbers = [*(move[0] for move in moves), *statistic_indexes, width, *rest]
        at = self.engine.work_memory.address, self.observer_memory.address, self.playout_memory.address
        played: int = self.c_functions["native_try"](*at, (ctypes.c_int64 * len(numbers))(*numbers), len(moves), rounds)
        return played

    def start_tree(self) -> None:
        """Start a tree search of the decision, after each move has been tried."""
        if self.tree_memory is None:
            self.tree_memory = NativeMemory(self.c_functions["native_size_of_tree"]())
        self.c_functions["native_plant"](self.tree_memory.address, self.playout_memory.address)

    def grow_tree(self, moves: Sequence[int], playout_count: int, exploration_weight: float) -> int:
        """Run playouts by tree search; each one extends the tree. Return the number played.

        moves: the root moves, whose results are counted at their indices.
        exploration_weight: the exploration weight."""
        assert self.tree_memory is not None
        places = (ctypes.c_int64 * (2 * len(moves)))(*moves, *range(len(moves)))
        at = (
            self.engine.work_memory.address,
            self.observer_memory.address,
            self.playout_memory.address,
            self.tree_memory.address,
        )
        played: int = self.c_functions["native_grow"](
            *at, places, len(moves), playout_count, round(1000 * exploration_weight)
        )
        return played

    def estimate_leads(self, moves: Sequence[int]) -> list[list[float]]:
        """Return, for each move, the expected lead, its variance, and the number of playouts it comes from.

        The estimates come from playouts of similar moves in earlier decisions."""
        room, places = (ctypes.c_double * (3 * len(moves)))(), (ctypes.c_int64 * len(moves))(*moves)
        at = self.engine.work_memory.address, self.observer_memory.address, self.playout_memory.address
        self.c_functions["native_expected"](*at, places, len(moves), room)
        return [room[at : at + 3] for at in range(0, 3 * len(moves), 3)]

    def classify_unknown_plays(self, moves: Sequence[int]) -> list[int]:
        """Classify moves with a card unknown to the player in cooperative games.

        Return 0 if a move never gains, for any possible card, 1 if it may, 2 if it always does. Other moves give 0."""
        room, places = (ctypes.c_int64 * len(moves))(), (ctypes.c_int64 * len(moves))(*moves)
        at = self.engine.work_memory.address, self.observer_memory.address, self.playout_memory.address
        self.c_functions["native_how_often"](*at, places, len(moves), room)
        return list(room)

    def read_statistics(self, count: int) -> tuple[list[list[float]], float, float]:
        """Return the statistics of the first moves, the largest lead or deficit, and the largest gain or loss.

        The statistics of a move are the fields of `Tried` in `playout_search.h`, from `games` to `lost`.
        """
        room = (ctypes.c_double * (count * STATISTICS_PER_MOVE + 2))()
        self.c_functions["native_tried"](self.playout_memory.address, room, count)
        rows = [
            room[at : at + STATISTICS_PER_MOVE] for at in range(0, count * STATISTICS_PER_MOVE, STATISTICS_PER_MOVE)
        ]
        return rows, room[count * STATISTICS_PER_MOVE], room[count * STATISTICS_PER_MOVE + 1]
