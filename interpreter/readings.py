"""Build the readers of a program's rankings, with the game data that they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cardlang import game as g
from interpreter.lowering.orders import prepare_ranking, tie_card
from interpreter.ranking.alike import Matched
from interpreter.ranking.reader import Reader, Reading
from interpreter.state import NO_NUMBER, State

if TYPE_CHECKING:
    from interpreter.program import Program


KNOWN = 4096
"""Cache size for the readings of a ranking: the same cards are read repeatedly during a decision."""


class Probe:
    """Candidate reading, on which the conditions of ties are evaluated."""

    __slots__ = ("cards", "rest", "used", "wilds")

    def __init__(self, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> None:
        self.used, self.rest, self.wilds = used, rest, wilds
        self.cards = used + rest


class Readings:
    """Lazily built readers of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.readers: dict[str, Reader] = {}
        self.leasts: dict[str, list[int]] = {}
        self.known: dict[str, Callable[[tuple[int, ...]], Reading | None]] = {}
        self.matched: dict[str, Callable[..., bool]] = {}
        self.wilds: dict[str, Callable[[State, Sequence[int]], Sequence[int]] | None] = {}
        self.judges: dict[str, Callable[..., bool]] = {}

    def reader(self, name: str) -> Reader:
        if name not in self.readers:
            ranking = self.program.game.rankings[name]
            blank = self.program.blank(0)
            lines = [self.tie_values(ranking, line, blank) for line in ranking.ties]

            def holds(condition: g.Expr, var: g.Var, face: int) -> bool:
                return bool(self.program.value(condition, blank, {var.id: self.program.game.faces[face].first}))

            reader = Reader(self.program.game, ranking, holds, lines)
            self.ask_rules(name, ranking)
            self.keep(name, ranking, reader)
            self.readers[name] = reader  # last, because other threads use it from now on
        return self.readers[name]

    def ask_rules(self, name: str, ranking: g.Ranking) -> None:
        """Link the functions of the rules that a reader calls."""
        with self.program.linking:
            prepare_ranking(self.program.lowering.code, name)
            self.program.link()
        named, names = self.program.lowering.code.named, self.program.namespace
        self.wilds[name] = names[named("wild", name)] if ranking.wilds else None
        self.judges[name] = names[named("judge", name)]

    def keep(self, name: str, ranking: g.Ranking, reader: Reader) -> None:
        """Cache readings, if they depend on the cards alone: no wild cards and no conditional ties."""
        if ranking.wilds:
            return
        self.matched[name] = Matched(reader).matches
        if ranking.size == "groups":
            least = self.least(name)
            self.known[name] = lru_cache(KNOWN)(lambda cards: reader.read_split(cards, least))
        elif all(line.how not in ("best", "worst") for line in ranking.ties):
            self.known[name] = lru_cache(KNOWN)(lambda cards: reader.read(cards, None, never))

    def tie_values(self, ranking: g.Ranking, line: g.OrderLine, s: State) -> list[int] | None:
        """Return the value by face of a line like `higher used's height`; None for any other line."""
        card = tie_card(ranking, line)
        if card is None:
            return None
        values = [self.program.value(card[1], s, {card[0].id: face.first}) for face in self.program.game.faces]
        return [NO_NUMBER if value is None else int(value) for value in values]

    def least(self, name: str) -> list[int]:
        """Return, by face, the count of a card that the best split leaves over."""
        if name not in self.leasts:
            ranking, blank = self.program.game.rankings[name], self.program.blank(0)
            if ranking.least is None or ranking.least_var is None:
                raise AssertionError("a ranking of groups")
            var, value = ranking.least_var.id, ranking.least
            counts = [self.program.value(value, blank, {var: face.first}) for face in self.program.game.faces]
            self.leasts[name] = [int(count or 0) for count in counts]
        return self.leasts[name]

    def wild(self, name: str, s: State, cards: Sequence[int]) -> Any:
        """Return, for each card, the bit mask of the `wild` lines that hold for it; None if there are none."""
        function = self.wilds[name]
        return None if function is None else function(s, cards)

    def read(self, name: str, s: State, cards: Sequence[int]) -> Reading | None:
        reader = self.readers.get(name) or self.reader(name)
        if name in self.known:
            return self.known[name](tuple(cards))
        wild, judge = self.wild(name, s, cards), self.judges[name]
        if reader.ranking.size == "groups":
            return reader.read_split(cards, self.least(name), wild)
        return reader.read(cards, wild, lambda line, used, rest, wilds: judge(s, line, Probe(used, rest, wilds)))

    def read_beside(self, name: str, s: State, cards: Sequence[int], other: Reading | None) -> Reading | None:
        if other is None:
            return self.reader(name).read_split(cards, self.least(name))
        return self.reader(name).read_beside(cards, other, self.least(name))

    def matches(self, name: str, s: State, cards: Sequence[int]) -> bool:
        known = self.matched.get(name)
        if known is not None:
            return known(cards)
        reader = self.reader(name)
        return reader.matches(cards, self.wild(name, s, cards))

    def sets(self, name: str) -> Callable[..., Iterable[tuple[int, ...]]]:
        """Return the function that yields the choices that form a rank: `Reader.sets`."""
        return self.reader(name).sets


def never(line: int, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> bool:
    """Reject any call: the judge of a ranking without conditional ties."""
    raise AssertionError("nothing to judge")


def shown_reading(game: g.Game) -> str | None:
    """Return the name of the player's value that reads their own cards, if the game shows one."""
    define = define_shown(game)
    return None if define is None else define.name


def shows_split(game: g.Game) -> bool:
    """Check whether that reading is the split of a hand into groups that leaves the least."""
    define = define_shown(game)
    return define is not None and game.rankings[str(define.type.of)].size == "groups"


def define_shown(game: g.Game) -> g.Define | None:
    for show in game.shows:
        define = game.defines.get(show.define) if show.define is not None else None
        if define is not None and define.subject == "player" and define.type.tag == "reading":
            return define
    return None
