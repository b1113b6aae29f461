"""Cards that are dealt to players, and that nobody ever comes to play."""

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
"""So many deals are needed before anything is said."""


@define
class Left:
    """Of a zone, over all deals: `deals`: how many were watched to their end; `dealt`: the fewest cards that somebody
    had when a deal's first card was played; `least`: the fewest that somebody had at its end."""

    deals: int = 0
    dealt: int = 0
    least: int = 0

    def note(self, dealt: list[int], left: list[int]) -> None:
        self.dealt = min(dealt) if not self.deals else min(self.dealt, *dealt)
        self.least = min(left) if not self.deals else min(self.least, *left)
        self.deals += 1


@frozen
class Effect:
    """What a statement does with the cards of a zone: somebody plays some of them, all are gathered, more come."""

    plays: bool
    gathers: bool
    refills: bool


@define
class Deal:
    """`dealt`: how many cards each player had when the first was played, by seat; None before that. `mixed`: more have
    come since, or all went to other players: what is left tells nothing."""

    dealt: list[int] | None = None
    mixed: bool = False


class Hands:
    """The zones of players that cards are played from, and nothing else is done with. `left`: by zone."""

    def __init__(self, game: g.Game, program: Program) -> None:
        self.program = program
        self.zones = only_played(game)
        self.effects = effects(game, self.zones)
        self.deals: dict[str, Deal] = {}
        self.left: dict[str, Left] = {}
        self.begin()

    def begin(self) -> None:
        """A match begins."""
        self.deals = {name: Deal() for name in self.zones}

    def at(self, span: Span, state: State) -> None:
        """Play comes to a statement."""
        for name, effect in self.effects.get(span, ()):
            deal = self.deals[name]
            if effect.gathers:
                self.end_of(name, state)
            elif effect.plays and deal.dealt is None:
                deal.dealt = self.sizes(name, state)
            elif effect.refills and deal.dealt is not None:
                deal.mixed = True

    def end(self, state: State) -> None:
        """The match is over."""
        for name in self.zones:
            self.end_of(name, state)

    def end_of(self, name: str, state: State) -> None:
        deal, self.deals[name] = self.deals[name], Deal()
        if deal.dealt is not None and not deal.mixed:
            self.left.setdefault(name, Left()).note(deal.dealt, self.sizes(name, state))

    def sizes(self, name: str, state: State) -> list[int]:
        """How many cards each player has there who is still in."""
        base = self.program.zone_base[name]
        return [len(state.z[base + seat]) for seat in state.alive]


# ---------------------------------------------------------------- what the rules do with a zone
def only_played(game: g.Game) -> tuple[str, ...]:
    """The zones of players whose cards are played, and count nowhere else: no value that is kept, and no score, is made
    of them."""
    kept = [part.value for part in everything(game) if isinstance(part, g.SetTrack | g.Remember)]
    ends = [game.defines[name].value for name in ("score", "winners") if name in game.defines]
    lines = [order.lines for name, order in game.orders.items() if name == "standing"]
    counted = {part.zone for part in through(game, (*kept, *ends, *lines)) if isinstance(part, g.ZoneCards)}
    played = {zone for part in everything(game) if isinstance(part, g.Pick) for zone in sources(game, part)}
    played |= {zone for source in chosen_from(game).values() for zone in source}
    players = [zone for zone in game.zones.values() if zone.subject == "player" and not zone.single]
    return tuple(zone.name for zone in players if zone.name in played - counted)


def chosen_from(game: g.Game) -> dict[int, set[str | None]]:
    """By the name of what is chosen: the zones that it is chosen from."""
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
    """By statement that moves cards: what it does with the cards of each zone that it touches."""
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
    """The zones that cards come from, also those that a name stands for; None: any."""
    cards = part.source if isinstance(part, g.Pick) else part.what
    names = [each.id for each in through(game, cards) if isinstance(each, g.Var) and each.id in chosen]
    if names:
        yield from (zone for name in names for zone in chosen[name])
    else:
        yield from sources(game, part)


def is_whole(cards: g.Expr) -> bool:
    """Whether all cards of zones are taken, or of sets."""
    match cards:
        case g.ZoneCards() | g.SetCards():
            return True
        case g.MapEach(value=value):
            return is_whole(value)
        case g.Joined(items=items):
            return all(map(is_whole, items))
    return False


# ---------------------------------------------------------------- what is told
def check_hands(game: g.Game, trials: Iterable[Trial]) -> Iterator[Diagnostic]:
    """A note for each zone of which every player kept cards in every deal, at some number of players."""
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
    """Where cards are dealt to a zone, in the game itself."""
    moves = (part.span for part in everything(game) if isinstance(part, g.Move) and part.to.zone == name)
    spans = [span for span in (*moves, game.zones[name].origin.name) if span.source is own_source(game)]
    return min(spans[:-1] or spans, key=lambda span: span.start, default=None)
