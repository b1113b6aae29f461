"""Wording of hints: the advised move is never described as worse than another."""

from __future__ import annotations

import pytest
from attrs import evolve

from interpreter.bots.hint_text import (
    ROUGHLY_EQUAL,
    MoveSummary,
    ScoreContext,
    describe_best_move,
    find_score_unit,
    prefer_passing,
)
from interpreter.bots.hints import find_hint
from interpreter.bots.playout_results import CandidateStatistics, ValueScale
from interpreter.bots.playout_search import CandidateSearch
from tests.shipped import load

LABELS = ["Bet 3", "Bet 4", "Check", "Fold"]
KINDS: list[object] = ["bet", "bet", "check", "fold"]


class Counted(CandidateSearch):
    """Trial games that all ended amid a match, with a lead, or at its end."""

    def __init__(self, ended: bool) -> None:
        self.tried = [CandidateStatistics(0, games=100, ended=100 * ended)]
        self.scale = ValueScale(max_lead=10)

    def find_best_move(self) -> CandidateStatistics:
        return self.tried[0]

    def sample(self) -> None:
        return None


def summarize(index: int, ahead: float, error: float = 1.0, games: int = 100, first: float = 0.5) -> MoveSummary:
    return MoveSummary(index, LABELS[index].lower(), games, first, ahead, ahead, error)


def write_hint(moves: tuple[MoveSummary, ...], search: Counted, scored: ScoreContext) -> str:
    return " ".join(filter(None, describe_best_move(moves, KINDS, LABELS, search, scored)))


def describe_moves(*moves: MoveSummary, players: int = 3, ended: bool = False, before: float = 7.5) -> str:
    return write_hint(moves, Counted(ended), ScoreContext(players, before))


@pytest.mark.parametrize(
    ("ahead", "error", "games", "words"),
    [
        (6.9, 1.0, 100, "about 3.1 points worse"),
        (9.0, 0.0, 100, "about 1.0 point worse"),
        (8.1, 1.0, 100, ""),
        (7.1, 1.0, 100, ""),
        (11.9, 1.0, 100, ""),
        (-20.0, 1.0, 5, "about 30 points worse"),
    ],
)
def test_hint_rounds_differences_to_their_error(ahead: float, error: float, games: int, words: str) -> None:
    """The chosen move leaves 10 ahead, give or take 1."""
    said = describe_moves(summarize(0, 10, error), summarize(3, ahead, error, games))
    gained = "In playouts from here, you end 2.5 points better off than the other players on average."
    assert said == f"{gained} {f'Instead: Fold · {words}' if words else 'About equally good: Fold'}."


@pytest.mark.parametrize("error", [2.0, 1.0, 0.0])
def test_hint_never_calls_another_move_better(error: float) -> None:
    """21 more on average, but chosen for another reason: its risk or the cards in hand."""
    said = describe_moves(summarize(2, 10), summarize(3, 31, error))
    assert said.endswith("About equally good: Fold.") and "orse" not in said


def test_hint_names_one_amount_for_each_option() -> None:
    """Bet 4 differs by its amount alone from what is advised. What is roughly equal comes first."""
    said = describe_moves(summarize(0, 10), summarize(1, 9.9), summarize(3, 2), summarize(2, 9.5), players=2)
    assert said.endswith(
        "you end 2.5 points better off than your opponent on average. "
        f"Instead: Check · {ROUGHLY_EQUAL}; Fold · about 8.0 points worse."
    )
    assert describe_moves(summarize(2, 10), summarize(1, 2), summarize(0, 1), summarize(3, 0)).endswith(
        "Instead: Bet 4 · about 8.0 points worse; Fold · about 10 points worse."
    )


def test_hint_names_amounts_of_a_single_option() -> None:
    assert describe_moves(summarize(0, 10), summarize(1, 5)).endswith("Instead: Bet 4 · about 5.0 points worse.")


def test_equal_moves_are_not_listed() -> None:
    """The largest lead is 10, so leads are equal up to 0.1: 0.02 + 1.96 * 0.05 = 0.118 is too far, 0.01 is not."""
    sure = [evolve(summarize(index, ahead, 0.0), first_share=1.0) for index, ahead in enumerate((10, 10.01, 10, 9.99))]
    any_move = "All moves do equally well in playouts from here."
    assert describe_moves(*sure) == any_move
    for doubtful in (
        evolve(sure[3], lead=9.98, error=0.05),
        evolve(sure[3], first_share=0.9),
        evolve(sure[3], games=10),
    ):
        assert describe_moves(*sure[:3], doubtful) != any_move
    assert describe_moves(*sure[:3]) != any_move  # the fourth has not been tried


def test_passing_is_advised_among_equal_moves() -> None:
    pick, other, better, rest = (
        evolve(summarize(index, ahead, 0.0), first_share=1.0, text=text)
        for index, ahead, text in ((0, 10, "bet"), (1, 10, "bet"), (1, 12, "bet"), (2, 10, "pass"))
    )
    scale = ValueScale(max_lead=10)
    assert prefer_passing((pick, other, rest), scale, lambda index: True) == (rest, pick, other)
    assert prefer_passing((pick, other, rest), scale, lambda index: False) == (pick, other, rest)
    assert prefer_passing((better, pick, rest), scale, lambda index: True) == (better, pick, rest)


def test_passing_is_advised_against_reactions_of_uncertain_gain() -> None:
    """1 ahead, with standard errors of 1, may be luck; 4 ahead is more than 1.5 * 2."""
    stop, ignore = summarize(0, 10), evolve(summarize(2, 9), text="pass")
    scale = ValueScale(max_lead=10)
    assert prefer_passing((stop, ignore), scale, lambda index: True, reacts=True) == (ignore, stop)
    assert prefer_passing((stop, ignore), scale, lambda index: True) == (stop, ignore)
    sure = evolve(stop, lead=13.0)
    assert prefer_passing((sure, ignore), scale, lambda index: True, reacts=True) == (sure, ignore)


def test_nearly_equal_moves_are_not_listed() -> None:
    """Luck can explain the differences of all four; of two both are named."""
    moves = [summarize(index, ahead) for index, ahead in enumerate((10, 9, 8, 7.5))]
    assert describe_moves(*moves) == "Too close to tell: playouts from here show no clear difference."
    assert describe_moves(*moves[1:3]).endswith("About equally good: Check.")


@pytest.mark.parametrize(
    ("first", "words"),
    [
        (0.3, "3 of 10"),
        (0.65, ROUGHLY_EQUAL),
        (0.75, ROUGHLY_EQUAL),
        (0.9, ROUGHLY_EQUAL),
        (0.004, "fewer than 1 of 10"),
    ],
)
def test_hint_names_first_places_in_tenths(first: float, words: str) -> None:
    """7 of 10, in 100 games give or take half a tenth."""
    said = describe_moves(summarize(2, 3, 0.5, first=0.7), summarize(3, 1, 0.5, first=first), ended=True)
    if words == ROUGHLY_EQUAL:  # points tell more
        assert said == "Best in playouts from here. Instead: Fold · about 2.0 points worse."
    else:
        assert said == f"You finish first in 7 of 10 playouts from here. Instead: Fold · {words}."


def test_hint_names_points_if_first_place_is_unlikely() -> None:
    said = describe_moves(summarize(2, 10, first=0.04), summarize(3, 2, first=0.0), ended=True)
    better = "2.5 points better off than the other players on average."
    assert said.endswith(f"{better} Instead: Fold · about 8.0 points worse.")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_holdem_hint_names_each_alternative(seed: int) -> None:
    """Who speaks first of two has to match the big blind: besides a raise they can call or fold."""
    match = load("texas_holdem").start(2, seed)
    assert match.decision is not None
    found = find_hint(match, match.decision.seat, seconds=None, playouts=10)
    others = found.alternatives.partition(": ")[2].split("; ")
    assert len({other.split()[0] for other in [found.label, *others]}) == 3
    assert "better" not in found.reasons


def test_losing_hint_names_chips() -> None:
    scored = ScoreContext(2, 12.0, ("chip", "chips"))
    said = write_hint((summarize(0, 10), summarize(3, 2)), Counted(False), scored)
    assert said == "Best in playouts from here. Instead: Fold · about 8.0 chips worse."


def test_fold_of_a_good_hand_is_not_called_equal() -> None:
    """Few playouts can't show a difference that the chance to win shows."""
    fold = summarize(3, 9.9)
    assert describe_moves(summarize(0, 10), fold).endswith("About equally good: Fold.")
    assert describe_moves(summarize(0, 10), evolve(fold, is_unfit=True)).endswith("Fold · against the odds.")


def test_hint_compares_with_the_other_side() -> None:
    """Of four each with a partner: who is 20 ahead of the other side is ahead of the mean of three by 40 / 3."""
    scored = ScoreContext(4, partners=1)
    said = write_hint((summarize(0, 40 / 3), summarize(3, 20 / 3)), Counted(False), scored)
    assert said.startswith("In playouts from here, you end 20 points better off than the other side on average.")
    assert said.endswith("Fold · about 10 points worse.")


def test_hint_names_no_change_of_zero() -> None:
    """Of a cooperative game. The moves differ by 1, give or take 2 * 1.5 * 0.1."""
    search = Counted(False)
    search.scale = ValueScale(shared=True, max_gain=10)
    moves = summarize(0, 0.0, 0.1), summarize(2, -1.0, 0.1), summarize(3, 0.0, 0.1)
    best, among_best = (write_hint((moves[0], other), search, ScoreContext(3)) for other in moves[1:])
    alone = write_hint(moves[:2], search, ScoreContext(1))
    assert alone == "Among the best in playouts from here. About equally good: Check."
    assert best == "Best in playouts from here. Instead: Check · about 1.0 point worse."
    assert among_best == "Among the best in playouts from here. About equally good: Fold."


def test_adjusted_scores_give_no_number() -> None:
    """What will be scored is another."""
    search = Counted(False)
    search.scale = ValueScale(split=True, max_lead=10)
    said = write_hint((summarize(0, 10), summarize(3, 2)), search, ScoreContext(2, 7.5))
    assert said == "Best in playouts from here. Instead: Fold · about 8.0 points worse."


def test_betting_hints_give_no_amounts_won() -> None:
    """How much a bet wins hangs on how others bet, which is only supposed; also what was tried a few times is told."""
    scored = ScoreContext(2, 12.0, ("chip", "chips"), is_bet=True)
    said = write_hint(
        (summarize(0, 10), summarize(3, 2), summarize(2, -30, games=5)),
        Counted(False),
        scored,
    )
    assert said == "Best in playouts from here. Instead: Fold · worse; Check · worse."


def test_even_moves_are_called_roughly_equal() -> None:
    """A hand that wins about as often as pays for staying in may be given up or not."""
    scored = ScoreContext(2, 12.0, ("chip", "chips"), is_bet=True, even_moves=frozenset({2, 3}))
    said = write_hint((summarize(3, 10), summarize(2, 2), summarize(1, 1)), Counted(False), scored)
    assert said.endswith(f"Instead: Check · {ROUGHLY_EQUAL}; Bet 4 · worse.")


@pytest.mark.parametrize(
    ("name", "players", "unit"),
    [
        ("texas_holdem", 3, ("chip", "chips")),
        ("tail_story", 3, ("Achievement", "Achievements")),
        ("hearts", 4, ("point", "points")),
    ],
)
def test_score_unit_has_its_name(name: str, players: int, unit: tuple[str, str]) -> None:
    assert find_score_unit(load(name).start(players, 1).program) == unit
