"""Rules on cards that a description of these cards needs."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardlang.model.declarations import BorneBody, CardRule, CardSet, Row
from cardlang.model.statements import BorneStepBody, Note, Ruling


def list_card_rules(card_set: CardSet, row: Row | None) -> list[CardRule]:
    """Return the rules to describe on a card. A rule of the card replaces the rule of its set with the same name.

    Rulings are only in the rulebook."""
    parts = [part for part in (*card_set.bears, *(row.bears if row else ())) if not isinstance(part, Ruling)]
    rules = {part if isinstance(part, Note) else part.name: part for part in parts}
    return select_described_rules(rules.values(), row.doc if row else "")


def select_described_rules(rules: Iterable[CardRule], own_text: str = "") -> list[CardRule]:
    """Return the rules that a description needs: those with content, without the texts that `own_text` repeats.

    `own_text`: the text of the card. If there is one, it stands for all rules without a text."""
    return [
        rule
        for rule in rules
        if isinstance(rule, Ruling)
        or (
            not contains_words(own_text, text)
            if (text := get_author_text(rule))
            else not own_text and has_content(rule)
        )
    ]


def list_effect_texts(row: Row) -> list[str]:
    """Return the author's texts on all rules of a card; none if a rule has none."""
    texts = [part.doc for part in row.bears if isinstance(part, BorneStepBody | BorneBody)]
    return texts if all(texts) else []


def has_text(row: Row) -> bool:
    """Return whether the author's texts say what a card does."""
    in_column = any(type_.tag == "text" and value for type_, value in row.values)
    return in_column or bool(row.doc or list_effect_texts(row))


def has_content(rule: CardRule) -> bool:
    return not isinstance(rule, BorneStepBody) or bool(rule.body)


def get_author_text(rule: CardRule) -> str:
    """Return the author's text on a rule; empty for rulings."""
    match rule:
        case BorneBody() | BorneStepBody():
            return rule.doc
        case Note():
            return rule.text
    return ""


def contains_words(text: str, part: str) -> bool:
    """Return whether a text has the words of another one, in this order and without others between them."""
    whole, words = (" ".join(re.findall(r"\w+", each.lower())) for each in (text, part))
    return f" {words} " in f" {whole} "
