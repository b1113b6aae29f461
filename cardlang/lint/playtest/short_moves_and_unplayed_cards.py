"""Rules for moves that find too few cards, dealt cards that are never played, and draws that every player knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import define, frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.playtest.playtest_report import PlaytestReport, RemainingCards, rule
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.card_visibility import ORDERED_ENDS, split_end_and_cards
from cardlang.lint.static.leftover_state import iter_source_zones
from cardlang.lint.static.shared_game_facts import GameFacts
from cardlang.model.statement_effects import find_shuffled_zones

if TYPE_CHECKING:
    from interpreter.program.program import Program
    from interpreter.runtime.state import State

MIN_WANTED_CARDS = 2
"""Smallest number of wanted cards to report. A single missing card is seldom an error: the draw pile is empty."""
MENUS_PER_EMPTY_MENU = 10
"""A note needs at least one choice without a legal option in this many."""


# ---------------------------------------------------------------- short moves and empty menus
@rule("N510", "Too few cards")
def find_short_moves(report: PlaytestReport) -> Iterator[Finding]:
    """In some matches of `cardlang check --play`, this rule took several cards and
    found fewer. It took as many as there were, without an error. Gather and
    shuffle the cards before you deal again, or deal fewer. If the last cards may
    run out, nothing is wrong.

    Wrong:

        step play
          shuffle deck
          repeat until deck is empty
            discard top 5 of deck to table
          each player
            set your score to 1

    Right:

        step play
          shuffle deck
          repeat until deck is empty
            discard top 3 of deck to table
          each player
            set your score to 1
    """
    for span, results in report.group_moves():
        taken = [(result, result.taken_cards[span]) for result in results]
        short = [
            (result, [(m, two) for m, two in each.shortages.items() if two[0] >= MIN_WANTED_CARDS])
            for result, each in taken
        ]
        short = [(result, found) for result, found in short if found]
        if short and any(each.max_available for _, each in taken):
            result, [(seed, (wanted, available)), *_] = short[0]
            counts = ", ".join(f"{len(found)} of {each.matches} of {each.label}" for each, found in short)
            yield Finding(
                span,
                f"this took more cards than there were in {counts} (first with seed {seed}, {result.label}: "
                f"{available} of {wanted})",
                "gather and shuffle the cards before the deal, or deal fewer",
            )


@rule("N511", "Negative number of cards")
def find_negative_moves(report: PlaytestReport) -> Iterator[Finding]:
    """Each time play reached this rule, it asked for a negative number of cards, so
    no card moved. Subtract the smaller number from the larger, or check the
    condition around the rule.

    Wrong:

        step play
          shuffle deck
          each player
            draw top (count of your hand - 5) of deck to your hand
            add 1 to your score

    Right:

        step play
          shuffle deck
          each player
            draw top (5 - count of your hand) of deck to your hand
            add 1 to your score
    """
    for span, results in report.group_moves():
        found = [result.taken_cards[span] for result in results]
        if all(each.executions == each.negative_requests for each in found):
            yield Finding(
                span,
                f"the number of cards was negative here every time in {report.matches_label}, so nothing happened",
                "subtract the smaller number from the larger, or check the condition around it",
            )


@rule("N512", "No legal option")
def find_empty_menus(report: PlaytestReport) -> Iterator[Finding]:
    """At least one time in ten, a player had to choose here but had no legal option.
    The game skipped the player. Check the conditions of the options. If players
    may be skipped, write `you may choose one`.

    Wrong:

        step play
          shuffle deck
          each player
            deal top of deck to your hand
            you choose one
              option show-low-card
                when total of your hand's value < 6
                add 1 to your score

    Right:

        step play
          shuffle deck
          each player
            deal top of deck to your hand
            you may choose one
              option show-low-card
                when total of your hand's value < 6
                add 1 to your score
    """
    menus = {part.span for part, each in report.facts.effects if each.options and not each.may_pass}
    for span in sorted(menus, key=lambda each: each.start):
        counts = [result.menu_counts[span] for result in report.results if span in result.menu_counts]
        asked, never = sum(each.total() for each in counts), sum(each[False] for each in counts)
        if never and never * MENUS_PER_EMPTY_MENU >= asked:
            yield Finding(
                span,
                f"the player had no legal option here {never:,} of {asked:,} times in {report.matches_label}",
                "a player with no legal option is skipped. Check the conditions of the options, or write `you may`",
            )


# ---------------------------------------------------------------- unplayed cards
MIN_DEALS = 20
"""Number of deals needed before a note."""


@frozen
class ZoneEffect:
    """Effect of a statement on the cards of a zone.

    - `plays`: a player plays some of them
    - `gathers`: all are collected
    - `refills`: more cards come
    """

    plays: bool
    gathers: bool
    refills: bool


@define
class DealState:
    """State of the current deal of a zone.

    `dealt_counts` holds the card count of each player when the first card was played, or None before that. `mixed` is
    set if cards came later or went to other players. The remaining cards then show nothing.
    """

    dealt_counts: list[int] | None = None
    mixed: bool = False


class UnplayedCardDetector:
    """Detector of unplayed cards, for player zones whose cards have no other use than play.

    `remaining_cards` holds the counts by zone.
    """

    def __init__(self, facts: GameFacts, program: Program) -> None:
        self.program = program
        self.zones = find_play_only_zones(facts)
        self.effects = find_zone_effects(facts, self.zones)
        self.deals: dict[str, DealState] = {}
        self.remaining_cards: dict[str, RemainingCards] = {}
        self.reset()

    def reset(self) -> None:
        """Reset the deals for a new match."""
        self.deals = {name: DealState() for name in self.zones}

    def observe_statement(self, span: Span, state: State) -> None:
        """Update the deals for the statement at `span`."""
        for name, effect in self.effects.get(span, ()):
            deal = self.deals[name]
            if effect.gathers:
                self.finish_deal(name, state)
            elif effect.plays and deal.dealt_counts is None:
                deal.dealt_counts = self.count_cards(name, state)
            elif effect.refills and deal.dealt_counts is not None:
                deal.mixed = True

    def finish_match(self, state: State) -> None:
        """Close all deals at the end of a match."""
        for name in self.zones:
            self.finish_deal(name, state)

    def finish_deal(self, name: str, state: State) -> None:
        deal, self.deals[name] = self.deals[name], DealState()
        if deal.dealt_counts is not None and not deal.mixed:
            self.remaining_cards.setdefault(name, RemainingCards()).add_deal(
                deal.dealt_counts, self.count_cards(name, state)
            )

    def count_cards(self, name: str, state: State) -> list[int]:
        """Return the card count of each player who is still in."""
        base = self.program.zone_base[name]
        return [len(state.z[base + seat]) for seat in state.alive]


# ---------------------------------------------------------------- effects of the rules on a zone
def find_play_only_zones(facts: GameFacts) -> tuple[str, ...]:
    """Return the player zones whose cards are played and have no other use.

    No stored value, score or order of winners depends on them.
    """
    game = facts.game
    values: list[object] = [change.value for change in facts.track_changes]
    values += [each.source for each in facts.bindings if each.kind == "value"]
    values += [game.defines[name].value for name in ("score", "winners") if name in game.defines]
    values += [game.orders[name].lines for name in ("standing",) if name in game.orders]
    counted = facts.find_zones(tuple(values))
    picks = (transfer for transfer in facts.transfers if not transfer.is_whole)
    played = {zone for transfer in picks for zone in iter_source_zones(game, transfer.cards)}
    played |= {zone for zones in find_choice_zones(facts).values() for zone in zones}
    owned = [zone for zone in game.zones.values() if zone.subject == "player" and zone.second is None]
    players = [zone for zone in owned if not zone.single]
    return tuple(zone.name for zone in players if zone.name in played - counted)


def find_choice_zones(facts: GameFacts) -> dict[int, set[str]]:
    """Return the zones that each chosen name is chosen from, by variable id."""
    choices = (each for each in facts.bindings if each.kind == "choice" and each.source)
    return {each.var.id: facts.find_zones(each.source) for each in choices}


def find_zone_effects(facts: GameFacts, zones: tuple[str, ...]) -> dict[Span, list[tuple[str, ZoneEffect]]]:
    """Return, for each statement that moves cards, its effect on each zone that it touches."""
    found: dict[Span, list[tuple[str, ZoneEffect]]] = {}
    chosen = find_choice_zones(facts) if zones else {}
    for part, effects in facts.effects if zones else ():
        for transfer in effects.transfers:
            origins = set(find_origin_zones(facts, transfer.cards, chosen))
            whole = transfer.is_whole and is_every_card(transfer.cards)
            for name in zones:
                here, comes = bool({name, None} & origins), transfer.to.zone == name
                away = here and whole and transfer.to.of is None and not transfer.to.each
                effect = ZoneEffect(here and not whole, away, comes or (here and whole and not away))
                if here or comes:
                    found.setdefault(part.span, []).append((name, effect))
    return found


def find_origin_zones(facts: GameFacts, cards: g.Expr, chosen: dict[int, set[str]]) -> Iterator[str | None]:
    """Yield the zones that cards come from, including zones of chosen names. None means any zone."""
    parts = facts.walk_with_definitions(cards)
    names = [each.id for each in parts if isinstance(each, g.Var) and each.id in chosen]
    if names:
        yield from (zone for name in names for zone in chosen[name])
    else:
        yield from iter_source_zones(facts.game, cards)


def is_every_card(cards: g.Expr) -> bool:
    """Return whether an expression takes all cards of its zones or sets."""
    match cards:
        case g.ZoneCards() | g.SetCards():
            return True
        case g.MapEach(value=value):
            return is_every_card(value)
        case g.Joined(items=items):
            return all(map(is_every_card, items))
    return False


@rule("N513", "Cards never played")
def find_unplayed_cards(report: PlaytestReport) -> Iterator[Finding]:
    """In every deal that `cardlang check --play` watched, each player had some of
    these cards left, and no rule counts them. Deal fewer cards, or let play go on
    longer. Hands that are refilled or scored aren't reported.

    Wrong:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
          each player
            you discard 1 from your hand to table
          add 1 to leader's score

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
          repeat until players' hand is empty
            each player
              you discard 1 from your hand to table
          add 1 to leader's score
    """
    for name in find_play_only_zones(report.facts):
        remaining = [(each, left) for each in report.results if (left := each.remaining_cards.get(name)) is not None]
        results = [(each, left) for each, left in remaining if left.deals >= MIN_DEALS and left.fewest_left > 0]
        span = find_deal_span(report.facts, name) if results else None
        if span is not None:
            counts = ", ".join(
                f"{left.fewest_left} of {left.fewest_dealt} in {left.deals:,} deals for {each.label}"
                for each, left in results
            )
            yield Finding(
                span,
                f"players never play all cards of `{name}`: each kept at least {counts}",
                "deal fewer cards, or play longer. No rule scores the cards that are left",
            )


def find_deal_span(facts: GameFacts, name: str) -> Span | None:
    """Return the place in the game's own source where cards are dealt to a zone."""
    moves = [
        part.span
        for part, effects in facts.effects
        if any(each.is_whole and each.to.zone == name for each in effects.transfers)
    ]
    spans = [span for span in (*moves, facts.game.zones[name].origin.name) if facts.is_own(span)]
    return min(spans[:-1] or spans, key=lambda span: span.start, default=None)


# ---------------------------------------------------------------- known draws
DRAWS_PER_KNOWN_CARD = 10
"""A note needs at least one known card in this many draws."""


class KnownDrawDetector:
    """Detector of known draws in random matches.

    `draw_counts` counts, by place, how often all players knew the first card drawn (True), and how often not (False).
    """

    def __init__(self, facts: GameFacts, program: Program) -> None:
        self.program = program
        self.draw_zones = find_draw_zones(facts)
        self.draw_counts: dict[Span, Counter[bool]] = {}

    def observe_statement(self, span: Span, state: State) -> None:
        """Count a draw if `span` is one.

        If each player has such a pile, the owner is unknown here, so the top cards of all piles are checked.
        """
        zone = self.draw_zones.get(span)
        if zone is None:
            return
        base, seats = self.program.zone_base[zone], (1 << self.program.players) - 1
        count = len(self.program.layout.list_owners(self.program.game.zones[zone]))
        piles = state.z[base : base + count]
        tops = [pile[-1] for pile in piles if pile]
        if tops and self.program.players > 1:
            known = any(state.known[card] & seats == seats for card in tops)
            self.draw_counts.setdefault(span, Counter())[known] += 1


def find_draw_zones(facts: GameFacts) -> dict[Span, str]:
    """Return the zone of each statement that draws from the top of a face-down pile.

    The zone is seen by no player and shuffled in the game. Zones onto which players put chosen cards are left out:
    their order may be meant to be known.
    """
    shuffled = find_shuffled_zones(facts.nodes)
    placed = {transfer.to.zone for transfer in facts.transfers if not transfer.is_whole}
    found: dict[Span, str] = {}
    for span, transfer in ((part.span, each) for part, effects in facts.effects for each in effects.transfers):
        end, source = split_end_and_cards(transfer)
        if end in ORDERED_ENDS and isinstance(source, g.ZoneCards) and source.zone in shuffled - placed:
            zone = facts.game.zones[source.zone]
            if zone.viewer == "nobody" and zone.subject in (None, "player"):
                found[span] = zone.name
    return found


@rule("N516", "Draws that everyone knows")
def find_known_draws(report: PlaytestReport) -> Iterator[Finding]:
    """In the matches of `cardlang check --play`, everyone often knew the next card of
    this face-down pile. Cards that all players had seen went back to the pile, and
    no rule shuffled it. Write `shuffle` after the line that brings them back. If
    their order is meant to be known, nothing is wrong.

    Wrong:

        number round
        step play
          shuffle deck
          repeat until round = 5
            add 1 to round
            each player
              draw top of deck to your hand
              add total of your hand's value to your score
              put top of deck to table
              put table to deck

    Right:

        number round
        step play
          shuffle deck
          repeat until round = 5
            add 1 to round
            each player
              draw top of deck to your hand
              add total of your hand's value to your score
              put top of deck to table
              put table to deck
              shuffle deck
    """
    zones, reported = find_draw_zones(report.facts), set[str | None]()
    found: dict[Span, Counter[bool]] = {}
    for result in report.results:
        for span, counts in result.known_draws.items():
            found.setdefault(span, Counter()).update(counts)
    for span, counts in sorted(found.items(), key=lambda each: each[0].start):
        name = zones.get(span)
        is_frequent = counts[True] and counts[True] * DRAWS_PER_KNOWN_CARD >= counts.total()
        if is_frequent and name not in reported and report.facts.is_own(span):
            reported.add(name)
            yield Finding(
                span,
                f"all players knew the cards drawn from `{name}` here, {counts[True]:,} of {counts.total():,} "
                f"times in {report.matches_label}: cards that all had seen were returned without a shuffle",
                f"add `shuffle {name}` after the line that returns them, unless players are meant to know the order",
            )
