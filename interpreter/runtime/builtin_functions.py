"""Built-in functions and frame operations that generated Python calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations
from math import comb
from operator import itemgetter
from typing import NoReturn, TypeVar, overload

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model import MAX_MOVES
from cardlang.model.statement_effects import iter_track_changes
from cardlang.model.traversal import collect_all_nodes
from interpreter.runtime.errors import RuleError
from interpreter.runtime.rng import below
from interpreter.runtime.state import ABSENT, NO_NUMBER, UNLIMITED, State

Item = TypeVar("Item")
LARGEST = 1 << 61
"""Limit of numbers: below 2**61, sums and the encodings of absent and unlimited fit in 64 bits."""
MAX_SUBSET_SIZE = 20
MAX_SUBSETS = 1 << MAX_SUBSET_SIZE
"""Largest subsets, and their largest number, that an expression may iterate over."""
A_STEP = 64
"""Number of items that counts as one step if an expression iterates over them."""
MAX_ASKED = 10_000
"""Maximum number of times that players can be asked to react to one announcement."""
KEY = itemgetter(0)


# ---------------------------------------------------------------- numbers
def scaled(value: int, by: int) -> int:
    return value if value == NO_NUMBER or value >= UNLIMITED else value * by


def plus(left: int, right: int) -> int:
    if left == NO_NUMBER or right == NO_NUMBER:
        return NO_NUMBER
    return UNLIMITED if left >= UNLIMITED or right >= UNLIMITED else left + right


def minus(left: int, right: int) -> int:
    if left == NO_NUMBER or right == NO_NUMBER:
        return NO_NUMBER
    return UNLIMITED if left >= UNLIMITED else left - right


def times(left: int, right: int, span: Span) -> int:
    if left == NO_NUMBER or right == NO_NUMBER:
        return NO_NUMBER
    return checked(left * right, span)


def whole(left: int, right: int, span: Span) -> int:
    if right == 0:
        raise RuleError(span, "This divides by 0.")
    return NO_NUMBER if NO_NUMBER in (left, right) else left // right


def few(numbers: range, span: Span, most: int = 0) -> range:
    """Return a range of choosable numbers. Raise `RuleError` if there are too many, or one is not below `most`."""
    if len(numbers) > MAX_MOVES:
        raise RuleError(span, f"This choice has {len(numbers):,} numbers, but the limit is {MAX_MOVES:,}.")
    if most and numbers:
        check_offered_number(numbers[-1], 1, most, span)
    return numbers


def whole_numbers(items: Iterable[int], scale: int, span: Span, most: int = LARGEST) -> list[int]:
    """Return the choosable numbers of a list, stored as `scale` times their value. Raise `RuleError` for an invalid
    one."""
    return [check_offered_number(item, scale, most, span) for item in items]


def check_offered_number(item: int, scale: int, most: int, span: Span) -> int:
    number, rest = divmod(item, scale)
    if rest or number < 0:
        shown = Fraction(item, scale)
        raise RuleError(span, f"A choice needs whole numbers from 0 up, but this one has {shown}.")
    if number >= most:
        raise RuleError(span, f"This choice has the number {number:,}, but the limit is {most - 1:,}.")
    return number


def too_many(span: Span) -> NoReturn:
    raise RuleError(span, f"This choice has more than {MAX_MOVES:,} moves.")


def too_often(span: Span) -> NoReturn:
    raise RuleError(
        span,
        f"Players were asked for a reaction {MAX_ASKED:,} times without an end. "
        "Give each reaction a cost, or a `when` that ends it.",
    )


def checked(value: int, span: Span) -> int:
    """Return a value to store in a track. Raise `RuleError` if it is absent or too large."""
    if -LARGEST < value < LARGEST or value == UNLIMITED:
        return value
    if value == NO_NUMBER:
        raise RuleError(span, "There is no number here, because a value it needs is nothing.")
    raise RuleError(span, "This number does not fit in 64 bits.")


def get_owner_slot(array: Sequence[Item], base: int, of: int, absent: Item) -> Item:
    """Return the slot of a player, card or member; `absent` if there is no owner."""
    return array[base + of] if of >= 0 else absent


# ---------------------------------------------------------------- lists
def slot_index(owner: int, second: int, owners: int) -> int:
    return owner + owners * second if owner >= 0 and second >= 0 else ABSENT


def listed(value: Item) -> Sequence[Item]:
    return () if value in (-1, None, NO_NUMBER) else (value,)


def first_of(items: Sequence[Item], absent: Item) -> Item:
    return items[0] if items else absent


def last_of(items: Sequence[Item], absent: Item) -> Item:
    return items[-1] if items else absent


def some_first(items: Sequence[Item], number: int) -> Sequence[Item]:
    return items[:number] if number > 0 else ()


def some_last(items: Sequence[Item], number: int) -> Sequence[Item]:
    """Return the last items, the very last first: the top card of a pile comes first."""
    return items[: -number - 1 : -1] if number > 0 else ()


some_top, some_bottom = some_last, some_first


def one_random(state: State, items: Sequence[Item], absent: Item) -> Item:
    return items[below(state, len(items))] if items else absent


def some_random(state: State, items: Sequence[Item], number: int) -> list[Item]:
    rest = list(items)
    return [rest.pop(below(state, len(rest))) for _ in range(min(number, len(rest)))]


def counted(state: State, items: Sequence[Item], span: Span) -> Sequence[Item]:
    """Return the items of a list, and count its iteration as steps, in games where it may be long."""
    spend(state, 1 + len(items) // A_STEP, span)
    return items


def spend(state: State, steps: int, span: Span) -> None:
    state.fuel -= steps
    if state.fuel < 0:
        raise RuleError(span, "This takes too many steps: it goes through too many cards, or through them too often.")


def subsets(state: State, items: Sequence[Item], low: int, high: int, uncounted: int, span: Span) -> Subsets[Item]:
    """Return the subsets of `low` to `high` items. If they are more than `uncounted`, they count as steps."""
    found = Subsets(items, range(max(low, 0), min(high, len(items)) + 1))
    if len(items) < uncounted.bit_length():  # all subsets together are few
        return found
    if found.sizes.stop > MAX_SUBSET_SIZE + 1 or len(found) > MAX_SUBSETS:
        limits = f"The limit is {MAX_SUBSET_SIZE} cards in each, and {MAX_SUBSETS:,} ways"
        message = f"This tries too many ways to choose from {len(items)} cards. {limits}."
        raise RuleError(span, message)
    if len(found) > uncounted:
        spend(state, 1 + len(found) // A_STEP, span)
    return found


class Subsets(Sequence[tuple[Item, ...]]):
    """Lazy sequence of all subsets of these sizes, smaller ones first."""

    def __init__(self, items: Sequence[Item], sizes: range) -> None:
        self.items = items
        self.sizes = sizes

    def __len__(self) -> int:
        return sum(comb(len(self.items), size) for size in self.sizes)

    def __iter__(self) -> Iterator[tuple[Item, ...]]:
        return chain.from_iterable(combinations(self.items, size) for size in self.sizes)

    @overload
    def __getitem__(self, index: int) -> tuple[Item, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[Item, ...]]: ...

    def __getitem__(self, index: int | slice) -> tuple[Item, ...] | list[tuple[Item, ...]]:
        return list(self)[index]


def first_present(values: Iterable[Item], absent: Item) -> Item:
    return next((value for value in values if value != absent), absent)


def rotated(state: State, items: Sequence[int], start: int) -> Sequence[int]:
    """Return the list rotated to begin with `start`. If that is missing, begin with the next item in seat order."""
    if not items:
        return items
    if start not in items:
        order = state.order
        index = order.index(start) if start in order else 0
        after = [seat for seat in (*order[index:], *order[:index]) if seat in items]
        if not after:
            return items
        start = after[0]
    index = list(items).index(start)
    return (*items[index:], *items[:index])


# ---------------------------------------------------------------- best of
def highest_by(pairs: list[tuple[object, Item]], absent: Item | int = -1) -> Item | int:
    return max(pairs, key=KEY)[-1] if pairs else absent


def lowest_by(pairs: list[tuple[object, Item]], absent: Item | int = -1) -> Item | int:
    return min(pairs, key=KEY)[-1] if pairs else absent


def all_highest_by(pairs: list[tuple[object, Item]]) -> list[Item]:
    best = max(map(KEY, pairs), default=None)
    return [item for key, item in pairs if key == best]


def all_lowest_by(pairs: list[tuple[object, Item]]) -> list[Item]:
    best = min(map(KEY, pairs), default=None)
    return [item for key, item in pairs if key == best]


def only_highest_by(pairs: list[tuple[object, Item]], absent: Item | int = -1) -> Item | int:
    best = all_highest_by(pairs)
    return best[0] if len(best) == 1 else absent


def only_lowest_by(pairs: list[tuple[object, Item]], absent: Item | int = -1) -> Item | int:
    best = all_lowest_by(pairs)
    return best[0] if len(best) == 1 else absent


def larger_groups(values: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of frequency and value, the most frequent first, then the highest."""
    counts = {value: list(values).count(value) for value in set(values)}
    return sorted(((count, value) for value, count in counts.items()), reverse=True)


# ---------------------------------------------------------------- cards and players
def same_face(faces: Sequence[int], left: int, right: int) -> bool:
    return left >= 0 and right >= 0 and faces[left] == faces[right]


def face_in(faces: Sequence[int], card: int, cards: Sequence[int]) -> bool:
    return card >= 0 and faces[card] in [faces[other] for other in cards]


def separate_copies(faces: Sequence[int], cards: Sequence[int]) -> list[int]:
    """Replace repeated cards by other copies that are not in the list, if any. A card given by its code may be any
    copy."""
    listed, separated = set(cards), list[int]()
    for card in cards:
        if card in separated:
            first = faces.index(faces[card])
            copies = range(first, first + faces.count(faces[card]))
            card = next((copy for copy in copies if copy not in listed), card)
            listed.add(card)
        separated.append(card)
    return separated


def left_of(state: State, seat: int) -> int:
    return next_seat(state, seat, 1)


def right_of(state: State, seat: int) -> int:
    return next_seat(state, seat, -1)


def next_seat(state: State, seat: int, step: int) -> int:
    """Return the next active player, clockwise or counter-clockwise, skipping eliminated players."""
    if seat < 0:
        return -1
    order = state.order
    index = order.index(seat)
    for distance in range(1, len(order) + 1):
        other = order[(index + step * distance) % len(order)]
        if not state.out >> other & 1:
            return other
    return -1


def others_of(state: State, seat: int) -> Sequence[int]:
    if seat < 0:
        return ()
    index = state.order.index(seat)
    after = (*state.order[index + 1 :], *state.order[:index])
    return [other for other in after if not state.out >> other & 1]


def seat_of(state: State, seat: int) -> int:
    return state.order.index(seat) + 1 if seat >= 0 else NO_NUMBER


def above_of(state: State, card: int) -> Sequence[int]:
    """Return the cards on a card in its pile, the nearest first. None if it is in no pile."""
    if card < 0 or state.loc[card] < 0:
        return ()
    pile = state.z[state.loc[card]]
    return pile[pile.index(card) + 1 :]


def below_of(state: State, card: int) -> Sequence[int]:
    """Return the cards under a card in its pile, the nearest first. None if it is in no pile."""
    if card < 0 or state.loc[card] < 0:
        return ()
    pile = state.z[state.loc[card]]
    return pile[: pile.index(card)][::-1]


def borne(state: State, table: Sequence[Callable[[State, int, int], Item] | None], card: int, absent: Item) -> Item:
    """Return the value of a card's definition, from a table of functions of the card and its owner."""
    function = table[card]
    return absent if function is None else function(state, card, state.owner[card])


def do_borne(state: State, table: Sequence[Callable[..., None] | None], card: int, *args: int) -> None:
    """Run a card's step, if it has one."""
    function = table[card]
    if function is not None:
        function(state, *args)


# ---------------------------------------------------------------- sets of seats
def only_seat(seat: int) -> int:
    return 1 << seat


def in_both(seats: int, others: int) -> int:
    return seats & others


def in_either(seats: int, others: int) -> int:
    return seats | others


Value = TypeVar("Value")
STEP_LIMIT = 200_000
"""Step limit: steps of loops and calls between two decisions before a rule counts as endless."""
MAX_FRAMES = 100


class FinishSignal(Exception):
    """Signal that a function finishes an enclosing step."""

    def __init__(self, step: str) -> None:
        self.step = step


def catches_finish(step: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Decorate a function that calls others that may finish it."""

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
        def run(*args: object) -> None:
            try:
                function(*args)
            except FinishSignal as finish:
                if finish.step != step:
                    raise

        return run

    return decorate


def end_match(s: State) -> int:
    s.frames, s.who, s.legal = [], ABSENT, []
    if s.events is not None:
        s.events.append(("ended", None))
    return -1


def push_frame(s: State, frame: list[object], span: Span) -> None:
    if len(s.frames) >= MAX_FRAMES:
        raise RuleError(span, f"Effects and reactions run each other here, more than {MAX_FRAMES} deep.")
    s.frames.append(frame)


def raise_endless_loop(span: Span) -> NoReturn:
    advice = (
        " No player could pass in this loop. Write `you may …` for a choice."
        if "until you pass" in get_first_line(span)
        else ""
    )
    raise RuleError(span, f"This has hit the limit of {STEP_LIMIT:,} steps without a decision.{advice}")


def get_first_line(span: Span) -> str:
    return span.text.split("\n", 1)[0]


def find_assignment_lines(game: g.Game) -> dict[str, int]:
    """Return, for each number, flag, player or member of the table, the first line that sets it."""
    lines: dict[str, int] = {}
    for part in sorted(iter_track_changes(collect_all_nodes(game)), key=lambda change: change.span.start):
        if part.of is None and part.span.source is game.sources[0] and part.value.type.tag != "nothing":
            lines.setdefault(part.track, part.span.line)
    return lines


def require_present(value: Value, absent: object, span: Span, somebody: bool, set_in: Mapping[str, int]) -> Value:
    """Return a value that must be present. Raise a `RuleError` that quotes the source if it is absent.

    set_in: for values named by a single word, the line that sets them."""
    if value != absent:
        return value
    what = " ".join(span.text.split())
    no = "nobody" if somebody else "nothing"
    advice = f"Set it first, or test it with `if {what} != {no}`."
    if what in set_in:
        advice = f"Line {set_in[what]} sets it. Make sure that this line runs first."
    raise RuleError(span, f"`{what}` is {no} here. {advice}")
