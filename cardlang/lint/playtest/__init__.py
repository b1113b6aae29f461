"""Lint rules that look at matches played at random."""

from __future__ import annotations

from cardlang.lint.playtest import card_usage, leftover_choices, playtest_findings
from cardlang.lint.playtest.playtest_report import MATCH_RULES, RULES

__all__ = ["MATCH_RULES", "RULES", "card_usage", "leftover_choices", "playtest_findings"]
