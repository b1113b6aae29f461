"""API of a match: current decision, legal moves, views, results, undo and records.

The state is flat data (`interpreter.state`). A match also stores the codes of its moves. The log, undo and the record
are derived by replaying them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.source import Span
from interpreter import chance
from interpreter.compiler import compile_game
from interpreter.errors import MoveError, RecordingError, RuleError
from interpreter.matches import recorder
from interpreter.matches.allowing import Change, Deed, carry_out
from interpreter.matches.checkpoints import Checkpoint, state_after, until, with_newest
from interpreter.matches.events import EventView, Line
from interpreter.matches.log import Chronicle
from interpreter.matches.moves import Move, Moves
from interpreter.matches.names import Names
from interpreter.matches.origin import Origin, Past, Snapshot
from interpreter.matches.prompts import prompt
from interpreter.matches.reasons import Refusal
from interpreter.matches.record import entry_about
from interpreter.matches.recorder import Keeper
from interpreter.matches.sampling import sample_state
from interpreter.matches.seating import seated
from interpreter.matches.shown import Look
from interpreter.matches.speaking import codes_of, why_not
from interpreter.matches.toggling import choosing_of, confirm, without
from interpreter.matches.undoing import kept_by_undo
from interpreter.matches.view import View, make_view
from interpreter.state import ABSENT, Site, State

if TYPE_CHECKING:
    from interpreter.program import Program
    from interpreter.table.model import Table
    from interpreter.table.story import Story

MAX_DECISIONS = 100_000
"""Move limit: a match with this number of decisions is aborted as endless."""


class Decision:
    """Decision of one player.

    Attributes:
        seat: Seat of the current player, from 0.
        moves: The legal moves, a lazy sequence. `len(moves)` is cheap; `str(move)` is the text of a move.
    """

    __slots__ = ("_match", "look", "moves", "seat")

    def __init__(self, match: Match, seat: int, moves: Moves) -> None:
        self._match = match
        self.look = Look(match.names, match.state)
        self.seat = seat
        self.moves = moves

    @property
    def player(self) -> str:
        """Name of the current player."""
        return self._match.players[self.seat]

    @property
    def prompt(self) -> str:
        """Question to the player, in a sentence."""
        return prompt(self._match.names, self.moves.state())

    def __repr__(self) -> str:
        return f"<{self.player}: {self.prompt} {self.moves!r}>"


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
        "_chronicle", "_decision", "_recorder", "checkpoints", "choices", "limit", "names", "origin", "program",
        "seed", "state", "stories",
    )  # fmt: skip

    def __init__(self, names: Names, origin: Origin, state: State) -> None:
        self.names = names
        self.program: Program = names.program
        self.origin = origin
        self.state = state
        self.seed = origin.seed
        self.choices: list[Deed] = []
        self.limit = MAX_DECISIONS
        self._decision: Decision | None = None
        self._chronicle: Chronicle | None = None
        self._recorder: Keeper | None = None
        self.stories: dict[str | None, Story] = {}
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
            self._decision = Decision(self, self.state.who, Moves(self, self.state.legal))
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
        for code in self._codes(move):
            self.make(code)

    def _codes(self, move: int | Move | str) -> list[int]:
        """Return the codes of a move given as for `choose`. Raise the errors of `choose`."""
        if isinstance(move, str):
            return codes_of(self.names, self.state, Moves(self, self.state.legal), move)
        if self.over:
            raise MoveError("The match is over.")
        return [self.state.legal[self._own(move) if isinstance(move, Move) else self._number(move)]]

    def _own(self, move: Move) -> int:
        """Return the index of a move of this decision."""
        if not move.decision.belong_to(self):
            raise MoveError(f"{move.text} belongs to another decision.")
        assert self.decision is not None
        if move not in self.decision.moves[move.index : move.index + 1]:
            raise MoveError(f"{move.text} is not legal now.")
        return move.index

    def _number(self, number: object) -> int:
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

    def make(self, code: Deed) -> None:
        """Make the legal move with this code. Raise the errors of `choose`."""
        if len(self.choices) >= self.limit:
            site = self.program.site(self.state)
            raise RuleError(place(site), f"The match has hit the move limit of {self.limit} decisions.")
        entry = None if self._recorder is None else entry_about(self, self.state, code)
        self._decision = None
        try:
            carry_out(self.names, self.state, code)
            if self._recorder is not None and entry is not None:
                self._recorder.write(entry)
        except (RuleError, RecordingError):
            self.state = state_after(self, self.checkpoints, len(self.choices))
            raise
        self.choices.append(code)

    def allow(self, change: Change) -> None:
        """Change something outside the rules, as a host of a playtest can.

        Raises:
            RuleError: A rule fails. Nothing changes.
            RecordingError: The record cannot be written. Nothing changes.
        """
        self.make(change)

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
        refused = self.refusal(move)
        return refused.words if refused else None

    def refusal(self, move: int | Move | str) -> Refusal | None:
        """Explain why a move is illegal, as `why_not` does, with the place of the rule."""
        if isinstance(move, str):
            return why_not(self.names, self.state, Moves(self, self.state.legal), move)
        try:
            self._codes(move)
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
        seat = self.program.players if player is None else self.names.seat(player)
        return make_view(self, seat)

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
        from interpreter.table.making import story_of, table_of

        view = self.view(player)
        choosing = choosing_of(self, chosen) if view.asking is not None else None
        story = self.stories.setdefault(view.player, story_of(self.game, view.player))
        table = table_of(without(self, view, choosing), self.game, choosing, story)
        self.checkpoints = with_newest(self, self.checkpoints)
        return table

    def way(self, player: int | str | None = None) -> tuple[Table, ...]:
        """Return the tables on the way to the last result, as cards were turned up one after another."""
        from interpreter.table.making import way_of

        return way_of(self, self.program.players if player is None else self.names.seat(player))

    def confirm(self, player: int | str, refs: Iterable[str]) -> None:
        """Choose several cards by their refs, in any order.

        Args:
            player: Name or seat of the player.
            refs: Refs of the cards, from `table`.

        Raises:
            ValueError: No such player.
            MoveError: The choice is illegal.
        """
        confirm(self, self.names.seat(player), tuple(refs))

    @property
    def log(self) -> tuple[Line, ...]:
        """Lines about everything that happened, including hidden cards. Use `view(player).log` for a player."""
        return self.log_of(None)

    @property
    def trace(self) -> tuple[Line, ...]:
        """The log with each step, announcement and change that has no wording."""
        return self.log_of(self.program.players + 2)

    def log_of(self, seat: int | None) -> tuple[Line, ...]:
        """Return the log for a seat.

        The seat `players` of the program is a spectator; None is the referee, who sees everything.
        """
        return (*self.origin.earlier().lines, *self.chronicle.told_to(self.choices, seat).lines)

    def events_of(self, seat: int) -> tuple[EventView, ...]:
        """Return the events for a seat, as in `log_of`, including events without a line."""
        return (*self.origin.earlier().events, *self.chronicle.told_to(self.choices, seat).events)

    def since(self, seat: int) -> int:
        """Return the number of the last action in which a seat had a choice, as in `EventView.at`.

        It is 0 if there is none.
        """
        self.chronicle.catch_up(self.choices)
        return self.chronicle.last.get(seat) or self.origin.last().get(seat, 0)

    def deed_of(self, made: int) -> int:
        """Return the number of the action that contains choice number `made`, as in `EventView.at`."""
        self.chronicle.catch_up(self.choices)
        return self.chronicle.deeds[made]

    @property
    def chronicle(self) -> Chronicle:
        """Event log since the match began."""
        if self._chronicle is None:
            self._chronicle = self.origin.chronicle()
        return self._chronicle

    def sample(self, player: int | str, seed: int) -> Match:
        """Return a match that this player cannot tell from the real one.

        Hidden cards are re-dealt at random. Nothing is inferred from other players' moves; bots use
        `interpreter.players.conclusions` for that.

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
        seat = self.names.seat(player)
        state = sample_state(self.names, self.state, seat, seed)
        origin = Snapshot(self.names, state, seed, Past(self.origin, self.choices.copy(), seat))
        match = Match(self.names, origin, self.program.clone(state))
        match.limit = self.limit
        return match

    # ------------------------------------------------------------ results
    @property
    def scores(self) -> list[int | Fraction | None]:
        """Scores in seat order, exact; None for a player without a score."""
        return self.program.scores(self.state)

    @property
    def winners(self) -> list[str]:
        """Names of the winners; empty until the match is over."""
        return [self.players[seat] for seat in self.program.winners(self.state)] if self.over else []

    @property
    def places(self) -> list[int]:
        """Places in seat order, 1 for the best. Tied players share a place."""
        return self.program.places(self.state)

    # ------------------------------------------------------------ copies, undo, records
    def clone(self) -> Match:
        """Return an independent copy. It is not recorded."""
        match = Match(self.names, self.origin, self.program.clone(self.state))
        match.choices = self.choices.copy()
        match.limit = self.limit
        match.checkpoints = self.checkpoints
        return match

    def __reduce__(self) -> tuple[Callable[..., Match], tuple[object, ...]]:
        """Pickle the game, the state and the moves. The program is rebuilt when loading. The copy is not recorded."""
        return unpickled, (self.names, self.origin, self.state, self.choices, self.limit)

    def __eq__(self, other: object) -> bool:
        """Return whether both matches have the same game, players and state, including the random state."""
        if not isinstance(other, Match):
            return NotImplemented
        return self.is_of_one_game(other) and data(self) == data(other)

    def is_of_one_game(self, other: Match) -> bool:
        """Return whether both matches have the same players and rules."""
        if self.players != other.players:
            return False
        return self.program is other.program or self.game == other.game

    def __hash__(self) -> int:
        """Return a hash that agrees with equality. It changes when the match advances."""
        return hash((self.players, repr(data(self))))

    def undo(self, player: int | str | None = None, bots: Collection[str] = (), several: bool = False) -> None:
        """Undo the last choice of a player, and the choices of bots after it.

        Args:
            player: Name or seat of the player; the last choice of anyone if None.
            bots: Names or seats of the bots.
            several: Skip choices that had a single legal move.

        Raises:
            MoveError: There is nothing to undo, or people have decided or learned something since.
        """
        seat = None if player is None else self.names.seat(player)
        self.undone(len(self.choices) - kept_by_undo(self, seat, {self.names.seat(bot) for bot in bots}, several))

    def can_undo(self, player: int | str, bots: Collection[str] = (), several: bool = False) -> bool:
        """Return whether `undo` is possible."""
        try:
            kept_by_undo(self, self.names.seat(player), {self.names.seat(bot) for bot in bots}, several)
        except MoveError:
            return False
        return True

    def undone(self, count: int) -> None:
        """Undo the last `count` choices, in the match and in the record."""
        if self._recorder is not None:
            self._recorder.undo(count)
        self.rewind(len(self.choices) - count)

    def rewind(self, kept: int) -> None:
        """Go back to the state after the first `kept` choices, regardless of the players who made the others."""
        self.state = state_after(self, self.checkpoints, kept)
        self.choices = self.choices[:kept]
        self._decision = None
        self.checkpoints = until(self.checkpoints, kept)
        self._chronicle, self.stories = self.checkpoints[-1].copies() if self.checkpoints else (None, {})

    def replayed(self, choices: list[Deed], state: State | None = None) -> State:
        """Return the state after these choices, replayed from the beginning or from `state`."""
        state = self.origin.state() if state is None else state
        for made in choices:
            carry_out(self.names, state, made)
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
            recorder.save(self, Path(path))

    def record(self, path: str | Path) -> None:
        """Write the record so far, and every choice from now on.

        Args:
            path: File to write. No other process can write to it until `close`.

        Raises:
            RecordingError: The file cannot be written.
        """
        if self._recorder is None or not self._recorder.is_at(Path(path)):
            self.record_with(recorder.begin(self, Path(path)))

    def record_with(self, to: Keeper) -> None:
        """Record every choice from now on. The given recorder already contains the match so far."""
        self.close()
        self._recorder = to

    def close(self) -> None:
        """Stop recording, so that other processes can continue the match."""
        if self._recorder is not None:
            self._recorder.close()
        self._recorder = None


def place(site: Site) -> Span:
    """Return the position of the rule that makes the decision."""
    return site.statement.span if site.statement is not None else site.options[0].span


def unpickled(names: Names, origin: Origin, state: State, choices: list[Deed], limit: int) -> Match:
    match = Match(names, origin, state)
    match.choices, match.limit = choices, limit
    return match


def data(match: Match) -> list[object]:
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
    named = seated(game, players)
    names = Names(compile_game(game, len(named)), named)
    origin = Origin(names, chance.drawn() if seed is None else chance.checked(seed), checking)
    return Match(names, origin, origin.state())
