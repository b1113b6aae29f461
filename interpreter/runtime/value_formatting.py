"""Values in words, as messages and views write them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from cardlang import model as g
from cardlang.english.morphology import FRACTION_SIGNS
from interpreter.runtime.state import ABSENT, UNLIMITED

DEFAULT_PLAYER_NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou")
"""Default names of players."""
ABSENT_WORDS = {"player": "nobody", "number": "nothing"}


class ValueFormatter:
    """Formatter of values. `players`: names by seat. `face`: face numbers by card."""

    def __init__(self, game: g.Game, players: tuple[str, ...], face: Sequence[int]) -> None:
        self.game = game
        self.players = players
        self.codes = tuple(game.faces[each].code for each in face)

    def get_card_code(self, card: int) -> str:
        return self.codes[card]

    def format_cards(self, cards: list[int] | tuple[int, ...]) -> str:
        """Return cards in brackets: `[9G 7A]`."""
        return "[" + " ".join(self.get_card_code(card) for card in cards) + "]"

    def format_value(self, type: g.Type, value: Any) -> str:
        """Return a value as people write it: `37 1/2`, `yes`, `Bob`, `Spades`, `[9G]`, `(Ann, Bob)`."""
        if isinstance(value, list | tuple):
            item = type.item or type
            if item.tag == "card":
                return self.format_cards(value)
            if item.item is not None and item.item.tag == "card":
                return join_items([self.format_cards(each) for each in value])
            return "(" + ", ".join(self.format_value(item, each) for each in value) + ")"
        if value is None or (type.tag not in ("number", "flag") and value == ABSENT):
            return ABSENT_WORDS.get(type.tag, "nothing")
        if type.tag == "flag":
            return "yes" if value else "no"
        if type.tag == "player":
            return self.players[int(value)]
        if type.tag == "member" and type.of is not None:
            return self.game.kinds[type.of].members[int(value)].name
        if type.tag == "card":
            return f"[{self.get_card_code(value)}]"
        if type.tag == "reading":
            return self.format_hand_reading(type, value)
        return format_number(value)

    def format_hand_reading(self, type: g.Type, value: Any) -> str:
        """Return the title of a hand, or the groups of a split."""
        if not self.is_split(type):
            return str(value.title)
        return join_items([self.format_cards(group) for group in value.groups]) if value.groups else "none"

    def is_split(self, type: g.Type) -> bool:
        """Return whether a type is a split of cards into groups."""
        return type.tag == "reading" and self.game.rankings[str(type.of)].size == "groups"


def format_score(value: int | Fraction | bool | str | None) -> str:
    """Return the value of a score; empty if it has none."""
    return "" if value is None else format_number(value) if isinstance(value, int | Fraction) else str(value)


def format_number(value: int | Fraction | str | None) -> str:
    """Return a number without rounding: `37½`, `-1/3`, `unlimited`."""
    if value == UNLIMITED:
        return g.UNLIMITED
    if not isinstance(value, Fraction) or value.denominator == 1:
        return str(value)
    whole_part, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    if rest in FRACTION_SIGNS:
        return f"{sign}{whole_part or ''}{FRACTION_SIGNS[rest]}"
    return f"{sign}{whole_part} {rest}" if whole_part else f"{sign}{rest}"


def join_items(items: list[str], last: str = "and") -> str:
    """Join strings in a list: `a`, `a and b`, `a, b and c`."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} {last} {items[-1]}" if items else "nothing"


def get_default_names(count: int) -> tuple[str, ...]:
    return DEFAULT_PLAYER_NAMES[:count] + tuple(
        f"Player-{number}" for number in range(len(DEFAULT_PLAYER_NAMES) + 1, count + 1)
    )
