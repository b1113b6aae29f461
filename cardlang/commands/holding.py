"""Removal of failing examples, so that no rulebook prints an example that contradicts the rules.

Results are cached until the game or cardlang changes.
"""

from __future__ import annotations

from functools import partial

from attrs import evolve

import interpreter
from cardlang import kept
from cardlang.commands.files import load_game
from cardlang.game import Example, Game
from cardlang.terminal.telling import tell

Place = tuple[str, int]


def with_holding_examples(name: str, variant: str | None) -> Game:
    """Load a game without its failing examples and those of its variants, and print their titles.

    Raise the errors of `load_game`.
    """
    game = load_game(name, variant)
    failing = failing_examples(game, name)
    if not failing:
        return game
    games = [game, *(each.game for each in game.variants)]
    titles = {place(each): each.title for one in games for each in one.examples if place(each) in failing}
    told = ", ".join(f"“{title}”" for title in titles.values())
    tell(f"The rule sheet of {name} leaves out failing examples: {told}. See `cardlang test {name}`.", err=True)
    variants = tuple(evolve(each, make=partial(holding, each.game, failing)) for each in game.variants)
    return evolve(holding(game, failing), variants=variants)


def holding(game: Game, failing: frozenset[Place]) -> Game:
    """Return a game without the examples at the places in `failing`."""
    return evolve(game, examples=tuple(each for each in game.examples if place(each) not in failing))


def place(example: Example) -> Place:
    return example.origin.span.source.name, example.origin.span.start


def failing_examples(game: Game, name: str) -> frozenset[Place]:
    """Return the places of failing examples in the game and its variants."""
    texts = (text for source in game.sources for text in (source.name, source.text))
    key = ("examples", kept.code_of(interpreter.__path__[0]), game.variant or "", *texts)
    found = places(kept.find(*key))
    if found is None:
        games = [game] if game.variant is not None else [game, *(load_game(name, each.title) for each in game.variants)]
        found = frozenset(each for one in games for each in failing_in(one))
        kept.keep([[*each] for each in sorted(found)], *key)
    return found


def places(known: object) -> frozenset[Place] | None:
    """Return the places in a cached value, or None if its format is wrong."""
    if not isinstance(known, list) or not all(isinstance(each, list) for each in known):
        return None
    if not all([type(part) for part in each] == [str, int] for each in known):
        return None
    return frozenset((name, start) for name, start in known)


def failing_in(game: Game) -> list[Place]:
    from interpreter.matches.examples import run_example

    return [place(example) for example in game.examples if not run_example(game, example).passed]
