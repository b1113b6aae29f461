"""Dependence of an expression on card attributes (static analysis).

`interpreter.gametree.card_symmetry` derives equivalent cards from it. The analysis follows definitions, rankings and
orders. If a read is unclear, it assumes that the expression distinguishes all cards.
"""

from __future__ import annotations

from attrs import Factory, define

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.traversal import find_free_variables, walk, walk_with_definitions

POSITION_FUNCTIONS = ("first", "last", "top", "bottom")
"""Functions that take items of a list by position."""
UNKNOWN_ZONE = "?"
"""Placeholder for the zone of cards with unknown origin."""


@define
class CardDependence:
    """Reads of an expression.

    Of a card:
    columns: the attributes read.
    titles, sets: whether its title or its set is read.
    borne: the definitions of cards that are called.
    marks: the tracks of cards that are read.
    named: the faces named by code.
    distinguishes_faces: whether each face is distinguished.

    Of a kind:
    members: the values named, as pairs of kind and value.
    ordered: the kinds whose values are compared by order or named by title, so that none are interchangeable.
    worths: the kinds whose worth is read.

    Of a position:
    tracks, zones: those read.
    owners: whether the owner of a card is read.
    combines_places: whether cards of several places are combined.
    rankings: the rankings read.
    needs_strength: whether the strength of a reading among those of its rank matters.
    is_slow: whether the evaluation is slow.

    Not countable:
    position_reads: positions in lists of cards that are read, with the zones of the cards.
    winners_read: the place that reads the winners.
    """

    columns: set[str] = Factory(set)
    titles: bool = False
    sets: bool = False
    borne: set[str] = Factory(set)
    marks: set[str] = Factory(set)
    named: set[int] = Factory(set)
    distinguishes_faces: bool = False
    members: set[tuple[str, int]] = Factory(set)
    ordered: set[str] = Factory(set)
    worths: set[str] = Factory(set)
    tracks: set[str] = Factory(set)
    zones: set[str] = Factory(set)
    owners: bool = False
    rankings: set[str] = Factory(set)
    combines_places: bool = False
    needs_strength: bool = False
    is_slow: bool = False
    position_reads: list[tuple[Span, set[str]]] = Factory(list)
    winners_read: Span | None = None


def find_dependence(game: g.Game, *parts: object, inside: bool = True) -> CardDependence:
    """Return the reads of expressions and statements, including all definitions that they call.

    `inside`: whether to include the reads inside rankings.
    """
    looker = DependenceVisitor(game, inside)
    looker.waiting += ((part,) for part in parts)
    return looker.visit_all()


def find_attributes_read_by_ranking(game: g.Game, ranking: g.Ranking) -> CardDependence:
    """Return the reads of the ranks of a ranking, applied to the faces that cards may show."""
    looker = DependenceVisitor(game, True)
    looker.record_hand_rank_reads(ranking)
    return looker.visit_all()


PART_ONLY_EXPRESSIONS = (
    g.Var, g.Filter, g.MapEach, g.Members, g.Whole, g.IsEmpty, g.IsAbsent, g.Quantified, g.IsIn, g.And, g.Or, g.Not,
    g.Arith, g.Cases, g.FirstPossible,
)  # fmt: skip
"""Expressions that read nothing beyond their parts and their type."""


class DependenceVisitor:
    """Visitor that collects the reads. `inside`: whether to visit rankings."""

    def __init__(self, game: g.Game, inside: bool) -> None:
        self.game, self.inside = game, inside
        self.dependence = CardDependence()
        self.waiting: list[object] = []
        self.seen: set[tuple[str, str]] = set()

    def visit_all(self) -> CardDependence:
        """Process the queue and return the reads. The ties of rankings are visited only if they matter."""
        while self.waiting:
            for part in walk(self.waiting.pop()):
                if isinstance(part, g.Expr):
                    self.visit_expression(part)
            if not self.waiting and self.dependence.needs_strength:
                for name in self.dependence.rankings:
                    if self.is_first_visit("ties of", name):
                        self.visit_order_lines(self.game.rankings[name].ties)
        return self.dependence

    def visit_expression(self, part: g.Expr) -> None:
        self.mark_included_kinds(part.type)
        if not isinstance(part, PART_ONLY_EXPRESSIONS):
            getattr(self, f"note_{type(part).__name__}")(part)

    def mark_included_kinds(self, type_: g.Type) -> None:
        """Treat a kind and the kind that it includes as ordered, because their values are compared across both."""
        kind = self.game.kinds.get(get_member_kind(type_) or "")
        if kind is not None and kind.includes is not None:
            self.dependence.ordered |= {kind.name, kind.includes}

    def is_first_visit(self, kind: str, name: str) -> bool:
        new = (kind, name) not in self.seen
        self.seen.add((kind, name))
        return new

    def record_order_comparison(self, type_: g.Type) -> None:
        """Record an order comparison of values of this type."""
        kind = get_member_kind(type_)
        if kind is not None:
            self.dependence.ordered.add(kind)
        item = type_.item or type_
        self.dependence.needs_strength |= item.tag == "reading"

    # ------------------------------------------------------------ single values
    def note_Const(self, part: g.Const) -> None:
        kind = get_member_kind(part.type)
        if kind is not None and isinstance(part.value, int):
            self.dependence.members.add((kind, part.value))

    def note_TrackValue(self, part: g.TrackValue) -> None:
        subject = self.game.tracks[part.track].subject
        (self.dependence.marks if subject == "card" else self.dependence.tracks).add(part.track)

    def note_ZoneCards(self, part: g.ZoneCards) -> None:
        self.dependence.zones.add(part.zone)

    def note_SetCards(self, part: g.SetCards) -> None:
        self.dependence.distinguishes_faces = True

    def note_NamedCards(self, part: g.NamedCards) -> None:
        self.dependence.named |= set(part.faces)

    def note_Attribute(self, part: g.Attribute) -> None:
        self.dependence.columns.add(part.attribute)

    def note_IsSet(self, part: g.IsSet) -> None:
        self.dependence.sets = True

    def note_Worth(self, part: g.Worth) -> None:
        self.dependence.worths.add(get_member_kind(part.value.type) or "")

    def note_Actor(self, part: g.Actor) -> None:
        self.dependence.distinguishes_faces = True

    def note_Target(self, part: g.Target) -> None:
        self.dependence.distinguishes_faces = True

    def note_Builtin(self, part: g.Builtin) -> None:
        if part.of is None:
            if part.name == "winners":
                self.dependence.winners_read = part.span
        elif part.of.type.tag == "reading":
            self.dependence.needs_strength |= part.name != "title"
            self.dependence.owners |= part.name == "owner"
        elif part.name == "owner":
            self.dependence.owners = True
        elif part.name in ("above", "below"):
            self.dependence.position_reads.append((part.span, {UNKNOWN_ZONE}))
        elif part.name == "title":
            kind = get_member_kind(part.of.type)
            if kind is None:
                self.dependence.titles = True
            else:
                self.dependence.ordered.add(kind)

    # ------------------------------------------------------------ definitions
    def note_Call(self, part: g.Call) -> None:
        declared = self.game.defines[part.define]
        self.dependence.needs_strength |= declared.subject in self.game.rankings
        if self.is_first_visit("definition", part.define):
            self.waiting.append((declared.value,))

    def note_BorneCall(self, part: g.BorneCall) -> None:
        self.dependence.borne.add(part.define)
        self.dependence.owners = True
        if self.is_first_visit("borne", part.define):
            bodies = self.game.borne_defines[part.define].bodies
            self.waiting.append(tuple(body for body in bodies if body is not None))

    # ------------------------------------------------------------ comparisons and lists
    def note_Compare(self, part: g.Compare) -> None:
        types = part.left.type, part.right.type
        tags = {type_.tag for type_ in types}
        self.dependence.needs_strength |= "reading" in tags
        if part.operator not in ("=", "!="):
            self.record_order_comparison(part.left.type)
            self.record_order_comparison(part.right.type)
        if "list" in tags and not any((type_.item or type_).tag == "player" for type_ in types):
            self.record_position_read(part, (part.left, part.right))

    def note_Joined(self, part: g.Joined) -> None:
        self.dependence.combines_places = True

    def note_Agg(self, part: g.Agg) -> None:
        if part.function in POSITION_FUNCTIONS:
            self.record_position_read(part, (part.list,))
        elif part.function in ("highest", "lowest"):
            self.record_order_comparison(part.list.type)

    def note_Selections(self, part: g.Selections) -> None:
        self.dependence.is_slow = True

    def note_AggBy(self, part: g.AggBy) -> None:
        self.note_Sorted(part)
        if part.which == "first":
            self.record_position_read(part, (part.list,))

    def note_Sorted(self, part: g.Sorted | g.AggBy) -> None:
        if part.key is not None:
            self.record_order_comparison(part.key.type)
        if part.order is not None:
            self.visit_order_lines(self.game.orders[part.order].lines)

    def visit_order_lines(self, lines: tuple[g.OrderLine, ...]) -> None:
        for line in lines:
            if line.how in ("higher", "lower"):
                self.record_order_comparison(line.value.type)
            if line.how in ("later", "earlier"):
                self.dependence.position_reads.append((line.value.span, {UNKNOWN_ZONE}))
            self.waiting.append((line.value,))

    def record_position_read(self, part: g.Expr, lists: tuple[g.Expr, ...]) -> None:
        """Record an access or comparison by position in these lists."""
        self.dependence.ordered |= {inner.kind for inner in walk(lists) if isinstance(inner, g.Members)}
        zones = {zone for cards in lists for zone in find_order_zones(self.game, cards)}
        self.dependence.position_reads.append((part.span, zones))

    # ------------------------------------------------------------ rankings
    def note_ReadRanking(self, part: g.ReadRanking) -> None:
        self.visit_ranking(self.game.rankings[part.ranking])

    def note_IsReading(self, part: g.IsReading) -> None:
        self.visit_ranking(self.game.rankings[part.ranking])

    def visit_ranking(self, ranking: g.Ranking) -> None:
        self.dependence.is_slow = True
        self.dependence.rankings.add(ranking.name)
        if self.inside and self.is_first_visit("ranking", ranking.name):
            self.record_hand_rank_reads(ranking)
            for wild in ranking.wilds:
                self.waiting.append((wild.condition,))
                if wild.attribute is not None:  # a wild card with a new value keeps all other attributes
                    self.dependence.columns |= set(self.game.columns)

    def record_hand_rank_reads(self, ranking: g.Ranking) -> None:
        self.dependence.sets = True
        self.waiting.append(ranking.ranks)
        if ranking.least is not None:
            self.waiting.append((ranking.least,))
        for trait in ranking.traits:
            self.dependence.columns.add(trait.attribute)
            if trait.word == "consecutive":
                self.record_order_comparison(self.game.columns[trait.attribute].type)


def get_member_kind(type_: g.Type) -> str | None:
    """Return the kind of a value, or of the values in a list."""
    item = type_.item or type_
    while item.item is not None:
        item = item.item
    return item.of if item.tag == "member" else None


def find_order_zones(game: g.Game, listed: g.Expr) -> set[str]:
    """Return the zones whose cards determine the order of a list."""
    if listed.type.item is not None and listed.type.item.tag == "player":
        return set()
    parts = list(walk_with_definitions(game, listed))
    zones = {part.zone for part in parts if isinstance(part, g.ZoneCards)}
    unknown = any(isinstance(part, g.Builtin) and part.name in ("used", "rest") for part in parts)
    bound = {part.id: part for part in walk((listed,)) if isinstance(part, g.Var)}
    outside = [bound[var] for var in find_free_variables(listed) if var in bound]
    unknown |= any(var.type.tag in ("list", "card", "reading") for var in outside)
    return zones | {UNKNOWN_ZONE} if unknown else zones
