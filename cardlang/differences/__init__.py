"""Differences between two games: sentences of their rulebooks, printed cards, and meaning.

Imports: `drawing`, `game`, `rulesheet`, `words`."""

from __future__ import annotations

from attrs import evolve, frozen

from cardlang.differences.cards import CardChanges, card_changes
from cardlang.differences.meaning import other_meaning
from cardlang.differences.seen import seen
from cardlang.differences.sentences import Change, changes
from cardlang.game import Game
from cardlang.rulesheet import build
from cardlang.rulesheet.model import RuleSheet

__all__ = ["Differences", "differences"]


@frozen
class Differences:
    """Differences between two games.

    `rules` has changed sentences of the rulebooks. `meaning` names the declarations with a changed meaning, such as
    ``step `betting` ``, whether or not the rulebook mentions it. If it is empty, the rules are equivalent."""

    rules: tuple[Change, ...]
    cards: CardChanges
    meaning: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rules or self.cards or self.meaning)


def differences(old: Game, new: Game) -> Differences:
    """Compare two games by meaning, not line by line.

    Between a game and its variant, examples and descriptions of variants are left out, since each has its own."""
    if (old.variant is None) != (new.variant is None):
        old, new = alone(old), alone(new)
    return Differences(
        changes(
            (old.title, whole_sheet(old)),
            (new.title, whole_sheet(new)),
        ),
        card_changes(old, new),
        other_meaning(old, new),
    )


def whole_sheet(game: Game) -> RuleSheet:
    """Return the full rulebook, with extra sections for displays on screens and log messages."""
    sheet = build(game, examples="all", words_of={})
    return evolve(sheet, sections=(*sheet.sections, *seen(game)))


def alone(game: Game) -> Game:
    return evolve(game, variants=(), examples=())
