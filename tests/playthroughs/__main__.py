"""`python -m tests.playthroughs write`: rewrites all playthroughs, and deletes those of removed games."""

import sys

from tests.playthroughs.files import FOLDER, format_playthrough, path, record
from tests.shipped import casts

if sys.argv[1:] != ["write"]:
    sys.exit("usage: python -m tests.playthroughs write")
for old in FOLDER.glob("*.txt"):
    old.unlink()
for cast in casts():
    path(cast).write_text(format_playthrough(record(cast, seed=cast.players)), encoding="utf-8")
