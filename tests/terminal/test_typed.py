"""Which moves a typed line means."""

from cardlang.terminal.typed import meant, obey
from tests.terminal.conftest import Sessions

BETS = ["check", *(f"bet {n}" for n in range(1, 26)), "fold"]


def test_whole_text_then_case_then_parts_then_beginnings() -> None:
    texts = ["event [Tp]", "event [tp]", "end-turn", "swap Bob"]
    assert meant("event Tp", texts) == [0]
    assert meant("EVENT tp", texts) == [0, 1]
    assert meant("tp", texts) == [1]
    assert meant("bob", texts) == [3]
    assert meant("e", texts) == [0, 1, 2]
    assert meant("sw b", texts) == [3]
    assert meant("x", texts) == [] and meant("", texts) == []


def test_words_count_in_order() -> None:
    assert meant("5 raise", ["raise 5", "raise 6"]) == []
    assert meant("bet 2", BETS) == [2]


def test_what_a_button_says_can_be_typed(session: Sessions) -> None:
    """Fireworks calls a move `number-hint Bob 1`, its button `Tell Bob which cards are 1s`."""
    sat = session("fireworks", 2)
    sat.advance()
    sat.look()
    table = sat.table()
    assert table.ask is not None
    said = next(each for each in table.ask.actions if each.verb == "Number hint")
    assert not said.label.lower().startswith(said.text.split("-")[0])
    assert obey(sat, said.label.lower()).moved
