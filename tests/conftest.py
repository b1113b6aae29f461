"""What tests keep between runs goes into a folder of their own, and away with it."""

import os
import tempfile

KEPT = tempfile.TemporaryDirectory(prefix="cardlang-tests-")
os.environ["XDG_CACHE_HOME"] = KEPT.name
