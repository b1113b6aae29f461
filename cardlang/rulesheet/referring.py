"""The fourth stage of a sheet: how things are referred to that were named before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve

from cardlang import words
from cardlang.rulesheet.model import Item

PLACES = re.compile(r"\b(?:to|into|onto|from) (the [a-z][\w ]*?|your [a-z][\w ]*?)(?=,| and | then )")


def referred(item: Item) -> Item:
    """A draft, and all within it, in which what was just named is meant by a pronoun."""
    return evolve(item, text=again(words.with_pronouns(item.text)), items=tuple(map(referred, item.items)))


def known(items: Sequence[Item]) -> Iterator[Item]:
    """Instructions that follow each other: what was said of a part of the game is not said of it again."""
    said: set[tuple[str, str]] = set()
    for item in items:
        yield evolve(item, words="") if (item.text, item.words) in said else item
        said.add((item.text, item.words))


def again(text: str) -> str:
    """`put the discards into the deck and shuffle the deck`: shuffle it. Only where nothing else is named between."""
    for found in PLACES.finditer(text):
        place = found[1]
        rest = text[found.end() :]
        told = re.match(rf"((?:,| and|, and)(?: then)? (?:then )?(?:shuffle|cut|turn over)) {re.escape(place)}\b", rest)
        if told:
            return text[: found.end()] + told[1] + " it" + rest[told.end() :]
    return text
