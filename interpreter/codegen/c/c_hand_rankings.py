"""C tables and tests for rankings and their tie breaks.

The search for readings is not part of the IR. `HandEvaluator` builds the tables of a ranking. The conditions of wild
cards and ties are IR functions, translated like any other.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Sequence

from cardlang import model as g
from interpreter.codegen.c.c_context import CCodegenContext, UnsupportedInC, format_c_numbers
from interpreter.hands.hand_evaluator import HandEvaluator, classify_cards, find_unordered_limit
from interpreter.hands.ranking_tables import CountFilter, GroupTable, PatternTable
from interpreter.hands.tie_breaks import TieBreakLine
from interpreter.program.program import Program
from interpreter.runtime.rng import WORD_MASK

SMALL_COUNT_LIMIT, LARGE_COUNT_LIMIT = 7, 127
"""Maximum counts for fields of 4 and 8 bits. No field crosses a word boundary."""
MAX_HAND_READ = 16
"""Maximum number of cards read together. Only searches for all possible choices read more."""
MAX_WILD_LINES = 8
"""Maximum number of `wild` lines. The tables list the substitute faces for every subset of these lines."""
FOLD_CONSTANTS = {None: "EACH_VALUE", "count": "COUNT", "total": "TOTAL", "highest": "HIGHEST", "lowest": "LOWEST"}
MAX_CACHED_HAND, CACHE_KEY_BITS, MAX_LEVELS = 8, 58, 16
"""Maximum size of cached hands, bits of their keys, and maximum number of card classifications of a ranking."""


def find_max_strength_size(evaluator: HandEvaluator, hand: int = MAX_HAND_READ) -> int:
    """Return the maximum length of the strength within a rank, in numbers, for hands up to this size."""
    size = evaluator.ranking.size if isinstance(evaluator.ranking.size, int) else hand
    long = sum(
        isinstance(line, TieBreakLine) and line.source != "wilds" and line.fold is None
        for line in evaluator.tie_breaker.lines
    )
    return len(evaluator.tie_breaker.lines) + long * size


def generate_rankings(
    program: Program, names: Sequence[str], searched_rankings: Collection[str], context: CCodegenContext
) -> str:
    """Generate all rankings that the program reads hands by. `searched_rankings`: those that list possible choices."""
    readers = {name: program.readings.find_evaluator(name) for name in names}
    hand = max(MAX_HAND_READ, program.layout.cards) if searched_rankings else MAX_HAND_READ
    most = max([1, *(find_max_strength_size(reader, hand) for reader in readers.values())])
    context.strength_size = most + 2
    tables: list[str] = []
    splits = False
    for name, reader in readers.items():
        least = program.readings.find_leftover_costs(name) if reader.ranking.size == "groups" else []
        splits = splits or bool(least)
        size = reader.ranking.size
        small = isinstance(size, int) and size <= SMALL_COUNT_LIMIT and name not in searched_rankings
        table = CRankingTables(program.lowering.make_identifier("ranking", name), len(tables), reader, small)
        tables.append(table.generate_tables([context.number_text(title) for title in reader.titles], least))
    sizes = [f"#define HAND {hand}"]
    files = [
        "ranking_tables.h", "pattern_search.h", "reading_cache.h", "hand_evaluator.h",
        *(["meld_split.h"] if splits else []), "card_combinations.h",
    ]  # fmt: skip
    return "\n".join([*sizes, *(f'#include "{file}"' for file in files), *tables])


class CRankingTables:
    """Tables of one ranking, the `number`th. `reads_small_hands`: it reads only small hands."""

    def __init__(self, name: str, number: int, evaluator: HandEvaluator, reads_small_hands: bool) -> None:
        self.name, self.number = name, number
        self.evaluator = evaluator
        self.deck = evaluator.deck
        self.patterns = [pattern for rank in evaluator.ranks for pattern in rank]
        self.groups = [group for pattern in self.patterns for group in pattern.groups]
        if any(len(pattern.groups) > MAX_HAND_READ for pattern in self.patterns):
            raise UnsupportedInC(f"a pattern of more than {MAX_HAND_READ} groups")
        if len(evaluator.ranking.wilds) > MAX_WILD_LINES:
            raise UnsupportedInC(f"a ranking with more than {MAX_WILD_LINES} lines of wild cards")
        self.count_filter = CountFilter(
            self.deck, evaluator.ranks, SMALL_COUNT_LIMIT if reads_small_hands else LARGE_COUNT_LIMIT
        )
        self.word_count = -(-self.count_filter.field_count * self.count_filter.field_width // 64)
        self.lines: list[str] = []
        self.arrays: dict[tuple[str, str], str] = {}
        self.choices: dict[tuple[int, ...], int] = {}

    def generate_tables(self, titles: Sequence[int], leftover_costs: Sequence[int]) -> str:
        """Generate the tables.

        titles: strings, by rank.
        leftover_costs: for each face, the value that counts if a split leaves it."""
        ranking, ranks = self.evaluator.ranking, self.evaluator.ranks
        size = ranking.size if isinstance(ranking.size, int) else -1 if ranking.size == "groups" else 0
        numbers = [
            size, self.count_filter.limit, len(ranks), len(self.evaluator.tie_breaker.lines), self.word_count,
            len(ranking.wilds),
        ]  # fmt: skip
        tables = [
            self.add_array("int", (sum(map(len, ranks[:number])) for number in range(len(ranks) + 1))),
            self.generate_pattern_tables(),
            self.generate_tie_tables(),
            self.generate_wild_card_tables(),
            self.add_array("Faces", (f"{{{len(faces)}, {self.add_array('i64', faces)}}}" for faces in self.choices)),
            self.add_array("i64", titles),
            self.add_array("i64", leftover_costs),
            self.add_array(
                "u64",
                (
                    f"{word}u"
                    for card in self.count_filter.packed_counts
                    for word in split_into_words(card, self.word_count)
                ),
            ),
        ]
        self.lines.append(generate_count_filter(self.name, self.count_filter, self.word_count))
        given = ", ".join(
            [
                *map(str, numbers),
                *tables,
                f"{self.name}_next",
                *self.generate_cache_weights(),
                *self.generate_hand_class_tables(),
            ]
        )
        self.lines.append(f"static const Ranking {self.name}_ranking = {{{given}}};")
        return "\n".join(self.lines)

    def generate_cache_weights(self) -> list[str]:
        """Return the weights by which equivalent hands are recognized: see `interpreter.hands.hand_evaluator`.

        They are not used with wild cards, because the result depends on more than the card classes."""
        most, of_card = find_unordered_limit(self.evaluator), classify_cards(self.evaluator)
        digit = most.bit_length()
        if self.evaluator.ranking.wilds or digit * (max(of_card) + 1) > 62:
            most = 0
        fewest = min((pattern.min_cards for pattern in self.patterns), default=1)
        weights = self.add_array("u64", (f"{1 << number * digit if most else 0}u" for number in of_card))
        direct = int(most > 0 and all(map(is_direct_pattern, self.patterns)))
        return [str(self.number), str(most), str(max(fewest, 1)), str(direct), weights]

    def generate_hand_class_tables(self) -> list[str]:
        """Return the card classes that identify a hand if only ranks from some rank on are possible."""
        judged = int(any(not isinstance(line, TieBreakLine) for line in self.evaluator.tie_breaker.lines))
        level_numbers: dict[str, int] = {}
        of_rank = [
            level_numbers.setdefault(
                self.generate_level(list_patterns_from_rank(self.evaluator, rank)), len(level_numbers)
            )
            for rank in range(len(self.evaluator.ranks))
        ]
        levels = [*level_numbers] if len(level_numbers) <= MAX_LEVELS else ["{-1, 0, 0}"] * len(level_numbers)
        return [
            str(judged), str(int(len(level_numbers) == 1)), self.add_array("Level", levels),
            self.add_array("signed char", of_rank),
        ]  # fmt: skip

    def generate_level(self, patterns: Sequence[PatternTable]) -> str:
        of_face = classify_faces(self.evaluator, patterns)
        bits = max(1, max(of_face).bit_length()) + len(self.evaluator.ranking.wilds)
        return f"{{{min(MAX_CACHED_HAND, CACHE_KEY_BITS // bits)}, {bits}, {self.add_array('short', of_face)}}}"

    def add_array(self, kind: str, items: Iterable[object]) -> str:
        """Return the name of an array. Equal arrays are generated once."""
        text = ", ".join(map(str, items)) or "0"
        if (kind, text) not in self.arrays:
            name = self.arrays[kind, text] = f"{self.name}_{len(self.arrays)}"
            self.lines.append(f"static const {kind} {name}[] = {{{text}}};")
        return self.arrays[kind, text]

    # ------------------------------------------------------------ patterns
    def generate_pattern_tables(self) -> str:
        rows, number = [], 0
        for pattern in self.patterns:
            groups = [self.generate_group(number + index, group) for index, group in enumerate(pattern.groups)]
            number += len(groups)
            rows.append(self.generate_pattern(pattern, groups))
        return self.add_array("Pattern", rows)

    def generate_group(self, number: int, group: GroupTable) -> str:
        keys = self.add_array("i64", group.keys)
        pairs = [[*taken, (-2, 0), (-2, 0)][:2] for taken in group.run_places]
        spots = self.add_array("Spot", (f"{{{place}, {face}}}" for two in pairs for place, face in two))
        run = [int(group.run_trait is not None), len(group.values), group.place_range.start, group.place_range.stop]
        values = [number, group.count, int(group.or_more), *run, keys, spots, len(group.extra_traits)]
        return (
            "{" + ", ".join(map(str, [*values, self.generate_checks((trait, 0) for trait in group.extra_traits)])) + "}"
        )

    def generate_checks(self, traits: Iterable[tuple[g.Trait, int]]) -> str:
        """Generate the checks of traits of a whole list: the values of all faces, and the faces for low values.

        Each trait comes with a bit mask of the groups that count once."""
        rows = []
        for trait, once in traits:
            values = [self.deck.find_value(trait.attribute, face) for face in range(len(self.deck.base_faces))]
            numbers = {value: number for number, value in enumerate(dict.fromkeys(values))}
            run = trait.word == "consecutive"
            known = ["NO_VALUE" if value is None else value if run else numbers[value] for value in values]
            lowered = [
                self.deck.low_faces.get((trait.attribute, face), face) for face in range(len(self.deck.base_faces))
            ]
            low = [once, int(run), int(trait.low is not None), trait.low or 0]
            rows.append(
                "{" + ", ".join(map(str, [*low, self.add_array("i64", known), self.add_array("i64", lowered)])) + "}"
            )
        return self.add_array("Check", rows or ["{0}"])

    def generate_pattern(self, pattern: PatternTable, groups: list[str]) -> str:
        bonds: list[str] = []
        for tie in (tie for ties in pattern.key_constraints for tie in ties):
            meanings = {value: number for number, value in enumerate(dict.fromkeys((*tie.left, *tie.right)))}
            sides = [[meanings[value] for value in side] for side in (tie.left, tie.right)]
            names = [self.add_array("i64", side) for side in sides]
            bonds.append(f"{{{tie.first}, {tie.second}, {int(tie.equal)}, {', '.join(names)}}}")
        parts = [
            self.add_array("Group", groups),
            self.add_array("Bond", bonds or ["{0}"]),
            self.add_array("int", map(int, pattern.is_twin_of_previous)),
        ]
        size = -1 if pattern.exact_size is None else pattern.exact_size
        least = sum(group.count for group in pattern.groups)
        checks = self.generate_checks(
            (check.trait, sum(1 << group for group in check.single_count_groups)) for check in pattern.checks
        )
        rest = [least, int(pattern.is_plain), int(pattern.has_checks), len(pattern.checks), checks]
        return "{" + ", ".join(map(str, [len(groups), size, len(bonds), *parts, *rest])) + "}"

    # ------------------------------------------------------------ ties and wild cards
    def generate_tie_tables(self) -> str:
        rows = []
        for line in self.evaluator.tie_breaker.lines:
            if not isinstance(line, TieBreakLine):
                rows.append(f"{{{line.upper()}}}")
                continue
            values = self.add_array("i64", [format_c_numbers([value]) for value in line.values])
            parts = [line.source.upper(), str(line.sign), FOLD_CONSTANTS[line.fold], str(int(line.groups)), values]
            rows.append("{" + ", ".join(parts) + "}")
        return self.add_array("Line", rows or ["{0}"])

    def generate_wild_card_tables(self) -> str:
        """Generate the substitute faces for every face and every set of `wild` lines."""
        wilds, rows = len(self.evaluator.ranking.wilds), []
        first = {face: card for card, face in reversed(list(enumerate(self.deck.face_by_card)))}
        for face in range(len(self.deck.sets) if wilds else 0):
            rows.append("{0}")
            for lines in range(1, 1 << wilds):
                rows.append(self.generate_wild_card(first[face], lines) if face in first else "{0}")
        return self.add_array("StandIn", rows or ["{0}"])

    def generate_wild_card(self, card: int, lines: int) -> str:
        stand = self.evaluator.wild_cards.find_wild_card(card, lines)
        options = []
        for group in self.groups:
            wild_options = stand.find_options(group)
            shown = [
                f"{{{key}, {place}, {self.encode_shown_faces(faces)}}}" for (key, place), faces in wild_options.items()
            ]
            width = max(len(group.place_range), 1)
            by_place = [-1] * (width * max(len(group.values), 1))
            for number, (key, place) in enumerate(wild_options):
                by_place[key * width + place - group.place_range.start] = number
            options.append(f"{{{self.add_array('short', by_place)}, {self.add_array('Showing', shown or ['{0}'])}}}")
        ones = self.add_array(
            "u64", (f"{word}u" for word in split_into_words(stand.pack_counts(self.count_filter), self.word_count))
        )
        return f"{{{self.add_array('Showings', options)}, {ones}}}"

    def encode_shown_faces(self, faces: tuple[int, ...]) -> int:
        """Return the face, or a negative number for a choice of several faces."""
        return faces[0] if len(faces) == 1 else ~self.choices.setdefault(faces, len(self.choices))


# ---------------------------------------------------------------- card classes of a ranking
def is_direct_pattern(pattern: PatternTable) -> bool:
    """Check whether a look at the cards decides a pattern: it is one group, and each card has one place in it."""
    (group, *others), one_place = pattern.groups, max(map(len, pattern.groups[0].run_places)) <= 1
    return not others and not pattern.has_checks and one_place and len(group.place_range) <= WORD_MASK.bit_length()


def list_patterns_from_rank(evaluator: HandEvaluator, rank: int) -> list[PatternTable]:
    return [pattern for patterns in evaluator.ranks[rank:] for pattern in patterns]


def classify_faces(evaluator: HandEvaluator, patterns: Sequence[PatternTable]) -> list[int]:
    """Return the class number of each face.

    Cards of one class join the same groups at the same places, and count the same. With wild cards, every face is
    its own class."""
    deck, groups = evaluator.deck, [group for pattern in patterns for group in pattern.groups]
    if evaluator.ranking.wilds:
        return list(range(len(deck.sets)))
    checks = [[check.trait.attribute for check in each.checks] for each in patterns]
    checks += [[trait.attribute for trait in each.extra_traits] for each in groups]
    columns = [deck.columns[name] for names in checks for name in names]
    values = [line.values for line in evaluator.tie_breaker.lines if isinstance(line, TieBreakLine)]
    tables = [
        *(group.keys for group in groups), *(group.run_places for group in groups if group.run_trait), *columns,
        *values,
    ]  # fmt: skip
    numbers: dict[tuple[object, ...], int] = {}
    faces = range(len(deck.sets))
    return [numbers.setdefault(tuple(table[face] for table in tables), len(numbers)) for face in faces]


# ---------------------------------------------------------------- count filter
def split_into_words(number: int, word_count: int) -> list[int]:
    return [number >> 64 * word_index & WORD_MASK for word_index in range(word_count)]


def generate_count_filter(name: str, count_filter: CountFilter, word_count: int) -> str:
    """Translate the Python tests of the count filter to C: find the next rank that the counts allow, or -1."""
    tree = ast.parse(count_filter.source_code).body[0]
    if not isinstance(tree, ast.FunctionDef):
        raise UnsupportedInC("a count filter that is no function")
    cases = [
        f"case {at}: if ({CountTestTranslator(word_count).translate_test(part.test)}) return {at};"
        for at, part in enumerate(tree.body[1:])
        if isinstance(part, ast.If)
    ]
    head = f"static i64 {name}_next(const u64 *counts, const u64 *natural, i64 wilds, i64 from)"
    return f"{head} {{ switch (from) {{ {' '.join(cases)} }} return -1; }}"


class CountTestTranslator:
    """Translator of a test of counts that are spread over several words."""

    def __init__(self, word_count: int) -> None:
        self.word_count = word_count

    def translate_test(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool(number) | int(number)):
                return str(int(number))
            case ast.Name(id=name):
                return name
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return f"!{self.translate_test(inner)}"
            case ast.BoolOp(op=op, values=values):
                return (
                    "(" + (" && " if isinstance(op, ast.And) else " || ").join(map(self.translate_test, values)) + ")"
                )
            case ast.Compare(left=left, ops=[ast.GtE() | ast.Gt() as op], comparators=[right]):
                operator = ">=" if isinstance(op, ast.GtE) else ">"
                return f"({self.translate_test(left)} {operator} {self.translate_test(right)})"
            case ast.BinOp(op=ast.BitAnd()):
                return f"(({' | '.join(self.translate_filled_fields(node).values()) or '0'}) != 0)"
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return f"({self.translate_test(left)} + {self.translate_test(right)})"
            case ast.Call(func=ast.Attribute(attr="bit_count", value=inner)):
                return (
                    "("
                    + (" + ".join(f"bits_in({word})" for word in self.translate_filled_fields(inner).values()) or "0")
                    + ")"
                )
            case ast.Call(func=ast.Name(id="row"), args=[full, ast.Constant() as length, ast.Constant() as width]):
                parts = self.translate_filled_fields(full)
                given = ", ".join(parts.get(word_index, "0") for word_index in range(self.word_count))
                sizes = f"{self.word_count}, {self.translate_test(length)}, {self.translate_test(width)}"
                return f"row_of((u64[]){{{given}}}, {sizes})"
        raise UnsupportedInC(f"the test {ast.unparse(node)[:40]}")

    def translate_filled_fields(self, node: ast.expr) -> dict[int, str]:
        """Return a bit for each field with at least the required count, by word."""
        match node:
            case ast.BinOp(
                left=ast.BinOp(left=ast.Name(id=counts), right=ast.Constant(value=int(bias))),
                op=ast.BitAnd(),
                right=ast.Constant(value=int(high)),
            ):
                rows = zip(
                    split_into_words(bias, self.word_count), split_into_words(high, self.word_count), strict=True
                )
                return {at: f"({counts}[{at}] + {b}u & {h}u)" for at, (b, h) in enumerate(rows) if h}
        raise UnsupportedInC(f"the counts {ast.unparse(node)[:40]}")
