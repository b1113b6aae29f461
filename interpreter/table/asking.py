"""Convert a decision for the screen.

Actions are grouped by the refs they touch, numbers become amounts, and sets show their selection.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from cardlang.words import article, capital
from interpreter.matches.asked import AskedView, MoveView
from interpreter.matches.hands import number
from interpreter.matches.names import listed
from interpreter.matches.toggling import ChoosingView
from interpreter.table.model import Action, Amount, Ask, Choosing, Closed

LETTERS = "abcdefgijklmnoprstvxyz0123456789"
"""Keys for options. The letters h, q, u and w are reserved at every table for hint, quit, undo and why."""
NUMBERS = "123456789"
FEW_NUMBERS = 5
"""Maximum count of numbers shown as buttons. Otherwise the number is typed."""
MANY_OPTIONS = 6
"""Maximum number of options that the question names."""
NUMERAL = re.compile(r"\d+")
Numbered = tuple[int, MoveView]


def ask_of(asking: AskedView, choosing: ChoosingView | None, own_file: bool, hand: str, told: str = "") -> Ask:
    """Return the decision for a screen.

    - `choosing`: progress of a selection of several cards or values.
    - `own_file`: the rule is in the game's own file, not in a library.
    - `hand`: ending of the refs of the viewer's piles.
    - `told`: text of the action to respond to.
    """
    keys = Keys(tuple(dict.fromkeys(asking.options)))
    order = tuple(keys.letters.values())
    amounts, rest = split(asking.moves)
    if choosing is not None:
        amounts, rest = [], [(number, move) for number, move in rest if move.text == "pass"]
    asked = " ".join(part for part in (told, question(asking, choosing, amounts, hand)) if part)
    few, amounts = in_a_row(amounts, rest, asking.noun)
    return Ask(
        question=asked,
        words=asking.words if asking.words and not asking.words.endswith("?") else only_words(asking),
        rule=asking.span.line if own_file else 0,
        actions=(*few, *actions(rest, keys, numbered=not amounts)),
        amounts=tuple(amount(moves, asking.noun, keys) for moves in amounts),
        choosing=chosen_so_far(asking, choosing) if choosing is not None else None,
        closed=tuple(Closed(capital(called), why, keys.named(name)) for name, why, called in asking.closed),
        options=order if len(order) > 1 and all(order) else (),
    )


def only_words(asking: AskedView) -> str:
    """Return the author's description of the only option, apart from passing."""
    if asking.kind not in ("menu", "offer"):
        return ""
    words = {move.words for move in asking.moves if not move.declines}
    return words.pop() if len(words) == 1 else ""


# ---------------------------------------------------------------- the question
def question(asking: AskedView, choosing: ChoosingView | None, amounts: list[list[Numbered]], hand: str) -> str:
    """Return the question in a sentence: `Pass three cards to West: 2 of 3 selected.`"""
    if asking.words.endswith("?"):
        if choosing is None or not choosing.low < choosing.high > 1:
            return asking.words
        return f"{asking.words} ({many(asking.noun, choosing.low, choosing.high)})"
    if asking.kind in ("menu", "offer", "react"):
        return options(asking)
    passing = ", or pass" if any(move.text == "pass" for move in asking.moves) else ""
    source = asking.source or from_pile(asking, hand)
    verb = asking.verb.capitalize() or "Choose"
    if choosing is not None:
        single = bool(choosing.alone) and {*choosing.alone} == choosing.open
        what = article(asking.noun) if single else many(asking.noun, choosing.low, choosing.high)
        asked = " ".join(part for part in (verb, what, source, asking.goal) if part)
        if single and not choosing.ready:
            return f"{asked}{passing}."
        of = f" of {choosing.high}" if choosing.high < len(choosing.refs) or choosing.low == choosing.high else ""
        so_far, _, whole = choosing.sum.rpartition(" of ")
        to_reach = f", to add up to {whole}" if so_far and not choosing.chosen else ""
        sum = f", which add up to {choosing.sum}" if choosing.sum and choosing.chosen else to_reach
        return f"{asked}{passing}: {len(choosing.chosen)}{of} selected{sum}."
    if amounts:
        numbers = [move.bound[0].number or 0 for _, move in amounts[0]]
        if asking.verb:
            what = many("card", numbers[0], numbers[-1])
            return " ".join(part for part in (verb, what, source, asking.goal) if part) + f"{passing}."
        return f"{verb} {article(asking.noun)}: {numbers[0]} to {numbers[-1]}{passing}."
    asked = " ".join(part for part in (verb, article(asking.noun), source, asking.goal) if part)
    return f"{asked}{passing}."


def options(asking: AskedView) -> str:
    """Return the legal options with their costs: `Call 24, raise or fold?`"""
    if all(move.declines for move in asking.moves):
        return "You can only pass."
    names: dict[object, str] = {}
    labels: dict[object, list[str]] = {}
    for move in asking.moves:
        labels.setdefault((move.option, move.name), []).append(move.label)
    for move in asking.moves:
        option = (move.option, move.name)
        if option not in names:
            names[option] = move.label if not move.bound else begun(labels[option]) or move.name.replace("-", " ")
    if len(names) > MANY_OPTIONS:
        return "What do you do?"
    if len(names) == 1 and (what := asked_for(asking)):
        return f"{capital(next(iter(names.values())))}: choose {what}."
    told = [name[:1].lower() + name[1:] for name in names.values()]
    text = listed(told, "or")
    return f"{text[:1].upper()}{text[1:]}?"


def begun(labels: Sequence[str]) -> str:
    """Return the common beginning of an option's moves, up to a card; empty if there is none.

    For instance, it is `Take [9s]` for `Take [9s] for Top Left`.
    """
    if len(labels) < 2:
        return ""
    columns = zip(*(label.split() for label in labels), strict=False)
    alike = [words[0] for words in takewhile(lambda words: len({*words}) == 1, columns)]
    while alike and not alike[-1].endswith("]"):
        alike.pop()
    return " ".join(alike)


def asked_for(asking: AskedView) -> str:
    """Return the values to choose with the only option: `a player and a rank`. It is empty if they include cards."""
    bound = next(move.bound for move in asking.moves if not move.declines)
    if len(bound) < 2 or any(each.tag == "card" for each in bound):
        return ""
    nouns = [each.ref.split("/")[1] if each.tag == "member" else each.tag for each in bound]
    return listed([article(noun.replace("-", " ").lower()) for noun in nouns])


def from_pile(asking: AskedView, hand: str) -> str:
    """Return the pile of all cards that can be chosen: `from the market`. It is empty for the viewer's own hand."""
    refs = {bound.ref.rpartition("#")[0] for move in asking.moves for bound in move.bound if bound.tag == "card"}
    if len(refs) != 1 or any(ref.endswith(hand) for ref in refs):
        return ""
    _, name, *owner = next(iter(refs)).split("/", 2)
    noun = name.replace("-", " ")
    return f"from {owner[0]}'s {noun}" if owner else f"from the {noun}"


def many(noun: str, low: int, high: int) -> str:
    """Return a number of items in words: `three cards`, `up to five cards`, `1 to 3 cards`."""
    if low == high:
        return article(noun) if high == 1 else f"{number(high)} {noun}s"
    if not low:
        return f"up to {number(high)} {noun}{'s' * (high > 1)}"
    return f"{number(low)} {'or' if high == low + 1 else 'to'} {number(high)} {noun}s"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


# ---------------------------------------------------------------- what can be done
def split(moves: Iterable[MoveView]) -> tuple[list[list[Numbered]], list[Numbered]]:
    """Split moves into groups that differ only in a number, and the rest. Each move comes with its index."""
    runs: dict[object, list[Numbered]] = {}
    rest = []
    for place, move in enumerate(moves):
        if len(move.bound) == 1 and move.bound[0].number is not None:
            runs.setdefault((move.option, move.name), []).append((place, move))
        else:
            rest.append((place, move))
    return list(runs.values()), rest


def actions(moves: list[Numbered], keys: Keys, numbered: bool) -> Iterator[Action]:
    """Yield the moves as actions with their keys.

    An option with a single move gets the letter of its name. Values get their first letters if these differ, or else
    digits if `numbered`, which means that digits have no other use.
    """
    alone = Counter(move.name for _, move in moves if not touched(move))
    values = [
        move
        for _, move in moves
        if not (move.name and alone[move.name] == 1)
        and not of_option(move)
        and not any("#" in ref for ref in touched(move))  # cards are touched where they lie
    ]
    own = keys.own(values, numbered)
    for place, move in moves:
        single = bool(move.name) and alone[move.name] == 1 and not touched(move)
        yield Action(
            move=place,
            text=move.text,
            label=move.label,
            key=keys.named(move.name) if single else own.get(move.text, ""),
            words=move.words,
            touches=touched(move),
            verb=capital(move.name.replace("-", " ")) if of_option(move) else "",
            verb_key=keys.named(move.name) if of_option(move) else "",
        )


def touched(move: MoveView) -> tuple[str, ...]:
    return tuple(bound.ref for bound in move.bound if not bound.ref.startswith("value/"))


def of_option(move: MoveView) -> bool:
    """Return whether a move is one of several of an option or verb, for different cards, players or values."""
    return bool(move.name and touched(move))


def in_a_row(
    amounts: list[list[Numbered]], rest: list[Numbered], noun: str
) -> tuple[list[Action], list[list[Numbered]]]:
    """Return buttons with digits for a few numbers, and the amounts that are left.

    This applies if the decision asks only for a number. `noun`: see `label_of`.
    """
    if len(amounts) != 1 or len(amounts[0]) > FEW_NUMBERS or not all(move.declines for _, move in rest):
        return [], amounts
    label, numbers = label_of(amounts[0][0][1], noun), [move.bound[0].number or 0 for _, move in amounts[0]]
    if not all(0 <= number <= 9 for number in numbers):
        return [], amounts
    labels = [f"{label} {number}" for number in numbers]
    few = [
        Action(place, move.text, said if move.label == str(number) else move.label, str(number), move.words)
        for number, said, (place, move) in zip(numbers, labels, amounts[0], strict=True)
    ]
    return few, []


def label_of(move: MoveView, noun: str) -> str:
    """Return the label for moves with a number. `noun`: the noun for the value, if there is neither option nor verb."""
    return (move.name.replace("-", " ") or noun).capitalize() or "Choose"


def amount(moves: list[Numbered], noun: str, keys: Keys) -> Amount:
    """Return moves with a number as an amount. `noun`: see `label_of`."""
    first = moves[0][1]
    label = label_of(first, noun)
    return Amount(
        label=label,
        key=keys.named(first.name or label),
        amounts=tuple(move.bound[0].number or 0 for _, move in moves),
        moves=tuple(place for place, _ in moves),
        words=first.words,
        says=tuple(move.label for _, move in moves) if says(label, first) else (),
    )


def says(label: str, move: MoveView) -> bool:
    """Return whether the label of a move with a number says more than the number."""
    return move.label != f"{label} {move.bound[0].number}"


def numerals(labels: Sequence[str]) -> list[str]:
    """Return the digit in each label, if each has exactly one number and these differ; else nothing."""
    found = [NUMERAL.findall(label) for label in labels]
    digits = [each[0] for each in found if len(each) == 1 and len(each[0]) == 1]
    return digits if len({*digits}) == len(labels) else []


class Keys:
    """Assigner of unique keys.

    An option gets its initial, unless an earlier option of the rule has it; then it gets another letter. So a key keeps
    its meaning from turn to turn, whichever options are legal.
    """

    def __init__(self, options: Sequence[str]) -> None:
        self.taken = {option[:1].lower() for option in options} & {*LETTERS}
        self.letters: dict[str, str] = {}
        for option in options:
            initial = option[:1].lower()
            own = initial in LETTERS and initial not in self.letters.values()
            self.letters[option] = initial if own else self.of(option[1:])

    def named(self, name: str) -> str:
        if name not in self.letters:
            self.letters[name] = self.of(name)
        return self.letters[name]

    def own(self, moves: list[MoveView], numbered: bool) -> dict[str, str]:
        """Return keys of values by their printed form.

        They are the first letters of the labels if these are free and differ. Otherwise they are the digits in the
        labels, or else digits if there are enough.
        """
        labels = [move.label for move in moves]
        firsts = [move.label[:1].lower() for move in moves]
        fit = len({*firsts} & {*LETTERS} - self.taken) == len(moves)
        if not fit and (not numbered or len(moves) >= len(NUMBERS)):
            return {}
        found = firsts if fit else numerals(labels) or ("" if any(map(NUMERAL.search, labels)) else NUMBERS)
        self.taken |= {*found[: len(moves)]}
        return {move.text: key for move, key in zip(moves, found, strict=False)}

    def of(self, label: str) -> str:
        """Return the first free letter of a label, or any free letter; empty if there is none."""
        for letter in label.lower() + LETTERS:
            if letter in LETTERS and letter not in self.taken:
                self.taken.add(letter)
                return letter
        return ""


def chosen_so_far(asking: AskedView, choosing: ChoosingView) -> Choosing:
    count = len(choosing.chosen)
    verb = asking.verb.capitalize() or "Choose"
    left = max(choosing.low - count, 0)
    what = counted(count, asking.noun) if count else f"no {asking.noun}s"
    choose = f"Choose {f'{left} more' if count else counted(left, asking.noun) if left else f'{asking.noun}s'}"
    together = f"They add up to {choosing.sum}." if choosing.sum else "These do not go together."
    missing = f"Choose {left} more." if left else together if choosing.sum else asking.words or together
    return Choosing(
        low=choosing.low,
        high=choosing.high,
        refs=choosing.refs,
        labels=choosing.labels,
        chosen=choosing.chosen,
        open=tuple(ref for ref in choosing.refs if ref in choosing.open or ref in choosing.chosen),
        ready=choosing.ready,
        confirm=choose if not choosing.ready and (left or not count) else f"{verb} {what}",
        why="" if choosing.ready else missing,
        sum=choosing.sum,
        needs=choosing.needs,
        alone=choosing.alone,
    )
