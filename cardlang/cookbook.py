"""The cookbook, searched by what designers call things: `trade a card` finds "Trade cards with another player".

Imports: nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from math import log
from pathlib import Path

from attrs import frozen

PACKAGE = Path(__file__).parent
ENTRY = re.compile(r"^### (?P<heading>.+)\n\n\*Also: (?P<also>.+)\*\n(?P<rest>(?:(?!##).*\n)*)", re.MULTILINE)
BLOCK = re.compile(r"^```.*\n((?:(?!```).*\n)*)```$", re.MULTILINE)
LINK = re.compile(r"\[([^]\n]*)\]\([^)\n]*\)")
WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
STOP_WORDS = frozenset(
    WORD.findall(
        "a an and any are as at be by can cannot do each every everyone for from have has he her his how i if in is it "
        "its let make many may me more much must my no not of on onto or other over so than that the their them then "
        "there they this to get gets gotten got nobody something when whenever which who will with you your "
        "one two three four five six seven eight nine ten"
    )
)
SAME = (
    "beat beaten",
    "choose pick select chosen",
    "deal dealt",
    "draw drawn drew",
    "give given gave",
    "lose lost",
    "pay paid",
    "take taken took",
    "trade swap exchange switch",
    "win won",
    "secret hidden",
    "coin money chip",
    "player neighbour opponent rival someone",
    "begin start",
    "end finish",
    "show reveal",
    "colour suit",
    "fewest least lowest",
    "bet wager",
    "buy purchase",
    "price cost",
    "rest remaining",
    "teammate partner",
    "die dice",
    "life lives",
    "lie lied liar",
    "goes go",
    "pile stack",
    "biggest highest best greatest",
    "everybody player",
    "shuffle mix",
    "finish over",
    "lay put place",
    "guess predict",
    "clue hint",
    "peek look",
    "trash remove banish",
    "flip turn",
)
"""Words that designers use for each other."""
HEADING, ALSO, TEXT = 1.0, 0.85, 0.3
"""How much a word counts by the place where an entry has it."""
ENOUGH = 0.35
"""The share of the words asked for, by weight, that an entry must have."""
SURE = 3.5
"""How much of one phrase an entry must have to be proposed without being asked for: a rare word, or two others."""
PART = 0.6
"""The same of a line of common words, as a share of their weight."""
COMMON = 1.5
"""Weight of a word too common to search for."""
UNKNOWN = 3.0
"""Weight of a word that no entry has."""


@frozen
class Entry:
    """Entry of the cookbook. `rest` is Markdown: text and blocks of code."""

    heading: str
    also: str
    rest: str

    def __str__(self) -> str:
        indented = BLOCK.sub(lambda block: re.sub(r"^(?=.)", "    ", block[1].rstrip(), flags=re.MULTILINE), self.rest)
        text = LINK.sub(r"\1", indented).strip()
        return f"{self.heading}\n\n{text}"

    @property
    def phrases(self) -> list[str]:
        return [self.heading, *self.also.split(", ")]

    def stems(self) -> dict[str, float]:
        """Return the stems of its words, and how much they count."""
        parts = ((BLOCK.sub("", self.rest), TEXT), (self.also, ALSO), (self.heading, HEADING))
        return {stem: weight for part, weight in parts for stem in stems_of(part)}


@frozen
class Index:
    """Entries by the stems of their words, and the weight of each stem: the rarer, the heavier."""

    stems: dict[Entry, dict[str, float]]
    weights: dict[str, float]

    def search(self, words: str, sure: float = 0.0) -> list[Entry]:
        """Return the entries that match, the best first."""
        asked = stems_of(words)
        wanted = self.weight(asked) or 1.0
        found: dict[Entry, float] = {}
        for entry, stems in self.stems.items():
            share = sum(self.weights.get(stem, UNKNOWN) * stems.get(stem, 0.0) for stem in asked) / wanted
            likeness = max(self.likeness(phrase, asked) for phrase in entry.phrases)
            if share > ENOUGH and likeness > min(sure, wanted * PART):
                found[entry] = share + likeness / SURE
        return sorted(found, key=lambda entry: -found[entry])

    def likeness(self, phrase: str, asked: list[str]) -> float:
        """Return the weight of the words of a phrase that are asked for, by the share of the phrase that they are."""
        stems = stems_of(phrase)
        known = self.weight([stem for stem in stems if stem in asked])
        return known * known / (self.weight(stems) or 1.0)

    def weight(self, stems: list[str]) -> float:
        return sum(self.weights.get(stem, UNKNOWN) for stem in stems)


def stem(word: str) -> str:
    """Return a word without its ending: `trades`, `trading` and `traded` give `trad`."""
    word = re.sub("(?<=..)ies$", "y", word.partition("'")[0])
    word = re.sub(r"(?<=...)(?<!s)s$", "", re.sub("our$", "or", word))
    word = re.sub(r"(?<=...)(?:ing|ed|(?<!play)er|e)$", "", word)
    return re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", word)


MEANT = {stem(word): stem(words.split()[0]) for words in SAME for word in words.split()}


def stems_of(text: str) -> list[str]:
    """Return the stems of the words that matter, each once; of words with one meaning, the same stem."""
    stems = [stem(word) for word in WORD.findall(text.lower()) if word not in STOP_WORDS]
    return list(dict.fromkeys(MEANT.get(stem, stem) for stem in stems))


@cache
def index() -> Index:
    """Read the cookbook: inside an installed package, or among the documents in a checkout."""
    inside = PACKAGE / "cookbook.md"
    text = (inside if inside.is_file() else PACKAGE.parent / "docs" / "cookbook.md").read_text("utf-8")
    entries = [Entry(match["heading"], match["also"], match["rest"]) for match in ENTRY.finditer(text)]
    stems = {entry: entry.stems() for entry in entries}
    often = Counter(stem for own in stems.values() for stem in own)
    return Index(stems, {stem: log((len(stems) + 1) / number) for stem, number in often.items()})


def search(words: str) -> list[Entry]:
    """Return the entries of the cookbook that match, the best first."""
    return index().search(words)


def advice(line: str, otherwise: bool) -> str:
    """Return where the cookbook says how to write a line; if it doesn't, `otherwise`, how to search in it."""
    found = index().search(line, SURE)
    if found:
        return f'the cookbook has “{found[0].heading}”: run `cardlang explain "{short_name(found[0])}"`'
    words = [word for word in WORD.findall(line) if search(word)] if otherwise else []
    word = max(words, key=lambda word: index().weight(stems_of(word)), default="player")
    known = index().weight(stems_of(word)) > COMMON
    return f"the cookbook lists what rules can do: run `cardlang explain {word}`, or try other words" if known else ""


def short_name(entry: Entry) -> str:
    """Return the first words of a heading, cut before a small word, as many as are needed to find its entry."""
    words = re.findall(r"[\w'-]+", entry.heading.lower())
    ends = [end for end in range(2, len(words)) if words[end] in STOP_WORDS and words[end - 1] not in STOP_WORDS]
    names = [" ".join(words[:end]) for end in ends]
    return next((name for name in names if len(stems_of(name)) > 1 and search(name)[:1] == [entry]), " ".join(words))
