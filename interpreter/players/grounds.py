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
from interpreter.program import Program
from interpreter.readings import shown_reading
from interpreter.stakes import POT, PRICE, is_betting, roles
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

    @classmethod
    def of(cls, match: Match, states: Sequence[State], seed: int) -> Worlds:
        assert match.decision is not None
        site = match.program.site(match.state)
        return cls(match.program, site, match.decision.seat, states, Random(f"grounds {seed}"))


def grounds(worlds: Worlds, code: int) -> list[str]:
    """Sentences about a move, by its code; none where nothing of the sort can be said."""
    found = []
    with suppress(RuleError):
        best = share_best(worlds)
        if best is not None:
            found.append(f"Your hand is now the best in {tenths(best)} cases{price_told(worlds)}.")
        found += told_of_trick(worlds, code)
    return found


def price_told(worlds: Worlds) -> str:
    """From which share of wins on it pays to stay in: the price of what then lies in the middle; nothing where that is
    free."""
    program, state = worlds.program, worlds.states[0]
    price, pot = (program.of_player(name, state, worlds.seat) or 0 for name in (PRICE, POT))
    if price <= 0:
        return ""
    return f"; to stay in pays from {max(1, round(10 * price / (price + pot)))} of 10 on"


def tenths(share: float) -> str:
    """`3 of 10`; of so few samples nothing is told as never or always so."""
    return "hardly any" if share < HARDLY else "nearly all" if share > 1 - HARDLY else f"{round(10 * share)} of 10"


def share_best(worlds: Worlds) -> float | None:
    """In so many of all cases no other hand that may still win is better; one that several have counts by its share.
    None where nobody decides about a bet, or where the player holds nothing."""
    program, seat = worlds.program, worlds.seat
    name = shown_reading(program.game)
    if name is None or not is_betting(program.game) or not any(roles(worlds.site)) or not worlds.states:
        return None
    total = 0.0
    for state in worlds.states:
        own = program.of_player(name, state, seat)
        if own is None:
            return None
        read = (program.of_player(name, state, other) for other in state.alive if other != seat)
        others = [each.strength for each in read if each is not None and len(each.cards) == len(own.cards)]
        if all(other <= own.strength for other in others):
            total += 1 / (1 + others.count(own.strength))
    return total / len(worlds.states)


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
