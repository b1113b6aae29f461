"""Generate the source of an encoder and a decoder for a class, as attrs generates `__init__`.

This needs few calls for each object, so that deeply nested games do not overflow the stack.
"""

from __future__ import annotations

from typing import Any, NoReturn

import attrs

from cardlang.codec.rules import Malformed, misplaced
from cardlang.codec.scalars import REQUIRED, Decode, Encode

TAG = "is"
"""Key of the class name in an object."""


@attrs.frozen
class Field:
    name: str
    decode: Decode
    encode: Encode | None
    zero: object

    @property
    def needed(self) -> bool:
        return self.zero is REQUIRED


def made(kind: type, fields: list[Field], source: str) -> Any:
    """Compile generated source and return the function that it defines."""
    namespace: dict[str, object] = {"kind": kind, "Malformed": Malformed, "refused": refused}
    for field in fields:
        namespace |= {f"zero_{field.name}": field.zero, f"read_{field.name}": field.decode}
        namespace[f"write_{field.name}"] = field.encode
    exec(source, namespace)
    return namespace["made"]


def writer_source(name: str, fields: list[Field], tagged: bool) -> str:
    lines = ["def made(value, sources):", f"    found = {{{TAG!r}: {name!r}}}" if tagged else "    found = {}"]
    for field in fields:
        lines.append(f"    each = value.{field.name}")
        written = "each" if field.encode is None else f"write_{field.name}(each, sources)"
        indent = "    "
        if field.zero is not REQUIRED:
            lines.append("    if each is not None:" if field.zero is None else f"    if each != zero_{field.name}:")
            indent = "        "
        lines.append(f"{indent}found[{field.name!r}] = {written}")
    return "\n".join([*lines, "    return found"])


def reader_source(fields: list[Field], tagged: bool) -> str:
    lines = ["def made(data, sources):", f"    left = len(data) - {int(tagged)}", "    try:"]
    for field in fields:
        name = field.name
        missing = (
            f"at_{name} = zero_{name}" if field.zero is not REQUIRED else f"at = ''; refused(kind, {name!r}, data)"
        )
        lines += [
            f"        if {name!r} in data:",
            f"            at = {name!r}; left -= 1; at_{name} = read_{name}(data[at], sources)",
            "        else:",
            f"            {missing}",
        ]
    arguments = ", ".join(f"{field.name}=at_{field.name}" for field in fields)
    lines += ["        at = ''", "        if left: refused(kind, '', data)", f"        return kind({arguments})"]
    lines += ["    except Malformed as fault:", "        if at: fault.path.append(at)", "        raise"]
    return "\n".join(lines)


def refused(kind: type[attrs.AttrsInstance], needed: str, data: dict[str, object]) -> NoReturn:
    """Raise `Malformed` for a missing or unknown field of an object."""
    if needed:
        raise Malformed(f"{kind.__name__} needs `{needed}`")
    known = {each.name for each in attrs.fields(kind) if each.init}
    unknown = (key for key in data if key not in known and key != TAG)
    raise misplaced(f"{kind.__name__} has no such field", next(unknown, TAG))
