"""Use of options, reactions, cases, ranks, steps and cards, and their links with winning."""

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
"""Significance level of win ratios, after the correction for multiple tests."""
Kind = Literal["option", "reaction", "case", "rank", "step", "held", "played"]


@frozen
class Thing:
    """Rule or card whose uses are counted. `table` and `key` locate its counts in `Sums`."""

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
    """Yield all rules that can be used, with the span that coverage records for them."""
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
    """Return the names of options. Options with equal names get the name of their step in parentheses."""
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
    """Return cases of definitions that play never evaluates.

    They are only displayed, so their uses can't be counted."""
    every = [[value.span for value, _ in part.cases] for part in everything(game) if isinstance(part, g.Cases)]
    counted = {place for sums in chapters for place in sums["times_used"]}
    return {span for spans in every if not counted & {place_of(game, span) for span in spans} for span in spans}


def uses(game: g.Game, chapters: Sequence[Sums]) -> tuple[Use, ...]:
    """Return the uses of all rules and cards, rarest first. Unused library rules are left out.

    `chapters` has the sums of each player count."""
    left = unasked(game, chapters)
    counted = [thing for thing in dict.fromkeys(things(game)) if thing.kind != "case" or thing.span not in left]
    found = [use(game, thing, chapters) for thing in counted]
    # Drop library rules that this game never reaches. Library cards are part of the game, so they stay.
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
    """Return the win rate of all players together."""
    over = sums["sat"].total()
    return sums["won"].total() / over if over else 0.0


Ratio = tuple[float | None, float | None, float | None]


def compared(players: int, won: int, expected: float) -> tuple[Ratio, float]:
    """Return the win ratio of players who used something, with its confidence interval, and its p-value."""
    if not expected or expected >= players:
        return (None, None, None), 1.0
    fair, found = expected / players, share(won, players)
    return (found.share / fair, found.low / fair, found.high / fair), binomial(players, won, fair)


def uses_verdict(found: Sequence[Use]) -> Verdict:
    better = [each for each in found if each.chance < SURE and each.ratio is not None and each.kind != "step"]
    order = sorted(better, key=lambda each: -abs((each.ratio or 1) - 1))
    once: dict[tuple[str, int, str], Use] = {}  # a card both had and chosen counts once
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


# ---------------------------------------------------------------- unused rules and cards
def unused(game: g.Game, chapters: Mapping[int, Sums]) -> tuple[tuple[Unused, ...], Verdict]:
    """Return rules and cards that no match used at any player count, and a verdict."""
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
    """Return the message, with the source line if it names no rule."""
    return f"{message}: {source_line(span)}" if message.startswith("this ") else message


def cards_unused(game: g.Game, chapters: Sequence[Sums]) -> Iterator[Unused]:
    """Yield a line on cards that players had but never chose, if the game has choices of cards.

    Unfinished matches count."""
    had = {int(key[0]) for sums in chapters for key in sums["matches_held"]}
    chosen = {int(key[0]) for sums in chapters for key in sums["matches_played"]}
    rest = [face for face in game.faces if chosen and face.number in had - chosen]
    if rest:
        yield Unused(rest[0].span.source.name, rest[0].span.line, f"never chosen: {titles(rest)}")


def cards_left_out(game: g.Game, chapters: Mapping[int, Sums]) -> Iterator[Unused]:
    """Yield cards that stayed in one zone of the table in every match, from the first choice to the end.

    Setup leaves them out, or no rule brings them into play. They are grouped by player count and zone."""
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
