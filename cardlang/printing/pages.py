"""Place cards on the pages of double-sided sheets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

COLUMNS, ROWS = 3, 3
PER_PAGE = COLUMNS * ROWS
T = TypeVar("T")


def pages(cards: Sequence[T]) -> list[tuple[T | None, ...]]:
    """Split cards into pages, row by row. Empty slots of the last page are None."""
    rest = -len(cards) % PER_PAGE
    slots = [*cards, *[None] * rest]
    return [tuple(slots[first : first + PER_PAGE]) for first in range(0, len(slots), PER_PAGE)]


def mirrored(page: Sequence[T]) -> tuple[T, ...]:
    """Return the back of a page that is flipped on its long edge: each row from right to left."""
    rows = [page[first : first + COLUMNS] for first in range(0, len(page), COLUMNS)]
    return tuple(slot for row in rows for slot in reversed(row))
