"""The moves of a decision as a person sees and types them: folded runs, keys to type, and what a typed
line means."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from interpreter.matches.parsing import number_of

RUN = 4
"""So many moves that differ only in a number that counts up are shown as one."""
CARD = re.compile(r"\S+ \[([^\s\]]+)\]( #\d+)?")
NUMBERED = re.compile(r"(.*?)([0-9]{1,19})")


@frozen
class Choice:
    """One line of the list of moves: a move, or a run of moves that count up. `key` is what to type (or
    empty: only its name); `first` is the index of its first move."""

    key: str
    texts: tuple[str, ...]
    first: int

    @property
    def label(self) -> str:
        if len(self.texts) == 1:
            return self.texts[0]
        return f"{self.texts[0]} … {self.texts[-1]}"

    @property
    def amounts(self) -> tuple[int, int]:
        """The numbers that a run goes through."""
        return split_number(self.texts[0])[1], split_number(self.texts[-1])[1]


def split_number(text: str) -> tuple[str, int]:
    """`bet 12` as `bet ` and 12; a text that does not end in a number has -1."""
    match = NUMBERED.fullmatch(text)
    return (match[1], int(match[2])) if match else (text, -1)


def runs(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Start and end of the stretches in which only a number at the end counts up by one."""
    start = 0
    stem, number = "", -1
    for index, text in enumerate(texts):
        next_stem, next_number = split_number(text)
        if index > start and (next_number < 0 or next_stem != stem or next_number != number + 1):
            yield start, index
            start = index
        stem, number = next_stem, next_number
    if texts:
        yield start, len(texts)


def choices(texts: Sequence[str], held: Sequence[str] = ()) -> list[Choice]:
    """The list to show for moves with these texts. If all they differ in is an amount, the amount is the
    key; if they are the cards that are `held`, they stand in that order."""
    if sum(CARD.fullmatch(text) is not None for text in texts) > 1:
        places = {code: place for place, code in reversed(list(enumerate(held)))}
        ranked = sorted(range(len(texts)), key=lambda index: place_of(texts[index], places))
        return [Choice(str(key), (texts[index],), index) for key, index in enumerate(ranked, 1)]
    found = list(runs(texts))
    lengths = [end - start for start, end in found if split_number(texts[start])[1] >= 0]
    named = {text for text in texts if split_number(text)[1] < 0}
    if len(lengths) == 1 and lengths[0] > 1 and named <= {"pass", "done"}:
        return by_amount(texts, found)
    listed: list[Choice] = []
    for start, end in found:
        spans = [(start, end)] if end - start >= RUN else [(index, index + 1) for index in range(start, end)]
        listed += [Choice(str(len(listed) + 1 + k), tuple(texts[a:b]), a) for k, (a, b) in enumerate(spans)]
    return listed


def place_of(text: str, places: dict[str, int]) -> int:
    """Where a move of one card stands in the list; all others come last."""
    match = CARD.fullmatch(text)
    return places.get(match[1], len(places)) if match else len(places)


def by_amount(texts: Sequence[str], found: list[tuple[int, int]]) -> list[Choice]:
    """Every move with its number for a key; a long run in one line; others are typed by name."""
    listed: list[Choice] = []
    for start, end in found:
        if split_number(texts[start])[1] < 0:
            listed += [Choice("", (texts[index],), index) for index in range(start, end)]
        elif end - start > RUN:
            low, high = split_number(texts[start])[1], split_number(texts[end - 1])[1]
            listed.append(Choice(f"{low}-{high}", tuple(texts[start:end]), start))
        else:
            listed += [Choice(str(split_number(texts[i])[1]), (texts[i],), i) for i in range(start, end)]
    return listed


def by_key(typed: str, listed: Sequence[Choice]) -> Choice | None:
    """The choice whose key was typed; for a run keyed by its amounts, only the move of that amount."""
    number = number_of(typed)
    for choice in listed:
        if typed == choice.key:
            return choice
        if "-" in choice.key and number is not None:
            low, high = choice.amounts
            if low <= number <= high:
                at = number - low
                return Choice(typed, (choice.texts[at],), choice.first + at)
    return None


def words(text: str) -> list[str]:
    """The words of a move, without the brackets around cards."""
    return re.findall(r"[^\s\[\],]+", text)


def meant(typed: str, texts: Sequence[str]) -> list[int]:
    """The moves that a typed line may mean, by the strictest reading that fits any: the whole text, its
    words in any case, some of its words in order, beginnings of words."""
    said = words(typed)
    if not said:
        return []
    lower = [word.lower() for word in said]
    split = [words(text) for text in texts]
    lowered = [[word.lower() for word in each] for each in split]
    readings = (
        [index for index, each in enumerate(split) if each == said],
        [index for index, each in enumerate(lowered) if each == lower],
        [index for index, each in enumerate(split) if within(said, each, str.__eq__)],
        [index for index, each in enumerate(lowered) if within(lower, each, str.__eq__)],
        [index for index, each in enumerate(lowered) if within(lower, each, str.startswith)],
    )
    return next((reading for reading in readings if reading), [])


def within(said: list[str], move: list[str], fits: Callable[[str, str], bool]) -> bool:
    """Whether the words said fit words of the move, in order."""
    rest = iter(move)
    return all(any(fits(word, each) for word in rest) for each in said)
