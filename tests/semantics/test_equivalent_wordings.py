"""Alternative wordings of the language mean the same."""

import pytest

import cardlang
from cardlang.analysis.diff import diff_games
from tests.semantics.mini import GAME

OFFER = """\
step bidding
  each player from leader where it != leader may choose one, until one does
    option lead
      set leader to you
  otherwise
    shuffle deck
"""
ASKED = "each player from leader where it != leader may choose one, until one does"


def read(text: str, old: str = "", new: str = "") -> cardlang.Game:
    return cardlang.loads(text.replace(old, new) if old else text)


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (GAME + OFFER, ASKED, "each player may choose one, until one does"),
        (GAME, "ranking Combo of 3 cards", "ranking Combo of 3 cards, best first"),
        (GAME, "ranking Combo of 3 cards", 'ranking Combo of 3 cards, best first "Two of them."'),
    ],
)
def test_alternative_wordings_are_equal(text: str, old: str, new: str) -> None:
    assert old in text
    changed = read(text, old, new)
    assert changed.steps.keys() == read(text).steps.keys()
    same = not diff_games(read(text), changed).changed_declarations
    assert same == ("from" in new or "best first" in new)  # who is asked differs where nothing says from whom on


@pytest.mark.parametrize(
    "slip", ["may choose one", "may choose one until one does", "may choose one, until one passes"]
)
def test_offer_typo_names_the_right_form(slip: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        read(GAME + OFFER, "may choose one, until one does", slip)
    assert (
        "Write an offer as `each player from PLAYER may choose one, until one does`" in caught.value.diagnostics[0].hint
    )


@pytest.mark.parametrize("slip", [" best first", ", worst first", ", best"])
def test_ranking_typo_names_the_right_form(slip: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        read(GAME, "ranking Combo of 3 cards", f"ranking Combo of 3 cards{slip}")
    assert "`ranking NAME of COUNT cards, best first`" in caught.value.diagnostics[0].hint
