"""Playtest statistics by game and version: match length, thinking time, problem reports, answers, overrides.

Random playouts of the version are reported for comparison."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import fmean, median

from attrs import define, field

from cardlang.game import Game
from cardlang.plain_text import harmless
from cardlang.web.shelf import Shelf
from cardlang.web.store import Store
from interpreter.errors import RuleError
from interpreter.matches.match import start
from interpreter.matches.record import match_of

SLOWEST = 5
"""Number of rules with the longest thinking time to list."""
LATEST = 300
"""Number of latest matches to evaluate."""
TRIALS, LONGEST_TRIAL, ALL_TRIALS = 40, 2_000, 20_000
"""Number of random playouts, maximum decisions in each, and in all together."""
Figures = dict[str, object]


@define
class Counted:
    """Statistics of the matches of one version.

    `thought`: thinking times in seconds, by the line of the rule that asks for the decision."""

    title: str
    version: str
    began: float = 0.0
    """Start of the first counted match, in seconds since 1970."""
    matches: int = 0
    ended: int = 0
    undone: int = 0
    decisions: list[int] = field(factory=list)
    thought: dict[int, list[float]] = field(factory=lambda: defaultdict(list))
    allowed: list[Figures] = field(factory=list)
    odd: list[Figures] = field(factory=list)
    answers: list[tuple[int, int, int]] = field(factory=list)

    def told(self, text: str, bots: str) -> Figures:
        """Return the statistics as JSON values.

        `text`: source of the game, to quote rules. `bots`: summary of the random playouts."""
        all_thought = [seconds for each in self.thought.values() for seconds in each]
        marks = list(zip(*self.answers, strict=True)) or [(), (), ()]
        fun, clear, again = (fmean(each) if each else None for each in marks)
        return {
            "version": self.version, "began": self.began,
            "matches": self.matches, "ended": self.ended, "undone": self.undone,
            "decisions": fmean(self.decisions) if self.decisions else None,
            "thought": median(all_thought) if all_thought else None,
            "slow": list(self.slow(text.splitlines())), "odd": self.odd, "allowed": self.allowed,
            "fun": fun, "clear": clear, "again": again, "answers": len(self.answers), "bots": bots,
        }  # fmt: skip

    def slow(self, lines: list[str]) -> Iterable[Figures]:
        """Yield the rules with the longest median thinking time."""
        rules = {rule: (median(each), len(each)) for rule, each in self.thought.items() if rule}
        for rule in sorted(rules, key=lambda rule: -rules[rule][0])[:SLOWEST]:
            line = harmless(lines[rule - 1])[:120] if rule <= len(lines) else ""
            yield {"rule": rule, "thought": rules[rule][0], "count": rules[rule][1], "text": line}


def all_figures(path: Path, shelf: Shelf) -> list[Figures]:
    """Return the statistics of each game by title, its versions latest first.

    Open a separate connection to the store, so that the server can write meanwhile."""
    store = Store(path)
    try:
        found, headers = counted(store)
    finally:
        store.close()
    games: dict[str, list[Figures]] = {}
    for key, one in found.items():
        match = match_of(headers[key], Path(one.title), shelf.again)
        bots = bots_figures(match.game, len(match.players))
        games.setdefault(one.title, []).append(one.told(match.game.sources[0].text, bots))
    return [{"title": title, "versions": versions} for title, versions in games.items()]


def counted(store: Store) -> tuple[dict[tuple[str, str], Counted], dict[tuple[str, str], Figures]]:
    """Return the statistics by title and version, and the record header of one match of each."""
    found: dict[tuple[str, str], Counted] = {}
    headers: dict[tuple[str, str], Figures] = {}
    rows = store.file.execute(
        "select id, title, version, began, ended from matches order by id desc limit ?", (LATEST,)
    ).fetchall()
    for number, title, version, began, ended in rows:
        one = found.setdefault((title, version), Counted(title, version))
        one.began = began
        one.matches += 1
        one.ended += ended is not None
        lines = store.lines(number)
        headers.setdefault((title, version), json.loads(lines[0].line))
        count_lines(one, number, ((each.thought, each.rule, json.loads(each.line)) for each in lines[1:]))
        odd = store.file.execute("select at, who, word from odd where match = ? order by rowid", (number,))
        one.odd += [{"match": number, "at": at, "who": who, "word": word} for at, who, word in odd]
        one.answers += store.file.execute("select fun, clear, again from answers where match = ?", (number,))
    return found, headers


def count_lines(one: Counted, number: int, lines: Iterable[tuple[float | None, int, Figures]]) -> None:
    made = 0
    for thought, rule, entry in lines:
        if "undo" in entry:
            made -= int(str(entry["undo"]))
            one.undone += 1
        elif "allowed" in entry:
            made += 1
            one.allowed.append({"match": number, "text": told_allowed(entry)})
        else:
            made += 1
            if thought is not None:
                one.thought[rule].append(thought)
    one.decisions.append(made)


def told_allowed(entry: Figures) -> str:
    """Return a summary of a host override from its line in the record."""
    keys = ("card", "to", "of", "track", "value", "allowed")
    return " · ".join(str(entry[key]) for key in keys if entry.get(key))


def bots_figures(game: Game, players: int) -> str:
    """Return a one-sentence summary of random playouts."""
    random, lengths, wins, left = Random(1), [], [0] * players, ALL_TRIALS
    for seed in range(TRIALS):
        match = start(game, players, seed)
        try:
            while not match.over and len(match.choices) < LONGEST_TRIAL and left > 0:
                match.choose(random.randrange(len(match.state.legal)))
                left -= 1
        except RuleError as error:
            return f"line {error.span.line} of the rules failed: {error.message}"
        if left <= 0:
            break
        lengths.append(len(match.choices))
        for name in match.winners:
            wins[match.players.index(name)] += 1
    if not lengths:
        return "no random match finished in time"
    won = ", ".join(str(each) for each in wins)
    return f"{len(lengths)} random matches of {players}: {fmean(lengths):.1f} decisions each, won by seat {won}"
