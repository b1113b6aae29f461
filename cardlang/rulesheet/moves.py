"""The moves of examples in English: what they are called in the rules that the example carries out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from attrs import field, frozen

from cardlang import nodes as n
from cardlang.nodes.walking import last_name, nodes_in
from cardlang.rulesheet import words
from cardlang.rulesheet.cards import several
from cardlang.rulesheet.choices import chosen
from cardlang.rulesheet.english import YOU, Noun, Scope
from cardlang.rulesheet.lexicon import Lexicon
from cardlang.rulesheet.lists import ENDS
from cardlang.rulesheet.nouns import kind_noun

Act = tuple[str, str]
"""The infinitive of a move, and what it is done with."""
TOKEN = re.compile(r"\[[^\]]*\]|[^\s\[\]]+")


@frozen
class Asked:
    """What players may be asked in some steps."""

    picks: tuple[n.Pick, ...] = ()
    chooses: tuple[n.Choose, ...] = ()
    options: Mapping[str, n.Option | n.Reaction] = field(factory=dict)

    @staticmethod
    def within(step: n.Expr, lexicon: Lexicon) -> Asked:
        """What may be asked in a step and in all that it leads to. Looked up once for each step."""
        name = last_name(step)
        if name not in lexicon.asked:
            nodes: list[n.Node] = []
            gather(steps_called(name, lexicon), lexicon, {name}, nodes)
            lexicon.asked[name] = Asked(
                tuple(node for node in nodes if isinstance(node, n.Pick)),
                tuple(node for node in nodes if isinstance(node, n.Choose)),
                {node.name.text: node for node in nodes if isinstance(node, n.Option | n.Reaction)},
            )
        asked: Asked = lexicon.asked[name]
        return asked

    def verb(self, of_cards: bool) -> str:
        """The verb that goes without saying, for a move that is cards or a number alone; empty if there is none."""
        verbs = {pick.verb for pick in self.picks}
        others = any(of_cards != isinstance(choose.domain, n.Range) for choose in self.chooses)
        return verbs.pop() if len(verbs) == 1 and not others else ""


def gather(parts: Iterable[object], lexicon: Lexicon, seen: set[str], found: list[n.Node]) -> None:
    """The nodes in some parts and in the steps and reactions that they lead to."""
    for node in nodes_in(tuple(parts)):
        found.append(node)
        if isinstance(node, n.Do) and last_name(node.step) not in seen:
            name = last_name(node.step)
            seen.add(name)
            gather(steps_called(name, lexicon), lexicon, seen, found)
        elif isinstance(node, n.Announce) and "announce" not in seen:
            seen.add("announce")
            gather(lexicon.reactions, lexicon, seen, found)


def steps_called(name: str, lexicon: Lexicon) -> list[n.Step]:
    """The step of this name, and those that cards bear under it."""
    sets = lexicon.sets.values()
    borne = [part for cards in sets for bears in (cards.bears, *(row.bears for row in cards.rows)) for part in bears]
    own = [lexicon.steps[name]] if name in lexicon.steps else []
    return [*own, *(part for part in borne if isinstance(part, n.Step) and part.name.text == name)]


# ---------------------------------------------------------------- one move
def act(move: str, asked: Asked, scope: Scope) -> Act:
    """A printed move: an option with what it is taken with, a verb with its cards, or only a value."""
    head, *rest = TOKEN.findall(move) or [""]
    option = asked.options.get(head)
    if option is not None and len(rest) == len(option.binders):
        return "choose", taken(option, rest, scope)
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
    """Something chosen: cards, a player, a member, a number, or a word of the game."""
    if token[:1] == "[":
        return titles(token, scope)
    known = token.isdigit() or token in scope.names or token in scope.lexicon.members
    return scope.lexicon.members.get(token, ("", token))[1] if known else f"“{words.plain(token)}”"


def with_(what: str, given: Sequence[str]) -> str:
    return f"{what} with {words.join(given)}" if given else what


def titles(token: str, scope: Scope) -> str:
    """The cards in brackets by their titles."""
    return several([scope.lexicon.card(code) for code in token.strip("[]").split()]) or "nothing"


def taken(option: n.Option | n.Reaction, given: Sequence[str], scope: Scope) -> str:
    """`“ask” with Bob and rank 7`."""
    inner, said = scope.with_it(YOU), []
    for binder, token in zip(option.binders, given, strict=True):
        _, noun = chosen(binder.name, binder.domain, None, inner)
        inner = inner.naming(binder.name.text, noun)
        what = named(binder, noun, len(given) > 1) if token.isdigit() else ""
        said.append(f"{what} {value(token, scope)}".lstrip())
    return with_(f"“{words.plain(option.name.text)}”", said)


def named(binder: n.Binder, noun: Noun, several: bool) -> str:
    """What a figure is: a member of a kind, the place of a card, or, of several things chosen, which."""
    if noun.type.tag == "member":
        return kind_noun(str(noun.type.of))
    if noun.type.tag == "card":
        return "card"
    return words.plain(binder.name.text) if several else ""


def done(verb: str, given: Sequence[str], asked: Asked, scope: Scope) -> Act:
    """`draw two cards`, `play 9 of Clubs`; `turn up card 3` of cards that nobody sees."""
    return ("turn up" if verb == "turn" else verb), words.join([picked(verb, token, asked, scope) for token in given])


def picked(verb: str, token: str, asked: Asked, scope: Scope) -> str:
    """What is picked: cards; so many of them, where they come as they lie; or one by its place."""
    if not token.isdigit():
        return titles(token, scope)
    counted = {as_they_lie(pick.source) for pick in asked.picks if pick.verb == verb}
    if counted == {True}:
        return words.of_number("card", words.number(int(token)) if int(token) else "no")
    return f"card {token}" if counted == {False} else words.number(int(token))


def as_they_lie(source: n.Expr) -> bool:
    """Whether only the number of cards is chosen."""
    return isinstance(source, n.Agg) and source.number is None and source.function in (*ENDS, "random")
