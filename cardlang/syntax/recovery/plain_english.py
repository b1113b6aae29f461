"""Suggestions for lines in plain English."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from attrs import evolve

from cardlang.diagnostics import Diagnostic, cookbook_search
from cardlang.syntax.parse_tables import find_keywords
from cardlang.syntax.recovery.edited_source import TextEdit
from cardlang.syntax.recovery.guessed_names import GuessedNames, guess_names
from cardlang.syntax.recovery.line_templates import ITEM_TEMPLATES, STATEMENT_TEMPLATES
from cardlang.syntax.recovery.sentence_translation import (
    BLOCK,
    BUILT_IN_NAMES,
    MENTION,
    Cure,
    code,
    declare,
    find_topic,
    format_write_lines_hint,
    is_code,
    look_up,
    replace_theme,
    reword,
    translate,
    translate_head,
)
from cardlang.syntax.recovery.syntax_errors import HEADER_WORDS, OTHERWISE_WORDS, SyntaxFinding, quote_text, try_repair
from cardlang.syntax.recovery.unreadable_line import UnreadableLine

SENTENCE = re.compile(
    r"(?=[A-Z]|.*\b(?:the|an?|any|it|they|them|their|he|she|who|whoever|everyone|everybody|must|can|should)\b)[^:=\[(\"]+"
)
WINNING_PATTERN = re.compile(r"player with .* (?:wins|is winner)(?: game)?")
"""A rule on the end of the game, in a step: it goes to the left edge."""
UNTIL_PATTERN = re.compile("^(?:play|keep playing)(?: (?:on|turns|rounds))? until ")
"""How a game goes on, in a line of its own."""
REPEAT_PATTERN = re.compile("^(?:repeat|continue|keep going)(?: (?:this|it|on|turns|rounds))? until ")
"""What is repeated, in a line without a block."""
UNREPAIRED_LINE_CODES = ("E101", "E102", "E104", "E115", "E116")
REPAIRED_LINE_CODES = ("E102", "E103", "E104")
"""Codes of lines that cannot be read whose cure may miss what an English sentence means: without and with a repair."""
MAX_PARSED_WORDS = 5
"""A line of which more words are parsed is not English."""


def suggest_for_plain_english(line: UnreadableLine) -> Iterator[SyntaxFinding]:
    """Yield a cure for a whole line of everyday English."""
    if not line.tokens:
        return
    last = line.tokens[-2] if len(line.tokens) > 1 and line.tokens[-1].text[0] in '"“' else line.tokens[-1]
    start, end = line.tokens[0].start, last.end
    text = line.draft.text[start:end]
    step, edge = find_cures(line, text)
    cure = (edge or step) if line.parent is None else (step or edge)
    if cure is None or cure.lines == (text,):
        return
    span, margin = line.build_span(start, end), line.statement.margin
    if cure.problem:
        yield SyntaxFinding(Diagnostic("E114", cure.problem, span, cure.hint))
    elif (cure is edge) != (line.parent is None):
        problem = f"{quote_text(text)} belongs {'at the left edge' if cure is edge else 'in a step'}"
        line_hints = [
            f"there, {format_write_lines_hint(cure.lines).rstrip(',')}",
            *([f"at the left edge, {declare(cure)}"] * bool(cure.declared)),
        ]
        yield SyntaxFinding(Diagnostic("E114", problem, span, "; ".join(line_hints)))
    else:
        diagnostic = Diagnostic(
            "E114", f"{format_write_lines_hint(cure.lines)} instead of {quote_text(text)}", span, cure.hint
        )
        if cure.declared or (line.parent is None and sum(not line.startswith(BLOCK) for line in cure.lines) > 1):
            edge_hint = f"at the left edge, {declare(cure)}" if cure.declared else ""
            yield SyntaxFinding(evolve(diagnostic, hint=". ".join(filter(None, (edge_hint, cure.hint)))))
        else:
            yield from try_repair(line, TextEdit(start, end, f"\n{margin}".join(cure.lines)), diagnostic)


def find_cures(line: UnreadableLine, text: str) -> tuple[Cure | None, Cure | None]:
    """Return the cures of a line in a step, and at the left edge."""
    names, plain = guess_names_from_rest_of_file(line), reword(text)
    if not has_block(line):
        plain = REPEAT_PATTERN.sub("block lasts until ", UNTIL_PATTERN.sub("game ends when ", plain))
    step, edge = translate(names, plain, int(plain != text)), look_up(names, plain, "declarations")
    if edge and WINNING_PATTERN.fullmatch(plain):
        step = None
    elif not step:
        themed = None if find_topic(text) else translate(names, replace_theme(names, plain))
        step = translate_head(names, plain) or themed
    if (
        line.parent is None
        and not edge
        and step
        and step.lines
        and re.match(rf"if (?!.*\b(?:your|{names.hand})\b)", step.lines[0])
    ):
        edge = evolve(step, lines=(step.lines[0].replace("if", "whenever", 1), *step.lines[1:]))
    step, edge = (
        cure if cure and is_code(names, "\n".join(cure.lines), " ".join(cure.declared)) else None
        for cure in (step, edge)
    )
    step = explain_unset_player(names, step, plain) if step else None
    if step and line.parent_first_word == "step" and addresses_you(line, step):
        step = step.for_each_player()
    return step, edge


def explain_unset_player(names: GuessedNames, cure: Cure, plain: str) -> Cure:
    """Return a cure with how to set the winner or loser that it names, if only its declaration does so."""
    names_player = re.search(r"player (winner|loser)(?:'|$)", "'".join(cure.declared))
    if not names_player or cure.problem or any(f"set {names_player[1]} " in line for line in cure.lines):
        return cure
    best = "highest" if names_player[1] == "winner" else "lowest"
    found = f"({best} of {names.table} by {names.value})'s owner" if "trick" in plain else ""
    setting = code(f"set {names_player[1]} to {found or f'{best} of players by {names.points}'}")
    hint = f"Nothing sets {code(names_player[1])} yet: before this line, write one such as {setting}"
    return evolve(cure, hint=". ".join(filter(None, (cure.hint, hint))))


def has_block(line: UnreadableLine) -> bool:
    """Return whether lines are indented below a line."""
    below = re.search(r"\n( *)\S", line.draft.source.text[line.statement.start :])
    return below is not None and len(below[1]) > len(line.statement.margin)


def addresses_you(line: UnreadableLine, cure: Cure) -> bool:
    """Return whether a cure is about `you`, in a step that belongs to no player and no card."""
    text, start = line.draft.source.text, line.parent.start if line.parent else 0
    is_of_card = text[start - 1 : start] == " "
    return not is_of_card and any(map(MENTION.match, cure.lines)) and not text.startswith("step your", start)


def guess_names_from_rest_of_file(line: UnreadableLine) -> GuessedNames:
    text = line.draft.source.text
    return guess_names(text[: line.statement.start] + text[line.statement.end :], line.statement.start)


def suggest_nearest(line: UnreadableLine, finding: SyntaxFinding) -> SyntaxFinding:
    """Return a finding with the nearest statement and entries of the cookbook, if the line is English.

    A line that may be a statement with a mistake must be close to an entry."""
    text, names = line.draft.text[line.start : line.end], guess_names_from_rest_of_file(line)
    words = {token.text.lower() for token in line.tokens if token.text[0].isalpha()}
    known = names.words | find_keywords() | STATEMENT_TEMPLATES.keys() | BUILT_IN_NAMES
    topic = find_topic(text) if may_be_topic(line, finding) else ""
    if len(words - known) < (1 if topic else count_words_of_english(line, finding)):
        return finding
    vague = "VERB" in line.parse_stop.expected or not finding.diagnostic.hint
    hint = cookbook_search.suggest_cookbook_entries(
        text, bool(SENTENCE.fullmatch(text)) or (vague and not finding.edit), topic
    )
    example = look_up(names, reword(text), "examples") if line.parent else None
    if hint and example and not example.declared and not topic:
        hint = f"a similar line is {code(example.lines[0])}; {hint}"
    message = f"{quote_text(text)} is not a {'statement' if line.parent else 'declaration'}"
    return SyntaxFinding(Diagnostic("E101", message, line.build_span(line.start, line.end), hint)) if hint else finding


def may_be_topic(line: UnreadableLine, finding: SyntaxFinding) -> bool:
    """Return whether a finding may say less than an entry of the cookbook on the topic of its line."""
    code = finding.diagnostic.code
    if finding.edit:
        known = {*ITEM_TEMPLATES, *STATEMENT_TEMPLATES}
        return code in ("E102", "E103") and line.tokens[0].text not in known and finding.edit.text not in HEADER_WORDS
    return code in (*UNREPAIRED_LINE_CODES, "E105")


def count_words_of_english(line: UnreadableLine, finding: SyntaxFinding) -> int:
    """Return the number of unknown words that makes a line English: the better its repair, the more."""
    code, tokens = finding.diagnostic.code, line.tokens
    if (
        line.draft.text[line.start : line.end] != line.draft.source.text[line.statement.start : line.statement.end]
        or code not in (REPAIRED_LINE_CODES if finding.edit else UNREPAIRED_LINE_CODES)
        or line.unexpected_index > MAX_PARSED_WORDS
        or not tokens
        or tokens[0].text in OTHERWISE_WORDS
    ):
        return sys.maxsize
    if finding.edit:
        return 3 if code == "E102" and tokens[0].text.islower() else 2
    if "VERB" in line.parse_stop.expected and len(tokens) > 2:
        return 0
    return 1 if line.parent is not None or tokens[0].text not in ITEM_TEMPLATES else 3
