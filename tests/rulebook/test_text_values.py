"""Values in texts, worded like the rulebook."""

from __future__ import annotations

import cardlang

GAME = r"""
game "Orchard" for 2 to 4 players "Whoever has {goal} wins. {goal} is \{much\}."
ordered kind Value: 1 to 8 "Up to {highest of deck's value}."
cards Pack in deck
  1 of each Value
zone deck seen by nobody
zone your hand seen by owner "Up to {limit}."
number your score
define limit as 3
define goal as limit
note-free-name
variant "Long" "Play to {goal}."
  define limit as 12
ruling "May I hold {limit + 1}?"
  "No: you have {count of deck}."
step play
  shuffle deck "{count of deck}."
  each player
    you may choose one
      option show with card from your hand when card's value > 2 "Only {card}, above {limit}."
        put card to deck
""".replace("note-free-name\n", "")


def game(variant: str | None = None) -> cardlang.Game:
    return cardlang.loads(GAME, variant=variant)


def test_constant_is_filled_into_texts() -> None:
    assert game().doc == "Whoever has three wins. Three is {much}."
    assert game().zones["hand"].doc == "Up to three."


def test_variable_value_is_worded_in_texts() -> None:
    assert game().kinds["Value"].doc == "Up to the highest value of the cards in the deck."
    assert game().rulings[0].answer == ("No: you have the number of cards in the deck.",)
    assert game().rulings[0].question == "May I hold one more than the limit?"


def test_rule_variables_are_known_in_texts() -> None:
    play = game().steps["play"].body
    assert play[0].doc == "The number of cards in the deck."
    menu = play[1].body[0]  # type: ignore[union-attr]
    assert menu.options[0].doc == "Only the card, above three."  # type: ignore[union-attr]


def test_variant_texts_use_variant_values() -> None:
    assert game().variants[0].doc == "Play to twelve."
    assert game("Long").doc == "Whoever has twelve wins. Twelve is {much}."
    assert game().variants[0].game.doc == game("Long").doc


def test_json_contains_filled_texts() -> None:
    assert cardlang.from_json(game().json()) == game()
    assert b"Whoever has three wins" in game().json()
