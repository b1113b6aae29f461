"""Playtests: instrumented random matches that find problems which static checks cannot. They are repeatable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from cardlang.checks.lasting import check_lasting
from cardlang.checks.reached import check_reached, turning
from cardlang.commands.carried import Carried, Looks, check_carried, chosen_tracks, rounds_of
from cardlang.commands.drawn import Drawn, check_drawn
from cardlang.commands.emptied import Emptied
from cardlang.commands.hands import Hands, Left, check_hands
from cardlang.commands.takings import check_takings
from cardlang.game import Game
from cardlang.lab.likelihood import ENOUGH, once_in, unlike
from cardlang.source import Diagnostic, Span
from interpreter.covering import Covering, Taking, Value
from interpreter.errors import RuleError

if TYPE_CHECKING:
    from interpreter.state import State

MATCHES = 100
DECISIONS = 10_000
"""Limits for each player count: no match begins after `MATCHES` matches or `DECISIONS` decisions."""
CAP = 3_000
"""Move limit of a match. After it, the match is observed for `WATCHED` more decisions to find its loop."""
WATCHED = 300
UNENDED = 3
"""Number of matches without an end after which a player count is done."""


@define
class Trial:
    """Result of the playtest of one game at one player count.

    - `wins`: by seat, shared wins included
    - `ended`: matches that reached their end
    - `unended`: seeds of matches that did not, each with the loop that it was in
    - `takings`, `offered`: cards found by moves and legal options of choices, from `Covering`
    - `left`, `looks`, `drawn`: unplayed cards, stale choices and known draws, from `Hands`, `Carried` and `Drawn`
    - `same`: variables that named the same player in all rounds
    """

    game: Game
    players: int
    matches: int = 0
    ended: int = 0
    decisions: int = 0
    wins: list[int] = field(factory=list)
    unended: list[tuple[int, Span | None]] = field(factory=list)
    reached: frozenset[Span] = frozenset()
    takings: dict[Span, Taking] = field(factory=dict)
    offered: dict[Span, Counter[bool]] = field(factory=dict)
    left: dict[str, Left] = field(factory=dict)
    looks: dict[tuple[str, Span], Looks] = field(factory=dict)
    drawn: dict[Span, Counter[bool]] = field(factory=dict)
    same: frozenset[str] = frozenset()
    fault: Diagnostic | None = None

    @property
    def told(self) -> str:
        """Player count and variant, as text."""
        variant = "" if self.game.variant is None else f" in “{self.game.variant}”"
        return f"{self.players} player{'s' * (self.players > 1)}{variant}"

    def data(self) -> dict[str, object]:
        return {
            "players": self.players,
            "variant": self.game.variant,
            "matches": self.matches,
            "unended": len(self.unended),
            "decisions": self.decisions,
            "wins": self.wins,
        }


class Watching(Covering):
    """Coverage program that also feeds the detectors of unplayed cards, stale choices, known draws and emptied zones.

    Start each match with `begin_match`.
    """

    def __init__(self, game: Game, players: int) -> None:
        self.hands, self.draws, self.emptied = Hands(game, self), Drawn(game, self), Emptied(game, self)
        self.carried = Carried(frozenset(loop.body[0].span for loop in rounds_of(game)))
        super().__init__(game, players, chosen_tracks(game))
        for name, track in game.tracks.items():
            if track.type.tag == "player" and track.subject is None and players > 1:
                self.carried.named[name] = self.track_base[name]

    def begin_match(self, seed: int) -> State:
        self.match = seed
        self.hands.begin()
        self.carried.begin()
        self.emptied.begin()
        return self.start(seed, checking=True)

    def come_to(self, s: State, number: int, value: Value | None = None) -> Value | None:
        span = self.lowering.code.places[number]
        self.carried.at(span, s.t)
        self.hands.at(span, s)
        self.emptied.at(span, s)
        return super().come_to(s, number, value)

    def cards_there(self, s: State, number: int, wanted: int, there: int) -> None:
        span = self.lowering.code.places[number]
        self.hands.at(span, s)
        self.draws.at(span, s)
        self.emptied.at(span, s)
        super().cards_there(s, number, wanted, there)

    def to_be_set(self, s: State, base: int, of: int) -> None:
        self.carried.set(base + of, s.t[base + of])

    def looked_at(self, s: State, number: int, base: int, of: int, value: int) -> int:
        if of >= 0:
            self.carried.look(self.tracks[base].track.name, self.lowering.code.places[number], base + of, value)
        return value


def try_out(game: Game, players: int, matches: int = MATCHES) -> Trial:
    """Run a playtest with the seeds from 1 on.

    Each move draws an option first, then one of its moves. So the many sizes of a bet don't crowd out a call. The
    rules' expectations are tested.
    """
    program = Watching(game, players)  # a new program, because it records coverage
    trial = Trial(game, players, wins=[0] * players)
    try:
        while trial.matches < matches and trial.decisions < DECISIONS and len(trial.unended) < UNENDED:
            trial.matches += 1
            play(program, trial, trial.matches)
    except RuleError as error:
        message = f"{error.message} (seed {trial.matches}, {players} players)"
        trial.fault = Diagnostic("R001", message, error.span, "", program.emptied.related(error.span))
    trial.reached = program.spans(program.reached)
    trial.takings, trial.offered = program.by_span(program.takings), program.by_span(program.open)
    trial.left, trial.looks, trial.drawn = program.hands.left, program.carried.looks, program.draws.found
    trial.same = program.carried.same()
    return trial


def play(program: Watching, trial: Trial, seed: int) -> None:
    random = Random(seed)
    state = program.begin_match(seed)
    decisions = go_on(program, state, random, CAP)
    if state.who >= 0:
        before = Counter(program.reached)
        decisions += go_on(program, state, random, WATCHED)
        trial.unended.append((seed, turning(program.game, program.spans(program.reached - before))))
    else:
        program.hands.end(state)
        trial.ended += 1
        for seat in program.winners(state):
            trial.wins[seat] += 1
    trial.decisions += decisions


def go_on(program: Covering, state: State, random: Random, most: int) -> int:
    """Play at most `most` decisions and return their number."""
    decisions = 0
    while state.who >= 0 and decisions < most:
        program.apply(state, drawn(program, state, random))
        decisions += 1
    return decisions


def drawn(program: Covering, state: State, random: Random) -> int:
    legal: Sequence[int] = state.legal
    options = len(program.site(state).options)
    if options > 1:
        kinds = sorted({(code - 1) % options if code else -1 for code in legal})
        kind = kinds[int(random.random() * len(kinds))]
        legal = [code for code in legal if ((code - 1) % options if code else -1) == kind]
    return legal[int(random.random() * len(legal))]


# ---------------------------------------------------------------- findings
@frozen
class Trials:
    """Playtests of a game at all its player counts, then of each variant at one."""

    game: Game
    trials: tuple[Trial, ...]

    @property
    def matches(self) -> int:
        return sum(trial.matches for trial in self.trials)

    def findings(self) -> Iterator[Diagnostic]:
        """Yield rule errors, matches that do not end, seat bias, and unreached rules."""
        faults = [trial.fault for trial in self.trials if trial.fault is not None]
        yield from {fault.span: fault for fault in reversed(faults)}.values()
        yield from self.endless()
        yield from self.seats()
        if not faults:
            yield from self.unreached()

    def unreached(self) -> Iterator[Diagnostic]:
        """Yield notes on unreached rules, and those of all detectors."""
        reached = frozenset(span for trial in self.trials for span in trial.reached)
        yield from check_reached(self.game, reached, f"{self.matches:,} matches")
        yield from check_takings(self.game, self.trials, f"{self.matches:,} matches")
        those = [trial.same for trial in self.trials if trial.players > 1]
        same = frozenset.intersection(*those) if those else frozenset[str]()
        yield from check_lasting(self.game, rounds_of(self.game), same)
        yield from check_hands(self.game, self.trials)
        yield from check_carried(self.game, self.trials, f"{self.matches:,} matches")
        yield from check_drawn(self.game, self.trials, f"{self.matches:,} matches")

    def endless(self) -> Iterator[Diagnostic]:
        """Yield one note for each loop in which matches did not end."""
        turning: dict[Span, list[Trial]] = {}
        for trial in self.trials:
            for span in {span or first_line(trial.game) for _, span in trial.unended}:
                turning.setdefault(span, []).append(trial)
        for span, trials in turning.items():
            counts = ", ".join(f"{len(each.unended)} of {each.matches} of {each.told}" for each in trials)
            yield Diagnostic(
                "N502",
                f"matches are still in this loop after {CAP:,} decisions: {counts} "
                f"(first with seed {trials[0].unended[0][0]})",
                span,
                "moves were random. If people could also go on for ever, add a rule that ends the game",
                warning=True,
            )

    def seats(self) -> Iterator[Diagnostic]:
        """Yield a single note on seat bias, because one cause can affect all seats."""
        figures, told = sum(trial.players for trial in self.trials), []
        for trial in self.trials:
            found = list(unlike(trial.ended, trial.wins, figures))
            if found:
                share = sum(trial.wins) / trial.players
                seats = ", ".join(f"seat {seat + 1} won {trial.wins[seat]}" for seat, _ in found)
                rare = once_in(min(chance for _, chance in found))
                told.append(
                    f"in {trial.ended} matches of {trial.told}, {seats}, with a mean of {share:.0f}: "
                    f"by chance alone, this happens {rare}"
                )
        if told:
            hint = "moves were random. `cardlang simulate --bot rollout` plays better"
            yield Diagnostic("N503", "; ".join(told), first_line(self.game), hint, warning=True)

    def data(self) -> dict[str, object]:
        """Return the playtests for JSON output."""
        return {"game": self.game.title, "trials": [trial.data() for trial in self.trials]}

    def summary(self) -> str:
        """Return a line on the matches that were played."""
        counts = ", ".join(f"{trial.matches} of {trial.told}" for trial in self.trials)
        seats = any(trial.players > 1 for trial in self.trials)
        few = f" To find smaller seat bias, run cardlang simulate --games {ENOUGH}." if seats else ""
        matches = f"{self.matches:,} match{'es' * (self.matches != 1)}"
        return f"{self.game.title}: {matches} played with random moves ({counts}).{few}"


def first_line(game: Game) -> Span:
    source = game.sources[0]
    return Span(source, 0, len(source.line(1)))


def try_all(games: Iterable[Game], matches: int = MATCHES) -> Trials:
    """Run playtests of a game at each player count, and of each variant at its default player count.

    The default is the smallest count, but at least two if the variant allows it.
    """
    game, *variants = games
    trials = [try_out(game, players, matches) for players in sorted(game.seats)]
    for variant in variants:
        trials.append(try_out(variant, min((n for n in variant.seats if n > 1), default=variant.seats[0]), matches))
    return Trials(game, tuple(trials))
