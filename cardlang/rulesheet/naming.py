"""The names that authors give to what is chosen or remembered, as nouns: `the victim`, `their card`."""

from __future__ import annotations

OWNERS = {
    "mine": "your", "yours": "your", "ours": "your", "own": "your own",
    "theirs": "their", "his": "their", "hers": "their",
}  # fmt: skip
"""Names that say whose something is, and the word for that before a noun."""
DETERMINERS = {
    "my": "your", "our": "your", "your": "your", "their": "their", "his": "their", "her": "their", "its": "its",
    "the": "the", "a": "the", "an": "the", "this": "this", "that": "that", "these": "these", "those": "those",
    "one": "one", "some": "some", "any": "any", "each": "each", "both": "both",
}  # fmt: skip
"""First words of names that already stand where an article would."""
PRONOUNS = {
    "it", "them", "they", "he", "she", "him", "her", "me", "us", "we", "i", "this", "that", "these", "those", "one",
    "ones", "who", "whom", "which", "what", "each", "both", "all", "any", "some", "someone", "somebody", "anyone",
    "anybody", "everyone", "everybody", "other", "others", "another", "self", "same",
}  # fmt: skip


def with_article(noun: str, thing: str) -> str:
    """A name with the article it needs. `thing`: what has the name, `card` or `players`."""
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
    """Whether a name can stand behind an article: not `theirs`, `mine`, `it`."""
    return name.lower() not in PRONOUNS | OWNERS.keys()
