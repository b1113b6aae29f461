"""Aggregation of draft sentences, pronouns and final punctuation.

It works on drafts, `Item`s without capitals and full stops, from the inside out. A lead and its instructions form one
sentence if possible. An act of each player becomes a sentence about all players.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from attrs import evolve

from cardlang.english import morphology
from cardlang.rulebook.model import AggregationHints, Item

MAX_ACTIONS = 3
"""Maximum number of acts in one sentence."""
MAX_SENTENCE_LETTERS = 170
"""Maximum number of letters in such a sentence."""
NO_HINTS = AggregationHints()


def aggregate_draft(item: Item) -> Item:
    """Aggregate a draft and all drafts nested in it."""
    body = merge_consecutive_drafts(tuple(map(aggregate_draft, item.items)))
    how = item.aggregation or NO_HINTS
    if how.lead_mark == ",":
        body = tuple(map(add_follow_verb, body))
    if not how.lead_mark:
        return evolve(item, items=body)
    if len(body) == 1 and is_short_item(body[0]):
        return join_lead_with_item(item, how.lead_mark, body[0])
    if can_share_sentence(body):
        text = (
            describe_common_actions(body)
            if how.is_for_all_players
            else f"{item.text}{how.lead_mark} {join_actions([draft.text for draft in body])}"
        )
        return evolve(
            item,
            text=text,
            author_text=merge_author_texts(item.author_text, body[-1].author_text),
            items=(),
            aggregation=NO_HINTS,
        )
    return evolve(item, text=f"{item.text}:", items=body, aggregation=NO_HINTS)


def join_lead_with_item(item: Item, mark: str, inner: Item) -> Item:
    """Join a lead with its only instruction."""
    how = item.aggregation or NO_HINTS
    if how.is_for_all_players and (inner.aggregation or NO_HINTS).is_action:
        return evolve(
            item,
            text=describe_common_actions((inner,)),
            author_text=merge_author_texts(item.author_text, inner.author_text),
            items=(),
            aggregation=NO_HINTS,
        )
    text = f"{item.text}{mark} {inner.text}"
    return evolve(
        item,
        text=text,
        author_text=merge_author_texts(item.author_text, inner.author_text),
        items=(),
        aggregation=NO_HINTS,
    )


def is_short_item(item: Item) -> bool:
    return not item.items and not item.title and ":" not in item.text


def can_share_sentence(items: Sequence[Item]) -> bool:
    """Return whether these are a few short acts that fit in one sentence. Only the last may have a remark."""
    if not 1 <= len(items) <= MAX_ACTIONS or any(item.author_text for item in items[:-1]):
        return False
    plain = all(is_short_item(item) and (item.aggregation or NO_HINTS).is_action for item in items)
    return plain and sum(len(item.text) for item in items) <= MAX_SENTENCE_LETTERS


def merge_author_texts(*parts: str) -> str:
    """Merge the author's texts of aggregated instructions, without duplicates."""
    return " ".join(morphology.punctuate_sentence(part) for part in dict.fromkeys(parts) if part)


# ---------------------------------------------------------------- consecutive instructions
def merge_consecutive_drafts(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Merge consecutive instructions that only name the next step."""
    drafts: list[Item] = []
    for step, group in groupby(items, lambda item: bool(item.aggregation and item.aggregation.is_step_call)):
        run = list(group)
        drafts += [merge_step_calls(run)] if step and len(run) > 1 and is_mergeable_run(run) else run
    return tuple(merge_shuffles(drafts))


def add_follow_verb(item: Item) -> Item:
    """Describe a conditional next step: `if nobody bets, “Showdown” follows`."""
    if not (item.aggregation or NO_HINTS).is_step_call or item.items:
        return item
    return evolve(
        item,
        text=f"{item.text} {'follow' if ', then' in item.text else 'follows'}",
        aggregation=AggregationHints(is_action=True),
    )


def is_mergeable_run(run: Sequence[Item]) -> bool:
    """Return whether a run consists of a few bare calls of steps, which need no further text."""
    return not any(item.items or item.title for item in run) and len(run) <= MAX_ACTIONS


def merge_step_calls(run: Sequence[Item]) -> Item:
    """Merge calls of steps: `“Betting”, “Exchange”, then “Betting”`. Their own sections keep the details."""
    texts = [item.text for item in run]
    return Item(f"{', '.join(texts[:-1])}, then {texts[-1]}", aggregation=AggregationHints(is_step_call=True))


def join_actions(texts: Sequence[str]) -> str:
    """Join consecutive acts; use `then` if they contain `and`."""
    if len(texts) > 1 and any(" and " in text or "," in text for text in texts):
        return f"{', '.join(texts[:-1])}, then {texts[-1]}"
    return morphology.join_phrases(texts)


def merge_shuffles(items: Sequence[Item]) -> Iterator[Item]:
    """Merge a move of cards into a pile and its shuffle: the cards are shuffled into it."""
    skip = False
    for item, after in zip(items, (*items[1:], None), strict=False):
        if skip:
            skip = False
            continue
        put = re.fullmatch(r"(?:move|put|return|take|add) (.+?) (?:into|to|onto) (.+)", item.text)
        if put and after is not None and after.text == f"shuffle {put[2]}" and not item.items:
            skip = True
            author_text = merge_author_texts(item.author_text, after.author_text)
            yield evolve(item, text=f"shuffle {put[1]} into {put[2]}", author_text=author_text)
        else:
            yield item


# ---------------------------------------------------------------- acts of all players
def describe_common_actions(items: Sequence[Item]) -> str:
    """Describe acts of all players: `everybody pays the ante and is dealt five cards`."""
    return f"everybody {join_actions([convert_to_third_person(item.text) for item in items])}"


def convert_to_third_person(action: str) -> str:
    """Convert an act to third person: `deal five cards to your hand` becomes `is dealt five cards`."""
    dealt = re.fullmatch(r"deal (.+) to your hand", action)
    sentence = f"is dealt {dealt[1]}" if dealt else morphology.conjugate_third_person(action)
    return re.sub(r"\byou\b", "they", re.sub(r"\byour\b", "their", sentence))


# ---------------------------------------------------------------- pronouns
DESTINATION_PATTERN = re.compile(r"\b(?:to|into|onto|from) (the [a-z][\w ]*?|your [a-z][\w ]*?)(?=,| and | then )")


def add_pronouns(item: Item) -> Item:
    """Replace repeated nouns by pronouns in a draft and its nested drafts."""
    return evolve(
        item,
        text=replace_repeated_zone(morphology.replace_repeated_possessives(item.text)),
        items=tuple(map(add_pronouns, item.items)),
    )


def drop_repeated_remarks(items: Sequence[Item]) -> Iterator[Item]:
    """Yield consecutive instructions. A remark on a step is not repeated."""
    seen: set[tuple[str, str]] = set()
    for item in items:
        yield evolve(item, author_text="") if (item.text, item.author_text) in seen else item
        seen.add((item.text, item.author_text))


def replace_repeated_zone(text: str) -> str:
    """Replace a repeated zone by `it`, if no other noun comes between.

    `put the discards into the deck and shuffle the deck` becomes `… and shuffle it`.
    """
    for destination in DESTINATION_PATTERN.finditer(text):
        zone_text = destination[1]
        rest = text[destination.end() :]
        repetition = re.match(
            rf"((?:,| and|, and)(?: then)? (?:then )?(?:shuffle|cut|turn over)) {re.escape(zone_text)}\b", rest
        )
        if repetition:
            return text[: destination.end()] + repetition[1] + " it" + rest[repetition.end() :]
    return text


# ---------------------------------------------------------------- punctuation
def realize_item(item: Item) -> Item:
    """Return a draft and its nested drafts in final form."""
    return punctuate_item(add_pronouns(aggregate_draft(item)))


def realize_step_items(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the instructions of a step in final form, each aggregated separately."""
    return tuple(
        punctuate_item(add_pronouns(item))
        for item in drop_repeated_remarks(list(merge_shuffles(list(map(aggregate_draft, items)))))
    )


def punctuate_item(item: Item) -> Item:
    """Turn texts into sentences, with a capital letter and a full stop."""
    text = morphology.punctuate_sentence(item.text) if item.text else ""
    author_text = morphology.punctuate_sentence(item.author_text) if item.author_text else ""
    return evolve(
        item, text=text, author_text=author_text, items=tuple(map(punctuate_item, item.items)), aggregation=None
    )
