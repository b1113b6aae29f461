"""Layout of cards on both sides of the paper."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cardlang.print_and_play.sheet_layout import build_layout

NINE_ON_A4 = build_layout("sheet", "a4", (63, 88))


def test_pages_hold_nine_cards() -> None:
    first, second = NINE_ON_A4.split_into_pages(range(11))
    assert first == tuple(range(9))
    assert second == (9, 10, *[None] * 7)
    assert NINE_ON_A4.split_into_pages(range(18)) == [tuple(range(9)), tuple(range(9, 18))]


def test_backs_are_mirrored() -> None:
    assert NINE_ON_A4.mirror_page("abcdefghi") == tuple("cbafedihg")
    assert NINE_ON_A4.mirror_page(NINE_ON_A4.split_into_pages("ab")[0])[:3] == (None, "b", "a")


@given(st.lists(st.integers(), max_size=40))
def test_page_split_loses_no_card(cards: list[int]) -> None:
    slots = [
        slot
        for page in NINE_ON_A4.split_into_pages(cards)
        for slot in NINE_ON_A4.mirror_page(NINE_ON_A4.mirror_page(page))
    ]
    assert [slot for slot in slots if slot is not None] == cards
    assert len(slots) % 9 == 0
