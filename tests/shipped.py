"""Bundled games for tests: loaded once, with every player count, and random play that is equal on all platforms."""

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from attrs import frozen

import cardlang
from cardlang.model import Game
from interpreter.match.match import Match, start


@frozen
class Cast:
    """A game, or one of its variants, for a number of players."""

    game: str
    players: int
    variant: str | None = None

    def __str__(self) -> str:
        slug = "" if self.variant is None else "-" + self.variant.lower().replace(" ", "-")
        return f"{self.game}-{self.players}{slug}"

    def start(self, seed: int, checking: bool = False) -> Match:
        return start(load(self.game, self.variant), self.players, seed, checking)


def match_where(fits: Callable[[Match], bool], name: str, players: int, first: int = 0) -> Match:
    """Return the first match, by its seed from `first` on, that begins in a way that fits."""
    begun = (Cast(name, players).start(seed) for seed in range(first, first + 1000))
    return next(match for match in begun if fits(match))


def is_asked(player: str) -> Callable[[Match], bool]:
    """Return a test of a match: whether this player decides."""
    return lambda match: match.decision is not None and match.decision.player == player


@cache
def load(name: str, variant: str | None = None) -> Game:
    return cardlang.load(name, variant)


@cache
def casts() -> tuple[Cast, ...]:
    """Return every bundled game with each player count, and every variant with its smallest."""
    found = []
    for name in cardlang.shipped():
        game = load(name)
        found += [Cast(name, players) for players in game.seats]
        for variant in game.variants:
            found.append(Cast(name, min(load(name, variant.title).seats), variant.title))
    return tuple(found)


@cache
def one_cast_each() -> tuple[Cast, ...]:
    """Return every bundled game once: at a small table, the next at a large one, and so on."""
    return tuple(Cast(name, load(name).seats[-(at % 2)]) for at, name in enumerate(sorted(cardlang.shipped())))


def some_move(match: Match, random: Random) -> int:
    """Return the index of a random move: first draw a verb or option, then one of its moves, so that many bet sizes
    don't crowd out the call. `Random.random` is equal in all versions of Python."""
    assert match.decision is not None
    texts = match.decision.moves.texts
    verbs = list(dict.fromkeys(text.split()[0] for text in texts))
    verb = verbs[int(random.random() * len(verbs))]
    open_now = [index for index, text in enumerate(texts) if text.split()[0] == verb]
    return open_now[int(random.random() * len(open_now))]


def walk(match: Match, random: Random, decisions: int) -> Iterator[Match]:
    """Yield the match at each of its next decisions, and after the last one."""
    for _ in range(decisions):
        if match.decision is None:
            break
        yield match
        match.choose(some_move(match, random))
    yield match


def play_randomly(cast: Cast, seed: int, decisions: int) -> Match:
    """Return a match after a number of decisions, or at its end."""
    match = cast.start(seed)
    for _ in walk(match, Random(seed), decisions):
        pass
    return match
