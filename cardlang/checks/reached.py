"""Coverage notes: parts of the rules that playtests never reached."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import bodies_done, everything, walk
from cardlang.source import Diagnostic, Span

Body = tuple[g.Stmt, ...]
NOT_REACHED = "N501"


@frozen
class Branch:
    """Branch of a statement.

    `mark` is the place that coverage records. `span` is the place to report, and `words` the message."""

    mark: Span
    span: Span
    words: str
    body: Body


def check_reached(game: g.Game, reached: frozenset[Span], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each option, reaction, branch, case, rank and step of the game's own file that was never
    reached.

    `reached` are the covered places. Parts nested in unreached code are left out. `matches` is the number of matches,
    in words."""
    for span, words in never_reached(game, reached):
        yield Diagnostic(NOT_REACHED, f"{words} in {matches}", span, warning=True)


Found = tuple[Span, str]


def never_reached(game: g.Game, reached: frozenset[Span]) -> Iterator[Found]:
    """Yield the places that `check_reached` reports, with a message each."""
    seeker = Seeker(game, reached)
    found = [*seeker.branches(), *seeker.cases(), *seeker.ranks()]
    yield from sorted((each for each in found if each[0].source is own_source(game)), key=lambda each: each[0].start)


class Seeker:
    def __init__(self, game: g.Game, reached: frozenset[Span]) -> None:
        self.game = game
        self.reached = reached
        self.announced: set[str] = set()
        self.done: set[str] = set()

    def branches(self) -> Iterator[Found]:
        """Yield the unreached branches of reached bodies. Steps and reactions count only if a reached statement calls
        them."""
        for body in self.begun():
            yield from self.within(body)
        for step in self.game.steps.values():
            if step.name in self.done and step.body and step.body[0].span not in self.reached:
                yield step.origin.name, f"the step `{step.name}` never ran"
        for reaction in self.game.reactions:
            if self.announced & set(reaction.to) and reaction.option.span not in self.reached:
                yield reaction.origin.name, f"no player reacted with `{reaction.name}`"

    def begun(self) -> Iterator[Body]:
        bodies = [step.body for step in self.game.steps.values()]
        bodies += [reaction.option.body for reaction in self.game.reactions]
        bodies += [trigger.body for trigger in self.game.enters] + [trigger.body for trigger in self.game.whenevers]
        bodies += [each.body for borne in self.game.borne_steps.values() for each in borne.bodies if each]
        yield from dict.fromkeys(body for body in bodies if body and body[0].span in self.reached)

    def within(self, body: Body) -> Iterator[Found]:
        for statement in body:
            if isinstance(statement, g.Do):
                self.done.add(statement.step)
            elif isinstance(statement, g.Announce):
                self.announced.add(statement.name)
            for branch in branches_of(statement):
                if branch.mark in self.reached:
                    yield from self.within(branch.body)
                else:
                    yield branch.span, branch.words

    def cases(self) -> Iterator[Found]:
        """Yield the unreached cases of definitions that were evaluated."""
        for part in everything(self.game):
            if isinstance(part, g.Cases):
                values = [value.span for value, _ in part.cases]
                if self.reached & set(values):
                    yield from ((span, "this case was never used") for span in values if span not in self.reached)

    def ranks(self) -> Iterator[Found]:
        """Yield the ranks that no player had, of rankings that were evaluated. Groups of cards have no overall rank."""
        for ranking in self.game.rankings.values():
            if ranking.size != "groups" and any(rank.span in self.reached for rank in ranking.ranks):
                never = [rank for rank in ranking.ranks if rank.span not in self.reached]
                yield from ((rank.span, f"no player had a `{rank.title}`") for rank in never)


def branches_of(statement: g.Stmt) -> Iterator[Branch]:
    match statement:
        case g.If(condition=condition, then=then, otherwise=otherwise):
            yield from block(then, condition.span, "this `if` was never true")
            yield from block(otherwise, None, "this `otherwise` was never reached")
        case g.Each(together=True, body=body):
            yield from (branch for each in body for branch in branches_of(each))
        case g.Each(body=body) | g.Repeat(body=body):
            yield from block(body, statement.span, "this loop never started")
        case g.Choose(body=body):
            yield from block(body, statement.span, "nothing was ever chosen here")
        case g.Menu(options=options) | g.Offer(options=options):
            for option in options:
                yield Branch(option.span, option.span, f"the option `{option.name}` was never chosen", option.body)
            if isinstance(statement, g.Offer):
                yield from block(statement.otherwise, None, "this `otherwise` was never reached")
        case g.Announce(body=body, otherwise=otherwise):
            yield from block(body, statement.span, "this announcement was never carried out")
            yield from block(otherwise, None, "this `otherwise` was never reached")


def block(body: Body, span: Span | None, words: str) -> Iterator[Branch]:
    doing = [statement for statement in body if not isinstance(statement, g.Aside)]
    if doing:
        yield Branch(body[0].span, span or doing[0].span, words, body)


def turning(game: g.Game, reached: frozenset[Span]) -> Span | None:
    """Return the outermost of the loops in `reached`: the loop in which an endless match is stuck."""
    loops = [
        part for part in everything(game) if isinstance(part, g.Repeat) and part.body and part.body[0].span in reached
    ]
    inside = {id(other) for loop in loops for other in loops_in(game, loop)}
    return next((loop.span for loop in loops if id(loop) not in inside), loops[0].span if loops else None)


def loops_in(game: g.Game, loop: g.Repeat) -> Iterator[g.Repeat]:
    for body in bodies_done(game, loop.body):
        yield from (part for part in walk(body) if isinstance(part, g.Repeat))
