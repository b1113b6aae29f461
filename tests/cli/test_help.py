"""Help texts are short and complete. `tests.docs.test_commands` runs their examples."""

import re

import click
import pytest

from cardlang.cli.main import COMMANDS
from tests.cli.conftest import Run
from tests.docs.commands import command, examples


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_help_fits_a_screen_of_80_columns(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run(*name.split(), "--help").stdout.splitlines()
    assert [line for line in lines if len(line) > 80 or re.search(r"[a-z]\.\.\.$", line)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_is_explained_in_one_or_two_sentences(name: str) -> None:
    options = [option for option in command(name).params if isinstance(option, click.Option)]
    assert [option.name for option in options if not (option.help or "").endswith(".")] == []
    assert [option.name for option in options if len(option.help or "") > 110] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_two_or_three_examples(name: str) -> None:
    assert 2 <= len(examples(command(name))) <= 3


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_the_first_sentence_of_each_help(name: str) -> None:
    assert COMMANDS[name] == command(name).get_short_help_str(200)
