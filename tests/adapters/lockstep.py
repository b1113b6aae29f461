"""Larger games played move by move beside OpenSpiel's own: the same deal, the same moves, the same results.

Each `Pairing` says how a game of ours is set up so that the rules agree, and how its cards and moves are called there.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any, ClassVar

import cardlang
from cardlang.adapters.point import Point, Table
from cardlang.adapters.setting import table


def adapted(name: str, *changes: tuple[str, str]) -> str:
    """The text of a shipped game with some passages replaced."""
    text = cardlang.shipped()[name].read_text(encoding="utf-8").split("\nexample ")[0]
    for old, new in changes:
        assert old in text, f"{name} has changed: {old!r} is gone"
        text = text.replace(old, new)
    return text


def ours(name: str, players: int, *changes: tuple[str, str]) -> Table:
    return table(cardlang.loads(adapted(name, *changes), name), players, results="score", largest_number=13)


class Pairing:
    """A game here and there. `parted` counts the games compared only until the rules go apart. `open` gives each side's
    moves by a common name; `outcome` what chance does here, given what it was told there (`dealt`)."""

    name: str
    settings = ""

    def __init__(self, pyspiel: Any) -> None:
        self.pyspiel = pyspiel
        self.dealt: list[str] = []
        self.parted = 0

    def begin(self, random: Random) -> tuple[Point, Any]:
        self.dealt = []
        there = self.pyspiel.load_game(self.name + self.settings).new_initial_state()
        self.deal(there, random)
        return self.table().first(), there

    def table(self) -> Table:
        raise NotImplementedError

    def deal(self, there: Any, random: Random) -> None:
        """Lets chance decide there until a player must."""
        while there.is_chance_node():
            outcome = random.choice([action for action, _ in there.chance_outcomes()])
            self.dealt.append(there.action_to_string(-1, outcome))
            there.apply_action(outcome)

    def outcome(self, here: Point) -> int:
        raise NotImplementedError

    def move_here(self, text: str) -> str:
        raise NotImplementedError

    def move_there(self, text: str) -> str:
        return text

    def open(self, here: Point, there: Any) -> tuple[dict[str, int], dict[str, int]]:
        """The moves of both sides."""
        player = there.current_player()
        mine = {self.move_here(text): action for action, text in here.texts.items()}
        theirs = {self.move_there(there.action_to_string(player, each)): each for each in there.legal_actions()}
        return mine, theirs

    def parts(self, here: Point, move: str) -> bool:
        """Whether the rules here and there go apart after this move."""
        return False

    def gained(self, here: Point) -> list[float]:
        return here.gained

    def results(self, returns: list[float]) -> list[float]:
        return returns

    # ------------------------------------------------------------ playing
    def play(self, seed: int) -> int:
        """One game; the number of decisions compared. Raises AssertionError where the sides differ."""
        random = Random(seed)
        here, there = self.begin(random)
        here = self.settled(here)
        compared = 0
        while not there.is_terminal():
            assert not here.over, f"{self.name} {seed}: over here only\n{there}"
            assert here.seat == there.current_player(), f"{self.name} {seed}: another player\n{here.past}\n{there}"
            mine, theirs = self.open(here, there)
            assert mine.keys() == theirs.keys(), f"{self.name} {seed}: {set(mine) ^ set(theirs)}\n{here.past}\n{there}"
            move = random.choice(sorted(mine))
            if self.parts(here, move):
                self.parted += 1
                return compared
            here = here.take(mine[move])
            there.apply_action(theirs[move])
            self.deal(there, random)
            here = self.settled(here)
            compared += 1
        here = self.finished(here)
        assert here.over, f"{self.name} {seed}: over there only\n{here.past}\n{there}"
        expected = self.results(there.returns())
        gained = self.gained(here)
        assert gained == expected, f"{self.name} {seed}: {gained}, there {expected}\n{here.past}\n{there}"
        return compared

    def settled(self, here: Point) -> Point:
        while here.untold is not None:
            here = here.draw(self.outcome(here))
        return here

    def finished(self, here: Point) -> Point:
        """Makes the moves that are not asked there because they are forced."""
        while not here.over and len(here.codes) == 1:
            here = self.settled(here.take(*here.codes))
        return here


def cards_of(here: Point) -> dict[str, int]:
    """The cards by their codes."""
    names = here.table.names
    return {names.code(card): card for card in range(len(names.program.face))}


def code(card: str) -> str:
    """`[10d]`'s code of a card called TD, T of diamonds as DT, or Td there."""
    suit, rank = card if card[0] in "CDHS" else reversed(card)
    return ("10" if rank == "T" else rank) + suit.lower()


def named_card(text: str) -> str:
    found = re.search(r"\[(\w+)\]", text)
    assert found is not None, text
    return found[1]


class Hearts(Pairing):
    """One deal, with each of the four passes. There, too, the queen of spades can be kept from breaking hearts."""

    name = "hearts"
    settings = "(qs_breaks_hearts=False)"
    passes = ("Left", "Right", "Across", "No Pass")

    def begin(self, random: Random) -> tuple[Point, Any]:
        here, there = super().begin(random)
        if self.dealt[0] == "No Pass":
            return here, there
        here = self.settled(here)
        for _ in range(4):
            assert {code(there.action_to_string(0, each)) for each in there.legal_actions()} == {
                str(card)[1:-1] for card in here.view(here.seat).zone("hand", here.table.names.players[here.seat]).cards
            }
            wanted = random.sample(there.legal_actions(), 3)
            names = {code(there.action_to_string(0, each)) for each in wanted}
            for each in wanted:
                there.apply_action(each)
            for _ in range(3):
                here = here.take(next(action for action, text in here.texts.items() if named_card(text) in names))
        return here, there

    def table(self) -> Table:
        past = self.passes.index(self.dealt[0])
        return ours(
            "hearts", 4, ("number deals", f"number deals starts at {past}"),
            ("any player has score >= 100", f"deals = {past + 1}"),
        )  # fmt: skip

    def outcome(self, here: Point) -> int:
        return cards_of(here)[code(self.dealt[1 + here.untold.unknown.place])]

    def move_here(self, text: str) -> str:
        return named_card(text)

    def move_there(self, text: str) -> str:
        return code(text)

    def results(self, returns: list[float]) -> list[float]:
        return [26 - each for each in returns]


class GoFish(Pairing):
    """Two players; there chance deals ranks. There who gives the last card away draws one and goes on, here only the
    own turn makes a player draw: the games part."""

    name = "go_fish"

    def begin(self, random: Random) -> tuple[Point, Any]:
        """A player who is dealt a book gets more cards there: then all are dealt again."""
        here, there = super().begin(random)
        return (here, there) if len(self.dealt) == 14 else self.begin(random)

    def parts(self, here: Point, move: str) -> bool:
        rival = int(move[0])
        hand = here.view(rival).zone("hand", here.table.names.players[rival])
        return all(str(card)[1:-2] == move[2:] for card in hand.cards)

    def gained(self, here: Point) -> list[float]:
        own, other = here.gained
        return [float((own > other) - (own < other)), float((other > own) - (other < own))]

    ranks: ClassVar = dict(zip("abcdefghijklm", ["A", *map(str, range(2, 11)), "J", "Q", "K"], strict=True))

    def table(self) -> Table:
        return ours("go_fish", 2)

    def outcome(self, here: Point) -> int:
        place = 51 - here.untold.unknown.place
        rank = self.ranks[self.dealt[place]]
        return next(card for card in here.outcomes if here.table.names.code(card)[:-1] == rank)

    def move_here(self, text: str) -> str:
        _, player, rank = text.split()
        return f"{here_seat(player)} {rank[0] if rank[0] in 'AJQK' else rank}"

    def move_there(self, text: str) -> str:
        return f"{text[0]} {self.ranks[text[1]]}"


def here_seat(player: str) -> int:
    return ("Ann", "Bob", "Cat", "Dan", "Eve").index(player)


class OhHell(Pairing):
    """Three players, one deal of a size that chance chooses there. Here, as there, each trick is then worth a point
    to everybody."""

    name = "oh_hell"

    @property
    def size(self) -> int:
        return int(self.dealt[0])

    def table(self) -> Table:
        deals = 11 - self.size
        return ours(
            "oh_hell", 3, ("number deals\n", f"number deals starts at {deals - 1}\n"),
            ("hand-size = most and deals > 1", f"deals = {deals}"),
            (
                "  each player where tricks = bid\n    add 10 + your bid",
                "  each player\n    add your tricks to your score\n  each player where tricks = bid\n    add 10",
            ),
        )  # fmt: skip

    def outcome(self, here: Point) -> int:
        if here.untold.unknown is None:
            return int(self.dealt[1])
        place = 51 - here.untold.unknown.place
        order = place // self.size + 3 * (place % self.size) if place < 3 * self.size else place
        if order > 3 * self.size:  # a card that stays in the deck
            return next(
                card for card in here.outcomes if card not in map(cards_of(here).get, map(code, self.dealt[2:]))
            )
        return cards_of(here)[code(self.dealt[2 + order])]

    def deal(self, there: Any, random: Random) -> None:
        while there.is_chance_node():
            outcomes = [action for action, _ in there.chance_outcomes()]
            outcome = random.choice(outcomes if self.dealt else outcomes[:10])
            self.dealt.append(there.action_to_string(-1, outcome))
            there.apply_action(outcome)

    def move_here(self, text: str) -> str:
        return named_card(text) if "[" in text else text

    def move_there(self, text: str) -> str:
        return text if text.isdigit() else code(text)


PAIRINGS: tuple[type[Pairing], ...] = (Hearts, GoFish, OhHell)
