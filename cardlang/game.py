"""`Game`: what a checked file means. Every name is resolved, every expression typed; nothing here changes.

Declarations are found by name in the dictionaries of `Game`; expressions and statements refer to them by name.
Nouns (kinds, card sets, zones, tracks, definitions, orders, rankings) share one name space, verbs (steps,
reactions) another.

Values at play time, as the interpreter keeps them:
a number is an integer (or an exact fraction), a flag 0 or 1, a player the number of the seat (from 0), a member
of a kind its place in the kind (from 0), a card its number. Something may be *absent* (`nothing`, `nobody`, the
suit of a dragon): types that allow it have `maybe`. Comparing with something absent: `=` no, `!=` yes, `<` no, …
"""

from __future__ import annotations

from typing import Any, Literal

from attrs import evolve, field, frozen

from cardlang import nodes
from cardlang.source import Diagnostic, Span


# ---------------------------------------------------------------- types
@frozen
class Type:
    """`tag`: number, flag, player, member, card, text, reading, nothing, list.

    `of`: the kind of a member, the ranking of a reading. `item`: what a list holds. `maybe`: may be absent.
    `unlimited`: a number that may be without limit. `ranked`: a list whose order matters when compared.
    `named`: cards written with their codes, which stand for any copy.
    """

    tag: str
    of: str | None = None
    item: Type | None = None
    maybe: bool = False
    unlimited: bool = False
    ranked: bool = False
    named: bool = False

    def or_nothing(self) -> Type:
        return evolve(self, maybe=True)

    def surely(self) -> Type:
        return evolve(self, maybe=False)


NUMBER = Type("number")
FLAG = Type("flag")
PLAYER = Type("player")
CARD = Type("card")
TEXT = Type("text")
NOTHING = Type("nothing", maybe=True)


def member(kind: str) -> Type:
    return Type("member", of=kind)


def list_of(item: Type, ranked: bool = False) -> Type:
    return Type("list", item=item, ranked=ranked)


# ---------------------------------------------------------------- expressions
@frozen
class Expr:
    type: Type
    span: Span = field(eq=False, repr=False)


@frozen
class Const(Expr):
    """A known value: int or Fraction, 0/1 for a flag, a member's place, a seat (in examples), a str for a text.
    `None` is nothing; `UNLIMITED` is the number without limit."""

    value: Any


UNLIMITED = "unlimited"


@frozen
class Var(Expr):
    """A value bound by an enclosing statement, filter, definition or step. `id` is unique within the game."""

    id: int
    name: str


@frozen
class TrackValue(Expr):
    """The value of a track; `of` is whose (None for the table's own)."""

    track: str
    of: Expr | None


@frozen
class ZoneCards(Expr):
    """The cards of a zone, from the bottom up. A zone that `holds 1` has the type card (maybe absent):
    its only card."""

    zone: str
    of: Expr | None


@frozen
class SetCards(Expr):
    """All cards of a card set, wherever they are, in the order of their numbers."""

    set: str


@frozen
class NamedCards(Expr):
    """Cards written with their codes: faces by number. Type card if there is one, else list of cards; `named`.
    `=` and `in` compare faces. Where the card itself is meant, the face has one copy (checked)."""

    faces: tuple[int, ...]


@frozen
class Attribute(Expr):
    """A column of a card: `card` is of type card (maybe absent: then so is the result)."""

    card: Expr
    attribute: str


@frozen
class Call(Expr):
    """A definition. `of`: its subject (a player, card, member, reading or list of cards), None for the table's."""

    define: str
    of: Expr | None


@frozen
class BorneCall(Expr):
    """A definition that cards bear. Cards that do not bear it: absent (a flag: no)."""

    define: str
    card: Expr


@frozen
class Builtin(Expr):
    """What the language itself knows.

    no argument: players (those still in, in seat order), winners
    of a player: left, right (the next one still in), others (from the left on), seat (from 1)
    of a card: owner (whose zone it was last in, maybe absent), title
    of a list: size
    of a reading: title, used, rest, wilds (how many), owner (of the first card read)
    of a member: title
    """

    name: str
    of: Expr | None


@frozen
class Worth(Expr):
    """A member of a kind as a number: its number or its declared worth; else absent."""

    value: Expr


@frozen
class Filter(Expr):
    list: Expr
    var: Var
    condition: Expr


@frozen
class MapEach(Expr):
    """`list's attribute`: for each item the value; lists are joined, absent values left out."""

    list: Expr
    var: Var
    value: Expr


@frozen
class Members(Expr):
    """All members of a kind in their order."""

    kind: str


@frozen
class Joined(Expr):
    """`(hand, starter)`: items one after another, lists joined, absent ones left out."""

    items: tuple[Expr, ...]


@frozen
class Sorted(Expr):
    """`list ranked by …`, best first. Equal items keep their order. `key` of `var` is a number, member or reading
    (higher is better), or, if `order` is set, that order ranks the items and key is None."""

    list: Expr
    order: str | None
    var: Var | None
    key: Expr | None


@frozen
class Agg(Expr):
    """`function`:
    count, total (0 if empty), highest, lowest (absent if empty) → one value;
    first, last, top (= last), bottom (= first), random → one item (maybe absent) or, with `number`, a list
    of up to so many: `top 5` and `last 5` from the end inwards, `random 2` drawn from chance;
    reverse, distinct → a list; subsets → a list of lists (only inside a fold).
    Absent items are skipped."""

    function: str
    number: Expr | None
    list: Expr


@frozen
class AggBy(Expr):
    """`highest of L by …`: an item (maybe absent), with `all` every one that is best; the first among equals.
    `order` or `key` of `var` as in `Sorted`."""

    all: bool
    function: Literal["highest", "lowest"]
    list: Expr
    order: str | None
    var: Var | None
    key: Expr | None


@frozen
class Whole(Expr):
    """`whole of x`: rounded down."""

    value: Expr


@frozen
class ReadRanking(Expr):
    """The best reading of some cards; absent if there is none. `beside`: a reading whose groups may be extended."""

    ranking: str
    cards: Expr
    beside: Expr | None


@frozen
class IsSet(Expr):
    """`card is Dragons`."""

    card: Expr
    set: str


@frozen
class IsReading(Expr):
    """`cards is Match`: all of them together make a rank."""

    cards: Expr
    ranking: str


@frozen
class IsEmpty(Expr):
    """Of a list, or of a single card that may be absent."""

    value: Expr


@frozen
class IsAbsent(Expr):
    """`x = nothing`, `claimer = nobody`."""

    value: Expr


@frozen
class Quantified(Expr):
    quantifier: Literal["any", "every", "no"]
    list: Expr
    var: Var
    condition: Expr


@frozen
class Compare(Expr):
    """`=`, `!=`, `<`, `>`, `<=`, `>=`. Both sides have one tag, kinds made equal. Lists compare item by item;
    lists of players as sets unless one is `ranked`. Readings compare by rank, then ties.
    Cards are equal if they are the same card, or the same face where one side is `named`."""

    operator: str
    left: Expr
    right: Expr


@frozen
class IsIn(Expr):
    value: Expr
    list: Expr


@frozen
class And(Expr):
    left: Expr
    right: Expr


@frozen
class Or(Expr):
    left: Expr
    right: Expr


@frozen
class Not(Expr):
    value: Expr


@frozen
class Arith(Expr):
    """`+ - *`, `/` by a constant or inside `Whole`. With something absent the result is absent.
    Unlimited minus something is unlimited."""

    operator: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


@frozen
class Cases(Expr):
    """The value of the first case whose condition holds; the last has None for a condition."""

    cases: tuple[tuple[Expr, Expr | None], ...]


@frozen
class FirstPossible(Expr):
    """The first list that is not empty, else an empty one; each with the words that answer "why not?"."""

    lists: tuple[tuple[Expr, str], ...]


@frozen
class Actor(Expr):
    """In a reaction: who made the announcement that is answered."""


@frozen
class Target(Expr):
    """In a reaction: what was announced on. The same for `shared` names: `name` is one, else None."""

    name: str | None


# ---------------------------------------------------------------- statements
@frozen(eq=False, repr=False)
class Place:
    """Where cards go. `of`: whose zone; `each`: to every player's in turn, one card at a time."""

    zone: str
    of: Expr | None
    each: bool = False


@frozen(eq=False, repr=False)
class Stmt:
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Move(Stmt):
    """`end`: top, under, or `lowest`/`highest` (sorted, that one on top). `what` is a list of cards."""

    verb: str
    what: Expr
    to: Place
    end: str


@frozen(eq=False, repr=False)
class Shuffle(Stmt):
    zone: Place


@frozen(eq=False, repr=False)
class ShufflePlayers(Stmt):
    """Chance sets the order of seats anew."""


@frozen(eq=False, repr=False)
class Reveal(Stmt):
    """Everybody (or one player) sees these cards; they stay where they are."""

    cards: Expr
    to: Expr | None


@frozen(eq=False, repr=False)
class SetTrack(Stmt):
    """`operator`: `=` set, `+` add, `-` subtract."""

    track: str
    of: Expr | None
    operator: Literal["=", "+", "-"]
    value: Expr


@frozen(eq=False, repr=False)
class Remember(Stmt):
    var: Var
    value: Expr


@frozen(eq=False, repr=False)
class Each(Stmt):
    """For each item of `list` (fixed at the start), from `start` on round to it again, where `condition` (tested
    again before each turn). A start that is not in the list: the next one in seat order that is.
    `together`: the body is one choice; all choose, then all bodies run in seat order."""

    list: Expr
    var: Var
    start: Expr | None
    condition: Expr | None
    together: bool
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Repeat(Stmt):
    until: Expr | None
    until_pass: bool
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class If(Stmt):
    condition: Expr
    then: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Do(Stmt):
    """`of`: the player of a `step your …`."""

    step: str
    of: Expr | None
    args: tuple[Expr, ...]


@frozen(eq=False, repr=False)
class DoBorne(Stmt):
    """The step `step` that `card` bears, done by `of`; nothing if the card bears none."""

    step: str
    card: Expr
    of: Expr


@frozen(eq=False, repr=False)
class Finish(Stmt):
    """End the innermost running step of that name; `game` ends the game."""

    step: str


@frozen(eq=False, repr=False)
class Eliminate(Stmt):
    player: Expr


@frozen(eq=False, repr=False)
class Domain:
    """What a choice chooses from: a list, or the whole numbers from `low` to `high`."""

    list: Expr | None
    low: Expr | None = None
    high: Expr | None = None


@frozen(eq=False, repr=False)
class Pick(Stmt):
    """`who` moves `low` to `high` cards (None: no bound; clipped to what is there) to `to`. `may`: or passes.
    `position`: None if the cards are chosen; top, bottom, first, last or random if only their number is:
    then `source` is the list they come from."""

    who: Expr
    may: bool
    verb: str
    low: Expr | None
    high: Expr | None
    source: Expr
    position: str | None
    to: Place


@frozen(eq=False, repr=False)
class Choose(Stmt):
    """`who` chooses a value, or with `low`/`high` several, bound to `var`. Nothing to choose, or passed (`may`):
    the body is skipped. Without a body `var` is known to the statements that follow in the block."""

    who: Expr
    may: bool
    several: bool
    low: Expr | None
    high: Expr | None
    var: Var
    domain: Domain
    provided: Expr | None
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Option:
    """`when`: conditions over the player asked and the binders. `costs`: amount and track of the player asked.
    `words` answer "why not?"."""

    name: str
    binders: tuple[tuple[Var, Domain], ...]
    when: tuple[Expr, ...]
    costs: tuple[tuple[Expr, str], ...]
    body: tuple[Stmt, ...]
    words: str
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Menu(Stmt):
    """`who` takes one option, or passes (`may`). No option open: skipped."""

    who: Expr
    may: bool
    options: tuple[Option, ...]


@frozen(eq=False, repr=False)
class Offer(Stmt):
    """Each player in turn is asked (as in `Each`); the first who takes an option ends it. `var` is who is asked.
    Nobody took one: `otherwise`."""

    list: Expr
    var: Var
    start: Expr | None
    condition: Expr | None
    options: tuple[Option, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Announce(Stmt):
    """See docs/language.md, "Announcements and reactions". `actor` is who announces. `shared`: names and values
    that reactions may read beside the target."""

    name: str
    actor: Expr
    target: Expr | None
    shared: tuple[tuple[str, Expr], ...]
    body: tuple[Stmt, ...]
    otherwise: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Cancel(Stmt):
    """In a reaction: the link it answers will not run its body."""


@frozen(eq=False, repr=False)
class Property(Stmt):
    """Must hold when it is reached; the simulator checks it, play does not."""

    condition: Expr


# ---------------------------------------------------------------- declarations
@frozen(eq=False, repr=False)
class Noun:
    singular: str
    plural: str


@frozen(eq=False, repr=False)
class Member:
    name: str
    code: str
    worth: int | None
    noun: Noun


@frozen(eq=False, repr=False)
class Kind:
    """`includes`: a kind whose members come first here, so that both can be compared."""

    name: str
    ordered: bool
    members: tuple[Member, ...]
    includes: str | None
    node: nodes.Kind = field(eq=False, repr=False)

    @property
    def numeric(self) -> bool:
        return all(m.name.isdigit() for m in self.members)


@frozen(eq=False, repr=False)
class Column:
    """A column of the cards. `values`: by face number; absent for cards that do not have it (None)."""

    name: str
    type: Type
    values: tuple[Any, ...]


@frozen(eq=False, repr=False)
class Face:
    """What `copies` equal cards show. Cards are numbered face by face; `first` is the first of these."""

    number: int
    set: str
    title: str
    code: str
    copies: int
    first: int
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class CardSet:
    name: str
    home: str
    node: nodes.Cards = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Zone:
    """`subject`: None (the table), `player`, or a kind. `viewer`: everyone, owner, others or nobody."""

    name: str
    subject: str | None
    single: bool
    viewer: str
    noun: Noun
    node: nodes.Zone = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Restart:
    """`step` names a step, or `move` (a card's mark, when the card changes zones). `own`: for that player only."""

    step: str
    own: bool


@frozen(eq=False, repr=False)
class Track:
    """`subject`: None, `player`, `card` or a kind. `start` is evaluated for `var` (the subject) or None for the table."""

    name: str
    subject: str | None
    type: Type
    var: Var | None
    start: Expr
    restarts: tuple[Restart, ...]
    secret: bool
    noun: Noun
    node: nodes.Track = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Define:
    """`subject`: None, `player`, `card`, `cards` (a list), a kind or a ranking; `var` stands for it in `value`."""

    name: str
    subject: str | None
    type: Type
    var: Var | None
    value: Expr
    noun: Noun
    node: nodes.Define = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class BorneDefine:
    """`bodies`: by face number, None where a card does not bear it. `var` is the card, `owner` its owner."""

    name: str
    type: Type
    bodies: tuple[BorneBody | None, ...]


@frozen(eq=False, repr=False)
class BorneBody:
    var: Var
    owner: Var
    value: Expr


@frozen(eq=False, repr=False)
class OrderLine:
    """`how`: those, best, worst, higher, lower, later, earlier. `layout`: for lists, `flat` (from the highest down)
    or `groups` (larger groups first). later and earlier: their value is only a name for the sheet (a place in the
    list that is compared, later is better)."""

    how: str
    value: Expr
    layout: str | None


@frozen(eq=False, repr=False)
class Order:
    """Best first: each line decides where those before it did not. `of`: card or player. `best` and `worst` are above
    and below all others and equal to each other: for them no later line counts."""

    name: str
    of: Type
    var: Var
    lines: tuple[OrderLine, ...]
    node: nodes.Order = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Trait:
    """`word`: one (all share the value), different, consecutive (by the order of the kind, no wrapping). `low`: this
    member (its place) counts below the first one here."""

    word: str
    attribute: str
    low: int | None


@frozen(eq=False, repr=False)
class Group:
    """`count` (`or_more`) cards of `set` with traits, each of which fulfils `condition` of `var`."""

    count: int
    or_more: bool
    set: str
    traits: tuple[Trait, ...]
    var: Var
    condition: Expr | None


@frozen(eq=False, repr=False)
class Pattern:
    """Groups of disjoint cards. Two groups that are both `of one X` have different X. `shared`: over all cards."""

    groups: tuple[Group, ...]
    shared: tuple[Trait, ...]


@frozen(eq=False, repr=False)
class Rank:
    title: str
    like: tuple[int, ...]
    patterns: tuple[Pattern, ...]
    node: nodes.Rank = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Wild:
    """Cards that fulfil `condition` of `var` may stand for any card of `sets`, or, if `attribute` is set, keep all but that attribute."""

    var: Var
    condition: Expr
    sets: tuple[str, ...]
    attribute: str | None


@frozen(eq=False, repr=False)
class Ranking:
    """`size`: a number of cards at most, `all` (every card must be used) or `groups` (best split; `least`: the
    attribute or definition of a card whose total among the cards left is made least). Ranks: best first. `ties` compare two readings of one
    rank (`var` is the reading)."""

    name: str
    size: int | str
    ranks: tuple[Rank, ...]
    wilds: tuple[Wild, ...]
    var: Var
    ties: tuple[OrderLine, ...]
    least_var: Var | None
    least: Expr | None
    node: nodes.Ranking = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Step:
    """`you`: the player of a `step your …`."""

    name: str
    you: Var | None
    params: tuple[Var, ...]
    body: tuple[Stmt, ...]
    node: nodes.Step = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class BorneStep:
    """`bodies`: by face number; `card` and `you` are bound in each."""

    name: str
    bodies: tuple[BorneStepBody | None, ...]


@frozen(eq=False, repr=False)
class BorneStepBody:
    card: Var
    you: Var
    body: tuple[Stmt, ...]


@frozen(eq=False, repr=False)
class Reaction:
    name: str
    to: tuple[str, ...]
    you: Var
    option: Option
    node: nodes.Reaction = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Enters:
    """Runs for each card that enters the zone, at once after the move. `you`: whose zone it is."""

    zone: str
    card: Var
    you: Var | None
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Whenever:
    """Runs when the condition turns from no to yes, after the statement that changed it."""

    condition: Expr
    body: tuple[Stmt, ...]
    span: Span = field(eq=False, repr=False)


# ---------------------------------------------------------------- examples
@frozen(eq=False, repr=False)
class GivenTrack:
    track: str
    of: int | None
    value: Expr
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class GivenZone:
    """`faces`: from the bottom up."""

    zone: str
    of: int | None
    faces: tuple[int, ...]
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Given:
    """The facts of a `given` block, together."""

    facts: tuple[GivenTrack | GivenZone, ...]
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Doing:
    statement: Do
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Answer:
    """`player`: seat. `moves`: as printed, sets of cards in one (`discard [9G 7A]`)."""

    player: int
    moves: tuple[tuple[str, Span], ...]
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class Expecting:
    condition: Expr
    span: Span = field(eq=False, repr=False)


@frozen(eq=False, repr=False)
class ExpectingMoves:
    player: int
    negated: bool
    moves: tuple[tuple[str, Span], ...]
    because: str | None
    span: Span = field(eq=False, repr=False)


ExampleLine = Given | Doing | Answer | Expecting | ExpectingMoves


@frozen(eq=False, repr=False)
class Example:
    title: str
    players: tuple[str, ...]
    lines: tuple[ExampleLine, ...]
    node: nodes.Example = field(eq=False, repr=False)
    home: list[Game] = field(factory=list, eq=False, repr=False, init=False)
    """The game that it belongs to, put in by the game."""

    def run(self) -> Any:
        """Plays it: an `interpreter.examples.Outcome` with `passed`, `message`, `expected`, `found` and `span`."""
        from interpreter.examples import run_example

        return run_example(self.home[0], self)


# ---------------------------------------------------------------- the game
@frozen(eq=False, repr=False)
class Variant:
    title: str
    doc: str


@frozen(eq=False, repr=False)
class Game:
    """A checked game file, its libraries and at most one variant in one. Raised faults: see `cardlang.load`."""

    title: str
    seats: tuple[int, ...]
    doc: str
    variant: str | None
    variants: tuple[Variant, ...]
    kinds: dict[str, Kind]
    sets: dict[str, CardSet]
    faces: tuple[Face, ...]
    columns: dict[str, Column]
    zones: dict[str, Zone]
    tracks: dict[str, Track]
    defines: dict[str, Define]
    borne_defines: dict[str, BorneDefine]
    orders: dict[str, Order]
    rankings: dict[str, Ranking]
    steps: dict[str, Step]
    borne_steps: dict[str, BorneStep]
    reactions: tuple[Reaction, ...]
    enters: tuple[Enters, ...]
    whenevers: tuple[Whenever, ...]
    examples: tuple[Example, ...]
    files: tuple[nodes.File, ...] = field(eq=False, repr=False)
    items: tuple[nodes.Item, ...] = field(eq=False, repr=False)
    warnings: tuple[Diagnostic, ...] = field(eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        for example in self.examples:
            example.home[:] = [self]

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return sum(face.copies for face in self.faces)

    def start(self, players: int | list[str] | None = None, seed: int = 0) -> Any:
        """A match (`interpreter.match.Match`). `players`: a count or a list of names; the fewest if None.
        Raises ValueError for a number of players that the game does not take."""
        from interpreter.match import start

        return start(self, players, seed)

    def evaluate(self, define: str, *, given: str = "", **zones: str) -> Any:
        """Any definition of a player, set up as in an example: `evaluate("strength", hand="8p 8d", given="tall [Tp]")`.
        Zones are those of the first player. Returns a number, a text, or a `Reading`."""
        from interpreter.match import evaluate

        return evaluate(self, define, given, zones)
