"""Purity analysis: expressions and functions whose evaluation has no visible effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from interpreter import ir
from interpreter.ir.traversal import Part, walk, walk_statements

IMPURE_OPERATIONS = ir.PLACE_OPERATIONS | {"one_random", "some_random", "winners", "subsets", "counted", "more_picks"}
"""Operations that can fail, draw random numbers or take steps."""
COMPUTING_STATEMENTS = (ir.Assign, ir.If, ir.ForEach, ir.While, ir.Collect, ir.Return)
"""Statements of functions that only compute."""


class PurityAnalysis:
    """Purity of the code of one program: it draws no random numbers, takes no steps and cannot fail.

    functions: by name.
    list_ranking_functions: returns the functions that reading by a ranking calls."""

    def __init__(
        self, functions: Mapping[str, ir.Function | None], list_ranking_functions: Callable[[str], tuple[str, ...]]
    ) -> None:
        self.functions, self.list_ranking_functions = functions, list_ranking_functions
        self.pure_functions: dict[str, bool] = {}

    def is_pure(self, parts: Iterable[Part]) -> bool:
        """Check whether evaluating expressions more or less often has no visible effect."""
        for part in walk(parts):
            match part:
                case ir.Dispatch() | ir.TestOf():
                    return False
                case ir.Op() if part.operation in IMPURE_OPERATIONS:
                    return False
                case ir.Calling() if not self.is_pure_function(part.function):
                    return False
                case ir.Read() if not all(map(self.is_pure_function, self.list_ranking_functions(part.ranking))):
                    return False
        return True

    def is_pure_function(self, name: str) -> bool:
        function = self.functions.get(name)
        if function is None:
            return False
        if name not in self.pure_functions:
            self.pure_functions[name] = False  # a recursive one may exceed the depth limit
            plain = all(isinstance(stmt, COMPUTING_STATEMENTS) for stmt in walk_statements(function.body))
            self.pure_functions[name] = plain and self.is_pure(function.body)
        return self.pure_functions[name]
