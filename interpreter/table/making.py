"""Make a `Table` from a player's view."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from attrs import evolve

from cardlang.game import Game
from interpreter.itself import KEPT, Itself
from interpreter.matches.events import EventView
from interpreter.matches.facts import facts_of
from interpreter.matches.shown import HeldView
from interpreter.matches.toggling import ChoosingView
from interpreter.matches.turning import views_between
from interpreter.matches.view import View, make_view
from interpreter.table import model
from interpreter.table.arriving import arrived
from interpreter.table.asking import ask_of
from interpreter.table.moments import moments_of, score_sheet
from interpreter.table.ordering import in_order
from interpreter.table.piles import Piles, Touched
from interpreter.table.places import Places, fact
from interpreter.table.scoring import Course
from interpreter.table.shared import read_zones
from interpreter.table.sizing import sized
from interpreter.table.story import Laws, Story, is_more
from interpreter.table.telling import linked, told_of

if TYPE_CHECKING:
    from interpreter.matches.match import Match

MOST = 200
"""Maximum number of recent events to report."""
EARLIER = 60
"""Maximum number of lines from before the viewer's last move."""


def table_of(view: View, game: Game, choosing: ChoosingView | None, story: Story) -> model.Table:
    """Return the table for a view.

    `choosing`: progress of the viewer's selection of several cards or values. `story`: history of this view so far; it
    takes in the new events.
    """
    story.take(view.events)
    return drawn_of(view, game, choosing, story)


def way_of(match: Match, seat: int) -> tuple[model.Table, ...]:
    """Return the tables a seat sees during the last choice, one each time cards are revealed, until a player gains.

    Return none if no player gains, if there are fewer than two tables, or if no revealed card is random.
    """
    views = views_between(match, seat)
    if not views:
        return ()
    now = make_view(match, seat)
    made, story = now.events[-1].at, story_of(match.game, now.player)
    story.take([event for event in now.events if event.at < made])
    if not any(gains(event, story) for event in now.events if event.at == made):
        return ()
    before = [each for each in views if not any(gains(event, story) for event in each[1].events if event.at == made)]
    if len(before) < 2 or not any(by_chance for by_chance, _ in before):
        return ()
    return tuple(drawn_of(view, match.game, None, story) for _, view in before)


def gains(event: EventView, story: Story) -> bool:
    """Return whether a player's score rises, a player is eliminated, or the match ends."""
    change = event.change
    if change is None or change.name != story.laws.course.score:
        return event.kind in ("eliminated", "ended")
    return is_more(change.after, change.before)


def drawn_of(view: View, game: Game, choosing: ChoosingView | None, story: Story) -> model.Table:
    """Return the table for a view and an up-to-date history."""
    laws = story.laws
    asking, own = view.asking, game.sources[0]
    ask = None
    if asking is not None:
        ask = ask_of(asking, choosing, asking.span.source is own, f"/{view.player}", answered(view, asking.answers))
    first = bisect_left(view.events, view.since, key=lambda event: event.at)
    touched = touched_by(view, ask, choosing, {*arrived(game, view, view.events[first:])})
    places = Places(view, laws.piles, facts_of(game), touched, story.is_open)
    players, middle, kinds = places.players(), places.middle(), places.kinds()
    middle = evolve(middle, facts=tuple(map(laws.course.of_most, middle.facts)))
    if ask is not None:
        sizes = sized(ask, view, laws.course.score)
        ask = evolve(in_order(ask, game, players, (middle, *kinds)), amounts=sizes, turn=let_pass(view, story))
    readings = tuple(map(reading, view.held))
    since = told(view, story, max(first, len(view.events) - MOST), len(view.events))
    return model.Table(
        format=model.FORMAT,
        game=view.game,
        heading=laws.course.heading(view.steps, story.counts, story.whose, view.player),
        viewer=view.player,
        places=tuple(unread(place, view) for place in players),
        middle=middle,
        kinds=kinds,
        readings=readings,
        ask=ask,
        waiting=view.asked if view.asked != view.player else None,
        since=since,
        moments=moments_of(view, story, players),
        over=view.over,
        winners=view.winners,
        earlier=earlier(view, story, first),
        scores=score_sheet(view, story),
    )


def told(view: View, story: Story, first: int, end: int) -> tuple[model.Told, ...]:
    """Return log lines for some of the events. Changes of loop counters are left out, because the table shows them."""
    counting = story.laws.course.counting
    events = [each for each in view.events[first:end] if each.change is None or each.change.name not in counting]
    lines = told_of(events, view.player, story.laws.game.sources[0], story.laws.piles)
    return tuple(linked(map(story.you.told, lines), view.player))


def earlier(view: View, story: Story, first: int) -> tuple[model.Told, ...]:
    """Return the lines about events before the first new one. They stay the same until the viewer moves."""
    if story.earlier is None or story.earlier[0] != first:
        story.earlier = first, told(view, story, max(first - MOST, 0), first)[-EARLIER:]
    return story.earlier[1]


def answered(view: View, actor: str) -> str:
    """Return the text of a player's last action, which a response answers; empty if there is no player."""
    for event in reversed(view.events if actor else ()):
        if event.who == actor and event.kind in ("chose", "moved") and event.text:
            return event.text
    return ""


def let_pass(view: View, story: Story) -> str:
    """Return the turn of another player for which the viewer can pass all responses; empty if there is none.

    This does not cover responses to a third player, or actions that name the viewer.
    """
    asking = view.asking
    if asking is None or asking.kind != "react" or not any(move.text == "pass" for move in asking.moves):
        return ""
    turn, who = story.laws.course.turn(view.steps, story.whose)
    named = re.search(rf"\b{re.escape(view.player or '')}\b", answered(view, asking.answers))
    return f"{who}'s {turn}" if who == asking.answers and not named else ""


def story_of(game: Game, viewer: str | None) -> Story:
    """Return an empty history for a viewer."""
    return Story(kept(Itself(game)), viewer)


@lru_cache(maxsize=KEPT)
def kept(game: Itself) -> Laws:
    course = Course(game.game)
    return Laws(game.game, Piles(game.game, course.score), course, read_zones(game.game), facts_of(game.game).settled)


def reading(held: HeldView) -> model.Reading:
    """Return the value of the viewer's own cards. For a split into groups, leave out the cards in no group."""
    label = "You hold" if held.ranked else held.noun[:1].upper() + held.noun[1:]
    return model.Reading(label, held.text, held.cards, " ".join(held.words))


def unread(place: model.Place, view: View) -> model.Place:
    """Return a place without the facts that the viewer's readings already show.

    Otherwise the table would show them twice, and outdated ones while the viewer selects cards to give away.
    """
    read = {held.noun.lower() for held in view.held if place.name == view.player}
    return evolve(place, facts=tuple(each for each in place.facts if each.label.lower() not in read)) if read else place


def touched_by(view: View, ask: model.Ask | None, choosing: ChoosingView | None, fresh: Collection[str]) -> Touched:
    counts = {ref for held in view.held for ref in held.cards}
    best = int(view.best.rpartition("#")[2] or 0)
    moves: dict[str, tuple[int, ...]] = {}
    for action in ask.actions if ask is not None else ():
        for ref in action.touches:
            moves[ref] = (*moves.get(ref, ()), action.move)
    facts: dict[str, tuple[model.Fact, ...]] = {}
    for ref, shown in view.of_cards:
        facts[ref] = (*facts.get(ref, ()), fact(shown))
    melded = next((held.cards for held in view.held if held.split), ())
    return Touched(
        moves,
        chosen=choosing.chosen if choosing is not None else (),
        open={*choosing.open, *choosing.chosen} if choosing is not None else (),
        counts=counts,
        best=best,
        fresh=fresh,
        facts=facts,
        melded=melded,
    )
