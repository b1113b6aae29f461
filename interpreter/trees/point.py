"""Tree of a game in extensive form: decision nodes, chance nodes and terminal nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from attrs import define, evolve, field, frozen

from cardlang import game as g
from interpreter.matches.allowing import Deed
from interpreter.matches.log import Chronicle
from interpreter.matches.match import Match
from interpreter.matches.moves import printed
from interpreter.matches.names import Names
from interpreter.matches.origin import Origin
from interpreter.matches.view import View
from interpreter.program import Program
from interpreter.state import ABSENT, State
from interpreter.trees.told import Script, Teller, Untold, begun, retold, settle

RESULTS = ("score", "place")


def default_results(game: g.Game) -> str:
    """Return `place` if the game itself defines the winners or has no score, else `score`."""
    declared = "winners" in game.defines or "standing" in game.orders
    scored = "score" in game.defines or "score" in game.tracks
    return "score" if scored and not declared else "place"


class ToldOrigin(Origin):
    """Set-up of a match from a script of chance outcomes.

    log: an existing log to copy, if there is one.
    filled: as in `Teller`.
    """

    def __init__(self, names: Names, script: Script, log: Chronicle | None = None, filled: bool = True) -> None:
        super().__init__(names, 0)
        self.teller = Teller(script, filled)
        self.log = log

    def state(self) -> State:
        return begun(self.program, self.teller)

    def told(self, program: Program) -> State:
        return begun(program, self.teller, listen=True)

    def before(self) -> State:
        return self.program.blank(self.teller)

    def chronicle(self) -> Chronicle:
        return super().chronicle() if self.log is None else self.log.copy()

    def path(self, choices: Sequence[Deed]) -> tuple[object, Sequence[Deed]]:
        return self.teller.script, choices


class Numbering(Protocol):
    """Numbers for moves in the tree, called actions."""

    def of(self, names: Names, state: State, texts: Iterable[str]) -> dict[int, int]:
        """Return the codes of a state's legal moves by action, in ascending order. `texts`: the printed moves."""


Numbers = TypeVar("Numbers", bound=Numbering)


@frozen(slots=False)
class Table(Generic[Numbers]):
    """Data that all nodes of a game share.

    results: `score` for each player's gain since the start, or `place`. With `place`, a player gets the number of
    players they beat minus the number who beat them.
    made: the function and arguments that build the table again, for pickling.
    """

    names: Names
    actions: Numbers
    results: str
    made: tuple[object, ...] = ()

    def __reduce__(self) -> Any:
        if not self.made:
            raise TypeError("Only games that were loaded by name can be stored.")
        return self.made

    @property
    def program(self) -> Program:
        return self.names.program

    def first(self) -> Point:
        """Return the root of the tree."""
        return Point(self, Script(), None, 0, ()).run()

    def gains(self, state: State) -> list[float]:
        """Return the result of each player, by seat."""
        if self.results == "place":
            places = self.program.places(state)
            return [float(sum((own < each) - (own > each) for each in places)) for own in places]
        return [float(score - start) for score, start in zip(self.scores(state), self.starts, strict=True)]

    @cached_property
    def starts(self) -> list[Fraction]:
        """Scores of the blank state, before the game begins."""
        return self.scores(self.program.blank(Teller(Script(), filled=True)))

    def scores(self, state: State) -> list[Fraction]:
        return [Fraction(score or 0) for score in self.program.scores(state)]


@define(eq=False, slots=False)
class Point:
    """Node of the game tree. Nodes are immutable: `take` and `draw` create their children.

    parent: the node of the last decision, at which `code` was played; None at the start.
    past: the moves so far, with their seats.
    state: the state at a decision or at the end.
    untold: at a chance node, the unresolved chance event.
    gained: at the end, the result of each seat.
    """

    table: Table[Any] = field(repr=False)
    script: Script
    parent: Point | None = field(repr=False)
    code: int
    past: tuple[tuple[int, str], ...]
    state: State | None = field(default=None, repr=False)
    untold: Untold | None = None
    gained: list[float] = field(factory=list)

    def __deepcopy__(self, memo: dict[int, object]) -> Point:
        return self

    def __reduce__(self) -> Any:
        return replayed, (self.table, self.script, self.made)

    def run(self) -> Point:
        """Play on from the parent to the next decision, the end or an unresolved chance event. Return this node.

        Raise `RuleError` if a rule fails.
        """
        program = self.table.program
        try:
            if self.parent is None:
                state = begun(program, Teller(self.script))
            else:
                state = program.clone(self.parent.stands)
                retold(state, self.script)
                program.apply(state, self.code)
            settle(state, program.layout.sees)
            if state.who == ABSENT:
                self.gained = self.table.gains(state)
        except Untold as untold:
            self.untold = untold
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
        return () if self.untold is None else self.untold.outcomes

    def draw(self, outcome: int) -> Point:
        """Return the node after an outcome of chance."""
        assert self.untold is not None
        point = evolve(self, script=self.untold.extend(self.script, outcome), untold=None)
        return point.run()

    def take(self, action: int) -> Point:
        """Return the node after a move, given by its action."""
        past = (*self.past, (self.stands.who, self.texts[action]))
        return Point(self.table, self.script, self, self.codes[action], past).run()

    @property
    def stands(self) -> State:
        """State of this node; at a chance node, the state of the decision before it."""
        if self.state is not None:
            return self.state
        assert self.parent is not None, "nobody has been asked anything yet"
        return self.parent.stands

    @property
    def made(self) -> tuple[int, ...]:
        """Codes of all moves so far, including one whose chance outcome is still open."""
        return () if self.parent is None else (*self.parent.choices, self.code)

    @cached_property
    def choices(self) -> list[int]:
        """Codes of the moves before the state here; at a chance node, before the last decision."""
        if self.parent is None:
            return []
        return self.parent.choices if self.state is None else [*self.parent.choices, self.code]

    @cached_property
    def codes(self) -> dict[int, int]:
        """Codes of the legal moves by action, in ascending order."""
        if self.untold is not None or self.over:
            return {}
        state = self.match.state
        actions: Numbering = self.table.actions
        return actions.of(self.table.names, state, self.all_texts)

    @cached_property
    def all_texts(self) -> list[str]:
        state = self.match.state
        return printed(self.table.names, state, state.legal)

    @cached_property
    def texts(self) -> dict[int, str]:
        """Printed forms of the legal moves by action."""
        by_code = dict(zip(self.match.state.legal, self.all_texts, strict=True))
        return {action: by_code[code] for action, code in self.codes.items()}

    # ------------------------------------------------------------ knowledge of players
    @cached_property
    def match(self) -> Match:
        """Match at this node; at a chance node, the match at the decision before it.

        Unseen cards of a shuffled pile are in ascending order.
        """
        names, state = self.table.names, self.table.program.clone(self.stands)
        retold(state, self.script, filled=True)
        match = Match(names, ToldOrigin(names, self.script, self.log), state)
        match.choices = list(self.choices)
        return match

    @cached_property
    def log(self) -> Chronicle | None:
        """Event log up to this node, continued from the log of the parent.

        It is None if the events depend on more chance outcomes than the rules did.
        """
        if self.parent is None:
            return Chronicle(self.table.names, ToldOrigin(self.table.names, self.script, filled=False))
        if self.state is None or self.parent.log is None:
            return self.parent.log
        log = self.parent.log.copy()
        retold(log.shadow, self.script)
        try:
            log.catch_up(self.choices)
        except Untold:
            return None
        return log

    @property
    def begun(self) -> bool:
        """Return whether the first decision has been reached."""
        return self.state is not None or self.parent is not None

    def view(self, seat: int) -> View:
        """Return the view of a seat."""
        if self.log is not None:
            self.log.lines(self.choices, seat)  # cached in the log for later nodes
        return self.match.view(seat)

    @property
    def seat(self) -> int:
        """Seat of the current player; at a chance node, that of the last decision. `ABSENT` at the end."""
        return self.stands.who

    def known(self, seat: int, recall: bool) -> str:
        """Return the information state of a seat as a string.

        recall: include all that the seat has seen and done before (perfect recall).
        """
        if not self.begun:
            return ""
        view = self.view(seat)
        lines = [f"{view.player}: {view.prompt}".rstrip(), *table_lines(view)]
        if recall:
            lines += ["moves " + ", ".join(text for who, text in self.past if who == seat), *view.log]
        return "\n".join(lines)


def replayed(table: Table[Any], script: Script, choices: tuple[int, ...]) -> Point:
    """Return the node after these moves, with the chance outcomes of a script."""
    point = Point(table, script, None, 0, ()).run()
    for code in choices:
        actions = {code: action for action, code in point.codes.items()}
        point = point.take(actions[code])
    return point


def table_lines(view: View) -> list[str]:
    """Return a line for each pile that is not empty and each track that is not 0 or empty."""
    lines = [
        f"{zone.owner or ''} {zone.name}: {' '.join(map(str, zone.cards))}".strip() for zone in view.table if zone.cards
    ]
    return lines + [f"{track.owner or ''} {track.name}: {track.text}".strip() for track in view.tracks if track.value]
