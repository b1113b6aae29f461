"""Many matches at once for those who train players: `cardlang.vector`."""

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
"""Seeds are below this: each match has one, and they count up."""
Step = tuple[Any, Any, Any, Any, dict[str, Any]]


class VectorEnv:
    """`num_envs` matches of a game, stepped together, in the form of Gymnasium's vector environments.

    In each match one player is asked at a time: `infos["player"]` says who. An observation is what that player
    knows, and an action is a move of that player. What others do is up to the caller, who chooses for all.

    num_envs: how many matches; players: their names by seat; num_actions: actions are the numbers below;
    observation_size: so many numbers has an observation; engine: `native` or `python`, and why_python: why.
    The arrays that `reset` and `step` give back are written anew by the next call: copy what is kept."""

    def __init__(self, rows: Rows, seed: int) -> None:
        self.seed, self.steps, self.begun, self.closed = checked_seed(seed), 0, False, False
        self.rows, self.num_envs = rows, rows.count
        self.players = rows.names.players
        self.num_actions: int = rows.actions.count
        self.observation_size = rows.features.size
        self.engine = "python" if rows.call is None else "native"
        self.why_python = rows.reason

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins all matches anew: match i has the seed `seed` + i, the match after it `seed` + i + num_envs, and so
        on. Without a seed it goes on with seeds that were not used yet. `options`: nothing can be chosen.

        Gives observations, float32 of shape (num_envs, observation_size), and `infos`:
        - `player`: int32 of shape (num_envs,), the seat of who is asked
        - `action_mask`: uint8 of shape (num_envs, num_actions), 1 where an action is open

        Raises TypeError and ValueError for a seed that is none, `interpreter.errors.RuleError` where the rules cannot
        be carried out."""
        self.check_open()
        if seed is not None:
            self.seed = checked_seed(seed)
        elif self.begun:
            self.seed = (int(self.rows.seeds.max()) + 1) % SEEDS
        self.rows.begin(self.seed)
        self.begun = True
        return self.rows.seen, self.infos()

    def step(self, actions: Any) -> Step:
        """Makes a move in each match. `actions`: whole numbers of shape (num_envs,), each open in its match.

        Gives observations, as `reset` does, for the decisions that come then;
        rewards, float32 of shape (num_envs, players): what each seat has gained in a match that has ended now, else 0;
        terminations, bool of shape (num_envs,): whether the match has ended;
        truncations: whether it was given up, as it was too long;
        and `infos`, as `reset` does. A match that is over is followed by the next one at once: what is observed
        then is its first decision.

        Raises ValueError for an action that is not open: then no move was made in any match."""
        self.check_open()
        if not self.begun:
            raise ValueError("Nothing has begun: call reset first.")
        wrong = self.rows.codes_of(numbers := self.checked(actions))
        if wrong is not None:
            player = self.players[int(self.rows.asked[wrong])]
            raise ValueError(f"Action {int(numbers[wrong])} is not open to {player} in match {wrong}: see action_mask.")
        self.rows.go_on()
        self.steps += 1
        rows = self.rows
        return rows.seen, rows.gained, rows.ended.view(bool), rows.cut.view(bool), self.infos()

    def infos(self) -> dict[str, Any]:
        return {"player": self.rows.asked, "action_mask": self.rows.open}

    def random_actions(self) -> Any:
        """An action for each match that is open there, each equally likely. The same for the same seed and steps."""
        self.check_open()
        if not self.begun:
            raise ValueError("Nothing has begun: call reset first.")
        return self.rows.random_numbers(first_state(first_state(self.seed, MIX2) ^ self.steps, MIX2))

    def checked(self, actions: Any) -> Any:
        """As int64. Raises ValueError, TypeError."""
        given = numpy.asarray(actions)
        if given.shape != (self.num_envs,):
            raise ValueError(f"Actions have the shape ({self.num_envs},), not {given.shape}.")
        if given.dtype.kind not in "iu":
            raise TypeError(f"Actions are whole numbers, not {given.dtype}.")
        return numpy.ascontiguousarray(given, numpy.int64)

    def check_open(self) -> None:
        if self.closed:
            raise ValueError("It is closed.")

    def close(self) -> None:
        """Gives the memory back. Closing it twice is no fault."""
        self.closed = True
        self.__dict__.pop("rows", None)

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: object, trace: TracebackType | None) -> None:
        self.close()


def rows_of(table: Table[Actions], count: int, engine: str, longest: int) -> Rows:
    """Raises what `cardlang.vector` does."""
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"The number of matches is a whole number, not {count!r}.")
    if count < 1:
        raise ValueError(f"There is at least one match, not {count}.")
    if engine not in ENGINES:
        raise ValueError(f"There is no engine `{engine}`: choose {', '.join(ENGINES)}.")
    if longest < 1:
        raise AdapterError("A match takes at least one decision: longest=1 or more.")
    rows = Rows(table, count, longest, ENGINES[engine])
    if engine == "native" and rows.call is None:
        raise AdapterError(f"There is no machine code: {rows.reason}.")
    return rows


def checked_seed(seed: object) -> int:
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise TypeError(f"A seed is a whole number, not {seed!r}.")
    number = int(seed.__index__())
    if not 0 <= number < SEEDS:
        raise ValueError("A seed is from 0 to 2**63 - 1.")
    return number
