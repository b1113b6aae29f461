"""`python -m tests.docs` puts the figures of today into the gallery."""

from __future__ import annotations

from tests.docs.gallery import PAGE, corrected

PAGE.write_text(corrected(PAGE.read_text("utf-8")), "utf-8")
