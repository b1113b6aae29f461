"""Custom wording from NAME.words, its checks and digests.

It comes from a TOML file next to the game or library `NAME`, called `NAME.words`, with a table for each rule. The keys
of a table are:

- `instead`: lines of the rulebook that replace the generated ones
- `act`: wording for doing a step (`pay {sum-due}`)
- `title`: title of a step, or the chapter made from an example
- `covers`: other rules that these lines explain; `reads`: rules that they depend on
- `draws`: zones whose cards are drawn next to an example; `captions`: captions of these cards
- `scene`: zones drawn as an example shows them on the table; `laid`: objects on them that are not cards
- `spread`: places whose piles are drawn card by card
- `labels`: labels on these places, or next to the parts of a card; `turned`: labels of its other side
- `prints`: rules whose lines are printed on cards, if a line is titled with a value of the card
- `without`: entries left out of the index
- `bars`: numbers of each player, drawn as bars
- `cuts`: heights of lines across the bars, with labels for the bands below them
- `digest`: digest of all these rules' meaning at the last review

Wording with an outdated digest is not printed; the generated sentences are.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from attrs import frozen

from cardlang import model as g
from cardlang.cards.card_svg import CARD_PARTS
from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.source_limits import MAX_BYTES
from cardlang.model.rank_frequencies import StructuralKeyBuilder
from cardlang.storage import LIBRARY_FOLDER, WORDING_SUFFIX, find_game_file, read_file_start

WORDING_CODE = "W450"
PICTURE_KEYS = ("draws", "captions", "scene", "laid", "spread", "labels", "turned", "bars", "cuts")
"""Keys that describe pictures."""
LIST_KEYS = ("instead", "covers", "reads", "prints", "without", *PICTURE_KEYS)
TEXT_KEYS = ("act", "title", "digest")
CARD_PREFIX = "card "
"""Prefix of table names for cards with labeled parts, before the title."""
COMPONENT_PREFIX = "component "
"""Prefix of table names for other components, drawn as a card with the `title` of the table on it."""
OPEN_PREFIX = "open "
"""Prefix of zones whose cards are drawn face up, even if some players cannot see them."""
INDEX_RULE = "index"
"""Name of the table with wording of the index."""
EXAMPLE_PREFIX = "> "
"""Prefix of the title of an example, in a line of a rule."""


@frozen
class CustomWording:
    """Custom wording of a rule.

    `rule` is a name such as `step betting`. `span` is the span of its table in the file."""

    rule: str
    span: Span
    instead: tuple[str, ...] = ()
    act: str = ""
    title: str = ""
    covers: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    captions: tuple[str, ...] = ()
    scene: tuple[str, ...] = ()
    laid: tuple[str, ...] = ()
    spread: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    turned: tuple[str, ...] = ()
    prints: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    bars: tuple[str, ...] = ()
    cuts: tuple[str, ...] = ()
    digest: str = ""

    @property
    def dependencies(self) -> tuple[str, ...]:
        """Names of all rules that the wording depends on. A title alone depends on none."""
        has_wording = self.instead or self.act or self.labels or self.turned
        return (self.rule, *self.covers, *self.reads) if has_wording else ()


def load_current_wording(game: g.Game) -> dict[str, CustomWording]:
    """Return up-to-date custom wording by rule. Files of the game take precedence over those of its libraries."""
    wording_by_rule: dict[str, CustomWording] = {}
    for path in find_wording_files(game):
        for wording in read_wording_file(path)[0]:
            if not wording.dependencies or (wording.digest and wording.digest == compute_digest(game, wording)):
                wording_by_rule.setdefault(wording.rule, wording)
    return wording_by_rule


def check_wording_file(game: g.Game) -> list[Diagnostic]:
    """Return diagnostics on a game's own wording file: invalid entries, and wording that needs review."""
    path = next(find_wording_files(game))
    wordings, wrong = read_wording_file(path)
    return [*wrong, *(finding for wording in wordings for finding in check_wording_entry(game, wording))]


def check_wording_entry(game: g.Game, wording: CustomWording) -> Iterator[Diagnostic]:
    shown = [
        f"example {line.removeprefix(EXAMPLE_PREFIX)}" for line in wording.instead if line.startswith(EXAMPLE_PREFIX)
    ]
    unknown = [
        name
        for name in (wording.rule, *wording.dependencies, *wording.prints, *shown)
        if find_declaration(game, name) is None
    ]
    if unknown:
        yield Diagnostic(WORDING_CODE, f"unknown rule “{unknown[0]}”", wording.span, warning=True)
    elif wording.dependencies and wording.digest != compute_digest(game, wording):
        message = f"“{wording.rule}” changed, so its custom wording needs review and is not printed"
        hint = "compare the wording with the rule and correct it. Then run `cardlang words FILE --renew`"
        yield Diagnostic(WORDING_CODE, message, wording.span, hint, warning=True)
    else:
        yield from check_picture_names(game, wording)


def check_picture_names(game: g.Game, wording: CustomWording) -> Iterator[Diagnostic]:
    """Yield diagnostics on unknown names in pictures: a part of a card, a zone, or a place in an example."""
    zones = [*game.zones]
    if wording.rule.startswith((CARD_PREFIX, COMPONENT_PREFIX)):
        named = [("part of a card", line, [*CARD_PARTS]) for line in (*wording.labels, *wording.turned)]
    else:
        example_places = [*list_example_places(game, wording.rule)]
        named = [
            ("place in this example", line, example_places)
            for line in (*wording.labels, *wording.laid, *wording.spread)
        ]
        named += [("zone", line.removeprefix(OPEN_PREFIX), zones) for line in (*wording.scene, *wording.draws)]
    for what, line, known in named:
        name = line.partition(": ")[0]
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"Did you mean “{near[0]}”?" if near else f"choose from {', '.join(known)}"
            yield Diagnostic(
                WORDING_CODE, f"unknown {what} “{name}”", find_text_span(wording, line), hint, warning=True
            )


def list_example_places(game: g.Game, rule: str) -> Iterator[str]:
    """Yield the places that an example may show, in the language's form: `Ann's hand`, `Red's stack`, `table`."""
    example = next((listed for listed in list_examples(game) if f"example {listed.title}" == rule), None)
    for zone in game.zones.values():
        if zone.subject is None:
            yield zone.name
        elif zone.subject == "player":
            yield from (f"{player}'s {zone.name}" for player in (example.players if example is not None else ()))
        else:
            yield from (f"{member.name}'s {zone.name}" for member in game.kinds[zone.subject].members)


def find_text_span(wording: CustomWording, line: str) -> Span:
    """Return the span of a string in a table."""
    start = wording.span.source.text.find(line, wording.span.end)
    return wording.span if start < 0 else Span(wording.span.source, start, start + len(line))


# ---------------------------------------------------------------- files
def find_wording_files(game: g.Game) -> Iterator[Path]:
    """Yield the paths of wording files: next to the game, then next to each of its libraries."""
    game_file = find_game_file(game.sources[0].name)
    yield game_file.with_suffix(WORDING_SUFFIX)
    for source in game.sources[1:]:
        name = Path(source.name).with_suffix(WORDING_SUFFIX).name
        for folder in dict.fromkeys((game_file.parent, LIBRARY_FOLDER)):
            if (folder / name).exists():
                yield folder / name


def read_wording_file(path: Path) -> tuple[list[CustomWording], list[Diagnostic]]:
    """Read the wording in a file. Return it with diagnostics; both are empty if the file is missing."""
    try:
        source = Source(str(path), read_file_start(path, MAX_BYTES).decode())
        tables = tomllib.loads(source.text)
    except OSError as error:
        return [], [build_read_error(path, error.strerror or str(error))] if path.exists() else []
    except (ValueError, RecursionError) as error:
        return [], [build_read_error(path, str(error))]
    wordings, wrong = [], []
    for name, table in tables.items():
        wording = parse_wording_table(name, table, source)
        if wording is not None:
            wordings.append(wording)
        else:
            message = f"“{name}” has a key or value that is not allowed"
            hint = f"use only {', '.join(LIST_KEYS)} (lists of strings) and {', '.join(TEXT_KEYS)} (strings)"
            wrong.append(Diagnostic(WORDING_CODE, message, find_table_span(name, source), hint, warning=True))
    return wordings, wrong


def build_read_error(path: Path, reason: str) -> Diagnostic:
    return Diagnostic(
        WORDING_CODE, f"this file cannot be read: {reason}", Source(str(path), "").full_span, warning=True
    )


def parse_wording_table(name: str, table: Any, source: Source) -> CustomWording | None:
    """Return the wording in a table, or None if the table has invalid keys or values."""
    if not isinstance(table, dict) or set(table) - {*LIST_KEYS, *TEXT_KEYS}:
        return None
    lists = {key: table.get(key, []) for key in LIST_KEYS}
    texts = {key: table.get(key, "") for key in TEXT_KEYS}
    lines = all(
        isinstance(line_list, list) and all(isinstance(text, str) for text in line_list) for line_list in lists.values()
    )
    if not lines or not all(isinstance(text, str) for text in texts.values()):
        return None
    fields: dict[str, Any] = {**{key: tuple(line_list) for key, line_list in lists.items()}, **texts}
    return CustomWording(name, find_table_span(name, source), **fields)


def find_table_span(name: str, source: Source) -> Span:
    match = re.search(rf"^\[[^\n]*{re.escape(name)}[^\n]*\]", source.text, re.MULTILINE)
    return Span(source, *match.span()) if match else source.full_span


def find_outdated_wording(game: g.Game, path: Path) -> list[CustomWording]:
    """Return the wording in a file that is older than its rules. Wording of unknown rules is left out."""
    known = (
        wording
        for wording in read_wording_file(path)[0]
        if all(find_declaration(game, name) is not None for name in wording.dependencies)
    )
    return [wording for wording in known if wording.dependencies and wording.digest != compute_digest(game, wording)]


def update_digests(game: g.Game, path: Path, reviewed_rules: Collection[str] | None = None) -> str:
    """Return the content of a wording file with updated digests.

    It updates all outdated wording, or only that of the rules in `reviewed_rules`."""
    text = read_file_start(path, MAX_BYTES).decode()
    for wording in find_outdated_wording(game, path):
        if reviewed_rules is not None and wording.rule not in reviewed_rules:
            continue
        head = re.search(rf'^\["{re.escape(wording.rule)}"\][^\n]*\n', text, re.MULTILINE)
        if head is None:
            continue
        end = re.search(r"^\[", text[head.end() :], re.MULTILINE)
        stop = head.end() + end.start() if end else len(text)
        body = re.sub(r"^digest = [^\n]*\n?", "", text[head.end() : stop], flags=re.MULTILINE)
        text = f'{text[: head.end()]}digest = "{compute_digest(game, wording)}"\n{body}{text[stop:]}'
    return text


# ---------------------------------------------------------------- rules
def compute_digest(game: g.Game, wording: CustomWording) -> str:
    """Return a digest of the rules' meaning. Variable names, wording and positions don't matter."""
    plain = RuleMeaning(game)
    parts = [(name, plain.build_key(find_declaration(game, name))) for name in wording.dependencies]
    return hashlib.sha256(repr((parts, wording.act and wording.rule)).encode()).hexdigest()[:12]


def list_examples(game: g.Game) -> Iterator[g.Example]:
    """Yield the examples of a game and, unless it is a variant itself, of its variants."""
    yield from game.examples
    for variant in game.variants if game.variant is None else ():
        yield from variant.game.examples


def get_variant_changes(game: g.Game) -> object:
    """Return the definitions that a variant changes, and its cards."""
    defines = tuple((name, define.value) for name, define in game.defines.items() if define.origin.varied)
    return defines, get_deck_contents(game)


def get_deck_contents(game: g.Game) -> object:
    """Return the cards of a game: set, title and copies of each."""
    return tuple((face.set, face.title, face.copies) for face in game.faces)


class RuleMeaning(StructuralKeyBuilder):
    """Structural keys of rules, as nested tuples, without statements that only address readers."""

    def build_key(self, value: object) -> object:
        match value:
            case g.Option():
                whens, costs = [when for when, _ in value.when], [cost[:2] for cost in value.costs]
                return tuple(map(self.build_key, (value.name, value.binders, tuple(whens), tuple(costs), value.body)))
            case g.FirstPossible():
                return tuple(self.build_key(each) for each, _ in value.lists)
            case tuple():
                rule_parts = (
                    each for each in value if not isinstance(each, g.Tell | g.Note | g.Aside | g.Ruling | Span)
                )
                return tuple(map(self.build_key, rule_parts))
        return super().build_key(value)


def find_declaration(game: g.Game, name: str) -> object:
    """Return the declaration with a given name, or None if there is none.

    Names have the form `step betting`, `define ready`, `track stake`, `zone stock`, `order strength`, `ranking Rank`,
    `reaction stop`, `cards Drawing`, `card Tuna Drawing`, `enters discards`, `example Equal hands` or `variant Long
    game`. `goal` is the goal, `contents` the cards, and `contents Long game` the cards of a variant. `index` has no
    declaration and an empty result."""
    if name == "goal":
        return tuple(find_declaration(game, name) for name in ("define winners", "order standing", "define score"))
    if name == "contents":
        return get_deck_contents(game), tuple((column.type, column.values) for column in game.columns.values())
    if name == INDEX_RULE:
        return ()
    what, _, which = name.partition(" ")
    match what:
        case "step":
            step = game.steps.get(which)
            return step and (step.params, step.body)
        case "define":
            define = game.defines.get(which)
            return define and (define.var or (), define.value)
        case "track":
            track = game.tracks.get(which)
            return track and (track.start, track.restarts)
        case "zone":
            zone = game.zones.get(which)
            return zone and (zone.subject, zone.viewer, zone.single)
        case "order":
            return (which in game.orders and game.orders[which].lines) or None
        case "ranking":
            ranking = game.rankings.get(which)
            return ranking and (ranking.wilds, ranking.ties)
        case "reaction":
            return next(((each.to, each.option) for each in game.reactions if each.option.name == which), None)
        case "component":
            return next(((each.count,) for each in game.components if each.title == which), None)
        case "cards":
            cards = game.sets.get(which)
            return cards and (cards.bears, cards.rows)
        case "enters":
            return tuple((each.card, each.body) for each in game.enters if each.zone == which) or None
    return find_titled_declaration(game, what, which)


def find_titled_declaration(game: g.Game, kind: str, title: str) -> object:
    """Return a declaration that has a title in place of a name: a card, an example, a variant, or a variant's cards.

    Only a game that isn't a variant itself has variants."""
    variants = game.variants if game.variant is None else ()
    match kind:
        case "contents":
            return next((get_deck_contents(each.game) for each in variants if each.title == title), None)
        case "card":
            face = next((face for face in game.faces if face.title == title), None)
            return face and (face.set, tuple(column.values[face.number] for column in game.columns.values()))
        case "variant":
            return next((get_variant_changes(each.game) for each in variants if each.title == title), None)
        case "example":
            return next((each.lines for each in list_examples(game) if each.title == title), None)
    return None
