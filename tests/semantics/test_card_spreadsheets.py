"""Cards from spreadsheets: columns, rules by title, findings with line and cell, hostile files, and copies."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest
from click.testing import CliRunner, Result

import cardlang
from cardlang.cli.commands.docs import find_game_and_companions
from cardlang.cli.main import cli

GAME = """game "Fair" for 2 players
kind Trade: Music (M) called "Music", Mischief (I)
cards Events in deck from "events.csv"
  define calm as no
  "Flood"
    define calm as yes
zone deck seen by nobody
zone your hand seen by owner
number your score
step play
  shuffle deck
  each player
    draw top of deck to your hand
    add count of (your hand where calm) to your score
"""
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


PARTS = {
    "_rels/.rels": "officeDocument book.xml",
    "_rels/book.xml.rels": "styles styles.xml, sharedStrings strings.xml, chartsheet chart.xml, worksheet sheet.xml",
    "book.xml": "<sheets><sheet id='chartsheet'/><sheet id='worksheet'/></sheets>",
    "strings.xml": "<si><t>title</t></si><si><r><t>Flo</t></r><r><t>od</t></r><rPh><t>floh</t></rPh></si>"
    "<si><t>day</t></si>",
    "styles.xml": "<numFmts><numFmt numFmtId='170' formatCode='yyyy'/><numFmt numFmtId='171' formatCode='0 [d]'/>"
    "</numFmts><cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='170'/><xf numFmtId='171'/></cellXfs>",
    "sheet.xml": "<row r='2'><c t='s'><v>0</v></c><c r='C2' t='s'><v>2</v></c></row>"
    "<row r='5'><c t='s'><v>1</v></c><c r='C5' s='1'><v>45292</v></c></row>"
    "<row><c t='inlineStr'><is><t>Fire</t></is></c></row>",
}
"""Parts of a workbook, in short: files with relations, and the content of the others' only element."""


def write_parts(folder: Path, changed: dict[str, str]) -> Path:
    """Write a game with a workbook of these parts."""
    game = write_workbook(folder, [])
    with ZipFile(folder / "events.xlsx", "w", ZIP_DEFLATED) as archive:
        for name, text in (PARTS | changed).items():
            if name.endswith(".rels"):
                pairs = [pair.split() for pair in text.split(", ")]
                text = "".join(f"<Relationship Id='{kind}' Type='x/{kind}' Target='{to}'/>" for kind, to in pairs)
            shown = text if text.startswith("<?") else f"<all xmlns:r='urn:r'>{text.replace(' id=', ' r:id=')}</all>"
            archive.writestr(name, shown)
    return game


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("<c r='C5' s='1'><v>45292</v></c>", "2024-01-01"),
        ("<c r='C5' s='2'><v>45292.75</v></c>", "2024-01-01 18:00"),
        ("<c r='C5' s='2'><v>0.25</v></c>", "06:00"),
        ("<c r='C5' s='3'><v>45292</v></c>", "45292"),
        ("<c r='C5'><v>0.30000000000000004</v></c>", "3/10"),
        ("<c r='C5'><v>1e400</v></c>", "inf"),
        ("<c r='C5' t='str'><f>A1</f><v>a_x000D_b</v></c>", "a b"),
        ("<c r='C5' t='b'><v>1</v></c>", "1"),
    ],
)
def test_cells_have_the_values_that_programs_show(tmp_path: Path, cell: str, value: str) -> None:
    sheet = PARTS["sheet.xml"].replace("<c r='C5' s='1'><v>45292</v></c>", cell)
    game = cardlang.load(write_parts(tmp_path, {"sheet.xml": sheet}))
    assert game.faces[0].title == "Flood"
    assert [str(each) for column in game.columns.values() for each in column.values] == [value, "None"]


def test_days_of_old_workbooks_count_from_1904(tmp_path: Path) -> None:
    book = "<workbookPr date1904='1'/>" + PARTS["book.xml"]
    assert cardlang.load(write_parts(tmp_path, {"book.xml": book})).columns["day"].values == ("2028-01-02", None)


ENTITIES = "<?xml version='1.0'?><!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"


@pytest.mark.parametrize(
    ("part", "text", "place", "reason"),
    [
        ("sheet.xml", ENTITIES + "<a><c t='inlineStr'><is><t>&x;</t></is></c></a>", "3:27", "a document type"),
        ("strings.xml", ENTITIES + "<a><si><t>&x;</t></si></a>", "3:27", "a document type"),
        ("sheet.xml", PARTS["sheet.xml"] + "<mergeCells><mergeCell ref='A5:A6'/></mergeCells>", "3:27", "merged cells"),
        ("sheet.xml", PARTS["sheet.xml"].replace("'5'", "'1048576'"), "3:27", "a cell in row 1,048,576"),
        ("sheet.xml", PARTS["sheet.xml"].replace("'5'", "'1'"), "3:27", "a cell in row 1,"),
        ("sheet.xml", PARTS["sheet.xml"].replace("C5", "XFD5"), "5:", "no heading"),
        ("sheet.xml", PARTS["sheet.xml"].replace("C5", "C5:D6"), "3:27", "can be read"),
        ("sheet.xml", PARTS["sheet.xml"].replace("<v>1<", "<v>9<"), "3:27", "can be read"),
        ("sheet.xml", PARTS["sheet.xml"].replace("<v>45292<", "<f>1+1</f><v><"), "5:8", "no value"),
        ("sheet.xml", PARTS["sheet.xml"].replace("s='1'><v>45292<", "t='e'><v>#N/A<"), "5:8", "no value"),
        ("sheet.xml", "<row/>" * 300_000, "3:27", "more than 300,000 XML"),
        ("styles.xml", "<cellXfs>" + "<xf/>" * 300_000 + "</cellXfs>", "3:27", "more than 300,000"),
        ("strings.xml", " " * (1 << 24), "3:27", "larger than 1 MB"),
        ("book.xml", "<sheets/>", "3:27", "can be read"),
        ("_rels/book.xml.rels", "worksheet ../../etc/passwd", "3:27", "can be read"),
    ],
)  # fmt: skip
def test_faulty_and_hostile_workbooks_are_refused(
    tmp_path: Path, part: str, text: str, place: str, reason: str
) -> None:
    checked = run("check", str(write_parts(tmp_path, {part: text})))
    assert checked.exit_code == 1 and f"{place}" in checked.stdout and reason in checked.stdout


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
