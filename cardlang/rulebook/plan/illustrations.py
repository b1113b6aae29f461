"""Illustrations of a rulebook: labelled cards, scenes and charts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from attrs import frozen

from cardlang import model as g
from cardlang.cards.card_content import CardSide
from cardlang.cards.flow_and_bar_charts import BarCut, ChartBar, describe_bar_chart, draw_bar_chart
from cardlang.cards.labelled_card_drawing import CARD_PARTS, PartLabel, draw_labelled_card
from cardlang.cards.playing_table_pictures import draw_scene, wrap_zone_label
from cardlang.cards.suit_and_card_drawings import PLAIN_COLOUR, CardSymbol, SmallCard
from cardlang.english import morphology
from cardlang.rulebook.model import Panel, Picture, SceneZone
from cardlang.rulebook.realise.noun_phrases import list_top_card_first
from cardlang.rulebook.realise.phrases import PhraseScope

LABELLED_LINE = re.compile(r"([^:]+): (.+)")
CARD_SCALE, SCENE_SCALE = 0.55, 0.2
"""Millimetres for each unit of a drawing."""
TABLE_TITLE = "On the table"
OPEN_PREFIX = "open "
"""Prefix of zones whose cards are drawn face up, even if some players cannot see them."""


# ---------------------------------------------------------------- cards
def build_marker_card(title: str) -> CardSide:
    """Return a card-shaped component that is no card of the game."""
    return CardSide(title, "", False, None, CardSymbol("", PLAIN_COLOUR, ""), "", (), False)


def draw_labelled_panel(side: CardSide, lines: Iterable[str], caption: str) -> Panel:
    labels = [PartLabel(part, text) for part, text in map(split_labelled_line, lines) if part in CARD_PARTS]
    svg, width = draw_labelled_card(side, labels)
    says = morphology.punctuate_sentence(f"{side.title}: {'; '.join(label.text for label in labels)}")
    return Panel(svg, width * CARD_SCALE, caption, says)


def split_labelled_line(line: str) -> tuple[str, str]:
    """Split a labelled line such as `title: Its name`."""
    match = LABELLED_LINE.fullmatch(line)
    return (match[1], match[2]) if match else ("", line)


# ---------------------------------------------------------------- the table
@frozen
class PictureDescription:
    """Description of a picture of a position.

    - `scene`: zones to draw; with the prefix `open `, face up for all. `spread`: places drawn card by card.
    - `laid`: components on places: `Gun's stack: Round 2 on 12 of Gun`. `labels`: labels on places.
    - `bars`: numbers of the players. `cuts`: heights of lines across the bars, with labels.
    - `get_caption`: the caption of a frame or bar, by its default caption.
    """

    get_caption: Callable[[str], str]
    scene: tuple[str, ...] = ()
    spread: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()


SecondOwner = tuple[int | None, str]
"""The number and name of a second owner; no number and no name if there is none."""


@frozen
class OwnedZone:
    """A zone of one owner: the number of a player or member, and its name. The table has no number.

    `second`: its second owner.
    """

    zone: g.Zone
    owner_number: int | None
    owner_name: str
    name: str
    second: SecondOwner

    @property
    def qualified_name(self) -> str:
        """Name in the language: `Ann's hand`, `Ann's line for 3`."""
        whose = f"{self.owner_name}'s " if self.owner_name else ""
        return f"{whose}{self.zone.name}{format_second_owner(self.second)}"


def list_second_owners(zone: g.Zone, game: g.Game) -> list[SecondOwner]:
    """Return the second owners of a zone; one without a number if it has none."""
    kind = game.kinds.get(zone.second or "")
    return [(None, "")] if kind is None else [(number, each.name) for number, each in enumerate(kind.members)]


def format_second_owner(second: SecondOwner) -> str:
    return f" for {second[1]}" if second[1] else ""


def strip_open_prefix(name: str) -> str:
    """Return the zone that an author lists for a scene."""
    return name.removeprefix(OPEN_PREFIX)


def build_position_picture(
    position: g.Given, described: PictureDescription, players: Sequence[str], scope: PhraseScope
) -> Picture | None:
    """Return the picture of a position in an example, in addition to hands."""
    if described.scene:
        return build_scene_picture(position, described, players, scope)
    return build_chart_picture(position, described, players) if described.bars else None


def build_chart_picture(position: g.Given, described: PictureDescription, players: Sequence[str]) -> Picture:
    """Draw the players' numbers as a bar chart, with the author's cuts."""
    known = {(fact.track, fact.of): fact.value for fact in position.facts if isinstance(fact, g.GivenTrack)}
    track_values = [
        (name, known.get((track, number))) for track in described.bars for number, name in enumerate(players)
    ]
    counts = [(name, value.value) for name, value in track_values if isinstance(value, g.Const)]
    bars = [ChartBar(described.get_caption(name), count) for name, count in counts if isinstance(count, int)]
    cuts = [BarCut(int(at), text) for at, text in map(split_labelled_line, described.cuts) if at.isdigit()]
    svg, width = draw_bar_chart(bars, cuts)
    return Picture((Panel(svg, width * SCENE_SCALE, "", describe_bar_chart(bars, cuts)),))


def build_scene_picture(
    position: g.Given, described: PictureDescription, players: Sequence[str], scope: PhraseScope
) -> Picture:
    """Draw the listed zones of a position: those of the table, of members, of each player who has cards there."""
    shows = {strip_open_prefix(name): name.startswith(OPEN_PREFIX) for name in described.scene}
    zones = [scope.lexicon.game.zones[name] for name in shows if name in scope.lexicon.game.zones]
    shown: list[tuple[str, list[SceneZone]]] = []
    for subject in sorted({zone.subject for zone in zones}, key=get_subject_sort_key):
        for title, owned_zones in build_scene_frames(
            subject, [zone for zone in zones if zone.subject == subject], players, scope
        ):
            lie = [
                build_scene_zone(owned_zone, position, described, shows[owned_zone.zone.name], scope)
                for owned_zone in owned_zones
            ]
            if subject != "player" or any(scene_zone.cards or scene_zone.label for scene_zone in lie):
                shown.append((described.get_caption(title), lie))
    lines = max((len(wrap_zone_label(scene_zone)) for _, lie in shown for scene_zone in lie), default=0)
    return Picture(tuple(draw_scene_panel(title, lie, lines) for title, lie in shown))


def get_subject_sort_key(subject: str | None) -> tuple[int, str]:
    """Return the sort key of a subject: the table first, the players last."""
    return (0 if subject is None else 2 if subject == "player" else 1), subject or ""


def build_scene_frames(
    subject: str | None, zones: Sequence[g.Zone], players: Sequence[str], scope: PhraseScope
) -> Iterator[tuple[str, list[OwnedZone]]]:
    """Yield the frames for the zones of one kind of owner, with their titles.

    There is one frame for each player, one for each zone of members, and one for the table.
    """
    game = scope.lexicon.game
    nouns = {zone.name: morphology.capitalize_first_letter(scope.lexicon.nouns[zone.name].noun) for zone in zones}
    piles = [(zone, second) for zone in zones for second in list_second_owners(zone, game)]
    if subject is None:
        yield TABLE_TITLE, [OwnedZone(zone, None, "", nouns[zone.name], one) for zone, one in piles]
    elif subject == "player":
        for number, name in enumerate(players):
            yield (
                name,
                [
                    OwnedZone(each, number, name, nouns[each.name] + format_second_owner(one), one)
                    for each, one in piles
                ],
            )
    else:
        for zone, one in piles:
            owned_zones = [
                OwnedZone(zone, number, member.name, member.noun.singular, one)
                for number, member in enumerate(game.kinds[subject].members)
            ]
            yield morphology.pluralize(nouns[zone.name]) + format_second_owner(one), owned_zones


def build_scene_zone(
    owned_zone: OwnedZone, position: g.Given, described: PictureDescription, is_face_up: bool, scope: PhraseScope
) -> SceneZone:
    """Return a zone with its cards and the components on them.

    `is_face_up`: face up, even if not all players see them."""
    game, entry = scope.lexicon.game, scope.lexicon.nouns[owned_zone.zone.name]
    pile = owned_zone.zone.name, owned_zone.owner_number, owned_zone.second[0]
    zone_facts = (fact for fact in position.facts if isinstance(fact, g.GivenZone))
    matching_facts = (fact for fact in zone_facts if (fact.zone, fact.of, fact.second) == pile)
    faces = next((list_top_card_first(fact.faces, entry, scope) for fact in matching_facts), ())
    looks = tuple(scope.lexicon.small_cards[game.faces[face].code] for face in faces)
    laid_components = [
        component for name, component in map(split_labelled_line, described.laid) if name == owned_zone.qualified_name
    ]
    hidden = owned_zone.zone.viewer != "everyone" and not is_face_up
    label = dict(map(split_labelled_line, described.labels)).get(owned_zone.qualified_name, "")
    how = "row" if owned_zone.qualified_name in described.spread else get_zone_arrangement(owned_zone.zone, game)
    return SceneZone(owned_zone.name, how, tuple(insert_components(laid_components, looks)), hidden, label)


def insert_components(components: Sequence[str], small_cards: Sequence[SmallCard]) -> Iterator[SmallCard]:
    """Yield cards from the top down, with the components between them: `Round 2 on 12 of Axe`.

    A component without a card goes before all cards.
    """
    parts = [
        component_text.rpartition(" on ") if " on " in component_text else (component_text, "", "")
        for component_text in components
    ]
    where = [(component, on) for component, _, on in parts]
    yield from (SmallCard(component, "", None) for component, on in where if not on)
    for small_card in small_cards:
        yield from (SmallCard(component, "", None) for component, on in where if on == small_card.title)
        yield small_card


def draw_scene_panel(title: str, zones: Sequence[SceneZone], label_lines: int) -> Panel:
    svg, width = draw_scene(title, zones, label_lines)
    return Panel(svg, width * SCENE_SCALE, "", morphology.punctuate_sentence(describe_scene_frame(title, zones)))


def describe_scene_frame(title: str, zones: Sequence[SceneZone]) -> str:
    """Describe the zones of a frame in words: `Ann's hand: 8 of Hearts`."""
    if len(zones) == 1 and not zones[0].label:
        return f"{build_single_zone_heading(title, zones[0].name)}: {describe_scene_cards(zones[0])}"
    marks = [f" ({zone.label})" if zone.label else "" for zone in zones]
    texts = [f"{zone.name}{mark}: {describe_scene_cards(zone)}" for zone, mark in zip(zones, marks, strict=True)]
    return "; ".join(texts) if title == TABLE_TITLE else f"{title}: {'; '.join(texts)}"


def build_single_zone_heading(title: str, name: str) -> str:
    """Return the heading of the only zone of a frame. A caption stands for the zone: `Ann, the dealer`."""
    if title == TABLE_TITLE:
        return title if name == "Table" else name
    is_common_noun = name[1:] == name[1:].lower()
    return title if " " in title else f"{morphology.make_possessive(title)} {name.lower() if is_common_noun else name}"


def describe_scene_cards(zone: SceneZone) -> str:
    """Describe the cards of a zone in words: the top card of a pile, the number of cards face down."""
    if not zone.cards:
        return "empty"
    if zone.is_face_down:
        return morphology.format_count(morphology.spell_number(len(zone.cards)), "card")
    shown = zone.cards[:1] if zone.arrangement == "pile" else zone.cards
    return morphology.join_phrases([small_card.title for small_card in shown])


def get_zone_arrangement(zone: g.Zone, game: g.Game) -> str:
    """Return the form of a zone: a `pile`, a `row` or a `fan`."""
    shown = next((show.form for show in game.shows if show.zone == zone.name and show.form), "")
    if shown in ("row", "trick", "grid"):
        return "row"
    return "fan" if zone.viewer in ("owner", "others") and not zone.single else "pile"
