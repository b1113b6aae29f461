"""Resolution of kinds, cards, columns and zones."""

from __future__ import annotations

import itertools
from collections import Counter

from attrs import evolve

from cardlang import game as g
from cardlang import nodes as n
from cardlang.limits import MAX_CARDS
from cardlang.plain_text import code_of
from cardlang.resolve import codes
from cardlang.resolve.hints import spoken
from cardlang.resolve.names import FIXED
from cardlang.resolve.texts import words
from cardlang.resolve.types import called, join
from cardlang.resolve.world import World, noun
from cardlang.source import Span

MEMBERS = 1000


# ---------------------------------------------------------------- kinds
def build_kinds(w: World) -> None:
    for node in w.of_type(n.Kind):
        build_kind(w, node, ())
    for name, kind in w.kinds.items():
        own = len(w.kinds[kind.includes].members) if kind.includes else 0
        for place, member in enumerate(kind.members):
            if place >= own:
                w.members.setdefault(member.name, []).append((name, place))


def build_kind(w: World, node: n.Kind, seen: tuple[str, ...]) -> g.Kind:
    name = node.name.text
    if name in w.kinds:
        return w.kinds[name]
    first, rest, members, includes = node.members[0], node.members, [], None
    wide = w.nouns.get(str(first.value))
    if isinstance(wide, n.Kind) and first.last is None and wide.name.text not in (*seen, name):
        rest = node.members[1:]
        includes = wide.name.text
        members = list(build_kind(w, wide, (*seen, name)).members)
    for member in rest:
        if len(members) <= MEMBERS and sum(len(kind.members) for kind in w.kinds.values()) <= MAX_CARDS:
            members += member_of(w, member)
    if len(members) > MEMBERS:
        w.error(codes.TOO_MANY, f"a kind has at most {MEMBERS} values", node.name.span)
    report_doubles(w, node, members)
    w.kinds[name] = g.Kind(name, node.ordered, tuple(members), includes, words(w, node.doc), w.origin(node))
    return w.kinds[name]


def member_of(w: World, node: n.Member) -> list[g.Member]:
    """Return the members of one entry. A range of numbers has several."""
    if isinstance(node.value, str):
        code = node.code.text if node.code else node.value
        return [g.Member(node.value, code, node.worth, noun(node.called, node.value))]
    last = node.value if node.last is None else node.last
    if not 0 <= last - node.value < MEMBERS:
        hint = "write the lower number first" if last < node.value else f"a kind has at most {MEMBERS} values"
        w.error(codes.TOO_MANY, f"`{node.value} to {last}` is not a valid range", node.span, hint)
        last = node.value
    return [g.Member(str(i), str(i), i, noun(None, str(i)), i > node.value) for i in range(node.value, last + 1)]


def report_doubles(w: World, node: n.Kind, members: list[g.Member]) -> None:
    for name, count in Counter(member.name for member in members).items():
        if count > 1:
            spans = [m.span for m in node.members if str(m.value) == name or m.last is not None]
            span = spans[-1] if spans else node.name.span
            w.error(codes.DECLARED_TWICE, f"`{name}` appears twice in {node.name.text}", span, "remove one of them")


# ---------------------------------------------------------------- cards
OF_LISTS = "size"
"""Attribute of all lists. As a column, it would be inaccessible on lists of cards."""


class Columns:
    """Collector of the columns of all cards, face by face."""

    def __init__(self, w: World) -> None:
        self.w = w
        self.types: dict[str, g.Type] = {}
        self.values: dict[str, dict[int, g.Value]] = {}

    def declare(self, name: str, type_: g.Type, span: Span) -> None:
        known = self.types.get(name)
        if name == OF_LISTS and known is None:
            message = f"cards cannot have a column `{OF_LISTS}`, which means the length of a list"
            kinds = [node for node in self.w.of_type(n.Kind) if node.name.text.lower() == name]
            self.w.error(codes.HIDDEN_COLUMN, message, kinds[0].name.span if kinds else span, "choose another name")
        joined = type_ if known is None else join(self.w, known, type_)
        self.values.setdefault(name, {})
        if joined is None or (known and joined.tag != known.tag and known.tag != "nothing"):
            message = f"`{name}` is {called(type_)} here, but {called(known or type_)} on other cards"
            self.w.error(codes.ROW_VALUES, message, span)
        else:
            self.types[name] = joined

    def column(self, name: str, faces: int) -> g.Column:
        values = tuple(self.values[name].get(face) for face in range(faces))
        type_ = evolve(self.types[name], maybe=None in values)
        return g.Column(name, type_, values)


def build_cards(w: World) -> None:
    columns = Columns(w)
    for node in w.of_type(n.Cards):
        report_home(w, node)
        for product in node.products:
            add_product(w, columns, node, product)
        rows = tuple(add_row(w, columns, node, row) for row in node.rows)
        w.sets[node.name.text] = card_set(w, node, rows)
    w.columns = {name: columns.column(name, len(w.faces)) for name in columns.types}
    if sum(face.copies for face in w.faces) > MAX_CARDS:
        node = w.of_type(n.Cards)[-1]
        w.error(codes.TOO_MANY, f"a game has at most {MAX_CARDS:,} cards", node.name.span, "use fewer copies")


def card_set(w: World, node: n.Cards, rows: tuple[g.Row, ...]) -> g.CardSet:
    """Return a set of cards, without its definitions and procedures."""
    columns = tuple(column.text for column in node.columns)
    products = tuple(g.Product(each.count, tuple(kind.text for kind in each.columns)) for each in node.products)
    doc, origin = words(w, node.doc), w.origin(node)
    return g.CardSet(node.name.text, node.home.text, columns, products, rows, (), doc, origin)


def report_home(w: World, node: n.Cards) -> None:
    home = w.nouns.get(node.home.text)
    if isinstance(home, n.Zone) and w.subject(home) is None:
        return
    if isinstance(home, n.Zone):
        message = f"`{node.home.text}` is not a single zone of the table"
        hint = "start the cards in a zone of the table"
        related = ((home.name.span, "declared here"),)
        w.error(codes.UNKNOWN_ZONE, message, node.home.span, hint, related)
        return
    zones = [z.name.text for z in w.of_type(n.Zone) if z.subject is None]
    w.unknown(codes.UNKNOWN_ZONE, "zone", node.home, zones)


def add_product(w: World, columns: Columns, node: n.Cards, product: n.Product) -> None:
    kinds = []
    for name in product.columns:
        kind = w.kinds.get(name.text)
        if kind is None:
            w.unknown(codes.UNKNOWN_KIND, "kind", name, w.kinds)
            # Without these cards and columns, much else is unknown. Suppress the errors that follow.
            w.report.broken.update(("cards", *map(str.lower, w.kinds)))
            return
        kinds.append(kind)
        columns.declare(name.text.lower(), g.member(name.text), name.span)
    for places in itertools.product(*(range(len(kind.members)) for kind in kinds)):
        if product.count == 0 or len(w.faces) > MAX_CARDS:
            return
        members = [kind.members[place] for kind, place in zip(kinds, places, strict=True)]
        title = " of ".join(member.noun.singular for member in members)
        code = "".join(member.code for member in members)
        same = w.codes.get(f"{node.code.text if node.code else ''}{code}")
        values = list(zip(kinds, members, strict=True))
        clash = same is not None and product.span not in w.colliding
        if same is not None and clash and report_same_codes(w, columns, w.faces[same], values):
            w.colliding.add(product.span)
            w.report.broken.add("cards")  # one card now has an unknown code
        face = add_face(w, node, product.span, product.count, title, code)
        for kind, place in zip(kinds, places, strict=True):
            columns.values[kind.name.lower()][face] = place
        bear(w, face, node.bears)


def report_same_codes(w: World, columns: Columns, face: g.Face, values: list[tuple[g.Kind, g.Member]]) -> bool:
    """Report the two values whose equal codes give two cards one code. Return False if there are none."""
    theirs = [
        (kind, kind.members[place])
        for kind in w.kinds.values()
        if isinstance(place := columns.values.get(kind.name.lower(), {}).get(face.number), int)
    ]
    pairs = ((own, other) for own in values for other in theirs if own[1].code == other[1].code and own != other)
    (kind, member), (other_kind, other) = next(pairs, (values[0], values[0]))
    here, there = code_span(w, member), code_span(w, other)
    if member is other or here is None or there is None:
        return False
    two = f"`{other.name}` of {other_kind.name} and `{member.name}` of {kind.name}"
    hint = f"give one of them another code in brackets, as in `{member.name} (X)`"
    w.error(codes.SAME_CODE, f"{two} have the same code `{member.code}`", here, hint, ((there, "the first one"),))
    return True


def code_span(w: World, member: g.Member) -> Span | None:
    """Return the span of a value's code, or None for a number in a range."""
    nodes = [node for kind in w.of_type(n.Kind) for node in kind.members if node.value == member.name]
    return next((node.code.span if node.code else node.span for node in nodes), None)


def add_row(w: World, columns: Columns, node: n.Cards, row: n.Row) -> g.Row:
    if len(row.values) != len(node.columns):
        names = ", ".join(column.text for column in node.columns)
        wanted = f"{len(node.columns)} value{'s' * (len(node.columns) > 1)} ({names})" if names else "no values"
        message = f"expected {wanted}, but this row has {len(row.values) or 'none'}"
        hint = "write one value for each column, in the same order"
        w.error(codes.ROW_VALUES, message, row.span, hint, ((node.name.span, "the columns are declared here"),))
    found = [
        (column.text, cell(w, columns, column, literal))
        for column, literal in zip(node.columns, row.values, strict=False)
    ]
    title, values, face = row.title.text, tuple(value for _, value in found), None
    if row.count:
        code = row.code.text if row.code else code_of(title)
        if not code:
            report_no_code(w, row)
            code = f"#{len(w.faces)}"
        face = add_face(w, node, row.code.span if row.code else row.title.span, row.count, title, code)
        for name, (_, value) in found:
            columns.values[name][face] = value
        bear(w, face, (*node.bears, *row.bears))
    return g.Row(row.count, title, row.code.text if row.code else "", values, face, (), words(w, row.doc))


def report_no_code(w: World, row: n.Row) -> None:
    """Report a title without letters or digits, so that it gives no code. Errors about cards elsewhere are then
    suppressed."""
    w.report.broken.add("cards")
    message = f"the card “{row.title.text}” has no code, and its title has no letters or digits"
    written = f'{row.count} of "{row.title.text}" (X)'
    w.error(codes.NO_CODE, message, row.title.span, f"write a code in brackets after the title: `{written}`")


def cell(w: World, columns: Columns, column: n.Name, literal: n.Name | n.Number | n.Words) -> tuple[g.Type, g.Value]:
    """Return the type and value of a cell in a row. The type is joined into that of the column."""
    kind = next((k for k in w.kinds.values() if k.name.lower() == column.text), None)
    type_, value = read_cell(w, kind, literal)
    columns.declare(column.text, type_, literal.span)
    return type_, value


def read_cell(w: World, kind: g.Kind | None, literal: n.Name | n.Number | n.Words) -> tuple[g.Type, g.Value]:
    if isinstance(literal, n.Words):
        return g.TEXT, literal.text
    text = literal.digits if isinstance(literal, n.Number) else literal.text
    if kind is not None:
        place = next((i for i, m in enumerate(kind.members) if m.name == text), None)
        if place is None and text != "nothing":
            hint, _ = w.near(text, [m.name for m in kind.members])
            w.error(codes.ROW_VALUES, f"{kind.name} has no value `{text}`", literal.span, hint or spoken(text))
        return g.member(kind.name), place
    if isinstance(literal, n.Number):
        return g.NUMBER, int(text)
    if text in FIXED:
        return FIXED[text]
    if text in w.members:
        name, place = w.members[text][0]
        return g.member(name), place
    w.unknown(codes.UNKNOWN_NAME, "value", literal, [*w.members, *FIXED], spoken(text))
    return g.NOTHING, None


def add_face(w: World, node: n.Cards, span: Span, copies: int, title: str, code: str) -> int:
    code = (node.code.text if node.code else "") + code
    number, first = len(w.faces), sum(face.copies for face in w.faces[-1:])
    first += w.faces[-1].first if w.faces else 0
    if code in w.codes and span not in w.colliding:
        w.colliding.add(span)
        w.report.broken.add("cards")  # one card now has an unknown code
        other = w.faces[w.codes[code]]
        related = ((other.span, f"the other card is “{other.title}” of {other.set}"),)
        hint = "change a code: it is in brackets after the name of a set or value, or the title of a card"
        w.error(codes.SAME_CODE, f"two cards have the code `{code}`", span, hint, related)
    w.codes.setdefault(code, number)
    w.faces.append(g.Face(number, node.name.text, title, code, copies, first, span))
    return number


def bear(w: World, face: int, parts: tuple[object, ...]) -> None:
    """Record the definitions and procedures of a face. Those of a row override those of its set."""
    for part in parts:
        if isinstance(part, n.Define):
            w.bearers.setdefault(part.name.text, {})[face] = part
        elif isinstance(part, n.Step):
            w.step_bearers.setdefault(part.name.text, {})[face] = part


def report_shadowed(w: World) -> None:
    """Report tracks and definitions of cards with the name of a column, or of another definition of cards."""
    for name in {*w.columns, *w.bearers}:
        node = w.nouns.get(name)
        if node is not None and w.subject(node) == "card":
            hint = "rename one of them"
            w.error(codes.DECLARED_TWICE, f"cards already have a `{name}`", node.name.span, hint)


def report_nameless(w: World) -> None:
    """Report declarations named `called`: their name is missing."""
    for node in w.nouns.values():
        if node.name.text == "called":
            hint = 'write a name for the rules, then the words that players read: `NAME called "…"`'
            w.error(codes.NAME_LEFT_OUT, "missing name before `called`", node.name.span, hint)
            w.report.broken.add(n.NAMELESS)


# ---------------------------------------------------------------- zones
def build_zones(w: World) -> None:
    for node in w.of_type(n.Zone):
        subject, name = w.subject(node), node.name.text
        if isinstance(node.subject, n.Name) and subject not in w.kinds:
            w.unknown(codes.UNKNOWN_KIND, "kind", node.subject, w.kinds)
            continue
        if node.holds not in (None, 1):
            w.error(
                codes.WRONG_ARGUMENTS,
                "a zone can only hold 1 card or any number",
                node.span,
                "write `holds 1`, or remove `holds`",
            )
        if subject != "player" and node.viewer in ("owner", "others"):
            report_ownerless(w, node)
        viewer = node.viewer or "everyone"
        nouns, doc = noun(node.called, name), words(w, node.doc)
        w.zones[name] = g.Zone(name, subject, node.holds == 1, viewer, nouns, doc, w.origin(node))


def report_ownerless(w: World, node: n.Zone) -> None:
    """Report `seen by owner` or `seen by others` on a zone without an owner.

    The zone was probably meant as one for each player, so errors at its uses are suppressed."""
    name = node.name.text
    message = f"`{name}` has no owner, so `seen by {node.viewer}` has no meaning"
    hint = f"write `zone your {name}` to give each player one, or `seen by nobody` for a hidden zone"
    w.error(codes.NO_OWNER, message, node.name.span, hint)
    w.report.broken.add(name)
