"""Sequence form of a two-player game, with an estimate of its size.

A sequence is a move at an information state, together with all earlier moves of its player. Payoffs are stored by pairs
of sequences, weighted by the probability of chance. The histories between them are dropped. Cards that no rule
distinguishes count as copies of one card, so chance nodes have fewer outcomes.

Sources: Koller, Megiddo and von Stengel, 1994; for the estimate, Knuth, "Estimating the efficiency of backtrack
programs", 1975.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import takewhile
from random import Random
from typing import Any

from attrs import Factory, define, frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import collect_all_nodes, iter_bodies, iter_declaration_expressions
from interpreter.gametree.card_attribute_dependence import CardDependence, find_dependence
from interpreter.gametree.tree_node import TreeContext, TreeNode, choose_result_kind
from interpreter.match.match import MAX_DECISIONS
from interpreter.narration.display_names import MatchNames, resolve_player_names
from interpreter.program.program import compile_game
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import State
from interpreter.view.player_view import View, ZoneView

FaceClasses = tuple[tuple[int, ...], ...]
"""Face numbers of indistinguishable cards, by class."""


def group_equal_faces(game: g.Game) -> FaceClasses:
    """Group the faces of a game by the attributes that its rules read.

    Each face is a class of its own if rules compare cards, sort them or store values for each card.
    """
    dependence = find_dependence(game, *iter_bodies(game), *iter_declaration_expressions(game))
    alone = dependence.distinguishes_faces or any(map(is_identity_dependent, collect_all_nodes(game)))
    alone = alone or any(track.subject == "card" for track in game.tracks.values())
    faces_by_attributes: dict[tuple[Any, ...], list[int]] = {}
    for face in game.faces:
        faces_by_attributes.setdefault(
            (face.number,) if alone else get_read_attributes(game, dependence, face), []
        ).append(face.number)
    return tuple(map(tuple, faces_by_attributes.values()))


def is_identity_dependent(part: object) -> bool:
    """Return whether a part of the rules compares cards or orders them by their identity."""
    if isinstance(part, g.Compare):
        return has_cards(part.left.type) or has_cards(part.right.type)
    if isinstance(part, g.IsIn):
        return has_cards(part.value.type)
    if isinstance(part, g.Pick):
        return part.position is None and not is_single_pick(part)
    return any(transfer.end in ("lowest", "highest") for transfer in find_effects(part).transfers)


def is_single_pick(pick: g.Pick) -> bool:
    """Return whether exactly one card is picked. Several cards are picked in the order of their numbers."""
    return all(isinstance(number, g.Const) and number.value == 1 for number in (pick.low, pick.high))


def has_cards(type_: g.Type) -> bool:
    """Return whether a type is a card or a list of cards, at any depth."""
    return type_.tag == "card" or (type_.item is not None and has_cards(type_.item))


def get_read_attributes(game: g.Game, dependence: CardDependence, face: g.Face) -> tuple[Any, ...]:
    """Return the attributes of a face that the rules read. They are equal for indistinguishable faces."""
    borne = [each.bodies[face.number] for each in game.borne_defines.values()]
    steps = [each.bodies[face.number] for each in game.borne_steps.values()]
    return (
        face.set,
        face.title if dependence.titles else None,
        face.number if face.number in dependence.named or any(borne) or any(steps) else None,
        *(game.columns[name].values[face.number] for name in sorted(dependence.columns)),
    )


def merge_card_names(game: g.Game, classes: FaceClasses) -> g.Game:
    """Return the game with one code and title for all cards of a class."""
    called = name_classes(game, classes)
    faces = (f.replace(code=called[f.number], title=called[f.number]) if f.number in called else f for f in game.faces)
    return game.replace(faces=tuple(faces))


def name_classes(game: g.Game, classes: FaceClasses) -> dict[int, str]:
    """Return by face the common name of its class, for classes of several faces.

    The name is the common prefix of the codes if all such names are unique, else the code of the first face.
    """
    several = [faces for faces in classes if len(faces) > 1]
    firsts = [game.faces[faces[0]].code for faces in several]
    starts = [find_common_prefix([game.faces[face].code for face in faces]) for faces in several]
    others = {game.faces[faces[0]].code for faces in classes if len(faces) == 1}
    plain = all(starts) and len({*starts, *others}) == len(starts) + len(others)
    return {face: name for faces, name in zip(several, starts if plain else firsts, strict=True) for face in faces}


def find_common_prefix(codes: list[str]) -> str:
    """Return the longest common prefix."""
    alike = takewhile(lambda letters: len(set(letters)) == 1, zip(*codes, strict=False))
    return "".join(letters[0] for letters in alike)


def describe_classes(game: g.Game, classes: FaceClasses) -> Iterable[str]:
    """Describe each class of several faces, such as `[J] is [Jh Js]`."""
    called = name_classes(game, classes)
    for faces in classes:
        if len(faces) > 1:
            yield f"[{called[faces[0]]}] is [{' '.join(game.faces[face].code for face in faces)}]"


EMPTY_SEQUENCE = 0
"""Number of the empty sequence, before the player's first choice."""
SUM_TOLERANCE = 1e-9


class UnsolvableError(ValueError):
    """Error for a game that the solver cannot handle. The message says why, and suggests a remedy."""


class CodeNumbering:
    """Numbering of moves by their codes."""

    def map_actions_to_codes(self, names: MatchNames, state: State, texts: Iterable[str]) -> dict[int, int]:
        return {code: code for code in state.legal}


@frozen
class SolvableGame:
    """Game prepared for solving. `classes`: classes of indistinguishable faces, which have one name in the `table`."""

    game: g.Game
    table: TreeContext[CodeNumbering]
    classes: FaceClasses

    def iter_weighted_outcomes(self, point: TreeNode) -> Iterator[tuple[int, float]]:
        """Yield one outcome of each class at a chance node, with the probability of the class."""
        outcomes = point.outcomes
        assert point.chance_event is not None
        if point.chance_event.lazy_card is None:
            yield from ((outcome, 1 / len(outcomes)) for outcome in outcomes)
            return
        of_face = {face: number for number, faces in enumerate(self.classes) for face in faces}
        equal_outcomes: dict[int, list[int]] = {}
        for card in outcomes:
            equal_outcomes.setdefault(of_face[self.table.program.face[card]], []).append(card)
        yield from ((cards[0], len(cards) / len(outcomes)) for cards in equal_outcomes.values())


def prepare_game(game: g.Game, result_kind: str | None = None) -> SolvableGame:
    """Prepare a game for solving.

    result_kind: as for `TreeContext`. None: scores, unless the game itself defines the winners.
    Raise `UnsolvableError` for a game that two players cannot play.
    """
    if 2 not in game.seats:
        raise UnsolvableError(f"{game.title} is not a two-player game. `solve` takes only games for two.")
    classes = group_equal_faces(game)
    named = resolve_player_names(game, 2)
    names = MatchNames(compile_game(merge_card_names(game, classes), 2), named)
    return SolvableGame(game, TreeContext(names, CodeNumbering(), result_kind or choose_result_kind(game)), classes)


@define
class InformationState:
    """Decision as its player knows it.

    parent: the sequence of the player's own moves that leads to it.
    first_sequence: the sequence of its first move; the sequences of the other moves follow.
    moves: the printed moves.
    visible_piles: the piles in which the player can identify a card.
    choices: the choices that players have made.
    log: the whole log, by line.
    """

    parent: int
    first_sequence: int
    moves: tuple[str, ...]
    visible_piles: tuple[str, ...]
    choices: tuple[str, ...]
    log: tuple[str, ...]


@define
class PlayerSequences:
    """Information states of one player, and the number of sequences. A state comes after the states that lead to it."""

    states: list[InformationState] = Factory(list)
    sequences: int = 1


@define
class SequenceForm:
    """Sequence form of a game.

    payoffs: by pair of sequences, the gain of the first player times the probability of chance.
    total: the constant sum of both gains.
    decisions, ends: the number of visited histories.
    """

    players: tuple[str, ...]
    sides: tuple[PlayerSequences, PlayerSequences]
    payoffs: Mapping[tuple[int, int], float]
    total: float
    decisions: int
    ends: int


def build_sequence_form(
    setting: SolvableGame, max_decisions: int, progress: Callable[[int], None] | None = None
) -> SequenceForm:
    """Build the tree of a game with at most `max_decisions` decisions in all histories.

    Raise `UnsolvableError` if there are more, or if the game is not constant-sum. Raise `RuleError` if a rule fails.
    """
    return SequenceFormBuilder(setting, max_decisions, progress).build()


class SequenceFormBuilder:
    """Builder of the tree: a depth-first walk through all histories."""

    def __init__(self, setting: SolvableGame, max_decisions: int, progress: Callable[[int], None] | None) -> None:
        self.setting, self.max_decisions, self.progress = setting, max_decisions, progress
        self.sides = (PlayerSequences(), PlayerSequences())
        self.known: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.payoffs: dict[tuple[int, int], float] = {}
        self.total: float | None = None
        self.decisions = self.ends = 0

    def build(self) -> SequenceForm:
        waiting: list[tuple[TreeNode, float, tuple[int, int]]] = [
            (self.setting.table.build_root(), 1.0, (EMPTY_SEQUENCE, EMPTY_SEQUENCE))
        ]
        while waiting:
            point, likely, pair = waiting.pop()
            if point.chance_event is not None:
                waiting += [
                    (point.draw_outcome(card), likely * part, pair)
                    for card, part in self.setting.iter_weighted_outcomes(point)
                ][::-1]
            elif point.over:
                self.add_end(point, likely, pair)
            else:
                waiting += [(after, likely, then) for after, then in self.expand_decision(point, pair)][::-1]
        players = self.setting.table.names.players
        return SequenceForm(players, self.sides, self.payoffs, self.total or 0.0, self.decisions, self.ends)

    def add_end(self, point: TreeNode, likely: float, pair: tuple[int, int]) -> None:
        first, second = point.gains
        self.total = check_constant_sum(self.setting, point, self.total)
        self.payoffs[pair] = self.payoffs.get(pair, 0.0) + likely * (first - second + self.total) / 2
        self.ends += 1

    def expand_decision(self, point: TreeNode, pair: tuple[int, int]) -> Iterator[tuple[TreeNode, tuple[int, int]]]:
        self.decisions += 1
        if self.progress is not None and self.decisions % 100 == 0:
            self.progress(self.decisions)
        check_decision_count(self.setting, self.decisions, self.max_decisions)
        check_history_length(point)
        if len(point.codes_by_action) == 1:
            yield point.play_action(next(iter(point.codes_by_action))), pair
            return
        seat = point.seat
        state = self.get_information_state(point, seat, pair[seat])
        for action, text in point.texts_by_action.items():
            sequence = state.first_sequence + state.moves.index(text)
            yield point.play_action(action), (sequence, pair[1]) if seat == 0 else (pair[0], sequence)

    def get_information_state(self, point: TreeNode, seat: int, parent: int) -> InformationState:
        """Return the information state of a decision. Histories that its player cannot distinguish share one."""
        side, known = self.sides[seat], point.build_information_state(seat, recall=True)
        number = self.known[seat].setdefault(known, len(side.states))
        if number == len(side.states):
            moves = tuple(point.texts_by_action.values())
            side.states.append(InformationState(parent, side.sequences, moves, *describe_knowledge(point.view(seat))))
            side.sequences += len(point.codes_by_action)
        return side.states[number]


def describe_knowledge(view: View) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the piles, choices and log lines of an information state."""
    piles = (zone for zone in view.table if any(card.code for card in zone.cards))
    sees = [f"{format_zone_name(zone)} {' '.join(map(str, zone.cards))}" for zone in piles]
    choices = (event.text for event in view.events if event.kind == "chose" and event.text)
    return tuple(sees), tuple(choices), tuple(map(str, view.log))


def format_zone_name(zone: ZoneView) -> str:
    return zone.noun if zone.owner is None else f"{zone.owner}'s {zone.noun}"


def check_constant_sum(setting: SolvableGame, point: TreeNode, total: float | None) -> float:
    """Return the sum of both gains at an end.

    Raise `UnsolvableError` if it differs from `total`, the sum at earlier ends.
    """
    gain_sum = sum(point.gains)
    if total is not None and abs(gain_sum - total) > SUM_TOLERANCE:
        (one, other), (first, second) = setting.table.names.players, point.gains
        raise UnsolvableError(
            f"{setting.game.title} is not a constant-sum game: one match ends {one} {first:g}, {other} {second:g}, and "
            f"another adds up to {total:g}. `solve` needs the same sum in every match. To count only who wins, add "
            "--results place."
        )
    return gain_sum


def check_decision_count(setting: SolvableGame, decisions: int, max_decisions: int) -> None:
    if decisions > max_decisions:
        raise UnsolvableError(f"{setting.game.title} has more than {max_decisions:,} decisions: too many to solve.")


def check_history_length(point: TreeNode) -> None:
    if len(point.past_moves) >= MAX_DECISIONS:
        raise RuleError(find_node_span(point), f"The match has hit the move limit of {MAX_DECISIONS} decisions.")


def find_node_span(point: TreeNode) -> Span:
    site = point.context.program.get_site(point.last_decision_state)
    return point.context.program.game.sources[0].full_span if site.statement is None else site.statement.span


PROBE_COUNT = 100
MAX_PROBE_STEPS = 4000
"""Number of nodes after which no further probe starts. The last probe still runs to its end."""
MAX_DEPTH = 1000
"""Number of decisions in a match after which a game counts as unsolvable."""


def estimate_tree_size(setting: SolvableGame) -> int:
    """Estimate the number of decisions in all histories of a game.

    Each probe weighs a decision by the product of the branching factors before it.
    Raise `UnsolvableError` if a probe finds no end, or if the game is not constant-sum.
    """
    probe = TreeProbe(setting)
    while not probe.ends or (probe.ends < PROBE_COUNT and probe.steps < MAX_PROBE_STEPS):
        probe.walk_to_end()
    return probe.decisions // probe.ends


class TreeProbe:
    """Random walks from the root to an end of the tree, with their weighted number of decisions."""

    def __init__(self, setting: SolvableGame) -> None:
        self.setting, self.random = setting, Random(0)
        self.ends = self.steps = self.decisions = 0
        self.total: float | None = None

    def walk_to_end(self) -> None:
        point, like_it = self.setting.table.build_root(), 1
        while not point.over:
            self.steps += 1
            if point.chance_event is not None:
                branches = [card for card, _ in self.setting.iter_weighted_outcomes(point)]
                point = point.draw_outcome(self.random.choice(branches))
            else:
                self.decisions += like_it
                branches = list(point.codes_by_action)
                if len(point.past_moves) >= MAX_DEPTH:
                    self.raise_too_deep()
                point = point.play_action(self.random.choice(branches))
            like_it *= len(branches)
        self.total = check_constant_sum(self.setting, point, self.total)
        self.ends += 1

    def raise_too_deep(self) -> None:
        title = self.setting.game.title
        raise UnsolvableError(f"{title} cannot be solved: a match had not ended after {MAX_DEPTH:,} decisions.")
