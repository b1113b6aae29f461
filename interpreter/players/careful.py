"""How those who play together play trial games: nobody acts on what they cannot tell.

A move with a card that its maker cannot tell is made if it brings more whichever card that is, as far as marks and what
is seen tell; if it brings more for some and not for others it is a gamble, and left out while there are other moves.
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
    """`may`: the faces that cards can have for who cannot see them."""

    def __init__(self, names: Names, random: Random) -> None:
        self.names, self.program, self.random = names, names.program, random
        self.may: May = {}
        self.bringing: set[tuple[int, int]] = set()
        """The options, by decision, that have been seen to bring something with a card that nobody could tell."""

    def apply(self, state: State, code: int) -> None:
        """Makes a move, and takes over what its marks tell."""
        before = self.program.clone(state)
        self.program.apply(state, code)
        note(self.names, before, code, state, self.may)

    def sure(self, state: State) -> int | None:
        """A move that always brings more, if there is one."""
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
        """Says of a move whether it is sure to bring more, or a gamble."""
        code = state.legal[tried.index]
        card = self.unseen_in(state, code)
        brought = set[bool]() if card is None else set(self.brought(state, code, card, False))
        tried.gamble, tried.sure = len(brought) > 1, brought == {True}

    def option(self, state: State, code: int) -> tuple[int, int]:
        site = self.program.site(state)
        return site.number, (code - 1) % len(site.options) if site.options and code else -1

    def unseen_in(self, state: State, code: int) -> int | None:
        """The card in a move that its maker cannot tell; None if there is none, or several."""
        cards = [card for card in cards_of(self.program, state, code) if not self.seen(state, card)]
        return cards[0] if len(cards) == 1 else None

    def seen(self, state: State, card: int) -> bool:
        return self.program.visible(state, card, state.who)

    def brought(self, state: State, code: int, card: int, sure: bool) -> list[bool]:
        """Whether a move brings more, over all that this card can be; as far as it tells what is asked: whether that
        is `sure`, or else whether it is always the same."""
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
        """Whether all come to more by a move, if this card were that one."""
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
