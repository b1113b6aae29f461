"""Overrides of libraries by games, and of games by variants."""

import pytest

import cardlang
from tests.errors import find_codes
from tests.game_files import read_game
from tests.semantics.mini import GAME, error, findings, game

VARIANT = 'variant "Long" "Longer."\n  define lead as last of table\'s suit\n'
BETS = read_game("bets")
POKER = read_game("poker")


def poker(old: str = "", new: str = "", library: str = BETS) -> cardlang.Game:
    assert old in POKER
    return cardlang.loads(POKER.replace(old, new) if old else POKER, libraries={"bets": library})


def first_error(old: str, new: str, library: str = BETS) -> cardlang.Diagnostic:
    with pytest.raises(cardlang.GameError) as fault:
        poker(old, new, library)
    return fault.value.diagnostics[0]


def test_game_overrides_library() -> None:
    game_ = poker()
    assert {"bet", "blinds", "round"} <= set(game_.steps)
    assert game_.defines["bankroll"].origin.span.source.name == "<text>"
    assert [source.name for source in game_.sources] == ["<text>", "bets.cardgame"]


def test_empty_library_step_can_be_filled() -> None:
    filled = "  define bankroll as 7\n  step blinds\n    shuffle deck\n"
    assert len(poker("  define bankroll as 7\n", filled).steps["blinds"].body) == 1
    assert poker().steps["blinds"].body == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        ("bankroll", "bankrol", "E211", "bankrol"),
        ("  define bankroll as 7\n", "  number new\n", "E211", "new"),
        ("  define bankroll as 7\n", "  define your bankroll as 7\n", "E211", "bankroll"),
        ("zone deck\n", "zone deck\ndefine pot as 3\n", "E210", "pot"),
        ("  define your strength as count of hand\n", "", "E212", "bets"),
        ("  define your strength as count of hand\n", "  define strength as 3\n", "E212", "bets"),
    ],
)
def test_invalid_overrides_are_rejected(old: str, new: str, code: str, words: str) -> None:
    found = first_error(old, new)
    assert (found.code, found.span.text) == (code, words)


def test_library_override_belongs_under_use() -> None:
    found = first_error("zone deck\n", "zone deck\ndefine pot as 3\n")
    assert "`use`" in found.hint and "pot" in found.related[0][0].source.text


BOUTS = 'library "Bouts"\nneeds bout "One of several."\nstep bouts\n  repeat until deck is empty\n    do bout\n'
NEEDY = 'game "Needy" for 2 players\nuse bouts\nzone deck\nnumber your score\nstep play\n  do bouts\n'


@pytest.mark.parametrize(
    ("addition", "hint"),
    [
        ("", "Declare `step bout`, with its statements below."),
        ("step Bout\n  shuffle deck\n", "Rename `Bout` to `bout`, or declare `step bout`."),
    ],
)
def test_missing_needed_step_is_reported(addition: str, hint: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(NEEDY + addition, libraries={"bouts": BOUTS})
    assert [(each.code, each.hint) for each in caught.value.diagnostics] == [("E212", hint)]


def test_library_cannot_use_itself() -> None:
    assert first_error("", "", BETS + "use bets\n").code == "E206"


def test_variant_overrides_game() -> None:
    plain, long = game(VARIANT), game(VARIANT, variant="long")
    assert [(v.title, v.doc) for v in plain.variants] == [("Long", "Longer.")]
    assert (plain.variant, long.variant) == (None, "Long")
    assert plain.defines["lead"].value != long.defines["lead"].value


def test_examples_belong_to_the_game_or_to_the_variant() -> None:
    own = '  example "Last" with Ann, Bob\n    expect table is empty\n'
    text = VARIANT + own + 'example "First" with Ann, Bob\n  expect table is empty\n'
    assert [each.title for each in game(text).examples] == ["First"]
    assert [each.title for each in game(text, variant="Long").examples] == ["Last"]


def test_variant_override_without_target_is_rejected() -> None:
    with pytest.raises(cardlang.GameError) as fault:
        game(VARIANT.replace("define lead", "define laed"), variant="Long")
    found = fault.value.diagnostics[0]
    assert (found.code, found.hint) == ("E211", "Did you mean `lead`? A new declaration needs a less similar name.")


def test_unknown_variant_suggests_a_similar_name() -> None:
    with pytest.raises(cardlang.GameError) as fault:
        game(VARIANT, variant="Lang")
    assert fault.value.diagnostics[0].hint == "Did you mean “Long”?"


def test_variant_drops_samples_with_missing_cards() -> None:
    text = GAME.replace('"Pair"', '"Pair" like [2c 2h]')
    short = 'variant "Short"\n  ordered kind Rank: 3 to 4, King (K)\n'
    assert cardlang.loads(text + short, variant="Short").rankings["Combo"].ranks[0].like == ()
    assert len(cardlang.loads(text + short).rankings["Combo"].ranks[0].like) == 2


def test_non_games_are_rejected() -> None:
    for text in ('library "L"\n', 'example "e" with Ann\n  expect no\n', ""):
        assert find_codes(text) == ["E215"]


def test_unknown_library_is_rejected() -> None:
    assert findings("use bettin\n") == [("E206", "bettin")]
    assert error("use bettin\n").hint


TABLE = 'library "Table"\nuse bets\n  define bankroll as 9\nneeds your strength "Yours."\nneeds round "One hand."\n'


def two_libraries(table: str) -> cardlang.Game:
    text = POKER.replace("use bets", "use table").replace("  define bankroll as 7\n", "")
    return cardlang.loads(text, libraries={"bets": BETS, "table": table})


def test_library_passes_on_needs() -> None:
    layers = [source.name for source in two_libraries(TABLE).sources]
    assert layers == ["<text>", "table.cardgame", "bets.cardgame"]


def test_unmet_library_need_is_reported() -> None:
    with pytest.raises(cardlang.GameError) as fault:
        two_libraries(TABLE.replace('needs round "One hand."\n', ""))
    assert "`bets` needs `round`" in fault.value.diagnostics[0].message
