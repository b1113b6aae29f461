"""What is allowed once, outside the rules: at playtests a card is put back, a number is set right, and play goes on. It
is a part of the match as choices are: played again, recorded, and told to all."""

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
    """Nothing but a word that goes into the log and the record: `note`, a sentence or two."""

    note: str

    def entry(self) -> dict[str, object]:
        """The line about it in a record."""
        return {"allowed": self.note}

    def apply(self, names: Names, state: State) -> None:
        """Carries it out. Raises RuleError where that cannot be; the state is then of no use."""

    def told(self, names: Names, before: State) -> str:
        """What everybody is told, with the state before: nothing that is hidden."""
        return f"Override: {self.note}"


@frozen
class CardMoved(Change):
    """A card on top of another pile. `card`, `to`: refs, as tables have them."""

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
    """A number, flag, player or member that is kept. `of`: whose it is, None for the table's; `value`: as people write
    it."""

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
"""What a match is made of: codes of moves, and what was allowed."""


def refused(names: Names, why: str) -> RuleError:
    """Nothing is the matter with the rules; the place is the whole game."""
    return RuleError(names.game.sources[0].whole, why)


def go_on_asking(names: Names, state: State) -> None:
    """Lists the moves anew. Raises RuleError where whoever is asked could then do nothing, or has half chosen."""
    if state.picks:
        raise refused(names, "A player is choosing cards. Try again when they have finished.")
    names.program.refresh(state)
    if state.who != ABSENT and not state.legal:
        raise refused(names, f"{names.players[state.who]} would have no legal move.")


def carry_out(names: Names, state: State, made: Deed) -> None:
    """One thing more of a match that is played again."""
    if isinstance(made, int):
        names.program.apply(state, made)
    else:
        made.apply(names, state)


def change_of(entry: dict[str, object]) -> Change:
    """What a line of a record allows; its keys and types were looked at."""
    note = str(entry["allowed"])
    if "card" in entry:
        return CardMoved(note, str(entry["card"]), str(entry["to"]))
    if "track" in entry:
        of = entry["of"]
        return TrackSet(note, str(entry["track"]), None if of is None else str(of), str(entry["value"]))
    return Change(note)
