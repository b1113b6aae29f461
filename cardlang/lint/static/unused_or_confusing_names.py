"""Lint rules for unused, shadowed, lookalike and never-assigned names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.shared_game_facts import ENTRY_STEPS, GameFacts, rule
from cardlang.model.statement_effects import Binding
from cardlang.model.traversal import find_reachable_steps, walk

LANGUAGE_NAMES = {"score", "standing", "winners"}


# ---------------------------------------------------------------- unused declarations
@rule("W401", "Step never runs")
def find_unused_steps(facts: GameFacts) -> Iterator[Finding]:
    """No rule runs this step. Only `setup` and `play` run by themselves. Run it with
    `do` from another step, a trigger or a reaction, or delete it.

    Wrong:

        step clean-up
          shuffle deck

    Right:

        step clean-up
          shuffle deck
        step setup
          do clean-up
    """
    game = facts.game
    roots = [game.steps[name].body for name in ENTRY_STEPS if name in game.steps]
    run = set(ENTRY_STEPS).union(*(find_reachable_steps(game, body) for body in (*roots, *facts.triggered_bodies)))
    for step in game.steps.values():
        if step.name not in run:
            hint = f"write `do {'your ' if step.you else ''}{step.name}` where it belongs. "
            hint += "Only `setup` and `play` run automatically"
            yield Finding(step.origin.name, f"the step `{step.name}` never runs", hint)
    used = {name for _, effects in facts.effects for name in effects.card_steps}
    for name in game.borne_steps.keys() - used:
        body = next(body for body in game.borne_steps[name].bodies if body)
        message = f"cards have the step `{name}`, but no rule runs it"
        yield Finding(body.card.span, message, f"write `do that card's {name}` where it should run")


@rule("W403", "Never used")
def find_unused_declarations(facts: GameFacts) -> Iterator[Finding]:
    """No rule uses this name. Examples don't count. Check whether a rule should use
    it in place of another name; otherwise delete it.

    Wrong:

        number rounds

    Right:

        number rounds
        step setup
          add 1 to rounds
    """
    game = facts.game
    used = find_used_names(facts) | LANGUAGE_NAMES | {card_set.home for card_set in game.sets.values()}
    lines = [line for example in game.examples for line in example.lines]
    parts: list[object] = [line.condition for line in lines if isinstance(line, g.Expecting)]
    parts += [line.statement for line in lines if isinstance(line, g.Doing)]
    tested = {name for part in walk(tuple(parts)) for name in find_referenced_names(part)}
    for each in (*list_nouns(game), *game.kinds.values(), *game.orders.values(), *game.rankings.values()):
        if each.name not in used:
            described = f"the {describe_declaration(each)} `{each.name}`"
            message = f"{described} is never used"
            if each.name in tested:
                message = f"only examples use {described}, not the rules"
            yield Finding(each.origin.name, message, "use it, or delete it")
    asked = {part.define for part in facts.find_nodes(g.BorneCall)}
    for name in game.borne_defines.keys() - asked:
        value = next(body for body in game.borne_defines[name].bodies if body)
        message = f"cards have the definition `{name}`, but no rule uses it"
        yield Finding(value.var.span, message, f"use it, as in `that card's {name}`")


def find_used_names(facts: GameFacts) -> set[str]:
    game = facts.game
    used = {name for part in (*facts.nodes, *walk(game.spoken)) for name in find_referenced_names(part)}
    types = [column.type for column in game.columns.values()] + [track.type for track in game.tracks.values()]
    used |= {type_.of for type_ in types if type_.of}
    used |= {kind.includes for kind in game.kinds.values() if kind.includes}
    used |= {subject for each in list_nouns(game) for subject in (each.subject, each.second) if subject}
    used |= {show.name for show in game.shows} | {role.name for role in game.roles}
    return used | {trigger.zone for trigger in game.enters}


def list_nouns(game: g.Game) -> list[g.Zone | g.Track | g.Define]:
    return [*game.zones.values(), *game.tracks.values(), *game.defines.values()]


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
NamedDeclaration = g.Kind | g.CardSet | g.Zone | g.Track | g.Define | g.Order | g.Ranking


@rule("W406", "Name hides another")
def find_shadowed_declarations(facts: GameFacts) -> Iterator[Finding]:
    """A choice, an option or `remember` uses a name that is already declared. From
    here on, the name means the new value, and the declared value doesn't change.
    Give the choice another name, and store it with `set`.

    Wrong:

        number bid
        step play
          each player
            you may choose bid from 2 to 4
              add bid to your score
          add 1 to bid

    Right:

        number bid
        step play
          each player
            you may choose offer from 2 to 4
              set bid to offer
          add bid to leader's score
    """
    table = list_hidable_declarations(facts.game)
    for var in (each.var for each in facts.own_bindings):
        declared = table.get(var.name)
        if declared is not None:
            what = describe_declaration(declared)
            hint = "rename the choice"
            if isinstance(declared, g.Track):
                hint += f", then store its value with `set {var.name} to …`"
            message = f"this new name `{var.name}` hides the {what} `{var.name}`, which does not change"
            yield Finding(var.span, message, hint, ((declared.origin.name, f"the {what}"),))


def list_hidable_declarations(game: g.Game) -> dict[str, NamedDeclaration]:
    nouns = {each.name: each for each in list_nouns(game) if each.subject is None}
    return {**game.kinds, **game.sets, **nouns}


def describe_declaration(declared: NamedDeclaration) -> str:
    match declared:
        case g.Track(type=type_):
            return type_.of or type_.tag
        case g.CardSet():
            return "set of cards"
        case g.Define():
            return "definition"
    return type(declared).__name__.lower()


@rule("W407", "Choice never used")
def find_unused_choices(facts: GameFacts) -> Iterator[Finding]:
    """A player chooses this value, or `remember` stores it, but no rule uses it. A
    choice called `guess` doesn't change `your guess`. Write
    `set your guess to guess`, or use `guess` in the lines below.

    Wrong:

        number your guess
        step setup
          each player
            you choose guess from 1 to 3
            add your guess to your score
            add 1 to your guess

    Right:

        number your guess
        step setup
          each player
            you choose guess from 1 to 3
            set your guess to guess
            add your guess to your score
    """
    game = facts.game
    # Other rules report these names.
    reported: set[str] = {*list_hidable_declarations(game)}
    for part in facts.find_nodes(g.Compare):
        if part.left == part.right and isinstance(part.left, g.Attribute):
            reported.add(part.left.attribute)
    for each in find_unused_bindings(facts):
        var, is_chosen = each.var, each.kind == "choice"
        if var.name in reported:
            continue
        track = find_intended_track(game, var)
        hint = "use it in the lines below" if is_chosen else "use it, or delete the line"
        related: tuple[tuple[Span, str], ...] = ()
        if track is not None:
            hint = f"to store it, write `set {get_possessive(track)}{track.name} to {var.name}`"
            related = ((track.origin.name, f"the {describe_declaration(track)} `{track.name}` does not change"),)
        message = f"`{var.name}` is {'chosen' if is_chosen else 'remembered'} here but never used"
        yield Finding(var.span, message, hint, related)


def find_unused_bindings(facts: GameFacts) -> list[Binding]:
    places: dict[int, set[Span]] = {}
    for var in facts.find_nodes(g.Var):
        places.setdefault(var.id, set()).add(var.span)
    return [each for each in facts.own_bindings if places[each.var.id] <= {each.var.span}]


def find_intended_track(game: g.Game, var: g.Var) -> g.Track | None:
    """Return the track with a value's name, or with a very similar one."""
    near = [
        track.name for track in game.tracks.values() if (track.type.tag, track.type.of) == (var.type.tag, var.type.of)
    ]
    found = get_close_matches(var.name, near, 1, SIMILAR_NAME_CUTOFF)
    return game.tracks.get(var.name) or (game.tracks[found[0]] if found else None)


def get_possessive(track: g.Track) -> str:
    return {"player": "your ", None: ""}.get(track.subject, f"that {track.subject}'s ")


# ---------------------------------------------------------------- capitalisation
@rule("W408", "Names that differ only in capitals")
def find_capitalization_clashes(facts: GameFacts) -> Iterator[Finding]:
    """Names are case-sensitive, so `Table` and `table` are two different names.
    Usually only one was meant. Use one spelling, or rename one of them. A kind can
    share its name with something else: `Team` and `your team`.

    Wrong:

        zone Table
        step setup
          shuffle deck
          move top of deck to Table
          remove top of Table to table

    Right:

        zone tray
        step setup
          shuffle deck
          move top of deck to tray
          remove top of tray to table
    """
    # By convention, names in the first group start with a capital: `Team` and `team` can coexist, `Deck` and `deck`
    # cannot.
    game = facts.game
    capital: list[NamedDeclaration] = [*game.kinds.values(), *game.sets.values(), *game.rankings.values()]
    small: list[NamedDeclaration] = [*list_nouns(game), *game.orders.values()]
    groups = [[(each.name, each.origin.name) for each in nouns] for nouns in (capital, small, game.steps.values())]
    groups += [[(member.name, kind.origin.name) for member in kind.members] for kind in game.kinds.values()]
    for group in groups:
        first: dict[str, tuple[str, Span]] = {}
        for name, span in sorted(group, key=lambda each: (facts.is_own(each[1]), each[1].start)):
            other, place = first.setdefault(name.lower(), (name, span))
            if other != name:
                yield Finding(
                    span,
                    f"`{name}` and `{other}` are two names that differ only in capitals",
                    "if they are one thing, write the name one way everywhere. Otherwise rename one",
                    ((place, "the other name"),) if place != span else (),
                )


# ---------------------------------------------------------------- tracks and zones that never change
@rule("W409", "Never changes")
def report_unset_tracks(facts: GameFacts) -> Iterator[Finding]:
    """The rules read this number, flag, player or value, but no rule sets it. It
    stays 0, `no`, `nobody` or `nothing` for the whole game. Change it in the
    rules. If it is something that players pay with, let them receive some first.
    If it should stay the same, add `starts at` or use `define`.

    Wrong:

        number round
        step play
          each player
            if round < 3
              add 1 to your score

    Right:

        number round
        step play
          add 1 to round
          each player
            if round < 3
              add 1 to your score
    """
    for track in find_unset_tracks(facts):
        kind = track.type.of or track.type.tag
        start = {"number": "0", "flag": "no", "player": "no player"}.get(track.type.tag, "nothing")
        named = f"{get_possessive(track)}{track.name}"
        change = f"`add … to {named}`" if kind == "number" else f"`set {named} to …`"
        hint = f"change it in a step ({change}), or set its value with `starts at`"
        yield Finding(track.origin.name, f"the {kind} `{track.name}` never changes: it is always {start}", hint)


def find_unset_tracks(facts: GameFacts) -> list[g.Track]:
    """Return the game's own tracks that have no start, are used, and never change."""
    # Costs don't count, since paying requires an earlier gain. Other rules report shadowed and unused names.
    tracks = facts.game.tracks
    changed = {change.track for change in facts.track_changes} | {each.var.name for each in facts.own_bindings}
    intended = [find_intended_track(facts.game, each.var) for each in find_unused_bindings(facts)]
    changed |= {track.name for track in intended if track is not None}
    used = find_used_names(facts) | {"score"}
    return [
        track
        for track in tracks.values()
        if facts.is_own(track.origin.name) and not track.starts and track.name in used - changed
    ]


@rule("W415", "Zone always empty")
def find_unfilled_zones(facts: GameFacts) -> Iterator[Finding]:
    """The rules look at this zone or take cards from it, but no card ever goes there.
    Move cards there, let a set of cards start there, or delete the zone.

    Wrong:

        zone nook
        step play
          each player
            add count of nook to your score

    Right:

        zone nook
        step play
          shuffle deck
          put top of deck to nook
          each player
            add count of nook to your score
    """
    filled = {card_set.home for card_set in facts.game.sets.values()}
    filled |= {transfer.to.zone for transfer in facts.transfers}
    used_at = {part.zone: part.span for part in reversed(facts.find_nodes(g.ZoneCards))}
    for name in used_at.keys() - filled:
        zone = facts.game.zones[name]
        yield Finding(
            zone.origin.name,
            f"no card ever enters `{name}`",
            f"move cards there (`deal … to {'your ' if zone.subject == 'player' else ''}{name}`), "
            "start a set of cards there, or delete the zone",
            ((used_at[name], "the rules use its cards here"),),
        )


# ---------------------------------------------------------------- rules of all cards of a set
@rule("W437", "Rule of all cards below a row")
def find_set_rules_below_rows(facts: GameFacts) -> Iterator[Finding]:
    """This step or definition stands below a row of cards, but it isn't indented
    more than the row, so all cards of the set have it. If only the cards of the
    row above have it, indent it more. Otherwise move it above the rows.

    Wrong:

        number your coins
        cards Goblins in deck with cost
          4 of "Busker", 1
          step arrival "Take 2 coins."
            add 2 to your coins
          2 of "Diva", 5
        step setup
          each player
            do (top of deck)'s arrival

    Right:

        number your coins
        cards Goblins in deck with cost
          4 of "Busker", 1
            step arrival "Take 2 coins."
              add 2 to your coins
          2 of "Diva", 5
        step setup
          each player
            do (top of deck)'s arrival
    """
    for cards in facts.game.sets.values():
        titles = {facts.game.faces[row.face].span: row.title for row in cards.rows if row.face is not None}
        for span in filter(None, map(find_card_rule_head, cards.bears)):
            above = [row for row in titles if row.source is span.source and row.start < span.start]
            if above:
                row = max(above, key=lambda row: row.start)
                message = f"all cards of {cards.name} have this, though it stands below the row of “{titles[row]}”"
                hint = f"if only “{titles[row]}” has it, indent it and the lines below it by 2 more spaces. "
                yield Finding(span, message, f"{hint}Otherwise move it above the rows", ((row, "the row above"),))


def find_card_rule_head(rule_: g.CardRule) -> Span | None:
    """Return the place of the word and name that a step or definition of cards begins with, or None."""
    match rule_:
        case g.BorneStepBody(name=name, body=(first, *_)):
            word, body = "step", first.span
        case g.BorneBody(name=name, value=value):
            word, body = "define", value.span
        case _:
            return None
    heads = list(re.finditer(rf"^ *({word} +{re.escape(name)})\b", body.source.text[: body.start], re.MULTILINE))
    return Span(body.source, *heads[-1].span(1)) if heads else None
