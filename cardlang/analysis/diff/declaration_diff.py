"""Declarations with a changed meaning, and changes to printed cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from cardlang import model as g
from cardlang.cards.card_content import CardSide
from cardlang.model import Game
from cardlang.model.structural_keys import StructuralKeyBuilder
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
"""Tables of a game, with the word for their entries."""
MEANINGLESS_FIELDS = ("span", "origin", "doc", "docs", "noun", "like", "sample", "face", "called", "called_with")
"""Fields that don't affect meaning: wording, positions, samples, and cards by number."""


def find_changed_declarations(old: Game, new: Game) -> tuple[str, ...]:
    """Return the declarations whose meaning differs, or that only one game has."""
    before, after = build_declaration_keys(old), build_declaration_keys(new)
    return tuple(name for name in {**before, **after} if before.get(name) != after.get(name))


def build_declaration_keys(game: Game) -> dict[str, object]:
    """Return a key for the meaning of each declaration. Equal keys mean equal declarations."""
    keys: dict[str, object] = {"player count": game.seats}
    for table, what in DECLARATION_LABELS.items():
        for name, declared in getattr(game, table).items():
            keys[f"{what} `{name}`"] = DeclarationKeyBuilder(game).build_key(declared)
    keys["the cards"] = sorted(iter_card_values(game))
    for reaction in game.reactions:
        keys[f"reaction `{reaction.option.name}`"] = DeclarationKeyBuilder(game).build_key(reaction)
    triggers = (*game.enters, *game.whenevers)
    keys["whenever"] = sorted(repr(DeclarationKeyBuilder(game).build_key(trigger)) for trigger in triggers)
    return keys


def iter_card_values(game: Game) -> Iterator[tuple[str, object]]:
    """Yield the code of each card, with its set, its number of copies and its values."""
    for face in game.faces:
        values = {name: column.values[face.number] for name, column in game.columns.items()}
        if face.copies:
            yield face.code, (face.set, face.copies, sorted(values.items()))


class DeclarationKeyBuilder(StructuralKeyBuilder):
    """Builder of keys without statements that have no effect on play, and with card codes in place of numbers."""

    def __init__(self, game: Game) -> None:
        super().__init__(MEANINGLESS_FIELDS)
        self.faces = game.faces

    def build_key(self, value: Any) -> object:
        match value:
            case tuple():
                value = tuple(each for each in value if not isinstance(each, g.Aside | g.Tell))
            case g.FirstPossible(lists=lists):  # without their wording
                return "FirstPossible", self.build_key(tuple(each for each, _ in lists))
            case g.Const(type=g.Type(tag="card"), value=int(number)):
                return "Const", self.faces[number].code
        return super().build_key(value)


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
    badges = [badge for badge in (side.cost, *side.badges) if badge]
    return {
        "title": side.title,
        "corner": (side.index, side.is_index_underlined),
        "symbol": (side.symbol, side.picture, side.art, [badge.symbol for badge in badges]),
        "values": (side.footer, [(badge.name, badge.value) for badge in badges]),
        "texts": (side.passages, side.has_text),
    }
