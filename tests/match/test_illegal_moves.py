"""Explanations of illegal moves, in the words of the rules."""

import pytest

import cardlang
from cardlang.model import Game
from interpreter.match.match import Match
from interpreter.runtime.errors import MoveError
from tests.game_files import read_game
from tests.match.conftest import load

SHOP = read_game("shop")


@pytest.fixture(scope="module")
def shop() -> Game:
    return cardlang.loads(SHOP, "shop.cardgame")


def find_rule_line(match: Match, text: str) -> str:
    """Return the line of the rule that forbids a move."""
    refused = match.explain_illegal_move(text)
    assert refused is not None
    assert refused.span is not None
    return refused.span.source.get_line(refused.span.line).strip()


def test_reason_quotes_option_and_condition(shop: Game) -> None:
    match = shop.start(2, 1)
    assert match.why_not("beg") == "Ask for a coin. You have coins."
    assert find_rule_line(match, "beg") == 'option beg when your gold = 0 "Ask for a coin."'


def test_reason_names_the_cost(shop: Game) -> None:
    match = shop.start(2, 1)
    assert match.why_not("buy 2") is None
    assert match.why_not("buy 3") == "That costs 3 coins and you have 2."


def test_reason_names_the_range(shop: Game) -> None:
    assert shop.start(2, 1).why_not("buy 4") == "It must be from 1 to 3."


def test_reason_names_the_only_number() -> None:
    text = 'game "One" for 2 players\nnumber your score\nstep play\n  each player\n'
    game = cardlang.loads(f"{text}    you may choose bid from 4 to 4\n      add bid to your score\n")
    assert game.start(2, 1).why_not("2") == "It must be 4."


def test_reason_quotes_the_line_that_applies(shop: Game) -> None:
    match = shop.start(2, 1)
    held = [card.code for card in match.view("Ann").zone("hand", "Ann").cards]
    cups = [code for code in held if code and code.endswith("c")]
    swords = [code for code in held if code and code.endswith("s") and code != "1s"]
    assert cups
    assert swords
    assert match.why_not(f"sell [{cups[0]}]") is None
    assert match.why_not(f"sell [{swords[0]}]") == "Cups are sold first."
    assert find_rule_line(match, f"sell [{swords[0]}]") == 'hand where suit = Cups "Cups are sold first."'


def test_reason_names_where_a_card_is(shop: Game) -> None:
    match = shop.start(2, 1)
    other = match.view("Ann").zone("hand", "Bob").cards[0].code
    assert match.why_not(f"sell [{other}]") == f"[{other}] is in Bob's hand. Choose from your goods."


COUNTING = read_game("counting")


def test_reason_names_the_failed_condition() -> None:
    """One's own cards are refused by the rule, those on the table as they lie there."""
    match = next(
        each
        for each in (cardlang.loads(COUNTING).start(2, seed) for seed in range(50))
        if {each.names.get_card_code(card) for card in each.state.z[each.program.zone_base["hand"]]} >= {"2", "7"}
    )
    top = match.view("Ann").zone("table").cards[0].code
    assert match.why_not("7") is None
    assert match.why_not("2") == "[2]'s value is 4 or lower."
    assert match.why_not(str(top)) == f"[{top}] is on the table. Choose from your playable cards."


def test_reason_says_that_no_card_is_asked_for() -> None:
    match = cardlang.load("blackjack").start(2, seed=2)
    while not (codes := [card.code for card in match.view(0).zone("hand", match.players[0]).cards]):
        match.choose(0)
    assert str(match.why_not(f"[{codes[0]}]")).startswith("You cannot choose a card now. You can choose ")


def test_reason_names_who_can_be_chosen(shop: Game) -> None:
    told = "You cannot choose Bob. Choose from the other players whose score is more than three."
    assert shop.start(2, 1).why_not("rob Bob") == told


OFFERS = read_game("illegal_offers")


def test_reason_names_the_range_of_a_number() -> None:
    match = cardlang.loads(OFFERS).start(2, 1)
    for typed in ("Offer 9", "offer 9", "9", "offer x", "offer"):
        assert match.why_not(typed) == "It must be from 0 to 5."
    match.choose("Offer 4")
    match.choose("2")
    assert match.scores == [4, 2]


def test_reason_does_not_distinguish_hidden_cards(shop: Game) -> None:
    """A card that Bob holds in secret and one that does not exist for Ann read alike."""
    match = shop.start(2, 1)
    secret = match.state.z[match.program.zone_base["secrets"] + 1][0]
    code = match.names.get_card_code(secret)
    assert match.why_not(f"sell [{code}]") == f"[{code}] is not possible. Choose from your goods."


def test_cards_can_be_picked_one_by_one_or_together(shop: Game) -> None:
    match = shop.start(2, 1)
    match.choose("wait")
    match.choose("wait")
    assert match.decision is not None
    held = sorted(card.code or "" for card in match.view("Ann").zone("hand", "Ann").cards)
    with pytest.raises(MoveError, match="You can choose only 2"):
        match.choose(f"put [{held[0]} {held[1]} {held[2]}]")
    match.choose(f"[{held[2]} {held[0]}]")
    assert match.view().zone("sold").count == 2


def test_move_after_the_end_is_rejected() -> None:
    match = load("kuhn_poker").start(2, 1)
    match.choose("check")
    match.choose("check")
    assert match.why_not("check") == "The match is over."
    with pytest.raises(MoveError, match="over"):
        match.choose("check")
    with pytest.raises(MoveError, match="over"):
        match.choose(0)


TERMS = read_game("terms")


@pytest.fixture(scope="module")
def terms() -> Match:
    return cardlang.loads(TERMS, "terms.cardgame").start(2, 1)


def test_reason_quotes_the_text_of_a_clause(terms: Match) -> None:
    assert terms.why_not("rest") == "Only the tired rest."
    assert find_rule_line(terms, "rest") == 'when your tired "Only the tired rest."'
    assert terms.why_not("buy") == "You are short of coins."
    assert terms.why_not("swap") == "Only a five or more."


def test_reason_without_text_names_the_condition(terms: Match) -> None:
    assert terms.why_not("lead") == "Set the pace. You are not the leader."


def test_reason_names_the_chosen_values(terms: Match) -> None:
    assert terms.why_not("haggle Bob 2") == "Bob has at least 2 coins."


def test_reason_does_not_split_hidden_conditions(terms: Match) -> None:
    """It is one sentence, whatever Bob holds and so whichever part does not hold."""
    game, told = terms.game, set()
    for seed in range(8):
        told.add(game.start(2, seed).why_not("peep"))
    (sentence,) = told
    assert sentence is not None
    assert "the hand of any of the other players" in sentence and "you have more than 9 coins" in sentence


def test_decision_text_becomes_the_prompt(terms: Match) -> None:
    assert terms.decision is not None
    assert terms.decision.prompt == "What do you do? Wait."


@pytest.mark.parametrize(
    "choice", ["choose ware from your goods", "choose 1 to 2 wares from your goods", "put 1 from your goods to sold"]
)
def test_reason_for_another_verb_is_about_the_card(choice: str) -> None:
    """By the words of `goods`: as long as there are cups, swords are not sold."""
    end = "\n    move wares to sold\n" if "wares" in choice else "\n"
    game = cardlang.loads(f"{SHOP[: SHOP.index('step play')]}step play\n  each player\n    you {choice}{end}")
    match = game.start(2, 1)
    hand = [card.code or "" for card in match.view("Ann").zone("hand", "Ann").cards]
    cup, sword = min(each for each in hand if each[1] == "c"), max(each for each in hand if each[1] == "s")
    for said in (f"play {sword}", f"discard [{sword}]", f"Choose {sword}"):
        assert match.why_not(said) == "Cups are sold first."
    assert match.why_not("play 9h") == match.why_not("9h")
    move = f"put [{cup}]" if "put" in choice else f"[{cup}]"
    for said in (f"play {cup}", f"discard [{cup}]"):
        assert match.why_not(said) == f"There is no move {said}. Did you mean {move}?"
        with pytest.raises(MoveError, match="Did you mean"):
            match.choose(said)
    assert match.why_not(move) is None


def test_reason_explains_why_no_card_fits() -> None:
    match = cardlang.loads(DEAR).start(["Ann", "Bob"], 1)
    assert match.why_not("sell") == "Silk is not for sale."


DEAR = read_game("dear")
