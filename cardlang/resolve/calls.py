"""Call graph of steps: no step may run inside itself, and only a running step can be finished."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang import game as g
from cardlang.resolve import codes
from cardlang.resolve.world import World
from cardlang.source import Span


def inside(statements: tuple[g.Stmt, ...]) -> Iterator[g.Stmt]:
    """Yield all statements of a block, including nested ones."""
    for statement in statements:
        yield statement
        yield from inside(blocks(statement))


def blocks(statement: g.Stmt) -> tuple[g.Stmt, ...]:
    match statement:
        case g.If():
            return statement.then + statement.otherwise
        case g.Each() | g.Repeat() | g.Choose():
            return statement.body
        case g.Announce():
            return statement.body + statement.otherwise
        case g.Menu():
            return tuple(s for option in statement.options for s in option.body)
        case g.Offer():
            return tuple(s for option in statement.options for s in option.body) + statement.otherwise
    return ()


Calls = dict[str, dict[str, Span]]


def check_calls(w: World, steps: dict[str, g.Step], elsewhere: Iterable[tuple[g.Stmt, ...]]) -> None:
    """Report recursion, and `finish` of a step that cannot be running.

    `elsewhere` has the bodies of reactions, triggers and cards. They may run inside any step, and so may the steps they
    call."""
    others = {s.step for body in elsewhere for s in inside(body) if isinstance(s, g.Do)}
    statements = {name: list(inside(step.body)) for name, step in steps.items()}
    calls: Calls = {name: {s.step: s.span for s in found if isinstance(s, g.Do)} for name, found in statements.items()}
    if report_recursion(w, calls):
        return
    for name in reached(calls, ("setup", "play")) - reached(calls, others):
        for statement in statements[name]:
            if isinstance(statement, g.Finish) and statement.step != "game":
                report_idle(w, statement, running(calls, name))


def report_recursion(w: World, calls: Calls) -> bool:
    """Report the first recursion and return whether there is one. The depth-first search has an explicit stack, since
    call chains can be long."""
    done: set[str] = set()
    for root in calls:
        path, waiting = [root], [iter(calls[root])]
        while waiting:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                done.add(path.pop())
            elif step in path:
                report_ring(w, calls, path[path.index(step) :])
                return True
            elif step not in done and step in calls:
                path.append(step)
                waiting.append(iter(calls[step]))
    return False


def report_ring(w: World, calls: Calls, ring: list[str]) -> None:
    ends = zip(ring, [*ring[1:], ring[0]], strict=True)
    spans = [(calls[a][b], f"`{a}` does `{b}` here") for a, b in ends]
    message = f"`{ring[0]}` runs itself"
    hint = "use `repeat` instead. Only reactions and steps of cards can run themselves"
    w.error(codes.RECURSION, message, spans[0][0], hint, tuple(spans[1:]))


def reached(calls: Calls, roots: Iterable[str]) -> set[str]:
    """Return the steps reachable from the roots, including the roots."""
    found: set[str] = set()
    waiting = [root for root in roots if root in calls]
    while waiting:
        step = waiting.pop()
        if step not in found:
            found.add(step)
            waiting += [below for below in calls[step] if below in calls]
    return found


def running(calls: Calls, step: str) -> set[str]:
    """Return the steps that may be running while this one runs, including itself."""
    callers: dict[str, list[str]] = {}
    for caller, below in calls.items():
        for name in below:
            callers.setdefault(name, []).append(caller)
    found: set[str] = set()
    waiting = [step]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += callers.get(name, ())
    return found


def report_idle(w: World, statement: g.Finish, running_: set[str]) -> None:
    if statement.step in running_ or statement.step in w.step_bearers:
        return
    others = ", ".join(f"`{name}`" for name in sorted(running_))
    message = f"`{statement.step}` is never running here"
    w.error(codes.NOT_RUNNING, message, statement.span, f"finish one of these instead: {others} or `game`")
