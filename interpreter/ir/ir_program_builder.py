"""Builder of a program's IR: functions, tables, variables and names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from attrs import Factory, define

from interpreter.ir.ir_expressions import Calling, Kind, Local
from interpreter.ir.ir_statements import Body, Function
from interpreter.ir.simplifier import renumber_variables
from interpreter.ir.traversal import find_assigned_variables, find_free_ir_variables, walk


@define(slots=False, eq=False)
class IrBuilder:
    """IR of one program, under construction.

    functions: by name; None while a function is being lowered, or if the program defines it itself.
    tables: rows of values, by name.
    dispatch_tables: rows of functions by card, by name.
    outlined_functions: names by their statements, with variables numbered from 0, and the type of their result."""

    functions: dict[str, Function | None] = Factory(dict)
    tables: dict[str, Any] = Factory(dict)
    dispatch_tables: dict[str, tuple[str | None, ...]] = Factory(dict)
    outlined_functions: dict[tuple[Body, Kind], str] = Factory(dict)
    identifiers: dict[tuple[str, str], str] = Factory(dict)
    used_identifiers: set[str] = Factory(set)
    local_count: int = 0

    def create_local(self, kind: Kind) -> Local:
        self.local_count += 1
        return Local(kind, self.local_count)

    def make_identifier(self, category: str, name: str) -> str:
        """Return a unique identifier of letters, digits and underscores for a name of a category."""
        known = self.identifiers.get((category, name))
        if known is None:
            plain = known = f"{category}_{re.sub('[^a-zA-Z0-9]', '_', name)}"
            while known in self.used_identifiers:
                known = f"{plain}_{len(self.used_identifiers)}"
            self.used_identifiers.add(known)
            self.identifiers[category, name] = known
        return known

    def add_table(self, category: str, name: str, values: Sequence[object]) -> str:
        known = self.make_identifier(category, name)
        self.tables.setdefault(known, values)
        return known

    def outline_function(self, body: Body, result: Kind) -> Calling:
        """Outline statements to a function, and return its call. The variables that they read become arguments.

        Statements that differ only in their variables share a function."""
        names = find_free_ir_variables(body) - find_assigned_variables(body)
        found = {part.number: part for part in walk(body) if isinstance(part, Local)}
        params = tuple(local for number, local in found.items() if number in names)
        same = renumber_variables(body, {number: place for place, number in enumerate(found)})
        name = self.outlined_functions.get((same, result))
        if name is None:
            name = self.outlined_functions[same, result] = self.make_identifier("P", str(len(self.functions)))
            self.functions[name] = Function(name, params, body, result)
        return Calling(result, name, params)
