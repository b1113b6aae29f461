"""Numbers in texts: warnings only where the rules certainly contradict them."""

from pathlib import Path

import pytest

import cardlang
from tests.game_files import read_game

GAME = read_game("sayings")


def find_text_warnings(body: str) -> list[str]:
    game = cardlang.loads(GAME + body)
    return [finding.message for finding in game.warnings if finding.code == "W418"]


PLAY = "step play\n  each player\n    you play 1 from your hand to pile\n  discard pile to deck\n"
LOOP = PLAY.replace("play\n  each", "play\n  repeat until round = 5 {}\n    add 1 to round\n  each", 1)


@pytest.mark.parametrize(
    "text",
    [
        "Five cards each.",
        "Deal 5 cards to each player.",
        "Ten cards in all.",  # two players
        "Deal the cards.",
        "Four cards fewer than you would think.",
        "Six kinds of card.",
        "Not six cards.",
        "No more than six cards each.",
        "One more.",
        "Everybody gets five cards, one at a time.",
        "{hand-size} cards each.",
    ],
)
def test_ambiguous_text_numbers_give_no_warning(text: str) -> None:
    deal = f'  each player\n    deal top hand-size of deck to your hand "{text}"\n'
    assert find_text_warnings(deal + PLAY) == []


@pytest.mark.parametrize("text", ["Six cards each.", "Everybody gets 7 cards.", "Deal six cards, then the rest."])
def test_contradicting_card_count_is_found(text: str) -> None:
    assert find_text_warnings(f'  each player\n    deal top hand-size of deck to your hand "{text}"\n' + PLAY)


def test_partial_deals_are_added() -> None:
    each = "  each player\n    deal top {} of deck to your hand\n"
    deal = "  {}\n" + each.format(3) + each.format(4)
    assert find_text_warnings(deal.format('"Seven cards each."') + PLAY) == []
    assert find_text_warnings(deal.format('"Three cards each, then four cards each."') + PLAY) == []
    said = "The text says “Five cards each”, but the rules say 3 and 4."
    assert find_text_warnings(deal.format('"Five cards each."') + PLAY) == [said]


def test_unclear_deals_give_no_warning() -> None:
    steps = "step more\n  deal deck to players' hand\n"
    deal = '  "Seven cards each."\n  each player\n    deal top 3 of deck to your hand\n'
    assert find_text_warnings(deal + "  do more\n" + PLAY + steps) == []
    assert find_text_warnings(deal + PLAY) == ["The text says “Seven cards each”, but the rules say 3."]


def test_round_count_respects_the_start() -> None:
    assert find_text_warnings(LOOP.format('"Five rounds."')) == []
    assert find_text_warnings(LOOP.format('"Four rounds."')) == ["The text says “Four rounds”, but the rules say 5."]
    again = LOOP.format('"Four rounds."').replace("  discard", "  set round to 1\n  discard")
    assert find_text_warnings(again) == []


def test_variant_texts_are_checked_against_the_variant() -> None:
    deal = '  each player\n    deal top hand-size of deck to your hand "Five cards each."\n'
    text = GAME + deal + PLAY + 'variant "More"\n  define hand-size as 7 {}\n'
    for doc, expected in (("", False), ('"Six hand sizes."', True)):
        varied = cardlang.loads(text.format(doc), variant="More")
        assert ("W418" in [finding.code for finding in varied.warnings]) == expected


LIBRARY = read_game("dealing")


@pytest.mark.parametrize(("said", "codes"), [("5", []), ("7", ["W418"])])
def test_library_texts_are_checked_in_the_game(tmp_path: Path, said: str, codes: list[str]) -> None:
    game = f'game "Using" for 2 players\nuse pack\nuse dealing\n  define hand-size as {said}\nnumber your score\n'
    play = "step play\n  do dealing\n  do first-step\n  each player\n    add count of your hand to your score\n"
    for quoted, more in (("first step", []), ("first stop", ["W419"])):
        (tmp_path / "dealing.cardgame").write_text(LIBRARY.replace("forstep", quoted), "utf-8")
        (tmp_path / "using.cardgame").write_text(game + play, "utf-8")
        found = cardlang.load(tmp_path / "using.cardgame").warnings
        assert sorted(each.code for each in found) == codes + more
        assert {each.span.source.name for each in found} <= {str(tmp_path / "dealing.cardgame"), "dealing.cardgame"}
