"""Program: a game compiled for a player count, and its run loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from math import factorial
from operator import itemgetter
from threading import RLock
from traceback import walk_tb
from typing import Any, NoReturn

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model import Game
from cardlang.model.game import GAME_CACHE_SIZE, IdentityKey
from interpreter import ir
from interpreter.codegen.python.python_expressions import PythonExpressionGenerator
from interpreter.hands import hand_evaluator
from interpreter.knowledge.taint_tracking import LoggedValueEvaluator
from interpreter.lower.control_flow import find_explaining_operands
from interpreter.lower.lowering_context import Lowering
from interpreter.lower.standings import (
    SEAT_VARIABLE,
    STANDING_FUNCTION,
    WINNERS_FUNCTION,
    find_life_slots,
    find_player_value,
    is_outcome_shared,
)
from interpreter.lower.whole_game import END_BLOCK, add_step_entry, add_value_function, lower_game, lower_standings
from interpreter.lower.whole_game import FIRST_BLOCK as FIRST_BLOCK
from interpreter.program.python_linker import LinkedProgram
from interpreter.program.ranking_evaluators import RankingEvaluators
from interpreter.runtime import builtin_functions
from interpreter.runtime.builtin_functions import (
    STEP_LIMIT,
    FinishSignal,
    catches_finish,
    end_match,
    find_assignment_lines,
    push_frame,
    raise_endless_loop,
    require_present,
)
from interpreter.runtime.card_moves import CardMover
from interpreter.runtime.errors import RuleError
from interpreter.runtime.legal_card_combinations import CardPicker, find_possible_items
from interpreter.runtime.rng import get_seed_state, shuffle
from interpreter.runtime.state import (
    ABSENT,
    UNLIMITED,
    ChanceSource,
    DecisionPoint,
    State,
    TrackSlot,
    ZoneSlot,
    get_initial_value,
    to_displayed_value,
)
from interpreter.runtime.state_layout import Layout, format_player_counts, strip_doc_comments
from interpreter.runtime.value_formatting import ValueFormatter, get_default_names


def raise_failed_expectation(program: Program, stmt: g.Property, values: tuple[object, ...]) -> NoReturn:
    """Raise the `RuleError` of a failed expectation. `values`: the internal values of its operands."""
    formatter = ValueFormatter(program.game, get_default_names(program.players), program.face)
    scales = program.layout.scales
    found_values = [
        f"{side.span.text} = "
        + formatter.format_value(side.type, to_displayed_value(value, side.type, scales.get_scale(side)))
        for side, value in zip(find_explaining_operands(stmt.condition), values, strict=True)
    ]
    reason = f"{stmt.doc} " if stmt.doc else ""
    raise RuleError(stmt.span, f"{reason}Expected {stmt.condition.span.text}, but found {', '.join(found_values)}.")


MAX_CACHED_OPENINGS = 256
"""Maximum number of cached openings."""
MAX_CACHED_DEALS = 2000
"""Maximum number of cached first decisions, in games with few possible deals."""
copy_list = list.copy


class Program(LinkedProgram):
    """Compiled game; see `compile_game`.

    zones, tracks: the storage of a state.
    zone_base, track_base: the first pile or slot, by name.
    sites: the decision points.
    face: face numbers by card.
    blocks: the functions between which a match can pause.
    enclosing: for each block, its enclosing steps with the block that follows each.
    lives: see `find_life_slots`."""

    covering = False
    watched: frozenset[str] = frozenset()

    def __init__(self, game: g.Game, players: int, listen: bool) -> None:
        self.game, self.players, self.listen = game, players, listen
        self.shared = is_outcome_shared(game, players)
        self.is_solitaire = game.seats == (1,)
        self.layout = Layout(strip_doc_comments(game), players)
        self.lowering = Lowering(layout=self.layout, records_coverage=self.covering, watched_tracks=self.watched)
        self.linking = RLock()  # examples and queries lower more code while other matches may be running
        self.zones: tuple[ZoneSlot, ...] = tuple(self.layout.zones)
        self.tracks: tuple[TrackSlot, ...] = tuple(self.layout.tracks)
        self.zone_base, self.track_base = self.layout.zone_base, self.layout.track_base
        self.face = self.layout.face
        self.lives = find_life_slots(game, self.layout) if self.shared else []
        self.sites = self.lowering.sites
        self.enclosing: list[dict[str, int]] = []
        self.blocks: list[Callable[..., int]] = []
        self.sources: list[str] = []
        self.linked: set[str] = set()
        self.values: dict[int, tuple[g.Expr, Callable[..., Any], int]] = {}
        self.readings = RankingEvaluators(self, self.evaluate, self.create_blank_state)
        self.scopes: dict[int, Callable[[State, list[object]], dict[int, object]]] = {}
        self.namespace: dict[str, Any] = {}
        self.bind_runtime_names()
        lower_game(self.lowering)
        self.link_new_code()
        self.template = self.create_state_template()
        self.openings: dict[object, tuple[State, int]] = {}
        self.deals: dict[object, State] = {}
        self.deck = self.find_small_deck()
        starts = self.game.tracks
        self.by_chance = [
            at for at, slot in enumerate(self.tracks) if not isinstance(starts[slot.track.name].start, g.Const)
        ]
        self.drawn = itemgetter(*self.by_chance) if self.by_chance else len

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[g.Game, int, bool]]:
        """Pickle the program as its game, player count and `listen` flag."""

        return compile_game, (self.game, self.players, self.listen)

    # ------------------------------------------------------------ construction
    def bind_runtime_names(self) -> None:
        shared = (*vars(builtin_functions).items(), *vars(hand_evaluator).items())
        names = {name: value for name, value in shared if not name.startswith("__")}
        picker = CardPicker(self.layout)
        self.mover = mover = CardMover(self.layout, None)
        names |= {
            "AT": self.lowering.rule_spans, "FACE": self.face, "SEES": self.layout.sees,
            "PADS": {}, "BORNE": {}, "Finish": FinishSignal, "over": end_match,
            "move": mover.move, "put": mover.put_on_public_pile, "deal": mover.deal, "shuffle": mover.shuffle,
            "hide": mover.hide,
            "insert": mover.insert,
            "reveal": mover.reveal, "too_full": mover.raise_too_full, "knowers_of": mover.find_knowers,
            "place_knowers": mover.find_place_knowers,
            "watchers": mover.find_watchers, "narrowed": mover.narrow_followers, "candidates": mover.find_candidates,
            "EVERYONE": self.layout.everyone, "move_one": mover.move_one, "move_top": mover.move_top,
            "move_tops": mover.move_tops, "move_all": mover.move_all, "deal_all": mover.deal_all,
            "move_unheard": mover.move_without_event, "deal_unheard": mover.deal_without_event,
            "distinct": picker.find_distinct_cards, "in_order": picker.sort_for_picking,
            "more_picks": picker.find_next_picks, "still_there": picker.find_remaining_picks,
            "fulfilling": find_possible_items, "rank_sets": self.readings.find_rank_sets,
            "winners": self.find_winners_within_rule, "read": self.readings.read_hand,
            "read_beside": self.readings.read_with_layoffs, "matches": self.readings.rank_tests,
            "push": push_frame, "unwind": self.unwind_step, "endless": raise_endless_loop,
            "present": partial(require_present, set_in=find_assignment_lines(self.game)),
            "broken": lambda number, values: raise_failed_expectation(self, self.lowering.properties[number], values),
            "finishes": catches_finish, "heard": LoggedValueEvaluator(self, self.lowering.logged_values),
            "shuffle_players": self.shuffle_players, "eliminate": self.eliminate,
        }  # fmt: skip
        if self.layout.marks:
            mover.reset_marks = lambda s, card: self.namespace["restart_marks"](s, card)
        self.namespace.update(names)

    def find_small_deck(self) -> int | None:
        """Return the pile that every match shuffles first, if it has few possible orders; otherwise None."""
        opening = self.lowering.splitter.opening_block
        match self.lowering.splitter.blocks[opening or FIRST_BLOCK].body[:1]:
            case [ir.Effect(operation="shuffle", args=(ir.Const(value=int(pile)),))] if opening is not None:
                return pile if factorial(self.layout.cards) <= MAX_CACHED_DEALS else None
        return None

    # ------------------------------------------------------------ playing
    def create_blank_state(self, seed: int | ChanceSource, listen: bool = False, checking: bool = False) -> State:
        """Return the state before set-up: every card in its home zone, every track at its start value."""
        s = self.clone(self.template)
        s.checking = checking
        s.rng = get_seed_state(seed)
        s.events = [] if listen else None
        self.namespace["start_tracks"](s)
        return s

    def create_state_template(self) -> State:
        """Return the template that `create_blank_state` copies. Constant starts are already set."""
        layout, s = self.layout, State()
        s.rng = 0
        s.order = list(range(self.players))
        s.alive, s.out = list(s.order), 0
        s.z = [[] for _ in self.zones]
        s.loc = list(layout.home)
        for card, pile in enumerate(layout.home):
            s.z[pile].append(card)
        s.owner = [layout.seat_of[pile] for pile in layout.home]
        s.known = [0] * layout.cards
        s.t = [get_initial_value(slot.track.type) for slot in self.tracks] + [0] * len(self.game.whenevers)
        s.frames, s.picks, s.legal, s.who = [], [], [], ABSENT
        s.fuel = STEP_LIMIT
        s.events, s.checking = None, False
        self.namespace["start_all"](s)
        return s

    def start(self, seed: int | ChanceSource, listen: bool = False, checking: bool = False) -> State:
        """Start a match: run set-up and play until the first decision."""
        if not (listen or checking or self.lowering.splitter.opening_block is None):
            return self.start_from_cache(seed)
        s = self.create_blank_state(seed, listen, checking)
        self.begin_block(s, FIRST_BLOCK)
        return s

    def start_from_cache(self, seed: int | ChanceSource) -> State:
        """Start a match from cached states.

        Code before the first random draw runs once for each combination of random track starts. With few possible
        deals, code up to the first decision runs once for each deal."""
        s, first, known = State.__new__(State), self.template, None
        s.rng, s.fuel, s.checking, s.events = get_seed_state(seed), STEP_LIMIT, False, None
        s.order, s.alive, s.out = first.order, first.alive, 0
        if self.by_chance:
            s.t, s.z, s.loc, s.owner, s.known = first.t.copy(), first.z, first.loc, first.owner, first.known
            self.namespace["start_tracks"](s)
            known = self.drawn(s.t)
        opening, number = self.openings.get(known) or self.run_opening(s.t if self.by_chance else first.t, known)
        if self.deck is not None and isinstance(s.rng, int) and number >= 0:
            return self.run_to_first_decision(s, opening, known, self.deck)
        self.copy_state_into(opening, s)
        self.run_blocks(s, number)
        return s

    def run_to_first_decision(self, s: State, opening: State, known: object, deck: int) -> State:
        """Run to the first decision of a match that shuffles the pile `deck` next, using cached deals."""
        rng, cards = s.rng, opening.z[deck].copy()
        shuffle(s, cards)
        deal = self.deals.get((known, *cards))
        if deal is not None:
            self.copy_state_into(deal, s)
            return s
        mixed, s.rng = s.rng, rng
        self.copy_state_into(opening, s)
        self.run_blocks(s, self.lowering.splitter.opening_block or FIRST_BLOCK)
        if s.rng != mixed:  # more random draws follow
            self.deck = None
        elif len(self.deals) < MAX_CACHED_DEALS:
            self.deals[known, *cards] = self.clone(s)
        return s

    def run_opening(self, tracks: list[int], known: object) -> tuple[State, int]:
        """Return the state before the first random draw, for these track starts, and the block that comes next.

        The block is negative if the match is over before."""
        s = self.clone(self.template)
        s.t = tracks.copy()
        s.frames = [[END_BLOCK], [FIRST_BLOCK, *self.namespace["PADS"][FIRST_BLOCK]]]
        number, opening = FIRST_BLOCK, self.lowering.splitter.opening_block
        while number >= 0 and number != opening:
            try:
                number = self.blocks[number](s)
            except FinishSignal as finish:
                number = self.unwind_step(s, finish.step)
        if len(self.openings) < MAX_CACHED_OPENINGS:
            self.openings[known] = s, number
        return s, number

    def begin_block(self, s: State, entry: int) -> None:
        s.frames = [[END_BLOCK], [entry, *self.namespace["PADS"][entry]]]
        self.run_blocks(s, entry)

    def apply(self, s: State, code: int) -> None:
        """Make the move with this code (it must be one of `s.legal`) and run on to the next decision."""
        blocks = self.blocks
        s.fuel = STEP_LIMIT
        try:
            number = blocks[s.frames[-1][0]](s, code)
            while number >= 0:
                number = blocks[number](s)
        except FinishSignal as finish:
            self.run_blocks(s, self.unwind_step(s, finish.step))
        except RecursionError as error:
            raise self.build_recursion_error(error) from None

    def run_blocks(self, s: State, number: int) -> None:
        blocks = self.blocks
        while number >= 0:
            try:
                while number >= 0:
                    number = blocks[number](s)
            except FinishSignal as finish:
                number = self.unwind_step(s, finish.step)
            except RecursionError as error:
                raise self.build_recursion_error(error) from None

    def build_recursion_error(self, error: RecursionError) -> RuleError:
        """Return the error for too deep recursion, at the last rule that was begun."""
        span = self.game.sources[0].full_span
        for frame, _ in walk_tb(error.__traceback__):
            function = self.lowering.functions.get(frame.f_code.co_name)
            if function is not None and function.place is not None:
                span = self.lowering.rule_spans[function.place]
        return RuleError(span, "These effects run each other without end.")

    def unwind_step(self, s: State, step: str) -> int:
        """Leave everything that runs inside the innermost step of that name. If none is running, the match ends."""
        while s.frames:
            target: int | None = self.enclosing[s.frames[-1][0]].get(step)
            if target is not None:
                return target
            s.frames.pop()
        return end_match(s)

    def get_site(self, s: State) -> DecisionPoint:
        """Return the current decision."""
        return self.sites[self.lowering.splitter.sites_by_block[s.frames[-1][0]]]

    def get_scope_values(self, s: State) -> dict[int, object]:
        """Return the internal values of the variables known at the current decision."""
        number = self.get_site(s).number
        if number not in self.scopes:
            text = PythonExpressionGenerator(self.get_site_slots(number)).generate_expression
            entries = ", ".join(f"{var}: {text(value)}" for var, value in self.lowering.site_scopes[number].items())
            self.scopes[number] = eval(f"lambda s, f: {{{entries}}}")
        return self.scopes[number](s, s.frames[-1])

    def refresh_legal_moves(self, s: State) -> None:
        """List the legal moves again, for a state in which cards were swapped."""
        s.fuel = STEP_LIMIT
        if s.who != ABSENT:
            s.legal = self.namespace[f"L_{self.get_site(s).number}"](s, s.frames[-1], s.who)

    def decode_move(self, site: DecisionPoint, code: int) -> tuple[int | None, list[int]]:
        """Decode a code that is not DONE: return the option and its bound values, or None and the value chosen."""
        if not site.options:
            return None, [code - 1]
        option, value = (code - 1) % len(site.options), (code - 1) // len(site.options)
        values = []
        for radix in site.radices[option]:
            values.append(value % radix if radix else value)
            value = value // radix if radix else 0
        return option, values

    def clone(self, s: State) -> State:
        """Return a copy that shares no mutable data."""
        n = State.__new__(State)
        self.copy_state_into(s, n)
        n.rng, n.checking, n.events = s.rng, s.checking, None if s.events is None else s.events.copy()
        return n

    def clone_silently(self, s: State) -> State:
        """Return a copy that records no events and does not check expectations of rules."""
        n = self.clone(s)
        n.events, n.checking = None, False
        return n

    def copy_state_into(self, s: State, n: State) -> None:
        """Copy the data of a state to another, except for the random state and listeners."""
        n.t, n.z = s.t.copy(), list(map(copy_list, s.z))
        n.loc, n.owner, n.known = s.loc.copy(), s.owner.copy(), s.known.copy()
        n.order, n.alive, n.out, n.fuel = s.order.copy(), s.alive.copy(), s.out, s.fuel
        n.frames, n.picks, n.legal, n.who = list(map(copy_list, s.frames)), s.picks, s.legal, s.who

    def is_visible(self, s: State, card: int, seat: int) -> bool:
        """Check whether a seat (or the spectator: `players`) knows which card this is, in its current place."""
        pile = s.loc[card]
        seen = s.known[card] | (self.layout.sees[pile] if pile >= 0 else 0)
        return bool(seen >> seat & 1)

    def run_step(self, s: State, do: g.Do) -> None:
        """Start a step alone, as examples do."""
        with self.linking:
            entry = add_step_entry(self.lowering, do)
            self.link_new_code()
        s.fuel = STEP_LIMIT
        self.begin_block(s, entry)

    # ------------------------------------------------------------ values
    def evaluate(self, expr: g.Expr, s: State, env: Mapping[int, object] | None = None) -> Any:
        """Return the displayed value of an expression: exact fractions, None if absent, `cardlang.model.UNLIMITED` if
        unlimited."""
        known = self.values.get(id(expr))
        if known is None:
            known = self.values[id(expr)] = (
                expr,
                self.compile_expression(expr, env or {}),
                self.layout.scales.get_scale(expr),
            )
        s.fuel = STEP_LIMIT
        return to_displayed_value(known[1](s, *(env or {}).values()), expr.type, known[2])

    def compile_expression(self, expr: g.Expr, env: Mapping[int, object]) -> Callable[..., Any]:
        with self.linking:
            name = add_value_function(self.lowering, expr, tuple(env))
            self.link_new_code()
        return self.namespace[name]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ players
    def shuffle_players(self, s: State, span: Span) -> None:
        shuffle(s, s.order)
        s.alive = [seat for seat in s.order if not s.out >> seat & 1]
        if s.events is not None:
            s.events.append(("shuffled", span, -1))

    def eliminate(self, s: State, seat: int, span: Span) -> None:
        """Eliminate a player. With the last one, the game is over: raise `FinishSignal`."""
        if s.out >> seat & 1:
            return
        s.out |= 1 << seat
        s.alive = [other for other in s.alive if other != seat]
        if s.events is not None:
            s.events.append(("eliminated", span, seat))
        if not s.alive:
            raise FinishSignal("game")

    def compute_scores(self, s: State) -> list[Any]:
        """Return the scores by seat; None if the game has no score."""
        return [self.evaluate_player_value("score", s, seat) for seat in range(self.players)]

    def evaluate_player_value(self, name: str, s: State, seat: int) -> Any:
        expr = self.find_player_expression(name)
        if expr is None:
            return None
        known = self.values.get(id(expr))
        if known is None:
            return self.evaluate(expr, s, {SEAT_VARIABLE.id: seat})
        s.fuel = STEP_LIMIT
        value = known[1](s, seat)
        plain = expr.type.tag == "number" and known[2] == 1 and 0 <= value < UNLIMITED
        return value if plain else to_displayed_value(value, expr.type, known[2])

    def find_player_expression(self, name: str) -> g.Expr | None:
        key = f"player {name}"
        if key not in self.namespace:
            self.namespace[key] = find_player_value(self.game, name)
        return self.namespace[key]  # type: ignore[no-any-return]

    @cached_property
    def standing_functions(self) -> tuple[Callable[[State], list[tuple[Any, int]]], Callable[[State], list[int]]]:
        """Functions of a state: pairs of ranking key (higher is better) and seat, by seat; and the winning seats."""
        with self.linking:
            lower_standings(self.lowering)
            self.link_new_code()
        return self.namespace[STANDING_FUNCTION], self.namespace[WINNERS_FUNCTION]

    def compute_ranking_keys(self, s: State) -> list[Any]:
        """Return the ranking keys by seat: higher is better."""
        s.fuel = STEP_LIMIT
        return [key for key, _ in self.standing_functions[0](s)]

    def find_winners(self, s: State) -> list[int]:
        """Return the declared winners, else the first in `order standing of player`, else the players with the
        highest score."""
        s.fuel = STEP_LIMIT
        return self.standing_functions[1](s)

    def find_winners_within_rule(self, s: State) -> list[int]:
        """Return the winners within a rule, without changing the number of steps left."""
        fuel = s.fuel
        winners = self.find_winners(s)
        s.fuel = fuel
        return winners

    def compute_places(self, s: State) -> list[int]:
        """Return the ranks by seat, from 1; equal players share a rank."""
        keys = self.compute_ranking_keys(s)
        return [1 + sum(other > key for other in keys) for key in keys]


def compile_game(game: Game, players: int, listen: bool = False) -> Program:
    """Return the program of a game for a player count. `listen`: generate events. Results are cached.

    Raise `ValueError` for a player count that the game does not allow."""
    if players not in game.seats:
        raise ValueError(f"{game.title} takes {format_player_counts(game.seats)} players, not {players}.")
    return compile_cached(IdentityKey(game), players, listen)


@lru_cache(maxsize=GAME_CACHE_SIZE)
def compile_cached(game: IdentityKey, players: int, listen: bool) -> Program:
    return Program(game.game, players, listen)
