"""Who wins."""

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
    """`text`: who wins. `words`: the author's. `told`: the names of terms of which it says all that there is to say.
    `items`: what the text leads to."""

    text: str
    words: str = ""
    told: tuple[str, ...] = ()
    own: tuple[Block, ...] = ()

    @property
    def section(self) -> Section:
        return Section(GOAL, self.own or (Paragraph(words.sentence(self.text), self.words),))


@frozen
class Measure:
    """What decides who wins. `who`: whose it is. `many`: it is a number of things, of which one has many or few."""

    who: str
    noun: str
    many: bool

    def wins(self, how: str) -> str:
        """`how`: the `higher` one wins, or the `lower`."""
        extreme = EXTREMES[how][0 if self.many else 1]
        equals = f"{words.plural(self.who)} {'who' if self.who == 'player' else 'that'} tie"
        return f"the {self.who} with the {extreme} {self.noun} wins; {equals} for the {extreme} win together"


Compound = g.Cases | g.FirstPossible
"""What takes more than a sentence to say."""


def goal(told: g.Game, scope: Scope) -> Goal:
    """Who wins. When the game ends is told where it is played."""
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
    """Who is among the winners."""
    if isinstance(value, g.Filter) and phrase(value.list, scope).text == "the players":
        return f"you win if {condition(value.condition, scope.about(value.var, YOU))}"
    winners = phrase(value, scope).text
    if winners == "the players" and any(isinstance(part, g.Eliminate) for part in everything(told)):
        return "whoever is still in the game when it ends wins"
    return f"the winners are {winners}"


def by_standing(told: g.Game, scope: Scope) -> Goal:
    """Who wins by the order of players: told outright if one line decides it."""
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
    """What the score measures; `score` among the terms told, if it is nothing but the number of some things."""
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
    """A number of a player or of a team as what decides."""
    owner = noun.owner.type if noun.owner is not None else PLAYER
    who = kind_noun(owner.of) if owner.tag == "member" and owner.of is not None else "player"
    if noun.counted:
        return Measure(who, noun.counted, True)
    if noun.entry is not None and noun.entry.unit and noun.type.tag == "number":
        return Measure(who, noun.entry.plural, True)
    return Measure(who, noun.bare or (noun.entry.noun if noun.entry else noun.text.removeprefix("the ")), False)
