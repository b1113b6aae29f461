"""Generate referring expressions, the fourth stage: pronouns for nouns already mentioned."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve

from cardlang import words
from cardlang.rulesheet.model import Item

PLACES = re.compile(r"\b(?:to|into|onto|from) (the [a-z][\w ]*?|your [a-z][\w ]*?)(?=,| and | then )")


def referred(item: Item) -> Item:
    """Replace repeated nouns by pronouns in a draft and its nested drafts."""
    return evolve(item, text=again(words.with_pronouns(item.text)), items=tuple(map(referred, item.items)))


def known(items: Sequence[Item]) -> Iterator[Item]:
    """Yield consecutive instructions. A remark on a step is not repeated."""
    said: set[tuple[str, str]] = set()
    for item in items:
        yield evolve(item, words="") if (item.text, item.words) in said else item
        said.add((item.text, item.words))


def again(text: str) -> str:
    """Replace a repeated zone by `it`, if no other noun comes between.

    `put the discards into the deck and shuffle the deck` becomes `… and shuffle it`.
    """
    for found in PLACES.finditer(text):
        place = found[1]
        rest = text[found.end() :]
        told = re.match(rf"((?:,| and|, and)(?: then)? (?:then )?(?:shuffle|cut|turn over)) {re.escape(place)}\b", rest)
        if told:
            return text[: found.end()] + told[1] + " it" + rest[told.end() :]
    return text
