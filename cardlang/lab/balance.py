"""Assembly of a balance report from the sums of all matches."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from cardlang import game as g
from cardlang.lab.figures import Balance
from cardlang.lab.judging import Family, independent, judged
from cardlang.lab.summing import Key, Sums
from cardlang.lab.uses import option_names, unused, uses, uses_verdict
from cardlang.lab.watching import place_of


@frozen
class Played:
    """Matches at one player count.

    `seating` has the name and the type of bot of each player. `wanted` matches were requested, with seeds from `seed`
    on. Each match is stopped after `cap` decisions."""

    seating: tuple[tuple[str, str], ...]
    wanted: int
    seed: int
    cap: int
    sums: Sums


def balance(game: g.Game, played: Sequence[Played], interrupted: bool = False) -> Balance:
    """Return all figures of a game. `played` has one entry per player count, at least one."""
    several = [each for each in played if len(each.seating) > 1]
    differing = [each for each in several if len({bot for _, bot in each.seating}) > 1]
    family = Family(
        sum(independent(each.sums, 1, len(each.seating)) for each in several),
        sum(independent(each.sums, 0, len(each.seating)) for each in differing),
        len(several),
    )
    sums = [each.sums for each in played]
    found, nothing = uses(game, sums), unused(game, {len(each.seating): each.sums for each in played})
    options: dict[Key, str] = {place_of(game, span): name for span, name in option_names(game).items()}
    first = played[0]
    return Balance(
        game.title, game.variant, game.sources[0].name, first.seed, first.cap, first.wanted, interrupted,
        tuple(judged(each.seating, each.sums, family, each.cap, options) for each in played),
        found, uses_verdict(found), *nothing,
    )  # fmt: skip
