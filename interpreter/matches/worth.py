"""Explain a hand beyond its rank: kickers, shared cards, outs, wild cards and ties."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from cardlang import game as g
from cardlang.game.walking import walk
from cardlang.words import plain
from interpreter.errors import RuleError
from interpreter.matches.coming import next_card
from interpreter.matches.names import Names, listed
from interpreter.ranking.reader import Reading
from interpreter.readings import Probe
from interpreter.state import State


def words_of(
    names: Names, state: State, lying: State, seat: int, reading: Reading, expr: g.Expr, name: str
) -> tuple[str, ...]:
    """Return sentences about a hand. The first continues the text of the rank.

    `expr`: expression that reads the hand with the ranking called `name`. `lying`: state with the assumed card
    positions.
    """
    ranking = names.game.rankings[name]
    told: list[str] = []
    if is_whole(ranking, reading):
        told += decides_next(names, ranking, reading)
        told += belongs_to_all(names, lying, reading)
        told += next_card(names, state, seat, ranking, reading, expr)
    told += (*stand_ins(names, reading), *set_apart(names, state, ranking, reading))
    return (told[0][:1].lower() + told[0][1:], *told[1:]) if told else ()


def is_whole(ranking: g.Ranking, reading: Reading) -> bool:
    """Return whether the hand has the number of cards that the ranking needs."""
    return not isinstance(ranking.size, int) or len(reading.cards) >= ranking.size


def decides_next(names: Names, ranking: g.Ranking, reading: Reading) -> Iterator[str]:
    """Yield the kickers: the cards that decide between hands of equal rank and values."""
    kickers = names.facts.values.places([names.program.face[card] for card in reading.rest])
    if kickers and any(has_rest(line) for line in ranking.ties):
        yield f"then {', '.join(names.facts.values.one(place) for place in sorted(kickers, reverse=True))}."


def has_rest(line: g.OrderLine) -> bool:
    """Return whether a line of ties compares the cards outside the rank."""
    return any(isinstance(part, g.Builtin) and part.name == "rest" for part in walk(line.value))


def belongs_to_all(names: Names, lying: State, reading: Reading) -> Iterator[str]:
    """Yield a sentence if several cards make the rank and all of them are shared, so every player has it."""
    places = {lying.loc[card] for card in reading.used}
    zones = {names.program.zones[place].zone for place in places if place >= 0}
    if len(reading.used) > 1 and all(zone.subject is None for zone in zones) and min(places) >= 0:
        where = " and the ".join(plain(zone.noun.singular) for zone in zones)
        yield f"All of it is on the {where}, so every player has it."


def stand_ins(names: Names, reading: Reading) -> Iterator[str]:
    """Yield the cards that its wild cards count as."""
    faces = names.game.faces
    for card, face in zip(reading.used, reading.shown or (), strict=False):
        if face != names.program.face[card]:
            yield f"[{names.code(card)}] is wild{f' and counts as [{faces[face].code}]' if face is not None else ''}."


def set_apart(names: Names, state: State, ranking: g.Ranking, reading: Reading) -> Iterator[str]:
    """Yield a sentence if the hand wins or loses all ties of its rank.

    It names the cards responsible and adds the author's text.
    """
    for number, (line, value) in enumerate(zip(ranking.ties, reading.strength[1:], strict=False)):
        if line.how not in ("best", "worst"):
            return
        if value:
            cards = [f"[{names.code(card)}]" for card in at_work(names, state, ranking.name, number, reading)]
            cause = f" because of {listed(cards)}" if cards else ""
            doc = f": {line.doc[:1].lower()}{line.doc[1:]}" if line.doc else "."
            yield f"It {'wins' if line.how == 'best' else 'loses'} ties{cause}{doc}"
            return


def at_work(names: Names, state: State, ranking: str, line: int, reading: Reading) -> Iterator[int]:
    """Yield the cards that satisfy the condition of a line individually."""
    judge = names.program.readings.judges[ranking]
    shown = reading.shown or tuple(names.program.face[card] for card in reading.used)
    for card, face in zip(reading.used, shown, strict=True):
        with suppress(RuleError):
            if judge(state, line, Probe((card,), reading.rest, int(face != names.program.face[card]))):
                yield card
