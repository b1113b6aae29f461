"""Small games that show cards and then move them, one for each way to name the moved card."""

from __future__ import annotations

from functools import cache

import cardlang
from cardlang.model import Game

START = """\
game "Shown" for 2 to 3 players
{pack}zone deck seen by nobody
zone box seen by nobody
zone table
zone your hand seen by owner
zone your rack seen by nobody
number your score
number your plan seen by owner
player me
"""
PLAY = """\
step play
  shuffle deck
  set me to first of players
  do me's act
step your wait
  you choose one
    option go
      add 1 to your score
"""
BURY = """\
step your bury with card gone
  put gone under deck
"""
MIX = """\
step mixing
  shuffle deck
"""
MUDDLE = """\
step your muddle
  you put 1 from top 2 of deck to box
"""
PACK = """\
ordered kind Value: 1 to {cards}
cards Pack in deck
  1 of each Value
"""
BEARING = """\
cards Pack in deck
  1 of "Rat"
    step effect
      put that card under deck
  1 of "Owl"
    step effect
      put that card to box
  1 of "Fox"
    step effect
      add 1 to your score
  1 of "Elk"
"""
CASES = {
    # ------------------------------------------------------------ a reaction moves the target of an announcement
    "announced, of what all see": """
  turn top 2 of deck to table
  you choose kept from table
  announce claim on kept
    add 1 to your score
reaction snatch
  to claim
  put target under deck
  cancel
""",
    "announced, two of what all see": """
  turn top 3 of deck to table
  you choose 2 kept from table
  announce claim on kept
    add 1 to your score
reaction snatch
  to claim
  put target under deck
  cancel
""",
    "announced with a name": """
  turn top 2 of deck to table
  you choose kept from table
  announce claim with kept
    add 1 to your score
reaction snatch
  to claim
  put kept under deck
  cancel
""",
    "announced, of what the actor saw": """
  reveal top 2 of deck to you
  you choose kept from top 2 of deck
  announce claim on kept
    add 1 to your score
reaction snatch
  to claim
  put target under deck
  cancel
""",
    "announced after a shuffle": """
  turn top 2 of deck to table
  you choose kept from table
  move table to deck
  shuffle deck
  announce claim on kept
    add 1 to your score
reaction snatch
  to claim
  put target under deck
  cancel
""",
    # ------------------------------------------------------------ a player chooses
    "chosen": """
  reveal top 2 of deck to you
  you choose buried from top 2 of deck
    put buried under deck
""",
    "chosen, and moved later": """
  reveal top 2 of deck to you
  you choose buried from top 2 of deck
  add 1 to your score
  put buried under deck
  do your left's wait
""",
    "two chosen of three": """
  reveal top 3 of deck to you
  you choose 2 buried from top 3 of deck
    put buried under deck
""",
    "picked": """
  reveal top 2 of deck to you
  you put 1 from top 2 of deck to box
""",
    "picked without looking": """
  deal top 2 of deck to your hand
  reveal your hand to your left
  your left takes 1 from your hand to your left's rack
""",
    "chosen of what all see": """
  turn top 2 of deck to table
  you choose kept from table
    take kept to your hand
  do your left's wait
  you put 1 from your hand to box
""",
    "chosen twice": """
  reveal top 2 of deck to you
  you choose buried from top 2 of deck
    put buried under deck
  reveal top 2 of deck to your left
  your left chooses hidden from top 2 of deck
    put hidden under deck
""",
    "chosen, and handed to a step": """
  reveal top 2 of deck to you
  you choose buried from top 2 of deck
    do your bury with buried
""",
    "chosen from a name": """
  remember top 2 of deck as looked
  reveal looked to you
  you choose buried from looked
    put buried under deck
  do your left's wait
""",
    "chosen by another, of what all saw": """
  reveal top 2 of deck
  you choose buried from top 2 of deck
    put buried under deck
""",
    "chosen unseen": """
  reveal top 3 of deck to your left
  you choose buried from top 2 of deck
    put buried to box
""",
    "an option with a card": """
  reveal top 2 of deck to you
  you choose one
    option bury with gone from top 2 of deck
      put gone under deck
    option stay
      add 1 to your score
""",
    "a reaction with a card": """
  deal top 2 of deck to your left's hand
  reveal your left's hand
  announce theft
    add 1 to your score
  do your left's wait
""",
    "all choose together": """
  deal top 2 of deck to players' hand
  reveal players' hand
  together each player
    you choose gone from your hand
      put gone to box
""",
    "the only card": """
  deal top of deck to your hand
  reveal your hand
  you put 1 from your hand to box
  do your left's wait
""",
    # ------------------------------------------------------------ names
    "remembered": """
  reveal top of deck
  remember top of deck as best
  put best under deck
""",
    "remembered twice": """
  reveal top 2 of deck
  remember top 2 of deck as looked
  remember first of looked as best
  put best under deck
""",
    "each card": """
  reveal top 2 of deck to you
  each card in top 2 of deck
    put that card under deck
""",
    "each card of some": """
  deal top 2 of deck to your hand
  reveal your hand
  each card in your hand where value > 2
    put that card to box
""",
    "each card of some unseen": """
  deal top 2 of deck to your hand
  reveal first 1 of your hand
  each card in your hand where value > 2
    put that card to box
""",
    "each card if": """
  deal top of deck to your hand
  reveal top of deck
  each card in top 2 of deck
    if that card's value > lowest of your hand's value
      put that card to box
""",
    "handed to a step": """
  reveal top of deck
  do your bury with top of deck
""",
    "defined": """
  reveal top of deck
  put peak under deck
""",
    "defined by what is seen": """
  reveal top 2 of deck
  put finest under deck
""",
    "defined by what one sees": """
  reveal top 2 of deck to you
  put finest under deck
""",
    "the highest of a hand": """
  deal top 2 of deck to your hand
  reveal your hand
  put highest of your hand by value to box
  do your left's wait
""",
    "the highest of a hand unseen": """
  deal top 2 of deck to your hand
  reveal first 1 of your hand
  put highest of your hand by value to box
""",
    "some of a hand": """
  deal top 3 of deck to your hand
  reveal your hand
  put your hand where value > 2 to box
""",
    "first of a sorted hand": """
  deal top 3 of deck to your hand
  reveal first 1 of your hand
  move first 1 of (your hand ranked by value) to your left's rack
""",
    "by its name": """
  reveal top of deck
  put [3] under deck
""",
    "exchanged": """
  reveal top of deck
  remember top of deck as upper
  remember bottom of deck as lower
  put upper under deck
  put lower to deck
""",
    "shown by its name": """
  deal top 3 of deck to your hand
  remember your hand where value > 2 as gift
  reveal gift
  put gift to box
""",
    "told by its name": """
  deal top 2 of deck to your hand
  reveal your hand
  you choose gone from your hand
  tell "{you} buries {gone}."
  put gone to box
""",
    # ------------------------------------------------------------ chance and the whole
    "by name after a shuffle": """
  reveal top of deck
  remember top of deck as best
  shuffle deck
  put best under deck
""",
    "a name for what nobody saw": """
  remember top of deck as best
  shuffle deck
  reveal bottom of deck
  put best to box
""",
    "a name lost in a hidden choice": """
  remember top of deck as best
  you put 1 from top 2 of deck to box
  reveal box
  reveal top of deck
  put best under deck
""",
    "a name across a step that shuffles": """
  remember top of deck as best
  do mixing
  reveal bottom of deck
  put best to box
""",
    "a name across a step that asks": """
  remember top of deck as best
  do your left's muddle
  reveal top of deck
  put best under deck
""",
    "a name across a step with names": """
  remember top of deck as best
  do your left's muddle
  do your left's muddle
  put best to table
  do your left's wait
""",
    "a name across a reaction": """
  remember top of deck as best
  announce theft
    add 1 to your score
  reveal bottom of deck
  put best to box
""",
    "a name across a trigger": """
  remember top of deck as best
  put bottom of deck to table
  reveal bottom of deck
  put best to box
""",
    "a name handed on after a shuffle": """
  remember top of deck as best
  shuffle deck
  reveal top of deck
  do your bury with best
""",
    "names in a loop that shuffles": """
  each card in top 2 of deck
    reveal bottom of deck
    put that card to box
    shuffle deck
""",
    "a name in a loop that shuffles": """
  remember top of deck as best
  repeat until count of table = 1
    if count of box = 1
      put best to table
    otherwise
      reveal bottom of deck
      put best to box
      shuffle box
""",
    "a name where only one way shuffles": """
  deal top of deck to your hand
  remember top of deck as best
  if (lowest of your hand's value) > 2
    shuffle deck
  reveal bottom of deck
  put best to box
""",
    "a name handed to a step that shuffles first": """
  reveal top of deck
  do your late-bury with top of deck
""",
    "the same card by two names": """
  remember top of deck as best
  you put 1 from top 2 of deck to box
  reveal box
  remember box as other
  move box to deck
  put best under deck
  put other under deck
""",
    "passed": """
  reveal top 2 of deck to you
  you may choose buried from top 2 of deck
  put buried under deck
  do your left's wait
""",
    "a choice among two piles": """
  deal top 2 of deck to your hand
  reveal your hand
  reveal top of deck
  you choose gone from (your hand, top of deck)
    put gone to box
""",
    "a step of a card": """
  reveal top of deck to you
  do (top of deck)'s effect
  do your left's wait
""",
    "a step of a chosen card": """
  reveal top 2 of deck to you
  you choose magic from top 2 of deck
    do magic's effect
""",
    "a card announced": """
  deal top 2 of deck to your hand
  reveal your hand
  you choose magic from your hand
  announce theft with magic
    add 1 to your score
""",
    "cards of two piles": """
  reveal top of deck
  deal top of deck to your hand
  you choose gone from your left's hand
  put (top of deck, your hand) to box
""",
    "a random one of the top": """
  reveal top 3 of deck
  put random of top 2 of deck to box
""",
    "each of some random ones": """
  reveal top 3 of deck
  each card in random 2 of top 3 of deck
    put that card to box
""",
    "a name across a step that sets off a trigger": """
  remember top of deck as best
  do your left's scoring
  reveal bottom of deck
  put best to box
""",
    "a name across a step into a zone with a trigger": """
  remember top of deck as best
  do your left's racking
  reveal bottom of deck
  put best to box
""",
    "one of two by what is known": """
  reveal top of deck
  put either-end to box
""",
    "a random one of a hand": """
  deal top 2 of deck to your hand
  reveal your hand
  your left takes 1 from random of your hand to your left's hand
""",
    "through a hidden zone": """
  deal top 2 of deck to your hand
  reveal your hand
  move your hand to box
  do your left's wait
  move box to your left's rack
""",
    "dealt from a known top": """
  reveal top 2 of deck
  deal top 2 of deck to players' hand
""",
    "drawn from a known top": """
  reveal top 2 of deck to you
  your left draws 1 to 2 from top of deck to your left's hand
""",
    "entering": """
  reveal top of deck
  put top of deck to your rack
""",
    "in a loop": """
  reveal top 2 of deck to you
  repeat until count of box = 2
    remember top of deck as best
    put best to box
""",
    "a secret number of cards": """
  reveal top of deck
  you choose plans from 1 to 2
  set your plan to plans
  remember first of (top 2 of deck where value >= your plan) as best
  put best to box
""",
}
MORE = {
    "chosen, and handed to a step": BURY,
    "handed to a step": BURY,
    "defined": "define peak as top of deck\n",
    "defined by what is seen": "define finest as highest of (top 2 of deck) by value\n",
    "defined by what one sees": "define finest as highest of (top 2 of deck) by value\n",
    "entering": "whenever card enters your rack\n  put that card under deck\n",
    "a name across a step that shuffles": MIX,
    "a name across a step that asks": MUDDLE,
    "a name across a step with names": MUDDLE,
    "a name across a reaction": """\
reaction muddle
  to theft
  when your score = 0
  add 1 to your score
  shuffle deck
""",
    "a name across a trigger": """\
whenever count of deck = 3
  shuffle deck
""",
    "a name handed on after a shuffle": BURY,
    "a name across a step that sets off a trigger": """\
step your scoring
  add 1 to your score
whenever any player has score > 0
  shuffle deck
""",
    "a name across a step into a zone with a trigger": """\
step your racking
  put bottom of deck to your rack
whenever card enters your rack
  shuffle deck
""",
    "one of two by what is known": """\
define either-end as
  top of deck when count of box = 0
  otherwise bottom of deck
""",
    "a name handed to a step that shuffles first": """\
step your late-bury with card gone
  shuffle deck
  reveal bottom of deck
  put gone to box
""",
    "a card announced": """\
reaction doom
  to theft
  when your score = 0
  add 1 to your score
  put magic to box
""",
    "a reaction with a card": """\
reaction shield
  to theft
  with answer from your hand
  put answer under deck
  cancel
""",
}
FIVE = ("two chosen of three", "chosen twice")
"""Where four cards are too few: one knows the last by the others."""
BORNE = ("a step of a card", "a step of a chosen card")
GUESSED = (
    "each card of some unseen", "each card if", "the highest of a hand unseen", "first of a sorted hand",
    "a name lost in a hidden choice", "a name across a step that asks", "a name across a reaction",
    "a secret number of cards", "announced, of what the actor saw", "announced after a shuffle",
)  # fmt: skip
"""Where it takes more than following cards to be certain: players put together what they know of some cards."""


@cache
def build_game(name: str) -> Game:
    pack = BEARING if name in BORNE else PACK.format(cards=5 if name in FIVE else 4)
    return cardlang.loads(START.format(pack=pack) + PLAY + MORE.get(name, "") + "step your act" + CASES[name])
