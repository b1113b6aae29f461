"""Layout of a table: nothing moves during a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from random import Random

import pytest
from attrs import evolve
from textual.geometry import Region

import cardlang
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.table_panes import TextPane, find_ref_boxes
from cardlang.ui.terminal.screen.text_blocks import LayoutState, TextBlock
from cardlang.ui.terminal.screen.text_cards import CardRenderer, HighlightState
from interpreter.match.match import Match
from interpreter.view.card_piles import PileLayout
from interpreter.view.table_model import DisplayFact, Table
from tests.shipped import load
from tests.terminal.conftest import Seen, Sessions, get_text, reserve_room, send_keys

Choose = Callable[[tuple[str, ...], Random], str]


def draw_board(match: Match, table: Table, calm: LayoutState, rows: int = 24) -> list[str]:
    drawing = BoardRenderer(
        table, CardStyles(match.game), 80, layout_state=calm, page_kinds=("scores", "showdown")
    ).fit_to_height(rows)
    return [get_text(line) for line in drawing.lines]


def start_match(name: str, players: int, seed: int) -> Match:
    match = load(name).start(players, seed=seed)
    assert isinstance(match, Match)
    return match


def screens(name: str, players: int, seed: int, choose: Choose, most: int = 400) -> Iterator[tuple[Table, list[str]]]:
    """Yield the tables at the first player's decisions, until the match or the first deal ends."""
    match, random = start_match(name, players, seed), Random(seed)
    calm = reserve_room(match)
    for _ in range(most):
        if match.over or len(match.table("Ann").scores) > 1:
            return
        decision = match.decision
        assert decision is not None
        if decision.player == "Ann":
            table = match.table("Ann")
            yield table, draw_board(match, table, calm)
        match.choose(choose(tuple(decision.moves.texts), random))


def check_or_call(texts: tuple[str, ...], random: Random) -> str:
    """Check or call, so that the whole board appears."""
    return next(text for text in texts if text.startswith(("check", "call")))


def column(lines: list[str], word: str) -> int:
    return next(line.index(word) for line in lines if word in line)


def test_dead_piles_are_counted() -> None:
    """In Tall Card the Tall Cards of earlier rounds, though all saw them: only the Tall Card is drawn."""
    match = start_match("tall_card", 3, 5)
    while len(match.table("Ann").scores) < 1:
        texts = match.decision.moves.texts if match.decision is not None else ()
        match.choose(next((text for text in texts if text.startswith(("check", "call"))), texts[0]))
    middle = match.table("Ann").middle
    assert [(pile.name, pile.count) for pile in middle.piles if pile.put_down] == [("used-pile", 1)]
    lines = draw_board(match, match.table("Ann"), LayoutState())
    [above] = [at for at, line in enumerate(lines) if "you (Ann)" in line]
    assert any("used pile 1" in line for line in lines)
    assert sum(line.count("╭") for line in lines[:above]) == 1


def test_open_piles_are_drawn() -> None:
    """In Big Two what it beat is put down, what was laid last is not; in Fireworks the discards tell what is left."""
    assert PileLayout(load("big_two")).zones_shown_as_counts == {"deck", "pile"}
    assert not PileLayout(load("fireworks")).zones_shown_as_counts


def test_middle_keeps_its_columns() -> None:
    seen = [lines for table, lines in screens("texas_holdem", 3, 5, check_or_call) if "board" in "".join(lines)]
    assert len(seen) >= 3
    for word in ("Pot", "deck", "muck", "board"):
        assert len({column(lines, word) for lines in seen if any(word in line for line in lines)}) == 1
    assert [max(line.count("╭") for line in lines) for lines in seen] == [3, 4, 5]


def hint_or_discard(texts: tuple[str, ...], random: Random) -> str:
    """Give hints and discard, so that the match of Fireworks lasts."""
    return random.choice([text for text in texts if not text.startswith("play")] or list(texts))


def has_few_discards(table: Table) -> bool:
    """Return whether the discards have at most fifteen different cards, as in a match with played cards."""
    return len({card.code for pile in table.middle.piles if pile.name == "discards" for card in pile.cards}) <= 15


def test_layout_is_stable_for_a_match() -> None:
    """Fireworks: the others, what is discarded, the rows in the air stand in this order at all times, and what is
    discarded goes no further to the right; on 24 lines."""
    seen = [lines for table, lines in screens("fireworks", 3, 5, hint_or_discard) if has_few_discards(table)]
    assert len(seen) > 12
    for lines in seen:
        places = [next(at for at, line in enumerate(lines) if word in line) for word in ("Cat", "discards", "row")]
        assert places == sorted(places)
        assert len(lines) <= 24
    assert len({column(lines, "Score") for lines in seen}) == 1
    before = [lines for lines in seen if not any("Turns left" in line for line in lines)]
    assert len({column(lines, "discards") for lines in before}) == 1


def test_cards_do_not_shrink_without_marks() -> None:
    sizes = list[tuple[int, int]]()
    for table, lines in screens("fireworks", 3, 5, hint_or_discard):
        own = next(at for at, line in enumerate(lines) if "you (Ann)" in line)
        box = [line for line in lines[own + 1 :] if line[:1] in ("╭", "│", "╰")]
        sizes += [(len(box), box[0].index("╭", 1))] if table.places[0].piles[0].count == 5 else []
    assert sizes == sorted(sizes) and len({height for height, _ in sizes}) == 1 < len(sizes)


def test_repeated_cards_are_listed_by_suit() -> None:
    table, lines = [
        (table, lines) for table, lines in screens("fireworks", 3, 5, hint_or_discard) if has_few_discards(table)
    ][-1]
    at, end = (next(place for place, line in enumerate(lines) if word in line) for word in ("discards", "row"))
    told = "".join(line[lines[at].index("discards") - 2 :] for line in lines[at + 1 : end])
    pile = next(pile for pile in table.middle.piles if pile.name == "discards")
    assert told.count("×2") == len(pile.cards) - len({card.code for card in pile.cards}) >= 1
    signs = [each for each in told if each in "●✚◆☾▲"]
    assert [sign for sign, _ in groupby(signs)] == [*"●✚◆☾▲"]


def find_places(lines: TextBlock) -> dict[str, tuple[int, int]]:
    """Return line and column of each player's name, and the line of the viewer's area."""
    places = {ref: (box.top, box.left) for ref, box in find_ref_boxes(lines).items() if ref.startswith("player/")}
    texts = map(get_text, lines)
    return places | {"own": (next(at for at, text in enumerate(texts) if "you (Ann)" in text), 0)}


def list_layouts(match: Match, tables: Sequence[Table], columns: int, rows: int) -> list[dict[str, tuple[int, int]]]:
    """Return the places on the screen and the heights of the panes for the tables of a match.

    Return nothing if the screen has no room for the fullest table."""
    found, looks, calm = [], CardStyles(match.game), reserve_room(match, columns, rows)
    plan = calm.plan
    assert plan is not None
    for table in () if plan.is_crowded or plan.sizes.packed else tables:
        drawing = BoardRenderer(table, looks, columns, layout_state=calm).fit_to_height(rows)
        assert len(drawing.lines) == rows
        panes = {f"pane {name}": (height, 0) for name, height in drawing.heights.items()}
        found.append(panes | find_places(drawing.lines))
    return found


SIZES = ((80, 24), (120, 40))
OUTGROWN = {
    "casino": [(80, 24)],
    "dou_dizhu": [(80, 24), (120, 40)],
    "omaha_hi_lo": [(80, 24), (120, 40)],
    "seven_card_stud": [(80, 24), (120, 40)],
    "tall_card_fan": [(80, 24)],
    "tall_tales": [(120, 40)],
}
"""Games in which a part outgrows its room at some sizes and takes lines from the events."""


def check_places(name: str) -> None:
    """Check that no place moves between the moves of a random match."""
    match = start_match(name, min((count for count in load(name).seats if count > 2), default=min(load(name).seats)), 3)
    random, tables = Random(3), []
    while (decision := match.decision) is not None and len(tables) < 60:
        tables.append(evolve(match.table("Ann"), moments=()))
        match.choose(random.randrange(len(decision.moves)))
    match = start_match(name, len(match.players), 3)
    for size in SIZES:
        if size not in OUTGROWN.get(name, []):
            layouts = list_layouts(match, tables, *size)
            for place in set[str]().union(*layouts):
                spots = {layout[place] for layout in layouts if place in layout}
                assert len(spots) == 1, f"{place} moves on {size[0]} x {size[1]}: {sorted(spots)}"


QUICK = ("hearts", "texas_holdem", "tall_card", "golf", "scopa", "fireworks")


@pytest.mark.parametrize("name", QUICK)
def test_nothing_moves_during_a_match(name: str) -> None:
    check_places(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(cardlang.shipped().keys() - {*QUICK}))
def test_nothing_moves_in_any_game(name: str) -> None:
    check_places(name)


def test_facts_share_a_line_if_there_is_room() -> None:
    """`Contract 10  Tricks 10  Points -155  Bags 12` is broader than half of the screen."""
    match = start_match("spades", 4, 5)
    for _ in range(4):
        match.choose(2)
    table = match.table("Ann")
    values = {"Contract": "10", "Tricks": "10", "Points": "-155", "Bags": "12"}
    one = table.kinds[0]
    facts = tuple(DisplayFact(label.lower(), label, 0, text) for label, text in values.items())
    table = evolve(table, kinds=(evolve(one, facts=facts), *table.kinds[1:]))
    [line] = [line for line in draw_board(match, table, LayoutState()) if "Points -155" in line]
    assert "Contract 10 Tricks 10 Points -155 Bags 12" in line and line.count("Points") == 2


def test_grid_stays_when_a_card_is_drawn() -> None:
    """In Golf, one's own six cards and those of others."""
    places = set[int]()
    for _, lines in screens("golf", 2, 5, lambda texts, random: texts[-1], 12):
        own = next(at for at, line in enumerate(lines) if "you (Ann)" in line)
        places.add(next(at for at in range(own, 24) if "╭" in lines[at]) - own)
        rows = [line for line in lines[own:] if line.startswith("╭─────╮ ╭─────╮ ╭─────╮")]
        assert len(rows) == 2, lines
    assert len(places) == 1


def test_hand_keeps_its_place_next_to_own_piles() -> None:
    """Tall Tales: what one puts by, and one's card in front, lie in a line below it."""
    seen = []
    for table, lines in screens("tall_tales", 3, 5, lambda texts, random: random.choice(texts), 40):
        if len(table.heading) == 1 and any(pile.name == "hand" and pile.cards for pile in table.places[0].piles):
            own = next(at for at, line in enumerate(lines) if "you (Ann)" in line)
            seen.append(lines[own + 2])
    assert len(seen) > 5 and all(line.startswith("╭") for line in seen)


def test_partly_known_hand_stays_on_its_line() -> None:
    """In Hearts, after one has passed cards: they stand where the backs stood."""
    match = start_match("hearts", 4, 5)
    bob = next(place for place in match.table("Ann").places if place.name == "Bob")
    backs, held = bob.piles[0], match.table("Ann").places[0].piles[0].cards
    own = [card for card in held if card.code is not None and len(card.code) == 2]  # tens are wider
    cards = CardRenderer(CardStyles(match.game), HighlightState(), 4)
    known = evolve(backs, cards=(*own[:3], *backs.cards[3:]))
    for pile in (backs, known):
        assert [get_text(line).split()[0] for line in cards.render_pile(pile, 25, 2)] == ["hand"]


@pytest.mark.parametrize("size", SIZES)
def test_panes_of_the_screen_stay(session: Sessions, size: tuple[int, int]) -> None:
    """Neither a highlight, a hint, an error nor a move changes a pane; an answer covers only the last events."""
    regions = list[dict[str | None, Region]]()

    def look(seen: Seen) -> None:
        panes = [pane for pane in seen.app.query(TextPane) if pane.id not in ("page", "events", "message")]
        regions.append({pane.id: pane.region for pane in panes})

    keys = ["right", look, "space", "h", look, "enter", look, "right", "space", "right", "space", "enter"]
    send_keys(session("hearts"), [look, *keys, look, "right", look, "x", look], size)
    assert len(regions) == 7 and all(each == regions[0] for each in regions)
    assert sum(region.height for region in regions[0].values()) + 2 <= size[1]
