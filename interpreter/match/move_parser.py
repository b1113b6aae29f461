"""Parser of typed moves.

The printed form always works. Other accepted forms:
- without brackets around cards, without the `#` of a place, in any case,
- without the verb or the option's name,
- without the bound values, if only one move is possible,
- several cards together (`discard [9G 7A]`), or none (`[]`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from cardlang.english.control_characters import normalize_user_input
from interpreter.narration.decision_text import MovePrinter, format_moves
from interpreter.narration.display_names import MatchNames
from interpreter.runtime.errors import MoveError
from interpreter.runtime.state import DONE, State
from interpreter.runtime.value_formatting import join_items

MAX_LISTED_MOVES = 6
"""Maximum number of moves to list if the input is ambiguous."""
EMPTY_BRACKETS = re.compile(r"[^\[\],#]*\[\s*\]\s*")
"""Empty brackets, optionally after a verb."""
MoveWords = list[str]
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,19}")


def split_move_words(text: str) -> MoveWords:
    """Return the words of a move, without brackets around cards and the sign before a place."""
    return re.findall(r"[^\s\[\],#]+", normalize_user_input(text))


def parse_whole_number(word: str) -> int | None:
    """Parse a whole number of plain digits, at most 19; None for anything else."""
    return int(word) if WHOLE_NUMBER.fullmatch(word) else None


def find_move_codes(names: MatchNames, state: State, text: str) -> list[int]:
    """Return the codes of the legal moves, in sequence, that a string means; empty if there are none.

    Raise `MoveError` if it is ambiguous, or names cards that cannot be chosen together.
    """
    texts = format_moves(names, state, state.legal)
    if text.strip() in texts:
        return [state.legal[texts.index(text.strip())]]
    words = split_move_words(text)
    if is_empty_selection(names, state, text, words):
        return [DONE] if DONE in state.legal else []
    matches = match_moves(words, texts)
    if len(matches) > 1:
        raise MoveError(f"That could be {join_items([texts[index] for index in matches[:MAX_LISTED_MOVES]], 'or')}.")
    if matches:
        return [state.legal[matches[0]]]
    if DONE in state.legal and words in (["pass"], ["done"], ["none"]):
        return [DONE]
    return PickSequence(names, state, words).build_pick_codes()


def match_moves(words: MoveWords, texts: Sequence[str]) -> list[int]:
    """Return the indices of the moves that match the words, by the strictest form that matches any."""
    if not words:
        return []
    split = [split_move_words(text) for text in texts]
    lowered = [[word.lower() for word in move] for move in split]
    lower = [word.lower() for word in words]
    for named in (slice(None), slice(1, None), slice(len(words))):  # whole move, without its verb, only its beginning
        for spoken, moves in ((words, split), (lower, lowered)):
            matches = [index for index, move in enumerate(moves) if spoken == move[named]]
            if matches:
                return matches
    return []


def is_empty_selection(names: MatchNames, state: State, text: str, words: MoveWords) -> bool:
    """Return whether a string is `[]`, or the verb and `[]`. `words`: the words of `text`."""
    verb = getattr(names.program.get_site(state).statement, "verb", None)
    return words in ([], [verb]) and EMPTY_BRACKETS.fullmatch(text) is not None


class PickSequence:
    """Sequence of single picks for several named cards or values, in the order of the decisions, then `done`."""

    def __init__(self, names: MatchNames, before: State, words: MoveWords) -> None:
        self.names = names
        self.program = names.program
        self.site = self.program.get_site(before)
        self.before = before
        verb = getattr(self.site.statement, "verb", None)
        self.remaining_words = words[1:] if words and words[0] == verb else words[:]
        self.picked = len(before.picks)

    def build_pick_codes(self, least: int = 2) -> list[int]:
        """Return the codes of the picks.

        Return none if fewer than `least` are named, or if the decision is not a choice of several.
        """
        if self.site.kind not in ("pick", "several") or len(self.remaining_words) < least:
            return []
        state = self.program.clone(self.before)
        codes: list[int] = []
        while self.remaining_words:
            code = self.take_next_pick(state)
            if code is None:
                return self.fail_incomplete(len(codes), self.is_same_choice(state))
            codes.append(code)
            self.program.apply(state, code)
            self.picked += 1
        if self.is_same_choice(state):
            if DONE not in state.legal:
                raise MoveError("You must choose more together with these.")
            codes.append(DONE)
        return codes

    def take_next_pick(self, state: State) -> int | None:
        """Return the first legal pick among the named cards, and remove it from the list."""
        if not self.is_same_choice(state):
            return None
        printer = MovePrinter(self.names, state, self.site)
        for code in state.legal:
            word = split_move_words(printer.format_move(code))[-1:]
            if code != DONE and word and word[0] in self.remaining_words:
                self.remaining_words.remove(word[0])
                return code
        return None

    def is_same_choice(self, state: State) -> bool:
        """Return whether the same choice is still in progress."""
        return (
            state.who == self.before.who
            and self.program.get_site(state).number == self.site.number
            and len(state.picks) == self.picked
        )

    def fail_incomplete(self, taken: int, goes_on: bool) -> list[int]:
        """Return no codes if nothing was taken; else raise `MoveError`. `goes_on`: the choice is not finished."""
        if not taken:
            return []
        if not goes_on:
            raise MoveError(f"You can choose only {self.picked}.")
        raise MoveError(f"You cannot choose [{' '.join(self.remaining_words)}] together with the others.")
