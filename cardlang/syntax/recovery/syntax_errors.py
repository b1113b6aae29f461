"""Syntax errors: unreadable lines, edited source, and the trial of a repair.

An error is named by its repair (see `line_repairs`). Other errors show the syntax of the statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from attrs import define, field, frozen

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.source_limits import MAX_REPARSED_CHARACTERS, TOKEN_PATTERN
from cardlang.syntax.logical_lines import LogicalLine, shorten_text
from cardlang.syntax.parse_tables import ParseStop, find_keywords, find_parse_stop
from cardlang.syntax.recovery.line_templates import (
    CASE_TEMPLATE,
    CHOICE_TEMPLATE,
    KEYWORD_SYNONYMS,
    LINE_TEMPLATES,
    MOVE_TEMPLATE,
    ROW_TEMPLATE,
    STATEMENT_TEMPLATES,
    LineTemplate,
)


@frozen
class TextEdit:
    """Replacement of the draft's text from `start` to `end`."""

    start: int
    end: int
    text: str


@frozen
class EditedSource:
    """Immutable parser input. `origin` is its offset in the source. `edits` has the edits made, in order."""

    source: Source
    origin: int
    text: str
    edits: tuple[TextEdit, ...] = field(default=())

    def map_to_source(self, position: int) -> int:
        """Return the source offset of a position in the draft."""
        for edit in reversed(self.edits):
            position = map_before_edit(edit, position)
        return self.origin + position

    def map_from_source(self, offset: int) -> int:
        """Return the position in the draft of a source offset."""
        position = offset - self.origin
        for edit in self.edits:
            if position >= edit.end:
                position += len(edit.text) - (edit.end - edit.start)
        return position

    def apply_edit(self, edit: TextEdit) -> EditedSource:
        text = self.text[: edit.start] + edit.text + self.text[edit.end :]
        return EditedSource(self.source, self.origin, text, (*self.edits, edit))

    def blank_range(self, start: int, end: int) -> EditedSource:
        """Replace a range with spaces. Line breaks stay."""
        blank = "".join("\n" if char == "\n" else " " for char in self.text[start:end])
        return EditedSource(self.source, self.origin, self.text[:start] + blank + self.text[end:], self.edits)

    def truncate(self, end: int) -> EditedSource:
        return EditedSource(self.source, self.origin, self.text[:end].rstrip() + "\n", self.edits)


def build_edited_source(source: Source, start: int, end: int, edits: Iterable[TextEdit] = ()) -> EditedSource:
    """Return a draft of a range of the source, with edits applied. Edits outside of the range are ignored."""
    draft = EditedSource(source, start, source.text[start:end] + "\n")
    for edit in edits:
        if start <= edit.start and edit.end <= end:
            draft = draft.apply_edit(
                TextEdit(draft.map_from_source(edit.start), draft.map_from_source(edit.end), edit.text)
            )
    return draft


def map_before_edit(edit: TextEdit, position: int) -> int:
    """Return the position before an edit that corresponds to one after it."""
    longer = len(edit.text) - (edit.end - edit.start)
    if position >= edit.start + len(edit.text):
        return position - longer
    return min(position, edit.end)


# ---------------------------------------------------------------- unreadable lines
HEADER_WORDS = ("game", "library")
OTHERWISE_WORDS = ("otherwise", "else", "elif", "elseif")
WORD_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")


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


@frozen
class SyntaxFinding:
    """Error with an edit that repairs it well enough to continue. Without an edit, the statement is left out."""

    diagnostic: Diagnostic
    edit: TextEdit | None = None


def try_repair(
    line: UnreadableLine, edit: TextEdit, diagnostic: Diagnostic, goal: int | None = None
) -> Iterator[SyntaxFinding]:
    """Yield a repair if the grammar then parses beyond `goal`, by default the whole line."""
    if line.can_parse_further(edit, line.end if goal is None else goal):
        yield SyntaxFinding(diagnostic, edit)


def build_diagnostic_with_hint(code: str, message: str, line: UnreadableLine, start: int, end: int) -> Diagnostic:
    return Diagnostic(code, message, line.build_span(start, end), build_syntax_hint(line))


def build_syntax_hint(line: UnreadableLine) -> str:
    above = line.draft.source.text[line.parent.start : line.parent.end] if line.parent else ""
    shape = find_line_template(line.draft.text[line.start : line.end], above)
    if shape is not None and shape.example == shape.syntax:
        return f"write `{shape.syntax}` alone"
    return f"write {shape.noun} as `{shape.syntax}`, for example `{shape.example}`" if shape else ""


def find_line_template(text: str, parent_text: str = "") -> LineTemplate | None:
    """Return the syntax that a statement was probably meant to have, by its words or by the containing statement."""
    words = re.findall(r"[A-Za-z0-9-]+", re.sub(r'"[^"]*"', "", text))
    first = words[0] if words else ""
    if first == "each" and "may choose" in text:
        return STATEMENT_TEMPLATES["first"]
    if first in LINE_TEMPLATES and first != "you":
        return LINE_TEMPLATES[first]
    if any(word in ("choose", "chooses") for word in words[:4]):
        return CHOICE_TEMPLATE
    if any(STATEMENT_TEMPLATES.get(word.removesuffix("s")) == MOVE_TEMPLATE for word in words[1:4]):
        return STATEMENT_TEMPLATES["you"]
    return {"define": CASE_TEMPLATE, "given": ROW_TEMPLATE}.get(parent_text.split(" ")[0])


def quote_text(text: str) -> str:
    return f"`{shorten_text(text)}`"


def describe_unexpected_word(text: str) -> str:
    return f"unexpected word {quote_text(text)}" if text[:1].isalpha() else f"unexpected {quote_text(text)}"


# ---------------------------------------------------------------- words
def find_first_word(source: Source, statement: LogicalLine) -> str:
    match = WORD_PATTERN.match(source.text, statement.start)
    return match[0] if match else ""


def find_similar_keywords(word: str) -> list[str]:
    if not word[0].isalpha() or word in find_keywords() or len(word) < 2:
        return []
    near = get_close_matches(word.lower(), sorted(find_keywords()), n=8, cutoff=0.74)
    near.sort(key=lambda keyword: keyword.endswith("s") and keyword[:-1] in find_keywords())
    synonym = KEYWORD_SYNONYMS.get(word.lower())
    return [*near, synonym] if synonym else near


def choose_start_rule(source: Source, statement: LogicalLine) -> str:
    """Return the grammar rule for the first item of a file."""
    match = re.match(r"(\w+)[ \t]*[\"“]", source.text[statement.start : statement.end])
    first = match and (match[1] in HEADER_WORDS or bool(set(find_similar_keywords(match[1])) & set(HEADER_WORDS)))
    return "header" if first else "item"


# ---------------------------------------------------------------- blocks
def report_empty_block(draft: EditedSource, head: LogicalLine) -> Diagnostic:
    """Report a missing block."""
    text = draft.source.text[head.start : head.end]
    shape = find_line_template(text)
    block = shape.block_contents if shape and shape.block_contents else "its lines"
    return Diagnostic(
        "E112",
        f"nothing is indented below `{shorten_text(text.splitlines()[0])}`",
        Span(draft.source, head.start, head.end),
        f"put {block} below it, indented by two spaces",
    )


def report_line_without_block(draft: EditedSource, head: LogicalLine, statement: LogicalLine) -> Diagnostic:
    """Report a line that is indented below a statement without a block."""
    source = draft.source
    return Diagnostic(
        "E113",
        "this line is indented too far. The line above takes no block",
        Span(source, statement.start, statement.end),
        f"start it at column {head.indent + 1}, like the line above",
        ((Span(source, head.start, head.end), "the line above"),),
    )


def report_missing_last_case(draft: EditedSource, last: LogicalLine) -> Diagnostic:
    return Diagnostic(
        "E103",
        "missing `otherwise` after the last case",
        Span(draft.source, last.start, last.end),
        "add a last line `otherwise VALUE`, for example `otherwise 0`",
    )
