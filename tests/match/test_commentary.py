"""Notes and rulings between statements: printed in the rulebook, without effect on play."""

from __future__ import annotations

import cardlang
from cardlang.rulebook.render import render_rulebook_markdown
from interpreter.program.program import compile_game
from interpreter.program.program_export import format_program_listing

GAME = """game "Words" for 2 players
kind Suit: Clubs (c), Hearts (h)
ordered kind Rank: 1 to 6
cards Pack in deck
  1 of each Rank, Suit
zone deck seen by nobody
zone table
zone your hand seen by owner
zone your bid holds 1 seen by owner
number your score
step setup
  {aside}
  shuffle deck
  each player
    {aside}
    deal top 4 of deck to your hand
    {aside}
step play
  {aside}
  repeat until no player has hand is not empty
    together each player
      {aside}
      you put 1 from your hand to your bid
    {aside}
    each player
      if your bid's rank > 3
        add 2 to your score
      otherwise
        {aside}
        add 1 to your score
      you choose one
        option drop
          {aside}
          subtract 1 from your score
        option keep
          add 2 to your score
          {aside}
    discard players' bid to table
    {aside}
whenever deck is empty
  {aside}
  move table to deck
example "A word" with Ann, Bob
  {aside}
  expect Ann's score = 0
"""


def insert_notes(aside: str) -> str:
    """Return the game with a note at every possible place, or with blank lines of the same length."""
    return GAME.replace("{aside}", aside)


def test_notes_and_rulings_do_not_change_the_program() -> None:
    """The program is the same as that of the game with comments in their places."""
    words = '"Mind this."'
    noted, bare = cardlang.loads(insert_notes(words)), cardlang.loads(insert_notes("#".ljust(len(words), ".")))
    assert render_rulebook_markdown(noted, "all").count("Mind this.") == GAME.count("{aside}")
    assert "Mind this." not in render_rulebook_markdown(bare)
    for listen in (False, True):
        programs = [compile_game(game, 2, listen) for game in (noted, bare)]
        assert format_program_listing(programs[0]) == format_program_listing(programs[1])
    assert noted.examples[0].run().passed


def test_rulings_between_statements_are_printed() -> None:
    ruling = '  ruling "Why?"\n    "So."\n'
    text = f'game "Few" for 2 players\nnumber your score\nstep play\n{ruling}  finish game\n'
    game = cardlang.loads(text)
    assert "Why? *So.*" in render_rulebook_markdown(game)
    match = game.start(seed=1)
    assert match.over
