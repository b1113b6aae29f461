"""Public counters of cards, and the names of grid cells, if counters give a row and a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardlang import game as g
from cardlang.words import plain
from interpreter.matches.names import Names, unscaled
from interpreter.state import State


def marks_of(names: Names, state: State, card: int) -> tuple[tuple[str, str], ...]:
    """Return the public counters of a card that have a value."""
    found = []
    for track in names.marking:
        slot = names.program.track_base[track.name] + card
        value = unscaled(state.t[slot], names.program.tracks[slot].scale, track.type)
        if value is not None and (value or track.type.tag not in ("number", "flag")):
            found.append((plain(track.noun.singular), names.value(track.type, value)))
    return tuple(found)


def grids_of(game: g.Game) -> dict[str, tuple[str, ...]]:
    """Return the tracks for row and column, by zone that is shown as a grid."""
    return {show.zone: show.cells for show in game.shows if show.zone is not None and show.cells}


def cell_called(game: g.Game, cells: Sequence[str], marks: Mapping[str, str]) -> str:
    """Return the name of a cell: `Top Left`, `row 2, column 1`. `marks`: the card's counters, by noun."""
    nouns = [(game.tracks[name], plain(game.tracks[name].noun.singular)) for name in cells]
    named = all(track.type.tag == "member" for track, _ in nouns)
    place = [marks.get(noun, "0") if named else f"{noun} {marks.get(noun, '0')}" for _, noun in nouns]
    return (" " if named else ", ").join(place)


def place_of(names: Names, state: State, card: int) -> str:
    """Return the cell of a card in a grid, if all players know it; else empty."""
    pile = state.loc[card]
    cells = grids_of(names.game).get(names.program.zones[pile].zone.name, ()) if pile >= 0 else ()
    marks = dict(marks_of(names, state, card)) if cells else {}
    told = bool(cells) and all(plain(names.game.tracks[name].noun.singular) in marks for name in cells)
    return cell_called(names.game, cells, marks) if told else ""
