"""What the next card may make of a hand, while cards still come to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from cardlang import game as g
from cardlang.game.walking import children, parts_of, reachable_defines, walk
from interpreter.itself import KEPT, Itself
from interpreter.matches.names import Names
from interpreter.ranking.reader import Reading
from interpreter.state import State

STEP_UP = 2
"""A rank so many places above the one that is held is worth telling of; the next one is mostly within reach."""
HARDLY = 20
"""What fewer than one card in so many brings is not counted on."""


def next_card(
    names: Names, state: State, seat: int, ranking: g.Ranking, reading: Reading, expr: g.Expr
) -> Iterator[str]:
    """`With the next card: Flush (9 of 46 cards), Straight (6).`: of the cards that the seat has not seen, so many lift
    the hand well above what it is. `expr`: what reads it. Nothing if hardly any does, or none comes any more."""
    if not ranks_by_faces(ranking):
        return
    if not more_come(Itself(names.game), running(names, state), zones_of(names.game, expr)):
        return
    program = names.program
    unseen = [card for card in range(len(program.face)) if not program.visible(state, card, seat)]
    reader = program.readings.reader(ranking.name)
    made = Counter(reader.rank((*reading.cards, card)) for card in unseen)
    better = [(-count, rank) for rank, count in made.items() if rank is not None and rank <= reading.rank - STEP_UP]
    if max((-count for count, _ in better), default=0) * HARDLY < len(unseen):
        return
    (most, best), *others = sorted(better)
    first = f"{reader.titles[best]} ({-most} of {len(unseen)} cards)"
    yield f"With the next card: {', '.join((first, *(f'{reader.titles[rank]} ({-count})' for count, rank in others)))}."


def ranks_by_faces(ranking: g.Ranking) -> bool:
    """Whether no card is wild: what a card counts as might then depend on who comes to own it."""
    return ranking.size != "groups" and not ranking.wilds


def running(names: Names, state: State) -> tuple[str, ...]:
    """The steps that are going on, the outermost first, as far as everybody may know."""
    found = dict.fromkeys(name for frame in state.frames for name in names.program.enclosing[frame[0]])
    return tuple(name for name in found if name in names.game.steps and name not in names.facts.unseen_steps)


def zones_of(game: g.Game, expr: g.Expr) -> frozenset[str]:
    """Those whose cards an expression looks at."""
    used = (game.defines[name].value for name in reachable_defines(game, expr))
    return frozenset(part.zone for part in walk((expr, *used)) if isinstance(part, g.ZoneCards))


@lru_cache(maxsize=KEPT)
def more_come(game: Itself, steps: Sequence[str], zones: Collection[str]) -> bool:
    """Whether the steps that are going on bring cards to some zones when those within them are over, in the same
    round of a loop."""
    for outer, inner in pairwise(steps):
        parts = list(in_order(parts_of(game.game.steps[outer].body)))
        called = [at for at, part in enumerate(parts) if isinstance(part, g.Do) and part.step == inner]
        if called and any(brings(game.game, part, zones, set()) for part in parts[called[-1] + 1 :]):
            return True
    return False


def in_order(parts: Iterable[object]) -> Iterator[object]:
    """Parts and all below them, as they are written."""
    for part in parts:
        yield part
        yield from in_order(children(part))


def brings(game: g.Game, part: object, zones: Collection[str], seen: set[str]) -> bool:
    """Whether a statement moves cards to some zones, by itself or in a step that it does."""
    if isinstance(part, g.Move | g.Pick):
        return part.to is not None and part.to.zone in zones
    if not isinstance(part, g.Do) or part.step in seen:
        return False
    seen.add(part.step)
    return any(brings(game, each, zones, seen) for each in walk(game.steps[part.step].body))
