"""Aggregate instructions into sentences, the third stage.

It works on drafts, `Item`s without capitals and full stops, from the inside out. A lead and its instructions form one
sentence if possible. An act of each player becomes a sentence about all players.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import evolve

from cardlang import words
from cardlang.rulesheet.model import Item, Join

MOST = 3
"""Maximum number of acts in one sentence."""
LETTERS = 170
"""Maximum number of letters in such a sentence."""
PLAIN = Join()


def joined(item: Item) -> Item:
    """Aggregate a draft and all drafts nested in it."""
    body = together(tuple(map(joined, item.items)))
    how = item.join or PLAIN
    if how.mark == ",":
        body = tuple(map(following, body))
    if not how.mark:
        return evolve(item, items=body)
    if len(body) == 1 and is_short(body[0]):
        return one_line(item, how.mark, body[0])
    if acts(body):
        told = of_everybody(body) if how.everybody else f"{item.text}{how.mark} {listed([each.text for each in body])}"
        return evolve(item, text=told, words=both_said(item.words, body[-1].words), items=(), join=PLAIN)
    return evolve(item, text=f"{item.text}:", items=body, join=PLAIN)


def one_line(item: Item, mark: str, inner: Item) -> Item:
    """Join a lead with its only instruction."""
    how = item.join or PLAIN
    if how.everybody and (inner.join or PLAIN).act:
        return evolve(item, text=of_everybody((inner,)), words=both_said(item.words, inner.words), items=(), join=PLAIN)
    text = f"{item.text}{mark} {inner.text}"
    return evolve(item, text=text, words=both_said(item.words, inner.words), items=(), join=PLAIN)


def is_short(item: Item) -> bool:
    return not item.items and not item.title and ":" not in item.text


def acts(items: Sequence[Item]) -> bool:
    """Return whether these are a few short acts that fit in one sentence. Only the last may have a remark."""
    if not 1 <= len(items) <= MOST or any(item.words for item in items[:-1]):
        return False
    plain = all(is_short(item) and (item.join or PLAIN).act for item in items)
    return plain and sum(len(item.text) for item in items) <= LETTERS


def both_said(*parts: str) -> str:
    """Merge the author's texts of aggregated instructions, without duplicates."""
    return " ".join(words.sentence(part) for part in dict.fromkeys(parts) if part)


# ---------------------------------------------------------------- consecutive instructions
def together(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Merge consecutive instructions that only name the next step."""
    found: list[Item] = []
    for step, group in groupby(items, lambda item: bool(item.join and item.join.step)):
        run = list(group)
        found += [named(run)] if step and len(run) > 1 and is_mere(run) else run
    return tuple(shuffled(found))


def following(item: Item) -> Item:
    """Describe a conditional next step: `if nobody bets, “Showdown” follows`."""
    if not (item.join or PLAIN).step or item.items:
        return item
    return evolve(item, text=f"{item.text} {'follow' if ', then' in item.text else 'follows'}", join=Join(act=True))


def is_mere(run: Sequence[Item]) -> bool:
    """Return whether a run consists of a few bare calls of steps, which need no further text."""
    return not any(item.items or item.title for item in run) and len(run) <= MOST


def named(run: Sequence[Item]) -> Item:
    """Merge calls of steps: `“Betting”, “Exchange”, then “Betting”`. Their own sections keep the details."""
    texts = [item.text for item in run]
    return Item(f"{', '.join(texts[:-1])}, then {texts[-1]}", join=Join(step=True))


def listed(texts: Sequence[str]) -> str:
    """Join consecutive acts; use `then` if they contain `and`."""
    if len(texts) > 1 and any(" and " in text or "," in text for text in texts):
        return f"{', '.join(texts[:-1])}, then {texts[-1]}"
    return words.join(texts)


def shuffled(items: Sequence[Item]) -> Iterator[Item]:
    """Merge a move of cards into a pile and its shuffle: the cards are shuffled into it."""
    skip = False
    for item, after in zip(items, (*items[1:], None), strict=False):
        if skip:
            skip = False
            continue
        put = re.fullmatch(r"(?:move|put|return|take|add) (.+?) (?:into|to|onto) (.+)", item.text)
        if put and after is not None and after.text == f"shuffle {put[2]}" and not item.items:
            skip = True
            said = both_said(item.words, after.words)
            yield evolve(item, text=f"shuffle {put[1]} into {put[2]}", words=said)
        else:
            yield item


# ---------------------------------------------------------------- acts of all players
def of_everybody(items: Sequence[Item]) -> str:
    """Describe acts of all players: `everybody pays the ante and is dealt five cards`."""
    return f"everybody {listed([third(item.text) for item in items])}"


def third(act: str) -> str:
    """Convert an act to third person: `deal five cards to your hand` becomes `is dealt five cards`."""
    dealt = re.fullmatch(r"deal (.+) to your hand", act)
    said = f"is dealt {dealt[1]}" if dealt else words.third(act)
    return re.sub(r"\byou\b", "they", re.sub(r"\byour\b", "their", said))
