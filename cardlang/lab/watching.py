"""Instrumented matches between bots, recorded for the balance report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, evolve, field, frozen

from cardlang import game as g
from cardlang.game.walking import steps_done
from cardlang.lab.costs import Tried, tried
from cardlang.source import Span
from interpreter.chance import stream
from interpreter.covering import Covering
from interpreter.errors import RuleError
from interpreter.matches.facts import facts_of
from interpreter.matches.match import start
from interpreter.players.levels import make_bot
from interpreter.players.outcomes import levels
from interpreter.program import Program
from interpreter.ranking.reader import Reading
from interpreter.state import DONE, State

Number = int | Fraction
Place = tuple[int, int, int]
"""Span that is valid in other processes: the number of its source, its start and its end."""


@frozen
class Seating:
    """Types of bot by player. Players rotate by one seat per match, so each player has every seat equally often."""

    bots: tuple[str, ...]

    def at(self, number: int) -> tuple[int, ...]:
        """Return the player at each seat in match `number` (from 0)."""
        players = len(self.bots)
        return tuple((seat - number) % players for seat in range(players))


@frozen
class Story:
    """Record of a match. Sets of seats are bit sets.

    - `sat`: the player at each seat
    - `winners`: seats; empty if the match was stopped at the limit
    - `offered`: decisions, by the number of legal moves
    - `turns`: number of times that the player to move changed; `rounds`: number of rounds started
    - `ahead`: pairs of a number of decisions and the seats with the highest score then; 0 means a tie of all. Games
      with rounds record it only at the start of each round, since stakes may come back within it
    - `used`: by place, the number of uses by the seat whose move led to it; the last entry counts uses without a move
    - `held`, `played`: by face, the seats that had such a card in their zones, or chose one
    - `lay`: faces and the zones they were in at a decision or at the end
    - `read`: by place of a rank, the seats that had it
    - `tried`: results of playouts at one of the decisions"""

    sat: tuple[int, ...]
    decisions: int
    over: bool
    winners: tuple[int, ...]
    scores: tuple[Number | None, ...]
    offered: Counter[int]
    turns: int
    rounds: int
    ahead: tuple[tuple[int, int], ...]
    used: dict[Place, list[int]]
    held: dict[int, int]
    played: dict[int, int]
    lay: frozenset[tuple[int, str]]
    read: dict[Place, int]
    tried: Tried | None = None


class Watched(Covering):
    """Coverage-collecting program that attributes uses to seats.

    `by` counts the uses of each place, for each seat and for no seat (the last entry). `had` has the seats that had a
    rank, as bit sets by number of its place. `standings` has the leaders at the start of each round."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.by: list[Counter[int]] = []
        self.had: dict[int, int] = {}
        self.standings: list[int] = []
        self.rounds: set[int] = set()  # empty during construction, which already evaluates rules
        super().__init__(game, players)
        self.known: dict[int, Place] = {}
        self.rounds = {self.lowering.code.place(body[0].span) for body in rounds(game).values()}
        self.begin_noting()

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return Watched, (self.game, self.players)

    def begin_noting(self) -> None:
        """Reset all records and attribute further uses to no seat."""
        self.by = [Counter() for _ in range(self.players + 1)]
        self.had = {}
        self.takings, self.open, self.standings = {}, {}, []
        self.noting(self.players)

    def noting(self, seat: int) -> None:
        """Attribute further uses to a seat (`players`: to no seat)."""
        self.reached, self.read = self.by[seat], self.had

    def not_noting(self) -> None:
        """Discard further uses: the rules are only queried."""
        self.reached, self.read = Counter(), {}

    def come_to(self, s: State, number: int, value: Any = None) -> Any:
        self.reached[number] += 1
        if number in self.rounds:
            noted, fuel = (self.reached, self.read), s.fuel
            self.not_noting()
            self.standings.append(leading(self, s))
            (self.reached, self.read), s.fuel = noted, fuel
        return value

    def read_noted(self, name: str, s: State, cards: Sequence[int]) -> Reading | None:
        reading = self.readings.read(name, s, cards)
        ranks = self.game.rankings[name].ranks
        if reading is not None and ranks:
            number = self.lowering.code.place(ranks[reading.rank].span)
            self.come_to(s, number)
            owners = {s.owner[card] for card in cards} - {-1}
            if len(owners) == 1:  # table cards may be among them, but only one player's cards
                self.read[number] = self.read.get(number, 0) | 1 << owners.pop()
        return reading

    def place(self, number: int) -> Place:
        if number not in self.known:
            self.known[number] = place_of(self.game, self.lowering.code.places[number])
        return self.known[number]


def rounds(game: g.Game) -> dict[str, tuple[g.Stmt, ...]]:
    """Return the steps that divide a match into rounds, with their bodies.

    Candidates are the steps with headings in the log: they ask players, and tracks restart there. Rounds
    are the candidates that no other candidate performs."""
    headings = facts_of(game).headings
    inner = {name for one in headings for name in steps_done(game, game.steps[one].body) if name != one}
    return {name: body for name in sorted(headings - inner) if (body := game.steps[name].body)}


def place_of(game: g.Game, span: Span) -> Place:
    source = next(at for at, source in enumerate(game.sources) if source is span.source)
    return source, span.start, span.end


@define
class Watch:
    """Recorder of a running match."""

    program: Watched
    offered: Counter[int] = field(factory=Counter)
    turns: int = 0
    ahead: list[tuple[int, int]] = field(factory=list)
    held: dict[int, int] = field(factory=dict)
    played: dict[int, int] = field(factory=dict)
    owner: list[int] = field(factory=list)
    lay: set[tuple[int, int]] = field(factory=set)
    last: int = -1
    """Seat of the last decision."""
    codes: list[int] = field(factory=list)
    several: list[int] = field(factory=list)
    """Numbers of moves made before each decision with several legal moves."""

    def before(self, s: State, code: int) -> None:
        """Record a move before it is made."""
        if not s.picks:
            self.offered[len(s.legal)] += 1
            self.turns += s.who != self.last
            self.last = s.who
        if len(s.legal) > 1:
            self.several.append(len(self.codes))
        self.codes.append(code)
        for card in cards_in(self.program, s, code):
            face = self.program.face[card]
            self.played[face] = self.played.get(face, 0) | 1 << s.who

    def after(self, s: State) -> None:
        """Record the position."""
        if s.owner != self.owner:
            self.owner = s.owner.copy()
            for card, seat in enumerate(s.owner):
                if seat >= 0:
                    face = self.program.face[card]
                    self.held[face] = self.held.get(face, 0) | 1 << seat
        self.lay.update(zip(self.program.face, s.loc, strict=True))
        if not self.program.rounds or s.who < 0:
            self.program.standings.append(leading(self.program, s))
        self.ahead += [(len(self.codes), leaders) for leaders in self.program.standings]
        self.program.standings.clear()


def cards_in(program: Program, s: State, code: int) -> Iterator[int]:
    """Yield the cards that a move names."""
    if code == DONE:
        return
    site = program.site(s)
    option, values = program.decode(site, code)
    if option is None:
        asked = getattr(site.statement, "var", None)
        if site.kind == "pick" or (asked is not None and asked.type.tag == "card"):
            yield values[0]
        return
    for (var, _), value in zip(site.options[option].binders, values, strict=True):
        if var.type.tag == "card":
            yield value


def leading(program: Program, s: State) -> int:
    """Return the seats with the highest score, as a bit set; 0 if all are tied."""
    try:
        scores = levels(program, s)
    except RuleError:
        return 0
    highest = max(scores)
    seats = sum(1 << seat for seat, score in enumerate(scores) if score == highest)
    return 0 if seats == (1 << program.players) - 1 else seats


def watch(
    program: Watched, seating: Seating, number: int, seed: int, cap: int, costed: bool = False, native: bool = False
) -> Story:
    """Play and record match `number` (from 0), up to `cap` decisions.

    `costed` tries moves at one decision. `native` makes bots use the native engine. Raise RuleError, with the seed, if
    a rule or an expectation of the game fails."""
    try:
        sat = seating.at(number)
        watch = Watch(program)
        state = played(watch, [seating.bots[player] for player in sat], seed, cap, native)
        story = told(watch, sat, state)
        if not costed:
            return story
        return evolve(story, tried=tried(program.game, program.players, seed, watch.codes, watch.several))
    except RuleError as error:
        raise RuleError(error.span, f"{error.message} (seed {seed}, {program.players} players)") from error


def played(watch: Watch, bots: Sequence[str], seed: int, cap: int, native: bool) -> State:
    """Play the match. `bots` is by seat."""
    program = watch.program
    program.begin_noting()
    state = program.start(seed, checking=True)
    program.not_noting()
    choose = chooser(program, bots, seed, native)
    while state.who >= 0 and len(watch.codes) < cap:
        watch.after(state)
        code = choose(state)
        watch.before(state, code)
        program.noting(state.who)
        program.apply(state, code)
        program.not_noting()
    watch.after(state)
    return state


def told(watch: Watch, sat: tuple[int, ...], state: State) -> Story:
    program, over = watch.program, state.who < 0
    return Story(
        sat, len(watch.codes), over, tuple(program.winners(state) if over else []), tuple(program.scores(state)),
        watch.offered, watch.turns, begun(program), tuple(watch.ahead), used(program), watch.held, watch.played,
        frozenset((face, str(program.zones[pile].zone.name)) for face, pile in watch.lay if pile >= 0),
        {program.place(each): seats for each, seats in program.had.items()},
    )  # fmt: skip


def begun(program: Watched) -> int:
    """Return the number of rounds started."""
    return sum(noted[number] for noted in program.by for number in program.rounds)


def used(program: Watched) -> dict[Place, list[int]]:
    numbers = sorted({number for noted in program.by for number in noted})
    return {program.place(number): [noted[number] for noted in program.by] for number in numbers}


def chooser(program: Program, bots: Sequence[str], seed: int, native: bool) -> Callable[[State], int]:
    """Return a function that chooses moves for all seats.

    Bots that search use a second match that follows the first, so their searches aren't recorded."""
    if set(bots) == {"random"}:
        word = stream(seed).__next__
        return lambda state: state.legal[word() * len(state.legal) >> 64]
    match = start(program.game, program.players, seed)
    players = [make_bot(bot, seed * 100 + seat, native=native) for seat, bot in enumerate(bots)]

    def choose(state: State) -> int:
        index = players[state.who].choose(match)
        code = match.state.legal[index]
        match.choose(index)
        return code

    return choose
