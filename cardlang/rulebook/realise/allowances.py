"""Allowances: numbers that only count how often a player may still do something.

An example is `number your plays starts your turn at 1` with `repeat until your plays = 0`, `subtract 1 from your
plays`.
The loop tells how often it runs, and the number needs no explanation.
"""

from __future__ import annotations

from collections import Counter

from cardlang import model as g
from cardlang.model.expression_queries import get_number_literal, unwrap_conversions
from cardlang.model.traversal import collect_all_nodes


def split_loop_end(loop: g.Repeat) -> tuple[str, tuple[g.Expr, ...]]:
    """Return the number that a loop counts down to zero, and the other conditions that end it; or no number."""
    ends = () if loop.until is None else tuple(split_alternatives(loop.until))
    match loop.body:
        case (g.SetTrack(operator="-", track=track, value=value, doc=""), _, *_) if get_number_literal(value) == 1:
            others = tuple(end for end in ends if not is_used_up(end, track))
            if len(others) < len(ends):
                return track, others
    return "", ends


def split_alternatives(condition: g.Expr) -> list[g.Expr]:
    if isinstance(condition, g.Or):
        return [*split_alternatives(condition.left), *split_alternatives(condition.right)]
    return [condition]


def is_used_up(condition: g.Expr, track: str) -> bool:
    match unwrap_conversions(condition):
        case g.Compare(operator="=" | "<=", left=left, right=right) if get_number_literal(right) == 0:
            value = unwrap_conversions(left)
            return isinstance(value, g.TrackValue) and value.track == track
    return False


def find_allowances(game: g.Game) -> frozenset[str]:
    """Return the numbers that only serve as allowances: no other rule reads them."""
    parts = list(collect_all_nodes(game))
    reads = Counter(part.track for part in parts if isinstance(part, g.TrackValue))
    found = {split_loop_end(part)[0] for part in parts if isinstance(part, g.Repeat)} - {""}
    return frozenset(name for name in found if reads[name] == 1 and has_fixed_start(game.tracks[name]))


def has_fixed_start(track: g.Track) -> bool:
    return track.subject == "player" and bool(track.restarts) and (get_number_literal(track.start) or 0) > 0
