"""Repairs of one line, tried in order of likelihood.

The first repair that the grammar accepts gives the error message and lets parsing continue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cardlang.diagnostics import Diagnostic
from cardlang.diagnostics.old_syntax_replacement import replace_old_forms
from cardlang.english.control_characters import build_code_from_title
from cardlang.syntax.builders.tree_builder import report_invalid_code
from cardlang.syntax.logical_lines import LogicalLine, shorten_text
from cardlang.syntax.parse_tables import describe_expected_terminals, find_keywords, find_terminal_name
from cardlang.syntax.recovery.adjacent_words_and_clause_order import (
    can_be_owner,
    report_adjacent_names,
    report_case_without_value,
    suggest_hyphen_or_apostrophe,
    suggest_line_for_each_case,
    suggest_missing_do,
    suggest_part_order,
    suggest_text_without_called,
)
from cardlang.syntax.recovery.edited_source import TextEdit
from cardlang.syntax.recovery.guessed_names import NUMBERS_BY_WORD, guess_names
from cardlang.syntax.recovery.line_templates import (
    BLOCK_FIRST_WORDS,
    EXAMPLE_FIRST_WORDS,
    FILLER_WORD_REGEXES,
    FOREIGN_IDIOMS,
    FOREIGN_LINE_TRANSLATIONS,
    FOREIGN_SYMBOL_REPLACEMENTS,
    INSERTABLE_WORDS,
    ITEM_FIRST_WORDS,
    ITEM_TEMPLATES,
    MOVE_TEMPLATE,
    STATEMENT_TEMPLATES,
)
from cardlang.syntax.recovery.plain_english import suggest_for_plain_english, suggest_nearest
from cardlang.syntax.recovery.syntax_errors import (
    HEADER_WORDS,
    OTHERWISE_WORDS,
    SyntaxFinding,
    build_diagnostic_with_hint,
    build_syntax_hint,
    describe_unexpected_word,
    find_line_template,
    find_similar_keywords,
    quote_text,
    try_repair,
)
from cardlang.syntax.recovery.unreadable_line import LineToken, UnreadableLine

# No repairs late in a long item or in a long line: each attempt costs another parse.
MAX_REPAIRED_ITEM_LENGTH = 60_000
MAX_REPAIRED_LINE_LENGTH = 4_000
UNQUOTED_TEXT = re.compile(r"[A-Z][\w'-]*,? (?:[a-z0-9][^\"\n]*|[^\"\n]*[.!?])")
NAME_PLACEHOLDER = " missing "
"""Placeholder for a missing name."""


def find_best_repair(line: UnreadableLine) -> SyntaxFinding:
    """Return the first repair that makes the whole line parse, or else a message with the expected words."""
    worth_trying = line.end < MAX_REPAIRED_ITEM_LENGTH and line.end - line.start < MAX_REPAIRED_LINE_LENGTH
    finding = (next(try_all_repairs(line), None) if worth_trying else None) or SyntaxFinding(
        report_unreadable_line(line)
    )
    return suggest_nearest(line, finding) if worth_trying else finding


def try_all_repairs(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    yield from suggest_present_form(line)
    yield from suggest_missing_do(line)
    yield from suggest_missing_you(line)
    yield from report_case_without_value(line)
    yield from suggest_part_order(line)
    yield from suggest_text_without_called(line)
    yield from suggest_line_for_each_case(line)
    yield from suggest_counted_loop(line)
    yield from suggest_quotes(line)
    yield from suggest_for_plain_english(line)
    yield from explain_foreign_idioms(line)
    yield from remove_commas_between_cards(line)
    yield from translate_foreign_syntax(line)
    yield from replace_foreign_symbols(line)
    yield from suggest_hyphen_or_apostrophe(line)
    yield from suggest_similar_keyword(line)
    yield from report_misplaced_statement(line)
    yield from suggest_card_brackets(line)
    yield from remove_filler_words(line)
    yield from report_adjacent_names(line)
    yield from suggest_missing_word(line)
    yield from report_keyword_as_name(line)
    yield from suggest_missing_first_word(line)
    yield from report_missing_name(line)
    yield from report_strange_character(line)
    yield from remove_unexpected_word(line)
    yield from report_words_after_end(line)


# ---------------------------------------------------------------- repairs
def suggest_present_form(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest the present form of a statement instead of one that is gone."""
    text = line.draft.text[line.start : line.end]
    new = replace_old_forms(text)
    if new == text:
        return
    first, present = text.splitlines()[0], re.sub(r'(?<!called|plural) "[^"]*"$', "", new.splitlines()[0])
    hint = f"write `{present}`. `cardlang check --fix` writes it for you"
    span = line.build_span(line.start, line.start + len(first))
    diagnostic = Diagnostic("E114", f"{quote_text(first)} is an old form", span, hint)
    yield from try_repair(line, TextEdit(line.start, line.end, new), diagnostic)


def translate_foreign_syntax(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Translate a statement from the syntax of other languages, such as `round = round + 1`."""
    if line.parent is None or not line.tokens:
        return
    last = line.tokens[-2] if len(line.tokens) > 1 and line.tokens[-1].text[0] in OPENING_QUOTES else line.tokens[-1]
    start, end = line.tokens[0].start, last.end
    text = line.draft.text[start:end]
    for pattern, replacement in FOREIGN_LINE_TRANSLATIONS:
        match = re.fullmatch(pattern, text)
        if match:
            new = match.expand(replacement).replace("HOME", guess_names(line.draft.source.text, 0).home)
            diagnostic = Diagnostic("E114", f"write `{new}` instead of {quote_text(text)}", line.build_span(start, end))
            yield from try_repair(line, TextEdit(start, end, new), diagnostic)


def suggest_counted_loop(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest `repeat up to 4 times` instead of `repeat 4 times`."""
    match = re.match(
        r"(?:repeat )?(?:this |it |that )?(?P<times>[\w-]+|your [\w-]+) times?\b:?",
        line.draft.text[line.start : line.end],
    )
    if line.parent is None or not match:
        return
    new = f"repeat up to {NUMBERS_BY_WORD.get(match['times'], match['times'])} times"
    start, end = line.start, line.start + match.end()
    diagnostic = Diagnostic("E114", f"write `{new}` instead of {quote_text(match[0])}", line.build_span(start, end))
    yield from try_repair(line, TextEdit(start, end, new), diagnostic)


def explain_foreign_idioms(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Explain constructs that the language expresses differently, such as `repeat 4 times`."""
    text = line.draft.text[line.start : line.end]
    for idiom in FOREIGN_IDIOMS:
        for match in re.finditer(idiom.pattern, text):
            start, end = line.start + match.start(), line.start + match.end()
            if not start <= line.parse_stop.start <= end:
                continue
            diagnostic = Diagnostic(
                "E114", match.expand(idiom.message), line.build_span(start, end), match.expand(idiom.hint)
            )
            if idiom.replacement is None:
                yield SyntaxFinding(diagnostic)
            else:
                yield from try_repair(line, TextEdit(start, end, match.expand(idiom.replacement)), diagnostic, end)


def remove_commas_between_cards(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Remove commas between cards in brackets."""
    match = re.compile(r"\[[^\]\n]*\]").match(line.draft.text, line.parse_stop.start)
    if match and "," in match[0]:
        new = re.sub(r"[ \t]*,[ \t]*", " ", match[0])
        message = f"remove the commas between the cards: {quote_text(new)}"
        yield from try_repair(
            line, TextEdit(*match.span(), new), Diagnostic("E104", message, line.build_span(*match.span())), match.end()
        )


def replace_foreign_symbols(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Replace foreign symbols and words: `==`, curly quotes, `else`."""
    tokens, at = line.tokens, line.unexpected_index
    low = tokens[max(at - 2, 0)].start if tokens else line.start
    text = line.draft.text
    for pattern, replacement in FOREIGN_SYMBOL_REPLACEMENTS:
        for match in re.compile(pattern).finditer(text, low, line.end):
            if match.start() > line.parse_stop.end:
                break
            new = match.expand(replacement)
            edit = TextEdit(match.start(), match.end(), pad_with_spaces(text, match, new))
            message = f"write {quote_text(new)} instead of {quote_text(match[0])}"
            yield from try_repair(line, edit, Diagnostic("E114", message, line.build_span(match.start(), match.end())))


def pad_with_spaces(text: str, match: re.Match[str], replacement: str) -> str:
    """Return a replacement with spaces, if it is a word next to another one."""
    if not replacement[:1].isalpha():
        return replacement
    left = " " if text[match.start() - 1 : match.start()].isalnum() else ""
    right = " " if text[match.end() : match.end() + 1].isalnum() else ""
    return left + replacement + right


def suggest_similar_keyword(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest similar keywords with which the line parses further."""
    tokens, at = line.tokens, line.unexpected_index
    further = tokens[at + 1].end - 1 if at + 1 < len(tokens) else line.end
    for number in dict.fromkeys((at, at - 1, 0, 1, at - 2)):
        if not 0 <= number < len(tokens) or number > at:
            continue
        token = tokens[number]
        for word in find_similar_keywords(token.text):
            edit = TextEdit(token.start, token.end, word)
            message = f"unknown word {quote_text(token.text)}. Did you mean {quote_text(word)}?"
            goal = line.parse_stop.start if line.unexpected_child else further
            if number == 0 and word in ITEM_TEMPLATES:
                goal = line.parse_stop.start - 1  # the rest may have other errors
            diagnostic = Diagnostic("E102", message, line.build_span(token.start, token.end))
            yield from try_repair(line, edit, diagnostic, goal)


def suggest_missing_you(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest `you` in a choice without a player, such as `play 1 from your hand to table`."""
    tokens = line.tokens
    if (
        tokens
        and STATEMENT_TEMPLATES.get(tokens[0].text) == MOVE_TEMPLATE
        and "from" in [token.text for token in tokens]
    ):
        verb = tokens[0]
        message = f"missing `you` before {quote_text(verb.text)}"
        hint = (
            f"write `you {verb.text} …` if the player chooses the cards, or `{verb.text} top … of …` for the top cards"
        )
        diagnostic = Diagnostic("E103", message, line.build_span(verb.start, verb.end), hint)
        yield from try_repair(line, TextEdit(tokens[0].start, tokens[0].start, "you "), diagnostic)


def suggest_card_brackets(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest brackets around the code of a card."""
    tokens, at = line.tokens, line.unexpected_index
    token = tokens[at] if 0 < at < len(tokens) else None
    if token is not None and "CARDS" in line.parse_stop.expected and token.text.isalnum():
        message = f"put cards in brackets: {quote_text(f'[{token.text}]')}"
        diagnostic = Diagnostic("E103", message, line.build_span(token.start, token.end))
        yield from try_repair(line, TextEdit(token.start, token.end, f"[{token.text}]"), diagnostic)


def suggest_missing_word(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    tokens, at = line.tokens, line.unexpected_index
    offset = tokens[at].start if at < len(tokens) else line.end
    for word in INSERTABLE_WORDS:
        edit = TextEdit(offset, offset, f" {word} ")
        fits = find_terminal_name(word) in line.parse_stop.expected and (
            word == "," or not line.parse_stop.can_end_statement
        )
        if fits and 0 < at < len(tokens) and tokens[at - 1].text != word:
            message = f"missing {quote_text(word)} before {quote_text(tokens[at].text)}"
            diagnostic = build_diagnostic_with_hint("E103", message, line, tokens[at].start, tokens[at].end)
            yield from try_repair(line, edit, diagnostic)


def suggest_missing_first_word(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest a first word for a line. The words after it and the lines below it decide which one fits."""
    tokens = line.tokens
    above = line.parent is not None
    if len(tokens) < 2 or tokens[0].text in STATEMENT_TEMPLATES or (not above and tokens[0].text in ITEM_TEMPLATES):
        return
    start = tokens[0].start
    heads = (
        (EXAMPLE_FIRST_WORDS if line.parent_first_word == "example" else BLOCK_FIRST_WORDS)
        if above
        else ITEM_FIRST_WORDS
    )
    for word in heads:
        edit = TextEdit(start, start, f"{word} ")
        repaired = f"{word} {line.draft.text[start : line.end]}"
        message = f"missing {quote_text(word)} at the start of the line"
        diagnostic = Diagnostic("E103", message, line.build_span(start, tokens[0].end), f"write {quote_text(repaired)}")
        yield from try_repair(line, edit, diagnostic, None if line.unexpected_child is None else line.parse_stop.start)


def report_missing_name(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Report a symbol or keyword in place of a name."""
    tokens, at = line.tokens, line.unexpected_index
    for number in (at, at - 1):
        if not 0 < number < len(tokens) or tokens[number].text == tokens[number - 1].text:
            continue
        token = tokens[number]
        if number == at or token.text in find_keywords():
            message = f"missing name before {quote_text(token.text)}"
            diagnostic = build_diagnostic_with_hint("E103", message, line, token.start, token.end)
            yield from try_repair(line, TextEdit(token.start, token.start, NAME_PLACEHOLDER), diagnostic)


def report_keyword_as_name(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    tokens, at = line.tokens, line.unexpected_index
    for token in tokens[max(at - 1, 1) : at + 1]:
        if token.text in find_keywords():
            edit = TextEdit(token.start, token.end, "x")
            message = f"{quote_text(token.text)} is a keyword and cannot be a name here"
            hint = f"choose another name, such as `{token.text}-pile` or `my-{token.text}`"
            diagnostic = Diagnostic("E106", message, line.build_span(token.start, token.end), hint)
            yield from (SyntaxFinding(finding.diagnostic) for finding in try_repair(line, edit, diagnostic))


def remove_filler_words(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    tokens, at = line.tokens, line.unexpected_index
    low = tokens[max(at - 1, 0)].start if tokens else line.start
    for pattern in FILLER_WORD_REGEXES:
        for match in re.compile(pattern).finditer(line.draft.text, low, line.end):
            if match.start() > line.parse_stop.end:
                break
            message = f"{describe_unexpected_word(match[0].strip())}. Remove it"
            diagnostic = Diagnostic("E104", message, line.build_span(match.start(), match.end()))
            yield from try_repair(line, TextEdit(match.start(), match.end(), ""), diagnostic)


def suggest_quotes(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Suggest quotes around a text at the end of a line: capitalized words after a complete statement."""
    start, end = line.parse_stop.start, line.end
    text = line.draft.text[start:end]
    can_follow = line.parse_stop.can_end_statement and "STRING" in line.parse_stop.expected
    if can_follow and line.tokens[0].text not in HEADER_WORDS and UNQUOTED_TEXT.fullmatch(text):
        quoted = f'"{text}"'
        message = f"put text in quotes: {quote_text(quoted)}"
        yield from try_repair(
            line, TextEdit(start, end, quoted), Diagnostic("E114", message, line.build_span(start, end))
        )


def report_words_after_end(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Report words after a complete statement that aren't text for the rulebook."""
    tokens, at = line.tokens, line.unexpected_index
    if not line.parse_stop.can_end_statement or not 0 < at < len(tokens):
        return
    rest = tokens[at:-1] if tokens[-1].text[0] == '"' and at < len(tokens) - 1 else tokens[at:]
    start, end = rest[0].start, rest[-1].end
    message = f"unexpected {quote_text(line.draft.text[start:end])} after a complete statement"
    for finding in try_repair(
        line, TextEdit(start, end, ""), build_diagnostic_with_hint("E104", message, line, start, end)
    ):
        yield finding if line.has_block else SyntaxFinding(finding.diagnostic)


def report_strange_character(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    if line.parse_stop.type != "character":
        return
    char = line.draft.text[line.parse_stop.start]
    if "CODE" in line.parse_stop.expected:
        written = re.split(r"[)\n]", line.draft.text[line.parse_stop.start : line.end])[0].strip() or char
        yield SyntaxFinding(
            report_invalid_code(
                line.build_span(line.parse_stop.start, line.parse_stop.start + len(written)),
                build_code_from_title(written),
            )
        )
        return
    if char.isalnum() or char == "_":
        message = f"{quote_text(char)} cannot be part of a name"
        hint = "a name can have the letters A to Z, digits and hyphens. Text in quotes can have any letters"
    else:
        message, hint = f"unexpected character {quote_text(char)}", build_syntax_hint(line)
    yield SyntaxFinding(
        Diagnostic("E115", message, line.build_span(line.parse_stop.start, line.parse_stop.start + 1), hint)
    )


def remove_unexpected_word(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    tokens, at = line.tokens, line.unexpected_index
    if 0 < at < len(tokens):
        token = tokens[at]
        message = describe_unexpected_word(token.text)
        diagnostic = build_diagnostic_with_hint("E104", message, line, token.start, token.end)
        yield from try_repair(line, TextEdit(token.start, token.end, ""), diagnostic)


# ---------------------------------------------------------------- statements in the wrong place
OPENING_QUOTES = '"“'


def report_misplaced_statement(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    tokens = line.tokens
    first = tokens[0].text if tokens else ""
    message = hint = ""
    if line.parent is None and first in ("game", "library") and line.rule == "item":
        message, hint = (
            f"only the first line can begin with `{first}`",
            "delete this line, or move it to the top of the file",
        )
        if tokens[1:] and tokens[1].text[0] not in OPENING_QUOTES:
            message, hint = "the title needs quotes", f'write `{first} "TITLE" …`'
    elif line.parent is None and first not in ITEM_TEMPLATES and first in STATEMENT_TEMPLATES:
        message, hint = f"{quote_text(first)} cannot start at the left edge", "indent it under the step it belongs to"
    elif line.parent is None and first not in ITEM_TEMPLATES and first[:1].isalpha():
        message = f"{describe_unexpected_word(first)} at the start of a line"
        hint = "start the line with a word such as `zone`, `number`, `define`, `step` or `example`"
    elif line.parent is not None and tokens and is_misplaced_in_block(line, first):
        message, hint = describe_misplacement(line, line.parent, first)
    if message:
        token = tokens[0]
        yield SyntaxFinding(Diagnostic("E116", message, line.build_span(token.start, token.end), hint))


def is_misplaced_in_block(line: UnreadableLine, first_word: str) -> bool:
    """Return whether the first word is wrong, or starts a declaration or an `otherwise` that cannot be here."""
    if line.unexpected_index == 0:
        return True
    if line.unexpected_index > 1:
        return False
    if first_word in OTHERWISE_WORDS:
        return len(line.tokens) == 1 or first_word.startswith("el") or line.tokens[1].text == "if"
    in_step = (line.parent is not None and line.parent.indent > 0) or line.parent_first_word in (
        "step",
        "reaction",
        "whenever",
    )
    return in_step and first_word in ITEM_TEMPLATES and first_word not in STATEMENT_TEMPLATES


def describe_misplacement(line: UnreadableLine, parent: LogicalLine, first_word: str) -> tuple[str, str]:
    if first_word in OTHERWISE_WORDS:
        return describe_missing_if(line, first_word)
    if first_word in ITEM_TEMPLATES and first_word not in STATEMENT_TEMPLATES:
        return f"{quote_text(first_word)} cannot be inside a block", "start it at the left edge"
    head = line.draft.source.text[parent.start : parent.end].split("\n")[0]
    shape = find_line_template(head)
    block = shape.block_contents if shape else ""
    return (
        f"{describe_unexpected_word(first_word)} at the start of a line",
        f"below `{shorten_text(head)}`, write {block}" if block else "",
    )


def describe_missing_if(line: UnreadableLine, first_word: str) -> tuple[str, str]:
    """Return the message and the hint for an `otherwise` or `else` that follows no `if` and no choice."""
    if [token.text for token in line.tokens[1:2]] == ["if"] or first_word in ("elif", "elseif"):
        put = "put it" if first_word == "otherwise" else "write `otherwise if`,"
        hint = f"{put} right after the block of its `if`, before any `otherwise`, indented like the `if`"
        return f"this `{first_word}` has no `if`", f"{hint}. For a condition of its own, write `if`"
    put = "put it" if first_word == "otherwise" else "write `otherwise`,"
    hint = f"{put} right after its `if` or its choice, indented like that line"
    return f"this `{first_word}` has no `if` and no choice", hint


# ---------------------------------------------------------------- errors without a repair
def report_unreadable_line(line: UnreadableLine) -> Diagnostic:
    tokens, at = line.tokens, line.unexpected_index
    expected = describe_expected_terminals(line.parse_stop.expected)
    if at >= len(tokens):
        last = tokens[-1] if tokens else LineToken(line.start, line.end, "")
        after = f"after {quote_text(last.text)}"
        message = f"expected {expected} {after}" if expected else f"unfinished line {after}"
        if "VERB" in line.parse_stop.expected:
            called = line.draft.text[line.start : last.end]
            hint = f"to run a step, write {quote_text(f'do {called}')}"
            return Diagnostic("E105", message, line.build_span(last.start, last.end), hint)
        return build_diagnostic_with_hint("E105", message, line, last.start, last.end)
    token = tokens[at]
    if (
        at == 1
        and "VERB" in line.parse_stop.expected
        and tokens[0].text not in find_keywords()
        and not can_be_owner(line, tokens[0].text)
    ):
        return report_unknown_verb(line, tokens[0])
    before = f" after {quote_text(tokens[at - 1].text)}" if at else " at the start of a line"
    expectation = f". Expected {expected}" if expected else ""
    message = f"{describe_unexpected_word(token.text)}{before}{expectation}"
    return build_diagnostic_with_hint("E101", message, line, token.start, token.end)


def report_unknown_verb(line: UnreadableLine, token: LineToken) -> Diagnostic:
    hint = "start the line with a verb such as `move`, `shuffle`, `set` or `do`, or with `you` for a choice"
    message = f"unknown verb {quote_text(token.text)}"
    return Diagnostic("E101", message, line.build_span(token.start, token.end), hint)
