"""The tree of a game in which chance is a player: points where somebody decides, chance does, or all is over."""

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
    """Places where the game says itself who wins, or keeps no score."""
    declared = "winners" in game.defines or "standing" in game.orders
    scored = "score" in game.defines or "score" in game.tracks
    return "score" if scored and not declared else "place"


class ToldOrigin(Origin):
    """Set-up from a script. `log`: what is told already, if it is; `filled`: as in `Teller`."""

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
    """Numbers for moves, by which they are taken."""

    def of(self, names: Names, state: State, texts: Iterable[str]) -> dict[int, int]:
        """The codes of the moves open in a state by their numbers, ascending. `texts`: the moves as printed."""


Numbers = TypeVar("Numbers", bound=Numbering)


@frozen(slots=False)
class Table(Generic[Numbers]):
    """What all points of a game share. `results`: `score`, what each has gained since the start, or `place`, how many
    players each has beaten less how many were better. `made`: the function and the arguments that make it again."""

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
        """The point at which a game begins."""
        return Point(self, Script(), None, 0, ()).run()

    def gains(self, state: State) -> list[float]:
        """By seat."""
        if self.results == "place":
            places = self.program.places(state)
            return [float(sum((own < each) - (own > each) for each in places)) for own in places]
        return [float(score - start) for score, start in zip(self.scores(state), self.starts, strict=True)]

    @cached_property
    def starts(self) -> list[Fraction]:
        """The scores before anything happens."""
        return self.scores(self.program.blank(Teller(Script(), filled=True)))

    def scores(self, state: State) -> list[Fraction]:
        return [Fraction(score or 0) for score in self.program.scores(state)]


@define(eq=False, slots=False)
class Point:
    """Where a game stands. Points do not change: `take` and `draw` make the next one.

    `parent`: the point of the decision that was answered last, with `code` (None: the beginning); `past`: the moves
    made until here, with their seats; `state`: where the rules then stop, `untold`: or what chance must tell before
    they can; `gained`: by seat, when all is over.
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
        """This point, played on until somebody decides. Raises RuleError where the rules cannot be carried out."""
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

    # ------------------------------------------------------------ who and what
    @property
    def over(self) -> bool:
        return self.state is not None and self.state.who == ABSENT

    @property
    def outcomes(self) -> tuple[int, ...]:
        """What chance can do here, all equally likely; nothing if it is not its turn."""
        return () if self.untold is None else self.untold.outcomes

    def draw(self, outcome: int) -> Point:
        """The point after an outcome of chance."""
        assert self.untold is not None
        point = evolve(self, script=self.untold.extend(self.script, outcome), untold=None)
        return point.run()

    def take(self, action: int) -> Point:
        """The point after a move, given by its action."""
        past = (*self.past, (self.stands.who, self.texts[action]))
        return Point(self.table, self.script, self, self.codes[action], past).run()

    @property
    def stands(self) -> State:
        """The state here, or, while chance has not told enough, at the decision before."""
        if self.state is not None:
            return self.state
        assert self.parent is not None, "nobody has been asked anything yet"
        return self.parent.stands

    @property
    def made(self) -> tuple[int, ...]:
        """The codes of all moves made, the last one too where chance has not answered it yet."""
        return () if self.parent is None else (*self.parent.choices, self.code)

    @cached_property
    def choices(self) -> list[int]:
        """The codes of the moves made until the state here."""
        if self.parent is None:
            return []
        return self.parent.choices if self.state is None else [*self.parent.choices, self.code]

    @cached_property
    def codes(self) -> dict[int, int]:
        """The moves open, by their actions in ascending order: what the program calls them."""
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
        """The moves open, by their actions, as they are printed."""
        by_code = dict(zip(self.match.state.legal, self.all_texts, strict=True))
        return {action: by_code[code] for action, code in self.codes.items()}

    # ------------------------------------------------------------ what is known
    @cached_property
    def match(self) -> Match:
        """The match here; while chance has not told enough, the one at the decision before. What nobody has seen of a
        shuffled pile lies in ascending order there."""
        names, state = self.table.names, self.table.program.clone(self.stands)
        retold(state, self.script, filled=True)
        match = Match(names, ToldOrigin(names, self.script, self.log), state)
        match.choices = list(self.choices)
        return match

    @cached_property
    def log(self) -> Chronicle | None:
        """What has happened until here, told on from the log of the point before; None if the telling needs more of
        chance than the rules did."""
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
        """Whether anybody has been asked anything yet."""
        return self.state is not None or self.parent is not None

    def view(self, seat: int) -> View:
        """What a seat knows."""
        if self.log is not None:
            self.log.lines(self.choices, seat)  # kept there for the points that follow
        return self.match.view(seat)

    @property
    def seat(self) -> int:
        """Who is asked, or was asked last."""
        return self.stands.who

    def known(self, seat: int, recall: bool) -> str:
        """What a seat knows, as text; `recall`: with everything that it has seen and done before."""
        if not self.begun:
            return ""
        view = self.view(seat)
        lines = [f"{view.player}: {view.prompt}".rstrip(), *table_lines(view)]
        if recall:
            lines += ["moves " + ", ".join(text for who, text in self.past if who == seat), *view.log]
        return "\n".join(lines)


def replayed(table: Table[Any], script: Script, choices: tuple[int, ...]) -> Point:
    """The point after these moves, where chance tells what the script says."""
    point = Point(table, script, None, 0, ()).run()
    for code in choices:
        actions = {code: action for action, code in point.codes.items()}
        point = point.take(actions[code])
    return point


def table_lines(view: View) -> list[str]:
    """The piles that are not empty and the tracks that are not at nothing."""
    lines = [
        f"{zone.owner or ''} {zone.name}: {' '.join(map(str, zone.cards))}".strip() for zone in view.table if zone.cards
    ]
    return lines + [f"{track.owner or ''} {track.name}: {track.text}".strip() for track in view.tracks if track.value]
