"""The cookbook, searched by what designers call things: `trade a card` finds "Trade cards with another player".

Imports: nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
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
    "choose pick select chosen decide",
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
    "player neighbour opponent rival someone everybody",
    "begin start",
    "end finish over",
    "show reveal",
    "colour suit",
    "fewest least lowest",
    "bet wager",
    "buy purchase",
    "price cost",
    "rest remaining",
    "teammate partner ally",
    "die dice",
    "life lives",
    "lie lied liar",
    "goes go",
    "pile stack",
    "biggest highest best greatest",
    "shuffle mix",
    "lay put place",
    "guess predict",
    "clue hint",
    "peek look",
    "trash remove banish",
    "flip turn",
    "youngest oldest",
    "empty exhausted",
    "cancel block prevent",
    "challenge doubt",
    "team side alliance",
    "token counter marker",
    "gather collect",
    "instruction text",
    "steal rob",
    "market shop store",
    "leave drop",
    "mission objective quest",
    "damage hit harm",
    "hurt attack",
    "minus negative penalty",
    "outbid raise",
)
"""Words that designers use for each other."""
HEADING = 1.1
"""How much more the heading of an entry counts than its other phrases."""
SMOOTH = 0.7
"""How much the length of a line and of a phrase counts against them."""
ENOUGH = 0.35
"""The share of the words asked for, by weight, that an entry must have in its phrases."""
SURE = 2.2
"""Score that an entry must have to be proposed without being asked for."""
CLOSE = 0.8
"""Share of the best score that another entry needs to be proposed as well."""
COMMON = 1.5
"""Weight of a word too common to search for."""
UNKNOWN = 2.0
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
        """Its heading, other words for it, and its first sentence."""
        text = BLOCK.sub("", self.rest).strip()
        return [self.heading, *self.also.split(", "), text.partition(". ")[0]]


@frozen
class Index:
    """Stems of each entry's phrases, and the weight of each stem: the rarer, the heavier."""

    phrases: dict[Entry, list[list[str]]]
    weights: dict[str, float]

    def search(self, words: str) -> dict[Entry, float]:
        """Return the entries that match, the best first, and their scores."""
        asked = stems_of(words)
        wanted = self.weight(asked) or 1.0
        found: dict[Entry, float] = {}
        for entry, phrases in self.phrases.items():
            known = self.weight({stem for phrase in phrases for stem in phrase}.intersection(asked)) / wanted
            if known > ENOUGH:
                heading, *others = (self.likeness(phrase, asked) for phrase in phrases)
                found[entry] = max(HEADING * heading, *others) + known
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def likeness(self, phrase: list[str], asked: list[str]) -> float:
        """Return the weight of the common words, by the weights of all words of both. Rare words give higher values."""
        both = self.weight(phrase) * self.weight(asked)
        return self.weight(set(phrase).intersection(asked)) ** 2 / both**SMOOTH if both else 0.0

    def weight(self, stems: Iterable[str]) -> float:
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
    phrases = {entry: [stems_of(phrase) for phrase in entry.phrases] for entry in entries}
    often = Counter(stem for own in phrases.values() for stem in {stem for phrase in own for stem in phrase})
    return Index(phrases, {stem: log((len(phrases) + 1) / number) for stem, number in often.items()})


def search(words: str) -> list[Entry]:
    """Return the entries of the cookbook that match, the best first."""
    return list(index().search(words))


def advice(line: str, otherwise: bool) -> str:
    """Return where the cookbook says how to write a line; if it doesn't, `otherwise`, how to search in it."""
    found = index().search(line)
    best = max(found.values(), default=0.0)
    if best > SURE:
        names = [entry for entry, score in found.items() if score > CLOSE * best][:2]
        commands = (f'`cardlang explain "{short_name(entry)}"`' for entry in names)
        return f"the cookbook has {' and '.join(f'“{entry.heading}”' for entry in names)}: run {' or '.join(commands)}"
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
