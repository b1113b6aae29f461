"""Legal moves of a decision, a lazy sequence, and their printed forms.

Printed forms of moves:
- a pick: verb and card (`play [9G]`),
- a number: verb and number (`draw 2`),
- a choice: the value (`Bob`, `Spades`, `[9G]`),
- an option: its name and the bound values (`bet 5`, `swap Bob`, `event [Bones]`),
- a card unknown to the player: its place in its pile from the bottom (`take #2`).

Different moves with equal forms are numbered (`discard [Sofa] #2`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, overload

from attrs import field, frozen

from cardlang import game as g
from cardlang.words import plain
from interpreter.matches.names import Names
from interpreter.state import DONE, Site, State

if TYPE_CHECKING:
    from interpreter.matches.match import Match
    from interpreter.program import Program


@frozen
class Move:
    """Legal move. `str(move)` is its text. `code` is its number in the program, `decision` the moves it belongs to."""

    index: int
    """Index among the legal moves."""
    text: str
    """Text of the move, unique within its decision."""
    code: int = field(repr=False, eq=False)
    decision: Moves = field(repr=False, eq=False)

    def __str__(self) -> str:
        return self.text


class Moves(Sequence[Move]):
    """Legal moves of one decision, in their fixed order.

    `len` is cheap. Printed forms are made on first use, even after the decision has passed: then the match is replayed
    up to it.
    """

    __slots__ = ("_choices", "_codes", "_count", "_made", "_match")

    def __init__(self, match: Match, codes: list[int]) -> None:
        self._match = match
        self._codes = codes
        self._choices = match.choices
        self._count = len(match.choices)
        self._made: list[Move] | None = None

    def state(self) -> State:
        """Return the state at this decision."""
        match = self._match
        if match.choices is self._choices and len(self._choices) == self._count:
            return match.state
        return match.replayed(self._choices[: self._count])

    def belong_to(self, match: Match) -> bool:
        """Return whether a match is at this decision.

        It can be the same match, a copy, or a sample (`Match.sample`), after the same choices.
        """
        own = self._match
        if own is match and self._choices is match.choices:
            return self._count == len(match.choices)
        choices = self._choices[: self._count]
        return own.is_of_one_game(match) and own.origin.path(choices) == match.origin.path(match.choices)

    def __len__(self) -> int:
        return len(self._codes)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        return self._moves()[index]

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves())

    def __repr__(self) -> str:
        return f"<{len(self)} moves: {', '.join(self.texts)}>"

    @property
    def texts(self) -> tuple[str, ...]:
        """Printed forms of all moves."""
        return tuple(move.text for move in self._moves())

    def _moves(self) -> list[Move]:
        if self._made is None:
            texts = printed(self._match.names, self.state(), self._codes)
            self._made = [
                Move(index, text, code, self) for index, (text, code) in enumerate(zip(texts, self._codes, strict=True))
            ]
        return self._made


def printed(names: Names, state: State, codes: Iterable[int]) -> list[str]:
    """Return the printed forms of moves of the decision in a state. All are different."""
    site = names.program.site(state)
    printer = Printer(names, state, site)
    texts = [printer.text(code) for code in codes]
    if len(set(texts)) == len(texts):
        return texts
    if printer.hides:
        printer.with_piles = True
        texts = [printer.text(code) for code in codes]
    return list(numbered(texts))


def numbered(texts: Sequence[str]) -> Iterator[str]:
    """Yield strings made unique: the second of equal ones ends in ` #2`, and so on."""
    seen: dict[str, int] = {}
    for text in texts:
        count = seen[text] = seen.get(text, 0) + 1
        yield text if count == 1 else f"{text} #{count}"


class Printer:
    """Printer of the moves of one decision, for the current player or another seat (`seat`)."""

    def __init__(self, names: Names, state: State, site: Site, seat: int | None = None) -> None:
        self.names = names
        self.program: Program = names.program
        self.state = state
        self.site = site
        self.seat = state.who if seat is None else seat
        self.with_piles = False
        self.hides = False

    def text(self, code: int) -> str:
        if code == DONE:
            return pass_or_done(self.site, self.state)
        option, values = self.program.decode(self.site, code)
        if option is None:
            value = self.value(asked_type(self.site), values[0])
            verb = getattr(self.site.statement, "verb", "")
            return f"{verb} {value}" if verb else value
        chosen = self.site.options[option]
        return " ".join([chosen.name, *self.bound(chosen, values)])

    def bound(self, option: g.Option, values: Sequence[int]) -> list[str]:
        """Return the values bound to an option, in words."""
        return [self.value(var.type, value) for (var, _), value in zip(option.binders, values, strict=True)]

    def value(self, type: g.Type, value: int) -> str:
        if type.tag == "card" and not self.program.visible(self.state, value, self.seat):
            return self.hidden(value)
        return self.names.value(type, value)

    def hidden(self, card: int) -> str:
        """Return a card by its place: `#2`, or `#2 of Bob's hand` if several piles are involved."""
        self.hides = True
        pile = self.state.loc[card]
        place = f"#{self.state.z[pile].index(card) + 1}"
        return f"{place} of {self.names.pile(pile)}" if self.with_piles else place


def pass_or_done(site: Site, state: State) -> str:
    """Return the name of the move without a choice: `done` ends a choice of several, `pass` declines."""
    several = site.kind in ("pick", "several")
    declines = bool(getattr(site.statement, "may", False)) and not state.picks
    return "done" if several and not declines else "pass"


def asked_type(site: Site) -> g.Type:
    """Return the type of value chosen at a decision without options."""
    if site.kind == "pick":
        return g.CARD
    if site.kind == "number":
        return g.NUMBER
    assert isinstance(site.statement, g.Choose)
    return site.statement.var.type.item or site.statement.var.type


def noun_of(site: Site) -> str:
    """Return the noun for one chosen value: `card`, `suit`.

    For players and numbers it is the name in the rule: `rival`, `stake`.
    """
    if site.options:
        return ""
    type = asked_type(site)
    if type.tag == "card" or not isinstance(site.statement, g.Choose):
        return "card"
    if type.tag == "member" and type.of is not None:
        return plain(type.of).lower()
    name = plain(site.statement.var.name)
    is_noun = len(name) > 2 and not name.endswith(("ed", "en")) and not site.statement.several
    return name if is_noun else type.tag
