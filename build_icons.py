"""Builder of `cardlang/cards/icons.zip` from a checkout of https://github.com/game-icons/icons.

Run `python build_icons.py FOLDER`. Each entry `author/name` has the path of one icon, scaled to a view box of 100 by
100. The pictures fill their shapes by the rule `evenodd`, like the shapes of cardlang. Icons drawn for cardlang are in
`own_icons.txt`.
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
        for line in (TARGET / "own_icons.txt").read_text("utf-8").splitlines():
            name, _, path = line.partition(": ")
            archive.writestr(ZipInfo(f"cardlang/{name}"), path, ZIP_DEFLATED, 9)
    (TARGET / "icons_license.txt").write_bytes((source / "license.txt").read_bytes())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
