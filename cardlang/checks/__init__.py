"""Static checks (lints) of a resolved game. Each check is a function from a game to diagnostics.

An error is surely wrong; a warning is suspicious. If a check isn't certain, it reports nothing.

Imports: `game`, `limits`, `source`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cardlang.checks.amounts import check_amounts
from cardlang.checks.bindings import check_hiding, check_unused
from cardlang.checks.capitals import check_capitals
from cardlang.checks.chance import check_chance
from cardlang.checks.dealing import check_even
from cardlang.checks.deals import check_deals
from cardlang.checks.depth import check_depth
from cardlang.checks.endings import check_menus, check_passing, check_repeats
from cardlang.checks.loops import check_waiting
from cardlang.checks.lost import check_overwritten
from cardlang.checks.names import check_names
from cardlang.checks.no_effect import check_no_effect
from cardlang.checks.numbers import check_numbers
from cardlang.checks.opening import check_nobody, check_shuffles
from cardlang.checks.paying import check_paying
from cardlang.checks.ranks import check_ranks
from cardlang.checks.reach import check_after_finish, check_cases, check_closed, check_comparisons, check_possible
from cardlang.checks.room import check_options, check_room
from cardlang.checks.rounds import (
    check_cleared,
    check_counters,
    check_lost_scores,
    check_one_more,
    check_set_last,
)
from cardlang.checks.sameness import check_columns, check_twice, check_wanted
from cardlang.checks.sayings import check_sayings
from cardlang.checks.sight import check_open, check_unseen
from cardlang.checks.standing import check_unfilled, check_unset
from cardlang.checks.staying import check_empty, check_staying
from cardlang.checks.steps import check_borne, check_steps
from cardlang.checks.titles import check_titles
from cardlang.checks.triggers import check_together, check_triggers
from cardlang.checks.turns import check_alone, check_rounds_of_all
from cardlang.checks.worths import check_worths
from cardlang.checks.zones import check_zones
from cardlang.game import Game
from cardlang.source import Diagnostic

CHECKS: tuple[Callable[[Game], Iterator[Diagnostic]], ...] = (
    check_ranks,
    check_chance,
    check_deals,
    check_amounts,
    check_even,
    check_shuffles,
    check_numbers,
    check_worths,
    check_wanted,
    check_twice,
    check_columns,
    check_room,
    check_options,
    check_steps,
    check_borne,
    check_cases,
    check_possible,
    check_comparisons,
    check_closed,
    check_paying,
    check_overwritten,
    check_no_effect,
    check_after_finish,
    check_triggers,
    check_together,
    check_zones,
    check_unfilled,
    check_staying,
    check_empty,
    check_open,
    check_unseen,
    check_lost_scores,
    check_counters,
    check_set_last,
    check_one_more,
    check_cleared,
    check_rounds_of_all,
    check_alone,
    check_names,
    check_capitals,
    check_hiding,
    check_unused,
    check_unset,
    check_nobody,
    check_repeats,
    check_passing,
    check_waiting,
    check_menus,
    check_sayings,
    check_titles,
)


def check_game(game: Game) -> list[Diagnostic]:
    """Run all checks and return their diagnostics in source order, without duplicates.

    If a game is nested too deeply, only that is reported."""
    deep = list(check_depth(game))
    if deep:
        return deep
    found = dict.fromkeys(finding for check in CHECKS for finding in check(game))
    return sorted(found, key=lambda finding: (finding.span.source.name, finding.span.start))
