"""Translations: the table of an author's texts, games in another language, and bad tables."""

import csv
from pathlib import Path

import pytest

import cardlang
from cardlang.rulebook.plan.card_faces import CardDesign
from cardlang.ui.web.game_catalog import GameCatalog
from interpreter.bots.bot_players import RandomPlayer
from tests.cli.conftest import Run
from tests.docs.documents import ROOT

GOBLINS = ROOT / "docs" / "examples" / "goblin_band.cardgame"
GERMAN = {
    "Goblin Band": "Koboldkapelle",
    "Busker": "Straßenmusikant",
    "Heckler": "Zwischenrufer",
    "Music": "Musik",
    "fair": "Jahrmarkt",
    "Take 2 coins.": "Nimm 2 Münzen.",
    "hire {goblin}": "{goblin} anheuern",
    "play in the street": "auf der Straße spielen",
}


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Write a game with a German translation of some of its texts."""
    path = tmp_path / "goblin_band.cardgame"
    path.write_bytes(GOBLINS.read_bytes())
    write_table(tmp_path / "goblin_band.de.csv", GERMAN)
    return path


def write_table(path: Path, translations: dict[str, str]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(
            [("text", "translation", "comment"), *((*each, "?") for each in translations.items())]
        )


def read_table(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["text"]: row for row in csv.DictReader(file)}


def test_table_lists_each_text_once_with_its_use(run: Run, game: Path) -> None:
    listed = run("texts", game).stdout.splitlines()
    assert listed[0] == "use,text,translation"
    assert {"game,Goblin Band,", "card,Busker,", "name,Music,", "name,fair,", "option,hire {goblin},"} <= {*listed}
    assert "card text,Take 2 coins.," in listed and len(listed) == len({*listed})
    assert not any(each.startswith("example,") or "A Bouncer stops" in each for each in listed)


def test_updated_table_keeps_translations_and_columns(run: Run, game: Path) -> None:
    path = game.with_suffix(".de.csv")
    write_table(path, GERMAN | {"Old text": "Alter Text"})
    assert run("texts", game, "--language", "de").exit_code == 0
    rows = read_table(path)
    assert {text: rows[text]["translation"] for text in GERMAN} == GERMAN
    assert (rows["Busker"]["comment"], rows["Drummer"]["translation"]) == ("?", "")
    assert [*rows][-1] == "Old text"
    before = path.read_bytes()
    run("texts", game, "--language", "de")
    assert path.read_bytes() == before


def test_cards_and_rules_are_translated_and_icons_stay(game: Path) -> None:
    german, english = cardlang.load(game, language="de"), cardlang.load(game)
    fronts = [CardDesign(each).build_front(each.faces[0]) for each in (german, english)]
    assert [front.title for front in fronts] == ["Straßenmusikant", "Busker"]
    assert fronts[0].passages[0].text == "Nimm 2 Münzen." and "Musik" in fronts[0].footer
    assert (fronts[0].picture, fronts[0].index) == (fronts[1].picture, fronts[1].index)
    assert german.faces[0].code == "Straßenmusikant"
    assert german.zones["fair"].noun.singular == "Jahrmarkt"
    assert all(example.run().passed for example in german.examples)


def test_log_leaves_the_grammar_of_translations_alone(run: Run, game: Path) -> None:
    log = run("play", game, "--language", "de", "--auto", "--seed", "3", "--players", "3").stdout
    assert "Bob chooses “[Zwischenrufer] anheuern”." in log and "chooses “auf der Straße spielen”." in log


@pytest.mark.parametrize("name", ["goblin_band", "tail_story"])
def test_language_changes_no_record(run: Run, tmp_path: Path, game: Path, name: str) -> None:
    source = game if name == "goblin_band" else cardlang.shipped()[name]
    path = tmp_path / f"{name}.cardgame"
    path.write_bytes(source.read_bytes())
    table = tmp_path / f"{name}.de.csv"
    run("texts", path, "--language", "de")
    write_table(table, {text: f"Ü {text} ß" for text in read_table(table)})
    records = []
    for language in ((), ("--language", "de")):
        record = tmp_path / f"record{len(records)}"
        played = run("play", path, *language, "--auto", "--seed", "5", "--players", "3", "--record", record)
        assert played.exit_code == 0 and ("Ü" in played.stdout) == bool(language)
        records.append(record.read_bytes())
    assert records[0] == records[1]
    assert run("replay", tmp_path / "record1").exit_code == 0


def test_record_resumes_in_another_language(game: Path, tmp_path: Path) -> None:
    match = cardlang.load(game, language="de").start(3, seed=5)
    bot = RandomPlayer(1)
    for _ in range(8):
        match.choose(bot.choose(match))  # type: ignore[arg-type]
    match.save(tmp_path / "record")
    resumed = cardlang.resume(tmp_path / "record")
    assert resumed.places == match.places and "Goblin Band" in str(resumed.view(None))


def test_variant_is_translated_as_well(tmp_path: Path) -> None:
    path = tmp_path / "goblins.cardgame"
    path.write_text(
        GOBLINS.read_text("utf-8") + '\nvariant "Long game" "Seven goblins."\n  number your extra\n', "utf-8"
    )
    write_table(tmp_path / "goblins.de.csv", GERMAN | {"Seven goblins.": "Sieben Kobolde."})
    game = cardlang.load(path, language="de")
    (variant,) = game.variants
    assert (variant.title, variant.doc) == ("Long game", "Sieben Kobolde.")
    assert variant.game.title == "Koboldkapelle" and variant.game.untranslated.title == "Goblin Band"


def test_browser_lists_and_resumes_games_in_the_language(game: Path) -> None:
    catalog = GameCatalog.from_paths([game], "de")
    assert catalog.list_titles()[0]["title"] == "Koboldkapelle"
    german = catalog.load_version("goblin_band")
    english = GameCatalog.from_paths([game]).load_version("goblin_band")
    assert german.game.title == "Koboldkapelle" and german.version != english.version
    files = {source.name: source.text for source in german.game.sources[1:]}
    assert catalog.load_recorded_game(german.game.sources[0].text, game.name, None, files).title == "Koboldkapelle"


def test_rulebook_is_translated_and_its_links_lead_to_the_new_headings(run: Run, game: Path) -> None:
    rules = (
        "# Goblin Band\n\n## The fair\n\nSee [turns](#your-turn).\n\n## Your turn\n\n- Hire.\n\n<!-- rules: goal -->\n"
    )
    game.with_suffix(".rules.md").write_text(rules, "utf-8")
    run("review", game)
    words = {"The fair": "Der Jahrmarkt", "Your turn": "Dein Zug", "See [turns](#your-turn).": "[Züge](#your-turn)."}
    write_table(game.with_suffix(".de.csv"), GERMAN | words | {"Hire.": "Heuere an."})
    assert {"rulebook,Your turn,", "rulebook,Hire.,"} <= {*run("texts", game).stdout.splitlines()}
    sheet = run("docs", game, "--language", "de").stdout
    assert "## Der Jahrmarkt" in sheet and "[Züge](#dein-zug)." in sheet and "- Heuere an." in sheet


@pytest.mark.parametrize(
    ("translations", "reason"),
    [
        ({"hire {goblin}": "{kobold} anheuern"}, "This translation needs `{goblin}`."),
        ({"hire {goblin}": "anheuern"}, "This translation needs `{goblin}`."),
        ({"Busker": "Kobold", "Drummer": "Kobold"}, "“Kobold” also translates “Busker”."),
        ({"Gone": "Weg"}, "1 translation is of no text in the game."),
        ({"Busker": "x" * 20_000}, "longer than"),
    ],
)
def test_check_points_into_the_table(run: Run, game: Path, translations: dict[str, str], reason: str) -> None:
    write_table(game.with_suffix(".de.csv"), GERMAN | translations)
    checked = run("check", game)
    assert reason in checked.stdout and "goblin_band.de.csv:" in checked.stdout and checked.exit_code == 0
    assert cardlang.load(game, language="de").title == "Koboldkapelle"


def test_complete_translation_has_no_warning(run: Run, game: Path) -> None:
    path = game.with_suffix(".de.csv")
    run("texts", game, "--language", "de")
    write_table(path, {text: row["translation"] or f"Ü {text}" for text, row in read_table(path).items()})
    assert "no errors" in run("check", game).stderr
    write_table(path, GERMAN)
    assert "have no translation" in run("check", game).stdout


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a,b\n1,2\n", "no columns `text` and `translation`"),
        (b"\x7fELF\0\0\1\xff", "not a text file"),
        (b'text,translation\n"Busker,Musikant\n', "quotation marks"),
        (b"text,translation\nBusker,a\x1b[31mb\n", "character"),
        (b"text,translation\n" + b"x,y\n" * 300_000, "larger than 1 MB"),
    ],
)
def test_file_that_is_no_table_is_an_error_with_a_place(run: Run, game: Path, content: bytes, reason: str) -> None:
    path = game.with_suffix(".de.csv")
    path.write_bytes(content)
    for command in (["play", game, "--auto"], ["texts", game]):
        refused = run(*command, "--language", "de")
        assert refused.exit_code == 1 and reason in refused.stderr and "goblin_band.de.csv" in refused.stderr
    assert path.read_bytes() == content
    assert reason in run("check", game).stdout


def test_missing_table_and_odd_languages_are_usage_errors(run: Run, game: Path) -> None:
    missing = run("cards", game, "--language", "fr")
    assert missing.exit_code == 2 and f"cardlang texts {game} --language fr" in missing.stderr
    for language in ("../x", "d", "de/fr", ""):
        assert run("texts", game, "--language", language).exit_code == 2


def test_table_is_not_written_through_a_link(run: Run, game: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("text,translation\n", "utf-8")
    game.with_suffix(".fr.csv").symlink_to(secret)
    game.with_suffix(".it.csv").symlink_to(tmp_path / "nowhere")
    for language in ("fr", "it"):
        assert run("texts", game, "--language", language).exit_code == 1
    assert secret.read_text("utf-8") == "text,translation\n" and not (tmp_path / "nowhere").exists()
