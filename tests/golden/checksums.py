"""Checksums of games, and the data they cover."""

from hashlib import sha256
from pathlib import Path
from random import Random

import cardlang
from tests.shipped import Cast, load, walk

FILE = Path(__file__).with_name("checksums.txt")
DECISIONS = 200
SEED = 20


def largest() -> list[Cast]:
    """Return each game with its largest player count."""
    return [Cast(name, max(load(name).seats)) for name in cardlang.shipped()]


def line(cast: Cast) -> str:
    """Return two checksums: of the decisions and legal moves, and of the views and logs at the end.

    A change of wording affects only the second."""
    match = cast.start(SEED)
    play, words = sha256(), sha256()
    for at in walk(match, Random(SEED), DECISIONS):
        if at.decision is not None:
            play.update(f"{at.decision.player}: {at.decision.moves.texts}\n".encode())
    play.update(f"{match.scores} {match.places} {match.winners}".encode())
    for view in [match.view(), *map(match.view, match.players)]:
        words.update(f"{view}\n{view.log}\n".encode())
    words.update(str(match.log).encode())
    return f"{cast} {play.hexdigest()} {words.hexdigest()}\n"


def checksums() -> str:
    return "".join(map(line, largest()))
