"""`cardlang odds`: output, and cached counts for rulebooks."""

import json
import shutil
from math import comb
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import cardlang
from cardlang.cli.main import cli
from cardlang.model import Game
from cardlang.model.rank_frequencies import (
    ODDS_FILE_NAME,
    compute_ranking_digest,
    find_rank_frequencies,
    read_odds_entries,
)
from cardlang.storage import find_games_folder
from tests.gametree.odds_games import DECK, RANKING, count_ranks

RULES = DECK + RANKING.format(wild="wild where value = Top as any Value") + "define your strength as Rank of hand\n"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["odds", *map(str, arguments)], catch_exceptions=False)


def read_rank_counts(game: Game, name: str) -> dict[str, int]:
    """Return the stored counts of a ranking."""
    found = find_rank_frequencies(game, game.rankings[name])
    assert found is not None
    return found.ranks


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.cardgame"
    path.write_text(RULES, encoding="utf-8")
    return path


def test_odds_table_sums_to_all_hands(small: Path) -> None:
    result = run(small, "strength", "--given", "tall [MR]")
    assert result.exit_code == 0 and result.stderr == ""
    head, given, columns, *rows = result.stdout.splitlines()
    assert head == "Small: strength in 3,876 hands (4 of 19 cards)" and given == "given tall [MR]"
    assert columns.split() == ["hands", "share", "one", "in"]
    assert [row.split()[0] for row in rows] == ["Four", "Run", "House", "Pairs", "Flush", "Pair", "Dragons", "(none)"]
    assert sum(int(row.split()[1].replace(",", "")) for row in rows) == 3876
    assert len({len(row) for row in rows}) == 1


def test_odds_json_sums_to_all_hands(small: Path) -> None:
    found = json.loads(run(small, "strength", "--given", "hand [1p 1d]", "--json").stdout)
    assert found["cards"] == {"hand": 2} and found["deck"] == 17 and found["hands"] == comb(17, 2)
    assert sum(value["count"] for value in found["values"]) == found["hands"] >= found["worked_out"]
    house = next(value for value in found["values"] if value["value"] == "House")
    assert house["count"] == 2 and house["one_in"] == 68 and house["share"] == 2 / 136


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["strenth"], "Did you mean strength?"),
        (["strength", "--given", "tall [Zz]"], "no card [Zz]"),
        (["strength", "--cards", "x"], "Write a number"),
        (["strength", "--keep"], "--keep takes the name of a ranking"),
        (["Rank", "--cards", "3", "--keep"], "--keep takes the name of a ranking"),
    ],
)
def test_odds_usage_errors(small: Path, arguments: list[str], words: str) -> None:
    result = run(small, *arguments)
    assert result.exit_code == 2 and words in result.stderr


# ---------------------------------------------------------------- counts that are kept
def test_keep_writes_counts_next_to_the_game(small: Path) -> None:
    game = cardlang.load(small)
    assert find_rank_frequencies(game, game.rankings["Rank"]) is None
    assert run(small, "Rank", "--keep").exit_code == 0
    assert read_rank_counts(game, "Rank") == count_ranks(game, "Rank")
    assert run(small, "Rank", "--keep").exit_code == 0
    assert len(json.loads(small.with_name(ODDS_FILE_NAME).read_text(encoding="utf-8"))) == 1


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("number your score", "number your points\n  # of no matter\nnumber your score", True),
        ("2 Dragons of one type\n", "2 Dragons of one type # a comment\n", True),
        ("value >= 2", "value >= 3", False),
        ("1 of each Value, Suit", "2 of each Value, Suit", False),
        ("where value = Top", "where value = 1", False),
    ],
)
def test_count_digest_depends_on_relevant_rules_only(old: str, new: str, same: bool) -> None:
    before, after = (cardlang.loads(text) for text in (RULES, RULES.replace(old, new)))
    assert RULES.replace(old, new) != RULES
    assert (
        compute_ranking_digest(before, before.rankings["Rank"]) == compute_ranking_digest(after, after.rankings["Rank"])
    ) is same


def test_foreign_counts_file_is_ignored(small: Path) -> None:
    game = cardlang.load(small)
    key = compute_ranking_digest(game, game.rankings["Rank"])
    wrong = ('{"hands": 5}', '{"ranks": {"Run": 1}}', '{"hands": 5, "ranks": {"Run": "1"}}')
    wrong += ('{"hands": 5, "ranks": {"Run": 6}}', '{"hands": 0, "ranks": {}}')
    for text in ("", "[]", '{"x": 3}', "{", *(f'{{"{key}": {entry}}}' for entry in wrong)):
        small.with_name(ODDS_FILE_NAME).write_text(text, encoding="utf-8")
        assert find_rank_frequencies(game, game.rankings["Rank"]) is None


@pytest.mark.slow
def test_bundled_counts_are_correct(tmp_path: Path) -> None:
    """All rankings of a size have their counts, also in variants; one of them is counted again, and one is found for
    a copy elsewhere."""
    for name in ("tall_card", "tall_card_fan", "texas_holdem"):
        path = cardlang.shipped()[name]
        game = cardlang.load(path)
        for each in (game, *(cardlang.load(path, variant=variant.title) for variant in game.variants)):
            for ranking in each.rankings.values():
                assert find_rank_frequencies(each, ranking) is not None, (name, each.variant, ranking.name)
    fan = cardlang.load("tall_card_fan")
    assert read_rank_counts(fan, "Combination") == count_ranks(fan, "Combination")
    copy = cardlang.load(shutil.copy(cardlang.shipped()["tall_card"], tmp_path))
    assert sum(read_rank_counts(copy, "Rank").values()) == comb(66, 5)


@pytest.mark.parametrize("counts", ["[" * 50_000, "[" * 50_000 + "]" * 50_000, '{"a":' * 50_000, "1" * 2_000_000])
def test_malformed_counts_file_is_ignored(counts: str, tmp_path: Path) -> None:
    (tmp_path / "odds.json").write_text(counts, encoding="utf-8")
    assert read_odds_entries(tmp_path / "odds.json") == {}


@pytest.mark.parametrize("folder", ["", "classics"])
def test_stored_counts_belong_to_rankings_of_bundled_games(folder: str) -> None:
    """Otherwise their rulebooks would say nothing of how rare the ranks are."""
    entries = read_odds_entries(find_games_folder() / folder / ODDS_FILE_NAME)
    names = {cardlang.load(name).title: name for name in cardlang.shipped()}
    for key, entry in entries.items():
        game = cardlang.load(names[entry["game"]], entry["variant"])
        assert compute_ranking_digest(game, game.rankings[entry["ranking"]]) == key
