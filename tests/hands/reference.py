"""Slow reference evaluator of hands: all subsets, all values of wild cards, all divisions into groups.

It shares no code with the evaluator under test."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

from attrs import frozen

from cardlang import model as g

LOW = -1000


@frozen
class Line:
    """A line of ties. `holds(used, rest, wilds)` for best and worst; `value(face)` and what it is of for the others."""

    how: str
    holds: Callable[[tuple[int, ...], tuple[int, ...], int], bool] | None = None
    value: Callable[[int], int] | None = None
    of: str = "used"
    groups: bool = False


class Reference:
    def __init__(
        self,
        game: g.Game,
        ranking: g.Ranking,
        lines: Sequence[Line],
        holds: Callable[[g.Expr, int], bool] = lambda condition, face: True,
    ) -> None:
        self.game, self.ranking, self.lines, self.holds = game, ranking, lines, holds
        self.face = [face.number for face in game.faces for _ in range(face.copies)]

    def column(self, name: str, face: int) -> Any:
        return self.game.columns[name].values[face]

    def read(self, cards: Sequence[int], wild: Sequence[bool]) -> tuple[int, tuple[Any, ...], set[Any]] | None:
        """Return the number of the rank, the best key, and the pairs of used cards and wild cards that have it."""
        size = self.ranking.size
        sizes = [len(cards)] if size == "all" else range(1, min(len(cards), int(size)) + 1)
        for number, rank in enumerate(self.ranking.ranks):
            best: tuple[Any, ...] | None = None
            found: set[Any] = set()
            for used in (used for n in sizes for used in combinations(cards, n)):
                for faces, wilds in self.shown(used, dict(zip(cards, wild, strict=True))):
                    for low in (low for pattern in rank.patterns for low in self.lows(pattern, faces)):
                        key = self.key(used, faces, low, wilds, cards)
                        if best is None or key > best:
                            best, found = key, set()
                        if key == best:
                            found.add((frozenset(used), wilds))
            if best is not None:
                return number, best, found
        return None

    def shown(self, used: Sequence[int], wild: dict[int, bool]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Yield the values that the cards may show, with the number of wild cards."""
        choices = [[self.face[card]] + (self.stands(self.face[card]) if wild[card] else []) for card in used]
        for faces in product(*choices):
            yield faces, sum(face != self.face[card] for face, card in zip(faces, used, strict=True))

    def stands(self, face: int) -> list[int]:
        wild = self.ranking.wilds[0]
        others = [f.number for f in self.game.faces if f.number != face]
        if wild.attribute is None:
            return [f for f in others if self.game.faces[f].set in wild.sets]
        keep = [name for name in self.game.columns if name != wild.attribute]
        same_set = [f for f in others if self.game.faces[f].set == self.game.faces[face].set]
        return [f for f in same_set if all(self.column(name, f) == self.column(name, face) for name in keep)]

    # ------------------------------------------------------------ patterns
    def lows(self, pattern: g.Pattern, faces: tuple[int, ...]) -> list[frozenset[int]]:
        """Return the places that count low, for each way to divide the faces; empty if there is none."""
        found = []
        for parts in self.shared_out(pattern, len(faces)):
            if self.apart(pattern, parts, faces):
                lows = [self.group_lows(*pair, faces) for pair in zip(pattern.groups, parts, strict=True)]
                lows += [self.shared_lows(pattern, trait, parts, faces) for trait in pattern.shared]
                found += [frozenset().union(*choice) for choice in product(*lows)]
        return found

    def shared_lows(
        self, pattern: g.Pattern, trait: g.Trait, parts: list[list[int]], faces: tuple[int, ...]
    ) -> list[frozenset[int]]:
        """Return the places that count low for a trait over all cards. It counts a group of one such value once."""
        pairs = list(zip(pattern.groups, parts, strict=True))
        once = [part for group, part in pairs if trait.word != "one" and trait.attribute in self.ones(group)]
        looked_at = [i for part in parts for i in (part[:1] if part in once else part)]
        found = self.trait_lows([trait], looked_at, faces)
        return [low.union(*(part for part in once if part[0] in low)) for low in found]

    @staticmethod
    def shared_out(pattern: g.Pattern, cards: int) -> Iterator[list[list[int]]]:
        """Yield all ways to give each group its number of cards."""
        least = sum(group.count for group in pattern.groups)
        if cards == least or (cards > least and any(group.or_more for group in pattern.groups)):
            for groups in product(range(len(pattern.groups)), repeat=cards):
                numbers = [groups.count(number) for number in range(len(pattern.groups))]
                pairs = zip(pattern.groups, numbers, strict=True)
                if all(n == group.count or (n > group.count and group.or_more) for group, n in pairs):
                    yield [[i for i, n in enumerate(groups) if n == number] for number in range(len(numbers))]

    def apart(self, pattern: g.Pattern, parts: list[list[int]], faces: tuple[int, ...]) -> bool:
        shared = {trait.attribute for trait in pattern.shared if trait.word == "one"}
        for (one, a), (two, b) in combinations(list(zip(pattern.groups, parts, strict=True)), 2):
            if self.is_run(one) or self.is_run(two):
                continue
            names = self.ones(one) & self.ones(two) - shared
            if names and a and b and all(self.column(n, faces[a[0]]) == self.column(n, faces[b[0]]) for n in names):
                return False
        return True

    @staticmethod
    def ones(group: g.Group) -> set[str]:
        return {trait.attribute for trait in group.traits if trait.word == "one"}

    @staticmethod
    def is_run(group: g.Group) -> bool:
        return any(trait.word == "consecutive" for trait in group.traits)

    def group_lows(self, group: g.Group, part: list[int], faces: tuple[int, ...]) -> list[frozenset[int]]:
        for i in part:
            if self.game.faces[faces[i]].set != group.set:
                return []
            if group.condition is not None and not self.holds(group.condition, faces[i]):
                return []
        return self.trait_lows(group.traits, part, faces)

    def trait_lows(self, traits: Sequence[g.Trait], part: list[int], faces: tuple[int, ...]) -> list[frozenset[int]]:
        lows = [frozenset[int]()]
        for trait in traits:
            values = [self.column(trait.attribute, faces[i]) for i in part]
            if None in values:
                return []
            if trait.word == "one" and len(set(values)) > 1:
                return []
            if trait.word == "different" and len(set(values)) < len(values):
                return []
            if trait.word == "consecutive":
                options = []
                if self.run(values):
                    options.append(frozenset[int]())
                if trait.low in values and self.run([-1 if v == trait.low else v for v in values]):
                    options.append(frozenset(i for i, v in zip(part, values, strict=True) if v == trait.low))
                lows = [a | b for a in lows for b in options]
        return lows

    @staticmethod
    def run(values: list[int]) -> bool:
        return sorted(values) == list(range(min(values), min(values) + len(values)))

    # ------------------------------------------------------------ ties
    def key(
        self, used: tuple[int, ...], faces: tuple[int, ...], low: frozenset[int], wilds: int, cards: Sequence[int]
    ) -> tuple[Any, ...]:
        rest = self.rest(used, cards)
        key: list[Any] = []
        for line in self.lines:
            if line.holds is not None:
                held = line.holds(used, rest, wilds)
                key.append((1 if line.how == "best" else -1) if held else 0)
                if held:
                    break
            else:
                assert line.value is not None
                values = [LOW if i in low else line.value(face) for i, face in enumerate(faces)]
                if line.of == "rest":
                    values = [line.value(self.face[card]) for card in rest]
                number = Counter(values if line.groups else ())
                values = sorted(values, key=lambda v: (-number[v], -v))
                key.append(values if line.how == "higher" else [*(-v for v in values), 10**6])
        return tuple(key)

    def rest(self, used: tuple[int, ...], cards: Sequence[int]) -> tuple[int, ...]:
        rest = [card for card in cards if card not in used]
        value = next((line.value for line in self.lines if line.of == "rest"), None)
        if isinstance(self.ranking.size, int):
            if value is not None:
                rest.sort(key=lambda card: -value(self.face[card]))
            rest = rest[: self.ranking.size - len(used)]
        return tuple(rest)
