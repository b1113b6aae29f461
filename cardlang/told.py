"""The words in which an author tells a rule, where sentences made of it read badly: `NAME.words`, a file beside the
game or library NAME.

Such a file is TOML, with a table for each rule: `instead`, lines that stand on the sheet in place of the generated
ones; `act`, how the carrying out of a step is said (`pay {sum-due}`); `title`, what a step is called, or the chapter
that an example is; `covers`, other rules that these lines tell too; `reads`, rules on which they rest; `draws`, the
zones whose cards are drawn beside an example, and `captions`, what stands over these cards; `scene`, the zones that an
example shows as they lie on the table, `laid`, what lies on them and is no card of the game, `spread`, places whose
piles are drawn card by card, and `labels`, what stands on them, or beside the parts of a card that is shown; `turned`,
the labels of its other side; `prints`, rules of which cards bear the line called as a member that they have; `without`,
what the index leaves out; `bars`, the numbers of players that are drawn as bars, and `cuts`, where these are cut and
what lies below; `digest`, of the meaning of all these when somebody last read the words. Words whose digest is not that
of the rules any more are not printed: the sentences made of the rules are."""

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
"""What says how something is drawn."""
LISTS = ("instead", "covers", "reads", "prints", "without", *LOOKS)
TEXTS = ("act", "title", "digest")
CARD = "card "
"""What stands before the title of a card whose parts are labelled, in the name of a table."""
COMPONENT = "component "
"""And before that of something else in the box, drawn as a card with the `title` of the table on it."""
OPEN = "open "
"""What stands before a zone whose cards are drawn face up, though not everybody sees them."""
INDEX = "index"
"""The name of the table of words that stand in the index of the sheet, wherever it uses them."""
SHOWN = "> "
"""What stands before the title of an example, in a line for a rule."""


@frozen
class Said:
    """What an author says of a rule. `rule`: such as `step betting`. `place`: of its table in the file."""

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
        """All that the words depend on. What a step is called depends on nothing."""
        said = self.instead or self.act or self.labels or self.turned
        return (self.rule, *self.covers, *self.reads) if said else ()


def current(game: g.Game) -> dict[str, Said]:
    """By the names of rules, the words that mean what the rules of this game mean. Those beside the game come before
    those beside its libraries."""
    found: dict[str, Said] = {}
    for path in files(game):
        for said in entries(path)[0]:
            if not said.rules or (said.digest and said.digest == digest(game, said)):
                found.setdefault(said.rule, said)
    return found


def findings(game: g.Game) -> list[Diagnostic]:
    """What is to be said of the words beside a game itself: what cannot be read, and what is to be read again."""
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
    """What the pictures of some words name and is not there: a part of a card, a zone, a place of an example."""
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
    """What an example may show, as the language writes it: `Ann's hand`, `Red's stack`, `table`."""
    example = next((each for each in examples(game) if f"example {each.title}" == rule), None)
    for zone in game.zones.values():
        if zone.subject is None:
            yield zone.name
        elif zone.subject == "player":
            yield from (f"{player}'s {zone.name}" for player in (example.players if example is not None else ()))
        else:
            yield from (f"{member.name}'s {zone.name}" for member in game.kinds[zone.subject].members)


def within(said: Said, line: str) -> Span:
    """Where a text stands in a table."""
    start = said.place.source.text.find(line, said.place.end)
    return said.place if start < 0 else Span(said.place.source, start, start + len(line))


# ---------------------------------------------------------------- files
def files(game: g.Game) -> Iterator[Path]:
    """Where words may be kept: beside the game, then beside each of its libraries."""
    from cardlang import LIBRARY, find

    own = find(game.sources[0].name)
    yield own.with_suffix(ENDING)
    for source in game.sources[1:]:
        name = Path(source.name).with_suffix(ENDING).name
        for folder in dict.fromkeys((own.parent, LIBRARY)):
            if (folder / name).exists():
                yield folder / name


def entries(path: Path) -> tuple[list[Said], list[Diagnostic]]:
    """The words in a file, and what is wrong with it; none if there is no such file."""
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
    """The words of one table; None if it holds anything else."""
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
    """The words of a file that were not read since their rules changed, for rules that are there."""
    known = (said for said in entries(path)[0] if all(rule(game, name) is not None for name in said.rules))
    return [said for said in known if said.rules and said.digest != digest(game, said)]


def renewed(game: g.Game, path: Path, read: Collection[str] | None = None) -> str:
    """The text of a file of words with the digests of the rules as they are now: of all that are outdated, or of those
    that were `read`."""
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
    """Of what the rules mean; names of variables, words and places in the text do not matter."""
    plain = Meaning(game)
    parts = [(name, plain.of(rule(game, name))) for name in said.rules]
    return hashlib.sha256(repr((parts, said.act and said.rule)).encode()).hexdigest()[:12]


def examples(game: g.Game) -> Iterator[g.Example]:
    """Those of a game and, where it is played in none of them, of its variants."""
    yield from game.examples
    for variant in game.variants if game.variant is None else ():
        yield from variant.game.examples


def varied(game: g.Game) -> object:
    """What a variant defines otherwise than its game, and the cards with which it is played."""
    defines = tuple((name, each.value) for name, each in game.defines.items() if each.origin.varied)
    return defines, dealt(game)


def dealt(game: g.Game) -> object:
    """The cards with which a game is played."""
    return tuple((face.set, face.title, face.copies) for face in game.faces)


class Meaning(Plain):
    """Parts of a game as nested tuples, without what only speaks to readers."""

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
    """What a game declares under such a name: `step betting`, `define ready`, `track stake`, `zone stock`,
    `order strength`, `ranking Rank`, `reaction stop`, `cards Drawing`, `card Tuna Drawing`, `enters discards`,
    `example Equal hands`, `variant Long game`; `goal`; `contents`, the cards, and `contents Long game`, those of a
    variant; `index`, which means nothing. None if it does not."""
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
    """What has a title instead of a name: a card, an example, of a game that is played in no variant one of these, with
    the cards for it."""
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
