"""Values that a game displays to one seat, with notes on hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

from attrs import evolve, frozen

from cardlang import model as g
from cardlang.english.morphology import format_ordinal, replace_hyphens
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import walk, walk_in_source_order, walk_with_definitions
from interpreter.hands.hand_evaluator import HandReading
from interpreter.knowledge.taint_tracking import TracingState, evaluate_with_knowers
from interpreter.narration.display_names import MatchNames, find_public_steps, to_exact_value
from interpreter.program.ranking_evaluators import CandidateReading
from interpreter.runtime.errors import RuleError
from interpreter.runtime.state import State
from interpreter.runtime.value_formatting import join_items

MIN_RANKS_WITH_PLACE = 11
"""Minimum number of ranks of a ranking for which a hand gives the place of its rank."""


def describe_outs(
    names: MatchNames, state: State, seat: int, ranking: g.Ranking, reading: HandReading, expr: g.Expr
) -> Iterator[str]:
    """Yield the outs of a hand, the best first: `With the next card: Flush (9 of 46 cards), Straight (6).`

    Outs are cards unseen by the seat that improve the rank. Yield nothing if no cards are still to come.
    `expr`: expression that reads the hand.
    """
    if ranking.size == "groups" or ranking.wilds:  # the meaning of a wild card might depend on its owner
        return
    if not can_receive_more_cards(
        IdentityKey(names.game), find_public_steps(names, state), find_read_zones(names.game, expr)
    ):
        return
    program = names.program
    unseen = [card for card in range(len(program.face)) if not program.is_visible(state, card, seat)]
    reader = program.readings.find_evaluator(ranking.name)
    rank_counts = Counter(reader.find_rank((*reading.cards, card)) for card in unseen)
    better = sorted((rank, count) for rank, count in rank_counts.items() if rank is not None and rank < reading.rank)
    if better:
        (best, most), *others = better
        outs = [f"{reader.titles[best]} ({most} of {len(unseen)} cards)"]
        outs += [f"{reader.titles[rank]} ({count})" for rank, count in others]
        yield f"With the next card: {', '.join(outs)}."


def find_read_zones(game: g.Game, expr: g.Expr) -> frozenset[str]:
    """Return the zones whose cards an expression reads."""
    return frozenset(part.zone for part in walk_with_definitions(game, expr) if isinstance(part, g.ZoneCards))


@lru_cache(maxsize=GAME_CACHE_SIZE)
def can_receive_more_cards(game: IdentityKey, steps: Sequence[str], zones: Collection[str]) -> bool:
    """Return whether running steps still bring cards to some zones, after the steps inside them finish.

    Only the current iteration of a loop counts.
    """
    for outer, inner in pairwise(steps):
        parts = list(walk_in_source_order(game.game.steps[outer].body))
        called = [at for at, part in enumerate(parts) if inner in find_effects(part).steps]
        if called and any(can_bring_cards(game.game, part, zones, set()) for part in parts[called[-1] + 1 :]):
            return True
    return False


def can_bring_cards(game: g.Game, part: object, zones: Collection[str], seen: set[str]) -> bool:
    """Return whether a statement moves cards to some zones, by itself or in a step that it runs."""
    effects = find_effects(part)
    if any(transfer.to.zone in zones for transfer in effects.transfers):
        return True
    fresh = set(effects.steps) - seen
    seen |= fresh
    return any(
        can_bring_cards(game, statement, zones, seen) for name in fresh for statement in walk(game.steps[name].body)
    )


def describe_hand_details(
    names: MatchNames,
    state: State,
    assumed_state: State,
    seat: int,
    reading: HandReading,
    expr: g.Expr,
    ranking_name: str,
) -> tuple[str, ...]:
    """Return sentences about a hand. The first continues the text of the rank.

    `expr`: expression that reads the hand with the ranking called `ranking_name`.
    `assumed_state`: state with the assumed card positions.
    """
    ranking = names.game.rankings[ranking_name]
    sentences: list[str] = []
    if not isinstance(ranking.size, int) or len(reading.cards) >= ranking.size:  # a complete hand
        sentences += describe_kickers(names, ranking, reading)
        sentences += describe_rank_on_shared_cards(names, assumed_state, reading)
        sentences += describe_outs(names, state, seat, ranking, reading, expr)
    sentences += (*describe_wild_cards(names, reading), *describe_tie_effect(names, state, ranking, reading))
    return (sentences[0][:1].lower() + sentences[0][1:], *sentences[1:]) if sentences else ()


def describe_kickers(names: MatchNames, ranking: g.Ranking, reading: HandReading) -> Iterator[str]:
    """Yield the kickers: the cards that decide between hands of equal rank and values."""
    kickers = names.facts.card_value_names.find_value_indices([names.program.face[card] for card in reading.rest])
    if kickers and any(has_rest_comparison(line) for line in ranking.ties):
        values = (
            names.facts.card_value_names.get_value_noun(value_index) for value_index in sorted(kickers, reverse=True)
        )
        yield f"then {', '.join(values)}."


def has_rest_comparison(line: g.OrderLine) -> bool:
    """Return whether a line of ties compares the cards outside the rank."""
    return any(isinstance(part, g.Builtin) and part.name == "rest" for part in walk(line.value))


def describe_rank_on_shared_cards(names: MatchNames, assumed_state: State, reading: HandReading) -> Iterator[str]:
    """Yield a sentence if several cards make the rank and all of them are shared, so every player has it."""
    places = {assumed_state.loc[card] for card in reading.used}
    zones = {names.program.zones[pile].zone for pile in places if pile >= 0}
    if len(reading.used) > 1 and all(zone.subject is None for zone in zones) and min(places) >= 0:
        where = " and the ".join(replace_hyphens(zone.noun.singular) for zone in zones)
        yield f"Every player has the {reading.title[:1].lower()}{reading.title[1:]}: it is on the {where}."


def describe_wild_cards(names: MatchNames, reading: HandReading) -> Iterator[str]:
    """Yield the cards that its wild cards count as."""
    faces = names.game.faces
    for card, face in zip(reading.used, reading.shown or (), strict=False):
        if face != names.program.face[card]:
            substitute = f" and counts as [{faces[face].code}]" if face is not None else ""
            yield f"[{names.get_card_code(card)}] is wild{substitute}."


def describe_tie_effect(names: MatchNames, state: State, ranking: g.Ranking, reading: HandReading) -> Iterator[str]:
    """Yield a sentence if the hand wins or loses all ties of its rank.

    It names the cards responsible and adds the author's text.
    """
    for number, (line, value) in enumerate(zip(ranking.ties, reading.strength[1:], strict=False)):
        if line.how not in ("best", "worst"):
            return
        if value:
            cards = [
                f"[{names.get_card_code(card)}]" for card in find_tie_cards(names, state, ranking.name, number, reading)
            ]
            cause = f" because of {join_items(cards)}" if cards else ""
            doc = f": {line.doc[:1].lower()}{line.doc[1:]}" if line.doc else "."
            yield f"It {'wins' if line.how == 'best' else 'loses'} ties{cause}{doc}"
            return


def find_tie_cards(names: MatchNames, state: State, ranking: str, line: int, reading: HandReading) -> Iterator[int]:
    """Yield the cards that satisfy the condition of a line individually."""
    judge = names.program.readings.tie_conditions[ranking]
    shown = reading.shown or tuple(names.program.face[card] for card in reading.used)
    for card, face in zip(reading.used, shown, strict=True):
        with suppress(RuleError):
            if judge(state, line, CandidateReading((card,), reading.rest, int(face != names.program.face[card]))):
                yield card


@frozen
class ShownValueView:
    """A value that the game shows.

    - `owner`: the player or value of a kind that it belongs to.
    - `value`: an exact number, a bool for a flag, a name otherwise, or None if absent.
    - `text`: the value as people write it.
    - `cards`: codes of the cards that it is, or that count in it. For a ranked hand, these are the cards of its rank.
    - `is_public`: all players may know it.
    """

    name: str
    noun: str
    owner: str | None
    subject: str | None
    value: int | Fraction | bool | str | None
    text: str
    cards: tuple[str, ...]
    is_public: bool


@frozen
class HandValueView:
    """The value of a player's own cards.

    - `noun`: its name. `text`: the value as people write it.
    - `cards`: refs of the cards that count.
    - `is_ranked`: it is a rank with a title.
    - `is_split`: it is a split into groups, and its cards are ordered group by group.
    - `rest`: codes of the cards in no group.
    - `details`: sentences about kickers, shared cards, outs, wild cards and ties, with the author's text.
    - `place`: place of its rank in a long ranking: `18th of 24`.
    - `is_empty`: an incomplete hand has only the lowest rank yet, which is not worth showing.
    """

    noun: str
    text: str
    cards: tuple[str, ...]
    is_ranked: bool
    is_split: bool = False
    rest: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    place: str = ""
    is_empty: bool = False


DeclaredValue = tuple[g.Track | g.Define, int | None, Any, int]
"""Declaration, owner, value, and the seats that may know it."""


class DisplayValues:
    """Shown values of one state. They are computed once for all observers."""

    def __init__(self, names: MatchNames, state: State, assumed_state: State | None = None) -> None:
        """Create the values. `assumed_state`: state with the assumed card positions, if not `state`."""
        self.names, self.state, self.assumed_state = names, state, assumed_state or state

    @cached_property
    def tracing_state(self) -> TracingState:
        return TracingState.wrap(self.state)

    @cached_property
    def shown_values(self) -> list[tuple[ShownValueView, int]]:
        """Shown values, each with the set of seats that may know it, as bits."""
        names, spectator = self.names, self.names.program.players
        return [
            (build_shown_value_view(names, declared, of, value, bool(knowing >> spectator & 1)), knowing)
            for shown in names.facts.shown_values
            for declared, of, value, knowing in self.evaluate_declaration(*shown)
        ]

    def list_values_by_card_ref(self, seat: int) -> tuple[tuple[str, ShownValueView], ...]:
        """Return values computed for single cards of a player, by ref.

        The player must be able to identify the card and know the value. False and empty values are left out.
        """
        names, values = self.names, []
        for pile, slot in enumerate(names.program.zones) if names.facts.card_values else ():
            if slot.zone.subject != "player" or slot.of != seat:
                continue
            for card in self.state.z[pile]:
                if not names.program.is_visible(self.state, card, seat):
                    continue
                for declared, expr in names.facts.card_values:
                    env = {} if declared.var is None else {declared.var.id: card}
                    with suppress(RuleError):
                        value, knowing = evaluate_with_knowers(names.program, expr, self.tracing_state, env)
                        if knowing >> seat & 1 and value is not None and value is not False and value != []:
                            view = build_shown_value_view(
                                names, declared, None, value, bool(knowing >> names.program.players & 1)
                            )
                            values.append((names.refs.build_card_ref(self.state, card), view))
        return tuple(values)

    @cached_property
    def evaluate_hand_values(self) -> list[tuple[DeclaredValue, g.Expr]]:
        """Values of hands, each with its expression."""
        return [
            (seen, declared[1])
            for declared in self.names.facts.hand_values
            for seen in self.evaluate_declaration(*declared)
        ]

    @cached_property
    def best_trick_card(self) -> str:
        """Ref of the best card of the trick, if all players know it; else empty."""
        expr = self.names.facts.best_trick_card
        if expr is None:
            return ""
        with suppress(RuleError):
            card, knowing = evaluate_with_knowers(self.names.program, expr, self.tracing_state, {})
            if card is not None and knowing >> self.names.program.players & 1:
                return self.names.refs.build_card_ref(self.state, card)
        return ""

    @cached_property
    def teams(self) -> tuple[str | None, ...]:
        """Public team, or other value of a kind, of each player in seat order."""
        expr = self.names.facts.player_team_expression
        if not isinstance(expr, g.Call) or not isinstance(expr.of, g.Var):
            return ()
        team_names: list[str | None] = []
        for seat in range(self.names.program.players):
            value, knowing = evaluate_with_knowers(self.names.program, expr, self.tracing_state, {expr.of.id: seat})
            is_open = value is not None and knowing >> self.names.program.players & 1
            team_names.append(self.names.format_value(expr.type, value) if is_open else None)
        return tuple(team_names)

    def evaluate_declaration(self, declared: g.Track | g.Define, expr: g.Expr) -> Iterator[DeclaredValue]:
        """Yield the values of a declaration for each owner, if they exist."""
        for of in self.names.program.layout.get_owner_indices(declared.subject):
            env = {} if declared.var is None or of is None else {declared.var.id: of}
            with suppress(RuleError):
                yield declared, of, *evaluate_with_knowers(self.names.program, expr, self.tracing_state, env)

    def get_shown_values(self, seat: int) -> tuple[ShownValueView, ...]:
        """Return the shown values that a seat may know. The seat `players` of the program is a spectator."""
        return tuple(view for view, knowing in self.shown_values if knowing >> seat & 1)

    def get_hand_values(self, seat: int) -> tuple[HandValueView, ...]:
        """Return the values of a player's own cards that are not public. Equal texts appear once."""
        spectator = self.names.program.players
        values_by_text: dict[str, HandValueView] = {}
        for (declared, of, value, knowing), expr in self.evaluate_hand_values:
            if of == seat and knowing >> seat & 1 and not knowing >> spectator & 1 and value is not None:
                hand_value = build_hand_value_view(self.names, self.assumed_state, declared, value)
                if isinstance(value, HandReading) and hand_value.text not in values_by_text:
                    hand_value = evolve(
                        hand_value,
                        details=tuple(
                            describe_hand_details(
                                self.names, self.state, self.assumed_state, seat, value, expr, str(declared.type.of)
                            )
                        ),
                    )
                values_by_text.setdefault(hand_value.text, hand_value)
        return tuple(values_by_text.values())


def build_hand_value_view(names: MatchNames, state: State, declared: g.Track | g.Define, value: Any) -> HandValueView:
    noun = replace_hyphens(declared.noun.singular)
    if not isinstance(value, HandReading):
        return HandValueView(noun, names.format_value(declared.type, value), (), False)
    ranking = names.game.rankings[str(declared.type.of)]
    split = ranking.size == "groups"
    count = len(names.program.readings.find_evaluator(ranking.name).titles)
    is_incomplete = isinstance(ranking.size, int) and len(value.cards) < ranking.size
    return HandValueView(
        noun=noun,
        text=names.describe_value(declared.type, value),
        cards=tuple(names.refs.build_card_ref(state, card) for card in value.used),
        is_ranked=not split,
        is_split=split,
        rest=tuple(names.get_card_code(card) for card in value.rest) if split else (),
        place=f"{format_ordinal(value.rank + 1)} of {count}" if count >= MIN_RANKS_WITH_PLACE and not split else "",
        is_empty=is_incomplete and value.rank == count - 1,
    )


def build_shown_value_view(
    names: MatchNames, declared: g.Track | g.Define, owner: int | None, value: Any, is_public: bool
) -> ShownValueView:
    return ShownValueView(
        name=declared.name,
        noun=replace_hyphens(declared.noun.plural if declared.noun.counted else declared.noun.singular),
        owner=names.get_owner_name(declared.subject, owner),
        subject=declared.subject,
        value=to_exact_value(names, declared.type, value),
        text=names.describe_value(declared.type, value),
        cards=tuple(names.get_card_code(card) for card in get_counting_cards(declared.type, value)),
        is_public=is_public,
    )


def get_counting_cards(type_: g.Type, value: Any) -> tuple[int, ...]:
    """Return the cards that a value is, or that count in it."""
    if isinstance(value, HandReading):
        return value.used
    if type_.tag == "card":
        return () if value is None else (value,)
    return tuple(value) if type_.item is not None and type_.item.tag == "card" else ()
