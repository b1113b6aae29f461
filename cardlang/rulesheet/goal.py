"""Describe the goal of the game."""

from __future__ import annotations

from attrs import frozen

from cardlang import game as g
from cardlang import words
from cardlang.game import PLAYER
from cardlang.game.walking import everything
from cardlang.rulesheet.english import YOU, Noun, Scope, condition, phrase, tested
from cardlang.rulesheet.instead import blocks_of, items
from cardlang.rulesheet.model import Block, Paragraph, Section
from cardlang.rulesheet.nouns import at_table, kind_noun, owned

GOAL = "How to win"
EXTREMES = {"higher": ("most", "highest"), "lower": ("fewest", "lowest")}


@frozen
class Goal:
    """The goal of the game.

    `text`: the winning condition. `words`: the author's text. `told`: names of terms that it explains completely.
    `own`: custom wording.
    """

    text: str
    words: str = ""
    told: tuple[str, ...] = ()
    own: tuple[Block, ...] = ()

    @property
    def section(self) -> Section:
        return Section(GOAL, self.own or (Paragraph(words.sentence(self.text), self.words),))


@frozen
class Measure:
    """The number or value that decides the winner.

    `who`: its owner. `many`: it is a count, with more or fewer instead of higher or lower.
    """

    who: str
    noun: str
    many: bool

    def wins(self, how: str) -> str:
        """Return the winning condition. `how`: the `higher` one wins, or the `lower`."""
        extreme = EXTREMES[how][0 if self.many else 1]
        equals = f"{words.plural(self.who)} {'who' if self.who == 'player' else 'that'} tie"
        return f"the {self.who} with the {extreme} {self.noun} wins; {equals} for the {extreme} win together"


Compound = g.Cases | g.FirstPossible
"""Expressions that need more than a sentence."""


def goal(told: g.Game, scope: Scope) -> Goal:
    """Return the goal of the game. The step that ends the game describes the end."""
    own = items("goal", scope.lexicon)
    if own is not None:
        known = tuple(name for name in ("score", "standing", "winners") if name in told.defines or name in told.orders)
        return Goal("", told=known, own=tuple(blocks_of(own)))
    winners = told.defines.get("winners")
    if winners is not None and not isinstance(winners.value, Compound):
        return Goal(of_winners(winners.value, told, scope), winners.doc, ("winners",))
    if "standing" in told.orders:
        return by_standing(told, scope)
    measure, names = by_score(told, scope)
    said = told.defines["score"].doc if names else ""
    return Goal(measure.wins("higher"), said, names)


def of_winners(value: g.Expr, told: g.Game, scope: Scope) -> str:
    """Describe the set of winners."""
    if isinstance(value, g.Filter) and phrase(value.list, scope).text == "the players":
        return f"you win if {condition(value.condition, scope.about(value.var, YOU))}"
    winners = phrase(value, scope).text
    if winners == "the players" and any(isinstance(part, g.Eliminate) for part in everything(told)):
        return "whoever is still in the game when it ends wins"
    return f"the winners are {winners}"


def by_standing(told: g.Game, scope: Scope) -> Goal:
    """Describe the winner by the order of players; directly, if one line decides."""
    standing = told.orders["standing"]
    line = standing.lines[0]
    if len(standing.lines) > 1 or line.how not in EXTREMES or line.layout is not None:
        return Goal("whoever stands best in the order “standing” wins; players who are equal in it win together")
    noun = phrase(line.value, scope.testing(standing.var))
    own = noun.entry is not None and noun.entry.name == "score"
    measure, names = by_score(told, scope) if own else (measured(noun), ())
    said = " ".join(words.sentence(text) for text in (standing.doc, line.doc) if text)
    ranks = any(isinstance(part, g.Sorted | g.AggBy) and part.order == "standing" for part in everything(told))
    return Goal(measure.wins(line.how), said, (*names, *(() if ranks else ("standing",))))


def by_score(told: g.Game, scope: Scope) -> tuple[Measure, tuple[str, ...]]:
    """Return the measure of the score, and the terms that it explains: `score`, if the score is a plain count."""
    define = told.defines.get("score")
    if define is not None and define.var is not None and not isinstance(define.value, Compound):
        noun = phrase(define.value, scope.about(define.var, YOU))
        if measured(noun).many and not noun.counted:
            return measured(noun), ("score",)
    if define is None and "score" not in told.tracks:
        return Measure("player", "score", False), ()
    entry = scope.lexicon.nouns["score"]
    return measured(owned(tested(PLAYER), entry) if entry.subject == "player" else at_table(entry)), ()


def measured(noun: Noun) -> Measure:
    """Convert a number of a player or a team to a measure."""
    owner = noun.owner.type if noun.owner is not None else PLAYER
    who = kind_noun(owner.of) if owner.tag == "member" and owner.of is not None else "player"
    if noun.counted:
        return Measure(who, noun.counted, True)
    if noun.entry is not None and noun.entry.unit and noun.type.tag == "number":
        return Measure(who, noun.entry.plural, True)
    return Measure(who, noun.bare or (noun.entry.noun if noun.entry else noun.text.removeprefix("the ")), False)
