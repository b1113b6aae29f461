"""Who wins."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from cardlang import nodes as n
from cardlang.game import NUMBER, PLAYER
from cardlang.nodes.walking import names_in, nodes_in
from cardlang.rulesheet import words
from cardlang.rulesheet.english import YOU, Noun, Scope, condition, phrase, tested
from cardlang.rulesheet.model import Paragraph, Section
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.statements import doc

GOAL = "How to win"
EXTREMES = {"higher": ("most", "highest"), "lower": ("fewest", "lowest")}


@frozen
class Goal:
    """`text`: who wins. `words`: the author's. `told`: the names of terms of which it says all that there is to say."""

    text: str
    words: str = ""
    told: tuple[str, ...] = ()

    @property
    def section(self) -> Section:
        return Section(GOAL, (Paragraph(words.sentence(self.text), self.words),))


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


def goal(items: Sequence[n.Item], scope: Scope) -> Goal:
    """Who wins. When the game ends is told where it is played."""
    found = {item.name.text: item for item in items if isinstance(item, n.Define | n.Track | n.Order)}
    winners, standing, score = (found.get(name) for name in ("winners", "standing", "score"))
    if isinstance(winners, n.Define) and isinstance(winners.body, n.Expr):
        return Goal(of_winners(winners.body, items, scope), doc(winners.doc), ("winners",))
    if isinstance(standing, n.Order):
        return by_standing(standing, score, items, scope)
    measure, told = by_score(score, scope)
    said = doc(score.doc) if told and isinstance(score, n.Define) else ""
    return Goal(measure.wins("higher"), said, told)


def of_winners(body: n.Expr, items: Sequence[n.Item], scope: Scope) -> str:
    """Who is among the winners."""
    if isinstance(body, n.Where) and phrase(body.list, scope).text == "the players":
        return f"you win if {condition(body.condition, scope.testing(YOU))}"
    winners = phrase(body, scope).text
    if winners == "the players" and any(isinstance(node, n.Eliminate) for node in nodes_in(tuple(items))):
        return "whoever is still in the game when it ends wins"
    return f"the winners are {winners}"


def by_standing(standing: n.Order, score: n.Item | None, items: Sequence[n.Item], scope: Scope) -> Goal:
    """Who wins by the order of players: told outright if one line decides it."""
    line = standing.lines[0]
    if len(standing.lines) > 1 or line.how not in EXTREMES or line.layout is not None:
        return Goal("whoever stands best in the order “standing” wins; players who are equal in it win together")
    noun = phrase(line.value, scope.testing(tested(PLAYER)))
    own = noun.entry is not None and noun.entry.name == "score"
    measure, told = by_score(score, scope) if own else (measured(noun), ())
    said = " ".join(words.sentence(text) for text in (doc(standing.doc), doc(line.doc)) if text)
    only_here = sum(name == "standing" for name in names_in(tuple(items))) == 1
    return Goal(measure.wins(line.how), said, (*told, *(("standing",) if only_here else ())))


def by_score(score: n.Item | None, scope: Scope) -> tuple[Measure, tuple[str, ...]]:
    """What the score measures; `score` among the terms told, if it is nothing but the number of some things."""
    if isinstance(score, n.Define) and isinstance(score.body, n.Expr):
        noun = phrase(score.body, scope.testing(YOU))
        if measured(noun).many and not noun.counted:
            return measured(noun), ("score",)
    if isinstance(score, n.Define | n.Track):
        return measured(phrase(n.NameRef(score.span, "score"), scope.testing(tested(PLAYER)))), ()
    return Measure("player", "score", False), ()


def measured(noun: Noun) -> Measure:
    """A number of a player or of a team as what decides."""
    owner = noun.owner.type if noun.owner is not None else PLAYER
    who = kind_noun(owner.of) if owner.tag == "member" and owner.of is not None else "player"
    if noun.counted:
        return Measure(who, noun.counted, True)
    if noun.entry is not None and noun.entry.unit and noun.type == NUMBER:
        return Measure(who, noun.entry.plural, True)
    return Measure(who, noun.bare or (noun.entry.noun if noun.entry else noun.text.removeprefix("the ")), False)
