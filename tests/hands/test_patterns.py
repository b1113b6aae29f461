"""Every ranking construct on small decks, against arithmetic and brute force."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardlang import model as g
from interpreter.runtime.errors import RuleError
from tests.game_files import read_game
from tests.hands.reference import Line
from tests.hands.tables import Table, assert_readers_agree, small_game

POKER = read_game("poker_ranking")


def values(table: Table) -> tuple[Line, Line]:
    def value(face: int) -> int:
        return int(table.column("value", face))

    return Line("higher", value=value, groups=True), Line("higher", value=value, of="rest")


def poker(low: str = "", wild: str = "", cards: str = "1 of each Value, Suit") -> Table:
    return Table(small_game(POKER.format(low=low, wild=wild), cards), values)


@pytest.fixture(scope="module")
def plain() -> Table:
    return poker()


@pytest.fixture(scope="module")
def wheel() -> Table:
    return poker(" with Top lowest")


# ---------------------------------------------------------------- arithmetic
def test_rank_frequencies_equal_arithmetic(plain: Table) -> None:
    """Three suits of six values: 8568 hands of five."""
    found = Counter(plain.read(hand).title for hand in combinations(plain.cards, 5))
    straight_flush, flush, straight = 3 * 2, 3 * 6, 2 * 3**5
    assert found == {
        "Straight flush": straight_flush,
        "Full house": 6 * 1 * 5 * 3,
        "Flush": flush - straight_flush,
        "Straight": straight - straight_flush,
        "Three": 6 * 1 * 10 * 3**2,
        "Two pair": 15 * 3**2 * 4 * 3,
        "Pair": 6 * 3 * 10 * 3**3,
        "High card": 6 * 3**5 - straight - flush + straight_flush,
    }


def test_low_member_frequencies_equal_arithmetic(wheel: Table) -> None:
    found = Counter(wheel.read(hand).title for hand in combinations(wheel.cards, 5))
    assert found["Straight flush"] == 3 * 3
    assert found["Straight"] == 3 * 3**5 - 3 * 3


def test_low_member_is_lowest_in_ties(wheel: Table) -> None:
    assert wheel.read("Tp 1d 2d 3d 4d") < wheel.read("1p 2d 3d 4d 5b") < wheel.read("2p 3d 4d 5b Tb")
    assert wheel.title("5p Td 1d 2d 3b") == "High card"


# ---------------------------------------------------------------- brute force
def test_seven_card_hands_equal_brute_force(plain: Table, wheel: Table) -> None:
    assert_readers_agree(plain, plain.hands(50, [6, 7]))
    assert_readers_agree(wheel, wheel.hands(50, [6, 7]))


def test_wild_suits_with_copies_equal_brute_force() -> None:
    """The plums are wild, for all cards or in value only."""
    for wild in ("wild where suit = Plum as any Numbers", "wild where suit = Plum as any Value"):
        table = poker(" with Top lowest", wild, "2 of each Value, Suit")
        hands = [hand for hand in table.hands(40, [3, 4, 5]) if sum(is_plum(table, c) for c in hand) < 3]
        assert_readers_agree(table, hands, lambda card, table=table: is_plum(table, card))


def is_plum(table: Table, card: int) -> bool:
    return bool(table.of_card("suit", card) == 0)


ODD = (
    "3 Numbers of consecutive value and distinct suit",
    "2 or more Numbers of consecutive value plus 2 or more Numbers of consecutive value together of one suit",
    "2 or more Numbers of one value plus 2 or more Numbers of one value",
    "2 or more Numbers of one suit plus 1 Numbers of one suit",
    "1 Numbers where value = Top plus 3 Numbers of consecutive value where value <= 4 together of one suit",
    "2 Numbers of one suit plus 1 Numbers together of distinct value",
    "1 Numbers where value = Top plus 2 Numbers of one suit together of consecutive value with Top lowest",
    "3 or more Numbers of consecutive value with Top lowest",
    "1 or more Numbers where value <= 4 plus 1 Numbers",
    "2 Numbers of one suit and consecutive value plus 2 Numbers of one suit and consecutive value",
    "2 or more Numbers of one suit and consecutive value plus 1 or more Numbers of one suit and consecutive value",
    "2 Numbers of one suit and consecutive value with Top lowest plus 2 Numbers of one suit and consecutive value",
    "2 Numbers of one suit and consecutive value plus 2 Numbers of one suit and consecutive value"
    " together of distinct suit",
    "2 Numbers of one suit and consecutive value plus 1 Numbers of one suit",
    "2 Numbers of one value plus 2 Numbers of one value together of consecutive value with Top lowest",
    "2 Numbers of one value plus 1 or more Numbers of distinct suit together of distinct value",
    "1 Numbers plus 2 Numbers of one value plus 1 Numbers together of consecutive value",
)

ODD_RANKING = read_game("odd_ranking")


def odd_lines(table: Table) -> tuple[Line, ...]:
    used, rest = values(table)
    return (
        Line("best", holds=lambda used, rest, wilds: len(used) == 3 and wilds == 0),
        Line("lower", value=used.value),
        Line("worst", holds=lambda used, rest, wilds: wilds > 0),
        rest,
    )


def odd_condition(table: Table, condition: g.Expr, face: int) -> bool:
    is_top = bool(table.column("value", face) == 4)
    return is_top if isinstance(condition, g.Compare) and condition.operator == "=" else not is_top


@pytest.mark.slow
@pytest.mark.parametrize("size", ["4", "all"])
@pytest.mark.parametrize("pattern", ODD)
def test_unusual_patterns_equal_brute_force(size: str, pattern: str) -> None:
    game = small_game(ODD_RANKING.format(size=size, pattern=pattern), values="1 to 4, Top (T)")
    table = Table(game, odd_lines, odd_condition)
    odd = [hand for hand in table.hands(1500, [3, 4]) if table.title(hand) == "Odd"]
    assert odd
    assert_readers_agree(table, odd[:30] + table.hands(60, [1, 2, 3, 4, 5]))
    hands = [hand for hand in table.hands(12, [3, 4], seed=2) if sum(is_plum(table, card) for card in hand) < 3]
    assert_readers_agree(table, hands, lambda card: is_plum(table, card))


def test_groups_of_value_and_suit_differ_as_pairs() -> None:
    ranking = """
ranking Meld of 4 cards
  "Shiny couples"
    2 Numbers of one value and one suit plus 2 Numbers of one value and one suit
"""
    table = Table(small_game(ranking, "4 of each Value, Suit"))
    assert table.title("3p 3p 3d 3d") == table.title("3p 3p 4p 4p") == "Shiny couples"
    assert table.title("3p 3p 3p 3p") is None and table.title("3p 3d 4p 4d") is None


def test_two_runs_can_share_a_suit() -> None:
    run, runs = "3 Numbers of one suit and consecutive value", '\nranking Meld of all cards\n  "Two runs"\n    {}\n'
    both = Table(small_game(runs.format(f"{run} plus {run}"), "2 of each Value, Suit"))
    for hand in ("1p 2p 3p 4d 5d Td", "1p 2p 3p 4p 5p Tp", "1p 2p 3p 3p 4p 5p", "1p 2p 3p 1p 2p 3p"):
        assert both.title(hand) == "Two runs", hand
    assert both.title("1p 2p 3p 4p 5p 5p") is None and both.title("1p 2p 3p 4p") is None
    apart = Table(small_game(runs.format(f"{run} plus {run} together of distinct suit"), "2 of each Value, Suit"))
    assert apart.title("1p 2p 3p 4d 5d Td") == apart.title("1p 2p 3p 1d 2d 3d") == "Two runs"
    assert apart.title("1p 2p 3p 4p 5p Tp") is None and apart.title("1p 2p 3p 1p 2p 3p") is None


def test_repeated_groups_equal_groups_spelled_out() -> None:
    pairs, spelled = "2 or more of (2 Numbers of one value) together of consecutive value", ""
    for times in (2, 3, 4):
        groups = " plus ".join(["2 Numbers of one value"] * times)
        spelled += f"    {groups} together of consecutive value\n"
    head = 'ranking Hand of all cards\n  "Pairs"\n'
    short, long = (small_game(head + body, "2 of each Value, Suit") for body in (f"    {pairs}\n", spelled))
    counts = [[len(each.groups) for each in game.rankings["Hand"].ranks[0].patterns] for game in (short, long)]
    assert counts[0][:3] == counts[1] == [2, 3, 4]
    assert counts[0] == list(range(2, len(short.kinds["Value"].members) + 1))


def test_each_run_split_is_found_once() -> None:
    """Each card is there twice: of six places in a row two runs of three can be chosen in 2 ** 3 * 2 ** 3 ways."""
    run = "3 Numbers of one suit and consecutive value"
    table = Table(small_game(f'\nranking Meld of all cards\n  "Two"\n    {run} plus {run}\n', "2 of each Value, Suit"))
    cards = table.hand("1p 2p 3p 4p 5p Tp 1p 2p 3p 4p 5p Tp")
    sets = list(table.reader.find_rank_sets(cards, 6, 6))
    starts = [(one, two) for one in range(4) for two in range(one, 4)]
    ways = [count_ways_of_two_runs(set(range(one, one + 3)), set(range(two, two + 3))) for one, two in starts]
    assert len(sets) == sum(ways)


def count_ways_of_two_runs(one: set[int], two: set[int]) -> int:
    """Count the choices of one of two copies for each place, of the other copy for places in both runs."""
    ways = 2 ** len(one) * 2 ** len(two - one)
    return ways // 2 if one == two else ways


def test_groups_of_one_value_must_differ() -> None:
    """Five of one value are no full house, four are no two pairs; pairs of one value may follow each other."""
    pairs = "2 Numbers of one value plus 2 Numbers of one value"
    ranking = (
        "\nranking Hand of 5 cards\n"
        f'  "Full house"\n    3 Numbers of one value plus 2 Numbers of one value\n'
        f'  "Neighbours"\n    {pairs} together of consecutive value\n'
        f'  "Two pairs"\n    {pairs}\n'
    )
    table = Table(small_game(ranking, "2 of each Value, Suit"))
    assert table.title("3p 3p 3d 3d 3b") is None and table.title("3p 3p 3d 4d 4b") == "Full house"
    assert table.title("3p 3d 4p 4b 1p") == "Neighbours" and table.title("3p 3d 5p 5b") == "Two pairs"


def test_hands_without_a_rank_read_as_none(plain: Table) -> None:
    assert plain.read([]) is None
    ranking = '\nranking Meld of all cards\n  "Pair"\n    2 Numbers of one value\n'
    table = Table(small_game(ranking))
    assert table.title("3p 3d") == "Pair"
    assert table.title("3p") is None and table.title("3p 3d 4b") is None


def test_is_rank_requires_all_cards(plain: Table) -> None:
    matches = {codes: plain.reader.is_rank(plain.hand(codes)) for codes in ("3p 3d", "3p 3d 4d", "3p 3d 4d 4b 1b")}
    assert matches == {"3p 3d": True, "3p 3d 4d": False, "3p 3d 4d 4b 1b": False}
    assert plain.reader.is_rank(plain.hand("3p 3d 4d 4b"))


def test_rest_fills_the_hand(plain: Table) -> None:
    reading = plain.read("3p 3d 1p 1d 4b Tb")
    assert [plain.of_card("value", card) for card in reading.rest] == [5]
    assert len(reading.used) == 4 and reading.groups == (reading.used[:2], reading.used[2:])
    assert plain.read("3p 3d 1p 2d 4b Tb 5p").rest == ()


@pytest.mark.parametrize("pattern", ["9 Numbers", "9 Numbers of distinct suit", "9 Numbers plus 9 Numbers"])
def test_too_many_combinations_are_an_error(pattern: str) -> None:
    ranking = f'\nranking Meld of 20 cards\n  "Too wide"\n    {pattern}\n'
    table = Table(small_game(ranking, "2 of each Value, Suit"))
    with pytest.raises(RuleError) as error:
        table.read(table.cards)
    assert "too many" in error.value.message and error.value.span.text.startswith("ranking Meld")


# ---------------------------------------------------------------- properties
PLAIN = poker()
CARDS = st.lists(st.sampled_from(PLAIN.cards), min_size=1, max_size=8, unique=True)


@given(CARDS, st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_card_order_does_not_matter(cards: list[int], random: object) -> None:
    shuffled = sorted(cards, key=lambda _: random.random())
    assert PLAIN.read(cards).strength == PLAIN.read(shuffled).strength


@given(CARDS)
@settings(max_examples=150, deadline=None)
def test_extra_card_never_lowers_a_hand(cards: list[int]) -> None:
    assert PLAIN.read(cards) >= PLAIN.read(cards[1:] or cards)


@given(CARDS)
@settings(max_examples=100, deadline=None)
def test_best_of_many_equals_best_five(cards: list[int]) -> None:
    fives = [PLAIN.read(five) for five in combinations(cards, min(5, len(cards)))]
    assert PLAIN.read(cards) == max(fives)


@given(CARDS)
@settings(max_examples=100, deadline=None)
def test_suits_have_no_rank(cards: list[int]) -> None:
    """One copy of each card, numbered value by value: suits are exchanged by exchanging cards of a value."""
    for order in permutations(range(3)):
        exchanged = [card - card % 3 + order[card % 3] for card in cards]
        assert PLAIN.read(exchanged) == PLAIN.read(cards)


def test_full_deck_reads_as_a_straight_flush(plain: Table) -> None:
    reading = plain.read(plain.cards)
    assert reading.title == "Straight flush"
    assert sorted(plain.of_card("value", card) for card in reading.used) == [1, 2, 3, 4, 5]
