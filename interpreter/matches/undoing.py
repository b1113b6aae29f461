"""Decide whether a choice can be undone, for `Match.undo` and every screen.

A player cannot unlearn information, so no agreement can allow an undo after they learned something. If only other
players saw or decided something since then, these can agree to it.
"""

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
    """Result of an undo: the first `kept` choices remain.

    - `never`: reason that it is impossible, even if all agree.
    - `asks`: reason that the other players must agree.

    Both are empty if there is no such reason.
    """

    kept: int
    never: str = ""
    asks: str = ""

    @property
    def why_not(self) -> str:
        """Reason that it is impossible without agreement; empty if it is possible."""
        why = self.never or self.asks
        return f"{why}{SO}" if why else ""


def kept_by_undo(match: Match, seat: int | None, bots: set[int], several: bool = False) -> int:
    """Return the number of choices that remain when a seat's last choice is undone.

    `seat` None means the last choice of any player. `several`: skip choices with a single legal move. Raise `MoveError`
    if an undo is impossible.
    """
    states = History(match)
    kept = last_choice(match, states, seat, bots, several)
    undo = judged(match, states, kept, states[kept].who, bots)
    if undo.why_not:
        raise MoveError(undo.why_not)
    return kept


def undo_to(match: Match, kept: int, player: str, bots: Collection[str]) -> Undo:
    """Return whether a player's choices after the first `kept`, and all since then, can be undone."""
    return judged(match, History(match), kept, match.names.seat(player), {match.names.seat(bot) for bot in bots})


def last_choice(match: Match, states: Sequence[State], seat: int | None, bots: set[int], several: bool) -> int:
    """Return the number of choices before a seat's last one. Arguments: see `kept_by_undo`.

    Raise `MoveError` if there is none, or if people have decided since then.
    """
    for count in range(len(states) - 2 - unfinished(states, seat), -1, -1):
        if not isinstance(match.choices[count], int):
            raise MoveError(f"A rule has been overridden since then{SO}")
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
    """Return the number of picks in another player's unfinished choice, which is secret."""
    now = states[-1]
    return 0 if seat is None or now.who == seat else len(now.picks)


def begun(states: Sequence[State], count: int) -> int:
    """Return the index at which the current choice of several begins: its first pick with an alternative."""
    first = count
    while states[count].picks:
        count -= 1
        first = count if len(states[count].legal) > 1 else first
    return first


def judged(match: Match, states: Sequence[State], kept: int, seat: int, bots: set[int]) -> Undo:
    """Return the obstacles to undoing all choices since the first `kept`."""
    made = match.choices[kept : len(match.choices) - unfinished(states, seat)]
    codes = [each for each in made if isinstance(each, int)]
    states = states[kept : kept + len(made) + 1]
    before, *since = states
    if len(codes) < len(made):
        return Undo(kept, "A rule has been overridden since then")
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
    """Return the cards that a person has seen since then.

    Cards that only bots have seen do not count, because bots remember nothing between decisions. With a single person,
    spectators see no more than that person.
    """
    program = match.program
    people = [seat for seat in range(program.players) if seat not in bots]
    return [
        card
        for seat in (people if len(people) == 1 else [*people, program.players])
        for card in range(len(program.face))
        if not program.visible(before, card, seat) and any(program.visible(s, card, seat) for s in since)
    ]
