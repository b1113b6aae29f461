"""Forced moves: legal moves without an alternative. The session plays them for a person and reports them here; moves
with a person's own cards can be left to that person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardlang.words import times
from interpreter.matches.chosen import Hearing, act_of
from interpreter.matches.match import Match
from interpreter.matches.names import listed
from interpreter.table.model import Table


def act(match: Match, move: int) -> str:
    """Return a verb phrase for the current player's action in a move, in the game's wording."""
    decision = match.decision
    assert decision is not None
    hearing = Hearing(match.names, match.state, match.program.site(match.state), match.state.who)
    return act_of(hearing, decision.moves[move].code)


def is_own(table: Table) -> bool:
    """Return whether the decision involves a card of the viewer."""
    if table.ask is None:
        return False
    own = {card.ref for pile in table.places[0].piles for card in pile.cards}
    refs = {ref for action in table.ask.actions for ref in action.touches}
    return bool(own & (refs | ({*table.ask.choosing.refs} if table.ask.choosing is not None else set())))


def told(acts: Sequence[str]) -> list[str]:
    """Return a line that reports the moves played for the viewer, or no line."""
    if not acts:
        return []
    counted = Counter(acts)
    if {*counted} == {"pass"}:
        return [f"You could only pass{f', {times(len(acts))}' if len(acts) > 1 else ''}."]
    named = [text if count == 1 else f"{text} {times(count)}" for text, count in counted.items()]
    return [f"You had no choice but to {listed(named)}."]


def stage(table: Table) -> str:
    """Return the outermost step in the heading if steps are nested, else an empty string."""
    return table.heading[0] if len(table.heading) > 1 else ""
