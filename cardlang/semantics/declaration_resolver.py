"""Resolution of kinds, cards, zones and tracks."""

from __future__ import annotations

import itertools
from collections import Counter

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.diagnostics.source_limits import MAX_CARDS
from cardlang.english.control_characters import build_code_from_title
from cardlang.model.exact_numbers import read_exact_number
from cardlang.semantics import error_codes
from cardlang.semantics.definition_resolver import build_owner_scope, infer_track_type, resolve_second_type
from cardlang.semantics.expression_resolver import (
    build_text,
    convert_or_report,
    describe_members,
    describe_type,
    join_types,
    list_named_members,
    resolve_expression,
)
from cardlang.semantics.icon_words import find_text_icons
from cardlang.semantics.name_hints import build_synonym_hint
from cardlang.semantics.spreadsheet_columns import resolve_spreadsheet_rows
from cardlang.semantics.symbol_table import ERROR_TYPE, LITERAL_VALUES, ResolveContext, build_noun_forms
from cardlang.syntax import ast as n

MAX_MEMBERS = 1000


# ---------------------------------------------------------------- kinds
def build_kinds(ctx: ResolveContext) -> None:
    for node in ctx.list_items(n.Kind):
        build_kind(ctx, node, ())
    for name, kind in ctx.kinds.items():
        included_count = len(ctx.kinds[kind.includes].members) if kind.includes else 0
        for member_index, member in enumerate(kind.members):
            if member_index >= included_count:
                ctx.members_by_name.setdefault(member.name, []).append((name, member_index))


def build_kind(ctx: ResolveContext, node: n.Kind, enclosing_kinds: tuple[str, ...]) -> g.Kind:
    name = node.name.text
    if name in ctx.kinds:
        return ctx.kinds[name]
    first, rest, members, includes = node.members[0], node.members, [], None
    wide = ctx.nouns.get(str(first.value))
    if isinstance(wide, n.Kind) and first.last is None and wide.name.text not in (*enclosing_kinds, name):
        rest = node.members[1:]
        includes = wide.name.text
        members = list(build_kind(ctx, wide, (*enclosing_kinds, name)).members)
    for member in rest:
        if len(members) <= MAX_MEMBERS and sum(len(kind.members) for kind in ctx.kinds.values()) <= MAX_CARDS:
            members += build_members(ctx, member)
    if len(members) > MAX_MEMBERS:
        ctx.report_error(error_codes.LIMIT_EXCEEDED, f"a kind has at most {MAX_MEMBERS} values", node.name.span)
    report_duplicate_members(ctx, node, members)
    ctx.kinds[name] = g.Kind(
        name, node.ordered, tuple(members), includes, build_text(ctx, node.doc), ctx.get_origin(node)
    )
    return ctx.kinds[name]


def build_members(ctx: ResolveContext, node: n.Member) -> list[g.Member]:
    """Return the members of one entry. A range of numbers has several."""
    if isinstance(node.value, str):
        code = node.code.text if node.code else node.value
        worth = None if node.worth is None else read_exact_number(node.worth.digits)
        return [g.Member(node.value, code, worth, build_noun_forms(node.called, node.value))]
    last = node.value if node.last is None else node.last
    if not 0 <= last - node.value < MAX_MEMBERS:
        hint = "write the lower number first" if last < node.value else f"a kind has at most {MAX_MEMBERS} values"
        ctx.report_error(error_codes.LIMIT_EXCEEDED, f"`{node.value} to {last}` is not a valid range", node.span, hint)
        last = node.value
    return [
        g.Member(str(i), str(i), i, build_noun_forms(None, str(i)), i > node.value) for i in range(node.value, last + 1)
    ]


def report_duplicate_members(ctx: ResolveContext, node: n.Kind, members: list[g.Member]) -> None:
    for name, count in Counter(member.name for member in members).items():
        if count > 1:
            spans = [m.span for m in node.members if str(m.value) == name or m.last is not None]
            span = spans[-1] if spans else node.name.span
            ctx.report_error(
                error_codes.DECLARED_TWICE, f"`{name}` appears twice in {node.name.text}", span, "remove one of them"
            )


# ---------------------------------------------------------------- cards
class ColumnCollector:
    """Collector of the columns of all cards, face by face."""

    def __init__(self, ctx: ResolveContext) -> None:
        self.ctx = ctx
        self.types: dict[str, g.Type] = {}
        self.values: dict[str, dict[int, g.Value]] = {}

    def declare_column(self, name: str, type_: g.Type, span: Span) -> None:
        known = self.types.get(name)
        joined = type_ if known is None else join_types(self.ctx, known, type_)
        self.values.setdefault(name, {})
        if joined is None or (known and joined.tag != known.tag and known.tag != "nothing"):
            message = f"`{name}` is {describe_type(type_)} here, but {describe_type(known or type_)} on other cards"
            self.ctx.report_error(error_codes.INVALID_ROW_VALUES, message, span)
        else:
            self.types[name] = joined

    def build_column(self, name: str, face_count: int) -> g.Column:
        values = tuple(self.values[name].get(face) for face in range(face_count))
        type_ = self.types[name].replace(maybe=None in values)
        return g.Column(name, type_, values)


def build_cards(ctx: ResolveContext) -> None:
    columns = ColumnCollector(ctx)
    for node in ctx.list_items(n.Cards):
        check_home_zone(ctx, node)
        products = tuple(build_product(ctx, columns, node, product) for product in node.products)
        rows = tuple(add_card_row(ctx, columns, node, row) for row in resolve_spreadsheet_rows(ctx, node))
        ctx.sets[node.name.text] = build_card_set(ctx, node, products, rows)
    ctx.columns = {name: columns.build_column(name, len(ctx.faces)) for name in columns.types}
    if sum(face.copies for face in ctx.faces) > MAX_CARDS:
        node = ctx.list_items(n.Cards)[-1]
        ctx.report_error(
            error_codes.LIMIT_EXCEEDED, f"a game has at most {MAX_CARDS:,} cards", node.name.span, "use fewer copies"
        )


def build_card_set(
    ctx: ResolveContext, node: n.Cards, products: tuple[g.Product, ...], rows: tuple[g.Row, ...]
) -> g.CardSet:
    """Return a set of cards, without its definitions and procedures."""
    columns = tuple(column.text for column in node.columns)
    doc, icons, origin = build_text(ctx, node.doc), find_text_icons(ctx, node), ctx.get_origin(node)
    return g.CardSet(node.name.text, node.home.text, columns, products, rows, (), doc, icons, origin)


def check_home_zone(ctx: ResolveContext, node: n.Cards) -> None:
    home = ctx.nouns.get(node.home.text)
    if isinstance(home, n.Zone) and ctx.get_subject(home) is None:
        return
    if isinstance(home, n.Zone):
        message = f"`{node.home.text}` is not a single zone of the table"
        hint = "start the cards in a zone of the table"
        related = ((home.name.span, "declared here"),)
        ctx.report_error(error_codes.UNKNOWN_ZONE, message, node.home.span, hint, related)
        return
    zones = [z.name.text for z in ctx.list_items(n.Zone) if z.subject is None]
    ctx.report_unknown_name(error_codes.UNKNOWN_ZONE, "zone", node.home, zones)


def build_product(ctx: ResolveContext, columns: ColumnCollector, node: n.Cards, product: n.Product) -> g.Product:
    """Create the cards of a product."""
    names = tuple(each.kind.text for each in product.columns)
    kinds = declare_product_columns(ctx, columns, product)
    if not kinds:
        return g.Product(product.count, names)
    members = [list_named_members(ctx, each, kind) for each, kind in zip(product.columns, kinds, strict=True)]
    add_product_cards(ctx, columns, node, product, kinds, members)
    ranges = tuple(
        (kind.members[chosen[0]].noun.singular, kind.members[chosen[-1]].noun.singular) if each.first else ()
        for each, kind, chosen in zip(product.columns, kinds, members, strict=True)
    )
    return g.Product(product.count, names, ranges if any(ranges) else ())


def declare_product_columns(ctx: ResolveContext, columns: ColumnCollector, product: n.Product) -> list[g.Kind]:
    """Declare a column for each kind of a product and return the kinds, or none if one is unknown."""
    kinds = []
    for each in product.columns:
        kind = ctx.kinds.get(each.kind.text)
        if kind is None:
            ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", each.kind, ctx.kinds)
            # Without these cards and columns, much else is unknown. Suppress the errors that follow.
            ctx.collector.unreadable_words.update(("cards", *map(str.lower, ctx.kinds)))
            return []
        kinds.append(kind)
        columns.declare_column(kind.name.lower(), g.build_member_type(kind.name), each.kind.span)
    return kinds


def add_product_cards(
    ctx: ResolveContext, columns: ColumnCollector, node: n.Cards, product: n.Product,
    kinds: list[g.Kind], chosen: list[list[int]],
) -> None:  # fmt: skip
    for member_indices in itertools.product(*chosen):
        if product.count == 0 or len(ctx.faces) > MAX_CARDS:
            return
        members = [kind.members[member_index] for kind, member_index in zip(kinds, member_indices, strict=True)]
        title = " of ".join(member.noun.singular for member in members)
        code = "".join(member.code for member in members)
        same = ctx.faces_by_code.get(f"{node.code.text if node.code else ''}{code}")
        values = list(zip(kinds, members, strict=True))
        clash = same is not None and product.span not in ctx.reported_code_spans
        if same is not None and clash and report_equal_codes(ctx, columns, ctx.faces[same], values):
            ctx.reported_code_spans.add(product.span)
            ctx.collector.unreadable_words.add("cards")  # one card now has an unknown code
        face = add_face(ctx, node, product.span, product.count, title, code)
        for kind, member_index in zip(kinds, member_indices, strict=True):
            columns.values[kind.name.lower()][face] = member_index
        record_card_rules(ctx, face, node.bears)


def report_equal_codes(
    ctx: ResolveContext, columns: ColumnCollector, face: g.Face, values: list[tuple[g.Kind, g.Member]]
) -> bool:
    """Report the two values whose equal codes give two cards one code. Return False if there are none."""
    theirs = [
        (kind, kind.members[member_index])
        for kind in ctx.kinds.values()
        if isinstance(member_index := columns.values.get(kind.name.lower(), {}).get(face.number), int)
    ]
    pairs = (
        (value, other) for value in values for other in theirs if value[1].code == other[1].code and value != other
    )
    (kind, member), (other_kind, other) = next(pairs, (values[0], values[0]))
    member_span, other_span = find_code_span(ctx, member), find_code_span(ctx, other)
    if member is other or member_span is None or other_span is None:
        return False
    two = f"`{other.name}` of {other_kind.name} and `{member.name}` of {kind.name}"
    hint = f"give one of them another code in brackets, as in `{member.name} (X)`"
    ctx.report_error(
        error_codes.DUPLICATE_CARD_CODE,
        f"{two} have the same code `{member.code}`",
        member_span,
        hint,
        ((other_span, "the first one"),),
    )
    return True


def find_code_span(ctx: ResolveContext, member: g.Member) -> Span | None:
    """Return the span of a value's code, or None for a number in a range."""
    nodes = [node for kind in ctx.list_items(n.Kind) for node in kind.members if node.value == member.name]
    return next((node.code.span if node.code else node.span for node in nodes), None)


def add_card_row(ctx: ResolveContext, columns: ColumnCollector, node: n.Cards, row: n.Row) -> g.Row:
    if len(row.values) != len(node.columns):
        names = ", ".join(column.text for column in node.columns)
        expected_values = (
            f"{len(node.columns)} value{'s' * (len(node.columns) > 1)} ({names})" if names else "no values"
        )
        message = f"expected {expected_values}, but this row has {len(row.values) or 'none'}"
        hint = "write one value for each column, in the same order"
        ctx.report_error(
            error_codes.INVALID_ROW_VALUES,
            message,
            row.span,
            hint,
            ((node.name.span, "the columns are declared here"),),
        )
    cells = [
        (column.text, resolve_cell(ctx, columns, column, literal))
        for column, literal in zip(node.columns, row.values, strict=False)
    ]
    title, values, face = row.title.text, tuple(value for _, value in cells), None
    if row.count:
        code = row.code.text if row.code else build_code_from_title(title)
        if not code:
            report_missing_code(ctx, row)
            code = f"#{len(ctx.faces)}"
        face = add_face(ctx, node, row.code.span if row.code else row.title.span, row.count, title, code)
        for name, (_, value) in cells:
            columns.values[name][face] = value
        record_card_rules(ctx, face, (*node.bears, *row.bears))
    return g.Row(row.count, title, row.code.text if row.code else "", values, face, (), build_text(ctx, row.doc))


def report_missing_code(ctx: ResolveContext, row: n.Row) -> None:
    """Report a title without letters or digits, so that it gives no code. Errors about cards elsewhere are then
    suppressed."""
    ctx.collector.unreadable_words.add("cards")
    message = f"the card “{row.title.text}” has no code, and its title has no letters or digits"
    written = f'{row.count} of "{row.title.text}" (X)'
    ctx.report_error(
        error_codes.CARD_WITHOUT_CODE, message, row.title.span, f"write a code in brackets after the title: `{written}`"
    )


def resolve_cell(
    ctx: ResolveContext, columns: ColumnCollector, column: n.Name, literal: n.Name | n.Number | n.Words
) -> tuple[g.Type, g.Value]:
    """Return the type and value of a cell in a row. The type is joined into that of the column."""
    kind = next((k for k in ctx.kinds.values() if k.name.lower() == column.text), None)
    type_, value = read_cell_value(ctx, kind, literal)
    columns.declare_column(column.text, type_, literal.span)
    return type_, value


def read_cell_value(
    ctx: ResolveContext, kind: g.Kind | None, literal: n.Name | n.Number | n.Words
) -> tuple[g.Type, g.Value]:
    if isinstance(literal, n.Words):
        return g.TEXT, literal.text
    text = literal.digits if isinstance(literal, n.Number) else literal.text
    if kind is not None:
        member_index = next((i for i, m in enumerate(kind.members) if m.name == text), None)
        if member_index is None and text != "nothing":
            hint, _ = ctx.build_similar_name_hint(text, [m.name for m in kind.members])
            ctx.report_error(
                error_codes.INVALID_ROW_VALUES,
                f"{kind.name} has no value `{text}`",
                literal.span,
                hint or build_synonym_hint(text) or f"its values are {describe_members(kind)}",
            )
        return g.build_member_type(kind.name), member_index
    if isinstance(literal, n.Number):
        return g.NUMBER, read_exact_number(text)
    if text in LITERAL_VALUES:
        return LITERAL_VALUES[text]
    if text in ctx.members_by_name:
        name, member_index = ctx.members_by_name[text][0]
        return g.build_member_type(name), member_index
    ctx.report_unknown_name(
        error_codes.UNKNOWN_NAME, "value", literal, [*ctx.members_by_name, *LITERAL_VALUES], build_synonym_hint(text)
    )
    return g.NOTHING, None


def add_face(ctx: ResolveContext, node: n.Cards, span: Span, copies: int, title: str, code: str) -> int:
    code = (node.code.text if node.code else "") + code
    number, first = len(ctx.faces), sum(face.copies for face in ctx.faces[-1:])
    first += ctx.faces[-1].first if ctx.faces else 0
    if code in ctx.faces_by_code and span not in ctx.reported_code_spans:
        ctx.reported_code_spans.add(span)
        ctx.collector.unreadable_words.add("cards")  # one card now has an unknown code
        other = ctx.faces[ctx.faces_by_code[code]]
        related = ((other.span, f"the other card is “{other.title}” of {other.set}"),)
        hint = "change a code: it is in brackets after the name of a set or value, or the title of a card"
        hint = hint if span.source is node.span.source else "write another one in the column `code`"
        ctx.report_error(error_codes.DUPLICATE_CARD_CODE, f"two cards have the code `{code}`", span, hint, related)
    ctx.faces_by_code.setdefault(code, number)
    ctx.faces.append(g.Face(number, node.name.text, title, code, copies, first, span))
    return number


def record_card_rules(ctx: ResolveContext, face: int, parts: tuple[object, ...]) -> None:
    """Record the definitions and procedures of a face. Those of a row override those of its set."""
    for part in parts:
        if isinstance(part, n.Define):
            ctx.card_definition_nodes.setdefault(part.name.text, {})[face] = part
        elif isinstance(part, n.Step):
            ctx.card_step_nodes.setdefault(part.name.text, {})[face] = part


def report_shadowed_columns(ctx: ResolveContext) -> None:
    """Report tracks and definitions of cards with the name of a column, or of another definition of cards."""
    for name in {*ctx.columns, *ctx.card_definition_nodes}:
        node = ctx.nouns.get(name)
        if node is not None and ctx.get_subject(node) == "card":
            hint = "rename one of them"
            ctx.report_error(error_codes.DECLARED_TWICE, f"cards already have a `{name}`", node.name.span, hint)


def report_missing_names(ctx: ResolveContext) -> None:
    """Report declarations named `called`: their name is missing."""
    for node in ctx.nouns.values():
        if node.name.text == "called":
            hint = 'write a name for the rules, then the words that players read: `NAME called "…"`'
            ctx.report_error(error_codes.MISSING_NAME, "missing name before `called`", node.name.span, hint)
            ctx.collector.unreadable_words.add(n.NAMELESS)
        subject = getattr(node, "subject", None)
        if isinstance(subject, n.Name) and subject.text == "player":
            hint = f"write `your {node.name.text}`"
            ctx.report_error(error_codes.MISSING_NAME, "what each player has is `your`", subject.span, hint)


# ---------------------------------------------------------------- zones
VIEWERS = ("owner", "others", "nobody")


def build_zones(ctx: ResolveContext) -> None:
    for node in ctx.list_items(n.Zone):
        subject, name = ctx.get_subject(node), node.name.text
        if isinstance(node.subject, n.Name) and subject not in ctx.kinds:
            ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", node.subject, ctx.kinds)
            continue
        if node.second is not None and resolve_second_type(ctx, node) is None:
            continue
        if node.holds not in (None, 1):
            ctx.report_error(
                error_codes.WRONG_ARGUMENTS,
                "a zone can only hold 1 card or any number",
                node.span,
                f"write `holds 1`, or remove `holds` and test the number, as in `if count of {name} < {node.holds}`",
            )
        viewer = node.viewer.text if node.viewer else "everyone"
        if node.viewer and viewer not in VIEWERS:
            hint = "the cards of a zone can be seen by `owner`, `others` or `nobody`"
            ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "viewer", node.viewer, VIEWERS, hint)
        if subject != "player" and viewer in ("owner", "others"):
            report_ownerless_zone(ctx, node, viewer)
        nouns, doc = build_noun_forms(node.called, name), build_text(ctx, node.doc)
        second, origin = node.second.text if node.second else None, ctx.get_origin(node)
        ctx.zones[name] = g.Zone(name, subject, node.holds == 1, viewer, nouns, doc, origin, second)


def report_ownerless_zone(ctx: ResolveContext, node: n.Zone, viewer: str) -> None:
    """Report `seen by owner` or `seen by others` on a zone without an owner.

    The zone was probably meant as one for each player, so errors at its uses are suppressed."""
    name = node.name.text
    message = f"`{name}` has no owner, so `seen by {viewer}` has no meaning"
    hint = f"write `zone your {name}` to give each player one, or `seen by nobody` for a hidden zone"
    ctx.report_error(error_codes.ZONE_WITHOUT_OWNER, message, node.name.span, hint)
    ctx.collector.unreadable_words.add(name)


# ---------------------------------------------------------------- tracks
TRACK_TYPES = ("number", "flag", "player")


def build_tracks(ctx: ResolveContext) -> None:
    for node in ctx.list_items(n.Track):
        track = build_track(ctx, node)
        if track is not None:
            ctx.tracks[track.name] = track


def build_track(ctx: ResolveContext, node: n.Track) -> g.Track | None:
    type_ = infer_track_type(ctx, node)
    if type_ == ERROR_TYPE:
        hint = "write `number`, `flag`, `player` or a kind"
        ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", node.type, [*TRACK_TYPES, *ctx.kinds], hint)
        return None
    var, second_var, scope = build_owner_scope(ctx, node)
    if any(each is not None and each.type.tag in ("error", "reading") for each in (var, second_var)):
        return None
    if node.starts is None:
        start: g.Expr = g.Const(type_, node.span, None if type_.maybe else 0)
    else:
        start = convert_or_report(ctx, resolve_expression(ctx, node.starts.value, scope, type_), type_)
    name = node.name.text
    restarts = tuple(resolve_restarts(ctx, node))
    nouns, starts, doc = build_noun_forms(node.called, name), node.starts is not None, build_text(ctx, node.doc)
    origin, subject, second = ctx.get_origin(node), ctx.get_subject(node), node.second.text if node.second else None
    return g.Track(
        name,
        subject,
        type_,
        var,
        start,
        restarts,
        is_secret_track(ctx, node),
        nouns,
        starts,
        doc,
        origin,
        second,
        second_var,
    )


def is_secret_track(ctx: ResolveContext, node: n.Track) -> bool:
    """Return whether only the player of a value sees it, or no player does. Report any other `seen by`."""
    right = "owner" if ctx.get_subject(node) == "player" else "nobody"
    if node.viewer is not None and node.viewer.text != right:
        what = "a value of each player" if right == "owner" else "a value without a player"
        message = f"{what} cannot be `seen by {node.viewer.text}`"
        ctx.report_error(error_codes.ZONE_WITHOUT_OWNER, message, node.name.span, f"write `seen by {right}`")
    return node.viewer is not None


def resolve_restarts(ctx: ResolveContext, node: n.Track) -> list[g.Restart]:
    restarts = []
    for name in node.starts.again if node.starts else ():
        if name.text == "move" and "move" not in ctx.verbs:
            if ctx.get_subject(node) != "card":
                message = "only a number or flag of a card can start again with each move"
                ctx.report_error(
                    error_codes.INVALID_RESTART,
                    message,
                    name.span,
                    "declare it for each card, as in `number card's uses`",
                )
        elif not isinstance(ctx.verbs.get(name.text), n.Step):
            steps = [s.name.text for s in ctx.list_items(n.Step)]
            ctx.report_unknown_name(error_codes.UNKNOWN_STEP, "step", name, steps)
            continue
        is_own = node.starts is not None and node.starts.own
        if is_own and not check_own_restart(ctx, node, name):
            continue
        restarts.append(g.Restart(name.text, is_own))
    return restarts


def check_own_restart(ctx: ResolveContext, node: n.Track, name: n.Name) -> bool:
    step = ctx.verbs.get(name.text)
    if ctx.get_subject(node) == "player" and isinstance(step, n.Step) and step.your:
        return True
    hint = f"`starts your {name.text}` needs a `step your {name.text}`, and something that each player has"
    ctx.report_error(error_codes.INVALID_RESTART, f"`{name.text}` is not a step of each player", name.span, hint)
    return False
