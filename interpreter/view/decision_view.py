"""View of a decision: the question and its moves, as the current player sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import overload

from attrs import field, frozen

from cardlang.diagnostics import Span
from interpreter.view.table_model import LabelPattern


@frozen
class BindingView:
    """A value bound in a move: a card, a player, a value of a kind, or a number.

    - `ref`: see `interpreter.narration.display_names`.
    - `number`: the number, if it is one.
    - `cell`: cell of an unknown card in a grid.
    """

    tag: str
    ref: str
    text: str
    number: int | None = None
    cell: str = ""


@frozen
class MoveView:
    """A move of a decision.

    - `text`: its printed form.
    - `label`: its name for people, with the cost.
    - `words`: the author's description of the option.
    - `name`: name of the option, or the verb, or empty.
    - `option`: index of the option in the rule; None if there are none.
    - `declines`: it is `pass` or `done`.
    - `phrases`: the author's wording, if there is one.
    - `pile`: ref of the pile to tap for it, or empty.
    """

    text: str
    label: str
    words: str
    name: str
    option: int | None
    bindings: tuple[BindingView, ...]
    declines: bool = False
    phrases: tuple[str, ...] = field(default=(), repr=False)
    pile: str = ""


IndexedMove = tuple[int, MoveView]


class MoveViews(Sequence[MoveView]):
    """Views of the moves of a decision, each built on first use."""

    def __init__(self, count: int, build: Callable[[int], MoveView]) -> None:
        self.size, self.build = count, cache(build)

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, index: int) -> MoveView: ...
    @overload
    def __getitem__(self, index: slice) -> list[MoveView]: ...
    def __getitem__(self, index: int | slice) -> MoveView | list[MoveView]:
        found = range(self.size)[index]
        return self.build(found) if isinstance(found, int) else [self.build(each) for each in found]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MoveViews) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


@frozen
class NumberedMoves:
    """Moves that differ only in a number.

    - `indices`: their indices among the legal moves, with their `numbers`, ascending.
    - `pattern`: their labels, if a pattern gives them all.
    """

    indices: tuple[int, ...]
    numbers: tuple[int, ...]
    pattern: LabelPattern | None = None


@frozen
class DecisionView:
    """A decision.

    - `kind`: as in `interpreter.runtime.state.DecisionPoint`.
    - `verb`: the action on cards, or empty.
    - `noun`: noun for one chosen value.
    - `source`, `target`: source and target of the cards, in words.
    - `words`: the author's text.
    - `span`: position of the rule.
    - `moves`: legal moves in their order.
    - `numbered`: those that differ only in a number.
    - `unavailable`: unavailable options, each with the reason, its label, and whether it is made with a card.
    - `announcer`: player whose announcement this responds to, or empty.
    - `options`: names of all options of the rule in order, legal or not.
    - `option_leads`: their wordings up to the first value, or their names.
    - `exclusive_pairs`: options that are never legal together, the later one first.
    """

    kind: str
    verb: str
    noun: str
    source: str
    target: str
    words: str
    span: Span = field(eq=False)
    moves: Sequence[MoveView]
    unavailable: tuple[tuple[str, str, str, bool], ...]
    announcer: str = ""
    options: tuple[str, ...] = ()
    option_leads: tuple[str, ...] = ()
    exclusive_pairs: tuple[tuple[str, str], ...] = ()
    numbered: tuple[NumberedMoves, ...] = ()

    def list_unnumbered_moves(self) -> list[IndexedMove]:
        """Return the moves that are not in `numbered`, each with its index."""
        numbered = {index for each in self.numbered for index in each.indices}
        return [(index, self.moves[index]) for index in range(len(self.moves)) if index not in numbered]

    def list_sample_moves(self) -> list[MoveView]:
        """Return the moves in their order, but of those that differ only in a number the first and the last."""
        ends = [(at, self.moves[at]) for each in self.numbered for at in {each.indices[0], each.indices[-1]}]
        return [move for _, move in sorted((*self.list_unnumbered_moves(), *ends), key=lambda pair: pair[0])]
