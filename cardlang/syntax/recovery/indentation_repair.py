"""Repair of lines at a wrong indentation.

If an item cannot be parsed, single lines of it are moved. The first move that makes the whole region parse is the
repair. So a misplaced line causes one error, and no lines around it are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from attrs import evolve, frozen

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.syntax.logical_lines import (
    LogicalLine,
    LogicalLines,
    check_indentation,
    find_item_ranges,
    measure_indentation,
    report_trailing_comma,
)
from cardlang.syntax.parse_tables import ParseStop, find_parse_stop
from cardlang.syntax.recovery.edited_source import EditedSource, TextEdit, build_edited_source
from cardlang.syntax.recovery.line_templates import ITEM_TEMPLATES, STATEMENT_TEMPLATES
from cardlang.syntax.recovery.syntax_errors import choose_start_rule, find_first_word, report_empty_block
from cardlang.syntax.recovery.unreadable_line import ReparseBudget

MAX_REGION_LENGTH = 20_000
"""Maximum length of a region to repair, in characters. Each attempt parses all of it again."""
LINE_END_AFTER_COMMA = re.compile(r",[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*")


@frozen
class IndentationFix:
    """Repaired statement: the error message, and the edit of the source."""

    diagnostic: Diagnostic
    edit: TextEdit


@frozen
class FixCandidate:
    """Attempted repair: the changed statements, and the error message for it."""

    statements: list[LogicalLine]
    fix: IndentationFix


def repair_indentation(source: Source, outline: LogicalLines) -> tuple[LogicalLines, list[IndentationFix]]:
    """Return the outline with misplaced lines at the depth that parses, if single lines are misplaced."""
    if any(fault and fault.code == "E110" for _, fault in outline.faults):
        return outline, []
    settling = IndentationRepairer(source, outline)
    settling.repair_all_items()
    faults = settling.list_faults_by_statement_number()
    return LogicalLines(settling.statements, faults), settling.fixes


class IndentationRepairer:
    def __init__(self, source: Source, outline: LogicalLines) -> None:
        self.source = source
        self.statements = outline.statements
        indents = {number for number, _ in check_indentation(source, outline.statements)}
        self.faults = {
            outline.statements[number].start: fault for number, fault in outline.faults if number not in indents
        }
        steps = Counter(b.indent - a.indent for a, b in pairwise(outline.statements) if b.indent > a.indent)
        self.indent_unit = max(steps, key=lambda step: steps[step], default=2)
        self.fixes: list[IndentationFix] = []
        self.budget = ReparseBudget()

    def list_faults_by_statement_number(self) -> list[tuple[int, Diagnostic | None]]:
        of_lines = [
            (i, self.faults[statement.start])
            for i, statement in enumerate(self.statements)
            if statement.start in self.faults
        ]
        return [*of_lines, *check_indentation(self.source, self.statements)]

    def repair_all_items(self) -> None:
        number = 0
        while number < len(self.statements) and self.budget.remaining > 0:
            item = next((a, b) for a, b in find_item_ranges(self.statements) if b > number)
            candidate = self.find_first_fix(*item)
            if candidate is None:
                number = item[1]
            else:
                self.statements = candidate.statements
                self.fixes.append(candidate.fix)

    def find_first_fix(self, first: int, last: int) -> FixCandidate | None:
        """Return the first change that makes an unreadable item parse, or None."""
        uneven = [first + number for number, _ in check_indentation(self.source, self.statements[first:last])]
        stop = self.find_parse_stop(self.statements[first:last], first == 0)
        if stop is None and not uneven:
            return None
        low = self.find_item_before(first) if first and not self.can_start_item(first) else first
        at_end = stop is not None and stop.start >= self.statements[last - 1].end
        high = (
            self.find_item_end(last)
            if at_end and last < len(self.statements) and not self.can_start_item(last)
            else last
        )
        length = self.statements[high - 1].end - self.statements[low].start
        if length > MAX_REGION_LENGTH or any(line.start in self.faults for line in self.statements[low:high]):
            return None
        odd = [i for i in range(low, high) if self.statements[i].indent % self.indent_unit]
        suspects = [*odd, *uneven, *([first] if low < first else []), *([last] if high > last else [])]
        if stop is not None:
            suspects += self.find_suspects(stop, first, last)
        suspects += [i for number in uneven for i in range(number - 1, max(first, number - 4), -1)]
        tries = self.cut_after_commas(low, high)
        cut = next((candidate for candidate in tries if self.can_parse_region(candidate, low, high)), None)
        return cut or self.find_first_move(suspects, low, high)

    def find_first_move(self, suspects: Iterable[int], low: int, high: int) -> FixCandidate | None:
        """Return the first statement that parses at another depth, moved to the nearest one. The message has all such
        depths."""
        for number in dict.fromkeys(suspects):
            fitting = {}
            for depth in self.find_candidate_depths(number, low, high):
                moved = self.move_statement(number, depth)
                if self.can_parse_region(moved, low, high):
                    fitting[depth] = moved
            for depth, moved in fitting.items():
                diagnostic = self.build_diagnostic(number, depth, [*fitting])
                return evolve(moved, fix=evolve(moved.fix, diagnostic=diagnostic))
        return None

    # ------------------------------------------------------------ items
    def can_start_item(self, number: int) -> bool:
        return find_first_word(self.source, self.statements[number]) in ITEM_TEMPLATES

    def find_item_before(self, number: int) -> int:
        return next(i for i in range(number - 1, -1, -1) if self.statements[i].indent == 0 or i == 0)

    def find_item_end(self, number: int) -> int:
        after = range(number + 1, len(self.statements))
        return next((i for i in after if self.statements[i].indent == 0), len(self.statements))

    def find_parse_stop(
        self, statements: list[LogicalLine], at_start: bool, edits: Iterable[TextEdit] = ()
    ) -> ParseStop | None:
        """Return the position where parsing an item stops, as an offset in the source, or None."""
        start, end = statements[0].start, statements[-1].end
        edits = [*(fix.edit for fix in self.fixes), *edits]
        draft = build_edited_source(self.source, start, end, edits)
        if not self.budget.spend(draft.text):
            return None
        stop = find_parse_stop(draft.text, choose_start_rule(self.source, statements[0]) if at_start else "item")
        return stop and evolve(stop, start=draft.map_to_source(stop.start), end=draft.map_to_source(stop.end))

    def can_parse_region(self, candidate: FixCandidate, low: int, high: int) -> bool:
        """Return whether all statements from `low` to `high` parse with a change."""
        high += len(candidate.statements) - len(self.statements)
        region = candidate.statements[low:high]
        if (region[0].indent and low == 0) or any(check_indentation(self.source, region)):
            return False
        items = [region[a:b] for a, b in find_item_ranges(region)]
        stops = (self.find_parse_stop(item, low == i == 0, [candidate.fix.edit]) for i, item in enumerate(items))
        return all(stop is None for stop in stops) and self.budget.remaining > 0

    # ------------------------------------------------------------ candidates
    def find_suspects(self, stop: ParseStop, first: int, last: int) -> Iterator[int]:
        """Yield the statements near the error that may be misplaced, most likely first.

        These are the one where parsing stopped and those before it. Between two lines of equal depth, the one that
        differs comes first."""
        starts = [statement.start for statement in self.statements]
        at = max((i for i in range(first, last) if starts[i] <= stop.start), default=first)
        if stop.type == "_INDENT" and at >= first + 2 and self.statements[at - 2].indent == self.statements[at].indent:
            yield at - 1
        yield at
        yield from range(at - 1, max(first, at - 3), -1)

    def find_candidate_depths(self, number: int, low: int, high: int) -> list[int]:
        """Return the depths of the lines around a statement, without its own; the nearest first."""
        now = self.statements[number].indent
        above = self.statements[number - 1].indent if number else 0
        possible = {statement.indent for statement in self.statements[low:high]} | {0, above + 2}
        possible -= {now} if number == 0 or self.can_start_item(number) else {now, 0}
        return sorted(possible, key=lambda depth: (abs(depth - now), depth != above))

    def move_statement(self, number: int, depth: int) -> FixCandidate:
        statement = self.statements[number]
        statements = [*self.statements]
        statements[number] = evolve(statement, indent=depth, margin=" " * depth)
        edit = TextEdit(statement.start - len(statement.margin), statement.start, " " * depth)
        return FixCandidate(statements, IndentationFix(self.build_diagnostic(number, depth, [depth]), edit))

    def build_diagnostic(self, number: int, depth: int, depths: list[int]) -> Diagnostic:
        statement = self.statements[number]
        span = Span(self.source, statement.start, statement.end)
        before = self.statements[number - 1] if number else None
        word = find_first_word(self.source, statement)
        if (
            before
            and depth > statement.indent == before.indent > 0
            and word in STATEMENT_TEMPLATES.keys() - ITEM_TEMPLATES.keys()
        ):
            related = ((span, "this line may belong there"),)
            return evolve(report_empty_block(EditedSource(self.source, 0, self.source.text), before), related=related)
        depths = [column for column in depths if column % self.indent_unit == 0] or depths
        hint = "start it " + " or ".join(f"at column {column + 1}" for column in depths)
        uneven = [fault for at, fault in check_indentation(self.source, self.statements[: number + 1]) if at == number]
        if uneven and uneven[0] is not None:
            return evolve(uneven[0], hint=hint)
        if depth > statement.indent:
            return Diagnostic("E118", "this line is not indented far enough", span, hint)
        return Diagnostic("E113", "this line is indented too far", span, hint)

    def cut_after_commas(self, low: int, high: int) -> Iterator[FixCandidate]:
        """Yield statements cut after a comma at the end of a line, where the next item may be missing."""
        for number in range(low, high):
            statement = self.statements[number]
            for match in LINE_END_AFTER_COMMA.finditer(self.source.text, statement.start, statement.end):
                at = match.start()
                rest = LogicalLine(match.end(), statement.end, measure_indentation(self.source, match.end()))
                rest = evolve(rest, margin=" " * rest.indent)
                parts = [evolve(statement, end=at), rest]
                statements = [*self.statements[:number], *parts, *self.statements[number + 1 :]]
                yield FixCandidate(
                    statements, IndentationFix(report_trailing_comma(self.source, at), TextEdit(at, at + 1, " "))
                )
