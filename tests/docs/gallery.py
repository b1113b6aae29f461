"""Figures of the gallery, counted from the game files. `python -m tests.docs` updates the page."""

import re

import cardlang
from cardlang.cli.match_options import format_player_counts
from tests.docs.documents import ROOT

ROW = re.compile(
    r"(?P<start>\| \[)[^]]+\]\(\.\./(?P<path>games/\S+\.cardgame)(?P<family>\) \| [^|]+ \| )"
    r"[^|]+ \| \d+ \| \d+ \| \d+ \|"
)
LIBRARY_ROW = re.compile(r"\| `(?P<name>[\w-]+)` \| \d+ \|")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
APART = re.compile(r"\s*(ruling|example)\b")
USE = re.compile(r"^use ([\w-]+)", re.MULTILINE)
PAGE = ROOT / "docs" / "gallery.md"
LIBRARY = ROOT / "cardlang" / "library"


def games(page: str) -> set[str]:
    """Return the files that have a row."""
    return {match["path"] for match in ROW.finditer(page)}


def libraries(page: str) -> set[str]:
    return {match["name"] for match in LIBRARY_ROW.finditer(page)}


def update_figures(page: str) -> str:
    """Return the page with current figures."""
    counts = library_words()
    page = LIBRARY_ROW.sub(lambda row: f"| `{row['name']}` | {counts[row['name']]} |", page)
    return ROW.sub(lambda row: build_row(row["start"], row["path"], row["family"]), page)


def build_row(start: str, path: str, family: str) -> str:
    """Return the row of a game: title, players, words with and without its libraries, and examples."""
    text, game = (ROOT / path).read_text("utf-8"), cardlang.load(ROOT / path)
    players = format_player_counts(game).split(" player")[0]
    own, counts = count_words(text), library_words()
    together = own + sum(counts[name] for name in find_used_libraries(text))
    return f"{start}{game.title}](../{path}{family}{players} | {own} | {together} | {len(game.examples)} |"


def library_words() -> dict[str, int]:
    return {path.stem: count_words(path.read_text("utf-8")) for path in sorted(LIBRARY.glob("*.cardgame"))}


def find_used_libraries(text: str) -> set[str]:
    """Return the libraries that a file uses, directly or indirectly."""
    names = set(USE.findall(text))
    return names.union(*(find_used_libraries((LIBRARY / f"{name}.cardgame").read_text("utf-8")) for name in names))


def count_words(text: str) -> int:
    """Count the words and signs of the rules, without texts, comments, rulings and examples."""
    count, apart = 0, None
    for line in text.splitlines():
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if apart is not None and depth > apart:
            continue
        apart = depth if APART.match(line) else None
        if apart is None:
            count += len(TEXT.sub("", line).partition("#")[0].split())
    return count
