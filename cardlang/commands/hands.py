"""Detection of cards that are dealt to players but never played (note N513)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from attrs import define, frozen

from cardlang import game as g
from cardlang.checks.loops import through
from cardlang.checks.rounds import sources
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything
from cardlang.source import Diagnostic, Span

if TYPE_CHECKING:
    from cardlang.commands.trial import Trial
    from interpreter.program import Program
    from interpreter.state import State

ENOUGH = 20
"""Number of deals needed before a note."""


@define
class Left:
    """Card counts of a zone over all deals.

    - `deals`: deals observed to their end
    - `dealt`: fewest cards that a player had when the first card of a deal was played
    - `least`: fewest cards that a player had at the end of a deal
    """

    deals: int = 0
    dealt: int = 0
    least: int = 0

    def note(self, dealt: list[int], left: list[int]) -> None:
        self.dealt = min(dealt) if not self.deals else min(self.dealt, *dealt)
        self.least = min(left) if not self.deals else min(self.least, *left)
        self.deals += 1


@frozen
class Effect:
    """Effect of a statement on the cards of a zone.

    - `plays`: a player plays some of them
    - `gathers`: all are collected
    - `refills`: more cards come
    """

    plays: bool
    gathers: bool
    refills: bool


@define
class Deal:
    """State of the current deal of a zone.

    `dealt` holds the card count of each player when the first card was played, or None before that. `mixed` is set if
    cards came later or went to other players. The remaining cards then show nothing.
    """

    dealt: list[int] | None = None
    mixed: bool = False


class Hands:
    """Detector of unplayed cards, for player zones whose cards have no other use than play.

    `left` holds the counts by zone.
    """

    def __init__(self, game: g.Game, program: Program) -> None:
        self.program = program
        self.zones = only_played(game)
        self.effects = effects(game, self.zones)
        self.deals: dict[str, Deal] = {}
        self.left: dict[str, Left] = {}
        self.begin()

    def begin(self) -> None:
        """Reset the deals for a new match."""
        self.deals = {name: Deal() for name in self.zones}

    def at(self, span: Span, state: State) -> None:
        """Update the deals for the statement at `span`."""
        for name, effect in self.effects.get(span, ()):
            deal = self.deals[name]
            if effect.gathers:
                self.end_of(name, state)
            elif effect.plays and deal.dealt is None:
                deal.dealt = self.sizes(name, state)
            elif effect.refills and deal.dealt is not None:
                deal.mixed = True

    def end(self, state: State) -> None:
        """Close all deals at the end of a match."""
        for name in self.zones:
            self.end_of(name, state)

    def end_of(self, name: str, state: State) -> None:
        deal, self.deals[name] = self.deals[name], Deal()
        if deal.dealt is not None and not deal.mixed:
            self.left.setdefault(name, Left()).note(deal.dealt, self.sizes(name, state))

    def sizes(self, name: str, state: State) -> list[int]:
        """Return the card count of each player who is still in."""
        base = self.program.zone_base[name]
        return [len(state.z[base + seat]) for seat in state.alive]


# ---------------------------------------------------------------- effects of the rules on a zone
def only_played(game: g.Game) -> tuple[str, ...]:
    """Return the player zones whose cards are played and have no other use.

    No stored value, score or order of winners depends on them.
    """
    kept = [part.value for part in everything(game) if isinstance(part, g.SetTrack | g.Remember)]
    ends = [game.defines[name].value for name in ("score", "winners") if name in game.defines]
    lines = [order.lines for name, order in game.orders.items() if name == "standing"]
    counted = {part.zone for part in through(game, (*kept, *ends, *lines)) if isinstance(part, g.ZoneCards)}
    played = {zone for part in everything(game) if isinstance(part, g.Pick) for zone in sources(game, part)}
    played |= {zone for source in chosen_from(game).values() for zone in source}
    players = [zone for zone in game.zones.values() if zone.subject == "player" and not zone.single]
    return tuple(zone.name for zone in players if zone.name in played - counted)


def chosen_from(game: g.Game) -> dict[int, set[str | None]]:
    """Return the zones that each chosen name is chosen from, by variable id."""
    found: dict[int, set[str | None]] = {}
    for part in everything(game):
        binders = part.binders if isinstance(part, g.Option) else ()
        if isinstance(part, g.Choose):
            binders = ((part.var, part.domain),)
        for var, domain in binders:
            if domain.list is not None:
                found[var.id] = {each.zone for each in through(game, domain.list) if isinstance(each, g.ZoneCards)}
    return found


def effects(game: g.Game, zones: tuple[str, ...]) -> dict[Span, list[tuple[str, Effect]]]:
    """Return, for each statement that moves cards, its effect on each zone that it touches."""
    found: dict[Span, list[tuple[str, Effect]]] = {}
    chosen = chosen_from(game) if zones else {}
    for part in everything(game) if zones else ():
        if isinstance(part, g.Move | g.Pick):
            origins = set(origins_of(game, part, chosen))
            whole = isinstance(part, g.Move) and is_whole(part.what)
            for name in zones:
                here, comes = bool({name, None} & origins), part.to.zone == name
                away = here and whole and part.to.of is None and not part.to.each
                effect = Effect(here and not whole, away, comes or (here and whole and not away))
                if here or comes:
                    found.setdefault(part.span, []).append((name, effect))
    return found


def origins_of(game: g.Game, part: g.Move | g.Pick, chosen: dict[int, set[str | None]]) -> Iterator[str | None]:
    """Yield the zones that cards come from, including zones of chosen names. None means any zone."""
    cards = part.source if isinstance(part, g.Pick) else part.what
    names = [each.id for each in through(game, cards) if isinstance(each, g.Var) and each.id in chosen]
    if names:
        yield from (zone for name in names for zone in chosen[name])
    else:
        yield from sources(game, part)


def is_whole(cards: g.Expr) -> bool:
    """Return whether an expression takes all cards of its zones or sets."""
    match cards:
        case g.ZoneCards() | g.SetCards():
            return True
        case g.MapEach(value=value):
            return is_whole(value)
        case g.Joined(items=items):
            return all(map(is_whole, items))
    return False


# ---------------------------------------------------------------- notes
def check_hands(game: g.Game, trials: Iterable[Trial]) -> Iterator[Diagnostic]:
    """Yield a note for each zone in which, at some player count, every player had cards left in every deal."""
    for name in only_played(game):
        those = [
            trial for trial in trials if (left := trial.left.get(name)) and left.deals >= ENOUGH and left.least > 0
        ]
        place = dealt_at(game, name)
        if those and place is not None:
            counts = ", ".join(
                f"{trial.left[name].least} of {trial.left[name].dealt} in {trial.left[name].deals:,} deals for "
                f"{trial.told}"
                for trial in those
            )
            yield Diagnostic(
                "N513",
                f"players never play all cards of `{name}`: each kept at least {counts}",
                place,
                "deal fewer cards, or play longer. No rule scores the cards that are left",
                warning=True,
            )


def dealt_at(game: g.Game, name: str) -> Span | None:
    """Return the place in the game's own source where cards are dealt to a zone."""
    moves = (part.span for part in everything(game) if isinstance(part, g.Move) and part.to.zone == name)
    spans = [span for span in (*moves, game.zones[name].origin.name) if span.source is own_source(game)]
    return min(spans[:-1] or spans, key=lambda span: span.start, default=None)
