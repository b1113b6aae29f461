"""`python -m tests.docs` puts the figures of today into the gallery, and the libraries into the reference."""

from __future__ import annotations

from tests.docs import gallery, libraries

gallery.PAGE.write_text(gallery.corrected(gallery.PAGE.read_text("utf-8")), "utf-8")
libraries.PAGE.write_text(libraries.with_table(libraries.PAGE.read_text("utf-8")), "utf-8")
