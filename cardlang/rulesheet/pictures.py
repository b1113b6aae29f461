"""Draw pictures that an author requests: a card with labelled parts, the table in an example."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve, frozen

from cardlang import game as g
from cardlang import words
from cardlang.drawing.bars import Bar, Cut, bars_svg, describe_bars
from cardlang.drawing.cards import Look
from cardlang.drawing.printed import Side
from cardlang.drawing.scene import scene_svg, under
from cardlang.drawing.specimen import PARTS, Label, specimen_svg
from cardlang.drawing.symbols import PLAIN, Mark
from cardlang.rulesheet.english import Scope
from cardlang.rulesheet.faces import Design
from cardlang.rulesheet.model import Block, Item, Items, Lying, Panel, Paragraph, Picture
from cardlang.rulesheet.nouns import from_top
from cardlang.told import CARD, COMPONENT, OPEN, Said

LABEL = re.compile(r"([^:]+): (.+)")
SPECIMEN, SCENE = 0.55, 0.2
"""Millimetres for each unit of a drawing."""
BREADTH = 220
"""Total width in millimetres of pictures that fit in one row, slightly scaled down."""
PICTURE = "picture: "
"""Prefix of the label of a card's central picture."""


# ---------------------------------------------------------------- cards
def specimens(scope: Scope) -> tuple[Picture, ...]:
    """Return the cards that the game's custom wording labels: in one picture, if they fit in a row."""
    design, asked = Design(scope.lexicon.game, scope.lexicon.told), labels_asked(scope)
    shown = tuple(Picture(tuple(specimen(said, design))) for said in asked)
    together = tuple(panel for each in shown for panel in each.panels)
    return (Picture(together),) if 0 < sum(panel.width for panel in together) < BREADTH else shown


def labels_asked(scope: Scope) -> list[Said]:
    return [said for name, said in scope.lexicon.told.items() if name.startswith((CARD, COMPONENT))]


def key(scope: Scope) -> tuple[Block, ...]:
    """Return a legend of the pictures that identify card sets, if the author labels one and there are several."""
    game, design = scope.lexicon.game, Design(scope.lexicon.game, scope.lexicon.told)
    if not any(line.startswith(PICTURE) for said in labels_asked(scope) for line in said.labels):
        return ()
    first = {face.set: face for face in reversed(game.faces) if design.listed(face)}
    marks = tuple(evolve(design.picture(first[name]), colour=PLAIN) for name in game.sets if name in first)
    if len(marks) < 2:
        return ()
    named = words.sentence(words.join([mark.name for mark in marks]))
    return Paragraph("The pictures on the cards show their kind:"), Items((Item(named, marks=marks),), bullets=True)


def specimen(said: Said, design: Design) -> Iterator[Panel]:
    """Yield a card with its labels: its main face, and its other face if that has labels."""
    if said.rule.startswith(COMPONENT):
        yield labelled(marker(said.title), said.labels, next(iter(said.captions), ""))
        return
    title = said.rule.removeprefix(CARD)
    face = next(face for face in design.game.faces if face.title == title)
    captions, back = iter(said.captions), design.back(face)
    if said.labels:
        yield labelled(design.front(face), said.labels, next(captions, ""))
    if said.turned and isinstance(back, Side):
        yield labelled(back, said.turned, next(captions, ""))


def marker(title: str) -> Side:
    """Return a card-shaped component that is no card of the game."""
    return Side(title, "", False, None, Mark("", PLAIN, ""), "", (), False)


def labelled(side: Side, lines: Iterable[str], caption: str) -> Panel:
    labels = [Label(part, text) for part, text in map(apart, lines) if part in PARTS]
    svg, width = specimen_svg(side, labels)
    says = f"{side.title}: {'; '.join(label.text for label in labels)}."
    return Panel(svg, width * SPECIMEN, caption, says)


def apart(line: str) -> tuple[str, str]:
    """Split a labelled line such as `title: Its name`."""
    found = LABEL.fullmatch(line)
    return (found[1], found[2]) if found else ("", line)


# ---------------------------------------------------------------- the table
@frozen
class Place:
    """A zone of one owner: the number of a player or member, and its name. The table has no number."""

    zone: g.Zone
    of: int | None
    owner: str
    name: str

    @property
    def said(self) -> str:
        """Name in the language: `Ann's hand`."""
        return f"{self.owner}'s {self.zone.name}" if self.owner else self.zone.name


def zone_of(name: str) -> str:
    """Return the zone that an author lists for a scene."""
    return name.removeprefix(OPEN)


def pictured(
    given: g.Given, said: Said, captions: Iterator[str], players: Sequence[str], scope: Scope
) -> Picture | None:
    """Return the picture of a position in an example, in addition to hands. `captions`: the author's captions."""
    if said.scene:
        return scene(given, said, captions, players, scope)
    return charted(given, said, captions, players) if said.bars else None


def charted(given: g.Given, said: Said, captions: Iterator[str], players: Sequence[str]) -> Picture:
    """Draw the players' numbers as a bar chart, with the author's cuts."""
    known = {(fact.track, fact.of): fact.value for fact in given.facts if isinstance(fact, g.GivenTrack)}
    wanted = [(name, known.get((track, number))) for track in said.bars for number, name in enumerate(players)]
    counts = [(name, value.value) for name, value in wanted if isinstance(value, g.Const)]
    bars = [Bar(next(captions, "") or name, count) for name, count in counts if isinstance(count, int)]
    cuts = [Cut(int(at), text) for at, text in map(apart, said.cuts) if at.isdigit()]
    svg, width = bars_svg(bars, cuts)
    return Picture((Panel(svg, width * SCENE, "", describe_bars(bars, cuts)),))


def scene(given: g.Given, said: Said, captions: Iterator[str], players: Sequence[str], scope: Scope) -> Picture:
    """Draw the listed zones of a position: those of the table, of members, of each player."""
    shows = {zone_of(name): name.startswith(OPEN) for name in said.scene}
    zones = [scope.lexicon.game.zones[name] for name in shows if name in scope.lexicon.game.zones]
    shown: list[tuple[str, list[Lying]]] = []
    for subject in sorted({zone.subject for zone in zones}, key=rank):
        for title, places in frames(subject, [zone for zone in zones if zone.subject == subject], players, scope):
            lie = [lying(place, given, said, shows[place.zone.name], scope) for place in places]
            shown.append((next(captions, "") or title, lie))
    lines = max((len(under(place)) for _, lie in shown for place in lie), default=0)
    return Picture(tuple(panel(title, lie, lines) for title, lie in shown))


def rank(subject: str | None) -> tuple[int, str]:
    """Return the sort key of a subject: the table first, the players last."""
    return (0 if subject is None else 2 if subject == "player" else 1), subject or ""


def frames(
    subject: str | None, zones: Sequence[g.Zone], players: Sequence[str], scope: Scope
) -> Iterator[tuple[str, list[Place]]]:
    """Yield the frames for the zones of one kind of owner, with their titles.

    There is one frame for each player, one for each zone of members, and one for the table.
    """
    nouns = {zone.name: words.capital(scope.lexicon.nouns[zone.name].noun) for zone in zones}
    if subject is None:
        yield "In the middle of the table", [Place(zone, None, "", nouns[zone.name]) for zone in zones]
    elif subject == "player":
        for number, name in enumerate(players):
            yield name, [Place(zone, number, name, nouns[zone.name]) for zone in zones]
    else:
        members = scope.lexicon.game.kinds[subject].members
        for zone in zones:
            own = [Place(zone, number, member.name, member.noun.singular) for number, member in enumerate(members)]
            yield words.plural(nouns[zone.name]), own


def lying(place: Place, given: g.Given, said: Said, shown: bool, scope: Scope) -> Lying:
    """Return a zone with its cards and the components on them. `shown`: face up, even if not all players see them."""
    game, entry = scope.lexicon.game, scope.lexicon.nouns[place.zone.name]
    wanted = place.zone.name, place.of
    found = (fact for fact in given.facts if isinstance(fact, g.GivenZone) and (fact.zone, fact.of) == wanted)
    faces = next((from_top(fact.faces, entry, scope) for fact in found), ())
    looks = tuple(scope.lexicon.looks[game.faces[face].code] for face in faces)
    laid = [thing for name, thing in map(apart, said.laid) if name == place.said]
    hidden = place.zone.viewer != "everyone" and not shown
    label = dict(map(apart, said.labels)).get(place.said, "")
    how = "row" if place.said in said.spread else form(place.zone, game)
    return Lying(place.name, how, tuple(with_laid(laid, looks)), hidden, label)


def with_laid(laid: Sequence[str], looks: Sequence[Look]) -> Iterator[Look]:
    """Yield cards from the top down, with the components between them: `Round 2 on 12 of Axe`.

    A component without a card goes before all cards.
    """
    parts = [each.rpartition(" on ") if " on " in each else (each, "", "") for each in laid]
    where = [(thing, on) for thing, _, on in parts]
    yield from (Look(thing, "", None) for thing, on in where if not on)
    for look in looks:
        yield from (Look(thing, "", None) for thing, on in where if on == look.title)
        yield look


def panel(title: str, places: Sequence[Lying], lines: int) -> Panel:
    svg, width = scene_svg(title, places, lines)
    return Panel(svg, width * SCENE, "", f"{title}: {'; '.join(map(contents, places))}.")


def contents(place: Lying) -> str:
    """Describe the content of a zone in words."""
    mark = f" ({place.label})" if place.label else ""
    if not place.cards:
        return f"{place.name}{mark}: empty"
    if place.hidden:
        return f"{place.name}{mark}: {words.of_number('card', words.number(len(place.cards)))}"
    shown = place.cards[:1] if place.form == "pile" else place.cards
    return f"{place.name}{mark}: {words.join([look.title for look in shown])}"


def form(zone: g.Zone, game: g.Game) -> str:
    """Return the form of a zone: a `pile`, a `row` or a `fan`."""
    shown = next((show.form for show in game.shows if show.zone == zone.name and show.form), "")
    if shown in ("row", "trick", "grid"):
        return "row"
    return "fan" if zone.viewer in ("owner", "others") and not zone.single else "pile"
