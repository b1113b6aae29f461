"""Draft of a rules file: the whole generated rulebook as Markdown that can be edited.

A section follows the game until its text is edited.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from cardlang import model as g
from cardlang.diagnostics import Source
from cardlang.rulebook.anchors import SectionLinks
from cardlang.rulebook.authored_rulebook.assembly import RulesFileReader, must_be_told
from cardlang.rulebook.authored_rulebook.markdown_blocks import PLAYERS_HOLE
from cardlang.rulebook.authored_rulebook.markdown_parser import (
    TEXT_MARK,
    RuleDigest,
    parse_rules_file,
    replace_read_comment,
)
from cardlang.rulebook.authored_rulebook.rule_digests import find_dependencies
from cardlang.rulebook.model import Block, QuestionBlock, Rulebook, Section, TableBlock, WorkedExample
from cardlang.rulebook.render.markdown import MarkdownPage, escape_markdown

PLAYERS_FACT = "Players: "
QUESTIONS_PART = "questions"


def build_draft(game: g.Game, generated: Rulebook) -> str:
    """Return a rules file with the whole generated rulebook of a game."""
    page = DraftPage(SectionLinks({}), True, RulesFileReader(game, parse_rules_file(Source("", "")), generated))
    lines = [f"# {page.escape(generated.title)}", ""]
    lines += [f"*{page.escape(generated.pitch)}*", ""] if generated.pitch else []
    for fact in generated.facts:
        players = fact.startswith(PLAYERS_FACT)
        lines.append(f"- {PLAYERS_FACT}{{{PLAYERS_HOLE}}}" if players else f"- {page.escape(fact)}")
    for section in generated.sections:
        lines += ["", *page.render_section(section, 2)]
    text = "\n".join(lines) + "\n"
    reader = RulesFileReader(game, parse_rules_file(Source("", text)), generated)
    digests = {
        state.section.key: {**state.digests, TEXT_MARK: RuleDigest(state.section.text_digest)}
        for state in reader.states
    }
    return replace_read_comment(text, digests)


@frozen
class DraftPage(MarkdownPage):
    """Markdown renderer of a draft. `reader`: supplies the parts that a file can take from the game."""

    reader: RulesFileReader = field(kw_only=False, default=None)

    def escape(self, text: str) -> str:
        return escape_markdown(text).replace("{", "\\{")

    def render_section(self, section: Section, level: int) -> list[str]:
        lines = [f"{'#' * min(level, 6)} {self.escape(section.title)}"]
        if any(self.find_part(block) == QUESTIONS_PART for block in section.blocks):
            return [*lines, "", f"{{{QUESTIONS_PART}}}"]
        for block in section.blocks:
            block_lines = self.render_block(block)
            lines += ["", *block_lines] if block_lines and block_lines != [lines[-1]] else []
        names = list_rules_for_comment(self.reader, section)
        lines += ["", f"<!-- rules: {', '.join(names)} -->"] if names else []
        for part in section.sections:
            lines += ["", *self.render_section(part, level + 1)]
        return lines

    def render_linked_text(self, text: str) -> str:
        return super().render_linked_text(text).replace("{", "\\{")

    def render_block(self, block: Block) -> list[str]:
        name = self.find_part(block)
        if name:
            return [f"{{{name}}}"]
        return super().render_block(block)

    def find_part(self, block: Block) -> str:
        """Return the name of the part of the game that a block belongs to, or an empty string."""
        parts = self.reader.context.parts
        return next((name for name, blocks in parts.items() if isinstance(block, PART_BLOCKS) and block in blocks), "")

    def render_passages(self, example: WorkedExample) -> list[str]:
        known = self.reader.context.examples.get(example.title.removeprefix("Example: "))
        lines = super().render_passages(example)
        shows_hands = known is not None and any(passage.hands for passage in example.passages)
        zones = list(dict.fromkeys(find_shown_zones(known[0]))) if known and shows_hands else []
        return [*lines, "", "```picture", f"show: {', '.join(zones)}", "```"] if zones else lines


PART_BLOCKS = (TableBlock, QuestionBlock)
"""Blocks that a file takes from the game as a whole."""


def find_shown_zones(example: g.Example) -> Iterator[str]:
    """Yield the zones with cards in the first position of an example."""
    position = next((line for line in example.lines if isinstance(line, g.Given)), None)
    for fact in position.facts if position else ():
        if isinstance(fact, g.GivenZone) and fact.faces:
            yield fact.zone


def list_rules_for_comment(reader: RulesFileReader, section: Section) -> list[str]:
    """Return the rules for the comment of a section: those that others do not bring along."""
    main = [name for name in section.rules if must_be_told(name) or name.startswith("contents ")]
    brought = find_dependencies(reader.game, main, frozenset(reader.content.steps))
    return list(dict.fromkeys([*main, *(name for name in section.rules if name not in brought)]))
