"""Parser of a rules file: sections with their Markdown nodes, the rules that they tell, and the digests at the end."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import evolve, field, frozen
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, GameError, Source, Span
from cardlang.diagnostics.source_limits import MAX_BYTES, MAX_NESTING, read_source
from cardlang.english.control_characters import INVISIBLE_PATTERN
from cardlang.rulebook.anchors import convert_to_anchor
from cardlang.storage import LIBRARY_FOLDER, RULES_SUFFIX, find_game_file

COMMENT = re.compile(r"<!--((?:(?!<!--).)*?)-->", re.DOTALL)
UNCLOSED_COMMENT = re.compile(r"<!--(?=(?:(?!-->).)*?(?:<!--|\Z))([^\n]*)", re.DOTALL)
RULES_COMMENT = re.compile(r"\s*rules:(.*)", re.DOTALL)
READ_COMMENT = re.compile(r"\s*read\b[^\n]*\n(.*)", re.DOTALL)
UNCLOSED_READ_COMMENT = re.compile(
    r"<!--[ \t]*read\b(?=(?:(?!-->).)*?(?:<!--|\Z))[^\n]*"
    r"(?:\n(?:#(?: [^\n]*)?$|[^\n]+ = [0-9a-f]{6}\b[^\n]*|[ \t\r]*$))*(?:\n[^\n]*\Z)?",
    re.DOTALL | re.MULTILINE,
)
"""A comment of digests without its end: digests, and at the end of the file a line that may be cut."""
CUT_COMMENT = re.compile(r"<!-{0,2}[ \t]*(?:r(?:ea?)?)?\s*\Z")
"""Rest of a comment of digests that is cut in its first word."""
HEADLESS_READ_COMMENT = re.compile(
    r"(?:^#(?: [^\n]*)?\n(?:(?!#)[^\n]+ = [0-9a-f]{6}(?: \([\d. ]+\))?\r?\n)+)+-->", re.MULTILINE
)
"""Rest of a comment of digests whose first line is gone."""
READ_LINE = re.compile(r"(.+?) = ([0-9a-f]{6})(?: \(([\d. ]+)\))?")
BOX_LINE = re.compile(r"([ \t>]*)(`{3,})[ \t]*([^`]*)")
BOX_STOP = re.compile(r"[ \t>]*(?:#{1,6}[ \t].*|`{3}.*)?")
"""Line where a box without an end stops: a blank line, a heading or another box."""
TEXT_MARK = "text"
"""Name of the line with the digest of a section's own text, as drafted."""
AID_TITLE = "Player aid"
"""Title of the section that is printed as the player aid, with all headings below it."""
FILE_CODE = "W459"
"""Code of warnings on parts of a file that cannot be used."""


@frozen
class RuleDigest:
    """Digest of a rule when an author last read it, and the numbers that it had."""

    digest: str
    numbers: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.digest} ({' '.join(self.numbers)})" if self.numbers else self.digest


RuleDigests = Mapping[str, RuleDigest]
"""Digests of the rules of a section, by name."""


@frozen(eq=False)
class RuleMention:
    """A rule that a section tells, and its place in the file."""

    name: str
    span: Span


@frozen(eq=False)
class FileSection:
    """A section of a rules file.

    `title` and `level`: of its heading; the introduction has no title. `key`: its title, unique in the file. `nodes`:
    its Markdown blocks. `span`: all of it; `heading`: its heading. `rules`: the rules that it tells.
    """

    title: str
    level: int
    span: Span
    heading: Span
    key: str = ""
    nodes: tuple[SyntaxTreeNode, ...] = ()
    rules: tuple[RuleMention, ...] = ()

    @property
    def rule_names(self) -> tuple[str, ...]:
        return tuple(mention.name for mention in self.rules)

    @property
    def is_player_aid(self) -> bool:
        return self.key == AID_TITLE

    @property
    def text_digest(self) -> str:
        """Digest of its text without comments and blank lines."""
        lines = (line.rstrip() for line in COMMENT.sub("", self.span.text).splitlines())
        return hashlib.sha256("\n".join(filter(None, lines)).encode("utf-8", "replace")).hexdigest()[:6]


@frozen(eq=False)
class RulesFile:
    """A parsed rules file. `digests`: digests of the rules when an author read them, by the keys of
    sections. `findings`: warnings about its form."""

    source: Source
    title: str
    sections: tuple[FileSection, ...]
    digests: Mapping[str, RuleDigests] = field(factory=dict)
    findings: tuple[Diagnostic, ...] = ()

    def get_digests(self, section: FileSection) -> RuleDigests:
        """Return the digests read for a section: those under its key, or those of a section that was renamed."""
        if section.key in self.digests:
            return self.digests[section.key]
        keys = {each.key for each in self.sections}
        unclaimed = (digests for key, digests in self.digests.items() if key not in keys)
        names = {*section.rule_names}
        return next((digests for digests in unclaimed if names and names <= {*digests}), {})


# ---------------------------------------------------------------- files
def find_rules_file(game: g.Game) -> Path:
    """Return the path of the rules file next to a game."""
    return find_game_file(game.sources[0].name).with_suffix(RULES_SUFFIX)


def find_library_rules_files(game: g.Game) -> Iterator[Path]:
    """Yield the paths of the rules files next to the libraries of a game."""
    folder = find_game_file(game.sources[0].name).parent
    for source in game.sources[1:]:
        name = Path(source.name).with_suffix(RULES_SUFFIX).name
        yield from (path for path in dict.fromkeys((folder / name, LIBRARY_FOLDER / name)) if path.is_file())


def read_rules_file(path: Path, game: g.Game) -> RulesFile | None:
    """Read and parse a rules file, in the language of the game.

    Return None if it is missing; if it cannot be read, return only a warning."""
    try:
        source = read_source(path)
    except GameError as error:
        first = error.diagnostics[0]
        return build_unread_file(first.span, first.message, first.hint)
    except OSError as error:
        reason = f"this file cannot be read: {error.strerror or error}"
        return build_unread_file(Source(str(path), "").full_span, reason) if path.exists() else None
    if len(source.text.encode("utf-8", "replace")) > MAX_BYTES:
        reason = f"the rulebook is larger than {MAX_BYTES // 1024} KiB and is not printed"
        return build_unread_file(Span(source, 0, 1), reason, "check that this is the right file, and shorten it")
    file = parse_rules_file(source)
    if not file.sections:
        reason, hint = "the rulebook has no text and is not printed", "write text, or delete the file"
        return build_unread_file(Span(source, 0, 0), reason, hint)
    return file if game.translation is None else translate_rules_file(file, game.translation.texts)


def build_unread_file(span: Span, reason: str, hint: str = "") -> RulesFile:
    return RulesFile(span.source, "", (), {}, (Diagnostic(FILE_CODE, reason, span, hint, warning=True),))


# ---------------------------------------------------------------- other languages
EXAMPLE_LEAD = re.compile(r"(\*\*Example: [^*]+\*\*\s*)?(.*)", re.DOTALL)
"""The title of an example, which names it, and the text after it."""
ANCHOR_LINK = re.compile(r"(?<=\(#)[^()\s]+(?=\))")


def list_translatable_texts(file: RulesFile) -> Iterator[tuple[str, Span]]:
    """Yield the title and the headings, paragraphs, list items and cells of a rules file, each on one line."""
    yield file.title, Span(file.source, 0, 1)
    for section in file.sections:
        yield section.title, section.heading
        for node in find_inline_nodes(section):
            yield split_example_lead(node)[1], get_node_span(node, file.source)


def translate_rules_file(file: RulesFile, texts: Mapping[str, str]) -> RulesFile:
    """Return a rules file in another language. The keys of its sections stay, and links lead to the new headings."""
    titles = {section.title: texts.get(section.title, section.title) for section in file.sections}
    anchors = {convert_to_anchor(old): convert_to_anchor(new) for old, new in titles.items()}
    for section in file.sections:
        for node in find_inline_nodes(section):
            lead, old = split_example_lead(node)
            text = ANCHOR_LINK.sub(lambda found: anchors.get(found[0], found[0]), texts.get(old, old))
            if text != old and node.token is not None:
                node.token.content = lead + text
                node.children = SyntaxTreeNode(create_markdown_parser().parseInline(lead + text)).children[0].children
    sections = tuple(evolve(section, title=titles[section.title]) for section in file.sections)
    return evolve(file, title=texts.get(file.title, file.title), sections=sections)


def find_inline_nodes(section: FileSection) -> Iterator[SyntaxTreeNode]:
    return (node for block in section.nodes for node in block.walk() if node.type == "inline")


def split_example_lead(node: SyntaxTreeNode) -> tuple[str, str]:
    """Return the title of an example at the start of a paragraph, if any, and its text on one line."""
    found = EXAMPLE_LEAD.fullmatch(" ".join(COMMENT.sub("", node.content).split()))
    assert found is not None
    return found[1] or "", found[2]


# ---------------------------------------------------------------- Markdown
def parse_rules_file(source: Source) -> RulesFile:
    """Parse a rules file. Nothing in it is an error: faulty parts cause warnings."""
    findings: list[Diagnostic] = []
    text = close_boxes(source, close_comments(source, findings), findings)
    visible = INVISIBLE_PATTERN.sub(lambda found: found[0] if found[0] in "\t\r\n" else "", text)
    tokens = create_markdown_parser().parse(visible)
    if any(token.level >= MAX_NESTING for token in tokens):
        message = f"lists and quotations are nested more than {MAX_NESTING} deep. The innermost are not printed"
        findings.append(
            Diagnostic(FILE_CODE, message, Span(source, 0, 1), "use fewer levels, at most three", warning=True)
        )
    title, sections = split_sections(source, SyntaxTreeNode(tokens))
    digests: dict[str, dict[str, RuleDigest]] = {}
    for comment in COMMENT.finditer(text):
        read = READ_COMMENT.fullmatch(comment[1])
        if read:
            add_read_digests(source, comment.start(1) + read.start(1), read[1], digests, findings)
    return RulesFile(source, title, tuple(map(add_rule_mentions, sections)), digests, tuple(findings))


def create_markdown_parser() -> MarkdownIt:
    """Return a parser for Markdown with tables. Escaped characters stay apart from text."""
    return MarkdownIt("commonmark", {"html": True, "maxNesting": MAX_NESTING}).enable("table").disable("text_join")


def close_comments(source: Source, findings: list[Diagnostic]) -> str:
    """Return the text, with an end for each comment that has none: after its line, or for digests after the last."""
    for found in UNCLOSED_COMMENT.finditer(source.text):
        span = Span(source, found.start(), found.start() + 4)
        findings.append(Diagnostic("W458", "this comment has no end", span, "add `-->`", warning=True))
    text = mend_read_comments(source.text, "<!-- ", "-->")
    return UNCLOSED_COMMENT.sub(r"\g<0>-->", text)


def mend_read_comments(text: str, lead: str, end: str) -> str:
    """Return the text with whole comments of digests: with `lead` before those without a beginning, and with `end`."""

    def add_lead(found: re.Match[str]) -> str:
        is_inside = text.rfind("<!--", 0, found.start()) > text.rfind("-->", 0, found.start())
        return found[0] if is_inside else f"{lead}{found[0]}"

    text = CUT_COMMENT.sub("", text)
    text = HEADLESS_READ_COMMENT.sub(add_lead, text)
    return UNCLOSED_READ_COMMENT.sub(lambda found: f"{found[0]}{end}", text)


def close_boxes(source: Source, text: str, findings: list[Diagnostic]) -> str:
    """Return the text, with an end for each box that has none: at the next blank line or before the next heading.

    The number of lines stays the same."""
    lines = text.split("\n")
    unclosed: list[int] = []
    opened: tuple[int, str] | None = None
    for number, line in enumerate(lines):
        found = BOX_LINE.fullmatch(line.rstrip("\r"))
        if not found or (opened and len(found[2]) < len(opened[1])):
            continue
        unclosed += [opened[0]] if opened and found[3] else []
        opened = (number, found[2]) if found[3] or not opened else None
    for first in [*unclosed, *([opened[0]] if opened else [])]:
        begin = source.line_starts[min(first, len(source.line_starts) - 1)]
        span = Span(source, begin, begin + len(source.get_line(first + 1).rstrip()))
        findings.append(Diagnostic(FILE_CODE, "this box has no end", span, "add ```", warning=True))
        found = BOX_LINE.match(lines[first])
        stops = (at for at in range(first + 1, len(lines)) if BOX_STOP.fullmatch(lines[at].rstrip("\r")))
        at = next(stops, None)
        if found and at is not None:
            end = at - 1 if lines[at].strip(" \t>\r") else at
            lines[end] = found[1] + found[2] if end > first else ""
    return "\n".join(lines)


def split_sections(source: Source, root: SyntaxTreeNode) -> tuple[str, list[FileSection]]:
    """Return the title, and a section for each further heading."""
    title = ""
    sections = [FileSection("", 1, Span(source, 0, 0), Span(source, 0, 0))]
    nodes: list[SyntaxTreeNode] = []

    def finish_section(end: int) -> None:
        last = sections[-1]
        sections[-1] = evolve(last, nodes=tuple(nodes), span=Span(source, last.span.start, end))
        nodes.clear()

    for node in root.children:
        level = int(node.tag[1]) if node.type == "heading" else 0
        if not level or (sections[-1].is_player_aid and level > sections[-1].level):
            nodes.append(node)
            continue
        span = get_node_span(node, source)
        text = extract_plain_text(node)
        if level == 1 and not title and len(sections) == 1 and not nodes:
            title = text
            sections[0] = evolve(sections[0], heading=span)
        else:
            finish_section(span.start)
            count = sum(each.title == text for each in sections)
            sections.append(FileSection(text, max(level, 2), span, span, f"{text} ({count + 1})" if count else text))
    finish_section(len(source.text))
    return title, sections if sections[0].nodes else sections[1:]


def get_node_span(node: SyntaxTreeNode, source: Source) -> Span:
    """Return the lines of a block."""
    first, end = node.map or (0, 1)
    starts = [*source.line_starts, len(source.text)]
    start = starts[min(first, len(starts) - 1)]
    return Span(source, start, max(start, starts[min(end, len(starts) - 1)]))


def extract_plain_text(node: SyntaxTreeNode) -> str:
    """Return the text of a node without its marks."""
    texts = (" " if part.type == "softbreak" else part.content for part in node.walk() if not part.children)
    return " ".join("".join(texts).split())


def add_rule_mentions(section: FileSection) -> FileSection:
    """Return a section with the rules that its comments name."""
    rules: list[RuleMention] = []
    for comment in COMMENT.finditer(section.span.text):
        named = RULES_COMMENT.fullmatch(comment[1])
        for part in re.finditer(r"[^,\s][^,]*", named[1]) if named else ():
            start = section.span.start + comment.start(1) + (named.start(1) if named else 0) + part.start()
            name = " ".join(part[0].split())
            rules.append(RuleMention(name, Span(section.span.source, start, start + len(part[0].rstrip()))))
    return evolve(section, rules=tuple(rules))


def add_read_digests(
    source: Source, offset: int, text: str, digests: dict[str, dict[str, RuleDigest]], findings: list[Diagnostic]
) -> None:
    """Add the digests in a comment, sections after `# `."""
    section: dict[str, RuleDigest] = {}
    for line in text.splitlines(keepends=True):
        found = READ_LINE.fullmatch(line.strip())
        if line.startswith("# ") or line.strip() == "#":
            section = digests.setdefault(line[1:].strip(), {})
        elif found:
            section[found[1]] = RuleDigest(found[2], tuple((found[3] or "").split()))
        elif line.strip():
            message, hint = "this line is no digest of a rule", "delete it. Only `cardlang review` writes these lines"
            span = Span(source, offset, offset + len(line.rstrip()))
            findings.append(Diagnostic(FILE_CODE, message, span, hint, warning=True))
        offset += len(line)


# ---------------------------------------------------------------- writing digests
def replace_read_comment(text: str, digests: Mapping[str, RuleDigests]) -> str:
    """Return the text of a rules file with other digests, by the keys of sections. Line ends remain."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    lines = ["<!-- read (written by cardlang review)"]
    for key, listed in digests.items():
        lines += [f"# {key}".rstrip(), *(f"{name} = {digest}" for name, digest in sorted(listed.items()))]
    comment = line_end.join([*lines, "-->", ""])
    text = mend_read_comments(text, "<!-- read\n", "\n-->")
    found = [each for each in COMMENT.finditer(text) if READ_COMMENT.fullmatch(each[1])]
    if not found:
        return f"{text.rstrip()}{line_end * 2}{comment}"
    for each in reversed(found[1:]):
        text = text[: each.start()] + text[each.end() :]
    return text[: found[0].start()] + comment.rstrip() + text[found[0].end() :]
