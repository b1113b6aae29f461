"""Repairs of adjacent words and of the order of clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from cardlang.diagnostics import Diagnostic, Source
from cardlang.diagnostics.source_limits import STRING_REGEX
from cardlang.syntax.parse_tables import find_keywords
from cardlang.syntax.recovery.edited_source import TextEdit
from cardlang.syntax.recovery.syntax_errors import SyntaxFinding, find_similar_keywords, quote_text, try_repair
from cardlang.syntax.recovery.unreadable_line import LineToken, UnreadableLine

DECLARATION_HEAD_REGEX = (
    r"(?:option|(?:ordered )?(?:kind|cards|zone|number|flag|player|define|order|ranking|step|reaction|announce"
    r"|[A-Z][\w-]*)) (?:your |[\w-]+'s? )?"
)
MAX_NAME_WORDS = 4


def suggest_missing_do(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest `do` before a line that only names a step, such as `round` or `your turn`."""
    text = line.draft.text[line.start : line.end]
    match = re.match(r"(your |[\w-]+'s? )?([A-Za-z][\w-]*)(?= with |\s*$)", text)
    step = match and find_declared_step(line.draft.source, match[2])
    if line.parent is None or not match or not step:
        return
    whose = match[1] or step[1] or ""
    called = f"{whose}{match[2]}"
    message = f"{quote_text(called)} is a step. To run it, write {quote_text(f'do {called}')}"
    end = line.start + match.end()
    diagnostic = Diagnostic("E103", message, line.build_span(line.start, end))
    yield from try_repair(line, TextEdit(line.start, end, f"do {called}"), diagnostic)


def find_declared_step(source: Source, name: str) -> re.Match[str] | None:
    return re.search(rf"^[ \t]*step (your )?{re.escape(name)}(?![\w-])", source.text, re.MULTILINE)


def suggest_text_without_called(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest text without `called` in a statement without a display name: `step count "Count the points."`."""
    at, tokens = line.unexpected_index, line.tokens
    if not 0 < at < len(tokens) or tokens[at].text != "called" or not re.match(r"\w", tokens[at - 1].text):
        return
    start, end = tokens[at - 1].end, tokens[at].end
    message = "this has no display name. Its text follows directly, without `called`"
    diagnostic = Diagnostic("E103", message, line.build_span(tokens[at].start, end))
    yield from try_repair(line, TextEdit(start, end, ""), diagnostic)


def suggest_hyphen_or_apostrophe(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest a hyphen or an apostrophe: `redraw-limit` for `redraw limit`, `players' hand` for `players hand`."""
    if is_name_after_name(line):
        yield from suggest_hyphen(line)
        yield from suggest_apostrophe(line)


def is_name_after_name(line: UnreadableLine) -> bool:
    """Return whether parsing stopped at a name directly after another name."""
    tokens, at = line.tokens, line.unexpected_index
    if not 0 < at < len(tokens) or not all(token.text[0].isalpha() for token in tokens[at - 1 : at + 1]):
        return False
    return tokens[at].text not in find_keywords()


def suggest_hyphen(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest hyphens between words, in the place of a name or if the file declares the joined name."""
    tokens, at = line.tokens, line.unexpected_index
    if any(can_parse_with_keyword(line, tokens[at], word) for word in find_similar_keywords(tokens[at].text)):
        return
    naming = re.fullmatch(DECLARATION_HEAD_REGEX, line.draft.text[line.start : tokens[at - 1].start]) is not None
    for last in range(at, min(len(tokens), at - 1 + MAX_NAME_WORDS)):
        words = [token.text for token in tokens[at - 1 : last + 1]]
        if not words[-1][0].isalnum() or words[-1] in find_keywords():
            return
        if naming or is_name_declared(line.draft.source, words):
            start, end, name = tokens[at - 1].start, tokens[last].end, "-".join(words)
            message = f"a name is one word. Join its parts with a hyphen: {quote_text(name)}"
            diagnostic = Diagnostic("E103", message, line.build_span(start, end))
            yield from try_repair(line, TextEdit(start, end, name), diagnostic, find_repair_goal(line, last + 1))


def can_parse_with_keyword(line: UnreadableLine, token: LineToken, keyword: str) -> bool:
    """Return whether the line parses further with a keyword in place of a name, as in `market hold 1`."""
    return line.can_parse_further(TextEdit(token.start, token.end, keyword), line.end)


def find_repair_goal(line: UnreadableLine, token_index: int) -> int:
    """Return the offset that parsing must reach with a repair.

    It is past this token only, as more errors may follow."""
    return line.tokens[token_index].end - 1 if token_index < len(line.tokens) else line.end


def is_name_declared(source: Source, words: list[str]) -> bool:
    """Return whether the file declares the name that these words make, with hyphens or spaces."""
    naming = rf"^[ \t]*{DECLARATION_HEAD_REGEX}{'[ -]'.join(map(re.escape, words))}(?![\w-])"
    return re.search(naming, source.text, re.MULTILINE) is not None


def suggest_apostrophe(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest an apostrophe if the file has a player or other owner of that name."""
    owner = line.tokens[line.unexpected_index - 1]
    for name, form in list_possessives_by_owner(owner.text).items():
        if name == "players" or can_be_owner(line, name):
            message = f"missing apostrophe. Write {quote_text(form)} instead of {quote_text(owner.text)}"
            diagnostic = Diagnostic("E103", message, line.build_span(owner.start, owner.end))
            yield from try_repair(
                line,
                TextEdit(owner.start, owner.end, form),
                diagnostic,
                find_repair_goal(line, line.unexpected_index + 1),
            )


def report_adjacent_names(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Report two adjacent names whose relation is unknown."""
    if not is_name_after_name(line):
        return
    owner, owned = line.tokens[line.unexpected_index - 1 : line.unexpected_index + 1]
    form = [*list_possessives_by_owner(owner.text).values()][-1]
    message = f"unexpected word {quote_text(owned.text)} after {quote_text(owner.text)}"
    hint = f"write `{form} {owned.text}` for an owner and what it owns, or `{owner.text}-{owned.text}` for one name"
    diagnostic = Diagnostic("E103", message, line.build_span(owner.start, owned.end), hint)
    if owner.text not in find_keywords():
        yield from (
            SyntaxFinding(finding.diagnostic)
            for finding in try_repair(line, TextEdit(owner.start, owner.end, form), diagnostic)
        )


def list_possessives_by_owner(word_without_apostrophe: str) -> dict[str, str]:
    """Return the possessive forms of a word without its apostrophe, by the owner's name."""
    if word_without_apostrophe == "players":
        return {word_without_apostrophe: "players'"}
    return (
        {
            word_without_apostrophe: f"{word_without_apostrophe}'",
            word_without_apostrophe[:-1]: f"{word_without_apostrophe[:-1]}'s",
        }
        if word_without_apostrophe.endswith("s")
        else {word_without_apostrophe: f"{word_without_apostrophe}'s"}
    )


def can_be_owner(line: UnreadableLine, name: str) -> bool:
    """Return whether the file has a player, card or other owner of that name."""
    text = re.sub(rf"{STRING_REGEX}|#[^\n]*", "", line.draft.source.text)
    naming = rf"(?:\b(?:player|card|choose|choose one|with|as)|,) {re.escape(name)}(?![\w-])"
    return re.search(rf"{naming}|(?<![\w-]){re.escape(name)}'", text) is not None


# ---------------------------------------------------------------- order of clauses
CALLED_CLAUSE_REGEX = rf"called {STRING_REGEX}(?: plural {STRING_REGEX})?"
ZONE_PART_ORDER = ("for", "holds", "called", "seen", '"')
TRACK_PART_ORDER = ("for", "called", "seen", "starts", '"')
VALUE_PLACEHOLDER = "missing "
"""Placeholder for a missing value."""
PART_ORDERS = {
    "zone": (ZONE_PART_ORDER, 'zone NAME for each KIND holds 1 called "WORD" plural "WORDS" seen by WHO "TEXT"'),
    "define": (("for", "called", "as"), 'define NAME for each KIND called "WORD" plural "WORDS" as VALUE "TEXT"'),
}
DEFAULT_PART_ORDER = (
    TRACK_PART_ORDER,
    'number NAME for each KIND called "WORD" plural "WORDS" seen by WHO starts at VALUE "TEXT"',
)
PART_PATTERN = re.compile(
    rf"(?<= )(?:{CALLED_CLAUSE_REGEX}|(?P<word>holds|seen|starts|as|for(?= each\b))\b|(?P<text>{STRING_REGEX}))"
)
ELSE_CLAUSE_REGEX = r"(?:,? (?:otherwise|else) (?P<else>.+))?"
ONE_LINE_CASE_PATTERNS = (
    re.compile(rf"(?P<head>define .+? as) (?P<value>.+?),? (?P<when>if|when) (?P<if>.+?){ELSE_CLAUSE_REGEX}"),
    re.compile(rf"(?P<head>define .+? as) (?P<when>if|when) (?P<if>.+?),? then (?P<value>.+?){ELSE_CLAUSE_REGEX}"),
)
ADDITION_PATTERN = re.compile(r"(.+) [+-] [\w-]+")
HAVING_MOST_PATTERN = re.compile(r"you have (?:the )?(?:most|highest) ([\w-]+)")


@frozen
class DeclarationPart:
    """Part of a declaration. `word` is its first word, or a quote for text of the rulebook."""

    word: str
    start: int
    end: int


def suggest_part_order(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    text = line.draft.text[line.start : line.end]
    first = re.match(r"\w*", text)
    order, shape = PART_ORDERS.get(first[0] if first else "", DEFAULT_PART_ORDER)
    parts = [part for part in split_declaration(text) if part.word in order]
    late = next(
        (
            i
            for i, part in enumerate(parts)
            if i and find_part_position(order, part) < find_part_position(order, parts[i - 1])
        ),
        None,
    )
    if line.parent is not None or late is None:
        return
    part, before = (
        parts[late],
        next(
            declaration_part
            for declaration_part in parts
            if find_part_position(order, declaration_part) > find_part_position(order, parts[late])
        ),
    )
    ordered = " ".join(
        text[declaration_part.start : declaration_part.end].strip()
        for declaration_part in sorted(parts, key=lambda declaration_part: find_part_position(order, declaration_part))
    )
    message = f"{describe_part(part)} must come before {describe_part(before)}"
    span = line.build_span(line.start + part.start, line.start + part.end)
    diagnostic = Diagnostic("E116", message, span, f"write the parts in this order: `{shape}`")
    yield from try_repair(line, TextEdit(line.start + parts[0].start, line.end, ordered), diagnostic)


def find_part_position(order: tuple[str, ...], part: DeclarationPart) -> int:
    return order.index(part.word)


def describe_part(part: DeclarationPart) -> str:
    phrases = {'"': "the text in quotes", "starts": "`starts at`", "seen": "`seen by`", "for": "`for each`"}
    return phrases.get(part.word, f"`{part.word}`")


def split_declaration(text: str) -> list[DeclarationPart]:
    """Return the parts of a declaration after its name. After `called`, a string belongs to that part."""
    matches = list(PART_PATTERN.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    return [
        DeclarationPart('"' if match["text"] else match["word"] or "called", match.start(), len(text[:end].rstrip()))
        for match, end in zip(matches, ends, strict=False)
    ]


def report_case_without_value(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Report a case that starts with its condition. Its value is unknown."""
    if line.parent_first_word == "define" and line.tokens and line.tokens[0].text == "when":
        when = line.tokens[0]
        hint = "write the value first: `VALUE when CONDITION`"
        diagnostic = Diagnostic("E103", "missing value before `when`", line.build_span(when.start, when.end), hint)
        yield from try_repair(line, TextEdit(when.start, when.start, VALUE_PLACEHOLDER), diagnostic)


def suggest_line_for_each_case(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest a line for each case of a definition, instead of `define bonus as 3 if depth > 3`.

    Without another value, a case such as `coins + 3` adds to the value of the other case."""
    text = line.draft.text[line.start : line.end]
    match = next((match for match in (pattern.fullmatch(text) for pattern in ONE_LINE_CASE_PATTERNS) if match), None)
    if line.parent is not None or not match or line.parse_stop.start > line.start + match.end("if"):
        return
    if match["value"].count("(") > match["value"].count(")"):  # the condition belongs to a list in brackets
        return
    added = ADDITION_PATTERN.fullmatch(match["value"])
    other = match["else"] or (added[1] if added else "0")
    condition = HAVING_MOST_PATTERN.sub(r"you in all highest of players by \1", match["if"])
    edit = TextEdit(line.start, line.end, f"{match['head']}\n  {match['value']} when {condition}\n  otherwise {other}")
    for when in (condition, "CONDITION"):
        hint = f"write `{match['head']}`, and indented below it `{match['value']} when {when}` and `otherwise {other}`"
        diagnostic = Diagnostic(
            "E114", "each case needs a line of its own", line.build_span(line.start, line.end), hint
        )
        yield from try_repair(line, edit, diagnostic) if when == condition else [SyntaxFinding(diagnostic)]
