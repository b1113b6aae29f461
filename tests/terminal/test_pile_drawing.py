"""Drawing of large piles: hidden ones are counted, known ones are listed by kind."""

from __future__ import annotations

from random import Random

from attrs import evolve

import cardlang
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.text_cards import CardRenderer, HighlightState
from interpreter.view.table_model import TableCard, TablePile
from tests.game_files import read_game
from tests.shipped import load
from tests.terminal.conftest import reserve_room

GAME = read_game("heaps_pile_drawing")


def draw_row(faces: list[int], up: bool = True) -> str:
    """Return a row of Fireworks cards as drawn, colour by colour."""
    looks, game = CardStyles(load("fireworks")), load("fireworks")
    cards = tuple(
        TableCard(f"zone/heap#{place}", game.faces[face].code, game.faces[face].title, face, "deck", up)
        for place, face in enumerate(faces, 1)
    )
    pile = TablePile("zone/heap", "heap", "heap", None, "row", 0, False, cards)
    drawn = CardRenderer(looks, HighlightState(), 2).render_pile(pile, 80, 1)
    return " ".join("".join(span.text for span in line) for line in drawn)


def test_large_known_piles_are_listed_by_kind() -> None:
    code = [face.code for face in load("fireworks").faces]
    said = draw_row([5, 0, 0, 0, 5, 2, 9])
    assert [said.count(code[face]) for face in (0, 2, 5, 9)] == [1, 1, 1, 1]
    assert said.index(code[0]) < said.index("×3") < said.index(code[2]) < said.index(code[5]) < said.index("×2")


def test_all_25_kinds_can_be_listed() -> None:
    """What is discarded in Fireworks says what is left: of 25 sorts, each is told."""
    codes = [face.code for face in load("fireworks").faces]
    said = draw_row([*range(20), 3])
    assert len(codes) == 25 and all(said.count(code) == 1 for code in codes[:20]) and said.count("×2") == 1
    assert "more" not in said


def test_own_cards_stay_large() -> None:
    """On 80 columns and 24 lines, whatever was discarded: Fireworks of three."""
    match, random = load("fireworks").start(["Ann", "Bob", "Cat"], seed=5), Random(5)
    calm, asked = reserve_room(match), 0
    while not match.over:
        decision = match.decision
        assert decision is not None
        if decision.player == "Ann":
            drawn = BoardRenderer(match.table("Ann"), CardStyles(match.game), 80, layout_state=calm).fit_to_height(24)
            lines = ["".join(span.text for span in line) for line in drawn.lines]
            assert len(lines) <= 24 and any(line.startswith("╭") for line in lines)
            asked += 1
        match.choose(
            random.choice(
                [text for text in decision.moves.texts if not text.startswith("play")] or decision.moves.texts
            )
        )
    assert asked > 15


def test_small_piles_keep_their_order() -> None:
    code = [face.code for face in load("fireworks").faces]
    said = draw_row([5, 0, 0])
    assert said.index(code[5]) < said.index(code[0]) and said.count(code[0]) == 2


def test_heaps_that_other_values_count_are_left_out() -> None:
    for name, label, is_drawn in (
        ("hearts", "won cards", False),
        ("scopa", "won pile", False),
        ("war", "won cards", True),
    ):
        match, random = load(name).start(min(load(name).seats), 1), Random(1)
        while not any(pile.label == label and pile.cards for pile in match.table("Ann").places[1].piles):
            assert match.decision is not None
            match.choose(random.randrange(len(match.decision.moves)))
        drawn = BoardRenderer(match.table("Ann"), CardStyles(match.game), 100).fit_to_height(30)
        assert any(label in "".join(span.text for span in line) for line in drawn.lines) == is_drawn


def test_unseen_piles_are_counted() -> None:
    match = cardlang.loads(GAME).start(2, 1)
    for viewer, line in (("Ann", "you (Ann) · score 0 · won cards 3"), ("Bob", "  won cards 3")):
        drawn = BoardRenderer(match.table(viewer), CardStyles(match.game), 80).fit_to_height(24)
        lines = ["".join(span.text for span in each) for each in drawn.lines]
        assert sum("won cards 3" in each for each in lines) == 1
        assert any(line in each for each in lines)


def test_last_trick_stays_during_the_pause() -> None:
    """No more of it than everybody saw; somebody who leads to the next one covers it."""
    from cardlang.ui.terminal.screen.result_pause_pages import show_last_trick_without_decision

    match = load("whist").start(4, 1)
    while not match.table("Ann").moments:
        match.choose(0)
    table = match.table("Ann")
    [lying] = [pile for pile in show_last_trick_without_decision(table).middle.piles if pile.form == "trick"]
    assert [card.by for card in lying.cards] == [card.by for card in table.moments[-1].hands[0].cards]
    assert len({card.code for card in lying.cards}) == 4
    assert (
        show_last_trick_without_decision(table).moments[-1].lines == ()
        and show_last_trick_without_decision(table).ask is None
    )
    match.choose(0)
    led = match.table("Ann")
    assert show_last_trick_without_decision(led).middle == led.middle
    assert show_last_trick_without_decision(evolve(table, moments=())).middle == table.middle


def test_gap_in_a_grid_keeps_the_columns() -> None:
    """Of 2x2 cells, only the second and the third have cards: they don't line up."""
    game, looks = load("war"), CardStyles(load("war"))
    cards = tuple(
        TableCard(f"zone/bed#{place}", face.code, face.title, face.number, "deck", True)
        for place, face in enumerate(game.faces[:2], 1)
    )
    pile = TablePile("zone/bed", "bed", "bed", None, "grid", 2, False, cards, cells=(1, 2))
    for size in (2, 3):
        drawn = [
            "".join(span.text for span in line)
            for line in CardRenderer(looks, HighlightState(), 2).render_grid(pile, 80, size)
        ]
        first, second = (looks.get_style(card).label for card in cards)
        upper = next(line for line in drawn if first in line)
        lower = next(line for line in drawn if second in line)
        assert drawn.index(upper) < drawn.index(lower) and lower.index(second) < upper.index(first)


def test_columns_of_cards_are_upright() -> None:
    """All cards of FreeCell's eight columns are readable on 80x24, seven or six below each name."""
    match = load("freecell").start(["Ann"], seed=1)
    table = match.table("Ann")
    drawing = BoardRenderer(table, CardStyles(match.game), 80).fit_to_height(24)
    lines = ["".join(span.text for span in line) for line in drawing.lines]
    for area in table.kinds:
        codes = [CardStyles(match.game).get_style(card).label.strip() for pile in area.piles for card in pile.cards]
        if codes:
            top, left = next((at, line.index(area.name)) for at, line in enumerate(lines) if area.name in line)
            assert [line[left : left + 8].strip(" ‹›") for line in lines[top + 1 : top + 1 + len(codes)]] == codes
