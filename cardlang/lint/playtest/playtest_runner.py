"""Runner of random playtest matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.playtest.leftover_choices import StaleChoiceDetector, find_choice_variables, find_rounds
from cardlang.lint.playtest.playtest_findings import MOVE_LIMIT, find_endless_loop
from cardlang.lint.playtest.playtest_report import PlaytestReport, PlaytestResult
from cardlang.lint.playtest.short_moves_and_unplayed_cards import KnownDrawDetector, UnplayedCardDetector
from cardlang.lint.static.shared_game_facts import GameFacts
from cardlang.model import Game
from interpreter.program.coverage import CoverageProgram, Value
from interpreter.runtime.errors import RuleError

if TYPE_CHECKING:
    from interpreter.program.program import Program
    from interpreter.runtime.state import State


class EmptiedZoneTracker:
    """Tracker of emptied zones of the table.

    `emptied_by` maps each zone to the statement that took its last cards. `previous_move` holds the previous statement
    that moved cards, the state, and the zones that had cards then.
    """

    def __init__(self, facts: GameFacts, program: Program) -> None:
        self.facts, self.program = facts, program
        self.move_spans = {part.span for part, effects in facts.effects if effects.transfers}
        self.reset()

    def reset(self) -> None:
        """Reset the tracker for a new match."""
        self.emptied_by: dict[str, Span] = {}
        self.previous_move: tuple[Span, State, tuple[str, ...]] | None = None

    def observe_statement(self, span: Span, state: State) -> None:
        """Record which zones have cards before a statement that moves cards."""
        if span in self.move_spans:
            self.record_emptied_zones()
            base = self.program.zone_base
            zones = [zone.name for zone in self.facts.game.zones.values() if zone.subject is None]
            self.previous_move = (span, state, tuple(name for name in zones if state.z[base[name]]))

    def record_emptied_zones(self) -> None:
        """Record which zones the previous statement emptied."""
        if self.previous_move is not None:
            span, state, names = self.previous_move
            self.emptied_by |= {name: span for name in names if not state.z[self.program.zone_base[name]]}

    def find_emptying_statements(self, span: Span) -> tuple[tuple[Span, str], ...]:
        """Return the statements that emptied the zones read by the value at `span`, each with a message."""
        self.record_emptied_zones()
        values = tuple(part for part in self.facts.find_nodes(g.Expr) if part.span == span)
        parts = self.facts.walk_with_definitions(values)
        names = dict.fromkeys(part.zone for part in parts if isinstance(part, g.ZoneCards))
        return tuple(
            (self.emptied_by[name], f"this took the last cards of `{name}`")
            for name in names
            if name in self.emptied_by
        )


# ---------------------------------------------------------------- playtest matches
MAX_MATCHES = 100
MAX_DECISIONS = 10_000
"""Limits for each player count: no match begins after `MAX_MATCHES` matches or `MAX_DECISIONS` decisions."""
EXTRA_DECISIONS = 300
"""Number of decisions after `MOVE_LIMIT` for which a match is observed, to find its loop."""
MAX_UNENDED_MATCHES = 3
"""Number of matches without an end after which a player count is done."""


class PlaytestProgram(CoverageProgram):
    """Coverage program that also feeds the detectors of unplayed cards, stale choices, known draws and emptied zones.

    Start each match with `begin_match`.
    """

    def __init__(self, game: Game, players: int) -> None:
        facts = GameFacts(game)
        self.unplayed_cards = UnplayedCardDetector(facts, self)
        self.known_draws = KnownDrawDetector(facts, self)
        self.emptied_zones = EmptiedZoneTracker(facts, self)
        self.stale_choices = StaleChoiceDetector(frozenset(loop.body[0].span for loop in find_rounds(facts)))
        super().__init__(game, players, find_choice_variables(facts))
        for name, track in game.tracks.items():
            if track.type.tag == "player" and track.subject is None and players > 1:
                self.stale_choices.player_slots[name] = self.track_base[name]

    def begin_match(self, seed: int) -> State:
        self.match = seed
        self.unplayed_cards.reset()
        self.stale_choices.reset()
        self.emptied_zones.reset()
        return self.start(seed, checking=True)

    def record_reached(self, s: State, number: int, value: Value | None = None) -> Value | None:
        span = self.lowering.rule_spans[number]
        self.stale_choices.observe_statement(span, s.t)
        self.unplayed_cards.observe_statement(span, s)
        self.emptied_zones.observe_statement(span, s)
        return super().record_reached(s, number, value)

    def record_available_cards(self, s: State, number: int, wanted: int, available: int) -> None:
        span = self.lowering.rule_spans[number]
        self.unplayed_cards.observe_statement(span, s)
        self.known_draws.observe_statement(span, s)
        self.emptied_zones.observe_statement(span, s)
        super().record_available_cards(s, number, wanted, available)

    def before_track_set(self, s: State, base: int, offset: int) -> None:
        self.stale_choices.record_write(base + offset, s.t[base + offset])

    def on_track_read(self, s: State, number: int, base: int, offset: int, value: int) -> int:
        if offset >= 0:
            self.stale_choices.record_read(
                self.tracks[base].track.name, self.lowering.rule_spans[number], base + offset, value
            )
        return value


def run_playtest(game: Game, players: int, matches: int = MAX_MATCHES) -> PlaytestResult:
    """Run a playtest with the seeds from 1 on.

    Each move draws an option first, then one of its moves. So the many sizes of a bet don't crowd out a call. The
    rules' expectations are tested.
    """
    program = PlaytestProgram(game, players)  # a new program, because it records coverage
    trial = PlaytestResult(game, players, wins=[0] * players)
    try:
        while trial.matches < matches and trial.decisions < MAX_DECISIONS and len(trial.unended) < MAX_UNENDED_MATCHES:
            trial.matches += 1
            play_playtest_match(program, trial, trial.matches)
    except RuleError as error:
        message = f"{error.message} (seed {trial.matches}, {players} players)"
        trial.rule_error = Diagnostic(
            "R001", message, error.span, "", program.emptied_zones.find_emptying_statements(error.span)
        )
    trial.reached = program.find_spans(program.reached)
    trial.taken_cards = program.group_by_span(program.take_statistics)
    trial.menu_counts = program.group_by_span(program.move_availability)
    trial.remaining_cards = program.unplayed_cards.remaining_cards
    trial.read_counts = program.stale_choices.read_counts
    trial.known_draws = program.known_draws.draw_counts
    trial.constant_variables = program.stale_choices.find_constant_variables()
    return trial


def play_playtest_match(program: PlaytestProgram, result: PlaytestResult, seed: int) -> None:
    random = Random(seed)
    state = program.begin_match(seed)
    decisions = play_decisions(program, state, random, MOVE_LIMIT)
    if state.who >= 0:
        before = Counter(program.reached)
        decisions += play_decisions(program, state, random, EXTRA_DECISIONS)
        result.unended.append((seed, find_endless_loop(program.game, program.find_spans(program.reached - before))))
    else:
        program.unplayed_cards.finish_match(state)
        result.ended += 1
        for seat in program.find_winners(state):
            result.wins[seat] += 1
    result.decisions += decisions


def play_decisions(program: CoverageProgram, state: State, random: Random, max_decisions: int) -> int:
    """Play at most `max_decisions` decisions and return their number."""
    decisions = 0
    while state.who >= 0 and decisions < max_decisions:
        program.apply(state, draw_random_move(program, state, random))
        decisions += 1
    return decisions


def draw_random_move(program: CoverageProgram, state: State, random: Random) -> int:
    legal: Sequence[int] = state.legal
    options = len(program.get_site(state).options)
    if options > 1:
        kinds = sorted({(code - 1) % options if code else -1 for code in legal})
        kind = kinds[int(random.random() * len(kinds))]
        legal = [code for code in legal if ((code - 1) % options if code else -1) == kind]
    return legal[int(random.random() * len(legal))]


def run_game_and_variant_playtests(game_and_variants: Iterable[Game], matches: int = MAX_MATCHES) -> PlaytestReport:
    """Run playtests of a game at each player count, and of each variant at its default player count.

    The default is the smallest count, but at least two if the variant allows it.
    """
    game, *variants = game_and_variants
    trials = [run_playtest(game, players, matches) for players in sorted(game.seats)]
    for variant in variants:
        trials.append(
            run_playtest(variant, min((n for n in variant.seats if n > 1), default=variant.seats[0]), matches)
        )
    return PlaytestReport(game, tuple(trials))
