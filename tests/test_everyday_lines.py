"""Everyday English: the suggested line compiles, and does what the English says."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

import cardlang
from cardlang.diagnostics import Diagnostic, cookbook_search
from cardlang.syntax.recovery.sentence_translation import BLOCK, read_pairs
from tests.errors import find_diagnostics, find_error
from tests.game_files import read_game

GAME = read_game("everyday")
DEAL = "each player\n    deal top 6 of deck to your hand"
PLAY = "you play 1 from your hand to table"
EVERYDAY = Path(__file__).with_name("everyday")
LINES = (EVERYDAY / "lines.txt").read_text("utf-8").splitlines()
CASE_BLOCK = re.compile(r"((?:\S.*\n)+)((?: .*\n)+)")


def read_cases(name: str) -> list[tuple[str, str, str]]:
    """Return the rows of a table: the place of each sentence, the sentence, and the text indented below it."""
    cases = []
    for sentences, expected in CASE_BLOCK.findall((EVERYDAY / f"{name}.txt").read_text("utf-8")):
        for where, _, said in (line.partition(": ") for line in sentences.splitlines()):
            cases.append((where, said, dedent(expected).rstrip("\n")))
    return cases


def say(where: str, said: str) -> str:
    """Return a game with a sentence in its setup, in a turn, or at the left edge (`top`)."""
    return GAME.format(**{"setup": DEAL, "turn": PLAY, where: said}) + (f"{said}\n" if where == "top" else "")


def hands(match: cardlang.Match) -> list[int]:
    return [len(match.view(None).zone("hand", player).cards) for player in match.players]


def play_first_moves(match: cardlang.Match) -> cardlang.Match:
    while match.decision is not None:
        match.choose(0)
    return match


def test_later_mistakes_are_found_in_the_same_run() -> None:
    text = GAME.format(setup="deal 6 cards to each player", turn="you plai 1 from your hand to table")
    assert [each.span.line for each in find_diagnostics(text)] == [13, 16]


@pytest.mark.parametrize(("where", "said", "meant"), read_cases("suggestions"))
def test_suggested_lines_load(where: str, said: str, meant: str) -> None:
    margin = {"setup": "  ", "turn": "    ", "top": ""}[where]
    text = say(where, said)
    found = find_error(text)
    assert found.code == "E114" and found.span.text == said
    assert re.findall(r"`([^`]+)`", found.message)[:-1] == [line.strip() for line in meant.split("\n")]
    indented = meant.replace("\n", f"\n{margin}")
    cardlang.loads(text.replace(f"{margin}{said}\n", f"{margin}{indented}\n") + "\n".join(declared_lines(found)))


def declared_lines(found: Diagnostic) -> list[str]:
    """Return the declarations that a hint asks for."""
    return re.findall("`([^`]+)`", found.hint.partition("declare ")[2].partition(". ")[0])


LINE_PARTS = re.compile(r"`([^`]+)`|(, and indented below it )|(, then )|( \(below it )|(\))")
STARTS = read_game("everyday_suits")


def read_cure(text: str) -> list[str]:
    """Return the lines that a message asks for, indented."""
    lines, depth = [], 0
    for line, block, then, inner, end in LINE_PARTS.findall(text):
        depth = 1 if block else 0 if then else depth + bool(inner) - bool(end)
        lines.extend([BLOCK * depth + line] if line else [])
    return lines


@pytest.mark.parametrize("said", LINES)
def test_every_cure_loads_in_its_place(said: str) -> None:
    found = find_diagnostics(STARTS.replace("SAID", said))[0]
    cure = re.match("Write (.*?),? instead of `", found.message)
    belongs = re.search("here, write (.*?)(?:[.;] |$)", found.hint) if "at the left edge" in found.message else None
    if cure:
        replacement = "\n    ".join(read_cure(cure[1]))
        cardlang.loads("\n".join([STARTS.replace("SAID", replacement), *declared_lines(found)]))
    elif belongs:
        lines = [STARTS.replace("SAID", "add 1 to your points"), *read_cure(belongs[1]), *declared_lines(found)]
        cardlang.loads("\n".join(lines))
    assert cure or found.hint


@pytest.mark.parametrize(("where", "said", "cure"), read_cases("advice"))
def test_multi_place_suggestion_says_where(where: str, said: str, cure: str) -> None:
    found = find_error(say(where, said))
    assert found.code == "E114" and found.span.text == said and cure in f"{found.message} {found.hint}"


@pytest.mark.parametrize("said", ["repeat 3 times", "3 times", "repeat three times"])
def test_counted_loop_suggestion_runs_for_each_player(said: str) -> None:
    text = say("turn", f"{said}\n      draw top of deck to your hand")
    found = find_error(text)
    cured = text.replace(said, re.findall(r"`(repeat up to [^`]+)`", found.message)[0])
    assert hands(play_first_moves(cardlang.loads(cured).start(3, 1))) == [9] * 3


CASES = {
    "define your bonus as points + 3 if you have the most points": [3, 0, 0],
    "define your bonus as 3 if points > 3": [0, 0, 0],
    "define your bonus as if points > 3 then 3 else 1": [1, 1, 1],
}


@pytest.mark.parametrize("said", CASES)
def test_cases_on_one_line_become_a_block(said: str) -> None:
    text = say("turn", "add your bonus to your points")
    found = find_error(f"{text}{said}\n")
    head, case, other = re.findall(r"`([^`]+)`", found.hint)
    match = play_first_moves(cardlang.loads(f"{text}{head}\n  {case}\n  {other}\n").start(3, 1))
    assert [int(score) for score in match.scores] == CASES[said]


CHOICE = "you may choose one\n{0}  option dive\n{0}    draw top of deck to your hand\n"


@pytest.mark.parametrize("deeper", ["", "  "], ids=["below the choice", "below the options"])
@pytest.mark.parametrize("word", ["otherwise if points > 3", "elif points > 3"])
def test_otherwise_if_below_a_choice_has_no_if(deeper: str, word: str) -> None:
    pass_on = f"    {deeper}{word}\n    {deeper}  subtract 1 from your points"
    text = say("turn", f"{CHOICE.format('    ')}{pass_on}")
    found = find_error(text)
    assert found.code == "E116" and "has no `if`" in found.message
    cardlang.loads(text.replace(pass_on, "    otherwise\n      subtract 1 from your points"))


def test_otherwise_below_the_options_belongs_below_the_choice() -> None:
    text = say("turn", f"{CHOICE.format('    ')}      otherwise\n        subtract 1 from your points")
    assert find_error(text).hint == "Start it at column 5."


def test_orphan_otherwise_if_says_where_it_goes() -> None:
    found = find_error(say("turn", "otherwise if deck is empty\n      add 1 to your points"))
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
    found = find_error(say("turn", said))
    assert found.code == "E114" and not found.hint
    cardlang.loads(say("turn", meant or said.replace("else", "otherwise")))


def test_face_down_move_names_the_zone_to_hide() -> None:
    found = find_error(say("turn", f"{PLAY} face down"))
    assert "`seen by nobody`" in found.hint and "`table`" in found.hint


def test_your_at_the_table_suggests_each_player() -> None:
    text = GAME.format(setup="add 1 to your points", turn=PLAY) + "player leader starts at random of players\n"
    found = find_error(text)
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
    text = say("turn", f"{said}\n      add 1 to your points")
    found = find_error(text)
    assert found.message == f"Write `{HEADS[said]}` instead of `{said}`."
    cardlang.loads(text.replace(said, HEADS[said]))


@pytest.mark.parametrize(("where", "said", "heading"), read_cases("cookbook_entries"))
def test_unknown_sentence_suggests_the_cookbook(where: str, said: str, heading: str) -> None:
    found = find_diagnostics(say(where, said))[0]
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
    found = find_diagnostics(say("turn", NEAREST[heading]))[0]
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
    assert f"A similar line is `{SIMILAR[said]}`; " in find_diagnostics(say("turn", said))[0].hint
    cardlang.loads(say("turn", SIMILAR[said]))


@pytest.mark.parametrize(
    "typo", ["you plya 1 form your hand to table", "yu play 1 from yur hand to table", "frobnicate it"]
)
def test_typo_does_not_suggest_the_cookbook(typo: str) -> None:
    assert "cookbook" not in find_diagnostics(say("turn", typo))[0].hint


@pytest.mark.parametrize(
    "said", ["if your hand is empty then next, draw it", "first if deck is empty then", "at end of turn"]
)
def test_no_sentence_causes_a_traceback(said: str) -> None:
    with pytest.raises(cardlang.GameError):
        cardlang.loads(say("turn", said))


@pytest.mark.parametrize("values", ["for1 to 4", "to to 9", "Low, one to 9"])
def test_names_are_guessed_although_a_kind_is_faulty(values: str) -> None:
    text = GAME.replace("1 to 36", values).format(setup=DEAL, turn="you discard the highest card")
    assert 2 in {each.span.line for each in find_diagnostics(text)}
