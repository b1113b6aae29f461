"""Whether a choice may be taken back: one rule for `Match.undo` and every screen.

What the player who takes it back has learnt since stays learnt, so nobody can agree to that. What only others have
seen or decided since is theirs: they may agree."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.errors import MoveError
from interpreter.matches.checkpoints import History
from interpreter.matches.disclosure import discloses
from interpreter.state import State

if TYPE_CHECKING:
    from interpreter.matches.match import Match

SO = ", so you cannot undo it."


@frozen
class Undo:
    """What a choice can be taken back to: where the first `kept` choices are made. `never`: why it cannot be, whoever
    agrees; `asks`: why the others must agree. Empty: no such reason."""

    kept: int
    never: str = ""
    asks: str = ""

    @property
    def why_not(self) -> str:
        """Why it cannot be taken back where nobody can be asked; empty if it can."""
        why = self.never or self.asks
        return f"{why}{SO}" if why else ""


def kept_by_undo(match: Match, seat: int | None, bots: set[int], several: bool = False) -> int:
    """How many choices remain when the last one of `seat` (None: the last one; `several`: the last one where more than
    one move was open) is taken back. Raises MoveError."""
    states = History(match)
    kept = last_choice(match, states, seat, bots, several)
    undo = judged(match, states, kept, states[kept].who, bots)
    if undo.why_not:
        raise MoveError(undo.why_not)
    return kept


def undo_to(match: Match, kept: int, player: str, bots: Collection[str]) -> Undo:
    """Whether what a player did after the first `kept` choices, and all since, can be taken back."""
    return judged(match, History(match), kept, match.names.seat(player), {match.names.seat(bot) for bot in bots})


def last_choice(match: Match, states: Sequence[State], seat: int | None, bots: set[int], several: bool) -> int:
    """The number of the choices before the last one of a seat, see `kept_by_undo`. Raises MoveError if there is none,
    or people have decided since."""
    for count in range(len(states) - 2 - unfinished(states, seat), -1, -1):
        if not isinstance(match.choices[count], int):
            raise MoveError(f"A rule was overridden since then{SO}")
        own = seat is None or states[count].who == seat
        if own and several:
            if len(states[count].legal) == 1:
                continue
            return begun(states, count)
        if own:
            return count
        if states[count].who not in bots:
            raise MoveError(f"{match.players[states[count].who]} has moved since then{SO}")
    raise MoveError("You have nothing to undo.")


def unfinished(states: Sequence[State], seat: int | None) -> int:
    """So many picks somebody else has made who chooses several: how far that is nobody may know."""
    now = states[-1]
    return 0 if seat is None or now.who == seat else len(now.picks)


def begun(states: Sequence[State], count: int) -> int:
    """Where the choice of several begins that the state stands in: its first pick that was one of several."""
    first = count
    while states[count].picks:
        count -= 1
        first = count if len(states[count].legal) > 1 else first
    return first


def judged(match: Match, states: Sequence[State], kept: int, seat: int, bots: set[int]) -> Undo:
    """What speaks against taking back all choices of a seat and of others since the first `kept`."""
    made = match.choices[kept : len(match.choices) - unfinished(states, seat)]
    codes = [each for each in made if isinstance(each, int)]
    states = states[kept : kept + len(made) + 1]
    before, *since = states
    if len(codes) < len(made):
        return Undo(kept, "A rule was overridden since then")
    if any(state.rng != before.rng for state in since):
        return Undo(kept, "Something random has happened since then")
    seen = newly_seen(match, before, since, bots)
    if any(not match.program.visible(before, card, seat) for card in seen):
        return Undo(kept, "A player has seen a new card since then")
    if discloses(match.names, states, codes, seat):
        return Undo(kept, f"{match.players[seat]} has learned something since then")
    alone = all(other in bots for other in range(match.program.players) if other != seat)
    others = (state for state in states[:-1] if state.who != seat)
    decided = (each.who for each in others if each.who not in bots or (not alone and len(each.legal) > 1))
    other = next(decided, None)
    if other is not None:
        return Undo(kept, asks=f"{match.players[other]} has moved since then")
    return Undo(kept, asks="Other players have seen a new card since then" if seen else "")


def newly_seen(match: Match, before: State, since: list[State], bots: set[int]) -> list[int]:
    """The cards that a person has come to see. What bots alone have seen does not count: they know nothing but where
    the match stands. Who looks on beside a single person sees no more than that person."""
    program = match.program
    people = [seat for seat in range(program.players) if seat not in bots]
    return [
        card
        for seat in (people if len(people) == 1 else [*people, program.players])
        for card in range(len(program.face))
        if not program.visible(before, card, seat) and any(program.visible(s, card, seat) for s in since)
    ]
