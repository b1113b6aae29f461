"""Registry of lint rules: each is a function with a code, and its docstring is the page that explains the code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from inspect import getdoc
from typing import Generic, TypeVar

from attrs import define, field, frozen

from cardlang.diagnostics import Diagnostic, Source, Span

Context = TypeVar("Context")


@frozen
class Finding:
    """Problem found by a rule. `hint`: its cure; `related`: related places with a note each."""

    span: Span
    message: str
    hint: str = ""
    related: tuple[tuple[Span, str], ...] = ()


RuleFunction = Callable[[Context], Iterable[Finding]]


@frozen
class Rule(Generic[Context]):
    """Lint rule.

    - `title`: title of the page; empty if another stage reports the code too, and has its page.
    - `checks_libraries`: libraries are checked too, not only the game's own file.
    """

    code: str
    title: str
    find: RuleFunction[Context]
    checks_libraries: bool


@define
class RuleRegistry(Generic[Context]):
    """Rules that look at the same context."""

    rules: list[Rule[Context]] = field(factory=list)

    def rule(
        self, code: str, title: str = "", *, checks_libraries: bool = False
    ) -> Callable[[RuleFunction[Context]], RuleFunction[Context]]:
        """Register a function as the rule of a code. Errors (`E…`) are reported in libraries too."""

        def register(find: RuleFunction[Context]) -> RuleFunction[Context]:
            self.rules.append(Rule(code, title, find, checks_libraries or code.startswith("E")))
            return find

        return register

    def list_pages(self) -> list[tuple[str, str, str]]:
        """Return the codes whose pages are here, with their titles and texts."""
        return [(rule.code, rule.title, getdoc(rule.find) or "") for rule in self.rules if rule.title]

    def run(self, context: Context, own_source: Source) -> Iterator[Diagnostic]:
        """Run all rules and yield their diagnostics, in the order of the codes."""
        for rule in sorted(self.rules, key=lambda rule: rule.code):
            is_warning = not rule.code.startswith("E")
            for each in rule.find(context):
                if rule.checks_libraries or each.span.source is own_source:
                    yield Diagnostic(rule.code, each.message, each.span, each.hint, each.related, is_warning)
