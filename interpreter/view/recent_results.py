"""Recent results of a match: tricks, showdowns, scores, final standing.

A viewer's history reads events incrementally; the results of a table are built from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from itertools import groupby

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.model import Game
from interpreter.narration import event_phrases as p
from interpreter.narration.event_sentences import DEAL_DIVISOR
from interpreter.narration.events import ChangeValue, EventView, ValueChange
from interpreter.runtime.value_formatting import format_number, format_score
from interpreter.view.card_piles import PileLayout
from interpreter.view.final_result import build_end_result
from interpreter.view.player_view import TrackView, View
from interpreter.view.score_and_rounds import GameProgress
from interpreter.view.showdown import SharedCardTracker, build_result, build_showdown
from interpreter.view.table_model import EventLine, RecentResult, TableArea, TableCard, TablePile

SECTION_EVENTS, MAX_SECTION_EVENTS = 4, 160
"""Minimum and usual maximum number of events in a section of the log. After the maximum, any action ends it."""
EXCLUSIVE_RESULTS = ("showdown", "result")


@frozen
class TableFacts:
    """Static facts about a game: its layout and its progress. They are computed once."""

    game: Game
    piles: PileLayout
    progress: GameProgress
    shared_zones: tuple[str, ...]
    """Zones without an owner that rankings read."""
    assign_only_tracks: Mapping[str, frozenset[str]]
    """Numbers that are only ever assigned, with the steps at which they restart."""


@frozen
class DealScores:
    """Scores of a finished deal, or scores that several players got together.

    - `changes`: values before and after, by owner, if they changed.
    - `heading`: rest of the heading.
    """

    changes: dict[str | None, tuple[ChangeValue, ChangeValue]]
    values: dict[str | None, ChangeValue]
    """Values of all owners known at that time."""
    heading: str


class ViewerHistory:
    """History of a match as one viewer saw it.

    - `counts`: number of times each step ran within the step around it.
    - `step_players`: player of the last run of each step.
    """

    def __init__(self, facts: TableFacts, viewer: str | None) -> None:
        self.facts, self.viewer = facts, viewer
        self.count = 0
        self.section_starts = [0]
        """Numbers of events before each section of the log. The lines of a section depend on no other section."""
        self.sections: dict[tuple[int, int], tuple[EventLine, ...]] = {}
        """Log lines of finished sections."""
        self.earlier_lines: tuple[int, tuple[EventLine, ...]] = (0, ())
        """Number of events before the viewer's last move, and the lines about them."""
        self.counts: dict[str, int] = {}
        self.step_players: dict[str, str | None] = {}
        self.results: dict[str, RecentResult] = {}
        self.tricks: dict[str, list[TableCard]] = {}
        self.shared = SharedCardTracker(facts.shared_zones)
        self.shared_cards: dict[str, tuple[str, ...]] = {}
        self.gathering_pile = ""
        self.changes: dict[str | None, tuple[ChangeValue, ChangeValue]] = {}
        self.known: dict[str | None, ChangeValue] = {}
        self.deals: list[DealScores] = []
        """All reported scores, the oldest first."""
        self.revealed_hands: dict[str | None, EventView] = {}
        """Last revealed cards of each player's hand in this deal."""
        self.settled: set[tuple[str, str | None]] = set()
        self.showdown: RecentResult | None = None
        """Showdown that decided the last hand of this deal, if revealed cards decided it."""
        self.last_result: RecentResult | None = None
        """Result reported at the end of the match, with the hands revealed for it, if these did not win."""

    def copy(self) -> ViewerHistory:
        """Return an independent copy."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict | list | set):
                setattr(other, name, value.copy())
        other.tricks = {pile: cards.copy() for pile, cards in self.tricks.items()}
        other.shared = self.shared.copy()
        return other

    def take_events(self, events: Sequence[EventView]) -> None:
        """Read the new events, choice by choice."""
        for _, happened in groupby(events[self.count :], lambda event: event.at):
            self.take_choice(list(happened))
        self.count = len(events)

    def find_section_starts(self, events: Sequence[EventView]) -> list[int]:
        """Return the number of events before each section of the log, including the current one.

        A section ends where another player acts, because only lines about one player are merged.
        """
        starts = self.section_starts
        for at in range(starts[-1] + SECTION_EVENTS, len(events)):
            size = at - starts[-1]
            if size >= SECTION_EVENTS and events[at].at > events[at - 1].at:
                before = find_line_player(events, range(at - 1, starts[-1] - 1, -1))
                after = find_line_player(events, range(at, len(events)))
                if after not in (None, before) or size >= MAX_SECTION_EVENTS:
                    starts.append(at)
        return starts

    def take_choice(self, events: list[EventView]) -> None:
        """Read the events of one choice and store its result.

        The events are split at each new deal, so sentences about a new deal do not belong to the result before it.
        Hands revealed immediately in the new deal are the newest result. A sentence in the middle of a deal is a result
        only if hands are revealed for it or a player gains.
        """
        result: RecentResult | None = None
        rest = events
        while rest:
            earlier, before = [*self.revealed_hands.values()], dict(self.known)
            ends = self.take_deal(rest)
            started = {owner: first for owner, (first, _) in self.changes.items()} | before
            gained = {owner for owner, value in self.known.items() if has_grown(value, started.get(owner))}
            if len(gained) > 1 and gained == self.changes.keys() and not self.facts.progress.is_money:
                self.close_deal_scores("now", rest[ends - 1])
            moment = build_showdown(self.facts.piles, rest[:ends], gained, self.shared_cards, self.viewer, earlier)
            won = moment is not None and moment.kind == "showdown"
            is_end = rest[ends - 1].kind == "shuffled" or any(e.kind in ("eliminated", "ended") for e in rest[:ends])
            if moment is not None and (result is None or won) and (moment.hands or gained or is_end):
                result = moment
            self.showdown = None if rest[ends - 1].kind == "shuffled" else moment if won else self.showdown
            rest = rest[ends:]
        if result is not None:
            self.store_result(result)
        if result is not None and result.kind == "result" and events[-1].kind == "ended":
            self.last_result = self.results["result"]
            if self.showdown is not None:
                self.store_result(self.showdown)

    def take_deal(self, events: list[EventView]) -> int:
        """Read events until the cards are gathered again, and return their number.

        `shared_cards`: the shared cards at the time when a hand's value was reported.
        """
        self.shared_cards = {}
        for number, event in enumerate(events):
            if event.kind == "set":
                self.settled.add((event.change.name, event.change.owner) if event.change else (event.name, event.who))
            match event.kind:
                case "revealed" if event.who is not None and len(event.cards) > 1:
                    self.revealed_hands[event.who] = event
                case "moved":
                    self.shared.apply_move(event)
                    self.apply_move(event)
                case "told" if event.readings:
                    self.shared_cards = self.shared.get_contents()
                case "shuffled" if event.source == self.gathering_pile:
                    self.close_deal(event)
                    return number + 1
                case "step":
                    self.enter_step(event.name)
                    self.step_players[event.name] = event.who
                case "set" if event.change is not None and event.change.name == self.facts.progress.score_track:
                    self.record_score(event.change)
                case "ended":
                    self.close_deal(event)
        return len(events)

    def store_result(self, result: RecentResult) -> None:
        """Store a result as the newest, replacing the last one of its kind.

        A showdown and a result replace each other.
        """
        for kind in EXCLUSIVE_RESULTS if result.kind in EXCLUSIVE_RESULTS else (result.kind,):
            self.results.pop(kind, None)
        self.results[result.kind] = result

    def is_unset(self, name: str, owner: str | None) -> bool:
        """Return whether a number that is only ever assigned has no value yet."""
        return name in self.facts.assign_only_tracks and (name, owner) not in self.settled

    # ------------------------------------------------------------ steps and deals
    def enter_step(self, name: str) -> None:
        self.counts[name] = self.counts.get(name, 0) + 1
        again = {track for track, steps in self.facts.assign_only_tracks.items() if name in steps}
        self.settled = {step for step in self.settled if step[0] not in again}
        for below in self.facts.progress.reachable_steps[name]:
            self.counts.pop(below, None)

    def record_score(self, change: ValueChange) -> None:
        before = self.changes.get(change.owner, (change.before, None))[0]
        self.changes[change.owner] = (before, change.after)
        self.known[change.owner] = change.after

    def close_deal(self, event: EventView) -> None:
        """Close the scores of the finished deal when cards are gathered for another."""
        self.gathering_pile = ""
        self.revealed_hands.clear()
        self.close_deal_scores("of the last deal", event)

    def close_deal_scores(self, when: str, event: EventView) -> None:
        """Store the score changes since the last time as a result."""
        if self.changes:
            self.deals.append(DealScores(self.changes, dict(self.known), when))
            self.changes = {}
            self.store_result(RecentResult("scores", "", events=(event,)))

    # ------------------------------------------------------------ tricks
    def apply_move(self, event: EventView) -> None:
        cards = len(event.cards) + event.hidden
        if not event.source and cards * DEAL_DIVISOR >= self.facts.game.cards:
            self.gathering_pile = event.to
        if event.source in self.tricks:
            self.store_trick(event)
        elif self.facts.piles.is_trick_pile(event.to) and event.who is not None:
            played = self.tricks.setdefault(event.to, [])
            played += [evolve(self.facts.piles.get_face_up_card(code), by=event.who) for code in event.cards]

    def store_trick(self, event: EventView) -> None:
        """Store a trick as a result, when its cards are moved away."""
        cards = self.tricks.pop(event.source)
        is_whole_trick = len(event.cards) + event.hidden == len(cards)
        owner = self.facts.piles.get_pile_owner(event.to) if is_whole_trick else None
        best = next((card for card in reversed(cards) if card.by == owner), None)
        noted_cards = [evolve(card, note=self.build_trick_note(card, cards[0], best)) for card in cards]
        plays = [(p.make_name(str(card.by)), " ", p.Cards.create((str(card.code),))) for card in cards]
        line = p.Line(
            (plays[0][0].capitalize_start(), *plays[0][1:], *(part for play in plays[1:] for part in (", ", *play)))
        )
        with_it = ("with ", p.Cards.create((str(best.code),))) if best is not None else ()
        headline, lines = p.Line((*line, ".")), tuple[p.Line, ...]()
        if owner is not None:
            headline = p.write_sentence(p.make_name(owner), p.make_verb("takes", owner), "the trick", with_it)
            lines = (line,)
        name = event.source.partition("/")[2]
        pile = TablePile("", name, name.replace("-", " "), None, "trick", 0, False, tuple(noted_cards))
        self.store_result(build_result("trick", headline, lines, self.viewer, (pile,)))

    def build_trick_note(self, card: TableCard, led: TableCard, best: TableCard | None) -> str:
        return ", ".join(word for word, other in (("led", led), ("best", best)) if other is card)


def find_line_player(events: Sequence[EventView], places: Iterable[int]) -> str | None:
    """Return the player of the first action or sentence about a player, among the events at some places."""
    lines = (events[at] for at in places if events[at].line and events[at].kind != "step")
    return next((event.who for event in lines if event.who is not None), None)


def has_grown(value: ChangeValue, before: ChangeValue) -> bool:
    """Return whether a number has grown. A number without a known earlier value has grown."""
    if isinstance(value, str | None):
        return False
    return True if isinstance(before, str | None) else value > before


def build_recent_results(view: View, history: ViewerHistory, areas: tuple[TableArea, ...]) -> tuple[RecentResult, ...]:
    results = [
        build_score_result(view, history, moment) if moment.kind == "scores" else moment
        for moment in history.results.values()
    ]
    if not view.over:
        return tuple(results)
    last, won = history.last_result, history.results.get("showdown")
    ended = build_end_result(history.facts.game, view, areas, last, won.hands if won is not None else ())
    return (*(result for result in results if result is not last), ended)


def build_score_result(view: View, history: ViewerHistory, result: RecentResult) -> RecentResult:
    """Return the score changes of the last deal, or of the last scoring."""
    last, name = len(history.deals) - 1, history.facts.progress.score_track
    deal = history.deals[last]
    rows = tuple(
        build_score_row(str(track.owner or track.noun), *find_owner_scores(history, last, track.owner, track.value))
        for track in find_score_tracks(view, history)
    )
    noun = history.facts.game.tracks[name].noun if name is not None else None
    return RecentResult(
        result.kind,
        f"The {describe_score_noun(noun)} {deal.heading}",
        columns=("", "before", "change", "now"),
        rows=rows,
        events=result.events,
    )


def describe_score_noun(noun: g.Noun | None) -> str:
    if noun is None:
        return "scores"
    return (noun.plural if noun.counted else noun.singular).replace("-", " ")


def find_score_tracks(view: View, history: ViewerHistory) -> list[TrackView]:
    return [track for track in view.tracks if track.name == history.facts.progress.score_track]


def build_score_sheet(view: View, history: ViewerHistory) -> tuple[tuple[str, ...], ...]:
    """Return the scores deal by deal: a header of owners, then a row for each deal with changes and totals."""
    tracks = find_score_tracks(view, history)
    if not tracks or not history.deals:
        return ()
    rows: list[tuple[str, ...]] = [("", *(str(track.owner or track.noun) for track in tracks))]
    for number in range(len(history.deals)):
        row = (build_score_row("", *find_owner_scores(history, number, track.owner, track.value)) for track in tracks)
        rows.append((str(number + 1), *(f"{change} ({now})" for _, _, change, now in row)))
    return tuple(rows)


def find_owner_scores(
    history: ViewerHistory, number: int, owner: str | None, current: ChangeValue
) -> tuple[ChangeValue, ChangeValue]:
    """Return an owner's score before and after a deal.

    An owner without a change in this deal keeps the value. An owner without any earlier value has the value from before
    their first change.
    """
    deal, *later = history.deals[number:]
    if owner in deal.changes:
        return deal.changes[owner]
    if owner in deal.values:
        return deal.values[owner], deal.values[owner]
    since = next(
        (changes[owner] for changes in (*(one.changes for one in later), history.changes) if owner in changes), None
    )
    value = since[0] if since is not None else current
    return value, value


def build_score_row(name: str, before: ChangeValue, after: ChangeValue) -> tuple[str, ...]:
    change = "0"
    if isinstance(before, int | Fraction) and isinstance(after, int | Fraction):
        change = f"{'+' if after > before else ''}{format_number(after - before)}"
    return name, format_score(before), change, format_score(after)
