"""Euchre beside OpenSpiel's."""

from __future__ import annotations

from interpreter.trees.point import Point, Table
from tests.adapters.lockstep.pairing import Pairing, cards_of, code, named_card, one_deal, ours


class Euchre(Pairing):
    """One deal. OpenSpiel's game is told that the dealer, too, may pass. Here, as there, the dealer may not discard the
    card that was turned up. There one side loses what the other wins."""

    name = "euchre"
    settings = "(stick_the_dealer=False)"

    def table(self) -> Table:
        take, discard = "      take upcard to dealer's hand\n", "      dealer discards 1 from dealer's hand to deck\n"
        return ours(
            "euchre", 4,
            one_deal("any Team has points >= 10"), (take + discard, discard + take),
        )  # fmt: skip

    def outcome(self, here: Point) -> int:
        dealer = "NESW".index(self.dealt[0])
        unknown = here.untold.unknown
        if unknown is None:
            return dealer
        place = 23 - unknown.place
        if place < 20:
            place += (place - dealer) % 4 - place % 4
        return cards_of(here)[code(self.dealt[1 + place])]

    def move_here(self, text: str) -> str:
        if text == "order-up":
            return self.dealt[21][0].lower()
        return named_card(text) if "[" in text else text.removeprefix("name ")[0].lower()

    def move_there(self, text: str) -> str:
        return text[0].lower() if len(text) > 2 else code(text)

    def results(self, returns: list[float]) -> list[float]:
        return [max(each, 0.0) for each in returns]
