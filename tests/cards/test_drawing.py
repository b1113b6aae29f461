"""Symbols, small cards and table plans."""

import re
from io import BytesIO
from xml.etree import ElementTree

from PIL import Image, ImageChops
from rich.cells import cell_len

import cardlang
from cardlang.cards import (
    SmallCardSet,
    SymbolSet,
    describe_table_plan,
    draw_small_card,
    draw_table_plan,
    get_shape_path,
)
from cardlang.cards.card_content import CardBack
from cardlang.cards.card_svg import draw_card_back
from cardlang.cards.playing_table_pictures import PlanZone
from cardlang.cards.suit_and_card_drawings import (
    FRAME_PATHS,
    PLAIN_COLOUR,
    SHAPE_CHARACTERS,
    SHAPE_PATHS,
    SYMBOL_COLOURS,
)
from cardlang.print_and_play import CardPrinter
from tests.game_files import read_game

TWO_KINDS = read_game("two_kinds")


def test_every_shape_has_a_character() -> None:
    assert len(set(SHAPE_CHARACTERS)) == len(SHAPE_PATHS) == len(SHAPE_CHARACTERS)
    assert all(cell_len(sign) == 1 for sign in SHAPE_CHARACTERS)


def test_symbols_are_distinct() -> None:
    shapes = [get_shape_path(number) for number in range(len(SHAPE_PATHS) * len(FRAME_PATHS))]
    assert len(set(shapes)) == len(shapes)


def compute_luminance(colour: str) -> float:
    """Compute the relative luminance of a colour by WCAG 2.2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_colours_contrast_with_white() -> None:
    for colour in (*SYMBOL_COLOURS, PLAIN_COLOUR):
        assert 1.05 / (compute_luminance(colour) + 0.05) >= 4.5, colour


def game() -> cardlang.Game:
    return cardlang.loads(TWO_KINDS.replace("add 1 to score of first player", "shuffle deck"))


def test_kinds_have_distinct_symbols() -> None:
    marks = SymbolSet(game())
    found = [marks.get_member_symbol(kind, place) for kind in ("Suit", "Beast") for place in (0, 1)]
    assert len({mark.path for mark in found if mark}) == 4
    assert [mark.name for mark in found if mark] == ["Red", "Blue", "Ant", "Bee"]
    assert marks.get_member_symbol("Value", 0) is None


def test_ordered_suits_get_symbols() -> None:
    """In Big Two suits are in order as ranks are: a card shows its rank, and its suit as a symbol. The courts of Kuhn
    Poker rank, and have no suit."""
    two, kuhn = cardlang.load("big_two"), cardlang.load("kuhn_poker")
    looks = {face.code: SmallCardSet(two).build_small_card(face) for face in two.faces}
    shown = {code: (look.index, look.symbol.name if look.symbol else None) for code, look in looks.items()}
    assert shown["3d"] == ("3", "Diamonds") and shown["Kh"] == ("K", "Hearts") and shown["2s"] == ("2", "Spades")
    assert [SmallCardSet(kuhn).build_small_card(face).symbol for face in kuhn.faces] == [None] * 3


def test_small_card_shows_index_or_title() -> None:
    two = game()
    looks = {face.code: SmallCardSet(two).build_small_card(face) for face in two.faces}
    assert (looks["KRed"].index, looks["KRed"].title) == ("K", "King of Red")
    assert ">K</text>" in looks["KRed"].svg_body
    assert looks["Ant"].index == "" and ">Ant</text>" in looks["Ant"].svg_body


def test_drawings_are_well_formed_and_escaped() -> None:
    two = game()
    for face in two.faces:
        drawn = draw_small_card(two, face, 40, "px")
        ElementTree.fromstring(drawn)
        assert "<b>" not in drawn
        assert drawn.count("<text") <= 4


def test_table_plan_describes_every_zone() -> None:
    spots = [PlanZone("Hand <i>", "player", (), "owner", False), PlanZone("Deck", "", (), "nobody", False)]
    drawn = draw_table_plan(spots)
    texts = ["".join(element.itertext()) for element in ElementTree.fromstring(drawn).iter() if "text" in element.tag]
    assert texts == [
        "In the middle of the table",
        "Deck",
        "face down",
        "In front of each player",
        "Hand <i>",
        "for its owner only",
    ]
    narrow = draw_table_plan([PlanZone("Market", "suit", ("Cups", "Coins", "Clubs"), "everyone", False), *spots])
    assert "For each suit: Cups" not in narrow and ">For each suit<" in narrow
    assert describe_table_plan(spots) == (
        "Plan of the table: Hand <i> (one for each player, for its owner only), Deck (face down)."
    )


def test_turned_backs_look_the_same() -> None:
    """Each symbol of a back has its partner, turned by 180°, on screens; each half millimetre in print."""
    for name in ("hearts", "tall_card_fan"):
        printer = CardPrinter(cardlang.load(name))
        for back in {card.back for card in printer.cards if isinstance(card.back, CardBack)}:
            drawn = [*ElementTree.fromstring(draw_card_back(back)).iter("{http://www.w3.org/2000/svg}path")]
            places = {(path.attrib["d"], *read_transform(path.attrib["transform"])) for path in drawn}
            turned = {(d, round(63 - x, 2), round(88 - y, 2), not is_turned) for d, x, y, is_turned in places}
            assert len(drawn) > 20 and turned == places, name
            image = Image.open(BytesIO(printer.render_image([back], 1, 1, 254))).convert("L").reduce(5)
            difference = ImageChops.difference(image, image.transpose(Image.Transpose.ROTATE_180))
            assert difference.getextrema()[1] < 20, name


def read_transform(transform: str) -> tuple[float, float, bool]:
    """Return the centre of a symbol, and whether it is upside down."""
    x, y, scale = (float(text) for text in re.findall(r"[-\d.]+", transform.partition("translate")[2]))
    return round(x + 50 * scale, 2), round(y + 50 * scale, 2), "rotate(180" in transform
