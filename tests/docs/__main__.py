"""Generated parts of documents: `python -m tests.docs` updates them.

These are the figures of the gallery, the table of libraries, the contents of the cookbook, the options and examples
of command pages, and the JSON schemas of games, tables and reports."""

from tests.docs import commands, cookbook, gallery, libraries, schema

gallery.PAGE.write_text(gallery.update_figures(gallery.PAGE.read_text("utf-8")), "utf-8")
libraries.PAGE.write_text(libraries.update_table(libraries.PAGE.read_text("utf-8")), "utf-8")
cookbook.PAGE.write_text(cookbook.with_contents(cookbook.PAGE.read_text("utf-8")), "utf-8")
for path, text in commands.pages().items():
    path.write_text(text, "utf-8")
schema.PATH.write_text(schema.schema(), "utf-8")
schema.TABLE_PATH.write_text(schema.table_schema(), "utf-8")
schema.REPORT_PATH.write_text(schema.report_schema(), "utf-8")
