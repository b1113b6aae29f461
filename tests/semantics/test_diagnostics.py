"""Each mistake gives one message, at the exact words."""

import pytest

import cardlang
from tests.semantics.mini import error, errors, findings

ONE = {
    # names
    "define x as count of talbe": ("E201", "talbe"),
    "define x as count of hand": ("E201", "hand"),
    "define your x as hand where siut = Clubs": ("E201", "siut"),
    "define x as leader's hnad": ("E202", "hnad"),
    "define x as leader's deck": ("E202", "deck"),
    "define x as leader's suit": ("E202", "suit"),
    "define Siut's x as 3": ("E203", "Siut"),
    "Suti x": ("E203", "Suti"),
    "cards More in dekc\n  1 of each Rank, Rank": ("E204", "dekc"),
    "step a\n  do trun": ("E205", "trun"),
    "number your y starts each ruond at 3": ("E205", "ruond"),
    "use bettin": ("E206", "bettin"),
    "define x as [Zz]": ("E208", "Zz"),
    "reaction r\n  to foo": ("E209", "foo"),
    # together
    "step a\n  together each player\n    shuffle deck": ("E214", "shuffle deck"),
    "step a\n  together each player\n    you play 1 from your hand to deck\n    shuffle deck": ("E214", "shuffle deck"),
    "step a\n  together each Suit\n    shuffle deck": ("E214", "shuffle deck"),
    # what is chosen together
    "step a\n  together each player\n    you choose one\n      option x\n"
    "        you may draw 1 from deck to your hand": (
        "E305",
        "you may draw 1 from deck to your hand",
    ),
    "step a\n  together each player\n    you may choose n from 1 to 3\n      do your turn": (
        "E305",
        "you play 1 from your playable to table",
    ),
    "step a\n  together each player\n    you put 1 from your hand to table\nwhenever card enters table\n"
    "  leader chooses rival from players": ("E305", "leader chooses rival from players"),
    "step a\n  together each player\n    you choose one\n      option x\n"
    "        announce theft\n          add 1 to your score": (
        "E305",
        "announce theft",
    ),
    # what can be chosen
    'step your b\n  you may choose word from ("red", "blue")': ("E226", '("red", "blue")'),
    "step your b\n  you choose 1 to 2 words from your hand's title": ("E226", "your hand's title"),
    "step your b\n  you choose hers from players' best": ("E226", "players' best"),
    "step your b\n  you choose one\n    option say with word from Suit's title": ("E226", "Suit's title"),
    "reaction r\n  to theft\n  with word from your hand's title\n  cancel\n"
    "step your b\n  announce theft\n    do your pay with 1": (
        "E226",
        "your hand's title",
    ),
    # declarations
    "define your hand as 3": ("E210", "hand"),
    "step round\n  shuffle deck": ("E210", "round"),
    "step your b\n  you choose one\n    option x\n    option x": ("E210", "x"),
    "cards Others in deck\n  1 of each Rank, Suit": ("E213", "1 of each Rank, Suit"),
    "define a as b + 1\ndefine b as c\ndefine c as a": ("E233", "a"),
    "step a\n  do b\nstep b\n  do a": ("E234", "do b"),
    "number your y starts each move at 3": ("E241", "move"),
    # types
    "define your x as hand where suit < 3": ("E220", "suit < 3"),
    "define your x as hand where rank = Clubs": ("E220", "rank = Clubs"),
    "define your x as best > 3": ("E220", "best > 3"),
    "define your x as hand where suit < Hearts": ("E221", "suit < Hearts"),
    "define x as highest of table": ("E221", "table"),
    "define your x as any player has score": ("E222", "score"),
    "define your x as count of score": ("E223", "score"),
    "step a\n  move leader to table": ("E223", "leader"),
    "define your x as hand = nothing": ("E224", "hand = nothing"),
    "define your x as hand + 1": ("E225", "hand"),
    "define your x as total of hand": ("E225", "hand"),
    "step a\n  set leader's score to leader": ("E226", "leader"),
    "define your x as hand is Pack": ("E226", "hand"),
    "define x as highest of players by strength": ("E226", "strength"),
    "step a\n  do leader's pay with 1, 2": ("E227", "2"),
    "step a\n  do turn": ("E227", "turn"),
    "step a\n  do leader's round": ("E227", "round"),
    "define x as your hand": ("E228", "your hand"),
    "define x as it": ("E229", "it"),
    "step a\n  remember that Suit as s": ("E230", "that Suit"),
    "define your x as\n  1 when out\n  Clubs when score = 3\n  otherwise 2": ("E231", "Clubs"),
    "define your x as score / tricks": ("E232", "tricks"),
    "define your x as score / 0": ("E232", "0"),
    "define x as first of table ranked by strength": ("E236", "first of table ranked by strength"),
    "step a\n  set players' score to 0": ("E237", "players' score"),
    "step your b\n  you choose one\n    option x costs 1 trciks": ("E237", "trciks"),
    'cards More in deck with power\n  1 of "A" (A), 2, 3': ("E238", '1 of "A" (A), 2, 3'),
    "order best-hand of player\n  higher hand's rank": ("E240", "hand's rank"),
    "define x as [Jo]'s owner": ("E242", "[Jo]"),
    "step a\n  move [Jo] to table": ("E242", "[Jo]"),
    'ranking R of 3 cards\n  "X"\n    2 Jokers of one suit': ("E202", "suit"),
    'ranking R of 3 cards\n  "X"\n    2 Pack of consecutive suit': ("E221", "suit"),
    "kind Long: 1 to 99999": ("E239", "1 to 99999"),
    "kind Long: 1 to 900, 1001 to 1900": ("E239", "Long"),
    "kind Big: Suit, Clubs": ("E210", "Clubs"),
}


@pytest.mark.parametrize("addition", ONE, ids=lambda text: text.split("\n")[-1].strip())
def test_each_mistake_gives_one_message(addition: str) -> None:
    assert findings(addition + "\n") == [ONE[addition]]


def test_consequences_of_an_error_are_silent() -> None:
    addition = "define a as count of talbe\ndefine b as a + 1\nstep c\n  set leader's score to b * 2\n"
    assert findings(addition) == [("E201", "talbe")]


def test_broken_declaration_still_declares_its_name() -> None:
    assert findings("Suti mark\nstep a\n  set mark to Hearts\n") == [("E203", "Suti")]


@pytest.mark.parametrize(
    ("addition", "hint"),
    [
        ("define x as count of talbe\n", "Did you mean `table`?"),
        (
            "define x as count of hand\n",
            "Say whose: `your hand` or `leader's hand`. If you use `your`, start the definition with `define your x`.",
        ),
        ("define x as leader's deck\n", "It belongs to the table. Write `deck`."),
        ("define your x as hand where suit < 3\n", "The values of Suit are Clubs, Hearts."),
        ("define x as first of table ranked by strength\n", "Write `first of (table ranked by strength)`."),
        ("step a\n  do turn\n", "Write `do your turn`, or `do dealer's turn`."),
    ],
)
def test_hint_names_the_fix(addition: str, hint: str) -> None:
    assert error(addition).hint == hint


def test_similar_name_points_to_its_declaration() -> None:
    ((span, words),) = error("define x as count of talbe\n").related
    assert (span.line, span.text, words) == (12, "table", "`table` is declared here")


def test_duplicate_name_shows_both_places() -> None:
    found = error("define your hand as 3\n")
    assert [span.line for span, _ in found.related] == [13]


def test_duplicate_card_code_shows_both_places() -> None:
    found = error('cards More in deck\n  1 of "Joke" (Jo)\n')
    assert (found.code, found.span.text, found.related[0][0].text) == ("E213", "Jo", "Jo")


def test_definition_cycle_names_its_members() -> None:
    found = error("define a as b + 1\ndefine b as c\ndefine c as a\n")
    assert all(f"`{name}`" in found.message for name in "abc")


@pytest.mark.parametrize(
    ("addition", "new"),
    [
        ("", "count of (table where ready) > 0"),
        ("define card's near as ready\n", "count of (table where near) > 0"),
    ],
)
def test_card_definitions_reject_cycles(addition: str, new: str) -> None:
    """Nor by way of a definition of the game, or of other cards: it would have no end."""
    assert findings(addition, "your hand is not empty", new) == [("E233", new)]


@pytest.mark.parametrize(
    "addition",
    [
        "define best-card as highest of table by dearness\norder dearness of card\n  highest when it = best-card\n",
        "define top-pair as Mates of table\nranking Mates of 2 cards\n"
        '  "Mates"\n    2 Pack where (top-pair = nothing)\n',
    ],
)
def test_cycles_through_orders_and_rankings_are_found(addition: str) -> None:
    assert [found.code for found in errors(addition)] == ["E233"]


def test_long_definition_chain_is_allowed() -> None:
    chain = "".join(f"define d{i} as d{i + 1} + 1\n" for i in range(90))
    assert errors(chain + "define d90 as 1\n") == []


def test_extreme_definition_chain_is_rejected() -> None:
    chain = "".join(f"define d{i} as d{i + 1} + 1\n" for i in range(2000))
    assert [found.code for found in errors(chain + "define d2000 as 1\n")] == ["E122"]


def test_finish_needs_a_running_step() -> None:
    assert findings("", "  shuffle deck\n", "  shuffle deck\n  finish turn\n") == [("E235", "finish turn")]
    assert findings("", "  you play 1 from", "  finish round\n  you play 1 from") == []


def test_game_needs_play_and_a_score() -> None:
    assert [code for code, _ in findings("", "step play", "step game-play")] == ["E216"]
    codes = [code for code, _ in findings("", "number your score", "number your points")]
    assert codes == ["E217", "E202"]


@pytest.mark.parametrize("word", ["Trump", "spades", "Spades"])
def test_dissimilar_names_are_not_suggested(word: str) -> None:
    found = error(f"define x as table where suit = {word}\n")
    assert found.hint == ("Did you mean `trump`?" if word == "Trump" else "")


@pytest.mark.parametrize("seats", ["0 to 3", "2 to 27", "2, 4 or 21", "5000000", "7 to 2"])
def test_invalid_player_count_is_one_error(seats: str) -> None:
    text = (
        f'game "Long Table" for {seats} players\nnumber your score\nstep play\n  each player\n    add 1 to your score\n'
    )
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text + 'example "One" with Ann, Bob\n  do play\n')
    assert [(found.code, found.span.line) for found in caught.value.diagnostics] == [("E244", 1)]
