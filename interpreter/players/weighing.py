"""What trial games say about moves, in words: by how much the best is ahead of the others."""

from __future__ import annotations

from attrs import evolve, frozen

from cardlang.game import Call, Noun, TrackValue
from interpreter.matches.match import Match
from interpreter.players.outcomes import Tried, lead, levels
from interpreter.players.search import Counsel
from interpreter.players.worlds import Worlds
from interpreter.program import Program
from interpreter.stakes import roles

NAMED = 3
"""So many moves are weighed in words."""
NEVER = 0.05
"""Who comes out first less often has no use for how often."""
INSTEAD = " Instead: "
AS_WELL = "roughly equal"
LESS_SURELY = "higher average, higher risk"
BEST = "Best in playouts from here"
SURE = 1.5
"""What lies farther apart than so many times both standard errors does not do so by chance: the best of many moves is
ahead of some by luck."""


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
    tells what was staked before; `partners`: so many others have the player's score, whatever comes; `even`: moves, by
    their number, between which the hand does not decide."""

    players: int
    before: float = 0.0
    unit: tuple[str, str] = ("point", "points")
    staking: bool = False
    partners: int = 0
    even: frozenset[int] = frozenset()

    @classmethod
    def of(cls, match: Match, worlds: Worlds) -> Scored:
        program, seat = match.program, worlds.seat
        now = [lead(levels(program, state), seat, program.shared) for state in worlds.states]
        sides = match.view(seat).sides
        partners = sides.count(sides[seat]) - 1 if sides and sides[seat] is not None else 0
        before = sum(now) / max(len(now), 1)
        return cls(len(match.players), before, unit_of(program), any(roles(worlds.site)), partners)

    @property
    def rivals(self) -> str:
        """Over whom a lead is."""
        return "your opponent" if self.players == 2 else "the other side" if self.partners else "the other players"

    def amount(self, value: float) -> str:
        """`2.5 chips`, of a lead over the others' mean: over those alone who are no partners."""
        others = self.players - 1
        told = amount(value * others / max(others - self.partners, 1))
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


def weighed(tried: Tried, texts: tuple[str, ...]) -> Weighed:
    games = max(tried.games, 1)
    return Weighed(
        tried.index, texts[tried.index], tried.games, tried.first / games, tried.lead, tried.gain / games, tried.error
    )


def reasons(moves: tuple[Weighed, ...], kinds: list[object], labels: list[str], search: Counsel, scored: Scored) -> str:
    """`You finish first in 4 of 10 playouts from here. Instead: Fold · 3 of 10.`: a move stands apart from its
    number. `kinds`: of the moves, what they are but for amounts."""
    chosen, others = moves[0], instead_of(moves, kinds, scored.staking)
    if not others:
        return "There was no time for playouts."
    told, rest = told_of(chosen, others, search, scored)
    if all(alike(chosen, move) for move in moves if move.games):
        return "Playouts from here show no difference between the moves."
    if not scored.staking and len(others) < len(moves) - 1 and all_as_good(moves):
        return "Playouts from here show hardly any difference between the moves."
    sure = "It gains more, whichever card it is. " if search.tried[0].sure else ""
    rows = sorted(zip(others, rest, strict=True), key=lambda row: row[1] != AS_WELL)
    instead = "; ".join(f"{labels[move.index]} · {number}" for move, number in rows)
    return f"{sure}{told}{INSTEAD}{instead}."


def told_of(chosen: Weighed, others: list[Weighed], search: Counsel, scored: Scored) -> tuple[str, list[str]]:
    """What came of the move chosen, and of each of the others. Where trial games end the match and all moves come out
    first about as often, points are told: these differ sooner."""
    scale = search.scale
    ended = sum(tried.ended for tried in search.tried) * 2 > sum(tried.games for tried in search.tried)
    if not scale.ahead and (scale.gain or (scale.shared and not ended)):
        told = f"In playouts from here, your score changes by {signed(chosen.gain)} on average."
        return told, [compared(chosen.gain - move.gain, chosen, move, scored) for move in others]
    rest = [as_often(chosen, move) for move in others]
    often = ended and chosen.first >= NEVER and all(each is not None for each in rest) and set(rest) != {AS_WELL}
    if not scale.ahead or often:
        return f"You finish first in {share(chosen.first)} playouts from here.", [each or AS_WELL for each in rest]
    return by_lead(chosen, others, scale.split and not ended, scored)


def by_lead(chosen: Weighed, others: list[Weighed], split: bool, scored: Scored) -> tuple[str, list[str]]:
    """`split`: half of what is left in hands counts, so that numbers are not those that will be scored. How far one
    falls behind speaks for no move, nor does what may be a lead by chance."""
    ahead = chosen.ahead - scored.before
    told = f"In playouts from here, you gain {scored.amount(ahead)} on {scored.rivals} on average."
    if scored.staking or split:
        scored = evolve(scored, staking=True)
        told = f"{BEST}{', counting half the points of cards left in hand' if split else ''}."
    elif ahead <= SURE * chosen.error:
        told = f"{BEST}."
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


def all_as_good(moves: tuple[Weighed, ...]) -> bool:
    """Whether chance alone may have made all differences."""
    return all(may_be_as_good(moves[0], move) for move in moves if move.games)


def may_be_as_good(chosen: Weighed, other: Weighed) -> bool:
    leads = abs(chosen.ahead - other.ahead) <= SURE * (chosen.error + other.error)
    return leads and as_often(chosen, other) == AS_WELL


def compared(less: float, chosen: Weighed, other: Weighed, scored: Scored) -> str:
    """`about 3.1 points worse`, where that can be told. No other move is ever called better: one that brought more was
    not chosen, as it cost more or what came of it spread more widely."""
    if abs(less) < SURE * (chosen.error + other.error) or not float(amount(abs(less))):
        return AS_WELL
    if {chosen.index, other.index} <= scored.even:
        return AS_WELL
    if less < 0:
        return LESS_SURELY if other.error > chosen.error else AS_WELL
    if scored.staking:  # how much is won by a bet hangs on how others bet, which is only supposed
        return "worse"
    if not often_tried(chosen, other):
        return "worse in a few playouts"
    return f"about {scored.amount(abs(less))} worse"


def as_often(chosen: Weighed, other: Weighed) -> str | None:
    """`3 of 10`, where it can be told from how often the chosen move comes out first. None where it is more often: it
    was not for this that the other was chosen."""
    less = chosen.first - other.first
    if abs(less) <= SURE * (error_of_share(chosen) + error_of_share(other)):
        return AS_WELL
    return share(other.first) if less > 0 else None


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
