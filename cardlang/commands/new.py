"""`cardlang new`: a small complete game to begin with."""

from __future__ import annotations

from pathlib import Path

import click

from cardlang.commands.files import SUFFIX, write_text
from cardlang.terminal.telling import tell


@click.command()
@click.argument("name")
def command(name: str) -> None:
    """Write NAME.cardgame, a small complete game with an example, to begin with."""
    path = Path(name if name.endswith(SUFFIX) else name + SUFFIX)
    title = path.stem.replace("_", " ").replace("-", " ").strip().title().replace('"', "")
    if not any(character.isalnum() for character in title) or not title.isprintable():
        raise click.UsageError("A game needs a name: cardlang new my_game")
    if path.exists():
        raise click.UsageError(f"{path} exists already; nothing was written.")
    write_text(path, TEMPLATE.replace("TITLE", title))
    tell(f"{path} is written. Try:", err=True)
    for words in ("check", "test", "play"):
        tell(f"  cardlang {words} {quoted(path)}", err=True)


def quoted(path: Path) -> str:
    """A path as it is typed in a shell."""
    return f'"{path}"' if " " in str(path) else str(path)


TEMPLATE = """game "TITLE" for 2 to 4 players
"Everyone plays a card, the highest takes the trick. Most tricks win."

# What is on the cards. Codes in brackets are what players type: 7S is the 7 of Suns.
kind Suit: Sun (S), Moon (M)
ordered kind Value: 1 to 9

cards Pack in deck
  1 of each Value, Suit

# Where cards lie, and who sees them. Without "seen by" everybody does.
zone deck seen by nobody
zone table
zone your hand seen by owner

number your score called "trick" plural "tricks"
player leader starts at random of players

define lead-suit as first of table's suit
define your playable called "playable cards" as first possible of
  hand where suit = lead-suit "Follow suit if you can."
  hand "Otherwise play any card."

order strength of card
  those where suit = lead-suit
  higher value

step setup
  shuffle deck
  each player
    deal top 4 of deck to your hand

step play
  repeat until leader's hand is empty
    do trick

step trick
  each player from leader
    you play 1 from your playable to table
  set leader to (highest of table by strength)'s owner
  add 1 to leader's score
  remove table to deck

# An example is a test: `cardlang test` plays it, and the rule sheet prints it.
example "The highest card of the suit led takes the trick" with Ann, Bob
  given
    leader Ann
    Ann: hand [5S]
    Bob: hand [8S 9M]
  do trick
  expect Bob may play [8S]
  expect Bob may not play [9M] because "Follow suit if you can."
  Bob: play [8S]
  expect leader = Bob and Bob's score = 1
"""
