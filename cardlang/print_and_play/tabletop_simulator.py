"""Decks for Tabletop Simulator: a saved object in JSON, with sheets of card images.

The form is that of the saves that Tabletop Simulator writes: https://kb.tabletopsimulator.com/custom-content/custom-deck/
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from attrs import frozen

from cardlang.cards.card_content import CardBack, CardPassage, CardSide
from cardlang.english.control_characters import GENERATED_FILE_MARK
from cardlang.print_and_play import CardPrinter, build_file_name
from cardlang.rulebook.plan.card_faces import PrintedCard

SHEET_COLUMNS, MAX_SHEET_ROWS = 10, 7
MAX_SHEET_CARDS = SHEET_COLUMNS * MAX_SHEET_ROWS - 1
"""Tabletop Simulator shows the last of the 70 places as the back of hidden cards."""
SHEET_DPI = 150
MAX_SHEET_PIXELS = 10_000
"""Maximum width and height of images in Tabletop Simulator."""
TRANSFORM = {
    **{f"pos{axis}": 0 for axis in "XYZ"},
    **{"rotX": 0, "rotY": 180, "rotZ": 180},
    **{f"scale{axis}": 1 for axis in "XYZ"},
}


@frozen
class DeckSheet:
    """Cards on one sheet of images. `name`: of its files. `back`: of all its cards; None if each has its own."""

    name: str
    cards: tuple[PrintedCard, ...]
    back: CardBack | None

    @property
    def rows(self) -> int:
        """Rows of the sheet. Tabletop Simulator needs at least two."""
        return max(2, -(-len(self.cards) // SHEET_COLUMNS))


def split_into_decks(cards: Sequence[PrintedCard]) -> dict[str, list[DeckSheet]]:
    """Return the sheets of each deck. Cards that start in one zone, with the same kind of back, are one deck."""
    groups: dict[tuple[str, CardBack | None], list[PrintedCard]] = {}
    for card in cards:
        back = card.back if isinstance(card.back, CardBack) else None
        groups.setdefault((card.home_title if back else "Two-sided cards", back), []).append(card)
    decks: dict[str, list[DeckSheet]] = {}
    for (title, back), group in groups.items():
        for first in range(0, len(group), MAX_SHEET_CARDS):
            name = f"{build_file_name(title)}-{first // MAX_SHEET_CARDS + 1}"
            decks.setdefault(title, []).append(DeckSheet(name, tuple(group[first : first + MAX_SHEET_CARDS]), back))
    return decks


def build_saved_object(title: str, decks: dict[str, list[DeckSheet]], url: str) -> bytes:
    """Return the saved object with all decks as JSON. `url`: where the images are, up to their names."""
    objects, number = [], 0
    for place, (name, sheets) in enumerate(decks.items()):
        entries, sources = [], {}
        for sheet in sheets:
            number += 1
            sources[str(number)] = {
                "FaceURL": f"{url}{sheet.name}.png",
                "BackURL": f"{url}{sheet.name}-back.png",
                "NumWidth": SHEET_COLUMNS,
                "NumHeight": sheet.rows,
                "BackIsHidden": True,
                "UniqueBack": sheet.back is None,
            }
            entries += [
                (100 * number + index, card.front) for index, card in enumerate(sheet.cards) for _ in range(card.copies)
            ]
        objects.append(build_deck(name, entries, sources, 3.0 * place))
    save = {
        "SaveName": title,
        "Note": GENERATED_FILE_MARK,
        "ObjectStates": objects,
    }
    return (json.dumps(save, indent=2, ensure_ascii=False) + "\n").encode()


def build_deck(
    name: str, entries: Sequence[tuple[int, CardSide]], sources: dict[str, dict[str, object]], x: float
) -> dict[str, object]:
    """Return a deck, or a single card, at a place on the table. `entries`: the id and front of each card."""
    cards: list[dict[str, object]] = [
        {
            "Name": "Card",
            "Nickname": front.title,
            "Description": "\n".join(filter(None, [front.footer, *map(format_passage, front.passages)])),
            "Transform": TRANSFORM | {"posX": x},
            "CardID": card_id,
            "CustomDeck": {str(card_id // 100): sources[str(card_id // 100)]},
        }
        for card_id, front in entries
    ]
    if len(cards) == 1:
        return cards[0]
    return {
        "Name": "Deck",
        "Nickname": name,
        "Transform": TRANSFORM | {"posX": x},
        "DeckIDs": [card_id for card_id, _ in entries],
        "CustomDeck": sources,
        "ContainedObjects": cards,
    }


def format_passage(passage: CardPassage) -> str:
    text = passage.text or passage.details
    return f"{passage.title}: {text}" if passage.title else text


def render_files(printer: CardPrinter, url: str, dpi: int) -> Iterator[tuple[str, bytes]]:
    """Return the saved object and its images, with the names of their files. Raise ValueError for too large images.

    `url`: the web address of their folder."""
    width, height = printer.card_size
    max_dpi = int(MAX_SHEET_PIXELS * 25.4 / max(SHEET_COLUMNS * width, MAX_SHEET_ROWS * height))
    if dpi > max_dpi:
        raise ValueError(f"Tabletop Simulator shows cards of this size at {max_dpi} dpi or less. Use --dpi {max_dpi}.")
    return render_deck_files(printer, url if url.endswith(("/", "=")) else f"{url}/", dpi)


def render_deck_files(printer: CardPrinter, url: str, dpi: int) -> Iterator[tuple[str, bytes]]:
    decks = split_into_decks(printer.cards)
    yield f"{build_file_name(printer.title)}.json", build_saved_object(printer.title, decks, url)
    for sheet in (sheet for sheets in decks.values() for sheet in sheets):
        fronts: list[CardSide | CardBack] = [card.front for card in sheet.cards]
        yield f"{sheet.name}.png", printer.render_image(fronts, SHEET_COLUMNS, sheet.rows, dpi)
        if sheet.back:
            yield f"{sheet.name}-back.png", printer.render_image([sheet.back], 1, 1, dpi)
        else:
            backs = [card.back for card in sheet.cards]
            yield f"{sheet.name}-back.png", printer.render_image(backs, SHEET_COLUMNS, sheet.rows, dpi)
