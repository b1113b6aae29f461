"""Examples told as prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from cardlang import nodes as n
from cardlang.game import PLAYER, member
from cardlang.rulesheet import words
from cardlang.rulesheet.clauses import contents, in_figures
from cardlang.rulesheet.counting import units
from cardlang.rulesheet.english import Noun, Scope, condition, flag, phrase
from cardlang.rulesheet.lexicon import Entry
from cardlang.rulesheet.model import Hand, Story, Told
from cardlang.rulesheet.moves import Act, Asked, act
from cardlang.rulesheet.nouns import at_table, cards, from_top, listed, owned, subjects
from cardlang.rulesheet.statements import tell


def story(example: n.Example, scope: Scope) -> Story:
    for name in example.players:
        scope = scope.naming(name.text, Noun(name.text, PLAYER))
    sentences: list[Told] = []
    asked = Asked()
    for before, line in zip((None, *example.lines), example.lines, strict=False):
        if isinstance(line, n.Given):
            sentences += position(line, scope, not sentences)
            continue
        if isinstance(line, n.ExampleDo):
            asked = Asked.within(line.step, scope.lexicon)
        first = isinstance(line, n.Expect) and isinstance(before, n.Expect | None)
        said = [text.removeprefix("then ") if first else text for text in told(line, asked, scope)]
        if not sentences:
            said = [re.sub("” follows", "” begins", text) for text in said]
        sentences += [Told(words.sentence(text)) for text in said]
    return Story(example.title.text, passages(sentences))


def passages(sentences: Sequence[Told]) -> tuple[Told, ...]:
    """Sentences that draw cards joined with one another, and so those that do not; the first ones with what follows."""
    found: list[Told] = []
    for _, group in groupby(sentences, lambda told: bool(told.hands)):
        said = list(group)
        found.append(Told(" ".join(told.text for told in said), tuple(hand for told in said for hand in told.hands)))
    if len(found) > 1 and not found[0].hands:
        found[:2] = [Told(f"{found[0].text} {found[1].text}", found[1].hands)]
    return tuple(found)


def told(line: n.ExampleLine, asked: Asked, scope: Scope) -> list[str]:
    match line:
        case n.ExampleDo():
            return carried_out(line, scope)
        case n.Answers():
            return [f"{line.player.text} {told_moves(line, asked, scope)}"]
        case n.Expect():
            return [re.sub(r"\b(has|have|is|are|uses) any\b", r"\1 some", f"then {condition(line.condition, scope)}")]
        case n.ExpectMay():
            return [may(line, asked, scope)]
        case n.Note():
            return [line.text]
    return []


def carried_out(line: n.ExampleDo, scope: Scope) -> list[str]:
    """That a step is now carried out: `“Trick” follows`, `it is Ann's turn`, `Ann carries out “Payment”`."""
    if isinstance(line.step, n.Attr) and line.step.name.text == "turn" and not line.args:
        return [f"it is {phrase(line.step.of, scope).of} turn"]
    items, _ = tell(n.Do(line.span, None, line.step, line.args), scope)
    said = [re.sub("^carry out (“[^”]*”|.*)( with .*)?$", r"\1 follows\2", item.text) for item in items]
    return [text.replace("“The game” follows", "“The game” begins") for text in said]


# ---------------------------------------------------------------- the position
def position(given: n.Given, scope: Scope, first: bool) -> list[Told]:
    """A sentence for each holder, with the cards that it holds."""
    lead = "suppose that " if first else "now suppose, all else unchanged, that "
    sentences = []
    for row in given.rows:
        said = facts([fact(item, row.of, scope) for item in row.facts], "" if row.of is None else row.of.text)
        hands = [hand(item, row.of, scope) for item in row.facts if isinstance(item.value, n.CardList)]
        sentences.append(Told(words.sentence(lead + said), tuple(each for each in hands if each.cards)))
        lead = ""
    return sentences


def facts(said: Sequence[str], name: str) -> str:
    """What is so of somebody: `Ann is altered and holds …; Ann's deck is empty`."""
    own = [text for text in said if name and text.startswith(f"{name} ")]
    rest = [text for text in said if text not in own]
    joined = words.join([text if place == 0 else text.removeprefix(f"{name} ") for place, text in enumerate(own)])
    return "; ".join(part for part in (joined, words.join(rest)) if part)


def hand(item: n.Fact, of: n.Name | None, scope: Scope) -> Hand:
    """The cards that a fact puts somewhere."""
    assert isinstance(item.value, n.CardList)
    codes = [code.text for code in from_top(item.value, thing(item, of, scope)[0], scope).codes]
    looks = tuple(scope.lexicon.looks[code] for code in codes if code in scope.lexicon.looks)
    _, noun = thing(item, of, scope)
    return Hand(looks, words.capital(noun.text.removeprefix("the ")) if noun else "")


def fact(item: n.Fact, of: n.Name | None, scope: Scope) -> str:
    """`Mal's hand holds …`."""
    value = phrase(item.value, scope)
    entry, noun = thing(item, of, scope)
    if entry is None or noun is None:
        return f"the {words.plain(item.name.text)} is {value.text}"
    if isinstance(item.value, n.CardList):
        return held(noun, item.value, scope)
    if entry.type.tag == "flag":
        return flag(noun, value.text == "yes").text
    if entry.unit and not entry.zone:
        return units(noun, value, "=", entry).text
    shown = in_figures(item.value, entry.type.tag == "member", scope)
    return f"{noun.text} {'are' if noun.plural else 'is'} {shown}"


def thing(item: n.Fact, of: n.Name | None, scope: Scope) -> tuple[Entry, Noun] | tuple[None, None]:
    """What a fact is about."""
    owner = None if of is None else holder(of.text, scope)
    entry = scope.lexicon.find(item.name.text, (None,) if owner is None else subjects(owner.type))
    if entry is None:
        return None, None
    return entry, at_table(entry) if owner is None else owned(owner, entry)


def holder(name: str, scope: Scope) -> Noun:
    if name in scope.lexicon.members:
        kind, noun = scope.lexicon.members[name]
        return Noun(noun, member(kind))
    return Noun(name, PLAYER)


def held(noun: Noun, value: n.CardList, scope: Scope) -> str:
    if not value.codes:
        return f"{noun.text} {words.agree('is', noun.plural)} empty"
    if not noun.pile:
        return f"{noun.text} is {phrase(value, scope).text}"
    if noun.owner is not None and noun.text == f"{noun.owner.of} hand":
        return f"{noun.owner.text} holds {cards(value, scope)}"
    return contents(noun, listed(value, noun.entry, scope)).text


# ---------------------------------------------------------------- moves
def told_moves(line: n.Answers, asked: Asked, scope: Scope) -> str:
    acts = [act(move.text, asked, scope) for move in line.moves]
    *moves, last = [f"{words.third(verb)} {what}".rstrip() for verb, what in acts]
    return f"{', '.join(moves)}, then {last}" if moves else last


def may(line: n.ExpectMay, asked: Asked, scope: Scope) -> str:
    parts = [act(move.text, asked, scope) for move in line.moves]
    because = f": “{line.because.text}”" if line.because is not None else ""
    return f"{line.player.text} may{' not' if line.negated else ''} {grouped(parts)}{because}"


def grouped(parts: Sequence[Act]) -> str:
    """`play 5 Gun or 2 Gun`, each verb once."""
    idle = {verb for verb, what in parts if verb == "pass" or what == "none"}
    verbs = sorted(dict.fromkeys(verb for verb, _ in parts), key=lambda verb: verb not in idle)
    said = [f"{verb} {words.join([what for v, what in parts if v == verb], 'or')}".rstrip() for verb in verbs]
    return words.join(said, "or")
