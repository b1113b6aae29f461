"""Parser with error recovery: text to AST.

A file is split into statements, and these into items, which are parsed one by one. An item with an error is repaired,
or the faulty statement is left out with its block. Then the item is parsed again. So one run finds many errors, each of
them once."""

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

from cardlang import nodes as n
from cardlang.limits import MAX_ERRORS, check_limits, too_many_tokens
from cardlang.reading.building import TreeBuilder
from cardlang.reading.draft import Edit, draft_of
from cardlang.reading.everyday import everyday
from cardlang.reading.kept_items import KeptItems
from cardlang.reading.lines import Outline, Statement, item_ranges, outline_of
from cardlang.reading.margins import Mended, settled
from cardlang.reading.repairs import NO_NAME, explain, misplaced, missing_head, misspelt, with_cookbook
from cardlang.reading.shapes import ITEMS, STATEMENTS
from cardlang.reading.signs import simplify_signs
from cardlang.reading.syntax import (
    HEADERS,
    OTHERWISE,
    WORD,
    Finding,
    Line,
    Patience,
    choice_above,
    empty_block,
    first_word,
    no_last_case,
    rule_of,
    too_deep_indent,
)  # fmt: skip
from cardlang.reading.tables import Stop, grammar, read, save_tables, stop_at, value_in
from cardlang.source import Diagnostic, Source, Span

__all__ = ["grammar", "parse_file", "save_tables", "tokens"]

NAME_STANDS = 3
"""Maximum number of words before the name in a declaration, as in `ordered kind` or `number Suit 's`."""
BLOCK_ENDS = ("_DEDENT", "$END")


def parse_file(source: Source, kept: KeptItems | None = None) -> tuple[n.File, list[Diagnostic]]:
    """Parse a whole file. Return the AST without unreadable statements, and the errors.

    Items in the cache `kept` are not parsed again. New items without errors are added to it."""
    refused = check_limits(source)
    signs: list[Diagnostic] = []
    if not refused:
        source, signs, at_margin = simplify_signs(source)
        refused = signs if at_margin else []
    whole = Span(source, 0, len(source.text))
    outline = outline_of(source) if not refused else Outline()
    endless = None if refused else too_many_tokens(source)
    if endless is not None:
        refused = [fault for _, fault in outline.faults if fault is not None] or [endless]
    if refused:
        return n.File(whole, None, (), frozenset(HEADERS)), refused[:MAX_ERRORS]
    kept = KeptItems(source) if signs or kept is None else kept
    file, found = read_items(source, outline, (), kept)
    if found or signs:
        kept.read.clear()
        file, found = read_items(source, *settled(source, outline), kept)
    return file, sorted([*signs, *found], key=lambda each: each.span.start)[:MAX_ERRORS]


def read_items(
    source: Source, outline: Outline, mended: Sequence[Mended], kept: KeptItems
) -> tuple[n.File, list[Diagnostic]]:
    """Parse the items of a file. `mended` has statements that were repaired before."""
    header: n.Game | n.Library | None = None
    items: list[n.Item] = []
    findings = Findings()
    faults = dict(reversed(outline.faults))  # the first one of each statement
    for first, last in item_ranges(outline.statements):
        rule = rule_of(source, outline.statements[0]) if first == 0 else "item"
        own = {number - first: faults[number] for number in range(first, last) if number in faults}
        reading = ItemReading(source, outline.statements[first:last], own, rule, findings)
        before = len(findings.diagnostics)
        node = reading.node(kept, mended)
        if len(findings.diagnostics) > before:
            reading.leave_out_cards()
        elif node is not None:
            kept.add(rule, *reading.place, node)
        if rule == "header":
            header = node
        elif node is not None:
            items.append(node)
    whole = Span(source, 0, len(source.text))
    found = sorted(findings.diagnostics, key=lambda d: d.span.start)
    return n.File(whole, header, tuple(items), frozenset(findings.broken)), found


def tokens(source: Source) -> Iterator[Token]:
    """Yield the lexer's tokens of a file, item by item, with positions in the file.

    An item with an error yields only the tokens before the error."""
    outline = outline_of(source)
    for first, last in item_ranges(outline.statements):
        start, end = outline.statements[first].start, outline.statements[last - 1].end
        rule = rule_of(source, outline.statements[0]) if first == 0 else "item"
        with suppress(UnexpectedInput, DedentError):
            for token in grammar().parse_interactive(source.text[start:end] + "\n", start=rule).iter_parse():
                if token.start_pos is not None:
                    token.start_pos += start
                yield token


@define
class Findings:
    """Errors of a file so far, and the words in the statements left out."""

    diagnostics: list[Diagnostic] = field(factory=list)
    broken: set[str] = field(factory=set)
    patience: Patience = field(factory=Patience)

    @property
    def enough(self) -> bool:
        return len(self.diagnostics) >= MAX_ERRORS


class ItemReading:
    """Parser of one item, which repeats until the rest of the item can be parsed."""

    def __init__(
        self, source: Source, statements: list[Statement], faults: dict[int, Diagnostic | None], rule: str,
        findings: Findings,
    ) -> None:  # fmt: skip
        self.source = source
        self.statements = statements
        self.faults = faults
        self.rule = rule
        self.findings = findings
        self.place = start, end = self.statements[0].start, self.statements[-1].end
        self.draft = draft_of(source, start, end)
        self.left = [True] * len(self.statements)
        self.wounded: set[int] = set()

    def mend_before(self, mended: Sequence[Mended]) -> bool:
        """Apply earlier repairs of this item. Return whether there are any."""
        start, end = self.place
        margin = start - self.source.text.rfind("\n", 0, start) - 1
        own = [each for each in mended if start - margin <= each.edit.start < end]
        self.findings.diagnostics += [each.diagnostic for each in own]
        self.draft = draft_of(self.source, start, end, [each.edit for each in own])
        return bool(own)

    def node(self, kept: KeptItems, mended: Sequence[Mended]) -> Any:
        """Return the item's node, or None if nothing of it is left."""
        untouched = not self.mend_before(mended)
        for number, fault in sorted(self.faults.items()):
            if self.left[number]:
                self.report(fault)
                self.drop(number)
        if self.left[0] and self.rule == "item" and self.first_word(0) in STATEMENTS.keys() - ITEMS.keys():
            line = self.line(0, Stop(0, 0, "NAME", frozenset()))
            self.mend_with(0, with_cookbook(line, next(chain(everyday(line), misplaced(line)))))
        if untouched and all(self.left) and not self.findings.enough:
            node = kept.node(self.rule, *self.place)
            if node is not None and not self.meant_otherwise(node):
                return node
        while self.left[0] and not self.findings.enough:
            found = read(self.draft.text, self.rule)
            if isinstance(found, Stop):
                self.recover(found)
                if self.findings.patience.lasts(self.draft.text):
                    continue
                break
            builder = TreeBuilder(self.source, self.draft.place, value_in)
            node = builder.build(found)
            if builder.too_deep is not None:
                self.report(builder.too_deep)
                self.drop(self.number_at(builder.too_deep.span.start))
                if not self.findings.patience.lasts(self.draft.text):
                    break
            elif not self.meant_otherwise(node):
                self.findings.diagnostics += builder.unreadable
                return node
        if self.left[0]:
            self.drop(0)
        return None

    def meant_otherwise(self, node: object) -> bool:
        """Report and repair a declaration with a misspelled keyword. Return whether it is one.

        For example, `zoen deck` parses as a track of an unknown kind."""
        if not isinstance(node, n.Track) or node.type.text in ITEMS or self.is_kind(node.type.text):
            return False
        line = self.line(0, Stop(0, 0, "NAME", frozenset()))
        finding = next((f for f in misspelt(line) if f.edit is not None and f.edit.text in ITEMS), None)
        if finding is None or finding.edit is None:
            return False
        self.report(finding.diagnostic)
        self.draft = self.draft.edited(finding.edit)
        return True

    def is_kind(self, name: str) -> bool:
        return re.search(rf"\bkind {name}\b", self.source.text) is not None

    def report(self, diagnostic: Diagnostic | None) -> None:
        if diagnostic is not None:
            self.findings.diagnostics.append(diagnostic)

    # ---- leave statements out
    def drop(self, number: int) -> None:
        """Leave out a statement with its block, and later branches that depend on it."""
        end = number + 1
        indent = self.statements[number].indent
        while end < len(self.statements) and (self.statements[end].indent > indent or self.continues(number, end)):
            end += 1
        self.left[number:end] = [False] * (end - number)
        start, stop = self.statements[number].start, self.statements[end - 1].end
        self.leave_out_names(start, stop)
        self.draft = self.draft.without(self.draft.position(start), self.draft.position(stop))
        above = self.above(number)
        if above is not None:
            self.wounded.add(above)

    def leave_out_names(self, start: int, end: int) -> None:
        """Mark the names in a range as unknown, since their declarations may be lost. Cards have columns named after
        kinds."""
        for word in WORD.findall(self.source.text, start, end):
            self.findings.broken.update((word, word.lower()))

    def leave_out_cards(self) -> None:
        """Mark the names of a faulty header, kind or set of cards as unknown.

        All the rest depends on these, so errors elsewhere may only follow from a wrong repair."""
        first = self.first_word(0)
        if first in ("game", "kind", "ordered", "cards"):
            self.findings.broken.update(("kind", first))
            self.leave_out_names(self.statements[0].start, self.statements[-1].end)

    def continues(self, number: int, other: int) -> bool:
        """Return whether a statement is an `otherwise` of the one left out, and not a case of a definition."""
        if self.statements[other].indent != self.statements[number].indent or number == 0:
            return False
        return self.first_word(other) == "otherwise" and self.first_word(number) in (
            "if", "otherwise", "first", "announce",
        )  # fmt: skip

    def first_word(self, number: int) -> str:
        return first_word(self.source, self.statements[number])

    def above(self, number: int) -> int | None:
        """Return the statement that contains this one, or None."""
        indent = self.statements[number].indent
        return next((i for i in range(number - 1, -1, -1) if self.statements[i].indent < indent), None)

    def before(self, number: int) -> int:
        """Return the last remaining statement before this one."""
        return next((i for i in range(number - 1, -1, -1) if self.left[i]), 0)

    def number_at(self, offset: int) -> int:
        return max(0, bisect_right(self.statements, offset, key=lambda statement: statement.start) - 1)

    def fill(self, number: int) -> bool:
        """Fill an empty block with an empty note, if the grammar allows one. Return whether it does."""
        statement = self.statements[number]
        end = self.draft.position(statement.end)
        block = "\n" + " " * (statement.indent + 1) + '""'
        filled = self.draft.edited(Edit(end, end, block))
        stop = stop_at(filled.text, self.rule)
        if stop is not None and (stop.wants_block or stop.start <= end + len(block) + 1):
            return False
        self.wounded.discard(number)
        self.draft = filled
        return True

    # ---- name the error
    def recover(self, stop: Stop) -> None:
        """Report the error where the parser stopped, then repair it or leave out the statement."""
        at_end = stop.start >= len(self.draft.text.rstrip())
        number = self.before(len(self.statements)) if at_end else self.number_at(self.draft.place(stop.start))
        at_first = not at_end and stop.start <= self.draft.position(self.statements[number].start)
        before = self.before(number) if at_first else number
        wound = self.wound(before, number, stop)
        if wound is not None:
            if not (stop.wants_block and self.fill(wound)):
                self.drop(wound)
        elif stop.type == "_INDENT":
            self.over_indented(before, number, stop)
        elif stop.type in BLOCK_ENDS or (at_first and number and stop.wants_block and not self.is_passing(number)):
            self.ends_early(before, stop)
        else:
            self.mend(number, self.line(number, stop))

    def is_passing(self, number: int) -> bool:
        """Return whether a line is an `otherwise` of a choice, which takes none."""
        return self.first_word(number) in OTHERWISE and bool(choice_above(self.source, self.statements[number]))

    def wound(self, before: int, at: int, stop: Stop) -> int | None:
        """Return the statement whose incomplete block stopped the parser, or None.

        Its block lost lines. It is empty, or its end or the statement `at` needs one of the lost lines."""
        if stop.wants_block:
            return before if before in self.wounded and self.left[before] else None
        if stop.type not in BLOCK_ENDS and not self.leans_on_others(at):
            return None
        number: int | None = before
        while number is not None and not (number in self.wounded and self.left[number]):
            number = self.above(number)
        return number

    def leans_on_others(self, number: int) -> bool:
        """Return whether a line depends on earlier ones: the last case of a definition, or the body of a reaction."""
        above = self.above(number)
        head = "" if above is None else self.first_word(above)
        return head == "reaction" or (head == "define" and self.first_word(number) == "otherwise")

    def line(self, number: int, stop: Stop, follower: Statement | None = None) -> Line:
        above = self.above(number)
        head = None if above is None else self.statements[above]
        below = number + 1 < len(self.statements) and self.above(number + 1) == number
        return Line(self.draft, self.rule, self.statements[number], head, follower, stop, self.findings.patience, below)

    def mend(self, number: int, line: Line) -> None:
        finding = explain(line)
        unnamed = finding.edit is not None and finding.edit.text == NO_NAME
        if number == 0 and (unnamed or (line.at <= NAME_STANDS and "NAME" in line.stop.expected)):
            self.findings.broken.add(n.NAMELESS)
        self.mend_with(number, finding)

    def mend_with(self, number: int, finding: Finding) -> None:
        self.report(finding.diagnostic)
        if finding.edit is None:
            self.drop(number)
        else:
            self.leave_out_names(self.draft.place(finding.edit.start), self.draft.place(finding.edit.end))
            self.draft = self.draft.edited(finding.edit)

    def over_indented(self, head: int, number: int, stop: Stop) -> None:
        """Report a line that is indented too far. The line above may be a misspelled head of a block."""
        statement = self.statements[number]
        line = self.line(head, stop, statement)
        for finding in chain(misspelt(line), missing_head(line)):
            if finding.edit is not None:
                self.report(finding.diagnostic)
                self.findings.broken.add(n.NAMELESS)
                self.draft = self.draft.edited(finding.edit)
                return
        if not any(
            fault and fault.code == "E110" for fault in self.faults.values()
        ):  # with mixed tabs and spaces, the depth of lines is unknown
            self.report(too_deep_indent(self.draft, self.statements[head], statement))
        while number < len(self.statements) and self.statements[number].indent > self.statements[head].indent:
            if self.left[number]:
                self.drop(number)
            number += 1

    def ends_early(self, number: int, stop: Stop) -> None:
        if stop.wants_block:
            self.report(empty_block(self.draft, self.statements[number]))
            if not self.fill(number):
                self.drop(number)
        else:
            self.report(no_last_case(self.draft, self.statements[number]))
            self.drop(self.above(number) or 0)
