"""Topological order of definitions, so that long chains don't cause deep recursion."""

from __future__ import annotations

from cardlang import nodes as n
from cardlang.nodes.walking import names_in


def needed_first(defines: list[n.Define]) -> list[str]:
    """Return the names of the definitions, each after those it depends on. Cycles are cut at an arbitrary point."""
    named = {node.name.text: node for node in defines}
    uses = {name: [use for use in names_in(node) if use in named] for name, node in named.items()}
    order: list[str] = []
    seen: set[str] = set()
    for root in named:
        waiting = [(root, False)]
        while waiting:
            name, done = waiting.pop()
            if done:
                order.append(name)
            elif name not in seen:
                seen.add(name)
                waiting.append((name, True))
                waiting += [(use, False) for use in uses[name]]
    return order
