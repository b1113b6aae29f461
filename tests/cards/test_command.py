"""`cardlang cards`: the PDF, and error cases."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from click.testing import CliRunner, Result

import cardlang
from cardlang.cli.main import cli
from cardlang.print_and_play import CardPrinter, split_by_copies
from cardlang.print_and_play.sheet_layout import SheetLayout, build_layout
from cardlang.rulebook.plan.card_faces import build_printed_cards
from tests.game_files import read_game

NINE_ON_A4 = build_layout("sheet", "a4", (63, 88))
HOSTILE = read_game("script_eval")
MEASURE = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
"""Program that prints the peak memory of a command in kilobytes.

It is small itself: a command also counts the memory of the process that starts it.
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["cards", *map(str, arguments)], catch_exceptions=False)


def print_cards(game: cardlang.Game, layout: SheetLayout = NINE_ON_A4) -> Iterator[bytes]:
    return CardPrinter(game).render_pdfs(layout)


@pytest.mark.parametrize(("name", "cards"), [("tall_tales", 76), ("tail_story", 66), ("kuhn_poker", 3)])
def test_pdf_has_nine_cards_and_backs_a_page(name: str, cards: int) -> None:
    game = cardlang.load(cardlang.shipped()[name])
    assert game.cards == cards
    pages = pypdf.PdfReader(BytesIO(*print_cards(game))).pages
    assert len(pages) == 2 * -(-cards // 9)
    for page in pages:
        assert [round(float(side) / 72 * 25.4) for side in page.mediabox[2:]] == [210, 297]
        fonts = [font.get_object() for font in page["/Resources"]["/Font"].values()]
        inner = [font["/DescendantFonts"][0].get_object()["/FontDescriptor"] for font in fonts]
        assert inner and all("/FontFile3" in each or "/FontFile2" in each for each in inner)


def test_pdf_contains_every_copy() -> None:
    reader = pypdf.PdfReader(
        BytesIO(*print_cards(cardlang.load("tail_story"), build_layout("sheet", "letter", (63, 88))))
    )
    text = "\n".join(page.extract_text() for page in reader.pages)
    assert text.count("Squeak Opera") == 4
    assert reader.metadata.title == "Tail Story: cards"
    assert [round(float(side)) for side in reader.pages[0].mediabox[2:]] == [612, 792]


def test_redundant_title_is_omitted() -> None:
    values = """\
game "Values" for 2 players
kind Value: 3 to 5
cards Pack in deck
  2 of each Value
zone deck
number your score
step play
  each player
    add 1 to your score
"""
    front = pypdf.PdfReader(BytesIO(*print_cards(cardlang.loads(values)))).pages[0].extract_text()
    assert [front.count(value) for value in "345"] == [8, 8, 8]  # two copies, each with two corners and two numbers


def test_hostile_texts_are_escaped() -> None:
    text = HOSTILE.replace("NAME", "moon " * 300).replace("LONG", "X" * 9_900)
    reader = pypdf.PdfReader(BytesIO(*print_cards(cardlang.loads(text))))
    assert len(reader.pages) == 4
    shown = "\n".join(page.extract_text() for page in reader.pages)
    assert "<script>" in shown and "panic" in shown and "root:" not in shown


def test_cards_writes_a_pdf(tmp_path: Path) -> None:
    result = run("kuhn_poker", "-o", tmp_path / "new" / "kuhn.pdf")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "3 cards on 1 sheet, printed on both sides (2 pages)" in result.stderr
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["kuhn.pdf"]
    assert (tmp_path / "new" / "kuhn.pdf").read_bytes().startswith(b"%PDF")


def test_unwritable_output_is_reported(tmp_path: Path) -> None:
    result = run("kuhn_poker", "-o", tmp_path)
    assert result.exit_code == 1 and "cannot be written: is a directory." in result.stderr


def test_game_without_cards_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "dice.cardgame"
    path.write_text('game "Dice" for 2 players\nnumber your score\nstep play\n  each player\n    add 1 to your score\n')
    result = run(path)
    assert result.exit_code == 1 and "Dice has no cards." in result.stderr


def test_unknown_variant_suggests_a_similar_name() -> None:
    result = run("tall_card", "--variant", "Expandd deck")
    assert result.exit_code == 2 and "Did you mean “Expanded deck”?" in result.stderr


def test_many_sheets_are_split_into_files(tmp_path: Path) -> None:
    game = tmp_path / "large.cardgame"
    text = cardlang.shipped()["kuhn_poker"].read_text("utf-8")
    assert "1 of each" in text
    game.write_text(text.replace("1 of each", "181 of each"), encoding="utf-8")
    result = run(game, "-o", tmp_path / "cards.pdf")
    assert result.exit_code == 0, result.stderr
    files = sorted(tmp_path.glob("*.pdf"))
    assert [path.name for path in files] == ["cards-1.pdf", "cards-2.pdf", "cards-3.pdf"]
    sheets = [len(pypdf.PdfReader(path).pages) // 2 for path in files]
    assert sheets == [30, 30, 1]  # 543 cards, nine on each: sixty sheets and three cards


def test_split_keeps_every_copy_once() -> None:
    cards = build_printed_cards(cardlang.load("tall_tales"))
    found = [[(card.front.title, card.copies) for card in portion] for portion in split_by_copies(cards, 7)]
    assert [sum(copies for _, copies in portion) for portion in found] == [7] * 10 + [6]
    together: dict[str, int] = {}
    for title, copies in (pair for portion in found for pair in portion):
        together[title] = together.get(title, 0) + copies
    expected: dict[str, int] = {}
    for card in cards:
        expected[card.front.title] = expected.get(card.front.title, 0) + card.copies
    assert together == expected


@pytest.mark.slow
def test_a_thousand_cards_need_little_memory(tmp_path: Path) -> None:
    rows = "".join(f"Card {number},{number % 7},Draw {number % 5} cards. Then discard one.\n" for number in range(1000))
    (tmp_path / "many.csv").write_text(f"title,cost,text\n{rows}", "utf-8")
    game = 'game "Many" for 2 players\ncards Thing in deck from "many.csv"\nzone deck\nnumber your score\nstep play\n'
    (tmp_path / "many.cardgame").write_text(f"{game}  each player\n    add 1 to your score\n", "utf-8")
    command = [sys.executable, "-m", "cardlang", "cards", "many.cardgame"]
    peak = subprocess.run([sys.executable, "-c", MEASURE, *command], cwd=tmp_path, check=True, capture_output=True)
    assert len(list(tmp_path.glob("*.pdf"))) == 4
    assert int(peak.stdout) < 450_000  # kilobytes; twice as much before earlier pages were freed
