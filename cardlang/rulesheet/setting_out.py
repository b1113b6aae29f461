"""Describe the initial values of tracks: acts of the set-up, and the tracks that players keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.rulesheet.content import given, is_nothing, kept
from cardlang.rulesheet.declarations import heading as title_of
from cardlang.rulesheet.declarations import inside, moment, subject_of
from cardlang.rulesheet.english import Scope, phrase
from cardlang.rulesheet.instead import covered
from cardlang.rulesheet.joining import both_said
from cardlang.rulesheet.lexicon import Lexicon
from cardlang.rulesheet.model import Item
from cardlang.rulesheet.parts import bare, is_number
from cardlang.rulesheet.realising import finished

BEGIN = "begin with "
ARTICLE = re.compile("^(An?|The) ")


def acts(told: g.Game, scope: Scope) -> tuple[Item, ...]:
    """Return the acts that set the tracks before the game: `everybody takes 100 chips`.

    Tracks covered by custom wording of the set-up are left out.
    """
    own = {name for name, rule in covered(scope.lexicon) if rule == "step setup"}
    said = [act(track, scope) for track in given(told, scope.lexicon.game) if f"track {track.name}" not in own]
    lots = [text.removeprefix(BEGIN) for text in said if text.startswith(BEGIN)]
    begun = [f"{BEGIN}{words.join(lots)}"] if lots else []
    others = [text for text in said if not text.startswith(BEGIN)]
    return tuple(finished(Item(text)) for text in (*begun, *others))


def act(track: g.Track, scope: Scope) -> str:
    entry = scope.lexicon.nouns[track.name]
    start = bare(track.start)
    drawn = isinstance(start, g.Agg) and start.function == "random"
    value = phrase(track.start, inside(track, subject_of(track.subject, scope)[1], scope)).text
    be = words.agree("is", words.is_plural(entry.noun))
    if track.subject == "player":
        if entry.unit and is_number(start):
            return f"everybody takes {words.of_number(entry.singular, value)}"
        return f"everybody's {entry.noun} {be} {value}"
    if track.subject is None and entry.unit and is_number(start):
        return f"{BEGIN}{words.of_number(entry.singular, value)}"
    whose = "" if track.subject is None else f"{words.plain(track.subject).lower()}'s "
    noun = f"each {whose}{entry.noun}" if whose else f"the {entry.noun}"
    return f"draw {noun} at random" if drawn else f"{noun} {be} {value}"


# ---------------------------------------------------------------- tracks that players keep
def track_items(told: g.Game, scope: Scope) -> tuple[Item, ...]:
    """Return the tracks that players keep, with the game's texts on them."""
    game = scope.lexicon.game
    shown = [show for show in game.shows if show.zone is None]
    done = given(told, game)
    items = []
    apart = {name for name, _ in covered(scope.lexicon)}
    for track in kept(told, game):
        if f"track {track.name}" in apart:
            continue
        item = Item(again(track, scope), track.doc, title=title_of(track, scope.lexicon.nouns[track.name], scope))
        if track in done:
            item = evolve(item, text="")
        said = [show.doc for show in shown if show.track == track.name]
        items.append(finished(evolve(item, words=both_said(item.words, *said))))
    return tuple(items)


def again(track: g.Track, scope: Scope) -> str:
    """Describe the restart value of a track, and its secrecy."""
    return "; ".join(begins(track, scope))


def begins(track: g.Track, scope: Scope) -> Iterator[str]:
    if track.starts and not is_nothing(track):
        _, noun = subject_of(track.subject, scope)
        start = phrase(track.start, inside(track, noun, scope)).text
        yield f"{start} at the start of {whenever(track.restarts, scope.lexicon)}"
    if track.secret:
        yield "secret"


def whenever(restarts: Sequence[g.Restart], lexicon: Lexicon) -> str:
    """Return the times at which a track restarts."""
    if not restarts:
        return "the game"
    if any(each.step == "move" for each in restarts):
        return f"the game, and again whenever {words.join([moment(each, lexicon) for each in restarts], 'or')}"
    said = [(lexicon.step_title(each.step), " of yours" if each.own else "") for each in restarts]
    return words.join([f"each “{ARTICLE.sub('', title)}”{whose}" for title, whose in said], "or")
