"""Dou Dizhu in lockstep with OpenSpiel."""

import re
from collections import Counter
from random import Random
from typing import Any

from interpreter.gametree.tree_node import TreeNode
from tests.adapters.lockstep.pairing import Moves, Pairing
from tests.game_files import read_game

CHANGES = read_game("lockstep_dou_dizhu")
RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2", "B", "R"]
"""The ranks in the order of the faces."""
QUADS = "four of a kind with attached cards"
REPEATED = "attached cards of equal rank"
FROM_FOUR = "a sequence from a rank held four times"
ON_ROCKET = "a bomb on the rocket"


class DouDizhu(Pairing):
    """One deal, without showing the landlord's extra cards, so that equal cards are equal moves. There four of a kind
    take no other cards, attached cards may be equal, bombs beat the rocket, and no sequence starts from a rank of which
    the player has all four: these moves are left out. A combination is one move there and several picks here: all are
    compared."""

    name = "dou_dizhu"
    players = 3
    changes = "\n  step play\n    do round\n" + CHANGES

    def begin(self, random: Random) -> tuple[TreeNode, Any]:
        here, there = super().begin(random)
        self.first_bidder = there.history()[0] % 3
        dealt = [convert_ranks(text)[-1] for text in self.dealt[1:]]
        left = Counter({rank: 1 if rank in "BR" else 4 for rank in RANKS}) - Counter(dealt)
        self.deck = [*dealt, *left.elements()]
        return here, there

    def outcome(self, here: TreeNode) -> int:
        unknown = here.chance_event.lazy_card
        if unknown is None:
            return self.first_bidder
        place = 53 - unknown.place
        rank = self.deck[place]
        return here.context.program.face.index(RANKS.index(rank)) + self.deck[:place].count(rank)

    def open(self, here: TreeNode, there: Any) -> Moves:
        mine = {text: (text,) for text in here.texts_by_action.values() if "[" not in text}
        theirs = {}
        for action in there.legal_actions():
            text = there.action_to_string(there.current_player(), action)
            triplets, _, attached = text.partition("-")
            kickers = convert_ranks(attached)
            if len(kickers) * 3 == len(convert_ranks(triplets)) and len(set(kickers)) < len(kickers):
                self.left_out[REPEATED] += 1
            else:
                theirs[self.move_there(text)] = (action,)
        if [str(card) for card in here.view(here.seat).zone("table").cards] == ["[B]", "[R]"]:
            self.left_out[ON_ROCKET] += len(theirs) > 1
            theirs = {"pass": theirs["pass"]}
        if len(mine) < len(here.texts_by_action):
            mine |= self.list_combinations(here)
        for move in mine.keys() - theirs.keys():
            counts = Counter(move.split())
            if max(counts.values()) == 4 and len(counts) > 1:
                self.left_out[QUADS] += 1
                del mine[move]
            elif len(counts) > 1 and self.held[min(counts, key=RANKS.index)] == 4:
                self.left_out[FROM_FOUR] += 1
                del mine[move]
        return mine, theirs

    def list_combinations(self, here: TreeNode) -> dict[str, tuple[str, ...]]:
        """Return the legal combinations of cards, each with its picks."""
        program, state = here.context.program, here.context.program.clone(here.match.state)
        layout = program.layout
        rule = "replies" if "pass" in here.texts_by_action.values() else "leads"
        hand = state.z[layout.zone_base["hand"] + here.seat]
        self.held = Counter(RANKS[program.face[card]] for card in hand)
        legal: dict[tuple[str, ...], bool] = {}
        for choice in program.readings.find_evaluator("Combination").find_rank_sets(hand, 1, 20):
            ranks = tuple(RANKS[face] for face in sorted(program.face[card] for card in choice))
            if ranks not in legal:
                state.z[layout.zone_base["tray"]] = list(choice)
                legal[ranks] = program.evaluate_player_value(rule, state, here.seat)
        found = [ranks for ranks, fits in legal.items() if fits]
        usable = sum(self.held[rank] for rank in set().union(*found))
        return {" ".join(ranks): list_picks(ranks, len(ranks) < usable) for ranks in found}

    def move_there(self, text: str) -> str:
        if text == "Pass" or text.startswith("Bid"):
            return text.removeprefix("Bid ").lower()
        return " ".join(sorted(convert_ranks(text), key=RANKS.index))


def convert_ranks(text: str) -> list[str]:
    """Return the ranks that OpenSpiel lists: `3334(BWJ)`, `Deal HT`."""
    names = {"T": "10", "(BWJ)": "B", "(CJ)": "R"}
    return [names.get(each, each) for each in re.findall(r"\(\w+\)|[2-9TJQKA]", text.removeprefix("Deal "))]


def list_picks(ranks: tuple[str, ...], is_asked_for_more: bool) -> tuple[str, ...]:
    return (*(f"[{rank}]" for rank in ranks), *(["done"] if is_asked_for_more else []))
