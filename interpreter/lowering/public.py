"""Who could react, as far as everybody knows: conditions on what is hidden are taken as possible, so that being
asked, or not, tells nothing."""

from __future__ import annotations

from cardlang import game as g
from cardlang.walk import free_vars, walk
from interpreter.lowering.expressions import Expressions


class Public:
    def __init__(self, code: Expressions) -> None:
        self.code = code
        self.game = code.game

    def may_react(self, reactions: list[g.Reaction]) -> str:
        """The source of: could `who` take one of these reactions?"""
        return " or ".join(f"({self.may_take(reaction.option)})" for reaction in reactions)

    def may_take(self, option: g.Option) -> str:
        bound = {var.id for var, _ in option.binders}
        tests = [self.possible(condition) for condition in option.when if not bound & free_vars(condition)]
        tests += [self.may_find(domain.list) for _, domain in option.binders if domain.list is not None]
        return " and ".join(test for test in tests if test != "True") or "True"

    def possible(self, condition: g.Expr) -> str:
        """The condition itself if it is public; else the public parts of it."""
        if self.is_public(condition):
            return self.code.expr(condition)
        if isinstance(condition, g.And):
            return f"({self.possible(condition.left)} and {self.possible(condition.right)})"
        if isinstance(condition, g.Or):
            return f"({self.possible(condition.left)} or {self.possible(condition.right)})"
        return "True"

    def may_find(self, items: g.Expr) -> str:
        """Whether a list could have something in it: how many cards lie in a zone is public."""
        if self.is_public(items):
            return f"len({self.code.items(items)}) > 0"
        if isinstance(items, g.Filter):
            return self.may_find(items.list)
        if isinstance(items, g.ZoneCards):
            return f"len({self.code.pile(items.zone, items.of)}) > 0"
        if isinstance(items, g.Call) and items.of is None:
            return self.may_find(self.game.defines[items.define].value)
        if isinstance(items, g.Joined):
            return "(" + " or ".join(self.may_find(item) for item in items.items) + ")"
        return "True"

    def is_public(self, expr: g.Expr) -> bool:
        return all(self.part_is_public(part) for part in walk((expr,)))

    def part_is_public(self, part: object) -> bool:
        match part:
            case g.ZoneCards():
                return self.game.zones[part.zone].viewer == "everyone"
            case g.TrackValue():
                return not self.game.tracks[part.track].secret
            case g.Call():
                return self.is_public(self.game.defines[part.define].value)
            case g.BorneCall():
                bodies = self.game.borne_defines[part.define].bodies
                return all(self.is_public(body.value) for body in bodies if body)
            case g.SetCards() | g.ReadRanking():
                return False
        return True
