"""Custom wording: a rule in the author's words, in place of generated sentences.

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

Wording with an outdated digest is not printed; the generated sentences are."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from attrs import frozen

from cardlang import game as g
from cardlang.disk import read_start
from cardlang.drawing.specimen import PARTS
from cardlang.limits import MAX_BYTES
from cardlang.rarity import Plain
from cardlang.source import Diagnostic, Source, Span

ENDING = ".words"
CODE = "W450"
LOOKS = ("draws", "captions", "scene", "laid", "spread", "labels", "turned", "bars", "cuts")
"""Keys that describe pictures."""
LISTS = ("instead", "covers", "reads", "prints", "without", *LOOKS)
TEXTS = ("act", "title", "digest")
CARD = "card "
"""Prefix of table names for cards with labeled parts, before the title."""
COMPONENT = "component "
"""Prefix of table names for other components, drawn as a card with the `title` of the table on it."""
OPEN = "open "
"""Prefix of zones whose cards are drawn face up, even if some players cannot see them."""
INDEX = "index"
"""Name of the table with wording of the index."""
SHOWN = "> "
"""Prefix of the title of an example, in a line of a rule."""


@frozen
class Said:
    """Custom wording of a rule.

    `rule` is a name such as `step betting`. `place` is the span of its table in the file."""

    rule: str
    place: Span
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
    def rules(self) -> tuple[str, ...]:
        """Names of all rules that the wording depends on. A title alone depends on none."""
        said = self.instead or self.act or self.labels or self.turned
        return (self.rule, *self.covers, *self.reads) if said else ()


def current(game: g.Game) -> dict[str, Said]:
    """Return up-to-date custom wording by rule. Files of the game take precedence over those of its libraries."""
    found: dict[str, Said] = {}
    for path in files(game):
        for said in entries(path)[0]:
            if not said.rules or (said.digest and said.digest == digest(game, said)):
                found.setdefault(said.rule, said)
    return found


def findings(game: g.Game) -> list[Diagnostic]:
    """Return diagnostics on a game's own wording file: invalid entries, and wording that needs review."""
    path = next(files(game))
    found, wrong = entries(path)
    return [*wrong, *(finding for said in found for finding in stale(game, said))]


def stale(game: g.Game, said: Said) -> Iterator[Diagnostic]:
    shown = [f"example {line.removeprefix(SHOWN)}" for line in said.instead if line.startswith(SHOWN)]
    unknown = [name for name in (said.rule, *said.rules, *said.prints, *shown) if rule(game, name) is None]
    if unknown:
        yield Diagnostic(CODE, f"unknown rule “{unknown[0]}”", said.place, warning=True)
    elif said.rules and said.digest != digest(game, said):
        message = f"“{said.rule}” changed, so its custom wording needs review and is not printed"
        hint = "compare the wording with the rule and correct it. Then run `cardlang words FILE --renew`"
        yield Diagnostic(CODE, message, said.place, hint, warning=True)
    else:
        yield from astray(game, said)


def astray(game: g.Game, said: Said) -> Iterator[Diagnostic]:
    """Yield diagnostics on unknown names in pictures: a part of a card, a zone, or a place in an example."""
    zones = [*game.zones]
    if said.rule.startswith((CARD, COMPONENT)):
        named = [("part of a card", line, [*PARTS]) for line in (*said.labels, *said.turned)]
    else:
        places = [*places_of(game, said.rule)]
        named = [("place in this example", line, places) for line in (*said.labels, *said.laid, *said.spread)]
        named += [("zone", line.removeprefix(OPEN), zones) for line in (*said.scene, *said.draws)]
    for what, line, known in named:
        name = line.partition(": ")[0]
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"Did you mean “{near[0]}”?" if near else f"choose from {', '.join(known)}"
            yield Diagnostic(CODE, f"unknown {what} “{name}”", within(said, line), hint, warning=True)


def places_of(game: g.Game, rule: str) -> Iterator[str]:
    """Yield the places that an example may show, in the language's form: `Ann's hand`, `Red's stack`, `table`."""
    example = next((each for each in examples(game) if f"example {each.title}" == rule), None)
    for zone in game.zones.values():
        if zone.subject is None:
            yield zone.name
        elif zone.subject == "player":
            yield from (f"{player}'s {zone.name}" for player in (example.players if example is not None else ()))
        else:
            yield from (f"{member.name}'s {zone.name}" for member in game.kinds[zone.subject].members)


def within(said: Said, line: str) -> Span:
    """Return the span of a string in a table."""
    start = said.place.source.text.find(line, said.place.end)
    return said.place if start < 0 else Span(said.place.source, start, start + len(line))


# ---------------------------------------------------------------- files
def files(game: g.Game) -> Iterator[Path]:
    """Yield the paths of wording files: next to the game, then next to each of its libraries."""
    from cardlang import LIBRARY, find

    own = find(game.sources[0].name)
    yield own.with_suffix(ENDING)
    for source in game.sources[1:]:
        name = Path(source.name).with_suffix(ENDING).name
        for folder in dict.fromkeys((own.parent, LIBRARY)):
            if (folder / name).exists():
                yield folder / name


def entries(path: Path) -> tuple[list[Said], list[Diagnostic]]:
    """Read the wording in a file. Return it with diagnostics; both are empty if the file is missing."""
    try:
        source = Source(str(path), read_start(path, MAX_BYTES).decode())
        tables = tomllib.loads(source.text)
    except OSError as error:
        return [], [unreadable(path, error.strerror or str(error))] if path.exists() else []
    except (ValueError, RecursionError) as error:
        return [], [unreadable(path, str(error))]
    found, wrong = [], []
    for name, table in tables.items():
        said = entry(name, table, source)
        if said is not None:
            found.append(said)
        else:
            message = f"“{name}” has a key or value that is not allowed"
            hint = f"use only {', '.join(LISTS)} (lists of strings) and {', '.join(TEXTS)} (strings)"
            wrong.append(Diagnostic(CODE, message, place(name, source), hint, warning=True))
    return found, wrong


def unreadable(path: Path, why: str) -> Diagnostic:
    return Diagnostic(CODE, f"this file cannot be read: {why}", Source(str(path), "").whole, warning=True)


def entry(name: str, table: Any, source: Source) -> Said | None:
    """Return the wording in a table, or None if the table has invalid keys or values."""
    if not isinstance(table, dict) or set(table) - {*LISTS, *TEXTS}:
        return None
    lists = {key: table.get(key, []) for key in LISTS}
    texts = {key: table.get(key, "") for key in TEXTS}
    lines = all(isinstance(each, list) and all(isinstance(text, str) for text in each) for each in lists.values())
    if not lines or not all(isinstance(text, str) for text in texts.values()):
        return None
    found: dict[str, Any] = {**{key: tuple(each) for key, each in lists.items()}, **texts}
    return Said(name, place(name, source), **found)


def place(name: str, source: Source) -> Span:
    found = re.search(rf"^\[[^\n]*{re.escape(name)}[^\n]*\]", source.text, re.MULTILINE)
    return Span(source, *found.span()) if found else source.whole


def outdated(game: g.Game, path: Path) -> list[Said]:
    """Return the wording in a file that is older than its rules. Wording of unknown rules is left out."""
    known = (said for said in entries(path)[0] if all(rule(game, name) is not None for name in said.rules))
    return [said for said in known if said.rules and said.digest != digest(game, said)]


def renewed(game: g.Game, path: Path, read: Collection[str] | None = None) -> str:
    """Return the content of a wording file with updated digests.

    It updates all outdated wording, or only that of the rules in `read`."""
    text = read_start(path, MAX_BYTES).decode()
    for said in outdated(game, path):
        if read is not None and said.rule not in read:
            continue
        head = re.search(rf'^\["{re.escape(said.rule)}"\][^\n]*\n', text, re.MULTILINE)
        if head is None:
            continue
        end = re.search(r"^\[", text[head.end() :], re.MULTILINE)
        stop = head.end() + end.start() if end else len(text)
        body = re.sub(r"^digest = [^\n]*\n?", "", text[head.end() : stop], flags=re.MULTILINE)
        text = f'{text[: head.end()]}digest = "{digest(game, said)}"\n{body}{text[stop:]}'
    return text


# ---------------------------------------------------------------- rules
def digest(game: g.Game, said: Said) -> str:
    """Return a digest of the rules' meaning. Variable names, wording and positions don't matter."""
    plain = Meaning(game)
    parts = [(name, plain.of(rule(game, name))) for name in said.rules]
    return hashlib.sha256(repr((parts, said.act and said.rule)).encode()).hexdigest()[:12]


def examples(game: g.Game) -> Iterator[g.Example]:
    """Yield the examples of a game and, unless it is a variant itself, of its variants."""
    yield from game.examples
    for variant in game.variants if game.variant is None else ():
        yield from variant.game.examples


def varied(game: g.Game) -> object:
    """Return the definitions that a variant changes, and its cards."""
    defines = tuple((name, each.value) for name, each in game.defines.items() if each.origin.varied)
    return defines, dealt(game)


def dealt(game: g.Game) -> object:
    """Return the cards of a game: set, title and copies of each."""
    return tuple((face.set, face.title, face.copies) for face in game.faces)


class Meaning(Plain):
    """Structural keys of rules, as nested tuples, without statements that only address readers."""

    def of(self, value: object) -> object:
        match value:
            case g.Option():
                whens, costs = [when for when, _ in value.when], [cost[:2] for cost in value.costs]
                return tuple(map(self.of, (value.name, value.binders, tuple(whens), tuple(costs), value.body)))
            case g.FirstPossible():
                return tuple(self.of(each) for each, _ in value.lists)
            case tuple():
                kept = (each for each in value if not isinstance(each, g.Tell | g.Note | g.Aside | g.Ruling | Span))
                return tuple(map(self.of, kept))
        return super().of(value)


def rule(game: g.Game, name: str) -> object:
    """Return the declaration with a given name, or None if there is none.

    Names have the form `step betting`, `define ready`, `track stake`, `zone stock`, `order strength`, `ranking Rank`,
    `reaction stop`, `cards Drawing`, `card Tuna Drawing`, `enters discards`, `example Equal hands` or `variant Long
    game`. `goal` is the goal, `contents` the cards, and `contents Long game` the cards of a variant. `index` has no
    declaration and an empty result."""
    if name == "goal":
        return tuple(rule(game, name) for name in ("define winners", "order standing", "define score"))
    if name == "contents":
        return dealt(game), tuple((column.type, column.values) for column in game.columns.values())
    if name == INDEX:
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
    return titled(game, what, which)


def titled(game: g.Game, what: str, title: str) -> object:
    """Return a declaration that has a title in place of a name: a card, an example, a variant, or a variant's cards.

    Only a game that isn't a variant itself has variants."""
    variants = game.variants if game.variant is None else ()
    match what:
        case "contents":
            return next((dealt(each.game) for each in variants if each.title == title), None)
        case "card":
            face = next((face for face in game.faces if face.title == title), None)
            return face and (face.set, tuple(column.values[face.number] for column in game.columns.values()))
        case "variant":
            return next((varied(each.game) for each in variants if each.title == title), None)
        case "example":
            return next((each.lines for each in examples(game) if each.title == title), None)
    return None
