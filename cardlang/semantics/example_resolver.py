"""Resolution of examples and rulings."""

from __future__ import annotations

from collections.abc import Container, Iterator

from cardlang import model as g
from cardlang.diagnostics import Source, Span
from cardlang.semantics import error_codes
from cardlang.semantics.definition_resolver import infer_track_type, is_second_owner_valid, report_unknown_member
from cardlang.semantics.expression_resolver import (
    build_note,
    convert_or_report,
    describe_type,
    find_member_index,
    report_ambiguous_copies,
    resolve_condition,
    resolve_expression,
)
from cardlang.semantics.name_resolver import resolve_card_codes
from cardlang.semantics.statement_resolver import resolve_step_call
from cardlang.semantics.symbol_table import ERROR_TYPE, ResolveContext, Scope
from cardlang.syntax import ast as n

GivenFacts = list[g.GivenTrack | g.GivenZone]


def build_examples(ctx: ResolveContext, seats: tuple[int, ...]) -> Iterator[g.Example]:
    """Yield the examples at the top level."""
    for node in ctx.list_items(n.Example):
        yield build_example(ctx, node, seats, ctx.get_origin(node))


def build_ruling_examples(
    ctx: ResolveContext, seats: tuple[int, ...], library_sources: Container[Source]
) -> Iterator[g.Example]:
    """Yield the examples in rulings of the game, or of the variant if there is one. Those in libraries are left out."""
    for node, ruling in ctx.ruling_examples.items():
        if node.span.source not in library_sources:
            before = (i for i in ctx.items if i.span.source is node.span.source and i.span.start <= node.span.start)
            origin = ctx.get_origin(max(before, key=lambda item: item.span.start))  # of the item with the ruling
            if origin.varied or not ctx.has_variant:
                yield build_example(ctx, node, seats, origin.replace(span=node.span, name=node.span), ruling)


def build_example(
    ctx: ResolveContext, node: n.Example, seats: tuple[int, ...], origin: g.Origin, ruling: g.Ruling | None = None
) -> g.Example:
    players = tuple(name.text for name in node.players)
    if players and seats and len(players) not in seats and "game" not in ctx.collector.unreadable_words:
        counts = ", ".join(str(count) for count in seats)
        message = f"this example has {len(players)} players, but the game is for {counts}"
        ctx.report_error(error_codes.WRONG_ARGUMENTS, message, node.players[-1].span)
    for index, name in enumerate(node.players):
        if name.text in players[:index]:
            ctx.report_error(error_codes.DECLARED_TWICE, f"two players are called `{name.text}`", name.span)
    scope = Scope(players=players)
    lines = [
        resolved_line for line in node.lines if (resolved_line := build_example_line(ctx, line, scope)) is not None
    ]
    return g.Example(node.title.text, players, tuple(lines), origin, ruling)


def build_example_line(ctx: ResolveContext, line: n.ExampleLine, scope: Scope) -> g.ExampleLine | None:
    match line:
        case n.Given():
            rows = [build_given_row(ctx, row, scope) for row in line.rows]
            return g.Given(tuple(fact for row in rows for fact in row), line.span, tuple(map(len, rows)))
        case n.ExampleDo():
            return build_example_step_call(ctx, line, scope)
        case n.Answers():
            seat = resolve_seat(ctx, line.player, scope)
            return None if seat is None else g.Answer(seat, list_move_texts(line.moves), line.span)
        case n.Expect():
            return g.Expecting(resolve_condition(ctx, line.condition, scope), line.span)
        case n.ExpectMay():
            seat = resolve_seat(ctx, line.player, scope)
            because = line.because.text if line.because else None
            if seat is None:
                return None
            return g.ExpectingMoves(seat, line.negated, list_move_texts(line.moves), because, line.span)
        case n.Note():
            return build_note(ctx, line)
    return None


def build_example_step_call(ctx: ResolveContext, line: n.ExampleDo, scope: Scope) -> g.Doing | None:
    step_call = resolve_step_call(ctx, line.span, line.step, line.args, scope)
    if isinstance(step_call, g.DoBorne):
        ctx.report_error(
            error_codes.UNKNOWN_STEP, "an example can only `do` a step of the table or of a player", line.step.span
        )
        return None
    return None if step_call is None else g.Doing(step_call, line.span)


def list_move_texts(moves: tuple[n.MoveText, ...]) -> tuple[tuple[str, Span], ...]:
    return tuple((move.text, move.span) for move in moves)


def resolve_seat(ctx: ResolveContext, name: n.Name, scope: Scope) -> int | None:
    if name.text in scope.players:
        return scope.players.index(name.text)
    hint = "name the players after the title: `with Ann, Bob`"
    ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "player", name, scope.players, hint)
    return None


# ---------------------------------------------------------------- facts
def build_given_row(ctx: ResolveContext, row: n.GivenRow, scope: Scope) -> GivenFacts:
    whose = resolve_row_subjects(ctx, row, scope)
    facts = ((fact, subject, of) for subject, of in whose for fact in row.facts)
    return [given for fact_data in facts if (given := build_given_fact(ctx, *fact_data, scope)) is not None]


def resolve_row_subjects(ctx: ResolveContext, row: n.GivenRow, scope: Scope) -> list[tuple[str | None, int | None]]:
    """Return the subjects of a row, with their seats, places or cards."""
    if row.of is None:
        return [(None, None)]
    if isinstance(row.of, n.CardList):
        named = resolve_card_codes(ctx, row.of) or ()
        report_ambiguous_copies(ctx, g.NamedCards(g.build_list_type(g.CARD), row.of.span, named))
        return [("card", card) for card in dict.fromkeys(g.find_cards_for_faces(ctx.faces, named))]
    name = n.Name(row.of.span, row.of.digits) if isinstance(row.of, n.Number) else row.of
    if name.text in scope.players:
        return [("player", scope.players.index(name.text))]
    if name.text in ctx.members_by_name:
        return [(name.text, None)]
    known = [*scope.players, *ctx.members_by_name]
    player_names = ", ".join(scope.players)
    hint = (
        f"the players of this example are {player_names}"
        if player_names
        else "name the players after the title: `with Ann, Bob`"
    )
    ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "player or value", name, known, hint)
    return []


def build_given_fact(
    ctx: ResolveContext, fact: n.Fact, subject: str | None, owner: int | None, scope: Scope
) -> g.GivenTrack | g.GivenZone | None:
    node = ctx.nouns.get(fact.name.text)
    if not isinstance(node, n.Zone | n.Track):
        known = [item.name.text for item in ctx.list_items(n.Zone, n.Track)]
        hint = "a definition cannot be given. Set what it is worked out from" if isinstance(node, n.Define) else ""
        ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "zone, number or flag", fact.name, known, hint)
        return None
    belongs = ctx.get_subject(node)
    if subject not in (None, "player", "card") and belongs in ctx.kinds:  # the owner is a member of a kind
        owner = find_member_index(ctx, belongs, str(subject))
        subject = subject if owner is None else belongs
    if belongs != subject:
        report_wrong_owner(ctx, fact, node, belongs)
        return None
    second = resolve_given_second(ctx, fact, node)
    if second is None and (fact.second or node.second):
        return None
    if isinstance(node, n.Zone):
        return build_given_zone(ctx, fact, owner, second)
    type_ = infer_track_type(ctx, node)
    value = convert_or_report(ctx, resolve_expression(ctx, fact.value, scope, type_), type_)
    return None if value.type == ERROR_TYPE else g.GivenTrack(fact.name.text, owner, value, fact.span, second)


def resolve_given_second(ctx: ResolveContext, fact: n.Fact, node: n.Zone | n.Track) -> int | None:
    """Return the index of the member after `for`. Report an error if it is missing, unneeded or unknown."""
    if fact.second is None or node.second is None:
        second = None if fact.second is None else g.Const(g.NOTHING, fact.second.span, None)
        is_second_owner_valid(ctx, node, fact.name.span, second)
        return None
    kind = ctx.kinds.get(node.second.text)
    text = fact.second.digits if isinstance(fact.second, n.Number) else fact.second.text
    index = None if kind is None else find_member_index(ctx, kind.name, text)
    if kind is not None and index is None:
        report_unknown_member(ctx, kind, fact.second.span)
    return index


def report_wrong_owner(ctx: ResolveContext, fact: n.Fact, node: n.Zone | n.Track, declared_subject: str | None) -> None:
    whose = {None: "the table", "player": "a player", "card": "a card"}.get(declared_subject, f"a {declared_subject}")
    start = (
        ""
        if declared_subject is None
        else f"{ {'player': 'Ann', 'card': '[…]'}.get(declared_subject, declared_subject) }: "
    )
    hint = f"write a row `{start}{fact.name.text} …`"
    related = ((node.name.span, f"`{fact.name.text}` is declared here"),)
    ctx.report_error(
        error_codes.UNKNOWN_ATTRIBUTE, f"`{fact.name.text}` belongs to {whose}", fact.name.span, hint, related
    )


def report_code_without_brackets(ctx: ResolveContext, code: n.NameRef) -> None:
    hint = f"write cards in brackets: `[{code.name}]`"
    ctx.report_error(error_codes.UNKNOWN_NAME, f"unknown name `{code.name}`", code.span, hint)


def build_given_zone(ctx: ResolveContext, fact: n.Fact, owner: int | None, second: int | None) -> g.GivenZone | None:
    if isinstance(fact.value, n.NameRef) and fact.value.name in ctx.faces_by_code:
        report_code_without_brackets(ctx, fact.value)
        return None
    if not isinstance(fact.value, n.CardList):
        value = resolve_expression(ctx, fact.value, Scope())
        if value.type != ERROR_TYPE:
            message = f"expected cards, but this is {describe_type(value.type)}"
            ctx.report_error(error_codes.WRONG_TYPE, message, fact.value.span, "write their codes: `[9G 7A]`")
        return None
    cards = resolve_card_codes(ctx, fact.value)
    zone = ctx.zones.get(fact.name.text)
    if cards is not None and zone is not None and zone.single and len(cards) > 1:
        related = ((zone.origin.name, "declared `holds 1` here"),)
        message = f"`{zone.name}` holds 1 card, but this puts {len(cards)} there"
        ctx.report_error(error_codes.ZONE_OVERFULL, message, fact.span, "give it one card", related)
        return None
    return None if cards is None else g.GivenZone(fact.name.text, owner, cards, fact.span, second)
