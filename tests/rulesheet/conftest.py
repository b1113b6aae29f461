import re
from collections.abc import Callable

import pytest

import cardlang
from cardlang.game import Game
from cardlang.rulesheet import markdown

TABLE = """\
game "Sample" for 2 to 4 players "A table to hang rules on."

kind Suit: Red (r), Blue (b)
ordered kind Value: 1 to 9, King (K)
cards Pack in deck
  2 of each Value, Suit
cards Trumps in deck
  3 of "Fool" (F)

zone deck seen by nobody
zone table
zone your hand seen by owner
zone your shelf holds 1
zone your prizes called "Prize" plural "Prizes"

number your score
number your chips called "chip" plural "chips" starts at 10
number round
flag your folded called "has folded" starts each turn at no
flag frozen called "bids are closed"
player leader
Suit wanted
"""


def without_links(sheet: str) -> str:
    """Markdown with only the texts of its links."""
    return re.sub(r"\[((?:[^\]\\]|\\.)*)\]\(#[^)]*\)", r"\1", sheet)


@pytest.fixture
def sheet_of() -> Callable[[str], str]:
    """The sheet of the sample table with these declarations added, and a `play` if they have none."""

    def build(text: str) -> str:
        play = "" if "step play" in text else "\nstep play\n  each player\n    do your turn\n"
        turn = "" if "step your turn" in text else "\nstep your turn\n  add 1 to your score\n"
        return without_links(markdown(cardlang.loads(TABLE + text + play + turn)))

    return build


class Shipped(dict[str, Game]):
    """The shipped games by name, each loaded when it is first asked for."""

    def __missing__(self, name: str) -> Game:
        self[name] = cardlang.load(cardlang.shipped()[name])
        return self[name]


@pytest.fixture(scope="session")
def shipped() -> dict[str, Game]:
    return Shipped()
