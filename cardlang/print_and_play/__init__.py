"""Printable cards of a game: sheets as PDF, a picture of each card, and decks for Tabletop Simulator."""

from __future__ import annotations

import hashlib
import io
import json
import re
import unicodedata
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory

import typst
from attrs import define, evolve

from cardlang.cards.card_content import CardBack, CardSide
from cardlang.cards.theme import CARD_SIZES, Theme, find_theme_file
from cardlang.english.control_characters import GENERATED_FILE_MARK
from cardlang.model import Game
from cardlang.print_and_play.card_typst_program import CardTypstWriter, build_program, build_sheets
from cardlang.print_and_play.sheet_layout import MAX_CARDS_PER_FILE, SheetLayout, build_layout
from cardlang.rulebook.plan.card_faces import CardDesign, PrintedCard
from cardlang.rulebook.render.typst_pdf import PDF_STANDARD, create_compilers, format_typst_array, require_single_file

CARD_TEMPLATES = Path(__file__).parent / "templates"
IMAGES_PER_RUN = 40
"""Number of cards drawn as images in one run of Typst, which holds all of them in memory."""
TYPST_MEMORY = 10
"""Number of runs after which Typst forgets a result."""
POINTS_PER_MM = 72 / 25.4
LARGE_TYPE = 1.3
"""Size of letters in large type, relative to the default."""


@define(slots=False)
class CardPrinter:
    """Printer of the cards of a game.

    `is_grey`: print without colours. `older`: an earlier version, whose cards need not be printed again.
    """

    game: Game
    is_grey: bool = False
    older: Game | None = None

    @cached_property
    def design(self) -> CardDesign:
        return CardDesign(self.game)

    @property
    def theme(self) -> Theme:
        return self.design.theme

    @property
    def card_size(self) -> tuple[float, float]:
        """Width and height of a card in millimetres."""
        return CARD_SIZES[self.theme.size]

    @cached_property
    def cards(self) -> tuple[PrintedCard, ...]:
        cards = self.design.build_cards()
        return tuple(self.leave_out_cards(cards, self.earlier)) if self.earlier else cards

    @cached_property
    def earlier(self) -> CardPrinter | None:
        """Printer of the earlier version: with the current theme if it has none, and the current pictures likewise."""
        if self.older is None:
            return None
        earlier, file = CardPrinter(self.older), find_theme_file(self.older)
        theme = earlier.theme if file.exists() else evolve(self.theme, folder=file.parent)
        if theme.art and not (file.parent / theme.art).exists():
            theme = evolve(theme, art=self.theme.art, folder=self.theme.folder)
        earlier.design.small_cards.symbols.theme = theme
        return earlier

    @property
    def lacks_earlier_pictures(self) -> bool:
        """Return whether the current pictures replace those of the earlier version, because its own are missing."""
        if self.older is None or self.earlier is None or not self.theme.art:
            return False
        return find_theme_file(self.older).parent != self.earlier.theme.folder == self.theme.folder

    def leave_out_cards(self, cards: Iterable[PrintedCard], earlier: CardPrinter) -> Iterator[PrintedCard]:
        """Yield the cards, without as many copies as the earlier version prints in the same way."""
        left: Counter[tuple[bytes, bytes]] = Counter()
        for card in earlier.cards:
            left[earlier.digest_side(card.front), earlier.digest_side(card.back)] += card.copies
        for card in cards:
            printed = self.digest_side(card.front), self.digest_side(card.back)
            known = min(card.copies, left[printed])
            left[printed] -= known
            if known < card.copies:
                yield evolve(card, copies=card.copies - known)

    def digest_side(self, side: CardSide | CardBack) -> bytes:
        """Return a digest that is equal for sides with the same print in colour."""
        if side not in self.digests:
            writer = CardTypstWriter()
            writer.define_side(evolve(side, longest=()) if isinstance(side, CardSide) else side)
            parts = (*writer.definitions, self.card_size, self.theme.large_type, self.theme.font)
            data = b"".join([repr(parts).encode(), *writer.files.values()])
            self.digests[side] = hashlib.sha256(data).digest()
        return self.digests[side]

    @cached_property
    def digests(self) -> dict[CardSide | CardBack, bytes]:
        return {}

    @property
    def title(self) -> str:
        return self.game.title if self.game.variant is None else f"{self.game.title}: {self.game.variant}"

    def render_pdfs(self, layout: SheetLayout) -> Iterator[bytes]:
        """Yield PDFs with all copies of the cards: one for each `layout.cards_per_file` of them."""
        for cards in split_by_copies(self.cards, layout.cards_per_file):
            writer = self.create_writer()
            program = build_program(f"{self.title}: cards", writer, build_sheets(writer, cards, layout))
            yield self.compile_pdf(program, writer, layout)
            free_compiled_pages()

    def create_writer(self) -> CardTypstWriter:
        return CardTypstWriter(self.is_grey)

    def compile_pdf(self, program: str, writer: CardTypstWriter, layout: SheetLayout) -> bytes:
        with open_typst_root(writer.files) as folder:
            for compiler in create_compilers(program, folder, self.build_inputs(layout)):
                with suppress(typst.TypstError):  # the standard rejects letters without a font
                    pdf = compiler.compile(input=program.encode(), format="pdf", pdf_standards=PDF_STANDARD)
                    return add_trim_boxes(require_single_file(pdf), layout)
            return add_trim_boxes(require_single_file(compiler.compile(input=program.encode(), format="pdf")), layout)

    def find_misfits(self) -> dict[tuple[str, str], float]:
        """Return the letter sizes of texts below 7 points, by the title of their card and their part of it.

        The size is 0 if the part is cut off. Parts are the text, the title and the values."""
        inputs = self.build_inputs(build_layout("single", "a4", self.card_size))
        query: Callable[..., str] = typst.query  # its types forbid bytes
        sides = [side for card in self.cards for side in (card.front, card.back) if isinstance(side, CardSide)]
        sides = [side for side in sides if side.has_text]
        misfits: dict[tuple[str, str], float] = {}
        for first in range(0, len(sides), MAX_CARDS_PER_FILE):
            writer = self.create_writer()
            names = [writer.define_side(side) for side in sides[first : first + MAX_CARDS_PER_FILE]]
            program = build_program("", writer, names)
            with open_typst_root(writer.files) as folder:
                found = query(program.encode(), "<misfit>", field="value", root=str(folder), sys_inputs=inputs)
            misfits |= {(title, part): size for title, size, part in json.loads(found)}
            free_compiled_pages()
        return misfits

    def render_images(self, dpi: int, bleed: float = 0) -> Iterator[tuple[str, bytes]]:
        """Yield a PNG of each different side of the cards, with its name: `02-sock-thief`, `back-deck`."""
        layout = build_layout("single", "a4", self.card_size, bleed)
        for first in range(0, len(self.cards), IMAGES_PER_RUN):
            cards = self.cards[first : first + IMAGES_PER_RUN]
            writer = self.create_writer()
            named = self.name_sides(first, cards)
            program = build_program(
                self.title, writer, [f"fronts(({writer.define_side(side)},), none)" for side in named]
            )
            yield from zip(named.values(), self.compile_images(program, writer, layout, dpi), strict=True)

    def render_image(self, sides: Sequence[CardSide | CardBack], columns: int, rows: int, dpi: int) -> bytes:
        """Return one PNG with some sides of cards in a grid, edge to edge."""
        width, height = self.card_size
        layout = SheetLayout(columns, rows, (columns * width, rows * height), self.card_size)
        writer = self.create_writer()
        names = [writer.define_side(side) for side in sides]
        program = build_program(self.title, writer, [f"backs({format_typst_array(names)})"])
        (image,) = self.compile_images(program, writer, layout, dpi)
        return image

    def name_sides(self, first: int, cards: Sequence[PrintedCard]) -> dict[CardSide | CardBack, str]:
        """Return the different sides of some cards and the names of their files. `first`: the number of the first."""
        named: dict[CardSide | CardBack, str] = {}
        for number, card in enumerate(cards, first + 1):
            title = build_file_name(card.front.title)
            named.setdefault(card.front, f"{number:02}-{title}")
            back, name = card.back, f"{number:02}-{title}-back"
            if isinstance(back, CardBack):
                name = f"back-{build_file_name(back.title or back.game_title)}"
            named.setdefault(back, name)
        return named

    def compile_images(self, program: str, writer: CardTypstWriter, layout: SheetLayout, dpi: float) -> list[bytes]:
        """Return the pages of a program as PNG."""
        with open_typst_root(writer.files) as folder:
            *_, compiler = create_compilers(program, folder, self.build_inputs(layout))
            pages = compiler.compile(input=program.encode(), format="png", ppi=dpi)
        return [mark_png(page) for page in ([pages] if isinstance(pages, bytes) else pages or [])]

    def build_inputs(self, layout: SheetLayout) -> dict[str, str]:
        letters = LARGE_TYPE if self.theme.large_type else 1
        return layout.build_inputs() | {"letters": str(letters), "font": self.theme.font}


def free_compiled_pages() -> None:
    """Free the memory of earlier pages by empty runs of Typst, which keeps the results of its last ones."""
    compiler = typst.Compiler(font_paths=typst.Fonts(include_system_fonts=False, include_embedded_fonts=True))
    for _ in range(TYPST_MEMORY + 1):
        compiler.compile(input=b"", format="svg")


@contextmanager
def open_typst_root(files: Mapping[str, bytes]) -> Iterator[Path]:
    """Yield the folder of the template, or a temporary copy with pictures."""
    if not files:
        yield CARD_TEMPLATES
        return
    with TemporaryDirectory(prefix="cardlang-") as name:
        for path, data in [*files.items(), *((path.name, path.read_bytes()) for path in CARD_TEMPLATES.iterdir())]:
            (Path(name) / path).write_bytes(data)
        yield Path(name)


def build_file_name(title: str) -> str:
    """Return a title as part of a file name: lower-case letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain))[:40] or "card"


def mark_png(data: bytes) -> bytes:
    """Return a PNG with the mark of files that cardlang may replace."""
    chunk = b"tEXtSoftware\0" + GENERATED_FILE_MARK.encode()
    end = data.rindex(b"IEND") - 4
    length, checksum = (len(chunk) - 4).to_bytes(4, "big"), zlib.crc32(chunk).to_bytes(4, "big")
    return data[:end] + length + chunk + checksum + data[end:]


def add_trim_boxes(pdf: bytes, layout: SheetLayout) -> bytes:
    """Return a PDF of single cards with the boxes that print shops ask for: where to cut, and with the bleed."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.generic import RectangleObject

    if layout.slots_per_page > 1 or not layout.bleed:
        return pdf
    writer, bleed = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf))), layout.bleed * POINTS_PER_MM
    for page in writer.pages:
        left, bottom, right, top = map(float, page.mediabox)
        page.bleedbox = RectangleObject((left, bottom, right, top))
        page.trimbox = RectangleObject((left + bleed, bottom + bleed, right - bleed, top - bleed))
    target = io.BytesIO()
    writer.write(target)
    return target.getvalue()


def split_by_copies(cards: Iterable[PrintedCard], max_copies: int) -> Iterator[list[PrintedCard]]:
    """Split cards into portions of `max_copies` copies."""
    portion: list[PrintedCard] = []
    room = max_copies
    for card in cards:
        copies = card.copies
        while copies:
            taken = min(copies, room)
            portion.append(evolve(card, copies=taken))
            copies, room = copies - taken, room - taken
            if not room:
                yield portion
                portion, room = [], max_copies
    if portion:
        yield portion
