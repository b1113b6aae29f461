"""Generate C tables for rankings.

Readings are not part of the IR. `Reader` makes the tables of a ranking. The conditions of wild cards and ties are
functions of the IR and are translated like any other."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence

from cardlang import game as g
from interpreter.native.world import NoC, World, c_numbers
from interpreter.program import Program
from interpreter.ranking.alike import any_order, classes
from interpreter.ranking.compile import GroupTable, PatternTable
from interpreter.ranking.reader import Reader
from interpreter.ranking.screen import Screen
from interpreter.ranking.ties import TieLine

SMALL, LARGE = 7, 127
"""Maximum counts for fields of 4 and 8 bits. No field crosses a word boundary."""
MOST_READ = 16
"""Maximum number of cards read together. Only searches for all possible choices read more."""
MOST_WILDS = 8
"""Maximum number of `wild` lines. The tables list the stand-ins for every subset of these lines."""
FOLDS = {None: "EACH_VALUE", "count": "COUNT", "total": "TOTAL", "highest": "HIGHEST", "lowest": "LOWEST"}
FEW_READ, KEY, MOST_LEVELS = 8, 58, 16
"""Maximum size of cached hands, bits of their keys, and maximum number of card classifications of a ranking."""
WORD = (1 << 64) - 1


def strength_size(reader: Reader, hand: int = MOST_READ) -> int:
    """Return the maximum length of the strength within a rank, in numbers, for hands up to this size."""
    size = reader.ranking.size if isinstance(reader.ranking.size, int) else hand
    long = sum(isinstance(line, TieLine) and line.source != "wilds" and line.fold is None for line in reader.ties.lines)
    return len(reader.ties.lines) + long * size


def rankings_source(program: Program, names: Sequence[str], searched: Collection[str], world: World) -> str:
    """Generate all rankings that the program reads hands by. `searched`: those that list possible choices."""
    readers = {name: program.readings.reader(name) for name in names}
    hand = max(MOST_READ, program.layout.cards) if searched else MOST_READ
    most = max([1, *(strength_size(reader, hand) for reader in readers.values())])
    world.strength = most + 2
    tables: list[str] = []
    splits = False
    for name, reader in readers.items():
        least = program.readings.least(name) if reader.ranking.size == "groups" else []
        splits = splits or bool(least)
        small = isinstance(reader.ranking.size, int) and name not in searched
        table = RankingTables(program.lowering.code.named("ranking", name), len(tables), reader, small)
        tables.append(table.source([world.text(title) for title in reader.titles], least))
    sizes = [f"#define HAND {hand}"]
    files = ["rankings.h", "ways.h", "remembering.h", "reading.h", *(["splits.h"] if splits else []), "picking.h"]
    return "\n".join([*sizes, *(f'#include "{file}"' for file in files), *tables])


class RankingTables:
    """Tables of one ranking, the `number`th. `small`: it reads only small hands."""

    def __init__(self, name: str, number: int, reader: Reader, small: bool) -> None:
        self.name, self.number = name, number
        self.reader = reader
        self.deck = reader.deck
        self.patterns = [pattern for rank in reader.ranks for pattern in rank]
        self.groups = [group for pattern in self.patterns for group in pattern.groups]
        if any(len(pattern.groups) > MOST_READ for pattern in self.patterns):
            raise NoC(f"a pattern of more than {MOST_READ} groups")
        if len(reader.ranking.wilds) > MOST_WILDS:
            raise NoC(f"a ranking with more than {MOST_WILDS} lines of wild cards")
        self.screen = Screen(self.deck, reader.ranks, SMALL if small else LARGE)
        self.words = -(-self.screen.end * self.screen.width // 64)
        self.lines: list[str] = []
        self.arrays: dict[tuple[str, str], str] = {}
        self.choices: dict[tuple[int, ...], int] = {}

    def source(self, titles: Sequence[int], least: Sequence[int]) -> str:
        """Generate the tables.

        titles: strings, by rank.
        least: for each face, the value that counts if a split leaves it."""
        ranking, ranks = self.reader.ranking, self.reader.ranks
        size = ranking.size if isinstance(ranking.size, int) else -1 if ranking.size == "groups" else 0
        numbers = [size, self.screen.limit, len(ranks), len(self.reader.ties.lines), self.words, len(ranking.wilds)]
        tables = [
            self.array("int", (sum(map(len, ranks[:number])) for number in range(len(ranks) + 1))),
            self.tables_of_patterns(),
            self.tables_of_ties(),
            self.tables_of_stand_ins(),
            self.array("Faces", (f"{{{len(faces)}, {self.array('i64', faces)}}}" for faces in self.choices)),
            self.array("i64", titles),
            self.array("i64", least),
            self.array("u64", (f"{word}u" for card in self.screen.card for word in words_of(card, self.words))),
        ]
        self.lines.append(screen_source(self.name, self.screen, self.words))
        given = ", ".join([*map(str, numbers), *tables, f"{self.name}_next", *self.memory(), *self.tables_of_levels()])
        self.lines.append(f"static const Ranking {self.name}_ranking = {{{given}}};")
        return "\n".join(self.lines)

    def memory(self) -> list[str]:
        """Return the weights by which equivalent hands are recognized: see `interpreter.ranking.alike`.

        They are not used with wild cards, because the result depends on more than the card classes."""
        most, of_card = any_order(self.reader), classes(self.reader)
        digit = most.bit_length()
        if self.reader.ranking.wilds or digit * (max(of_card) + 1) > 62:
            most = 0
        fewest = min((pattern.least for pattern in self.patterns), default=1)
        weights = self.array("u64", (f"{1 << number * digit if most else 0}u" for number in of_card))
        direct = int(most > 0 and all(map(is_direct, self.patterns)))
        return [str(self.number), str(most), str(max(fewest, 1)), str(direct), weights]

    def tables_of_levels(self) -> list[str]:
        """Return the card classes that identify a hand if only ranks from some rank on are possible."""
        judged = int(any(not isinstance(line, TieLine) for line in self.reader.ties.lines))
        found: dict[str, int] = {}
        of_rank = [
            found.setdefault(self.level(ranks_from(self.reader, rank)), len(found))
            for rank in range(len(self.reader.ranks))
        ]
        levels = [*found] if len(found) <= MOST_LEVELS else ["{-1, 0, 0}"] * len(found)
        return [str(judged), str(int(len(found) == 1)), self.array("Level", levels), self.array("signed char", of_rank)]

    def level(self, patterns: Sequence[PatternTable]) -> str:
        of_face = faces_alike(self.reader, patterns)
        bits = max(1, max(of_face).bit_length()) + len(self.reader.ranking.wilds)
        return f"{{{min(FEW_READ, KEY // bits)}, {bits}, {self.array('short', of_face)}}}"

    def array(self, kind: str, items: Iterable[object]) -> str:
        """Return the name of an array. Equal arrays are written once."""
        text = ", ".join(map(str, items)) or "0"
        if (kind, text) not in self.arrays:
            name = self.arrays[kind, text] = f"{self.name}_{len(self.arrays)}"
            self.lines.append(f"static const {kind} {name}[] = {{{text}}};")
        return self.arrays[kind, text]

    # ------------------------------------------------------------ patterns
    def tables_of_patterns(self) -> str:
        rows, number = [], 0
        for pattern in self.patterns:
            groups = [self.group(number + index, group) for index, group in enumerate(pattern.groups)]
            number += len(groups)
            rows.append(self.pattern(pattern, groups))
        return self.array("Pattern", rows)

    def group(self, number: int, group: GroupTable) -> str:
        keys = self.array("i64", group.keys)
        pairs = [[*taken, (-2, 0), (-2, 0)][:2] for taken in group.places]
        spots = self.array("Spot", (f"{{{place}, {face}}}" for two in pairs for place, face in two))
        run = [int(group.step is not None), len(group.values), group.span.start, group.span.stop]
        values = [number, group.count, int(group.or_more), *run, keys, spots, len(group.checks)]
        return "{" + ", ".join(map(str, [*values, self.checks((trait, 0) for trait in group.checks)])) + "}"

    def checks(self, traits: Iterable[tuple[g.Trait, int]]) -> str:
        """Generate the checks of traits of a whole list: the values of all faces, and the faces for low values.

        Each trait comes with a bit mask of the groups that count once."""
        rows = []
        for trait, once in traits:
            found = [self.deck.value(trait.attribute, face) for face in range(len(self.deck.base))]
            numbers = {value: place for place, value in enumerate(dict.fromkeys(found))}
            run = trait.word == "consecutive"
            known = ["NO_VALUE" if value is None else value if run else numbers[value] for value in found]
            lowered = [self.deck.low.get((trait.attribute, face), face) for face in range(len(self.deck.base))]
            low = [once, int(run), int(trait.low is not None), trait.low or 0]
            rows.append("{" + ", ".join(map(str, [*low, self.array("i64", known), self.array("i64", lowered)])) + "}")
        return self.array("Check", rows or ["{0}"])

    def pattern(self, pattern: PatternTable, groups: list[str]) -> str:
        bonds: list[str] = []
        for tie in (tie for ties in pattern.ties for tie in ties):
            meanings = {value: number for number, value in enumerate(dict.fromkeys((*tie.left, *tie.right)))}
            sides = [[meanings[value] for value in side] for side in (tie.left, tie.right)]
            names = [self.array("i64", side) for side in sides]
            bonds.append(f"{{{tie.first}, {tie.second}, {int(tie.equal)}, {', '.join(names)}}}")
        parts = [
            self.array("Group", groups),
            self.array("Bond", bonds or ["{0}"]),
            self.array("int", map(int, pattern.twins)),
        ]
        size = -1 if pattern.size is None else pattern.size
        least = sum(group.count for group in pattern.groups)
        checks = self.checks((check.trait, sum(1 << group for group in check.once)) for check in pattern.checks)
        rest = [least, int(pattern.plain), int(pattern.checked), len(pattern.checks), checks]
        return "{" + ", ".join(map(str, [len(groups), size, len(bonds), *parts, *rest])) + "}"

    # ------------------------------------------------------------ ties and wild cards
    def tables_of_ties(self) -> str:
        rows = []
        for line in self.reader.ties.lines:
            if not isinstance(line, TieLine):
                rows.append(f"{{{line.upper()}}}")
                continue
            values = self.array("i64", [c_numbers([value]) for value in line.values])
            parts = [line.source.upper(), str(line.sign), FOLDS[line.fold], str(int(line.groups)), values]
            rows.append("{" + ", ".join(parts) + "}")
        return self.array("Line", rows or ["{0}"])

    def tables_of_stand_ins(self) -> str:
        """Generate the stand-ins for every face and every set of `wild` lines."""
        wilds, rows = len(self.reader.ranking.wilds), []
        first = {face: card for card, face in reversed(list(enumerate(self.deck.face)))}
        for face in range(len(self.deck.sets) if wilds else 0):
            rows.append("{0}")
            for lines in range(1, 1 << wilds):
                rows.append(self.stand_in(first[face], lines) if face in first else "{0}")
        return self.array("StandIn", rows or ["{0}"])

    def stand_in(self, card: int, lines: int) -> str:
        stand = self.reader.wild_cards.stand_in(card, lines)
        options = []
        for group in self.groups:
            found = stand.options(group)
            shown = [f"{{{key}, {place}, {self.shown(faces)}}}" for (key, place), faces in found.items()]
            width = max(len(group.span), 1)
            by_place = [-1] * (width * max(len(group.values), 1))
            for number, (key, place) in enumerate(found):
                by_place[key * width + place - group.span.start] = number
            options.append(f"{{{self.array('short', by_place)}, {self.array('Showing', shown or ['{0}'])}}}")
        ones = self.array("u64", (f"{word}u" for word in words_of(stand.pack(self.screen), self.words)))
        return f"{{{self.array('Showings', options)}, {ones}}}"

    def shown(self, faces: tuple[int, ...]) -> int:
        """Return the face, or a negative number for a choice of several faces."""
        return faces[0] if len(faces) == 1 else ~self.choices.setdefault(faces, len(self.choices))


# ---------------------------------------------------------------- card classes of a ranking
def is_direct(pattern: PatternTable) -> bool:
    """Check whether a look at the cards decides a pattern: it is one group, and each card has one place in it."""
    (group, *others), one_place = pattern.groups, max(map(len, pattern.groups[0].places)) <= 1
    return not others and not pattern.checked and one_place and len(group.span) <= WORD.bit_length()


def ranks_from(reader: Reader, rank: int) -> list[PatternTable]:
    return [pattern for patterns in reader.ranks[rank:] for pattern in patterns]


def faces_alike(reader: Reader, patterns: Sequence[PatternTable]) -> list[int]:
    """Return the class number of each face.

    Cards of one class join the same groups at the same places, and count the same. With wild cards, every face is
    its own class."""
    deck, groups = reader.deck, [group for pattern in patterns for group in pattern.groups]
    if reader.ranking.wilds:
        return list(range(len(deck.sets)))
    checks = [[check.trait.attribute for check in each.checks] for each in patterns]
    checks += [[trait.attribute for trait in each.checks] for each in groups]
    columns = [deck.columns[name] for names in checks for name in names]
    values = [line.values for line in reader.ties.lines if isinstance(line, TieLine)]
    tables = [*(group.keys for group in groups), *(group.places for group in groups if group.step), *columns, *values]
    numbers: dict[tuple[object, ...], int] = {}
    faces = range(len(deck.sets))
    return [numbers.setdefault(tuple(table[face] for table in tables), len(numbers)) for face in faces]


# ---------------------------------------------------------------- count screen
def words_of(number: int, words: int) -> list[int]:
    return [number >> 64 * place & WORD for place in range(words)]


def screen_source(name: str, screen: Screen, words: int) -> str:
    """Translate the Python tests of the screen to C: find the next rank that the counts allow, or -1."""
    tree = ast.parse(screen.source).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise NoC("a screen that is no function")
    cases = [f"case {at}: if ({Test(words).c(part.test)}) return {at};" for at, part in enumerate(tree.body[1:])
             if isinstance(part, ast.If)]  # fmt: skip
    head = f"static i64 {name}_next(const u64 *counts, const u64 *natural, i64 wilds, i64 from)"
    return f"{head} {{ switch (from) {{ {' '.join(cases)} }} return -1; }}"


class Test:
    """Condition over counts that are spread over words."""

    def __init__(self, words: int) -> None:
        self.words = words

    def c(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool(number) | int(number)):
                return str(int(number))
            case ast.Name(id=name):
                return name
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return f"!{self.c(inner)}"
            case ast.BoolOp(op=op, values=values):
                return "(" + (" && " if isinstance(op, ast.And) else " || ").join(map(self.c, values)) + ")"
            case ast.Compare(left=left, ops=[ast.GtE() | ast.Gt() as op], comparators=[right]):
                return f"({self.c(left)} {'>=' if isinstance(op, ast.GtE) else '>'} {self.c(right)})"
            case ast.BinOp(op=ast.BitAnd()):
                return f"(({' | '.join(self.filled(node).values()) or '0'}) != 0)"
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return f"({self.c(left)} + {self.c(right)})"
            case ast.Call(func=ast.Attribute(attr="bit_count", value=inner)):
                return "(" + (" + ".join(f"bits_in({word})" for word in self.filled(inner).values()) or "0") + ")"
            case ast.Call(func=ast.Name(id="row"), args=[full, ast.Constant() as length, ast.Constant() as width]):
                parts = self.filled(full)
                given = ", ".join(parts.get(place, "0") for place in range(self.words))
                return f"row_of((u64[]){{{given}}}, {self.words}, {self.c(length)}, {self.c(width)})"
        raise NoC(f"the test {ast.unparse(node)[:40]}")

    def filled(self, node: ast.expr) -> dict[int, str]:
        """Return a bit for each field with at least the required count, by word."""
        match node:
            case ast.BinOp(
                left=ast.BinOp(left=ast.Name(id=counts), right=ast.Constant(value=int(bias))),
                op=ast.BitAnd(),
                right=ast.Constant(value=int(high)),
            ):
                rows = zip(words_of(bias, self.words), words_of(high, self.words), strict=True)
                return {at: f"({counts}[{at}] + {b}u & {h}u)" for at, (b, h) in enumerate(rows) if h}
        raise NoC(f"the counts {ast.unparse(node)[:40]}")
