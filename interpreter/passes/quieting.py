"""Remove code that only computes values for events, in programs without listeners: dead-code elimination.

Visible side effects stay: random draws, steps, rule errors. Some expressions can fail only with too many cards. They
stay, guarded by a test of the number of cards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.operations import OPERATIONS
from interpreter.lowered.walking import Part, assigned, free_in, parts, statements, walk
from interpreter.passes.sparing import NOTED

Body = tuple[lo.Stmt, ...]
Limits = dict[lo.Expr, int]
"""Maximum length of each list up to which nothing can fail."""
WORKING = (lo.Assign, lo.If, lo.ForEach, lo.Collect, lo.Return)
"""Statements of functions that only compute and always terminate."""
PARTS_OF = {"copied", "some_first", "some_last", "some_top", "some_bottom", "reversed"}
"""Operations whose result has at most as many items as their first list."""
ONE = lo.Const(lo.NUMBER, 1)


class Quieting:
    """Removal of event-only code from one program. Functions are given by name.

    most_subsets: the largest list whose subsets are within the limit.
    most_read: returns the largest hand that a ranking can always read."""

    def __init__(
        self, functions: Mapping[str, lo.Function | None], most_subsets: int, most_read: Callable[[str], int]
    ) -> None:
        self.functions, self.most_subsets, self.most_read = functions, most_subsets, most_read
        self.plain: dict[str, bool] = {}
        self.silent: dict[str, bool] = {}

    def quieted(self, body: Body, held: Collection[int]) -> Body:
        """Remove event-only code from a body. `held`: variables in a frame, which other code may read."""
        while True:
            made = self.without(body, needed(body) | set(held), False)
            if made == body:
                return self.without(body, needed(body) | set(held), True)
            body = made

    def without(self, body: Body, read: set[int], last: bool) -> Body:
        """Remove event-only statements.

        read: the variables that other statements read.
        last: put the remaining guarded code after its condition."""
        found: list[lo.Stmt] = []
        for stmt in body:
            match stmt:
                case lo.Event():
                    continue
                case lo.If():
                    then, otherwise = self.without(stmt.then, read, last), self.without(stmt.otherwise, read, last)
                    same = then == stmt.then and otherwise == stmt.otherwise
                    stmt = stmt if same else evolve(stmt, then=then, otherwise=otherwise)
                case lo.ForEach() | lo.While() | lo.Answers() | lo.Again():
                    inner = self.without(stmt.body, read, last)
                    stmt = stmt if inner == stmt.body else evolve(stmt, body=inner)
            asked = self.only_asks(stmt, read)
            found += (stmt,) if asked is None else self.left_of(stmt, asked, last)
        return tuple(found)

    def only_asks(self, stmt: lo.Stmt, read: set[int]) -> Sequence[lo.Expr] | None:
        """Return the expressions of a statement that only evaluates them; None if it does anything else."""
        match stmt:
            case lo.Assign() if stmt.local.number not in read:
                return (stmt.value,)
            case lo.If(then=(), otherwise=()):
                return (stmt.condition,)
            case lo.ForEach(body=()) if stmt.local.number not in read:
                return (stmt.list,)
            case lo.Do(finishes=False) if self.does_nothing(stmt.function):
                return stmt.args
        return None

    def does_nothing(self, name: str) -> bool:
        """Check whether a function only serves events."""
        if name not in self.silent:
            self.silent[name] = False  # a recursive one may exceed the depth limit
            function = self.functions.get(name)
            self.silent[name] = function is not None and not self.quieted(function.body, ())
        return self.silent[name]

    def left_of(self, stmt: lo.Stmt, asked: Sequence[lo.Expr], last: bool) -> Body:
        limits = self.limits(asked)
        if limits == {}:
            return ()
        if limits is None or not last:
            return (stmt,)
        tests = tuple(lo.Compare(lo.FLAG, ">", size, lo.Const(lo.NUMBER, most)) for size, most in limits.items())
        return (lo.If(tests[0] if len(tests) == 1 else lo.Logic(lo.FLAG, "or", tests), (stmt,)),)

    # ------------------------------------------------------------ expressions that may fail
    def limits(self, asked: Sequence[lo.Expr]) -> Limits | None:
        """Return the list lengths up to which expressions can be removed without visible effect; None if never."""
        found: Limits = {}
        every = list(walk(asked))
        sources, inside = subsets_of(every), assigned(asked)
        for part in every:
            limit = self.limit(part)
            if limit is None:
                return None
            if isinstance(limit, int):
                continue
            items, most = limit
            size = most_items(items, sources)
            if size is None or most < 1 or free_in([size]) & inside:
                return None
            found[size] = min(most, found.get(size, most))
        return found

    def limit(self, part: Part) -> tuple[lo.Expr, int] | int | None:
        """Return the list that a part depends on with the maximum length up to which it cannot fail.

        Return 0 if it never fails, and None if unknown."""
        match part:
            case lo.Dispatch() | lo.TestOf():
                return None
            case lo.Read():
                return (part.cards, self.most_read(part.ranking)) if part.what == "matches" else None
            case lo.Op(operation="subsets"):
                return part.args[0], self.most_subsets
            case lo.Op(operation=operation) if operation in NOTED or OPERATIONS[operation].place:
                return None
            case lo.Calling() if not self.is_plain(part.function):
                return None
        return 0

    def is_plain(self, name: str) -> bool:
        """Check whether a function only computes a value, and can never fail."""
        if name not in self.plain:
            self.plain[name] = False  # a recursive one may exceed the depth limit
            function = self.functions.get(name)
            if function is not None and all(isinstance(stmt, WORKING) for stmt in statements(function.body)):
                self.plain[name] = all(self.limit(part) == 0 for part in walk(function.body))
        return self.plain[name]


def needed(body: Body) -> set[int]:
    """Return the variables that statements read."""
    found: set[int] = set()
    stack: list[Part] = list(body)
    while stack:
        part = stack.pop()
        if isinstance(part, lo.Local):
            found.add(part.number)
        else:
            below = parts(part)
            stack += below[1:] if isinstance(part, lo.Assign | lo.ForEach) else below
    return found


def subsets_of(every: Sequence[Part]) -> dict[int, lo.Expr]:
    """Map each variable that iterates over the subsets of a list to that list."""
    found: dict[int, lo.Expr] = {}
    for part in every:
        match part:
            case lo.For(list=lo.Op(operation="subsets", args=(items,))):
                found[part.local.number] = items
    return found


def most_items(items: lo.Expr, sources: Mapping[int, lo.Expr]) -> lo.Expr | None:
    """Return a cheap upper bound of a list's length; None if there is none.

    sources: the lists whose subsets the variables are."""
    match items:
        case lo.Local() if items.number in sources:
            return most_items(sources[items.number], sources)
        case lo.Local():
            return lo.Count(lo.NUMBER, items)
        case lo.Pile(of=None | lo.Const() | lo.Local()):
            return lo.Count(lo.NUMBER, evolve(items, may_lack=items.of is not None))
        case lo.Items():
            sizes = [most_items(each.list, sources) if isinstance(each, lo.Spread) else ONE for each in items.items]
            return added(sizes)
        case lo.Loop(function="list", clauses=(lo.For() as only, *tests)):
            return most_items(only.list, sources) if all(isinstance(each, lo.Test) for each in tests) else None
        case lo.Op(operation=operation, args=(first, *_)) if operation in PARTS_OF:
            return most_items(first, sources)
    return None


def added(sizes: Sequence[lo.Expr | None]) -> lo.Expr | None:
    total: lo.Expr | None = None
    for size in sizes:
        if size is None:
            return None
        total = size if total is None else lo.Arith(lo.NUMBER, "+", total, size)
    return total or lo.Const(lo.NUMBER, 0)
