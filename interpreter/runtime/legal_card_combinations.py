"""Search for legal combinations in choices of several cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice

from interpreter.runtime.state import DONE, State
from interpreter.runtime.state_layout import Layout

MAX_TRIED_SETS = 200_000


class UnorderedPicks(list[int]):
    """Picks in any order, for queries about a choice: which picks can be added, and how many it takes."""

    __slots__ = ("high", "low")

    def __init__(self, picks: Iterable[int] = ()) -> None:
        super().__init__(picks)
        self.low = self.high = 0


SelectionTest = Callable[[Sequence[int]], bool]
SelectionGenerator = Callable[[Sequence[int], int, int], Iterable[tuple[int, ...]]]
"""Function that yields the subsets of some items, between a minimum and a maximum size."""


class CardPicker:
    """Operations on the picks of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.face = layout.face
        self.sees = layout.sees
        self.keeps_marks = not layout.marks
        self.marks = layout.card_track_bases

    def get_card_key(self, s: State, card: int, seat: int) -> int | tuple[int, ...]:
        """Return a key that is equal for cards that no player and no rule can tell apart.

        A card that the player does not see has a unique key."""
        pile = s.loc[card]
        known = s.known[card] | (self.sees[pile] if pile >= 0 else 0)
        if not known >> seat & 1:
            return ~card
        return (self.face[card], known, *(s.t[base + card] for base in self.marks))

    def find_distinct_cards(self, s: State, cards: Sequence[int], seat: int) -> list[int]:
        """Return the first card of each group of indistinguishable cards."""
        if len(cards) < 2:
            return list(cards)
        kinds: dict[int | tuple[int, ...], int] = {}
        for card in cards:
            kinds.setdefault(self.get_card_key(s, card, seat), card)
        return list(kinds.values())

    def find_remaining_picks(self, s: State, cards: Sequence[int], picks: Sequence[int], seat: int) -> list[int]:
        """Return the picks that are still among the cards.

        A missing one is replaced by a copy that the player sees there and that no mark distinguishes."""
        left = [card for card in cards if card not in picks]
        remaining = []
        for pick in picks:
            copies = [pick] if pick in cards else [card for card in left if self.can_replace_pick(s, card, pick, seat)]
            if copies and pick not in cards:
                left.remove(copies[0])
            remaining += copies[:1]
        return remaining

    def can_replace_pick(self, s: State, card: int, pick: int, seat: int) -> bool:
        if not (self.keeps_marks and self.sees[s.loc[card]] >> seat & 1 and self.face[card] == self.face[pick]):
            return False
        return all(s.t[base + card] == s.t[base + pick] for base in self.marks)

    def sort_for_picking(self, s: State, cards: Sequence[int], seat: int) -> list[int]:
        """Sort cards in the order in which they may be picked.

        Cards that the player does not know come last, in pile order, because their numbers would reveal them."""
        known, loc, sees = s.known, s.loc, self.sees
        for card in cards:
            if not (known[card] | sees[loc[card]]) >> seat & 1:
                return sorted(cards, key=lambda card: self.get_pick_sort_key(s, card, seat))
        return sorted(cards)

    def get_pick_sort_key(self, s: State, card: int, seat: int) -> tuple[int, ...]:
        pile = s.loc[card]
        if (s.known[card] | self.sees[pile]) >> seat & 1:
            return (0, card)
        return (1, pile, s.z[pile].index(card))

    def find_next_picks(
        self, s: State, candidates: Sequence[int], low: int, high: int, seat: int, may: bool, copies: bool,
        test: SelectionTest | None = None, sets: SelectionGenerator | None = None,
    ) -> list[int]:  # fmt: skip
        """Return the codes of the next pick, in ascending order. Each of them allows the choice to be completed.

        test: the condition on the whole choice.
        sets: see `find_possible_items`."""
        picks = s.picks
        if isinstance(picks, UnorderedPicks):
            picks.low, picks.high = low, high
            legal = find_addable_codes(candidates, picks, test, sets)
            return [*legal, DONE] if may and not picks and DONE not in legal else legal
        start = candidates.index(picks[-1]) + 1 if picks else 0
        rest = candidates[start : min(len(picks) - low, 0) + len(candidates) + 1]
        legal = [item + 1 for item in (self.find_distinct_cards(s, rest, seat) if copies else rest)]
        done = len(picks) >= low
        if test is not None and sets is not None:
            codes = find_following_codes(candidates, picks, max(low, 1), high, test, sets, {*legal, DONE})
            legal = [code for code in legal if code in codes]
            done = DONE in codes
        elif test is not None:
            legal = [code for code in legal if can_complete_picks(candidates, [*picks, code - 1], low, high, test)]
            done = done and test(picks)
        if done or (may and not picks):
            legal.append(DONE)
        return legal


def find_addable_codes(
    candidates: Sequence[int], picks: UnorderedPicks, test: SelectionTest | None, sets: SelectionGenerator | None
) -> list[int]:
    """Return the codes of the items that can be added to picks in any order, such that the choice can be completed.

    DONE is included if the choice is already complete."""
    position_by_item = {item: number for number, item in enumerate(candidates)}
    if not position_by_item.keys() >= set(picks):
        return []
    rest = [item for item in candidates if item not in picks]
    number, low, high = len(picks), picks.low, picks.high
    if test is None:
        codes = [item + 1 for item in rest] if number < high else []
        return [*codes, DONE] if low <= number <= high else codes
    addable: set[int] = set()
    done = False
    for choice in islice((sets or iter_selections)(candidates, max(low, number, 1), high), MAX_TRIED_SETS):
        if not set(choice) >= set(picks) or ((done or len(choice) > number) and addable.issuperset(choice)):
            continue
        if test(sorted(choice, key=position_by_item.__getitem__)):
            done = done or len(choice) == number
            addable.update(choice)
    codes = [item + 1 for item in rest if item in addable]
    return [*codes, DONE] if done or (low == number == 0 and test(picks)) else codes


def find_following_codes(
    candidates: Sequence[int],
    picks: list[int],
    low: int,
    high: int,
    test: SelectionTest,
    sets: SelectionGenerator,
    wanted: set[int],
) -> set[int]:
    """Return those of the `wanted` codes that can follow these picks in choices that pass the test."""
    position_by_card = {card: number for number, card in enumerate(candidates)}
    number = len(picks)
    cards = [*picks, *candidates[position_by_card[picks[-1]] + 1 :]] if picks else candidates
    codes: set[int] = set()
    for choice in islice(sets(cards, max(low, number), high), MAX_TRIED_SETS):
        row = sorted(choice, key=position_by_card.__getitem__)
        if row[:number] == picks:
            code = row[number] + 1 if len(row) > number else DONE
            if code in wanted and code not in codes and test(row):
                codes.add(code)
                if len(codes) == len(wanted):
                    break
    return codes


def can_complete_picks(candidates: Sequence[int], picks: list[int], low: int, high: int, test: SelectionTest) -> bool:
    """Check whether these picks, with some of the later candidates, pass the test."""
    behind = candidates[candidates.index(picks[-1]) + 1 :]
    sizes = range(max(low - len(picks), 0), min(high - len(picks), len(behind)) + 1)
    choices = (more for size in sizes for more in combinations(behind, size))
    return any(test([*picks, *more]) for more in islice(choices, MAX_TRIED_SETS))


def find_possible_items(
    items: Sequence[int], low: int, high: int | None, test: SelectionTest, sets: SelectionGenerator | None = None
) -> list[int]:
    """Return the items that belong to some choice of `low` to `high` that passes the test.

    sets: yields the only choices that can pass, if that is known."""
    possible: set[int] = set()
    tried = 0
    for choice in (sets or iter_selections)(items, max(low, 1), len(items) if high is None else min(high, len(items))):
        if possible.issuperset(choice):
            continue  # it adds no new item
        tried += 1
        if tried > MAX_TRIED_SETS or len(possible) == len(items):
            break
        if test(choice):
            possible.update(choice)
    return sorted(possible)


def iter_selections(items: Sequence[int], low: int, high: int) -> Iterator[tuple[int, ...]]:
    """Yield all choices of `low` to `high` items, smaller ones first."""
    return chain.from_iterable(combinations(items, size) for size in range(low, high + 1))
