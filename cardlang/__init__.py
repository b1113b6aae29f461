"""Load, check, play and print card games that are written in plain English."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardlang import playing
from cardlang.source import Diagnostic, GameError, Source

if TYPE_CHECKING:
    from cardlang import nodes
    from cardlang.adapters.vector import VectorEnv
    from cardlang.game import Game
    from cardlang.playing import Interpreter, Wording
    from interpreter.matches.match import Match

__all__ = ["Diagnostic", "Game", "GameError", "from_json", "load", "loads", "resume", "shipped", "vector"]

PACKAGE = Path(__file__).parent
LIBRARY = PACKAGE / "library"


def __getattr__(name: str) -> Any:
    if name == "Game":
        from cardlang.game import Game

        return Game
    raise AttributeError(f"module 'cardlang' has no attribute '{name}'")


def load(path: str | Path, variant: str | None = None, examples: str | Path | None = None) -> Game:
    """Load and check a game file.

    Args:
        path: A `.cardgame` file, with or without its ending, or the name of a bundled game.
        variant: Title of the variant to load.
        examples: File of further examples to add.

    Returns:
        The checked game. Warnings are in its `warnings`.

    Raises:
        GameError: The file has errors; they are in `diagnostics`.
        OSError: The file cannot be read.

    Examples:
        >>> game = cardlang.load("hearts")
        >>> game.title
        'Hearts'
    """
    from cardlang.limits import read_source

    file = find(path)
    more = None if examples is None else read_source(Path(examples), str(examples))
    return check(read_source(file, str(path)), file.parent, variant, more)


def loads(
    text: str, name: str = "<text>", variant: str | None = None, libraries: Mapping[str, str] | None = None
) -> Game:
    """Check a game given as text.

    Args:
        text: The game, as in a `.cardgame` file.
        name: Name of the text in messages.
        variant: Title of the variant to load.
        libraries: Texts that replace the libraries of these names.

    Returns:
        The checked game.

    Raises:
        GameError: The text has errors; they are in `diagnostics`.

    Examples:
        >>> try:
        ...     cardlang.loads('game "War" for 2 players')
        ... except cardlang.GameError as error:
        ...     print(error.diagnostics[0].code)
        E216
    """
    return check(Source(name, text), None, variant, texts=libraries)


def from_json(data: bytes | str) -> Game:
    """Load a game from the JSON that `Game.json` returns.

    Args:
        data: The JSON.

    Returns:
        A game equal to the original.

    Raises:
        ValueError: The data is not such JSON. The message has the path to the error.

    Examples:
        >>> game = cardlang.load("hearts")
        >>> cardlang.from_json(game.json()) == game
        True
    """
    from cardlang.game.game_json import from_json as read

    return read(data)


def resume(path: str | Path, until: int | None = None) -> Match:
    """Resume the match of a record.

    A last line that is incomplete is dropped with a warning.

    Args:
        path: The record.
        until: Number of choices and undos to replay; all if None.

    Returns:
        The match after its last choice.

    Raises:
        RecordError: The record was altered, or is no record.
        OSError: The file cannot be read.
    """
    from interpreter.matches.record import resumed

    return resumed(Path(path), until, loads)


def vector(
    game: Game | str | Path,
    n: int,
    players: int | None = None,
    seed: int = 1,
    *,
    engine: str = "auto",
    longest: int = 100_000,
    **settings: Any,
) -> VectorEnv:
    """Play many matches of a game in parallel over NumPy arrays.

    Args:
        game: A game, a file, or the name of a bundled game.
        n: Number of matches.
        players: Player count; the fewest if None.
        seed: Random seed of the first match, at least 0. The next match adds 1.
        engine: `native` (compiled C), `python`, or `auto` for the first that works. Both play the same matches.
        longest: Move limit: decisions in a match before it is truncated.
        **settings: `variant`, `results` and `largest_number`, as in `cardlang.adapters.setting.table`.

    Returns:
        An environment like the vector environments of Gymnasium.

    Raises:
        ImportError: NumPy is not installed.
        GameError: The file has errors.
        ValueError: A number is out of range, or the matches need more memory than there is.
        AdapterError: The game has no such form.

    Examples:
        >>> env = cardlang.vector("hearts", 64, players=4)
        >>> observations, infos = env.reset()
        >>> observations.shape == (64, env.observation_size)
        True
    """
    from cardlang.adapters.setting import table
    from cardlang.adapters.vector import VectorEnv, rows_of

    return VectorEnv(rows_of(table(game, players, **settings), n, engine, longest), seed)


def interpreter() -> Interpreter:
    """Return the interpreter. It is imported on first use."""
    from interpreter import playing

    return playing


def wording() -> Wording:
    """Return the module that explains rules in sentences. It is imported on first use."""
    from cardlang.rulesheet import wording

    return wording


playing.interpreter.find = interpreter
playing.wording.find = wording


# ---------------------------------------------------------------- files
def games_directory() -> Path:
    """Return the folder of the bundled games: inside an installed package, or next to it in a checkout."""
    inside = PACKAGE / "games"
    return inside if inside.is_dir() else PACKAGE.parent / "games"


def shipped() -> dict[str, Path]:
    """Return the bundled games.

    Returns:
        The file of each game by its name.

    Examples:
        >>> cardlang.shipped()["hearts"].name
        'hearts.cardgame'
    """
    directory = games_directory()
    files = [*sorted(directory.glob("*.cardgame")), *sorted((directory / "classics").glob("*.cardgame"))]
    return {file.stem: file for file in files}


def libraries() -> dict[str, Path]:
    """Return the bundled libraries by name."""
    return {file.stem: file for file in sorted(LIBRARY.glob("*.cardgame"))}


def find(path: str | Path) -> Path:
    """Return the file at a path, with or without its ending, or else the bundled game of that name."""
    file, ended = Path(path), Path(f"{path}.cardgame")
    if ended.is_file() and not file.is_file():
        return ended
    if file.exists() or file.name != str(path):
        return file
    return shipped().get(file.name.removesuffix(".cardgame"), file)


# ---------------------------------------------------------------- checking
def check(
    source: Source,
    directory: Path | None,
    variant: str | None,
    examples: Source | None = None,
    texts: Mapping[str, str] | None = None,
) -> Game:
    from attrs import evolve

    from cardlang.cascades import first_causes, unreadable_causes
    from cardlang.checks import check_game
    from cardlang.limits import in_short
    from cardlang.resolve import resolve

    file, found = parse(source)
    if examples is not None:
        further, more = parse(examples)
        file = evolve(file, items=file.items + further.items, broken=file.broken | further.broken)
        found += more
    found = unreadable_causes(found)
    libraries = Libraries(directory, texts or {})
    game, more = resolve(file, libraries.find, variant, say)
    found += libraries.found
    found += first_causes(more, found)
    if game is not None and all(finding.warning for finding in found):
        found += check_game(game)
    found.sort(key=lambda finding: (finding.span.source is not file.span.source, finding.span.start))
    found = in_short(found)
    if game is None or any(not finding.warning for finding in found):
        raise GameError(found)
    return evolve(game, warnings=tuple(found))


def say(game: Game) -> Game:
    """Return the game with values inserted into its texts. The module for English is imported only if it is needed."""
    from cardlang.rulesheet.texts import said

    return said(game)


def parse(source: Source) -> tuple[nodes.File, list[Diagnostic]]:
    """Parse a source. Return its AST and its errors."""
    file, found = parsed(source.name, source.text)
    return file, list(found)


@lru_cache(maxsize=16)
def parsed(name: str, text: str) -> tuple[nodes.File, tuple[Diagnostic, ...]]:
    """Parse a source with two caches.

    The cache in memory serves the variants of a game, which load it again. The cache on disk serves later runs, with
    items of files without errors."""
    from cardlang.reading import kept_items

    source = Source(name, text)
    known = kept_items.find(source)
    if not isinstance(known, kept_items.KeptItems):
        return known, ()
    from cardlang.reading.parser import parse_file

    file, found = parse_file(source, known)
    known.keep(whole=not found)
    return file, tuple(found)


def is_current(game: Game, path: str | Path) -> bool:
    """Return whether the files of a game loaded from a path, libraries included, still have the same content."""
    from cardlang.limits import read_source

    file = find(path)
    own, *others = game.sources
    libraries = Libraries(file.parent, {})
    now = [read_source(file, own.name), *(libraries.source(each.name.removesuffix(".cardgame")) for each in others)]
    return all(each is not None and each.text == old.text for each, old in zip(now, game.sources, strict=True))


class Libraries:
    """Finder of libraries: in the game's folder, then in the package. It collects their errors."""

    def __init__(self, directory: Path | None, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.directories = [LIBRARY] if directory is None else [directory, LIBRARY]
        self.found: list[Diagnostic] = []

    def source(self, name: str) -> Source | None:
        """Return the source of a library, or None if there is no library of that name."""
        from cardlang.limits import read_source

        if name in self.texts:
            return Source(f"{name}.cardgame", self.texts[name])
        for directory in self.directories:
            path = directory / f"{name}.cardgame"
            if path.exists() and not path.is_dir():
                return read_source(path, path.name)
        return None

    def find(self, name: str) -> nodes.File | None:
        source = self.source(name)
        if source is None:
            return None
        file, found = parse(source)
        self.found += found
        return file
