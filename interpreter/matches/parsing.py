"""Parse the moves that people type.

The printed form always works. Other accepted forms:
- without brackets around cards, without the `#` of a place, in any case,
- without the verb or the option's name,
- without the bound values, if only one move is possible,
- several cards together (`discard [9G 7A]`), or none (`[]`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from cardlang.plain_text import simplified
from interpreter.errors import MoveError
from interpreter.matches.moves import Printer, printed
from interpreter.matches.names import Names, listed
from interpreter.state import DONE, State

SHOWN = 6
"""Maximum number of moves to list if the input is ambiguous."""

NO_CARDS = re.compile(r"[^\[\],#]*\[\s*\]\s*")
"""Empty brackets, optionally after a verb."""

Words = list[str]
NUMBER = re.compile(r"-?[0-9]{1,19}")


def words_of(text: str) -> Words:
    """Return the words of a move, without brackets around cards and the sign before a place."""
    return re.findall(r"[^\s\[\],#]+", simplified(text))


def number_of(word: str) -> int | None:
    """Parse a whole number of plain digits, at most 19; None for anything else."""
    return int(word) if NUMBER.fullmatch(word) else None


def codes_meant(names: Names, state: State, text: str) -> list[int]:
    """Return the codes of the legal moves, in sequence, that a string means; empty if there are none.

    Raise `MoveError` if it is ambiguous, or names cards that cannot be chosen together.
    """
    texts = printed(names, state, state.legal)
    if text.strip() in texts:
        return [state.legal[texts.index(text.strip())]]
    said = words_of(text)
    if names_no_cards(names, state, text, said):
        return [DONE] if DONE in state.legal else []
    found = meant(said, texts)
    if len(found) > 1:
        raise MoveError(f"That could be {listed([texts[index] for index in found[:SHOWN]], 'or')}.")
    if found:
        return [state.legal[found[0]]]
    if DONE in state.legal and said in (["pass"], ["done"], ["none"]):
        return [DONE]
    return SetPlan(names, state, said).codes()


def meant(said: Words, texts: Sequence[str]) -> list[int]:
    """Return the indices of the moves that match the words, by the strictest form that matches any."""
    if not said:
        return []
    split = [words_of(text) for text in texts]
    lowered = [[word.lower() for word in move] for move in split]
    lower = [word.lower() for word in said]
    readings: tuple[Callable[[Words, Words], bool], ...] = (is_whole, is_rest, is_start)
    for fits in readings:
        for spoken, moves in ((said, split), (lower, lowered)):
            found = [index for index, move in enumerate(moves) if fits(spoken, move)]
            if found:
                return found
    return []


def is_whole(said: Words, move: Words) -> bool:
    return said == move


def is_rest(said: Words, move: Words) -> bool:
    """Return whether the words are everything but the verb or the option's name."""
    return len(move) > 1 and said == move[1:]


def is_start(said: Words, move: Words) -> bool:
    """Return whether the words are the beginning of a move. The rest must be unambiguous."""
    return said == move[: len(said)]


def names_no_cards(names: Names, state: State, text: str, said: Words) -> bool:
    """Return whether a string is `[]`, or the verb and `[]`."""
    verb = getattr(names.program.site(state).statement, "verb", None)
    return said in ([], [verb]) and NO_CARDS.fullmatch(text) is not None


class SetPlan:
    """Sequence of single picks for several named cards or values, in the order of the decisions, then `done`."""

    def __init__(self, names: Names, state: State, said: Words) -> None:
        self.names = names
        self.program = names.program
        self.site = self.program.site(state)
        self.before = state
        verb = getattr(self.site.statement, "verb", None)
        self.rest = said[1:] if said and said[0] == verb else said[:]
        self.picked = len(state.picks)

    def codes(self, least: int = 2) -> list[int]:
        """Return the codes of the picks.

        Return none if fewer than `least` are named, or if the decision is not a choice of several.
        """
        if self.site.kind not in ("pick", "several") or len(self.rest) < least:
            return []
        state = self.program.clone(self.before)
        codes: list[int] = []
        while self.rest:
            code = self.next_pick(state)
            if code is None:
                return self.fails(len(codes), self.goes_on(state))
            codes.append(code)
            self.program.apply(state, code)
            self.picked += 1
        if self.goes_on(state):
            if DONE not in state.legal:
                raise MoveError("You must choose more together with these.")
            codes.append(DONE)
        return codes

    def next_pick(self, state: State) -> int | None:
        """Return the first legal pick among the named cards, and remove it from the list."""
        if not self.goes_on(state):
            return None
        printer = Printer(self.names, state, self.site)
        for code in state.legal:
            word = words_of(printer.text(code))[-1:]
            if code != DONE and word and word[0] in self.rest:
                self.rest.remove(word[0])
                return code
        return None

    def goes_on(self, state: State) -> bool:
        """Return whether the same choice is still in progress."""
        return (
            state.who == self.before.who
            and self.program.site(state).number == self.site.number
            and len(state.picks) == self.picked
        )

    def fails(self, taken: int, goes_on: bool) -> list[int]:
        if not taken:
            return []
        if not goes_on:
            raise MoveError(f"You can choose only {self.picked}.")
        raise MoveError(f"You cannot choose [{' '.join(self.rest)}] together with the others.")
