"""Whole rulebooks: order of sections."""

import re
from collections.abc import Callable
from math import comb
from pathlib import Path

import cardlang
from cardlang.model import Game
from cardlang.model.rank_frequencies import ODDS_FILE_NAME, render_odds_file
from cardlang.rulebook.render import build_generated_rulebook, render_rulebook_markdown
from cardlang.rulebook.render.markdown import render_markdown
from tests.gametree.odds_games import DECK, RANKING
from tests.rulebook.conftest import render_generated


def test_sections_are_in_rulebook_order(shipped: dict[str, Game]) -> None:
    titles = [section.title for section in build_generated_rulebook(shipped["tall_card"]).sections]
    assert titles == [
        "Goal",
        "Contents",
        "Set-up",
        "How to play",
        "The Ranks",
        "Terms",
        "End of the game",
        "Variants",
        "Questions and answers",
    ]


def test_component_counts_equal_the_rulebooks(shipped: dict[str, Game]) -> None:
    """The rulebooks: 76 cards in four suits; 54 numbers and 12 dragons; 60 Event cards."""
    assert "**76 cards:** 1 to 19 in each of four suits" in render_generated(shipped["tall_tales"])
    tall = render_generated(shipped["tall_card"])
    assert (
        "**54 Numbers:** Two each of 1 to 9 in each of three suits (Bamboo, Plum and Diamond).\n- **12 Dragons:**"
        in tall
    )
    assert "**72 Numbers:** 1 to 8, Tortoise (To), Unicorn (U), Phoenix (P) and Dragon Emperor (E)" in tall
    assert "**6 Talls:** One of each suit and one of each type. They make up the tall deck." in tall
    box = render_rulebook_markdown(shipped["tail_story"])
    assert "60 Event cards: twelve each of Drawing, Stealing, Stopping, Recycling and Acting." in box
    assert "6 Characters: two of each type" in box


def test_variant_cards_are_listed(shipped: dict[str, Game]) -> None:
    """The rulebook: 48 additional cards and 3 extra Tall Cards."""
    assert ", 48 more Numbers and three more Talls. " in render_generated(shipped["tall_card"])
    assert "more Numbers" not in render_rulebook_markdown(cardlang.load("tall_card", variant="Expanded deck"))


def test_ranking_is_a_table_best_first(shipped: dict[str, Game]) -> None:
    sheet = render_generated(shipped["tall_card_fan"])
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", sheet, re.MULTILINE)
    assert rows[:3] == [("1", "Royal Flush"), ("2", "Five of a Kind"), ("3", "Straight Flush")]
    assert "three Fruits of the same rank plus two Fruits of another rank" in sheet


def test_ranking_lists_frequencies(shipped: dict[str, Game]) -> None:
    """Of C(66, 5) hands nine values times C(6, 5) make 5 Pretty Sisters; each type of dragon
    with any of 62 other cards makes 4 Shiny Dragons; of C(72, 5) six make a Royal Flush, 12 times C(6, 5) Five of a
    Kind."""
    sheets = [build_generated_rulebook(shipped[name]) for name in ("tall_card", "tall_card_fan")]
    tall, fan = (render_markdown(sheet) for sheet in sheets)
    assert comb(66, 5) == 8_936_928 and f"of all {comb(66, 5):,} hands of five cards" in tall
    assert f"| 1 in {comb(66, 5) / 54:,.0f} |" in tall
    assert f"| 1 in {comb(66, 5) / (3 * 62):,.0f} |" in tall
    assert "| Royal Flush |" in fan and f"| 1 in {comb(72, 5) / 6:,.0f} |" in fan
    assert f"| 1 in {comb(72, 5) / 72:,.0f} |" in fan and "make none of them" not in fan


def test_uncounted_ranking_has_no_frequencies(shipped: dict[str, Game]) -> None:
    """A changed ranking has none, nor has one that was never counted."""
    text = cardlang.shipped()["tall_card"].read_text(encoding="utf-8")
    changed = cardlang.loads(
        text.replace("5 Numbers of consecutive value", "5 Numbers of consecutive value where value > 1")
    )
    for game in (changed, shipped["cribbage"], shipped["gin_rummy"], shipped["big_two"]):
        assert "How rare" not in render_rulebook_markdown(game)


def test_hands_without_a_rank_are_mentioned(tmp_path: Path) -> None:
    path = tmp_path / "small.cardgame"
    path.write_text(DECK + RANKING.format(wild=""), encoding="utf-8")
    game = cardlang.load(path)
    ranks = {rank.title: 1 for rank in game.rankings["Rank"].ranks} | {"Four": 0}
    path.with_name(ODDS_FILE_NAME).write_text(
        render_odds_file(path, game, game.rankings["Rank"], ranks, 3876), encoding="utf-8"
    )
    sheet = render_rulebook_markdown(game)
    assert "| 1 | Four | four Numbers of the same value | never |" in sheet
    assert "| 1 in 3,876 |" in sheet and "The others make none of them." in sheet


def test_facts_name_players_ages_and_time(sheet_of: Callable[[str], str], shipped: dict[str, Game]) -> None:
    assert "- Players: 3 or 4\n" in render_generated(shipped["tall_tales"])
    assert "- Players: 2 to 4\n" in sheet_of("ages 12\nminutes 20 to 45\n")
    assert "- Ages: 12 and up\n- Time: 20 to 45 minutes\n" in sheet_of("ages 12\nminutes 20 to 45\n")


def test_game_texts_are_escaped_in_markdown() -> None:
    sheet = render_rulebook_markdown(
        cardlang.loads(
            'game "<script>*X*</script>" for 2 players "| # & &lt; `x` [a](javascript:b)"\n'
            'number your score "1. one"\n'
            'step play "- no list"\n  add 1 to round "\\{\\{ x }}"\nnumber round\n'
        )
    )
    assert "<" not in sheet.partition("\n<!--\n")[0].replace("\\<", "")
    assert "\\*X\\*" in sheet
    assert "\\[a\\](javascript:b)" in sheet
    assert "\\| # & &amp;lt; \\`x\\`" in sheet


def test_variant_has_its_own_rulebook() -> None:
    game = cardlang.load("tall_card", variant="Expanded deck")
    sheet = render_rulebook_markdown(game)
    assert sheet.startswith("# Tall Card: Expanded deck\n")
    assert "Dragon Hootenanny" not in re.sub(r"\*\*.*", "", sheet)


def test_step_sections_are_in_play_order(sheet_of: Callable[[str], str]) -> None:
    """What is done in some cases and by choice stands in its place; what an early end brings forward does not."""
    sheet = sheet_of(
        """
step play
  if leader = nobody
    do count-up
    finish play
  if round > 0
    do taxes
  each player
    do your turn
  do count-up
step count-up
  add 1 to round
  shuffle deck
step taxes
  add 2 to round
  shuffle deck
  shuffle deck
step bidding
  add 3 to round
  shuffle deck
  shuffle deck
step your turn
  you choose one
    option bid
      do bidding
    option pass-on
      add 1 to your score
"""
    )
    told = re.findall(r"^### (.*)", sheet, re.MULTILINE)
    assert told == ["Taxes", "Turn", "Bidding", "Count up"]


def test_short_trigger_is_one_line(sheet_of: Callable[[str], str]) -> None:
    sheet = sheet_of(
        "whenever any player has score >= 9\n  finish game\n"
        'whenever deck is empty\n  move table to deck "Face down."\n  shuffle table\n'
    )
    assert "- Whenever a player's score is at least nine: the game ends.\n" in sheet
    assert "- Whenever the deck is empty:\n  1. Move" in sheet


def test_step_parameters_keep_one_name(sheet_of: Callable[[str], str]) -> None:
    """The step itself and whoever carries it out call a thing the same."""
    sheet = sheet_of(
        "step your turn\n  you choose old from your hand\n    do your swap with old, 2\n"
        "step your swap with card old, number price\n  move old to table\n  subtract price from your score\n"
    )
    assert "swap with that card as the old card and two as the price." in sheet
    assert "Move the old card to the table." in sheet


def test_short_step_is_printed_in_place(sheet_of: Callable[[str], str]) -> None:
    tidy = "step tidy-up\n  move table to deck\n"
    sheet = sheet_of(f"step your turn\n  add 1 to round\n  do tidy-up\n  shuffle deck\n{tidy}")
    assert "Tidy up" not in sheet and "### Turn\n\n1. Increase the round by one.\n2. " in sheet
    often = 3 * "  do tidy-up\n  shuffle table\n"
    assert "### Tidy up\n" in sheet_of(f"step your turn\n{often}{tidy}")
