"""The first stage of a sheet: what it says. It is a game again, without what nobody needs at the table: what its
libraries leave open, checks of the rules themselves, sets without cards."""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import evolve

from cardlang import game as g
from cardlang.rulesheet.in_place import in_place
from cardlang.rulesheet.rewriting import INNER, inside
from cardlang.rulesheet.settled import settled


def content(game: g.Game, below: g.Game | None = None) -> g.Game:
    """What the sheet of a game tells. `below`: the game whose variant it is, if what differs from that is told."""
    told = in_place(settled(game, below))
    present = {face.set for face in game.faces if face.copies}
    return evolve(
        told,
        sets={name: cards for name, cards in told.sets.items() if name in present},
        steps={name: unchecked(step) for name, step in told.steps.items()},
    )


T = TypeVar("T")


def unchecked(part: T) -> T:
    """A part without the checks of what must be so anyway."""
    done: T = without_checks(part)
    return done


def without_checks(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(without_checks(each) for each in part if not isinstance(each, g.Property))
    if not isinstance(part, INNER) or isinstance(part, g.Expr):
        return part
    return inside(part, without_checks)


# ---------------------------------------------------------------- what is kept
def kept(told: g.Game, game: g.Game) -> list[g.Track]:
    """What players keep track of: what the game says that they want to see; else all that it keeps. What is always
    so when a part of the game begins, and only serves its rules, is left out."""
    shown = {show.track: show.doc for show in game.shows if show.zone is None}
    tracks = [track for track in told.tracks.values() if not shown or track.name in shown]
    marked = [track for track in tracks if track.type.tag != "flag" or not is_passing(track)]
    return [track for track in marked if track.doc or shown.get(track.name) or not is_passing(track)]


def is_passing(track: g.Track) -> bool:
    """Whether a value begins anew with nothing again and again."""
    return bool(track.restarts) and is_nothing(track)


def is_nothing(track: g.Track) -> bool:
    """Whether a value is zero, no or nobody to begin with. The first member of a kind is something."""
    if not track.starts or not isinstance(track.start, g.Const):
        return not track.starts
    return track.start.value is None if track.type.tag in ("member", "player") else not track.start.value


def given(told: g.Game, game: g.Game) -> list[g.Track]:
    """What is set before the game begins, once: the values that players keep and that are not nothing then. Who or what
    a rule names to begin with is told even if it is not among what players want to see."""
    own = {track.name for track in kept(told, game)}
    tracks = [t for t in told.tracks.values() if t.name in own or t.type.tag in ("player", "member")]
    return [track for track in tracks if not track.restarts and not is_nothing(track) and not track.secret]
