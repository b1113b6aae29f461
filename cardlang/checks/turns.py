"""Checks of turns: a round of turns within each turn, and one player who acts all game."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies, bodies_done, everything, walk
from cardlang.source import Diagnostic

ASKING = (g.Pick, g.Choose, g.Menu)


def check_rounds_of_all(game: g.Game) -> Iterator[Diagnostic]:
    """Report steps that ask all players and store the answers, but run once per player. Only the last answers count."""
    for part in everything(game):
        if not (isinstance(part, g.Each) and goes_round(part)) or part.span.source is not own_source(game):
            continue
        last = part.body[-1] if part.body else None
        if isinstance(last, g.Do) and last.of is None and not last.args and not shared(game, part):
            inner = next((each for each in game.steps[last.step].body if isinstance(each, g.Each)), None)
            if inner is not None and goes_round(inner) and notes_answers(inner):
                yield Diagnostic(
                    "W431",
                    f"`{last.step}` asks every player, but runs once for each player, so only the last answers count",
                    last.span,
                    "indent this line less, so that it runs once, or write a `step your …` without `each player`",
                    ((part.span, "for each player"), (inner.span, "and again in the step")),
                    warning=True,
                )


def goes_round(each: g.Each) -> bool:
    everybody = isinstance(each.list, g.Builtin) and each.list.name == "players"
    return everybody and each.condition is None and not each.together


def shared(game: g.Game, each: g.Each) -> bool:
    """Return whether earlier statements of a turn change a global track, so that a step may differ in each turn."""
    parts = [part for body in bodies_done(game, each.body[:-1]) for part in walk(body)]
    return any(isinstance(part, g.SetTrack) and game.tracks[part.track].subject is None for part in parts)


def notes_answers(each: g.Each) -> bool:
    """Return whether players choose in turn and their choices are stored."""
    parts = list(walk(each.body))
    asked = any(isinstance(part, g.Choose | g.Menu) for part in parts)
    moved = any(isinstance(part, g.Move | g.Pick) for part in parts)
    return asked and not moved and any(isinstance(part, g.SetTrack) and part.operator == "=" for part in parts)


def check_alone(game: g.Game) -> Iterator[Diagnostic]:
    """Report loops in which only one player acts, who never changes."""
    if max(game.seats) == 1:
        return
    changed = {part.track for part in everything(game) if isinstance(part, g.SetTrack)}
    for loop in (part for body in bodies(game) for part in walk(body)):
        if not isinstance(loop, g.Repeat) or loop.span.source is not own_source(game):
            continue
        done = [part for body in bodies_done(game, loop.body) for part in walk(body)]
        named = next((part for part in done if (name := always_asks(game, part)) and name not in changed), None)
        if isinstance(named, g.Stmt) and not any(asks_others(game, part) for part in done):
            name = always_asks(game, named)
            yield Diagnostic(
                "W433",
                f"only `{name}` acts here, and it is the same player all game",
                named.span,
                f"write `each player from {name}`, or `set {name} to {name}'s left` after the turn",
                ((loop.span, "in every round of this loop"),),
                warning=True,
            )


def always_asks(game: g.Game, part: object) -> str | None:
    """Return the player track that a statement asks, directly or through a step, or None."""
    match part:
        case g.Do(step=name, of=g.TrackValue(track=track, of=None)):
            asked = any(
                isinstance(each, ASKING) for body in bodies_done(game, game.steps[name].body) for each in walk(body)
            )
            return track if asked else None
        case g.Remember(var=g.Var(name=""), value=g.TrackValue(track=track, of=None)):
            return track
    return None


def asks_others(game: g.Game, part: object) -> bool:
    """Return whether players are asked in turn or simultaneously."""
    if isinstance(part, g.Offer):
        return True
    if not isinstance(part, g.Each):
        return False
    return any(isinstance(each, ASKING) for body in bodies_done(game, part.body) for each in walk(body))
