"""Comparison of two games by meaning: rulebook sentences, declarations and printed cards."""

from __future__ import annotations

from attrs import evolve, frozen

from cardlang.analysis.diff.declaration_diff import CardChanges, compare_cards, find_changed_declarations
from cardlang.analysis.diff.sentence_diff import SectionChange, build_display_sections, compare_rulebooks
from cardlang.model import Game
from cardlang.rulebook.authored_rulebook.markdown_parser import find_rules_file
from cardlang.rulebook.model import Rulebook, Section
from cardlang.rulebook.render import build_generated_rulebook, build_rulebook

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
    authored = all(find_rules_file(game).is_file() and game.variant is None for game in (old, new))
    return GameDiff(
        compare_rulebooks(
            (old.title, build_full_rulebook(old, authored)), (new.title, build_full_rulebook(new, authored))
        ),
        compare_cards(old, new),
        find_changed_declarations(old, new),
    )


def build_full_rulebook(game: Game, authored: bool) -> Rulebook:
    """Return the generated rulebook, with extra sections for displays on screens and log messages.

    `authored`: add the author's rulebook in Markdown."""
    sheet = build_generated_rulebook(game, examples="all")
    own = (Section("In the rulebook", (), build_rulebook(game).sections),) if authored else ()
    return evolve(sheet, sections=(*sheet.sections, *own, *build_display_sections(game)))


def drop_examples_and_variants(game: Game) -> Game:
    return game.replace(variants=(), examples=())
