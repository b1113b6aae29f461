"""PettingZoo environments, in which agents take turns (AEC).

    env = pettingzoo.env("hearts", players=4)

An observation is a dictionary. `observation` is the agent's view as numbers (see `Features`), and `action_mask` marks
the agent's legal moves. Rewards come at the end; until then, all are 0."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cardlang.adapters import AdapterError, optional
from cardlang.adapters.actions import Actions
from cardlang.adapters.features import Features
from cardlang.adapters.setting import table
from cardlang.game import Game
from interpreter.matches.match import MAX_DECISIONS, Match, start
from interpreter.matches.moves import printed
from interpreter.trees.point import Table

optional("pettingzoo", "pettingzoo")
numpy: Any = optional("numpy", "pettingzoo")
spaces: Any = optional("gymnasium.spaces", "pettingzoo")
AECEnv: Any = optional("pettingzoo.utils.env", "pettingzoo").AECEnv


def env(game: Game | str | Path, *, longest: int = MAX_DECISIONS, **settings: Any) -> CardEnv:
    """Return a game as an AEC environment of PettingZoo.

    Args:
        game: A game, a file, or the name of a bundled game.
        longest: Move limit: decisions in a match before it is truncated.
        **settings: As in `cardlang.adapters.setting.table`.

    Raises:
        AdapterError: The game cannot be represented.
        GameError: The file has errors.
    """
    if longest < 1:
        raise AdapterError("longest must be at least 1.")
    return CardEnv(table(game, **settings), longest)


class CardEnv(AECEnv):
    """AEC environment of a game. The agents are named after its players. `match` is the current match."""

    def __init__(self, table: Table[Actions], longest: int) -> None:
        super().__init__()
        names = table.names
        self.metadata = {"name": names.game.title, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = "ansi"
        self.table = table
        self.longest = longest
        self.features = Features(names)
        self.seeds = numpy.random.default_rng()
        self.possible_agents = list(names.players)
        numbers = spaces.Box(-numpy.inf, numpy.inf, (self.features.size,), numpy.float64)
        mask = spaces.Box(0, 1, (table.actions.count,), numpy.int8)
        self.observation_spaces = {
            agent: spaces.Dict({"observation": numbers, "action_mask": mask}) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(table.actions.count) for agent in self.possible_agents}

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
            self.seeds = numpy.random.default_rng(seed)
        self.match: Match = self.deal()
        while self.match.over:
            self.match = self.deal()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.ask()

    def deal(self) -> Match:
        names = self.table.names
        return start(names.game, list(names.players), int(self.seeds.integers(1 << 62)))

    def ask(self) -> None:
        """Update the agent to move and its legal moves, or the results of a finished match."""
        state = self.match.state
        self.codes: dict[int, int] = {}
        if self.match.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.match.players, self.table.gains(state), strict=True))
        elif len(self.match.choices) >= self.longest:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.match.players[state.who]
            texts = printed(self.table.names, state, state.legal)
            self.codes = self.table.actions.of(self.table.names, state, texts)

    def step(self, action: int | None) -> None:
        """Make the current agent's move. Raise ValueError if it is illegal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or int(action) not in self.codes:
            raise ValueError(f"{action} is illegal for {agent}. See the action mask.")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.match.choose(self.match.state.legal.index(self.codes[int(action)]))
        self.ask()
        self._accumulate_rewards()

    # ------------------------------------------------------------ observations
    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation. Its mask is empty unless the agent is to move."""
        mask = numpy.zeros(self.table.actions.count, numpy.int8)
        if agent == self.agent_selection:
            mask[list(self.codes)] = 1
        return {"observation": numpy.array(self.features.of(self.match.view(agent))), "action_mask": mask}

    def render(self) -> str:
        """Return the public log, as text."""
        view = self.match.view()
        return "\n".join(view.log[-10:])

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
