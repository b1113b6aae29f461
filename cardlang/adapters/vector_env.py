"""Gymnasium adapter: a vector environment of many matches."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from cardlang.adapters import AdapterError, import_optional
from cardlang.adapters.game_encoding import ActionSpace
from cardlang.adapters.match_batch import MatchBatch
from interpreter.gametree.tree_node import TreeContext
from interpreter.native.compilers import COMPILER_TYPES
from interpreter.runtime.rng import MIX2, derive_first_state

numpy: Any = import_optional("numpy", "ai")
COMPILERS_BY_ENGINE: dict[str, Sequence[str]] = {"auto": COMPILER_TYPES, "native": COMPILER_TYPES, "python": ()}
SEED_LIMIT = 1 << 63
"""Exclusive upper bound of seeds. Each match has its own, and they count up."""
StepResult = tuple[Any, Any, Any, Any, dict[str, Any]]


class VectorEnv:
    """Matches of a game that are played in parallel, like the vector environments of Gymnasium.

    Each match has a current player; `infos["player"]` has the seats. An observation is that player's view, and an
    action is that player's move. You choose the actions of all players. `reset` and `step` reuse their arrays, so copy
    them to keep them.

    Attributes:
        num_envs: Number of matches.
        players: Names of the players in seat order.
        num_actions: Number of different actions.
        observation_size: Numbers in an observation.
        engine: `native` or `python`.
        why_python: Reason that the native engine is not used."""

    def __init__(self, batch: MatchBatch, seed: int) -> None:
        self.seed, self.step_count, self.has_started, self.closed = check_seed(seed), 0, False, False
        self.batch, self.num_envs = batch, batch.count
        self.players = batch.names.players
        self.num_actions: int = batch.actions.count
        self.observation_size = batch.observation_encoder.size
        self.engine = "python" if batch.native_functions is None else "native"
        self.why_python = batch.python_reason

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Restart all matches.

        Args:
            seed: Random seed of the first match. Match i has `seed` + i, the next one in its place `seed` + i +
                `num_envs`, and so on. If None, continues with unused seeds.
            options: Ignored.

        Returns:
            Observations, float32 of shape (num_envs, observation_size), and `infos`: `player`, int32 of shape
                (num_envs,), the seat of the current player; `action_mask`, uint8 of shape (num_envs, num_actions),
                1 for a legal action.

        Raises:
            TypeError: The seed is not an integer.
            ValueError: The seed is out of range.
            RuleError: A rule fails.
        """
        self.check_open()
        if seed is not None:
            self.seed = check_seed(seed)
        elif self.has_started:
            self.seed = (int(self.batch.seeds.max()) + 1) % SEED_LIMIT
        self.batch.restart_matches(self.seed)
        self.has_started = True
        return self.batch.observations, self.build_infos()

    def step(self, actions: Any) -> StepResult:
        """Make a move in each match.

        The next match starts as soon as one ends. Its first decision is observed immediately.

        Args:
            actions: Integers of shape (num_envs,), each legal in its match.

        Returns:
            Observations and `infos` as from `reset`, with between them: rewards, float32 of shape (num_envs,
                players), the gain of each seat in a match that has just ended, else 0; terminations, bool of shape
                (num_envs,), whether a match has ended; truncations, whether it was stopped at the move limit.

        Raises:
            ValueError: An action is illegal. No match advances.
        """
        self.check_open()
        if not self.has_started:
            raise ValueError("Call reset first.")
        wrong = self.batch.find_action_codes(numbers := self.check_actions(actions))
        if wrong is not None:
            player = self.players[int(self.batch.current_seats[wrong])]
            raise ValueError(f"Action {int(numbers[wrong])} is illegal for {player} in match {wrong}. See action_mask.")
        self.batch.advance_matches()
        self.step_count += 1
        flags = self.batch.terminations.view(bool), self.batch.truncations.view(bool)
        return self.batch.observations, self.batch.rewards, *flags, self.build_infos()

    def build_infos(self) -> dict[str, Any]:
        return {"player": self.batch.current_seats, "action_mask": self.batch.action_masks}

    def random_actions(self) -> Any:
        """Return a random legal action for each match. It is the same for the same seed and number of steps."""
        self.check_open()
        if not self.has_started:
            raise ValueError("Call reset first.")
        return self.batch.choose_random_actions(
            derive_first_state(derive_first_state(self.seed, MIX2) ^ self.step_count, MIX2)
        )

    def check_actions(self, actions: Any) -> Any:
        """Return actions as an int64 array. Raise ValueError or TypeError if they are malformed."""
        given = numpy.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"Actions must have the shape ({self.num_envs},), not {given.shape}.")
        if given.dtype.kind not in "iu":
            raise TypeError(f"Actions must be whole numbers, not {given.dtype}.")
        return numpy.ascontiguousarray(given, numpy.int64)

    def check_open(self) -> None:
        if self.closed:
            raise ValueError("This environment is closed.")

    def close(self) -> None:
        """Free the memory. You can close an environment twice."""
        self.closed = True
        self.__dict__.pop("batch", None)

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: TracebackType | None) -> None:
        self.close()


def create_batch(table: TreeContext[ActionSpace], count: int, engine: str, move_limit: int) -> MatchBatch:
    """Create a batch. Raise the errors that `cardlang.vector` documents."""
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"The number of matches must be a whole number, not {count!r}.")
    if count < 1:
        raise ValueError(f"The number of matches must be at least 1, not {count}.")
    if engine not in COMPILERS_BY_ENGINE:
        raise ValueError(f"There is no engine `{engine}`: choose {', '.join(COMPILERS_BY_ENGINE)}.")
    if move_limit < 1:
        raise AdapterError("longest must be at least 1.")
    rows = MatchBatch(table, count, move_limit, COMPILERS_BY_ENGINE[engine])
    if engine == "native" and rows.native_functions is None:
        raise AdapterError(f"There is no native engine: {rows.python_reason}.")
    return rows


def check_seed(seed: object) -> int:
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"A seed must be a whole number, not {seed!r}.")
    number = int(seed.__index__())
    if not 0 <= number < SEED_LIMIT:
        raise ValueError("A seed must be from 0 to 2**63 - 1.")
    return number
