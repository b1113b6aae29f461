"""Tree of information states of a two-player game with perfect recall, in sequence form.

A sequence is a move at an information state, together with all earlier moves of its player. Payoffs are stored by pairs
of sequences, weighted by the probability of chance. The histories between them are dropped.

Source: Koller, Megiddo and von Stengel, 1994.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from attrs import Factory, define, frozen

from cardlang import game as g
from cardlang.source import Span
from interpreter.compiler import compile_game
from interpreter.errors import RuleError
from interpreter.matches.match import MAX_DECISIONS
from interpreter.matches.names import Names
from interpreter.matches.seating import seated
from interpreter.matches.view import View, ZoneView
from interpreter.solving.classes import Classes, classes_of, with_classes
from interpreter.state import State
from interpreter.trees.point import Point, Table, default_results

NOTHING = 0
"""Number of the empty sequence, before the player's first choice."""
TOLERANCE = 1e-9


class UnsolvableError(ValueError):
    """Error for a game that the solver cannot handle. The message says why, and suggests a remedy."""


class Codes:
    """Numbering of moves by their codes."""

    def of(self, names: Names, state: State, texts: Iterable[str]) -> dict[int, int]:
        return {code: code for code in state.legal}


@frozen
class Setting:
    """Game prepared for solving. `classes`: classes of indistinguishable faces, which have one name in the `table`."""

    game: g.Game
    table: Table[Codes]
    classes: Classes

    def weighed(self, point: Point) -> Iterator[tuple[int, float]]:
        """Yield one outcome of each class at a chance node, with the probability of the class."""
        outcomes = point.outcomes
        assert point.untold is not None
        if point.untold.unknown is None:
            yield from ((outcome, 1 / len(outcomes)) for outcome in outcomes)
            return
        of_face = {face: number for number, faces in enumerate(self.classes) for face in faces}
        found: dict[int, list[int]] = {}
        for card in outcomes:
            found.setdefault(of_face[self.table.program.face[card]], []).append(card)
        yield from ((cards[0], len(cards) / len(outcomes)) for cards in found.values())


def set_up(game: g.Game, results: str | None = None) -> Setting:
    """Prepare a game for solving.

    results: as for `Table`. None: scores, unless the game itself defines the winners.
    Raise `UnsolvableError` for a game that two players cannot play.
    """
    if 2 not in game.seats:
        raise UnsolvableError(f"{game.title} is not a two-player game. `solve` takes only games for two.")
    classes = classes_of(game)
    named = seated(game, 2)
    names = Names(compile_game(with_classes(game, classes), 2), named)
    return Setting(game, Table(names, Codes(), results or default_results(game)), classes)


@define
class InformationState:
    """Decision as its player knows it.

    parent: the sequence of the player's own moves that leads to it.
    first: the sequence of its first move; the sequences of the other moves follow.
    moves: the printed moves.
    sees: the piles in which the player can identify a card.
    heard: the choices that players have made.
    log: the whole log, by line.
    """

    parent: int
    first: int
    moves: tuple[str, ...]
    sees: tuple[str, ...]
    heard: tuple[str, ...]
    log: tuple[str, ...]


@define
class Side:
    """Information states of one player, and the number of sequences. A state comes after the states that lead to it."""

    states: list[InformationState] = Factory(list)
    sequences: int = 1


@define
class Tree:
    """Sequence form of a game.

    payoffs: by pair of sequences, the gain of the first player times the probability of chance.
    total: the constant sum of both gains.
    decisions, ends: the number of visited histories.
    """

    players: tuple[str, ...]
    sides: tuple[Side, Side]
    payoffs: Mapping[tuple[int, int], float]
    total: float
    decisions: int
    ends: int


def grown(setting: Setting, most: int, progress: Callable[[int], None] | None = None) -> Tree:
    """Build the tree of a game with at most `most` decisions in all histories.

    Raise `UnsolvableError` if there are more, or if the game is not constant-sum. Raise `RuleError` if a rule fails.
    """
    return Grower(setting, most, progress).grow()


class Grower:
    """Builder of the tree: a depth-first walk through all histories."""

    def __init__(self, setting: Setting, most: int, progress: Callable[[int], None] | None) -> None:
        self.setting, self.most, self.progress = setting, most, progress
        self.sides = (Side(), Side())
        self.known: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.payoffs: dict[tuple[int, int], float] = {}
        self.total: float | None = None
        self.decisions = self.ends = 0

    def grow(self) -> Tree:
        waiting: list[tuple[Point, float, tuple[int, int]]] = [(self.setting.table.first(), 1.0, (NOTHING, NOTHING))]
        while waiting:
            point, likely, pair = waiting.pop()
            if point.untold is not None:
                waiting += [(point.draw(card), likely * part, pair) for card, part in self.setting.weighed(point)][::-1]
            elif point.over:
                self.end(point, likely, pair)
            else:
                waiting += [(after, likely, then) for after, then in self.decide(point, pair)][::-1]
        players = self.setting.table.names.players
        return Tree(players, self.sides, self.payoffs, self.total or 0.0, self.decisions, self.ends)

    def end(self, point: Point, likely: float, pair: tuple[int, int]) -> None:
        first, second = point.gained
        self.total = check_sum(self.setting, point, self.total)
        self.payoffs[pair] = self.payoffs.get(pair, 0.0) + likely * (first - second + self.total) / 2
        self.ends += 1

    def decide(self, point: Point, pair: tuple[int, int]) -> Iterator[tuple[Point, tuple[int, int]]]:
        self.decisions += 1
        if self.progress is not None and self.decisions % 100 == 0:
            self.progress(self.decisions)
        check_size(self.setting, self.decisions, self.most)
        check_length(point)
        if len(point.codes) == 1:
            yield point.take(next(iter(point.codes))), pair
            return
        seat = point.seat
        state = self.state(point, seat, pair[seat])
        for action, text in point.texts.items():
            sequence = state.first + state.moves.index(text)
            yield point.take(action), (sequence, pair[1]) if seat == 0 else (pair[0], sequence)

    def state(self, point: Point, seat: int, parent: int) -> InformationState:
        """Return the information state of a decision. Histories that its player cannot distinguish share one."""
        side, known = self.sides[seat], point.known(seat, recall=True)
        number = self.known[seat].setdefault(known, len(side.states))
        if number == len(side.states):
            moves = tuple(point.texts.values())
            side.states.append(InformationState(parent, side.sequences, moves, *told(point.view(seat))))
            side.sequences += len(point.codes)
        return side.states[number]


def told(view: View) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the piles, choices and log lines of an information state."""
    piles = (zone for zone in view.table if any(card.code for card in zone.cards))
    sees = [f"{named(zone)} {' '.join(map(str, zone.cards))}" for zone in piles]
    heard = (event.text for event in view.events if event.kind == "chose" and event.text)
    return tuple(sees), tuple(heard), tuple(map(str, view.log))


def named(zone: ZoneView) -> str:
    return zone.noun if zone.owner is None else f"{zone.owner}'s {zone.noun}"


def check_sum(setting: Setting, point: Point, total: float | None) -> float:
    """Return the sum of both gains at an end.

    Raise `UnsolvableError` if it differs from `total`, the sum at earlier ends.
    """
    here = sum(point.gained)
    if total is not None and abs(here - total) > TOLERANCE:
        (one, other), (first, second) = setting.table.names.players, point.gained
        raise UnsolvableError(
            f"{setting.game.title} is not a constant-sum game: one match ends {one} {first:g}, {other} {second:g}, and "
            f"another adds up to {total:g}. `solve` needs the same sum in every match. To count only who wins, add "
            "--results place."
        )
    return here


def check_size(setting: Setting, decisions: int, most: int) -> None:
    if decisions > most:
        raise UnsolvableError(f"{setting.game.title} has more than {most:,} decisions: too many to solve.")


def check_length(point: Point) -> None:
    if len(point.past) >= MAX_DECISIONS:
        raise RuleError(place(point), f"The match has hit the move limit of {MAX_DECISIONS} decisions.")


def place(point: Point) -> Span:
    site = point.table.program.site(point.stands)
    return point.table.program.game.sources[0].whole if site.statement is None else site.statement.span
