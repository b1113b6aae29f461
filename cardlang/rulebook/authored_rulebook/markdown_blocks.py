"""Blocks of a rulebook from the Markdown of a section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from urllib.parse import unquote

from attrs import define, evolve, field, frozen
from markdown_it.tree import SyntaxTreeNode

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.english import morphology
from cardlang.rulebook.authored_rulebook.diagram_boxes import BOX_KINDS, BoxReader, build_flow_diagram, split_box_lines
from cardlang.rulebook.authored_rulebook.markdown_parser import COMMENT, FILE_CODE, extract_plain_text, get_node_span
from cardlang.rulebook.model import (
    Block,
    ExamplePassage,
    Item,
    ItemList,
    Paragraph,
    Picture,
    StyledText,
    TableBlock,
    TextSpan,
    WorkedExample,
)
from cardlang.rulebook.plan.example_prose import build_worked_example
from cardlang.rulebook.realise.phrases import PhraseScope

HOLE = re.compile(r"\{([\w-]+)\}")
HOLE_AND_NOUN = re.compile(r"\{([\w-]+)\}(?: (\w+))?")
EXAMPLE_LEAD = re.compile(r"Example: (.+)")
CELL_BREAK = re.compile(r"(?<!\\)\|")
MAX_DEPTH = 8
"""Maximum depth of lists. Deeper lists are printed as sentences."""
PLAYERS_HOLE = "players"


@frozen(eq=False)
class GameContext:
    """Content that a game supplies to its rules file.

    `parts`: generated parts by name. `examples`: examples by title, with the scope of their game or variant.
    `headings`: anchors of the headings in the file.
    """

    game: g.Game
    scope: PhraseScope
    parts: Mapping[str, tuple[Block, ...]] = field(factory=dict)
    examples: Mapping[str, tuple[g.Example, PhraseScope]] = field(factory=dict)
    headings: frozenset[str] = frozenset()

    @property
    def player_counts(self) -> str:
        seats = [str(count) for count in self.game.seats]
        is_range = len(seats) > 2 and self.game.seats[-1] - self.game.seats[0] == len(seats) - 1
        return f"{seats[0]} to {seats[-1]}" if is_range else morphology.join_phrases(seats, "or")

    def find_kind_value(self, name: str) -> TextSpan | None:
        """Return the noun of a kind's value with its icon, if it has one; None if the name is no such value."""
        kind = self.game.kinds.get(self.scope.lexicon.members.get(name, ("", ""))[0])
        if kind is None or name in self.parts or name in self.game.defines:
            return None
        index = next(index for index, member in enumerate(kind.members) if member.name == name)
        icon = self.scope.lexicon.symbols.get_value_icon(kind.name, index)
        return TextSpan(kind.members[index].noun.singular, icon=icon)

    def get_value(self, name: str) -> str | None:
        """Return the value of a constant in words or figures, or None if the name has no number."""
        if name == PLAYERS_HOLE:
            return self.player_counts
        define = self.game.defines.get(name)
        while define is not None and isinstance(define.value, g.Call) and define.value.of is None:
            define = self.game.defines[define.value.define]
        value = define.value.value if define is not None and isinstance(define.value, g.Const) else None
        return morphology.spell_number(value) if isinstance(value, int) and not isinstance(value, bool) else None

    def agree_unit(self, value: str, noun: str) -> str:
        """Return a value and the noun after it. What the game counts agrees with the value: `one chip`, `two chips`."""
        for entry in self.scope.lexicon.nouns.values():
            if entry.is_unit and noun in (entry.singular, entry.plural):
                return morphology.format_count(value, entry.singular, entry.plural)
        return f"{value} {noun}"


@define
class BlockBuilder:
    """Builder of the blocks of one section.

    `findings`: warnings. `used`: names of the examples and cards that the section shows. `values`: names of the
    definitions whose values it shows.
    """

    source: Source
    context: GameContext
    findings: list[Diagnostic] = field(factory=list)
    used: dict[str, None] = field(factory=dict)
    values: set[str] = field(factory=set)

    def warn(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.findings.append(Diagnostic(code, message, span, hint, warning=True))

    # ------------------------------------------------------------ blocks
    def build_blocks(self, nodes: Sequence[SyntaxTreeNode], depth: int = 0) -> list[Block]:
        """Return the blocks for some Markdown nodes. Cards in a row become one picture."""
        blocks: list[Block] = []
        for position, node in enumerate(nodes):
            if position and node.type in ("bullet_list", "ordered_list"):
                self.check_list_position(nodes[position - 1], node, nodes[:position])
            for block in self.build_block(node, depth):
                if isinstance(block, Picture) and blocks and isinstance(blocks[-1], Picture):
                    block = Picture((*blocks.pop().panels, *block.panels))  # type: ignore[union-attr]
                blocks.append(block)
        return blocks

    def build_block(self, node: SyntaxTreeNode, depth: int) -> Iterable[Block]:
        match node.type:
            case "paragraph":
                return self.build_paragraph(node)
            case "heading":
                return (Paragraph(StyledText([TextSpan(extract_plain_text(node), bold=True)])),)
            case "bullet_list" | "ordered_list":
                return (self.build_list(node, depth),)
            case "table":
                return (self.build_table(node),)
            case "blockquote":
                return self.build_quotation(node, depth)
            case "fence":
                return [block for block in self.build_box(node) if not isinstance(block, ExamplePassage)]
            case "code_block":
                return (Paragraph(StyledText([TextSpan(" ".join(node.content.split()), code=True)])),)
            case "html_block":
                return self.build_html(node)
        return ()

    def build_paragraph(self, node: SyntaxTreeNode) -> Iterable[Block]:
        inline = node.children[0]
        alone = HOLE.fullmatch(inline.content.strip())
        if alone and alone[1] in self.context.parts:
            return self.context.parts[alone[1]]
        text = self.build_text(inline)
        return (Paragraph(text),) if text.strip() else ()

    def build_html(self, node: SyntaxTreeNode) -> Iterable[Block]:
        """Return HTML as text. Comments are not printed."""
        text = " ".join(COMMENT.sub("", node.content).split())
        if text:
            self.warn(FILE_CODE, "HTML is printed as text", get_node_span(node, self.source), "use Markdown instead")
        return (Paragraph(StyledText([TextSpan(text)])),) if text else ()

    def build_list(self, node: SyntaxTreeNode, depth: int) -> ItemList:
        start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else 1
        items = tuple(self.build_item(item, depth + 1) for item in node.children)
        return ItemList(items, node.type == "bullet_list", min(start, 9999))

    def build_item(self, node: SyntaxTreeNode, depth: int) -> Item:
        """Return an item: its text, then its nested list and example, or any other blocks in their order."""
        if depth > MAX_DEPTH:
            return Item(StyledText([TextSpan(extract_plain_text(node))]))
        title, text, inner = "", "", list(node.children)
        if inner and inner[0].type == "paragraph" and not HOLE.fullmatch(inner[0].children[0].content):
            title, text = split_title(self.build_text(inner.pop(0).children[0]))
        blocks = self.build_blocks(inner, depth)
        example = blocks[-1] if blocks and isinstance(blocks[-1], WorkedExample) else None
        rest = blocks[:-1] if example is not None else blocks
        nested = rest[-1] if rest and isinstance(rest[-1], ItemList) and rest[-1].start == 1 else None
        figures = rest[:-1] if nested is not None else rest
        if any(isinstance(block, ItemList | WorkedExample) for block in figures):
            return Item(text, title=title, figures=tuple(blocks))
        listed = (nested.items, nested.bullets) if nested is not None else ((), False)
        return Item(text, "", *listed, title=title, example=example, figures=tuple(figures))

    def check_list_position(
        self, before: SyntaxTreeNode, node: SyntaxTreeNode, earlier: Sequence[SyntaxTreeNode]
    ) -> None:
        """Report a list or another block that should be part of the numbered step above it."""
        step_before = before.type == "ordered_list"
        continues = node.type == "ordered_list" and int(node.attrs.get("start", 1)) > 1
        line = get_node_span(node, self.source).line
        if step_before and node.type == "bullet_list" and line > 1 and self.source.get_line(line - 1).strip("> \t"):
            misplaced, what = node, "list"
        elif continues and not step_before and any(each.type == "ordered_list" for each in earlier):
            misplaced, what = before, {"blockquote": "quotation", "bullet_list": "list"}.get(before.type, "paragraph")
        else:
            return
        message = f"this {what} is not part of the step above"
        self.warn("W456", message, get_node_span(misplaced, self.source), "indent it by 3 spaces")

    def build_table(self, node: SyntaxTreeNode) -> TableBlock:
        head, *bodies = node.children
        columns = len(head.children[0].children)
        rows = [row for body in bodies for row in body.children]
        for row in rows:
            span = get_node_span(row, self.source)
            cells = len(CELL_BREAK.split(span.text.strip().lstrip("> ").strip("|")))
            if cells > columns:
                message = f"this row has {cells} cells, but its table has {columns} columns"
                self.warn("W457", message, span, r"write `\|` for a bar")
        head_cells, *body = [
            tuple(self.build_text(cell.children[0]) if cell.children else "" for cell in row.children)
            for row in (head.children[0], *rows)
        ]
        return TableBlock("", head_cells, tuple(body))

    # ------------------------------------------------------------ boxes and quotations
    def build_box(
        self, node: SyntaxTreeNode, example: tuple[g.Example, PhraseScope] | None = None
    ) -> Iterable[Block | ExamplePassage]:
        """Return the drawing of a box. A position of an example is a passage without text."""
        kind, _, title = node.info.strip().partition(" ")
        span = get_node_span(node, self.source)
        if kind not in BOX_KINDS:
            hint = f"use one of {', '.join(f'`{each}`' for each in BOX_KINDS)}"
            self.warn(FILE_CODE, f"unknown box “{kind}”, printed as text", span, hint)
            return (Paragraph(StyledText([TextSpan(" ".join(node.content.split()), code=True)])),)
        lines = split_box_lines(node.content, lambda number: self.get_line_span(node, number + 1))
        if kind == "steps":
            diagram = build_flow_diagram(lines)
            return (diagram,) if diagram else ()
        scope = evolve(example[1], players=example[0].players) if example else self.context.scope
        reader = BoxReader(scope.lexicon.game, scope, self.findings)
        if kind == "card":
            card = reader.build_card(title.strip(), lines, span)
            self.used |= dict.fromkeys(reader.cards)
            return (card,) if card else ()
        if example is None:
            self.warn("W455", "this picture belongs to no example", span, "put it into the quotation of an example")
            return ()
        drawn = reader.build_picture(example[0], lines, span)
        if isinstance(drawn, Picture):
            return (ExamplePassage("", picture=drawn),)
        return (ExamplePassage("", drawn),) if drawn else ()

    def get_line_span(self, node: SyntaxTreeNode, number: int) -> Span:
        """Return the span of a line of a block, from 0."""
        line = min((node.map or (0, 0))[0] + number + 1, len(self.source.line_starts))
        start, text = self.source.line_starts[line - 1], self.source.get_line(line)
        lead = len(text) - len(text.lstrip("> \t"))
        return Span(self.source, start + lead, start + max(lead, len(text.rstrip())))

    def build_quotation(self, node: SyntaxTreeNode, depth: int) -> Iterable[Block]:
        """Return an example of the game, or a quotation as remarks."""
        first = node.children[0] if node.children else None
        text = self.build_text(first.children[0]) if first is not None and first.type == "paragraph" else ""
        spans = text.spans if isinstance(text, StyledText) else ()
        lead = EXAMPLE_LEAD.fullmatch(spans[0].text.strip()) if spans and spans[0].bold else None
        if lead is None:
            return [
                Paragraph("", block.text) if isinstance(block, Paragraph) else block
                for block in self.build_blocks(node.children, depth + 1)
            ]
        title = lead[1].removesuffix(".")
        found = self.context.examples.get(title) or self.context.examples.get(lead[1])
        if found is None:
            self.warn_unknown_example(title, get_node_span(node.children[0], self.source))
            return ()
        self.used[f"example {found[0].title}"] = None
        opening = join_spans(spans[1:])
        passages = [*([ExamplePassage(opening)] if opening.strip() else [])]
        for child in node.children[1:]:
            add_passages(passages, self.build_passages(child, found))
        if not any(passage.text for passage in passages):
            return (build_worked_example(*found),)
        return (WorkedExample(found[0].title, tuple(passages)),)

    def warn_unknown_example(self, title: str, span: Span) -> None:
        near = get_close_matches(title, [*self.context.examples], 1)
        hint = f"Did you mean “{near[0]}”?" if near else "add the example to the game, or delete this quotation"
        self.warn("W453", f"{self.context.game.title} has no example “{title}”. It is not printed", span, hint)

    def build_passages(
        self, node: SyntaxTreeNode, example: tuple[g.Example, PhraseScope]
    ) -> Iterable[ExamplePassage | Block]:
        """Yield the passages of a part of an example: paragraphs, numbered lines and drawings."""
        if node.type == "fence":
            yield from self.build_box(node, example)
            return
        for block in self.build_block(node, MAX_DEPTH - 1):
            match block:
                case Paragraph():
                    yield ExamplePassage(block.text)
                case ItemList():
                    for number, item in enumerate(block.items, block.start):
                        yield ExamplePassage(item.text, line_number=0 if block.bullets else number, title=item.title)
                case _:
                    yield block

    # ------------------------------------------------------------ text
    def build_text(self, inline: SyntaxTreeNode) -> str:
        """Return the text of a line with its styles and values."""
        return join_spans(self.walk_spans(inline.children, TextSpan(""), get_node_span(inline, self.source)))

    def walk_spans(self, nodes: Iterable[SyntaxTreeNode], style: TextSpan, place: Span) -> Iterator[TextSpan]:
        for node in nodes:
            match node.type:
                case "text":
                    yield from self.fill_holes(node.content, style, place)
                case "text_special":
                    yield evolve(style, text=node.content)
                case "softbreak" | "hardbreak":
                    yield evolve(style, text=" ")
                case "code_inline":
                    yield evolve(style, text=node.content, code=True)
                case "strong":
                    yield from self.walk_spans(node.children, evolve(style, bold=True), place)
                case "em":
                    yield from self.walk_spans(node.children, evolve(style, italic=True), place)
                case "link":
                    link = self.check_link(str(node.attrs.get("href", "")), place)
                    yield from self.walk_spans(node.children, evolve(style, link=link), place)
                case "image":
                    self.warn(FILE_CODE, "images are not printed", place, "draw it with a box, or delete it")
                    yield evolve(style, text=node.content)
                case "html_inline" if not COMMENT.fullmatch(node.content):
                    self.warn(FILE_CODE, "HTML is printed as text", place, "use Markdown instead")
                    yield evolve(style, text=node.content)

    def fill_holes(self, text: str, style: TextSpan, place: Span) -> Iterator[TextSpan]:
        """Yield the spans of a text with its values: those of kinds as icons."""
        start = 0
        for hole in HOLE.finditer(text):
            if (value := self.context.find_kind_value(hole[1])) is not None:
                yield evolve(style, text=self.fill_numbers(text[start : hole.start()], place))
                yield evolve(style, text=value.text, icon=value.icon)
                start = hole.end()
        yield evolve(style, text=self.fill_numbers(text[start:], place))

    def fill_numbers(self, text: str, place: Span) -> str:
        return HOLE_AND_NOUN.sub(lambda found: self.fill_hole(found, place), text)

    def fill_hole(self, found: re.Match[str], place: Span) -> str:
        """Return the value that a hole names, or the hole itself with a warning."""
        name = found[1]
        value = self.context.get_value(name)
        if value is not None:
            self.values.add(PLAYERS_HOLE if name == PLAYERS_HOLE else f"define {name}")
            return self.context.agree_unit(value, found[2]) if found[2] else value
        hole = f"{{{name}}}"
        start = self.source.text.find(hole, place.start)
        span = place if start < 0 else Span(self.source, start, start + len(hole))
        if name in self.context.parts:
            self.warn("W452", f"{hole} is a table or list", span, "put it on a line of its own")
            return found[0]
        numbers = [each for each in self.context.game.defines if self.context.get_value(each) is not None]
        values = self.context.scope.lexicon.members
        near = get_close_matches(name, [*numbers, *values, *self.context.parts, PLAYERS_HOLE], 1)
        hint = f"Did you mean “{near[0]}”?" if near else "name a definition that is a number, or write the number"
        self.warn("W451", f"unknown name {hole}", span, hint)
        return found[0]

    def check_link(self, target: str, place: Span) -> str:
        """Return the target of a link if it is a heading of the file or a web page."""
        if target.startswith("#") and (anchor := unquote(target[1:])) in self.context.headings:
            return f"#{anchor}"
        if target.startswith("https://"):
            return target.replace("(", "%28").replace(")", "%29")
        hint = "link to a heading, such as `#setup`, or to an `https://` address"
        self.warn(FILE_CODE, f"this link leads to no heading: “{target[:80]}”", place, hint)
        return ""


def join_spans(spans: Iterable[TextSpan]) -> str:
    """Join spans to a text; plain text if they have no style."""
    joined: list[TextSpan] = []
    for span in spans:
        if joined and evolve(joined[-1], text="") == evolve(span, text=""):
            joined[-1] = evolve(span, text=joined[-1].text + span.text)
        elif span.text:
            joined.append(span)
    if joined:
        joined[0] = evolve(joined[0], text=joined[0].text.lstrip())
        joined[-1] = evolve(joined[-1], text=joined[-1].text.rstrip())
    is_plain = len(joined) == 1 and evolve(joined[0], text="") == TextSpan("")
    return joined[0].text if is_plain else StyledText(joined) if joined else ""


def split_title(text: str) -> tuple[str, str]:
    """Split an item into its title, if it begins with bold text and a colon, and the rest."""
    first, *rest = text.spans if isinstance(text, StyledText) else (TextSpan(text),)
    if not first.bold or first.link or not first.text.endswith(":"):
        return "", text
    return first.text.removesuffix(":"), join_spans(rest)


def add_passages(passages: list[ExamplePassage], added: Iterable[ExamplePassage | Block]) -> None:
    """Add passages to an example. A drawing goes under the passage before it."""
    for each in added:
        if isinstance(each, Picture):
            each = ExamplePassage("", picture=each)
        if not isinstance(each, ExamplePassage):
            continue
        last = passages[-1] if passages else None
        if last is not None and not each.text and not last.picture and not last.hands:
            passages[-1] = evolve(last, hands=each.hands, picture=each.picture)
        else:
            passages.append(each)
