"""Cribbage beside OpenSpiel's."""

from __future__ import annotations

from random import Random
from typing import Any

from interpreter.trees.point import Point, Table
from tests.adapters.lockstep.pairing import Moves, Pairing, cards_of, code, named_card, ours


class Cribbage(Pairing):
    """Whole games, to 121. There both cards for the crib are one move, and who cannot play passes. There what a move
    scores is counted in full even if somebody has 121, and so are all hands and the crib if the move ends the play of a
    deal: here, too, the game then ends only after that. There four cards of a suit count in the crib as in a hand:
    here, too."""

    name = "cribbage"
    settings = "(winner_bonus_reward=0.0)"

    def table(self) -> Table:
        return ours(
            "cribbage", 2,
            ("move Pack to deck", "move (players' hand, crib, starter) to deck"),  # what lies there is not told
            (f"whenever any player has score >= 121\n{TOLD}  finish game", "step ending\n" + ENDING),
            ("    do round\n", "    do round\n    do ending\n"),
            ('"His heels."', '"His heels."\n    do ending'),
            ("  if players' playable is empty\n", "  if tally != 31\n    do ending\n  if players' playable is empty\n"),
            ("table to played\n", "table to played\n  if players' hand is not empty\n    do ending\n"),
            ("    add 5 to dealer's score\n", "    add 5 to dealer's score\n" + FOUR_IN_THE_CRIB),
        )  # fmt: skip

    def outcome(self, here: Point) -> int:
        """Player 0 deals first there."""
        unknown = here.untold.unknown
        if unknown is None:
            return 0
        return cards_of(here)[code(self.dealt[13 * unknown.shuffle + 51 - unknown.place][-2:])]

    def deal(self, there: Any, random: Random) -> None:
        super().deal(there, random)
        while [there.action_to_string(each) for each in there.legal_actions()] == ["Pass"]:
            there.apply_action(*there.legal_actions())
            super().deal(there, random)

    def open(self, here: Point, there: Any) -> Moves:
        mine, theirs = super().open(here, there)
        if any(" " in move for move in theirs):
            mine = {move: texts for first in here.texts.values() for move, texts in pairs(here, first)}
        return mine, theirs

    def move_here(self, text: str) -> str:
        return named_card(text)

    def move_there(self, text: str) -> str:
        return " ".join(sorted(code(card) for card in text.split()[1:]))


def pairs(here: Point, first: str) -> list[tuple[str, tuple[str, str]]]:
    """The choices of two cards that begin with this one."""
    match = here.match.clone()
    match.choose(first)
    assert match.decision is not None
    seconds = match.decision.moves.texts
    return [(" ".join(sorted((named_card(first), named_card(each)))), (first, each)) for each in seconds]


TOLD = """  tell "{highest of players by score} has {highest of players' score} points, and 121 win."
"""
ENDING = """  if any player has score >= 121
    finish game
"""
FOUR_IN_THE_CRIB = """  otherwise if crib is Flush
    add 4 to dealer's score
"""
