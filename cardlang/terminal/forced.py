"""Moves that a person does not have to choose, as no other is open to them: which are left to them all the same, and
how those are told that were made for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cardlang.words import times
from interpreter.matches.chosen import Hearing, act_of
from interpreter.matches.match import Match
from interpreter.matches.names import listed
from interpreter.table.model import Table


def act(match: Match, move: int) -> str:
    """What the one who is asked does by a move, in the words of the game."""
    decision = match.decision
    assert decision is not None
    hearing = Hearing(match.names, match.state, match.program.site(match.state), match.state.who)
    return act_of(hearing, decision.moves[move].code)


def is_own(table: Table) -> bool:
    """Whether what is asked for is a card of the viewer's own."""
    if table.ask is None:
        return False
    own = {card.ref for pile in table.places[0].piles for card in pile.cards}
    refs = {ref for action in table.ask.actions for ref in action.touches}
    return bool(own & (refs | ({*table.ask.choosing.refs} if table.ask.choosing is not None else set())))


def told(acts: Sequence[str]) -> list[str]:
    """A line about the moves that were made for somebody."""
    if not acts:
        return []
    counted = Counter(acts)
    if {*counted} == {"pass"}:
        return [f"You could only pass{f', {times(len(acts))}' if len(acts) > 1 else ''}."]
    named = [text if count == 1 else f"{text} {times(count)}" for text, count in counted.items()]
    return [f"You had no choice but to {listed(named)}."]


def stage(table: Table) -> str:
    """What is on, at its outermost, where there is more than one step within another."""
    return table.heading[0] if len(table.heading) > 1 else ""
