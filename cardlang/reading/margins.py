"""Error recovery for wrong indentation.

If an item cannot be parsed, single lines of it are moved. The first move that makes the whole region parse is the
repair. So a misplaced line causes one error, and no lines around it are left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from attrs import evolve, frozen

from cardlang.reading.draft import Draft, Edit, draft_of
from cardlang.reading.lines import Outline, Statement, check_indents, dangling_comma, indent_of, item_ranges
from cardlang.reading.shapes import ITEMS, STATEMENTS
from cardlang.reading.syntax import OTHERWISE, Patience, choice_above, empty_block, first_word, rule_of
from cardlang.reading.tables import Stop, stop_at
from cardlang.source import Diagnostic, Source, Span

LONG_ITEM = 20_000
"""Maximum length of a region to repair, in characters. Each attempt parses all of it again."""
LINE_END_AFTER_COMMA = re.compile(r",[ \t]*(?:#[^\n]*)?\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*[ \t]*")


@frozen
class Mended:
    """Repaired statement: the error message, and the edit of the source."""

    diagnostic: Diagnostic
    edit: Edit


@frozen
class Try:
    """Attempted repair: the changed statements, and the error message for it."""

    statements: list[Statement]
    mended: Mended


def settled(source: Source, outline: Outline) -> tuple[Outline, list[Mended]]:
    """Return the outline with misplaced lines at the depth that parses, if single lines are misplaced."""
    if any(fault and fault.code == "E110" for _, fault in outline.faults):
        return outline, []
    settling = Settling(source, outline)
    settling.settle()
    faults = settling.faults_by_number()
    return Outline(settling.statements, faults), settling.mended


class Settling:
    def __init__(self, source: Source, outline: Outline) -> None:
        self.source = source
        self.statements = outline.statements
        indents = {number for number, _ in check_indents(source, outline.statements)}
        self.faults = {
            outline.statements[number].start: fault for number, fault in outline.faults if number not in indents
        }
        steps = Counter(b.indent - a.indent for a, b in pairwise(outline.statements) if b.indent > a.indent)
        self.unit = max(steps, key=lambda step: steps[step], default=2)
        self.mended: list[Mended] = []
        self.patience = Patience()

    def faults_by_number(self) -> list[tuple[int, Diagnostic | None]]:
        of_lines = [(i, self.faults[each.start]) for i, each in enumerate(self.statements) if each.start in self.faults]
        return [*of_lines, *check_indents(self.source, self.statements)]

    def settle(self) -> None:
        number = 0
        while number < len(self.statements) and self.patience.left > 0:
            item = next((a, b) for a, b in item_ranges(self.statements) if b > number)
            found = self.first_fitting(*item)
            if found is None:
                number = item[1]
            else:
                self.statements = found.statements
                self.mended.append(found.mended)

    def first_fitting(self, first: int, last: int) -> Try | None:
        """Return the first change that makes an unreadable item parse, or None."""
        uneven = [first + number for number, _ in check_indents(self.source, self.statements[first:last])]
        stop = self.stop(self.statements[first:last], first == 0)
        if stop is None and not uneven:
            return None
        low = self.item_before(first) if first and not self.may_begin(first) else first
        at_end = stop is not None and stop.start >= self.statements[last - 1].end
        high = self.end_of_item(last) if at_end and last < len(self.statements) and not self.may_begin(last) else last
        length = self.statements[high - 1].end - self.statements[low].start
        if length > LONG_ITEM or any(each.start in self.faults for each in self.statements[low:high]):
            return None
        odd = [i for i in range(low, high) if self.statements[i].indent % self.unit]
        suspects = [*odd, *uneven, *([first] if low < first else []), *([last] if high > last else [])]
        if stop is not None:
            suspects += self.around(stop, first, last)
        suspects += [i for number in uneven for i in range(number - 1, max(first, number - 4), -1)]
        tries = self.cuts(low, high)
        cut = next((each for each in tries if self.reads(each, low, high)), None)
        return cut or self.first_moved(suspects, low, high)

    def first_moved(self, suspects: Iterable[int], low: int, high: int) -> Try | None:
        """Return the first statement that parses at another depth, moved to the nearest one. The message has all such
        depths."""
        for number in dict.fromkeys(suspects):
            statement = self.statements[number]
            if first_word(self.source, statement) in OTHERWISE and choice_above(self.source, statement):
                return None
            fitting = {}
            for depth in self.depths(number, low, high):
                moved = self.moved(number, depth)
                if self.reads(moved, low, high):
                    fitting[depth] = moved
            for depth, moved in fitting.items():
                told = self.told(number, depth, [*fitting])
                return evolve(moved, mended=evolve(moved.mended, diagnostic=told))
        return None

    # ------------------------------------------------------------ items
    def may_begin(self, number: int) -> bool:
        return first_word(self.source, self.statements[number]) in ITEMS

    def item_before(self, number: int) -> int:
        return next(i for i in range(number - 1, -1, -1) if self.statements[i].indent == 0 or i == 0)

    def end_of_item(self, number: int) -> int:
        after = range(number + 1, len(self.statements))
        return next((i for i in after if self.statements[i].indent == 0), len(self.statements))

    def stop(self, statements: list[Statement], at_start: bool, edits: Iterable[Edit] = ()) -> Stop | None:
        """Return the position where parsing an item stops, as an offset in the source, or None."""
        start, end = statements[0].start, statements[-1].end
        edits = [*(each.edit for each in self.mended), *edits]
        draft = draft_of(self.source, start, end, edits)
        if not self.patience.lasts(draft.text):
            return None
        found = stop_at(draft.text, rule_of(self.source, statements[0]) if at_start else "item")
        return found and evolve(found, start=draft.place(found.start), end=draft.place(found.end))

    def reads(self, tried: Try, low: int, high: int) -> bool:
        """Return whether all statements from `low` to `high` parse with a change."""
        high += len(tried.statements) - len(self.statements)
        region = tried.statements[low:high]
        if (region[0].indent and low == 0) or any(check_indents(self.source, region)):
            return False
        items = [region[a:b] for a, b in item_ranges(region)]
        stops = (self.stop(item, low == i == 0, [tried.mended.edit]) for i, item in enumerate(items))
        return all(stop is None for stop in stops) and self.patience.left > 0

    # ------------------------------------------------------------ candidates
    def around(self, stop: Stop, first: int, last: int) -> Iterator[int]:
        """Yield the statements near the error that may be misplaced, most likely first.

        These are the one where parsing stopped and those before it. Between two lines of equal depth, the one that
        differs comes first."""
        starts = [each.start for each in self.statements]
        at = max((i for i in range(first, last) if starts[i] <= stop.start), default=first)
        if stop.type == "_INDENT" and at >= first + 2 and self.statements[at - 2].indent == self.statements[at].indent:
            yield at - 1
        yield at
        yield from range(at - 1, max(first, at - 3), -1)

    def depths(self, number: int, low: int, high: int) -> list[int]:
        """Return the depths of the lines around a statement, without its own; the nearest first."""
        now = self.statements[number].indent
        above = self.statements[number - 1].indent if number else 0
        possible = {each.indent for each in self.statements[low:high]} | {0, above + 2}
        possible -= {now} if number == 0 or self.may_begin(number) else {now, 0}
        return sorted(possible, key=lambda depth: (abs(depth - now), depth != above))

    def moved(self, number: int, depth: int) -> Try:
        statement = self.statements[number]
        statements = [*self.statements]
        statements[number] = evolve(statement, indent=depth, margin=" " * depth)
        edit = Edit(statement.start - len(statement.margin), statement.start, " " * depth)
        return Try(statements, Mended(self.told(number, depth, [depth]), edit))

    def told(self, number: int, depth: int, depths: list[int]) -> Diagnostic:
        statement = self.statements[number]
        span = Span(self.source, statement.start, statement.end)
        before = self.statements[number - 1] if number else None
        word = first_word(self.source, statement)
        if before and depth > statement.indent == before.indent > 0 and word in STATEMENTS.keys() - ITEMS.keys():
            related = ((span, "this line may belong there"),)
            return evolve(empty_block(Draft(self.source, 0, self.source.text), before), related=related)
        depths = [each for each in depths if each % self.unit == 0] or depths
        hint = "start it " + " or ".join(f"at column {each + 1}" for each in depths)
        uneven = [fault for at, fault in check_indents(self.source, self.statements[: number + 1]) if at == number]
        if uneven and uneven[0] is not None:
            return evolve(uneven[0], hint=hint)
        if depth > statement.indent:
            return Diagnostic("E118", "this line is not indented far enough", span, hint)
        return Diagnostic("E113", "this line is indented too far", span, hint)

    def cuts(self, low: int, high: int) -> Iterator[Try]:
        """Yield statements cut after a comma at the end of a line, where the next item may be missing."""
        for number in range(low, high):
            statement = self.statements[number]
            for match in LINE_END_AFTER_COMMA.finditer(self.source.text, statement.start, statement.end):
                at = match.start()
                rest = Statement(match.end(), statement.end, indent_of(self.source, match.end()))
                rest = evolve(rest, margin=" " * rest.indent)
                parts = [evolve(statement, end=at), rest]
                statements = [*self.statements[:number], *parts, *self.statements[number + 1 :]]
                yield Try(statements, Mended(dangling_comma(self.source, at), Edit(at, at + 1, " ")))
