"""Server for a test, started like a user's, on loopback."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SEED = 81_472_939
"""Seed of the first match of each server. No page contains this number for another reason."""
STONES = """game "Stones" for 2 players
"Stones lie in hand."

cards Thing in box
  8 of "Stone" (St)
zone box seen by nobody
zone pile
zone your hand seen by owner
number your score

step play
  each player
    deal top 3 of box to your hand
  repeat until players' hand is empty
    each player
      you play 1 from your hand to pile
      add 1 to your score
      tell "{you} put a stone, the {count of pile} of the pile, and hold {count of your hand}."
"""


QUICK = """import sys
from functools import partial
from cardlang.cli.main import main
from cardlang.ui.web import server
server.ConnectionHub = partial(server.ConnectionHub, bot_pause=0.1)
sys.exit(main())"""
"""The command `cardlang`, with bots that don't wait for people to follow."""


class Server:
    """`cardlang serve` in a process, with the seed `SEED` unless `arguments` name one. `url`: the house."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder, self.arguments, self.port = folder, arguments, 0
        self.start()

    def start(self) -> None:
        """Starts it, or starts it again at the same port."""
        command = [sys.executable, "-c", QUICK, "serve", "--port", str(self.port), "--data", "tables.db"]
        settings = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [*command, "--seed", str(SEED), *self.arguments],
            cwd=self.folder,
            env=settings,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()
        found = re.fullmatch(r"http://[\w.:]+:(\d+)/#house/[\w-]+\n", self.process.stdout.readline())
        assert found is not None, "the link has a line of its own"
        self.url, self.port = found[0].strip(), int(found[1])

    def kill(self) -> None:
        """As a power cut or the system does: without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
