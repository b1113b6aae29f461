"""What is told, to the one who reads it: their own name becomes `you`, with the verb that goes with it."""

from __future__ import annotations

import re
from functools import lru_cache

from attrs import evolve

from cardlang import words
from interpreter.table.model import Moment, Told

NO_VERBS = ("as", "his", "its", "this", "thus", "less", "plus", "minus", "always", "perhaps")
STARTS = re.compile(r"(?:^|(?<=[.!?] ))(?=\S)")
CLAUSE = re.compile(r"(?:[,;:]|\b(?:[Aa]s|[Ii]f|[Ww]hen|then|that|because)) $")
"""Behind this somebody who is named does what the next word says; elsewhere that may be what they are given."""
FURTHER = re.compile(
    r"\b(and (?:so |then |also )?)([a-z]+s)\b(?P<object> (?:an?|the|all|no|what|who|it|one|their|your|\d+|\[))?"
)
"""A verb behind `and`: what it is done to tells it from a noun (`aces and sixes`)."""
KEPT = 64


class Addressed:
    """Texts about a player, as that player is told them."""

    def __init__(self, name: str | None) -> None:
        own = re.escape(name) if name is not None else r"(?!)"
        self.name = re.compile(rf"(?<!\w){own}('s)?(?!\w)(?: (?P<verb>[a-z]+)(?!\w))?")

    def told(self, told: Told) -> Told:
        text, more = self.text(told.text), tuple(map(self.text, told.more))
        return told if (text, more) == (told.text, told.more) else evolve(told, text=text, more=more)

    def moment(self, moment: Moment) -> Moment:
        """The rows of a table name everybody; its sentences speak to the viewer."""
        return evolve(moment, headline=self.text(moment.headline), lines=tuple(map(self.text, moment.lines)))

    def text(self, text: str) -> str:
        """`Ann passes 3 cards to their hand.` as `You pass 3 cards to your hand.`"""
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
    """`passes` as `pass`, `is` as `are`; a word that is no verb stays."""
    if verb in NO_VERBS or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    return words.agree(verb, True)


def spoken_on(found: re.Match[str]) -> str:
    """A verb behind `and`: `You fold and discard 2 cards.`"""
    verb = spoken_to(found[2])
    is_verb = verb == "have" or verb in words.PLAYED or found["object"]
    return f"{found[1]}{verb}{found['object'] or ''}" if is_verb else found[0]


@lru_cache(maxsize=KEPT)
def to(name: str | None) -> Addressed:
    """None: somebody who looks on, and is told of everybody by name."""
    return Addressed(name)
