"""What speaks for a move in words that a player uses: how good the hand is, whether the card takes the trick.

Both are counted over matches that could be the real one, with the cards that the player asked cannot see dealt anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random

from attrs import evolve, frozen

from cardlang import game as g
from interpreter.errors import RuleError
from interpreter.matches.match import Match
from interpreter.players.betting import betting_of
from interpreter.players.prospects import Prospect, staying_pays
from interpreter.program import Program
from interpreter.state import DONE, Site, State

HARDLY = 0.05
SAMPLES = 60
"""So many matches are looked at: a share is then told to a tenth or so."""


@frozen
class Worlds:
    """Matches that could be the real one, as a player sees it who is asked in them."""

    program: Program
    site: Site
    seat: int
    states: Sequence[State]
    random: Random
    prospect: Prospect | None = None
    """Of the hand, where a bet is decided about."""

    @classmethod
    def of(cls, match: Match, states: Sequence[State], seed: int, prospect: Prospect | None = None) -> Worlds:
        assert match.decision is not None
        site = match.program.site(match.state)
        return cls(match.program, site, match.decision.seat, states, Random(f"grounds {seed}"), prospect)


def grounds(worlds: Worlds, code: int) -> list[str]:
    """Sentences about a move, by its code; none where nothing of the sort can be said."""
    found = []
    with suppress(RuleError):
        if worlds.prospect is not None:
            found.append(
                f"If nobody folds, your hand wins in {tenths(worlds.prospect.share)} cases{price_told(worlds)}."
            )
        found += told_of_trick(worlds, code)
    return found


def price_told(worlds: Worlds) -> str:
    """From which share of wins on it pays to stay in: the price of what then lies in the middle; nothing where that is
    free."""
    betting = betting_of(worlds.program)
    share = staying_pays(betting, worlds.states[0]) if betting is not None and worlds.states else 0.0
    return f"; to stay in pays from {max(1, round(10 * share))} of 10 on" if share else ""


def tenths(share: float) -> str:
    """`3 of 10`; of so few samples nothing is told as never or always so."""
    return "hardly any" if share < HARDLY else "nearly all" if share > 1 - HARDLY else f"{round(10 * share)} of 10"


def told_of_trick(worlds: Worlds, code: int) -> list[str]:
    """Whether the trick comes to its player, if the others play to it whatever they may. Nothing of what is no card
    laid to a trick, where its cards go to several players, and where another deal follows at once: who took them is
    forgotten then."""
    pile, card = trick_of(worlds), code - 1
    if pile is None or code == DONE or not worlds.states:
        return []
    won, waited = 0, False
    for state in map(worlds.program.clone, worlds.states):
        state.events, state.checking, begun, laid = None, False, state.rng, {card, *state.z[pile]}
        worlds.program.apply(state, code)
        while state.loc[card] == pile and state.who >= 0:
            waited = True
            choice = worlds.random.choice(state.legal)
            laid |= {choice - 1} if trick_of(evolve(worlds, site=worlds.program.site(state))) == pile else set()
            worlds.program.apply(state, choice)
        if state.rng != begun or len({state.owner[each] for each in laid}) > 1:
            return []
        won += state.owner[card] == worlds.seat
    if not waited:
        return ["It takes the trick." if won else "It does not take the trick."]
    return [f"It takes the trick in {tenths(won / len(worlds.states))} cases."]


def trick_of(worlds: Worlds) -> int | None:
    """The pile of the table, shown as a trick, to which a card of one's choice is laid."""
    statement, game = worlds.site.statement, worlds.program.game
    if worlds.site.kind != "pick" or not isinstance(statement, g.Pick) or statement.position is not None:
        return None
    zone = statement.to.zone
    if not any(show.zone == zone and show.form == "trick" for show in game.shows):
        return None
    return worlds.program.layout.zone_base[zone]
