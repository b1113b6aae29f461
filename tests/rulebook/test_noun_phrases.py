"""Noun phrases: zones, sets of cards, possessives, card values."""

from collections.abc import Callable

import pytest

import cardlang
from cardlang.english.morphology import add_direction_preposition
from cardlang.rulebook.realise.noun_phrases import describe_card_titles
from cardlang.rulebook.render import render_rulebook_markdown
from tests.game_files import read_game

SheetOf = Callable[[str], str]
WON = """\
zone your taken called "won cards"
zone lost called "lost cards"
zone discards
"""
ONE_SET = read_game("one")


# ---------------------------------------------------------------- cards
@pytest.mark.parametrize(
    ("titles", "said"),
    [
        (["9 of Clubs"], "the 9 of Clubs"),
        (["9 of Clubs", "2 of Hearts"], "the 9 of Clubs and the 2 of Hearts"),
        (
            ["Jack of Diamonds", "Queen of Spades", "King of Spades"],
            "the Jack of Diamonds, and the Queen and King of Spades",
        ),
        (["5 of Clubs", "5 of Hearts", "Jack of Spades"], "two 5s (Clubs and Hearts) and the Jack of Spades"),
        (["4 of Clubs", "5 of Clubs", "6 of Clubs"], "the 4 to 6 of Clubs"),
        ([f"{rank} of Clubs" for rank in ("2", "3", "4", "Jack", "Ace")], "the 2, 3, 4, Jack and Ace of Clubs"),
        ([f"{rank} of Clubs" for rank in ("2", "3", "4", "5", "6", "Ace")], "the 2 to 6 and Ace of Clubs"),
        (["Ten of Clubs", "Jack of Clubs", "Ace of Clubs"], "the Ten, Jack and Ace of Clubs"),
        (["4 of Clubs", "5 of Clubs", "King of Clubs"], "the 4, 5 and King of Clubs"),
        (["Fool", "Fool"], "two Fools"),
        (["Fool"], "Fool"),
    ],
)
def test_cards_have_articles(titles: list[str], said: str) -> None:
    assert describe_card_titles(titles) == said


def test_single_card_set_is_called_cards() -> None:
    sheet = render_rulebook_markdown(cardlang.loads(ONE_SET))
    assert "Move all cards to the deck." in sheet
    assert "The game ends when all cards are in the players' hands." in sheet
    assert "| Pair | two cards of the same value |" in sheet


# ---------------------------------------------------------------- places
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("move your taken to deck", "Move your won cards to the deck."),
        ("move lost to deck", "Move the lost cards to the deck."),
        ("you put 1 from your taken to deck", "Put one card from your won cards into the deck."),
        ("if your taken is empty\n    finish turn", "If you have no won cards, skip this turn."),
        ("if players' taken is empty\n    finish turn", "If the players have no won cards, skip this turn."),
        (
            "if count of your taken > 2\n    finish turn",
            "If you have more than two won cards, skip this turn.",
        ),
        (
            "move your taken where value = 3 to deck",
            "Move the 3s among your won cards to the deck.",
        ),
        (
            "if any card in your taken has value = 3\n    finish turn",
            "If there is a 3 among your won cards, skip this turn.",
        ),
        ("if discards = [Kr]\n    finish turn", "If the discards hold the King of Red, skip this turn."),
        ("put top of deck to table", "Put the top card of the deck onto the table."),
    ],
)
def test_zones_named_after_cards(sheet_of: SheetOf, text: str, said: str) -> None:
    assert f"{said}\n" in sheet_of(f"{WON}step your turn\n  {text}\n")


@pytest.mark.parametrize(
    ("verb", "place", "said"),
    [
        ("put", "the table", "onto the table"),
        ("take", "your hand", "into your hand"),
        ("play", "the table", "to the table"),
        ("turn", "the discard pile", "onto the discard pile"),
        ("turn", "your hand", "to your hand"),
    ],
)
def test_zones_have_prepositions(verb: str, place: str, said: str) -> None:
    assert add_direction_preposition(place, verb) == said


# ---------------------------------------------------------------- what belongs to whom
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("leader's score", "The leader's score."),
        ("left's score", "The score of the player to your left."),
        ("leader's left's score", "The score of the player to the leader's left."),
        ("(first of table)'s owner's score", "The score of the player with the first card on the table."),
        ("shelf's owner's mate's score", "The score of the mate of your shelf's owner."),
        ("leader's mate's mate's score", "The score of the leader's mate's mate."),
    ],
)
def test_possessives_are_not_chained(sheet_of: SheetOf, text: str, said: str) -> None:
    declared = "define your mate as left\n" if "mate" in text else ""
    assert f":** {said}\n" in sheet_of(f"{declared}define your thing as {text}\n")


def test_its_means_the_defined_item(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        "define card's twins as table where value = that card's value\n"
        "define card's lower as count of (Suit where it < that card's suit)\n".replace(
            "Suit where it <", "Value where it <"
        ).replace("that card's suit", "that card's value")
        + "define your thing as total of hand's lower + count of hand's twins\n"
    )
    assert "The cards of the same value on the table." in sheet
    assert "The number of values that are lower than its value." in sheet


# ---------------------------------------------------------------- numbers
def test_rank_sums_name_their_worth(sheet_of: SheetOf) -> None:
    def told(text: str) -> str:
        return render_rulebook_markdown(
            cardlang.loads(ONE_SET.replace("step play", f"define your thing as {text}\nstep play"))
        )

    assert "The total worth of your hand." in told("total of hand's value")
    assert "for each of which your score plus its worth is at most 31." in told("hand where score + value <= 31")
    assert "2s in your hand." in told("hand where value = 2")
    assert "The number of selections of cards in your hand whose total worth is 15." in told(
        "count of (every 1 or more cards from hand as lot when total of lot's value = 15)"
    )


def test_plural_names_take_plural_verbs(sheet_of: SheetOf) -> None:
    points = "define points of some as count of some * 2\n"
    sheet = sheet_of(f"{points}step your turn\n  if points of your hand = 4\n    finish turn\n")
    assert "If the points of your hand are four," in sheet
    assert "**Points of cards:** The number of cards × 2." in sheet


def test_tracks_of_members_are_counted(sheet_of: SheetOf) -> None:
    bags = 'number Suit\'s bags called "bag" plural "bags"\n'
    sheet = sheet_of(f"{bags}step your turn\n  if Red's bags >= 10 or Blue's bags < -5\n    finish turn\n")
    assert "If Red has at least 10 bags or Blue has fewer than −5 bags," in sheet


def test_card_flags_are_adjectives(sheet_of: SheetOf) -> None:
    alike = 'define alike of some called "are alike" as count of (distinct of some\'s suit) = 1\n'
    sheet = sheet_of(f"{alike}step your turn\n  if not alike of your hand\n    finish turn\n")
    assert "If the cards in your hand are not alike, skip this turn" in sheet
    assert "\n\n**Cards are alike** if the cards all have the same suit.\n" in sheet


def test_number_members_are_printed_as_numbers(sheet_of: SheetOf) -> None:
    assert "2 becomes the asked value." in sheet_of("Value asked\nstep your turn\n  set asked to 2\n")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("lower count of hand", "The player with the fewest cards in their hand wins. "),
        ("higher chips", "The player with the most chips wins. "),
        ("higher score", "The player with the highest score wins. "),
    ],
)
def test_standing_by_a_number_names_the_winner(sheet_of: SheetOf, line: str, said: str) -> None:
    assert said in sheet_of(f"order standing of player\n  {line}\n")


def test_conditions_in_calculations_are_said_as_one_or_nothing() -> None:
    game = cardlang.loads(ONE_SET.replace("add first of your hand's value", "add 1 + 2 * (deck is empty)"))
    assert "1 plus twice (1 if the deck is empty)" in render_rulebook_markdown(game)
