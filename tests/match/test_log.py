"""The log as each player sees it."""

import re
from pathlib import Path

import pytest

import cardlang
from cardlang.model import Game
from interpreter.match.match import Match
from tests.game_files import read_game
from tests.match.conftest import load


def test_log_names_hidden_cards_to_their_viewers(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for move in ("1", "2", "take #1"):
        match.choose(move)
    card = match.view("Ann").zone("hand", "Ann").cards[-1].code
    assert match.view("Ann").log[-1] == f"Ann takes [{card}] from Bob's hand."
    assert match.view("Bob").log[-1] == f"Ann takes [{card}] from Bob's hand."
    assert match.view().log[-1] == "Ann takes a card from Bob's hand."


def test_log_counts_dealt_cards(thieves: Game) -> None:
    match = thieves.start(2, 1)
    own = {card.code for card in match.view("Ann").zone("hand", "Ann").cards}
    shuffled, dealt, other = match.view("Ann").log
    assert (shuffled, other) == ("The stock is shuffled.", "Bob is dealt 4 cards.")
    assert {*dealt.removeprefix("Ann is dealt [").removesuffix("].").split()} == own


def test_log_counts_discards(thieves: Game) -> None:
    match = thieves.start(2, 1)
    for _ in range(4):
        match.choose(0)
    held = [card.code for card in match.view("Ann").zone("hand", "Ann").cards]
    first, second = sorted(held[:2], key=str)
    match.choose(f"discard [{first} {second}]")
    log = [str(line) for line in match.view().log]
    assert log[-1] == "Ann gets 2 coins and has 2."
    assert log[-2] in (f"Ann discards [{first} {second}].", f"Ann discards [{second} {first}].")
    match.choose("done")
    assert match.view().log[-2] == "Bob discards no cards."


def test_log_names_bets_and_winners() -> None:
    match = load("kuhn_poker").start(2, 3)
    asked = match.decision
    assert asked is not None
    other = next(name for name in match.players if name != asked.player)
    match.choose("bet 1")
    assert match.log[-3:] == (
        f"{asked.player} bets 1.",
        f"{asked.player} has no chips left.",
        f"{asked.player} is all-in.",
    )
    match.choose("fold")
    log = match.view().log
    assert f"{other} folds." in log
    assert f"{other} discards a card." in log
    assert log[-1] == f"The match is over. {asked.player} wins."


def test_log_lines_have_the_span_of_their_rule() -> None:
    match = load("kuhn_poker").start(2, 3)
    match.choose("bet 1")
    spans = [line.span for line in match.log if line.endswith("bets 1.")]
    assert len(spans) == 1
    assert spans[0] is not None
    assert spans[0].source.name == "betting.cardgame"


def test_simultaneous_choices_are_logged_together() -> None:
    match = load("hearts").start(4, 1)
    before = match.view("Bob").log
    codes = [card.code for card in match.view("Ann").zone("hand", "Ann").cards]
    match.choose(f"move [{codes[0]} {codes[1]} {codes[2]}]")
    assert match.view("Bob").log == before
    assert match.view("Bob").asked == "Bob"


def test_log_ignores_hidden_cards() -> None:
    """Two deals that Ann cannot tell apart, played alike until cards are shown."""
    match = load("kuhn_poker").start(2, 3)
    other = match.sample("Ann", 1)
    for each in (match, other):
        each.choose("check")
    assert match.view("Ann").log == other.view("Ann").log


SMALL = read_game("small_log")


def get_log(body: str, moves: int = 0) -> list[str]:
    match = cardlang.loads(SMALL.format(body.replace("\n", "\n  "))).start(2, 1)
    for _ in range(moves):
        match.choose("pass")
    return [str(line) for line in match.log]


def test_step_without_decisions_has_no_heading() -> None:
    assert "Betting begins." not in get_log("finish game")
    assert get_log("set players's score to 1\ndo betting".replace("players's", "(first of players)'s")).count(
        "Betting begins."
    ) == 1  # fmt: skip


def test_known_cards_are_not_logged_as_shown() -> None:
    body = "reveal (first of players)'s hand\nreveal players' hand\nmove players' hand to (last of players)'s heap"
    lines = [line for line in get_log(body + "\nreveal players' heap") if "shows" in line]
    assert [line.split()[0] for line in lines] == ["Ann", "Bob"]


def test_automatic_move_between_players_is_passive() -> None:
    body = "move (first of players)'s hand to (last of players)'s heap"
    (line,) = [line for line in get_log(body) if "heap" in line]
    assert line.endswith("is moved from Ann's hand to Bob's heap.")


@pytest.mark.parametrize(
    ("choice", "line"),
    [
        ("you may draw 1 from top of deck to table", "Ann draws [4] to the table."),
        ("you may turn 1 from top of deck to table", "Ann turns up [4] on the table."),
        ("you take 1 from table to pile", "Ann takes [4] to the pile."),
        ("you choose prize from table\n    move prize to pile", "Ann moves [4] to the pile."),
    ],
)
def test_chosen_cards_are_logged_as_moved_by_the_player(choice: str, line: str) -> None:
    """Whether the cards are chosen or only their number; what a rule moves afterwards, no player moves."""
    zones = "zone your heap\nzone table\nzone pile"
    body = f"move top of deck to table\n  each player\n    {choice}\n  move table to pile"
    match = cardlang.loads(SMALL.replace("zone your heap", zones).format(body)).start(2, 1)
    match.choose(0)
    moved = [each for each in match.view("Ann").events if each.kind == "moved" and each.name != "deal"]
    (own,) = [each for each in moved if each.who is not None]
    assert own.who == "Ann" and re.sub(r"\d", "4", own.text) == line


def test_draw_is_addressed_to_its_player() -> None:
    match = cardlang.load(Path(__file__).parents[2] / "docs" / "examples" / "raven.cardgame").start(["Ann", "Bob"], 5)
    assert isinstance(match, Match)
    match.choose("draw 1")
    lines = {name: match.table(name).since[-1].text for name in match.players}
    assert lines["Bob"].startswith("Ann draws [") and lines["Ann"] == lines["Bob"].replace("Ann draws", "You draw")


def test_swapped_cards_are_logged_with_their_owner() -> None:
    body = "reveal players' hand\nmove (first of players)'s hand to (last of players)'s hand"
    (line,) = [line for line in get_log(body) if "to Bob's hand" in line]
    assert re.fullmatch(r"Ann's \[\w+\] goes to Bob's hand\.", line)


def test_log_uses_nouns_and_no_hyphens() -> None:
    match = load("spades").start(4, 3)
    assert match.decision is not None
    who = match.decision.player
    match.choose("3")
    assert match.view().log[-1] == f"{who} bids 3."
    euchre = cardlang.load("euchre").start(4, 3)
    assert euchre.decision is not None
    who = euchre.decision.player
    euchre.choose("order-up")
    assert f"{who} orders up." in euchre.view().log


def test_log_prepositions_fit_the_zone() -> None:
    zones = 'zone your heap\nzone table\nzone your won called "won cards" plural "won cards"'
    body = "put top of deck to table\n  turn top of deck to table\n  put top of deck to (first of players)'s won"
    match = cardlang.loads(SMALL.replace("zone your heap", zones).format(body)).start(2, 1)
    lines = [str(line).partition("] ")[2] for line in match.log]
    assert lines[-4:-1] == ["is put on the table.", "is turned up on the table.", "is put among Ann's won cards."]
