"""Error messages for unreadable lines, by trial repairs.

Likely repairs are tried in order. The first one that the grammar accepts gives the error message and lets parsing
continue."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import evolve

from cardlang.plain_text import code_of
from cardlang.reading.building.texts import not_a_code
from cardlang.reading.draft import Edit
from cardlang.reading.everyday import everyday, in_cookbook
from cardlang.reading.everyday_names import NUMBERS, free_name, names_of
from cardlang.reading.lines import Statement, clip
from cardlang.reading.neighbours import may_own, missing_do, perhaps_one, side_by_side
from cardlang.reading.parts import cases_on_one_line, out_of_order, without_value
from cardlang.reading.shapes import (
    BLOCK_HEADS,
    EXAMPLE_HEADS,
    FILLERS,
    IDIOMS,
    INSERTS,
    ITEM_HEADS,
    ITEMS,
    MOVE,
    REWORDED,
    STATEMENTS,
    SUBSTITUTES,
)
from cardlang.reading.syntax import (
    OTHERWISE,
    Finding,
    Line,
    Token,
    choice_above,
    diagnostic,
    hint_for,
    near_words,
    shape_of,
    shown,
    takes_no_otherwise,
    tried,
    unexpected,
)  # fmt: skip
from cardlang.reading.tables import keywords, terminal, words_of
from cardlang.source import Diagnostic

# No repairs late in a long item or in a long line: each attempt costs another parse.
LONG_ITEM = 60_000
LONG_LINE = 4_000
NO_NAME = " missing "
"""Placeholder for a missing name."""


def explain(line: Line) -> Finding:
    """Return the first repair that makes the whole line parse, or else a message with the expected words."""
    worth_trying = line.end < LONG_ITEM and line.end - line.start < LONG_LINE
    found = (next(repairs(line), None) if worth_trying else None) or Finding(unreadable(line))
    return with_cookbook(line, found) if worth_trying else found


def with_cookbook(line: Line, found: Finding) -> Finding:
    """Name an entry of the cookbook if a line sounds like English."""
    advice = in_cookbook(line, found)
    return Finding(evolve(unreadable(line) if found.edit else found.diagnostic, hint=advice)) if advice else found


def repairs(line: Line) -> Iterator[Finding]:
    yield from missing_do(line)
    yield from missing_you(line)
    yield from without_value(line)
    yield from out_of_order(line)
    yield from cases_on_one_line(line)
    yield from counted_loop(line)
    yield from everyday(line)
    yield from idioms(line)
    yield from commas(line)
    yield from reworded(line)
    yield from substitutes(line)
    yield from side_by_side(line)
    yield from misspelt(line)
    yield from misplaced(line)
    yield from unbracketed(line)
    yield from filler(line)
    yield from perhaps_one(line)
    yield from missing_word(line)
    yield from keyword_as_name(line)
    yield from missing_head(line)
    yield from missing_name(line)
    yield from strange_character(line)
    yield from one_too_many(line)
    yield from after_the_end(line)


# ---------------------------------------------------------------- repairs
def reworded(line: Line) -> Iterator[Finding]:
    """Translate a statement from the syntax of other languages, such as `round = round + 1`."""
    if line.above is None or not line.tokens:
        return
    last = line.tokens[-2] if len(line.tokens) > 1 and line.tokens[-1].text[0] in QUOTES else line.tokens[-1]
    start, end = line.tokens[0].start, last.end
    text = line.draft.text[start:end]
    for pattern, replacement in REWORDED:
        match = re.fullmatch(pattern, text)
        if match:
            new = match.expand(replacement).replace("HOME", names_of(line.draft.source.text, 0).home)
            found = Diagnostic("E114", f"write `{new}` instead of {shown(text)}", line.span(start, end))
            yield from tried(line, Edit(start, end, new), found)


def counted_loop(line: Line) -> Iterator[Finding]:
    """Suggest a number that counts, instead of `repeat 4 times`."""
    said = re.match(r"(?:repeat )?(?P<times>[\w-]+|your [\w-]+) times?\b:?", line.draft.text[line.start : line.end])
    if line.above is None or not said:
        return
    times, name = NUMBERS.get(said["times"], said["times"]), free_name(line.draft.source.text, "count")
    hint = (
        f"declare `number {name}` at the left edge. Write `set {name} to 0` here, "
        f"then `repeat until {name} >= {times}`, and indented below it `add 1 to {name}`"
    )
    start, end = line.start, line.start + said.end()
    found = Diagnostic("E114", "`repeat` needs a condition, not a count", line.span(start, end), hint)
    yield from tried(line, Edit(start, end, "repeat"), found)


def idioms(line: Line) -> Iterator[Finding]:
    """Explain constructs that the language expresses differently, such as `repeat 4 times`."""
    text = line.draft.text[line.start : line.end]
    for idiom in IDIOMS:
        for match in re.finditer(idiom.pattern, text):
            start, end = line.start + match.start(), line.start + match.end()
            if not start <= line.stop.start <= end:
                continue
            found = Diagnostic("E114", match.expand(idiom.message), line.span(start, end), match.expand(idiom.hint))
            if idiom.replacement is None:
                yield Finding(found)
            else:
                yield from tried(line, Edit(start, end, match.expand(idiom.replacement)), found, end)


def commas(line: Line) -> Iterator[Finding]:
    """Remove commas between cards in brackets."""
    match = re.compile(r"\[[^\]\n]*\]").match(line.draft.text, line.stop.start)
    if match and "," in match[0]:
        new = re.sub(r"[ \t]*,[ \t]*", " ", match[0])
        message = f"remove the commas between the cards: {shown(new)}"
        yield from tried(
            line, Edit(*match.span(), new), Diagnostic("E104", message, line.span(*match.span())), match.end()
        )


def substitutes(line: Line) -> Iterator[Finding]:
    """Replace foreign symbols and words: `==`, curly quotes, `else`."""
    tokens, at = line.tokens, line.at
    low = tokens[max(at - 2, 0)].start if tokens else line.start
    text = line.draft.text
    for pattern, replacement in SUBSTITUTES:
        for match in re.compile(pattern).finditer(text, low, line.end):
            if match.start() > line.stop.end:
                break
            new = match.expand(replacement)
            edit = Edit(match.start(), match.end(), padded(text, match, new))
            message = f"write {shown(new)} instead of {shown(match[0])}"
            yield from tried(line, edit, Diagnostic("E114", message, line.span(match.start(), match.end())))


def padded(text: str, match: re.Match[str], new: str) -> str:
    """Return a replacement with spaces, if it is a word next to another one."""
    if not new[:1].isalpha():
        return new
    left = " " if text[match.start() - 1 : match.start()].isalnum() else ""
    right = " " if text[match.end() : match.end() + 1].isalnum() else ""
    return left + new + right


def misspelt(line: Line) -> Iterator[Finding]:
    """Suggest similar keywords with which the line parses further."""
    tokens, at = line.tokens, line.at
    further = tokens[at + 1].end - 1 if at + 1 < len(tokens) else line.end
    for number in dict.fromkeys((at, at - 1, 0, 1, at - 2)):
        if not 0 <= number < len(tokens) or number > at:
            continue
        token = tokens[number]
        for word in near_words(token.text):
            edit = Edit(token.start, token.end, word)
            message = f"unknown word {shown(token.text)}. Did you mean {shown(word)}?"
            goal = line.stop.start if line.follower else further
            if number == 0 and word in ITEMS:
                goal = line.stop.start - 1  # the rest may have other errors
            found = Diagnostic("E102", message, line.span(token.start, token.end))
            yield from tried(line, edit, found, goal)


def missing_you(line: Line) -> Iterator[Finding]:
    """Suggest `you` in a choice without a player, such as `play 1 from your hand to table`."""
    tokens = line.tokens
    if tokens and STATEMENTS.get(tokens[0].text) is MOVE and "from" in [token.text for token in tokens]:
        verb = tokens[0]
        message = f"missing `you` before {shown(verb.text)}"
        hint = (
            f"write `you {verb.text} …` if the player chooses the cards, or `{verb.text} top … of …` for the top cards"
        )
        found = Diagnostic("E103", message, line.span(verb.start, verb.end), hint)
        yield from tried(line, Edit(tokens[0].start, tokens[0].start, "you "), found)


def unbracketed(line: Line) -> Iterator[Finding]:
    """Suggest brackets around the code of a card."""
    tokens, at = line.tokens, line.at
    token = tokens[at] if 0 < at < len(tokens) else None
    if token is not None and "CARDS" in line.stop.expected and token.text.isalnum():
        message = f"put cards in brackets: {shown(f'[{token.text}]')}"
        found = Diagnostic("E103", message, line.span(token.start, token.end))
        yield from tried(line, Edit(token.start, token.end, f"[{token.text}]"), found)


def missing_word(line: Line) -> Iterator[Finding]:
    tokens, at = line.tokens, line.at
    place = tokens[at].start if at < len(tokens) else line.end
    for word in INSERTS:
        edit = Edit(place, place, f" {word} ")
        fits = terminal(word) in line.stop.expected and (word == "," or not line.stop.may_end)
        if fits and 0 < at < len(tokens) and tokens[at - 1].text != word:
            message = f"missing {shown(word)} before {shown(tokens[at].text)}"
            found = diagnostic("E103", message, line, tokens[at].start, tokens[at].end)
            yield from tried(line, edit, found)


def missing_head(line: Line) -> Iterator[Finding]:
    """Suggest a first word for a line. The words after it and the lines below it decide which one fits."""
    tokens = line.tokens
    above = line.above is not None
    if len(tokens) < 2 or tokens[0].text in STATEMENTS or (not above and tokens[0].text in ITEMS):
        return
    start = tokens[0].start
    heads = (EXAMPLE_HEADS if line.head == "example" else BLOCK_HEADS) if above else ITEM_HEADS
    for word in heads:
        edit = Edit(start, start, f"{word} ")
        told = f"{word} {line.draft.text[start : line.end]}"
        message = f"missing {shown(word)} at the start of the line"
        found = Diagnostic("E103", message, line.span(start, tokens[0].end), f"write {shown(told)}")
        yield from tried(line, edit, found, None if line.follower is None else line.stop.start)


def missing_name(line: Line) -> Iterator[Finding]:
    """Report a symbol or keyword in place of a name."""
    tokens, at = line.tokens, line.at
    for number in (at, at - 1):
        if not 0 < number < len(tokens) or tokens[number].text == tokens[number - 1].text:
            continue
        token = tokens[number]
        if number == at or token.text in keywords():
            message = f"missing name before {shown(token.text)}"
            found = diagnostic("E103", message, line, token.start, token.end)
            yield from tried(line, Edit(token.start, token.start, NO_NAME), found)


def keyword_as_name(line: Line) -> Iterator[Finding]:
    tokens, at = line.tokens, line.at
    for token in tokens[max(at - 1, 1) : at + 1]:
        if token.text in keywords():
            edit = Edit(token.start, token.end, "x")
            message = f"{shown(token.text)} is a keyword and cannot be a name here"
            hint = f"choose another name, such as `{token.text}-pile` or `my-{token.text}`"
            found = Diagnostic("E106", message, line.span(token.start, token.end), hint)
            yield from (Finding(finding.diagnostic) for finding in tried(line, edit, found))


def filler(line: Line) -> Iterator[Finding]:
    tokens, at = line.tokens, line.at
    low = tokens[max(at - 1, 0)].start if tokens else line.start
    for pattern in FILLERS:
        for match in re.compile(pattern).finditer(line.draft.text, low, line.end):
            if match.start() > line.stop.end:
                break
            message = f"{unexpected(match[0].strip())}. Remove it"
            found = Diagnostic("E104", message, line.span(match.start(), match.end()))
            yield from tried(line, Edit(match.start(), match.end(), ""), found)


def after_the_end(line: Line) -> Iterator[Finding]:
    """Report words after a complete statement that aren't text for the rulebook."""
    tokens, at = line.tokens, line.at
    if not line.stop.may_end or not 0 < at < len(tokens):
        return
    rest = tokens[at:-1] if tokens[-1].text[0] == '"' and at < len(tokens) - 1 else tokens[at:]
    start, end = rest[0].start, rest[-1].end
    message = f"unexpected {shown(line.draft.text[start:end])} after a complete statement"
    for finding in tried(line, Edit(start, end, ""), diagnostic("E104", message, line, start, end)):
        yield finding if line.has_block else Finding(finding.diagnostic)


def strange_character(line: Line) -> Iterator[Finding]:
    if line.stop.type != "character":
        return
    char = line.draft.text[line.stop.start]
    if "CODE" in line.stop.expected:
        written = re.split(r"[)\n]", line.draft.text[line.stop.start : line.end])[0].strip() or char
        yield Finding(not_a_code(line.span(line.stop.start, line.stop.start + len(written)), code_of(written)))
        return
    if char.isalnum() or char == "_":
        message = f"{shown(char)} cannot be part of a name"
        hint = "a name can have the letters A to Z, digits and hyphens. Text in quotes can have any letters"
    else:
        message, hint = f"unexpected character {shown(char)}", hint_for(line)
    yield Finding(Diagnostic("E115", message, line.span(line.stop.start, line.stop.start + 1), hint))


def one_too_many(line: Line) -> Iterator[Finding]:
    tokens, at = line.tokens, line.at
    if 0 < at < len(tokens):
        token = tokens[at]
        message = unexpected(token.text)
        found = diagnostic("E104", message, line, token.start, token.end)
        yield from tried(line, Edit(token.start, token.end, ""), found)


# ---------------------------------------------------------------- statements in the wrong place
QUOTES = '"“'


def misplaced(line: Line) -> Iterator[Finding]:
    tokens = line.tokens
    first = tokens[0].text if tokens else ""
    message = hint = ""
    if line.above is None and first in ("game", "library") and line.rule == "item":
        message, hint = (
            f"only the first line can begin with `{first}`",
            "delete this line, or move it to the top of the file",
        )
        if tokens[1:] and tokens[1].text[0] not in QUOTES:
            message, hint = "the title needs quotes", f'write `{first} "TITLE" …`'
    elif line.above is None and first not in ITEMS and first in STATEMENTS:
        message, hint = f"{shown(first)} cannot start at the left edge", "indent it under the step it belongs to"
    elif line.above is None and first not in ITEMS and first[:1].isalpha():
        message = f"{unexpected(first)} at the start of a line"
        hint = "start the line with a word such as `zone`, `number`, `define`, `step` or `example`"
    elif line.above is not None and tokens and out_of_its_block(line, first):
        message, hint = out_of_place(line, line.above, first)
    if message:
        token = tokens[0]
        yield Finding(Diagnostic("E116", message, line.span(token.start, token.end), hint))


def out_of_its_block(line: Line, first: str) -> bool:
    """Return whether the first word is wrong, or starts a declaration or an `otherwise` that cannot be here."""
    if line.at == 0:
        return True
    if line.at > 1:
        return False
    if first in OTHERWISE:
        return len(line.tokens) == 1 or first.startswith("el") or line.tokens[1].text == "if"
    in_step = (line.above is not None and line.above.indent > 0) or line.head in ("step", "reaction", "whenever")
    return in_step and first in ITEMS and first not in STATEMENTS


def out_of_place(line: Line, above: Statement, first: str) -> tuple[str, str]:
    if first in OTHERWISE:
        choice = choice_above(line.draft.source, line.statement)
        return takes_no_otherwise(choice) if choice else without_if(line, first)
    if first in ITEMS and first not in STATEMENTS:
        return f"{shown(first)} cannot be inside a block", "start it at the left edge"
    head = line.draft.source.text[above.start : above.end].split("\n")[0]
    shape = shape_of(head)
    block = shape.block if shape else ""
    return f"{unexpected(first)} at the start of a line", f"below `{clip(head)}`, write {block}" if block else ""


def without_if(line: Line, first: str) -> tuple[str, str]:
    """Return the message and the hint for an `otherwise` or `else` that follows no `if`."""
    condition = [token.text for token in line.tokens[1:2]] == ["if"] or first in ("elif", "elseif")
    word = "otherwise if" if condition else "otherwise"
    put = "put it" if first == "otherwise" else f"write `{word}`,"
    before = "before any `otherwise`, " if condition else ""
    hint = f"{put} right after the block of its `if`, {before}indented like the `if`"
    return f"this `{first}` has no `if`", f"{hint}. For a condition of its own, write `if`" if condition else hint


# ---------------------------------------------------------------- errors without a repair
def unreadable(line: Line) -> Diagnostic:
    tokens, at = line.tokens, line.at
    expected = words_of(line.stop.expected)
    if at >= len(tokens):
        last = tokens[-1] if tokens else Token(line.start, line.end, "")
        after = f"after {shown(last.text)}"
        message = f"expected {expected} {after}" if expected else f"unfinished line {after}"
        if "VERB" in line.stop.expected:
            called = line.draft.text[line.start : last.end]
            hint = f"to run a step, write {shown(f'do {called}')}"
            return Diagnostic("E105", message, line.span(last.start, last.end), hint)
        return diagnostic("E105", message, line, last.start, last.end)
    token = tokens[at]
    if at == 1 and tokens[0].text == "provided":
        hint = "move it to the end of the line above"
        message = "`provided` must be on the same line as its choice"
        return Diagnostic("E101", message, line.span(tokens[0].start, tokens[0].end), hint)
    if (
        at == 1
        and "VERB" in line.stop.expected
        and tokens[0].text not in keywords()
        and not may_own(line, tokens[0].text)
    ):
        return no_verb(line, tokens[0])
    before = f" after {shown(tokens[at - 1].text)}" if at else " at the start of a line"
    wanted = f". Expected {expected}" if expected else ""
    message = f"{unexpected(token.text)}{before}{wanted}"
    return diagnostic("E101", message, line, token.start, token.end)


def no_verb(line: Line, token: Token) -> Diagnostic:
    hint = "start the line with a verb such as `move`, `shuffle`, `set` or `do`, or with `you` for a choice"
    message = f"unknown verb {shown(token.text)}"
    return Diagnostic("E101", message, line.span(token.start, token.end), hint)
