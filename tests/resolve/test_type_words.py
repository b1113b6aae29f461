"""How messages name the type of a value."""

import pytest

from cardlang.game import CARD, FLAG, NUMBER, PLAYER, Type, list_of, member
from cardlang.resolve.types import called


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        (CARD, "a card"),
        (member("Suit"), "a Suit"),
        (member("Ace"), "an Ace"),
        (FLAG, "yes or no"),
        (Type("reading", of="Hand"), "a result of Hand"),
        (list_of(PLAYER), "a list of players"),
        (list_of(NUMBER), "a list of numbers"),
        (list_of(member("Suit")), "a list of Suits"),
        (list_of(member("Box")), "a list of Boxes"),
        (list_of(FLAG), "a list of yes or no"),
        (list_of(Type("reading", of="Hand")), "a list of results of Hand"),
        (list_of(list_of(CARD)), "a list of lists of cards"),
        (list_of(list_of(list_of(PLAYER))), "a list of lists of lists of players"),
    ],
)
def test_the_words_for_a_type(type_: Type, words: str) -> None:
    assert called(type_) == words
