"""OpenSpiel games, for its algorithms: enumeration, solvers and learning.

    game = openspiel.load_game("kuhn_poker", largest_number=1)      # a pyspiel.Game
    game = pyspiel.load_game("cardlang(file=hearts,players=4)")     # the same through OpenSpiel's registry

Chance is a player, as usual in OpenSpiel. A shuffled card is drawn when it first matters, so cards that stay hidden
don't multiply the histories. Players who choose simultaneously act in turn, without seeing each other's choice."""

from __future__ import annotations

from typing import Any

from cardlang.adapters import AdapterError, optional
from cardlang.adapters.features import Features
from cardlang.adapters.setting import named_table
from interpreter.matches.match import MAX_DECISIONS
from interpreter.trees.point import Point

pyspiel: Any = optional("pyspiel", "openspiel")
numpy: Any = optional("numpy", "openspiel")

NAME = "cardlang"
MOST_PLAYERS = 12
DEFAULTS: dict[str, Any] = {
    "file": "crazy_eights", "players": 0, "variant": "", "results": "", "largest_number": -1, "zero_sum": False,
}  # fmt: skip


def load_game(file: str, **settings: Any) -> Any:
    """Load a game as a `pyspiel.Game`.

    Args:
        file: A game file or the name of a bundled game.
        **settings: `players`, `variant`, `results` and `largest_number`, as in `cardlang.adapters.setting.table`.
            `zero_sum` says that results always sum to 0, which some algorithms require; places always do.

    Returns:
        The game, in which a shuffled card is drawn when it first matters.

    Raises:
        AdapterError: The game cannot be represented, or a setting is unknown.
        GameError: The file has errors.
        OSError: The file cannot be read.
    """
    unknown = settings.keys() - DEFAULTS.keys()
    if unknown:
        raise AdapterError(f"There is no setting `{min(unknown)}`: there are {', '.join(DEFAULTS)}.")
    given = {name: value for name, value in settings.items() if value is not None}
    return CardGame({"file": str(file), **given})


def game_type(zero_sum: bool, most: int, least: int) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=NAME,
        long_name="A card game file",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )


class CardGame(pyspiel.Game):
    """OpenSpiel game of a game file. `load_game` describes `params`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        largest = given["largest_number"]
        self.table = named_table(
            given["file"],
            given["players"] or None,
            given["variant"] or None,
            given["results"] or None,
            None if largest < 0 else largest,
        )
        program = self.table.program
        self.features = Features(self.table.names)
        self.first: Point | None = None
        zero_sum = given["zero_sum"] or self.table.results == "place"
        bound = float(program.players - 1) if self.table.results == "place" else float("inf")
        kinds = program.game.kinds.values()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.actions.count,
            max_chance_outcomes=max(len(program.face), program.players, *(len(kind.members) for kind in kinds)),
            num_players=program.players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=MAX_DECISIONS,
        )
        type = game_type(zero_sum, program.players, program.players)
        super().__init__(type, info, given)

    def new_initial_state(self) -> CardState:
        if self.first is None:
            self.first = self.table.first()
        return CardState(self, self.first)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self.features, recall)


class CardState(pyspiel.State):
    """OpenSpiel state: a `Point` of the game tree. `point.match` is the match, `point.view(seat)` a player's view."""

    def __init__(self, game: CardGame, point: Point) -> None:
        super().__init__(game)
        self.point = point

    def current_player(self) -> int:
        if self.point.untold is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.point.over else self.point.seat

    def is_terminal(self) -> bool:
        return self.point.over

    def returns(self) -> list[float]:
        return self.point.gained or [0.0] * self.point.table.program.players

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.point.outcomes
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.point.codes)

    def _apply_action(self, action: int) -> None:
        self.point = self.point.draw(action) if self.point.untold is not None else self.point.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        untold = self.point.untold
        if untold is None:
            return self.point.texts.get(action, f"move {action}")
        return f"chance {action}" if untold.unknown is None else f"card [{self.point.table.names.code(action)}]"

    def information_state_string(self, player: int | None = None) -> str:
        return self.point.known(self.looks_on(player), recall=True)

    def observation_string(self, player: int | None = None) -> str:
        return self.point.known(self.looks_on(player), recall=False)

    def looks_on(self, player: int | None) -> int:
        return self.current_player() if player is None else player

    def __str__(self) -> str:
        moves = ", ".join(f"{self.point.table.names.players[who]} {text}" for who, text in self.point.past)
        return f"{self.point.table.program.game.title}: {moves} {self.point.script}"


class Observer:
    """OpenSpiel observer: a player's view as a tensor (see `Features`) and as a string."""

    def __init__(self, features: Features, recall: bool) -> None:
        self.features = features
        self.recall = recall
        self.tensor = numpy.zeros(features.size, numpy.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: CardState, player: int) -> None:
        point = state.point
        self.tensor[:] = self.features.of(point.view(player)) if point.begun else 0

    def string_from(self, state: CardState, player: int) -> str:
        return state.point.known(player, self.recall)


pyspiel.register_game(game_type(False, MOST_PLAYERS, 1), CardGame)
