"""Adapts the pages for the site: game files become part of it, and fences keep only their language."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\[([^\]]+)\]\((\.\./[^)\s]+)\)")
FENCE = re.compile(r"^(```\w+) [^\n]+$", re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the bundled games, so that pages can link to them."""
    for path in sorted((ROOT / "games").rglob("*.cardgame")):
        name = path.relative_to(ROOT).as_posix()
        files.append(File.generated(config, name, abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Drop what fences say to the tests, and links to files of the repository that are not part of the site."""
    folder = posixpath.dirname(page.file.src_uri)

    def adapted(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join("docs", folder, link[2]))
        if target.startswith("docs/"):
            return link[0]
        place = posixpath.relpath(target, folder or ".")
        return f"[{link[1]}]({place})" if target.startswith("games/") else link[1]

    return FENCE.sub(r"\1", LINK.sub(adapted, markdown))
