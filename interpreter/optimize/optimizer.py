"""Optimizer: the list of passes over functions and routines, in their order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interpreter import ir
from interpreter.ir.ir_program_builder import IrBuilder
from interpreter.ir.simplifier import rewrite_bottom_up
from interpreter.ir.traversal import Part
from interpreter.optimize.card_tables import CardTableBuilder
from interpreter.optimize.early_loop_exits import SearchShortCircuiter
from interpreter.optimize.list_optimization import (
    SingleCandidateShortcut,
    rewrite_best_selections,
    rewrite_conditional_lists,
)
from interpreter.optimize.loop_optimization import (
    LoopInvariantHoister,
    optimize_loop_part,
    unroll_statements,
)
from interpreter.optimize.purity import PurityAnalysis
from interpreter.optimize.value_reuse import ValueReuser

NEVER_REPLACED = frozenset(
    {ir.Local, ir.Entry, ir.For, ir.Let, ir.Spread, ir.Key, ir.Count, ir.Items, ir.Assign, ir.Store}
)
"""The most frequent nodes, which no part pass replaces."""
Pass = Callable[[ir.Body], ir.Body]


class Optimizer:
    """Passes over the code of one program.

    loop_passes: for functions and routines.
    function_passes: for functions."""

    def __init__(
        self, builder: IrBuilder, card_count: int, list_ranking_functions: Callable[[str], tuple[str, ...]]
    ) -> None:
        self.functions, new = builder.functions, builder.create_local
        self.optimized_names: set[str] = set()
        self.purity = PurityAnalysis(builder.functions, list_ranking_functions)
        self.short_circuiter = SearchShortCircuiter(builder.outline_function, self.purity)
        self.hoister = LoopInvariantHoister(new, self.purity)
        self.loop_passes: tuple[Pass, ...] = (
            partial(rewrite_bottom_up, rewrite=self.optimize_part),
            unroll_statements,
            CardTableBuilder(builder.tables, card_count, builder.make_identifier).tabulate_body,
            partial(rewrite_best_selections, create_local=new, shortcut=SingleCandidateShortcut(self.purity)),
        )
        self.function_passes: tuple[Pass, ...] = (
            *self.loop_passes, partial(rewrite_conditional_lists, create_local=new), self.hoister.hoist_from_pure_code,
            ValueReuser(self.purity).reuse_in_pure_code,
        )  # fmt: skip

    def optimize_functions(self) -> None:
        """Optimize the new functions, including those that passes add."""
        while fresh := [each for each in self.functions.values() if each and each.name not in self.optimized_names]:
            for function in fresh:
                self.optimized_names.add(function.name)
                self.functions[function.name] = function.replace(body=run_passes(self.function_passes, function.body))

    def optimize_part(self, part: Part) -> Part:
        if type(part) in NEVER_REPLACED:
            return part
        part = optimize_loop_part(part)
        return self.short_circuiter.short_circuit_part(
            self.hoister.hoist_from_loop(part) if isinstance(part, ir.Loop) else part
        )


def run_passes(passes: tuple[Pass, ...], body: ir.Body) -> ir.Body:
    for run_pass in passes:
        body = run_pass(body)
    return body
