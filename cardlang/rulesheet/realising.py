"""The last stages of a sheet: how things are referred to, and the sentences that stand on the page."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from cardlang import words
from cardlang.rulesheet.joining import joined, shuffled
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.referring import known, referred


def finished(item: Item) -> Item:
    """A draft and all within it as it stands on the page."""
    return realised(referred(joined(item)))


def finished_steps(items: Iterable[Item]) -> tuple[Item, ...]:
    """The instructions of a part of the game, each on its own."""
    return tuple(realised(referred(item)) for item in known(list(shuffled(list(map(joined, items))))))


def realised(item: Item) -> Item:
    """Texts as sentences: with a capital and an end."""
    text = words.sentence(item.text) if item.text else ""
    said = words.sentence(item.words) if item.words else ""
    return evolve(item, text=text, words=said, items=tuple(map(realised, item.items)), join=None)
