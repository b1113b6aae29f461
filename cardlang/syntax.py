"""What is wrong with a line that the grammar does not accept, in the words of the card table.

A mistake is named by mending it: likely repairs are tried in turn, and the first one that the grammar accepts tells
both what was meant and how to go on reading. What no repair mends is shown with the shape of its statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from attrs import frozen

from cardlang.draft import Draft, Edit
from cardlang.limits import TOKEN
from cardlang.lines import Statement, clip
from cardlang.shapes import CASE, CHOOSE, FILLERS, INSERTS, ITEMS, MOVE, PICK, ROW, SHAPES, STATEMENTS, SUBSTITUTES, Shape
from cardlang.source import Diagnostic, Span
from cardlang.tables import Stop, keywords, stop_at, terminal, words_of


# repairs are not tried far down a long item or in a long line: each costs another parse
LONG_ITEM = 60_000
LONG_LINE = 4_000


@frozen
class Token:
    """A word or sign of a statement; positions in the draft."""

    start: int
    end: int
    text: str


@frozen
class Line:
    """A statement that cannot be read. `above`: the one it stands under. `follower`: a deeper one below it that the
    parser did not expect. `has_block`: statements stand under it."""

    draft: Draft
    rule: str
    statement: Statement
    above: Statement | None
    follower: Statement | None
    stop: Stop
    has_block: bool = False

    @property
    def start(self) -> int:
        return self.draft.position(self.statement.start)

    @property
    def end(self) -> int:
        return self.draft.position(self.statement.end)

    @property
    def head(self) -> str:
        """The first word of the line above."""
        match = re.match(r"[a-z]+", self.draft.source.text[self.above.start :]) if self.above else None
        return match[0] if match else ""

    @property
    def tokens(self) -> list[Token]:
        found = TOKEN.finditer(self.draft.text, self.start, self.end)
        return [Token(match.start(), match.end(), match[0]) for match in found if match[0][0] != "#"]

    @property
    def at(self) -> int:
        """The number of the token that is not accepted; the number of tokens if the line ends too early."""
        tokens = self.tokens
        return next((i for i, token in enumerate(tokens) if token.end > self.stop.start), len(tokens))

    def span(self, start: int, end: int) -> Span:
        source = self.draft.source
        low, high = self.draft.place(start), self.draft.place(end)
        return Span(source, low, max(high, low + 1))

    def goes_further(self, edit: Edit, goal: int) -> bool:
        """Whether the edited draft is read beyond `goal` (a position before the edit)."""
        longer = len(edit.text) - (edit.end - edit.start)
        cut = self.draft.position((self.follower or self.statement).end)
        stop = stop_at(self.draft.edited(edit).until(cut + longer).text, self.rule)
        return stop is None or stop.type in ("_DEDENT", "$END") or stop.start > goal + longer


@frozen
class Finding:
    """`edit` mends the mistake well enough to read on; without it the statement is left out."""

    diagnostic: Diagnostic
    edit: Edit | None = None


def explain(line: Line) -> Finding:
    """One mistake of a line: the first repair that lets the grammar read the whole line, or what was expected."""
    worth_trying = line.end < LONG_ITEM and line.end - line.start < LONG_LINE
    found = next(repairs(line), None) if worth_trying else None
    return found or Finding(unreadable(line))


def repairs(line: Line) -> Iterator[Finding]:
    yield from missing_you(line)
    yield from substitutes(line)
    yield from misspelt(line)
    yield from misplaced(line)
    yield from unbracketed(line)
    yield from filler(line)
    yield from possessive(line)
    yield from missing_word(line)
    yield from keyword_as_name(line)
    yield from strange_character(line)
    yield from one_too_many(line)
    yield from after_the_end(line)


def tried(line: Line, edit: Edit, diagnostic: Diagnostic, goal: int | None = None) -> Iterator[Finding]:
    if line.goes_further(edit, line.end if goal is None else goal):
        yield Finding(diagnostic, edit)


# ---------------------------------------------------------------- repairs
def substitutes(line: Line) -> Iterator[Finding]:
    """What is written otherwise elsewhere: `==`, curly quotes, `else`."""
    tokens, at = line.tokens, line.at
    low = tokens[max(at - 2, 0)].start if tokens else line.start
    text = line.draft.text
    for pattern, replacement in SUBSTITUTES:
        for match in re.compile(pattern).finditer(text, low, line.end):
            if match.start() > line.stop.end:
                break
            new = match.expand(replacement)
            edit = Edit(match.start(), match.end(), padded(text, match, new))
            message = f"write {shown(new)} here, not {shown(match[0])}"
            yield from tried(line, edit, diagnostic("E114", message, line, match.start(), match.end()))


def padded(text: str, match: re.Match[str], new: str) -> str:
    """Words are kept apart from their neighbours."""
    if not new[:1].isalpha():
        return new
    left = " " if text[match.start() - 1 : match.start()].isalnum() else ""
    right = " " if text[match.end() : match.end() + 1].isalnum() else ""
    return left + new + right


def misspelt(line: Line) -> Iterator[Finding]:
    """A word that is nearly one of the language's, where that one can be read further."""
    tokens, at = line.tokens, line.at
    further = tokens[at + 1].end - 1 if at + 1 < len(tokens) else line.end
    for number in dict.fromkeys((at, at - 1, 0, 1, at - 2)):
        if not 0 <= number < len(tokens) or number > at:
            continue
        token = tokens[number]
        for word in near_words(token.text):
            edit = Edit(token.start, token.end, word)
            message = f"{shown(token.text)} is not a word of the language: did you mean {shown(word)}?"
            goal = line.stop.start if line.follower else further
            if number == 0 and word in ITEMS:
                goal = line.stop.start - 1  # what follows may hold a mistake of its own
            found = Diagnostic("E102", message, line.span(token.start, token.end))
            yield from tried(line, edit, found, goal)


def near_words(word: str) -> list[str]:
    if not word[0].isalpha() or word in keywords() or len(word) < 2:
        return []
    near = get_close_matches(word.lower(), sorted(keywords()), n=8, cutoff=0.74)
    return sorted(near, key=lambda found: found.endswith("s") and found[:-1] in near)


def missing_you(line: Line) -> Iterator[Finding]:
    """`play 1 from your hand to table`: a choice without the one who chooses."""
    tokens = line.tokens
    if tokens and STATEMENTS.get(tokens[0].text) is MOVE and "from" in [token.text for token in tokens]:
        message = f"`you` is missing before {shown(tokens[0].text)}"
        found = diagnostic("E103", message, line, tokens[0].start, tokens[0].end)
        yield from tried(line, Edit(tokens[0].start, tokens[0].start, "you "), found)


def possessive(line: Line) -> Iterator[Finding]:
    """`players hand` for `players' hand`."""
    tokens, at = line.tokens, line.at
    if not 0 < at < len(tokens) or not tokens[at].text[0].isalpha() or not tokens[at - 1].text[0].isalpha():
        return
    owner = tokens[at - 1]
    for owned in (f"{owner.text}'", f"{owner.text[:-1]}'s") if owner.text[-1] == "s" else (f"{owner.text}'s",):
        message = f"write {shown(owned)} for what belongs to somebody, not {shown(owner.text)}"
        found = Diagnostic("E103", message, line.span(owner.start, owner.end))
        if owner.text != "players" or owned == "players'":
            yield from tried(line, Edit(owner.start, owner.end, owned), found)


def unbracketed(line: Line) -> Iterator[Finding]:
    """A card's code where cards in brackets are meant."""
    tokens, at = line.tokens, line.at
    token = tokens[at] if 0 < at < len(tokens) else None
    if token is not None and "CARDS" in line.stop.expected and token.text.isalnum():
        message = f"cards are written in brackets: {shown(f'[{token.text}]')}"
        found = Diagnostic("E103", message, line.span(token.start, token.end))
        yield from tried(line, Edit(token.start, token.end, f"[{token.text}]"), found)


def missing_word(line: Line) -> Iterator[Finding]:
    tokens, at = line.tokens, line.at
    place = tokens[at].start if at < len(tokens) else line.end
    for word in INSERTS:
        edit = Edit(place, place, f" {word} ")
        fits = terminal(word) in line.stop.expected and (word == "," or not line.stop.may_end)
        if fits and 0 < at < len(tokens) and tokens[at - 1].text != word:
            message = f"{shown(word)} is missing before {shown(tokens[at].text)}"
            found = diagnostic("E103", message, line, tokens[at].start, tokens[at].end)
            yield from tried(line, edit, found)


def keyword_as_name(line: Line) -> Iterator[Finding]:
    tokens, at = line.tokens, line.at
    for token in tokens[max(at - 1, 1) : at + 1]:
        if token.text in keywords():
            edit = Edit(token.start, token.end, "x")
            message = f"{shown(token.text)} is a word of the language and cannot be a name here"
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
            message = f"{shown(match[0].strip())} does not belong here: leave it out"
            found = diagnostic("E104", message, line, match.start(), match.end())
            yield from tried(line, Edit(match.start(), match.end(), ""), found)


def after_the_end(line: Line) -> Iterator[Finding]:
    """The statement is complete, and something follows that is not its words for the rule sheet."""
    tokens, at = line.tokens, line.at
    if not line.stop.may_end or not 0 < at < len(tokens):
        return
    rest = tokens[at:-1] if tokens[-1].text[0] == '"' and at < len(tokens) - 1 else tokens[at:]
    start, end = rest[0].start, rest[-1].end
    message = f"the statement is complete before {shown(line.draft.text[start:end])}"
    for finding in tried(line, Edit(start, end, ""), diagnostic("E104", message, line, start, end)):
        yield finding if line.has_block else Finding(finding.diagnostic)


def strange_character(line: Line) -> Iterator[Finding]:
    if line.stop.type != "character":
        return
    char = line.draft.text[line.stop.start]
    if char.isalnum() or char == "_":
        message = f"{shown(char)} cannot be part of a name"
        hint = "names are made of the letters A to Z, digits and hyphens; texts in quotes may hold any letter"
    else:
        message, hint = f"the sign {shown(char)} has no meaning here", hint_for(line)
    yield Finding(Diagnostic("E115", message, line.span(line.stop.start, line.stop.start + 1), hint))


def one_too_many(line: Line) -> Iterator[Finding]:
    tokens, at = line.tokens, line.at
    if 0 < at < len(tokens):
        token = tokens[at]
        message = f"{shown(token.text)} does not belong here"
        found = diagnostic("E104", message, line, token.start, token.end)
        yield from tried(line, Edit(token.start, token.end, ""), found)


# ---------------------------------------------------------------- statements in the wrong place
def misplaced(line: Line) -> Iterator[Finding]:
    tokens = line.tokens
    first = tokens[0].text if tokens else ""
    message = hint = ""
    if line.above is None and first in ("game", "library") and line.rule == "item":
        message, hint = f"the `{first}` line stands first, and only once", "move it to the top of the file"
    elif line.above is None and first not in ITEMS and first in STATEMENTS:
        message, hint = f"{shown(first)} cannot stand at the margin", "indent it under the step that it belongs to"
    elif line.above is None and first not in ITEMS and first[:1].isalpha():
        message = f"no declaration begins with {shown(first)}"
        hint = "a line at the margin begins with a word such as `zone`, `number`, `define`, `step` or `example`"
    elif line.above is not None and tokens and out_of_its_block(line, first):
        message, hint = out_of_place(line, line.above, first)
    if message:
        token = tokens[0]
        yield Finding(Diagnostic("E116", message, line.span(token.start, token.end), hint))


def out_of_its_block(line: Line, first: str) -> bool:
    """Whether the first word is already wrong, or begins a declaration or an `otherwise` that cannot be here."""
    if line.at == 0:
        return True
    only = len(line.tokens) == 1
    in_step = line.above is not None and line.above.indent > 0 or line.head in ("step", "reaction", "whenever")
    return line.at == 1 and (first == "otherwise" and only or in_step and first in ITEMS and first not in STATEMENTS)


def out_of_place(line: Line, above: Statement, first: str) -> tuple[str, str]:
    if first == "otherwise":
        return "nothing stands before this `otherwise` that it could be the other case of", (
            "put it right below the block of its `if`, at the same depth as the `if`"
        )
    if first in ITEMS and first not in STATEMENTS:
        return f"{shown(first)} cannot stand inside a block", "declarations begin at the margin"
    head = line.draft.source.text[above.start : above.end].split("\n")[0]
    block = shape_of(head).block if shape_of(head) else ""
    return f"{shown(first)} cannot begin a line here", f"under `{clip(head)}` stands {block}" if block else ""


def empty_block(draft: Draft, head: Statement) -> Diagnostic:
    """A line that needs a block and has none."""
    text = draft.source.text[head.start : head.end]
    shape = shape_of(text)
    block = shape.block if shape and shape.block else "what belongs to it"
    return Diagnostic(
        "E112",
        f"nothing stands under `{clip(text.splitlines()[0])}`",
        Span(draft.source, head.start, head.end),
        f"put {block} below it, indented by two spaces",
    )


def too_deep_indent(draft: Draft, head: Statement, statement: Statement) -> Diagnostic:
    """A line that stands deeper than one which cannot have anything beneath."""
    source = draft.source
    return Diagnostic(
        "E113",
        "this line is indented deeper than the one above, which takes nothing beneath",
        Span(source, statement.start, statement.end),
        f"if it belongs beside the line above, start it at column {head.indent + 1} too",
        ((Span(source, head.start, head.end), "the line above"),),
    )


def no_last_case(draft: Draft, last: Statement) -> Diagnostic:
    return Diagnostic(
        "E103",
        "the cases end without an `otherwise`",
        Span(draft.source, last.start, last.end),
        "add a last line `otherwise VALUE`, for example `otherwise 0`",
    )


# ---------------------------------------------------------------- what cannot be mended
def unreadable(line: Line) -> Diagnostic:
    tokens, at = line.tokens, line.at
    expected = words_of(line.stop.expected)
    if at >= len(tokens):
        last = tokens[-1] if tokens else Token(line.start, line.end, "")
        wanted = f"{expected} should follow" if expected else "something should follow"
        message = f"the line ends too early: after {shown(last.text)}, {wanted}"
        return diagnostic("E105", message, line, last.start, last.end)
    token = tokens[at]
    before = f" after {shown(tokens[at - 1].text)}" if at else ""
    wanted = f": {expected} should stand here" if expected else ""
    message = f"{shown(token.text)} cannot stand{before or ' here'}{wanted}"
    return diagnostic("E101", message, line, token.start, token.end)


def diagnostic(code: str, message: str, line: Line, start: int, end: int) -> Diagnostic:
    return Diagnostic(code, message, line.span(start, end), hint_for(line))


def hint_for(line: Line) -> str:
    above = line.draft.source.text[line.above.start : line.above.end] if line.above else ""
    shape = shape_of(line.draft.text[line.start : line.end], above)
    return f"{shape.what} reads `{shape.shape}`, for example `{shape.example}`" if shape else ""


def shape_of(text: str, above: str = "") -> Shape | None:
    """How a statement is written: told by its words, else by the line that it stands under."""
    words = re.findall(r"[A-Za-z0-9-]+", re.sub(r'"[^"]*"', "", text))
    first = words[0] if words else ""
    if first in SHAPES and first != "you":
        return SHAPES[first]
    if any(word in ("choose", "chooses") for word in words[:4]):
        return CHOOSE
    if any(STATEMENTS.get(word.removesuffix("s")) is STATEMENTS["move"] for word in words[1:4]):
        return PICK
    return {"define": CASE, "given": ROW}.get(above.split(" ")[0])


def shown(text: str) -> str:
    return f"`{clip(text)}`"
