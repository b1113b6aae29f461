"""Build hook that adds the parse tables to the package, for wheels and editable installs."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ParseTablesHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        try:
            from cardlang.syntax.parser import save_tables

            save_tables(Path(self.root) / "cardlang" / "syntax" / "grammar.tables")
        finally:
            sys.path.remove(self.root)
