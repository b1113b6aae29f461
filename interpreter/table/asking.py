"""What the viewer is asked, and what can be done: moves grouped by what they touch, numbers as amounts, sets as they
are chosen."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.matches.asked import AskedView, MoveView
from interpreter.matches.toggling import ChoosingView
from interpreter.table.model import Action, Amount, Ask, Choosing

PASS = ("pass", "done")
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


def ask_of(asking: AskedView, choosing: ChoosingView | None) -> Ask:
    """`choosing`: of a choice of several, how far it is."""
    keys = Keys()
    if choosing is not None:
        declines = [(number, move) for number, move in enumerate(asking.moves) if move.text == "pass"]
        return Ask(
            question=asking.question,
            words=asking.words,
            rule=asking.span.line,
            actions=tuple(action(number, move, keys) for number, move in declines),
            choosing=chosen_so_far(asking, choosing),
        )
    amounts, rest = split(asking.moves)
    return Ask(
        question=asking.question,
        words=asking.words,
        rule=asking.span.line,
        actions=tuple(action(number, move, keys) for number, move in rest),
        amounts=tuple(amount(moves, keys) for moves in amounts),
    )


def split(moves: Iterable[MoveView]) -> tuple[list[list[tuple[int, MoveView]]], list[tuple[int, MoveView]]]:
    """The moves that differ in a number alone, together, and all others, each with its number."""
    runs: dict[object, list[tuple[int, MoveView]]] = {}
    rest = []
    for number, move in enumerate(moves):
        if len(move.bound) == 1 and move.bound[0].number is not None:
            runs.setdefault((move.option, move.name), []).append((number, move))
        else:
            rest.append((number, move))
    return list(runs.values()), rest


def action(number: int, move: MoveView, keys: Keys) -> Action:
    label = " ".join([move.name.replace("-", " "), *(bound.text.strip("[]") for bound in move.bound)]).strip()
    touches = tuple(bound.ref for bound in move.bound if not bound.ref.startswith("value/"))
    return Action(
        move=number,
        text=move.text,
        label=label[:1].upper() + label[1:],
        key="" if touches else keys.of(label),
        touches=touches,
    )


def amount(moves: list[tuple[int, MoveView]], keys: Keys) -> Amount:
    label = moves[0][1].name.replace("-", " ") or "choose"
    return Amount(
        label=label[:1].upper() + label[1:],
        key=keys.of(label),
        amounts=tuple(move.bound[0].number or 0 for _, move in moves),
        moves=tuple(number for number, _ in moves),
    )


class Keys:
    """Hands out a key of its own to each of the things that can be done."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def of(self, label: str) -> str:
        """The first letter of its label that is free, else any that is; empty if there is none."""
        for letter in label.lower() + LETTERS:
            if letter in LETTERS and letter not in self.taken:
                self.taken.add(letter)
                return letter
        return ""


def chosen_so_far(asking: AskedView, choosing: ChoosingView) -> Choosing:
    count = len(choosing.chosen)
    verb = asking.moves[0].name.capitalize() if asking.moves[0].name else "Choose"
    what = f"{count} card{'s' * (count != 1)}" if not any(choosing.labels) else str(count)
    return Choosing(
        low=choosing.low,
        high=choosing.high,
        refs=choosing.refs,
        labels=choosing.labels,
        chosen=choosing.chosen,
        open=tuple(ref for ref in choosing.refs if ref in choosing.open or ref in choosing.chosen),
        ready=choosing.ready,
        confirm=f"{verb} {what}" if count else f"{verb} nothing",
        why="" if choosing.ready else f"Choose {choosing.low - count} more." if count < choosing.low else "",
    )
