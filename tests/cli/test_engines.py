"""`cardlang simulate` comes to the same with either engine."""

from __future__ import annotations

import json

import pytest

from interpreter.native.compilers import NoCompiler
from interpreter.players import engines
from tests.cli.conftest import Run
from tests.native.following import needs_either

pytestmark = needs_either


def counted(run: Run, *arguments: str) -> dict[str, object]:
    result = run("simulate", *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)
    for each in found["players"]:  # type: ignore[attr-defined]
        del each["decisions_per_second"]
    return found


@pytest.mark.parametrize("name", ["kuhn_poker", "scopa", "tall_card", "blackjack"])
@pytest.mark.parametrize("cap", ["25", "10000"])
def test_both_engines_come_to_the_same(run: Run, name: str, cap: str) -> None:
    arguments = [name, "--games", "40", "--seed", "-3", "--cap", cap]
    native, plain = (counted(run, *arguments, "--engine", engine) for engine in ("native", "python"))
    assert (native.pop("engine"), plain.pop("engine")) == ("native", "python")
    assert native == plain


def test_processes_that_play_at_once_do_not_disturb_each_other(run: Run) -> None:
    """Each has the state that it plays in to itself, though both come from the process that made the engine."""
    arguments = ["kuhn_poker", "--games", "40000", "--engine", "native"]
    assert counted(run, *arguments, "--jobs", "2") == counted(run, *arguments, "--jobs", "1")


def test_bots_that_try_moves_out_do_the_same_in_any_number_of_processes(run: Run) -> None:
    arguments = ["leduc_poker", "--games", "60", "--bot", "steady", "--seed", "4"]
    one, two = counted(run, *arguments), counted(run, *arguments, "--jobs", "2")
    assert one == two
    assert one["engine"] == "native"


def test_bots_without_machine_code_think_in_python_and_it_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NoCompiler("there is no C compiler")

    monkeypatch.setattr(engines, "engine_of", refuse)
    monkeypatch.setattr(engines, "_made", {})
    result = run("simulate", "kuhn_poker", "--games", "3", "--bot", "search", "--json")
    assert json.loads(result.stdout)["engine"] == "python"
    assert result.stderr.count("there is no C compiler") == 1
    assert "Python plays" in result.stderr
