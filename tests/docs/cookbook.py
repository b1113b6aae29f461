"""Entries of the cookbook, and the game they change. `python -m tests.docs` writes the list of entries."""

import re
from collections.abc import Iterator

from attrs import field, frozen

from tests.docs.documents import ROOT, Block, anchor, find_blocks, parts

DOCUMENT = "docs/cookbook.md"
PAGE = ROOT / DOCUMENT
CAMPFIRE = (ROOT / "docs" / "examples" / "campfire.cardgame").read_text("utf-8")
SPLIT = {level: re.compile(rf"^(?={level} )", re.MULTILINE) for level in ("##", "###")}
CONTENTS = re.compile(r"(?<=<!-- contents -->\n).*?(?=<!-- end -->)", re.DOTALL)


@frozen
class Entry:
    """An entry of the cookbook. `game`: what its blocks are pasted into."""

    title: str
    text: str = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False)
    game: str = field(repr=False)

    @property
    def result(self) -> str:
        """Return the game with all blocks of the entry."""
        game = self.game
        for block in self.blocks:
            game = paste_block(game, block)
        return game


def entries(page: str) -> Iterator[Entry]:
    """Read the entries. Blocks marked `base` stay in the game for the other entries of their section."""
    for section in SPLIT["##"].split(page)[1:]:
        game = CAMPFIRE
        for text in SPLIT["###"].split(section)[1:]:
            found = tuple(block for block in find_blocks(text, DOCUMENT) if block.language == "cardgame")
            yield Entry(text.splitlines()[0].removeprefix("### "), text, found, game)
            for block in found:
                if "base" in block.words:
                    game = paste_block(game, block)


def paste_block(game: str, block: Block) -> str:
    """Return the game with a block at its end and without what has the same name above, as a reader makes it."""
    head, *others = parts(game)
    new = parts(block.text)
    if block.is_whole:
        head = new.pop(0)
    names = {part.name for part in new}
    kept = [part for part in others if part.name not in names]
    return "\n".join(part.comment + part.text + part.gap for part in [head, *kept, *new])


def with_contents(page: str) -> str:
    """Return the page with links to all its entries at the top."""
    found = []
    for section in SPLIT["##"].split(page)[1:]:
        first, *others = SPLIT["###"].split(section)
        found.append(f"\n**{heading(first)}**\n\n")
        found += [f"- [{heading(text)}](#{anchor(heading(text))})\n" for text in others]
    return CONTENTS.sub(lambda _: "".join(found) + "\n", page)


def heading(text: str) -> str:
    return text.splitlines()[0].lstrip("# ")
