"""Displays on the table and log messages of a game. Rulebooks leave them out, but comparisons include them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from cardlang import game as g
from cardlang import words
from cardlang.game.walking import bodies, walk
from cardlang.rulesheet.model import Item, Items, Section


def seen(game: g.Game) -> tuple[Section, ...]:
    """Return displays and log messages as two sections of a rulebook."""
    shown = Items(tuple(Item(show(game, each), each.doc) for each in game.shows), bullets=True)
    told = Items(tuple(Item("", text) for text in tellings(game)))
    return Section("Shown on the table", (shown,)), Section("Written in the log", (told,))


def show(game: g.Game, each: g.Show) -> str:
    """Return a display in words, such as `Your basket, as a grid of 4, next to deck.`."""
    declared = game.zones.get(each.zone or "") or game.tracks.get(each.track or "") or game.defines[str(each.define)]
    whose = {None: "", "player": "your "}.get(declared.subject, f"each {declared.subject}'s ")
    form = f", as a {each.form}{f' of {each.columns}' if each.columns else ''}" if each.form else ""
    beside = f", next to {game.zones[each.beside].noun.singular}" if each.beside else ""
    return words.sentence(f"{whose}{declared.noun.singular}{form}{beside}")


def tellings(game: g.Game) -> Iterator[str]:
    """Yield the log messages, such as `{you} wins {prize}.`, and the log texts of moves."""
    for body in bodies(game):
        for part in walk(body):
            if isinstance(part, g.Tell):
                yield written(part.words, part.values)
            elif isinstance(part, g.Option) and part.called:
                yield written(part.called, part.called_with)


def written(words: Sequence[str], values: Sequence[g.Expr]) -> str:
    texts = (f"{{{value.span.text}}}" for value in values)
    return "".join(each for pair in zip_longest(words, texts, fillvalue="") for each in pair)
