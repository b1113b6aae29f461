"""Names of options: custom words, with values only for players who may know them."""

import re

import pytest

import cardlang
from tests.game_files import read_game

GAME = read_game("stall")
NAMES = ("Ann", "Bob", "Cat")
CHOSE = re.compile("Ann (?!draws)")


def get_label(option: str) -> tuple[str, dict[str | None, str]]:
    """Return the label of Ann's first move, and its log line for each viewer."""
    text = GAME.format(option=option)
    match = cardlang.loads(text).start(3, seed=4)
    ask = match.table("Ann").ask
    assert ask is not None
    label = ask.actions[0].label
    match.choose(0)
    heard = {who: next(line for line in match.view(who).log if CHOSE.match(line)) for who in (*NAMES, None)}
    return label, heard


def hand() -> list[str]:
    match = cardlang.loads(GAME.format(option="go")).start(3, seed=4)
    return [str(card.code) for card in match.view("Ann").zone("hand", "Ann").cards]


def test_option_name_with_public_values_is_logged() -> None:
    label, heard = get_label('give called "offer {friend} {count of your hand} cards" with friend from your others')
    assert label == "Offer Bob 2 cards"
    assert set(heard.values()) == {"Ann offers Bob 2 cards."}


@pytest.mark.parametrize(
    "value",
    ["total of your hand's value", "your aim", "chosen's value"],
    ids=["cards in a hand", "a secret", "a card that is bound"],
)
def test_option_name_with_private_values_is_private(value: str) -> None:
    label, heard = get_label(f'show called "boast of {{{value}}}" with chosen from your hand')
    assert label.startswith("Boast of ") and label.removeprefix("Boast of ").isdigit()
    assert heard["Ann"] == f"Ann boasts of {label.rpartition(' ')[2]}."
    for other in ("Bob", "Cat", None):
        assert heard[other].startswith("Ann shows") and "boast" not in heard[other]


def test_option_name_omits_values_hidden_from_its_player() -> None:
    label, heard = get_label("""peek called "see {top of deck}" """)
    assert label == "Peek" and set(heard.values()) == {"Ann chooses “peek”."}
    label, _ = get_label('boast called "boast of {worth}"')  # remembered: whose knowledge it was is not noted
    assert label == "Boast"
    label, _ = get_label('take called "take {chosen}" with chosen from your others\' hand')
    assert label == "Take card 1"


def test_option_name_shows_cards_in_brackets() -> None:
    label, _ = get_label('show called "show {chosen} to all" with chosen from your hand')
    assert label in {f"Show [{code}] to all" for code in hand()}


def test_option_name_rejects_random_values() -> None:
    with pytest.raises(cardlang.GameError, match="random"):
        get_label('show called "show {random of your hand}"')
