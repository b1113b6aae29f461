"""Build the rule sheet of a game, section by section, in rulebook order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, TypeGuard

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.game.walking import any_part, everything
from cardlang.rulesheet import choices, filters, loops, quantifiers  # noqa: F401  (their functions register themselves)
from cardlang.rulesheet.content import content
from cardlang.rulesheet.contents import cards_section, contents_section, question
from cardlang.rulesheet.course import step_section, steps
from cardlang.rulesheet.declarations import laid, note_of
from cardlang.rulesheet.english import YOU, Noun, Scope, condition
from cardlang.rulesheet.goal import GOAL, goal
from cardlang.rulesheet.index import index
from cardlang.rulesheet.instead import covered, item, items, silenced
from cardlang.rulesheet.lexicon import build_lexicon
from cardlang.rulesheet.links import anchored, every
from cardlang.rulesheet.model import KEPT, Block, Item, Items, Paragraph, Plan, RuleSheet, Section, Spot, Terms
from cardlang.rulesheet.nouns import at_table, kind_noun, owned
from cardlang.rulesheet.order import arranged, in_time
from cardlang.rulesheet.pictures import key, specimens
from cardlang.rulesheet.placing import Glossary, Shown, best, step_of, with_answers, with_examples
from cardlang.rulesheet.rankings import is_term, ranking_section, ranking_title
from cardlang.rulesheet.realising import finished
from cardlang.rulesheet.rewriting import borne_by
from cardlang.rulesheet.setting_out import track_items
from cardlang.rulesheet.statements import block, led
from cardlang.rulesheet.stories import story
from cardlang.rulesheet.turns import order_of_turns
from cardlang.source import Source
from cardlang.told import INDEX, Said, current


def build(
    game: g.Game, date: str = "", examples: Shown = "few", words_of: Mapping[str, Said] | None = None
) -> RuleSheet:
    """Return the rule sheet of a checked game, its libraries and variants.

    `date`: the last change of its source. `words_of`: custom wording by rule; None to use the file next to the game.
    """
    scope = Scope(build_lexicon(game, current(game) if words_of is None else words_of))
    told = content(game)
    glossary, aim = Glossary.of(told, scope), goal(told, scope)
    rules = [
        glossary.explain_goal(aim.told, ("score", "standing"), aim.section),
        with_specimens(contents_section(told, scope), scope),
        *with_tracks([table(told, scope), *steps(told, scope, glossary)], told, scope),
        *anytime(told, scope, glossary),
        glossary.explain(rules_on_cards(told), cards_section(told, scope)),
        *rankings(told, scope, glossary),
        glossary.rest(),
    ]
    placed, more = with_examples(rules, told.examples, places(game, glossary, rules), scope, examples)
    answered = with_answers((*placed, rulings(told)), told.examples, scope, examples)
    told_last = variants(game, examples, words_of is None)
    sections = arranged(in_time([*answered, more, told_last], scope.lexicon.step_title("play")))
    shown = anchored(section for section in sections if section.blocks or section.sections)
    pitch = [game.doc, *(note.text for note in game.notes)]
    known = facts(silenced(told, scope.lexicon), scope.lexicon.clockwise)
    title = game.title if game.variant is None else f"{game.title}: {game.variant}"
    said = scope.lexicon.told.get(INDEX)
    entries = index(shown, searched(told, scope), said.without if said is not None else ())
    listed = (*shown, *anchored([Section("Index", (Terms(entries),))], {"index": 1})) if entries else shown
    return RuleSheet(title, " ".join(part for part in pitch if part), known, listed, version(game), date)


def with_specimens(section: Section, scope: Scope) -> Section:
    """Return the section on contents, with the cards whose parts the author labels."""
    return evolve(section, blocks=(*section.blocks, *key(scope), *specimens(scope)))


def searched(told: g.Game, scope: Scope) -> Iterator[str]:
    """Yield further index entries: those that the author lists, and rules covered by other custom wording."""
    listed = scope.lexicon.told.get(INDEX)
    yield from listed.instead if listed is not None else ()
    for name, _ in covered(scope.lexicon):
        what, _, which = name.partition(" ")
        if what in ("define", "track") and which in scope.lexicon.nouns:
            yield words.singular(scope.lexicon.nouns[which].singular)
        elif what == "step":
            yield scope.lexicon.step_title(which)


def rules_on_cards(told: g.Game) -> object:
    """Return the rules on cards."""
    found = [part for cards in told.sets.values() for part in borne_by(cards)]
    return tuple(part for part in found if isinstance(part, g.BorneBody | g.BorneStepBody))


def version(game: g.Game) -> str:
    """Return the first digits of the checksum of the game and its libraries."""
    text = "\0".join(source.text for source in game.sources)
    return sha256(text.encode()).hexdigest()[:10]


def facts(told: g.Game, clockwise: bool) -> tuple[str, ...]:
    """Return the players, ages, time and order of turns."""
    seats = [str(count) for count in told.seats]
    run = len(seats) > 2 and told.seats[-1] - told.seats[0] == len(seats) - 1
    said = f"{seats[0]} to {seats[-1]}" if run else words.join(seats, "or")
    return (f"Players: {said}", *abouts(told), *order_of_turns(told, clockwise))


def abouts(told: g.Game) -> list[str]:
    """Return the ages and time."""
    lines = []
    for about in told.about:
        span = f"{about.low} to {about.high}" if about.high is not None else str(about.low)
        ages = span if about.high is not None else f"{span} and up"
        lines.append(f"Ages: {ages}" if about.word == "ages" else f"Time: {span} minutes")
    return lines


# ---------------------------------------------------------------- the table
def table(told: g.Game, scope: Scope) -> Section:
    """Build the section on zones, without those covered by other custom wording, such as a zone used only in the
    set-up."""
    apart = {name for name, _ in covered(scope.lexicon)}
    zones = [zone for zone in told.zones.values() if f"zone {zone.name}" not in apart]
    return Section("On the table", (Plan(tuple(spot(zone, scope) for zone in zones)),) if zones else ())


def with_tracks(sections: Sequence[Section], told: g.Game, scope: Scope) -> list[Section]:
    """Add the tracks that players keep after the set-up, or to the table if there is no set-up."""
    tracks = track_items(told, scope)
    if not tracks:
        return list(sections)
    title = scope.lexicon.step_title("setup")
    at = next((place for place, each in enumerate(sections) if each.title == title), 0)
    blocks = (*sections[at].blocks, KEPT, Items(tracks, bullets=True))
    return [*sections[:at], evolve(sections[at], blocks=blocks), *sections[at + 1 :]]


def spot(zone: g.Zone, scope: Scope) -> Spot:
    """Return a zone for the plan."""
    kind = scope.lexicon.game.kinds.get(zone.subject or "")
    owners = tuple(member.noun.singular for member in kind.members) if kind is not None else ()
    name = words.capital(scope.lexicon.nouns[zone.name].noun)
    whose = "" if zone.subject is None else kind_noun(zone.subject)
    return Spot(name, whose, owners, zone.viewer, zone.single, note_of(zone, scope), laid(zone, scope))


def rankings(told: g.Game, scope: Scope, glossary: Glossary) -> list[Section]:
    found = [ranking for ranking in told.rankings.values() if not is_term(ranking)]
    return [explained(read_by(ranking), ranking_section(ranking, scope), glossary) for ranking in found]


def explained(read: object, section: Section, glossary: Glossary) -> Section:
    """Return the section of a ranking. Its last subsection explains the terms that it needs."""
    if not section.sections:
        return glossary.explain(read, section)
    *before, last = section.sections
    return evolve(section, sections=(*before, glossary.explain(read, last)))


def read_by(ranking: g.Ranking) -> object:
    """Return the parts of a ranking that need terms."""
    return tuple(wild.condition for wild in ranking.wilds), ranking.ties


def places(game: g.Game, glossary: Glossary, rules: Sequence[Section]) -> dict[str, str]:
    """Return the titles of the sections by the names that they explain, to place examples.

    A reading belongs to the last subsection of its ranking, because it may show all of it.
    """
    last = {section.title: [*every((section,))][-1].title for section in rules}
    lexicon = glossary.scope.lexicon
    found = {name: lexicon.step_title(name) for name in game.steps}
    found |= {name[5:]: step_of(rule, lexicon) for name, rule in covered(lexicon) if name.startswith("step ")}
    found |= {"winners": GOAL} | {name: last.get(ranking_title(name), "") for name in game.rankings}
    found |= glossary.placed
    readings = {name: define.type.of for name, define in game.defines.items() if define.type.tag == "reading"}
    return found | {name: found[of] for name, of in readings.items() if of is not None}


# ---------------------------------------------------------------- at any time
CHAIN = (
    "What is announced is not done yet. First all other players are asked in turn, beginning with the next player, "
    "whether they answer. An answer takes effect before the next player is asked; if it is announced itself, it can be "
    "answered in the same way first. After each answer those who passed are asked again. When all have passed in a "
    "row, what was announced is done, unless it was cancelled."
)
"""Order in which reactions are offered and resolved."""
GONE = "An announcement about a card that an answer has moved counts as cancelled."


def anytime(told: g.Game, scope: Scope, glossary: Glossary) -> list[Section]:
    """Build the sections on reactions and triggers."""
    by_place = in_order([*told.whenevers, *told.enters])
    reactions = [reaction(each, scope) for each in told.reactions]
    apart = {name for name, _ in covered(scope.lexicon)}
    told_here = [each for each in by_place if not (isinstance(each, g.Enters) and f"enters {each.zone}" in apart)]
    triggers = [finished(trigger(each, scope)) for each in told_here]
    both = {"Reactions": reactions, "At any time": triggers}
    own = all(f"reaction {each.option.name}" in scope.lexicon.told for each in told.reactions)
    answered = {name for each in told.reactions for name in each.to}
    cards = [part for part in everything(told) if is_about_cards(part) and part.name in answered]
    about = f"{CHAIN} {GONE}" if cards else CHAIN
    chain: dict[str, tuple[Block, ...]] = {} if own else {"Reactions": (Paragraph(about),)}
    lists = {title: Items(tuple(items), bullets=True) for title, items in both.items() if items}
    sections = [Section(title, (*chain.get(title, ()), listed)) for title, listed in lists.items()]
    parts = tuple(parts_of(each) for each in in_order([*told.reactions, *told_here]))
    return [*sections[:-1], *(glossary.explain(parts, section) for section in sections[-1:])]


def is_about_cards(part: object) -> TypeGuard[g.Announce]:
    """Return whether a part announces an option on a card or on cards."""
    if not isinstance(part, g.Announce) or part.target is None:
        return False
    return g.CARD.tag in (part.target.type.tag, part.target.type.item and part.target.type.item.tag)


def in_order(things: list[Any]) -> list[Any]:
    return sorted(things, key=lambda thing: thing.origin.place)


def parts_of(each: g.Reaction | g.Whenever | g.Enters) -> object:
    match each:
        case g.Reaction():
            return each.option
        case g.Whenever():
            return each.condition, each.body
    return each.body


def reaction(each: g.Reaction, scope: Scope) -> Item:
    said = item(f"reaction {each.option.name}", scope.lexicon)
    if said is not None:
        return evolve(said, title=words.title(each.option.name))
    told = choices.option(each.option, scope.naming(each.you, YOU))
    to = words.join([f"“{words.plain(name)}”" for name in each.to], "or")
    on_target = any_part((each.option,), lambda part: isinstance(part, g.Target) and part.name is None)
    target = " (on a target, or on nothing)" if on_target else ""
    text = words.sentence(f"when another player, the actor, announces {to}{target}, you may answer")
    return finished(evolve(told, text=f"{text} {told.text}".strip()))


def trigger(each: g.Whenever | g.Enters, scope: Scope) -> Item:
    if isinstance(each, g.Whenever):
        return led(f"whenever {condition(each.condition, scope)}", block(each.body, scope), each.doc)
    said = item(f"enters {each.zone}", scope.lexicon)
    if said is not None:
        return said
    inner = scope.naming(each.card, Noun("it", g.CARD))
    inner = inner if each.you is None else inner.naming(each.you, YOU)
    entry = scope.lexicon.nouns[each.zone]
    zone = at_table(entry) if each.you is None else owned(YOU, entry)
    return led(f"whenever a card enters {zone.text}", block(each.body, inner), each.doc)


# ---------------------------------------------------------------- variants, rulings, examples
def variants(game: g.Game, examples: Shown, own: bool) -> Section:
    """Build the section on variants. `own`: use the custom wording next to the game, if any."""
    if game.variant is not None:
        return Section("Variants")
    return Section("Variants", (), tuple(variant_section(each, game, examples, own) for each in game.variants))


def variant_section(variant: g.Variant, game: g.Game, examples: Shown, own_words: bool) -> Section:
    """Build the section on a variant's differences, with the same parts as a whole sheet."""
    scope = Scope(build_lexicon(variant.game, current(variant.game) if own_words else {}))
    told = changes(content(variant.game, game))
    said = items(f"variant {variant.title}", build_lexicon(variant.game, current(game) if own_words else {}))
    notes = [note.text for note in told.notes[len(game.notes) :]]
    blocks: list[Block] = [Paragraph("", text) for text in (variant.doc, *notes) if text]
    other = [line for line in abouts(told) if line not in abouts(game)]
    blocks += [Items(tuple(Item(line) for line in other), bullets=True)] if other else []
    glossary = Glossary.of(told, scope)
    terms = glossary.rest() if said is None else Section("", in_lines(said))
    blocks += terms.blocks
    blocks += contents_section(told, scope).blocks
    blocks += with_tracks([table(told, scope)], told, scope)[0].blocks
    blocks += rulings(told).blocks
    stories = [story(each, scope) for each in told.examples if each.ruling is None and examples != "none"]
    blocks += [best(stories)] if examples == "few" and stories else stories
    parts = [ranking_section(ranking, scope) for ranking in told.rankings.values() if not is_term(ranking)]
    own = [step_section(step, scope) for step in told.steps.values() if not step.unfilled]
    sections = (*terms.sections, *filled(cards_section(told, scope)), *parts, *own, *anytime(told, scope, glossary))
    return with_answers([Section(variant.title, tuple(blocks), sections)], told.examples, scope, examples)[0]


def in_lines(said: tuple[Item, ...]) -> tuple[Block, ...]:
    """Return the custom wording of a variant: numbered steps, or a sentence."""
    return (Paragraph(said[0].text),) if len(said) == 1 and not said[0].items else (Items(said, bullets=False),)


def filled(*sections: Section) -> tuple[Section, ...]:
    return tuple(section for section in sections if section.blocks or section.sections)


def changes(game: g.Game) -> g.Game:
    """Reduce a game to the declarations of its variant, in source order, after those of its libraries."""
    own, listed = partial(own_of, starts(game)), partial(varied, starts(game))
    return evolve(
        game,
        kinds=own(game.kinds),
        sets=own(game.sets),
        zones=own(game.zones),
        tracks=own(game.tracks),
        defines=own(game.defines),
        orders=own(game.orders),
        rankings=own(game.rankings),
        steps=own(game.steps),
        reactions=listed(game.reactions),
        enters=listed(game.enters),
        whenevers=listed(game.whenevers),
        components=listed(game.components),
        rulings=listed(game.rulings),
        examples=listed(game.examples),
    )


def starts(game: g.Game) -> dict[Source, int]:
    """Return the offset of each source in their concatenation, with the game last."""
    found, total = {}, 0
    for source in (*game.sources[1:], game.sources[0]):
        found[source] = total
        total += len(source.text)
    return found


def own_of(starts: Mapping[Source, int], things: Mapping[str, Any]) -> dict[str, Any]:
    return {thing.name: thing for thing in varied(starts, things.values())}


def varied(starts: Mapping[Source, int], things: Iterable[Any]) -> tuple[Any, ...]:
    """Return the declarations of a variant, in source order."""
    found = []
    for thing in things:
        origin = thing.origin
        if origin.varied:
            place = starts[origin.span.source] + origin.span.start
            found.append(evolve(thing, origin=evolve(origin, place=place)))
    return tuple(in_order(found))


def rulings(told: g.Game) -> Section:
    return Section("Questions and answers", tuple(map(question, told.rulings)))
