"""Room for Playingcards.io: a `.pcio` file with the decks of a game, the other places on its table and a hand.

The file is a ZIP archive: `widgets.json` describes the things on the table, `userassets` has their pictures. The site
does not document it; these are the parts that exported rooms have.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Sequence

from cardlang.cards.card_content import CardBack, CardSide
from cardlang.english.control_characters import GENERATED_FILE_MARK
from cardlang.english.morphology import format_heading
from cardlang.print_and_play import CardPrinter
from cardlang.print_and_play.tabletop_simulator import split_into_decks
from cardlang.rulebook.plan.card_faces import PrintedCard

ROOM_DPI = 150
SCHEMA_VERSION = "3"
TABLE_WIDTH, MARGIN = 1600, 50
"""Width of the table in the units of the room, and its margin."""
CARD_HEIGHT, PILE_EDGE, PILE_GAP = 160, 4, (36, 60)
"""Height of cards, edge of a place around them, and space between places."""
HAND: dict[str, object] = {"id": "hand", "type": "hand", "x": MARGIN, "y": 820, "z": 1}

Widget = dict[str, object]


def render_room(printer: CardPrinter, dpi: int) -> bytes:
    """Return the room of a game. Its decks lie face down where their cards start."""
    names = printer.name_sides(0, printer.cards)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = GENERATED_FILE_MARK.encode()
        widgets = [HAND, *build_piles(printer, names)]
        archive.writestr(zipfile.ZipInfo("schemaVersion"), SCHEMA_VERSION)
        archive.writestr(zipfile.ZipInfo("widgets.json"), json.dumps(widgets, indent=1, ensure_ascii=False))
        written: set[str] = set()
        for name, data in printer.render_images(dpi):
            if name not in written:
                archive.writestr(zipfile.ZipInfo(f"userassets/{name}.png"), data)
                written.add(name)
    return target.getvalue()


def build_piles(printer: CardPrinter, names: dict[CardSide | CardBack, str]) -> Iterator[Widget]:
    """Yield the places on the table, row by row, each with its deck if it has one."""
    decks = {
        title: [card for sheet in sheets for card in sheet.cards]
        for title, sheets in split_into_decks(printer.cards).items()
    }
    zones = [zone for zone in printer.game.zones.values() if zone.subject is None]
    titles = dict.fromkeys([*decks, *(format_heading(zone.noun.singular) for zone in zones)])
    width = round(CARD_HEIGHT * printer.card_size[0] / printer.card_size[1])
    pile_width, pile_height = width + 2 * PILE_EDGE, CARD_HEIGHT + 2 * PILE_EDGE
    columns = (TABLE_WIDTH - 2 * MARGIN) // (pile_width + PILE_GAP[0])
    for number, title in enumerate(titles):
        row, column = divmod(number, columns)
        x, y = MARGIN + column * (pile_width + PILE_GAP[0]), MARGIN + row * (pile_height + PILE_GAP[1])
        pile = {"id": f"pile-{number}", "type": "cardPile", "label": title, "x": x, "y": y, "z": 2 + number}
        yield pile | {"width": pile_width, "height": pile_height, "hasShuffleButton": title in decks}
        if title in decks:
            place = {"parent": f"pile-{number}", "x": x + PILE_EDGE, "y": y + PILE_EDGE}
            yield from build_deck(f"deck-{number}", decks[title], names, place, width)


def build_deck(
    deck_id: str, cards: Sequence[PrintedCard], names: dict[CardSide | CardBack, str], place: Widget, width: int
) -> Iterator[Widget]:
    """Yield a deck with its kinds of cards, then every card. `width`: of a card."""
    types = {
        f"{deck_id}-{number}": {
            "label": card.front.title,
            "face": f"package://userassets/{names[card.front]}.png",
            "back": f"package://userassets/{names[card.back]}.png",
        }
        for number, card in enumerate(cards)
    }
    yield place | {
        "id": deck_id,
        "type": "cardDeck",
        "z": 100,
        "cardWidth": width,
        "cardHeight": CARD_HEIGHT,
        "enlarge": True,
        "cardTypes": types,
        "faceTemplate": build_template("face", width),
        "backTemplate": build_template("back", width),
    }
    copies = [kind for kind, card in zip(types, cards, strict=True) for _ in range(card.copies)]
    for number, kind in enumerate(copies):
        card = {"id": f"{deck_id}-card-{number}", "type": "card", "deck": deck_id, "cardType": kind, "faceup": False}
        yield place | card | {"z": 101 + number}


def build_template(side: str, width: int) -> Widget:
    """Return the template of a side: the picture of the card, from edge to edge."""
    picture = {"type": "image", "x": 0, "y": 0, "w": width, "h": CARD_HEIGHT, "valueType": "dynamic", "value": side}
    return {"includeBorder": False, "includeRadius": True, "objects": [picture | {"color": "white"}]}
