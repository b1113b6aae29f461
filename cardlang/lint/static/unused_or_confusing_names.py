"""Lint rules for unused, shadowed, lookalike and never-assigned names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.static.execution_order import get_own_source
from cardlang.model.effects import iter_track_changes, iter_transfers
from cardlang.model.traversal import collect_all_nodes, iter_bodies, walk

UsableDeclaration = g.Define | g.Track | g.Zone | g.Kind | g.Order | g.Ranking
LANGUAGE_NAMES = ("score", "standing", "winners")


def check_unused_declarations(game: g.Game) -> Iterator[Diagnostic]:
    used = find_used_names(game) | set(LANGUAGE_NAMES)
    tested = {
        name
        for example in game.examples
        for part in walk(list_example_parts(example))
        for name in find_referenced_names(part)
    }
    homes = {card_set.home for card_set in game.sets.values()}
    declared: list[tuple[str, UsableDeclaration]] = [
        *(("definition", define) for define in game.defines.values()),
        *((track.type.of or track.type.tag, track) for track in game.tracks.values()),
        *(("zone", zone) for zone in game.zones.values() if zone.name not in homes),
        *(("kind", kind) for kind in game.kinds.values()),
        *(("order", order) for order in game.orders.values()),
        *(("ranking", ranking) for ranking in game.rankings.values()),
    ]
    for sort, each in declared:
        if each.name not in used and each.origin.name.source is get_own_source(game):
            message = f"the {sort} `{each.name}` is never used"
            if each.name in tested:
                message = f"only examples use the {sort} `{each.name}`, not the rules"
            yield Diagnostic("W403", message, each.origin.name, "use it, or delete it", warning=True)


def find_used_names(game: g.Game) -> set[str]:
    used = {name for part in (*collect_all_nodes(game), *walk(game.spoken)) for name in find_referenced_names(part)}
    used |= {column.type.of for column in game.columns.values() if column.type.of}
    used |= {track.type.of for track in game.tracks.values() if track.type.of}
    used |= {kind.includes for kind in game.kinds.values() if kind.includes}
    used |= {track.subject for track in game.tracks.values() if track.subject}
    used |= {zone.subject for zone in game.zones.values() if zone.subject}
    used |= {define.subject for define in game.defines.values() if define.subject}
    used |= {show.name for show in game.shows}
    used |= {trigger.zone for trigger in game.enters}
    return used


def list_example_parts(example: g.Example) -> tuple[object, ...]:
    found: list[object] = []
    for line in example.lines:
        if isinstance(line, g.Expecting):
            found.append(line.condition)
        elif isinstance(line, g.Doing):
            found.append(line.statement)
    return tuple(found)


def find_referenced_names(part: object) -> Iterator[str]:
    """Yield the names of declarations that an expression or statement refers to directly."""
    match part:
        case g.Call(define=name) | g.BorneCall(define=name):
            yield name
        case g.TrackValue(track=name) | g.SetTrack(track=name):
            yield name
        case g.ZoneCards(zone=name) | g.Place(zone=name):
            yield name
        case g.Option(costs=costs):
            yield from (track for _, track, _ in costs)
        case g.ReadRanking(ranking=name) | g.IsReading(ranking=name) | g.Members(kind=name):
            yield name
        case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
            yield name
    if isinstance(part, g.Expr) and part.type.of:
        yield part.type.of


# ---------------------------------------------------------------- variables
SIMILAR_NAME_CUTOFF = 0.85
"""Similarity from which two names count as the same intention."""
NamedDeclaration = g.Kind | g.CardSet | g.Zone | g.Track | g.Define


def check_shadowed_declarations(game: g.Game) -> Iterator[Diagnostic]:
    """Report choices and `remember` that shadow a declaration.

    After them, the name means the new value, and the declared value stays unchanged."""
    table: dict[str, NamedDeclaration] = {**game.kinds, **game.sets, **list_global_nouns(game)}
    for var, _ in find_bindings(game):
        declared = table.get(var.name)
        if declared is not None:
            what = describe_declaration(declared)
            hint = "rename the choice"
            if isinstance(declared, g.Track):
                hint += f", then store its value with `set {var.name} to …`"
            yield Diagnostic(
                "W406",
                f"this new name `{var.name}` hides the {what} `{var.name}`, which does not change",
                var.span,
                hint,
                ((declared.origin.name, f"the {what}"),),
                warning=True,
            )


def list_global_nouns(game: g.Game) -> dict[str, NamedDeclaration]:
    nouns: list[g.Zone | g.Track | g.Define] = [*game.zones.values(), *game.tracks.values(), *game.defines.values()]
    return {each.name: each for each in nouns if each.subject is None}


def describe_declaration(declared: NamedDeclaration) -> str:
    match declared:
        case g.Track(type=type_):
            return type_.of or type_.tag
        case g.CardSet():
            return "set of cards"
        case g.Define():
            return "definition"
    return type(declared).__name__.lower()


def check_unused_bindings(game: g.Game) -> Iterator[Diagnostic]:
    """Report values that are chosen or remembered but never used, unless another check reports their name."""
    told = {*game.kinds, *game.sets, *list_global_nouns(game), *find_self_compared_columns(game)}
    for var, verb in find_unused_bindings(game):
        if var.name not in told:
            yield build_unused_binding_diagnostic(game, var, verb)


def find_unused_bindings(game: g.Game) -> Iterator[tuple[g.Var, str]]:
    places: dict[int, set[Span]] = {}
    for part in (part for body in iter_bodies(game) for part in walk(body)):
        if isinstance(part, g.Var):
            places.setdefault(part.id, set()).add(part.span)
    yield from ((var, verb) for var, verb in find_bindings(game) if places[var.id] <= {var.span})


def find_self_compared_columns(game: g.Game) -> Iterator[str]:
    """Yield the columns that are compared with themselves."""
    for part in collect_all_nodes(game):
        if isinstance(part, g.Compare) and part.left == part.right and isinstance(part.left, g.Attribute):
            yield part.left.attribute


def find_intended_track(game: g.Game, var: g.Var) -> g.Track | None:
    """Return the track with a value's name, or with a very similar one."""
    near = [
        track.name for track in game.tracks.values() if (track.type.tag, track.type.of) == (var.type.tag, var.type.of)
    ]
    found = get_close_matches(var.name, near, 1, SIMILAR_NAME_CUTOFF)
    return game.tracks.get(var.name) or (game.tracks[found[0]] if found else None)


def get_possessive(track: g.Track) -> str:
    return {"player": "your ", None: ""}.get(track.subject, f"that {track.subject}'s ")


def build_unused_binding_diagnostic(game: g.Game, var: g.Var, verb: str) -> Diagnostic:
    track = find_intended_track(game, var)
    hint = "use it in the lines below" if verb == "chosen" else "use it, or delete the line"
    related: tuple[tuple[Span, str], ...] = ()
    if track is not None:
        hint = f"to store it, write `set {get_possessive(track)}{track.name} to {var.name}`"
        related = ((track.origin.name, f"the {describe_declaration(track)} `{track.name}` does not change"),)
    return Diagnostic("W407", f"`{var.name}` is {verb} here but never used", var.span, hint, related, warning=True)


def find_bindings(game: g.Game) -> Iterator[tuple[g.Var, str]]:
    """Yield the names that choices, options, reactions and `remember` in the game's own file bind, with the verb for
    each."""
    for part in (part for body in iter_bodies(game) for part in walk(body)):
        found: list[tuple[g.Var, str]] = []
        match part:
            case g.Choose(var=var):
                found = [(var, "chosen")]
            case g.Remember(var=var) if var.name:
                found = [(var, "remembered")]
            case g.Option(binders=binders):
                found = [(var, "chosen") for var, _ in binders]
        yield from ((var, verb) for var, verb in found if var.span.source is get_own_source(game))


# ---------------------------------------------------------------- capitalisation
NounDeclaration = g.Kind | g.CardSet | g.Ranking | g.Zone | g.Track | g.Define | g.Order
NameAndSpan = tuple[str, Span]


def check_capitalization_clashes(game: g.Game) -> Iterator[Diagnostic]:
    """Report names that differ only in capitals within a group.

    Kinds, sets of cards and rankings, which start with a capital by convention, form one group. Zones, tracks,
    definitions and orders form another. So `Team` and `team` can coexist, but `Deck` and `deck` cannot. Steps and the
    members of each kind are further groups."""
    capital: list[NounDeclaration] = [*game.kinds.values(), *game.sets.values(), *game.rankings.values()]
    small: list[NounDeclaration] = [
        *game.zones.values(),
        *game.tracks.values(),
        *game.defines.values(),
        *game.orders.values(),
    ]
    groups: list[list[NameAndSpan]] = [[(each.name, each.origin.name) for each in nouns] for nouns in (capital, small)]
    groups.append([(step.name, step.origin.name) for step in game.steps.values()])
    for kind in game.kinds.values():
        groups.append([(member.name, kind.origin.name) for member in kind.members])
    for group in groups:
        yield from find_capitalization_clashes(game, group)


def find_capitalization_clashes(game: g.Game, names: Iterable[NameAndSpan]) -> Iterator[Diagnostic]:
    first: dict[str, NameAndSpan] = {}
    for name, span in sorted(names, key=lambda each: (each[1].source is get_own_source(game), each[1].start)):
        other, place = first.setdefault(name.lower(), (name, span))
        if other != name and span.source is get_own_source(game):
            yield Diagnostic(
                "W408",
                f"`{name}` and `{other}` are two names that differ only in capitals",
                span,
                "if they are one thing, write the name one way everywhere. Otherwise rename one",
                ((place, "the other name"),) if place != span else (),
                warning=True,
            )


# ---------------------------------------------------------------- tracks and zones that never change
def check_unset_tracks(game: g.Game) -> Iterator[Diagnostic]:
    """Report tracks without an explicit start that never change."""
    for track in find_unset_tracks(game):
        sort = track.type.of or track.type.tag
        start = {"number": "0", "flag": "no", "player": "no player"}.get(track.type.tag, "nothing")
        named = f"{get_possessive(track)}{track.name}"
        change = f"`add … to {named}`" if sort == "number" else f"`set {named} to …`"
        yield Diagnostic(
            "W409",
            f"the {sort} `{track.name}` never changes: it is always {start}",
            track.origin.name,
            f"change it in a step ({change}), or set its value with `starts at`",
            warning=True,
        )


def find_unset_tracks(game: g.Game) -> list[g.Track]:
    """Return the game's own tracks that have no start, are used, and never change."""
    changed, used = set(iter_assigned_tracks(game)), find_used_names(game) | {"score"}
    # `check_shadowed_declarations` reports shadowed names.
    changed |= {var.name for var, _ in find_bindings(game)}
    changed |= {
        track.name for var, _ in find_unused_bindings(game) if (track := find_intended_track(game, var)) is not None
    }
    own = [track for track in game.tracks.values() if track.origin.name.source is get_own_source(game)]
    return [track for track in own if not track.starts and track.name in used and track.name not in changed]


def iter_assigned_tracks(game: g.Game) -> Iterator[str]:
    """Return the tracks that are assigned. Costs don't count, since paying requires an earlier gain."""
    return (change.track for change in iter_track_changes(collect_all_nodes(game)))


def check_unfilled_zones(game: g.Game) -> Iterator[Diagnostic]:
    """Report zones that the rules use but that no card ever enters."""
    parts = list(collect_all_nodes(game))
    filled = {card_set.home for card_set in game.sets.values()}
    filled |= {transfer.to.zone for transfer in iter_transfers(parts)}
    looked_at = {part.zone: part.span for part in reversed(parts) if isinstance(part, g.ZoneCards)}
    for zone in game.zones.values():
        if zone.name in looked_at and zone.name not in filled and zone.origin.name.source is get_own_source(game):
            yield Diagnostic(
                "W415",
                f"no card ever enters `{zone.name}`",
                zone.origin.name,
                f"move cards there (`deal … to {'your ' if zone.subject == 'player' else ''}{zone.name}`), "
                "start a set of cards there, or delete the zone",
                ((looked_at[zone.name], "the rules use its cards here"),),
                warning=True,
            )
