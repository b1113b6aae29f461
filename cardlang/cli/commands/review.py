"""Command `cardlang review`: compare the sections of a rulebook with changed rules."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from cardlang import storage
from cardlang.cli import match_options
from cardlang.cli.error_reports import print_diagnostics
from cardlang.cli.file_arguments import load_game, require_game_file
from cardlang.rulebook.anchors import SectionLinks
from cardlang.rulebook.authored_rulebook.assembly import RulesFileReader, SectionState, open_rules_file
from cardlang.rulebook.authored_rulebook.markdown_parser import COMMENT, RuleDigests, replace_read_comment
from cardlang.rulebook.authored_rulebook.numbers_in_text import find_game_text_lines, find_number_lines
from cardlang.rulebook.authored_rulebook.rulebook_warnings import (
    OUTDATED_CODE,
    check_rulebook,
    describe_change,
    list_changed_numbers,
)
from cardlang.rulebook.model import Block
from cardlang.rulebook.render.markdown import MarkdownPage
from cardlang.ui.terminal.escaped_output import write_line, write_lines, write_prompt

CACHE_KEY = "rules of a rulebook"
MAX_NUMBER_LINES = 12
"""Maximum number of lines listed for a changed number."""


@click.command(epilog=match_options.format_examples("review tall_card", "review my_game.cardgame"))
@click.argument("file")
@click.pass_context
def review_rulebook(ctx: click.Context, file: str) -> None:
    """Compare a rulebook with changed rules.

    Shows the sections of NAME.rules.md whose rules changed, one at a time: the rule as it was, as it is now, and your
    text. Confirm each section whose text is right. Without a terminal, lists the sections and changes nothing. Exits
    with 1 if a section is unconfirmed."""
    reader = read_rulebook(file)
    print_diagnostics([finding for finding in check_rulebook(reader) if finding.code != OUTDATED_CODE])
    if not reader.states:
        ctx.exit(1)
    outdated = [state for state in reader.states if state.is_outdated]
    left = 0
    for number, state in enumerate(outdated, 1):
        for line in describe_section(reader, state, f"{number} of {len(outdated)}: "):
            write_lines(wrap_line(line))
        answer = ask_about_section() if is_input_terminal() else "s"
        if answer == "q":
            ctx.exit(1)
        if answer != "r" or not accept_section(file, state.section.key):
            left += 1
    if not outdated:
        write_line(f"All sections of {reader.file.source.name} are up to date.", err=True)
    ctx.exit(1 if left else 0)


def read_rulebook(file: str) -> RulesFileReader:
    """Read the rulebook of a game. Raise `UsageError` if it has none."""
    reader = open_rules_file(load_game(file))
    if reader is None:
        name = require_game_file(file).stem
        raise click.UsageError(f"There is no {name}{storage.RULES_SUFFIX}. Write one: cardlang docs --draft {file}")
    return reader


def is_input_terminal() -> bool:
    """Return whether the input is a terminal. Tests replace this function."""
    return sys.stdin.isatty()


def ask_about_section() -> str:
    """Ask until the answer is a known key, and return it. The end of the input means quit."""
    while True:
        write_prompt("[r] text is right   [s] skip   [q] quit   (then Enter)")
        answer = sys.stdin.readline()
        key = answer.strip().lower()[:1] if answer else "q"
        if key in ("r", "s", "q"):
            return key


def accept_section(file: str, key: str) -> bool:
    """Write the digests of one section as it is now, after reading the file again. Return whether it is still there."""
    reader = read_rulebook(file)
    if not any(state.section.key == key and not state.gone for state in reader.states):
        write_line("This section is gone, or names a rule that the game does not have. Nothing was written.", err=True)
        return False
    digests: dict[str, RuleDigests] = {
        state.section.key: state.digests if state.section.key == key else state.read for state in reader.states
    }
    path = Path(reader.file.source.name)
    text = path.read_bytes().decode()
    path.write_bytes(replace_read_comment(text, {name: listed for name, listed in digests.items() if listed}).encode())
    remember_rules(reader)
    return True


# ---------------------------------------------------------------- display
def describe_section(reader: RulesFileReader, state: SectionState, place: str) -> Iterator[str]:
    """Yield the changes of a section's rules, the sentences of the game, and the text."""
    section = state.section
    yield f"{place}{section.title or reader.game.title} (line {section.heading.line})"
    old_sentences = recall_rules(reader)
    for name in state.changed_rules:
        yield f"  {describe_change(state, name)}"
        if state.is_unread:
            continue
        before = old_sentences.get(f"{name} {state.read[name].digest}", []) if name in state.read else []
        yield from (f"    The game said:     {line}" for line in before)
        yield from (f"    The game now says: {line}" for line in render_rule(reader, name))
    yield from (f"  {mention.name}: the game has no such rule" for mention in state.gone)
    old_numbers = [old for name in state.changed_rules for old, _ in list_changed_numbers(state, name)]
    for line in find_number_lines(reader.file.source, old_numbers)[:MAX_NUMBER_LINES]:
        yield f"  line {line.line:<4} {line.text}"
    stale = find_game_text_lines(reader.game.sources[0], old_numbers)[:MAX_NUMBER_LINES]
    yield from ["  These texts of the game may name the number you changed:"] if stale else []
    yield from (f"  line {line.line:<4} {line.text}" for line in stale)
    yield "  Your text:"
    text = COMMENT.sub("", section.span.text)
    yield from (f"    {line}" for line in text.splitlines()[1:] if line.strip())


def wrap_line(line: str) -> str:
    """Return a line, on a terminal broken between words, with its indentation on each part."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    indentation = " " * (len(line) - len(line.lstrip()))
    return textwrap.fill(line, width, subsequent_indent=indentation, break_long_words=False) if width else line


def render_rule(reader: RulesFileReader, name: str) -> list[str]:
    return render_lines(reader.describe_rules([name]))


def render_lines(blocks: Iterable[Block]) -> list[str]:
    """Return blocks as lines of Markdown, without empty lines."""
    page = MarkdownPage(SectionLinks({}))
    return [line for block in blocks for line in page.render_block(block) if line.strip()]


# ---------------------------------------------------------------- earlier sentences
def remember_rules(reader: RulesFileReader) -> None:
    """Cache the sentences of all rules of a rulebook, to show them when a rule has changed."""
    sentences: dict[str, storage.JsonValue] = {key: [*lines] for key, lines in recall_rules(reader).items()}
    for state in reader.states:
        for name, current in state.digests.items():
            if f"{name} {current.digest}" not in sentences:
                sentences[f"{name} {current.digest}"] = [*render_rule(reader, name)]
    storage.write_cache_entry(sentences, CACHE_KEY, str(Path(reader.file.source.name).resolve()))


def recall_rules(reader: RulesFileReader) -> dict[str, list[str]]:
    """Return the cached sentences of rules, by name and digest."""
    found = storage.read_cache_entry(CACHE_KEY, str(Path(reader.file.source.name).resolve()))
    if not isinstance(found, dict):
        return {}
    return {key: [str(line) for line in lines] for key, lines in found.items() if isinstance(lines, list)}
