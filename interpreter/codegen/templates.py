"""Templates of generated code, with `{0}`, `{1}`, … for the code of arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import frozen

from interpreter import ir

COMPARISON_SIGNS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
"""Comparison operators of Python and C."""


@frozen
class ArgumentCode:
    """Code of an argument, generated where a template uses it."""

    generate: Callable[[ir.Expr], str]
    arg: ir.Expr

    def __format__(self, spec: str) -> str:
        return self.generate(self.arg)


def fill_template(
    template: str, generate: Callable[[ir.Expr], str], args: Sequence[ir.Expr], place: str | int | None = None
) -> str:
    """Fill in a template. `{place}` is the place of a rule."""
    return template.format(*(ArgumentCode(generate, arg) for arg in args), place=place)
