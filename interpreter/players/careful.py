"""Playout policy for cooperative games: do not act on a card that the player cannot identify.

A move with an unidentified card is sure if it gains with every possible face, given marks and visible cards. If it
gains only with some faces, it is a gamble. Playouts avoid gambles while there are other moves.
"""

from __future__ import annotations

from random import Random

from interpreter.errors import RuleError
from interpreter.matches.names import Names
from interpreter.matches.sampling import swap_cards
from interpreter.players.conclusions import cards_of, home
from interpreter.players.marks import May, note, substituted
from interpreter.players.outcomes import Tried, levels
from interpreter.state import State


class Careful:
    """Playout policy that avoids gambles. `may`: the possible faces of cards for players who cannot see them."""

    def __init__(self, names: Names, random: Random) -> None:
        self.names, self.program, self.random = names, names.program, random
        self.may: May = {}
        self.bringing: set[tuple[int, int]] = set()
        """Options, by decision, that have been seen to gain with an unidentified card."""

    def apply(self, state: State, code: int) -> None:
        """Play a move and update the possible faces by its marks."""
        before = self.program.clone(state)
        self.program.apply(state, code)
        note(self.names, before, code, state, self.may)

    def sure(self, state: State) -> int | None:
        """Return a random move that gains with every possible face; None if there is none."""
        found = []
        for code in state.legal:
            card = self.unseen_in(state, code)
            brought = [] if card is None else self.brought(state, code, card, True)
            if any(brought):
                self.bringing.add(self.option(state, code))
            if brought and all(brought):
                found.append(code)
        return self.random.choice(found) if found else None

    def leave_out_gambles(self, state: State) -> None:
        safe = [
            code for code in state.legal
            if self.option(state, code) not in self.bringing or self.unseen_in(state, code) is None
        ]  # fmt: skip
        state.legal = safe or state.legal

    def weigh(self, state: State, tried: Tried) -> None:
        """Set whether a move is a gamble or sure to gain."""
        code = state.legal[tried.index]
        card = self.unseen_in(state, code)
        brought = set[bool]() if card is None else set(self.brought(state, code, card, False))
        tried.gamble, tried.sure = len(brought) > 1, brought == {True}

    def option(self, state: State, code: int) -> tuple[int, int]:
        site = self.program.site(state)
        return site.number, (code - 1) % len(site.options) if site.options and code else -1

    def unseen_in(self, state: State, code: int) -> int | None:
        """Return the card in a move that its player cannot identify; None if there is no such card, or several."""
        cards = [card for card in cards_of(self.program, state, code) if not self.seen(state, card)]
        return cards[0] if len(cards) == 1 else None

    def seen(self, state: State, card: int) -> bool:
        return self.program.visible(state, card, state.who)

    def brought(self, state: State, code: int, card: int, sure: bool) -> list[bool]:
        """Return for the possible faces of a card whether the move gains.

        Stop early: with `sure` at the first failure, else at the first failure after a gain.
        """
        face, done, found = self.program.face, set[int](), list[bool]()
        for other in (card, *range(len(face))):
            if face[other] in done or self.seen(state, other) or home(self.names, other) != home(self.names, card):
                continue
            if face[other] not in self.may.get(card, {face[other]}):
                continue
            done.add(face[other])
            found.append(self.brings(state, code, card, other))
            if not found[-1] and (sure or any(found)):
                break
        return found

    def brings(self, state: State, code: int, card: int, other: int) -> bool:
        """Return whether a move increases the players' level if `card` were `other`."""
        program, who = self.program, state.who
        tried = program.clone(state)
        tried.events, tried.checking = None, False
        renaming = list(range(len(program.face)))
        renaming[card], renaming[other] = other, card
        swap_cards(self.names, tried, renaming)
        try:
            before = levels(program, tried)[who]
            program.apply(tried, substituted(self.names, state, code, renaming))
            return levels(program, tried)[who] > before
        except RuleError:
            return False
