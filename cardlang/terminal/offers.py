"""Entries of the home screen: a match to resume, or a game with the options to set before it starts."""

from __future__ import annotations

from attrs import frozen


@frozen
class Offer:
    """Entry of the home screen.

    `name` identifies it for the caller; people read `title` and `detail`. A game lists its player counts (`players`)
    and the titles of its `variants`. Both are empty for a match to resume. Its rules are `old` if the game file has
    changed since."""

    name: str
    title: str
    detail: str
    players: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()
    old: bool = False


@frozen
class Choice:
    """Entry that a person chose, with its options.

    `players`: player count, 0 for a match to resume. `variant`: empty for none. `bot`: kind of the opponents."""

    offer: Offer
    players: int = 0
    variant: str = ""
    bot: str = ""
