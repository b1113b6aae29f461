"""Match: current decision, moves, views, copies and undo.

The state is flat data (`interpreter.runtime.state`). A match also stores the codes of its moves. The log,
undo and the record are derived by replaying them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING

from cardlang import model as g
from cardlang.diagnostics import Span
from interpreter.match import match_record
from interpreter.match.card_selection import build_selection_view, confirm_selection, exclude_selection_from_hand_value
from interpreter.match.determinization import Particle, sample_state
from interpreter.match.event_log import EventLog, MatchOrigin, SampledOrigin, SampleHistory
from interpreter.match.illegal_moves import Refusal
from interpreter.match.legal_moves import Decision, LegalMoves, Move
from interpreter.match.match_interface import MatchInterface
from interpreter.match.match_record import RecordSink, build_entry
from interpreter.match.move_aliases import explain_illegal_input, resolve_move_codes
from interpreter.match.seat_views import build_player_view, build_reveal_tables
from interpreter.match.secret_values import SecretValues
from interpreter.match.state_edits import ChoiceOrEdit, StateEdit, replay_choice
from interpreter.match.undo_checkpoints import Checkpoint, add_checkpoint, keep_checkpoints_until, rebuild_state_after
from interpreter.match.undo_limits import count_kept_choices
from interpreter.narration.display_names import MatchNames, resolve_player_names
from interpreter.narration.events import EventView, LogLine, write_log
from interpreter.program.program import compile_game
from interpreter.runtime import rng
from interpreter.runtime.errors import MoveError, RecordingError, RuleError
from interpreter.runtime.state import ABSENT, DecisionPoint, State
from interpreter.view.player_view import View
from interpreter.view.table_builder import build_table, create_viewer_history

if TYPE_CHECKING:
    from interpreter.program.program import Program
    from interpreter.view.recent_results import ViewerHistory
    from interpreter.view.table_model import Table


MAX_DECISIONS = 100_000
"""Move limit: a match with this number of decisions is aborted as endless."""


class Match:
    """Match of a game. `Game.start`, `clone`, `sample` and `cardlang.resume` make one.

    `origin` is where it begins. `choices` are the codes of the moves since, and the changes a host allowed.

    Examples:
        >>> match = cardlang.load("kuhn_poker").start(["Ann", "Bob"], seed=7)
        >>> [str(move) for move in match.decision.moves]
        ['check', 'bet 1']
        >>> for move in ("check", "bet 1", "fold"):
        ...     match.choose(move)
        >>> match.winners
        ['Bob']
    """

    __slots__ = (
        "_decision", "_event_log", "_recorder", "_secret_values", "checkpoints", "choices", "decision_limit", "names",
        "origin", "program", "seed", "state", "viewer_histories",
    )  # fmt: skip

    def __init__(self, names: MatchNames, origin: MatchOrigin, state: State) -> None:
        self.names = names
        self.program: Program = names.program
        self.origin = origin
        self.state = state
        self.seed = origin.seed
        self.choices: list[ChoiceOrEdit] = []
        self.decision_limit = MAX_DECISIONS
        self._decision: Decision | None = None
        self._event_log: EventLog | None = None
        self._recorder: RecordSink | None = None
        self._secret_values: dict[int, SecretValues] = {}
        self.viewer_histories: dict[str | None, ViewerHistory] = {}
        """Event histories of the tables, by viewer."""
        self.checkpoints: tuple[Checkpoint, ...] = ()

    # ------------------------------------------------------------ decisions and moves
    @property
    def game(self) -> g.Game:
        """Game that is played."""
        return self.program.game

    @property
    def players(self) -> tuple[str, ...]:
        """Names of the players in seat order."""
        return self.names.players

    @property
    def over(self) -> bool:
        """True if the match is over."""
        return self.state.who == ABSENT

    @property
    def decision(self) -> Decision | None:
        """Current decision; None when the match is over."""
        if self._decision is None and self.state.who != ABSENT:
            self._decision = Decision(self, self.state.who, LegalMoves(self, self.state.legal))
        return self._decision

    def choose(self, move: int | Move | str) -> None:
        """Make a move.

        Args:
            move: Index of the move, the move itself, or its text. As text, you can name several cards together, or
                use their titles, refs or labels. A `Move` is valid only at its own decision, and in copies of the match
                there.

        Raises:
            MoveError: The move is illegal. The message says why.
            TypeError: The move is none of these.
            RuleError: A rule fails. The move is not made.
            RecordingError: The record cannot be written. The move is not made.
        """
        for code in self._parse_move(move):
            self.apply_choice(code)

    def _parse_move(self, move: int | Move | str) -> list[int]:
        """Return the codes of a move given as for `choose`. Raise the errors of `choose`."""
        if isinstance(move, str):
            return resolve_move_codes(self.names, self.state, self.decision, move)
        if self.over:
            raise MoveError("The match is over.")
        return [self.state.legal[self._check_own_move(move) if isinstance(move, Move) else self._check_index(move)]]

    def _check_own_move(self, move: Move) -> int:
        """Return the index of a move of this decision."""
        if not move.decision.is_current_in(self):
            raise MoveError(f"{move.text} belongs to another decision.")
        assert self.decision is not None
        if move not in self.decision.moves[move.index : move.index + 1]:
            raise MoveError(f"{move.text} is not legal now.")
        return move.index

    def _check_index(self, number: object) -> int:
        """Check and return the index of a move of this decision."""
        try:
            if isinstance(number, bool):
                raise TypeError
            at = index(number)  # type: ignore[arg-type]
        except TypeError:
            raise TypeError(f"A move is its number, its text or the Move itself, not {number!r}.") from None
        if not 0 <= at < len(self.state.legal):
            raise MoveError(f"There are {len(self.state.legal)} moves, counted from 0: there is no move {at}.")
        return at

    def apply_choice(self, choice: ChoiceOrEdit) -> None:
        """Make the legal move with this code. Raise the errors of `choose`."""
        if len(self.choices) >= self.decision_limit:
            site = self.program.get_site(self.state)
            raise RuleError(
                find_decision_span(site), f"The match has hit the move limit of {self.decision_limit} decisions."
            )
        entry = None if self._recorder is None else build_entry(self, self.state, choice)
        self._decision = None
        try:
            replay_choice(self.names, self.state, choice)
            if self._recorder is not None and entry is not None:
                self._recorder.write(entry)
        except (RuleError, RecordingError):
            self.state = rebuild_state_after(self, self.checkpoints, len(self.choices))
            raise
        self.choices.append(choice)

    def apply_edit(self, edit: StateEdit) -> None:
        """Change something outside the rules, as a host of a playtest can.

        Raises:
            RuleError: A rule fails. Nothing changes.
            RecordingError: The record cannot be written. Nothing changes.
        """
        self.apply_choice(edit)

    def why_not(self, move: int | Move | str) -> str | None:
        """Explain why a move is illegal.

        The reason contains nothing that the current player cannot know.

        Args:
            move: As for `choose`.

        Returns:
            The reason, in a sentence; None if the move is legal, or part of a legal set of cards.

        Raises:
            TypeError: As for `choose`.

        Examples:
            >>> match = cardlang.load("kuhn_poker").start(2, seed=7)
            >>> match.why_not("call")
            'Without a bet to match, there is nothing to call.'
        """
        refused = self.explain_illegal_move(move)
        return refused.message if refused else None

    def explain_illegal_move(self, move: int | Move | str) -> Refusal | None:
        """Explain why a move is illegal, as `why_not` does, with the place of the rule."""
        if isinstance(move, str):
            return explain_illegal_input(self.names, self.state, self.decision, move)
        try:
            self._parse_move(move)
        except MoveError as error:
            return Refusal(error.message, error.span)
        return None

    # ------------------------------------------------------------ views and tables
    def view(self, player: int | str | None = None) -> View:
        """Return everything a player knows.

        Args:
            player: Name or seat of the player; a spectator if None.

        Returns:
            A frozen value. It is the same for all matches that this player cannot tell apart.

        Raises:
            ValueError: No such player.

        Examples:
            >>> match = cardlang.load("hearts").start(["Ann", "Bob", "Cat", "Dan"], seed=7)
            >>> [str(card) for card in match.view("Ann").zone("hand", "Bob").cards[:2]]
            ['[?]', '[?]']
        """
        seat = self.program.players if player is None else self.names.resolve_seat(player)
        return build_player_view(self, seat)

    def table(self, player: int | str | None = None, chosen: Iterable[str] = ()) -> Table:
        """Return the table as a screen shows it to a person.

        Args:
            player: Name or seat of the player; a spectator if None.
            chosen: Refs of the cards selected so far, in any order. Cards that cannot be chosen are left out.

        Returns:
            A frozen value; see [tables](tables.md).

        Raises:
            ValueError: No such player.
        """
        view = self.view(player)
        choosing = build_selection_view(self, chosen) if view.asking is not None else None
        history = self.viewer_histories.setdefault(view.player, create_viewer_history(self.game, view.player))
        table = build_table(exclude_selection_from_hand_value(self, view, choosing), self.game, choosing, history)
        self.checkpoints = add_checkpoint(self, self.checkpoints)
        return table

    def build_reveal_tables(self, player: int | str | None = None) -> tuple[Table, ...]:
        """Return the tables on the way to the last result, as cards were turned up one after another."""
        return build_reveal_tables(self, self.program.players if player is None else self.names.resolve_seat(player))

    def confirm(self, player: int | str, refs: Iterable[str]) -> None:
        """Choose several cards by their refs, in any order.

        Args:
            player: Name or seat of the player.
            refs: Refs of the cards, from `table`.

        Raises:
            ValueError: No such player.
            MoveError: The choice is illegal.
        """
        confirm_selection(self, self.names.resolve_seat(player), tuple(refs))

    @property
    def log(self) -> tuple[LogLine, ...]:
        """Lines about everything that happened, including hidden cards. Use `view(player).log` for a player."""
        return self.get_log(None)

    @property
    def trace(self) -> tuple[LogLine, ...]:
        """The log with each step, announcement and change that has no wording."""
        return self.get_log(self.program.players + 2)

    def get_log(self, seat: int | None) -> tuple[LogLine, ...]:
        """Return the log for a seat.

        The seat `players` of the program is a spectator; None is the referee, who sees everything.
        """
        return write_log(self.get_events(seat))

    def get_events(self, seat: int | None) -> tuple[EventView, ...]:
        """Return the events for a seat, as in `get_log`, including events without a line."""
        return (*self.origin.get_earlier_log().events, *self.event_log.get_observer_log(self.choices, seat).events)

    def find_last_action(self, seat: int) -> int:
        """Return the number of the last action in which a seat had a choice, as in `EventView.at`.

        It is 0 if there is none.
        """
        self.event_log.replay_new_choices(self.choices)
        return self.event_log.last.get(seat) or self.origin.get_last_actions().get(seat, 0)

    def get_action_number(self, choice_index: int) -> int:
        """Return the number of the action that contains choice number `choice_index`, as in `EventView.at`."""
        self.event_log.replay_new_choices(self.choices)
        return self.event_log.action_numbers[choice_index]

    @property
    def event_log(self) -> EventLog:
        """Event log since the match began."""
        if self._event_log is None:
            self._event_log = self.origin.build_event_log()
        return self._event_log

    def sample(self, player: int | str, seed: int) -> Match:
        """Return a match that this player cannot tell from the real one.

        Hidden cards are re-dealt at random. Nothing is inferred from other players' moves; bots use
        `interpreter.bots.belief_sampler` for that.

        Args:
            player: Name or seat of the player.
            seed: Random seed.

        Returns:
            A match for playouts.

        Raises:
            ValueError: No such player.

        Examples:
            >>> match = cardlang.load("hearts").start(["Ann", "Bob", "Cat", "Dan"], seed=7)
            >>> match.sample("Ann", seed=1).view("Ann") == match.view("Ann")
            True
        """
        seat = self.names.resolve_seat(player)
        state = sample_state(self.names, self.state, seat, seed, self.get_secret_values(seat))
        origin = SampledOrigin(self.names, state, seed, SampleHistory(self.origin, self.choices.copy(), seat))
        match = Match(self.names, origin, self.program.clone(state))
        match.decision_limit = self.decision_limit
        return match

    def get_secret_values(self, seat: int) -> Sequence[Particle]:
        """Return possible values of the secret tracks for a seat, as particles; empty if there are no such tracks."""
        if not self.program.layout.secret_slots:
            return ()
        known = self._secret_values.get(seat)
        if known is None or known.choices != self.choices[: len(known.choices)]:
            known = self._secret_values[seat] = SecretValues(self.names, self.origin, seat)
        return known.follow(self.choices)

    # ------------------------------------------------------------ results
    @property
    def scores(self) -> list[int | Fraction | None]:
        """Scores in seat order, exact; None for a player without a score."""
        return self.program.compute_scores(self.state)

    @property
    def winners(self) -> list[str]:
        """Names of the winners; empty until the match is over."""
        return [self.players[seat] for seat in self.program.find_winners(self.state)] if self.over else []

    @property
    def places(self) -> list[int]:
        """Places in seat order, 1 for the best. Tied players share a place."""
        return self.program.compute_places(self.state)

    # ------------------------------------------------------------ copies, undo, records
    def clone(self) -> Match:
        """Return an independent copy. It is not recorded."""
        match = Match(self.names, self.origin, self.program.clone(self.state))
        match.choices = self.choices.copy()
        match.decision_limit = self.decision_limit
        match.checkpoints = self.checkpoints
        return match

    def __reduce__(self) -> tuple[Callable[..., Match], tuple[object, ...]]:
        """Pickle the game, the state and the moves. The program is rebuilt when loading. The copy is not recorded."""
        return restore_match, (self.names, self.origin, self.state, self.choices, self.decision_limit)

    def __eq__(self, other: object) -> bool:
        """Return whether both matches have the same game, players and state, including the random state."""
        if not isinstance(other, Match):
            return NotImplemented
        return self.is_same_game(other) and collect_state_data(self) == collect_state_data(other)

    def is_same_game(self, other: MatchInterface) -> bool:
        """Return whether both matches have the same players and rules."""
        if self.players != other.players:
            return False
        return self.program is other.program or self.game == other.game

    def __hash__(self) -> int:
        """Return a hash that agrees with equality. It changes when the match advances."""
        return hash((self.players, repr(collect_state_data(self))))

    def undo(self, player: int | str | None = None, bots: Collection[str] = (), several: bool = False) -> None:
        """Undo the last choice of a player, and the choices of bots after it.

        Args:
            player: Name or seat of the player; the last choice of anyone if None.
            bots: Names or seats of the bots.
            several: Skip choices that had a single legal move.

        Raises:
            MoveError: There is nothing to undo, or people have decided or learned something since.
        """
        seat = None if player is None else self.names.resolve_seat(player)
        self.undo_choices(
            len(self.choices) - count_kept_choices(self, seat, {self.names.resolve_seat(bot) for bot in bots}, several)
        )

    def can_undo(self, player: int | str, bots: Collection[str] = (), several: bool = False) -> bool:
        """Return whether `undo` is possible."""
        try:
            count_kept_choices(
                self, self.names.resolve_seat(player), {self.names.resolve_seat(bot) for bot in bots}, several
            )
        except MoveError:
            return False
        return True

    def undo_choices(self, count: int) -> None:
        """Undo the last `count` choices, in the match and in the record."""
        if self._recorder is not None:
            self._recorder.record_undo(count)
        self.rewind_to(len(self.choices) - count)

    def rewind_to(self, choice_count: int) -> None:
        """Go back to the state after the first `choice_count` choices, regardless of who made the others."""
        self.state = rebuild_state_after(self, self.checkpoints, choice_count)
        self.choices = self.choices[:choice_count]
        self._decision = None
        self.checkpoints = keep_checkpoints_until(self.checkpoints, choice_count)
        self._event_log, self.viewer_histories = self.checkpoints[-1].copy_logs() if self.checkpoints else (None, {})

    def replay_choices(self, choices: list[ChoiceOrEdit], state: State | None = None) -> State:
        """Return the state after these choices, replayed from the beginning or from `state`."""
        state = self.origin.build_first_state() if state is None else state
        for choice in choices:
            replay_choice(self.names, state, choice)
        return state

    def save(self, path: str | Path) -> None:
        """Write the record of the match so far.

        The record contains everything, including hidden cards.

        Args:
            path: File to write. A failure leaves an existing file as it was.

        Raises:
            RecordingError: The file cannot be written.
        """
        if self._recorder is None or not self._recorder.is_at(Path(path)):
            match_record.save_record(self, Path(path))

    def record(self, path: str | Path) -> None:
        """Write the record so far, and every choice from now on.

        Args:
            path: File to write. No other process can write to it until `close`.

        Raises:
            RecordingError: The file cannot be written.
        """
        if self._recorder is None or not self._recorder.is_at(Path(path)):
            self.attach_recorder(match_record.begin_record(self, Path(path)))

    def attach_recorder(self, recorder: RecordSink) -> None:
        """Record every choice from now on. The given recorder already contains the match so far."""
        self.close()
        self._recorder = recorder

    def close(self) -> None:
        """Stop recording, so that other processes can continue the match."""
        if self._recorder is not None:
            self._recorder.close()
        self._recorder = None


def find_decision_span(site: DecisionPoint) -> Span:
    """Return the position of the rule that makes the decision."""
    return site.statement.span if site.statement is not None else site.options[0].span


def restore_match(
    names: MatchNames, origin: MatchOrigin, state: State, choices: list[ChoiceOrEdit], limit: int
) -> Match:
    match = Match(names, origin, state)
    match.choices, match.decision_limit = choices, limit
    return match


def collect_state_data(match: Match) -> list[object]:
    """Return the parts of a state that equality compares."""
    return [getattr(match.state, slot) for slot in State.__slots__ if slot not in ("checking", "events", "fuel")]


def start(
    game: g.Game, players: int | list[str] | None = None, seed: int | None = None, checking: bool = False
) -> Match:
    """Start a match.

    - `players`: a count, or names in seat order; None is the lowest count of the game.
    - `seed`: source of all randomness; None draws one that cannot be guessed.
    - `checking`: check the expectations in steps.

    Raise `TypeError` for other types. Raise `ValueError` if the game does not take these players, or if the seed has
    more than 1,024 bits. Raise `RuleError` if the set-up fails.
    """
    named = resolve_player_names(game, players)
    names = MatchNames(compile_game(game, len(named)), named)
    origin = MatchOrigin(names, rng.draw_seed() if seed is None else rng.check_seed(seed), checking)
    return Match(names, origin, origin.build_first_state())
