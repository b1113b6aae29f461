"""Who could react, or take up an offer, as far as everybody knows: conditions on what is hidden are taken as possible,
so that being asked, or not, tells nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cardlang import game as g
from cardlang.game.walking import children, everything, free_vars
from interpreter.layout import about_cards
from interpreter.lowering.expressions import Expressions

SELECTING = ("first", "last", "top", "bottom", "random", "reverse", "distinct")
"""What finds something wherever there is something."""


class Public:
    def __init__(self, code: Expressions) -> None:
        self.code = code
        self.game = code.game
        self.hidden: set[int] | None = None
        """The variables that hold what not everybody knows, once somebody has asked for them."""

    # ------------------------------------------------------------ offers
    def may_choose(self, stmt: g.Pick | g.Choose) -> str:
        """The source of: could `who` find something to choose? It is asked where there is nothing; where all is
        public, everybody knows that."""
        domain = g.Domain(stmt.source) if isinstance(stmt, g.Pick) else stmt.domain
        items, high = domain.list, stmt.high
        provided = None if isinstance(stmt, g.Pick) else stmt.provided
        parts = (items, domain.low, domain.high, provided, stmt.low, high)
        if all(part is None or self.is_public(part) for part in parts):
            return "False"
        tests = [self.may_find(items)] if items is not None else []
        if high is not None and not isinstance(high, g.Const) and self.is_public(high):
            tests.append(f"{self.code.expr(high)} > 0")
        return " and ".join(test for test in tests if test != "True") or "True"

    # ------------------------------------------------------------ reactions
    def may_react(self, reactions: list[g.Reaction]) -> str:
        """The source of: could `who` take one of these reactions?"""
        return " or ".join(f"({self.may_take(reaction.option)})" for reaction in reactions)

    def may_take(self, option: g.Option) -> str:
        bound = {var.id for var, _ in option.binders}
        tests = [self.possible(condition) for condition in option.when if not bound & free_vars(condition)]
        lists = [domain.list for _, domain in option.binders if domain.list is not None]
        tests += [self.may_find(items) for items in lists if not bound & free_vars(items)]
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

    # ------------------------------------------------------------ lists
    def may_find(self, items: g.Expr) -> str:
        """Whether a list could have something in it: how many cards lie in a zone is public."""
        if self.is_public(items) or self.has_public_size(items):
            return f"len({self.code.items(items)}) > 0"
        if isinstance(items, g.Filter | g.Sorted) or (isinstance(items, g.Agg) and items.function in SELECTING):
            return self.may_find(items.list)
        if isinstance(items, g.Call):
            return self.may_find_called(items)
        if isinstance(items, g.Joined):
            return self.may_find_any(items.items)
        if isinstance(items, g.FirstPossible):
            return self.may_find_any([line for line, _ in items.lists])
        return "True"

    def may_find_called(self, call: g.Call) -> str:
        define = self.game.defines[call.define]
        if call.of is None:
            return self.may_find(define.value)
        if define.subject != "player" or not self.is_public(call.of) or self.code.maybe(call.of):
            return "True"
        with self.code.bound(define.var, self.code.expr(call.of)):
            return self.may_find(define.value)

    def may_find_any(self, lists: Sequence[g.Expr]) -> str:
        tests = [self.may_find(items) for items in lists]
        return "True" if "True" in tests else f"({' or '.join(dict.fromkeys(tests))})"

    # ------------------------------------------------------------ what is public
    def is_public(self, expr: Any) -> bool:
        """Whether everybody knows the value of an expression. What chance decides only now, nobody knows."""
        if isinstance(expr, g.IsEmpty) and self.has_public_size(expr.value):
            return True
        if isinstance(expr, g.Agg) and expr.function == "count" and self.has_public_size(expr.list):
            return True
        return self.part_is_public(expr) and all(self.is_public(part) for part in children(expr))

    def has_public_size(self, items: g.Expr) -> bool:
        """Whether these are whole zones: everybody sees how many cards lie there."""
        match items:
            case g.ZoneCards():
                return items.of is None or self.is_public(items.of)
            case g.Joined():
                return all(self.has_public_size(item) for item in items.items)
            case g.MapEach(value=g.ZoneCards()):
                return self.is_public(items.list) and self.has_public_size(items.value)
        return False

    def part_is_public(self, part: object) -> bool:
        match part:
            case g.ZoneCards():
                return self.game.zones[part.zone].viewer == "everyone"
            case g.TrackValue():
                return not self.game.tracks[part.track].secret
            case g.Var():
                return part.id not in self.hidden_vars()
            case g.Call():
                return self.is_public(self.game.defines[part.define].value)
            case g.BorneCall():
                bodies = self.game.borne_defines[part.define].bodies
                return all(self.is_public(body.value) for body in bodies if body)
            case g.Agg():
                return part.function != "random"
            case g.SetCards() | g.ReadRanking():
                return False
        return True

    def hidden_vars(self) -> set[int]:
        """The variables that hold what was remembered, chosen or handed over from where not everybody sees it."""
        if self.hidden is None:
            self.hidden = set()
            sources = list(self.sources())
            while fresh := {var for var, value in sources if var not in self.hidden and not self.is_public(value)}:
                self.hidden |= fresh
        return self.hidden

    def sources(self) -> Iterator[tuple[int, g.Expr]]:
        """Variables with what their values come from. Numbers and players that are chosen everybody hears of."""
        for part in everything(self.game):
            match part:
                case g.Remember():
                    yield part.var.id, part.value
                case g.Each():
                    yield part.var.id, part.list
                case g.Do():
                    for var, value in zip(self.game.steps[part.step].params, part.args, strict=True):
                        yield var.id, value
                case g.Choose(domain=g.Domain(list=items)) if items is not None and about_cards(part.var.type):
                    yield part.var.id, items
                case g.Option():
                    for var, domain in part.binders:
                        if domain.list is not None and about_cards(var.type):
                            yield var.id, domain.list
