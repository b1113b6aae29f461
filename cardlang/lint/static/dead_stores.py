"""Lint rules for dead stores: values that are set but never read, overwritten or unchanged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang import model as g
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.constant_values import NO, YES, ConstantEvaluator
from cardlang.lint.static.shared_game_facts import BODY_FIELDS, GameFacts, rule
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import has_random_draw, iter_bodies, iter_reachable_bodies, walk


def find_read_tracks(facts: GameFacts, code: Iterable[object]) -> set[str]:
    """Return the tracks that some code reads. Adding to a track doesn't count as reading it."""
    found: set[str] = set()
    for part in (part for each in code for part in walk(each)):
        if isinstance(part, g.TrackValue):
            found.add(part.track)
        elif isinstance(part, g.Builtin) and part.name == "winners":
            found |= {"score", *find_result_tracks(facts)}
        elif isinstance(part, g.Option):
            found |= {track for _, track, _ in part.costs}
        elif isinstance(part, g.Call | g.Sorted | g.AggBy | g.ReadRanking | g.IsReading):
            found |= facts.find_tracks(part)
    return found


def find_result_tracks(facts: GameFacts) -> set[str]:
    """Return the tracks that decide the result of a match."""
    defines = facts.game.defines
    ends = [defines[name].value for name in ("score", "standing", "winners") if name in defines]
    return {"score"}.union(*map(facts.find_tracks, ends))


def find_watched_tracks(facts: GameFacts) -> set[str]:
    """Return the tracks in conditions of triggers."""
    return set().union(*(facts.find_tracks(trigger.condition) for trigger in facts.game.whenevers))


# ---------------------------------------------------------------- dead stores
@rule("W425", "Set but never read")
def find_unread_final_values(facts: GameFacts) -> Iterator[Finding]:
    """No rule reads this value after the line sets it, because the game ends first.
    Often the line should run in each round: indent it into the loop above.

    Wrong:

        number round
        player dealer starts at random of players
        step play
          shuffle deck
          repeat until round = 3
            add 1 to round
            dealer draws 1 from top of deck to your hand
            add count of dealer's hand to dealer's score
          set dealer to dealer's left

    Right:

        number round
        player dealer starts at random of players
        step play
          shuffle deck
          repeat until round = 3
            add 1 to round
            dealer draws 1 from top of deck to your hand
            add count of dealer's hand to dealer's score
            set dealer to dealer's left
    """
    game = facts.game
    body = game.steps["play"].body if "play" in game.steps else ()
    always = find_read_tracks(facts, facts.triggered_bodies) | find_result_tracks(facts) | find_watched_tracks(facts)
    always |= {show.name for show in game.shows} | {role.name for role in game.roles}
    always |= {each.var.name for each in facts.own_bindings}  # another rule reports shadowed names
    for place, statement in enumerate(body):
        for change in find_effects(statement).track_changes if facts.is_own(statement.span) else ():
            after = [part for each in body[place + 1 :] for part in iter_reachable_bodies(game, (each,))]
            is_read = change.track in find_read_tracks(facts, iter_bodies(game))
            if is_read and change.track not in always | find_read_tracks(facts, after):
                hint = "if it belongs to each round, indent it into the loop above, or delete it"
                yield Finding(statement.span, f"`{change.track}` is set here but never read afterwards", hint)


# ---------------------------------------------------------------- overwritten values
@rule("W435", "Overwritten")
def find_overwritten_values(facts: GameFacts) -> Iterator[Finding]:
    """This change is lost, because a line below sets the same thing before any rule
    reads it. Delete one of the lines, or put the second one under an `if`.

    Wrong:

        number your oil starts at 3
        step play
          each player
            add 2 to your oil
            set your oil to 4
            add your oil to your score

    Right:

        number your oil starts at 3
        step play
          each player
            add 2 to your oil
            if your oil > 4
              set your oil to 4
            add your oil to your score
    """
    watched = find_watched_tracks(facts)
    inner = [getattr(part, name, ()) for part in facts.find_nodes(g.Stmt, g.Option) for name in BODY_FIELDS]
    for block in (*iter_bodies(facts.game), *inner):
        for place, statement in enumerate(block):
            if isinstance(statement, g.SetTrack) and facts.is_own(statement.span) and statement.track not in watched:
                again = find_overwriting_statement(facts, statement, block[place + 1 :])
                if again is not None:
                    yield Finding(
                        statement.span,
                        f"this change of `{statement.track}` is lost: another line sets it before anything uses it",
                        "delete one of the two lines, or put one below an `if`",
                        ((again.span, "it is set again here"),),
                    )


def find_overwriting_statement(
    facts: GameFacts, first: g.SetTrack, after: tuple[g.Stmt | g.Option, ...]
) -> g.SetTrack | None:
    """Return the statement that overwrites a value, if no statement before it uses the value or takes time."""
    for statement in after:
        if not isinstance(statement, g.SetTrack | g.Remember | g.Aside):
            return None
        if first.track in find_read_tracks(facts, (statement,)):
            return None
        if isinstance(statement, g.SetTrack) and statement.track == first.track and statement.operator == "=":
            return statement if (statement.of, statement.second) == (first.of, first.second) else None
    return None


# ---------------------------------------------------------------- assignments without effect
NEUTRAL_ELEMENTS = {"+": NO, "-": NO, "*": YES, "/": YES}
"""Neutral element by operator."""


@rule("W436", "No effect")
def find_no_op_assignments(facts: GameFacts) -> Iterator[Finding]:
    """This line adds or subtracts 0, or sets something to the value it already has.
    Change the line or delete it. A loop that waits for a change would never end.
    If an option should do nothing, it needs no lines below it.

    Wrong:

        number round
        step play
          repeat until round = 3
            add 0 to round
            add 1 to leader's score

    Right:

        number round
        step play
          repeat until round = 3
            add 1 to round
            add 1 to leader's score
    """
    for change in facts.track_changes:
        if change.operator != "=":
            has_no_effect = facts.constants.evaluate(change.value, {}) == NO
        else:
            is_same = equals_current_value(facts.constants, change.value, change)
            has_no_effect = is_same and not has_random_draw(change.of)
        if has_no_effect:
            hint = "write another value, or delete the line. An option can have no lines below it"
            yield Finding(change.span, f"this line does not change `{change.track}`", hint)


def equals_current_value(evaluator: ConstantEvaluator, value: g.Expr, statement: g.SetTrack) -> bool:
    """Return whether a value equals the statement's track before the assignment."""
    match value:
        case g.TrackValue(track=track, of=of, second=second):
            return (track, of, second) == (statement.track, statement.of, statement.second)
        case g.Arith(operator=sign, left=left, right=right):
            neutral = NEUTRAL_ELEMENTS[sign]
            if evaluator.evaluate(right, {}) == neutral and equals_current_value(evaluator, left, statement):
                return True
            return (
                sign in "+*"
                and evaluator.evaluate(left, {}) == neutral
                and equals_current_value(evaluator, right, statement)
            )
    return False
