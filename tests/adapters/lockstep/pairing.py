"""Base class of all pairings, and the loop that plays both sides in lockstep."""

import re
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import cardlang
from cardlang.adapters.game_encoding import table
from cardlang.model import Game
from interpreter.gametree.tree_node import TreeContext, TreeNode
from interpreter.runtime.value_formatting import get_default_names

Moves = tuple[dict[str, tuple[str, ...]], dict[str, tuple[int, ...]]]
"""The moves of both sides by a common name, each with the moves here, as they are printed, and the actions there that
make it: what is one choice for one side can be several for the other."""


VARIANT = "As in the other library"
DEAL = """\
    move Pack to deck
    shuffle deck
    do round
"""
"""What the library `match` does for a deal."""
ONE_DEAL = "\n  step play\n" + DEAL


def adapt(name: str, changes: str, without: str = "") -> Game:
    """Load a bundled game with `changes` on top, the body of a variant; items that begin with `without` are left out.

    A variant replaces declarations by their names, so the wording of the bundled file may change. Examples and the
    game's own variants are left out too: they would be checked again at each loading.
    """
    text = cardlang.shipped()[name].read_text(encoding="utf-8")
    items = re.split(r"\n(?=\S)", text)
    left_out = ("example ", "variant ", *filter(None, [without]))
    kept = [item for item in items if not item.startswith(left_out)]
    return cardlang.loads("\n".join([*kept, f'variant "{VARIANT}"{changes}']), name, VARIANT)


@cache
def load_changed_tree(
    name: str, players: int, changes: str, *, without: str = "", largest_number: int = 13
) -> TreeContext:
    return table(adapt(name, changes, without), players, results="score", largest_number=largest_number)


class Pairing:
    """A game here and there. `parted` counts the games compared only until the rules go apart, `left_out` the decisions
    at which a move that is open on one side only is not made, by the reason. `open` gives each side's moves by a common
    name; `outcome` what chance does here, given what it was told there (`dealt`)."""

    name: str
    settings = ""
    players: int
    changes = ONE_DEAL
    left_out_rule = ""
    """Start of the rule of the bundled game to leave out."""
    first_seat = 0
    """Seat that chance chooses here."""

    def __init__(self, pyspiel: Any) -> None:
        self.pyspiel = pyspiel
        self.dealt: list[str] = []
        self.parted = 0
        self.left_out: Counter[str] = Counter()

    def begin(self, random: Random) -> tuple[TreeNode, Any]:
        self.dealt = []
        there = self.pyspiel.load_game(self.name + self.settings).new_initial_state()
        self.deal(there, random)
        return self.table().build_root(), there

    def table(self) -> TreeContext:
        return load_changed_tree(self.name, self.players, self.changes, without=self.left_out_rule)

    def deal(self, there: Any, random: Random) -> None:
        """Resolve chance in OpenSpiel until a player decides."""
        while there.is_chance_node():
            outcome = random.choice([action for action, _ in there.chance_outcomes()])
            self.dealt.append(there.action_to_string(-1, outcome))
            there.apply_action(outcome)

    def outcome(self, here: TreeNode) -> int:
        """Return the first seat, or the next card as it was dealt there."""
        unknown = here.chance_event.lazy_card
        if unknown is None:
            return self.first_seat
        return find_card(here, self.dealt[self.find_deal_number(unknown.place, unknown.shuffle)])

    def find_deal_number(self, place: int, shuffle: int) -> int:
        """Return the number in `dealt` of the card at a place in the deck here, after a shuffle."""
        raise NotImplementedError

    def move_here(self, text: str) -> str:
        return convert_card_title(text) if "[" in text else text

    def move_there(self, text: str) -> str:
        return convert_card_code(text) if len(text) == 2 else text

    def open(self, here: TreeNode, there: Any) -> Moves:
        player = there.current_player()
        mine = {self.move_here(text): (text,) for text in here.texts_by_action.values()}
        theirs = {self.move_there(there.action_to_string(player, each)): (each,) for each in there.legal_actions()}
        return mine, theirs

    def choose(self, there: Any, moves: list[str], random: Random) -> str:
        return random.choice(moves)

    def follow(self, here: TreeNode, there: Any) -> None:
        """Make the moves in OpenSpiel that no player decides in cardlang."""

    def parts(self, here: TreeNode, move: str) -> bool:
        """Return whether the rules of both sides differ after this move."""
        return False

    def compute_gains(self, here: TreeNode) -> list[float]:
        return here.gains

    def results(self, returns: list[float]) -> list[float]:
        return returns

    # ------------------------------------------------------------ playing
    def play(self, seed: int) -> int:
        """Play one game and return the number of compared decisions. Raise AssertionError if the sides differ."""
        random = Random(seed)
        here, there = self.begin(random)
        here = self.settle_chance(here)
        self.follow(here, there)
        compared = 0
        while not there.is_terminal():
            assert not here.over, f"{self.name} {seed}: over here only\n{there}"
            assert here.seat == there.current_player(), (
                f"{self.name} {seed}: another player\n{here.past_moves}\n{there}"
            )
            mine, theirs = self.open(here, there)
            assert mine.keys() == theirs.keys(), (
                f"{self.name} {seed}: {set(mine) ^ set(theirs)}\n{here.past_moves}\n{there}"
            )
            move = self.choose(there, sorted(mine), random)
            if self.parts(here, move):
                self.parted += 1
                return compared
            for action in theirs[move]:
                there.apply_action(action)
            self.deal(there, random)
            for text in mine[move]:
                here = self.settle_chance(here.play_action(find_action(here, text)))
            self.follow(here, there)
            compared += 1
        here = self.finish_match(here)
        assert here.over, f"{self.name} {seed}: over there only\n{here.past_moves}\n{there}"
        expected = self.results(there.returns())
        gained = self.compute_gains(here)
        assert gained == expected, f"{self.name} {seed}: {gained}, there {expected}\n{here.past_moves}\n{there}"
        return compared

    def settle_chance(self, here: TreeNode) -> TreeNode:
        while here.chance_event is not None:
            here = here.draw_outcome(self.outcome(here))
        return here

    def finish_match(self, here: TreeNode) -> TreeNode:
        """Make the forced moves that OpenSpiel doesn't ask for."""
        while not here.over and len(here.codes_by_action) == 1:
            here = self.settle_chance(here.play_action(*here.codes_by_action))
        return here


def find_action(here: TreeNode, text: str) -> int:
    """Return the move with this text."""
    return next(action for action, each in here.texts_by_action.items() if each == text)


def find_cards(here: TreeNode) -> dict[str, int]:
    """Return the cards by their codes."""
    names = here.context.names
    return {names.get_card_code(card): card for card in range(len(names.program.face))}


def find_card(here: TreeNode, text: str) -> int:
    """Return the card that OpenSpiel names at the end of a text."""
    return find_cards(here)[convert_card_code(text[-2:])]


def convert_card_code(card: str) -> str:
    """Return the code of a card, `[10d]`, that OpenSpiel calls TD, DT or Td."""
    suit, rank = card if card[0] in "CDHS" else reversed(card)
    return ("10" if rank == "T" else rank) + suit.lower()


def convert_card_title(text: str) -> str:
    found = re.search(r"\[(\w+)\]", text)
    assert found is not None, text
    return found[1]


def find_seat(player: str) -> int:
    """Return the seat of a player with a default name."""
    return get_default_names(5).index(player)
