"""One match of bots, watched: what happened in it that says something about the game."""

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
"""A span that other processes know, too: the number of its source, its start, its end."""


@frozen
class Seating:
    """Who plays: for each player the sort of bot. Match number n, counted from 0, is played with the players moved on
    by n seats, so that everybody sits everywhere equally often."""

    bots: tuple[str, ...]

    def at(self, number: int) -> tuple[int, ...]:
        """By seat, the player who sits there in a match."""
        players = len(self.bots)
        return tuple((seat - number) % players for seat in range(players))


@frozen
class Story:
    """What a match tells. `sat`: by seat, the player. `winners`: seats, none if it was given up at the cap. `offered`:
    how often somebody had so many moves to choose from; `turns`: how often it was another's turn to choose;
    `rounds`: how often one began. `ahead`:
    after so many decisions these seats (a bit set) had the highest score; 0: nobody had more than others. In a game of
    rounds it is told when one begins, as what is staked in it may come back; else after every decision. `used`: by
    place how often play came there, by the seat whose move led to it; the last one is for what no move led to. `held`,
    `played`: by face, the seats (a bit set) in whose zones such a card lay, and who chose one. `lay`:
    faces, with the zones that such cards lay in when somebody chose, or at the end. `read`: by place of a
    rank, the seats that had it. `tried`: what trial games say of one of the decisions."""

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
    """A program that also notes who comes to a place. `by`: for each seat, and for nobody, how often play has come to
    each place; `had`: by number of the place, the seats (a bit set) that had
    a rank; `standings`: who was ahead when each round began."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.by: list[Counter[int]] = []
        self.had: dict[int, int] = {}
        self.standings: list[int] = []
        self.rounds: set[int] = set()  # until it is all there: something of the rules is asked before
        super().__init__(game, players)
        self.known: dict[int, Place] = {}
        self.rounds = {self.lowering.code.place(body[0].span) for body in rounds(game).values()}
        self.begin_noting()

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return Watched, (self.game, self.players)

    def begin_noting(self) -> None:
        """Forgets what was noted; what comes now is due to nobody."""
        self.by = [Counter() for _ in range(self.players + 1)]
        self.had = {}
        self.takings, self.open, self.standings = {}, {}, []
        self.noting(self.players)

    def noting(self, seat: int) -> None:
        """From now on what is come to is due to a seat (`players`: to nobody)."""
        self.reached, self.read = self.by[seat], self.had

    def not_noting(self) -> None:
        """From now on the rules are only asked something."""
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
            if len(owners) == 1:  # cards of the table may be among them, but not of two players
                self.read[number] = self.read.get(number, 0) | 1 << owners.pop()
        return reading

    def place(self, number: int) -> Place:
        if number not in self.known:
            self.known[number] = place_of(self.game, self.lowering.code.places[number])
        return self.known[number]


def rounds(game: g.Game) -> dict[str, tuple[g.Stmt, ...]]:
    """The steps that a match is cut into, with their bodies: of those that the log announces (they ask somebody, and
    tracks start again there) the ones that no other of them does."""
    headings = facts_of(game).headings
    inner = {name for one in headings for name in steps_done(game, game.steps[one].body) if name != one}
    return {name: body for name in sorted(headings - inner) if (body := game.steps[name].body)}


def place_of(game: g.Game, span: Span) -> Place:
    source = next(at for at, source in enumerate(game.sources) if source is span.source)
    return source, span.start, span.end


@define
class Watch:
    """A match while it is watched."""

    program: Watched
    offered: Counter[int] = field(factory=Counter)
    turns: int = 0
    ahead: list[tuple[int, int]] = field(factory=list)
    held: dict[int, int] = field(factory=dict)
    played: dict[int, int] = field(factory=dict)
    owner: list[int] = field(factory=list)
    lay: set[tuple[int, int]] = field(factory=set)
    last: int = -1
    """Who chose last."""
    codes: list[int] = field(factory=list)
    several: list[int] = field(factory=list)
    """After how many moves somebody had several to choose from."""

    def before(self, s: State, code: int) -> None:
        """Somebody makes a move."""
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
        """Where it stands."""
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
    """The cards that a move names."""
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
    """The seats with the highest score, as a bit set; 0 where all have the same."""
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
    """Plays match `number` (from 0) with a seed, to its end or to the cap of decisions. `costed`: at one decision moves
    are tried; `native`: bots think in machine code. Raises RuleError, with the seed, where a rule is at fault or
    what it expects does not hold."""
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
    """Plays the match. `bots`: by seat."""
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
    """How many rounds have begun."""
    return sum(noted[number] for noted in program.by for number in program.rounds)


def used(program: Watched) -> dict[Place, list[int]]:
    numbers = sorted({number for noted in program.by for number in noted})
    return {program.place(number): [noted[number] for noted in program.by] for number in numbers}


def chooser(program: Program, bots: Sequence[str], seed: int, native: bool) -> Callable[[State], int]:
    """What moves are made, by seat. Bots that think follow the match in one of their own, so that what they try out is
    not noted."""
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
