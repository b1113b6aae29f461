"""Statistics of one instrumented match, and the cost of random moves.

At one decision per match, a few moves are tried by Monte Carlo playouts. The playouts start from samples of the hidden
cards that fit the player's knowledge, and make random moves. One half of the samples selects the best move and the
other half estimates its value, then the halves swap (cross-fitting). A move that was only lucky gains nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import lcm
from random import Random
from typing import Any

from attrs import define, evolve, field, frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.exact_numbers import ExactNumber
from cardlang.model.traversal import find_reachable_steps
from interpreter.bots.bot_players import make_bot
from interpreter.bots.candidate_moves import select_candidates
from interpreter.bots.playout_results import get_player_levels
from interpreter.hands.hand_evaluator import HandReading
from interpreter.match.determinization import sample_state
from interpreter.match.event_log import MatchOrigin
from interpreter.match.match import start
from interpreter.match.secret_values import find_secret_values
from interpreter.narration.display_names import MatchNames
from interpreter.narration.game_facts import get_game_facts
from interpreter.program.coverage import CoverageProgram
from interpreter.program.program import Program
from interpreter.runtime.errors import RuleError
from interpreter.runtime.rng import iter_move_words
from interpreter.runtime.state import DONE, State

COSTED_MATCHES, COST_INTERVAL = 200, 10
"""Sampling rate: playouts run for the first COSTED_MATCHES matches, then for one match in COST_INTERVAL."""
BELIEF_SAMPLES = 8
MAX_MOVES_TRIED = 8
"""Maximum number of moves to try at a decision."""
PLAYOUT_LIMIT = 400
"""Length limit of a playout, in decisions. After that, the current standing is scored."""
FULL_WIN = lcm(*range(1, 13)) * lcm(*range(1, MAX_MOVES_TRIED + 1))
"""Value of a match won alone. It is divisible, so shared wins and means over several moves stay integers."""


@frozen
class PlayoutValues:
    """Summed playout values of a decision: of the `best` move, and the mean of all moves tried (`mean`).

    Both are BELIEF_SAMPLES * FULL_WIN if every playout is won."""

    best: int
    mean: int


def is_cost_sampled_match(match_number: int) -> bool:
    """Return whether match `match_number` (from 0) has a decision to try."""
    return match_number < COSTED_MATCHES or match_number % COST_INTERVAL == 0


def count_matches_for(decisions: int) -> int:
    """Return the number of matches needed for that number of tried decisions."""
    return decisions if decisions <= COSTED_MATCHES else COSTED_MATCHES + COST_INTERVAL * (decisions - COSTED_MATCHES)


@cache
def get_names(game: g.Game, players: int) -> MatchNames:
    return start(game, players, 1).names


def try_moves(
    game: g.Game, players: int, seed: int, codes: Sequence[int], decision_indices: Sequence[int]
) -> PlayoutValues | None:
    """Run playouts at a random one of the decisions `decision_indices`.

    `decision_indices` has indices into `codes`, the moves of the match with this seed. Return None for solo games, or
    if `decision_indices` is empty."""
    if not decision_indices or players == 1:
        return None
    random, names = Random(f"cost {seed}"), get_names(game, players)
    program = names.program
    state = program.start(seed)
    past = codes[: random.choice(decision_indices)]
    for code in past:
        program.apply(state, code)
    particles = find_secret_values(names, MatchOrigin(names, seed), past, state.who)
    moves = select_candidates(program, state, MAX_MOVES_TRIED, random)
    halves = [[0] * len(moves), [0] * len(moves)]
    for sample in range(BELIEF_SAMPLES):
        world = sample_state(names, state, state.who, random.getrandbits(63), particles)
        for move_index, move in enumerate(moves):
            halves[sample % 2][move_index] += run_playout(program, world, move, random)
    one, other = halves
    best = other[one.index(max(one))] + one[other.index(max(other))]
    return PlayoutValues(best, (sum(one) + sum(other)) // len(moves))


def run_playout(program: Program, sample: State, move: int, random: Random) -> int:
    """Run a playout and return its value to the player to move.

    Return 0 if a rule fails: sampled cards may lead to positions that the rules can't handle."""
    state, seat = program.clone(sample), sample.who
    try:
        program.apply(state, state.legal[move])
        for _ in range(PLAYOUT_LIMIT):
            if state.who < 0:
                break
            program.apply(state, state.legal[int(random.random() * len(state.legal))])
        ranks = program.compute_places(state)
    except RuleError:
        return 0
    return FULL_WIN // ranks.count(1) if ranks[seat] == 1 else 0


# ---------------------------------------------------------------- one match
EncodedSpan = tuple[int, int, int]
"""Span that is valid in other processes: the number of its source, its start and its end."""


@frozen
class SeatRotation:
    """Types of bot by player. Players rotate by one seat per match, so each player has every seat equally often."""

    bots: tuple[str, ...]

    def get_players_by_seat(self, match_number: int) -> tuple[int, ...]:
        """Return the player at each seat in match `match_number` (from 0)."""
        players = len(self.bots)
        return tuple((seat - match_number) % players for seat in range(players))


@frozen
class MatchStats:
    """Record of a match. Sets of seats are bit sets.

    - `players_by_seat`: the player at each seat
    - `winners`: seats; empty if the match was stopped at the limit
    - `move_counts`: decisions, by the number of legal moves
    - `turns`: number of times that the player to move changed; `rounds`: number of rounds started
    - `leaders`: pairs of a number of decisions and the seats with the highest score then; 0 means a tie of all. Games
      with rounds record it only at the start of each round, since stakes may come back within it
    - `use_counts`: by rule position, the number of uses by the seat whose move led to it; the last entry counts uses
      without a move
    - `held_by`, `played_by`: by face, the seats that had such a card in their zones, or chose one
    - `zones_seen`: faces and the zones they were in at a decision or at the end
    - `rank_holders`: by position of a rank, the seats that had it
    - `playout_values`: results of playouts at one of the decisions"""

    players_by_seat: tuple[int, ...]
    decisions: int
    is_over: bool
    winners: tuple[int, ...]
    scores: tuple[ExactNumber | None, ...]
    move_counts: Counter[int]
    turns: int
    rounds: int
    leaders: tuple[tuple[int, int], ...]
    use_counts: dict[EncodedSpan, list[int]]
    held_by: dict[int, int]
    played_by: dict[int, int]
    zones_seen: frozenset[tuple[int, str]]
    rank_holders: dict[EncodedSpan, int]
    playout_values: PlayoutValues | None = None


class RecordingProgram(CoverageProgram):
    """Coverage-collecting program that attributes uses to seats.

    `uses_by_seat` counts the uses of each rule position, for each seat and for no seat (the last entry). `rank_holders`
    has the seats that had a rank, as bit sets by number of its position. `standings` has the leaders at the start of
    each round."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.uses_by_seat: list[Counter[int]] = []
        self.rank_holders: dict[int, int] = {}
        self.standings: list[int] = []
        self.round_places: set[int] = set()  # empty during construction, which already evaluates rules
        super().__init__(game, players)
        self.span_cache: dict[int, EncodedSpan] = {}
        self.round_places = {self.lowering.number_rule_span(body[0].span) for body in find_round_steps(game).values()}
        self.reset_records()

    def __reduce__(self) -> tuple[Callable[..., Program], tuple[Any, ...]]:
        return RecordingProgram, (self.game, self.players)

    def reset_records(self) -> None:
        """Reset all records and attribute further uses to no seat."""
        self.uses_by_seat = [Counter() for _ in range(self.players + 1)]
        self.rank_holders = {}
        self.take_statistics, self.move_availability, self.standings = {}, {}, []
        self.record_for_seat(self.players)

    def record_for_seat(self, seat: int) -> None:
        """Attribute further uses to a seat (`players`: to no seat)."""
        self.reached, self.read = self.uses_by_seat[seat], self.rank_holders

    def stop_recording(self) -> None:
        """Discard further uses: the rules are only queried."""
        self.reached, self.read = Counter(), {}

    def record_reached(self, s: State, number: int, value: Any = None) -> Any:
        self.reached[number] += 1
        if number in self.round_places:
            noted, fuel = (self.reached, self.read), s.fuel
            self.stop_recording()
            self.standings.append(find_leaders(self, s))
            (self.reached, self.read), s.fuel = noted, fuel
        return value

    def read_and_record(self, name: str, s: State, cards: Sequence[int]) -> HandReading | None:
        reading = self.readings.read_hand(name, s, cards)
        ranks = self.game.rankings[name].ranks
        if reading is not None and ranks:
            number = self.lowering.number_rule_span(ranks[reading.rank].span)
            self.record_reached(s, number)
            owners = {s.owner[card] for card in cards} - {-1}
            if len(owners) == 1:  # table cards may be among them, but only one player's cards
                self.read[number] = self.read.get(number, 0) | 1 << owners.pop()
        return reading

    def get_encoded_span(self, number: int) -> EncodedSpan:
        if number not in self.span_cache:
            self.span_cache[number] = encode_span(self.game, self.lowering.rule_spans[number])
        return self.span_cache[number]


def find_round_steps(game: g.Game) -> dict[str, tuple[g.Stmt, ...]]:
    """Return the steps that divide a match into rounds, with their bodies.

    Candidates are the steps with headings in the log: they ask players, and tracks restart there. Rounds
    are the candidates that no other candidate performs."""
    headings = get_game_facts(game).heading_steps
    inner = {name for one in headings for name in find_reachable_steps(game, game.steps[one].body) if name != one}
    return {name: body for name in sorted(headings - inner) if (body := game.steps[name].body)}


def encode_span(game: g.Game, span: Span) -> EncodedSpan:
    source = next(at for at, source in enumerate(game.sources) if source is span.source)
    return source, span.start, span.end


@define
class MatchRecorder:
    """Recorder of a running match."""

    program: RecordingProgram
    move_counts: Counter[int] = field(factory=Counter)
    turns: int = 0
    leaders: list[tuple[int, int]] = field(factory=list)
    held_by: dict[int, int] = field(factory=dict)
    played_by: dict[int, int] = field(factory=dict)
    owners: list[int] = field(factory=list)
    zones_seen: set[tuple[int, int]] = field(factory=set)
    last_seat: int = -1
    """Seat of the last decision."""
    codes: list[int] = field(factory=list)
    choice_indices: list[int] = field(factory=list)
    """Numbers of moves made before each decision with several legal moves."""

    def record_move(self, s: State, code: int) -> None:
        """Record a move before it is made."""
        if not s.picks:
            self.move_counts[len(s.legal)] += 1
            self.turns += s.who != self.last_seat
            self.last_seat = s.who
        if len(s.legal) > 1:
            self.choice_indices.append(len(self.codes))
        self.codes.append(code)
        for card in find_named_cards(self.program, s, code):
            face = self.program.face[card]
            self.played_by[face] = self.played_by.get(face, 0) | 1 << s.who

    def record_position(self, s: State) -> None:
        """Record the position."""
        if s.owner != self.owners:
            self.owners = s.owner.copy()
            for card, seat in enumerate(s.owner):
                if seat >= 0:
                    face = self.program.face[card]
                    self.held_by[face] = self.held_by.get(face, 0) | 1 << seat
        self.zones_seen.update(zip(self.program.face, s.loc, strict=True))
        if not self.program.round_places or s.who < 0:
            self.program.standings.append(find_leaders(self.program, s))
        self.leaders += [(len(self.codes), leaders) for leaders in self.program.standings]
        self.program.standings.clear()


def find_named_cards(program: Program, s: State, code: int) -> Iterator[int]:
    """Yield the cards that a move names."""
    if code == DONE:
        return
    site = program.get_site(s)
    option, values = program.decode_move(site, code)
    if option is None:
        asked = getattr(site.statement, "var", None)
        if site.kind == "pick" or (asked is not None and asked.type.tag == "card"):
            yield values[0]
        return
    for (var, _), value in zip(site.options[option].binders, values, strict=True):
        if var.type.tag == "card":
            yield value


def find_leaders(program: Program, s: State) -> int:
    """Return the seats with the highest score, as a bit set; 0 if all are tied."""
    try:
        scores = get_player_levels(program, s)
    except RuleError:
        return 0
    highest = max(scores)
    seats = sum(1 << seat for seat, score in enumerate(scores) if score == highest)
    return 0 if seats == (1 << program.players) - 1 else seats


def record_match(
    program: RecordingProgram,
    seating: SeatRotation,
    number: int,
    seed: int,
    cap: int,
    measures_cost: bool = False,
    native: bool = False,
) -> MatchStats:
    """Play and record match `number` (from 0), up to `cap` decisions.

    `measures_cost` tries moves at one decision. `native` makes bots use the native engine. Raise RuleError, with the
    seed, if a rule or an expectation of the game fails."""
    try:
        players_by_seat = seating.get_players_by_seat(number)
        watch = MatchRecorder(program)
        state = play_recorded_match(watch, [seating.bots[player] for player in players_by_seat], seed, cap, native)
        stats = build_match_stats(watch, players_by_seat, state)
        if not measures_cost:
            return stats
        return evolve(
            stats, playout_values=try_moves(program.game, program.players, seed, watch.codes, watch.choice_indices)
        )
    except RuleError as error:
        raise RuleError(error.span, f"{error.message} (seed {seed}, {program.players} players)") from error


def play_recorded_match(watch: MatchRecorder, bots: Sequence[str], seed: int, cap: int, native: bool) -> State:
    """Play the match. `bots` is by seat."""
    program = watch.program
    program.reset_records()
    state = program.start(seed, checking=True)
    program.stop_recording()
    choose = build_move_chooser(program, bots, seed, native)
    while state.who >= 0 and len(watch.codes) < cap:
        watch.record_position(state)
        code = choose(state)
        watch.record_move(state, code)
        program.record_for_seat(state.who)
        program.apply(state, code)
        program.stop_recording()
    watch.record_position(state)
    return state


def build_match_stats(watch: MatchRecorder, sat: tuple[int, ...], state: State) -> MatchStats:
    program, over = watch.program, state.who < 0
    return MatchStats(
        sat,
        len(watch.codes),
        over,
        tuple(program.find_winners(state) if over else []),
        tuple(program.compute_scores(state)),
        watch.move_counts,
        watch.turns,
        count_rounds(program),
        tuple(watch.leaders),
        count_uses(program),
        watch.held_by,
        watch.played_by,
        frozenset((face, str(program.zones[pile].zone.name)) for face, pile in watch.zones_seen if pile >= 0),
        {program.get_encoded_span(rank): seats for rank, seats in program.rank_holders.items()},
    )


def count_rounds(program: RecordingProgram) -> int:
    """Return the number of rounds started."""
    return sum(noted[number] for noted in program.uses_by_seat for number in program.round_places)


def count_uses(program: RecordingProgram) -> dict[EncodedSpan, list[int]]:
    numbers = sorted({number for noted in program.uses_by_seat for number in noted})
    return {program.get_encoded_span(number): [noted[number] for noted in program.uses_by_seat] for number in numbers}


def build_move_chooser(program: Program, bots: Sequence[str], seed: int, native: bool) -> Callable[[State], int]:
    """Return a function that chooses moves for all seats.

    Bots that search use a second match that follows the first, so their searches aren't recorded."""
    if set(bots) == {"random"}:
        word = iter_move_words(seed).__next__
        return lambda state: state.legal[word() * len(state.legal) >> 64]
    match = start(program.game, program.players, seed)
    players = [make_bot(bot, seed * 100 + seat, native=native) for seat, bot in enumerate(bots)]

    def choose(state: State) -> int:
        index = players[state.who].choose(match)
        code = match.state.legal[index]
        match.choose(index)
        return code

    return choose
