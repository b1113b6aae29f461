"""How far a choice may be taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.errors import MoveError
from interpreter.matches.allowing import carry_out
from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.matches.match import Match


def kept_by_undo(match: Match, seat: int | None, bots: set[int], several: bool = False) -> int:
    """How many choices remain when the last one of `seat` (None: the last one; `several`: the last one where more than
    one move was open) is taken back. Raises MoveError."""
    states = history(match)
    for count in range(len(states) - 2, -1, -1):
        if not isinstance(match.choices[count], int):
            raise MoveError("Something was allowed since, so it cannot be taken back.")
        own = seat is None or states[count].who == seat
        if own and several:
            if len(states[count].legal) == 1:
                continue
            count = begun(states, count)
        if own:
            refuse_if_seen(match, states[count], states[count + 1 :], bots)
            return count
        if states[count].who not in bots:
            raise MoveError(f"{match.players[states[count].who]} has decided since, so it cannot be taken back.")
    raise MoveError("There is nothing to take back.")


def begun(states: list[State], count: int) -> int:
    """Where the choice of several begins that the state stands in: its first pick that was one of several."""
    first = count
    while states[count].picks:
        count -= 1
        first = count if len(states[count].legal) > 1 else first
    return first


def history(match: Match) -> list[State]:
    """The states at all decisions so far, and the present one."""
    program = match.program
    states = [match.origin.state()]
    for made in match.choices:
        state = program.clone(states[-1])
        carry_out(match.names, state, made)
        states.append(state)
    return states


def seen_since(match: Match, kept: int, seat: int) -> list[str]:
    """The codes of the cards that a seat has come to see since so many choices were made, the first seen first."""
    before, *since = history(match)[kept:]
    program, found = match.program, dict[int, None]()
    for state in since:
        cards = (card for card in range(len(program.face)) if program.visible(state, card, seat))
        found.update((card, None) for card in cards if not program.visible(before, card, seat))
    return [match.names.code(card) for card in found]


def refuse_if_seen(match: Match, before: State, since: list[State], bots: set[int]) -> None:
    """Chance that was used and cards that somebody came to see cannot be taken back. What bots alone have seen can:
    they know nothing but where the match stands. Who looks on beside a single person sees no more than that person."""
    if any(state.rng != before.rng for state in since):
        raise MoveError("Chance has decided something since, so it cannot be taken back.")
    program = match.program
    people = [seat for seat in range(program.players) if seat not in bots]
    for seat in people if len(people) == 1 else [*people, program.players]:
        for card in range(len(program.face)):
            if not program.visible(before, card, seat) and any(program.visible(s, card, seat) for s in since):
                raise MoveError("Somebody has seen a new card since, so it cannot be taken back.")
