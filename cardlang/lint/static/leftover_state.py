"""Lint rules for state that survives from round to round: scores, counters, cards on the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.dead_stores import find_read_tracks
from cardlang.lint.static.shared_game_facts import BODY_FIELDS, GameFacts, rule
from cardlang.model.statement_effects import CardTransfer, find_effects, iter_transfers
from cardlang.model.traversal import find_reachable_steps, iter_reachable_bodies, walk

MAX_EXAMINED_PARTS = 100
"""Maximum number of parts of a list to examine."""


@frozen
class TrackAssignment:
    """Assignment to a track. `is_unconditional` means that it runs in each iteration of its loop; `loop_depth` counts
    the nested loops around it."""

    statement: g.SetTrack
    is_unconditional: bool
    loop_depth: int


def iter_assignments(
    game: g.Game,
    body: Iterable[g.Stmt],
    is_unconditional: bool = True,
    loop_depth: int = 0,
    active_steps: tuple[str, ...] = (),
) -> Iterator[TrackAssignment]:
    """Yield the assignments of a body and of its steps, in order."""
    for statement in body:
        for change in find_effects(statement).track_changes:
            yield TrackAssignment(change, is_unconditional, loop_depth)
        match statement:
            case g.Do(step=name) if name not in active_steps:
                yield from iter_assignments(
                    game, game.steps[name].body, is_unconditional, loop_depth, (*active_steps, name)
                )
            case g.Each(body=inner, condition=condition):
                yield from iter_assignments(
                    game, inner, is_unconditional and condition is None, loop_depth, active_steps
                )
            case g.Repeat(body=inner):
                yield from iter_assignments(game, inner, False, loop_depth + 1, active_steps)
            case _:
                bodies = [option.body for option in find_effects(statement).options]
                for inner in (*bodies, *(getattr(statement, name, ()) for name in BODY_FIELDS)):
                    yield from iter_assignments(game, inner, False, loop_depth, active_steps)


# ---------------------------------------------------------------- scores
@rule("W424", "Score overwritten each round", checks_libraries=True)
def find_lost_scores(facts: GameFacts) -> Iterator[Finding]:
    """The loop sets the score again each round, so only the last round counts. To
    keep earlier points, write `add … to your score`. If the line gives a starting
    score, move it before the loop.

    Wrong:

        game "Example" for 2 players
        ordered kind Value: 1 to 9
        cards Pack in deck
          2 of each Value
        zone deck seen by nobody
        zone your hand seen by owner
        number your score
        number round
        step play
          repeat until round = 3
            add 1 to round
            move Pack to deck
            shuffle deck
            each player
              deal top 4 of deck to your hand
              set your score to total of your hand's value

    Right:

        game "Example" for 2 players
        ordered kind Value: 1 to 9
        cards Pack in deck
          2 of each Value
        zone deck seen by nobody
        zone your hand seen by owner
        number your score
        number round
        step play
          repeat until round = 3
            add 1 to round
            move Pack to deck
            shuffle deck
            each player
              deal top 4 of deck to your hand
              add total of your hand's value to your score
    """
    game = facts.game
    if "score" not in game.tracks or game.tracks["score"].restarts:
        return
    reported: set[Span] = set()
    for loop in facts.find_own_nodes(g.Repeat):
        code = [*iter_reachable_bodies(game, loop.body), *facts.triggered_bodies]
        code += [] if loop.until is None else [loop.until]
        if "score" in find_read_tracks(facts, code):
            continue
        own = list(iter_assignments(game, loop.body))
        sets = [each.statement for each in own if each.statement.operator == "=" and each.is_unconditional]
        restarted = {change.track for change in sets if isinstance(change.value, g.Const)}
        begun = find_reachable_steps(game, loop.body)
        restarted |= {name for name, track in game.tracks.items() if any(each.step in begun for each in track.restarts)}
        is_gathered = any(transfer.gathers_sets for transfer in iter_transfers(walk(tuple(code))))
        is_increased = any(each.statement.track == "score" and each.statement.operator != "=" for each in own)
        for change in sets:
            value, is_constant = change.value, isinstance(change.value, g.Const)
            is_renewed = bool(restarted & facts.find_tracks(value)) or (is_gathered and bool(facts.find_zones(value)))
            is_lost = change.track == "score" and (is_increased if is_constant else is_renewed)
            if is_lost and change.span not in reported:
                reported.add(change.span)
                keep = "to keep the earlier points, write `add … to your score`"
                yield Finding(
                    change.span,
                    "the score is set in each round and not used before, so only the last round counts",
                    "set it once, before the loop" if is_constant else keep,
                    ((loop.span, "the loop"),),
                )


# ---------------------------------------------------------------- counters
@rule("W426", "Counter never reset", checks_libraries=True)
def find_unreset_counters(facts: GameFacts) -> Iterator[Finding]:
    """Each deal adds this counter to the score, but nothing resets it, so the points
    of earlier deals count again. Set it to 0 at the start of each deal. If it
    should count for the whole game, write `starts at 0` in its declaration.

    Wrong:

        number round
        number your tricks
        step play
          repeat until round = 3
            add 1 to round
            move Pack to deck
            shuffle deck
            each player
              deal top 4 of deck to your hand
            add 1 to leader's tricks
            each player
              add your tricks to your score

    Right:

        number round
        number your tricks
        step play
          repeat until round = 3
            add 1 to round
            move Pack to deck
            shuffle deck
            each player
              set your tricks to 0
              deal top 4 of deck to your hand
            add 1 to leader's tricks
            each player
              add your tricks to your score
    """
    for loop in facts.find_own_nodes(g.Repeat):
        if not any(transfer.gathers_sets for transfer in iter_transfers(facts.walk_reachable(loop.body))):
            continue
        own = list(iter_assignments(facts.game, loop.body))
        changed = {each.statement.track for each in own}
        for statement in (each.statement for each in own if each.loop_depth == 0):
            if statement.track == "score" and statement.operator == "+":
                for name in sorted((facts.find_tracks(statement.value) & changed) - {"score"}):
                    if is_only_increased(facts, name):
                        yield Finding(
                            statement.value.span,
                            f"`{name}` is never reset, but is scored after each deal",
                            f"write `set your {name} to 0` at the start of each deal. To count through the whole game, "
                            f"declare `number your {name} starts at 0`",
                            ((facts.game.tracks[name].origin.name, "never reset"), (loop.span, "the deals")),
                        )


def is_only_increased(facts: GameFacts, name: str) -> bool:
    """Return whether a track of each player only ever increases.

    A track with an explicit start is left out: it is meant to count through the whole game."""
    track = facts.game.tracks[name]
    if track.subject != "player" or track.starts or track.restarts:
        return False
    return all(change.operator == "+" for change in facts.track_changes if change.track == name)


# ---------------------------------------------------------------- off-by-one loops
@rule("W427", "One round too many")
def find_off_by_one_loops(facts: GameFacts) -> Iterator[Finding]:
    """The loop counts its rounds from 0 and ends only when the count is above the
    limit. So it runs one round too many. Write `=` instead of `>`.

    Wrong:

        number round
        step play
          shuffle deck
          repeat until round > 3
            add 1 to round
            each player
              draw top of deck to your hand
              add count of your hand to your score

    Right:

        number round
        step play
          shuffle deck
          repeat until round = 3
            add 1 to round
            each player
              draw top of deck to your hand
              add count of your hand to your score
    """
    for loop in facts.find_nodes(g.Repeat):
        match loop.until:
            case g.Compare(operator=">", left=g.TrackValue(track=name, of=None), right=limit) as until:
                if is_loop_counter(facts, loop, name):
                    yield Finding(
                        until.span,
                        f"this loop runs one time more than `{limit.span.text}`, because `{name}` starts at 0",
                        f"write `{name} = {limit.span.text}`",
                        ((facts.game.tracks[name].origin.name, "it starts at 0"),),
                    )


def is_loop_counter(facts: GameFacts, loop: g.Repeat, name: str) -> bool:
    """Return whether a track starts at 0, and its only change is an increment of 1 per iteration of a loop."""
    track = facts.game.tracks[name]
    if track.starts or not isinstance(track.start, g.Const) or track.start.value:
        return False
    match [change for change in facts.track_changes if change.track == name]:
        case [g.SetTrack(operator="+", value=g.Const(value=1)) as only]:
            return any(part is only for part in loop.body)
    return False


# ---------------------------------------------------------------- tricks that are not cleared
@rule("W432", "Table not cleared", checks_libraries=True)
def find_uncleared_tables(facts: GameFacts) -> Iterator[Finding]:
    """In each round all players play a card to this zone, and the best one there
    wins. No rule clears the zone before the next round, so cards from earlier
    rounds compete again. Move them away at the end of the loop.

    Wrong:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
          repeat until leader's hand is empty
            each player from leader
              you play 1 from your hand to table
            set leader to (highest of table by value)'s owner
            add 1 to leader's score
          move table to deck

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
          repeat until leader's hand is empty
            each player from leader
              you play 1 from your hand to table
            set leader to (highest of table by value)'s owner
            add 1 to leader's score
            move table to deck
    """
    for loop in facts.find_own_nodes(g.Repeat):
        parts = facts.walk_reachable(loop.body)
        moves = [transfer for transfer in iter_transfers(parts) if not takes_single_card(transfer)]
        taken = {zone for transfer in moves for zone in iter_source_zones(facts.game, transfer.cards)}
        if None in taken or any(isinstance(part, g.Repeat) or find_effects(part).finished for part in parts):
            continue
        loops = [part for part in parts if isinstance(part, g.Each)]
        for zone in {zone for each in loops for zone in iter_zones_of_mandatory_plays(each)} - taken:
            best = next((part for part in parts if asks_best_card_owner(part, zone)), None)
            if isinstance(best, g.Expr) and is_cleared_elsewhere(facts, zone):
                yield Finding(
                    best.span,
                    f"nothing clears `{zone}` in this loop, so later rounds judge the earlier cards too",
                    f"move the cards away at the end of a round: `move {zone} to …`",
                    ((loop.span, "the loop"),),
                )


def takes_single_card(transfer: CardTransfer) -> bool:
    """Return whether a move takes a single card, so that others stay."""
    items = transfer.cards.items if isinstance(transfer.cards, g.Joined) else (transfer.cards,)
    return transfer.is_whole and len(items) == 1 and items[0].type.tag == "card"


def iter_source_zones(game: g.Game, cards: g.Expr) -> Iterator[str | None]:
    """Yield the zones that cards come from; None means any zone."""
    waiting, deep = [cards], MAX_EXAMINED_PARTS
    while waiting and deep:
        deep -= 1
        match waiting.pop():
            case g.ZoneCards(zone=zone):
                yield zone
            case g.Filter(list=inner) | g.Agg(list=inner) | g.AggBy(list=inner) | g.Sorted(list=inner):
                waiting.append(inner)
            case g.FirstPossible(lists=lists):
                waiting += [each for each, _ in lists]
            case g.Joined(items=items):
                waiting += items
            case g.MapEach(value=inner):
                waiting.append(inner)
            case g.Call(define=name):
                waiting.append(game.defines[name].value)
            case _:
                yield None


def iter_zones_of_mandatory_plays(loop: g.Each) -> Iterator[str]:
    """Yield the zones of the table to which every player in turn must play."""
    if isinstance(loop.list, g.Builtin) and loop.list.name == "players" and loop.condition is None:
        for effects in map(find_effects, loop.body):
            if effects.asks and not effects.may_pass:
                yield from (transfer.to.zone for transfer in effects.transfers if transfer.to.of is None)


def asks_best_card_owner(part: object, zone: str) -> bool:
    """Return whether a part asks for the owner of the best card of a zone."""
    if not (isinstance(part, g.Builtin) and part.name == "owner" and isinstance(part.of, g.AggBy)):
        return False
    return isinstance(part.of.list, g.ZoneCards) and part.of.list.zone == zone


def is_cleared_elsewhere(facts: GameFacts, zone: str) -> bool:
    return any({zone, None} & set(iter_source_zones(facts.game, transfer.cards)) for transfer in facts.transfers)
