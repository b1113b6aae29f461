"""What is used, how often, and by whom: options, reactions, cases, ranks, steps and cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import attrs
from attrs import frozen

from cardlang import game as g
from cardlang.checks.reached import never_reached
from cardlang.game.walking import everything, walk
from cardlang.lab.figures import Unused, Use, Verdict
from cardlang.lab.intervals import holm, share
from cardlang.lab.likelihood import binomial
from cardlang.lab.summing import Key, Sums
from cardlang.lab.watching import place_of
from cardlang.lab.words import many, matches
from cardlang.source import Span
from cardlang.words import join

SURE = 0.01
"""What wins more or less is told where chance shows so much, somewhere in the table, less often than this."""
Kind = Literal["option", "reaction", "case", "rank", "step", "held", "played"]


@frozen
class Thing:
    """Something whose use is counted. `table`, `key`: where the sums have who did it."""

    kind: Kind
    name: str
    span: Span
    table: str
    key: Key


def things(game: g.Game) -> Iterator[Thing]:
    for kind, name, span in rules(game):
        table = "read" if kind == "rank" else "used"
        yield Thing(kind, name, span, table, place_of(game, span))
    for face in game.faces:
        yield Thing("held", face.title, face.span, "held", (face.number,))
        yield Thing("played", face.title, face.span, "played", (face.number,))


def rules(game: g.Game) -> Iterator[tuple[Kind, str, Span]]:
    """By the place that is noted when play comes to it."""
    seen, names = set[Span](), option_names(game)
    for part in everything(game):
        if isinstance(part, g.Menu | g.Offer):
            yield from (("option", names[option.span], option.span) for option in part.options)
        elif isinstance(part, g.Cases):
            for value, _ in part.cases:
                if value.span not in seen:
                    seen.add(value.span)
                    yield "case", source_line(value.span), value.span
    for reaction in game.reactions:
        yield "reaction", reaction.name, reaction.option.span
    for ranking in game.rankings.values():
        yield from (("rank", rank.title, rank.span) for rank in ranking.ranks)
    for step in game.steps.values():
        if step.body:
            yield "step", step.name, step.body[0].span


def source_line(span: Span) -> str:
    return span.source.line(span.line).strip()


def option_names(game: g.Game) -> dict[Span, str]:
    """Those of one name are told apart by the step that they stand in."""
    found = {
        option.span: option.name
        for part in everything(game) if isinstance(part, g.Menu | g.Offer) for option in part.options
    }  # fmt: skip
    times = Counter(found.values())
    for step in game.steps.values():
        for part in walk(step.body):
            for option in part.options if isinstance(part, g.Menu | g.Offer) else ():
                if times[option.name] > 1:
                    found[option.span] = f"{option.name} ({step.name})"
    return found


def unasked(game: g.Game, chapters: Sequence[Sums]) -> set[Span]:
    """Cases of definitions that play never asked for: they are only shown, so that none of them could count."""
    every = [[value.span for value, _ in part.cases] for part in everything(game) if isinstance(part, g.Cases)]
    counted = {place for sums in chapters for place in sums["times_used"]}
    return {span for spans in every if not counted & {place_of(game, span) for span in spans} for span in spans}


def uses(game: g.Game, chapters: Sequence[Sums]) -> tuple[Use, ...]:
    """All that was used, and what was not of the game itself; the least used first. `chapters`: the sums of each number
    of players."""
    left = unasked(game, chapters)
    counted = [thing for thing in dict.fromkeys(things(game)) if thing.kind != "case" or thing.span not in left]
    found = [use(game, thing, chapters) for thing in counted]
    # Rules of a library that this game never reaches say nothing about it; its cards are part of the game.
    own = game.sources[0].name
    found = [each for each in found if each.matches or each.file == own or each.kind in ("held", "played")]
    chances = holm([each.chance for each in found])
    told = [attrs.evolve(each, chance=chance) for each, chance in zip(found, chances, strict=True)]
    return tuple(sorted(told, key=lambda each: (each.kind, each.matches, each.players, each.file, each.line)))


def use(game: g.Game, thing: Thing, chapters: Sequence[Sums]) -> Use:
    players = won = matches = times = 0
    expected = 0.0
    for sums in chapters:
        done, winners = (sum(sums[thing.table][*thing.key, each] for each in kinds) for kinds in ((0, 1), (1,)))
        players, won = players + done, won + winners
        expected += done * winning(sums)
        if thing.table in ("held", "played"):
            matches += sums["matches_" + thing.table][thing.key]
        else:
            matches += sums["matches_used"][thing.key]
            times += sums["times_used"][thing.key]
    ratio, chance = compared(players, won, expected)
    where = (thing.span.source.name, thing.span.line)
    return Use(thing.kind, thing.name, *where, matches, times, players, won, expected, *ratio, chance)


def winning(sums: Sums) -> float:
    """How often a player wins, whoever it is."""
    over = sums["sat"].total()
    return sums["won"].total() / over if over else 0.0


Ratio = tuple[float | None, float | None, float | None]


def compared(players: int, won: int, expected: float) -> tuple[Ratio, float]:
    """How much more often those win who did it than anybody, with an interval; and how often chance shows so much."""
    if not expected or expected >= players:
        return (None, None, None), 1.0
    fair, found = expected / players, share(won, players)
    return (found.share / fair, found.low / fair, found.high / fair), binomial(players, won, fair)


def uses_verdict(found: Sequence[Use]) -> Verdict:
    better = [each for each in found if each.chance < SURE and each.ratio is not None and each.kind != "step"]
    order = sorted(better, key=lambda each: -abs((each.ratio or 1) - 1))
    once: dict[tuple[str, int, str], Use] = {}  # a card that was had and chosen says the same twice
    for each in order:
        once.setdefault((each.file, each.line, each.name), each)
    strong = list(once.values())[:3]
    if not strong:
        return Verdict(
            "plain",
            "No option, rank or card has a significant link with winning.",
        )
    told = join([f"{done(each)} win {each.ratio:.2f} times their fair share" for each in strong])
    return Verdict("plain", f"Strongest links with winning: {told}. These need not be causes.")


def done(each: Use) -> str:
    if each.kind == "held":
        return f"players who had {each.name}"
    if each.kind == "played":
        return f"players who chose {each.name}"
    return f"players with “{each.name}” (line {each.line})"


# ---------------------------------------------------------------- what is never used
def unused(game: g.Game, chapters: Mapping[int, Sums]) -> tuple[tuple[Unused, ...], Verdict]:
    """What no match of any number of players came to."""
    played = matches(sum(sums["matches"]["played",] for sums in chapters.values()))
    reached = frozenset(span_of(game, place) for sums in chapters.values() for place in sums["times_used"])
    found = [Unused(span.source.name, span.line, worded(words, span)) for span, words in never_reached(game, reached)]
    found += cards_unused(game, list(chapters.values()))
    left = tuple(cards_left_out(game, chapters))
    if not found:
        used = f"All rules of the file{' and all cards' if not left else ''} were used in {played}."
        return left, Verdict("good", used + (" Some cards never left the place where setup puts them." if left else ""))
    return (*found, *left), Verdict("bad", f"Some rules or cards were never used or never reached in {played}.")


def worded(message: str, span: Span) -> str:
    """With the line itself, where the message names nothing of it."""
    return f"{message}: {source_line(span)}" if message.startswith("this ") else message


def cards_unused(game: g.Game, chapters: Sequence[Sums]) -> Iterator[Unused]:
    """In a line those that nobody chose, though somebody had them, where cards are chosen at all. Matches without an
    end count, too."""
    had = {int(key[0]) for sums in chapters for key in sums["matches_held"]}
    chosen = {int(key[0]) for sums in chapters for key in sums["matches_played"]}
    rest = [face for face in game.faces if chosen and face.number in had - chosen]
    if rest:
        yield Unused(rest[0].span.source.name, rest[0].span.line, f"never chosen: {titles(rest)}")


def cards_left_out(game: g.Game, chapters: Mapping[int, Sums]) -> Iterator[Unused]:
    """Those that lay in one zone of the table from the first choice of every match to its end, by numbers of players
    and zones: the set-up leaves them out, or nothing ever brought them in."""
    for players, sums in chapters.items():
        had = {int(key[0]) for key in sums["matches_held"]}
        zones: dict[int, set[str]] = {}
        for face, zone in sums["lay"]:
            zones.setdefault(int(face), set()).add(str(zone))
        for zone in sorted({next(iter(each)) for each in zones.values() if len(each) == 1}):
            faces = [face for face in game.faces if face.number not in had and zones.get(face.number) == {zone}]
            if faces:
                what = f"with {many(players, 'player')}, always left in {zone}: {titles(faces)}"
                yield Unused(faces[0].span.source.name, faces[0].span.line, what)


def titles(faces: Sequence[g.Face]) -> str:
    return join([face.title for face in faces])


def span_of(game: g.Game, place: Key) -> Span:
    source, start, end = map(int, place)
    return Span(game.sources[source], start, end)
