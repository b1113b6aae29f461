"""Semantic analysis: name resolution and type checking, from syntax tree to checked game.

First, the layers of a file (libraries, the game, a variant) are merged. Then the declarations fill a symbol table, and
each resolver translates the nodes of its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import PurePath
from typing import TypedDict

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, GameError
from cardlang.diagnostics.source_limits import MAX_PLAYERS
from cardlang.semantics import (  # noqa: F401  (handlers)
    aggregate_resolver,
    definition_resolver,
    error_codes,
    operator_resolver,
    statement_resolver,
    ways_to_choose,
)
from cardlang.semantics import layer_merging as ly
from cardlang.semantics.declaration_resolver import (
    build_cards,
    build_kinds,
    build_tracks,
    build_zones,
    report_missing_names,
    report_shadowed_columns,
)
from cardlang.semantics.definition_resolver import (
    resolve_card_definition,
    resolve_definition,
    sort_definitions_topologically,
)
from cardlang.semantics.display_resolver import build_display_hints, build_roles
from cardlang.semantics.example_resolver import build_examples, build_ruling_examples
from cardlang.semantics.expression_resolver import build_note, build_ruling, build_text, resolve_text_values
from cardlang.semantics.ranking_resolver import build_orders, build_rankings
from cardlang.semantics.step_resolver import (
    add_card_rules,
    build_card_steps,
    build_condition_triggers,
    build_enter_triggers,
    build_reactions,
    build_steps,
    check_step_calls,
)
from cardlang.semantics.symbol_table import DiagnosticCollector, ResolveContext
from cardlang.syntax import ast as n

FindLibrary = Callable[[str], n.File | None]
RenderTexts = Callable[[g.Game], g.Game]


def resolve_game(
    file: n.File, find_library: FindLibrary, variant_title: str | None, render_texts: RenderTexts
) -> tuple[g.Game | None, list[Diagnostic]]:
    """Return the resolved game of a file, and the diagnostics. The game is None if any of them is an error.

    `find_library` returns the AST of a library by name, or None. `variant_title` is the title of a variant.
    `render_texts` puts interpolated values of texts into words."""
    report = DiagnosticCollector()
    layers = ly.merge_layers(file, find_library, variant_title, report)
    if layers is None:
        return None, report.diagnostics
    w = ResolveContext(layers.items, report, layers.variant is not None, layers.origins, file.span.source)
    game = build_game(w, layers, render_texts)
    game = game.replace(spoken=resolve_text_values(w))
    failed = any(not finding.warning for finding in report.diagnostics)
    if failed:
        return None, sort_diagnostics(report.diagnostics)
    return render_texts(game) if w.pending_texts else game, sort_diagnostics(report.diagnostics)


def sort_diagnostics(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    return sorted(diagnostics, key=lambda diagnostic: (diagnostic.span.source.name, diagnostic.span.start))


def resolve_nouns(ctx: ResolveContext) -> None:
    build_kinds(ctx)
    build_cards(ctx)
    report_shadowed_columns(ctx)
    report_missing_names(ctx)
    build_zones(ctx)
    for name in sort_definitions_topologically(ctx.list_items(n.Define)):
        resolve_definition(ctx, name)
    for name in ctx.card_definition_nodes:
        resolve_card_definition(ctx, name)
    build_tracks(ctx)
    build_orders(ctx)
    build_rankings(ctx)


def build_game(ctx: ResolveContext, layers: ly.MergedLayers, render_texts: RenderTexts) -> g.Game:
    resolve_nouns(ctx)
    steps = build_steps(ctx)
    borne_steps = build_card_steps(ctx)
    enters, whenevers = build_enter_triggers(ctx), build_condition_triggers(ctx)
    reactions = build_reactions(ctx)
    elsewhere = [body.body for step in borne_steps.values() for body in step.bodies if body]
    elsewhere += [each.body for each in enters] + [each.body for each in whenevers]
    elsewhere += [each.option.body for each in reactions]
    check_step_calls(ctx, steps, elsewhere)
    report_missing_essentials(ctx, layers)
    libraries = {file.span.source for file in layers.used_libraries}
    seats, about = resolve_player_counts(ctx, layers.header), build_game_metadata(ctx)
    return g.Game(
        title=layers.header.title,
        seats=seats,
        doc=build_text(ctx, layers.header.doc),
        variant=layers.variant.title.text if layers.variant is not None else None,
        variants=tuple(build_variant(ctx, layers, each, render_texts) for each in layers.variants),
        kinds=ctx.kinds,
        sets={node.name.text: add_card_rules(ctx, node) for node in ctx.list_items(n.Cards)},
        faces=tuple(ctx.faces),
        columns=ctx.columns,
        zones=ctx.zones,
        tracks=ctx.tracks,
        defines={name: each for name, each in ctx.defines.items() if each is not None},
        borne_defines=ctx.card_definitions,
        orders=ctx.orders,
        rankings=ctx.rankings,
        steps=steps,
        borne_steps=borne_steps,
        reactions=reactions,
        enters=enters,
        whenevers=whenevers,
        examples=(*build_examples(ctx, seats), *build_ruling_examples(ctx, seats, libraries)),
        **about,
        sources=layers.sources,
        warnings=(),
    )


class GameMetadata(TypedDict):
    """Parts of a game other than its rules."""

    about: tuple[g.About, ...]
    components: tuple[g.Component, ...]
    shows: tuple[g.Show, ...]
    roles: tuple[g.Role, ...]
    notes: tuple[g.Note, ...]
    rulings: tuple[g.Ruling, ...]


def build_game_metadata(ctx: ResolveContext) -> GameMetadata:
    return {
        "about": tuple(g.About(node.word, node.low, node.high) for node in ctx.list_items(n.About)),
        "components": tuple(build_component(ctx, node) for node in ctx.list_items(n.Component)),
        "shows": build_display_hints(ctx),
        "roles": build_roles(ctx),
        "notes": tuple(build_note(ctx, node) for node in ctx.list_items(n.Note)),
        "rulings": tuple(build_ruling(ctx, node, origin=ctx.get_origin(node)) for node in ctx.list_items(n.Ruling)),
    }


def build_component(ctx: ResolveContext, node: n.Component) -> g.Component:
    return g.Component(node.count, node.title, build_text(ctx, node.doc), ctx.get_origin(node))


def build_variant(
    ctx: ResolveContext, layers: ly.MergedLayers, node: n.Variant, render_texts: RenderTexts
) -> g.Variant:
    """Return a variant. Its game is resolved on first use."""
    return g.Variant(
        node.title.text,
        build_text(ctx, node.doc),
        partial(resolve_variant_game, layers.files, node.title.text, render_texts),
    )


def resolve_variant_game(files: tuple[n.File, ...], title: str, render_texts: RenderTexts) -> g.Game:
    """Resolve the game in a variant. Raise GameError if it has errors.

    Examples from other files are left out: they test the game that they were added to."""
    file, *rest = files
    libraries = {PurePath(library.span.source.name).stem: library for library in rest}
    game_items = tuple(item for item in file.items if item.span.source is file.span.source)
    game, faults = resolve_game(file.replace(items=game_items), libraries.get, title, render_texts)
    if game is None:
        raise GameError(faults)
    return game.replace(warnings=tuple(faults))


def resolve_player_counts(ctx: ResolveContext, header: n.Game) -> tuple[int, ...]:
    """Return the player counts in the header, or an empty tuple if they are invalid."""
    wrong = [str(count) for count in header.seats if not 1 <= count <= MAX_PLAYERS]
    twice = len(set(header.seats)) < len(header.seats)
    if header.seats and not wrong and not twice:
        return header.seats
    if twice:
        ctx.report_error(
            error_codes.INVALID_PLAYER_COUNTS,
            "this player count appears twice",
            header.span,
            "write each player count once",
        )
        return ()
    message = f"a game is for 1 to {MAX_PLAYERS} players"
    message += f", not {wrong[-1]}" if wrong else ", the fewest first"
    ctx.report_error(
        error_codes.INVALID_PLAYER_COUNTS, message, header.span, "write the player count as in `for 2 to 7 players`"
    )
    return ()


def report_missing_essentials(ctx: ResolveContext, layers: ly.MergedLayers) -> None:
    """Report a game without a step `play`, or without a winner."""
    span = layers.header.span
    if not isinstance(ctx.verbs.get("play"), n.Step) and "play" not in ctx.collector.unreadable_words:
        hint = ctx.build_similar_name_hint("play", ctx.verbs)[0] or "add a step: `step play`"
        ctx.report_error(error_codes.NO_PLAY_STEP, "this game has no step `play`", span, hint)
    score, order = ctx.nouns.get("score"), ctx.nouns.get("standing")
    counts = isinstance(score, n.Track | n.Define) and ctx.get_subject(score) == "player"
    ranks = isinstance(order, n.Order) and order.of.text == "player"
    left_out = ctx.collector.unreadable_words & {"score", "standing", "winners"}
    if not (counts or ranks or left_out or isinstance(ctx.nouns.get("winners"), n.Define)):
        hint = "declare `number your score`, `define your score`, `order standing of player` or `define winners`"
        ctx.report_error(error_codes.NO_WINNER, "this game has no winner", span, hint)
