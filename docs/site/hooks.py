"""Adapts the pages for the site: game files become part of it, and fences keep only their language."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<=\]\()\.\.?/[^)#\s]*(?=[)#])")
FENCE = re.compile(r"^(```\w+) [^\n]+$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the bundled games, so that pages can link to them."""
    for path in sorted((ROOT / "games").rglob("*.cardgame")):
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to games to their place in the site, and drop what fences say to the tests."""
    folder = posixpath.dirname(page.file.src_uri)

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", folder, link[0]))
        return posixpath.relpath(target, folder or ".") if target.startswith("games/") else link[0]

    return FENCE.sub(r"\1", LINK.sub(led, markdown))
