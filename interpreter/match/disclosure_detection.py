"""Detection of information that a player gains from a move.

Examples are a response, a compared number, or a decision that another player has. Two methods replay the moves:
- Dynamic taint tracking: a traced state notices every read of hidden information, so rare cases are found.
- Sampling: reads that only list a player's legal moves are not visible, apart from whether any exist. So the moves are
  also played in samples, which must lead to the same view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from types import FunctionType
from typing import Any

from interpreter.knowledge.taint_tracking import TracingList
from interpreter.match.determinization import Particle, sample_state
from interpreter.narration.decision_text import MovePrinter
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program
from interpreter.runtime.card_moves import CardMover
from interpreter.runtime.legal_card_combinations import CardPicker
from interpreter.runtime.state import ABSENT, State, TrackSlot

DISCLOSURE_SAMPLES = 20
"""Number of samples in which each move is repeated."""


def has_disclosed_information(
    names: MatchNames,
    states: Sequence[State],
    choices: Sequence[int],
    seat: int,
    imagine_secrets: Callable[[int], Sequence[Particle]],
) -> bool:
    """Return whether a seat may have learned something from these choices since the first state.

    `states`: before each choice, and the current one. `imagine_secrets`: returns possible values of the secret tracks
    after that number of choices. In doubt, return True.
    """
    if has_hidden_read(names.program, states[0], choices, seat):
        return True
    boundaries = [at for at, state in enumerate(states) if not state.picks or at == len(choices)]
    return any(
        has_other_outcome(names, states[begin : end + 1], choices[begin:end], seat, imagine_secrets(begin))
        for begin, end in pairwise(boundaries)
    )


def is_secret_from(slot: TrackSlot, seat: int) -> bool:
    return slot.track.secret and not (slot.track.subject == "player" and slot.of == seat)


# ---------------------------------------------------------------- reads by the rules
class HiddenReadState(State):
    """State that notices reads of some cards and slots.

    - `looked`: a visible read occurred.
    - `muted`: a hidden read occurred.
    - `quiet`: reads are currently hidden.
    """

    __slots__ = ("hidden", "looked", "muted", "quiet")
    hidden: frozenset[int]
    looked: bool
    muted: bool
    quiet: bool

    @classmethod
    def copy_with_hidden(cls, program: Program, state: State, seat: int) -> HiddenReadState:
        """Return a copy that notices reads of everything a seat cannot know."""
        traced = cls.__new__(cls)
        program.copy_state_into(state, traced)
        traced.rng, traced.checking, traced.events = state.rng, False, None
        traced.looked = traced.muted = traced.quiet = False
        cards = range(len(program.face))
        traced.hidden = frozenset(card for card in cards if not program.is_visible(state, card, seat))
        secret = {at for at, slot in enumerate(program.tracks) if is_secret_from(slot, seat)}
        traced.z = [traced.wrap_pile(pile) for pile in traced.z]
        traced.loc, traced.owner = (TracingList(each, traced.record_card_read) for each in (traced.loc, traced.owner))
        traced.t = TracingList(traced.t, lambda at: traced.record_read(at in secret))
        return traced

    def wrap_pile(self, cards: list[int]) -> TracingList:
        noting = TracingList(cards, lambda at: self.record_card_read(list.__getitem__(noting, at)))
        return noting

    def record_card_read(self, card: int) -> None:
        self.record_read(card in self.hidden)

    def record_read(self, counts: bool) -> None:
        if counts and self.quiet:
            self.muted = True
        elif counts:
            self.looked = True


def has_hidden_read(program: Program, before: State, choices: Sequence[int], seat: int) -> bool:
    """Return whether the rules read hidden information during these choices, or in the scores at the end."""
    traced, state = build_tracing_program(program), HiddenReadState.copy_with_hidden(program, before, seat)
    for code in choices:
        traced.apply(state, code)
    if state.who == ABSENT:
        program.compute_scores(state), program.find_winners(state)
    return state.looked


@lru_cache(maxsize=16)
def build_tracing_program(program: Program) -> Program:
    """Return a copy of a program for traced states.

    Reads are hidden while it moves cards and while it lists legal moves, unless there are no moves.
    """
    copies: dict[object, Any] = {}
    namespace: dict[str, Any] = {}
    for name, value in program.namespace.items():
        if isinstance(value, FunctionType) and value.__globals__ is program.namespace:
            function: Any = FunctionType(value.__code__, namespace, name, value.__defaults__, value.__closure__)
            namespace[name] = copies[value] = hide_listing_reads(function) if name.startswith("L_") else function
        elif isinstance(getattr(value, "__self__", None), CardMover | CardPicker):
            namespace[name] = hide_reads(value)
        else:
            namespace[name] = value
    for table in program.lowering.dispatch_tables:
        namespace[table] = [copies.get(entry, entry) for entry in namespace[table]]
    traced = Program.__new__(Program)
    traced.__dict__.update(program.__dict__)
    traced.namespace, traced.blocks = namespace, [copies.get(block, block) for block in program.blocks]
    return traced


def hide_reads(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that hides its reads. Functions without a state argument read nothing."""

    def run(*args: Any) -> Any:
        s = next((arg for arg in args if isinstance(arg, HiddenReadState)), None)
        if s is None:
            return function(*args)
        before, s.quiet = s.quiet, True
        try:
            return function(*args)
        finally:
            s.quiet = before

    return run


def hide_listing_reads(function: Callable[..., list[int]]) -> Callable[..., list[int]]:
    """Return a function that lists moves, with hidden reads.

    The reads become visible if there are no moves, because then a decision is skipped.
    """
    quiet = hide_reads(function)

    def run(s: HiddenReadState, *args: Any) -> list[int]:
        s.muted = False
        moves: list[int] = quiet(s, *args)
        if not moves:
            s.record_read(s.muted)
        return moves

    return run


# ---------------------------------------------------------------- samples
def has_other_outcome(
    names: MatchNames, states: Sequence[State], codes: Sequence[int], seat: int, particles: Sequence[Particle]
) -> bool:
    """Return whether a choice has another visible outcome in some sample.

    `states`, `codes`: those of the choice, or of its picks.
    """
    shown = collect_visible_state(names, states[-1], seat)
    picks = [format_move_for_seat(names, state, code, seat) for state, code in zip(states, codes, strict=False)]
    for number in range(DISCLOSURE_SAMPLES):
        sample = sample_state(names, states[0], seat, number, particles)
        if repeat_picks(names, sample, picks, seat) and collect_visible_state(names, sample, seat) != shown:
            return True
    return False


def repeat_picks(names: MatchNames, sample: State, picks: Sequence[str], seat: int) -> bool:
    """Make picks in a sample that look the same to a seat, in the order possible there.

    Return whether all were possible.
    """
    left = Counter(picks)
    for _ in picks:
        same = next((code for code in sample.legal if left[format_move_for_seat(names, sample, code, seat)]), None)
        if same is None:
            return False
        left[format_move_for_seat(names, sample, same, seat)] -= 1
        names.program.apply(sample, same)
    return True


def format_move_for_seat(names: MatchNames, state: State, code: int, seat: int) -> str:
    """Return the printed form of a move for an observing seat."""
    return MovePrinter(names, state, names.program.get_site(state), seat).format_move(code)


def collect_visible_state(names: MatchNames, state: State, seat: int) -> tuple[object, ...]:
    """Return everything a seat sees of a state: decision, known cards and backs by position, and visible tracks."""
    program = names.program
    tracks = [
        state.t[at]
        for at, slot in enumerate(program.tracks)
        if slot.track.subject != "card" and not is_secret_from(slot, seat)
    ]
    marks = program.layout.card_track_bases
    piles = [
        [
            (card if program.is_visible(state, card, seat) else ABSENT, *(state.t[base + card] for base in marks))
            for card in pile
        ]
        for pile in state.z
    ]
    over = state.who == ABSENT
    site = ABSENT if over else program.get_site(state).number
    results = (program.compute_scores(state), program.find_winners(state)) if over else ()
    return state.who, site, state.out, state.order, len(state.picks), tracks, piles, results
