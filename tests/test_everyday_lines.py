"""Everyday English: the suggested line compiles, and does what the English says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlang
from cardlang.diagnostics import Diagnostic, cookbook_search
from cardlang.syntax.recovery.sentence_translation import BLOCK, read_pairs

GAME = """\
game "Everyday" for 3 players
ordered kind Value: 1 to 36
cards Pack in deck
  1 of each Value
zone deck seen by nobody
zone your hand seen by owner
zone table
zone discards
number your points
define your score as points
step setup
  shuffle deck
  {setup}
step play
  each player
    {turn}
"""
SIX = "deal 6 cards to each player"
DEAL = "each player\n    deal top 6 of deck to your hand"
PLAY = "you play 1 from your hand to table"
EACH_GETS = {
    6: [
        SIX,
        "deal 6 to each player",
        "deal six cards to every player",
        "deal each player 6 cards",
        "give each player 6 cards",
        "each player draws 6 cards",
        "every player gets six cards",
        "all players draw 6 cards",
        "deal 6 cards each",
        "deal 6 cards",
        "deal out 6 cards to all the players",
        "deal 6 cards to players",
        "deal 6 cards to the players",
        "deal 6 cards to everyone",
        "deal 6 cards to everybody",
        "deal 6 cards face down to each player",
        "deal 6 cards from the deck to each player",
        "deal top 6 of deck to each player",
        "deal top 6 cards of deck to each player's hand",
        "deal 6 cards per player",
    ],
    1: ["deal a card to each player", "deal one card to each player", "deal 1 card to every player"],
    12: ["deal all cards to the players", "deal all the cards", "deal the deck to the players"],
}
Sizes = dict[str, int]
TURNS: list[tuple[str, Sizes]] = [
    ("draw a card", {"hand": 3, "deck": -3}),
    ("you draw 2 cards", {"hand": 6, "deck": -6}),
    ("draw two cards from the deck", {"hand": 6, "deck": -6}),
    ("take the top card of the deck", {"hand": 3, "deck": -3}),
    ("play a card", {"hand": -3, "table": 3}),
    ("you play one card from your hand to table", {"hand": -3, "table": 3}),
    ("play 2 cards from hand", {"hand": -6, "table": 6}),
    ("lead a card", {"hand": -3, "table": 3}),
    ("discard a card", {"hand": -3, "discards": 3}),
    ("discard 2 cards from your hand", {"hand": -6, "discards": 6}),
    ("discard your hand", {"hand": -18, "discards": 18}),
    ("put 1 card from your hand on the table", {"hand": -3, "table": 3}),
    ("turn over the top card", {"deck": -3, "table": 3}),
    ("deal 2 cards to the table", {"deck": -6, "table": 6}),
    ("pass 1 card to the left", {}),
    ("give 1 card to your right", {}),
    ("score 2 points", {"points": 6}),
    ("gain a point", {"points": 3}),
    ("you lose 1 point", {"points": -3}),
]


def cured(setup: str, turn: str, said: str) -> str:
    """Return the game with the proposed line."""
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=setup, turn=turn))
    (found,) = caught.value.diagnostics
    cure = re.match(r"Write `([^`]+)`(?:, and indented below it `([^`]+)`)?", found.message)
    assert found.code == "E114" and cure is not None
    margin = "  " if said == setup else "    "
    lines = cure[1] if cure[2] is None else f"{cure[1]}\n{margin}  {cure[2]}"
    return GAME.format(setup=setup, turn=turn).replace(f"{margin}{said}\n", f"{margin}{lines}\n")


def measure_sizes(match: cardlang.Match) -> Sizes:
    """Return the number of cards in each zone, and the points of all players."""
    found: Sizes = {}
    for name in ("deck", "table", "discards"):
        found[name] = len(match.view(None).zone(name).cards)
    found["hand"] = sum(hands(match))
    found["points"] = sum(int(score) for score in match.scores)
    return found


def hands(match: cardlang.Match) -> list[int]:
    return [len(match.view(None).zone("hand", player).cards) for player in match.players]


def play_suggestion(match: cardlang.Match) -> cardlang.Match:
    while match.decision is not None:
        match.choose(0)
    return match


@pytest.mark.parametrize(("said", "number"), [(said, number) for number, all_ in EACH_GETS.items() for said in all_])
def test_deal_suggestion_gives_each_player_cards(said: str, number: int) -> None:
    game = cardlang.loads(cured(said, PLAY, said))
    assert hands(game.start(3, 1)) == [number] * 3


@pytest.mark.parametrize(("said", "change"), TURNS, ids=[said for said, _ in TURNS])
def test_turn_suggestion_does_what_it_says(said: str, change: Sizes) -> None:
    before = measure_sizes(cardlang.loads(GAME.format(setup=DEAL, turn=PLAY)).start(3, 1))
    after = measure_sizes(play_suggestion(cardlang.loads(cured(DEAL, said, said)).start(3, 1)))
    assert {name: after[name] - before[name] for name in after if after[name] != before[name]} == change


def test_suggested_block_keeps_indentation() -> None:
    text = cured(SIX, PLAY, SIX)
    assert "  shuffle deck\n  each player\n    deal top 6 of deck to your hand\nstep" in text


def test_later_mistakes_are_found_in_the_same_run() -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=SIX, turn="you plai 1 from your hand to table"))
    assert [each.span.line for each in caught.value.diagnostics] == [13, 16]


LOWEST_LOSES = "remember (lowest of table by value)'s owner as loser\nsubtract 1 from loser's points"
TOP_CARD_DISCARDS = "if (top of deck)'s value = 9\n  each player\n    you discard 1 from your hand to discards"
SWAP_WITH_TABLE = (
    "you choose given from your hand\nyou choose taken from table\nmove given to table\nmove taken to your hand"
)
TRICK = "remember (highest of table by value)'s owner as winner\ntake table to winner's taken"
TIED_CARDS = "if count of (all highest of table by value) > 1\n  discard table to discards"
KNOCK = "you may choose one\n  option knock when total of your hand's value <= 10\n    finish play"
NEW_TABLE = "remember count of table as size\nmove table to discards\ndeal top size of deck to table"
RIVAL = "you choose rival from your others\n  "
SEEN_CARD = RIVAL + "reveal rival's hand to you\n  you choose chosen from rival's hand"
STOLEN_POINT = RIVAL + "subtract 1 from rival's points\n  add 1 to your points"
GIFT = RIVAL + "rival gives 1 from rival's hand to your hand"
SAME_NUMBER = (
    "remember count of your hand as dropped\ndiscard your hand to discards\ndraw top dropped of deck to your hand"
)
POINTS_FOR_CARDS = (
    "you choose any number dropped from your hand\n  discard dropped to discards\n  add count of dropped to your points"
)
CHOICE_OF_TWO = (
    "you choose one\n  option take\n    add 2 to your points\n  option take-1\n    take top of deck to your hand"
)
MORE_CARDS = "if count of (your others where count of hand >= count of your hand) = 0\n  add 2 to your points"
BIGGEST_HAND = "each player in (all highest of players by (count of hand))\n  you discard 2 from your hand to discards"
SPOKEN = [
    ("setup", "shuffle all cards", "shuffle deck"),
    ("setup", "Deal 5 cards to each player.", "each player\n  deal top 5 of deck to your hand"),
    ("setup", "each player starts with 10 points", "each player\n  add 10 to your points"),
    ("setup", "give each player 5 points", "each player\n  add 5 to your points"),
    ("setup", "turn the top card of the deck face up", "turn top of deck to table"),
    ("setup", "place 3 cards on the table", "place top 3 of deck to table"),
    ("turn", "draw 1 card", "draw top of deck to your hand"),
    ("turn", "move forward three spaces", "add 3 to your spaces"),
    ("turn", "if you roll a 5 or a 6, draw a card", "if your roll in (5, 6)\n  draw top of deck to your hand"),
    ("turn", "if the dice match, gain 2 points", "if your first-roll = your second-roll\n  add 2 to your points"),
    (
        "turn",
        "lowest roll loses a point",
        "each player in (all lowest of players by roll)\n  subtract 1 from your points",
    ),
    (
        "turn",
        "the dealer is the player with the lowest card",
        "set dealer to (lowest of players' hand by value)'s owner",
    ),
    ("turn", "the player with the biggest hand discards 2 cards", BIGGEST_HAND),
    (
        "turn",
        "steal a random card from any opponent",
        "you choose rival from your others\n  take random of rival's hand to your hand",
    ),
    ("turn", "if a player has 0 points, they are out", "each player\n  if your points <= 0\n    eliminate you"),
    ("turn", "refill your hand to 5 cards", "draw top (5 - count of your hand) of deck to your hand"),
    ("turn", "discard 2 random cards", "discard random 2 of your hand to discards"),
    ("turn", "discard your whole hand", "discard your hand to discards"),
    ("turn", "play as many cards as you like", "you play any number from your hand to table"),
    ("turn", "you may play a card", "you may play 1 from your hand to table"),
    ("turn", "you get 2 points from the bank", "add 2 to your points"),
    ("turn", "pay 1 point", "subtract 1 from your points"),
    (
        "turn",
        "steal 1 point from another player",
        "you choose rival from your others\n  subtract 1 from rival's points\n  add 1 to your points",
    ),
    (
        "turn",
        "take a card from another player",
        "you choose rival from your others\n  take random of rival's hand to your hand",
    ),
    ("turn", "choose a player", "you choose rival from your others"),
    ("turn", "show your hand", "reveal your hand"),
    ("turn", "look at the top card of the deck", "reveal top of deck to you"),
    ("turn", "if you have no cards you win", "if your hand is empty\n  finish game"),
    (
        "turn",
        "if the deck is empty, shuffle the discards",
        "if deck is empty\n  move discards to deck\n  shuffle deck",
    ),
    (
        "turn",
        "put a card on the bottom of the deck",
        "you choose returned from your hand\n  place returned under deck",
    ),
    ("turn", "score 2 points for each card", "add 2 * count of your hand to your points"),
    (
        "turn",
        "draw 2 cards, then discard 1 card",
        "draw top 2 of deck to your hand\nyou discard 1 from your hand to discards",
    ),
    ("turn", "pick up the discard pile", "take discards to your hand"),
    ("turn", "clear the table", "move table to discards"),
    ("turn", "you are out", "eliminate you"),
    (
        "setup",
        "each player draws a card and discards a card",
        "each player\n  draw top of deck to your hand\n  you discard 1 from your hand to discards",
    ),
    ("setup", "highest card wins the trick", TRICK),
    ("setup", "end the game", "finish game"),
    ("top", "player with fewest points wins", "order standing of player\n  lower points"),
    ("top", "first player to 10 points wins", "whenever any player has points >= 10\n  finish game"),
    ("top", "the game ends when the deck is empty", "whenever deck is empty\n  finish game"),
    ("top", "each player has 3 lives", "number your lives starts at 3"),
    ("top", "hand size: 5", "define hand-size as 5"),
    ("turn", "if you have no cards draw five cards", "if your hand is empty\n  draw top 5 of deck to your hand"),
    ("turn", "draw a card when your hand is empty", "if your hand is empty\n  draw top of deck to your hand"),
    ("turn", "put the top card of the deck on the discard pile", "place top of deck to discards"),
    ("turn", "flip over the top card of the draw pile", "turn top of deck to table"),
    ("turn", "place a card on the table", "you place 1 from your hand to table"),
    ("turn", "remove two cards from your hand", "you remove 2 from your hand to discards"),
    (
        "turn",
        "place your card under the deck",
        "you choose returned from your hand\n  place returned under deck",
    ),
    ("turn", "show your hand to the player on your right", "reveal your hand to your right"),
    ("turn", "return your hand to the deck and shuffle", "return your hand to deck\nshuffle deck"),
    ("turn", "take all the cards from the middle", "take table to your hand"),
    ("turn", "highest card takes the trick", TRICK),
    ("setup", "mix the cards", "shuffle deck"),
    ("turn", "score thirteen points", "add 13 to your points"),
    ("setup", "Shuffle your library", "shuffle deck"),
    ("turn", "put down a card", "you place 1 from your hand to table"),
    ("turn", "put all your cards on the table", "place your hand to table"),
    ("turn", "the biggest number wins", "remember (highest of table by value)'s owner as winner"),
    ("setup", "everybody shows their cards", "each player\n  reveal your hand"),
    (
        "turn",
        "choose someone to take 2 cards",
        "you choose rival from your others\n  take top 2 of deck to rival's hand",
    ),
    (
        "turn",
        "burn a card and deal three cards to the table",
        "move top of deck to discards\ndeal top 3 of deck to table",
    ),
    ("turn", "you may discard an animal", "you may discard 1 from your hand to discards"),
    ("turn", "the lowest card loses a point", LOWEST_LOSES),
    ("turn", "if the top card is a 9, everyone discards a card", TOP_CARD_DISCARDS),
    ("turn", "swap one card with the table", SWAP_WITH_TABLE),
    ("turn", "play a 3 or a 4", "you play 1 from your hand where value = 3 or value = 4 to table"),
    ("turn", "draw the bottom card of the deck", "draw bottom of deck to your hand"),
    ("turn", "scry 2", "reveal top 2 of deck to you"),
    ("turn", "chuck a card", "you discard 1 from your hand to discards"),
    ("turn", "nick a point from someone", STOLEN_POINT),
    ("turn", "gather up the cards and shuffle", "move Pack to deck\nshuffle deck"),
    ("turn", "discard your hand and draw that many cards", SAME_NUMBER),
    ("turn", "discard any number of cards to gain that many points", POINTS_FOR_CARDS),
    ("turn", "return a card from the graveyard to your hand", "you return 1 from discards to your hand"),
    ("turn", "players reveal their cards at the same time", "each player\n  reveal your hand"),
    ("turn", "each player simultaneously chooses a card", "together each player\n  you choose chosen from your hand"),
    ("turn", "draw cards until you draw a 9", "repeat until (top of table)'s value = 9\n  turn top of deck to table"),
    ("turn", "score 2 points for each 9 you have", "add 2 * count of (your hand where value = 9) to your points"),
    ("turn", "take 2 points or 1 card", CHOICE_OF_TWO),
    (
        "turn",
        "refresh the table",
        "remember count of table as size\nmove table to discards\ndeal top size of deck to table",
    ),
    ("turn", "fill the table with four cards", "deal top 4 of deck to table"),
    ("turn", "discard the leftmost card of the table", "discard bottom of table to discards"),
    ("turn", "hand your cards to the person on your left", "move your hand to your left's hand"),
    ("turn", "choose an opponent; they give you a card", GIFT),
    ("turn", "if you have more cards than each opponent, gain 2 points", MORE_CARDS),
    ("turn", "in turn order, each player takes a card", "each player\n  take top of deck to your hand"),
    ("turn", "turn over the first card", "turn top of deck to table"),
    ("turn", "show down", "reveal your hand"),
    ("turn", "put two cards under the deck", "you choose 2 returned from your hand\n  place returned under deck"),
    ("turn", "on a tie, both cards are discarded", TIED_CARDS),
    ("turn", "deal three community cards face up", "deal top 3 of deck to table"),
    ("turn", "draw up to 3 cards", "you choose amount from 0 to 3\n  draw top amount of deck to your hand"),
    ("turn", "you may draw 2 cards", "you may draw 2 from top 2 of deck to your hand"),
    ("turn", "look at an opponent's hand and choose a card", SEEN_CARD),
    ("turn", "add up the cards left in your hand", "add total of your hand's value to your points"),
    ("turn", "knock if your deadwood is 10 or less", KNOCK),
    ("turn", "hide one card under the pile", "you choose returned from your hand\n  place returned under discards"),
]


@pytest.mark.parametrize(("where", "said", "meant"), SPOKEN, ids=[said for _, said, _ in SPOKEN])
def test_suggested_lines_load(where: str, said: str, meant: str) -> None:
    margin = {"setup": "  ", "turn": "    ", "top": ""}[where]
    lines = {"setup": DEAL, "turn": PLAY}
    text = GAME.format(**{**lines, where: said}) + (f"{said}\n" if where == "top" else "")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    (found,) = caught.value.diagnostics
    assert found.code == "E114" and found.span.text == said
    assert re.findall(r"`([^`]+)`", found.message)[:-1] == [line.strip() for line in meant.split("\n")]
    indented = meant.replace("\n", f"\n{margin}")
    cardlang.loads(text.replace(f"{margin}{said}\n", f"{margin}{indented}\n") + "\n".join(declared_lines(found)))


def declared_lines(found: Diagnostic) -> list[str]:
    """Return the declarations that a hint asks for."""
    return re.findall("`([^`]+)`", found.hint.partition("declare ")[2].partition(". ")[0])


LINES = Path(__file__).with_name("everyday_lines.txt").read_text("utf-8").splitlines()
LINE_PARTS = re.compile(r"`([^`]+)`|(, and indented below it )|(, then )|( \(below it )|(\))")
STARTS = """\
game "Everyday" for 2 to 4 players
ordered kind Value: 1 to 13
kind Suit: Clubs, Diamonds, Hearts, Spades
cards Pack in deck
  1 of each Value, Suit
zone deck seen by nobody
zone your hand seen by owner
zone table
zone discards
number your points
number your coins starts at 5
define your score as points
step setup
  shuffle deck
  each player
    deal top 6 of deck to your hand
step play
  each player
    you play 1 from your hand to table
    SAID
"""


def read_cure(text: str) -> list[str]:
    """Return the lines that a message asks for, indented."""
    lines, depth = [], 0
    for line, block, then, inner, end in LINE_PARTS.findall(text):
        depth = 1 if block else 0 if then else depth + bool(inner) - bool(end)
        lines.extend([BLOCK * depth + line] if line else [])
    return lines


@pytest.mark.parametrize("said", LINES)
def test_every_cure_loads_in_its_place(said: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(STARTS.replace("SAID", said))
    found = caught.value.diagnostics[0]
    cure = re.match("Write (.*?),? instead of `", found.message)
    belongs = re.search("here, write (.*?)(?:[.;] |$)", found.hint) if "at the left edge" in found.message else None
    if cure:
        replacement = "\n    ".join(read_cure(cure[1]))
        cardlang.loads("\n".join([STARTS.replace("SAID", replacement), *declared_lines(found)]))
    elif belongs:
        lines = [STARTS.replace("SAID", "add 1 to your points"), *read_cure(belongs[1]), *declared_lines(found)]
        cardlang.loads("\n".join(lines))
    assert cure or found.hint


ADVICE = [
    ("turn", "end the turn", "`step your turn`"),
    ("turn", "round ends when a player has no cards", "`repeat until any player has hand is empty`"),
    ("turn", "if you play a nine, skip the next player", "`if (top of table)'s value = 9`"),
    ("turn", "if you guess right, gain 2 points", "What follows is `add 2 to your points`"),
    ("turn", "each nine you win is worth 3 points", "`3 when value = 9`"),
    ("turn", "if void, play any card", "`if …`, and indented below it `you play 1 from your hand to table`"),
    ("turn", "count up your victory points", "define your score as total of"),
    ("turn", "score 10 points for going out", "where the rules say “going out”"),
    ("turn", "slide the remaining cards down", "close up by themselves"),
    ("setup", "reshuffle and deal again", "`step deal`"),
    ("top", "ties are friendly", "share their place by themselves"),
    ("turn", "the big blind is 2 chips", "use betting"),
    ("turn", "ante 2 chips", "`number your chips` and `number pot`"),
    ("turn", "roll 1 die", "set your roll to random of Die"),
    ("turn", "flip a coin", "set flip to random of Coin"),
    ("turn", "take another turn", "repeat until not your again"),
    ("turn", "you get another go", "repeat until not your again"),
    ("top", "we play three times", "repeat until round = 3"),
    ("turn", "you gain 3 gold", "number your gold"),
    ("turn", "pass", "you may"),
    ("turn", "next round", "repeat until"),
    ("turn", "add up the points", "define your score as total of"),
    ("turn", "gain 2 coins", "number your coins"),
    ("turn", "go to the next round", "repeat until"),
    ("turn", "pass the turn to the next player", "each player"),
    ("turn", "first player to 10 points wins", "write `whenever any player has points >= 10`"),
    ("top", "player with most points wins", "highest score"),
    ("top", "2 to 4 players", "for 2 to 4 players"),
    ("top", "the game ends after 3 rounds", "repeat until round = 3"),
    ("top", "a hand has 5 cards", "deal top 5 of deck to your hand"),
    ("turn", "the winner takes all cards on the table", "take table to winner's hand"),
    ("turn", "deal 3 damage to target player", "subtract 3 from rival's lives"),
    ("turn", "pay one energy to draw a card", "option draw costs 1 energy"),
    ("turn", "otherwise play a card", "`otherwise`, and indented below it `you play 1 from your hand to table`"),
    ("turn", "a player with one card left must say uno", "in quotes"),
    ("setup", "deal 7 cards to each player and put the rest in the middle", "stay in `deck`"),
    ("turn", "take turns going clockwise", "clockwise by itself"),
    ("turn", "everyone passes their hand to the right", "`zone your passing seen by nobody`"),
    ("turn", "play 5 rounds", "repeat until round = 5"),
    ("turn", "each player says how many points they will bid", "`you choose amount from 0 to your points`"),
    ("turn", "trash a card from your hand", "`you remove 1 from your hand to trash`"),
    ("turn", "the chosen card goes to the discard pile", "`place chosen to discards`"),
    ("turn", "on a 4+, the test succeeds", "if your roll >= 4"),
    ("turn", "split the pot between tied hands", "whole of (pot / count of tied)"),
    ("turn", "if all players pass, redeal", "`do deal`"),
    ("turn", "the dealer draws until 17 or more", "repeat until total of dealer's hand's value >= 17"),
    ("turn", "reveal your hand if challenged", "“Bluff and call a bluff”"),
    ("turn", "each nine taken scores 2 points", "2 * count of (your area where value = 9)"),
    ("turn", "sort your hand by suit", "Delete this line"),
    ("turn", "revoking costs your side 3 tricks", "Delete this line"),
    ("turn", "the player to the dealer's left leads the first trick", "each player from dealer's left"),
    ("turn", "whoever loses the round deals next", "`set dealer to loser`"),
    ("turn", "penalty tokens are worth -2 points at game end", "- 2 * tokens"),
    ("turn", "nines are worth 2 points", "`2 when value = 9`"),
    ("turn", "if everyone else folds, you win the pot", "(players where not folded) = 1"),
    ("turn", "burn a card before each deal", "before the deal"),
    ("turn", "use a standard 52 card deck", "`use pack`"),
]


@pytest.mark.parametrize(("where", "said", "cure"), ADVICE, ids=[said for _, said, _ in ADVICE])
def test_multi_place_suggestion_says_where(where: str, said: str, cure: str) -> None:
    text = GAME.format(**{"setup": DEAL, "turn": PLAY, where: said}) + (f"{said}\n" if where == "top" else "")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    (found,) = caught.value.diagnostics
    assert found.code == "E114" and found.span.text == said and cure in f"{found.message} {found.hint}"


NEIGHBOURS = [
    ("turn", "you look at top of deck", "reveal top of deck to you"),
    ("turn", "you bid depth from 1 to 5", "you choose depth from 1 to 5"),
    ("turn", "take 1 point from your left", "subtract 1 from your left's points\nadd 1 to your points"),
    ("setup", "each player bids 1 to 5 coins", "each player\n  you choose bid from 1 to 5"),
    ("top", "define winner as player with most points", "define winners as all highest of players by points"),
]


@pytest.mark.parametrize(("where", "said", "meant"), NEIGHBOURS, ids=[said for _, said, _ in NEIGHBOURS])
def test_bids_looks_and_neighbours_have_a_fix(where: str, said: str, meant: str) -> None:
    test_suggested_lines_load(where, said, meant)


@pytest.mark.parametrize("said", ["repeat 3 times", "3 times", "repeat three times"])
def test_counted_loop_suggestion_runs_for_each_player(said: str) -> None:
    text = GAME.format(setup=DEAL, turn=f"{said}\n      draw top of deck to your hand")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    (found,) = caught.value.diagnostics
    cured = text.replace(said, re.findall(r"`(repeat at most [^`]+)`", found.message)[0])
    assert hands(play_suggestion(cardlang.loads(cured).start(3, 1))) == [9] * 3


CASES = {
    "define your bonus as points + 3 if you have the most points": [3, 0, 0],
    "define your bonus as 3 if points > 3": [0, 0, 0],
    "define your bonus as if points > 3 then 3 else 1": [1, 1, 1],
}


@pytest.mark.parametrize("said", CASES)
def test_cases_on_one_line_become_a_block(said: str) -> None:
    text = GAME.format(setup=DEAL, turn="add your bonus to your points")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(f"{text}{said}\n")
    (found,) = caught.value.diagnostics
    head, case, other = re.findall(r"`([^`]+)`", found.hint)
    match = play_suggestion(cardlang.loads(f"{text}{head}\n  {case}\n  {other}\n").start(3, 1))
    assert [int(score) for score in match.scores] == CASES[said]


CHOICE = "you may choose one\n{0}  option dive\n{0}    draw top of deck to your hand\n"


@pytest.mark.parametrize("deeper", ["", "  "], ids=["below the choice", "below the options"])
@pytest.mark.parametrize("word", ["otherwise if points > 3", "elif points > 3"])
def test_otherwise_if_below_a_choice_has_no_if(deeper: str, word: str) -> None:
    pass_on = f"    {deeper}{word}\n    {deeper}  subtract 1 from your points"
    text = GAME.format(setup=DEAL, turn=f"{CHOICE.format('    ')}{pass_on}")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    (found,) = caught.value.diagnostics
    assert found.code == "E116" and "has no `if`" in found.message
    cardlang.loads(text.replace(pass_on, "    otherwise\n      subtract 1 from your points"))


def test_otherwise_below_the_options_belongs_below_the_choice() -> None:
    text = GAME.format(setup=DEAL, turn=f"{CHOICE.format('    ')}      otherwise\n        subtract 1 from your points")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    (found,) = caught.value.diagnostics
    assert found.hint == "Start it at column 5."


def test_orphan_otherwise_if_says_where_it_goes() -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=DEAL, turn="otherwise if deck is empty\n      add 1 to your points"))
    (found,) = caught.value.diagnostics
    assert found.code == "E116" and "right after the block of its `if`" in found.hint


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("when deck is empty\n      add 1 to your points", "if deck is empty\n      add 1 to your points"),
        ("draw top of deck to your hand “a card”", 'draw top of deck to your hand "a card"'),
        ("if deck is empty\n      add 1 to your points\n    else\n      add 2 to your points", ""),
    ],
)
def test_specific_fix_has_no_general_hint(said: str, meant: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=DEAL, turn=said))
    (found,) = caught.value.diagnostics
    assert found.code == "E114" and not found.hint
    cardlang.loads(GAME.format(setup=DEAL, turn=meant or said.replace("else", "otherwise")))


def test_face_down_move_names_the_zone_to_hide() -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=DEAL, turn=f"{PLAY} face down"))
    (found,) = caught.value.diagnostics
    assert "`seen by nobody`" in found.hint and "`table`" in found.hint


def test_your_at_the_table_suggests_each_player() -> None:
    text = GAME.format(setup="add 1 to your points", turn=PLAY) + "player leader starts at random of players\n"
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    (found,) = caught.value.diagnostics
    above, instead = re.findall(r"`([^`]+)`", found.hint)
    assert found.code == "E228" and "where" not in found.hint
    cardlang.loads(text.replace("  add 1 to your", f"  {above}\n    add 1 to your"))
    cardlang.loads(text.replace("add 1 to your points", f"add 1 to {instead}"))


HEADS = {
    "if the deck runs out": "if deck is empty",
    "keep going until the deck is empty": "repeat until deck is empty",
    "when a player has no cards left": "if any player has hand is empty",
}


@pytest.mark.parametrize("said", HEADS)
def test_condition_in_plain_english_keeps_its_block(said: str) -> None:
    text = GAME.format(setup=DEAL, turn=f"{said}\n      add 1 to your points")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    (found,) = caught.value.diagnostics
    assert found.message == f"Write `{HEADS[said]}` instead of `{said}`."
    cardlang.loads(text.replace(said, HEADS[said]))


IN_COOKBOOK = {
    "Add a trump suit": ["the trick is won by the highest trump", "the dealer turns up the next card as trump"],
    "Ask another player for a card": ["ask another player for a card", "ask a player for all their sevens"],
    "Auction a card: one bid each": ["the highest bidder gets the card"],
    "Break ties": ["the tiebreaker is the number of cards"],
    "Buy cards from a market": ["buy a card from the market"],
    "Deal all the cards": ["the dealer shuffles and deals"],
    "Decide who starts": ["the youngest player starts"],
    "Eliminate a player": ["the loser is eliminated"],
    "Give players hidden roles": ["give every player a secret role"],
    "Guess a hidden card": ["guess the next card", "name a card"],
    "Guess red or black": ["guess the color of the next card"],
    "Let all players choose at the same time": [
        "all cards are revealed simultaneously",
        "all players secretly pick a card",
    ],
    "Let players bid in secret": ["players bid in turn"],
    "Look at the top three cards and keep one": ["keep one card and discard the rest"],
    "Make players follow suit": ["the winner leads", "you must follow suit"],
    "Match the last card": ["match a card by suit or number"],
    "Pay coins to another player": ["pay coins to another player"],
    "Put counters on cards": ["put a token on the card", "put a coin on this card"],
    "Refill the market": ["the market is refilled from the deck"],
    "Remove some cards before the game": ["remove all jokers from the deck"],
    "Reverse the direction of play": ["reverse the order of play"],
    "Score pairs and three of a kind": ["score 1 point for each pair", "a set of three scores 5 points"],
    "Skip a player's turn": ["skip your turn", "a seven skips the next player"],
    "Trade cards with another player": ["trade a card with another player", "players exchange one card"],
    "Use wild cards and jokers": ["jokers are wild"],
    "Bluff and call a bluff": ["call someone's bluff", "the next player may call your bluff"],
    "Push your luck": ["take another card or stop", "keep flipping cards until you decide to stop"],
    "Vote": ["each player votes on the proposal"],
    'React to another player: "Stop that!"': ["counter target spell"],
    "Move a pawn on a track": ["advance to go"],
    "Give a card an effect": ["play a card and do what it says", "when you play this card, gain 2 gold"],
    "Put down sets and runs": ["a run is 3 or more cards in sequence, same suit"],
    "Trigger an effect when a card arrives": ["whenever an opponent discards a card, gain 1 gold"],
    "Score every group of cards that adds up": ["count pairs, runs and fifteens"],
    "Roll two dice: sums and doubles": ["if you roll doubles, roll again"],
    "Compare cards: the highest card wins": ["compare cards and the higher card wins"],
    "Compare the rolls of the players": ["the higher roll attacks"],
    "Keep players who pass out of the auction": [
        "the bidding ends after three passes",
        "once you pass you cannot bid again",
    ],
    "Count an ace as 1 or 11": ["aces count as 1 or 11"],
    "Let secret roles act at night": ["at night the wolves choose one player"],
    "Name the next suit": ["whoever plays an eight names the next suit"],
    "Discard pairs": ["discard all pairs"],
    "Choose the dealer": ["cut the deck to pick the dealer"],
    "Pay only what you have": ["you can never owe money"],
    "Roll some of your dice again": ["roll 5 dice and set aside any sixes"],
    "Draw a random event": ["flip the top event card and resolve its effect"],
}


@pytest.mark.parametrize(("said", "heading"), [(said, name) for name, lines in IN_COOKBOOK.items() for said in lines])
def test_unknown_sentence_suggests_the_cookbook(said: str, heading: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=DEAL, turn=said))
    found = caught.value.diagnostics[0]
    assert f"“{heading}”" in found.hint
    name = re.search(r'`cardlang explain "(.+?)"`', found.hint)
    assert name is not None and f"“{cookbook_search.search_cookbook(name[1])[0].heading}”" in found.hint


def test_cookbook_entries_are_found_by_heading() -> None:
    for entry in cookbook_search.load_cookbook_index().phrases:
        assert (
            cookbook_search.search_cookbook(entry.heading)[0]
            == entry
            == cookbook_search.search_cookbook(cookbook_search.shorten_heading(entry))[0]
        )


def test_topics_are_headings_of_the_cookbook() -> None:
    headings = {entry.heading for entry in cookbook_search.load_cookbook_index().phrases}
    assert {heading for _, heading in read_pairs("topics")} <= headings


NEAREST = {
    "Add a trump suit": "the highest trump wins, otherwise the highest card of the suit led",
    "Decide who starts": "the player left of the dealer makes the opening lead",
    "Give each player several actions per turn": "on your turn, take two actions",
    "Make players follow suit": "the player with the biggest card gets all the cards",
    "Pass cards to the left": "Pass clockwise",
    "Reveal a card to all players": "Uncover a card",
}


@pytest.mark.parametrize("heading", NEAREST)
def test_vague_sentence_names_the_nearest_entries(heading: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=DEAL, turn=NEAREST[heading]))
    found = caught.value.diagnostics[0]
    headings = re.findall("“(.+?)”", found.hint)
    assert heading in headings and len(headings) <= 3 and found.message.endswith("is not a statement.")


SIMILAR = {
    "expose the dummy's hand": "reveal your hand",
    "peek at a card": "reveal top of deck to you",
    "lay down some remaining cards": "you place 1 from your hand to table",
    "deal out some cards": "draw top of deck to your hand",
    "choose the worst of two cards": "you choose chosen from your hand",
}


@pytest.mark.parametrize("said", SIMILAR)
def test_similar_statement_of_a_sentence_loads(said: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=DEAL, turn=said))
    assert f"A similar line is `{SIMILAR[said].splitlines()[0]}`; " in caught.value.diagnostics[0].hint
    cardlang.loads(GAME.format(setup=DEAL, turn=SIMILAR[said]))


@pytest.mark.parametrize(
    "typo", ["you plya 1 form your hand to table", "yu play 1 from yur hand to table", "frobnicate it"]
)
def test_typo_does_not_suggest_the_cookbook(typo: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME.format(setup=DEAL, turn=typo))
    assert "cookbook" not in caught.value.diagnostics[0].hint


@pytest.mark.parametrize(
    "said", ["if your hand is empty then next, draw it", "first if deck is empty then", "at end of turn"]
)
def test_no_sentence_causes_a_traceback(said: str) -> None:
    with pytest.raises(cardlang.GameError):
        cardlang.loads(GAME.format(setup=DEAL, turn=said))


@pytest.mark.parametrize("values", ["for1 to 4", "to to 9", "Low, one to 9"])
def test_names_are_guessed_although_a_kind_is_faulty(values: str) -> None:
    text = GAME.replace("1 to 36", values).format(setup=SIX, turn="you discard the highest card")
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    assert 2 in {each.span.line for each in caught.value.diagnostics}
