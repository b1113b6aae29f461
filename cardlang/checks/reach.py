"""Check of unreachable code: cases, branches, options and statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from attrs import frozen

from cardlang import game as g
from cardlang.checks.known import NO, YES, Given, Known, compared
from cardlang.checks.loops import through
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies, eliminates, everything, has_chance, is_random, walk
from cardlang.source import Diagnostic, Span

World = tuple[Known, Given]
Condition = g.Expr | None

LONGEST = 200
"""Limit of a chain: only this many conditions are compared with each other."""


@frozen
class Chain:
    """Chain of conditions of which the first true one counts. A condition None is always true.

    `about` has a variable, and the number of cards or members it ranges over."""

    conditions: tuple[Condition, ...]
    places: tuple[Span, ...]
    about: tuple[int, int] | None = None


def check_cases(game: g.Game) -> Iterator[Diagnostic]:
    """Report cases and branches whose condition is never true, or only if an earlier one is true."""
    varied = None if game.variant is None else varied_spans(game)
    for chain in chains(game):
        worlds = list(worlds_of(game, chain))
        for number, condition in enumerate(chain.conditions):
            if condition is not None and is_own(game, condition.span, varied):
                yield from never_reached(chain, number, worlds)


def is_own(game: g.Game, span: Span, varied: list[Span] | None) -> bool:
    """Return whether a line is in the game's own file; in a variant, in the variant's own lines.

    Lines that a variant inherits may have cases that only the original game needs."""
    own = span.source is own_source(game)
    return own and (varied is None or any(each.start <= span.start < each.end for each in varied))


def varied_spans(game: g.Game) -> list[Span]:
    items: list[g.Define | g.Step] = [*game.defines.values(), *game.steps.values()]
    return [item.origin.span for item in items if item.origin.varied]


def chains(game: g.Game) -> Iterator[Chain]:
    about = {}
    for define in game.defines.values():
        count = len(game.faces) if define.subject == "card" else 0
        count = len(game.kinds[define.subject].members) if define.subject in game.kinds else count
        if define.var is not None and count:
            about[id(define.value)] = (define.var.id, count)
    followed: set[int] = set()
    branching = [part for part in everything(game) if isinstance(part, g.Cases | g.If)]
    for part in sorted(branching, key=lambda each: each.span.start):
        if isinstance(part, g.Cases):
            conditions = tuple(condition for _, condition in part.cases)
            yield Chain(conditions, tuple(each.span if each else part.span for each in conditions), about.get(id(part)))
        elif id(part) not in followed:
            branches = list(branches_of(part))
            followed |= {id(branch) for branch in branches}
            yield Chain(
                tuple(branch.condition for branch in branches), tuple(branch.condition.span for branch in branches)
            )


def branches_of(branch: g.If) -> Iterator[g.If]:
    """Yield an `if` and its chain of `otherwise if`."""
    yield branch
    match branch.otherwise:
        case (g.If() as other,):
            yield from branches_of(other)


def worlds_of(game: g.Game, chain: Chain) -> Iterator[World]:
    """Yield a world for every relevant player count, and for every card or member."""
    counting = any(isinstance(part, g.Builtin) and part.name == "players" for part in walk(chain.conditions))
    counts = range(max(game.seats) + 1) if eliminates(game) else game.seats
    for players in counts if counting else (None,):
        known = Known(game, players, settings=False)
        if chain.about is None:
            yield known, {}
        else:
            yield from ((known, {chain.about[0]: Fraction(place)}) for place in range(chain.about[1]))


def never_reached(chain: Chain, number: int, worlds: Sequence[World]) -> Iterator[Diagnostic]:
    condition = chain.conditions[number]
    if condition is None:
        return
    possible = [world for world in worlds if world[0].value(condition, world[1]) != NO]
    if not possible:
        if worlds:
            yield finding(
                "this condition is never true",
                chain.places[number],
                "change the condition, or the rules that make it impossible",
            )
        return
    before = {hiding(chain, number, world) for world in possible}
    if None not in before:
        related = tuple(
            (chain.places[each], "this condition is true first")
            for each in sorted(before, key=lambda n: n or 0)
            if each is not None
        )
        condition_before = chain.conditions[min(each for each in before if each is not None)]
        same = condition_before is not None and implies(condition_before, condition)
        yield finding(
            "this case is never reached: whenever it is true, an earlier condition is true too",
            chain.places[number],
            "change one of the two conditions" if same else "put the narrower condition first",
            related,
        )


def finding(message: str, span: Span, hint: str, related: tuple[tuple[Span, str], ...] = ()) -> Diagnostic:
    return Diagnostic("W412", message, span, hint, related, warning=True)


def hiding(chain: Chain, number: int, world: World) -> int | None:
    """Return the first earlier condition that is true whenever the given one is, or None."""
    condition, (known, given) = chain.conditions[number], world
    if number > LONGEST:
        return None
    for place, earlier in enumerate(chain.conditions[:number]):
        if earlier is None or condition is None:
            continue
        if known.value(earlier, given) == YES or implies(condition, earlier):
            return place
    return None


def implies(narrow: g.Expr, wide: g.Expr) -> bool:
    """Return whether one condition implies the other. True is certain, False is not."""
    if has_chance(narrow) or has_chance(wide):
        return False
    if narrow == wide:
        return True
    if isinstance(narrow, g.Or):
        return implies(narrow.left, wide) and implies(narrow.right, wide)
    if isinstance(wide, g.And):
        return implies(narrow, wide.left) and implies(narrow, wide.right)
    if isinstance(narrow, g.And) and (implies(narrow.left, wide) or implies(narrow.right, wide)):
        return True
    if isinstance(wide, g.Or) and (implies(narrow, wide.left) or implies(narrow, wide.right)):
        return True
    return closer(narrow, wide)


def closer(narrow: g.Expr, wide: g.Expr) -> bool:
    """Return whether a comparison implies another one of the same value with a constant, as `x > 5` implies `x > 3`."""
    match narrow, wide:
        case (
            g.Compare(operator=near, left=left, right=g.Const(value=int() | Fraction() as a)),
            g.Compare(operator=far, left=other, right=g.Const(value=int() | Fraction() as b)),
        ) if left == other and left.type.tag in ("number", "member"):
            first, second = Fraction(a), Fraction(b)
            if near == "=":
                return compared(far, first, second) == YES
            if near in (">", ">=") and far in (">", ">="):
                return first > second or (first == second and (near == ">" or far == ">="))
            if near in ("<", "<=") and far in ("<", "<="):
                return first < second or (first == second and (near == "<" or far == "<="))
            return far == "!=" and ((near, first <= second) == ("<", True) or (near, first >= second) == (">", True))
    return False


def check_possible(game: g.Game) -> Iterator[Diagnostic]:
    """Report lists in `first possible` that are part of an earlier list."""
    for part in everything(game):
        if isinstance(part, g.FirstPossible) and part.span.source is own_source(game):
            lists = [each for each, _ in part.lists]
            for place, narrow in enumerate(lists):
                wide = next((each for each in lists[:place] if is_part_of(narrow, each)), None)
                if wide is not None:
                    yield finding(
                        "this list is never reached: whenever it has cards, an earlier list has cards too",
                        narrow.span,
                        "put the narrower list first",
                        ((wide.span, "this list is used first"),),
                    )


def is_part_of(narrow: g.Expr, wide: g.Expr) -> bool:
    return not has_chance(narrow) and (
        narrow == wide or (isinstance(narrow, g.Filter) and is_part_of(narrow.list, wide))
    )


# ---------------------------------------------------------------- comparisons of a value with itself
def check_comparisons(game: g.Game) -> Iterator[Diagnostic]:
    """Report comparisons of a value with itself."""
    for part in everything(game):
        if isinstance(part, g.Compare) and part.left == part.right and part.span.source is own_source(game):
            if any(map(is_random, through(game, part))) or isinstance(part.left, g.Const):
                continue
            holds = part.operator in ("=", "<=", ">=")
            yield Diagnostic(
                "W416",
                f"both sides are the same, so this is {'always' if holds else 'never'} true",
                part.span,
                "say whose value one side is, as in `that card's …` or `your …`. If a column and a choice share a "
                "name, the name means the column",
                warning=True,
            )


# ---------------------------------------------------------------- options, statements
def check_closed(game: g.Game) -> Iterator[Diagnostic]:
    """Report options with a condition that is never true."""
    for body in bodies(game):
        for part in walk(body):
            if isinstance(part, g.Option) and part.span.source is own_source(game):
                never = [when for when, _ in part.when if holds_nowhere(game, when)]
                for condition in never[:1]:
                    yield finding(
                        f"`{part.name}` is never legal: this condition is never true",
                        condition.span,
                        "change the condition, or the rules that make it impossible",
                    )


def holds_nowhere(game: g.Game, condition: g.Expr) -> bool:
    chain = Chain((condition,), (condition.span,))
    return all(known.value(condition, given) == NO for known, given in worlds_of(game, chain))


def check_after_finish(game: g.Game) -> Iterator[Diagnostic]:
    """Report statements after one that always ends the step or the game."""
    for part in (part for body in bodies(game) for part in (body, *walk(body))):
        blocks = [part] if isinstance(part, tuple) else [getattr(part, name, ()) for name in BLOCKS]
        for block in blocks:
            statements = [each for each in block if isinstance(each, g.Stmt) and not isinstance(each, g.Aside)]
            for place, statement in enumerate(statements[:-1]):
                if always_finishes(statement):
                    span = statements[place + 1].span
                    if span.source is own_source(game):
                        yield finding(
                            "this line is never reached: the line before always ends the step or the game",
                            span,
                            "move it before the `finish`, or put the `finish` below an `if`",
                            ((statement.span, "it ends here"),),
                        )
                    break


BLOCKS = ("then", "otherwise", "body")


def always_finishes(statement: g.Stmt) -> bool:
    match statement:
        case g.Finish():
            return True
        case g.If(then=then, otherwise=otherwise):
            return any(map(always_finishes, then)) and any(map(always_finishes, otherwise))
    return False
