"""E301 (rank never read) only where all its cards also make a higher rank."""

import pytest

from tests.errors import find_codes
from tests.game_files import EXAMPLE_DECLARATIONS, EXAMPLE_PLAY_STEP

RUN = "2 Pack of one suit and consecutive value"
SUITED = "2 Pack of one suit"
PAIR = "2 Pack of one value"
BOTH = "2 Pack of one value and one suit"


@pytest.mark.parametrize(
    ("above", "below", "beaten"),
    [
        (f"{PAIR} plus {PAIR}", f"3 Pack of one value plus {PAIR}", True),
        (f"{RUN} plus {RUN}", f"{RUN} plus {RUN} together of distinct suit", True),
        (f"{RUN} plus {RUN} together of distinct suit", f"{RUN} plus {RUN}", False),
        # two runs of clubs are no groups of two suits
        (f"{SUITED} plus {SUITED}", f"{RUN} plus {RUN}", False),
        (f"{SUITED} plus {SUITED}", f"{RUN} plus {RUN} together of distinct suit", False),
        # 9c 9c 9h 9h is two shiny pairs, and one value only
        (f"{PAIR} plus {PAIR}", f"{BOTH} plus {BOTH}", False),
        ("1 Pack plus 1 Pack together of distinct value", f"{PAIR} plus {PAIR} together of distinct value", False),
        (PAIR, f"{PAIR} plus {PAIR} together of consecutive value", True),
    ],
)
def test_unreachable_rank_is_found(above: str, below: str, beaten: bool) -> None:
    ranking = f'ranking Hand of 5 cards\n  "Above"\n    {above}\n  "Below"\n    {below}\n'
    use = "define your strength as Hand of hand\n"
    game = (
        EXAMPLE_DECLARATIONS.replace("1 of each Value, Suit", "2 of each Value, Suit")
        + ranking
        + use
        + EXAMPLE_PLAY_STEP
    )
    assert ("E301" in find_codes(game)) is beaten
