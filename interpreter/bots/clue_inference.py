"""Clue inference for cooperative games: possible faces of unknown cards, and moves that are safe with them.

If a move marked some cards of a pile, it is replayed with cards of every face in that pile. A face is possible for a
card if the card would have received the same marks.

A move with an unidentified card is safe if it gains with every possible face, given marks and visible cards. If it
gains only with some faces, it is a gamble. Playouts avoid gambles while there are other moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from random import Random

from interpreter.bots.playout_results import CandidateStatistics, get_player_levels
from interpreter.match.determinization import find_move_cards, get_home_zone, permute_option_code, permute_state
from interpreter.match.match import Match
from interpreter.narration.display_names import MatchNames
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import State

PossibleFaces = dict[int, set[int]]
"""Possible faces by card, from the public marks; a card without an entry can have any face."""


def update_possible_faces(
    names: MatchNames, before: State, code: int, after: State, possible_faces: PossibleFaces
) -> None:
    """Update the possible faces after a move. Forget those of cards that moved."""
    for card, pile_before in enumerate(before.loc):
        if after.loc[card] != pile_before:
            possible_faces.pop(card, None)
    for pile in find_marked_piles(names.program, before, after):
        narrowed = narrow_possible_faces(names, before, code, after, pile)
        for card, faces in narrowed.items():
            possible_faces[card] = (possible_faces.get(card, faces) & faces) or faces


def find_marked_piles(program: Program, before: State, after: State) -> Iterator[int]:
    """Yield the piles, not visible to all players, in which the move changed marks."""
    for pile, cards in enumerate(before.z):
        if program.layout.marks and program.layout.sees[pile] != program.layout.everyone:
            staying = [card for card in cards if after.loc[card] == pile]
            if any(
                get_card_mark_values(program, before, card) != get_card_mark_values(program, after, card)
                for card in staying
            ):
                yield pile


def drop_uninformative_moves(match: Match, indices: list[int]) -> list[int]:
    """Return the moves that give information, in games with a shared score.

    Leave out a move that marks nothing new if its option can also mark something new.
    """
    program, now = match.program, match.state
    site = program.get_site(now)
    if not program.shared or not program.layout.marks or not site.options:
        return indices
    world = match.sample(now.who, 0).state
    options = {index: (now.legal[index] - 1) % len(site.options) if now.legal[index] else -1 for index in indices}
    marking = {index for index in indices if has_new_marks(program, world, world.legal[index])}
    with_marks = {options[index] for index in marking}
    return [index for index in indices if index in marking or options[index] not in with_marks]


def has_new_marks(program: Program, sample: State, code: int) -> bool:
    state = program.clone_silently(sample)
    with suppress(RuleError):
        program.apply(state, code)
    return any(
        get_card_mark_values(program, sample, card) != get_card_mark_values(program, state, card)
        for card in range(len(program.face))
    )


def get_card_mark_values(program: Program, state: State, card: int) -> list[int]:
    return [state.t[base + card] for base in program.layout.card_track_bases]


def narrow_possible_faces(names: MatchNames, before: State, code: int, after: State, pile: int) -> PossibleFaces:
    """Return the possible faces of the cards of a pile, given the marks of this move.

    Omit cards that no face explains.
    """
    program, hidden_cards, face = names.program, before.z[pile], names.program.face
    found: PossibleFaces = {card: set() for card in hidden_cards}
    one = list(dict(zip(reversed(face), reversed(range(len(face))), strict=True)).values())
    for first in range(0, len(one), len(hidden_cards)):
        tried = dict(zip(hidden_cards, one[first : first + len(hidden_cards)], strict=False))
        renaming = list(range(len(face)))
        for position, card in tried.items():
            other = renaming.index(card)
            renaming[position], renaming[other] = card, renaming[position]
        state = replay_with_cards(names, before, code, renaming, unmarked=hidden_cards)
        for card in hidden_cards:
            for other in tried.values():
                if has_equal_marks(program, before, after, card, state, other):
                    found[card].add(face[other])
    return {card: faces for card, faces in found.items() if faces}


def replay_with_cards(
    names: MatchNames, before: State, code: int, permutation: list[int], unmarked: list[int]
) -> State:
    """Return the state after a move with other cards in some places. Those cards had no marks before."""
    program = names.program
    state = permute_state(names, before, permutation)
    for base in program.layout.card_track_bases:
        for position in unmarked:
            state.t[base + permutation[position]] = program.template.t[base + permutation[position]]
    program.apply(state, permute_move_code(names, before, code, permutation))
    return state


def permute_move_code(names: MatchNames, state: State, code: int, permutation: list[int]) -> int:
    """Return the code of an option with its cards permuted."""
    site = names.program.get_site(state)
    return permute_option_code(site, code, permutation) if site.options else code


def has_equal_marks(program: Program, before: State, after: State, card: int, state: State, other: int) -> bool:
    """Return whether the marks of a card are equal to those of `other` in `state`."""
    first = program.template.t
    for base in program.layout.card_track_bases:
        mark = state.t[base + other]
        if after.t[base + card] != (before.t[base + card] if mark == first[base + card] else mark):
            return False
    return True


class CautiousPolicy:
    """Playout policy that avoids gambles.

    `possible_faces`: the possible faces of cards for players who cannot see them.
    """

    def __init__(self, names: MatchNames, random: Random) -> None:
        self.names, self.program, self.random = names, names.program, random
        self.possible_faces: PossibleFaces = {}
        self.gaining_options: set[tuple[int, int]] = set()
        """Options, by decision, that have been seen to gain with an unidentified card."""

    def apply_move(self, state: State, code: int) -> None:
        """Play a move and update the possible faces by its marks."""
        before = self.program.clone(state)
        self.program.apply(state, code)
        update_possible_faces(self.names, before, code, state, self.possible_faces)

    def find_sure_move(self, state: State) -> int | None:
        """Return a random move that gains with every possible face; None if there is none."""
        sure_moves = []
        for code in state.legal:
            card = self.find_unidentified_card(state, code)
            brought = [] if card is None else self.test_possible_faces(state, code, card, True)
            if any(brought):
                self.gaining_options.add(self.get_option_key(state, code))
            if brought and all(brought):
                sure_moves.append(code)
        return self.random.choice(sure_moves) if sure_moves else None

    def remove_gambles(self, state: State) -> None:
        safe = [
            code for code in state.legal
            if self.get_option_key(state, code) not in self.gaining_options
            or self.find_unidentified_card(state, code) is None
        ]  # fmt: skip
        state.legal = safe or state.legal

    def assess_move(self, state: State, move: CandidateStatistics) -> None:
        """Set whether a move is a gamble or sure to gain."""
        code = state.legal[move.index]
        card = self.find_unidentified_card(state, code)
        brought = set[bool]() if card is None else set(self.test_possible_faces(state, code, card, False))
        move.is_gamble, move.is_sure = len(brought) > 1, brought == {True}

    def get_option_key(self, state: State, code: int) -> tuple[int, int]:
        site = self.program.get_site(state)
        return site.number, (code - 1) % len(site.options) if site.options and code else -1

    def find_unidentified_card(self, state: State, code: int) -> int | None:
        """Return the card in a move that its player cannot identify; None if there is no such card, or several."""
        cards = [card for card in find_move_cards(self.program, state, code) if not self.is_identified(state, card)]
        return cards[0] if len(cards) == 1 else None

    def is_identified(self, state: State, card: int) -> bool:
        return self.program.is_visible(state, card, state.who)

    def test_possible_faces(self, state: State, code: int, card: int, sure: bool) -> list[bool]:
        """Return for the possible faces of a card whether the move gains.

        Stop early: with `sure` at the first failure, else at the first failure after a gain.
        """
        face, done, gains = self.program.face, set[int](), list[bool]()
        for other in (card, *range(len(face))):
            if (
                face[other] in done
                or self.is_identified(state, other)
                or get_home_zone(self.names, other) != get_home_zone(self.names, card)
            ):
                continue
            if face[other] not in self.possible_faces.get(card, {face[other]}):
                continue
            done.add(face[other])
            gains.append(self.has_gain_with_face(state, code, card, other))
            if not gains[-1] and (sure or any(gains)):
                break
        return gains

    def has_gain_with_face(self, state: State, code: int, card: int, other: int) -> bool:
        """Return whether a move increases the players' level if `card` were `other`."""
        program, who = self.program, state.who
        renaming = list(range(len(program.face)))
        renaming[card], renaming[other] = other, card
        tried = permute_state(self.names, state, renaming)
        try:
            before = get_player_levels(program, tried)[who]
            program.apply(tried, permute_move_code(self.names, state, code, renaming))
            return get_player_levels(program, tried)[who] > before
        except RuleError:
            return False
