"""Names of types in messages."""

import pytest

from cardlang.model import CARD, FLAG, NUMBER, PLAYER, Type, build_list_type, build_member_type
from cardlang.semantics.expression_resolver import describe_type


@pytest.mark.parametrize(
    ("type_", "words"),
    [
        (CARD, "a card"),
        (build_member_type("Suit"), "a Suit"),
        (build_member_type("Ace"), "an Ace"),
        (FLAG, "yes or no"),
        (Type("reading", of="Hand"), "a result of Hand"),
        (build_list_type(PLAYER), "a list of players"),
        (build_list_type(NUMBER), "a list of numbers"),
        (build_list_type(build_member_type("Suit")), "a list of Suits"),
        (build_list_type(build_member_type("Box")), "a list of Boxes"),
        (build_list_type(FLAG), "a list of yes or no"),
        (build_list_type(Type("reading", of="Hand")), "a list of results of Hand"),
        (build_list_type(build_list_type(CARD)), "a list of lists of cards"),
        (build_list_type(build_list_type(build_list_type(PLAYER))), "a list of lists of lists of players"),
    ],
)
def test_type_descriptions(type_: Type, words: str) -> None:
    assert describe_type(type_) == words
