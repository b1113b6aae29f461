"""PDF renderer of a rulebook, through Typst."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, evolve, field

from cardlang.cards import CardSymbol, SmallCard
from cardlang.cards.suit_and_card_drawings import draw_symbol
from cardlang.cards.svg_elements import wrap_in_svg
from cardlang.english.control_characters import (
    GENERATED_FILE_MARK,
    VARIATION_SELECTOR_PATTERN,
    remove_invisible_characters,
)
from cardlang.rulebook.anchors import SectionLinks
from cardlang.rulebook.model import (
    Block,
    ExamplePassage,
    HandPicture,
    Item,
    ItemList,
    Paragraph,
    Picture,
    QuestionBlock,
    Rulebook,
    Section,
    StyledText,
    TableBlock,
    TextSpan,
    WorkedExample,
)

if TYPE_CHECKING:
    import typst

TYPST_PAPERS = {"a4": "a4", "letter": "us-letter"}
PLAN_COLUMNS = 6
"""Number of zones in a row on a plan."""
SHORT_LIST_LETTERS = 700
"""Shorter lists, in letters, are not split across pages."""
UNSPLIT_EXAMPLE_LETTERS, UNSPLIT_EXAMPLE_LINES = 1200, 4
"""Shorter examples, in letters, are not split across pages, unless they have more numbered lines than this."""
NARROW_PICTURE_WIDTH = 75
"""Narrower pictures, in millimetres, go next to the text of their section."""
HAND_LETTERS = 500
"""Space of drawn hands, in letters."""
MAX_CELL_LINE_LETTERS = 28
"""Letters in a line of a table cell; longer texts wrap."""
LONG_WORD = re.compile(r"(\S{40})(?=\S)")


def quote_typst(text: str) -> str:
    """Return a text as a Typst string literal."""
    return quote_typst_piece(add_break_points(text))


def add_break_points(text: str) -> str:
    """Return a sanitised text with break points in words that are too long for a line."""
    return LONG_WORD.sub("\\1\u200b", remove_invisible_characters(text))


def quote_typst_piece(text: str) -> str:
    """Quote a piece of a sanitised text. Spaces at its ends remain."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def build_typst_program(rulebook: Rulebook, paper: str) -> str:
    """Return the Typst program of the rulebook."""
    writer = TypstWriter(SectionLinks.build_from_sections(rulebook.sections))
    body = [writer.format_section(section, 2) for section in rulebook.sections]
    drawings = [
        f"let {name} = {format_small_card(small_card, rulebook.is_player_aid)}"
        for small_card, name in writer.card_names.items()
    ]
    program = [
        f'import "/sheet.typ": *\nlet paper = "{TYPST_PAPERS[paper]}"',
        *drawings,
        f"show: sheet.with({quote_typst(rulebook.title)}, {quote_typst(rulebook.edition)}, paper)",
        "show: one-page" if rulebook.is_player_aid else "",
        f"heading(level: 1, {quote_typst(rulebook.title)})",
        f"pitch({quote_typst(rulebook.pitch)})" if rulebook.pitch else "",
        f"facts({format_typst_array(map(quote_typst, rulebook.facts))})",
        *body,
    ]
    return "#{\n" + "\n".join(program) + "\n}\n"


def format_typst_array(parts: Iterable[str]) -> str:
    """Return a Typst array."""
    return "(" + "".join(f"{part}, " for part in parts) + ")"


def format_small_card(small_card: SmallCard, small: bool) -> str:
    width = "2.4em" if small else "2.2em" if small_card.index else "2.3em"
    return f"drawn({quote_typst_piece(small_card.render_svg(63))}, {width}, {quote_typst(small_card.title)})"


@define
class TypstWriter:
    """Typst generator for the parts of a rulebook. `card_names`: names of the drawn cards."""

    links: SectionLinks
    card_names: dict[SmallCard, str] = field(factory=dict)

    def format_section(self, section: Section, level: int) -> str:
        heading = (
            f"[#heading(level: {level}, {quote_typst(section.title)}) #label({quote_typst_piece(section.anchor)})]"
            if section.title
            else ""
        )
        *before, last = section.blocks or (None,)
        if not (
            before and isinstance(last, Picture) and sum(panel.width for panel in last.panels) < NARROW_PICTURE_WIDTH
        ):
            return f"{heading}\n{self.format_section_content(section, level)}"
        content = self.format_section_content(evolve(section, blocks=tuple(before)), level)
        return f"{heading}\nbeside({{{content}}}, {self.format_panels(last)})"

    def format_section_content(self, section: Section, level: int) -> str:
        """Return the content under a heading."""
        parts = []
        for position, block in enumerate(section.blocks, 1):
            after = next((later for later in section.blocks[position:] if not isinstance(later, Paragraph)), None)
            if isinstance(block, ItemList):
                parts.append(self.format_list(block))
            else:
                parts.append(
                    self.format_leading_block(block)
                    if isinstance(after, TableBlock | ItemList)
                    else self.format_block(block)
                )
        parts += [self.format_section(part, level + 1) for part in section.sections]
        return "\n".join(parts)

    def format_leading_block(self, block: Block) -> str:
        """Return a block that leads to a table or list, and stays on the same page."""
        return (
            f"lead({self.format_text_pair(block.text, block.author_text)})"
            if isinstance(block, Paragraph)
            else self.format_block(block)
        )

    def format_block(self, block: Block) -> str:
        match block:
            case Paragraph():
                text = self.format_text_pair(block.text, block.author_text)
                return f"lead({text})" if block.text.endswith(":") or not block.text else f"par({text})"
            case ItemList():
                return self.format_list(block)
            case TableBlock():
                return self.format_table(block)
            case QuestionBlock():
                return f"question({self.format_linked_text(block.question)}, {self.format_linked_text(block.answer)})"
            case WorkedExample():
                passages = format_typst_array(self.format_passage(passage) for passage in block.passages)
                lines = sum(bool(passage.line_number) for passage in block.passages)
                is_unsplit = (
                    sum(map(estimate_passage_length, block.passages)) < UNSPLIT_EXAMPLE_LETTERS
                    and lines <= UNSPLIT_EXAMPLE_LINES
                )
                return f"story({quote_typst(block.title)}, {passages}{', whole: true' if is_unsplit else ''})"
            case Picture():
                return f"panels({self.format_panels(block)})"

    def format_linked_text(self, text: str) -> str:
        """Return a text with its styles and with links to the sections that it names."""
        return " + ".join(map(format_span, self.links.split_at_links(text))) or "[]"

    def format_text_pair(self, text: str, author_text: str) -> str:
        """Return a generated sentence with the author's text on it."""
        generated = [self.format_linked_text(text)] if text else []
        remarks = [f"emph({self.format_linked_text(author_text)})"] if author_text else []
        return " + [ ] + ".join([*generated, *remarks]) or "[]"

    def format_list(self, listed: ItemList) -> str:
        if listed.definitions:
            return "\n".join(f"block({self.format_item(item)})" for item in listed.items)
        function = "list(" if listed.bullets else f"enum(start: {listed.start}, " if listed.start != 1 else "enum("
        list_call = f"{function}{', '.join(map(self.format_item, listed.items))})"
        unsplit = estimate_list_length(listed.items) < SHORT_LIST_LETTERS
        return f"block(breakable: false, {list_call})" if unsplit else list_call

    def format_item(self, item: Item) -> str:
        title = f"strong({quote_typst(item.heading)}) + [ ] + " if item.title else ""
        text = title + self.format_text_pair(item.text, item.author_text)
        if item.symbols:
            text += f" + legend({format_typst_array(map(format_symbol, item.symbols))})"
        item = hoist_last_example(item)
        shown = list(map(self.format_block, item.figures))
        inner = [self.format_list(ItemList(item.items, item.bullets))] if item.items else []
        if item.items and item.example is not None and estimate_list_length(item.items) < SHORT_LIST_LETTERS:
            inner = [f"block(sticky: true, {inner[0]})"]
        if item.example is not None or item.items or shown:  # no page break between these and their lead
            text = f"block(sticky: true, {text})"
        if item.example is not None:
            inner.append(self.format_block(item.example))
        return " + ".join([text, *shown, *inner])

    def format_table(self, table: TableBlock) -> str:
        head = format_typst_array(quote_typst(cell) for cell in table.head)
        cells = [[self.format_cell(cell) for cell in row] for row in table.rows]
        for row, hand in zip(cells, table.hands, strict=False):
            row.insert(table.hands_column, f"whole({self.format_hand(hand)})")
        rows = list(map(format_typst_array, cells))
        tight = ", tight: true" if table.hands else ""
        return (
            f"grid-of({quote_typst(table.title)}, {format_typst_array(compute_column_widths(table))}, {head}, "
            f"{format_typst_array(rows)}{tight})"
        )

    def format_cell(self, text: str) -> str:
        return f"[#({self.format_linked_text(text)})]" if isinstance(text, StyledText) else quote_typst(text)

    def format_passage(self, passage: ExamplePassage) -> str:
        hands = format_typst_array(f"({quote_typst(hand.label)}, {self.format_hand(hand)})" for hand in passage.hands)
        drawn = self.format_panels(passage.picture) if passage.picture is not None else "()"
        title = f"strong({quote_typst(passage.title + ':')}) + [ ] + " if passage.title else ""
        return f"({title}{self.format_linked_text(passage.text)}, {hands}, {passage.line_number}, {drawn})"

    def format_panels(self, picture: Picture) -> str:
        return format_typst_array(
            f"({quote_typst_piece(panel.svg)}, {panel.width}mm, {quote_typst(panel.caption)}, "
            f"{quote_typst(panel.description)})"
            for panel in picture.panels
        )

    def format_hand(self, hand: HandPicture) -> str:
        names = [
            self.card_names.setdefault(small_card, f"card-{len(self.card_names) + 1}") for small_card in hand.cards
        ]
        return f"cards({format_typst_array(names)})"


def hoist_last_example(item: Item) -> Item:
    """Move the example of the last nested item to the end of the whole item, so that it does not split the list."""
    if not item.items or item.example is not None or item.items[-1].example is None:
        return item
    *before, last = item.items
    return evolve(item, items=(*before, evolve(last, example=None)), example=last.example)


def estimate_passage_length(passage: ExamplePassage) -> int:
    """Estimate the space of a passage and its drawings, in letters."""
    return len(passage.text) + HAND_LETTERS * bool(passage.hands or passage.picture)


def estimate_list_length(items: Iterable[Item]) -> int:
    """Estimate the length of a list in letters; an example counts as long."""
    return sum(
        len(item.title + item.text + item.author_text)
        + estimate_list_length(item.items)
        + (SHORT_LIST_LETTERS if item.example or item.figures else 0)
        for item in items
    )


def compute_column_widths(table: TableBlock) -> list[str]:
    """Return the widths of the columns: drawn cards keep their width, and long texts share the rest."""
    longest = [max(map(len, column)) for column in zip(*table.rows, strict=True)] if table.hands else []
    shared = [f"{min(length, 60)}fr" if length > MAX_CELL_LINE_LETTERS else "auto" for length in longest]
    if not table.hands:
        return ["auto"] * len(table.head)
    return [*shared[: table.hands_column], "auto", *shared[table.hands_column :]]


def format_span(span: TextSpan) -> str:
    quoted = quote_typst_piece(LONG_WORD.sub("\\1\u200b", span.text))
    if span.icon:
        return f"icon({quote_typst_piece(draw_svg(span.icon))}, {quoted})"
    text = f"raw({quoted})" if span.code else f"[#{quoted}]"
    text = f"emph({text})" if span.italic else text
    text = f"strong({text})" if span.bold else text
    if not span.link:
        return text
    target = f"label({quote_typst_piece(span.link[1:])})" if span.link[0] == "#" else quote_typst_piece(span.link)
    return f"link({target}, {text})"


def format_symbol(symbol: CardSymbol) -> str:
    return f"({quote_typst_piece(draw_svg(symbol))}, {quote_typst(symbol.name)})"


def draw_svg(symbol: CardSymbol) -> str:
    return wrap_in_svg('viewBox="0 0 100 100"', draw_symbol(symbol, 0, 0, 100))


# ---------------------------------------------------------------- PDF files
MISSING_GLYPH_MESSAGE = re.compile(r'the text `"([^`]*)"` could not be displayed')
TYPST_ESCAPE = re.compile(r"\\u\{([0-9a-f]+)\}")
"""Typst's notation for invisible characters."""
PDF_STANDARD: Final = "ua-1"
"""Standard for accessible PDF: tags, a title, alternative texts. The fonts are always embedded."""


def render_pdf(rulebook: Rulebook, paper: str = "a4") -> bytes:
    """Return the rulebook as PDF. `paper`: `a4` or `letter`."""
    return compile_typst(build_typst_program(rulebook, paper), Path(__file__).parent / "templates")


def compile_typst(program: str, templates: Path) -> bytes:
    """Return the PDF that a Typst program makes. `templates`: the folder of its imports."""
    import typst

    program = f'#set document(keywords: "{GENERATED_FILE_MARK}")\n{program}'
    for compiler in create_compilers(program, templates, {}):
        with suppress(typst.TypstError):  # the standard rejects letters without a font
            return require_single_file(
                compiler.compile(input=program.encode(), format="pdf", pdf_standards=PDF_STANDARD)
            )
    return require_single_file(compiler.compile(input=program.encode(), format="pdf"))


def create_compilers(text: str, templates: Path, inputs: Mapping[str, str]) -> Iterator[typst.Compiler]:
    """Yield compilers for a text: with the bundled fonts if these have its letters, and with the fonts of the system.

    `inputs`: the `sys.inputs` of programs.
    """
    import typst

    for system in (False, True) if has_bundled_glyphs(text) else (True,):
        fonts = typst.Fonts(include_system_fonts=system, include_embedded_fonts=True)
        yield typst.Compiler(root=str(templates), font_paths=fonts, sys_inputs=dict(inputs))


def require_single_file(result: object) -> bytes:
    assert isinstance(result, bytes), "a PDF is one file"
    return result


def has_bundled_glyphs(text: str) -> bool:
    """Return whether the bundled Typst fonts have all letters; if not, system fonts are used in addition."""
    return all(letter < "\u0530" or "\u1e00" <= letter < "\u2c00" for letter in text)


def find_missing_glyphs(texts: Iterable[str]) -> list[str]:
    """Return the characters in some texts that no font of Typst or this machine has. They print as boxes."""
    import typst

    words = sorted(
        {
            word
            for text in texts
            if not text.isascii()
            for word in remove_invisible_characters(text).split()
            if not word.isascii()
        }
    )
    if not words:
        return []
    program = "\n".join(['#set document(title: "")', *(f"#text({quote_typst_piece(word)})" for word in words)])
    fonts = typst.Fonts(include_system_fonts=True, include_embedded_fonts=True)
    try:
        typst.Compiler(font_paths=fonts).compile(input=program.encode(), format="pdf", pdf_standards=PDF_STANDARD)
    except typst.TypstError as error:
        found = MISSING_GLYPH_MESSAGE.findall(getattr(error, "diagnostic", "") or str(error))
        return sorted(
            {
                sign
                for part in found
                for sign in TYPST_ESCAPE.sub(lambda found: chr(int(found[1], 16)), part)
                if not is_joining_character(sign)
            }
        )
    return []


def is_joining_character(character: str) -> bool:
    """Return whether a character only joins others or selects their form."""
    return unicodedata.category(character) == "Cf" or VARIATION_SELECTOR_PATTERN.match(character) is not None
