"""Results of playtests of one game, and the registries of the rules that look at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from attrs import define, field, frozen

from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.rule_registry import RuleRegistry
from cardlang.lint.static.shared_game_facts import GameFacts
from cardlang.model import Game
from interpreter.program.coverage import TakeStatistics

MIN_BIAS_MATCHES = 20_000
"""Number of matches after which an effect that isn't significant is considered absent."""


@define
class ReadCounts:
    """Read counts of a value at one place of the rules, from the second round on.

    `stale` counts the reads of a value that was chosen in an earlier round.
    """

    total: int = 0
    stale: int = 0


@define
class RemainingCards:
    """Card counts of a zone over all deals.

    - `deals`: deals observed to their end
    - `fewest_dealt`: fewest cards that a player had when the first card of a deal was played
    - `fewest_left`: fewest cards that a player had at the end of a deal
    """

    deals: int = 0
    fewest_dealt: int = 0
    fewest_left: int = 0

    def add_deal(self, dealt: list[int], cards_left: list[int]) -> None:
        self.fewest_dealt = min(dealt) if not self.deals else min(self.fewest_dealt, *dealt)
        self.fewest_left = min(cards_left) if not self.deals else min(self.fewest_left, *cards_left)
        self.deals += 1


@define
class PlaytestResult:
    """Result of the playtest of one game at one player count.

    - `wins`: by seat, shared wins included
    - `ended`: matches that reached their end
    - `unended`: seeds of matches that did not, each with the loop that it was in
    - `taken_cards`, `menu_counts`: cards found by moves and legal options of choices, from `CoverageProgram`
    - `remaining_cards`, `read_counts`, `known_draws`: unplayed cards, stale choices and known draws, from
      `UnplayedCardDetector`, `StaleChoiceDetector` and `KnownDrawDetector`
    - `constant_variables`: variables that named the same player in all rounds
    """

    game: Game
    players: int
    matches: int = 0
    ended: int = 0
    decisions: int = 0
    wins: list[int] = field(factory=list)
    unended: list[tuple[int, Span | None]] = field(factory=list)
    reached: frozenset[Span] = frozenset()
    taken_cards: dict[Span, TakeStatistics] = field(factory=dict)
    menu_counts: dict[Span, Counter[bool]] = field(factory=dict)
    remaining_cards: dict[str, RemainingCards] = field(factory=dict)
    read_counts: dict[tuple[str, Span], ReadCounts] = field(factory=dict)
    known_draws: dict[Span, Counter[bool]] = field(factory=dict)
    constant_variables: frozenset[str] = frozenset()
    rule_error: Diagnostic | None = None

    @property
    def label(self) -> str:
        """Player count and variant, as text."""
        variant = "" if self.game.variant is None else f" in “{self.game.variant}”"
        return f"{self.players} player{'s' * (self.players > 1)}{variant}"

    def build_json(self) -> dict[str, object]:
        return {
            "players": self.players,
            "variant": self.game.variant,
            "matches": self.matches,
            "unended": len(self.unended),
            "decisions": self.decisions,
            "wins": self.wins,
        }


@frozen(slots=False)
class PlaytestReport:
    """Playtests of a game at all its player counts, then of each variant at one."""

    game: Game
    results: tuple[PlaytestResult, ...]

    @cached_property
    def facts(self) -> GameFacts:
        return GameFacts(self.game)

    @property
    def matches(self) -> int:
        return sum(result.matches for result in self.results)

    @property
    def matches_label(self) -> str:
        return f"{self.matches:,} matches"

    def group_moves(self) -> list[tuple[Span, list[PlaytestResult]]]:
        """Return the statements that took cards, in source order, each with the results in which it ran."""
        found: dict[Span, list[PlaytestResult]] = {}
        for result in self.results:
            for span in result.taken_cards:
                found.setdefault(span, []).append(result)
        return sorted(found.items(), key=lambda each: each[0].start)

    def collect_diagnostics(self) -> Iterator[Diagnostic]:
        """Yield rule errors, matches that do not end, seat bias, and unreached rules."""
        faults = [result.rule_error for result in self.results if result.rule_error is not None]
        yield from {fault.span: fault for fault in reversed(faults)}.values()
        yield from MATCH_RULES.run(self, self.game.sources[0])
        if not faults:
            yield from self.find_unreached_rules()

    def find_unreached_rules(self) -> Iterator[Diagnostic]:
        """Yield notes on unreached rules, and other notes on single rules of the game."""
        return RULES.run(self, self.game.sources[0])

    def build_json(self) -> dict[str, object]:
        """Return the playtests for JSON output."""
        return {"game": self.game.title, "trials": [result.build_json() for result in self.results]}

    def format_summary(self) -> str:
        """Return a line on the matches that were played."""
        counts = ", ".join(f"{result.matches} of {result.label}" for result in self.results)
        seats = any(result.players > 1 for result in self.results)
        few = f" To find smaller seat bias, run cardlang simulate --games {MIN_BIAS_MATCHES}." if seats else ""
        matches = f"{self.matches:,} match{'es' * (self.matches != 1)}"
        return f"{self.game.title}: {matches} played with random moves ({counts}).{few}"


MATCH_RULES = RuleRegistry[PlaytestReport]()
"""Rules about whole matches."""
RULES = RuleRegistry[PlaytestReport]()
"""Rules about single statements. After a rule error, much of the game is not reached, so they do not run."""
rule = RULES.rule
