"""Questions: purpose and number, with named options."""

from __future__ import annotations

from random import Random

from tests.shipped import Cast, is_asked, load, match_where, walk


def test_question_names_purpose_and_count() -> None:
    """In the first deal three cards go to the left."""
    match = load("hearts").start(4, 7)
    ref = match.table("Ann").places[0].piles[0].cards[2].ref
    ask = match.table("Ann", [ref]).ask
    assert ask is not None and ask.question == "Pass three cards to Bob: 1 of 3 selected."
    assert ask.choosing is not None and ask.choosing.why == "Choose 2 more."


def test_question_shows_a_rule_only_while_it_restricts() -> None:
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


def test_raise_label_names_the_payment() -> None:
    """The blinds of Hold'em are 1 and 2: the dealer, who has put in nothing, raises by 2 and pays 4."""
    match = load("texas_holdem").start(3, 1)
    assert match.decision is not None
    ask = match.table(match.decision.player).ask
    assert ask is not None
    (raising,) = ask.amounts
    assert raising.amounts[0] == 2 and raising.says[0] == "Raise by 2, paying 4"


def test_worded_price_is_not_repeated() -> None:
    """The dealer of two has put in 1 of the 2 chips to be matched, and 3 lie in the middle."""
    ask = match_where(is_asked("Ann"), "texas_holdem", 2).table("Ann").ask
    assert ask is not None and ask.question == "Call 1 to win 3, raise or fold?"


def test_closed_options_are_labelled_like_open_ones() -> None:
    """`play` without the card; the name where the words are long or end amid a
    phrase (`swap discards with`)."""
    match = load("tail_story").start(3, 3)
    random, labels = Random(2), set[str]()
    for _ in range(150):
        if match.decision is None:
            break
        ask = match.table(match.decision.player).ask
        labels |= {closed.label for closed in ask.closed} if ask is not None else set()
        match.choose(random.choice(match.decision.moves.texts))
    assert {"Redraw", "Play", "Swap", "Ability"} <= labels
    assert not labels & {"Event", "Swap discards with"}


def test_closed_options_have_distinct_labels() -> None:
    """Both hints of Fireworks begin with `Tell`, and go on with what would have to be chosen."""
    match = load("fireworks").start(3, 1)
    while match.decision is not None and any("hint" in text for text in match.decision.moves.texts):
        match.choose(next(text for text in match.decision.moves.texts if "hint" in text))
    assert match.decision is not None
    ask = match.table(match.decision.player).ask
    assert ask is not None and {"Colour hint", "Number hint"} <= {closed.label for closed in ask.closed}


def test_small_ranges_become_buttons() -> None:
    """Tail Story asks for a card or two, or one to three: each number has its digit. Thirteen bids are more."""
    rows = set()
    for match in walk(Cast("tail_story", 2).start(3), Random(5), 200):
        table = match.table(match.decision.player if match.decision is not None else None)
        if table.ask is not None and table.ask.question.startswith("Draw one"):
            assert not table.ask.amounts
            rows.add(tuple((action.label, action.key) for action in table.ask.actions))
    three = (("Draw 1", "1"), ("Draw 2", "2"), ("Draw 3", "3"))
    assert rows and rows <= {three[:2], three}
    bid = load("spades").start(4, 3)
    ask = bid.table(bid.decision.player if bid.decision is not None else None).ask
    assert ask is not None and [amount.high for amount in ask.amounts] == [13]
    assert not any(action.label.endswith("13") for action in ask.actions)
