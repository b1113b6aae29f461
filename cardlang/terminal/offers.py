"""What one can sit down to: a match that goes on, or a game, with what is to be settled before it begins."""

from __future__ import annotations

from attrs import frozen


@frozen
class Offer:
    """`name`: what is meant, for whoever offers it; `title`, `detail`: what people read. Of a game: how many can play,
    and its `variants` by their titles; of a match that goes on, neither."""

    name: str
    title: str
    detail: str
    players: tuple[int, ...] = ()
    variants: tuple[str, ...] = ()


@frozen
class Choice:
    """What a person sits down to. `players`: how many, 0 for a match that goes on; `variant`: empty for none; `bot`:
    who sits opposite."""

    offer: Offer
    players: int = 0
    variant: str = ""
    bot: str = ""
