"""See `tests.golden`."""

import sys

from tests.golden.checksums import FILE, checksums

if sys.argv[1:] == ["write"]:
    FILE.write_text(checksums(), encoding="utf-8")
else:
    sys.stdout.write(checksums())
