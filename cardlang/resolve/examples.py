"""Resolution of examples: positions, actions, answers and expectations."""

from __future__ import annotations

from collections.abc import Container, Iterator

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.definitions import track_type
from cardlang.resolve.expressions import condition, fit, member_called, value
from cardlang.resolve.names import faces
from cardlang.resolve.scope import ERROR, Scope
from cardlang.resolve.statements import do
from cardlang.resolve.texts import note
from cardlang.resolve.types import called, report_copies
from cardlang.resolve.world import World
from cardlang.source import Source, Span

Facts = list[g.GivenTrack | g.GivenZone]


def build_examples(w: World, seats: tuple[int, ...]) -> Iterator[g.Example]:
    """Yield the examples at the top level."""
    for node in w.of_type(n.Example):
        yield build_example(w, node, seats, w.origin(node))


def build_ruled(w: World, seats: tuple[int, ...], libraries: Container[Source]) -> Iterator[g.Example]:
    """Yield the examples in rulings of the game, or of the variant if there is one. Those in libraries are left out."""
    for node, ruling in w.ruled.items():
        if node.span.source not in libraries:
            before = (i for i in w.items if i.span.source is node.span.source and i.span.start <= node.span.start)
            origin = w.origin(max(before, key=lambda item: item.span.start))  # of the item with the ruling
            if origin.varied or not w.varied:
                yield build_example(w, node, seats, evolve(origin, span=node.span, name=node.span), ruling)


def build_example(
    w: World, node: n.Example, seats: tuple[int, ...], origin: g.Origin, ruling: g.Ruling | None = None
) -> g.Example:
    players = tuple(name.text for name in node.players)
    if players and seats and len(players) not in seats and "game" not in w.report.broken:
        counts = ", ".join(str(count) for count in seats)
        message = f"this example has {len(players)} players, but the game is for {counts}"
        w.error(codes.WRONG_ARGUMENTS, message, node.players[-1].span)
    for place, name in enumerate(node.players):
        if name.text in players[:place]:
            w.error(codes.DECLARED_TWICE, f"two players are called `{name.text}`", name.span)
    scope = Scope(players=players)
    lines = [found for line in node.lines if (found := build_line(w, line, scope)) is not None]
    return g.Example(node.title.text, players, tuple(lines), origin, ruling)


def build_line(w: World, line: n.ExampleLine, scope: Scope) -> g.ExampleLine | None:
    match line:
        case n.Given():
            rows = [build_row(w, row, scope) for row in line.rows]
            return g.Given(tuple(fact for row in rows for fact in row), line.span, tuple(map(len, rows)))
        case n.ExampleDo():
            return doing(w, line, scope)
        case n.Answers():
            seat = seat_of(w, line.player, scope)
            return None if seat is None else g.Answer(seat, texts(line.moves), line.span)
        case n.Expect():
            return g.Expecting(condition(w, line.condition, scope), line.span)
        case n.ExpectMay():
            seat = seat_of(w, line.player, scope)
            because = line.because.text if line.because else None
            if seat is None:
                return None
            return g.ExpectingMoves(seat, line.negated, texts(line.moves), because, line.span)
        case n.Note():
            return note(w, line)
    return None


def doing(w: World, line: n.ExampleDo, scope: Scope) -> g.Doing | None:
    found = do(w, line.span, line.step, line.args, scope)
    if isinstance(found, g.DoBorne):
        w.error(codes.UNKNOWN_STEP, "an example can only `do` a step of the table or of a player", line.step.span)
        return None
    return None if found is None else g.Doing(found, line.span)


def texts(moves: tuple[n.MoveText, ...]) -> tuple[tuple[str, Span], ...]:
    return tuple((move.text, move.span) for move in moves)


def seat_of(w: World, name: n.Name, scope: Scope) -> int | None:
    if name.text in scope.players:
        return scope.players.index(name.text)
    hint = "name the players after the title: `with Ann, Bob`"
    w.unknown(codes.UNKNOWN_NAME, "player", name, scope.players, hint)
    return None


# ---------------------------------------------------------------- facts
def build_row(w: World, row: n.GivenRow, scope: Scope) -> Facts:
    whose = whose_row(w, row, scope)
    facts = ((fact, subject, of) for subject, of in whose for fact in row.facts)
    return [found for each in facts if (found := build_fact(w, *each, scope)) is not None]


def whose_row(w: World, row: n.GivenRow, scope: Scope) -> list[tuple[str | None, int | None]]:
    """Return the subjects of a row, with their seats, places or cards."""
    if row.of is None:
        return [(None, None)]
    if isinstance(row.of, n.CardList):
        named = faces(w, row.of) or ()
        report_copies(w, g.NamedCards(g.list_of(g.CARD), row.of.span, named))
        return [("card", card) for card in dict.fromkeys(g.find_copies(w.faces, named))]
    if row.of.text in scope.players:
        return [("player", scope.players.index(row.of.text))]
    if row.of.text in w.members:
        return [(row.of.text, None)]
    known = [*scope.players, *w.members]
    there = ", ".join(scope.players)
    hint = f"the players of this example are {there}" if there else "name the players after the title: `with Ann, Bob`"
    w.unknown(codes.UNKNOWN_NAME, "player or value", row.of, known, hint)
    return []


def build_fact(
    w: World, fact: n.Fact, subject: str | None, of: int | None, scope: Scope
) -> g.GivenTrack | g.GivenZone | None:
    node = w.nouns.get(fact.name.text)
    if not isinstance(node, n.Zone | n.Track):
        known = [item.name.text for item in w.of_type(n.Zone, n.Track)]
        hint = "a definition cannot be given. Set what it is worked out from" if isinstance(node, n.Define) else ""
        w.unknown(codes.UNKNOWN_NAME, "zone, number or flag", fact.name, known, hint)
        return None
    belongs = w.subject(node)
    if subject not in (None, "player", "card") and belongs in w.kinds:  # the owner is a member of a kind
        of = member_called(w, belongs, str(subject))
        subject = subject if of is None else belongs
    if belongs != subject:
        report_whose(w, fact, node, belongs)
        return None
    if isinstance(node, n.Zone):
        return given_zone(w, fact, of)
    type_ = track_type(w, node)
    found = fit(w, value(w, fact.value, scope, type_), type_)
    return None if found.type == ERROR else g.GivenTrack(fact.name.text, of, found, fact.span)


def report_whose(w: World, fact: n.Fact, node: n.Zone | n.Track, belongs: str | None) -> None:
    whose = {None: "the table", "player": "a player", "card": "a card"}.get(belongs, f"a {belongs}")
    start = "" if belongs is None else f"{ {'player': 'Ann', 'card': '[…]'}.get(belongs, belongs) }: "
    hint = f"write a row `{start}{fact.name.text} …`"
    related = ((node.name.span, f"`{fact.name.text}` is declared here"),)
    w.error(codes.UNKNOWN_ATTRIBUTE, f"`{fact.name.text}` belongs to {whose}", fact.name.span, hint, related)


def given_zone(w: World, fact: n.Fact, of: int | None) -> g.GivenZone | None:
    if not isinstance(fact.value, n.CardList):
        found = value(w, fact.value, Scope())
        if found.type != ERROR:
            message = f"expected cards, but this is {called(found.type)}"
            w.error(codes.WRONG_TYPE, message, fact.value.span, "write their codes: `[9G 7A]`")
        return None
    cards = faces(w, fact.value)
    zone = w.zones.get(fact.name.text)
    if cards is not None and zone is not None and zone.single and len(cards) > 1:
        related = ((zone.origin.name, "declared `holds 1` here"),)
        message = f"`{zone.name}` holds 1 card, but this puts {len(cards)} there"
        w.error(codes.TOO_FULL, message, fact.span, "give it one card", related)
        return None
    return None if cards is None else g.GivenZone(fact.name.text, of, cards, fact.span)
