"""Mats, score pads and boxes, and rooms for Playingcards.io."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from io import BytesIO
from pathlib import Path

import pypdf
import pytest
from PIL import Image

import cardlang
from cardlang.cards.playing_table_pictures import PlanZone
from cardlang.print_and_play import CardPrinter
from cardlang.print_and_play.playingcards_io import render_room
from cardlang.print_and_play.table_aids import (
    build_score_pad,
    list_player_zones,
    list_track_numbers,
    list_track_rows,
    measure_box,
    place_zones,
    render_box,
    render_mat,
    render_score_pad,
    stretch_places,
)
from tests.cards.test_command import run
from tests.game_files import read_game

A4 = (297.0, 210.0)


def read_page(pdf: bytes) -> tuple[str, tuple[int, int]]:
    """Return the text and the size of the only page in millimetres."""
    (page,) = pypdf.PdfReader(BytesIO(pdf)).pages
    return page.extract_text(), (round(page.mediabox.width / 72 * 25.4), round(page.mediabox.height / 72 * 25.4))


def make_zones(count: int, arrangement: str = "") -> list[PlanZone]:
    return [PlanZone(f"Pile {n}", "player", (), "everyone", False, arrangement) for n in range(count)]


@pytest.mark.parametrize(
    ("count", "arrangement", "below", "scale"),
    [(1, "", 39, 1), (4, "", 39, 1), (5, "", 0, 0.9), (1, "in a row", 0, 1), (2, "in a row", 13, 1), (12, "", 26, 0.8)],
)
def test_places_have_card_size_where_they_fit(count: int, arrangement: str, below: float, scale: float) -> None:
    found, places = place_zones(make_zones(count, arrangement), (63, 88), A4, below)
    assert len(places) == count and found <= scale
    assert found == scale or count == 12
    for place in places:
        assert place.left + place.width <= 287 and place.top + place.height <= 200 - below
        assert place.height == pytest.approx(88 * found) and place.width >= 63 * found - 1e-9
        assert not any(
            other is not place
            and abs(other.left + other.width / 2 - place.left - place.width / 2) < (other.width + place.width) / 2
            and abs(other.top - place.top) < place.height
            for other in places
        )


def test_too_many_places_are_refused() -> None:
    with pytest.raises(ValueError, match="The 200 places"):
        place_zones(make_zones(200), (63, 88), A4, 0)


def test_a_mat_has_the_zones_of_a_player_and_their_numbers() -> None:
    printer = CardPrinter(cardlang.load("tail_story"))
    assert [zone.name for zone in list_player_zones(printer)] == [
        "Deck", "Play zone", "Discard pile", "Character", "Achievements",
    ]  # fmt: skip
    text, size = read_page(render_mat(printer, "a4")[1])
    assert size == (420, 297) and all(name in text for name in ("Deck", "Character", "face down", "Allowance"))
    assert "A3 paper. The places are as large as a card" in text and "100" not in text  # six places don't fit on A4
    sums, size = read_page(render_mat(CardPrinter(cardlang.load("oh_hell")), "a4")[1])
    assert size == (297, 210) and {"90", "Tens"} <= set(sums.replace(":", " ").split())  # of the points
    assert [list_track_numbers(start, 4) for start in (2, 3, 50)] == [[0, 1, 2, 3], [0, 5, 10, 15], [0, 50, 100, 150]]


def test_places_fill_the_width_and_the_height_above_the_tracks() -> None:
    places = stretch_places(place_zones(make_zones(1, "in a row") * 2, (63, 88), (420, 297), 50)[1], (420, 297), 50)
    assert max(place.left + place.width for place in places) == pytest.approx(410)
    assert max(place.top + place.height for place in places) == pytest.approx(237)


def test_rows_of_numbers_end_where_the_rules_do() -> None:
    game = cardlang.load("tail_story")
    assert list_track_rows(game, game.tracks["allowance"]) == [("Allowance", [0, 1, 2], 2)]


def test_score_pads_have_players_and_parts_or_rounds() -> None:
    parts = cardlang.loads(read_game("moors").replace("number your score", "number your gems\nnumber your owls") + (
        "define your score as your gems + your owls + count of your hand\n"
    ))  # fmt: skip
    pad = build_score_pad(CardPrinter(parts), 20)
    assert pad.columns == ("", "") and pad.rows == ("Gems", "Owls", "Number of cards in your hand")
    assert "Total" in read_page(render_score_pad(CardPrinter(parts), "letter"))[0]
    rounds = build_score_pad(CardPrinter(cardlang.load("spades")), 20)
    assert len(rounds.columns) == 2 and "Bid" in rounds.fields and rounds.rows == tuple(map(str, range(1, 21)))


def test_a_box_holds_all_cards_and_large_decks_are_refused() -> None:
    printer = CardPrinter(cardlang.load("hearts"))
    width, height, depth = measure_box(printer)
    assert width > 63 and height > 88 and 52 * 0.3 < depth < 52 * 0.4
    assert "52 cards" in read_page(render_box(printer, "a4"))[0]
    large = read_game("moors").replace("1 of each Value", "50 of each Value")
    with pytest.raises(ValueError, match="doesn't fit on this paper"):
        render_box(CardPrinter(cardlang.loads(large)), "a4")


@pytest.mark.parametrize(("style", "reason"), [("mat", "no places for cards"), ("score-pad", "no score")])
def test_games_without_places_or_score_get_a_message(tmp_path: Path, style: str, reason: str) -> None:
    result = run("cheat", "--format", style, "-o", tmp_path / "page.pdf")
    assert result.exit_code == 1 and reason in result.stderr and not (tmp_path / "page.pdf").exists()


@pytest.mark.parametrize("name", ["tail_story", "hearts"])
def test_rooms_hold_every_copy_of_every_card(name: str) -> None:
    printer = CardPrinter(cardlang.load(name))
    with zipfile.ZipFile(BytesIO(render_room(printer, 36))) as room:
        assert room.testzip() is None and len(set(room.namelist())) == len(room.namelist())
        assert room.read("schemaVersion") == b"3"
        widgets = {widget["id"]: widget for widget in json.loads(room.read("widgets.json"))}
        assert len(widgets) == len(json.loads(room.read("widgets.json")))
        used = set()
        titles: Counter[str] = Counter()
        for widget in widgets.values():
            assert widget.get("parent", "hand") in widgets and 0 <= widget["x"] < 1600 and 0 <= widget["y"] < 1000
            if widget["type"] == "cardDeck":
                for side, template in (("face", widget["faceTemplate"]), ("back", widget["backTemplate"])):
                    assert [(part["value"], part["valueType"]) for part in template["objects"]] == [(side, "dynamic")]
                used |= {kind[side] for kind in widget["cardTypes"].values() for side in ("face", "back")}
            if widget["type"] == "card":
                titles[widgets[widget["deck"]]["cardTypes"][widget["cardType"]]["label"]] += 1
                assert not widget["faceup"]
        pictures = {f"package://{path}" for path in room.namelist() if path.startswith("userassets/")}
        assert used == pictures and Image.open(BytesIO(room.read(used.pop()[10:]))).format == "PNG"
    assert titles == Counter(card.front.title for card in printer.cards for _ in range(card.copies))


def test_rooms_are_replaced_but_other_archives_are_not(tmp_path: Path) -> None:
    room = tmp_path / "room.pcio"
    for _ in range(2):
        assert run("kuhn_poker", "--format", "playingcards", "--dpi", "36", "-o", room).exit_code == 0
    with zipfile.ZipFile(room, "w") as archive:
        archive.writestr("widgets.json", "[]")
    assert run("kuhn_poker", "--format", "playingcards", "-o", room).exit_code == 1
