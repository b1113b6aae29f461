"""The wheel works in a fresh environment, from any folder."""

import os
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
OFFLINE = (
    "No matching distribution",
    "Could not find a version",
    "Temporary failure",
    "Max retries",
    "ConnectionError",
)


def run(*command: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return subprocess.run(
        [*map(str, command)], cwd=folder, env=clean, capture_output=True, text=True, encoding="utf-8", timeout=600
    )


def pip(python: str | Path, *arguments: str | Path, folder: Path) -> None:
    """Run pip. Skip the test if there is no package index."""
    ran = run(python, "-m", "pip", "--disable-pip-version-check", *arguments, folder=folder)
    if ran.returncode and any(sign in ran.stderr for sign in OFFLINE):
        pytest.skip(f"pip reaches no index: {ran.stderr.strip().splitlines()[-1]}")
    assert ran.returncode == 0, ran.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip(sys.executable, "wheel", ROOT, "--no-deps", "--wheel-dir", folder, folder=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def scripts(wheel: Path) -> Path:
    """Return the folder of commands of an environment with only the wheel installed."""
    home = wheel.parent / "environment"
    venv.create(home, with_pip=True)
    folder = home / ("Scripts" if os.name == "nt" else "bin")
    pip(folder / "python", "install", wheel, folder=wheel.parent)
    return folder


def sources(folder: str, pattern: str) -> set[str]:
    return {path.relative_to(ROOT / folder).as_posix() for path in (ROOT / folder).glob(pattern)}


@pytest.mark.slow
def test_wheel_contains_all_sources(wheel: Path) -> None:
    inside = set(ZipFile(wheel).namelist())
    assert "cardlang/syntax/grammar.tables" in inside and "cardlang/syntax/grammar.lark" in inside
    wanted = {f"cardlang/games/{path}" for path in sources("games", "**/*.cardgame") if "sketches" not in path}
    wanted |= {f"cardlang/{path}" for path in sources("cardlang", "library/*.cardgame")}
    wanted |= {f"cardlang/{path}" for path in sources("cardlang", "rulebook/render/templates/*")}
    wanted |= {f"cardlang/{path}" for path in sources("cardlang", "ui/web/page/*")}
    wanted |= {f"cardlang/{path}" for path in sources("cardlang", "diagnostics/explanations/*")}
    wanted |= {f"cardlang/{path}" for path in sources("cardlang", "**/*.py")}
    wanted |= {f"cardlang/{path}" for ending in ("txt", "sql") for path in sources("cardlang", f"**/*.{ending}")}
    wanted.add("cardlang/cookbook.md")
    wanted |= {f"interpreter/{path}" for path in sources("interpreter", "**/*.py")}
    assert wanted and not wanted - inside


def test_wheel_contains_nothing_else(wheel: Path) -> None:
    outside = [name for name in ZipFile(wheel).namelist() if name.split("/")[0] not in ("cardlang", "interpreter")]
    assert all(".dist-info/" in name for name in outside)
    assert not [name for name in ZipFile(wheel).namelist() if "__pycache__" in name or name.endswith(".pyc")]


@pytest.mark.slow
def test_installed_wheel_plays_and_prints(scripts: Path, tmp_path: Path) -> None:
    played = run(scripts / "cardlang", "play", "tall_card", "--auto", "--seed", "1", folder=tmp_path)
    assert played.returncode == 0 and "The match is over." in played.stdout, played.stderr
    printed = run(scripts / "cardlang", "docs", "tall_card", folder=tmp_path)
    assert printed.returncode == 0 and "# Tall Card" in printed.stdout, printed.stderr
    assert "Cratermaker" in printed.stdout
    explained = run(scripts / "cardlang", "explain", "trade", "cards", folder=tmp_path)
    assert explained.stdout.startswith("Trade cards with another player\n"), explained.stderr


def test_installed_wheel_uses_its_tables(scripts: Path, tmp_path: Path) -> None:
    """They are those of its grammar, and of the parser that is installed with it: not built anew at every start."""
    program = "from cardlang.syntax.parse_tables import read_saved_tables; print(read_saved_tables() is not None)"
    assert run(scripts / "python", "-c", program, folder=tmp_path).stdout == "True\n"
