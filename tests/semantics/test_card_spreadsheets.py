"""Cards from spreadsheets: columns, rules by title, findings with line and cell, hostile files, and copies."""

import json
import os
import re
from datetime import date, datetime, time
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from click.testing import CliRunner, Result

import cardlang
from cardlang.cli.commands.docs import find_game_and_companions
from cardlang.cli.main import cli
from tests.game_files import read_game

GAME = read_game("spreadsheet_cards")
EVENTS = """title,count,code,trade,cost,Victory Points,flavour,text
Flood,2,Fl,Music,3,-1,"Wet, wet","Draw a ""card""."
Big  fire,,,mischief,,2.5,hot,
"""


def write(folder: Path, events: str | bytes, game: str = GAME) -> Path:
    (folder / "fair.cardgame").write_text(game, "utf-8")
    (folder / "events.csv").write_bytes(events if isinstance(events, bytes) else events.encode())
    return folder / "fair.cardgame"


def find_errors(folder: Path, events: str | bytes, game: str = GAME) -> list[tuple[str, str, int, int]]:
    """Return the code, file, line and column of each error."""
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.load(write(folder, events, game))
    spans = [(each.code, each.span) for each in caught.value.diagnostics]
    return [(code, Path(span.source.name).name, span.line, span.column) for code, span in spans]


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, args, catch_exceptions=False)


def test_columns_become_values_of_kinds_numbers_and_texts(tmp_path: Path) -> None:
    game = cardlang.load(write(tmp_path, EVENTS))
    assert [(face.title, face.code, face.copies) for face in game.faces] == [
        ("Flood", "Fl", 2),
        ("Big fire", "Big-fire", 1),
    ]
    values = {name: [str(value) for value in column.values] for name, column in game.columns.items()}
    assert values == {
        "trade": ["0", "1"], "cost": ["3", "None"], "victory-points": ["-1", "5/2"], "flavour": ["Wet, wet", "hot"],
    }  # fmt: skip
    assert game.columns["trade"].type.of == "Trade"
    assert [row.doc for row in game.sets["Events"].rows] == ['Draw a "card".', ""]
    assert [len(row.bears) for row in game.sets["Events"].rows] == [1, 0]


def test_a_column_of_values_of_one_kind_has_that_type(tmp_path: Path) -> None:
    game = cardlang.load(write(tmp_path, "title,first,second\nFlood,Music,Music\nFire,Mischief,Jazz\n"))
    assert (game.columns["first"].type.of, game.columns["second"].type.tag) == ("Trade", "text")


def test_sets_share_a_file(tmp_path: Path) -> None:
    both = GAME.replace("zone deck", 'cards Heroes in deck from "events.csv"\nzone deck')
    game = cardlang.load(write(tmp_path, "set,title,cost,life\nevents,Flood,3,\nHeroes,Ann,,7\n", both))
    assert [(face.set, face.title) for face in game.faces] == [("Events", "Flood"), ("Heroes", "Ann")]
    assert [game.sets[name].columns for name in ("Events", "Heroes")] == [("cost",), ("life",)]
    assert [source.name for source in game.sources[1:]] == ["events.csv"]


@pytest.mark.parametrize(
    ("data", "title"),
    [
        (EVENTS.encode("utf-8-sig"), "Big fire"),
        (EVENTS.replace(",", "\t").encode("utf-16"), "Big fire"),
        (b"title;cost\r\nFlood;3\r\nBig;2,5\r\n", "Big"),
        (b"title,cost\rFlood,3\rBig,2.5", "Big"),
        (b'\n\ntitle,text\nFlood,"two\nlines"\n,\nBig,\n', "Big"),
    ],
    ids=["mark", "utf-16 with tabs", "semicolons", "old line ends", "lines in cells"],
)
def test_files_of_common_programs_are_read(tmp_path: Path, data: bytes, title: str) -> None:
    game = cardlang.load(write(tmp_path, data))
    assert [face.title for face in game.faces] == ["Flood", title]


@pytest.mark.parametrize(
    ("events", "errors"),
    [
        ("titel,count\nFlood,2\n", [("E247", "events.csv", 1, 1)]),
        ("", [("E247", "events.csv", 1, 1)]),
        ("title,count\n", [("E247", "events.csv", 1, 1)]),
        ("title,cost,cost\nFlood,1,2\n", [("E247", "events.csv", 1, 12)]),
        ("title,Größe\nFlood,2\n", [("E247", "events.csv", 1, 7)]),
        ("title,count\nFlood,many\n", [("E247", "events.csv", 2, 7)]),
        ("title,count\nFlood,-1\n", [("E247", "events.csv", 2, 7)]),
        ("title,count\nFlood,1\n,2\n", [("E247", "events.csv", 3, 1)]),
        ("title,text\nFlood,Draw one, or two.\n", [("E247", "events.csv", 2, 16)]),
        ('title,text\nFlood,"Draw\n', [("E247", "events.csv", 2, 7)]),
        ('title,text\n"Flood" and,1\n', [("E247", "events.csv", 2, 1)]),
        ("title,text\nFlood,Draw {1 +}.\n", [("E117", "events.csv", 2, 13)]),
        ('title,text\nFlood,"Draw {1 +}."\n', [("E117", "events.csv", 2, 14)]),
        ("title,text\nFlood,{nope}\n", [("E201", "events.csv", 2, 8)]),
        ("title,trade\nFlood,Jazz\n", [("E238", "events.csv", 2, 7)]),
        ("title\nFlood\nFlood!\n", [("E213", "events.csv", 3, 1)]),
        ("title\nFlood\n!?\n", [("E245", "events.csv", 3, 1)]),
        ("title,count\nFlood,20000\n", [("E239", "fair.cardgame", 3, 7)]),
        ("title\nFire\n", [("E247", "fair.cardgame", 5, 3)]),
        ("title,text\nFlood," + "x" * 10_001 + "\n", [("E247", "events.csv", 2, 7)]),
        ("title,cost\nFlood,#DIV/0!\n", [("E247", "events.csv", 2, 7)]),
        ("title" + ",a" * 200 + "\nFlood\n", [("E247", "events.csv", 1, 405)]),
        ("title\n" + "\n" * 9 + "Flood\n" * 10_001, [("E247", "events.csv", 10_011, 1)]),
        ("title,text\nFlood," + "{1}" * 3_000 + "\nFire," + "{2}" * 2_001, [("E247", "events.csv", 3, 6)]),
        ("set,title\nHeroes,Flood\n", [("E247", "events.csv", 1, 1)]),
        (b"title\nGr\xfcn\n", [("E120", "events.csv", 2, 3)]),
        ("title\nFlo\u202eod\n", [("E120", "events.csv", 2, 4)]),
        (b"\x7fELF\x02\x01\0\0" + b"\xff" * 100, [("E247", "fair.cardgame", 3, 27)]),
        ("title\n" + "Flood\n" * 200_000, [("E247", "fair.cardgame", 3, 27)]),
    ],
)  # fmt: skip
def test_errors_point_to_line_and_cell(
    tmp_path: Path, events: str | bytes, errors: list[tuple[str, str, int, int]]
) -> None:
    assert find_errors(tmp_path, events) == errors


@pytest.mark.parametrize(
    "name",
    [
        "../events.csv",
        "/etc/passwd",
        "sub/events.csv",
        "a\\\\b.csv",
        "c:x.csv",
        "events.ods",
        "fair.cardgame",
        "no.csv",
    ],
)
def test_other_places_and_types_are_refused(tmp_path: Path, name: str) -> None:
    assert find_errors(tmp_path, EVENTS, GAME.replace("events.csv", name)) == [("E247", "fair.cardgame", 3, 27)]


def test_links_and_folders_are_refused(tmp_path: Path) -> None:
    for place, make in (("a", lambda path: os.symlink("/etc/hostname", path)), ("b", os.mkdir), ("c", os.mkfifo)):
        folder = tmp_path / place
        folder.mkdir()
        game = write(folder, EVENTS)
        (folder / "events.csv").unlink()
        make(folder / "events.csv")
        checked = run("check", str(game))
        assert checked.exit_code == 1 and "3:27: error[E247]" in checked.stdout


def test_two_rules_for_one_title_are_refused(tmp_path: Path) -> None:
    twice = GAME.replace("zone deck", '  "Flood"\n    define calm as no\nzone deck', 1)
    assert find_errors(tmp_path, EVENTS, twice) == [("E247", "fair.cardgame", 7, 3)]


def test_ten_thousand_rows_are_read_or_reported_once(tmp_path: Path) -> None:
    lines = "".join(f"Card {number},1,Music\n" for number in range(9_999))
    game = cardlang.load(write(tmp_path, "title,count,trade\nFlood,1,Music\n" + lines))
    assert game.cards == 10_000
    checked = run("check", str(write(tmp_path, "title,count\nFlood,x\n" + "Fire,x\n" * 9_999)))
    assert "and 9,980 more like this" in checked.stdout


# ---------------------------------------------------------------- workbooks
def write_workbook(folder: Path, rows: list[list[object]]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(folder / "events.xlsx")
    (folder / "fair.cardgame").write_text(GAME.replace("events.csv", "events.xlsx"), "utf-8")
    return folder / "fair.cardgame"


def test_the_first_sheet_of_a_workbook_is_read(tmp_path: Path) -> None:
    rows = [
        ["title", "count", "cost", "rare", "text"],
        ["Flood", 2, 1.5, True, "Two\nlines, wet."],
        ["Fire", 1, 3.0, False, None],
    ]
    game = cardlang.load(write_workbook(tmp_path, rows))
    assert [(face.title, face.copies) for face in game.faces] == [("Flood", 2), ("Fire", 1)]
    assert [str(value) for value in game.columns["cost"].values] == ["3/2", "3"]
    assert game.columns["rare"].type.tag == "flag" and game.sets["Events"].rows[0].doc == "Two lines, wet."


def test_errors_in_a_workbook_point_to_its_lines(tmp_path: Path) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.load(write_workbook(tmp_path, [["title", "count"], ["Flood", 2], ["Fire", "many"]]))
    assert [str(each.span) for each in caught.value.diagnostics] == ["events.xlsx:3:6"]


@pytest.mark.parametrize("data", [b"", b"PK\3\4", b"\x7fELF" * 100, EVENTS.encode(), b"PK\1\2" * 20_000])
def test_other_files_are_no_workbooks(tmp_path: Path, data: bytes) -> None:
    game = write_workbook(tmp_path, [])
    (tmp_path / "events.xlsx").write_bytes(data)
    checked = run("check", str(game))
    assert checked.exit_code == 1 and "3:27: error[E247]" in checked.stdout


def test_a_workbook_with_more_text_than_a_csv_file_is_refused(tmp_path: Path) -> None:
    game = write_workbook(tmp_path, [["title"], *(["Flood" * 100] for _ in range(20_000))])
    checked = run("check", str(game))
    assert "events.xlsx is larger than 1 MB" in checked.stdout


def test_nine_thousand_rows_of_a_workbook_are_read(tmp_path: Path) -> None:
    rows = [["title", "cost", "text"], ["Flood", 1, "One; two, “three”."]]
    game = cardlang.load(write_workbook(tmp_path, [*rows, *([f"Card {number}", number] for number in range(9_000))]))
    assert game.cards == 9_001 and game.sets["Events"].rows[0].doc == "One; two, “three”."


SHEET, STYLES = "xl/worksheets/sheet1.xml", "xl/styles.xml"
ENTITIES = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"


def write_changed_workbook(folder: Path, part: str, old: str, new: str) -> Path:
    """Write a game whose workbook has a part changed by a regular expression."""
    game = write_workbook(folder, [["title", "day"], ["Flood", 45292]])
    with ZipFile(folder / "events.xlsx") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    changed = re.sub(old, new, parts[part].decode(), count=1, flags=re.DOTALL)
    with ZipFile(folder / "events.xlsx", "w", ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, changed if name == part else data)
    return game


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (date(2024, 1, 1), "2024-01-01"),
        (datetime(2024, 1, 1, 18), "2024-01-01 18:00"),
        (time(6), "06:00:00"),
        (0.1 + 0.2, "3/10"),
        ("a\r\nb", "a b"),
        (True, "1"),
    ],
)
def test_cells_have_the_values_that_programs_show(tmp_path: Path, value: object, shown: str) -> None:
    game = cardlang.load(write_workbook(tmp_path, [["title", "day"], ["Flood", value], ["Fire", None]]))
    assert [str(each) for each in game.columns["day"].values] == [shown, "None"]


@pytest.mark.parametrize(
    ("part", "old", "new", "place", "reason"),
    [
        (SHEET, "<worksheet(.*)Flood", ENTITIES + r"<worksheet\1&x;", "3:27", "can be read"),
        (SHEET, "</sheetData>", "</sheetData><mergeCells><mergeCell ref='A5:A6'/></mergeCells>", "3:27", "merged"),
        (SHEET, 'r="2"', 'r="1048576"', "3:27", "far from the others"),
        (SHEET, 'r="B2"', 'r="XFD2"', "2:", "no heading"),
        (SHEET, 't="n"', 't="s"', "3:27", "can be read"),
        (SHEET, "</sheetData>", "<row><c/><c/></row>" * 200_000 + "</sheetData>", "3:27", "far from the others"),
        (SHEET, "</sheetData>", " " * (1 << 22) + "</sheetData>", "3:27", "larger than 1 MB"),
        (STYLES, "</cellXfs>", "<xf/>" * 100_000 + "</cellXfs>", "3:27", "larger than 1 MB"),
        ("xl/workbook.xml", "sheets>", "other>", "3:27", "can be read"),
        ("xl/_rels/workbook.xml.rels", "worksheets/sheet1.xml", "../../etc/passwd", "3:27", "can be read"),
    ],
)
def test_faulty_and_hostile_workbooks_are_refused(
    tmp_path: Path, part: str, old: str, new: str, place: str, reason: str
) -> None:
    new = new.replace("'", '"')
    checked = run("check", str(write_changed_workbook(tmp_path, part, old, new)))
    assert checked.exit_code == 1 and f":{place}" in checked.stdout and reason in checked.stdout


def test_the_case_of_a_name_is_kept_or_suggested(tmp_path: Path) -> None:
    game = write(tmp_path, EVENTS, GAME.replace("events.csv", "Events.CSV"))
    if not (tmp_path / "Events.CSV").exists():
        assert "hint: Write its name as events.csv." in run("check", str(game)).stdout
        (tmp_path / "events.csv").rename(tmp_path / "Events.CSV")
    assert cardlang.load(game).faces[0].title == "Flood"


# ---------------------------------------------------------------- tools that read or copy games
def test_a_table_written_from_a_game_makes_the_same_cards(tmp_path: Path) -> None:
    game = cardlang.load("tail_story")
    assert run("cards", "tail_story", "--csv", "-o", str(tmp_path / "all.csv")).exit_code == 0
    text = 'game "Copy" for 2 players\nkind Type: Canine, Feline, Rodent\nzone box\nzone roster\n'
    text += (
        "".join(f'cards {name} in {each.home} from "all.csv"\n' for name, each in game.sets.items())
        + "number your score\nstep play\n  shuffle box\n"
    )
    (tmp_path / "copy.cardgame").write_text(text, "utf-8")
    copy = cardlang.load(tmp_path / "copy.cardgame")
    assert [(f.set, f.title, f.code, f.copies) for f in copy.faces] == [
        (f.set, f.title, f.code, f.copies) for f in game.faces
    ]
    assert {name: column.values for name, column in copy.columns.items()} == {
        name: column.values for name, column in game.columns.items()
    }
    assert [row.doc for each in copy.sets.values() for row in each.rows] == [
        row.doc for each in game.sets.values() for row in each.rows
    ]


def test_a_record_replays_without_the_spreadsheet(tmp_path: Path) -> None:
    game, record = write(tmp_path, EVENTS), tmp_path / "match.jsonl"
    assert run("play", str(game), "--auto", "--seed", "1", "--record", str(record)).exit_code == 0
    files = json.loads(record.read_text("utf-8").splitlines()[0])["files"]
    assert [file["name"] for file in files] == ["fair.cardgame", "events.csv"] and files[1]["text"] == EVENTS
    (tmp_path / "events.csv").unlink()
    assert run("replay", str(record)).exit_code == 0


def test_a_changed_spreadsheet_is_checked_again(tmp_path: Path) -> None:
    game = write(tmp_path, EVENTS)
    assert run("check", str(game)).exit_code == 0
    assert run("check", str(write(tmp_path, EVENTS.replace("2,Fl", "x,Fl")))).exit_code == 1


def test_a_copy_of_a_game_has_its_spreadsheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "new").mkdir()
    game = write(tmp_path / "old", EVENTS)
    monkeypatch.chdir(tmp_path / "new")
    assert run("new", "market", "--from", str(game)).exit_code == 0
    assert Path("events.csv").read_text("utf-8") == EVENTS
    assert run("check", "market").exit_code == 0
    Path("events.csv").write_text("title\nFlood\n", "utf-8")
    assert "events.csv is not the file that Fair uses" in run("new", "other", "--from", str(game)).stderr


def test_watched_documents_include_the_spreadsheet(tmp_path: Path) -> None:
    game = write(tmp_path, EVENTS)
    assert find_game_and_companions(game) == [game, tmp_path / "events.csv"]


def test_a_difference_in_a_spreadsheet_is_a_difference_of_the_game(tmp_path: Path) -> None:
    for place, events in (("a", EVENTS), ("b", EVENTS.replace("Music,3", "Music,4"))):
        (tmp_path / place).mkdir()
        write(tmp_path / place, events)
    found = run("diff", str(tmp_path / "a" / "fair.cardgame"), str(tmp_path / "b" / "fair.cardgame"))
    assert "Flood" in found.stdout


def test_a_text_too_long_for_its_card_is_reported_in_the_spreadsheet(tmp_path: Path) -> None:
    game = write(tmp_path, EVENTS + "Long,1,,Music,,,," + "Draw a card. " * 200 + "\n")
    printed = run("cards", str(game), "-o", str(tmp_path / "cards.pdf"))
    assert "events.csv:4:1: warning[W462]" in printed.stderr


@pytest.mark.parametrize("column", ["trade", "craft"])
def test_misspelt_value_of_a_kind_is_an_error_in_its_cell(tmp_path: Path, column: str) -> None:
    events = f"title,{column}\nFlood,Music\nFire,Mischief\nStorm,Misic\n"
    path = write(tmp_path, events)
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.load(path)
    (error,) = caught.value.diagnostics
    assert (error.span.text, error.span.line, error.hint) == ("Misic", 4, "Did you mean `Music`?")


@pytest.mark.parametrize(("cells", "place"), [("one,1,2,3", 2), ("1,2,two,3", 4), ("yes,no,perhaps", 4)])
def test_a_text_among_numbers_or_flags_is_an_error_in_its_cell(tmp_path: Path, cells: str, place: int) -> None:
    lines = [f"Card {number},{cell}" for number, cell in enumerate(cells.split(","))]
    found = find_errors(tmp_path, "\n".join(["title,worth", "Flood,", *lines]))
    assert found == [("E238", "events.csv", place + 1, 8)]


def test_column_of_other_texts_stays_text(tmp_path: Path) -> None:
    game = cardlang.load(write(tmp_path, "title,mood\nFlood,Music\nFire,Gloomy\nStorm,Music\n"))
    assert game.columns["mood"].type.tag == "text"


def test_check_names_the_game_of_a_spreadsheet(tmp_path: Path) -> None:
    game = write(tmp_path, EVENTS)
    refused = run("check", str(tmp_path / "events.csv"))
    assert refused.exit_code == 2 and "is a spreadsheet" in refused.stderr and str(game) in refused.stderr
