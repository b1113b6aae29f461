"""How trial games are played: by what has paid in earlier ones.

For each sort of decision (where it stands in the rules, what was done before it, how good one's hand is) the moves
are put into classes: the option with about how much of it, numbers by themselves by their doubles, and of cards,
whether they count in one's hand. What
followed each class is kept, and the class that a sample of its mean finds best is taken (Thompson 1933; with what was
done before, as in n-gram selection, Tak, Winands and Björnsson 2012). So bets, folds and discards are learnt game by
game, from nothing but trial games: everybody in them looks at no more than their own hand.

How good a hand is, is known where the game shows each player a reading of their own cards: its place among those met
so far. Bets are not learnt, but made as `interpreter.players.betting` says.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Sequence
from random import Random

from attrs import define

from interpreter.errors import RuleError
from interpreter.players.betting import Betting, betting_of
from interpreter.players.outcomes import lead, levels
from interpreter.program import Program
from interpreter.ranking.reader import Reading
from interpreter.readings import shown_reading
from interpreter.stakes import STAY
from interpreter.state import DONE, Site, State

GRADES = 6
"""A hand is in one of so many grades."""
MET = 400
"""So many hands of each size are remembered to grade others by."""
SLOWEST = 400
"""What is learnt counts as if so many trial games had shown it, at most: what others do changes."""
SUPPOSED = 2
"""What is learnt of one class varies as that of all do, as if so many trial games had shown it: two that came to the
same do not say that all do."""
Key = tuple[int, object, int, int]
Trail = list[tuple[Key, object, int, float]]


@define
class Record:
    """What followed a class of moves: how often it was taken, the mean gain, and the mean of its square."""

    games: int = 0
    mean: float = 0.0
    square: float = 0.0

    def add(self, gain: float) -> None:
        self.games += 1
        share = 1 / min(self.games, SLOWEST)
        self.mean += (gain - self.mean) * share
        self.square += (gain * gain - self.square) * share

    def drawn(self, random: Random, square: float) -> float:
        """A mean that may be the true one. `square`: the mean of the squares for all classes of the decision."""
        known = min(self.games, SLOWEST)
        spread = (known * self.spread + SUPPOSED * square) / (known + SUPPOSED)
        return random.gauss(self.mean, (spread / known) ** 0.5)

    @property
    def spread(self) -> float:
        """The variance of the gain."""
        return max(self.square - self.mean**2, 0.0)


class Habits:
    """Of one player in one game for so many players. Learns with each trial game."""

    def __init__(self, program: Program, random: Random) -> None:
        self.program, self.random = program, random
        self.records: dict[Key, dict[object, Record]] = {}
        self.met: dict[int, list[tuple[int, ...]]] = {}
        self.compared = -1
        """Of hands of this size those remembered are what others could hold at the decision that is thought about."""
        self.shown = readings_shown(program)
        self.betting = betting_of(program)
        self.staying = False
        """Whether everybody stays in, whatever they hold."""
        self.practised = 0
        """So many deals have been played to learn, and for nothing else."""
        self.trail: Trail = []
        self.before: object = None
        self.total = float("-inf")
        self.classes: dict[tuple[int, int], object] = {}
        """Of options, by decision and code."""

    def class_of(self, site: Site, code: int, reading: Reading | None = None) -> object:
        """What a move has in common with others of its decision."""
        if site.asks_number:
            return code and 1 + max(code - 1, 0).bit_length()
        if not site.options:
            return code and (1 if reading is not None and code - 1 in reading.used else 2)
        known = self.classes.get((site.number, code))
        if known is None:
            known = self.classes[site.number, code] = class_of(self.program, site, code)
        return known

    # ------------------------------------------------------------ trial games
    def begin(self, before: object) -> None:
        """A trial game begins after a move of this class."""
        self.trail, self.before = [], before

    def pick(self, state: State) -> int:
        """The code of a move in a trial game."""
        legal = state.legal
        if len(legal) == 1:
            return legal[0]
        site = self.program.site(state)
        if self.betting is not None and self.betting.is_bet(site):
            code = self.bet(self.betting, state)
            self.before = self.class_of(site, code)
            return code
        if not (site.options or site.asks_number or (self.shown is not None and site.kind == "pick")):
            return legal[int(self.random.random() * len(legal))]
        reading = self.reading(state, state.who)
        classes: dict[object, list[int]] = {}
        for code in legal:
            classes.setdefault(self.class_of(site, code, reading), []).append(code)
        now = levels(self.program, state)
        key = (site.number, self.before, self.grade(reading), self.at_stake(now))
        taken = next(iter(classes)) if len(classes) == 1 else self.promising(key, list(classes))
        if len(classes) > 1:
            self.trail.append((key, taken, state.who, lead(now, state.who, self.program.shared)))
        if site.options:
            self.before = taken
        codes = classes[taken]
        if site.picks_freely:  # in ascending order: any other would leave out what stands before it
            return codes[0]
        return codes[int(self.random.random() * len(codes))]

    def bet(self, betting: Betting, state: State) -> int:
        if self.staying:
            return betting.code_for(state, STAY)
        return betting.pick(state, self.strength(self.reading(state, state.who)), self.random)

    def promising(self, key: Key, classes: list[object]) -> object:
        """What has paid, or has hardly been tried."""
        records = self.records.setdefault(key, {})
        fresh = [each for each in classes if each not in records or records[each].games < 2]
        if fresh:
            return self.random.choice(fresh)
        known = [records[each] for each in classes]
        square = sum(record.games * record.square for record in known) / sum(record.games for record in known)
        drawn = [record.drawn(self.random, square) for record in known]
        return classes[drawn.index(max(drawn))]

    def key(self, state: State, before: object, reading: Reading | None) -> Key:
        now = levels(self.program, state)
        return self.program.site(state).number, before, self.grade(reading), self.at_stake(now)

    def at_stake(self, now: list[float]) -> int:
        """About how much lies in the middle: by so much less the players have together than they had at most."""
        total = sum(now)
        self.total = max(self.total, total)
        return int(self.total - total).bit_length() // 2

    def record(self, state: State, code: int, before: object) -> Record | None:
        """What is known of a class of moves, with a hand as good as the player's who is asked; nothing of bets, and of
        numbers by themselves: what a bid is worth hangs on more than that."""
        site, reading = self.program.site(state), self.reading(state, state.who)
        if site.asks_number or (self.betting is not None and self.betting.is_bet(site)):
            return None
        records = self.records.get(self.key(state, before, reading), {})
        return records.get(self.class_of(site, code, reading))

    def likelihood(self, state: State, code: int, before: object) -> float:
        """How likely a player with habits like these would take an option. `before`: the class of what was done before
        it."""
        site, reading = self.program.site(state), self.reading(state, state.who)
        records = self.records.get(self.key(state, before, reading))
        if records is None:
            return 1.0
        taken = records.get(self.class_of(site, code, reading))
        total = sum(record.games for record in records.values())
        return ((taken.games if taken is not None else 0) + 1) / (total + len(records) + 1)

    def likelihoods(self, states: Sequence[State], code: int, weights: Sequence[float], wild: float) -> list[float]:
        """How likely a bet is in each of some states that whoever made it may have been in. `weights`: how likely these
        are: what is bet hangs on how good the hand is among those of all of them, unless the player is `wild`."""
        assert self.betting is not None
        readings = [self.reading(state, state.who) for state in states]
        hands = [reading.strength if reading is not None else () for reading in readings]
        shares = shares_below(hands, weights)
        return [
            self.betting.likelihood(state, code, shares[hand], wild) for state, hand in zip(states, hands, strict=True)
        ]

    def learn(self, ends: list[float]) -> None:
        """A trial game left everybody so high."""
        for key, taken, seat, level in self.trail:
            self.records[key].setdefault(taken, Record()).add(lead(ends, seat, self.program.shared) - level)

    # ------------------------------------------------------------ hands
    def reading(self, state: State, seat: int) -> Reading | None:
        """What a player sees of their own hand."""
        if self.shown is None:
            return None
        try:
            return self.shown(state, seat)
        except RuleError:
            return None

    def grade(self, reading: Reading | None) -> int:
        """From 0 for the poorest; -1 of none."""
        return -1 if reading is None else int(GRADES * self.strength(reading))

    def strength(self, reading: Reading | None) -> float:
        """The share of hands of its size that are poorer; -1 of none."""
        if reading is None:
            return -1.0
        met = self.met.setdefault(len(reading.cards), [])
        share = bisect_left(met, reading.strength) / (len(met) + 1)
        if len(met) < MET and len(reading.cards) != self.compared:
            insort(met, reading.strength)
        return share

    def compare(self, worlds: Iterable[State], seat: int) -> None:
        """Hands as large as a player's are compared with those that others hold in some samples."""
        self.compared = -1
        for number, world in enumerate(worlds):
            if number == 0:
                own = self.reading(world, seat)
                size = -1 if own is None else len(own.cards)
                self.met[size] = []
            for other in range(self.program.players):
                reading = self.reading(world, other) if other != seat else None
                if reading is not None and len(reading.cards) == size:
                    self.strength(reading)
        self.compared = size


def shares_below(hands: Sequence[tuple[int, ...]], weights: Sequence[float]) -> dict[tuple[int, ...], float]:
    """Of each hand the share of those that are poorer, by weight."""
    whole, below, shares = sum(weights), 0.0, dict[tuple[int, ...], float]()
    for hand, weight in sorted(zip(hands, weights, strict=True)):
        shares.setdefault(hand, below / whole if whole else 0.0)
        below += weight
    return shares


def class_of(program: Program, site: Site, code: int) -> object:
    """The option, and about how much of it."""
    if code == DONE:
        return DONE
    count = len(site.options)
    option = (code - 1) % count
    binders = site.options[option].binders
    if not binders or binders[-1][0].type.tag != "number":
        return 1 + option
    _, values = program.decode(site, code)
    return 1 + option, values[-1].bit_length() // 2


def readings_shown(program: Program) -> Callable[[State, int], Reading | None] | None:
    """What gives a player's own reading, if the game shows one to each."""
    name = shown_reading(program.game)
    return None if name is None else lambda state, seat: program.of_player(name, state, seat)
