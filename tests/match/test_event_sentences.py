"""Event sentences: custom words for moves, numbers with nouns, no repetition."""

import pytest

import cardlang
from interpreter.narration.author_text import build_predicate
from tests.game_files import read_game

GAME = read_game("well")


def get_sentences(line: str, *moves: str, onlooker: str | None = "Bob") -> list[str]:
    """Return the viewer's log lines after the draws."""
    match = cardlang.loads(GAME.format(line=line.replace("\n", "\n    "))).start(2, seed=4)
    for move in moves:
        match.choose(move)
    log = [str(each) for each in match.view(onlooker).log]
    return log[next(place for place, each in enumerate(log) if each.startswith("Bob draws")) + 1 :]


@pytest.mark.parametrize(
    ("act", "done"),
    [
        ("end your turn", "ends their turn"),
        ("draw and discard", "draws and discards"),
        ("swap discards with Bob", "swaps discards with Bob"),
        ("go gin with 0", "goes gin with 0"),
        ("tell Bob about this and that", "tells Bob about this and that"),
        ("raise by 5 (pay 7)", "raises by 5"),
        ("pass", "passes"),
    ],
)
def test_imperatives_become_third_person(act: str, done: str) -> None:
    assert "".join(build_predicate((act,), (), None)) == done


def test_announced_actions_are_intentions() -> None:
    predicate = build_predicate(("draw and discard for ", ""), (("Bob",),), None, is_intended=True)
    assert "".join(predicate) == "wants to draw and discard for Bob"


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ('end-turn called "end your turn"', "Ann ends their turn."),
        ("sit-out", "Ann sits out."),
        ("raise with amount from 5 to 5", "Ann raises by 5."),
        ("ask with rival from your others, wanted from Value where it = 3", "Ann asks Bob for value 3."),
        ("alms", "Ann chooses “alms”."),
        ("alms with friend from your others", "Ann chooses “alms” with Bob."),
        ("show with chosen from your hand", "Ann shows a card."),
    ],
)
def test_option_is_logged_as_a_sentence(option: str, sentence: str) -> None:
    heard = get_sentences(f"you choose one\n  option {option}\n    add 1 to your score")
    assert heard == []
    match = cardlang.loads(GAME.format(line=f"you choose one\n      option {option}\n        add 1 to your score"))
    playing = match.start(2, seed=4)
    playing.choose(0)
    assert list(playing.view("Bob").log)[-2:] == [sentence, "Ann's score rises from 0 to 1."]


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("add 1 to your coins", ["Ann gets 1 coin and has 3.", "Bob gets 1 coin and has 3."]),
        ("subtract 1 from your coins", ["Ann is down from 2 to 1 coin.", "Bob is down from 2 to 1 coin."]),
        ("subtract 2 from your coins", ["Ann has no coins left.", "Bob has no coins left."]),
        ("subtract 1 from buckets", ["One bucket is left."]),
        ("add 1 to buckets", ["There are now five buckets."]),
        ("set drawer to you", ["Bob is the drawer now."]),
    ],
)  # fmt: skip
def test_changed_values_are_logged_with_nouns(line: str, sentences: list[str]) -> None:
    assert get_sentences(line)[: len(sentences)] == sentences


def test_repeated_changes_are_logged_once() -> None:
    """Two are added and one is taken away."""
    assert get_sentences("add 2 to your score\nsubtract 1 from your score")[0] == "Ann's score rises from 0 to 1."


def test_choice_and_move_are_logged_once() -> None:
    line = "you choose one\n  option discard with chosen from your hand\n    discard chosen to heap"
    match = cardlang.loads(GAME.format(line=line.replace("\n", "\n    "))).start(2, seed=4)
    match.choose(0)
    code = match.view(None).zone("heap").cards[0].code
    assert [each for each in match.view("Ann").log if "discards" in each] == [f"Ann discards [{code}]."]


def test_one_turn_is_logged_in_one_sentence() -> None:
    """The table tells it to Bob, who looks on, and to Ann herself."""
    line = "you choose one\n  option pause\ndraw top of deck to your hand\nyou discard 1 from your hand to heap"
    match = cardlang.loads(GAME.format(line=line.replace("\n", "\n    "))).start(2, seed=4)
    match.choose(0)
    match.choose(0)
    code = match.view(None).zone("heap").cards[0].code
    assert any(
        each.text == f"Ann draws a card from the deck and discards [{code}]." for each in match.table("Bob").since
    )
