"""Labels next to a card: their lines point to the right parts."""

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from attrs import evolve

import cardlang
from cardlang.cards.card_content import CardPassage, CardSide
from cardlang.cards.card_places import PartPlace
from cardlang.cards.card_svg import draw_card_side
from cardlang.cards.labelled_card_drawing import (
    CARD_PARTS,
    LABEL_MARGIN,
    PartLabel,
    draw_labelled_card,
    find_part_boxes,
)
from cardlang.cards.svg_elements import CARD_WIDTH
from cardlang.cards.text_face_layout import PartBox
from cardlang.print_and_play import CardPrinter
from cardlang.rulebook.plan.card_faces import CardDesign
from tests.game_files import read_game

CARDS = read_game("three_looks")
SVG = "{http://www.w3.org/2000/svg}"


def faces() -> list[CardSide]:
    game = cardlang.loads(CARDS)
    design = CardDesign(game)
    sides = [design.build_front(face) for face in game.faces]
    assert {side.has_text for side in sides} == {True, False} and any(not side.index for side in sides)
    return sides


def draw_labelled(side: CardSide, label: str) -> ElementTree.Element:
    """Draw the card with labels at its parts, named after the parts."""
    labels = [PartLabel(part, part) for part in CARD_PARTS] if label == "all" else [PartLabel(label, label)]
    return ElementTree.fromstring(draw_labelled_card(side, labels)[0])


def find_line_positions(svg: ElementTree.Element) -> dict[str, tuple[float, float, float]]:
    """Return the height and the ends of each line on a card, by the words of its label."""
    start = float(svg.find(f"{SVG}g").get("transform", "").split("(")[1].split()[0])  # type: ignore[union-attr]
    paths = [path.get("d", "") for path in svg.findall(f"{SVG}path")]
    texts = [text.text or "" for text in svg.findall(f"{SVG}text")]
    found = {}
    for name, path in zip(texts, paths, strict=True):
        rim, y, end = map(float, re.fullmatch(r"M\S+ \S+L(\S+) (\S+)H(\S+)", path).groups())  # type: ignore[union-attr]
        found[name] = (y - LABEL_MARGIN, rim - start, end - start)
    return found


def overlaps_box(line: tuple[float, float, float], box: PartBox) -> bool:
    y, *ends = line
    return box.top < y < box.bottom and min(ends) < box.right and max(ends) > box.left


@pytest.mark.parametrize("side", faces(), ids=lambda side: side.title)
def test_label_lines_end_at_their_part(side: CardSide) -> None:
    boxes = find_part_boxes(side)
    found = find_line_positions(draw_labelled(side, "all"))
    assert set(found) == set(boxes)
    for name, (y, rim, end) in found.items():
        assert rim in (0, CARD_WIDTH)
        assert boxes[name].top < y < boxes[name].bottom
        assert end == pytest.approx(boxes[name].left if rim == 0 else boxes[name].right, abs=0.01)
        # the frame is around all of them
        assert not [
            other for other in boxes if other not in (name, "frame") and overlaps_box((y, rim, end), boxes[other])
        ]


@pytest.mark.parametrize("side", faces(), ids=lambda side: side.title)
def test_labels_follow_the_order_of_parts(side: CardSide) -> None:
    svg = draw_labelled(side, "all")
    found = find_line_positions(svg)
    for rim in (0, CARD_WIDTH):
        beside = [text for text in svg.findall(f"{SVG}text") if found[text.text or ""][1] == rim]
        heights = [(found[text.text or ""][0], float(text.get("y", ""))) for text in beside]
        assert heights == sorted(heights)
        assert all(low[1] + 5 < high[1] for low, high in pairwise(heights))


@pytest.mark.parametrize(
    ("places", "above"),
    [
        ({}, ["title", "number", "text", "foot"]),
        ({"title": "bottom", "type": "none", "text": "top", "cost": "right"}, ["text", "number", "title"]),
        ({"cost": "top right", "art": "left", "text": "right"}, ["number", "picture", "foot"]),
        ({"cost": "bottom left", "repeat": "none", "art": "bottom", "text": "middle"}, ["text", "picture", "number"]),
        ({"art": "none", "cost": "top left", "symbol": "none", "type": "bottom right"}, ["number", "text", "foot"]),
    ],
)
def test_drawn_parts_have_their_own_places(places: dict[str, str], above: list[str]) -> None:
    cards = CardPrinter(cardlang.loads(read_game("moors"))).cards
    fox = next(card.back for card in cards if card.back.title == "Night Fox")
    assert isinstance(fox, CardSide)
    boxes = find_part_boxes(evolve(fox, places=evolve(fox.places, **{k: PartPlace(v) for k, v in places.items()})))
    assert [boxes[part].middle for part in above] == sorted(boxes[part].middle for part in above)
    shown = [box for part, box in boxes.items() if part not in ("frame", "picture")]
    for one, other in combinations(shown, 2):
        apart = one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top
        assert apart, (one, other)
    assert all(0 < box.left < box.right <= CARD_WIDTH and 0 < box.top < box.bottom < 88 for box in boxes.values())
    assert "cost" not in places or (boxes["number"].left > 31) == places["cost"].endswith("right")
    assert ("picture" in boxes) == (places.get("art") != "none") and ("foot" in boxes) == (places.get("type") != "none")


@pytest.mark.parametrize("side", faces(), ids=lambda side: side.title)
def test_label_boxes_match_the_card(side: CardSide) -> None:
    """Measured on the card itself: its symbols are drawn in a box of 100 by 100, its texts have a base line."""
    card, boxes = ElementTree.fromstring(draw_card_side(side)), find_part_boxes(side)
    moves = [path.get("transform", "") for path in card.iter(f"{SVG}path") if "scale" in path.get("transform", "")]
    numbers = [list(map(float, re.findall(r"[\d.]+", move.split("translate")[1]))) for move in moves]
    symbols = [(x, y, x + 100 * scale, y + 100 * scale) for x, y, scale in numbers]
    for name in {"symbol", "picture"} & set(boxes):
        box = boxes[name]
        measured = (box.left, box.top, box.right, box.bottom)
        framed = [each for each in symbols if name == "picture" and box.left < each[0] and each[3] < box.bottom]
        assert framed or [each for each in symbols if each == pytest.approx(measured, abs=0.05)]
    written = [(text.text, float(text.get("x", "")), float(text.get("y", ""))) for text in card.iter(f"{SVG}text")]
    if "index" in boxes:
        text, x, y = written[0]
        assert text == side.index and (boxes["index"].left + boxes["index"].right) / 2 == x
        assert boxes["index"].bottom == y
    if side.has_text:
        words = " ".join(each.text for each in side.passages)
        for name, said in {"title": side.title, "text": words, "foot": side.footer}.items():
            own = [(x, y) for text, x, y in written if text and text in said and text != side.index]
            assert (name in boxes) == bool(said)
            assert not said or any(
                boxes[name].left == x and boxes[name].top < y <= boxes[name].bottom + 0.1 for x, y in own
            )


@pytest.mark.parametrize(("count", "room"), [(1, True), (12, True), (24, True), (60, True), (84, False)])
def test_picture_does_not_cover_text(count: int, room: bool) -> None:
    """However many words a card says: its picture shrinks, until there is none."""
    side = evolve(next(side for side in faces() if side.has_text), passages=(CardPassage("", "words " * count),))
    boxes = find_part_boxes(side)
    assert ("picture" in boxes) == room
    assert not room or boxes["title"].bottom < boxes["picture"].top < boxes["picture"].bottom < boxes["text"].top
