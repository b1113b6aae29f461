"""Overrides of the rules by a host: move a card, set a number, or add a note, then play on.

In playtests they correct errors. They are part of the match like choices: replayed, recorded and logged for all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cardlang import game as g
from interpreter.errors import RuleError
from interpreter.matches.given import FactReader, set_track
from interpreter.state import ABSENT, State

if TYPE_CHECKING:
    from interpreter.matches.names import Names


@frozen
class Change:
    """An override without effect: a `note` of a sentence or two for the log and the record."""

    note: str

    def entry(self) -> dict[str, object]:
        """Return its line in a record."""
        return {"allowed": self.note}

    def apply(self, names: Names, state: State) -> None:
        """Apply the change to a state. Raise `RuleError` if that is impossible; then the state is unusable."""

    def told(self, names: Names, before: State) -> str:
        """Return the log line for all players, without hidden information. `before`: the state before the change."""
        return f"Override: {self.note}"


@frozen
class CardMoved(Change):
    """A move of a card to the top of a pile. `card`, `to`: refs, as tables have them."""

    card: str
    to: str

    def entry(self) -> dict[str, object]:
        return {"allowed": self.note, "card": self.card, "to": self.to}

    def apply(self, names: Names, state: State) -> None:
        card, pile = names.refs.card_at(state, self.card), names.refs.numbers.get(self.to)
        if card is None or pile is None:
            raise refused(names, f"Unknown pile or card: {self.to if pile is None else self.card}.")
        zone = names.program.zones[pile].zone
        if zone.single and state.z[pile]:
            raise refused(names, f"{names.pile(pile)} holds a single card.")
        mover, on_top = names.program.mover, state.z[state.loc[card]][-1] == card
        mover.move_unheard(state, [card], pile, "top", mover.everyone if on_top else 0, ())
        go_on_asking(names, state)

    def told(self, names: Names, before: State) -> str:
        card = names.refs.card_at(before, self.card)
        if card is None:
            return super().told(names, before)
        source, to = before.loc[card], names.refs.numbers[self.to]
        onlooker = names.program.players
        seen = names.program.visible(before, card, onlooker) or names.program.layout.sees[to] >> onlooker & 1
        what = f"[{names.code(card)}]" if seen else "a card"
        return f"Override: {what} from {names.pile(source)} to {names.pile(to)}. {self.note}".strip()


@frozen
class TrackSet(Change):
    """A new value of a number, flag, player or value of a kind.

    `of`: its owner; None for the table. `value`: in the form that people write.
    """

    track: str
    of: str | None
    value: str

    def entry(self) -> dict[str, object]:
        return {"allowed": self.note, "track": self.track, "of": self.of, "value": self.value}

    def apply(self, names: Names, state: State) -> None:
        track = names.game.tracks.get(self.track)
        if track is None or track.subject == "card" or track.secret:
            raise refused(names, f"There is no {self.track} that all players see.")
        reader = FactReader(names.game, names.players)
        try:
            of = reader.subject(track.subject, self.of, self.track)
            set_track(
                names.program, state, g.GivenTrack(track.name, of, reader.constant(track.type, self.value), reader.span)
            )
        except ValueError as error:
            raise refused(names, str(error)) from error
        go_on_asking(names, state)

    def told(self, names: Names, before: State) -> str:
        owner = f"{self.of}'s " if self.of is not None else ""
        noun = names.game.tracks[self.track].noun.singular.replace("-", " ")
        return f"Override: {owner}{noun} is now {self.value}. {self.note}".strip()


Deed = int | Change
"""A step of a match: the code of a move, or an override."""


def refused(names: Names, why: str) -> RuleError:
    """Return an error with the whole game as its position, because no rule caused it."""
    return RuleError(names.game.sources[0].whole, why)


def go_on_asking(names: Names, state: State) -> None:
    """Compute the legal moves again.

    Raise `RuleError` if the current player would have no legal move, or is in the middle of a choice.
    """
    if state.picks:
        raise refused(names, "A player is choosing cards. Try again when they have finished.")
    names.program.refresh(state)
    if state.who != ABSENT and not state.legal:
        raise refused(names, f"{names.players[state.who]} would have no legal move.")


def carry_out(names: Names, state: State, made: Deed) -> None:
    """Apply one step when a match is replayed."""
    if isinstance(made, int):
        names.program.apply(state, made)
    else:
        made.apply(names, state)


def change_of(entry: dict[str, object]) -> Change:
    """Return the override in a line of a record. Its keys and types are already checked."""
    note = str(entry["allowed"])
    if "card" in entry:
        return CardMoved(note, str(entry["card"]), str(entry["to"]))
    if "track" in entry:
        of = entry["of"]
        return TrackSet(note, str(entry["track"]), None if of is None else str(of), str(entry["value"]))
    return Change(note)
