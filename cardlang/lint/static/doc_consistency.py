"""Lint rules for texts that contradict the rules or misname a step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import combinations, islice

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.static.constant_values import evaluate_constant
from cardlang.model.effects import iter_track_changes
from cardlang.model.traversal import collect_all_nodes, iter_bodies, walk

NUMBER_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMBER_PATTERN = rf"(?P<number>\d{{1,9}}|{'|'.join(NUMBER_WORDS[1:])})"
SUBJECT_PATTERN = r"(?:(?:you|they|everybody|everyone|each player|each|all) )?"
VERB_PATTERN = r"(?:(?:play|deal|draw|discard|get|take|pass|give|score|win|lose|pay|have|has|are|is|there are)s? )?"
RECIPIENT_PATTERN = (
    r"(?: (?:each|apiece|in all|per player|for each|for everybody|to each|(?:for|to) each player|are dealt))?"
)
CLAIM_PATTERN = re.compile(
    rf"\s*{SUBJECT_PATTERN}{VERB_PATTERN}{NUMBER_PATTERN} (?P<noun>[a-z]+(?:[ -][a-z]+)??){RECIPIENT_PATTERN}\s*",
    re.IGNORECASE,
)
"""Pattern of a claim. It matches a whole clause, so no other word can change the meaning."""
CLAUSE_ENDS = re.compile(r"[.,;:!?]")
MAX_COMBINED_COUNTS = 8
"""Maximum number of counts to combine. With more, every sum is possible, so nothing is certain."""

CountedDeclaration = g.Track | g.Define | g.CardSet


@frozen
class NumberClaim:
    number: int
    noun: str
    text: str


@frozen
class RuleCount:
    """Count in a rule: the nouns it may go by, and its possible numbers, or None if they are unknown."""

    nouns: frozenset[str]
    numbers: tuple[Fraction, ...] | None
    span: Span


def check_number_claims(game: g.Game) -> Iterator[Diagnostic]:
    """Compare texts with the rules next to or below them, if these have known numbers.

    Texts of a game are not compared with the rules that a variant changes."""
    for step in (each for each in game.steps.values() if is_own_declaration(game, each.origin)):
        yield from check_text_against_rules(game, step.doc, step.origin.span, step.body)
        for block in iter_blocks(step.body):
            for place, stmt in enumerate(block):
                said, rules = (stmt.text, block[place + 1 :]) if isinstance(stmt, g.Note) else (stmt.doc, (stmt,))
                yield from check_text_against_rules(game, said, stmt.span, rules)
    declared: list[CountedDeclaration] = [*game.tracks.values(), *game.defines.values(), *game.sets.values()]
    for each in declared:
        count = count_declaration(game, each) if each.doc and is_own_declaration(game, each.origin) else None
        yield from check_text_against_counts(game, each.doc, each.origin.span, [count] if count else [])


def is_own_declaration(game: g.Game, origin: g.Origin) -> bool:
    """Return whether a declaration belongs to the game or, if there is one, to the variant.

    Texts of libraries count, since the game must make them true."""
    return origin.varied or game.variant is None


def iter_blocks(body: tuple[g.Stmt | g.Option, ...]) -> Iterator[tuple[g.Stmt | g.Option, ...]]:
    yield body
    for part in walk(body):
        match part:
            case g.If(then=then, otherwise=otherwise):
                yield from (then, otherwise)
            case g.Each(body=inner) | g.Repeat(body=inner) | g.Choose(body=inner) | g.Option(body=inner):
                yield inner


# ---------------------------------------------------------------- claims in texts
def parse_claims(text: str) -> Iterator[NumberClaim]:
    for part in CLAUSE_ENDS.split(text):
        found = CLAIM_PATTERN.fullmatch(part)
        if found:
            word = found["number"].lower()
            yield NumberClaim(
                int(word) if word.isdigit() else NUMBER_WORDS.index(word), found["noun"].lower(), part.strip()
            )


def check_text_against_rules(
    game: g.Game, text: str, span: Span, rules: Sequence[g.Stmt | g.Option]
) -> Iterator[Diagnostic]:
    if text and next(parse_claims(text), None):
        yield from check_text_against_counts(game, text, span, list(iter_rule_counts(game, rules, False)))


def check_text_against_counts(
    game: g.Game, text: str, span: Span, rule_counts: list[RuleCount]
) -> Iterator[Diagnostic]:
    """Yield diagnostics on a text that contradicts the counts of some rules."""
    for claim in parse_claims(text):
        of = [count for count in rule_counts if claim.noun in count.nouns]
        known = [number for count in of for number in count.numbers or ()]
        unsure = any(count.numbers is None for count in of) or len(known) > MAX_COMBINED_COUNTS
        if not of or unsure or claim.number in find_possible_numbers(game, known):
            continue
        numbers = " and ".join(dict.fromkeys(f"{float(count.numbers[0]):g}" for count in of if count.numbers))
        yield Diagnostic(
            "W418",
            f"the text says “{claim.text}”, but the rules say {numbers}",
            find_text_span(claim.text, span),
            "change one of them, or write the value in braces, as in `{rounds} rounds`",
            tuple((count.span, "the rule") for count in of if count.span != span),
            warning=True,
        )


def find_possible_numbers(game: g.Game, numbers: Sequence[Fraction]) -> set[Fraction]:
    """Return all numbers that a text may mean: the counts, their sums, and both per player and for all players."""
    sums = {sum(some, Fraction(0)) for size in range(1, len(numbers) + 1) for some in combinations(numbers, size)}
    return sums | {way for each in sums for seats in game.seats for way in (each * seats, each / seats)}


def find_text_span(text: str, span: Span) -> Span:
    """Return the span of a part of a text, at a rule or after it."""
    start = span.source.text.find(text, span.start)
    return Span(span.source, start, start + len(text)) if start >= 0 else span


# ---------------------------------------------------------------- counts in rules
def count_declaration(game: g.Game, declaration: CountedDeclaration) -> RuleCount | None:
    if isinstance(declaration, g.CardSet):
        count = sum(face.copies for face in game.faces if face.set == declaration.name)
        return RuleCount(frozenset(("card", "cards")), (Fraction(count),), declaration.origin.name)
    value = declaration.start if isinstance(declaration, g.Track) else declaration.value
    if declaration.type.tag != "number" or (isinstance(declaration, g.Track) and not declaration.starts):
        return None
    return RuleCount(list_noun_forms(declaration), evaluate_for_all_seats(game, value), declaration.origin.name)


def iter_rule_counts(game: g.Game, rules: object, is_in_loop: bool) -> Iterator[RuleCount]:
    """Yield the counts of some rules. `is_in_loop` means that the rules run an unknown number of times."""
    for part in rules if isinstance(rules, tuple | list) else ():
        if isinstance(part, g.Do | g.DoBorne | g.Announce):
            yield from (RuleCount(list_countable_nouns(game), None, part.span),)
        found = count_statement(game, part)
        if found is not None:
            yield RuleCount(found.nouns, None if is_in_loop else found.numbers, found.span)
        match part:
            case g.Repeat(body=body):  # except for its own counter
                yield from (
                    each for each in iter_rule_counts(game, body, True) if not found or each.nouns != found.nouns
                )
            case g.Each(list=items, body=body):
                yield from iter_rule_counts(game, body, is_in_loop or items.type.item != g.PLAYER)
            case g.If(then=then, otherwise=otherwise):
                yield from iter_rule_counts(game, (*then, *otherwise), is_in_loop)
            case g.Menu(options=options) | g.Offer(options=options):
                yield from (each for option in options for each in iter_rule_counts(game, option.body, is_in_loop))
            case g.Choose(body=body):
                yield from iter_rule_counts(game, body, is_in_loop)


def list_countable_nouns(game: g.Game) -> frozenset[str]:
    """Return the nouns of everything that a step may count."""
    tracks = [name for track in game.tracks.values() for name in list_noun_forms(track)]
    return frozenset(("card", "cards", *tracks))


def count_statement(game: g.Game, statement: object) -> RuleCount | None:
    cards = frozenset(("card", "cards"))
    match statement:
        case g.Move(what=what, span=span):
            return RuleCount(cards, evaluate_moved_cards(game, what), span)
        case g.Pick(low=low, high=high, span=span):
            same = low is not None and low == high
            return RuleCount(cards, evaluate_for_all_seats(game, low) if same and low is not None else None, span)
        case g.SetTrack(track=track, value=value, span=span) if game.tracks[track].type.tag == "number":
            return RuleCount(list_noun_forms(game.tracks[track]), evaluate_for_all_seats(game, value), span)
        case g.Repeat(until=g.Compare() as until):
            return count_loop_rounds(game, statement, until)
        case g.Each(list=g.Members(kind=kind), condition=None, span=span):
            plain = kind.lower()
            size = Fraction(len(game.kinds[kind].members))
            return RuleCount(frozenset((plain, f"{plain}s", f"{plain[:-1]}ies")), (size,), span)
    return None


def evaluate_moved_cards(game: g.Game, cards: g.Expr) -> tuple[Fraction, ...] | None:
    """Return the number of cards moved, if it is constant."""
    if isinstance(cards, g.Joined) and len(cards.items) == 1:
        cards = cards.items[0]
    match cards:
        case g.Agg(function="top" | "bottom" | "first" | "last" | "random", number=number):
            return (Fraction(1),) if number is None else evaluate_for_all_seats(game, number)
    return None


def count_loop_rounds(game: g.Game, repeat: g.Repeat, until: g.Compare) -> RuleCount | None:
    """Return the number of iterations of a counting loop, if only the loop changes its counter."""
    track = until.left
    if not (isinstance(track, g.TrackValue) and track.of is None and track.type.tag == "number"):
        return None
    declared, goal = game.tracks[track.track], evaluate_for_all_seats(game, until.right)
    changes = [part for part in iter_track_changes(collect_all_nodes(game)) if part.track == track.track]
    start = evaluate_for_all_seats(game, declared.start)
    single = (
        len(changes) == 1
        and changes[0].operator == "+"
        and evaluate_for_all_seats(game, changes[0].value) == (Fraction(1),)
    )
    sure = single and any(part is changes[0] for part in repeat.body) and not declared.restarts
    numbers = None
    if goal and start and sure and until.operator in ("=", ">=") and len(goal) == len(start) == 1:
        numbers = (goal[0] - start[0],)
    return RuleCount(list_noun_forms(declared), numbers, repeat.span)


def evaluate_for_all_seats(game: g.Game, value: g.Expr) -> tuple[Fraction, ...] | None:
    """Return the constant values of a number, one for each player count, without duplicates; None if it depends on
    play."""
    found = [evaluate_constant(game, value, players) for players in game.seats]
    numbers = tuple(dict.fromkeys(each for each in found if each is not None))
    return numbers if found and None not in found else None


def list_noun_forms(declared: g.Track | g.Define) -> frozenset[str]:
    noun, name = declared.noun, declared.name.replace("-", " ")
    return frozenset(each.lower() for each in (noun.singular, noun.plural, name))


# ---------------------------------------------------------------- quoted names
QUOTED_NAME = re.compile(r"[“\"‘](\w[\w -]{2,38}\w)[.,]?[”\"’]")
MISSPELLING_CUTOFF = 0.8
"""Similarity from which an unknown name counts as misspelled."""
MAX_UNKNOWN_NAMES = 50
"""Maximum number of unknown names to compare."""
DocumentedNoun = g.Zone | g.Track | g.Define


def check_quoted_names(game: g.Game) -> Iterator[Diagnostic]:
    rules = {normalize_name(name): f"the step “{normalize_name(name)}”" for name in game.steps}
    options = [part for body in iter_bodies(game) for part in walk(body) if isinstance(part, g.Option)]
    rules |= {normalize_name(each.name): f"the option “{normalize_name(each.name)}”" for each in options}
    rules |= {normalize_name(each.name): f"the reaction “{normalize_name(each.name)}”" for each in game.reactions}
    known = rules.keys() | list_other_names(game)
    unknown = (each for each in iter_quoted_names(game) if each[0] not in known)
    for name, span in islice(unknown, MAX_UNKNOWN_NAMES):
        close = get_close_matches(name, rules, 1, MISSPELLING_CUTOFF)
        if close:
            message = f"unknown name “{name}” in this text"
            yield Diagnostic("W419", message, span, f"did you mean {rules[close[0]]}?", warning=True)


def iter_quoted_names(game: g.Game) -> Iterator[tuple[str, Span]]:
    """Yield the quoted names in texts of the game and its libraries."""
    for text, span in iter_author_texts(game):
        yield from ((normalize_name(name), span) for name in QUOTED_NAME.findall(text))


def normalize_name(name: str) -> str:
    return name.replace("-", " ").lower()


def list_other_names(game: g.Game) -> set[str]:
    """Return all other names in the game."""
    things: list[DocumentedNoun] = [*game.zones.values(), *game.tracks.values(), *game.defines.values()]
    said = [form for each in things for form in (each.noun.singular, each.noun.plural)]
    said += [*game.zones, *game.tracks, *game.defines, *game.kinds, *game.sets, *game.rankings, *game.orders]
    said += [member.name for kind in game.kinds.values() for member in kind.members]
    said += [rank.title for ranking in game.rankings.values() for rank in ranking.ranks]
    said += [face.title for face in game.faces] + [variant.title for variant in game.variants]
    return set(map(normalize_name, said))


def iter_author_texts(game: g.Game) -> Iterator[tuple[str, Span]]:
    for note in game.notes:
        yield note.text, note.span
    for ruling in game.rulings:
        yield " ".join((ruling.question, *ruling.answer)), ruling.span
    declared: list[g.Step | DocumentedNoun] = [*game.steps.values(), *game.zones.values(), *game.tracks.values()]
    for each in [*declared, *game.defines.values()]:
        yield each.doc, each.origin.name
    for part in collect_all_nodes(game):
        if isinstance(part, g.Stmt | g.Option):
            yield part.doc, part.span
