"""Rules for choices left over from earlier rounds, and for a fixed start player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from attrs import define, field

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.playtest.playtest_report import PlaytestReport, ReadCounts, rule
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.shared_game_facts import GameFacts
from cardlang.model.statement_effects import find_bindings, find_effects, iter_track_changes, iter_transfers

MIN_LATER_ROUNDS = 20
"""Number of later rounds needed to report that a variable always named the same player."""
READS_PER_STALE_READ = 10
"""A note needs at least one stale read in this many reads from the second round on."""


@define
class StaleChoiceDetector:
    """Detector of stale choices in random matches.

    - `round_starts`: places where a round begins
    - `player_slots`: slot of each player variable of the table
    - `read_counts`: read counts by variable and place
    - `later_rounds`: number of rounds after the first of each match
    - `change_counts`: by variable, number of these rounds in which it named no player, or a different one than in the
      round before
    """

    round_starts: frozenset[Span]
    player_slots: dict[str, int] = field(factory=dict)
    read_counts: dict[tuple[str, Span], ReadCounts] = field(factory=dict)
    later_rounds: int = 0
    change_counts: Counter[str] = field(factory=Counter)
    previous_values: dict[str, int] = field(factory=dict)
    current_round: int = 0
    write_rounds: dict[int, int] = field(factory=dict)
    initial_values: dict[int, int] = field(factory=dict)

    def reset(self) -> None:
        """Reset the detector for a new match."""
        self.current_round = 0
        self.write_rounds, self.initial_values = {}, {}

    def observe_statement(self, span: Span, tracks: list[int]) -> None:
        """Note the start of a round if `span` begins one. `tracks` holds all stored values."""
        if span in self.round_starts:
            self.current_round += 1
            now = {name: tracks[slot] for name, slot in self.player_slots.items()}
            if self.current_round > 1:
                self.later_rounds += 1
                self.change_counts.update(
                    name for name in now if now[name] != self.previous_values[name] or now[name] < 0
                )
            self.previous_values = now

    def find_constant_variables(self) -> frozenset[str]:
        """Return the variables that named the same player in all rounds, or none if there were too few rounds."""
        return frozenset(
            self.player_slots.keys() - self.change_counts.keys() if self.later_rounds >= MIN_LATER_ROUNDS else ()
        )

    def record_write(self, slot: int, old_value: int) -> None:
        """Record a write to a slot. `old_value` is its old value."""
        self.initial_values.setdefault(slot, old_value)
        self.write_rounds[slot] = self.current_round

    def record_read(self, name: str, span: Span, slot: int, value: int) -> None:
        if self.current_round > 1:
            looks = self.read_counts.setdefault((name, span), ReadCounts())
            looks.total += 1
            looks.stale += (
                self.write_rounds.get(slot, self.current_round) < self.current_round
                and value != self.initial_values[slot]
            )


# ---------------------------------------------------------------- rounds and choices
def find_rounds(facts: GameFacts) -> tuple[g.Repeat, ...]:
    """Return the rounds of a game.

    A round is an outermost loop that gathers all cards or counts its iterations.
    """
    rounds = [loop for loop in facts.find_nodes(g.Repeat) if loop.body and is_round_loop(facts, loop)]
    inside = {id(part) for loop in rounds for part in facts.walk_reachable(loop.body)}
    return tuple(loop for loop in rounds if id(loop) not in inside)


def is_round_loop(facts: GameFacts, loop: g.Repeat) -> bool:
    match loop.until:
        case g.Compare(left=g.TrackValue(track=name, of=None)):
            if any(change.track == name and change.operator == "+" for change in iter_track_changes(loop.body)):
                return True
    return any(transfer.gathers_sets for transfer in iter_transfers(facts.walk_reachable(loop.body)))


def find_choice_variables(facts: GameFacts) -> frozenset[str]:
    """Return the variables that store players' choices.

    These variables are only assigned, never added to, and have no declared restart.
    """
    added = {change.track for change in facts.track_changes if change.operator != "="}
    chosen = {change.track for change in find_choice_assignments(facts)}
    return frozenset(name for name in chosen - added if not facts.game.tracks[name].restarts)


def find_choice_assignments(facts: GameFacts) -> Iterator[g.SetTrack]:
    """Yield assignments of a chosen value, and assignments in the body of an option."""
    bindings = [each for part in facts.find_nodes(g.Choose) for each in find_bindings(facts.game, part)]
    names = {each.var.id for each in bindings}
    for part in facts.nodes:
        if isinstance(part, g.Option):
            yield from iter_track_changes(part.body)
        for change in find_effects(part).track_changes:
            if isinstance(change.value, g.Var) and change.value.id in names:
                yield change


# ---------------------------------------------------------------- notes
@rule("N514", "Choice from an earlier round")
def find_stale_choices(report: PlaytestReport) -> Iterator[Finding]:
    """A rule reads a player's choice before the player has chosen again, so it sees
    the choice from the previous round. Reset it when a round starts. If each round
    is a step `deal`, the declaration can do this:
    `number your bid starts each deal at 0`. If the choice should last, nothing is
    wrong.

    Wrong:

        number round
        number your bid
        step play
          repeat until round = 5
            add 1 to round
            each player where bid > 2
              add 1 to your score
            each player
              you choose amount from 1 to 3
              set your bid to amount

    Right:

        number round
        number your bid
        step play
          repeat until round = 5
            add 1 to round
            each player
              you choose amount from 1 to 3
              set your bid to amount
            each player where bid > 2
              add 1 to your score
    """
    looks: dict[tuple[str, Span], ReadCounts] = {}
    for result in report.results:
        for key, found in result.read_counts.items():
            counts = looks.setdefault(key, ReadCounts())
            counts.total += found.total
            counts.stale += found.stale
    reported: set[str] = set()
    for (name, span), counts in sorted(looks.items(), key=lambda each: each[0][1].start):
        is_frequent = counts.stale and counts.stale * READS_PER_STALE_READ >= counts.total
        if is_frequent and name not in reported and report.facts.is_own(span):
            reported.add(name)
            places = [part.span for part in find_choice_assignments(report.facts) if part.track == name]
            yield Finding(
                span,
                f"`{name}` still had its value from an earlier round here: {counts.stale:,} of {counts.total:,} times "
                f"from the second round on in {report.matches_label}",
                "reset it at the start of a round, unless it is meant to last",
                tuple((place, "chosen here") for place in places[:1]),
            )


# ---------------------------------------------------------------- fixed start player
@rule("N515", "Same player starts every round")
def find_fixed_start_players(report: PlaytestReport) -> Iterator[Finding]:
    """In the matches of `cardlang check --play`, turns began with the same player in
    every round. To pass the role on, write `set dealer to dealer's left` at the
    end of a round. If one player keeps the role all game, nothing is wrong.

    Wrong:

        number round
        step play
          repeat until round = 5
            add 1 to round
            each player from leader
              you choose amount from 1 to 3
              add amount to your score

    Right:

        number round
        step play
          repeat until round = 5
            add 1 to round
            each player from leader
              you choose amount from 1 to 3
              add amount to your score
            set leader to leader's left
    """
    constant = [result.constant_variables for result in report.results if result.players > 1]
    names = frozenset.intersection(*constant) if constant else ()
    rounds = find_rounds(report.facts) if names else ()
    for name, track in report.game.tracks.items():
        begun = (part for loop in rounds for part in find_turns_from_player(report.facts, loop, name))
        first = next(begun, None) if name in names else None
        if first is not None:
            yield Finding(
                track.origin.name,
                f"`{name}` is the same player in every round, and turns start there",
                f"to change the player, write `set {name} to {name}'s left` at the end of a round",
                ((first.span, "here"),),
            )


def find_turns_from_player(facts: GameFacts, loop: g.Repeat, name: str) -> Iterator[g.Stmt]:
    """Yield the statements of a loop in which turns start from a player, or from a player derived from them."""
    for part in facts.walk_reachable(loop.body):
        start = None
        if isinstance(part, g.Each | g.Offer):
            start = part.start
        elif isinstance(part, g.SetTrack) and part.value.type.tag == "player":
            start = part.value
        if isinstance(part, g.Stmt) and start is not None and name in facts.find_tracks(start):
            yield part
