"""`cardlang` without a command: list the games and the unfinished matches."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import cardlang
from cardlang.commands import keeping
from cardlang.commands.files import games_here
from cardlang.commands.keeping import Kept
from cardlang.commands.running import go_on_with_record, rules_at_fault
from cardlang.commands.seats import BOTS, NAMES, USUAL
from cardlang.commands.sitting import Table, begin, draws, sit
from cardlang.disk import read_start
from cardlang.limits import MAX_BYTES
from cardlang.terminal.offers import Choice, Offer
from cardlang.terminal.telling import tell

HEAD = re.compile(
    r'^game "(?P<title>[^"\n]+)" for (?P<low>\d{1,4}+)'
    r"(?: to (?P<high>\d{1,4}+)|(?P<others>(?:, \d{1,4}+)* or \d{1,4}+))?"
    r' players?(?P<pitch>(?:\s+"[^"\n]*")*)',
    re.M,
)
"""Pattern of the first line of a game file, faster than the parser."""
MOST = 20
"""Maximum number of player counts offered for a game."""
VARIANT = re.compile(r'^variant "([^"\n]+)"', re.M)
SPANS = ((90, "just now", 1), (5400, "{} minutes ago", 60), (129_600, "{} hours ago", 3600))


def home() -> None:
    """Let the user choose and play matches on a full-screen terminal, or list games and matches elsewhere."""
    if not draws(plain=False):
        list_all()
        return
    from cardlang.terminal.screen.home import HomeApp

    while True:
        matches = {str(each.record): each for each in keeping.going_on()}
        choice = HomeApp([*map(kept_offer, matches.values())], list(games()), BOTS, USUAL).run()
        if choice is None:
            return
        with rules_at_fault():
            if choice.players:
                sit(new(choice), plain=False, unasked=True)
            else:
                kept = matches[choice.offer.name]
                sit(Table(go_on_with_record(kept.record), list(kept.seats)), plain=False, kept=kept.record)


def new(choice: Choice) -> Table:
    """Start the chosen match. The person takes the first seat."""
    names = NAMES[: choice.players]
    seats = tuple(f"{name}={'you' if name == names[0] else choice.bot}" for name in names)
    return begin(choice.offer.name, choice.players, seats, None, choice.variant or None, auto=False)


def list_all() -> None:
    """Print the unfinished matches and the games, one a line."""
    for kept in keeping.going_on():
        offer = kept_offer(kept)
        rules = " with the old rules" if offer.old else ""
        tell(f"Resume {offer.title}{rules}, {offer.detail}: cardlang play --resume {kept.record}")
    for offer in games():
        tell(f"{offer.name}: {offer.title}, {offer.detail}")
    tell("Play a game: cardlang play NAME. List all commands: cardlang --help")


# ---------------------------------------------------------------- games and saved matches
def games() -> Iterator[Offer]:
    """Yield the games of the working folder, then the bundled games."""
    here = [str(path) for path in games_here()]
    for name, path in [*((name, Path(name)) for name in here), *cardlang.shipped().items()]:
        try:
            text = read_start(path, MAX_BYTES).decode("utf-8", "replace")
        except OSError:
            continue
        head = HEAD.search(text)
        if head is not None and (players := counts(head)):
            words = " ".join(re.findall(r'"([^"\n]*)"', head["pitch"]))
            yield Offer(name, head["title"], words, players, tuple(VARIANT.findall(text)))


def counts(head: re.Match[str]) -> tuple[int, ...]:
    """Return the player counts of a game, at most `MOST`."""
    low, high, others = int(head["low"]), head["high"], re.findall(r"\d+", head["others"] or "")
    return tuple(range(low, int(high) + 1)[:MOST]) if high else (low, *map(int, others[: MOST - 1]))


def kept_offer(kept: Kept) -> Offer:
    others = [seat.name for seat in kept.seats if not seat.is_person]
    people = [seat.name for seat in kept.seats if seat.is_person]
    who = ", ".join(people) + (f" against {', '.join(others)}" if others else "")
    variant = f" ({kept.variant})" if kept.variant else ""
    when = "open in another window" if kept.busy else ago(time.time() - kept.played)
    return Offer(str(kept.record), kept.title + variant, f"{who}, {when}", old=keeping.has_old_rules(kept))


def ago(seconds: float) -> str:
    """Return `5 minutes ago`."""
    for most, words, unit in SPANS:
        if seconds < most:
            return words.format(round(seconds / unit))
    return f"{round(seconds / 86_400)} days ago"
