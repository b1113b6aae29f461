"""Estimate the maximum work of an expression statically.

In games that may exceed the limit, iterations over lists are counted during play. In other games they cost nothing."""

from __future__ import annotations

from collections.abc import Sequence

from cardlang import game as g
from cardlang.game.walking import any_part, bodies, children, values, walk

LARGE = 1 << 23
"""Number of iterated items from which list iterations within an expression are counted."""
STEP = 1 << 10
"""Statically known work that counts as one step of the enclosing loop."""
UNKNOWN = 100
"""Assumed size of a number range whose bounds are known only during play."""
MANY = 1 << 16
"""Work from which iterations are counted while the moves of an option are listed."""
MOST = 1 << 17
"""Maximum statically charged work of a loop, if list iterations are counted anyway."""
READING = 1000
"""Work of reading a hand by a ranking."""
SUBSETS = 1 << 10
"""Number of subsets that may go uncounted during play."""
LONG = g.Each | g.Repeat | g.Do | g.DoBorne
"""Statements that make the loop around them long."""


class Effort:
    """Maximum work in one game for a player count. `largest`: the maximum over all expressions examined so far."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.game = game
        self.players = players
        self.sizes: dict[tuple[str, int], int] = {}
        self.defines: dict[tuple[str, int], int] = {}
        """Work of each definition, by the number of items of its subject."""
        self.bound: dict[int, int] = {}
        """For each list variable, its maximum number of items, if known."""
        self.steps: dict[str, int] = {}
        self.largest = 0
        self.remembered = remembered(game)
        self.lists: dict[int, int] = {}
        for var in sorted(self.remembered):  # lists stored earlier come first: later ones are made of them
            self.size_of(var)

    def is_large(self) -> bool:
        """Check whether an expression of the game may do more work than may go uncounted."""
        for part in (*bodies(self.game), *values(self.game)):
            self.of(part)
        return self.largest >= LARGE

    # ------------------------------------------------------------ expressions
    def of(self, part: object) -> int:
        """Return the work of an expression, of a statement or option carried out, or of a tuple of them."""
        if isinstance(part, tuple):
            return sum(map(self.of, part))
        match part:
            case g.Call():
                work = self.of_define(part) + self.below(part)
            case g.Filter() | g.Quantified():
                work = self.of(part.list) + self.size(part.list) * (1 + self.of(part.condition))
            case g.MapEach():
                work = self.of(part.list) + self.size(part.list) * (1 + self.of(part.value))
            case g.Sorted() | g.AggBy():
                work = self.of(part.list) + self.size(part.list) * (1 + self.of_key(part))
            case g.BorneCall():
                borne = self.game.borne_defines[part.define].bodies
                work = self.of(part.card) + max(self.of(body.value) for body in borne if body)
            case g.Joined():
                work = self.size(part) + self.below(part)
            case g.ReadRanking():
                work = READING + self.below(part)
            case g.Option():
                work = self.of_option(part)
            case g.Stmt():
                work = self.of_statement(part)
            case _:
                work = 1 + self.below(part)
        self.largest = max(self.largest, work if isinstance(part, g.Expr | g.Option) else 0)
        return work

    def below(self, part: object) -> int:
        return sum(self.of(child) for child in children(part) if not isinstance(child, g.Var))

    def of_key(self, part: g.Sorted | g.AggBy) -> int:
        if part.order is not None:
            return self.of(tuple(line.value for line in self.game.orders[part.order].lines))
        if part.key is None or part.var is None:
            return 0
        self.bound[part.var.id] = self.size_of_items(part.list)
        return self.of(part.key)

    def of_define(self, call: g.Call) -> int:
        known = call.define, self.enter(call)
        if known not in self.defines:
            self.defines[known] = self.of(self.game.defines[call.define].value)
            self.enter(call)
        return self.defines[known]

    def enter(self, call: g.Call) -> int:
        """Return the number of items of a definition's subject, and store it for its variable."""
        var = self.game.defines[call.define].var
        size = 1 if call.of is None else self.size(call.of)
        if var is not None and var.type.tag == "list":
            self.bound[var.id] = size
        return size

    def of_option(self, option: g.Option) -> int:
        """Return the work of an option: listing its moves, unless that is counted during play, and its body."""
        listing = self.of_listing(option, UNKNOWN)
        self.largest = max(self.largest, listing)
        return (1 if self.is_counted_option(option) else listing) + self.of(option.body)

    def of_listing(self, option: g.Option, unknown: int) -> int:
        """Return the work of listing an option: its conditions for every combination of its bindings.

        unknown: the assumed number of values in a range of unknown size."""
        work, ways = 0, 1
        for _, domain in option.binders:
            work += ways * self.below(domain)
            ways *= self.size_of_domain(domain, unknown)
        return work + ways * (1 + self.of(tuple(when for when, _ in option.when)))

    def is_counted_option(self, option: g.Option) -> bool:
        """Check whether the loops over the bindings of an option count as steps while its moves are listed."""
        return len(option.binders) > 1 and self.of_listing(option, g.MAX_MOVES) >= MANY

    def size_of_domain(self, domain: g.Domain, unknown: int) -> int:
        """Return the maximum number of values of a binding."""
        if domain.list is not None:
            return self.size(domain.list)
        low, high = self.known_number(domain.low), self.known_number(domain.high)
        return unknown if low is None or high is None else max(0, high - low + 1)

    def known_number(self, value: g.Expr | None) -> int | None:
        """Return a literal number, following definitions; None for any other expression."""
        while isinstance(value, g.Call) and value.of is None:
            value = self.game.defines[value.define].value
        return value.value if isinstance(value, g.Const) and isinstance(value.value, int) else None

    # ------------------------------------------------------------ statements
    def of_statement(self, stmt: g.Stmt) -> int:
        """Return the work of a statement, without the parts that are counted separately: the rounds of a loop."""
        if isinstance(stmt, g.Repeat) or (isinstance(stmt, g.Each) and is_counted(stmt)):
            self.below(stmt)
            return 1
        if isinstance(stmt, g.Each):
            return self.of(stmt.list) + self.size(stmt.list) * (1 + self.of(stmt.body))
        if isinstance(stmt, g.Do):
            if stmt.step not in self.steps:
                self.steps[stmt.step] = 0
                self.steps[stmt.step] = self.of(self.game.steps[stmt.step].body)
            return self.steps[stmt.step] + self.below(stmt)
        return 1 + self.below(stmt)

    def steps_of(self, body: Sequence[object]) -> int:
        """Return the number of steps of one round with this body."""
        work = self.of(tuple(body))
        return 1 + (min(work, MOST) if self.largest >= LARGE else work) // STEP

    # ------------------------------------------------------------ lists
    def size(self, items: g.Expr) -> int:
        """Return the maximum number of items of a list."""
        match items:
            case g.SetCards():
                return sum(face.copies for face in self.game.faces if face.set == items.set)
            case g.NamedCards():
                return len(items.faces)
            case g.Members():
                return len(self.game.kinds[items.kind].members)
            case g.Builtin(name="players" | "others" | "winners"):
                return self.players
            case g.Filter() | g.Sorted() | g.AggBy():
                return self.size(items.list)
            case g.MapEach() if items.value.type.tag == "list" and not is_cards(items.type):
                return self.size(items.list) * self.size(items.value)
            case g.MapEach() if items.value.type.tag != "list":
                return self.size(items.list)
            case g.Agg(function="subsets"):
                return min(SUBSETS, 1 << min(SUBSETS, self.size(items.list)))
            case g.Agg() if items.type.tag == "list":
                return self.size(items.list)
            case g.Joined():
                return sum(self.size(item) for item in items.items)
            case g.Call():
                known = items.define, self.enter(items)
                if known not in self.sizes:
                    self.sizes[known] = self.size(self.game.defines[items.define].value)
                return self.sizes[known]
            case g.Var() if items.id in self.bound:
                return self.bound[items.id]
            case g.Var() if items.id in self.remembered:
                return self.size_of(items.id)
        if items.type.tag != "list":
            return 1
        return self.players if items.type.item == g.PLAYER else self.game.cards

    def size_of_items(self, lists: g.Expr) -> int:
        """Return the maximum number of items of each list within a list."""
        match lists:
            case g.Filter():
                return min(self.size_of_items(lists.list), size_asked(lists.condition, lists.var))
            case g.Agg(function="subsets"):
                return self.size(lists.list)
        return self.game.cards

    def size_of(self, var: int) -> int:
        if var not in self.lists:
            self.lists[var] = max(map(self.size, self.remembered[var]))
        return self.lists[var]


def remembered(game: g.Game) -> dict[int, list[g.Expr]]:
    """Collect, for each variable, the lists that a game stores in it or passes to it as a step's parameter."""
    found: dict[int, list[g.Expr]] = {}
    for part in (part for body in bodies(game) for part in walk(body)):
        pairs = [(part.var, part.value)] if isinstance(part, g.Remember) else []
        if isinstance(part, g.Do):
            pairs = list(zip(game.steps[part.step].params, part.args, strict=False))
        for var, value in pairs:
            if var.type.tag == "list":
                found.setdefault(var.id, []).append(value)
    return found


def size_asked(condition: g.Expr, var: g.Var) -> int:
    """Return the size of a list that fulfils a condition, if the condition fixes it."""
    match condition:
        case g.And():
            return min(size_asked(condition.left, var), size_asked(condition.right, var))
        case g.Compare(operator="=", left=g.Builtin(name="size", of=g.Var() as of), right=g.Const(value=int(size))):
            return max(size, 0) if of.id == var.id else SUBSETS
    return SUBSETS


def is_cards(type_: g.Type) -> bool:
    return type_.item is not None and type_.item.tag == "card"


def is_counted(stmt: g.Each) -> bool:
    """Check whether each round of a loop counts as a step: loops over cards, and loops that run other code."""
    return stmt.var.type.tag == "card" or any_part(stmt.body, lambda part: isinstance(part, LONG))
