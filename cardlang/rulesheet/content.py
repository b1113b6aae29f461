"""Select the content of a rule sheet, the first stage.

The result is a game without the parts that readers don't need: switches of libraries, checks of the rules, and sets
without cards.
"""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import evolve

from cardlang import game as g
from cardlang.rulesheet.in_place import in_place
from cardlang.rulesheet.rewriting import INNER, inside
from cardlang.rulesheet.settled import settled


def content(game: g.Game, below: g.Game | None = None) -> g.Game:
    """Return the content of a game's rule sheet. `below`: the base game, for the sheet of a variant's differences."""
    told = in_place(settled(game, below))
    present = {face.set for face in game.faces if face.copies}
    return evolve(
        told,
        sets={name: cards for name, cards in told.sets.items() if name in present},
        steps={name: unchecked(step) for name, step in told.steps.items()},
    )


T = TypeVar("T")


def unchecked(part: T) -> T:
    """Remove properties, which only check the rules, from a part."""
    done: T = without_checks(part)
    return done


def without_checks(part: Any) -> Any:
    if isinstance(part, tuple):
        return tuple(without_checks(each) for each in part if not isinstance(each, g.Property))
    if not isinstance(part, INNER) or isinstance(part, g.Expr):
        return part
    return inside(part, without_checks)


# ---------------------------------------------------------------- tracks that players keep
def kept(told: g.Game, game: g.Game) -> list[g.Track]:
    """Return the tracks that players keep: those that the game shows, otherwise all.

    Tracks that restart in parts of the game and only support its rules are left out.
    """
    shown = {show.track: show.doc for show in game.shows if show.zone is None}
    tracks = [track for track in told.tracks.values() if not shown or track.name in shown]
    marked = [track for track in tracks if track.type.tag != "flag" or not is_passing(track)]
    return [track for track in marked if track.doc or shown.get(track.name) or not is_passing(track)]


def is_passing(track: g.Track) -> bool:
    """Return whether a track restarts repeatedly at nothing."""
    return bool(track.restarts) and is_nothing(track)


def is_nothing(track: g.Track) -> bool:
    """Return whether a track starts at zero, no or nobody. The first member of a kind counts as a value."""
    if not track.starts or not isinstance(track.start, g.Const):
        return not track.starts
    return track.start.value is None if track.type.tag in ("member", "player") else not track.start.value


def given(told: g.Game, game: g.Game) -> list[g.Track]:
    """Return the tracks that players set once before the game begins, with a value.

    They include players and members named by the rules, even if the game does not show them.
    """
    own = {track.name for track in kept(told, game)}
    tracks = [t for t in told.tracks.values() if t.name in own or t.type.tag in ("player", "member")]
    return [track for track in tracks if not track.restarts and not is_nothing(track) and not track.secret]
