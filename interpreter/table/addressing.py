"""Rewrite sentences in the second person: replace the viewer's name by `you` and conjugate the verb."""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import evolve

from cardlang import words
from interpreter.table.model import Moment, Told

NO_VERBS = ("as", "his", "its", "this", "thus", "less", "plus", "minus", "always", "perhaps")
STARTS = re.compile(r"(?:^|(?<=[.!?] ))(?=\S)")
CLAUSE = re.compile(r"(?:[,;:]|\b(?:[Aa]s|[Ii]f|[Ww]hen|then|that|because)) $")
"""Beginning of a clause, in which a following name is the subject and the next word its verb.

Elsewhere, the name can be an object and the next word something the player is given.
"""
FURTHER = re.compile(
    r"\b(and (?:so |then |also )?)([a-z]+s)\b(?P<object> (?:an?|the|all|no|what|who|it|one|their|your|\d+|\[))?"
)
"""A second verb after `and`. Its object distinguishes it from a noun (`aces and sixes`)."""
KEPT = 64


class Addressed:
    """Rewriter of sentences about one player, for that player to read."""

    def __init__(self, name: str | None) -> None:
        own = re.escape(name) if name is not None else r"(?!)"
        self.name = re.compile(rf"(?<!\w){own}('s)?(?!\w)(?: (?P<verb>[a-z]+)(?!\w))?")

    def told(self, told: Told) -> Told:
        text, more = self.text(told.text), tuple(map(self.text, told.more))
        return told if (text, more) == (told.text, told.more) else evolve(told, text=text, more=more)

    def moment(self, moment: Moment) -> Moment:
        """Rewrite the headline and lines of a result. The rows of its table keep all names."""
        return evolve(moment, headline=self.text(moment.headline), lines=tuple(map(self.text, moment.lines)))

    def text(self, text: str) -> str:
        """Turn `Ann passes 3 cards to their hand.` into `You pass 3 cards to your hand.`"""
        return "".join(self.sentence(each) for each in STARTS.split(text)) if self.name.search(text) else text

    def sentence(self, text: str) -> str:
        first = self.name.match(text)
        if first is not None and not first[1]:
            text = FURTHER.sub(spoken_on, text.replace(" their ", " your "))
        return self.name.sub(lambda found: called(found, text), text)


def called(found: re.Match[str], text: str) -> str:
    begins, clause = found.start() == 0, CLAUSE.search(text, 0, found.start())
    you, verb = "your" if found[1] else "you", found["verb"]
    if begins:
        you = you.capitalize()
    if verb is None:
        return you
    return f"{you} {spoken_to(verb) if (begins or clause) and not found[1] else verb}"


def spoken_to(verb: str) -> str:
    """Return a verb in the second person: `pass` for `passes`, `are` for `is`. Leave other words unchanged."""
    if verb in NO_VERBS or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    return words.agree(verb, True)


def spoken_on(found: re.Match[str]) -> str:
    """Return a second verb after `and` in the second person: `You fold and discard 2 cards.`"""
    verb = spoken_to(found[2])
    is_verb = verb == "have" or verb in words.PLAYED or found["object"]
    return f"{found[1]}{verb}{found['object'] or ''}" if is_verb else found[0]


@lru_cache(maxsize=KEPT)
def to(name: str | None) -> Addressed:
    """Return the rewriter for a player. For None, a spectator, it changes nothing."""
    return Addressed(name)
