"""Find the statements that reveal cards to one player without the other players noticing, or knowing their owner.

This is static analysis: it finds control flow and owners that depend on hidden information.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardlang import game as g
from cardlang.game.walking import children, walk
from interpreter.public_knowledge import Common

SELECTING = ("first", "last", "top", "bottom", "random", "reverse", "distinct")
"""Functions that take a publicly known number of cards from a pile."""


class Showing:
    """Analysis of one game.

    `unseen`: statements that reveal cards to one player, if hidden information decides whether they run or which pile
    they reveal from.
    """

    def __init__(self, common: Common) -> None:
        self.common = common
        self.game = common.game
        self.unseen: set[g.Reveal] = set()
        self.steps: set[str] = set()
        """Steps that hidden information decides to run, or whose player it decides."""
        self.look()

    def look(self) -> None:
        """Scan the game until a fixed point, because a later step can run an earlier one."""
        known = -1
        while known < len(self.steps):
            known = len(self.steps)
            for step in self.game.steps.values():
                self.scan(step.body, step.name in self.steps)
            for borne in self.game.borne_steps.values():
                for each in borne.bodies:
                    self.scan(each.body if each else (), borne.name in self.steps)
            self.scan([reaction.option for reaction in self.game.reactions], False)
            for enters in self.game.enters:
                self.scan(enters.body, False)
            for whenever in self.game.whenevers:
                self.scan(whenever.body, not self.common.is_public(whenever.condition))

    def scan(self, parts: Iterable[object], unseen: bool) -> None:
        """Scan parts of the game. `unseen`: hidden information decides whether they run."""
        for part in parts:
            if isinstance(part, g.Reveal) and part.to is not None and (unseen or not self.place_is_known(part.cards)):
                self.unseen.add(part)
            if isinstance(part, g.Do | g.DoBorne) and (unseen or not self.all_public(part.of)):
                self.steps.add(part.step)
            self.scan(children(part), unseen or self.depends(part))

    def depends(self, part: object) -> bool:
        """Return whether hidden information decides how often the body of a statement runs."""
        match part:
            case g.If():
                return not self.all_public(part.condition)
            case g.Repeat():
                return not self.all_public(part.until)
            case g.Each():
                size_is_known = self.common.has_public_size(part.list) or self.common.is_public(part.list)
                return not size_is_known or not self.all_public(part.condition)
        return False

    def all_public(self, *values: g.Expr | None) -> bool:
        return all(value is None or self.common.is_public(value) for value in values)

    # ------------------------------------------------------------ location of the cards
    def place_is_known(self, cards: g.Expr) -> bool:
        """Return whether all players know the owners of these cards.

        The number of cards must be known as well, if it is independent of cards.
        """
        if isinstance(cards, g.Joined):
            return all(map(self.place_is_known, cards.items))
        return self.common.is_public(cards) or self.common.has_public_size(cards) or self.is_of_one_pile(cards)

    def is_of_one_pile(self, cards: g.Expr) -> bool:
        """Return whether these cards are from one pile that all players know."""
        match cards:
            case g.ZoneCards():
                return self.all_public(cards.of)
            case g.Joined(items=(item,)):
                return self.is_of_one_pile(item)
            case g.Filter():
                return self.is_of_one_pile(cards.list) and not self.reads_secret(cards.condition)
            case g.Sorted() | g.AggBy():
                return self.is_of_one_pile(cards.list)
            case g.Agg(function=function) if function in SELECTING:
                return self.is_of_one_pile(cards.list) and self.all_public(cards.number)
            case g.Call():
                return self.all_public(cards.of) and self.is_of_one_pile(self.game.defines[cards.define].value)
            case g.Var():
                sources = [value for var, value in self.common.sources() if var == cards.id]
                return bool(sources) and all(map(self.is_of_one_pile, sources))
        return False

    def reads_secret(self, value: object) -> bool:
        for part in walk((value,)):
            if isinstance(part, g.TrackValue) and self.game.tracks[part.track].secret:
                return True
            if isinstance(part, g.Var) and part.id in self.common.hidden_vars():
                return True
            if isinstance(part, g.Call) and self.reads_secret(self.game.defines[part.define].value):
                return True
        return False
