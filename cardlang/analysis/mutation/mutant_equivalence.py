"""Equivalence check of two games: equal programs, or the first difference in random matches."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from attrs import frozen

from cardlang import model as g
from cardlang.model.structural_keys import StructuralKeyBuilder
from interpreter.narration.decision_text import format_moves
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program, compile_game
from interpreter.program.program_export import build_program_json
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import ABSENT, State
from interpreter.runtime.value_formatting import get_default_names

MAX_COMPARED_DECISIONS = 1000
"""Maximum number of decisions in a match."""


RESULT_METHODS = {"winners": "find_winners", "scores": "compute_scores", "places": "compute_places"}
"""Names of results, with the methods of `Program` that compute them."""


@frozen
class MatchDifference:
    """First difference in a match.

    `move_count` were made before it, the last one is `last_move` (an empty string if there was none). `quantity` names
    the difference. `original_value` and `mutant_value` have its value in the original and in the mutant, as strings."""

    seed: int
    players: int
    move_count: int
    last_move: str
    quantity: str
    original_value: str
    mutant_value: str


def find_match_difference(game: g.Game, other: g.Game, matches: int) -> MatchDifference | None:
    """Return the first difference in `matches` random matches, or None. Both games get equal seeds and moves.

    Player counts take turns."""
    seats = sorted(game.seats)
    for number in range(matches):
        players = seats[number % len(seats)]
        difference = MatchPair(compile_game(game, players), compile_game(other, players), number + 1).find_difference()
        if difference is not None:
            return difference
    return None


class MatchPair:
    """Parallel matches of two programs, with the moves made so far."""

    def __init__(self, program: Program, other: Program, seed: int) -> None:
        self.program, self.other = program, other
        self.seed = seed
        self.codes: list[int] = []

    def find_difference(self) -> MatchDifference | None:
        """Play until a difference appears and return it. Return None if there is none."""
        if get_game_components(self.program) != get_game_components(self.other):
            return self.build_difference("components", *map(format_component_counts, (self.program, self.other)))
        pick = Random(self.seed).random
        state, changed = self.program.start(self.seed), self.start_mutant_match()
        while isinstance(changed, State) and is_same_state(state, changed):
            if state.who == ABSENT or len(self.codes) == MAX_COMPARED_DECISIONS:
                return self.compare_results(state, changed)
            code = state.legal[int(pick() * len(state.legal))]
            self.codes.append(code)
            self.program.apply(state, code)
            changed = self.apply_to_mutant(changed, code)
        if not isinstance(changed, State):
            why = changed.message if isinstance(changed, RuleError) else str(changed)
            return self.build_difference("the rules", "no error", why.rstrip("."))
        return self.compare_states(state, changed)

    def start_mutant_match(self) -> State | Exception:
        try:
            return self.other.start(self.seed)
        except Exception as error:
            return error

    def apply_to_mutant(self, changed: State, code: int) -> State | Exception:
        """Apply a move to the mutant's match.

        Return the exception if that fails, including crashes of the interpreter."""
        try:
            self.other.apply(changed, code)
        except Exception as error:
            return error
        return changed

    # ------------------------------------------------------------ differences
    def compare_states(self, state: State, changed: State) -> MatchDifference:
        names = MatchNames(self.program, get_default_names(self.program.players))
        other = MatchNames(self.other, names.players)
        for slot, track in enumerate(self.program.tracks):
            if state.t[slot] != changed.t[slot]:
                owner = names.get_owner_name(track.track.subject, track.of)
                noun = f"{owner}'s {track.track.name}" if owner is not None else track.track.name
                return self.build_difference(
                    noun, names.format_track(slot, state.t[slot]), other.format_track(slot, changed.t[slot])
                )
        piles = [pile for pile, cards in enumerate(state.z) if cards != changed.z[pile]]
        if piles:
            small = min(piles, key=lambda pile: len(state.z[pile]) + len(changed.z[pile]))
            return self.build_difference(
                names.get_pile_name(small), names.format_cards(state.z[small]), other.format_cards(changed.z[small])
            )
        asked = [self.format_decision(names, state), self.format_decision(other, changed)]
        return self.build_difference("decision", *asked)

    def compare_results(self, state: State, changed: State) -> MatchDifference | None:
        """Return the first difference in the results of a finished match."""
        if state.who != ABSENT:
            return None
        for what, method in RESULT_METHODS.items():
            results = [getattr(program, method)(at) for program, at in ((self.program, state), (self.other, changed))]
            if results[0] != results[1]:
                return self.build_difference(f"the {what} by seat", str(results[0]), str(results[1]))
        return None

    def format_decision(self, names: MatchNames, state: State) -> str:
        if state.who == ABSENT:
            return "none"
        return f"{names.players[state.who]}: {', '.join(format_moves(names, state, state.legal))}"

    def build_difference(self, quantity: str, original_value: str, mutant_value: str) -> MatchDifference:
        place = (self.seed, self.program.players, len(self.codes), self.format_last_move())
        return MatchDifference(*place, quantity, original_value, mutant_value)

    def format_last_move(self) -> str:
        """Return the last move as a string, written from the view of its player."""
        if not self.codes:
            return ""
        state = self.program.start(self.seed)
        for code in self.codes[:-1]:
            self.program.apply(state, code)
        names = MatchNames(self.program, get_default_names(self.program.players))
        return f"{names.players[state.who]}: {format_moves(names, state, self.codes[-1:])[0]}"


def is_same_state(state: State, changed: State) -> bool:
    """Return whether two states are observably equal."""
    return (
        state.who == changed.who and state.t == changed.t and state.z == changed.z and state.legal == changed.legal
    )  # fmt: skip


def get_game_components(program: Program) -> object:
    """Return the components of a game. States are comparable only if these are equal."""
    return program.face, len(program.zones), [(slot.track.name, slot.scale) for slot in program.tracks]


def format_component_counts(program: Program) -> str:
    return f"{len(program.face)} cards, {len(program.zones)} zones, {len(program.tracks)} numbers"


# ---------------------------------------------------------------- equivalence proof
class EquivalenceProof:
    """Reference IR of a game, computed lazily and cached for comparisons."""

    def __init__(self, game: g.Game) -> None:
        self.play_data = iter_play_data(game)
        self.cached_data: list[object] = []

    def is_equivalent_to(self, other: g.Game) -> bool:
        """Return whether another game is provably equivalent.

        It is if the IR for every player count and all data outside the IR are equal."""
        for number, piece in enumerate(iter_play_data(other)):
            if number == len(self.cached_data):
                self.cached_data.append(next(self.play_data))
            if piece != self.cached_data[number]:
                return False
        return True


def iter_play_data(game: g.Game) -> Iterator[object]:
    """Yield all data that determine play, without source positions.

    Programs are rebuilt here, since programs that ran examples have collected more data."""
    read = (game.kinds, game.columns, game.faces, game.rankings, game.orders, game.defines, game.borne_defines)
    yield StructuralKeyBuilder(("span", "origin", "sample")).build_key(read)
    for players in game.seats:
        program_data: Any = build_program_json(Program(game, players, listen=False))
        yield {key: value for key, value in program_data.items() if key != "places"}
