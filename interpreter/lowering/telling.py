"""Lower log sentences, and collect the information needed to hide secret values from observers."""

from __future__ import annotations

from functools import cached_property

from attrs import frozen

from cardlang import game as g
from cardlang.game.walking import walk
from cardlang.source import Span
from interpreter import lowered as lo
from interpreter.knowing import followed, variables_of
from interpreter.layout import Layout, about_cards
from interpreter.lowering.observers import Observers


@frozen
class Entry:
    """Description of values that listeners receive.

    needs: the variables that the values depend on, in order.
    cards: those of `needs` that hold cards.
    hidden: those of `needs` that some players may not know.
    words: the words of a sentence.
    var: for a stored value, its variable."""

    values: tuple[g.Expr, ...]
    needs: tuple[int, ...]
    cards: tuple[int, ...]
    hidden: tuple[int, ...]
    words: tuple[str, ...] = ()
    var: int = 0


class Telling(Observers):
    """Lowering of `tell`. `heard`: the descriptions of values for listeners, by number."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.heard: list[Entry] = []

    @cached_property
    def followed(self) -> frozenset[int]:
        return followed(self.game)

    def do_Tell(self, stmt: g.Tell) -> None:
        self.hear("told", stmt.span, stmt.values, words=stmt.words)
        self.note_told(stmt.values)

    def learn(self, var: g.Var, value: g.Expr) -> None:
        """Report a new value of a variable that some players may not know, and that is logged later."""
        if var.id in self.followed and not about_cards(var.type):
            self.hear("learnt", value.span, (value,), var=var.id)

    def hear(
        self, name: str, span: Span, values: tuple[g.Expr, ...], words: tuple[str, ...] = (), var: int = 0
    ) -> None:
        types = {part.id: part.type for part in walk(values) if isinstance(part, g.Var)}
        needs = tuple(sorted(set().union(*map(variables_of, values)) & self.code.env.keys()))
        hidden = [each for each in needs if each in self.followed]
        cards = tuple(each for each in hidden if about_cards(types[each]))
        entry = Entry(values, needs, cards, tuple(each for each in hidden if each not in cards), words, var)
        self.heard.append(entry)
        number = lo.Const(lo.NUMBER, len(self.heard) - 1)
        self.emit(lo.Event(name, self.code.place(span), (number, *(self.code.env[each] for each in needs))))
