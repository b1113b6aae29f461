"""Lint rules for dealt cards that are never played, and for draws that every player knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.playtest.playtest_findings import RemainingCards
from cardlang.lint.static.card_visibility import ORDERED_ENDS, split_end_and_cards
from cardlang.lint.static.dead_stores_and_leftover_state import iter_source_zones
from cardlang.lint.static.execution_order import get_own_source
from cardlang.lint.static.infinite_loops import walk_with_definitions
from cardlang.model.effects import find_shuffled_zones, iter_effects, iter_track_changes, iter_transfers
from cardlang.model.traversal import collect_all_nodes

if TYPE_CHECKING:
    from cardlang.lint.playtest.playtest_findings import PlaytestResult
    from interpreter.program.program import Program
    from interpreter.runtime.state import State


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

    def __init__(self, game: g.Game, program: Program) -> None:
        self.program = program
        self.zones = find_play_only_zones(game)
        self.effects = find_zone_effects(game, self.zones)
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
def find_play_only_zones(game: g.Game) -> tuple[str, ...]:
    """Return the player zones whose cards are played and have no other use.

    No stored value, score or order of winners depends on them.
    """
    parts = collect_all_nodes(game)
    kept = [change.value for change in iter_track_changes(parts)]
    kept += [part.value for part in parts if isinstance(part, g.Remember)]
    ends = [game.defines[name].value for name in ("score", "winners") if name in game.defines]
    lines = [order.lines for name, order in game.orders.items() if name == "standing"]
    counted = {
        part.zone for part in walk_with_definitions(game, (*kept, *ends, *lines)) if isinstance(part, g.ZoneCards)
    }
    picks = (transfer for transfer in iter_transfers(parts) if not transfer.is_whole)
    played = {zone for transfer in picks for zone in iter_source_zones(game, transfer.cards)}
    played |= {zone for source in find_choice_zones(game).values() for zone in source}
    players = [zone for zone in game.zones.values() if zone.subject == "player" and not zone.single]
    return tuple(zone.name for zone in players if zone.name in played - counted)


def find_choice_zones(game: g.Game) -> dict[int, set[str | None]]:
    """Return the zones that each chosen name is chosen from, by variable id."""
    found: dict[int, set[str | None]] = {}
    for part in collect_all_nodes(game):
        binders = part.binders if isinstance(part, g.Option) else ()
        if isinstance(part, g.Choose):
            binders = ((part.var, part.domain),)
        for var, domain in binders:
            if domain.list is not None:
                found[var.id] = {
                    each.zone for each in walk_with_definitions(game, domain.list) if isinstance(each, g.ZoneCards)
                }
    return found


def find_zone_effects(game: g.Game, zones: tuple[str, ...]) -> dict[Span, list[tuple[str, ZoneEffect]]]:
    """Return, for each statement that moves cards, its effect on each zone that it touches."""
    found: dict[Span, list[tuple[str, ZoneEffect]]] = {}
    chosen = find_choice_zones(game) if zones else {}
    for part, effects in iter_effects(collect_all_nodes(game) if zones else ()):
        for transfer in effects.transfers:
            origins = set(find_origin_zones(game, transfer.cards, chosen))
            whole = transfer.is_whole and is_every_card(transfer.cards)
            for name in zones:
                here, comes = bool({name, None} & origins), transfer.to.zone == name
                away = here and whole and transfer.to.of is None and not transfer.to.each
                effect = ZoneEffect(here and not whole, away, comes or (here and whole and not away))
                if here or comes:
                    found.setdefault(part.span, []).append((name, effect))
    return found


def find_origin_zones(game: g.Game, cards: g.Expr, chosen: dict[int, set[str | None]]) -> Iterator[str | None]:
    """Yield the zones that cards come from, including zones of chosen names. None means any zone."""
    names = [each.id for each in walk_with_definitions(game, cards) if isinstance(each, g.Var) and each.id in chosen]
    if names:
        yield from (zone for name in names for zone in chosen[name])
    else:
        yield from iter_source_zones(game, cards)


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


# ---------------------------------------------------------------- notes
def check_unplayed_cards(game: g.Game, results: Iterable[PlaytestResult]) -> Iterator[Diagnostic]:
    """Yield a note for each zone in which, at some player count, every player had cards left in every deal."""
    for name in find_play_only_zones(game):
        those = [
            trial
            for trial in results
            if (left := trial.remaining_cards.get(name)) and left.deals >= MIN_DEALS and left.fewest_left > 0
        ]
        place = find_deal_span(game, name)
        if those and place is not None:
            counts = ", ".join(
                f"{trial.remaining_cards[name].fewest_left} of {trial.remaining_cards[name].fewest_dealt} in "
                f"{trial.remaining_cards[name].deals:,} deals for "
                f"{trial.label}"
                for trial in those
            )
            yield Diagnostic(
                "N513",
                f"players never play all cards of `{name}`: each kept at least {counts}",
                place,
                "deal fewer cards, or play longer. No rule scores the cards that are left",
                warning=True,
            )


def find_deal_span(game: g.Game, name: str) -> Span | None:
    """Return the place in the game's own source where cards are dealt to a zone."""
    moves = (
        part.span
        for part, effects in iter_effects(collect_all_nodes(game))
        if any(each.is_whole and each.to.zone == name for each in effects.transfers)
    )
    spans = [span for span in (*moves, game.zones[name].origin.name) if span.source is get_own_source(game)]
    return min(spans[:-1] or spans, key=lambda span: span.start, default=None)


# ---------------------------------------------------------------- known draws
DRAWS_PER_KNOWN_CARD = 10
"""A note needs at least one known card in this many draws."""


class KnownDrawDetector:
    """Detector of known draws in random matches.

    `draw_counts` counts, by place, how often all players knew the first card drawn (True), and how often not (False).
    """

    def __init__(self, game: g.Game, program: Program) -> None:
        self.program = program
        self.draw_zones = find_draw_zones(game)
        self.draw_counts: dict[Span, Counter[bool]] = {}

    def observe_statement(self, span: Span, state: State) -> None:
        """Count a draw if `span` is one.

        If each player has such a pile, the owner is unknown here, so the top cards of all piles are checked.
        """
        zone = self.draw_zones.get(span)
        if zone is None:
            return
        base, seats = self.program.zone_base[zone], (1 << self.program.players) - 1
        single = self.program.game.zones[zone].subject is None
        piles = [state.z[base + of] for of in range(1 if single else self.program.players)]
        tops = [pile[-1] for pile in piles if pile]
        if tops and self.program.players > 1:
            known = any(state.known[card] & seats == seats for card in tops)
            self.draw_counts.setdefault(span, Counter())[known] += 1


def find_draw_zones(game: g.Game) -> dict[Span, str]:
    """Return the zone of each statement that draws from the top of a face-down pile.

    The zone is seen by no player and shuffled in the game. Zones onto which players put chosen cards are left out:
    their order may be meant to be known.
    """
    parts = collect_all_nodes(game)
    shuffled = find_shuffled_zones(parts)
    placed = {transfer.to.zone for transfer in iter_transfers(parts) if not transfer.is_whole}
    found: dict[Span, str] = {}
    for span, transfer in ((part.span, each) for part, effects in iter_effects(parts) for each in effects.transfers):
        end, source = split_end_and_cards(transfer)
        if end in ORDERED_ENDS and isinstance(source, g.ZoneCards) and source.zone in shuffled - placed:
            zone = game.zones[source.zone]
            if zone.viewer == "nobody" and zone.subject in (None, "player"):
                found[span] = zone.name
    return found


def check_known_draws(game: g.Game, results: Iterable[PlaytestResult], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each zone whose drawn cards were often known to all players, at the first such place."""
    zones, told = find_draw_zones(game), set[str | None]()
    found: dict[Span, Counter[bool]] = {}
    for trial in results:
        for span, counts in trial.known_draws.items():
            found.setdefault(span, Counter()).update(counts)
    for span, counts in sorted(found.items(), key=lambda each: each[0].start):
        name = zones.get(span)
        often = counts[True] and counts[True] * DRAWS_PER_KNOWN_CARD >= counts.total()
        if often and name not in told and span.source is get_own_source(game):
            told.add(name)
            yield Diagnostic(
                "N516",
                f"all players knew the cards drawn from `{name}` here, {counts[True]:,} of {counts.total():,} "
                f"times in {matches}: cards that all had seen were returned without a shuffle",
                span,
                f"add `shuffle {name}` after the line that returns them, unless players are meant to know the order",
                warning=True,
            )
