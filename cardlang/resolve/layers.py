"""Merging of layers: a library, a game and a variant, each of which overrides the layers below."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import PurePath

from attrs import evolve, frozen

from cardlang import game as g
from cardlang import nodes as n
from cardlang.limits import MAX_VARIANTS
from cardlang.nodes.walking import last_name, nodes_in
from cardlang.resolve import codes
from cardlang.resolve.world import NOUNS, SLIP, VERBS, Report
from cardlang.source import Span

Libraries = Callable[[str], n.File | None]
Key = tuple[str, str]
Wanting = tuple[n.Use, n.Needs]
WORDS = (n.Note, n.Ruling, n.Component, n.Example)


@frozen
class Layers:
    """Merged declarations.

    `file` is the game's own file. `used` are the libraries below it, `spare` those of other variants. `variant` is the
    chosen variant, and `varied` has the items from it or from its libraries."""

    header: n.Game
    items: tuple[n.Item, ...]
    file: n.File
    used: tuple[n.File, ...]
    spare: tuple[n.File, ...]
    variant: n.Variant | None
    variants: tuple[n.Variant, ...]
    varied: tuple[n.Item, ...] = ()

    @property
    def files(self) -> tuple[n.File, ...]:
        """All files of the game and its variants, the game's own first."""
        return self.file, *self.used, *self.spare

    @property
    def origins(self) -> dict[int, g.Origin]:
        """Origins of the items, by ID."""
        libraries = {file.span.source: PurePath(file.span.source.name).stem for file in self.used}
        declared = {key(item): libraries[file.span.source] for file in self.used for item in file.items}
        declared[None] = ""
        varied = {id(item) for item in self.varied}
        found = {}
        for place, item in enumerate(self.items):
            library = libraries.get(item.span.source) or declared.get(key(item), "")
            found[id(item)] = g.Origin(place, library, id(item) in varied, item.span, shown(item).span)
        return found


def key(item: n.Item) -> Key | None:
    """Return the name that an item declares, with its name space, or None."""
    if isinstance(item, NOUNS):
        return "noun", item.name.text
    if isinstance(item, VERBS):
        return "verb", item.name.text
    if isinstance(item, n.Show):
        return "shown", item.name.text
    return ("about", item.word) if isinstance(item, n.About) else None


def shown(item: n.Item) -> n.Name | n.Item:
    """Return the name of an item, or the item itself. Diagnostics point to it."""
    return item.name if isinstance(item, NOUNS + VERBS) else item


def subject(item: n.Item) -> str:
    """Return the owner of an item, for comparison with overridden or needed items."""
    if isinstance(item, n.Step):
        return "your" if item.your else ""
    whose = getattr(item, "subject", None)
    return whose.text if isinstance(whose, n.Name) else whose or ""


def merge(file: n.File, libraries: Libraries, variant: str | None, report: Report) -> Layers | None:
    """Merge the layers of a game file. Return None if it is no game, or has no such variant."""
    report.broken |= file.broken
    if not isinstance(file.header, n.Game):
        if "game" not in report.broken:
            report_header(file, report)
        return None
    merger = Merger(libraries, report)
    items = merger.file_items(file, ())
    variants, chosen = tuple(merger.variants), merger.choose_variant(file, variant)
    if variant is not None and chosen is None:
        return None
    varied: list[n.Item] = []
    if chosen is not None:
        source = file.span.source
        items = [i for i in items if not isinstance(i, n.Example) or i.span.source is not source]
        below = {id(item) for item in items}
        items = merger.with_variant(items, chosen)
        varied = [item for item in items if id(item) not in below]
    used, spare = tuple(merger.files), merger.spare(variants)
    return Layers(file.header, tuple(items), file, used, spare, chosen, variants, tuple(varied))


def report_header(file: n.File, report: Report) -> None:
    if isinstance(file.header, n.Library):
        hint = "add `use` to a game, and check that game instead"
        report.error(codes.NOT_A_GAME, "this is a library, not a game", file.header.span, hint)
        return
    span = Span(file.span.source, 0, 0)
    hint = 'start the file with a line such as `game "Hearts" for 4 players`'
    report.error(codes.NOT_A_GAME, "this file has no `game` line", span, hint)


class Merger:
    def __init__(self, libraries: Libraries, report: Report) -> None:
        self.libraries = libraries
        self.report = report
        self.files: list[n.File] = []
        self.variants: list[n.Variant] = []

    # ------------------------------------------------------------ a file and its libraries
    def file_items(self, file: n.File, seen: tuple[str, ...]) -> list[n.Item]:
        """Return the items of a file, merged with those of its libraries."""
        self.report_foreign(file)
        own = [item for item in file.items if not isinstance(item, n.Use | n.Variant)]
        below, open_needs = self.brought(file.items, seen)
        self.variants += [item for item in file.items if isinstance(item, n.Variant)]
        self.report_doubles([*below, *own], {id(item) for item in below})
        items = unique([*below, *own])
        passed_on = {item.name.text for item in own if isinstance(item, n.Needs)}
        for use, need in open_needs:
            if need.name.text not in passed_on:
                self.report_need(use, need, items)
        return items

    def brought(self, items: Iterable[n.Item], seen: tuple[str, ...]) -> tuple[list[n.Item], list[Wanting]]:
        """Return the items of the libraries that some items use, and the unmet needs of the libraries."""
        below: list[n.Item] = []
        wanting: list[Wanting] = []
        for use in (item for item in items if isinstance(item, n.Use)):
            found, needs = self.used(use, seen)
            below += found
            wanting += [(use, need) for need in needs]
        return below, wanting

    def used(self, use: n.Use, seen: tuple[str, ...]) -> tuple[list[n.Item], list[n.Needs]]:
        name = use.name.text
        file = None if name in seen else self.libraries(name)
        if file is None:
            message = f"`{name}` uses itself" if name in seen else f"unknown library `{name}`"
            hint = f"put the file `{name}.cardgame` next to the game, or use a bundled library"
            self.report.error(codes.UNKNOWN_LIBRARY, message, use.name.span, "" if name in seen else hint)
            self.report.incomplete = True
            return [], []
        self.files.append(file)
        self.report.broken |= file.broken
        items = self.file_items(file, (*seen, name))
        needs = [item for item in items if isinstance(item, n.Needs)]
        items = [item for item in items if not isinstance(item, n.Needs | n.Example)]
        wanted = {need.name.text for need in needs}
        return self.override(items, use.items, wanted, f"`{name}`"), needs

    def override(
        self, items: list[n.Item], layer: tuple[n.Item, ...], wanted: set[str], where: str, new: bool = False
    ) -> list[n.Item]:
        """Return `items` with overrides from `layer`.

        Items of `layer` replace their namesakes, or are added if their names are `wanted`. With `new`, further items
        may be added."""
        self.report_doubles(list(layer), set())
        places = {key(item): place for place, item in enumerate(items) if key(item) is not None}
        result = list(items)
        for item in layer:
            own = key(item)
            is_added = isinstance(item, n.Show) and own not in places
            if isinstance(item, WORDS) or is_added or (own is not None and own[1] in wanted):
                result.append(item)
            elif own in places:
                self.report_subject(items[places[own]], item)
                result[places[own]] = inheriting(items[places[own]], item)
            elif new and self.is_new(item, own, items):
                result.append(item)
            else:
                self.report_nothing(item, own, items, where, new)
        return result

    def report_subject(self, below: n.Item, item: n.Item) -> None:
        same = isinstance(item, n.Reaction) or subject(below) == subject(item)
        if not same:
            related = ((shown(below).span, "the declaration it overrides"),)
            message = "this must have the same owner as the declaration it overrides"
            self.report.error(codes.OVERRIDES_NOTHING, message, shown(item).span, "", related)

    def report_nothing(self, item: n.Item, own: Key | None, items: list[n.Item], where: str, new: bool) -> None:
        if own is None:
            message, hint = "this cannot be inside a `use`", "move it to the left edge"
            self.report.error(codes.MISPLACED, message, item.span, hint)
            return
        known = namesakes(own, items)
        close = self.report.nearest(own[1], list(known))
        related = tuple((shown(known[name]).span, f"`{name}` is declared here") for name in close)
        hint = f"did you mean `{close[0]}`?" if close else "move new declarations to the left edge"
        hint += " A new declaration needs a less similar name" if new else ""
        message = f"`{own[1]}` overrides nothing in {where}"
        self.report.error(codes.OVERRIDES_NOTHING, message, shown(item).span, hint, related)

    # ------------------------------------------------------------ errors of names
    def report_foreign(self, file: n.File) -> None:
        """Report items other than examples in a file of examples."""
        for item in file.items:
            if item.span.source is not file.span.source and not isinstance(item, n.Example | n.Note | n.Ruling):
                message = "a file of examples cannot have declarations"
                self.report.error(codes.MISPLACED, message, shown(item).span)

    def report_doubles(self, items: list[n.Item], below: set[int]) -> None:
        first: dict[Key, n.Item] = {}
        for item in items:
            own = key(item)
            other = first.setdefault(own, item) if own is not None else item
            if other is item or own is None:
                continue
            hint = "rename one of them, or delete the old one"
            if id(other) in below and id(item) not in below:
                hint = "to override a declaration of a library, put it below the `use` line, indented"
            related = ((shown(other).span, "the first one"),)
            message = f"`{own[1]}` is declared twice"
            self.report.error(codes.DECLARED_TWICE, message, shown(item).span, hint, related)

    def report_need(self, use: n.Use, need: n.Needs, items: list[n.Item]) -> None:
        whose = need.subject.text if isinstance(need.subject, n.Name) else need.subject or ""
        named = [item for item in items if isinstance(item, NOUNS + VERBS) and item.name.text == need.name.text]
        if need.name.text in self.report.broken or any(subject(item) == whose for item in named):
            return
        possessive = {"": "", "your": "your "}.get(whose, f"{whose}'s ")
        what = f"`{possessive}{need.name.text}`"
        doc = f": {need.doc.text}" if need.doc else ""
        related = ((need.span, f"needed here{doc}"),)
        message = f"`{use.name.text}` needs {what}, but nothing declares it"
        if named:
            message = f"`{use.name.text}` needs {what}, but `{need.name.text}` has another owner"
        own = [item for item in items if item.span.source is use.span.source]
        hint = self.help_for(need, f"{possessive}{need.name.text}", own)
        self.report.error(codes.NEEDS_MISSING, message, use.name.span, hint, related)
        self.report.broken.add(need.name.text)

    def help_for(self, need: n.Needs, called: str, own: list[n.Item]) -> str:
        """Return a hint how to declare a needed name.

        It is a step if the library runs it, or restarts a track with it."""
        name = need.name.text
        nodes = nodes_in(next(file.items for file in self.files if file.span.source is need.span.source))
        done = {last_name(node.step) for node in nodes if isinstance(node, n.Do)}
        done |= {again.text for node in nodes if isinstance(node, n.Starts) for again in node.again}
        wanted, like = ("verb", f"step {called}") if name in done else ("noun", f"define {called} as …")
        known = [found[1] for item in own if (found := key(item)) and found[0] == wanted and found[1] != name]
        close = self.report.nearest(name, known)
        if close:
            return f"rename `{close[0]}` to `{name}`, or declare `{like}`"
        if wanted == "verb":
            return f"declare `{like}`, with its statements below"
        return f"declare `{like}`, for example below the `use`"

    # ------------------------------------------------------------ variants
    def choose_variant(self, file: n.File, wanted: str | None) -> n.Variant | None:
        for variant in self.variants[MAX_VARIANTS : MAX_VARIANTS + 1]:
            message = f"a game has at most {MAX_VARIANTS} variants"
            self.report.error(
                codes.TOO_MANY,
                message,
                variant.title.span,
                "remove some. cardlang checks each variant as a game of its own",
            )
        titles: dict[str, n.Variant] = {}
        for variant in self.variants:
            other = titles.setdefault(variant.title.text.lower(), variant)
            if other is not variant:
                related = ((other.title.span, "the first one"),)
                message = f"two variants are called “{variant.title.text}”"
                self.report.error(codes.DECLARED_TWICE, message, variant.title.span, "rename one of them", related)
        if wanted is None or wanted.lower() in titles:
            return titles.get(wanted.lower()) if wanted else None
        self.report_variant(file, wanted)
        return None

    def report_variant(self, file: n.File, wanted: str) -> None:
        names = [variant.title.text for variant in self.variants]
        close = get_close_matches(wanted, names, 1, 0.5)
        known = "the variants are " + ", ".join(f"“{name}”" for name in names)
        hint = f"did you mean “{close[0]}”?" if close else known if names else "this game has no variants"
        span = file.header.span if file.header else file.span
        self.report.error(codes.UNKNOWN_VARIANT, f"unknown variant “{wanted}”", span, hint)

    def with_variant(self, items: list[n.Item], variant: n.Variant) -> list[n.Item]:
        """Return the items of the game with the variant and its libraries.

        Items below a `use` of the variant replace those of the game."""
        known = {file.span.source for file in self.files}
        brought, wanting = self.brought(variant.items, ())
        said = {key(item) for use in variant.items if isinstance(use, n.Use) for item in use.items} - {None}
        brought = [item for item in brought if item.span.source not in known or key(item) in said]
        items = [item for item in items if key(item) not in said]
        self.report_doubles([*brought, *items], {id(item) for item in brought})
        own = tuple(item for item in variant.items if not isinstance(item, n.Use))
        items = self.override(unique([*brought, *items]), own, set(), "the game", new=True)
        for use, need in wanting:
            self.report_need(use, need, items)
        return items

    def is_new(self, item: n.Item, own: Key | None, items: list[n.Item]) -> bool:
        """Return whether an item is meant to be new. A name similar to an existing one is probably a typo."""
        if own is None:
            return isinstance(item, n.Whenever | n.Enters)
        return not self.report.nearest(own[1], list(namesakes(own, items)), SLIP)

    def spare(self, variants: Iterable[n.Variant]) -> tuple[n.File, ...]:
        """Return the libraries that only variants use."""
        found: list[n.File] = []
        todo = [use.name.text for variant in variants for use in variant.items if isinstance(use, n.Use)]
        while todo:
            file = self.libraries(todo.pop())
            if file is not None and all(file is not known for known in (*self.files, *found)):
                found.append(file)
                todo += [item.name.text for item in file.items if isinstance(item, n.Use)]
        return tuple(found)


def namesakes(own: Key, items: Iterable[n.Item]) -> dict[str, n.Item]:
    """Return the items in a name space, by name."""
    return {found[1]: item for item in items if (found := key(item)) and found[0] == own[0]}


def inheriting(below: n.Item, item: n.Item) -> n.Item:
    """Return an override with the noun forms of the overridden item, unless it has its own."""
    for class_ in (n.Zone, n.Track, n.Define):
        if isinstance(item, class_) and isinstance(below, class_) and item.called is None:
            return evolve(item, called=below.called)
    return item


def unique(items: list[n.Item]) -> list[n.Item]:
    """Return the items without repeated declarations, which have been reported."""
    seen: set[Key] = set()
    result = []
    for item in items:
        own = key(item)
        if own is None or own not in seen:
            result.append(item)
        if own is not None:
            seen.add(own)
    return result
