"""Inference from marks on hidden cards. A player who learns which of their cards are red also learns about the others.

A move that marked some cards of a pile is replayed with cards of every face in that pile. A face is possible for a card
if it would have received equal marks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from interpreter.errors import RuleError
from interpreter.matches.match import Match
from interpreter.matches.names import Names
from interpreter.matches.sampling import swap_cards, with_cards
from interpreter.program import Program
from interpreter.state import State

May = dict[int, set[int]]
"""Possible faces by card, from the public marks; a card without an entry can have any face."""


def note(names: Names, before: State, code: int, after: State, may: May) -> None:
    """Update the possible faces after a move. Forget those of cards that moved."""
    for card, place in enumerate(before.loc):
        if after.loc[card] != place:
            may.pop(card, None)
    for pile in marked_piles(names.program, before, after):
        found = narrowed(names, before, code, after, pile)
        for card, faces in found.items():
            may[card] = (may.get(card, faces) & faces) or faces


def marked_piles(program: Program, before: State, after: State) -> Iterator[int]:
    """Yield the piles, not visible to all players, in which the move changed marks."""
    for pile, cards in enumerate(before.z):
        if program.layout.marks and program.layout.sees[pile] != program.layout.everyone:
            staying = [card for card in cards if after.loc[card] == pile]
            if any(marks(program, before, card) != marks(program, after, card) for card in staying):
                yield pile


def telling(match: Match, indices: list[int]) -> list[int]:
    """Return the moves that give information, in games with a shared score.

    Leave out a move that marks nothing new if its option can also mark something new.
    """
    program, now = match.program, match.state
    site = program.site(now)
    if not program.shared or not program.layout.marks or not site.options:
        return indices
    world = match.sample(now.who, 0).state
    options = {index: (now.legal[index] - 1) % len(site.options) if now.legal[index] else -1 for index in indices}
    marking = {index for index in indices if marks_anew(program, world, world.legal[index])}
    with_marks = {options[index] for index in marking}
    return [index for index in indices if index in marking or options[index] not in with_marks]


def marks_anew(program: Program, world: State, code: int) -> bool:
    state = program.clone(world)
    state.events, state.checking = None, False
    with suppress(RuleError):
        program.apply(state, code)
    return any(marks(program, world, card) != marks(program, state, card) for card in range(len(program.face)))


def marks(program: Program, state: State, card: int) -> list[int]:
    return [state.t[base + card] for base in bases(program)]


def bases(program: Program) -> list[int]:
    """Return the storage indices of the marks of the first card."""
    return [program.track_base[name] for name, track in program.game.tracks.items() if track.subject == "card"]


def narrowed(names: Names, before: State, code: int, after: State, pile: int) -> May:
    """Return the possible faces of the cards of a pile, given the marks of this move.

    Omit cards that no face explains.
    """
    program, held, face = names.program, before.z[pile], names.program.face
    found: May = {card: set() for card in held}
    one = list(dict(zip(reversed(face), reversed(range(len(face))), strict=True)).values())
    for first in range(0, len(one), len(held)):
        tried = dict(zip(held, one[first : first + len(held)], strict=False))
        renaming = list(range(len(face)))
        for place, card in tried.items():
            other = renaming.index(card)
            renaming[place], renaming[other] = card, renaming[place]
        state = played(names, before, code, renaming, unmarked=held)
        for card in held:
            for other in tried.values():
                if marked_alike(program, before, after, card, state, other):
                    found[card].add(face[other])
    return {card: faces for card, faces in found.items() if faces}


def played(names: Names, before: State, code: int, renaming: list[int], unmarked: list[int]) -> State:
    """Return the state after a move with other cards in some places. Those cards had no marks before."""
    program = names.program
    state = program.clone(before)
    state.events, state.checking = None, False
    swap_cards(names, state, renaming)
    for base in bases(program):
        for place in unmarked:
            state.t[base + renaming[place]] = program.template.t[base + renaming[place]]
    program.apply(state, substituted(names, before, code, renaming))
    return state


def substituted(names: Names, state: State, code: int, renaming: list[int]) -> int:
    """Return the code of an option with its cards permuted."""
    site = names.program.site(state)
    return with_cards(site, code, renaming) if site.options else code


def marked_alike(program: Program, before: State, after: State, card: int, state: State, other: int) -> bool:
    """Return whether the marks of a card are equal to those of `other` in `state`."""
    first = program.template.t
    for base in bases(program):
        mark = state.t[base + other]
        if after.t[base + card] != (before.t[base + card] if mark == first[base + card] else mark):
            return False
    return True
