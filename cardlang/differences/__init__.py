"""What differs between two games: the sentences of their rule sheets, the cards that they print, and their meaning.

Imports: `drawing`, `game`, `rulesheet`, `words`.
"""

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
    """`rules`: what the rule sheets tell otherwise; `meaning`: the declarations that mean something else, such as
    ``step `betting` ``, whether a sheet tells it or not; where there are none, the rules are the same."""

    rules: tuple[Change, ...]
    cards: CardChanges
    meaning: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.rules or self.cards or self.meaning)


def differences(old: Game, new: Game) -> Differences:
    """What differs between two games, by their meaning and not by their lines. Between a game and its variant, examples
    are not compared, as each has its own, nor is what is told of the variants."""
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
    """All that is told of a game, what its screens show and its log tells too."""
    sheet = build(game, examples="all", words_of={})
    return evolve(sheet, sections=(*sheet.sections, *seen(game)))


def alone(game: Game) -> Game:
    return evolve(game, variants=(), examples=())
