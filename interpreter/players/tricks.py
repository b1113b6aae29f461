"""What becomes of a card laid to a trick: whether it takes it, and which of several cards that do is the plainest."""

from __future__ import annotations

from attrs import evolve

from cardlang import game as g
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
        return []
    taken = sum(state is not None for state in ends) / len(ends)
    if is_last(worlds, code):
        return ["It takes the trick." if taken else "It does not take the trick."]
    if not taken and is_beaten(worlds, code):
        return ["It cannot take the trick."]
    return [f"It takes the trick in {tenths(taken)} cases{rises(worlds, ends)}."]


def rises(worlds: Worlds, ends: list[State | None]) -> str:
    """`; deal total then rises by 4.2 on average`: what a trick brings, where that hangs on what others play to it."""
    won = [(world, state) for world, state in zip(worlds.states, ends, strict=True) if state is not None][:RISES]
    found = [(numbers_of(worlds, world), numbers_of(worlds, state)) for world, state in won]
    for noun in found[0][0] if found else ():
        changes = [float(after[noun][0] - before[noun][0]) for before, after in found if noun in after]
        if len(changes) == len(found) and len(set(changes)) > 1 and sum(changes) >= len(changes) / 2:
            return f"; {noun} then rises by {sum(changes) / len(changes):.1f} on average"
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
