"""Describe cards in a sentence, in the order given. Cards of one rank or suit are grouped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from cardlang import words


def several(titles: Sequence[str]) -> str:
    """Return a list of cards: `three 8s (Plum, Diamond and Plum) and the 4 of Diamond`, `the 1 to 5 of Bamboo`."""
    parts: list[str] = []
    rest = [tuple(title.split(" of ", 1)) for title in titles]
    while rest:
        count, part = first_run(rest)
        parts.append(part)
        rest = rest[count:]
    return together(parts)


def together(parts: Sequence[str], word: str = "and") -> str:
    """Join the parts of a list of cards, with a comma before the last if a part contains `and`."""
    told = [re.sub(r" \(.*?\)", "", part) for part in parts]
    comma = "," if any(" and " in part or "," in part for part in told) else ""
    return f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def first_run(cards: Sequence[tuple[str, ...]]) -> tuple[int, str]:
    """Return the number of leading cards that form a group, and its wording."""
    equal, suit, rank = (run(cards, part) for part in (slice(None), slice(1, None), slice(0, 1)))
    if len(cards[0]) == 1:
        return equal, copies(cards[0][0], equal)
    if rank > 1 and rank >= suit:
        suits = words.join([card[1] for card in cards[:rank]])
        return rank, f"{words.number(rank)} {words.plural(cards[0][0])} ({suits})"
    return suit, f"the {in_suit([card[0] for card in cards[:suit]])} of {cards[0][1]}"


def copies(title: str, count: int) -> str:
    """Return the wording of copies: `Sofa Claim`, `two Sofa Claims`; `two copies of No Nuts For You!`.

    A sentence as a title has no plural.
    """
    if count == 1:
        return title
    if len(title.split(" ")) > 2 or not title[-1].isalnum():
        return f"{words.number(count)} copies of {title}"
    return words.of_number(title, words.number(count))


def run(cards: Sequence[tuple[str, ...]], part: slice) -> int:
    """Return the number of leading cards that share a part of their titles."""
    _, same = next(groupby(cards, lambda card: (len(card), card[part])))
    return len(list(same))


def in_suit(ranks: Sequence[str]) -> str:
    """Return the wording of ranks: `4, 5 and 8`; `4 to 8 and King`, if three or more consecutive numbers follow."""
    parts: list[str] = []
    rest = [*ranks]
    while rest:
        count = in_a_row(rest)
        parts += [f"{rest[0]} to {rest[count - 1]}"] if count > 2 else rest[:count]
        rest = rest[count:]
    return words.join(parts)


def in_a_row(ranks: Sequence[str]) -> int:
    """Return the number of leading ranks that are consecutive numbers, at least one."""
    numbers = [int(rank) if rank.isdecimal() else None for rank in ranks]
    first = numbers[0]
    if first is None:
        return 1
    return next((place for place, value in enumerate(numbers) if value != first + place), len(numbers))
