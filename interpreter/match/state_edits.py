"""State edits outside the rules: given positions and host overrides.

In playtests they correct errors. They are part of the match like choices: replayed, recorded and logged for all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Source, Span
from cardlang.english.control_characters import normalize_user_input
from interpreter.narration.display_names import add_second_owner
from interpreter.narration.event_phrases import (
    Cards,
    Line,
    make_name,
    make_possessive_name,
    make_verb,
    write_sentence,
)
from interpreter.runtime.builtin_functions import end_match
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import ABSENT, NO_NUMBER, UNLIMITED, State

if TYPE_CHECKING:
    from interpreter.narration.display_names import MatchNames
    from interpreter.program.program import Program


def apply_given_facts(program: Program, state: State, given: g.Given) -> None:
    """Apply all facts of a `given` block together. Raise `RuleError` if they contradict each other or the game."""
    ZoneSetter(program, state).fill_zones([fact for fact in given.facts if isinstance(fact, g.GivenZone)])
    for fact in given.facts:
        if isinstance(fact, g.GivenTrack):
            set_given_track(program, state, fact)


def set_given_track(program: Program, state: State, fact: g.GivenTrack) -> None:
    slot = program.layout.get_slot(program.game.tracks[fact.track], fact.of, fact.second)
    entry = program.tracks[slot]
    value = program.evaluate(fact.value, state)
    if value is None and not program.layout.presence.can_be_absent(entry.track):
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


class ZoneSetter:
    """Setter of zones to exactly the given cards.

    The cards are taken from any place. Cards that must make room go to their home zone, or out of play if that zone is
    set as well.
    """

    def __init__(self, program: Program, state: State) -> None:
        self.program = program
        self.state = state
        self.taken_cards: set[int] = set()

    def fill_zones(self, facts: Sequence[g.GivenZone]) -> None:
        piles = {self.get_pile(fact): fact for fact in facts}
        chosen = {
            pile: [self.take_unused_copy(face, pile, fact.span) for face in fact.faces] for pile, fact in piles.items()
        }
        for pile in piles:
            for card in list(self.state.z[pile]):
                if card not in self.taken_cards:
                    self.move_card(card, ABSENT if self.get_home_pile(card) in piles else self.get_home_pile(card))
        for pile, cards in chosen.items():
            for card in cards:
                self.move_card(card, pile)

    def get_pile(self, fact: g.GivenZone) -> int:
        return self.program.layout.get_slot(self.program.game.zones[fact.zone], fact.of, fact.second)

    def get_home_pile(self, card: int) -> int:
        face = self.program.game.faces[self.program.face[card]]
        return self.program.zone_base[self.program.game.sets[face.set].home]

    def take_unused_copy(self, face: int, pile: int, span: Span) -> int:
        """Return an unused copy of a card.

        It comes from the pile itself, its home zone, out of play, or elsewhere, in this order of preference.
        """
        entry = self.program.game.faces[face]
        free = [card for card in range(entry.first, entry.first + entry.copies) if card not in self.taken_cards]
        if not free:
            raise RuleError(span, f"The game has only {entry.copies} [{entry.code}], but this names more.")
        preferred_piles = (pile, self.get_home_pile(entry.first), ABSENT)
        places = {pile_number: rank for rank, pile_number in enumerate(preferred_piles)}
        card = min(free, key=lambda candidate: places.get(self.state.loc[candidate], len(preferred_piles)))
        self.taken_cards.add(card)
        return card

    def move_card(self, card: int, pile: int) -> None:
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
def evaluate_definition(game: g.Game, define: str, given: str, zones: dict[str, str]) -> Any:
    """Evaluate a definition as `cardlang.model.Game.evaluate` does."""
    from interpreter.program.program import compile_game
    from interpreter.runtime.value_formatting import get_default_names

    for zone, cards in zones.items():
        if not isinstance(cards, str):
            raise TypeError(f"{zone} needs its cards in one string, with spaces between them.")
    first = get_default_names(1)[0]
    rows = [f"{first}: {zone} [{cards.strip(' []')}]" for zone, cards in zones.items()]
    players, reader, facts = parse_facts_for_fewest_players(game, "\n".join([given, *rows]))
    program = compile_game(game, players)
    state = program.create_blank_state(0)
    try:
        apply_given_facts(program, state, g.Given(tuple(facts), reader.span))
    except RuleError as error:
        raise ValueError(error.message) from error
    return program.evaluate(build_named_value(game, define, reader.span), state)


def parse_facts_for_fewest_players(game: g.Game, text: str) -> tuple[int, FactParser, list[g.GivenTrack | g.GivenZone]]:
    """Parse facts with the lowest player count that includes all named players.

    Raise `ValueError` as `FactParser` does.
    """
    from interpreter.runtime.value_formatting import get_default_names

    for players in sorted(game.seats):
        reader = FactParser(game, get_default_names(players))
        try:
            return players, reader, list(reader.parse_facts(text))
        except ValueError:
            if players == max(game.seats):
                raise
    raise AssertionError("expected a game with at least one player count")


def build_named_value(game: g.Game, name: str, span: Span) -> g.Expr:
    """Return the expression for a definition or track of the table, or of the first player."""
    definition = game.defines.get(name) or game.tracks.get(name)
    if definition is None or definition.subject not in (None, "player") or definition.second is not None:
        raise ValueError(f"{game.title} has no definition {name} of the table or of a player.")
    of = g.Const(g.PLAYER, span, 0) if definition.subject == "player" else None
    if isinstance(definition, g.Define):
        return g.Call(definition.type, span, name, of)
    return g.TrackValue(definition.type, span, name, of)


def parse_owned_name(text: str) -> tuple[str, str | None, str]:
    """Split `line for 3 [7R]` into the name, the member after `for` if there is one, and the rest."""
    match = re.fullmatch(r"(\S*)(?: for (\S+))?(.*)", text, re.DOTALL)
    assert match is not None
    return match[1], match[2], match[3].strip()


class FactParser:
    """Parser of facts such as `tall [Tp], claimer Ann` and, by line or after `;`, `Bob: hand [9G], chips 20`."""

    def __init__(self, game: g.Game, names: Sequence[str]) -> None:
        self.game = game
        self.names = names
        self.codes = {face.code: face.number for face in game.faces}
        source = Source("<given>", "given")
        self.span = Span(source, 0, len(source.text))

    def parse_facts(self, text: str) -> Iterator[g.GivenTrack | g.GivenZone]:
        """Yield the facts of a string. Raise `ValueError` for anything that does not exist in this game."""
        for row in re.split(r"[\n;]+", normalize_user_input(text)):
            owner, colon, rest = row.rpartition(":")
            for fact in re.findall(r"(?:\[[^\]]*\]|[^,\[])+", rest):
                if fact.strip():
                    yield self.parse_fact(owner.strip() if colon else None, fact.strip())

    def parse_fact(self, owner: str | None, text: str) -> g.GivenTrack | g.GivenZone:
        name, member, value = parse_owned_name(text)
        declared = self.game.zones.get(name) or self.game.tracks.get(name)
        if declared is None or not value:
            raise ValueError(f"{text}: {self.game.title} has no zone or number of that name.")
        of, second = self.parse_owner(declared.subject, owner, text), self.parse_second(declared, member, text)
        if isinstance(declared, g.Zone):
            return g.GivenZone(name, of, tuple(self.parse_card_codes(value)), self.span, second)
        return g.GivenTrack(name, of, self.parse_constant(declared.type, value), self.span, second)

    def parse_second(self, declared: g.Zone | g.Track, member: str | None, text: str) -> int | None:
        """Return the index of the second owner, as in `line for 3`."""
        names = [each.name for each in self.get_members(declared.second or "")]
        if member is None and not names:
            return None
        if member is None or member not in names:
            choices = f"Write `{declared.name} for` and one of {', '.join(names)}." if names else "Remove the `for`."
            raise ValueError(f"{text}: no such {declared.name}. {choices}")
        return names.index(member)

    def parse_owner(self, subject: str | None, owner: str | None, text: str) -> int | None:
        """Return the owner. A player's track or zone without a name belongs to the first player."""
        if subject is None:
            return None
        names = self.names if subject == "player" else [m.name for m in self.get_members(subject)]
        if owner is None and subject == "player":
            return 0
        known = [normalize_user_input(name) for name in names]
        if owner is None or normalize_user_input(owner) not in known:
            raise ValueError(f"{text}: needs an owner. Write one of {', '.join(names)} and a colon before it.")
        return known.index(normalize_user_input(owner))

    def get_members(self, kind: str) -> Iterable[g.Member]:
        return self.game.kinds[kind].members if kind in self.game.kinds else ()

    def parse_card_codes(self, text: str) -> Iterator[int]:
        for code in re.findall(r"[^\s,\[\]]+", text):
            if code not in self.codes:
                raise ValueError(f"{self.game.title} has no card [{code}].")
            yield self.codes[code]

    def parse_constant(self, type: g.Type, text: str) -> g.Const:
        """Parse a constant: a number, yes or no, a player, a value of a kind, `nobody`, `nothing` or `unlimited`."""
        text = normalize_user_input(text)
        if text in ("nobody", "nothing"):
            return g.Const(type, self.span, None)
        if text == g.UNLIMITED and type.tag == "number":
            return g.Const(type, self.span, g.UNLIMITED)
        if type.tag == "number" and re.fullmatch(r"-?\d+(\.\d+)?", text):
            value = Fraction(text)
            return g.Const(type, self.span, value.numerator if value.denominator == 1 else value)
        words = [normalize_user_input(word) for word in self.get_value_names(type)]
        if text not in words:
            raise ValueError(f"{text} is not a valid value here. Use {', '.join(words) or 'a number'}.")
        return g.Const(type, self.span, words.index(text))

    def get_value_names(self, type: g.Type) -> list[str]:
        if type.tag == "flag":
            return ["no", "yes"]
        if type.tag == "player":
            return list(self.names)
        return [member.name for member in self.get_members(type.of or "")]


@frozen
class StateEdit:
    """An override without effect: a `note` of a sentence or two for the log and the record."""

    note: str

    def build_record_entry(self) -> dict[str, object]:
        """Return its line in a record."""
        return {"allowed": self.note}

    def apply(self, names: MatchNames, state: State) -> None:
        """Apply the change to a state. Raise `RuleError` if that is impossible; then the state is unusable."""

    def describe_edit(self, names: MatchNames, before: State) -> Line:
        """Return the log line for all players, without hidden information. `before`: the state before the change."""
        return Line((f"Override: {self.note}",))


@frozen
class CardEdit(StateEdit):
    """A move of a card to the top of a pile. `card`, `to`: refs, as tables have them."""

    card: str
    to: str

    def build_record_entry(self) -> dict[str, object]:
        return {"allowed": self.note, "card": self.card, "to": self.to}

    def apply(self, names: MatchNames, state: State) -> None:
        card, pile = names.refs.find_card(state, self.card), names.refs.pile_numbers.get(self.to)
        if card is None or pile is None:
            raise build_edit_error(names, f"Unknown pile or card: {self.to if pile is None else self.card}.")
        zone = names.program.zones[pile].zone
        if zone.single and state.z[pile]:
            raise build_edit_error(names, f"{names.get_pile_name(pile)} holds a single card.")
        mover, on_top = names.program.mover, state.z[state.loc[card]][-1] == card
        mover.move_without_event(state, [card], pile, "top", mover.everyone if on_top else 0, ())
        refresh_decision(names, state)

    def describe_edit(self, names: MatchNames, before: State) -> Line:
        card = names.refs.find_card(before, self.card)
        if card is None:
            return super().describe_edit(names, before)
        source, to = before.loc[card], names.refs.pile_numbers[self.to]
        onlooker = names.program.players
        seen = names.program.is_visible(before, card, onlooker) or names.program.layout.sees[to] >> onlooker & 1
        what = Cards.create((names.get_card_code(card),)) if seen else Cards.create((), 1)
        where = (" from ", *names.pile_phrases[source], " to ", *names.pile_phrases[to])
        return Line(("Override: ", what, *where, f". {self.note}".rstrip()))


@frozen
class TrackEdit(StateEdit):
    """A new value of a number, flag, player or value of a kind.

    `track`: its name, perhaps with its second owner (`stock for Wood`). `owner`: its owner; None for the table.
    `value`: in the form that people write.
    """

    track: str
    owner: str | None
    value: str

    def build_record_entry(self) -> dict[str, object]:
        return {"allowed": self.note, "track": self.track, "of": self.owner, "value": self.value}

    def apply(self, names: MatchNames, state: State) -> None:
        name, member, _ = parse_owned_name(self.track)
        track = names.game.tracks.get(name)
        if track is None or track.subject == "card" or track.secret:
            raise build_edit_error(names, f"There is no {self.track} that all players see.")
        reader = FactParser(names.game, names.players)
        try:
            of = reader.parse_owner(track.subject, self.owner, self.track)
            second, value = (
                reader.parse_second(track, member, self.track),
                reader.parse_constant(track.type, self.value),
            )
            set_given_track(names.program, state, g.GivenTrack(name, of, value, reader.span, second))
        except ValueError as error:
            raise build_edit_error(names, str(error)) from error
        refresh_decision(names, state)

    def describe_edit(self, names: MatchNames, before: State) -> Line:
        owner = [make_possessive_name(self.owner), " "] if self.owner is not None else []
        name, member, _ = parse_owned_name(self.track)
        noun = add_second_owner(names.game.tracks[name].noun.singular.replace("-", " "), member)
        return Line(("Override: ", *owner, f"{noun} is now {self.value}. {self.note}".strip()))


@frozen
class Surrender(StateEdit):
    """The end of a match whose only player gives up. `note`: the player."""

    def build_record_entry(self) -> dict[str, object]:
        return {"gave-up": self.note}

    def apply(self, names: MatchNames, state: State) -> None:
        if names.players != (self.note,):
            raise build_edit_error(names, "Only a player without opponents can give up.")
        state.picks = []
        end_match(state)

    def describe_edit(self, names: MatchNames, before: State) -> Line:
        return write_sentence(make_name(self.note), make_verb("gives", self.note), "up")


ChoiceOrEdit = int | StateEdit
"""A step of a match: the code of a move, or an override."""


def build_edit_error(names: MatchNames, reason: str) -> RuleError:
    """Return an error with the whole game as its position, because no rule caused it."""
    return RuleError(names.game.sources[0].full_span, reason)


def refresh_decision(names: MatchNames, state: State) -> None:
    """Compute the legal moves again.

    Raise `RuleError` if the current player would have no legal move, or is in the middle of a choice.
    """
    if state.picks:
        raise build_edit_error(names, "A player is choosing cards. Try again when they have finished.")
    names.program.refresh_legal_moves(state)
    if state.who != ABSENT and not state.legal:
        raise build_edit_error(names, f"{names.players[state.who]} would have no legal move.")


def replay_choice(names: MatchNames, state: State, choice: ChoiceOrEdit) -> None:
    """Apply one step when a match is replayed."""
    if isinstance(choice, int):
        names.program.apply(state, choice)
    else:
        choice.apply(names, state)


def parse_state_edit(entry: dict[str, object]) -> StateEdit:
    """Return the override in a line of a record. Its keys and types are already checked."""
    if "gave-up" in entry:
        return Surrender(str(entry["gave-up"]))
    note = str(entry["allowed"])
    if "card" in entry:
        return CardEdit(note, str(entry["card"]), str(entry["to"]))
    if "track" in entry:
        of = entry["of"]
        return TrackEdit(note, str(entry["track"]), None if of is None else str(of), str(entry["value"]))
    return StateEdit(note)
