"""Cookbook entries: short, ready to paste into the base game, and correct."""

import re
from pathlib import Path

import pytest

import cardlang
from tests.docs import cookbook
from tests.docs.cookbook import CAMPFIRE, Entry
from tests.docs.documents import blocks, check_console, failures

TEXT = cookbook.PAGE.read_text("utf-8")
ENTRIES = list(cookbook.entries(TEXT))
LINES = 12
DECISIONS = 2000
SEARCHED = """
extra turn; skip a; swap hands; pass cards; draft; out for the round; player elimination; simultaneous; hidden
role; auction; bidding; tie-break; cost in the corner; market; two decks; teams; partners; runs out; top card;
mulligan; search the deck; steal; trade; voting; bluff; challenge; trump; follow suit; wild; joker; sets and runs;
hand limit; n points; rounds; dealer; start player; empty the hand; last player standing; cooperative; solitaire;
several actions; once per turn; reaction; stop that; counters; face-down; reveal; majority; most of a suit; coins;
chips; bank; pot; side bet; random event; die; dice; timer; age; rulebook; two players; variant; text on cards;
pictures; mill; cycle; tableau; kingmaker; scry; worker placement; deck building
"""


@pytest.mark.slow
@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_entry_plays_to_the_end(entry: Entry) -> None:
    for game in with_variants(entry.result):
        assert not game.warnings
        assert not failures(game)
        for seed in (1, 2):
            assert ends_at_random(game, seed)


def with_variants(text: str) -> list[cardlang.Game]:
    game = cardlang.loads(text)
    return [game, *(cardlang.loads(text, variant=variant.title) for variant in game.variants)]


def ends_at_random(game: cardlang.Game, seed: int) -> bool:
    """Play at random. Does the match end?"""
    from interpreter.bots.bot_players import RandomPlayer

    match, player = game.start(seed=seed), RandomPlayer(seed)
    for _ in range(DECISIONS):
        if match.over:
            break
        match.choose(player.choose(match))
    return match.over


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.title)
def test_entry_has_synonyms_and_is_short(entry: Entry) -> None:
    assert re.match(r"### .+\n\n\*Also: .+\.\*\n", entry.text)
    assert all(block.text.count("\n") <= LINES for block in entry.blocks)


def test_search_words_find_an_entry() -> None:
    found = [" ".join(entry.text.splitlines()[:3]).lower() for entry in ENTRIES]
    words = " ".join(SEARCHED.split()).split("; ")
    missing = [word for word in words if not any(word in line for line in found)]
    assert not missing


def test_cookbook_lists_at_least_60_entries() -> None:
    assert len({entry.title for entry in ENTRIES}) == len(ENTRIES) >= 60
    assert cookbook.with_contents(TEXT) == TEXT, "write it with: python -m tests.docs"


def test_cookbook_game_equals_its_file() -> None:
    shown = next(block for block in blocks(cookbook.DOCUMENT) if block.language == "cardgame")
    assert shown.text == CAMPFIRE
    assert not cardlang.loads(CAMPFIRE).warnings


def test_cookbook_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "campfire.cardgame").write_text(CAMPFIRE, "utf-8")
    for block in blocks(cookbook.DOCUMENT):
        if block.language == "console":
            check_console(block)
