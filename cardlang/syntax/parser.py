"""Parser of whole files, item by item, with error recovery.

A file is split into statements, and these into items, which are parsed one by one. An item with an error is repaired,
or the faulty statement is left out with its block. Then the item is parsed again. So one run finds many errors, each of
them once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from attrs import define, field
from lark import Token, UnexpectedInput
from lark.indenter import DedentError

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.source_limits import MAX_ERRORS, check_source_limits, report_too_many_tokens
from cardlang.syntax import ast as n
from cardlang.syntax.builders import TreeBuilder
from cardlang.syntax.logical_lines import LogicalLine, LogicalLines, find_item_ranges, split_into_logical_lines
from cardlang.syntax.lookalike_blanks_and_digits import replace_lookalikes
from cardlang.syntax.parse_cache import ParsedItemCache
from cardlang.syntax.parse_tables import (
    ParseStop,
    find_parse_stop,
    load_parser,
    parse_single_value,
    parse_text,
    save_tables,
)
from cardlang.syntax.recovery.edited_source import TextEdit, build_edited_source
from cardlang.syntax.recovery.indentation_repair import IndentationFix, repair_indentation
from cardlang.syntax.recovery.line_templates import ITEM_TEMPLATES, STATEMENT_TEMPLATES
from cardlang.syntax.recovery.plain_english import suggest_for_plain_english, suggest_nearest
from cardlang.syntax.recovery.single_line_repairs import (
    NAME_PLACEHOLDER,
    find_best_repair,
    report_misplaced_statement,
    suggest_missing_first_word,
    suggest_similar_keyword,
)
from cardlang.syntax.recovery.syntax_errors import (
    HEADER_WORDS,
    WORD_PATTERN,
    SyntaxFinding,
    choose_start_rule,
    find_first_word,
    report_empty_block,
    report_line_without_block,
    report_missing_last_case,
)
from cardlang.syntax.recovery.unreadable_line import ReparseBudget, UnreadableLine

__all__ = ["iter_tokens", "load_parser", "parse_file", "save_tables"]
MAX_WORDS_BEFORE_NAME = 3
"""Maximum number of words before the name in a declaration, as in `ordered kind` or `number Suit 's`."""
BLOCK_END_TERMINALS = ("_DEDENT", "$END")


def parse_file(source: Source, cache: ParsedItemCache | None = None) -> tuple[n.File, list[Diagnostic]]:
    """Parse a whole file. Return the AST without unreadable statements, and the errors.

    Items in the cache `cache` are not parsed again. New items without errors are added to it."""
    refused = check_source_limits(source)
    signs: list[Diagnostic] = []
    if not refused:
        source, signs, at_margin = replace_lookalikes(source)
        refused = signs if at_margin else []
    file_span = Span(source, 0, len(source.text))
    outline = split_into_logical_lines(source) if not refused else LogicalLines()
    endless = None if refused else report_too_many_tokens(source)
    if endless is not None:
        refused = [fault for _, fault in outline.faults if fault is not None] or [endless]
    if refused:
        return n.File(file_span, None, (), frozenset(HEADER_WORDS)), refused[:MAX_ERRORS]
    cache = ParsedItemCache(source) if signs or cache is None else cache
    file, diagnostics = parse_items(source, outline, (), cache)
    if diagnostics or signs:
        cache.error_free_pieces.clear()
        file, diagnostics = parse_items(source, *repair_indentation(source, outline), cache)
    return file, sorted([*signs, *diagnostics], key=lambda diagnostic: diagnostic.span.start)[:MAX_ERRORS]


def parse_items(
    source: Source, outline: LogicalLines, fixes: Sequence[IndentationFix], cache: ParsedItemCache
) -> tuple[n.File, list[Diagnostic]]:
    """Parse the items of a file. `fixes` has statements that were repaired before."""
    header: n.Game | n.Library | None = None
    items: list[n.Item] = []
    findings = ParseFindings()
    faults = dict(reversed(outline.faults))  # the first one of each statement
    for first, last in find_item_ranges(outline.statements):
        rule = choose_start_rule(source, outline.statements[0]) if first == 0 else "item"
        piece_faults = {number - first: faults[number] for number in range(first, last) if number in faults}
        reading = ItemParser(source, outline.statements[first:last], piece_faults, rule, findings)
        before = len(findings.diagnostics)
        node = reading.parse_node(cache, fixes)
        if len(findings.diagnostics) > before:
            reading.mark_card_names_unknown()
        elif node is not None:
            cache.add_piece(rule, *reading.source_range, node)
        if rule == "header":
            header = node
        elif node is not None:
            items.append(node)
    file_span = Span(source, 0, len(source.text))
    diagnostics = sorted(findings.diagnostics, key=lambda d: d.span.start)
    return n.File(file_span, header, tuple(items), frozenset(findings.unknown_words)), diagnostics


def iter_tokens(source: Source) -> Iterator[Token]:
    """Yield the lexer's tokens of a file, item by item, with positions in the file.

    An item with an error yields only the tokens before the error."""
    outline = split_into_logical_lines(source)
    for first, last in find_item_ranges(outline.statements):
        start, end = outline.statements[first].start, outline.statements[last - 1].end
        rule = choose_start_rule(source, outline.statements[0]) if first == 0 else "item"
        with suppress(UnexpectedInput, DedentError):
            for token in load_parser().parse_interactive(source.text[start:end] + "\n", start=rule).iter_parse():
                if token.start_pos is not None:
                    token.start_pos += start
                yield token


@define
class ParseFindings:
    """Errors of a file so far, and the words in the statements left out."""

    diagnostics: list[Diagnostic] = field(factory=list)
    unknown_words: set[str] = field(factory=set)
    budget: ReparseBudget = field(factory=ReparseBudget)

    @property
    def has_enough_errors(self) -> bool:
        return len(self.diagnostics) >= MAX_ERRORS


class ItemParser:
    """Parser of one item, which repeats until the rest of the item can be parsed."""

    def __init__(
        self, source: Source, statements: list[LogicalLine], faults: dict[int, Diagnostic | None], rule: str,
        findings: ParseFindings,
    ) -> None:  # fmt: skip
        self.source = source
        self.statements = statements
        self.faults = faults
        self.rule = rule
        self.findings = findings
        self.source_range = start, end = self.statements[0].start, self.statements[-1].end
        self.draft = build_edited_source(source, start, end)
        self.is_remaining = [True] * len(self.statements)
        self.incomplete_blocks: set[int] = set()

    def apply_earlier_fixes(self, fixes: Sequence[IndentationFix]) -> bool:
        """Apply earlier repairs of this item. Return whether there are any."""
        start, end = self.source_range
        margin = start - self.source.text.rfind("\n", 0, start) - 1
        item_fixes = [fix for fix in fixes if start - margin <= fix.edit.start < end]
        self.findings.diagnostics += [fix.diagnostic for fix in item_fixes]
        self.draft = build_edited_source(self.source, start, end, [fix.edit for fix in item_fixes])
        return bool(item_fixes)

    def parse_node(self, cache: ParsedItemCache, fixes: Sequence[IndentationFix]) -> Any:
        """Return the item's node, or None if nothing of it is left."""
        untouched = not self.apply_earlier_fixes(fixes)
        for number, fault in sorted(self.faults.items()):
            if self.is_remaining[number]:
                self.add_diagnostic(fault)
                self.leave_out_statement(number)
        if (
            self.is_remaining[0]
            and self.rule == "item"
            and self.get_first_word(0) in STATEMENT_TEMPLATES.keys() - ITEM_TEMPLATES.keys()
        ):
            line = self.build_unreadable_line(0, ParseStop(0, 0, "NAME", frozenset()))
            self.apply_finding(
                0,
                suggest_nearest(line, next(chain(suggest_for_plain_english(line), report_misplaced_statement(line)))),
            )
        if untouched and all(self.is_remaining) and not self.findings.has_enough_errors:
            node = cache.find_node(self.rule, *self.source_range)
            if node is not None and not self.repair_misspelt_declaration(node):
                return node
        while self.is_remaining[0] and not self.findings.has_enough_errors:
            result = parse_text(self.draft.text, self.rule)
            if isinstance(result, ParseStop):
                self.recover_from_stop(result)
                if self.findings.budget.spend(self.draft.text):
                    continue
                break
            builder = TreeBuilder(self.source, self.draft.map_to_source, parse_single_value)
            node = builder.build_node(result)
            if builder.depth_error is not None:
                self.add_diagnostic(builder.depth_error)
                self.leave_out_statement(self.find_statement_at(builder.depth_error.span.start))
                if not self.findings.budget.spend(self.draft.text):
                    break
            elif not self.repair_misspelt_declaration(node):
                self.findings.diagnostics += builder.text_errors
                return node
        if self.is_remaining[0]:
            self.leave_out_statement(0)
        return None

    def repair_misspelt_declaration(self, node: object) -> bool:
        """Report and repair a declaration with a misspelled keyword. Return whether it is one.

        For example, `zoen deck` parses as a track of an unknown kind."""
        if not isinstance(node, n.Track) or node.type.text in ITEM_TEMPLATES or self.is_declared_kind(node.type.text):
            return False
        line = self.build_unreadable_line(0, ParseStop(0, 0, "NAME", frozenset()))
        finding = next(
            (f for f in suggest_similar_keyword(line) if f.edit is not None and f.edit.text in ITEM_TEMPLATES), None
        )
        if finding is None or finding.edit is None:
            return False
        self.add_diagnostic(finding.diagnostic)
        self.draft = self.draft.apply_edit(finding.edit)
        return True

    def is_declared_kind(self, name: str) -> bool:
        return re.search(rf"\bkind {name}\b", self.source.text) is not None

    def add_diagnostic(self, diagnostic: Diagnostic | None) -> None:
        if diagnostic is not None:
            self.findings.diagnostics.append(diagnostic)

    # ---- leave statements out
    def leave_out_statement(self, number: int) -> None:
        """Leave out a statement with its block, and later branches that depend on it."""
        end = number + 1
        indent = self.statements[number].indent
        while end < len(self.statements) and (
            self.statements[end].indent > indent or self.is_dependent_branch(number, end)
        ):
            end += 1
        self.is_remaining[number:end] = [False] * (end - number)
        start, stop = self.statements[number].start, self.statements[end - 1].end
        self.mark_names_unknown(start, stop)
        self.draft = self.draft.blank_range(self.draft.map_from_source(start), self.draft.map_from_source(stop))
        above = self.find_parent_statement(number)
        if above is not None:
            self.incomplete_blocks.add(above)

    def mark_names_unknown(self, start: int, end: int) -> None:
        """Mark the names in a range as unknown, since their declarations may be lost. Cards have columns named after
        kinds."""
        for word in WORD_PATTERN.findall(self.source.text, start, end):
            self.findings.unknown_words.update((word, word.lower()))

    def mark_card_names_unknown(self) -> None:
        """Mark the names of a faulty header, kind or set of cards as unknown.

        All the rest depends on these, so errors elsewhere may only follow from a wrong repair."""
        first = self.get_first_word(0)
        if first in ("game", "kind", "ordered", "cards"):
            self.findings.unknown_words.update(("kind", first))
            self.mark_names_unknown(self.statements[0].start, self.statements[-1].end)

    def is_dependent_branch(self, number: int, other: int) -> bool:
        """Return whether a statement is an `otherwise` of the one left out, and not a line of a declaration."""
        if self.statements[other].indent != self.statements[number].indent or number == 0:
            return False
        above = self.find_parent_statement(number)
        in_declaration = above is not None and self.get_first_word(above) in ("define", "order", "ties")
        return self.get_first_word(other) == "otherwise" and not in_declaration

    def get_first_word(self, number: int) -> str:
        return find_first_word(self.source, self.statements[number])

    def find_parent_statement(self, number: int) -> int | None:
        """Return the statement that contains this one, or None."""
        indent = self.statements[number].indent
        return next((i for i in range(number - 1, -1, -1) if self.statements[i].indent < indent), None)

    def find_previous_statement(self, number: int) -> int:
        """Return the last remaining statement before this one."""
        return next((i for i in range(number - 1, -1, -1) if self.is_remaining[i]), 0)

    def find_statement_at(self, offset: int) -> int:
        return max(0, bisect_right(self.statements, offset, key=lambda statement: statement.start) - 1)

    def fill_empty_block(self, number: int) -> bool:
        """Fill an empty block with an empty note, if the grammar allows one. Return whether it does."""
        statement = self.statements[number]
        end = self.draft.map_from_source(statement.end)
        block = "\n" + " " * (statement.indent + 1) + '""'
        filled = self.draft.apply_edit(TextEdit(end, end, block))
        stop = find_parse_stop(filled.text, self.rule)
        if stop is not None and (stop.expects_block or stop.start <= end + len(block) + 1):
            return False
        self.incomplete_blocks.discard(number)
        self.draft = filled
        return True

    # ---- name the error
    def recover_from_stop(self, stop: ParseStop) -> None:
        """Report the error where the parser stopped, then repair it or leave out the statement."""
        at_end = stop.start >= len(self.draft.text.rstrip())
        number = (
            self.find_previous_statement(len(self.statements))
            if at_end
            else self.find_statement_at(self.draft.map_to_source(stop.start))
        )
        at_first = not at_end and stop.start <= self.draft.map_from_source(self.statements[number].start)
        before = self.find_previous_statement(number) if at_first else number
        wound = self.find_incomplete_block(before, number, stop)
        if wound is not None:
            if not (stop.expects_block and self.fill_empty_block(wound)):
                self.leave_out_statement(wound)
        elif stop.type == "_INDENT":
            self.report_over_indented_line(before, number, stop)
        elif stop.type in BLOCK_END_TERMINALS or (at_first and number and stop.expects_block):
            self.report_early_block_end(before, stop)
        else:
            self.repair_line(number, self.build_unreadable_line(number, stop))

    def find_incomplete_block(self, previous_number: int, stop_number: int, stop: ParseStop) -> int | None:
        """Return the statement whose incomplete block stopped the parser, or None.

        Its block lost lines. It is empty, or its end or the statement `stop_number` needs one of the lost lines."""
        if stop.expects_block:
            return (
                previous_number
                if previous_number in self.incomplete_blocks and self.is_remaining[previous_number]
                else None
            )
        if stop.type not in BLOCK_END_TERMINALS and not self.depends_on_earlier_lines(stop_number):
            return None
        number: int | None = previous_number
        while number is not None and not (number in self.incomplete_blocks and self.is_remaining[number]):
            number = self.find_parent_statement(number)
        return number

    def depends_on_earlier_lines(self, number: int) -> bool:
        """Return whether a line depends on earlier ones: the last case of a definition, or the body of a reaction."""
        above = self.find_parent_statement(number)
        head = "" if above is None else self.get_first_word(above)
        return head == "reaction" or (head == "define" and self.get_first_word(number) == "otherwise")

    def build_unreadable_line(
        self, number: int, stop: ParseStop, unexpected_child: LogicalLine | None = None
    ) -> UnreadableLine:
        above = self.find_parent_statement(number)
        head = None if above is None else self.statements[above]
        below = number + 1 < len(self.statements) and self.find_parent_statement(number + 1) == number
        return UnreadableLine(
            self.draft, self.rule, self.statements[number], head, unexpected_child, stop, self.findings.budget, below
        )

    def repair_line(self, number: int, line: UnreadableLine) -> None:
        finding = find_best_repair(line)
        unnamed = finding.edit is not None and finding.edit.text == NAME_PLACEHOLDER
        if number == 0 and (
            unnamed or (line.unexpected_index <= MAX_WORDS_BEFORE_NAME and "NAME" in line.parse_stop.expected)
        ):
            self.findings.unknown_words.add(n.NAMELESS)
        self.apply_finding(number, finding)

    def apply_finding(self, number: int, finding: SyntaxFinding) -> None:
        self.add_diagnostic(finding.diagnostic)
        if finding.edit is None:
            self.leave_out_statement(number)
        else:
            self.mark_names_unknown(
                self.draft.map_to_source(finding.edit.start), self.draft.map_to_source(finding.edit.end)
            )
            self.draft = self.draft.apply_edit(finding.edit)

    def report_over_indented_line(self, head: int, number: int, stop: ParseStop) -> None:
        """Report a line that is indented too far. The line above may be a misspelled head of a block."""
        statement = self.statements[number]
        line = self.build_unreadable_line(head, stop, statement)
        for finding in chain(suggest_similar_keyword(line), suggest_missing_first_word(line)):
            if finding.edit is not None:
                self.add_diagnostic(finding.diagnostic)
                self.findings.unknown_words.add(n.NAMELESS)
                self.draft = self.draft.apply_edit(finding.edit)
                return
        if not any(
            fault and fault.code == "E110" for fault in self.faults.values()
        ):  # with mixed tabs and spaces, the depth of lines is unknown
            self.add_diagnostic(report_line_without_block(self.draft, self.statements[head], statement))
        while number < len(self.statements) and self.statements[number].indent > self.statements[head].indent:
            if self.is_remaining[number]:
                self.leave_out_statement(number)
            number += 1

    def report_early_block_end(self, number: int, stop: ParseStop) -> None:
        if stop.expects_block:
            self.add_diagnostic(report_empty_block(self.draft, self.statements[number]))
            if not self.fill_empty_block(number):
                self.leave_out_statement(number)
        else:
            self.add_diagnostic(report_missing_last_case(self.draft, self.statements[number]))
            self.leave_out_statement(self.find_parent_statement(number) or 0)
