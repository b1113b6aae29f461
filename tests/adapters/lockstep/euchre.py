"""Euchre in lockstep with OpenSpiel."""

from tests.adapters.lockstep.pairing import ONE_DEAL, Pairing, convert_card_code, convert_card_title
from tests.game_files import read_game

NAMING = read_game("lockstep_euchre")


class Euchre(Pairing):
    """One deal. OpenSpiel's game is told that the dealer, too, may pass. Here, as there, the dealer may not discard the
    card that was turned up. There one side loses what the other wins."""

    name = "euchre"
    settings = "(stick_the_dealer=False)"
    players = 4
    changes = ONE_DEAL + NAMING

    @property
    def first_seat(self) -> int:
        return "NESW".index(self.dealt[0])

    def find_deal_number(self, place: int, shuffle: int) -> int:
        number = 23 - place
        return 1 + (number if number >= 20 else number + (number - self.first_seat) % 4 - number % 4)

    def move_here(self, text: str) -> str:
        if text == "order-up":
            return self.dealt[21][0].lower()
        return convert_card_title(text) if "[" in text else text.removeprefix("name ")[0].lower()

    def move_there(self, text: str) -> str:
        return text[0].lower() if len(text) > 2 else convert_card_code(text)

    def results(self, returns: list[float]) -> list[float]:
        return [max(each, 0.0) for each in returns]
