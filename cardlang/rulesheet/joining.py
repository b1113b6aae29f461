"""The third stage of a sheet: which instructions are told in one sentence.

It works on drafts, `Item`s without capitals and full stops, from the inside out: what a lead governs is told behind it
where that makes one sentence; what everybody does is told of everybody."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import evolve

from cardlang import words
from cardlang.rulesheet.model import Item, Join

MOST = 3
"""So many acts are told in one sentence."""
LETTERS = 170
"""No such sentence has more letters."""
PLAIN = Join()


def joined(item: Item) -> Item:
    """A draft with all that is within it, joined."""
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
    """A lead with the only thing that it governs."""
    how = item.join or PLAIN
    if how.everybody and (inner.join or PLAIN).act:
        return evolve(item, text=of_everybody((inner,)), words=both_said(item.words, inner.words), items=(), join=PLAIN)
    text = f"{item.text}{mark} {inner.text}"
    return evolve(item, text=text, words=both_said(item.words, inner.words), items=(), join=PLAIN)


def is_short(item: Item) -> bool:
    return not item.items and not item.title and ":" not in item.text


def acts(items: Sequence[Item]) -> bool:
    """Whether these are a few short acts, that can be told in one sentence. Words stand only beside the last."""
    if not 1 <= len(items) <= MOST or any(item.words for item in items[:-1]):
        return False
    plain = all(is_short(item) and (item.join or PLAIN).act for item in items)
    return plain and sum(len(item.text) for item in items) <= LETTERS


def both_said(*parts: str) -> str:
    """The words of what is told together, each once."""
    return " ".join(words.sentence(part) for part in dict.fromkeys(parts) if part)


# ---------------------------------------------------------------- what follows each other
def together(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Instructions that follow each other: those that only name what comes next are one."""
    found: list[Item] = []
    for step, group in groupby(items, lambda item: bool(item.join and item.join.step)):
        run = list(group)
        found += [named(run)] if step and len(run) > 1 and is_mere(run) else run
    return tuple(shuffled(found))


def following(item: Item) -> Item:
    """What comes next in some case: `if nobody bets, “Showdown” follows`."""
    if not (item.join or PLAIN).step or item.items:
        return item
    return evolve(item, text=f"{item.text} {'follow' if ', then' in item.text else 'follows'}", join=Join(act=True))


def is_mere(run: Sequence[Item]) -> bool:
    """Whether a part of the game ends, or a few come one after the other, with nothing more to say of them."""
    return not any(item.items or item.title for item in run) and len(run) <= MOST


def named(run: Sequence[Item]) -> Item:
    """`“Betting”, “Exchange”, then “Betting”`. What is said of each, its own section says."""
    texts = [item.text for item in run]
    return Item(f"{', '.join(texts[:-1])}, then {texts[-1]}", join=Join(step=True))


def listed(texts: Sequence[str]) -> str:
    """Acts one after the other; `then` where they have an `and` of their own."""
    if len(texts) > 1 and any(" and " in text or "," in text for text in texts):
        return f"{', '.join(texts[:-1])}, then {texts[-1]}"
    return words.join(texts)


def shuffled(items: Sequence[Item]) -> Iterator[Item]:
    """Cards that are put somewhere, and this shuffled: they are shuffled into it."""
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


# ---------------------------------------------------------------- what everybody does
def of_everybody(items: Sequence[Item]) -> str:
    """`everybody pays the ante and is dealt five cards`."""
    return f"everybody {listed([third(item.text) for item in items])}"


def third(act: str) -> str:
    """An act told of somebody: `deal five cards to your hand` is what happens to them."""
    dealt = re.fullmatch(r"deal (.+) to your hand", act)
    said = f"is dealt {dealt[1]}" if dealt else words.third(act)
    return re.sub(r"\byou\b", "they", re.sub(r"\byour\b", "their", said))
