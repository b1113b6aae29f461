"""Comparison of two games by meaning: rulebook sentences, declarations and printed cards."""

from __future__ import annotations

from attrs import evolve, frozen

from cardlang.analysis.diff.declaration_diff import CardChanges, compare_cards, find_changed_declarations
from cardlang.analysis.diff.sentence_diff import SectionChange, build_display_sections, compare_rulebooks
from cardlang.model import Game
from cardlang.rulebook.model import Rulebook
from cardlang.rulebook.render import build_rulebook

__all__ = ["GameDiff", "diff_games"]


@frozen
class GameDiff:
    """Differences between two games.

    `rule_changes` has changed sentences of the rulebooks. `changed_declarations` names the declarations with a changed
    meaning, such as ``step `betting` ``, whether or not the rulebook mentions it. If it is empty, the rules are
    equivalent."""

    rule_changes: tuple[SectionChange, ...]
    card_changes: CardChanges
    changed_declarations: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rule_changes or self.card_changes or self.changed_declarations)


def diff_games(old: Game, new: Game) -> GameDiff:
    """Compare two games by meaning, not line by line.

    Between a game and its variant, examples and descriptions of variants are left out, since each has its own."""
    if (old.variant is None) != (new.variant is None):
        old, new = drop_examples_and_variants(old), drop_examples_and_variants(new)
    return GameDiff(
        compare_rulebooks(
            (old.title, build_full_rulebook(old)),
            (new.title, build_full_rulebook(new)),
        ),
        compare_cards(old, new),
        find_changed_declarations(old, new),
    )


def build_full_rulebook(game: Game) -> Rulebook:
    """Return the full rulebook, with extra sections for displays on screens and log messages."""
    sheet = build_rulebook(game, examples="all", wording={})
    return evolve(sheet, sections=(*sheet.sections, *build_display_sections(game)))


def drop_examples_and_variants(game: Game) -> Game:
    return evolve(game, variants=(), examples=())
