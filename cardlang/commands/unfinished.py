"""Checkpoints of interrupted reports. Each is saved next to its report until the command runs again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

import click
from attrs import define, evolve, field

from cardlang import disk, kept
from cardlang.commands.files import reason
from cardlang.commands.lab import Run, played
from cardlang.lab.summing import Sums
from cardlang.source import Source
from cardlang.terminal.telling import tell

FORMAT = "cardlang unfinished report 1"
START = json.dumps({"format": FORMAT})[:-1].encode()
LARGEST = 1 << 28
"""Maximum size of a checkpoint in bytes."""
PAUSE = 5.0
"""Seconds between two saves."""


@define
class Unfinished:
    """Checkpoint of runs.

    `path` is its file, or None if it is not saved. `of` is a digest of everything that the sums depend on.
    """

    path: Path | None
    of: str
    sums: list[Sums]
    last: float = field(factory=monotonic)
    failed: bool = False

    def keep_now_and_then(self) -> None:
        if monotonic() - self.last > PAUSE:
            self.keep()

    def keep(self) -> bool:
        """Save the sums and return whether that worked. The first failure is reported."""
        if self.path is None:
            return False
        data = START + b", " + json.dumps({"of": self.of, "sums": [each.data() for each in self.sums]}).encode()[1:]
        try:
            disk.replace(self.path, data)
        except OSError as error:
            if not self.failed:
                tell(f"Progress cannot be saved in {self.path}: {reason(error)}", err=True)
            self.failed = True
            return False
        self.last = monotonic()
        return True

    def forget(self) -> None:
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def digest(runs: Sequence[Run], sources: Sequence[Source]) -> str:
    """Return a digest of the rules, the bots, the seeds, the move limit and cardlang itself.

    The number of matches is not part of it.
    """
    texts = [text for source in sources for text in (source.name, source.text)]
    orders = [repr(evolve(run, first=0, stop=0)) for run in runs]
    return kept.digest("".join(map(kept.digest, [version(), *texts, *orders])))


def version() -> str:
    import cardlang
    import interpreter

    return "\n".join(kept.code_of(package.__path__[0]) for package in (cardlang, interpreter))


def unfinished(path: Path | None, runs: Sequence[Run], sources: Sequence[Source]) -> Unfinished:
    """Load the checkpoint next to the report at `path`.

    If it is for other runs, start from zero and report that. Raise `ClickException` if the file is not a checkpoint.
    """
    there = path is not None and (path.is_file() or not path.exists())  # a device has no checkpoint
    beside = path.with_name(path.name + ".part") if path is not None and there else None
    found = Unfinished(beside, digest(runs, sources), [run.blank() for run in runs])
    if beside is None or not beside.exists():
        return found
    try:
        data = disk.read_start(beside, LARGEST)
    except OSError as error:
        raise click.ClickException(f"{beside} cannot be read: {reason(error)}") from error
    if data and not data.startswith(START):
        raise click.ClickException(f"{beside} is not an unfinished report, so it is not changed.")
    sums = read(data, found.of, runs)
    if sums is None:
        tell(f"{beside} is for other rules, bots, seeds or another version. Starting from the beginning.", err=True)
    else:
        found.sums = sums
        tell(f"Continuing after {sum(map(played, sums)):,} matches saved in {beside}.", err=True)
    return found


def read(data: bytes, of: str, runs: Sequence[Run]) -> list[Sums] | None:
    """Read the sums of a checkpoint. Return None if they are not of these runs."""
    try:
        told = json.loads(data)
        if told["of"] != of:
            return None
        sums = [Sums.of(each, run.tables()) for each, run in zip(told["sums"], runs, strict=True)]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return sums if all(played(each) <= run.stop for each, run in zip(sums, runs, strict=True)) else None
