"""Hostile files: refused or stopped at the faulty rule, with bounded time and memory, and no traceback."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import frozen

from tests.game_files import read_game

resource = pytest.importorskip("resource", reason="Limits of memory and time are set as Unix does.")

COMMAND = [sys.executable, "-m", "cardlang"]
ROOT = Path(__file__).parents[1]
MEMORY = 256 << 20
SECONDS = 20.0
"""Of processor time, the start of Python included: far more than any of this takes, far less than for ever."""

HEAD = read_game("hostile")
MANY = HEAD.replace("1 of each", "800 of each")


def play(*lines: str, head: str = HEAD) -> str:
    return head + "step play\n" + "".join(f"  {line}\n" for line in lines)


def nested(line: str, depth: int) -> list[str]:
    return ["  " * level + line for level in range(depth)]


REFUSED = {
    "empty": ("", 1),
    "a thousand brackets": (play("set tally to " + "(" * 1000 + "1" + ")" * 1000), 12),
    "a thousand blocks": (play(*(" " * level + "if tally = 0" for level in range(100))), None),
    "sixty thousand terms": (play("set tally to " + "1 + " * 60_000 + "1"), 12),
    "four hundred numbers a card": (
        MANY + "".join(f"number card's n{at}\n" for at in range(400)) + "step play\n  shuffle stock\n",
        20,
    ),
    "zones of a thousand members": (
        HEAD.replace("1 to 6", "1 to 1000")
        + "".join(f"zone Rank's z{at}\n" for at in range(300))
        + "step play\n  shuffle stock\n",
        110,
    ),
    "a thousand options": (
        play(
            "each player", "  you choose one", *(f"    option o{at}\n        set tally to {at}" for at in range(1000))
        ),
        214,
    ),
    "two thousand choices": (play("each player", *["  you may take 1 from stock to your hand"] * 2000), 513),
    "a thousand variants": (
        play("set tally to a")
        + "define a as 1\n"
        + "".join(f'variant "V{at}"\n  define a as {at}\n' for at in range(500)),
        54,
    ),
    "mistakes far down a long step": (play(*["add 1 to tally"] * 5000, *["adds 1 too tally x"] * 20), 5012),
    "a googol": (play("set tally to " + " * ".join(["9999999999"] * 10)), 12),
    "ten million cards": (play("shuffle stock", head=HEAD.replace("1 of each", "10000000 of each")), 4),
    "ten million ranks": (play("shuffle stock", head=HEAD.replace("1 to 6", "1 to 10000000")), 3),
    "a step within itself": (play("do a") + "step a\n  do b\nstep b\n  do a\n", 14),
    "a definition of itself": (play("set tally to a") + "define a as b + 1\ndefine b as a + 1\n", 13),
    "definitions that double": (
        play("set tally to a0")
        + "".join(f"define a{at} as a{at + 1} + a{at + 1}\n" for at in range(60))
        + "define a60 as count of stock\n",
        60,  # a47, the first to need more than 10,000 others: 2 ** 14 - 2
    ),
    "twenty thousand unknown cards": (play("move [" + " ".join(f"z{at}" for at in range(20_000)) + "] to heap"), 12),
    "three thousand other ifs": (
        play("if tally = 9", "  set tally to 1", *["otherwise if tally = 8", "  set tally to 1"] * 3000),
        12,
    ),
    "eight thousand zones of one name": (play("shuffle stock") + "zone heap\n" * 8000, 13),
    "a first line that is indented": ("    " + HEAD.replace("\nkind", "\n  kind", 1), 2),
    "one number of players a thousand times": (
        play("shuffle stock", head=HEAD.replace("2 to 3", ", ".join(["2"] * 1000) + " or 3")),
        1,
    ),
    "a large file": (play("shuffle stock") + "# words and words\n" * 18_000, None),
    "a line without end": (play("shuffle stock") + "# " + "a" * 300_000, None),
}
"""Text and, where it is certain, the line at fault."""

PLAYED = {
    "a list of ten thousand": play("set tally to total of (" + ", ".join(["tally"] * 10_000) + ")"),
    "ninety-eight other ifs": play(
        "if tally = 9", "  set tally to 1",
        *(line for at in range(98) for line in (f"otherwise if tally = {at}", f"  set tally to {at + 1}")),
    ),
    "ninety-seven tops of tops": play("move " + "top of (" * 97 + "stock" + ")" * 97 + " to heap"),
    "ninety-seven ifs in ifs": play(*nested("if tally = 0", 97), "  " * 97 + "add 1 to tally"),
    "ninety-seven repeats in repeats": play(*nested("repeat until tally > 3", 97), "  " * 97 + "add 1 to tally"),
    "loops in loops that end early": play(
        "remember 2 as added", *("  " * at + ("repeat", "each player", "if tally = 0")[at % 3] for at in range(40)),
        "  " * 40 + "add added to tally", "  " * 40 + "finish play",
    ),
    "five hundred whenevers": play("add 1 to tally")
    + "".join(f"whenever tally = {at + 2}\n  add 1 to your score\n".replace("your", "(first of players)'s")
              for at in range(1000)),
    "fifteen hundred cases": play("set tally to a")
    + "define a as\n" + "".join(f"  {at} when tally = {at + 1}\n" for at in range(1500)) + "  otherwise tally\n",
    "two hundred thousand blanks": play("shuffle" + " " * 200_000 + "stock"),
}  # fmt: skip
"""Text that no game needs, and that plays all the same."""

ENDED = {
    "a loop": (play("repeat", "  set tally to 1"), 12),
    "a loop that shuffles": (play("repeat", "  shuffle stock", head=MANY), 12),
    "a loop that moves": (play("repeat", "  move stock to heap", "  move heap to stock", head=MANY), 12),
    "loops in loops": (play(*nested("each card in stock", 3), "      set tally to 1", head=MANY), 14),
    "sixty loops in loops": (
        play(*nested("each player", 60), "  " * 60 + "you may take 1 from heap to your hand"),
        None,
    ),
    "steps that double": (
        play("do a0")
        + "".join(f"step a{at}\n  do a{at + 1}\n  do a{at + 1}\n" for at in range(40))
        + "step a40\n  shuffle stock\n",
        None,
    ),
    "a number that grows": (play("set tally to 3", "repeat", "  set tally to tally * tally"), 14),
    "lists that double": (
        play("remember stock as a0", *(f"remember (a{at}, a{at}) as a{at + 1}" for at in range(90))),
        None,
    ),
    "a billion numbers": (play("each player", "  you choose x from 1 to 1000000000", "  set your score to x"), 13),
    "a bet without limit": (
        play(
            "each player",
            "  you choose one",
            "    option bet with amount from 1 to unlimited",
            "      set your score to amount",
        ),
        14,
    ),
    "pairs of cards": (
        play(
            "each player",
            "  you choose one",
            "    option pair with one from stock, other from stock",
            "      move (one, other) to heap",
            head=MANY,
        ),
        14,
    ),
    "cards that push each other": (
        play("move top of stock to heap")
        + "whenever card enters heap\n  move top of heap to stock\n"
        + "whenever card enters stock\n  move top of stock to heap\n",
        None,
    ),
    "a card that plays itself": (
        read_game("endless_copies"),
        6,
    ),
}
"""Text that checks, and the line of the rule that cannot be carried out."""


@frozen
class Ran:
    status: int
    out: str
    said: str
    seconds: float


def limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def run(*arguments: str | Path, typed: bytes = b"") -> Ran:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=typed, capture_output=True, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT)}, preexec_fn=limited,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    out, said = (stream.decode("utf-8", "replace") for stream in (process.stdout, process.stderr))
    return Ran(process.returncode, out, said, after.ru_utime - before.ru_utime)


def is_clean(ran: Ran) -> bool:
    """Return whether the command ended with a message of its own."""
    told = ran.out + ran.said
    return ran.status in (0, 1, 2, 130) and "Traceback" not in told and "bug in cardlang" not in told


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    return tmp_path / "hostile.cardgame"


@pytest.mark.slow
@pytest.mark.parametrize("name", REFUSED)
def test_hostile_file_is_rejected(name: str, hostile: Path) -> None:
    text, line = REFUSED[name]
    hostile.write_text(text, encoding="utf-8")
    ran = run("check", hostile)
    assert is_clean(ran) and ran.status == 1, ran
    assert "hostile.cardgame:" in ran.out and "error[E" in ran.out
    assert line is None or f"hostile.cardgame:{line}:" in ran.out
    assert ran.seconds < SECONDS
    assert len(ran.out) < 20_000


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYED)
def test_large_but_valid_file_plays(name: str, hostile: Path) -> None:
    hostile.write_text(PLAYED[name], encoding="utf-8")
    ran = run("simulate", hostile, "--games", "1", "--players", "2")
    assert is_clean(ran) and ran.status == 0, ran
    assert ran.seconds < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDED)
def test_endless_rule_stops_at_its_line(name: str, hostile: Path) -> None:
    text, line = ENDED[name]
    hostile.write_text(text, encoding="utf-8")
    ran = run("play", hostile, "--auto", "--seed", "1", "--players", "2")
    assert is_clean(ran) and ran.status == 1, ran
    assert "hostile.cardgame:" in ran.said and "error[R001]" in ran.said
    assert line is None or f"hostile.cardgame:{line}:" in ran.said
    assert ran.seconds < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("command", ["check", "test", "docs", "play", "simulate"])
@pytest.mark.parametrize(
    "data", [b"\x00\x01\xff" * 999, b"\xff\xfe" + "game".encode("utf-16-le")], ids=["bytes", "wide"]
)
def test_binary_file_is_rejected(command: str, data: bytes, hostile: Path) -> None:
    hostile.write_bytes(data)
    ran = run(command, hostile)
    assert is_clean(ran) and ran.status == 1, ran


@pytest.mark.parametrize("command", ["check", "play"])
def test_missing_file_is_reported(command: str, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.cardgame", tmp_path / "no" / "folder.cardgame", tmp_path):
        ran = run(command, path)
        assert is_clean(ran) and ran.status in (1, 2), ran
        assert ran.said or ran.out


@pytest.mark.slow
@pytest.mark.parametrize("typed", [b"", b"\x00\xff\n" * 50 + b"a" * 100_000, b"?\nwhy\nlog\ncards\nundo\nwhy #\n"])
def test_truncated_input_ends_cleanly(typed: bytes) -> None:
    ran = run("play", "kuhn_poker", "--seed", "1", "--plain", typed=typed)
    assert is_clean(ran), ran


def test_interrupt_stops_a_long_run(hostile: Path) -> None:
    text = play("repeat", "  each player", "    you choose x from 1 to 9", "    set your score to x")
    hostile.write_text(text, encoding="utf-8")
    process = subprocess.Popen(
        [*COMMAND, "play", str(hostile), "--auto", "--seed", "1"], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout is not None and process.stderr is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130 and b"Traceback" not in out + said


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_interrupted_simulation_prints_its_counts(jobs: str) -> None:
    process = subprocess.Popen(
        [*COMMAND, "simulate", "kuhn_poker", "--games", str(10**12), "--jobs", jobs, "--json"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limited,
    )  # fmt: skip
    assert process.stderr is not None
    assert b"1,000,000,000,000 matches of 2 players will take about" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert process.returncode == 130 and b"Traceback" not in said, said
    (tally,) = json.loads(out)["players"]
    assert tally["interrupted"] and sum(tally["wins"]) == tally["games"] > 0
    assert tally["games"] + tally["left_out"] == 10**12
