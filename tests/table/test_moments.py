"""What came of it is told with who, which cards and how much; what is asked, with purpose and number."""

from __future__ import annotations

from random import Random

import pytest

from cardlang import loads
from interpreter.matches.match import Match
from interpreter.matches.names import exact
from interpreter.table import addressing
from interpreter.table.model import Card, Moment, Table
from tests.shipped import Cast, load, walk

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def moment(table: Table, kind: str) -> Moment | None:
    return next((each for each in table.moments if each.kind == kind), None)


def test_a_trick_says_who_played_what_and_who_took_it() -> None:
    """The highest card of the suit led takes it: in Hearts there are no trumps."""
    told = set()
    for match in walk(Cast("hearts", 4).start(3), Random(3), 80):
        trick = moment(match.table(None), "trick")
        if trick is None:
            continue
        (pile,) = trick.hands
        led = (pile.cards[0].code or "")[-1]
        following = [card for card in pile.cards if (card.code or "").endswith(led)]
        best = max(following, key=lambda card: RANKS.index((card.code or "")[:-1]))
        assert trick.headline == f"{best.by} takes the trick with [{best.code}]."
        assert trick.lines == (", ".join(f"{card.by} [{card.code}]" for card in pile.cards),)
        told.add(trick.headline)
    assert len(told) > 9


def test_the_scores_of_a_deal_add_up() -> None:
    """All 26 points of a deal of Hearts are somebody's, or 26 are everybody else's."""
    for match in walk(Cast("hearts", 4).start(3), Random(3), 130):
        scores = moment(match.table(None), "scores")
    assert scores is not None and scores.columns == ("", "before", "change", "now")
    changes = [int(row[2]) for row in scores.rows]
    assert sum(changes) in (26, 78)
    assert all(int(row[1]) + int(row[2]) == int(row[3]) for row in scores.rows)


def test_the_scores_of_all_deals_are_kept_in_a_sheet() -> None:
    """Each deal of Hearts brings 26 points, or 78, and each line goes on from the one before."""
    for match in walk(Cast("hearts", 4).start(3), Random(3), 260):
        sheet = match.table("Bob").scores
    head, *deals = sheet
    assert head == ("", *match.players) and len(deals) > 2
    before = [0] * 4
    for number, (name, *cells) in enumerate(deals, 1):
        pairs = [cell.removesuffix(")").split(" (") for cell in cells]
        changes, now = ([int(pair[at]) for pair in pairs] for at in (0, 1))
        assert name == str(number) and sum(changes) in (26, 78)
        assert now == [one + more for one, more in zip(before, changes, strict=True)]
        before = now


def test_before_a_deal_is_over_there_is_no_score_sheet() -> None:
    assert load("hearts").start(4, 3).table("Ann").scores == ()


def test_what_all_score_at_half_time_is_told_as_a_table() -> None:
    """Tall Tales gathers no cards between rounds; half of what was taken counts after the second."""
    match = load("tall_tales").start(3, seed=7)
    while not any(match.scores):
        assert moment(match.table(None), "scores") is None
        match.choose(0)
    scores = moment(match.table(None), "scores")
    assert scores is not None and scores.headline == "The score now"
    assert [(name, before, now) for name, before, _, now in scores.rows] == [
        (name, "0", exact(score)) for name, score in zip(match.players, match.scores, strict=True)
    ]


def test_the_trick_is_told_where_nobody_takes_it_as_a_whole() -> None:
    """In Tall Tales everybody's card goes before who played it."""
    for match in walk(Cast("tall_tales", 3).start(3), Random(3), 40):
        trick = moment(match.table(None), "trick")
        if trick is not None:
            played = ", ".join(f"{card.by} [{card.code}]" for card in trick.hands[0].cards)
            assert (trick.headline, trick.lines) == (f"{played}.", ())
            return
    pytest.fail("no trick was played")


def test_the_end_tells_places_and_scores() -> None:
    match = Cast("kuhn_poker", 2).start(1)
    for _ in walk(match, Random(1), 500):
        pass
    table = match.table("Ann")
    assert match.over
    end = table.moments[-1]
    assert end.kind == "end" and end.columns == ("place", "player", "score")
    assert {row[1]: row[2] for row in end.rows} == dict(zip(match.players, map(str, match.scores), strict=True))


def test_where_teams_play_the_end_ranks_teams() -> None:
    """Of two teams one is first and the other second, each with those who are in it."""
    match = Cast("spades", 4).start(1)
    for _ in walk(match, Random(1), 20_000):
        pass
    assert match.over
    end = match.table("Ann").moments[-1]
    assert end.columns == ("place", "team", "score") and [row[0] for row in end.rows] == ["1", "2"]
    assert {row[1] for row in end.rows} == {"North-South (Ann, Cat)", "East-West (Bob, Dan)"}
    best, other = (int(row[2]) for row in end.rows)
    assert best > other and all(name in end.rows[0][1] for name in match.winners)


def test_a_question_has_its_purpose_and_number() -> None:
    """In the first deal three cards go to the left."""
    match = load("hearts").start(4, 7)
    ref = match.table("Ann").places[0].piles[0].cards[2].ref
    ask = match.table("Ann", [ref]).ask
    assert ask is not None and ask.question == "Pass three cards to Bob: 1 of 3 chosen."
    assert ask.choosing is not None and ask.choosing.why == "Choose 2 more."


def test_what_one_holds_is_what_the_game_says_of_it() -> None:
    """A hand read by itself is read alike at the table."""
    game = load("gin_rummy")
    match = game.start(2, 4)
    player = match.table("Ann").places[0]
    cards = " ".join(str(card.code) for pile in player.piles for card in pile.cards if pile.form == "hand")
    held = {reading.label: reading.text for reading in match.table("Ann").readings}
    assert held["Deadwood"] == str(game.evaluate("deadwood", hand=cards))
    assert not match.table(None).readings
    assert all(
        fact.name != "deadwood" for place in match.table("Bob").places for fact in place.facts if place.name == "Ann"
    )


def test_partners_sit_opposite() -> None:
    table = load("whist").start(4, 1).table("Bob")
    assert [place.name for place in table.places] == ["Bob", "Cat", "Dan", "Ann"]
    assert [place.name for place in table.places if place.partner] == ["Dan"]
    assert {place.name: place.marks for place in table.kinds} == {
        "North-South": ("Ann", "Cat"), "East-West": ("Bob", "Dan"),
    }  # fmt: skip


def test_what_happened_since_begins_with_ones_own_move() -> None:
    match = load("hearts").start(4, 7)
    for player in match.players:
        match.confirm(player, [card.ref for card in match.table(player).places[0].piles[0].cards[:3]])
    leader = match.decision.player if match.decision is not None else ""
    for _ in range(4):
        match.choose(0)
    told = [line for line in match.table(leader).since if " play" in line.text]
    assert told[0].text == "You play [2c]." and told[0].kind == "moved" and told[0].who == leader
    assert len(told) == 4


def test_a_rule_stands_beside_a_question_only_while_it_binds() -> None:
    """In Hearts: the words of a line are there exactly where some card of the hand cannot be played."""
    bound = free = 0
    for match in walk(Cast("hearts", 4).start(3), Random(5), 300):
        table = match.table(match.decision.player if match.decision is not None else None)
        ask = table.ask
        if ask is None or not ask.question.startswith("Play"):
            continue
        (hand,) = [pile for pile in table.places[0].piles if pile.name == "hand"]
        shut = any(not card.moves for card in hand.cards)
        assert bool(ask.words) == shut
        bound, free = bound + shut, free + (not shut)
    assert bound and free


def test_gathering_and_shuffling_are_no_news() -> None:
    match = load("hearts").start(4, 7)
    told = [line.text for line in match.table("Ann").since]
    assert any(text.startswith("You are dealt [") for text in told)
    assert not any("deck" in text for text in told)
    assert "The cards are gathered and shuffled." in match.view("Ann").log


def test_open_cards_that_a_rule_puts_elsewhere_are_no_news() -> None:
    """In Cribbage the cards on the table are put aside when nobody can play on. What was played stays told."""
    swept = played = 0
    for match in walk(Cast("cribbage", 2).start(3), Random(3), 60):
        told = [line.text for line in match.table("Ann").since]
        assert not any("to the played cards" in text for text in told)
        swept += any("to the played cards" in line for line in match.view("Ann").log)
        played += any(" play" in text for text in told)
    assert swept and played


LAID_OPEN = """
game "Open Orchard" for 2 players
ordered kind Value: 1 to 8
kind Fruit: Apple (A), Pear (P)
cards Pack in deck
  1 of each Value, Fruit
zone deck seen by nobody
zone your hand seen by owner
zone table
order standing of player
  higher count of hand
step play
  turn top of deck to table
  each player
    deal top 2 of deck to your hand
    you may choose one
      option take
        take top of table to your hand
  each player
    reveal your hand
  tell "All is open."
"""


def test_a_hand_laid_open_has_also_the_cards_known_before() -> None:
    """Ann takes the card that everybody saw: she lays open three cards, and all of them are told."""
    match = loads(LAID_OPEN).start(2, 5)
    match.choose("take")
    match.choose("pass")
    told = moment(match.table(None), "end")
    assert told is not None
    assert [(hand.owner, len(hand.cards)) for hand in told.hands] == [("Ann", 3), ("Bob", 2)]
    (line,) = (line for line in match.view(None).log if line.startswith("Ann shows ["))
    assert len(line.partition("[")[2].split()) == 3


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ann passes 3 cards to Bob's hand.", "You pass 3 cards to Bob's hand."),
        ("Ann is dealt [7d] to their hand.", "You are dealt [7d] to your hand."),
        ("Dan passes [Qs] to Ann's hand.", "Dan passes [Qs] to your hand."),
        (
            "Ann raises by 5. Ann is down from 100 to 95 credits.",
            "You raise by 5. You are down from 100 to 95 credits.",
        ),
        ("Bob and Ann win.", "Bob and you win."),
        ("Ann's score rises from 0 to 5.", "Your score rises from 0 to 5."),
        ("Ann gets 5 points and has 41.", "You get 5 points and have 41."),
        ("Ann draws and discards.", "You draw and discard."),
        ("Scopa! Ann clears the table and scores a point.", "Scopa! You clear the table and score a point."),
        ("Ann is last, and so takes what is left: [2c].", "You are last, and so take what is left: [2c]."),
        ("Ann bids nil and wins 3: Bob loses 100 points.", "You bid nil and win 3: Bob loses 100 points."),
        ("Ann holds Two pair (aces and sixes) and eights.", "You hold Two pair (aces and sixes) and eights."),
        ("Anna carries [2c]. Ann carries [3c] over Ann's line.", "Anna carries [2c]. You carry [3c] over your line."),
        ("Stopped by Bob. As a bribe, Ann draws a card.", "Stopped by Bob. As a bribe, you draw a card."),
        ("Bob gives Ann cards.", "Bob gives you cards."),
        ("Bob wins 2, over Ann's Pair. Ann chooses nothing.", "Bob wins 2, over your Pair. You choose nothing."),
    ],
)
def test_one_is_spoken_to_by_ones_own_table(text: str, told: str) -> None:
    assert addressing.to("Ann").text(text) == told
    assert addressing.to(None).text(text) == text


def test_what_a_raise_comes_to_is_said() -> None:
    """The blinds of Hold'em are 1 and 2: the dealer, who has put in nothing, raises by 2 and pays 4."""
    match = load("texas_holdem").start(3, 1)
    assert match.decision is not None
    ask = match.table(match.decision.player).ask
    assert ask is not None
    (raising,) = ask.amounts
    assert raising.amounts[0] == 2 and raising.says[0] == "Raise by 2, for 4"


def test_what_is_told_of_a_new_deal_is_no_part_of_the_result_before() -> None:
    match = load("texas_holdem").start(2, 1)
    first = match.decision
    assert first is not None
    match.choose("fold")
    told = moment(match.table(None), "result")
    assert told is not None and [told.headline, *told.lines] == [f"{other(match, first.player)} wins 3."]


def test_what_is_told_while_a_deal_goes_on_is_not_its_result() -> None:
    """Tall Card: all fold but one; in the next round nobody wants the Tall Card, so that somebody has to own it."""
    match = load("tall_card").start(3, 3)
    while not any("has to claim" in line for line in match.view(None).log[40:]):
        assert match.decision is not None
        texts = match.decision.moves.texts
        wanted = ("pass", "fold", *(text for text in texts if text.startswith(("bet", "raise"))), texts[0])
        match.choose(next(text for text in wanted if text in texts))
    result = moment(match.table(None), "result")
    assert result is not None and " wins " in result.headline and not result.lines


def other(match: Match, player: str) -> str:
    return next(name for name in match.players if name != player)


def test_what_claiming_gives_is_told_of_ones_own_hand_alone() -> None:
    match = load("tall_card").start(3, 7)
    assert match.decision is not None
    player = match.decision.player
    told = {each.label: each.text for each in match.table(player).readings}
    tall = {fact for place in match.table(player).places for fact in place.facts if fact.name == "claim-told"}
    assert told["Claiming"].startswith("your Rank uses no card of the Tall suit") and not tall
    match.choose("claim")
    assert "Claiming" not in {each.label for each in match.table(player).readings}


def test_the_betting_is_named_after_the_cards_that_were_turned_up() -> None:
    match = load("texas_holdem").start(2, 1)
    assert match.table(None).heading == ("round 1", "betting")
    match.choose("call")
    match.choose("check")
    assert match.table(None).heading == ("round 1", "flop", "betting")


def test_what_a_library_keeps_apart_for_each_player_is_no_turn() -> None:
    """The first trick of Hearts is on, whoever plays a card to it."""
    for match in walk(Cast("hearts", 4).start(3), Random(3), 40):
        assert all(part.startswith(("round ", "trick ", "pass cards")) for part in match.table(None).heading)


def test_what_ends_at_a_number_is_counted_towards_it() -> None:
    """Golf has nine holes and Tall Tales four rounds; Hearts ends at a score, whenever that is."""
    match = load("golf").start(2, 1)
    assert match.table("Ann").heading[0] == "hole 1 of 9"
    while match.table("Ann").heading[0] == "hole 1 of 9":
        match.choose(0)
    assert match.table("Ann").heading[0] == "hole 2 of 9"
    facts = load("tall_tales").start(3, 1).table("Ann").middle.facts
    assert [(fact.label, fact.value, fact.text) for fact in facts] == [("Round", 1, "1 of 4")]
    assert load("hearts").start(4, 1).table("Ann").heading[0] == "round 1"


def test_a_loop_that_may_begin_later_or_count_by_two_has_no_known_end() -> None:
    """The number is not that of the rounds where it does not begin at 0, or grows by more than 1."""

    def heading(begins: int, by: int) -> str:
        text = LAPS.format(begins=begins, by=by)
        return loads(text).start(2, 1).table("Ann").heading[0]

    assert heading(0, 1) == "lap 1 of 6"
    assert heading(2, 1) == heading(0, 2) == "lap 1"


LAPS = """
game "Laps" for 2 players
ordered kind Value: 1 to 6
cards Pack in deck
  2 of each Value
zone deck
zone compost
number laps starts at {begins}
number your score
step play
  repeat until laps = 6 or deck is empty
    add {by} to laps
    do lap
step lap
  each player
    you discard 1 from deck to compost
"""


def test_before_a_hand_is_whole_it_has_no_place_among_the_ranks() -> None:
    """Two cards of seven are no hand of five yet; nor is a card told that would decide next."""
    match = load("texas_holdem").start(2, 1)
    told = {each.label: each for each in match.table("Bob").readings}
    assert told["You hold"].text == "High card (four)" and told["You hold"].detail == ""
    assert told["Your two cards"].text == "neither a pair nor of one suit."


def test_a_price_that_the_author_words_is_not_said_twice() -> None:
    """The dealer of two has put in 1 of the 2 chips to be matched, and 3 lie in the middle."""
    ask = load("texas_holdem").start(2, 1).table("Ann").ask
    assert ask is not None and ask.question == "Call 1 to win 3, raise or fold?"


def test_hands_are_sorted_by_value_where_runs_of_any_suits_count() -> None:
    """An ace is low in Cribbage; a run of Gin follows in one suit: suits come first, behind what is melded."""
    order = ("A", *RANKS[:-1])
    hand = [card.code[:-1] for card in own(load("cribbage").start(2, 3)) if card.code is not None]
    assert hand == sorted(hand, key=order.index)
    held = own(load("gin_rummy").start(2, 3))
    assert [card.counts for card in held] == sorted((card.counts for card in held), reverse=True) and held[0].counts
    suits = [card.code[-1] for card in held if card.code is not None and not card.counts]
    assert suits == sorted(suits, key="cdhs".index)


def test_hands_are_sorted_by_value_where_equal_values_count_most() -> None:
    """Of the Combinations of the fan rules eight have cards of one rank, three are of one suit."""
    match = load("tall_card_fan").start(2, 3)
    while match.decision is not None and "ante-up" in match.decision.moves.texts:
        match.choose("ante-up")
    hand = [card.code for card in own(match) if card.code is not None]
    order = ("2", "3", "4", "5", "6", "7", "8", "Tu", "U", "P", "D", "A")
    places = [order.index(next(rank for rank in order if code.startswith(rank))) for code in hand]
    assert len(hand) == 5 and places == sorted(places) and hand != sorted(hand, key=lambda code: code[-2:])


def own(match: Match) -> list[Card]:
    """The hand of whoever is asked."""
    assert match.decision is not None
    (pile,) = (each for each in match.table(match.decision.player).places[0].piles if each.form == "hand")
    return list(pile.cards)


def test_what_cannot_be_done_is_called_as_what_can() -> None:
    """`draw and discard` as it is called; `play` without the card; the name where the words are long or end amid a
    phrase (`swap discards with`)."""
    match = load("tail_story").start(3, 3)
    random, labels = Random(2), set[str]()
    for _ in range(150):
        if match.decision is None:
            break
        ask = match.table(match.decision.player).ask
        labels |= {closed.label for closed in ask.closed} if ask is not None else set()
        match.choose(random.choice(match.decision.moves.texts))
    assert {"Draw and discard", "Play", "Swap", "Ability"} <= labels
    assert not labels & {"Redraw", "Event", "Swap discards with"}


def test_two_options_that_cannot_be_taken_are_not_called_alike() -> None:
    """Both hints of Fireworks begin with `Tell`, and go on with what would have to be chosen."""
    match = load("fireworks").start(3, 1)
    while match.decision is not None and any("hint" in text for text in match.decision.moves.texts):
        match.choose(next(text for text in match.decision.moves.texts if "hint" in text))
    assert match.decision is not None
    ask = match.table(match.decision.player).ask
    assert ask is not None and {"Colour hint", "Number hint"} <= {closed.label for closed in ask.closed}
