"""Skat in lockstep with OpenSpiel."""

from tests.adapters.lockstep.pairing import ONE_DEAL, Pairing, convert_card_code, convert_card_title
from tests.game_files import read_game

CHANGES = read_game("lockstep_skat")
PARTS = ("0 1 2 11 12 13 14 23 24 25", "3 4 5 15 16 17 18 26 27 28", "6 7 8 19 20 21 22 29 30 31")
"""The cards that OpenSpiel deals to each player. The ninth and the tenth are the skat."""


class Skat(Pairing):
    """One deal. There the first player who wants to play alone does so, without an auction or a game by hand; a Null
    counts as 90 or 30 card points; and the results are card points. Here, then, they are, too."""

    name = "skat"
    players = 3
    changes = ONE_DEAL + CHANGES
    first_seat = 2
    """The dealer's: there, player 0 is to the dealer's left."""

    def find_deal_number(self, place: int, shuffle: int) -> int:
        part, number = PARTS[(31 - place) % 3].split(), (31 - place) // 3
        return int(part[number]) if place > 1 else 10 - place

    def move_here(self, text: str) -> str:
        return convert_card_title(text) if "[" in text else text.removeprefix("play ").lower()

    def move_there(self, text: str) -> str:
        return convert_card_code(text) if len(text) == 2 else text.removeprefix("unknown/")

    def results(self, returns: list[float]) -> list[float]:
        return [float(round(240 * each)) for each in returns]
