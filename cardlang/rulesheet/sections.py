"""The rule sheet of a game, section by section, in the order that a rulebook keeps."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import PurePath

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import Game
from cardlang.nodes.walking import names_in
from cardlang.resolve import resolve
from cardlang.rulesheet import choices, filters, loops, quantifiers, words  # noqa: F401  (their functions register themselves)
from cardlang.rulesheet.contents import contents_section, question
from cardlang.rulesheet.course import step_section, steps
from cardlang.rulesheet.declarations import track_item, zone_table
from cardlang.rulesheet.english import YOU, Scope, condition, phrase
from cardlang.rulesheet.goal import GOAL, goal
from cardlang.rulesheet.index import index
from cardlang.rulesheet.lexicon import build_lexicon, subject_name
from cardlang.rulesheet.links import anchored
from cardlang.rulesheet.model import Block, Item, Items, Paragraph, Plan, RuleSheet, Section, Spot, Terms, finished
from cardlang.rulesheet.nouns import kind_noun
from cardlang.rulesheet.placing import Glossary, with_examples
from cardlang.rulesheet.rankings import is_term, ranking_section, ranking_title
from cardlang.rulesheet.settled import settled
from cardlang.rulesheet.statements import block, doc, led, step_title
from cardlang.rulesheet.stories import story
from cardlang.rulesheet.turns import order_of_turns


def build(game: Game, date: str = "") -> RuleSheet:
    """The rule sheet of a checked game, its libraries and variants. `date`: when its text was last changed."""
    scope, items = Scope(build_lexicon(game)), settled(game)
    glossary, aim = Glossary.of(items, scope), goal(items, scope)
    rules = [
        contents_section(items, game.faces, scope),
        glossary.explain_goal(aim.told, ("score", "standing"), aim.section),
        table(items, scope),
        *steps(items, scope, glossary),
        *rankings(game, scope, glossary),
        *anytime(items, scope, glossary),
        glossary.rest(),
    ]
    examples = [item for item in items if isinstance(item, n.Example)]
    sections = (*with_examples(rules, examples, places(game, glossary), scope), variants(game), rulings(items))
    shown = anchored(section for section in sections if section.blocks or section.sections)
    pitch = [game.doc, *(item.text for item in game.items if isinstance(item, n.Note))]
    known = facts(game, items, scope.lexicon.clockwise)
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    entries = index(shown)
    listed = (*shown, *anchored([Section("Index", (Terms(entries),))], {"index": 1})) if entries else shown
    return RuleSheet(title, " ".join(part for part in pitch if part), known, listed, version(game), date)


def version(game: Game) -> str:
    """The first figures of the checksum of the game's text and its libraries'."""
    text = "\0".join(file.span.source.text for file in game.files)
    return sha256(text.encode()).hexdigest()[:10]


def facts(game: Game, items: Sequence[n.Item], clockwise: bool) -> tuple[str, ...]:
    """Players, ages, time and the order of turns."""
    seats = [str(count) for count in game.seats]
    run = len(seats) > 2 and game.seats[-1] - game.seats[0] == len(seats) - 1
    said = f"{seats[0]} to {seats[-1]}" if run else words.join(seats, "or")
    lines = [f"Players: {said}"]
    for item in game.items:
        if isinstance(item, n.About):
            span = f"{item.low} to {item.high}" if item.high is not None else str(item.low)
            ages = span if item.high is not None else f"{span} and up"
            lines.append(f"Ages: {ages}" if item.word == "ages" else f"Time: {span} minutes")
    lines += order_of_turns(game, items, clockwise)
    return tuple(lines)


# ---------------------------------------------------------------- the table
def table(items: Sequence[n.Item], scope: Scope) -> Section:
    zones = [item for item in items if isinstance(item, n.Zone)]
    tracks = tuple(track_item(item, scope) for item in items if isinstance(item, n.Track))
    blocks: list[Block] = [Plan(tuple(spot(zone, scope) for zone in zones)), zone_table(zones, scope)] if zones else []
    if tracks:
        blocks += [Paragraph("Keep track of:"), Items(tracks, bullets=True)]
    return Section("On the table", tuple(blocks))


def spot(zone: n.Zone, scope: Scope) -> Spot:
    """A place for cards on the plan."""
    subject = subject_name(zone.subject)
    owners = [noun for kind, noun in scope.lexicon.members.values() if kind == subject]
    name = words.capital(scope.lexicon.of(zone).noun)
    whose = "" if subject is None else kind_noun(subject)
    return Spot(name, whose, tuple(owners), zone.viewer or "everyone", zone.holds == 1)


def rankings(game: Game, scope: Scope, glossary: Glossary) -> list[Section]:
    found = [item for item in game.items if isinstance(item, n.Ranking) and not is_term(item)]
    return [glossary.explain((item.wilds, item.ties), ranking_section(game, item, scope)) for item in found]


def places(game: Game, glossary: Glossary) -> dict[str, str]:
    """The titles of the sections by what they tell, for the examples. A reading belongs to its ranking."""
    found = {step.name.text: step_title(step.name.text) for step in game.items if isinstance(step, n.Step)}
    found |= {"winners": GOAL} | {name: ranking_title(name) for name in game.rankings}
    found |= glossary.placed
    readings = {name: define.type.of for name, define in game.defines.items() if define.type.tag == "reading"}
    return found | {name: found[of] for name, of in readings.items() if of is not None}


# ---------------------------------------------------------------- at any time
def anytime(items: Sequence[n.Item], scope: Scope, glossary: Glossary) -> list[Section]:
    """Reactions and triggers."""
    reactions = [reaction(item, scope) for item in items if isinstance(item, n.Reaction)]
    triggers = [finished(trigger(item, scope)) for item in items if isinstance(item, n.Whenever | n.Enters)]
    both = {"Reactions": reactions, "At any time": triggers}
    sections = [Section(title, (Items(tuple(told), bullets=True),)) for title, told in both.items() if told]
    nodes = tuple(item for item in items if isinstance(item, n.Reaction | n.Whenever | n.Enters))
    return [*sections[:-1], *(glossary.explain(nodes, section) for section in sections[-1:])]


def reaction(node: n.Reaction, scope: Scope) -> Item:
    told = choices.option(node, scope.with_it(YOU))
    to = words.join([f"“{words.plain(name.text)}”" for name in node.to], "or")
    target = " on something (the target) or on nothing" if "target" in names_in(node) else ""
    text = words.sentence(f"when another player (the actor) announces {to}{target}, you may answer")
    return finished(evolve(told, text=f"{text} {told.text}".strip()))


def trigger(node: n.Whenever | n.Enters, scope: Scope) -> Item:
    inner = scope.with_it(YOU)
    body = block(node.body, inner)
    if isinstance(node, n.Whenever):
        return led(f"whenever {condition(node.condition, inner)}", body, doc(node.doc))
    zone = n.Yours(node.span, node.zone) if node.your else n.NameRef(node.span, node.zone.text)
    lead = f"whenever {words.article(words.plain(node.thing.text))} enters {phrase(zone, inner).text}"
    return led(lead, body, doc(node.doc))


# ---------------------------------------------------------------- variants, rulings, examples
def variants(game: Game) -> Section:
    if game.variant is not None:
        return Section("Variants")
    found = [item for file in game.files for item in file.items if isinstance(item, n.Variant)]
    return Section("Variants", (), tuple(variant_section(item, with_variant(game, item)) for item in found))


def with_variant(game: Game, variant: n.Variant) -> Game:
    """The game in this variant."""
    libraries = {PurePath(file.span.source.name).stem: file for file in game.files[1:]}
    found, _ = resolve(game.files[0], libraries.get, variant.title.text)
    return found or game


def variant_section(variant: n.Variant, game: Game) -> Section:
    """What a variant changes, told like the game itself."""
    scope = Scope(build_lexicon(game))
    items = variant.items
    blocks: list[Block] = [Paragraph("", doc(variant.doc))] if variant.doc is not None else []
    glossary = Glossary.of(items, scope)
    changes = glossary.rest()
    blocks += changes.blocks
    blocks += contents_section(items, game.faces, scope).blocks
    blocks += table(items, scope).blocks
    blocks += rulings(items).blocks
    blocks += [story(item, scope) for item in items if isinstance(item, n.Example)]
    parts = [ranking_section(game, item, scope) for item in items if isinstance(item, n.Ranking) and not is_term(item)]
    own = [step_section(item, scope) for item in items if isinstance(item, n.Step) and item.body is not None]
    sections = (*changes.sections, *parts, *own, *anytime(items, scope, glossary))
    return Section(variant.title.text, tuple(blocks), sections)


def rulings(items: Sequence[n.Item]) -> Section:
    return Section("Questions and answers", tuple(question(item) for item in items if isinstance(item, n.Ruling)))
