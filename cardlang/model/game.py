"""Classes of a game, its variants and examples, and protocols of the interpreter.

The protocols describe the interpreter as games see it, and the wording of rules as the interpreter sees it. Both are
imported by name on first use, so neither half imports the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Generic, Protocol, TypeVar, cast

from attrs import field, frozen

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.model.declarations import BorneDefine, CardSet, Column, Define, Face, Kind, Order, Ranking, Track, Zone
from cardlang.model.expressions import Expr
from cardlang.model.field_constraints import NOT_SERIALIZED, OneOf
from cardlang.model.statements import BorneStep, Do, Enters, Note, Reaction, Ruling, Step, Whenever
from cardlang.model.types import DeclarationName, DefineName, FaceNumber, Origin, TrackName, ZoneForm, ZoneName
from cardlang.tree import FrozenClass


class DecisionProtocol(Protocol):
    """Decision of a player. `moves` are the legal moves; `str` of a move is its text."""

    @property
    def player(self) -> str: ...
    @property
    def prompt(self) -> str: ...
    @property
    def moves(self) -> Sequence[object]: ...


class MatchProtocol(Protocol):
    """Match, as its users see it. `interpreter.match.match.Match` implements it."""

    @property
    def players(self) -> tuple[str, ...]: ...
    @property
    def over(self) -> bool: ...
    @property
    def decision(self) -> DecisionProtocol | None: ...
    @property
    def log(self) -> Sequence[object]: ...
    @property
    def scores(self) -> list[int | Fraction | None]: ...
    @property
    def winners(self) -> list[str]: ...
    @property
    def places(self) -> list[int]: ...

    def choose(self, move: Any, /) -> None: ...
    def why_not(self, move: str, /) -> str | None: ...
    def view(self, player: int | str | None = None) -> Any: ...
    def sample(self, player: int | str, seed: int) -> MatchProtocol: ...
    def clone(self) -> MatchProtocol: ...
    def save(self, path: str | Path) -> None: ...
    def record(self, path: str | Path) -> None: ...
    def close(self) -> None: ...


class Interpreter(Protocol):
    """Interpreter, which plays games."""

    def start(self, game: Game, players: int | list[str] | None, seed: int | None) -> MatchProtocol: ...
    def evaluate(self, game: Game, define: str, given: str, zones: dict[str, str]) -> Any: ...
    def run_example(self, game: Game, example: Example) -> Outcome: ...


class RuleWording(Protocol):
    """Wording of rules in sentences.

    `called` maps variable IDs to words such as `you` or a player's name. Other variables keep their names from the
    rules."""

    def describe_failed_condition(self, game: Game, expr: Expr, variable_names: Mapping[int, str]) -> str: ...
    def describe_list_expression(self, game: Game, items: Expr, variable_names: Mapping[int, str]) -> str: ...


ServiceType = TypeVar("ServiceType")


class LazyModule(Generic[ServiceType]):
    """Module of a higher layer, imported on first use. A protocol describes its functions."""

    def __init__(self, name: str) -> None:
        self.name = name

    def get(self) -> ServiceType:
        return cast(ServiceType, import_module(self.name))


interpreter_module = LazyModule[Interpreter]("interpreter.entry_points")
wording_module = LazyModule[RuleWording]("cardlang.rulebook.condition_and_text_wording")


class GivenTrack(FrozenClass):
    """A value of a track in an example. `of`: its owner; `second`: the member of its second owner."""

    track: TrackName
    of: int | None
    value: Expr
    span: Span = field(eq=False, repr=False)
    second: int | None = None


class GivenZone(FrozenClass):
    """Cards of a zone in an example. `faces`: from the bottom up. `second`: the member of its second owner."""

    zone: ZoneName
    of: int | None
    faces: tuple[FaceNumber, ...]
    span: Span = field(eq=False, repr=False)
    second: int | None = None


class Given(FrozenClass):
    """The facts of a `given` block, together. `rows`: the number of facts in each line."""

    facts: tuple[GivenTrack | GivenZone, ...]
    span: Span = field(eq=False, repr=False)
    rows: tuple[int, ...] = ()


class Doing(FrozenClass):
    statement: Do
    span: Span = field(eq=False, repr=False)


class Answer(FrozenClass):
    """Moves of a player in an example. `player`: seat.

    `moves`: as printed, sets of cards as one move (`discard [9G 7A]`).
    """

    player: int
    moves: tuple[tuple[str, Span], ...]
    span: Span = field(eq=False, repr=False)


class Expecting(FrozenClass):
    condition: Expr
    span: Span = field(eq=False, repr=False)


class ExpectingMoves(FrozenClass):
    player: int
    negated: bool
    moves: tuple[tuple[str, Span], ...]
    because: str | None
    span: Span = field(eq=False, repr=False)


ExampleLine = Given | Doing | Answer | Expecting | ExpectingMoves | Note


@frozen
class Outcome:
    """Result of an example."""

    title: str
    """Title of the example."""
    passed: bool
    """True if it passed."""
    message: str = ""
    """Reason for the failure, in a sentence."""
    span: Span | None = field(default=None, repr=False)
    """Place of the failure."""
    expected: str = ""
    """Expected value, if the example compares two values."""
    found: str = ""
    """Actual value."""


class Example(FrozenClass):
    """Test in a game file: a position, moves, and their results."""

    title: str
    """Title of the example."""
    players: tuple[str, ...]
    """Names of its players."""
    lines: tuple[ExampleLine, ...]
    origin: Origin = field(eq=False, repr=False)
    ruling: Ruling | None = None
    """The ruling that it belongs to."""
    game: Game | None = field(default=None, eq=False, repr=False, metadata=NOT_SERIALIZED)
    """Game that the example belongs to; None until it is one of a game's examples."""

    def run(self) -> Outcome:
        """Run the example.

        Returns:
            Whether it passed, and if not, what it expected and found.

        Raises:
            ValueError: The example belongs to no game.

        Examples:
            >>> game = cardlang.load("hearts")
            >>> all(example.run().passed for example in game.examples)
            True
        """
        if self.game is None:
            raise ValueError(f"The example “{self.title}” belongs to no game.")
        return interpreter_module.get().run_example(self.game, self)


def raise_unloaded_variant() -> Game:
    raise ValueError("This variant was read without its game.")


class Variant(FrozenClass):
    """Variant of a game. `make` loads the game in it."""

    title: str
    doc: str
    make: Callable[[], Game] = field(default=raise_unloaded_variant, eq=False, repr=False, metadata=NOT_SERIALIZED)

    @cached_property
    def game(self) -> Game:
        """Game in this variant."""
        return self.make()


class About(FrozenClass):
    """Age or duration of the game: `ages 12`, `minutes 20 to 45`."""

    word: str
    low: int
    high: int | None


ROLE_OWNERS: dict[str, str | None] = {"pot": None, "call-price": "player", "winnable": "player"}
"""Roles of numbers, with the owner that the number must have."""
OPTION_ROLES = ("fold",)


@frozen(repr=False)
class Role:
    """Use of a number or an option by bots and screens.

    - `pot`: the amount in the pot; `call-price`: what a call costs a player, or nothing
    - `winnable`: the part of the pot that a player can win; without it, all of the pot
    - `fold`: the option to give up a hand
    """

    role: Annotated[str, OneOf(*ROLE_OWNERS, *OPTION_ROLES)]
    name: DeclarationName


class Show(FrozenClass):
    """Display hint for screens: a zone, a track or a definition that players want to see.

    It belongs to the table, to each player, to each member of a kind or (a definition) to the selected card.

    `form`: the arrangement of a zone, if given. A grid has `columns`, or two tracks of a card give its row and column:
    `cells`. `beside`: the zone of the table that it goes next to.
    """

    zone: ZoneName | None
    track: TrackName | None
    define: DefineName | None
    form: ZoneForm | None
    columns: int
    beside: ZoneName | None
    doc: str
    origin: Origin = field(eq=False, repr=False)
    cells: tuple[TrackName, ...] = ()

    @property
    def name(self) -> str:
        return str(self.zone or self.track or self.define)


class Component(FrozenClass):
    """Another component in the box."""

    count: int
    title: str
    doc: str
    origin: Origin = field(eq=False, repr=False)


class Translation(FrozenClass):
    """Translation of a game.

    `original`: the game in its own words. `texts`: translations by text. `table`: the CSV file that they come from.
    """

    original: Game
    texts: Mapping[str, str]
    table: str


class Game(FrozenClass):
    """Checked game with its libraries, in at most one variant.

    Two games are equal if they mean the same in the same words, whatever their files are called.
    """

    title: str
    """Title of the game."""
    seats: tuple[int, ...]
    """Player counts that the game allows."""
    doc: str
    """Text after the title."""
    variant: str | None
    """Title of the variant, or None."""
    variants: tuple[Variant, ...]
    """Variants in the file."""
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
    """Examples of the file."""
    about: tuple[About, ...]
    components: tuple[Component, ...]
    shows: tuple[Show, ...]
    notes: tuple[Note, ...]
    rulings: tuple[Ruling, ...]
    sources: tuple[Source, ...] = field(eq=False, repr=False)
    """Text of the game, then of its libraries."""
    warnings: tuple[Diagnostic, ...] = field(eq=False, repr=False)
    """Warnings of the check."""
    spoken: tuple[Expr, ...] = field(default=(), eq=False, repr=False, metadata=NOT_SERIALIZED)
    """Values in the texts of the game."""
    roles: tuple[Role, ...] = ()
    legacy: bool = False
    """True if it follows the rules of records of formats 1 and 2."""
    translation: Translation | None = field(default=None, eq=False, repr=False, metadata=NOT_SERIALIZED)
    """Translation of its texts, or None."""

    def __attrs_post_init__(self) -> None:
        """Copy the examples, so that each game has its own. A copy made by `replace` leaves the original's examples
        unchanged."""
        own = tuple(example.replace(game=self.untranslated) for example in self.examples)
        object.__setattr__(self, "examples", own)

    def json(self) -> bytes:
        """Return everything the game means as JSON, for `cardlang.from_json`.

        Returns:
            One line of JSON; the same bytes for equal games. `docs/game.schema.json` describes it.
        """
        return self._json

    @cached_property
    def _json(self) -> bytes:
        from cardlang.model.game_json import to_json

        return to_json(self)

    @cached_property
    def _json_without_names(self) -> bytes:
        from cardlang.model.game_json import to_json

        return to_json(self, with_source_names=False)

    def __reduce__(self) -> tuple[Callable[[bytes], Game], tuple[bytes]]:
        from cardlang.model.game_json import compress_game, decompress_game

        return decompress_game, (compress_game(self),)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (hash(self) == hash(other) and self._json_without_names == other._json_without_names)

    def __hash__(self) -> int:
        return hash((self.title, self.variant, self.seats, tuple(self.steps)))

    @property
    def untranslated(self) -> Game:
        """The game in its author's own words."""
        return self if self.translation is None else self.translation.original

    @property
    def cards(self) -> int:
        """Number of cards."""
        return sum(face.copies for face in self.faces)

    def start(self, players: int | list[str] | None = None, seed: int | None = None) -> MatchProtocol:
        """Start a match.

        Args:
            players: A player count, or the names in seat order; the fewest players if None.
            seed: Random seed, an integer of at most 1,024 bits. If None, a random one that no one can guess.

        Returns:
            The match, at its first decision.

        Raises:
            TypeError: The players or the seed have the wrong type.
            ValueError: The game does not allow these players, or the seed is too large.
            RuleError: The set-up fails.

        Examples:
            >>> match = cardlang.load("kuhn_poker").start(["Ann", "Bob"], seed=7)
            >>> match.decision.player
            'Ann'
        """
        return interpreter_module.get().start(self, players, seed)

    def evaluate(self, define: str, *, given: str = "", **zones: str) -> Any:
        """Evaluate a definition for the first player, in a position set up as in an example.

        Args:
            define: Name of a definition of the table or of a player.
            given: Rest of the position, such as `"tall [Tp], claimer Ann"`.
            **zones: Cards in the zones of the first player, such as `hand="8p 8d"`.

        Returns:
            A number, a flag, a name, or a hand reading with its `title`.

        Raises:
            ValueError: The game has no such definition, zone or card.

        Examples:
            >>> game = cardlang.load("tall_card")
            >>> game.evaluate("strength", hand="8p 8d 8p 4d 3b", given="tall [Tp], claimer Ann").title
            '3 Pretty Sisters'
        """
        return interpreter_module.get().evaluate(self, define, given, zones)


GAME_CACHE_SIZE = 64
"""Cache size of each kind of derived data (least recently used)."""


class IdentityKey:
    """Identity key of a game. An equal game may come from other files, which messages name."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and self.game is other.game

    def __hash__(self) -> int:
        return id(self.game)
