"""Finish the stored results for display, the newest last: add score tables and the end of the match."""

from __future__ import annotations

from fractions import Fraction

from cardlang import game as g
from interpreter.matches.events import Value
from interpreter.matches.names import exact
from interpreter.matches.view import TrackView, View
from interpreter.table.model import Moment, Pile, Place
from interpreter.table.story import Story


def moments_of(view: View, story: Story, places: tuple[Place, ...]) -> tuple[Moment, ...]:
    found = [scores(view, story, moment) if moment.kind == "scores" else moment for moment in story.moments.values()]
    if not view.over:
        return tuple(found)
    last, won = story.last_result, story.moments.get("showdown")
    ended = story.you.moment(end(view, places, last, won.hands if won is not None else ()))
    return (*(each for each in found if each is not last), ended)


def scores(view: View, story: Story, moment: Moment) -> Moment:
    """Return the score changes of the last deal, or of the last scoring."""
    last, name = len(story.deals) - 1, story.laws.course.score
    deal = story.deals[last]
    rows = tuple(
        row(str(track.owner or track.noun), *of_owner(story, last, track.owner, track.value))
        for track in scored(view, story)
    )
    noun = story.laws.game.tracks[name].noun if name is not None else None
    return Moment(moment.kind, f"The {called(noun)} {deal.when}", columns=("", "before", "change", "now"), rows=rows)


def called(noun: g.Noun | None) -> str:
    if noun is None:
        return "scores"
    return (noun.plural if noun.counted else noun.singular).replace("-", " ")


def scored(view: View, story: Story) -> list[TrackView]:
    return [track for track in view.tracks if track.name == story.laws.course.score]


def score_sheet(view: View, story: Story) -> tuple[tuple[str, ...], ...]:
    """Return the scores deal by deal: a header of owners, then a row for each deal with changes and totals."""
    tracks = scored(view, story)
    if not tracks or not story.deals:
        return ()
    rows: list[tuple[str, ...]] = [("", *(str(track.owner or track.noun) for track in tracks))]
    for number in range(len(story.deals)):
        told = (row("", *of_owner(story, number, track.owner, track.value)) for track in tracks)
        rows.append((str(number + 1), *(f"{change} ({now})" for _, _, change, now in told)))
    return tuple(rows)


def of_owner(story: Story, number: int, owner: str | None, present: Value) -> tuple[Value, Value]:
    """Return an owner's score before and after a deal.

    An owner without a change in this deal keeps the value. An owner without any earlier value has the value from before
    their first change.
    """
    deal, *later = story.deals[number:]
    if owner in deal.changes:
        return deal.changes[owner]
    if owner in deal.known:
        return deal.known[owner], deal.known[owner]
    since = next((each[owner] for each in (*(one.changes for one in later), story.changes) if owner in each), None)
    value = since[0] if since is not None else present
    return value, value


def row(name: str, before: Value, after: Value) -> tuple[str, ...]:
    change = "0"
    if isinstance(before, int | Fraction) and isinstance(after, int | Fraction):
        change = f"{'+' if after > before else ''}{exact(after - before)}"
    return name, said(before), change, said(after)


def said(value: Value) -> str:
    return "" if value is None else exact(value) if isinstance(value, int | Fraction) else str(value)


def end(view: View, places: tuple[Place, ...], last: Moment | None, seen: tuple[Pile, ...]) -> Moment:
    """Return the end of the match: winners, last reported result (`last`), final ranking and revealed hands.

    Hands of the last showdown (`seen`) are left out. A score that all players share makes no ranking.
    """
    why = (last.headline, *last.lines) if last is not None else ()
    laid = tuple(pile for pile in (last.hands if last is not None else ()) if pile not in seen)
    won = " and ".join(view.winners)
    verb = "win" if len(view.winners) > 1 else "wins"
    columns, rows = standings(view)
    shown = {(pile.owner, pile.name) for pile in (*laid, *seen)}
    lying = (pile for place in places for pile in place.piles if (pile.owner, pile.name) not in shown)
    hands = (*laid, *(pile for pile in lying if pile.form == "hand" and any(card.up for card in pile.cards)))
    if len(rows) > 1 and len({row[::2] for row in rows}) == 1:
        shared = (f"All players score {rows[0][-1]}.",) if "score" in columns else ()
        why, columns, rows = (*why, *shared), (), ()
    return Moment("end", f"{won} {verb} the match." if won else "No one wins.", why, columns, rows, hands)


def standings(view: View) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the column names and rows of the final ranking, the best first.

    If the players of each team are tied, each team has one row, and places count teams.
    """
    scores = dict(zip(view.players, view.scores or (), strict=False))
    stands = {name: (place, scores.get(name)) for name, place in zip(view.players, view.places or (), strict=False)}
    sides: dict[str, list[str]] = {}
    for name, side in zip(view.players, view.sides or view.players, strict=True):
        sides.setdefault(side or name, []).append(name)
    whole = len(sides) < len(view.players) and all(len({stands[n] for n in names}) == 1 for names in sides.values())
    units = {f"{side} ({', '.join(names)})": names[0] for side, names in sides.items()} if whole else {}
    units = units or {name: name for name in view.players}
    places = {
        unit: 1 + sum(stands[other][0] < stands[name][0] for other in units.values()) for unit, name in units.items()
    }
    known = any(value is not None for value in scores.values())
    rows = (
        (str(places[unit]), unit, *([said(scores[units[unit]])] if known else []))
        for unit in sorted(units, key=places.__getitem__)
    )
    return ("place", "team" if whole else "player", *(["score"] if known else [])), tuple(rows)
