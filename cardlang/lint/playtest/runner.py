"""Runner of random playtest matches, and lint rules for short moves and empty menus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.playtest.card_usage import (
    KnownDrawDetector,
    UnplayedCardDetector,
    check_known_draws,
    check_unplayed_cards,
)
from cardlang.lint.playtest.playtest_findings import (
    MIN_BIAS_MATCHES,
    PlaytestResult,
    check_coverage,
    find_biased_seats,
    find_endless_loop,
    format_rarity,
)
from cardlang.lint.playtest.stale_choices import (
    StaleChoiceDetector,
    check_fixed_start_player,
    check_stale_choices,
    find_choice_variables,
    find_rounds,
)
from cardlang.lint.static.execution_order import get_own_source
from cardlang.lint.static.infinite_loops import walk_with_definitions
from cardlang.model import Game
from cardlang.model.effects import iter_effects
from cardlang.model.traversal import collect_all_nodes
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

    def __init__(self, game: g.Game, program: Program) -> None:
        self.game, self.program = game, program
        self.move_spans = {part.span for part, effects in iter_effects(collect_all_nodes(game)) if effects.transfers}
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
            zones = [zone.name for zone in self.game.zones.values() if zone.subject is None]
            self.previous_move = (span, state, tuple(name for name in zones if state.z[base[name]]))

    def record_emptied_zones(self) -> None:
        """Record which zones the previous statement emptied."""
        if self.previous_move is not None:
            span, state, names = self.previous_move
            self.emptied_by |= {name: span for name in names if not state.z[self.program.zone_base[name]]}

    def find_emptying_statements(self, span: Span) -> tuple[tuple[Span, str], ...]:
        """Return the statements that emptied the zones read by the value at `span`, each with a message."""
        self.record_emptied_zones()
        values = (part for part in collect_all_nodes(self.game) if isinstance(part, g.Expr) and part.span == span)
        names = dict.fromkeys(
            part.zone
            for value in values
            for part in walk_with_definitions(self.game, value)
            if isinstance(part, g.ZoneCards)
        )
        return tuple(
            (self.emptied_by[name], f"this took the last cards of `{name}`")
            for name in names
            if name in self.emptied_by
        )


# ---------------------------------------------------------------- short moves and empty menus
MIN_WANTED_CARDS = 2
"""Smallest number of wanted cards to report. A single missing card is seldom an error: the draw pile is empty."""
MENUS_PER_EMPTY_MENU = 10
"""A note needs at least one choice without a legal option in this many."""


def check_short_moves(game: g.Game, results: Iterable[PlaytestResult], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each move that found too few cards, and each choice that often had no legal option.

    Only statements of the game itself count, not of its libraries.
    """
    by_place: dict[Span, list[PlaytestResult]] = {}
    for trial in results:
        for span in trial.taken_cards:
            by_place.setdefault(span, []).append(trial)
    for span, those in sorted(by_place.items(), key=lambda each: each[0].start):
        if span.source is get_own_source(game):
            yield from check_short_move(span, those, matches)
    yield from check_empty_menus(game, list(results), matches)


def check_short_move(span: Span, results: list[PlaytestResult], matches: str) -> Iterator[Diagnostic]:
    found = [trial.taken_cards[span] for trial in results]
    if all(each.executions == each.negative_requests for each in found):
        message = f"the number of cards was negative here every time in {matches}, so nothing happened"
        yield create_note(
            "N511", message, span, "subtract the smaller number from the larger, or check the condition around it"
        )
    elif not any(each.max_available for each in found):
        yield create_note("N501", f"there were never any cards here in {matches}", span, "")
    else:
        yield from check_too_few_cards(span, results)


def check_too_few_cards(span: Span, results: list[PlaytestResult]) -> Iterator[Diagnostic]:
    """Yield a note if a move wanted several cards and found fewer."""
    short = [
        (trial, {match: two for match, two in trial.taken_cards[span].shortages.items() if two[0] >= MIN_WANTED_CARDS})
        for trial in results
    ]
    those = [(trial, found) for trial, found in short if found]
    if not those:
        return
    trial, found = those[0]
    seed, (wanted, there) = next(iter(found.items()))
    counts = ", ".join(f"{len(found)} of {trial.matches} of {trial.label}" for trial, found in those)
    message = (
        f"this took more cards than there were in {counts} (first with seed {seed}, {trial.label}: {there} of {wanted})"
    )
    yield create_note("N510", message, span, "gather and shuffle the cards before the deal, or deal fewer")


def check_empty_menus(game: g.Game, results: list[PlaytestResult], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each menu without `may` in which the player often had no legal option."""
    menus = {part.span for part, each in iter_effects(collect_all_nodes(game)) if each.options and not each.may_pass}
    for span in sorted(menus, key=lambda each: each.start):
        asked = sum(sum(trial.menu_counts[span].values()) for trial in results if span in trial.menu_counts)
        never = sum(trial.menu_counts[span][False] for trial in results if span in trial.menu_counts)
        if span.source is get_own_source(game) and never and never * MENUS_PER_EMPTY_MENU >= asked:
            message = f"the player had no legal option here {never:,} of {asked:,} times in {matches}"
            hint = "a player with no legal option is skipped. Check the conditions of the options, or write `you may`"
            yield create_note("N512", message, span, hint)


def create_note(code: str, message: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic(code, message, span, hint, warning=True)


# ---------------------------------------------------------------- playtest matches
MAX_MATCHES = 100
MAX_DECISIONS = 10_000
"""Limits for each player count: no match begins after `MAX_MATCHES` matches or `MAX_DECISIONS` decisions."""
MOVE_LIMIT = 3_000
"""Move limit of a match. After it, the match is observed for `EXTRA_DECISIONS` more decisions to find its loop."""
EXTRA_DECISIONS = 300
MAX_UNENDED_MATCHES = 3
"""Number of matches without an end after which a player count is done."""


class PlaytestProgram(CoverageProgram):
    """Coverage program that also feeds the detectors of unplayed cards, stale choices, known draws and emptied zones.

    Start each match with `begin_match`.
    """

    def __init__(self, game: Game, players: int) -> None:
        self.unplayed_cards, self.known_draws, self.emptied_zones = (
            UnplayedCardDetector(game, self),
            KnownDrawDetector(game, self),
            EmptiedZoneTracker(game, self),
        )
        self.stale_choices = StaleChoiceDetector(frozenset(loop.body[0].span for loop in find_rounds(game)))
        super().__init__(game, players, find_choice_variables(game))
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
    trial.taken_cards, trial.menu_counts = (
        program.group_by_span(program.take_statistics),
        program.group_by_span(program.move_availability),
    )
    trial.remaining_cards, trial.read_counts, trial.known_draws = (
        program.unplayed_cards.remaining_cards,
        program.stale_choices.read_counts,
        program.known_draws.draw_counts,
    )
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


# ---------------------------------------------------------------- findings
@frozen
class PlaytestReport:
    """Playtests of a game at all its player counts, then of each variant at one."""

    game: Game
    results: tuple[PlaytestResult, ...]

    @property
    def matches(self) -> int:
        return sum(trial.matches for trial in self.results)

    def collect_diagnostics(self) -> Iterator[Diagnostic]:
        """Yield rule errors, matches that do not end, seat bias, and unreached rules."""
        faults = [trial.rule_error for trial in self.results if trial.rule_error is not None]
        yield from {fault.span: fault for fault in reversed(faults)}.values()
        yield from self.find_endless_loops()
        yield from self.find_seat_bias()
        if not faults:
            yield from self.find_unreached_rules()

    def find_unreached_rules(self) -> Iterator[Diagnostic]:
        """Yield notes on unreached rules, and those of all detectors."""
        reached = frozenset(span for trial in self.results for span in trial.reached)
        yield from check_coverage(self.game, reached, f"{self.matches:,} matches")
        yield from check_short_moves(self.game, self.results, f"{self.matches:,} matches")
        those = [trial.constant_variables for trial in self.results if trial.players > 1]
        same = frozenset.intersection(*those) if those else frozenset[str]()
        yield from check_fixed_start_player(self.game, find_rounds(self.game), same)
        yield from check_unplayed_cards(self.game, self.results)
        yield from check_stale_choices(self.game, self.results, f"{self.matches:,} matches")
        yield from check_known_draws(self.game, self.results, f"{self.matches:,} matches")

    def find_endless_loops(self) -> Iterator[Diagnostic]:
        """Yield one note for each loop in which matches did not end."""
        turning: dict[Span, list[PlaytestResult]] = {}
        for trial in self.results:
            for span in {span or get_first_line_span(trial.game) for _, span in trial.unended}:
                turning.setdefault(span, []).append(trial)
        for span, trials in turning.items():
            counts = ", ".join(f"{len(each.unended)} of {each.matches} of {each.label}" for each in trials)
            yield Diagnostic(
                "N502",
                f"matches are still in this loop after {MOVE_LIMIT:,} decisions: {counts} "
                f"(first with seed {trials[0].unended[0][0]})",
                span,
                "moves were random. If people could also go on for ever, add a rule that ends the game",
                warning=True,
            )

    def find_seat_bias(self) -> Iterator[Diagnostic]:
        """Yield a single note on seat bias, because one cause can affect all seats."""
        figures, told = sum(trial.players for trial in self.results), []
        for trial in self.results:
            found = list(find_biased_seats(trial.ended, trial.wins, figures))
            if found:
                share = sum(trial.wins) / trial.players
                seats = ", ".join(f"seat {seat + 1} won {trial.wins[seat]}" for seat, _ in found)
                rare = format_rarity(min(chance for _, chance in found))
                told.append(
                    f"in {trial.ended} matches of {trial.label}, {seats}, with a mean of {share:.0f}: "
                    f"by chance alone, this happens {rare}"
                )
        if told:
            hint = "moves were random. `cardlang simulate --bot rollout` plays better"
            yield Diagnostic("N503", "; ".join(told), get_first_line_span(self.game), hint, warning=True)

    def build_json(self) -> dict[str, object]:
        """Return the playtests for JSON output."""
        return {"game": self.game.title, "trials": [trial.build_json() for trial in self.results]}

    def format_summary(self) -> str:
        """Return a line on the matches that were played."""
        counts = ", ".join(f"{trial.matches} of {trial.label}" for trial in self.results)
        seats = any(trial.players > 1 for trial in self.results)
        few = f" To find smaller seat bias, run cardlang simulate --games {MIN_BIAS_MATCHES}." if seats else ""
        matches = f"{self.matches:,} match{'es' * (self.matches != 1)}"
        return f"{self.game.title}: {matches} played with random moves ({counts}).{few}"


def get_first_line_span(game: Game) -> Span:
    source = game.sources[0]
    return Span(source, 0, len(source.get_line(1)))


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
