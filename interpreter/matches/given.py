"""Set up positions by hand: for `given` in examples, and for `Game.evaluate`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from cardlang import game as g
from cardlang.plain_text import simplified
from cardlang.source import Source, Span
from interpreter.errors import RuleError
from interpreter.state import ABSENT, NO_NUMBER, UNLIMITED, State

if TYPE_CHECKING:
    from interpreter.program import Program


def set_up(program: Program, state: State, given: g.Given) -> None:
    """Apply all facts of a `given` block together. Raise `RuleError` if they contradict each other or the game."""
    Setter(program, state).place([fact for fact in given.facts if isinstance(fact, g.GivenZone)])
    for fact in given.facts:
        if isinstance(fact, g.GivenTrack):
            set_track(program, state, fact)


def set_track(program: Program, state: State, fact: g.GivenTrack) -> None:
    slot = program.track_base[fact.track] + (fact.of or 0)
    entry = program.tracks[slot]
    value = program.value(fact.value, state)
    if value is None and not program.layout.presence.may_lack(entry.track):
        raise RuleError(fact.span, f"`{fact.track}` cannot be nothing in this game.")
    if value is None:
        state.t[slot] = NO_NUMBER if entry.track.type.tag == "number" else ABSENT
    elif value == g.UNLIMITED:
        state.t[slot] = UNLIMITED
    else:
        raw = Fraction(value) * entry.scale
        if raw.denominator != 1:
            raise RuleError(fact.span, f"`{fact.track}` cannot be this fraction in this game.")
        state.t[slot] = raw.numerator


class Setter:
    """Setter of zones to exactly the given cards.

    The cards are taken from any place. Cards that must make room go to their home zone, or out of play if that zone is
    set as well.
    """

    def __init__(self, program: Program, state: State) -> None:
        self.program = program
        self.state = state
        self.taken: set[int] = set()

    def place(self, facts: Sequence[g.GivenZone]) -> None:
        piles = {self.pile(fact): fact for fact in facts}
        chosen = {pile: [self.copy(face, pile, fact.span) for face in fact.faces] for pile, fact in piles.items()}
        for pile in piles:
            for card in list(self.state.z[pile]):
                if card not in self.taken:
                    self.put(card, ABSENT if self.home(card) in piles else self.home(card))
        for pile, cards in chosen.items():
            for card in cards:
                self.put(card, pile)

    def pile(self, fact: g.GivenZone) -> int:
        return self.program.zone_base[fact.zone] + (fact.of or 0)

    def home(self, card: int) -> int:
        face = self.program.game.faces[self.program.face[card]]
        return self.program.zone_base[self.program.game.sets[face.set].home]

    def copy(self, face: int, pile: int, span: Span) -> int:
        """Return an unused copy of a card.

        It comes from the pile itself, its home zone, out of play, or elsewhere, in this order of preference.
        """
        entry = self.program.game.faces[face]
        free = [card for card in range(entry.first, entry.first + entry.copies) if card not in self.taken]
        if not free:
            raise RuleError(span, f"The game has only {entry.copies} [{entry.code}], but this names more.")
        wanted = (pile, self.home(entry.first), ABSENT)
        places = {place: rank for rank, place in enumerate(wanted)}
        card = min(free, key=lambda each: places.get(self.state.loc[each], len(wanted)))
        self.taken.add(card)
        return card

    def put(self, card: int, pile: int) -> None:
        state = self.state
        if state.loc[card] != ABSENT:
            state.z[state.loc[card]].remove(card)
        state.loc[card] = pile
        state.known[card] = 0
        if pile == ABSENT:
            return
        state.z[pile].append(card)
        slot = self.program.zones[pile]
        state.owner[card] = slot.of if slot.zone.subject == "player" and slot.of is not None else state.owner[card]


# ---------------------------------------------------------------- for Game.evaluate
def evaluated(game: g.Game, define: str, given: str, zones: dict[str, str]) -> Any:
    """Evaluate a definition as `cardlang.game.Game.evaluate` does."""
    from interpreter.compiler import compile_game
    from interpreter.matches.seating import default_names

    for zone, cards in zones.items():
        if not isinstance(cards, str):
            raise TypeError(f"{zone} needs its cards in one string, with spaces between them.")
    first = default_names(1)[0]
    rows = [f"{first}: {zone} [{cards.strip(' []')}]" for zone, cards in zones.items()]
    players, reader, facts = facts_of_fewest(game, "\n".join([given, *rows]))
    program = compile_game(game, players)
    state = program.blank(0)
    try:
        set_up(program, state, g.Given(tuple(facts), reader.span))
    except RuleError as error:
        raise ValueError(error.message) from error
    return program.value(value_named(game, define, reader.span), state)


def facts_of_fewest(game: g.Game, text: str) -> tuple[int, FactReader, list[g.GivenTrack | g.GivenZone]]:
    """Parse facts with the lowest player count that includes all named players.

    Raise `ValueError` as `FactReader` does.
    """
    from interpreter.matches.seating import default_names

    for players in sorted(game.seats):
        reader = FactReader(game, default_names(players))
        try:
            return players, reader, list(reader.facts(text))
        except ValueError:
            if players == max(game.seats):
                raise
    raise AssertionError("a game takes some number of players")


def value_named(game: g.Game, name: str, span: Span) -> g.Expr:
    """Return the expression for a definition or track of the table, or of the first player."""
    found = game.defines.get(name) or game.tracks.get(name)
    if found is None or found.subject not in (None, "player"):
        raise ValueError(f"{game.title} has no definition {name} of the table or of a player.")
    of = g.Const(g.PLAYER, span, 0) if found.subject == "player" else None
    if isinstance(found, g.Define):
        return g.Call(found.type, span, name, of)
    return g.TrackValue(found.type, span, name, of)


class FactReader:
    """Parser of facts such as `tall [Tp], claimer Ann` and, by line or after `;`, `Bob: hand [9G], chips 20`."""

    def __init__(self, game: g.Game, names: Sequence[str]) -> None:
        self.game = game
        self.names = names
        self.codes = {face.code: face.number for face in game.faces}
        source = Source("<given>", "given")
        self.span = Span(source, 0, len(source.text))

    def facts(self, text: str) -> Iterator[g.GivenTrack | g.GivenZone]:
        """Yield the facts of a string. Raise `ValueError` for anything that does not exist in this game."""
        for row in re.split(r"[\n;]+", simplified(text)):
            owner, colon, rest = row.rpartition(":")
            for fact in re.findall(r"(?:\[[^\]]*\]|[^,\[])+", rest):
                if fact.strip():
                    yield self.fact(owner.strip() if colon else None, fact.strip())

    def fact(self, owner: str | None, text: str) -> g.GivenTrack | g.GivenZone:
        name, _, value = text.partition(" ")
        declared = self.game.zones.get(name) or self.game.tracks.get(name)
        if declared is None or not value.strip():
            raise ValueError(f"{text}: {self.game.title} has no zone or number of that name.")
        of = self.subject(declared.subject, owner, text)
        if isinstance(declared, g.Zone):
            return g.GivenZone(name, of, tuple(self.faces(value)), self.span)
        return g.GivenTrack(name, of, self.constant(declared.type, value.strip()), self.span)

    def subject(self, subject: str | None, owner: str | None, text: str) -> int | None:
        """Return the owner. A player's track or zone without a name belongs to the first player."""
        if subject is None:
            return None
        names = self.names if subject == "player" else [m.name for m in self.members(subject)]
        if owner is None and subject == "player":
            return 0
        known = [simplified(name) for name in names]
        if owner is None or simplified(owner) not in known:
            raise ValueError(f"{text}: needs an owner. Write one of {', '.join(names)} and a colon before it.")
        return known.index(simplified(owner))

    def members(self, kind: str) -> Iterable[g.Member]:
        return self.game.kinds[kind].members if kind in self.game.kinds else ()

    def faces(self, text: str) -> Iterator[int]:
        for code in re.findall(r"[^\s,\[\]]+", text):
            if code not in self.codes:
                raise ValueError(f"{self.game.title} has no card [{code}].")
            yield self.codes[code]

    def constant(self, type: g.Type, text: str) -> g.Const:
        """Parse a constant: a number, yes or no, a player, a value of a kind, `nobody`, `nothing` or `unlimited`."""
        text = simplified(text)
        if text in ("nobody", "nothing"):
            return g.Const(type, self.span, None)
        if text == g.UNLIMITED and type.tag == "number":
            return g.Const(type, self.span, g.UNLIMITED)
        if type.tag == "number" and re.fullmatch(r"-?\d+(\.\d+)?", text):
            value = Fraction(text)
            return g.Const(type, self.span, value.numerator if value.denominator == 1 else value)
        words = [simplified(word) for word in self.words(type)]
        if text not in words:
            raise ValueError(f"{text} is not a valid value here. Use {', '.join(words) or 'a number'}.")
        return g.Const(type, self.span, words.index(text))

    def words(self, type: g.Type) -> list[str]:
        if type.tag == "flag":
            return ["no", "yes"]
        if type.tag == "player":
            return list(self.names)
        return [member.name for member in self.members(type.of or "")]
