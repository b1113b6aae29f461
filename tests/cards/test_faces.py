"""What the sides of cards show."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardlang
from cardlang.game import Game
from cardlang.printing import Back, Card, Side, printed
from cardlang.told import CODE, findings, renewed

CREATURES = """\
game "Moors" for 2 players
kind Suit: Sun (S), Moon (M)
ordered kind Value: 5 to 9
cards Pack in deck
  1 of each Value, Suit
cards Creatures in den with suit, cost, night-title "They wake at dusk."
  2 of "Owl", Sun, 3, "Grey Owl"
    step effect "Draw a card."
      you draw 1 from top of deck to your hand
  1 of "Fox", Moon, unlimited, "Night Fox" "Sly."
cards Signs in deck with omen
  1 of "Storm", "The wind turns."
    define dire as yes
    define weight as 2
zone deck seen by nobody
zone den
zone your hand seen by owner
number your score
step play
  each player
    you choose creature from den
    do creature's effect
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return cardlang.loads(CREATURES)


@pytest.fixture(scope="module")
def cards(game: Game) -> dict[str, Card]:
    return {card.front.title: card for card in printed(game)}


def test_every_copy_of_every_card(game: Game) -> None:
    assert sum(card.copies for card in printed(game)) == 14 == game.cards


def test_index_and_suit(cards: dict[str, Card]) -> None:
    five, moon = cards["5 of Sun"].front, cards["5 of Moon"].front
    assert five.index == moon.index == "5" and not five.read
    assert five.mark is not None and moon.mark is not None
    assert five.mark.path != moon.mark.path


def test_an_index_that_could_be_read_upside_down_is_underlined(cards: dict[str, Card]) -> None:
    assert [value for value in range(5, 10) if cards[f"{value} of Sun"].front.line] == [6, 9]


def test_one_back_for_each_home(cards: dict[str, Card]) -> None:
    assert cards["5 of Sun"].back == cards["Storm"].back
    assert isinstance(cards["Storm"].back, Back) and cards["Storm"].back.home == "Deck"


def test_two_faces(cards: dict[str, Card]) -> None:
    owl = cards["Owl"]
    assert isinstance(owl.back, Side) and owl.back.title == "Grey Owl" and owl.back.dark and not owl.front.dark
    assert [passage.said for passage in owl.front.passages] == ["Other side: Grey Owl."]
    assert owl.back.foot == owl.front.foot == "Creature · Sun · Cost 3"


def test_texts_that_a_card_bears(cards: dict[str, Card]) -> None:
    owl, fox = cards["Owl"].back, cards["Fox"].back
    assert isinstance(owl, Side) and isinstance(fox, Side)
    effect, doc = owl.passages
    assert (effect.title, effect.said) == ("Effect", "Draw a card.") and not effect.more
    assert doc.said == "They wake at dusk."
    assert [passage.said for passage in fox.passages] == ["Sly.", "They wake at dusk."]


WORDS = """
["cards Creatures"]
instead = ["Hide by day.", "What each does at night:", "- Owl: take a card.", "- Fox: take two."]
"""


def test_words_for_a_set_stand_for_what_its_cards_bear(tmp_path: Path) -> None:
    path, beside = tmp_path / "moors.cardgame", tmp_path / "moors.words"
    path.write_text(CREATURES, encoding="utf-8")
    beside.write_text(WORDS, encoding="utf-8")
    beside.write_text(renewed(cardlang.load(path), beside), encoding="utf-8")

    def said(title: str) -> list[str]:
        (card,) = [card for card in printed(cardlang.load(path)) if card.front.title == title]
        assert isinstance(card.back, Side)
        return [passage.said for passage in card.back.passages]

    assert said("Owl") == ["Hide by day.", "Take a card.", "They wake at dusk."]
    assert said("Fox") == ["Sly.", "Hide by day.", "Take two.", "They wake at dusk."]
    path.write_text(CREATURES.replace("draw 1 from top", "draw 2 from top"), encoding="utf-8")
    assert said("Owl") == ["Draw a card.", "They wake at dusk."]
    assert [each.code for each in findings(cardlang.load(path))] == [CODE]


def test_columns_of_text_and_definitions(cards: dict[str, Card]) -> None:
    omen, weight = cards["Storm"].front.passages
    assert (omen.title, omen.said) == ("Omen", "The wind turns.")
    assert weight.title == "Weight" and not weight.said and "two" in weight.more.lower()
    assert cards["Storm"].front.foot == "Sign"


def test_suits_differ_without_colour() -> None:
    for name in ("tall_tales", "tall_card", "tall_card_fan", "tail_story", "hearts"):
        game = cardlang.load(cardlang.shipped()[name])
        marks = {card.front.mark for card in printed(game)}
        assert len({mark.path for mark in marks if mark}) == len(marks - {None}), name
