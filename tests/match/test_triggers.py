"""Triggers of cards entering zones: choices inside, and chains of triggers."""

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.game_files import read_game
from tests.native.following import QUICK, follow, needs_either

HEAD = read_game("triggers")


def start_match(text: str) -> Match:
    match: Match = cardlang.loads(HEAD + text).start(2, 1)
    return match


def moves(match: Match) -> tuple[str, tuple[str, ...]]:
    assert match.decision is not None
    return match.decision.player, match.decision.moves.texts


def test_trigger_asks_the_owner_of_the_zone() -> None:
    match = start_match(
        "step play\n  each player\n    do your grab\nstep your grab\n  you draw 1 from top of stock to your hand\n"
        "whenever card enters your hand\n  you may discard 1 from your hand to heap\n"
    )
    # The last of the pack lies on top: the six of Swords, under it that of Cups.
    assert moves(match) == ("Ann", ("discard [6s]", "pass"))
    match.choose("pass")
    assert moves(match) == ("Bob", ("discard [6c]", "pass"))
    match.choose("discard [6c]")
    assert match.over
    assert str(match.view().zone("heap").cards[0]) == "[6c]"


def test_trigger_choice_can_trigger_again() -> None:
    match = start_match(
        """\
step setup
  each player
    deal top 2 of stock to your hand
step play
  each player
    you put 1 from your hand to your pile
whenever card enters your pile
  you may put 1 from your hand to your pile
"""
    )
    assert moves(match) == ("Ann", ("put [6s]", "put [6c]"))
    match.choose("put [6s]")
    assert moves(match) == ("Ann", ("put [6c]", "pass"))
    match.choose("put [6c]")
    assert moves(match)[0] == "Bob"
    match.choose(0)
    match.choose("pass")
    assert match.over
    assert [match.view().zone("pile", name).count for name in ("Ann", "Bob")] == [2, 1]


def test_chained_triggers_move_more_cards() -> None:
    match = start_match(
        "step play\n  move top of stock to heap\n  each player\n    you may take 1 from heap to your hand\n"
        "whenever card enters heap\n  if count of heap < 5\n    move top of stock to heap\n"
    )
    assert match.view().zone("heap").count == 5


# ---------------------------------------------------------------- whose zone it is
OWNERS = read_game("owners")
SCORING = "whenever card enters your hand\n  add that card's rank to your score\n"
CHAINED = "whenever card enters your hand\n  put that card to your pile\n"
CHAINED += "whenever card enters your pile\n  add that card's rank to your score\n"
ASKING = "whenever card enters your hand\n  you choose one\n    option keep\n      add that card's rank to your score\n"
TWICE = f"{SCORING}{SCORING.replace('score', 'count')}"
DEALS = [
    "deal top 7 of stock to players' hand",
    "deal random 5 of stock to players' hand",
    "deal top 5 of stock to leader's others' hand",
    "deal stock where rank > 6 to players' hand, lowest on top",
    "deal (top 2 of stock, bottom 3 of stock) to players' hand",
    "deal top 4 of stock to (players where it != leader)'s hand",
    "repeat until count of stock < 20\n    put top of stock to (lowest of players by (count of hand))'s hand",
    "repeat until count of stock < 20\n    put top 2 of stock to (random of players)'s hand",
    "put top of stock to leader's left's hand",
    "deal top 9 of stock to players' heap\n  each player\n    do your turn",
]


@pytest.mark.slow
@pytest.mark.parametrize("deal", DEALS)
@pytest.mark.parametrize("trigger", [SCORING, CHAINED, ASKING, TWICE], ids=["plain", "chained", "asking", "twice"])
def test_a_card_counts_for_the_player_whose_zone_it_enters(deal: str, trigger: str) -> None:
    game = cardlang.loads(OWNERS.format(deal) + trigger)
    for seed in range(5):
        match: Match = game.start(3, seed)
        while not match.over:
            match.choose(0)
        view = match.view()
        for player in match.players:
            cards = [*view.zone("hand", player).cards, *view.zone("pile", player).cards]
            assert view.track("score", player).value == sum(int(str(card)[1:-1]) for card in cards)


@needs_either
@pytest.mark.parametrize("trigger", [SCORING, CHAINED, ASKING, TWICE], ids=["plain", "chained", "asking", "twice"])
def test_both_engines_agree_on_zone_owners(trigger: str) -> None:
    game = cardlang.loads(OWNERS.format("\n  ".join(DEALS)) + trigger)
    program, native = compile_game(game, 3), build_engine(game, 3, QUICK)
    for seed in range(5):
        follow(program, native, seed, 200)


def test_log_has_the_move_before_what_it_sets_off() -> None:
    text = read_game("gems")
    match: Match = cardlang.loads(text).start(["Ann", "Bob"], 1)
    for lines, cards in ((match.log, ("[1]", "[2]", "[3]")), (match.view("Bob").log, ["a card"] * 3)):
        draws = [f"Ann draws {card} from the deck." for card in cards]
        puts = [f"Ann puts [{card}] in their gems." for card in (1, 2)]
        moves = [str(line) for line in lines if "draws" in line or "puts" in line]
        assert moves == [draws[0], puts[0], draws[1], puts[1], draws[2]]
