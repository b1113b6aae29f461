"""Statements that cannot be parsed, and whether an edit lets the parser read on."""

from __future__ import annotations

import re

from attrs import define, frozen

from cardlang.diagnostics import Span
from cardlang.diagnostics.source_limits import MAX_REPARSED_CHARACTERS, TOKEN_PATTERN
from cardlang.syntax.logical_lines import LogicalLine
from cardlang.syntax.parse_tables import ParseStop, find_parse_stop
from cardlang.syntax.recovery.edited_source import EditedSource, TextEdit


@frozen
class LineToken:
    """Token of a statement, with its range in the draft."""

    start: int
    end: int
    text: str


@define
class ReparseBudget:
    """Remaining number of characters that may be parsed again."""

    remaining: int = MAX_REPARSED_CHARACTERS

    def spend(self, text: str) -> bool:
        """Return whether this text may be parsed again, and count it."""
        self.remaining -= len(text)
        return self.remaining >= 0


@frozen
class UnreadableLine:
    """Statement that cannot be parsed.

    `parent` is the statement that contains it. `unexpected_child` is a deeper statement below it that the parser did
    not expect. `has_block` means that statements are nested in it."""

    draft: EditedSource
    rule: str
    statement: LogicalLine
    parent: LogicalLine | None
    unexpected_child: LogicalLine | None
    parse_stop: ParseStop
    budget: ReparseBudget
    has_block: bool = False

    @property
    def start(self) -> int:
        return self.draft.map_from_source(self.statement.start)

    @property
    def end(self) -> int:
        return self.draft.map_from_source(self.statement.end)

    @property
    def parent_first_word(self) -> str:
        """First word of the containing statement."""
        match = re.match(r"[a-z]+", self.draft.source.text[self.parent.start :]) if self.parent else None
        return match[0] if match else ""

    @property
    def tokens(self) -> list[LineToken]:
        matches = TOKEN_PATTERN.finditer(self.draft.text, self.start, self.end)
        return [LineToken(match.start(), match.end(), match[0]) for match in matches if match[0][0] != "#"]

    @property
    def unexpected_index(self) -> int:
        """Index of the unexpected token, or the number of tokens if the line ends too early."""
        tokens = self.tokens
        return next((i for i, token in enumerate(tokens) if token.end > self.parse_stop.start), len(tokens))

    def build_span(self, start: int, end: int) -> Span:
        source = self.draft.source
        low, high = self.draft.map_to_source(start), self.draft.map_to_source(end)
        return Span(source, low, max(high, low + 1))

    def can_parse_further(self, edit: TextEdit, goal: int) -> bool:
        """Return whether the edited draft parses beyond `goal`, a position before the edit."""
        longer = len(edit.text) - (edit.end - edit.start)
        cut = self.draft.map_from_source((self.unexpected_child or self.statement).end)
        text = self.draft.apply_edit(edit).truncate(cut + longer).text
        if not self.budget.spend(text) or leaves_trailing_comma(text, edit):
            return False
        stop = find_parse_stop(text, self.rule)
        return stop is None or stop.type in ("_DEDENT", "$END") or stop.start > goal + longer


def leaves_trailing_comma(text: str, edit: TextEdit) -> bool:
    """Return whether an edit leaves a comma at the end of its line, which would join the next line."""
    line_end = text.find("\n", edit.start)
    return text[:line_end].rstrip().endswith(",") and not edit.text.endswith(",")
