"""Card codes written twice in a list mean two cards."""

from itertools import combinations

import pytest

import cardlang
from interpreter.gametree.hand_value_odds import count_values
from tests.errors import find_codes
from tests.game_files import read_game

GAME = read_game("copies")
GAME = GAME.replace("  deal top 2 of deck to your hand\n", "  each player\n    deal top 2 of deck to your hand\n")
EXAMPLE = """\
example "Twice" with Ann, Bob
  given
    Ann: hand [2h 3h X X]
    [X X]: ripe yes
"""


def outcome(*lines: str) -> str:
    game = cardlang.loads(GAME + EXAMPLE + "".join(f"  {line}\n" for line in lines))
    result = game.examples[0].run()
    return "" if result.passed else result.message


@pytest.mark.parametrize(
    "condition",
    [
        '(Meld of [2h 3h X X])\'s title = "Run" and (Meld of [2h X X])\'s title = "Run"',
        "count of (Meld of [2h 2h])'s used = 2 and [2h 2h] is Meld and [2h 2h X] is Meld",
        '(Meld of ([2h], [X], [X]))\'s title = "Run" and ([2h], [2h]) is Meld',
        "(Meld of ([2h 4h], [X X]))'s wilds = 2 and count of (Meld of ([X], [X], [4h]))'s used = 3",
        "Ann's hand = [2h 3h X X] and Ann's hand != [2h 3h X] and count of [X X] = 2",
        "[X X]'s ripe = (yes, yes) and every card in [X X] has ripe",
        "(Meld of (Ann's hand, [4h]))'s title = \"Run\"",
        "total of [2h 2h]'s rank = 2 * total of [2h]'s rank",
    ],
)
def test_repeated_codes_in_expectations(condition: str) -> None:
    assert outcome(f"expect {condition}") == ""


def test_code_next_to_a_zone_is_another_copy() -> None:
    assert outcome("given", "  Ann: hand [2h X]", "expect (Meld of (Ann's hand, [X]))'s wilds = 2") == ""
    assert outcome("given", "  Ann: hand [2h X]", "expect (Meld of ([X], Ann's hand))'s wilds = 2") == ""


def test_repeated_codes_move_all_copies() -> None:
    lines = ["given", "  Ann: hand [2h 2h 3h]", "do trade", "expect Ann may play [2h 2h]", "Ann: play [2h 2h]"]
    assert outcome(*lines, "expect table = [X X 2h 2h]") == ""


def test_repeated_codes_in_an_evaluated_hand() -> None:
    game = cardlang.loads(GAME)
    assert game.evaluate("found", hand="2h 3h X X").title == "Run"
    assert game.evaluate("found", given="hand [2h 2h X]").title == "Set"
    assert game.evaluate("with-a-joker", hand="2h X").title == "Run"
    with pytest.raises(ValueError, match="only 2"):
        game.evaluate("found", hand="X X X")


def test_repeated_codes_in_given_odds() -> None:
    """Two jokers are there, and two cards are dealt from 20: told by trying all pairs."""
    game = cardlang.loads(GAME)
    counts = count_values(game, "found", given="hand [X X]", cards="hand 2").counts
    codes = [face.code for face in game.faces if face.set == "Pack" for _ in range(face.copies)]
    found = [game.evaluate("found", hand=f"X X {one} {two}") for one, two in combinations(codes, 2)]
    tried = [reading and reading.title for reading in found]
    assert dict(counts) == {title: tried.count(title) for title in counts} and sum(counts.values()) == 190


def test_too_many_copies_of_a_code_are_rejected() -> None:
    with pytest.raises(cardlang.GameError) as error:
        outcome("expect count of (Meld of [2h X X X])'s used = 4")
    (finding,) = error.value.diagnostics
    assert finding.code == "E208" and finding.message == "The game has 2 of `X`, but this list has 3."


def test_single_code_of_several_copies_is_ambiguous() -> None:
    assert find_codes(GAME.replace("move [X X] to table", "move [X] to table")) == ["E242"]
