"""Expressions and statements in English, one line of the language each."""

from collections.abc import Callable

import pytest

import cardlang.rulebook.plan.sections  # noqa: F401  (registers all English)
from cardlang import model as g
from cardlang.rulebook.realise.instructions import INSTRUCTION_BUILDERS, SENTENCE_BUILDERS
from cardlang.rulebook.realise.phrases import CLAUSE_BUILDERS, PHRASE_BUILDERS

SheetOf = Callable[[str], str]


def test_every_expression_has_english() -> None:
    """What a member is worth is told as the member, where nothing more is to be said."""
    assert set(g.EXPRESSION_CLASSES) == (
        PHRASE_BUILDERS.keys() | CLAUSE_BUILDERS.keys() | {g.Worth, g.Cases, g.FirstPossible}
    )
    assert not PHRASE_BUILDERS.keys() & CLAUSE_BUILDERS.keys()


def test_every_statement_has_english() -> None:
    assert set(g.STATEMENT_CLASSES) == SENTENCE_BUILDERS.keys() | INSTRUCTION_BUILDERS.keys()
    assert not SENTENCE_BUILDERS.keys() & INSTRUCTION_BUILDERS.keys()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("count of hand", "The number of cards in your hand."),
        ("total of hand's value", "The total value of your hand."),
        ("highest of players' score", "The highest score of the players."),
        ("highest of players' chips", "The highest number of chips of the players."),
        ("lowest of (3, chips)", "The lower of three and your chips."),
        ("lowest of (3, chips - 1)", "The lower of three and one less than your chips."),
        ("highest of (1, lowest of (3, chips))", "The lower of three and your chips, but at least one."),
        ("highest of (0, players' score)", "The highest score of the players, but at least zero."),
        ("2 * (chips + 1)", "Twice (your chips + 1)."),
        ("chips / 2", "Half of your chips."),
        ("chips - 1", "One less than your chips."),
        ("count of hand + 1", "One more than the number of cards in your hand."),
        ("9 - whole of (chips / 3)", "9 − (a third of your chips, rounded down)."),
        ("hand where value <= 3", "The cards in your hand whose value is 3 or lower."),
        ("hand where it is Trumps", "The Trumps in your hand."),
        (
            "hand where it is not Trumps and it is not Pack",
            "The cards in your hand that are not Trumps and not Pack cards.",
        ),
        ("hand where suit in (Red, Blue)", "The cards in your hand whose suit is Red or Blue."),
        ("hand where value not in (2, 3)", "The cards in your hand whose value is neither 2 nor 3."),
        ("whole of (chips / 3)", "A third of your chips (rounded down)."),
        ("count of distinct of hand's suit", "The number of different suits in your hand."),
        ("hand where suit = Red", "The Red cards in your hand."),
        ("hand where value >= King", "The cards in your hand whose value is King or higher."),
        ("hand where it is not Trumps", "The cards in your hand that are not Trumps."),
        (
            "hand where suit = Red or you = leader",
            "The Red cards in your hand, or all of them if you are the leader.",
        ),
        (
            "hand where suit = Red and table is empty",
            "The Red cards in your hand if the table is empty; otherwise none.",
        ),
        ("hand where table is empty", "Your hand if the table is empty; otherwise none."),
        (
            "hand where round + value <= 8",
            "The cards in your hand for each of which the round plus its value is at most eight.",
        ),
        (
            "count of (hand where value = King and it != shelf)",
            "The number of Kings in your hand other than your shelf.",
        ),
        ("hand where it = [Kr]", "The King of Red in your hand."),
        ("-40 + 2", "Minus 38."),
        ("others where not folded", "The other players who have not folded."),
        ("others where chips > 0", "The other players who have any chips."),
        ("top 2 of deck", "The top two cards of the deck."),
        ("first of table's suit", "The suit of the first card on the table."),
        ("(others where hand is empty)'s chips", "The chips of the other players with an empty hand."),
        ("left's left", "The player two places to your left."),
        ("players where it != leader", "The players other than the leader."),
        ("reverse of players", "The players in reverse order."),
        ("highest of players by chips", "The player with the most chips."),
        ("only highest of players by chips", "The player who alone has the most chips."),
        ("only lowest of hand by value", "The card that alone has the lowest value in your hand."),
    ],
)
def test_values(sheet_of: SheetOf, text: str, said: str) -> None:
    assert f":** {said}\n" in sheet_of(f"define your thing as {text}\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("chips = 0", "you have no chips"),
        ("chips >= 2", "you have at least 2 chips"),
        ("count of prizes = 1", "you have one Prize"),
        ("count of players = 2", "there are two players"),
        ("count of players > 1", "there are at least two players"),
        ("count of hand < 3", "you have fewer than three cards in your hand"),
        ("leader = nobody", "there is no leader"),
        ("first of hand's suit = Red", "the suit of the first card in your hand is Red"),
        ("not frozen", "bids are not closed"),
        ("shelf is empty", "your shelf is empty"),
        ("hand is not empty", "your hand is not empty"),
        ("(hand, prizes) is empty", "your hand and your Prizes are both empty"),
        ("(hand, shelf, table) is not empty", "your hand, your shelf and the table are not all empty"),
        ("every player has folded", "every player has folded"),
        ("no player has folded", "no player has folded"),
        ("any player has score >= 5", "a player's score is at least five"),
        ("any card in hand has suit = Red", "there is a Red card in your hand"),
        (
            "any player in others has (folded and chips = 0)",
            "among the other players there is one who has folded and has no chips",
        ),
        ("hand is empty or folded and score = 2", "your hand is empty, or you have folded and your score is two"),
        ("not (folded or chips = 0)", "you have not folded and you have any chips"),
        ("shelf = [Kr]", "your shelf is the King of Red"),
        ("leader = you", "you are the leader"),
        ("count of distinct of hand's suit = 1", "the cards in your hand all have the same suit"),
        ("count of distinct of hand's suit != 1", "the cards in your hand do not all have the same suit"),
        (
            "any player has (folded and count of hand > 3)",
            "there is a player who has folded and has more than three cards in their hand",
        ),
    ],
)
def test_conditions(sheet_of: SheetOf, text: str, said: str) -> None:
    sheet = sheet_of(f"define your thing as\n  1 when {text}\n  otherwise 2\n")
    assert f"One if {said}, otherwise two.\n" in sheet


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("draw top of deck to your hand", "Draw the top card of the deck."),
        (
            "draw top (5 - count of your hand) of deck to your hand",
            "Draw cards from the top of the deck until there are five in your hand.",
        ),
        ("place top of deck to your shelf", "Place the top card of the deck in your shelf."),
        ("place top of deck to your prizes", "Place the top card of the deck among your Prizes."),
        ("move table where value = 3 to deck", "Move the 3s on the table to the deck."),
        ("remember your chips as old-chips", "Remember your chips as the old chips."),
        ("remember top of deck as loot", "The loot is the top card of the deck."),
        ("remember top of deck as taken", "The taken card is the top card of the deck."),
        ("remember your hand where value = 3 as gift", "The gift cards are the 3s in your hand."),
        ("set your folded to no", "You count as not having folded."),
        ("each player where chips = 0\n    eliminate you", "Each player who has no chips is out of the game."),
        ("each player in your others\n    set your folded to yes", "Every other player has now folded."),
        (
            "each player in your others where chips > 0\n    shuffle deck",
            "Starting with the next player, every other player who has any chips shuffles the deck.",
        ),
        (
            "each player from leader's left where not frozen\n    shuffle deck",
            "Starting with the player to the leader's left, each player shuffles the deck, "
            "as long as bids are not closed.",
        ),
        ("move table to deck", "Move all cards from the table to the deck."),
        (
            "put table to deck, highest on top",
            "Put all cards from the table into the deck, sorted with the highest on top.",
        ),
        ("you play 1 from your hand to table", "Play one card from your hand."),
        (
            "you discard 1 to 2 from your hand to table",
            "Discard one or two cards from your hand to the table.",
        ),
        ("you put up to 1 from your hand to table", "You may put one card from your hand onto the table."),
        (
            "each player in your others where shelf = your shelf\n    shuffle deck",
            "Starting with the next player, every other player whose shelf is the acting player's shelf "
            "shuffles the deck.",
        ),
        (
            "each player in your others where chips > 1\n    add 1 to your chips",
            "Starting with the next player, every other player who has more than 1 chip gains 1 chip.",
        ),
        (
            "each player in leader's others where chips > 1\n    shuffle deck",
            "Starting with the player after the leader, each of the players other than the leader "
            "who have more than 1 chip shuffles the deck.",
        ),
        (
            "you may draw up to 2 from top of deck to your hand",
            "You may draw up to two cards from the top of the deck.",
        ),
        (
            "you discard count of your hand - 3 from your hand to deck",
            "Discard cards from your hand to the deck until only three remain.",
        ),
        ("shuffle players", "Put the players in a random order."),
        ("set leader to you", "You lead."),
        ("set leader to your left", "The player to your left leads next."),
        ("set your folded to yes", "You have now folded."),
        ("set wanted to Red", "Red becomes the wanted suit."),
        ("subtract 2 from your chips", "Lose 2 chips."),
        ("reveal your hand", "Reveal your hand."),
        ("eliminate you", "You are out of the game."),
        ("finish game", "The game ends."),
        ("if your hand is empty\n    finish turn", "If your hand is empty, skip this turn."),
        (
            "each player from leader where not folded\n    shuffle deck",
            "Starting with the leader, each player who has not folded shuffles the deck.",
        ),
        ("each Suit\n    set wanted to that Suit", "For each suit: that suit becomes the wanted suit."),
        (
            "repeat until deck is empty\n    draw top of deck to your hand",
            "Draw cards from the deck until the deck is empty.",
        ),
        (
            "repeat until deck is empty, up to 300 times\n    draw top of deck to your hand",
            "Draw cards from the deck until the deck is empty.",
        ),
        (
            "repeat until count of table = 2\n    play top of deck to table",
            "Play cards from the deck until there are two cards on the table.",
        ),
        (
            "repeat until count of table = 1\n    play top of deck to table",
            "Play cards from the deck until there is only one card on the table.",
        ),
        (
            "repeat\n    shuffle deck\n    finish turn",
            "Repeat until your turn ends:",
        ),
        (
            "repeat\n    shuffle deck\n    finish game",
            "Repeat until the game ends:",
        ),
        (
            "repeat until you pass\n    you may play 1 from your hand to table",
            "As often as you like: play one card from your hand.",
        ),
        (
            "each player\n    deal top 2 of deck to your hand",
            "Deal two cards to each player.",
        ),
        (
            "each player from leader where not folded\n    deal top of deck to your hand",
            "Deal one card to each player who has not folded, starting with the leader.",
        ),
        (
            "each player\n    deal top (round + 1) of deck to your prizes",
            "Deal as many cards as one more than the round to the Prizes of each player.",
        ),
        (
            "each player\n    set your score to 3",
            "Each player sets their score to three.",
        ),
        ("deal deck to players' hand", "Deal all cards from the deck to the players' hands, one at a time."),
        (
            "deal top (2 * count of players) of deck to players' hand",
            "Deal two cards from the deck to each player, one at a time.",
        ),
        (
            "deal top (count of your others) of deck to your others' hand",
            "Deal one card from the deck to each of the other players.",
        ),
        (
            "draw top round of deck to your hand",
            "Draw as many cards as the round from the top of the deck.",
        ),
        (
            "give first 2 of (leader's hand ranked by value) to your hand",
            "Take the first two of the leader's hand ranked by value, highest first.",
        ),
        ("give leader's hand to your hand", "Take the leader's hand."),
        (
            "remember top of deck as catch\n  draw catch to your hand\n  discard catch to table",
            "Draw the top card of the deck.\n2. Discard that card to the table.",
        ),
        ("remember top of deck as catch\n  draw catch to your hand", "Draw the top card of the deck."),
        ("add your chips to your chips", "Double your chips."),
        ("add your score to your score", "Double your score."),
        ("set your chips to 0", "Set your chips to zero."),
        ("you choose rival from your others", "Choose another player."),
        ("you choose bid from 1 to your chips", "Choose a bid from 1 to your chips."),
        ('shuffle deck "Well."', "Shuffle the deck. *Well.*"),
    ],
)
def test_statements(sheet_of: SheetOf, text: str, said: str) -> None:
    assert f"{said}\n" in sheet_of(f"step your turn\n  {text}\n")


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("flag your slowed", "You are slowed"),
        ("flag your owes-a-card", "You owe a card"),
        ('flag your done called "has passed"', "You have passed"),
        ("flag card's dug", "A card is dug"),
        ("flag bids-are-over", "Bids are over"),
        ("flag stormy", "Stormy"),
    ],
)
def test_flags_as_headings(sheet_of: SheetOf, declared: str, said: str) -> None:
    assert f"\n\n**{said}:** *A mark.*\n" in sheet_of(f'{declared} "A mark."\n')


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("number your pace starts each turn at 3", "**Pace:** Three at the start of each “Turn”."),
        (
            "number your pace starts your turn at 3",
            "**Pace:** Three at the start of each “Turn” of yours.",
        ),
        (
            "flag card's hidden starts each turn or move at yes",
            "**A card is hidden:** Yes at the start of each “Turn” or each move of the card.",
        ),
    ],
)
def test_restarts_are_described(sheet_of: SheetOf, declared: str, said: str) -> None:
    assert f"\n\n{said}\n" in sheet_of(f"{declared}\n")


def test_shuffled_players_have_no_clockwise_order(sheet_of: SheetOf) -> None:
    """Where the order of turns is drawn, it says nothing of where anybody sits."""
    order = "step your turn\n  each player from leader\n    shuffle deck\n"
    assert "Starting with the leader, each player shuffles the deck." in sheet_of(order)
    drawn = sheet_of(order + "step setup\n  shuffle players\n")
    assert "Starting with the leader, each player shuffles" in drawn


def test_order_continues_after_the_best(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """\
ranking Sort of 2 cards
  "Pair" like [1r 1b]
    2 Pack of one value
  ties
    highest when owner = leader
    lowest when owner != leader
    higher used's value, highest first
define your worth as Sort of hand
"""
    )
    assert "1. Those whose owner is the leader rank above all others and are equal to each other" in sheet
    assert "2. Of the rest, those whose owner is not the leader rank below all others" in sheet
    assert "3. Compare the values of the cards used, one by one, from the highest down: the higher" in sheet


def test_plural_number_is_counted(sheet_of: SheetOf) -> None:
    sheet = sheet_of("number hands-played\nstep your turn\n  if hands-played >= 3\n    finish turn\n")
    assert "If there are at least 3 hands played, skip this turn" in sheet


def test_preferences_start_with_their_condition(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        """\
define your playable as first possible of
  hand where (suit = Red or frozen) and table is empty "Lead a red one."
  hand where value = 3
  hand
step your turn
  you play 1 from your playable to table
"""
    )
    said = "The Red cards in your hand, or all of them if bids are closed, if the table is empty."
    assert f"\n1. {said} *Lead a red one.*\n" in sheet
