"""Limits of undo: the choices that a player can take back.

A player cannot unlearn information, so no agreement can allow an undo after they learned something. If only other
players saw or decided something since then, these can agree to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import frozen

from interpreter.match.determinization import Particle
from interpreter.match.disclosure_detection import has_disclosed_information
from interpreter.match.secret_values import find_secret_values
from interpreter.match.state_edits import Surrender
from interpreter.match.undo_checkpoints import CheckpointedMatch, StateHistory
from interpreter.runtime.errors import MoveError
from interpreter.runtime.state import State

CANNOT_UNDO = ", so you cannot undo it."


@frozen
class UndoCheck:
    """Result of an undo: the first `kept_choices` choices remain.

    - `obstacle`: reason that it is impossible, even if all agree.
    - `agreement_reason`: reason that the other players must agree.

    Both are empty if there is no such reason.
    """

    kept_choices: int
    obstacle: str = ""
    agreement_reason: str = ""

    @property
    def why_not(self) -> str:
        """Reason that it is impossible without agreement; empty if it is possible."""
        why = self.obstacle or self.agreement_reason
        return f"{why}{CANNOT_UNDO}" if why else ""


def count_kept_choices(match: CheckpointedMatch, seat: int | None, bots: set[int], several: bool = False) -> int:
    """Return the number of choices that remain when a seat's last choice is undone.

    `seat` None means the last choice of any player. `several`: skip choices with a single legal move. Raise `MoveError`
    if an undo is impossible.
    """
    states = StateHistory(match)
    remaining = find_last_choice(match, states, seat, bots, several)
    undo = find_undo_obstacles(match, states, remaining, states[remaining].who, bots)
    if undo.why_not:
        raise MoveError(undo.why_not)
    return remaining


def check_undo(match: CheckpointedMatch, kept_choices: int, player: str, bots: Collection[str]) -> UndoCheck:
    """Return whether a player's choices after the first `kept_choices`, and all since then, can be undone."""
    return find_undo_obstacles(
        match,
        StateHistory(match),
        kept_choices,
        match.names.resolve_seat(player),
        {match.names.resolve_seat(bot) for bot in bots},
    )


def find_last_choice(
    match: CheckpointedMatch, states: Sequence[State], seat: int | None, bots: set[int], several: bool
) -> int:
    """Return the number of choices before a seat's last one. Arguments: see `count_kept_choices`.

    Raise `MoveError` if there is none, or if people have decided since then.
    """
    for count in range(len(states) - 2 - count_unfinished_picks(states, seat), -1, -1):
        if isinstance(match.choices[count], Surrender):
            return count
        if not isinstance(match.choices[count], int):
            raise MoveError(f"A rule has been overridden since then{CANNOT_UNDO}")
        is_own = seat is None or states[count].who == seat
        if is_own and several:
            if len(states[count].legal) == 1:
                continue
            return find_choice_start(states, count)
        if is_own:
            return count
        if states[count].who not in bots:
            raise MoveError(f"{match.players[states[count].who]} has moved since then{CANNOT_UNDO}")
    raise MoveError("You have nothing to undo.")


def count_unfinished_picks(states: Sequence[State], seat: int | None) -> int:
    """Return the number of picks in another player's unfinished choice, which is secret."""
    now = states[-1]
    return 0 if seat is None or now.who == seat else len(now.picks)


def find_choice_start(states: Sequence[State], count: int) -> int:
    """Return the index at which the current choice of several begins: its first pick with an alternative."""
    first = count
    while states[count].picks:
        count -= 1
        first = count if len(states[count].legal) > 1 else first
    return first


def find_undo_obstacles(
    match: CheckpointedMatch, states: Sequence[State], kept_choices: int, seat: int, bots: set[int]
) -> UndoCheck:
    """Return the obstacles to undoing all choices since the first `kept_choices`."""
    undone = match.choices[kept_choices : len(match.choices) - count_unfinished_picks(states, seat)]
    codes = [choice for choice in undone if isinstance(choice, int)]
    states = states[kept_choices : kept_choices + len(undone) + 1]
    before, *since = states
    if any(not isinstance(choice, int | Surrender) for choice in undone):
        return UndoCheck(kept_choices, "A rule has been overridden since then")
    if match.program.players == 1:  # nobody loses by what a lone player has seen
        return UndoCheck(kept_choices)
    if any(state.rng != before.rng for state in since):
        return UndoCheck(kept_choices, "Something random has happened since then")
    seen = find_newly_seen_cards(match, before, since, bots)
    if any(not match.program.is_visible(before, card, seat) for card in seen):
        return UndoCheck(kept_choices, "A player has seen a new card since then")

    def imagine_secrets(count: int) -> Sequence[Particle]:
        return find_secret_values(match.names, match.origin, match.choices[: kept_choices + count], seat)

    if has_disclosed_information(match.names, states, codes, seat, imagine_secrets):
        return UndoCheck(kept_choices, f"{match.players[seat]} has learned something since then")
    alone = all(other in bots for other in range(match.program.players) if other != seat)
    others = (state for state in states[:-1] if state.who != seat)
    decided = (state.who for state in others if state.who not in bots or (not alone and len(state.legal) > 1))
    other = next(decided, None)
    if other is not None:
        return UndoCheck(kept_choices, agreement_reason=f"{match.players[other]} has moved since then")
    return UndoCheck(kept_choices, agreement_reason="Other players have seen a new card since then" if seen else "")


def find_newly_seen_cards(match: CheckpointedMatch, before: State, since: list[State], bots: set[int]) -> list[int]:
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
        if not program.is_visible(before, card, seat) and any(program.is_visible(s, card, seat) for s in since)
    ]
