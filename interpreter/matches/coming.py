"""Estimate the improvement of a hand by the next card, while cards are still dealt to it."""

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
"""Minimum improvement worth reporting, in ranks. The next rank is usually within reach."""
HARDLY = 20
"""Improvements that fewer than 1 in `HARDLY` cards bring are not reported."""


def next_card(
    names: Names, state: State, seat: int, ranking: g.Ranking, reading: Reading, expr: g.Expr
) -> Iterator[str]:
    """Yield the outs of a hand: `With the next card: Flush (9 of 46 cards), Straight (6).`

    Outs are cards unseen by the seat that improve the hand by at least `STEP_UP` ranks. `expr`: expression that reads
    the hand. Yield nothing if there are hardly any, or if no cards are still to come.
    """
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
    """Return whether no card is wild. The meaning of a wild card might depend on its owner."""
    return ranking.size != "groups" and not ranking.wilds


def running(names: Names, state: State) -> tuple[str, ...]:
    """Return the publicly known running steps, the outermost first."""
    found = dict.fromkeys(name for frame in state.frames for name in names.program.enclosing[frame[0]])
    return tuple(name for name in found if name in names.game.steps and name not in names.facts.unseen_steps)


def zones_of(game: g.Game, expr: g.Expr) -> frozenset[str]:
    """Return the zones whose cards an expression reads."""
    used = (game.defines[name].value for name in reachable_defines(game, expr))
    return frozenset(part.zone for part in walk((expr, *used)) if isinstance(part, g.ZoneCards))


@lru_cache(maxsize=KEPT)
def more_come(game: Itself, steps: Sequence[str], zones: Collection[str]) -> bool:
    """Return whether running steps still bring cards to some zones, after the steps inside them finish.

    Only the current iteration of a loop counts.
    """
    for outer, inner in pairwise(steps):
        parts = list(in_order(parts_of(game.game.steps[outer].body)))
        called = [at for at, part in enumerate(parts) if isinstance(part, g.Do) and part.step == inner]
        if called and any(brings(game.game, part, zones, set()) for part in parts[called[-1] + 1 :]):
            return True
    return False


def in_order(parts: Iterable[object]) -> Iterator[object]:
    """Yield parts and all their descendants, in source order."""
    for part in parts:
        yield part
        yield from in_order(children(part))


def brings(game: g.Game, part: object, zones: Collection[str], seen: set[str]) -> bool:
    """Return whether a statement moves cards to some zones, by itself or in a step that it runs."""
    if isinstance(part, g.Move | g.Pick):
        return part.to is not None and part.to.zone in zones
    if not isinstance(part, g.Do) or part.step in seen:
        return False
    seen.add(part.step)
    return any(brings(game, each, zones, seen) for each in walk(game.steps[part.step].body))
