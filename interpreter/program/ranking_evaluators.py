"""Hand evaluators of a program's rankings, with their caches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardlang import model as g
from interpreter.hands.hand_evaluator import HandEvaluator, HandReading, MatchCache
from interpreter.lower.list_expressions import add_ranking_functions, find_tie_card_value
from interpreter.program.betting_roles_and_shown_hand import find_shown_definition, is_split_shown
from interpreter.program.python_linker import LinkedProgram
from interpreter.runtime.state import NO_NUMBER, State

READING_CACHE_SIZE = 4096
"""Cache size for the readings of a ranking: the same cards are read repeatedly during a decision."""


class CandidateReading:
    """Candidate reading, on which the conditions of ties are evaluated."""

    __slots__ = ("cards", "rest", "used", "wilds")

    def __init__(self, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> None:
        self.used, self.rest, self.wilds = used, rest, wilds
        self.cards = used + rest


RankTest = Callable[[Sequence[int], State], bool]


class RankTests(dict[str, RankTest]):
    """Tests by ranking whether cards form one of its ranks. `build`: makes a test when it is first used."""

    def __init__(self, build: Callable[[str], RankTest]) -> None:
        self.build = build

    def __missing__(self, name: str) -> RankTest:
        return self.setdefault(name, self.build(name))


class RankingEvaluators:
    """Lazily built hand evaluators of a program.

    `evaluate`, `create_blank_state`: its methods of these names.
    """

    def __init__(
        self,
        program: LinkedProgram,
        evaluate: Callable[[g.Expr, State, Mapping[int, object]], Any],
        create_blank_state: Callable[[int], State],
    ) -> None:
        self.program, self.evaluate, self.create_blank_state = program, evaluate, create_blank_state
        self.evaluators: dict[str, HandEvaluator] = {}
        self.leftover_costs: dict[str, list[int]] = {}
        self.cached_readings: dict[str, Callable[[tuple[int, ...]], HandReading | None]] = {}
        self.rank_tests = RankTests(self.build_rank_test)
        self.wild_functions: dict[str, Callable[[State, Sequence[int]], Sequence[int]] | None] = {}
        self.tie_conditions: dict[str, Callable[..., bool]] = {}

    def find_evaluator(self, name: str) -> HandEvaluator:
        if name not in self.evaluators:
            ranking = self.program.game.rankings[name]
            blank = self.create_blank_state(0)
            lines = [self.find_tie_values(ranking, line, blank) for line in ranking.ties]

            def is_condition_met(condition: g.Expr, var: g.Var, face: int) -> bool:
                return bool(self.evaluate(condition, blank, {var.id: self.program.game.faces[face].first}))

            reader = HandEvaluator(self.program.game, ranking, is_condition_met, lines)
            self.link_rule_functions(name, ranking)
            self.add_caches(name, ranking, reader)
            self.evaluators[name] = reader  # last, because other threads use it from now on
        return self.evaluators[name]

    def link_rule_functions(self, name: str, ranking: g.Ranking) -> None:
        """Link the functions of the rules that an evaluator calls."""
        with self.program.linking:
            add_ranking_functions(self.program.lowering, name)
            self.program.link_new_code()
        named, names = self.program.lowering.make_identifier, self.program.namespace
        self.wild_functions[name] = names[named("wild", name)] if ranking.wilds else None
        self.tie_conditions[name] = names[named("judge", name)]

    def add_caches(self, name: str, ranking: g.Ranking, evaluator: HandEvaluator) -> None:
        """Cache readings, if they depend on the cards alone: no wild cards and no conditional ties."""
        if ranking.wilds:
            return
        if ranking.size == "groups":
            least = self.find_leftover_costs(name)
            self.cached_readings[name] = lru_cache(READING_CACHE_SIZE)(
                lambda cards: evaluator.find_best_split(cards, least)
            )
        elif all(line.how not in ("best", "worst") for line in ranking.ties):
            self.cached_readings[name] = lru_cache(READING_CACHE_SIZE)(
                lambda cards: evaluator.find_best_reading(cards, None, reject_call)
            )

    def find_tie_values(self, ranking: g.Ranking, line: g.OrderLine, state: State) -> list[int] | None:
        """Return the value by face of a line like `higher used's height`; None for any other line."""
        card = find_tie_card_value(ranking, line)
        if card is None:
            return None
        values = [self.evaluate(card[1], state, {card[0].id: face.first}) for face in self.program.game.faces]
        return [NO_NUMBER if value is None else int(value) for value in values]

    def find_leftover_costs(self, name: str) -> list[int]:
        """Return, by face, the count of a card that the best split leaves over."""
        if name not in self.leftover_costs:
            ranking, blank = self.program.game.rankings[name], self.create_blank_state(0)
            if ranking.least is None or ranking.least_var is None:
                raise AssertionError("expected a ranking of groups with a variable for the smallest size")
            var, value = ranking.least_var.id, ranking.least
            counts = [self.evaluate(value, blank, {var: face.first}) for face in self.program.game.faces]
            self.leftover_costs[name] = [int(count or 0) for count in counts]
        return self.leftover_costs[name]

    def find_shown_leftover_costs(self) -> Sequence[int]:
        """Return, by face, the count of a card that the shown split of a hand leaves; empty if none is shown."""
        shown = find_shown_definition(self.program.game)
        is_split = shown is not None and is_split_shown(self.program.game)
        return self.find_leftover_costs(str(shown.type.of)) if shown is not None and is_split else ()

    def find_wild_flags(self, name: str, state: State, cards: Sequence[int]) -> Any:
        """Return, for each card, the bit mask of the `wild` lines that hold for it; None if there are none."""
        function = self.wild_functions[name]
        return None if function is None else function(state, cards)

    def read_hand(self, name: str, state: State, cards: Sequence[int]) -> HandReading | None:
        reader = self.evaluators.get(name) or self.find_evaluator(name)
        if name in self.cached_readings:
            return self.cached_readings[name](tuple(cards))
        wild, judge = self.find_wild_flags(name, state, cards), self.tie_conditions[name]
        if reader.ranking.size == "groups":
            return reader.find_best_split(cards, self.find_leftover_costs(name), wild)
        return reader.find_best_reading(
            cards, wild, lambda line, used, rest, wilds: judge(state, line, CandidateReading(used, rest, wilds))
        )

    def read_with_layoffs(
        self, name: str, state: State, cards: Sequence[int], other: HandReading | None
    ) -> HandReading | None:
        if other is None:
            return self.find_evaluator(name).find_best_split(cards, self.find_leftover_costs(name))
        return self.find_evaluator(name).find_split_with_layoffs(cards, other, self.find_leftover_costs(name))

    def build_rank_test(self, name: str) -> RankTest:
        evaluator = self.find_evaluator(name)
        if not evaluator.ranking.wilds:
            return MatchCache(evaluator).is_rank
        return lambda cards, state: evaluator.is_rank(cards, self.find_wild_flags(name, state, cards))

    def find_rank_sets(self, name: str) -> Callable[..., Iterable[tuple[int, ...]]]:
        """Return the function that yields the choices that form a rank: `HandEvaluator.find_rank_sets`."""
        return self.find_evaluator(name).find_rank_sets


def reject_call(line: int, used: tuple[int, ...], rest: tuple[int, ...], wilds: int) -> bool:
    """Reject any call: the tie condition of a ranking without conditional ties."""
    raise AssertionError("expected no call: this ranking has no conditional ties")
