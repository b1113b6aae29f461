"""Select several cards or values in any order, then confirm.

The engine asks for single picks in ascending order. This module converts a selection to these picks, so no other code
depends on the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from cardlang import game as g
from interpreter.errors import MoveError
from interpreter.matches.adding import running_sum
from interpreter.matches.moves import asked_type
from interpreter.matches.names import Names
from interpreter.matches.shown import Look
from interpreter.picking import AnyOrder, Picker
from interpreter.state import ABSENT, DONE, State

if TYPE_CHECKING:
    from interpreter.matches.match import Match
    from interpreter.matches.view import View


@frozen
class ChoosingView:
    """A selection in progress.

    - `low`, `high`: size of the set.
    - `refs`: everything that can be in it.
    - `chosen`: selected refs, in the order of selection.
    - `open`: refs that can be added.
    - `ready`: it can be confirmed.
    - `sum`: current total, if the rule compares a total (`7 of 10`).
    - `needs`: refs that complete it, if there is only one way.
    - `alone`: while it is empty, refs that are complete sets by themselves, to which nothing can be added.
    """

    low: int
    high: int
    refs: tuple[str, ...]
    labels: tuple[str, ...]
    chosen: tuple[str, ...]
    open: frozenset[str]
    ready: bool
    sum: str = ""
    needs: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


MOST_ALONE = 20
"""Maximum number of candidates for which `alone` is computed."""
MOST_NEEDED = 3
"""Maximum number of candidates for which `needs` is computed."""


class Toggling:
    """Choice of several cards or values at the current decision."""

    def __init__(self, names: Names, state: State) -> None:
        self.names, self.refs, self.state = names, names.refs, state
        self.program = names.program
        self.site = self.program.site(state)
        self.type = asked_type(self.site)
        self.low, self.high, codes = self.joining(())
        self.items = {self.refs.value(state, self.type, code - 1): code - 1 for code in codes if code != DONE}

    @property
    def is_several(self) -> bool:
        return self.high > 0

    def joining(self, picks: Sequence[int]) -> tuple[int, int, list[int]]:
        """Return the minimum and maximum size, and the codes that can be added to these picks."""
        looked, chosen = self.program.clone(self.state), AnyOrder(picks)
        looked.picks = chosen
        self.program.refresh(looked)
        return chosen.low, chosen.high, looked.legal

    def picked(self, refs: Iterable[str]) -> list[int]:
        """Return the items of refs, without duplicates. Raise `MoveError` if one cannot be chosen here."""
        found = []
        for ref in dict.fromkeys(refs):
            if ref not in self.items:
                raise MoveError(f"You cannot choose {ref} here.")
            found.append(self.items[ref])
        return found

    def view(self, chosen: Iterable[str]) -> ChoosingView:
        """Return the selection. Refs that are illegal, or cannot be added to those before, are left out."""
        taken: list[str] = []
        codes = self.joining(())[2]
        for ref in dict.fromkeys(chosen):
            if ref in self.items and self.items[ref] + 1 in codes:
                taken.append(ref)
                codes = self.joining([self.items[each] for each in taken])[2]
        known = tuple(taken)
        picks = [self.items[each] for each in known]
        ready = DONE in codes and (bool(known) or self.low == 0)
        return ChoosingView(
            low=self.low,
            high=self.high,
            refs=tuple(self.items),
            labels=tuple(self.label(item) for item in self.items.values()),
            chosen=known,
            open=frozenset(ref for ref, item in self.items.items() if item + 1 in codes),
            ready=ready,
            sum=running_sum(self.names, self.state, self.site, picks),
            needs=() if ready or not known else self.needed(picks, codes),
            alone=() if known or self.low > 1 else self.alone(codes),
        )

    def alone(self, codes: Sequence[int]) -> tuple[str, ...]:
        """Return the items that are complete sets by themselves, to which nothing can be added."""
        rest = {ref: item for ref, item in self.items.items() if item + 1 in codes}
        if len(rest) > MOST_ALONE:
            return ()
        return tuple(ref for ref, item in rest.items() if self.joining([item])[2] == [DONE])

    def needed(self, picks: list[int], codes: list[int]) -> tuple[str, ...]:
        """Return the items that complete these picks, if there is only one way."""
        rest = [item for item in self.items.values() if item + 1 in codes]
        if not 0 < len(rest) <= MOST_NEEDED or not self.completes([*picks, *rest]):
            return ()
        parts = chain.from_iterable(combinations(rest, size) for size in range(1, len(rest)))
        if any(self.completes([*picks, *part]) for part in parts):
            return ()
        return tuple(ref for ref, item in self.items.items() if item in rest)

    def completes(self, picks: list[int]) -> bool:
        return DONE in self.joining(picks)[2]

    def label(self, item: int) -> str:
        if self.type.tag == "card":
            return ""
        return self.names.value(self.type, item)

    def codes(self, refs: Iterable[str]) -> list[int]:
        """Return the codes of the picks for this set, in the order of the decisions.

        Raise `MoveError` if the set is illegal.
        """
        picks = self.picked(refs)
        looked = self.view(refs)
        if not looked.ready or len(looked.chosen) < len(picks):
            raise MoveError("You cannot choose these together.")
        order = list(self.items.values())
        if self.type.tag != "card":
            return [item + 1 for item in sorted(picks, key=order.index)]
        picker = Picker(self.program.layout)
        kinds: dict[object, int] = {}
        for card in picks:
            kind = picker.kind(self.state, card, self.state.who)
            kinds[kind] = kinds.get(kind, 0) + 1
        found = []
        for card in order:  # of identical cards, only the first ones are legal
            kind = picker.kind(self.state, card, self.state.who)
            if kinds.get(kind, 0) > 0:
                kinds[kind] -= 1
                found.append(card + 1)
        return found


def choosing_of(match: Match, chosen: Iterable[str]) -> ChoosingView | None:
    """Return the selection at the current decision, including picks already made.

    Return None if it is not a choice of several.
    """
    if match.program.site(match.state).kind not in ("pick", "several"):
        return None
    toggling = Toggling(match.names, match.state)
    if not toggling.is_several:
        return None
    picked = [toggling.refs.value(match.state, toggling.type, item) for item in match.state.picks]
    return toggling.view([*picked, *chosen])


def without(match: Match, view: View, choosing: ChoosingView | None) -> View:
    """Return the view with the value of the current player's hand without the selected cards.

    This applies if the rule takes these cards out of the hand.
    """
    state, names = match.state, match.names
    if choosing is None or not choosing.chosen or not isinstance(names.program.site(state).statement, g.Pick):
        return view
    rest = names.program.clone(state)
    for ref in choosing.chosen:
        card = names.refs.card_at(state, ref)
        if card is not None:
            slot = names.program.zones[state.loc[card]]
            if slot.of == state.who and slot.zone.viewer == "owner":
                rest.z[state.loc[card]].remove(card)
                rest.loc[card] = ABSENT
    return evolve(view, held=Look(names, rest, state).held_by(state.who))


def confirm(match: Match, seat: int, refs: Sequence[str]) -> None:
    """Carry out a choice of several.

    Picks already made for another set are undone. Raise `MoveError` if the choice is illegal.
    """
    if match.over:
        raise MoveError("The match is over.")
    if match.state.who != seat:
        raise MoveError(f"It is {match.players[match.state.who]}'s turn, not {match.players[seat]}'s.")
    toggling = None if match.program.site(match.state).options else Toggling(match.names, match.state)
    if toggling is None or not toggling.is_several:
        raise MoveError("Choose a single move here, not a set.")
    codes, picked = toggling.codes(refs), len(match.state.picks)
    if picked:
        match.undone(picked)
    for code in codes:
        match.make(code)
    if len(match.state.picks) == len(codes) and match.state.who == seat and DONE in match.state.legal:
        match.make(DONE)
