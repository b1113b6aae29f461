"""Detection of cards drawn from a face-down pile that all players already know (note N516): a shuffle is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.checks.opening import ENDS, parted
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything
from cardlang.source import Diagnostic, Span

if TYPE_CHECKING:
    from cardlang.commands.trial import Trial
    from interpreter.program import Program
    from interpreter.state import State

OFTEN = 10
"""A note needs at least one known card in this many draws."""


class Drawn:
    """Detector of known draws in random matches.

    `found` counts, by place, how often all players knew the first card drawn (True), and how often not (False).
    """

    def __init__(self, game: g.Game, program: Program) -> None:
        self.program = program
        self.zones = drawn_from(game)
        self.found: dict[Span, Counter[bool]] = {}

    def at(self, span: Span, state: State) -> None:
        """Count a draw if `span` is one.

        If each player has such a pile, the owner is unknown here, so the top cards of all piles are checked.
        """
        zone = self.zones.get(span)
        if zone is None:
            return
        base, seats = self.program.zone_base[zone], (1 << self.program.players) - 1
        single = self.program.game.zones[zone].subject is None
        piles = [state.z[base + of] for of in range(1 if single else self.program.players)]
        tops = [pile[-1] for pile in piles if pile]
        if tops and self.program.players > 1:
            known = any(state.known[card] & seats == seats for card in tops)
            self.found.setdefault(span, Counter())[known] += 1


def drawn_from(game: g.Game) -> dict[Span, str]:
    """Return the zone of each statement that draws from the top of a face-down pile.

    The zone is seen by no player and shuffled in the game. Zones onto which players put chosen cards are left out:
    their order may be meant to be known.
    """
    parts = list(everything(game))
    shuffled = {part.zone.zone for part in parts if isinstance(part, g.Shuffle)}
    placed = {part.to.zone for part in parts if isinstance(part, g.Pick)}
    found: dict[Span, str] = {}
    for part in parts:
        if isinstance(part, g.Move):
            end, source = parted(part)
        elif isinstance(part, g.Pick):
            end, source = part.position, part.source
        else:
            continue
        if end in ENDS and isinstance(source, g.ZoneCards) and source.zone in shuffled - placed:
            zone = game.zones[source.zone]
            if zone.viewer == "nobody" and zone.subject in (None, "player"):
                found[part.span] = zone.name
    return found


def check_drawn(game: g.Game, trials: Iterable[Trial], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each zone whose drawn cards were often known to all players, at the first such place."""
    zones, told = drawn_from(game), set[str | None]()
    found: dict[Span, Counter[bool]] = {}
    for trial in trials:
        for span, counts in trial.drawn.items():
            found.setdefault(span, Counter()).update(counts)
    for span, counts in sorted(found.items(), key=lambda each: each[0].start):
        name = zones.get(span)
        often = counts[True] and counts[True] * OFTEN >= counts.total()
        if often and name not in told and span.source is own_source(game):
            told.add(name)
            yield Diagnostic(
                "N516",
                f"all players knew the cards drawn from `{name}` here, {counts[True]:,} of {counts.total():,} "
                f"times in {matches}: cards that all had seen were returned without a shuffle",
                span,
                f"add `shuffle {name}` after the line that returns them, unless players are meant to know the order",
                warning=True,
            )
