"""Declarations with a changed meaning, and changes to printed cards."""

from __future__ import annotations

import json
from collections.abc import Iterator

from attrs import frozen

from cardlang.cards.card_svg import CardSide
from cardlang.model import Game
from cardlang.rulebook.plan.card_faces import PrintedCard, build_printed_cards

DECLARATION_LABELS = {
    "kinds": "kind",
    "sets": "cards",
    "zones": "zone",
    "tracks": "number or flag",
    "defines": "definition",
    "borne_defines": "card definition",
    "orders": "order",
    "rankings": "ranking",
    "steps": "step",
    "borne_steps": "card procedure",
}
"""Tables of a game in JSON, with the word for their entries."""
MEANINGLESS_KEYS = {"span", "origin", "doc", "docs", "noun", "like", "sample", "face", "called", "called_with"}
"""Keys that don't affect meaning: wording, positions, samples, and cards by number."""
MEANINGLESS_STATEMENTS = ("Note", "Ruling", "Tell")
"""Statements without an effect on play."""


def find_changed_declarations(old: Game, new: Game) -> tuple[str, ...]:
    """Return the declarations whose meaning differs, or that only one game has."""
    before, after = canonicalize_declarations(old), canonicalize_declarations(new)
    return tuple(name for name in {**before, **after} if before.get(name) != after.get(name))


def canonicalize_declarations(game: Game) -> dict[str, str]:
    """Return a canonical string for the meaning of each declaration. Equal strings mean equal declarations."""
    game_data = json.loads(game.json())["game"]
    codes = [face.code for face in game.faces]
    canonical_texts = {"player count": json.dumps(game_data["seats"])}
    for table, what in DECLARATION_LABELS.items():
        for declaration in game_data.get(table, ()):
            canonical_texts[f"{what} `{declaration['name']}`"] = DeclarationCanonicalizer(codes).serialize(declaration)
    canonical_texts["the cards"] = json.dumps(sorted(iter_card_values(game)), default=str)
    for declaration in game_data.get("reactions", ()):
        canonical_texts[f"reaction `{declaration['option']['name']}`"] = DeclarationCanonicalizer(codes).serialize(
            declaration
        )
    for table in ("enters", "whenevers"):
        canonical_texts["whenever"] = canonical_texts.get("whenever", "") + "".join(
            sorted(DeclarationCanonicalizer(codes).serialize(declaration) for declaration in game_data.get(table, ()))
        )
    return canonical_texts


def iter_card_values(game: Game) -> Iterator[tuple[str, object]]:
    """Yield the code of each card, with its set, its number of copies and its values."""
    for face in game.faces:
        values = {name: column.values[face.number] for name, column in game.columns.items()}
        if face.copies:
            yield face.code, (face.set, face.copies, sorted(values.items()))


class DeclarationCanonicalizer:
    """Canonical form of a declaration: without wording and positions, with local numbers in place of IDs."""

    def __init__(self, codes: list[str]) -> None:
        self.codes = codes
        self.local_ids: dict[int, int] = {}

    def serialize(self, value: object) -> str:
        return json.dumps(self.canonicalize(value), sort_keys=True)

    def canonicalize(self, value: object) -> object:
        if isinstance(value, list):
            return [
                self.canonicalize(each)
                for each in value
                if not (isinstance(each, dict) and each.get("is") in MEANINGLESS_STATEMENTS)
            ]
        if not isinstance(value, dict):
            return value
        if "id" in value:
            return {"id": self.local_ids.setdefault(value["id"], len(self.local_ids)), "type": value.get("type")}
        if value.get("is") == "FirstPossible":
            value = {**value, "lists": [each[0] for each in value["lists"]]}  # without their wording
        canonical = {key: self.canonicalize(each) for key, each in value.items() if key not in MEANINGLESS_KEYS}
        if value.get("is") == "Const" and value["type"]["tag"] == "card" and isinstance(value.get("value"), int):
            canonical["value"] = self.codes[value["value"]]
        return canonical


# ---------------------------------------------------------------- printed cards
@frozen
class CardChange:
    """Change of a card, by its code.

    `copies` has the old and the new number of copies. `changed_parts` names the changed parts of the print: `title`,
    `corner`, `symbol`, `values`, `texts` or `back`. It is empty if only the number of copies changed."""

    code: str
    title: str
    copies: tuple[int, int]
    changed_parts: tuple[str, ...] = ()

    @property
    def copies_to_print(self) -> int:
        """Number of copies to print."""
        before, now = self.copies
        return now if self.changed_parts else max(0, now - before)


@frozen
class CardChanges:
    """Changed, new and removed cards. `count` is the number of cards in the new game, copies included."""

    changed: tuple[CardChange, ...]
    added: tuple[CardChange, ...]
    removed: tuple[CardChange, ...]
    count: int

    @property
    def copies_to_print(self) -> int:
        """Number of cards to print for an owner of the old game."""
        return sum(change.copies_to_print for change in (*self.changed, *self.added))

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed)


def compare_cards(old: Game, new: Game) -> CardChanges:
    before, after = index_printed_cards(old), index_printed_cards(new)
    pairs = ((code, before[code], card) for code, card in after.items() if code in before)
    changed = [
        CardChange(code, card.front.title, (was.copies, card.copies), find_changed_parts(was, card))
        for code, was, card in pairs
        if was != card
    ]
    added = [CardChange(code, card.front.title, (0, card.copies)) for code, card in after.items() if code not in before]
    removed = [
        CardChange(code, card.front.title, (card.copies, 0)) for code, card in before.items() if code not in after
    ]
    return CardChanges(tuple(changed), tuple(added), tuple(removed), new.cards)


def index_printed_cards(game: Game) -> dict[str, PrintedCard]:
    """Return the printed cards by code, without cards of 0 copies."""
    pairs = zip(game.faces, build_printed_cards(game), strict=True)
    return {face.code: card for face, card in pairs if card.copies}


def find_changed_parts(old: PrintedCard, new: PrintedCard) -> tuple[str, ...]:
    """Return the parts that differ between two prints of a card."""
    changed_parts = [
        what for what, shown in get_printed_parts(old.front).items() if shown != get_printed_parts(new.front)[what]
    ]
    return (*changed_parts, "back") if old.back != new.back else tuple(changed_parts)


def get_printed_parts(side: CardSide) -> dict[str, object]:
    return {
        "title": side.title,
        "corner": (side.index, side.is_index_underlined),
        "symbol": (side.symbol, side.picture),
        "values": side.footer,
        "texts": (side.passages, side.has_text),
    }
