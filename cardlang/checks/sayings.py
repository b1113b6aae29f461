"""Check of documentation against rules, for example `Four rounds.` above a loop of five."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from attrs import frozen

from cardlang import game as g
from cardlang.checks.known import constant
from cardlang.game.walking import everything, walk
from cardlang.source import Diagnostic, Span

WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
NUMBER = rf"(?P<number>\d{{1,9}}|{'|'.join(WORDS[1:])})"
WHO = r"(?:(?:you|they|everybody|everyone|each player|each|all) )?"
DOES = r"(?:(?:play|deal|draw|discard|get|take|pass|give|score|win|lose|pay|have|has|are|is|there are)s? )?"
AFTER = r"(?: (?:each|apiece|in all|per player|for each|for everybody|to each|(?:for|to) each player|are dealt))?"
CLAIM = re.compile(rf"\s*{WHO}{DOES}{NUMBER} (?P<noun>[a-z]+(?:[ -][a-z]+)??){AFTER}\s*", re.IGNORECASE)
"""Pattern of a claim. It matches a whole clause, so no other word can change the meaning."""
ENDS = re.compile(r"[.,;:!?]")
MOST = 8
"""Maximum number of counts to combine. With more, every sum is possible, so nothing is certain."""


Declared = g.Track | g.Define | g.CardSet


@frozen
class Claim:
    number: int
    noun: str
    text: str


@frozen
class Count:
    """Count in a rule: the nouns it may go by, and its possible numbers, or None if they are unknown."""

    nouns: frozenset[str]
    numbers: tuple[Fraction, ...] | None
    span: Span


def check_sayings(game: g.Game) -> Iterator[Diagnostic]:
    """Compare texts with the rules next to or below them, if these have known numbers.

    Texts of a game are not compared with the rules that a variant changes."""
    for step in (each for each in game.steps.values() if is_own(game, each.origin)):
        yield from contradicted(game, step.doc, step.origin.span, step.body)
        for block in blocks(step.body):
            for place, stmt in enumerate(block):
                said, rules = (stmt.text, block[place + 1 :]) if isinstance(stmt, g.Note) else (stmt.doc, (stmt,))
                yield from contradicted(game, said, stmt.span, rules)
    declared: list[Declared] = [*game.tracks.values(), *game.defines.values(), *game.sets.values()]
    for each in declared:
        count = declaring(game, each) if each.doc and is_own(game, each.origin) else None
        yield from held(game, each.doc, each.origin.span, [count] if count else [])


def is_own(game: g.Game, origin: g.Origin) -> bool:
    """Return whether a declaration belongs to the game or, if there is one, to the variant.

    Texts of libraries count, since the game must make them true."""
    return origin.varied or game.variant is None


def blocks(body: tuple[g.Stmt | g.Option, ...]) -> Iterator[tuple[g.Stmt | g.Option, ...]]:
    yield body
    for part in walk(body):
        match part:
            case g.If(then=then, otherwise=otherwise):
                yield from (then, otherwise)
            case g.Each(body=inner) | g.Repeat(body=inner) | g.Choose(body=inner) | g.Option(body=inner):
                yield inner


# ---------------------------------------------------------------- claims in texts
def claims(text: str) -> Iterator[Claim]:
    for part in ENDS.split(text):
        found = CLAIM.fullmatch(part)
        if found:
            word = found["number"].lower()
            yield Claim(int(word) if word.isdigit() else WORDS.index(word), found["noun"].lower(), part.strip())


def contradicted(game: g.Game, said: str, span: Span, rules: Sequence[g.Stmt | g.Option]) -> Iterator[Diagnostic]:
    if said and next(claims(said), None):
        yield from held(game, said, span, list(counts(game, rules, False)))


def held(game: g.Game, said: str, span: Span, found: list[Count]) -> Iterator[Diagnostic]:
    """Yield diagnostics on a text that contradicts the counts of some rules."""
    for claim in claims(said):
        of = [count for count in found if claim.noun in count.nouns]
        known = [number for count in of for number in count.numbers or ()]
        unsure = any(count.numbers is None for count in of) or len(known) > MOST
        if not of or unsure or claim.number in meant(game, known):
            continue
        numbers = " and ".join(dict.fromkeys(f"{float(count.numbers[0]):g}" for count in of if count.numbers))
        yield Diagnostic(
            "W418",
            f"the text says “{claim.text}”, but the rules say {numbers}",
            place(claim.text, span),
            "change one of them, or write the value in braces, as in `{rounds} rounds`",
            tuple((count.span, "the rule") for count in of if count.span != span),
            warning=True,
        )


def meant(game: g.Game, numbers: Sequence[Fraction]) -> set[Fraction]:
    """Return all numbers that a text may mean: the counts, their sums, and both per player and for all players."""
    sums = {sum(some, Fraction(0)) for size in range(1, len(numbers) + 1) for some in combinations(numbers, size)}
    return sums | {way for each in sums for seats in game.seats for way in (each * seats, each / seats)}


def place(text: str, span: Span) -> Span:
    """Return the span of a part of a text, at a rule or after it."""
    start = span.source.text.find(text, span.start)
    return Span(span.source, start, start + len(text)) if start >= 0 else span


# ---------------------------------------------------------------- counts in rules
def declaring(game: g.Game, each: Declared) -> Count | None:
    if isinstance(each, g.CardSet):
        count = sum(face.copies for face in game.faces if face.set == each.name)
        return Count(frozenset(("card", "cards")), (Fraction(count),), each.origin.name)
    value = each.start if isinstance(each, g.Track) else each.value
    if each.type.tag != "number" or (isinstance(each, g.Track) and not each.starts):
        return None
    return Count(names(each), fixed(game, value), each.origin.name)


def counts(game: g.Game, rules: object, turning: bool) -> Iterator[Count]:
    """Yield the counts of some rules. `turning` means that the rules run an unknown number of times."""
    for part in rules if isinstance(rules, tuple | list) else ():
        if isinstance(part, g.Do | g.DoBorne | g.Announce):
            yield from (Count(everywhere(game), None, part.span),)
        found = counted(game, part)
        if found is not None:
            yield Count(found.nouns, None if turning else found.numbers, found.span)
        match part:
            case g.Repeat(body=body):  # except for its own counter
                yield from (each for each in counts(game, body, True) if not found or each.nouns != found.nouns)
            case g.Each(list=items, body=body):
                yield from counts(game, body, turning or items.type.item != g.PLAYER)
            case g.If(then=then, otherwise=otherwise):
                yield from counts(game, (*then, *otherwise), turning)
            case g.Menu(options=options) | g.Offer(options=options):
                yield from (each for option in options for each in counts(game, option.body, turning))
            case g.Choose(body=body):
                yield from counts(game, body, turning)


def everywhere(game: g.Game) -> frozenset[str]:
    """Return the nouns of everything that a step may count."""
    tracks = [name for track in game.tracks.values() for name in names(track)]
    return frozenset(("card", "cards", *tracks))


def counted(game: g.Game, stmt: object) -> Count | None:
    cards = frozenset(("card", "cards"))
    match stmt:
        case g.Move(what=what, span=span):
            return Count(cards, amount(game, what), span)
        case g.Pick(low=low, high=high, span=span):
            same = low is not None and low == high
            return Count(cards, fixed(game, low) if same and low is not None else None, span)
        case g.SetTrack(track=track, value=value, span=span) if game.tracks[track].type.tag == "number":
            return Count(names(game.tracks[track]), fixed(game, value), span)
        case g.Repeat(until=g.Compare() as until):
            return rounds(game, stmt, until)
        case g.Each(list=g.Members(kind=kind), condition=None, span=span):
            plain = kind.lower()
            size = Fraction(len(game.kinds[kind].members))
            return Count(frozenset((plain, f"{plain}s", f"{plain[:-1]}ies")), (size,), span)
    return None


def amount(game: g.Game, what: g.Expr) -> tuple[Fraction, ...] | None:
    """Return the number of cards moved, if it is constant."""
    if isinstance(what, g.Joined) and len(what.items) == 1:
        what = what.items[0]
    match what:
        case g.Agg(function="top" | "bottom" | "first" | "last" | "random", number=number):
            return (Fraction(1),) if number is None else fixed(game, number)
    return None


def rounds(game: g.Game, repeat: g.Repeat, until: g.Compare) -> Count | None:
    """Return the number of iterations of a counting loop, if only the loop changes its counter."""
    track = until.left
    if not (isinstance(track, g.TrackValue) and track.of is None and track.type.tag == "number"):
        return None
    declared, goal = game.tracks[track.track], fixed(game, until.right)
    changes = [part for part in everything(game) if isinstance(part, g.SetTrack) and part.track == track.track]
    start = fixed(game, declared.start)
    single = len(changes) == 1 and changes[0].operator == "+" and fixed(game, changes[0].value) == (Fraction(1),)
    sure = single and any(part is changes[0] for part in repeat.body) and not declared.restarts
    numbers = None
    if goal and start and sure and until.operator in ("=", ">=") and len(goal) == len(start) == 1:
        numbers = (goal[0] - start[0],)
    return Count(names(declared), numbers, repeat.span)


def fixed(game: g.Game, value: g.Expr) -> tuple[Fraction, ...] | None:
    """Return the constant values of a number, one for each player count, without duplicates; None if it depends on
    play."""
    found = [constant(game, value, players) for players in game.seats]
    numbers = tuple(dict.fromkeys(each for each in found if each is not None))
    return numbers if found and None not in found else None


def names(declared: g.Track | g.Define) -> frozenset[str]:
    noun, name = declared.noun, declared.name.replace("-", " ")
    return frozenset(each.lower() for each in (noun.singular, noun.plural, name))
