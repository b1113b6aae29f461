"""Describe the moves of examples in the terms of the rules that they run."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from attrs import field, frozen

from cardlang import game as g
from cardlang import words
from cardlang.rulesheet.cards import several
from cardlang.rulesheet.choices import chosen
from cardlang.rulesheet.english import Noun, Scope
from cardlang.rulesheet.lexicon import Lexicon
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.parts import parts_in

Act = tuple[str, str]
"""Infinitive of a move, and its object."""
TOKEN = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")


@frozen
class Asked:
    """Decisions that can occur in some steps."""

    picks: tuple[g.Pick, ...] = ()
    chooses: tuple[g.Choose, ...] = ()
    options: Mapping[str, g.Option] = field(factory=dict)

    @staticmethod
    def within(step: str, lexicon: Lexicon) -> Asked:
        """Return the decisions of a step and of everything that it calls. Cached for each step."""
        if step not in lexicon.asked:
            parts: list[object] = []
            gather(bodies_called(step, lexicon.game), lexicon.game, {step}, parts)
            lexicon.asked[step] = Asked(
                tuple(part for part in parts if isinstance(part, g.Pick)),
                tuple(part for part in parts if isinstance(part, g.Choose)),
                {part.name: part for part in parts if isinstance(part, g.Option)},
            )
        asked: Asked = lexicon.asked[step]
        return asked

    def verb(self, of_cards: bool) -> str:
        """Return the implied verb of a move that is only cards or a number; empty if there is none."""
        verbs = {pick.verb for pick in self.picks}
        others = any(of_cards != (choose.domain.list is None) for choose in self.chooses)
        return verbs.pop() if len(verbs) == 1 and not others else ""


def gather(bodies: object, game: g.Game, seen: set[str], found: list[object]) -> None:
    """Collect the parts of some bodies and of the steps and reactions that they call."""
    for part in parts_in(bodies):
        found.append(part)
        if isinstance(part, g.Do | g.DoBorne) and part.step not in seen:
            seen.add(part.step)
            gather(bodies_called(part.step, game), game, seen, found)
        elif isinstance(part, g.Announce) and "announce" not in seen:
            seen.add("announce")
            gather(tuple(reaction.option for reaction in game.reactions), game, seen, found)


def bodies_called(name: str, game: g.Game) -> object:
    """Return the body of the step of this name, and the bodies of the steps on cards with this name."""
    own = (game.steps[name].body,) if name in game.steps else ()
    borne = game.borne_steps[name].bodies if name in game.borne_steps else ()
    return (*own, *{id(body): body.body for body in borne if body}.values())


# ---------------------------------------------------------------- one move
def act(move: str, asked: Asked, scope: Scope) -> Act:
    """Describe a printed move: an option with its parameters, a verb with its cards, or only a value."""
    head, *rest = TOKEN.findall(move) or [""]
    option = asked.options.get(head)
    if option is not None and len(rest) == len(option.binders):
        return words.taken(option.name, things(option, rest, scope))
    if any(pick.verb == head for pick in asked.picks) and rest:
        return done(head, rest, asked, scope)
    if move == "pass":
        return "pass", ""
    if move == "done":
        return "choose", "none"
    cards = head[:1] == "["
    verb = asked.verb(cards) if cards or head.isdigit() else ""
    if verb:
        return done(verb, [head, *rest], asked, scope)
    return "choose", with_(value(head, scope), [value(token, scope) for token in rest])


def value(token: str, scope: Scope) -> str:
    """Describe a chosen value: cards, a player, a member, a number, or a name of the game."""
    if token[:1] == "[":
        return titles(token, scope)
    known = token.isdigit() or token in scope.players or token in scope.lexicon.members
    return scope.lexicon.members.get(token, ("", token))[1] if known else f"“{words.plain(token)}”"


def with_(what: str, given: Sequence[str]) -> str:
    return f"{what} with {words.join(given)}" if given else what


def titles(token: str, scope: Scope) -> str:
    """Return the titles of the cards in brackets."""
    known = {face.code: face.title for face in scope.lexicon.game.faces}
    return several([known.get(code, code) for code in token.strip("[]").split()]) or "nothing"


def things(option: g.Option, given: Sequence[str], scope: Scope) -> list[str]:
    """Describe the parameters of an option."""
    said: list[str] = []
    for (var, domain), token in zip(option.binders, given, strict=True):
        _, noun = chosen(var, domain, None, scope)
        scope = scope.naming(var, noun)
        what = named(var, noun, len(given) > 1) if token.isdigit() else ""
        said.append(f"{what} {value(token, scope)}".lstrip())
    return said


def named(var: g.Var, noun: Noun, several: bool) -> str:
    """Return a label for a figure: the kind of a member, `card` for a position, or the name if several are chosen."""
    if noun.type.tag == "member":
        return kind_noun(str(noun.type.of))
    if noun.type.tag == "card":
        return "card"
    return words.plain(var.name) if several else ""


def done(verb: str, given: Sequence[str], asked: Asked, scope: Scope) -> Act:
    """Describe a move of cards: `draw two cards`, `play 9 of Clubs`; `turn up card 3` for face-down cards."""
    return ("turn up" if verb == "turn" else verb), words.join([picked(verb, token, asked, scope) for token in given])


def picked(verb: str, token: str, asked: Asked, scope: Scope) -> str:
    """Describe the picked cards: their titles, their number if the game picks them, or their position."""
    if not token.isdigit():
        return titles(token, scope)
    counted = {pick.position is not None for pick in asked.picks if pick.verb == verb}
    if counted == {True}:
        return words.of_number("card", words.number(int(token)) if int(token) else "no")
    return f"card {token}" if counted == {False} else words.number(int(token))
