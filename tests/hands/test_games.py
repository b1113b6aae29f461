"""Tall Card and fan rules: sample hands and rulings of the rulebooks, and random hands against brute force."""

from __future__ import annotations

import pytest

from tests.hands.tables import Table, assert_readers_agree, fan_rules, tall_card

PLUM, RED = 1, 2


@pytest.fixture(scope="module")
def tall() -> Table:
    """Return the table of Tall Card without a tall suit and wild cards."""
    return tall_card(None, False)


@pytest.fixture(scope="module")
def fan() -> Table:
    return fan_rules()


@pytest.mark.parametrize("load", [lambda: tall_card(None, False), fan_rules])
def test_sample_hands_make_their_rank(load) -> None:
    table = load()
    assert len(table.ranking.ranks) in (11, 24)
    for number, rank in enumerate(table.ranking.ranks):
        reading = table.read(" ".join(table.game.faces[face].code for face in rank.like))
        assert reading is not None and (reading.rank, reading.title) == (number, rank.title)
        assert len(reading.used) == len(rank.like)


# ---------------------------------------------------------------- rulings
def test_claimed_suit_raises_a_rank() -> None:
    mine, others = tall_card(PLUM, True), tall_card(PLUM, False)
    lifted = mine.read("8p 8d 8p 4d 3b")
    assert lifted > mine.read("9d 9b 9b WhD 1p")
    pair_of_three = mine.read("8d 8b 8p 8p 1b")
    assert pair_of_three is not None and pair_of_three.title == "4 Pretty Sisters"
    # a plum is among the three 9s only if it is chosen
    chosen = mine.read("9p 9d 4b 3b 1d")
    assert any(mine.of_card("suit", card) == PLUM for card in chosen.used)
    assert others.read("2p 2d 2d 4p RdD") < others.read("1d 1d 1b 3p WhD")
    assert others.read("2p 2d 2d 4p RdD") == others.read("9d 9p 9b 3p WhD")


def test_equal_cards_are_chosen_by_the_tall_suit() -> None:
    hand = "5d 5b 2p 5p 2d"  # a pair of 2s is forced, three 5s too: a boat uses the plum
    assert tall_card(PLUM, True).read(hand).strength[1] == 1
    assert tall_card(PLUM, False).read(hand).strength[1:3] == (0, -1)
    spare = "9b 7p 5d 3d 1d"  # one card is used: the 9, the claimer's plum, or anything but a plum
    plum = tall_card(PLUM, True)
    assert [plum.of_card("suit", card) for card in plum.read(spare).used] == [PLUM]
    other = tall_card(PLUM, False)
    assert other.read("9p 7b 5d 3d 1d") == other.read("7b 6p 5d 3d 1d")


def test_tie_breaks_use_flat_values_and_dragons(tall: Table) -> None:
    assert tall.read("9d 9p 4d 4p 4b") > tall.read("8d 8p 8b 1d 1p")
    assert tall.read("4d 4p 4b WhD WhD") > tall.read("9d 9p 9b 8d 8p")
    assert tall.read("8d 5d 4d 2d 1d") > tall.read("8p 5p 4p 1p 1p")
    assert tall.read("8d 5d 4d 2d 1d") == tall.read("8p 5p 4p 2p 1p")


def test_wild_dragons_follow_the_rulebook(tall: Table) -> None:
    itself = tall.read("RdD RdD GrD GrD GrD", [True, True, False, False, False])
    assert itself.title == "Heavy Boat, full of Dragons" and itself.wilds == 0
    better = tall.read("RdD RdD 8p 8d 3b", [True, True, False, False, False])
    assert better.title == "4 Pretty Sisters" and better.wilds == 2
    boat = tall.read("WhD WhD RdD 8p 8d", [False, False, True, False, False])
    assert boat.title == "Heavy Boat, 3 Dragons" and boat < tall.read("GrD GrD GrD 8d 8b")
    sisters = tall.read("RdD 9d 9d 9p 9p", [True] + [False] * 4)
    assert sisters.title == "5 Pretty Sisters" and sisters < tall.read("1d 1d 1p 1p 1b")


def test_wild_card_takes_its_best_use(tall: Table) -> None:
    last = [False] * 4 + [True]
    assert tall.title("GrD GrD GrD GrD RdD", last) == "4 Shiny Dragons"
    assert tall.title("7p 7p 3d 1d RdD", last) == "2 Shiny Dancing Couples"
    assert tall.title("7p 7d 3d 1d RdD", last) == "3 Pretty Sisters"
    assert tall.title("WhD 7d 3b 1d RdD", last) == "2 Shiny Dragons"
    assert tall.title("4p 5p 7p 8p RdD", last) == "Cratermaker Countdown"


def test_fan_wilds_keep_their_suit(fan: Table) -> None:
    peach = [False, False, True, True, False]
    assert fan.title("8pl 8or 3pe 5pe Aba", peach) == "Four of a Kind"
    assert fan.title("2pe 3pe 4pe 6pe 7pe", [True] * 5) == "Royal Flush"
    assert fan.title("2pl 4pl 8pl Upl 3pe", [False] * 4 + [True]) == "Pair"
    assert fan.title("Apl 2pe 3or 4ap 5ba") == "High Card"
    assert fan.title("2pl 3pe 4or 5ap 6ba") == "Straight"


def test_fan_ties_follow_the_rulebook(fan: Table) -> None:
    assert fan.read("Dpl Dpe Dor 2ap 3ba") > fan.read("8pl 8pe 8or Aap 6ba")
    assert fan.read("Apl Ape Dor 2ap 3ba") > fan.read("Aap Aba Tuor 4ap 5ba")
    assert fan.read("3pl 3pe 3or 2ap 2ba") > fan.read("2pl 2pe 2or Aap Aba")  # groups first
    # a wild pairs the highest card, and fills a straight upwards
    assert fan.read("2pe Apl 7or 5ap 4ba", [True] + [False] * 4) == fan.read("Apl Aor 7or 5ap 4ba")
    assert fan.read("2pe 5pl 6or 7ap 8ba", [True] + [False] * 4) == fan.read("5pl 6or 7ap 8ba Tupl")


# ---------------------------------------------------------------- brute force
@pytest.mark.slow
@pytest.mark.parametrize("suit", [None, PLUM])
@pytest.mark.parametrize("mine", [True, False])
def test_tall_card_hands_equal_brute_force(suit: int | None, mine: bool) -> None:
    table = tall_card(suit, mine)
    assert_readers_agree(table, table.hands(300, [5, 5, 5, 4, 3, 2, 1]))


def test_tall_card_hands_with_many_equals_equal_brute_force() -> None:
    table = tall_card(PLUM, True)
    few = [card for card in table.cards if table.of_card("value", card) in (None, 3, 4)]
    table.cards = few
    assert_readers_agree(table, table.hands(250, [5]))


@pytest.mark.slow
def test_tall_card_hands_with_wild_dragons_equal_brute_force() -> None:
    table = tall_card(None, True)
    assert_readers_agree(table, deal_red_dragons(table, 8, 1), lambda card: is_red(table, card))


def deal_red_dragons(table: Table, hands: int, dragons: int) -> list[list[int]]:
    red = [card for card in table.cards if is_red(table, card)][:dragons]
    return [red + [c for c in hand if c not in red][: 5 - dragons] for hand in table.hands(hands, [5], seed=dragons)]


def is_red(table: Table, card: int) -> bool:
    return bool(table.of_card("type", card) == RED)


@pytest.mark.parametrize("sizes", [[5], [1, 2, 3, 4], [6, 7]])
def test_fan_hands_equal_brute_force(fan: Table, sizes: list[int]) -> None:
    assert_readers_agree(fan, fan.hands(300 if sizes[0] < 6 else 60, sizes))


def test_fan_hands_with_wild_suits_equal_brute_force(fan: Table) -> None:
    def wild(card: int) -> bool:
        return bool(fan.of_card("suit", card) == PLUM)

    hands = [hand for hand in fan.hands(80, [3, 4, 5]) if sum(map(wild, hand)) < 3]
    assert_readers_agree(fan, hands, wild)
    for hand in fan.hands(200, [5]):
        flags = [wild(card) for card in hand]
        if 0 < sum(flags) < 5:
            assert fan.read(hand, flags) >= fan.read(hand)
