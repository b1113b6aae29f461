"""The rule sheet of a game, section by section, in the order that a rulebook keeps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import Game
from cardlang.rulesheet import (
    choices,  # noqa: F401  (registers its statements)
    clauses,  # noqa: F401
    lists,  # noqa: F401
    words,
)
from cardlang.rulesheet.contents import contents_section, question
from cardlang.rulesheet.declarations import define_item, order_section, track_item, zone_table
from cardlang.rulesheet.english import YOU, Scope, condition, phrase
from cardlang.rulesheet.lexicon import build_lexicon
from cardlang.rulesheet.model import Block, Item, Items, Paragraph, RuleSheet, Section, finished
from cardlang.rulesheet.rankings import ranking_section
from cardlang.rulesheet.statements import block, doc, step_name
from cardlang.rulesheet.stories import story


def build(game: Game) -> RuleSheet:
    """The rule sheet of a checked game, its libraries and variants."""
    scope = Scope(build_lexicon(game))
    sections = [
        contents_section(game.items, game.faces, scope),
        goal(game, scope),
        table(game.items, scope),
        terms(game.items, scope),
        *rankings(game, scope),
        *steps(game.items, scope),
        *anytime(game.items, scope),
        variants(game),
        rulings(game.items),
        examples(game.items, scope),
    ]
    shown = tuple(section for section in sections if section.blocks or section.sections)
    return RuleSheet(game.title, game.doc, facts(game), shown)


def facts(game: Game) -> tuple[str, ...]:
    """Players, ages and time."""
    seats = [str(count) for count in game.seats]
    run = len(seats) > 2 and game.seats[-1] - game.seats[0] == len(seats) - 1
    said = f"{seats[0]} to {seats[-1]}" if run else words.join(seats, "or")
    lines = [f"Players: {said}"]
    for item in game.items:
        if isinstance(item, n.About):
            span = f"{item.low} to {item.high}" if item.high is not None else str(item.low)
            lines.append(f"Ages: {span}" if item.word == "ages" else f"Time: {span} minutes")
    return tuple(lines)


def of_class(items: Iterable[n.Item], class_: type[n.Node]) -> Iterator[n.Node]:
    return (item for item in items if isinstance(item, class_))


# ---------------------------------------------------------------- the aim, the table, the terms
def goal(game: Game, scope: Scope) -> Section:
    """Who wins. When the game ends is told where it is played."""
    items = {item.name.text: item for item in game.items if isinstance(item, n.Define | n.Order)}
    notes = [Paragraph(item.text) for item in game.items if isinstance(item, n.Note)]
    winners, standing = items.get("winners"), items.get("standing")
    if isinstance(winners, n.Define) and isinstance(winners.body, n.Expr):
        text = f"the winners are {phrase(winners.body, scope).text}"
    elif isinstance(standing, n.Order):
        text = "whoever stands best in the order “standing” wins; players who are equal in it win together"
    else:
        text = "the player with the highest score wins; players with equal scores win together"
    return Section("How to win", (Paragraph(words.sentence(text)), *notes))


def table(items: Sequence[n.Item], scope: Scope) -> Section:
    zones = [item for item in items if isinstance(item, n.Zone)]
    tracks = tuple(track_item(item, scope) for item in items if isinstance(item, n.Track))
    blocks: list[Block] = [zone_table(zones, scope)] if zones else []
    if tracks:
        blocks += [Paragraph("Keep track of:"), Items(tracks, bullets=True)]
    return Section("On the table", tuple(blocks))


def terms(items: Sequence[n.Item], scope: Scope) -> Section:
    defines = tuple(define_item(item, scope) for item in items if isinstance(item, n.Define))
    orders = tuple(order_section(item, scope) for item in items if isinstance(item, n.Order))
    return Section("Terms", (Items(defines, bullets=True),) if defines else (), orders)


def rankings(game: Game, scope: Scope) -> list[Section]:
    present = {face.set for face in game.faces if face.copies}
    return [ranking_section(item, present, scope) for item in game.items if isinstance(item, n.Ranking)]


# ---------------------------------------------------------------- the course of the game
def steps(items: Sequence[n.Item], scope: Scope) -> list[Section]:
    """Set-up, then the play with each step in the order in which it is first carried out."""
    by_name = {item.name.text: item for item in items if isinstance(item, n.Step)}
    order = list(called(["setup", "play", *by_name], by_name))
    sections = [step_section(step, scope) for step in order if step.body is not None]
    first = [section for section in sections if section.title == "Set-up"]
    return [*first, Section("How to play", (), tuple(part for part in sections if part not in first))]


def called(names: Iterable[str], by_name: dict[str, n.Step], seen: set[str] | None = None) -> Iterator[n.Step]:
    """The steps of these names, each followed by those that it carries out, each once."""
    seen = set() if seen is None else seen
    for name in names:
        step = by_name.get(name)
        if step is not None and name not in seen:
            seen.add(name)
            yield step
            yield from called([step_name(do.step) for do in dos(step.body or ())], by_name, seen)


def dos(node: object) -> Iterator[n.Do]:
    """All `do` statements in a node, in the order of the text."""
    if isinstance(node, n.Do):
        yield node
    if isinstance(node, tuple):
        for part in node:
            yield from dos(part)
    elif isinstance(node, n.Stmt | n.Option):
        for name in ("then", "options", "body", "otherwise"):
            yield from dos(getattr(node, name, ()))


def step_section(step: n.Step, scope: Scope) -> Section:
    title = {"setup": "Set-up", "play": "The game"}.get(step.name.text, words.title(step.name.text))
    body = Items(tuple(map(finished, block(step.body or (), scope.with_it(YOU)))))
    intro: tuple[Block, ...] = (Paragraph("", doc(step.doc)),) if step.doc is not None else ()
    return Section(title, (*intro, body))


def anytime(items: Sequence[n.Item], scope: Scope) -> list[Section]:
    """Reactions and triggers."""
    reactions = [reaction(item, scope) for item in items if isinstance(item, n.Reaction)]
    triggers = [finished(trigger(item, scope)) for item in items if isinstance(item, n.Whenever | n.Enters)]
    lists = [Section("Reactions", (Items(tuple(reactions), bullets=True),))] if reactions else []
    return [*lists, Section("At any time", (Items(tuple(triggers), bullets=True),))] if triggers else lists


def reaction(node: n.Reaction, scope: Scope) -> Item:
    told = choices.option(node, scope.with_it(YOU))
    to = words.join([f"“{words.plain(name.text)}”" for name in node.to], "or")
    text = words.sentence(
        f"in answer to {to} of another player. The actor is who is answered, the target what it is played on"
    )
    return finished(evolve(told, text=f"{text} {told.text}".strip()))


def trigger(node: n.Whenever | n.Enters, scope: Scope) -> Item:
    inner = scope.with_it(YOU)
    if isinstance(node, n.Whenever):
        return Item(f"whenever {condition(node.condition, inner)}:", doc(node.doc), block(node.body, inner))
    zone = n.Yours(node.span, node.zone) if node.your else n.NameRef(node.span, node.zone.text)
    lead = f"whenever {words.article(words.plain(node.thing.text))} enters {phrase(zone, inner).text}:"
    return Item(lead, doc(node.doc), block(node.body, inner))


# ---------------------------------------------------------------- variants, rulings, examples
def variants(game: Game) -> Section:
    parts = [variant_section(item, game) for item in game.items if isinstance(item, n.Variant)]
    return Section("Variants", (), tuple(parts))


def variant_section(variant: n.Variant, game: Game) -> Section:
    """What a variant changes, declared and told like the game itself."""
    other = evolve(game, items=(*game.items, *variant.items))
    scope = Scope(build_lexicon(other))
    blocks: list[Block] = [Paragraph("", doc(variant.doc))] if variant.doc is not None else []
    defines = tuple(define_item(item, scope) for item in variant.items if isinstance(item, n.Define))
    blocks += [Items(defines, bullets=True)] if defines else []
    blocks += contents_section(variant.items, game.faces, scope).blocks
    blocks += table(variant.items, scope).blocks
    blocks += rulings(variant.items).blocks
    blocks += examples(variant.items, scope).blocks
    own = [item for item in variant.items if isinstance(item, n.Step)]
    parts = tuple(step_section(step, scope) for step in own if step.body is not None)
    return Section(variant.title.text, tuple(blocks), parts)


def rulings(items: Sequence[n.Item]) -> Section:
    return Section("Questions and answers", tuple(question(item) for item in items if isinstance(item, n.Ruling)))


def examples(items: Sequence[n.Item], scope: Scope) -> Section:
    return Section("Examples", tuple(story(item, scope) for item in items if isinstance(item, n.Example)))


__all__ = ["Item", "build"]
