"""How a list of moves is shown, and which moves a typed line means."""

from cardlang.terminal.menu import by_key, choices, meant

BETS = ["check", *(f"bet {n}" for n in range(1, 26)), "fold"]


def test_a_run_of_numbers_is_one_line() -> None:
    assert [(c.key, c.label) for c in choices(BETS)] == [
        ("1", "check"),
        ("2", "bet 1 … bet 25"),
        ("3", "fold"),
    ]


def test_short_runs_are_not_folded() -> None:
    assert [c.label for c in choices(["raise 1", "raise 2", "raise 3", "call", "fold"])] == [
        "raise 1", "raise 2", "raise 3", "call", "fold",
    ]  # fmt: skip


def test_where_only_an_amount_is_asked_the_key_is_the_amount() -> None:
    listed = choices(["draw 0", "draw 1", "draw 2"])
    assert [(c.key, c.label) for c in listed] == [("0", "draw 0"), ("1", "draw 1"), ("2", "draw 2")]
    chosen = by_key("2", listed)
    assert chosen is not None and chosen.texts == ("draw 2",) and chosen.first == 2


def test_a_pass_beside_amounts_is_typed_by_name() -> None:
    listed = choices(["pass", "put 1", "put 2"])
    assert [(c.key, c.label) for c in listed] == [("", "pass"), ("1", "put 1"), ("2", "put 2")]


def test_long_amounts_keep_their_amounts_for_keys() -> None:
    listed = choices([str(n) for n in range(3, 30)])
    assert [c.key for c in listed] == ["3-29"]
    chosen = by_key("29", listed)
    assert chosen is not None and chosen.texts == ("29",) and chosen.first == 26
    assert by_key("30", listed) is None and by_key("2", listed) is None


def test_numbers_that_do_not_count_up_are_separate() -> None:
    assert [c.label for c in choices(["ask Bob 7", "ask Bob 9", "ask Cat 7"])] == [
        "ask Bob 7",
        "ask Bob 9",
        "ask Cat 7",
    ]


def test_no_moves_no_choices() -> None:
    assert choices([]) == []


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
