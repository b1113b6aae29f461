"""Statement that cannot be parsed: the position of the error, trial repairs, and hints.

Errors are named by their repair (see `repairs`). Other errors show the syntax of the statement."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from attrs import define, frozen

from cardlang.limits import MAX_READ_AGAIN, TOKEN
from cardlang.reading.draft import Draft, Edit
from cardlang.reading.lines import Statement, clip
from cardlang.reading.shapes import CASE, CHOOSE, OFFER, PICK, ROW, SHAPES, STATEMENTS, SYNONYMS, Shape
from cardlang.reading.tables import Stop, keywords, stop_at
from cardlang.source import Diagnostic, Source, Span

HEADERS = ("game", "library")
OTHERWISE = ("otherwise", "else", "elif", "elseif")
CHOICE = re.compile(r"\s*(you (?:may )?\w+(?: one\b(?! from))?|[\w'-]+ (?:may choose|chooses?) one)\b")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")


@frozen
class Token:
    """Token of a statement, with its range in the draft."""

    start: int
    end: int
    text: str


@define
class Patience:
    """Remaining number of characters that may be parsed again."""

    left: int = MAX_READ_AGAIN

    def lasts(self, text: str) -> bool:
        """Return whether this text may be parsed again, and count it."""
        self.left -= len(text)
        return self.left >= 0


@frozen
class Line:
    """Statement that cannot be parsed.

    `above` is the statement that contains it. `follower` is a deeper statement below it that the parser did not expect.
    `has_block` means that statements are nested in it."""

    draft: Draft
    rule: str
    statement: Statement
    above: Statement | None
    follower: Statement | None
    stop: Stop
    patience: Patience
    has_block: bool = False

    @property
    def start(self) -> int:
        return self.draft.position(self.statement.start)

    @property
    def end(self) -> int:
        return self.draft.position(self.statement.end)

    @property
    def head(self) -> str:
        """First word of the containing statement."""
        match = re.match(r"[a-z]+", self.draft.source.text[self.above.start :]) if self.above else None
        return match[0] if match else ""

    @property
    def tokens(self) -> list[Token]:
        found = TOKEN.finditer(self.draft.text, self.start, self.end)
        return [Token(match.start(), match.end(), match[0]) for match in found if match[0][0] != "#"]

    @property
    def at(self) -> int:
        """Index of the unexpected token, or the number of tokens if the line ends too early."""
        tokens = self.tokens
        return next((i for i, token in enumerate(tokens) if token.end > self.stop.start), len(tokens))

    def span(self, start: int, end: int) -> Span:
        source = self.draft.source
        low, high = self.draft.place(start), self.draft.place(end)
        return Span(source, low, max(high, low + 1))

    def goes_further(self, edit: Edit, goal: int) -> bool:
        """Return whether the edited draft parses beyond `goal`, a position before the edit."""
        longer = len(edit.text) - (edit.end - edit.start)
        cut = self.draft.position((self.follower or self.statement).end)
        text = self.draft.edited(edit).until(cut + longer).text
        if not self.patience.lasts(text) or dangling(text, edit):
            return False
        stop = stop_at(text, self.rule)
        return stop is None or stop.type in ("_DEDENT", "$END") or stop.start > goal + longer


def dangling(text: str, edit: Edit) -> bool:
    """Return whether an edit leaves a comma at the end of its line, which would join the next line."""
    line_end = text.find("\n", edit.start)
    return text[:line_end].rstrip().endswith(",") and not edit.text.endswith(",")


@frozen
class Finding:
    """Error with an edit that repairs it well enough to continue. Without an edit, the statement is left out."""

    diagnostic: Diagnostic
    edit: Edit | None = None


def tried(line: Line, edit: Edit, diagnostic: Diagnostic, goal: int | None = None) -> Iterator[Finding]:
    """Yield a repair if the grammar then parses beyond `goal`, by default the whole line."""
    if line.goes_further(edit, line.end if goal is None else goal):
        yield Finding(diagnostic, edit)


def diagnostic(code: str, message: str, line: Line, start: int, end: int) -> Diagnostic:
    return Diagnostic(code, message, line.span(start, end), hint_for(line))


def hint_for(line: Line) -> str:
    above = line.draft.source.text[line.above.start : line.above.end] if line.above else ""
    shape = shape_of(line.draft.text[line.start : line.end], above)
    return f"write {shape.what} as `{shape.shape}`, for example `{shape.example}`" if shape else ""


def shape_of(text: str, above: str = "") -> Shape | None:
    """Return the syntax that a statement was probably meant to have, by its words or by the containing statement."""
    words = re.findall(r"[A-Za-z0-9-]+", re.sub(r'"[^"]*"', "", text))
    first = words[0] if words else ""
    if first == "each" and "may choose" in text:
        return OFFER
    if first in SHAPES and first != "you":
        return SHAPES[first]
    if any(word in ("choose", "chooses") for word in words[:4]):
        return CHOOSE
    if any(STATEMENTS.get(word.removesuffix("s")) is STATEMENTS["move"] for word in words[1:4]):
        return PICK
    return {"define": CASE, "given": ROW}.get(above.split(" ")[0])


def shown(text: str) -> str:
    return f"`{clip(text)}`"


def unexpected(text: str) -> str:
    return f"unexpected word {shown(text)}" if text[:1].isalpha() else f"unexpected {shown(text)}"


# ---------------------------------------------------------------- words
def first_word(source: Source, statement: Statement) -> str:
    match = WORD.match(source.text, statement.start)
    return match[0] if match else ""


def near_words(word: str) -> list[str]:
    if not word[0].isalpha() or word in keywords() or len(word) < 2:
        return []
    near = get_close_matches(word.lower(), sorted(keywords()), n=8, cutoff=0.74)
    near.sort(key=lambda found: found.endswith("s") and found[:-1] in keywords())
    return [*near, *SYNONYMS.get(word.lower(), ())]


def rule_of(source: Source, statement: Statement) -> str:
    """Return the grammar rule for the first item of a file."""
    match = re.match(r"(\w+)[ \t]*[\"“]", source.text[statement.start : statement.end])
    first = match and (match[1] in HEADERS or bool(set(near_words(match[1])) & set(HEADERS)))
    return "header" if first else "item"


# ---------------------------------------------------------------- blocks
def choice_above(source: Source, statement: Statement) -> str:
    """Return the choice that an `otherwise` was probably meant for, or an empty string if an `if` comes first."""
    indent = statement.indent + 1
    for line in reversed(source.text[: statement.start].split("\n")[:-1]):
        depth = len(line) - len(line.lstrip())
        if not line.strip() or line.lstrip().startswith("#") or depth >= indent:
            continue
        indent = depth
        if re.match(r"\s*(?:otherwise )?if ", line):
            return ""
        choice = CHOICE.match(line)
        if choice:
            return choice[1]
    return ""


def takes_no_otherwise(choice: str) -> tuple[str, str]:
    """Return the message and the hint for an `otherwise` below a choice."""
    message = f"{shown(choice)} takes no `otherwise`"
    if choice.endswith("may choose one"):
        return message, "add a second option, or leave it out: passing does nothing"
    if choice.endswith("choose one"):
        return message, "write it as one more option"
    if " may " in choice:
        return message, "write both as options of `you choose one`"
    return message, "for a case without a choice, write an `if` before the choice"


def empty_block(draft: Draft, head: Statement) -> Diagnostic:
    """Report a missing block."""
    text = draft.source.text[head.start : head.end]
    shape = shape_of(text)
    block = shape.block if shape and shape.block else "its lines"
    return Diagnostic(
        "E112",
        f"nothing is indented below `{clip(text.splitlines()[0])}`",
        Span(draft.source, head.start, head.end),
        f"put {block} below it, indented by two spaces",
    )


def too_deep_indent(draft: Draft, head: Statement, statement: Statement) -> Diagnostic:
    """Report a line that is indented below a statement without a block."""
    source = draft.source
    return Diagnostic(
        "E113",
        "this line is indented too far. The line above takes no block",
        Span(source, statement.start, statement.end),
        f"start it at column {head.indent + 1}, like the line above",
        ((Span(source, head.start, head.end), "the line above"),),
    )


def no_last_case(draft: Draft, last: Statement) -> Diagnostic:
    return Diagnostic(
        "E103",
        "missing `otherwise` after the last case",
        Span(draft.source, last.start, last.end),
        "add a last line `otherwise VALUE`, for example `otherwise 0`",
    )
