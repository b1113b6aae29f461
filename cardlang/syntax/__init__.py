"""Front end: from source text to syntax tree, with error recovery.

- `logical_lines` splits a file into statements and checks their indentation.
- `parser` reads items by the LALR grammar in `grammar.lark`, whose parse tables are built with the package
  (`parse_tables`).
- `builders` turns parse trees into the nodes of `ast`, without interpreting them.
- `recovery` finds the intended meaning of unreadable lines.
"""

from __future__ import annotations
