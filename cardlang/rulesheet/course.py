"""Order the steps of the game by their first call."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from attrs import evolve

from cardlang import game as g
from cardlang.rulesheet.english import YOU, Scope
from cardlang.rulesheet.instead import covered, parts
from cardlang.rulesheet.model import Block, Item, Items, Paragraph, Section
from cardlang.rulesheet.placing import Glossary
from cardlang.rulesheet.realising import finished_steps
from cardlang.rulesheet.setting_out import acts
from cardlang.rulesheet.statements import block, local


def steps(told: g.Game, scope: Scope, glossary: Glossary) -> list[Section]:
    """Return the set-up, and the section on play with all steps in the order of their first call."""
    apart = {name for name, _ in covered(scope.lexicon)}
    order = [step for step in called(told.steps) if not step.unfilled and f"step {step.name}" not in apart]
    sections = [glossary.explain(parts_told(step, scope), step_section(step, scope)) for step in order]
    first = [section for section in sections if section.title == scope.lexicon.step_title("setup")]
    played = Section("How to play", (), tuple(part for part in sections if part not in first))
    return [*setting_up(first, acts(told, scope), scope.lexicon.step_title("setup")), played]


def parts_told(step: g.Step, scope: Scope) -> object:
    """Return the body of a step, which needs terms explained; nothing if custom wording replaces it."""
    said = scope.lexicon.told.get(f"step {step.name}")
    return () if said is not None and said.instead else step.body


def setting_up(first: list[Section], acts: tuple[Item, ...], title: str) -> list[Section]:
    """Return the set-up section with the initial actions. If only those exist, make a new section."""
    if not (first and acts):
        return first if first else [Section(title, (Items(acts),))] if acts else []
    (section,) = first
    blocks = tuple(
        evolve(block, items=(*acts, *block.items)) if isinstance(block, Items) and not block.bullets else block
        for block in section.blocks
    )
    return [evolve(section, blocks=blocks)]


def called(by_name: Mapping[str, g.Step]) -> Iterator[g.Step]:
    """Yield all steps, each followed by its callees, without duplicates.

    Steps of the main course come first, then steps called only if something ends early.
    """
    told: set[str] = set()
    for asides in (False, True):
        yield from carried(["setup", "play"], by_name, asides, set(), told)
    yield from carried([*by_name], by_name, True, set(), told)


def carried(
    names: Iterable[str], by_name: Mapping[str, g.Step], asides: bool, seen: set[str], told: set[str]
) -> Iterator[g.Step]:
    """Yield the named steps and their callees in preorder, without steps already yielded."""
    for name in names:
        if name not in by_name or name in seen:
            continue
        step = by_name[name]
        seen.add(name)
        if name not in told:
            yield step
        told.add(name)
        yield from carried([do.step for do in dos(step.body, asides)], by_name, asides, seen, told)


def dos(node: object, asides: bool) -> Iterator[g.Do]:
    """Yield the `do` statements in a node, in source order. `asides`: include cases that end something early."""
    if isinstance(node, g.Do):
        yield node
    if isinstance(node, tuple):
        for part in node:
            yield from dos(part, asides)
    elif isinstance(node, g.If):
        for case in (node.then, node.otherwise):
            yield from dos(case, asides) if asides or not (case and isinstance(case[-1], g.Finish)) else ()
    elif isinstance(node, g.Stmt | g.Option):
        for name in ("options", "body", "otherwise"):
            yield from dos(getattr(node, name, ()), asides)


def step_section(step: g.Step, scope: Scope) -> Section:
    inner = scope if step.you is None else scope.naming(step.you, YOU)
    for param in step.params:
        inner = inner.naming(param, local(param.name, param.type))
    said = parts(f"step {step.name}", scope.lexicon)
    (_, body), *others = [("", finished_steps(block(step.body, inner)))] if said is None else said
    intro: tuple[Block, ...] = (Paragraph("", step.doc),) if step.doc else ()
    within = tuple(Section(heading, (Items(found),)) for heading, found in others)
    return Section(scope.lexicon.step_title(step.name), (*intro, Items(body)), within)
