"""Run a game compiled for a player count: the program and its main loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from math import factorial
from operator import itemgetter
from threading import RLock
from traceback import walk_tb
from typing import Any

from cardlang import game as g
from cardlang.source import Span
from interpreter import helpers
from interpreter import lowered as lo
from interpreter.acting import acting
from interpreter.chance import seeded, shuffle
from interpreter.errors import RuleError
from interpreter.expected import broken
from interpreter.knowing import Heard
from interpreter.layout import Layout
from interpreter.linking import Linked
from interpreter.lowering.game import END, Lowering
from interpreter.lowering.game import FIRST as FIRST
from interpreter.lowering.standing import SEAT, STANDING, WINNING, is_shared, life_slots, player_noun
from interpreter.moving import Mover
from interpreter.picking import Picker, fulfilling
from interpreter.python.expressions import Expressions
from interpreter.readings import Readings
from interpreter.runtime import FUEL, Finish, endless, finishes, over, present, push, set_lines
from interpreter.state import ABSENT, UNLIMITED, Chance, Site, State, TrackSlot, ZoneSlot
from interpreter.values import first_value, shown

MOST_OPENINGS = 256
"""Maximum number of cached openings."""
MOST_DEALS = 2000
"""Maximum number of cached first decisions, in games with few possible deals."""
COPY = list.copy


class Program(Linked):
    """Compiled game; see `interpreter.compiler.compile_game`.

    zones, tracks: the storage of a state.
    zone_base, track_base: the first pile or slot, by name.
    sites: the decision points.
    face: face numbers by card.
    blocks: the functions between which a match can pause.
    enclosing: for each block, its enclosing steps with the block that follows each.
    lives: see `life_slots`."""

    covering = False
    watched: frozenset[str] = frozenset()

    def __init__(self, game: g.Game, players: int, listen: bool) -> None:
        self.game, self.players, self.listen = game, players, listen
        self.shared = is_shared(game, players)
        self.layout = Layout(acting(game), players)
        self.lowering = Lowering(self.layout)
        self.lowering.code.covering, self.lowering.code.watched = self.covering, self.watched
        self.linking = RLock()  # examples and queries lower more code while other matches may be running
        self.zones: tuple[ZoneSlot, ...] = tuple(self.layout.zones)
        self.tracks: tuple[TrackSlot, ...] = tuple(self.layout.tracks)
        self.zone_base, self.track_base = self.layout.zone_base, self.layout.track_base
        self.face = self.layout.face
        self.lives = life_slots(game, self.layout) if self.shared else []
        self.sites = self.lowering.sites
        self.enclosing: list[dict[str, int]] = []
        self.blocks: list[Callable[..., int]] = []
        self.sources: list[str] = []
        self.linked: set[str] = set()
        self.values: dict[int, tuple[g.Expr, Callable[..., Any], int]] = {}
        self.readings = Readings(self)
        self.scopes: dict[int, Callable[[State, list[object]], dict[int, object]]] = {}
        self.namespace: dict[str, Any] = {}
        self.names()
        self.lowering.game_and_starts()
        self.link()
        self.template = self.first_state()
        self.openings: dict[object, State] = {}
        self.deals: dict[object, State] = {}
        self.deck = self.small_deck()
        starts = self.game.tracks
        self.by_chance = [
            at for at, slot in enumerate(self.tracks) if not isinstance(starts[slot.track.name].start, g.Const)
        ]
        self.drawn = itemgetter(*self.by_chance) if self.by_chance else len

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[g.Game, int, bool]]:
        """Pickle the program as its game, player count and `listen` flag."""
        from interpreter.compiler import compile_game

        return compile_game, (self.game, self.players, self.listen)

    # ------------------------------------------------------------ construction
    def names(self) -> None:
        names = {name: value for name, value in vars(helpers).items() if not name.startswith("__")}
        picker = Picker(self.layout)
        self.mover = mover = Mover(self.layout, None)
        names |= {
            "AT": self.lowering.code.places, "FACE": self.face, "SEES": self.layout.sees, "PADS": {}, "BORNE": {},
            "Finish": Finish, "over": over,
            "move": mover.move, "put": mover.put, "deal": mover.deal, "shuffle": mover.shuffle, "reveal": mover.reveal,
            "too_full": mover.too_full, "knowers_of": mover.knowers_of, "watchers": mover.watchers,
            "narrowed": mover.narrowed, "candidates": mover.candidates,
            "EVERYONE": self.layout.everyone, "move_one": mover.move_one, "move_top": mover.move_top,
            "move_tops": mover.move_tops, "move_all": mover.move_all, "deal_all": mover.deal_all,
            "move_unheard": mover.move_unheard, "deal_unheard": mover.deal_unheard,
            "distinct": picker.distinct, "in_order": picker.in_order, "more_picks": picker.more,
            "still_there": picker.still_there,
            "fulfilling": fulfilling, "rank_sets": self.readings.sets,
            "winners": self.winners_so_far, "read": self.readings.read,
            "read_beside": self.readings.read_beside, "matches": self.readings.matches,
            "push": push, "unwind": self.unwind, "endless": endless,
            "present": partial(present, set_in=set_lines(self.game)),
            "broken": lambda number, values: broken(self, self.lowering.expected[number], values),
            "finishes": finishes, "heard": Heard(self),
            "shuffle_players": self.shuffle_players, "eliminate": self.eliminate,
        }  # fmt: skip
        if self.layout.marks:
            mover.restart = lambda s, card: self.namespace["restart_marks"](s, card)
        self.namespace.update(names)

    def small_deck(self) -> int | None:
        """Return the pile that every match shuffles first, if it has few possible orders; otherwise None."""
        opening = self.lowering.splitter.opening
        match self.lowering.splitter.blocks[opening or FIRST].body[:1]:
            case [lo.Effect(operation="shuffle", args=(lo.Const(value=int(pile)),))] if opening is not None:
                return pile if factorial(self.layout.cards) <= MOST_DEALS else None
        return None

    # ------------------------------------------------------------ playing
    def blank(self, seed: int | Chance, listen: bool = False, checking: bool = False) -> State:
        """Return the state before set-up: every card in its home, every track at its start."""
        s = self.clone(self.template)
        s.checking = checking
        s.rng = seeded(seed)
        s.events = [] if listen else None
        self.namespace["start_tracks"](s)
        return s

    def first_state(self) -> State:
        """Return the template that `blank` copies. Constant starts are already set."""
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
        s.t = [first_value(slot.track.type) for slot in self.tracks] + [0] * len(self.game.whenevers)
        s.frames, s.picks, s.legal, s.who = [], [], [], ABSENT
        s.fuel = FUEL
        s.events, s.checking = None, False
        self.namespace["start_all"](s)
        return s

    def start(self, seed: int | Chance, listen: bool = False, checking: bool = False) -> State:
        """Start a match: run set-up and play until the first decision."""
        if not (listen or checking or self.lowering.splitter.opening is None):
            return self.opened(seed)
        s = self.blank(seed, listen, checking)
        self.begin(s, FIRST)
        return s

    def opened(self, seed: int | Chance) -> State:
        """Start a match from cached states.

        Code before the first random draw runs once for each combination of random track starts. With few possible
        deals, code up to the first decision runs once for each deal."""
        s, first, known = State.__new__(State), self.template, None
        s.rng, s.fuel, s.checking, s.events = seeded(seed), FUEL, False, None
        s.order, s.alive, s.out = first.order, first.alive, 0
        if self.by_chance:
            s.t, s.z, s.loc, s.owner, s.known = first.t.copy(), first.z, first.loc, first.owner, first.known
            self.namespace["start_tracks"](s)
            known = self.drawn(s.t)
        opening = self.openings.get(known) or self.opening(s.t if self.by_chance else first.t, known)
        if self.deck is not None and isinstance(s.rng, int):
            return self.dealt(s, opening, known, self.deck)
        self.lay_out(opening, s)
        self.run(s, self.lowering.splitter.opening or FIRST)
        return s

    def dealt(self, s: State, opening: State, known: object, deck: int) -> State:
        """Run to the first decision of a match that shuffles the pile `deck` next, using cached deals."""
        rng, cards = s.rng, opening.z[deck].copy()
        shuffle(s, cards)
        deal = self.deals.get((known, *cards))
        if deal is not None:
            self.lay_out(deal, s)
            return s
        mixed, s.rng = s.rng, rng
        self.lay_out(opening, s)
        self.run(s, self.lowering.splitter.opening or FIRST)
        if s.rng != mixed:  # more random draws follow
            self.deck = None
        elif len(self.deals) < MOST_DEALS:
            self.deals[known, *cards] = self.clone(s)
        return s

    def opening(self, tracks: list[int], known: object) -> State:
        """Return the state before the first random draw, for these track starts."""
        s = self.clone(self.template)
        s.t = tracks.copy()
        s.frames = [[END], [FIRST, *self.namespace["PADS"][FIRST]]]
        number, opening = FIRST, self.lowering.splitter.opening
        while number != opening:
            number = self.blocks[number](s)
        if len(self.openings) < MOST_OPENINGS:
            self.openings[known] = s
        return s

    def begin(self, s: State, entry: int) -> None:
        s.frames = [[END], [entry, *self.namespace["PADS"][entry]]]
        self.run(s, entry)

    def apply(self, s: State, code: int) -> None:
        """Make the move with this code (it must be one of `s.legal`) and run on to the next decision."""
        blocks = self.blocks
        s.fuel = FUEL
        try:
            number = blocks[s.frames[-1][0]](s, code)
            while number >= 0:
                number = blocks[number](s)
        except Finish as finish:
            self.run(s, self.unwind(s, finish.step))
        except RecursionError as error:
            raise self.too_deep(error) from None

    def run(self, s: State, number: int) -> None:
        blocks = self.blocks
        while number >= 0:
            try:
                while number >= 0:
                    number = blocks[number](s)
            except Finish as finish:
                number = self.unwind(s, finish.step)
            except RecursionError as error:
                raise self.too_deep(error) from None

    def too_deep(self, error: RecursionError) -> RuleError:
        """Return the error for too deep recursion, at the last rule that was begun."""
        place = self.game.sources[0].whole
        for frame, _ in walk_tb(error.__traceback__):
            function = self.lowering.functions.get(frame.f_code.co_name)
            if function is not None and function.place is not None:
                place = self.lowering.code.places[function.place]
        return RuleError(place, "These effects run each other without end.")

    def unwind(self, s: State, step: str) -> int:
        """Leave everything that runs inside the innermost step of that name. If none is running, the match ends."""
        while s.frames:
            target: int | None = self.enclosing[s.frames[-1][0]].get(step)
            if target is not None:
                return target
            s.frames.pop()
        return over(s)

    def site(self, s: State) -> Site:
        """Return the current decision."""
        return self.sites[self.lowering.splitter.site_of[s.frames[-1][0]]]

    def scope(self, s: State) -> dict[int, object]:
        """Return the internal values of the variables known at the current decision."""
        number = self.site(s).number
        if number not in self.scopes:
            text = Expressions(self.slots_at(number)).text
            entries = ", ".join(f"{var}: {text(value)}" for var, value in self.lowering.scopes[number].items())
            self.scopes[number] = eval(f"lambda s, f: {{{entries}}}")
        return self.scopes[number](s, s.frames[-1])

    def refresh(self, s: State) -> None:
        """List the legal moves again, for a state in which cards have changed places."""
        s.fuel = FUEL
        if s.who != ABSENT:
            s.legal = self.namespace[f"L_{self.site(s).number}"](s, s.frames[-1], s.who)

    def decode(self, site: Site, code: int) -> tuple[int | None, list[int]]:
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
        self.lay_out(s, n)
        n.rng, n.checking, n.events = s.rng, s.checking, None if s.events is None else s.events.copy()
        return n

    def lay_out(self, s: State, n: State) -> None:
        """Copy the data of a state to another, except for the random state and listeners."""
        n.t, n.z = s.t.copy(), list(map(COPY, s.z))
        n.loc, n.owner, n.known = s.loc.copy(), s.owner.copy(), s.known.copy()
        n.order, n.alive, n.out, n.fuel = s.order.copy(), s.alive.copy(), s.out, s.fuel
        n.frames, n.picks, n.legal, n.who = list(map(COPY, s.frames)), s.picks, s.legal, s.who

    def visible(self, s: State, card: int, seat: int) -> bool:
        """Check whether a seat (or the spectator: `players`) knows which card this is, in its current place."""
        pile = s.loc[card]
        seen = s.known[card] | (self.layout.sees[pile] if pile >= 0 else 0)
        return bool(seen >> seat & 1)

    def run_step(self, s: State, do: g.Do) -> None:
        """Start a step alone, as examples do."""
        with self.linking:
            entry = self.lowering.step_routine(do)
            self.link()
        s.fuel = FUEL
        self.begin(s, entry)

    # ------------------------------------------------------------ values
    def value(self, expr: g.Expr, s: State, env: Mapping[int, object] | None = None) -> Any:
        """Return the displayed value of an expression: exact fractions, None if absent, `cardlang.game.UNLIMITED` if
        unlimited."""
        known = self.values.get(id(expr))
        if known is None:
            known = self.values[id(expr)] = (expr, self.function_of(expr, env or {}), self.layout.scales.of(expr))
        s.fuel = FUEL
        return shown(known[1](s, *(env or {}).values()), expr.type, known[2])

    def function_of(self, expr: g.Expr, env: Mapping[int, object]) -> Callable[..., Any]:
        with self.linking:
            name = self.lowering.value_function(expr, tuple(env))
            self.link()
        return self.namespace[name]  # type: ignore[no-any-return]

    # ------------------------------------------------------------ players
    def shuffle_players(self, s: State, span: Span) -> None:
        shuffle(s, s.order)
        s.alive = [seat for seat in s.order if not s.out >> seat & 1]
        if s.events is not None:
            s.events.append(("shuffled", span, -1))

    def eliminate(self, s: State, seat: int, span: Span) -> None:
        """Eliminate a player. With the last one, the game is over: raise `Finish`."""
        if s.out >> seat & 1:
            return
        s.out |= 1 << seat
        s.alive = [other for other in s.alive if other != seat]
        if s.events is not None:
            s.events.append(("eliminated", span, seat))
        if not s.alive:
            raise Finish("game")

    def scores(self, s: State) -> list[Any]:
        """Return the scores by seat; None if the game has no score."""
        return [self.of_player("score", s, seat) for seat in range(self.players)]

    def of_player(self, name: str, s: State, seat: int) -> Any:
        expr = self.player_noun(name)
        if expr is None:
            return None
        known = self.values.get(id(expr))
        if known is None:
            return self.value(expr, s, {SEAT.id: seat})
        s.fuel = FUEL
        value = known[1](s, seat)
        plain = expr.type.tag == "number" and known[2] == 1 and 0 <= value < UNLIMITED
        return value if plain else shown(value, expr.type, known[2])

    def player_noun(self, name: str) -> g.Expr | None:
        key = f"player {name}"
        if key not in self.namespace:
            self.namespace[key] = player_noun(self.game, name)
        return self.namespace[key]  # type: ignore[no-any-return]

    @cached_property
    def deciding(self) -> tuple[Callable[[State], list[tuple[Any, int]]], Callable[[State], list[int]]]:
        """Functions of a state: pairs of ranking key (higher is better) and seat, by seat; and the winning seats."""
        with self.linking:
            self.lowering.standing()
            self.link()
        return self.namespace[STANDING], self.namespace[WINNING]

    def keys(self, s: State) -> list[Any]:
        """Return the ranking keys by seat: higher is better."""
        s.fuel = FUEL
        return [key for key, _ in self.deciding[0](s)]

    def winners(self, s: State) -> list[int]:
        """Return the declared winners, else the first in `order standing of player`, else the players with the
        highest score."""
        s.fuel = FUEL
        return self.deciding[1](s)

    def winners_so_far(self, s: State) -> list[int]:
        """Return the winners within a rule, without changing the number of steps left."""
        fuel = s.fuel
        found = self.winners(s)
        s.fuel = fuel
        return found

    def places(self, s: State) -> list[int]:
        """Return the ranks by seat, from 1; equal players share a rank."""
        keys = self.keys(s)
        return [1 + sum(other > key for other in keys) for key in keys]
