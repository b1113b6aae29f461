"""Static lint rules, run in source order.

An error is surely wrong; a warning is suspicious. If a check isn't certain, it reports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cardlang.diagnostics import Diagnostic
from cardlang.lint.static.card_visibility import (
    check_unseen_choices,
    check_unset_loop_players,
    check_unshuffled_piles,
    check_visible_draw_piles,
)
from cardlang.lint.static.complexity_limits import check_choice_limits, check_definition_depth, check_state_size
from cardlang.lint.static.dead_stores_and_leftover_state import (
    check_lost_scores,
    check_no_op_assignments,
    check_off_by_one_loops,
    check_overwritten_values,
    check_uncleared_tricks,
    check_unread_final_values,
    check_unreset_counters,
)
from cardlang.lint.static.deals import check_oversized_deals, check_uneven_deals
from cardlang.lint.static.doc_consistency import check_number_claims, check_quoted_names
from cardlang.lint.static.execution_order import check_unused_card_rules, check_unused_steps
from cardlang.lint.static.infinite_loops import (
    check_endless_repeats,
    check_menus_without_options,
    check_repeats_without_pass,
    check_unchanging_conditions,
)
from cardlang.lint.static.misplaced_choices import (
    check_choices_in_triggers,
    check_double_payments,
    check_nested_choices,
    check_nested_rounds,
    check_single_acting_player,
)
from cardlang.lint.static.repeated_draws import check_repeated_draws
from cardlang.lint.static.suspicious_values import (
    check_card_counts,
    check_constant_overflow,
    check_missing_columns,
    check_missing_worths,
    check_repeated_items,
    check_unknown_titles,
)
from cardlang.lint.static.unreachable_rules import (
    check_illegal_options,
    check_redundant_lists,
    check_self_comparisons,
    check_unreachable_cases,
    check_unreachable_ranks,
    check_unreachable_statements,
)
from cardlang.lint.static.unused_or_confusing_names import (
    check_capitalization_clashes,
    check_shadowed_declarations,
    check_unfilled_zones,
    check_unset_tracks,
    check_unused_bindings,
    check_unused_declarations,
)
from cardlang.lint.static.useless_moves_and_dead_zones import (
    check_dead_end_zones,
    check_empty_sources,
    check_no_op_moves,
)
from cardlang.model import Game

STATIC_CHECKS: tuple[Callable[[Game], Iterator[Diagnostic]], ...] = (
    check_unreachable_ranks,
    check_repeated_draws,
    check_oversized_deals,
    check_card_counts,
    check_uneven_deals,
    check_unshuffled_piles,
    check_constant_overflow,
    check_missing_worths,
    check_unknown_titles,
    check_repeated_items,
    check_missing_columns,
    check_state_size,
    check_choice_limits,
    check_unused_steps,
    check_unused_card_rules,
    check_unreachable_cases,
    check_redundant_lists,
    check_self_comparisons,
    check_illegal_options,
    check_double_payments,
    check_overwritten_values,
    check_no_op_assignments,
    check_unreachable_statements,
    check_choices_in_triggers,
    check_nested_choices,
    check_dead_end_zones,
    check_unfilled_zones,
    check_no_op_moves,
    check_empty_sources,
    check_visible_draw_piles,
    check_unseen_choices,
    check_lost_scores,
    check_unreset_counters,
    check_unread_final_values,
    check_off_by_one_loops,
    check_uncleared_tricks,
    check_nested_rounds,
    check_single_acting_player,
    check_unused_declarations,
    check_capitalization_clashes,
    check_shadowed_declarations,
    check_unused_bindings,
    check_unset_tracks,
    check_unset_loop_players,
    check_endless_repeats,
    check_repeats_without_pass,
    check_unchanging_conditions,
    check_menus_without_options,
    check_number_claims,
    check_quoted_names,
)


def check_game(game: Game) -> list[Diagnostic]:
    """Run all checks and return their diagnostics in source order, without duplicates.

    If a game is nested too deeply, only that is reported."""
    deep = list(check_definition_depth(game))
    if deep:
        return deep
    found = dict.fromkeys(finding for check in STATIC_CHECKS for finding in check(game))
    return sorted(found, key=lambda finding: (finding.span.source.name, finding.span.start))
