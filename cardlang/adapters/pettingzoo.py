"""PettingZoo adapter: environments with one agent per player.

    env = pettingzoo.env("hearts", players=4)

An observation is a dictionary. `observation` is the agent's view as numbers (see `ObservationEncoder`), and
`action_mask` marks the agent's legal moves. Rewards come at the end; until then, all are 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardlang.adapters import AdapterError, import_optional
from cardlang.adapters.game_encoding import ActionSpace, ObservationEncoder, table
from cardlang.model import Game
from interpreter.gametree.tree_node import TreeContext
from interpreter.match.match import MAX_DECISIONS, Match, start
from interpreter.narration.decision_text import format_moves

import_optional("pettingzoo", "pettingzoo")
numpy: Any = import_optional("numpy", "pettingzoo")
spaces: Any = import_optional("gymnasium.spaces", "pettingzoo")
AECEnv: Any = import_optional("pettingzoo.utils.env", "pettingzoo").AECEnv


def env(game: Game | str | Path, *, longest: int = MAX_DECISIONS, **settings: Any) -> PettingZooEnv:
    """Return a game as an AEC environment of PettingZoo.

    Args:
        game: A game, a file, or the name of a bundled game.
        longest: Move limit: decisions in a match before it is truncated.
        **settings: As in `cardlang.adapters.game_encoding.table`.

    Raises:
        AdapterError: The game cannot be represented.
        GameError: The file has errors.
    """
    if longest < 1:
        raise AdapterError("longest must be at least 1.")
    return PettingZooEnv(table(game, **settings), longest)


class PettingZooEnv(AECEnv):
    """AEC environment of a game. The agents are named after its players. `match` is the current match."""

    def __init__(self, table: TreeContext[ActionSpace], move_limit: int) -> None:
        super().__init__()
        names = table.names
        self.metadata = {"name": names.game.title, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.table = table
        self.move_limit = move_limit
        self.observation_encoder = ObservationEncoder(names)
        self.seed_generator = numpy.random.default_rng()
        self.possible_agents = list(names.players)
        numbers = spaces.Box(-numpy.inf, numpy.inf, (self.observation_encoder.size,), numpy.float64)
        mask = spaces.Box(0, 1, (table.numbering.count,), numpy.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": numbers, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(table.numbering.count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    # ------------------------------------------------------------ play
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match.

        Without a seed, the next one is drawn from the generator seeded last. If a deal leaves no decisions, cards are
        dealt again."""
        if seed is not None:
            self.seed_generator = numpy.random.default_rng(seed)
        self.match: Match = self.start_match()
        while self.match.over:
            self.match = self.start_match()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.update_decision()

    def start_match(self) -> Match:
        names = self.table.names
        return start(names.game, list(names.players), int(self.seed_generator.integers(1 << 62)))

    def update_decision(self) -> None:
        """Update the agent to move and its legal moves, or the results of a finished match."""
        state = self.match.state
        self.move_codes: dict[int, int] = {}
        if self.match.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.match.players, self.table.compute_gains(state), strict=True))
        elif len(self.match.choices) >= self.move_limit:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.match.players[state.who]
            texts = format_moves(self.table.names, state, state.legal)
            self.move_codes = self.table.numbering.map_actions_to_codes(self.table.names, state, texts)

    def step(self, action: int | None) -> None:
        """Make the current agent's move. Raise ValueError if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self.move_codes:
            raise ValueError(f"{action} is illegal for {agent}. See the action mask.")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match.choose(self.match.state.legal.index(self.move_codes[int(action)]))
        self.update_decision()
        self._accumulate_rewards()

    # ------------------------------------------------------------ observations
    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation. Its mask is empty unless the agent is to move."""
        mask = numpy.zeros(self.table.numbering.count, numpy.int8)
        if agent == self.agent_selection:
            mask[list(self.move_codes)] = 1
        return {
            "observation": numpy.array(self.observation_encoder.encode_view(self.match.view(agent))),
            "action_mask": mask,
        }

    def render(self) -> str:
        """Return the public log, as text."""
        view = self.match.view()
        return "\n".join(view.log[-10:])

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
