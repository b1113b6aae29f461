"""`python -m tests.docs` puts the figures of today into the gallery, the libraries into the reference, the entries of
the cookbook into its contents, options and examples into the pages of commands, and the forms of a game, a table and
a report as JSON into their schemas."""

from __future__ import annotations

from tests.docs import commands, cookbook, gallery, libraries, schema

gallery.PAGE.write_text(gallery.corrected(gallery.PAGE.read_text("utf-8")), "utf-8")
libraries.PAGE.write_text(libraries.with_table(libraries.PAGE.read_text("utf-8")), "utf-8")
cookbook.PAGE.write_text(cookbook.with_contents(cookbook.PAGE.read_text("utf-8")), "utf-8")
for path, text in commands.pages().items():
    path.write_text(text, "utf-8")
schema.PATH.write_text(schema.schema(), "utf-8")
schema.TABLE_PATH.write_text(schema.table_schema(), "utf-8")
schema.REPORT_PATH.write_text(schema.report_schema(), "utf-8")
