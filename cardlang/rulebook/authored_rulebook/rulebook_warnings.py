"""Warnings about a rules file."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.english import morphology
from cardlang.rulebook.anchors import count_words
from cardlang.rulebook.authored_rulebook.assembly import (
    OTHER_RULES_TITLE,
    RulesFileReader,
    SectionState,
    open_rules_file,
)
from cardlang.rulebook.authored_rulebook.markdown_parser import FILE_CODE, RuleMention
from cardlang.rulebook.authored_rulebook.numbers_in_text import find_game_text_lines
from cardlang.rulebook.authored_rulebook.rule_digests import get_rule_tables
from cardlang.rulebook.model import Section
from cardlang.rulebook.plan.player_aid import MAX_AID_WORDS

OUTDATED_CODE, UNKNOWN_CODE, UNTOLD_CODE = "W450", "W451", "W454"
MAX_LISTED_TEXTS = 4
"""Maximum number of texts of the game listed in one warning."""
MAX_LISTED_CHANGES = 3
"""Maximum number of changed rules listed in one warning."""


def check_rules_file(game: g.Game) -> list[Diagnostic]:
    """Return the warnings about the rules file next to a game, in the order of its lines."""
    reader = open_rules_file(game)
    return check_rulebook(reader) if reader is not None else []


def check_rulebook(reader: RulesFileReader) -> list[Diagnostic]:
    """Return the warnings about a rules file, in the order of its lines."""
    found = [finding for state in reader.states for finding in check_section(reader.game, state)]
    found += [*reader.file.findings, *reader.findings, *(check_untold_rules(reader) if reader.states else ())]
    found += [finding for state in reader.states for finding in check_player_aid_length(state)]
    return sorted(dict.fromkeys(found), key=lambda finding: finding.span.start)


def check_section(game: g.Game, state: SectionState) -> Iterator[Diagnostic]:
    """Yield the warnings about a section that may be out of date, and about unknown rules."""
    yield from (report_unknown_rule(game, mention) for mention in state.gone)
    if not state.is_outdated or not state.changed_rules:
        return
    hint = f"run `cardlang review {game.sources[0].name}`"
    title = state.section.title or game.title
    if state.is_unread:
        message = f"“{title}” has not been compared with the rules yet"
        yield Diagnostic(OUTDATED_CODE, message, state.section.heading, hint, warning=True)
        return
    listed = state.changed_rules[:MAX_LISTED_CHANGES]
    more = len(state.changed_rules) - len(listed)
    others = [morphology.format_count(morphology.spell_number(more), "other rule")] if more else []
    changes = morphology.join_phrases([*(describe_change(state, name) for name in listed), *others])
    related = tuple((span, f"{name} is here") for name in listed for span in state.rules[name].spans[:1])
    source = game.sources[0]
    stale = find_game_text_lines(source, [old for name in listed for old, _ in list_changed_numbers(state, name)])
    starts = [source.line_starts[line.line - 1] for line in stale[:MAX_LISTED_TEXTS]]
    related += tuple((Span(source, start, start + 1), "this text may name the number you changed") for start in starts)
    message = f"“{title}” may be out of date: {changes}"
    yield Diagnostic(OUTDATED_CODE, message, state.section.heading, hint, related, warning=True)


def check_player_aid_length(state: SectionState) -> Iterator[Diagnostic]:
    """Yield a warning if a section is a player aid that is too long for one page."""
    words = count_words([Section("", state.blocks)]) if state.section.is_player_aid else 0
    if words > MAX_AID_WORDS:
        message = f"the player aid has {words} words. One page holds {MAX_AID_WORDS}"
        yield Diagnostic(FILE_CODE, message, state.section.heading, "shorten it", warning=True)


def describe_change(state: SectionState, name: str) -> str:
    """Describe the change of a rule: `step play changed (4 is now 5)`."""
    numbers = list_changed_numbers(state, name)
    if name not in state.read:
        return f"{name} is new here"
    return f"{name} changed" + (f" ({', '.join(f'{old} is now {new}' for old, new in numbers)})" if numbers else "")


def list_changed_numbers(state: SectionState, name: str) -> list[tuple[str, str]]:
    """Return the old and new numbers of a changed rule, if only their values changed."""
    old, new = state.read[name].numbers if name in state.read else (), state.digests[name].numbers
    return [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]] if len(old) == len(new) else []


def report_unknown_rule(game: g.Game, mention: RuleMention) -> Diagnostic:
    known = [f"{kind} {name}" for kind, table in get_rule_tables(game).items() for name in table]
    near = get_close_matches(mention.name, known, 1)
    hint = f"Did you mean “{near[0]}”?" if near else "name a rule of the game, such as `step play`, or delete the name"
    message = f"{game.title} has no rule “{mention.name}”"
    return Diagnostic(UNKNOWN_CODE, message, mention.span, hint, warning=True)


def check_untold_rules(reader: RulesFileReader) -> Iterator[Diagnostic]:
    """Yield a warning for each rule that no section tells."""
    source = reader.file.source
    for _, names in reader.find_untold_sections():
        for name in names:
            message = f"no section tells {name}. It is printed under “{OTHER_RULES_TITLE}”"
            hint = f"add `{name}` to the comment of the section that tells it: `<!-- rules: {name} -->`"
            yield Diagnostic(UNTOLD_CODE, message, Span(source, 0, 1), hint, warning=True)
