"""The examples that hold, so that no sheet tells what the rules do not do. Played once, they are known until the game,
or cardlang, changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import evolve

import interpreter
from cardlang import kept
from cardlang import nodes as n
from cardlang.commands.files import load_game
from cardlang.game import Game
from cardlang.source import Span
from cardlang.terminal.telling import tell

Place = tuple[str, int]


def with_holding_examples(name: str, variant: str | None) -> Game:
    """The game without the examples that fail, its variants' too; says which they are. Raises what `load_game` does."""
    game = load_game(name, variant)
    failing = failing_examples(game, name)
    if not failing:
        return game
    titles = [item.title.text for item in examples_in(game.files[0].items) if place(item.span) in failing]
    told = ", ".join(f"“{title}”" for title in titles)
    tell(f"Left out of the sheet of {name}, as they fail: {told}. `cardlang test {name}` tells more.", err=True)
    files = (evolve(game.files[0], items=holding(game.files[0].items, failing)), *game.files[1:])
    return evolve(game, items=holding(game.items, failing), files=files)


def examples_in(items: Iterable[n.Item]) -> list[n.Example]:
    """The examples among items, those of variants included."""
    found = []
    for item in items:
        if isinstance(item, n.Example):
            found.append(item)
        elif isinstance(item, n.Variant):
            found += examples_in(item.items)
    return found


def holding(items: Iterable[n.Item], failing: frozenset[Place]) -> tuple[n.Item, ...]:
    """Items without the examples that fail."""
    left: list[n.Item] = []
    for item in items:
        if isinstance(item, n.Variant):
            left.append(evolve(item, items=holding(item.items, failing)))
        elif not isinstance(item, n.Example) or place(item.span) not in failing:
            left.append(item)
    return tuple(left)


def place(span: Span) -> Place:
    return span.source.name, span.start


def failing_examples(game: Game, name: str) -> frozenset[Place]:
    """Where the examples stand that fail, in the game and its variants."""
    sources = [file.span.source for file in game.files]
    texts = (text for source in sources for text in (source.name, source.text))
    key = ("examples", kept.code_of(interpreter.__path__[0]), game.variant or "", *texts)
    found = places(kept.find(*key))
    if found is None:
        games = [game] if game.variant is not None else [game, *(load_game(name, each.title) for each in game.variants)]
        found = frozenset(each for one in games for each in failing_in(one))
        kept.keep([[*each] for each in sorted(found)], *key)
    return found


def places(known: Any) -> frozenset[Place] | None:
    """The places in what was kept; None if it is something else."""
    if not isinstance(known, list) or not all(isinstance(each, list) for each in known):
        return None
    if not all([type(part) for part in each] == [str, int] for each in known):
        return None
    return frozenset((name, start) for name, start in known)


def failing_in(game: Game) -> list[Place]:
    from interpreter.matches.examples import run_example

    return [place(example.node.span) for example in game.examples if not run_example(game, example).passed]
