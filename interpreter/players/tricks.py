"""What becomes of a card laid to a trick: whether it takes it, or what it makes of its player. And which of several
cards that take it is the plainest."""

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
"""In so many matches it is looked at what a trick brings."""


def told_of_trick(worlds: Worlds, code: int) -> list[str]:
    """Whether the trick comes to its player, if the others play to it whatever they may."""
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
    """`It makes you best in the trick in 3 of 10 cases, lowest in the trick in 5 of 10.` What the game shows of who has
    played to a trick, while that lies there whole."""
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
    """A match after all have played to a trick whatever they may, if it lies there then."""
    pile, state = trick_of(worlds), worlds.laid(world, code)
    while state.loc[code - 1] == pile and goes_on(worlds, state):
        worlds.program.apply(state, worlds.random.choice(state.legal))
    return state if state.loc[code - 1] == pile else None


def goes_on(worlds: Worlds, state: State) -> bool:
    """Whether somebody is asked for a card to the same trick."""
    return state.who >= 0 and trick_of(evolve(worlds, site=worlds.program.site(state))) == trick_of(worlds)


def roles_of(worlds: Worlds, state: State) -> list[str]:
    """What the game works out to show of the player, by its names: who is best, and the like."""
    player, defines = worlds.names.players[worlds.seat], worlds.program.game.defines
    shown = Look(worlds.names, state).shown_to(worlds.seat)
    return [each.noun for each in shown if each.owner is None and each.value == player and each.name in defines]


def rises(worlds: Worlds, ends: list[State | None]) -> str:
    """Return `; if so, deal total rises by 4.2 on average` where the gain depends on the cards that others play."""
    won = [(world, state) for world, state in zip(worlds.states, ends, strict=True) if state is not None][:RISES]
    found = [(numbers_of(worlds, world), numbers_of(worlds, state)) for world, state in won]
    for noun in found[0][0] if found else ():
        changes = [float(after[noun][0] - before[noun][0]) for before, after in found if noun in after]
        if len(changes) == len(found) and len(set(changes)) > 1 and sum(changes) >= len(changes) / 2:
            return f"; if so, {noun} rises by {sum(changes) / len(changes):.1f} on average"
    return ""


def tenths(share: float) -> str:
    """`3 of 10`; of so few samples nothing is told as never or always so."""
    return "hardly any" if share < HARDLY else "nearly all" if share > 1 - HARDLY else f"{round(10 * share)} of 10"


def ends_of_trick(worlds: Worlds, code: int) -> list[State | None] | None:
    """For each match how it stands after a trick that comes to who lays a card, if the others play to it whatever they
    may; else None. None at all for what is no card laid to a trick, where its cards go to several players, and where
    another deal follows at once: who took them is forgotten then."""
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
    """Whether the trick is over with a card."""
    state = worlds.laid(worlds.states[0], code)
    return state.loc[code - 1] != trick_of(worlds) or state.who < 0


def is_beaten(worlds: Worlds, code: int) -> bool:
    """Whether a card that lies there is better, as the rules tell it."""
    if worlds.best is None:
        return False
    state = worlds.laid(worlds.states[0], code)
    return bool(worlds.program.value(worlds.best, state) != code - 1)


def plainest(worlds: Worlds, moves: tuple[Weighed, ...]) -> tuple[Weighed, ...]:
    """The moves, the best first; but of cards that take the trick in any case and may be as good the lowest comes
    before the others, or the highest where a low score is good."""
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
    """Whether a card beats another, whichever of them is laid first."""
    return all(better_of(worlds, pair) == one - 1 for pair in ([one - 1, other - 1], [other - 1, one - 1]))


def better_of(worlds: Worlds, cards: list[int]) -> object:
    """Which of two cards would be best, if they alone lay there."""
    pile, state = trick_of(worlds), worlds.program.clone(worlds.states[0])
    assert pile is not None and worlds.best is not None
    state.z[pile] = cards
    for card in cards:
        state.loc[card] = pile
    return worlds.program.value(worlds.best, state)


def trick_of(worlds: Worlds) -> int | None:
    """The pile of the table, shown as a trick, to which a card of one's choice is laid."""
    statement, game = worlds.site.statement, worlds.program.game
    if worlds.site.kind != "pick" or not isinstance(statement, g.Pick) or statement.position is not None:
        return None
    zone = statement.to.zone
    if not any(show.zone == zone and show.form == "trick" for show in game.shows):
        return None
    return worlds.program.layout.zone_base[zone]
