"""Convert the names of variables to nouns: `the victim`, `their card`."""

from __future__ import annotations

OWNERS = {
    "mine": "your", "yours": "your", "ours": "your", "own": "your own",
    "theirs": "their", "his": "their", "hers": "their",
}  # fmt: skip
"""Possessive names, and their determiners before a noun."""
DETERMINERS = {
    "my": "your", "our": "your", "your": "your", "their": "their", "his": "their", "her": "their", "its": "its",
    "the": "the", "a": "the", "an": "the", "this": "this", "that": "that", "these": "these", "those": "those",
    "one": "one", "some": "some", "any": "any", "each": "each", "both": "both",
}  # fmt: skip
"""First words of names that replace an article."""
PRONOUNS = {
    "it", "them", "they", "he", "she", "him", "her", "me", "us", "we", "i", "this", "that", "these", "those", "one",
    "ones", "who", "whom", "which", "what", "each", "both", "all", "any", "some", "someone", "somebody", "anyone",
    "anybody", "everyone", "everybody", "other", "others", "another", "self", "same",
}  # fmt: skip


def with_article(noun: str, thing: str) -> str:
    """Return a name with its article. `thing`: the type of its value, `card` or `players`."""
    first, _, rest = noun.partition(" ")
    if rest:
        return f"{DETERMINERS.get(first.lower(), f'the {first}')} {rest}"
    if is_noun(noun):
        return f"the {noun}"
    if noun in ("other", "others"):
        return f"the other {thing}"
    whose = OWNERS.get(noun.lower())
    return f"{whose} {thing}" if whose and thing not in ("player", "players") else f"the {thing} in question"


def is_noun(name: str) -> bool:
    """Return whether a name can follow an article, unlike `theirs`, `mine`, `it`."""
    return name.lower() not in PRONOUNS | OWNERS.keys()
