"""Describe examples as prose."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from attrs import evolve, frozen

from cardlang import game as g
from cardlang import words
from cardlang.game import PLAYER
from cardlang.rulesheet.clauses import contents, in_figures
from cardlang.rulesheet.counting import units
from cardlang.rulesheet.english import Noun, Scope, condition, flag, phrase
from cardlang.rulesheet.example_moves import Act, Asked, act
from cardlang.rulesheet.instead import PART, STAGE, diagram, filled
from cardlang.rulesheet.model import Hand, Story, Told
from cardlang.rulesheet.nouns import at_table, cards, from_top, listed, owned
from cardlang.rulesheet.parts import truth
from cardlang.rulesheet.pictures import pictured, zone_of
from cardlang.rulesheet.statements import tell
from cardlang.told import Said

Fact = g.GivenTrack | g.GivenZone


FEW = 3
"""Maximum number of moves of an example in one paragraph; longer ones get a line for each move."""


def story(example: g.Example, scope: Scope, under: Sequence[str] = ()) -> Story:
    """Describe an example.

    `under`: the titles of its section and of the step there, which need not be repeated.
    """
    scope = evolve(scope, players=example.players)
    said = scope.lexicon.told.get(f"example {example.title}")
    if said is not None and said.instead:
        return Story(example.title, in_words(said, example, scope))
    parts = [part for part in pieces(example, scope) if part.told.text not in [f"“{title}” begins." for title in under]]
    if parts:
        parts[0] = evolve(parts[0], told=evolve(parts[0].told, text=words.capital(unled(parts[0].told.text))))
    moves = sum(part.move for part in parts)
    return Story(example.title, passages([part.told for part in parts]) if moves <= FEW else in_lines(parts))


def in_words(said: Said, example: g.Example, scope: Scope) -> tuple[Told, ...]:
    """Return an example in the author's custom wording.

    A line that begins with `- ` is a numbered move; a name goes before a colon. The cards of each position go under one
    of the other lines, or under a move that ends with a colon. A position with a picture has no cards of its own. A
    diagram goes under the line before its boxes.
    """
    captions, given = iter(said.captions), [line for line in example.lines if isinstance(line, g.Given)]
    told = [line for line in given if fills(line, said)][:1]
    picture = pictured(told[0], said, captions, example.players, scope) if told else None
    drawn = [hands(line, said, captions, scope) for line in given if said.draws and line not in told]
    drawn = [(), *drawn] if told and told == given[:1] else drawn
    found: list[Told] = []
    for marked, run in groupby(said.instead, lambda line: STAGE if line.startswith(STAGE) else line):
        lines = [filled(each, scope.lexicon) for each in run]
        if marked == STAGE and found:
            found[-1] = evolve(found[-1], picture=diagram(lines))
            continue
        text = lines[0]
        move = PART.fullmatch(text)
        shown = drawn.pop(0) if drawn and (move is None or text.endswith(":")) else ()
        if move is None:
            found.append(Told(words.sentence(text), shown, named=False))
        else:
            number = 1 + sum(bool(told.line) for told in found)
            found.append(Told(words.sentence(move[3]), shown, number, named=False, title=move[2] or ""))
    if picture is not None:
        found[0] = evolve(found[0], picture=picture)
    return tuple(found)


def fills(given: g.Given, said: Said) -> bool:
    """Return whether a position contains the zones or tracks of a picture."""
    names = {item.zone if isinstance(item, g.GivenZone) else item.track for item in given.facts}
    return bool(names & {*map(zone_of, said.scene), *said.bars})


def hands(given: g.Given, said: Said, captions: Iterator[str], scope: Scope) -> tuple[Hand, ...]:
    """Return the hands of a position in the zones to draw. `captions`: the author's captions, in order."""
    drawn = [hand(item, scope) for item in placed(given, said.draws)]
    return tuple(evolve(each, label=next(captions, "") or each.label) for each in drawn)


def placed(given: g.Given, zones: Sequence[str]) -> list[g.GivenZone]:
    """Return the cards of a position in some zones."""
    return [item for item in given.facts if isinstance(item, g.GivenZone) and item.zone in zones and item.faces]


def unled(text: str) -> str:
    """Remove the leading `Then` of a sentence."""
    return text.removeprefix("Then ")


@frozen
class Piece:
    """A sentence of an example. `move`: it is a move. `apart`: it is a position, which goes outside numbered lines."""

    told: Told
    move: bool = False
    apart: bool = False


def pieces(example: g.Example, scope: Scope) -> list[Piece]:
    """Return the sentences of an example in order."""
    found: list[Piece] = []
    asked = Asked()
    for before, line in zip((None, *example.lines), example.lines, strict=False):
        if isinstance(line, g.Given):
            found += [Piece(told_, apart=True) for told_ in position(line, scope, not found)]
            continue
        if isinstance(line, g.Doing):
            asked = Asked.within(line.statement.step, scope.lexicon)
        first = isinstance(line, g.Expecting) and isinstance(before, g.Expecting | None)
        said = [text.removeprefix("then ") if first else text for text in told(line, asked, scope)]
        said = [re.sub("” follows$", "” begins", text) for text in said]
        found += [Piece(Told(words.sentence(text)), isinstance(line, g.Answer)) for text in said]
    return found


def in_lines(parts: Sequence[Piece]) -> tuple[Told, ...]:
    """Return a line for each move with its results. The final results follow after the lines."""
    last = max(place for place, part in enumerate(parts) if part.move)
    found: list[Told] = []
    number = 0
    for place, part in enumerate(parts):
        if part.move:
            number += 1
            found.append(evolve(part.told, line=number))
        elif part.apart or place > last or not (found and found[-1].line):
            found.append(part.told)
        else:
            found[-1] = evolve(found[-1], text=f"{found[-1].text} {part.told.text}")
    return tuple(whole for _, group in groupby(found, lambda told: told.line) for whole in joined_up(list(group)))


def joined_up(run: list[Told]) -> tuple[Told, ...]:
    return passages(run) if not run[0].line else tuple(run)


def passages(sentences: Sequence[Told]) -> tuple[Told, ...]:
    """Merge sentences with hands into a passage, and those without. The first passage merges with the next."""
    found: list[Told] = []
    for _, group in groupby(sentences, lambda told: bool(told.hands)):
        said = list(group)
        found.append(Told(" ".join(told.text for told in said), tuple(hand for told in said for hand in told.hands)))
    if len(found) > 1 and not found[0].hands:
        found[:2] = [Told(f"{found[0].text} {found[1].text}", found[1].hands)]
    return tuple(found)


def length(story: Story) -> int:
    """Return the number of words in an example."""
    return sum(len(passage.text.split()) for passage in story.passages)


def told(line: g.ExampleLine, asked: Asked, scope: Scope) -> list[str]:
    match line:
        case g.Doing():
            return carried_out(line, scope)
        case g.Answer():
            return [f"{scope.players[line.player]} {told_moves(line, asked, scope)}"]
        case g.Expecting():
            return [re.sub(r"\b(has|have|is|are|uses) any\b", r"\1 some", f"then {condition(line.condition, scope)}")]
        case g.ExpectingMoves():
            return [may(line, asked, scope)]
        case g.Note():
            return [line.text]
    return []


def carried_out(line: g.Doing, scope: Scope) -> list[str]:
    """Describe a call of a step: `“Trick” follows`, `it is Ann's turn`, `Ann carries out “Payment”`."""
    done = line.statement
    if done.of is not None and done.step == "turn" and not done.args:
        return [f"it is {phrase(done.of, scope).of} turn"]
    items, _ = tell(done, scope)
    said = [re.sub("^(?:carry out )?(“[^”]*”)( with .*)?$", r"\1 follows\2", item.text) for item in items]
    return [text.replace("“The game” follows", "“The game” begins") for text in said]


# ---------------------------------------------------------------- the position
def position(given: g.Given, scope: Scope, first: bool) -> list[Told]:
    """Return a sentence for each row of a position, with the hands in it."""
    lead = "" if first else "now "
    sentences, rest = [], list(given.facts)
    for count in given.rows:
        row, rest = rest[:count], rest[count:]
        said = facts([fact(item, scope) for item in row], holder(row[0], scope) if row else "")
        hands = [hand(item, scope) for item in row if isinstance(item, g.GivenZone)]
        sentences.append(Told(words.sentence(lead + said), tuple(each for each in hands if each.cards)))
        lead = ""
    return sentences


def facts(said: Sequence[str], name: str) -> str:
    """Join the facts about a player: `Ann is altered and holds …; Ann's deck is empty`."""
    own = [text for text in said if name and text.startswith(f"{name} ")]
    rest = [text for text in said if text not in own]
    joined = words.join([text if place == 0 else text.removeprefix(f"{name} ") for place, text in enumerate(own)])
    return "; ".join(part for part in (joined, words.join(rest)) if part)


def hand(item: g.GivenZone, scope: Scope) -> Hand:
    """Return the cards that a fact puts into a zone."""
    noun = thing(item, scope)
    codes = (scope.lexicon.game.faces[face].code for face in from_top(item.faces, noun.entry, scope))
    return Hand(tuple(scope.lexicon.looks[code] for code in codes), words.capital(noun.text.removeprefix("the ")))


def fact(item: Fact, scope: Scope) -> str:
    """Describe a fact: `Mal's hand holds …`."""
    noun = thing(item, scope)
    if isinstance(item, g.GivenZone):
        return held(noun, item.faces, scope)
    if noun.type.tag == "flag":
        return flag(noun, truth(item.value) is True).text
    if noun.entry is not None and noun.entry.unit:
        return units(noun, phrase(item.value, scope), "=", noun.entry).text
    return f"{noun.text} {'are' if noun.plural else 'is'} {in_figures(item.value, noun.type.tag == 'member', scope)}"


def subject(item: Fact, scope: Scope) -> str | None:
    """Return the subject of a fact's declaration: None (the table), `player` or a kind."""
    game = scope.lexicon.game
    return game.zones[item.zone].subject if isinstance(item, g.GivenZone) else game.tracks[item.track].subject


def holder(item: Fact, scope: Scope) -> str:
    """Return the name of the owner in a fact; empty for the table."""
    kind = scope.lexicon.game.kinds.get(subject(item, scope) or "")
    if item.of is None or subject(item, scope) == "card":
        return ""
    return scope.players[item.of] if kind is None else kind.members[item.of].name


def thing(item: Fact, scope: Scope) -> Noun:
    """Return the noun of a fact's declaration with its owner."""
    entry = scope.lexicon.nouns[item.zone if isinstance(item, g.GivenZone) else item.track]
    if item.of is None:
        return at_table(entry)
    kind = scope.lexicon.game.kinds.get(entry.subject or "")
    if entry.subject == "card":
        face = next(face.number for face in scope.lexicon.game.faces if face.first == item.of)
        return owned(Noun(cards((face,), scope), g.CARD), entry)
    if kind is None:
        return owned(Noun(scope.players[item.of], PLAYER), entry)
    return owned(Noun(kind.members[item.of].noun.singular, g.member(kind.name)), entry)


def held(noun: Noun, faces: tuple[int, ...], scope: Scope) -> str:
    if not faces:
        return f"{noun.text} {words.agree('is', noun.plural)} empty"
    if not noun.pile:
        return f"{noun.text} is {cards(faces, scope)}"
    if noun.owner is not None and noun.text == f"{noun.owner.of} hand":
        return f"{noun.owner.text} holds {cards(faces, scope)}"
    return contents(noun, listed(faces, noun.entry, scope)).text


# ---------------------------------------------------------------- moves
def told_moves(line: g.Answer, asked: Asked, scope: Scope) -> str:
    acts = [act(text, asked, scope) for text, _ in line.moves]
    *moves, last = [f"{words.third(verb)} {what}".rstrip() for verb, what in acts]
    return f"{', '.join(moves)}, then {last}" if moves else last


def may(line: g.ExpectingMoves, asked: Asked, scope: Scope) -> str:
    parts = [act(text, asked, scope) for text, _ in line.moves]
    because = f": “{line.because}”" if line.because is not None else ""
    return f"{scope.players[line.player]} may{' not' if line.negated else ''} {grouped(parts)}{because}"


def grouped(parts: Sequence[Act]) -> str:
    """Group moves by verb: `play 5 Gun or 2 Gun`."""
    idle = {verb for verb, what in parts if verb == "pass" or what == "none"}
    verbs = sorted(dict.fromkeys(verb for verb, _ in parts), key=lambda verb: verb not in idle)
    said = [f"{verb} {words.join([what for v, what in parts if v == verb], 'or')}".rstrip() for verb in verbs]
    return words.join(said, "or")
