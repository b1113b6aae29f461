"""Batched environment for reinforcement learning: `cardlang.vector`."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any

from cardlang.adapters import AdapterError, optional
from cardlang.adapters.actions import Actions
from cardlang.adapters.rows import Rows
from interpreter.chance import MIX2, first_state
from interpreter.native.compilers import MAKERS
from interpreter.trees.point import Table

numpy: Any = optional("numpy", "ai")

ENGINES: dict[str, Sequence[str]] = {"auto": MAKERS, "native": MAKERS, "python": ()}
SEEDS = 1 << 63
"""Exclusive upper bound of seeds. Each match has its own, and they count up."""
Step = tuple[Any, Any, Any, Any, dict[str, Any]]


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

    def __init__(self, rows: Rows, seed: int) -> None:
        self.seed, self.steps, self.begun, self.closed = checked_seed(seed), 0, False, False
        self.rows, self.num_envs = rows, rows.count
        self.players = rows.names.players
        self.num_actions: int = rows.actions.count
        self.observation_size = rows.features.size
        self.engine = "python" if rows.call is None else "native"
        self.why_python = rows.reason

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
            self.seed = checked_seed(seed)
        elif self.begun:
            self.seed = (int(self.rows.seeds.max()) + 1) % SEEDS
        self.rows.begin(self.seed)
        self.begun = True
        return self.rows.seen, self.infos()

    def step(self, actions: Any) -> Step:
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
        if not self.begun:
            raise ValueError("Call reset first.")
        wrong = self.rows.codes_of(numbers := self.checked(actions))
        if wrong is not None:
            player = self.players[int(self.rows.asked[wrong])]
            raise ValueError(f"Action {int(numbers[wrong])} is illegal for {player} in match {wrong}. See action_mask.")
        self.rows.go_on()
        self.steps += 1
        rows = self.rows
        return rows.seen, rows.gained, rows.ended.view(bool), rows.cut.view(bool), self.infos()

    def infos(self) -> dict[str, Any]:
        return {"player": self.rows.asked, "action_mask": self.rows.open}

    def random_actions(self) -> Any:
        """Return a random legal action for each match. It is the same for the same seed and number of steps."""
        self.check_open()
        if not self.begun:
            raise ValueError("Call reset first.")
        return self.rows.random_numbers(first_state(first_state(self.seed, MIX2) ^ self.steps, MIX2))

    def checked(self, actions: Any) -> Any:
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
        self.__dict__.pop("rows", None)

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: TracebackType | None) -> None:
        self.close()


def rows_of(table: Table[Actions], count: int, engine: str, longest: int) -> Rows:
    """Create a batch. Raise the errors that `cardlang.vector` documents."""
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"The number of matches must be a whole number, not {count!r}.")
    if count < 1:
        raise ValueError(f"The number of matches must be at least 1, not {count}.")
    if engine not in ENGINES:
        raise ValueError(f"There is no engine `{engine}`: choose {', '.join(ENGINES)}.")
    if longest < 1:
        raise AdapterError("longest must be at least 1.")
    rows = Rows(table, count, longest, ENGINES[engine])
    if engine == "native" and rows.call is None:
        raise AdapterError(f"There is no native engine: {rows.reason}.")
    return rows


def checked_seed(seed: object) -> int:
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"A seed must be a whole number, not {seed!r}.")
    number = int(seed.__index__())
    if not 0 <= number < SEEDS:
        raise ValueError("A seed must be from 0 to 2**63 - 1.")
    return number
