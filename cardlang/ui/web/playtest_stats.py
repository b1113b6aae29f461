"""Playtest statistics of each version of a game.

Random playouts of the version are reported for comparison.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import fmean, median

from attrs import define, field

from cardlang.english.control_characters import remove_invisible_characters
from cardlang.model import Game
from cardlang.ui.web.database import Store
from cardlang.ui.web.game_catalog import GameCatalog
from interpreter.match.match import start
from interpreter.match.record_resume import start_recorded_match
from interpreter.runtime.errors import RuleError

MAX_SLOW_RULES = 5
"""Number of rules with the longest thinking time to list."""
MAX_MATCHES = 300
"""Number of latest matches to evaluate."""
PLAYOUTS, MAX_PLAYOUT_DECISIONS, MAX_TOTAL_DECISIONS = 40, 2_000, 20_000
"""Number of random playouts, maximum decisions in each, and in all together."""
JsonObject = dict[str, object]


@define
class VersionStats:
    """Statistics of the matches of one version.

    `thinking_times`: thinking times in seconds, by the line of the rule that asks for the decision."""

    title: str
    version: str
    first_start: float = 0.0
    """Start of the first counted match, in seconds since 1970."""
    matches: int = 0
    ended: int = 0
    undone: int = 0
    decisions: list[int] = field(factory=list)
    thinking_times: dict[int, list[float]] = field(factory=lambda: defaultdict(list))
    overrides: list[JsonObject] = field(factory=list)
    reports: list[JsonObject] = field(factory=list)
    answers: list[tuple[int, int, int]] = field(factory=list)

    def build_json(self, text: str, bots: str) -> JsonObject:
        """Return the statistics as JSON values.

        `text`: source of the game, to quote rules. `bots`: summary of the random playouts."""
        all_thought = [seconds for values in self.thinking_times.values() for seconds in values]
        marks = list(zip(*self.answers, strict=True)) or [(), (), ()]
        fun, clear, again = (fmean(values) if values else None for values in marks)
        return {
            "version": self.version, "began": self.first_start,
            "matches": self.matches, "ended": self.ended, "undone": self.undone,
            "decisions": fmean(self.decisions) if self.decisions else None,
            "thought": median(all_thought) if all_thought else None,
            "slow": list(self.find_slow_rules(text.splitlines())), "odd": self.reports, "allowed": self.overrides,
            "fun": fun, "clear": clear, "again": again, "answers": len(self.answers), "bots": bots,
        }  # fmt: skip

    def find_slow_rules(self, lines: list[str]) -> Iterable[JsonObject]:
        """Yield the rules with the longest median thinking time."""
        rules = {rule: (median(times), len(times)) for rule, times in self.thinking_times.items() if rule}
        for rule in sorted(rules, key=lambda rule: -rules[rule][0])[:MAX_SLOW_RULES]:
            line = remove_invisible_characters(lines[rule - 1])[:120] if rule <= len(lines) else ""
            yield {"rule": rule, "thought": rules[rule][0], "count": rules[rule][1], "text": line}


def build_playtest_stats(path: Path, catalog: GameCatalog) -> list[JsonObject]:
    """Return the statistics of each game by title, its versions latest first.

    Open a separate connection to the store, so that the server can write meanwhile."""
    store = Store(path)
    try:
        stats_by_version, headers = collect_version_stats(store)
    finally:
        store.close()
    games: dict[str, list[JsonObject]] = {}
    for key, one in stats_by_version.items():
        match = start_recorded_match(headers[key], Path(one.title), catalog.load_recorded_game)
        bots = summarize_playouts(match.game, len(match.players))
        games.setdefault(one.title, []).append(one.build_json(match.game.sources[0].text, bots))
    return [{"title": title, "versions": versions} for title, versions in games.items()]


def collect_version_stats(
    store: Store,
) -> tuple[dict[tuple[str, str], VersionStats], dict[tuple[str, str], JsonObject]]:
    """Return the statistics by title and version, and the record header of one match of each."""
    stats_by_version: dict[tuple[str, str], VersionStats] = {}
    headers: dict[tuple[str, str], JsonObject] = {}
    rows = store.file.execute(
        "select id, title, version, began, ended from matches order by id desc limit ?", (MAX_MATCHES,)
    ).fetchall()
    for number, title, version, began, ended in rows:
        one = stats_by_version.setdefault((title, version), VersionStats(title, version))
        one.first_start = began
        one.matches += 1
        one.ended += ended is not None
        lines = store.read_lines(number)
        headers.setdefault((title, version), json.loads(lines[0].line))
        add_record_lines(one, number, ((line.thinking_time, line.rule, json.loads(line.line)) for line in lines[1:]))
        odd = store.file.execute("select at, who, word from odd where match = ? order by rowid", (number,))
        one.reports += [{"match": number, "at": at, "who": who, "word": word} for at, who, word in odd]
        one.answers += store.file.execute("select fun, clear, again from answers where match = ?", (number,))
    return stats_by_version, headers


def add_record_lines(stats: VersionStats, number: int, lines: Iterable[tuple[float | None, int, JsonObject]]) -> None:
    choice_count = 0
    for thought, rule, entry in lines:
        if "undo" in entry:
            choice_count -= int(str(entry["undo"]))
            stats.undone += 1
        elif "gave-up" in entry:
            choice_count += 1
        elif "allowed" in entry:
            choice_count += 1
            stats.overrides.append({"match": number, "text": describe_override(entry)})
        else:
            choice_count += 1
            if thought is not None:
                stats.thinking_times[rule].append(thought)
    stats.decisions.append(choice_count)


def describe_override(entry: JsonObject) -> str:
    """Return a summary of a host override from its line in the record."""
    keys = ("card", "to", "of", "track", "value", "allowed")
    return " · ".join(str(entry[key]) for key in keys if entry.get(key))


def summarize_playouts(game: Game, players: int) -> str:
    """Return a one-sentence summary of random playouts."""
    random, lengths, wins, left = Random(1), [], [0] * players, MAX_TOTAL_DECISIONS
    for seed in range(PLAYOUTS):
        match = start(game, players, seed)
        try:
            while not match.over and len(match.choices) < MAX_PLAYOUT_DECISIONS and left > 0:
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
    won = ", ".join(str(win_count) for win_count in wins)
    return f"{len(lengths)} random matches of {players}: {fmean(lengths):.1f} decisions each, won by seat {won}"
