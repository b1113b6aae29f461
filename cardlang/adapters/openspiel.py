"""OpenSpiel adapter: games and states.

    game = openspiel.load_game("kuhn_poker", largest_number=1)      # a pyspiel.Game
    game = pyspiel.load_game("cardlang(file=hearts,players=4)")     # the same through OpenSpiel's registry

Chance is a player, as usual in OpenSpiel. A shuffled card is drawn when it first matters, so cards that stay hidden
don't multiply the histories. Players who choose simultaneously act in turn, without seeing each other's choice.
"""

from __future__ import annotations

from typing import Any

from cardlang.adapters import AdapterError, import_optional
from cardlang.adapters.game_encoding import ObservationEncoder, set_up_cached_table
from interpreter.gametree.tree_node import TreeNode
from interpreter.match.match import MAX_DECISIONS

pyspiel: Any = import_optional("pyspiel", "openspiel")
numpy: Any = import_optional("numpy", "openspiel")
OPENSPIEL_NAME = "cardlang"
MAX_REGISTERED_PLAYERS = 12
DEFAULT_SETTINGS: dict[str, Any] = {
    "file": "crazy_eights", "players": 0, "variant": "", "results": "", "largest_number": -1, "zero_sum": False,
}  # fmt: skip


def load_game(file: str, **settings: Any) -> Any:
    """Load a game as a `pyspiel.Game`.

    Args:
        file: A game file or the name of a bundled game.
        **settings: `players`, `variant`, `results` and `largest_number`, as in `cardlang.adapters.game_encoding.table`.
            `zero_sum` says that results always sum to 0, which some algorithms require; places always do.

    Returns:
        The game, in which a shuffled card is drawn when it first matters.

    Raises:
        AdapterError: The game cannot be represented, or a setting is unknown.
        GameError: The file has errors.
        OSError: The file cannot be read.
    """
    unknown = settings.keys() - DEFAULT_SETTINGS.keys()
    if unknown:
        raise AdapterError(f"There is no setting `{min(unknown)}`: there are {', '.join(DEFAULT_SETTINGS)}.")
    given = {name: value for name, value in settings.items() if value is not None}
    return OpenSpielGame({"file": str(file), **given})


def build_game_type(zero_sum: bool, max_players: int, min_players: int) -> Any:
    kinds = pyspiel.GameType
    return kinds(
        short_name=OPENSPIEL_NAME,
        long_name="A card game file",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=max_players,
        min_num_players=min_players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULT_SETTINGS,
    )


class OpenSpielGame(pyspiel.Game):
    """OpenSpiel game of a game file. `load_game` describes `params`."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**DEFAULT_SETTINGS, **(params or {})}
        largest = given["largest_number"]
        self.table = set_up_cached_table(
            given["file"],
            given["players"] or None,
            given["variant"] or None,
            given["results"] or None,
            None if largest < 0 else largest,
        )
        program = self.table.program
        self.observation_encoder = ObservationEncoder(self.table.names)
        self.root: TreeNode | None = None
        zero_sum = given["zero_sum"] or self.table.result_kind == "place"
        bound = float(program.players - 1) if self.table.result_kind == "place" else float("inf")
        kinds = program.game.kinds.values()
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.numbering.count,
            max_chance_outcomes=max(len(program.face), program.players, *(len(kind.members) for kind in kinds)),
            num_players=program.players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=MAX_DECISIONS,
        )
        type = build_game_type(zero_sum, program.players, program.players)
        super().__init__(type, info, given)

    def new_initial_state(self) -> OpenSpielState:
        if self.root is None:
            self.root = self.table.build_root()
        return OpenSpielState(self, self.root)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> OpenSpielObserver:
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return OpenSpielObserver(self.observation_encoder, recall)


class OpenSpielState(pyspiel.State):
    """Node of the game tree as an OpenSpiel state.

    `node.match` is the match, `node.view(seat)` a player's view."""

    def __init__(self, game: OpenSpielGame, node: TreeNode) -> None:
        super().__init__(game)
        self.node = node

    def current_player(self) -> int:
        if self.node.chance_event is not None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.node.over else self.node.seat

    def is_terminal(self) -> bool:
        return self.node.over

    def returns(self) -> list[float]:
        return self.node.gains or [0.0] * self.node.context.program.players

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.node.outcomes
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.codes_by_action)

    def _apply_action(self, action: int) -> None:
        self.node = (
            self.node.draw_outcome(action) if self.node.chance_event is not None else self.node.play_action(action)
        )

    def _action_to_string(self, player: int, action: int) -> str:
        chance_event = self.node.chance_event
        if chance_event is None:
            return self.node.texts_by_action.get(action, f"move {action}")
        if chance_event.lazy_card is None:
            return f"chance {action}"
        return f"card [{self.node.context.names.get_card_code(action)}]"

    def information_state_string(self, player: int | None = None) -> str:
        return self.node.build_information_state(self.resolve_observer(player), recall=True)

    def observation_string(self, player: int | None = None) -> str:
        return self.node.build_information_state(self.resolve_observer(player), recall=False)

    def resolve_observer(self, player: int | None) -> int:
        return self.current_player() if player is None else player

    def __str__(self) -> str:
        moves = ", ".join(f"{self.node.context.names.players[who]} {text}" for who, text in self.node.past_moves)
        return f"{self.node.context.program.game.title}: {moves} {self.node.script}"


class OpenSpielObserver:
    """OpenSpiel observer: a player's view as a tensor (see `ObservationEncoder`) and as a string."""

    def __init__(self, observation_encoder: ObservationEncoder, has_perfect_recall: bool) -> None:
        self.observation_encoder = observation_encoder
        self.has_perfect_recall = has_perfect_recall
        self.tensor = numpy.zeros(observation_encoder.size, numpy.float32)
        self.dict = {"view": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        node = state.node
        self.tensor[:] = self.observation_encoder.encode_view(node.view(player)) if node.has_begun else 0

    def string_from(self, state: OpenSpielState, player: int) -> str:
        return state.node.build_information_state(player, self.has_perfect_recall)


pyspiel.register_game(build_game_type(False, MAX_REGISTERED_PLAYERS, 1), OpenSpielGame)
