"""Cards as pictures, as decks for Tabletop Simulator and as CSV; layouts on paper."""

from __future__ import annotations

import csv
import io
import json
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from PIL import Image

import cardlang
from cardlang.cli.file_arguments import MARK_PATTERNS
from cardlang.print_and_play import CardPrinter
from cardlang.print_and_play.card_csv_export import build_csv
from cardlang.print_and_play.pitch_page import render_pitch
from cardlang.print_and_play.sheet_layout import build_layout
from cardlang.print_and_play.tabletop_simulator import MAX_SHEET_CARDS, build_saved_object, split_into_decks
from tests.cards.test_command import run
from tests.game_files import read_game


@pytest.mark.parametrize(
    ("arrangement", "paper", "bleed", "grid"),
    [
        ("sheet", "a4", 0, (3, 3)),
        ("sheet", "letter", 0, (3, 3)),
        ("landscape", "a4", 3, (4, 2)),
        ("landscape", "letter", 0, (4, 2)),
        ("gutterfold", "a4", 0, (2, 3)),
        ("single", "a4", 3, (1, 1)),
    ],
)
def test_layouts_fit_the_paper(arrangement: str, paper: str, bleed: float, grid: tuple[int, int]) -> None:
    layout = build_layout(arrangement, paper, (63, 88), bleed)
    assert (layout.columns, layout.rows) == grid
    assert layout.columns * (63 + 2 * bleed) <= layout.page[0] and layout.rows * (88 + 2 * bleed) <= layout.page[1]


def test_cards_too_large_for_the_paper_are_refused() -> None:
    with pytest.raises(ValueError, match="No card of 100 by 140 mm fits"):
        build_layout("gutterfold", "a4", (80, 120), 10)


def test_folded_sheets_have_each_front_next_to_its_back() -> None:
    printer = CardPrinter(cardlang.load("kuhn_poker"))
    layout = build_layout("gutterfold", "a4", printer.card_size)
    (pdf,) = printer.render_pdfs(layout)
    (page,) = pypdf.PdfReader(BytesIO(pdf)).pages
    text = page.extract_text()
    assert layout.cards_per_page == 3 and text.count("Kuhn Poker") == 6  # twice on each of the three backs


def test_fronts_only_prints_no_backs() -> None:
    printer = CardPrinter(cardlang.load("kuhn_poker"))
    (pdf,) = printer.render_pdfs(build_layout("sheet", "a4", printer.card_size, backs=False))
    assert len(pypdf.PdfReader(BytesIO(pdf)).pages) == 1


def test_grey_cards_have_no_colours() -> None:
    images = dict(CardPrinter(cardlang.load("tall_tales"), is_grey=True).render_images(36))
    for data in images.values():
        assert all(
            max(pixel) - min(pixel) <= 2 for _, pixel in Image.open(BytesIO(data)).convert("RGB").getcolors(9999)
        )


def test_decks_hold_every_copy_of_every_card() -> None:
    game = cardlang.load("tail_story")
    decks = split_into_decks(CardPrinter(game).cards)
    save = json.loads(build_saved_object(game.title, decks, "https://example.org/"))
    held = [state.get("ContainedObjects", [state]) for state in save["ObjectStates"]]
    assert sum(map(len, held)) == game.cards == 66
    assert sum(card["Nickname"] == "Sock Thief" for card in held[0]) == 4
    for state, cards in zip(save["ObjectStates"], held, strict=True):
        assert state["DeckIDs"] == [card["CardID"] for card in cards]
        for card in cards:
            (key, sheet), place = *card["CustomDeck"].items(), card["CardID"] % 100
            assert card["CardID"] // 100 == int(key) and place < sheet["NumWidth"] * sheet["NumHeight"]
            assert sheet["FaceURL"].startswith("https://example.org/") and sheet["NumHeight"] >= 2
    assert [deck["CustomDeck"].popitem()[1]["UniqueBack"] for deck in save["ObjectStates"]] == [False, True]


def test_large_decks_have_several_sheets() -> None:
    decks = split_into_decks(CardPrinter(cardlang.load("tall_tales")).cards)
    assert [len(sheet.cards) for sheets in decks.values() for sheet in sheets] == [
        MAX_SHEET_CARDS,
        76 - MAX_SHEET_CARDS,
    ]


def test_tabletop_writes_its_sheets_and_replaces_them(tmp_path: Path) -> None:
    for _ in range(2):
        assert run("kuhn_poker", "--format", "tabletop", "-o", tmp_path / "table").exit_code == 0
    files = {path.name for path in (tmp_path / "table").iterdir()}
    assert files == {"kuhn-poker.json", "deck-1.png", "deck-1-back.png"}
    sheet = json.loads((tmp_path / "table" / "kuhn-poker.json").read_text())["ObjectStates"][0]["CustomDeck"]["1"]
    assert sheet["FaceURL"] == (tmp_path / "table" / "deck-1.png").as_uri()
    width, height = Image.open(tmp_path / "table" / "deck-1.png").size
    assert (width, height) == (round(630 / 25.4 * 150), round(2 * 88 / 25.4 * 150))


def test_other_files_are_not_replaced(tmp_path: Path) -> None:
    Image.new("RGB", (9, 9)).save(tmp_path / "01-jack.png")
    (tmp_path / "cards.csv").write_text("mine")
    pictures = run("kuhn_poker", "--format", "png", "--dpi", "36", "-o", tmp_path)
    table = run("kuhn_poker", "--csv", "-o", tmp_path / "cards.csv")
    assert pictures.exit_code == table.exit_code == 1
    assert "01-jack.png" in pictures.stderr and (tmp_path / "cards.csv").read_text() == "mine"


def test_pictures_of_an_earlier_export_are_named(tmp_path: Path) -> None:
    for name in ("kuhn_poker", "kuhn_poker", "leduc_poker"):
        written = run(name, "--format", "png", "--dpi", "36", "-o", tmp_path)
        assert ("earlier export" in written.stderr) == (name == "leduc_poker")
        Image.new("RGB", (9, 9)).save(tmp_path / "mine.png")
    before = {path.name for path in tmp_path.iterdir()}
    assert "01-jack.png" in before and "01-jack.png" in written.stderr and "mine.png" not in written.stderr


def test_csv_has_a_row_for_each_card() -> None:
    rows = [*csv.DictReader(io.StringIO(build_csv(cardlang.load("tail_story")).decode("utf-8-sig")))]
    thief = next(row for row in rows if row["title"] == "Sock Thief")
    assert (thief["set"], thief["count"], thief["code"]) == ("Stealing", "4", "Sock")
    assert (thief["type"], thief["cost"], thief["uses"]) == ("Canine", "1", "")
    assert sum(int(row["count"]) for row in rows) == 66


def test_only_changed_cards_are_printed_again(tmp_path: Path) -> None:
    old, new = tmp_path / "old.cardgame", tmp_path / "new.cardgame"
    text = read_game("moors")
    old.write_text(text, "utf-8")
    assert "Nothing was written" in run(old, "--since", old, "-o", tmp_path / "a.pdf").stderr
    new.write_text(text.replace('1 of "Fox"', '3 of "Fox"').replace('"The wind turns."', '"The wind falls."'), "utf-8")
    printer = CardPrinter(cardlang.load(new), older=cardlang.load(old))
    assert [(card.front.title, card.copies) for card in printer.cards] == [("Fox", 2), ("Storm", 1)]
    printed = run(new, "--since", old, "-o", tmp_path / "b.pdf")
    assert "Drawing 3 cards on 1 sheet" in printed.stderr
    (tmp_path / "new.theme.toml").write_text('size = "mini"', "utf-8")
    assert len(CardPrinter(cardlang.load(new), older=cardlang.load(old)).cards) == 2


def test_cards_without_a_new_icon_or_picture_are_not_printed_again(tmp_path: Path) -> None:
    (tmp_path / "printed").mkdir()
    (tmp_path / "art").mkdir()
    Image.new("RGB", (60, 40), "red").save(tmp_path / "art" / "owl.png")
    game, printed = tmp_path / "moors.cardgame", tmp_path / "printed" / "moors.cardgame"
    for path in (game, printed):
        path.write_text(read_game("moors"), "utf-8")
        path.with_name("moors.theme.toml").write_text('art = "art"', "utf-8")
    unchanged = run(game, "--since", printed, "-o", tmp_path / "a.pdf").stderr
    assert "Nothing was written" in unchanged and "no folder art" in unchanged
    assert "no folder art" not in run(game, "--since", game, "-o", tmp_path / "a.pdf").stderr
    game.write_text(read_game("moors").replace('"Sly."', '"Sly in the {Moon}."'), "utf-8")
    (tmp_path / "printed" / "art").mkdir()
    printer = CardPrinter(cardlang.load(game), older=cardlang.load(printed))
    assert [(card.front.title, card.copies) for card in printer.cards] == [("Owl", 2), ("Fox", 1)]
    assert not printer.lacks_earlier_pictures


def test_single_cards_have_boxes_for_trim_and_bleed() -> None:
    printer = CardPrinter(cardlang.load("kuhn_poker"))
    (pdf,) = printer.render_pdfs(build_layout("single", "a4", printer.card_size, 3))
    for page in pypdf.PdfReader(BytesIO(pdf)).pages:
        media, trim = ([float(side) * 25.4 / 72 for side in box] for box in (page.mediabox, page.trimbox))
        assert media == pytest.approx([0, 0, 69, 94], abs=0.05) and page.bleedbox == page.mediabox
        assert trim == pytest.approx([3, 3, 66, 91], abs=0.05)
    assert MARK_PATTERNS["pdf"].search(pdf)


@pytest.mark.parametrize("name", ["tail_story", "hearts", "moors"])
def test_a_pitch_is_one_page_with_idea_facts_and_box(tmp_path: Path, name: str) -> None:
    (tmp_path / "moors.cardgame").write_text(read_game("moors"), "utf-8")
    game = cardlang.load(tmp_path / "moors.cardgame" if name == "moors" else name)
    for paper in ("a4", "letter"):
        (page,) = pypdf.PdfReader(BytesIO(render_pitch(game, paper))).pages
    text = " ".join(page.extract_text().split())
    players = f"Players: {game.seats[0]}"
    assert all(part in text for part in (game.title, game.doc.partition(".")[0], players, f"{game.cards} cards"))


def test_a_pitch_with_long_texts_stays_on_one_page(tmp_path: Path) -> None:
    text = read_game("moors").replace("for 2 players", 'for 2 players "' + "A long idea. " * 400 + '"')
    components = "".join(f'component {number} "{"wooden " * 20}piece {number}"\n' for number in range(2, 60))
    game = cardlang.loads(text + components)
    assert len(pypdf.PdfReader(BytesIO(render_pitch(game, "a4"))).pages) == 1


def test_many_single_cards_are_one_file() -> None:
    single = build_layout("single", "a4", (63, 88))
    assert (single.cards_per_file, build_layout("sheet", "a4", (63, 88)).cards_per_file) == (270, 270)
    assert build_layout("landscape", "a4", (63, 88)).cards_per_file == 264


@pytest.mark.parametrize(
    ("url", "start"), [("https://a.example/x", "https://a.example/x/"), ("https://b/?f=", "https://b/?f=")]
)
def test_web_addresses_of_images_end_with_a_slash(tmp_path: Path, url: str, start: str) -> None:
    run("kuhn_poker", "--format", "tabletop", "-o", tmp_path, "--dpi", 36, "--url", url)
    (saved,) = tmp_path.glob("*.json")
    assert f'"FaceURL": "{start}deck-1.png"' in saved.read_text("utf-8")


def test_tabletop_has_descriptions_and_the_resolution_of_the_option(tmp_path: Path) -> None:
    assert run("tail_story", "--format", "tabletop", "--dpi", "50", "-o", tmp_path).exit_code == 0
    sheet = next(path for path in sorted(tmp_path.glob("*.png")) if "back" not in path.name)
    with Image.open(sheet) as image:
        assert image.width == round(630 / 25.4 * 50)
    (saved,) = tmp_path.glob("*.json")
    decks = json.loads(saved.read_text("utf-8"))["ObjectStates"]
    cards = {card["Nickname"]: card for deck in decks for card in deck["ContainedObjects"]}
    assert "Draw 1 or 2." in cards["Bones Drawing"]["Description"]
    refused = run("tail_story", "--format", "tabletop", "--dpi", "600", "-o", tmp_path / "more")
    assert refused.exit_code == 1 and "at 403 dpi or less" in refused.stderr
