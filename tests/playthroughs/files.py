"""Text format of playthroughs."""

from pathlib import Path
from random import Random

from attrs import frozen

from interpreter.match.match import Match
from interpreter.runtime.value_formatting import format_number
from tests.shipped import Cast, some_move

FOLDER = Path(__file__).parent
LONGEST = 150
"""So many decisions are kept of a game that does not end soon."""


@frozen
class Playthrough:
    """What a file tells: who decided what, in order, and how the match stood after that."""

    cast: Cast
    names: tuple[str, ...]
    seed: int
    moves: tuple[tuple[str, str], ...]
    scores: str
    winners: str


def path(cast: Cast) -> Path:
    return FOLDER / f"{cast}.txt"


def record(cast: Cast, seed: int) -> Playthrough:
    """Play a random match."""
    match = cast.start(seed)
    random = Random(seed)
    moves: list[tuple[str, str]] = []
    while (decision := match.decision) is not None and len(moves) < LONGEST:
        move = decision.moves[some_move(match, random)]
        moves.append((decision.player, str(move)))
        match.choose(move)
    return Playthrough(cast, match.players, seed, tuple(moves), scores(match), winners(match))


def scores(match: Match) -> str:
    """Format scores: `Ann 37½, Bob 12`."""
    return ", ".join(f"{name} {format_number(score)}" for name, score in zip(match.players, match.scores, strict=True))


def winners(match: Match) -> str:
    return ", ".join(match.winners) if match.over else "nobody yet"


def format_playthrough(play: Playthrough) -> str:
    return "\n".join([
        f"game: {play.cast.game}",
        f"variant: {play.cast.variant or 'none'}",
        f"players: {', '.join(play.names)}",
        f"seed: {play.seed}",
        "",
        *(f"{name}: {move}" for name, move in play.moves),
        "",
        f"scores: {play.scores}",
        f"winners: {play.winners}",
        "",
    ])  # fmt: skip


def read(text: str) -> Playthrough:
    """Parse the playthrough that `written` formatted."""
    head, body, foot = ([line.split(": ", 1) for line in part.splitlines()] for part in text.split("\n\n"))
    told: dict[str, str] = {line[0]: line[1] for line in head + foot}
    names = tuple(told["players"].split(", "))
    variant = None if told["variant"] == "none" else told["variant"]
    moves = tuple((name, move) for name, move in body)
    cast = Cast(told["game"], len(names), variant)
    return Playthrough(cast, names, int(told["seed"]), moves, told["scores"], told["winners"])
