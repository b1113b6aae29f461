"""Lint rules that look at matches played at random."""

from __future__ import annotations

from cardlang.lint.playtest import leftover_choices, playtest_findings, short_moves_and_unplayed_cards
from cardlang.lint.playtest.playtest_report import MATCH_RULES, RULES

__all__ = ["MATCH_RULES", "RULES", "leftover_choices", "playtest_findings", "short_moves_and_unplayed_cards"]
