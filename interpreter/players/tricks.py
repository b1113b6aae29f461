"""Sentences for hints about a card played to a trick: whether it wins, or the role that it gives its player.

For several cards that surely win, the module also finds the simplest choice.
"""

from __future__ import annotations

from collections import Counter

from attrs import evolve

from cardlang import game as g
from interpreter.matches.names import listed
from interpreter.matches.shown import Look
from interpreter.players.effects import numbers_of
from interpreter.players.weighing import Weighed, may_be_as_good
from interpreter.players.worlds import Worlds
from interpreter.state import DONE, State

HARDLY = 0.05
RISES = 20
"""Number of samples for the gain from a trick."""


def told_of_trick(worlds: Worlds, code: int) -> list[str]:
    """Describe how often a card wins the trick if the other players play at random."""
    ends = ends_of_trick(worlds, code)
    if ends is None:
        return told_of_roles(worlds, code)
    taken = sum(state is not None for state in ends) / len(ends)
    if is_last(worlds, code):
        return ["It takes the trick." if taken else "It does not take the trick."]
    if not taken and is_beaten(worlds, code):
        return ["It cannot take the trick."]
    return [f"It takes the trick in {tenths(taken)} cases{rises(worlds, ends)}."]


def told_of_roles(worlds: Worlds, code: int) -> list[str]:
    """Describe the roles a card gives its player, while the trick is complete on the table.

    Return, for example, `It makes you best in the trick in 3 of 10 cases, lowest in the trick in 5 of 10.`

    The roles come from the game's `show` lines. The result is empty if they are not known in every sample.
    """
    if trick_of(worlds) is None or code == DONE or not worlds.states:
        return []
    found = [roles_of(worlds, state) for world in worlds.states if (state := whole(worlds, world, code)) is not None]
    counted = Counter(noun for roles in found for noun in roles)
    if len(found) < len(worlds.states) or not counted:
        return []
    shares = {noun: counted[noun] / len(found) for noun in counted if counted[noun] / len(found) >= HARDLY}
    if not goes_on(worlds, worlds.laid(worlds.states[0], code)):
        return [f"It makes you {listed(list(shares))}."]
    first, *others = [f"{noun} in {tenths(share)}" for noun, share in shares.items()] or [""]
    return [f"It makes you {', '.join([f'{first} cases', *others])}."] if first else []


def whole(worlds: Worlds, world: State, code: int) -> State | None:
    """Return the state of a sample after random play to the trick; None if the trick is no longer on the table."""
    pile, state = trick_of(worlds), worlds.laid(world, code)
    while state.loc[code - 1] == pile and goes_on(worlds, state):
        worlds.program.apply(state, worlds.random.choice(state.legal))
    return state if state.loc[code - 1] == pile else None


def goes_on(worlds: Worlds, state: State) -> bool:
    """Return whether the current player chooses a card for the same trick."""
    return state.who >= 0 and trick_of(evolve(worlds, site=worlds.program.site(state))) == trick_of(worlds)


def roles_of(worlds: Worlds, state: State) -> list[str]:
    """Return the names of the game's roles that a player has, such as the best in the trick."""
    player, defines = worlds.names.players[worlds.seat], worlds.program.game.defines
    shown = Look(worlds.names, state).shown_to(worlds.seat)
    return [each.noun for each in shown if each.owner is None and each.value == player and each.name in defines]


def rises(worlds: Worlds, ends: list[State | None]) -> str:
    """Return `; if so, deal total rises by 4.2 on average`, or an empty string for a gain that is always equal."""
    won = [(world, state) for world, state in zip(worlds.states, ends, strict=True) if state is not None][:RISES]
    found = [(numbers_of(worlds, world), numbers_of(worlds, state)) for world, state in won]
    for noun in found[0][0] if found else ():
        changes = [float(after[noun][0] - before[noun][0]) for before, after in found if noun in after]
        if len(changes) == len(found) and len(set(changes)) > 1 and sum(changes) >= len(changes) / 2:
            return f"; if so, {noun} rises by {sum(changes) / len(changes):.1f} on average"
    return ""


def tenths(share: float) -> str:
    """Return `3 of 10`. Small samples give no `never` or `always`, but `hardly any` and `nearly all`."""
    return "hardly any" if share < HARDLY else "nearly all" if share > 1 - HARDLY else f"{round(10 * share)} of 10"


def ends_of_trick(worlds: Worlds, code: int) -> list[State | None] | None:
    """Return by sample the state after the trick if the player wins it, else None, with random play by the others.

    Return None for the list if the move plays no card to a trick, or if several players take its cards. The list is
    also None if a new deal follows immediately, because the winner is no longer known then.
    """
    pile, card = trick_of(worlds), code - 1
    if pile is None or code == DONE or not worlds.states:
        return None
    ends = list[State | None]()
    for world in worlds.states:
        state, laid = worlds.laid(world, code), {card, *world.z[pile]}
        while state.loc[card] == pile and state.who >= 0:
            choice = worlds.random.choice(state.legal)
            laid |= {choice - 1} if trick_of(evolve(worlds, site=worlds.program.site(state))) == pile else set()
            worlds.program.apply(state, choice)
        if state.rng != world.rng or len({state.owner[each] for each in laid}) > 1:
            return None
        ends.append(state if state.owner[card] == worlds.seat else None)
    return ends


def is_last(worlds: Worlds, code: int) -> bool:
    """Return whether a card completes the trick."""
    state = worlds.laid(worlds.states[0], code)
    return state.loc[code - 1] != trick_of(worlds) or state.who < 0


def is_beaten(worlds: Worlds, code: int) -> bool:
    """Return whether the rules rank a card of the trick above this one."""
    if worlds.best is None:
        return False
    state = worlds.laid(worlds.states[0], code)
    return bool(worlds.program.value(worlds.best, state) != code - 1)


def plainest(worlds: Worlds, moves: tuple[Weighed, ...]) -> tuple[Weighed, ...]:
    """Return the moves with the best first, but prefer a simple choice among cards that surely win the trick.

    Among moves that may be equally good, the lowest card comes first, or the highest if low scores are good.
    """
    legal = worlds.states[0].legal if worlds.states else []
    if trick_of(worlds) is None or worlds.best is None or not takes(worlds, legal[moves[0].index]):
        return moves
    first, high = moves[0], is_low_good(worlds)
    for move in moves[1:]:
        one, other = (first, move) if high else (move, first)
        if may_be_as_good(moves[0], move) and is_stronger(worlds, legal[other.index], legal[one.index]):
            first = move if takes(worlds, legal[move.index]) else first
    return first, *(move for move in moves if move is not first)


def takes(worlds: Worlds, code: int) -> bool:
    ends = ends_of_trick(worlds, code)
    return ends is not None and None not in ends


def is_low_good(worlds: Worlds) -> bool:
    standing = worlds.program.game.orders.get("standing")
    return standing is not None and standing.lines[0].how == "lower"


def is_stronger(worlds: Worlds, one: int, other: int) -> bool:
    """Return whether a card beats another, in either order of play."""
    return all(better_of(worlds, pair) == one - 1 for pair in ([one - 1, other - 1], [other - 1, one - 1]))


def better_of(worlds: Worlds, cards: list[int]) -> object:
    """Return the winner of two cards, if they were alone in the trick."""
    pile, state = trick_of(worlds), worlds.program.clone(worlds.states[0])
    assert pile is not None and worlds.best is not None
    state.z[pile] = cards
    for card in cards:
        state.loc[card] = pile
    return worlds.program.value(worlds.best, state)


def trick_of(worlds: Worlds) -> int | None:
    """Return the pile that the chosen card goes to, if the game shows it as a trick; else None."""
    statement, game = worlds.site.statement, worlds.program.game
    if worlds.site.kind != "pick" or not isinstance(statement, g.Pick) or statement.position is not None:
        return None
    zone = statement.to.zone
    if not any(show.zone == zone and show.form == "trick" for show in game.shows):
        return None
    return worlds.program.layout.zone_base[zone]
