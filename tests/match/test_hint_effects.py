"""Immediate effects of moves in hints: visible numbers, and cards gained."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from attrs import evolve

import cardlang
from interpreter.bots.candidate_moves import classify_card
from interpreter.bots.hint_samples import MatchSamples
from interpreter.bots.hint_text import MoveSummary
from interpreter.bots.hints import find_hint
from interpreter.bots.move_effects import describe_move_effect, drop_mirrored_changes
from interpreter.bots.solitaire_policy import find_repeating_moves
from interpreter.bots.sure_gains_and_answers import find_scored_number, prefer_sure_gain
from interpreter.match.match import Match
from tests.game_files import read_game
from tests.shipped import load, walk

TAKING = read_game("taking")


def get_hint_effects(match: Match, text: str) -> list[str]:
    assert match.decision is not None
    worlds = MatchSamples.create(match, [match.sample(match.decision.seat, seed).state for seed in range(8)], 0)
    texts = match.decision.moves.texts
    index = texts.index(text)
    return describe_move_effect(worlds, index, [at for at in range(len(texts)) if at != index], text)


def test_hint_effects_omit_common_changes() -> None:
    """Both moves cost a coin. The card that is dealt to the table then is not known."""
    game = cardlang.loads(TAKING)
    match = next(match for match in (game.start(2, seed) for seed in range(99)) if get_table_card(match) == "9")
    code = get_table_card(match)
    assert get_hint_effects(match, "take") == [f"You get [{code}].", f"Immediately: points won from 0 to {code}."]
    assert get_hint_effects(match, "pay") == []
    assert f"Immediately: points won from 0 to {code}." in find_hint(match, 0, seconds=None, playouts=50).reasons


@pytest.mark.parametrize(("name", "players", "text"), [("spades", 4, "4"), ("texas_holdem", 2, "raise 4")])
def test_hint_effects_omit_amounts_in_the_move(name: str, players: int, text: str) -> None:
    """`4. Immediately: bid from 0 to 4.` and `Raise by 4, paying 5. Immediately: chips from 199 to 194.`"""
    assert get_hint_effects(load(name).start(players, 1), text) == []


def get_table_card(match: Match) -> str:
    """Return the code of the card on the table."""
    (code,) = get_codes(match, "table")
    return code


def get_codes(match: Match, zone: str) -> list[str]:
    faces, face = match.program.game.faces, match.program.face
    return [faces[face[card]].code for card in match.state.z[match.program.layout.zone_base[zone]]]


def test_hint_scores_now_if_playouts_show_no_difference() -> None:
    """A card built on a foundation of Klondike scores 1. A lead of 4 in playouts, with errors of 1, counts more."""
    match = next(match for match in walk(load("klondike").start(1, 3), Random(3), 200) if has_build(match))
    assert match.decision is not None
    texts = match.decision.moves.texts
    samples = MatchSamples.create(match, [match.sample(0, seed).state for seed in range(8)], 0)
    moves = [MoveSummary(index, text, 100, 0.5, 10, 10, 1.0) for index, text in enumerate(texts)]
    others = [move for move in moves if not move.text.startswith("build")]
    builds = [move for move in moves if move.text.startswith("build")]
    assert prefer_sure_gain(samples, (*others, *builds))[0][0] is builds[0]
    better = evolve(others[0], lead=14.0)
    assert prefer_sure_gain(samples, (better, *builds))[0][0] is better


def has_build(match: Match) -> bool:
    """Return whether only some moves build a card."""
    texts = match.decision.moves.texts if match.decision is not None else ()
    return 0 < sum(text.startswith("build") for text in texts) < len(texts)


@pytest.mark.parametrize(
    ("third", "move", "summary"),
    [("Ks", "draw", "No other move makes progress now."), ("Ah 3d", "shift [3d] First", "")],
)
def test_hint_in_a_solitaire_does_not_go_round(third: str, move: str, summary: str) -> None:
    """Klondike: a 4 goes from one red 5 to the other and back, so the stock is better. A 3 that frees an Ace is not."""
    match = arrange_klondike(["5h 4s", "5d", third], deck="Kc Qs")
    hint = find_hint(match, 0, seconds=None, playouts=20)
    assert hint.move == move
    assert not summary or (hint.summary, hint.alternatives) == (summary, "")


def test_hint_in_a_solitaire_builds_first_without_sizes() -> None:
    """Playouts of Klondike vary by tens of cards, so they don't say how much worse a move is than an Ace."""
    match = arrange_klondike(["5h 4s", "5d", "Kh Ah"], deck="Kc Qs Jh 2h")
    hint = find_hint(match, 0, seconds=None, playouts=20)
    assert hint.move == "build [Ah]"
    assert "worse" not in hint.full_text


def test_hint_in_a_solitaire_names_a_set() -> None:
    """Pyramid: two cards that make 13, or a King alone."""
    for match in walk(load("pyramid").start(1, 2), Random(2), 30):
        if match.decision is not None and match.program.get_site(match.state).asks_several:
            hint = find_hint(match, 0, seconds=None, playouts=2)
            assert hint.refs
            return
    raise AssertionError


def test_moves_back_to_an_earlier_position_repeat_it() -> None:
    """Klondike: a card goes to another column and can come back, and later so can others."""
    match, past, found = load("klondike").start(1, 29), list[list[list[int]]](), 0
    while not found and len(match.choices) < 40:
        past.append([pile.copy() for pile in match.state.z])
        assert match.decision is not None
        texts = match.decision.moves.texts
        match.choose(max(range(len(texts)), key=lambda index: texts[index].startswith(("shift", "draw"))))
        for index in (repeating := find_repeating_moves(match)):
            after = match.clone()
            after.choose(index)
            assert after.state.z in past
        found += len(repeating)
    assert found


def arrange_klondike(columns: list[str], deck: str) -> Match:
    """Return a match with only these cards."""
    match = load("klondike", "Once through").start(1, 3)
    program, state = match.program, match.state
    code_of, base = [program.game.faces[face].code for face in program.face], program.layout.zone_base
    cards = {base["deck"]: deck, **{base["open"] + column: text for column, text in enumerate(columns)}}
    for pile, pile_cards in enumerate(state.z):
        pile_cards[:] = [code_of.index(code) for code in cards.get(pile, "").split()]
    for card in range(len(code_of)):
        state.loc[card] = next((pile for pile, pile_cards in enumerate(state.z) if card in pile_cards), -1)
    program.refresh_legal_moves(state)
    return match


def test_hint_effects_drop_mirrored_changes() -> None:
    """A score that rises by 2 of 121."""
    rows = [("score", "0", "2", 2), ("needs", "121", "119", -2), ("turns", "1", "2", 1), ("cards", "6", "3", -3)]
    assert drop_mirrored_changes(rows) == [rows[0], rows[2]]


@pytest.mark.parametrize("seed", range(4))
def test_golf_hint_effect_follows_the_score(seed: int) -> None:
    """An open card makes place for another: the points of the one for those of the other, where there is no pair."""
    match = load("golf").start(2, seed)
    for _ in range(4):
        match.choose(0)
    found = match.program.game.faces
    points = {"A": 1, "2": -2, "J": 10, "Q": 10, "K": 0}
    layout = [found[match.program.face[card]].code for card in match.state.z[get_pile(match, "layout")]]
    top = found[match.program.face[match.state.z[match.program.layout.zone_base["pile"]][-1]]].code
    own = [points.get(code[:-1]) if code[:-1] in points else int(code[:-1]) for code in layout]
    assert match.decision is not None
    texts = [text for text in match.decision.moves.texts if text.startswith("take ")]
    told = {line for text in texts for line in get_hint_effects(match, text) if line.startswith("Immediately")}
    new = points.get(top[:-1]) if top[:-1] in points else int(top[:-1])
    assert own[0] is not None and own[1] is not None and new is not None
    ranks = [layout[0][:-1], layout[1][:-1]]
    before = 0 if ranks[0] == ranks[1] else own[0] + own[1]
    if top[:-1] not in ranks and before:
        assert f"Immediately: points face up from {before} to {before + new}." in told


def get_pile(match: Match, zone: str) -> int:
    assert match.decision is not None
    return match.program.layout.zone_base[zone] + match.decision.seat


SWAPPING = read_game("swapping")


def test_hint_effects_omit_own_returning_cards() -> None:
    """The card that one has laid becomes one's market with the two others on the table, whatever is taken."""
    match = cardlang.loads(SWAPPING).start(2, 1)
    assert match.decision is not None
    own = match.decision.moves.texts[0].removeprefix("put ")
    match.choose(0)
    assert match.decision is not None
    other = next(text for text in match.decision.moves.texts if own not in text)
    (brought,) = [line for line in get_hint_effects(match, other) if line.startswith("You get")]
    assert own not in brought and brought.count("[") == 1


def test_scopa_hint_names_the_capture_once() -> None:
    """The only card on the table with the value of the card played."""
    said = []
    for match in walk(load("scopa").start(2, 1), Random(1), 12):
        assert match.decision is not None
        for text in match.decision.moves.texts:
            table = [code for code in get_codes(match, "table") if code[:-1] == text[text.index("[") + 1 : -2]]
            if text.startswith("play") and len(table) == 1 and len(match.decision.moves.texts) > 1:
                said += [(get_hint_effects(match, text), f"Way to capture: [{table[0]}].")]
    assert said and all(told[0] == wanted and told[1].startswith("Immediately: cards won") for told, wanted in said)


@pytest.mark.parametrize(("name", "equal"), [("president", True), ("spades", False)])
def test_cards_that_differ_by_suit_are_equal_if_suits_do_not_matter(name: str, equal: bool) -> None:
    program, state = (match := load(name).start(4, 1)).program, match.state
    faces = program.game.faces
    seat = state.who
    hand = [card for card, owner in enumerate(state.owner) if owner == seat and state.loc[card] >= 0]
    pairs = [
        (one, two)
        for one, two in combinations(hand, 2)
        if faces[program.face[one]].code[:-1] == faces[program.face[two]].code[:-1]
    ]
    assert pairs
    assert {classify_card(program, state, one) == classify_card(program, state, two) for one, two in pairs} == {equal}


@pytest.mark.parametrize(
    ("name", "number", "sign"), [("hearts", "points this deal", -1), ("tall_tales", "worth of pile", 1)]
)
def test_numbers_count_for_the_score_as_the_rules_say(name: str, number: str, sign: int) -> None:
    match = load(name).start(4, 1)
    samples = MatchSamples.create(match, [match.sample(match.state.who, seed).state for seed in range(30)], 0)
    assert find_scored_number(samples, {number}) == (number, sign)
