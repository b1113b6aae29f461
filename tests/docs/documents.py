"""Fenced blocks of the documents, and their meaning for tests (see CONTRIBUTING.md)."""

import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from attrs import evolve, field, frozen
from click.testing import CliRunner

import cardlang
from cardlang.cli.main import cli
from cardlang.diagnostics import Source
from cardlang.semantics.layer_merging import get_item_key
from cardlang.syntax import ast as n
from cardlang.syntax.parser import parse_file

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(?P<info>\w[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
LEFT_OUT = ("left", "out")
COMMENTS = re.compile(r"(^#[^\n]*\n)+\Z", re.MULTILINE)
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@frozen
class Block:
    """A fenced block. `language` and `words`: what stands after the opening fence."""

    document: str
    line: int
    language: str
    words: tuple[str, ...]
    text: str = field(repr=False)

    @property
    def is_whole(self) -> bool:
        """Return whether a block is a complete file, not a part of the game before it."""
        return re.match(r"(game|library) ", self.text) is not None


def blocks(document: str) -> list[Block]:
    return find_blocks((ROOT / document).read_text("utf-8"), document)


def find_blocks(text: str, document: str) -> list[Block]:
    """Return the blocks of a document, or of a part of it. Lines count from the start of the text."""
    found = []
    for match in FENCE.finditer(text):
        language, *words = match["info"].split()
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(document, line, language, tuple(words), match["text"]))
    return found


def anchors(document: str) -> list[str]:
    """Return the anchors of the headings of a document."""
    text = FENCE.sub("", (ROOT / document).read_text("utf-8"))
    return [anchor(title) for title in HEADING.findall(text)]


def anchor(title: str) -> str:
    """Return what links to a heading are called."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


# ---------------------------------------------------------------- parts of games
@frozen
class Part:
    """An item with the comments above it and the line ends behind it. `sort`: its class; the header's is empty."""

    sort: str
    name: tuple[str, str] | None
    comment: str
    text: str
    gap: str

    @property
    def is_line(self) -> bool:
        return "\n" not in self.text


def change_game(game: str, block: Block) -> str:
    """Return a game with the items of a block in place of those of the same name, or after the last of their class.

    Words of the block change that: `without NAME` leaves an item out, and the first item of its class takes its place;
    `replacing LINE | LINE` puts the block in place of these lines.
    """
    if block.is_whole:
        return block.text
    if "replacing" in block.words:
        return replace_lines(game, after(block, "replacing").split(" | "), block.text)
    kept = parts(game)
    if "without" in block.words:
        left_out = after(block, "without")
        place = next(at for at, part in enumerate(kept) if part.name and part.name[1] == left_out)
        kept[place] = evolve(kept[place], name=LEFT_OUT)
    for part in parts(block.text):
        put_part(kept, part)
    return "".join(part.comment + part.text + part.gap for part in kept if part.name != LEFT_OUT).rstrip() + "\n"


def after(block: Block, word: str) -> str:
    """Return the words of a block's fence after a word."""
    return " ".join(block.words[block.words.index(word) + 1 :])


def replace_lines(game: str, old: list[str], text: str) -> str:
    """Return a game with a text in place of the only lines, one after another, that read like these."""
    lines = game.splitlines(keepends=True)
    stripped = [line.strip() for line in lines]
    (place,) = [at for at in range(len(lines)) if stripped[at : at + len(old)] == old]
    return "".join([*lines[:place], text, *lines[place + len(old) :]])


def put_part(kept: list[Part], part: Part) -> None:
    same = [at for at, other in enumerate(kept) if part.name is not None and other.name == part.name]
    same += [at for at, other in enumerate(kept) if other.name == LEFT_OUT and other.sort == part.sort]
    if same:
        old = kept[same[0]]
        kept[same[0]] = evolve(part, comment=part.comment or old.comment, gap=old.gap)
        return
    behind = [at for at, other in enumerate(kept) if other.sort == part.sort]
    at = behind[-1] if behind else len(kept) - 1
    before = kept[at]
    close = bool(behind) and before.is_line and part.is_line
    kept[at] = evolve(before, gap="\n" if close else "\n\n")
    kept.insert(at + 1, evolve(part, gap=before.gap))


def parts(text: str) -> list[Part]:
    """Return the header of a text, if it has one, and its items."""
    file, found = parse_file(Source("block", text))
    assert not found, found
    starts = [item.span.start for item in file.items]
    comments = [COMMENTS.search(text, 0, start) for start in starts]
    begins = [match.start() if match else start for match, start in zip(comments, starts, strict=True)]
    ends = [*begins, len(text)][1:]
    head = text[: begins[0]] if begins else text
    result = [part("", None, "", head)] if head.strip() else []
    for item, begin, start, end in zip(file.items, begins, starts, ends, strict=True):
        result.append(part(type(item).__name__, name(item), text[begin:start], text[start:end]))
    return result


def part(sort: str, named: tuple[str, str] | None, comment: str, text: str) -> Part:
    stripped = text.rstrip()
    return Part(sort, named, comment, stripped, text[len(stripped) :] or "\n")


def name(item: n.Item) -> tuple[str, str] | None:
    if isinstance(item, n.Example | n.Variant):
        return type(item).__name__, item.title.text
    if isinstance(item, n.Use):
        return "use", item.name.text
    return get_item_key(item)


# ---------------------------------------------------------------- running
def play_at_random(game: cardlang.Game, seed: int, decisions: int = 200) -> None:
    """Play random moves to the end, or this number of them. Errors of rules are raised."""
    from interpreter.bots.bot_players import RandomPlayer

    match, player = game.start(seed=seed), RandomPlayer(seed)
    for _ in range(decisions):
        if match.over:
            break
        match.choose(player.choose(match))


def failures(game: cardlang.Game) -> list[str]:
    """Return the messages of failing examples."""
    from interpreter.match.example_runner import run_example

    outcomes = [run_example(game, example) for example in game.examples]
    return [f"{outcome.title}: {outcome.message}" for outcome in outcomes if not outcome.passed]


def check_console(block: Block) -> None:
    """Run the commands of a block in the working folder and compare their output."""
    for command, expected in commands(block.text):
        if command[0] != "cardlang":
            continue
        result = CliRunner().invoke(cli, command[1:], prog_name="cardlang", catch_exceptions=False)
        fits = fits_pattern(result.output, expected)
        assert fits, f"{block.document}:{block.line}: $ {shlex.join(command)}\n{result.output}"


def commands(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield the commands of a console block with their expected output."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield shlex.split(command), output


def fits_pattern(output: str, expected: str) -> bool:
    """Return whether the output is as expected. `…` matches anything, even lines. If empty, all matches."""
    if not expected.strip():
        return True
    pattern = re.sub(r"^…\n|…", "*", expected.strip() + "\n", flags=re.MULTILINE)
    plain = re.sub(r"[\[?]", lambda sign: f"[{sign[0]}]", pattern)
    return fnmatchcase(output.strip() + "\n", plain)
