"""Statistics recorded from matches that can be computed by hand."""

from collections import Counter

import pytest

import cardlang
from cardlang.analysis.balance.match_stats import RecordingProgram, SeatRotation, record_match
from cardlang.analysis.balance.match_totals import MatchTotals, add_match
from cardlang.model import Game
from tests.analysis.games import RACE


@pytest.fixture
def race() -> Game:
    return cardlang.loads(RACE)


def play_and_total(game: Game, matches: range, players: int = 2, cap: int = 10_000) -> MatchTotals:
    program, sums = RecordingProgram(game, players), MatchTotals()
    for number in matches:
        add_match(sums, record_match(program, SeatRotation(("random",) * players), number, 1 + number, cap))
    return sums


def test_seat_rotation_is_balanced() -> None:
    seating = SeatRotation(("a", "b", "c"))
    assert [seating.get_players_by_seat(number) for number in range(4)] == [(0, 1, 2), (2, 0, 1), (1, 2, 0), (0, 1, 2)]


def test_race_statistics_equal_arithmetic(race: Game) -> None:
    sums = play_and_total(race, range(50))
    assert sums["lengths"] == Counter({(6,): 50})
    assert sums["turns"] == Counter({(6,): 50})
    assert sums["rounds"] == Counter({(3,): 50})
    assert sums["offered"] == Counter({(2,): 300})
    assert sums["matches"][("over",)] == 50
    assert sums["sat"] == Counter({(player, seat): 25 for player in (0, 1) for seat in (0, 1)})


def test_partial_totals_add_up(race: Game) -> None:
    whole = play_and_total(race, range(20))
    pieces = MatchTotals()
    for part in (range(13, 20), range(5), range(5, 13)):
        pieces = pieces.combine_with(play_and_total(race, part))
    assert pieces == whole
    assert MatchTotals.from_json(whole.build_json()) == whole


@pytest.mark.parametrize("data", [None, [], {}, {"lengths": []}, "x"])
def test_invalid_totals_are_rejected(data: object) -> None:
    with pytest.raises(ValueError, match="no sums"):
        MatchTotals.from_json(data)


@pytest.mark.parametrize("row", [[], [1], ["x"], [1, -1], [1, 0], [1, 1.5], [1, True], [None, 1], 7])
def test_invalid_rows_are_rejected(race: Game, row: object) -> None:
    data: dict[str, object] = dict(MatchTotals().build_json())
    with pytest.raises(ValueError, match="lengths is no table"):
        MatchTotals.from_json(data | {"lengths": [row]})


def test_capped_match_has_no_winner(race: Game) -> None:
    sums = play_and_total(race, range(10), cap=4)
    assert sums["matches"] == Counter({("played",): 10, ("capped",): 10})
    assert not sums["won"] and not sums["sat"] and not sums["scores"]
