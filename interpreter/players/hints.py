"""What to do, and what speaks for it: the counsel of trial games, in numbers and in words."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from attrs import evolve, frozen

from cardlang.game import Call, Noun, TrackValue
from interpreter.errors import MoveError
from interpreter.matches.asked import labels_of
from interpreter.matches.match import Match
from interpreter.matches.names import listed
from interpreter.matches.toggling import Toggling, choosing_of
from interpreter.players.candidates import kind_of
from interpreter.players.engines import Engines
from interpreter.players.grounds import SAMPLES, Worlds, grounds
from interpreter.players.outcomes import Tried, lead, levels
from interpreter.players.rollout import RolloutPlayer
from interpreter.players.search import Budget, Clock, Counsel
from interpreter.program import Program
from interpreter.stakes import roles
from interpreter.state import DONE, State

NAMED = 3
"""So many moves are weighed in words."""
INSTEAD = " Instead: "
AS_WELL = "does about as well"
LESS_SURELY = "could bring more, but less surely"


@frozen
class Weighed:
    """A move and what its trial games came to. `text`: its printed form; `games`: how many; `first`: how often they
    left the player in the first place, from 0 to 1, a place shared by two counts half; `ahead`: by how much they left
    the player ahead of the others' mean score, on average (below 0: behind; higher is better, also where a low score
    is good); `gain`: how much better one's own score was than at the decision; `error`: the standard error of
    `ahead`."""

    index: int
    text: str
    games: int
    first: float
    ahead: float
    gain: float
    error: float


@frozen
class Scored:
    """How a decision is told in points. `players`: so many play; `before`: how far its player is ahead of the others'
    mean now; `unit`: what is scored, as one and as several; `staking`: it is decided about a bet, where a lead also
    tells what was staked before."""

    players: int
    before: float = 0.0
    unit: tuple[str, str] = ("point", "points")
    staking: bool = False

    @classmethod
    def of(cls, match: Match, worlds: Worlds) -> Scored:
        program = match.program
        now = [lead(levels(program, state), worlds.seat, program.shared) for state in worlds.states]
        return cls(len(match.players), sum(now) / max(len(now), 1), unit_of(program), any(roles(worlds.site)))

    def amount(self, value: float) -> str:
        """`2.5 chips`."""
        told = amount(value)
        return f"{told} {self.unit[told != '1.0']}"


def unit_of(program: Program) -> tuple[str, str]:
    """What the score of a player counts: chips, where these are the score; what its define calls it; else points."""
    game, value, nouns = program.game, program.player_noun("score"), list[Noun]()
    while isinstance(value, Call):
        nouns.append(game.defines[value.define].noun)
        value = game.defines[value.define].value
    if isinstance(value, TrackValue):
        nouns.append(game.tracks[value.track].noun)
    return next(((noun.singular, noun.plural) for noun in reversed(nouns) if noun.counted), ("point", "points"))


@frozen
class Hint:
    """A counsel for one decision. `move`: the printed form of the best move, `index` its number among the moves;
    `words`: what speaks for it, in one or two sentences; `games`: trial games in all; `moves`: those tried, the best
    first. Where a set is chosen `move` is the first of its picks, `also` are the printed forms of the others, and
    `refs` means them all as a table does."""

    move: str
    index: int
    words: str
    games: int
    moves: tuple[Weighed, ...]
    also: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    called: str = ""
    """The best move as people say it; of a set all that is picked."""

    @property
    def told(self) -> str:
        """`Play [9G]. You end first in 4 of 10 games played on from here. Instead: Play [2p] · 3 of 10.`"""
        return f"{self.called}. {self.words}"


def hint(
    match: Match, player: int | str, seconds: float | None = 1.0, playouts: int | None = None, seed: int = 0,
    clock: Clock = monotonic, engines: Engines | None = None,
) -> Hint:  # fmt: skip
    """What the player asked could do, and why. It uses nothing but what the player knows. `seconds`, `playouts`,
    `engines`: as for a `RolloutPlayer`; with `playouts` alone the same question has the same answer. Raises MoveError
    if the player is not asked now, ValueError for somebody who does not play."""
    decision, seat = match.decision, match.names.seat(player)
    if decision is None or decision.seat != seat:
        raise MoveError(f"{match.players[seat]} has nothing to decide now.")
    choosing = choosing_of(match, ())
    limit = seconds if seconds is None or choosing is None else seconds / 2
    bot = RolloutPlayer(seed, playouts, seconds=limit, clock=clock, engines=engines, bluffs=False)
    search = bot.search(match)
    search.run()
    texts = decision.moves.texts
    moves = tuple(weighed(tried, texts) for tried in search.tried)
    labels = labels_of(match)
    site = match.program.site(match.state)
    kinds = [kind_of(match.program, site, code) for code in match.state.legal]
    words = "No other move is open."
    if len(moves) > 1:
        worlds = Worlds.of(match, samples(search), seed, search.prospect)
        because = grounds(worlds, match.state.legal[moves[0].index])
        scored = Scored.of(match, worlds)
        words = " ".join([*because, reasons(moves, kinds, labels, search, scored)])
    games = sum(move.games for move in moves)
    found = Hint(moves[0].text, moves[0].index, words, games, moves, called=labels[moves[0].index])
    if choosing is None:
        return found
    bot.budget = Budget(playouts, None if seconds is None else seconds / 2 / max(1, choosing.high), clock)
    return whole_set(found, match, bot.choose)


def samples(search: Counsel) -> list[State]:
    """Matches that could be the real one."""
    drawn = (search.sample() for _ in range(SAMPLES))
    return [state for state in drawn if state is not None]


def whole_set(first: Hint, match: Match, choose: Callable[[Match], int]) -> Hint:
    """The hint for the first pick of a set with all others that `choose` makes after it."""
    toggling, picked, index = Toggling(match.names, match.state), match.clone(), first.index
    seat, refs, texts = match.state.who, dict[int, str](), list[str]()
    called, verb = [first.called], f"{first.called.partition(' ')[0]} "
    by_item = {item: ref for ref, item in toggling.items.items()}
    while (code := picked.state.legal[index]) != DONE:
        assert picked.decision is not None
        refs[code] = by_item[code - 1]
        texts.append(picked.decision.moves.texts[index])
        if len(texts) > 1:
            called.append(labels_of(picked)[index].removeprefix(verb))
        picked.choose(index)
        if picked.state.who != seat or not picked.state.picks:
            break
        index = choose(picked)
    # what could be picked first instead says nothing of the set
    words = first.words.partition(INSTEAD)[0] if len(texts) > 1 else first.words
    return evolve(first, words=words, also=tuple(texts[1:]), refs=tuple(refs.values()), called=listed(called))


def weighed(tried: Tried, texts: tuple[str, ...]) -> Weighed:
    games = max(tried.games, 1)
    return Weighed(
        tried.index, texts[tried.index], tried.games, tried.first / games, tried.lead, tried.gain / games, tried.error
    )


def reasons(moves: tuple[Weighed, ...], kinds: list[object], labels: list[str], search: Counsel, scored: Scored) -> str:
    """`You end first in 4 of 10 games played on from here. Instead: Fold · 3 of 10.`: a move stands apart from its
    number. `kinds`: of the moves, what they are but for amounts."""
    chosen, others = moves[0], instead_of(moves, kinds, scored.staking)
    if not others:
        return "There was no time to try it out."
    told, rest = told_of(chosen, others, search, scored)
    if all(alike(chosen, move) for move in moves if move.games):
        return "In games played on from here no difference shows between the moves."
    sure = "It brings more, whichever card it is. " if search.tried[0].sure else ""
    rows = sorted(zip(others, rest, strict=True), key=lambda row: row[1] != AS_WELL)
    instead = "; ".join(f"{labels[move.index]} · {number}" for move, number in rows)
    return f"{sure}{told}{INSTEAD}{instead}."


def told_of(chosen: Weighed, others: list[Weighed], search: Counsel, scored: Scored) -> tuple[str, list[str]]:
    """What came of the move chosen, and of each of the others. Where trial games end the match and all moves come out
    first about as often, points are told: these differ sooner."""
    scale = search.scale
    ended = sum(tried.ended for tried in search.tried) * 2 > sum(tried.games for tried in search.tried)
    if not scale.ahead and (scale.gain or (scale.shared and not ended)):
        told = f"Played on from here, the score changes by {signed(chosen.gain)} on average."
        return told, [compared(chosen.gain - move.gain, chosen, move, scored) for move in others]
    rest = [as_often(chosen, move) for move in others]
    if not scale.ahead or (ended and any(each != AS_WELL for each in rest)):
        return f"You end first in {share(chosen.first)} games played on from here.", rest
    return by_lead(chosen, others, scale.split and not ended, scored)


def by_lead(chosen: Weighed, others: list[Weighed], split: bool, scored: Scored) -> tuple[str, list[str]]:
    """`split`: half of what is left in hands counts, so that numbers are not those that will be scored."""
    told = f"Played on from here, {lead_told(chosen.ahead - scored.before, scored)} on average."
    if scored.staking or split:
        scored = evolve(scored, staking=True)
        left = ", counting half of what is left in hands" if split else ""
        told = f"It does best in games played on from here{left}."
    return told, [compared(chosen.ahead - move.ahead, chosen, move, scored) for move in others]


def instead_of(moves: tuple[Weighed, ...], kinds: list[object], staking: bool = False) -> list[Weighed]:
    """The best of the other moves that were tried: of each option one amount, but where all differ by an amount alone,
    a few. `staking`: whoever bets wants to hear of each option."""
    tried = [move for move in moves[1:] if move.games]
    first = dict[object, Weighed]()
    for move in tried:
        if kinds[move.index] != kinds[moves[0].index]:
            first.setdefault(kinds[move.index], move)
    others = list(first.values()) or tried
    return [move for move in others if staking or often_tried(moves[0], move)][: NAMED - 1] or others[:1]


def often_tried(chosen: Weighed, other: Weighed) -> bool:
    """Whether there were games enough to say by how much it is worse."""
    return other.games * 4 >= chosen.games


def alike(chosen: Weighed, other: Weighed) -> bool:
    """Whether all figures of two moves are the same, as they are told."""
    pairs = ((chosen.ahead, other.ahead), (chosen.gain, other.gain), (chosen.first, other.first))
    return not any(float(amount(abs(one - two))) for one, two in pairs)


def lead_told(change: float, scored: Scored) -> str:
    """`you do 2.1 points better than the others`, also where a low score is good."""
    rivals = "the other player" if scored.players == 2 else "the others"
    if not float(amount(abs(change))):
        return f"you do as well as {rivals}"
    return f"you do {scored.amount(abs(change))} {'better' if change > 0 else 'worse'} than {rivals}"


def compared(less: float, chosen: Weighed, other: Weighed, scored: Scored) -> str:
    """`about 3.1 points worse`, where that can be told. No other move is ever called better: one that brought more was
    not chosen, as it cost more or what came of it spread more widely."""
    told = amount(abs(less))
    if abs(less) < chosen.error + other.error or not float(told):
        return AS_WELL
    if less < 0:
        return LESS_SURELY if other.error else AS_WELL
    if scored.staking:  # how much is won by a bet hangs on how others bet, which is only supposed
        return "worse"
    if not often_tried(chosen, other):
        return "worse in the few games tried"
    return f"about {scored.amount(abs(less))} worse"


def as_often(chosen: Weighed, other: Weighed) -> str:
    """`3 of 10`, where it can be told from how often the chosen move comes out first."""
    less = chosen.first - other.first
    if abs(less) < error_of_share(chosen) + error_of_share(other):
        return AS_WELL
    return share(other.first) if less >= 0 else LESS_SURELY


def error_of_share(move: Weighed) -> float:
    return float((move.first * (1 - move.first) / max(move.games, 1)) ** 0.5)


def signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'}{amount(abs(value))}"


def share(value: float) -> str:
    """`7 of 10`; what is rare, but does happen, is not told as never."""
    tenths = round(10 * value)
    if value > 0 and not tenths:
        return "fewer than 1 of 10"
    return f"{tenths} of 10"


def amount(value: float) -> str:
    return f"{value:.1f}" if abs(value) < 10 else f"{round(value)}"
