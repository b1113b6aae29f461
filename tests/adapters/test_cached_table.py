"""Cached tables of the adapters: a changed file or library is loaded again."""

from pathlib import Path

from cardlang.adapters.game_encoding import set_up_cached_table
from tests.cli.conftest import DUEL


def test_changed_file_is_reloaded(tmp_path: Path) -> None:
    path = tmp_path / "duel.cardgame"
    path.write_text(DUEL, "utf-8")
    before = set_up_cached_table(str(path), 2)
    assert set_up_cached_table(str(path), 2) is before
    path.write_text(DUEL.replace('"Long"', '"Longer"'), "utf-8")
    assert [each.title for each in set_up_cached_table(str(path), 2).program.game.variants] == ["Longer"]


def test_changed_library_is_reloaded(tmp_path: Path) -> None:
    library, path = tmp_path / "ends.cardgame", tmp_path / "duel.cardgame"
    library.write_text('library "Ends"\ndefine longest as 3\n', "utf-8")
    path.write_text(DUEL.replace("\nstep trick", "\nuse ends\ndefine twice as 2 * longest\nstep trick", 1), "utf-8")
    before = set_up_cached_table(str(path), 2)
    assert set_up_cached_table(str(path), 2) is before
    library.write_text('library "Ends"\ndefine longest as 4\n', "utf-8")
    assert set_up_cached_table(str(path), 2).program.game.sources[1].text == library.read_text("utf-8")
