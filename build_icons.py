"""Builder of `cardlang/cards/icons.zip` from a checkout of https://github.com/game-icons/icons.

Run `python build_icons.py FOLDER`. Each entry `author/name` has the path of one icon, scaled to a view box of 100 by
100. The pictures fill their shapes by the rule `evenodd`, like the shapes of cardlang.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

TARGET = Path(__file__).parent / "cardlang" / "cards"
SVG = re.compile(r'<svg [^>]*viewBox="0 0 512 512"><path d="[^"]*"/><path fill="#fff" d="([^"]*)"/></svg>')
COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
NUMBER, FLAG = re.compile(r"[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)"), re.compile(r"[\s,]*([01])")
SCALE = 100 / 512
OWN_ICONS = {
    "bamboo-stalk": "M36 3Q39 16 36 31H60Q57 16 60 3ZM36 36Q39 48.5 36 62H60Q57 48.5 60 36ZM36 67Q39 82.5 36 97H60"
    "Q57 82.5 60 67ZM60 31C65 18 77 12 92 12C90 26 80 34 60 31ZM36 62C31 49 19 43 4 43C6 57 16 65 36 62Z",
}
"""Icons drawn for cardlang: pips that players can count."""


def scale_path(path: str) -> str:
    return "".join(command + " ".join(scale_numbers(command, text)) for command, text in COMMAND.findall(path))


def scale_numbers(command: str, text: str) -> Iterator[str]:
    """Yield the scaled numbers of a path command. The angle and the two flags of an arc don't scale."""
    position = count = 0
    while text[position:].strip(" ,\n"):
        place = count % 7 if command in "aA" else 0
        found = (FLAG if place in (3, 4) else NUMBER).match(text, position)
        if found is None:
            raise ValueError(text)
        yield found[1] if place in (2, 3, 4) else f"{float(found[1]) * SCALE:.2f}".rstrip("0").rstrip(".")
        position, count = found.end(), count + 1


def main(source: Path) -> None:
    with ZipFile(TARGET / "icons.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(source.glob("*/*.svg")):
            found = SVG.fullmatch(file.read_text("utf-8").strip())
            if found:  # badges have another form
                archive.writestr(ZipInfo(f"{file.parent.name}/{file.stem}"), scale_path(found[1]), ZIP_DEFLATED, 9)
        for name, path in OWN_ICONS.items():
            archive.writestr(ZipInfo(f"cardlang/{name}"), path, ZIP_DEFLATED, 9)
    (TARGET / "icons_license.txt").write_bytes((source / "license.txt").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
