"""Semantic analysis: AST to `Game`. It resolves names, infers types and reports errors.

First, the layers of a file (libraries, the game, a variant) are merged.

Imports: `game`, `limits`, `nodes`, `plain_text`, `source`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import TypedDict

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.limits import MAX_PLAYERS
from cardlang.resolve import choices, codes, conditions, definitions, examples, folds, statements  # noqa: F401  (handlers)
from cardlang.resolve import layers as ly
from cardlang.resolve.calls import check_calls
from cardlang.resolve.definitions import build_borne, define
from cardlang.resolve.needs import needed_first
from cardlang.resolve.rankings import build_orders, build_rankings
from cardlang.resolve.shows import build_shows
from cardlang.resolve.steps import (
    build_borne_steps,
    build_enters,
    build_reactions,
    build_steps,
    build_whenevers,
    with_borne,
)
from cardlang.resolve.texts import note, resolve_texts, ruling, words
from cardlang.resolve.things import build_cards, build_kinds, build_zones, report_nameless, report_shadowed
from cardlang.resolve.tracks import build_tracks
from cardlang.resolve.world import Report, World
from cardlang.source import Diagnostic, GameError

Libraries = Callable[[str], n.File | None]
Saying = Callable[[g.Game], g.Game]


def resolve(
    file: n.File, libraries: Libraries, variant: str | None, say: Saying
) -> tuple[g.Game | None, list[Diagnostic]]:
    """Return the resolved game of a file, and the diagnostics. The game is None if any of them is an error.

    `libraries` returns the AST of a library by name, or None. `variant` is the title of a variant. `say` puts
    interpolated values of texts into words."""
    report = Report()
    layers = ly.merge(file, libraries, variant, report)
    if layers is None:
        return None, report.found
    w = World(layers.items, report, layers.variant is not None, layers.origins)
    game = build(w, layers, say)
    game = evolve(game, spoken=resolve_texts(w))
    failed = any(not finding.warning for finding in report.found)
    if failed:
        return None, sorted_by_place(report.found)
    return say(game) if w.texts else game, sorted_by_place(report.found)


def sorted_by_place(found: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(found, key=lambda each: (each.span.source.name, each.span.start))


def build_nouns(w: World) -> None:
    build_kinds(w)
    build_cards(w)
    report_shadowed(w)
    report_nameless(w)
    build_zones(w)
    for name in needed_first(w.of_type(n.Define)):
        define(w, name)
    for name in w.bearers:
        build_borne(w, name)
    build_tracks(w)
    build_orders(w)
    build_rankings(w)


def build(w: World, layers: ly.Layers, say: Saying) -> g.Game:
    build_nouns(w)
    steps = build_steps(w)
    borne_steps = build_borne_steps(w)
    enters, whenevers = build_enters(w), build_whenevers(w)
    reactions = build_reactions(w)
    elsewhere = [body.body for step in borne_steps.values() for body in step.bodies if body]
    elsewhere += [each.body for each in enters] + [each.body for each in whenevers]
    elsewhere += [each.option.body for each in reactions]
    check_calls(w, steps, elsewhere)
    report_missing(w, layers)
    libraries = {file.span.source for file in layers.used}
    seats, about = seats_of(w, layers.header), beside(w)
    return g.Game(
        title=layers.header.title,
        seats=seats,
        doc=words(w, layers.header.doc),
        variant=layers.variant.title.text if layers.variant is not None else None,
        variants=tuple(variant_of(w, layers, each, say) for each in layers.variants),
        kinds=w.kinds,
        sets={node.name.text: with_borne(w, node) for node in w.of_type(n.Cards)},
        faces=tuple(w.faces),
        columns=w.columns,
        zones=w.zones,
        tracks=w.tracks,
        defines={name: each for name, each in w.defines.items() if each is not None},
        borne_defines=w.borne_defines,
        orders=w.orders,
        rankings=w.rankings,
        steps=steps,
        borne_steps=borne_steps,
        reactions=reactions,
        enters=enters,
        whenevers=whenevers,
        examples=(*examples.build_examples(w, seats), *examples.build_ruled(w, seats, libraries)),
        **about,
        sources=tuple(file.span.source for file in layers.files),
        warnings=(),
    )


class Beside(TypedDict):
    """Parts of a game other than its rules."""

    about: tuple[g.About, ...]
    components: tuple[g.Component, ...]
    shows: tuple[g.Show, ...]
    notes: tuple[g.Note, ...]
    rulings: tuple[g.Ruling, ...]


def beside(w: World) -> Beside:
    return {
        "about": tuple(g.About(each.word, each.low, each.high) for each in w.of_type(n.About)),
        "components": tuple(component(w, each) for each in w.of_type(n.Component)),
        "shows": build_shows(w),
        "notes": tuple(note(w, each) for each in w.of_type(n.Note)),
        "rulings": tuple(ruling(w, each, origin=w.origin(each)) for each in w.of_type(n.Ruling)),
    }


def component(w: World, node: n.Component) -> g.Component:
    return g.Component(node.count, node.title, words(w, node.doc), w.origin(node))


def variant_of(w: World, layers: ly.Layers, node: n.Variant, say: Saying) -> g.Variant:
    """Return a variant. Its game is resolved on first use."""
    return g.Variant(node.title.text, words(w, node.doc), partial(with_variant, layers.files, node.title.text, say))


def with_variant(files: tuple[n.File, ...], title: str, say: Saying) -> g.Game:
    """Resolve the game in a variant. Raise GameError if it has errors.

    Examples from other files are left out: they test the game that they were added to."""
    file, *rest = files
    libraries = {PurePath(each.span.source.name).stem: each for each in rest}
    own = tuple(item for item in file.items if item.span.source is file.span.source)
    found, faults = resolve(evolve(file, items=own), libraries.get, title, say)
    if found is None:
        raise GameError(faults)
    return found


def seats_of(w: World, header: n.Game) -> tuple[int, ...]:
    """Return the player counts in the header, or an empty tuple if they are invalid."""
    wrong = [str(count) for count in header.seats if not 1 <= count <= MAX_PLAYERS]
    twice = len(set(header.seats)) < len(header.seats)
    if header.seats and not wrong and not twice:
        return header.seats
    if twice:
        w.error(codes.PLAYERS, "this player count appears twice", header.span, "write each player count once")
        return ()
    message = f"a game is for 1 to {MAX_PLAYERS} players"
    message += f", not {wrong[-1]}" if wrong else ", the fewest first"
    w.error(codes.PLAYERS, message, header.span, "write the player count as in `for 2 to 7 players`")
    return ()


def report_missing(w: World, layers: ly.Layers) -> None:
    """Report a game without a step `play`, or without a winner."""
    span = layers.header.span
    if not isinstance(w.verbs.get("play"), n.Step) and "play" not in w.report.broken:
        hint = w.near("play", w.verbs)[0] or "add a step: `step play`"
        w.error(codes.NO_PLAY, "this game has no step `play`", span, hint)
    score, order = w.nouns.get("score"), w.nouns.get("standing")
    counts = isinstance(score, n.Track | n.Define) and w.subject(score) == "player"
    ranks = isinstance(order, n.Order) and order.of.text == "player"
    left_out = w.report.broken & {"score", "standing", "winners"}
    if not (counts or ranks or left_out or isinstance(w.nouns.get("winners"), n.Define)):
        hint = "declare `number your score`, `define your score`, `order standing of player` or `define winners`"
        w.error(codes.NO_SCORE, "this game has no winner", span, hint)
