"""Node of a game tree: decision, chance or end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from attrs import define, evolve, field, frozen

from cardlang import model as g
from interpreter.gametree.explicit_chance import (
    ChanceScript,
    ScriptedChance,
    UnresolvedChance,
    check_no_visible_lazy_card,
    resolve_cards,
    start_with_chance,
)
from interpreter.match.event_log import EventLog, MatchOrigin
from interpreter.match.match import Match
from interpreter.match.state_edits import ChoiceOrEdit
from interpreter.narration.decision_text import format_moves
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program
from interpreter.runtime.state import ABSENT, State
from interpreter.view.player_view import View

RESULT_KINDS = ("score", "place")


def choose_result_kind(game: g.Game) -> str:
    """Return `place` if the game itself defines the winners or has no score, else `score`."""
    declared = "winners" in game.defines or "standing" in game.orders
    scored = "score" in game.defines or "score" in game.tracks
    return "score" if scored and not declared else "place"


class ScriptedOrigin(MatchOrigin):
    """Set-up of a match from a script of chance outcomes.

    log: an existing log to copy, if there is one.
    filled: as in `ScriptedChance`.
    """

    def __init__(
        self, names: MatchNames, script: ChanceScript, log: EventLog | None = None, filled: bool = True
    ) -> None:
        super().__init__(names, 0)
        self.chance_script = ScriptedChance(script, filled)
        self.log = log

    def build_first_state(self) -> State:
        return start_with_chance(self.program, self.chance_script)

    def start_with_events(self, program: Program) -> State:
        return start_with_chance(program, self.chance_script, listen=True)

    def build_state_before_events(self) -> State:
        return self.program.create_blank_state(self.chance_script)

    def build_event_log(self) -> EventLog:
        return super().build_event_log() if self.log is None else self.log.copy()

    def get_decision_path(self, choices: Sequence[ChoiceOrEdit]) -> tuple[object, Sequence[ChoiceOrEdit]]:
        return self.chance_script.script, choices


class MoveNumbering(Protocol):
    """Numbers for moves in the tree, called actions."""

    def map_actions_to_codes(self, names: MatchNames, state: State, texts: Iterable[str]) -> dict[int, int]:
        """Return the codes of a state's legal moves by action, in ascending order. `texts`: the printed moves."""


Numbers = TypeVar("Numbers", bound=MoveNumbering)


@frozen(slots=False)
class TreeContext(Generic[Numbers]):
    """Data that all nodes of a game share.

    result_kind: `score` for each player's gain since the start, or `place`. With `place`, a player gets the number of
    players they beat minus the number who beat them.
    rebuild_call: the function and arguments that build the table again, for pickling.
    """

    names: MatchNames
    numbering: Numbers
    result_kind: str
    rebuild_call: tuple[object, ...] = ()

    def __reduce__(self) -> Any:
        if not self.rebuild_call:
            raise TypeError("Only games that were loaded by name can be stored.")
        return self.rebuild_call

    @property
    def program(self) -> Program:
        return self.names.program

    def build_root(self) -> TreeNode:
        """Return the root of the tree."""
        return TreeNode(self, ChanceScript(), None, 0, ()).play_from_parent()

    def compute_gains(self, state: State) -> list[float]:
        """Return the result of each player, by seat."""
        if self.result_kind == "place":
            places = self.program.compute_places(state)
            return [
                float(sum((own_place < other_place) - (own_place > other_place) for other_place in places))
                for own_place in places
            ]
        return [
            float(score - start) for score, start in zip(self.compute_scores(state), self.start_scores, strict=True)
        ]

    @cached_property
    def start_scores(self) -> list[Fraction]:
        """Scores of the blank state, before the game begins."""
        return self.compute_scores(self.program.create_blank_state(ScriptedChance(ChanceScript(), filled=True)))

    def compute_scores(self, state: State) -> list[Fraction]:
        return [Fraction(score or 0) for score in self.program.compute_scores(state)]


@define(eq=False, slots=False)
class TreeNode:
    """Node of the game tree. Nodes are immutable: `play_action` and `draw_outcome` create their children.

    parent: the node of the last decision, at which `code` was played; None at the start.
    past_moves: the moves so far, with their seats.
    state: the state at a decision or at the end.
    chance_event: at a chance node, the unresolved chance event.
    gains: at the end, the result of each seat.
    """

    context: TreeContext[Any] = field(repr=False)
    script: ChanceScript
    parent: TreeNode | None = field(repr=False)
    code: int
    past_moves: tuple[tuple[int, str], ...]
    state: State | None = field(default=None, repr=False)
    chance_event: UnresolvedChance | None = None
    gains: list[float] = field(factory=list)

    def __deepcopy__(self, memo: dict[int, object]) -> TreeNode:
        return self

    def __reduce__(self) -> Any:
        return replay_node, (self.context, self.script, self.move_codes)

    def play_from_parent(self) -> TreeNode:
        """Play on from the parent to the next decision, the end or an unresolved chance event. Return this node.

        Raise `RuleError` if a rule fails.
        """
        program = self.context.program
        try:
            if self.parent is None:
                state = start_with_chance(program, ScriptedChance(self.script))
            else:
                state = program.clone(self.parent.last_decision_state)
                resolve_cards(state, self.script)
                program.apply(state, self.code)
            check_no_visible_lazy_card(state, program.layout.sees)
            if state.who == ABSENT:
                self.gains = self.context.compute_gains(state)
        except UnresolvedChance as event:
            self.chance_event = event
        else:
            self.state = state
        return self

    # ------------------------------------------------------------ state and moves
    @property
    def over(self) -> bool:
        return self.state is not None and self.state.who == ABSENT

    @property
    def outcomes(self) -> tuple[int, ...]:
        """Outcomes of a chance node, all equally likely; empty for other nodes."""
        return () if self.chance_event is None else self.chance_event.outcomes

    def draw_outcome(self, outcome: int) -> TreeNode:
        """Return the node after an outcome of chance."""
        assert self.chance_event is not None
        point = evolve(self, script=self.chance_event.extend_script(self.script, outcome), chance_event=None)
        return point.play_from_parent()

    def play_action(self, action: int) -> TreeNode:
        """Return the node after a move, given by its action."""
        past = (*self.past_moves, (self.last_decision_state.who, self.texts_by_action[action]))
        return TreeNode(self.context, self.script, self, self.codes_by_action[action], past).play_from_parent()

    @property
    def last_decision_state(self) -> State:
        """State of this node; at a chance node, the state of the decision before it."""
        if self.state is not None:
            return self.state
        assert self.parent is not None, "nobody has been asked anything yet"
        return self.parent.last_decision_state

    @property
    def move_codes(self) -> tuple[int, ...]:
        """Codes of all moves so far, including one whose chance outcome is still open."""
        return () if self.parent is None else (*self.parent.choices, self.code)

    @cached_property
    def choices(self) -> list[int]:
        """Codes of the moves before the state here; at a chance node, before the last decision."""
        if self.parent is None:
            return []
        return self.parent.choices if self.state is None else [*self.parent.choices, self.code]

    @cached_property
    def codes_by_action(self) -> dict[int, int]:
        """Codes of the legal moves by action, in ascending order."""
        if self.chance_event is not None or self.over:
            return {}
        state = self.match.state
        actions: MoveNumbering = self.context.numbering
        return actions.map_actions_to_codes(self.context.names, state, self.move_texts)

    @cached_property
    def move_texts(self) -> list[str]:
        state = self.match.state
        return format_moves(self.context.names, state, state.legal)

    @cached_property
    def texts_by_action(self) -> dict[int, str]:
        """Printed forms of the legal moves by action."""
        by_code = dict(zip(self.match.state.legal, self.move_texts, strict=True))
        return {action: by_code[code] for action, code in self.codes_by_action.items()}

    # ------------------------------------------------------------ knowledge of players
    @cached_property
    def match(self) -> Match:
        """Match at this node; at a chance node, the match at the decision before it.

        Unseen cards of a shuffled pile are in ascending order.
        """
        names, state = self.context.names, self.context.program.clone(self.last_decision_state)
        resolve_cards(state, self.script, filled=True)
        match = Match(names, ScriptedOrigin(names, self.script, self.event_log), state)
        match.choices = list(self.choices)
        return match

    @cached_property
    def event_log(self) -> EventLog | None:
        """Event log up to this node, continued from the log of the parent.

        It is None if the events depend on more chance outcomes than the rules did.
        """
        if self.parent is None:
            return EventLog(self.context.names, ScriptedOrigin(self.context.names, self.script, filled=False))
        if self.state is None or self.parent.event_log is None:
            return self.parent.event_log
        log = self.parent.event_log.copy()
        resolve_cards(log.replay_state, self.script)
        try:
            log.replay_new_choices(self.choices)
        except UnresolvedChance:
            return None
        return log

    @property
    def has_begun(self) -> bool:
        """Return whether the first decision has been reached."""
        return self.state is not None or self.parent is not None

    def view(self, seat: int) -> View:
        """Return the view of a seat."""
        if self.event_log is not None:
            self.event_log.get_observer_log(self.choices, seat)  # cached in the log for later nodes
        return self.match.view(seat)

    @property
    def seat(self) -> int:
        """Seat of the current player; at a chance node, that of the last decision. `ABSENT` at the end."""
        return self.last_decision_state.who

    def build_information_state(self, seat: int, recall: bool) -> str:
        """Return the information state of a seat as a string.

        recall: include all that the seat has seen and done before (perfect recall).
        """
        if not self.has_begun:
            return ""
        view = self.view(seat)
        lines = [f"{view.player}: {view.prompt}".rstrip(), *format_visible_table(view)]
        if recall:
            lines += ["moves " + ", ".join(text for who, text in self.past_moves if who == seat), *view.log]
        return "\n".join(lines)


def replay_node(table: TreeContext[Any], script: ChanceScript, choices: tuple[int, ...]) -> TreeNode:
    """Return the node after these moves, with the chance outcomes of a script."""
    point = TreeNode(table, script, None, 0, ()).play_from_parent()
    for code in choices:
        actions = {code: action for action, code in point.codes_by_action.items()}
        point = point.play_action(actions[code])
    return point


def format_visible_table(view: View) -> list[str]:
    """Return a line for each pile that is not empty and each track that is not 0 or empty."""
    lines = [
        f"{zone.owner or ''} {zone.name}: {' '.join(map(str, zone.cards))}".strip() for zone in view.table if zone.cards
    ]
    return lines + [f"{track.owner or ''} {track.name}: {track.text}".strip() for track in view.tracks if track.value]
