"""A small deck, and counts of its hands by enumeration with the compiled game."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import cardlang
from cardlang import model as g
from interpreter.gametree.hand_value_odds import count_values
from interpreter.match.state_edits import FactParser, apply_given_facts, build_named_value
from interpreter.program.program import compile_game
from interpreter.runtime.value_formatting import get_default_names
from tests.game_files import read_game

DECK = read_game("small")

RANKING = read_game("small_ranking")

DOMINOES = read_game("dominoes")


def load_small_deck(rules: str, wild: str = "") -> g.Game:
    """Return the small deck with definitions, and the ranking with a `wild` line."""
    return cardlang.loads(DECK + RANKING.format(wild=wild) + rules, "small")


def evaluate_each_deal(game: g.Game, name: str, given: str, sizes: Mapping[str, int]) -> Counter[Any]:
    """Evaluate each deal from `deck` to the first player's zones or the table's."""
    program = compile_game(game, min(game.seats))
    state = program.create_blank_state(0)
    reader = FactParser(game, get_default_names(program.players))
    apply_given_facts(program, state, g.Given(tuple(reader.parse_facts(given)), reader.span))
    expr = build_named_value(game, name, reader.span)
    piles = [program.zone_base[zone] for zone in sizes]
    there = [list(state.z[pile]) for pile in piles]
    counts: Counter[Any] = Counter()
    for dealt in list_deals(list(state.z[program.zone_base["deck"]]), list(sizes.values())):
        changed = program.clone(state)
        for pile, before, cards in zip(piles, there, dealt, strict=True):
            changed.z[pile] = [*before, *cards]
            for card in cards:
                changed.loc[card] = pile
                seat = program.layout.seat_of[pile]
                changed.owner[card] = seat if seat >= 0 else changed.owner[card]
        value = program.evaluate(expr, changed)
        counts[plain(game, expr.type, value)] += 1
    return counts


def plain(game: g.Game, type_: g.Type, value: Any) -> Any:
    if value is None:
        return None
    if type_.tag == "reading":
        return value.title
    return game.kinds[str(type_.of)].members[value].name if type_.tag == "member" else value


def list_deals(deck: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    if not sizes:
        yield []
        return
    for cards in combinations(deck, sizes[0]):
        left = [card for card in deck if card not in cards]
        for others in list_deals(left, sizes[1:]):
            yield [cards, *others]


def count_ranks(game: g.Game, ranking: str) -> dict[str, int]:
    """Return by title, best rank first, the number of hands that make each rank."""
    return {title: number for title, number in count_values(game, ranking).counts.items() if title is not None}
