"""What the author's texts tell is told once: effects of cards, ends of games, counters of loops."""

import cardlang
from tests.rulebook.conftest import render_generated, without_links

GAME = """game "Ships" for 2 to 3 players
cards Ships in deck with worth
  1 of "Tug", 1
    step arrival "Play another card."
      add 1 to your plays
  1 of "Pirate", 2
    step arrival "Take 1 gold from another player."
      you choose victim from your others where gold > 0
        announce theft on victim
          do your raid
  1 of "Frigate", 3 "Discard this to keep your gold."
zone deck
zone your hand
zone your fleet
number your gold starts at 2
number your plays starts your turn at 1
flag your tired called "is tired"
define your score called "point" plural "points" as gold + total of fleet's worth
step play "Until all hands are empty. Then count your ships."
  repeat until players' hand is empty
    each player
      do your turn
step your turn
  if your tired
    set your tired to no
    finish turn
  repeat until your plays = 0 or your hand is empty
    subtract 1 from your plays
    you choose ship from your hand
      play ship to your fleet
      do ship's arrival
step your raid
  subtract 1 from your gold
  shuffle deck
  set your tired to yes
reaction repel
  to theft
  with frigate from your hand where title = "Frigate"
  when you = target
  discard frigate to deck
  cancel
example "Sum" with Ann, Bob
  given
    Ann: fleet [Tug Frigate], gold 0
  expect Ann's score = 1 + 3
"""


def test_rules_in_texts_of_authors_are_not_repeated() -> None:
    told = without_links(render_generated(cardlang.loads(GAME)))
    for sentence in (
        "The player with the most points wins. Tied players share the win.",
        "**Points:** Your gold, plus the total worth of your fleet.",
        "Ann has no gold. *Ann's fleet: Tug and Frigate.* Ann has 4 points (1 + 3).",
        "1. Give each player 2 gold.",
        "Players take turns until the game ends.",
        "1. If you are tired, skip this turn.\n"
        "2. Play one card from your hand into your fleet and do what that card says. "
        "For each extra play that you get, do this again, until your hand is empty.",
        "The game ends at the end of a round if all hands are empty. *Then count your ships.*",
    ):
        assert sentence in told, sentence
    for word in ("Raid", "Lose 1 play", "**Plays", "Until all hands", "arrival"):
        assert word not in told, word
