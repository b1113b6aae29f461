"""Search of the cookbook by the words that designers use."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from math import inf, log
from pathlib import Path

from attrs import frozen

PACKAGE_FOLDER = Path(__file__).parents[1]
ENTRY_PATTERN = re.compile(r"^### (?P<heading>.+)\n\n\*Also: (?P<also>.+)\*\n(?P<rest>(?:(?!##).*\n)*)", re.MULTILINE)
CODE_BLOCK_PATTERN = re.compile(r"^```.*\n((?:(?!```).*\n)*)```$", re.MULTILINE)
LINK_PATTERN = re.compile(r"\[([^]\n]*)\]\([^)\n]*\)")
COOKBOOK_WORD_PATTERN = re.compile(r"[a-z]+(?:'[a-z]+)?")
STOP_WORD_TEXT, _, SYNONYM_TEXT = Path(__file__).with_name("cookbook_words.txt").read_text("utf-8").partition("\n\n")
"""Words that do not count in a search, then a line for each group of words that designers use for each other."""
STOP_WORDS = frozenset(STOP_WORD_TEXT.split())
SYNONYM_GROUPS = SYNONYM_TEXT.splitlines()
HEADING_WEIGHT = 1.1
"""How much more the heading of an entry counts than its other phrases."""
SMOOTH = 0.7
"""How much the length of a line and of a phrase counts against them."""
MIN_MATCHED_SHARE = 0.35
"""The share of the words asked for, by weight, that an entry must have in its phrases."""
CERTAIN_SCORE = 2.8
"""Score above which an entry is proposed alone, or with those about as good."""
CLOSE = 0.8
"""Share of the best score that an entry needs to be about as good."""
MAX_PROPOSED_ENTRIES = 3
UNKNOWN_WORD_WEIGHT = 2.0
"""Weight of a word that no entry has."""


@frozen
class CookbookEntry:
    """Entry of the cookbook. `body` is Markdown: text and blocks of code."""

    heading: str
    aliases: str
    body: str

    def __str__(self) -> str:
        indented = CODE_BLOCK_PATTERN.sub(
            lambda block: re.sub(r"^(?=.)", "    ", block[1].rstrip(), flags=re.MULTILINE), self.body
        )
        text = LINK_PATTERN.sub(r"\1", indented).strip()
        return f"{self.heading}\n\n{text}"

    @property
    def search_phrases(self) -> list[str]:
        """Its heading, other words for it, and its first sentence."""
        text = CODE_BLOCK_PATTERN.sub("", self.body).strip()
        return [self.heading, *self.aliases.split(", "), text.partition(". ")[0]]


@frozen
class CookbookIndex:
    """Stems of each entry's phrases, and the weight of each stem: the rarer, the heavier."""

    phrases: dict[CookbookEntry, list[list[str]]]
    stem_weights: dict[str, float]

    def find_entries(self, query: str, min_matched_share: float = MIN_MATCHED_SHARE) -> dict[CookbookEntry, float]:
        """Return the entries that match, the best first, and their scores."""
        asked = find_stems(query)
        total_weight = self.sum_weights(asked) or 1.0
        scores: dict[CookbookEntry, float] = {}
        for entry, phrases in self.phrases.items():
            known = self.sum_weights({stem for phrase in phrases for stem in phrase}.intersection(asked)) / total_weight
            if known > min_matched_share:
                heading, *others = (self.score_phrase(phrase, asked) for phrase in phrases)
                scores[entry] = max(HEADING_WEIGHT * heading, *others) + known
        return dict(sorted(scores.items(), key=lambda item: -item[1]))

    def score_phrase(self, phrase: list[str], query_stems: list[str]) -> float:
        """Return the weight of the common words, by the weights of all words of both. Rare words give higher values."""
        both = self.sum_weights(phrase) * self.sum_weights(query_stems)
        return self.sum_weights(set(phrase).intersection(query_stems)) ** 2 / both**SMOOTH if both else 0.0

    def sum_weights(self, stems: Iterable[str]) -> float:
        return sum(self.stem_weights.get(stem, UNKNOWN_WORD_WEIGHT) for stem in stems)


def stem_word(word: str) -> str:
    """Return a word without its ending: `trades`, `trading` and `traded` give `trad`."""
    word = re.sub("(?<=..)ies$", "y", word.partition("'")[0])
    word = re.sub(r"(?<=...)(?<!s)s$", "", re.sub("our$", "or", word))
    word = re.sub(r"(?<=...)(?:ing|ed|(?<!play)er|e)$", "", word)
    return re.sub(r"([b-df-hj-np-tv-z])\1$", r"\1", word)


CANONICAL_STEMS = {stem_word(word): stem_word(words.split()[0]) for words in SYNONYM_GROUPS for word in words.split()}


def find_stems(text: str) -> list[str]:
    """Return the stems of the words that matter, each once; of words with one meaning, the same stem."""
    stems = [stem_word(word) for word in COOKBOOK_WORD_PATTERN.findall(text.lower()) if word not in STOP_WORDS]
    return list(dict.fromkeys(CANONICAL_STEMS.get(stem, stem) for stem in stems))


@cache
def load_cookbook_index() -> CookbookIndex:
    """Read the cookbook: inside an installed package, or among the documents in a checkout."""
    inside = PACKAGE_FOLDER / "cookbook.md"
    text = (inside if inside.is_file() else PACKAGE_FOLDER.parent / "docs" / "cookbook.md").read_text("utf-8")
    entries = [CookbookEntry(match["heading"], match["also"], match["rest"]) for match in ENTRY_PATTERN.finditer(text)]
    phrases = {entry: [find_stems(phrase) for phrase in entry.search_phrases] for entry in entries}
    often = Counter(
        stem for entry_phrases in phrases.values() for stem in {stem for phrase in entry_phrases for stem in phrase}
    )
    return CookbookIndex(phrases, {stem: log((len(phrases) + 1) / number) for stem, number in often.items()})


def search_cookbook(query: str) -> list[CookbookEntry]:
    """Return the entries of the cookbook that match, the best first."""
    return list(load_cookbook_index().find_entries(query))


def suggest_cookbook_entries(line: str, or_nearest: bool, topic: str = "") -> str:
    """Return which entries of the cookbook fit a line, or which are nearest, and how to read the first one.

    A topic is the heading of the entry that fits."""
    known = (entry for entry in load_cookbook_index().phrases if entry.heading == topic)
    scores = {entry: inf for entry in known} or load_cookbook_index().find_entries(line, 0)
    best = max(scores.values(), default=0.0)
    entries = [entry for entry, score in scores.items() if best < CERTAIN_SCORE or score >= CLOSE * best]
    names = [f"“{entry.heading}”" for entry in entries[:MAX_PROPOSED_ENTRIES]]
    if not names or (best < CERTAIN_SCORE and not or_nearest):
        return ""
    listed = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    command = f'run `cardlang explain "{shorten_heading(entries[0])}"`'
    if best > CERTAIN_SCORE:
        return f"the cookbook has {listed}: {command}"
    return f"the nearest entries of the cookbook are {listed}: {command}, or try other words"


def shorten_heading(entry: CookbookEntry) -> str:
    """Return the first words of a heading, cut before a small word, as many as are needed to find its entry."""
    words = re.findall(r"[\w'-]+", entry.heading.lower())
    ends = [end for end in range(2, len(words)) if words[end] in STOP_WORDS and words[end - 1] not in STOP_WORDS]
    names = [" ".join(words[:end]) for end in ends]
    return next(
        (name for name in names if len(find_stems(name)) > 1 and search_cookbook(name)[:1] == [entry]), " ".join(words)
    )
