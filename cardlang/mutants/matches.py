"""Differential testing: random matches of a game and its mutant, compared move by move."""

from __future__ import annotations

from random import Random

from attrs import frozen

from cardlang import game as g
from interpreter.compiler import compile_game
from interpreter.errors import RuleError
from interpreter.matches.moves import printed
from interpreter.matches.names import Names
from interpreter.matches.seating import default_names
from interpreter.program import Program
from interpreter.state import ABSENT, State

MOST_DECISIONS = 1000
"""Maximum number of decisions in a match."""


@frozen
class Difference:
    """First difference in a match.

    `moves` were made before it, the last one is `move` (an empty string if there was none). `what` names the
    difference. `now` and `changed` have its value in the original and in the mutant, as strings."""

    seed: int
    players: int
    moves: int
    move: str
    what: str
    now: str
    changed: str


def difference(game: g.Game, other: g.Game, matches: int) -> Difference | None:
    """Return the first difference in `matches` random matches, or None. Both games get equal seeds and moves.

    Player counts take turns."""
    seats = sorted(game.seats)
    for number in range(matches):
        players = seats[number % len(seats)]
        found = Pair(compile_game(game, players), compile_game(other, players), number + 1).apart()
        if found is not None:
            return found
    return None


class Pair:
    """Parallel matches of two programs, with the moves made so far."""

    def __init__(self, program: Program, other: Program, seed: int) -> None:
        self.program, self.other = program, other
        self.seed = seed
        self.codes: list[int] = []

    def apart(self) -> Difference | None:
        """Play until a difference appears and return it. Return None if there is none."""
        if pieces(self.program) != pieces(self.other):
            return self.told("components", *map(counted, (self.program, self.other)))
        pick = Random(self.seed).random
        state, changed = self.program.start(self.seed), self.started()
        while isinstance(changed, State) and same(state, changed):
            if state.who == ABSENT or len(self.codes) == MOST_DECISIONS:
                return self.results_apart(state, changed)
            code = state.legal[int(pick() * len(state.legal))]
            self.codes.append(code)
            self.program.apply(state, code)
            changed = self.applied(changed, code)
        if not isinstance(changed, State):
            why = changed.message if isinstance(changed, RuleError) else str(changed)
            return self.told("the rules", "no error", why.rstrip("."))
        return self.states_apart(state, changed)

    def started(self) -> State | Exception:
        try:
            return self.other.start(self.seed)
        except Exception as error:
            return error

    def applied(self, changed: State, code: int) -> State | Exception:
        """Apply a move to the mutant's match.

        Return the exception if that fails, including crashes of the interpreter."""
        try:
            self.other.apply(changed, code)
        except Exception as error:
            return error
        return changed

    # ------------------------------------------------------------ differences
    def states_apart(self, state: State, changed: State) -> Difference:
        names = Names(self.program, default_names(self.program.players))
        other = Names(self.other, names.players)
        for slot, track in enumerate(self.program.tracks):
            if state.t[slot] != changed.t[slot]:
                owner = names.owner(track.track.subject, track.of)
                noun = f"{owner}'s {track.track.name}" if owner is not None else track.track.name
                return self.told(noun, names.of_track(slot, state.t[slot]), other.of_track(slot, changed.t[slot]))
        piles = [pile for pile, cards in enumerate(state.z) if cards != changed.z[pile]]
        if piles:
            small = min(piles, key=lambda pile: len(state.z[pile]) + len(changed.z[pile]))
            return self.told(names.pile(small), names.cards(state.z[small]), other.cards(changed.z[small]))
        asked = [self.asked(names, state), self.asked(other, changed)]
        return self.told("decision", *asked)

    def results_apart(self, state: State, changed: State) -> Difference | None:
        """Return the first difference in the results of a finished match."""
        if state.who != ABSENT:
            return None
        for what in ("winners", "scores", "places"):
            found = [getattr(program, what)(at) for program, at in ((self.program, state), (self.other, changed))]
            if found[0] != found[1]:
                return self.told(f"the {what} by seat", str(found[0]), str(found[1]))
        return None

    def asked(self, names: Names, state: State) -> str:
        if state.who == ABSENT:
            return "none"
        return f"{names.players[state.who]}: {', '.join(printed(names, state, state.legal))}"

    def told(self, what: str, now: str, changed: str) -> Difference:
        return Difference(self.seed, self.program.players, len(self.codes), self.last_move(), what, now, changed)

    def last_move(self) -> str:
        """Return the last move as a string, written from the view of its player."""
        if not self.codes:
            return ""
        state = self.program.start(self.seed)
        for code in self.codes[:-1]:
            self.program.apply(state, code)
        names = Names(self.program, default_names(self.program.players))
        return f"{names.players[state.who]}: {printed(names, state, self.codes[-1:])[0]}"


def same(state: State, changed: State) -> bool:
    """Return whether two states are observably equal."""
    return (
        state.who == changed.who and state.t == changed.t and state.z == changed.z and state.legal == changed.legal
    )  # fmt: skip


def pieces(program: Program) -> object:
    """Return the components of a game. States are comparable only if these are equal."""
    return program.face, len(program.zones), [(slot.track.name, slot.scale) for slot in program.tracks]


def counted(program: Program) -> str:
    return f"{len(program.face)} cards, {len(program.zones)} zones, {len(program.tracks)} numbers"
