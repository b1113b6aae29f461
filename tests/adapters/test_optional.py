"""Optional packages are optional."""

import shlex
import subprocess
import sys

import pytest

BLOCK = "import sys; sys.modules.update(dict.fromkeys(('pyspiel', 'pettingzoo', 'numpy', 'gymnasium')));"


@pytest.mark.parametrize("extra", ["openspiel", "pettingzoo"])
def test_missing_package_names_its_install_command(extra: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{BLOCK} import cardlang.adapters.{extra}"], capture_output=True, text=True, check=False
    )
    command = shlex.split(done.stderr.strip().splitlines()[-1].partition("Install it: ")[2])
    assert command[:4] == [sys.executable, "-m", "pip", "install"]
    assert any(each.startswith(extra.replace("openspiel", "open-spiel")) for each in command[4:])


def test_core_imports_no_optional_package() -> None:
    code = f"{BLOCK} import cardlang, cardlang.cli, cardlang.adapters; cardlang.load('hearts').start().choose(0)"
    subprocess.run([sys.executable, "-c", code], check=True)
