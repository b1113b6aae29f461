"""Realise drafts as text, the last stages: referring expressions, then sentences."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from cardlang import words
from cardlang.rulesheet.joining import joined, shuffled
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.referring import known, referred


def finished(item: Item) -> Item:
    """Return a draft and its nested drafts in final form."""
    return realised(referred(joined(item)))


def finished_steps(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the instructions of a step in final form, each aggregated separately."""
    return tuple(realised(referred(item)) for item in known(list(shuffled(list(map(joined, items))))))


def realised(item: Item) -> Item:
    """Turn texts into sentences, with a capital letter and a full stop."""
    text = words.sentence(item.text) if item.text else ""
    said = words.sentence(item.words) if item.words else ""
    return evolve(item, text=text, words=said, items=tuple(map(realised, item.items)), join=None)
