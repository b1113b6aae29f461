"""Names that everyday English leaves implicit: zones, numbers and players, guessed from the game's text."""

from __future__ import annotations

import re
from itertools import chain, count

from attrs import frozen

from cardlang.words import SMALL

ZONE = re.compile(r"^zone (your )?([\w-]+)(?![\w'-])([^\n]*)", re.MULTILINE)
DISCARDS = re.compile(r"discard|muck|waste|trash|used", re.IGNORECASE)
POINTS = re.compile(r"score|point", re.IGNORECASE)
DISCARD_PILE = re.compile(r"(?:the )?(?:discard pile|discards|pile)(?![\w-])")
DRAW_PILE = re.compile(r"(?:the )?(?:draw pile|stock|deck|pack)(?![\w-])")
MIDDLE = re.compile(r"(?:the )?(?:middle|cent(?:re|er))(?![\w-])")
DEFAULT_HAND = "hand"
NUMBERS = {**{word: str(number) for number, word in enumerate(SMALL)}, "a": "1", "an": "1"}
N = rf"(?P<n>\d+|{'|'.join(NUMBERS)})"
EVERY = r"(?:each|every)(?: of the)?(?: player| person)?|every(?:one|body)"
EACH = rf"(?:{EVERY}|all(?: the)?(?: players)?|(?:the )?players(?!'))"


@frozen
class Names:
    """Guessed names of a game.

    `home`, `hand`, `discards` and `table` are the zones where cards start, are held, are discarded and are played.
    `points` is each player's score, and `numbers` are all their numbers. `people` are the global players. `value` is
    the first ordered kind, as a column of cards, and `step` the enclosing step."""

    home: str
    hand: str
    discards: str
    table: str
    points: str
    numbers: tuple[str, ...]
    people: tuple[str, ...]
    kinds: tuple[str, ...]
    value: str
    step: str
    has_cards: bool
    has_score: bool

    def with_zones(self, text: str) -> str:
        """Return a text with common names of piles replaced by the game's zones."""
        for zone, called in ((self.home, DRAW_PILE), (self.discards, DISCARD_PILE), (self.table, MIDDLE)):
            text = called.sub(zone, text)
        return text

    def number(self, thing: str) -> str:
        """Return the number of each player that a word refers to, or an empty string."""
        forms = (thing, f"{thing}s", thing.removesuffix("s"))
        found = next((form for form in forms if form in self.numbers), "")
        return found or (self.points if POINTS.search(thing) else "")


def names_of(text: str, before: int) -> Names:
    """Guess the names of a game from its declarations, and the enclosing step from the lines before a position."""
    found = ZONE.findall(text)
    start = re.search(r"^cards [^\n]*? in ([\w-]+)", text, re.MULTILINE)
    home = start[1] if start else "deck"
    hands = [name for your, name, _ in found if your]
    piles = [name for your, name, rest in found if not your and name != home]
    discards = next(filter(DISCARDS.search, piles), piles[0] if piles else home)
    seen = [name for your, name, rest in found if not your and "seen by nobody" not in rest]
    others = [name for name in seen if name not in (home, discards)]
    hand = DEFAULT_HAND if DEFAULT_HAND in hands or not hands else hands[0]
    numbers = declared(text, r"number your")
    return Names(
        home,
        hand,
        discards,
        others[0] if others else discards,
        next(filter(POINTS.search, numbers), "score"),
        numbers,
        declared(text, "player"),
        declared(text, "(?:ordered )?kind"),
        next((kind.lower() for kind in declared(text, "ordered kind")), "value"),
        (declared(text[:before], "step(?: your)?") or ("play",))[-1],
        bool(start),
        "score" in (*numbers, *declared(text, "define your")),
    )


def declared(text: str, head: str) -> tuple[str, ...]:
    """Return the names in declarations with this head, in order."""
    return tuple(re.findall(rf"^{head} ([A-Za-z][\w-]*)(?![\w'-])", text, re.MULTILINE))


def free_name(text: str, wanted: str) -> str:
    """Return a name, with a number after it if the game has it already."""
    names = chain([wanted], (f"{wanted}-{number}" for number in count(2)))
    return next(name for name in names if not re.search(rf"(?<![\w-]){name}(?! of\b|[\w-])", text))


def count_of(said: re.Match[str]) -> str:
    return NUMBERS.get(said["n"], said["n"])


def top(count: str, source: str) -> str:
    return f"top of {source}" if count == "1" else f"top {count} of {source}"
