"""Lint rules for texts that contradict the rules or misname a step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import combinations

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.constant_values import evaluate_constant
from cardlang.lint.static.shared_game_facts import BODY_FIELDS, GameFacts, rule
from cardlang.lint.static.unused_or_confusing_names import list_nouns
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import walk

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


@rule("W418", "Text contradicts the rules", checks_libraries=True)
def find_false_numbers(facts: GameFacts) -> Iterator[Finding]:
    """The text gives one number, and the rule next to it gives another. Correct one
    of them. A value in braces always matches the rules: `{hand-size} cards each`.
    The check also accepts sums, and amounts per player or for all players. It
    reports a number only if it matches none of these.

    Wrong:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand "Five cards each."
            add count of your hand to your score

    Right:

        define hand-size as 4
        step play
          shuffle deck
          each player
            deal top hand-size of deck to your hand "{hand-size} cards each."
            add count of your hand to your score
    """
    # Texts of a game are not compared with the rules that a variant changes. Those of libraries count, since the game
    # must make them true.
    game = facts.game
    texts: list[tuple[str, Span, Sequence[g.Stmt | g.Option]]] = []
    for step in (each for each in game.steps.values() if each.origin.varied or game.variant is None):
        texts.append((step.doc, step.origin.span, step.body))
        parts = [part for part in walk(step.body) if isinstance(part, g.Stmt | g.Option)]
        for block in (step.body, *(getattr(part, name, ()) for part in parts for name in BODY_FIELDS)):
            for place, stmt in enumerate(block):
                is_note = isinstance(stmt, g.Note)
                texts.append((stmt.text, stmt.span, block[place + 1 :]) if is_note else (stmt.doc, stmt.span, (stmt,)))
    for text, span, rules in texts:
        if text and next(parse_claims(text), None):
            yield from compare_with_counts(game, text, span, list(iter_rule_counts(facts, rules, False)))
    declared: list[CountedDeclaration] = [*game.tracks.values(), *game.defines.values(), *game.sets.values()]
    for each in declared:
        is_compared = each.doc and (each.origin.varied or game.variant is None)
        count = count_declaration(game, each) if is_compared else None
        yield from compare_with_counts(game, each.doc, each.origin.span, [count] if count else [])


# ---------------------------------------------------------------- claims in texts
def parse_claims(text: str) -> Iterator[NumberClaim]:
    for part in CLAUSE_ENDS.split(text):
        found = CLAIM_PATTERN.fullmatch(part)
        if found:
            word = found["number"].lower()
            yield NumberClaim(
                int(word) if word.isdigit() else NUMBER_WORDS.index(word), found["noun"].lower(), part.strip()
            )


def compare_with_counts(game: g.Game, text: str, span: Span, rule_counts: list[RuleCount]) -> Iterator[Finding]:
    """Find claims of a text that contradict the counts of some rules."""
    for claim in parse_claims(text) if rule_counts else ():
        of = [count for count in rule_counts if claim.noun in count.nouns]
        known = [number for count in of for number in count.numbers or ()]
        is_unsure = any(count.numbers is None for count in of) or len(known) > MAX_COMBINED_COUNTS
        if not of or is_unsure or claim.number in find_possible_numbers(game, known):
            continue
        numbers = " and ".join(dict.fromkeys(f"{float(count.numbers[0]):g}" for count in of if count.numbers))
        yield Finding(
            find_text_span(claim.text, span),
            f"the text says “{claim.text}”, but the rules say {numbers}",
            "change one of them, or write the value in braces, as in `{rounds} rounds`",
            tuple((count.span, "the rule") for count in of if count.span != span),
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


def iter_rule_counts(facts: GameFacts, rules: Sequence[g.Stmt | g.Option], is_in_loop: bool) -> Iterator[RuleCount]:
    """Yield the counts of some rules. `is_in_loop` means that the rules run an unknown number of times."""
    for part in rules:
        effects = find_effects(part)
        if effects.steps or effects.card_steps or isinstance(part, g.Announce):
            yield RuleCount(list_countable_nouns(facts.game), None, part.span)
        found = count_statement(facts, part)
        if found is not None:
            yield RuleCount(found.nouns, None if is_in_loop else found.numbers, found.span)
        match part:
            case g.Repeat(body=body):  # except for its own counter
                yield from (
                    each for each in iter_rule_counts(facts, body, True) if not found or each.nouns != found.nouns
                )
            case g.Each(list=items, body=body):
                yield from iter_rule_counts(facts, body, is_in_loop or items.type.item != g.PLAYER)
            case g.If(then=then, otherwise=otherwise):
                yield from iter_rule_counts(facts, (*then, *otherwise), is_in_loop)
            case g.Choose(body=body):
                yield from iter_rule_counts(facts, body, is_in_loop)
            case _:
                for option in effects.options:
                    yield from iter_rule_counts(facts, option.body, is_in_loop)


def list_countable_nouns(game: g.Game) -> frozenset[str]:
    """Return the nouns of everything that a step may count."""
    return frozenset(("card", "cards", *(name for track in game.tracks.values() for name in list_noun_forms(track))))


def count_statement(facts: GameFacts, statement: object) -> RuleCount | None:
    game, cards = facts.game, frozenset(("card", "cards"))
    match statement:
        case g.Move(what=what, span=span):
            return RuleCount(cards, evaluate_moved_cards(game, what), span)
        case g.Pick(low=low, high=high, span=span):
            same = low is not None and low == high
            return RuleCount(cards, evaluate_for_all_seats(game, low) if same and low is not None else None, span)
        case g.SetTrack(track=track, value=value, span=span) if game.tracks[track].type.tag == "number":
            return RuleCount(list_noun_forms(game.tracks[track]), evaluate_for_all_seats(game, value), span)
        case g.Repeat(until=g.Compare() as until, most=None):
            return count_loop_rounds(facts, statement, until)
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


def count_loop_rounds(facts: GameFacts, loop: g.Repeat, until: g.Compare) -> RuleCount | None:
    """Return the number of iterations of a counting loop, if only the loop changes its counter."""
    game, track = facts.game, until.left
    if not (isinstance(track, g.TrackValue) and track.of is None and track.type.tag == "number"):
        return None
    declared = game.tracks[track.track]
    goal, start = evaluate_for_all_seats(game, until.right), evaluate_for_all_seats(game, declared.start)
    numbers = None
    match [change for change in facts.track_changes if change.track == track.track], goal, start:
        case [g.SetTrack(operator="+", value=step) as only], [last], [first]:
            is_counter = evaluate_for_all_seats(game, step) == (Fraction(1),) and any(
                part is only for part in loop.body
            )
            if is_counter and not declared.restarts and until.operator in ("=", ">="):
                numbers = (last - first,)
    return RuleCount(list_noun_forms(declared), numbers, loop.span)


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


@rule("W419", "Text names something unknown", checks_libraries=True)
def find_unknown_quoted_names(facts: GameFacts) -> Iterator[Finding]:
    """The text has a name in quotes that doesn't exist, but a step, an option or a
    reaction has a similar one. Perhaps it was renamed. Use its current name.

    Wrong:

        step play
          shuffle deck
          deal top 12 of deck to players' hand
          do market-day
        step market-day "Prices are as in “Market days”, below."
          each player
            add count of your hand to your score

    Right:

        step play
          shuffle deck
          deal top 12 of deck to players' hand
          do market-day
        step market-day "Prices are as in “Market day”, below."
          each player
            add count of your hand to your score
    """
    names = [("step", name) for name in facts.game.steps]
    names += [("option", option.name) for option in facts.find_nodes(g.Option)]
    names += [("reaction", reaction.name) for reaction in facts.game.reactions]
    rules = {normalize_name(name): f"the {kind} “{normalize_name(name)}”" for kind, name in names}
    known = rules.keys() | list_other_names(facts.game)
    quoted = [(normalize_name(name), span) for text, span in iter_texts(facts) for name in QUOTED_NAME.findall(text)]
    for name, span in [each for each in quoted if each[0] not in known][:MAX_UNKNOWN_NAMES]:
        close = get_close_matches(name, rules, 1, MISSPELLING_CUTOFF)
        if close:
            yield Finding(span, f"unknown name “{name}” in this text", f"did you mean {rules[close[0]]}?")


def normalize_name(name: str) -> str:
    return name.replace("-", " ").lower()


def list_other_names(game: g.Game) -> set[str]:
    """Return all other names in the game."""
    names = [form for each in list_nouns(game) for form in (each.name, each.noun.singular, each.noun.plural)]
    names += [*game.kinds, *game.sets, *game.rankings, *game.orders]
    names += [member.name for kind in game.kinds.values() for member in kind.members]
    names += [rank.title for ranking in game.rankings.values() for rank in ranking.ranks]
    names += [face.title for face in game.faces] + [variant.title for variant in game.variants]
    return set(map(normalize_name, names))


def iter_texts(facts: GameFacts) -> Iterator[tuple[str, Span]]:
    """Yield the texts of the game and its libraries."""
    game = facts.game
    yield from ((note.text, note.span) for note in game.notes)
    yield from ((" ".join((each.question, *each.answer)), each.span) for each in game.rulings)
    yield from ((each.doc, each.origin.name) for each in game.steps.values())
    yield from ((each.doc, each.origin.name) for each in list_nouns(game))
    yield from ((part.doc, part.span) for part in facts.find_nodes(g.Stmt, g.Option))
