"""Filter candidates before comparing them: if only one remains, its key is never computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from attrs import evolve

from interpreter import lowered as lo
from interpreter.lowered.operations import OPERATIONS
from interpreter.lowered.walking import Part, statements, walk
from interpreter.passes.flowing import unwrapped

Fresh = Callable[[lo.Kind], lo.Local]
Body = tuple[lo.Stmt, ...]
LONG = (lo.Loop, lo.Calling, lo.Read)
"""Expressions that make a key expensive."""
NOTED = {"one_random", "some_random", "winners", "subsets", "counted", "more_picks"}
"""Operations that draw random numbers or take steps."""
WORKING = (lo.Assign, lo.If, lo.ForEach, lo.While, lo.Collect, lo.Return)
"""Statements of functions that only compute."""
BEST = {"all_highest_by", "all_lowest_by"}


class Sparing:
    """Shortcut for single candidates, in one program. Functions are given by name.

    judging: returns the functions that reading by a ranking calls."""

    def __init__(self, functions: Mapping[str, lo.Function | None], judging: Callable[[str], tuple[str, ...]]) -> None:
        self.functions, self.judging = functions, judging

    def may_spare(self, key: lo.Expr) -> bool:
        """Check whether a key is expensive, and skipping it has no visible effect."""
        return any(isinstance(part, LONG) for part in walk([key])) and self.is_quiet([key], ())

    def is_quiet(self, parts: Sequence[Part], within: tuple[str, ...]) -> bool:
        for part in walk(parts):
            match part:
                case lo.Dispatch() | lo.TestOf():
                    return False
                case lo.Op(operation=operation) if operation in NOTED or OPERATIONS[operation].place:
                    return False
                case lo.Calling() if not self.is_plain(part.function, within):
                    return False
                case lo.Read() if not all(self.is_plain(name, within) for name in self.judging(part.ranking)):
                    return False
        return True

    def is_plain(self, name: str, within: tuple[str, ...]) -> bool:
        function = self.functions.get(name)
        if function is None or name in within:
            return False
        plain = all(isinstance(stmt, WORKING) for stmt in statements(function.body))
        return plain and self.is_quiet(function.body, (*within, name))

    def best(self, local: lo.Local, value: lo.Op, fresh: Fresh) -> Body | None:
        """Assign all the best items of a loop to `local`; None if the shortcut does not apply."""
        if value.operation not in BEST or not isinstance(value.args[0], lo.Loop):
            return None
        held, loop = unwrapped(value.args[0])
        first, rest, pair = loop.clauses[0], loop.clauses[1:], loop.body
        if not isinstance(first, lo.For) or not rest or not all(isinstance(clause, lo.Test) for clause in rest):
            return None
        if not isinstance(pair, lo.Key) or pair.parts[-1] != first.local or not self.may_spare(pair.parts[0]):
            return None
        items = lo.Loop(local.kind, "list", loop.clauses, first.local)
        counting = fresh(local.kind)
        compared = evolve(value, args=(evolve(loop, clauses=(lo.For(first.local, counting),)),))
        several = lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, counting), lo.Const(lo.NUMBER, 1))
        chosen = lo.If(several, (lo.Assign(local, compared),), (lo.Assign(local, counting),))
        return (*held, lo.Assign(counting, items), chosen)
