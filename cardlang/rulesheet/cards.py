"""Cards in a sentence, in the order given: several of a rank or a suit told together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from cardlang import words


def several(titles: Sequence[str]) -> str:
    """`three 8s (Plum, Diamond and Plum) and the 4 of Diamond`, `the 1 to 5 of Bamboo`, `two White Dragons`."""
    parts: list[str] = []
    rest = [tuple(title.split(" of ", 1)) for title in titles]
    while rest:
        count, part = first_run(rest)
        parts.append(part)
        rest = rest[count:]
    return together(parts)


def together(parts: Sequence[str], word: str = "and") -> str:
    """The parts of a list of cards; a comma before the last where another `and` is near."""
    told = [re.sub(r" \(.*?\)", "", part) for part in parts]
    comma = "," if any(" and " in part or "," in part for part in told) else ""
    return f"{', '.join(parts[:-1])}{comma} {word} {parts[-1]}" if len(parts) > 1 else "".join(parts)


def first_run(cards: Sequence[tuple[str, ...]]) -> tuple[int, str]:
    """How many cards from the first on are told together, and how."""
    equal, suit, rank = (run(cards, part) for part in (slice(None), slice(1, None), slice(0, 1)))
    if len(cards[0]) == 1:
        return equal, copies(cards[0][0], equal)
    if rank > 1 and rank >= suit:
        suits = words.join([card[1] for card in cards[:rank]])
        return rank, f"{words.number(rank)} {words.plural(cards[0][0])} ({suits})"
    return suit, f"the {in_suit([card[0] for card in cards[:suit]])} of {cards[0][1]}"


def copies(title: str, count: int) -> str:
    """`Sofa Claim`, `two Sofa Claims`; `two copies of No Nuts For You!`, as a whole sentence has no plural."""
    if count == 1:
        return title
    if len(title.split(" ")) > 2 or not title[-1].isalnum():
        return f"{words.number(count)} copies of {title}"
    return words.of_number(title, words.number(count))


def run(cards: Sequence[tuple[str, ...]], part: slice) -> int:
    """How many cards at the start share a part of their titles."""
    _, same = next(groupby(cards, lambda card: (len(card), card[part])))
    return len(list(same))


def in_suit(ranks: Sequence[str]) -> str:
    """`4, 5 and 8`; `4 to 8 and King`, if three numbers or more follow one another."""
    parts: list[str] = []
    rest = [*ranks]
    while rest:
        count = in_a_row(rest)
        parts += [f"{rest[0]} to {rest[count - 1]}"] if count > 2 else rest[:count]
        rest = rest[count:]
    return words.join(parts)


def in_a_row(ranks: Sequence[str]) -> int:
    """How many ranks at the start are numbers that follow one another, at least one."""
    numbers = [int(rank) if rank.isdecimal() else None for rank in ranks]
    first = numbers[0]
    if first is None:
        return 1
    return next((place for place, value in enumerate(numbers) if value != first + place), len(numbers))
