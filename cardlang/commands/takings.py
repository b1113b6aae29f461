"""Notes on moves that find too few cards, and on choices without a legal option, in random matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything
from cardlang.source import Diagnostic, Span

if TYPE_CHECKING:
    from cardlang.commands.trial import Trial

SEVERAL = 2
"""Smallest number of wanted cards to report. A single missing card is seldom an error: the draw pile is empty."""
OFTEN = 10
"""A note needs at least one choice without a legal option in this many."""


def check_takings(game: g.Game, trials: Iterable[Trial], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each move that found too few cards, and each choice that often had no legal option.

    Only statements of the game itself count, not of its libraries.
    """
    by_place: dict[Span, list[Trial]] = {}
    for trial in trials:
        for span in trial.takings:
            by_place.setdefault(span, []).append(trial)
    for span, those in sorted(by_place.items(), key=lambda each: each[0].start):
        if span.source is own_source(game):
            yield from of_place(span, those, matches)
    yield from closed(game, list(trials), matches)


def of_place(span: Span, trials: list[Trial], matches: str) -> Iterator[Diagnostic]:
    found = [trial.takings[span] for trial in trials]
    if all(each.times == each.below for each in found):
        message = f"the number of cards was negative here every time in {matches}, so nothing happened"
        yield note(
            "N511", message, span, "subtract the smaller number from the larger, or check the condition around it"
        )
    elif not any(each.most for each in found):
        yield note("N501", f"there were never any cards here in {matches}", span, "")
    else:
        yield from too_few(span, trials)


def too_few(span: Span, trials: list[Trial]) -> Iterator[Diagnostic]:
    """Yield a note if a move wanted several cards and found fewer."""
    short = [
        (trial, {match: two for match, two in trial.takings[span].short.items() if two[0] >= SEVERAL})
        for trial in trials
    ]
    those = [(trial, found) for trial, found in short if found]
    if not those:
        return
    trial, found = those[0]
    seed, (wanted, there) = next(iter(found.items()))
    counts = ", ".join(f"{len(found)} of {trial.matches} of {trial.told}" for trial, found in those)
    message = (
        f"this took more cards than there were in {counts} (first with seed {seed}, {trial.told}: {there} of {wanted})"
    )
    yield note("N510", message, span, "gather and shuffle the cards before the deal, or deal fewer")


def closed(game: g.Game, trials: list[Trial], matches: str) -> Iterator[Diagnostic]:
    """Yield a note for each menu without `may` in which the player often had no legal option."""
    menus = {part.span for part in everything(game) if isinstance(part, g.Menu) and not part.may}
    for span in sorted(menus, key=lambda each: each.start):
        asked = sum(sum(trial.offered[span].values()) for trial in trials if span in trial.offered)
        never = sum(trial.offered[span][False] for trial in trials if span in trial.offered)
        if span.source is own_source(game) and never and never * OFTEN >= asked:
            message = f"the player had no legal option here {never:,} of {asked:,} times in {matches}"
            hint = "a player with no legal option is skipped. Check the conditions of the options, or write `you may`"
            yield note("N512", message, span, hint)


def note(code: str, message: str, span: Span, hint: str) -> Diagnostic:
    return Diagnostic(code, message, span, hint, warning=True)
